// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "tests/core/diff/generator.h"
#include "tests/core/diff/job.h"

namespace n6vp::test::diff {

/// Returns the instructions of an entry as text, one a line with address in the slot and bits.
[[nodiscard]] std::string code_text(const Entry& entry);

/// Returns the state before a vector and everything that it changed on either side.
[[nodiscard]] std::string vector_text(const Entry& entry, std::uint32_t slot, unsigned vector,
                                      const Record& ours, const Record& theirs);

/// Explains the first vector of an entry at which two runs of it differ: state before, and what
/// differs after. `ours` and `theirs` are the records of the entry alone. Empty if nothing does.
[[nodiscard]] std::string explain(const Entry& entry, std::uint32_t slot, const Record* ours,
                                  const Record* theirs);

}  // namespace n6vp::test::diff

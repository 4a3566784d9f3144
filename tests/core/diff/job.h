// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/core/diff/vector_format.h"

namespace n6vp::test::diff {

/// What one side answers: one hash per entry, or the records of all vectors in order.
struct Answer {
    std::vector<std::uint32_t> hashes;
    std::vector<Record> records;
};

/// A machine that executes vectors.
class Side {
  public:
    Side() = default;
    Side(const Side&) = delete;
    Side& operator=(const Side&) = delete;
    virtual ~Side() = default;

    /// Runs all entries. Throws std::runtime_error if the machine fails.
    virtual Answer run(const std::vector<Entry>& entries, JobMode mode) = 0;
};

}  // namespace n6vp::test::diff

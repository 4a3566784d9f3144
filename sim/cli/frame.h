// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sim/cli/verb.h"

namespace n6vp::sim::cli {

/// Runs the command line with everything that is common to all verbs: help, version, suggestions
/// for misspelt verbs and options, and errors as one line of cause and one of remedy. Returns the
/// exit code. Never throws.
[[nodiscard]] int run(int argc, char** argv, Session& session);

/// Runs work that writes one output. An error is printed and recorded in the session; the other
/// outputs are not affected.
void keep_going(Session& session, const std::function<void()>& work);

/// For `check` of an option with a count: returns "" for a whole number of less than 2^64, else
/// what is wrong. The parser itself takes -1 for the greatest number there is.
[[nodiscard]] std::string whole_number(const std::string& text);
/// Returns such a check for numbers from `least` to `most`.
[[nodiscard]] std::function<std::string(const std::string&)> whole_number_in(std::uint64_t least,
                                                                             std::uint64_t most);

/// For `check` of an option with a real number: returns "" for a finite one of 0 or more, else what
/// is wrong.
[[nodiscard]] std::string number_from_zero(const std::string& text);

}  // namespace n6vp::sim::cli

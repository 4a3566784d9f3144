// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace n6vp::sim {

/// How a process ended, and what it said.
struct ChildResult {
    int exit_code = 0;    ///< 128 + signal if one ended it
    std::string message;  ///< its standard error
};

/// Runs this tool again with `words`, without input and output, and waits for its end. Its standard
/// error goes through the file `message_path`. Fails with UserError if it cannot be started.
[[nodiscard]] ChildResult run_self(const std::vector<std::string>& words,
                                   const std::string& message_path);

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace n6vp::sim {

/// A program to be run without input.
struct ChildRequest {
    std::string program;  ///< searched for in PATH unless it has a slash
    std::vector<std::string> arguments;
    std::string out, err;  ///< files for its output, may be the same; empty: thrown away
    std::string remedy;    ///< for the user if it cannot be started
};

/// The program that is running: another n6vp.
inline constexpr const char* kSelf = "/proc/self/exe";

/// Runs a program and waits for its end. Returns its exit code, or 128 + signal. A terminating
/// signal to this process reaches the child once, as SIGTERM; the child ends with this process. If
/// one has already arrived, nothing is started, and the result is 130. Fails with UserError if the
/// program cannot be started.
[[nodiscard]] int run_child(const ChildRequest& request);

/// Returns true if run_child gave this code because SIGHUP, SIGINT or SIGTERM ended the program,
/// which happens to another n6vp that has not yet installed its handlers.
[[nodiscard]] bool ended_by_request(int exit_code);

}  // namespace n6vp::sim

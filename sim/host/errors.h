// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace n6vp::sim {

/// A mistake of the user or a bad input: one line of cause, one of remedy, exit code 2 unless said
/// otherwise.
class UserError : public std::runtime_error {
  public:
    UserError(const std::string& cause, std::string remedy, int exit_code = 2)
        : std::runtime_error(cause), remedy_(std::move(remedy)), exit_code_(exit_code) {}
    [[nodiscard]] const std::string& remedy() const { return remedy_; }
    [[nodiscard]] int exit_code() const { return exit_code_; }

  private:
    std::string remedy_;
    int exit_code_;
};

}  // namespace n6vp::sim

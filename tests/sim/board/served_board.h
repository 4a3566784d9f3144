// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/support/process.h"

namespace n6vp::test {

/// `n6vp board`, running beside the test.
class ServedBoard {
  public:
    /// Waits until the board is ready, for 100 s at most.
    explicit ServedBoard(const std::vector<std::string>& arguments);

    /// The first line of its output: "tcp 127.0.0.1:10000", "pty /dev/pts/3".
    [[nodiscard]] const std::string& place() const { return place_; }
    /// Waits for the end.
    [[nodiscard]] Outcome wait() { return process_.wait(); }

  private:
    RunningProcess process_;
    std::string place_;
};

}  // namespace n6vp::test

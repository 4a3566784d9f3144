// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/board/served_board.h"

#include <doctest/doctest.h>

namespace n6vp::test {

namespace {

std::vector<std::string> words_of(const std::vector<std::string>& arguments) {
    std::vector<std::string> words{N6VP_BINARY, "board"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

}  // namespace

ServedBoard::ServedBoard(const std::vector<std::string>& arguments)
    : process_(words_of(arguments)) {
    constexpr int kWaits = 5;
    const auto ready = [this] { return process_.out().find('\n') != std::string::npos; };
    bool is_ready = false;
    for (int i = 0; i < kWaits && !is_ready; ++i) is_ready = RunningProcess::wait_until(ready);
    REQUIRE(is_ready);
    const std::string out = process_.out();
    place_ = out.substr(0, out.find('\n'));
}

}  // namespace n6vp::test

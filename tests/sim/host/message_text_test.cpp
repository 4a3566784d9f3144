// SPDX-License-Identifier: Apache-2.0
#include "sim/host/message_text.h"

#include <doctest/doctest.h>

#include <string>

using namespace n6vp::sim;

TEST_CASE("messages cut long values and say how long they were") {
    CHECK(shortened("'short' is no number") == "'short' is no number");
    CHECK(shortened("'" + std::string(70'000, 'x') + "' is no number") ==
          "'" + std::string(80, 'x') + "... (70000 characters)' is no number");
    CHECK(shortened(std::string(256, 'x')) == std::string(256, 'x'));
    CHECK(shortened(std::string(257, 'x')) == std::string(80, 'x') + "... (257 characters)");
    std::string words;
    for (int i = 0; i < 20'000; ++i) words += "ab ";
    CHECK(shortened(words).size() < 700);
    CHECK(shortened(words).ends_with("... (60000 characters)"));
    // Two bytes each: none is cut in half.
    std::string umlauts = "x";
    for (int i = 0; i < 200; ++i) umlauts += "\xC3\xA4";
    CHECK(shortened(umlauts).substr(0, 82) == umlauts.substr(0, 79) + "...");
}

TEST_CASE("lines of another program become one, without codes of line ends") {
    CHECK(one_line("a.c: error\n\n   x = 1;\n", 600) == "a.c: error;    x = 1;");
    CHECK(one_line("\n", 600) == "");
    CHECK(one_line("\x1b[31mred", 600) == "\\x1b[31mred");
    CHECK(one_line(std::string(1000, 'y'), 600) == std::string(600, 'y'));
}

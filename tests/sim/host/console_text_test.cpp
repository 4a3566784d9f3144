// SPDX-License-Identifier: Apache-2.0
#include "sim/host/console_text.h"

#include <doctest/doctest.h>

#include <string>

using namespace n6vp::sim;

TEST_CASE("a character whose last bytes are missing waits for them, and nothing else does") {
    for (const std::string& whole :
         {std::string("\xC3\xA4"), std::string("\xE2\x82\xAC"), std::string("\xEF\xBF\xBD"),
          std::string("\xF0\x9F\x98\x80")}) {
        CHECK(unfinished_character(whole) == 0);
        for (std::size_t kept = 1; kept < whole.size(); ++kept) {
            CHECK(unfinished_character(whole.substr(0, kept)) == kept);
            CHECK(unfinished_character("x" + whole.substr(0, kept)) == kept);
        }
    }
    CHECK(unfinished_character("") == 0);
    CHECK(unfinished_character("a") == 0);
    CHECK(unfinished_character("\x80") == 0);  // it has no beginning
    CHECK(unfinished_character("\x80\x80") == 0);
    CHECK(unfinished_character("line\r") == 1);
}

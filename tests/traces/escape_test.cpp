// SPDX-License-Identifier: Apache-2.0
#include "traces/escape.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>

using namespace n6vp::traces;

namespace {

/// Returns random bytes, rich in what the escapes treat specially.
std::string hostile_bytes(std::mt19937& random) {
    static constexpr char kSpecial[] = "\x00\x1b\x7f\x80\xc2\xe2\xf0\xff\"\\<>&'=,\r\n\t/.-";
    std::string text(random() % 40, '\0');
    for (char& character : text) {
        const std::size_t pick = random() % (sizeof kSpecial - 1);
        character = random() % 3 == 0 ? static_cast<char>(random()) : kSpecial[pick];
    }
    return text;
}

bool has_control(std::string_view text) {
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte < 0x20 || byte == 0x7F) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("terminal text keeps what is printable") {
    CHECK(terminal_text("xSPI1") == "xSPI1");
    CHECK(terminal_text("Gr\xC3\xBC\xC3\x9F"
                        "e \xE2\x82\xAC") ==
          "Gr\xC3\xBC\xC3\x9F"
          "e \xE2\x82\xAC");
    CHECK(terminal_text("") == "");
}

TEST_CASE("terminal text disarms escapes, line ends and invisible characters") {
    CHECK(terminal_text("a\x1b[31mb") == "a\\x1b[31mb");
    CHECK(terminal_text("one\ntwo\r") == "one\\x0atwo\\x0d");
    CHECK(terminal_text(std::string("nul\0!", 5)) == "nul\\x00!");
    CHECK(terminal_text("back\\slash") == "back\\\\slash");
    CHECK(terminal_text("\xC2\x9B"
                        "31m") == "\\xc2\\x9b31m");  // C1 control sequence introducer
    CHECK(terminal_text("\xE2\x80\xAE"
                        "exe") == "\\xe2\\x80\\xaeexe");          // right-to-left override
    CHECK(terminal_text("\xEF\xBB\xBFx") == "\\xef\\xbb\\xbfx");  // byte-order mark
}

TEST_CASE("terminal text escapes broken UTF-8 byte by byte") {
    CHECK(terminal_text("\xFF\xFE") == "\\xff\\xfe");
    CHECK(terminal_text("\xC3") == "\\xc3");                             // cut short
    CHECK(terminal_text("\xC0\xAF") == "\\xc0\\xaf");                    // overlong slash
    CHECK(terminal_text("\xE0\x80\xAF") == "\\xe0\\x80\\xaf");           // overlong, three bytes
    CHECK(terminal_text("\xED\xA0\x80") == "\\xed\\xa0\\x80");           // surrogate
    CHECK(terminal_text("\xF4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // above 10FFFF
}

TEST_CASE("terminal text takes UTF-8 up to the edges of what is well formed, and no byte more") {
    // Unicode, table 3-7: the shortest form only, no surrogates.
    CHECK(terminal_text("\xE0\xA0\x80") == "\xE0\xA0\x80");              // 800, the first of three
    CHECK(terminal_text("\xE0\x9F\xBF") == "\\xe0\\x9f\\xbf");           // 7FF in three bytes
    CHECK(terminal_text("\xE0\x82\x80") == "\\xe0\\x82\\x80");           // 80 in three bytes
    CHECK(terminal_text("\xF0\x8F\xA8\x80") == "\\xf0\\x8f\\xa8\\x80");  // FA00 in four bytes
    CHECK(terminal_text("\xED\x9F\xBF") == "\xED\x9F\xBF");              // D7FF
    CHECK(terminal_text("\xED\xBF\xBF") == "\\xed\\xbf\\xbf");           // DFFF, the last surrogate
    CHECK(json_string("\xED\xBF\xBF") == "\"\\ufffd\\ufffd\\ufffd\"");
    CHECK(terminal_text("\xEF\xBF\xAF") == "\xEF\xBF\xAF");     // FFEF
    CHECK(terminal_text("\xEF\xBF\xBF") == "\\xef\\xbf\\xbf");  // FFFF, no character
    CHECK(html_text("\xEF\xBF\xBF") == "\xEF\xBF\xBD");
}

TEST_CASE("random bytes never put a control character on the terminal") {
    std::mt19937 random(1);
    for (int run = 0; run < 20000; ++run)
        CHECK_FALSE(has_control(terminal_text(hostile_bytes(random))));
}

TEST_CASE("JSON strings parse back to the same text, or with U+FFFD for what is no UTF-8") {
    for (const std::string& text :
         {std::string("plain"), std::string("q\"b\\s/"), std::string("\x01\x1f\x7f"),
          std::string("nul\0x", 5), std::string("\xE2\x82\xAC \xF0\x9F\x98\x80")}) {
        CHECK(nlohmann::json::parse(json_string(text)).get<std::string>() == text);
    }
    CHECK(nlohmann::json::parse(json_string("a\xFF"
                                            "b"))
              .get<std::string>() ==
          "a\xEF\xBF\xBD"
          "b");
    CHECK(json_string("\xC3\xA4") == "\"\\u00e4\"");
    CHECK(json_string(" ~\x1f\x7f") == "\" ~\\u001f\\u007f\"");  // 0x20 to 0x7E as they are
    std::mt19937 random(2);
    for (int run = 0; run < 5000; ++run) {
        const std::string quoted = json_string(hostile_bytes(random));
        CHECK(nlohmann::json::accept(quoted));
        CHECK_FALSE(has_control(quoted));
    }
}

TEST_CASE("CSV cells are quoted when needed and never a formula") {
    CHECK(csv_cell("plain") == "plain");
    CHECK(csv_cell("a,b") == "\"a,b\"");
    CHECK(csv_cell("say \"x\"") == "\"say \"\"x\"\"\"");
    CHECK(csv_cell("two\nlines") == "\"two\nlines\"");
    CHECK(csv_cell("=cmd|'/c calc'!A0") == "'=cmd|'/c calc'!A0");
    CHECK(csv_cell("@x") == "'@x");
    CHECK(csv_cell("+1,2") == "\"'+1,2\"");
    CHECK(csv_cell("") == "");
}

TEST_CASE("HTML text has no tag, entity or attribute end left") {
    CHECK(html_text("<script>alert('x')</script>") ==
          "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
    CHECK(html_text("a & \"b\"") == "a &amp; &quot;b&quot;");
    CHECK(html_text("tab\tline\n") == "tab\tline\n");
    CHECK(html_text(std::string("\x00\x1b\xFF", 3)) == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    std::mt19937 random(3);
    for (int run = 0; run < 5000; ++run) {
        CHECK(html_text(hostile_bytes(random)).find_first_of("<>\"'") == std::string::npos);
    }
}

TEST_CASE("each escape changes the characters of its set, and no neighbour of them") {
    CHECK(file_name_part("azAZ09_.-") == "azAZ09_.-");
    CHECK(file_name_part("a`{@[/:,") == "a_______");
    CHECK(csv_cell("\tx") == "'\tx");
    CHECK(csv_cell("-1") == "'-1");
    CHECK(csv_cell("\rx") == "\"'\rx\"");
    CHECK(csv_cell("a=b") == "a=b");
    CHECK(html_text("\r\x7f") == "\xEF\xBF\xBD\xEF\xBF\xBD");
    // The first character behind the Basic Multilingual Plane, and the last of all.
    CHECK(json_string("\xF0\x90\x80\x80") == "\"\\ud800\\udc00\"");
    CHECK(json_string("\xF4\x8F\xBF\xBF") == "\"\\udbff\\udfff\"");
    CHECK(terminal_text("\xF4\x8F\xBF") == "\\xf4\\x8f\\xbf");  // cut short
    CHECK(terminal_text("\xC2\xA0") == "\xC2\xA0");
    CHECK(terminal_text("\xC2\xAD") == "\\xc2\\xad");  // a soft hyphen is not seen
}

TEST_CASE("file name parts stay inside their folder") {
    CHECK(file_name_part("xSPI1") == "xSPI1");
    CHECK(file_name_part("../../etc/passwd") == "_._.._etc_passwd");
    CHECK(file_name_part("..") == "_.");
    CHECK(file_name_part("-rf") == "_rf");
    CHECK(file_name_part("a b\\c:\xC3\xA4") == "a_b_c___");
    CHECK(file_name_part("") == "_");
    CHECK(file_name_part(std::string(5000, 'x')).size() == 100);
    std::mt19937 random(4);
    for (int run = 0; run < 5000; ++run) {
        const std::string part = file_name_part(hostile_bytes(random));
        CHECK(part.find('/') == std::string::npos);
        CHECK(part.front() != '.');
    }
}

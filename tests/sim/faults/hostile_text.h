// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

/// What must be true of every output, whatever names went into it.
namespace n6vp::test {

/// A document for people or tools: lines of printable UTF-8, so that no terminal does what a name
/// says. `allowed` are further characters: the \r of CSV's line ends, and what a program's own text
/// may have.
inline bool is_plain_text(std::string_view text, std::string_view allowed = "") {
    const bool no_controls = std::all_of(text.begin(), text.end(), [allowed](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte >= 0x20 && byte != 0x7F) || c == '\n' ||
               allowed.find(c) != std::string_view::npos;
    });
    // C1 controls, as terminals that know UTF-8 take them.
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
        const auto second = static_cast<unsigned char>(text[at + 1]);
        if (text[at] == '\xC2' && second < 0xA0) return false;
    }
    try {
        static_cast<void>(nlohmann::json(text).dump());  // throws for what is no UTF-8
    } catch (const nlohmann::json::exception&) {
        return false;
    }
    return no_controls;
}

/// A trace of every format.
inline const std::vector<std::string> kTraces = {"t.json", "t.pftrace", "t.vcd", "t.csv", "t.txt"};

/// Of a program's text, which keeps tabs and either line end.
inline constexpr std::string_view kConsole = "\t\r";

inline std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos;
         at = text.find(part, at + part.size())) {
        ++count;
    }
    return count;
}

/// A page with its own two scripts, the data and the program, and nothing else that a browser runs
/// or fetches. Returns the data.
inline nlohmann::json data_of_page(const std::string& page) {
    CHECK(is_plain_text(page));
    CHECK(count_of(page, "<script") == 2);
    CHECK(count_of(page, "</script>") == 2);
    CHECK(count_of(page, "<img") == 0);
    CHECK(count_of(page, "<!--") == 0);
    const std::string_view from = "<script type=\"application/json\" id=\"data\">";
    const std::size_t start = page.find(from) + from.size();
    return nlohmann::json::parse(page.substr(start, page.find("</script>", start) - start));
}

/// No cell that a spreadsheet takes for a formula.
inline bool has_no_formula(std::string_view csv) {
    for (const std::string_view sign : {"=", "+", "@"}) {
        for (const std::string_view before : {"\n", ",", "\""}) {
            if (csv.find(std::string(before) + std::string(sign)) != std::string_view::npos) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace n6vp::test

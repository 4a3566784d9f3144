// SPDX-License-Identifier: Apache-2.0
#include "traces/page/report_page.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/traces/sample_log.h"

using namespace n6vp::traces;
using n6vp::test::kHostile;
using Json = nlohmann::json;

namespace {

/// A page in which every text is hostile.
ReportPage hostile_page() {
    const std::string bad = kHostile + "<img src=x onerror=alert(1)>&amp;<!--";
    ReportPage page;
    page.title = page.subtitle = page.footer = bad;
    page.end = 9'000'500;
    page.facts = {{bad, bad, bad}};
    page.phases = {{bad, 0, true, false, 0, 9'000'500, 1, 2, 3, 4}};
    EpochRecord epoch;
    epoch.phase = epoch.engines = bad;
    epoch.start = 1000;
    epoch.end = 2500;
    epoch.bound = {{bad, 0.5}};
    epoch.bytes_read = 12;
    epoch.bytes_written = 14;
    epoch.waited_cycles = 2.5;
    page.epochs = {epoch};
    page.lanes = {{bad, bad, {bad}, {{1000, 2000, 0}}}};
    page.curves = {{bad, bad, bad, {{0, 1.5}, {1000, 3}}}};
    page.memories = {{bad, bad, 64, 1, 2, 0.25, 0.5, {{bad, bad, 3, 4}}}};
    page.events = {bad};
    page.assumptions = {bad, "STRENG0 CTRL.NOINC: how often"};
    page.causes = {{bad, bad, bad, bad}, {"flash", "slow", "#123abc", "#456def"}};
    return page;
}

std::string written(const ReportPage& page) {
    std::ostringstream out;
    write_report_page(out, page);
    return out.str();
}

/// The text between the first `from` and the next `to`.
std::string between(const std::string& text, std::string_view from, std::string_view to) {
    const std::size_t start = text.find(from) + from.size();
    return text.substr(start, text.find(to, start) - start);
}

std::size_t count_of(const std::string& text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

std::string data_of(const std::string& page) {
    return between(page, "<script type=\"application/json\" id=\"data\">", "</script>");
}

}  // namespace

TEST_CASE("report page: its data are JSON with everything in them") {
    const Json data = Json::parse(data_of(written(hostile_page())));
    CHECK(data["end"] == 9000.5);
    CHECK(data["phases"][0]["end"] == 9000.5);
    CHECK(data["epochs"][0]["read"] == 12);
    CHECK(data["epochs"][0]["written"] == 14);
    CHECK(data["epochs"][0]["waited"] == 2.5);
    CHECK(data["causes"][1] ==
          Json{{"name", "flash"}, {"sentence", "slow"}, {"color", "--cause-1"}});
    CHECK(data["epochs"][0]["start"] == 1);
    CHECK(data["epochs"][0]["bound"][0][1] == 0.5);
    CHECK(data["lanes"][0]["slices"][0] == Json::array({1, 2, 0}));
    CHECK(data["curves"][0]["most"] == 3);
    CHECK(data["memories"][0]["uses"][0]["offset"] == 3);
    CHECK(data["memories"][0]["reading"] == 0.25);
    CHECK(data["memories"][0]["writing"] == 0.5);
    CHECK(data["title"].get<std::string>().find("<img src=x") != std::string::npos);
    CHECK(data["assumptions"][1] == "STRENG0 CTRL.NOINC: how often");
}

TEST_CASE("report page: assumptions had no place, they come before the first number") {
    const std::string script = page_script();
    const std::string head = between(script, "function head() {", "\n  }\n");
    const std::size_t assumed = head.find("assumptions();");
    REQUIRE(assumed != std::string::npos);
    CHECK(assumed < head.find("data.facts"));
    CHECK(script.find("of data.assumptions") != std::string::npos);
}

TEST_CASE("report page: hostile text opens and closes nothing") {
    const std::string page = written(hostile_page());
    CHECK(count_of(page, "<script") == 2);
    CHECK(count_of(page, "</script>") == 2);
    CHECK(count_of(page, "<img") == 0);
    CHECK(count_of(page, "<!--") == 0);
    const std::string data = data_of(page);
    CHECK(std::none_of(data.begin(), data.end(), [](char c) {
        return c == '<' || c == '>' || c == '&' || (c < ' ' && c != '\n') || c == 0x7F;
    }));
    const std::string title = between(page, "<title>", "</title>");
    CHECK(title.find("&lt;img") != std::string::npos);
}

TEST_CASE("report page: it loads nothing, and its policy forbids that") {
    const std::string page = written(hostile_page());
    CHECK(page.find("default-src 'none'") < page.find("<style>"));
    for (const char* const word : {"http:", "https:", "//cdn", "@import", "url(", "src=\"", "<link",
                                   "fetch(", "XMLHttpRequest", "innerHTML", "eval("}) {
        CAPTURE(word);
        const std::string assets = std::string(page_style()) + page_script();
        CHECK(count_of(assets, word) == 0);
    }
}

TEST_CASE("report page: every colour that is named exists in both themes") {
    const std::string style = page_style();
    const std::size_t dark = style.find("prefers-color-scheme: dark");
    REQUIRE(dark != std::string::npos);
    for (const char* const name :
         {"--bus:", "--memory:", "--cache:", "--other:", "--sleep:", "--awake:", "--irq:", "--p0:",
          "--p3:", "--u-image:", "--u-pool:", "--u-exec:", "--u-program:"}) {
        CAPTURE(name);
        CHECK(style.find(name) < dark);
        CHECK(style.find(name, dark) != std::string::npos);
    }
}

TEST_CASE(
    "report page: colours of causes come with the data, in both themes, and only as colours") {
    const std::string style = between(written(hostile_page()), "<style>", "</style>");
    const std::size_t light = style.find("--cause-1: #123abc;");
    REQUIRE(light != std::string::npos);
    CHECK(style.find("prefers-color-scheme: dark", light) < style.find("--cause-1: #456def;"));
    // What is no colour becomes a grey.
    CHECK(count_of(style, "--cause-0: #6b7280;") == 2);
    CHECK(style.find("img") == std::string::npos);
}

TEST_CASE("report page: the same run gives the same bytes") {
    CHECK(written(hostile_page()) == written(hostile_page()));
    CHECK(written(ReportPage()).find("\"epochs\":[]") != std::string::npos);
}

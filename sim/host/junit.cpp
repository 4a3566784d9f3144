// SPDX-License-Identifier: Apache-2.0
#include "sim/host/junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <pugixml.hpp>
#include <string_view>

#include "traces/escape.h"

namespace n6vp::sim {

namespace {

constexpr std::size_t kMaxOutput = std::size_t{64} * 1024;

/// XML has no form for most control characters.
[[nodiscard]] std::string lines_of(std::string_view text) {
    std::string result;
    if (text.size() > kMaxOutput) {
        text.remove_prefix(text.size() - kMaxOutput);
        text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
        result = "[earlier output omitted]\n";
    }
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        result += traces::terminal_text(text.substr(0, end));
        if (end == text.size()) break;
        result += '\n';
        text.remove_prefix(end + 1);
    }
    return result;
}

void set(pugi::xml_node node, const char* name, const std::string& value) {
    node.append_attribute(name).set_value(traces::terminal_text(value).c_str());
}

void count(pugi::xml_node node, const std::vector<JunitCase>& cases) {
    const auto how_many = [&cases](JunitCase::Result result) {
        return std::count_if(cases.begin(), cases.end(),
                             [result](const JunitCase& one) { return one.result == result; });
    };
    double seconds = 0;
    for (const JunitCase& one : cases) seconds += one.seconds;
    set(node, "name", "n6vp run");
    set(node, "tests", fmt::format("{}", cases.size()));
    set(node, "failures", fmt::format("{}", how_many(JunitCase::Result::Failed)));
    set(node, "errors", fmt::format("{}", how_many(JunitCase::Result::Error)));
    set(node, "skipped", fmt::format("{}", how_many(JunitCase::Result::Skipped)));
    set(node, "time", fmt::format("{:.3f}", seconds));
}

void add(pugi::xml_node suite, const JunitCase& one) {
    pugi::xml_node node = suite.append_child("testcase");
    set(node, "classname", one.group);
    set(node, "name", one.name);
    set(node, "time", fmt::format("{:.3f}", one.seconds));
    if (one.result == JunitCase::Result::Skipped) {
        set(node.append_child("skipped"), "message", one.message);
    } else if (one.result != JunitCase::Result::Passed) {
        const bool failed = one.result == JunitCase::Result::Failed;
        pugi::xml_node why = node.append_child(failed ? "failure" : "error");
        set(why, "type", one.kind);
        set(why, "message", one.message);
        why.text().set(lines_of(one.details).c_str());
    }
    if (!one.output.empty()) {
        node.append_child("system-out").text().set(lines_of(one.output).c_str());
    }
}

}  // namespace

void write_junit(std::ostream& out, const std::vector<JunitCase>& cases) {
    pugi::xml_document document;
    pugi::xml_node head = document.append_child(pugi::node_declaration);
    head.append_attribute("version").set_value("1.0");
    head.append_attribute("encoding").set_value("UTF-8");
    pugi::xml_node root = document.append_child("testsuites");
    count(root, cases);
    pugi::xml_node suite = root.append_child("testsuite");
    count(suite, cases);
    for (const JunitCase& one : cases) add(suite, one);
    document.save(out, "  ");
}

}  // namespace n6vp::sim

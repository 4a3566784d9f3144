// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "sim/host/errors.h"

namespace n6vp::sim::cli {

namespace {

/// Escapes what roff takes for something else than text.
std::string roff(std::string_view text) {
    std::string escaped;
    for (const char character : text) {
        if (character == '-')
            escaped += "\\-";
        else if (character == '\'')
            escaped += "\\(aq";
        else if (character == '\\')
            escaped += "\\e";
        else
            escaped += character;
        if (character == '|') escaped += "\\:";  // a long list of values may go on in the next line
    }
    if (escaped.starts_with('.')) escaped.insert(0, "\\&");
    return escaped;
}

std::string entry(const OptionDescription& option) {
    std::string names;
    for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + name;
    if (!option.value.empty()) names += " " + option.value;
    std::string text = option.text;
    if (!option.choices.empty() && option.value.find('|') == std::string::npos) {
        std::string list;
        for (const std::string& word : option.choices) list += (list.empty() ? "" : ", ") + word;
        text += " (one of " + list + ")";
    }
    // A long list of values has no spaces to stretch.
    return fmt::format(".na\n.TP\n.B {}\n.ad\n{}\n", roff(names), roff(text));
}

std::string entries(const VerbDescription& verb) {
    std::string text;
    for (const OptionDescription& one : verb.positionals) {
        text += fmt::format(".TP\n.I {}\n{}\n", roff(one.names.front()), roff(one.text));
    }
    for (const OptionDescription& option : verb.options) {
        if (option.names.back() != "--help") text += entry(option);
    }
    return text;
}

}  // namespace

std::string man_page(const std::string& page, const std::vector<VerbDescription>& verbs) {
    constexpr std::string_view kMark = "@OPTIONS ";
    std::string text;
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(kMark) || !line.ends_with('@')) {
            text += line + '\n';
            continue;
        }
        const std::string name = line.substr(kMark.size(), line.size() - kMark.size() - 1);
        const auto verb = std::find_if(verbs.begin(), verbs.end(),
                                       [&name](const auto& one) { return one.name == name; });
        if (verb == verbs.end()) {
            throw UserError(fmt::format("unknown verb '{}' in the template", name),
                            "n6vp --help lists the verbs");
        }
        text += entries(*verb);
    }
    return text;
}

}  // namespace n6vp::sim::cli

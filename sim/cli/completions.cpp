// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/completions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace n6vp::sim::cli {

namespace {

constexpr std::string_view kLicence = "# SPDX-License-Identifier: Apache-2.0\n";

/// What a shell offers for a value.
enum class Offer { Nothing, Choices, Files, Folders };

Offer offer_of(const OptionDescription& option) {
    if (!option.choices.empty()) return Offer::Choices;
    const std::string& what =
        option.names.front().starts_with('-') ? option.value : option.names.front();
    if (what == "DIR") return Offer::Folders;
    for (const std::string_view file : {"FILE", "ELF", "MODEL", "OUT", "GCC", "TEMPLATE"}) {
        if (std::string_view(what).ends_with(file)) return Offer::Files;
    }
    return Offer::Nothing;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
        text.replace(at, what.size(), with);
    return text;
}

/// The first clause of a text: a line of a menu has no room for more.
std::string short_text(const std::string& text) {
    std::size_t end = text.size();
    for (const std::string_view stop : {"; ", " (", ". "}) end = std::min(end, text.find(stop));
    return text.substr(0, end);
}

/// The first of the long names: a menu has no room for synonyms.
std::vector<std::string> long_names(const OptionDescription& option) {
    for (const std::string& name : option.names)
        if (name.starts_with("--")) return {name};
    return {};
}

bool takes_files(const VerbDescription& verb) {
    return std::any_of(verb.positionals.begin(), verb.positionals.end(),
                       [](const auto& one) { return offer_of(one) == Offer::Files; });
}

std::string bash_value(const std::string& names, const OptionDescription& option) {
    const char* const kinds[] = {"", "", "-f", "-d"};
    const Offer offer = offer_of(option);
    if (offer == Offer::Nothing) return fmt::format("        {}) return ;;\n", names);
    const std::string words = offer == Offer::Choices
                                  ? fmt::format("-W \"{}\"", joined(option.choices))
                                  : kinds[static_cast<std::size_t>(offer)];
    return fmt::format("        {}) COMPREPLY=($(compgen {} -- \"$current\")); return ;;\n", names,
                       words);
}

std::string bash_positional(const VerbDescription& verb) {
    for (const OptionDescription& one : verb.positionals) {
        if (offer_of(one) == Offer::Choices)
            return fmt::format("words=\"{}\"", joined(one.choices));
    }
    return takes_files(verb) ? "files=yes" : "files=";
}

std::string zsh_quoted(const std::string& text) {
    return replaced(replaced(replaced(text, "'", R"('\'')"), "[", R"(\[)"), "]", R"(\])");
}

std::string zsh_action(const OptionDescription& option) {
    switch (offer_of(option)) {
        case Offer::Choices:
            return fmt::format(":value:({})", joined(option.choices));
        case Offer::Files:
            return ":file:_files";
        case Offer::Folders:
            return ":folder:_files -/";
        case Offer::Nothing:
            break;
    }
    return option.value.empty() ? "" : ":value:";
}

std::string fish_quoted(const std::string& text) {
    return replaced(replaced(text, "\\", "\\\\"), "'", "\\'");
}

std::string fish_value(const OptionDescription& option) {
    switch (offer_of(option)) {
        case Offer::Choices:
            return fmt::format(" -x -a '{}'", joined(option.choices));
        case Offer::Files:
            return " -r -F";
        case Offer::Folders:
            return " -x -a '(__fish_complete_directories)'";
        case Offer::Nothing:
            break;
    }
    return option.value.empty() ? "" : " -x";
}

}  // namespace

std::string bash_completions(const std::vector<VerbDescription>& verbs) {
    std::string names, values, options;
    for (const VerbDescription& verb : verbs) {
        names += verb.name + " ";
        std::string words;
        for (const OptionDescription& option : verb.options) {
            words += joined(long_names(option)) + " ";
            if (option.value.empty()) continue;
            std::string cases;
            for (const std::string& name : option.names)
                cases += (cases.empty() ? "" : "|") + verb.name + ":" + name;
            values += bash_value(cases, option);
        }
        words.pop_back();
        options += fmt::format("        {}) options=\"{}\" {} ;;\n", verb.name, words,
                               bash_positional(verb));
    }
    return fmt::format(R"({}# Bash completion of n6vp, written by `n6vp completions bash`.
_n6vp() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}}
    local options="" words="" files=""
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{}--help --version" -- "$current"))
        return
    fi
    case $verb:$previous in
{}    esac
    case $verb in
{}    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
    elif [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    elif [ -n "$files" ]; then
        COMPREPLY=($(compgen -f -- "$current"))
    fi
}}
complete -o filenames -F _n6vp n6vp
)",
                       kLicence, names, values, options);
}

std::string zsh_completions(const std::vector<VerbDescription>& verbs) {
    std::string list, cases;
    for (const VerbDescription& verb : verbs) {
        list += fmt::format("        '{}:{}'\n", verb.name,
                            zsh_quoted(replaced(verb.text, ":", "\\:")));
        cases += fmt::format("        {})\n            _arguments", verb.name);
        for (const OptionDescription& option : verb.options) {
            const std::string text = zsh_quoted(replaced(short_text(option.text), ":", "\\:"));
            for (const std::string& name : long_names(option))
                cases +=
                    fmt::format(" \\\n                '{}[{}]{}'", name, text, zsh_action(option));
        }
        for (const OptionDescription& one : verb.positionals) {
            const std::string action = zsh_action(one);
            if (action.size() > 1) cases += fmt::format(" \\\n                '*{}'", action);
        }
        cases += "\n            ;;\n";
    }
    return fmt::format(R"(#compdef n6vp
{}# Zsh completion of n6vp, written by `n6vp completions zsh`.
_n6vp() {{
    local -a verbs
    verbs=(
{}    )
    if (( CURRENT == 2 )); then
        _describe 'verb' verbs
        _arguments '--help[print help]' '--version[print version and schemas]'
        return
    fi
    case $words[2] in
{}    esac
}}
_n6vp "$@"
)",
                       kLicence, list, cases);
}

std::string fish_completions(const std::vector<VerbDescription>& verbs) {
    std::string text = fmt::format(
        "{}# Fish completion of n6vp, written by `n6vp completions fish`.\n"
        "complete -c n6vp -f\n"
        "complete -c n6vp -n __fish_use_subcommand -l help -d 'print help'\n"
        "complete -c n6vp -n __fish_use_subcommand -l version -d 'print version and schemas'\n",
        kLicence);
    for (const VerbDescription& verb : verbs) {
        text += fmt::format("complete -c n6vp -n __fish_use_subcommand -f -a {} -d '{}'\n",
                            verb.name, fish_quoted(verb.text));
    }
    for (const VerbDescription& verb : verbs) {
        const std::string when =
            fmt::format("complete -c n6vp -n '__fish_seen_subcommand_from {}'", verb.name);
        if (takes_files(verb)) text += when + " -F\n";
        for (const OptionDescription& one : verb.positionals) {
            if (offer_of(one) == Offer::Choices)
                text += fmt::format("{} -a '{}'\n", when, joined(one.choices));
        }
        for (const OptionDescription& option : verb.options) {
            for (const std::string& name : long_names(option)) {
                text += fmt::format("{} -l {}{} -d '{}'\n", when, name.substr(2),
                                    fish_value(option), fish_quoted(short_text(option.text)));
            }
        }
    }
    return text;
}

}  // namespace n6vp::sim::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

/// The command line as data: what completions and man pages are written from.
namespace n6vp::sim::cli {

struct OptionDescription {
    std::vector<std::string> names;    ///< "-i", "--in"
    std::string value;                 ///< "FILE"; empty for a flag
    std::vector<std::string> choices;  ///< the only values; empty: any
    std::string text;
};

struct VerbDescription {
    std::string name, text;
    std::vector<OptionDescription> positionals;  ///< with one name, such as "FILE"
    std::vector<OptionDescription> options;
};

/// Returns the verbs that the help lists, in its order.
[[nodiscard]] std::vector<VerbDescription> describe(const CLI::App& app);

}  // namespace n6vp::sim::cli

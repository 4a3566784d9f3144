// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace n6vp::sim {

/// A scenario file, or another in TOML, and what its readers share: places in it, and values of the
/// kind that should stand there. Every mistake is a UserError with file and line.
class ScenarioNodes {
  public:
    /// `kind` is what the file is, in the singular.
    explicit ScenarioNodes(std::filesystem::path path, const char* kind = "scenario");

    /// Returns the whole file. Fails if it cannot be read or is no TOML.
    [[nodiscard]] toml::table parse() const;
    /// Returns "scenario.toml:7".
    [[nodiscard]] std::string origin(const toml::node& node) const;
    [[noreturn]] void fail(const toml::node& node, const std::string& cause,
                           const std::string& remedy) const;
    /// Refuses a key, and names the nearest of `known`.
    [[noreturn]] void unknown_key(const toml::node& node, std::string_view key,
                                  std::string_view where,
                                  const std::vector<std::string>& known) const;

    [[nodiscard]] const toml::table& table(const toml::node& node, std::string_view name) const;
    /// Returns the tables of [[name]].
    [[nodiscard]] std::vector<const toml::table*> tables(const toml::node& node,
                                                         std::string_view name) const;
    /// Returns what stands there as the command line would have it.
    [[nodiscard]] std::string text(const toml::node& node) const;
    /// Returns a whole number from `least` to `most`.
    [[nodiscard]] std::uint64_t number(const toml::node& node, std::string_view key,
                                       std::uint64_t most, std::uint64_t least = 0) const;
    /// Returns the name of a file that stands there: one that is relative to the scenario as one
    /// that is relative to where we are. Fails if it is no text in quotes.
    [[nodiscard]] std::string path(const toml::node& node) const;

  private:
    std::filesystem::path path_;
    std::string shown_;
    const char* kind_;
};

}  // namespace n6vp::sim

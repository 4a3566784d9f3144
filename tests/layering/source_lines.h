// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layering/floors.h"

namespace n6vp::tests {

struct Include {
    std::string file;  ///< path from the source root
    int line = 0;
    std::string target;
    bool angled = false;
};

/// Returns true for headers and sources of C and C++.
[[nodiscard]] bool is_source(const std::filesystem::path& path);

/// Returns what stands in quotes or angle brackets of an #include line, or an empty target.
[[nodiscard]] Include parse_include(const std::string& text);

/// Returns all includes of the sources below a folder.
[[nodiscard]] std::vector<Include> includes_below(const std::filesystem::path& root,
                                                  std::string_view folder);

struct CMakeList {
    std::string folder;  ///< path from the source root
    std::string text;
};

/// Returns the CMake lists of the folders of the chain.
[[nodiscard]] std::vector<CMakeList> cmake_lists(const std::filesystem::path& root);

/// Returns the folder in which each target is added.
[[nodiscard]] std::map<std::string, std::string> target_folders(
    const std::vector<CMakeList>& lists);

/// Returns an edge between CMake lists for each target_link_libraries of two targets of `folders`.
[[nodiscard]] std::vector<Edge> link_edges(const std::vector<CMakeList>& lists,
                                           const std::map<std::string, std::string>& folders);

}  // namespace n6vp::tests

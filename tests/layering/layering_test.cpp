// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// Rooms of the house, lowest first: each may include itself and what stands before it.
constexpr std::array<std::string_view, 6> kRooms = {"memmap", "loader", "traces",
                                                    "models", "sim",    "tests"};

struct Include {
    std::string file;  ///< path from the source root
    int line = 0;
    std::string target;
    bool angled = false;
};

/// Returns what stands in quotes or angle brackets of an #include line, or an empty target.
Include parse_include(const std::string& text) {
    const std::size_t hash = text.find_first_not_of(" \t");
    if (hash == std::string::npos || text[hash] != '#') return {};
    const std::size_t word = text.find_first_not_of(" \t", hash + 1);
    if (word == std::string::npos || text.compare(word, 7, "include") != 0) return {};
    const std::size_t open = text.find_first_of("<\"", word + 7);
    if (open == std::string::npos) return {};
    const std::size_t close = text.find(text[open] == '<' ? '>' : '"', open + 1);
    if (close == std::string::npos) return {};
    return {"", 0, text.substr(open + 1, close - open - 1), text[open] == '<'};
}

bool is_source(const fs::path& path) {
    static const std::set<std::string> endings = {".h", ".hpp", ".c", ".cpp"};
    return endings.count(path.extension().string()) != 0;
}

std::vector<Include> includes_below(const fs::path& root, std::string_view room) {
    std::vector<Include> found;
    for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
        if (!entry.is_regular_file() || !is_source(entry.path())) continue;
        std::ifstream file(entry.path());
        int line = 0;
        for (std::string text; std::getline(file, text);) {
            ++line;
            Include include = parse_include(text);
            if (include.target.empty()) continue;
            include.file = fs::relative(entry.path(), root).generic_string();
            include.line = line;
            found.push_back(include);
        }
    }
    return found;
}

/// Returns the height of the room a target belongs to, or -1 for a system header or a file beside
/// the includer.
int height_of(const std::string& target) {
    const std::size_t slash = target.find('/');
    if (slash == std::string::npos) return -1;
    const auto room = std::find(kRooms.begin(), kRooms.end(), target.substr(0, slash));
    return room == kRooms.end() ? -1 : static_cast<int>(room - kRooms.begin());
}

/// Returns the violations "file:line includes target" of one room at the given height.
std::vector<std::string> upward_includes(const std::vector<Include>& includes, int height) {
    std::vector<std::string> violations;
    for (const Include& include : includes) {
        if (height_of(include.target) > height) {
            violations.push_back(include.file + ":" + std::to_string(include.line) + " includes " +
                                 include.target);
        }
    }
    return violations;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

}  // namespace

TEST_CASE("no room includes what stands above it") {
    for (std::size_t height = 0; height < kRooms.size(); ++height) {
        const auto includes = includes_below(N6VP_SOURCE_DIR, kRooms[height]);
        CAPTURE(kRooms[height]);
        CHECK(!includes.empty());
        CHECK_MESSAGE(joined(upward_includes(includes, static_cast<int>(height))) == "",
                      "dependencies only point down");
    }
}

TEST_CASE("an upward include is found") {
    const std::vector<Include> includes = {{"loader/a.cpp", 3, "sim/host/errors.h", false}};
    CHECK(joined(upward_includes(includes, 1)) == "loader/a.cpp:3 includes sim/host/errors.h\n");
    CHECK(upward_includes(includes, 4).empty());
    CHECK(parse_include("  # include <sim/host/errors.h>  // why").target == "sim/host/errors.h");
    CHECK(parse_include("// #include \"x.h\"").target.empty());
}

TEST_CASE("memmap and loader include only what bare metal has") {
    const std::set<std::string> allowed = {
        "cstdint",
        "cstddef",
        "cstring",
        "type_traits",
        "array",
        "limits",
        "cmath",  // of the C library's bare metal: exp and log for the runtime's softmax
        "initializer_list",
        "stdint.h",
        "stddef.h",
        "stdbool.h",
        "string.h"};
    std::vector<std::string> violations;
    for (const std::string_view room : {std::string_view("memmap"), std::string_view("loader")}) {
        for (const Include& include : includes_below(N6VP_SOURCE_DIR, room)) {
            if (include.angled && allowed.count(include.target) == 0) {
                violations.push_back(include.file + ":" + std::to_string(include.line) +
                                     " includes <" + include.target + ">");
            }
        }
    }
    CHECK(joined(violations) == "");
}

TEST_CASE(
    "SystemC is reached only from models and from sim's platform, never from the tools that need "
    "none") {
    std::vector<std::string> violations;
    for (const std::string_view room :
         {std::string_view("memmap"), std::string_view("loader"), std::string_view("traces")}) {
        for (const Include& include : includes_below(N6VP_SOURCE_DIR, room)) {
            if (include.target.rfind("systemc", 0) == 0 || include.target.rfind("tlm", 0) == 0) {
                violations.push_back(include.file + ":" + std::to_string(include.line));
            }
        }
    }
    CHECK(joined(violations) == "");
}

TEST_CASE("models neither read files nor print") {
    const std::set<std::string> forbidden = {"iostream", "fstream",    "cstdio",
                                             "stdio.h",  "filesystem", "spdlog/spdlog.h"};
    std::vector<std::string> violations;
    for (const Include& include : includes_below(N6VP_SOURCE_DIR, "models")) {
        if (include.angled && forbidden.count(include.target) != 0) {
            violations.push_back(include.file + ":" + std::to_string(include.line) + " includes <" +
                                 include.target + ">");
        }
    }
    CHECK(joined(violations) == "");
}

// SPDX-License-Identifier: Apache-2.0
// Dependencies only point down: judged from the #include lines of the sources and from the links
// of the CMake lists.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layering/floors.h"
#include "tests/layering/room_cycles.h"
#include "tests/layering/source_lines.h"

namespace {

namespace fs = std::filesystem;
using n6vp::tests::Edge;
using n6vp::tests::Include;

const fs::path kRoot = N6VP_SOURCE_DIR;

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

/// Returns every #include of a quoted path below a folder as an edge between files.
std::vector<Edge> include_edges(std::string_view folder) {
    std::vector<Edge> edges;
    for (const Include& include : n6vp::tests::includes_below(kRoot, folder)) {
        if (!include.angled) edges.push_back({include.file, include.line, include.target});
    }
    return edges;
}

std::vector<std::string> upward(const std::vector<Edge>& edges) {
    std::vector<std::string> violations;
    for (const Edge& edge : edges) {
        const std::string why = n6vp::tests::violation(edge);
        if (!why.empty()) violations.push_back(why);
    }
    return violations;
}

}  // namespace

TEST_CASE("no room includes a room of its own floor or a higher one") {
    for (const std::string_view folder : n6vp::tests::kChain) {
        CAPTURE(folder);
        const std::vector<Edge> edges = include_edges(folder);
        CHECK(!edges.empty());
        CHECK_MESSAGE(joined(upward(edges)) == "", "dependencies only point down");
    }
}

TEST_CASE("no rooms of any folder include each other in a cycle") {
    for (const std::string_view folder : n6vp::tests::kChain) {
        if (folder == "tests") continue;  // its benches stand beside what uses them
        CAPTURE(folder);
        CHECK(joined(n6vp::tests::room_cycles(include_edges(folder))) == "");
    }
}

TEST_CASE("no library links a library of its own floor or a higher one") {
    const auto lists = n6vp::tests::cmake_lists(kRoot);
    const auto folders = n6vp::tests::target_folders(lists);
    CHECK(folders.at("n6vp_host") == "sim/host");
    CHECK(folders.at("n6vp_loader") == "loader");
    const std::vector<Edge> edges = n6vp::tests::link_edges(lists, folders);
    CHECK(edges.size() > 50);
    CHECK(joined(upward(edges)) == "");
}

TEST_CASE("every folder of a house stands on a floor of it") {
    std::vector<std::string> strays;
    for (const auto& [house, floors] : n6vp::tests::kHouses) {
        for (const auto& entry : fs::directory_iterator(kRoot / house)) {
            const std::string name = entry.path().filename().string();
            if (!entry.is_directory() || name.front() == '.' || name == "build") continue;
            if (n6vp::tests::floor_of(floors, name) < 0 && !house.empty()) {
                strays.push_back((fs::path(house) / name).generic_string());
            }
        }
    }
    CHECK(joined(strays) == "");
}

TEST_CASE("no source lies in the root of sim") {
    std::vector<std::string> loose;
    for (const auto& entry : fs::directory_iterator(kRoot / "sim")) {
        if (n6vp::tests::is_source(entry.path())) loose.push_back(entry.path().filename().string());
    }
    CHECK(joined(loose) == "");
}

TEST_CASE("an upward include is found") {
    using n6vp::tests::violation;
    CHECK(violation({"loader/check/a.cpp", 3, "sim/host/errors.h"}) ==
          "loader/check/a.cpp:3 reaches up to sim/host/errors.h");
    CHECK(violation({"sim/host/a.cpp", 7, "sim/cli/verb.h"}) ==
          "sim/host/a.cpp:7 reaches up to sim/cli/verb.h");
    CHECK(violation({"sim/pack/a.cpp", 1, "sim/info/listing.h"}) ==
          "sim/pack/a.cpp:1 reaches up to sim/info/listing.h");
    CHECK(violation({"models/core/isa/a.h", 2, "models/core/engine/engine.h"}) != "");
    CHECK(violation({"sim/generate/tflite/a.h", 2, "sim/generate/emit/emit_source.h"}) != "");
    CHECK(violation({"sim/cli/verb.cpp", 1, "sim/host/errors.h"}) == "");
    CHECK(violation({"sim/cli/verb.cpp", 1, "sim/cli/frame.h"}) == "");
    CHECK(violation({"sim/host/a.cpp", 1, "loader/install.h"}) == "");
    CHECK(violation({"sim/host/a.cpp", 1, "a.h"}) == "");
}

TEST_CASE("a cycle through the root of a folder is found") {
    using n6vp::tests::room_cycles;
    const Edge up{"models/npu/units/a.h", 3, "models/npu/limit.h"};
    const Edge down{"models/npu/npu.h", 5, "models/npu/units/b.h"};
    CHECK(room_cycles({up}).empty());
    CHECK(room_cycles({down, {"models/npu/units/a.h", 1, "models/npu/units/b.h"}}).empty());
    CHECK(joined(room_cycles({up, down})) ==
          "models/npu/units/a.h:3 closes a cycle of models/npu/ through models/npu/limit.h\n"
          "models/npu/npu.h:5 closes a cycle of models/npu/ through models/npu/units/b.h\n");
    CHECK(room_cycles({{"sim/a/x.h", 1, "sim/b/x.h"},
                       {"sim/b/x.h", 1, "sim/c/x.h"},
                       {"sim/c/x.h", 1, "sim/a/y.h"},
                       {"sim/cli/x.h", 1, "sim/a/x.h"}})
              .size() == 3);
}

TEST_CASE("an upward link is found") {
    using n6vp::tests::CMakeList;
    const std::vector<CMakeList> lists = {
        {"sim/host",
         "add_library(n6vp_host STATIC a.cpp)\n"
         "target_link_libraries(n6vp_host\n  PUBLIC n6vp_traces\n  PRIVATE n6vp_run)\n"},
        {"sim/run",
         "add_library(n6vp_run STATIC a.cpp) # n6vp_none\n"
         "target_link_libraries(n6vp_run PUBLIC n6vp_host)\n"},
        {"traces",
         "add_library(n6vp_traces STATIC a.cpp)\nadd_library(n6vp::traces ALIAS n6vp_traces)\n"
         "target_link_libraries(n6vp_traces PUBLIC n6vp::host)\n"}};
    const auto edges = n6vp::tests::link_edges(lists, n6vp::tests::target_folders(lists));
    CHECK(edges.size() == 4);
    CHECK(joined(upward(edges)) ==
          "sim/host/CMakeLists.txt:2 reaches up to sim/run/CMakeLists.txt\n"
          "traces/CMakeLists.txt:3 reaches up to sim/host/CMakeLists.txt\n");
}

TEST_CASE("an include is read as the preprocessor reads it") {
    using n6vp::tests::parse_include;
    CHECK(parse_include("  # include <sim/errors.h>  // why").target == "sim/errors.h");
    CHECK(parse_include("#include \"a.h\"").target == "a.h");
    CHECK(parse_include("// #include \"x.h\"").target.empty());
    CHECK(parse_include("#define include \"x.h\"").target.empty());
}

namespace {

/// Returns the system headers of some folders that `refused` names or `allowed` lacks.
std::vector<std::string> system_headers(const std::vector<std::string_view>& folders,
                                        bool (*refused)(const std::string&)) {
    std::vector<std::string> violations;
    for (const std::string_view folder : folders) {
        for (const Include& include : n6vp::tests::includes_below(kRoot, folder)) {
            if (!include.angled || !refused(include.target)) continue;
            violations.push_back(include.file + ":" + std::to_string(include.line) + " includes <" +
                                 include.target + ">");
        }
    }
    return violations;
}

}  // namespace

TEST_CASE("memmap and loader include only what bare metal has") {
    CHECK(joined(system_headers({"memmap", "loader"}, [](const std::string& header) {
              static const std::set<std::string> allowed = {
                  "cstdint", "cstddef", "cstring", "type_traits", "array", "limits",
                  "cmath",  // of the C library's bare metal: exp and log for the runtime's softmax
                  "initializer_list", "stdint.h", "stddef.h", "stdbool.h", "string.h",
                  // Of the system that the application brings (loader/runtime/capi/osal_zephyr.c).
                  "zephyr/irq.h", "zephyr/kernel.h"};
              return allowed.count(header) == 0;
          })) == "");
}

TEST_CASE("SystemC is not reached from memmap, loader, traces and the rooms that need none") {
    const std::vector<std::string_view> without = {
        "memmap",         "loader",  "traces",     "sim/host",     "sim/info", "sim/pack",
        "sim/model_file", "sim/map", "sim/ecdump", "sim/generate", "sim/cli"};
    CHECK(joined(system_headers(without, [](const std::string& header) {
              return header.rfind("systemc", 0) == 0 || header.rfind("tlm", 0) == 0;
          })) == "");
}

TEST_CASE("models neither read files nor print") {
    CHECK(joined(system_headers({"models"}, [](const std::string& header) {
              static const std::set<std::string> forbidden = {
                  "iostream", "fstream", "cstdio", "stdio.h", "filesystem", "spdlog/spdlog.h"};
              return forbidden.count(header) != 0;
          })) == "");
}

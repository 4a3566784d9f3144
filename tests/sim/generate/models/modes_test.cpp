// SPDX-License-Identifier: Apache-2.0
// scenarios/modes: who is slower, XIP or COPY, controller or core, flash or internal RAM, has the
// sign that was published for another network, and the table of its README is still true.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/process.h"

using namespace n6vp::test;

namespace {

/// Times in ms.
struct Row {
    double log = 0, install = 0, initialise = 0, inference = 0;
};
using Table = std::map<std::string, Row>;  ///< by the first column

/// Reads the rows of a table in Markdown whose columns two to five are numbers.
Table rows_of(const std::string& text) {
    Table table;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> cells;
        std::istringstream parts(line);
        for (std::string cell; std::getline(parts, cell, '|');) {
            const std::size_t first = cell.find_first_not_of(' ');
            if (first == std::string::npos) continue;
            cells.push_back(cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
        }
        if (cells.size() != 5 || cells[1].find_first_not_of("0123456789.") != std::string::npos) {
            continue;
        }
        const auto ms = [&cells](std::size_t i) { return std::strtod(cells[i].c_str(), nullptr); };
        table[cells[0]] = {ms(1), ms(2), ms(3), ms(4)};
    }
    return table;
}

void check_row(const Row& measured, const Row& told) {
    constexpr double kNear = 0.1, kRounding = 0.001;
    const auto near = [](double a, double b) { return std::abs(a - b) <= kNear * b + kRounding; };
    CHECK(near(measured.log, told.log));
    CHECK(near(measured.install, told.install));
    CHECK(near(measured.initialise, told.initialise));
    CHECK(near(measured.inference, told.inference));
}

/// Two modes of one build.
struct Modes {
    Row xip, copy;
    std::string xip_csv, copy_csv;  ///< phases and traffic
};

/// Bytes that the core read as data from a memory in all phases of that name.
double read_by_core(const std::string& csv, const std::string& phase, const std::string& memory) {
    const std::string first = phase + ",", who = ",core data," + memory + ",";
    double sum = 0;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t at = line.find(who);
        if (!line.starts_with(first) || at == std::string::npos) continue;
        sum += std::strtod(line.c_str() + at + who.size(), nullptr);
    }
    return sum;
}

/// COPY moves code and constants at installation; printing is the same in both modes.
void check_copy(const Modes& build) {
    CHECK(build.copy.install > build.xip.install);
    CHECK(build.copy.log == build.xip.log);
    CHECK(build.copy.log > build.copy.install);
    CHECK(build.xip.inference >= build.copy.inference);
}

/// Blobs are read from where they are: from flash or from the exec RAM.
void check_blobs(const Modes& build) {
    CHECK(build.xip.initialise > 1.1 * build.copy.initialise);
    const double blobs = read_by_core(build.xip_csv, "network init", "XSPI2");
    CHECK(blobs > 5000);
    CHECK(read_by_core(build.copy_csv, "network init", "XSPI2") == 0);
    CHECK(read_by_core(build.copy_csv, "network init", "AXISRAM1") >= blobs);
}

/// The controller programs the units while the core would need as long again; with it hardly any
/// code is executed, so that it hardly matters where that is.
void check_controller(const Modes& controller, const Modes& core) {
    // Without blobs there is nothing to copy and to patch, in either mode.
    CHECK(core.xip.initialise < controller.copy.initialise / 5);
    CHECK(std::abs(core.xip.initialise - core.copy.initialise) < 0.005);
    CHECK(controller.xip.inference < core.xip.inference);
    CHECK(controller.copy.inference < core.copy.inference);
    const auto gap = [](const Modes& build) { return build.xip.inference - build.copy.inference; };
    CHECK(gap(core) > 0);
    CHECK(gap(controller) < gap(core) / 5);
    const double settings = read_by_core(core.xip_csv, "inference", "XSPI2");
    CHECK(settings > 10'000);
    CHECK(read_by_core(controller.xip_csv, "inference", "XSPI2") < settings / 10);
    CHECK(read_by_core(core.copy_csv, "inference", "XSPI2") == 0);
}

/// Weights in internal RAM are moved once, and then read where it is fast.
void check_internal(const Modes& internal, const Modes& controller) {
    CHECK(internal.xip.install > controller.xip.install);
    CHECK(internal.copy.install > controller.copy.install);
    CHECK(internal.xip.inference < controller.xip.inference);
    CHECK(internal.copy.inference < controller.copy.inference);
}

void check(const std::string& network) {
    const ScratchFolder folder;
    const std::string script = N6VP_MODES "/run.sh";
    const std::string file = N6VP_NETWORKS "/" + network + ".tflite";
    const Outcome outcome = run_process({"/bin/sh", script, N6VP_BUILD, folder.file("out"), file});
    INFO(outcome.out, outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const Table table = rows_of(outcome.out), told = rows_of(read_text(N6VP_MODES "/README.md"));
    REQUIRE(table.size() == 6);
    for (const auto& row : table) {
        CAPTURE(row.first);
        REQUIRE(told.count(row.first) == 1);
        check_row(row.second, told.at(row.first));
    }
    const auto modes = [&](const std::string& variant, const std::string& place) {
        const std::string name = network + ", " + variant + ", ";
        const std::string path = folder.file("out/" + network + "-" + place);
        return Modes{table.at(name + "XIP"), table.at(name + "COPY"), read_text(path + "/xip.csv"),
                     read_text(path + "/copy.csv")};
    };
    const Modes controller = modes("controller, flash", "controller-flash"),
                core = modes("core, flash", "core-flash"),
                internal = modes("controller, internal RAM", "controller-internal-RAM");
    for (const Modes& build : {controller, core, internal}) check_copy(build);
    for (const Modes& build : {controller, internal}) check_blobs(build);
    check_controller(controller, core);
    check_internal(internal, controller);
}

}  // namespace

TEST_CASE("modes: anomaly detection") {
    check("ad01_int8");
}
TEST_CASE("modes: keyword spotting") {
    check("kws_ref_model");
}
TEST_CASE("modes: picture classes") {
    check("pretrainedResnet_quant");
}
TEST_CASE("modes: persons in pictures") {
    check("vww_96_int8");
}

// SPDX-License-Identifier: Apache-2.0
// Each sample application on a chip of each core, its outputs against values computed here.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/apps/expected_outputs.h"

using namespace n6vp::test;

namespace {

using Words = std::vector<std::uint32_t>;

AppRun good_run(const AppChip& chip, const std::string& app) {
    AppRun run = run_app(chip, app);
    CAPTURE(chip.chip);
    CAPTURE(run.err);
    for (const std::string& line : run.lines) {
        CAPTURE(line);
        CHECK(line.find("finding:") == std::string::npos);
    }
    CHECK(run.exit_code == 0);
    return run;
}

/// The only line of that name.
Words only(const AppRun& run, const std::string& name) {
    const std::vector<Words> found = run.words(name);
    CAPTURE(name);
    REQUIRE(found.size() == 1);
    return found[0];
}

TEST_CASE("static: two networks in one application") {
    for (const AppChip& chip : kAppChips) {
        const AppRun run = good_run(chip, "static");
        CHECK(near_to(only(run, "dense"), dense_outputs()));
        CHECK(only(run, "conv") == Words{conv_outputs(0)});
    }
}

TEST_CASE("relocatable: in place, as a copy, and with the shorter report of tools 7.2") {
    for (const AppChip& chip : kAppChips) {
        const AppRun run = good_run(chip, "relocatable");
        CHECK(near_to(only(run, "dense_xip"), dense_outputs()));
        CHECK(near_to(only(run, "dense_copy"), dense_outputs()));
        CHECK(near_to(only(run, "dense_72"), dense_outputs()));
        // Nodes, 16 x 8 + 8 + 8 x 4 MACC, inputs, outputs, bytes of activations.
        const Words report = {3, 168, 1, 1, 112};
        CHECK(run.words("report") == std::vector<Words>(3, report));
    }
}

TEST_CASE("split weights: of a file, and moved to RAM") {
    for (const AppChip& chip : kAppChips) {
        const AppRun run = good_run(chip, "split_weights");
        CHECK(only(run, "conv_relocatable") == Words{conv_outputs(0)});
        CHECK(only(run, "conv_static") == Words{conv_outputs(0)});
    }
}

TEST_CASE("several activations: two buffers in places of their own") {
    const BuffersOutputs expected = buffers_outputs();
    for (const AppChip& chip : kAppChips) {
        const AppRun run = good_run(chip, "several_activations");
        for (const std::string form : {"static", "relocatable"}) {
            CHECK(near_to(only(run, "scaled_" + form), expected.scaled));
            CHECK(near_to(only(run, "maximum_" + form), expected.maximum));
        }
    }
}

/// Registration says each node once, a run each node before and after; FIRST and LAST mark the
/// outer nodes. Types of dense: 1, ReLU: 2; the ids are those of the layers before fusion.
std::vector<Words> observed() {
    std::vector<Words> events;
    const std::uint32_t types[] = {1, 2, 1}, ids[] = {0, 0, 1};
    for (const std::uint32_t kinds : {1u, 6u}) {
        for (std::uint32_t node = 0; node < 3; ++node) {
            const std::uint32_t place = node == 0 ? 0x100 : node == 2 ? 0x200 : 0;
            for (const std::uint32_t event : {1u, 2u, 4u}) {
                if ((kinds & event) != 0)
                    events.push_back({event | place, node, types[node], ids[node]});
            }
        }
    }
    return events;
}

TEST_CASE("observers: every node of both forms") {
    std::vector<Words> twice = observed();
    const std::vector<Words> once = twice;
    twice.insert(twice.end(), once.begin(), once.end());
    for (const AppChip& chip : kAppChips) {
        const AppRun run = good_run(chip, "observers");
        CHECK(run.words("node") == twice);
        // Not called after unregistering: 3 + 6 calls, 1 + 2 of them with FIRST, as many with LAST.
        CHECK(run.words("calls") == std::vector<Words>{{9, 3, 3}, {9, 3, 3}});
        CHECK(near_to(only(run, "dense"), dense_outputs()));
    }
}

TEST_CASE("double buffering: the next frame arrives during a run") {
    std::vector<Words> frames;
    for (unsigned frame = 0; frame < 4; ++frame) frames.push_back({conv_outputs(frame)});
    for (const AppChip& chip : kAppChips) {
        const AppRun run = good_run(chip, "double_buffering");
        CHECK(run.words("frame") == frames);
        CHECK(run.has_line("captured 5"));
    }
}

}  // namespace

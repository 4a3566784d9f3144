// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/process.h"

using namespace n6vp::test;
using nlohmann::json;

TEST_CASE("every packed sample passes check where it was made for") {
    const json manifest = json::parse(read_text(N6VP_SAMPLE_MANIFEST));
    REQUIRE_FALSE(manifest.empty());
    for (const json& sample : manifest) {
        CAPTURE(sample["file"].get<std::string>());
        for (const char* mode : {"xip", "copy"}) {
            CAPTURE(mode);
            std::vector<std::string> words = {
                N6VP_TOOL, "check", sample["file"].get<std::string>(), "--json", "--mode", mode};
            const auto params = sample["params"].get<std::string>();
            if (!params.empty()) words.insert(words.end(), {"--params", params});
            for (const json& region : sample["pool_regions"]) {
                // Pools are written in multiples of 8.
                const std::uint32_t bytes = (region["bytes"].get<std::uint32_t>() + 7) & ~7u;
                words.insert(words.end(), {"--grant", region["addr"].get<std::string>() + ":" +
                                                          std::to_string(bytes)});
            }
            const Outcome outcome = run_process(words);
            const bool refused =
                sample["needs_copy_mode"].get<bool>() && std::string(mode) == "xip";
            CHECK(outcome.exit_code == (refused ? 1 : 0));
            const json report = json::parse(outcome.out, nullptr, false);
            REQUIRE(report.is_object());
            CHECK(report["vendor"]["code"] == (refused ? -1 : 0));
            const char* size = std::string(mode) == "xip" ? "exec_xip" : "exec_copy";
            CHECK(report["exec_ram"]["needed"] == sample[size]);
        }
    }
}

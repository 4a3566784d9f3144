// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/legacy_builder.h"
#include "tests/support/process.h"

namespace {

using namespace n6vp::test;
using nlohmann::json;

Outcome check(std::vector<std::string> words) {
    words.insert(words.begin(), {N6VP_TOOL, "check"});
    return run_process(words);
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

std::string hex8(std::uint32_t value) {
    std::array<char, 9> text{};
    std::snprintf(text.data(), text.size(), "%08x", value);
    return text.data();
}

LegacySpec with_weights() {
    LegacySpec spec = legacy_sample();
    spec.weights_bytes = 40;
    return spec;
}

}  // namespace

TEST_CASE("legacy: a sound model of each core passes in both modes") {
    // The one hint: a relocated word of the sample is a null pointer.
    const ScratchFolder folder;
    for (const std::uint32_t core : {0xC24u, 0xC27u, 0xD21u}) {
        LegacySpec spec = legacy_sample();
        spec.flags = (spec.flags & ~0xFFFu) | core;
        const std::string path = folder.write("x.bin", build_legacy(spec).file);
        for (const char* mode : {"xip", "copy"}) {
            const Outcome outcome = check({path, "--mode", mode});
            CHECK(outcome.exit_code == 0);
            CHECK(contains(outcome.out, "vendor's loader: installs\n"));
            CHECK(contains(outcome.out, "0 errors, 0 warnings, 1 hint: the model installs"));
        }
    }
}

TEST_CASE("legacy: another core is refused with the reason and the option") {
    const ScratchFolder folder;
    const std::string path = folder.write("x.bin", build_legacy(legacy_sample()).file);
    CHECK(check({path, "--core", "cortex-m33"}).exit_code == 0);
    for (const char* core : {"cortex-m4", "cortex-m7", "cortex-m55"}) {
        const Outcome outcome = check({path, "--core", core});
        CHECK(outcome.exit_code == 1);
        CHECK(contains(outcome.out, "error: legacy-cpu-part: "));
        CHECK(contains(outcome.out, "file offset 0x00000004 (header)"));
        CHECK(contains(outcome.out, "found:  0x00000D21"));
        CHECK(contains(outcome.out, "option: --core cortex-m33"));
        CHECK(contains(outcome.out, "refuses it for legacy-cpu-part"));
        CHECK(contains(outcome.out, "1 error, 0 warnings, 1 hint: refused"));
    }
    CHECK(check({path, "--core", "cortex-m3"}).exit_code == 2);
}

TEST_CASE("legacy: weights beside the file are a hint, and are judged when given") {
    const ScratchFolder folder;
    const std::string path = folder.write("x.bin", build_legacy(with_weights()).file);
    const Outcome apart = check({path});
    CHECK(apart.exit_code == 0);
    CHECK(contains(apart.out, "hint: legacy-weights-apart: "));
    const std::string whole = folder.write("data.bin", std::vector<std::uint8_t>(40, 1));
    const Outcome given = check({path, "--params", whole});
    CHECK(given.exit_code == 0);
    CHECK_FALSE(contains(given.out, "legacy-weights"));
    const std::string cut = folder.write("cut.bin", std::vector<std::uint8_t>(39, 1));
    const Outcome refused = check({path, "--params", cut});
    CHECK(refused.exit_code == 1);
    CHECK(contains(refused.out, "error: legacy-weights-given-too-short: "));
}

TEST_CASE("legacy: JSON has place, reason, remedy and option of each finding") {
    const ScratchFolder folder;
    LegacyImage image = build_legacy(legacy_sample());
    image.set(image.got_word(1), 0x50000000);
    const std::string path = folder.write("x.bin", image.file);
    const Outcome outcome = check({path, "--json", "--exec", "0x20001000:64", "--mode", "copy"});
    CHECK(outcome.exit_code == 1);
    const json document = json::parse(outcome.out);
    CHECK(document["schema"] == "n6vp.check/1");
    CHECK(document["family"] == "legacy");
    CHECK(document["ram"]["needed_copy"] == image.ram_bytes(true));
    CHECK(document["core"]["name"] == "Cortex-M33");
    REQUIRE(document["findings"].size() == 3);  // the sample relocates a null pointer: a hint
    const json& small = document["findings"][0];
    CHECK(small["rule"] == "legacy-ram-too-small");
    CHECK(small["vendor_code"] == -2);
    CHECK(small["option"] == "--exec 0x20001000:" + std::to_string(image.ram_bytes(true)));
    CHECK(small["closes"] == "L6");
    const json& got = document["findings"][1];
    CHECK(got["rule"] == "got-value-space");
    CHECK(got["section"] == "GOT");
    CHECK(got["index"] == 1);
    CHECK(got["found"] == "0x50000000");
    CHECK(got["closes"] == "L4");
    for (const char* key : {"what", "why", "remedy", "vendor"})
        CHECK_FALSE(got[key].get<std::string>().empty());
    CHECK(document["vendor"]["rule"] == "legacy-ram-too-small");
    CHECK(document["summary"]["verdict"] == "refused");
}

TEST_CASE("legacy: a damaged data_start is named, not taken for a model of the STM32N6") {
    const ScratchFolder folder;
    for (const std::uint32_t start : {0x40000000u, 0x80000004u, 0u}) {
        LegacyImage image = build_legacy(legacy_sample());
        image.set(0x08, start);
        const Outcome outcome = check({folder.write("x.bin", image.file)});
        CHECK(outcome.exit_code == 1);
        CHECK(contains(outcome.out, "error: legacy-data-start: "));
    }
}

TEST_CASE("legacy: the vendor's loader leaves its RAM where a relocation says so") {
    const ScratchFolder folder;
    LegacyImage image = build_legacy(legacy_sample());
    image.set(image.relocation(4), 0x80010000);
    const std::string path = folder.write("x.bin", image.file);
    const Outcome outcome = check({path, "--exec", "0x20001000:1K"});
    CHECK(outcome.exit_code == 1);
    CHECK(contains(outcome.out, "error: relocation-outside-ram: "));
    CHECK(contains(outcome.out, "vendor's loader: would overwrite 4 bytes at 0x20011000"));
}

TEST_CASE("legacy: RAM over the file and options of the other family") {
    const ScratchFolder folder;
    const std::string path = folder.write("x.bin", build_legacy(legacy_sample()).file);
    const Outcome over = check({path, "--at", "0x20000040", "--exec", "0x20000000:4K"});
    CHECK(over.exit_code == 1);
    CHECK(contains(over.out, "error: legacy-ram-overlaps-file: "));
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--clear"}, {"--firmware", "nonsecure"}, {"--instance", "4"}}) {
        std::vector<std::string> all = {path};
        all.insert(all.end(), words.begin(), words.end());
        CHECK(check(all).exit_code == 2);
    }
    CHECK(check({path, "--at", "0xFFFFFFF0"}).exit_code == 2);
}

TEST_CASE("legacy: a finding names the part of the file that its word is in") {
    // Header of 13 words, vector of 12: the first and the last word of each, and of other parts.
    const ScratchFolder folder;
    const LegacyImage sound = build_legacy(legacy_sample());
    const auto section = [&](std::uint32_t at, std::uint32_t value) {
        LegacyImage image = sound;
        image.set(at, value);
        const Outcome outcome = check({folder.write("x.bin", image.file), "--json"});
        const json document = json::parse(outcome.out);
        for (const json& one : document["findings"]) {
            if (one["file_offset"] == "0x" + hex8(at)) return one["section"].get<std::string>();
        }
        return "no finding: " + outcome.out;
    };
    CHECK(section(0x04, 0x20085D20) == "header");
    CHECK(section(0x34, 0x30000000) == "vector");
    CHECK(section(0x5C, 0x30000000) == "vector");
    CHECK(section(0x60, 0x30000000) == "vector");
    CHECK(section(sound.got_word(0), 0x50000000) == "GOT");
    CHECK(section(sound.relocation(0), 0x50000000) == "relocation table");
    CHECK(section(sound.relocation(sound.rel_count - 1), 0x50000000) == "relocation table");
}

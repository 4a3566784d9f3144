// SPDX-License-Identifier: Apache-2.0
// `n6vp install` of the older family, against memory predicted from the format's facts.
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/image_builder.h"
#include "tests/support/legacy_builder.h"
#include "tests/support/process.h"

using namespace n6vp::test;
using Json = nlohmann::json;

namespace {

constexpr std::uint32_t kFile = 0x08040000, kRam = 0x20001000, kRamBytes = 4096;

Outcome install(std::vector<std::string> words) {
    words.insert(words.begin(), {N6VP_BINARY, "install"});
    return run_process(words);
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

std::vector<std::uint8_t> read_all(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("legacy: an install leaves the predicted memory, in both modes and policies") {
    const ScratchFolder folder;
    for (const char* core : {"cortex-m4", "cortex-m7", "cortex-m33"}) {
        LegacySpec spec = legacy_sample();
        if (core == std::string_view("cortex-m4")) spec.flags = 0x20085C24;
        if (core == std::string_view("cortex-m7")) spec.flags = 0x20085C27;
        const LegacyImage image = build_legacy(spec);
        const std::string path = folder.write("x.bin", image.file);
        for (const std::string mode : {"xip", "copy"}) {
            for (const std::string policy : {"strict", "compat"}) {
                CAPTURE(mode);
                CAPTURE(policy);
                std::string dump = (folder.path() / core).string();
                (dump += mode) += policy;
                const Outcome outcome =
                    install({path, "--at", "0x08040000", "--exec", "0x20001000:4K", "--mode", mode,
                             "--policy", policy, "--core", core, "--dump", dump, "--json"});
                CAPTURE(outcome.err);
                REQUIRE(outcome.exit_code == 0);
                const LegacyPlace place{kFile, kRam, mode == "copy", 0};
                std::vector<std::uint8_t> wanted = legacy_installed(image.file, place);
                wanted.resize(kRamBytes, 0);
                CHECK(read_all(dump + "/ram.bin") == wanted);
                const Json document = Json::parse(outcome.out);
                CHECK(document["schema"] == "n6vp.install/1");
                CHECK(document["family"] == "legacy");
                char handle[11];
                std::snprintf(handle, sizeof handle, "0x%08x", legacy_handle(image.file, place));
                CHECK(document["result"]["handle"] == handle);
                CHECK(document["result"]["state"] == (mode == "copy" ? 1 : 3));
                const Json& phases = document["phases"];
                CHECK(phases[0]["name"] == "ro-copy");
                CHECK(phases[0]["copied_bytes"] == (mode == "copy" ? image.ro_bytes : 0));
                CHECK(phases[1]["copied_bytes"] == image.bss_start);
                CHECK(phases[1]["cleared_bytes"] == image.bss_end - image.bss_start);
                CHECK(phases[2]["words_stored"] == (image.got_end - image.got_start) / 4);
                CHECK(phases[3]["words_stored"] == image.rel_count);
                CHECK(phases[4]["words_stored"] == 4);
                CHECK(document["result"]["got"]["flash"] == 2);
                CHECK(document["result"]["relocations"]["zero"] == 1);
                CHECK(Json::parse(read_all(dump + "/install.json")) == document);
                const auto log = read_all(dump + "/install.csv");
                const std::string lines(log.begin(), log.end());
                CHECK(contains(lines, ",data-bss,copy,"));
                CHECK(contains(lines, ",relocation,patch,"));
            }
        }
    }
}

TEST_CASE("legacy: the text adds the phases up, and says what was asked and what it needs") {
    const ScratchFolder folder;
    const LegacyImage image = build_legacy(legacy_sample());
    const std::string path = folder.write("x.bin", image.file);
    const auto line = [](const char* name, std::uint32_t copied, std::uint32_t cleared,
                         std::uint32_t words) {
        char text[80];
        std::snprintf(text, sizeof text, "  %-14s%12u%12u%14u\n", name, copied, cleared, words);
        return std::string(text);
    };
    const std::uint32_t bss = image.bss_end - image.bss_start;
    const std::uint32_t got = (image.got_end - image.got_start) / 4;
    for (const bool copy : {false, true}) {
        const Outcome outcome =
            install({path, "--at", "0x08040000", "--exec", "0x20001000:4K", "--mode",
                     copy ? "copy" : "xip", "--policy", copy ? "compat" : "strict"});
        CAPTURE(outcome.out);
        CHECK(outcome.exit_code == 0);
        const std::uint32_t ro = copy ? image.ro_bytes : 0;
        const std::string table =
            line("ro-copy", ro, 0, 0) + line("data-bss", image.bss_start, bss, 0) +
            line("got", 0, 0, got) + line("relocation", 0, 0, image.rel_count) +
            line("finish", 0, 0, 4) +
            line("total", ro + image.bss_start, bss, got + image.rel_count + 4);
        CHECK(contains(outcome.out, table));
        CHECK(contains(outcome.out, copy ? "policy compat\n" : "policy strict\n"));
        CHECK(contains(outcome.out, " (\"network\"), older family (AI_RELOC)\n"));
        CHECK(contains(outcome.out, "Cortex-M33 (taken from the file)\n"));
        CHECK(contains(outcome.out, "none named: memory where the options put it\n"));
        char needed[64], bases[96];
        std::snprintf(needed, sizeof needed, "%u bytes for XIP, %u for COPY\n",
                      image.ram_bytes(false), image.ram_bytes(true));
        CHECK(contains(outcome.out, needed));
        const LegacyPlace place{kFile, kRam, copy, 0};
        std::snprintf(bases, sizeof bases,
                      "  RO base 0x%08x   RAM base (r9) 0x%08x   handle 0x%08x   state %d\n",
                      copy ? kRam : kFile, copy ? kRam + image.ro_bytes : kRam,
                      legacy_handle(image.file, place), copy ? 1 : 3);
        CHECK(contains(outcome.out, bases));
    }
    const Outcome named = install({path, "--core", "cortex-m33", "--exec", "0x20001000:4K"});
    CHECK(contains(named.out, "Cortex-M33\n"));
    const Json document =
        Json::parse(install({path, "--at", "0x08040000", "--exec", "0x20001000:4K", "--json"}).out);
    CHECK(document["memory"]["file"]["address"] == "0x08040000");
    CHECK(document["memory"]["file"]["bytes"] == image.file.size());
    CHECK(document["memory"]["ram"]["address"] == "0x20001000");
    CHECK(document["memory"]["ram"]["bytes"] == kRamBytes);
    CHECK(document["memory"]["needed_xip"] == image.ram_bytes(false));
    CHECK(document["memory"]["needed_copy"] == image.ram_bytes(true));
    CHECK(document["model"] == "network");
    CHECK(document["policy"] == "strict");
    CHECK(document["chip"].is_null());
    CHECK(document["status"] == "ok");
    CHECK(document["installed"] == true);
    CHECK(document["result"]["relocations"]["words"] == image.rel_count);
}

TEST_CASE("legacy: --chip gives RAM and core, and refuses places without memory") {
    const ScratchFolder folder;
    const std::string path = folder.write("x.bin", build_legacy(legacy_sample()).file);
    const Outcome plain = install({path, "--chip", "stm32u585"});
    CHECK(plain.exit_code == 0);
    CHECK(contains(plain.out, "  chip        STM32U585\n"));
    CHECK(contains(plain.out, "0x08040000, "));
    CHECK(contains(plain.out, " (flash)\n"));
    CHECK(contains(plain.out, "0x20040000, 524288 bytes (sram3)\n"));
    CHECK(contains(plain.out, "GOT          7 words: 2 RAM, 2 FLASH, 3 zero\n"));
    CHECK(contains(plain.out, "relocations  5 words: 2 RAM, 2 FLASH, 1 zero\n"));
    const Outcome alias = install({path, "--chip", "stm32u585", "--at", "0x0C040000"});
    CHECK(alias.exit_code == 0);
    const Outcome external = install({path, "--chip", "stm32u585", "--at", "0x90000000"});
    CHECK(contains(external.out, " (external memory)\n"));
    const struct {
        std::vector<std::string> words;
        const char* cause;
    } rows[] = {
        {{"--chip", "stm32u585", "--exec", "0x08100000:4K"}, "flash is read-only"},
        {{"--chip", "stm32u585", "--exec", "0x200BFFFC:8"}, "the STM32U585 has no memory there"},
        {{"--chip", "stm32u585", "--exec", "0x20000000:0xC0004"}, "the STM32U585 has no memory"},
        // From one alias of a memory to the next one.
        {{"--chip", "stm32u585", "--exec", "0x0A000000:0x16001000"}, "has no memory there"},
        {{"--chip", "stm32u585", "--at", "0x081FFFFC"}, "the model file at 0x081ffffc"},
        {{"--chip", "stm32u999"}, "there is no chip 'stm32u999'"},
        {{"--clear"}, "--clear: not for a model of the Cortex-M4"},
        {{"--console", "on"}, "--console: not for a model of the Cortex-M4"}};
    for (const auto& row : rows) {
        std::vector<std::string> words = row.words;
        words.insert(words.begin(), path);
        const Outcome outcome = install(words);
        CAPTURE(row.cause);
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(contains(outcome.err, row.cause));
    }
    // SRAM1 to SRAM3 follow each other, at every alias.
    for (const char* ram : {"0x20000000:768K", "0x2002FFF0:8K", "0x3003FFF0:8K", "0x0A02FFF0:8K"}) {
        CAPTURE(ram);
        CHECK(install({path, "--chip", "stm32u585", "--exec", ram}).exit_code == 0);
    }
    CHECK(contains(install({path, "--chip", "u585"}).out, "  chip        STM32U585\n"));
    CHECK(contains(install({path, "--chip", "stm32u858"}).err, "did you mean stm32u5"));
    const Outcome other = install({path, "--chip", "stm32l475"});
    CHECK(other.exit_code != 0);
    CHECK(contains(other.out, "error: legacy-cpu-part: "));
}

TEST_CASE("legacy: a refused install names all causes and dumps nothing") {
    const ScratchFolder folder;
    LegacyImage image = build_legacy(legacy_sample());
    image.set(image.got_word(1), 0x50000000);
    const std::string path = folder.write("x.bin", image.file);
    const std::string dump = (folder.path() / "dump").string();
    const Outcome outcome = install({path, "--exec", "0x20001000:64", "--dump", dump});
    CHECK(outcome.exit_code == install({path, "--exec", "0x20001000:64"}).exit_code);
    CHECK(outcome.exit_code != 0);
    CHECK(contains(outcome.out, "error: legacy-ram-too-small: "));
    CHECK(contains(outcome.out, "error: got-value-space: "));
    CHECK_FALSE(std::filesystem::exists(dump));
    const Outcome json = install({path, "--json"});
    const Json document = Json::parse(json.out);
    CHECK(document["installed"] == false);
    CHECK(document["diagnosis"]["rule"] == "got-value-space");
    CHECK(document["findings"].size() == 2);  // a relocated null pointer is a hint
}

TEST_CASE("legacy: options of this family are refused for a model of the STM32N6") {
    const ScratchFolder folder;
    const std::string path =
        folder.write("n6.bin", build_image(sample_spec(ImageGeneration::Core21)).file);
    const Outcome outcome = install({path, "--chip", "stm32u585"});
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, "--chip, --core: only for models of the Cortex-M4, M7 and M33"));
}

TEST_CASE("legacy: a dump that a full disk refuses does not cost the result") {
    const ScratchFolder folder;
    const std::string path = folder.write("x.bin", build_legacy(legacy_sample()).file);
    const std::string dump = (folder.path() / "dump").string();
    const Outcome outcome =
        run_after("ulimit -f 16", {N6VP_BINARY, "install", path, "--exec", "0x20001000:64K",
                                   "--quiet", "--json", "--dump", dump});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 7);
    CHECK(contains(outcome.err, "File too large"));
    CHECK(Json::parse(outcome.out)["installed"] == true);
    CHECK(read_all(dump + "/ram.bin").empty());
}

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

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

Outcome info(std::vector<std::string> words) {
    words.insert(words.begin(), {N6VP_BINARY, "info"});
    return run_process(words);
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Describes the model of the vendor article on relocatable models for a Cortex-M4: its sizes.
LegacySpec article_spec() {
    LegacySpec spec;
    spec.flags = 0x20085C24;
    spec.code_bytes = 22952;
    spec.name = "network" + std::string(216, '.');  // 224 bytes of constants
    spec.data.assign((1812 - 60) / 4, {LegacyWord::Kind::Plain, 0x80000000, false});
    for (std::size_t i = 0; i < 128; ++i) spec.data[i].relocated = true;
    spec.got.assign(116 / 4 - 3, {LegacyWord::Kind::Code, 1, false});
    spec.bss_bytes = 116;
    spec.activations_bytes = 12004;
    spec.weights_bytes = 16688;
    spec.weights.assign(16688, 3);
    return spec;
}

}  // namespace

TEST_CASE("legacy: the article's example shows the article's figures, line by line") {
    const ScratchFolder folder;
    const LegacyImage image = build_legacy(article_spec());
    const Outcome outcome = info({folder.write("network_rel.bin", image.file)});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err == "");
    const std::string rule(64, '-');
    const std::string expected = "Runtime memory layout (core=\"Cortex-M4\")\n" + rule +
                                 "\nsection     size (bytes)\n" + rule +
                                 "\n"
                                 "header               100*\n"
                                 "txt               22,952                    network+kernel\n"
                                 "rodata               224                    network+kernel\n"
                                 "data               1,812                    network+kernel\n"
                                 "bss                  116                    network+kernel\n"
                                 "got                  116*\n"
                                 "rel                  516*\n"
                                 "weights           16,688                    network\n" +
                                 rule +
                                 "\n"
                                 "FLASH size        41,676 + 732* (+1.76%)\n"
                                 "RAM size**         1,928 + 116* (+6.02%)\n" +
                                 rule +
                                 "\n"
                                 "bin size          42,412                    binary image\n"
                                 "act. size         12,004                    activations buffer\n";
    CHECK(outcome.out.substr(0, expected.size()) == expected);
    CHECK(contains(outcome.out, "\n  rt_ram_xip             2,048 "));
    CHECK(contains(outcome.out, "\n  rt_ram_copy            25,324 "));
    CHECK(contains(outcome.out, "\n  GOT                    29 words     0 RAM, 26 FLASH, 3 zero"));
    CHECK(
        contains(outcome.out, "\n  relocations            129          128 RAM, 1 FLASH, 0 zero"));
}

TEST_CASE("legacy: JSON has the same figures") {
    const ScratchFolder folder;
    const LegacyImage image = build_legacy(article_spec());
    const Outcome outcome = info({folder.write("network_rel.bin", image.file), "--json"});
    REQUIRE(outcome.exit_code == 0);
    const Json document = Json::parse(outcome.out);
    CHECK(document["family"] == "legacy");
    const Json& layout = document["layout"];
    for (const auto& [name, value] : {std::pair{"header", 100},
                                      {"txt", 22952},
                                      {"rodata", 224},
                                      {"data", 1812},
                                      {"bss", 116},
                                      {"got", 116},
                                      {"rel", 516},
                                      {"weights", 16688},
                                      {"flash_size", 41676},
                                      {"flash_extra", 732},
                                      {"ram_size", 1928},
                                      {"ram_extra", 116},
                                      {"bin_size", 42412},
                                      {"act_size", 12004}}) {
        const std::string key = name;
        CAPTURE(key);
        CHECK(layout[key].get<int>() == value);
    }
    CHECK(document["flags"]["core"] == "Cortex-M4");
    CHECK(document["entries"].size() == 11);
    CHECK(document["rt_context"]["crc_callbacks"] == true);
    CHECK(document["rt_context"]["weights_size"] == 16688);
    CHECK(document["statistics"]["relocations"]["words"] == 129);
}

TEST_CASE("legacy: --relocs lists each word, with a place the installed value, too") {
    const ScratchFolder folder;
    const LegacyImage image = build_legacy(legacy_sample(false));
    const std::string path = folder.write("network_rel.bin", image.file);
    const Outcome outcome = info({path, "--relocs"});
    CHECK(contains(outcome.out, "  GOT 3    0x8"));
    CHECK(contains(outcome.out, "0x80000010  .data+0x10"));
    CHECK(contains(outcome.out, "(string \"network\")"));
    CHECK(contains(outcome.out, "  CRC callbacks          no "));
    CHECK(contains(outcome.out, "52 bytes"));
    CHECK(contains(outcome.out, "  REL 4 "));
    const Outcome copied = info({path, "--relocs", "--exec", "0x20001000:4K", "--mode", "copy"});
    CHECK(contains(copied.out, "RO+0x69 (entry init_v2) -> 0x20001069"));
    const Outcome placed =
        info({path, "--relocs", "--json", "--at", "0x08020000", "--exec", "0x20001000:4K"});
    const Json document = Json::parse(placed.out);
    CHECK(document["got_words"].size() == 7);
    CHECK(document["got_words"][3]["installed_value"] == "0x20001010");
    CHECK(document["relocation_entries"][0]["installed_value"] == "0x08020069");
    CHECK(document["entries"][0]["installed"] == "0x08020065");
}

TEST_CASE("legacy: a file without a GOT, or without relocations, has empty lists of them") {
    const ScratchFolder folder;
    const auto links = [&folder](const LegacyImage& image) {
        const Outcome outcome =
            info({folder.write("network_rel.bin", image.file), "--relocs", "--json"});
        CHECK(outcome.exit_code == 0);
        return Json::parse(outcome.out);
    };
    LegacySpec spec = legacy_sample();
    spec.got.clear();
    const Json without_got = links(build_legacy(spec));
    CHECK(without_got.at("got_words") == Json::array());
    CHECK(without_got.at("relocation_entries").size() == 5);  // four of .data, and the name
    CHECK(without_got["statistics"]["got"]["words"] == 0);
    LegacyImage image = build_legacy(legacy_sample());
    image.set(0x28, image.word(0x24));  // rel_end = rel_start
    const Json without_relocations = links(image);
    CHECK(without_relocations.at("got_words").size() == 7);
    CHECK(without_relocations.at("relocation_entries") == Json::array());
    CHECK(without_relocations["statistics"]["relocations"]["words"] == 0);
}

TEST_CASE("legacy: JSON of a link tells where it stands, what it patches and with what") {
    const ScratchFolder folder;
    const LegacyImage image = build_legacy(legacy_sample());
    const std::string path = folder.write("network_rel.bin", image.file);
    const Json document = Json::parse(info({path, "--relocs", "--json"}).out);
    const auto hex = [](std::uint32_t value) { return fmt::format("0x{:08x}", value); };
    for (std::uint32_t i = 0; i < 7; ++i) {
        CAPTURE(i);
        const Json& word = document["got_words"][i];
        CHECK(word["index"] == i);
        CHECK(word["entry_offset"] == image.got_word(i));
        CHECK(word["target"] == hex(0x80000000 + image.got_start + 4 * i));
        CHECK(word["value"] == hex(image.word(image.got_word(i))));
        CHECK_FALSE(word.contains("installed_value"));
    }
    for (std::uint32_t i = 0; i < image.rel_count; ++i) {
        CAPTURE(i);
        const Json& entry = document["relocation_entries"][i];
        const std::uint32_t target = image.word(image.relocation(i));
        CHECK(entry["index"] == i);
        CHECK(entry["entry_offset"] == image.relocation(i));
        CHECK(entry["target"] == hex(target));
        CHECK(entry["value"] == hex(image.word(image.ro_bytes + target - 0x80000000)));
    }
    CHECK(document["got_words"][3]["meaning"] == ".data+0x10");
    CHECK(document["sizes"]["ro"] == image.ro_bytes);
    CHECK(document["sizes"]["rw"] == image.bss_end);
    CHECK(document["sizes"]["copied_to_ram"] == image.bss_start);
    CHECK(document["sizes"]["rt_ram_xip"] == image.ram_bytes(false));
    CHECK(document["sizes"]["rt_ram_copy"] == image.ram_bytes(true));
    CHECK(document["file"] == path);
    CHECK(document["flags"]["raw"] == "0x20085d21");
    CHECK(document["flags"]["vers_major"] == 2);
    CHECK(document["flags"]["vers_minor"] == 0);
    CHECK(document["flags"]["cpuid"] == "D21");
    CHECK(document["flags"]["fpu"] == true);
    CHECK(document["entries"][0]["word"] == "0x20000065");
    CHECK_FALSE(document["entries"][0].contains("installed"));
}

TEST_CASE("legacy: --disasm names what the file's core has, and no more") {
    const ScratchFolder folder;
    // Assembled and named by binutils; the literal at the end is that of GOT word 1.
    constexpr std::uint16_t kCode[] = {0x4B05, 0xF859, 0x0003, 0xEEA0, 0x0A81, 0xE8D1,
                                       0x0FAF, 0xEE31, 0x0B02, 0xFE80, 0x0A81, 0x4770};
    const struct {
        std::uint32_t flags;
        bool acquire, doubles, maximum;  // Armv8-M, FPv5-D16, FPv5
    } rows[] = {{0x20085C24, false, false, false},
                {0x20085D21, true, false, true},
                {0x20085C27, false, true, true}};
    for (const auto& row : rows) {
        LegacySpec spec = legacy_sample();
        spec.flags = row.flags;
        LegacyImage image = build_legacy(spec);
        for (std::uint32_t i = 0; i < std::size(kCode); ++i) {
            image.file[100 + 2 * i] = static_cast<std::uint8_t>(kCode[i]);
            image.file[101 + 2 * i] = static_cast<std::uint8_t>(kCode[i] >> 8);
        }
        image.set(124, image.got_start + 4);
        const std::string path = folder.write("x.bin", image.file);
        const Outcome outcome = info({path, "--disasm", "0x64:0x1C"});
        CAPTURE(row.flags);
        CAPTURE(outcome.out);
        CHECK(outcome.exit_code == 0);
        CHECK(contains(outcome.out, "entry create:\n  20000064  4b05"));
        CHECK(contains(outcome.out, "ldr.w r0, [r9, r3]"));
        CHECK(contains(outcome.out, "vfma.f32 s0, s1, s2"));
        CHECK(contains(outcome.out, "lda r0, [r1]") == row.acquire);
        CHECK(contains(outcome.out, ".inst.w 0xe8d10faf") == !row.acquire);
        CHECK(contains(outcome.out, "vadd.f64 d0, d1, d2") == row.doubles);
        CHECK(contains(outcome.out, "vmaxnm.f32 s0, s1, s2") == row.maximum);
        CHECK(contains(outcome.out, "from r9: GOT word 1, holds 0x20000065"));
        const Outcome placed = info({path, "--disasm", "create", "--at", "0x08020000"});
        CHECK(contains(placed.out, "  20000064  08020064  4b05"));
    }
    // The relocation of the second word of .data points to code.
    const std::string path = folder.write("y.bin", build_legacy(legacy_sample()).file);
    const Outcome around = info({path, "--disasm", "around", "REL", "0"});
    CHECK(contains(around.out, "> 20000068  4770      bx lr"));
    const Outcome ram = info({path, "--disasm", "around", "GOT", "3"});
    CHECK(ram.exit_code == 2);
    CHECK(contains(ram.err, "GOT word 3 patches RAM and does not point to code"));
    const Outcome json = info({path, "--disasm", "run", "--json", "--relocs"});
    const Json document = Json::parse(json.out);
    CHECK(document["disassembly"][0]["text"] == "bx lr");
    CHECK(document["relocation_entries"][4]["target_meaning"].get<std::string>().ends_with(
        "(rt_ctx field c_name)"));
}

TEST_CASE("legacy: every header word, set to extremes, still gives a report") {
    const ScratchFolder folder;
    const LegacyImage sound = build_legacy(legacy_sample());
    for (std::uint32_t at = 0x0C; at < 100; at += 4) {
        for (const std::uint32_t value : {0u, 0x80000000u, 0x20000000u, 0x8FFFFFFCu, 0xFFFFFFFFu}) {
            LegacyImage image = sound;
            image.set(at, value);
            const Outcome outcome =
                info({folder.write("x.bin", image.file), "--relocs", "--disasm"});
            CAPTURE(at);
            CAPTURE(value);
            // Without an end of RO there is nothing to disassemble.
            CHECK((outcome.exit_code == 0 || contains(outcome.err, "--disasm: ")));
            CHECK((outcome.exit_code != 0 || contains(outcome.out, "Runtime memory layout")));
        }
    }
}

TEST_CASE("legacy: damaged bounds do not list the whole file as GOT and relocations") {
    const ScratchFolder folder;
    LegacyImage image = build_legacy(legacy_sample());
    image.file.resize(6u << 20);
    image.set(0x20, 0x80500000);  // got_end
    image.set(0x28, 0x20500000);  // rel_end
    const Outcome outcome = info({folder.write("x.bin", image.file)});
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, "\n  GOT                    32,768 words "));
    CHECK(contains(outcome.out, "\n  relocations            1,048,576 "));
}

TEST_CASE("legacy: what is not for this family is refused with a remedy") {
    const ScratchFolder folder;
    const std::string path = folder.write("x.bin", build_legacy(legacy_sample()).file);
    const Outcome listing = info({path, "--disasm", "runs"});
    CHECK(listing.exit_code == 2);
    CHECK(contains(listing.err, "'runs' is not an entry"));
    std::vector<std::uint8_t> cut = build_legacy(legacy_sample()).file;
    cut.resize(99);
    const Outcome outcome = info({folder.write("cut.bin", cut)});
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, "100 bytes"));
}

// SPDX-License-Identifier: Apache-2.0
// What words of a model are called: fields of its tables, kinds of pools, functions of --symbols.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/sim/pack/pack_elf_builder.h"
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

Json info_json(std::vector<std::string> words) {
    words.emplace_back("--json");
    const Outcome outcome = info(std::move(words));
    REQUIRE(outcome.exit_code == 0);
    return Json::parse(outcome.out);
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

std::string hex(std::uint32_t value) {
    std::array<char, 11> text{};
    std::snprintf(text.data(), text.size(), "0x%08x", value);
    return text.data();
}

/// Lets the first relocation lead to the word at `file_offset`; returns what the report calls it.
std::string called(const ScratchFolder& folder, Image image, std::uint32_t file_offset) {
    image.set(image.relocation(0), 0x40000000 + file_offset - image.ro_bytes);
    const Json document = info_json({folder.write("m.bin", image.file), "--relocs"});
    return document.at("relocation_entries").at(0).at("what").get<std::string>();
}

/// The column behind the index of the first pool.
std::string pool_text(const ScratchFolder& folder, std::uint32_t flags) {
    ImageSpec spec = sample_spec(ImageGeneration::Core30);
    Image image = build_image(spec);
    image.set(image.pool(0) + 4, flags);
    const Json document = info_json({folder.write("m.bin", image.file)});
    const std::string text = document.dump();
    const std::size_t at = text.find("\"flags_desc\":\"") + 14;
    return text.substr(at, text.find('"', at) - at);
}

}  // namespace

TEST_CASE("relocations name the field of the pool table that they patch") {
    const ScratchFolder folder;
    const Image image = build_image(sample_spec(ImageGeneration::Core30));
    const char* const fields[] = {"name", "flags", "foff", "dst", "size"};
    REQUIRE(image.pool_count >= 5);
    for (std::uint32_t pool = 0; pool < image.pool_count; ++pool) {
        for (std::uint32_t field = 0; field < 5; ++field) {
            std::string expected = "pool " + std::to_string(pool);
            expected.append(" ").append(fields[field]);
            CHECK(called(folder, image, image.pool(pool) + 4 * field) == expected);
        }
    }
    for (const std::uint32_t within : {1u, 2u, 3u})
        CHECK(called(folder, image, image.pool(1) + within).empty());
}

TEST_CASE("relocations name the field of rt_ctx that they patch, in both of its lengths") {
    const ScratchFolder folder;
    const std::vector<std::string> common = {
        "state",      "file_addr",        "ram_addr",      "rom_addr",        "cbs",
        "c_name",     "acts_sz",          "params_sz",     "ext_ram_sz",      "rt_version_desc",
        "rt_version", "rt_version_extra", "params_bin_sz", "params_bin_crc32"};
    for (const ImageGeneration generation : {ImageGeneration::Core22, ImageGeneration::Core30}) {
        const Image image = build_image(sample_spec(generation));
        std::vector<std::string> fields = common;
        if (image.context_bytes == 68) fields.emplace_back("rt_c_struct_sizes");
        fields.emplace_back("ll_instance");
        fields.emplace_back("itf_network");
        REQUIRE(image.context_bytes == 4 * fields.size());
        for (std::uint32_t i = 0; i < fields.size(); ++i)
            CHECK(called(folder, image, image.context + 4 * i) == "rt_ctx field " + fields[i]);
        CHECK(called(folder, image, image.got_word(0)) == "GOT word 0");
        CHECK(called(folder, image, image.got_word(3)) == "GOT word 3");
    }
}

TEST_CASE("kinds, data and attributes of pools have their names, unknown ones their numbers") {
    const ScratchFolder folder;
    const std::pair<std::uint32_t, std::string> rows[] = {
        {0x01010100, "RELOC.PARAM.0.READ"},      {0x01020201, "RELOC.ACTIV.1.WRITE"},
        {0x01030401, "RELOC.MIXED.1.CACHED"},    {0x02010500, "COPY.PARAM.RCACHED"},
        {0x03020600, "RESET.ACTIV.WCACHED"},     {0x04000300, "TYPE4.UNDEF.ATTR3"},
        {0xFF000000, "UNSUPPORTED.UNDEF.ATTR0"}, {0x02070100, "COPY.DTYPE7.READ"},
        {0x02FF0100, "COPY.DTYPE255.READ"},      {0x07010100, "TYPE7.PARAM.READ"},
        {0xFE020200, "TYPE254.ACTIV.WRITE"}};
    for (const auto& row : rows) {
        CAPTURE(row.first);
        CHECK(pool_text(folder, row.first) == row.second);
    }
}

TEST_CASE("legacy: counts of words, with what is illegal or not in the file") {
    const ScratchFolder folder;
    LegacyImage image = build_legacy(legacy_sample());
    // Seven GOT words: .bss, code, name, .data and three of zero. Relocated: code, .bss, .data,
    // null and the name in rt_ctx.
    const Outcome sound = info({folder.write("x.bin", image.file)});
    CHECK(contains(sound.out, "\n  GOT                    7 words      2 RAM, 2 FLASH, 3 zero\n"));
    CHECK(contains(sound.out, "\n  relocations            5            2 RAM, 2 FLASH, 1 zero\n"));
    image.set(image.got_word(1), 0x50000000);
    image.set(image.relocation(0), 0x8001FFF0);
    image.set(image.relocation(1), 0x8001FFF4);
    const std::string path = folder.write("y.bin", image.file);
    const Outcome damaged = info({path});
    CHECK(contains(damaged.out,
                   "\n  GOT                    7 words      2 RAM, 1 FLASH, 3 zero, 1 illegal\n"));
    CHECK(contains(damaged.out,
                   "\n  relocations            5            1 RAM, 1 FLASH, 1 zero, 2 without "
                   "content\n"));
    const Json statistics = info_json({path}).at("statistics");
    CHECK(statistics.at("got") == Json{{"words", 7},
                                       {"ram", 2},
                                       {"flash", 1},
                                       {"zero", 3},
                                       {"illegal", 1},
                                       {"without_content", 0}});
    CHECK(statistics.at("relocations") == Json{{"words", 5},
                                               {"ram", 1},
                                               {"flash", 1},
                                               {"zero", 1},
                                               {"illegal", 0},
                                               {"without_content", 2}});
}

TEST_CASE("legacy: --symbols names functions by their addresses, with and without the Thumb bit") {
    const ScratchFolder folder;
    LegacyImage image = build_legacy(legacy_sample());
    image.set(image.got_word(1), 0x20000085);
    image.set(image.got_word(2), 0x20000084);
    image.set(image.got_word(3), 0x20000087);
    image.set(image.got_word(0), 0x80000001);
    n6vp::tests::FakeModel model;
    model.symbols = {{"my_function", 0x20000085, 1}, {"hooks", 0x80000000, 2}};
    const std::string elf = folder.write("m.elf", model.elf());
    const std::string path = folder.write("x.bin", image.file);
    const Json words = info_json({path, "--relocs", "--symbols", elf}).at("got_words");
    CHECK(words.at(0).at("meaning") == ".data+0x1 (hooks+0x1)");
    CHECK(words.at(1).at("meaning") == "RO+0x85 (my_function)");
    CHECK(words.at(2).at("meaning") == "RO+0x84 (my_function)");
    CHECK(words.at(3).at("meaning") == "RO+0x87 (my_function+0x2)");
    CHECK(words.at(1).at("value") == hex(0x20000085));
    CHECK(words.at(0).at("target") == hex(0x80000000 + image.got_start));
    const Json plain = info_json({path, "--relocs"}).at("got_words");
    CHECK(plain.at(1).at("meaning") == "RO+0x85 (Thumb code)");
    CHECK(plain.at(0).at("meaning") == ".data+0x1");
}

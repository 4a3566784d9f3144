// SPDX-License-Identifier: Apache-2.0
// What pack refuses of models of the older family, what it reports of others, and that no input
// crashes it.
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "sim/host/elf.h"
#include "sim/host/errors.h"
#include "sim/pack/legacy_pack.h"
#include "sim/pack/legacy_pack_report.h"
#include "tests/sim/pack/pack_elf_builder.h"
#include "tests/support/legacy_builder.h"

namespace {

using namespace n6vp;
using tests::FakeModel;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kRamSpace = 0x80000000, kFlashSpace = 0x20000000;

/// The ELF file that the sample of the older family would be packed from.
FakeModel fake_legacy(const test::LegacyImage& image) {
    FakeModel model;
    const auto part = [&image](std::uint32_t start, std::uint32_t end) {
        return Bytes(image.file.begin() + start, image.file.begin() + end);
    };
    model.flash = part(0, image.ro_bytes);
    model.data = part(image.ro_bytes, image.ro_bytes + image.got_end);
    model.data_address = kRamSpace;
    model.bss_address = kRamSpace + image.bss_start;
    model.bss_bytes = image.bss_end - image.bss_start;
    model.symbols = {{"thing", kRamSpace + 4, 2}, {"function", kFlashSpace + 101, 1}};
    model.relocations = {{kFlashSpace + 0x34, 2, 2, ".flash"},
                         {kFlashSpace + 102, 10, 2, ".flash"}};
    for (std::uint32_t i = 0; i < image.rel_count; ++i)
        model.relocations.push_back({image.word(image.relocation(i)), 2, 1, ".data"});
    return model;
}

/// Packs and returns the refusal, or "" if there was none.
std::string refusal_of(const Bytes& elf, Bytes* packed = nullptr) {
    try {
        const sim::ElfFile file(elf, "model.elf");
        const auto result = sim::pack::build_legacy(sim::pack::link_legacy(file), {});
        if (packed != nullptr) *packed = result.file;
        return {};
    } catch (const sim::UserError& error) {
        CHECK(error.exit_code() == 2);
        CHECK_FALSE(error.remedy().empty());
        return error.what();
    }
}

}  // namespace

TEST_CASE("pack, older family: the unspoiled model gives the file that it was taken from") {
    for (const bool has_crc : {true, false}) {
        const test::LegacyImage image = test::build_legacy(test::legacy_sample(has_crc));
        Bytes packed;
        CHECK(refusal_of(fake_legacy(image).elf(), &packed) == "");
        CHECK(packed == image.file);
    }
}

TEST_CASE("pack, older family: the report has the numbers of the file and who made it") {
    for (const bool split : {false, true}) {
        CAPTURE(split);
        test::LegacySpec spec = test::legacy_sample();
        spec.weights_bytes = 40;
        const test::LegacyImage image = test::build_legacy(spec);
        FakeModel model = fake_legacy(image);
        model.extra.push_back({".weights", 1, 0, 0, Bytes(40, 7)});
        sim::pack::LegacyRequest request;
        request.split = split;
        const sim::pack::LegacyLinked linked =
            sim::pack::link_legacy(sim::ElfFile(model.elf(), "model.elf"));
        const sim::pack::LegacyPacked packed = sim::pack::build_legacy(linked, request);
        const sim::Json report = sim::pack::legacy_pack_report(
            linked, packed, {{"a/network_rel.bin", 300}, {"a/network_data.bin", 40}}, "today");
        CHECK(report.at("schema") == "n6vp.pack/1");
        CHECK(report.at("version") == "1.0");
        CHECK(report.at("created-date") == "today");
        CHECK(report.at("versions") == sim::Json{{"n6vp", N6VP_VERSION}});
        CHECK(report.at("family") == "legacy");
        CHECK(report.at("notes") == sim::Json(packed.warnings));
        CHECK(report.at("gen_files") ==
              sim::Json::array({{{"size", 300}, {"path", "a/network_rel.bin"}},
                                {{"size", 40}, {"path", "a/network_data.bin"}}}));
        const sim::Json& file = report.at("reloc_binary_image");
        // Flags 0x20085D21: v2.0, GCC, hard float, FPU, Cortex-M33.
        CHECK(file.at("flags")["vers_major"] == 2);
        CHECK(file.at("flags")["vers_minor"] == 0);
        CHECK(file.at("flags")["toolchain"] == "ARM_GCC");
        CHECK(file.at("flags")["float-abi"] == 2);
        CHECK(file.at("flags")["fpu"] == true);
        CHECK(file.at("flags")["cpuid"] == "D21");
        const std::uint32_t rel = 4 * image.rel_count, end = image.ro_bytes + image.got_end + rel,
                            aligned = (end + 7) / 8 * 8;  // weights
        CHECK(file.at("img_size") == (split ? end : aligned + 40));
        CHECK(file.at("weights_offset") == (split ? 0 : aligned));
        CHECK(file.at("weights_size") == 40);
        CHECK(file.at("xip_size") == image.ram_bytes(false));
        CHECK(file.at("copy_size") == image.ram_bytes(true));
        CHECK(file.at("ro_size") == image.ro_bytes);
        CHECK(file.at("rw_size") == image.bss_end);
        const std::uint32_t got = image.got_end - image.got_start,
                            bss = image.bss_end - image.bss_start, text = image.ro_bytes - 100,
                            weights = split ? 0 : 40;
        CHECK(file.at("sections") == sim::Json{{"header", 100},
                                               {"txt", text},
                                               {"data", image.data_end},
                                               {"bss", bss},
                                               {"got", got},
                                               {"rel", rel},
                                               {"weights", weights}});
        CHECK(file.at("flash") == sim::Json{{"bytes", text + image.data_end + weights},
                                            {"relocatable", 100 + got + rel}});
        CHECK(file.at("ram") == sim::Json{{"bytes", image.data_end + bss}, {"relocatable", got}});
        CHECK(file.at("rt_context") == sim::Json{{"c_name", "network"},
                                                 {"acts_sz", 736},
                                                 {"weights_sz", 40},
                                                 {"crc_callbacks", true}});
        CHECK(file.at("acts_size") == 736);
    }
}

TEST_CASE("pack, older family: each fault has its message") {
    const test::LegacyImage image = test::build_legacy(test::legacy_sample());
    const auto relocate = [](std::uint32_t address, std::uint32_t type, const char* section) {
        return [=](FakeModel& model) { model.relocations.push_back({address, type, 1, section}); };
    };
    const struct {
        const char* expected;
        std::function<void(FakeModel&)> spoil;
    } faults[] = {
        {"the linker kept no relocations", [](FakeModel& m) { m.relocations.clear(); }},
        {"not position independent", relocate(kFlashSpace + 104, 47, ".flash")},
        {"moves separately", relocate(kFlashSpace + 104, 3, ".flash")},
        {"an absolute address in the flash section", relocate(kFlashSpace + 104, 2, ".flash")},
        {"not part of the image", relocate(kRamSpace + image.bss_start, 2, ".bss")},
        {"not aligned to 4", relocate(kRamSpace + 2, 2, ".data")},
        {"two absolute relocations",
         [](FakeModel& m) { m.relocations.push_back(m.relocations.back()); }},
        {"the symbol is not resolved", [](FakeModel& m) { m.symbols[0].section = 0; }},
        {"leaves its address space of 4 MiB",
         [](FakeModel& m) {
             m.extra.push_back({".far", 1, 2, 0x20400000, Bytes(4, 0)});
         }},
        {"leaves its address space of 128 KiB",
         [](FakeModel& m) {
             m.extra.push_back({".far", 1, 2, 0x80020000, Bytes(4, 0)});
         }},
        {"in no space of the format",
         [](FakeModel& m) {
             m.extra.push_back({".far", 1, 2, 0x40000000, Bytes(4, 0)});
         }},
        {"hard-float", [](FakeModel& m) { m.elf_flags = 0x05000200; }},
        {"rt_ctx does not lie in .data", [](FakeModel& m) { m.put(m.flash, 0x60, kRamSpace - 4); }},
        {"outside [bss_start, bss_end)", [](FakeModel& m) { m.bss_bytes += 4; }},
    };
    for (const auto& fault : faults) {
        CAPTURE(fault.expected);
        FakeModel model = fake_legacy(image);
        fault.spoil(model);
        const std::string message = refusal_of(model.elf());
        CAPTURE(message);
        CHECK(message.find(fault.expected) != std::string::npos);
    }
}

TEST_CASE("pack, older family: .bss far behind .data is refused before 256 MiB are filled up") {
    FakeModel model = fake_legacy(test::build_legacy(test::legacy_sample()));
    model.bss_address = 0x8FFFFF00;
    model.bss_bytes = 16;
    model.put(model.flash, 0x14, 0x8FFFFF00);  // bss_start
    model.put(model.flash, 0x18, 0x8FFFFF10);  // bss_end
    CHECK(refusal_of(model.elf()).find("but the format has 131072") != std::string::npos);
}

TEST_CASE("pack, older family: hostile bytes never crash it") {
    const Bytes whole = fake_legacy(test::build_legacy(test::legacy_sample())).elf();
    std::uint32_t state = 12345;  // a linear congruential generator: the same cases every time
    const auto next = [&state] { return (state = state * 1664525 + 1013904223) >> 8; };
    int accepted = 0;
    constexpr int kRounds = 10000;
    for (int round = 0; round < kRounds; ++round) {
        Bytes bytes = whole;
        for (std::uint32_t flips = 1 + next() % 4; flips != 0; --flips)
            bytes[next() % bytes.size()] = static_cast<std::uint8_t>(next());
        try {
            accepted += refusal_of(bytes).empty() ? 1 : 0;
        } catch (const std::exception& error) {
            FAIL("round ", round, ": ", error.what());
        }
    }
    CHECK(accepted > 0);
    CHECK(accepted < kRounds);
}

TEST_CASE(
    "pack, older family: the C files name macros in capitals and functions in small letters") {
    test::LegacySpec spec = test::legacy_sample();
    spec.weights_bytes = 5;
    spec.weights = {1, 2, 3, 4, 255};
    const test::LegacyImage image = test::build_legacy(spec);
    FakeModel fake = fake_legacy(image);
    for (const std::uint32_t word : {0x2Cu, 0x30u}) fake.put(fake.flash, word, 0);
    const sim::ElfFile file(fake.elf(), "model.elf");
    const auto linked = sim::pack::link_legacy(file);
    for (const bool split : {false, true}) {
        CAPTURE(split);
        sim::pack::LegacyRequest request;
        request.weights = spec.weights;
        request.split = split;
        const auto packed = sim::pack::build_legacy(linked, request);
        const auto sources = sim::pack::legacy_c_sources(linked, packed, "My-net2", "my.h");
        const auto line = [](const char* macro, std::size_t value) {
            return std::string("#define AI_MY_NET2_RELOC_") + macro + " (" + std::to_string(value) +
                   ")\n";
        };
        std::string header =
            "#ifndef AI_MY_NET2_RELOC_H\n#define AI_MY_NET2_RELOC_H\n\n#include "
            "\"ai_platform.h\"\n\n" +
            line("RAM_SIZE_XIP", image.ram_bytes(false)) +
            line("RAM_SIZE_COPY", image.ram_bytes(true)) + line("IMAGE_SIZE", packed.file.size()) +
            line("ACTIVATIONS_SIZE", spec.activations_bytes) + line("WEIGHTS_SIZE", 5) +
            "\n/* Both are aligned to 8. */\nai_handle ai_My_net2_reloc_img_get(void);\n";
        if (split) header += "ai_handle ai_My_net2_reloc_weights_get(void);\n";
        CHECK(sources.header == header + "\n#endif\n");
        CHECK(sources.source.starts_with(
            "#include \"my.h\"\n\n#include <stdalign.h>\n\nstatic alignas(8) const ai_u8 "
            "reloc_image[AI_MY_NET2_RELOC_IMAGE_SIZE] = {\n    0x4E, 0x42, 0x49, 0x4E, "));
        const std::string image_getter =
            "};\n\nai_handle ai_My_net2_reloc_img_get(void) { return AI_HANDLE_PTR(reloc_image); "
            "}\n";
        CHECK(sources.source.find(image_getter) != std::string::npos);
        const std::string weights =
            "\nstatic alignas(8) const ai_u8 reloc_weights[AI_MY_NET2_RELOC_WEIGHTS_SIZE] = {\n    "
            "0x01, 0x02, 0x03, 0x04, 0xFF,\n};\n\nai_handle ai_My_net2_reloc_weights_get(void) { "
            "return AI_HANDLE_PTR(reloc_weights); }\n";
        CHECK(sources.source.ends_with(split ? weights : image_getter));
    }
}

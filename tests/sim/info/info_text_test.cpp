// SPDX-License-Identifier: Apache-2.0
// The sections of the report below the vendor's own, line by line, and the data that they show.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/sim/info/info_report.h"

using namespace n6vp;
using namespace n6vp::test;
using namespace n6vp::sim::report;

TEST_CASE("info: what found the generation, and what contradicts it") {
    struct Row {
        ImageGeneration built;
        std::uint32_t version, dev;
        const char* text;
    };
    const std::string long_header =
        "  found by: header of 104 bytes (the rt_ctx word is at 0x64) and rt_ctx.rt_version with "
        "its dev number\n";
    const std::string short_header =
        "  found by: header of 96 bytes (the rt_ctx word is at 0x5c) and rt_ctx.rt_version with "
        "its dev number\n";
    const auto generation = [](const Row& one) {
        ImageSpec spec = small_spec(one.built);
        spec.rt_version = one.version;
        spec.rt_version_extra = one.dev;
        return Report(build_image(spec)).section("Generation");
    };
    CHECK(generation({ImageGeneration::Core21, 0x01010000, 31, ""}) ==
          "  ST Edge AI Core 2.1, ll_aton 1.1.0-31\n" + short_header);
    CHECK(generation({ImageGeneration::Core22, 0x01010100, 14, ""}) ==
          "  ST Edge AI Core 2.2, ll_aton 1.1.1-14\n" + short_header);
    CHECK(generation({ImageGeneration::Core30, 0x01010300, 8, ""}) ==
          "  ST Edge AI Core 3.0, ll_aton 1.1.3-8\n" + long_header);
    CHECK(generation({ImageGeneration::Core4x, 0x01010300, 262, ""}) ==
          "  ST Edge AI Core 4.x, ll_aton 1.1.3-262\n" + long_header);
    const auto contradiction = [&](ImageGeneration built, std::uint32_t version) {
        const std::string text = generation({built, version, 8, ""});
        const std::size_t at = text.find("  contradiction: ");
        return at == std::string::npos ? std::string() : text.substr(at + 17);
    };
    // 1.1.3 and later has the long header, 1.1.1 and earlier the short one; of 1.1.2 nothing is
    // known.
    CHECK(contradiction(ImageGeneration::Core22, 0x01010300) ==
          "runtime 1.1.3-8 has a header of 104 bytes, the file has 96\n");
    CHECK(contradiction(ImageGeneration::Core22, 0x01020000) ==
          "runtime 1.2.0-8 has a header of 104 bytes, the file has 96\n");
    CHECK(contradiction(ImageGeneration::Core30, 0x01010100) ==
          "runtime 1.1.1-8 has a header of 96 bytes, the file has 104\n");
    CHECK(contradiction(ImageGeneration::Core30, 0x01010000) ==
          "runtime 1.1.0-8 has a header of 96 bytes, the file has 104\n");
    CHECK(contradiction(ImageGeneration::Core30, 0x01010200).empty());
    CHECK(contradiction(ImageGeneration::Core22, 0x01010200).empty());
    CHECK(contradiction(ImageGeneration::Core22, 0x01010100).empty());
    CHECK(contradiction(ImageGeneration::Core30, 0x01010300).empty());
}

TEST_CASE("info: each flag by its bits") {
    const auto flags = [](std::uint32_t raw) {
        ImageSpec spec = small_spec(ImageGeneration::Core22);
        spec.flags = raw;
        return Report(build_image(spec)).section("Flags " + hex(raw));
    };
    CHECK(flags(0x80785D22) ==
          row("31..28 API major", "8", "always 8") + row("27..24 API minor", "0", "always 0") +
              row("23     reserved", "0") +
              row("22     ASYNC", "1", "firmware must run LL_ATON_RT_ASYNC") +
              row("21     DBG_INFO", "1", "firmware must define LL_ATON_EB_DBG_INFO") +
              row("20     SECURE", "1", "secure firmware only") +
              row("19..16 toolchain", "0x8", "Embedded ARM GCC") + row("15     reserved", "0") +
              row("14..13 float ABI", "2", "hard") +
              row("12     FPU", "1", "must be enabled before the install") +
              row("11..0  CPUID part", "D22", "Cortex-M55"));
    CHECK(flags(0x95820D21) ==
          row("31..28 API major", "9", "always 8") + row("27..24 API minor", "5", "always 0") +
              row("23     reserved", "1") + row("22     ASYNC", "0", "polling firmware") +
              row("21     DBG_INFO", "0", "firmware without LL_ATON_EB_DBG_INFO") +
              row("20     SECURE", "0") + row("19..16 toolchain", "0x2", "toolchain 0x2") +
              row("15     reserved", "0") + row("14..13 float ABI", "0", "soft") +
              row("12     FPU", "0") + row("11..0  CPUID part", "D21"));
    const auto has_row = [&](std::uint32_t raw, const std::string& line) {
        const std::string text = flags(raw);
        return text.find(line) != std::string::npos;
    };
    CHECK(has_row(0x80092D22, row("14..13 float ABI", "1", "softfp")));
    CHECK(has_row(0x80096D22, row("14..13 float ABI", "3", "reserved")));
    CHECK(has_row(0x80098D22, row("15     reserved", "1")));
    CHECK(has_row(0x80090D22, row("19..16 toolchain", "0x9", "Embedded ARM CLANG")));
    CHECK(has_row(0x800A0D22, row("19..16 toolchain", "0xA", "Embedded ST ARM CLANG")));
    CHECK(has_row(0x800B0D22, row("19..16 toolchain", "0xB", "toolchain 0xb")));
    CHECK(has_row(0x80400D22, row("22     ASYNC", "1", "firmware must run LL_ATON_RT_ASYNC")));
    CHECK(has_row(0x80400D22, row("21     DBG_INFO", "0", "firmware without LL_ATON_EB_DBG_INFO")));
    CHECK(has_row(0x80200D22, row("22     ASYNC", "0", "polling firmware")));
    CHECK(has_row(0x80100D22, row("20     SECURE", "1", "secure firmware only")));
    CHECK(toolchain_key(8) == "ARM_GCC");
    CHECK(toolchain_key(9) == "ARM_CLANG");
    CHECK(toolchain_key(10) == "ST_ARM_CLANG");
    CHECK(toolchain_key(11) == "0xb");
    CHECK(flags_line(loader::format::Flags{0x80785D22}) ==
          "v8.0 dbg=True async=True sec=True 'Embedded ARM GCC' cpuid=D22 fpu=True float-abi=2");
    CHECK(flags_line(loader::format::Flags{0x8129CD21}) ==
          "v8.1 dbg=True async=False sec=False 'Embedded ARM CLANG' cpuid=D21 fpu=False "
          "float-abi=2");
}

TEST_CASE("info: sizes, those of parameters and blobs included") {
    for (const ImageGeneration generation : kAllGenerations) {
        const Image image = build_image(small_spec(generation));
        const auto number = [](std::uint64_t value) { return grouped(value); };
        REQUIRE(image.blob_bytes == 8);
        REQUIRE(image.raw_bytes == 24);
        CHECK(Report(image).section("Sizes in bytes") ==
              row("RO", number(image.ro_bytes), "header, code, constants") +
                  row("RW", number(image.bss_end), "data, arrays, GOT, .bss") +
                  row("init/fini arrays", "0") +
                  row("copied into RAM", number(image.bss_start),
                      "from file offset of .data, up to .bss") +
                  row("relocation table", number(std::uint64_t{4} * image.rel_count)) +
                  row("exec RAM for XIP", number(image.exec_bytes(false))) +
                  row("exec RAM for COPY", number(image.exec_bytes(true))) +
                  row("code_sz of the C API", number(up(image.ro_bytes, 8)), "RO only") +
                  row("external RAM", "0") + row("parameter section", "32", "in this file") +
                  row("  of it, blobs", "8", "epoch-controller blobs"));
    }
    // 28 bytes of external RAM take 32.
    ImageSpec external = sample_spec(ImageGeneration::Core22);
    const std::string text = Report(build_image(external)).section("Sizes in bytes");
    CHECK(text.find(row("external RAM", "32")) != std::string::npos);
    ImageSpec split = small_spec(ImageGeneration::Core22);
    split.split = true;
    const std::string apart = Report(build_image(split)).section("Sizes in bytes");
    CHECK(apart.find(row("parameter section", "0", "in this file")) != std::string::npos);
    CHECK(apart.find("blobs") == std::string::npos);
}

TEST_CASE("info: every field of rt_ctx, in both of its lengths") {
    for (const ImageGeneration generation : {ImageGeneration::Core21, ImageGeneration::Core30}) {
        ImageSpec spec = small_spec(generation);
        spec.acts_sz = 1234567;
        spec.params_sz = 1000;
        spec.ext_ram_sz = 999;
        spec.struct_sizes = 0x2A38;
        Image image = build_image(spec);
        const std::uint32_t crc = image.word(image.context + 0x34);
        const bool is_long = image.context_bytes == 68;
        CHECK(is_long == (generation == ImageGeneration::Core30));
        const std::string zero = hex(0), filled = "filled by the install";
        const auto text_at = [](std::uint32_t offset, const std::string& text) {
            return fmt::format("RO+0x{:x} (string \"{}\")", offset, text);
        };
        const std::string title =
            fmt::format("rt_ctx at .data+0x{:x} (file offset 0x{:x}), {} bytes",
                        image.context - image.ro_bytes, image.context, image.context_bytes);
        const bool old = generation == ImageGeneration::Core21;
        CHECK(Report(image).section(title) ==
              row("state", zero, filled) + row("file_addr", zero, filled) +
                  row("ram_addr", zero, filled) + row("rom_addr", zero, filled) +
                  row("cbs", zero, filled) + row("ll_instance", zero, filled) +
                  row("c_name", hex(0x20000000 + image.c_name), text_at(image.c_name, "sample")) +
                  row("rt_version_desc", hex(0x20000000 + image.version_text),
                      text_at(image.version_text, spec.version_text)) +
                  row("itf_network", hex(0x40000000 + image.interface - image.ro_bytes),
                      fmt::format(".data+0x{:x}", image.interface - image.ro_bytes)) +
                  row("acts_sz", "1,234,567") + row("params_sz", "1,000") +
                  row("ext_ram_sz", "999") +
                  row("rt_version", hex(spec.rt_version), old ? "1.1.0-31" : "1.1.3-8") +
                  row("rt_version_extra", old ? "31" : "8", "dev number") +
                  row("params_bin_sz", "24", "raw parameters") + row("params_bin_crc32", hex(crc)) +
                  (is_long ? row("rt_c_struct_sizes", "0x00002a38",
                                 "LL_Buffer_Info 56 bytes, epoch item 42 bytes")
                           : ""));
        // What is there already is no work of an install.
        image.set(image.context + 4, 0x70000000);
        const std::string other = Report(image).section(title);
        CHECK(other.find(row("file_addr", "0x70000000", "should be 0 in a file")) !=
              std::string::npos);
    }
    Image outside = build_image(small_spec(ImageGeneration::Core22));
    outside.set(0x5C, 0x40FFFFF0);
    CHECK(Report(outside).details().find("\nrt_ctx: ? (not inside the file)\n") !=
          std::string::npos);
}

TEST_CASE("info: pools with what the loader does with them") {
    Image image = build_image(small_spec(ImageGeneration::Core22));
    CHECK(Report(image).section("Memory pools") ==
          "  0   weights        RELOC.PARAM.0.RCACHED    weights used in place: PARAM_0 = "
          "parameters + foff, through the NPU cache\n"
          "  1   reset          RESET.ACTIV.WRITE        cleared at dst, only with CLEAR\n"
          "  2   <undefined>    UNUSED                   end of the table\n");
    image.set(image.pool(0), 0x2FFFFFF0);  // a name outside of the file
    CHECK(Report(image).section("Memory pools").substr(0, 21) == "  0   ?              ");
    image.set(0x2C, 0x40FFFFF0);  // the table
    CHECK(Report(image).section("Memory pools") == "  ? (the table is not inside the file)\n");
    using loader::format::PoolFlags;
    const std::pair<std::uint32_t, const char*> rows[] = {
        {0x01010100, "weights used in place: PARAM_0 = parameters + foff"},
        {0x01010400, "weights used in place: PARAM_0 = parameters + foff, through the NPU cache"},
        {0x01020201, "external RAM, cleared only with CLEAR"},
        {0x01020601, "external RAM, cleared only with CLEAR, through the NPU cache"},
        {0x01030201, "external RAM, parameters are copied into it"},
        {0x01030501, "external RAM, parameters are copied into it, through the NPU cache"},
        {0x01020100, "no effect: not a combination the generator makes"},
        {0x01030100, "no effect: not a combination the generator makes"},
        {0x01010101, "no effect: not a combination the generator makes"},
        {0x01000101, "no effect: not a combination the generator makes"},
        {0x01010102, "refused: id is neither 0 nor 1"},
        {0x010101FF, "refused: id is neither 0 nor 1"},
        {0x02010100, "copied to dst at every install"},
        {0x03020200, "cleared at dst, only with CLEAR"},
        {0x00000000, "end of the table"},
        {0x00010100, "ignored by the loader"},
        {0x04010100, "ignored by the loader"},
        {0xFF010100, "ignored by the loader"}};
    for (const auto& one : rows) {
        CAPTURE(one.first);
        CHECK(pool_meaning(PoolFlags{one.first}) == one.second);
    }
    CHECK(pool_flags_text(PoolFlags{0}) == "UNUSED");
    CHECK(pool_flags_text(PoolFlags{0x00010100}) == "UNUSED.PARAM.READ");
    CHECK(pool_flags_text(PoolFlags{0x01010107}) == "RELOC.PARAM.7.READ");
}

TEST_CASE("info: how many addresses lie where and hold what") {
    Image image = build_image(small_spec(ImageGeneration::Core22));
    // Relocated: name, .bss and PARAM_0 of .data; network_name; c_name, version and interface of
    // rt_ctx; the names of two pools.
    REQUIRE(image.rel_count == 9);
    CHECK(Report(image).section("Addresses to relocate") ==
          row("GOT", "8 words", "hold: 1 RAM, 1 FLASH, 2 PARAM_0, 1 PARAM_1, 3 zero") +
              row("relocations", "9 entries", "patch: 9 RAM, 0 RO") +
              row("", "", "hold: 2 RAM, 6 FLASH, 1 PARAM_0, 0 PARAM_1, 0 zero"));
    CHECK_FALSE(is_damaged(Report(image).image(), Report(image).facts()));
    image.set(image.got_word(0), 0x50000000);
    image.set(image.relocation(0), 0x20000000 + image.code);           // code: 0x47704770
    image.set(image.relocation(1), 0x80000000);                        // no place for a patch
    image.set(image.relocation(2), 0x40000000 + image.bss_start + 8);  // without content
    const Report changed(image);
    CHECK(changed.section("Addresses to relocate") ==
          row("GOT", "8 words", "hold: 0 RAM, 1 FLASH, 2 PARAM_0, 1 PARAM_1, 3 zero, 1 illegal") +
              row("relocations", "9 entries", "patch: 7 RAM, 1 RO, 1 illegal") +
              row("", "", "hold: 2 RAM, 5 FLASH, 0 PARAM_0, 0 PARAM_1, 0 zero") +
              row("", "", "2 patch a place without content in the file"));
    CHECK(is_damaged(changed.image(), changed.facts()));
    CHECK(changed.facts().relocations.held.ram == 2);
}

TEST_CASE("info: the vector, with both readings of the long one") {
    ImageSpec spec = small_spec(ImageGeneration::Core22);
    const Image image = build_image(spec);
    const std::string code = hex(0x20000000 + image.code + 1);
    const char* const names[] = {"ec_network_init",     "ec_inference_init",  "input_setter",
                                 "input_getter",        "output_setter",      "output_getter",
                                 "get_epoch_items",     "get_output_buffers", "get_input_buffers",
                                 "get_internal_buffers"};
    std::string expected;
    std::uint32_t at = 0x34;
    for (const char* const name : names) {
        expected += fmt::format("  0x{:02x}  {}  {}\n", at, code, name);
        at += 4;
    }
    const std::string context = hex(0x40000000 + image.context - image.ro_bytes);
    expected += "  0x5c  " + context + "  rt_ctx\n";
    CHECK(Report(image).section("Vector") == expected);
    // With the bases of an install each function has its address, rt_ctx has none of its own.
    loader::Resolver bases;
    bases.ro_base = GuestAddr{0x71000000};
    bases.ram_base = GuestAddr{0x34060000};
    bases.param0 = GuestAddr{0x71800000};
    bases.param1 = GuestAddr{0x90100000};
    const Report placed(image, bases);
    const std::string first = placed.section("Vector");
    CHECK(first.substr(0, first.find('\n')) == "  0x34  " + code +
                                                   "  ec_network_init            -> " +
                                                   hex(0x71000000 + image.code + 1));
    CHECK(placed.section("Bases of the install") ==
          row("RO", "0x71000000") + row("RAM (r9)", "0x34060000") + row("PARAM_0", "0x71800000") +
              row("PARAM_1", "0x90100000"));
    CHECK(Report(image).section("Bases of the install") == "no such section");
    const Image longer = build_image(small_spec(ImageGeneration::Core30));
    const std::string both =
        Report(longer).section("Vector (as built | as the vendor's loader reads it)");
    const std::string word = hex(0x20000000 + longer.code + 1);
    for (const auto& [offset, line] :
         {std::pair{"0x34", "ec_network_init           | ec_network_init\n"},
          {"0x54", "get_input_buffers         | get_input_buffers\n"},
          {"0x58", "get_internal_buffers_info | weight_encryption_info\n"},
          {"0x5c", "weight_encryption_info    | blob_encryption_info\n"},
          {"0x60", "blob_encryption_info      | get_internal_buffers\n"}}) {
        const std::string text = fmt::format("  {}  {}  {}", offset, word, line);
        CAPTURE(text);
        CHECK(both.find(text) != std::string::npos);
    }
    CHECK(both.find("  0x64  ") != std::string::npos);
    Image unknown = build_image(spec);
    unknown.set(0x5C, 0x70000000);
    unknown.set(0x64, 0x70000000);
    CHECK(Report(unknown).section("Vector") == "  ? (its length is unknown)\n");
}

TEST_CASE("info: the file map names every part with its bytes") {
    const Image image = build_image(small_spec(ImageGeneration::Core22));
    const auto part = [](std::uint32_t start, std::uint32_t end, const std::string& name,
                         const std::string& note = "") {
        if (start == end) return std::string();
        std::string text =
            fmt::format("  0x{:08x}  {:>12}  {:<20} {}", start, grouped(end - start), name, note);
        while (text.back() == ' ') text.pop_back();
        return text + "\n";
    };
    const std::uint32_t got_end = image.got_word(8), rel_end = image.relocation(9);
    const std::uint32_t table_end = image.pool(3);
    const std::string head =
        part(0, 0x34, "header") + part(0x34, 0x60, "vector") +
        part(0x60, image.ro_bytes, "code and constants") +
        part(image.ro_bytes, image.context, ".data") +
        part(image.context, image.context + 68, "rt_ctx") +
        part(image.context + 68, table_end, "pool table", "3 descriptors, terminator included") +
        part(table_end, got_end, "GOT", "8 words") + part(got_end, image.rel, "padding") +
        part(image.rel, rel_end, "relocation table", "9 entries") +
        part(rel_end, up(rel_end, 8), "padding");
    REQUIRE(image.params_at == up(rel_end, 8));
    const std::string title = "File map (offset, bytes)";
    CHECK(Report(image).section(title) ==
          head +
              part(image.params_at, image.params_at + 8, "blobs",
                   "epoch-controller blobs: parameter section less params_bin_sz") +
              part(image.params_at + 8, image.params_at + 32, "parameters"));
    ImageSpec plain = small_spec(ImageGeneration::Core22);
    plain.blobs.clear();
    const Image without = build_image(plain);
    CHECK(Report(without).section(title) ==
          head + part(without.params_at, without.params_at + 24, "parameters"));
    CHECK(Report(without).facts().blob_bytes == 0u);
    // Bytes that no header word points to: here the parameters, whose word is cleared.
    Image unclaimed = without;
    unclaimed.set(0x30, 0);
    CHECK(Report(unclaimed).section(title) == head + part(without.params_at, without.params_at + 24,
                                                          "unclaimed",
                                                          "no header word points here"));
    // Parameters 8 bytes later.
    Image later = without;
    later.set(0x30, without.params_at + 8);
    const std::string shifted = Report(later).section(title);
    CHECK(shifted == head +
                         part(without.params_at, without.params_at + 8, "unclaimed",
                              "no header word points here") +
                         part(without.params_at + 8, without.params_at + 24, "parameters"));
}

TEST_CASE("info: section words that contradict each other give no file map") {
    const Image image = build_image(small_spec(ImageGeneration::Core22));
    const std::string none = "  ? (the section words contradict each other or the file's length)\n";
    const std::string title = "File map (offset, bytes)";
    const auto sound = [&](std::uint32_t word, std::uint32_t value) {
        Image changed = image;
        changed.set(word, value);
        const Report report(changed);
        CHECK((report.section(title) == none) != report.facts().layout_sound);
        return report.facts().layout_sound;
    };
    const std::uint32_t data_end = image.word(0x0C), got_start = image.word(0x1C),
                        got_end = image.word(0x20), rel_start = image.word(0x24),
                        rel_end = image.word(0x28), bss_end = image.word(0x18);
    CHECK(sound(0x0C, data_end));
    CHECK(sound(0x0C, 0x40000000));
    CHECK_FALSE(sound(0x0C, got_start + 4));
    CHECK_FALSE(sound(0x1C, got_end + 4));
    CHECK(sound(0x1C, got_end));
    CHECK_FALSE(sound(0x20, got_start - 4));
    CHECK_FALSE(sound(0x14, bss_end + 4));
    CHECK(sound(0x24, rel_end));
    CHECK_FALSE(sound(0x24, rel_end + 4));
    CHECK_FALSE(sound(0x24, 0x20000000 + image.got_word(8) - 4));
    CHECK(sound(0x24, 0x20000000 + image.got_word(8)));
    const auto bytes = static_cast<std::uint32_t>(image.file.size());
    CHECK(rel_start >= 0x20000000 + image.got_word(8));
    CHECK(sound(0x30, bytes));
    CHECK_FALSE(sound(0x30, bytes + 1));
    CHECK(sound(0x30, image.relocation(9)));
    CHECK_FALSE(sound(0x30, image.relocation(9) - 4));
    CHECK_FALSE(sound(0x28, 0x20000000 + bytes + 4));
}

TEST_CASE("info: notes say what a reader has to know, each in its own case") {
    const auto notes = [](const Image& image) { return Report(image).facts().notes; };
    const auto has_note = [&](const Image& image, const std::string& note) {
        const std::vector<std::string> list = notes(image);
        return std::find(list.begin(), list.end(), note) != list.end();
    };
    ImageSpec aligned = small_spec(ImageGeneration::Core22);
    aligned.bss_alignment = 4;
    CHECK(notes(build_image(aligned)).empty());
    CHECK(notes(build_image(small_spec(ImageGeneration::Core30))).front() ==
          "runtime 1.1.3: model and vendor loader disagree on vector words 0x58..0x60; both "
          "readings are listed");
    CHECK(has_note(build_image(clang_spec(ImageGeneration::Core22)),
                   "4 relocations patch read-only words: COPY only, XIP refuses the model"));
    // The gap before .bss comes from what follows the GOT in the file: its padding first.
    aligned.bss_alignment = 64;
    const Image wide = build_image(aligned);
    const std::uint32_t got_end = wide.got_word(8);
    const std::uint32_t gap = wide.bss_start - (got_end - wide.ro_bytes);
    const std::uint32_t padding = std::min(gap, wide.rel - got_end);
    if (gap != 0) {
        CHECK(has_note(wide, fmt::format("{} bytes between GOT and .bss are copied from the file "
                                         "as they are: {} of padding, {} of the relocation table",
                                         gap, padding, gap - padding)));
    }
    ImageSpec split = aligned;
    split.bss_alignment = 4;
    split.split = true;
    Image apart = build_image(split);
    CHECK(has_note(apart, "parameters are in a file of their own: installing needs --params"));
    CHECK(notes(apart).size() == 1);
    apart.params.resize(23);
    CHECK(has_note(apart,
                   "parameters end after 23 of 24 bytes: the file was cut, or is not of this "
                   "build"));
    CHECK(has_note(apart,
                   "the file is damaged: what cannot be derived is shown as '?'. 'n6vp check' "
                   "names every fault"));
    apart.params.resize(24);
    CHECK(notes(apart).size() == 1);
}

TEST_CASE("info: the layout of a file with its parameters apart") {
    ImageSpec spec = small_spec(ImageGeneration::Core22);
    spec.split = true;
    const Image image = build_image(spec);
    const std::uint32_t got = 4 * 8, rel = 4 * 9;
    const double of_rw = 100.0 * got / image.bss_end;
    const double of_ro = 100.0 * (96 + rel) / image.ro_bytes;
    const std::string text = Report(image).layout();
    const std::string expected =
        std::string("Runtime Loadable Model - Memory Layout (series=\"stm32n6npu\")\n") +
        std::string(80, '-') + "\n" +
        "v8.0 dbg=True async=True sec=True 'Embedded ARM GCC' cpuid=D22 fpu=True float-abi=2\n" +
        fmt::format("XIP size             = {:<10} data({})+got({})+bss({}) sections\n",
                    image.exec_bytes(false), image.data_end - image.ro_bytes, got,
                    image.bss_end - image.bss_start) +
        fmt::format("COPY size            = {:<10} +ro({}) sections\n", image.exec_bytes(true),
                    image.ro_bytes) +
        fmt::format("extra sections       = {:<10} got:{}({:.1f}%) header+rel:{}({:.1f}%)\n",
                    96 + rel + got, got, of_rw, 96 + rel, of_ro) +
        "params size          = 24         not included in the binary file\n" +
        "acts size            = 108\n" +
        fmt::format("binary file size     = {}\n", grouped(image.file.size())) +
        "params file size     = 32\n";
    CHECK(text.substr(0, expected.size()) == expected);
    const std::string table =
        fmt::format("Table: mempool c-descriptors (off={:08x}, 3 entries, from RAM)\n",
                    0x40000000 + image.pool_table - image.ro_bytes);
    CHECK(text.find(table) != std::string::npos);
    // The line below the titles is as long as they are.
    const std::size_t titles = text.find("name (addr)");
    const std::size_t end = text.find('\n', titles);
    CHECK(text.substr(end + 1, end - titles + 1) == std::string(end - titles, '-') + "\n");
    CHECK(text.find("rt_ctx: c_name=\"sample\", acts_sz=108, params_sz=24, ext_ram_sz=0\n") !=
          std::string::npos);
}

TEST_CASE("info: thousands have a comma each, and no number begins with one") {
    const std::pair<std::uint64_t, const char*> rows[] = {
        {0, "0"},
        {7, "7"},
        {999, "999"},
        {1000, "1,000"},
        {99999, "99,999"},
        {100000, "100,000"},
        {999999, "999,999"},
        {1000000, "1,000,000"},
        {18446744073709551615u, "18,446,744,073,709,551,615"}};
    for (const auto& one : rows) CHECK(grouped(one.first) == one.second);
}

TEST_CASE("info: lines of GOT words and relocations, with installed addresses if there are some") {
    const Image image = build_image(small_spec(ImageGeneration::Core22));
    loader::Resolver bases;
    bases.ro_base = GuestAddr{0x71000000};
    bases.ram_base = GuestAddr{0x34060000};
    bases.param0 = GuestAddr{0x71800000};
    bases.param1 = GuestAddr{0x90100000};
    const std::uint32_t got = image.got - image.ro_bytes;
    const auto lines = [&](bool placed) {
        const auto at = [&](const char* target, const char* value) {
            return placed ? fmt::format("  [{}: {}]", target, value) : std::string();
        };
        const auto place = [&](std::uint32_t base, std::uint32_t offset) {
            return hex(base + offset);
        };
        const std::string first = place(0x34060000, got), second = place(0x34060000, got + 4);
        const std::string code = place(0x71000000, image.code + 1);
        return fmt::format(
                   "  GOT 0     entry 0x{:06x}  word 0x{:06x} {} GOT+0x0 (GOT word 0) = 0x40000000 "
                   "RAM .data+0x0{}\n",
                   image.got, image.got, hex(0x40000000 + got), at(first.c_str(), "0x34060000")) +
               fmt::format(
                   "  GOT 1     entry 0x{:06x}  word 0x{:06x} {} GOT+0x4 (GOT word 1) = {} FLASH "
                   "RO+0x{:x} (entry ec_network_init, ec_inference_init, input_setter, "
                   "input_getter, output_setter, output_getter, get_epoch_items, "
                   "get_output_buffers, get_input_buffers, get_internal_buffers){}\n",
                   image.got + 4, image.got + 4, hex(0x40000004 + got),
                   hex(0x20000001 + image.code), image.code + 1, at(second.c_str(), code.c_str()));
    };
    const std::string title =
        "\nGOT words and relocations (entry: file offset of the entry, word: what is patched)\n";
    const std::string plain = Report(image).links(), placed = Report(image, bases).links();
    const auto starts = [&](const std::string& text, const std::string& start) {
        return text.substr(0, start.size()) == start;
    };
    CAPTURE(placed);
    CHECK(starts(plain, title + lines(false)));
    CHECK(starts(placed, title + lines(true)));
    const std::string relocation = fmt::format(
        "  REL 2     entry 0x{:06x}  word 0x{:06x} 0x40000008 .data+0x8 = 0x80000010 PARAM_0 "
        "PARAM_0+0x10  [0x34060008: 0x71800010]\n",
        image.relocation(2), image.ro_bytes + 8);
    CHECK(placed.find(relocation) != std::string::npos);
    CHECK(std::count(plain.begin(), plain.end(), '\n') == 2 + 8 + 9);
}

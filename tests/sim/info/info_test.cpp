// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/sim/pack/pack_elf_builder.h"
#include "tests/support/image_builder.h"
#include "tests/support/process.h"

using namespace n6vp::test;
using Json = nlohmann::json;

namespace {

Outcome info(std::vector<std::string> words) {
    words.insert(words.begin(), {N6VP_BINARY, "info"});
    return run_process(words);
}

Json info_json(const std::string& path, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {path, "--json"});
    const Outcome outcome = info(more);
    REQUIRE(outcome.exit_code == 0);
    REQUIRE(outcome.err.empty());
    return Json::parse(outcome.out);
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Returns the text of `lines` lines from the start.
std::string head(const std::string& text, std::size_t lines) {
    std::size_t end = 0;
    for (std::size_t line = 0; line < lines; ++line) end = text.find('\n', end) + 1;
    return text.substr(0, end);
}

/// Describes the example of the vendor article on runtime loadable models (runtime 1.1.3-5): RO
/// 29200, data 2620, GOT 708, .bss 16, 75 relocations, 25713 bytes of parameters. Filler words
/// bring the builder's own layout to those sizes.
ImageSpec article_spec(bool split) {
    ImageSpec spec = minimal_spec(ImageGeneration::Core30);
    spec.rt_version = 0x01010300;
    spec.rt_version_extra = 5;
    spec.flags = 0x80785D22;
    spec.c_name = "network";
    spec.version_text = "atonn-v1.1.3-5 (RELOC.GCC)";
    spec.bss_bytes = 16;
    spec.split = split;
    spec.acts_sz = 37632;
    spec.params_sz = 25713;
    spec.pools = {{"xSPI2", 0x01010500, 25713, 0, pattern(25713, 1), std::nullopt},
                  {"AXISRAM5", 0x03020200, 37632, 0x342E0000, {}, std::nullopt}};
    spec.got.assign(174, {ImageWord::Kind::Plain, 0x40000000, false});
    const Image first = build_image(spec);
    const std::uint32_t data_words = (2620 - (first.data_end - first.ro_bytes)) / 4;
    spec.data.insert(spec.data.begin(), data_words, {ImageWord::Kind::Plain, 0x40000000, false});
    for (std::uint32_t index = 0; index < 75 - first.rel_count; ++index)
        spec.data[index].relocated = true;
    spec.code_bytes += 29200 - first.ro_bytes;
    return spec;
}

}  // namespace

TEST_CASE("the article's example shows the article's figures, line by line") {
    const ScratchFolder folder;
    const Image image = build_image(article_spec(false));
    REQUIRE(image.file.size() == 58552);
    const Outcome outcome = info({folder.write("network_rel.bin", image.file)});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err == "");
    const std::string expected =
        std::string("Runtime Loadable Model - Memory Layout (series=\"stm32n6npu\")\n") +
        std::string(80, '-') + "\n" +
        "v8.0 dbg=True async=True sec=True 'Embedded ARM GCC' cpuid=D22 fpu=True float-abi=2\n"
        "XIP size             = 3,344      data(2,620)+got(708)+bss(16) sections\n"
        "COPY size            = 32,544     +ro(29,200) sections\n"
        "extra sections       = 1,112      got:708(21.2%) header+rel:404(1.4%)\n"
        "params size          = 25,713\n"
        "acts size            = 37,632\n"
        "binary file size     = 58,552\n"
        "params file size     = 0\n";
    CHECK(head(outcome.out, 10) == expected);
    const std::string first = fmt::format("xSPI2 (0x{:08x})", 0x20000000 + image.pool_names[0]);
    CHECK(contains(outcome.out, first));
    CHECK(contains(outcome.out, "0x01010500 RELOC.PARAM.0.RCACHED  0     0x00000000  25713\n"));
    CHECK(contains(outcome.out, "0x03020200 RESET.ACTIV.WRITE      0     0x342e0000  37632\n"));
    CHECK(contains(outcome.out, "<undefined> (0x00000000)  0x00000000 UNUSED "));
    CHECK(contains(outcome.out,
                   fmt::format("Table: mempool c-descriptors (off={:08x}, 3 entries, from RAM)\n",
                               0x40000000 + image.pool_table - image.ro_bytes)));
    CHECK(contains(outcome.out,
                   "rt_ctx: c_name=\"network\", acts_sz=37,632, params_sz=25,713, ext_ram_sz=0\n"
                   "rt_ctx: rt_version_desc=\"atonn-v1.1.3-5 (RELOC.GCC)\"\n"));
    CHECK(contains(outcome.out, "ST Edge AI Core 3.0, ll_aton 1.1.3-5"));
}

TEST_CASE("a split file says where its parameters are") {
    const ScratchFolder folder;
    const Image image = build_image(article_spec(true));
    REQUIRE(image.file.size() == 32832);
    REQUIRE(image.params.size() == 25720);
    const std::string file = folder.write("network_rel.bin", image.file);
    const std::string params = folder.write("params.bin", image.params);
    for (const auto& words : {std::vector<std::string>{file}, {file, "--params", params}}) {
        const Outcome outcome = info(words);
        CHECK(outcome.exit_code == 0);
        CHECK(contains(outcome.out,
                       "params size          = 25,713     not included in the binary file\n"));
        CHECK(contains(outcome.out, "binary file size     = 32,832\n"));
        CHECK(contains(outcome.out, "params file size     = 25,720\n"));
    }
}

TEST_CASE("the document has the vendor's keys and ours, with their types") {
    const ScratchFolder folder;
    const Image image = build_image(article_spec(false));
    const Json document = info_json(folder.write("network_rel.bin", image.file), {"--relocs"});
    CHECK(document.at("schema") == "n6vp.info/1");
    const Json& binary = document.at("reloc_binary_image");
    const Json& flags = binary.at("flags");
    CHECK(flags.at("vers_major") == 8);
    CHECK(flags.at("vers_minor") == 0);
    for (const char* key : {"secure", "dbg_info", "async_mode", "fpu"})
        CHECK(flags.at(key) == true);
    CHECK(flags.at("toolchain") == "ARM_GCC");
    CHECK(flags.at("float-abi") == 2);
    CHECK(flags.at("cpuid") == "D22");
    CHECK(flags.at("description").is_string());
    CHECK(binary.at("img_size") == 58552);
    CHECK(binary.at("params_offset") == 32832);
    CHECK(binary.at("params_size") == 25720);
    CHECK(binary.at("xip_size") == 3344);
    CHECK(binary.at("copy_size") == 32544);
    CHECK(binary.at("ro_size") == 29200);
    CHECK(binary.at("rw_size") == 3344);
    CHECK(binary.at("sections") ==
          Json::parse(R"({"header":104,"data":2620,"bss":16,"got":708,"rel":300})"));
    CHECK(binary.at("img_params_size") == 25713);
    CHECK(binary.at("acts_size") == 37632);
    const Json& pools = binary.at("mempool_c_descriptors");
    REQUIRE(pools.size() == 2);
    CHECK(pools[0].at("name") == "xSPI2");
    CHECK(pools[0].at("flags_desc") == "RELOC.PARAM.0.RCACHED");
    CHECK(pools[0].at("flags_raw") == "0x01010500");
    CHECK(pools[0].at("size") == 25713);
    CHECK(pools[1].at("dst") == "0x342e0000");
    const Json& context = binary.at("rt_context");
    CHECK(context.at("c_name") == "network");
    CHECK(context.at("rt_version") == "1.1.3-5");
    CHECK(context.at("rt_version_extra") == 5);
    CHECK(context.at("params_bin_sz") == 25720);
    CHECK(context.at("params_bin_crc32") ==
          fmt::format("0x{:08x}", image.word(image.context + 0x34)));
    // Not swapped, unlike the vendor's own report.
    CHECK(context.at("rt_c_struct_sizes").at("ll_buffer_info") == 56);
    CHECK(context.at("rt_c_struct_sizes").at("epochblock_item") == 48);
    CHECK(document.at("notes").is_array());
    CHECK(document.at("damaged") == false);
    CHECK(document.at("generation").at("core") == "ST Edge AI Core 3.0");
    CHECK(document.at("got_words").size() == 177);
    CHECK(document.at("relocation_entries").size() == 75);
    CHECK(document.at("statistics").at("got").at("holds").at("ram") == 174);
    CHECK(document.at("statistics").at("got").at("holds").at("zero") == 3);
    CHECK(document.at("statistics").at("relocations").at("patches").at("ram") == 75);
}

TEST_CASE("the file map covers every byte once") {
    for (const ImageGeneration generation : kAllGenerations) {
        const ScratchFolder folder;
        const Image image = build_image(sample_spec(generation));
        const Json document = info_json(folder.write("m.bin", image.file));
        std::uint64_t at = 0;
        for (const Json& part : document.at("file_map")) {
            CHECK(part.at("offset") == at);
            at += part.at("bytes").get<std::uint64_t>();
        }
        CHECK(at == image.file.size());
        CHECK(document.at("damaged") == false);
        CHECK(document.at("reloc_binary_image").at("sections").at("header") == image.header_bytes);
    }
}

TEST_CASE("each generation is named") {
    const auto core = [](ImageGeneration generation) {
        const ScratchFolder folder;
        return info_json(folder.write("m.bin", build_image(sample_spec(generation)).file))
            .at("generation")
            .at("core")
            .get<std::string>();
    };
    CHECK(core(ImageGeneration::Core21) == "ST Edge AI Core 2.1");
    CHECK(core(ImageGeneration::Core22) == "ST Edge AI Core 2.2");
    CHECK(core(ImageGeneration::Core30) == "ST Edge AI Core 3.0");
    CHECK(core(ImageGeneration::Core4x) == "ST Edge AI Core 4.x");
}

TEST_CASE("runtime 1.1.3 lists both readings of the vector") {
    const ScratchFolder folder;
    const Json vector =
        info_json(folder.write("m.bin", build_image(sample_spec(ImageGeneration::Core30)).file))
            .at("vector");
    REQUIRE(vector.size() == 12);
    CHECK(vector[9].at("offset") == 0x58);
    CHECK(vector[9].at("built") == "get_internal_buffers_info");
    CHECK(vector[9].at("vendor_loader_reads") == "weight_encryption_info");
    CHECK(vector[11].at("built") == "blob_encryption_info");
    CHECK(vector[11].at("vendor_loader_reads") == "get_internal_buffers");
    const Json older =
        info_json(folder.write("o.bin", build_image(sample_spec(ImageGeneration::Core22)).file))
            .at("vector");
    REQUIRE(older.size() == 10);
    for (const Json& entry : older) CHECK(entry.at("built") == entry.at("vendor_loader_reads"));
}

TEST_CASE("relocations are listed with place, value, meaning and installed address") {
    const ScratchFolder folder;
    ImageSpec spec = minimal_spec(ImageGeneration::Core22);
    spec.data = {{ImageWord::Kind::Text, 0, true},
                 {ImageWord::Kind::Bss, 4, true},
                 {ImageWord::Kind::Plain, 0x80000010, true}};
    const Image image = build_image(spec);
    const std::string path = folder.write("m.bin", image.file);
    const Json entries =
        info_json(path, {"--relocs", "--at", "0x70000000", "--exec", "0x34060000:64K"})
            .at("relocation_entries");
    std::size_t found = 0;
    for (const Json& entry : entries) {
        const std::string target = entry.at("target");
        if (target == "0x40000000") {
            ++found;
            CHECK(entry.at("section") == ".data");
            CHECK(entry.at("file_offset") == image.ro_bytes);
            CHECK(entry.at("space") == "FLASH");
            CHECK(entry.at("meaning") ==
                  fmt::format("RO+0x{:x} (string \"sample\")", image.c_name));
            CHECK(entry.at("installed_target") == "0x34060000");
            CHECK(entry.at("installed_value") ==
                  fmt::format("0x{:08x}", 0x70000000 + image.c_name));
        } else if (target == "0x40000004") {
            ++found;
            CHECK(entry.at("meaning") == ".bss+0x4");
            CHECK(entry.at("installed_value") ==
                  fmt::format("0x{:08x}", 0x34060000 + image.bss_start + 4));
        } else if (target == "0x40000008") {
            ++found;
            CHECK(entry.at("meaning") == "PARAM_0+0x10");
        }
    }
    CHECK(found == 3);
    const Outcome text = info({path, "--relocs"});
    CHECK(contains(text.out, fmt::format("= 0x{:08x} FLASH RO+0x{:x} (string \"sample\")",
                                         0x20000000 + image.c_name, image.c_name)));
}

TEST_CASE("names in a file cannot reach the terminal or leave their JSON string") {
    const ScratchFolder folder;
    ImageSpec spec = sample_spec(ImageGeneration::Core22);
    spec.c_name = "\x1b[2Jowned\xFF";
    spec.pools[0].name = "a\"b\nc";
    const std::string path = folder.write("m.bin", build_image(spec).file);
    for (const char* option : {"--relocs", "--disasm"}) {
        const Outcome text = info({path, option});
        CHECK(text.exit_code == 0);
        CHECK_FALSE(contains(text.out, "\x1b"));
        CHECK(contains(text.out, "\\x1b[2Jowned\\xff"));
        CHECK(contains(text.out, "a\"b\\x0ac"));
    }
    const Outcome raw = info({path, "--json", "--relocs"});
    CHECK_FALSE(contains(raw.out, "\x1b"));
    const Json document = Json::parse(raw.out);
    CHECK(document.at("reloc_binary_image").at("rt_context").at("c_name") ==
          "\x1b[2Jowned\xEF\xBF\xBD");
}

TEST_CASE("a file cut at any length is refused or reported, never a crash") {
    const ScratchFolder folder;
    const Image image = build_image(sample_spec(ImageGeneration::Core30));
    // Every length up to the end of the header, then every 8th plus one: each part is cut somewhere
    // inside.
    for (std::size_t length = 0; length < image.file.size(); length += length < 112 ? 1 : 37) {
        const std::vector<std::uint8_t> cut(
            image.file.begin(), image.file.begin() + static_cast<std::ptrdiff_t>(length));
        const Outcome outcome = info({folder.write("cut.bin", cut), "--relocs"});
        CAPTURE(length);
        const bool too_short = length < 96;
        CHECK(outcome.exit_code == (too_short ? 2 : 0));
        CHECK(outcome.err.empty() == !too_short);
        if (length >= image.header_bytes && length < image.rel)
            CHECK(contains(outcome.out, "n6vp check"));
        // The container's structures are whole, its weights are not.
        if (length >= image.params_at && length + 8 < image.file.size())
            CHECK(contains(outcome.out, "note: parameters end after"));
    }
}

TEST_CASE("a damaged file shows '?' and points to check") {
    const ScratchFolder folder;
    Image image = build_image(sample_spec(ImageGeneration::Core22));
    // No rt_ctx address in either place: the header length is unknown.
    image.set(0x5C, 0x70000000);
    image.set(0x64, 0x70000000);
    const std::string path = folder.write("m.bin", image.file);
    const Outcome outcome = info({path});
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, "note: the file is damaged"));
    CHECK(contains(outcome.out, "acts size            = ?\n"));
    const Json document = info_json(path);
    CHECK(document.at("damaged") == true);
    CHECK(document.at("reloc_binary_image").at("sections").at("header").is_null());
    CHECK(document.at("reloc_binary_image").at("rt_context").is_null());
    CHECK(document.at("generation").at("core") == "?");
    CHECK(document.at("generation").at("detected_by").get<std::string>().starts_with("not found"));
    const Outcome listing = info({path, "--disasm"});
    CHECK(listing.exit_code == 2);
    CHECK(contains(listing.err, "header is damaged"));
}

TEST_CASE("what is no container ends with exit code 2 and says what it is") {
    const ScratchFolder folder;
    const auto error = [&](const std::vector<std::uint8_t>& bytes) {
        const Outcome outcome = info({folder.write("x.bin", bytes)});
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out == "");
        return outcome.err;
    };
    CHECK(contains(error({}), "too few for a model header"));
    CHECK(contains(error(pattern(500, 3)), "not a model container"));
    const Outcome missing = info({folder.file("absent.bin")});
    CHECK(missing.exit_code == 2);
    CHECK(contains(missing.err, "no such file"));
    const Outcome directory = info({"/"});
    CHECK(directory.exit_code == 2);
}

TEST_CASE("a program or a network in place of a model was told to be no parameter file") {
    const ScratchFolder folder;
    const std::string program = folder.write("p.elf", std::string("\x7F"
                                                                  "ELF\1\1\1\0",
                                                                  8)),
                      network = folder.write("n.tflite", std::string("\x1c\0\0\0TFL3", 8)),
                      image = folder.write("i.hex", std::string(":020000040800F2\n"));
    for (const char* verb : {"info", "check", "ecdump", "install"}) {
        CAPTURE(verb);
        const Outcome of_program = run_process({N6VP_BINARY, verb, program});
        CHECK(of_program.exit_code == 2);
        std::string expected = "n6vp: ";
        expected += program;
        expected += " is a program, not a model\n      run it with --elf: n6vp run --elf ";
        expected += program;
        expected += "\n";
        CHECK(of_program.err == expected);
        const Outcome of_network = run_process({N6VP_BINARY, verb, network});
        CHECK(of_network.exit_code == 2);
        CHECK(contains(of_network.err, network + " is a TensorFlow Lite network, not a model\n"));
        CHECK(contains(of_network.err, "n6vp generate"));
        if (verb == std::string("info")) continue;  // shows its parts
        const Outcome of_image = run_process({N6VP_BINARY, verb, image});
        CHECK(of_image.exit_code == 2);
        CHECK(contains(of_image.err, image + " looks like an Intel HEX file, not a model\n"));
    }
}

TEST_CASE("every header word, set to extremes, still gives a report") {
    const ScratchFolder folder;
    const Image good = build_image(sample_spec(ImageGeneration::Core30));
    for (std::uint32_t offset = 8; offset < 0x68; offset += 4) {
        for (const std::uint32_t value : {0u, 1u, 0x7FFFFFFFu, 0xFFFFFFFFu, 0x20000000u,
                                          0x2FFFFFFFu, 0x40000000u, 0x4FFFFFFFu}) {
            Image image = good;
            image.set(offset, value);
            CAPTURE(offset);
            CAPTURE(value);
            const Outcome outcome = info({folder.write("m.bin", image.file), "--relocs", "--json"});
            CHECK(outcome.exit_code == 0);
            CHECK(Json::accept(outcome.out));
        }
    }
}

TEST_CASE("disassembly finds ranges, entries and relocations") {
    const ScratchFolder folder;
    ImageSpec spec = sample_spec(ImageGeneration::Core22);
    spec.code_bytes = 64;
    const Image image = build_image(spec);
    const std::string path = folder.write("m.bin", image.file);
    const Json by_range = info_json(path, {"--disasm", "0x60:8"}).at("disassembly");
    REQUIRE(by_range.size() == 4);
    CHECK(by_range[0].at("address") == "0x20000060");
    CHECK(by_range[0].at("text") == "bx lr");
    CHECK(info_json(path, {"--disasm", "0x20000060-0x20000068"}).at("disassembly") == by_range);
    const Json by_name = info_json(path, {"--disasm", "get_epoch_items"}).at("disassembly");
    CHECK(by_name[0].at("address") == "0x20000060");
    CHECK(contains(info({path, "--disasm", "0x60:4", "--at", "0x70000000"}).out,
                   "20000060  70000060  4770      bx lr"));
    for (const auto& words : {std::vector<std::string>{"around", "REL", "99999"},
                              {"nonsense"},
                              {"0x60:0"},
                              {"0x40000000:8"}}) {
        std::vector<std::string> all = {path, "--disasm"};
        all.insert(all.end(), words.begin(), words.end());
        const Outcome outcome = info(all);
        CHECK(outcome.exit_code == 2);
        CHECK(contains(outcome.err, "--disasm"));
    }
}

TEST_CASE("around REL n shows the patched read-only word as data") {
    const ScratchFolder folder;
    const Image image = build_image(clang_spec(ImageGeneration::Core22));
    const std::string path = folder.write("m.bin", image.file);
    const Json entries = info_json(path, {"--relocs"}).at("relocation_entries");
    bool found = false;
    for (const Json& entry : entries) {
        if (entry.at("section") != "RO") continue;
        found = true;
        const std::string number = std::to_string(entry.at("index").get<int>());
        std::size_t marked = 0;
        const Json lines = info_json(path, {"--disasm", "around", "REL", number}).at("disassembly");
        for (const Json& line : lines) {
            if (!line.contains("marked")) continue;
            ++marked;
            CHECK(line.at("address") == entry.at("target"));
            CHECK(line.at("text") == ".word " + entry.at("value").get<std::string>());
        }
        CHECK(marked == 1);
    }
    CHECK(found);
    CHECK(contains(info({path}).out, "COPY only"));
}

TEST_CASE("--symbols names functions, variables and listings") {
    const ScratchFolder folder;
    ImageSpec spec = minimal_spec(ImageGeneration::Core22);
    spec.code_bytes = 32;
    spec.data = {{ImageWord::Kind::Code, 9, true}, {ImageWord::Kind::Text, 0, true}};
    const std::string path = folder.write("m.bin", build_image(spec).file);
    n6vp::tests::FakeModel model;
    model.symbols = {{"my_function", 0x20000069, 1}, {"hooks", 0x40000000, 2}};
    const std::string elf = folder.write("m.elf", model.elf());
    const Json entries = info_json(path, {"--relocs", "--symbols", elf}).at("relocation_entries");
    REQUIRE(entries.size() >= 2);
    CHECK(entries[0].at("what") == "hooks");
    CHECK(entries[0].at("meaning") == "RO+0x69 (my_function)");
    CHECK(entries[1].at("what") == "hooks+0x4");
    CHECK(contains(entries[1].at("meaning").get<std::string>(), "(string \"sample\")"));
    const Json listing =
        info_json(path, {"--disasm", "my_function", "--symbols", elf}).at("disassembly");
    CHECK(listing[0].at("address") == "0x20000068");
    CHECK(listing[0].at("label") == "my_function");
    const Outcome broken = info({path, "--symbols", path});
    CHECK(broken.exit_code == 2);
    CHECK(contains(broken.err, "not an ELF file"));
}

// SPDX-License-Identifier: Apache-2.0
// Documents that scripts read: the keys of every object, and values that the test knows otherwise.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/loader/epoch_controller/ec_assembler.h"
#include "tests/sim/pack/pack_elf_builder.h"
#include "tests/support/image_builder.h"
#include "tests/support/legacy_builder.h"
#include "tests/support/process.h"

using namespace n6vp::test;
using nlohmann::json;

namespace {

using Texts = std::vector<std::string>;
/// Keys by the path of their object; `[]` is any element of an array.
using Groups = std::map<std::string, std::set<std::string>>;

void add_groups(const json& value, const std::string& path, Groups& groups) {
    if (value.is_array()) {
        for (const json& item : value) add_groups(item, path + "[]", groups);
    } else if (value.is_object()) {
        for (const auto& [key, item] : value.items()) {
            groups[path].insert(key);
            std::string inner = path;
            if (!path.empty()) inner += '.';
            add_groups(item, inner.append(key), groups);
        }
    }
}

/// Requires the keys "path: key key ..." of each line, and no others but those of `free` objects,
/// whose keys are names of the chip.
void check_keys(const json& document, const Texts& lines, const std::set<std::string>& free = {}) {
    Groups found, wanted;
    add_groups(document, "", found);
    for (const std::string& line : lines) {
        const std::size_t colon = line.find(':');
        std::istringstream keys(line.substr(colon + 1));
        for (std::string key; keys >> key;) wanted[line.substr(0, colon)].insert(key);
    }
    for (const auto& group : found) {
        if (free.contains(group.first)) continue;
        CAPTURE(group.first);
        CHECK(json(group.second) == json(wanted[group.first]));
    }
    for (const auto& group : wanted) CHECK_MESSAGE(found.contains(group.first), group.first);
}

json document(Texts words, int code = 0) {
    words.insert(words.begin(), N6VP_BINARY);
    words.emplace_back("--json");
    const Outcome outcome = run_process(words);
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == code);
    return json::parse(outcome.out);
}

std::string hex(std::uint32_t value) {
    std::array<char, 11> text{};
    std::snprintf(text.data(), text.size(), "0x%08x", value);
    return text.data();
}

constexpr std::uint32_t kFile = 0x71000000, kExec = 0x34060000, kExternal = 0x90100000;

const Texts kFinding = {
    ("findings[]: address closes ec_hit expected file file_offset found index option remedy rule "
     "section severity stage status vendor vendor_code what why"),
    "summary: errors hints verdict warnings", "mode: name value"};

Texts with(Texts lines, const Texts& more) {
    lines.insert(lines.end(), more.begin(), more.end());
    return lines;
}

}  // namespace

TEST_CASE("keys of info, and what the file's own words say") {
    const ScratchFolder folder;
    const Image image = build_image(sample_spec(ImageGeneration::Core30));
    const std::string file = folder.write("m.bin", image.file);
    const json info = document({"info", file, "--relocs", "--at", "0x71000000", "--exec",
                                "0x34060000:64K", "--disasm", "0x68:8"});
    const std::string link =
        ": entry_offset file_offset index installed_target installed_value meaning section "
        "section_offset space target value what";
    const std::string holds = ".holds: flash illegal param0 param1 ram zero";
    const std::string binary = "reloc_binary_image";
    check_keys(
        info,
        {(": bases damaged disassembly file file_map generation got_words notes params_file "
          "reloc_binary_image relocation_entries schema sizes statistics vector"),
         "bases: param0 param1 ram ro",
         "disassembly[]: address encoding label text",
         "file_map[]: bytes name note offset",
         "generation: contradiction core detected_by ll_aton",
         "got_words[]" + link,
         "relocation_entries[]" + link,
         binary + (": acts_size copy_size flags img_params_size img_size mempool_c_descriptors "
                   "params_offset params_size ro_size rt_context rw_size sections xip_size"),
         binary + (".flags: async_mode cpuid dbg_info description float-abi fpu raw reserved_bits "
                   "secure toolchain vers_major vers_minor"),
         binary + ".mempool_c_descriptors[]: addr dst flags_desc flags_raw foff meaning name size",
         binary + (".rt_context: acts_sz c_name cbs ext_ram_sz file_addr itf_network link_address "
                   "ll_instance params_bin_crc32 params_bin_sz params_sz ram_addr rom_addr "
                   "rt_c_struct_sizes rt_version rt_version_desc rt_version_extra rt_version_raw "
                   "state"),
         binary + ".rt_context.rt_c_struct_sizes: epochblock_item ll_buffer_info",
         binary + ".sections: bss data got header rel",
         ("sizes: arrays blobs code_sz copied_to_ram exec_ram_copy exec_ram_xip external_ram "
          "extra_sections header_and_rel params_file params_section"),
         "statistics: got relocations",
         "statistics.got: holds outside_file words",
         "statistics.got" + holds,
         "statistics.relocations: entries holds outside_file patches without_content",
         "statistics.relocations" + holds,
         "statistics.relocations.patches: illegal ram ro",
         "vector[]: built installed offset vendor_loader_reads word"});
    CHECK(info["file"] == file);
    CHECK(info["bases"] == json({{"param0", hex(kFile + image.params_at)},
                                 {"param1", hex(kExternal)},
                                 {"ram", hex(kExec)},
                                 {"ro", hex(kFile)}}));
    const json& part = info[binary];
    CHECK(part["img_size"] == image.file.size());
    CHECK(part["ro_size"] == image.ro_bytes);
    CHECK(part["rw_size"] == image.bss_end);
    CHECK(part["xip_size"] == image.exec_bytes(false));
    CHECK(part["copy_size"] == image.exec_bytes(true));
    CHECK(part["params_offset"] == image.params_at);
    CHECK(part["params_size"] == image.file.size() - image.params_at);
    CHECK(part["sections"] == json({{"header", image.header_bytes},
                                    {"data", image.data_end - image.ro_bytes},
                                    {"bss", image.bss_end - image.bss_start},
                                    {"got", 4 * image.got_words},
                                    {"rel", 4 * image.rel_count}}));
    CHECK(part["flags"]["raw"] == hex(image.word(4)));
    CHECK(part["flags"]["cpuid"] == "D22");
    // A context of 17 words: version, its text, sizes and the CRC of the raw parameters.
    const auto context = [&](std::uint32_t offset) { return image.word(image.context + offset); };
    const json& rt = part["rt_context"];
    CHECK(rt["state"] == hex(context(0)));
    CHECK(rt["file_addr"] == hex(context(4)));
    CHECK(rt["cbs"] == hex(context(0x10)));
    CHECK(rt["acts_sz"] == context(0x18));
    CHECK(rt["params_sz"] == context(0x1C));
    CHECK(rt["ext_ram_sz"] == context(0x20));
    CHECK(rt["rt_version_raw"] == hex(context(0x28)));
    CHECK(rt["rt_version_extra"] == context(0x2C));
    CHECK(rt["params_bin_sz"] == context(0x30));
    CHECK(rt["params_bin_crc32"] == hex(crc32(image.file.data() + image.params_at, context(0x30))));
    CHECK(rt["link_address"] == hex(0x40000000 + image.context - image.ro_bytes));
    REQUIRE(part["mempool_c_descriptors"].size() == image.pool_count);
    for (std::uint32_t i = 0; i < image.pool_count; ++i) {
        const json& pool = part["mempool_c_descriptors"][i];
        CHECK(pool["addr"] == hex(image.word(image.pool(i))));
        CHECK(pool["flags_raw"] == hex(image.word(image.pool(i) + 4)));
        CHECK(pool["foff"] == image.word(image.pool(i) + 8));
        CHECK(pool["dst"] == hex(image.word(image.pool(i) + 12)));
        CHECK(pool["size"] == image.word(image.pool(i) + 16));
    }
    REQUIRE(info["got_words"].size() == image.got_words);
    for (std::uint32_t i = 0; i < image.got_words; ++i) {
        const json& row = info["got_words"][i];
        CHECK(row["index"] == i);
        CHECK(row["entry_offset"] == image.got_word(i));
        CHECK(row["file_offset"] == image.got_word(i));
        CHECK(row["section"] == "GOT");
        CHECK(row["section_offset"] == 4 * i);
        CHECK(row["target"] == hex(0x40000000 + image.got_word(i) - image.ro_bytes));
        CHECK(row["installed_target"] == hex(kExec + image.got_word(i) - image.ro_bytes));
        CHECK(row["value"] == hex(image.word(image.got_word(i))));
    }
    REQUIRE(info["relocation_entries"].size() == image.rel_count);
    for (std::uint32_t i = 0; i < image.rel_count; ++i) {
        const json& row = info["relocation_entries"][i];
        const std::uint32_t target = image.word(image.relocation(i));
        CHECK(row["index"] == i);
        CHECK(row["entry_offset"] == image.relocation(i));
        CHECK(row["target"] == hex(target));
        CHECK(row["file_offset"] == image.ram(target));
        CHECK(row["value"] == hex(image.word(image.ram(target))));
    }
    CHECK(info["statistics"]["got"]["words"] == image.got_words);
    CHECK(info["statistics"]["relocations"]["entries"] == image.rel_count);
    CHECK(info["vector"].size() == image.vector_words);
    CHECK(info["disassembly"].size() == 4);
}

TEST_CASE("keys of check and install, and the places and sizes that they name") {
    const ScratchFolder folder;
    const Image image = build_image(sample_spec(ImageGeneration::Core30));
    const std::string file = folder.write("m.bin", image.file);
    const json check = document({"check", file});
    check_keys(check, with(kFinding,
                           {(": epoch_controller exec_ram ext_ram file findings firmware "
                             "grants mode notes params schema summary suppressed vendor"),
                            "epoch_controller: hits not_judged", "exec_ram: address bytes needed",
                            "ext_ram: address bytes needed", "file: address bytes path",
                            ("firmware: async dbg_info from_file generation ll_aton "
                             "secure text"),
                            "grants[]: address bytes", "notes[]: id severity text",
                            ("vendor: address bytes bytes_written code generation "
                             "ll_aton npu_cache_used rule status text")}));
    CHECK(check["file"] ==
          json({{"address", hex(kFile)}, {"bytes", image.file.size()}, {"path", file}}));
    CHECK(check["exec_ram"] ==
          json({{"address", hex(kExec)}, {"bytes", 655360}, {"needed", image.exec_bytes(false)}}));
    CHECK(check["ext_ram"]["bytes"] == 28311552);
    CHECK(check["vendor"]["code"] == 0);
    CHECK(check["vendor"]["status"] == "ok");
    CHECK(check["mode"] == json({{"name", "XIP"}, {"value", 1}}));
    const json small = document({"check", file, "--exec", "0x34060000:64"}, 1);
    CHECK(small["vendor"]["code"] == -2);
    CHECK(small["vendor"]["rule"] == "exec-too-small");
    CHECK(small["findings"][0]["option"] ==
          "--exec 0x34060000:" + std::to_string(image.exec_bytes(false)));

    const json install = document({"install", file});
    check_keys(install,
               {(": console copy_rates file firmware grade installed memory mode model not_timed "
                 "phases policy result schema status total_us"),
                "console: characters on",
                "copy_rates[]: derived_mb_s fitted_least_mb_s fitted_mb_s fitted_most_mb_s name",
                "memory: exec_ram ext_ram file params", "memory.exec_ram: address bytes",
                "memory.ext_ram: address bytes", "memory.file: address bytes",
                "memory.params: address bytes",
                "phases[]: accesses bandwidth_mb_s bus_transactions bytes name time_us",
                "result: got_words param0 param1 pools ram_base relocations ro_base rt_ctx state"});
    CHECK(install["result"] == json({{"got_words", image.got_words},
                                     {"param0", hex(kFile + image.params_at)},
                                     {"param1", hex(kExternal)},
                                     {"pools", image.pool_count},
                                     {"ram_base", hex(kExec)},
                                     {"relocations", image.rel_count},
                                     {"ro_base", hex(kFile)},
                                     {"rt_ctx", hex(kExec + image.context - image.ro_bytes)},
                                     {"state", 3}}));
    const Texts names = {"checks", "pools",  "RO copy",           "data/bss", "GOT",
                         "REL",    "finish", "cache maintenance", "console"};
    REQUIRE(install["phases"].size() == names.size());
    for (std::size_t i = 0; i < names.size(); ++i) CHECK(install["phases"][i]["name"] == names[i]);
    CHECK(install["memory"]["file"] ==
          json({{"address", hex(kFile)}, {"bytes", image.file.size()}}));
    CHECK(install["memory"]["params"] == json({{"address", hex(0)}, {"bytes", 0}}));
    // Each word is read and written; the image is copied up to .bss, which is cleared.
    CHECK(install["phases"][3]["bytes"] == image.bss_end);
    CHECK(install["phases"][4]["bytes"] == 8 * image.got_words);
    CHECK(install["phases"][5]["bytes"] == 12 * image.rel_count);
}

TEST_CASE("keys of info, check and install of the older family, and its words") {
    const ScratchFolder folder;
    const LegacyImage image = build_legacy(legacy_sample());
    const std::string file = folder.write("l.bin", image.file);
    const json info = document({"info", file, "--relocs", "--at", "0x08020000", "--exec",
                                "0x20001000:4K", "--disasm", "0x64:8"});
    const std::string link =
        ": entry_offset index installed_value meaning target target_meaning value";
    const std::string counts = ": flash illegal ram without_content words zero";
    check_keys(info,
               {(": disassembly entries family file flags got_words layout relocation_entries "
                 "rt_context schema sizes statistics"),
                "disassembly[]: address encoding label text", "entries[]: installed name word",
                "flags: core cpuid float-abi fpu raw toolchain vers_major vers_minor",
                "got_words[]" + link, "relocation_entries[]" + link,
                ("layout: act_size bin_size bss data flash_extra flash_size got header ram_extra "
                 "ram_size rel rodata txt weights"),
                "rt_context: act_size bytes c_name crc_callbacks link_address weights_size",
                "sizes: copied_to_ram ro rt_ram_copy rt_ram_xip rw", "statistics: got relocations",
                "statistics.got" + counts, "statistics.relocations" + counts});
    CHECK(info["family"] == "legacy");
    CHECK(info["sizes"] == json({{"copied_to_ram", image.bss_start},
                                 {"ro", image.ro_bytes},
                                 {"rt_ram_copy", image.ram_bytes(true)},
                                 {"rt_ram_xip", image.ram_bytes(false)},
                                 {"rw", image.bss_end}}));
    CHECK(info["rt_context"] ==
          json({{"act_size", 736},
                {"bytes", 60},
                {"c_name", "network"},
                {"crc_callbacks", true},
                {"link_address", hex(0x80000000 + image.context - image.ro_bytes)},
                {"weights_size", 0}}));
    CHECK(info["flags"] == json({{"core", "Cortex-M33"},
                                 {"cpuid", "D21"},
                                 {"float-abi", 2},
                                 {"fpu", true},
                                 {"raw", "0x20085d21"},
                                 {"toolchain", "ARM_GCC"},
                                 {"vers_major", 2},
                                 {"vers_minor", 0}}));
    const Texts entries = {"create",           "init",
                           "init_v2",          "run",
                           "report",           "error",
                           "destroy",          "forward",
                           "plt_obs_register", "plt_obs_unregister",
                           "plt_obs_node_info"};
    REQUIRE(info["entries"].size() == entries.size());
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        const std::uint32_t word = image.word(0x34 + 4 * i);
        CHECK(info["entries"][i] == json({{"name", entries[i]},
                                          {"word", hex(word)},
                                          {"installed", hex(word - 0x20000000 + 0x08020000)}}));
    }
    REQUIRE(info["relocation_entries"].size() == image.rel_count);
    for (std::uint32_t i = 0; i < image.rel_count; ++i) {
        const json& row = info["relocation_entries"][i];
        CHECK(row["index"] == i);
        CHECK(row["entry_offset"] == image.relocation(i));
        CHECK(row["target"] == hex(image.word(image.relocation(i))));
    }

    const json check = document({"check", file});
    check_keys(check, with(kFinding,
                           {(": activations core family file findings mode notes ram "
                             "schema summary suppressed vendor weights"),
                            "activations: address needed", "core: from_file name",
                            "file: address bytes path", "ram: address bytes needed_copy needed_xip",
                            "vendor: bytes_written rule status text",
                            "weights: address in_file needed path"}));
    CHECK(check["activations"]["needed"] == 736);
    CHECK(check["ram"]["needed_xip"] == image.ram_bytes(false));
    CHECK(check["ram"]["needed_copy"] == image.ram_bytes(true));
    CHECK(check["file"]["bytes"] == image.file.size());
    CHECK(check["core"] == json({{"from_file", true}, {"name", "Cortex-M33"}}));

    const json install = document({"install", file});
    check_keys(install,
               {(": chip core family file installed memory mode model phases policy result "
                 "schema status"),
                "memory: file needed_copy needed_xip ram", "memory.file: address bytes memory",
                "memory.ram: address bytes memory",
                "phases[]: cleared_bytes copied_bytes name words_stored",
                "result: got handle ram_base relocations ro_base state",
                "result.got: flash ram words zero", "result.relocations: flash ram words zero"});
    const auto row = [](const char* name, std::uint32_t copied, std::uint32_t cleared,
                        std::uint32_t stored) {
        return json({{"name", name},
                     {"copied_bytes", copied},
                     {"cleared_bytes", cleared},
                     {"words_stored", stored}});
    };
    // State, both bases and the block of the heap are stored at the end.
    CHECK(install["phases"] ==
          json({row("ro-copy", 0, 0, 0),
                row("data-bss", image.bss_start, image.bss_end - image.bss_start, 0),
                row("got", 0, 0, 7), row("relocation", 0, 0, image.rel_count),
                row("finish", 0, 0, 4)}));
    const LegacyPlace place{0x08040000, 0x20000000, false, 0};
    CHECK(install["result"]["handle"] == hex(legacy_handle(image.file, place)));
    CHECK(install["result"]["ram_base"] == "0x20000000");
    CHECK(install["result"]["ro_base"] == "0x08040000");
    CHECK(install["result"]["state"] == 3);
    CHECK(install["result"]["got"] == json({{"words", 7}, {"ram", 2}, {"flash", 2}, {"zero", 3}}));
    CHECK(install["result"]["relocations"] ==
          json({{"words", 5}, {"ram", 2}, {"flash", 2}, {"zero", 1}}));
}

TEST_CASE("keys of map, of the STM32N6 and of an older chip") {
    check_keys(
        document({"map", "0x34100010", "0x34420000", "0x341f0000:128K"}),
        {": clocks interrupts peripherals regions resolved schema",
         "clocks[]: confidence name no_overdrive_hz overdrive_hz source",
         "interrupts[]: count line name", "peripherals[]: name non_secure secure",
         ("regions[]: bytes clock confidence core_path d_cache double_rate fitted_bytes kind "
          "largest_bytes name non_secure note npu npu_cacheable risaf secure source "
          "width_bits")},
        {"resolved[]", "resolved[].nearest", "resolved[].pieces[]"});
    const json chip = document({"map", "--chip", "stm32l4r5", "0x20000010"});
    check_keys(chip, {": chip interrupts memories peripherals resolved schema",
                      "chip: console core max_hz name reset_hz secure_offset title vectors",
                      "interrupts[]: line name",
                      "memories[]: aliases bytes kind name port start width_bits",
                      "peripherals[]: base bytes clock_bit clock_register lines name",
                      "resolved[]: address bytes memory offset"});
    // Of the data sheet.
    CHECK(chip["chip"] == json({{"console", "LPUART1"},
                                {"core", "cortex-m4"},
                                {"max_hz", 120'000'000},
                                {"name", "stm32l4r5"},
                                {"reset_hz", 4'000'000},
                                {"secure_offset", "0x00000000"},
                                {"title", "STM32L4R5"},
                                {"vectors", "0x00000000"}}));
    CHECK(chip["memories"][0]["start"] == "0x08000000");
    CHECK(chip["memories"][0]["bytes"] == 2 << 20);
    CHECK(chip["memories"][0]["aliases"] == json({"0x00000000"}));
    CHECK(chip["resolved"] ==
          json::array(
              {{{"address", "0x20000010"}, {"bytes", 1}, {"memory", "sram1"}, {"offset", 16}}}));
}

TEST_CASE("keys of pack, and the sizes of what it wrote") {
    const ScratchFolder folder;
    const n6vp::tests::FakeModel fake;
    const std::string elf = folder.write("m.elf", fake.elf()), out = folder.file("out.bin");
    const json pack = document({"pack", elf, "-o", out});
    const std::string binary = "reloc_binary_image";
    check_keys(
        pack,
        {": created-date gen_files generation notes reloc_binary_image schema version versions",
         "gen_files[]: path size", "versions: n6vp",
         binary + (": acts_size copy_size flags img_params_size img_size mempool_c_descriptors "
                   "params_offset params_size ro_size rt_context rw_size sections xip_size"),
         binary + (".flags: async_mode cpuid dbg_info description float-abi fpu secure toolchain "
                   "vers_major vers_minor"),
         binary + ".mempool_c_descriptors[]: addr dst flags_desc flags_raw foff name size",
         binary +
             (".rt_context: acts_sz c_name ext_ram_sz params_bin_crc32 params_bin_sz params_sz "
              "rt_c_struct_sizes rt_version rt_version_desc rt_version_extra"),
         binary + ".rt_context.rt_c_struct_sizes: epochblock_item ll_buffer_info",
         binary + ".sections: bss data got header rel"});
    const std::string bytes = read_text(out);
    CHECK(pack["gen_files"] == json::array({{{"path", out}, {"size", bytes.size()}}}));
    const json& part = pack[binary];
    CHECK(part["img_size"] == bytes.size());
    CHECK(part["ro_size"] == fake.flash.size());
    CHECK(part["rw_size"] == fake.bss_address - fake.data_address + fake.bss_bytes);
    CHECK(part["xip_size"] == part["rw_size"]);
    CHECK(part["copy_size"] == fake.flash.size() + part["rw_size"].get<std::size_t>());
    CHECK(part["sections"]["header"] == 104);
    CHECK(part["sections"]["bss"] == fake.bss_bytes);
    CHECK(part["sections"]["data"] == n6vp::tests::FakeModel::kGot);
    // Flash, what is copied up to .bss, and the relocation table stand before the parameters.
    CHECK(part["sections"]["rel"].get<std::size_t>() + fake.flash.size() + fake.bss_address -
              fake.data_address ==
          part["params_offset"].get<std::size_t>());
    const auto at = part["params_offset"].get<std::size_t>();
    CHECK(at + part["params_size"].get<std::size_t>() == bytes.size());
    CHECK(part["rt_context"]["params_bin_crc32"] ==
          hex(crc32(reinterpret_cast<const std::uint8_t*>(bytes.data()) + at, bytes.size() - at)));
    // What info reads of the file is what pack says.
    const json info = document({"info", out});
    for (const char* key :
         {"acts_size", "copy_size", "img_params_size", "img_size", "params_offset", "params_size",
          "ro_size", "rw_size", "sections", "xip_size"}) {
        CAPTURE(key);
        CHECK(info[binary][key] == part[key]);
    }
}

TEST_CASE("keys of ecdump, and what the assembled words say") {
    const ScratchFolder folder;
    const EcProgram program = sample_program();
    const EcImage ec = build_ec(kEcMagic0050, program.words, {{"sym", program.addresses[0]}},
                                {{"pat", {program.other_operand}}});
    const json dump = document({"ecdump", folder.write("c.bin", ec.bytes), "--listing"});
    const std::string runs = "blobs[].epochs[].runs[]";
    check_keys(dump,
               {": blobs schema undecoded_magics",
                ("blobs[]: blob_offset epochs fault findings in_params_file instructions kind "
                 "listing magic offset patches relocated_words symbols words"),
                "blobs[].epochs[]: first_word instructions label runs words",
                runs + ": enabled links units waited", runs + ".links[]: destination text value",
                runs + ".units[]: arrays registers unit",
                runs + ".units[].registers[]: fields place register value",
                "blobs[].findings[]: expected found offset rule severity what word",
                "blobs[].listing[]: meaning text word"},
               {"blobs[].instructions", runs + ".units[].registers[].fields"});
    const json& blob = dump["blobs"][0];
    CHECK(blob["kind"] == "container");
    CHECK(blob["magic"] == "0xecbf0050");
    CHECK(blob["offset"] == "0x00000000");
    CHECK(blob["blob_offset"] == hex(ec.blob));
    CHECK(blob["words"] == program.words.size());
    CHECK(blob["relocated_words"] == program.addresses[0].size());
    CHECK(blob["symbols"] == json({"sym"}));
    CHECK(blob["patches"] == json({"pat"}));
    CHECK(blob["in_params_file"] == false);
    // As the assembler was called.
    CHECK(blob["instructions"] == json({{"burstwrite", 2},
                                        {"burstwriteinc", 5},
                                        {"irq", 1},
                                        {"label", 2},
                                        {"poll", 3},
                                        {"write", 7},
                                        {"writefield", 6}}));
    REQUIRE(blob["epochs"].size() == 2);
    CHECK(blob["epochs"][0]["first_word"] == 0);
    CHECK(blob["epochs"][0]["instructions"] == 24);
    CHECK(blob["epochs"][0]["words"] == program.words.size() - 2);
    CHECK(blob["epochs"][1]["first_word"] == program.words.size() - 2);
    CHECK(blob["epochs"][1]["label"] == 2);
    CHECK(blob["listing"].size() == 26);
    CHECK(dump["undecoded_magics"] == 0);
}

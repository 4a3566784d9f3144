// SPDX-License-Identifier: Apache-2.0
// What pack refuses: every fault has its own message, and no input crashes it.
#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/host/elf.h"
#include "sim/host/errors.h"
#include "sim/pack/container_image.h"
#include "sim/pack/linked_model.h"
#include "sim/pack/relocations.h"
#include "tests/sim/pack/pack_elf_builder.h"

namespace {

using namespace n6vp;
using sim::pack::PackRequest;
using tests::FakeModel;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kClangFlags = 0x80695D22;

/// Packs and returns the message and remedy of the refusal, or "" if there was none.
std::string refusal(const Bytes& elf, const PackRequest& request = {}) {
    try {
        const sim::ElfFile file(elf, "model.elf");
        sim::pack::LinkedModel model = sim::pack::link_model(file);
        const sim::pack::PackedContainer packed = sim::pack::build_container(model, request);
        (void)sim::pack::check_container(packed);
        return {};
    } catch (const sim::UserError& error) {
        CHECK(error.exit_code() == 2);
        CHECK_FALSE(error.remedy().empty());
        return error.what();
    }
}

struct Fault {
    std::string expected;  ///< part of the message
    std::function<void(FakeModel&)> spoil;
    PackRequest request = {};
};

/// Adds a relocation of the given type in .flash, the usual place of code.
std::function<void(FakeModel&)> code_relocation(std::uint32_t type) {
    return [type](FakeModel& model) {
        model.relocations.push_back({0x20000000 + FakeModel::kText + 4, type, 2, ".flash"});
    };
}

std::function<void(FakeModel&)> flash_word(std::size_t offset, std::uint32_t value) {
    return [=](FakeModel& model) { model.put(model.flash, offset, value); };
}

std::function<void(FakeModel&)> data_word(std::size_t offset, std::uint32_t value) {
    return [=](FakeModel& model) { model.put(model.data, offset, value); };
}

/// Turns the model into a clang one: other flags, no GOT.
void make_clang(FakeModel& model) {
    model.put(model.flash, 4, kClangFlags);
    model.put(model.flash, 0x20, 0x40000074);
    model.data.resize(FakeModel::kGot);
}

FakeModel spoiled(const Fault& fault) {
    FakeModel model;
    fault.spoil(model);
    return model;
}

void check_all(const std::vector<Fault>& faults) {
    std::map<std::string, std::string> seen;
    for (const Fault& fault : faults) {
        CAPTURE(fault.expected);
        const std::string message = refusal(spoiled(fault).elf(), fault.request);
        CAPTURE(message);
        CHECK(message.find(fault.expected) != std::string::npos);
        const auto entry = seen.emplace(message, fault.expected);
        CHECK_MESSAGE(entry.second, "same message as: ", entry.first->second);
    }
}

PackRequest with_pool(const std::string& name) {
    PackRequest request;
    request.pools[name] = Bytes(24, 1);
    return request;
}

sim::pack::PackRequest for_generation(loader::Generation generation) {
    PackRequest request;
    request.generation = generation;
    return request;
}

}  // namespace

TEST_CASE("pack: the unspoiled model is accepted") {
    const FakeModel model;
    CHECK(refusal(model.elf()).empty());
    FakeModel clang;
    make_clang(clang);
    CHECK(refusal(clang.elf()).empty());
}

TEST_CASE("pack: ELF files of the wrong kind are named") {
    check_all({
        {"is not a 32-bit", [](FakeModel& m) { m.byte_order = 2; }},
        {"ELF machine 62", [](FakeModel& m) { m.machine = 62; }},
        {"is an object file", [](FakeModel& m) { m.elf_type = 1; }},
        {"not a statically linked executable", [](FakeModel& m) { m.elf_type = 3; }},
        {"no symbol table",
         [](FakeModel& m) {
             m.symbol_table = false;
             m.relocations.clear();
         }},
        {"two symbol tables", [](FakeModel& m) { m.second_symbol_table = true; }},
        {"kept no relocations", [](FakeModel& m) { m.relocations.clear(); }},
        {"with addends", [](FakeModel& m) { m.with_addends = true; }},
        {"relocations without symbol table",
         [](FakeModel& m) { m.relocations_without_symbols = true; }},
        {"outside that section", [](FakeModel& m) { m.relocations[0].address = 0x40000082; }},
        {"symbol number 9 of 3", [](FakeModel& m) { m.relocations[0].symbol = 9; }},
        {"not linked from hard-float", [](FakeModel& m) { m.elf_flags = 0x05000000; }},
    });
    FakeModel wide;
    wide.elf_class = 2;
    CHECK(refusal(wide.elf()) != "");
    CHECK(refusal(Bytes(100, 'x')).find("is not an ELF file") != std::string::npos);
    CHECK(refusal({}).find("is not an ELF file") != std::string::npos);
}

TEST_CASE("pack: no truncated file is accepted") {
    const Bytes whole = FakeModel().elf();
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
        CAPTURE(bytes);
        CHECK_FALSE(
            refusal(Bytes(whole.begin(), whole.begin() + static_cast<long>(bytes))).empty());
    }
    // A section whose end lies outside while the tables survive.
    Bytes grown = whole;
    const std::size_t headers = grown.size() - std::size_t{10} * 40;
    std::uint32_t shoff = 0;
    std::copy_n(grown.begin() + 32, 4, reinterpret_cast<std::uint8_t*>(&shoff));
    REQUIRE(shoff <= headers);
    grown.at(shoff + 40 + 22) = 0x01;  // sh_size of .flash, third byte
    CHECK(refusal(grown).find("is cut short: section 1 ('.flash')") != std::string::npos);
}

TEST_CASE("pack: relocation types that cannot move are refused by name") {
    std::vector<Fault> faults;
    const std::pair<std::uint32_t, const char*> types[] = {
        {9, "R_ARM_SBREL32"},
        {24, "R_ARM_GOTOFF32"},
        {25, "R_ARM_BASE_PREL"},
        {38, "R_ARM_TARGET1"},
        {41, "R_ARM_TARGET2"},
        {42, "R_ARM_PREL31"},
        {47, "R_ARM_THM_MOVW_ABS_NC"},
        {48, "R_ARM_THM_MOVT_ABS"},
        {49, "R_ARM_THM_MOVW_PREL_NC"},
        {50, "R_ARM_THM_MOVT_PREL"},
        {87, "R_ARM_THM_MOVW_BREL_NC"},
        {88, "R_ARM_THM_MOVT_BREL"},
        {102, "R_ARM_THM_JUMP11"},
        {103, "R_ARM_THM_JUMP8"},
        {200, "R_ARM_200"},
    };
    for (const auto& type : types) {
        faults.push_back(
            {std::string(type.second) + " at 0x2000006C", code_relocation(type.first)});
    }
    check_all(faults);
    for (const std::uint32_t type : {0u, 3u, 10u, 26u, 30u, 96u}) {
        CAPTURE(type);
        FakeModel model;
        code_relocation(type)(model);
        CHECK(refusal(model.elf()).empty());
    }
    for (const std::uint32_t type : {49u, 50u}) {
        CAPTURE(type);
        FakeModel model;
        make_clang(model);
        code_relocation(type)(model);
        CHECK(refusal(model.elf()).empty());
    }
}

TEST_CASE("pack: relocations in the wrong place or with the wrong value are refused") {
    const auto add = [](std::uint32_t address, std::uint32_t type, std::uint32_t symbol,
                        const char* section) {
        return [=](FakeModel& m) { m.relocations.push_back({address, type, symbol, section}); };
    };
    check_all({
        {"'nowhere': the symbol is not resolved",
         [](FakeModel& m) {
             m.symbols.push_back({"nowhere", 0, 0});
             m.relocations[0].symbol = 3;
         }},
        {"absolute address in the read-only part", add(0x2000006C, 2, 2, ".flash")},
        {"a space that the loader does not patch",
         [](FakeModel& m) {
             m.extra.push_back({".params_0", 1, 2, 0x80000000, Bytes(8, 0), 0});
             m.relocations.push_back({0x80000000, 2, 1, ".params_0"});
         }},
        {"not part of the image", add(0x40000088, 2, 1, ".bss")},
        {"not aligned to 4", add(0x40000006, 2, 1, ".data")},
        {"second absolute relocation", add(0x40000000, 2, 1, ".data")},
        {"moves separately", add(0x2000006C, 3, 1, ".flash")},
        {"r9 does not lead to 0x20000069",
         [](FakeModel& m) {
             make_clang(m);
             m.relocations.push_back({0x2000006C, 87, 2, ".flash"});
         }},
        {"holds 0x10000000, in no space", data_word(0, 0x10000000)},
        {"holds 0xA0000000, in no space", data_word(0, 0xA0000000)},
        {"holds 0x40000099, beyond", data_word(0, 0x40000099)},
        {"holds 0x20000091, beyond", data_word(0, 0x20000091)},
        {"holds 0x40000078, between .data and .bss", data_word(0, 0x40000078)},
        {"GOT word at 0x40000074", data_word(FakeModel::kGot, 0x30000000)},
    });
}

TEST_CASE("pack: the first word behind the header is code like any other") {
    FakeModel model;
    make_clang(model);
    model.put(model.flash, FakeModel::kText, 0x20000000 + FakeModel::kText + 1);
    model.relocations.push_back({0x20000000 + FakeModel::kText, 2, 2, ".flash"});
    const sim::ElfFile file(model.elf(), "model.elf");
    sim::pack::LinkedModel linked = sim::pack::link_model(file);
    CHECK(sim::pack::collect_relocations(file, linked).back() == 0x40000000 + FakeModel::kPools);
    CHECK(sim::pack::collect_relocations(file, linked).front() == 0x20000000 + FakeModel::kText);
}

TEST_CASE("pack: a word that begins at the end of the image is not part of it") {
    FakeModel model;
    model.relocations.push_back({0x40000084, 2, 1, ".bss"});
    model.bss_address = 0x40000084;
    model.bss_bytes = 20;
    model.put(model.flash, 0x14, 0x40000084);  // bss_start
    CHECK(refusal(model.elf()).find("at 0x40000084") != std::string::npos);
    CHECK(refusal(model.elf()).find("not part of the image") != std::string::npos);
}

TEST_CASE("pack: the address of the end of .data is a legal pointer") {
    FakeModel model;
    model.put(model.data, 0, 0x40000074);
    CHECK(refusal(model.elf()).empty());
    model.put(model.data, 0, 0x40000075);
    CHECK(refusal(model.elf()).find("between .data and .bss") != std::string::npos);
}

TEST_CASE("pack: a flash pool behind containers begins with them and holds its weights, too") {
    const sim::ElfFile file(FakeModel().elf(), "model.elf");
    sim::pack::LinkedModel model = sim::pack::link_model(file);
    model.blobs = Bytes(64, 7);
    PackRequest request;
    request.ecblob_in_params = true;
    const sim::pack::PackedContainer packed = sim::pack::build_container(model, request);
    REQUIRE(packed.pools.size() == 1);
    CHECK(packed.pools[0].foff == 0);
    CHECK(packed.pools[0].bytes == 64 + 24);
}

TEST_CASE("pack: header and tables that do not fit the sections are refused") {
    check_all({
        {"no runtime loadable model header", flash_word(0, 0)},
        {"neither 0x5C nor 0x64", flash_word(0x64, 0x20000069)},
        {"vector word 0x34", flash_word(0x34, 0x20000068)},
        {"vector word 0x38", flash_word(0x38, 0x40000001)},
        {"vector word 0x3C", flash_word(0x3C, 0x20000091)},
        {"vector word 0x40", flash_word(0x40, 0x20000035)},
        {"data_start is not", flash_word(0x08, 0x40000004)},
        {"data_data is 0x20000088", flash_word(0x10, 0x20000088)},
        {"section bound 0x40000076", flash_word(0x0C, 0x40000076)},
        {"section bound 0x50000074", flash_word(0x0C, 0x50000074)},
        {"do not follow each other", flash_word(0x14, 0x40000080)},
        {"'.bss' lies outside", [](FakeModel& m) { m.bss_bytes = 32; }},
        {"interface version is not 8.0", flash_word(0x04, 0x20785D22)},
        {"bits 15 and 23 are reserved", flash_word(0x04, 0x80F85D22)},
        {"not the Cortex-M55", flash_word(0x04, 0x80785C24)},
        {"none of 8 (GCC)", flash_word(0x04, 0x80705D22)},
        {"not hard float with FPU", flash_word(0x04, 0x80781D22)},
        {"a clang model must not have a GOT; this one has 4", flash_word(0x04, kClangFlags)},
        {"rt_ctx does not lie in .data", flash_word(0x64, 0x40000040)},
        {"rt_ctx.c_name is at 0x40000000", data_word(FakeModel::kContext + 0x14, 0x40000000)},
        {"rt_ctx.rt_version_desc is at 0x20000090",
         data_word(FakeModel::kContext + 0x24, 0x20000090)},
        {"rt_ctx.c_name is longer", data_word(FakeModel::kContext + 0x14, 0x2000008C)},
        {"runtime version 1.1.2", data_word(FakeModel::kContext + 0x28, 0x01010200)},
        {"header of 96 bytes, this one has 104", data_word(FakeModel::kContext + 0x28, 0x01010100)},
        {"rt_c_struct_sizes is 0x1438", data_word(FakeModel::kContext + 0x38, 0x1438)},
        {"pool table is not in .data", flash_word(0x2C, 0x2000004C)},
        {"pool table has no terminator", flash_word(0x0C, 0x40000060)},
        {"external RAM pool has 0 bytes", data_word(FakeModel::kContext + 0x20, 8)},
        {"two pools are named 'w'",
         [](FakeModel& m) {
             m.put(m.data, FakeModel::kPools + 20, 0x20000000 + FakeModel::kStrings + 20);
             m.put(m.data, FakeModel::kPools + 24, 0x03020200);
             m.put(m.flash, 0x0C, 0x40000088);
             m.put(m.flash, 0x1C, 0x40000088);
             m.put(m.flash, 0x20, 0x40000098);
             m.put(m.flash, 0x14, 0x4000009C);
             m.put(m.flash, 0x18, 0x400000AC);
             m.data.insert(m.data.begin() + FakeModel::kGot, 20, 0);
             m.bss_address = 0x4000009C;
         }},
    });
}

TEST_CASE("pack: sections outside the format's spaces are refused") {
    const auto section = [](const char* name, std::uint32_t address, const Bytes& content) {
        return [=](FakeModel& m) { m.extra.push_back({name, 1, 2, address, content, 0}); };
    };
    check_all({
        {"'.stray' is linked at 0x08000000", section(".stray", 0x08000000, Bytes(4, 0))},
        {"initialised data into external RAM", section(".ext", 0x90000000, Bytes(4, 0))},
        {"'.more' at 0x20000010 overlaps", section(".more", 0x20000010, Bytes(4, 0))},
        {"'.far' leaves its address space of 16 MiB", section(".far", 0x21000000, Bytes(4, 0))},
        {"'.hole' of the read-only space has no content",
         [](FakeModel& m) {
             m.extra.push_back({".hole", 8, 2, 0x20001000, {}, 16});
         }},
    });
    FakeModel trash;
    trash.extra.push_back({".trash", 1, 2, 0xF0000000, Bytes(64, 7), 0});
    CHECK(refusal(trash.elf()).empty());
}

TEST_CASE("pack: requests that contradict the model are refused") {
    PackRequest blobs, split;
    blobs.ecblob_in_params = true;
    split.split = true;
    const auto none = [](FakeModel&) {};
    const auto no_payload = [](FakeModel& m) { m.extra.clear(); };
    const auto reset_pool = data_word(FakeModel::kPools + 4, 0x03020200);
    const auto emptied = [reset_pool](FakeModel& m) {
        m.extra.clear();
        reset_pool(m);
    };
    check_all({
        {"generation 3.0, not 2.2", none, for_generation(loader::Generation::Core22)},
        {"no epoch-controller container", none, blobs},
        {"--split: the model has no parameters", emptied, split},
        {"--pool x: the model has no pool", none, with_pool("x")},
        {"--pool w: that pool holds no parameters", emptied, with_pool("w")},
        {"pool 'w' has parameters but no content", no_payload},
        {".pool.w belongs to no pool", reset_pool},
        {".pool.other belongs to no pool",
         [](FakeModel& m) {
             m.extra.push_back({".pool.other", 1, 0, 0, Bytes(8, 0), 0});
         }},
        {"the parameters exceed 128 MiB", data_word(FakeModel::kPools + 16, 0xFFFFFFFF)},
    });
}

TEST_CASE("pack: a model without parameters is worth a note") {
    FakeModel fake;
    fake.extra.clear();
    fake.put(fake.data, FakeModel::kPools + 4, 0x03020200);
    const sim::ElfFile file(fake.elf(), "model.elf");
    sim::pack::LinkedModel model = sim::pack::link_model(file);
    const sim::pack::PackedContainer packed = sim::pack::build_container(model, {});
    CHECK(packed.params_offset == 0);
    CHECK(packed.raw_crc == 0);
    REQUIRE(model.notes.size() == 1);
    CHECK(model.notes[0].find("PARAM_ADDR") != std::string::npos);
}

TEST_CASE("pack: hostile bytes never crash it") {
    const Bytes whole = FakeModel().elf();
    std::uint32_t state = 12345;  // a linear congruential generator: the same cases every time
    const auto next = [&state] { return (state = state * 1664525 + 1013904223) >> 8; };
    int accepted = 0;
    for (int round = 0; round < 20000; ++round) {
        Bytes bytes = whole;
        for (std::uint32_t flips = 1 + next() % 4; flips != 0; --flips) {
            bytes[next() % bytes.size()] = static_cast<std::uint8_t>(next());
        }
        try {
            accepted += refusal(bytes).empty() ? 1 : 0;
        } catch (const std::exception& error) {
            FAIL("round ", round, ": ", error.what());
        }
    }
    // Most flips hit bytes that matter; some hit padding or code.
    CHECK(accepted > 0);
    CHECK(accepted < 20000);
}

// SPDX-License-Identifier: Apache-2.0
// Names of addresses, for faults and listings.
#include <doctest/doctest.h>
#include <elf.h>

#include <cstring>
#include <vector>

#include "sim/host/demangle.h"
#include "sim/host/elf.h"
#include "sim/host/errors.h"
#include "tests/sim/pack/pack_elf_builder.h"

using n6vp::sim::ElfFile;
using n6vp::tests::FakeModel;

namespace {

constexpr std::uint32_t kFlash = 0x20000000;  // section 1 of FakeModel

}  // namespace

TEST_CASE("elf: a place is told by its function, not by its section, a label or a comment") {
    FakeModel model;
    // Address 0, not SHF_ALLOC; the last section, so that it gets the number after .bss.
    model.extra.push_back({".comment", SHT_PROGBITS, 0, 0, {'g', 'c', 'c', 0}, 0});
    constexpr std::uint16_t kComment = 4;
    model.symbols = {
        {".flash", kFlash, 1, STT_SECTION},         {".comment", 0, kComment, STT_SECTION},
        {"in_comment", 0, kComment, STT_NOTYPE},    {"absolute", 0x10, SHN_ABS, STT_NOTYPE},
        {"start", kFlash + 1, 1, STT_FUNC, 0x20},   {"label", kFlash + 0x10, 1, STT_NOTYPE},
        {"table", kFlash + 0x30, 1, STT_OBJECT, 8}, {"same_place", kFlash + 0x40, 1, STT_NOTYPE},
        {"last", kFlash + 0x41, 1, STT_FUNC},  // assembler, without a size
    };
    model.relocations.clear();
    const ElfFile file(model.elf(), "x.elf");
    CHECK(file.describe(kFlash) == "start+0x0");
    CHECK(file.describe(kFlash + 0x1E) == "start+0x1E");
    CHECK(file.describe(kFlash + 0x24) == "label+0x14");  // behind the function
    CHECK(file.describe(kFlash + 0x34) == "table+0x4");
    CHECK(file.describe(kFlash + 0x44) == "last+0x4");
    CHECK(file.describe(0).empty());
    CHECK(file.describe(0x20).empty());
}

TEST_CASE("elf: C++ functions have the names of their source") {
    FakeModel model;
    // Encoded by hand after the Itanium C++ ABI, 5.1.
    model.symbols = {
        {"_ZN3app6filter4stepEij", kFlash + 1, 1, STT_FUNC, 0x20},
        {"_Znot_a_name", kFlash + 0x21, 1, STT_FUNC, 0x10},
    };
    model.relocations.clear();
    const ElfFile file(model.elf(), "x.elf");
    CHECK(file.describe(kFlash + 2) == "app::filter::step(int, unsigned int)+0x2");
    CHECK(file.describe(kFlash + 0x20) == "_Znot_a_name+0x0");
}

TEST_CASE("elf: a C++ name that doubles itself thirty times stays as it is") {
    // f(b<b<... , S0_>, S0_>): each level refers to the one within it.
    std::string type = "1aIiiE";
    for (int level = 0; level < 30; ++level) type.insert(0, "1bI").append("S0_E");
    const std::string name = "_Z1f" + type;
    CHECK(n6vp::sim::demangled(name) == name);
    CHECK(n6vp::sim::demangled("_Z1fv") == "f()");
    CHECK(n6vp::sim::demangled("main") == "main");
}

TEST_CASE("elf: a number of sections that the header cannot hold stands in the first of them") {
    const FakeModel model;
    std::vector<std::uint8_t> bytes = model.elf();
    const ElfFile plain(bytes, "x.elf");
    // By the gABI: e_shnum is 0, e_shstrndx SHN_XINDEX; sh_size and sh_link of section 0 have both.
    Elf32_Ehdr header{};
    std::memcpy(&header, bytes.data(), sizeof header);
    Elf32_Shdr first{};
    std::memcpy(&first, bytes.data() + header.e_shoff, sizeof first);
    first.sh_size = header.e_shnum;
    first.sh_link = header.e_shstrndx;
    header.e_shnum = 0;
    header.e_shstrndx = SHN_XINDEX;
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + header.e_shoff, &first, sizeof first);
    const ElfFile extended(bytes, "x.elf");
    REQUIRE(extended.sections().size() == first.sh_size);
    CHECK(extended.sections()[1].name == ".flash");
    CHECK(extended.symbols().size() == plain.symbols().size());
    // More sections than the file has bytes.
    first.sh_size = 0xFFFFFFFF;
    std::memcpy(bytes.data() + header.e_shoff, &first, sizeof first);
    CHECK_THROWS_AS(ElfFile(bytes, "x.elf"), n6vp::sim::UserError);
}

TEST_CASE("elf: a file that was cut off was told to have no sections") {
    std::vector<std::uint8_t> bytes = FakeModel().elf();
    const std::size_t whole = bytes.size();
    bytes.resize(whole - 1);
    try {
        const ElfFile file(bytes, "x.elf");
        FAIL("accepted");
    } catch (const n6vp::sim::UserError& error) {
        CHECK(error.what() == "'x.elf' is cut short: its section headers end at byte " +
                                  std::to_string(whole) + " of " + std::to_string(whole - 1));
    }
}

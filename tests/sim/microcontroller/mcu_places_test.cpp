// SPDX-License-Identifier: Apache-2.0
// RAM and flash of the older chips as a model sees them. Memories are those of the reference
// manuals; the firmware has 0x20000000 to 0x20005fff and 0x08000000 to 0x0800ffff.
#include "sim/microcontroller/mcu_places.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "memmap/chips/chips.h"
#include "sim/host/errors.h"
#include "sim/microcontroller/mcu_board.h"

using namespace n6vp;

namespace {

constexpr std::uint32_t kKib = 1024;

struct RamRow {
    std::uint32_t start, kib;
    bool tcm;
};

struct ChipRow {
    const char* chip;
    std::vector<RamRow> ram;
    std::uint32_t model_start, model_kib, flash_kib;
};

const std::vector<ChipRow>& chip_rows() {
    static const std::vector<ChipRow> rows = {
        {"stm32l475",
         {{0x10000000, 32, false}, {0x20000000, 96, false}},
         0x20006000,
         96 - 24,
         1024 - 64},
        {"stm32l476",
         {{0x10000000, 32, false}, {0x20000000, 96, false}},
         0x20006000,
         96 - 24,
         1024 - 64},
        // The second RAM follows the first one at its alias.
        {"stm32l4r5", {{0x20000000, 192 + 64 + 384, false}}, 0x20006000, 640 - 24, 2048 - 64},
        {"stm32u575",
         {{0x20000000, 192 + 64 + 512, false}, {0x28000000, 16, false}},
         0x20006000,
         768 - 24,
         2048 - 64},
        {"stm32u585",
         {{0x20000000, 192 + 64 + 512, false}, {0x28000000, 16, false}},
         0x20006000,
         768 - 24,
         2048 - 64},
        {"stm32f746",
         {{0x00000000, 16, true}, {0x20000000, 64, true}, {0x20010000, 240 + 16, false}},
         0x20010000,
         256,
         1024 - 64},
        {"stm32h743",
         {{0x00000000, 64, true},
          {0x20000000, 128, true},
          {0x24000000, 512, false},
          {0x30000000, 128 + 128 + 32, false},
          {0x38000000, 64, false}},
         0x24000000,
         512,
         2048 - 64},
        {"stm32h7a3",
         {{0x00000000, 64, true},
          {0x20000000, 128, true},
          {0x24000000, 256 + 384 + 384, false},
          {0x30000000, 64 + 64, false},
          {0x38000000, 32, false}},
         0x24000000,
         1024,
         2048 - 64},
    };
    return rows;
}

/// Returns cause and remedy, or "" for a place that is accepted.
std::string refusal(const memmap::Chip& chip, std::uint32_t start, std::uint32_t bytes,
                    bool written) {
    try {
        sim::require_place(chip, {GuestAddr{start}, bytes}, "the thing", "--thing", written);
    } catch (const sim::UserError& error) {
        return std::string(error.what()) + "|" + error.remedy();
    }
    return "";
}

}  // namespace

TEST_CASE("places of models: RAM of each chip, neighbours joined") {
    for (const ChipRow& row : chip_rows()) {
        CAPTURE(row.chip);
        const memmap::Chip& chip = *memmap::find_chip(row.chip);
        const std::vector<sim::McuRange> found = sim::ram_of(chip);
        // The H7's back-up RAM may follow.
        REQUIRE(found.size() >= row.ram.size());
        for (std::size_t i = 0; i < row.ram.size(); ++i) {
            CAPTURE(i);
            CHECK(to_word(found[i].range.start) == row.ram[i].start);
            CHECK(found[i].range.bytes == row.ram[i].kib * kKib);
            CHECK(found[i].tcm == row.ram[i].tcm);
        }
        for (std::size_t i = row.ram.size(); i < found.size(); ++i)
            CHECK(to_word(found[i].range.start) == 0x38800000);
    }
}

TEST_CASE("places of models: the usual RAM and flash of each chip are behind the firmware's") {
    for (const ChipRow& row : chip_rows()) {
        CAPTURE(row.chip);
        const memmap::Chip& chip = *memmap::find_chip(row.chip);
        const AddressRange ram = sim::model_ram(chip), flash = sim::model_flash(chip);
        CHECK(to_word(ram.start) == row.model_start);
        CHECK(ram.bytes == row.model_kib * kKib);
        CHECK(to_word(flash.start) == 0x08010000);
        CHECK(flash.bytes == row.flash_kib * kKib);
        CHECK(refusal(chip, row.model_start, ram.bytes, true).empty());
        CHECK(refusal(chip, 0x08010000, flash.bytes, false).empty());
    }
}

TEST_CASE("places of models: a range ends with the memories, and must be RAM to be written") {
    const memmap::Chip& chip = *memmap::find_chip("stm32l4r5");
    struct Row {
        std::uint32_t start;
        std::uint32_t bytes;
        bool written;
        const char* cause;  ///< "" for an accepted place
    };
    const Row rows[] = {
        {0x20006000, 1, true, ""},
        {0x20005FFF, 1, true, "the firmware is there"},
        {0x20005FFF, 1, false, "the firmware is there"},
        {0x08010000, 1, false, ""},
        {0x0800FFFF, 2, false, "the firmware is there"},
        {0x08010000, 1, true, "has flash at 0x08010000"},
        {0x1FFF0000, 4, false, ""},
        {0x1FFF0000, 4, true, "has system_memory at 0x1fff0000"},
        {0x2009FFFF, 1, true, ""},
        {0x2009FFFF, 2, true, "has no memory at 0x200a0000"},
        {0x2002FFF0, 0x20, true, ""},
        {0x10000000, 0x10000, true, ""},
        {0x10000000, 0x10001, true, "has no memory at 0x10010000"},
        {0x60000000, 4, false, "has no external memory at 0x60000000"},
        {0x9FFFFFFF, 1, false, "has no external memory at 0x9fffffff"},
        {0xA0000000, 1, false, "has no memory at 0xa0000000"},
        {0xC0000000, 1, false, "has no external memory at 0xc0000000"},
        {0xDFFFFFFF, 1, false, "has no external memory at 0xdfffffff"},
        {0xE0000000, 1, false, "has no memory at 0xe0000000"},
        {0x5FFFFFFF, 1, false, "has no memory at 0x5fffffff"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.start);
        CAPTURE(row.written);
        const std::string found = refusal(chip, row.start, row.bytes, row.written);
        CAPTURE(found);
        CHECK(found.empty() == (*row.cause == '\0'));
        CHECK(found.find(row.cause) != std::string::npos);
    }
}

TEST_CASE("places of models: the remedy names the option, and where the firmware is") {
    const memmap::Chip& chip = *memmap::find_chip("stm32h743");
    CHECK(refusal(chip, 0x08010000, 8, true) ==
          "the thing at 0x08010000, 8 bytes: the STM32H743 has flash at 0x08010000|"
          "choose RAM of the chip with --thing; n6vp map --chip stm32h743 shows it");
    CHECK(refusal(chip, 0x18000000, 8, false) ==
          "the thing at 0x18000000, 8 bytes: the STM32H743 has no memory at 0x18000000|"
          "choose memory of the chip with --thing; n6vp map --chip stm32h743 shows it");
    CHECK(refusal(chip, 0x90000000, 8, false) ==
          "the thing at 0x90000000, 8 bytes: the STM32H743 has no external memory at 0x90000000|"
          "memory of the board is given by --external ADDR:SIZE to run");
    CHECK(refusal(chip, 0x20000000, 8, true) ==
          "the thing at 0x20000000, 8 bytes: the firmware is there|"
          "it has 0x08000000 to 0x0800ffff and 0x20000000 to 0x20005fff: choose another place with "
          "--thing");
}

TEST_CASE("external memory: addresses of the controllers, sizes and overlaps") {
    const memmap::Chip& chip = *memmap::find_chip("stm32h743");
    struct Row {
        const char* text;
        const char* cause;  ///< "" for accepted ones
    };
    const Row rows[] = {
        {"0x60000000:1", ""},
        {"0x5fffffff:1", "not an address"},
        {"0x9fffffff:1", ""},
        {"0x9fffffff:2", "not an address"},
        {"0x9ffff000:0x1000", ""},
        {"0xa0000000:4", "not an address"},
        {"0xbfffffff:1", "not an address"},
        {"0xc0000000:4", ""},
        {"0xdffffffc:4", ""},
        {"0xdffffffc:5", "not an address"},
        {"0xe0000000:4", "not an address"},
        {"0x90000000:256M", ""},
        {"0x80000000:0x10000001", "size"},
        {"0x90000000:0", "size"},
        {"0x60000000:16,0x60000010:16", ""},
        {"0x60000010:16,0x60000000:16", ""},
        {"0x60000000:17,0x60000010:16", "overlaps"},
        {"0x60000010:16,0x60000000:17", "overlaps"},
        {"0x60000000:16,0x60000000:16", "overlaps"},
        {"0x60000000:64,0x60000010:16", "overlaps"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.text);
        std::string cause;
        try {
            const sim::McuBoard board(chip, {row.text, "--external"});
            CHECK(board.chip().memories.size() > chip.memories.size());
            CHECK(board.chip().memories.back().kind == memmap::ChipMemoryKind::External);
        } catch (const sim::UserError& error) {
            cause = error.what();
        }
        CAPTURE(cause);
        CHECK(cause.empty() == (*row.cause == '\0'));
        CHECK(cause.find(row.cause) != std::string::npos);
    }
}

TEST_CASE("external memory: what was named is memory of the chip, in its order") {
    const memmap::Chip& chip = *memmap::find_chip("stm32u575");
    const sim::McuBoard none(chip, {"", "default"});
    CHECK(none.chip().memories.size() == chip.memories.size());
    const sim::McuBoard board(chip, {"0x90000000:2K,0x60000000:0x10", "--external"});
    const auto& memories = board.chip().memories;
    REQUIRE(memories.size() == chip.memories.size() + 2);
    for (std::size_t i = 0; i < chip.memories.size(); ++i)
        CHECK(memories[i].start == chip.memories[i].start);
    const memmap::ChipMemory& first = memories[chip.memories.size()];
    CHECK(std::string(first.name) == "external_90000000");
    CHECK(first.start == 0x90000000);
    CHECK(first.bytes == 2048);
    CHECK(std::string(memories.back().name) == "external_60000000");
    CHECK(memories.back().start == 0x60000000);
    CHECK(memories.back().bytes == 16);
    CHECK(refusal(board.chip(), 0x90000000, 2048, true).empty());
    CHECK_FALSE(refusal(board.chip(), 0x90000000, 2049, true).empty());
}

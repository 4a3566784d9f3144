// SPDX-License-Identifier: Apache-2.0
// Where a program may be loaded and from which table an older chip starts. Memories of the
// STM32L4R5 are those of its manual: flash 0x08000000 to 0x081fffff, also at 0; RAM 0x20000000 to
// 0x2009ffff, of which 64 KiB from 0x20030000 on are also at 0x10000000.
#include "sim/microcontroller/mcu_firmware.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "memmap/chips/chips.h"
#include "sim/host/errors.h"
#include "tests/support/process.h"
#include "tests/support/refusal.h"

using namespace n6vp;
using namespace n6vp::sim;

namespace {

using Bytes = std::vector<std::uint8_t>;

const memmap::Chip& l4r5() {
    return *memmap::find_chip("stm32l4r5");
}

Bytes words(const std::vector<std::uint32_t>& list) {
    Bytes bytes;
    for (const std::uint32_t word : list)
        for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(word >> 8 * i));
    return bytes;
}

McuFirmware firmware_of(const std::vector<std::pair<std::uint32_t, Bytes>>& parts) {
    McuFirmware firmware;
    firmware.parts.reserve(parts.size());
    for (const auto& part : parts)
        firmware.parts.push_back({part.first, part.second, "fw.bin", "--bin"});
    return firmware;
}

/// What the core starts from with this table at the start of the flash, "taken" if it does.
std::string start(std::uint32_t stack, std::uint32_t entry) {
    const McuFirmware firmware = firmware_of({{0x08000000, words({stack, entry})}});
    return test::refusal([&] { CHECK(mcu_vectors({}, l4r5(), firmware) == l4r5().vectors); });
}

const std::string kCause = "no vector table at 0x00000000, from where the STM32L4R5 starts",
                  kMap =
                      "link the program for the STM32L4R5: n6vp map --chip stm32l4r5 shows its "
                      "memories";

}  // namespace

TEST_CASE("vector tables: stack and start at the first and last places of the chip's memories") {
    for (const std::uint32_t stack :
         {0x20000004u, 0x200A0000u, 0x20030000u, 0x10000004u, 0x10010000u, 0x08000004u}) {
        CAPTURE(stack);
        CHECK(start(stack, 0x08000101) == "taken");
    }
    for (const std::uint32_t entry :
         {0x08000001u, 0x081FFFFFu, 0x00000001u, 0x001FFFFFu, 0x20000001u, 0x2009FFFFu}) {
        CAPTURE(entry);
        CHECK(start(0x20001000, entry) == "taken");
    }
    const std::string stack_fault =
        ": the stack pointer is at no memory of the chip, or no multiple of 4 | " + kMap;
    CHECK(start(0x20000002, 0x08000101) ==
          kCause + ": stack 0x20000002, start 0x08000101" + stack_fault);
    CHECK(start(0x2FFF0000, 0x08000101) ==
          kCause + ": stack 0x2fff0000, start 0x08000101" + stack_fault);
    CHECK(start(0x20001000, 0x08000100) ==
          kCause +
              ": stack 0x20001000, start 0x08000100: the start address is even, but a core of "
              "Thumb code needs bit 0 set | declare the reset handler as a function: .thumb_func, "
              "or .type Reset_Handler, %function");
    CHECK(start(0x20001000, 0x4F000001) ==
          kCause +
              ": stack 0x20001000, start 0x4f000001: the start is at no memory of the chip | " +
              kMap);
    // Memory of the board, which is not described; an even start is that all the same.
    CHECK(start(0x90001000, 0x08000101) ==
          kCause +
              ": stack 0x90001000, start 0x08000101 | memory of the board is given by --external "
              "ADDR:SIZE");
    CHECK(start(0x20001000, 0x90000001) ==
          kCause +
              ": stack 0x20001000, start 0x90000001 | memory of the board is given by --external "
              "ADDR:SIZE");
    CHECK(start(0x20001000, 0x90000000).find("the start address is even") != std::string::npos);
    // "\x7FELF", little-endian.
    CHECK(start(0x464C457F, 0x00010101) ==
          kCause + ": an ELF file stands there as raw bytes | load the program with --elf FILE");
    // A stack at the end of the 1 MiB that only the STM32H7A3 has from 0x24000000 on.
    CHECK(start(0x24100000, 0x08000101) ==
          kCause +
              ": stack 0x24100000, start 0x08000101 | they suit the memories of stm32h7a3: --chip");
}

TEST_CASE("vector tables: empty ones, absent ones, and another that is there") {
    const std::string load =
        " | link the program to its flash, load it with --bin FILE@0x08000000, or name the table's "
        "address: --vectors ADDR";
    CHECK(start(0, 0) == kCause + ": it is empty, 0x00000000" + load);
    CHECK(start(0xFFFFFFFF, 0xFFFFFFFF) == kCause + ": it is empty, 0xffffffff" + load);
    CHECK(start(0x11111111, 0x11111111).find("it is empty") == std::string::npos);
    const auto vectors = [](const McuFirmware& firmware, const RunPlan& plan = {}) {
        return test::refusal([&] { static_cast<void>(mcu_vectors(plan, l4r5(), firmware)); });
    };
    CHECK(vectors(firmware_of({{0x08001000, Bytes(64)}})) ==
          kCause + ": nothing was loaded there" + load);
    // Seven bytes are no table, eight in two parts are one.
    CHECK(vectors(firmware_of({{0x08000000, Bytes(7)}})) ==
          kCause + ": nothing was loaded there" + load);
    const Bytes table = words({0x20001000, 0x08008009, 0xE7FEE7FE});
    CHECK(vectors(firmware_of({{0x08000000, {table.begin(), table.begin() + 3}},
                               {0x08000003, {table.begin() + 3, table.end()}}})) == "taken");
    // The alias of the flash is the same memory.
    CHECK(vectors(firmware_of({{0x00000000, table}})) == "taken");
    // Behind a boot loader: a table whose start was loaded, too, at a multiple of 128.
    const std::string other = kCause + " | there is one at 0x08008000: --vectors 0x08008000";
    CHECK(vectors(firmware_of({{0x08008000, table}})) == other);
    CHECK(vectors(firmware_of({{0x08008040, table}})) ==
          kCause + ": nothing was loaded there" + load);
    const Bytes far = words({0x20001000, 0x08009001, 0});
    CHECK(vectors(firmware_of({{0x08008000, far}})) ==
          kCause + ": nothing was loaded there" + load);
    CHECK(vectors(firmware_of({{0x08008000, far}, {0x08009000, Bytes(4)}})) == other);
    CHECK(vectors(firmware_of({{0x08008000, far}, {0x08009000, Bytes(3)}})) != other);
    RunPlan plan;
    plan.vectors = 0x08008000;
    plan.vectors_origin = "--vectors";
    CHECK(mcu_vectors(plan, l4r5(), firmware_of({{0x08008000, table}})) == 0x08008000);
    for (const std::uint32_t address : {0x08008001u, 0x08008040u, 0x0800807Cu}) {
        plan.vectors = address;
        const std::string text = vectors(firmware_of({{0x08008000, table}}), plan);
        CHECK(text.find("--vectors: no vector table at 0x0800") == 0);
        CHECK(text.find(": the address is not a multiple of 128 | give the address of the table, "
                        "which the linker aligns") != std::string::npos);
    }
}

TEST_CASE("programs: parts lie in the chip's memories to their last byte, and apart") {
    const test::ScratchFolder folder;
    const std::string kib = folder.write("kib.bin", Bytes(1024, 1));
    const auto load = [&](const std::vector<std::uint32_t>& addresses) {
        RunPlan plan;
        plan.images.reserve(addresses.size());
        for (const std::uint32_t address : addresses)
            plan.images.push_back({GuestAddr{address}, kib, "--bin", {}, {}, {}});
        std::string text =
            test::refusal([&] { static_cast<void>(read_mcu_firmware(plan, l4r5())); });
        for (std::size_t at = text.find(kib); at != std::string::npos; at = text.find(kib))
            text.replace(at, kib.size(), "F");
        return text;
    };
    for (const std::uint32_t address : {0x08000000u, 0x081FFC00u, 0x00000000u, 0x2009FC00u,
                                        0x2002FE00u, 0x2003FE00u, 0x1000FC00u}) {
        CAPTURE(address);
        CHECK(load({address}) == "taken");
    }
    const std::string less = " | load less; n6vp map --chip stm32l4r5 shows where its memories end";
    CHECK(load({0x2009FC01}) ==
          "--bin: F at 0x2009fc01, 1024 bytes: no memory of the STM32L4R5 from 0x200a0000 on" +
              less + ", or name the chip it is for: --chip, of stm32u575, stm32u585");
    CHECK(load({0x5F000000}) ==
          "--bin: F at 0x5f000000, 1024 bytes: no memory of the STM32L4R5 from 0x5f000000 on | "
          "load it where the chip has memory: its flash is at 0x08000000");
    // Of the board: whole MiB around it.
    const std::string board =
        " | memory of the board is given by --external ADDR:SIZE, for instance ";
    CHECK(load({0x90000010}) ==
          "--bin: F at 0x90000010, 1024 bytes: no memory of the STM32L4R5 from 0x90000010 on" +
              board + "0x90000000:0x100000");
    CHECK(load({0x900FFC00}).ends_with(board + "0x90000000:0x100000"));
    CHECK(load({0x900FFC01}).ends_with(board + "0x90000000:0x200000"));
    CHECK(load({0x90100000}).ends_with(board + "0x90100000:0x100000"));
    const std::string apart = " | load only one of them, or choose another address";
    CHECK(load({0x08000000, 0x08000400}) == "taken");
    CHECK(load({0x08000400, 0x08000000}) == "taken");
    CHECK(load({0x08000000, 0x080003FF}) == "F and F overlap at 0x080003ff" + apart);
    // By another alias.
    CHECK(load({0x08000000, 0x00000200}) == "F and F overlap at 0x08000200" + apart);
    CHECK(load({0x20030000, 0x10000000}) == "F and F overlap at 0x20030000" + apart);
    CHECK(load({}) ==
          "no program to run | name it with --elf FW.elf, --hex FW.hex or --bin FW.bin@0x08000000");
}

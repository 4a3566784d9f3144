// SPDX-License-Identifier: Apache-2.0
// System units in the chip: check bits of BKPSRAM, posted writes, compartments, sizes of the TCMs.
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "memmap/interrupts.h"
#include "models/chip/stm32n6.h"
#include "tests/models/chip/software_board.h"
#include "tests/support/thumb.h"

using namespace n6vp;

namespace {

constexpr std::uint32_t kRcc = 0x56028000, kRamcfg = 0x52023000, kBackup = 0x3C000000;

using Board = test::SoftwareBoard;

}  // namespace

TEST_CASE("system: words of BKPSRAM that were written without ECC interrupt when they are read") {
    constexpr unsigned kLine = 7;  // BKP_ECC
    constexpr std::uint32_t kCr = kRamcfg + 0x480, kIer = kRamcfg + 0x484, kIsr = kRamcfg + 0x488,
                            kEsear = kRamcfg + 0x48C, kIcr = kRamcfg + 0x494,
                            kEcckeyr = kRamcfg + 0x4A4;
    Board board("board");
    board.set(kRcc + 0x800 + 0x24C, 1u << 6);  // BKPSRAMEN
    board.set(kCr, 0x11);                      // ECCE, ALE
    board.set(kBackup + 0x204, 0xAA55AA55);
    board.set(kEcckeyr, 0xAE);
    board.set(kEcckeyr, 0x75);
    board.set(kCr, 0);
    board.set(kBackup + 0x204, 0xAA55AA54);
    CHECK(board.get(kBackup + 0x204) == 0xAA55AA54);
    board.set(kCr, 0x11);
    board.set(kIer, 1);
    CHECK_FALSE(board.pending(kLine));
    CHECK(board.get(kBackup + 0x204) == 0xAA55AA55);
    CHECK(board.pending(kLine));
    CHECK(board.get(kIsr) == 1);
    CHECK(board.get(kEsear) == 0x204 / 4);
    board.set(kIcr, 1);
    CHECK(board.get(kIsr) == 0);
    // An erase makes check bits, too.
    board.set(kCr, 0x111);
    CHECK(board.get(kBackup + 0x204) == 0);
    CHECK(board.get(kIsr) == 0);
}

TEST_CASE("system: a posted write to nowhere is no fault, its address waits for the acknowledge") {
    constexpr unsigned kLine = 52;  // PAHB_ERR
    constexpr std::uint32_t kSyscfg = 0x56008000, kFlexmem = 0x34000000, kMark = 0x34100000;
    constexpr std::uint32_t kAcknowledge = kSyscfg + 0x1C, kAddress = kSyscfg + 0x104;
    Board board("board");
    board.set(kRcc + 0x800 + 0x278, 1);  // SYSCFGEN
    test::Thumb program;
    program.write(0xFFFFAB00, 0xBAD0BAD0).write(0xFFFFABE0, 0xBAD0BAD0).write(kMark, 1);
    program.raw({0xE7FE});
    REQUIRE(board.chip.store(GuestAddr{kFlexmem}, program.image(kFlexmem, 0x34060000)));
    unsigned faults = 0;
    board.chip.events.core_fault.listen(1, [&](const models::core::CoreFault&) { ++faults; });
    std::vector<std::uint64_t> refused;
    board.chip.events.access_fault.listen(
        1, [&](const models::AccessFault& fault) { refused.push_back(fault.address); });
    CHECK(board.get(kAddress) == 0);
    board.chip.core().release_reset();
    board.pass_us(10);
    CHECK(board.get(kMark) == 1);
    CHECK(faults == 0);
    CHECK(refused == std::vector<std::uint64_t>{0xFFFFAB00, 0xFFFFABE0});
    CHECK(board.pending(kLine));
    CHECK(board.get(kAddress) == 0xFFFFAB00);
    board.set(kAcknowledge, 1);
    board.set(kAcknowledge, 0);
    CHECK(board.get(kAddress) == 0xFFFFAB00);
    board.chip.soc().syscfg.note_posted_error(0xFFFFABE0);
    CHECK(board.get(kAddress) == 0xFFFFABE0);
}

TEST_CASE("system: a read of nowhere, and a write by a memory port, are faults") {
    constexpr std::uint32_t kFlexmem = 0x34000000;
    Board board("board");
    test::Thumb program;
    program.set(1, 0xFFFFAB00).load(2, 1).raw({0xE7FE});
    REQUIRE(board.chip.store(GuestAddr{kFlexmem}, program.image(kFlexmem, 0x34060000)));
    unsigned faults = 0;
    board.chip.events.core_fault.listen(1, [&](const models::core::CoreFault&) { ++faults; });
    board.chip.core().release_reset();
    board.pass_us(10);
    CHECK(faults != 0);
    board.master.data.resize(4);
    CHECK_FALSE(board.master.write(0xFFFFAB00, 4, sc_core::sc_time_stamp().value()).ok());
}

TEST_CASE("system: accesses to a channel of HPDMA appear with the compartment of SYSCFG") {
    constexpr std::uint32_t kSyscfg = 0x56008000, kHpdma = 0x58020000, kIac = 0x54025000;
    constexpr std::uint32_t kUser = kSyscfg + 0x70, kPrivileged = kSyscfg + 0x800;
    constexpr std::uint32_t kChannel = kHpdma + 0x50 + 0x80 * 12, kCidcfgr = kChannel + 0x04,
                            kCsr = kChannel + 0x10, kIdle = 1;
    constexpr std::uint32_t kFlags = kIac + 0x80 + 4 * 4, kHpdmaFlag = 1u << 3,
                            kClear = kIac + 0x110;
    Board board("board");
    board.set(kRcc + 0x800 + 0x278, 1);  // SYSCFGEN
    board.set(kRcc + 0x800 + 0x260, 1);  // HPDMA1EN
    CHECK(board.get(kUser) == 1);
    CHECK(board.get(kPrivileged) == 1);
    board.set(kHpdma, 1u << 12);  // SECCFGR
    CHECK(board.get(kCsr) == kIdle);
    board.set(kCidcfgr, 4u << 4 | 1);  // SCID = 4, CFEN
    CHECK((board.get(kFlags) & kHpdmaFlag) == 0);
    CHECK(board.get(kCsr) == 0);
    CHECK((board.get(kFlags) & kHpdmaFlag) != 0);
    board.set(kClear, kHpdmaFlag);
    // Privileged accesses follow the one register, unprivileged ones the other.
    models::AccessFilter& guard = board.chip.soc().hpdma1.guard();
    models::Transfer privileged, user;
    user.privileged = false;
    const models::AccessFilter::Access status{kCsr - kHpdma, 4, false};
    board.set(kPrivileged, 4);
    CHECK(board.get(kCsr) == kIdle);
    CHECK(guard.passes(privileged, status));
    CHECK_FALSE(guard.passes(user, status));
    board.set(kPrivileged, 1);
    board.set(kUser, 4);
    CHECK_FALSE(guard.passes(privileged, status));
    CHECK(guard.passes(user, status));
    CHECK((board.get(kFlags) & kHpdmaFlag) == 0);
    // The channel keeps its compartment from all but the trusted one.
    board.set(kPrivileged, 5);
    board.set(kCidcfgr, 0);
    board.set(kPrivileged, 1);
    CHECK(board.get(kCidcfgr) == (4u << 4 | 1));
}

TEST_CASE("system: the TCMs get their part of FLEXMEM with the reset that CM55RSTCR chooses") {
    constexpr std::uint32_t kSyscfg = 0x56008000, kTcmcr = kSyscfg + 0x08, kRstcr = kSyscfg + 0x18;
    constexpr std::uint32_t kCode = 0x34100000, kMark = 0x34110000, kBehindDtcm = 0x30020000;
    constexpr std::uint32_t kSizes = 0x98, kDefault = 0x87;  // 256 KB of DTCM, 128 KB of ITCM
    models::ChipOptions options;
    options.vectors = kCode;
    Board board("board", options);
    test::Thumb program;
    program.set(1, kBehindDtcm).set(2, 0x12345678).store(2, 1).load(3, 1);
    program.set(1, kMark).store(3, 1).raw({0xE7FE});
    REQUIRE(board.chip.store(GuestAddr{kCode}, program.image(kCode, 0x34108000)));
    const auto reaches = [&](std::uint32_t address) {
        board.master.data.resize(4);
        return board.master.read(address, 4, sc_core::sc_time_stamp().value()).ok();
    };
    const auto private_word = [&](std::uint32_t address) {
        models::core::Core& core = board.chip.core().core();
        std::uint32_t word = 0;
        REQUIRE(core.system().read_ppb(core.state(), address, 4, core.cycles(), word));
        return word;
    };
    const auto set_sizes = [&](std::uint32_t type) {
        board.set(kRcc + 0x800 + 0x278, 1);  // SYSCFGEN
        board.set(kTcmcr, kSizes);
        board.set(kRstcr, type);
        board.chip.soc().syscfg.note_reset_request();
        board.chip.reset(models::core::Reset::Warm);
        board.pass_us(10);
        board.set(kRcc + 0x800 + 0x278, 1);
    };
    unsigned faults = 0;
    board.chip.events.core_fault.listen(1, [&](const models::core::CoreFault&) { ++faults; });
    CHECK(reaches(0x34000000));
    board.chip.core().release_reset();
    board.pass_us(10);
    CHECK(faults != 0);
    CHECK(board.get(kMark) != 0x12345678);
    // A reset of another type leaves the sizes; the register keeps them, and changes once only.
    set_sizes(0);
    board.set(kTcmcr, kDefault);
    CHECK(board.get(kTcmcr) == kSizes);
    CHECK(board.get(kMark) != 0x12345678);
    CHECK(private_word(0xE001E010) == 0x39);  // ITCMCR, 64 KB
    faults = 0;
    set_sizes(1);
    CHECK(faults == 0);
    CHECK(board.get(kMark) == 0x12345678);
    CHECK(private_word(0xE001E010) == 0x41);  // 128 KB
    CHECK(private_word(0xE001E014) == 0x49);  // DTCMCR, 256 KB
    CHECK_FALSE(reaches(0x34000000));
    CHECK_FALSE(reaches(0x3403BFF0));
    CHECK(reaches(0x3403C000));
    board.chip.reset(models::core::Reset::PowerOn);
    board.set(kRcc + 0x800 + 0x278, 1);
    CHECK(board.get(kTcmcr) == kDefault);
    CHECK(reaches(0x34000000));
}

TEST_CASE("system: a secure exception from non-secure code reads its vector as secure") {
    constexpr unsigned kLine = memmap::interrupt_line("VENC");
    constexpr std::uint32_t kTable = 0x34100000, kMain = 0x34100400, kHandler = 0x34100800;
    constexpr std::uint32_t kMark = 0x34100C00, kNonSecure = 0x24180000, kStack = 0x34108000;
    constexpr std::uint32_t kRegion2 = 0x54028000 + 0x80;  // of RISAF3
    models::ChipOptions options;
    options.vectors = kTable;
    Board board("board", options);
    const auto word = [&](std::uint32_t address, std::uint32_t value) {
        std::vector<std::uint8_t> bytes(4);
        std::memcpy(bytes.data(), &value, 4);
        REQUIRE(board.chip.store(GuestAddr{address}, bytes));
    };
    word(kTable, kStack);
    word(kTable + 4, kMain | 1);
    word(kTable + 4 * (16 + kLine), kHandler | 1);
    test::Thumb secure, handler, other;
    secure.caches().write(0xE000EDD0, 2);                           // SAU_CTRL.ALLNS
    secure.write(0xE000E100 + kLine / 32 * 4, 1u << (kLine % 32));  // NVIC_ISER
    secure.set(3, kNonSecure + 0x4000).raw({0xF383, 0x8888});       // MSR MSP_NS, r3
    secure.set(3, kNonSecure).raw({0x479C});                        // BLXNS r3
    handler.write(kMark, 1).raw({0xE7FE});
    other.raw({0xE7FE});
    REQUIRE(board.chip.store(GuestAddr{kMain}, secure.bytes()));
    REQUIRE(board.chip.store(GuestAddr{kHandler}, handler.bytes()));
    REQUIRE(board.chip.store(GuestAddr{kNonSecure}, other.bytes()));
    word(kMark, 0);
    // Non-secure from the second half of AXISRAM2 on.
    board.set(kRcc + 0x800 + 0x258, 1u << 14);  // RISAFEN
    board.set(kRegion2 + 0x04, 0x80000);
    board.set(kRegion2 + 0x08, 0xFFFFF);
    board.set(kRegion2 + 0x0C, 0x00FF00FF);
    board.set(kRegion2, 1);
    std::vector<std::uint64_t> refused;
    board.chip.events.access_fault.listen(
        1, [&](const models::AccessFault& fault) { refused.push_back(fault.address); });
    board.chip.core().release_reset();
    board.pass_us(20);
    CHECK((board.chip.core().core().pc() & ~1u) == kNonSecure);
    board.chip.core().set_interrupt(kLine, true);
    board.pass_us(20);
    CHECK(board.get(kMark) == 1);
    CHECK(refused.empty());
}

// SPDX-License-Identifier: Apache-2.0
// The blocks of the chip together: what stands in the ways of the NPU's side, clocks of registers,
// resets. Every case is named after a fault that was there.
#include <map>
#include <string>

#include "memmap/mailbox.h"
#include "memmap/peripherals.h"
#include "tests/models/traffic/bus_master.h"
#include "tests/sim/platform/platform_bench.h"

using namespace n6vp;
using namespace n6vp::test;
using models::Picoseconds;
using models::core::Coherence;
using models::core::Timing;
using Bytes = std::vector<std::uint8_t>;

namespace {

constexpr std::uint32_t kRcc = 0x56028000, kRamcfg = 0x52023000, kAxisram2 = 0x34100000,
                        kAxisram3 = 0x34200000, kPsram = 0x90000000, kNor = 0x70000000,
                        kAll = 0xFFFFFFFF;

/// The chip with a master at one of the NPU's ports.
struct NpuChip : Chip {
    explicit NpuChip(const sim::PlatformOptions& options = {},
                     const sim::PlatformParameters& parameters = {},
                     sim::Initiator at = sim::Initiator::Npu0)
        : Chip(options, parameters) {
        platform.bind_master(at, npu.port);
        platform.elaborate();
    }
    void cached(bool on) { npu.says.cacheable = npu.says.allocate = on; }
    void enable_npu_cache() {
        models::RegisterBlock& registers = platform.npu_cache().registers();
        (void)registers.write(0, 1, kAll, 1'000'000);
        REQUIRE(registers.read(0, 1'000'000).value == 1);
    }
    /// What the two base regions of a filter let through, by compartment: all reads, all writes.
    void allow(const char* filter, bool reads, bool writes) {
        const std::uint32_t cids = (reads ? 0xFFu : 0) | (writes ? 0xFF0000u : 0);
        for (const std::uint32_t region : {0x4Cu, 0x8Cu}) {
            (void)platform.soc().risaf(filter).write(region, cids, kAll, 0);
        }
    }
    /// First byte that the NPU reads; 0 too if it was refused.
    unsigned reads(std::uint32_t address) {
        const Bytes found = npu.read(address, 4);
        return found.empty() ? 0 : found[0];
    }
    BusMaster::Answer writes(std::uint32_t address, std::uint8_t value) {
        return npu.write(address, Bytes(4, value));
    }
    BusMaster npu{"npu"};
};

/// CACHEAXI reset and enabled at once; returns CR1.
std::uint32_t enabled_after_reset(Timing timing, Picoseconds quantum) {
    sim::PlatformOptions options;
    options.timing = timing;
    options.quantum = quantum;
    Chip chip(options);
    Thumb program;
    // Some microseconds first, so that the core is ahead of the kernel.
    program.set(5, 3000);
    const std::size_t loop = program.code().size();
    program.subtract(5, 1).repeat(loop);
    program.write(kRcc + 0xA20, 1u << 30).write(kRcc + 0x1220, 1u << 30);
    return chip.run(program.write(0x580DFC00, 1).set(1, 0x580DFC00).load(0, 1).end());
}

}  // namespace

TEST_CASE("NPU cache: EN right after a reset is refused, however far the core is ahead: precise") {
    CHECK(enabled_after_reset(Timing::Precise, 100'000) == 0);
}
TEST_CASE("NPU cache: EN right after a reset is refused, however far the core is ahead: approx") {
    CHECK(enabled_after_reset(Timing::Approx, 1'000'000) == 0);
}
TEST_CASE("NPU cache: EN right after a reset is refused, however far the core is ahead: 100 us") {
    CHECK(enabled_after_reset(Timing::Approx, 100'000'000) == 0);
}
TEST_CASE(
    "NPU cache: EN right after a reset is refused, however far the core is ahead: functional") {
    CHECK(enabled_after_reset(Timing::Functional, 1'000'000) == 0);
}

namespace {

void write_to_read_only(Coherence coherence) {
    sim::PlatformOptions options;
    options.coherence = coherence;
    NpuChip chip(options);
    REQUIRE(chip.platform.store(GuestAddr{kPsram}, Bytes(64, 0x11)));
    chip.enable_npu_cache();
    chip.allow("RISAF11", true, false);
    chip.cached(true);
    chip.writes(kPsram, 0xEE);
    CHECK(chip.word(kPsram) == 0x11111111);
    // Ideal lines are found out at once, real ones when they are written back.
    models::RegisterBlock& registers = chip.platform.npu_cache().registers();
    (void)registers.write(0x104, kPsram, kAll, 10'000'000);
    (void)registers.write(0x108, kPsram + 63, kAll, 10'000'000);
    (void)registers.write(0x100, 3, kAll, 10'000'000);
    CHECK(chip.word(kPsram) == 0x11111111);
    REQUIRE(chip.faults.size() == 1);
    CHECK(chip.faults[0].write);
    CHECK(std::string(chip.faults[0].reason).find("RISAF11") != std::string::npos);
}

}  // namespace

TEST_CASE("NPU cache: a write that stays in its line does not pass a filter of the memory: ideal") {
    write_to_read_only(Coherence::Ideal);
}
TEST_CASE("NPU cache: a write that stays in its line does not pass a filter of the memory: real") {
    write_to_read_only(Coherence::Real);
}

TEST_CASE("NPU cache: hits do not pass the closed filter of the NPU's port") {
    NpuChip chip;
    REQUIRE(chip.platform.store(GuestAddr{kPsram}, Bytes(64, 0x11)));
    chip.enable_npu_cache();
    chip.cached(true);
    CHECK(chip.reads(kPsram) == 0x11);
    chip.allow("RISAF4", false, false);
    CHECK(chip.reads(kPsram) == 0);
    REQUIRE(chip.faults.size() == 1);
    CHECK(chip.faults[0].initiator == sim::number(sim::Initiator::Npu0));
    CHECK(chip.faults[0].answered_zero);
    CHECK(std::string(chip.faults[0].reason).find("RISAF4") != std::string::npos);
    chip.allow("RISAF4", true, true);
    CHECK(chip.reads(kPsram) == 0x11);
    CHECK(chip.platform.npu_cache().statistics().of(models::CacheAxi::Monitor::ReadHit) == 1);
}

TEST_CASE("NPU cache: it serves nobody without its clocks") {
    NpuChip chip;
    REQUIRE(chip.platform.store(GuestAddr{kPsram}, Bytes(64, 0x11)));
    chip.enable_npu_cache();
    chip.cached(true);
    CHECK(chip.reads(kPsram) == 0x11);
    models::Rcc& rcc = chip.platform.soc().rcc;
    const std::pair<std::uint32_t, const char*> rows[] = {{0x260, "RCC_AHB5ENR.CACHEAXIEN = 0"},
                                                          {0x24C, "RCC_MEMENR.CACHEAXIRAMEN = 0"}};
    for (const auto& [offset, reason] : rows) {
        const std::uint32_t bit = offset == 0x260 ? 1u << 30 : 1u << 10;
        (void)rcc.write(offset + 0x1000, bit, kAll, 0);
        chip.faults.clear();
        CHECK(chip.reads(kPsram) == 0);
        REQUIRE(chip.faults.size() == 1);
        CHECK(std::string(chip.faults[0].reason) == reason);
        (void)rcc.write(offset + 0x800, bit, kAll, 0);
        CHECK(chip.reads(kPsram) == 0x11);
    }
}

namespace {

/// The core clears sleep bits and waits for an interrupt that never comes.
void asleep_without(NpuChip& chip, std::uint32_t offset, std::uint32_t bits, const char* reason) {
    Thumb program;
    program.write(kAxisram3, 0x55555555).write(kRcc + offset + 0x1000, bits);
    chip.load(program.raw({0xBF30, 0xE7FD}));  // WFI, for ever
    CHECK(chip.platform.advance({1'000'000'000, 0}) == sim::RunEnd::Asleep);
    REQUIRE(chip.platform.core().asleep());
    CHECK(chip.reads(kAxisram3) == 0);
    REQUIRE(chip.faults.size() == 1);
    CHECK(std::string(chip.faults[0].reason) == reason);
    CHECK(models::set_up_step(chip.faults[0].reason) == models::SetUpStep::SleepClocks);
    // With the bit back, the same access passes.
    (void)chip.platform.soc().rcc.write(offset + 0x800, bits, kAll, 0);
    CHECK(chip.reads(kAxisram3) == 0x55);
}

}  // namespace

TEST_CASE("sleep: a bank without sleep clock does not answer the NPU while the core sleeps") {
    NpuChip chip;
    asleep_without(chip, 0x28C, 1, "RCC_MEMLPENR.AXISRAM3LPEN = 0");
}
TEST_CASE("sleep: an NPU without sleep clock stops while the core sleeps") {
    NpuChip chip;
    asleep_without(chip, 0x2A0, 1u << 31, "RCC_AHB5LPENR.NPULPEN = 0");
}

TEST_CASE("RAMCFG: erasing a bank erases it") {
    Chip chip;
    const std::uint32_t cr = kRamcfg + 0x100;
    Thumb program;
    program.write(kAxisram3, 0xDEADBEEF).write(kAxisram3 + 0x6FFFC, 0xDEADBEEF);
    program.write(0x34270000, 0xDEADBEEF).barrier().write(cr, 1u << 8).barrier();
    CHECK(chip.run(program.set(1, kAxisram3).load(0, 1).end()) == 0);
    CHECK(chip.word(kAxisram3 + 0x6FFFC) == 0);
    CHECK(chip.word(0x34270000) == 0xDEADBEEF);  // the next bank
    CHECK(chip.faults.empty());
}

TEST_CASE("RAMCFG: a bank that is shut down is not erased") {
    Chip chip;
    const std::uint32_t cr = kRamcfg + 0x100;
    Thumb program;
    program.write(cr, 1u << 20).write(cr, 1u << 20 | 1u << 8).write(cr, 0).barrier();
    // Power-up pattern of the parameters.
    CHECK(chip.run(program.set(1, kAxisram3).load(0, 1).end()) == 0xA5A5A5A5);
}

namespace {

/// CPU cycles of a round that reads a register of RCC.
double cycles_per_read(sim::BootState boot) {
    Chip chip(sim::PlatformOptions{.boot = boot});
    Thumb program;
    constexpr unsigned kRounds = 1000;
    program.caches().set(1, kRcc).set(5, kRounds);
    const std::size_t loop = program.code().size();
    chip.run(program.load(0, 1).subtract(5, 1).repeat(loop).end());
    return static_cast<double>(chip.platform.core().core().cycles()) / kRounds;
}

}  // namespace

TEST_CASE("registers: at 800 and 100 MHz a read costs 40 to 60 CPU cycles") {
    const double cycles = cycles_per_read(sim::BootState::Ready);
    CHECK(cycles > 56);
    CHECK(cycles < 60);
}
TEST_CASE("registers: a slow AHB costs as many of its clocks as a fast one") {
    // 7 clocks of 32 MHz are 14 of 64 MHz, and some for the loop.
    const double cycles = cycles_per_read(sim::BootState::Reset);
    CHECK(cycles > 14);
    CHECK(cycles < 40);
}

namespace {

/// The same again and again, whenever the kernel's time is.
void same_again(std::uint32_t address, Thumb program = {}) {
    Chip chip;
    chip.load(program.set(1, address).load(0, 1).end());
    const std::uint32_t first = chip.run();
    CHECK(first != 0);
    const std::uint64_t hash = chip.platform.trace_hash();
    for (int again = 0; again < 2; ++again) {
        chip.platform.let_pass(777'000);
        chip.platform.reset();
        CHECK(chip.run() == first);
        CHECK(chip.platform.trace_hash() == hash);
    }
}

}  // namespace

TEST_CASE("reset: timers count from the reset") {
    // TIM2: its clock, CEN, CNT.
    same_again(0x50000024, Thumb().write(kRcc + 0xA64, 1).write(0x50000000, 1));
}
TEST_CASE("reset: the mailbox's time counts from the reset") {
    same_again(to_word(memmap::mailbox::kSecurePage.start) + memmap::mailbox::kTimeLow);
}

TEST_CASE("reset: the mailbox forgets a phase's name") {
    Chip chip;
    const std::uint32_t name =
        to_word(memmap::mailbox::kSecurePage.start) + memmap::mailbox::kPhaseName;
    CHECK(chip.run(Thumb().write(name, 0x12345678).set(1, name).load(0, 1).end()) == 0x12345678);
    chip.platform.reset();
    chip.load(Thumb().set(1, name).load(0, 1).end());
    chip.platform.reset();
    CHECK(chip.run() == 0);
}

TEST_CASE(
    "reset: fuses that the program blew are whole again after power-on, not after a warm one") {
    sim::PlatformParameters parameters;
    parameters.bsec.otp124.value = 0;
    Chip chip({}, parameters);
    Thumb program;
    program.set(1, kNor);
    for (int i = 0; i < 50; ++i) program.load(0, 1).add(1, 0x40);
    chip.run(program.write(0x56009C08, 0x18000).write(0x56009C04, 0x2000 | 124).end());
    const std::uint64_t hash = chip.platform.trace_hash();
    const Picoseconds time = chip.platform.time();
    CHECK(chip.platform.soc().bsec.fast_pins_xspi2());
    chip.platform.reset(models::core::Reset::Warm);
    CHECK(chip.platform.soc().bsec.fast_pins_xspi2());
    chip.platform.reset();
    CHECK_FALSE(chip.platform.soc().bsec.fast_pins_xspi2());
    chip.run();
    CHECK(chip.platform.time() == time);
    CHECK(chip.platform.trace_hash() == hash);
}

TEST_CASE("reset: a warm one shuts AXISRAM3 to 6 down and leaves AXISRAM2 alone") {
    Chip chip;
    chip.run(Thumb().write(kAxisram2, 0xAABBCCDD).write(kAxisram3, 0xAABBCCDD).barrier().end());
    REQUIRE(chip.word(kAxisram3) == 0xAABBCCDD);
    chip.platform.reset(models::core::Reset::Warm);
    CHECK(chip.word(kAxisram2) == 0xAABBCCDD);
    CHECK(chip.word(kAxisram3) == 0xA5A5A5A5);  // power-up pattern of the parameters
}

namespace {

sim::RunEnd read_flash(Chip& chip, const Thumb& before) {
    Thumb program = before;
    chip.load(program.set(1, kNor).load(0, 1).end());
    return chip.platform.advance({Chip::kLongest, 0});
}
sim::PlatformParameters nothing_mapped() {
    sim::PlatformParameters parameters;
    parameters.xspi.mapped_after_boot.value = 0;
    return parameters;
}

}  // namespace

TEST_CASE("XSPI: flash does not answer where nobody made it memory-mapped") {
    Chip chip(sim::PlatformOptions{.boot = sim::BootState::Reset}, nothing_mapped());
    read_flash(chip, {});
    CHECK(chip.platform.core().stopped() == models::core::Stop::Lockup);
    REQUIRE(chip.faults.size() >= 1);
    CHECK(chip.faults[0].address == kNor);
    CHECK(std::string(chip.faults[0].reason).find("XSPI2_CR") != std::string::npos);
}
TEST_CASE("XSPI: flash answers after FMODE = 3") {
    Chip chip(sim::PlatformOptions{.boot = sim::BootState::Reset}, nothing_mapped());
    read_flash(chip, Thumb().write(0x5802A000, 3u << 28 | 1).barrier());
    CHECK(chip.platform.core().stopped() == models::core::Stop::Semihosting);
    CHECK(chip.faults.empty());
}
TEST_CASE("XSPI: a chip that is set up has its memories mapped, until firmware takes them") {
    Chip chip({}, nothing_mapped());
    read_flash(chip, {});
    CHECK(chip.platform.core().stopped() == models::core::Stop::Semihosting);
    chip.platform.reset();
    read_flash(chip, Thumb().write(0x5802A000, 1).barrier());  // indirect mode
    CHECK(chip.platform.core().stopped() == models::core::Stop::Lockup);
}

TEST_CASE("STM-500: writes are ignored, without a fault") {
    Chip chip;
    Thumb program;
    for (const std::uint32_t start : {0x37F00000u, 0x27F00000u}) program.write(start, 1);
    CHECK(chip.run(program.write(0x37FFFFFC, 1).barrier().set(1, 0x37F00000).load(0, 1).end()) ==
          0);
    CHECK(chip.faults.empty());
}

namespace {

void filter_closed(NpuChip& chip, const char* filter, unsigned then) {
    REQUIRE(chip.platform.store(GuestAddr{kAxisram3}, Bytes(4, 7)));
    CHECK(chip.reads(kAxisram3) == 7);
    chip.allow(filter, false, false);
    CHECK(chip.reads(kAxisram3) == then);
    CHECK(chip.faults.size() == (then == 0 ? 1 : 0));
}
sim::PlatformParameters all_filtered() {
    sim::PlatformParameters parameters;
    parameters.rif.npu_banks_filtered.value = parameters.rif.controller_filtered.value = 1;
    return parameters;
}

}  // namespace

TEST_CASE("RISAF6 is not in the NPU's ways to its banks: an assumption") {
    NpuChip chip;
    filter_closed(chip, "RISAF6", 7);
}
TEST_CASE("RISAF6 is in the NPU's ways to its banks where a parameter says so") {
    NpuChip chip({}, all_filtered());
    filter_closed(chip, "RISAF6", 0);
}
TEST_CASE("no filter stands in the epoch controller's way: an assumption") {
    NpuChip chip({}, {}, sim::Initiator::EpochController);
    filter_closed(chip, "RISAF4", 7);
}
TEST_CASE("RISAF4 stands in the epoch controller's way where a parameter says so") {
    NpuChip chip({}, all_filtered(), sim::Initiator::EpochController);
    filter_closed(chip, "RISAF4", 0);
}

namespace {

/// What the program of a chip with revision 0x200 reads at an address of the boot ROM.
std::uint32_t revision_read_at(std::uint32_t address) {
    sim::PlatformParameters parameters;
    parameters.boot_rom.revision.value = 0x200;
    Chip chip({}, parameters);
    const std::uint32_t read = chip.run(Thumb().set(1, address).load(0, 1).end());
    CHECK(chip.faults.empty());
    return read;
}

}  // namespace

// A process elaborates one platform.
TEST_CASE("boot ROM: drivers read the revision of the device") {
    CHECK(revision_read_at(0x080047EC) == 0x200);
}

TEST_CASE("boot ROM: drivers read the revision of the device by its secure address") {
    CHECK(revision_read_at(0x180047EC) == 0x200);
}

TEST_CASE("boot ROM: drivers read the revision of the device where older ones look for it") {
    CHECK(revision_read_at(0x18001004) == 0x200);
}

TEST_CASE("boot ROM: the revision of an unnamed device is 0x101") {
    Chip chip;
    CHECK(chip.run(Thumb().set(1, 0x180047EC).load(0, 1).end()) == 0x101);
}

TEST_CASE("boot ROM: the words beside the revision are zero, behind them is no memory") {
    Chip chip;
    CHECK(chip.run(Thumb().set(1, 0x180047E8).load(0, 1).end()) == 0);
    std::uint32_t word = 0;
    CHECK_FALSE(
        chip.platform.fetch(GuestAddr{0x18004800}, {reinterpret_cast<std::uint8_t*>(&word), 4}));
}

TEST_CASE("LPUART1: no registers without its clock") {
    Chip chip;
    const std::uint32_t brr = 0x56000C0C;
    Thumb program;
    program.write(brr, 0x1234).set(1, brr).load(3, 1);
    program.write(kRcc + 0xA74, 1u << 3).write(brr, 0x1234).set(1, brr).load(0, 1);
    CHECK(chip.run(program.end()) == 0x1234);
    CHECK(chip.platform.core().core().reg(3) == 0);
    REQUIRE(chip.faults.size() == 2);
    CHECK(std::string(chip.faults[0].reason) == "RCC_APB4ENR1.LPUART1EN = 0");
}

namespace {

/// The block that answered last, by address.
class AnswerLog : public models::RegisterLog {
  public:
    bool accessed(const models::RegisterAccess& access) override {
        blocks[access.address] = access.block;
        return true;
    }
    std::map<std::uint32_t, std::string> blocks;
};

}  // namespace

TEST_CASE("every peripheral of the address map answers in its place, behind its clock") {
    AnswerLog log;
    sim::Platform platform({}, {}, &log);
    Thumb program;
    for (const memmap::Peripheral& row : memmap::kPeripherals) {
        if (row.clock.exists()) {
            program.write(kRcc + 0x800 + static_cast<std::uint32_t>(row.clock.bus),
                          1u << row.clock.position);
        }
        program.set(1, to_word(row.secure)).load(0, 1);
        program.set(1, to_word(row.secure) + row.bytes - 4).load(0, 1);
    }
    program.end();
    REQUIRE(platform.load(GuestAddr{kFlexmem}, program.image(kFlexmem, kStack)));
    REQUIRE(platform.advance({Chip::kLongest, 0}) == sim::RunEnd::Stopped);
    for (const memmap::Peripheral& row : memmap::kPeripherals) {
        CAPTURE(row.name);
        CHECK(log.blocks[to_word(row.secure)] == row.name);
        CHECK(log.blocks[to_word(row.secure) + row.bytes - 4] == row.name);
    }
}

TEST_CASE("registers without clock read zero, and the report names the bit") {
    Chip chip;
    constexpr std::uint32_t kGpioa = 0x56020000;
    Thumb program;
    program.write(kRcc + 0x1000 + 0x25C, 1).set(1, kGpioa).load(0, 1).end();
    CHECK(chip.run(program) == 0);  // MODER is not zero after reset
    REQUIRE(chip.faults.size() == 1);
    CHECK(std::string(chip.faults[0].reason) == "RCC_AHB4ENR.GPIOAEN = 0");
    CHECK(chip.faults[0].answered_zero);
}

// SPDX-License-Identifier: Apache-2.0
// Faults by the architecture's rules where QEMU differs or cannot be asked.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/core/system/bare_core.h"

using namespace n6vp::models::core;
using namespace n6vp::tests;

namespace {

constexpr std::uint32_t kShcsr = 0xE000ED24, kCfsr = 0xE000ED28, kHfsr = 0xE000ED2C,
                        kMmfar = 0xE000ED34, kCcr = 0xE000ED14, kSfsr = 0xE000EDE4,
                        kSfar = 0xE000EDE8, kMpuControl = 0xE000ED94, kSauControl = 0xE000EDD0;
constexpr unsigned kUdf = 0xDE00, kLoad = 0x6801, kStore = 0x6001;  // ldr, str r1, [r0]

void prepare(BareCore& bench, std::initializer_list<unsigned> program) {
    bench.code(BareCore::kCode, program);
    bench.code(BareCore::kHandler, {kStop, kBxLr});
}

/// Runs to the handler and returns the exception number.
std::uint32_t fault_of(BareCore& bench) {
    CHECK(bench->run(1000) == kMark);
    CHECK(bench->pc() == BareCore::kHandler);
    return bench.cpu().ipsr;
}

}  // namespace

TEST_CASE("UNALIGN_TRP makes every unaligned access fault") {
    for (const bool trap : {false, true}) {
        CAPTURE(trap);
        BareCore bench;
        prepare(bench, {kLoad, kStop});
        bench.set_reg(kShcsr, 0x70000);
        bench.set_reg(kCcr, trap ? 8 : 0);
        bench->set_reg(0, BareCore::kData + 2);
        CHECK(bench->run(100) == kMark);
        CHECK(bench.cpu().ipsr == (trap ? 6u : 0u));
        CHECK(bench.reg(kCfsr) == (trap ? 1u << 24 : 0u));
    }
}

TEST_CASE("an unaligned store to the private bus faults, whatever UNALIGN_TRP says") {
    for (const std::uint32_t offset : {0u, 1u, 2u}) {
        CAPTURE(offset);
        BareCore bench;
        prepare(bench, {kStore, kStop});
        bench.set_reg(kShcsr, 0x70000);
        bench->set_reg(0, kMmfar + offset);
        bench->set_reg(1, 0x12345678);
        CHECK(bench->run(100) == kMark);
        CHECK(bench.cpu().ipsr == (offset != 0 ? 6u : 0u));
        CHECK(bench.reg(kCfsr) == (offset != 0 ? 1u << 24 : 0u));
    }
}

TEST_CASE("a fault in HardFault locks up") {
    BareCore bench;
    prepare(bench, {kUdf});
    bench.code(BareCore::kHandler, {kNop, kUdf});
    CHECK(bench->run(1000) == Stop::Lockup);
    CHECK(bench->pc() == BareCore::kHandler + 2);
    CHECK(bench->system().locked_up());
    CHECK(bench.reg(kHfsr) == 1u << 30);
    bench->reset();
    CHECK_FALSE(bench->system().locked_up());
}

TEST_CASE("a vector that cannot be read is a HardFault, that of HardFault lockup") {
    for (const bool hard_fault_too : {false, true}) {
        BareCore bench;
        prepare(bench, {kSvc});
        bench.set_reg(kShcsr, 0x70000);
        const std::uint32_t table =
            hard_fault_too ? 0x50000000 : RamBus::kRam + RamBus::kBytes - 0x80;
        if (!hard_fault_too) {
            // The table ends with the RAM: its SVC entry must be outside for this to be a test.
            bench.set_reg(0xE000ED08, table);
            for (std::uint32_t i = 0; i < 32; ++i)
                bench.set_word(table + 4 * i, BareCore::kHandler | 1);
            bench.code(BareCore::kCode, {kNop, kStop});
            bench.set_reg(0xE000E100, 1u << 20);
            bench->set_interrupt(20, true);
            CHECK(fault_of(bench) == 3);
            CHECK(bench.reg(kHfsr) == 2);
        } else {
            bench.set_reg(0xE000ED08, table);
            CHECK(bench->run(1000) == Stop::Lockup);
            CHECK(bench.reg(kHfsr) == 2);
        }
    }
}

TEST_CASE("a vector without bit 0 faults at the handler's first instruction") {
    BareCore bench;
    prepare(bench, {kSvc});
    bench.set_reg(kShcsr, 0x70000);
    bench.set_reg(0xE000ED1C, 0x80u << 24);  // SVC below UsageFault
    bench.set_word(BareCore::kVectors + 4 * 11, BareCore::kHandler + 0x100);
    CHECK(fault_of(bench) == 6);
    CHECK(bench.reg(kCfsr) == 1u << 17);
    CHECK(bench.word(bench->reg(13) + 24) == BareCore::kHandler + 0x100);
}

TEST_CASE("MPU: HFNMIENA decides whether HardFault and FAULTMASK are checked") {
    for (const std::uint32_t control : {5u, 7u}) {
        CAPTURE(control);
        BareCore bench;
        prepare(bench, {kStore, kStop});
        bench.set_reg(kShcsr, 0x70000);
        bench.set_reg(kMpuControl + 0x2C, 0x44);
        bench.set_reg(kMpuControl + 4, 0);
        bench.set_reg(kMpuControl + 8, BareCore::kData | 2 << 1 | 1);  // read-only
        bench.set_reg(kMpuControl + 12, BareCore::kData + 1);
        bench.set_reg(kMpuControl, control);
        bench->set_reg(0, BareCore::kData);
        bench->system().write_special(bench.cpu(), 19, 0, 1);  // FAULTMASK
        const Stop stop = bench->run(100);
        CHECK(stop == (control == 5 ? kMark : Stop::Lockup));
        bench->system().write_special(bench.cpu(), 19, 0, 0);
        if (control == 7) continue;
        bench->set_pc(BareCore::kCode);
        CHECK(fault_of(bench) == 4);
        CHECK(bench.reg(kCfsr) == 0x82);
        CHECK(bench.reg(kMmfar) == BareCore::kData);
    }
}

TEST_CASE("MPU: a region that begins inside a page is exact, on every way to memory") {
    BareCore bench;
    prepare(bench, {kLoad, kStop});
    bench.set_reg(kShcsr, 0x70000);
    bench.set_reg(kMpuControl + 0x2C, 0x44);
    bench.set_reg(kMpuControl + 4, 3);
    bench.set_reg(kMpuControl + 8, (BareCore::kData + 0x40) | 1);
    bench.set_reg(kMpuControl + 12, BareCore::kData + 0x40 + 1);
    bench.set_reg(kMpuControl, 5);
    // Privileged only: an unprivileged thread sees none of it.
    for (const std::uint32_t offset : {0x40u, 0x5Cu}) {
        bench->set_pc(BareCore::kCode);
        bench->set_reg(0, BareCore::kData + offset);
        CHECK(bench->run(100) == kMark);
        CHECK(bench.cpu().ipsr == 0);
    }
    bench.set_reg(kMpuControl + 4, 4);
    bench.set_reg(kMpuControl + 8, BareCore::kCode | 3 << 1);
    bench.set_reg(kMpuControl + 12, (BareCore::kCode + 0x20) | 1);
    bench.set_reg(kMpuControl + 4, 5);
    bench.set_reg(kMpuControl + 8, (BareCore::kData + 0x80) | 1 << 1 | 1);
    bench.set_reg(kMpuControl + 12, (BareCore::kData + 0x80) | 1);
    bench->system().write_special(bench.cpu(), 20, 0, 1);
    bench->set_pc(BareCore::kCode);
    bench->set_reg(0, BareCore::kData + 0x80);
    CHECK(bench->run(100) == kMark);
    CHECK(bench.cpu().ipsr == 0);
    bench->set_pc(BareCore::kCode);
    bench->set_reg(0, BareCore::kData + 0x5C);
    CHECK(fault_of(bench) == 4);
    CHECK(bench.reg(kMmfar) == BareCore::kData + 0x5C);
}

TEST_CASE("Non-secure access to a Secure address: SecureFault with its address") {
    BareCore bench;
    prepare(bench, {kStop});
    constexpr std::uint32_t kNs = RamBus::kRam + 0x80000;
    bench.code(kNs, {kLoad, kStop});
    bench.set_reg(kShcsr, 0xF0000);
    bench.set_reg(kSauControl + 12, kNs);
    bench.set_reg(kSauControl + 16, RamBus::kRam + RamBus::kBytes - 32 + 1);
    bench.set_reg(kSauControl, 1);
    bench.cpu().stack_pointers[kMspNs] = kNs + 0x10000;
    bench->system().branch_non_secure(bench.cpu(), kNs);
    bench->set_reg(0, BareCore::kData);
    CHECK(fault_of(bench) == 7);
    CHECK(bench.reg(kSfsr) == (8 | 0x40));
    CHECK(bench.reg(kSfar) == BareCore::kData);
    CHECK(bench->reg(14) == 0xFFFFFFB9);
}

TEST_CASE("stacking that fails: the derived fault follows or precedes by priority") {
    for (const std::uint32_t irq_priority : {0x00u, 0x80u}) {
        CAPTURE(irq_priority);
        BareCore bench;
        prepare(bench, {kNop, kStop});
        bench.set_reg(kShcsr, 0x70000);
        bench.set_reg(0xE000ED18, 0x40u << 8);  // BusFault
        bench.set_reg(0xE000E100, 1);
        bench.set_reg(0xE000E400, irq_priority);
        bench->set_reg(13, 0x50000100);
        bench->set_interrupt(0, true);
        bench->set_interrupt(0, false);
        // Thread uses the process stack, so that handlers have one that works.
        bench.cpu().stack_pointers[kMspS] = BareCore::kStack;
        bench.cpu().stack_pointers[kPspS] = 0x50000100;
        bench.cpu().control[kSecure] = 2;
        CHECK(fault_of(bench) == (irq_priority == 0 ? 16u : 5u));
        CHECK(bench.reg(kCfsr) == 1u << 12);
        bench->skip_breakpoint();
        CHECK(fault_of(bench) == (irq_priority == 0 ? 5u : 16u));
    }
}

TEST_CASE("BKPT without a debugger is a HardFault, or DebugMonitor where enabled") {
    for (const bool monitor : {false, true}) {
        BareCore bench;
        prepare(bench, {0xBE00, kNop});
        bench.code(BareCore::kHandler, {kNop, kStop});
        if (monitor) bench.set_reg(0xE000EDFC, 1u << 16);
        CHECK(bench->run(100) == kMark);
        CHECK(bench.cpu().ipsr == (monitor ? 12u : 3u));
        CHECK(bench.reg(kHfsr) == (monitor ? 0u : 1u << 31));
        CHECK(bench.word(bench->reg(13) + 24) == BareCore::kCode);
    }
}

TEST_CASE("Non-secure code reaches the error record registers and not what is around them") {
    BareCore bench;
    for (const std::uint32_t address : {0xE0004FFCu, 0xE0005000u, 0xE0005FFCu, 0xE0006000u}) {
        CAPTURE(address);
        const Permission permission =
            bench->system().check(bench.cpu(), address, Intent::Read, true, false);
        CHECK(permission.allowed == (address >> 12 == 0xE0005));
        if (!permission.allowed) CHECK(permission.fault.exception == Exception::SecureFault);
    }
}

TEST_CASE(
    "ALLNS of an SAU that is off makes all addresses Non-secure, those of the chip excepted") {
    for (const bool by_chip : {false, true}) {
        for (const std::uint32_t control : {0u, 2u}) {
            CAPTURE(by_chip);
            CAPTURE(control);
            CoreConfig config;
            if (by_chip) {
                config.system.attribution = [](std::uint32_t address) {
                    Attribution attribution;
                    attribution.secure = address >= BareCore::kData;
                    return attribution;
                };
            }
            BareCore bench(config);
            bench.set_reg(kSauControl, control);
            for (const std::uint32_t address : {BareCore::kCode, BareCore::kData}) {
                CAPTURE(address);
                const bool secure = control == 0 || (by_chip && address >= BareCore::kData);
                const Permission own =
                    bench->system().check(bench.cpu(), address, Intent::Read, true, true);
                CHECK(own.allowed);
                CHECK(own.secure == secure);
                const Permission other =
                    bench->system().check(bench.cpu(), address, Intent::Read, true, false);
                CHECK(other.allowed == !secure);
            }
        }
    }
}

TEST_CASE("code is callable where both SAU and the chip say so") {
    constexpr std::uint32_t kCallable = BareCore::kData;
    for (const bool of_chip : {false, true}) {
        for (const bool of_sau : {false, true}) {
            CAPTURE(of_chip);
            CAPTURE(of_sau);
            CoreConfig config;
            config.system.attribution = [of_chip](std::uint32_t /*address*/) {
                Attribution attribution;
                attribution.secure = true;
                attribution.callable = of_chip;
                return attribution;
            };
            BareCore bench(config);
            bench.set_reg(kSauControl + 12, kCallable);
            bench.set_reg(kSauControl + 16, kCallable + (of_sau ? 3 : 0));
            bench.set_reg(kSauControl, 1);
            const Permission permission =
                bench->system().check(bench.cpu(), kCallable, Intent::Execute, true, false);
            CHECK(permission.gateway_only == (of_chip && of_sau));
            CHECK(permission.allowed == (of_chip && of_sau));
        }
    }
}

TEST_CASE("no region of an MPU makes code of the system's addresses executable") {
    // Arm ARM: from 0xE0000000 on memory is XN, whatever regions say.
    struct Case {
        const CoreProfile* profile;
        std::uint32_t base, limit;  ///< of PMSAv8 up to the end of memory; of PMSAv7 1 GiB
    };
    for (const Case& one : {Case{&cortex_m55(), 0xC0000000 | 1u << 1, 0xFFFFFFE0 | 1},
                            Case{&cortex_m7(), 0xC0000000, 3u << 24 | 29u << 1 | 1}}) {
        CAPTURE(std::string(one.profile->name));
        CoreConfig config;
        config.system.core = *one.profile;
        BareCore bench(config);
        bench.set_reg(kMpuControl + 0x2C, 0x44);
        bench.set_reg(kMpuControl + 4, 0);
        bench.set_reg(kMpuControl + 8, one.base);
        bench.set_reg(kMpuControl + 12, one.limit);
        bench.set_reg(kMpuControl, 1);
        const auto allows = [&](std::uint32_t address, Intent intent) {
            return bench->system().check(bench.cpu(), address, intent, true, true).allowed;
        };
        for (const std::uint32_t address : {0xC0000000u, 0xDFFFFFFEu})
            CHECK(allows(address, Intent::Execute));
        for (const std::uint32_t address : {0xE0000000u, 0xE00FFFFEu, 0xE0100000u, 0xEFFFFFFEu}) {
            CAPTURE(address);
            CHECK_FALSE(allows(address, Intent::Execute));
            CHECK(allows(address, Intent::Read));
            CHECK(allows(address, Intent::Write));
        }
        CHECK_FALSE(allows(0xBFFFFFFE, Intent::Execute));
    }
}

TEST_CASE("AIRCR.SYSRESETREQ asks the chip, with the key only") {
    unsigned requests = 0;
    CoreConfig config;
    config.system.reset_request = [&requests] { ++requests; };
    BareCore bench(config);
    bench.set_reg(0xE000ED0C, 0x12340004);
    CHECK(requests == 0);
    bench.set_reg(0xE000ED0C, 0x05FA0004);
    CHECK(requests == 1);
}

TEST_CASE("unmodelled registers are named and read as zero") {
    std::uint32_t seen = 0;
    CoreConfig config;
    config.system.unmodelled = [&seen](std::uint32_t address, bool /*write*/) { seen = address; };
    BareCore bench(config);
    CHECK(bench.reg(0xE0042000) == 0);
    CHECK(seen == 0xE0042000);
}

TEST_CASE("the hook is told of a fault when it is made pending, with the program's registers") {
    BareCore bench;
    prepare(bench, {kNop, kStore, kStop});
    std::vector<CoreFault> told;
    bench->set_fault_hook([&told](const CoreFault& fault) { told.push_back(fault); });
    bench->set_reg(0, 0x60000000);
    bench->set_reg(1, 77);
    CHECK(fault_of(bench) == 3);  // escalated: BusFault is not enabled
    REQUIRE(told.size() == 1);
    const CoreFault& fault = told.front();
    CHECK(fault.where == CoreFault::Where::Instruction);
    CHECK(fault.fault.exception == Exception::BusFault);
    CHECK(fault.fault.status == cfsr::kPrecisErr);
    CHECK(fault.fault.address_valid);
    CHECK(fault.fault.address == 0x60000000);
    CHECK(fault.pc == BareCore::kCode + 2);
    CHECK(fault.r[0] == 0x60000000);
    CHECK(fault.r[1] == 77);
    CHECK(fault.r[13] == BareCore::kStack);
    CHECK(fault.ipsr == 0);
    CHECK_FALSE(fault.locked_up);
}

TEST_CASE("the hook is told of what goes wrong on the way to a handler, and of lockup") {
    BareCore bench;
    prepare(bench, {kUdf});
    bench.code(BareCore::kHandler, {kNop, kUdf});
    std::vector<CoreFault> told;
    bench->set_fault_hook([&told](const CoreFault& fault) { told.push_back(fault); });
    bench->set_reg(13, 0x60000000);
    CHECK(bench->run(1000) == Stop::Lockup);
    REQUIRE(told.size() >= 2);
    CHECK(told[0].where == CoreFault::Where::Instruction);
    CHECK(told[0].fault.exception == Exception::UsageFault);
    CHECK(told[1].where == CoreFault::Where::Stacking);
    CHECK(told[1].fault.exception == Exception::BusFault);
    CHECK(told.back().locked_up);
}

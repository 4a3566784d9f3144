// SPDX-License-Identifier: Apache-2.0
// What a program sees of the core it runs on, by the architectures' rules and the cores' manuals.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "models/core/ir/profile.h"
#include "tests/core/system/bare_core.h"

using namespace n6vp::models::core;
using namespace n6vp::tests;

namespace {

CoreConfig of(const CoreProfile& profile) {
    CoreConfig config;
    config.system.core = profile;
    return config;
}

constexpr std::uint32_t kCcr = 0xE000ED14, kShcsr = 0xE000ED24, kCfsr = 0xE000ED28,
                        kCpacr = 0xE000ED88, kMpuType = 0xE000ED90, kMpuControl = 0xE000ED94,
                        kMpuNumber = 0xE000ED98, kRbar = 0xE000ED9C, kRasr = 0xE000EDA0,
                        kSfsr = 0xE000EDE4, kFpccr = 0xE000EF34, kFpdscr = 0xE000EF3C;
constexpr std::uint32_t kAllFaults = 7u << 16, kFpOn = 0xFu << 20;
constexpr std::uint32_t kUndefined = 1u << 16, kNoCoprocessor = 1u << 19, kAccess = 1u << 1;

/// CFSR after one 32-bit instruction; 0 if it ran.
std::uint32_t status_of(const CoreProfile& profile, std::uint32_t encoding, bool fp_on = true) {
    BareCore bench(of(profile));
    bench.set_reg(kShcsr, kAllFaults);
    if (fp_on) bench.set_reg(kCpacr, kFpOn);
    bench.cpu().r[1] = BareCore::kData;
    bench.code(BareCore::kCode, {encoding >> 16, encoding & 0xFFFF, kStop});
    bench.code(BareCore::kHandler, {kStop});
    CHECK(bench->run(100) == kMark);
    return bench.reg(kCfsr);
}

/// EXC_RETURN of a supervisor call from Thread mode, after a floating-point instruction if `fp`.
std::uint32_t return_code(const CoreProfile& profile, bool fp) {
    BareCore bench(of(profile));
    bench.set_reg(kCpacr, kFpOn);
    if (fp) {
        bench.code(BareCore::kCode, {0xEE30, 0x0A81, kSvc, kStop});  // vadd.f32 s0, s1, s2
    } else {
        bench.code(BareCore::kCode, {kSvc, kStop});
    }
    bench.code(BareCore::kHandler, {kStop, kBxLr});
    CHECK(bench->run(100) == kMark);
    const std::uint32_t code = bench.cpu().r[14];
    bench->skip_breakpoint();
    CHECK(bench->run(100) == kMark);
    CHECK(bench.cpu().ipsr == 0);
    CHECK(bench.cpu().r[13] == BareCore::kStack);
    return code;
}

}  // namespace

TEST_CASE("each core has the instructions of its architecture, and others fault") {
    struct Case {
        const char* text;
        std::uint32_t encoding;
        std::uint32_t m4, m7, m33, m55;  ///< CFSR
    };
    for (const Case& one :
         {Case{"lda r0, [r1]", 0xE8D10FAF, kUndefined, kUndefined, 0, 0},
          Case{"csel r0, r1, r2, eq", 0xEA518002, kUndefined, kUndefined, kUndefined, 0},
          Case{"clrm {r0}", 0xE89F0001, kUndefined, kUndefined, kUndefined, 0},
          Case{"dls lr, r0", 0xF040E001, kUndefined, kUndefined, kUndefined, 0},
          Case{"smlad r0, r1, r2, r3", 0xFB213002, 0, 0, 0, 0},
          Case{"vadd.f32 s0, s1, s2", 0xEE300A81, 0, 0, 0, 0},
          Case{"vmov.32 r0, d0[1]", 0xEE300B10, 0, 0, 0, 0},
          Case{"vseleq.f32 s0, s1, s2", 0xFE000A81, kUndefined, 0, 0, 0},
          Case{"vadd.f64 d0, d1, d2", 0xEE310B02, kUndefined, 0, kUndefined, 0},
          // Coprocessor 9 is the unit's from Armv8.1-M on.
          Case{"vadd.f16 s0, s1, s2", 0xEE300981, kNoCoprocessor, kNoCoprocessor, kNoCoprocessor,
               0},
          Case{"vadd.i32 q0, q1, q2", 0xEF220844, kUndefined, kUndefined, kUndefined, 0}}) {
        CAPTURE(one.text);
        CHECK(status_of(cortex_m4(), one.encoding) == one.m4);
        CHECK(status_of(cortex_m7(), one.encoding) == one.m7);
        CHECK(status_of(cortex_m33(), one.encoding) == one.m33);
        CHECK(status_of(cortex_m55(), one.encoding) == one.m55);
    }
}

TEST_CASE("with the FPU off every core raises NOCP, for what it lacks as well") {
    for (const auto* const profile : core_profiles()) {
        CAPTURE(std::string(profile->name));
        CHECK(status_of(*profile, 0xEE300A81, false) == kNoCoprocessor);
        CHECK(status_of(*profile, 0xEE310B02, false) == kNoCoprocessor);
    }
}

TEST_CASE("with the FPU off a skipped instruction of it raises nothing, the next one NOCP") {
    for (const auto* const profile : core_profiles()) {
        CAPTURE(std::string(profile->name));
        const auto status = [profile](std::uint16_t it) {
            BareCore bench(of(*profile));
            bench.set_reg(kShcsr, kAllFaults);
            // cmp r0, r0; it; vadd.f32 s0, s1, s2; mov r3, #1; vadd.f32 s0, s1, s2
            bench.code(BareCore::kCode,
                       {0x4280, it, 0xEE30, 0x0A81, 0x2301, 0xEE30, 0x0A81, kStop});
            bench.code(BareCore::kHandler, {kStop});
            bench.cpu().r[3] = 0;
            CHECK(bench->run(100) == kMark);
            return std::pair{bench.reg(kCfsr), bench.cpu().r[3]};
        };
        constexpr std::uint16_t kNotEqual = 0xBF18, kEqual = 0xBF08;
        CHECK(status(kNotEqual) == std::pair{kNoCoprocessor, 1u});
        CHECK(status(kEqual) == std::pair{kNoCoprocessor, 0u});
    }
}

TEST_CASE("handlers of Armv7-M get its EXC_RETURN values") {
    for (const auto* const profile : {&cortex_m4(), &cortex_m7()}) {
        CAPTURE(std::string(profile->name));
        CHECK(return_code(*profile, false) == 0xFFFFFFF9);
        CHECK(return_code(*profile, true) == 0xFFFFFFE9);
    }
    CHECK(return_code(cortex_m33(), false) == 0xFFFFFFF9);
}

TEST_CASE("without the Security Extension EXC_RETURN of Armv8-M names no state, and returns") {
    CoreProfile plain = cortex_m33();
    plain.features =
        isa::Feature::Dsp | isa::Feature::Float | isa::Feature::FloatV5 | isa::Feature::V8;
    CHECK(return_code(plain, false) == 0xFFFFFFB8);
    CHECK(return_code(plain, true) == 0xFFFFFFA8);
}

TEST_CASE("a nested handler of Armv7-M returns to Thread mode only if CCR allows it") {
    for (const bool allowed : {false, true}) {
        CAPTURE(allowed);
        BareCore bench(of(cortex_m4()));
        bench.set_reg(kShcsr, kAllFaults);
        bench.set_reg(kCcr, allowed ? 0x201u : 0x200u);
        bench.code(BareCore::kCode, {kStop, kSvc, kStop});
        bench.code(BareCore::kHandler, {kStop, kBxLr});
        CHECK(bench->run(100) == kMark);
        // PendSV is active as well, as if it had been interrupted; less urgent than the rest.
        bench.set_reg(0xE000ED20, 0x00F00000);
        bench.set_reg(kShcsr, kAllFaults | 1u << 10);
        bench->skip_breakpoint();
        CHECK(bench->run(100) == kMark);
        CHECK(bench.cpu().r[14] == 0xFFFFFFF9);
        bench->skip_breakpoint();
        CHECK(bench->run(100) == kMark);
        CHECK(bench.cpu().ipsr == (allowed ? 0u : 6u));
        CHECK(bench.reg(kCfsr) == (allowed ? 0u : 1u << 18));
    }
}

TEST_CASE("frames of a Cortex-M4 are aligned to 8 bytes if CCR.STKALIGN says so") {
    for (const bool align : {false, true}) {
        CAPTURE(align);
        BareCore bench(of(cortex_m4()));
        bench.set_reg(kCcr, align ? 0x200u : 0u);
        bench.cpu().r[13] = BareCore::kStack - 4;
        bench.code(BareCore::kCode, {kSvc, kStop});
        bench.code(BareCore::kHandler, {kStop, kBxLr});
        CHECK(bench->run(100) == kMark);
        CHECK(bench.cpu().r[13] == BareCore::kStack - (align ? 8 : 4) - 32);
        CHECK((bench.word(bench.cpu().r[13] + 28) >> 9 & 1) == (align ? 1u : 0u));
        bench->skip_breakpoint();
        CHECK(bench->run(100) == kMark);
        CHECK(bench.cpu().r[13] == BareCore::kStack - 4);
    }
}

TEST_CASE("registers that only other architectures have read zero") {
    BareCore bench(of(cortex_m4()));
    CHECK(bench.reg(0xE000ED00) == 0x410FC241);
    CHECK(bench.reg(kCcr) == 0x200);
    CHECK(bench.reg(kFpccr) == 0xC0000000);
    CHECK(bench.reg(kMpuType) == 0x800);
    CHECK(bench.reg(0xE000EDFC) == 0);  // DEMCR
    bench.set_reg(kShcsr, 0xFFFFFFFF);
    CHECK((bench.reg(kShcsr) & ~0x7FDFBu) == 0);
    for (const std::uint32_t address : {0xE000EDD0u, 0xE000EDD4u, kSfsr, 0xE000ED8Cu, 0xE000E00Cu,
                                        0xE0003E00u, 0xE001E000u, 0xE000E380u, 0xE002ED00u}) {
        CAPTURE(address);
        bench.set_reg(address, 0xFFFFFFFF);
        CHECK(bench.reg(address) == 0);
    }
    bench.set_reg(kFpdscr, 0xFFFFFFFF);
    CHECK(bench.reg(kFpdscr) == 0x07C00000);
}

TEST_CASE("DWT of a Cortex-M7 counts cycles only once it is unlocked") {
    constexpr std::uint32_t kDemcr = 0xE000EDFC, kControl = 0xE0001000, kLock = 0xE0001FB0;
    BareCore bench(of(cortex_m7()));
    bench.set_reg(kDemcr, 1u << 24);
    bench.set_reg(kControl, 1);
    CHECK((bench.reg(kControl) & 1) == 0);
    CHECK((bench.reg(kLock + 4) & 2) != 0);
    bench.set_reg(kLock, 0xC5ACCE55);
    bench.set_reg(kControl, 1);
    CHECK((bench.reg(kControl) & 1) == 1);
    CHECK(bench->system().unmodelled_accesses()->empty());
}

TEST_CASE("a warm reset leaves DWT and ITM of every core as they are, locks included") {
    // Arm ARM: these are registers of the debug domain, which only a power-on reset clears.
    constexpr std::uint32_t kDemcr = 0xE000EDFC, kControl = 0xE0001000, kCycles = 0xE0001004,
                            kLock = 0xE0001FB0, kItmEnable = 0xE0000E00, kItmControl = 0xE0000E80;
    for (const auto* const profile : core_profiles()) {
        CAPTURE(std::string(profile->name));
        for (const bool locked : {false, true}) {
            BareCore bench(of(*profile));
            const std::uint32_t control = bench.reg(kControl);
            bench.set_reg(kDemcr, 1u << 24);
            if (profile->dwt_locks) bench.set_reg(kLock, 0xC5ACCE55);
            bench.set_reg(kCycles, 1000);
            bench.set_reg(kControl, 1);
            if (profile->dwt_locks && locked) bench.set_reg(kLock, 0);
            bench.set_reg(kItmControl, 1);
            bench.set_reg(kItmEnable, 5);
            const std::uint32_t lock = bench.reg(kLock + 4);
            bench->reset(Reset::Warm);
            CHECK(bench->system().unmodelled_accesses()->empty());
            CHECK((bench.reg(kDemcr) & 1u << 24) != 0);
            CHECK(bench.reg(kControl) == control + 1);
            CHECK(bench.reg(kCycles) >= 1000);
            CHECK(bench.reg(kLock + 4) == lock);
            CHECK(bench.reg(kItmControl) == 1);
            CHECK(bench.reg(kItmEnable) == 5);
            bench->reset(Reset::PowerOn);
            CHECK((bench.reg(kDemcr) & 1u << 24) == 0);
            CHECK(bench.reg(kControl) == control);
            CHECK(bench.reg(kItmEnable) == 0);
        }
    }
}

TEST_CASE("a Cortex-M7 does not cache shareable data unless CACR.SIWT makes it write-through") {
    constexpr std::uint32_t kCacr = 0xE000EF9C, kSharedWriteThrough = 1, kForceWriteThrough = 4;
    constexpr std::uint32_t kWriteBack = 3u << 24 | 1u << 19 | 3u << 16 | 19u << 1 | 1,
                            kShareable = 1u << 18;
    struct Case {
        std::uint32_t region, cacr;
        std::uint64_t fills;
        bool dirty;
    };
    for (const Case& one :
         {Case{kWriteBack, 0, 1, true}, Case{kWriteBack | kShareable, 0, 0, false},
          Case{kWriteBack | kShareable, kSharedWriteThrough, 1, false},
          Case{kWriteBack, kForceWriteThrough, 1, false}}) {
        CAPTURE(one.region);
        CAPTURE(one.cacr);
        CoreConfig config = of(cortex_m7());
        config.timing = Timing::Approx;
        config.coherence = Coherence::Real;
        BareCore bench(config);
        bench.set_reg(kCacr, one.cacr);
        bench.set_reg(kCcr, bench.reg(kCcr) | 1u << 16);
        bench.set_reg(kMpuNumber, 0);
        bench.set_reg(kRbar, RamBus::kRam);
        bench.set_reg(kRasr, one.region);
        bench.set_reg(kMpuControl, 1);
        bench.code(BareCore::kCode, {0x680A, 0x6008, kStop});  // ldr r2, [r1]; str r0, [r1]
        bench.cpu().r[0] = 0x12345678;
        bench.cpu().r[1] = BareCore::kData;
        CHECK(bench->run(1000) == kMark);
        CHECK(bench->caches()->data.counters().fills == one.fills);
        CHECK(bench.word(BareCore::kData) == (one.dirty ? 0u : 0x12345678u));
    }
}

TEST_CASE("PMSAv7: the region with the highest number decides, disabled subregions do not") {
    constexpr std::uint32_t kFull = 3u << 24, kReadOnly = 6u << 24, kOn = 1;
    const auto size = [](unsigned log2) { return (log2 - 1) << 1; };
    BareCore bench(of(cortex_m4()));
    bench.set_reg(kShcsr, kAllFaults);
    bench.set_reg(kMpuNumber, 0);
    bench.set_reg(kRbar, RamBus::kRam);
    bench.set_reg(kRasr, kFull | size(20) | kOn);
    // 2 KB read-only in region 1, its second eighth left to region 0; by the alias registers.
    bench.set_reg(kRbar + 8, BareCore::kData | 1u << 4 | 1);
    bench.set_reg(kRasr + 8, kReadOnly | size(11) | 2u << 8 | kOn);
    bench.set_reg(kMpuControl, 1);
    CHECK(bench.reg(kMpuNumber) == 1);
    bench.code(BareCore::kCode, {0x6008, 0x6010, kStop});  // str r0, [r1]; str r0, [r2]
    bench.code(BareCore::kHandler, {kStop});
    bench.cpu().r[1] = BareCore::kData + 256;
    bench.cpu().r[2] = BareCore::kData + 512;
    CHECK(bench->run(100) == kMark);
    CHECK(bench.reg(kCfsr) == (kAccess | 1u << 7));
    CHECK(bench.reg(0xE000ED34) == BareCore::kData + 512);
}

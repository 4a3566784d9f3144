// SPDX-License-Identifier: Apache-2.0
// What exceptions cost on each core: the published figures, and that every parameter counts where
// it should and nowhere else.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <vector>

#include "models/core/system/exception_costs.h"
#include "sim/exec/exec_run.h"
#include "tests/core/system/bare_core.h"

using namespace n6vp;
using namespace n6vp::models::core;
using namespace n6vp::tests;

namespace {

constexpr std::uint32_t kIcsr = 0xE000ED04, kCpacr = 0xE000ED88;
constexpr std::uint32_t kPendBoth = 1u << 28 | 1u << 26;   // PendSV, SysTick
constexpr unsigned kVmovHigh = 0xEE00, kVmovLow = 0x0A10;  // vmov s0, r0

enum class Event : std::uint8_t { Nothing, One, TwoInARow, FpStored };

/// Cycles from the first instruction to the end, exceptions between both.
std::uint64_t cycles_of(const CoreProfile& profile, Event event, const ExceptionParameters& costs) {
    CoreConfig config;
    config.system.core = profile;
    config.system.exceptions = costs;
    BareCore bench(config);
    bench.set_reg(kCpacr, 0xF << 20);
    const bool fp = event == Event::FpStored;
    bench.code(BareCore::kCode, {kVmovHigh, kVmovLow, kSvc, kNop, kStop});
    if (fp) {
        bench.code(BareCore::kHandler, {kVmovHigh, kVmovLow, kBxLr});
    } else {
        bench.code(BareCore::kHandler, {kNop, kBxLr});
    }
    if (event == Event::TwoInARow) {
        bench.code(BareCore::kCode, {kDisable, kNop, kEnable, kNop, kStop});
        static_cast<void>(bench->step());
        bench.set_reg(kIcsr, kPendBoth);
    } else if (event == Event::Nothing) {
        bench.code(BareCore::kCode, {kVmovHigh, kVmovLow, kNop, kNop, kStop});
    }
    CHECK(bench->run(1000) == kMark);
    CHECK(bench->pc() == BareCore::kCode + 8);
    return bench->cycles();
}

ExceptionParameters costs_of(double entry, double exit, double chain, double fp) {
    ExceptionParameters costs;
    costs.entry_cycles.value = entry;
    costs.exit_cycles.value = exit;
    costs.tail_chain_cycles.value = chain;
    costs.fp_frame_cycles.value = fp;
    return costs;
}

}  // namespace

TEST_CASE("exceptions: entry, exit, tail-chain and FP frame each count once, on every core") {
    for (const CoreProfile* profile : core_profiles()) {
        CAPTURE(profile->name);
        const auto beyond = [&](Event event, double entry, double exit, double chain, double fp) {
            return cycles_of(*profile, event, costs_of(entry, exit, chain, fp)) -
                   cycles_of(*profile, event, costs_of(0, 0, 0, 0));
        };
        CHECK(beyond(Event::Nothing, 100, 100, 100, 100) == 0);
        CHECK(beyond(Event::One, 7, 0, 0, 0) == 7);
        CHECK(beyond(Event::One, 0, 5, 0, 0) == 5);
        // The FPU is not used in the handler: its registers are never stored.
        CHECK(beyond(Event::One, 0, 0, 100, 100) == 0);
        CHECK(beyond(Event::TwoInARow, 7, 0, 0, 0) == 7);
        CHECK(beyond(Event::TwoInARow, 0, 5, 0, 0) == 5);
        CHECK(beyond(Event::TwoInARow, 0, 0, 3, 0) == 3);
        // Stored at the handler's first FP instruction, loaded at its return.
        CHECK(beyond(Event::FpStored, 0, 0, 0, 11) == 22);
    }
}

TEST_CASE("exceptions: published cycles of the cores") {
    struct Published {
        Pipeline pipeline;
        double entry, exit_least, exit_most, chain, fp_least, fp_most;
    };
    // Entry 12 in zero-wait memory and tail-chain 6 for the line; 18 words by the width of the
    // port.
    for (const Published& row : {Published{Pipeline::CortexM4, 12, 10, 12, 6, 17, 18},
                                 Published{Pipeline::CortexM33, 12, 10, 12, 6, 17, 18},
                                 Published{Pipeline::CortexM7, 12, 10, 10, 6, 9, 10}}) {
        CAPTURE(static_cast<int>(row.pipeline));
        const ExceptionParameters costs = exception_parameters(row.pipeline);
        CHECK(costs.entry_cycles.value == row.entry);
        CHECK(costs.exit_cycles.value >= row.exit_least);
        CHECK(costs.exit_cycles.value <= row.exit_most);
        CHECK(costs.tail_chain_cycles.value == row.chain);
        CHECK(costs.fp_frame_cycles.value >= row.fp_least);
        CHECK(costs.fp_frame_cycles.value <= row.fp_most);
    }
}

TEST_CASE("exceptions: a program of n6vp exec takes the cycles that were set") {
    // movs r0, #0x18; movs r1, #0; svc 0; bkpt 0xab, and a handler that returns at once.
    constexpr std::uint32_t kStart = 0x20000000;
    std::vector<std::uint16_t> words(0x100, 0);
    words[0] = 0x8000;
    words[1] = kStart >> 16;
    for (std::size_t i = 1; i < 16; ++i) {
        words[2 * i] = i == 1 ? 0x81 : 0xC1;
        words[2 * i + 1] = kStart >> 16;
    }
    const std::vector<std::uint16_t> code{0x2018, 0x2100, kSvc, kStop};
    std::copy(code.begin(), code.end(), words.begin() + 0x40);
    words[0x60] = kBxLr;
    std::vector<std::uint8_t> bytes(words.size() * 2);
    std::memcpy(bytes.data(), words.data(), bytes.size());
    sim::ExecProgram program;
    program.segments.push_back({kStart, bytes});
    const auto cycles = [&](double entry) {
        std::ostringstream out;
        sim::ExecSetup setup;
        setup.core = &cortex_m4();
        setup.timing = Timing::Functional;
        setup.vectors = kStart;
        setup.exception = costs_of(entry, 0, 0, 0);
        setup.out = setup.err = &out;
        const sim::ExecOutcome outcome = sim::run_program(program, setup);
        CHECK(outcome.end == sim::ExecEnd::Exit);
        return outcome.cycles;
    };
    CHECK(cycles(112) == cycles(12) + 100);
}

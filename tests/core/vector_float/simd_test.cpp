// SPDX-License-Identifier: Apache-2.0
// The quick handlers of vector arithmetic on every vector unit that this host can play, against
// the portable handlers, and against the host's own arithmetic where it is the same as Arm's.
#include <doctest/doctest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "hwy/targets.h"
#include "models/core/isa/vector_float/operations.h"
#include "models/core/isa/vector_float/simd.h"
#include "tests/core/float/patterns.h"

using namespace n6vp::models::core;
using namespace n6vp::models::core::isa::vector_float;

namespace {

struct Case {
    const char* name;
    Handler SimdHandlers::*hot;
    Handler portable;
};

template <class Op, Source kSource = Source::Vector>
constexpr Handler kPortable = kLanewise<Op, std::uint32_t, kSource>;

constexpr Case kCases[] = {
    {"add", &SimdHandlers::add, kPortable<Add>},
    {"add_scalar", &SimdHandlers::add_scalar, kPortable<Add, Source::Scalar>},
    {"subtract", &SimdHandlers::subtract, kPortable<Subtract>},
    {"subtract_scalar", &SimdHandlers::subtract_scalar, kPortable<Subtract, Source::Scalar>},
    {"multiply", &SimdHandlers::multiply, kPortable<Multiply>},
    {"multiply_scalar", &SimdHandlers::multiply_scalar, kPortable<Multiply, Source::Scalar>},
    {"fused_add", &SimdHandlers::fused_add, kPortable<FusedAdd>},
    {"fused_add_scalar", &SimdHandlers::fused_add_scalar, kPortable<FusedAdd, Source::Scalar>},
    {"fused_subtract", &SimdHandlers::fused_subtract, kPortable<FusedSubtract>},
    {"fused_add_to_scalar", &SimdHandlers::fused_add_to_scalar,
     kPortable<FusedAddToScalar, Source::Scalar>},
    {"absolute_difference", &SimdHandlers::absolute_difference, kPortable<AbsoluteDifference>},
    {"maximum", &SimdHandlers::maximum, kPortable<Maximum>},
    {"minimum", &SimdHandlers::minimum, kPortable<Minimum>},
};

const MicroOp* stop(CpuState& cpu, const MicroOp* op) {
    cpu.exit = Exit::Budget;
    return op;
}

/// Runs one instruction on q0, q1 and q2 or r2.
void run(CpuState& cpu, Handler handler) {
    MicroOp ops[2];
    ops[0].handler = handler;
    ops[0].rd = 0;
    ops[0].rn = 1;
    ops[0].rm = 2;
    ops[1].handler = stop;
    const MicroOp* op = ops;
    for (cpu.exit = Exit::None; cpu.exit == Exit::None;) op = op->handler(cpu, op);
}

/// Calls `test(handlers)` for every vector unit the host can play.
template <class Test>
void on_every_target(const Test& test) {
    const std::int64_t all = hwy::SupportedTargets();
    unsigned count = 0;
    for (std::int64_t rest = all; rest != 0; rest &= rest - 1) {
        const std::int64_t target = rest & -rest;
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        CAPTURE(hwy::TargetName(target));
        test(simd_handlers());
        ++count;
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    CHECK(count > 0);
}

using Patterns = n6vp::tests::Patterns<std::uint32_t>;

CpuState random_state(Patterns& patterns, bool with_corners) {
    CpuState cpu;
    for (unsigned lane = 0; lane < 12; ++lane) {
        std::uint32_t value = patterns.next();
        // Near one most values stay away from what the portable handlers are for.
        if (!with_corners) value = (value & 0x807FFFFF) | (0x7A + value % 11) << 23;
        set_vector_lane(cpu, lane, value);
    }
    cpu.r[2] = vector_lane<std::uint32_t>(cpu, 8);
    return cpu;
}

/// The host's fused multiply-add.
struct Fused {
    Fused(float addend, float a, float b) {
        // Volatile keeps the operation between the two looks at the flags.
        volatile float operands[3] = {addend, a, b};
        std::feclearexcept(FE_INEXACT);
        volatile float result = std::fma(operands[1], operands[2], operands[0]);
        inexact = std::fetestexcept(FE_INEXACT) != 0;
        const float value = result;
        bits = std::bit_cast<std::uint32_t>(value);
    }
    std::uint32_t bits = 0;
    bool inexact = false;
};

}  // namespace

TEST_CASE("quick vector arithmetic does what the portable one does, flags included") {
    on_every_target([](const SimdHandlers& handlers) {
        for (const Case& one : kCases) {
            CAPTURE(one.name);
            Patterns patterns(1);
            unsigned wrong = 0;
            for (unsigned i = 0; i < 20000; ++i) {
                CpuState quick = random_state(patterns, i % 2 == 0);
                if (i % 5 == 0) quick.fpscr = fpscr::kIxc;
                CpuState slow = quick;
                run(quick, handlers.*one.hot);
                run(slow, one.portable);
                if (quick.vector != slow.vector || quick.fpscr != slow.fpscr) ++wrong;
            }
            CHECK(wrong == 0);
        }
    });
}

TEST_CASE("quick fused multiply-add and sums agree with the host") {
    on_every_target([](const SimdHandlers& handlers) {
        Patterns patterns(2);
        unsigned wrong = 0;
        for (unsigned i = 0; i < 20000; ++i) {
            const CpuState before = random_state(patterns, false);
            CpuState fused = before, sum = before;
            run(fused, handlers.fused_add);
            run(sum, handlers.subtract);
            bool inexact_sum = false, inexact_fused = false;
            for (unsigned lane = 0; lane < 4; ++lane) {
                const auto d = std::bit_cast<float>(vector_lane<std::uint32_t>(before, lane));
                const auto n = std::bit_cast<float>(vector_lane<std::uint32_t>(before, 4 + lane));
                const auto m = std::bit_cast<float>(vector_lane<std::uint32_t>(before, 8 + lane));
                // The operands reach from 2^-5 to 2^5: their difference is exact as a double.
                const double difference = static_cast<double>(n) - static_cast<double>(m);
                const auto rounded = static_cast<float>(difference);
                inexact_sum |= static_cast<double>(rounded) != difference;
                const Fused expected(d, n, m);
                inexact_fused |= expected.inexact;
                if (vector_lane<std::uint32_t>(fused, lane) != expected.bits) ++wrong;
                if (vector_lane<std::uint32_t>(sum, lane) != std::bit_cast<std::uint32_t>(rounded))
                    ++wrong;
            }
            if (((sum.fpscr & fpscr::kIxc) != 0) != inexact_sum) ++wrong;
            if (((fused.fpscr & fpscr::kIxc) != 0) != inexact_fused) ++wrong;
        }
        CHECK(wrong == 0);
    });
}

// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/vector_integer/simd.h"

#include <cstdint>
#include <type_traits>

#include "models/core/isa/vector_integer/across.h"
#include "models/core/isa/vector_integer/lanewise.h"
#include "models/core/isa/vector_integer/operations.h"
#include "models/core/isa/vector_integer/shift.h"

// This file is compiled once for every kind of vector unit that the host may have, but those whose
// vectors have no size that the compiler knows (they cannot be members), and SSSE3, for which
// Highway 1.0 does not shift halfwords: such old hosts use the portable handlers.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_SSSE3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/core/isa/vector_integer/simd.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "models/core/isa/vector_integer/simd_lanes-inl.h"
#include "models/core/isa/vector_integer/simd_sums-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace n6vp::models::core::isa::vector_integer {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

// No vector unit: the portable handlers.

using SimdAdd = Add;
using SimdSubtract = Subtract;
using SimdMultiply = Multiply;
using SimdMaximum = Maximum;
using SimdMinimum = Minimum;
using SimdAnd = And;
using SimdAndNot = AndNot;
using SimdOr = Or;
using SimdOrNot = OrNot;
using SimdExclusiveOr = ExclusiveOr;
template <class Op, Source kSource>
using SimdLanewise = Lanewise<Op, kSource>;
using SimdSaturatingAdd = SaturatingAdd;
using SimdSaturatingSubtract = SaturatingSubtract;
template <class Op, Source kSource>
using SimdSaturating = Lanewise<Op, kSource>;
template <bool kRounding, Source kSource>
using SimdDoublingHigh = Lanewise<DoublingMultiplyHigh<kRounding>, kSource>;
using SimdShiftLeft = ShiftImmediate<ShiftLeft>;
template <bool kRounding>
using SimdShiftRight = ShiftImmediate<ShiftRight<kRounding>>;
template <bool kRounding>
using SimdShiftBy = Lanewise<ShiftBy<kRounding>, Source::Vector>;
template <class Choice>
using SimdChooseAcross = ChooseAcross<Choice>;
template <bool kAccumulate>
using SimdAddAcross = AddAcross<kAccumulate>;
template <bool kAccumulate>
using SimdDot = Dot<Pairing::Straight, kAccumulate>;
template <bool kAccumulate>
using SimdDotLong = DotLong<Pairing::Straight, kAccumulate>;

#endif

// The table.

template <class Op, Source kSource = Source::Vector>
constexpr SimdHandlers::BySize kBySize =
    Modular::handlers<SimdLanewise<Op, kSource>::template Entry>();
template <class Op>
constexpr SimdHandlers::ByType kByType =
    Both::handlers<SimdLanewise<Op, Source::Vector>::template Entry>();
template <class Op>
constexpr Handler kWhole =
    SimdLanewise<Op, Source::Vector>::template Entry<std::uint64_t>::kHandler;
template <class Op, Source kSource>
constexpr SimdHandlers::ByType kSaturating =
    Both::handlers<SimdSaturating<Op, kSource>::template Entry>();
template <bool kRounding, Source kSource>
constexpr SimdHandlers::BySize kDoubling =
    Signed::handlers<SimdDoublingHigh<kRounding, kSource>::template Entry>();

constexpr SimdHandlers kHandlers = {
    .add = kBySize<SimdAdd>,
    .add_scalar = kBySize<SimdAdd, Source::Scalar>,
    .subtract = kBySize<SimdSubtract>,
    .subtract_scalar = kBySize<SimdSubtract, Source::Scalar>,
    .multiply = kBySize<SimdMultiply>,
    .multiply_scalar = kBySize<SimdMultiply, Source::Scalar>,
    .maximum = kByType<SimdMaximum>,
    .minimum = kByType<SimdMinimum>,
    .saturating_add = kSaturating<SimdSaturatingAdd, Source::Vector>,
    .saturating_add_scalar = kSaturating<SimdSaturatingAdd, Source::Scalar>,
    .saturating_subtract = kSaturating<SimdSaturatingSubtract, Source::Vector>,
    .saturating_subtract_scalar = kSaturating<SimdSaturatingSubtract, Source::Scalar>,
    .doubling_high = kDoubling<false, Source::Vector>,
    .doubling_high_scalar = kDoubling<false, Source::Scalar>,
    .rounding_doubling_high = kDoubling<true, Source::Vector>,
    .rounding_doubling_high_scalar = kDoubling<true, Source::Scalar>,
    .shift_left = Modular::handlers<SimdShiftLeft::Entry>(),
    .shift_right = Both::handlers<SimdShiftRight<false>::Entry>(),
    .rounding_shift_right = Both::handlers<SimdShiftRight<true>::Entry>(),
    .shift_by = Both::handlers<SimdShiftBy<false>::Entry>(),
    .rounding_shift_by = Both::handlers<SimdShiftBy<true>::Entry>(),
    .bit_and = kWhole<SimdAnd>,
    .bit_clear = kWhole<SimdAndNot>,
    .bit_or = kWhole<SimdOr>,
    .bit_or_not = kWhole<SimdOrNot>,
    .bit_exclusive_or = kWhole<SimdExclusiveOr>,
    .add_across = {Both::handlers<SimdAddAcross<false>::Entry>(),
                   Both::handlers<SimdAddAcross<true>::Entry>()},
    .dot = {Both::handlers<SimdDot<false>::Entry>(), Both::handlers<SimdDot<true>::Entry>()},
    .dot_long = {HalfwordsUp::handlers<SimdDotLong<false>::Entry>(),
                 HalfwordsUp::handlers<SimdDotLong<true>::Entry>()},
    .maximum_across = Both::handlers<SimdChooseAcross<SimdMaximum>::Entry>(),
    .minimum_across = Both::handlers<SimdChooseAcross<SimdMinimum>::Entry>(),
};

const SimdHandlers* handlers() {
    return &kHandlers;
}

}  // namespace HWY_NAMESPACE
}  // namespace n6vp::models::core::isa::vector_integer
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace n6vp::models::core::isa::vector_integer {

HWY_EXPORT(handlers);

const SimdHandlers& simd_handlers() {
    return *HWY_DYNAMIC_DISPATCH(handlers)();
}

}  // namespace n6vp::models::core::isa::vector_integer
#endif

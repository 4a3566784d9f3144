// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/vector_integer/hot.h"

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
#define HWY_TARGET_INCLUDE "models/core/isa/vector_integer/hot.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "models/core/isa/vector_integer/hot_lanes-inl.h"
#include "models/core/isa/vector_integer/hot_sums-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace n6vp::models::core::isa::vector_integer {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

// No vector unit: the portable handlers.

using HotAdd = Add;
using HotSubtract = Subtract;
using HotMultiply = Multiply;
using HotMaximum = Maximum;
using HotMinimum = Minimum;
using HotAnd = And;
using HotAndNot = AndNot;
using HotOr = Or;
using HotOrNot = OrNot;
using HotExclusiveOr = ExclusiveOr;
template <class Op, Source kSource>
using HotLanewise = Lanewise<Op, kSource>;
using HotSaturatingAdd = SaturatingAdd;
using HotSaturatingSubtract = SaturatingSubtract;
template <class Op, Source kSource>
using HotSaturating = Lanewise<Op, kSource>;
template <bool kRounding, Source kSource>
using HotDoublingHigh = Lanewise<DoublingMultiplyHigh<kRounding>, kSource>;
using HotShiftLeft = ShiftImmediate<ShiftLeft>;
template <bool kRounding>
using HotShiftRight = ShiftImmediate<ShiftRight<kRounding>>;
template <bool kRounding>
using HotShiftBy = Lanewise<ShiftBy<kRounding>, Source::Vector>;
template <class Choice>
using HotChooseAcross = ChooseAcross<Choice>;
template <bool kAccumulate>
using HotAddAcross = AddAcross<kAccumulate>;
template <bool kAccumulate>
using HotDot = Dot<Pairing::Straight, kAccumulate>;
template <bool kAccumulate>
using HotDotLong = DotLong<Pairing::Straight, kAccumulate>;

#endif

// The table.

template <class Op, Source kSource = Source::Vector>
constexpr HotHandlers::BySize kBySize =
    Modular::handlers<HotLanewise<Op, kSource>::template Entry>();
template <class Op>
constexpr HotHandlers::ByType kByType =
    Both::handlers<HotLanewise<Op, Source::Vector>::template Entry>();
template <class Op>
constexpr Handler kWhole = HotLanewise<Op, Source::Vector>::template Entry<std::uint64_t>::kHandler;
template <class Op, Source kSource>
constexpr HotHandlers::ByType kSaturating =
    Both::handlers<HotSaturating<Op, kSource>::template Entry>();
template <bool kRounding, Source kSource>
constexpr HotHandlers::BySize kDoubling =
    Signed::handlers<HotDoublingHigh<kRounding, kSource>::template Entry>();

constexpr HotHandlers kHandlers = {
    .add = kBySize<HotAdd>,
    .add_scalar = kBySize<HotAdd, Source::Scalar>,
    .subtract = kBySize<HotSubtract>,
    .subtract_scalar = kBySize<HotSubtract, Source::Scalar>,
    .multiply = kBySize<HotMultiply>,
    .multiply_scalar = kBySize<HotMultiply, Source::Scalar>,
    .maximum = kByType<HotMaximum>,
    .minimum = kByType<HotMinimum>,
    .saturating_add = kSaturating<HotSaturatingAdd, Source::Vector>,
    .saturating_add_scalar = kSaturating<HotSaturatingAdd, Source::Scalar>,
    .saturating_subtract = kSaturating<HotSaturatingSubtract, Source::Vector>,
    .saturating_subtract_scalar = kSaturating<HotSaturatingSubtract, Source::Scalar>,
    .doubling_high = kDoubling<false, Source::Vector>,
    .doubling_high_scalar = kDoubling<false, Source::Scalar>,
    .rounding_doubling_high = kDoubling<true, Source::Vector>,
    .rounding_doubling_high_scalar = kDoubling<true, Source::Scalar>,
    .shift_left = Modular::handlers<HotShiftLeft::Entry>(),
    .shift_right = Both::handlers<HotShiftRight<false>::Entry>(),
    .rounding_shift_right = Both::handlers<HotShiftRight<true>::Entry>(),
    .shift_by = Both::handlers<HotShiftBy<false>::Entry>(),
    .rounding_shift_by = Both::handlers<HotShiftBy<true>::Entry>(),
    .bit_and = kWhole<HotAnd>,
    .bit_clear = kWhole<HotAndNot>,
    .bit_or = kWhole<HotOr>,
    .bit_or_not = kWhole<HotOrNot>,
    .bit_exclusive_or = kWhole<HotExclusiveOr>,
    .add_across = {Both::handlers<HotAddAcross<false>::Entry>(),
                   Both::handlers<HotAddAcross<true>::Entry>()},
    .dot = {Both::handlers<HotDot<false>::Entry>(), Both::handlers<HotDot<true>::Entry>()},
    .dot_long = {HalfwordsUp::handlers<HotDotLong<false>::Entry>(),
                 HalfwordsUp::handlers<HotDotLong<true>::Entry>()},
    .maximum_across = Both::handlers<HotChooseAcross<HotMaximum>::Entry>(),
    .minimum_across = Both::handlers<HotChooseAcross<HotMinimum>::Entry>(),
};

const HotHandlers* handlers() {
    return &kHandlers;
}

}  // namespace HWY_NAMESPACE
}  // namespace n6vp::models::core::isa::vector_integer
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace n6vp::models::core::isa::vector_integer {

HWY_EXPORT(handlers);

const HotHandlers& hot_handlers() {
    return *HWY_DYNAMIC_DISPATCH(handlers)();
}

}  // namespace n6vp::models::core::isa::vector_integer
#endif

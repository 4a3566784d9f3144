// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/core/ir/builder.h"
#include "models/core/isa/row.h"

// Build functions of the rows in family.cpp. Field letters: d vector loaded or stored, n base
// register, m offset or base vector, s log2 of the lane in bytes, U zero-extend, i immediate in
// elements of memory, A add it, P index before, W write back, o scale the offset, p pattern.

namespace n6vp::models::core::isa::vector_memory {

// `kBytes` is that of an element in memory; lanes are as wide or wider.
template <unsigned kBytes>
void build_load(Builder& builder, const Fields& fields);
template <unsigned kBytes>
void build_store(Builder& builder, const Fields& fields);
template <unsigned kBytes>
void build_load_widening(Builder& builder, const Fields& fields);
template <unsigned kBytes>
void build_store_narrowing(Builder& builder, const Fields& fields);
template <unsigned kBytes>
void build_gather(Builder& builder, const Fields& fields);
template <unsigned kBytes>
void build_scatter(Builder& builder, const Fields& fields);
/// `[Qm, #imm]`
template <unsigned kBytes>
void build_gather_immediate(Builder& builder, const Fields& fields);
template <unsigned kBytes>
void build_scatter_immediate(Builder& builder, const Fields& fields);
/// VLD2 and VLD4.
template <unsigned kVectors>
void build_deinterleave(Builder& builder, const Fields& fields);
template <unsigned kVectors>
void build_interleave(Builder& builder, const Fields& fields);

/// Index of a condition of VCMP and VPT.
enum class Comparison : std::uint8_t { Eq, Ne, Cs, Hi, Ge, Lt, Gt, Le };

/// Returns the condition of fields a, b and c.
[[nodiscard]] inline Comparison comparison_of(const Fields& fields) {
    return static_cast<Comparison>(fields['a'] << 2 | fields['b'] << 1 | fields['c']);
}

// VCMP and VPT, which have a field k.
void build_compare_integer(Builder& builder, const Fields& fields);
void build_compare_integer_scalar(Builder& builder, const Fields& fields);
void build_compare_float(Builder& builder, const Fields& fields);
void build_compare_float_scalar(Builder& builder, const Fields& fields);

void build_vpst(Builder& builder, const Fields& fields);
void build_vpnot(Builder& builder, const Fields& fields);
void build_vpsel(Builder& builder, const Fields& fields);
void build_vctp(Builder& builder, const Fields& fields);

void build_two_lanes_to_core(Builder& builder, const Fields& fields);
void build_two_lanes_from_core(Builder& builder, const Fields& fields);
template <unsigned kBytes>
void build_lane_to_core(Builder& builder, const Fields& fields);
template <unsigned kBytes>
void build_lane_from_core(Builder& builder, const Fields& fields);

}  // namespace n6vp::models::core::isa::vector_memory

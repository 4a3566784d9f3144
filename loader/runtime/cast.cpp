// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/operators.h"
#include "loader/runtime/tensor.h"

/// From one element type to another, in single precision.
namespace n6vp::runtime {

namespace {

/// Elements of up to 32 bits, packed without gaps, the lowest bit first (the order is assumed; it
/// does not show at whole bytes).
std::int32_t read_signed(std::uint32_t start, std::uint32_t index, std::uint32_t bits) {
    if (bits == 8) return load<std::int8_t>(start + index);
    if (bits == 16) return load<std::int16_t>(start + 2 * index);
    std::uint32_t value = 0;
    for (std::uint32_t i = 0; i < bits; ++i) {
        const std::uint32_t at = index * bits + i;
        const std::uint32_t bit = load<std::uint8_t>(start + at / 8) >> (at % 8) & 1u;
        value |= bit << i;
    }
    const std::uint32_t sign = 1u << (bits - 1);
    return static_cast<std::int32_t>((value ^ sign) - sign);
}

void write_bits(std::uint32_t start, std::uint32_t index, std::uint32_t bits, std::uint32_t value) {
    if (bits == 8) return store(start + index, static_cast<std::uint8_t>(value));
    if (bits == 16) return store(start + 2 * index, static_cast<std::uint16_t>(value));
    for (std::uint32_t i = 0; i < bits; ++i) {
        const std::uint32_t at = index * bits + i;
        const std::uint32_t mask = 1u << (at % 8);
        const std::uint32_t old = load<std::uint8_t>(start + at / 8);
        const std::uint32_t bit = (value >> i & 1u) != 0 ? mask : 0;
        store(start + at / 8, static_cast<std::uint8_t>((old & ~mask) | bit));
    }
}

float power_of_two(std::int32_t exponent) {
    float power = 1.0F;
    for (; exponent > 0; --exponent) power *= 2.0F;
    for (; exponent < 0; ++exponent) power *= 0.5F;
    return power;
}

/// Scale and zero point of a quantised tensor; only the low byte of the zero point counts.
struct Affine {
    float scale;
    std::int32_t zero_point;
};
Affine affine_of(const Tensor& tensor) {
    const std::int32_t zero_point =
        tensor.zero_point == 0 ? 0
                               : static_cast<std::int8_t>(load<std::int16_t>(tensor.zero_point));
    return {load<float>(tensor.scale), zero_point};
}

float to_float(const Tensor& tensor, std::int32_t value) {
    if (tensor.scale == 0) return static_cast<float>(value) * power_of_two(-tensor.qn);
    const Affine affine = affine_of(tensor);
    return static_cast<float>(value - affine.zero_point) * affine.scale;
}

/// Bounds are those of Qm + Qn bits beside the sign, which for plain integers is one bit more than
/// the element has: what is beyond then wraps when it is stored.
std::uint32_t to_fixed(const Tensor& tensor, float value) {
    float x = value;
    if (tensor.scale != 0) {
        const Affine affine = affine_of(tensor);
        x = value / affine.scale + static_cast<float>(affine.zero_point);
    }
    float t = 0;
    if (tensor.qn >= 0) {
        t = x * power_of_two(tensor.qn) + (x > 0 ? 0.5F : -0.5F);
    } else {
        t = x / power_of_two(-tensor.qn);
    }
    const float bound = power_of_two(tensor.qm + tensor.qn);
    if (t < -bound) t = -bound;
    if (t > bound - 1.0F) t = bound - 1.0F;
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(t));
}

void widen(const Tensor& from, const Tensor& to, std::uint32_t count) {
    for (std::uint32_t i = count; i-- != 0;)
        store(to.start + 4 * i, to_float(from, read_signed(from.start, i, from.bits)));
}

void narrow(const Tensor& from, const Tensor& to, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i)
        write_bits(to.start, i, to.bits, to_fixed(to, load<float>(from.start + 4 * i)));
}

/// Without scales the vendor's shifts left whichever way the point moves; so does this.
void refit(const Tensor& from, const Tensor& to, std::uint32_t count) {
    const std::int32_t distance = to.qn - from.qn;
    const auto shift = static_cast<std::uint32_t>(distance < 0 ? -distance : distance);
    const bool plain = from.scale == 0 && to.scale == 0;
    const bool forward = from.bits >= to.bits;
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t i = forward ? k : count - 1 - k;
        const std::int32_t value = read_signed(from.start, i, from.bits);
        const std::uint32_t moved = shift < 32 ? static_cast<std::uint32_t>(value) << shift : 0;
        write_bits(to.start, i, to.bits, plain ? moved : to_fixed(to, to_float(from, value)));
    }
}

bool same_elements(const Tensor& from, const Tensor& to) {
    if (from.type != to.type) return false;
    if (from.element != Element::Fixed) return true;
    return from.qm == to.qm && from.qn == to.qn && from.is_unsigned == to.is_unsigned;
}

std::uint32_t packed_bytes(const Tensor& tensor) {
    return (tensor.bits * tensor.elements() + 7) / 8;
}

}  // namespace

int cast(std::uint32_t input, std::uint32_t output, const Route& route) {
    const Tensor from(input);
    const Tensor to(output);
    const std::uint32_t count = from.elements();
    if (count != to.elements()) return N6VP_REFUSE(Buffer);
    if (packed_bytes(from) > from.bytes()) return N6VP_REFUSE(BufferIn);
    if (packed_bytes(to) > to.bytes()) return N6VP_REFUSE(BufferOut);
    if (from.per_channel || to.per_channel) return N6VP_REFUSE(BufferOut);
    if (same_elements(from, to)) {
        if (from.start == to.start) return 0;
        return linear_copy(from.start, packed_bytes(from), from.limit, to.start, route);
    }
    const bool widths_fit = from.bits >= 1 && from.bits <= 32 && to.bits >= 1 && to.bits <= 32;
    if (!widths_fit) return N6VP_REFUSE(NBits);
    if (from.element == Element::Fixed && to.element == Element::Float) {
        widen(from, to, count);
    } else if (from.element == Element::Float && to.element == Element::Fixed) {
        narrow(from, to, count);
    } else if (from.element == Element::Fixed && to.element == Element::Fixed) {
        refit(from, to, count);
    } else {
        return N6VP_REFUSE(NBits);
    }
    return 0;
}

}  // namespace n6vp::runtime

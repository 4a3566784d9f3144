// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "loader/runtime/operators.h"
#include "loader/runtime/tensor.h"

/// Softmax along one axis. How exp and log round is the C library's affair.
namespace n6vp::runtime {

namespace {

constexpr std::int32_t kMinDifference = -256, kMaxDifference = 255;
constexpr std::uint32_t kTableBytes = 2048;  ///< a float for each difference of two int8
static_assert((kMaxDifference - kMinDifference + 1) * 4 == kTableBytes);

/// Vectors of `count` elements `stride` elements apart; `inner` of them start one element apart,
/// and `outer` such groups follow each other.
struct Vectors {
    std::uint32_t outer = 1, inner = 1, count = 1, stride = 1;

    [[nodiscard]] std::uint32_t first(std::uint32_t o, std::uint32_t i) const {
        return o * count * inner + i;
    }
};

Vectors vectors_along(const Tensor& tensor, std::uint32_t axis) {
    Vectors vectors;
    vectors.outer = tensor.product(0, axis);
    vectors.count = tensor.dimension(axis);
    vectors.inner = vectors.stride = tensor.product(axis + 1, tensor.rank);
    return vectors;
}

/// The older operator's idea of an axis, a place in N, H, W, C.
Vectors legacy_vectors(const Tensor& tensor, std::uint32_t axis) {
    const std::uint32_t channels = tensor.rank - 1;
    Vectors vectors;
    std::uint32_t from = axis;
    if (axis == channels) from = channels - 2;
    vectors.count = tensor.product(from, tensor.rank);
    if (axis == channels - 1 || axis == channels - 2) {
        vectors.count = tensor.product(axis, channels);
        vectors.inner = vectors.stride = tensor.dimension(channels);
    }
    vectors.outer = tensor.elements() / (vectors.count * vectors.inner);
    return vectors;
}

struct FloatVector {
    std::uint32_t start;
    std::uint32_t stride;

    [[nodiscard]] std::uint32_t at(std::uint32_t i) const { return start + 4 * i * stride; }
    [[nodiscard]] float operator[](std::uint32_t i) const { return load<float>(at(i)); }
};

float largest(const FloatVector& in, std::uint32_t count) {
    float largest = in[0];
    for (std::uint32_t i = 1; i < count; ++i) largest = in[i] > largest ? in[i] : largest;
    return largest;
}

void float_vector(const FloatVector& in, const FloatVector& out, std::uint32_t count,
                  std::uint32_t scratch) {
    const float most = largest(in, count);
    float sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const float power = std::exp(in[i] - most);
        store(scratch + 4 * i, power);
        sum += power;
    }
    const float inverse = 1.0F / sum;
    for (std::uint32_t i = 0; i < count; ++i)
        store(out.at(i), load<float>(scratch + 4 * i) * inverse);
}

void legacy_float_vector(const FloatVector& in, const FloatVector& out, std::uint32_t count) {
    const float most = largest(in, count);
    float sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) sum += std::exp(in[i] - most);
    const float offset = most + std::log(sum);
    for (std::uint32_t i = 0; i < count; ++i) store(out.at(i), std::exp(in[i] - offset));
}

/// Rounds half away from zero; the bounds are compared before rounding.
std::int8_t round_to_int8(float t) {
    if (t >= 127.0F) return 127;
    if (t <= -128.0F) return -128;
    return static_cast<std::int8_t>(static_cast<std::int32_t>(t > 0 ? t + 0.5F : t - 0.5F));
}

struct ByteVectors {
    std::uint32_t in, out, table;
    float out_scale, out_zero_point;
};

void int8_vector(const ByteVectors& at, std::uint32_t first, const Vectors& vectors) {
    const auto value = [&at, first, &vectors](std::uint32_t i) {
        return std::int32_t{load<std::int8_t>(at.in + first + i * vectors.stride)};
    };
    const auto power = [&at](std::int32_t difference) {
        const auto index = static_cast<std::uint32_t>(difference - kMinDifference);
        return load<float>(at.table + 4 * index);
    };
    std::int32_t most = value(0);
    for (std::uint32_t i = 1; i < vectors.count; ++i) most = value(i) > most ? value(i) : most;
    float sum = 0;
    for (std::uint32_t i = 0; i < vectors.count; ++i) sum += power(value(i) - most);
    const float inverse = 1.0F / (sum * at.out_scale);
    for (std::uint32_t i = 0; i < vectors.count; ++i) {
        const float t = power(value(i) - most) * inverse + at.out_zero_point;
        store(at.out + first + i * vectors.stride, round_to_int8(t));
    }
}

void fill_table(std::uint32_t table, float scale) {
    for (std::int32_t d = kMinDifference; d <= kMaxDifference; ++d) {
        const auto power = static_cast<float>(std::exp(d * static_cast<double>(scale)));
        store(table + 4 * static_cast<std::uint32_t>(d - kMinDifference), power);
    }
}

void all_int8(const Tensor& in, const Tensor& out, const Tensor& scratch, const Vectors& vectors) {
    require(scratch.bytes() >= kTableBytes, Failure::ScratchTooSmall, scratch.bytes(), kTableBytes);
    fill_table(scratch.start, load<float>(in.scale));
    const float zero_point =
        out.zero_point == 0 ? 0.0F : static_cast<float>(load<std::int16_t>(out.zero_point));
    const ByteVectors at{in.start, out.start, scratch.start, load<float>(out.scale), zero_point};
    for (std::uint32_t o = 0; o < vectors.outer; ++o) {
        for (std::uint32_t i = 0; i < vectors.inner; ++i)
            int8_vector(at, vectors.first(o, i), vectors);
    }
}

void all_float(const Tensor& in, const Tensor& out, const Vectors& vectors, std::uint32_t scratch) {
    for (std::uint32_t o = 0; o < vectors.outer; ++o) {
        for (std::uint32_t i = 0; i < vectors.inner; ++i) {
            const std::uint32_t first = 4 * vectors.first(o, i);
            const FloatVector from{in.start + first, vectors.stride};
            const FloatVector to{out.start + first, vectors.stride};
            if (scratch == 0) {
                legacy_float_vector(from, to, vectors.count);
            } else {
                float_vector(from, to, vectors.count, scratch);
            }
        }
    }
}

int check(const Tensor& in, const Tensor& out, std::uint32_t axis) {
    if (in.elements() != out.elements()) return N6VP_REFUSE(Buffer);
    const bool known = in.element == Element::Float || in.is_int8;
    if (in.type != out.type || !known) return N6VP_REFUSE(DataType);
    const std::uint32_t bytes = in.elements() * (in.is_int8 ? 1 : 4);
    if (in.bytes() < bytes) return N6VP_REFUSE(BufferIn);
    if (out.bytes() < bytes) return N6VP_REFUSE(BufferOut);
    if (in.rank < 4) return N6VP_REFUSE(ShapeIn);
    if (out.rank < 4) return N6VP_REFUSE(ShapeOut);
    if (axis >= in.rank) return N6VP_REFUSE(Axis);
    const bool scaled = in.scale != 0 && out.scale != 0;
    if (in.is_int8 && (!scaled || in.per_channel || out.per_channel)) return N6VP_REFUSE(DataType);
    return 0;
}

}  // namespace

int softmax(std::uint32_t input, std::uint32_t output, std::uint32_t axis, bool legacy) {
    const Tensor in(input);
    const Tensor out(output);
    const int refused = check(in, out, axis);
    if (refused != 0) return refused;
    const Vectors vectors = legacy ? legacy_vectors(in, axis) : vectors_along(in, axis);
    if (in.element == Element::Float && legacy) {
        all_float(in, out, vectors, 0);
        return 0;
    }
    const Tensor scratch(output + Tensor::kBytes);
    if (in.is_int8) {
        all_int8(in, out, scratch, vectors);
        return 0;
    }
    const std::uint32_t needed = 4 * vectors.count;
    require(scratch.bytes() >= needed, Failure::ScratchTooSmall, scratch.bytes(), needed);
    all_float(in, out, vectors, scratch.start);
    return 0;
}

}  // namespace n6vp::runtime

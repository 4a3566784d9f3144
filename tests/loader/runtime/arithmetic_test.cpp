// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "loader/runtime/operators.h"
#include "tests/loader/runtime/network.h"

using namespace n6vp;
using namespace n6vp::test;
using loader::Generation;
using runtime::LibraryError;

// Cast and softmax.

namespace {

/// From 1.1.1 on.
constexpr std::uint8_t kFloat = 1, kUint8 = 6, kInt8 = 7, kInt16 = 9, kFixedPoint = 100;
constexpr std::uint8_t kOldInt8 = 3;

TensorSpec vector_of(std::uint32_t at, std::uint32_t count, std::uint8_t type, std::uint8_t bits) {
    TensorSpec spec;
    spec.at = at;
    spec.shape = {1, 1, 1, count};
    spec.type = type;
    spec.bits = bits;
    spec.bytes = (count * bits + 7) / 8;
    return spec;
}

void run_cast(FakeMachine& machine, const TensorSpec& from, const TensorSpec& to, int result = 0) {
    const std::uint32_t records = put_tensors(machine, {from, to});
    run_operator(
        machine,
        [=](const runtime::Route& route) { return runtime::cast(records, records + 56, route); },
        result);
}

}  // namespace

TEST_CASE("int8 becomes float by its scale and zero point, also in place") {
    for (const Generation generation : {Generation::Core21, Generation::Core30}) {
        FakeMachine machine;
        machine.profile = loader::default_profile(generation);
        const std::uint8_t type = generation == Generation::Core21 ? kOldInt8 : kInt8;
        const std::uint32_t at = machine.allocate(16);
        const std::int8_t values[] = {-128, -1, 0, 127};
        std::memcpy(runtime::bytes_at(at), values, sizeof values);
        TensorSpec from = vector_of(at, 4, type, 8);
        from.scale = {0.5F};
        from.zero_point = {-3};
        run_cast(machine, from, vector_of(at, 4, kFloat, 32));
        CHECK(machine.get<float>(at, 4) == std::vector<float>{-62.5F, 1.0F, 1.5F, 65.0F});
    }
}

TEST_CASE("fixed point becomes float by its power of two") {
    FakeMachine machine;
    const std::uint32_t from = machine.put<std::int16_t>({-256, 1, 300});
    const std::uint32_t to = machine.allocate(12);
    TensorSpec spec = vector_of(from, 3, kFixedPoint, 16);
    spec.qm = 7;
    spec.qn = 8;
    run_cast(machine, spec, vector_of(to, 3, kFloat, 32));
    CHECK(machine.get<float>(to, 3) == std::vector<float>{-1.0F, 0.00390625F, 1.171875F});
}

TEST_CASE("float becomes int8 rounded half away from zero, beyond its range it wraps") {
    FakeMachine machine;
    const std::uint32_t from =
        machine.put<float>({0.25F, -0.25F, 0.24F, 63.5F, 64.0F, -64.5F, 1000.0F, -1000.0F});
    const std::uint32_t to = machine.allocate(8);
    TensorSpec spec = vector_of(to, 8, kInt8, 8);
    spec.scale = {0.5F};
    spec.zero_point = {0};
    run_cast(machine, vector_of(from, 8, kFloat, 32), spec);
    // 128 and -129 wrap; the bounds are 255 and -256.
    CHECK(machine.get<std::int8_t>(to, 8) ==
          std::vector<std::int8_t>{1, -1, 0, 127, -128, 127, -1, 0});
}

TEST_CASE("float becomes fixed point within its own bounds") {
    FakeMachine machine;
    const std::uint32_t from = machine.put<float>({0.5F, -0.5F, 200.0F, -200.0F});
    const std::uint32_t to = machine.allocate(8);
    TensorSpec spec = vector_of(to, 4, kFixedPoint, 16);
    spec.qm = 7;
    spec.qn = 8;
    run_cast(machine, vector_of(from, 4, kFloat, 32), spec);
    CHECK(machine.get<std::int16_t>(to, 4) == std::vector<std::int16_t>{128, -128, 32767, -32768});
}

TEST_CASE("equal types are copied by engines, and only if the places differ") {
    FakeMachine machine;
    std::vector<std::uint8_t> data(200);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i * 5);
    const std::uint32_t from = machine.put(data), to = machine.allocate(200);
    run_cast(machine, vector_of(from, 200, kUint8, 8), vector_of(to, 200, kUint8, 8));
    CHECK(machine.get<std::uint8_t>(to, 200) == data);
    CHECK(machine.transfers == 1);
    run_cast(machine, vector_of(to, 200, kUint8, 8), vector_of(to, 200, kUint8, 8));
    CHECK(machine.transfers == 1);
}

TEST_CASE("fixed point to fixed point: shifted left without scales, by float with them") {
    FakeMachine machine;
    const std::uint32_t from = machine.put<std::int8_t>({-3, 5}), to = machine.allocate(4);
    run_cast(machine, vector_of(from, 2, kInt8, 8), vector_of(to, 2, kInt16, 16));
    CHECK(machine.get<std::int16_t>(to, 2) == std::vector<std::int16_t>{-3, 5});
    TensorSpec one = vector_of(from, 2, kFixedPoint, 8), other = vector_of(to, 2, kFixedPoint, 16);
    one.qn = 4;
    other.qn = 2;
    run_cast(machine, one, other);
    CHECK(machine.get<std::int16_t>(to, 2) == std::vector<std::int16_t>{-12, 20});
    TensorSpec scaled = vector_of(from, 2, kInt8, 8), wide = vector_of(to, 2, kInt16, 16);
    scaled.scale = {1.0F};
    wide.scale = {0.25F};
    wide.zero_point = {1};
    run_cast(machine, scaled, wide);
    CHECK(machine.get<std::int16_t>(to, 2) == std::vector<std::int16_t>{-11, 21});
}

TEST_CASE("fixed point is widened in place from its end, or it reads what it has written") {
    FakeMachine machine;
    const std::uint32_t at = machine.allocate(16);
    const std::int8_t values[] = {-3, 5, 127, -128, 77};
    std::memcpy(runtime::bytes_at(at), values, sizeof values);
    run_cast(machine, vector_of(at, 5, kInt8, 8), vector_of(at, 5, kInt16, 16));
    CHECK(machine.get<std::int16_t>(at, 5) == std::vector<std::int16_t>{-3, 5, 127, -128, 77});
    // And narrowed from its beginning.
    run_cast(machine, vector_of(at, 5, kInt16, 16), vector_of(at, 5, kInt8, 8));
    CHECK(machine.get<std::int8_t>(at, 5) == std::vector<std::int8_t>{-3, 5, 127, -128, 77});
}

TEST_CASE("only the low byte of a zero point counts, with its sign") {
    FakeMachine machine;
    const std::uint32_t from = machine.put<std::int8_t>({10, -20}), to = machine.allocate(8);
    TensorSpec quantised = vector_of(from, 2, kInt8, 8);
    quantised.scale = {0.5F};
    quantised.zero_point = {0x01FD};  // -3 in its low byte
    run_cast(machine, quantised, vector_of(to, 2, kFloat, 32));
    CHECK(machine.get<float>(to, 2) == std::vector<float>{6.5F, -8.5F});
}

TEST_CASE("four-bit elements are packed two to a byte and sign-extended") {
    FakeMachine machine;
    const std::uint32_t from = machine.put<std::uint8_t>({0xF1, 0x78}), to = machine.allocate(16);
    TensorSpec spec = vector_of(from, 4, kFixedPoint, 4);
    spec.qm = 3;
    run_cast(machine, spec, vector_of(to, 4, kFloat, 32));
    CHECK(machine.get<float>(to, 4) == std::vector<float>{1.0F, -1.0F, -8.0F, 7.0F});
}

TEST_CASE("float becomes elements of four bits, and what stands behind the last stays") {
    FakeMachine machine;
    const std::uint32_t from = machine.put<float>({1.0F, -1.0F, -8.0F});
    const std::uint32_t to = machine.put<std::uint8_t>({0xAA, 0xAA});
    TensorSpec spec = vector_of(to, 3, kFixedPoint, 4);
    spec.qm = 3;
    run_cast(machine, vector_of(from, 3, kFloat, 32), spec);
    CHECK(machine.get<std::uint8_t>(to, 2) == std::vector<std::uint8_t>{0xF1, 0xA8});
}

TEST_CASE("elements of five bits are packed without gaps, the lowest bit first, both ways") {
    FakeMachine machine;
    const std::vector<float> values{1.0F, -1.0F, -16.0F, 15.0F, 10.0F, -11.0F, 0.0F, 5.0F};
    std::vector<std::uint8_t> packed(5);
    for (std::size_t bit = 0; bit < 40; ++bit) {
        const auto number = static_cast<unsigned>(static_cast<int>(values[bit / 5])) & 0x1F;
        if ((number >> bit % 5 & 1) != 0)
            packed[bit / 8] = static_cast<std::uint8_t>(packed[bit / 8] | 1u << bit % 8);
    }
    const std::uint32_t from = machine.put<float>(values), to = machine.allocate(8),
                        back = machine.allocate(32);
    TensorSpec spec = vector_of(to, 8, kFixedPoint, 5);
    spec.qm = 4;
    run_cast(machine, vector_of(from, 8, kFloat, 32), spec);
    CHECK(machine.get<std::uint8_t>(to, 5) == packed);
    run_cast(machine, spec, vector_of(back, 8, kFloat, 32));
    CHECK(machine.get<float>(back, 8) == values);
}

TEST_CASE("a cast refuses lengths and types that do not fit") {
    FakeMachine machine;
    const std::uint32_t at = machine.allocate(64);
    const TensorSpec four = vector_of(at, 4, kInt8, 8);
    TensorSpec cut = vector_of(at, 4, kFloat, 32);
    cut.bytes = 15;
    constexpr std::uint8_t kInt32 = 10;
    run_cast(machine, four, vector_of(at, 5, kFloat, 32), -2);
    run_cast(machine, four, cut, -2);
    run_cast(machine, four, vector_of(at, 4, kInt32, 32), -2);
    TensorSpec channels = four;
    channels.per_channel = 1;
    run_cast(machine, channels, vector_of(at, 4, kFloat, 32), -2);
    run_cast(machine, vector_of(at, 4, kFloat, 32), channels, -2);
    CHECK(machine.errors == std::vector<LibraryError>{LibraryError::Buffer, LibraryError::BufferOut,
                                                      LibraryError::NBits, LibraryError::BufferOut,
                                                      LibraryError::BufferOut});
}

namespace {

struct Softmax {
    std::vector<std::uint32_t> shape;
    std::uint32_t axis;
    bool legacy;
};

/// Which elements belong together: (first, stride, count) of each vector, from section 7.3.
std::vector<std::vector<std::size_t>> vectors_of(const Softmax& one) {
    std::size_t all = 1;
    for (const std::uint32_t dimension : one.shape) all *= dimension;
    std::size_t inner = 1, count = 1;
    for (std::size_t i = one.axis + 1; i < one.shape.size(); ++i) inner *= one.shape[i];
    count = one.shape[one.axis];
    if (one.legacy) {
        const std::size_t h = one.shape[1], w = one.shape[2], c = one.shape[3];
        inner = one.axis == 1 || one.axis == 2 ? c : 1;
        count = one.axis == 1 ? h * w : one.axis == 2 ? w : one.axis == 3 ? c * h * w : all;
    }
    std::vector<std::vector<std::size_t>> vectors;
    for (std::size_t o = 0; o < all / (inner * count); ++o)
        for (std::size_t i = 0; i < inner; ++i) {
            std::vector<std::size_t> one_vector;
            for (std::size_t k = 0; k < count; ++k)
                one_vector.push_back((o * count + k) * inner + i);
            vectors.push_back(one_vector);
        }
    return vectors;
}

const Softmax kSoftmaxes[] = {
    {{1, 1, 1, 10}, 3, false}, {{2, 3, 4, 5}, 3, false}, {{2, 3, 4, 5}, 1, false},
    {{2, 3, 4, 5}, 0, false},  {{2, 3, 4, 5}, 3, true},  {{2, 3, 4, 5}, 2, true},
    {{2, 3, 4, 5}, 1, true},   {{2, 3, 4, 5}, 0, true},
};

}  // namespace

TEST_CASE("softmax of floats sums to one along its axis") {
    for (const Softmax& one : kSoftmaxes) {
        FakeMachine machine;
        std::vector<float> values;
        std::uint32_t count = 1;
        for (const std::uint32_t dimension : one.shape) count *= dimension;
        for (std::uint32_t i = 0; i < count; ++i)
            values.push_back(static_cast<float>(i * 37 % 23) * 0.4F - 3.0F);
        TensorSpec in = vector_of(machine.put(values), count, kFloat, 32);
        TensorSpec out = vector_of(machine.allocate(4 * count), count, kFloat, 32);
        in.shape = out.shape = one.shape;
        const TensorSpec scratch = vector_of(machine.allocate(4 * count), count, kFloat, 32);
        const std::uint32_t records = put_tensors(machine, {in, out, scratch});
        run_operator(machine, [=](const runtime::Route&) {
            return runtime::softmax(records, records + 56, one.axis, one.legacy);
        });
        const auto result = machine.get<float>(out.at, count);
        for (const std::vector<std::size_t>& vector : vectors_of(one)) {
            double sum = 0;
            for (const std::size_t i : vector) sum += std::exp(static_cast<double>(values[i]));
            for (const std::size_t i : vector)
                CHECK(
                    static_cast<double>(result[i]) ==
                    doctest::Approx(std::exp(static_cast<double>(values[i])) / sum).epsilon(1e-5));
        }
    }
}

TEST_CASE("softmax of int8 is rounded from the exact value") {
    for (const Softmax& one : kSoftmaxes) {
        FakeMachine machine;
        std::vector<std::int8_t> values;
        std::uint32_t count = 1;
        for (const std::uint32_t dimension : one.shape) count *= dimension;
        for (std::uint32_t i = 0; i < count; ++i)
            values.push_back(static_cast<std::int8_t>(i * 53 % 251));
        TensorSpec in = vector_of(machine.put(values), count, kInt8, 8);
        TensorSpec out = vector_of(machine.allocate(count), count, kInt8, 8);
        in.shape = out.shape = one.shape;
        in.scale = {0.05F};
        out.scale = {1.0F / 256};
        out.zero_point = {-128};
        const TensorSpec scratch = vector_of(machine.allocate(2048), 2048, kUint8, 8);
        const std::uint32_t records = put_tensors(machine, {in, out, scratch});
        run_operator(machine, [=](const runtime::Route&) {
            return runtime::softmax(records, records + 56, one.axis, one.legacy);
        });
        const auto result = machine.get<std::int8_t>(out.at, count);
        for (const std::vector<std::size_t>& vector : vectors_of(one)) {
            double sum = 0;
            for (const std::size_t i : vector) sum += std::exp(values[i] * 0.05);
            for (const std::size_t i : vector) {
                const double exact = std::exp(values[i] * 0.05) / sum * 256 - 128;
                const double rounded = std::min(127.0, std::round(exact));
                // A tie may fall to either side in single precision.
                CHECK(std::abs(result[i] - rounded) <=
                      (std::abs(exact - std::trunc(exact)) > 0.49 &&
                               std::abs(exact - std::trunc(exact)) < 0.51
                           ? 1
                           : 0));
            }
        }
    }
}

TEST_CASE("softmax refuses types, and too little scratch by name") {
    FakeMachine machine;
    const std::uint32_t at = machine.allocate(64);
    const std::uint32_t ints = put_tensors(
        machine,
        {vector_of(at, 4, kInt16, 16), vector_of(at, 4, kInt16, 16), vector_of(at, 4, kUint8, 8)});
    run_operator(
        machine, [=](const runtime::Route&) { return runtime::softmax(ints, ints + 56, 3, false); },
        -2);
    const std::uint32_t lengths =
        put_tensors(machine, {vector_of(at, 4, kFloat, 32), vector_of(at, 3, kFloat, 32)});
    run_operator(
        machine,
        [=](const runtime::Route&) { return runtime::softmax(lengths, lengths + 56, 3, true); },
        -2);
    CHECK(machine.errors ==
          std::vector<LibraryError>{LibraryError::DataType, LibraryError::Buffer});
    const std::uint32_t floats = put_tensors(
        machine,
        {vector_of(at, 4, kFloat, 32), vector_of(at, 4, kFloat, 32), vector_of(at, 3, kFloat, 32)});
    const std::optional<Stop> stop =
        machine.run([floats] { runtime::softmax(floats, floats + 56, 3, false); });
    REQUIRE(stop.has_value());
    CHECK(stop->failure == runtime::Failure::ScratchTooSmall);
    CHECK(stop->first == 12);
    CHECK(stop->second == 16);
}

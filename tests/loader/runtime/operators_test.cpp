// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/operators.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "tests/loader/runtime/network.h"

using namespace n6vp;
using namespace n6vp::test;
using loader::Generation;
using runtime::LibraryError;

// Expected contents follow from index formulas of the specification, computed here.

namespace {

std::vector<std::uint8_t> noise(std::uint32_t count) {
    std::vector<std::uint8_t> values(count);
    std::uint32_t state = 12345;
    for (std::uint8_t& value : values) {
        state = state * 1664525 + 1013904223;
        value = static_cast<std::uint8_t>(state >> 24);
    }
    return values;
}

TensorSpec tensor(std::uint32_t at, std::vector<std::uint32_t> shape, std::uint8_t bits = 8) {
    TensorSpec spec;
    spec.at = at;
    spec.bits = bits;
    spec.bytes = bits / 8u;
    for (const std::uint32_t dimension : shape) spec.bytes *= dimension;
    spec.batch = shape.back();
    spec.shape = std::move(shape);
    return spec;
}

constexpr Generation kGenerations[] = {Generation::Core21, Generation::Core22, Generation::Core30,
                                       Generation::Core4x};

}  // namespace

TEST_CASE("a linear copy moves every byte, short or long, and nothing beside") {
    for (const bool async : {true, false}) {
        for (const std::uint32_t bytes : {1u, 39u, 40u, 41u, 42u, 1000u}) {
            FakeMachine machine;
            machine.profile.async = async;
            const std::vector<std::uint8_t> data = noise(bytes);
            const std::uint32_t from = machine.put(data), to = machine.allocate(bytes + 8);
            run_operator(machine, [=](const runtime::Route& route) {
                return runtime::linear_copy(from, bytes, 0, to, route);
            });
            CHECK(machine.get<std::uint8_t>(to, bytes) == data);
            CHECK(machine.get<std::uint8_t>(to + bytes, 8) == std::vector<std::uint8_t>(8));
            CHECK(machine.transfers == (bytes < 40 ? 0 : 1));
            // What the core wrote leaves its cache.
            const std::uint32_t head = bytes < 40 ? bytes : bytes % 3;
            REQUIRE(machine.maintained.size() == (head == 0 ? 0 : 1));
            if (head != 0) CHECK(machine.maintained[0].start == to);
            if (head != 0) CHECK(machine.maintained[0].bytes == head);
        }
    }
}

TEST_CASE("inserted blocks are seen by callbacks, and the NPU stays taken while they run") {
    FakeMachine machine;
    const std::uint32_t from = machine.put(noise(400)), to = machine.allocate(400);
    const std::uint32_t inputs =
        put_tensors(machine, {tensor(from, {1, 10, 2, 10}), tensor(from + 200, {1, 10, 2, 10})});
    const std::uint32_t output = put_tensors(machine, {tensor(to, {2, 10, 2, 10})});
    BlockSpec block;
    block.flags = kHybridBlock;
    block.end = [=](std::uint32_t, std::uint32_t, std::uint32_t) {
        return static_cast<std::uint32_t>(runtime::concat(inputs, 2, output, 0, kOperatorRoute));
    };
    Network network(machine, {block});
    network.record_callbacks();
    runtime::runtime_init();
    runtime::init_network(network.instance());
    CHECK(runtime::run_epoch_block(network.instance()) == runtime::Progress::NoWfe);
    CHECK(runtime::owner() == network.instance());
    CHECK(machine.infer(network.instance()) == 2);
    CHECK(runtime::owner() == 0);
    CHECK(machine.get<std::uint8_t>(to, 400) == machine.get<std::uint8_t>(from, 400));
    using Calls = std::vector<std::string>;
    CHECK(network.calls == Calls{"init", "pre-start 0", "post-start 0", "pre-end 0", "post-end 0",
                                 "pre-start list", "post-start list", "pre-end list",
                                 "post-end list", "pre-start list", "post-start list",
                                 "pre-end list", "post-end list"});
}

TEST_CASE("a model that is taken out in the middle of an operator leaves nothing behind") {
    FakeMachine machine;
    const std::uint32_t from = machine.put(noise(400)), to = machine.allocate(400);
    BlockSpec block;
    block.flags = kHybridBlock;
    block.end = [=](std::uint32_t, std::uint32_t, std::uint32_t) {
        return static_cast<std::uint32_t>(runtime::linear_copy(from, 400, 0, to, kOperatorRoute));
    };
    const Network network(machine, {block});
    runtime::runtime_init();
    runtime::init_network(network.instance());
    CHECK(runtime::run_epoch_block(network.instance()) == runtime::Progress::NoWfe);
    CHECK(runtime::run_epoch_block(network.instance()) == runtime::Progress::Wfe);
    runtime::reset_network(network.instance());
    CHECK(runtime::owner() == 0);
    CHECK((machine.reg("STRENG", kOperatorRoute.writer, "CTRL") >> 31) == 0);
    machine.infer(network.instance());
    CHECK(machine.get<std::uint8_t>(to, 400) == machine.get<std::uint8_t>(from, 400));
}

TEST_CASE("operators refuse engines that do not exist, and to be called from outside") {
    FakeMachine machine;
    const std::uint32_t at = machine.allocate(64);
    const std::optional<Stop> engines = machine.run([at] {
        runtime::linear_copy(at, 32, 0, at + 32, {2, 10, 0});
    });
    REQUIRE(engines.has_value());
    CHECK(engines->failure == runtime::Failure::EngineNumber);
    const std::optional<Stop> outside =
        machine.run([at] { runtime::linear_copy(at, 32, 0, at + 32, kOperatorRoute); });
    REQUIRE(outside.has_value());
    CHECK(outside->failure == runtime::Failure::OperatorOutside);
}

TEST_CASE("concat: every axis, every generation, in its documented place") {
    // Shapes are N, H, W, C; axes are those of ONNX: N, C, H, W.
    struct Case {
        std::uint32_t axis;
        std::vector<std::uint32_t> one, two, all;
        std::uint32_t position;
    };
    const Case cases[] = {
        {0, {1, 4, 5, 6}, {2, 4, 5, 6}, {3, 4, 5, 6}, 0},
        {1, {1, 4, 5, 6}, {1, 4, 5, 10}, {1, 4, 5, 16}, 3},
        {2, {1, 4, 5, 6}, {1, 3, 5, 6}, {1, 7, 5, 6}, 1},
        {3, {1, 4, 5, 6}, {1, 4, 9, 6}, {1, 4, 14, 6}, 2},
        {1, {2, 4, 5, 6}, {2, 4, 5, 3}, {2, 4, 5, 9}, 3},
    };
    for (const Generation generation : kGenerations) {
        for (const Case& one : cases) {
            FakeMachine machine;
            machine.profile = loader::default_profile(generation);
            const TensorSpec first = tensor(machine.put(noise(2000)), one.one);
            const TensorSpec second = tensor(machine.put(noise(2000)), one.two);
            const TensorSpec all = tensor(machine.allocate(4000), one.all);
            const std::uint32_t inputs = put_tensors(machine, {first, second});
            const std::uint32_t output = put_tensors(machine, {all});
            run_operator(machine, [=](const runtime::Route& route) {
                return runtime::concat(inputs, 2, output, one.axis, route);
            });
            const auto a = machine.get<std::uint8_t>(first.at, first.bytes);
            const auto b = machine.get<std::uint8_t>(second.at, second.bytes);
            std::vector<std::uint8_t> expected;
            std::size_t outer = 1, piece_a = 1, piece_b = 1;
            for (std::uint32_t i = 0; i < one.position; ++i) outer *= one.all[i];
            for (std::uint32_t i = one.position; i < 4; ++i) {
                piece_a *= one.one[i];
                piece_b *= one.two[i];
            }
            for (std::size_t i = 0; i < outer; ++i) {
                for (std::size_t k = 0; k < piece_a; ++k) expected.push_back(a[i * piece_a + k]);
                for (std::size_t k = 0; k < piece_b; ++k) expected.push_back(b[i * piece_b + k]);
            }
            CHECK(machine.get<std::uint8_t>(all.at, all.bytes) == expected);
        }
    }
}

TEST_CASE("concat: groups of channels become parts of pixels") {
    FakeMachine machine;
    constexpr std::uint32_t kH = 3, kW = 4, kB = 8;
    TensorSpec first = tensor(machine.put(noise(2 * kB * kH * kW)), {1, kH, kW, 2 * kB});
    TensorSpec second = tensor(machine.put(noise(kB * kH * kW)), {1, kH, kW, kB});
    first.batch = second.batch = kB;
    const TensorSpec all = tensor(machine.allocate(3 * kB * kH * kW), {1, kH, kW, 3 * kB});
    const std::uint32_t inputs = put_tensors(machine, {first, second});
    const std::uint32_t output = put_tensors(machine, {all});
    run_operator(machine, [=](const runtime::Route& route) {
        return runtime::concat(inputs, 2, output, 1, route);
    });
    const auto out = machine.get<std::uint8_t>(all.at, all.bytes);
    std::size_t wrong = 0;
    for (std::uint32_t y = 0; y < kH; ++y) {
        for (std::uint32_t x = 0; x < kW; ++x) {
            for (std::uint32_t c = 0; c < 3 * kB; ++c) {
                const TensorSpec& from = c < 2 * kB ? first : second;
                const std::uint32_t local = c < 2 * kB ? c : c - 2 * kB;
                const std::uint32_t at =
                    from.at + (local / kB * kH * kW + y * kW + x) * kB + local % kB;
                wrong += out[(y * kW + x) * 3 * kB + c] != runtime::load<std::uint8_t>(at);
            }
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("concat refuses what does not fit, with the documented code") {
    struct Case {
        LibraryError error;
        std::vector<std::uint32_t> one, two, all;
        std::uint32_t axis;
        std::uint8_t bits;
    };
    const Case cases[] = {
        {LibraryError::Shape, {4, 5, 6}, {4, 5, 6}, {8, 5, 6}, 0, 8},
        {LibraryError::Fractional, {1, 4, 4, 8}, {1, 4, 4, 8}, {2, 4, 4, 8}, 0, 4},
        {LibraryError::ShapeIn, {1, 4, 4, 8}, {1, 5, 4, 8}, {2, 4, 4, 8}, 0, 8},
        {LibraryError::Axis, {1, 4, 4, 8}, {1, 4, 4, 8}, {3, 4, 4, 8}, 0, 8},
        {LibraryError::Shape, {1, 4, 4, 8}, {1, 4, 4, 8}, {2, 4, 5, 8}, 0, 8},
        {LibraryError::Axis, {1, 4, 4, 8}, {1, 4, 4, 8}, {2, 4, 4, 8}, 4, 8},  // the first behind
    };
    for (const Case& one : cases) {
        FakeMachine machine;
        const std::uint32_t at = machine.allocate(4096);
        const std::uint32_t inputs =
            put_tensors(machine, {tensor(at, one.one, one.bits), tensor(at, one.two, one.bits)});
        const std::uint32_t output = put_tensors(machine, {tensor(at, one.all, one.bits)});
        run_operator(
            machine,
            [=](const runtime::Route& route) {
                return runtime::concat(inputs, 2, output, one.axis, route);
            },
            -2);
        CHECK(machine.errors == std::vector<LibraryError>{one.error});
    }
}

TEST_CASE("concat refuses no inputs, and more than it has room for") {
    for (const std::uint32_t count : {0u, 0x10000u}) {
        FakeMachine machine;
        const std::uint32_t at = machine.allocate(4096);
        const std::uint32_t input = put_tensors(machine, {tensor(at, {1, 4, 4, 8}, 8)});
        const std::uint32_t output = put_tensors(machine, {tensor(at, {1, 4, 4, 8}, 8)});
        run_operator(
            machine,
            [=](const runtime::Route& route) {
                return runtime::concat(input, count, output, 0, route);
            },
            -2);
        CHECK(machine.errors == std::vector<LibraryError>{LibraryError::NInputs});
    }
}

TEST_CASE("images become rows of blocks and back, in one and in four bytes") {
    for (const Generation generation : kGenerations) {
        for (const std::uint8_t bits : {std::uint8_t{8}, std::uint8_t{16}, std::uint8_t{32}}) {
            FakeMachine machine;
            machine.profile = loader::default_profile(generation);
            constexpr std::uint32_t kN = 2, kH = 6, kW = 9, kC = 5, kBh = 2, kBw = 3;
            const std::uint32_t bytes = bits / 8u;
            const TensorSpec image =
                tensor(machine.put(noise(kN * kH * kW * kC * bytes)), {kN, kH, kW, kC}, bits);
            const std::vector<std::uint32_t> shape = {kN, kH / kBh, kW / kBw, kC * kBh * kBw};
            const TensorSpec rows = tensor(machine.allocate(image.bytes), shape, bits);
            const TensorSpec back = tensor(machine.allocate(image.bytes), image.shape, bits);
            const std::uint32_t records = put_tensors(machine, {image, rows, back});
            run_operator(machine, [=](const runtime::Route& route) {
                return runtime::image_to_rows(records, 1, records + 56, {kBh, kBw, kBh, kBw},
                                              route);
            });
            std::size_t wrong = 0;
            for (std::uint32_t i = 0; i < kN * kH * kW * kC; ++i) {
                const std::uint32_t c = i % kC, x = i / kC % kW, y = i / kC / kW % kH,
                                    n = i / kC / kW / kH;
                const std::uint32_t row = (n * (kH / kBh) + y / kBh) * (kW / kBw) + x / kBw;
                const std::uint32_t place = (y % kBh * kBw + x % kBw) * kC + c;
                wrong +=
                    std::memcmp(runtime::bytes_at(rows.at + (row * kBh * kBw * kC + place) * bytes),
                                runtime::bytes_at(image.at + i * bytes), bytes) != 0;
            }
            CHECK(wrong == 0);
            run_operator(machine, [=](const runtime::Route& route) {
                return runtime::rows_to_image(records + 56, 1, records + 112, {kBh, kBw, kBh, kBw},
                                              route);
            });
            CHECK(machine.get<std::uint8_t>(back.at, back.bytes) ==
                  machine.get<std::uint8_t>(image.at, image.bytes));
        }
    }
}

TEST_CASE("overlapping blocks are copied completely, for each of several images") {
    FakeMachine machine;
    constexpr std::uint32_t kN = 2, kH = 5, kW = 7, kC = 3, kB = 3, kS = 2;
    constexpr std::uint32_t kRows = (kH - kB) / kS + 1, kColumns = (kW - kB) / kS + 1;
    const TensorSpec image = tensor(machine.put(noise(kN * kH * kW * kC)), {kN, kH, kW, kC});
    const std::vector<std::uint32_t> shape = {kN, kRows, kColumns, kC * kB * kB};
    const TensorSpec rows = tensor(machine.allocate(kN * kRows * kColumns * kC * kB * kB), shape);
    const std::uint32_t records = put_tensors(machine, {image, rows});
    run_operator(machine, [=](const runtime::Route& route) {
        return runtime::image_to_rows(records, 1, records + 56, {kB, kB, kS, kS}, route);
    });
    std::vector<std::uint8_t> expected;
    for (std::uint32_t n = 0; n < kN; ++n)
        for (std::uint32_t y = 0; y < kRows; ++y)
            for (std::uint32_t x = 0; x < kColumns; ++x)
                for (std::uint32_t k = 0; k < kB * kB * kC; ++k) {
                    const std::uint32_t line = y * kS + k / kC / kB;
                    const std::uint32_t pixel = x * kS + k / kC % kB;
                    expected.push_back(runtime::load<std::uint8_t>(
                        image.at + ((n * kH + line) * kW + pixel) * kC + k % kC));
                }
    CHECK(machine.get<std::uint8_t>(rows.at, rows.bytes) == expected);
    CHECK(machine.transfers == kN);
}

TEST_CASE("blocks that leave lines out are taken image by image") {
    FakeMachine machine;
    // Of three lines the middle one is in no block.
    constexpr std::uint32_t kN = 2, kH = 3, kW = 4, kC = 2;
    const TensorSpec image = tensor(machine.put(noise(kN * kH * kW * kC)), {kN, kH, kW, kC});
    const TensorSpec rows = tensor(machine.allocate(kN * 2 * kW * kC), {kN, 2, kW, kC});
    const std::uint32_t records = put_tensors(machine, {image, rows});
    run_operator(machine, [=](const runtime::Route& route) {
        return runtime::image_to_rows(records, 1, records + 56, {1, 1, 2, 1}, route);
    });
    std::vector<std::uint8_t> expected;
    for (std::uint32_t n = 0; n < kN; ++n)
        for (std::uint32_t y = 0; y < kH; y += 2)
            for (std::uint32_t i = 0; i < kW * kC; ++i)
                expected.push_back(
                    runtime::load<std::uint8_t>(image.at + (n * kH + y) * kW * kC + i));
    CHECK(machine.get<std::uint8_t>(rows.at, rows.bytes) == expected);
}

TEST_CASE("blocks are read up to the limit of what they are read from, in both directions") {
    FakeMachine machine;
    const TensorSpec image = tensor(machine.put(noise(256)), {1, 8, 8, 4});
    const TensorSpec rows = tensor(machine.allocate(256), {1, 4, 4, 16});
    const std::uint32_t records = put_tensors(machine, {image, rows});
    constexpr std::uint32_t kLimit = 0x10, kImageLimit = 256 + 64, kRowsLimit = 256 + 24;
    runtime::store(records + kLimit, kImageLimit);
    runtime::store(records + 56 + kLimit, kRowsLimit);
    run_operator(machine, [=](const runtime::Route& route) {
        return runtime::image_to_rows(records, 1, records + 56, {2, 2, 2, 2}, route);
    });
    const auto last_address = [&] {
        return machine.reg("STRENG", kOperatorRoute.reader, "LIMITADDR");
    };
    CHECK(last_address() == image.at + kImageLimit - 1);
    run_operator(machine, [=](const runtime::Route& route) {
        return runtime::rows_to_image(records + 56, 1, records, {2, 2, 2, 2}, route);
    });
    CHECK(last_address() == rows.at + kRowsLimit - 1);
}

TEST_CASE("blocks that no engine holds are copied by the core, which cleans just their bytes") {
    FakeMachine machine;
    constexpr std::uint32_t kDepth = 0x10000;  // one more than an engine's field holds
    const TensorSpec image = tensor(machine.put(noise(2 * kDepth)), {1, 2, 1, kDepth});
    const TensorSpec rows = tensor(machine.allocate(2 * kDepth), {1, 1, 1, 2 * kDepth});
    const std::uint32_t records = put_tensors(machine, {image, rows});
    run_operator(machine, [=](const runtime::Route& route) {
        return runtime::image_to_rows(records, 1, records + 56, {2, 1, 2, 1}, route);
    });
    CHECK(machine.transfers == 0);
    CHECK(machine.get<std::uint8_t>(rows.at, rows.bytes) ==
          machine.get<std::uint8_t>(image.at, image.bytes));
    REQUIRE(machine.maintained.size() == 2);
    CHECK(machine.maintained[0].start == image.at);
    CHECK(machine.maintained[0].bytes == image.bytes);
    CHECK(machine.maintained[1].start == rows.at);
    CHECK(machine.maintained[1].bytes == rows.bytes);
}

TEST_CASE("blocks of one byte go as frames of one element") {
    FakeMachine machine;
    const TensorSpec image = tensor(machine.put(noise(8 * 8)), {1, 8, 8, 1});
    const TensorSpec rows = tensor(machine.allocate(16), {1, 4, 4, 1});
    const std::uint32_t records = put_tensors(machine, {image, rows});
    run_operator(
        machine,
        [=](const runtime::Route& route) {
            return runtime::image_to_rows(records, 1, records + 56, {1, 1, 2, 2}, route);
        },
        -2);  // 7 is no multiple of the stride
    CHECK(machine.errors == std::vector<LibraryError>{LibraryError::Shape});
    const TensorSpec odd = tensor(image.at, {1, 7, 7, 1});
    const std::uint32_t again = put_tensors(machine, {odd, rows});
    run_operator(machine, [=](const runtime::Route& route) {
        return runtime::image_to_rows(again, 1, again + 56, {1, 1, 2, 2}, route);
    });
    std::vector<std::uint8_t> expected;
    for (std::uint32_t i = 0; i < 16; ++i)
        expected.push_back(runtime::load<std::uint8_t>(image.at + i / 4 * 14 + i % 4 * 2));
    CHECK(machine.get<std::uint8_t>(rows.at, 16) == expected);
}

TEST_CASE("transpose moves every element to its place, by engines and by the core") {
    struct Case {
        std::vector<std::uint32_t> shape;
        std::vector<std::uint8_t> place;  ///< of each input axis in the output
        std::uint8_t bits;
    };
    const Case cases[] = {
        {{2, 3, 4, 5}, {0, 3, 1, 2}, 8},
        {{2, 3, 4, 5}, {3, 2, 1, 0}, 16},
        {{2, 3, 4, 5}, {1, 0, 3, 2}, 32},
        {{6, 7, 8}, {2, 0, 1}, 8},
        {{6, 7, 8}, {1, 2, 0}, 24},
        {{2, 3, 2}, {2, 1, 0}, 8},
        {{2, 1, 3, 2, 2}, {4, 3, 2, 1, 0}, 8},
    };
    for (const Case& one : cases) {
        FakeMachine machine;
        const std::uint32_t rank = static_cast<std::uint32_t>(one.shape.size());
        const std::uint32_t bytes = one.bits / 8u;
        std::vector<std::uint32_t> shape(rank), strides(rank);
        for (std::uint32_t i = 0; i < rank; ++i) shape[one.place[i]] = one.shape[i];
        std::uint32_t stride = bytes;
        for (std::uint32_t i = rank; i-- != 0; stride *= shape[i]) strides[i] = stride;
        const TensorSpec in = tensor(machine.put(noise(stride)), one.shape, one.bits);
        const TensorSpec out = tensor(machine.allocate(stride), shape, one.bits);
        const std::uint32_t records = put_tensors(machine, {in, out});
        const std::uint32_t offsets = machine.put(strides), places = machine.put(one.place);
        run_operator(machine, [=](const runtime::Route& route) {
            return runtime::transpose(records, records + 56, offsets, places, route);
        });
        CHECK(machine.transfers == (out.bytes < 40 ? 0 : 1));
        std::size_t wrong = 0;
        for (std::uint32_t i = 0; i < in.bytes / bytes; ++i) {
            std::uint32_t rest = i, to = out.at;
            for (std::uint32_t axis = rank; axis-- != 0;) {
                to += rest % one.shape[axis] * strides[one.place[axis]];
                rest /= one.shape[axis];
            }
            wrong += std::memcmp(runtime::bytes_at(to), runtime::bytes_at(in.at + i * bytes),
                                 bytes) != 0;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("outputs get their parts of an input: flat, by channels, by groups of channels") {
    FakeMachine machine;
    // Descriptors N, C, H, W; memory H, W, C.
    constexpr std::uint32_t kL = 2, kC = 12, kH = 3, kW = 5;
    const TensorSpec in = tensor(machine.put(noise(kL * kC * kH * kW)), {kL, kC, kH, kW});
    const std::uint32_t channels[] = {5, 4, 3};
    std::vector<TensorSpec> parts;
    for (const std::uint32_t part : channels)
        parts.push_back(tensor(machine.allocate(kL * part * kH * kW), {kL, part, kH, kW}));
    const std::uint32_t input = put_tensors(machine, {in}), outputs = put_tensors(machine, parts);
    const auto source = machine.get<std::uint8_t>(in.at, in.bytes);

    SUBCASE("flat") {
        run_operator(machine, [=](const runtime::Route& route) {
            return runtime::flat_copy(input, outputs, 3, route);
        });
        std::vector<std::uint8_t> joined;
        for (const TensorSpec& part : parts) {
            const auto content = machine.get<std::uint8_t>(part.at, part.bytes);
            joined.insert(joined.end(), content.begin(), content.end());
        }
        CHECK(joined == source);
    }
    SUBCASE("channels") {
        run_operator(machine, [=](const runtime::Route& route) {
            return runtime::channel_split(input, outputs, 3, kL, route);
        });
        std::uint32_t first = 0;
        for (std::uint32_t i = 0; i < 3; ++i) {
            std::vector<std::uint8_t> expected;
            for (std::uint32_t p = 0; p < kL * kH * kW; ++p)
                for (std::uint32_t c = 0; c < channels[i]; ++c)
                    expected.push_back(source[p * kC + first + c]);
            CHECK(machine.get<std::uint8_t>(parts[i].at, parts[i].bytes) == expected);
            first += channels[i];
        }
    }
    SUBCASE("an output that does not fit") {
        machine.profile.ndebug = false;
        const std::uint32_t two = put_tensors(machine, {parts[0], parts[1]});
        run_operator(
            machine,
            [=](const runtime::Route& route) {
                return runtime::channel_split(input, two, 2, kL, route);
            },
            -2);
        CHECK(machine.errors == std::vector<LibraryError>{LibraryError::Shape});
    }
    SUBCASE("too many") {
        run_operator(
            machine,
            [=](const runtime::Route& route) {
                return runtime::flat_copy(input, outputs, 25, route);
            },
            -2);
        CHECK(machine.errors == std::vector<LibraryError>{LibraryError::NOutputs});
    }
}

TEST_CASE("a batched split stores groups of channels one behind the other") {
    FakeMachine machine;
    constexpr std::uint32_t kC = 12, kH = 3, kW = 5;
    TensorSpec in = tensor(machine.put(noise(kC * kH * kW)), {1, kC, kH, kW});
    in.batch = kC;
    std::vector<TensorSpec> parts = {tensor(machine.allocate(8 * kH * kW), {1, 8, kH, kW}),
                                     tensor(machine.allocate(4 * kH * kW), {1, 4, kH, kW})};
    parts[0].batch = 4;
    parts[1].batch = 2;
    const std::uint32_t input = put_tensors(machine, {in}), outputs = put_tensors(machine, parts);
    run_operator(machine, [=](const runtime::Route& route) {
        return runtime::channel_split_batched(input, outputs, 2, route);
    });
    const auto source = machine.get<std::uint8_t>(in.at, in.bytes);
    std::uint32_t first = 0;
    for (const TensorSpec& part : parts) {
        std::vector<std::uint8_t> expected;
        for (std::uint32_t group = 0; group < part.shape[1] / part.batch; ++group)
            for (std::uint32_t p = 0; p < kH * kW; ++p)
                for (std::uint32_t c = 0; c < part.batch; ++c)
                    expected.push_back(source[p * kC + first + group * part.batch + c]);
        CHECK(machine.get<std::uint8_t>(part.at, part.bytes) == expected);
        first += part.shape[1];
    }
}

TEST_CASE("a slice takes equal pieces at equal distances, short ones on the core") {
    for (const std::uint32_t rows : {2u, 20u}) {
        for (const std::uint32_t bits : {8u, 16u, 24u, 32u}) {
            FakeMachine machine;
            constexpr std::uint32_t kWidth = 12, kPitch = 31;
            const std::vector<std::uint8_t> source = noise(rows * kPitch);
            const TensorSpec in = tensor(machine.put(source), {rows * kPitch});
            const TensorSpec out = tensor(machine.allocate(rows * kWidth), {rows * kWidth});
            const std::uint32_t records = put_tensors(machine, {in, out});
            run_operator(machine, [=](const runtime::Route& route) {
                return runtime::slice(records, records + 56,
                                      {rows * kWidth, kWidth, rows, kPitch, bits}, route);
            });
            std::vector<std::uint8_t> expected;
            for (std::uint32_t i = 0; i < rows * kWidth; ++i)
                expected.push_back(source[i / kWidth * kPitch + i % kWidth]);
            CHECK(machine.get<std::uint8_t>(out.at, out.bytes) == expected);
            CHECK(machine.transfers == (rows == 2 ? 0 : 1));
            if (rows != 2) continue;
            // The core cleans what it reads and what it writes, and not a byte more.
            REQUIRE(machine.maintained.size() == 2);
            CHECK(machine.maintained[0].start == in.at);
            CHECK(machine.maintained[0].bytes == kPitch + kWidth);
            CHECK(machine.maintained[1].start == out.at);
            CHECK(machine.maintained[1].bytes == out.bytes);
        }
    }
}

TEST_CASE("operators that the description rules out are named") {
    FakeMachine machine;
    const std::uint32_t at = machine.allocate(512);
    const std::uint32_t records = put_tensors(machine, {tensor(at, {100}), tensor(at, {100})});
    const std::optional<Stop> width = machine.run([records] {
        runtime::slice(records, records + 56, {100, 7, 14, 20, 8}, kOperatorRoute);
    });
    REQUIRE(width.has_value());
    CHECK(width->failure == runtime::Failure::SliceWidth);
    CHECK(width->first == 100);
    CHECK(width->second == 7);

    const std::uint32_t single =
        put_tensors(machine, {tensor(at, {1, 1, 1, 1}), tensor(at, {1, 1, 1, 1})});
    BlockSpec split, twice;
    split.flags = twice.flags = kHybridBlock;
    split.end = [single](std::uint32_t, std::uint32_t, std::uint32_t) {
        return static_cast<std::uint32_t>(
            runtime::channel_split(single, single + 56, 1, 1, kOperatorRoute));
    };
    twice.end = [at](std::uint32_t, std::uint32_t, std::uint32_t) {
        runtime::linear_copy(at, 100, 0, at + 100, kOperatorRoute);
        return static_cast<std::uint32_t>(
            runtime::linear_copy(at, 100, 0, at + 200, kOperatorRoute));
    };
    const auto stop_of = [&machine](const BlockSpec& block) {
        const Network network(machine, {block});
        runtime::runtime_init();
        runtime::init_network(network.instance());
        const std::optional<Stop> stop = machine.run(
            [&network] { static_cast<void>(runtime::run_epoch_block(network.instance())); });
        runtime::de_init_network(network.instance());
        return stop;
    };
    const std::optional<Stop> one = stop_of(split);
    REQUIRE(one.has_value());
    CHECK(one->failure == runtime::Failure::SplitOfOneElement);
    const std::optional<Stop> busy = stop_of(twice);
    REQUIRE(busy.has_value());
    CHECK(busy->failure == runtime::Failure::OperatorBusy);
}

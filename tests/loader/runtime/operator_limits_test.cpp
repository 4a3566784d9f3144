// SPDX-License-Identifier: Apache-2.0
// What library operators refuse, up to where they do not, and how far engines may read ahead.
// Rules and codes are those of sections 7.1 to 7.6 of the runtime's description.
#include <doctest/doctest.h>

#include "loader/runtime/operators.h"
#include "tests/loader/runtime/network.h"

using namespace n6vp;
using namespace n6vp::test;
using loader::CacheOp;
using runtime::LibraryError;
using runtime::Route;

namespace {

using Shape = std::vector<std::uint32_t>;
using Words = std::vector<std::uint32_t>;

/// From 1.1.1 on.
constexpr std::uint8_t kFloat = 1, kInt8 = 7;
constexpr std::uint32_t kRecord = 56;
constexpr std::uint32_t kLimit = 0x10;  ///< offset_limit of a record

TensorSpec tensor_of(std::uint32_t at, Shape shape, std::uint8_t bits = 8) {
    TensorSpec spec;
    spec.at = at;
    spec.bits = bits;
    spec.bytes = (bits + 7) / 8u;
    for (const std::uint32_t dimension : shape) spec.bytes *= dimension;
    spec.batch = shape.empty() ? 0 : shape.back();
    spec.shape = std::move(shape);
    return spec;
}

std::vector<std::uint8_t> counted(std::uint32_t count) {
    std::vector<std::uint8_t> values(count);
    for (std::uint32_t i = 0; i < count; ++i) values[i] = static_cast<std::uint8_t>(i * 3 + i / 85);
    return values;
}

using Body = std::function<int(std::uint32_t records, const Route& route)>;

/// Runs an operator on these tensors. Returns the error that it refuses them with, or Unknown.
LibraryError refusal(const std::vector<TensorSpec>& tensors, const Body& body,
                     bool ndebug = false) {
    FakeMachine machine;
    machine.profile.ndebug = ndebug;
    std::vector<TensorSpec> placed = tensors;
    for (TensorSpec& tensor : placed) tensor.at = machine.allocate(4096);
    const std::uint32_t records = put_tensors(machine, placed);
    int result = 0;
    // Not by run_operator, which wants to know the result.
    BlockSpec block;
    block.flags = kHybridBlock;
    block.end = [&](std::uint32_t, std::uint32_t, std::uint32_t) {
        result = body(records, kOperatorRoute);
        return 0u;
    };
    const Network network(machine, {block});
    runtime::runtime_init();
    runtime::init_network(network.instance());
    machine.infer(network.instance());
    runtime::de_init_network(network.instance());
    CHECK(result == (machine.errors.empty() ? 0 : -2));
    return machine.errors.empty() ? LibraryError::Unknown : machine.errors.front();
}

/// Values written to LIMITADDR of the reading engine.
Words limits_of(const FakeMachine& machine) {
    Words values;
    for (const auto& [offset, value] : machine.written) {
        if (offset == 0x5000 + 0x1000 * kOperatorRoute.reader + 0x38) values.push_back(value);
    }
    return values;
}

constexpr LibraryError kAccepted = LibraryError::Unknown;

}  // namespace

TEST_CASE("copies and splits: number and length of the outputs") {
    const TensorSpec in = tensor_of(0, {1, 12, 4, 4}), half = tensor_of(0, {1, 6, 4, 4}),
                     more = tensor_of(0, {1, 7, 4, 4}), third = tensor_of(0, {1, 5, 4, 4});
    const auto flat = [](std::uint32_t count) {
        return Body([count](std::uint32_t at, const Route& route) {
            return runtime::flat_copy(at, at + kRecord, count, route);
        });
    };
    const auto split = [](std::uint32_t count) {
        return Body([count](std::uint32_t at, const Route& route) {
            return runtime::channel_split(at, at + kRecord, count, 1, route);
        });
    };
    const auto batched = [](std::uint32_t count) {
        return Body([count](std::uint32_t at, const Route& route) {
            return runtime::channel_split_batched(at, at + kRecord, count, route);
        });
    };
    for (const std::uint32_t count : {0u, 25u}) {
        CHECK(refusal({in, half}, flat(count)) == LibraryError::NOutputs);
        CHECK(refusal({in, half}, split(count)) == LibraryError::NOutputs);
        CHECK(refusal({in, half}, batched(count)) == LibraryError::NOutputs);
    }
    std::vector<TensorSpec> many(25, tensor_of(0, {1, 1, 2, 2}));
    many[0] = tensor_of(0, {1, 24, 2, 2});
    CHECK(refusal(many, flat(24)) == kAccepted);
    CHECK(refusal(many, split(24)) == kAccepted);
    // Only debug builds add the lengths up: a copy may leave a rest, a split may not.
    CHECK(refusal({in, half, half}, flat(2)) == kAccepted);
    CHECK(refusal({in, half, more}, flat(2)) == LibraryError::Shape);
    CHECK(refusal({in, half, more}, flat(2), true) == kAccepted);
    CHECK(refusal({in, half, third}, flat(2)) == kAccepted);
    CHECK(refusal({in, half, half}, split(2)) == kAccepted);
    CHECK(refusal({in, half, more}, split(2)) == LibraryError::Shape);
    CHECK(refusal({in, half, third}, split(2)) == LibraryError::Shape);
    CHECK(refusal({in, half, third}, split(2), true) == kAccepted);
    // A batched split: input batch 0 or C, output batches that divide.
    const auto with_batch = [](TensorSpec spec, std::uint32_t batch) {
        spec.batch = batch;
        return spec;
    };
    const TensorSpec whole = with_batch(in, 12), pairs = with_batch(half, 2);
    CHECK(refusal({whole, pairs, pairs}, batched(2)) == kAccepted);
    CHECK(refusal({with_batch(in, 0), pairs, pairs}, batched(2)) == kAccepted);
    CHECK(refusal({with_batch(in, 6), pairs, pairs}, batched(2)) == LibraryError::ShapeIn);
    CHECK(refusal({whole, pairs, with_batch(half, 4)}, batched(2)) == LibraryError::ShapeOut);
    CHECK(refusal({whole, with_batch(half, 0), pairs}, batched(2)) == LibraryError::ShapeOut);
    CHECK(refusal({whole, pairs, with_batch(third, 5)}, batched(2)) == LibraryError::Shape);
    CHECK(refusal({whole, pairs, with_batch(third, 5)}, batched(2), true) == kAccepted);
}

TEST_CASE("a slice of 40 bytes goes by engines, one of 39 by the core") {
    for (const std::uint32_t rows : {3u, 4u}) {
        FakeMachine machine;
        const std::uint32_t width = rows == 3 ? 13 : 10;
        const TensorSpec in = tensor_of(machine.put(counted(256)), {256});
        const TensorSpec out = tensor_of(machine.allocate(64), {width * rows});
        const std::uint32_t records = put_tensors(machine, {in, out});
        run_operator(machine, [=](const Route& route) {
            return runtime::slice(records, records + kRecord, {width * rows, width, rows, 20, 24},
                                  route);
        });
        CHECK(machine.transfers == (rows == 4 ? 1 : 0));
        std::vector<std::uint8_t> expected;
        for (std::uint32_t i = 0; i < width * rows; ++i)
            expected.push_back(counted(256)[i / width * 20 + i % width]);
        CHECK(machine.get<std::uint8_t>(out.at, expected.size()) == expected);
    }
    FakeMachine machine;
    const std::optional<Stop> stop = machine.run([] {
        runtime::slice(0, 0, {40, 0, 4, 20, 8}, kOperatorRoute);
    });
    REQUIRE(stop.has_value());
    CHECK(stop->failure == runtime::Failure::SliceWidth);
}

TEST_CASE("transpose: ranks and widths, of short outputs and of long ones") {
    const auto shape_of = [](std::uint32_t rank, std::uint32_t last) {
        Shape shape(rank, 1);
        shape.back() = last;
        return shape;
    };
    const auto transposed = [&](std::uint32_t rank, std::uint32_t out_rank, std::uint8_t bits,
                                std::uint8_t out_bits, std::uint32_t elements) {
        return refusal({tensor_of(0, shape_of(rank, elements), bits),
                        tensor_of(0, shape_of(out_rank, elements), out_bits)},
                       [rank, bits](std::uint32_t at, const Route& route) {
                           FakeMachine& machine = FakeMachine::it();
                           const std::uint32_t offsets = machine.put(Words(rank, (bits + 7) / 8u));
                           std::vector<std::uint8_t> places(rank);
                           for (std::uint32_t i = 0; i < rank; ++i)
                               places[i] = static_cast<std::uint8_t>(i);
                           return runtime::transpose(at, at + kRecord, offsets, machine.put(places),
                                                     route);
                       });
    };
    // 39 bytes: the core, ranks 3 to 8.
    CHECK(transposed(2, 2, 8, 8, 39) == LibraryError::Rank);
    CHECK(transposed(3, 3, 8, 8, 39) == kAccepted);
    CHECK(transposed(8, 8, 8, 8, 39) == kAccepted);
    CHECK(transposed(9, 9, 8, 8, 39) == LibraryError::Rank);
    // 40 bytes: engines, ranks 3 and 4.
    CHECK(transposed(2, 2, 8, 8, 40) == LibraryError::Shape);
    CHECK(transposed(3, 3, 8, 8, 40) == kAccepted);
    CHECK(transposed(4, 4, 8, 8, 40) == kAccepted);
    CHECK(transposed(5, 5, 8, 8, 40) == LibraryError::Shape);
    CHECK(transposed(3, 4, 8, 8, 40) == LibraryError::Shape);
    CHECK(transposed(3, 3, 7, 7, 100) == LibraryError::NBits);
    CHECK(transposed(3, 3, 8, 16, 100) == LibraryError::NBits);
    CHECK(transposed(3, 3, 32, 32, 100) == kAccepted);
    CHECK(transposed(3, 3, 33, 33, 100) == LibraryError::NBits);
}

TEST_CASE("blocks: inputs, ranks, widths and geometry") {
    const auto rows = [](const TensorSpec& image, const TensorSpec& result, runtime::Block block,
                         std::uint32_t count = 1) {
        return refusal({image, result}, [=](std::uint32_t at, const Route& route) {
            return runtime::image_to_rows(at, count, at + kRecord, block, route);
        });
    };
    const auto back = [](const TensorSpec& in, const TensorSpec& image, runtime::Block block) {
        return refusal({in, image}, [=](std::uint32_t at, const Route& route) {
            return runtime::rows_to_image(at, 1, at + kRecord, block, route);
        });
    };
    const TensorSpec image = tensor_of(0, {1, 4, 6, 2}), result = tensor_of(0, {1, 2, 3, 8});
    const runtime::Block block{2, 2, 2, 2};
    CHECK(rows(image, result, block) == kAccepted);
    CHECK(back(result, image, block) == kAccepted);
    CHECK(rows(image, result, block, 0) == LibraryError::NInputs);
    CHECK(rows(image, result, block, 2) == LibraryError::NInputs);
    CHECK(rows(image, tensor_of(0, {1, 2, 3, 8}, 16), block) == LibraryError::NBits);
    const TensorSpec flat = tensor_of(0, {}), wide = tensor_of(0, {1, 1, 2, 3, 8}),
                     deep = tensor_of(0, {1, 1, 4, 6, 2});
    CHECK(rows(image, flat, block) == LibraryError::ShapeOut);
    CHECK(rows(image, wide, block) == LibraryError::ShapeOut);
    CHECK(rows(flat, result, block) == LibraryError::ShapeIn);
    CHECK(rows(deep, result, block) == LibraryError::ShapeIn);
    // One step from fitting, each of them.
    for (const runtime::Block odd : {runtime::Block{0, 2, 2, 2},
                                     {2, 0, 2, 2},
                                     {2, 2, 0, 2},
                                     {2, 2, 2, 0},
                                     {5, 2, 2, 2},
                                     {2, 7, 2, 2},
                                     {2, 2, 3, 2},
                                     {2, 2, 2, 3},
                                     {2, 2, 1, 2},
                                     {2, 2, 2, 1},
                                     {1, 4, 2, 2}})
        CHECK(rows(image, result, odd) == LibraryError::Shape);
    for (const Shape& odd :
         {Shape{2, 2, 3, 8}, {1, 3, 3, 8}, {1, 2, 4, 8}, {1, 2, 3, 7}, {1, 1, 3, 8}})
        CHECK(rows(image, tensor_of(0, odd), block) == LibraryError::Shape);
    // A block as large as the image, and one row less than that of rank 4.
    CHECK(rows(image, tensor_of(0, {1, 1, 1, 48}), {4, 6, 1, 1}) == kAccepted);
    CHECK(rows(tensor_of(0, {4, 6, 2}), tensor_of(0, {2, 3, 8}), block) == kAccepted);
}

TEST_CASE("concat: what each check looks at") {
    const auto joined = [](std::vector<TensorSpec> tensors, std::uint32_t count,
                           std::uint32_t axis) {
        return refusal(tensors, [=](std::uint32_t at, const Route& route) {
            return runtime::concat(at, count, at + count * kRecord, axis, route);
        });
    };
    const TensorSpec one = tensor_of(0, {1, 4, 4, 8}), two = tensor_of(0, {2, 4, 4, 8});
    CHECK(joined({one, one, two}, 2, 0) == kAccepted);
    const std::vector<TensorSpec> most(25, one);
    std::vector<TensorSpec> all(24, one);
    all.push_back(tensor_of(0, {24, 4, 4, 8}));
    CHECK(joined(all, 24, 0) == kAccepted);
    CHECK(joined(most, 25, 0) == LibraryError::NInputs);
    TensorSpec other = one;
    other.batch = 4;
    CHECK(joined({one, other, two}, 2, 0) == LibraryError::ShapeIn);
    CHECK(joined({one, tensor_of(0, {4, 4, 8}), two}, 2, 0) == LibraryError::ShapeIn);
    CHECK(joined({one, tensor_of(0, {1, 4, 4, 8}, 16), two}, 2, 0) == LibraryError::NBitsIn);
    CHECK(joined({one, one, tensor_of(0, {2, 4, 4, 8}, 16)}, 2, 0) == LibraryError::NBits);
    CHECK(joined({one, one, tensor_of(0, {1, 2, 4, 4, 8})}, 2, 0) == LibraryError::Shape);
    TensorSpec cut = two;
    --cut.bytes;
    CHECK(joined({one, one, cut}, 2, 0) == LibraryError::Buffer);
    // Inputs whose channels are stored apart: as they are, or in groups that divide.
    TensorSpec grouped = one, result = tensor_of(0, {1, 4, 4, 16});
    grouped.batch = 4;
    CHECK(joined({grouped, grouped, result}, 2, 1) == kAccepted);
    grouped.batch = 3;
    CHECK(joined({grouped, grouped, result}, 2, 1) == LibraryError::ShapeIn);
    grouped.batch = 0;
    CHECK(joined({grouped, grouped, result}, 2, 1) == LibraryError::ShapeIn);
    grouped.batch = 4;
    CHECK(joined({grouped, grouped, two}, 2, 0) == LibraryError::Shape);
    // The core wants whole pixels on both sides.
    const TensorSpec tall = tensor_of(0, {1, 8, 4, 8});
    TensorSpec apart = tall;
    apart.batch = 4;
    CHECK(joined({one, one, tall}, 2, 2) == kAccepted);
    CHECK(joined({grouped, grouped, tall}, 2, 2) == LibraryError::ShapeIn);
    CHECK(joined({one, one, apart}, 2, 2) == LibraryError::ShapeOut);
}

TEST_CASE("concat by the core takes both sides out of its cache") {
    FakeMachine machine;
    const TensorSpec one = tensor_of(machine.put(counted(128)), {1, 4, 4, 8});
    const TensorSpec two = tensor_of(machine.put(counted(96)), {1, 3, 4, 8});
    const TensorSpec all = tensor_of(machine.allocate(224), {1, 7, 4, 8});
    const std::uint32_t records = put_tensors(machine, {one, two, all});
    run_operator(machine, [=](const Route& route) {
        return runtime::concat(records, 2, records + 2 * kRecord, 2, route);
    });
    REQUIRE(machine.maintained.size() == 3);
    const TensorSpec* const order[] = {&one, &two, &all};
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(machine.maintained[i].op == CacheOp::McuCleanInvalidate);
        CHECK(machine.maintained[i].start == order[i]->at);
        CHECK(machine.maintained[i].bytes == order[i]->bytes);
    }
}

TEST_CASE("softmax and cast: every length, rank and scale") {
    const auto softmax = [](const TensorSpec& in, const TensorSpec& out, std::uint32_t axis) {
        TensorSpec scratch = tensor_of(0, {1, 1, 1, 2048});
        return refusal({in, out, scratch}, [=](std::uint32_t at, const Route&) {
            return runtime::softmax(at, at + kRecord, axis, false);
        });
    };
    TensorSpec good = tensor_of(0, {1, 1, 1, 8}, 32);
    good.type = kFloat;
    CHECK(softmax(good, good, 3) == kAccepted);
    TensorSpec bad = good;
    bad.bytes = 31;
    CHECK(softmax(bad, good, 3) == LibraryError::BufferIn);
    CHECK(softmax(good, bad, 3) == LibraryError::BufferOut);
    bad = good;
    bad.shape = {1, 1, 8};
    CHECK(softmax(bad, good, 2) == LibraryError::ShapeIn);
    CHECK(softmax(good, bad, 2) == LibraryError::ShapeOut);
    CHECK(softmax(good, good, 4) == LibraryError::Axis);
    TensorSpec bytes = tensor_of(0, {1, 1, 1, 8});
    bytes.type = kInt8;
    CHECK(softmax(good, bytes, 3) == LibraryError::DataType);
    bytes.scale = {0.5F};
    CHECK(softmax(bytes, bytes, 3) == kAccepted);
    TensorSpec channels = bytes, unscaled = bytes;
    channels.per_channel = 1;
    unscaled.scale.clear();
    CHECK(softmax(channels, bytes, 3) == LibraryError::DataType);
    CHECK(softmax(bytes, channels, 3) == LibraryError::DataType);
    CHECK(softmax(unscaled, bytes, 3) == LibraryError::DataType);
    CHECK(softmax(bytes, unscaled, 3) == LibraryError::DataType);

    const auto cast = [](const TensorSpec& in, const TensorSpec& out) {
        return refusal({in, out}, [](std::uint32_t at, const Route& route) {
            return runtime::cast(at, at + kRecord, route);
        });
    };
    TensorSpec plain = tensor_of(0, {1, 1, 1, 8});
    CHECK(cast(plain, good) == kAccepted);
    TensorSpec cut = plain;
    cut.bytes = 7;
    CHECK(cast(cut, good) == LibraryError::BufferIn);
    CHECK(cast(good, cut) == LibraryError::BufferOut);
    constexpr std::uint8_t kFixedPoint = 100;
    for (const std::uint8_t bits : {std::uint8_t{0}, std::uint8_t{33}}) {
        TensorSpec odd = tensor_of(0, {1, 1, 1, 8}, bits);
        odd.type = kFixedPoint;
        odd.bytes = 64;
        CHECK(cast(odd, good) == LibraryError::NBits);
        CHECK(cast(good, odd) == LibraryError::NBits);
    }
}

TEST_CASE("engines read up to the limit of what they read, in every operator") {
    constexpr std::uint32_t kBytes = 960, kEnd = 1000;
    const auto limits = [](const std::vector<TensorSpec>& tensors, std::size_t inputs,
                           const Body& body) {
        FakeMachine machine;
        std::vector<TensorSpec> placed = tensors;
        for (TensorSpec& tensor : placed) tensor.at = machine.put(counted(kBytes));
        const std::uint32_t records = put_tensors(machine, placed);
        for (std::uint32_t i = 0; i < inputs; ++i)
            runtime::store(records + i * kRecord + kLimit, kEnd + i);
        run_operator(machine, [&](const Route& route) { return body(records, route); });
        Words found = limits_of(machine);
        // As the number of the input whose limit it is.
        for (std::uint32_t& value : found) {
            std::uint32_t input = 99;
            for (std::uint32_t i = 0; i < inputs; ++i)
                if (value == placed[i].at + kEnd + i - 1) input = i;
            value = input;
        }
        return found;
    };
    const TensorSpec half = tensor_of(0, {1, 8, 6, 10}), whole = tensor_of(0, {2, 8, 6, 10});
    CHECK(limits({half, half, whole}, 2, [](std::uint32_t at, const Route& route) {
              return runtime::concat(at, 2, at + 2 * kRecord, 0, route);
          }) == Words{0, 1});
    TensorSpec groups = tensor_of(0, {1, 8, 6, 10});
    groups.batch = 5;
    CHECK(limits({groups, groups, tensor_of(0, {1, 8, 6, 20})}, 2,
                 [](std::uint32_t at, const Route& route) {
                     return runtime::concat(at, 2, at + 2 * kRecord, 1, route);
                 }) == Words{0, 1});
    const TensorSpec line = tensor_of(0, {1, 1, 1, 60});
    CHECK(limits({line, line}, 1, [](std::uint32_t at, const Route& route) {
              return runtime::concat(at, 1, at + kRecord, 3, route);
          }) == Words{0});
    const TensorSpec parts = tensor_of(0, {1, 10, 8, 6}), all = tensor_of(0, {1, 20, 8, 6});
    CHECK(limits({all, parts, parts}, 1, [](std::uint32_t at, const Route& route) {
              return runtime::flat_copy(at, at + kRecord, 2, route);
          }) == Words{0, 0});
    CHECK(limits({all, parts, parts}, 1, [](std::uint32_t at, const Route& route) {
              return runtime::channel_split(at, at + kRecord, 2, 1, route);
          }) == Words{0, 0});
    TensorSpec first = all, pair = parts;
    first.batch = 20;
    pair.batch = 5;
    CHECK(limits({first, pair, pair}, 1, [](std::uint32_t at, const Route& route) {
              return runtime::channel_split_batched(at, at + kRecord, 2, route);
          }) == Words{0, 0});
    CHECK(limits({all, parts}, 1, [](std::uint32_t at, const Route& route) {
              return runtime::slice(at, at + kRecord, {480, 48, 10, 96, 8}, route);
          }) == Words{0});
    CHECK(limits({half, half}, 1, [](std::uint32_t at, const Route& route) {
              FakeMachine& machine = FakeMachine::it();
              return runtime::transpose(at, at + kRecord, machine.put(Words{480, 60, 10, 1}),
                                        machine.put(std::vector<std::uint8_t>{0, 1, 2, 3}), route);
          }) == Words{0});
    CHECK(limits({half, half}, 1, [](std::uint32_t at, const Route& route) {
              return runtime::cast(at, at + kRecord, route);
          }) == Words{0});
    FakeMachine machine;
    const std::uint32_t from = machine.put(counted(kBytes)), to = machine.allocate(kBytes);
    run_operator(machine, [=](const Route& route) {
        return runtime::linear_copy(from, 300, from + 320, to, route);
    });
    CHECK(limits_of(machine) == Words{from + 319});
    machine.written.clear();
    run_operator(machine,
                 [=](const Route& route) { return runtime::linear_copy(from, 300, 0, to, route); });
    CHECK(limits_of(machine).empty());
}

TEST_CASE("inserted blocks carry the number of their operator") {
    FakeMachine machine;
    const std::uint32_t from = machine.put(counted(960)), to = machine.allocate(960);
    const std::uint32_t records =
        put_tensors(machine, {tensor_of(from, {1, 10, 8, 6}), tensor_of(to, {1, 10, 8, 6})});
    const std::uint32_t places = machine.put(std::vector<std::uint8_t>{0, 1, 2, 3});
    const std::uint32_t offsets = machine.put(Words{480, 48, 6, 1});
    const std::pair<int, Body> rows[] = {
        {-1, [](std::uint32_t at,
                const Route& r) { return runtime::concat(at, 1, at + kRecord, 0, r); }},
        {-2,
         [=](std::uint32_t, const Route& r) { return runtime::linear_copy(from, 300, 0, to, r); }},
        {-4, [](std::uint32_t at,
                const Route& r) { return runtime::flat_copy(at, at + kRecord, 1, r); }},
        {-5, [](std::uint32_t at,
                const Route& r) { return runtime::channel_split(at, at + kRecord, 1, 1, r); }},
        {-10,
         [=](std::uint32_t at, const Route& r) {
             return runtime::transpose(at, at + kRecord, offsets, places, r);
         }},
        {-11, [](std::uint32_t at, const Route& r) {
             return runtime::slice(at, at + kRecord, {480, 48, 10, 48, 8}, r);
         }}};
    for (const auto& each : rows) {
        const auto& [number, body] = each;
        CAPTURE(each.first);
        std::vector<std::int16_t> numbers;
        BlockSpec block;
        block.flags = kHybridBlock;
        block.end = [&body = body, records](std::uint32_t, std::uint32_t, std::uint32_t) {
            return static_cast<std::uint32_t>(body(records, kOperatorRoute));
        };
        const Network network(machine, {block});
        runtime::set_network_callback(
            network.instance(),
            machine.function([&](std::uint32_t type, std::uint32_t, std::uint32_t item) {
                const bool inserted = item != 0 && item != network.item(0);
                if (type == 0 && inserted) {
                    CHECK(runtime::load<std::uint16_t>(item + 0x10) == 0x80);
                    CHECK(runtime::load<std::uint32_t>(item + 0x0C) == 1u << kOperatorRoute.writer);
                    numbers.push_back(runtime::load<std::int16_t>(item + 0x12));
                    numbers.push_back(runtime::load<std::int16_t>(item + 0x14));
                }
                return 0u;
            }));
        runtime::runtime_init();
        runtime::init_network(network.instance());
        machine.infer(network.instance());
        runtime::de_init_network(network.instance());
        const auto expected = static_cast<std::int16_t>(number);
        CHECK(numbers == std::vector<std::int16_t>{expected, expected});
    }
}

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "loader/runtime/operators.h"
#include "tests/loader/runtime/network.h"

using namespace n6vp;
using namespace n6vp::test;
using loader::Generation;
using runtime::LibraryError;

// The expected tensors are computed element by element from the rule of each mode.

namespace {

struct PadCase {
    std::vector<std::uint32_t> in;          ///< elements by axis
    std::vector<std::int32_t> front, back;  ///< elements added; negative: left out
    std::uint32_t bytes;                    ///< of an element
};

/// Everything the compiler works out for a pad, in guest memory.
struct Plan {
    std::vector<std::uint32_t> out, min_shape, offsets, in_offsets;
    std::vector<std::int32_t> in_start, in_end, out_start, out_end;
    std::uint32_t axis = 0, run_bytes = 0, in_bytes = 0, out_bytes = 0;
};

Plan plan_of(const PadCase& one) {
    Plan plan;
    const std::size_t rank = one.in.size();
    plan.offsets.resize(rank);
    plan.in_offsets.resize(rank);
    std::uint32_t in_step = one.bytes, out_step = one.bytes;
    for (std::size_t i = 0; i < rank; ++i)
        plan.out.push_back(static_cast<std::uint32_t>(static_cast<std::int32_t>(one.in[i]) +
                                                      one.front[i] + one.back[i]));
    for (std::size_t i = rank; i-- != 0;) {
        plan.offsets[i] = out_step;
        plan.in_offsets[i] = in_step;
        in_step *= one.in[i];
        out_step *= plan.out[i];
    }
    plan.in_bytes = in_step;
    plan.out_bytes = out_step;
    const auto cut = [](std::int32_t pad, std::uint32_t step) {
        return pad < 0 ? pad * static_cast<std::int32_t>(step) : 0;
    };
    const auto added = [](std::int32_t pad, std::uint32_t step) {
        return pad > 0 ? pad * static_cast<std::int32_t>(step) : 0;
    };
    for (std::size_t i = 0; i < rank; ++i) {
        plan.min_shape.push_back(std::min(one.in[i], plan.out[i]));
        plan.in_start.push_back(cut(one.front[i], plan.in_offsets[i]));
        plan.in_end.push_back(cut(one.back[i], plan.in_offsets[i]));
        plan.out_start.push_back(added(one.front[i], plan.offsets[i]));
        plan.out_end.push_back(added(one.back[i], plan.offsets[i]));
    }
    // The innermost axis with a pad ends the run; all behind it are whole.
    plan.axis = static_cast<std::uint32_t>(rank - 1);
    while (plan.axis > 0 && one.front[plan.axis] == 0 && one.back[plan.axis] == 0) --plan.axis;
    std::uint32_t elements = static_cast<std::uint32_t>(
        static_cast<std::int32_t>(one.in[plan.axis]) + std::min(one.front[plan.axis], 0) +
        std::min(one.back[plan.axis], 0));
    for (std::size_t i = plan.axis + 1; i < rank; ++i) elements *= one.in[i];
    plan.run_bytes = elements * one.bytes;
    return plan;
}

/// Where an output index comes from on one axis; -1: from outside.
std::int32_t source(std::int32_t index, std::int32_t front, std::int32_t count, unsigned mode) {
    std::int32_t at = index - front;
    if (mode == 0) return at >= 0 && at < count ? at : -1;
    if (mode == 2) return std::min(std::max(at, 0), count - 1);
    while (at < 0 || at >= count) {
        if (count == 1) return 0;
        at = at < 0 ? -at : 2 * (count - 1) - at;
    }
    return at;
}

std::vector<std::uint8_t> expected_pad(const PadCase& one, const Plan& plan, std::uint32_t in,
                                       unsigned mode, std::int32_t value) {
    std::vector<std::uint8_t> out;
    for (std::uint32_t i = 0; i < plan.out_bytes / one.bytes; ++i) {
        std::uint32_t at = in;
        bool outside = false;
        for (std::size_t axis = 0; axis < plan.out.size(); ++axis) {
            const auto index =
                static_cast<std::int32_t>(i * one.bytes / plan.offsets[axis] % plan.out[axis]);
            const std::int32_t from =
                source(index, one.front[axis], static_cast<std::int32_t>(one.in[axis]), mode);
            outside = outside || from < 0;
            at += static_cast<std::uint32_t>(from) * plan.in_offsets[axis];
        }
        for (std::uint32_t b = 0; b < one.bytes; ++b) {
            const auto constant =
                static_cast<std::uint8_t>(static_cast<std::uint32_t>(value) >> (8 * b));
            out.push_back(outside ? constant : runtime::load<std::uint8_t>(at + b));
        }
    }
    return out;
}

/// Bytes that differ from one run of 256 to the next, too.
std::vector<std::uint8_t> long_ramp(std::size_t count) {
    std::vector<std::uint8_t> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<std::uint8_t>(i * 29 + i / 256 + 1);
    return values;
}

const PadCase kPads[] = {
    {{1, 4, 5, 3}, {0, 1, 2, 0}, {0, 2, 1, 0}, 1},       // small: the core alone
    {{1, 8, 450, 3}, {0, 2, 3, 0}, {0, 1, 5, 0}, 1},     // engines set and fill
    {{1, 6, 300, 4}, {0, 1, 1, 0}, {0, 1, 1, 0}, 2},     // pairs of bytes
    {{1, 3, 420, 1}, {0, 1, 2, 0}, {0, 1, 2, 0}, 4},     // words
    {{2, 3, 410, 2}, {0, 1, 0, 0}, {0, 0, 0, 0}, 3},     // three bytes, whole planes at once
    {{1, 9, 500, 3}, {0, -2, 3, 0}, {0, -1, 40, 0}, 1},  // lines cut, pixels added
    {{1, 3, 4, 2}, {0, 7, 9, 0}, {0, 8, 10, 0}, 1},      // a border wider than the inside, twice
    {{1, 1, 4, 2}, {0, 2, 3, 0}, {0, 3, 2, 0}, 2},       // nothing to reflect but one line
};

runtime::Pad request(FakeMachine& machine, const PadCase& one, const Plan& plan, unsigned mode,
                     std::int32_t value) {
    runtime::Pad pad;
    pad.in = machine.put(long_ramp(plan.in_bytes));
    pad.out = machine.allocate(plan.out_bytes + 16) + 8;
    pad.mode = mode;
    pad.element_bytes = one.bytes;
    pad.value = value;
    pad.out_bytes = plan.out_bytes;
    pad.run_axis = plan.axis;
    pad.run_bytes = plan.run_bytes;
    pad.rank = static_cast<std::uint32_t>(one.in.size());
    pad.min_shape = machine.put(plan.min_shape);
    pad.in_start = machine.put(plan.in_start);
    pad.in_end = machine.put(plan.in_end);
    pad.out_start = machine.put(plan.out_start);
    pad.out_end = machine.put(plan.out_end);
    pad.out_shape = machine.put(plan.out);
    pad.out_offsets = machine.put(plan.offsets);
    return pad;
}

/// `__ll_pad_sw_params_t` of a generation, by the table of section 7.8.
std::uint32_t put_record(FakeMachine& machine, const runtime::Pad& pad, std::uint32_t callback) {
    const bool is_new = machine.profile.generation >= Generation::Core30;
    const std::uint32_t at = machine.allocate(192);
    const auto put = [at, is_new](std::uint32_t old_offset, std::uint32_t new_offset,
                                  std::uint32_t value) {
        runtime::store(at + (is_new ? new_offset : old_offset), value);
    };
    put(0, 0, pad.in);
    put(4, 12, pad.out);
    put(16, 24, pad.run_axis);
    put(20, 28, pad.run_bytes);
    put(24, 32, pad.element_bytes | pad.mode << 8);
    put(28, 36, pad.in);
    put(32, 40, pad.out);
    put(36, 44, pad.rank);
    put(40, 48, pad.out + pad.out_bytes);
    put(44, 148, callback);
    put(48, 152, kOperatorRoute.reader);
    put(52, 156, kOperatorRoute.writer);
    const std::uint32_t arrays[] = {pad.min_shape, pad.in_start,  pad.in_end,      pad.out_start,
                                    pad.out_end,   pad.out_shape, pad.out_offsets, 0};
    for (std::uint32_t i = 0; i < 8; ++i) put(56 + 4 * i, 160 + 4 * i, arrays[i]);
    return at;
}

}  // namespace

TEST_CASE("4.x pads by a constant, a reflection and the edge, and writes nothing beside") {
    for (const PadCase& one : kPads) {
        for (const unsigned mode : {0u, 1u, 2u}) {
            FakeMachine machine;
            machine.profile = loader::default_profile(Generation::Core4x);
            const Plan plan = plan_of(one);
            const runtime::Pad pad = request(machine, one, plan, mode, 0x04030201);
            run_operator(machine,
                         [&](const runtime::Route& route) { return runtime::pad(pad, route); });
            CHECK(machine.get<std::uint8_t>(pad.out, plan.out_bytes) ==
                  expected_pad(one, plan, pad.in, mode, 0x04030201));
            CHECK(machine.get<std::uint8_t>(pad.out - 8, 8) == std::vector<std::uint8_t>(8));
            CHECK(machine.get<std::uint8_t>(pad.out + plan.out_bytes, 8) ==
                  std::vector<std::uint8_t>(8));
            // The output leaves the core's cache before engines write it, and what the core wrote
            // since then goes to memory in the end.
            REQUIRE(machine.maintained.size() >= 2);
            for (const Maintained* one_call :
                 {&machine.maintained.front(), &machine.maintained.back()}) {
                CHECK(one_call->start == pad.out);
                CHECK(one_call->bytes == plan.out_bytes);
            }
            CHECK(machine.maintained.front().op == loader::CacheOp::McuCleanInvalidate);
            CHECK(machine.maintained.back().op == loader::CacheOp::McuClean);
        }
    }
}

TEST_CASE("4.x leaves long runs and large outputs to engines, as documented") {
    struct Case {
        PadCase pad;
        unsigned mode;
        std::uint32_t transfers;
    };
    // 1200 bytes of a run and 2700 of an output. Engines move whole threes: no head is left over.
    const Case cases[] = {
        {{{1199}, {1}, {0}, 1}, 2, 0},    {{{1200}, {1}, {0}, 1}, 2, 1},
        {{{100}, {2599}, {0}, 1}, 0, 0},  {{{100}, {2600}, {0}, 1}, 0, 1},
        {{{100}, {0}, {2600}, 1}, 2, 0},  {{{600}, {1}, {0}, 2}, 1, 1},
        {{{1200}, {1499}, {0}, 1}, 0, 1}, {{{1200}, {1500}, {0}, 1}, 0, 2},
    };
    for (const Case& one : cases) {
        CAPTURE(one.pad.in[0]);
        FakeMachine machine;
        machine.profile = loader::default_profile(Generation::Core4x);
        const Plan plan = plan_of(one.pad);
        const runtime::Pad pad = request(machine, one.pad, plan, one.mode, 0x04030201);
        run_operator(machine,
                     [&](const runtime::Route& route) { return runtime::pad(pad, route); });
        CHECK(machine.transfers == one.transfers);
        CHECK(machine.get<std::uint8_t>(pad.out, plan.out_bytes) ==
              expected_pad(one.pad, plan, pad.in, one.mode, 0x04030201));
    }
}

TEST_CASE("a set of 48 bytes and more is done by an engine from one sample") {
    for (const Generation generation : {Generation::Core22, Generation::Core30}) {
        for (const std::uint32_t element : {1u, 2u, 3u, 4u}) {
            for (const std::uint32_t bytes : {36u, 47u, 48u, 49u, 50u, 51u, 96u, 100u}) {
                if (bytes % element != 0) continue;
                CAPTURE(element);
                CAPTURE(bytes);
                FakeMachine machine;
                machine.profile = loader::default_profile(generation);
                const PadCase one{{bytes / element - 1}, {1}, {0}, element};
                const Plan plan = plan_of(one);
                const runtime::Pad pad = request(machine, one, plan, 0, 0);
                const std::uint32_t record = put_record(machine, pad, 0);
                run_operator(machine, [&](const runtime::Route&) {
                    return runtime::pad_set(pad.out, 0x44332211, record, true);
                });
                std::vector<std::uint8_t> expected;
                for (std::uint32_t i = 0; i < bytes; ++i)
                    expected.push_back(static_cast<std::uint8_t>(0x11 * (i % element + 1)));
                CHECK(machine.get<std::uint8_t>(pad.out, bytes) == expected);
                CHECK(machine.get<std::uint8_t>(pad.out + bytes, 8) ==
                      std::vector<std::uint8_t>(8));
                CHECK(machine.transfers == (bytes < 48 ? 0 : 1));
                // The core writes the sample and what does not fit into samples.
                const std::uint32_t sample = element % 2 == 1 ? 3 : 4;
                REQUIRE(machine.maintained.size() == 2);
                CHECK(machine.maintained[0].start == pad.out);
                CHECK(machine.maintained[0].bytes == bytes);
                CHECK(machine.maintained[1].op == loader::CacheOp::McuCleanInvalidate);
                CHECK(machine.maintained[1].start == pad.out);
                CHECK(machine.maintained[1].bytes ==
                      (bytes < 48 ? bytes : sample + bytes % sample));
            }
        }
    }
}

TEST_CASE("pads read up to their limit") {
    using Written = std::vector<std::uint32_t>;
    const PadCase one{{2, 1200}, {0, 1}, {0, 0}, 1};
    const auto limits = [](const FakeMachine& machine) {
        Written values;
        for (const auto& [offset, value] : machine.written) {
            if (offset == 0x5000 + 0x1000 * kOperatorRoute.reader + 0x38) values.push_back(value);
        }
        return values;
    };
    {
        FakeMachine machine;
        machine.profile = loader::default_profile(Generation::Core4x);
        const Plan plan = plan_of(one);
        runtime::Pad pad = request(machine, one, plan, 2, 0);
        pad.in_limit = pad.in + 2464;
        run_operator(machine,
                     [&](const runtime::Route& route) { return runtime::pad(pad, route); });
        CHECK(limits(machine) == Written{pad.in + 2463, pad.in + 2463});
    }
    for (const Generation generation : {Generation::Core22, Generation::Core30}) {
        FakeMachine machine;
        machine.profile = loader::default_profile(generation);
        const Plan plan = plan_of(one);
        const runtime::Pad pad = request(machine, one, plan, 0, 0);
        const std::uint32_t record = put_record(machine, pad, 0);
        runtime::store(record + 8, pad.in + 2464);
        run_operator(machine, [&](const runtime::Route&) { return runtime::pad_fill(record); });
        CHECK(limits(machine) == Written{pad.in + 2463, pad.in + 2463});
    }
}

TEST_CASE("pads refuse widths and axes that there are not") {
    struct Case {
        void (*change)(runtime::Pad&);
        LibraryError error;
    };
    const Case cases[] = {
        {[](runtime::Pad& pad) { pad.element_bytes = 0; }, LibraryError::NBits},
        {[](runtime::Pad& pad) { pad.element_bytes = 5; }, LibraryError::NBits},
        {[](runtime::Pad& pad) { pad.rank = 0; }, LibraryError::Rank},
        {[](runtime::Pad& pad) { pad.run_axis = 4; }, LibraryError::Rank},
    };
    for (const Case& one : cases) {
        FakeMachine machine;
        machine.profile = loader::default_profile(Generation::Core4x);
        const Plan plan = plan_of(kPads[0]);
        runtime::Pad pad = request(machine, kPads[0], plan, 0, 0);
        one.change(pad);
        run_operator(
            machine, [&](const runtime::Route& route) { return runtime::pad(pad, route); }, -2);
        CHECK(machine.errors == std::vector<LibraryError>{one.error});
        CHECK(machine.maintained.empty());
    }
    for (const std::uint32_t element : {0u, 5u}) {
        FakeMachine machine;
        machine.profile = loader::default_profile(Generation::Core4x);
        const runtime::LoopPad loops{0, 0, 0, 16, 0, element, 0, 0};
        run_operator(
            machine, [&](const runtime::Route& route) { return runtime::pad_loops(loops, route); },
            -2);
        CHECK(machine.errors == std::vector<LibraryError>{LibraryError::NBits});
    }
    for (const std::uint32_t element : {0u, 5u}) {
        FakeMachine older;
        older.profile = loader::default_profile(Generation::Core30);
        const Plan plan = plan_of(kPads[0]);
        runtime::Pad pad = request(older, kPads[0], plan, 0, 0);
        pad.element_bytes = element;
        const std::uint32_t record = put_record(older, pad, 0);
        run_operator(
            older,
            [&](const runtime::Route&) { return runtime::pad_set(pad.out, 0, record, true); }, -2);
        CHECK(older.errors == std::vector<LibraryError>{LibraryError::NBits});
    }
    // 42 axes are what the record holds.
    for (const std::uint32_t rank : {42u, 43u}) {
        FakeMachine machine;
        machine.profile = loader::default_profile(Generation::Core4x);
        const PadCase wide{std::vector<std::uint32_t>(rank, 1), std::vector<std::int32_t>(rank, 0),
                           std::vector<std::int32_t>(rank, 0), 1};
        const Plan plan = plan_of(wide);
        const runtime::Pad pad = request(machine, wide, plan, 2, 0);
        const std::optional<Stop> stop = machine.run([&] {
            runtime::pad(pad, {2, 7, machine.allocate(64)});
        });
        CHECK(stop.has_value() == (rank == 43));
        if (stop) CHECK(stop->failure == runtime::Failure::PadRank);
        if (stop) CHECK(stop->first == 43);
    }
}

TEST_CASE("a pad of an unknown mode is refused") {
    FakeMachine machine;
    machine.profile = loader::default_profile(Generation::Core4x);
    const Plan plan = plan_of(kPads[0]);
    const runtime::Pad pad = request(machine, kPads[0], plan, 3, 0);
    run_operator(
        machine, [&](const runtime::Route& route) { return runtime::pad(pad, route); }, -2);
    CHECK(machine.errors == std::vector<LibraryError>{LibraryError::Mode});
}

TEST_CASE("up to 3.0 the model goes on between setting and filling, with its own data pointer") {
    for (const Generation generation :
         {Generation::Core21, Generation::Core22, Generation::Core30}) {
        for (const PadCase& one : kPads) {
            FakeMachine machine;
            machine.profile = loader::default_profile(generation);
            const std::uint32_t callback_at = generation == Generation::Core30 ? 148 : 44;
            const Plan plan = plan_of(one);
            const runtime::Pad pad = request(machine, one, plan, 0, 0x0D0C0B0A);
            std::vector<std::string> steps;
            const std::uint32_t after_fill =
                machine.function([&](std::uint32_t, std::uint32_t, std::uint32_t) {
                    steps.emplace_back("filled");
                    return 0u;
                });
            const std::uint32_t after_set =
                machine.function([&](std::uint32_t record, std::uint32_t, std::uint32_t) {
                    steps.emplace_back(machine.last_static_base == Network::kRamBase ? "set"
                                                                                     : "no base");
                    runtime::store(record + callback_at, after_fill);
                    return static_cast<std::uint32_t>(runtime::pad_fill(0));
                });
            const std::uint32_t record = put_record(machine, pad, after_set);
            run_operator(machine, [&](const runtime::Route&) {
                const int result = runtime::pad_set(pad.out, 0x0D0C0B0A, record, true);
                // The model's record does not live on.
                std::memset(runtime::bytes_at(record), 0xEE, 88);
                return result;
            });
            CHECK(steps == std::vector<std::string>{"set", "filled"});
            CHECK(machine.get<std::uint8_t>(pad.out, plan.out_bytes) ==
                  expected_pad(one, plan, pad.in, 0, 0x0D0C0B0A));
        }
    }
}

TEST_CASE("a fill without a set takes its own record, and one without either stops") {
    FakeMachine machine;
    const Plan plan = plan_of(kPads[1]);
    const runtime::Pad pad = request(machine, kPads[1], plan, 1, 0);
    const std::uint32_t record = put_record(machine, pad, 0);
    run_operator(machine, [&](const runtime::Route&) { return runtime::pad_fill(record); });
    const auto all = expected_pad(kPads[1], plan, pad.in, 1, 0);
    const auto out = machine.get<std::uint8_t>(pad.out, plan.out_bytes);
    // The inside of the reflection; its border is the model's.
    const std::size_t line = std::size_t{458} * 3;
    for (std::size_t y = 2; y < 10; ++y)
        CHECK(std::equal(out.begin() + static_cast<std::ptrdiff_t>(y * line + 9),
                         out.begin() + static_cast<std::ptrdiff_t>(y * line + 9 + 1350),
                         all.begin() + static_cast<std::ptrdiff_t>(y * line + 9)));
    // The output leaves the core's cache before engines write it.
    REQUIRE_FALSE(machine.maintained.empty());
    CHECK(machine.maintained[0].op == loader::CacheOp::McuCleanInvalidate);
    CHECK(machine.maintained[0].start == pad.out);
    CHECK(machine.maintained[0].bytes == plan.out_bytes);
}

TEST_CASE("a loop pad sets everything and moves the inside in one transfer") {
    for (const Generation generation : {Generation::Core30, Generation::Core4x}) {
        for (const std::uint32_t bytes : {1u, 2u, 3u}) {
            FakeMachine machine;
            machine.profile = loader::default_profile(generation);
            PadCase one{{2, 5, 30, 7}, {0, 2, 1, 0}, {0, 1, 4, 0}, bytes};
            const Plan plan = plan_of(one);
            runtime::Pad pad = request(machine, one, plan, 0, 0x00332211);
            // Inner run: a line of pixels; loops: lines, images.
            const std::uint32_t inner = 30 * 7 * bytes;
            const auto record = [&](std::uint32_t start, std::uint32_t line, std::uint32_t image) {
                return std::vector<std::uint32_t>{
                    start, inner, 2, plan.in_bytes, line, 5, image, 2, 0, 0, 0, 0};
            };
            const auto reading = record(0, plan.in_offsets[1], plan.in_offsets[0]);
            const std::uint32_t inside = 2 * plan.offsets[1] + plan.offsets[2];
            const auto writing = record(inside, plan.offsets[1], plan.offsets[0]);
            if (generation == Generation::Core4x) {
                const runtime::LoopPad loops{pad.in,
                                             0,
                                             pad.out,
                                             plan.out_bytes,
                                             0x00332211,
                                             bytes,
                                             machine.put(reading),
                                             machine.put(writing)};
                run_operator(machine, [&](const runtime::Route& route) {
                    return runtime::pad_loops(loops, route);
                });
            } else {
                const std::uint32_t after_set =
                    machine.function([](std::uint32_t at, std::uint32_t, std::uint32_t) {
                        runtime::store(at + 148, 0u);
                        return static_cast<std::uint32_t>(runtime::pad_fill_loops(0));
                    });
                const std::uint32_t at = put_record(machine, pad, after_set);
                runtime::store(at + 16, pad.out + plan.out_bytes);
                runtime::store(at + 48, 0u);  // a loop record has no end of the run walk
                runtime::store(at + 40, 0u);
                std::memcpy(runtime::bytes_at(at + 52), reading.data(), 48);
                std::memcpy(runtime::bytes_at(at + 100), writing.data(), 48);
                run_operator(machine, [&](const runtime::Route&) {
                    return runtime::pad_set(pad.out, 0x00332211, at, false);
                });
            }
            CHECK(machine.get<std::uint8_t>(pad.out, plan.out_bytes) ==
                  expected_pad(one, plan, pad.in, 0, 0x00332211));
            CHECK(machine.transfers == 2);
        }
    }
}

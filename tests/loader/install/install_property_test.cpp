// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "tests/support/bench.h"

namespace n6vp::test {
namespace {

using loader::Policy;
using loader::Status;

/// Returns an 8-aligned address in [start, start + bytes).
std::uint32_t place(std::uint32_t start, std::uint32_t bytes) {
    return start + 8 * *rc::gen::inRange<std::uint32_t>(0, bytes / 8);
}

/// One legal choice per region of the chip; regions do not meet, so nothing can overlap.
Placement any_placement() {
    Placement placement;
    placement.name = "any";
    placement.file = place(0x70000000, 0x4000000);
    placement.params = place(0x76000000, 0x100000);
    placement.exec_ram =
        *rc::gen::arbitrary<bool>() ? place(0x34070000, 0x80000) : place(0x91000000, 0x400000);
    placement.ext_ram = place(0x90000040, 0x400000);
    placement.instance = place(0x30000040, 0x8000);
    placement.callbacks = place(0x34180000, 0x1000);
    placement.copy_dst = place(0x34200040, 0x60000);
    placement.mixed_dst = place(0x34270040, 0x60000);
    placement.reset_dst = place(0x342E0040, 0x60000);
    return placement;
}

ImageWord any_word(std::uint32_t data_words) {
    using Kind = ImageWord::Kind;
    const bool relocated = *rc::gen::arbitrary<bool>();
    switch (*rc::gen::inRange(0, 6)) {
        case 0:
            return {Kind::Plain, 0x40000000 + *rc::gen::inRange<std::uint32_t>(0, 4 * data_words),
                    relocated};
        case 1:
            return {Kind::Plain, 0x80000000 + *rc::gen::inRange<std::uint32_t>(0, 0x128),
                    relocated};
        case 2:
            return {Kind::Plain, 0x90000000 + *rc::gen::inRange<std::uint32_t>(0, 0x1C), relocated};
        case 3:
            return {Kind::Code, 1, relocated};
        case 4:
            return {Kind::Text, 0, relocated};
        default:
            return {Kind::Plain, *rc::gen::arbitrary<std::uint32_t>(), false};
    }
}

ImageSpec any_spec(const Placement& placement) {
    const auto generation = *rc::gen::element(ImageGeneration::Core21, ImageGeneration::Core22,
                                              ImageGeneration::Core30, ImageGeneration::Core4x);
    ImageSpec spec =
        *rc::gen::arbitrary<bool>()
            ? sample_spec(generation, placement.copy_dst, placement.mixed_dst, placement.reset_dst)
            : mixed_spec(generation, placement.copy_dst, placement.mixed_dst, placement.reset_dst);
    const auto words = *rc::gen::inRange<std::uint32_t>(1, 40);
    spec.data.clear();
    for (std::uint32_t i = 0; i < words; ++i) spec.data.push_back(any_word(words));
    spec.bss_bytes = 4 * *rc::gen::inRange<std::uint32_t>(0, 100);
    spec.bss_alignment = *rc::gen::element(4u, 8u, 16u, 32u);
    spec.split = *rc::gen::arbitrary<bool>();
    return spec;
}

TEST_CASE("placed anywhere legal, the installed memory equals the oracle") {
    const bool holds = rc::check("place anywhere legal, result equal", [] {
        const Placement placement = any_placement();
        const Image image = build_image(any_spec(placement));
        const auto mode = *rc::gen::element(1u, 2u, 5u, 6u);
        const Policy policy = *rc::gen::element(Policy::Strict, Policy::Compat);
        Bench bench(image, placement, mode, policy);
        const Status status = bench.run();
        RC_LOG() << "rule " << static_cast<int>(bench.why.rule);
        RC_ASSERT(status == Status::Ok);
        RC_ASSERT(bench.difference(
                      expected_image(image.file, image.params, bench.oracle_request())) == "");
    });
    CHECK(holds);
}

TEST_CASE("any change of one word never lets Compat write outside the granted regions") {
    const bool holds = rc::check("one hostile word", [] {
        Image image = build_image(sample_spec(ImageGeneration::Core22));
        const auto words = static_cast<std::uint32_t>(image.params_at / 4);
        const std::uint32_t at = 4 * *rc::gen::inRange<std::uint32_t>(0, words);
        const auto value =
            *rc::gen::oneOf(rc::gen::arbitrary<std::uint32_t>(),
                            rc::gen::map(rc::gen::inRange<std::uint32_t>(0, 0x2000),
                                         [](std::uint32_t x) { return 0x40000000 + x; }),
                            rc::gen::map(rc::gen::inRange<std::uint32_t>(0, 0x2000),
                                         [](std::uint32_t x) { return 0x20000000 + x; }));
        image.set(at, value);
        Bench bench(image, n6_placements()[0], *rc::gen::element(1u, 2u, 3u, 6u, 7u),
                    Policy::Compat);
        (void)bench.run();
        const std::vector<AddressRange> allowed = {
            {bench.request.exec_ram, bench.request.exec_ram_bytes},
            {bench.request.ext_ram, bench.request.ext_ram_bytes},
            {bench.request.instance, 0x34},
            bench.request.grants[0],
            bench.request.grants[1],
            bench.request.grants[2]};
        for (const sim::MemoryEvent& event : bench.memory.events()) {
            if (event.kind > sim::MemoryEvent::Kind::Clear) continue;
            bool inside = false;
            for (const AddressRange& range : allowed) {
                inside = inside || range.contains(AddressRange{event.address, event.bytes});
            }
            RC_ASSERT(inside);
        }
    });
    CHECK(holds);
}

}  // namespace
}  // namespace n6vp::test

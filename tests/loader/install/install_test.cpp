// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/loader/install/install_modes.h"
#include "tests/support/bench.h"

/// Memory after an install against the independent oracle, over every variant of file, mode and
/// place.
namespace n6vp::test {
namespace {

using loader::Policy;
using loader::Status;

struct Variant {
    const char* name;
    ImageSpec spec;
    bool copy_only = false;
};

std::vector<Variant> variants(ImageGeneration generation, const Placement& place) {
    std::vector<Variant> list;
    list.push_back(
        {"sample", sample_spec(generation, place.copy_dst, place.mixed_dst, place.reset_dst)});
    list.push_back(
        {"mixed", mixed_spec(generation, place.copy_dst, place.mixed_dst, place.reset_dst)});
    Variant split{"split",
                  sample_spec(generation, place.copy_dst, place.mixed_dst, place.reset_dst)};
    split.spec.split = true;
    list.push_back(split);
    Variant blobs{"blobs in params",
                  sample_spec(generation, place.copy_dst, place.mixed_dst, place.reset_dst)};
    blobs.spec.blobs = pattern(0x58, 9);
    list.push_back(blobs);
    Variant release{"no debug information",
                    sample_spec(generation, place.copy_dst, place.mixed_dst, place.reset_dst)};
    release.spec.flags = 0x80585D22;
    list.push_back(release);
    if (generation != ImageGeneration::Core21) {
        ImageSpec clang = clang_spec(generation);
        for (PoolSpec& pool : clang.pools) {
            if (pool.name == "copy_ro") pool.dst = place.copy_dst;
            if (pool.name == "copy_rw") pool.dst = place.mixed_dst;
            if (pool.name == "reset") pool.dst = place.reset_dst;
        }
        list.push_back({"clang", clang, true});
    }
    return list;
}

void check_install(const Image& image, const Placement& place, std::uint32_t mode, Policy policy) {
    CAPTURE(place.name);
    CAPTURE(mode);
    Bench bench(image, place, mode, policy);
    const Status status = bench.run();
    CAPTURE(static_cast<int>(bench.why.rule));
    REQUIRE(status == Status::Ok);
    const OracleImage expected = expected_image(image.file, image.params, bench.oracle_request());
    CHECK(bench.difference(expected) == "");
    CHECK(to_word(bench.result.context) == expected.context);
    CHECK(to_word(bench.result.ram_base) == expected.ram_base);
    CHECK(to_word(bench.result.ro_base) == expected.ro_base);
    CHECK(to_word(bench.result.param0) == expected.param0);
    CHECK(bench.result.relocations == image.rel_count);
    CHECK(bench.result.got_words == image.got_words);
    CHECK(bench.result.pools == image.pool_count);
}

/// Returns the number of installs checked.
unsigned check_generation(ImageGeneration generation, Policy policy) {
    unsigned installs = 0;
    for (const Placement& place : n6_placements()) {
        for (const Variant& variant : variants(generation, place)) {
            CAPTURE(variant.name);
            const Image image = build_image(variant.spec);
            for (const std::uint32_t mode : {kXip, kXip | kClear, kCopy, kCopy | kClear}) {
                if (variant.copy_only && (mode & kXip) != 0) continue;
                check_install(image, place, mode, policy);
                ++installs;
            }
        }
    }
    return installs;
}

void check_matrix(Policy policy) {
    constexpr unsigned kPlaces = 3, kModes = 4, kCopyModes = 2, kGccVariants = 5;
    for (const ImageGeneration generation : kAllGenerations) {
        CAPTURE(static_cast<int>(generation));
        const bool knows_clang = generation != ImageGeneration::Core21;
        CHECK(check_generation(generation, policy) ==
              kPlaces * (kGccVariants * kModes + (knows_clang ? kCopyModes : 0)));
    }
}

TEST_CASE("Strict: memory equals the oracle for every generation, mode, variant and place") {
    check_matrix(Policy::Strict);
}

TEST_CASE("Compat: memory equals the oracle for every generation, mode, variant and place") {
    check_matrix(Policy::Compat);
}

TEST_CASE("every layout of NN_Instance_TypeDef is filled where its firmware expects it") {
    for (const bool async : {false, true}) {
        for (const bool ndebug : {false, true}) {
            CAPTURE(async);
            CAPTURE(ndebug);
            ImageSpec spec = sample_spec(ImageGeneration::Core22);
            spec.flags = async ? 0x80785D22 : 0x80385D22;
            const Image image = build_image(spec);
            Bench bench(image, n6_placements()[0], kXip);
            bench.request.profile.ndebug = ndebug;
            REQUIRE(bench.run() == Status::Ok);
            CHECK(bench.difference(expected_image(image.file, {}, bench.oracle_request())) == "");
        }
    }
}

TEST_CASE("the gap before .bss is taken from the file, relocation table included") {
    ImageSpec spec = sample_spec(ImageGeneration::Core22);
    spec.bss_alignment = 64;
    const Image image = build_image(spec);
    const std::uint32_t got_end = image.got_word(image.got_words) - image.ro_bytes;
    REQUIRE(image.bss_start - got_end >= 12);
    Bench bench(image, n6_placements()[0], kXip);
    REQUIRE(bench.run() == Status::Ok);
    const auto ram = bench.memory.bytes({bench.request.exec_ram, image.bss_start});
    const std::uint32_t first_entry = image.rel - image.ro_bytes;
    REQUIRE(first_entry + 4 <= image.bss_start);
    CHECK(ram[first_entry + 3] == 0x40);  // The entry itself, an unresolved link address.
    CHECK(bench.difference(expected_image(image.file, {}, bench.oracle_request())) == "");
}

TEST_CASE("a parameter address overrides embedded parameters") {
    const Image image = build_image(sample_spec(ImageGeneration::Core30));
    Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
    const std::vector<std::uint8_t> other = pattern(image.raw_bytes, 77);
    bench.memory.map({GuestAddr{0x71900000}, image.raw_bytes}, 0, false);
    bench.memory.store(GuestAddr{0x71900000}, other);
    bench.request.params = GuestAddr{0x71900000};
    bench.request.params_bytes = image.raw_bytes;
    REQUIRE(bench.run() == Status::Ok);
    CHECK(bench.difference(expected_image(image.file, other, bench.oracle_request())) == "");
}

TEST_CASE("phases are announced in their order") {
    using loader::Phase;
    const Image image = build_image(sample_spec(ImageGeneration::Core22));
    for (const Policy policy : {Policy::Strict, Policy::Compat}) {
        Bench bench(image, n6_placements()[0], kCopy, policy);
        REQUIRE(bench.run() == Status::Ok);
        std::vector<Phase> phases;
        for (const sim::MemoryEvent& event : bench.memory.events()) {
            if (event.kind == sim::MemoryEvent::Kind::Phase) phases.push_back(event.phase);
        }
        CHECK(phases == std::vector<Phase>{Phase::Checks, Phase::Pools, Phase::ReadOnlyCopy,
                                           Phase::DataBss, Phase::Got, Phase::Relocation,
                                           Phase::Finish});
    }
}

TEST_CASE("data moves by copy and clear, only words by write") {
    const Image image = build_image(sample_spec(ImageGeneration::Core22));
    Bench bench(image, n6_placements()[0], kCopy | kClear);
    REQUIRE(bench.run() == Status::Ok);
    for (const sim::MemoryEvent& event : bench.memory.events()) {
        if (event.kind == sim::MemoryEvent::Kind::Write) CHECK(event.bytes == 4);
    }
}

TEST_CASE("Strict: memory that refuses a write is a bus error") {
    const Image image = build_image(sample_spec(ImageGeneration::Core22));
    Bench bench(image, n6_placements()[0], kXip);
    bench.request.exec_ram = GuestAddr{0x34300000};  // legal for the checks, but not mapped here
    CHECK(bench.run() == Status::BusError);
    CHECK(bench.why.rule == loader::Rule::InstallWriteFailed);
    CHECK(to_word(bench.why.address) == 0x34300000);
}

TEST_CASE("Strict makes the I-cache call on every generation, only on success") {
    for (const ImageGeneration generation : kAllGenerations) {
        const Image image = build_image(sample_spec(generation));
        Bench good(image, n6_placements()[0], kCopy);
        REQUIRE(good.run() == Status::Ok);
        CHECK(good.cache_calls().back().op == loader::CacheOp::McuInstructionInvalidate);
        CHECK(good.cache_calls().back().bytes == good.request.exec_ram_bytes);
        Bench bad(image, n6_placements()[0], kCopy);
        bad.request.exec_ram_bytes -= 1;
        CHECK(bad.run() == Status::Memory);
        CHECK(bad.cache_calls().empty());
    }
}

}  // namespace
}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/loader/install/install_modes.h"
#include "tests/support/bench.h"

/// Pools and image as the vendor's loader makes them from files that Strict refuses.
namespace n6vp::test {
namespace {

using loader::CacheOp;
using loader::Policy;
using loader::Rule;
using loader::Status;

std::uint32_t word_at(const Bench& bench, std::uint32_t address) {
    const auto bytes = bench.memory.bytes({GuestAddr{address}, 4});
    return static_cast<std::uint32_t>(bytes[0] | bytes[1] << 8 | bytes[2] << 16) |
           static_cast<std::uint32_t>(bytes[3]) << 24;
}

std::size_t count(const Bench& bench, CacheOp op) {
    std::size_t total = 0;
    for (const sim::MemoryEvent& call : bench.cache_calls()) total += call.op == op ? 1 : 0;
    return total;
}

TEST_CASE("Compat patches entries of foreign spaces as RAM") {
    for (const std::uint32_t space : {0x80000000u, 0x70000000u, 0x90000000u}) {
        ImageSpec spec = sample_spec(ImageGeneration::Core22);
        spec.bss_alignment = 4;  // No gap: the table itself stays out of the image.
        const Image original = build_image(spec);
        Image image = original;
        image.set(image.relocation(0), space | (image.word(image.relocation(0)) & 0x0FFFFFFF));
        Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
        REQUIRE(bench.run() == Status::Ok);
        CHECK(bench.difference(expected_image(original.file, {}, bench.oracle_request())) == "");
    }
}

TEST_CASE("Compat 1.1.0 takes a FLASH entry for a RAM one, in XIP too") {
    ImageSpec spec = sample_spec(ImageGeneration::Core21);
    spec.bss_alignment = 4;
    const Image original = build_image(spec);
    Image image = original;
    image.set(image.relocation(0), 0x20000000 | (image.word(image.relocation(0)) & 0x0FFFFFFF));
    Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
    REQUIRE(bench.run() == Status::Ok);
    CHECK(bench.difference(expected_image(original.file, {}, bench.oracle_request())) == "");
}

TEST_CASE("Compat 1.1.0 rounds the length of the RO copy, not the place of the data") {
    for (const ImageGeneration generation : kAllGenerations) {
        ImageSpec spec = sample_spec(generation);
        spec.ro_alignment = 4;
        if (build_image(spec).ro_bytes % 8 == 0) spec.code_bytes += 4;
        const Image image = build_image(spec);
        REQUIRE(image.ro_bytes % 8 == 4);
        Bench bench(image, n6_placements()[0], kCopy, Policy::Compat);
        REQUIRE(bench.run() == Status::Ok);
        CHECK(bench.difference(expected_image(image.file, {}, bench.oracle_request())) == "");
        const bool rounds = generation == ImageGeneration::Core21;
        bool seen = false;
        for (const sim::MemoryEvent& event : bench.memory.events()) {
            const bool is_ro =
                event.kind == sim::MemoryEvent::Kind::Copy && event.from == bench.request.file;
            if (!is_ro) continue;
            CHECK(event.bytes == image.ro_bytes + (rounds ? 4 : 0));
            seen = true;
        }
        CHECK(seen);
    }
}

TEST_CASE("Compat reads each entry when its turn comes: a patch may hit the table itself") {
    Image image = build_image(sample_spec(ImageGeneration::Core22));
    // Entry 0 patches entry 5, which thereby becomes an address of space 3 far outside RAM.
    constexpr std::uint32_t kFile = 0x34300000, kExec = 0x34060000;
    const std::uint32_t fifth = image.word(image.relocation(5));
    image.set(image.relocation(0), 0x40000000 + kFile + image.relocation(5) - kExec);
    Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
    const auto bytes = static_cast<std::uint32_t>(image.file.size());
    bench.memory.map({GuestAddr{kFile}, bytes});
    bench.memory.store(GuestAddr{kFile}, image.file);
    bench.request.file = GuestAddr{kFile};
    bench.request.params = GuestAddr{0x71000000 + image.params_at};
    bench.request.params_bytes = image.raw_bytes;
    const AddressRange grants[] = {{GuestAddr{kFile}, bytes},
                                   bench.request.grants[0],
                                   bench.request.grants[1],
                                   bench.request.grants[2]};
    bench.request.grants = grants;
    bench.request.grant_count = 4;
    CHECK(bench.run() == Status::WouldFault);
    CHECK(bench.why.index == 5);
    const std::uint32_t patched = kExec + (fifth & 0x0FFFFFFF);
    CHECK(to_word(bench.why.address) == kExec + (patched & 0x0FFFFFFF));
}

TEST_CASE("Compat: param0 follows foff of the last RELOC id 0 pool") {
    Image image = build_image(sample_spec(ImageGeneration::Core22));
    image.set(image.pool(0) + 8, 8);
    Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
    REQUIRE(bench.run() == Status::Ok);
    CHECK(to_word(bench.result.param0) == 0x71000000 + image.params_at + 8);
    CHECK(bench.difference(expected_image(image.file, {}, bench.oracle_request())) == "");
}

TEST_CASE("Compat ignores RELOC id 0 ACTIV, RELOC id 1 PARAM and unknown types") {
    Image image = build_image(sample_spec(ImageGeneration::Core22));
    image.set(image.pool(0) + 4, 0x01020100);
    image.set(image.pool(0) + 8, 8);
    image.set(image.pool(1) + 4, 0x01010101);
    image.set(image.pool(2) + 4, 0x07010100);
    image.set(image.pool(2) + 12, 0x58000000);  // Never used.
    image.set(image.pool(3) + 4, 0xFF030200);
    Bench bench(image, n6_placements()[0], kXip | kClear, Policy::Compat);
    REQUIRE(bench.run() == Status::Ok);
    CHECK(to_word(bench.result.param0) == 0x71000000 + image.params_at);
    CHECK(bench.difference(expected_image(image.file, {}, bench.oracle_request())) == "");
    CHECK(count(bench, CacheOp::NpuInvalidateAll) == 0);  // No cacheable pool is left.
}

TEST_CASE(
    "Compat 1.1.3 maintains the NPU cache for a cacheable RESET without CLEAR and for ignored "
    "types") {
    Image image = build_image(sample_spec(ImageGeneration::Core30));
    image.set(image.pool(2) + 4, 0x07010500);  // unknown type, cacheable
    image.set(image.pool(4) + 4, 0x03020600);  // RESET, cacheable
    Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
    REQUIRE(bench.run() == Status::Ok);
    const auto calls = bench.cache_calls();
    REQUIRE(calls.size() >= 3);
    CHECK(calls[0].op == CacheOp::NpuCleanInvalidate);
    CHECK(to_word(calls[0].address) == 0x34200000);
    CHECK(calls[0].bytes == 0x98);
    CHECK(calls[1].op == CacheOp::McuCleanInvalidate);  // the COPY pool between them, not cacheable
    CHECK(calls[2].op == CacheOp::NpuCleanInvalidate);
    CHECK(to_word(calls[2].address) == 0x342E0000);
    CHECK(calls[2].bytes == 0x70);
    CHECK(count(bench, CacheOp::NpuInvalidateAll) == 0);
}

TEST_CASE("Compat 1.1.1 skips the global NPU invalidate when an entry is refused") {
    Image image = build_image(sample_spec(ImageGeneration::Core22));
    image.set(image.pool(4) + 4, 0x01010102);
    Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
    CHECK(bench.run() == Status::ParameterTable);
    CHECK(bench.why.index == 4);
    CHECK(count(bench, CacheOp::NpuInvalidateAll) == 0);
    CHECK(bench.memory.bytes_written() == 0x98 + 0xC8);  // both COPY pools were served before
}

TEST_CASE("Compat 1.1.1 invalidates the NPU cache once for a full table, then refuses it") {
    ImageSpec spec = minimal_spec(ImageGeneration::Core22);
    for (std::uint32_t i = 0; i < 10; ++i) {
        spec.pools.push_back({"c", 0x02010500, 8, 0x34200000 + 16 * i, pattern(8, i), {}});
    }
    const Image image = build_image(spec);
    Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
    CHECK(bench.run() == Status::InvalidBinary);
    CHECK(bench.why.rule == Rule::PoolTableTen);
    CHECK(count(bench, CacheOp::NpuInvalidateAll) == 1);
    CHECK(bench.cache_calls().back().op == CacheOp::McuInstructionInvalidate);
    CHECK(bench.memory.bytes_written() == 80);
}

TEST_CASE(
    "Compat reads the header again after the pools: a pool that overwrites the file changes the "
    "image") {
    ImageSpec spec = sample_spec(ImageGeneration::Core22, 0x34300014);
    spec.pools[2].size = 8;
    spec.pools[2].payload = {0x08, 0, 0, 0x40, 0x10, 0, 0, 0x40};  // new bss_start, bss_end
    const Image image = build_image(spec);
    Placement place = n6_placements()[0];
    place.copy_dst = 0x34310000;
    Bench bench(image, place, kXip, Policy::Compat);
    const auto bytes = static_cast<std::uint32_t>(image.file.size());
    bench.memory.map({GuestAddr{0x34300000}, bytes});
    bench.memory.store(GuestAddr{0x34300000}, image.file);
    const AddressRange grants[] = {
        {GuestAddr{0x34300014}, 8}, bench.request.grants[1], bench.request.grants[2]};
    bench.request.grants = grants;
    bench.request.file = GuestAddr{0x34300000};
    bench.request.params = GuestAddr{0x71000000 + image.params_at};
    bench.request.params_bytes = image.raw_bytes;
    CHECK(bench.run() != Status::Ok);
    bool copied = false;
    for (const sim::MemoryEvent& event : bench.memory.events()) {
        if (event.kind == sim::MemoryEvent::Kind::Copy && event.address == bench.request.exec_ram) {
            copied = true;
            CHECK(event.bytes == 8);
        }
    }
    CHECK(copied);
}

TEST_CASE("Compat leaves patched words patched when a later value is refused") {
    Image image = build_image(sample_spec(ImageGeneration::Core22));
    image.set(image.ram(0x40000004), 0x71234567);
    Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
    CHECK(bench.run() == Status::InvalidBinary);
    CHECK(bench.why.rule == Rule::RelocationValueSpace);
    CHECK(bench.why.index == 1);
    CHECK(bench.why.file_offset == image.relocation(1));
    CHECK(to_word(bench.why.address) == 0x34060004);
    CHECK(word_at(bench, 0x34060000) == 0x71000000 + image.c_name);
    CHECK(word_at(bench, 0x34060004) == 0x71234567);
    CHECK(word_at(bench, 0x34100100) == 0xA5A5A5A5);
}

TEST_CASE("Compat tells the value rules apart, for GOT words and relocations") {
    const struct {
        std::uint32_t value;
        Rule got, relocation;
    } cases[] = {
        {0x00000004, Rule::GotValueNull, Rule::RelocationValueNull},
        {0x30000000, Rule::GotValueSpace, Rule::RelocationValueSpace},
        {0xA0000000, Rule::GotValueParam2, Rule::RelocationValueParam2},
        {0xF0000000, Rule::GotValueTrash, Rule::RelocationValueTrash},
    };
    for (const auto& wrong : cases) {
        for (const bool in_got : {true, false}) {
            Image image = build_image(sample_spec(ImageGeneration::Core22));
            image.set(in_got ? image.got_word(1) : image.ram(0x40000000), wrong.value);
            Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
            CHECK(bench.run() == Status::InvalidBinary);
            CHECK(bench.why.rule == (in_got ? wrong.got : wrong.relocation));
            CHECK(bench.why.found == wrong.value);
        }
    }
}

TEST_CASE("Compat with an unknown file length reads until memory ends") {
    Image image = build_image(sample_spec(ImageGeneration::Core22));
    Bench good(image, n6_placements()[0], kCopy | kClear, Policy::Compat);
    good.request.file_bytes = loader::kUnknownBytes;
    REQUIRE(good.run() == Status::Ok);
    CHECK(good.difference(expected_image(image.file, {}, good.oracle_request())) == "");
    image.set(image.pool(2) + 8, 0x00100000);
    Bench beyond(image, n6_placements()[0], kXip, Policy::Compat);
    beyond.request.file_bytes = loader::kUnknownBytes;
    CHECK(beyond.run() == Status::WouldFault);
}

TEST_CASE("a grant never reaches round the end of the address space") {
    const struct {
        std::uint32_t dst;
        AddressRange grants[2];
    } cases[] = {
        {0x00000010, {{GuestAddr{0xFFFFFF00}, 0x200}, {}}},
        {0xFFFFFFF0, {{GuestAddr{0xFFFFFF00}, 0x100}, {GuestAddr{0}, 0x100}}},
    };
    for (const auto& wrap : cases) {
        Image image = build_image(sample_spec(ImageGeneration::Core22));
        image.set(image.pool(2) + 12, wrap.dst);
        Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
        bench.memory.map({GuestAddr{0xFFFFFF00}, 0x100});
        bench.memory.map({GuestAddr{0}, 0x100});
        bench.request.grants = wrap.grants;
        bench.request.grant_count = 2;
        CHECK(bench.run() == Status::WouldOverwrite);
        CHECK(to_word(bench.why.address) == wrap.dst);
        for (const sim::MemoryEvent& event : bench.memory.events()) {
            CHECK(event.kind != sim::MemoryEvent::Kind::Copy);
        }
    }
}

TEST_CASE("granted regions that touch count as one") {
    const Image image = build_image(sample_spec(ImageGeneration::Core22));
    Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
    const AddressRange grants[] = {{GuestAddr{0x34200040}, 0x58},
                                   {GuestAddr{0x34200000}, 0x40},
                                   bench.request.grants[1],
                                   bench.request.grants[2]};
    bench.request.grants = grants;
    bench.request.grant_count = 4;
    CHECK(bench.run() == Status::Ok);
    bench.request.grant_count = 1;
    CHECK(bench.run() == Status::WouldOverwrite);
}

}  // namespace
}  // namespace n6vp::test

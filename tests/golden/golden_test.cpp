// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/golden_vector.h"

#include <doctest/doctest.h>

namespace n6vp::test {
namespace {

using loader::CacheOp;
using loader::Rule;
using loader::Status;
using Bytes = std::vector<std::uint8_t>;

constexpr CacheCall kPoolCalls[] = {{CacheOp::McuCleanInvalidate, kExt, 32},
                                    {CacheOp::McuCleanInvalidate, kCopyDst, 24},
                                    {CacheOp::McuCleanInvalidate, kResetDst, 16},
                                    {CacheOp::NpuInvalidateAll, 0, 0}};

std::vector<CacheCall> after_pools(std::initializer_list<CacheCall> rest) {
    std::vector<CacheCall> calls(std::begin(kPoolCalls), std::end(kPoolCalls));
    calls.insert(calls.end(), rest);
    return calls;
}

/// The bytes that the COPY pool leaves, and what follows it.
void check_copied_pool(const GoldenBench& bench) {
    const Bytes file = read_hex("vector.hex");
    const Bytes payload(file.begin() + 0x1F0, file.begin() + 0x1F0 + 0x14);
    CHECK(bench.at(kCopyDst, 0x14) == payload);
    CHECK(bench.untouched(kCopyDst + 0x14, 4, 0));
    CHECK(bench.untouched(kCopyDst + 24, 40, 0x3C));
}

void check_cleared(const GoldenBench& bench, bool cleared) {
    CHECK(bench.untouched(kExt, 32, cleared ? 0 : 0x5A));
    CHECK(bench.untouched(kExt + 32, 32, 0x5A));
    CHECK(bench.untouched(kResetDst, 16, cleared ? 0 : 0xC3));
    CHECK(bench.untouched(kResetDst + 16, 48, 0xC3));
}

void check_instance(const GoldenBench& bench, std::uint32_t context, std::uint32_t network) {
    Bytes expected(0x34);
    const auto put = [&expected](std::size_t at, std::uint32_t value) {
        for (std::size_t i = 0; i < 4; ++i)
            expected[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
    };
    put(0, network);
    put(0x30, context);
    CHECK(bench.at(kInstance, 0x34) == expected);
    CHECK(bench.untouched(kInstance + 0x34, 12, 0xEE));
    CHECK(to_word(bench.result.context) == context);
}

void check_xip(GoldenBench& bench, bool cleared) {
    REQUIRE(bench.run() == Status::Ok);
    CHECK(bench.at(kExec, 296) == read_hex("xip_exec.hex", kCallbacks, kInstance));
    CHECK(bench.untouched(kExec + 296, 512 - 296, 0xA5));
    check_instance(bench, 0x64000044, 0x64000018);
    check_copied_pool(bench);
    check_cleared(bench, cleared);
}

void check_copy(GoldenBench& bench, bool cleared) {
    REQUIRE(bench.run() == Status::Ok);
    CHECK(bench.at(kExec, 440) == read_hex("copy_exec.hex", kCallbacks, kInstance));
    CHECK(bench.untouched(kExec + 440, 512 - 440, 0xA5));
    check_instance(bench, 0x640000D4, 0x640000A8);
    check_copied_pool(bench);
    check_cleared(bench, cleared);
}

TEST_CASE("vector file has its documented length and numbers") {
    const Bytes file = read_hex("vector.hex");
    CHECK(file.size() == 528);
    CHECK(crc32(file.data() + 0x1D0, 0x40) == 0x45682680);
}

TEST_CASE("image builder makes the vector file from its description") {
    CHECK(build_image(golden_spec()).file == read_hex("vector.hex"));
}

TEST_CASE("Compat XIP with CLEAR") {
    GoldenBench bench(kXip | kClear);
    check_xip(bench, true);
    CHECK(cache_calls_equal(bench.memory,
                            after_pools({{CacheOp::McuCleanInvalidate, kExec, 296},
                                         {CacheOp::McuInstructionInvalidate, kExec, 440}})));
}

TEST_CASE("Compat XIP without CLEAR") {
    GoldenBench bench(kXip);
    check_xip(bench, false);
    const CacheCall calls[] = {{CacheOp::McuCleanInvalidate, kCopyDst, 24},
                               {CacheOp::NpuInvalidateAll, 0, 0},
                               {CacheOp::McuCleanInvalidate, kExec, 296},
                               {CacheOp::McuInstructionInvalidate, kExec, 440}};
    CHECK(cache_calls_equal(bench.memory, calls));
}

TEST_CASE("Compat COPY with CLEAR") {
    GoldenBench bench(kCopy | kClear);
    check_copy(bench, true);
    CHECK(cache_calls_equal(bench.memory,
                            after_pools({{CacheOp::McuCleanInvalidate, kExec, 144},
                                         {CacheOp::McuCleanInvalidate, kExec + 144, 296},
                                         {CacheOp::McuInstructionInvalidate, kExec, 440}})));
}

TEST_CASE("Compat COPY without CLEAR") {
    GoldenBench bench(kCopy);
    check_copy(bench, false);
}

TEST_CASE("Compat 1.1.3 cache calls, XIP with CLEAR") {
    ImageSpec spec = golden_spec();
    spec.generation = ImageGeneration::Core30;
    spec.rt_version = 0x01010300;
    spec.rt_version_extra = 8;
    const Image image = build_image(spec);
    // The longer interface structure takes up the 8 bytes of the gap: .bss stays where it was.
    REQUIRE(image.bss_start == 0x110);
    REQUIRE(image.header_bytes == 104);
    GoldenBench bench(image.file, kXip | kClear);
    bench.request.profile = loader::default_profile(loader::Generation::Core30);
    REQUIRE(bench.run() == Status::Ok);
    const CacheCall calls[] = {{CacheOp::NpuCleanInvalidate, kExt, 32},
                               {CacheOp::McuCleanInvalidate, kExt, 32},
                               {CacheOp::McuCleanInvalidate, kCopyDst, 24},
                               {CacheOp::McuCleanInvalidate, kResetDst, 16},
                               {CacheOp::NpuCleanInvalidate, kExec, image.bss_start},
                               {CacheOp::NpuCleanInvalidate, kExec + image.bss_start, 24},
                               {CacheOp::McuCleanInvalidate, kExec, image.bss_end},
                               {CacheOp::McuInstructionInvalidate, kExec, 440}};
    CHECK(cache_calls_equal(bench.memory, calls));
}

TEST_CASE("Compat 1.1.3 cache calls, COPY without CLEAR") {
    ImageSpec spec = golden_spec();
    spec.generation = ImageGeneration::Core4x;
    spec.rt_version = 0x01010300;
    spec.rt_version_extra = 262;
    const Image image = build_image(spec);
    GoldenBench bench(image.file, kCopy);
    bench.request.profile = loader::default_profile(loader::Generation::Core4x);
    bench.request.exec_ram_bytes = 512;
    REQUIRE(bench.run() == Status::Ok);
    const std::uint32_t ram = kExec + image.ro_bytes;
    const CacheCall calls[] = {{CacheOp::McuCleanInvalidate, kCopyDst, 24},
                               {CacheOp::NpuCleanInvalidate, kExec, image.ro_bytes},
                               {CacheOp::McuCleanInvalidate, kExec, image.ro_bytes},
                               {CacheOp::NpuCleanInvalidate, ram, image.bss_start},
                               {CacheOp::NpuCleanInvalidate, ram + image.bss_start, 24},
                               {CacheOp::McuCleanInvalidate, ram, image.bss_end},
                               {CacheOp::McuInstructionInvalidate, kExec, 512}};
    CHECK(cache_calls_equal(bench.memory, calls));
}

TEST_CASE("Compat 1.1.0 makes no I-cache call") {
    ImageSpec spec = golden_spec();
    spec.generation = ImageGeneration::Core21;
    spec.rt_version = 0x01010000;
    const Image image = build_image(spec);
    GoldenBench bench(image.file, kXip | kClear);
    bench.request.profile = loader::default_profile(loader::Generation::Core21);
    REQUIRE(bench.run() == Status::Ok);
    CHECK(cache_calls_equal(bench.memory,
                            after_pools({{CacheOp::McuCleanInvalidate, kExec, image.bss_end}})));
}

TEST_CASE("Compat error: exec RAM one byte short in COPY") {
    GoldenBench bench(kCopy);
    bench.request.exec_ram_bytes = 439;
    CHECK(bench.run_code() == -2);
    CHECK(bench.memory.bytes_written() == 0);
    const CacheCall calls[] = {{CacheOp::McuInstructionInvalidate, kExec, 439}};
    CHECK(cache_calls_equal(bench.memory, calls));
}

TEST_CASE("Compat error: mode without XIP or COPY") {
    for (const std::uint32_t mode : {0u, kClear}) {
        GoldenBench bench(mode);
        CHECK(bench.run_code() == -4);
        CHECK(bench.memory.bytes_written() == 0);
    }
}

TEST_CASE("Compat error: cacheable parameters must lie above 0x60000000, which is itself refused") {
    for (const std::uint32_t address : {0x60000000u, 0x60000004u}) {
        GoldenBench bench(kXip);
        bench.request.params = GuestAddr{address};
        bench.request.params_bytes = 0x40;
        bench.memory.map({GuestAddr{0x60000000}, 0x100}, 0x11, false);
        CHECK(bench.run_code() == (address == 0x60000000 ? -7 : 0));
    }
}

TEST_CASE("Compat error: relocated word in no address space") {
    GoldenBench bench(kXip);
    bench.set(0x90, 0x70000000);
    CHECK(bench.run_code() == -1);
    CHECK(bench.why.rule == Rule::RelocationValueSpace);
    CHECK(bench.untouched(kInstance, 64, 0xEE));
}

TEST_CASE("Compat error: first descriptor MIXED, WRITE or of id 2") {
    for (const std::uint32_t flags : {0x01030500u, 0x01010700u, 0x01010502u}) {
        GoldenBench bench(kXip);
        bench.set(0x11C, flags);
        CHECK(bench.run_code() == -8);
        CHECK(bench.memory.bytes_written() == 0);
    }
}

TEST_CASE("Compat error: ten descriptors are refused after ten copies") {
    ImageSpec spec = golden_spec();
    spec.pools.clear();
    for (std::uint32_t i = 0; i < 10; ++i) {
        spec.pools.push_back({"C", 0x02010100, 4, kCopyDst + 4 * i, pattern(8, i), {}});
    }
    const Image image = build_image(spec);
    GoldenBench bench(image.file, kXip);
    bench.grants[0].bytes = 44;
    CHECK(bench.run_code() == -1);
    CHECK(bench.why.rule == Rule::PoolTableTen);
    for (std::uint32_t i = 0; i < 10; ++i) {
        const Bytes payload = pattern(8, i);
        CHECK(bench.at(kCopyDst + 4 * i, 4) == Bytes(payload.begin(), payload.begin() + 4));
    }
    CHECK(bench.untouched(kExec, 512, 0xA5));
}

TEST_CASE("Compat: nine descriptors install") {
    ImageSpec spec = golden_spec();
    spec.pools.clear();
    for (std::uint32_t i = 0; i < 9; ++i) {
        spec.pools.push_back({"C", 0x02010100, 4, kCopyDst + 4 * i, pattern(8, i), {}});
    }
    const Image image = build_image(spec);
    GoldenBench bench(image.file, kXip);
    bench.grants[0].bytes = 40;
    CHECK(bench.run_code() == 0);
}

TEST_CASE("Compat: relocation of a read-only word needs COPY") {
    for (const std::uint32_t mode : {kXip, kCopy}) {
        GoldenBench bench(mode);
        bench.set(0x198, 0x20000078);
        bench.set(0x78, 0x40000008);  // The text there is no link address.
        CHECK(bench.run_code() == (mode == kXip ? -1 : 0));
        if (mode == kXip) CHECK(bench.why.rule == Rule::RelocationNeedsCopy);
        if (mode == kCopy) CHECK(bench.at(kExec + 0x78, 4) == Bytes{0x98, 0, 0, 0x64});
    }
}

}  // namespace
}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/golden_vector.h"

#include <doctest/doctest.h>

namespace n6vp::test {
namespace {

using loader::CacheOp;
using loader::Policy;
using loader::Rule;
using loader::Status;
using Kind = sim::MemoryEvent::Kind;

/// Returns the position of the last event that stored anything, or of the first D-cache operation
/// on exec RAM.
std::size_t last_store(const sim::HostMemory& memory) {
    std::size_t last = 0;
    for (std::size_t i = 0; i < memory.events().size(); ++i) {
        const Kind kind = memory.events()[i].kind;
        if (kind == Kind::Write || kind == Kind::Copy || kind == Kind::Clear) last = i;
    }
    return last;
}

std::size_t first_exec_clean(const sim::HostMemory& memory) {
    const AddressRange exec{GuestAddr{kExec}, 512};
    for (std::size_t i = 0; i < memory.events().size(); ++i) {
        const sim::MemoryEvent& event = memory.events()[i];
        const bool cleans = event.kind == Kind::Maintain && event.op == CacheOp::McuCleanInvalidate;
        if (cleans && exec.contains(event.address)) return i;
    }
    return 0;
}

TEST_CASE("Strict XIP with CLEAR and grants: same image, caches maintained after the last write") {
    GoldenBench bench(kXip | kClear, Policy::Strict);
    REQUIRE(bench.run() == Status::Ok);
    CHECK(bench.at(kExec, 296) == read_hex("xip_exec.hex", kCallbacks, kInstance));
    CHECK(bench.untouched(kExt, 32, 0));
    const CacheCall calls[] = {{CacheOp::McuCleanInvalidate, kExt, 32},
                               {CacheOp::McuCleanInvalidate, kCopyDst, 24},
                               {CacheOp::McuCleanInvalidate, kResetDst, 16},
                               {CacheOp::NpuInvalidateAll, 0, 0},
                               {CacheOp::McuCleanInvalidate, kExec, 296},
                               {CacheOp::McuInstructionInvalidate, kExec, 440}};
    CHECK(cache_calls_equal(bench.memory, calls));
    CHECK(first_exec_clean(bench.memory) > last_store(bench.memory));
}

TEST_CASE("Strict COPY with CLEAR and grants: same image, caches maintained after the last write") {
    GoldenBench bench(kCopy | kClear, Policy::Strict);
    REQUIRE(bench.run() == Status::Ok);
    CHECK(bench.at(kExec, 440) == read_hex("copy_exec.hex", kCallbacks, kInstance));
    const CacheCall calls[] = {{CacheOp::McuCleanInvalidate, kExt, 32},
                               {CacheOp::McuCleanInvalidate, kCopyDst, 24},
                               {CacheOp::McuCleanInvalidate, kResetDst, 16},
                               {CacheOp::NpuInvalidateAll, 0, 0},
                               {CacheOp::McuCleanInvalidate, kExec, 144},
                               {CacheOp::McuCleanInvalidate, kExec + 144, 296},
                               {CacheOp::McuInstructionInvalidate, kExec, 440}};
    CHECK(cache_calls_equal(bench.memory, calls));
    CHECK(first_exec_clean(bench.memory) > last_store(bench.memory));
}

TEST_CASE("Strict without the grant: refused before any write or cache call") {
    for (const std::uint32_t mode : {kXip | kClear, kCopy | kClear}) {
        GoldenBench bench(mode, Policy::Strict);
        bench.request.grant_count = 0;
        CHECK(bench.run() == Status::ParameterAddress);
        CHECK(bench.why.rule == Rule::PoolDestinationNotGranted);
        CHECK(bench.why.index == 2);
        CHECK(to_word(bench.why.address) == kCopyDst);
        CHECK(bench.memory.bytes_written() == 0);
        CHECK(cache_calls_equal(bench.memory, {}));
    }
}

TEST_CASE("Strict with a grant that ends before the rounded length: refused before any write") {
    GoldenBench bench(kXip | kClear, Policy::Strict);
    bench.grants[0].bytes = 0x14;
    CHECK(bench.run() == Status::ParameterAddress);
    CHECK(bench.why.rule == Rule::PoolDestinationRoundingNotGranted);
    CHECK(bench.memory.bytes_written() == 0);
}

TEST_CASE("Compat without the grant stops before the write and names the range") {
    GoldenBench bench(kXip | kClear, Policy::Compat);
    bench.request.grant_count = 0;
    CHECK(bench.run() == Status::WouldOverwrite);
    CHECK(bench.why.rule == Rule::VendorOverwrite);
    CHECK(to_word(bench.why.address) == kCopyDst);
    CHECK(bench.why.found == 24);
    CHECK(bench.untouched(kCopyDst, 64, 0x3C));
    CHECK(bench.untouched(kExec, 512, 0xA5));
}

}  // namespace
}  // namespace n6vp::test

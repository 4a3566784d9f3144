// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <functional>
#include <vector>

#include "loader/image.h"
#include "tests/loader/install/install_modes.h"
#include "tests/support/bench.h"

/// What Compat says when it refuses, and what the vendor's loader objects to in a pool, to the
/// byte.
namespace n6vp::test {
namespace {

using loader::CacheOp;
using loader::kNotApplicable;
using loader::Policy;
using loader::Rule;

TEST_CASE("Compat refuses with place, expectation and finding") {
    const Image base = build_image(sample_spec(ImageGeneration::Core22));
    const std::uint32_t context = base.context, need = base.exec_bytes(false);
    struct Expected {
        Rule rule;
        std::uint32_t offset, expected, found;
        std::function<void(Image&)> file;
        std::function<void(Bench&)> request;
    };
    const auto none = [](auto&) {};
    const std::vector<Expected> refusals = {
        {Rule::InstanceNull, kNotApplicable, kNotApplicable, 0, none,
         [](Bench& b) { b.request.instance = {}; }},
        {Rule::FileNull, kNotApplicable, kNotApplicable, 0, none,
         [](Bench& b) { b.request.file = {}; }},
        {Rule::Magic, 0, 0x4E49424E, 0x4E49424F, [](Image& i) { i.set(0, 0x4E49424F); }, none},
        {Rule::FlagsMajor, 4, kNotApplicable, 0x21785D22, [](Image& i) { i.set(4, 0x21785D22); },
         none},
        {Rule::FirmwareVersion, context + 0x28, 0x01010100, 0x01010200,
         [](Image& i) { i.set(i.context + 0x28, 0x01010200); }, none},
        {Rule::FirmwareBufferInfoSize, context + 0x38, 56, 64,
         [](Image& i) { i.set(i.context + 0x38, 0x3040); }, none},
        {Rule::FirmwareEpochItemSize, context + 0x38, 48, 20,
         [](Image& i) { i.set(i.context + 0x38, 0x1438); }, none},
        {Rule::ExecNothingNeeded, kNotApplicable, kNotApplicable, 0,
         [](Image& i) { i.set(0x18, 0x40000000); }, none},
        {Rule::ModeNone, kNotApplicable, 1, 4, none, [](Bench& b) { b.request.mode = kClear; }},
        {Rule::ExecNull, kNotApplicable, kNotApplicable, 0, none,
         [](Bench& b) { b.request.exec_ram = {}; }},
        {Rule::ExecSizeZero, kNotApplicable, need, 0, none,
         [](Bench& b) { b.request.exec_ram_bytes = 0; }},
        {Rule::ExecTooSmall, kNotApplicable, need, need - 1, none,
         [](Bench& b) { --b.request.exec_ram_bytes; }},
        {Rule::ExecTooSmall, kNotApplicable, base.exec_bytes(true), need, none,
         [](Bench& b) { b.request.mode = kCopy; }},
        {Rule::ExtAlignment, kNotApplicable, 4, 0x90100001, none,
         [](Bench& b) { b.request.ext_ram = GuestAddr{0x90100001}; }},
        {Rule::ExecAlignment, kNotApplicable, 4, 0x34060001, none,
         [](Bench& b) { b.request.exec_ram = GuestAddr{0x34060001}; }},
        {Rule::ParamsMissing, 0x30, 1, 0, [](Image& i) { i.set(0x30, 0); }, none},
        {Rule::ParamsAlignment, 0x30, 4, 0x71800001, none,
         [](Bench& b) { b.request.params = GuestAddr{0x71800001}; }},
        {Rule::PoolParamMixed, base.pool(0) + 4, kNotApplicable, 0x01030500,
         [](Image& i) { i.set(i.pool(0) + 4, 0x01030500); }, none},
    };
    for (const Expected& refusal : refusals) {
        CAPTURE(static_cast<int>(refusal.rule));
        Image image = base;
        refusal.file(image);
        Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
        bench.request.profile = profile_for(base);
        bench.request.exec_ram_bytes = need;
        refusal.request(bench);
        CHECK(bench.run() != loader::Status::Ok);
        CHECK(bench.why.rule == refusal.rule);
        CHECK(bench.why.file_offset == refusal.offset);
        CHECK(bench.why.expected == refusal.expected);
        CHECK(bench.why.found == refusal.found);
        // Once the request is looked at, the instruction cache is invalidated over exec RAM.
        for (const sim::MemoryEvent& call : bench.cache_calls()) {
            CHECK(call.op == CacheOp::McuInstructionInvalidate);
            CHECK(call.address == bench.request.exec_ram);
            CHECK(call.bytes == bench.request.exec_ram_bytes);
        }
    }
}

TEST_CASE("Compat takes exec RAM of just what is needed, in both modes") {
    const Image image = build_image(sample_spec(ImageGeneration::Core22));
    for (const bool copy : {false, true}) {
        const std::uint32_t mode = copy ? kCopy : kXip;
        Bench bench(image, n6_placements()[0], mode, Policy::Compat);
        CHECK(bench.request.exec_ram_bytes == image.exec_bytes(copy));
        CHECK(bench.run() == loader::Status::Ok);
        Bench aligned(image, n6_placements()[0], mode, Policy::Compat);
        aligned.request.exec_ram = GuestAddr{0x34064004};
        aligned.request.ext_ram = GuestAddr{0x90200004};
        aligned.memory.map({aligned.request.exec_ram, aligned.request.exec_ram_bytes}, kFill);
        aligned.memory.map({aligned.request.ext_ram, kExternalBytes}, kFill);
        CHECK(aligned.run() == loader::Status::Ok);
    }
}

TEST_CASE("the vendor's objections to a pool") {
    // Flags: type 1 is RELOC; data 1 parameters, 2 activations, 3 both; attributes 1 read, 2
    // write, 4 cacheable; then the id.
    struct Row {
        std::uint32_t flags, bytes, base, external, external_bytes;
        Rule rule;
    };
    constexpr std::uint32_t kFlash = 0x71000000, kPsram = 0x90100000;
    const Row rows[] = {
        {0x01010500, 64, kFlash, 0, 0, Rule::None},
        {0x01010500, 64, 0x60000001, 0, 0, Rule::None},
        {0x01010500, 64, 0x60000000, 0, 0, Rule::PoolParamAtLimit},
        {0x01010500, 64, 0x5FFFFFFF, 0, 0, Rule::PoolParamOnChip},
        {0x01010100, 64, 0x34000000, 0, 0, Rule::None},  // not cacheable
        {0x01020500, 64, kFlash, 0, 0, Rule::None},
        {0x01030500, 64, kFlash, 0, 0, Rule::PoolParamMixed},
        {0x01010700, 64, kFlash, 0, 0, Rule::PoolParamWrite},
        {0x01030700, 64, 0x34000000, 0, 0, Rule::PoolParamOnChip},
        {0x01020601, 64, kFlash, 0, 64, Rule::PoolExternalMissing},
        {0x01020601, 64, kFlash, kPsram, 64, Rule::None},
        {0x01020601, 64, kFlash, kPsram, 63, Rule::PoolExternalTooSmall},
        {0x01020601, 57, kFlash, kPsram, 64, Rule::None},
        {0x01020601, 57, kFlash, kPsram, 63, Rule::PoolExternalTooSmall},
        {0x01020601, 64, kFlash, 0x60000000, 64, Rule::PoolExternalAtLimit},
        {0x01020601, 64, kFlash, 0x5FFFFFFF, 1, Rule::PoolExternalOnChip},
        {0x01020601, 64, kFlash, 0x60000001, 64, Rule::None},
        {0x01020201, 64, kFlash, 0x34000000, 64, Rule::None},
        {0x01020202, 64, kFlash, kPsram, 64, Rule::PoolIdUnknown},
        {0x010202FF, 64, kFlash, kPsram, 64, Rule::PoolIdUnknown},
        // COPY, RESET and what is no type at all are not looked at.
        {0x02030702, 64, 0x34000000, 0, 0, Rule::None},
        {0x03030702, 64, 0x34000000, 0, 0, Rule::None},
        {0x00030702, 64, 0x34000000, 0, 0, Rule::None},
    };
    for (const Row& row : rows) {
        CAPTURE(row.flags);
        CAPTURE(row.base);
        CAPTURE(row.external);
        loader::Pool pool;
        pool.flags.raw = row.flags;
        pool.bytes = row.bytes;
        loader::InstallRequest request;
        request.ext_ram = GuestAddr{row.external};
        request.ext_ram_bytes = row.external_bytes;
        CHECK(loader::vendor_pool_fault(pool, GuestAddr{row.base}, request) == row.rule);
    }
}

}  // namespace
}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "tests/loader/install/install_modes.h"
#include "tests/support/bench.h"

/// The vendor's verdicts, weaknesses included, and where Compat stops instead of following them.
namespace n6vp::test {
namespace {

using loader::CacheOp;
using loader::Policy;
using loader::Rule;
using loader::Status;

Image sample(ImageGeneration generation = ImageGeneration::Core22) {
    return build_image(sample_spec(generation));
}

/// Installs after `change` and returns the vendor's number; `rule` must be the reason.
struct Refusal {
    const char* name;
    int code;
    Rule rule;
    bool i_cache;  ///< the instruction cache is invalidated nevertheless
    std::function<void(Image&)> file;
    std::function<void(loader::InstallRequest&)> request;
};

bool invalidates_i_cache(const Bench& bench) {
    const auto calls = bench.cache_calls();
    return !calls.empty() && calls.back().op == CacheOp::McuInstructionInvalidate;
}

void check_refusals(ImageGeneration generation, const std::vector<Refusal>& refusals) {
    for (const Refusal& refusal : refusals) {
        CAPTURE(refusal.name);
        const Image original = sample(generation);
        Image image = original;
        if (refusal.file) refusal.file(image);
        Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
        bench.request.profile = profile_for(original);
        if (refusal.request) refusal.request(bench.request);
        const Status status = bench.run();
        CHECK(loader::vendor_code(status) == refusal.code);
        CHECK(static_cast<int>(bench.why.rule) == static_cast<int>(refusal.rule));
        CHECK(bench.memory.bytes_written() == 0);
        CHECK(bench.cache_calls().size() == (refusal.i_cache ? 1 : 0));
        CHECK(invalidates_i_cache(bench) == refusal.i_cache);
    }
}

void set_flags(Image& image, std::uint32_t clear, std::uint32_t set) {
    image.set(4, (image.word(4) & ~clear) | set);
}

TEST_CASE("Compat refuses before the request with no cache call") {
    using Request = loader::InstallRequest;
    check_refusals(
        ImageGeneration::Core22,
        {{"instance null", -1, Rule::InstanceNull, false, {}, [](Request& r) { r.instance = {}; }},
         {"file null", -1, Rule::FileNull, false, {}, [](Request& r) { r.file = {}; }},
         {"magic", -1, Rule::Magic, false, [](Image& i) { i.set(0, 0x4E49424F); }, {}},
         {"version 2.1",
          -1,
          Rule::FlagsMajor,
          false,
          [](Image& i) { set_flags(i, 0xFF000000, 0x21000000); },
          {}},
         {"CPU part",
          -1,
          Rule::FirmwareCpuPart,
          false,
          [](Image& i) { set_flags(i, 0xFFF, 0xD21); },
          {}},
         {"FPU off",
          -1,
          Rule::FirmwareFpuOff,
          false,
          {},
          [](Request& r) { r.profile.fpu_enabled = false; }},
         {"secure model",
          -1,
          Rule::FirmwareNonSecure,
          false,
          {},
          [](Request& r) { r.profile.secure = false; }},
         {"model with debug info",
          -1,
          Rule::FirmwareNoDbgInfo,
          false,
          {},
          [](Request& r) { r.profile.dbg_info = false; }},
         {"model without debug info",
          -1,
          Rule::FirmwareDbgInfo,
          false,
          [](Image& i) { set_flags(i, 1u << 21, 0); },
          {}},
         {"polling firmware",
          -1,
          Rule::FirmwarePolling,
          false,
          {},
          [](Request& r) { r.profile.async = false; }},
         {"polling model",
          -1,
          Rule::FirmwareAsync,
          false,
          [](Image& i) { set_flags(i, 1u << 22, 0); },
          {}},
         {"micro version",
          -1,
          Rule::FirmwareVersion,
          false,
          [](Image& i) { i.set(i.context + 0x28, 0x01010200); },
          {}},
         {"buffer info size",
          -1,
          Rule::FirmwareBufferInfoSize,
          false,
          [](Image& i) { i.set(i.context + 0x38, 0x3040); },
          {}},
         {"epoch item size",
          -1,
          Rule::FirmwareEpochItemSize,
          false,
          [](Image& i) { i.set(i.context + 0x38, 0x1438); },
          {}}});
}

TEST_CASE("Compat refuses the request, then invalidates the I-cache") {
    using Request = loader::InstallRequest;
    check_refusals(
        ImageGeneration::Core30,
        {{"nothing needed",
          -1,
          Rule::ExecNothingNeeded,
          true,
          [](Image& i) { i.set(0x18, 0x40000000); },
          {}},
         {"mode 0", -4, Rule::ModeNone, true, {}, [](Request& r) { r.mode = 0; }},
         {"CLEAR alone", -4, Rule::ModeNone, true, {}, [](Request& r) { r.mode = kClear; }},
         {"exec null", -2, Rule::ExecNull, true, {}, [](Request& r) { r.exec_ram = {}; }},
         {"exec size 0",
          -2,
          Rule::ExecSizeZero,
          true,
          {},
          [](Request& r) { r.exec_ram_bytes = 0; }},
         {"exec one byte short",
          -2,
          Rule::ExecTooSmall,
          true,
          {},
          [](Request& r) { --r.exec_ram_bytes; }},
         {"ext misaligned",
          -7,
          Rule::ExtAlignment,
          true,
          {},
          [](Request& r) { r.ext_ram = GuestAddr{to_word(r.ext_ram) + 2}; }},
         {"exec misaligned",
          -2,
          Rule::ExecAlignment,
          true,
          {},
          [](Request& r) { r.exec_ram = GuestAddr{to_word(r.exec_ram) + 2}; }},
         {"no parameters", -7, Rule::ParamsMissing, true, [](Image& i) { i.set(0x30, 0); }, {}},
         {"parameters misaligned",
          -7,
          Rule::ParamsAlignment,
          true,
          {},
          [](Request& r) { r.params = GuestAddr{0x71800002}; }},
         {"first pool MIXED",
          -8,
          Rule::PoolParamMixed,
          true,
          [](Image& i) { i.set(i.pool(0) + 4, 0x01030500); },
          {}},
         {"first pool WRITE",
          -8,
          Rule::PoolParamWrite,
          true,
          [](Image& i) { i.set(i.pool(0) + 4, 0x01010700); },
          {}},
         {"pool id 2",
          -8,
          Rule::PoolIdUnknown,
          true,
          [](Image& i) { i.set(i.pool(0) + 4, 0x01010502); },
          {}},
         {"cached parameters on chip",
          -7,
          Rule::PoolParamOnChip,
          true,
          {},
          [](Request& r) { r.params = GuestAddr{0x34200000}; }},
         {"cached parameters at the limit",
          -7,
          Rule::PoolParamAtLimit,
          true,
          {},
          [](Request& r) { r.params = GuestAddr{0x60000000}; }},
         {"no external RAM",
          -7,
          Rule::PoolExternalMissing,
          true,
          {},
          [](Request& r) { r.ext_ram = {}; }},
         {"external RAM too small",
          -7,
          Rule::PoolExternalTooSmall,
          true,
          {},
          [](Request& r) { r.ext_ram_bytes = 31; }},
         {"cached external RAM on chip",
          -7,
          Rule::PoolExternalOnChip,
          true,
          {},
          [](Request& r) { r.ext_ram = GuestAddr{0x34200000}; }},
         {"cached external RAM at the limit",
          -7,
          Rule::PoolExternalAtLimit,
          true,
          {},
          [](Request& r) { r.ext_ram = GuestAddr{0x60000000}; }}});
}

TEST_CASE("Compat: misaligned file pointer") {
    const Image image = sample();
    Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
    std::vector<std::uint8_t> shifted = image.file;
    shifted.insert(shifted.begin(), {0, 0});
    bench.memory.map({GuestAddr{0x72000000}, static_cast<std::uint32_t>(shifted.size())}, 0, false);
    bench.memory.store(GuestAddr{0x72000000}, shifted);
    bench.request.file = GuestAddr{0x72000002};
    CHECK(bench.run() == Status::InvalidBinary);
    CHECK(bench.why.rule == Rule::FileAlignment);
}

TEST_CASE("Compat accepts a file version when one of its two numbers fits") {
    for (const std::uint32_t version : {0x81000000u, 0x20000000u}) {
        Image image = sample();
        set_flags(image, 0xFF000000, version);
        Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
        CHECK(bench.run() == Status::Ok);
    }
}

TEST_CASE("Compat: non-secure model on secure firmware is refused by 1.1.0 only") {
    for (const ImageGeneration generation : kAllGenerations) {
        Image image = sample(generation);
        set_flags(image, 1u << 20, 0);
        Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
        bench.request.profile.secure = true;
        const bool refused = generation == ImageGeneration::Core21;
        CHECK(loader::vendor_code(bench.run()) == (refused ? -1 : 0));
        if (refused) CHECK(bench.why.rule == Rule::FirmwareSecureOnly);
    }
}

TEST_CASE("Compat ignores the dev number: a 3.0 model installs on a 4.x firmware") {
    const Image image = sample(ImageGeneration::Core30);
    Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
    bench.request.profile = loader::default_profile(loader::Generation::Core4x);
    CHECK(bench.run() == Status::Ok);
}

TEST_CASE("Compat: 1.1.0 has no struct-size check and no I-cache call on failure") {
    const Image image = sample(ImageGeneration::Core21);
    Bench good(image, n6_placements()[0], kXip, Policy::Compat);
    good.request.profile.buffer_info_bytes = 64;
    CHECK(good.run() == Status::Ok);
    Bench bad(image, n6_placements()[0], kXip, Policy::Compat);
    --bad.request.exec_ram_bytes;
    CHECK(bad.run() == Status::Memory);
    CHECK(bad.cache_calls().empty());
}

TEST_CASE("Compat reads the context word where its own generation has it") {
    // A 96-byte header under a 1.1.3 loader: the word at 0x64 is code.
    const Image image = sample(ImageGeneration::Core22);
    Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
    bench.request.profile = loader::default_profile(loader::Generation::Core30);
    CHECK(bench.run() == Status::WouldFault);
    CHECK(bench.why.rule == Rule::VendorReadsOutside);
    CHECK(to_word(bench.why.address) == 0x71000000 + image.ro_bytes + 0x07704770 + 0x28);
    CHECK(bench.memory.bytes_written() == 0);
}

TEST_CASE("Compat: both mode bits check the XIP size but copy, and stop where exec RAM ends") {
    const Image image = sample();
    Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
    bench.request.mode = kXip | kCopy;
    CHECK(bench.run() == Status::WouldOverwrite);
    CHECK(to_word(bench.why.address) == 0x34060000 + image.ro_bytes);
    CHECK(bench.why.found == image.bss_start);
    Bench enough(image, n6_placements()[0], kCopy, Policy::Compat);
    enough.request.mode = kXip | kCopy;
    CHECK(enough.run() == Status::Ok);
    CHECK(enough.result.state == 1);
}

/// One word of the file changed; Compat must stop before `address`.
struct Stop {
    const char* name;
    Status status;
    std::uint32_t address, bytes;
    std::function<void(Image&)> file;
};

TEST_CASE("Compat stops before writes and reads outside, and names them") {
    constexpr std::uint32_t kExec = 0x34060000, kFile = 0x71000000;
    const Image base = sample();
    const std::uint32_t file_bytes = static_cast<std::uint32_t>(base.file.size());
    const std::vector<Stop> stops = {
        {"relocation entry beyond RAM", Status::WouldOverwrite, kExec + base.exec_bytes(false) + 8,
         4, [](Image& i) { i.set(i.relocation(2), 0x40000000 + i.exec_bytes(false) + 8); }},
        {"relocation entry at the last byte", Status::WouldOverwrite, kExec + base.bss_end - 1, 4,
         [](Image& i) { i.set(i.relocation(2), 0x40000000 + i.bss_end - 1); }},
        {".bss ends before it starts", Status::WouldOverwrite, kExec + base.bss_start, 0u - 8u,
         [](Image& i) { i.set(0x18, 0x40000000 + i.bss_start - 8); }},
        {"pool destination in peripheral space", Status::WouldOverwrite, 0x58000000, 0x98,
         [](Image& i) { i.set(i.pool(2) + 12, 0x58000000); }},
        {"pool destination past the grant", Status::WouldOverwrite, 0x34200000, 0x208,
         [](Image& i) { i.set(i.pool(2) + 16, 0x201); }},
        {"pool source past the file", Status::WouldFault, kFile + file_bytes - 8, 0x98,
         [file_bytes](Image& i) { i.set(i.pool(2) + 8, file_bytes - 8 - i.params_at); }},
        {"relocation table past the file", Status::WouldFault, kFile + file_bytes, 4,
         [file_bytes](Image& i) {
             i.set(0x24, 0x20000000 + file_bytes);
             i.set(0x28, 0x20000000 + file_bytes + 4);
         }},
        {"pool table past the file", Status::WouldFault, kFile + base.ro_bytes + 0x10000, 8,
         [](Image& i) { i.set(0x2C, 0x40010000); }},
        {"data past the file", Status::WouldFault, kFile + base.ro_bytes, file_bytes,
         [file_bytes](Image& i) {
             i.set(0x14, 0x40000000 + file_bytes);
             i.set(0x18, 0x40000000 + file_bytes);
         }},
    };
    for (const Stop& stop : stops) {
        CAPTURE(stop.name);
        Image image = base;
        stop.file(image);
        Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
        // Zeros behind exec RAM: a value that resolves, so that the write itself is what stops.
        const auto around =
            bench.memory.bytes({bench.request.exec_ram, base.exec_bytes(false) + kMargin});
        std::fill(around.begin(), around.end(), std::uint8_t{0});
        // Flash goes on behind the file: its length, not the bus, is what ends it.
        bench.memory.map({GuestAddr{kFile + file_bytes}, 0x20000}, 0xFF, false);
        const std::uint32_t need = image.word(0x18) & 0x0FFFFFFF;
        bench.request.exec_ram_bytes = std::max(base.exec_bytes(false), need);
        const Status status = bench.run();
        CHECK(static_cast<int>(status) == static_cast<int>(stop.status));
        CHECK(to_word(bench.why.address) == stop.address);
        CHECK(bench.why.found == stop.bytes);
        CHECK_FALSE(invalidates_i_cache(bench));
    }
}

TEST_CASE("Compat: an unresolvable value beyond RAM is the vendor's refusal, not an overwrite") {
    Image image = sample();
    image.set(image.relocation(2), 0x40000000 + image.exec_bytes(false) + 8);
    Bench bench(image, n6_placements()[0], kXip, Policy::Compat);  // 0xA5 fills what lies behind
    CHECK(bench.run() == Status::InvalidBinary);
    CHECK(bench.why.rule == Rule::RelocationValueParam2);
    CHECK(bench.why.index == 2);
    CHECK(bench.why.found == 0xA5A5A5A5);
    CHECK(invalidates_i_cache(bench));
}

TEST_CASE("Compat: a relocation entry in unmapped memory would fault") {
    Image image = sample();
    image.set(image.relocation(2), 0x4F000000);
    Bench bench(image, n6_placements()[0], kXip, Policy::Compat);
    CHECK(bench.run() == Status::WouldFault);
    CHECK(to_word(bench.why.address) == 0x43060000);
}

TEST_CASE("Compat: a size without an external address does not give low memory away") {
    ImageSpec spec = minimal_spec(ImageGeneration::Core22);
    spec.pools.push_back({"low", 0x02010100, 64, 0x100, pattern(64, 3), {}});
    Bench bench(build_image(spec), n6_placements()[0], kXip, Policy::Compat);
    bench.memory.map({GuestAddr{0}, 0x1000}, kFill);
    bench.request.ext_ram = GuestAddr{0};
    bench.request.ext_ram_bytes = 0x2000000;
    CHECK(bench.run() == Status::WouldOverwrite);
    CHECK(to_word(bench.why.address) == 0x100);
    CHECK(bench.memory.bytes_written() == 0);
}

}  // namespace
}  // namespace n6vp::test

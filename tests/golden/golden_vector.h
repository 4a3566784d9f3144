// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "loader/install.h"
#include "sim/model_file/host_memory.h"
#include "tests/golden/hex_file.h"
#include "tests/support/image_builder.h"

/// The synthetic container of this folder and the memory it is installed into.
namespace n6vp::test {

inline constexpr std::uint32_t kFile = 0x61000000, kExec = 0x64000000, kExt = 0x62000000;
inline constexpr std::uint32_t kCopyDst = 0x65000000, kResetDst = 0x65001000;
inline constexpr std::uint32_t kInstance = 0x66000000, kCallbacks = 0x66001000;
inline constexpr std::uint32_t kXip = 1, kCopy = 2, kClear = 4;

/// Description from which the image builder makes the same bytes.
inline ImageSpec golden_spec() {
    using Kind = ImageWord::Kind;
    ImageSpec spec = minimal_spec(ImageGeneration::Core22);
    spec.c_name = "mini";
    spec.version_text = "rt-test";
    spec.data = {{Kind::Text, 0, true},           {Kind::Plain, 0x40000008, true},
                 {Kind::Plain, 0x80000010, true}, {Kind::Plain, 0x90000020, true},
                 {Kind::Plain, 0, true},          {Kind::Text, 0, false}};
    spec.got = {{Kind::Plain, 0x40000000},
                {Kind::Code, 1},
                {Kind::Plain, 0x80000004},
                {Kind::Plain, 0x90000008}};
    spec.bss_alignment = 16;
    const std::vector<std::uint8_t> file = read_hex("vector.hex");
    const auto weights = file.begin() + 0x1D0;
    spec.pools = {{"P0", 0x01010500, 0x20, 0, {weights, weights + 0x20}, {}},
                  {"A1", 0x01020601, 0x1C, 0, {}, {}},
                  {"C2", 0x02010100, 0x14, kCopyDst, {weights + 0x20, weights + 0x40}, {}},
                  {"R3", 0x03020200, 0x0C, kResetDst, {}, {}}};
    spec.acts_sz = 0x2C;
    spec.ext_ram_sz = 0x20;
    return spec;
}

class GoldenBench {
  public:
    explicit GoldenBench(std::uint32_t mode, loader::Policy policy = loader::Policy::Compat)
        : GoldenBench(read_hex("vector.hex"), mode, policy) {}

    GoldenBench(std::vector<std::uint8_t> file, std::uint32_t mode,
                loader::Policy policy = loader::Policy::Compat)
        : bytes(std::move(file)) {
        request.file = GuestAddr{kFile};
        request.file_bytes = static_cast<std::uint32_t>(bytes.size());
        request.exec_ram = GuestAddr{kExec};
        request.exec_ram_bytes = 440;
        request.ext_ram = GuestAddr{kExt};
        request.ext_ram_bytes = 32;
        request.mode = mode;
        request.instance = GuestAddr{kInstance};
        request.callbacks = GuestAddr{kCallbacks};
        request.policy = policy;
        request.profile = loader::default_profile(loader::Generation::Core22);
        request.grants = grants.data();
        request.grant_count = static_cast<std::uint32_t>(grants.size());
        memory.map({GuestAddr{kExec}, 512}, 0xA5);
        memory.map({GuestAddr{kExt}, 64}, 0x5A);
        memory.map({GuestAddr{kCopyDst}, 64}, 0x3C);
        memory.map({GuestAddr{kResetDst}, 64}, 0xC3);
        memory.map({GuestAddr{kInstance}, 64}, 0xEE);
    }
    GoldenBench(const GoldenBench&) = delete;

    void set(std::uint32_t offset, std::uint32_t value) {
        for (std::uint32_t i = 0; i < 4; ++i) {
            bytes.at(offset + i) = static_cast<std::uint8_t>(value >> (8 * i));
        }
    }

    loader::Status run() {
        memory.map({GuestAddr{kFile}, static_cast<std::uint32_t>(bytes.size())}, 0, false);
        memory.store(GuestAddr{kFile}, bytes);
        memory.record(true);
        return loader::install(memory.port(), request, result, why);
    }
    /// Installs and returns the vendor's number.
    int run_code() { return loader::vendor_code(run()); }

    [[nodiscard]] std::vector<std::uint8_t> at(std::uint32_t start, std::uint32_t count) const {
        const auto view = memory.bytes({GuestAddr{start}, count});
        return {view.begin(), view.end()};
    }
    [[nodiscard]] bool untouched(std::uint32_t start, std::uint32_t count,
                                 std::uint8_t fill) const {
        const auto view = memory.bytes({GuestAddr{start}, count});
        return std::all_of(view.begin(), view.end(),
                           [fill](std::uint8_t byte) { return byte == fill; });
    }

    std::vector<std::uint8_t> bytes;
    sim::HostMemory memory;
    std::array<AddressRange, 2> grants{AddressRange{GuestAddr{kCopyDst}, 24},
                                       AddressRange{GuestAddr{kResetDst}, 16}};
    loader::InstallRequest request;
    loader::InstallResult result;
    loader::Diagnosis why;
};

/// One expected cache operation.
struct CacheCall {
    loader::CacheOp op;
    std::uint32_t start, bytes;
};

/// Returns true if the recorded cache operations are exactly `expected`, in order.
inline bool cache_calls_equal(const sim::HostMemory& memory, std::span<const CacheCall> expected) {
    std::size_t index = 0;
    for (const sim::MemoryEvent& event : memory.events()) {
        if (event.kind != sim::MemoryEvent::Kind::Maintain) continue;
        if (index == expected.size()) return false;
        const CacheCall& call = expected[index++];
        if (event.op != call.op || to_word(event.address) != call.start ||
            event.bytes != call.bytes) {
            return false;
        }
    }
    return index == expected.size();
}

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include "tests/support/bench.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace n6vp::test {

namespace {

constexpr std::array kPlacements = {
    Placement{"XSPI2 file, exec in AXISRAM1", 0x71000000, 0x71800000, 0x34060000, 0x90100000,
              0x34100100, 0x34181000, 0x34200000, 0x34270000, 0x342E0000},
    Placement{"PSRAM exec, instance in DTCM", 0x70901000, 0x72000000, 0x90400000, 0x91000000,
              0x30000400, 0x34181000, 0x34350000, 0x34200100, 0x342E8000},
    Placement{"non-secure aliases", 0x70100000, 0x70200000, 0x24100000, 0x90000040, 0x20000040,
              0x24181000, 0x24200000, 0x24270000, 0x24350040},
};

std::uint32_t mapped_bytes(const std::vector<std::uint8_t>& bytes) {
    return static_cast<std::uint32_t>(bytes.size());
}

}  // namespace

std::span<const Placement> n6_placements() {
    return kPlacements;
}

loader::Generation loader_generation(ImageGeneration generation) {
    switch (generation) {
        case ImageGeneration::Core21:
            return loader::Generation::Core21;
        case ImageGeneration::Core22:
            return loader::Generation::Core22;
        case ImageGeneration::Core30:
            return loader::Generation::Core30;
        case ImageGeneration::Core4x:
            return loader::Generation::Core4x;
    }
    return loader::Generation::Core30;
}

loader::RuntimeProfile profile_for(const Image& image) {
    const std::uint32_t flags = image.word(4);
    const std::uint32_t version = image.word(image.context + 0x28);
    const std::uint32_t dev = image.word(image.context + 0x2C);
    auto generation = loader::Generation::Core22;
    if (version == 0x01010000) generation = loader::Generation::Core21;
    if (version == 0x01010300) {
        generation = dev == 262 ? loader::Generation::Core4x : loader::Generation::Core30;
    }
    loader::RuntimeProfile profile = loader::default_profile(generation);
    profile.version.dev = dev;
    profile.secure = (flags >> 20 & 1) != 0;
    profile.dbg_info = (flags >> 21 & 1) != 0;
    profile.async = (flags >> 22 & 1) != 0;
    profile.epoch_item_bytes = profile.dbg_info ? 48 : 20;
    return profile;
}

OracleRequest oracle_request_for(const loader::InstallRequest& request) {
    OracleRequest oracle;
    oracle.file = to_word(request.file);
    oracle.params = to_word(request.params);
    oracle.exec_ram = to_word(request.exec_ram);
    oracle.ext_ram = to_word(request.ext_ram);
    oracle.copy = (request.mode & 2) != 0;
    oracle.clear = (request.mode & 4) != 0;
    oracle.instance = to_word(request.instance);
    oracle.callbacks = to_word(request.callbacks);
    // The table of NN_Instance_TypeDef: debug adds two words, asynchronous adds two.
    oracle.inst_reloc_offset =
        0x20 + (request.profile.async ? 8u : 0u) + (request.profile.ndebug ? 0u : 8u);
    oracle.instance_bytes = oracle.inst_reloc_offset + 4;
    return oracle;
}

Bench::Bench(const Image& image, const Placement& placement, std::uint32_t mode,
             loader::Policy policy) {
    const auto map_file = [this](std::uint32_t at, const std::vector<std::uint8_t>& bytes) {
        memory.map({GuestAddr{at}, mapped_bytes(bytes)}, 0, false);
        memory.store(GuestAddr{at}, bytes);
    };
    map_file(placement.file, image.file);
    request.file = GuestAddr{placement.file};
    request.file_bytes = mapped_bytes(image.file);
    if (!image.params.empty()) {
        map_file(placement.params, image.params);
        request.params = GuestAddr{placement.params};
        request.params_bytes = mapped_bytes(image.params);
    }
    request.exec_ram = GuestAddr{placement.exec_ram};
    request.exec_ram_bytes = image.exec_bytes((mode & loader::format::kModeCopy) != 0);
    request.ext_ram = GuestAddr{placement.ext_ram};
    request.ext_ram_bytes = kExternalBytes;
    request.mode = mode;
    request.instance = GuestAddr{placement.instance};
    request.callbacks = GuestAddr{placement.callbacks};
    request.policy = policy;
    request.profile = profile_for(image);
    for (const std::uint32_t dst : {placement.copy_dst, placement.mixed_dst, placement.reset_dst}) {
        grants_.push_back({GuestAddr{dst}, kPoolBytes});
        map_with_margin(dst, kPoolBytes);
    }
    request.grants = grants_.data();
    request.grant_count = static_cast<std::uint32_t>(grants_.size());
    map_with_margin(placement.exec_ram, request.exec_ram_bytes);
    map_with_margin(placement.ext_ram, kExternalBytes);
    map_with_margin(placement.instance, loader::instance_layout(request.profile).bytes);
    memory.record(true);
    for (const AddressRange range : memory.mappings()) {
        const auto bytes = memory.bytes(range);
        before_.push_back({range, {bytes.begin(), bytes.end()}});
    }
}

void Bench::map_with_margin(std::uint32_t start, std::uint32_t bytes) {
    const std::uint32_t below = std::min(start, kMargin);
    memory.map({GuestAddr{start - below}, below + bytes + kMargin}, kFill);
}

loader::Status Bench::run() {
    return loader::install(memory.port(), request, result, why);
}

std::string Bench::difference(const OracleImage& expected) const {
    for (const Before& before : before_) {
        std::vector<std::uint8_t> wanted = before.bytes;
        expected.apply(to_word(before.range.start), wanted);
        const auto found = memory.bytes(before.range);
        const auto [left, right] = std::mismatch(wanted.begin(), wanted.end(), found.begin());
        if (left == wanted.end()) continue;
        const auto offset = static_cast<std::uint32_t>(left - wanted.begin());
        return fmt::format("0x{:08X}: expected {:02X}, found {:02X}",
                           to_word(before.range.start) + offset, *left, *right);
    }
    return {};
}

std::vector<sim::MemoryEvent> Bench::cache_calls() const {
    std::vector<sim::MemoryEvent> calls;
    for (const sim::MemoryEvent& event : memory.events()) {
        if (event.kind == sim::MemoryEvent::Kind::Maintain) calls.push_back(event);
    }
    return calls;
}

}  // namespace n6vp::test

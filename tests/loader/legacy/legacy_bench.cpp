// SPDX-License-Identifier: Apache-2.0
#include "tests/loader/legacy/legacy_bench.h"

#include <algorithm>
#include <array>

namespace n6vp::test {

namespace {

constexpr std::array kAddresses = {
    LegacyAddresses{"internal flash, SRAM1", 0x08020000, 0x20001000, 0x08040000, 0x20008000, 0xD21},
    LegacyAddresses{"external flash, AXI SRAM", 0x90000004, 0x24000040, 0x90100000, 0x24010000,
                    0xC27},
    LegacyAddresses{"internal flash, DTCM", 0x08100000, 0x20000100, 0x08180000, 0x24000000, 0xC27},
    LegacyAddresses{"internal flash, CCM SRAM", 0x080F0010, 0x10000004, 0x08040000, 0x20000000,
                    0xC24},
    LegacyAddresses{"secure aliases", 0x0C020000, 0x30010000, 0x0C040000, 0x30020000, 0xD21},
};

}  // namespace

std::span<const LegacyAddresses> legacy_addresses() {
    return kAddresses;
}

LegacyBench::LegacyBench(const LegacyImage& image, const LegacyAddresses& place, std::uint32_t mode,
                         loader::Policy policy) {
    const auto bytes = static_cast<std::uint32_t>(image.file.size());
    memory.map({GuestAddr{place.file}, bytes}, 0, false);
    memory.store(GuestAddr{place.file}, image.file);
    request.file = GuestAddr{place.file};
    request.file_bytes = bytes;
    request.ram = GuestAddr{place.ram};
    request.ram_bytes = image.ram_bytes(mode == 2);
    request.mode = mode;
    request.policy = policy;
    request.target.cpu_part = image.word(4) & 0xFFF;
    const std::uint32_t below = std::min(place.ram, kLegacyMargin);
    mapped_ = {GuestAddr{place.ram - below}, below + request.ram_bytes + kLegacyMargin};
    memory.map(mapped_, kLegacyFill);
    memory.record(true);
}

std::vector<loader::Diagnosis> LegacyBench::findings() {
    std::vector<loader::Diagnosis> list;
    static_cast<void>(loader::legacy::check(
        memory.port(), request,
        {&list, [](void* context, const loader::Diagnosis& finding) {
             static_cast<std::vector<loader::Diagnosis>*>(context)->push_back(finding);
             return true;
         }}));
    return list;
}

std::vector<std::uint8_t> LegacyBench::ram_with_margins() const {
    const auto bytes = memory.bytes(mapped_);
    return {bytes.begin(), bytes.end()};
}

bool LegacyBench::wrote_inside() const {
    using Kind = sim::MemoryEvent::Kind;
    const AddressRange ram{request.ram, request.ram_bytes};
    return std::all_of(
        memory.events().begin(), memory.events().end(), [&](const sim::MemoryEvent& event) {
            const bool write =
                event.kind == Kind::Write || event.kind == Kind::Copy || event.kind == Kind::Clear;
            return !write || event.bytes == 0 ||
                   ram.contains(AddressRange{event.address, event.bytes});
        });
}

std::vector<sim::MemoryEvent> LegacyBench::cache_calls() const {
    std::vector<sim::MemoryEvent> calls;
    std::copy_if(memory.events().begin(), memory.events().end(), std::back_inserter(calls),
                 [](const sim::MemoryEvent& event) {
                     return event.kind == sim::MemoryEvent::Kind::Maintain;
                 });
    return calls;
}

}  // namespace n6vp::test

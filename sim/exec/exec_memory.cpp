// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/exec_memory.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

#include "memmap/regions.h"

namespace n6vp::sim {

using models::core::BusAnswer;
using models::core::BusAttributes;
using models::core::DirectMemory;

void FlatMemory::Unmap::operator()(std::uint8_t* start) const {
    munmap(start, bytes);
}

FlatMemory::FlatMemory() {
    using memmap::kKib, memmap::kMib, memmap::kSecureOffset;
    // Sizes are those of the larger of both boards. TCMs and the SRAM behind them.
    add(0x00000000, kTcmBytes, 0x00000000 + kSecureOffset);
    add(0x01000000, 2 * kMib, 0x01000000 + kSecureOffset);
    add(0x20000000, kTcmBytes, 0x20000000 + kSecureOffset);
    add(0x21000000, 4 * kMib, 0x21000000 + kSecureOffset);
    // AXISRAM1 to 6 with NPU cache RAM behind it.
    add(0x24000000, 0x430000, 0x24000000 + kSecureOffset);
    // The board's security controller, as plain memory: of its registers only NSCCFG has an effect.
    add(kSecurityController, 4 * kKib, kSecurityController);
    // External memories: one address each.
    add(0x60000000, 0x80000000, 0x60000000);
}

void FlatMemory::add_an505() {
    using memmap::kKib, memmap::kMib, memmap::kSecureOffset;
    add(0x28000000, 4 * kMib, 0x28000000 + kSecureOffset);
    // Here all of its memory answers accesses of both states.
    constexpr std::uint32_t kProtectionControllers = 0x58007000;
    add(kProtectionControllers, 12 * kKib, kProtectionControllers);
}

void FlatMemory::add(std::uint32_t start, std::uint32_t bytes, std::uint32_t alias) {
    void* host = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED) throw std::bad_alloc();
    blocks_.push_back({start, bytes, alias, {static_cast<std::uint8_t*>(host), Unmap{bytes}}});
}

const FlatMemory::Block* FlatMemory::find(std::uint32_t address, std::uint32_t& offset) const {
    for (const Block& block : blocks_) {
        for (const std::uint32_t start : {block.start, block.alias}) {
            if (address < start || address - start >= block.bytes) continue;
            offset = address - start;
            return &block;
        }
    }
    return nullptr;
}

std::span<std::uint8_t> FlatMemory::view(std::uint32_t address, std::uint32_t bytes) {
    std::uint32_t offset = 0;
    const Block* block = find(address, offset);
    if (block == nullptr || bytes > block->bytes - offset) return {};
    return {block->host.get() + offset, bytes};
}

BusAnswer FlatMemory::read(std::uint32_t address, std::span<std::uint8_t> data,
                           const BusAttributes& /*attributes*/, std::uint64_t /*at*/) {
    const auto bytes = view(address, static_cast<std::uint32_t>(data.size()));
    if (bytes.empty()) return {};
    std::memcpy(data.data(), bytes.data(), bytes.size());
    return {true, true, 0};
}

BusAnswer FlatMemory::write(std::uint32_t address, std::span<const std::uint8_t> data,
                            const BusAttributes& /*attributes*/, std::uint64_t /*at*/) {
    const auto bytes = view(address, static_cast<std::uint32_t>(data.size()));
    if (bytes.empty()) return {};
    std::memcpy(bytes.data(), data.data(), data.size());
    return {true, true, 0};
}

DirectMemory FlatMemory::direct(std::uint32_t address, const BusAttributes& /*attributes*/) {
    std::uint32_t offset = 0;
    const Block* block = find(address, offset);
    if (block == nullptr) return {};
    const std::uint32_t start = address - offset;
    return {block->host.get(), start, start + (block->bytes - 1), true, true};
}

}  // namespace n6vp::sim

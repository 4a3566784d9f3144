// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "models/core/ir/data_cache.h"
#include "models/core/ir/micro_op.h"

namespace n6vp::models::core {

/// How an access differs from an ordinary load or store.
enum class AccessKind : std::uint8_t {
    Normal,        ///< LDR, LDRH and the like: may be unaligned in Normal memory
    Aligned,       ///< faults if unaligned: LDRD, LDM, VLDR, exclusives, vector elements
    Unprivileged,  ///< LDRT and the like: may be unaligned, checked as unprivileged
    Stacking,      ///< exception entry and return
};

/// The way of loads and stores that the fast path below cannot take: device memory, the private
/// peripheral bus, unaligned and page-crossing accesses, faults, watchpoints, pages seen first.
class MemorySystem {
  public:
    MemorySystem() = default;
    MemorySystem(const MemorySystem&) = delete;
    MemorySystem& operator=(const MemorySystem&) = delete;
    virtual ~MemorySystem() = default;

    /// Reads 1, 2, 4, 8 or 16 bytes into `cpu.transfer`. Returns false after a fault. `op` is
    /// the accessing instruction.
    [[nodiscard]] virtual bool load(CpuState& cpu, const MicroOp& op, std::uint32_t address,
                                    unsigned bytes, AccessKind kind) = 0;
    /// Writes 1, 2, 4, 8 or 16 bytes from `cpu.transfer`. Returns false after a fault.
    [[nodiscard]] virtual bool store(CpuState& cpu, const MicroOp& op, std::uint32_t address,
                                     unsigned bytes, AccessKind kind) = 0;
    /// DSB: returns when all that was stored has reached its target.
    virtual void finish_stores(CpuState& cpu, const MicroOp& op) = 0;
    /// `direct_read` and `direct_write` where no page is known, which may be because accesses are
    /// observed. Return null unless there is one.
    [[nodiscard]] virtual const std::uint8_t* observed_read(CpuState& /*cpu*/,
                                                            std::uint32_t /*address*/,
                                                            unsigned /*bytes*/,
                                                            const MicroOp* /*op*/) {
        return nullptr;
    }
    [[nodiscard]] virtual std::uint8_t* observed_write(CpuState& /*cpu*/, std::uint32_t /*address*/,
                                                       unsigned /*bytes*/, const MicroOp* /*op*/) {
        return nullptr;
    }
};

inline constexpr std::uint32_t kPageBytes = 4096;

// A cache that goes to the bus lets other masters run, and they may take direct memory away: then
// the page is looked up again, and without one the access goes the slow way.

/// Loads a T. Returns false after a fault; `value` is then unchanged. An aligned address takes the
/// fast path.
template <class T>
[[nodiscard]] inline bool load(CpuState& cpu, const MicroOp& op, std::uint32_t address, T& value,
                               AccessKind kind = AccessKind::Normal) {
    const std::uint8_t* page = cpu.read_pages[address / kPageBytes];
    if (page != nullptr && address % sizeof(T) == 0 && kind != AccessKind::Unprivileged)
        [[likely]] {
        const bool asked =
            cpu.data_cache != nullptr && cpu.data_cache->touch_read(cpu, address, sizeof(T), &op);
        if (asked) [[unlikely]] {
            page = cpu.read_pages[address / kPageBytes];
        }
        if (!asked || page != nullptr) [[likely]] {
            std::memcpy(&value, page + address % kPageBytes, sizeof(T));
            return true;
        }
    }
    if (!cpu.memory->load(cpu, op, address, sizeof(T), kind)) return false;
    std::memcpy(&value, cpu.transfer.data(), sizeof(T));
    return true;
}

/// Stores a T. Returns false after a fault.
template <class T>
[[nodiscard]] inline bool store(CpuState& cpu, const MicroOp& op, std::uint32_t address, T value,
                                AccessKind kind = AccessKind::Normal) {
    std::uint8_t* page = cpu.write_pages[address / kPageBytes];
    if (page != nullptr && address % sizeof(T) == 0 && kind != AccessKind::Unprivileged)
        [[likely]] {
        const bool asked =
            cpu.data_cache != nullptr && cpu.data_cache->touch_write(cpu, address, sizeof(T), &op);
        if (asked) [[unlikely]] {
            page = cpu.write_pages[address / kPageBytes];
        }
        if (!asked || page != nullptr) [[likely]] {
            std::memcpy(page + address % kPageBytes, &value, sizeof(T));
            return true;
        }
    }
    std::memcpy(cpu.transfer.data(), &value, sizeof(T));
    return cpu.memory->store(cpu, op, address, sizeof(T), kind);
}

/// Returns a host pointer to `bytes` (at most a page) at `address` for a whole-vector load, or
/// null if the range leaves its page, is not aligned to `alignment`, or has no direct memory: the
/// caller then goes element by element with `load`. `op` is for reports.
[[nodiscard]] inline const std::uint8_t* direct_read(CpuState& cpu, std::uint32_t address,
                                                     unsigned bytes, unsigned alignment,
                                                     const MicroOp* op = nullptr) {
    const std::uint8_t* page = cpu.read_pages[address / kPageBytes];
    if (address % alignment != 0 || address % kPageBytes + bytes > kPageBytes) return nullptr;
    if (page == nullptr) [[unlikely]]
        return cpu.memory->observed_read(cpu, address, bytes, op);
    if (cpu.data_cache != nullptr && cpu.data_cache->touch_range(cpu, address, bytes, false, op)) {
        page = cpu.read_pages[address / kPageBytes];
        if (page == nullptr) return nullptr;
    }
    return page + address % kPageBytes;
}

/// The same for a store.
[[nodiscard]] inline std::uint8_t* direct_write(CpuState& cpu, std::uint32_t address,
                                                unsigned bytes, unsigned alignment,
                                                const MicroOp* op = nullptr) {
    std::uint8_t* page = cpu.write_pages[address / kPageBytes];
    if (address % alignment != 0 || address % kPageBytes + bytes > kPageBytes) return nullptr;
    if (page == nullptr) [[unlikely]]
        return cpu.memory->observed_write(cpu, address, bytes, op);
    if (cpu.data_cache != nullptr && cpu.data_cache->touch_range(cpu, address, bytes, true, op)) {
        page = cpu.write_pages[address / kPageBytes];
        if (page == nullptr) return nullptr;
    }
    return page + address % kPageBytes;
}

}  // namespace n6vp::models::core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/core/core.h"
#include "models/core/engine/block_builder.h"
#include "models/core/ir/access.h"
#include "models/core/ir/block.h"
#include "models/core/ir/bus.h"
#include "models/core/ir/system.h"
#include "models/core/system/system_memory.h"

namespace n6vp::models::core {

/// Host pages by guest page number, one pointer each: 8 MiB of address space that the host backs
/// where it is used.
class PageTable {
  public:
    PageTable();

    [[nodiscard]] std::uint8_t** entries() { return pages_.get(); }
    void set(std::uint32_t page, std::uint8_t* host);
    void clear(std::uint32_t page);
    void clear_all();

  private:
    struct Free {
        void operator()(std::uint8_t** pages) const;
    };
    std::unique_ptr<std::uint8_t*, Free> pages_;
    std::vector<std::uint32_t> used_;
};

/// Ends the slice soon: at the next block. Time does not change.
inline void ask_for_attention(CpuState& cpu) {
    cpu.held_back = 0;
    if (cpu.budget <= 0) return;
    cpu.cycle_base -= static_cast<std::uint64_t>(cpu.budget);
    cpu.budget = 0;
}

/// Bytes in the host's memory that an observed round of a loop stored to, and what they were.
struct ObservedStore {
    static constexpr unsigned kMaxBytes = 64;  ///< of a store of sixteen registers

    std::uint8_t* host = nullptr;
    unsigned bytes = 0;
    std::array<std::uint8_t, kMaxBytes> before{};
};

/// The core's way to memory: direct pages where it can, the bus where it must. Keeps pages with
/// decoded code and pages with watchpoints off the fast path for stores.
class CoreMemory final : public MemorySystem, public CodeSource, public SystemMemory {
  public:
    CoreMemory(CpuState& cpu, CoreBus& bus, BlockCache& blocks)
        : cpu_(cpu), bus_(bus), blocks_(blocks) {}
    void attach(System& system) { system_ = &system; }

    [[nodiscard]] bool load(CpuState& cpu, const MicroOp& op, std::uint32_t address, unsigned bytes,
                            AccessKind kind) override;
    [[nodiscard]] bool store(CpuState& cpu, const MicroOp& op, std::uint32_t address,
                             unsigned bytes, AccessKind kind) override;
    void finish_stores(CpuState& cpu, const MicroOp& op) override;
    [[nodiscard]] const std::uint8_t* observed_read(CpuState& cpu, std::uint32_t address,
                                                    unsigned bytes, const MicroOp* op) override;
    [[nodiscard]] std::uint8_t* observed_write(CpuState& cpu, std::uint32_t address, unsigned bytes,
                                               const MicroOp* op) override;
    bool fetch(std::uint32_t address, std::uint16_t& halfword, bool& gateway_only,
               PendingFault& fault) override;

    [[nodiscard]] bool read32(CpuState& cpu, std::uint32_t address, const Permission& permission,
                              bool privileged, std::uint32_t& value) override;
    [[nodiscard]] bool write32(CpuState& cpu, std::uint32_t address, const Permission& permission,
                               bool privileged, std::uint32_t value) override;
    void context_changed(CpuState& cpu) override;
    void protection_changed(CpuState& cpu) override;
    void instructions_invalidated(CpuState& cpu, std::uint32_t address, bool all) override;

    /// Puts the pages of the current security and privilege in force.
    void select_context();
    /// Attribution or protection changed: all pages are asked for again.
    void forget_pages();
    /// Direct memory in [start, end] is gone; its code with it.
    void invalidate(std::uint32_t start, std::uint32_t end);
    /// A block with code in these pages was built: stores to them are looked at from now on.
    void guard_code(std::uint32_t first_page, std::uint32_t last_page);

    /// Notes accesses from now on. They take the same way as otherwise.
    void observe();
    void stop_observing();
    /// Returns true if memory is as it was when observing began, and the accesses since would be
    /// the same again as long as it stays so.
    [[nodiscard]] bool repeatable() const;

    void set_watchpoints(std::vector<Watchpoint> watchpoints);
    [[nodiscard]] bool has_watchpoints() const { return !watchpoints_.empty(); }
    [[nodiscard]] unsigned context() const { return context_; }
    [[nodiscard]] bool watch_hit() const { return watch_hit_; }
    WatchHit take_watch_hit() {
        watch_hit_ = false;
        return hit_;
    }

  private:
    struct Context {
        PageTable read, write;
    };
    /// Where the bytes of one access are.
    struct Place {
        Permission permission;
        bool privileged = true;
        std::uint8_t* host = nullptr;   ///< of the first byte, or null: go over the bus
        std::uint64_t revocations = 0;  ///< `revocations_` when `host` was asked for

        [[nodiscard]] BusAttributes attributes() const {
            return {Port::Data, permission.secure, privileged, false, permission.device};
        }
    };

    [[nodiscard]] bool locate(std::uint32_t address, Intent intent, Place& place);
    /// Asks for direct memory. What the program calls a device has none: its bytes go over the bus
    /// one access at a time, whatever is behind it.
    DirectMemory find_host(std::uint32_t address, Intent intent, Place& place);
    /// Touches the cache, which may let other masters run. Returns where the bytes are then, or
    /// null.
    std::uint8_t* touch_host(const MicroOp& op, std::uint32_t address, unsigned bytes,
                             Intent intent, Place& place);
    /// Moves the bytes of an access within a page. Return false if the bus refused.
    [[nodiscard]] bool read_place(const MicroOp& op, std::uint32_t address, unsigned bytes,
                                  Place& place, std::uint8_t* to);
    [[nodiscard]] bool write_place(const MicroOp& op, std::uint32_t address, unsigned bytes,
                                   Place& place, const std::uint8_t* from);
    void enter_page(std::uint32_t address, const DirectMemory& memory,
                    const Permission& permission);
    /// Real cache data: the page stays off the fast path, accesses go through the cache.
    [[nodiscard]] bool held_by_cache(std::uint32_t address, const Permission& permission) const;
    bool read_cache(const MicroOp& op, std::uint32_t address, unsigned bytes,
                    const Permission& permission, std::uint8_t* to);
    bool write_cache(const MicroOp& op, std::uint32_t address, unsigned bytes,
                     const Permission& permission, const std::uint8_t* from);
    /// What may be code in [start, end], within a page, is about to change.
    void change_code(std::uint32_t start, std::uint32_t end);
    [[nodiscard]] bool watched(std::uint32_t page) const;
    void watch(const MicroOp& op, std::uint32_t address, unsigned bytes, bool write);
    /// Returns true if a watchpoint stops the core before the access.
    [[nodiscard]] bool watch_before(const MicroOp& op, std::uint32_t address, unsigned bytes,
                                    bool write);
    [[nodiscard]] bool aligned_enough(std::uint32_t address, unsigned bytes, AccessKind kind);
    [[nodiscard]] bool load_piece(const MicroOp& op, std::uint32_t address, unsigned bytes,
                                  std::uint8_t* to);
    [[nodiscard]] bool store_piece(const MicroOp& op, std::uint32_t address, unsigned bytes,
                                   const std::uint8_t* from);
    [[nodiscard]] bool load_ppb(const MicroOp& op, std::uint32_t address, unsigned bytes);
    [[nodiscard]] bool store_ppb(const MicroOp& op, std::uint32_t address, unsigned bytes);
    /// While observing: takes the fast path of `load` and `store`, with `cpu.transfer` as the
    /// value. Return false if the access must go the slow way.
    [[nodiscard]] bool load_observed(const MicroOp& op, std::uint32_t address, unsigned bytes,
                                     AccessKind kind);
    [[nodiscard]] bool store_observed(const MicroOp& op, std::uint32_t address, unsigned bytes,
                                      AccessKind kind);
    void note_store(std::uint8_t* host, unsigned bytes);
    [[nodiscard]] std::uint64_t now(const MicroOp& op) const;
    bool bus_fault(std::uint32_t address);

    CpuState& cpu_;
    CoreBus& bus_;
    BlockCache& blocks_;
    System* system_ = nullptr;
    unsigned context_ = 0;             ///< in force
    std::uint64_t revocations_ = 0;    ///< how many times direct memory was forgotten
    std::array<Context, 8> contexts_;  ///< by System::context
    PageTable no_pages_;               ///< in force while observing
    bool observing_ = false, repeatable_ = true;
    std::uint64_t observed_from_ = 0;  ///< `revocations_` when observing began
    std::vector<ObservedStore> stores_;
    std::vector<Watchpoint> watchpoints_;
    bool watch_hit_ = false;
    WatchHit hit_;
};

}  // namespace n6vp::models::core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "loader/memory_port.h"

namespace n6vp::sim {

/// One thing the loader did to memory, in order. Reads are not recorded.
struct MemoryEvent {
    enum class Kind : std::uint8_t { Write, Copy, Clear, Maintain, Phase };
    Kind kind = Kind::Write;
    GuestAddr address{};      ///< destination, or start of a maintained range
    GuestAddr from{};         ///< source of a copy
    std::uint32_t bytes = 0;  ///< length as requested, 0 for a phase
    std::uint32_t value = 0;  ///< first word of a write, little-endian, zero-extended if shorter
    loader::CacheOp op{};     ///< of Maintain
    loader::Phase phase{};    ///< of Phase; for all other kinds the phase they happened in
    bool refused = false;     ///< the access left the mappings or hit a read-only one

    friend bool operator==(const MemoryEvent&, const MemoryEvent&) = default;
};

/// Sparse guest memory on the host, for tools and tests that install without elaborating a
/// platform. Modelled: mapped ranges with contents, read-only ranges, bus errors. Not modelled:
/// time, caches (their maintenance is only recorded). Accesses may span adjacent mappings; an
/// access that is refused changes nothing.
class HostMemory {
  public:
    HostMemory() = default;
    HostMemory(const HostMemory&) = delete;
    HostMemory& operator=(const HostMemory&) = delete;

    /// Maps `range` filled with `fill`. Throws std::invalid_argument if it is empty, wraps or
    /// overlaps a mapping. Zero-filled mappings cost host memory only where they are touched.
    void map(AddressRange range, std::uint8_t fill = 0, bool writable = true);

    /// Returns the bytes of `range`, read-only mappings included. Throws std::out_of_range unless
    /// one mapping holds it.
    [[nodiscard]] std::span<std::uint8_t> bytes(AddressRange range);
    [[nodiscard]] std::span<const std::uint8_t> bytes(AddressRange range) const;

    /// Stores `data` at `to`, also into read-only mappings (as a programmer would). Throws
    /// std::out_of_range.
    void store(GuestAddr to, std::span<const std::uint8_t> data);

    /// Returns true if every byte is mapped (and writable, if asked). An empty range is always
    /// accessible.
    [[nodiscard]] bool accessible(AddressRange range, bool for_write) const;

    /// Returns a port on this memory, valid as long as the memory lives where it is.
    [[nodiscard]] loader::MemoryPort port();

    void record(bool on) { recording_ = on; }
    void forget() { events_.clear(); }
    [[nodiscard]] const std::vector<MemoryEvent>& events() const { return events_; }
    /// Returns the number of bytes that recorded writes, copies and clears changed or could have
    /// changed.
    [[nodiscard]] std::uint64_t bytes_written() const;

    /// Every mapped range in ascending order.
    [[nodiscard]] std::vector<AddressRange> mappings() const;

  private:
    friend struct MemberPort;
    struct Free {
        void operator()(std::uint8_t* storage) const { std::free(storage); }
    };
    struct Mapping {
        AddressRange range;
        bool writable = true;
        std::unique_ptr<std::uint8_t[], Free> storage;
    };

    [[nodiscard]] const Mapping* find(std::uint32_t address) const;
    /// Returns the host bytes at `address`, shrinking `bytes` to what the mapping still holds.
    /// Requires it mapped.
    [[nodiscard]] std::uint8_t* piece(std::uint32_t address, std::uint32_t& bytes) const;
    [[nodiscard]] bool read(GuestAddr from, void* to, std::uint32_t bytes) const;
    [[nodiscard]] bool write(GuestAddr to, const void* from, std::uint32_t bytes);
    [[nodiscard]] bool copy(GuestAddr to, GuestAddr from, std::uint32_t bytes);
    [[nodiscard]] bool clear(GuestAddr to, std::uint32_t bytes);
    void maintain(loader::CacheOp op, GuestAddr start, std::uint32_t bytes);
    void enter(loader::Phase phase);
    void log(MemoryEvent event);

    std::vector<Mapping> mappings_;  ///< ascending, non-overlapping
    mutable std::size_t last_ = 0;   ///< mapping of the last access, a guess for the next
    std::vector<MemoryEvent> events_;
    loader::Phase phase_ = loader::Phase::Checks;
    bool recording_ = false;
};

}  // namespace n6vp::sim

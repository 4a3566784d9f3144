// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"

namespace n6vp::models {

/// What the registers have done to the lines. Times are absolute.
class CacheOperations {
  public:
    CacheOperations() = default;
    CacheOperations(const CacheOperations&) = delete;
    CacheOperations& operator=(const CacheOperations&) = delete;
    virtual ~CacheOperations() = default;

    /// Forgets every line without writing it back; returns when the hardware is done. A reset
    /// takes a time of its own.
    virtual Picoseconds invalidate_all(Picoseconds at, bool by_reset) = 0;
    /// Cleans the lines from the one that holds `first` to the one that holds `last`, and forgets
    /// them if `invalidate`; returns when the hardware is done.
    virtual Picoseconds maintain(std::uint32_t first, std::uint32_t last, bool invalidate,
                                 Picoseconds at) = 0;
    /// Returns true if clearing EN invalidates.
    [[nodiscard]] virtual bool disable_invalidates() const = 0;
    /// EN has changed.
    virtual void enable_changed() = 0;
    /// Flags or their enables have changed, or will at `at`.
    virtual void flags_change(Picoseconds at) = 0;
};

/// Registers of CACHEAXI. Offsets, bits and access from the device header and SVD; behaviour as
/// drivers see it.
///
/// Modelled: everything in the table of registers; EN refused while a whole invalidate runs;
/// commands refused while one runs; monitors that count only while enabled, reset by a pulse; flags
/// with their clear and enable bits.
/// Assumed: a refused write leaves no trace; a command "no operation" does nothing; neither the tag
/// clear of reset nor that of a disable sets BSYENDF.
class CacheAxiRegisters : public RegisterBlock {
  public:
    /// In the order of the counters from RHMONR on.
    enum class Monitor : std::uint8_t {
        ReadHit,
        ReadMiss,
        ReadAllocateMiss,
        Eviction,
        WriteHit,
        WriteMiss,
        WriteAllocateMiss,
        WriteThrough,
    };
    static constexpr std::size_t kMonitors = 8;

    explicit CacheAxiRegisters(CacheOperations& operations)
        : RegisterBlock("CACHEAXI"), operations_(operations) {}

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override { reset_at(sc_core::sc_time_stamp().value()); }
    /// Busy from `at` on.
    void reset_at(Picoseconds at) override;

    [[nodiscard]] bool enabled() const { return (cr1_ & 1u) != 0; }
    /// Absolute time at which the last whole invalidate ends or ended.
    [[nodiscard]] Picoseconds busy_until() const { return busy_until_; }
    void count(Monitor monitor);
    /// A write-back of an evicted or cleaned line failed.
    void write_back_failed(Picoseconds at);
    /// Returns the level of the interrupt line at `at`.
    [[nodiscard]] bool interrupt(Picoseconds at);
    /// Returns the time of the next flag that an operation will set, 0 if none runs.
    [[nodiscard]] Picoseconds next_flag() const;

  private:
    void settle(Picoseconds at);
    void write_cr1(std::uint32_t value, Picoseconds at);
    void write_cr2(std::uint32_t value, Picoseconds at);
    void start_invalidate(Picoseconds at, bool by_driver);
    [[nodiscard]] std::uint32_t status(Picoseconds at) const;
    /// Returns the storage of a register that keeps what is written to `writable`, else null.
    struct Plain {
        std::uint32_t* storage = nullptr;
        std::uint32_t writable = 0;
    };
    [[nodiscard]] Plain plain(std::uint32_t offset);

    CacheOperations& operations_;
    std::uint32_t cr1_ = 0, cr2_ = 0, ier_ = 0, flags_ = 0;
    std::uint32_t range_first_ = 0, range_last_ = 0;
    std::array<std::uint32_t, kMonitors> monitors_{};
    Picoseconds busy_until_ = 0, command_until_ = 0;
    bool busy_end_due_ = false, command_end_due_ = false;  ///< flags not yet set
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/core/state.h"

namespace n6vp::models::core {

/// Tags of the core's data cache as loads and stores see them.
///
/// A small direct-mapped filter holds lines that are known to be in the cache with the right state,
/// so that the common hit costs one comparison; whatever misses the filter goes to `miss_filter`,
/// which asks the real tags and charges the time. Whoever changes the tags clears the filter.
class DataCache {
  public:
    static constexpr std::uint32_t kLineBytes = 32;

    DataCache() { clear_filter(); }
    DataCache(const DataCache&) = delete;
    DataCache& operator=(const DataCache&) = delete;
    virtual ~DataCache() = default;

    void touch_read(CpuState& cpu, std::uint32_t address) {
        const std::uint32_t line = address / kLineBytes;
        if (readable_[line % kFilterLines] != line) [[unlikely]]
            miss_filter(cpu, address, false);
    }
    void touch_write(CpuState& cpu, std::uint32_t address) {
        const std::uint32_t line = address / kLineBytes;
        if (writable_[line % kFilterLines] != line) [[unlikely]]
            miss_filter(cpu, address, true);
    }
    void touch_read(CpuState& cpu, std::uint32_t address, unsigned bytes) {
        touch_read(cpu, address);
        if ((address ^ (address + bytes - 1)) / kLineBytes != 0)
            touch_read(cpu, address + bytes - 1);
    }
    void touch_write(CpuState& cpu, std::uint32_t address, unsigned bytes) {
        touch_write(cpu, address);
        if ((address ^ (address + bytes - 1)) / kLineBytes != 0)
            touch_write(cpu, address + bytes - 1);
    }

    void clear_filter() {
        readable_.fill(kNoLine);
        writable_.fill(kNoLine);
    }

  protected:
    /// Looks `address` up, fills the line if it misses, charges `cpu.budget`, and enters the line
    /// into the filter where a repetition would cost nothing.
    virtual void miss_filter(CpuState& cpu, std::uint32_t address, bool write) = 0;

    void admit(std::uint32_t address, bool write) {
        const std::uint32_t line = address / kLineBytes;
        readable_[line % kFilterLines] = line;
        if (write) writable_[line % kFilterLines] = line;
    }
    void expel(std::uint32_t address) {
        const std::uint32_t line = address / kLineBytes;
        if (readable_[line % kFilterLines] == line) readable_[line % kFilterLines] = kNoLine;
        if (writable_[line % kFilterLines] == line) writable_[line % kFilterLines] = kNoLine;
    }

  private:
    static constexpr std::uint32_t kFilterLines = 256;
    static constexpr std::uint32_t kNoLine = 0xFFFFFFFF;
    std::array<std::uint32_t, kFilterLines> readable_{}, writable_{};
};

}  // namespace n6vp::models::core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "models/core/ir/bus.h"

namespace n6vp::test {

/// RAM at fixed addresses, directly accessible; everything else is a bus error.
class FlatBus : public models::core::CoreBus {
  public:
    struct Region {
        std::uint32_t start = 0;
        std::vector<std::uint8_t> bytes;
    };

    /// Adds `size` bytes of zeroes at `start`.
    void add(std::uint32_t start, std::uint32_t size) {
        regions_.push_back({start, std::vector<std::uint8_t>(size)});
    }
    /// Returns the host address of `count` bytes at `address`, or null if they are not all memory.
    [[nodiscard]] std::uint8_t* find(std::uint32_t address, std::size_t count) {
        for (Region& region : regions_) {
            const std::uint32_t offset = address - region.start;
            if (offset < region.bytes.size() && count <= region.bytes.size() - offset)
                return region.bytes.data() + offset;
        }
        return nullptr;
    }

    models::core::BusAnswer read(std::uint32_t address, std::span<std::uint8_t> data,
                                 const models::core::BusAttributes& /*attributes*/,
                                 std::uint64_t /*at*/) override {
        const std::uint8_t* from = find(address, data.size());
        if (from == nullptr) return {};
        std::memcpy(data.data(), from, data.size());
        return {true, true, 0};
    }
    models::core::BusAnswer write(std::uint32_t address, std::span<const std::uint8_t> data,
                                  const models::core::BusAttributes& /*attributes*/,
                                  std::uint64_t /*at*/) override {
        std::uint8_t* to = find(address, data.size());
        if (to == nullptr) return {};
        std::memcpy(to, data.data(), data.size());
        return {true, true, 0};
    }
    models::core::DirectMemory direct(std::uint32_t address,
                                      const models::core::BusAttributes& /*attributes*/) override {
        for (Region& region : regions_) {
            if (address - region.start >= region.bytes.size()) continue;
            const auto last = static_cast<std::uint32_t>(region.start + region.bytes.size() - 1);
            return {region.bytes.data(), region.start, last, true, true};
        }
        return {};
    }

  private:
    std::vector<Region> regions_;
};

}  // namespace n6vp::test

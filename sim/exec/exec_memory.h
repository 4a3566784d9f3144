// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/core/ir/bus.h"

namespace n6vp::sim {

/// Memory without timing for a core without a chip: every RAM address of the STM32N6 and of QEMU's
/// mps3-an547 board, each visible at its Secure and Non-secure alias. The host gives pages where
/// they are used. Everything else is a bus error.
class FlatMemory final : public models::core::CoreBus {
  public:
    /// Of mps3-an547: bits 0 and 1 of NSCCFG let Non-secure code call into code and data regions.
    static constexpr std::uint32_t kSecurityController = 0x50080000,
                                   kCallableControl = kSecurityController + 0x14;

    static constexpr std::uint32_t kTcmBytes = 512 * 1024;

    FlatMemory();

    /// Adds the memory of QEMU's mps2-an505 and, as plain memory, its protection controllers.
    void add_an505();

    models::core::BusAnswer read(std::uint32_t address, std::span<std::uint8_t> data,
                                 const models::core::BusAttributes& attributes,
                                 std::uint64_t at) override;
    models::core::BusAnswer write(std::uint32_t address, std::span<const std::uint8_t> data,
                                  const models::core::BusAttributes& attributes,
                                  std::uint64_t at) override;
    [[nodiscard]] models::core::DirectMemory direct(
        std::uint32_t address, const models::core::BusAttributes& attributes) override;

    /// Returns `bytes` bytes of memory at `address`, empty if they do not lie in one memory.
    [[nodiscard]] std::span<std::uint8_t> view(std::uint32_t address, std::uint32_t bytes);

  private:
    struct Unmap {
        std::size_t bytes;
        void operator()(std::uint8_t* start) const;
    };
    struct Block {
        std::uint32_t start, bytes;
        std::uint32_t alias;  ///< second address, or `start`
        std::unique_ptr<std::uint8_t, Unmap> host;
    };

    void add(std::uint32_t start, std::uint32_t bytes, std::uint32_t alias);
    [[nodiscard]] const Block* find(std::uint32_t address, std::uint32_t& offset) const;

    std::vector<Block> blocks_;
};

}  // namespace n6vp::sim

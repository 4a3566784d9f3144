// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "models/soc/stub_tables.h"

namespace n6vp::models {

/// Registers of one XSPI controller. Commands are done at once and every status poll matches. What
/// software writes to an address of the device in indirect mode is what it reads there later: the
/// mode registers that drivers write and check. Nothing reaches the memory behind the controller;
/// memory-mapped accesses do not come this way.
class XspiController : public StubBlock {
  public:
    explicit XspiController(const char* name) : StubBlock(kXspiStub, name) {}

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;

    [[nodiscard]] bool memory_mapped() const { return mode_ == 3; }
    /// The kernel clock is divided by this for the pins: 1 after reset.
    [[nodiscard]] unsigned divider() const { return divider_; }
    /// Called after the divider has changed.
    std::function<void()> on_divider;

  private:
    void set_divider(unsigned divider);
    [[nodiscard]] std::vector<std::uint8_t>& device() { return written_[address_]; }

    std::map<std::uint32_t, std::vector<std::uint8_t>> written_;  ///< by device address
    std::uint32_t address_ = 0, mode_ = 0;
    unsigned divider_ = 1;
    std::size_t position_ = 0;  ///< of the next byte of this command
};

}  // namespace n6vp::models

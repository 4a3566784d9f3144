// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/soc/stubs/stub_block.h"

namespace n6vp::models {

/// ETH without a cable: registers, and the transceiver of the discovery kit (RTL8211F) on MDIO.
///
/// Modelled: frames of clause 22 on MDIO with their time; identification, BMCR with its commands
/// done at once, BMSR without link; the software reset of the DMA ends. An address without a
/// transceiver reads 0xFFFF.
/// Assumed: the transceiver's address is 1.
/// Not modelled: frames on the cable, DMA, time stamps, MDIO of clause 45, further pages of the
/// transceiver: "not modelled", as all of this block.
class EthernetStub : public StubBlock {
  public:
    EthernetStub(const StubTable& table, const char* name, const FlagTimes& times = {});

    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;

  private:
    void reset_transceiver();
    [[nodiscard]] std::uint16_t read_transceiver(unsigned number) const;
    void write_transceiver(unsigned number, std::uint16_t value);

    std::array<std::uint16_t, 32> transceiver_{};
};

}  // namespace n6vp::models

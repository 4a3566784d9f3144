// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>

#include "models/picoseconds.h"
#include "models/soc/audio/channel_lines.h"
#include "models/soc/audio/sai_block.h"
#include "models/soc/audio/sound_source.h"
#include "models/soc/base/register_block.h"

namespace n6vp::models {

/// A serial audio interface: two sub-blocks, A and B, each a transmitter or a receiver.
///
/// Modelled: the free protocol as master by MCKDIV, NODIV, OSR and FRL, and as a slave that the
/// other block of the same unit clocks (SYNCEN = 1); slots with SLOTEN, NBSLOT and SLOTSZ, each
/// at its time in the frame; data of 8 to 32 bits, MONO, MUTE; the FIFO with threshold, FLVL, FREQ,
/// OVRUDR (zeros are sent, or words are lost, until the slot that missed its word comes again),
/// FFLUSH, WCKCFG, CLRFR; SAIEN reads one until the last frame is over; an interrupt line and a
/// DMA request for each block.
/// A receiver hears the same `SoundSource` as the microphones, slot n its channel n.
/// Not modelled: AC'97 and SPDIF, companding, the PDM interface, slaves with an external clock or
/// that of another unit, mute detection and frame errors: switching one of the first on answers
/// "not modelled". Polarity, strobe, offset, alignment and order of bits change nothing that a
/// program sees.
/// Sources: CMSIS device header; RM0390 (SAI of the STM32F446).
class Sai : public sc_core::sc_module, public RegisterBlock {
  public:
    static constexpr unsigned kBlocks = 2;

    Sai(const sc_core::sc_module_name& name, const char* block, SoundSource& microphone,
        const SaiParameters& parameters = {});
    using RegisterBlock::name;

    std::function<void(unsigned block, bool level)> on_interrupt;
    /// DMA request of a block from an absolute time on. Without it DMAEN answers "not modelled".
    std::function<void(unsigned block, bool level, Picoseconds at)> on_request;
    /// A block has sent a frame.
    std::function<void(unsigned block, const AudioFrame& frame)> on_frame;

    /// Frequency of the kernel clock from the absolute time `at` on; 0 stops it.
    void set_kernel_hz(double hz, Picoseconds at);

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t offset) const override;
    void reset() override;

  private:
    void step();
    /// All slots that begin by `at` have begun.
    void settle(Picoseconds at);
    void update(Picoseconds at);
    void write_block(unsigned index, std::uint32_t offset, std::uint32_t next,
                     std::uint32_t written, Picoseconds at);
    void write_control(SaiBlock& block, std::uint32_t next, Picoseconds at);
    [[nodiscard]] std::uint32_t value(const SaiBlock& block, std::uint32_t offset) const;
    /// Returns false if what the register holds asks for something that is not modelled.
    [[nodiscard]] bool modelled(const SaiBlock& block, std::uint32_t offset) const;

    const SaiParameters parameters_;
    double kernel_hz_ = 0;
    std::uint32_t gcr_ = 0, pdmcr_ = 0, pdmdly_ = 0;
    std::array<SaiBlock, kBlocks> blocks_;
    std::array<ChannelLines, kBlocks> lines_;
    sc_core::sc_event next_;
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <vector>

#include "models/picoseconds.h"
#include "models/soc/audio/channel_lines.h"
#include "models/soc/audio/mdf_filter.h"
#include "models/soc/audio/mdf_parameters.h"
#include "models/soc/audio/sound_source.h"
#include "models/soc/base/register_block.h"

namespace n6vp::models {

/// A digital filter unit: MDF with six serial interfaces and filters, or ADF with one.
///
/// Modelled: the clock of the microphones from the kernel clock by PROCDIV and CCKDIV (CKGCR);
/// serial interfaces in both SPI modes at CCK0 or CCK1; the bitstream that a filter takes (BSMXCR);
/// CIC order, ratio and SCALE, reshape filter (DFLTCICR, DFLTRSFR); NBDIS; the asynchronous
/// modes, and the synchronous ones triggered by GCR.TRGO; RXFIFO with threshold, DFLTDR, FTHF,
/// RXNEF, DOVRF, SATF, RFOVRF, an interrupt line and a DMA request for each filter.
/// The microphones hear a `SoundSource`: its first channel at the rising edge of the clock, the
/// second one at the falling edge (assumed), the same on all interfaces.
/// Not modelled: transfer functions and noise, the high-pass filter, other triggers, windows and
/// snapshots, Manchester code, external clocks, ADC as a source, interleaving, integrator, offset,
/// delay, limit, short-circuit and clock absence detectors, sound activity: switching one of them
/// on answers "not modelled". The bits ACTIVE follow their enables at once; nothing is protected
/// from writes while it is active.
/// Sources: CMSIS device header; RM0456 (MDF and ADF of the STM32U5).
class Mdf : public sc_core::sc_module, public RegisterBlock {
  public:
    enum class Kind : std::uint8_t { MultiFunction, Audio };

    Mdf(const sc_core::sc_module_name& name, const char* block, Kind kind, SoundSource& microphone,
        const MdfParameters& parameters = {});
    using RegisterBlock::name;

    std::function<void(unsigned filter, bool level)> on_interrupt;
    /// DMA request of a filter from an absolute time on. Without it DMAEN answers "not modelled".
    std::function<void(unsigned filter, bool level, Picoseconds at)> on_request;

    /// Frequency of the kernel clock from the absolute time `at` on; 0 stops it.
    void set_kernel_hz(double hz, Picoseconds at);
    [[nodiscard]] unsigned filters() const { return static_cast<unsigned>(filters_.size()); }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t offset) const override;
    void reset() override;

  private:
    void step();
    /// All samples that are complete by `at` are in their FIFO.
    void settle(Picoseconds at);
    void update(Picoseconds at);
    void update_clocks(Picoseconds at);
    void write_filter(unsigned index, std::uint32_t offset, std::uint32_t next,
                      std::uint32_t written, Picoseconds at);
    void write_control(MdfFilter& filter, std::uint32_t next, Picoseconds at);
    void trigger(Picoseconds at);
    /// Returns true if the bitstream that the filter takes has a clock.
    [[nodiscard]] bool clocked(const MdfFilter& filter) const;
    [[nodiscard]] std::uint32_t value(unsigned index, std::uint32_t offset) const;
    [[nodiscard]] const char* register_name(std::uint32_t offset) const;
    /// Returns false if what the register holds asks for something that is not modelled.
    [[nodiscard]] bool modelled(unsigned index, std::uint32_t offset) const;
    [[nodiscard]] bool has(std::uint32_t offset) const;

    const MdfParameters parameters_;
    const Kind kind_;
    SoundSource& microphone_;
    double kernel_hz_ = 0;
    std::uint32_t gcr_ = 0, ckgcr_ = 0;
    std::vector<MdfFilter> filters_;
    std::vector<ChannelLines> lines_;
    std::vector<std::vector<std::string>> names_;  ///< of the registers of each filter
    sc_core::sc_event next_;
};

}  // namespace n6vp::models

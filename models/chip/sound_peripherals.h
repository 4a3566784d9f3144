// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "memmap/peripherals.h"
#include "models/chip/chip_parameters.h"
#include "models/chip/peripheral_lines.h"
#include "models/soc/audio/mdf.h"
#include "models/soc/audio/sai.h"
#include "models/soc/audio/sound_source.h"
#include "models/soc/system/rcc.h"

namespace n6vp::models {

/// The units that deal with sound: MDF1, ADF1, SAI1 and SAI2, and what their microphones hear.
class SoundPeripherals {
  public:
    /// Makes the unit of a row of the address map, if it is one of them.
    void make(const memmap::Peripheral& row, const ChipParameters& parameters);
    /// Calls `add` for each block with its name in the address map.
    void for_each(const std::function<void(RegisterBlock&, const char*)>& add);
    void connect_interrupts(const InterruptLines& drive);
    void connect_requests(const RequestLines& request);
    /// Kernel clocks are those of RCC from the absolute time `at` on.
    void update_clocks(const Rcc& rcc, Picoseconds at);

    SoundSource microphone;
    /// A block of a SAI has sent a frame.
    std::function<void(std::string_view unit, unsigned block, const AudioFrame& frame)> on_frame;

  private:
    template <class Model>
    using Units = std::vector<std::pair<const memmap::Peripheral*, std::unique_ptr<Model>>>;
    Units<Mdf> mdfs_;
    Units<Sai> sais_;
};

}  // namespace n6vp::models

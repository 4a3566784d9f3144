// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/soc/stubs/stub_block.h"
#include "models/soc/stubs/stub_tables.h"

namespace n6vp::models {

/// Power control.
///
/// Modelled: CPUCR chooses Stop mode for deep sleep, and STOPF says that it was entered, until
/// CSSF; voltage scaling and supply monitors are ready some time after they are asked for.
/// Not modelled: Standby mode (PDDS), wake-up pins, detectors, access rights: "not modelled".
class Pwr : public StubBlock {
  public:
    explicit Pwr(const FlagTimes& times = {}) : StubBlock(*stub_of("PWR"), "PWR", times) {}

    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override {
        Answer answer = StubBlock::write(offset, value, mask, at);
        if (offset == kCpucr && !deep_sleep_is_stop()) answer.modelled = false;
        return answer;
    }

    /// Returns false if deep sleep is Standby mode.
    [[nodiscard]] bool deep_sleep_is_stop() const { return (held(kCpucr) & kStandby) == 0; }
    /// The system has left Stop mode.
    void note_stop() { change(kCpucr, kStopFlag, true); }

  private:
    static constexpr std::uint32_t kCpucr = 0x30;
    static constexpr std::uint32_t kStandby = 1u << 0, kStopFlag = 1u << 8;  ///< PDDS, STOPF
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "models/event.h"
#include "models/picoseconds.h"

namespace n6vp::models::dma {

/// Request lines from peripherals to the DMA controllers, by the number that CTR2.REQSEL selects.
/// A peripheral holds its line high for as long as it wants another burst or block.
class Requests {
  public:
    static constexpr unsigned kLines = 256;

    /// A line has risen, or will at the absolute time `at`.
    Event<unsigned /*line*/, Picoseconds /*at*/> on_rise;
    /// A channel has taken the request of that line, for a burst or a block that leaves at the
    /// absolute time `at`: a peripheral that asks for each once may lower the line.
    Event<unsigned /*line*/, Picoseconds /*at*/> on_take;
    /// The last transfer of a channel on that line is over at the absolute time `at`.
    Event<unsigned /*line*/, Picoseconds /*at*/> on_end;

    /// The trigger input of that number, which CTR2.TRIGSEL selects, has a pulse at the absolute
    /// time `at`.
    Event<unsigned /*input*/, Picoseconds /*at*/> on_pulse;

    /// The line has this level from the absolute time `at` on. `line` is below kLines.
    void set(unsigned line, bool level, Picoseconds at) {
        if (lines_[line].level == level) return;
        lines_[line] = {level, at};
        if (level) on_rise(line, at);
    }
    /// Returns since when the line is high, kNever if it is low.
    [[nodiscard]] Picoseconds high_since(unsigned line) const {
        return lines_[line].level ? lines_[line].since : kNever;
    }
    void reset() { lines_ = {}; }

  private:
    struct Line {
        bool level = false;
        Picoseconds since = 0;
    };
    std::array<Line, kLines> lines_{};
};

}  // namespace n6vp::models::dma

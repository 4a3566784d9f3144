// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/picoseconds.h"

namespace n6vp::models {

/// What the microphones of the board hear: a recording, followed by silence.
///
/// The recording begins when something listens for the first time, so that the start-up of the
/// firmware, which is long, costs nothing of it. Between two of its samples the signal is a
/// straight line; nothing filters it.
class SoundSource {
  public:
    struct Recording {
        std::uint32_t hz = 0;
        unsigned channels = 1;
        std::vector<std::int16_t> samples;  ///< of the channels in turn

        [[nodiscard]] std::uint64_t frames() const {
            return channels == 0 ? 0 : samples.size() / channels;
        }
    };

    /// An empty recording is silence. `hz` is at most 1 MHz.
    void play(Recording recording) { recording_ = std::move(recording); }
    [[nodiscard]] const Recording& recording() const { return recording_; }

    /// Returns the signal at the absolute time `at`, in 2^-31 of the recording's full scale. Of a
    /// recording with fewer channels every channel hears the last one.
    [[nodiscard]] std::int32_t heard(unsigned channel, Picoseconds at);
    /// Samples that were asked for since the last reset.
    [[nodiscard]] std::uint64_t listened() const { return listened_; }

    /// The recording will begin again.
    void reset();

  private:
    [[nodiscard]] std::int64_t sample(std::uint64_t frame, unsigned channel) const;

    Recording recording_;
    Picoseconds begun_ = 0;  ///< valid if `listened_` is not 0
    std::uint64_t listened_ = 0;
};

}  // namespace n6vp::models

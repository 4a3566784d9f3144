// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "models/chip/sound_peripherals.h"
#include "sim/host/json_output.h"
#include "sim/host/output_file.h"
#include "sim/run/run_config.h"

namespace n6vp::sim {

/// The sound of a run: the recording that the microphones hear, and what the first SAI block that
/// transmits sends to the codec, as a WAV file of 16 bits.
class BoardSound {
  public:
    /// More are not kept, which `write` says: a file of 256 MiB.
    static constexpr std::size_t kMostSamples = std::size_t{1} << 27;

    /// What one block has sent.
    struct Played {
        std::string block;         ///< "SAI1_A"
        std::uint32_t hz = 0;      ///< frames in a second, of the first one
        unsigned slots = 0;        ///< of a frame, of the first one
        std::uint64_t frames = 0;  ///< as the first one
        std::uint64_t others = 0;  ///< frames of another rate or number of slots
    };

    /// Reads the recording of the plan and creates its output. Fails with UserError. `sound` must
    /// outlive this.
    BoardSound(const RunPlan& plan, models::SoundPeripherals& sound);

    /// Writes the output, whole, or says on `err` that there is nothing to write, or that it is not
    /// all. Fails with UserError.
    void write(std::ostream& err);
    /// Writes what was heard and sent: nothing if no sound unit was used.
    void report(std::ostream& out) const;
    /// Returns the same; null if no sound unit was used.
    [[nodiscard]] Json document() const;

  private:
    void take(std::string_view unit, unsigned block, const models::AudioFrame& frame);
    void keep(const models::AudioFrame& frame);

    const RunConfig::Value& microphone_;
    const RunConfig::Value& speaker_;
    models::SoundPeripherals& sound_;
    std::optional<OutputFile> output_;  ///< a file that cannot be created is refused before the run
    std::vector<Played> played_;        ///< in the order of their first frames
    std::vector<std::int16_t> samples_;  ///< of the first of them
    std::uint64_t unkept_ = 0;           ///< its frames beyond kMostSamples
};

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace n6vp::sim {

/// Sound of a WAV file (RIFF): PCM of 16 bits.
struct WavSound {
    static constexpr std::uint32_t kLeastHz = 1000, kMostHz = 192'000;
    static constexpr unsigned kMostChannels = 2;

    std::uint32_t hz = 0;
    unsigned channels = 0;
    std::vector<std::int16_t> samples;  ///< of the channels in turn
};

/// Returns the sound of a file of at most 256 MiB with one or two channels and a rate from 1 kHz to
/// 192 kHz. Fails with UserError if it is none, is cut off, or has another format.
[[nodiscard]] WavSound read_wav(const std::string& path);
/// The same from the content of a file; `shown_name` is for messages.
[[nodiscard]] WavSound parse_wav(std::span<const std::uint8_t> file, const std::string& shown_name);

/// Writes such a file with any number of channels. `samples` has fewer than 2^30 numbers, of whole
/// frames.
void write_wav(std::ostream& out, std::uint32_t hz, unsigned channels,
               std::span<const std::int16_t> samples);

}  // namespace n6vp::sim

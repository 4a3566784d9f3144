// SPDX-License-Identifier: Apache-2.0
#include "models/soc/audio/sound_source.h"

#include <algorithm>

namespace n6vp::models {

std::int64_t SoundSource::sample(std::uint64_t frame, unsigned channel) const {
    if (frame >= recording_.frames()) return 0;
    return recording_.samples[frame * recording_.channels + channel];
}

std::int32_t SoundSource::heard(unsigned channel, Picoseconds at) {
    if (listened_++ == 0) begun_ = at;
    if (recording_.samples.empty()) return 0;
    constexpr std::uint64_t kSecond = 1'000'000'000'000;
    constexpr unsigned kFraction = 16;  // bits: each product stays below 2^63
    const Picoseconds elapsed = at - std::min(begun_, at);
    const std::uint64_t part = elapsed % kSecond * recording_.hz;
    const std::uint64_t frame = elapsed / kSecond * recording_.hz + part / kSecond;
    const auto between = static_cast<std::int64_t>((part % kSecond << kFraction) / kSecond);
    const unsigned one = std::min(channel, recording_.channels - 1);
    const std::int64_t first = sample(frame, one), second = sample(frame + 1, one);
    return static_cast<std::int32_t>(first * ((1 << kFraction) - between) + second * between);
}

void SoundSource::reset() {
    listened_ = 0;
    begun_ = 0;
}

}  // namespace n6vp::models

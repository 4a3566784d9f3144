// SPDX-License-Identifier: Apache-2.0
#include "sim/run/board_sound.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/host/wav_file.h"
#include "sim/run/run_files.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

/// Returns the upper 16 bits of a word of that many.
[[nodiscard]] std::int16_t upper_half(std::uint32_t word, unsigned bits) {
    return static_cast<std::int16_t>(word << (32 - bits) >> 16);
}

}  // namespace

BoardSound::BoardSound(const RunPlan& plan, models::SoundPeripherals& sound)
    : microphone_(plan.microphone), speaker_(plan.speaker), sound_(sound) {
    if (!microphone_.text.empty()) {
        WavSound wav = told_from(microphone_.origin, [this] { return read_wav(microphone_.text); });
        sound_.microphone.play({wav.hz, wav.channels, std::move(wav.samples)});
    }
    if (!speaker_.text.empty())
        told_from(speaker_.origin, [this] { output_.emplace(speaker_.text); });
    sound_.on_frame = [this](std::string_view unit, unsigned block,
                             const models::AudioFrame& frame) { take(unit, block, frame); };
}

void BoardSound::take(std::string_view unit, unsigned block, const models::AudioFrame& frame) {
    const std::string name = fmt::format("{}_{}", unit, block == 0 ? 'A' : 'B');
    const auto hz = static_cast<std::uint32_t>(std::lround(frame.hz));
    auto row = std::find_if(played_.begin(), played_.end(),
                            [&name](const Played& one) { return one.block == name; });
    if (row == played_.end()) row = played_.insert(row, {name, hz, frame.slots, 0, 0});
    if (row->hz != hz || row->slots != frame.slots) {
        ++row->others;
        return;
    }
    ++row->frames;
    if (output_ && row == played_.begin()) keep(frame);
}

void BoardSound::keep(const models::AudioFrame& frame) {
    if (samples_.size() + frame.slots > kMostSamples) {
        ++unkept_;
        return;
    }
    for (unsigned slot = 0; slot < frame.slots; ++slot)
        samples_.push_back(upper_half(frame.words[slot], frame.bits));
}

void BoardSound::write(std::ostream& err) {
    if (!output_) return;
    if (samples_.empty()) {
        err << fmt::format("{}: no SAI has sent a frame: {} is not written\n", speaker_.origin,
                           traces::terminal_text(speaker_.text));
    } else {
        const Played& first = played_.front();
        write_wav(output_->stream(), first.hz, first.slots, samples_);
        output_->commit();
        if (unkept_ != 0) {
            err << fmt::format(
                "{}: {} has {} samples, the most that it may have: the last {} "
                "frames are not in it\n",
                speaker_.origin, traces::terminal_text(speaker_.text), samples_.size(), unkept_);
        }
    }
    output_.reset();
}

void BoardSound::report(std::ostream& out) const {
    const std::uint64_t heard = sound_.microphone.listened();
    if (heard == 0 && played_.empty()) return;
    out << "\nsound:\n";
    if (heard != 0 && microphone_.text.empty()) {
        out << fmt::format("microphones: {} samples of silence; --microphone FILE is a recording\n",
                           heard);
    } else if (heard != 0) {
        out << fmt::format("microphones: {} samples of {}, which has {} at {} Hz; then silence\n",
                           heard, traces::terminal_text(microphone_.text),
                           sound_.microphone.recording().frames(),
                           sound_.microphone.recording().hz);
    }
    for (const Played& one : played_) {
        out << fmt::format("{}: {} frames of {} slots sent at {} Hz", one.block, one.frames,
                           one.slots, one.hz);
        if (one.others != 0) out << fmt::format(", {} of another kind", one.others);
        out << '\n';
    }
}

Json BoardSound::document() const {
    const std::uint64_t heard = sound_.microphone.listened();
    if (heard == 0 && played_.empty()) return nullptr;
    Json sent = Json::array();
    for (const Played& one : played_) {
        sent.push_back({{"block", one.block},
                        {"hz", one.hz},
                        {"slots", one.slots},
                        {"frames", one.frames},
                        {"other_frames", one.others}});
    }
    return {{"heard", heard}, {"recording", microphone_.text}, {"sent", sent}};
}

}  // namespace n6vp::sim

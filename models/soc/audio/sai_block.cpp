// SPDX-License-Identifier: Apache-2.0
#include "models/soc/audio/sai_block.h"

#include <algorithm>
#include <bit>

namespace n6vp::models {

namespace {

constexpr std::uint32_t kSaiMono = sai::sai_bit(12), kSaiNoDivider = sai::sai_bit(19),
                        kSaiOversampling = sai::sai_bit(26);  // CR1
constexpr std::uint32_t kSaiMute = sai::sai_bit(5);           // CR2
constexpr double kSaiMasterClock = 256;                       ///< for a frame
// Reset values: SVD.
constexpr std::uint32_t kSaiCr1Reset = 0x40, kSaiFrcrReset = 0x7;

}  // namespace

unsigned SaiBlock::data_bits() const {
    constexpr std::array<unsigned, 8> kBits{8, 8, 8, 10, 16, 20, 24, 32};  // 0 and 1: reserved
    return kBits[get(sai::kCr1) >> 5 & 7];
}

unsigned SaiBlock::slot_bits() const {
    switch (get(sai::kSlotr) >> 6 & 3) {
        case 1:
            return 16;
        case 2:
            return 32;
        default:
            return data_bits();
    }
}

double SaiBlock::frame_cycles() const {
    const std::uint32_t control = get(sai::kCr1);
    const double divider = std::max(1u, control >> 20 & 0x3F);
    if ((control & kSaiNoDivider) != 0) return divider * ((get(sai::kFrcr) & 0xFF) + 1);
    return divider * kSaiMasterClock * ((control & kSaiOversampling) != 0 ? 2 : 1);
}

bool SaiBlock::wrong_clock() const {
    const std::uint32_t length = (get(sai::kFrcr) & 0xFF) + 1;
    if ((get(sai::kCr1) & kSaiNoDivider) != 0 || is_slave()) return false;
    constexpr std::uint32_t kShortest = 8;
    return length < kShortest || !std::has_single_bit(length);
}

void SaiBlock::set_kernel_hz(double hz, Picoseconds at) {
    if (hz == hz_) return;
    hz_ = hz;
    origin_ = at;
    frame_ = 0;
}

void SaiBlock::enable(Picoseconds at) {
    enabled_ = true;
    stopping_ = false;
    if (!running_ && !is_slave()) start(at, frame_cycles());
}

void SaiBlock::begin_with_other(Picoseconds at, double cycles) {
    if (enabled_ && !running_) start(at, cycles);
}

void SaiBlock::start(Picoseconds at, double cycles) {
    running_ = true;
    cycles_ = cycles;
    origin_ = at;
    frame_ = slot_ = 0;
}

void SaiBlock::pause() {
    running_ = false;
    if (slot_ == 0) end_frame();
    // No frame follows whose start would say so.
    if (stopping_) enabled_ = stopping_ = missing_ = false;
}

void SaiBlock::disable() {
    if (running_) {
        stopping_ = true;
    } else {
        enabled_ = false;
    }
}

Picoseconds SaiBlock::due() const {
    if (!running_ || hz_ <= 0) return kNever;
    const double length = (get(sai::kFrcr) & 0xFF) + 1;
    const double within = std::min(1.0, slot_ * slot_bits() / length);
    const double cycles = (static_cast<double>(frame_) + within) * cycles_;
    return origin_ + cycles_to_ps(cycles, hz_);
}

bool SaiBlock::advance() {
    const bool begins = slot_ == 0;
    if (begins) {
        end_frame();
        if (!running_) return false;
        begin_frame();
    }
    if (active(slot_)) {
        if (receives()) {
            receive(slot_);
        } else {
            send(slot_);
        }
    }
    // Software may have made the frame shorter meanwhile.
    if (++slot_ >= slots()) {
        slot_ = 0;
        ++frame_;
    }
    return begins;
}

void SaiBlock::begin_frame() {
    sent_ = {};
    sent_.at = due();
    sent_.hz = hz_ / cycles_;
    sent_.bits = data_bits();
    // Source: RM0390, mute mode: taken over at the end of a frame.
    muted_ = (get(sai::kCr2) & kSaiMute) != 0;
}

void SaiBlock::end_frame() {
    if (sent_.slots != 0 && on_frame) on_frame(sent_);
    sent_ = {};
    if (!stopping_) return;
    enabled_ = running_ = stopping_ = missing_ = false;
}

void SaiBlock::send(unsigned slot) {
    std::uint32_t word = 0;
    const bool repeats = (get(sai::kCr1) & kSaiMono) != 0 && slot == 1;
    if (repeats) {
        word = sent_.words[0];
    } else if (fifo_.empty() || (missing_ && slot != missed_slot_)) {
        if (!missing_) missed_slot_ = slot;
        missing_ = true;
        flags_ |= sai::kOvrudr;
    } else {
        missing_ = false;
        word = fifo_.front();
        fifo_.pop_front();
    }
    sent_.words[sent_.slots++] = muted_ ? 0 : word;
}

void SaiBlock::receive(unsigned slot) {
    const std::int32_t signal = line ? line(slot, due()) : 0;
    if ((get(sai::kCr1) & kSaiMono) != 0 && slot == 1) return;
    if (full() || (missing_ && slot != missed_slot_)) {
        if (!missing_) missed_slot_ = slot;
        missing_ = true;
        flags_ |= sai::kOvrudr;
        return;
    }
    missing_ = false;
    fifo_.push_back(static_cast<std::uint32_t>(signal) >> (32 - data_bits()));
}

void SaiBlock::write_data(std::uint32_t word) {
    if (!receives() && !full()) fifo_.push_back(word);
}

std::uint32_t SaiBlock::read_data() {
    if (!receives() || fifo_.empty()) return 0;
    const std::uint32_t word = fifo_.front();
    fifo_.pop_front();
    return word;
}

void SaiBlock::flush() {
    fifo_.clear();
    missing_ = false;
}

/// FLVL: the quarters are bounds above for a transmitter and below for a receiver.
std::uint32_t SaiBlock::level() const {
    const double filled = static_cast<double>(fifo_.size()) * 4 / parameters_.fifo_depth.value;
    if (fifo_.empty()) return 0;
    if (full()) return 5;
    std::uint32_t level = 1;
    for (const double quarter : {1.0, 2.0, 3.0}) {
        if (receives() ? filled >= quarter : filled > quarter) ++level;
    }
    return level;
}

std::uint32_t SaiBlock::status() const {
    // Source: RM0390, interrupt generation: the threshold FTH against FLVL.
    const std::uint32_t threshold = std::min(get(sai::kCr2) & 7, 4u) + 1;
    const bool request = receives() ? level() >= threshold : level() < threshold;
    return flags_ | level() << 16 | (request ? sai::kFreq : 0);
}

void SaiBlock::reset() {
    held_ = {};
    at(sai::kCr1) = kSaiCr1Reset;
    at(sai::kFrcr) = kSaiFrcrReset;
    fifo_.clear();
    flags_ = 0;
    enabled_ = running_ = stopping_ = missing_ = false;
    slot_ = 0;
    sent_ = {};
}

}  // namespace n6vp::models

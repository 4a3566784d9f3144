// SPDX-License-Identifier: Apache-2.0
#include "models/soc/audio/mdf_filter.h"

#include <algorithm>
#include <cmath>

namespace n6vp::models {

namespace {

/// SCALE: 0x20 to 0x2F stand for -16 to -1. Two steps double; the odd ones lie half between.
/// Source: gains of the Linux driver of the same unit, -48.2 to 72.2 dB.
[[nodiscard]] double scale_gain(std::uint32_t code) {
    const int step = code < 0x20 ? static_cast<int>(code) : static_cast<int>(code) - 0x30;
    const int floor = step >= 0 ? step / 2 : (step - 1) / 2;
    return std::ldexp(step == 2 * floor ? 1.0 : 1.5, floor);
}

constexpr unsigned kFastSinc = 0, kMostOrder = 5;

}  // namespace

double MdfFilter::cic_gain() const {
    const unsigned mode = get(mdf::kDfltcicr) >> 4 & 7;
    const double ratio = cic_ratio();
    if (mode == kFastSinc) return 2 * ratio * ratio;
    double gain = 1;
    for (unsigned i = 0; i < std::min(mode, kMostOrder); ++i) gain *= ratio;
    return gain;
}

std::uint32_t MdfFilter::decimation() const {
    const bool by_four = reshapes() && (get(mdf::kDfltrsfr) >> 4 & 1) == 0;
    return cic_ratio() * (by_four ? 4 : 1);
}

std::uint32_t MdfFilter::threshold() const {
    const auto depth = static_cast<std::uint32_t>(parameters_.fifo_depth.value);
    return (get(mdf::kDfltcr) & mdf::kHalfFull) != 0 ? std::max(1u, depth / 2) : 1;
}

void MdfFilter::start(Picoseconds at) {
    running_ = true;
    count_from(at);
    to_discard_ = get(mdf::kDfltcr) >> 20 & 0xFF;
}

void MdfFilter::stop() {
    running_ = requesting_ = false;
    fifo_.clear();
}

void MdfFilter::set_clock(double hz, std::uint32_t cycles, std::uint32_t processing,
                          Picoseconds at) {
    if (hz == hz_ && cycles == bit_cycles_ && processing == processing_cycles_) return;
    hz_ = hz;
    bit_cycles_ = cycles;
    processing_cycles_ = processing;
    count_from(at);
}

void MdfFilter::count_from(Picoseconds at) {
    origin_ = at;
    complete_ = 0;
}

Picoseconds MdfFilter::due() const {
    if (!running_ || hz_ <= 0) return kNever;
    // From the origin, so that the rounding of a period does not add up.
    const double cycles = static_cast<double>(complete_ + 1) * bit_cycles_ * decimation();
    return origin_ + std::max<Picoseconds>(complete_ + 1, cycles_to_ps(cycles, hz_));
}

double MdfFilter::limited(double value, unsigned bits) {
    const double most = std::ldexp(1.0, static_cast<int>(bits) - 1) - 1;
    if (value > most || value < -most - 1) events_ |= mdf::kSatf;
    return std::clamp(value, -most - 1, most);
}

std::int32_t MdfFilter::filtered(std::int32_t signal) {
    constexpr unsigned kSampleBits = 24, kReshapeBits = 22;
    const int fraction = -31 - static_cast<int>(parameters_.headroom.value);
    const double gain = cic_gain() * scale_gain(get(mdf::kDfltcicr) >> 20 & 0x3F);
    const double scaled = std::ldexp(signal * gain, fraction);
    if (!reshapes()) return static_cast<std::int32_t>(std::llround(limited(scaled, kSampleBits)));
    // The reshape filter needs its cycles before the next sample of the CIC filter.
    const double room = static_cast<double>(bit_cycles_) * cic_ratio() / processing_cycles_;
    if (room < parameters_.reshape_cycles.value) events_ |= mdf::kRfovrf;
    const double shaped = limited(scaled, kReshapeBits) * parameters_.reshape_gain.value;
    return static_cast<std::int32_t>(std::llround(limited(shaped, kSampleBits)));
}

void MdfFilter::take(std::int32_t signal) {
    ++complete_;
    if (to_discard_ != 0) {
        --to_discard_;
        return;
    }
    const std::int32_t sample = filtered(signal);
    if (static_cast<double>(fifo_.size()) < parameters_.fifo_depth.value) {
        fifo_.push_back(static_cast<std::uint32_t>(sample) << 8);
    } else {
        events_ |= mdf::kDovrf;
    }
    constexpr std::uint32_t kSingleShot = 1;  // the lowest bit of ACQMOD, but for the window mode
    if ((get(mdf::kDfltcr) >> 4 & 7 & kSingleShot) != 0) running_ = false;
}

std::uint32_t MdfFilter::read() {
    if (fifo_.empty()) return 0;
    const std::uint32_t sample = fifo_.front();
    fifo_.pop_front();
    return sample;
}

std::uint32_t MdfFilter::flags() const {
    return events_ | (fifo_.empty() ? 0 : mdf::kRxnef) |
           (fifo_.size() >= threshold() ? mdf::kFthf : 0);
}

bool MdfFilter::requests() {
    if (fifo_.empty()) requesting_ = false;
    if (fifo_.size() >= threshold()) requesting_ = true;
    return requesting_ && (get(mdf::kDfltcr) & mdf::kDmaEnable) != 0;
}

void MdfFilter::reset() {
    stop();
    held_ = {};
    events_ = 0;
}

}  // namespace n6vp::models

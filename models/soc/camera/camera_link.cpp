// SPDX-License-Identifier: Apache-2.0
#include "models/soc/camera/camera_link.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/soc/camera/bayer_pattern.h"

namespace n6vp::models {

using camera::kPixelBytes;

namespace {

/// One pixel for each bar; frames stretch it.
[[nodiscard]] Picture colour_bars() {
    Picture picture{8, 1, {}};
    for (unsigned bar = 0; bar < picture.width; ++bar) {
        const unsigned off = bar;  // bits: blue, red, green
        for (const unsigned part : {1u, 2u, 0u})
            picture.rgb.push_back((off >> part & 1) != 0 ? 0 : 255);
    }
    return picture;
}

}  // namespace

CameraLink::CameraLink(const sc_core::sc_module_name& name, const CameraParameters& parameters,
                       Csi& csi, Dcmipp& dcmipp)
    : sc_module(name), parameters_(parameters), csi_(csi), dcmipp_(dcmipp) {
    pictures_.push_back(colour_bars());
    SC_HAS_PROCESS(CameraLink);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
}

void CameraLink::show(std::vector<Picture> pictures) {
    if (pictures.empty()) return;
    pictures_ = std::move(pictures);
    test_pattern_ = false;
    columns_.clear();
}

void CameraLink::set_streaming(bool streams, const SensorOutput& output) {
    if (streams == streaming_) return;
    streaming_ = streams;
    if (!streams) return;
    settings_ = output;
    const auto given = [](const Parameter& parameter, std::uint32_t own) {
        return parameter.value == 0 ? own : static_cast<std::uint32_t>(parameter.value);
    };
    settings_.width = given(parameters_.width, output.width);
    settings_.height = given(parameters_.height, output.height);
    if (in_frame_) return;
    frame_start_ = sc_core::sc_time_stamp().value();
    next_.notify(sc_core::SC_ZERO_TIME);
}

void CameraLink::reset() {
    next_.cancel();
    streaming_ = in_frame_ = received_ = false;
    frame_ = 0;
    statistics_ = {};
}

Picoseconds CameraLink::line_at(std::uint64_t line) const {
    return frame_start_ + line_ps_ * line;
}

void CameraLink::step() {
    if (!in_frame_) {
        if (streaming_) begin_frame();
    } else if (line_ < output_.height) {
        send_line();
    }
    if (!in_frame_) return;
    const bool more = received_ && dcmipp_.wants_lines();
    if (line_ < output_.height && more) {
        next_.notify(delay_until(line_at(line_ + 1)));
        return;
    }
    const Picoseconds end = line_at(output_.height + 1);
    const Picoseconds now = sc_core::sc_time_stamp().value();
    if (now < end) {
        line_ = output_.height;
        next_.notify(delay_until(end));
        return;
    }
    if (received_) {
        const bool whole = csi_.receives(0);
        if (whole) csi_.end_of_frame(0);
        dcmipp_.end_frame(whole);
    }
    in_frame_ = false;
    frame_start_ += period_;
    if (streaming_) next_.notify(delay_until(frame_start_));
}

void CameraLink::begin_frame() {
    in_frame_ = true;
    line_ = 0;
    output_ = settings_;
    constexpr double kSecond = 1e12, kMicrosecond = 1e6;
    period_ = static_cast<Picoseconds>(std::llround(kSecond / parameters_.frame_rate.value));
    // One line more for the end of the frame.
    line_ps_ =
        std::min(static_cast<Picoseconds>(std::llround(parameters_.line_time.value * kMicrosecond)),
                 period_ / (std::uint64_t{output_.height} + 2));
    picture_ = &pictures_[frame_++ % pictures_.size()];
    ++statistics_.frames;
    received_ = csi_.receives(0);
    if (!received_) return;
    ++statistics_.received;
    fit_picture(*picture_);
    csi_.start_of_frame(0);
    dcmipp_.begin_frame({output_.width, output_.height, 0, output_.data_type});
}

void CameraLink::fit_picture(const Picture& picture) {
    row_valid_ = false;
    if (fitted_width_ == picture.width && columns_.size() == output_.width) return;
    fitted_width_ = picture.width;
    columns_.resize(output_.width);
    for (std::uint64_t x = 0; x < output_.width; ++x) {
        columns_[x] = static_cast<std::uint32_t>(x * picture.width / output_.width * kPixelBytes);
    }
}

void CameraLink::send_line() {
    const std::uint32_t line = line_++;
    if (!csi_.receives(0)) return;
    const Picture& picture = *picture_;
    const auto from =
        static_cast<std::uint32_t>(std::uint64_t{line} * picture.height / output_.height);
    const std::size_t stride = std::size_t{picture.width} * kPixelBytes;
    const std::span<const std::uint8_t> source(picture.rgb.data() + stride * from, stride);
    if (picture.width == output_.width) return dcmipp_.take_line(source, line);
    if (!row_valid_ || row_of_ != from) {
        row_.resize(columns_.size() * kPixelBytes);
        std::uint8_t* to = row_.data();
        for (const std::uint32_t column : columns_) {
            for (std::size_t part = 0; part < kPixelBytes; ++part) *to++ = source[column + part];
        }
        row_of_ = from;
        row_valid_ = true;
    }
    dcmipp_.take_line(row_, line);
}

}  // namespace n6vp::models

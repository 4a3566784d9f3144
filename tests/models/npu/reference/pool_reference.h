// SPDX-License-Identifier: Apache-2.0
// POOL from the documents, one output at a time. Shares nothing with the model.
#pragma once

#include <vector>

#include "tests/models/npu/reference/vector_reference.h"

namespace n6vp::test {

struct ReferencePool {
    enum Kind { Max, Min, Average } kind = Max;
    bool global = false;
    unsigned bytes = 1;
    Integer channels = 1, width = 1, height = 1;                           ///< width in pixels
    Integer crop_left = 0, crop_right = 0, crop_top = 0, crop_bottom = 0;  ///< pixels cut off
    Integer left = 0, right = 0, top = 0, bottom = 0;                      ///< pads
    Integer window_x = 1, window_y = 1, stride_x = 1, stride_y = 1;
    Integer factor = 1;
    ReferenceStage stage;

    [[nodiscard]] Integer inner_width() const { return width - crop_left - crop_right; }
    [[nodiscard]] Integer inner_height() const { return height - crop_top - crop_bottom; }
    [[nodiscard]] Integer out_width() const {
        Integer n = 0;
        for (Integer x = 0; x + window_x <= inner_width() + left + right; x += stride_x) ++n;
        return n;
    }
    [[nodiscard]] Integer out_height() const {
        Integer n = 0;
        for (Integer y = 0; y + window_y <= inner_height() + top + bottom; y += stride_y) ++n;
        return n;
    }

    /// Returns a value of the cropped picture; around it lie zeros.
    [[nodiscard]] Integer at(const std::vector<Integer>& frame, Integer y, Integer x,
                             Integer c) const {
        if (y < 0 || x < 0 || y >= inner_height() || x >= inner_width()) return 0;
        const Integer index = ((y + crop_top) * width + x + crop_left) * channels + c;
        return wrapped(frame[static_cast<std::size_t>(index)], bytes);
    }

    [[nodiscard]] Integer reduced(const std::vector<Integer>& frame, Integer y0, Integer x0,
                                  Integer height_of, Integer width_of, Integer c) const {
        Integer sum = 0, least = at(frame, y0, x0, c), most = least;
        for (Integer y = y0; y < y0 + height_of; ++y) {
            for (Integer x = x0; x < x0 + width_of; ++x) {
                const Integer value = at(frame, y, x, c);
                sum += value;
                if (value < least) least = value;
                if (value > most) most = value;
            }
        }
        return stage(kind == Max ? most : kind == Min ? least : sum * factor);
    }

    [[nodiscard]] std::vector<Integer> run(const std::vector<Integer>& frame) const {
        std::vector<Integer> out;
        if (global) {
            for (Integer c = 0; c < channels; ++c) {
                out.push_back(reduced(frame, 0, 0, inner_height(), inner_width(), c));
            }
            return out;
        }
        for (Integer oy = 0; oy < out_height(); ++oy) {
            for (Integer ox = 0; ox < out_width(); ++ox) {
                for (Integer c = 0; c < channels; ++c) {
                    out.push_back(reduced(frame, oy * stride_y - top, ox * stride_x - left,
                                          window_y, window_x, c));
                }
            }
        }
        return out;
    }
};

}  // namespace n6vp::test

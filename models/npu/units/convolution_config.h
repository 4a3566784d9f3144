// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::models::npu {

/// What software sets in a CONVACC before it starts, register by register and under the names of
/// the fields; numbers have the sign that the unit gives them. Defaults are the reset values.
struct ConvolutionConfig {
    struct Ctrl {
        bool nosum = false;  ///< accumulator port not used
        bool kt1 = false;
        bool no1sum = false;          ///< first frame not added to the accumulator port
        std::uint32_t simd = 0;       ///< 0: 16x16 bits, 1: 8x8, 2: 16 (features) x 8
        std::uint32_t afiltmode = 0;  ///< 0 none, 1 pixel drop, 2 frame drop, 3 frame zero
        bool gen1sum = false;         ///< zeros of the first accumulator frame come from the unit
        bool fc = false;
        bool funsigned = false;
        bool kunsigned = false;
        std::uint32_t kseten = 0;
        bool fstat = false;  ///< one feature frame is kept for several kernel sets
        bool fstatclear = false;
        bool deepmode = false;  ///< 1x1, three channels a word
        bool dss2mode = false;  ///< two channels a word
        friend bool operator==(const Ctrl&, const Ctrl&) = default;
    } ctrl;
    struct Kformat {
        std::uint32_t width = 3, height = 3;
        std::uint32_t btcdepth = 1;  ///< channels per pixel
        std::uint32_t nr = 1;        ///< kernels per frame
        friend bool operator==(const Kformat&, const Kformat&) = default;
    } kformat;
    struct Sample {
        std::uint32_t lpad = 0, rpad = 0, tpad = 0, bpad = 0;  ///< pixels and lines of zeros
        std::uint32_t hstrd = 1, vstrd = 1;
        std::uint32_t fstatcnt = 0;  ///< kernel sets per stored feature frame
        friend bool operator==(const Sample&, const Sample&) = default;
    } sample;
    struct Dformat {
        std::uint32_t inshift = 8;  ///< accumulator port, to the left
        std::uint32_t outshift = 8;
        std::uint32_t orndmode = 0;
        bool round = false, sat = false, raw = false;
        std::uint32_t obytes = 3, fbytes = 2;
        std::uint32_t fshift = 16;  ///< 16 is no shift
        bool fsat = false;
        friend bool operator==(const Dformat&, const Dformat&) = default;
    } dformat;
    struct Fformat {
        std::uint32_t width = 0xFFFF;  ///< elements of a line: pixels times channels
        std::uint32_t height = 0xFFFF;
        friend bool operator==(const Fformat&, const Fformat&) = default;
    } fformat;
    struct Fhcrop {
        std::uint32_t left = 0, right = 0xFFFF;  ///< elements, inclusive
        friend bool operator==(const Fhcrop&, const Fhcrop&) = default;
    } fhcrop;
    struct Fvcrop {
        std::uint32_t top = 0, bottom = 0xFFFF;  ///< lines, inclusive
        friend bool operator==(const Fvcrop&, const Fvcrop&) = default;
    } fvcrop;
    struct Filter {
        std::uint32_t tot = 1, first = 0, last = 0;
        friend bool operator==(const Filter&, const Filter&) = default;
    };
    Filter kfilt;  ///< of `tot` kernels of the link, the unit takes `first` to `last`
    Filter afilt;  ///< of `tot` frames, `first` to `last` are added to the accumulator port
    struct Zframe {
        std::uint32_t left = 0, right = 0;  ///< elements
        std::uint32_t top = 0, bottom = 0;  ///< lines
        friend bool operator==(const Zframe&, const Zframe&) = default;
    } zframe;
    struct Iter {
        std::uint32_t period = 0, number = 0, offset = 0;
        friend bool operator==(const Iter&, const Iter&) = default;
    } iter;
    std::int32_t fsub = 0;    ///< 24 bits, subtracted from every feature
    std::int32_t zfbias = 0;  ///< 16 bits, value of the ZFRAME elements after that subtraction

    friend bool operator==(const ConvolutionConfig&, const ConvolutionConfig&) = default;
};

}  // namespace n6vp::models::npu

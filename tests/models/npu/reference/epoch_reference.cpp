// SPDX-License-Identifier: Apache-2.0
#include "tests/models/npu/reference/epoch_reference.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tests/models/npu/reference/activ_reference.h"
#include "tests/models/npu/reference/arith_reference.h"
#include "tests/models/npu/reference/pool_reference.h"

namespace n6vp::test {

namespace {

// First numbers of sources and destinations, and pages of units.
constexpr std::uint32_t kConvolutionSource = 10, kActivSource = 16, kArithSource = 18,
                        kPoolSource = 22, kPoolSourceEnd = 24;
constexpr std::uint32_t kConvolutionIn = 10, kActivIn = 26, kArithIn = 28, kPoolIn = 36;
constexpr std::uint32_t kEnginePage = 0x5000, kConvolutionPage = 0xF000, kActivPage = 0x15000,
                        kArithPage = 0x17000, kPoolPage = 0x1B000, kSwitch = 0x4008;

std::uint32_t bits(std::uint32_t word, unsigned low, unsigned width) {
    return word >> low & ((1u << width) - 1);
}

Integer number(std::uint32_t word, unsigned low, unsigned width) {
    const Integer value = bits(word, low, width), half = power(width - 1);
    return value >= half ? value - 2 * half : value;
}

int small(std::uint32_t word, unsigned low, unsigned width) {
    return static_cast<int>(bits(word, low, width));
}

Integer byte_of(Integer word, unsigned which) {
    return floor_shift(word, 8 * which) - 256 * floor_shift(word, 8 * (which + 1));
}

Integer operand(Integer word, unsigned bytes, bool is_unsigned) {
    const Integer value = wrapped(word, bytes);
    return is_unsigned && value < 0 ? value + power(8 * bytes) : value;
}

}  // namespace

ReferenceEpoch::ReferenceEpoch(std::map<std::uint32_t, std::uint32_t> registers,
                               std::vector<std::uint8_t> memory)
    : registers_(std::move(registers)), memory_(memory), before_(std::move(memory)) {}

std::uint32_t ReferenceEpoch::word(std::uint32_t offset, std::uint32_t reset) const {
    const auto found = registers_.find(offset);
    return found == registers_.end() ? reset : found->second;
}

std::vector<std::uint8_t> ReferenceEpoch::run(const std::vector<std::uint32_t>& outputs) {
    for (const std::uint32_t number : outputs) {
        const std::uint32_t page = kEnginePage + 0x1000 * number;
        const ReferenceEngine to = engine(page);
        for (std::uint32_t frame = 0; frame < limit(page); ++frame) {
            const std::vector<std::uint32_t> addresses = to.touched(frame);
            const Words words = take(number, addresses.size() / to.bytes);
            for (std::size_t i = 0; i < addresses.size(); ++i) {
                const auto which = static_cast<unsigned>(i % to.bytes);
                memory_[addresses[i] % memory_.size()] =
                    static_cast<std::uint8_t>(byte_of(words[i / to.bytes], which));
            }
        }
    }
    return memory_;
}

/// Lets the destination hear one more frame, which it may throw away.
void ReferenceEpoch::hear(std::uint32_t destination) {
    Destination& to = destinations_[destination];
    const std::uint32_t dst = word(kSwitch + 4 * destination);
    const bool permanent = bits(dst, 8, 8) == 0;
    const unsigned context = to.second ? 16 : 0;
    const std::uint32_t source = bits(dst, context + 1, 6);
    const bool same = bits(dst, 1, 6) == bits(dst, 17, 6);
    const std::size_t counter = to.second && !same ? 1 : 0;
    const Words frame = frame_of(source, to.heard[counter]++);
    if (bits(dst, context, 1) != 0) {
        to.frames.push_back(frame);
        to.words.insert(to.words.end(), frame.begin(), frame.end());
    }
    if (permanent) return;
    if (++to.ticks < small(dst, context + 8, 8)) return;
    to.ticks = 0;
    to.second = !to.second;
}

ReferenceEpoch::Words ReferenceEpoch::take(std::uint32_t destination, std::size_t count) {
    while (destinations_[destination].words.size() <
           destinations_[destination].used_words + count) {
        hear(destination);
    }
    Destination& to = destinations_[destination];
    const auto first = to.words.begin() + static_cast<std::ptrdiff_t>(to.used_words);
    to.used_words += count;
    return {first, first + static_cast<std::ptrdiff_t>(count)};
}

const ReferenceEpoch::Words& ReferenceEpoch::take_frame(std::uint32_t destination) {
    while (destinations_[destination].frames.size() <= destinations_[destination].used_frames)
        hear(destination);
    Destination& to = destinations_[destination];
    return to.frames[to.used_frames++];
}

const ReferenceEpoch::Words& ReferenceEpoch::frame_of(std::uint32_t source, std::size_t frame) {
    while (sources_[source].frames.size() <= frame) grow(source);
    return sources_[source].frames[frame];
}

void ReferenceEpoch::grow(std::uint32_t source) {
    const std::size_t frame = sources_[source].frames.size();
    Words words;
    if (source < kConvolutionSource) {
        words = engine_frame(source, frame);
    } else if (source < kConvolutionSource + 4) {
        words = convolution_frame(source - kConvolutionSource, frame);
    } else if (source >= kActivSource && source < kArithSource) {
        words = activ_frame(source - kActivSource);
    } else if (source >= kArithSource && source < kPoolSource) {
        words = arith_frame(source - kArithSource);
    } else if (source >= kPoolSource && source < kPoolSourceEnd) {
        words = pool_frame(source - kPoolSource);
    } else {
        throw std::logic_error("the reference has no such source");
    }
    sources_[source].frames.push_back(std::move(words));
}

ReferenceEngine ReferenceEpoch::engine(std::uint32_t page) const {
    ReferenceEngine e;
    const std::uint32_t ctrl = word(page);
    e.raw = bits(ctrl, 8, 1) != 0;
    e.cont = bits(ctrl, 7, 1) != 0;
    e.bytes = (bits(ctrl, 16, 4) + bits(ctrl, 20, 4) + bits(ctrl, 24, 4)) / 8;
    e.address = word(page + 0x08);
    e.elements = word(page + 0x0C);
    e.width = bits(word(page + 0x0C), 0, 16);
    e.height = bits(word(page + 0x0C), 16, 16);
    e.depth = bits(word(page + 0x10), 0, 16);
    e.pixel_pitch = bits(word(page + 0x10), 16, 16) + 65536 * bits(word(page + 0x30), 16, 16);
    e.line_pitch = bits(word(page + 0x14), 0, 16) + 65536 * bits(word(page + 0x48), 16, 16);
    e.frame_offset = static_cast<std::int32_t>(word(page + 0x18));
    e.repeat = word(page + 0x1C);
    e.loop_offset = static_cast<std::int32_t>(word(page + 0x20));
    return e;
}

ReferenceEpoch::Words ReferenceEpoch::engine_frame(std::uint32_t number, std::size_t frame) {
    const std::uint32_t page = kEnginePage + 0x1000 * number;
    if (frame >= limit(page)) throw std::logic_error("an engine has no further frame");
    const ReferenceEngine from = engine(page);
    const bool extend = bits(word(page), 14, 2) == 3;  // LSBMODE and SIGNEXT
    // A buffer that an output engine fills frame by frame: its last frame, once there is one.
    const std::vector<std::uint32_t> addresses = from.touched(static_cast<std::uint32_t>(frame));
    std::vector<std::uint8_t> bytes;
    bytes.reserve(addresses.size());
    for (const std::uint32_t at : addresses) bytes.push_back(before_[at % before_.size()]);
    for (std::uint32_t other = 0; other < 10 && frame > 0; ++other) {
        const std::uint32_t writer = kEnginePage + 0x1000 * other;
        const bool feeds = bits(word(writer), 3, 1) != 0 && word(writer + 0x08) == from.address &&
                           from.frame_offset == 0 && limit(writer) == limit(page);
        if (!feeds || from.repeat != 0) continue;
        const std::uint32_t source = bits(word(kSwitch + 4 * other), 1, 6);
        const Words& stored = frame_of(source, frame - 1);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes[i] = static_cast<std::uint8_t>(
                byte_of(stored[i / from.bytes], static_cast<unsigned>(i % from.bytes)));
        }
    }
    Words words;
    for (std::size_t i = 0; i < bytes.size(); i += from.bytes) {
        Integer value = 0;
        for (std::uint32_t k = 0; k < from.bytes; ++k) value += power(8 * k) * bytes[i + k];
        words.push_back(extend ? wrapped(value, from.bytes) : value);
    }
    return words;
}

reference::Layer ReferenceEpoch::layer(std::uint32_t page) const {
    reference::Layer l;
    const std::uint32_t kformat = word(page + 0x08), sample = word(page + 0x0C, 0x1100),
                        dformat = word(page + 0x10), fformat = word(page + 0x14),
                        across = word(page + 0x18, 0xFFFF0000),
                        down = word(page + 0x1C, 0xFFFF0000), zframe = word(page + 0x28);
    l.kernel_width = small(kformat, 0, 8);
    l.kernel_height = small(kformat, 8, 8);
    l.depth = small(kformat, 16, 8);
    l.kernels = small(kformat, 24, 8);
    l.width = small(fformat, 0, 16) / l.depth;
    l.height = small(fformat, 16, 16);
    l.crop_left = small(across, 0, 16) / l.depth;
    l.crop_right = std::min((small(across, 16, 16) + 1) / l.depth, l.width) - 1;
    l.crop_top = small(down, 0, 16);
    l.crop_bottom = std::min(small(down, 16, 16), l.height - 1);
    l.pad_left = small(sample, 0, 2);
    l.pad_right = small(sample, 2, 2);
    l.pad_top = small(sample, 4, 2);
    l.pad_bottom = small(sample, 6, 2);
    l.stride_x = small(sample, 8, 3);
    l.stride_y = small(sample, 12, 3);
    l.frame_left = small(zframe, 0, 8) / l.depth;
    l.frame_right = small(zframe, 8, 8) / l.depth;
    l.frame_top = small(zframe, 16, 8);
    l.frame_bottom = small(zframe, 24, 8);
    l.frame_value = static_cast<int>(number(word(page + 0x34), 0, 16));
    l.zero_point = static_cast<int>(number(word(page + 0x30), 0, 24));
    l.in_shift = small(dformat, 0, 6);
    l.out_shift = small(dformat, 8, 6);
    l.out_bytes = small(dformat, 20, 2);
    return l;
}

reference::Tensor ReferenceEpoch::features(std::uint32_t unit) {
    const std::uint32_t page = kConvolutionPage + 0x1000 * unit, ctrl = word(page);
    const reference::Layer l = layer(page);
    const auto pixels = static_cast<std::size_t>(l.width) * static_cast<std::size_t>(l.height);
    const auto depth = static_cast<std::size_t>(l.depth);
    const bool is_unsigned = bits(ctrl, 20, 1) != 0, deep = bits(ctrl, 28, 1) != 0,
               pairs = bits(ctrl, 29, 1) != 0;
    const unsigned bytes = bits(word(page + 0x10), 22, 2);
    const std::uint32_t in = kConvolutionIn + 3 * unit;
    reference::Tensor tensor;
    if (!deep && !pairs) {
        for (const Integer value : take(in, pixels * depth))
            tensor.push_back(operand(value, bytes, is_unsigned));
        return tensor;
    }
    // Channels by bytes, `lanes` a word; a picture or each pixel starts with a word.
    const unsigned lanes = pairs ? 2 : 3;
    const std::size_t part = deep && bytes == 3 ? pixels * depth : depth;
    while (tensor.size() < pixels * depth) {
        const Words words = take(in, (part + lanes - 1) / lanes);
        for (std::size_t i = 0; i < part; ++i) {
            const auto lane = static_cast<unsigned>(i % lanes);
            tensor.push_back(operand(byte_of(words[i / lanes], lane), 1, is_unsigned));
        }
    }
    return tensor;
}

reference::Tensor ReferenceEpoch::weights(std::uint32_t unit) {
    const std::uint32_t page = kConvolutionPage + 0x1000 * unit, ctrl = word(page);
    const reference::Layer l = layer(page);
    const auto kernels = static_cast<std::size_t>(l.kernels);
    const auto size = static_cast<std::size_t>(l.kernel_width) *
                      static_cast<std::size_t>(l.kernel_height) * static_cast<std::size_t>(l.depth);
    const std::size_t period = std::max<std::size_t>(bits(word(page + 0x20, 1), 0, 8), kernels);
    const std::size_t first = bits(word(page + 0x20, 1), 8, 8);
    const bool is_unsigned = bits(ctrl, 21, 1) != 0;
    const std::uint32_t in = kConvolutionIn + 3 * unit + 1;
    reference::Tensor tensor;
    if (bits(ctrl, 28, 1) == 0) {
        for (std::size_t k = 0; k < period; ++k) {
            for (const Integer value : take(in, size)) {
                if (k >= first && k < first + kernels)
                    tensor.push_back(operand(value, 1, is_unsigned));
            }
        }
        return tensor;
    }
    // Deep: a set for each unit, by bytes: eight kernels together, channel by channel.
    tensor.resize(kernels * size);
    for (std::size_t set = 0; set < period / kernels; ++set) {
        const Words words = take(in, (kernels * size + 2) / 3);
        std::size_t at = 0;
        for (std::size_t group = 0; group < kernels; group += 8) {
            for (std::size_t c = 0; c < size; ++c) {
                for (std::size_t k = group; k < std::min(group + 8, kernels); ++k, ++at) {
                    const Integer value = byte_of(words[at / 3], static_cast<unsigned>(at % 3));
                    if (set == first / kernels)
                        tensor[k * size + c] = operand(value, 1, is_unsigned);
                }
            }
        }
    }
    return tensor;
}

ReferenceEpoch::Words ReferenceEpoch::convolution_frame(std::uint32_t unit, std::size_t frame) {
    const std::uint32_t page = kConvolutionPage + 0x1000 * unit, ctrl = word(page),
                        afilt = word(page + 0x24, 1);
    const reference::Layer l = layer(page);
    const bool stored = bits(ctrl, 24, 1) != 0;
    const std::uint32_t sets = stored ? bits(word(page + 0x0C), 16, 16) : 1;
    if (frame % sets == 0) stored_features_[unit] = features(unit);
    const reference::Tensor kernel = weights(unit);
    reference::Tensor sums;
    const bool no_sum = bits(ctrl, 2, 1) != 0, no_first = bits(ctrl, 4, 1) != 0,
               generated = bits(ctrl, 10, 1) != 0;
    if (!no_sum && !(generated && frame == 0)) {
        const auto outputs = static_cast<std::size_t>(l.out_width()) *
                             static_cast<std::size_t>(l.out_height()) *
                             static_cast<std::size_t>(l.kernels);
        const Words port = take(kConvolutionIn + 3 * unit + 2, outputs);
        bool adds = frame != 0 || !no_first;
        if (bits(ctrl, 8, 2) != 0) {
            const auto turn = static_cast<std::uint32_t>(frame % bits(afilt, 0, 8));
            adds = adds && turn >= bits(afilt, 8, 8) && turn <= bits(afilt, 16, 8);
        }
        if (adds) sums.assign(port.begin(), port.end());
    }
    const reference::Tensor out = reference::convolve(l, stored_features_[unit], kernel, sums);
    return {out.begin(), out.end()};
}

ReferenceEpoch::Words ReferenceEpoch::arith_frame(std::uint32_t unit) {
    const std::uint32_t page = kArithPage + 0x1000 * unit, ctrl = word(page),
                        shift = word(page + 0x08), in = word(page + 0x34, 0x20422042);
    ReferenceArith a;
    a.op = small(ctrl, 9, 6);
    a.two_inputs = bits(ctrl, 8, 1) != 0;
    a.combine = bits(ctrl, 28, 1) != 0;
    a.memory_a = bits(ctrl, 7, 1) != 0;
    a.memory_b = bits(ctrl, 21, 1) != 0;
    a.memory_c = bits(ctrl, 22, 1) != 0;
    a.a = number(word(page + 0x1C), 0, 16);
    a.b = number(word(page + 0x20), 0, 16);
    a.c = number(word(page + 0x1C), 16, 16);
    a.ax = bits(shift, 0, 5);
    a.by = bits(shift, 5, 5);
    a.c_shift = bits(shift, 10, 5);
    a.x_bytes = bits(in, 0, 2);
    a.y_bytes = bits(in, 16, 2);
    a.stage.shift = bits(shift, 15, 6);
    a.stage.bytes = bits(ctrl, 26, 2);
    a.stage.round = bits(ctrl, 5, 1) != 0;
    a.stage.saturate = bits(ctrl, 6, 1) != 0;
    a.address = bits(word(page + 0x30), 0, 9);
    a.increment = number(word(page + 0x28), 0, 9);
    a.increment_every = bits(word(page + 0x0C), 0, 27) + 1;
    for (unsigned i = 0; i < 3; ++i) {
        a.counts[i] = bits(ctrl, 2 + i, 1) != 0;
        a.period[i] = bits(word(page + 0x10 + 4 * i), 0, 27) + 1;
        a.offset[i] = number(word(page + 0x24), 9 * i, 9);
    }
    for (std::uint32_t i = 0; i < 384; ++i) {
        const std::uint32_t ab = word(page + 0x400 + 8 * i), c = word(page + 0x404 + 8 * i);
        a.memory[i] = {number(ab, 0, 16), number(ab, 16, 16), number(c, 0, 16)};
    }
    const Words x = take_frame(kArithIn + 2 * unit);
    const Words y = a.two_inputs ? take(kArithIn + 2 * unit + 1, x.size()) : x;
    // The address counters run on over frames.
    const Integer before = arith_samples_[unit];
    arith_samples_[unit] += static_cast<Integer>(x.size());
    const std::vector<Integer> entries = a.entries(arith_samples_[unit]);
    Words out;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Integer entry = entries[static_cast<std::size_t>(before) + i];
        out.push_back(a.stage(a.sum(x[i], y[i], a.memory[static_cast<std::size_t>(entry)])));
    }
    return out;
}

ReferenceEpoch::Words ReferenceEpoch::activ_frame(std::uint32_t unit) {
    const std::uint32_t page = kActivPage + 0x1000 * unit, ctrl = word(page),
                        param = word(page + 0x08), func = word(page + 0x0C);
    ReferenceActiv a;
    a.type = small(ctrl, 2, 2);
    a.bytes = bits(ctrl, 6, 2);
    a.param = number(param, 0, 16);
    a.func = bits(param, 16, 4);
    a.c_shift = bits(func, 6, 6);
    a.b_shift = bits(func, 12, 5);
    a.upper_bits = bits(func, 23, 3);
    a.stage.shift = bits(func, 0, 6);
    a.stage.round = bits(ctrl, 20, 1) != 0;
    a.stage.saturate = bits(ctrl, 21, 1) != 0;
    a.stage.bytes = bits(ctrl, 22, 2);
    for (std::uint32_t i = 0; i < 32; ++i) a.parts[i] = word(page + 0x400 + 4 * i);
    for (std::uint32_t i = 0; i < 64; ++i) {
        const std::uint32_t ab = word(page + 0x800 + 8 * i), c = word(page + 0x804 + 8 * i);
        a.parabolas[i] = {number(ab, 0, 16), number(ab, 16, 16), number(c, 0, 16)};
    }
    Words out;
    for (const Integer x : take_frame(kActivIn + unit)) out.push_back(a(x));
    return out;
}

ReferenceEpoch::Words ReferenceEpoch::pool_frame(std::uint32_t unit) {
    const std::uint32_t page = kPoolPage + 0x1000 * unit, ctrl = word(page),
                        dims = word(page + 0x08), picture = word(page + 0x0C),
                        across = word(page + 0x18), down = word(page + 0x1C),
                        rounding = word(page + 0x20);
    ReferencePool p;
    const std::uint32_t type = bits(ctrl, 2, 4);
    p.kind = static_cast<ReferencePool::Kind>(type % 8);
    p.global = type >= 8;
    p.bytes = bits(ctrl, 16, 2);
    p.channels = bits(dims, 26, 4);
    p.width = bits(picture, 0, 12) / p.channels;
    p.height = bits(picture, 16, 12);
    p.crop_left = bits(across, 0, 12) / p.channels;
    p.crop_right = p.width - (bits(across, 16, 12) + 1) / p.channels;
    p.crop_top = bits(down, 0, 12);
    p.crop_bottom = p.height - bits(down, 16, 12) - 1;
    p.window_x = bits(dims, 0, 3);
    p.window_y = bits(dims, 3, 3);
    p.stride_x = bits(dims, 6, 4);
    p.stride_y = bits(dims, 10, 4);
    p.factor = type % 8 == 2 ? bits(word(page + 0x14), 0, 16) : 1;
    p.stage.shift = bits(ctrl, 8, 6);
    p.stage.round = bits(ctrl, 6, 1) != 0;
    p.stage.saturate = bits(ctrl, 7, 1) != 0;
    p.stage.bytes = bits(rounding, 16, 2);
    return p.run(take(kPoolIn + unit, static_cast<std::size_t>(p.width * p.height * p.channels)));
}

}  // namespace n6vp::test

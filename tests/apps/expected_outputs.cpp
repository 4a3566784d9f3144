// SPDX-License-Identifier: Apache-2.0
#include "tests/apps/expected_outputs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "tests/support/process.h"

namespace n6vp::test {

namespace {

/// Weights: a linear congruential sequence, ANDed with `mask`, then ORed with `bits`.
std::vector<std::uint32_t> sequence(unsigned words, std::uint32_t word, std::uint32_t mask,
                                    std::uint32_t bits) {
    std::vector<std::uint32_t> result;
    for (unsigned i = 0; i < words; ++i) {
        word = word * 1664525u + 1013904223u;
        result.push_back((word & mask) | bits);
    }
    return result;
}

double as_float(std::uint32_t word) {
    float number = 0;
    std::memcpy(&number, &word, sizeof number);
    return number;
}

std::vector<double> as_floats(const std::vector<std::uint32_t>& words) {
    std::vector<double> result;
    result.reserve(words.size());
    for (const std::uint32_t word : words) result.push_back(as_float(word));
    return result;
}

double sample_float(unsigned i, unsigned frame) {
    return (static_cast<int>((i * 37 + frame * 11) % 64) - 32) / 16.0;
}

int sample_byte(unsigned i, unsigned frame) {
    return static_cast<int>((i * 73 + frame * 29) % 256) - 128;
}

int byte_of(const std::vector<std::uint32_t>& words, unsigned at) {
    return static_cast<std::int8_t>(words[at / 4] >> (8 * (at % 4)));
}

/// Mean of one output channel of the convolution. An image of 10x10x2, filters of 3x3x2.
int conv_channel(unsigned channel, unsigned frame) {
    const std::vector<std::uint32_t> filters = sequence(18, 0xC04F, 0xFFFFFFFF, 0);
    const std::vector<std::uint32_t> bias = sequence(4, 0xB1A5, 0xFFF, 0);
    int total = 0;
    for (unsigned place = 0; place < 64; ++place) {
        int sum = static_cast<int>(bias[channel]);
        for (unsigned tap = 0; tap < 18; ++tap) {
            const unsigned row = place / 8 + tap / 6, column = place % 8 + tap / 2 % 3;
            sum += (sample_byte((row * 10 + column) * 2 + tap % 2, frame) - 3) *
                   byte_of(filters, channel * 18 + tap);
        }
        const int rounded = static_cast<int>(std::floor(sum / 256.0 + 0.5)) - 128;
        total += std::clamp(rounded, -128, 127);
    }
    return total / 64;
}

}  // namespace

std::vector<double> dense_outputs() {
    const std::vector<double> w = as_floats(sequence(172, 0xDE45E, 0x807FFFFF, 0x3E000000));
    std::vector<double> hidden(8), out(4);
    for (unsigned o = 0; o < 8; ++o) {
        hidden[o] = w[128 + o];
        for (unsigned i = 0; i < 16; ++i) hidden[o] += w[o * 16 + i] * sample_float(i, 0);
        hidden[o] = std::max(hidden[o], 0.0);
    }
    for (unsigned o = 0; o < 4; ++o) {
        out[o] = w[136 + 32 + o];
        for (unsigned i = 0; i < 8; ++i) out[o] += w[136 + o * 8 + i] * hidden[i];
    }
    return out;
}

std::uint32_t conv_outputs(unsigned frame) {
    std::uint32_t word = 0;
    for (unsigned channel = 0; channel < 4; ++channel)
        word |= (static_cast<std::uint32_t>(conv_channel(channel, frame)) & 0xFF) << 8 * channel;
    return word;
}

BuffersOutputs buffers_outputs() {
    const std::vector<double> by = as_floats(sequence(12, 0xF157, 0x807FFFFF, 0x3F000000));
    const std::vector<double> plus = as_floats(sequence(12, 0x5EC0, 0x807FFFFF, 0x3F800000));
    BuffersOutputs result;
    for (unsigned i = 0; i < 12; ++i) {
        result.scaled.push_back((sample_float(i, 0) + sample_float(i, 1)) * by[i]);
        // The largest so far.
        const double most = *std::max_element(result.scaled.begin(), result.scaled.end());
        result.maximum.push_back(most + plus[i]);
    }
    return result;
}

std::vector<std::vector<std::uint32_t>> AppRun::words(const std::string& name) const {
    std::vector<std::vector<std::uint32_t>> found;
    for (const std::string& line : lines) {
        std::istringstream stream(line);
        std::string first, word;
        if (!(stream >> first) || first != name) continue;
        found.emplace_back();
        while (stream >> word)
            found.back().push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
    }
    return found;
}

bool AppRun::has_line(const std::string& line) const {
    return std::find(lines.begin(), lines.end(), line) != lines.end();
}

AppRun run_app(const AppChip& chip, const std::string& app) {
    const std::string elf = std::string(N6VP_APPS) + "/" + chip.core + "/" + app + ".elf";
    const Outcome outcome = run_process(
        {N6VP_BINARY, "run", "--chip", chip.chip, "--elf", elf, "--quiet", "--max-time", "1s"});
    AppRun run;
    run.exit_code = outcome.exit_code;
    run.err = outcome.err;
    std::istringstream stream(outcome.out);
    for (std::string line; std::getline(stream, line);) run.lines.push_back(line);
    return run;
}

bool near_to(const std::vector<std::uint32_t>& words, const std::vector<double>& expected) {
    bool near = words.size() == expected.size();
    for (std::size_t i = 0; near && i < words.size(); ++i)
        near = std::abs(as_float(words[i]) - expected[i]) < 1e-5;
    return near;
}

}  // namespace n6vp::test

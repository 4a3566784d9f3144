// SPDX-License-Identifier: Apache-2.0
// Random settings and words for the tests of the vector units.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "models/npu/units/unit_fields.h"
#include "tests/models/npu/reference/vector_reference.h"

namespace n6vp::test {

class Random {
  public:
    explicit Random(std::uint32_t seed) : engine_(seed) {}
    Integer in(Integer low, Integer high) {
        return low + static_cast<Integer>(engine_() % static_cast<std::uint64_t>(high - low + 1));
    }
    bool one_in(Integer n) { return in(1, n) == 1; }
    unsigned below(unsigned bound) { return static_cast<unsigned>(in(0, bound - 1)); }
    /// Small numbers and the ends of the range more often than chance would have it.
    Integer number(Integer low, Integer high) {
        const Integer near = one_in(4) ? in(-2, 2) : in(low, high);
        return one_in(8) ? (one_in(2) ? low : high) : limited(near, low, high);
    }
    std::vector<Integer> words(std::size_t count) {
        std::vector<Integer> all(count);
        const Integer span = one_in(2) ? 128 : one_in(2) ? 32768 : 8388608;
        for (Integer& word : all) word = number(-span, span - 1);
        return all;
    }
    /// An output stage with a shift below `shifts`.
    ReferenceStage stage(unsigned shifts) {
        ReferenceStage s;
        s.shift = below(shifts);
        s.bytes = 1 + below(3);
        s.round = !one_in(4);
        s.relu = one_in(5);
        s.saturate = !one_in(3);
        return s;
    }

  private:
    std::mt19937_64 engine_;
};

inline std::vector<models::npu::Word> words_of(const std::vector<Integer>& values) {
    std::vector<models::npu::Word> words;
    words.reserve(values.size());
    for (const Integer value : values) words.push_back(static_cast<models::npu::Word>(value));
    return words;
}

inline models::npu::InputFields input_of(unsigned bytes) {
    return {static_cast<std::uint8_t>(bytes), 16, static_cast<std::uint8_t>(bytes)};
}

inline models::npu::OutputFields output_of(const ReferenceStage& stage) {
    return {stage.round, stage.saturate, static_cast<std::uint8_t>(stage.relu ? 3 : 1),
            static_cast<std::uint8_t>(stage.bytes)};
}

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
// A whole epoch from its register words, without time: engines, switch, units, frame by frame, each
// asked for what the next one needs. Shares nothing with the model: bit positions are typed from
// the register list, arithmetic is that of the other references.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "tests/models/npu/reference/convolution.h"
#include "tests/models/npu/reference/stream_reference.h"
#include "tests/models/npu/reference/vector_reference.h"

namespace n6vp::test {

class ReferenceEpoch {
  public:
    /// `registers` by offset in the window, `memory` at every address modulo its size.
    ReferenceEpoch(std::map<std::uint32_t, std::uint32_t> registers,
                   std::vector<std::uint8_t> memory);

    /// Returns the memory after the epoch whose output engines are `outputs`.
    std::vector<std::uint8_t> run(const std::vector<std::uint32_t>& outputs);

  private:
    using Words = std::vector<Integer>;

    /// What a unit has put on its link so far.
    struct Source {
        std::vector<Words> frames;
    };
    /// What an input of a unit has heard so far, and what it has not used yet.
    struct Destination {
        std::array<std::size_t, 2> heard{};  ///< frames, by context; one link counts in the first
        int ticks = 0;
        bool second = false;
        std::vector<Words> frames;
        Words words;
        std::size_t used_frames = 0, used_words = 0;
    };

    [[nodiscard]] std::uint32_t word(std::uint32_t offset, std::uint32_t reset = 0) const;
    void hear(std::uint32_t destination);
    Words take(std::uint32_t destination, std::size_t count);
    const Words& take_frame(std::uint32_t destination);
    const Words& frame_of(std::uint32_t source, std::size_t frame);
    void grow(std::uint32_t source);
    [[nodiscard]] ReferenceEngine engine(std::uint32_t page) const;
    [[nodiscard]] std::uint32_t limit(std::uint32_t page) const { return word(page + 0x34); }
    Words engine_frame(std::uint32_t number, std::size_t frame);
    Words convolution_frame(std::uint32_t unit, std::size_t frame);
    reference::Layer layer(std::uint32_t page) const;
    reference::Tensor features(std::uint32_t unit);
    reference::Tensor weights(std::uint32_t unit);
    Words arith_frame(std::uint32_t unit);
    Words activ_frame(std::uint32_t unit);
    Words pool_frame(std::uint32_t unit);

    std::map<std::uint32_t, std::uint32_t> registers_;
    std::vector<std::uint8_t> memory_, before_;
    std::map<std::uint32_t, Source> sources_;
    std::map<std::uint32_t, Destination> destinations_;
    std::map<std::uint32_t, reference::Tensor> stored_features_;  ///< FSTAT, by unit
    std::map<std::uint32_t, Integer> arith_samples_;
};

}  // namespace n6vp::test

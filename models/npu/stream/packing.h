// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "models/npu/stream/stream_config.h"
#include "models/npu/units/word.h"

namespace n6vp::models::npu {

/// How the bytes of an element and a word of the link belong together. Byte k of the element is
/// bits 8k to 8k + 7 of the word; RAW_OUT does not change that.
struct ElementFormat {
    std::uint32_t bytes = 1;   ///< 1 to 3
    bool sign_extend = false;  ///< of inputs narrower than a word; else the upper lanes are 0

    /// Returns how many whole elements `count` bytes are: a division by `bytes` costs more.
    [[nodiscard]] constexpr std::uint64_t elements(std::uint64_t count) const {
        return bytes == 1 ? count : bytes == 2 ? count / 2 : count / 3;
    }
};

[[nodiscard]] constexpr ElementFormat element_format(const StreamConfig& config) {
    return {config.element_bytes(), config.lsbmode && config.signext};
}

/// Fills `words` from `words.size()` elements. Requires as many elements in `bytes`.
void unpack(ElementFormat format, std::span<const std::uint8_t> bytes, std::span<Word> words);

/// Fills `bytes` with the low bytes of `words`. Requires room for all of them.
void pack(ElementFormat format, std::span<const Word> words, std::span<std::uint8_t> bytes);

}  // namespace n6vp::models::npu

// SPDX-License-Identifier: Apache-2.0
#include "models/npu/stream/packing.h"

namespace n6vp::models::npu {

namespace {

template <std::uint32_t kBytes, bool kSigned>
void unpack_as(const std::uint8_t* bytes, Word* words, std::size_t count) {
    // A word is 24 bits with sign: three bytes always extend.
    constexpr std::uint32_t kUnused = 32 - 8 * kBytes;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t value = 0;
        for (std::uint32_t k = 0; k < kBytes; ++k) {
            value |= std::uint32_t{bytes[kBytes * i + k]} << 8 * k;
        }
        words[i] =
            kSigned ? static_cast<Word>(value << kUnused) >> kUnused : static_cast<Word>(value);
    }
}

template <std::uint32_t kBytes>
void pack_as(const Word* words, std::uint8_t* bytes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        for (std::uint32_t k = 0; k < kBytes; ++k) {
            bytes[kBytes * i + k] =
                static_cast<std::uint8_t>(static_cast<std::uint32_t>(words[i]) >> 8 * k);
        }
    }
}

}  // namespace

void unpack(ElementFormat format, std::span<const std::uint8_t> bytes, std::span<Word> words) {
    const std::size_t count = words.size();
    if (format.bytes == 1) {
        format.sign_extend ? unpack_as<1, true>(bytes.data(), words.data(), count)
                           : unpack_as<1, false>(bytes.data(), words.data(), count);
    } else if (format.bytes == 2) {
        format.sign_extend ? unpack_as<2, true>(bytes.data(), words.data(), count)
                           : unpack_as<2, false>(bytes.data(), words.data(), count);
    } else {
        unpack_as<3, true>(bytes.data(), words.data(), count);
    }
}

void pack(ElementFormat format, std::span<const Word> words, std::span<std::uint8_t> bytes) {
    const std::size_t count = words.size();
    if (format.bytes == 1) {
        pack_as<1>(words.data(), bytes.data(), count);
    } else if (format.bytes == 2) {
        pack_as<2>(words.data(), bytes.data(), count);
    } else {
        pack_as<3>(words.data(), bytes.data(), count);
    }
}

}  // namespace n6vp::models::npu

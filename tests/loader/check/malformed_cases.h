// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "tests/support/bench.h"

/// Broken files and broken requests, each with the one rule that must name it.
namespace n6vp::test {

struct MalformedCase {
    const char* name;
    loader::Rule rule;
    void (*describe)(ImageSpec&) = nullptr;  ///< changes the model before it is built
    void (*damage)(Image&) = nullptr;        ///< changes the built file
    void (*arrange)(Bench&) = nullptr;       ///< changes the request
    std::uint32_t mode = 6;                  ///< COPY | CLEAR
    ImageGeneration generation = ImageGeneration::Core22;
    /// Rule of the first error, if another one is found before.
    loader::Rule first = loader::Rule::None;
};

/// Cases that the strict loader refuses.
[[nodiscard]] std::span<const MalformedCase> header_cases();
[[nodiscard]] std::span<const MalformedCase> context_cases();
[[nodiscard]] std::span<const MalformedCase> request_cases();
[[nodiscard]] std::span<const MalformedCase> pool_cases();
[[nodiscard]] std::span<const MalformedCase> image_cases();
/// Cases that it installs, with a warning or a hint.
[[nodiscard]] std::span<const MalformedCase> tolerated_cases();

/// Header words.
enum : std::uint32_t {
    kFlagsWord = 0x04,
    kDataStart = 0x08,
    kDataEnd = 0x0C,
    kDataData = 0x10,
    kBssStart = 0x14,
    kBssEnd = 0x18,
    kGotStart = 0x1C,
    kGotEnd = 0x20,
    kRelStart = 0x24,
    kRelEnd = 0x28,
    kParamsStart = 0x2C,
    kParamsOffset = 0x30,
    kFirstEntry = 0x34,
};

/// Fields of a memory-pool descriptor; the pools of sample_spec by number.
enum : std::uint32_t {
    kPoolName = 0,
    kPoolFlags = 4,
    kPoolFoff = 8,
    kPoolDst = 12,
    kPoolSize = 16
};
enum : std::uint32_t { kWeights, kExternal, kCopyRo, kCopyRw, kReset };

/// Fields of rt_ctx from 1.1.1 on.
enum : std::uint32_t {
    kContextName = 0x14,
    kContextExtRam = 0x20,
    kContextVersionText = 0x24,
    kContextVersion = 0x28,
    kContextDev = 0x2C,
    kContextRawBytes = 0x30,
    kContextCrc = 0x34,
    kContextSizes = 0x38,
    kContextInstance = 0x3C,
    kContextNetwork = 0x40,
};

/// Moves the parameters into a file of their own.
inline void split(ImageSpec& spec) {
    spec.split = true;
}
inline GuestAddr plus(GuestAddr address, std::uint32_t bytes) {
    return wrapping_add(address, bytes);
}
inline void add_to(Image& image, std::uint32_t offset, std::uint32_t difference) {
    image.set(offset, image.word(offset) + difference);
}
inline void set_pool(Image& image, std::uint32_t pool, std::uint32_t field, std::uint32_t value) {
    image.set(image.pool(pool) + field, value);
}
inline std::uint32_t ram_offset(const Image& image, std::uint32_t file_offset) {
    return 0x40000000 + file_offset - image.ro_bytes;
}

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include "loader/crc32.h"

namespace n6vp::loader {

namespace {

constexpr std::uint32_t kPolynomial = 0xEDB88320u;

/// Returns `crc` moved on by `bits` zero bits.
constexpr std::uint32_t advance(std::uint32_t crc, int bits) {
    for (int bit = 0; bit < bits; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? kPolynomial : 0u);
    return crc;
}

struct NibbleTable {
    std::uint32_t entry[16] = {};
    constexpr NibbleTable() {
        for (std::uint32_t i = 0; i < 16; ++i) entry[i] = advance(i, 4);
    }
};
constexpr NibbleTable kNibble;

std::uint32_t by_nibbles(std::uint32_t crc, const std::uint8_t* bytes, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ kNibble.entry[crc & 0xF];
        crc = crc >> 4 ^ kNibble.entry[crc & 0xF];
    }
    return crc;
}

/// Sixteen bytes at a time: entry [k][b] is byte b followed by k zero bytes.
struct SliceTables {
    static constexpr std::uint32_t kSlices = 16;
    std::uint32_t entry[kSlices][256] = {};
    constexpr SliceTables() {
        for (std::uint32_t b = 0; b < 256; ++b) entry[0][b] = advance(b, 8);
        for (std::uint32_t k = 1; k < kSlices; ++k) {
            for (std::uint32_t b = 0; b < 256; ++b) {
                const std::uint32_t before = entry[k - 1][b];
                entry[k][b] = before >> 8 ^ entry[0][before & 0xFF];
            }
        }
    }
};

std::uint32_t by_slices(std::uint32_t crc, const std::uint8_t* bytes, std::uint32_t count) {
    static constexpr SliceTables kTables;
    constexpr std::uint32_t kStep = SliceTables::kSlices;
    std::uint32_t done = 0;
    for (; count - done >= kStep; done += kStep) {
        const std::uint8_t* at = bytes + done;
        std::uint32_t next = 0;
        for (std::uint32_t k = 0; k < kStep; ++k) {
            const std::uint32_t mixed = k < 4 ? at[k] ^ (crc >> 8 * k & 0xFF) : at[k];
            next ^= kTables.entry[kStep - 1 - k][mixed];
        }
        crc = next;
    }
    return by_nibbles(crc, bytes + done, count - done);
}

}  // namespace

std::uint32_t crc32(std::uint32_t crc, const void* data, std::uint32_t bytes) {
    const auto* byte = static_cast<const std::uint8_t*>(data);
    // A board has 64 bytes of flash to spare for this, a host 16 KiB.
    constexpr bool kHost = sizeof(void*) == 8;
    if constexpr (kHost) return ~by_slices(~crc, byte, bytes);
    return ~by_nibbles(~crc, byte, bytes);
}

}  // namespace n6vp::loader

// SPDX-License-Identifier: Apache-2.0
#include "models/soc/crc_unit.h"

#include <algorithm>
#include <array>
#include <bit>

namespace n6vp::models {
namespace {

enum CrcOffset : std::uint32_t {
    kCrcDr = 0x00,
    kCrcIdr = 0x04,
    kCrcCr = 0x08,
    kCrcInit = 0x10,
    kCrcPol = 0x14,
};
constexpr std::uint32_t kCrcReset = 1, kReverseOut = 1u << 7, kControlBits = 0xF8,
                        kTypeBits = 0x700;
constexpr std::uint32_t kInitReset = 0xFFFFFFFF, kPolReset = 0x04C11DB7;

[[nodiscard]] std::uint32_t low_bits(unsigned count) {
    return count >= 32 ? 0xFFFFFFFFu : (1u << count) - 1;
}

[[nodiscard]] std::uint32_t reversed(std::uint32_t value, unsigned bits) {
    std::uint32_t result = 0;
    for (unsigned i = 0; i < bits; ++i) result |= (value >> i & 1) << (bits - 1 - i);
    return result;
}

/// Reverses the bits inside each group of `group` bits.
[[nodiscard]] std::uint32_t reversed_groups(std::uint32_t value, unsigned bits, unsigned group) {
    std::uint32_t result = 0;
    for (unsigned lsb = 0; lsb < bits; lsb += group) {
        result |= reversed(value >> lsb & low_bits(group), group) << lsb;
    }
    return result;
}

[[nodiscard]] const char* crc_name(std::uint32_t offset) {
    switch (offset) {
        case kCrcDr:
            return "DR";
        case kCrcIdr:
            return "IDR";
        case kCrcCr:
            return "CR";
        case kCrcInit:
            return "INIT";
        case kCrcPol:
            return "POL";
        default:
            return "";
    }
}

}  // namespace

CrcUnit::CrcUnit(const char* name, unsigned idr_bits, const CrcParameters& parameters, bool types)
    : RegisterBlock(name),
      parameters_(parameters),
      idr_mask_(low_bits(idr_bits)),
      control_bits_(kControlBits | (types ? kTypeBits : 0)) {
    CrcUnit::reset();
}

void CrcUnit::reset() {
    value_ = init_ = kInitReset;
    polynomial_ = kPolReset;
    idr_ = control_ = 0;
    done_ = 0;
}

unsigned CrcUnit::width() const {
    constexpr std::array<unsigned, 4> kWidths{32, 16, 8, 7};
    return kWidths[control_ >> 3 & 3];
}

std::uint32_t CrcUnit::result() const {
    const std::uint32_t value = value_ & low_bits(width());
    return (control_ & kReverseOut) != 0 ? reversed(value, width()) : value;
}

void CrcUnit::feed(std::uint32_t value, unsigned bits, Picoseconds at) {
    constexpr std::array<unsigned, 4> kGroups{0, 8, 16, 32};
    if (const unsigned group = kGroups[control_ >> 5 & 3]; group != 0)
        value = reversed_groups(value, bits, std::min(group, bits));
    const std::uint32_t ones = low_bits(width());
    std::uint32_t crc = value_ & ones;
    for (unsigned bit = bits; bit-- > 0;) {
        const std::uint32_t feedback = (crc >> (width() - 1) ^ value >> bit) & 1;
        crc = crc << 1 & ones;
        if (feedback != 0) crc ^= polynomial_ & ones;
    }
    value_ = crc;
    if (hz_ <= 0) return;
    const Parameter& cycles = bits == 32   ? parameters_.word
                              : bits == 16 ? parameters_.half_word
                                           : parameters_.byte;
    done_ = std::max(at, done_) + cycles_to_ps(cycles.value, hz_);
}

void CrcUnit::write_control(std::uint32_t next) {
    control_ = next & control_bits_;
    if ((next & kCrcReset) != 0) value_ = init_;
}

RegisterBlock::Answer CrcUnit::read(std::uint32_t offset, Picoseconds at) {
    Answer answer;
    answer.name = crc_name(offset);
    switch (offset) {
        case kCrcDr:
            answer.value = result();
            answer.until = std::max(at, done_);
            break;
        case kCrcIdr:
            answer.value = idr_;
            break;
        case kCrcCr:
            answer.value = control_;
            break;
        case kCrcInit:
            answer.value = init_;
            break;
        case kCrcPol:
            answer.value = polynomial_;
            break;
        default:
            answer.modelled = false;
            break;
    }
    return answer;
}

RegisterBlock::Answer CrcUnit::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                     Picoseconds at) {
    Answer answer;
    answer.name = crc_name(offset);
    const auto merged = [&](std::uint32_t held) { return (held & ~mask) | (value & mask); };
    switch (offset) {
        case kCrcDr:
            // The bytes that the access has, at whatever lane.
            feed((value & mask) >> std::countr_zero(mask),
                 static_cast<unsigned>(std::popcount(mask)), at);
            break;
        case kCrcIdr:
            idr_ = merged(idr_) & idr_mask_;
            break;
        case kCrcCr:
            write_control(merged(control_));
            answer.modelled = (control_ & kTypeBits) == 0;
            break;
        case kCrcInit:
            init_ = merged(init_);
            value_ = init_;
            break;
        case kCrcPol:
            polynomial_ = merged(polynomial_);
            answer.modelled = (polynomial_ & 1) != 0;
            break;
        default:
            answer.modelled = false;
            break;
    }
    return answer;
}

}  // namespace n6vp::models

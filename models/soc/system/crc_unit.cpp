// SPDX-License-Identifier: Apache-2.0
#include "models/soc/system/crc_unit.h"

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
constexpr std::uint32_t kCrcReset = 1, kControlBits = 0xF8, kTypeBits = 0x700;
/// RTYPE_IN and RTYPE_OUT: units change places, the bits in them do not.
constexpr std::uint32_t kExchangeIn = 1u << 9, kExchangeOut = 1u << 10;
constexpr unsigned kCrcWordBits = 32;
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

/// Turns the order of the units of `unit` bits round.
[[nodiscard]] std::uint32_t exchanged(std::uint32_t value, unsigned bits, unsigned unit) {
    std::uint32_t result = 0;
    for (unsigned lsb = 0; lsb < bits; lsb += unit)
        result |= (value >> lsb & low_bits(unit)) << (bits - unit - lsb);
    return result;
}

/// Unit of an exchange by its code: half-words, bytes; 0: none.
[[nodiscard]] unsigned exchange_unit(std::uint32_t code) {
    constexpr std::array<unsigned, 4> kUnits{0, 16, 8, 0};
    return kUnits[code & 3];
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
    const std::uint32_t value = value_ & low_bits(width()), code = control_ >> 7 & 3;
    if ((control_ & kExchangeOut) == 0) return (code & 1) != 0 ? reversed(value, width()) : value;
    const unsigned unit = exchange_unit(code);
    return unit != 0 ? exchanged(value, kCrcWordBits, unit) : value;
}

void CrcUnit::feed(std::uint32_t value, unsigned bits, Picoseconds at) {
    constexpr std::array<unsigned, 4> kGroups{0, 8, 16, 32};
    const std::uint32_t code = control_ >> 5 & 3;
    if ((control_ & kExchangeIn) != 0) {
        const unsigned unit = std::min(exchange_unit(code), bits);
        if (unit != 0) value = exchanged(value, bits, unit);
    } else if (const unsigned group = kGroups[code]; group != 0) {
        value = reversed_groups(value, bits, std::min(group, bits));
    }
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

/// Returns false for the codes of CR that the driver has no name for.
bool CrcUnit::known() const {
    const std::uint32_t in = control_ >> 5 & 3, out = control_ >> 7 & 3;
    const bool input = (control_ & kExchangeIn) == 0 || in == 1 || in == 2;
    return input && ((control_ & kExchangeOut) == 0 ? out < 2 : out == 1 || out == 2);
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
            answer.modelled = known();
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

// SPDX-License-Identifier: Apache-2.0
// FDCAN: filters, and where frames go. Elements of the message RAM: M_CAN user's manual.
#include "models/soc/can/fdcan.h"

namespace n6vp::models::can {

namespace {

// Offsets and bits: device header.
constexpr std::uint32_t kRxGfc = 0x80, kRxSidfc = 0x84, kRxXidfc = 0x88, kRxXidam = 0x90,
                        kRxHpms = 0x94, kRxNdat1 = 0x98, kRxBuffers = 0xAC, kRxSizes = 0xBC;
/// Of IR.
constexpr unsigned kRxPriority = 8, kRxBufferStored = 19;
/// SFEC and EFEC.
constexpr unsigned kRxOff = 0, kRxFifo0 = 1, kRxFifo1 = 2, kRxReject = 3, kRxPriorityOnly = 4,
                   kRxPriorityFifo0 = 5, kRxPriorityFifo1 = 6, kRxBuffer = 7;
/// MSI of HPMS.
constexpr unsigned kRxNotStored = 0, kRxLost = 1, kRxInFifo0 = 2;
/// Words of an element's data by its size code.
constexpr std::uint32_t kRxDataWords[] = {2, 3, 4, 5, 6, 8, 12, 16};

/// Types of a filter: SFT and EFT but for 3.
[[nodiscard]] bool accepts(unsigned type, std::uint32_t first, std::uint32_t second,
                           std::uint32_t identifier) {
    switch (type) {
        case 0:
            return identifier >= first && identifier <= second;
        case 1:
            return identifier == first || identifier == second;
        default:
            return ((identifier ^ first) & second) == 0;
    }
}

}  // namespace

bool Fdcan::find_standard(std::uint32_t identifier, Match& match) const {
    const std::uint32_t base = get(kRxSidfc) >> 2 & 0x3FFF, count = get(kRxSidfc) >> 16 & 0xFF;
    for (std::uint32_t i = 0; i < count && i < 128; ++i) {
        const std::uint32_t element = ram_.get(base + i);
        const unsigned type = element >> 30, action = element >> 27 & 7;
        const std::uint32_t first = element >> 16 & 0x7FF, second = element & 0x7FF;
        if (action == kRxOff) continue;
        const bool taken = action == kRxBuffer
                               ? identifier == first
                               : type != 3 && accepts(type, first, second, identifier);
        if (!taken) continue;
        match = {action, i, second, true};
        return true;
    }
    return false;
}

bool Fdcan::find_extended(std::uint32_t identifier, Match& match) const {
    const std::uint32_t base = get(kRxXidfc) >> 2 & 0x3FFF, count = get(kRxXidfc) >> 16 & 0x7F;
    for (std::uint32_t i = 0; i < count && i < 64; ++i) {
        const std::uint32_t one = ram_.get(base + 2 * i), two = ram_.get(base + 2 * i + 1);
        const unsigned type = two >> 30, action = one >> 29;
        const std::uint32_t first = one & 0x1FFFFFFF, second = two & 0x1FFFFFFF;
        if (action == kRxOff) continue;
        // Type 3 is a range, too, and leaves XIDAM out.
        const std::uint32_t seen = type == 3 ? identifier : identifier & get(kRxXidam);
        const bool taken = action == kRxBuffer ? seen == first
                                               : accepts(type == 3 ? 0 : type, first, second, seen);
        if (!taken) continue;
        match = {action, i, second, true};
        return true;
    }
    return false;
}

Fdcan::Match Fdcan::filter(const Frame& frame) const {
    const std::uint32_t global = get(kRxGfc);
    Match match{kRxReject, 0, 0, false};
    if (frame.remote && (global >> (frame.extended ? 0 : 1) & 1) != 0) return match;
    const bool found = frame.extended ? find_extended(frame.identifier, match)
                                      : find_standard(frame.identifier, match);
    if (found) return match;
    constexpr unsigned kActions[] = {kRxFifo0, kRxFifo1, kRxReject, kRxReject};
    match.action = kActions[global >> (frame.extended ? 2 : 4) & 3];
    return match;
}

void Fdcan::receive(const Frame& frame, Picoseconds at) {
    if (frame.fd) seen_ |= 1u << 13 | (frame.fast ? 1u << 12 : 0) | (frame.passive ? 1u << 11 : 0);
    const Match match = filter(frame);
    switch (match.action) {
        case kRxFifo0:
        case kRxFifo1:
            (void)store(match.action - kRxFifo0, frame, match, at);
            break;
        case kRxPriorityOnly:
            note_priority(match, frame.extended, kRxNotStored, 0);
            break;
        case kRxPriorityFifo0:
        case kRxPriorityFifo1: {
            const unsigned fifo = match.action - kRxPriorityFifo0;
            const unsigned index = received_[fifo].put;
            const bool stored = store(fifo, frame, match, at);
            note_priority(match, frame.extended, stored ? kRxInFifo0 + fifo : kRxLost, index);
            break;
        }
        case kRxBuffer: {
            if ((match.target >> 9 & 3) != 0) break;  // a debug message
            const unsigned buffer = match.target & 0x3F, size = get(kRxSizes) >> 8 & 7;
            write_element((get(kRxBuffers) >> 2 & 0x3FFF) + buffer * (kRxDataWords[size] + 2), size,
                          frame, match, at);
            this->at(kRxNdat1 + buffer / 32 * 4) |= 1u << buffer % 32;
            raise(kRxBufferStored);
            ++statistics_.received;
            break;
        }
        default:
            break;
    }
}

/// Returns false if the frame is lost.
bool Fdcan::store(unsigned fifo, const Frame& frame, const Match& match, Picoseconds at) {
    const FifoLayout& layout = kReceive[fifo];
    Fifo& kept = received_[fifo];
    const unsigned size = fifo_size(layout);
    const bool overwrites = (get(layout.configuration) >> 31) != 0;
    const auto flag = [&](unsigned which) { raise(layout.new_flag + which); };
    if (size == 0 || (kept.fill == size && !overwrites)) {
        flag(3);
        return false;
    }
    if (kept.fill == size) {
        kept.get = (kept.get + 1) % size;
        --kept.fill;
    }
    const unsigned code = get(kRxSizes) >> 4 * fifo & 7;
    const std::uint32_t base = get(layout.configuration) >> 2 & 0x3FFF;
    write_element(base + kept.put * (kRxDataWords[code] + 2), code, frame, match, at);
    kept.put = (kept.put + 1) % size;
    ++kept.fill;
    const unsigned watermark = get(layout.configuration) >> 24 & 0x7F;
    flag(0);
    if (watermark != 0 && kept.fill == watermark) flag(1);
    if (kept.fill == size) flag(2);
    ++statistics_.received;
    return true;
}

void Fdcan::write_element(std::uint32_t word, unsigned size_code, const Frame& frame,
                          const Match& match, Picoseconds at) {
    const std::uint32_t identifier = frame.extended ? frame.identifier : frame.identifier << 18;
    ram_.set(word, (frame.passive && frame.fd ? 1u << 31 : 0) | (frame.extended ? 1u << 30 : 0) |
                       (frame.remote ? 1u << 29 : 0) | identifier);
    ram_.set(word + 1, (match.matched ? 0 : 1u << 31) | match.index << 24 |
                           (frame.fd ? 1u << 21 : 0) | (frame.fast ? 1u << 20 : 0) |
                           frame.length_code << 16 | time_stamp(at));
    for (unsigned i = 0; i < kRxDataWords[size_code] && i * 4 < frame.bytes(); ++i) {
        std::uint32_t value = 0;
        for (unsigned byte = 0; byte < 4; ++byte)
            value |= std::uint32_t{frame.data[4 * i + byte]} << 8 * byte;
        ram_.set(word + 2 + i, value);
    }
}

void Fdcan::note_priority(const Match& match, bool extended, unsigned storage, unsigned index) {
    at(kRxHpms) = index | storage << 6 | match.index << 8 | (extended ? 1u << 15 : 0);
    raise(kRxPriority);
}

}  // namespace n6vp::models::can

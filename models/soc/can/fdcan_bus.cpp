// SPDX-License-Identifier: Apache-2.0
// FDCAN: what it sends, and when.
#include <algorithm>

#include "models/duration.h"
#include "models/soc/can/fdcan.h"

namespace n6vp::models::can {

namespace {

// Offsets and bits: device header.
constexpr std::uint32_t kBusDbtp = 0x0C, kBusCccr = 0x18, kBusNbtp = 0x1C, kBusTxesc = 0xC8,
                        kBusTxbrp = 0xCC, kBusTxbcr = 0xD4, kBusTxbto = 0xD8, kBusTxbcf = 0xDC,
                        kBusTxbtie = 0xE0, kBusTxbcie = 0xE4;
constexpr std::uint32_t kBusOnce = 1u << 6, kBusFd = 1u << 8, kBusFast = 1u << 9;  ///< CCCR
/// Of IR.
constexpr unsigned kBusComplete = 9, kBusCancelled = 10, kBusFifoEmpty = 11, kBusErrorLog = 22,
                   kBusPassive = 23, kBusWarning = 24, kBusArbitrationError = 27;
constexpr std::uint32_t kBusPsrPassive = 1u << 5, kBusPsrWarning = 1u << 6;
constexpr unsigned kBusNobody = 32, kBusWarnsAt = 96, kBusPassiveAt = 128, kBusAckError = 3;
/// Words of an element's data by its size code. Source: M_CAN user's manual.
constexpr std::uint32_t kBusDataWords[] = {2, 3, 4, 5, 6, 8, 12, 16};

/// `first`, `second`: time quanta before and after the sample point, without that of SYNC_SEG.
[[nodiscard]] BitTiming bit_timing(unsigned prescaler, unsigned first, unsigned second) {
    return {prescaler * (1 + first), prescaler * second};
}

}  // namespace

BitTiming Fdcan::nominal() const {
    const std::uint32_t value = get(kBusNbtp);
    return bit_timing((value >> 16 & 0x1FF) + 1, (value >> 8 & 0xFF) + 1, (value & 0x7F) + 1);
}

BitTiming Fdcan::data() const {
    const std::uint32_t value = get(kBusDbtp);
    return bit_timing((value >> 16 & 0x1F) + 1, (value >> 8 & 0x1F) + 1, (value >> 4 & 0xF) + 1);
}

Picoseconds Fdcan::bits(unsigned count) const {
    return cycles_to_ps(static_cast<double>(count) * nominal().clocks(), hz_);
}

void Fdcan::enter(Phase phase, Picoseconds due) {
    phase_ = phase;
    due_ = due;
}

void Fdcan::advance(Picoseconds at) {
    switch (phase_) {
        case Phase::Integrating:
        case Phase::Recovering:
        case Phase::Intermission:
            enter(Phase::Idle, 0);
            start_next(at);
            break;
        case Phase::Sending:
            if (loops_back()) {
                sent(at);
            } else {
                unacknowledged(at);
            }
            break;
        case Phase::Idle:
        case Phase::Off:
            break;
    }
}

std::uint32_t Fdcan::buffer_bits() const {
    const unsigned count = std::min(dedicated() + queued(), 32u);
    return count == 32 ? 0xFFFFFFFF : (1u << count) - 1;
}

void Fdcan::request(std::uint32_t buffers, Picoseconds at) {
    const std::uint32_t added = buffers & buffer_bits() & ~get(kBusTxbrp);
    if ((get(kBusCccr) & 2) != 0) return;  // CCE
    this->at(kBusTxbrp) |= added;
    this->at(kBusTxbto) &= ~added;
    this->at(kBusTxbcf) &= ~added;
    const unsigned first = dedicated(), size = queued();
    for (unsigned i = 0; i < size && !queue_mode(); ++i) {
        if ((added >> fifo_put_ & 1) == 0) break;
        fifo_put_ = first + (fifo_put_ - first + 1) % size;
    }
    if (phase_ == Phase::Idle) start_next(at);
}

void Fdcan::cancel(std::uint32_t buffers) {
    const std::uint32_t asked = buffers & get(kBusTxbrp);
    at(kBusTxbcr) |= asked;
    for (unsigned i = 0; i < 32; ++i) {
        const bool under_way = phase_ == Phase::Sending && i == buffer_;
        if ((asked >> i & 1) != 0 && !under_way) finish_buffer(i, false);
    }
}

/// A request is over. What is transmitted was not cancelled, unless that came too late.
void Fdcan::finish_buffer(unsigned buffer, bool transmitted) {
    const std::uint32_t bit = 1u << buffer;
    const bool cancelled = !transmitted || (get(kBusTxbcr) & bit) != 0;
    at(kBusTxbrp) &= ~bit;
    at(kBusTxbcr) &= ~bit;
    if (transmitted) {
        at(kBusTxbto) |= bit;
        if ((get(kBusTxbtie) & bit) != 0) raise(kBusComplete);
    }
    if (cancelled) {
        at(kBusTxbcf) |= bit;
        if ((get(kBusTxbcie) & bit) != 0) raise(kBusCancelled);
    }
    const bool of_fifo = buffer >= dedicated() && !queue_mode();
    skip_finished();
    if (of_fifo && (get(kBusTxbrp) & buffer_bits()) >> dedicated() == 0) raise(kBusFifoEmpty);
}

/// The FIFO goes on with the oldest request.
void Fdcan::skip_finished() {
    const unsigned first = dedicated(), size = queued();
    if (queue_mode() || size == 0 || first >= 32) return;
    if ((get(kBusTxbrp) & buffer_bits()) >> first == 0) {
        fifo_get_ = fifo_put_;
        return;
    }
    while ((get(kBusTxbrp) >> fifo_get_ & 1) == 0)
        fifo_get_ = first + (fifo_get_ - first + 1) % size;
}

Frame Fdcan::frame_of(unsigned buffer) const {
    const std::uint32_t words = kBusDataWords[get(kBusTxesc) & 7];
    const std::uint32_t base = (get(kTxbc) >> 2 & 0x3FFF) + buffer * (words + 2);
    const std::uint32_t head = ram_.get(base), second = ram_.get(base + 1);
    const std::uint32_t modes = get(kBusCccr);
    Frame frame;
    frame.extended = (head >> 30 & 1) != 0;
    frame.identifier = frame.extended ? head & 0x1FFFFFFF : head >> 18 & 0x7FF;
    frame.fd = (modes & kBusFd) != 0 && (second >> 21 & 1) != 0;
    frame.remote = !frame.fd && (head >> 29 & 1) != 0;
    frame.fast = frame.fd && (modes & kBusFast) != 0 && (second >> 20 & 1) != 0;
    frame.passive = (head >> 31 & 1) != 0 || (error_state_ & kBusPsrPassive) != 0;
    frame.length_code = second >> 16 & 0xF;
    for (unsigned i = 0; i < frame.bytes(); ++i) {
        // What the element has no room for goes out as 0xCC.
        constexpr std::uint8_t kPadding = 0xCC;
        frame.data[i] =
            i < 4 * words
                ? static_cast<std::uint8_t>(ram_.get(base + 2 + i / 4) >> (i % 4 * 8) & 0xFF)
                : kPadding;
    }
    return frame;
}

unsigned Fdcan::choose() const {
    const std::uint32_t pending = get(kBusTxbrp) & buffer_bits();
    unsigned best = kBusNobody;
    std::uint32_t lowest = 0xFFFFFFFF;
    for (unsigned i = 0; i < 32; ++i) {
        if ((pending >> i & 1) == 0) continue;
        if (i >= dedicated() && !queue_mode() && i != fifo_get_) continue;
        const std::uint32_t priority = frame_of(i).priority();
        if (best != kBusNobody && priority >= lowest) continue;
        best = i;
        lowest = priority;
    }
    return best;
}

void Fdcan::start_next(Picoseconds at) {
    if (listens_only()) return;
    buffer_ = choose();
    if (buffer_ == kBusNobody) return;
    frame_ = frame_of(buffer_);
    const auto clocks = static_cast<double>(clocks_to_acknowledge(frame_, nominal(), data()));
    acknowledge_at_ = at + cycles_to_ps(clocks, hz_) + bits(kAcknowledgeBits);
    enter(Phase::Sending, loops_back() ? acknowledge_at_ + bits(kEndBits) : acknowledge_at_);
}

void Fdcan::sent(Picoseconds at) {
    ++statistics_.sent;
    last_error_ = 0;
    if (frame_.fast) last_data_error_ = 0;
    if (transmit_errors_ != 0) --transmit_errors_;
    update_error_state();
    const std::uint32_t words = kBusDataWords[get(kBusTxesc) & 7];
    const std::uint32_t second = ram_.get((get(kTxbc) >> 2 & 0x3FFF) + buffer_ * (words + 2) + 1);
    receive(frame_, at);
    if ((second >> 23 & 1) != 0) add_event(frame_, second, at);
    finish_buffer(buffer_, true);
    enter(Phase::Intermission, at + bits(kIntermissionBits));
}

/// Nobody else is there. An error passive node does not count these errors any more: it sees no
/// dominant bit while it sends its flag (ISO 11898-1).
void Fdcan::unacknowledged(Picoseconds at) {
    ++statistics_.unacknowledged;
    last_error_ = kBusAckError;
    raise(kBusArbitrationError);
    if (error_log_ == 0xFF) {
        raise(kBusErrorLog);
    } else {
        ++error_log_;
    }
    const bool was_passive = (error_state_ & kBusPsrPassive) != 0;
    if (!was_passive) transmit_errors_ = std::min(transmit_errors_ + 8, 255u);
    update_error_state();
    const bool once = (get(kBusCccr) & kBusOnce) != 0;
    if (once || (get(kBusTxbcr) >> buffer_ & 1) != 0) finish_buffer(buffer_, false);
    enter(Phase::Recovering,
          at + bits(kErrorFrameBits + kIntermissionBits + (was_passive ? kSuspendBits : 0)));
}

void Fdcan::update_error_state() {
    const std::uint32_t next = (transmit_errors_ >= kBusPassiveAt ? kBusPsrPassive : 0) |
                               (transmit_errors_ >= kBusWarnsAt ? kBusPsrWarning : 0);
    const std::uint32_t changed = next ^ error_state_;
    error_state_ = next;
    if ((changed & kBusPsrPassive) != 0) raise(kBusPassive);
    if ((changed & kBusPsrWarning) != 0) raise(kBusWarning);
}

void Fdcan::add_event(const Frame& frame, std::uint32_t second_word, Picoseconds at) {
    const unsigned size = fifo_size(kEvents);
    const auto flag = [this](unsigned which) { raise(kEvents.new_flag + which); };
    if (size == 0 || events_.fill >= size) {
        flag(3);
        return;
    }
    const std::uint32_t word = (get(kEvents.configuration) >> 2 & 0x3FFF) + 2 * events_.put;
    const bool late = (get(kBusTxbcr) >> buffer_ & 1) != 0 || (get(kBusCccr) & kBusOnce) != 0;
    const std::uint32_t identifier = frame.extended ? frame.identifier : frame.identifier << 18;
    ram_.set(word, (frame.passive ? 1u << 31 : 0) | (frame.extended ? 1u << 30 : 0) |
                       (frame.remote ? 1u << 29 : 0) | identifier);
    ram_.set(word + 1, (second_word & 0xFF000000) | (late ? 2u : 1u) << 22 |
                           (frame.fd ? 1u << 21 : 0) | (frame.fast ? 1u << 20 : 0) |
                           frame.length_code << 16 | time_stamp(at));
    events_.put = (events_.put + 1) % size;
    ++events_.fill;
    const unsigned watermark = get(kEvents.configuration) >> 24 & 0x3F;
    flag(0);
    if (watermark != 0 && events_.fill == watermark) flag(1);
    if (events_.fill == size) flag(2);
}

}  // namespace n6vp::models::can

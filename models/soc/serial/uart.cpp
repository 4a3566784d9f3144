// SPDX-License-Identifier: Apache-2.0
#include "models/soc/serial/uart.h"

#include <algorithm>
#include <array>

namespace n6vp::models {

namespace {

// Offsets and bits: public device header, USART_TypeDef.
enum Offset : std::uint32_t {
    kCr1 = 0x00,
    kCr2 = 0x04,
    kCr3 = 0x08,
    kBrr = 0x0C,
    kGtpr = 0x10,
    kRtor = 0x14,
    kRqr = 0x18,
    kIsr = 0x1C,
    kIcr = 0x20,
    kRdr = 0x24,
    kTdr = 0x28,
    kPresc = 0x2C,
};
constexpr std::array<const char*, 12> kUartNames{"CR1", "CR2", "CR3", "BRR", "GTPR", "RTOR",
                                                 "RQR", "ISR", "ICR", "RDR", "TDR",  "PRESC"};

constexpr std::uint32_t bit(unsigned position) {
    return 1u << position;
}
constexpr std::uint32_t kUe = bit(0), kRe = bit(2), kTe = bit(3);
constexpr std::uint32_t kM0 = bit(12), kOver8 = bit(15), kM1 = bit(28), kFifoEnable = bit(29);
constexpr std::uint32_t kParity = bit(10), kParityOdd = bit(9);
constexpr std::uint32_t kCr1Protected = kM0 | kM1 | kOver8 | kFifoEnable | kParity | kParityOdd;
/// Mute mode, character match, time-out, end of block.
constexpr std::uint32_t kCr1NotModelled = bit(13) | bit(14) | bit(26) | bit(27);
/// Synchronous slave and clock, LIN, inverted or reversed data, automatic rate, time-out.
constexpr std::uint32_t kCr2NotModelled =
    bit(0) | bit(11) | bit(14) | bit(18) | bit(19) | bit(20) | bit(23);
/// IrDA, half duplex, smartcard, RTS, CTS, driver enable.
constexpr std::uint32_t kCr3NotModelled = bit(1) | bit(3) | bit(5) | bit(8) | bit(9) | bit(14);
// UESM of CR1, ADDM7 and ADD of CR2, WUS and WUFIE of CR3.
constexpr std::uint32_t kStopEnable = bit(1), kLongAddress = bit(4), kOwnAddress = 0xFFu << 24;
constexpr std::uint32_t kWakeUpSource = 3u << 20, kWakeUpInterrupt = bit(22);
constexpr unsigned kWakeByAddress = 0, kWakeByStart = 2, kWakeByData = 3;
constexpr std::uint32_t kReceiveByDma = bit(6), kTransmitByDma = bit(7);
constexpr std::uint32_t kErrorInterrupt = bit(0), kOverrunDisable = bit(12);
constexpr std::uint32_t kTxThresholdInterrupt = bit(23), kRxThresholdInterrupt = bit(28);

// ISR; the enable bits of CR1 are at the same places for IDLE to TXE.
constexpr std::uint32_t kOverrun = bit(3), kIdle = bit(4), kRxNotEmpty = bit(5), kComplete = bit(6);
constexpr std::uint32_t kTxNotFull = bit(7), kBusy = bit(16), kWakeUp = bit(20),
                        kTxAcknowledge = bit(21), kRxAcknowledge = bit(22), kTxFifoEmpty = bit(23),
                        kRxFifoFull = bit(24), kRxThreshold = bit(26), kTxThreshold = bit(27);
constexpr std::uint32_t kSameEnable = kIdle | kRxNotEmpty | kComplete | kTxNotFull;
constexpr std::uint32_t kTxFifoEmptyInterrupt = bit(30), kRxFifoFullInterrupt = bit(31);

// RQR.
constexpr std::uint32_t kFlushRx = bit(3), kFlushTx = bit(4);
constexpr std::uint32_t kRequestsNotModelled = bit(0) | bit(1) | bit(2);

constexpr std::array<double, 12> kPrescale{1, 2, 4, 6, 8, 10, 12, 16, 32, 64, 128, 256};
/// Halves of a bit time, by CR2.STOP.
constexpr std::array<unsigned, 4> kStopHalves{2, 1, 4, 3};
/// Eighths of the FIFO, by RXFTCFG or TXFTCFG.
constexpr std::array<std::size_t, 8> kThresholdEighths{1, 2, 4, 6, 7, 8, 8, 8};

constexpr std::uint32_t uart_field(std::uint32_t value, unsigned position, unsigned width) {
    return (value >> position) & ((1u << width) - 1);
}

/// Data and parity bits of a frame: M1 M0 = 00 is 8, 01 is 9, 10 is 7.
unsigned word_bits(std::uint32_t cr1) {
    if ((cr1 & kM1) != 0) return 7;
    return (cr1 & kM0) != 0 ? 9 : 8;
}

}  // namespace

Uart::Uart(const sc_core::sc_module_name& name, const char* block, Kind kind,
           const UartParameters& parameters)
    : sc_module(name),
      RegisterBlock(block),
      kind_(kind),
      fifo_depth_(std::max<std::size_t>(1, static_cast<std::size_t>(parameters.fifo_depth.value))) {
    SC_HAS_PROCESS(Uart);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
    flags_ = kComplete;
}

void Uart::set_kernel_hz(double hz) {
    kernel_hz_ = hz;
}

Picoseconds Uart::frame_ps() const {
    double divider = brr_;
    if (kind_ == Kind::LowPower) {
        // RM: below 0x300 the divider is not legal.
        if (brr_ < 0x300) return 0;
        divider /= 256;
    } else if ((cr1_ & kOver8) != 0) {
        divider = ((brr_ & 0xFFF0) | ((brr_ & 7) << 1)) / 2.0;
        if (divider < 8) return 0;
    } else if (brr_ < 16) {
        return 0;
    }
    if (kernel_hz_ <= 0) return 0;
    const double halves = 2 + 2 * word_bits(cr1_) + kStopHalves[uart_field(cr2_, 12, 2)];
    const double prescale = kPrescale[std::min<std::size_t>(uart_field(presc_, 0, 4), 11)];
    return cycles_to_ps(halves / 2 * divider * prescale, kernel_hz_);
}

bool Uart::enabled(std::uint32_t direction) const {
    return (cr1_ & kUe) != 0 && (cr1_ & direction) != 0;
}

bool Uart::receives() const {
    return enabled(kRe);
}

std::size_t Uart::depth() const {
    return (cr1_ & kFifoEnable) != 0 ? fifo_depth_ : 1;
}

unsigned Uart::data_bits() const {
    return word_bits(cr1_) - ((cr1_ & kParity) != 0 ? 1 : 0);
}

std::uint8_t Uart::data_mask() const {
    const unsigned bits = data_bits();
    return static_cast<std::uint8_t>(bits >= 8 ? 0xFFu : (1u << bits) - 1);
}

std::size_t Uart::waiting(Picoseconds at) const {
    return static_cast<std::size_t>(std::count_if(
        outgoing_.begin(), outgoing_.end(), [at](const Frame& frame) { return frame.start > at; }));
}

void Uart::receive(std::uint8_t character) {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    settle(now);
    const Picoseconds frame = frame_ps();
    if (frame == 0 || !enabled(kRe)) {
        ++statistics_.unheard;
        return;
    }
    const Picoseconds start = incoming_.empty() ? now : std::max(now, incoming_.back().end);
    incoming_.push_back({character, start, start + frame});
    if (incoming_.size() == 1) begin_frame();
    idle_at_ = 0;
    update(now);
}

bool Uart::wakes_by(unsigned event) const {
    // Inferred: UESM is enough, whether the core sleeps or not.
    return enabled(kStopEnable) && uart_field(cr3_, 20, 2) == event;
}

bool Uart::is_own_address(std::uint8_t character) const {
    // Of nine bits the highest, which marks an address, is not carried here.
    const unsigned bits = data_bits();
    if (bits > 8) return false;
    const std::uint32_t mark = 1u << (bits - 1);
    const std::uint32_t compared = (cr2_ & kLongAddress) != 0 ? mark - 1 : 0xF;
    return (character & mark) != 0 && ((character ^ cr2_ >> 24) & compared) == 0;
}

void Uart::begin_frame() {
    if (wakes_by(kWakeByStart)) flags_ |= kWakeUp;
}

void Uart::arrive(const Frame& frame) {
    if (wakes_by(kWakeByAddress) && is_own_address(frame.character)) flags_ |= kWakeUp;
    if (received_.size() < depth()) {
        received_.push_back(frame.character & data_mask());
        ++statistics_.received;
        if (wakes_by(kWakeByData)) flags_ |= kWakeUp;
    } else if ((cr3_ & kOverrunDisable) != 0) {
        received_.back() = frame.character & data_mask();
        ++statistics_.overrun;
    } else {
        flags_ |= kOverrun;
        ++statistics_.overrun;
    }
}

void Uart::settle_idle(Picoseconds at) {
    if (idle_at_ == 0 || idle_at_ > at) return;
    flags_ |= kIdle;
    idle_at_ = 0;
}

void Uart::settle(Picoseconds at) {
    while (!outgoing_.empty() && outgoing_.front().end <= at) {
        const Frame frame = outgoing_.front();
        outgoing_.pop_front();
        if (outgoing_.empty()) flags_ |= kComplete;
        ++statistics_.sent;
        if (on_character) on_character(frame.character, frame.end);
    }
    while (!incoming_.empty() && incoming_.front().end <= at) {
        const Frame frame = incoming_.front();
        incoming_.pop_front();
        arrive(frame);
        if (!incoming_.empty()) begin_frame();
        // One frame of silence after the last character makes the line idle.
        idle_at_ = incoming_.empty() ? frame.end + (frame.end - frame.start) : 0;
    }
    settle_idle(at);
}

void Uart::transmit(std::uint8_t character, Picoseconds at) {
    const Picoseconds frame = frame_ps();
    if (frame == 0 || !enabled(kTe)) {
        ++statistics_.unsent;
        return;
    }
    flags_ &= ~kComplete;
    character &= data_mask();
    if (waiting(at) >= depth()) {
        // Without FIFO the data register is overwritten, with FIFO the new character is lost.
        if ((cr1_ & kFifoEnable) == 0) outgoing_.back().character = character;
        ++statistics_.unsent;
        return;
    }
    const Picoseconds start = outgoing_.empty() ? at : std::max(at, outgoing_.back().end);
    outgoing_.push_back({character, start, start + frame});
}

std::uint32_t Uart::status(Picoseconds at) const {
    std::uint32_t status = flags_;
    const std::size_t queued = waiting(at);
    const bool fifo = (cr1_ & kFifoEnable) != 0;
    if (queued < depth()) status |= kTxNotFull;
    if (!received_.empty()) status |= kRxNotEmpty;
    if (enabled(kTe)) status |= kTxAcknowledge;
    if (enabled(kRe)) status |= kRxAcknowledge;
    // The first of them has begun: it starts when it is sent, or when the one before it ends.
    if (!incoming_.empty()) status |= kBusy;
    if (queued == 0 && (fifo || kind_ == Kind::LowPower)) status |= kTxFifoEmpty;
    if (!fifo) return status;
    if (received_.size() >= depth()) status |= kRxFifoFull;
    const auto threshold = [this](unsigned position) {
        return kThresholdEighths[uart_field(cr3_, position, 3)] * fifo_depth_ / 8;
    };
    if (received_.size() >= threshold(25)) status |= kRxThreshold;
    if (depth() - queued >= threshold(29)) status |= kTxThreshold;
    return status;
}

bool Uart::interrupt(std::uint32_t status) const {
    if ((cr1_ & kUe) == 0) return false;
    if ((status & cr1_ & kSameEnable) != 0) return true;
    if ((status & kOverrun) != 0 && ((cr1_ & kRxNotEmpty) != 0 || (cr3_ & kErrorInterrupt) != 0))
        return true;
    return ((status & kWakeUp) != 0 && (cr3_ & kWakeUpInterrupt) != 0) ||
           ((status & kTxFifoEmpty) != 0 && (cr1_ & kTxFifoEmptyInterrupt) != 0) ||
           ((status & kRxFifoFull) != 0 && (cr1_ & kRxFifoFullInterrupt) != 0) ||
           ((status & kRxThreshold) != 0 && (cr3_ & kRxThresholdInterrupt) != 0) ||
           ((status & kTxThreshold) != 0 && (cr3_ & kTxThresholdInterrupt) != 0);
}

bool Uart::knows_control_3() const {
    const bool transmit = (cr3_ & kTransmitByDma) == 0 || on_transmit_request;
    const bool receive = (cr3_ & kReceiveByDma) == 0 || on_receive_request;
    return (cr3_ & kCr3NotModelled) == 0 && transmit && receive;
}

void Uart::update(Picoseconds at) {
    const std::uint32_t flags = status(at);
    level_.set(interrupt(flags), on_interrupt);
    // A transmitter that is off would lose what it is given.
    transmit_level_.set(enabled(kTe) && (cr3_ & kTransmitByDma) != 0 && (flags & kTxNotFull) != 0,
                        at, on_transmit_request);
    receive_level_.set(enabled(kUe) && (cr3_ & kReceiveByDma) != 0 && (flags & kRxNotEmpty) != 0,
                       at, on_receive_request);
    Picoseconds next = 0;
    // The ends are ascending, and a frame starts when the one before it ends.
    for (const std::deque<Frame>* line : {&outgoing_, &incoming_}) {
        if (!line->empty() && (next == 0 || line->front().end < next)) next = line->front().end;
    }
    if (idle_at_ != 0 && (next == 0 || idle_at_ < next)) next = idle_at_;
    next_.cancel();
    if (next != 0) next_.notify(delay_until(next));
}

void Uart::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    settle(now);
    update(now);
}

std::uint32_t* Uart::stored(std::uint32_t offset) {
    switch (offset) {
        case kCr1:
            return &cr1_;
        case kCr2:
            return &cr2_;
        case kCr3:
            return &cr3_;
        case kBrr:
            return &brr_;
        case kGtpr:
            return &gtpr_;
        case kRtor:
            return &rtor_;
        case kPresc:
            return &presc_;
        default:
            return nullptr;
    }
}

RegisterBlock::Answer Uart::read(std::uint32_t offset, Picoseconds at) {
    settle(at);
    Answer answer;
    if (offset > kPresc) {
        answer.modelled = false;
        return answer;
    }
    answer.name = kUartNames[offset / 4];
    if (const std::uint32_t* const value = stored(offset); value != nullptr) {
        answer.value = *value;
    } else if (offset == kIsr) {
        answer.value = status(at);
    } else if (offset == kRdr) {
        if (!received_.empty()) {
            last_received_ = received_.front();
            received_.pop_front();
        }
        answer.value = last_received_;
        update(at);
    }
    return answer;
}

bool Uart::reads_freely(std::uint32_t offset) const {
    return offset != kRdr;
}

void Uart::request(std::uint32_t value) {
    if ((value & kFlushRx) != 0) received_.clear();
    if ((value & kFlushTx) == 0) return;
    // The frame on the line goes on.
    while (outgoing_.size() > 1) {
        outgoing_.pop_back();
        ++statistics_.unsent;
    }
}

void Uart::clear_flags(std::uint32_t value) {
    flags_ &= ~(value & (kOverrun | kIdle | kComplete | kWakeUp));
}

void Uart::write_control_1(std::uint32_t next, std::uint32_t mask) {
    const std::uint32_t before = cr1_;
    next = (before & ~mask) | (next & mask);
    // Taking UE away, or setting it, in the same write leaves the rest writable.
    if ((before & next & kUe) != 0) {
        if (((before ^ next) & kCr1Protected) != 0) ++statistics_.kept;
        next = (next & ~kCr1Protected) | (before & kCr1Protected);
    }
    cr1_ = next;
    if ((before & kUe) != 0 && (next & kUe) == 0) {
        // Everything stops at once and the flags are those of reset.
        statistics_.unsent += outgoing_.size();
        outgoing_.clear();
        received_.clear();
        flags_ = kComplete;
    }
    if ((next & kStopEnable) == 0) flags_ &= ~kWakeUp;
    if (!enabled(kRe)) {
        statistics_.unheard += incoming_.size();
        incoming_.clear();
        idle_at_ = 0;
    }
}

RegisterBlock::Answer Uart::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                  Picoseconds at) {
    settle(at);
    Answer answer;
    if (offset > kPresc) {
        answer.modelled = false;
        return answer;
    }
    answer.name = kUartNames[offset / 4];
    const bool running = (cr1_ & kUe) != 0;
    const auto merge = [&](std::uint32_t& target, std::uint32_t kept) {
        std::uint32_t next = (target & ~mask) | (value & mask);
        if (running && ((next ^ target) & kept) != 0) {
            ++statistics_.kept;
            next = (next & ~kept) | (target & kept);
        }
        target = next;
    };
    switch (offset) {
        case kCr1:
            write_control_1(value, mask);
            answer.modelled = (cr1_ & kCr1NotModelled) == 0;
            break;
        case kCr2:
            merge(cr2_, 3u << 12 | kLongAddress | (enabled(kRe) ? kOwnAddress : 0));
            answer.modelled = (cr2_ & kCr2NotModelled) == 0;
            break;
        case kCr3:
            merge(cr3_, kOverrunDisable | kWakeUpSource);
            answer.modelled = knows_control_3();
            break;
        case kBrr:
            merge(brr_, 0xFFFFFFFF);
            brr_ &= kind_ == Kind::LowPower ? 0xFFFFFu : 0xFFFFu;
            break;
        case kPresc:
            merge(presc_, 0xFFFFFFFF);
            presc_ &= 0xF;
            break;
        case kGtpr:
            merge(gtpr_, 0);
            break;
        case kRtor:
            merge(rtor_, 0);
            break;
        case kRqr:
            request(value & mask);
            answer.modelled = (value & mask & kRequestsNotModelled) == 0;
            break;
        case kIcr:
            clear_flags(value & mask);
            break;
        case kTdr:
            if ((mask & 0xFF) != 0) transmit(static_cast<std::uint8_t>(value & mask), at);
            break;
        default:
            break;  // ISR and RDR are read-only
    }
    update(at);
    return answer;
}

void Uart::reset() {
    cr1_ = cr2_ = cr3_ = brr_ = gtpr_ = rtor_ = presc_ = 0;
    flags_ = kComplete;
    outgoing_.clear();
    incoming_.clear();
    received_.clear();
    last_received_ = 0;
    idle_at_ = 0;
    statistics_ = {};
    update(sc_core::sc_time_stamp().value());
}

}  // namespace n6vp::models

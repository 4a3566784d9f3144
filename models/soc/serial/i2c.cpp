// SPDX-License-Identifier: Apache-2.0
#include "models/soc/serial/i2c.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/soc/serial/i2c_registers.h"

namespace n6vp::models {

namespace {

constexpr std::uint32_t nbytes_of(std::uint32_t cr2) {
    return cr2 >> 16 & 0xFF;
}
/// SADD as an address of 10 bits.
constexpr std::uint16_t long_address_of(std::uint32_t cr2) {
    return static_cast<std::uint16_t>(cr2 & 0x3FF);
}
/// Two addresses of 10 bits have the same header.
constexpr bool same_header(unsigned one, unsigned other) {
    return one >> 8 == other >> 8;
}

}  // namespace

I2c::I2c(const sc_core::sc_module_name& name, const char* block, const I2cParameters& parameters)
    : sc_module(name),
      RegisterBlock(block),
      synchronisation_(parameters.synchronisation.value),
      condition_(parameters.condition.value) {
    SC_HAS_PROCESS(I2c);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
}

void I2c::attach(std::unique_ptr<I2cDevice> device) {
    if (this->device(device->address(), device->ten_bits()) != nullptr)
        throw std::logic_error("two devices of one I2C bus have the same address");
    devices_.push_back(std::move(device));
}

I2cDevice* I2c::device(std::uint16_t address, bool ten_bits) {
    const auto found =
        std::find_if(devices_.begin(), devices_.end(), [address, ten_bits](const auto& each) {
            return each->address() == address && each->ten_bits() == ten_bits;
        });
    return found == devices_.end() ? nullptr : found->get();
}

void I2c::set_kernel_hz(double hz) {
    kernel_hz_ = hz;
}

Picoseconds I2c::scl_ps() const {
    const double prescaler = (timingr_ >> 28) + 1;
    const double high = (timingr_ >> 8 & 0xFF) + 1, low = (timingr_ & 0xFF) + 1;
    // A stopped kernel clock would hold the bus for ever: it counts as one of 1 MHz.
    constexpr double kSlow = 1e6;
    const double hz = kernel_hz_ > 0 ? kernel_hz_ : kSlow;
    return std::max<Picoseconds>(1, cycles_to_ps(prescaler * (high + low) + synchronisation_, hz));
}

void I2c::enter(Phase phase, double bits, Picoseconds at) {
    phase_ = phase;
    const double ps = bits * static_cast<double>(scl_ps());
    due_ = bits == 0 ? 0 : at + std::max<Picoseconds>(1, static_cast<Picoseconds>(ps));
}

void I2c::start(Picoseconds at) {
    flags_ = (flags_ & ~(kI2cTc | kI2cTcr)) | kI2cBusy;
    reads_ = (cr2_ & kI2cReadDirection) != 0;
    remaining_ = nbytes_of(cr2_);
    ++statistics_.transfers;
    enter(Phase::Address, 9 + condition_, at);
}

void I2c::address_ends(Picoseconds at) {
    if ((cr2_ & kI2cTenBits) != 0) return header_ends(at);
    select(device(static_cast<std::uint16_t>(cr2_ >> 1 & 0x7F)), at);
}

void I2c::header_ends(Picoseconds at) {
    const std::uint16_t address = long_address_of(cr2_);
    if (reads_ && (cr2_ & kI2cShortHeader) != 0) {
        // The header alone is for the device that was written to before.
        const bool same =
            target_ != nullptr && target_->ten_bits() && same_header(target_->address(), address);
        return select(same ? target_ : nullptr, at);
    }
    const bool any = std::any_of(devices_.begin(), devices_.end(), [address](const auto& each) {
        return each->ten_bits() && same_header(each->address(), address);
    });
    if (!any) return select(nullptr, at);
    enter(Phase::AddressLow, 9, at);
}

void I2c::low_address_ends(Picoseconds at) {
    I2cDevice* const next = device(long_address_of(cr2_), true);
    if (!reads_ || next == nullptr) return select(next, at);
    leave_other_than(next);
    target_ = next->start(false) ? next : nullptr;
    if (target_ == nullptr) return select(nullptr, at);
    enter(Phase::AddressAgain, 9 + condition_, at);
}

void I2c::leave_other_than(const I2cDevice* next) {
    I2cDevice* const before = std::exchange(target_, nullptr);
    if (before != nullptr && before != next) before->stop();
}

void I2c::select(I2cDevice* next, Picoseconds at) {
    cr2_ &= ~kI2cStart;
    leave_other_than(next);
    if (next != nullptr && next->start(reads_)) target_ = next;
    if (target_ == nullptr) return refuse(at);
    if (remaining_ == 0) return transfer_ends(at);
    if (reads_) {
        receive_next(at);
    } else {
        send_next(at);
    }
}

void I2c::refuse(Picoseconds at) {
    ++statistics_.refused;
    flags_ |= kI2cNackf;
    stop(at);
}

void I2c::send_next(Picoseconds at) {
    if (remaining_ == 0 || (cr2_ & kI2cStop) != 0) return transfer_ends(at);
    if (transmit_empty_) {
        flags_ |= kI2cTxis;
        return enter(Phase::AwaitData, 0, at);
    }
    shift_ = transmit_;
    transmit_empty_ = true;
    enter(Phase::Send, 9, at);
}

void I2c::receive_next(Picoseconds at) {
    if (remaining_ == 0 || (cr2_ & kI2cStop) != 0) return transfer_ends(at);
    enter(Phase::Receive, 8, at);
}

void I2c::take_received(Picoseconds at) {
    received_ = shift_;
    flags_ |= kI2cRxne;
    ++statistics_.read;
    enter(Phase::Acknowledge, 1, at);
}

void I2c::transfer_ends(Picoseconds at) {
    if ((cr2_ & kI2cStop) != 0) return stop(at);
    if ((cr2_ & kI2cReload) != 0) {
        flags_ |= kI2cTcr;
    } else if ((cr2_ & kI2cAutoEnd) != 0) {
        return stop(at);
    } else if ((cr2_ & kI2cStart) != 0) {
        return start(at);
    } else {
        flags_ |= kI2cTc;
    }
    enter(Phase::AwaitCommand, 0, at);
}

void I2c::stop(Picoseconds at) {
    flags_ &= ~(kI2cTc | kI2cTcr | kI2cTxis);
    enter(Phase::Stop, condition_, at);
    // A condition without time is over at once.
    if (due_ == 0) stop_ends(at);
}

bool I2c::is_on() const {
    return (cr1_ & kI2cPeripheralEnable) != 0;
}

void I2c::stop_ends(Picoseconds at) {
    if (target_ != nullptr) target_->stop();
    target_ = nullptr;
    flags_ = (flags_ & ~kI2cBusy) | kI2cStopf;
    cr2_ &= ~kI2cStop;
    enter(Phase::Idle, 0, at);
    if ((cr2_ & kI2cStart) != 0) return start(at);
    begin_foreign(at);
}

void I2c::phase_ends(Picoseconds at) {
    switch (phase_) {
        case Phase::Address:
            return address_ends(at);
        case Phase::AddressLow:
            return low_address_ends(at);
        case Phase::AddressAgain:
            return select(target_, at);
        case Phase::Send: {
            --remaining_;
            ++statistics_.written;
            if (!target_->write(shift_)) return refuse(at);
            return send_next(at);
        }
        case Phase::Receive:
            shift_ = target_->read();
            if ((flags_ & kI2cRxne) != 0) return enter(Phase::AwaitRead, 0, at);
            return take_received(at);
        case Phase::Acknowledge:
            --remaining_;
            return receive_next(at);
        case Phase::Stop:
            return stop_ends(at);
        default:
            return;  // software ends the others
    }
}

void I2c::settle(Picoseconds at) {
    // Only one controller has the bus.
    while (true) {
        if (due_ != 0 && due_ <= at) {
            phase_ends(std::exchange(due_, 0));
        } else if (foreign_due_ != 0 && foreign_due_ <= at) {
            foreign_phase_ends(std::exchange(foreign_due_, 0));
        } else {
            return;
        }
    }
}

void I2c::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    settle(now);
    update(now);
}

std::uint32_t I2c::status() const {
    return flags_ | (transmit_empty_ ? kI2cTxe : 0);
}

void I2c::update(Picoseconds at) {
    const std::uint32_t pending = flags_ | ((flags_ & kI2cTcr) != 0 ? kI2cTc : 0);
    constexpr std::uint32_t kEvents =
        kI2cTxis | kI2cRxne | kI2cAddr | kI2cNackf | kI2cStopf | kI2cTc;
    event_level_.set((pending & cr1_ & kEvents) != 0, on_event_interrupt);
    transmit_level_.set((cr1_ & kI2cTransmitDma) != 0 && (flags_ & kI2cTxis) != 0, at,
                        on_transmit_request);
    receive_level_.set((cr1_ & kI2cReceiveDma) != 0 && (flags_ & kI2cRxne) != 0, at,
                       on_receive_request);
    next_.cancel();
    if (const Picoseconds due = std::max(due_, foreign_due_); due != 0)
        next_.notify(delay_until(std::max(due, at)));
}

void I2c::disable(Picoseconds at) {
    const bool held = phase_ != Phase::Idle;
    if (target_ != nullptr) target_->stop();
    target_ = nullptr;
    flags_ = 0;
    transmit_empty_ = true;
    remaining_ = 0;
    due_ = 0;
    phase_ = Phase::Idle;
    cr2_ &= ~(kI2cStart | kI2cStop | kI2cNotAcknowledge);
    leave_foreign(at);
    if (held) begin_foreign(at);
}

void I2c::write_control_1(std::uint32_t next, Picoseconds at) {
    cr1_ = next;
    if (!is_on()) disable(at);
}

void I2c::write_control_2(std::uint32_t next, Picoseconds at) {
    // Software sets START and STOP, the unit clears them.
    const std::uint32_t commands = kI2cStart | kI2cStop | kI2cNotAcknowledge;
    const std::uint32_t before = cr2_;
    const bool enabled = is_on();
    cr2_ = enabled ? next | (before & (kI2cStart | kI2cStop)) : next & ~commands;
    if (!enabled) return;
    const bool starts = (~before & cr2_ & kI2cStart) != 0;
    const bool waits = phase_ == Phase::AwaitCommand || phase_ == Phase::AwaitData;
    if (phase_ == Phase::Idle) {
        // Without a transfer there is nothing to stop.
        cr2_ &= ~kI2cStop;
        if (starts && foreign_phase_ == ForeignPhase::Idle) start(at);
    } else if (waits && (cr2_ & kI2cStop) != 0) {
        stop(at);
    } else if (phase_ == Phase::AwaitCommand && (flags_ & kI2cTcr) != 0 && nbytes_of(cr2_) != 0) {
        flags_ &= ~kI2cTcr;
        remaining_ = nbytes_of(cr2_);
        if (reads_) {
            receive_next(at);
        } else {
            send_next(at);
        }
    } else if (phase_ == Phase::AwaitCommand && starts) {
        start(at);
    }
}

std::uint32_t* I2c::stored(std::uint32_t offset) {
    switch (offset) {
        case kI2cCr1:
            return &cr1_;
        case kI2cCr2:
            return &cr2_;
        case kI2cOar1:
            return &oar1_;
        case kI2cOar2:
            return &oar2_;
        case kI2cTimingr:
            return &timingr_;
        case kI2cTimeoutr:
            return &timeoutr_;
        default:
            return nullptr;
    }
}

/// Returns false if what was just written asks for something that is not modelled.
bool I2c::modelled(std::uint32_t offset) const {
    switch (offset) {
        case kI2cCr1: {
            const bool transmit = (cr1_ & kI2cTransmitDma) == 0 || on_transmit_request;
            const bool receive = (cr1_ & kI2cReceiveDma) == 0 || on_receive_request;
            // Who waits for an address needs another controller.
            const bool target = (cr1_ & kI2cAddr) == 0 || on_transfer;
            return (cr1_ & kI2cCr1NotModelled) == 0 && transmit && receive && target;
        }
        case kI2cCr2:
            return (cr2_ & kI2cPecByte) == 0;
        case kI2cTimeoutr:
            return timeoutr_ == 0;
        default:
            return true;
    }
}

RegisterBlock::Answer I2c::read(std::uint32_t offset, Picoseconds at) {
    if (offset > kI2cTxdr) return {.modelled = false};
    settle(at);
    Answer answer{.name = kI2cNames[offset / 4]};
    if (const std::uint32_t* const value = stored(offset); value != nullptr) {
        answer.value = *value;
    } else if (offset == kI2cIsr) {
        answer.value = status();
    } else if (offset == kI2cTxdr) {
        answer.value = transmit_;
    } else if (offset == kI2cRxdr) {
        answer.value = received_;
        flags_ &= ~kI2cRxne;
        if (phase_ == Phase::AwaitRead) take_received(at);
        if (foreign_phase_ == ForeignPhase::AwaitRead) take_foreign(at);
    }
    // What happened before this access may have changed the lines.
    update(at);
    return answer;
}

bool I2c::reads_freely(std::uint32_t offset) const {
    return offset != kI2cRxdr;
}

RegisterBlock::Answer I2c::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                 Picoseconds at) {
    if (offset > kI2cTxdr) return {.modelled = false};
    settle(at);
    std::uint32_t* const target = stored(offset);
    const std::uint32_t next = target == nullptr ? 0 : (*target & ~mask) | (value & mask);
    const std::uint32_t written = value & mask;
    switch (offset) {
        case kI2cCr1:
            write_control_1(next, at);
            break;
        case kI2cCr2:
            write_control_2(next, at);
            break;
        case kI2cIsr:
            // TXE written as one flushes TXDR.
            if ((written & kI2cTxe) != 0) transmit_empty_ = true;
            break;
        case kI2cIcr:
            flags_ &= ~(written & kI2cCleared);
            if ((written & kI2cAddr) != 0) address_cleared(at);
            break;
        case kI2cTxdr:
            if ((mask & 0xFF) == 0) break;
            transmit_ = static_cast<std::uint8_t>(written);
            transmit_empty_ = false;
            flags_ &= ~kI2cTxis;
            if (phase_ == Phase::AwaitData) send_next(at);
            if (foreign_phase_ == ForeignPhase::AwaitData) foreign_read_next(at);
            break;
        default:
            if (target != nullptr) *target = next;
            break;  // PECR and RXDR are read-only
    }
    Answer answer{.name = kI2cNames[offset / 4]};
    answer.modelled = modelled(offset);
    update(at);
    return answer;
}

void I2c::reset() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    cr1_ = 0;
    disable(now);
    cr2_ = oar1_ = oar2_ = timingr_ = timeoutr_ = 0;
    transmit_ = received_ = 0;
    statistics_ = {};
    update(now);
}

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
// An I2C unit as the target of another controller on its bus.
#include <algorithm>
#include <utility>

#include "models/soc/serial/i2c.h"
#include "models/soc/serial/i2c_registers.h"

namespace n6vp::models {

void I2c::transfer(I2cForeignTransfer wanted, Picoseconds at) {
    settle(at);
    foreign_.push_back(std::move(wanted));
    begin_foreign(at);
    update(at);
}

void I2c::begin_foreign(Picoseconds at) {
    if (foreign_.empty() || foreign_phase_ != ForeignPhase::Idle || phase_ != Phase::Idle) return;
    const I2cForeignTransfer& wanted = foreign_.front();
    result_ = {.acknowledged = true};
    matched_ = false;
    // Who reads from an address of 10 bits writes to it first.
    foreign_reads_ = wanted.written.empty() && wanted.reads != 0 && !wanted.ten_bits;
    if (is_on()) flags_ |= kI2cBusy;
    enter_foreign(ForeignPhase::Address, 9 + condition_, at);
}

void I2c::enter_foreign(ForeignPhase phase, double bits, Picoseconds at) {
    foreign_phase_ = phase;
    const double ps = bits * 1e12 / foreign_.front().scl_hz;
    foreign_due_ = bits == 0 ? 0 : at + std::max<Picoseconds>(1, static_cast<Picoseconds>(ps));
}

bool I2c::has_address(std::uint16_t address) const {
    if ((oar1_ & kI2cOwnEnable) != 0 && (oar1_ & kI2cOwnTenBits) == 0 &&
        (oar1_ >> 1 & 0x7F) == address)
        return true;
    if ((oar2_ & kI2cOwnEnable) == 0) return false;
    // OA2MSK: so many lower bits are not compared. With all of them free, reserved addresses are
    // not meant.
    const unsigned masked = oar2_ >> 8 & 7;
    if (masked == 7) return address >= 0x08 && address <= 0x77;
    return (oar2_ >> 1 & 0x7F) >> masked == static_cast<unsigned>(address >> masked);
}

bool I2c::has_header(std::uint16_t address) const {
    const std::uint32_t on = kI2cOwnEnable | kI2cOwnTenBits;
    return (oar1_ & on) == on && (oar1_ & 0x300) == (address & 0x300u);
}

void I2c::foreign_address_ends(Picoseconds at) {
    const I2cForeignTransfer& wanted = foreign_.front();
    // Inferred from the public driver, which refuses addresses by NACK.
    const bool hears = is_on() && (cr2_ & kI2cNotAcknowledge) == 0;
    if (!wanted.ten_bits) return match(hears && has_address(wanted.address), at);
    const bool header = hears && has_header(wanted.address);
    // Behind a repeated START the header is enough for who was addressed before.
    if (foreign_reads_) return match(header && matched_, at);
    if (!header) return match(false, at);
    enter_foreign(ForeignPhase::AddressLow, 9, at);
}

void I2c::match(bool matches, Picoseconds at) {
    if (!matches) {
        result_.acknowledged = false;
        return stop_foreign(at);
    }
    const I2cForeignTransfer& wanted = foreign_.front();
    // ADDCODE: of 10 bits the header.
    const std::uint32_t code = wanted.ten_bits ? 0x78u | wanted.address >> 8 : wanted.address;
    matched_ = true;
    flags_ =
        (flags_ & ~kI2cAddressCode) | kI2cAddr | code << 17 | (foreign_reads_ ? kI2cDirection : 0);
    done_ = 0;
    enter_foreign(ForeignPhase::AwaitClear, 0, at);
}

void I2c::address_cleared(Picoseconds at) {
    if (foreign_phase_ != ForeignPhase::AwaitClear) return;
    if (foreign_reads_) return foreign_read_next(at);
    foreign_write_next(at);
}

void I2c::foreign_write_next(Picoseconds at) {
    const I2cForeignTransfer& wanted = foreign_.front();
    if (done_ < wanted.written.size()) return enter_foreign(ForeignPhase::Receive, 8, at);
    if (wanted.reads == 0) return stop_foreign(at);
    foreign_reads_ = true;
    enter_foreign(ForeignPhase::Address, 9 + condition_, at);
}

void I2c::take_foreign(Picoseconds at) {
    if ((flags_ & kI2cRxne) != 0) return enter_foreign(ForeignPhase::AwaitRead, 0, at);
    received_ = foreign_.front().written[done_];
    flags_ |= kI2cRxne;
    enter_foreign(ForeignPhase::Acknowledge, 1, at);
}

void I2c::foreign_acknowledge_ends(Picoseconds at) {
    if ((cr2_ & kI2cNotAcknowledge) != 0) {
        cr2_ &= ~kI2cNotAcknowledge;
        return stop_foreign(at);
    }
    ++result_.taken;
    ++done_;
    foreign_write_next(at);
}

void I2c::foreign_read_next(Picoseconds at) {
    // The next byte is asked for as soon as this one is in the shift register.
    flags_ |= kI2cTxis;
    if (transmit_empty_) return enter_foreign(ForeignPhase::AwaitData, 0, at);
    shift_ = transmit_;
    transmit_empty_ = true;
    enter_foreign(ForeignPhase::Send, 9, at);
}

void I2c::foreign_byte_sent(Picoseconds at) {
    result_.read.push_back(shift_);
    if (result_.read.size() < foreign_.front().reads) return foreign_read_next(at);
    // The controller acknowledges all but the last.
    flags_ |= kI2cNackf;
    stop_foreign(at);
}

void I2c::stop_foreign(Picoseconds at) {
    enter_foreign(ForeignPhase::Stop, condition_, at);
    if (foreign_due_ == 0) foreign_stop_ends(at);
}

void I2c::foreign_stop_ends(Picoseconds at) {
    if (matched_) {
        flags_ |= kI2cStopf;
        cr2_ &= ~kI2cNotAcknowledge;
    }
    matched_ = false;
    flags_ &= ~kI2cBusy;
    foreign_phase_ = ForeignPhase::Idle;
    const I2cForeignTransfer done = std::move(foreign_.front());
    foreign_.pop_front();
    if (on_transfer) on_transfer(done, result_, at);
    // Whoever has waited for the bus: this unit first.
    if ((cr2_ & kI2cStart) != 0) return start(at);
    begin_foreign(at);
}

void I2c::foreign_phase_ends(Picoseconds at) {
    switch (foreign_phase_) {
        case ForeignPhase::Address:
            return foreign_address_ends(at);
        case ForeignPhase::AddressLow:
            return match((oar1_ & 0x3FF) == foreign_.front().address, at);
        case ForeignPhase::Receive:
            return take_foreign(at);
        case ForeignPhase::Acknowledge:
            return foreign_acknowledge_ends(at);
        case ForeignPhase::Send:
            return foreign_byte_sent(at);
        case ForeignPhase::Stop:
            return foreign_stop_ends(at);
        default:
            return;  // software ends the others
    }
}

/// The unit is switched off: SCL is free, and the other controller gets no acknowledge.
void I2c::leave_foreign(Picoseconds at) {
    matched_ = false;
    if (foreign_phase_ == ForeignPhase::Idle || foreign_phase_ == ForeignPhase::Stop) return;
    if (foreign_phase_ == ForeignPhase::Address || foreign_phase_ == ForeignPhase::AddressLow)
        result_.acknowledged = false;
    stop_foreign(at);
}

}  // namespace n6vp::models

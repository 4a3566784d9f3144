// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"
#include "models/soc/base/signal_level.h"
#include "models/soc/serial/i2c_device.h"
#include "models/soc/serial/i2c_foreign.h"

namespace n6vp::models {

struct I2cParameters {
    Parameter synchronisation{"synchronisation", 5, counts(64, "kernel cycles"),
                              Confidence::Assumed,
                              "SCL period beyond TIMINGR: two synchronisations, 4 to 6 cycles"};
    Parameter condition{"condition", 0.5, "SCL periods", Confidence::Assumed,
                        "START and STOP: hold and set-up times of the I2C bus at 100 kHz"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.synchronisation);
        function(self.condition);
    }
};

/// I2C unit (version 2: STM32L4, F7, H7, U5, N6): controller, and target of another controller.
///
/// Modelled: transfers of 7-bit and 10-bit addresses (ADD10, HEAD10R) in both directions with
/// NBYTES, AUTOEND, RELOAD, STOP and repeated START; TXIS TXE RXNE TC TCR STOPF NACKF BUSY; SCL
/// held low while software is awaited; the software reset by PE; interrupts and DMA requests; the
/// time of a bit by TIMINGR and the kernel clock. An address without device is not acknowledged,
/// and STOP follows.
/// As a target of another controller (`transfer`): OAR1 with 7 or 10 bits, OAR2 with its mask, ADDR
/// with ADDCODE and DIR, RXNE, TXIS one byte ahead, NACKF, STOPF, NACK; SCL held low while ADDR is
/// set, RXDR full or TXDR empty. The other controller reaches this unit only. It waits until the
/// bus is free, as this unit waits for it.
/// Not modelled: NOSTRETCH (SCL is held low nevertheless), SBC, general call, SMBus and PEC, bus
/// errors, arbitration, filters, wake-up. Asking for one of those from SBC on answers "not
/// modelled".
/// Sources: registers of the CMSIS device header; behaviour of the HAL driver's transfers, bus
/// diagrams of the reference manuals of the family.
class I2c : public sc_core::sc_module, public RegisterBlock {
  public:
    struct Statistics {
        std::uint64_t transfers = 0;          ///< START conditions
        std::uint64_t refused = 0;            ///< addresses and bytes without acknowledge
        std::uint64_t written = 0, read = 0;  ///< bytes
    };

    I2c(const sc_core::sc_module_name& name, const char* block,
        const I2cParameters& parameters = {});
    using RegisterBlock::name;

    std::function<void(bool level)> on_event_interrupt;
    /// Error flags are not set by this model: the line stays low.
    std::function<void(bool level)> on_error_interrupt;
    /// DMA requests, level and the absolute time of its change: TXIS and RXNE, each with its enable
    /// in CR1. While one is not connected, its enable answers "not modelled".
    std::function<void(bool level, Picoseconds at)> on_transmit_request, on_receive_request;

    /// Puts a device on the bus. Fails with std::logic_error if its address is taken.
    void attach(std::unique_ptr<I2cDevice> device);
    [[nodiscard]] I2cDevice* device(std::uint16_t address, bool ten_bits = false);

    /// Another controller makes a transfer, from the absolute time `at` on or when the bus is free.
    void transfer(I2cForeignTransfer wanted, Picoseconds at);
    /// It has ended by STOP. While this is not connected, ADDRIE answers "not modelled".
    std::function<void(const I2cForeignTransfer& done, const I2cForeignResult& result,
                       Picoseconds at)>
        on_transfer;

    /// Frequency of the kernel clock from now on; the bit under way keeps its time.
    void set_kernel_hz(double hz);
    /// Returns the period of SCL.
    [[nodiscard]] Picoseconds scl_ps() const;
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t offset) const override;
    void reset() override;

  private:
    enum class Phase : std::uint8_t {
        Idle,
        Address,       ///< START and nine bits
        AddressLow,    ///< nine bits: the second byte of an address of 10 bits
        AddressAgain,  ///< repeated START and nine bits, to read from one
        AwaitData,     ///< SCL low until TXDR is written
        Send,          ///< nine bits
        Receive,       ///< eight bits
        AwaitRead,     ///< SCL low until RXDR is read
        Acknowledge,   ///< the ninth bit of a received byte
        AwaitCommand,  ///< SCL low: TC or TCR
        Stop,
    };

    void step();
    /// All that happens on the bus up to `at` has happened.
    void settle(Picoseconds at);
    void phase_ends(Picoseconds at);
    void enter(Phase phase, double bits, Picoseconds at);
    void start(Picoseconds at);
    void address_ends(Picoseconds at);
    /// Of an address of 10 bits.
    void header_ends(Picoseconds at);
    void low_address_ends(Picoseconds at);
    /// The address is complete, and this device has it, or none.
    void select(I2cDevice* next, Picoseconds at);
    /// To a device that is no longer addressed a repeated START is the end of its transfer.
    void leave_other_than(const I2cDevice* next);
    void send_next(Picoseconds at);
    void receive_next(Picoseconds at);
    void take_received(Picoseconds at);
    void refuse(Picoseconds at);
    /// NBYTES are done, or a STOP was asked for.
    void transfer_ends(Picoseconds at);
    void stop(Picoseconds at);
    void stop_ends(Picoseconds at);
    void disable(Picoseconds at);

    /// Of a transfer by another controller.
    enum class ForeignPhase : std::uint8_t {
        Idle,
        Address,     ///< START and nine bits
        AddressLow,  ///< nine bits: the second byte of an address of 10 bits
        AwaitClear,  ///< SCL low until ADDR is cleared
        Receive,     ///< eight bits to this unit
        AwaitRead,   ///< SCL low until RXDR is read
        Acknowledge,
        AwaitData,  ///< SCL low until TXDR is written
        Send,       ///< nine bits from this unit
        Stop,
    };
    void begin_foreign(Picoseconds at);
    void enter_foreign(ForeignPhase phase, double bits, Picoseconds at);
    void foreign_phase_ends(Picoseconds at);
    void foreign_address_ends(Picoseconds at);
    /// The address, or the header behind a repeated START, is this unit's, or not.
    void match(bool matches, Picoseconds at);
    void address_cleared(Picoseconds at);
    void foreign_write_next(Picoseconds at);
    void take_foreign(Picoseconds at);
    void foreign_acknowledge_ends(Picoseconds at);
    void foreign_read_next(Picoseconds at);
    void foreign_byte_sent(Picoseconds at);
    void stop_foreign(Picoseconds at);
    void foreign_stop_ends(Picoseconds at);
    void leave_foreign(Picoseconds at);
    /// 7 bits; the header of 10 bits.
    [[nodiscard]] bool has_address(std::uint16_t address) const;
    [[nodiscard]] bool has_header(std::uint16_t address) const;
    [[nodiscard]] bool is_on() const;

    void write_control_1(std::uint32_t next, Picoseconds at);
    void write_control_2(std::uint32_t next, Picoseconds at);
    [[nodiscard]] std::uint32_t status() const;
    [[nodiscard]] bool modelled(std::uint32_t offset) const;
    [[nodiscard]] std::uint32_t* stored(std::uint32_t offset);
    /// Interrupts, requests and the next moment at which anything happens by itself.
    void update(Picoseconds at);

    const double synchronisation_, condition_;
    double kernel_hz_ = 0;
    std::uint32_t cr1_ = 0, cr2_ = 0, oar1_ = 0, oar2_ = 0, timingr_ = 0, timeoutr_ = 0;
    std::uint32_t flags_ = 0;  ///< of ISR, without TXE
    bool transmit_empty_ = true;
    std::uint8_t transmit_ = 0, received_ = 0, shift_ = 0;
    std::uint32_t remaining_ = 0;  ///< bytes of NBYTES
    bool reads_ = false;           ///< direction of the transfer
    Phase phase_ = Phase::Idle;
    Picoseconds due_ = 0;  ///< end of the phase; 0: software ends it
    I2cDevice* target_ = nullptr;
    std::vector<std::unique_ptr<I2cDevice>> devices_;

    std::deque<I2cForeignTransfer> foreign_;  ///< the first of them is under way
    ForeignPhase foreign_phase_ = ForeignPhase::Idle;
    Picoseconds foreign_due_ = 0;  ///< end of the phase; 0: software ends it
    bool foreign_reads_ = false;   ///< direction
    bool matched_ = false;         ///< this unit is addressed
    std::size_t done_ = 0;         ///< bytes that it has taken
    I2cForeignResult result_;

    SignalLevel event_level_, transmit_level_, receive_level_;
    sc_core::sc_event next_;
    Statistics statistics_;
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/i2c_device.h"
#include "models/soc/register_block.h"
#include "models/soc/signal_level.h"

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

/// I2C controller (version 2 of the unit: STM32L4, F7, H7, U5, N6) as the bus's only master.
///
/// Modelled: transfers of 7-bit and 10-bit addresses (ADD10, HEAD10R) in both directions with
/// NBYTES, AUTOEND, RELOAD, STOP and repeated START; TXIS TXE RXNE TC TCR STOPF NACKF BUSY; SCL
/// held low while software is awaited; the software reset by PE; interrupts and DMA requests; the
/// time of a bit by TIMINGR and the kernel clock. An address without device is not acknowledged,
/// and STOP follows. Not modelled: target (slave) mode, SMBus and PEC, bus errors, arbitration,
/// filters, wake-up. Asking for one answers "not modelled", but for an own address, which drivers
/// always set and nothing ever calls.
/// Sources: registers of the CMSIS device header; behaviour of the HAL driver's transfers.
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
    void disable();

    void write_control_1(std::uint32_t next);
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
    SignalLevel event_level_, transmit_level_, receive_level_;
    sc_core::sc_event next_;
    Statistics statistics_;
};

}  // namespace n6vp::models

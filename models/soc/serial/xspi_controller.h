// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <systemc>

#include "models/fabric/access_filter.h"
#include "models/fabric/serial_device.h"
#include "models/parameter.h"
#include "models/soc/base/flag_times.h"
#include "models/soc/base/register_block.h"

namespace n6vp::models {

struct XspiControllerParameters {
    Parameter mapped_after_boot{"mapped_after_boot", 1, kSwitch, Confidence::Assumed,
                                "1: the boot ROM leaves XSPI1 and 2 memory-mapped, 0: they are off "
                                "until firmware sets EN and FMODE = 3 in CR"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.mapped_after_boot);
    }
};

/// One XSPI controller as software drives it: by polling, by interrupts, or memory-mapped.
///
/// Modelled: CR, DCR1.DEVSIZE, DCR2.PRESCALER, SR, FCR, DLR, AR, DR, PSMKR, PSMAR, PIR, CCR, TCR,
/// IR, ABR. A command goes to the device with its phases, and takes the clocks that CCR and TCR
/// say; data pass a FIFO of 64 bytes, and while that is full or empty the device's clock stands.
/// Automatic polling until the status matches; interrupts; abort; transfer error for an address
/// beyond the device. Memory-mapped accesses do not come this way, but pass the filter `window`,
/// which is open from the write of CR that says EN and FMODE = 3 to the one that does not, and
/// before the first write of CR by `mapped`. They take the command of the memory's own parameters.
/// Not modelled: alternate bytes beyond their time, time-out counter, CSBOUND, MAXTRAN, refresh,
/// wrap and write sets, calibration, HyperBus, dual memories, BUSY in memory-mapped mode, polls
/// after a match without APMS: their registers keep what is written. A write of DR to a full FIFO
/// makes it longer instead of waiting.
class XspiController : public sc_core::sc_module, public RegisterBlock {
  public:
    static constexpr std::size_t kFifoBytes = 64;

    /// `mapped`: memory-mapped out of reset.
    XspiController(const sc_core::sc_module_name& name, const char* block, bool mapped = false,
                   const FlagTimes& times = {});
    using RegisterBlock::name;

    /// What is on its lines; null: nothing, reads give 0xFF. It must outlive the controller.
    void connect(SerialDevice* device) { device_ = device; }
    /// Clock of the pins, prescaler included.
    void set_clock_hz(double hz) { clock_ps_ = 1e12 / hz; }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer read_bytes(std::uint32_t offset, std::uint32_t mask,
                                    Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t offset) const override;
    /// Commands that end meanwhile change the memory device.
    [[nodiscard]] bool polls_freely(std::uint32_t offset, Picoseconds at) const override {
        return reads_freely(offset) && (next_at_ == 0 || next_at_ > at);
    }
    void reset() override;

    std::function<void(bool level)> on_interrupt;
    /// The line to the DMA controllers: FIFO threshold reached while DMAEN = 1.
    std::function<void(bool level)> on_dma_request;

    [[nodiscard]] bool memory_mapped() const { return mapped_; }
    /// Stands before the memory; closed, it answers with a bus error (assumed).
    [[nodiscard]] AccessFilter& window() { return window_; }
    /// Called after `memory_mapped` has changed.
    std::function<void()> on_mapped;
    /// The kernel clock is divided by this for the pins: 1 after reset.
    [[nodiscard]] unsigned divider() const { return divider_; }
    /// Called after the divider has changed.
    std::function<void()> on_divider;

  private:
    class Window : public AccessFilter {
      public:
        explicit Window(const XspiController& controller);
        [[nodiscard]] Verdict judge(const Transfer&, const Access&) override {
            return controller_.mapped_ ? Verdict::Pass : Verdict::Error;
        }
        [[nodiscard]] bool passes(const Transfer&, const Access&) const override {
            return controller_.mapped_;
        }
        [[nodiscard]] const char* reason() const override { return reason_.c_str(); }

      private:
        const XspiController& controller_;
        const std::string reason_;
    };
    enum class Phase : std::uint8_t {
        Idle,
        Command,  ///< without data
        Read,
        Write,
        Poll,
        Abort,
    };

    void step();
    void set_mapped(bool mapped);
    void set_divider(unsigned divider);
    [[nodiscard]] std::uint32_t held(std::uint32_t offset) const;
    [[nodiscard]] bool outside_device() const;
    void write_control(std::uint32_t value, Picoseconds at);
    /// Software has written the instruction or the address.
    void trigger(bool address, Picoseconds at);
    void start(Picoseconds at);
    void start_write(Picoseconds at);
    void put_data(std::uint32_t value, std::uint32_t mask, Picoseconds at);
    /// `at` becomes the time at which the data are there.
    [[nodiscard]] std::uint32_t take_data(std::uint32_t mask, Picoseconds& at);
    void abort(Picoseconds at);
    void stop();
    /// All that happens on the lines up to `at` has happened.
    void settle(Picoseconds at);
    void advance();
    void advance_read();
    void advance_write();
    void advance_poll();
    void poll_again(Picoseconds at);
    [[nodiscard]] Picoseconds poll_ps() const;         ///< of one status read on the lines
    [[nodiscard]] Picoseconds poll_period_ps() const;  ///< from one status read to the next
    void complete(std::uint32_t flag);
    /// Lines to the interrupt controller and DMA, and when anything happens next by itself.
    void update(Picoseconds at);
    [[nodiscard]] std::uint32_t status() const;
    [[nodiscard]] SerialCommand command() const;
    [[nodiscard]] Picoseconds clocks(double count) const;
    /// Time from the fall of the chip select to the first data, and of a byte of data.
    [[nodiscard]] Picoseconds header_ps() const;
    [[nodiscard]] Picoseconds byte_ps() const;

    SerialDevice* device_ = nullptr;
    const Picoseconds abort_ps_;
    double clock_ps_ = 1e12 / 100e6;
    std::map<std::uint32_t, std::uint32_t> registers_;  ///< by offset, of those that were written
    std::uint32_t flags_ = 0;                           ///< TEF, TCF, SMF
    const bool mapped_after_reset_;
    bool mapped_;
    Window window_;
    unsigned divider_ = 1;

    Phase phase_ = Phase::Idle;
    bool armed_ = false;          ///< a command waits for its data
    std::uint64_t total_ = 0;     ///< bytes of the transfer
    std::uint64_t given_ = 0;     ///< of a write, by software
    std::uint64_t moved_ = 0;     ///< over the lines
    Picoseconds next_at_ = 0;     ///< end of what is on the lines; 0: they stand
    Picoseconds stood_at_ = 0;    ///< since when they stand
    Picoseconds poll_start_ = 0;  ///< of the poll that is on the lines
    std::deque<std::uint8_t> fifo_;
    bool interrupt_ = false, dma_request_ = false;
    sc_core::sc_event next_;
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/fabric/memory_cipher.h"
#include "models/fabric/port_schedule.h"
#include "models/memory/timed_memory.h"
#include "models/parameter.h"

namespace n6vp::models {

/// Defaults are those of the NOR flash on XSPI2 (MX66UW1G45G, octal, double rate).
struct XspiParameters {
    Parameter lines{"lines", 8, counts(64), Confidence::Documented, "board support package"};
    Parameter command_clocks{"command_clocks", 1, "clocks", Confidence::Documented,
                             "16-bit opcode, double rate"};
    Parameter address_clocks{"address_clocks", 2, "clocks", Confidence::Documented,
                             "32-bit address, double rate"};
    Parameter read_dummy_clocks{"read_dummy_clocks", 20, "clocks", Confidence::Documented,
                                "board support package: device programmed to 20; DQS marks data"};
    Parameter write_dummy_clocks{"write_dummy_clocks", 0, "clocks", Confidence::Documented,
                                 "no memory-mapped writes"};
    Parameter ncs_high_clocks{"ncs_high_clocks", 2, "clocks", Confidence::Documented,
                              "board support package"};
    Parameter prefetch_bytes{"prefetch_bytes", 32, ParameterUnit{"B", {0, 4096, true}},
                             Confidence::Assumed,
                             "how far the controller reads ahead of the last request"};
    Parameter release_clocks{"release_clocks", 0, "clocks", Confidence::Documented,
                             "refresh counter; 0 = NCS is never released by force"};
    Parameter restart_clocks{"restart_clocks", 0, "clocks", Confidence::Assumed,
                             "controller time to resume after a forced release, beside NCS high"};
    Parameter boundary_bytes{"boundary_bytes", 0, ParameterUnit{"B", {0, 1 << 24, true}},
                             Confidence::Documented,
                             "NCS is released when a transfer crosses a multiple; 0 = never"};
    Parameter writable{"writable", 0, kSwitch, Confidence::Documented,
                       "memory-mapped NOR is read-only"};
    Parameter power_up_byte{"power_up_byte", 0xFF, ParameterUnit{"", {0, 255, true}},
                            Confidence::Documented, "erase state of NOR cells"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.lines);
        function(self.command_clocks);
        function(self.address_clocks);
        function(self.read_dummy_clocks);
        function(self.write_dummy_clocks);
        function(self.ncs_high_clocks);
        function(self.prefetch_bytes);
        function(self.release_clocks);
        function(self.restart_clocks);
        function(self.boundary_bytes);
        function(self.writable);
        function(self.power_up_byte);
    }
};

/// Returns the parameters of the PSRAM on XSPI1 (APS256XX, 16 lines, double rate).
[[nodiscard]] XspiParameters psram_parameters();

/// A serial memory behind its controller in memory-mapped mode.
///
/// Modelled: command, address, dummy and data phases; NCS kept low between bursts, so that a burst
/// that continues the last address in the same direction costs data clocks only; automatic prefetch
/// of a few bytes beyond the last read, after which the device's clock stands still; NCS high time
/// before a new transaction; forced release of NCS by the refresh counter and at an address
/// boundary, with a new command phase; writes where the device allows them, refused where it does
/// not. A burst that comes late in the order of the calls, but whose time lies before that of
/// others, is served in turn (PortSchedule) as a transaction of its own; what it takes, with a new
/// command phase, the stream that it interrupts pays at its next burst. Not modelled: indirect
/// mode, device registers, program and erase times, wrap bursts, calibration, refresh collisions
/// inside the device (its fixed latency includes them), the time of a cipher. `t_ctrl` (FIFO, bus
/// interface, bridge) belongs to the fabric's route.
class XspiMemory : public TimedMemory {
  public:
    XspiMemory(const sc_core::sc_module_name& name, std::uint32_t bytes, double kernel_hz,
               const XspiParameters& parameters);
    void set_clock_hz(double hz) override;
    void reset() override;

    /// Data pass this cipher from now on; null: as they are. Debug accesses pass it, too.
    void set_cipher(const MemoryCipher* cipher) { cipher_ = cipher; }
    /// The memory whose port the other one serves from now on, until null: swapped lines. A cipher
    /// belongs to the port.
    void set_instead(XspiMemory* other) { instead_ = other; }
    /// Returns true if these bytes are seen as the memory holds them.
    [[nodiscard]] bool plain(std::uint32_t offset, std::uint32_t bytes) const {
        return instead_ == nullptr && (cipher_ == nullptr || !cipher_->covers(offset, bytes));
    }

    struct Transactions {
        std::uint64_t started = 0;    ///< with command phase, forced restarts included
        std::uint64_t continued = 0;  ///< bursts that cost data clocks only
        std::uint64_t forced = 0;     ///< releases by refresh counter or boundary
    };
    [[nodiscard]] const Transactions& transactions() const { return state_.transactions; }
    Picoseconds serve(tlm::tlm_generic_payload& trans, std::uint32_t offset, Transfer& transfer,
                      Picoseconds arrival) override;
    Picoseconds read_again(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                           Transfer& transfer, const RepeatTime& when) override;

  private:
    enum class Mode : std::uint8_t { Released, Read, Write };
    /// Of the transaction that ends last.
    struct State {
        Mode mode = Mode::Released;
        bool interrupted = false;  ///< by a burst that came into its past
        std::uint32_t next = 0;    ///< offset behind the last byte moved
        Picoseconds ready = 0;     ///< absolute time at which the device had moved that byte
        Picoseconds ncs_low = 0;   ///< absolute time at which NCS fell
        Transactions transactions;
    };

    friend TimedMemory;
    unsigned transport_dbg(tlm::tlm_generic_payload& trans) override;
    /// `serve` where a cipher or swapped lines have a say.
    Picoseconds serve_changed(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                              Transfer& transfer, Picoseconds arrival);
    Picoseconds schedule(Transfer& transfer, const Burst& burst, Picoseconds arrival);
    /// Serves a burst that comes into the past of others; answers as `schedule`.
    Picoseconds serve_late(Transfer& transfer, const Burst& burst, Picoseconds arrival);
    /// Returns the time from the fall of NCS to the first data.
    [[nodiscard]] Picoseconds header(Mode mode) const;
    [[nodiscard]] bool follows(const Burst& burst) const;
    /// Returns when data of a transaction that is wanted from `wanted` on can start to move.
    Picoseconds open(Mode mode, Picoseconds wanted);
    Picoseconds reopen_by_force(Picoseconds at);
    /// Returns when the first data of `burst` start to move, in a new or in the open transaction;
    /// from `begin` on the port is busy with it.
    Picoseconds start(const Burst& burst, Picoseconds arrival, Picoseconds& begin);
    /// Moves the data from `cursor` on; returns when the first beat is there.
    Picoseconds move(const Burst& burst, Picoseconds cursor);
    [[nodiscard]] bool at_boundary(std::uint32_t offset) const;
    /// Returns how many bytes may move from `offset` at `at` before NCS must rise.
    [[nodiscard]] std::uint32_t until_release(std::uint32_t offset, Picoseconds at) const;
    [[nodiscard]] Picoseconds clocks(double count) const;
    [[nodiscard]] Picoseconds data_ps(std::uint32_t bytes) const;

    XspiParameters parameters_;
    double kernel_hz_;
    double bytes_per_clock_;
    State state_;
    PortSchedule port_;
    const MemoryCipher* cipher_ = nullptr;
    XspiMemory* instead_ = nullptr;
};

}  // namespace n6vp::models

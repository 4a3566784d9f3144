// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/fabric/port_schedule.h"
#include "models/memory/timed_memory.h"
#include "models/parameter.h"

namespace n6vp::models {

struct SramParameters {
    Parameter beat_bytes{"beat_bytes", 8, counts(64, "B"), Confidence::Documented,
                         "device header: 64-bit port"};
    Parameter beat_cycles{"beat_cycles", 1, "cycles", Confidence::Assumed,
                          "one beat per cycle of the bank's port clock"};
    Parameter single_read_cycles{"single_read_cycles", 1, "cycles", Confidence::Assumed,
                                 "strided NPU read, per beat: 2.5 NPU cycles, the bound by the NOC "
                                 "clock; not measured"};
    Parameter single_write_cycles{"single_write_cycles", 1, "cycles", Confidence::Assumed,
                                  "strided NPU write, per beat: as for reads"};
    Parameter separate_write_port{"separate_write_port", 0, kSwitch, Confidence::Assumed,
                                  "one access per cycle: reads and writes exclude each other"};
    Parameter power_up_byte{
        "power_up_byte", 0xA5, ParameterUnit{"", {0, 255, true}}, Confidence::Assumed,
        "undefined on silicon; a fixed pattern exposes reads of uninitialised memory"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.beat_bytes);
        function(self.beat_cycles);
        function(self.single_read_cycles);
        function(self.single_write_cycles);
        function(self.separate_write_port);
        function(self.power_up_byte);
    }
};

/// Returns the parameters of the banks on the NPU side (AXISRAM3 to 6, RAM of the NPU cache).
[[nodiscard]] SramParameters nic_sram_parameters();

/// One on-chip RAM bank.
///
/// Modelled: one beat per cycle of the port clock, the port busy until the last beat, bursts served
/// in the first gap at or after their arrival; optionally one read and one write beat in the same
/// cycle; what a strided access of the NPU (`Transfer::single_beats`) costs beyond that.
/// Not modelled: ECC, hardware erase. Latency of the way to the bank belongs to the fabric.
class Sram : public TimedMemory {
  public:
    Sram(const sc_core::sc_module_name& name, std::uint32_t bytes, double clock_hz,
         const SramParameters& parameters);
    void set_clock_hz(double hz) override;
    void reset() override;
    Picoseconds serve(tlm::tlm_generic_payload& trans, std::uint32_t offset, Transfer& transfer,
                      Picoseconds arrival) override;
    Picoseconds read_again(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                           Transfer& transfer, const RepeatTime& when) override;

  private:
    struct Beat {
        std::uint64_t fine = 0;  ///< duration in 2^-20 ps: exact enough for bursts of any length
        Picoseconds whole = 0;
    };

    friend TimedMemory;
    Picoseconds schedule(Transfer& transfer, const Burst& burst, Picoseconds arrival);
    /// Returns the number of beats behind the first.
    [[nodiscard]] std::uint32_t further_beats(const Burst& burst) const;

    SramParameters parameters_;
    std::uint32_t beat_bytes_;
    Beat beat_, single_read_, single_write_;
    PortSchedule reads_;  ///< and writes, if there is one port for both
    PortSchedule writes_;
    bool separate_write_port_;
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/memory/timed_memory.h"
#include "models/parameter.h"

namespace n6vp::models {

struct SramParameters {
    Parameter beat_bytes{"beat_bytes", 8, "B", Confidence::Documented,
                         "device header: 64-bit port"};
    Parameter beat_cycles{"beat_cycles", 1, "cycles", Confidence::Assumed,
                          "one beat per cycle of the bank's port clock"};
    Parameter separate_write_port{"separate_write_port", 0, "", Confidence::Assumed,
                                  "one access per cycle: reads and writes exclude each other"};
    Parameter power_up_byte{"power_up_byte", 0xA5, "", Confidence::Assumed,
                            "undefined on silicon; a fixed pattern shows who relies on it"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.beat_bytes);
        function(self.beat_cycles);
        function(self.separate_write_port);
        function(self.power_up_byte);
    }
};

/// Returns the parameters of the banks on the NPU side (AXISRAM3 to 6, RAM of the NPU cache).
[[nodiscard]] inline SramParameters nic_sram_parameters() {
    SramParameters parameters;
    parameters.separate_write_port = {
        "separate_write_port", 1, "", Confidence::Measured,
        "published profile of an 8-class audio network, epoch 62: 0.72 NIC cycles per access"};
    return parameters;
}

/// One on-chip RAM bank.
///
/// Modelled: one beat per cycle of the port clock, bursts served in order of arrival, the port busy
/// until the last beat; optionally one read and one write beat in the same cycle.
/// Not modelled: the extra 5 % per strided single-beat write and 27 % per such read that NPU
/// profiles show (they need the NPU as initiator), ECC, shut-down, hardware erase. Latency of the
/// way to the bank belongs to the fabric.
class Sram : public TimedMemory {
  public:
    Sram(const sc_core::sc_module_name& name, std::uint32_t bytes, double clock_hz,
         const SramParameters& parameters);
    void reset() override;

  private:
    BurstTimes schedule(const Burst& burst) override;

    std::uint32_t beat_bytes_;
    Picoseconds beat_ps_;
    bool separate_write_port_;
    Picoseconds read_free_ = 0, write_free_ = 0;  ///< absolute time at which the port is idle again
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/memory/timed_memory.h"
#include "models/parameter.h"

namespace n6vp::models {

struct TcmParameters {
    Parameter beat_bytes{"beat_bytes", 8, counts(64, "B"), Confidence::Assumed,
                         "what the core moves in the cycle of the instruction itself"};
    Parameter power_up_byte{
        "power_up_byte", 0xA5, ParameterUnit{"", {0, 255, true}}, Confidence::Assumed,
        "undefined on silicon; a fixed pattern exposes reads of uninitialised memory"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.beat_bytes);
        function(self.power_up_byte);
    }
};

/// A memory tightly coupled to the core.
///
/// Modelled: no wait states: the first beat takes no time beyond that of the core's instruction,
/// each further one a core cycle. Not modelled: access of other bus masters, which would share the
/// port with the core; ECC.
class Tcm : public TimedMemory {
  public:
    Tcm(const sc_core::sc_module_name& name, std::uint32_t bytes, double core_hz,
        const TcmParameters& parameters);
    void set_clock_hz(double hz) override;
    Picoseconds serve(tlm::tlm_generic_payload& trans, std::uint32_t offset, Transfer& transfer,
                      Picoseconds arrival) override;
    Picoseconds read_again(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                           Transfer& transfer, const RepeatTime& when) override;

  private:
    friend TimedMemory;
    Picoseconds schedule(Transfer& transfer, const Burst& burst, Picoseconds arrival);

    std::uint32_t beat_bytes_;
    double core_hz_ = 0;
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/memory/timed_memory.h"
#include "models/parameter.h"

namespace n6vp::models {

/// Defaults: a serial memory on four lines at half the bus clock, read by FAST READ QUAD I/O.
struct ExternalMemoryParameters {
    Parameter access_cycles{
        "access_cycles",
        40,
        {"HCLK cycles", {0, 100000}},
        Confidence::Assumed,
        "before the first byte, unless an access follows on the last one: 8 clocks of "
        "command on one line, 6 of address on four, 6 of dummies, at HCLK / 2"};
    Parameter byte_cycles{"byte_cycles",
                          4,
                          {"HCLK cycles", {0, 1000}},
                          Confidence::Assumed,
                          "2 clocks on four lines at HCLK / 2; 0.5 for eight lines with both edges "
                          "at HCLK"};
    Parameter power_up_byte{
        "power_up_byte", 0xFF, {"", {0, 255, true}}, Confidence::Assumed, "erased flash"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.access_cycles);
        function(self.byte_cycles);
        function(self.power_up_byte);
    }
};

/// Memory of the board behind a controller of the chip, memory-mapped.
///
/// Modelled: one access at a time, in the order of the calls (the core is the only master); the
/// start of an access, its bytes, and that an access to the address behind the last one needs no
/// new start, as the controller keeps chip select low. Not modelled: the controller's registers,
/// its prefetch between accesses, page and refresh times, erasing before writing.
class ExternalMemory : public TimedMemory {
  public:
    ExternalMemory(const sc_core::sc_module_name& name, std::uint32_t bytes, double clock_hz,
                   const ExternalMemoryParameters& parameters);
    void set_clock_hz(double hz) override { hz_ = hz; }
    void reset() override;
    Picoseconds serve(tlm::tlm_generic_payload& trans, std::uint32_t offset, Transfer& transfer,
                      Picoseconds arrival) override;
    Picoseconds read_again(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                           Transfer& transfer, const RepeatTime& when) override;

  private:
    friend TimedMemory;
    Picoseconds schedule(Transfer& transfer, const Burst& burst, Picoseconds arrival);

    static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

    ExternalMemoryParameters parameters_;
    double hz_;
    std::uint64_t next_ = kNowhere;  ///< offset behind the last access
    bool wrote_ = false;             ///< the last access
    Picoseconds free_at_ = 0;
};

}  // namespace n6vp::models

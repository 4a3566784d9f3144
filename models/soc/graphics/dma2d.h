// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <systemc>
#include <vector>

#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"
#include "models/soc/base/signal_level.h"
#include "models/soc/graphics/dma2d_pixels.h"
#include "models/soc/rif/burst_port.h"

namespace n6vp::models {

struct Dma2dParameters {
    Parameter start{"start", 16, "bus cycles", Confidence::Assumed,
                    "from CR.START or xPFCCR.START to the first access; no public value"};
    Parameter pixel{"pixel", 1, "bus cycles", Confidence::Documented,
                    "vendor's presentation of the unit: one pixel per cycle when it converts; "
                    "copies and fills are as fast as their accesses"};
    Parameter burst{"burst", 128, ParameterUnit{"B", {4, 4096, true}}, Confidence::Assumed,
                    "largest burst: 16 beats of 64 bits"};
    Parameter outstanding{"outstanding", 2, counts(8, "writes"), Confidence::Assumed,
                          "writes whose response is awaited before the next must wait"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.start);
        function(self.pixel);
        function(self.burst);
        function(self.outstanding);
    }
};

/// DMA2D: copies, converts, blends and fills rectangles of pixels in memory.
///
/// Modelled: the six modes of CR; every format of the sources with CLUT, automatic load of the
/// CLUTs and their access by software; YCbCr of the foreground in units of a JPEG decoder; alpha
/// modes, inversion, red and blue swapped; output formats with swapped bytes; line offsets in
/// pixels or bytes; SUSP, ABORT, line watermark, dead time; transfer, CLUT access and configuration
/// errors. Registers of a transfer keep their values while one is under way.
/// Not modelled: triggers of and to the DMA controllers.
/// Time: bursts of `burst` bytes of a line, reads of the next one while the last is written.
/// Assumed, beside the parameters: all runs with the clock of the interconnect; LWR counts lines
/// from 1; in a copy only the bytes swapped by OPFCCR.SB differ; what asks for a start while
/// another transfer runs is ignored.
/// Sources: registers of the public register description; behaviour of the HAL driver and the
/// reference manuals of the family.
class Dma2d : public sc_core::sc_module, public RegisterBlock {
  public:
    struct Statistics {
        std::uint64_t transfers = 0;  ///< that were complete
        std::uint64_t pixels = 0;     ///< written
        std::uint64_t tables = 0;     ///< CLUTs that were loaded
        std::uint64_t errors = 0;     ///< of the bus and of the configuration
    };

    BurstPort port;
    MasterAttributes attributes;  ///< on the bus

    explicit Dma2d(const sc_core::sc_module_name& name, const char* block,
                   const Dma2dParameters& parameters = {});
    using RegisterBlock::name;

    std::function<void(bool level)> on_interrupt;
    /// Whether the unit has a clock; without this function it always has. It rests without one.
    std::function<bool()> clocked;
    /// The answer of `clocked` has changed.
    void clock_changed();
    /// Frequency of its clock from the next access on.
    void set_clock_hz(double hz);

    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;

  private:
    enum class Work : std::uint8_t { None, Pixels, ForegroundTable, BackgroundTable };

    /// A rectangle of pixels in memory.
    struct Plane {
        std::uint32_t address = 0;
        std::uint64_t pitch = 0;  ///< bytes from line to line
        unsigned bits = 0;        ///< of a pixel; 0: nothing is there
        std::vector<std::uint8_t> bytes;
        [[nodiscard]] std::uint32_t place(std::uint32_t line, std::uint32_t column) const;
    };

    [[nodiscard]] graphics::Dma2dConverter converter(bool foreground) const;
    [[nodiscard]] std::uint32_t mode() const;
    [[nodiscard]] std::uint32_t columns() const;
    [[nodiscard]] std::uint32_t lines() const;
    [[nodiscard]] bool misconfigured() const;
    [[nodiscard]] bool source_misconfigured(bool foreground) const;
    [[nodiscard]] bool output_misconfigured() const;

    void start(Work work, Picoseconds at);
    void prepare_planes();
    [[nodiscard]] Plane plane(std::uint32_t address, std::uint32_t offset, unsigned bits) const;
    void step();
    void step_pixels(Picoseconds now);
    void step_table(Picoseconds now);
    /// Reads what the next pixels need. Returns the time at which it is there.
    [[nodiscard]] Picoseconds fetch(std::uint32_t count, Picoseconds now);
    [[nodiscard]] Picoseconds fetch_units(Picoseconds now);
    void compute(std::uint32_t count);
    [[nodiscard]] graphics::Colour foreground_at(std::uint32_t index) const;
    /// One access that leaves at `at` or later. Returns its end.
    Picoseconds access(bool write, std::uint32_t address, std::span<std::uint8_t> data,
                       Picoseconds at);
    void finish(std::uint32_t flags);
    void schedule(Picoseconds at);
    void write_control(std::uint32_t next, Picoseconds at);
    void write_converter(std::uint32_t offset, std::uint32_t next, Picoseconds at);
    /// Finds the entry of a CLUT; none while it is loaded, which is an error of the access.
    [[nodiscard]] Answer access_table(std::uint32_t offset, std::uint32_t*& entry);
    void raise(std::uint32_t flags);
    void update();
    [[nodiscard]] Picoseconds cycles(double count) const;
    [[nodiscard]] bool rests() const;
    [[nodiscard]] std::uint32_t& at(std::uint32_t offset) { return held_[offset / 4]; }
    [[nodiscard]] std::uint32_t get(std::uint32_t offset) const { return held_[offset / 4]; }

    const Dma2dParameters parameters_;
    double hz_ = 0;
    std::array<std::uint32_t, 0x14> held_{};
    graphics::Dma2dTable foreground_table_{}, background_table_{};

    Work work_ = Work::None;
    bool aborting_ = false;
    bool failed_ = false;          ///< by an access
    std::uint32_t flags_due_ = 0;  ///< at the end of the last access; 0: the work goes on
    Picoseconds due_ = 0;          ///< of the next step
    Plane foreground_, background_, output_;
    std::vector<std::uint8_t> units_;  ///< of YCbCr, a row
    std::uint32_t line_ = 0, column_ = 0;
    std::uint32_t piece_ = 2;           ///< pixels of a burst
    std::uint32_t table_bytes_ = 0;     ///< of a CLUT, read
    Picoseconds computed_ = 0;          ///< when the last pixels were
    std::vector<Picoseconds> written_;  ///< ends of the last writes, the oldest first
    Picoseconds last_end_ = 0;          ///< of all accesses
    std::vector<Picoseconds> marks_;    ///< when the line of LWR is over
    SignalLevel level_;
    sc_core::sc_event next_;
    Statistics statistics_;
};

}  // namespace n6vp::models

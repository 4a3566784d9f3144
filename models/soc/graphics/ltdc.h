// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"
#include "models/soc/base/signal_level.h"
#include "models/soc/graphics/ltdc_layer.h"
#include "models/soc/graphics/picture.h"
#include "models/soc/rif/burst_port.h"

namespace n6vp::models {

struct LtdcParameters {
    Parameter pixel_clock{"pixel_clock", 25, kMegahertz, Confidence::Documented,
                          "board support of the discovery kit: IC16, until RCC gives another"};
    Parameter global_mask{"global_mask", 0, kSwitch, Confidence::Assumed,
                          "1: LxRCR.GRMSK keeps SRCR away from a layer; the driver sets that bit "
                          "and reloads by SRCR all the same"};
    Parameter reads_active{"reads_active", 1, kSwitch, Confidence::Assumed,
                           "1: a layer register reads what is in effect, not what waits for its "
                           "reload; as documented for earlier chips"};
    Parameter bus_traffic{"bus_traffic", 1, kSwitch, Confidence::Documented,
                          "1: layers are read over the bus, as on the chip; 0: their reads take no "
                          "time of it, to see what the display costs others"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.bus_traffic);
        function(self.pixel_clock);
        function(self.global_mask);
        function(self.reads_active);
    }
};

/// LTDC: the scan of the panel and the two layers that it reads from memory.
///
/// Modelled: the scan by SSCR, BPCR, AWCR and TWCR at the pixel clock, with CPSR and CDSR; each
/// line of a layer read at once when its line begins; shadow registers with reload at once and
/// at the vertical blanking (the first line after the active ones), by SRCR and LxRCR; windows,
/// pitch, mirroring, all formats of PFCR with the flexible ones, YCbCr interleaved and in two and
/// three planes with its coefficients, CLUT, colour key, constant and pixel alpha, default and
/// background colour, order of the layers; line, reload, transfer error and underrun flags in both
/// sets of registers.
/// Not modelled: dithering, gamma, CRC, output as YCbCr, single frames, FUWIF, security of one
/// layer: switching one of the first on answers "not modelled".
/// Flags follow at kernel time. A layer's line that has not come by the end of its line is an
/// underrun. The time registers hold from the next frame on.
/// Assumed: LtdcParameters; flags of either set with its enable raise all lines of their kind;
/// a disabled layer, and one outside its window without DCBEN, does not show.
/// Sources: registers of the public register description; behaviour of the HAL driver.
class Ltdc : public sc_core::sc_module, public RegisterBlock {
  public:
    static constexpr unsigned kLayers = 2;
    /// Largest picture; beyond it nothing is scanned, and the enable answers "not modelled".
    static constexpr std::uint32_t kMaxWidth = 4096, kMaxHeight = 4096;

    struct Statistics {
        std::uint64_t frames = 0;  ///< whose active lines were complete
        std::uint64_t bytes = 0;   ///< read
        std::uint64_t underruns = 0, errors = 0;
        Picoseconds frame_ps = 0;  ///< period of the last frame
    };

    BurstPort port;
    std::array<MasterAttributes, kLayers> attributes;  ///< of the layers on the bus

    explicit Ltdc(const sc_core::sc_module_name& name, const char* block,
                  const LtdcParameters& parameters = {});
    using RegisterBlock::name;

    std::function<void(bool level)> on_interrupt;        ///< line and reload
    std::function<void(bool level)> on_error_interrupt;  ///< transfer error and underrun
    /// Whether the unit has a clock; without this function it always has.
    std::function<bool()> clocked;
    /// The answer of `clocked` has changed.
    void clock_changed();
    /// Frequency of the pixel clock from the next frame on; 0 keeps the last one.
    void set_pixel_hz(double hz);

    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    /// Returns the last complete picture; empty if there was none since the last reset.
    [[nodiscard]] Picture picture() const;

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;

  private:
    /// Times of a frame in pixel clocks and lines, from the start of the synchronisation.
    struct Timing {
        std::uint32_t h_sync = 0, left = 0, right = 0, columns = 1;
        std::uint32_t v_sync = 0, top = 0, bottom = 0, lines = 1;
        std::uint64_t hz = 1;
        [[nodiscard]] bool valid() const;
        [[nodiscard]] Picoseconds line_at(std::uint64_t line) const;
    };
    struct Line {
        bool read = false;
        std::array<graphics::LayerWords, kLayers> words{};
        std::array<std::vector<std::uint8_t>, kLayers> bytes;
    };
    struct Frame {
        Timing timing;
        std::vector<Line> lines;
        /// At the end of the active lines, for lines that no layer was read for.
        std::array<graphics::LayerWords, kLayers> words{};
        graphics::Colour background;
        std::array<graphics::ColourTable, kLayers> tables{};
    };

    void step();
    void start_scan(Picoseconds at);
    void start_frame(Picoseconds at);
    void visit(std::uint32_t line, Picoseconds at);
    void fetch(std::uint32_t line, Picoseconds at);
    void end_active_lines();
    /// Sets the next event of the scan, which is at a line of interest after the last one.
    void schedule();
    [[nodiscard]] std::uint32_t next_line() const;
    void reload(unsigned layer);
    void write_global(std::uint32_t offset, std::uint32_t next, Picoseconds at);
    void write_layer(unsigned layer, std::uint32_t offset, std::uint32_t value, std::uint32_t mask);
    [[nodiscard]] std::uint32_t position(Picoseconds at, bool of_line) const;
    [[nodiscard]] std::uint32_t display_status(Picoseconds at) const;
    [[nodiscard]] bool known(std::uint32_t offset) const;
    [[nodiscard]] Timing timing() const;
    [[nodiscard]] bool runs() const { return !clocked || clocked(); }
    void update();
    [[nodiscard]] std::uint32_t& at(std::uint32_t offset) { return held_[offset / 4]; }
    [[nodiscard]] std::uint32_t get(std::uint32_t offset) const { return held_[offset / 4]; }

    const LtdcParameters parameters_;
    std::uint64_t hz_ = 0;
    std::array<std::uint32_t, 0x40> held_{};
    std::array<graphics::LayerWords, kLayers> waiting_{}, active_{};
    std::array<graphics::ColourTable, kLayers> tables_{};
    std::array<bool, kLayers> reload_due_{};  ///< at the vertical blanking
    bool scanning_ = false;
    Picoseconds frame_start_ = 0;
    std::int64_t line_ = -1;  ///< the last that was visited
    Frame current_, shown_;
    SignalLevel level_, error_level_;
    sc_core::sc_event next_;
    Statistics statistics_;
};

}  // namespace n6vp::models

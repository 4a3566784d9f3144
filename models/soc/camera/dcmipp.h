// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <systemc>
#include <vector>

#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"
#include "models/soc/base/signal_level.h"
#include "models/soc/camera/dcmipp_registers.h"
#include "models/soc/camera/picture_statistics.h"
#include "models/soc/camera/pixel_packer.h"
#include "models/soc/camera/pixel_path.h"
#include "models/soc/rif/burst_port.h"

namespace n6vp::models {

/// A frame as it comes from the CSI-2 host.
struct CameraFrame {
    std::uint32_t width = 0, height = 0;
    unsigned channel = 0;    ///< virtual
    unsigned data_type = 0;  ///< CSI-2
};

/// DCMIPP: the pipes from the camera interface to memory.
///
/// Modelled: flow selection by virtual channel and data type; capture requests, single and
/// continuous, with their frame rate; double buffers; the registers that hold for the frame under
/// way; frame, start of frame, line, limit, overrun and transfer error flags in both sets of
/// registers; frame counter; main and ancillary pipe with first and last line, decimation, crop,
/// downsizing, colour conversion, formats, planes, pitch and address wrap; statistics; the dump
/// pipe for RAW8 to RAW14, RGB565, RGB888 and YUV422. Each output line goes to memory in bursts of
/// the client's TRAFFIC when it is complete; while its bytes have not left, the next line is an
/// overrun, and the pipe drops the rest of the frame.
/// A picture stands for what the ISP makes of the scene: demosaicing and bad pixel removal hold
/// their settings and change nothing. Black level, exposure, colour correction, contrast and gamma
/// do the same, and switching one on answers "not modelled".
/// Not modelled: the parallel interface, regions of interest, byte and line selection and header of
/// the dump pipe; asking for one answers "not modelled". Arbitration between clients by WLRU, page
/// size and outstanding transactions have no effect.
/// Assumed: which part of a flag's time is the unit's own: none; raw pixels of more than 8 bits are
/// 16 bits in memory, in the high bits unless PAD is set.
/// Sources: registers of the public register description; behaviour of the HAL driver.
class Dcmipp : public sc_core::sc_module, public RegisterBlock {
  public:
    static constexpr unsigned kPipes = camera::kDcmippPipes;

    struct PipeStatistics {
        std::uint64_t frames = 0;  ///< captured
        std::uint64_t bytes = 0;   ///< written
        std::uint64_t overruns = 0, errors = 0;
    };

    BurstPort port;
    MasterAttributes attributes;

    Dcmipp(const sc_core::sc_module_name& name, const char* block);
    using RegisterBlock::name;

    std::function<void(bool level)> on_interrupt;
    /// Whether the unit has a clock; without this function it always has.
    std::function<bool()> clocked;

    /// A frame begins, now.
    void begin_frame(const CameraFrame& frame);
    /// Returns true if the lines of the frame under way go anywhere.
    [[nodiscard]] bool wants_lines() const;
    /// A line of the frame is complete: three bytes for each pixel, red first.
    void take_line(std::span<const std::uint8_t> rgb, std::uint32_t line);
    /// The frame ends; unless `whole`, without its last lines and without a flag.
    void end_frame(bool whole);

    [[nodiscard]] const PipeStatistics& statistics(unsigned pipe) const {
        return statistics_[pipe];
    }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override;

  private:
    struct Plane {
        std::uint32_t address = 0, pitch = 0;
    };
    struct Pipe {
        bool capturing = false;
        bool dropped = false;  ///< the rest of the frame
        bool second_buffer = false;
        std::uint32_t frame = 0;  ///< since the capture request
        std::uint32_t lines = 0;  ///< written in this frame
        std::uint32_t wrap = 0;   ///< lines before the address begins again; 0: it does not
        std::array<Plane, camera::kMaxPlanes> planes{};
        Picoseconds busy_until = 0;  ///< absolute
        camera::PixelPath path;
        camera::PixelPacker packer;
    };

    [[nodiscard]] bool flows(unsigned pipe, const CameraFrame& frame) const;
    void latch(unsigned pipe);
    void begin_pipe(unsigned pipe);
    void begin_pixels(unsigned pipe);
    void begin_statistics();
    void emit_pixels(unsigned pipe);
    void emit_dump(std::span<const std::uint8_t> rgb, std::uint32_t line);
    [[nodiscard]] bool ready_for_line(unsigned pipe);
    /// Writes in bursts; plane n is client n of its pipe.
    void write_bytes(unsigned pipe, unsigned plane, std::uint32_t address,
                     std::span<const std::uint8_t> bytes);
    void count_line(unsigned pipe);
    void end_pipe(unsigned pipe, bool whole);
    void drop(unsigned pipe, std::uint32_t flag);
    void write_pipe(unsigned pipe, std::uint32_t inner, std::uint32_t next);
    [[nodiscard]] bool modelled(std::uint32_t offset, std::uint32_t next) const;
    [[nodiscard]] std::uint32_t shown(std::uint32_t offset) const;
    void raise(unsigned pipe, std::uint32_t flag);
    void update();
    [[nodiscard]] std::uint32_t get(std::uint32_t offset) const { return words_[offset / 4]; }
    [[nodiscard]] std::uint32_t of_pipe(unsigned pipe, std::uint32_t inner) const {
        return get(camera::dcmipp_pipe(pipe) + inner);
    }
    [[nodiscard]] std::uint32_t& at(std::uint32_t offset) { return words_[offset / 4]; }

    std::array<std::uint32_t, camera::kDcmippEnd / 4> words_{};
    CameraFrame frame_;
    bool in_frame_ = false;
    bool processing_ = false;  ///< the main pipe's flow comes in
    std::array<Pipe, kPipes> pipes_;
    camera::PictureStatistics picture_statistics_;
    std::vector<std::uint8_t> decimated_, dumped_, burst_;
    std::array<PipeStatistics, kPipes> statistics_{};
    SignalLevel level_;
};

}  // namespace n6vp::models

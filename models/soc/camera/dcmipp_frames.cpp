// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "models/soc/camera/bayer_pattern.h"
#include "models/soc/camera/dcmipp.h"
#include "models/soc/camera/dcmipp_bits.h"
#include "models/soc/camera/raw_line.h"

namespace n6vp::models {

using namespace camera;

namespace {

constexpr unsigned kDumpPipe = 0, kMainPipe = 1, kAncillaryPipe = 2;
/// The dump pipe's crop counts words in a line.
constexpr std::uint32_t kDumpUnit = 4;

[[nodiscard]] Picoseconds now() {
    return sc_core::sc_time_stamp().value();
}
[[nodiscard]] Area area_of(std::uint32_t start, std::uint32_t size) {
    return {bits(start, 0, 12), bits(start, 16, 12), bits(size, 0, 12), bits(size, 16, 12)};
}
[[nodiscard]] int signed_field(std::uint32_t word, unsigned position, unsigned count) {
    const auto value = static_cast<int>(bits(word, position, count));
    return value >= 1 << (count - 1) ? value - (1 << count) : value;
}
/// Client of the bus for a plane of a pipe: the dump pipe has the first, the main pipe three.
[[nodiscard]] unsigned client_of(unsigned pipe, unsigned plane) {
    if (pipe == kDumpPipe) return 0;
    return pipe == kMainPipe ? 1 + plane : 4;
}

}  // namespace

/// Without PIPEDIFF the ancillary pipe has the flow of the main one.
bool Dcmipp::flows(unsigned pipe, const CameraFrame& frame) const {
    if ((of_pipe(pipe, kPipeFlow) & kPipeEnable) == 0) return false;
    const bool shared =
        pipe == kAncillaryPipe && (of_pipe(kMainPipe, kPipeFlow) & kPipesDiffer) == 0;
    const std::uint32_t flow = of_pipe(shared ? kMainPipe : pipe, kPipeFlow);
    if (bits(flow, 19, 2) != frame.channel) return false;
    const bool first = bits(flow, 0, 6) == frame.data_type;
    const bool second = bits(flow, 8, 6) == frame.data_type;
    // DTMODE is one of the first two for a pixel pipe.
    switch (pipe == kAncillaryPipe ? 0 : bits(flow, 16, 2)) {
        case 0:
            return first;
        case 1:
            return first || second;
        case 2:
            return !first && !second;
        default:
            return true;
    }
}

void Dcmipp::latch(unsigned pipe) {
    const std::uint32_t block = dcmipp_pipe(pipe);
    for (std::uint32_t offset = block; offset < block + kDcmippToCurrent; offset += 4) {
        if (dcmipp_register(offset).has_current) at(offset + kDcmippToCurrent) = get(offset);
    }
}

void Dcmipp::begin_frame(const CameraFrame& frame) {
    if ((clocked && !clocked()) || (get(kDcmippCmcr) & kSerialInput) == 0) return;
    frame_ = frame;
    in_frame_ = true;
    processing_ = flows(kMainPipe, frame);
    for (unsigned pipe = 0; pipe < kPipes; ++pipe) {
        if (!flows(pipe, frame)) continue;
        latch(pipe);
        raise(pipe, kVsyncFlag);
        if (bits(get(kDcmippCmcr), 1, 2) == pipe) ++at(kDcmippFrames);
        begin_pipe(pipe);
    }
    begin_statistics();
    update();
}

void Dcmipp::begin_pipe(unsigned pipe) {
    Pipe& state = pipes_[pipe];
    const std::uint32_t control = of_pipe(pipe, kPipeControl);
    if ((control & kCaptureRequest) == 0) return;
    // FRATE: one frame of 1, 2, 4 or 8.
    if ((state.frame++ & ((1u << bits(control, 0, 2)) - 1)) != 0) return;
    state.capturing = true;
    state.dropped = false;
    state.lines = 0;
    state.wrap = 0;
    const std::uint32_t packer = of_pipe(pipe, kPipePacker);
    const bool second = (packer & kDoubleBuffer) != 0 && state.second_buffer;
    for (unsigned plane = 0; plane < kMaxPlanes; ++plane) {
        if (plane != 0 && pipe != kMainPipe) break;
        const std::uint32_t from = kPipePlane * plane;
        // The third plane has the pitch of the second.
        const std::uint32_t pitch = kPipePlane * std::min(plane, 1u);
        state.planes[plane] = {of_pipe(pipe, (second ? kPipeMemory2 : kPipeMemory) + from),
                               of_pipe(pipe, kPipePitch + pitch)};
    }
    if (pipe != kDumpPipe) return begin_pixels(pipe);
    at(dcmipp_pipe(pipe) + kPipeDumped) = 0;
}

void Dcmipp::begin_pixels(unsigned pipe) {
    Pipe& state = pipes_[pipe];
    const auto word = [this, pipe](std::uint32_t inner) { return of_pipe(pipe, inner); };
    PathSettings path;
    path.crop = (word(kPipeCropSize) & 1u << 31) != 0;
    path.area = area_of(word(kPipeCropStart), word(kPipeCropSize));
    const std::uint32_t decimation = word(kPipeDecimation);
    if ((decimation & 1) != 0) {
        path.column_shift = bits(decimation, 1, 2);
        path.line_shift = bits(decimation, 3, 2);
    }
    const std::uint32_t divisors = word(kPipeDownsize), ratios = word(kPipeRatios),
                        size = word(kPipeSize);
    path.downsize = (divisors & 1u << 31) != 0;
    path.column_ratio = bits(ratios, 0, 16);
    path.line_ratio = bits(ratios, 16, 16);
    path.column_factor = bits(divisors, 0, 10);
    path.line_factor = bits(divisors, 16, 10);
    path.width = bits(size, 0, 12);
    path.height = bits(size, 16, 12);
    std::uint32_t width = frame_.width, height = frame_.height;
    const std::uint32_t isp = of_pipe(kMainPipe, kPipeIspDecimation);
    // A flow of its own comes to the ancillary pipe without the ISP.
    const bool behind_isp =
        pipe == kMainPipe || (of_pipe(kMainPipe, kPipeFlow) & kPipesDiffer) == 0;
    if (processing_ && behind_isp && (isp & 1) != 0) {
        width = (width + (1u << bits(isp, 1, 2)) - 1) >> bits(isp, 1, 2);
        height = (height + (1u << bits(isp, 3, 2)) - 1) >> bits(isp, 3, 2);
    }
    state.path.begin(path, width, height);

    const std::uint32_t packer = word(kPipePacker);
    PackerSettings packing;
    packing.format =
        static_cast<PixelFormat>(std::min<std::uint32_t>(bits(packer, 0, 4), kPixelFormats - 1));
    packing.swap_red_blue = (packer & kSwapRedBlue) != 0;
    if (pipe == kMainPipe) {
        const std::uint32_t yuv = word(kPipeYuv);
        packing.convert = (yuv & 1) != 0;
        packing.clamp = (yuv & 4) != 0;
        for (unsigned row = 0; row < packing.matrix.size(); ++row) {
            const std::uint32_t two = word(kPipeYuv + 4 + 8 * row),
                                last = word(kPipeYuv + 8 + 8 * row);
            packing.matrix[row] = {
                {signed_field(two, 0, 11), signed_field(two, 16, 11), signed_field(last, 0, 11)},
                signed_field(last, 16, 10)};
        }
    }
    state.packer.begin(packing);
    if ((packer & kAddressWrap) != 0) state.wrap = 1u << bits(packer, 17, 3);
}

void Dcmipp::begin_statistics() {
    PictureStatistics::Settings settings;
    if (processing_) {
        for (unsigned i = 0; i < PictureStatistics::kModules; ++i)
            settings.control[i] = of_pipe(kMainPipe, kPipeStatistics + 4 * i);
    }
    const std::uint32_t size = of_pipe(kMainPipe, kPipeStatisticsSize);
    settings.in_area = (size & 1u << 31) != 0;
    settings.area = area_of(of_pipe(kMainPipe, kPipeStatisticsStart), size);
    settings.pattern = bits(of_pipe(kMainPipe, kPipeDemosaicing), 1, 2);
    picture_statistics_.begin(settings);
}

bool Dcmipp::wants_lines() const {
    if (!in_frame_) return false;
    return picture_statistics_.wanted() ||
           std::any_of(pipes_.begin(), pipes_.end(),
                       [](const Pipe& pipe) { return pipe.capturing && !pipe.dropped; });
}

void Dcmipp::take_line(std::span<const std::uint8_t> rgb, std::uint32_t line) {
    if (!in_frame_) return;
    if (pipes_[kDumpPipe].capturing) emit_dump(rgb, line);
    const auto taken = [this](unsigned pipe, std::span<const std::uint8_t> pixels,
                              std::uint32_t number) {
        Pipe& state = pipes_[pipe];
        if (!state.capturing || state.dropped) return;
        if (state.path.take(pixels, number)) emit_pixels(pipe);
    };
    if (!processing_) {
        // A flow of its own comes to the ancillary pipe without the ISP.
        taken(kAncillaryPipe, rgb, line);
        update();
        return;
    }
    const std::uint32_t lines = of_pipe(kMainPipe, kPipeFirstLines);
    std::uint32_t number = line;
    const bool differ = (of_pipe(kMainPipe, kPipeFlow) & kPipesDiffer) != 0;
    if (differ) taken(kAncillaryPipe, rgb, line);
    if ((lines & 1u << 15) != 0) {
        const std::uint32_t first = bits(lines, 12, 3);
        if (line < first || line - first > bits(lines, 0, 12)) return update();
        number = line - first;
    }
    const std::uint32_t isp = of_pipe(kMainPipe, kPipeIspDecimation);
    std::span<const std::uint8_t> pixels = rgb;
    if ((isp & 1) != 0) {
        const unsigned columns = bits(isp, 1, 2), rows = bits(isp, 3, 2);
        if ((number & ((1u << rows) - 1)) != 0) return update();
        number >>= rows;
        decimated_.clear();
        for (std::size_t i = 0; i < rgb.size(); i += kPixelBytes << columns) {
            const auto pixel = rgb.subspan(i, kPixelBytes);
            decimated_.insert(decimated_.end(), pixel.begin(), pixel.end());
        }
        pixels = decimated_;
    }
    picture_statistics_.take(pixels, number);
    taken(kMainPipe, pixels, number);
    if (!differ) taken(kAncillaryPipe, pixels, number);
    update();
}

/// Drops the rest of the frame if the last line is still on its way.
bool Dcmipp::ready_for_line(unsigned pipe) {
    if (pipes_[pipe].busy_until <= now()) return true;
    ++statistics_[pipe].overruns;
    drop(pipe, kOverrunFlag);
    return false;
}

void Dcmipp::drop(unsigned pipe, std::uint32_t flag) {
    pipes_[pipe].dropped = true;
    if (flag == kTransferError) {
        at(kDcmippCmsr2) |= flag;
    } else {
        raise(pipe, flag);
    }
}

void Dcmipp::emit_pixels(unsigned pipe) {
    if (!ready_for_line(pipe)) return;
    Pipe& state = pipes_[pipe];
    const std::uint32_t line = state.lines;
    state.packer.pack(state.path.output(), line);
    // Lines of subsampled planes count half.
    const bool halved = state.packer.halves_lines();
    for (unsigned plane = 0; plane < kMaxPlanes && !state.dropped; ++plane) {
        const auto bytes = state.packer.plane(plane);
        std::uint32_t row = plane != 0 && halved ? line / 2 : line;
        if (state.wrap != 0) row &= state.wrap - 1;
        const Plane& to = state.planes[plane];
        write_bytes(pipe, plane, to.address + to.pitch * row, bytes);
    }
    count_line(pipe);
}

void Dcmipp::count_line(unsigned pipe) {
    const std::uint32_t line = pipes_[pipe].lines++;
    const std::uint32_t multiple = 1u << bits(of_pipe(pipe, kPipePacker), 13, 3);
    if ((line + 1) % multiple == 0) raise(pipe, kLineFlag);
}

void Dcmipp::emit_dump(std::span<const std::uint8_t> rgb, std::uint32_t line) {
    Pipe& state = pipes_[kDumpPipe];
    if (state.dropped) return;
    const std::uint32_t packer = of_pipe(kDumpPipe, kPipePacker);
    make_raw_line(frame_.data_type, bits(of_pipe(kMainPipe, kPipeDemosaicing), 1, 2),
                  (packer & kPadLow) != 0, rgb, line, dumped_);
    std::span<const std::uint8_t> bytes = dumped_;
    const std::uint32_t size = of_pipe(kDumpPipe, kPipeCropSize);
    if ((size & 1u << 31) != 0) {
        const Area area = area_of(of_pipe(kDumpPipe, kPipeCropStart), size);
        if (line < area.top || line - area.top >= area.height) return;
        const std::size_t first = std::min(std::size_t{area.left} * kDumpUnit, bytes.size());
        bytes = bytes.subspan(first,
                              std::min(std::size_t{area.width} * kDumpUnit, bytes.size() - first));
    }
    if (bytes.empty() || !ready_for_line(kDumpPipe)) return;
    std::uint32_t& dumped = at(dcmipp_pipe(kDumpPipe) + kPipeDumped);
    const std::uint32_t limit = of_pipe(kDumpPipe, kPipeLimit);
    if ((limit & 1u << 31) != 0) {
        const std::uint32_t most = bits(limit, 0, 24);
        const std::uint32_t room = most > dumped ? most - dumped : 0;
        if (bytes.size() > room) {
            bytes = bytes.first(room);
            drop(kDumpPipe, kLimitFlag);
        }
    }
    write_bytes(kDumpPipe, 0, state.planes[0].address + dumped, bytes);
    dumped += static_cast<std::uint32_t>(bytes.size());
    count_line(kDumpPipe);
}

void Dcmipp::write_bytes(unsigned pipe, unsigned plane, std::uint32_t address,
                         std::span<const std::uint8_t> bytes) {
    constexpr std::uint32_t kClients = 0x020, kOfClient = 0x10, kLeastBurst = 8;
    const std::uint32_t traffic = bits(get(kClients + kOfClient * client_of(pipe, plane)), 0, 3);
    const std::size_t burst = std::size_t{kLeastBurst} << std::min(traffic, 4u);
    Pipe& state = pipes_[pipe];
    burst_.assign(bytes.begin(), bytes.end());
    const std::span<std::uint8_t> data = burst_;
    for (std::size_t done = 0; done < data.size();) {
        const std::size_t to_border = burst - address % burst;
        const auto piece = data.subspan(done, std::min(to_border, data.size() - done));
        const auto outcome = port.write(attributes, address, piece, now());
        state.busy_until = std::max(state.busy_until, outcome.end);
        if (!outcome.ok) {
            ++statistics_[pipe].errors;
            return drop(pipe, kTransferError);
        }
        statistics_[pipe].bytes += piece.size();
        done += piece.size();
        address += static_cast<std::uint32_t>(piece.size());
    }
}

void Dcmipp::end_frame(bool whole) {
    if (!in_frame_) return;
    in_frame_ = false;
    for (unsigned pipe = 0; pipe < kPipes; ++pipe) end_pipe(pipe, whole);
    if (processing_ && whole) {
        for (unsigned i = 0; i < PictureStatistics::kModules; ++i) {
            if ((of_pipe(kMainPipe, kPipeStatistics + 4 * i) & 1) == 0) continue;
            at(dcmipp_pipe(kMainPipe) + kPipeStatisticsResult + 4 * i) =
                picture_statistics_.result(i);
        }
    }
    processing_ = false;
    update();
}

void Dcmipp::end_pipe(unsigned pipe, bool whole) {
    Pipe& state = pipes_[pipe];
    if (!std::exchange(state.capturing, false) || !whole) return;
    ++statistics_[pipe].frames;
    raise(pipe, kFrameFlag);
    const std::uint32_t block = dcmipp_pipe(pipe);
    for (unsigned plane = 0; plane < (pipe == kMainPipe ? kMaxPlanes : 1); ++plane)
        at(block + kPipeMemoryStatus + kPipePlane * plane) = state.planes[plane].address;
    if ((of_pipe(pipe, kPipePacker) & kDoubleBuffer) != 0) state.second_buffer ^= true;
    const std::uint32_t control = of_pipe(pipe, kPipeControl);
    if ((control & kSnapshot) != 0) at(block + kPipeControl) = control & ~kCaptureRequest;
}

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/operators.h"
#include "loader/runtime/pad_walk.h"
#include "loader/runtime/runtime.h"

/// Pads of 4.x: a constant, a reflection or the edge around the input; all of it in the firmware.
namespace n6vp::runtime {

namespace {

enum Mode : std::uint32_t { kConstant, kReflect, kEdge };

/// From here on engines set and fill.
constexpr std::uint32_t kMinSetBytes = 2700, kMinRunBytes = 1200;

struct Work {
    Pad pad;
    Route route;
    LoopPad loops;
    bool loops_done;
    std::uint32_t front[pad_walk::kMaxAxes], inside[pad_walk::kMaxAxes];  ///< elements by axis
    std::uint32_t indices[pad_walk::kMaxAxes];
};
constinit Work work{};

std::uint32_t word(std::uint32_t array, std::uint32_t axis) {
    return load<std::uint32_t>(array + 4 * axis);
}

/// Returns how far from the edge the source of border place `i` (1: next to the edge) is.
std::uint32_t source_of(std::uint32_t i, std::uint32_t count) {
    if (work.pad.mode == kEdge || count == 1) return 0;
    const std::uint32_t period = 2 * (count - 1);
    const std::uint32_t phase = i % period;
    return phase < count ? phase : period - phase;
}

/// The border on one axis, for one choice of the axes outside it; inner axes have theirs by now.
void frame_line(std::uint32_t axis, std::uint32_t start) {
    const std::uint32_t step = word(work.pad.out_offsets, axis);
    const std::uint32_t front = work.front[axis], count = work.inside[axis];
    const std::uint32_t all = word(work.pad.out_shape, axis);
    const std::uint32_t last = front + count - 1;
    const auto copy = [start, step](std::uint32_t to, std::uint32_t from) {
        std::memcpy(bytes_at(start + to * step), bytes_at(start + from * step), step);
    };
    for (std::uint32_t i = 1; i <= front; ++i) copy(front - i, front + source_of(i, count));
    for (std::uint32_t i = 1; last + i < all; ++i) copy(last + i, last - source_of(i, count));
}

/// Counts the axes outside `axis` through their insides. Returns false after the last choice.
bool next_choice(std::uint32_t axis) {
    for (std::uint32_t outer = axis; outer-- != 0;) {
        if (++work.indices[outer] < work.inside[outer]) return true;
        work.indices[outer] = 0;
    }
    return false;
}

void frame_axis(std::uint32_t axis) {
    for (std::uint32_t outer = 0; outer < axis; ++outer) work.indices[outer] = 0;
    do {
        std::uint32_t start = work.pad.out;
        for (std::uint32_t outer = 0; outer < axis; ++outer)
            start += (work.front[outer] + work.indices[outer]) * word(work.pad.out_offsets, outer);
        frame_line(axis, start);
    } while (next_choice(axis));
}

void maintain_output(loader::CacheOp op) {
    machine::maintain(op, work.pad.out, work.pad.out_bytes);
}

/// Last step of a pad whose border comes from the inside.
void finish() {
    if (work.pad.mode != kConstant) {
        for (std::uint32_t axis = work.pad.rank; axis-- != 0;) {
            work.front[axis] = word(work.pad.out_start, axis) / word(work.pad.out_offsets, axis);
            const std::uint32_t back =
                word(work.pad.out_end, axis) / word(work.pad.out_offsets, axis);
            work.inside[axis] = word(work.pad.out_shape, axis) - work.front[axis] - back;
        }
        for (std::uint32_t axis = work.pad.rank; axis-- != 0;) frame_axis(axis);
    }
    maintain_output(loader::CacheOp::McuClean);
}

void fill() {
    const Pad& pad = work.pad;
    pad_walk::begin_walk({pad.in, pad.out, pad.in_limit, pad.run_axis, pad.run_bytes, pad.min_shape,
                          pad.in_start, pad.in_end, pad.out_start, pad.out_end});
    if (pad.run_bytes < kMinRunBytes) {
        pad_walk::fill_by_core();
        finish();
        return;
    }
    operation::begin(work.route);
    operation::run(operation::Number::PadFill, {pad_walk::next_run_transfer, finish});
}

bool next_loops(Transfer& transfer) {
    if (work.loops_done) return false;
    work.loops_done = true;
    const LoopPad& pad = work.loops;
    return pad_walk::loop_transfer(pad.in, pad.in_limit, pad.out, pad.reading, pad.writing,
                                   transfer);
}

void fill_loops() {
    operation::begin(work.route);
    operation::run(operation::Number::PadFill, {next_loops});
}

/// Sets all of an output, then goes on.
void set(const pad_walk::Setting& setting, void (*then)()) {
    if (setting.bytes < kMinSetBytes) {
        pad_walk::set_by_core(setting);
        machine::maintain(loader::CacheOp::McuCleanInvalidate, setting.out, setting.bytes);
        then();
        return;
    }
    pad_walk::begin_setting(setting);
    operation::run(operation::Number::PadSet, {pad_walk::next_setting, then});
}

}  // namespace

int pad(const Pad& pad, const Route& route) {
    if (pad.mode > kEdge) return N6VP_REFUSE(Mode);
    if (pad.element_bytes == 0 || pad.element_bytes > 4) return N6VP_REFUSE(NBits);
    if (pad.rank == 0 || pad.run_axis >= pad.rank) return N6VP_REFUSE(Rank);
    require(pad.rank <= pad_walk::kMaxAxes, Failure::PadRank, pad.rank);
    operation::begin(route);
    work.pad = pad;
    work.route = route;
    // Where the core works between engines, it must not meet old lines.
    maintain_output(loader::CacheOp::McuCleanInvalidate);
    if (pad.mode == kConstant) {
        set({pad.out, pad.out_bytes, pad.element_bytes, pad.value}, fill);
    } else {
        fill();
    }
    return 0;
}

int pad_loops(const LoopPad& pad, const Route& route) {
    if (pad.element_bytes == 0 || pad.element_bytes > 4) return N6VP_REFUSE(NBits);
    operation::begin(route);
    work.loops = pad;
    work.loops_done = false;
    work.route = route;
    set({pad.out, pad.out_bytes, pad.element_bytes, pad.value}, fill_loops);
    return 0;
}

}  // namespace n6vp::runtime

// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/operators.h"
#include "loader/runtime/raster.h"
#include "loader/runtime/tensor.h"

/// Inputs side by side along one axis. The axis comes in ONNX order, shapes in N, H, W, C.
namespace n6vp::runtime {

namespace {

constexpr std::uint32_t kMaxInputs = 24;
constexpr std::uint32_t kWidestEngineElement = 24;  ///< bits

struct Work {
    Tensor inputs[kMaxInputs];
    Tensor output;
    std::uint32_t count, next, row;
    std::uint32_t to;  ///< where the next input goes
};
constinit Work work{};

/// Returns the place in a shape that an ONNX axis selects.
std::uint32_t position_of(std::uint32_t axis, std::uint32_t rank) {
    constexpr std::uint32_t kPositions[] = {kN, kC, kH, kW};  // of ONNX N, C, H, W
    return axis + 4 < rank ? axis : rank - 4 + kPositions[axis + 4 - rank];
}

bool is_canonical(const Tensor& tensor) {
    return tensor.batch == tensor.last(kC);
}

/// The number of an ONNX axis is applied to the shape's own order here, as documented.
bool has_leading_ones(std::uint32_t axis) {
    return work.output.product(0, axis) == 1;
}

/// Returns true if all dimensions but one agree.
bool agrees(const Tensor& one, const Tensor& other, std::uint32_t position) {
    for (std::uint32_t i = 0; i < one.rank; ++i) {
        if (i != position && one.dimension(i) != other.dimension(i)) return false;
    }
    return true;
}

int check_inputs(std::uint32_t position) {
    const Tensor& first = work.inputs[0];
    std::uint32_t sum = 0, bytes = 0;
    for (std::uint32_t i = 0; i < work.count; ++i) {
        const Tensor& input = work.inputs[i];
        const bool batches_fit =
            input.batch == first.batch || (is_canonical(input) && is_canonical(first));
        if (!batches_fit || input.rank != first.rank) return N6VP_REFUSE(ShapeIn);
        if (input.bits != first.bits) return N6VP_REFUSE(NBitsIn);
        if (!agrees(input, first, position)) return N6VP_REFUSE(ShapeIn);
        sum += input.dimension(position);
        bytes += input.bytes();
    }
    if (!agrees(first, work.output, position)) return N6VP_REFUSE(Shape);
    if (sum != work.output.dimension(position)) return N6VP_REFUSE(Axis);
    if (work.output.bits != first.bits) return N6VP_REFUSE(NBits);
    return bytes > work.output.bytes() ? N6VP_REFUSE(Buffer) : 0;
}

bool next_input(Transfer& transfer) {
    while (work.next < work.count) {
        const Tensor& input = work.inputs[work.next++];
        const std::uint32_t to = work.to;
        work.to += input.bytes();
        if (operation::copy_head(to, input.start, input.bytes(), input.limit, transfer))
            return true;
    }
    return false;
}

/// One line of one input, side by side with the same line of the others.
bool next_row(Transfer& transfer) {
    const std::uint32_t pixel = work.output.last(kC) * work.output.element_bytes();
    const std::uint32_t rows = work.output.last(kH);
    while (work.next < work.count) {
        const Tensor& input = work.inputs[work.next];
        const std::uint32_t bytes = input.last(kW) * pixel;
        const std::uint32_t from = input.start + work.row * bytes;
        const std::uint32_t to = work.to + work.row * work.output.last(kW) * pixel;
        if (++work.row == rows) {
            work.row = 0;
            ++work.next;
            work.to += bytes;
        }
        if (operation::copy_head(to, from, bytes, input.limit, transfer)) return true;
    }
    return false;
}

/// Groups of channels become parts of pixels.
bool next_batched(Transfer& transfer) {
    if (work.next == work.count) return false;
    const Tensor& input = work.inputs[work.next++];
    const std::uint32_t bytes = input.element_bytes();
    const std::uint32_t height = input.last(kH), width = input.last(kW);
    const std::uint32_t pixel = work.output.last(kC) * bytes;
    transfer.out =
        raster_pattern(work.to, {height, width, input.batch}, {width * pixel, pixel}, bytes);
    transfer.out.frames = input.last(kC) / input.batch;
    transfer.out.frame_pitch = input.batch * bytes;
    transfer.in = linear_side(input.start, transfer.out);
    transfer.in.limit = input.limit;
    work.to += input.last(kC) * bytes;
    return true;
}

void empty_cache(const Tensor& tensor) {
    machine::maintain(loader::CacheOp::McuCleanInvalidate, tensor.start, tensor.bytes());
}

/// Pieces of all inputs in turn, at once and without engines.
int interleave_by_core(std::uint32_t position) {
    if (!is_canonical(work.inputs[0])) return N6VP_REFUSE(ShapeIn);
    if (!is_canonical(work.output)) return N6VP_REFUSE(ShapeOut);
    const std::uint32_t inner =
        work.output.product(position + 1, work.output.rank) * work.output.element_bytes();
    const std::uint32_t outer = work.output.product(0, position);
    const std::uint32_t pitch = work.output.dimension(position) * inner;
    std::uint32_t to = work.output.start;
    // The model cannot know who does it, so both sides leave the core's cache.
    for (std::uint32_t i = 0; i < work.count; ++i) empty_cache(work.inputs[i]);
    for (std::uint32_t i = 0; i < work.count; ++i) {
        const std::uint32_t piece = work.inputs[i].dimension(position) * inner;
        for (std::uint32_t k = 0; k < outer; ++k) {
            std::memcpy(bytes_at(to + k * pitch), bytes_at(work.inputs[i].start + k * piece),
                        piece);
        }
        to += piece;
    }
    empty_cache(work.output);
    return 0;
}

int run_by_engines(std::uint32_t position) {
    const std::uint32_t from = work.output.rank - 4;
    const bool same_batch = work.inputs[0].batch == work.output.batch;
    const bool along_channels = position == from + kC;
    if (!along_channels && !same_batch &&
        !(is_canonical(work.inputs[0]) && is_canonical(work.output))) {
        return N6VP_REFUSE(Shape);
    }
    operation::Steps steps{next_input};
    if (position == from + kW) steps.next = next_row;
    if (along_channels && !same_batch) {
        for (std::uint32_t i = 0; i < work.count; ++i) {
            const std::uint32_t batch = work.inputs[i].batch;
            if (batch == 0 || work.inputs[i].last(kC) % batch != 0) return N6VP_REFUSE(ShapeIn);
        }
        steps.next = next_batched;
    }
    return operation::run(operation::Number::Concat, steps);
}

}  // namespace

int concat(std::uint32_t inputs, std::uint32_t count, std::uint32_t output, std::uint32_t axis,
           const Route& route) {
    if (count == 0 || count > kMaxInputs) return N6VP_REFUSE(NInputs);
    operation::begin(route);
    for (std::uint32_t i = 0; i < count; ++i) work.inputs[i] = Tensor(inputs + i * Tensor::kBytes);
    work.output = Tensor(output);
    work.count = count;
    work.next = work.row = 0;
    work.to = work.output.start;
    const Tensor& first = work.inputs[0];
    if (first.rank < 4 || first.rank != work.output.rank) return N6VP_REFUSE(Shape);
    if (first.bits % 8 != 0) return N6VP_REFUSE(Fractional);
    if (axis >= first.rank) return N6VP_REFUSE(Axis);
    const std::uint32_t position = position_of(axis, first.rank);
    const int refused = check_inputs(position);
    if (refused != 0) return refused;
    if (has_leading_ones(axis) && first.bits <= kWidestEngineElement)
        return run_by_engines(position);
    return interleave_by_core(position);
}

}  // namespace n6vp::runtime

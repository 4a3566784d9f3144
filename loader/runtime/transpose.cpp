// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/operators.h"
#include "loader/runtime/raster.h"
#include "loader/runtime/tensor.h"

/// The input in order, each element to the sum of its indices times the output's strides.
namespace n6vp::runtime {

namespace {

/// Below this the core does it.
constexpr std::uint32_t kMinEngineBytes = 40;
constexpr std::uint32_t kMaxAxes = 8;  ///< of what the core does

struct Work {
    Tensor input, output;
    std::uint32_t strides[kMaxAxes];  ///< bytes in the output, by input axis
    bool done;
};
constinit Work work{};

/// Two outer axes as frames, the two inner ones as lines and pixels.
bool next_whole(Transfer& transfer) {
    if (work.done) return false;
    work.done = true;
    const std::uint32_t rank = work.input.rank, bytes = work.input.element_bytes();
    const std::uint32_t height = work.input.dimension(rank - 2);
    const std::uint32_t width = work.input.dimension(rank - 1);
    transfer.out = raster_pattern(work.output.start, {height, width, 1},
                                  {work.strides[rank - 2], work.strides[rank - 1]}, bytes);
    transfer.out.frames = work.input.product(0, rank - 2);
    transfer.out.frame_pitch = work.strides[rank - 3];
    if (rank == 4) {
        transfer.out.frames_in_loop = work.input.dimension(1);
        transfer.out.loop_pitch = work.strides[0];
    }
    transfer.in = linear_side(work.input.start, transfer.out);
    transfer.in.limit = work.input.limit;
    return true;
}

void transpose_by_core() {
    const Tensor& input = work.input;
    const std::uint32_t bytes = input.element_bytes(), count = input.elements();
    std::uint32_t indices[kMaxAxes] = {};
    std::uint32_t to = work.output.start;
    machine::maintain(loader::CacheOp::McuCleanInvalidate, input.start, count * bytes);
    for (std::uint32_t i = 0; i < count; ++i) {
        std::memcpy(bytes_at(to), bytes_at(input.start + i * bytes), bytes);
        for (std::uint32_t axis = input.rank; axis-- != 0;) {
            to += work.strides[axis];
            if (++indices[axis] < input.dimension(axis)) break;
            to -= indices[axis] * work.strides[axis];
            indices[axis] = 0;
        }
    }
    machine::maintain(loader::CacheOp::McuCleanInvalidate, work.output.start, count * bytes);
}

}  // namespace

int transpose(std::uint32_t input, std::uint32_t output, std::uint32_t offsets,
              std::uint32_t positions, const Route& route) {
    operation::begin(route);
    work.input = Tensor(input);
    work.output = Tensor(output);
    work.done = false;
    const std::uint32_t rank = work.input.rank;
    const bool is_short = work.output.bytes() < kMinEngineBytes;
    if (is_short && (rank <= 2 || rank > kMaxAxes)) return N6VP_REFUSE(Rank);
    if (work.input.bits != work.output.bits || work.input.bits < 8 || work.input.bits > 32)
        return N6VP_REFUSE(NBits);
    if (!is_short && (rank != work.output.rank || (rank != 3 && rank != 4)))
        return N6VP_REFUSE(Shape);
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
        const std::uint32_t place = load<std::uint8_t>(positions + axis);
        work.strides[axis] = load<std::uint32_t>(offsets + 4 * place);
    }
    if (is_short) {
        transpose_by_core();
        return 0;
    }
    return operation::run(operation::Number::Transpose, {next_whole});
}

}  // namespace n6vp::runtime

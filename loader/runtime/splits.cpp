// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/operators.h"
#include "loader/runtime/raster.h"
#include "loader/runtime/tensor.h"

/// Copies and splits: one input, many outputs.
namespace n6vp::runtime {

namespace {

constexpr std::uint32_t kMaxOutputs = 24;
/// Below this the core does a slice.
constexpr std::uint32_t kMinSliceBytes = 40;

struct Work {
    Tensor input;
    Tensor outputs[kMaxOutputs];
    std::uint32_t count, next;
    std::uint32_t from;      ///< where the next output's part of the input begins
    std::uint32_t channels;  ///< of the input
    std::uint32_t leading;
};
constinit Work work{};

/// Some checks are made in debug builds only.
bool is_debug() {
    return !machine::profile().ndebug;
}

std::uint32_t lengths() {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < work.count; ++i) sum += work.outputs[i].bytes();
    return sum;
}

void read_tensors(std::uint32_t input, std::uint32_t outputs, std::uint32_t count) {
    work.input = Tensor(input);
    for (std::uint32_t i = 0; i < count; ++i)
        work.outputs[i] = Tensor(outputs + i * Tensor::kBytes);
    work.count = count;
    work.next = 0;
    work.from = work.input.start;
}

bool next_copy(Transfer& transfer) {
    while (work.next < work.count) {
        const Tensor& to = work.outputs[work.next++];
        const std::uint32_t from = work.from;
        work.from += to.bytes();
        if (operation::copy_head(to.start, from, to.bytes(), work.input.limit, transfer))
            return true;
    }
    return false;
}

// Split tensors have their dimensions in the order N, C, H, W, memory is H, W, C.
std::uint32_t channels_of(const Tensor& tensor) {
    return tensor.last(1);
}

/// All channels of one output, for each of the leading images; or, with a batch, one image for each
/// group of so many channels.
bool next_split(Transfer& transfer, bool batched) {
    if (work.next == work.count) return false;
    const Tensor& to = work.outputs[work.next++];
    const std::uint32_t bytes = to.element_bytes();
    const std::uint32_t channels = channels_of(to);
    const std::uint32_t together = batched ? to.batch : channels;
    const std::uint32_t height = work.outputs[0].last(2), width = work.outputs[0].last(3);
    const std::uint32_t pixel = work.channels * bytes;
    transfer.in =
        raster_pattern(work.from, {height, width, together}, {width * pixel, pixel}, bytes);
    transfer.in.frames = batched ? channels / together : work.leading;
    transfer.in.frame_pitch = batched ? together * bytes : height * width * pixel;
    transfer.in.limit = work.input.limit;
    transfer.out = linear_side(to.start, transfer.in);
    work.from += channels * bytes;
    return true;
}

bool next_plain_split(Transfer& transfer) {
    return next_split(transfer, false);
}

bool next_batched_split(Transfer& transfer) {
    return next_split(transfer, true);
}

/// The slice that a call asks for.
constinit Slice wanted{};

bool next_slice(Transfer& transfer) {
    if (work.next++ != 0) return false;
    const std::uint32_t bytes = wanted.bits / 8;
    const std::uint32_t element =
        bytes != 0 && wanted.width % engine_element(bytes) == 0 ? engine_element(bytes) : 1;
    transfer.in = linear_pattern(work.input.start, wanted.width, element);
    transfer.in.frames = wanted.rows;
    transfer.in.frame_pitch = wanted.pitch;
    transfer.in.limit = work.input.limit;
    transfer.out = linear_side(work.outputs[0].start, transfer.in);
    if (wanted.bytes >= kMinSliceBytes) return true;
    operation::by_core(transfer);
    return false;
}

}  // namespace

int linear_copy(std::uint32_t from, std::uint32_t bytes, std::uint32_t limit, std::uint32_t to,
                const Route& route) {
    operation::begin(route);
    work.input.start = from;
    work.input.limit = limit;
    work.outputs[0].start = to;
    work.outputs[0].end = to + bytes;
    work.count = 1;
    work.next = 0;
    work.from = from;
    return operation::run(operation::Number::InputCopy, {next_copy});
}

int flat_copy(std::uint32_t input, std::uint32_t outputs, std::uint32_t count, const Route& route) {
    if (count == 0 || count > kMaxOutputs) return N6VP_REFUSE(NOutputs);
    operation::begin(route);
    read_tensors(input, outputs, count);
    if (is_debug() && lengths() > work.input.bytes()) return N6VP_REFUSE(Shape);
    return operation::run(operation::Number::OutputCopy, {next_copy});
}

int slice(std::uint32_t input, std::uint32_t output, Slice slice, const Route& route) {
    require(slice.width != 0 && slice.bytes % slice.width == 0, Failure::SliceWidth, slice.bytes,
            slice.width);
    operation::begin(route);
    read_tensors(input, output, 1);
    wanted = slice;
    return operation::run(operation::Number::Slice, {next_slice});
}

int channel_split(std::uint32_t input, std::uint32_t outputs, std::uint32_t count,
                  std::uint32_t leading, const Route& route) {
    if (count == 0 || count > kMaxOutputs) return N6VP_REFUSE(NOutputs);
    operation::begin(route);
    read_tensors(input, outputs, count);
    work.channels = channels_of(work.input);
    work.leading = leading;
    if (is_debug() && lengths() != work.input.bytes()) return N6VP_REFUSE(Shape);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Tensor& to = work.outputs[i];
        require(to.last(2) * to.last(3) * channels_of(to) != 1, Failure::SplitOfOneElement, i);
    }
    return operation::run(operation::Number::Split, {next_plain_split});
}

int channel_split_batched(std::uint32_t input, std::uint32_t outputs, std::uint32_t count,
                          const Route& route) {
    if (count == 0 || count > kMaxOutputs) return N6VP_REFUSE(NOutputs);
    operation::begin(route);
    read_tensors(input, outputs, count);
    work.channels = channels_of(work.input);
    if (work.input.batch != 0 && work.input.batch != work.channels) return N6VP_REFUSE(ShapeIn);
    if (is_debug() && lengths() != work.input.bytes()) return N6VP_REFUSE(Shape);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Tensor& to = work.outputs[i];
        if (to.batch == 0 || channels_of(to) % to.batch != 0) return N6VP_REFUSE(ShapeOut);
    }
    return operation::run(operation::Number::SplitBatched, {next_batched_split});
}

}  // namespace n6vp::runtime

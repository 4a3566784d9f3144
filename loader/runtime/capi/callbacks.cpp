// SPDX-License-Identifier: Apache-2.0
#include "loader/capi/ll_aton_reloc_callbacks.h"
#include "loader/runtime/capi/cortex_m.h"
#include "loader/runtime/capi/ll_aton_runtime.h"
#include "loader/runtime/operators.h"
#include "loader/runtime/runtime.h"

/// The tables by which models call back, in the order and with the arguments of each release.
namespace n6vp::runtime {

namespace {

using Info = LL_Buffer_InfoTypeDef;
using Instance262 = NN_Instance_TypeDef;

Route route_of(int dma_in, int dma_out, const NN_Instance_TypeDef* instance = nullptr) {
    return {static_cast<std::uint32_t>(dma_in), static_cast<std::uint32_t>(dma_out),
            address_of(instance)};
}

void assert_failed(const char* filename, int line, const char* function, const char* expression) {
    const char* const pieces[] = {
        "assertion of the model: ", expression, ", ", function, ", ", filename, "\n", nullptr};
    cortex_m::say(pieces);
    machine::stop(Failure::ModelAssertion, static_cast<std::uint32_t>(line), 0);
}

void lib_error(int err_code, int line, const char* function) {
    machine::library_error(static_cast<LibraryError>(err_code), line, function);
}

template <loader::CacheOp kOp>
void maintain(uintptr_t virtual_addr, uint32_t size) {
    machine::maintain(kOp, static_cast<std::uint32_t>(virtual_addr), size);
}

// Operators up to 1.1.3-8.

int concat_old(const Info* inputs, unsigned ninputs, const Info* output, unsigned axis, int dma_in,
               int dma_out) {
    return concat(address_of(inputs), ninputs, address_of(output), axis, route_of(dma_in, dma_out));
}

int cast_old(const Info* input, const Info* output, int dma_in, int dma_out) {
    return cast(address_of(input), address_of(output), route_of(dma_in, dma_out));
}

int softmax_any(const Info* input, const Info* output, unsigned axis, int legacy) {
    return softmax(address_of(input), address_of(output), axis, legacy != 0);
}

int image_to_rows_old(const Info* inputs, unsigned ninputs, const Info* output, unsigned bh,
                      unsigned bw, unsigned sh, unsigned sw, int dma_in, int dma_out) {
    return image_to_rows(address_of(inputs), ninputs, address_of(output), {bh, bw, sh, sw},
                         route_of(dma_in, dma_out));
}

int rows_to_image_old(const Info* inputs, unsigned ninputs, const Info* output, unsigned bh,
                      unsigned bw, unsigned sh, unsigned sw, int dma_in, int dma_out) {
    return rows_to_image(address_of(inputs), ninputs, address_of(output), {bh, bw, sh, sw},
                         route_of(dma_in, dma_out));
}

int space_to_depth_old(const Info* inputs, unsigned ninputs, const Info* output, unsigned bh,
                       unsigned bw, int dma_in, int dma_out) {
    return image_to_rows(address_of(inputs), ninputs, address_of(output), {bh, bw, bh, bw},
                         route_of(dma_in, dma_out));
}

int depth_to_space_old(const Info* inputs, unsigned ninputs, const Info* output, unsigned bh,
                       unsigned bw, int dma_in, int dma_out) {
    return rows_to_image(address_of(inputs), ninputs, address_of(output), {bh, bw, bh, bw},
                         route_of(dma_in, dma_out));
}

int flat_copy_old(const Info* input, const Info* outputs, unsigned noutputs, int dma_in,
                  int dma_out) {
    return flat_copy(address_of(input), address_of(outputs), noutputs, route_of(dma_in, dma_out));
}

int slice_old(const Info* input, const Info* output, int32_t total, int32_t width, int32_t rows,
              int32_t pitch, int8_t bits, int dma_in, int dma_out) {
    const Slice wanted{static_cast<std::uint32_t>(total), static_cast<std::uint32_t>(width),
                       static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(pitch),
                       static_cast<std::uint8_t>(bits)};
    return slice(address_of(input), address_of(output), wanted, route_of(dma_in, dma_out));
}

int channel_split_old(const Info* input, const Info* outputs, unsigned noutputs, unsigned leading,
                      int dma_in, int dma_out) {
    return channel_split(address_of(input), address_of(outputs), noutputs, leading,
                         route_of(dma_in, dma_out));
}

int channel_split_batched_old(const Info* input, const Info* outputs, unsigned noutputs, int dma_in,
                              int dma_out) {
    return channel_split_batched(address_of(input), address_of(outputs), noutputs,
                                 route_of(dma_in, dma_out));
}

/// The third argument is not the length that its name says, so it is not used.
int pad_memset_old(void* out, int32_t value, size_t, void* params) {
    return pad_set(address_of(out), value, address_of(params), true);
}

int pad_memset_8(void* out, int32_t value, size_t, void* params, bool deep_copy) {
    return pad_set(address_of(out), value, address_of(params), deep_copy);
}

int pad_filling_old(void* params) {
    return pad_fill(address_of(params));
}

int pad_4loop_filling(void* params) {
    return pad_fill_loops(address_of(params));
}

int transpose_old(const Info* input, const uint32_t*, const Info* output,
                  const uint32_t* out_offsets, const uint8_t* target_pos, const uint8_t*,
                  int dma_in, int dma_out) {
    return transpose(address_of(input), address_of(output), address_of(out_offsets),
                     address_of(target_pos), route_of(dma_in, dma_out));
}

int async_memcpy(void* in_start, void* in_end, void* in_limit, void* out_start, int dma_in,
                 int dma_out) {
    return linear_copy(address_of(in_start), address_of(in_end) - address_of(in_start),
                       address_of(in_limit), address_of(out_start), route_of(dma_in, dma_out));
}

// Operators of 1.1.3-262: the caller says for which instance.

int concat_262(const Info* inputs, unsigned ninputs, const Info* output, unsigned axis, int dma_in,
               int dma_out, const Instance262* instance) {
    return concat(address_of(inputs), ninputs, address_of(output), axis,
                  route_of(dma_in, dma_out, instance));
}

int cast_262(const Info* input, const Info* output, int dma_in, int dma_out,
             const Instance262* instance) {
    return cast(address_of(input), address_of(output), route_of(dma_in, dma_out, instance));
}

int transpose_262(const Info* input, const uint32_t*, const Info* output,
                  const uint32_t* out_offsets, const uint8_t* target_pos, const uint8_t*,
                  int dma_in, int dma_out, const Instance262* instance) {
    return transpose(address_of(input), address_of(output), address_of(out_offsets),
                     address_of(target_pos), route_of(dma_in, dma_out, instance));
}

int image_to_rows_262(const Info* inputs, unsigned ninputs, const Info* output, unsigned bh,
                      unsigned bw, unsigned sh, unsigned sw, int dma_in, int dma_out,
                      const Instance262* instance) {
    return image_to_rows(address_of(inputs), ninputs, address_of(output), {bh, bw, sh, sw},
                         route_of(dma_in, dma_out, instance));
}

int rows_to_image_262(const Info* inputs, unsigned ninputs, const Info* output, unsigned bh,
                      unsigned bw, unsigned sh, unsigned sw, int dma_in, int dma_out,
                      const Instance262* instance) {
    return rows_to_image(address_of(inputs), ninputs, address_of(output), {bh, bw, sh, sw},
                         route_of(dma_in, dma_out, instance));
}

int space_to_depth_262(const Info* inputs, unsigned ninputs, const Info* output, unsigned bh,
                       unsigned bw, int dma_in, int dma_out, const Instance262* instance) {
    return image_to_rows(address_of(inputs), ninputs, address_of(output), {bh, bw, bh, bw},
                         route_of(dma_in, dma_out, instance));
}

int depth_to_space_262(const Info* inputs, unsigned ninputs, const Info* output, unsigned bh,
                       unsigned bw, int dma_in, int dma_out, const Instance262* instance) {
    return rows_to_image(address_of(inputs), ninputs, address_of(output), {bh, bw, bh, bw},
                         route_of(dma_in, dma_out, instance));
}

int slice_262(const Info* input, const Info* output, uint32_t total, uint32_t width, uint32_t rows,
              uint32_t pitch, uint8_t bits, int dma_in, int dma_out, const Instance262* instance) {
    return slice(address_of(input), address_of(output), {total, width, rows, pitch, bits},
                 route_of(dma_in, dma_out, instance));
}

/// Counts are elements, offsets bytes.
int pad_std_262(void* in, void* out, void* in_limit, void* out_limit, const uint32_t* min_shape,
                uint8_t mode, uint8_t element_bytes, uint32_t out_elements, int32_t value,
                uint32_t consecutive_axis, uint32_t consecutive_elements, const int32_t* in_start,
                const int32_t* in_end, const int32_t* out_start, const int32_t* out_end,
                const uint32_t* out_shape, const uint32_t* out_offsets, size_t rank, int dma_in,
                int dma_out, const Instance262* instance) {
    Pad wanted;
    wanted.in = address_of(in);
    wanted.out = address_of(out);
    wanted.in_limit = address_of(in_limit);
    wanted.out_limit = address_of(out_limit);
    wanted.mode = mode;
    wanted.element_bytes = element_bytes;
    wanted.value = value;
    wanted.out_bytes = out_elements * element_bytes;
    wanted.run_axis = consecutive_axis;
    wanted.run_bytes = consecutive_elements * element_bytes;
    wanted.rank = static_cast<std::uint32_t>(rank);
    wanted.min_shape = address_of(min_shape);
    wanted.in_start = address_of(in_start);
    wanted.in_end = address_of(in_end);
    wanted.out_start = address_of(out_start);
    wanted.out_end = address_of(out_end);
    wanted.out_shape = address_of(out_shape);
    wanted.out_offsets = address_of(out_offsets);
    return pad(wanted, route_of(dma_in, dma_out, instance));
}

int pad_4loop_262(void* in, void*, void* in_limit, void* out, void* out_end, void*, int32_t value,
                  uint8_t element_bytes, uint32_t* negative, uint32_t* positive, int dma_in,
                  int dma_out, const Instance262* instance) {
    const LoopPad wanted{address_of(in),
                         address_of(in_limit),
                         address_of(out),
                         address_of(out_end) - address_of(out),
                         value,
                         element_bytes,
                         address_of(negative),
                         address_of(positive)};
    return pad_loops(wanted, route_of(dma_in, dma_out, instance));
}

int flat_copy_262(const Info* input, const Info* outputs, unsigned noutputs, int dma_in,
                  int dma_out, const Instance262* instance) {
    return flat_copy(address_of(input), address_of(outputs), noutputs,
                     route_of(dma_in, dma_out, instance));
}

int channel_split_262(const Info* input, const Info* outputs, unsigned noutputs, unsigned leading,
                      int dma_in, int dma_out, const Instance262* instance) {
    return channel_split(address_of(input), address_of(outputs), noutputs, leading,
                         route_of(dma_in, dma_out, instance));
}

int channel_split_batched_262(const Info* input, const Info* outputs, unsigned noutputs, int dma_in,
                              int dma_out, const Instance262* instance) {
    return channel_split_batched(address_of(input), address_of(outputs), noutputs,
                                 route_of(dma_in, dma_out, instance));
}

using loader::CacheOp;

#define N6VP_COMMON_SERVICES                                                                 \
    assert_failed, lib_error, maintain<CacheOp::McuClean>, maintain<CacheOp::McuInvalidate>, \
        maintain<CacheOp::McuCleanInvalidate>, maintain<CacheOp::NpuClean>,                  \
        maintain<CacheOp::NpuCleanInvalidate>
#define N6VP_OLD_SERVICES                                                                    \
    N6VP_COMMON_SERVICES, concat_old, cast_old, softmax_any, image_to_rows_old,              \
        space_to_depth_old, rows_to_image_old, depth_to_space_old, flat_copy_old, slice_old, \
        channel_split_old, channel_split_batched_old

constexpr ll_aton_reloc_callback_1_1_1 kTable111 = {N6VP_OLD_SERVICES, pad_memset_old,
                                                    pad_filling_old, transpose_old};
constexpr ll_aton_reloc_callback_1_1_3_8 kTable8 = {N6VP_OLD_SERVICES, pad_memset_8,
                                                    pad_filling_old,   transpose_old,
                                                    async_memcpy,      pad_4loop_filling};
constexpr ll_aton_reloc_callback_1_1_3_262 kTable262 = {N6VP_COMMON_SERVICES,
                                                        concat_262,
                                                        cast_262,
                                                        transpose_262,
                                                        softmax_any,
                                                        image_to_rows_262,
                                                        space_to_depth_262,
                                                        rows_to_image_262,
                                                        depth_to_space_262,
                                                        slice_262,
                                                        pad_std_262,
                                                        pad_4loop_262,
                                                        flat_copy_262,
                                                        channel_split_262,
                                                        channel_split_batched_262};

}  // namespace

}  // namespace n6vp::runtime

const void* n6vp_rt_callbacks(uint32_t generation) {
    using namespace n6vp::runtime;
    if (generation == 40) return &kTable262;
    if (generation == 30) return &kTable8;
    return &kTable111;
}

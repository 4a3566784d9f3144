// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/runtime/operation.h"

/// The library operators that models call back for. Tensors are addresses of their records. Each
/// returns 0, or -2 after saying why its arguments are refused; what needs engines is done when the
/// list that it inserted has ended.
namespace n6vp::runtime {

int concat(std::uint32_t inputs, std::uint32_t count, std::uint32_t output, std::uint32_t axis,
           const Route& route);
int cast(std::uint32_t input, std::uint32_t output, const Route& route);
/// On the core alone. The record behind `output` is scratch.
int softmax(std::uint32_t input, std::uint32_t output, std::uint32_t axis, bool legacy);

struct Block {
    std::uint32_t height = 0, width = 0, stride_y = 0, stride_x = 0;
};
int image_to_rows(std::uint32_t inputs, std::uint32_t count, std::uint32_t output, Block block,
                  const Route& route);
int rows_to_image(std::uint32_t inputs, std::uint32_t count, std::uint32_t output, Block block,
                  const Route& route);

/// `offsets` and `positions` are addresses of the output's byte strides and of the place of each
/// input axis among them.
int transpose(std::uint32_t input, std::uint32_t output, std::uint32_t offsets,
              std::uint32_t positions, const Route& route);

int flat_copy(std::uint32_t input, std::uint32_t outputs, std::uint32_t count, const Route& route);
struct Slice {
    std::uint32_t bytes = 0, width = 0, rows = 0, pitch = 0, bits = 0;
};
int slice(std::uint32_t input, std::uint32_t output, Slice slice, const Route& route);
int channel_split(std::uint32_t input, std::uint32_t outputs, std::uint32_t count,
                  std::uint32_t leading, const Route& route);
int channel_split_batched(std::uint32_t input, std::uint32_t outputs, std::uint32_t count,
                          const Route& route);

int linear_copy(std::uint32_t from, std::uint32_t bytes, std::uint32_t limit, std::uint32_t to,
                const Route& route);

// Pads up to 3.0: the model's own code walks, the runtime sets and fills for it. `record` is
// __ll_pad_sw_params_t of the generation.
int pad_set(std::uint32_t out, std::int32_t value, std::uint32_t record, bool with_arrays);
/// 0: goes on with the record of the last pad_set.
int pad_fill(std::uint32_t record);
int pad_fill_loops(std::uint32_t record);

/// The pad of 4.x, all of it here. Arrays are addresses, one word for each axis.
struct Pad {
    std::uint32_t in = 0, out = 0, in_limit = 0, out_limit = 0;
    std::uint32_t mode = 0, element_bytes = 0;
    std::int32_t value = 0;
    std::uint32_t out_bytes = 0, run_axis = 0, run_bytes = 0, rank = 0;
    std::uint32_t min_shape = 0, in_start = 0, in_end = 0, out_start = 0, out_end = 0;
    std::uint32_t out_shape = 0, out_offsets = 0;
};
int pad(const Pad& pad, const Route& route);
struct LoopPad {
    std::uint32_t in = 0, in_limit = 0, out = 0, out_bytes = 0;
    std::int32_t value = 0;
    std::uint32_t element_bytes = 0;
    std::uint32_t reading = 0, writing = 0;  ///< addresses of the two 48-byte records
};
int pad_loops(const LoopPad& pad, const Route& route);

/// What an operator returns for arguments that it refuses.
inline constexpr int kInvalidParameter = -2;

}  // namespace n6vp::runtime

/// Refuses: says why, with the line of the caller.
#define N6VP_REFUSE(error)                                                             \
    (::n6vp::runtime::machine::library_error(LibraryError::error, __LINE__, __func__), \
     ::n6vp::runtime::kInvalidParameter)

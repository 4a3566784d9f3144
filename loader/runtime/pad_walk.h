// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/runtime/operation.h"

/// What both pads share: setting memory, walking the runs of the inside, four loops at once.
namespace n6vp::runtime::pad_walk {

inline constexpr std::uint32_t kMaxAxes = 42;

/// The inside of a padded tensor: runs of `run_bytes` bytes at `run_axis`. Arrays are addresses of
/// a word for each axis; input offsets are negative where bytes are left out, output offsets are
/// positive where bytes are added.
struct Inside {
    std::uint32_t in = 0, out = 0, in_limit = 0;
    std::uint32_t run_axis = 0, run_bytes = 0;
    std::uint32_t min_shape = 0, in_start = 0, in_end = 0, out_start = 0, out_end = 0;
};

/// Begins a walk; `next_run` moves on and gives the next run, false at the end.
void begin_walk(const Inside& inside);
[[nodiscard]] bool next_run(std::uint32_t& to, std::uint32_t& from);
/// As an operator's step: one run after the other by engines.
[[nodiscard]] bool next_run_transfer(Transfer& transfer);
/// All runs by the core.
void fill_by_core();

/// Sets memory to a value of 1 to 4 bytes: the core a few samples, an engine the rest from them.
struct Setting {
    std::uint32_t out = 0, bytes = 0, element_bytes = 1;
    std::int32_t value = 0;
};
void begin_setting(const Setting& setting);
[[nodiscard]] bool next_setting(Transfer& transfer);
void set_by_core(const Setting& setting);

/// One transfer by the two 48-byte records of a loop pad. Returns false if the core did it.
[[nodiscard]] bool loop_transfer(std::uint32_t in, std::uint32_t in_limit, std::uint32_t out,
                                 std::uint32_t reading, std::uint32_t writing, Transfer& transfer);

}  // namespace n6vp::runtime::pad_walk

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/capi/ll_aton_reloc_network.h"
#include "loader/firmware/base/state.h"

/// The models of a job, one of which the program works on at a time, and the memory they get.
extern "C" {
// An unmangled name, for debuggers and the simulator.
extern std::uint8_t n6vp_instances[];
}

namespace n6vp::firmware::chip {

/// Enough for the largest layout of NN_Instance_TypeDef; the profile decides which one is in use.
inline constexpr std::uint32_t kInstanceBytes = 64;

/// What a model may use of the job's exec RAM and external RAM.
struct Place {
    std::uint32_t exec, exec_bytes, ext, ext_bytes;
};

[[nodiscard]] inline bool several_models() {
    return job().model_count > 1;
}

/// Goes over to another model, and says so if there are several.
void select_model(std::uint32_t index);
[[nodiscard]] std::uint32_t model_index();
/// The model that was selected last.
[[nodiscard]] Model& model();
[[nodiscard]] NN_Instance_TypeDef* instance();

/// All memory is free: what was installed is given up.
void free_memory();
/// Sets `place` to what the selected model, which needs that much, gets: all there is, unless
/// models stay side by side. Says what is too small, and fails.
[[nodiscard]] bool take_place(std::uint32_t exec_bytes, std::uint32_t ext_bytes, Place& place);
/// Sets `at` to memory for a buffer that a model wants from its user. Says that it does not fit,
/// and fails.
[[nodiscard]] bool take_user_memory(std::uint32_t bytes, std::uint32_t& at);

}  // namespace n6vp::firmware::chip

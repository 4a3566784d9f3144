// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/runtime/instance.h"

/// The state machine that runs an installed model: one epoch block after the other. Instances are
/// addresses of NN_Instance_TypeDef. The C interface in `capi/` has the documented names.
namespace n6vp::runtime {

/// Result of `run_epoch_block`: go on, sleep first, done.
enum class Progress : std::uint8_t { NoWfe = 0, Wfe = 1, Done = 2 };

/// Arguments of epoch and runtime callbacks.
enum class Moment : std::uint8_t {
    PreStart = 0,
    PostStart = 1,
    PreEnd = 2,
    PostEnd = 3,
    NetworkInit = 4,
    NetworkDeInit = 5,
    RuntimeInit = 6,
    RuntimeDeInit = 7,
};

/// Sets the NPU and its interrupt up.
void runtime_init();
void runtime_de_init();
/// `function` is called as f(moment) at both ends of the runtime's life; it outlives a de-init.
void set_runtime_callback(std::uint32_t function);
/// `function` is called as f(moment, instance, item) around every block of the network.
void set_network_callback(std::uint32_t instance, std::uint32_t function);

/// Nothing happens for a null instance or one without a network.
void init_network(std::uint32_t address);
void de_init_network(std::uint32_t address);
/// Required between two inferences.
void reset_network(std::uint32_t address);
[[nodiscard]] Progress run_epoch_block(std::uint32_t address);

/// The handler of the NPU's line 0.
void interrupt();

// For the operators, which run inside of an epoch block.

/// Returns the instance whose block has the NPU, 0 if none has.
[[nodiscard]] std::uint32_t owner();
/// From 4.x on the operators take and release the NPU; before, the blocks do.
void lock(std::uint32_t instance);
void unlock(std::uint32_t instance);
/// Puts a list of blocks in front of the rest of the network.
void insert_list(std::uint32_t instance, std::uint32_t items);
/// Makes the block that has just ended run once more.
void repeat_block(std::uint32_t address);
/// Goes back to the block whose operator inserted the list, so that it is over when the block that
/// ends now is.
void leave_list(std::uint32_t address);

}  // namespace n6vp::runtime

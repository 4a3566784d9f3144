// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/runtime/pattern.h"

/// What a library operator leaves to two stream engines: transfers that run, one after the other,
/// as an inserted list of epoch blocks after the operator has returned. One operator at a time in
/// the whole system.
namespace n6vp::runtime {

/// The engines that the compiler chose, and the caller.
struct Route {
    std::uint32_t reader = 0, writer = 0;
    std::uint32_t instance = 0;  ///< 0: the owner of the NPU, up to 3.0
};

namespace operation {

/// Numbers of inserted blocks, as the documented `epoch_num`.
enum class Number : std::int16_t {
    Concat = -1,
    InputCopy = -2,
    InputBatched = -3,
    OutputCopy = -4,
    Split = -5,
    SplitBatched = -6,
    OneShot = -7,
    PadSet = -8,
    PadFill = -9,
    Transpose = -10,
    Slice = -11,
};

/// How an operator's work goes on.
struct Steps {
    /// Fills in the next transfer, doing on the core what needs no engine. Returns false at the
    /// end.
    bool (*next)(Transfer& transfer) = nullptr;
    /// Called once after the last transfer; may be null. The list is left by then.
    void (*finish)() = nullptr;
};

/// Begins an operator: no other may be under way, and the engines must exist.
void begin(const Route& route);
/// Does the steps: what the core can do at once, the rest by an inserted list. Returns 0.
int run(Number number, const Steps& steps);

/// A run of `bytes` bytes: the core copies the first few (all, if it is short) and empties its
/// cache there. Returns false if nothing is left for the engines, else fills in the transfer.
bool copy_head(std::uint32_t to, std::uint32_t from, std::uint32_t bytes, std::uint32_t limit,
               Transfer& transfer);

/// Both ends of an inserted block, for the state machine.
void start_step();
void end_step();
/// Stops what is under way, for a network that is taken out.
void abandon();

/// Does a transfer on the core, including caches, if engines cannot do it.
void by_core(const Transfer& transfer);

[[nodiscard]] std::uint32_t instance();

}  // namespace operation

}  // namespace n6vp::runtime

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/runtime/pattern.h"

/// The runtime's own traffic with the NPU's registers: what is not programmed by a model.
namespace n6vp::runtime::npu {

inline constexpr std::uint32_t kEngines = 10;
inline constexpr std::uint32_t kAllEngines = (1u << kEngines) - 1;

/// Sources in INTREG.
inline constexpr std::uint32_t kEngineErrorSource = 10, kEngineErrors = kAllEngines << 10;
inline constexpr std::uint32_t kBusSource = 25, kBusErrors = 3u << 25;
inline constexpr std::uint32_t kBlobEndSource = 28;
inline constexpr std::uint32_t kBlobErrors = 3u << 29;  ///< no-ack and error

/// Brings clocks, buses and interrupt controller up. Stops if a unit has another version than the
/// STM32N6's.
void initialise();
void shut_down();

/// Makes line 0 come when all engines of the mask have ended; 0: never.
void set_wait_mask(std::uint32_t engines);

/// Starts the epoch controller at a blob's first word; ends it when its event came.
void start_blob(std::uint32_t address);
void end_blob();

/// Sets two engines and the way between them up and enables them, the writing one first. From 4.x
/// on the stream switch is reset before.
void start_transfer(const Transfer& transfer, std::uint32_t reader, std::uint32_t writer);
void end_transfer(std::uint32_t reader, std::uint32_t writer);

[[nodiscard]] bool engine_running(std::uint32_t engine);

/// Interrupt sources; the status words of engine and epoch controller are acknowledged by writing
/// them back.
[[nodiscard]] std::uint32_t pending_sources();
void clear_sources(std::uint32_t sources);
std::uint32_t acknowledge_engine(std::uint32_t engine);
std::uint32_t acknowledge_blob();
[[nodiscard]] std::uint32_t engine_status(std::uint32_t engine);
[[nodiscard]] std::uint32_t blob_status();
[[nodiscard]] std::uint32_t blob_label();
[[nodiscard]] std::uint32_t bus_status(std::uint32_t interface);

}  // namespace n6vp::runtime::npu

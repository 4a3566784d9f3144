// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/validation/device.h"
#include "loader/validation/wire.h"

/// The answers of a board: numbers and fields of the protocol, version 3.1.
namespace n6vp::validation {

inline constexpr std::uint32_t kVersion = 0x0301;

enum Command : std::uint32_t { kSync = 0, kSystemInfo = 1, kNetworkInfo = 10, kNetworkRun = 11 };
enum State : std::uint32_t { kIdle, kWaiting, kProcessing, kDone, kFailed };
enum Error : std::uint32_t { kNoError = 0, kInvalidSize = 1, kInvalidParameter = 4, kGeneric = 10 };
enum Capability : std::uint32_t { kObserver = 1 };
inline constexpr std::uint32_t kUserOption = 8;  ///< first bit of an option's part for counters
enum RunMode : std::uint32_t { kPerLayer = 2, kPerf = 8, kConstant = 0x200 };
// Flags of a tensor.
inline constexpr std::uint32_t kInputTensor = 1, kOutputTensor = 2, kInternalTensor = 4,
                               kPoolTensor = 8, kLastTensor = 0x100, kNoData = 0x200,
                               kInPool = 0x400;
// Flags of an operator, in its type.
inline constexpr std::uint32_t kInternalOperator = 1u << 24, kNoTensors = 4u << 24;

/// Writes the fields that every answer begins with.
void put_head(Writer& to, std::uint32_t request, State state);
void put_sync(Writer& to, const System& system);
void put_system(Writer& to, const System& system);
void put_ack(Writer& to, std::uint32_t parameter, Error error);
void put_log(Writer& to, const char* text);
/// With the two times that version 3.2 demands and 3.1 skips, if wanted.
void put_model(Writer& to, const Model& model, const Device& device, bool with_times);
void put_node(Writer& to, const Node& node, bool has_tensors, std::uint32_t core_hz);
/// The inference as a whole; `parts`: its nodes were measured.
void put_inference(Writer& to, const char* name, const Cycles& cycles, bool parts,
                   std::uint32_t core_hz);
/// `bytes` of contents follow what is written.
void put_tensor(Writer& to, const Tensor& tensor, std::uint32_t flags, std::uint32_t bytes);

[[nodiscard]] std::uint32_t type_of(const Node& node, bool has_tensors);
[[nodiscard]] const char* name_of(NodeKind kind);

}  // namespace n6vp::validation

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/chip/mcu/microcontroller.h"
#include "sim/inference/firmware_lines.h"

/// What a model of the older family says of itself, read from the memory of the chip. Pointers and
/// counts are the model's: each is checked, and a name is text of the file.
namespace n6vp::sim {

/// An input or output with its place.
struct McuTensor {
    model_run::Tensor tensor;
    std::uint32_t address = 0;
};

struct McuModelReport {
    std::string name, tools, runtime;
    std::uint64_t macc = 0;
    std::uint32_t nodes = 0;
    std::vector<McuTensor> inputs, outputs;
};

/// The words of firmware::mcu::Event::Described.
struct McuDescription {
    std::uint32_t report = 0, report_bytes = 0, inputs = 0, input_count = 0, outputs = 0,
                  output_count = 0;
};

/// Returns none, with `why` set, if part of it is not in memory or makes no sense.
[[nodiscard]] std::optional<McuModelReport> read_report(models::mcu_chip::Microcontroller& chip,
                                                        const McuDescription& at, std::string& why);

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sim/generate/lower/npu_epoch.h"
#include "sim/generate/tflite/graph.h"

/// Operators that the core computes with the functions of glue/generated_operators.h.
namespace n6vp::sim::generate {

/// Every element through a table, by its stored byte.
struct LookupWork {
    std::array<std::uint8_t, 256> table{};
};

/// Sum, difference or product of two tensors, the smaller one repeated.
enum class PairKind : std::uint8_t { Sum, Difference, Product };
struct PairWork {
    struct Operand {
        std::int32_t zero_point = 0;
        FixedMultiplier multiplier;            ///< of a sum's operands, with 20 more bits
        std::array<std::uint32_t, 4> steps{};  ///< elements from one index to the next
    };
    PairKind kind = PairKind::Sum;
    Operand x, y;
    std::array<std::uint32_t, 4> lengths{1, 1, 1, 1};  ///< of the output
    FixedMultiplier multiplier;                        ///< of the sum or product
    std::int32_t zero_point = 0, low = -128, high = 127;
};

/// Pixels gathered from another feature map: source line and column of each, in bytes.
struct PixelWork {
    std::uint32_t pixel_bytes = 1;
    std::vector<std::uint32_t> lines, columns;
};

/// A tensor that the core reads: computed, or constant.
struct CoreInput {
    Address at;
    std::uint32_t bytes = 0;
    std::vector<std::uint8_t> constant;
};

struct CoreEpoch {
    std::string name;    ///< of the layer; hostile text
    std::string choice;  ///< for reports
    std::vector<CoreInput> inputs;
    Address output;
    std::uint32_t elements = 0;          ///< of the output
    std::uint64_t estimated_cycles = 0;  ///< of the core, without the call: assumed
    std::variant<LookupWork, PairWork, PixelWork> work;
};

/// What the C source of a model has of such an epoch: tables, and the call. `in0`, `in1` and `out`
/// are the names of the tensors in it, `suffix` that of the tables.
struct OperatorSource {
    std::string tables, call;
};
[[nodiscard]] OperatorSource operator_source(const CoreEpoch& epoch, const std::string& suffix);

}  // namespace n6vp::sim::generate

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

/// Field numbers and codes of the TFLite schema, version 3: facts about the file format. A field's
/// number is its place in its table, counted from 0.
namespace n6vp::sim::generate::tflite {

inline constexpr const char* kIdentifier = "TFL3";
inline constexpr std::uint32_t kVersion = 3;

namespace model {
enum : unsigned { kVersion, kOperatorCodes, kSubgraphs, kDescription, kBuffers };
}
namespace operator_code {
// The byte holds codes below 127; newer files have the word as well.
enum : unsigned { kByteCode, kCustomCode, kVersion, kWordCode };
}  // namespace operator_code
namespace subgraph {
enum : unsigned { kTensors, kInputs, kOutputs, kOperators, kName };
}
namespace tensor {
enum : unsigned { kShape, kType, kBuffer, kName, kQuantization, kIsVariable, kSparsity };
}
namespace quantization {
enum : unsigned { kMin, kMax, kScale, kZeroPoint, kDetailsType, kDetails, kDimension };
}
namespace op {
enum : unsigned { kCode, kInputs, kOutputs, kOptionsType, kOptions };
}
namespace buffer {
// Files above 2 GiB keep the data behind the flatbuffer, at `offset`.
enum : unsigned { kData, kOffset, kSize };
}  // namespace buffer

namespace conv_options {
enum : unsigned { kPadding, kStrideW, kStrideH, kActivation, kDilationW, kDilationH };
}
namespace depthwise_options {
enum : unsigned { kPadding, kStrideW, kStrideH, kMultiplier, kActivation, kDilationW, kDilationH };
}
namespace pool_options {
enum : unsigned { kPadding, kStrideW, kStrideH, kWidth, kHeight, kActivation };
}
namespace fully_connected_options {
enum : unsigned { kActivation, kWeightsFormat, kKeepDimensions };
}
namespace arithmetic_options {
enum : unsigned { kActivation };
}
namespace concatenation_options {
enum : unsigned { kAxis, kActivation };
}
namespace softmax_options {
enum : unsigned { kBeta };
}
namespace reducer_options {
enum : unsigned { kKeepDimensions };
}
// Field 0 and 1 were the new height and width.
namespace bilinear_options {
enum : unsigned { kAlignCorners = 2, kHalfPixelCenters = 3 };
}
namespace nearest_options {
enum : unsigned { kAlignCorners, kHalfPixelCenters };
}

enum TensorType : std::int8_t {
    kFloat32 = 0,
    kInt32 = 2,
    kUint8 = 3,
    kInt64 = 4,
    kInt16 = 7,
    kInt8 = 9,
};

enum PaddingCode : std::int8_t { kSame = 0, kValid = 1 };
enum ActivationCode : std::int8_t { kNone = 0, kRelu = 1, kReluN1To1 = 2, kRelu6 = 3 };

/// Code of operators that are not built in.
inline constexpr std::int32_t kCustom = 32;

/// Returns "CONV_2D", or null for codes that the list does not reach.
[[nodiscard]] const char* builtin_name(std::int32_t code);
/// Returns the code of a name. A name that the list has not is a bug of the caller:
/// std::logic_error.
[[nodiscard]] std::int32_t builtin_code(std::string_view name);

}  // namespace n6vp::sim::generate::tflite

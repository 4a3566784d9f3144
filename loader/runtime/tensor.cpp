// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/tensor.h"

namespace n6vp::runtime {

namespace {

/// Numbers of the element types, which 1.1.1 changed.
struct TypeNumbers {
    std::uint8_t uint8, int8, uint16, int16, boolean;
};
constexpr TypeNumbers kOldNumbers = {2, 3, 4, 5, 9};
constexpr TypeNumbers kNewNumbers = {6, 7, 8, 9, 13};
constexpr std::uint8_t kFloat = 1, kFixedPoint = 100;

bool is_plain(std::uint8_t type, const TypeNumbers& numbers) {
    return type == numbers.uint8 || type == numbers.int8 || type == numbers.uint16 ||
           type == numbers.int16 || type == numbers.boolean;
}

}  // namespace

Tensor::Tensor(std::uint32_t record) {
    std::uint32_t base = load<std::uint32_t>(record + 0x04);
    if (load<std::uint8_t>(record + 0x14) != 0) base = load<std::uint32_t>(base);
    start = base + load<std::uint32_t>(record + 0x08);
    end = base + load<std::uint32_t>(record + 0x0C);
    const auto limit_offset = load<std::uint32_t>(record + 0x10);
    limit = limit_offset == 0 ? 0 : base + limit_offset;
    batch = load<std::uint32_t>(record + 0x18);
    type = load<std::uint8_t>(record + 0x23);
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): both are signed
    qm = load<std::int8_t>(record + 0x24);
    // NOLINTNEXTLINE(bugprone-signed-char-misuse)
    qn = load<std::int8_t>(record + 0x25);
    is_unsigned = load<std::uint8_t>(record + 0x26) != 0;
    rank = load<std::uint8_t>(record + 0x27);
    bits = load<std::uint8_t>(record + 0x28);
    per_channel = load<std::uint8_t>(record + 0x29) != 0;
    shape = load<std::uint32_t>(record + 0x2C);
    scale = load<std::uint32_t>(record + 0x30);
    zero_point = load<std::uint32_t>(record + 0x34);

    const bool old = machine::profile().generation == loader::Generation::Core21;
    const TypeNumbers& numbers = old ? kOldNumbers : kNewNumbers;
    is_int8 = type == numbers.int8;
    if (type == kFloat) element = Element::Float;
    if (type == kFixedPoint) element = Element::Fixed;
    if (!is_plain(type, numbers)) return;
    element = Element::Fixed;
    qm = static_cast<std::int32_t>(bits);
    qn = 0;
}

}  // namespace n6vp::runtime

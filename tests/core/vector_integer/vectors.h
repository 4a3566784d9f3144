// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <random>

#include "models/core/ir/state.h"

namespace n6vp::test {

/// Numbers that are the same in every run.
class Random {
  public:
    explicit Random(std::uint32_t seed) : engine_(seed) {}
    std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }

  private:
    std::mt19937 engine_;
};

/// Element number `index` of `bytes` bytes at byte `offset` of the vector registers, as the number
/// it stands for. Not by the accessors of the models: tests must not share their mistakes.
[[nodiscard]] inline std::int64_t element(const models::core::CpuState& cpu, unsigned offset,
                                          unsigned bytes, bool is_signed, unsigned index) {
    std::uint64_t value = 0;
    for (unsigned i = bytes; i-- > 0;)
        value = value << 8 | cpu.vector.at(offset + index * bytes + i);
    const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1);
    if (is_signed && (value & sign) != 0) value -= sign << 1;
    return static_cast<std::int64_t>(value);
}

/// Fills the vector registers with bytes at which arithmetic goes wrong, and others.
inline void fill_vectors(models::core::CpuState& cpu, Random& random) {
    for (auto& byte : cpu.vector) byte = static_cast<std::uint8_t>(random());
    constexpr std::uint32_t kWords[] = {0,          1,          0x7F,       0x80,
                                        0x7FFF,     0x8000,     0x7FFFFFFF, 0x80000000,
                                        0xFFFFFFFF, 0x80808080, 0x80008000, 0x7F7F7F7F};
    for (unsigned word = 0; word < 32; ++word) {
        const std::uint32_t edge = kWords[random() % std::size(kWords)];
        if (random() % 2 != 0) std::memcpy(cpu.vector.data() + std::size_t{4} * word, &edge, 4);
    }
}

/// Puts the VPT predicate and the tail of a loop into a random state; in a third of the cases all
/// bytes are active. Returns the active bytes, one bit each.
inline std::uint32_t draw_predicate(models::core::CpuState& cpu, Random& random) {
    cpu.vpr = random() % 0x10000;
    cpu.ltpsize = 4;
    cpu.r[14] = 0;
    std::uint32_t active = 0xFFFF;
    const unsigned kind = random() % 3;
    if (kind == 1) {
        // Both halves in a VPT block, none in an else slot.
        cpu.vpr |= 0x880000;
        active = cpu.vpr & 0xFFFF;
    } else if (kind == 2) {
        cpu.ltpsize = random() % 4;
        cpu.r[14] = random() % 18;
        const unsigned bytes = cpu.r[14] << cpu.ltpsize;
        active = bytes >= 16 ? 0xFFFF : (1u << bytes) - 1;
    }
    return active;
}

}  // namespace n6vp::test

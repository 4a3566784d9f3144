// SPDX-License-Identifier: Apache-2.0
// Register words for the decoders of configurations, with bit positions of the tests' own.
#pragma once

#include <doctest/doctest.h>

#include <initializer_list>
#include <random>
#include <utility>
#include <vector>

#include "models/npu/registers/register_file.h"

namespace n6vp::test {

/// Registers of a unit with `words` written to them.
inline models::npu::RegisterFile registers_with(
    const models::npu::UnitType& type,
    std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> words) {
    models::npu::RegisterFile registers(type);
    for (const auto& [offset, word] : words) registers.write(offset, word);
    return registers;
}

/// Where a configuration's field lies and how to get it.
template <typename Config>
struct Placed {
    std::uint32_t offset;
    int low, width;
    bool is_signed;
    long long (*get)(const Config&);
};

/// Compares every field with the bits of random register words.
template <typename Config>
void compare_fields(const models::npu::UnitType& type,
                    Config (*decode)(const models::npu::RegisterFile&),
                    const std::vector<Placed<Config>>& fields) {
    std::mt19937 random(61);
    for (int round = 0; round < 400; ++round) {
        models::npu::RegisterFile registers(type);
        for (const Placed<Config>& field : fields) {
            registers.write(field.offset, static_cast<std::uint32_t>(random()));
        }
        const Config config = decode(registers);
        for (const Placed<Config>& field : fields) {
            const long long size = 1LL << field.width;
            long long expected = (registers.read(field.offset) >> field.low) % size;
            if (field.is_signed && expected >= size / 2) expected -= size;
            CAPTURE(field.offset);
            CAPTURE(field.low);
            REQUIRE(field.get(config) == expected);
        }
    }
}

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <hwy/targets.h>

#include <cstdint>
#include <vector>

#include "models/core/isa/families.h"
#include "tests/core/integer/machine.h"
#include "tests/core/vector_integer/vectors.h"

// Results may not depend on the vector unit of the host.

namespace {

using namespace n6vp::test;
using n6vp::models::core::isa::Fields;
using n6vp::models::core::isa::Row;

/// The state that an instruction leaves.
struct Outcome {
    std::array<std::uint8_t, 128> vector{};
    std::array<std::uint32_t, 16> r{};
    std::uint32_t fpscr = 0;
    bool operator==(const Outcome&) const = default;
};

/// Draws encodings of every row of the family, the same ones each time.
std::vector<std::uint32_t> draw_encodings(unsigned per_row) {
    std::vector<std::uint32_t> encodings;
    Random random(8);
    const auto family = n6vp::models::core::isa::vector_integer_family();
    for (const Row& row : family.rows) {
        for (unsigned left = per_row; left > 0;) {
            const auto bits = random();
            const std::uint32_t encoding = (bits & ~row.pattern.mask) | row.pattern.value;
            if (row.matches != nullptr && !row.matches(Fields(row.pattern, encoding))) continue;
            encodings.push_back(encoding);
            --left;
        }
    }
    return encodings;
}

/// Executes every encoding on several states, all bytes active, on the vector unit `target`.
std::vector<Outcome> outcomes(const std::vector<std::uint32_t>& encodings, std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
    std::vector<Outcome> all;
    Machine machine;
    auto& cpu = machine.cpu();
    Random random(9);
    for (const std::uint32_t encoding : encodings) {
        for (int round = 0; round < 4; ++round) {
            fill_vectors(cpu, random);
            cpu.vpr = 0;
            cpu.fpscr = 0;
            for (unsigned i = 0; i < 15; ++i) cpu.r[i] = i == 13 ? 0 : random();
            (void)machine.run_wide(encoding);
            all.push_back({cpu.vector, cpu.r, cpu.fpscr});
        }
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
    return all;
}

}  // namespace

TEST_CASE("every vector unit that this host has gives the same results") {
    const auto encodings = draw_encodings(40);
    std::vector<std::int64_t> targets;
    for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1)
        targets.push_back(left & -left);
    REQUIRE(!targets.empty());
    const auto reference = outcomes(encodings, targets.back());
    for (const std::int64_t target : targets) {
        CAPTURE(hwy::TargetName(target));
        const auto found = outcomes(encodings, target);
        for (std::size_t i = 0; i < found.size(); ++i) {
            CAPTURE(encodings[i / 4]);
            REQUIRE(found[i] == reference[i]);
        }
    }
}

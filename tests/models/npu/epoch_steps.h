// SPDX-License-Identifier: Apache-2.0
// Worked epochs as software's writes and as programs of the epoch controller.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/loader/epoch_controller/ec_assembler.h"
#include "tests/models/npu/epoch_examples.h"

namespace n6vp::test {

/// What software does to run an epoch, as accesses: (offset, value) in order.
struct EpochSteps {
    using Writes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    Writes configure;  ///< units and the switch
    Writes enable;     ///< whole CTRL values with EN, in the order of the epoch
    Writes finish;     ///< CLR and CONFCLR of each unit, DST to 0
};

inline EpochSteps steps_of(const ExampleEpoch& epoch, bool completion_events = true) {
    EpochSteps steps;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> controls;
    for (const auto& [offset, value] : epoch.words) {
        steps.configure.emplace_back(offset, offset % 0x1000 == 0 ? value & ~1u : value);
        if (offset % 0x1000 == 0) controls.emplace_back(offset, value | 1);
    }
    for (const std::uint32_t page : epoch.enabled) {
        if (page >= 15) continue;
        for (const auto& [offset, value] : kEngineWords)
            steps.configure.emplace_back(page * 0x1000 + offset, value);
    }
    for (std::uint32_t i = 0; i < epoch.outputs && completion_events; ++i)
        steps.configure.emplace_back(epoch.enabled[i] * 0x1000 + 0x28, 0x00180000);
    for (const ExampleEpoch::Coefficients& memory : epoch.coefficients) {
        std::uint32_t state = memory.page;
        for (std::uint32_t i = 0; i < memory.entries; ++i) {
            state = state * 1664525 + 1013904223;
            const bool known = i < memory.first.size();
            const std::uint32_t at = memory.page * 0x1000 + 0x400 + 8 * i;
            steps.configure.emplace_back(
                at, known ? memory.first[i].first
                          : (memory.first[0].first & 0x0000FFFF) | (state & 0xFFFF0000) >> 5);
            steps.configure.emplace_back(at + 4, known ? memory.first[i].second : state >> 16);
        }
    }
    steps.configure.emplace_back(0x04000, 1);
    for (const auto& [destination, value] : epoch.destinations)
        steps.configure.emplace_back(0x04008 + 4 * destination, value);
    for (const std::uint32_t page : epoch.enabled) {
        const auto control =
            std::ranges::find(controls, page * 0x1000, [](const auto& one) { return one.first; });
        // ARITH of E12 and the like have all they need in CTRL; every unit has one.
        steps.enable.push_back(*control);
        steps.finish.emplace_back(page * 0x1000, 2);
        steps.finish.emplace_back(page * 0x1000, 0x40000000);
    }
    for (const auto& [destination, value] : epoch.destinations)
        steps.finish.emplace_back(0x04008 + 4 * destination, 0);
    return steps;
}

inline const ExampleEpoch& example(const std::string& name) {
    return *std::ranges::find(example_epochs(), name,
                              [](const ExampleEpoch& one) { return std::string(one.name); });
}

/// An epoch as compilers write it: gates, units with EN clear, switch, enables, polls, and back.
inline EcAssembler program_of(const ExampleEpoch& epoch, std::uint32_t label) {
    const EpochSteps steps = steps_of(epoch, false);
    EcAssembler code;
    code.label(label);
    for (const std::uint32_t page : epoch.enabled) code.gate(page - 5, true);
    for (const auto& [offset, value] : steps.configure) {
        const std::uint32_t page = offset / 0x1000, at = offset % 0x1000;
        if (at == 0 && page >= 23 && page < 27) {
            code.burst(page, at, {0x08000000, value});
        } else if (at == 0x30 && page < 15) {
            code.burst(page, at, {6, value});
        } else {
            code.write(page, at, value);
        }
    }
    for (const auto& [offset, value] : steps.enable) {
        if (offset >= 0xF000 && offset < 0x13000) {
            code.write(offset / 0x1000, 0, value);
        } else {
            code.field(offset / 0x1000, 0, 0, 1);
        }
    }
    for (std::uint32_t i = 0; i < epoch.outputs; ++i) code.poll(epoch.enabled[i], 0, 31);
    for (const auto& [offset, value] : steps.finish) {
        code.write(offset / 0x1000, offset % 0x1000, value);
        if (offset % 0x1000 == 0) code.poll(offset / 0x1000, 0, value == 2 ? 1 : 30);
    }
    for (const std::uint32_t page : epoch.enabled) code.gate(page - 5, false);
    code.label(label + 1).irq();
    return code;
}

}  // namespace n6vp::test

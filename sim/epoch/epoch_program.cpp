// SPDX-License-Identifier: Apache-2.0
#include "sim/epoch/epoch_program.h"

namespace n6vp::sim {

namespace {

namespace npu = memmap::npu;

constexpr npu::Register kCtrl = npu::reg(npu::kStreng, "CTRL");
constexpr npu::Register kTranslate = npu::reg(npu::kArith, "TRANSLATEADDR");
/// The coefficient window: with TRANSLATEADDR.EN it shows entries 0 to 383, without, the last 128
/// of the memory in its upper quarter.
constexpr std::uint32_t kWindow = 0x400, kUpperWindow = 0xC00, kLowEntries = 384;

std::uint32_t offset_of(npu::Unit unit, const npu::Register& at, std::uint32_t index = 0) {
    return unit.page() * npu::kPageBytes + at.offset + index * at.stride;
}

void write_coefficients(const UnitSettings& unit, std::vector<WindowWrite>& writes) {
    if (unit.coefficients.empty()) return;
    const std::uint32_t page = unit.unit.page() * npu::kPageBytes;
    const std::uint32_t translate = offset_of(unit.unit, kTranslate);
    std::uint32_t entry = 0;
    for (const CoefficientWords& words : unit.coefficients) {
        const bool low = entry < kLowEntries;
        if (entry == 0 || entry == kLowEntries) writes.push_back({translate, low ? 1u : 0u});
        const std::uint32_t at =
            page + (low ? kWindow + 8 * entry : kUpperWindow + 8 * (entry - kLowEntries));
        writes.push_back({at, words.ab});
        writes.push_back({at + 4, words.c});
        ++entry;
    }
    writes.push_back({translate, unit.word(kTranslate)});
}

std::uint32_t without_enable(std::uint32_t control) {
    return npu::insert(control, npu::kEnable, 0);
}

std::uint32_t gates_of(const BenchEpoch& epoch) {
    std::uint32_t gates = 0;
    for (const UnitSettings& unit : epoch.units) {
        if (unit.unit.gate() != npu::kNoGate) gates |= 1u << unit.unit.gate();
    }
    return gates;
}

}  // namespace

std::vector<WindowWrite> start_writes() {
    constexpr npu::Unit kClocks{&npu::kClkctrl, 0};
    constexpr npu::Unit kSwitch{&npu::kStrswitch, 0};
    constexpr npu::Register kGates0 = npu::reg(npu::kClkctrl, "AGATES0");
    constexpr npu::Register kGates1 = npu::reg(npu::kClkctrl, "AGATES1");
    constexpr std::uint32_t kAll = 0xF;
    return {{offset_of(kClocks, kGates0), kAll},
            {offset_of(kClocks, kGates1), kAll},
            {offset_of(kSwitch, kCtrl), 1}};
}

namespace {

/// The program of a blob signals its end by the only interrupt that line 0 passes on.
EpochProgram blob_program(std::uint32_t address) {
    constexpr npu::Unit kClocks{&npu::kClkctrl, 0}, kInterrupts{&npu::kIntctrl, 0},
        kController{&npu::kEpochctrl, 0};
    constexpr npu::Register kGates = npu::reg(npu::kClkctrl, "BGATES");
    constexpr npu::Register kMask = npu::reg(npu::kIntctrl, "INTORMSK0");
    constexpr npu::Register kClearInterrupts = npu::reg(npu::kIntctrl, "INTCLR");
    constexpr npu::Register kAddress = npu::reg(npu::kEpochctrl, "ADDR");
    constexpr npu::Register kIrq = npu::reg(npu::kEpochctrl, "IRQ");
    constexpr std::uint32_t kEnd = npu::field(npu::kIntctrl, "INTREG.EPOCHCTRL_0_0").mask();
    const std::uint32_t control = offset_of(kController, npu::kEpochctrl.registers[0]);
    EpochProgram program;
    program.configure = {{offset_of(kInterrupts, kMask), ~kEnd},
                         {offset_of(kInterrupts, npu::kIntctrl.registers[0]), 1},
                         {offset_of(kClocks, kGates), 1u << kController.gate()},
                         {offset_of(kController, kAddress), address}};
    program.enable = {{control, npu::insert(0, npu::kEnable, 1)}};
    program.clear = {{offset_of(kController, kIrq), ~0u},
                     {control, npu::insert(0, npu::kClear, 1)},
                     {control, npu::insert(0, npu::kConfigurationClear, 1)},
                     {offset_of(kInterrupts, kClearInterrupts), ~0u},
                     {offset_of(kClocks, kGates), 0}};
    return program;
}

/// What `start_writes` opened is open for the next epoch, whatever this one did to it.
void append_start(std::vector<WindowWrite>& writes) {
    const std::vector<WindowWrite> start = start_writes();
    writes.insert(writes.end(), start.begin(), start.end());
}

}  // namespace

EpochProgram make_program(const BenchEpoch& epoch) {
    constexpr npu::Unit kClocks{&npu::kClkctrl, 0};
    constexpr npu::Register kGates = npu::reg(npu::kClkctrl, "BGATES");
    if (epoch.blob) {
        EpochProgram program = blob_program(*epoch.blob);
        append_start(program.clear);
        return program;
    }
    EpochProgram program;
    program.configure.push_back({offset_of(kClocks, kGates), gates_of(epoch)});
    for (const UnitSettings& unit : epoch.units) {
        for (const RegisterSetting& setting : unit.registers) {
            const bool control = setting.at->offset == kCtrl.offset;
            program.configure.push_back({offset_of(unit.unit, *setting.at, setting.index),
                                         control ? without_enable(setting.value) : setting.value});
        }
        write_coefficients(unit, program.configure);
    }
    for (const npu::Unit unit : epoch.enable) {
        for (const UnitSettings& settings : epoch.units) {
            if (settings.unit.page() != unit.page()) continue;
            const std::uint32_t control = settings.word(unit.type->registers[0]);
            program.enable.push_back(
                {offset_of(unit, kCtrl), npu::insert(control, npu::kEnable, 1)});
        }
    }
    const auto clear = [&program](npu::Unit unit) {
        const std::uint32_t control = offset_of(unit, kCtrl);
        program.clear.push_back({control, npu::insert(0, npu::kClear, 1)});
        program.clear.push_back({control, npu::insert(0, npu::kConfigurationClear, 1)});
    };
    bool clocks_set = false;
    for (const UnitSettings& unit : epoch.units) {
        if (unit.unit.type == &npu::kClkctrl) {
            clocks_set = true;
            continue;
        }
        if (unit.unit.type == &npu::kStrswitch) {
            for (const RegisterSetting& setting : unit.registers) {
                program.clear.push_back({offset_of(unit.unit, *setting.at, setting.index),
                                         setting.at->offset == kCtrl.offset ? 1u : 0u});
            }
            continue;
        }
        clear(unit.unit);
    }
    // The others are cleared while they have their clocks.
    if (clocks_set) {
        clear(kClocks);
        append_start(program.clear);
    }
    program.clear.push_back({offset_of(kClocks, kGates), 0});
    return program;
}

}  // namespace n6vp::sim

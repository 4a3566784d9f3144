// SPDX-License-Identifier: Apache-2.0
#include "models/soc/mcu/rcc.h"

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "models/soc/mcu/set_up_tables.h"

namespace n6vp::models::mcu {
namespace {

using memmap::ChipFamily;
using memmap::ChipPeripheral;

[[nodiscard]] const StubTable& table_of(const memmap::Chip& chip) {
    const StubTable* table = set_up_table(chip, "RCC");
    if (table == nullptr) throw std::logic_error(std::string("no RCC for ") + chip.name);
    return *table;
}

/// Number of the APB that an enable register belongs to; 0: an AHB.
[[nodiscard]] unsigned apb_of(const memmap::Chip& chip, int enable) {
    struct Row {
        ChipFamily family;
        int offset;
        unsigned bus;
    };
    // The H743 has its registers 0x60 before those of the H7A3.
    constexpr Row kRows[] = {
        {ChipFamily::L4, 0x58, 1},  {ChipFamily::L4, 0x5C, 1},  {ChipFamily::L4, 0x60, 2},
        {ChipFamily::U5, 0x9C, 1},  {ChipFamily::U5, 0xA0, 1},  {ChipFamily::U5, 0xA4, 2},
        {ChipFamily::U5, 0xA8, 3},  {ChipFamily::F7, 0x40, 1},  {ChipFamily::F7, 0x44, 2},
        {ChipFamily::H7, 0xE4, 3},  {ChipFamily::H7, 0xE8, 1},  {ChipFamily::H7, 0xEC, 1},
        {ChipFamily::H7, 0xF0, 2},  {ChipFamily::H7, 0xF4, 4},  {ChipFamily::H7, 0x144, 3},
        {ChipFamily::H7, 0x148, 1}, {ChipFamily::H7, 0x14C, 1}, {ChipFamily::H7, 0x150, 2},
        {ChipFamily::H7, 0x154, 4}};
    for (const Row& row : kRows) {
        if (row.family == chip.family && row.offset == enable) return row.bus;
    }
    return 0;
}

/// A bit of CFGR2 or CFGR3 of the U5 that stops all peripherals of an enable register.
struct BusSwitch {
    int enable;
    std::uint32_t offset;
    unsigned bit;
};
constexpr std::array<BusSwitch, 8> kBusSwitches{{{0x88, 0x20, 16},
                                                 {0x8C, 0x20, 17},
                                                 {0x90, 0x20, 18},
                                                 {0x94, 0x24, 16},
                                                 {0x9C, 0x20, 19},
                                                 {0xA0, 0x20, 19},
                                                 {0xA4, 0x20, 20},
                                                 {0xA8, 0x24, 17}}};
/// What AHB1DIS spares.
constexpr std::array<std::string_view, 4> kSpared{"FLASH", "BKPSRAM", "ICACHE", "DCACHE1"};

[[nodiscard]] bool spared(std::string_view name) {
    for (const std::string_view each : kSpared) {
        if (name == each) return true;
    }
    return false;
}

/// Clock selection of a serial port. Codes: the clock of its bus, then `sources`.
enum class Source : std::uint8_t { System, Hsi, Lse, Csi, Msik, None };
struct Selection {
    ChipFamily family;
    std::string_view name;
    std::uint32_t offset;
    unsigned lsb, width;
};
constexpr std::array<Selection, 30> kSelections{{
    {ChipFamily::L4, "USART1", 0x88, 0, 2}, {ChipFamily::L4, "USART2", 0x88, 2, 2},
    {ChipFamily::L4, "USART3", 0x88, 4, 2}, {ChipFamily::L4, "UART4", 0x88, 6, 2},
    {ChipFamily::L4, "UART5", 0x88, 8, 2},  {ChipFamily::L4, "LPUART1", 0x88, 10, 2},
    {ChipFamily::F7, "USART1", 0x90, 0, 2}, {ChipFamily::F7, "USART2", 0x90, 2, 2},
    {ChipFamily::F7, "USART3", 0x90, 4, 2}, {ChipFamily::F7, "UART4", 0x90, 6, 2},
    {ChipFamily::F7, "UART5", 0x90, 8, 2},  {ChipFamily::F7, "USART6", 0x90, 10, 2},
    {ChipFamily::F7, "UART7", 0x90, 12, 2}, {ChipFamily::F7, "UART8", 0x90, 14, 2},
    {ChipFamily::U5, "USART1", 0xE0, 0, 2}, {ChipFamily::U5, "USART2", 0xE0, 2, 2},
    {ChipFamily::U5, "USART3", 0xE0, 4, 2}, {ChipFamily::U5, "UART4", 0xE0, 6, 2},
    {ChipFamily::U5, "UART5", 0xE0, 8, 2},  {ChipFamily::U5, "LPUART1", 0xE8, 0, 3},
    {ChipFamily::H7, "USART1", 0x54, 3, 3}, {ChipFamily::H7, "USART6", 0x54, 3, 3},
    {ChipFamily::H7, "UART9", 0x54, 3, 3},  {ChipFamily::H7, "USART10", 0x54, 3, 3},
    {ChipFamily::H7, "USART2", 0x54, 0, 3}, {ChipFamily::H7, "USART3", 0x54, 0, 3},
    {ChipFamily::H7, "UART4", 0x54, 0, 3},  {ChipFamily::H7, "UART5", 0x54, 0, 3},
    {ChipFamily::H7, "UART7", 0x54, 0, 3},  {ChipFamily::H7, "UART8", 0x54, 0, 3},
}};

/// By the code of the selection less one.
[[nodiscard]] Source source_of(ChipFamily family, std::uint32_t code) {
    using enum Source;
    constexpr std::array<Source, 7> kMost{System, Hsi, Lse, Msik, None, None, None};
    // PLL 2 and PLL 3 are not modelled.
    constexpr std::array<Source, 7> kH7{None, None, Hsi, Csi, Lse, None, None};
    return (family == ChipFamily::H7 ? kH7 : kMost)[code - 1];
}

}  // namespace

const Rcc::Switch& Rcc::switch_of(ChipFamily family) {
    // In the order of the families.
    static constexpr Switch kSwitches[] = {{0x08, 2, 2, {1u << 1, 1u << 10, 1u << 17, 1u << 25}},
                                           {0x1C, 2, 2, {1u << 2, 1u << 10, 1u << 17, 1u << 25}},
                                           {0x08, 2, 2, {1u << 1, 1u << 17, 1u << 25, 0}},
                                           {0x10, 3, 3, {1u << 2, 1u << 8, 1u << 17, 1u << 25}}};
    return kSwitches[static_cast<std::size_t>(family)];
}

Rcc::Rcc(const memmap::Chip& chip, const char* name, const OscillatorParameters& oscillators,
         const FlagTimes& times)
    : SetUpBlock(table_of(chip), name, times),
      chip_(chip),
      oscillators_(oscillators),
      switch_(switch_of(chip.family)) {
    frequencies_ = compute();
}

void Rcc::reset() {
    SetUpBlock::reset();
    source_ = 0;
    frequencies_ = compute();
    if (on_frequencies) on_frequencies(frequencies_, sc_core::sc_time_stamp().value());
}

Frequencies Rcc::compute() const {
    return mcu::frequencies(
        chip_, [this](std::uint32_t offset) { return value(offset); }, oscillators_, source_);
}

bool Rcc::ready(std::uint32_t code) const {
    return code < std::size(switch_.ready) && (value(0) & switch_.ready[code]) != 0;
}

void Rcc::accessed(Picoseconds at) {
    const std::uint32_t ones = (1u << switch_.width) - 1;
    const std::uint32_t wanted = value(switch_.offset) & ones;
    if (wanted != source_ && ready(wanted)) {
        source_ = wanted;
        const Picoseconds due = after(at, &FlagTimes::clock_switch);
        for (unsigned bit = 0; bit < switch_.width; ++bit) {
            schedule(switch_.offset, 1u << (switch_.status_lsb + bit), (wanted >> bit & 1) != 0,
                     due);
        }
    }
    const Frequencies now = compute();
    if (now == frequencies_) return;
    frequencies_ = now;
    if (on_frequencies) on_frequencies(now, at);
}

bool Rcc::clocked(const ChipPeripheral& peripheral) const {
    // RCC has an enable bit on no chip, and no switch of its bus stops it.
    if (peripheral.clock_register < 0 || peripheral.clock_bit < 0) return true;
    const auto enable = static_cast<std::uint32_t>(peripheral.clock_register);
    if ((value(enable) >> peripheral.clock_bit & 1) == 0) return false;
    if (chip_.family != ChipFamily::U5 || spared(peripheral.name)) return true;
    for (const BusSwitch& bus : kBusSwitches) {
        if (bus.enable == peripheral.clock_register && (value(bus.offset) >> bus.bit & 1) != 0)
            return false;
    }
    return true;
}

double Rcc::kernel_hz(const ChipPeripheral& peripheral) const {
    const std::string_view name = peripheral.name;
    const unsigned bus = apb_of(chip_, peripheral.clock_register);
    if (name.starts_with("TIM") && (bus == 1 || bus == 2)) return frequencies_.timer[bus - 1];
    const double bus_hz = bus == 0 ? frequencies_.hclk : frequencies_.pclk[bus - 1];
    std::uint32_t code = 0;
    for (const Selection& each : kSelections) {
        if (each.family == chip_.family && each.name == name)
            code = value(each.offset) >> each.lsb & ((1u << each.width) - 1);
    }
    // The only port with a selection in this register.
    if (chip_.family == ChipFamily::H7 && name == "LPUART1") code = value(0x58) & 7;
    if (code == 0) return bus_hz;
    const bool h7 = chip_.family == ChipFamily::H7;
    switch (source_of(chip_.family, code)) {
        case Source::System:
            return frequencies_.system;
        case Source::Hsi:
            return h7 ? kHsi64 / (1u << (value(0) >> 3 & 3)) : kHsi16;
        case Source::Lse:
            return oscillators_.lse.value * 1e3;
        case Source::Csi:
            return oscillators_.csi.value * 1e6;
        case Source::Msik:
            return kMsik;
        case Source::None:
            break;
    }
    return 0;
}

}  // namespace n6vp::models::mcu

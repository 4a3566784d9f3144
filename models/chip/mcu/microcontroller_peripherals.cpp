// SPDX-License-Identifier: Apache-2.0
// The chip's peripherals: which model stands behind which row.
#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/chip/lower_case.h"
#include "models/chip/mcu/microcontroller.h"
#include "models/chip/mcu/microcontroller_parts.h"
#include "models/soc/crypto/rng.h"
#include "models/soc/mcu/set_up_tables.h"
#include "models/soc/system/gpio.h"

namespace n6vp::models::mcu_chip {

namespace {

using memmap::ChipFamily;
using memmap::ChipInterrupt;
using memmap::ChipMemory;
using memmap::ChipPeripheral;

/// A peripheral that no table knows: everything that is written can be read, nothing is modelled.
constexpr StubTable kNoTable{"", {}};

/// H7: these registers are part of the block EXTI before them.
constexpr std::string_view kExtiOfCore = "EXTI_D1";

/// On the private bus of the core, which no bus of the chip reaches.
[[nodiscard]] bool is_private(const ChipPeripheral& row) {
    constexpr std::uint32_t kPrivate = 0xE0000000;
    return row.base >= kPrivate;
}

[[nodiscard]] bool is_uart(std::string_view name) {
    return name.starts_with("USART") || name.starts_with("UART") || name.starts_with("LPUART");
}

/// Device headers: the independent data register of the CRC unit.
[[nodiscard]] unsigned crc_scratch_bits(ChipFamily family) {
    return family == ChipFamily::L4 || family == ChipFamily::F7 ? 8 : 32;
}

[[nodiscard]] std::string_view interrupt_name(const memmap::Chip& chip, unsigned line) {
    for (const ChipInterrupt& row : chip.interrupts) {
        if (row.line == line) return row.name;
    }
    return "";
}

/// Advanced timers have a line for each kind of event: that of updates is named "TIM1_UP", that of
/// compare events "TIM1_CC".
[[nodiscard]] std::optional<unsigned> timer_line(const memmap::Chip& chip,
                                                 const ChipPeripheral& row, const char* kind) {
    for (const unsigned line : row.lines) {
        if (interrupt_name(chip, line).find(kind) != std::string_view::npos) return line;
    }
    return std::nullopt;
}

[[nodiscard]] std::optional<unsigned> update_line(const memmap::Chip& chip,
                                                  const ChipPeripheral& row) {
    if (const auto line = timer_line(chip, row, "_UP")) return line;
    if (row.lines.count == 0) return std::nullopt;
    return *row.lines.begin();
}

/// Line of the NVIC for a line of EXTI, by its name: "EXTI3", "EXTI9_5", "EXTI15_10".
[[nodiscard]] std::optional<unsigned> exti_interrupt(const memmap::Chip& chip, unsigned line) {
    constexpr std::string_view kStart = "EXTI";
    for (const ChipInterrupt& row : chip.interrupts) {
        const std::string_view name = row.name;
        if (!name.starts_with(kStart)) continue;
        unsigned last = 0, first = 0;
        const char* const end = name.data() + name.size();
        const auto high = std::from_chars(name.data() + kStart.size(), end, last);
        if (high.ec != std::errc()) continue;
        first = last;
        if (high.ptr != end && *high.ptr == '_')
            static_cast<void>(std::from_chars(high.ptr + 1, end, first));
        if (first <= line && line <= last) return row.line;
    }
    return std::nullopt;
}

}  // namespace

void Microcontroller::add_peripherals() {
    for (std::size_t i = 0; i < chip_.peripherals.size(); ++i) {
        const ChipPeripheral& row = chip_.peripherals[i];
        if (row.name == kExtiOfCore || is_private(row)) continue;
        std::size_t next = i + 1;
        if (next < chip_.peripherals.size() && chip_.peripherals[next].name == kExtiOfCore) ++next;
        // Registers beyond the device header's are its own, too, up to the next one's.
        constexpr std::uint32_t kSlot = 0x400;
        std::uint32_t room = kSlot - row.base % kSlot;
        if (next < chip_.peripherals.size())
            room = std::min(room, chip_.peripherals[next].base - row.base);
        add_peripheral(row, std::max(room, row.bytes));
    }
    for (const ChipPeripheral& row : chip_.peripherals) {
        if (is_private(row)) private_.push_back({&row, make_set_up(row)});
    }
    if (rcc_ == nullptr || flash_registers_ == nullptr)
        throw std::logic_error(std::string("no RCC or FLASH in ") + chip_.name);
}

void Microcontroller::add_peripheral(const ChipPeripheral& row, std::uint32_t room) {
    RegisterBlock* block = nullptr;
    if (is_uart(row.name)) {
        add_uart(row);
        block = uarts_.back().model.get();
    } else {
        blocks_.push_back(make_block(row));
        block = blocks_.back().get();
    }
    // Of memory that stands among the peripherals the registers must not take anything.
    for (const ChipMemory& memory : chip_.memories) {
        if (memory.start > row.base) room = std::min(room, memory.start - row.base);
    }
    const bool two = chip_.secure_offset != 0;
    peripherals_->add(*block, GuestAddr{row.base + (two ? chip_.secure_offset : 0)}, room, !two);
    if (row.clock_bit < 0) return;
    // A published image for the U575 (MLPerf Tiny v1.3, streaming wake word) finds the voltage
    // range in PWR without clock.
    const bool readable = chip_.family == ChipFamily::U5 && std::string_view(row.name) == "PWR";
    gates_.push_back(std::make_unique<Gate>([this, &row] { return rcc_->clocked(row); }, readable));
    peripherals_->add_filter(*block, *gates_.back());
}

bool Microcontroller::access_private(std::uint32_t address, bool write, std::uint32_t mask,
                                     std::uint32_t& value) {
    for (const Private& each : private_) {
        const std::uint32_t offset = address - each.row->base;
        if (offset >= each.row->bytes) continue;
        const Picoseconds at = sc_core::sc_time_stamp().value();
        const RegisterBlock::Answer answer =
            write ? each.block->write(offset, value, mask, at) : each.block->read(offset, at);
        if (!write) value = answer.value;
        return true;
    }
    return false;
}

void Microcontroller::add_uart(const ChipPeripheral& row) {
    const bool low_power = std::string_view(row.name).starts_with("LPUART");
    const std::string name = lower_case(row.name);
    uarts_.push_back(
        {&row, std::make_unique<Uart>(name.c_str(), row.name,
                                      low_power ? Uart::Kind::LowPower : Uart::Kind::Usart,
                                      parameters_.uart)});
    if (row.lines.count == 0) return;
    Uart* const uart = uarts_.back().model.get();
    uart->on_interrupt = [this, uart, line = *row.lines.begin()](bool level) {
        drive(line, {uart, 0}, level);
    };
}

std::unique_ptr<RegisterBlock> Microcontroller::make_timer(const ChipPeripheral& row) {
    const std::string name = lower_case(row.name);
    auto timer = std::make_unique<Timer>(name.c_str(), row.name,
                                         timer_layout(row.name, chip_.family == ChipFamily::U5));
    timers_.push_back({&row, timer.get()});
    if (const auto line = update_line(chip_, row)) {
        timer->on_interrupt = [this, from = timer.get(), number = *line](bool level) {
            drive(number, {from, 0}, level);
        };
    }
    if (const auto line = timer_line(chip_, row, "_CC")) {
        timer->on_compare_interrupt = [this, from = timer.get(), number = *line](bool level) {
            drive(number, {from, 1}, level);
        };
    }
    return timer;
}

std::unique_ptr<RegisterBlock> Microcontroller::make_exti(const ChipPeripheral& row) {
    auto exti = std::make_unique<Exti>(chip_, row.name);
    exti->on_interrupt = [this, from = exti.get()](unsigned line, bool level) {
        if (const auto number = exti_interrupt(chip_, line)) drive(*number, {from, line}, level);
    };
    return exti;
}

std::unique_ptr<RegisterBlock> Microcontroller::make_iwdg(const ChipPeripheral& row) {
    const std::string name = lower_case(row.name);
    const Iwdg::Traits traits =
        chip_.family == memmap::ChipFamily::U5 ? Iwdg::Traits{4, 8} : Iwdg::Traits{3, 6};
    auto watchdog = std::make_unique<Iwdg>(name.c_str(), row.name, parameters_.iwdg, traits);
    watchdog->on_reset = [this] { request_reset(); };
    return watchdog;
}

std::unique_ptr<RegisterBlock> Microcontroller::make_rcc(const ChipPeripheral& row) {
    auto rcc =
        std::make_unique<mcu::Rcc>(chip_, row.name, parameters_.oscillators, parameters_.flags);
    rcc_ = rcc.get();
    rcc->on_frequencies = [this](const mcu::Frequencies&, Picoseconds at) { update_clocks(at); };
    // Gates: a timer without clock stands still.
    rcc->on_write = [this](std::uint32_t, Picoseconds at) { update_clocks(at); };
    return rcc;
}

std::unique_ptr<RegisterBlock> Microcontroller::make_set_up(const ChipPeripheral& row) {
    const std::string_view name = row.name;
    const StubTable* const table = mcu::set_up_table(chip_, name);
    auto block = std::make_unique<mcu::SetUpBlock>(table != nullptr ? *table : kNoTable, row.name,
                                                   parameters_.flags);
    if (name == "FLASH") flash_registers_ = block.get();
    if (name == "ICACHE") icache_registers_ = block.get();
    if (name == "FLASH" || name == "ICACHE")
        block->on_write = [this](std::uint32_t, Picoseconds) { update_flash(); };
    return block;
}

std::unique_ptr<RegisterBlock> Microcontroller::make_block(const ChipPeripheral& row) {
    const std::string_view name = row.name;
    if (name.starts_with("TIM")) return make_timer(row);
    if (name == "RCC") return make_rcc(row);
    if (name == "EXTI") return make_exti(row);
    if (name == "IWDG" || name == "IWDG1") return make_iwdg(row);
    if (name.starts_with("GPIO")) return std::make_unique<Gpio>(chip_, row.name);
    if (name == "RNG") {
        return std::make_unique<Rng>(lower_case(row.name).c_str(), row.name, parameters_.rng);
    }
    if (name == "CRC") {
        auto crc =
            std::make_unique<CrcUnit>(row.name, crc_scratch_bits(chip_.family), parameters_.crc);
        crc_ = crc.get();
        return crc;
    }
    return make_set_up(row);
}

}  // namespace n6vp::models::mcu_chip

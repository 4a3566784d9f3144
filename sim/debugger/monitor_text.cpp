// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/monitor_text.h"

#include <fmt/format.h>

#include <array>
#include <cctype>

#include "sim/host/nearest.h"
#include "traces/escape.h"

namespace n6vp::sim::debugger {

std::string upper_case(std::string text) {
    for (char& each : text)
        each = static_cast<char>(std::toupper(static_cast<unsigned char>(each)));
    return text;
}

std::string register_lines(std::uint32_t first, std::uint32_t bytes, const Peek& peek,
                           const RegisterNames* known) {
    constexpr std::uint32_t kRegisterBytes = 4;
    std::string text;
    std::size_t lines = 0;
    for (std::uint32_t offset = 0; offset < bytes && lines < kMostLines; offset += kRegisterBytes) {
        const std::uint32_t address = first + offset;
        const RegisterNames::Name* const by_user =
            known == nullptr ? nullptr : known->find(address);
        const auto answer = peek(address);
        std::string name = by_user == nullptr ? "" : traces::terminal_text(by_user->name);
        if (name.empty() && answer) name = answer->name;
        if (name.empty()) continue;
        ++lines;
        text += answer ? fmt::format("0x{:08x}  0x{:08x}  {}\n", address, answer->value, name)
                       : fmt::format("0x{:08x}  (not read)  {}\n", address, name);
    }
    if (lines == kMostLines) text += "and more\n";
    return text.empty() ? "no register here can be read without effect, or its clock is off\n"
                        : text;
}

std::string gpio_line(std::string_view letter, std::uint32_t base, const Peek& peek) {
    constexpr std::uint32_t kModer = 0x00, kIdr = 0x10, kOdr = 0x14, kAfrl = 0x20, kAfrh = 0x24;
    constexpr unsigned kPins = 16, kInput = 0, kOutput = 1, kAlternate = 2;
    const auto moder = peek(base + kModer), idr = peek(base + kIdr), odr = peek(base + kOdr),
               low = peek(base + kAfrl), high = peek(base + kAfrh);
    if (!moder || !idr || !odr || !low || !high)
        return fmt::format("GPIO{}: not read, its clock is off\n", letter);
    std::string pins;
    for (unsigned pin = 0; pin < kPins; ++pin) {
        const unsigned mode = moder->value >> 2 * pin & 3;
        const unsigned level = (mode == kOutput ? odr->value : idr->value) >> pin & 1;
        const unsigned function = (pin < 8 ? low->value : high->value) >> 4 * (pin % 8) & 0xF;
        if (mode == kInput) pins += fmt::format("  P{}{} in {}", letter, pin, level);
        if (mode == kOutput) pins += fmt::format("  P{}{} out {}", letter, pin, level);
        if (mode == kAlternate)
            pins += fmt::format("  P{}{} AF{} {}", letter, pin, function, level);
    }
    return fmt::format("GPIO{}:{}\n", letter, pins.empty() ? " all pins in analog mode" : pins);
}

std::string no_peripheral(const std::string& name, const std::vector<std::string>& names) {
    const std::string_view near = nearest(upper_case(name), names);
    return fmt::format("there is no peripheral '{}'{}\n", traces::terminal_text(name),
                       near.empty() ? "" : fmt::format(": did you mean {}?", near));
}

}  // namespace n6vp::sim::debugger

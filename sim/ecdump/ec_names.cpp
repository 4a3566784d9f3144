// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "memmap/npu/links.h"
#include "sim/ecdump/ec_report.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

namespace npu = memmap::npu;
using loader::ec::Opcode;

std::string end_text(npu::LinkEnd end) {
    if (end.type == nullptr) return "?";
    const std::string unit = unit_text({end.type, end.index});
    return *end.port_name == '\0' ? unit : fmt::format("{}.{}", unit, end.port_name);
}

/// One context of a destination: what it passes, for how many ticks.
std::string context_text(bool enabled, std::uint32_t link, std::uint32_t ticks, bool pixels) {
    std::string what =
        fmt::format("{}{}", enabled ? "" : "nothing of ", end_text(npu::link_source(link)));
    if (ticks == 0) return what;
    const char* unit = pixels ? "pixel" : "frame";
    return fmt::format("{} ({} {}{})", what, ticks, unit, ticks == 1 ? "" : "s");
}

/// Returns "STRENG3.CTRL", or the numbers if there is no such register.
std::string place_name(std::uint32_t ip, std::uint32_t offset) {
    const npu::Unit unit = npu::unit_at(ip);
    if (unit.type == nullptr) return fmt::format("unit {} offset 0x{:x}", ip, offset);
    const npu::Place place = npu::register_at(*unit.type, offset);
    if (place.at == nullptr) return fmt::format("{} offset 0x{:x}", unit_text(unit), offset);
    return fmt::format("{}.{}", unit_text(unit), register_text(place));
}

/// Returns the names of the fields in these bits with their values.
std::string bits_text(std::uint32_t ip, std::uint32_t offset, std::uint32_t msb, std::uint32_t lsb,
                      std::uint32_t value) {
    const npu::Unit unit = npu::unit_at(ip);
    const npu::Place place =
        unit.type == nullptr ? npu::Place{} : npu::register_at(*unit.type, offset);
    if (place.at == nullptr || msb > 31 || msb < lsb) return fmt::format("0x{:x}", value);
    std::string text;
    for (std::size_t i = 0; i < place.at->field_count; ++i) {
        const npu::Field& field = place.at->fields[i];
        if (field.lsb < lsb || field.lsb + field.width > msb + 1) continue;
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", field.name,
                            npu::extract(value << lsb, field));
    }
    return text.empty() ? fmt::format("0x{:x}", value) : text;
}

/// Returns what a word means that is written to a register.
std::string value_meaning(const EcSource& source, const EcBlob& blob, std::uint32_t ip,
                          std::uint32_t offset, std::uint32_t value, std::uint32_t word) {
    const npu::Unit unit = npu::unit_at(ip);
    if (unit.type == nullptr) return "";
    const npu::Place place = npu::register_at(*unit.type, offset);
    if (place.at == nullptr) return "";
    std::string address = address_text(source, blob, unit, *place.at, {value, word});
    if (!address.empty()) return address;
    if (unit.type == &npu::kStrswitch && place.at->count > 1) {
        return value == 0 ? "off" : link_text({place.index, value});
    }
    return fields_text(*place.at, value);
}

std::string burst_meaning(const EcSource& source, const EcBlob& blob,
                          const EcInstruction& instruction) {
    const loader::ec::Instruction head = instruction.head;
    const std::size_t count = instruction.operands.size();
    const npu::Unit unit = npu::unit_at(head.ip());
    const npu::Place place =
        unit.type == nullptr ? npu::Place{} : npu::register_at(*unit.type, head.offset());
    // Arrays of more than a few words are coefficients: numbers, not settings.
    constexpr std::size_t kMaxShown = 16;
    if (count > kMaxShown || (count > 2 && place.at != nullptr && place.at->count > 1)) {
        return fmt::format("{}, {} words", place_name(head.ip(), head.offset()), count);
    }
    std::string text;
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t step = head.opcode() == Opcode::Burst ? 0 : 4 * k;
        const std::uint32_t offset = head.offset() + step;
        const std::string value = value_meaning(source, blob, head.ip(), offset,
                                                instruction.operands[k], instruction.index + 1 + k);
        text += fmt::format("{}{}{}{}", k == 0 ? "" : "; ", place_name(head.ip(), offset),
                            value.empty() ? "" : " ", value);
    }
    return text;
}

}  // namespace

std::string unit_text(npu::Unit unit) {
    return unit.type->count == 1 ? std::string(unit.type->name)
                                 : fmt::format("{}{}", unit.type->name, unit.index);
}

std::string register_text(npu::Place place) {
    return place.at->count == 1 ? std::string(place.at->name)
                                : fmt::format("{}[{}]", place.at->name, place.index);
}

std::string fields_text(const npu::Register& at, std::uint32_t value) {
    std::string text;
    for (std::size_t i = 0; i < at.field_count; ++i) {
        const std::uint32_t part = npu::extract(value, at.fields[i]);
        if (part == 0) continue;
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", at.fields[i].name, part);
    }
    return text;
}

std::string link_text(const EcLink& link) {
    constexpr npu::Field kOn0 = npu::field(npu::kStrswitch, "DST.EN0");
    constexpr npu::Field kLink0 = npu::field(npu::kStrswitch, "DST.LINK0");
    constexpr npu::Field kTicks0 = npu::field(npu::kStrswitch, "DST.FNR0");
    constexpr npu::Field kOn1 = npu::field(npu::kStrswitch, "DST.EN1");
    constexpr npu::Field kLink1 = npu::field(npu::kStrswitch, "DST.LINK1");
    constexpr npu::Field kTicks1 = npu::field(npu::kStrswitch, "DST.FNR1");
    constexpr npu::Field kPixels = npu::field(npu::kStrswitch, "DST.TICKTYPE");
    const std::uint32_t value = link.value;
    const bool pixels = npu::extract(value, kPixels) != 0;
    std::string text = context_text(npu::extract(value, kOn0) != 0, npu::extract(value, kLink0),
                                    npu::extract(value, kTicks0), pixels);
    const bool second = npu::extract(value, kOn1) != 0 || npu::extract(value, kTicks1) != 0;
    if (second) {
        text += " then " + context_text(npu::extract(value, kOn1) != 0, npu::extract(value, kLink1),
                                        npu::extract(value, kTicks1), pixels);
    }
    return fmt::format("{} -> {}", text, end_text(npu::link_destination(link.destination)));
}

std::string address_text(const EcSource& source, const EcBlob& blob, npu::Unit unit,
                         const npu::Register& at, const EcSetting& setting) {
    constexpr std::uint32_t kAddr = npu::reg(npu::kStreng, "ADDR").offset;
    constexpr std::uint32_t kLimit = npu::reg(npu::kStreng, "LIMITADDR").offset;
    if (unit.type != &npu::kStreng || (at.offset != kAddr && at.offset != kLimit)) return "";
    if (setting.word) {
        const auto symbol = blob.relocations.find(*setting.word);
        if (symbol != blob.relocations.end()) {
            return fmt::format("{}+0x{:x}", traces::terminal_text(symbol->second), setting.value);
        }
    }
    const std::string place = place_text(source, setting.value);
    return place.empty() ? "no memory of the NPU" : place;
}

std::string meaning_text(const EcSource& source, const EcBlob& blob,
                         const EcInstruction& instruction) {
    const loader::ec::Instruction head = instruction.head;
    const std::uint32_t ip = head.ip();
    switch (head.opcode()) {
        case Opcode::Write: {
            const bool whole = head.msb() == 31 && head.lsb() == 0;
            const std::string value =
                whole
                    ? value_meaning(source, blob, ip, head.offset(), instruction.operands[0],
                                    instruction.index + 1)
                    : bits_text(ip, head.offset(), head.msb(), head.lsb(), instruction.operands[0]);
            return place_name(ip, head.offset()) + (value.empty() ? "" : " " + value);
        }
        case Opcode::WriteField:
            return fmt::format("{} {}", place_name(ip, head.offset()),
                               bits_text(ip, head.offset(), head.lsb() + head.field_width() - 1,
                                         head.lsb(), head.field_value()));
        case Opcode::Poll:
            return fmt::format(
                "wait until {} {}", place_name(ip, head.offset()),
                bits_text(ip, head.offset(), head.msb(), head.lsb(), instruction.operands[1]));
        case Opcode::Burst:
        case Opcode::BurstIncrement:
            return burst_meaning(source, blob, instruction);
        case Opcode::Irq:
            return "end";
        case Opcode::Label:
            return fmt::format("epoch {}", head.number());
    }
    return "";
}

}  // namespace n6vp::sim

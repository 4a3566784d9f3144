// SPDX-License-Identifier: Apache-2.0
#include "sim/map/chip_map.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "memmap/chips/chips.h"
#include "sim/map/map_report.h"

namespace n6vp::sim {

namespace {

using memmap::ChipMemoryKind;

std::string_view chip_kind_name(ChipMemoryKind kind) {
    switch (kind) {
        case ChipMemoryKind::Flash:
            return "flash";
        case ChipMemoryKind::Rom:
            return "rom";
        case ChipMemoryKind::Ram:
            return "ram";
        case ChipMemoryKind::Itcm:
            return "itcm";
        case ChipMemoryKind::Dtcm:
            return "dtcm";
        case ChipMemoryKind::External:
            return "external";
    }
    return "unknown";
}

std::string chip_hex(std::uint32_t address) {
    return fmt::format("0x{:08x}", address);
}

/// Returns the first address of a memory and all its aliases.
std::vector<std::uint32_t> starts_of(const memmap::ChipMemory& row) {
    std::vector<std::uint32_t> starts{row.start};
    for (const std::uint32_t alias : row.aliases) {
        if (alias != memmap::kNoAlias) starts.push_back(alias);
    }
    return starts;
}

std::string aliases_text(const memmap::ChipMemory& row) {
    std::string text;
    for (const std::uint32_t start : starts_of(row)) {
        if (start != row.start) text += (text.empty() ? "" : " ") + chip_hex(start);
    }
    return text.empty() ? "-" : text;
}

std::uint32_t offset_in(const memmap::Chip& chip, const memmap::ChipPeripheral& row,
                        std::uint32_t address) {
    const std::uint32_t offset = address - row.base;
    return offset < row.bytes ? offset : offset - chip.secure_offset;
}

std::uint64_t bytes_of(const memmap::Chip& chip, std::initializer_list<ChipMemoryKind> kinds) {
    std::uint64_t bytes = 0;
    for (const memmap::ChipMemory& row : chip.memories) {
        if (std::find(kinds.begin(), kinds.end(), row.kind) != kinds.end()) bytes += row.bytes;
    }
    return bytes;
}

std::uint64_t ram_bytes_of(const memmap::Chip& chip) {
    return bytes_of(chip, {ChipMemoryKind::Ram, ChipMemoryKind::Itcm, ChipMemoryKind::Dtcm});
}

struct ChipPiece {
    std::uint64_t start, end;
    const char* memory;
};

/// Returns the parts of a range that lie in memories, by ascending address.
std::vector<ChipPiece> pieces_of(const memmap::Chip& chip, AddressRange range) {
    std::vector<ChipPiece> pieces;
    const std::uint64_t first = to_word(range.start), end = first + range.bytes;
    for (const memmap::ChipMemory& row : chip.memories) {
        for (const std::uint32_t start : starts_of(row)) {
            const std::uint64_t from = std::max<std::uint64_t>(first, start);
            const std::uint64_t to = std::min(end, std::uint64_t{start} + row.bytes);
            if (from < to) pieces.push_back({from, to, row.name});
        }
    }
    std::sort(pieces.begin(), pieces.end(),
              [](const ChipPiece& a, const ChipPiece& b) { return a.start < b.start; });
    return pieces;
}

std::uint64_t bytes_outside(const std::vector<ChipPiece>& pieces, AddressRange range) {
    std::uint64_t bytes = range.bytes;
    for (const ChipPiece& piece : pieces) bytes -= piece.end - piece.start;
    return bytes;
}

std::string chip_range_text(const memmap::Chip& chip, AddressRange range) {
    const std::vector<ChipPiece> pieces = pieces_of(chip, range);
    const std::uint32_t first = to_word(range.start);
    std::string text = fmt::format("0x{:08x}..0x{:08x}  {} bytes\n", first,
                                   std::uint64_t{first} + range.bytes - 1, range.bytes);
    for (const ChipPiece& piece : pieces) {
        text += fmt::format("            {:<13} 0x{:08x}..0x{:08x}  {} bytes\n", piece.memory,
                            piece.start, piece.end - 1, piece.end - piece.start);
    }
    const std::uint64_t outside = bytes_outside(pieces, range);
    if (outside != 0) text += fmt::format("            {} bytes lie in no memory\n", outside);
    return text;
}

std::string clock_text(const memmap::ChipPeripheral& row) {
    return row.clock_bit < 0 ? "-"
                             : fmt::format("0x{:03x} bit {}", row.clock_register, row.clock_bit);
}

std::string lines_text(const memmap::ChipPeripheral& row) {
    return row.lines.count == 0
               ? "-"
               : fmt::format("{}", fmt::join(row.lines.begin(), row.lines.end(), " "));
}

}  // namespace

std::string chip_list() {
    std::string text =
        fmt::format("{:<10} {:<11} {:>8} {:<8} RAM\n", "chip", "core", "most", "flash");
    for (const memmap::Chip* chip : memmap::kChips) {
        text += fmt::format(
            "{:<10} {:<11} {:>4} MHz {:<8} {}\n", chip->name, chip->core, chip->max_hz / 1'000'000,
            size_text(bytes_of(*chip, {ChipMemoryKind::Flash})), size_text(ram_bytes_of(*chip)));
    }
    return text + "\nAnd stm32n6, the default. `--chip l475` is short for `--chip stm32l475`.\n";
}

Json chip_list_json() {
    Json list = Json::array();
    for (const memmap::Chip* chip : memmap::kChips) {
        list.push_back({{"name", chip->name},
                        {"core", chip->core},
                        {"max_hz", chip->max_hz},
                        {"flash_bytes", bytes_of(*chip, {ChipMemoryKind::Flash})},
                        {"ram_bytes", ram_bytes_of(*chip)}});
    }
    return list;
}

std::string chip_memory_table(const memmap::Chip& chip) {
    std::string text = fmt::format(
        "{}: {}, at most {} MHz\n{:<14} {:<10} {:<33} {:<8} {:<6} {:<6} port\n", chip.title,
        chip.core, chip.max_hz / 1'000'000, "memory", "start", "aliases", "size", "width", "kind");
    for (const memmap::ChipMemory& row : chip.memories) {
        text += fmt::format("{:<14} {} {:<33} {:<8} {:<6} {:<6} {}\n", row.name,
                            chip_hex(row.start), aliases_text(row), size_text(row.bytes),
                            fmt::format("{}b", row.width_bits), chip_kind_name(row.kind), row.port);
    }
    text += fmt::format(
        "\nThe core boots from 0x{:08x}; console: {}.{} --all adds peripherals and "
        "interrupts.\n",
        chip.vectors, chip.console,
        chip.secure_offset == 0
            ? ""
            : fmt::format(" Peripherals: secure = non-secure + 0x{:08x}.", chip.secure_offset));
    return text;
}

std::string chip_other_tables(const memmap::Chip& chip) {
    std::string text = fmt::format("\n{:<26} {:<10} {:>6} {:<13} lines\n", "peripheral", "base",
                                   "bytes", "clock in RCC");
    for (const memmap::ChipPeripheral& row : chip.peripherals) {
        text += fmt::format("{:<26} {} {:>6} {:<13} {}\n", row.name, chip_hex(row.base), row.bytes,
                            clock_text(row), lines_text(row));
    }
    text += fmt::format("\n{:<24} line\n", "interrupt");
    for (const memmap::ChipInterrupt& row : chip.interrupts)
        text += fmt::format("{:<24} {}\n", row.name, row.line);
    return text;
}

std::string chip_resolve_text(const memmap::Chip& chip, AddressRange what) {
    if (what.bytes > 1) return chip_range_text(chip, what);
    const std::uint32_t address = to_word(what.start);
    if (const memmap::ChipMemory* const row = memmap::memory_at(chip, address)) {
        const std::uint32_t offset = memmap::offset_in(*row, address);
        std::string text = fmt::format("0x{:08x}  {} + 0x{:x}", address, row->name, offset);
        if (address != row->start + offset)
            text += fmt::format(" (alias of 0x{:08x})", row->start + offset);
        return text + fmt::format("\n            {}, {}, {}\n", size_text(row->bytes),
                                  chip_kind_name(row->kind), row->port);
    }
    if (const memmap::ChipPeripheral* const row = memmap::peripheral_at(chip, address)) {
        return fmt::format("0x{:08x}  {} + 0x{:x}\n            clock in RCC: {}, lines: {}\n",
                           address, row->name, offset_in(chip, *row, address), clock_text(*row),
                           lines_text(*row));
    }
    constexpr std::uint32_t kPrivate = 0xE0000000, kPrivateEnd = 0xE0100000;
    if (address >= kPrivate && address < kPrivateEnd)
        return fmt::format("0x{:08x}  private peripheral bus of the core\n", address);
    return fmt::format("0x{:08x}  no memory or peripheral of the {}\n", address, chip.title);
}

Json chip_map_json(const memmap::Chip& chip) {
    Json map;
    map["chip"] = {{"name", chip.name},         {"title", chip.title},
                   {"core", chip.core},         {"max_hz", chip.max_hz},
                   {"reset_hz", chip.reset_hz}, {"vectors", hex_word(chip.vectors)},
                   {"console", chip.console},   {"secure_offset", hex_word(chip.secure_offset)}};
    map["memories"] = Json::array();
    for (const memmap::ChipMemory& row : chip.memories) {
        Json aliases = Json::array();
        for (const std::uint32_t start : starts_of(row)) {
            if (start != row.start) aliases.push_back(hex_word(start));
        }
        map["memories"].push_back({{"name", row.name},
                                   {"kind", chip_kind_name(row.kind)},
                                   {"start", hex_word(row.start)},
                                   {"aliases", std::move(aliases)},
                                   {"bytes", row.bytes},
                                   {"width_bits", row.width_bits},
                                   {"port", row.port}});
    }
    map["peripherals"] = Json::array();
    for (const memmap::ChipPeripheral& row : chip.peripherals) {
        const bool gated = row.clock_bit >= 0;
        Json lines = Json::array();
        for (const std::uint8_t line : row.lines) lines.push_back(line);
        map["peripherals"].push_back({{"name", row.name},
                                      {"base", hex_word(row.base)},
                                      {"bytes", row.bytes},
                                      {"clock_register", gated ? Json(row.clock_register) : Json()},
                                      {"clock_bit", gated ? Json(row.clock_bit) : Json()},
                                      {"lines", std::move(lines)}});
    }
    map["interrupts"] = Json::array();
    for (const memmap::ChipInterrupt& row : chip.interrupts)
        map["interrupts"].push_back({{"name", row.name}, {"line", row.line}});
    return map;
}

Json chip_resolve_json(const memmap::Chip& chip, AddressRange what) {
    const std::uint32_t address = to_word(what.start);
    Json row{{"address", hex_word(address)}, {"bytes", what.bytes}};
    const memmap::ChipMemory* const memory = memmap::memory_at(chip, address);
    row["memory"] = memory != nullptr ? Json(memory->name) : Json();
    if (memory != nullptr) row["offset"] = memmap::offset_in(*memory, address);
    if (const memmap::ChipPeripheral* const unit = memmap::peripheral_at(chip, address))
        row["peripheral"] = {{"name", unit->name}, {"offset", offset_in(chip, *unit, address)}};
    if (what.bytes > 1) {
        const std::vector<ChipPiece> pieces = pieces_of(chip, what);
        row["pieces"] = Json::array();
        for (const ChipPiece& piece : pieces) {
            row["pieces"].push_back({{"memory", piece.memory},
                                     {"start", hex_word(static_cast<std::uint32_t>(piece.start))},
                                     {"bytes", piece.end - piece.start}});
        }
        row["bytes_outside_map"] = bytes_outside(pieces, what);
    }
    return row;
}

}  // namespace n6vp::sim

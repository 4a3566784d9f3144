// SPDX-License-Identifier: Apache-2.0
#include "sim/microcontroller/mcu_firmware.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "memmap/chips/chips.h"
#include "sim/host/errors.h"
#include "sim/microcontroller/mcu_board.h"
#include "sim/run/run_files.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

/// A byte of a memory, whatever alias named it.
struct McuPlace {
    const memmap::ChipMemory* memory = nullptr;
    std::uint32_t offset = 0;
};

[[nodiscard]] McuPlace place_of(const memmap::Chip& chip, std::uint32_t address) {
    const memmap::ChipMemory* const memory = memmap::memory_at(chip, address);
    if (memory == nullptr) return {};
    if (address - memory->start < memory->bytes) return {memory, address - memory->start};
    for (const std::uint32_t alias : memory->aliases) {
        if (alias != memmap::kNoAlias && address - alias < memory->bytes)
            return {memory, address - alias};
    }
    return {};
}

[[nodiscard]] std::uint32_t flash_start(const memmap::Chip& chip) {
    for (const memmap::ChipMemory& row : chip.memories) {
        if (row.kind == memmap::ChipMemoryKind::Flash) return row.start;
    }
    return chip.vectors;
}

[[nodiscard]] bool holds(const memmap::Chip& chip, std::uint32_t address, std::uint64_t bytes) {
    const McuPlace place = place_of(chip, address);
    return place.memory != nullptr && place.offset + bytes <= place.memory->bytes;
}

/// Returns the names of the chips that the condition holds for, "" for none.
template <class Condition>
[[nodiscard]] std::string chips_where(Condition&& condition) {
    std::string names;
    for (const memmap::Chip* const chip : memmap::kChips) {
        if (condition(*chip)) names += (names.empty() ? "" : ", ") + std::string(chip->name);
    }
    return names;
}

void require_memory(const memmap::Chip& chip, const McuFirmware::Part& part) {
    const std::uint64_t bytes = part.content.size();
    if (holds(chip, part.address, bytes)) return;
    const std::string others =
        chips_where([&](const memmap::Chip& other) { return holds(other, part.address, bytes); });
    std::string remedy = fmt::format("load it where the chip has memory: its flash is at 0x{:08x}",
                                     flash_start(chip));
    if (is_external(part.address)) {
        constexpr std::uint64_t kMib = 1u << 20;
        remedy = fmt::format(
            "memory of the board is given by --external ADDR:SIZE, for instance 0x{:08x}:0x{:x}",
            part.address / kMib * kMib, (bytes + part.address % kMib + kMib - 1) / kMib * kMib);
    } else if (!others.empty()) {
        remedy += fmt::format(", or name the chip it is for: --chip, of {}", others);
    }
    throw UserError(
        fmt::format("{}: {} at 0x{:08x}, {} bytes: no memory of the {}, or too little, at this "
                    "address",
                    part.origin, traces::terminal_text(part.name), part.address,
                    part.content.size(), chip.title),
        remedy);
}

/// A damaged program may have tens of thousands of segments: neighbours are compared, not pairs.
void require_apart(const memmap::Chip& chip, const std::vector<McuFirmware::Part>& parts) {
    struct Placed {
        McuPlace place;
        const McuFirmware::Part* part;
    };
    std::vector<Placed> order;
    order.reserve(parts.size());
    for (const McuFirmware::Part& part : parts)
        order.push_back({place_of(chip, part.address), &part});
    std::stable_sort(order.begin(), order.end(), [](const Placed& a, const Placed& b) {
        return std::pair(a.place.memory->start, a.place.offset) <
               std::pair(b.place.memory->start, b.place.offset);
    });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const Placed &one = order[i - 1], &other = order[i];
        if (one.place.memory != other.place.memory ||
            other.place.offset - one.place.offset >= one.part->content.size())
            continue;
        throw UserError(
            fmt::format("{} and {} overlap at 0x{:08x}", traces::terminal_text(one.part->name),
                        traces::terminal_text(other.part->name),
                        std::max(one.part->address, other.part->address)),
            "load only one of them, or choose another address");
    }
}

/// The first two words of a vector table.
struct McuTable {
    std::uint32_t stack = 0, start = 0;

    [[nodiscard]] bool fits(const memmap::Chip& chip) const {
        return stack % 4 == 0 && (start & 1) != 0 && memmap::memory_at(chip, start) != nullptr &&
               memmap::memory_at(chip, stack - 4) != nullptr;
    }
};

[[nodiscard]] std::uint32_t word_of(const memmap::Chip& chip, const McuFirmware& firmware,
                                    std::uint32_t address) {
    const McuPlace place = place_of(chip, address);
    for (const McuFirmware::Part& part : firmware.parts) {
        const McuPlace start = place_of(chip, part.address);
        if (start.memory != place.memory || place.offset < start.offset) continue;
        const std::size_t at = place.offset - start.offset;
        if (at + 4 > part.content.size()) continue;
        std::uint32_t word = 0;
        for (unsigned i = 4; i-- > 0;) word = word << 8 | part.content[at + i];
        return word;
    }
    return 0;
}

[[nodiscard]] McuTable table_at(const memmap::Chip& chip, const McuFirmware& firmware,
                                std::uint32_t address) {
    return {word_of(chip, firmware, address), word_of(chip, firmware, address + 4)};
}

/// Returns the first address at which a segment begins with a vector table whose start lies in
/// what was loaded: of a program behind a boot loader.
[[nodiscard]] std::optional<std::uint32_t> table_elsewhere(const memmap::Chip& chip,
                                                           const McuFirmware& firmware) {
    constexpr std::uint32_t kAligned = 0x80;
    for (const McuFirmware::Part& part : firmware.parts) {
        if (part.address % kAligned != 0) continue;
        const McuTable table = table_at(chip, firmware, part.address);
        if (table.fits(chip) && word_of(chip, firmware, table.start & ~3u) != 0)
            return part.address;
    }
    return std::nullopt;
}

}  // namespace

McuFirmware read_mcu_firmware(const RunPlan& plan, const memmap::Chip& chip) {
    McuFirmware firmware;
    if (!plan.elf.text.empty()) {
        for (ElfSegment& segment :
             told_from(plan.elf.origin, [&] { return read_elf_segments(plan.elf.text); }))
            firmware.parts.push_back(
                {segment.address, std::move(segment.content), plan.elf.text, plan.elf.origin});
        try {
            firmware.symbols.emplace(ElfFile::read(plan.elf.text));
        } catch (const UserError&) {
            // It runs without symbols, too: it may be stripped of its sections.
        }
    }
    for (const RunPlan::Image& image : plan.images) {
        for (HexPart& part : read_image(image))
            firmware.parts.push_back(
                {part.address, std::move(part.content), image.file, image.origin});
    }
    if (firmware.parts.empty()) {
        throw UserError("no program to run",
                        "name it with --elf FW.elf, --hex FW.hex or --bin FW.bin@0x08000000");
    }
    for (const McuFirmware::Part& part : firmware.parts) require_memory(chip, part);
    require_apart(chip, firmware.parts);
    return firmware;
}

std::uint32_t mcu_vectors(const RunPlan& plan, const memmap::Chip& chip,
                          const McuFirmware& firmware) {
    const std::uint32_t vectors = plan.vectors.value_or(chip.vectors);
    const McuTable table = table_at(chip, firmware, vectors);
    if (table.fits(chip)) return vectors;
    std::string remedy = fmt::format(
        "link the program to its flash, load it with --bin FILE@0x{:08x}, or name the table's "
        "address: --vectors ADDR",
        flash_start(chip));
    const std::string others =
        chips_where([&](const memmap::Chip& other) { return table.fits(other); });
    const std::string cause =
        fmt::format("no vector table at 0x{:08x}, from where the {} starts", vectors, chip.title);
    if (const auto other = table_elsewhere(chip, firmware)) {
        remedy = fmt::format("there is one at 0x{:08x}: --vectors 0x{:08x}", *other, *other);
    } else if (!others.empty()) {
        throw UserError(
            fmt::format("{}: stack 0x{:08x}, start 0x{:08x}", cause, table.stack, table.start),
            fmt::format("they suit the memories of {}: --chip", others));
    }
    throw UserError(cause, remedy);
}

}  // namespace n6vp::sim

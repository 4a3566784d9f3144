// SPDX-License-Identifier: Apache-2.0
#include "sim/microcontroller/mcu_firmware.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "memmap/chips/chips.h"
#include "sim/host/errors.h"
#include "sim/microcontroller/mcu_board.h"
#include "sim/run/image_file.h"
#include "sim/run/run_files.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

/// As in the Arm Architecture Reference Manuals: the low bits of VTOR are zero.
constexpr std::uint32_t kVectorAlignment = 128;

[[nodiscard]] std::uint32_t flash_start(const memmap::Chip& chip) {
    for (const memmap::ChipMemory& row : chip.memories) {
        if (row.kind == memmap::ChipMemoryKind::Flash) return row.start;
    }
    return chip.vectors;
}

/// Returns the bytes from `address` on that have memory, at most `bytes`.
[[nodiscard]] std::uint64_t room_for(const memmap::Chip& chip, std::uint32_t address,
                                     std::uint64_t bytes) {
    return memmap::for_memories(chip, address, bytes,
                                [](const auto&, std::uint32_t, std::uint64_t) { return true; });
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
    const std::uint64_t room = room_for(chip, part.address, bytes);
    if (room == bytes) return;
    const std::uint64_t hole = part.address + room;
    const std::string others = chips_where(
        [&](const memmap::Chip& other) { return room_for(other, part.address, bytes) == bytes; });
    std::string remedy = fmt::format("load it where the chip has memory: its flash is at 0x{:08x}",
                                     flash_start(chip));
    if (room != 0) {
        remedy =
            fmt::format("load less; n6vp map --chip {} shows where its memories end", chip.name);
    }
    if (is_external(part.address)) {
        constexpr std::uint64_t kMib = 1u << 20;
        remedy = fmt::format(
            "memory of the board is given by --external ADDR:SIZE, for instance 0x{:08x}:0x{:x}",
            part.address / kMib * kMib, (bytes + part.address % kMib + kMib - 1) / kMib * kMib);
    } else if (!others.empty()) {
        remedy += fmt::format(", or name the chip it is for: --chip, of {}", others);
    }
    throw UserError(
        fmt::format("{}: {} at 0x{:08x}, {} bytes: no memory of the {} from 0x{:08x} on",
                    part.origin, traces::terminal_text(part.name), part.address, bytes, chip.title,
                    hole),
        remedy);
}

/// What was loaded, by its place in the memories, whatever alias named it.
class McuContent {
  public:
    McuContent(const memmap::Chip& chip, const std::vector<McuFirmware::Part>& parts)
        : chip_(chip) {
        for (const McuFirmware::Part& part : parts) {
            std::uint64_t from = 0;
            memmap::for_memories(
                chip, part.address, part.content.size(),
                [&](const memmap::ChipMemory& memory, std::uint32_t offset, std::uint64_t bytes) {
                    pieces_.push_back({&memory, offset, bytes, from, &part});
                    from += bytes;
                    return true;
                });
        }
        std::ranges::stable_sort(pieces_, {}, &Piece::place);
    }

    /// A damaged program may have tens of thousands of segments: neighbours are compared, not
    /// pairs.
    void require_apart() const {
        for (std::size_t i = 1; i < pieces_.size(); ++i) {
            const Piece &one = pieces_[i - 1], &other = pieces_[i];
            const std::uint64_t distance = other.offset - one.offset;
            if (one.memory != other.memory || distance >= one.bytes) continue;
            throw UserError(
                fmt::format("{} and {} overlap at 0x{:08x}", traces::terminal_text(one.part->name),
                            traces::terminal_text(other.part->name),
                            one.part->address + one.from + distance),
                "load only one of them, or choose another address");
        }
    }

    /// Returns none if part of the word was not loaded.
    [[nodiscard]] std::optional<std::uint32_t> word(std::uint32_t address) const {
        std::uint32_t word = 0;
        for (std::uint32_t i = 4; i-- > 0;) {
            const auto byte = byte_at(address + i);
            if (!byte) return std::nullopt;
            word = word << 8 | *byte;
        }
        return word;
    }

  private:
    struct Piece {
        const memmap::ChipMemory* memory;
        std::uint32_t offset;
        std::uint64_t bytes, from;  ///< from: its first byte in the part
        const McuFirmware::Part* part;

        [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> place() const {
            return {memory->start, offset};
        }
    };

    [[nodiscard]] std::optional<std::uint8_t> byte_at(std::uint32_t address) const {
        const memmap::ChipMemory* const memory = memmap::memory_at(chip_, address);
        if (memory == nullptr) return std::nullopt;
        const std::uint32_t offset = memmap::offset_in(*memory, address);
        const auto behind =
            std::ranges::upper_bound(pieces_, std::pair(memory->start, offset), {}, &Piece::place);
        if (behind == pieces_.begin()) return std::nullopt;
        const Piece& piece = *(behind - 1);
        if (piece.memory != memory || offset - piece.offset >= piece.bytes) return std::nullopt;
        return piece.part->content[piece.from + (offset - piece.offset)];
    }

    const memmap::Chip& chip_;
    std::vector<Piece> pieces_;
};

/// The first two words of a vector table.
struct McuTable {
    std::uint32_t stack = 0, start = 0;

    [[nodiscard]] bool has_stack(const memmap::Chip& chip) const {
        return stack % 4 == 0 && memmap::memory_at(chip, stack - 4) != nullptr;
    }
    [[nodiscard]] bool has_start(const memmap::Chip& chip) const {
        return (start & 1) != 0 && memmap::memory_at(chip, start) != nullptr;
    }
    [[nodiscard]] bool fits(const memmap::Chip& chip) const {
        return has_stack(chip) && has_start(chip);
    }
    /// Returns true for erased flash and for zeros.
    [[nodiscard]] bool empty() const {
        return stack == start && (stack == 0 || stack == 0xFFFFFFFF);
    }
};

[[nodiscard]] std::optional<McuTable> table_at(const McuContent& content, std::uint32_t address) {
    const auto stack = content.word(address), start = content.word(address + 4);
    if (!stack || !start) return std::nullopt;
    return McuTable{*stack, *start};
}

/// Returns the first address at which a segment begins with a vector table whose start lies in
/// what was loaded: of a program behind a boot loader.
[[nodiscard]] std::optional<std::uint32_t> table_elsewhere(const memmap::Chip& chip,
                                                           const McuFirmware& firmware,
                                                           const McuContent& content) {
    for (const McuFirmware::Part& part : firmware.parts) {
        if (part.address % kVectorAlignment != 0) continue;
        const auto table = table_at(content, part.address);
        if (table && table->fits(chip) && content.word(table->start & ~3u)) return part.address;
    }
    return std::nullopt;
}

/// Returns what is wrong with a table that does not fit the chip, and the remedy.
[[nodiscard]] std::pair<std::string, std::string> fault_of(const McuTable& table,
                                                           const memmap::Chip& chip) {
    const std::string words =
        fmt::format("stack 0x{:08x}, start 0x{:08x}", table.stack, table.start);
    constexpr std::uint32_t kElfMagic = 0x464C457F;
    if (table.stack == kElfMagic)
        return {"an ELF file stands there as raw bytes", "load the program with --elf FILE"};
    const std::string others =
        chips_where([&](const memmap::Chip& other) { return table.fits(other); });
    if (!others.empty())
        return {words, fmt::format("they suit the memories of {}: --chip", others)};
    const bool external = (!table.has_stack(chip) && is_external(table.stack)) ||
                          (!table.has_start(chip) && is_external(table.start));
    if (external && (table.start & 1) != 0)
        return {words, "memory of the board is given by --external ADDR:SIZE"};
    if (!table.has_stack(chip)) {
        return {words + ": the stack pointer is at no memory of the chip, or no multiple of 4",
                fmt::format("link the program for the {}: n6vp map --chip {} shows its memories",
                            chip.title, chip.name)};
    }
    if ((table.start & 1) == 0) {
        return {words + ": the start address is even, but a core of Thumb code needs bit 0 set",
                "declare the reset handler as a function: .thumb_func, or "
                ".type Reset_Handler, %function"};
    }
    return {words + ": the start is at no memory of the chip",
            fmt::format("link the program for the {}: n6vp map --chip {} shows its memories",
                        chip.title, chip.name)};
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
    McuContent(chip, firmware.parts).require_apart();
    return firmware;
}

std::uint32_t mcu_vectors(const RunPlan& plan, const memmap::Chip& chip,
                          const McuFirmware& firmware) {
    const std::uint32_t vectors = plan.vectors.value_or(chip.vectors);
    if (vectors % kVectorAlignment != 0) {
        throw UserError(fmt::format("{}: no vector table at 0x{:08x}: the address is not a "
                                    "multiple of {}",
                                    plan.vectors_origin, vectors, kVectorAlignment),
                        "give the address of the table, which the linker aligns");
    }
    const McuContent content(chip, firmware.parts);
    const auto table = table_at(content, vectors);
    if (table && table->fits(chip)) return vectors;
    const std::string cause =
        fmt::format("no vector table at 0x{:08x}, from where the {} starts", vectors, chip.title);
    if (const auto other = table_elsewhere(chip, firmware, content)) {
        throw UserError(
            cause, fmt::format("there is one at 0x{:08x}: --vectors 0x{:08x}", *other, *other));
    }
    if (!table || table->empty()) {
        throw UserError(
            table ? fmt::format("{}: it is empty, 0x{:08x}", cause, table->stack)
                  : cause + ": nothing was loaded there",
            fmt::format("link the program to its flash, load it with --bin FILE@0x{:08x}, or name "
                        "the table's address: --vectors ADDR",
                        flash_start(chip)));
    }
    const auto [fault, remedy] = fault_of(*table, chip);
    throw UserError(cause + ": " + fault, remedy);
}

}  // namespace n6vp::sim

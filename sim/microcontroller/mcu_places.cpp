// SPDX-License-Identifier: Apache-2.0
#include "sim/microcontroller/mcu_places.h"

#include <fmt/format.h>

#include <algorithm>

#include "loader/firmware/mcu/job.h"
#include "sim/host/errors.h"
#include "sim/microcontroller/mcu_board.h"

namespace n6vp::sim {

namespace {

using memmap::ChipMemory;
using memmap::ChipMemoryKind;
namespace fw = firmware::mcu;

constexpr AddressRange kFirmwareRam{GuestAddr{fw::kRamStart}, fw::kRamBytes};
constexpr AddressRange kFirmwareFlash{GuestAddr{fw::kFlashStart}, fw::kFlashBytes};

[[nodiscard]] bool is_tcm(const ChipMemory& memory) {
    return memory.kind == ChipMemoryKind::Itcm || memory.kind == ChipMemoryKind::Dtcm;
}

[[nodiscard]] bool is_ram(const ChipMemory& memory) {
    return is_tcm(memory) || memory.kind == ChipMemoryKind::Ram;
}

/// Returns where the memory begins if it follows `end`, at whatever alias; else its own start.
[[nodiscard]] std::uint32_t start_behind(const ChipMemory& memory, std::uint64_t end) {
    const auto alias = std::find(memory.aliases.begin(), memory.aliases.end(), end);
    return alias == memory.aliases.end() ? memory.start : *alias;
}

/// Returns the part of a range behind `end`, none of it if there is none.
[[nodiscard]] AddressRange behind(AddressRange range, std::uint64_t end) {
    const std::uint64_t start = std::max<std::uint64_t>(to_word(range.start), end);
    const std::uint64_t bytes = range.end() > start ? range.end() - start : 0;
    return {GuestAddr{static_cast<std::uint32_t>(start)}, static_cast<std::uint32_t>(bytes)};
}

/// The back-up RAM is for other things.
constexpr std::uint32_t kPeripherals = 0x40000000;

[[nodiscard]] const char* memory_text(const ChipMemory* memory, std::uint32_t address) {
    if (memory != nullptr) return memory->name;
    return is_external(address) ? "no external memory" : "no memory";
}

}  // namespace

std::vector<McuRange> ram_of(const memmap::Chip& chip) {
    std::vector<const ChipMemory*> rows;
    for (const ChipMemory& memory : chip.memories) {
        if (is_ram(memory) && memory.start < kPeripherals) rows.push_back(&memory);
    }
    // From the first one that follows nothing, until nothing follows.
    std::vector<McuRange> ranges;
    std::sort(rows.begin(), rows.end(),
              [](const ChipMemory* a, const ChipMemory* b) { return a->start < b->start; });
    std::vector<bool> used(rows.size());
    const auto extend = [&](McuRange& range) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const ChipMemory& memory = *rows[i];
            if (used[i] || is_tcm(memory) != range.tcm ||
                start_behind(memory, range.range.end()) != range.range.end())
                continue;
            used[i] = true;
            range.range.bytes += memory.bytes;
            return true;
        }
        return false;
    };
    // Those with an alias come last: they may continue others.
    const auto begin = [&](bool aliased) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const bool has_alias = rows[i]->aliases[0] != memmap::kNoAlias;
            if (used[i] || has_alias != aliased) continue;
            McuRange range{{GuestAddr{rows[i]->start}, 0}, is_tcm(*rows[i])};
            while (extend(range)) {
            }
            ranges.push_back(range);
        }
    };
    begin(false);
    begin(true);
    std::sort(ranges.begin(), ranges.end(), [](const McuRange& a, const McuRange& b) {
        return to_word(a.range.start) < to_word(b.range.start);
    });
    return ranges;
}

AddressRange model_ram(const memmap::Chip& chip) {
    AddressRange largest{};
    for (const McuRange& each : ram_of(chip)) {
        if (each.tcm) continue;
        const AddressRange free =
            each.range.overlaps(kFirmwareRam) ? behind(each.range, kFirmwareRam.end()) : each.range;
        if (free.bytes > largest.bytes) largest = free;
    }
    return largest;
}

AddressRange model_flash(const memmap::Chip& chip) {
    for (const ChipMemory& memory : chip.memories) {
        if (memory.kind == ChipMemoryKind::Flash)
            return behind({GuestAddr{memory.start}, memory.bytes}, kFirmwareFlash.end());
    }
    return {};
}

void require_place(const memmap::Chip& chip, AddressRange range, std::string_view what,
                   std::string_view option, bool written) {
    const std::uint32_t start = to_word(range.start);
    const std::uint64_t room = memmap::for_memories(
        chip, start, range.bytes, [&](const ChipMemory& memory, std::uint32_t, std::uint64_t) {
            return !written || is_ram(memory) || memory.kind == ChipMemoryKind::External;
        });
    if (room < range.bytes) {
        const auto at = static_cast<std::uint32_t>(start + room);
        throw UserError(
            fmt::format("{} at 0x{:08x}, {} bytes: the {} has {} at 0x{:08x}", what, start,
                        range.bytes, chip.title, memory_text(memmap::memory_at(chip, at), at), at),
            is_external(at)
                ? "memory of the board is given by --external ADDR:SIZE to run"
                : fmt::format("choose {} of the chip with {}; n6vp map --chip {} shows it",
                              written ? "RAM" : "memory", option, chip.name));
    }
    if (!range.overlaps(kFirmwareRam) && !range.overlaps(kFirmwareFlash)) return;
    throw UserError(
        fmt::format("{} at 0x{:08x}, {} bytes: the firmware is there", what, start, range.bytes),
        fmt::format("it has 0x{:08x} to 0x{:08x} and 0x{:08x} to 0x{:08x}: choose "
                    "another place with {}",
                    fw::kFlashStart, fw::kFlashStart + fw::kFlashBytes - 1, fw::kRamStart,
                    fw::kRamStart + fw::kRamBytes - 1, option));
}

}  // namespace n6vp::sim

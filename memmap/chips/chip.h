// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "memmap/guest_addr.h"

/// Microcontrollers older than the STM32N6 as constant data. Sources: CMSIS device headers (bases,
/// sizes, clock bits, interrupts), reference manuals (bus widths, system memory).
namespace n6vp::memmap {

/// Chips of one family share layout and behaviour of their set-up registers.
enum class ChipFamily : std::uint8_t { L4, U5, F7, H7 };

enum class ChipMemoryKind : std::uint8_t {
    Flash,  ///< read-only for the bus; programming is not modelled
    Rom,    ///< system memory, OTP, unique ID: reads as erased flash
    Ram,
    Itcm,
    Dtcm,
    External,  ///< of the board, behind the chip's controllers; in no table of a chip
};

/// No further alias.
inline constexpr std::uint32_t kNoAlias = 0xFFFFFFFF;

struct ChipMemory {
    const char* name;
    ChipMemoryKind kind;
    std::uint32_t start, bytes;
    std::uint16_t width_bits;  ///< of its port on the bus
    const char* port;          ///< way from the core
    std::array<std::uint32_t, 3> aliases = {kNoAlias, kNoAlias, kNoAlias};
};

/// Interrupt lines of one source.
struct ChipLines {
    static constexpr std::size_t kMax = 16;

    constexpr ChipLines() = default;
    constexpr ChipLines(std::initializer_list<int> given) : count(given.size()) {
        std::size_t i = 0;
        for (const int each : given) line[i++] = static_cast<std::uint8_t>(each);
    }
    [[nodiscard]] constexpr const std::uint8_t* begin() const { return line.data(); }
    [[nodiscard]] constexpr const std::uint8_t* end() const { return line.data() + count; }

    std::array<std::uint8_t, kMax> line{};
    std::size_t count = 0;
};

/// A peripheral instance. One without clock bit is always clocked.
struct ChipPeripheral {
    const char* name;
    std::uint32_t base, bytes;
    std::int16_t clock_register;  ///< offset in RCC; -1: none
    std::int8_t clock_bit;        ///< -1: none
    ChipLines lines = {};         ///< of the NVIC
};

struct ChipInterrupt {
    std::uint8_t line;
    const char* name;
};

/// A constant table with its length.
template <typename Row>
struct ChipRows {
    constexpr ChipRows() = default;
    template <std::size_t N>
    // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions): a table is its rows
    constexpr ChipRows(const Row (&rows)[N]) : first(rows), count(N) {}
    template <std::size_t N>
    // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions): a table is its rows
    constexpr ChipRows(const std::array<Row, N>& rows) : first(rows.data()), count(N) {}
    [[nodiscard]] constexpr const Row* begin() const { return first; }
    [[nodiscard]] constexpr const Row* end() const { return first + count; }
    [[nodiscard]] constexpr std::size_t size() const { return count; }
    [[nodiscard]] constexpr const Row& operator[](std::size_t i) const { return first[i]; }
    [[nodiscard]] constexpr const Row& back() const { return first[count - 1]; }

    const Row* first = nullptr;
    std::size_t count = 0;
};

struct Chip {
    const char* name;   ///< as options spell it: "stm32l4r5"
    const char* title;  ///< "STM32L4R5"
    const char* core;   ///< name of the core's profile
    ChipFamily family;
    std::uint32_t max_hz;
    std::uint32_t reset_hz;       ///< system clock out of reset
    std::uint32_t vectors;        ///< VTOR out of reset
    std::uint32_t flash_size_at;  ///< half-word with the size of the flash in KiB
    std::uint32_t secure_offset;  ///< second alias of every peripheral; 0: none
    const char* console;          ///< serial port of the board's debug probe
    ChipRows<ChipMemory> memories;
    ChipRows<ChipPeripheral> peripherals;  ///< by ascending base, without overlap
    ChipRows<ChipInterrupt> interrupts;    ///< by ascending line
};

/// Returns true if `text`, of any type with `size` and `[]`, is the name.
template <typename Text>
requires requires(const Text& text) {
    text.size();
}
[[nodiscard]] constexpr bool is_name(const char* name, const Text& text) {
    std::size_t i = 0;
    while (i < text.size() && name[i] != '\0' && name[i] == text[i]) ++i;
    return i == text.size() && name[i] == '\0';
}

[[nodiscard]] constexpr bool is_name(const char* name, const char* text) {
    while (*name != '\0' && *name == *text) ++name, ++text;
    return *name == *text;
}

/// Returns the peripheral of that name, or null.
template <typename Text>
[[nodiscard]] constexpr const ChipPeripheral* peripheral_of(const Chip& chip, const Text& name) {
    for (const ChipPeripheral& row : chip.peripherals) {
        if (is_name(row.name, name)) return &row;
    }
    return nullptr;
}

/// Returns the peripheral whose registers `address` belongs to, or null.
[[nodiscard]] constexpr const ChipPeripheral* peripheral_at(const Chip& chip,
                                                            std::uint32_t address) {
    for (const ChipPeripheral& row : chip.peripherals) {
        if (address - row.base < row.bytes) return &row;
        if (chip.secure_offset != 0 && address - chip.secure_offset - row.base < row.bytes)
            return &row;
    }
    return nullptr;
}

/// Returns the offset of `address` in the memory, at whatever alias; at least its length if the
/// memory does not hold it.
[[nodiscard]] constexpr std::uint32_t offset_in(const ChipMemory& row, std::uint32_t address) {
    for (const std::uint32_t alias : row.aliases) {
        if (alias != kNoAlias && address - alias < row.bytes) return address - alias;
    }
    return address - row.start;
}

/// Returns the memory that holds `address`, at whatever alias, or null.
[[nodiscard]] constexpr const ChipMemory* memory_at(const Chip& chip, std::uint32_t address) {
    for (const ChipMemory& row : chip.memories) {
        if (offset_in(row, address) < row.bytes) return &row;
    }
    return nullptr;
}

/// Calls `function(memory, offset, bytes)` for each part of a range that lies in one memory, at
/// whatever alias: memories may be neighbours. Ends where there is no memory, or when it returns
/// false. Returns the bytes of the parts that it returned true for.
template <typename Function>
constexpr std::uint64_t for_memories(const Chip& chip, std::uint32_t start, std::uint64_t bytes,
                                     Function&& function) {
    std::uint64_t done = 0;
    while (done < bytes && start + done <= 0xFFFFFFFF) {
        const auto at = static_cast<std::uint32_t>(start + done);
        const ChipMemory* const memory = memory_at(chip, at);
        if (memory == nullptr) break;
        const std::uint32_t offset = offset_in(*memory, at);
        const std::uint64_t left = bytes - done, room = memory->bytes - offset;
        const std::uint64_t part = left < room ? left : room;
        if (!function(*memory, offset, part)) break;
        done += part;
    }
    return done;
}

}  // namespace n6vp::memmap

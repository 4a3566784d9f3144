// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elf.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/debugger/kernel_threads.h"
#include "tests/sim/pack/pack_elf_builder.h"

namespace n6vp::test {

/// Memory of a program with a kernel, laid out by hand: words; everything else is no memory.
struct KernelWords {
    std::map<std::uint32_t, std::uint32_t> words;
    bool armv8 = true;
    std::size_t reads = 0;

    void put(std::uint32_t address, std::initializer_list<std::uint32_t> values) {
        for (const std::uint32_t value : values) {
            words[address] = value;
            address += 4;
        }
    }
    /// The characters and a zero.
    void text(std::uint32_t address, std::string_view characters) {
        for (std::size_t i = 0; i <= characters.size(); ++i) {
            const auto at = static_cast<std::uint32_t>(address + i);
            const unsigned shift = 8 * (at % 4);
            const auto value =
                static_cast<std::uint8_t>(i < characters.size() ? characters[i] : '\0');
            std::uint32_t& word = words[at & ~3u];
            word = (word & ~(0xFFu << shift)) | std::uint32_t{value} << shift;
        }
    }
    [[nodiscard]] sim::debugger::KernelMemory memory(const sim::ElfFile& symbols) {
        const auto read = [this](std::uint32_t address, std::span<std::uint8_t> bytes) {
            ++reads;
            for (std::size_t i = 0; i < bytes.size(); ++i) {
                const auto at = static_cast<std::uint32_t>(address + i);
                const auto found = words.find(at & ~3u);
                if (found == words.end()) return false;
                bytes[i] = static_cast<std::uint8_t>(found->second >> 8 * (at % 4));
            }
            return true;
        };
        return {symbols, read, armv8};
    }
};

struct KernelSymbol {
    const char* name;
    std::uint32_t address, bytes = 4;
};

/// A program with these symbols.
[[nodiscard]] inline sim::ElfFile kernel_symbols(const std::vector<KernelSymbol>& list) {
    tests::FakeModel model;
    constexpr std::uint16_t kSection = 2;
    model.symbols.clear();
    for (const KernelSymbol& each : list)
        model.symbols.push_back({each.name, each.address, kSection, STT_OBJECT, each.bytes});
    model.relocations.clear();
    return {model.elf(), "kernel.elf"};
}

}  // namespace n6vp::test

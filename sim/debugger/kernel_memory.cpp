// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/kernel_memory.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace n6vp::sim::debugger {

std::optional<std::uint32_t> KernelMemory::word(std::uint32_t address) const {
    std::array<std::uint8_t, kWord> bytes{};
    if (address > 0xFFFFFFFF - kWord || !read_(address, bytes)) return std::nullopt;
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

std::optional<std::uint8_t> KernelMemory::byte(std::uint32_t address) const {
    std::array<std::uint8_t, 1> one{};
    if (!read_(address, one)) return std::nullopt;
    return one[0];
}

std::optional<std::uint32_t> KernelMemory::word_of(const char* name) const {
    const ElfSymbol* const found = symbol(name);
    return found == nullptr ? std::nullopt : word(found->value);
}

std::string KernelMemory::text(std::uint32_t address, std::uint32_t most) const {
    std::string text;
    for (std::uint32_t i = 0; i < most && address <= 0xFFFFFFFF - i; ++i) {
        const auto character = byte(address + i);
        if (!character || *character == 0) break;
        text += static_cast<char>(*character);
    }
    return text;
}

bool KernelMemory::unstack(std::uint32_t frame, bool extended, SavedRegisters& registers) const {
    constexpr unsigned kWords = 8, kExtendedWords = 26;
    std::array<std::uint32_t, kExtendedWords> words{};
    const unsigned count = extended ? kExtendedWords : kWords;
    for (unsigned i = 0; i < count; ++i) {
        const auto value = word(frame + kWord * i);
        if (!value) return false;
        words[i] = *value;
    }
    constexpr std::uint32_t kPadded = 1u << 9;  // of xPSR: the entry aligned the stack
    std::copy_n(words.begin(), 4, registers.general.begin());
    registers.general[12] = words[4];
    registers.general[14] = words[5];
    registers.general[15] = words[6];
    registers.general[16] = words[7] & ~kPadded;
    registers.general[13] = frame + kWord * count + ((words[7] & kPadded) != 0 ? kWord : 0);
    if (!extended) return true;
    if (!registers.fp) registers.fp.emplace();
    // s0 to s15, FPSCR, VPR.
    for (unsigned i = 0; i < 8; ++i)
        registers.fp->doubles[i] = words[kWords + 2 * i] | std::uint64_t{words[kWords + 2 * i + 1]}
                                                               << 32;
    registers.fp->fpscr = words[24];
    registers.fp->vpr = words[25];
    return true;
}

bool KernelMemory::take_high(std::uint32_t at, SavedRegisters& registers) const {
    for (unsigned i = 0; i < 8; ++i) {
        const auto value = word(at + kWord * i);
        if (!value) return false;
        registers.general[4 + i] = *value;
    }
    return true;
}

bool KernelMemory::take_high_float(std::uint32_t at, SavedRegisters& registers) const {
    if (!registers.fp) registers.fp.emplace();
    for (unsigned i = 0; i < 8; ++i) {
        const auto low = word(at + 2 * kWord * i), high = word(at + 2 * kWord * i + kWord);
        if (!low || !high) return false;
        registers.fp->doubles[8 + i] = *low | std::uint64_t{*high} << 32;
    }
    return true;
}

}  // namespace n6vp::sim::debugger

// SPDX-License-Identifier: Apache-2.0
// The program of a blob as the format's facts say it, executed at once and without time. Shares
// nothing with the model: own bit positions, own registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace n6vp::test {

struct ReferenceWrite {
    std::uint32_t address = 0;  ///< in the window
    std::uint32_t value = 0;

    friend bool operator==(const ReferenceWrite&, const ReferenceWrite&) = default;
};

/// How a program went.
struct ReferenceEnd {
    enum class Kind { Finished, Waiting, Magic, Opcode, Truncated, BitRange, PageEnd, NoUnit };
    Kind kind = Kind::Finished;
    std::size_t word = 0;  ///< of the blob, where it ended early
};

class ReferenceProgram {
  public:
    /// `blob` has all words that its header announces.
    explicit ReferenceProgram(std::vector<std::uint32_t> blob) : blob_(std::move(blob)) {}

    ReferenceEnd run() {
        if (blob_.at(0) != 0xCA057A7A) return {ReferenceEnd::Kind::Magic, 0};
        const std::size_t end = 2 + static_cast<std::size_t>(blob_.at(1));
        for (std::size_t at = 2; at < end;) {
            const std::size_t length = length_of(blob_.at(at));
            const ReferenceEnd verdict = judge(at, length);
            if (verdict.kind != ReferenceEnd::Kind::Finished) return verdict;
            // What is there of a burst that the blob's end cuts off is written.
            const ReferenceEnd::Kind kind = step(at, length < end - at ? length : end - at);
            if (kind != ReferenceEnd::Kind::Finished) return {kind, at};
            if (at + length > end) return {ReferenceEnd::Kind::Truncated, at};
            ++executed;
            at += length;
        }
        return {};
    }

    std::vector<ReferenceWrite> writes;
    std::map<std::uint32_t, std::uint32_t> registers;
    std::uint32_t executed = 0, label = 0, irqs = 0;

  private:
    static std::uint32_t bits(std::uint32_t word, int high, int low) {
        std::uint32_t result = 0;
        for (int i = high; i >= low; --i) result = 2 * result + (word >> i & 1);
        return result;
    }

    /// Returns 0 for an unknown opcode.
    static std::size_t length_of(std::uint32_t word) {
        const std::uint32_t opcode = bits(word, 4, 0);
        if (opcode == 0) return 2;
        if (opcode == 2 || opcode == 3) return 1 + std::size_t{bits(word, 15, 5)};
        if (opcode == 4) return 3;
        return opcode == 1 || opcode == 0x0C || opcode == 0x1D ? 1 : 0;
    }

    [[nodiscard]] ReferenceEnd judge(std::size_t at, std::size_t length) const {
        using Kind = ReferenceEnd::Kind;
        const std::uint32_t word = blob_.at(at);
        const std::uint32_t opcode = bits(word, 4, 0);
        if (length == 0) return {Kind::Opcode, at};
        const bool ranged = opcode == 0 || opcode == 4;
        if (ranged && bits(word, 14, 10) < bits(word, 9, 5)) return {Kind::BitRange, at};
        if (opcode == 3 && bits(word, 25, 16) + bits(word, 15, 5) > 1024)
            return {Kind::PageEnd, at};
        return {};
    }

    ReferenceEnd::Kind step(std::size_t at, std::size_t length) {
        using Kind = ReferenceEnd::Kind;
        const std::uint32_t word = blob_.at(at);
        const std::uint32_t opcode = bits(word, 4, 0);
        const std::uint32_t page = bits(word, 31, 26) * 0x1000;
        const std::uint32_t address = page + 4 * bits(word, 25, 16);
        bool there = true;
        if (opcode == 0 && length == 2) {
            there = replace(address, bits(word, 14, 10), bits(word, 9, 5), blob_.at(at + 1));
        } else if (opcode == 1) {
            const std::uint32_t low = bits(word, 9, 5);
            const std::uint32_t high = low + bits(word, 12, 10);
            there = replace(page + 4 * bits(word, 25, 21), high > 31 ? 31 : high, low,
                            bits(word, 20, 13));
        } else if (opcode == 2 || opcode == 3) {
            for (std::uint32_t i = 1; i < length && there; ++i) {
                there = store(opcode == 3 ? address + 4 * (i - 1) : address, blob_.at(at + i));
            }
        } else if (opcode == 4 && length == 3) {
            if (page >= 32 * 0x1000) return Kind::NoUnit;
            const auto high = static_cast<int>(bits(word, 14, 10));
            const auto low = static_cast<int>(bits(word, 9, 5));
            if (bits(registers[address], high, low) != bits(blob_.at(at + 2), high - low, 0)) {
                ++executed;
                return Kind::Waiting;
            }
        } else if (opcode == 0x0C) {
            ++irqs;
        } else if (opcode == 0x1D) {
            label = bits(word, 31, 5);
        }
        return there ? Kind::Finished : Kind::NoUnit;
    }

    bool replace(std::uint32_t address, std::uint32_t high, std::uint32_t low,
                 std::uint32_t value) {
        std::uint32_t word = registers[address];
        for (std::uint32_t i = low; i <= high; ++i) {
            word = (word & ~(1u << i)) | (value >> (i - low) & 1) << i;
        }
        return store(address, word);
    }

    bool store(std::uint32_t address, std::uint32_t value) {
        if (address >= 32 * 0x1000) return false;
        writes.push_back({address, value});
        registers[address] = value;
        return true;
    }

    std::vector<std::uint32_t> blob_;
};

}  // namespace n6vp::test

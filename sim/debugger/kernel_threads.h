// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/debugger/machine.h"
#include "sim/host/elf.h"

namespace n6vp::sim::debugger {

/// The tasks of FreeRTOS in memory, found by the symbols of the kernel.
///
/// Assumed, as the kernel's configuration does not say it in memory: ticks of 32 bits, lists
/// without integrity checks (a list has 20 bytes, which the size of its symbol confirms), no MPU
/// wrappers, names of 16 characters behind a control block of 52 bytes. A kernel that was built
/// differently shows no tasks, or no names. Stacks are those of the ports for Cortex-M4F and M7,
/// and for Cortex-M33 and M55 with and without secure contexts; the value of EXC_RETURN on the
/// stack tells them apart.
class FreeRtos {
  public:
    using Read = std::function<bool(std::uint32_t address, std::span<std::uint8_t> bytes)>;

    /// Both must outlive the object.
    FreeRtos(const ElfFile& symbols, Read read) : symbols_(symbols), read_(std::move(read)) {}

    /// Returns the tasks, the one that runs first; none if the program has no such kernel, or it
    /// has not started. Memory is not trusted: lists end after kMost tasks.
    [[nodiscard]] std::vector<ThreadInfo> tasks() const;
    static constexpr std::size_t kMost = 512;

  private:
    [[nodiscard]] std::optional<std::uint32_t> word(std::uint32_t address) const;
    [[nodiscard]] std::optional<std::uint32_t> word_of(const char* symbol) const;
    void add_list(std::uint32_t list, const char* state, std::vector<ThreadInfo>& tasks) const;
    [[nodiscard]] ThreadInfo task(std::uint32_t block, const char* state) const;
    [[nodiscard]] std::optional<std::array<std::uint32_t, ThreadInfo::kSaved>> saved(
        std::uint32_t stack) const;

    const ElfFile& symbols_;
    Read read_;
};

}  // namespace n6vp::sim::debugger

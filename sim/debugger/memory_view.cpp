// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/memory_view.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/core/ir/private_registers.h"
#include "models/core/ir/system.h"

namespace n6vp::sim::debugger {

namespace {

constexpr std::uint32_t kPage = 4096, kWord = 4;

[[nodiscard]] bool is_private(std::uint32_t address) {
    return address >> 20 == 0xE00;
}
[[nodiscard]] bool is_peripheral(std::uint32_t address) {
    return address >= 0x40000000 && address < 0x60000000;
}
/// SYST_CSR, in both views: reading clears COUNTFLAG.
[[nodiscard]] bool read_has_effect(std::uint32_t address) {
    return address == 0xE000E010 || address == 0xE002E010;
}

/// For one access the debugger is privileged, whatever the program is.
class Privileged {
  public:
    explicit Privileged(models::core::CpuState& cpu)
        : cpu_(cpu), was_(std::exchange(cpu.privileged, true)) {}
    Privileged(const Privileged&) = delete;
    Privileged& operator=(const Privileged&) = delete;
    ~Privileged() { cpu_.privileged = was_; }

  private:
    models::core::CpuState& cpu_;
    bool was_;
};

}  // namespace

bool MemoryView::read_private(std::uint32_t address, std::uint32_t& value) {
    if (read_has_effect(address) || !models::core::is_modelled_register(address)) return false;
    models::core::CpuState& cpu = core_.state();
    const Privileged privileged(cpu);
    return core_.system().read_ppb(cpu, address, kWord, core_.cycles(), value);
}

bool MemoryView::read_word(std::uint32_t address, std::uint32_t& value) {
    if (is_private(address)) return read_private(address, value);
    const std::optional<std::uint32_t> word = peek_ ? peek_(address) : std::nullopt;
    value = word.value_or(0);
    return word.has_value();
}

bool MemoryView::read(std::uint32_t address, std::span<std::uint8_t> bytes) {
    while (!bytes.empty()) {
        std::size_t count = 0;
        if (is_private(address) || is_peripheral(address)) {
            const std::uint32_t within = address % kWord;
            count = std::min<std::size_t>(bytes.size(), kWord - within);
            std::uint32_t value = 0;
            if (!read_word(address - within, value)) return false;
            value >>= 8 * within;
            std::memcpy(bytes.data(), &value, count);
        } else {
            // By pages: two memories may stand side by side.
            count = std::min<std::size_t>(bytes.size(), kPage - address % kPage);
            if (!view_.fetch(address, bytes.first(count))) return false;
        }
        bytes = bytes.subspan(count);
        address += static_cast<std::uint32_t>(count);
    }
    return true;
}

bool MemoryView::write_private(std::uint32_t address, std::span<const std::uint8_t> bytes) {
    if (address % kWord != 0 || bytes.size() % kWord != 0) return false;
    models::core::CpuState& cpu = core_.state();
    const Privileged privileged(cpu);
    for (std::size_t done = 0; done < bytes.size(); done += kWord) {
        const auto at = static_cast<std::uint32_t>(address + done);
        if (!is_private(at) || !models::core::is_modelled_register(at)) return false;
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + done, kWord);
        if (!core_.system().write_ppb(cpu, at, kWord, core_.cycles(), value)) return false;
    }
    return true;
}

bool MemoryView::write(std::uint32_t address, std::span<const std::uint8_t> bytes) {
    if (is_private(address)) return write_private(address, bytes);
    while (!bytes.empty()) {
        if (is_private(address) || is_peripheral(address)) return false;
        const std::size_t count = std::min<std::size_t>(bytes.size(), kPage - address % kPage);
        if (!view_.store(address, bytes.first(count))) return false;
        bytes = bytes.subspan(count);
        address += static_cast<std::uint32_t>(count);
    }
    return true;
}

}  // namespace n6vp::sim::debugger

// SPDX-License-Identifier: Apache-2.0
#include "models/soc/rif/iac.h"

namespace n6vp::models {
namespace {

constexpr const char* kIacNames[3][5] = {{"IER0", "IER1", "IER2", "IER3", "IER4"},
                                         {"ISR0", "ISR1", "ISR2", "ISR3", "ISR4"},
                                         {"ICR0", "ICR1", "ICR2", "ICR3", "ICR4"}};
enum Bank : std::uint32_t { kEnableBank, kStatusBank, kClearBank };
constexpr std::uint32_t kBankBytes = 0x80;

[[nodiscard]] bool exists(std::uint32_t offset) {
    return offset / kBankBytes <= kClearBank && offset % kBankBytes / 4 < 5;
}

}  // namespace

RegisterBlock::Answer Iac::read(std::uint32_t offset, Picoseconds) {
    if (!exists(offset)) return {.modelled = false};
    const std::uint32_t bank = offset / kBankBytes, word = offset % kBankBytes / 4;
    Answer answer;
    answer.name = kIacNames[bank][word];
    if (bank == kEnableBank) answer.value = enabled_[word];
    if (bank == kStatusBank) answer.value = flags_[word];
    return answer;
}

RegisterBlock::Answer Iac::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                 Picoseconds) {
    if (!exists(offset)) return {.modelled = false};
    const std::uint32_t bank = offset / kBankBytes, word = offset % kBankBytes / 4;
    if (bank == kEnableBank) enabled_[word] = (enabled_[word] & ~mask) | (value & mask);
    if (bank == kClearBank) flags_[word] &= ~(value & mask);
    update_interrupt();
    Answer answer;
    answer.name = kIacNames[bank][word];
    return answer;
}

void Iac::reset() {
    enabled_.fill(0);
    flags_.fill(0);
    update_interrupt();
}

void Iac::flag(unsigned source) {
    if (source >= kFlags || (clocked && !clocked())) return;
    flags_[source / 32] |= 1u << (source % 32);
    update_interrupt();
}

void Iac::update_interrupt() {
    bool level = false;
    for (std::size_t i = 0; i < flags_.size(); ++i) level |= (flags_[i] & enabled_[i]) != 0;
    if (level == level_) return;
    level_ = level;
    if (on_interrupt) on_interrupt(level);
}

}  // namespace n6vp::models

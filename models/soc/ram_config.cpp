// SPDX-License-Identifier: Apache-2.0
#include "models/soc/ram_config.h"

namespace n6vp::models {
namespace {

constexpr std::uint32_t kErase = 1u << 8, kShutDown = 1u << 20;
constexpr std::size_t kFirstSwitched = 1, kLastSwitched = 5;  ///< AXISRAM2 to AXISRAM6
constexpr std::size_t kFirstOff = 2;                          ///< AXISRAM3: off after reset

static_assert(std::string_view(memmap::kRamConfigBanks[kFirstSwitched].name) == "AXISRAM2");
static_assert(std::string_view(memmap::kRamConfigBanks[kLastSwitched].name) == "AXISRAM6");
static_assert(std::string_view(memmap::kRamConfigBanks[10].name) == "FLEXMEM");

constexpr const char* kRamConfigNames[] = {"CR", "IER", "ISR", "ESEAR",   "EDEAR", "ICR",
                                           "",   "",    "",    "ECCKEYR", "ERKEYR"};

}  // namespace

PowerSwitch::PowerSwitch(std::string_view memory, Verdict off)
    : off_(off), reason_("RAMCFG_" + std::string(memory) + "CR.SRAMSD = 1") {}

void PowerSwitch::set(bool on) {
    if (on == on_) return;
    on_ = on;
    if (on_change) on_change();
}

RamConfig::RamConfig(const RamConfigParameters& parameters) : RegisterBlock("RAMCFG") {
    const auto off = parameters.shut_down_error.value == 0 ? AccessFilter::Verdict::Zero
                                                           : AccessFilter::Verdict::Error;
    for (std::size_t i = kFirstSwitched; i <= kLastSwitched; ++i) {
        switches_.emplace_back(memmap::kRamConfigBanks[i].name, off);
    }
    reset();
}

void RamConfig::reset() {
    control_.fill(0);
    for (auto& bank : others_) bank.fill(0);
    for (std::size_t i = kFirstOff; i <= kLastSwitched; ++i) control_[i] = kShutDown;
    update_power();
}

void RamConfig::update_power() {
    std::size_t bank = kFirstSwitched;
    for (PowerSwitch& power : switches_) power.set((control_[bank++] & kShutDown) == 0);
}

PowerSwitch* RamConfig::power(std::string_view memory) {
    std::size_t bank = kFirstSwitched;
    for (PowerSwitch& power : switches_) {
        if (memory == memmap::kRamConfigBanks[bank++].name) return &power;
    }
    return nullptr;
}

RegisterBlock::Answer RamConfig::read(std::uint32_t offset, Picoseconds) {
    const std::uint32_t bank = offset / kBankBytes, word = offset % kBankBytes / 4;
    if (bank >= kBanks || word >= kBankWords || *kRamConfigNames[word] == 0)
        return {.modelled = false};
    const bool is_control = word == 0;
    return {.value = is_control ? control_[bank] : others_[bank][word],
            .modelled = is_control,
            .name = kRamConfigNames[word]};
}

RegisterBlock::Answer RamConfig::write(std::uint32_t offset, std::uint32_t value,
                                       std::uint32_t mask, Picoseconds) {
    const std::uint32_t bank = offset / kBankBytes, word = offset % kBankBytes / 4;
    if (bank >= kBanks || word >= kBankWords || *kRamConfigNames[word] == 0)
        return {.modelled = false};
    if (word != 0) {
        others_[bank][word] = (others_[bank][word] & ~mask) | (value & mask);
        if (std::string_view(kRamConfigNames[word]) == "ISR")
            others_[bank][word] = 0;  // no error, not busy
        return {.modelled = false, .name = kRamConfigNames[word]};
    }
    const std::uint32_t next = (control_[bank] & ~mask) | (value & mask);
    control_[bank] = next & ~kErase;
    update_power();
    if ((next & kErase) != 0 && on_erase) on_erase(memmap::kRamConfigBanks[bank].name);
    return {.name = kRamConfigNames[word]};
}

}  // namespace n6vp::models

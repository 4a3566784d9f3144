// SPDX-License-Identifier: Apache-2.0
#include "models/soc/system/ram_config.h"

namespace n6vp::models {
namespace {

constexpr std::uint32_t kEccEnable = 1u << 0, kLatch = 1u << 4;  ///< ECCE, ALE
constexpr std::uint32_t kErase = 1u << 8, kShutDown = 1u << 20;
constexpr std::uint32_t kSingleError = 1u << 0, kDoubleError = 1u << 1;
constexpr std::uint32_t kErrors = kSingleError | kDoubleError;
constexpr std::uint32_t kWordNumber = 0x7FF;                  ///< ESEA, EDEA
constexpr std::uint32_t kEccKeys[] = {0xAE, 0x75};            ///< source: HAL
constexpr std::uint32_t kKeyBits = 0xFF, kUnlocked = 2;       ///< both keys
constexpr std::size_t kFirstSwitched = 1, kLastSwitched = 5;  ///< AXISRAM2 to AXISRAM6
constexpr std::size_t kFirstOff = 2;                          ///< AXISRAM3: off after reset

static_assert(std::string_view(memmap::kRamConfigBanks[kFirstSwitched].name) == "AXISRAM2");
static_assert(std::string_view(memmap::kRamConfigBanks[kLastSwitched].name) == "AXISRAM6");
static_assert(std::string_view(memmap::kRamConfigBanks[9].name) == "BKPSRAM");
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
    keys_ = 0;
    update_power();
    update_checks();
    update_interrupt();
}

void RamConfig::update_power() {
    std::size_t bank = kFirstSwitched;
    for (PowerSwitch& power : switches_) power.set((control_[bank++] & kShutDown) == 0);
}

void RamConfig::update_checks() {
    const bool on = (control_[kBackup] & kEccEnable) != 0;
    if (on == checks_) return;
    checks_ = on;
    if (on_checks) on_checks(on);
}

void RamConfig::update_interrupt() {
    const auto& bank = others_[kBackup];
    const bool level = (bank[kStatus] & bank[kEnable] & kErrors) != 0;
    if (level == level_) return;
    level_ = level;
    if (on_interrupt) on_interrupt(level);
}

void RamConfig::note_error(bool two_bits, std::uint32_t offset) {
    auto& bank = others_[kBackup];
    bank[kStatus] |= two_bits ? kDoubleError : kSingleError;
    if ((control_[kBackup] & kLatch) != 0)
        bank[two_bits ? kDoubleAddress : kSingleAddress] = offset / 4 & kWordNumber;
    update_interrupt();
}

void RamConfig::write_check_word(std::uint32_t word, std::uint32_t value, std::uint32_t mask) {
    auto& bank = others_[kBackup];
    switch (word) {
        case kEnable:
            bank[kEnable] = ((bank[kEnable] & ~mask) | (value & mask)) & kErrors;
            break;
        case kClear:
            bank[kStatus] &= ~(value & mask);
            break;
        case kEccKey: {
            const std::uint32_t key = value & mask & kKeyBits;
            if (key == kEccKeys[0]) {
                keys_ = 1;
            } else {
                keys_ = keys_ == 1 && key == kEccKeys[1] ? kUnlocked : 0;
            }
            break;
        }
        default:  // read-only
            break;
    }
    update_interrupt();
}

/// ECCE cannot be cleared without the keys.
std::uint32_t RamConfig::with_locked_checks(std::size_t bank, std::uint32_t next) const {
    if (bank != kBackup || keys_ == kUnlocked) return next;
    return next | (control_[bank] & kEccEnable);
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
    const bool is_control = word == kControl;
    const bool is_check = bank == kBackup && word <= kEccKey;
    return {.value = is_control ? control_[bank] : others_[bank][word],
            .modelled = is_control || is_check,
            .name = kRamConfigNames[word]};
}

RegisterBlock::Answer RamConfig::write(std::uint32_t offset, std::uint32_t value,
                                       std::uint32_t mask, Picoseconds) {
    const std::uint32_t bank = offset / kBankBytes, word = offset % kBankBytes / 4;
    if (bank >= kBanks || word >= kBankWords || *kRamConfigNames[word] == 0)
        return {.modelled = false};
    if (bank == kBackup && word != kControl && word <= kEccKey) {
        write_check_word(word, value, mask);
        return {.name = kRamConfigNames[word]};
    }
    if (word != kControl) {
        others_[bank][word] = (others_[bank][word] & ~mask) | (value & mask);
        if (std::string_view(kRamConfigNames[word]) == "ISR")
            others_[bank][word] = 0;  // no error, not busy
        return {.modelled = false, .name = kRamConfigNames[word]};
    }
    const std::uint32_t next = (control_[bank] & ~mask) | (value & mask);
    control_[bank] = with_locked_checks(bank, next & ~kErase);
    update_power();
    update_checks();
    if ((next & kErase) != 0 && on_erase) on_erase(memmap::kRamConfigBanks[bank].name);
    return {.name = kRamConfigNames[word]};
}

}  // namespace n6vp::models

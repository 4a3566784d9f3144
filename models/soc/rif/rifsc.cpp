// SPDX-License-Identifier: Apache-2.0
#include "models/soc/rif/rifsc.h"

#include <string_view>

namespace n6vp::models {
namespace {

// Offsets, fields and numbers: CMSIS device header and HAL.
constexpr std::uint32_t kPeripheralControl = 0x000, kSecurity = 0x010, kPrivilege = 0x030,
                        kLock = 0x050, kMasterControl = 0xC00, kAttributes = 0xC10;
constexpr std::uint32_t kMasterFields = 0x370;  ///< MPRIV, MSEC, MCID
constexpr std::uint32_t kGlobalLock = 1;

constexpr const char* kRifscNames[][Rifsc::kWords] = {
    {"RISC_SECCFGR0", "RISC_SECCFGR1", "RISC_SECCFGR2", "RISC_SECCFGR3", "RISC_SECCFGR4",
     "RISC_SECCFGR5"},
    {"RISC_PRIVCFGR0", "RISC_PRIVCFGR1", "RISC_PRIVCFGR2", "RISC_PRIVCFGR3", "RISC_PRIVCFGR4",
     "RISC_PRIVCFGR5"},
    {"RISC_RCFGLOCKR0", "RISC_RCFGLOCKR1", "RISC_RCFGLOCKR2", "RISC_RCFGLOCKR3", "RISC_RCFGLOCKR4",
     "RISC_RCFGLOCKR5"}};
constexpr const char* kMasterNames[] = {"RIMC_ATTR0", "RIMC_ATTR1", "RIMC_ATTR2",  "RIMC_ATTR3",
                                        "RIMC_ATTR4", "RIMC_ATTR5", "RIMC_ATTR6",  "RIMC_ATTR7",
                                        "RIMC_ATTR8", "RIMC_ATTR9", "RIMC_ATTR10", "RIMC_ATTR11",
                                        "RIMC_ATTR12"};

}  // namespace

PeripheralFilter::PeripheralFilter(Rifsc& rifsc, const char* unit, unsigned index, bool exact)
    : rifsc_(rifsc),
      unit_(unit),
      index_(index),
      exact_(exact),
      reason_("RIFSC_RISC_SECCFGR" + std::to_string(index / 32) + " and PRIVCFGR" +
              std::to_string(index / 32) + " bit " + std::to_string(index % 32) + " (" + unit +
              ") do not allow this access") {}

bool PeripheralFilter::passes(const Transfer& transfer, const Access&) const {
    const bool secure = rifsc_.secure(index_);
    if (secure && !transfer.secure) return false;
    if (!secure && transfer.secure && exact_) return false;
    return transfer.privileged || !rifsc_.privileged(index_);
}

AccessFilter::Verdict PeripheralFilter::judge(const Transfer& transfer, const Access& access) {
    if (passes(transfer, access)) return Verdict::Pass;
    rifsc_.iac_.flag(index_);
    return Verdict::Zero;
}

Rifsc::Rifsc(const RifParameters& parameters, Iac& iac)
    : RegisterBlock("RIFSC"), parameters_(parameters), iac_(iac) {
    for (const memmap::Peripheral& row : memmap::kPeripherals) {
        if (!row.filter.exists()) continue;
        const bool exact = row.filter.index == kNpuPeripheral && parameters.npu_exact.value != 0;
        filters_.emplace_back(*this, row.name, static_cast<unsigned>(row.filter.index), exact);
    }
}

void Rifsc::reset() {
    masters_.fill(0);
    security_.fill(0);
    privilege_.fill(0);
    locks_.fill(0);
    master_control_ = peripheral_control_ = 0;
    for (unsigned i = 0; on_master && i < kMasters; ++i) on_master(i);
}

MasterAttributes Rifsc::master(unsigned index) const {
    const std::uint32_t held = masters_[index];
    return {static_cast<std::uint8_t>(held >> 4 & 7u), (held >> 8 & 1u) != 0,
            (held >> 9 & 1u) != 0};
}

AccessFilter* Rifsc::filter(const char* unit) {
    for (PeripheralFilter& filter : filters_) {
        if (std::string_view(filter.unit()) == unit) return &filter;
    }
    return nullptr;
}

std::uint32_t* Rifsc::place(std::uint32_t offset, const char*& name) {
    const auto word = [offset](std::uint32_t start) { return (offset - start) / 4; };
    if (offset == kPeripheralControl) {
        name = "RISC_CR";
        return &peripheral_control_;
    }
    if (offset == kMasterControl) {
        name = "RIMC_CR";
        return &master_control_;
    }
    if (offset >= kAttributes && word(kAttributes) < kMasters) {
        name = kMasterNames[word(kAttributes)];
        return &masters_[word(kAttributes)];
    }
    if (offset >= kLock && word(kLock) < kWords) {
        name = kRifscNames[2][word(kLock)];
        return &locks_[word(kLock)];
    }
    if (offset >= kPrivilege && word(kPrivilege) < kWords) {
        name = kRifscNames[1][word(kPrivilege)];
        return &privilege_[word(kPrivilege)];
    }
    if (offset >= kSecurity && word(kSecurity) < kWords) {
        name = kRifscNames[0][word(kSecurity)];
        return &security_[word(kSecurity)];
    }
    return nullptr;
}

RegisterBlock::Answer Rifsc::read(std::uint32_t offset, Picoseconds) {
    Answer answer;
    const std::uint32_t* held = place(offset, answer.name);
    answer.modelled = held != nullptr;
    if (held != nullptr) answer.value = *held;
    return answer;
}

RegisterBlock::Answer Rifsc::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                   Picoseconds) {
    Answer answer;
    std::uint32_t* held = place(offset, answer.name);
    answer.modelled = held != nullptr;
    if (held == nullptr) return answer;
    const bool of_master = held >= masters_.data() && held < masters_.data() + masters_.size();
    std::uint32_t writable = mask;
    if (of_master) writable &= (master_control_ & kGlobalLock) != 0 ? 0 : kMasterFields;
    const bool of_peripheral = offset >= kSecurity && offset < kMasterControl;
    if (of_peripheral && (peripheral_control_ & kGlobalLock) != 0) writable = 0;
    if (of_peripheral && offset < kLock) {
        const std::uint32_t start = offset < kPrivilege ? kSecurity : kPrivilege;
        writable &= ~locks_[(offset - start) / 4];
    }
    std::uint32_t next = (*held & ~writable) | (value & writable);
    // Locks stay until the next reset.
    const bool is_lock = of_peripheral && offset >= kLock;
    if (is_lock) next |= *held;
    if (held == &master_control_ || held == &peripheral_control_) next |= *held & kGlobalLock;
    const bool changed = next != *held;
    *held = next;
    if (of_master && changed && on_master) {
        on_master(static_cast<unsigned>(held - masters_.data()));
    }
    return answer;
}

}  // namespace n6vp::models

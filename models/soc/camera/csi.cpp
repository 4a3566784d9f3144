// SPDX-License-Identifier: Apache-2.0
#include "models/soc/camera/csi.h"

#include <algorithm>

namespace n6vp::models {

namespace {

constexpr std::uint32_t kCsiControl = 0x000, kCsiLanes = 0x004, kCsiEvents = 0x074,
                        kCsiIer0 = 0x080, kCsiIer1 = 0x084, kCsiSr0 = 0x090, kCsiSr1 = 0x094,
                        kCsiFcr0 = 0x100, kCsiFcr1 = 0x104, kCsiPhy = 0x1000, kCsiPhyEnd = 0x1020;
// CR, PCR, PRCR.
constexpr std::uint32_t kCsiEnable = 1, kCsiClockLane = 1u << 1, kCsiPhyEnable = 1u << 1;
/// VC0STATEF; the other channels follow.
constexpr unsigned kCsiState = 17;
/// LBnEN and TIMnEN.
constexpr std::uint32_t kCsiEventEnables = 0x88888888;

struct CsiRegister {
    std::uint32_t offset;
    const char* name;
    std::uint32_t writable = 0, reset = 0;
};
constexpr std::uint32_t kFirstTypes = 0x1F3F1FFF, kTypes = 0x1F3F1F3F, kAll = 0xFFFFFFFF,
                        kTimer = 0x1FFFFFF;
constexpr CsiRegister kCsiRegisters[] = {
    {0x000, "CR", 0xCCCD},
    {0x004, "PCR", 0xF},
    {0x010, "VC0CFGR1", kFirstTypes},
    {0x014, "VC0CFGR2", kTypes},
    {0x018, "VC0CFGR3", kTypes},
    {0x01C, "VC0CFGR4", kTypes},
    {0x020, "VC1CFGR1", kFirstTypes},
    {0x024, "VC1CFGR2", kTypes},
    {0x028, "VC1CFGR3", kTypes},
    {0x02C, "VC1CFGR4", kTypes},
    {0x030, "VC2CFGR1", kFirstTypes},
    {0x034, "VC2CFGR2", kTypes},
    {0x038, "VC2CFGR3", kTypes},
    {0x03C, "VC2CFGR4", kTypes},
    {0x040, "VC3CFGR1", kFirstTypes},
    {0x044, "VC3CFGR2", kTypes},
    {0x048, "VC3CFGR3", kTypes},
    {0x04C, "VC3CFGR4", kTypes},
    {0x050, "LB0CFGR", kAll},
    {0x054, "LB1CFGR", kAll},
    {0x058, "LB2CFGR", kAll},
    {0x05C, "LB3CFGR", kAll},
    {0x060, "TIM0CFGR", kTimer},
    {0x064, "TIM1CFGR", kTimer},
    {0x068, "TIM2CFGR", kTimer},
    {0x06C, "TIM3CFGR", kTimer},
    {0x070, "LMCFGR", 0x00770700, 0x43210200},
    {0x074, "PRGITR", 0xFFFFBBBB},
    {0x078, "WDR", kAll},
    {0x080, "IER0", 0x7F21FFFF},
    {0x084, "IER1", 0x1F1F},
    {0x090, "SR0"},
    {0x094, "SR1"},
    {0x100, "FCR0", 0x7F21FFFF},
    {0x104, "FCR1", 0x1F1F},
    {0x110, "SPDFR"},
    {0x114, "ERR1"},
    {0x118, "ERR2"},
    {0x1000, "PRCR", 0x2},
    {0x1004, "PMCR", 0x11117, 0x11003},
    {0x1008, "PFCR", 0x17F3F, 0x17},
    {0x1010, "PTCR0", 0x3, 0x1},
    {0x1014, "PTCR1", 0x100FF},
    {0x1018, "PTSR"},
};

[[nodiscard]] const CsiRegister* csi_register(std::uint32_t offset) {
    const auto* const found =
        std::find_if(std::begin(kCsiRegisters), std::end(kCsiRegisters),
                     [offset](const CsiRegister& each) { return each.offset == offset; });
    return found == std::end(kCsiRegisters) ? nullptr : found;
}

}  // namespace

std::uint32_t& Csi::at(std::uint32_t offset) {
    return offset < kCsiPhy ? words_[offset / 4] : phy_[(offset - kCsiPhy) / 4];
}

std::uint32_t Csi::get(std::uint32_t offset) const {
    return offset < kCsiPhy ? words_[offset / 4] : phy_[(offset - kCsiPhy) / 4];
}

void Csi::reset() {
    static_assert(kCsiPhyEnd - kCsiPhy == sizeof phy_);
    for (const CsiRegister& each : kCsiRegisters) at(each.offset) = each.reset;
    update();
}

bool Csi::receives(unsigned channel) const {
    const bool on = (get(kCsiControl) & kCsiEnable) != 0 && (!clocked || clocked());
    const bool linked =
        (get(kCsiLanes) & kCsiClockLane) != 0 && (get(kCsiPhy) & kCsiPhyEnable) != 0;
    return on && linked && (get(kCsiSr0) >> (kCsiState + channel) & 1) != 0;
}

void Csi::raise(unsigned flag, unsigned channel) {
    at(kCsiSr0) |= 1u << (flag + channel);
    update();
}

void Csi::write_control(std::uint32_t value) {
    constexpr unsigned kBitsOfChannel = 4, kStart = 2, kStop = 3;
    for (unsigned channel = 0; channel < kChannels; ++channel) {
        const std::uint32_t state = 1u << (kCsiState + channel);
        const std::uint32_t bits = value >> (kBitsOfChannel * channel);
        if ((bits & 1u << kStart) != 0) at(kCsiSr0) |= state;
        if ((bits & 1u << kStop) != 0) at(kCsiSr0) &= ~state;
    }
    at(kCsiControl) = value & kCsiEnable;
}

RegisterBlock::Answer Csi::read(std::uint32_t offset, Picoseconds /*at*/) {
    const CsiRegister* const row = csi_register(offset);
    if (row == nullptr) return {.modelled = false};
    return {.value = get(offset), .name = row->name};
}

RegisterBlock::Answer Csi::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                 Picoseconds /*at*/) {
    const CsiRegister* const row = csi_register(offset);
    if (row == nullptr) return {.modelled = false};
    Answer answer{.name = row->name};
    const std::uint32_t written = value & mask & row->writable;
    switch (offset) {
        case kCsiControl:
            write_control((get(offset) & ~mask) | written);
            break;
        case kCsiFcr0:
            at(kCsiSr0) &= ~written;
            break;
        case kCsiFcr1:
            at(kCsiSr1) &= ~written;
            break;
        case kCsiEvents:
            answer.modelled = (written & kCsiEventEnables) == 0;
            [[fallthrough]];
        default:
            at(offset) = (get(offset) & ~(mask & row->writable)) | written;
            break;
    }
    update();
    return answer;
}

void Csi::update() {
    const std::uint32_t raised = (get(kCsiSr0) & get(kCsiIer0)) | (get(kCsiSr1) & get(kCsiIer1));
    level_.set(raised != 0, on_interrupt);
}

}  // namespace n6vp::models

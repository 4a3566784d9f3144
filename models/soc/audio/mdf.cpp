// SPDX-License-Identifier: Apache-2.0
#include "models/soc/audio/mdf.h"

#include <algorithm>
#include <string>
#include <utility>

namespace n6vp::models {

namespace {

using mdf::mdf_bit;

// Source: CMSIS device header, MDF_TypeDef and MDF_Filter_TypeDef.
constexpr std::uint32_t kMdfGcr = 0x000, kMdfCkgcr = 0x004, kMdfFirstFilter = 0x080,
                        kMdfFilterBytes = 0x80;
constexpr unsigned kMdfFilters = 6;

constexpr std::uint32_t kMdfActive = mdf_bit(31), kMdfRun = mdf_bit(30);
constexpr std::uint32_t kMdfTrgo = mdf_bit(0), kMdfInterleaved = 0xF0;             // GCR
constexpr std::uint32_t kMdfClockEnable = mdf_bit(0), kMdfByTrigger = mdf_bit(4);  // CKGCR
constexpr std::uint32_t kSitfReset = 0x1F00;
/// Of DFLTISR, by writing one: all but those that follow the FIFO.
constexpr std::uint32_t kMdfCleared = ~(mdf::kFthf | mdf::kRxnef);
/// DFLTIER: limit, short circuit, snapshot, clock absence, sound activity.
constexpr std::uint32_t kMdfDetectors =
    mdf_bit(2) | mdf_bit(4) | mdf_bit(7) | mdf_bit(8) | mdf_bit(10) | mdf_bit(12) | mdf_bit(13);
constexpr double kMostCicGain = 1u << 25;  ///< of one bit, with its sign in 26 bits

enum class Acquisition : std::uint8_t { Continuous, Single, SyncContinuous, SyncSingle };

[[nodiscard]] unsigned acquisition_of(std::uint32_t dfltcr) {
    return dfltcr >> 4 & 7;
}
[[nodiscard]] bool waits_for_trigger(std::uint32_t dfltcr) {
    return acquisition_of(dfltcr) >= static_cast<unsigned>(Acquisition::SyncContinuous);
}

struct FilterRegister {
    std::uint32_t offset;
    const char *before, *behind;  ///< of the filter's number
    bool in_mdf = true, in_adf = true;
};
constexpr FilterRegister kFilterRegisters[] = {
    {mdf::kSitfcr, "SITF", "CR"},
    {mdf::kBsmxcr, "BSMX", "CR"},
    {mdf::kDfltcr, "DFLT", "CR"},
    {mdf::kDfltcicr, "DFLT", "CICR"},
    {mdf::kDfltrsfr, "DFLT", "RSFR"},
    {mdf::kDfltintr, "DFLT", "INTR", true, false},
    {mdf::kOldcr, "OLD", "CR", true, false},
    {mdf::kOldcr + 4, "OLD", "THLR", true, false},
    {mdf::kOldcr + 8, "OLD", "THHR", true, false},
    {mdf::kDlycr, "DLY", "CR"},
    {mdf::kScdcr, "SCD", "CR", true, false},
    {mdf::kDfltier, "DFLT", "IER"},
    {mdf::kDfltisr, "DFLT", "ISR"},
    {mdf::kOeccr, "OEC", "CR", true, false},
    {mdf::kSadcr, "SAD", "CR", false},
    {mdf::kSadcfgr, "SAD", "CFGR", false},
    {mdf::kSadcfgr + 4, "SAD", "SDLVR", false},
    {mdf::kSadanlvr, "SAD", "ANLVR", false},
    {mdf::kSnpsdr, "SNPS", "DR", true, false},
    {mdf::kDfltdr, "DFLT", "DR"},
};

}  // namespace

Mdf::Mdf(const sc_core::sc_module_name& name, const char* block, Kind kind, SoundSource& microphone,
         const MdfParameters& parameters)
    : sc_module(name),
      RegisterBlock(block),
      parameters_(parameters),
      kind_(kind),
      microphone_(microphone),
      lines_(kind_ == Kind::Audio ? 1 : kMdfFilters) {
    names_.resize(lines_.size());
    for (unsigned i = 0; i < lines_.size(); ++i) {
        filters_.emplace_back(parameters_);
        filters_[i].at(mdf::kSitfcr) = kSitfReset;
        names_[i].resize(kMdfFilterBytes / 4);
        for (const FilterRegister& row : kFilterRegisters) {
            if (kind_ == Kind::Audio ? row.in_adf : row.in_mdf)
                names_[i][row.offset / 4] = row.before + std::to_string(i) + row.behind;
        }
    }
    SC_HAS_PROCESS(Mdf);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
}

bool Mdf::has(std::uint32_t offset) const {
    return *register_name(offset) != '\0';
}

const char* Mdf::register_name(std::uint32_t offset) const {
    if (offset == kMdfGcr) return "GCR";
    if (offset == kMdfCkgcr) return "CKGCR";
    const std::uint32_t index = (offset - kMdfFirstFilter) / kMdfFilterBytes;
    if (offset < kMdfFirstFilter || index >= filters_.size()) return "";
    return names_[index][offset % kMdfFilterBytes / 4].c_str();
}

bool Mdf::clocked(const MdfFilter& filter) const {
    const std::uint32_t stream = filter.get(mdf::kBsmxcr) >> 1 & 0xF;
    if ((ckgcr_ & kMdfClockEnable) == 0 || stream >= filters_.size()) return false;
    const std::uint32_t control = filters_[stream].get(mdf::kSitfcr);
    const unsigned source = control >> 1 & 3, mode = control >> 4 & 3;
    constexpr unsigned kClocks = 2, kSpiModes = 2;  // CCK0 and CCK1; low-frequency and normal
    return (control & 1) != 0 && source < kClocks && mode < kSpiModes &&
           (ckgcr_ >> (1 + source) & 1) != 0;
}

void Mdf::update_clocks(Picoseconds at) {
    const std::uint32_t processing = (ckgcr_ >> 24 & 0x7F) + 1;
    const std::uint32_t bit = processing * ((ckgcr_ >> 16 & 0xF) + 1);
    for (MdfFilter& filter : filters_)
        filter.set_clock(clocked(filter) ? kernel_hz_ : 0, bit, processing, at);
}

void Mdf::set_kernel_hz(double hz, Picoseconds at) {
    if (hz == kernel_hz_) return;
    settle(at);
    kernel_hz_ = hz;
    update_clocks(at);
    update(at);
}

void Mdf::settle(Picoseconds at) {
    for (MdfFilter& filter : filters_) {
        for (Picoseconds due = filter.due(); due <= at; due = filter.due()) {
            const unsigned falling = filter.get(mdf::kBsmxcr) & 1;
            filter.take(microphone_.heard(falling, due));
        }
    }
}

void Mdf::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    settle(now);
    update(now);
}

void Mdf::update(Picoseconds at) {
    Picoseconds next = kNever;
    for (unsigned i = 0; i < filters_.size(); ++i) {
        MdfFilter& filter = filters_[i];
        const std::uint32_t enables = filter.get(mdf::kDfltier);
        lines_[i].set_interrupt(i, (filter.flags() & enables) != 0, on_interrupt);
        lines_[i].set_request(i, filter.requests(), at, on_request);
        // Nobody hears of the samples of a filter that is polled.
        const bool listened = enables != 0 || (filter.get(mdf::kDfltcr) & mdf::kDmaEnable) != 0;
        if (listened) next = std::min(next, filter.due());
    }
    next_.cancel();
    if (next != kNever) next_.notify(delay_until(std::max(next, at)));
}

std::uint32_t Mdf::value(unsigned index, std::uint32_t offset) const {
    const MdfFilter& filter = filters_[index];
    const std::uint32_t held = filter.get(offset);
    const std::uint32_t control = filter.get(mdf::kDfltcr);
    switch (offset) {
        case mdf::kSitfcr:
        case mdf::kOldcr:
        case mdf::kScdcr:
        case mdf::kSadcr:
            return held | ((held & 1) != 0 ? kMdfActive : 0);
        case mdf::kBsmxcr:
            return held | ((control & mdf::kFilterEnable) != 0 ? kMdfActive : 0);
        case mdf::kDfltcr:
            return held | ((held & mdf::kFilterEnable) != 0 ? kMdfActive : 0) |
                   (filter.running() ? kMdfRun : 0);
        case mdf::kDfltisr:
            return filter.flags();
        default:
            return held;
    }
}

RegisterBlock::Answer Mdf::read(std::uint32_t offset, Picoseconds at) {
    if (!has(offset)) return {.modelled = false};
    settle(at);
    Answer answer{.name = register_name(offset)};
    if (offset == kMdfGcr) {
        answer.value = gcr_;
    } else if (offset == kMdfCkgcr) {
        answer.value = ckgcr_ | ((ckgcr_ & kMdfClockEnable) != 0 ? kMdfActive : 0);
    } else {
        const unsigned index = (offset - kMdfFirstFilter) / kMdfFilterBytes;
        const std::uint32_t inner = offset % kMdfFilterBytes;
        answer.value = inner == mdf::kDfltdr ? filters_[index].read() : value(index, inner);
    }
    // What happened before this access may have changed the lines.
    update(at);
    return answer;
}

bool Mdf::reads_freely(std::uint32_t offset) const {
    return offset < kMdfFirstFilter || offset % kMdfFilterBytes != mdf::kDfltdr;
}

void Mdf::trigger(Picoseconds at) {
    for (MdfFilter& filter : filters_) {
        const std::uint32_t control = filter.get(mdf::kDfltcr);
        const bool by_software = (control >> 12 & 0xF) == 0;  // TRGSRC: TRGO
        if ((control & mdf::kFilterEnable) != 0 && waits_for_trigger(control) && by_software &&
            !filter.running())
            filter.start(at);
    }
}

void Mdf::write_control(MdfFilter& filter, std::uint32_t next, Picoseconds at) {
    const std::uint32_t before =
        std::exchange(filter.at(mdf::kDfltcr), next & ~(kMdfActive | kMdfRun));
    const bool was_on = (before & mdf::kFilterEnable) != 0;
    const bool is_on = (next & mdf::kFilterEnable) != 0;
    if (was_on && !is_on) filter.stop();
    if (!was_on && is_on && !waits_for_trigger(next)) filter.start(at);
}

void Mdf::write_filter(unsigned index, std::uint32_t offset, std::uint32_t next,
                       std::uint32_t written, Picoseconds at) {
    MdfFilter& filter = filters_[index];
    switch (offset) {
        case mdf::kDfltisr:
            return filter.clear(written & kMdfCleared);
        case mdf::kDfltcr:
            return write_control(filter, next, at);
        case mdf::kDfltdr:
        case mdf::kSnpsdr:
        case mdf::kSadcfgr + 4:
        case mdf::kSadanlvr:
            return;  // read-only
        default: {
            const std::uint32_t ratio = filter.decimation();
            filter.at(offset) = next & ~kMdfActive;
            if (filter.decimation() != ratio) filter.count_from(at);
        }
    }
}

bool Mdf::modelled(unsigned index, std::uint32_t offset) const {
    const MdfFilter& filter = filters_[index];
    const std::uint32_t held = filter.get(offset);
    constexpr unsigned kFirstUnknownMode = 4;  // windows, snapshots
    switch (offset) {
        case mdf::kSitfcr:
            return (held & 1) == 0 || ((held >> 1 & 3) < 2 && (held >> 4 & 3) < 2);
        case mdf::kDfltcr: {
            const bool on = (held & mdf::kFilterEnable) != 0;
            const bool other = waits_for_trigger(held) && (held >> 12 & 0xF) != 0;
            const bool unheard = (held & mdf::kDmaEnable) != 0 && !on_request;
            return !unheard && !(on && (other || acquisition_of(held) >= kFirstUnknownMode));
        }
        case mdf::kDfltcicr:
            return (held & 2) == 0 && filter.cic_gain() <= kMostCicGain;
        case mdf::kDfltier:
            return (held & kMdfDetectors) == 0;
        case mdf::kDfltintr:
        case mdf::kDlycr:
        case mdf::kOeccr:
            return held == 0;
        case mdf::kOldcr:
        case mdf::kScdcr:
        case mdf::kSadcr:
            return (held & 1) == 0;
        default:
            return true;
    }
}

RegisterBlock::Answer Mdf::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                 Picoseconds at) {
    if (!has(offset)) return {.modelled = false};
    settle(at);
    Answer answer{.name = register_name(offset)};
    const std::uint32_t written = value & mask;
    if (offset == kMdfGcr) {
        gcr_ = ((gcr_ & ~mask) | written) & kMdfInterleaved;
        answer.modelled = gcr_ == 0;
        if ((written & kMdfTrgo) != 0) trigger(at);
    } else if (offset == kMdfCkgcr) {
        ckgcr_ = ((ckgcr_ & ~mask) | written) & ~kMdfActive;
        answer.modelled = (ckgcr_ & kMdfByTrigger) == 0;
    } else {
        const unsigned index = (offset - kMdfFirstFilter) / kMdfFilterBytes;
        const std::uint32_t inner = offset % kMdfFilterBytes;
        const std::uint32_t next = (filters_[index].get(inner) & ~mask) | written;
        write_filter(index, inner, next, written, at);
        answer.modelled = modelled(index, inner);
    }
    update_clocks(at);
    update(at);
    return answer;
}

void Mdf::reset() {
    gcr_ = ckgcr_ = 0;
    for (MdfFilter& filter : filters_) {
        filter.reset();
        filter.at(mdf::kSitfcr) = kSitfReset;
    }
    const Picoseconds now = sc_core::sc_time_stamp().value();
    update_clocks(now);
    update(now);
}

}  // namespace n6vp::models

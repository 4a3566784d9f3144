// SPDX-License-Identifier: Apache-2.0
#include "models/soc/rif/risaf.h"

#include <algorithm>

namespace n6vp::models {
namespace {

constexpr std::uint32_t kCr = 0x000, kIasr = 0x008, kIacr = 0x00C, kIaesr = 0x020, kIaddr = 0x024,
                        kFirstRegion = 0x040;
constexpr std::uint32_t kIllegalAccess = 2;  ///< IAEF of IASR

/// Words of a region; those of subregion B follow those of A at the same distances.
enum Word : std::uint32_t {
    kConfig,
    kStart,
    kEnd,
    kCids,
    kSubConfig,
    kSubStart,
    kSubEnd,
    kSubNest,
    kSubregionWords = 4,
    kWords = 12
};
constexpr const char* kRisafNames[] = {"CFGR",  "STARTR", "ENDR",  "CIDCFGR", "ACFGR", "ASTARTR",
                                       "AENDR", "ANESTR", "BCFGR", "BSTARTR", "BENDR", "BNESTR"};

[[nodiscard]] bool bit(std::uint32_t value, unsigned position) {
    return (value >> position & 1u) != 0;
}

}  // namespace

AccessFilter::Verdict RisafGuard::judge(const Transfer& transfer, const Access& access) {
    if (passes(transfer, access)) return Verdict::Pass;
    const std::uint32_t address = base_ + access.offset;
    reason_ = risaf_.explain(transfer, address, access.bytes, access.write);
    risaf_.record(transfer, access.address, access.write);
    return Verdict::Zero;
}

bool RisafGuard::passes(const Transfer& transfer, const Access& access) const {
    if (!concerns(transfer)) return true;
    return risaf_.allows(transfer, std::uint64_t{base_} + access.offset, access.bytes,
                         access.write);
}

Risaf::Risaf(const RisafRow& row, const RifParameters& parameters, Iac& iac)
    : RegisterBlock(row.name),
      row_(row),
      iac_(iac),
      closed_(row.npu_port && parameters.npu_ports_closed.value != 0),
      cid0_refused_(!row.any_compartment && parameters.cid0_refused.value != 0) {
    Risaf::reset();
}

void Risaf::reset() {
    control_ = flags_ = status_ = address_ = 0;
    for (Region& region : regions_) {
        region.fill(0);
        // Assumed: an unused region ends with the filter's last granule.
        region[kEnd] = row_.granularity - 1;
    }
    if (on_change) on_change();
}

AccessFilter& Risaf::filter(std::uint32_t start, std::uint32_t initiators) {
    return filters_.emplace_back(*this, start & row_.last, initiators);
}

/// Filters of the whole address space see both aliases of on-chip memory as one.
std::uint32_t Risaf::fold(std::uint32_t address) const {
    const bool secure_alias = row_.last == 0xFFFFFFFF && address >> 28 == 3;
    return secure_alias ? address & ~0x10000000u : address;
}

bool Risaf::region_allows(const Region& region, const Transfer& transfer, std::uint64_t address,
                          bool write) const {
    const unsigned cid = transfer.compartment & 7u;
    for (std::uint32_t sub = kSubConfig; sub < kWords; sub += kSubregionWords) {
        const std::uint32_t config = region[sub];
        const bool inside =
            bit(config, 0) && address >= fold(region[sub + 1]) && address <= fold(region[sub + 2]);
        if (!inside) continue;
        const bool owner = row_.any_compartment || (config >> 4 & 7u) == cid;
        return owner && bit(config, 8) == transfer.secure &&
               (transfer.privileged || !bit(config, 9)) && bit(config, write ? 13 : 12);
    }
    if (bit(region[kConfig], 8) != transfer.secure) return false;
    if (row_.any_compartment) return transfer.privileged || !bit(region[kConfig], 16);
    if (bit(region[kConfig], 16 + cid) && !transfer.privileged) return false;
    return bit(region[kCids], (write ? 16 : 0) + cid);
}

bool Risaf::allows_at(const Transfer& transfer, std::uint64_t address, bool write) const {
    if (cid0_refused_ && (transfer.compartment & 7u) == 0) return false;
    bool inside_any = false;
    for (unsigned i = 0; i < row_.regions; ++i) {
        const Region& region = regions_[i];
        if (!bit(region[kConfig], 0)) continue;
        if (address < fold(region[kStart]) || address > fold(region[kEnd])) continue;
        if (region_allows(region, transfer, address, write)) return true;
        inside_any = true;
    }
    if (inside_any || closed_) return false;
    const bool trusted_compartment = row_.any_compartment || transfer.compartment == 1;
    return trusted_compartment && transfer.secure && transfer.privileged;
}

/// Returns the lowest address above `address` at which another rule may hold.
std::uint64_t Risaf::next_border(std::uint64_t address) const {
    std::uint64_t border = ~std::uint64_t{0};
    const auto consider = [&](std::uint64_t at) {
        if (at > address) border = std::min(border, at);
    };
    for (unsigned i = 0; i < row_.regions; ++i) {
        const Region& region = regions_[i];
        if (!bit(region[kConfig], 0)) continue;
        for (std::uint32_t part = kConfig; part < kWords; part += kSubregionWords) {
            consider(fold(region[part + 1]));
            consider(std::uint64_t{fold(region[part + 2])} + 1);
        }
    }
    return border;
}

bool Risaf::allows(const Transfer& transfer, std::uint64_t first, std::uint32_t bytes,
                   bool write) const {
    const std::uint64_t end = first + std::max<std::uint32_t>(bytes, 1);
    for (std::uint64_t at = first; at < end; at = next_border(at)) {
        if (!allows_at(transfer, at, write)) return false;
    }
    return true;
}

void Risaf::record(const Transfer& transfer, std::uint32_t address, bool write) {
    if (!bit(flags_, 1)) {
        flags_ |= kIllegalAccess;
        status_ = (transfer.compartment & 7u) | (transfer.privileged ? 1u << 4 : 0) |
                  (transfer.secure ? 1u << 5 : 0) | (write ? 1u << 7 : 0);
        address_ = address;
    }
    iac_.flag(row_.iac_source);
}

const char* Risaf::explain(const Transfer& transfer, std::uint64_t first, std::uint32_t bytes,
                           bool write) {
    Transfer trusted;
    trusted.compartment = 1;
    const std::string filter = std::string(row_.name) + " (" + row_.protects + ")";
    if (!allows(trusted, first, bytes, write)) {
        return explanations_
            .insert("no region of " + filter + (write ? " lets writes" : " lets reads") +
                    " through here: REGx_CFGR, REGx_CIDCFGR")
            .first->c_str();
    }
    return explanations_
        .insert("the master is CID " + std::to_string(transfer.compartment & 7u) +
                (transfer.secure ? ", secure" : ", non-secure") +
                (transfer.privileged ? ", privileged" : ", unprivileged") +
                " (NPU: RIFSC_RIMC_ATTR1); " + filter + " admits CID 1, secure, privileged")
        .first->c_str();
}

RegisterBlock::Answer Risaf::read(std::uint32_t offset, Picoseconds) {
    switch (offset) {
        case kCr:
            return {.value = control_, .name = "CR"};
        case kIasr:
            return {.value = flags_, .name = "IASR"};
        case kIacr:
            return {.name = "IACR"};
        case kIaesr:
            return {.value = status_, .name = "IAESR"};
        case kIaddr:
            return {.value = address_, .name = "IADDR"};
        default:
            break;
    }
    const std::uint32_t word = (offset - kFirstRegion) / 4;
    if (offset < kFirstRegion || word / 16 >= row_.regions || word % 16 >= kWords) {
        return {.modelled = false};
    }
    return {.value = regions_[word / 16][word % 16], .name = kRisafNames[word % 16]};
}

RegisterBlock::Answer Risaf::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                   Picoseconds) {
    switch (offset) {
        case kCr:
            control_ |= value & mask & 1u;
            return {.name = "CR"};
        case kIasr:
            return {.name = "IASR"};
        case kIacr: {
            flags_ &= ~(value & mask);
            if (!bit(flags_, 1)) status_ = address_ = 0;
            return {.name = "IACR"};
        }
        case kIaesr:
            return {.name = "IAESR"};
        case kIaddr:
            return {.name = "IADDR"};
        default:
            break;
    }
    const std::uint32_t word = (offset - kFirstRegion) / 4;
    if (offset < kFirstRegion || word / 16 >= row_.regions || word % 16 >= kWords) {
        return {.modelled = false};
    }
    if (control_ == 0) write_region(word, value, mask);
    return {.name = kRisafNames[word % 16]};
}

void Risaf::write_region(std::uint32_t word, std::uint32_t value, std::uint32_t mask) {
    std::uint32_t& held = regions_[word / 16][word % 16];
    std::uint32_t next = (held & ~mask) | (value & mask);
    const std::uint32_t granule = row_.granularity - 1;
    switch (word % 16 % kSubregionWords) {
        case kStart:
            next = next & row_.last & ~granule;
            break;
        case kEnd:
            next = (next & row_.last) | granule;
            break;
        default:
            break;
    }
    if (next == held) return;
    held = next;
    if (on_change) on_change();
}

}  // namespace n6vp::models

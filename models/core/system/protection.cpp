// SPDX-License-Identifier: Apache-2.0
#include "models/core/system/protection.h"

#include "models/core/system/region_v7.h"

namespace n6vp::models::core {

namespace {

constexpr std::uint32_t kRegionBytes = 32, kOffset = kRegionBytes - 1, kPage = 4096;
// MPU_CTRL.
constexpr std::uint32_t kEnable = 1, kUseInFaults = 2, kPrivilegedDefault = 4;
// SAU_CTRL and SAU_RLAR.
constexpr std::uint32_t kAllNonSecure = 2, kCallable = 2;
constexpr std::uint32_t kSystemStart = 0xE0000000, kPpbEnd = 0xE00FFFFF, kAlwaysSecure = 0xF0000000;

bool is_ppb(std::uint32_t address) {
    return address >= kSystemStart && address <= kPpbEnd;
}

/// Parts of the private bus that take the security state of the access.
bool is_exempt(std::uint32_t address) {
    const auto within = [address](std::uint32_t start, std::uint32_t end) {
        return address >= start && address <= end;
    };
    return within(0xE0000000, 0xE0003FFF) || within(0xE0005000, 0xE0005FFF) ||
           within(0xE000E000, 0xE000EFFF) || within(0xE001E000, 0xE001EFFF) ||
           within(0xE002E000, 0xE002EFFF) || within(0xE0040000, 0xE0041FFF) ||
           within(0xE00FF000, 0xE00FFFFF);
}

/// Attributes of the default memory map.
struct DefaultAttributes {
    bool device, write_back, executable;
};
DefaultAttributes default_attributes(std::uint32_t address) {
    switch (address >> 29) {
        case 0:
            return {false, false, true};
        case 1:
        case 3:
            return {false, true, true};
        case 4:
            return {false, false, true};
        default:
            return {true, false, false};
    }
}

void deny(Permission& permission, Exception exception, std::uint32_t status, std::uint32_t address,
          bool address_valid) {
    permission.allowed = false;
    permission.fault = {exception, status, address, address_valid};
}

void deny_by_mpu(Permission& permission, Intent intent, std::uint32_t address) {
    if (intent == Intent::Execute) {
        deny(permission, Exception::MemManage, cfsr::kIaccViol, 0, false);
    } else {
        deny(permission, Exception::MemManage, cfsr::kDaccViol, address, true);
    }
}

}  // namespace

void Protection::reset() {
    mpus_ = {};
    caches_shareable_data_ = false;
    sau_control_ = sau_number_ = 0;
    sau_regions_ = {};
}

template <std::size_t Count>
Protection::Match Protection::find(const std::array<Region, Count>& regions,
                                   std::uint32_t address) {
    Match match;
    const std::uint32_t page_start = address & ~(kPage - 1), page_end = address | (kPage - 1);
    for (unsigned i = 0; i < Count; ++i) {
        if ((regions[i].limit & 1) == 0) continue;
        const std::uint32_t start = regions[i].base & ~kOffset, end = regions[i].limit | kOffset;
        if (start > page_end || end < page_start || start > end) continue;
        if (start > page_start || end < page_end) match.uniform_page = false;
        if (address < start || address > end) continue;
        match.region = i;
        ++match.hits;
    }
    return match;
}

void Protection::consult_sau(std::uint32_t address, SecurityOf& result) const {
    if ((sau_control_ & kEnable) == 0) {
        result.secure = (sau_control_ & kAllNonSecure) == 0;
        return;
    }
    const Match match = find(sau_regions_, address);
    result.uniform_page = match.uniform_page;
    // Overlapping regions leave the address Secure.
    if (match.hits != 1) return;
    result.callable = (sau_regions_[match.region].limit & kCallable) != 0;
    result.secure = result.callable;
    result.sau_valid = true;
    result.sau_region = static_cast<std::uint8_t>(match.region);
}

Protection::SecurityOf Protection::security_of(std::uint32_t address, bool execute,
                                               bool secure) const {
    SecurityOf result;
    if (execute ? address >= kSystemStart && address < kAlwaysSecure : is_exempt(address)) {
        result.secure = secure;
        return result;
    }
    if (execute && address >= kAlwaysSecure) return result;
    Attribution chip;
    if (config_.attribution) {
        chip = config_.attribution(address);
        result.chip_valid = chip.region_valid;
        result.chip_region = chip.region;
        if (chip.exempt) {
            result.secure = secure;
            return result;
        }
    }
    consult_sau(address, result);
    if (!config_.attribution || !chip.secure) return result;
    // The stricter of both: Secure, then callable, then Non-secure.
    if (!result.secure) {
        result.secure = true;
        result.callable = chip.callable;
    } else {
        result.callable = result.callable && chip.callable;
    }
    return result;
}

void Protection::apply_security(std::uint32_t address, Intent intent, bool secure,
                                Permission& permission) const {
    // Without attribution all is Secure: the usual case of cores that have no other state.
    if (secure && !config_.attribution && (sau_control_ & (kEnable | kAllNonSecure)) == 0) {
        permission.secure = true;
        return;
    }
    const SecurityOf attribute = security_of(address, intent == Intent::Execute, secure);
    permission.secure = attribute.secure;
    permission.uniform_page = attribute.uniform_page;
    if (secure) {
        if (intent == Intent::Execute && !attribute.secure)
            deny(permission, Exception::SecureFault, sfsr::kInvTran, 0, false);
        return;
    }
    permission.secure = false;
    if (!attribute.secure) return;
    if (intent != Intent::Execute) {
        deny(permission, Exception::SecureFault, sfsr::kAuViol, address, true);
    } else if (attribute.callable) {
        permission.secure = true;
        permission.gateway_only = true;
    } else {
        deny(permission, Exception::SecureFault, sfsr::kInvEp, 0, false);
    }
}

void Protection::apply_attributes(const Mpu& mpu, const Region& region,
                                  Permission& permission) const {
    const unsigned index = region.limit >> 1 & 7;
    const unsigned attribute = mpu.attributes[index / 4] >> (index % 4 * 8) & 0xFF;
    permission.device = attribute >> 4 == 0;
    const unsigned inner = attribute & 15;
    permission.cacheable = !permission.device && inner != 4;
    // Allocation bits set with bit 2: write-back, transient below 8.
    permission.write_back = permission.cacheable && (inner & 4) != 0;
}

void Protection::apply_mpu(std::uint32_t address, Intent intent, bool privileged, bool secure,
                           bool bypass_mpu, Permission& permission) const {
    const DefaultAttributes map = default_attributes(address);
    permission.device = map.device;
    permission.cacheable = !map.device;
    permission.write_back = map.write_back;
    if (is_ppb(address)) {
        if (intent == Intent::Execute) {
            deny_by_mpu(permission, intent, address);
        } else if (!privileged) {
            deny(permission, Exception::BusFault, cfsr::kPrecisErr, address, true);
        }
        return;
    }
    const Mpu& mpu = mpus_[secure ? kSecure : kNonSecure];
    const bool execute = intent == Intent::Execute;
    if ((mpu.control & kEnable) == 0 || bypass_mpu) {
        if (execute && !map.executable) deny_by_mpu(permission, intent, address);
        return;
    }
    if (!config_.core.v8()) return apply_mpu_v7(mpu, address, intent, privileged, permission);
    const Match match = find(mpu.regions, address);
    permission.uniform_page = permission.uniform_page && match.uniform_page;
    if (match.hits == 0 && privileged && (mpu.control & kPrivilegedDefault) != 0) {
        if (execute && !map.executable) deny_by_mpu(permission, intent, address);
        return;
    }
    if (match.hits != 1) return deny_by_mpu(permission, intent, address);
    const Region& region = mpu.regions[match.region];
    apply_attributes(mpu, region, permission);
    const bool for_everyone = (region.base & 2) != 0, read_only = (region.base & 4) != 0;
    const bool never_execute = (region.base & 1) != 0 || address >= kSystemStart;
    const bool only_unprivileged_executes = (region.limit & 0x10) != 0;
    const bool denied = (!privileged && !for_everyone) || (intent == Intent::Write && read_only) ||
                        (execute && (never_execute || (privileged && only_unprivileged_executes)));
    if (denied) deny_by_mpu(permission, intent, address);
}

void Protection::apply_mpu_v7(const Mpu& mpu, std::uint32_t address, Intent intent, bool privileged,
                              Permission& permission) const {
    const bool execute = intent == Intent::Execute;
    unsigned hit = kMpuRegions;
    // The highest number wins where regions overlap.
    for (unsigned i = 0; i < config_.core.mpu_regions; ++i) {
        const RegionV7 region(mpu.regions[i].base, mpu.regions[i].limit);
        if (!region.uniform_in(address & ~(kPage - 1), address | (kPage - 1)))
            permission.uniform_page = false;
        if (region.holds(address)) hit = i;
    }
    if (hit == kMpuRegions) {
        const bool background = privileged && (mpu.control & kPrivilegedDefault) != 0;
        if (!background || (execute && !default_attributes(address).executable))
            deny_by_mpu(permission, intent, address);
        return;
    }
    const RegionV7 region(mpu.regions[hit].base, mpu.regions[hit].limit);
    const RegionV7::Memory memory = region.memory();
    permission.device = memory.device;
    const bool shared_data = memory.shareable && !execute;
    permission.cacheable = memory.cacheable && (!shared_data || caches_shareable_data_);
    permission.write_back = memory.write_back && !shared_data;
    const bool never_execute = region.never_executes() || address >= kSystemStart;
    const bool denied =
        intent == Intent::Write ? !region.writable(privileged) : !region.readable(privileged);
    if (denied || (execute && never_execute)) deny_by_mpu(permission, intent, address);
}

std::uint32_t Protection::read_region_v7(const Mpu& mpu, std::uint32_t offset) const {
    const Region& region = mpu.regions[mpu.number];
    return (offset - 0x9C) % 8 == 0 ? region.base | mpu.number : region.limit;
}

/// The three alias pairs are the same two registers.
void Protection::write_region_v7(Mpu& mpu, std::uint32_t offset, std::uint32_t value) const {
    constexpr std::uint32_t kValid = 1u << 4, kNumber = 15;
    if ((offset - 0x9C) % 8 != 0) {
        mpu.regions[mpu.number].limit = value & RegionV7::kBits;
        return;
    }
    if ((value & kValid) != 0) {
        if ((value & kNumber) >= config_.core.mpu_regions) return;
        mpu.number = value & kNumber;
    }
    mpu.regions[mpu.number].base = value & ~kOffset;
}

Permission Protection::check(std::uint32_t address, Intent intent, bool privileged, bool secure,
                             bool bypass_mpu) const {
    Permission permission;
    apply_security(address, intent, secure, permission);
    if (!permission.allowed) return permission;
    apply_mpu(address, intent, privileged, secure || permission.gateway_only, bypass_mpu,
              permission);
    return permission;
}

Permission Protection::check_vector(std::uint32_t address, bool secure) const {
    Permission permission;
    apply_security(address, Intent::Read, secure, permission);
    if (permission.allowed) apply_mpu(address, Intent::Read, true, secure, true, permission);
    return permission;
}

bool Protection::bypassable(bool secure) const {
    return (mpus_[secure ? kSecure : kNonSecure].control & (kEnable | kUseInFaults)) == kEnable;
}

std::uint32_t Protection::test_target(std::uint32_t address, bool privileged, bool secure,
                                      bool bypass_mpu, bool with_mpu, bool with_security) const {
    std::uint32_t response = 0;
    bool readable = false, writable = false;
    if (with_mpu) {
        Permission read, write;
        apply_mpu(address, Intent::Read, privileged, secure, bypass_mpu, read);
        apply_mpu(address, Intent::Write, privileged, secure, bypass_mpu, write);
        // What the private bus refuses is not the MPU's business.
        readable = read.allowed || is_ppb(address);
        writable = write.allowed || is_ppb(address);
        const Mpu& mpu = mpus_[secure ? kSecure : kNonSecure];
        const Match match = find(mpu.regions, address);
        if ((mpu.control & kEnable) != 0 && !bypass_mpu && match.hits == 1 && !is_ppb(address))
            response |= match.region | 1u << 16;
    }
    response |= (readable ? 1u << 18 : 0) | (writable ? 1u << 19 : 0);
    if (!with_security) return response;
    const SecurityOf attribute = security_of(address, false, secure);
    if (attribute.sau_valid) response |= std::uint32_t{attribute.sau_region} << 8 | 1u << 17;
    if (attribute.chip_valid) response |= std::uint32_t{attribute.chip_region} << 24 | 1u << 23;
    if (attribute.secure) {
        response |= 1u << 22;
    } else {
        response |= (readable ? 1u << 20 : 0) | (writable ? 1u << 21 : 0);
    }
    return response;
}

std::uint32_t Protection::read_mpu(std::uint32_t offset, bool secure) const {
    const Mpu& mpu = mpus_[secure ? kSecure : kNonSecure];
    switch (offset) {
        case 0x90:
            return config_.core.mpu_regions << 8;
        case 0x94:
            return mpu.control;
        case 0x98:
            return mpu.number;
        case 0xC0:
        case 0xC4:
            return config_.core.v8() ? mpu.attributes[(offset - 0xC0) / 4] : 0;
        default:
            break;
    }
    // RBAR, RLAR, then three alias pairs that replace the low bits of the region number.
    if (offset < 0x9C || offset > 0xB8) return 0;
    if (!config_.core.v8()) return read_region_v7(mpu, offset);
    const unsigned alias = (offset - 0x9C) / 8;
    const unsigned number = alias == 0 ? mpu.number : (mpu.number & ~3u) | alias;
    const Region& region = mpu.regions[number % config_.core.mpu_regions];
    return (offset - 0x9C) % 8 == 0 ? region.base : region.limit;
}

bool Protection::write_mpu(std::uint32_t offset, bool secure, std::uint32_t value) {
    Mpu& mpu = mpus_[secure ? kSecure : kNonSecure];
    switch (offset) {
        case 0x94:
            // HFNMIENA and PRIVDEFENA without ENABLE would be unpredictable: the bits stay.
            mpu.control = value & (kEnable | kUseInFaults | kPrivilegedDefault);
            return true;
        case 0x98:
            if (value < config_.core.mpu_regions) mpu.number = value;
            return false;
        case 0xC0:
        case 0xC4:
            mpu.attributes[(offset - 0xC0) / 4] = value;
            return true;
        default:
            break;
    }
    if (offset < 0x9C || offset > 0xB8) return false;
    if (!config_.core.v8()) {
        write_region_v7(mpu, offset, value);
        return true;
    }
    const unsigned alias = (offset - 0x9C) / 8;
    const unsigned number = alias == 0 ? mpu.number : (mpu.number & ~3u) | alias;
    Region& region = mpu.regions[number % config_.core.mpu_regions];
    ((offset - 0x9C) % 8 == 0 ? region.base : region.limit) = value;
    return true;
}

std::uint32_t Protection::read_sau(std::uint32_t offset) const {
    switch (offset) {
        case 0xD0:
            return sau_control_;
        case 0xD4:
            return kSauRegions;
        case 0xD8:
            return sau_number_;
        case 0xDC:
            return sau_regions_[sau_number_].base;
        case 0xE0:
            return sau_regions_[sau_number_].limit;
        default:
            return 0;
    }
}

bool Protection::write_sau(std::uint32_t offset, std::uint32_t value) {
    switch (offset) {
        case 0xD0:
            sau_control_ = value & (kEnable | kAllNonSecure);
            return true;
        case 0xD8:
            if (value < kSauRegions) sau_number_ = value;
            return false;
        case 0xDC:
            sau_regions_[sau_number_].base = value & ~kOffset;
            return true;
        case 0xE0:
            sau_regions_[sau_number_].limit = value & (~kOffset | kCallable | kEnable);
            return true;
        default:
            return false;
    }
}

}  // namespace n6vp::models::core

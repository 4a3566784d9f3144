// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "memmap/clocks.h"
#include "memmap/guest_addr.h"

/// Memories and memory windows of the STM32N6 as constant data. Sources: CMSIS device header,
/// memory-pool files of the vendor's compiler, board support package of the STM32N6570-DK, vendor
/// article; `assumed` where none of them says.
namespace n6vp::memmap {

inline constexpr std::uint32_t kKib = 1024;
inline constexpr std::uint32_t kMib = 1024 * kKib;

/// On-chip memories and peripherals appear twice: secure address = non-secure address + this.
inline constexpr std::uint32_t kSecureOffset = 0x10000000u;

/// Windows at or above this address lead to external memories and have one address only.
inline constexpr GuestAddr kExternalBase{0x60000000u};

enum class RegionKind : std::uint8_t {
    Rom,
    Tcm,
    Ram,
    NpuCacheRam,  ///< RAM only while the NPU cache is disabled
    Nor,
    Psram,
    Window,  ///< a controller's window with nothing behind it on the discovery kit
    Stub,    ///< known, not modelled
};

/// How the core reaches a region: private TCM port, M-AXI through the NOC, NOC and bridge to the
/// NPU side, AXI-to-AHB bridge.
enum class McuPath : std::uint8_t { None, Tcm, Axi, AxiBridge, Ahb };

struct Region {
    const char* name;
    GuestAddr non_secure;
    GuestAddr secure;             ///< equal to non_secure for external windows
    std::uint32_t bytes;          ///< size of the region or window after reset
    std::uint32_t largest_bytes;  ///< size with RAMCFG extension (TCMs), else `bytes`
    std::uint32_t fitted_bytes;   ///< what the discovery kit has behind a window, else `bytes`
    std::uint32_t width_bits;     ///< data lines of the port; 0 where nothing is fitted or modelled
    bool double_rate;             ///< two transfers per clock
    ClockDomain clock;
    McuPath mcu;
    bool npu;            ///< both NPU master ports reach it
    bool npu_cacheable;  ///< NPU accesses marked cacheable go through CACHEAXI; on-chip RAM does
                         ///< not allow it
    std::uint8_t risaf;  ///< number of the RISAF filter in front, 0 for none
    RegionKind kind;
    Confidence confidence;  ///< of the least certain field, which `source` names
    const char* source;
    const char* note;

    [[nodiscard]] constexpr bool has_two_aliases() const { return non_secure != secure; }
    [[nodiscard]] constexpr AddressRange non_secure_range() const { return {non_secure, bytes}; }
    [[nodiscard]] constexpr AddressRange secure_range() const { return {secure, bytes}; }
};

namespace detail {

/// Returns a row of on-chip memory.
[[nodiscard]] constexpr Region on_chip(const char* name, std::uint32_t non_secure,
                                       std::uint32_t bytes, std::uint32_t width_bits,
                                       ClockDomain clock, McuPath mcu, bool npu, std::uint8_t risaf,
                                       RegionKind kind, Confidence confidence, const char* source,
                                       const char* note) {
    return {name,
            GuestAddr{non_secure},
            GuestAddr{non_secure + kSecureOffset},
            bytes,
            bytes,
            bytes,
            width_bits,
            false,
            clock,
            mcu,
            npu,
            false,
            risaf,
            kind,
            confidence,
            source,
            note};
}

/// Returns a row of tightly coupled memory, which RAMCFG can extend from FLEXMEM.
[[nodiscard]] constexpr Region tcm(const char* name, std::uint32_t non_secure, std::uint32_t bytes,
                                   std::uint32_t largest_bytes, std::uint32_t width_bits,
                                   std::uint8_t risaf, const char* source, const char* note) {
    Region region = on_chip(name, non_secure, bytes, width_bits, ClockDomain::Cpu, McuPath::Tcm,
                            false, risaf, RegionKind::Tcm, Confidence::Assumed, source, note);
    region.largest_bytes = largest_bytes;
    return region;
}

/// Returns a row for a 256 MB window to an external memory.
[[nodiscard]] constexpr Region window(const char* name, std::uint32_t base,
                                      std::uint32_t fitted_bytes, std::uint32_t width_bits,
                                      bool double_rate, ClockDomain clock, std::uint8_t risaf,
                                      RegionKind kind, const char* source, const char* note) {
    Region region = on_chip(name, base, 256 * kMib, width_bits, clock, McuPath::Axi, true, risaf,
                            kind, Confidence::Documented, source, note);
    region.secure = region.non_secure;
    region.fitted_bytes = fitted_bytes;
    region.double_rate = double_rate;
    region.npu_cacheable = true;
    return region;
}

inline constexpr Confidence kDoc = Confidence::Documented;
inline constexpr Confidence kGuess = Confidence::Assumed;

}  // namespace detail

/// Every memory and window, by ascending non-secure address.
inline constexpr Region kRegions[] = {
    detail::tcm("ITCM", 0x00000000, 64 * kKib, 256 * kKib, 32, 1, "device header; width assumed",
                "RAMCFG ITCMCFG extends it from FLEXMEM; the filter sees other bus masters only"),
    detail::on_chip("BOOTROM", 0x08000000, 128 * kKib, 64, ClockDomain::Noc, McuPath::Axi, false, 0,
                    RegionKind::Rom, detail::kDoc, "device header",
                    "not needed when a run starts at the application's vectors"),
    detail::tcm("DTCM", 0x20000000, 128 * kKib, 256 * kKib, 128, 0,
                "device header; width of 4 x 32 assumed", "RAMCFG DTCMCFG extends it from FLEXMEM"),
    detail::on_chip("FLEXMEM", 0x24000000, 400 * kKib, 64, ClockDomain::Noc, McuPath::Axi, true, 7,
                    RegionKind::Ram, detail::kDoc, "device header, vendor pool files",
                    "what ITCM and DTCM do not take; pool name flexMEM"),
    detail::on_chip("AXISRAM1", 0x24064000, 624 * kKib, 64, ClockDomain::Noc, McuPath::Axi, true, 2,
                    RegionKind::Ram, detail::kDoc, "device header, vendor pool files",
                    "forms a 1 MB window with FLEXMEM; pool name cpuRAM1"),
    detail::on_chip("AXISRAM2", 0x24100000, kMib, 64, ClockDomain::Noc, McuPath::Axi, true, 3,
                    RegionKind::Ram, detail::kDoc, "device header, vendor pool files",
                    "the boot ROM loads the first-stage loader at 0x34180400; pool name cpuRAM2"),
    detail::on_chip("AXISRAM3", 0x24200000, 448 * kKib, 64, ClockDomain::Nic, McuPath::AxiBridge,
                    true, 6, RegionKind::Ram, detail::kDoc, "device header, vendor pool files",
                    "off after reset; pool name npuRAM3"),
    detail::on_chip("AXISRAM4", 0x24270000, 448 * kKib, 64, ClockDomain::Nic, McuPath::AxiBridge,
                    true, 6, RegionKind::Ram, detail::kDoc, "device header",
                    "off after reset; pool name npuRAM4"),
    detail::on_chip("AXISRAM5", 0x242E0000, 448 * kKib, 64, ClockDomain::Nic, McuPath::AxiBridge,
                    true, 6, RegionKind::Ram, detail::kDoc, "device header",
                    "off after reset; pool name npuRAM5"),
    detail::on_chip("AXISRAM6", 0x24350000, 448 * kKib, 64, ClockDomain::Nic, McuPath::AxiBridge,
                    true, 6, RegionKind::Ram, detail::kDoc, "device header",
                    "off after reset; pool name npuRAM6"),
    detail::on_chip("CACHEAXIRAM", 0x243C0000, 256 * kKib, 64, ClockDomain::Nic, McuPath::AxiBridge,
                    true, 8, RegionKind::NpuCacheRam, detail::kDoc, "device header, vendor article",
                    "storage of the NPU cache; plain RAM only while that cache is disabled"),
    detail::on_chip("VENCRAM", 0x24400000, 128 * kKib, 64, ClockDomain::Noc, McuPath::Axi, true, 9,
                    RegionKind::Ram, detail::kGuess, "device header; NPU access assumed",
                    "usable as RAM while the video encoder is idle"),
    detail::on_chip("GFXMMU", 0x25000000, 16 * kMib, 0, ClockDomain::None, McuPath::None, false, 0,
                    RegionKind::Stub, detail::kDoc, "device header",
                    "four 4 MB virtual buffers, not modelled: an access is a fault"),
    detail::on_chip("STM500", 0x27F00000, kMib, 0, ClockDomain::None, McuPath::None, false, 0,
                    RegionKind::Stub, detail::kDoc, "device header",
                    "trace channels, not modelled: writes are ignored"),
    detail::on_chip("AHBSRAM1", 0x28000000, 16 * kKib, 32, ClockDomain::Ahb, McuPath::Ahb, false,
                    21, RegionKind::Ram, detail::kGuess,
                    "device header; filter: HAL; NPU access assumed", ""),
    detail::on_chip("AHBSRAM2", 0x28004000, 16 * kKib, 32, ClockDomain::Ahb, McuPath::Ahb, false,
                    22, RegionKind::Ram, detail::kGuess,
                    "device header; filter: HAL; NPU access assumed", ""),
    detail::on_chip("BKPSRAM", 0x2C000000, 8 * kKib, 32, ClockDomain::Ahb, McuPath::Ahb, false, 23,
                    RegionKind::Ram, detail::kGuess,
                    "device header; filter: HAL; NPU access assumed", ""),
    detail::window("FMC", 0x60000000, 0, 32, false, ClockDomain::Fmc, 14, RegionKind::Window,
                   "device header", "NOR and PSRAM banks; not fitted on the discovery kit"),
    detail::window("XSPI2", 0x70000000, 128 * kMib, 8, true, ClockDomain::Xspi2, 12,
                   RegionKind::Nor, "device header, board support package",
                   "discovery kit: MX66UW1G45G; read-only while memory mapped"),
    detail::window("XSPI3", 0x80000000, 0, 0, false, ClockDomain::Xspi3, 13, RegionKind::Window,
                   "device header", "empty on the discovery kit"),
    detail::window("XSPI1", 0x90000000, 32 * kMib, 16, true, ClockDomain::Xspi1, 11,
                   RegionKind::Psram, "device header, board support package",
                   "discovery kit: APS256XX; the last 32 bytes are unsafe on the real part"),
    detail::window("SDRAM1", 0xC0000000, 0, 32, false, ClockDomain::Fmc, 14, RegionKind::Window,
                   "device header", "FMC SDRAM bank 1; not fitted on the discovery kit"),
    detail::window("SDRAM2", 0xD0000000, 0, 32, false, ClockDomain::Fmc, 14, RegionKind::Window,
                   "device header", "FMC SDRAM bank 2; not fitted on the discovery kit"),
};
inline constexpr std::uint32_t kRegionCount = sizeof kRegions / sizeof kRegions[0];

enum class Alias : std::uint8_t { Only, NonSecure, Secure };

/// A region, the alias that was met, and the distance from its base.
struct Location {
    const Region* region = nullptr;
    Alias alias = Alias::Only;
    std::uint32_t offset = 0;
    [[nodiscard]] constexpr explicit operator bool() const { return region != nullptr; }
};

/// Returns where `address` lies; empty if in no region. TCMs count with their size after reset.
[[nodiscard]] constexpr Location find_region(GuestAddr address) {
    for (const Region& region : kRegions) {
        if (region.non_secure_range().contains(address)) {
            return {&region, region.has_two_aliases() ? Alias::NonSecure : Alias::Only,
                    to_word(address) - to_word(region.non_secure)};
        }
        if (region.secure_range().contains(address)) {
            return {&region, Alias::Secure, to_word(address) - to_word(region.secure)};
        }
    }
    return {};
}

/// The region next to an address: `distance` bytes away, 0 if inside.
struct Neighbour {
    const Region* region = nullptr;
    Alias alias = Alias::Only;
    std::uint32_t distance = 0;
    bool above = false;  ///< the region starts above the address
};

namespace detail {

/// Returns the bytes between `address` and the nearest byte of `range`, and whether the range
/// starts above.
[[nodiscard]] constexpr Neighbour measure(const Region& region, Alias alias, AddressRange range,
                                          GuestAddr address) {
    if (range.contains(address)) return {&region, alias, 0, false};
    const std::uint32_t at = to_word(address);
    if (at < to_word(range.start)) return {&region, alias, to_word(range.start) - at, true};
    return {&region, alias, static_cast<std::uint32_t>(at - (range.end() - 1)), false};
}

}  // namespace detail

/// Returns the region nearest to `address`; the lower one of two equally near.
[[nodiscard]] constexpr Neighbour nearest_region(GuestAddr address) {
    Neighbour best{nullptr, Alias::Only, 0xFFFFFFFFu, false};
    for (const Region& region : kRegions) {
        const bool twice = region.has_two_aliases();
        const Neighbour low = detail::measure(region, twice ? Alias::NonSecure : Alias::Only,
                                              region.non_secure_range(), address);
        if (best.region == nullptr || low.distance < best.distance) best = low;
        if (!twice) continue;
        const Neighbour high =
            detail::measure(region, Alias::Secure, region.secure_range(), address);
        if (high.distance < best.distance) best = high;
    }
    return best;
}

/// Returns the region of that name, or nullptr.
[[nodiscard]] constexpr const Region* region_named(const char* name) {
    for (const Region& region : kRegions) {
        const char* left = region.name;
        const char* right = name;
        while (*left != '\0' && *left == *right) {
            ++left;
            ++right;
        }
        if (*left == *right) return &region;
    }
    return nullptr;
}

/// Returns true for a region that holds NPU buffers: readable and writable memory that is really
/// there.
[[nodiscard]] constexpr bool is_npu_ram(const Region& region) {
    const bool ram = region.kind == RegionKind::Ram || region.kind == RegionKind::NpuCacheRam ||
                     region.kind == RegionKind::Psram;
    return ram && region.npu && region.fitted_bytes != 0;
}

/// A fixed-capacity list of address ranges, ascending.
struct RangeList {
    AddressRange ranges[2 * kRegionCount] = {};
    std::uint32_t count = 0;
    [[nodiscard]] constexpr const AddressRange* begin() const { return ranges; }
    [[nodiscard]] constexpr const AddressRange* end() const { return ranges + count; }
};

namespace detail {
/// Appends `range`, merging it with the last one when they touch: a buffer may straddle adjacent
/// banks.
constexpr void append_merged(RangeList& list, AddressRange range) {
    if (list.count != 0) {
        AddressRange& last = list.ranges[list.count - 1];
        if (last.end() == to_word(range.start)) {
            last.bytes += range.bytes;
            return;
        }
    }
    list.ranges[list.count++] = range;
}
}  // namespace detail

/// Returns the address ranges of all RAM that the NPU reaches, adjacent banks merged, non-secure
/// aliases first.
[[nodiscard]] constexpr RangeList npu_ram_regions() {
    RangeList list;
    for (const Region& region : kRegions) {
        if (is_npu_ram(region) && region.has_two_aliases()) {
            detail::append_merged(list, {region.non_secure, region.fitted_bytes});
        }
    }
    for (const Region& region : kRegions) {
        if (is_npu_ram(region)) detail::append_merged(list, {region.secure, region.fitted_bytes});
    }
    return list;
}

/// Default memory type of an address when no MPU region says otherwise.
enum class MemoryType : std::uint8_t { NormalWriteThrough, NormalWriteBack, Device, Ppb };

/// Returns the Armv8-M default type. Above the private peripheral bus: Device (assumed, nothing on
/// this chip is there).
[[nodiscard]] constexpr MemoryType default_memory_type(GuestAddr address) {
    const std::uint32_t at = to_word(address);
    if (at < 0x20000000u) return MemoryType::NormalWriteThrough;
    if (at < 0x40000000u) return MemoryType::NormalWriteBack;
    if (at < 0x60000000u) return MemoryType::Device;
    if (at < 0x80000000u) return MemoryType::NormalWriteBack;
    if (at < 0xA0000000u) return MemoryType::NormalWriteThrough;
    if (at >= 0xE0000000u && at < 0xE0100000u) return MemoryType::Ppb;
    return MemoryType::Device;
}

/// Returns true if the core may fetch instructions from `address` under the default map.
[[nodiscard]] constexpr bool default_executable(GuestAddr address) {
    const MemoryType type = default_memory_type(address);
    return type == MemoryType::NormalWriteThrough || type == MemoryType::NormalWriteBack;
}

/// Returns true if the core's IDAU view calls the 256 MB block of `address` secure.
[[nodiscard]] constexpr bool idau_secure(GuestAddr address) {
    const std::uint32_t block = to_word(address) >> 28;
    return block == 1 || block == 3 || block == 5;
}

namespace detail {

[[nodiscard]] constexpr bool aliases_follow_the_rule() {
    for (const Region& region : kRegions) {
        const bool external = to_word(region.non_secure) >= to_word(kExternalBase);
        const std::uint32_t distance = to_word(region.secure) - to_word(region.non_secure);
        if (distance != (external ? 0 : kSecureOffset)) return false;
        if (region.fitted_bytes > region.bytes || region.largest_bytes < region.bytes) return false;
    }
    return true;
}

[[nodiscard]] constexpr bool regions_are_disjoint() {
    for (std::uint32_t i = 0; i < kRegionCount; ++i) {
        for (std::uint32_t j = 0; j < kRegionCount; ++j) {
            if (kRegions[i].non_secure_range().overlaps(kRegions[j].secure_range()) &&
                (i != j || kRegions[i].has_two_aliases())) {
                return false;
            }
            if (i == j) continue;
            if (kRegions[i].non_secure_range().overlaps(kRegions[j].non_secure_range()))
                return false;
            if (kRegions[i].secure_range().overlaps(kRegions[j].secure_range())) return false;
        }
    }
    return true;
}

[[nodiscard]] constexpr bool regions_ascend() {
    for (std::uint32_t i = 1; i < kRegionCount; ++i) {
        if (kRegions[i - 1].non_secure_range().end() > to_word(kRegions[i].non_secure))
            return false;
    }
    return true;
}

}  // namespace detail
static_assert(detail::aliases_follow_the_rule());
static_assert(detail::regions_are_disjoint());
static_assert(detail::regions_ascend());

}  // namespace n6vp::memmap

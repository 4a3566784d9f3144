// SPDX-License-Identifier: Apache-2.0
#include "sim/map/map_report.h"

#include <fmt/format.h>

#include "memmap/clocks.h"
#include "memmap/interrupts.h"
#include "memmap/peripherals.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

std::string hex(GuestAddr address) {
    return fmt::format("0x{:08x}", to_word(address));
}

/// Returns "64b", "16b DTR" or "-".
std::string width_text(const memmap::Region& region) {
    if (region.width_bits == 0) return "-";
    return fmt::format("{}b{}", region.width_bits, region.double_rate ? " DTR" : "");
}

std::string size_column(const memmap::Region& region) {
    if (region.fitted_bytes == region.bytes) return size_text(region.bytes);
    if (region.fitted_bytes == 0) return size_text(region.bytes) + " (empty)";
    return fmt::format("{} ({} fitted)", size_text(region.bytes), size_text(region.fitted_bytes));
}

/// Returns the clock as "NOC 400 MHz", or only the name where no frequency is published.
std::string clock_text(memmap::ClockDomain domain) {
    const memmap::Clock& clock = memmap::clock(domain);
    if (domain == memmap::ClockDomain::None) return "-";
    if (clock.overdrive_hz == 0) return clock.name;
    return fmt::format("{} {} MHz", clock.name, clock.overdrive_hz / memmap::kMhz);
}

std::string access_text(const memmap::Region& region) {
    std::string text = region.mcu == memmap::McuPath::None
                           ? std::string("not reachable")
                           : fmt::format("core through {}", path_name(region.mcu));
    if (region.npu) text += region.npu_cacheable ? ", NPU (cacheable)" : ", NPU (not cacheable)";
    return text;
}

std::string frequency_text(std::uint32_t hz) {
    return hz == 0 ? std::string("-") : fmt::format("{} MHz", hz / memmap::kMhz);
}

/// Returns the lines about an address inside a region.
std::string location_text(GuestAddr address, const memmap::Location& location) {
    const memmap::Region& region = *location.region;
    std::string text = fmt::format("{}  {} + 0x{:x}", hex(address), region.name, location.offset);
    if (location.alias != memmap::Alias::Only) {
        const bool secure = location.alias == memmap::Alias::Secure;
        const GuestAddr other =
            wrapping_add(secure ? region.non_secure : region.secure, location.offset);
        text += fmt::format(" ({} alias; {} is {})", alias_name(location.alias),
                            secure ? "non-secure" : "secure", hex(other));
    }
    text += fmt::format("\n            {}, {}, {}\n", size_column(region), access_text(region),
                        memory_type_name(memmap::default_memory_type(address)));
    if (location.offset >= region.fitted_bytes) {
        text += "            the discovery kit has nothing at this address\n";
    }
    return text;
}

std::string nowhere_text(GuestAddr address) {
    const memmap::PeripheralHit hit = memmap::find_peripheral(address);
    if (hit && hit.offset < hit.peripheral->bytes) {
        return fmt::format("{}  peripheral space: {} + 0x{:x} ({} alias)\n", hex(address),
                           hit.peripheral->name, hit.offset, hit.secure ? "secure" : "non-secure");
    }
    if (hit) {
        return fmt::format(
            "{}  peripheral space: no known peripheral; the last one below is {} at {}, {} bytes\n",
            hex(address), hit.peripheral->name,
            hex(hit.secure ? hit.peripheral->secure : hit.peripheral->non_secure()),
            hit.peripheral->bytes);
    }
    if (memmap::default_memory_type(address) == memmap::MemoryType::Ppb) {
        return fmt::format("{}  private peripheral bus of the core\n", hex(address));
    }
    const memmap::Neighbour near = memmap::nearest_region(address);
    const GuestAddr base =
        near.alias == memmap::Alias::Secure ? near.region->secure : near.region->non_secure;
    return fmt::format("{}  no memory; nearest is {} at {}, {} bytes {}\n", hex(address),
                       near.region->name, hex(base), near.distance, near.above ? "above" : "below");
}

std::string range_text(AddressRange range) {
    const RegionCover covered = cover(range);
    std::string text =
        fmt::format("{}..0x{:08x}  {} bytes\n", hex(range.start), range.end() - 1, range.bytes);
    for (const RegionCover::Piece& piece : covered.pieces) {
        text += fmt::format("            {:<12} {}..0x{:08x}  {} bytes\n", piece.region,
                            hex(piece.range.start), piece.range.end() - 1, piece.range.bytes);
    }
    if (covered.uncovered != 0) {
        text += fmt::format("            {} bytes lie in no memory\n", covered.uncovered);
    }
    return text;
}

std::string pool_place(const Mpool& pool) {
    if (!pool.used()) return "unused";
    std::string text;
    const RegionCover covered = cover(pool.range);
    for (const RegionCover::Piece& piece : covered.pieces) {
        text += (text.empty() ? "" : "+") + piece.region;
    }
    return text.empty() ? "nowhere" : text;
}

}  // namespace

std::string size_text(std::uint64_t bytes) {
    constexpr std::uint64_t kMega = std::uint64_t{1024} * 1024;
    if (bytes != 0 && bytes % kMega == 0) return fmt::format("{} MiB", bytes / kMega);
    if (bytes != 0 && bytes % 1024 == 0) return fmt::format("{} KiB", bytes / 1024);
    return fmt::format("{} B", bytes);
}

std::string_view kind_name(memmap::RegionKind kind) {
    switch (kind) {
        case memmap::RegionKind::Rom:
            return "rom";
        case memmap::RegionKind::Tcm:
            return "tcm";
        case memmap::RegionKind::Ram:
            return "ram";
        case memmap::RegionKind::NpuCacheRam:
            return "npu-cache-ram";
        case memmap::RegionKind::Nor:
            return "nor";
        case memmap::RegionKind::Psram:
            return "psram";
        case memmap::RegionKind::Window:
            return "window";
        case memmap::RegionKind::Stub:
            return "stub";
    }
    return "unknown";
}

std::string_view path_name(memmap::McuPath path) {
    switch (path) {
        case memmap::McuPath::None:
            return "none";
        case memmap::McuPath::Tcm:
            return "tcm";
        case memmap::McuPath::Axi:
            return "axi";
        case memmap::McuPath::AxiBridge:
            return "axi+bridge";
        case memmap::McuPath::Ahb:
            return "ahb";
    }
    return "unknown";
}

std::string_view alias_name(memmap::Alias alias) {
    switch (alias) {
        case memmap::Alias::Only:
            return "only";
        case memmap::Alias::NonSecure:
            return "non-secure";
        case memmap::Alias::Secure:
            return "secure";
    }
    return "unknown";
}

std::string_view memory_type_name(memmap::MemoryType type) {
    switch (type) {
        case memmap::MemoryType::NormalWriteThrough:
            return "write-through";
        case memmap::MemoryType::NormalWriteBack:
            return "write-back";
        case memmap::MemoryType::Device:
            return "device";
        case memmap::MemoryType::Ppb:
            return "ppb";
    }
    return "unknown";
}

std::string_view confidence_name(memmap::Confidence confidence) {
    switch (confidence) {
        case memmap::Confidence::Documented:
            return "documented";
        case memmap::Confidence::Measured:
            return "measured";
        case memmap::Confidence::Assumed:
            return "assumed";
    }
    return "unknown";
}

std::string region_table() {
    std::string text = fmt::format(
        "{:<12} {:<10} {:<10} {:<25} {:<8} {:<13} {:<11} {:<4} {:<13} {:>5}\n", "region",
        "non-secure", "secure", "size", "width", "clock", "core path", "NPU", "D-cache", "RISAF");
    for (const memmap::Region& region : memmap::kRegions) {
        const std::string filter = region.risaf == 0 ? "-" : std::to_string(region.risaf);
        text += fmt::format(
            "{:<12} {} {} {:<25} {:<8} {:<13} {:<11} {:<4} {:<13} {:>5}\n", region.name,
            hex(region.non_secure), region.has_two_aliases() ? hex(region.secure) : "same      ",
            size_column(region), width_text(region), clock_text(region.clock),
            path_name(region.mcu),
            !region.npu            ? "no"
            : region.npu_cacheable ? "yes*"
                                   : "yes",
            memory_type_name(memmap::default_memory_type(region.non_secure)), filter);
    }
    text +=
        "\nyes*: through the NPU cache when the access is marked cacheable. On chip, secure = "
        "non-secure + 0x10000000.\nD-cache: default attribute without an MPU region. Clocks: "
        "overdrive. --all adds clocks, peripherals and interrupts.\n";
    return text;
}

std::string other_tables() {
    std::string text =
        fmt::format("\n{:<8} {:<10} {:<13} source\n", "clock", "overdrive", "no overdrive");
    for (const memmap::Clock& clock : memmap::kClocks) {
        if (clock.domain == memmap::ClockDomain::None) continue;
        text += fmt::format(
            "{:<8} {:<10} {:<13} {} [{}]\n", clock.name, frequency_text(clock.overdrive_hz),
            frequency_text(clock.no_overdrive_hz), clock.source, confidence_name(clock.confidence));
    }
    text += fmt::format("\n{:<10} {:<10} {}\n", "peripheral", "secure", "non-secure");
    for (const memmap::Peripheral& row : memmap::kPeripherals) {
        text += fmt::format("{:<10} {} {}\n", row.name, hex(row.secure),
                            row.secure_only ? "none" : hex(row.non_secure()));
    }
    text += "\ninterrupt  line\n";
    for (const memmap::Interrupt& row : memmap::kInterrupts) {
        const std::string lines = row.count == 1
                                      ? std::to_string(row.first)
                                      : fmt::format("{}..{}", row.first, row.first + row.count - 1);
        text += fmt::format("{:<13}{}\n", row.name, lines);
    }
    return text;
}

std::string resolve_text(AddressRange what) {
    if (what.bytes > 1) return range_text(what);
    const memmap::Location location = memmap::find_region(what.start);
    return location ? location_text(what.start, location) : nowhere_text(what.start);
}

std::string mpool_text(const MpoolFile& file, std::string_view shown_name) {
    std::string text =
        fmt::format("{}: {} pools\n{:<12} {:<12} {:<10} {:<10} {:<9} {:<9} {:<9} {:>5} {:>6}  {}\n",
                    shown_name, file.pools.size(), "pool", "file", "offset", "size", "rights",
                    "place", "NPU cache", "bytes", "ratio", "lies in");
    for (const Mpool& pool : file.pools) {
        text +=
            fmt::format("{:<12} {:<12} {} {:<10} {:<9} {:<9} {:<9} {:>5} {:>6}  {}\n",
                        traces::terminal_text(pool.name), traces::terminal_text(pool.file_name),
                        hex(pool.range.start), size_text(pool.range.bytes),
                        traces::terminal_text(pool.properties.rights),
                        pool.relative() ? "relative" : "absolute",
                        pool.properties.npu_cacheable() ? "yes" : "no", pool.properties.byte_width,
                        pool.properties.freq_ratio, pool_place(pool));
    }
    for (const MpoolCache& cache : file.caches) {
        text += fmt::format("NPU cache: {} sets x {} B x {} ways = {}\n", cache.lines,
                            cache.line_bytes, cache.ways,
                            size_text(std::uint64_t{cache.lines} * cache.line_bytes * cache.ways));
    }
    for (const MpoolRemark& remark : judge_mpool(file)) {
        text += fmt::format("{}: {}: {} [{}]\n", remark.warning ? "warning" : "hint",
                            traces::terminal_text(file.pools[remark.pool].name), remark.text,
                            remark_name(remark.kind));
    }
    for (const std::string& path : file.unknown) {
        text += fmt::format("hint: not known to this reader, ignored: {}\n",
                            traces::terminal_text(path));
    }
    return text;
}

}  // namespace n6vp::sim

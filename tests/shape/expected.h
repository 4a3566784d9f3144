// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>

#include "memmap/regions.h"
#include "tests/shape/chip.h"

/// What the timing tables of the chip say, typed here a second time, and closed formulas over it.
/// Nothing here comes from a model.
namespace n6vp::test::expected {

/// Clock periods.
struct Periods {
    double cpu, noc, npu, nic;
    double ahb = 1000.0 / 100;
    explicit Periods(const Clocks& mhz = {})
        : cpu(1000 / mhz.cpu), noc(1000 / mhz.noc), npu(1000 / mhz.npu), nic(1000 / mhz.nic) {}
};
inline constexpr double kBeatBytes = 8;
inline constexpr double kAhbBytes = 4;  ///< per AHB cycle

// On-chip RAM.
inline constexpr double kCoreFirstBeatNoc = 8;  ///< NOC cycles, one of them the bank's own
inline constexpr double kBridgeNoc = 6;         ///< NOC cycles on top, either direction
inline constexpr double kNpuFirstBeatNpu = 20;  ///< NPU cycles, one NIC cycle the bank's own
inline constexpr double kItcmBytes = 4, kDtcmBytes = 8;  ///< per CPU cycle

// Serial memories.
struct Serial {
    double bytes_per_clock;
    double command, address, read_dummy, write_dummy, ncs_high;  ///< clocks
    double forced_release;  ///< clocks of NCS low at most; 0 = none
    double restart;         ///< clocks to resume, beside NCS high
    double megahertz;
    [[nodiscard]] double clock_ns() const { return 1000 / megahertz; }
    [[nodiscard]] double first_ns(bool write) const {
        return (command + address + (write ? write_dummy : read_dummy)) * clock_ns();
    }
    [[nodiscard]] double data_ns(double bytes) const {
        return bytes / bytes_per_clock * clock_ns();
    }
    [[nodiscard]] double break_ns() const { return ncs_high * clock_ns(); }
    [[nodiscard]] double peak_mb_s() const { return bytes_per_clock * megahertz; }
    /// Of endless bursts: data clocks of each period between forced releases.
    [[nodiscard]] double stream_mb_s(bool write) const {
        if (forced_release == 0) return peak_mb_s();
        const double lost = command + address + (write ? write_dummy : read_dummy);
        return peak_mb_s() * (forced_release - lost) / (forced_release + ncs_high + restart);
    }
};
inline constexpr Serial kNor{2, 1, 2, 20, 0, 2, 0, 0, 200};
inline constexpr Serial kPsram{4, 1, 2, 14, 7, 1, 129, 4, 200};
inline constexpr double kCoreControlNs = 50, kNpuControlNs = 40;

[[nodiscard]] inline bool is_core(Master master) {
    return master == Master::CoreCode || master == Master::CoreData || master == Master::Host;
}

[[nodiscard]] inline bool has_route(Master master, const memmap::Region& region) {
    const bool tcm = region.mcu == memmap::McuPath::Tcm;
    if (master == Master::CoreTcm) return tcm;
    return !tcm && (is_core(master) || region.npu);
}

[[nodiscard]] inline const Serial* serial(const memmap::Region& region) {
    if (region.kind == memmap::RegionKind::Nor) return &kNor;
    return region.kind == memmap::RegionKind::Psram ? &kPsram : nullptr;
}

/// A master's own port moves a beat per cycle of the interconnect that it sits at.
[[nodiscard]] inline double port_beat_ns(Master master, const Periods& ns = Periods{}) {
    return is_core(master) ? ns.noc : ns.nic;
}

/// Distance between two beats at the master's port: its own or the memory's, whichever is slower.
[[nodiscard]] inline double beat_ns(Master master, const memmap::Region& region,
                                    const Periods& ns = Periods{}) {
    if (master == Master::CoreTcm) return ns.cpu;
    if (region.clock == memmap::ClockDomain::Ahb) return kBeatBytes / kAhbBytes * ns.ahb;
    const bool nic = region.clock == memmap::ClockDomain::Nic;
    return is_core(master) || !nic ? ns.noc : ns.nic;
}

/// Latency of an idle fabric to the first beat; of a serial memory with no transaction open.
[[nodiscard]] inline double first_ns(Master master, const memmap::Region& region, bool write,
                                     const Periods& ns = Periods{}) {
    if (master == Master::CoreTcm) return 0;
    if (const Serial* const memory = serial(region)) {
        return (is_core(master) ? kCoreControlNs : kNpuControlNs) + memory->first_ns(write) +
               memory->data_ns(kBeatBytes);
    }
    // No row speaks of RAM on the AHB: the way is taken to be that of RAM on the NOC.
    if (region.clock == memmap::ClockDomain::Ahb) return (kCoreFirstBeatNoc - 1) * ns.noc + ns.ahb;
    const bool nic = region.clock == memmap::ClockDomain::Nic;
    const double bank = nic ? ns.nic : ns.noc;
    if (is_core(master)) return (kCoreFirstBeatNoc - 1 + (nic ? kBridgeNoc : 0)) * ns.noc + bank;
    return kNpuFirstBeatNpu * ns.npu - ns.nic + (nic ? 0 : kBridgeNoc * ns.noc) + bank;
}

/// The same to the last of `beats`.
[[nodiscard]] inline double last_ns(Master master, const memmap::Region& region, bool write,
                                    std::uint32_t beats, const Periods& ns = Periods{}) {
    const double first = first_ns(master, region, write, ns);
    const double more = beats - 1;
    if (master == Master::CoreTcm) {
        // A beat of the master is one or more of the memory.
        const double each = region.width_bits == 32 ? kItcmBytes : kDtcmBytes;
        return (beats * kBeatBytes / each - 1) * ns.cpu;
    }
    if (const Serial* const memory = serial(region))
        return first + std::max(more * ns.noc, memory->data_ns(more * kBeatBytes));
    if (region.clock == memmap::ClockDomain::Ahb)  // the first beat here is its first word
        return first + (beats * kBeatBytes / kAhbBytes - 1) * ns.ahb;
    return first + more * beat_ns(master, region, ns);
}

/// Of endless linear bursts, several on their way.
[[nodiscard]] inline double linear_mb_s(Master master, const memmap::Region& region, bool write,
                                        const Periods& ns = Periods{}) {
    if (master == Master::CoreTcm)
        return (region.width_bits == 32 ? kItcmBytes : kDtcmBytes) * 1000 / ns.cpu;
    if (const Serial* const memory = serial(region)) return memory->stream_mb_s(write);
    return kBeatBytes * 1000 / beat_ns(master, region, ns);
}

}  // namespace n6vp::test::expected

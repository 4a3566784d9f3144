// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "memmap/interrupts.h"
#include "memmap/regions.h"
#include "models/chip/stm32n6.h"
#include "models/chip/stm32n6_parts.h"
#include "models/npu/stream/extent.h"

namespace n6vp::models {

namespace {

using npu::Extent;

constexpr unsigned kNpuLine = memmap::interrupt_line("NPU0");  ///< NPU1 to NPU3 follow
constexpr std::uint64_t kAddressSpace = std::uint64_t{1} << 32;
constexpr Picoseconds kPreciseAhead = 100'000;
/// As many quanta as the core runs ahead of a kernel that has nothing to do.
constexpr unsigned kQuantaAhead = 8;

/// Bytes of a memory.
struct Piece {
    std::uint32_t offset = 0, bytes = 0;
};

/// Returns what the addresses [first, end) have of a memory at `base`.
[[nodiscard]] Piece common(std::uint64_t first, std::uint64_t end, GuestAddr base,
                           std::uint32_t bytes) {
    const std::uint64_t start = to_word(base);
    const std::uint64_t low = std::max(first, start), high = std::min(end, start + bytes);
    if (low >= high) return {};
    return {static_cast<std::uint32_t>(low - start), static_cast<std::uint32_t>(high - low)};
}

/// Does what memmap::find_region does, and looks first at what was found near the address before:
/// every burst asks.
class RegionFinder {
  public:
    /// Returns nullptr if the address is in no region.
    [[nodiscard]] const memmap::Region* find(std::uint32_t address) {
        const GuestAddr at{address};
        const memmap::Region*& region = found_[(address >> 16) % found_.size()];
        const bool holds = region != nullptr && (region->non_secure_range().contains(at) ||
                                                 region->secure_range().contains(at));
        if (!holds) region = memmap::find_region(at).region;
        return region;
    }

  private:
    std::array<const memmap::Region*, 256> found_{};
};

[[nodiscard]] NpuModuleConfig module_config(double hz, const ChipOptions& options) {
    using core::Timing;
    NpuModuleConfig config;
    config.hz = hz;
    config.timed = options.timing != Timing::Functional;
    config.ahead = options.timing == Timing::Precise ? std::min(options.quantum, kPreciseAhead)
                                                     : kQuantaAhead * options.quantum;
    return config;
}

}  // namespace

void Stm32n6::EngineClaims::begin(unsigned engine, const npu::StreamConfig& stream) {
    end(engine);
    Held& held = held_[engine];
    held.text = "STRENG" + std::to_string(engine);
    if (label_ != 0) held.text = "epoch label " + std::to_string(label_) + ", " + held.text;
    const Extent extent = npu::extent_of(stream);
    const std::uint64_t end = extent.first + extent.bytes;
    const unsigned master = number(Initiator::Npu0) + NpuModule::port_of(engine);
    for (unsigned i = 0; i < chip_.memories_.size(); ++i) {
        const memmap::Region& region = *chip_.memories_[i].region;
        if (!region.npu || (!stream.dir && region.kind == memmap::RegionKind::Nor)) continue;
        for (const GuestAddr base : {region.non_secure, region.secure}) {
            if (base == region.secure && !region.has_two_aliases()) continue;
            // What wraps goes on at address 0.
            const std::uint64_t over = end > kAddressSpace ? end - kAddressSpace : 0;
            for (const Piece& piece : {common(extent.first, end, base, region.fitted_bytes),
                                       common(0, over, base, region.fitted_bytes)}) {
                if (piece.bytes == 0) continue;
                held.claims.push_back(chip_.bus_->claim(master, i, piece.offset, piece.bytes,
                                                        stream.dir, held.text.c_str()));
            }
        }
    }
}

void Stm32n6::EngineClaims::end(unsigned engine) {
    const auto found = held_.find(engine);
    if (found == held_.end()) return;
    for (const Bus::Claim claim : found->second.claims) chip_.bus_->release(claim);
    found->second.claims.clear();
}

void Stm32n6::EngineClaims::clear() {
    for (auto& [engine, held] : held_) {
        for (const Bus::Claim claim : held.claims) chip_.bus_->release(claim);
        held.claims.clear();
    }
}

void Stm32n6::add_npu() {
    npu_ = std::make_unique<NpuModule>(
        "npu", parameters_.npu, module_config(clocks_.hz(memmap::ClockDomain::Npu), options_));
    engine_claims_ = std::make_unique<EngineClaims>(*this);
}

void Stm32n6::connect_npu() {
    for (unsigned i = 0; i < kNpuPorts; ++i) npu_->to[i].bind(npu_ports_[i]->from);
    soc_->add_npu(*npu_);
    clocks_.follow(memmap::ClockDomain::Npu, [this](double hz) { npu_->set_clock_hz(hz); });
    for (unsigned i = 0; i < NpuModule::kLines; ++i) {
        npu_->on_interrupt.listen(kOwnPlace,
                                  [i, set = drive(kNpuLine + i)](unsigned line, bool level) {
                                      if (line == i) set(level);
                                  });
    }
    npu_->on_label.listen(
        kOwnPlace, [this](std::uint32_t label, Picoseconds) { engine_claims_->set_label(label); });
    npu_->on_engine.listen(kOwnPlace, [this](unsigned engine, const npu::StreamConfig& stream,
                                             const npu::EngineCounters* counters, Picoseconds) {
        npu_line_was_enabled_ =
            npu_line_was_enabled_ || core_->core().system().interrupt_enabled(kNpuLine);
        if (counters == nullptr) {
            engine_claims_->begin(engine, stream);
        } else {
            engine_claims_->end(engine);
        }
    });
    npu_->place_of = [this, regions = RegionFinder()](std::uint32_t address,
                                                      bool cacheable) mutable {
        return place_of(regions.find(address), cacheable);
    };
    npu_->on_reset = [this] { engine_claims_->clear(); };
}

NpuModule::Place Stm32n6::place_of(const memmap::Region* region, bool cacheable) {
    using StallCause = npu::StallCause;
    constexpr unsigned kCachePlace = NpuModule::kPlaces - 1;
    if (region == nullptr) return {kCachePlace - 1, StallCause::Port};
    const auto number = static_cast<unsigned>(region - memmap::kRegions);
    StallCause cause = StallCause::Port;
    if (region->kind == memmap::RegionKind::Nor) cause = StallCause::Flash;
    if (region->kind == memmap::RegionKind::Psram) cause = StallCause::Psram;
    const StallCause held =
        cause == StallCause::Port ? StallCause::Conflict : StallCause::PortConflict;
    if (!cacheable || !region->npu_cacheable) return {number, cause, held};
    // All streams share the port of the cache. A hit never sees the memory behind it.
    const std::uint64_t misses =
        npu_cache_->statistics().of(CacheAxi::Monitor::ReadMiss) + npu_cache_->statistics().passed;
    const bool missed = misses != std::exchange(npu_cache_misses_, misses);
    return {kCachePlace, missed ? cause : StallCause::Cache, StallCause::PortConflict};
}

}  // namespace n6vp::models

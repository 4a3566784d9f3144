// SPDX-License-Identifier: Apache-2.0
#include "sim/install/writable_places.h"

#include <fmt/format.h>

#include <optional>

#include "memmap/regions.h"
#include "sim/install/install_run.h"
#include "sim/model_file/pool_image.h"

namespace n6vp::sim {

namespace {

struct Place {
    AddressRange range;
    const char* what;
    const char* option;
    bool written;
};

/// A model that uses no external RAM leaves what is there alone.
[[nodiscard]] bool has_external_ram(const loader::Container& container,
                                    const loader::InstallRequest& request) {
    for (const PoolImage& pool : pools_of(container, request)) {
        if (pool.type == loader::format::PoolType::Reloc) return true;
    }
    return false;
}

[[nodiscard]] std::optional<PlaceFault> fault_of(const Place& place) {
    std::uint64_t at = to_word(place.range.start);
    while (at < place.range.end()) {
        const GuestAddr address{static_cast<std::uint32_t>(at)};
        const memmap::Location found = memmap::find_region(address);
        if (!found) {
            return PlaceFault{
                "no-memory",
                fmt::format("{} at 0x{:08x}, {} bytes: the chip has no memory at 0x{:08x}",
                            place.what, to_word(place.range.start), place.range.bytes, at),
                fmt::format("choose another place with {}; `n6vp map` shows the memories",
                            place.option)};
        }
        const memmap::Region& region = *found.region;
        if (place.written &&
            (region.kind == memmap::RegionKind::Nor || region.kind == memmap::RegionKind::Rom)) {
            return PlaceFault{
                "not-writable",
                fmt::format(
                    "{} at 0x{:08x}, {} bytes: {} is read-only, an install cannot write to it",
                    place.what, to_word(place.range.start), place.range.bytes, region.name),
                fmt::format("choose RAM with {}; `n6vp map` shows the memories", place.option)};
        }
        at += region.bytes - found.offset;
    }
    return std::nullopt;
}

}  // namespace

std::vector<PlaceFault> place_faults(const InstallPlan& plan, const loader::Container& container) {
    const loader::InstallRequest& request = plan.request();
    std::vector<Place> places = {{plan.file(), "the model file", "--at", false},
                                 {plan.params(), "the parameter file", "--params-at", false}};
    // No place, and one that goes beyond the address space, are the loader's to refuse.
    const auto add_written = [&places](const AddressRange& range, const char* what,
                                       const char* option) {
        if (to_word(range.start) == 0 || range.wraps()) return;
        places.push_back({range, what, option, true});
    };
    add_written(plan.exec_ram(), "exec RAM", "--exec");
    if (has_external_ram(container, request)) add_written(plan.ext_ram(), "external RAM", "--ext");
    add_written(plan.instance(), "the NN instance", "--instance");
    std::vector<PlaceFault> faults;
    for (const Place& place : places) {
        if (std::optional<PlaceFault> fault = fault_of(place)) faults.push_back(std::move(*fault));
    }
    return faults;
}

}  // namespace n6vp::sim

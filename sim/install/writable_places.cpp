// SPDX-License-Identifier: Apache-2.0
#include "sim/install/writable_places.h"

#include <fmt/format.h>

#include <optional>

#include "memmap/regions.h"
#include "models/chip/memory_present.h"
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
    const std::uint32_t start = to_word(place.range.start);
    if (!models::is_memory_present(place.range)) {
        return PlaceFault{
            "no-memory",
            fmt::format("{} at 0x{:08x}, {} bytes: no memory, or too little, at this address",
                        place.what, start, place.range.bytes),
            fmt::format("choose another place with {}; `n6vp map` shows the memories (NOC and NIC "
                        "RAM, XSPI1 and XSPI2 are modelled)",
                        place.option)};
    }
    if (!place.written) return std::nullopt;
    for (std::uint64_t at = start; at < place.range.end();) {
        const memmap::Location found =
            memmap::find_region(GuestAddr{static_cast<std::uint32_t>(at)});
        if (found.region->kind == memmap::RegionKind::Nor) {
            return PlaceFault{
                "not-writable",
                fmt::format(
                    "{} at 0x{:08x}, {} bytes: {} is read-only, an install cannot write to it",
                    place.what, start, place.range.bytes, found.region->name),
                fmt::format("choose RAM with {}; `n6vp map` shows the memories", place.option)};
        }
        at += found.region->bytes - found.offset;
    }
    return std::nullopt;
}

/// Returns where the parameters are that a user named by their address alone.
[[nodiscard]] AddressRange named_params(const InstallPlan& plan,
                                        const loader::Container& container) {
    loader::RuntimeContext context;
    const bool named = plan.params().bytes == 0 && to_word(plan.request().params) != 0;
    if (!named || !container.context(context)) return {};
    return {plan.request().params, context.params_bin_sz};
}

}  // namespace

std::vector<PlaceFault> place_faults(const InstallPlan& plan, const loader::Container& container) {
    const loader::InstallRequest& request = plan.request();
    std::vector<Place> places = {
        {plan.file(), "the model file", "--at", false},
        {plan.params(), "the parameter file", "--params-at", false},
        {named_params(plan, container), "the parameters", "--params-at", false}};
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

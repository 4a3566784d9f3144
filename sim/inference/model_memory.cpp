// SPDX-License-Identifier: Apache-2.0
#include "sim/inference/model_memory.h"

#include <algorithm>

#include "loader/firmware/chip/bump.h"
#include "memmap/regions.h"
#include "sim/install/install_run.h"
#include "sim/model_file/model_image.h"
#include "sim/model_file/model_pools.h"
#include "sim/model_file/pool_image.h"
#include "sim/model_file/sizes.h"

namespace n6vp::sim::model_run {

namespace {

/// Bytes from an address to the end of its memory.
[[nodiscard]] std::uint64_t room_behind(GuestAddr start) {
    const memmap::Location location = memmap::find_region(start);
    if (!location || location.offset >= location.region->fitted_bytes) return 0;
    return location.region->fitted_bytes - location.offset;
}

[[nodiscard]] bool holds(const MemoryUse& use, std::uint32_t address) {
    const std::uint32_t start = to_word(use.start);
    return address >= start && address - start < use.used;
}

}  // namespace

ModelMemory::ModelMemory(const ModelFiles& files, const InstallPlan& plan) {
    const report::ModelImage image(files);
    if (!image.opened()) return;
    const loader::InstallRequest& request = plan.request();
    for (const PoolImage& pool : pools_of(image.container(), request)) {
        // The pool in external RAM is what the external RAM is for.
        if (pool.type == loader::format::PoolType::Reloc) continue;
        uses_.push_back({pool.name.empty() ? "pool without a name" : pool.name, pool.range.start,
                         pool.range.bytes, room_behind(pool.range.start)});
        taken_.push_back(pool.range);
    }
    taken_.insert(taken_.end(), {plan.file(), plan.params(), plan.exec_ram()});
    const report::Sizes sizes = derive_sizes(image, gather(image));
    const bool copies = (request.mode & loader::format::kModeCopy) != 0;
    uses_.push_back({"exec RAM", request.exec_ram, (copies ? sizes.copy : sizes.xip).value_or(0),
                     request.exec_ram_bytes});
    if (const std::uint64_t external = sizes.external_ram.value_or(0); external != 0) {
        uses_.push_back({"external RAM", request.ext_ram, external, request.ext_ram_bytes});
        taken_.push_back(plan.ext_ram());
    }
    uses_.push_back({"model file", request.file, files.file.size(), room_behind(request.file)});
    if (!files.params.empty()) {
        uses_.push_back(
            {"parameter file", request.params, files.params.size(), room_behind(request.params)});
    }
}

std::size_t ModelMemory::place_of(std::uint32_t address) const {
    for (std::size_t i = 0; i < uses_.size(); ++i) {
        if (holds(uses_[i], address)) return i;
    }
    const memmap::Location location = memmap::find_region(GuestAddr{address});
    const std::size_t region = location
                                   ? static_cast<std::size_t>(location.region - memmap::kRegions)
                                   : std::size(memmap::kRegions);
    return uses_.size() + region;
}

std::string ModelMemory::name_of(std::size_t place) const {
    if (place < uses_.size()) return uses_[place].name;
    const std::size_t region = place - uses_.size();
    return region < std::size(memmap::kRegions) ? memmap::kRegions[region].name : "no memory";
}

AddressRange free_psram(std::vector<AddressRange> taken) {
    constexpr std::uint64_t kLine = firmware::Bump::kAlignment;
    const memmap::Region* const psram = memmap::region_named("XSPI1");
    std::uint64_t from = to_word(psram->non_secure);
    const std::uint64_t end = from + psram->fitted_bytes;
    std::sort(taken.begin(), taken.end(), [](AddressRange one, AddressRange other) {
        return one_alias(one.start) < one_alias(other.start);
    });
    AddressRange longest{psram->non_secure, 0};
    const auto offer = [&](std::uint64_t to) {
        to = std::min(to, end) / kLine * kLine;
        if (to <= from || to - from <= longest.bytes) return;
        longest = {GuestAddr{static_cast<std::uint32_t>(from)},
                   static_cast<std::uint32_t>(to - from)};
    };
    for (const AddressRange& range : taken) {
        if (range.bytes == 0) continue;
        const std::uint64_t start = one_alias(range.start);
        offer(start);
        from = std::max(from, (start + range.bytes + kLine - 1) / kLine * kLine);
    }
    offer(end);
    return longest;
}

}  // namespace n6vp::sim::model_run

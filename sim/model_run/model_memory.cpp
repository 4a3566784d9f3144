// SPDX-License-Identifier: Apache-2.0
#include "sim/model_run/model_memory.h"

#include "memmap/regions.h"
#include "sim/install_run.h"
#include "sim/report/model_image.h"
#include "sim/report/sizes.h"

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
    }
    const report::Sizes sizes = derive_sizes(image, gather(image));
    const bool copies = (request.mode & loader::format::kModeCopy) != 0;
    uses_.push_back({"exec RAM", request.exec_ram, (copies ? sizes.copy : sizes.xip).value_or(0),
                     request.exec_ram_bytes});
    if (const std::uint64_t external = sizes.external_ram.value_or(0); external != 0) {
        uses_.push_back({"external RAM", request.ext_ram, external, request.ext_ram_bytes});
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

}  // namespace n6vp::sim::model_run

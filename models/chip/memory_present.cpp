// SPDX-License-Identifier: Apache-2.0
#include "models/chip/memory_present.h"

namespace n6vp::models {

bool is_modelled(const memmap::Region& region) {
    switch (region.kind) {
        case memmap::RegionKind::Tcm:
        case memmap::RegionKind::Ram:
        case memmap::RegionKind::NpuCacheRam:
        case memmap::RegionKind::Nor:
        case memmap::RegionKind::Psram:
            return true;
        default:
            return false;
    }
}

bool is_memory_present(AddressRange range) {
    std::uint64_t at = to_word(range.start);
    while (at < range.end()) {
        if (at > 0xFFFFFFFFu) return false;
        const memmap::Location location =
            memmap::find_region(GuestAddr{static_cast<std::uint32_t>(at)});
        if (!location || !is_modelled(*location.region) ||
            location.region->kind == memmap::RegionKind::Tcm ||
            location.offset >= location.region->fitted_bytes) {
            return false;
        }
        at += location.region->fitted_bytes - location.offset;
    }
    return true;
}

}  // namespace n6vp::models

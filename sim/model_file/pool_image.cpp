// SPDX-License-Identifier: Apache-2.0
#include "sim/model_file/pool_image.h"

#include <utility>

namespace n6vp::sim {

std::vector<PoolImage> pools_of(const loader::Container& container,
                                const loader::InstallRequest& request) {
    using loader::format::PoolType;
    std::vector<PoolImage> images;
    const std::uint32_t count = container.pool_count(loader::format::kMaxPoolsVisited);
    for (std::uint32_t index = 0; index < count; ++index) {
        loader::Pool pool;
        if (!container.pool(index, pool)) break;
        PoolImage image{{}, index, pool.flags.type(), {}};
        image.range = {GuestAddr{pool.dst}, loader::format::align8(pool.bytes)};
        if (image.type == PoolType::Reloc && pool.flags.id() == 1) {
            image.range.start = request.ext_ram;
        } else if (image.type != PoolType::Copy && image.type != PoolType::Reset) {
            continue;
        }
        char name[loader::format::kMaxNameBytes + 1] = {};
        if (container.name(pool.name, name, sizeof name)) image.name = name;
        images.push_back(std::move(image));
    }
    return images;
}

}  // namespace n6vp::sim

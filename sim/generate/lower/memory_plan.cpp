// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/lower/memory_plan.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace {

std::uint64_t rounded(std::uint64_t value, std::uint32_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

bool meet(const Buffer& a, const Buffer& b) {
    return a.first <= b.last && b.first <= a.last;
}

struct Taken {
    std::uint64_t start, end;
};

/// Returns the lowest offset with room between what is taken, or nothing.
std::optional<std::uint64_t> lowest_gap(std::vector<Taken>& taken, std::uint64_t bytes,
                                        std::uint64_t pool_bytes) {
    std::sort(taken.begin(), taken.end(),
              [](const Taken& a, const Taken& b) { return a.start < b.start; });
    std::uint64_t offset = 0;
    for (const Taken& one : taken) {
        if (offset + bytes <= one.start) break;
        offset = std::max(offset, one.end);
    }
    if (offset + bytes > pool_bytes) return std::nullopt;
    return offset;
}

/// Returns the bytes of the largest piece that is not taken. `taken` is in order.
std::uint64_t largest_gap(const std::vector<Taken>& taken, std::uint64_t pool_bytes) {
    std::uint64_t largest = 0, offset = 0;
    for (const Taken& one : taken) {
        if (one.start > offset) largest = std::max(largest, one.start - offset);
        offset = std::max(offset, one.end);
    }
    return pool_bytes > offset ? std::max(largest, pool_bytes - offset) : largest;
}

}  // namespace

std::optional<MemoryPlan> plan_memory(std::span<const Buffer> buffers,
                                      std::span<const PlacedPool> pools, MissingRoom* missing,
                                      std::uint32_t alignment) {
    std::vector<std::size_t> order(buffers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return buffers[a].bytes > buffers[b].bytes;
    });
    MemoryPlan plan;
    plan.places.resize(buffers.size());
    plan.used.resize(pools.size());
    std::vector<bool> placed(buffers.size());
    for (const std::size_t index : order) {
        MissingRoom room{index, rounded(buffers[index].bytes, alignment), {}};
        for (std::uint32_t pool = 0; pool < pools.size() && !placed[index]; ++pool) {
            std::vector<Taken> taken;
            for (std::size_t other = 0; other < buffers.size(); ++other) {
                if (!placed[other] || plan.places[other].pool != pool ||
                    !meet(buffers[index], buffers[other])) {
                    continue;
                }
                const std::uint64_t start = plan.places[other].address - pools[pool].address;
                taken.push_back({start, start + rounded(buffers[other].bytes, alignment)});
            }
            const std::uint64_t bytes = rounded(buffers[index].bytes, alignment);
            const auto offset = lowest_gap(taken, bytes, pools[pool].bytes);
            if (!offset) {
                room.free.push_back(largest_gap(taken, pools[pool].bytes));
                continue;
            }
            plan.places[index] = {pool, pools[pool].address + static_cast<std::uint32_t>(*offset)};
            plan.used[pool] =
                std::max(plan.used[pool], static_cast<std::uint32_t>(*offset + bytes));
            placed[index] = true;
        }
        if (placed[index]) continue;
        if (missing != nullptr) *missing = std::move(room);
        return std::nullopt;
    }
    return plan;
}

std::string pool_title(const std::string& name) {
    return name.empty() ? "(no name)" : traces::terminal_text(name);
}

}  // namespace n6vp::sim::generate

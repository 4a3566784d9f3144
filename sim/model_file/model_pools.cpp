// SPDX-License-Identifier: Apache-2.0
#include "sim/model_file/model_pools.h"

#include <fmt/format.h>

#include "loader/container.h"
#include "loader/format.h"
#include "memmap/regions.h"
#include "sim/host/errors.h"
#include "sim/host/exit_codes.h"
#include "sim/model_file/model_source.h"
#include "sim/model_file/mpool.h"
#include "sim/model_file/pool_image.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

[[nodiscard]] std::string range_text(AddressRange range) {
    return fmt::format("0x{:08x} to 0x{:08x}", to_word(range.start),
                       static_cast<std::uint32_t>(range.end() - 1));
}

}  // namespace

std::uint64_t one_alias(GuestAddr address) {
    const memmap::Location location = memmap::find_region(address);
    return location ? to_word(location.region->non_secure) + std::uint64_t{location.offset}
                    : to_word(address);
}

bool share_memory(AddressRange one, AddressRange other) {
    const std::uint64_t a = one_alias(one.start), b = one_alias(other.start);
    return one.bytes != 0 && other.bytes != 0 && a < b + other.bytes && b < a + one.bytes;
}

void require_exec_ram_apart(AddressRange exec_ram, const std::string& origin,
                            const std::vector<UsedRange>& used) {
    for (const UsedRange& other : used) {
        if (!share_memory(exec_ram, other.range)) continue;
        const std::string cause =
            fmt::format("exec RAM at {} overlaps {} at {}", range_text(exec_ram), other.what,
                        range_text(other.range));
        throw UserError(origin == "default" ? cause : fmt::format("{}: {}", origin, cause),
                        "an install would overwrite it: give the exec RAM of the program with "
                        "--exec ADDR:SIZE, or --exec none");
    }
}

bool is_model(const std::vector<std::uint8_t>& content) {
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < 4 && i < content.size(); ++i) {
        first |= std::uint32_t{content[i]} << (8 * i);
    }
    return first == loader::format::kMagic;
}

std::vector<UsedRange> model_pools(const std::string& file, GuestAddr at,
                                   const std::vector<std::uint8_t>& content) {
    ModelOptions options;
    options.file = file;
    options.at = fmt::format("0x{:08x}", to_word(at));
    const ModelFiles files{file, {}, content, {}};
    const InstallPlan plan(options, files);
    HostMemory memory;
    plan.place(memory, files);
    const loader::MemoryPort port = memory.port();
    loader::Container container(port, plan.file().start, plan.file().bytes);
    loader::Diagnosis ignored;
    std::vector<UsedRange> pools;
    if (container.open(ignored) != loader::Status::Ok) return pools;
    for (const PoolImage& pool : pools_of(container, plan.request())) {
        // The external RAM pool goes where the program says.
        if (pool.type == loader::format::PoolType::Reloc) continue;
        pools.push_back({pool.range, fmt::format("pool {} ({})", pool.index,
                                                 traces::terminal_text(pool.name))});
    }
    return pools;
}

void require_pools_apart(const std::string& file, const std::string& origin, GuestAddr at,
                         const std::vector<std::uint8_t>& content,
                         const std::vector<UsedRange>& used) {
    std::vector<UsedRange> taken = used;
    for (const UsedRange& pool : model_pools(file, at, content)) {
        if (cover(pool.range).uncovered != 0) {
            throw UserError(
                fmt::format("{}: {} of {} at {}: no memory, or too little, at this address", origin,
                            pool.what, traces::terminal_text(file), range_text(pool.range)),
                "`n6vp map` shows the memories; build the model with other pools", kExitRefused);
        }
        for (const UsedRange& other : taken) {
            if (!share_memory(pool.range, other.range)) continue;
            throw UserError(fmt::format("{}: {} of {} at {} overlaps {} at {}", origin, pool.what,
                                        traces::terminal_text(file), range_text(pool.range),
                                        other.what, range_text(other.range)),
                            "`n6vp check` gives details; build the model with other pools, or link "
                            "the program elsewhere",
                            kExitRefused);
        }
        taken.push_back(pool);
    }
}

}  // namespace n6vp::sim

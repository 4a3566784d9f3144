// SPDX-License-Identifier: Apache-2.0
#include "loader/image.h"

namespace n6vp::loader {

namespace {

constexpr std::uint32_t kPoolFlagsOffset = 4;

bool cacheable(const Pool& pool) {
    return (pool.flags.attributes() & format::kPoolCacheable) != 0;
}

}  // namespace

Status Installer::next_pool(std::uint32_t index, Pool& pool) {
    const std::uint32_t at = words_.pool_table + format::kPoolBytes * index;
    stop_index_ = index;
    std::uint8_t raw[format::kPoolBytes] = {};
    // A terminator counts by its first two words; the rest of it may be missing.
    Status status = read_file(at, raw, 8);
    if (status != Status::Ok) return status;
    pool.name = format::load_word(raw);
    pool.flags.raw = format::load_word(raw + 4);
    if (pool.terminates()) return Status::Ok;
    status = read_file(at + 8, raw + 8, format::kPoolBytes - 8);
    if (status != Status::Ok) return status;
    pool.foff = format::load_word(raw + 8);
    pool.dst = format::load_word(raw + 12);
    pool.bytes = format::load_word(raw + 16);
    stop_offset_ = at;
    return Status::Ok;
}

Status Installer::pools() {
    enter(Phase::Pools);
    const bool given = to_word(request_.params) != 0;
    const GuestAddr base =
        given ? request_.params
              : wrapping_add(request_.file, format::link_offset(words_.params_offset));
    if (compat()) {
        constexpr std::uint32_t kAt = format::kOffParamsOffset;
        if (!given && words_.params_offset == 0) return refuse(Rule::ParamsMissing, kAt, 1, 0);
        if (!is_aligned(base, 4)) return refuse(Rule::ParamsAlignment, kAt, 4, to_word(base));
    }
    bases_.param0 = base;
    bases_.param1 = request_.ext_ram;
    for (; result_.pools < format::kMaxPoolsVisited; ++result_.pools) {
        Pool pool;
        Status status = next_pool(result_.pools, pool);
        if (status != Status::Ok) return status;
        if (pool.terminates()) break;
        any_cacheable_ = any_cacheable_ || cacheable(pool);
        status = serve(pool, base);
        if (status != Status::Ok) return status;
    }
    // Before 1.1.3 one global operation serves all pools, even of a table that is then refused.
    if (any_cacheable_ && !maintains_npu_ranges()) {
        maintain(CacheOp::NpuInvalidateAll, GuestAddr{}, 0);
    }
    result_.param0 = bases_.param0;
    result_.param1 = bases_.param1;
    if (compat() && result_.pools == format::kMaxPoolsVisited) {
        return refuse(Rule::PoolTableTen, words_.pool_table, format::kMaxPoolsVisited - 1,
                      format::kMaxPoolsVisited);
    }
    return Status::Ok;
}

Status Installer::serve(const Pool& pool, GuestAddr base) {
    if (compat()) {
        const Rule fault = vendor_pool_fault(pool, base, request_);
        if (fault != Rule::None) {
            return refuse(fault, stop_offset_ + kPoolFlagsOffset, kNotApplicable, pool.flags.raw);
        }
    }
    using format::PoolData;
    using format::PoolType;
    const bool relocatable = pool.flags.type() == PoolType::Reloc;
    if (relocatable && pool.flags.id() == 0) {
        if (pool.flags.data() == PoolData::Param) bases_.param0 = wrapping_add(base, pool.foff);
        return Status::Ok;
    }
    if (relocatable) {
        const bool mixed = pool.flags.data() == PoolData::Mixed;
        if (!mixed && !(pool.flags.data() == PoolData::Activation && clears())) return Status::Ok;
        if (maintains_npu_ranges()) {
            maintain(CacheOp::NpuCleanInvalidate, request_.ext_ram, format::align8(pool.bytes));
        }
        return fill(request_.ext_ram, pool, base, mixed);
    }
    const GuestAddr to{pool.dst};
    if (maintains_npu_ranges() && cacheable(pool)) {
        maintain(CacheOp::NpuCleanInvalidate, to, format::align8(pool.bytes));
    }
    if (pool.flags.type() == PoolType::Copy) return fill(to, pool, base, true);
    if (pool.flags.type() == PoolType::Reset && clears()) return fill(to, pool, base, false);
    return Status::Ok;
}

Status Installer::fill(GuestAddr to, const Pool& pool, GuestAddr base, bool from_params) {
    const std::uint32_t bytes = format::align8(pool.bytes);
    const Status status = from_params
                              ? copy(to, Source::Params, wrapping_add(base, pool.foff), bytes)
                              : clear(to, bytes);
    if (status == Status::Ok) maintain(CacheOp::McuCleanInvalidate, to, bytes);
    return status;
}

}  // namespace n6vp::loader

// SPDX-License-Identifier: Apache-2.0
#include "loader/checks.h"

namespace n6vp::loader::checks {

namespace {

using format::PoolData;
using format::PoolType;

/// Byte offsets in a descriptor.
enum : std::uint32_t { kName = 0, kFlags = 4, kFoff = 8, kDst = 12, kSize = 16 };

/// One descriptor under judgement. Findings are placed at its start, `run.index` is its number.
struct Entry {
    Run& run;
    Pool pool;
    std::uint32_t rounded =
        0;                   ///< bytes the vendor's loader copies or clears: size rounded up to 8
    std::uint32_t seen = 0;  ///< bit i: a RELOC pool with id i came before

    [[nodiscard]] bool has_parameters() const {
        return pool.flags.data() == PoolData::Param || pool.flags.data() == PoolData::Mixed;
    }
    [[nodiscard]] bool cacheable() const {
        return (pool.flags.attributes() & format::kPoolCacheable) != 0;
    }
};

/// Returns how many descriptors, terminator included, fit between the table's start and the end of
/// .data.
std::uint32_t table_room(const Run& run) {
    const std::uint32_t start = run.table_at - run.ro;
    return start < run.data_end ? (run.data_end - start) / format::kPoolBytes : 0;
}

bool is_external(const Pool& pool) {
    return pool.flags.type() == PoolType::Reloc && pool.flags.id() == 1;
}

/// Judges [foff, foff + size) against the parameter section; `bytes` is what is read from there, at
/// least the size.
void check_source(const Entry& entry, std::uint32_t bytes) {
    Run& run = entry.run;
    const Pool& pool = entry.pool;
    if (!run.params_known) return;
    run.address = run.params_base + pool.foff;
    const std::uint32_t room = ~run.params_base;  // one less than what is left of the address space
    const std::uint32_t length = run.params_bytes;
    if (pool.foff > room || bytes > room - pool.foff) {
        run.fault(at(Rule::PoolSourceWraps, kFoff), room, pool.foff);
    } else if (pool.foff > length || pool.bytes > length - pool.foff) {
        run.fault(at(Rule::PoolSourceOutside, kFoff), length, pool.foff + pool.bytes);
    } else if (bytes > length - pool.foff) {
        run.fault(at(Rule::PoolSourceRounding, kSize), length, pool.foff + bytes);
    }
    run.require_multiple(at(Rule::PoolSourceAlignment, kFoff), 8, pool.foff);
}

/// A known defect of the vendor's packer: with blobs in front of the parameters some pools keep the
/// offset they would have without.
void check_blobs(const Entry& entry, Rule rule) {
    Run& run = entry.run;
    if (!run.blobs_first) return;
    run.require_least(at(rule, kFoff), run.blob_bytes != 0 ? run.blob_bytes : 8, entry.pool.foff);
}

/// Judges an address that the NPU cache must or must not serve: `on_chip` if it lies below the
/// external range, the rule behind it if the vendor's comparison of `tested` wrongly says so.
void check_cacheable(const Entry& entry, Code on_chip, std::uint32_t start, std::uint32_t tested) {
    Run& run = entry.run;
    run.address = start;
    if (start < format::kExternalLimit) {
        run.fault(on_chip, format::kExternalLimit, start);
    } else if (tested <= format::kExternalLimit) {
        run.fault(after(on_chip, 1), format::kExternalLimit + 4, tested);
    }
}
static_assert(follows(Rule::PoolParamOnChip, 1, Rule::PoolParamAtLimit));
static_assert(follows(Rule::PoolExternalOnChip, 1, Rule::PoolExternalAtLimit));

/// RELOC id 0: weights used where they are.
void check_param_pool(const Entry& entry) {
    Run& run = entry.run;
    const Pool& pool = entry.pool;
    if (pool.flags.data() == PoolData::Mixed) run.fault(at(Rule::PoolParamMixed, kFlags), 1, 3);
    if (pool.flags.data() == PoolData::Activation) {
        run.fault(at(Rule::PoolParamActivation, kFlags), 1, 2);
    }
    if ((pool.flags.attributes() & format::kPoolWrite) != 0) {
        run.fault(at(Rule::PoolParamWrite, kFlags), pool.flags.raw & ~(format::kPoolWrite << 8),
                  pool.flags.raw);
    }
    check_source(entry, pool.bytes);
    run.require_equal(
        run.blobs_first ? at(Rule::PoolParamShiftsBlobs, kFoff) : at(Rule::PoolParamShift, kFoff),
        0, pool.foff);
    if (run.request == nullptr || !run.params_known) return;
    const std::uint32_t source = run.params_base + pool.foff;
    if (entry.cacheable()) {
        check_cacheable(entry, at(Rule::PoolParamOnChip, kFlags), source, run.params_base);
    } else {
        run.require_least(at(Rule::PoolParamOnChipUncached, kFlags), format::kExternalLimit,
                          source);
    }
}

/// RELOC id 1: the caller's external RAM.
void check_external_pool(const Entry& entry) {
    Run& run = entry.run;
    const Pool& pool = entry.pool;
    if (pool.flags.data() == PoolData::Param) run.fault(at(Rule::PoolExternalParam, kFlags), 2, 1);
    if (pool.flags.data() == PoolData::Mixed) {
        check_source(entry, entry.rounded);
        check_blobs(entry, Rule::PoolMixedReadsBlobs);
    }
    if (run.request == nullptr) return;
    run.address = to_word(run.request->ext_ram);
    if (run.address == 0) return run.fault(at(Rule::PoolExternalMissing, kSize), entry.rounded, 0);
    run.require_least(at(Rule::PoolExternalTooSmall, kSize), entry.rounded,
                      run.request->ext_ram_bytes);
    if (entry.cacheable()) {
        check_cacheable(entry, at(Rule::PoolExternalOnChip, kFlags), run.address, run.address);
    }
}

/// Judges where a COPY or RESET pool lies against everything else the install uses.
void check_neighbours(const Entry& entry, const AddressRange& destination) {
    Run& run = entry.run;
    const std::uint32_t before = run.errors;
    for (std::uint32_t i = 0; i < run.index; ++i) {
        Pool other;
        if (!run.file.pool(i, other)) return;
        if (other.flags.type() != PoolType::Copy && other.flags.type() != PoolType::Reset) continue;
        run.require_apart(at(Rule::PoolOverlapsPool, kDst), destination,
                          {static_cast<GuestAddr>(other.dst), format::align8(other.bytes)});
    }
    static_assert(follows(Rule::PoolOverlapsExec, kInstance, Rule::PoolOverlapsInstance));
    for (std::uint32_t i = 0; i < kRegionCount; ++i) {
        run.require_apart(after(at(Rule::PoolOverlapsExec, kDst), i), destination, run.regions[i]);
    }
    if (run.request == nullptr || run.errors != before) return;
    const bool written =
        entry.pool.flags.type() == PoolType::Copy || (run.request->mode & format::kModeClear) != 0;
    if (!written || is_granted(*run.request, destination)) return;
    const bool rounding = is_granted(*run.request, {destination.start, entry.pool.bytes});
    run.fault(rounding ? at(Rule::PoolDestinationRoundingNotGranted, kDst)
                       : at(Rule::PoolDestinationNotGranted, kDst),
              kNotApplicable, destination.bytes);
}

/// COPY and RESET: absolute destinations.
void check_absolute_pool(const Entry& entry) {
    Run& run = entry.run;
    const Pool& pool = entry.pool;
    run.require_equal(at(Rule::PoolIdIgnored, kFlags), 0, pool.flags.id());
    if (pool.flags.type() == PoolType::Copy) {
        if (pool.flags.data() == PoolData::Activation) {
            run.fault(at(Rule::PoolCopyActivation, kFlags), 1, 2);
        }
        check_source(entry, entry.rounded);
        check_blobs(entry, Rule::PoolCopyReadsBlobs);
    } else if (entry.has_parameters()) {
        run.fault(at(Rule::PoolResetParam, kFlags), 2,
                  static_cast<std::uint32_t>(pool.flags.data()));
    }
    run.address = pool.dst;
    if (pool.dst == 0) return run.fault(at(Rule::PoolDestinationNull, kDst), kNotApplicable, 0);
    run.require_multiple(at(Rule::PoolDestinationAlignment, kDst), 8, pool.dst);
    const AddressRange destination{static_cast<GuestAddr>(pool.dst), entry.rounded};
    const std::uint32_t room = 0u - pool.dst;
    if (entry.rounded > room) {
        return run.fault(at(Rule::PoolDestinationWraps, kDst), room, entry.rounded);
    }
    if (is_peripheral(destination)) {
        return run.fault(at(Rule::PoolDestinationPeripheral, kDst), kNotApplicable, pool.dst);
    }
    if (pool.dst >= format::kExternalLimit) {
        run.fault(at(Rule::PoolDestinationExternal, kDst), kNotApplicable, pool.dst);
    }
    check_neighbours(entry, destination);
}

void check_reloc_pool(Entry& entry) {
    Run& run = entry.run;
    const std::uint32_t id = entry.pool.flags.id();
    run.require_equal(at(Rule::PoolDestinationIgnored, kDst), 0, entry.pool.dst);
    if (id > 1) return run.fault(at(Rule::PoolIdUnknown, kFlags), 1, id);
    static_assert(follows(Rule::PoolParamTwice, 1, Rule::PoolExternalTwice));
    if ((entry.seen >> id & 1) != 0) run.fault(after(at(Rule::PoolParamTwice, kFlags), id), 1, 2);
    entry.seen |= 1u << id;
    id == 0 ? check_param_pool(entry) : check_external_pool(entry);
}

void check_pool(Entry& entry) {
    Run& run = entry.run;
    const Pool& pool = entry.pool;
    entry.rounded = format::align8(pool.bytes);
    run.require_text(at(Rule::PoolNameSpace, kName), pool.name);
    const auto data = static_cast<std::uint32_t>(pool.flags.data());
    if (data - 1 > 2) run.fault(at(Rule::PoolDataUnknown, kFlags), kNotApplicable, data);
    run.require_most(at(Rule::PoolAttributesUnknown, kFlags), 7, pool.flags.attributes());
    if (pool.bytes == 0) run.fault(at(Rule::PoolSizeZero, kSize), kNotApplicable, 0);
    if (entry.rounded < pool.bytes) {
        return run.fault(at(Rule::PoolSizeWraps, kSize), 0xFFFFFFF8u, pool.bytes);
    }
    Rule rule = Rule::PoolTypeUnknown;
    switch (pool.flags.type()) {
        case PoolType::Reloc:
            return check_reloc_pool(entry);
        case PoolType::Copy:
        case PoolType::Reset:
            return check_absolute_pool(entry);
        case PoolType::Unused:
            rule = Rule::PoolTypeUnused;
            break;
        case PoolType::Unsupported:
            rule = Rule::PoolTypeUnsupported;
            break;
    }
    run.fault(at(rule, kFlags), kNotApplicable, static_cast<std::uint32_t>(pool.flags.type()));
}

void add_sizes(Run& run, const Pool& pool) {
    const std::uint32_t rounded = format::align8(pool.bytes);
    const PoolData data = pool.flags.data();
    run.pools_size += pool.bytes;
    run.pools_rounded += rounded;
    if (data != PoolData::Param) run.has_activations = true;
    if (data != PoolData::Activation) run.constants_rounded += rounded;
}

/// Compares the pools with the sums that the packer stores in rt_ctx: used bytes of constants and
/// of all else, counted pool by pool. A MIXED pool counts to both, and no field says in which
/// parts. Sums of sizes that are rounded up to 8 count as equal: so much is copied or cleared.
void check_sums(Run& run) {
    if (!run.context_ok) return;
    run.go(run.context_at);
    const std::uint32_t params = run.context.params_sz, acts = run.context.acts_sz;
    if (params > run.constants_rounded) {
        return run.fault(at(Rule::ContextParamsSize, loader::context_offset::kParamsSize),
                         run.constants_rounded, params);
    }
    // Without a pool for them, activations are variables of the model. A parameter pool may begin
    // with the blobs of the section, which no sum counts.
    const std::uint32_t variables = run.has_activations ? 0 : run.rw - run.copied;
    const std::uint32_t blobs = run.params_bytes - run.context.params_bin_sz;
    const bool too_much = acts > run.pools_rounded + variables - params;  // the sum may wrap
    const std::uint32_t pools = run.pools_size > params ? run.pools_size - params : 0;
    if (too_much || (pools > acts && pools - acts > blobs))
        run.fault(at(Rule::ContextActsSize, loader::context_offset::kActsSize), pools, acts);
}

}  // namespace

void gather_pools(Run& run) {
    if (!run.bounds_ok) return;
    const std::uint32_t room = table_room(run);
    Pool pool;
    for (; run.pool_count < room && run.pool_count < format::kMaxPoolsVisited; ++run.pool_count) {
        if (!run.file.pool(run.pool_count, pool) || pool.terminates()) return;
        add_sizes(run, pool);
        if (is_external(pool)) {
            run.has_external = true;
            run.external_size = pool.bytes;
            run.external_bytes = format::align8(pool.bytes);
        } else if (pool.flags.raw >> 16 == 0x0101 && pool.flags.id() == 0) {
            run.param_foff = pool.foff;  // RELOC, PARAM
        }
    }
}

void check_pools(Run& run) {
    const Header& header = run.header();
    if (!run.bounds_ok) return;
    const std::uint32_t room = table_room(run);
    run.go(0);
    run.require_multiple(at(Rule::PoolTableAlignment, format::kOffParamsStart), 4,
                         header.params_start);
    if (room == 0) {
        return run.fault(at(Rule::PoolTableOutside, format::kOffParamsStart), run.data_end,
                         format::link_offset(header.params_start));
    }
    if (run.context_ok) {
        run.go(run.context_at);
        run.require_equal(at(Rule::ContextExtRamSize, loader::context_offset::kExtRamSize),
                          run.external_size, run.context.ext_ram_sz);
    }
    Entry entry{run, {}};
    for (std::uint32_t i = 0; i <= run.pool_count && !run.stopped; ++i) {
        run.go(run.table_at + i * format::kPoolBytes, i);
        if (i == format::kMaxPoolsVisited) return run.fault(at(Rule::PoolTableTen), i - 1, i);
        if (i == room) return run.fault(at(Rule::PoolTableUnterminated), room, i);
        if (!run.file.pool(i, entry.pool)) return run.fault(at(Rule::SectionUnreadable));
        if (!entry.pool.terminates()) {
            check_pool(entry);
            continue;
        }
        const std::uint32_t rest = entry.pool.flags.raw | entry.pool.name;
        run.require_equal(at(Rule::PoolTerminatorPartial), 0, rest);
        if (i == 0 && rest == 0) run.fault(at(Rule::PoolTableEmpty));
    }
    check_sums(run);
}

}  // namespace n6vp::loader::checks

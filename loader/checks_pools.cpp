// SPDX-License-Identifier: Apache-2.0
#include "loader/checks.h"

namespace n6vp::loader::checks {

namespace {

using format::PoolData;
using format::PoolType;

/// One descriptor under judgement.
struct Entry {
    Run& run;
    Pool pool;
    std::uint32_t index;
    std::uint32_t file_offset;
    std::uint32_t rounded;  ///< bytes the vendor's loader copies or clears: size rounded up to 8

    void add(Rule rule, std::uint32_t field, std::uint32_t expected, std::uint32_t found,
             std::uint32_t address = kNotApplicable) const {
        run.report.add(rule, {file_offset + field, index, address}, expected, found);
    }
};

/// Byte offsets in a descriptor.
enum : std::uint32_t { kName = 0, kFlags = 4, kFoff = 8, kDst = 12, kSize = 16 };

std::uint32_t table_offset(const Header& header) {
    return header.ro_bytes() + format::link_offset(header.params_start);
}

/// Returns how many descriptors, terminator included, fit between the table's start and the end of
/// .data.
std::uint32_t table_room(const Header& header) {
    const std::uint32_t start = format::link_offset(header.params_start);
    const std::uint32_t end = format::link_offset(header.data_end);
    return start < end ? (end - start) / format::kPoolBytes : 0;
}

bool has_parameters(const Pool& pool) {
    return pool.flags.data() == PoolData::Param || pool.flags.data() == PoolData::Mixed;
}

bool is_external(const Pool& pool) {
    return pool.flags.type() == PoolType::Reloc && pool.flags.id() == 1;
}

/// Judges [foff, foff + size) against the parameter section. `copied` tells whether the rounded
/// length is read.
void check_source(const Entry& entry, bool copied) {
    const Pool& pool = entry.pool;
    const Parameters& params = entry.run.params;
    if (!params.known) return;
    const std::uint64_t end = std::uint64_t{pool.foff} + pool.bytes;
    const std::uint64_t rounded_end =
        std::uint64_t{pool.foff} + (copied ? entry.rounded : pool.bytes);
    const std::uint32_t source = to_word(params.base) + pool.foff;
    if (to_word(params.base) + rounded_end > std::uint64_t{1} << 32) {
        entry.add(Rule::PoolSourceWraps, kFoff, 0u - to_word(params.base), pool.foff, source);
    } else if (params.bytes != kUnknownBytes && end > params.bytes) {
        entry.add(Rule::PoolSourceOutside, kFoff, params.bytes, static_cast<std::uint32_t>(end),
                  source);
    } else if (params.bytes != kUnknownBytes && rounded_end > params.bytes) {
        entry.add(Rule::PoolSourceRounding, kSize, params.bytes,
                  static_cast<std::uint32_t>(rounded_end), source);
    }
    if (pool.foff % 8 != 0) entry.add(Rule::PoolSourceAlignment, kFoff, 8, pool.foff % 8, source);
}

/// A known defect of the vendor's packer: with blobs in front of the parameters some pools keep the
/// offset they would have without.
bool reads_blobs(const Entry& entry) {
    const Parameters& params = entry.run.params;
    return params.blobs_first && entry.pool.foff < (params.blob_bytes != 0 ? params.blob_bytes : 1);
}

/// RELOC id 0: weights used where they are.
void check_param_pool(const Entry& entry) {
    const Pool& pool = entry.pool;
    const Parameters& params = entry.run.params;
    switch (pool.flags.data()) {
        case PoolData::Mixed:
            entry.add(Rule::PoolParamMixed, kFlags, 1, 3);
            break;
        case PoolData::Activation:
            entry.add(Rule::PoolParamActivation, kFlags, 1, 2);
            break;
        default:
            break;
    }
    if ((pool.flags.attributes() & format::kPoolWrite) != 0) {
        entry.add(Rule::PoolParamWrite, kFlags, pool.flags.raw & ~(format::kPoolWrite << 8),
                  pool.flags.raw);
    }
    check_source(entry, false);
    if (pool.foff != 0) {
        entry.add(params.blobs_first ? Rule::PoolParamShiftsBlobs : Rule::PoolParamShift, kFoff, 0,
                  pool.foff);
    }
    if (entry.run.request == nullptr || !params.known) return;
    const std::uint32_t source = to_word(params.base) + pool.foff;
    const bool cacheable = (pool.flags.attributes() & format::kPoolCacheable) != 0;
    if (source < format::kExternalLimit) {
        entry.add(cacheable ? Rule::PoolParamOnChip : Rule::PoolParamOnChipUncached, kFlags,
                  format::kExternalLimit, source, source);
    } else if (cacheable && to_word(params.base) <= format::kExternalLimit) {
        entry.add(Rule::PoolParamAtLimit, kFlags, format::kExternalLimit + 4, to_word(params.base),
                  source);
    }
}

/// RELOC id 1: the caller's external RAM.
void check_external_pool(const Entry& entry) {
    const Pool& pool = entry.pool;
    if (pool.flags.data() == PoolData::Param) entry.add(Rule::PoolExternalParam, kFlags, 2, 1);
    if (pool.flags.data() == PoolData::Mixed) {
        check_source(entry, true);
        if (reads_blobs(entry)) {
            entry.add(Rule::PoolMixedReadsBlobs, kFoff, entry.run.params.blob_bytes, pool.foff);
        }
    }
    if (entry.run.request == nullptr) return;
    const InstallRequest& request = *entry.run.request;
    const std::uint32_t address = to_word(request.ext_ram);
    if (address == 0) return entry.add(Rule::PoolExternalMissing, kSize, entry.rounded, 0);
    if (request.ext_ram_bytes < entry.rounded) {
        entry.add(Rule::PoolExternalTooSmall, kSize, entry.rounded, request.ext_ram_bytes, address);
    }
    if ((pool.flags.attributes() & format::kPoolCacheable) == 0) return;
    if (address < format::kExternalLimit) {
        entry.add(Rule::PoolExternalOnChip, kFlags, format::kExternalLimit, address, address);
    } else if (address == format::kExternalLimit) {
        entry.add(Rule::PoolExternalAtLimit, kFlags, format::kExternalLimit + 4, address, address);
    }
}

void check_earlier_pools(const Entry& entry, AddressRange destination) {
    for (std::uint32_t i = 0; i < entry.index; ++i) {
        Pool other;
        if (!entry.run.file.pool(i, other)) return;
        const PoolType type = other.flags.type();
        if (type != PoolType::Copy && type != PoolType::Reset) continue;
        check_overlap(entry.run, Rule::PoolOverlapsPool, destination,
                      {static_cast<GuestAddr>(other.dst), format::align8(other.bytes)},
                      entry.index);
    }
}

/// Judges where a COPY or RESET pool lies against everything else the install uses.
void check_neighbours(const Entry& entry, AddressRange destination) {
    Run& run = entry.run;
    check_earlier_pools(entry, destination);
    if (run.request == nullptr) return;
    const std::uint32_t before = run.report.errors();
    const std::uint32_t i = entry.index;
    check_overlap(run, Rule::PoolOverlapsExec, destination, exec_range(run), i);
    check_overlap(run, Rule::PoolOverlapsExt, destination, external_range(run), i);
    check_overlap(run, Rule::PoolOverlapsFile, destination, image_range(run), i);
    check_overlap(run, Rule::PoolOverlapsParams, destination, params_range(run), i);
    check_overlap(run, Rule::PoolOverlapsInstance, destination, instance_range(*run.request), i);
    const bool written =
        entry.pool.flags.type() == PoolType::Copy || (run.request->mode & format::kModeClear) != 0;
    if (!written || run.report.errors() != before || is_granted(*run.request, destination)) return;
    const bool rounding = is_granted(*run.request, {destination.start, entry.pool.bytes});
    entry.add(rounding ? Rule::PoolDestinationRoundingNotGranted : Rule::PoolDestinationNotGranted,
              kDst, kNotApplicable, destination.bytes, entry.pool.dst);
}

/// COPY and RESET: absolute destinations.
void check_absolute_pool(const Entry& entry) {
    const Pool& pool = entry.pool;
    const bool copies = pool.flags.type() == PoolType::Copy;
    if (pool.flags.id() != 0) entry.add(Rule::PoolIdIgnored, kFlags, 0, pool.flags.id());
    if (copies && pool.flags.data() == PoolData::Activation)
        entry.add(Rule::PoolCopyActivation, kFlags, 1, 2);
    if (!copies && has_parameters(pool)) {
        entry.add(Rule::PoolResetParam, kFlags, 2, static_cast<std::uint32_t>(pool.flags.data()));
    }
    if (copies) {
        check_source(entry, true);
        if (reads_blobs(entry))
            entry.add(Rule::PoolCopyReadsBlobs, kFoff, entry.run.params.blob_bytes, pool.foff);
    }
    if (pool.dst == 0) return entry.add(Rule::PoolDestinationNull, kDst, kNotApplicable, 0);
    const AddressRange destination{static_cast<GuestAddr>(pool.dst), entry.rounded};
    if (pool.dst % 8 != 0)
        entry.add(Rule::PoolDestinationAlignment, kDst, 8, pool.dst % 8, pool.dst);
    if (destination.wraps()) {
        return entry.add(Rule::PoolDestinationWraps, kDst, 0u - pool.dst, entry.rounded, pool.dst);
    }
    if (is_peripheral(destination)) {
        return entry.add(Rule::PoolDestinationPeripheral, kDst, kNotApplicable, pool.dst, pool.dst);
    }
    if (pool.dst >= format::kExternalLimit) {
        entry.add(Rule::PoolDestinationExternal, kDst, kNotApplicable, pool.dst, pool.dst);
    }
    check_neighbours(entry, destination);
}

void check_reloc_pool(const Entry& entry, std::uint32_t& seen) {
    const std::uint32_t id = entry.pool.flags.id();
    if (entry.pool.dst != 0) entry.add(Rule::PoolDestinationIgnored, kDst, 0, entry.pool.dst);
    if (id > 1) return entry.add(Rule::PoolIdUnknown, kFlags, 1, id);
    if ((seen >> id & 1) != 0) entry.add(rule_after(Rule::PoolParamTwice, id), kFlags, 1, 2);
    static_assert(rule_after(Rule::PoolParamTwice, 1) == Rule::PoolExternalTwice);
    seen |= 1u << id;
    id == 0 ? check_param_pool(entry) : check_external_pool(entry);
}

void check_pool(const Entry& entry, std::uint32_t& seen) {
    const Pool& pool = entry.pool;
    check_text(entry.run, Rule::PoolNameSpace, pool.name, {entry.file_offset, entry.index});
    const auto data = static_cast<std::uint32_t>(pool.flags.data());
    if (data == 0 || data > 3) entry.add(Rule::PoolDataUnknown, kFlags, kNotApplicable, data);
    if (pool.flags.attributes() > 7) {
        entry.add(Rule::PoolAttributesUnknown, kFlags, pool.flags.attributes() & 7,
                  pool.flags.attributes());
    }
    if (pool.bytes == 0) entry.add(Rule::PoolSizeZero, kSize, kNotApplicable, 0);
    if (entry.rounded < pool.bytes)
        return entry.add(Rule::PoolSizeWraps, kSize, 0xFFFFFFF8u, pool.bytes);
    switch (pool.flags.type()) {
        case PoolType::Reloc:
            return check_reloc_pool(entry, seen);
        case PoolType::Copy:
        case PoolType::Reset:
            return check_absolute_pool(entry);
        case PoolType::Unused:
            return entry.add(Rule::PoolTypeUnused, kFlags, kNotApplicable, 0);
        case PoolType::Unsupported:
            return entry.add(Rule::PoolTypeUnsupported, kFlags, kNotApplicable, 0xFF);
    }
    entry.add(Rule::PoolTypeUnknown, kFlags, kNotApplicable,
              static_cast<std::uint32_t>(pool.flags.type()));
}

}  // namespace

void gather_pools(Run& run) {
    if (!run.bounds_ok) return;
    const std::uint32_t room = table_room(run.header());
    PoolFacts& facts = run.pools;
    Pool pool;
    for (; facts.count < room && facts.count < format::kMaxPoolsVisited; ++facts.count) {
        if (!run.file.pool(facts.count, pool) || pool.terminates()) return;
        if (is_external(pool)) {
            facts.has_external = true;
            facts.external_size = pool.bytes;
            facts.external_bytes = format::align8(pool.bytes);
        } else if (pool.flags.type() == PoolType::Reloc && pool.flags.id() == 0 &&
                   pool.flags.data() == PoolData::Param) {
            facts.param_foff = pool.foff;
        }
    }
}

void check_pools(Run& run) {
    const Header& header = run.header();
    if (!run.bounds_ok) return;
    const Place table{format::kOffParamsStart};
    const std::uint32_t room = table_room(header);
    if (header.params_start % 4 != 0)
        run.report.add(Rule::PoolTableAlignment, table, 4, header.params_start % 4);
    if (room == 0) {
        return run.report.add(Rule::PoolTableOutside, table, format::link_offset(header.data_end),
                              format::link_offset(header.params_start));
    }
    if (run.context_ok && run.context.ext_ram_sz != run.pools.external_size) {
        run.report.add(Rule::ContextExtRamSize,
                       {run.context_offset() + loader::context_offset::kExtRamSize},
                       run.pools.external_size, run.context.ext_ram_sz);
    }
    std::uint32_t seen = 0;
    for (std::uint32_t i = 0; i < format::kMaxPoolsVisited && !run.report.stopped(); ++i) {
        const std::uint32_t offset = table_offset(header) + i * format::kPoolBytes;
        Entry entry{run, {}, i, offset, 0};
        if (i == room) return run.report.add(Rule::PoolTableUnterminated, {offset, i}, room, i);
        if (!run.file.pool(i, entry.pool))
            return run.report.add(Rule::SectionUnreadable, {offset, i});
        if (entry.pool.terminates()) {
            if (entry.pool.flags.raw != 0 || entry.pool.name != 0) {
                entry.add(Rule::PoolTerminatorPartial, 0, 0,
                          entry.pool.flags.raw | entry.pool.name);
            } else if (i == 0) {
                run.report.add(Rule::PoolTableEmpty, {offset, i});
            }
            return;
        }
        entry.rounded = format::align8(entry.pool.bytes);
        check_pool(entry, seen);
    }
    run.report.add(Rule::PoolTableTen, table, format::kMaxPoolsVisited - 1,
                   format::kMaxPoolsVisited);
}

}  // namespace n6vp::loader::checks

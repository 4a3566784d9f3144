// SPDX-License-Identifier: Apache-2.0
#include "loader/capi/environment.h"

#include "memmap/regions.h"

namespace n6vp::loader::capi {

namespace {

constexpr std::uint32_t kRegisterCpuid = 0xE000ED00;
constexpr std::uint32_t kRegisterCpacr = 0xE000ED88;

static_assert(static_cast<int>(CacheOp::McuClean) == N6VP_RELOC_MCU_CLEAN);
static_assert(static_cast<int>(CacheOp::McuCleanInvalidate) == N6VP_RELOC_MCU_CLEAN_INVALIDATE);
static_assert(static_cast<int>(CacheOp::McuInvalidate) == N6VP_RELOC_MCU_INVALIDATE);
static_assert(static_cast<int>(CacheOp::McuInstructionInvalidate) ==
              N6VP_RELOC_MCU_INSTRUCTION_INVALIDATE);
static_assert(static_cast<int>(CacheOp::NpuClean) == N6VP_RELOC_NPU_CLEAN);
static_assert(static_cast<int>(CacheOp::NpuCleanInvalidate) == N6VP_RELOC_NPU_CLEAN_INVALIDATE);
static_assert(static_cast<int>(CacheOp::NpuInvalidateAll) == N6VP_RELOC_NPU_INVALIDATE_ALL);

static_assert(static_cast<int>(Phase::Checks) == N6VP_RELOC_PART_CHECKS);
static_assert(static_cast<int>(Phase::Pools) == N6VP_RELOC_PART_POOLS);
static_assert(static_cast<int>(Phase::ReadOnlyCopy) == N6VP_RELOC_PART_READ_ONLY_COPY);
static_assert(static_cast<int>(Phase::DataBss) == N6VP_RELOC_PART_DATA_BSS);
static_assert(static_cast<int>(Phase::Got) == N6VP_RELOC_PART_GOT);
static_assert(static_cast<int>(Phase::Relocation) == N6VP_RELOC_PART_RELOCATION);
static_assert(static_cast<int>(Phase::Finish) == N6VP_RELOC_PART_FINISH);

constexpr bool is_memory(const memmap::Region& region) {
    return region.kind != memmap::RegionKind::Stub;
}

/// Every memory of the STM32N6, adjacent ones merged; what a Strict build takes for mapped unless
/// told otherwise. TCMs count with their extended size.
constexpr memmap::RangeList chip_memory() {
    memmap::RangeList list;
    for (const memmap::Region& region : memmap::kRegions) {
        if (!is_memory(region) || !region.has_two_aliases()) continue;
        memmap::detail::append_merged(list, {region.non_secure, region.largest_bytes});
    }
    for (const memmap::Region& region : memmap::kRegions) {
        if (is_memory(region))
            memmap::detail::append_merged(list, {region.secure, region.largest_bytes});
    }
    return list;
}

constexpr memmap::RangeList kChipMemory = chip_memory();

std::uint32_t read_register(std::uint32_t address) {
    return *typed_pointer<const volatile std::uint32_t>(address);
}

RuntimeProfile profile_of(const n6vp_reloc_profile& given) {
    RuntimeProfile profile;
    profile.version = {given.version_major, given.version_minor, given.version_micro,
                       given.version_dev};
    profile.generation = generation_of(profile.version);
    profile.secure = given.secure != 0;
    profile.dbg_info = given.dbg_info != 0;
    profile.async = given.async_mode != 0;
    profile.ndebug = given.ndebug != 0;
    profile.buffer_info_bytes = given.buffer_info_bytes;
    profile.epoch_item_bytes = given.epoch_item_bytes;
    profile.cpu_part = read_register(kRegisterCpuid) >> 4 & 0xFFF;
    profile.fpu_enabled = (read_register(kRegisterCpacr) >> 20 & 0xF) != 0;
    return profile;
}

void maintain(void* context, CacheOp op, GuestAddr start, std::uint32_t bytes) {
    const auto* platform = static_cast<const n6vp_reloc_platform_t*>(context);
    if (platform->maintain == nullptr) return;
    platform->maintain(static_cast<n6vp_reloc_cache_op>(op), to_word(start), bytes);
}

void enter(void* context, Phase phase) {
    const auto* platform = static_cast<const n6vp_reloc_platform_t*>(context);
    if (platform->part != nullptr) platform->part(static_cast<std::uint32_t>(phase));
}

bool convert(const n6vp_reloc_range* from, std::uint32_t count, AddressRange* to) {
    if (count > N6VP_RELOC_MAX_RANGES) return false;
    for (std::uint32_t i = 0; i < count; ++i) to[i] = {GuestAddr{from[i].start}, from[i].bytes};
    return true;
}

}  // namespace

Environment::Environment()
    : platform_(n6vp_reloc_platform()), profile_(profile_of(platform_->profile)) {
    memory_.context = const_cast<n6vp_reloc_platform_t*>(platform_);  // handed back as const only
    memory_.maintain = maintain;
    memory_.enter = enter;
    grant_count_ = platform_->grants == nullptr ? 0 : platform_->grant_count;
    const bool has_map = platform_->mapped != nullptr;
    usable_ = convert(platform_->grants, grant_count_, grants_) &&
              convert(platform_->mapped, has_map ? platform_->mapped_count : 0, mapped_);
    if (!usable_) grant_count_ = 0;
    if (has_map) {
        memory_.mapped = mapped_;
        memory_.mapped_count = usable_ ? platform_->mapped_count : 0;
    } else if (!kCompat) {
        memory_.mapped = kChipMemory.ranges;
        memory_.mapped_count = kChipMemory.count;
    }
    port_ = direct_port(memory_);
}

}  // namespace n6vp::loader::capi

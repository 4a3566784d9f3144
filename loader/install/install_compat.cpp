// SPDX-License-Identifier: Apache-2.0
#include "loader/install_compat.h"

#include "loader/image.h"

/// The vendor's verdicts in the vendor's order, weaknesses included. Nothing here makes an install
/// safe: the guards of Installer do.
namespace n6vp::loader {

namespace {

using format::HeaderOffset;

/// Flags word against firmware.
Rule flags_fault(format::Flags flags, const RuntimeProfile& profile) {
    // Refused only if both numbers are wrong.
    if (flags.major() != 8 && flags.minor() != 0) return Rule::FlagsMajor;
    if (flags.cpu_part() != profile.cpu_part) return Rule::FirmwareCpuPart;
    if (flags.fpu() && !profile.fpu_enabled) return Rule::FirmwareFpuOff;
    if (flags.secure() && !profile.secure) return Rule::FirmwareNonSecure;
    const bool warns_only = profile.generation != Generation::Core21;
    if (!flags.secure() && profile.secure && !warns_only) return Rule::FirmwareSecureOnly;
    if (flags.dbg_info() && !profile.dbg_info) return Rule::FirmwareNoDbgInfo;
    if (!flags.dbg_info() && profile.dbg_info) return Rule::FirmwareDbgInfo;
    if (flags.async() && !profile.async) return Rule::FirmwarePolling;
    if (!flags.async() && profile.async) return Rule::FirmwareAsync;
    return Rule::None;
}

/// Checks 2 to 8.
Status judge_header(Installer& installer, const InstallRequest& request) {
    format::Flags flags;
    std::uint32_t magic = 0;
    Status status = installer.file_word(HeaderOffset::kOffFlags, flags.raw);
    if (status == Status::Ok) status = installer.file_word(HeaderOffset::kOffMagic, magic);
    if (status != Status::Ok) return status;
    if (magic != format::kMagic) return installer.refuse(Rule::Magic, 0, format::kMagic, magic);
    if (!is_aligned(request.file, 4)) {
        return installer.refuse(Rule::FileAlignment, 0, 4, to_word(request.file));
    }
    const Rule fault = flags_fault(flags, request.profile);
    if (fault == Rule::None) return Status::Ok;
    return installer.refuse(fault, HeaderOffset::kOffFlags, kNotApplicable, flags.raw);
}

/// Checks 9 to 11: what `rt_ctx` in the file says, found where this generation's header says.
Status judge_context(Installer& installer, const RuntimeProfile& profile) {
    Status status = installer.read_words();
    if (status != Status::Ok) return status;
    const std::uint32_t context = installer.words().ro_bytes + installer.words().context;
    std::uint32_t version = 0;
    status = installer.file_word(context + context_offset::kVersion, version);
    if (status != Status::Ok) return status;
    if ((version & 0xFFFFFF00u) != profile.version.word()) {
        return installer.refuse(Rule::FirmwareVersion, context + context_offset::kVersion,
                                profile.version.word(), version);
    }
    if (profile.generation == Generation::Core21) return Status::Ok;
    const std::uint32_t at = context + context_offset::kStructSizes;
    std::uint32_t sizes = 0;
    status = installer.file_word(at, sizes);
    if (status != Status::Ok) return status;
    const std::uint32_t buffer_info = sizes & 0xFF;
    const std::uint32_t epoch_item = sizes >> 8 & 0xFF;
    if (buffer_info != profile.buffer_info_bytes) {
        return installer.refuse(Rule::FirmwareBufferInfoSize, at, profile.buffer_info_bytes,
                                buffer_info);
    }
    if (epoch_item != profile.epoch_item_bytes) {
        return installer.refuse(Rule::FirmwareEpochItemSize, at, profile.epoch_item_bytes,
                                epoch_item);
    }
    return Status::Ok;
}

/// Checks 13 to 17. With both mode bits the size is that of XIP although COPY follows.
Status judge_request(Installer& installer, const InstallRequest& request) {
    const bool xip = (request.mode & format::kModeXip) != 0;
    const std::uint32_t need = format::align8(installer.words().rw_bytes) +
                               (xip ? 0 : format::align8(installer.words().ro_bytes));
    const auto refuse = [&installer](Rule rule, std::uint32_t expected, std::uint32_t found) {
        return installer.refuse(rule, kNotApplicable, expected, found);
    };
    if (need == 0) return refuse(Rule::ExecNothingNeeded, kNotApplicable, 0);
    if ((request.mode & (format::kModeXip | format::kModeCopy)) == 0) {
        return refuse(Rule::ModeNone, format::kModeXip, request.mode);
    }
    if (to_word(request.exec_ram) == 0) return refuse(Rule::ExecNull, kNotApplicable, 0);
    if (request.exec_ram_bytes == 0) return refuse(Rule::ExecSizeZero, need, 0);
    if (need > request.exec_ram_bytes) {
        return refuse(Rule::ExecTooSmall, need, request.exec_ram_bytes);
    }
    if (!is_aligned(request.ext_ram, 4)) {
        return refuse(Rule::ExtAlignment, 4, to_word(request.ext_ram));
    }
    if (!is_aligned(request.exec_ram, 4)) {
        return refuse(Rule::ExecAlignment, 4, to_word(request.exec_ram));
    }
    return Status::Ok;
}

/// Returns true for an outcome that the vendor's loader itself would have reported.
bool is_vendor_verdict(Status status) {
    return status != Status::WouldOverwrite && status != Status::WouldFault &&
           status != Status::BusError;
}

/// Returns the rule for an address that must lie above the on-chip limit, or None.
Rule external_fault(GuestAddr address, Rule below, Rule exactly) {
    if (to_word(address) > format::kExternalLimit) return Rule::None;
    return to_word(address) == format::kExternalLimit ? exactly : below;
}

}  // namespace

Rule vendor_pool_fault(const Pool& pool, GuestAddr base, const InstallRequest& request) {
    if (pool.flags.type() != format::PoolType::Reloc) return Rule::None;
    const bool cached = (pool.flags.attributes() & format::kPoolCacheable) != 0;
    Rule fault = Rule::None;
    switch (pool.flags.id()) {
        case 0:
            if (cached) fault = external_fault(base, Rule::PoolParamOnChip, Rule::PoolParamAtLimit);
            if (fault != Rule::None) return fault;
            if (pool.flags.data() == format::PoolData::Mixed) return Rule::PoolParamMixed;
            if ((pool.flags.attributes() & format::kPoolWrite) != 0) return Rule::PoolParamWrite;
            return Rule::None;
        case 1:
            if (to_word(request.ext_ram) == 0) return Rule::PoolExternalMissing;
            if (cached) {
                fault = external_fault(request.ext_ram, Rule::PoolExternalOnChip,
                                       Rule::PoolExternalAtLimit);
            }
            if (fault != Rule::None) return fault;
            if (request.ext_ram_bytes < format::align8(pool.bytes))
                return Rule::PoolExternalTooSmall;
            return Rule::None;
        default:
            return Rule::PoolIdUnknown;
    }
}

Status install_compat(const MemoryPort& port, const InstallRequest& request, InstallResult& result,
                      Diagnosis& why) {
    // This loader generation's own idea of the header length, right or wrong for the file.
    const bool long_header = request.profile.generation >= Generation::Core30;
    Installer installer(port, request,
                        long_header ? format::kLongContextOffset : format::kShortContextOffset,
                        result, why);
    installer.enter(Phase::Checks);
    if (to_word(request.instance) == 0) {
        return installer.refuse(Rule::InstanceNull, kNotApplicable, kNotApplicable, 0);
    }
    if (to_word(request.file) == 0) {
        return installer.refuse(Rule::FileNull, kNotApplicable, kNotApplicable, 0);
    }
    Status status = judge_header(installer, request);
    if (status == Status::Ok) status = judge_context(installer, request.profile);
    if (status != Status::Ok) return status;
    status = judge_request(installer, request);
    if (status == Status::Ok) status = installer.pools();
    if (status == Status::Ok) status = installer.image();
    // From here on the instruction cache is invalidated whatever the outcome; 1.1.0 never does.
    if (is_vendor_verdict(status) && request.profile.generation != Generation::Core21) {
        installer.maintain(CacheOp::McuInstructionInvalidate, request.exec_ram,
                           request.exec_ram_bytes);
    }
    return status;
}

}  // namespace n6vp::loader

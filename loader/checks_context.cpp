// SPDX-License-Identifier: Apache-2.0
#include "loader/checks.h"

namespace n6vp::loader::checks {

namespace {

using format::link_offset;

constexpr std::uint32_t kVersion112 = 0x01010200u;  ///< from here on the long header appears
constexpr std::uint32_t kVersion113 = 0x01010300u;  ///< from here on nothing else

/// Fields that the installer fills in: a file that brings its own values was dumped from a running
/// system.
void check_runtime_fields(Run& run) {
    namespace at = loader::context_offset;
    const RuntimeContext& context = run.context;
    const std::uint32_t values[] = {context.state,    context.file_addr, context.ram_addr,
                                    context.rom_addr, context.cbs,       context.ll_instance};
    const std::uint32_t offsets[] = {at::kState,     at::kFileAddr,
                                     at::kRamAddr,   at::kRomAddr,
                                     at::kCallbacks, at::instance(context.has_struct_sizes)};
    static_assert(rule_after(Rule::ContextState, 5) == Rule::ContextInstance);
    for (std::uint32_t i = 0; i < 6; ++i) {
        if (values[i] == 0) continue;
        run.report.add(rule_after(Rule::ContextState, i), {run.context_offset() + offsets[i]}, 0,
                       values[i]);
    }
}

void check_version(Run& run) {
    namespace at = loader::context_offset;
    const std::uint32_t word = run.context.rt_version;
    const std::uint32_t release = word & 0xFFFFFF00u;
    const Place place{run.context_offset() + at::kVersion};
    const bool known = release >= 0x01010000u && release <= kVersion113;
    if (!known) run.report.add(Rule::ContextVersion, place, kNotApplicable, word);
    if (release != word) run.report.add(Rule::ContextVersionLowByte, place, release, word);
    static constexpr std::uint16_t kPublishedDevs[] = {31, 14, 5, 8, 262};
    bool known_dev = false;
    for (const std::uint16_t dev : kPublishedDevs) {
        known_dev = known_dev || run.context.rt_version_extra == dev;
    }
    if (!known_dev) {
        run.report.add(Rule::ContextDev, {run.context_offset() + at::kVersionExtra}, kNotApplicable,
                       run.context.rt_version_extra);
    }
    // Development builds of 1.1.2 exist with either header.
    const std::uint32_t header_bytes = run.header().header_bytes;
    const bool contradicts =
        release < kVersion112 ? header_bytes != format::kShortHeaderBytes
                              : release >= kVersion113 && header_bytes != format::kLongHeaderBytes;
    if (contradicts) {
        run.report.add(Rule::HeaderLengthVersion, place,
                       header_bytes ^ format::kShortHeaderBytes ^ format::kLongHeaderBytes,
                       header_bytes);
    }
}

void check_network(Run& run) {
    namespace at = loader::context_offset;
    // NN_Interface_TypeDef: 11 pointers up to 1.1.1, 13 from 1.1.3.
    const std::uint32_t bytes = run.header().header_bytes == format::kShortHeaderBytes ? 44 : 52;
    const std::uint32_t network = run.context.itf_network;
    const Place place{run.context_offset() + at::network(run.context.has_struct_sizes)};
    if (!format::in_space(network, format::Space::Ram)) {
        run.report.add(Rule::ContextNetworkSpace, place, 0x40000000u | link_offset(network),
                       network);
    } else if (link_offset(network) + bytes > run.header().rw_bytes()) {
        run.report.add(Rule::ContextNetworkOutside, place, run.header().rw_bytes(),
                       link_offset(network) + bytes);
    }
}

void check_struct_sizes(Run& run) {
    if (!run.context.has_struct_sizes) return;
    const std::uint32_t word = run.context.rt_c_struct_sizes;
    const std::uint32_t buffer = word & 0xFF;
    const std::uint32_t item = word >> 8 & 0xFF;
    const Place place{run.context_offset() + loader::context_offset::kStructSizes};
    const bool item_known = item == 48 || item == 20;
    if ((buffer != 56 && buffer != 64) || !item_known) {
        run.report.add(Rule::ContextStructSizes, place, 0x3038, word);
    }
    const std::uint32_t item_of_flag = run.header().flags.dbg_info() ? 48 : 20;
    if (item_known && item != item_of_flag) {
        run.report.add(Rule::ContextStructDbg, place, item_of_flag, item);
    }
    if (word >> 16 != 0) run.report.add(Rule::ContextStructReserved, place, 0, word >> 16);
}

}  // namespace

void check_text(Run& run, Rule base, std::uint32_t link_address, Place place) {
    enum : std::uint32_t { kSpace, kOutside, kUnterminated, kTooLong, kEmpty, kUnprintable };
    const std::uint32_t ro = run.header().ro_bytes();
    const std::uint32_t at = link_offset(link_address);
    const auto report = [&](std::uint32_t kind, std::uint32_t expected) {
        run.report.add(rule_after(base, kind), place, expected, link_address);
    };
    if (!format::in_space(link_address, format::Space::Flash))
        return report(kSpace, 0x20000000u | at);
    if (at >= ro) return report(kOutside, 0x20000000u | ro);
    char text[format::kMaxNameBytes + 1];
    if (!run.file.name(link_address, text, sizeof text)) {
        return ro - at <= format::kMaxNameBytes ? report(kUnterminated, 0x20000000u | ro)
                                                : report(kTooLong, format::kMaxNameBytes);
    }
    if (text[0] == '\0') return report(kEmpty, kNotApplicable);
    for (const char* character = text; *character != '\0'; ++character) {
        if (*character < ' ' || *character > '~') return report(kUnprintable, kNotApplicable);
    }
}

void check_context(Run& run) {
    namespace at = loader::context_offset;
    const Header& header = run.header();
    const std::uint32_t offset = link_offset(header.context());
    const Place place{header.header_bytes - 4};
    if (!run.bounds_ok) return;
    if (offset % 4 != 0) run.report.add(Rule::ContextAlignment, place, 4, offset % 4);
    const std::uint32_t data_end = link_offset(header.data_end);
    if (offset + at::bytes(false) > data_end) {
        return run.report.add(Rule::ContextOutsideData, place, data_end, offset + at::bytes(false));
    }
    if (!run.file.context(run.context)) {
        return run.report.add(Rule::SectionUnreadable, {run.context_offset()});
    }
    if (offset + at::bytes(run.context.has_struct_sizes) > data_end) {
        run.report.add(Rule::ContextOutsideData, place, data_end,
                       offset + at::bytes(run.context.has_struct_sizes));
    }
    run.context_ok = true;
    check_runtime_fields(run);
    check_version(run);
    check_network(run);
    check_struct_sizes(run);
    check_text(run, Rule::ContextNameSpace, run.context.c_name,
               {run.context_offset() + at::kCName});
    check_text(run, Rule::VersionTextSpace, run.context.rt_version_desc,
               {run.context_offset() + at::kVersionDesc});
}

void check_firmware(Run& run) {
    const RuntimeProfile& profile = run.request->profile;
    const format::Flags flags = run.header().flags;
    const Place at_flags{format::kOffFlags};
    const auto differ = [&](Rule rule, std::uint32_t expected, std::uint32_t found) {
        run.report.add(rule, at_flags, expected, found);
    };
    if (flags.cpu_part() != profile.cpu_part) {
        differ(Rule::FirmwareCpuPart, profile.cpu_part, flags.cpu_part());
    }
    if (flags.fpu() && !profile.fpu_enabled) differ(Rule::FirmwareFpuOff, 1, 0);
    if (flags.secure() && !profile.secure) differ(Rule::FirmwareNonSecure, 0, 1);
    if (!flags.secure() && profile.secure) {
        const bool refused = profile.generation == Generation::Core21;
        differ(refused ? Rule::FirmwareSecureOnly : Rule::FirmwareSecure, 1, 0);
    }
    if (flags.dbg_info() != profile.dbg_info) {
        differ(profile.dbg_info ? Rule::FirmwareDbgInfo : Rule::FirmwareNoDbgInfo, profile.dbg_info,
               flags.dbg_info());
    }
    if (flags.async() != profile.async) {
        differ(profile.async ? Rule::FirmwareAsync : Rule::FirmwarePolling, profile.async,
               flags.async());
    }
    const bool first = profile.generation == Generation::Core21;
    if (first && flags.toolchain() != format::kToolchainGcc) {
        differ(Rule::FirmwareToolchain, format::kToolchainGcc, flags.toolchain());
    }
    const bool short_header = first || profile.generation == Generation::Core22;
    const std::uint32_t header_bytes =
        short_header ? format::kShortHeaderBytes : format::kLongHeaderBytes;
    if (run.header().header_bytes != header_bytes) {
        run.report.add(Rule::FirmwareHeaderLength, {run.header().header_bytes - 4}, header_bytes,
                       run.header().header_bytes);
    }
    if (run.context_ok) check_firmware_version(run);
}

void check_firmware_version(Run& run) {
    namespace at = loader::context_offset;
    const RuntimeProfile& profile = run.request->profile;
    const RuntimeContext& context = run.context;
    const Place at_version{run.context_offset() + at::kVersion};
    const Place at_dev{run.context_offset() + at::kVersionExtra};
    if ((context.rt_version & 0xFFFFFF00u) != profile.version.word()) {
        run.report.add(Rule::FirmwareVersion, at_version, profile.version.word(),
                       context.rt_version);
    } else if (generation_of(context.version()) != profile.generation) {
        run.report.add(Rule::FirmwareGeneration, at_dev, profile.version.dev,
                       context.rt_version_extra);
    } else if (context.rt_version_extra != profile.version.dev) {
        run.report.add(Rule::FirmwareDev, at_dev, profile.version.dev, context.rt_version_extra);
    }
    if (!context.has_struct_sizes || profile.generation == Generation::Core21) return;
    const Place at_sizes{run.context_offset() + at::kStructSizes};
    const std::uint32_t buffer = context.rt_c_struct_sizes & 0xFF;
    const std::uint32_t item = context.rt_c_struct_sizes >> 8 & 0xFF;
    if (buffer != profile.buffer_info_bytes) {
        run.report.add(Rule::FirmwareBufferInfoSize, at_sizes, profile.buffer_info_bytes, buffer);
    }
    if (item != profile.epoch_item_bytes) {
        run.report.add(Rule::FirmwareEpochItemSize, at_sizes, profile.epoch_item_bytes, item);
    }
}

}  // namespace n6vp::loader::checks

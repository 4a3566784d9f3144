// SPDX-License-Identifier: Apache-2.0
#include "loader/checks.h"

namespace n6vp::loader::checks {

namespace {

using format::link_offset;
namespace field = loader::context_offset;

constexpr std::uint32_t kVersion112 = 0x01010200u;  ///< from here on the long header appears
constexpr std::uint32_t kVersion113 = 0x01010300u;  ///< from here on nothing else

/// Fields that the installer fills in: a file that brings its own values was dumped from a running
/// system.
void check_runtime_fields(Run& run) {
    const RuntimeContext& context = run.context;
    run.require_equal(at(Rule::ContextState, field::kState), 0, context.state);
    run.require_equal(at(Rule::ContextFileAddress, field::kFileAddr), 0, context.file_addr);
    run.require_equal(at(Rule::ContextRamAddress, field::kRamAddr), 0, context.ram_addr);
    run.require_equal(at(Rule::ContextRomAddress, field::kRomAddr), 0, context.rom_addr);
    run.require_equal(at(Rule::ContextCallbacks, field::kCallbacks), 0, context.cbs);
    run.require_equal(context.has_struct_sizes ? at(Rule::ContextInstance, field::instance(true))
                                               : at(Rule::ContextInstance, field::instance(false)),
                      0, context.ll_instance);
}

void check_version(Run& run) {
    const std::uint32_t word = run.context.rt_version;
    const std::uint32_t release = word & 0xFFFFFF00u;
    if (release < 0x01010000u || release > kVersion113) {
        run.fault(at(Rule::ContextVersion, field::kVersion), kNotApplicable, word);
    }
    run.require_equal(at(Rule::ContextVersionLowByte, field::kVersion), release, word);
    static constexpr std::uint16_t kPublishedDevs[] = {31, 14, 5, 8, 262};
    bool known = false;
    for (const std::uint16_t dev : kPublishedDevs) known |= run.context.rt_version_extra == dev;
    if (!known) {
        run.fault(at(Rule::ContextDev, field::kVersionExtra), kNotApplicable,
                  run.context.rt_version_extra);
    }
    // Development builds of 1.1.2 exist with either header.
    if (release == kVersion112) return;
    run.require_equal(at(Rule::HeaderLengthVersion, field::kVersion),
                      release < kVersion112 ? format::kShortHeaderBytes : format::kLongHeaderBytes,
                      run.header().header_bytes);
}

void check_network(Run& run) {
    // NN_Interface_TypeDef: 11 pointers up to 1.1.1, 13 from 1.1.3.
    const std::uint32_t bytes = run.header().header_bytes == format::kShortHeaderBytes ? 44 : 52;
    const std::uint32_t network = run.context.itf_network;
    run.go(run.context_at + field::network(run.context.has_struct_sizes));
    if (!format::in_space(network, format::Space::Ram)) {
        run.fault(at(Rule::ContextNetworkSpace), format::kRamBase | link_offset(network), network);
    } else {
        run.require_most(at(Rule::ContextNetworkOutside), run.rw, link_offset(network) + bytes);
    }
}

void check_struct_sizes(Run& run) {
    const std::uint32_t word = run.context.rt_c_struct_sizes;
    const std::uint32_t buffer = word & 0xFF;
    const std::uint32_t item = word >> 8 & 0xFF;
    const bool item_known = item == 48 || item == 20;
    if ((buffer != 56 && buffer != 64) || !item_known) {
        run.fault(at(Rule::ContextStructSizes, field::kStructSizes), 0x3038, word);
    }
    if (item_known) {
        run.require_equal(at(Rule::ContextStructDbg, field::kStructSizes),
                          run.header().flags.dbg_info() ? 48 : 20, item);
    }
    run.require_equal(at(Rule::ContextStructReserved, field::kStructSizes), 0, word >> 16);
}

void check_firmware_version(Run& run) {
    const RuntimeProfile& profile = run.request->profile;
    const RuntimeContext& context = run.context;
    run.go(run.context_at);
    if ((context.rt_version & 0xFFFFFF00u) != profile.version.word()) {
        run.fault(at(Rule::FirmwareVersion, field::kVersion), profile.version.word(),
                  context.rt_version);
    } else if (generation_of(context.version()) != profile.generation) {
        run.fault(at(Rule::FirmwareGeneration, field::kVersionExtra), profile.version.dev,
                  context.rt_version_extra);
    } else {
        run.require_equal(at(Rule::FirmwareDev, field::kVersionExtra), profile.version.dev,
                          context.rt_version_extra);
    }
    if (!context.has_struct_sizes || profile.generation == Generation::Core21) return;
    run.require_equal(at(Rule::FirmwareBufferInfoSize, field::kStructSizes),
                      profile.buffer_info_bytes, context.rt_c_struct_sizes & 0xFF);
    run.require_equal(at(Rule::FirmwareEpochItemSize, field::kStructSizes),
                      profile.epoch_item_bytes, context.rt_c_struct_sizes >> 8 & 0xFF);
}

}  // namespace

void Run::require_text(Code base, std::uint32_t link_address) {
    enum : std::uint32_t { kSpace, kOutside, kUnterminated, kTooLong, kEmpty, kUnprintable };

    const std::uint32_t offset = link_offset(link_address);
    char text[format::kMaxNameBytes + 1];
    std::uint32_t kind = kSpace;
    std::uint32_t expected = format::kFlashBase | ro;
    if (!format::in_space(link_address, format::Space::Flash)) {
        expected = format::kFlashBase | offset;
    } else if (offset >= ro) {
        kind = kOutside;
    } else if (!file.name(link_address, text, sizeof text)) {
        kind = ro - offset <= format::kMaxNameBytes ? kUnterminated : kTooLong;
    } else {
        expected = kNotApplicable;
        kind = kEmpty;
        if (text[0] != '\0') {
            const char* character = text;
            while (*character >= ' ' && *character <= '~') ++character;
            if (*character == '\0') return;
            kind = kUnprintable;
        }
    }
    fault(after(base, kind), expected, link_address);
}

void check_context(Run& run) {
    const Header& header = run.header();
    if (!run.bounds_ok) return;
    run.go(header.header_bytes - 4);
    const std::uint32_t offset = link_offset(header.context());
    const std::uint32_t data_end = run.data_end;
    run.require_multiple(at(Rule::ContextAlignment), 4, offset);
    if (offset + field::bytes(false) > data_end) {
        return run.fault(at(Rule::ContextOutsideData), data_end, offset + field::bytes(false));
    }
    if (!run.file.context(run.context)) return run.fault(at(Rule::SectionUnreadable));
    if (run.context.rt_version == format::kErasedWord) {
        run.go(run.context_at);
        return run.fault(at(Rule::ErasedFlash, field::kVersion));
    }
    run.require_most(at(Rule::ContextOutsideData), data_end,
                     offset + field::bytes(run.context.has_struct_sizes));
    run.context_ok = true;
    run.go(run.context_at);
    check_runtime_fields(run);
    check_version(run);
    if (run.context.has_struct_sizes) check_struct_sizes(run);
    run.require_text(at(Rule::ContextNameSpace, field::kCName), run.context.c_name);
    run.require_text(at(Rule::VersionTextSpace, field::kVersionDesc), run.context.rt_version_desc);
    check_network(run);
}

void check_firmware(Run& run) {
    const RuntimeProfile& profile = run.request->profile;
    const format::Flags flags = run.header().flags;
    const bool first = profile.generation == Generation::Core21;
    run.go(format::kOffFlags);
    run.require_equal(at(Rule::FirmwareCpuPart), profile.cpu_part, flags.cpu_part());
    if (flags.fpu() && !profile.fpu_enabled) run.fault(at(Rule::FirmwareFpuOff), 1, 0);
    if (flags.secure() != profile.secure) {
        Rule rule = Rule::FirmwareNonSecure;
        if (profile.secure) rule = first ? Rule::FirmwareSecureOnly : Rule::FirmwareSecure;
        run.fault(at(rule), profile.secure, flags.secure());
    }
    run.require_equal(at(profile.dbg_info ? Rule::FirmwareDbgInfo : Rule::FirmwareNoDbgInfo),
                      profile.dbg_info, flags.dbg_info());
    run.require_equal(at(profile.async ? Rule::FirmwareAsync : Rule::FirmwarePolling),
                      profile.async, flags.async());
    if (first) {
        run.require_equal(at(Rule::FirmwareToolchain), format::kToolchainGcc, flags.toolchain());
    }
    run.go(run.header().header_bytes - 4);
    const bool short_header = first || profile.generation == Generation::Core22;
    run.require_equal(at(Rule::FirmwareHeaderLength),
                      short_header ? format::kShortHeaderBytes : format::kLongHeaderBytes,
                      run.header().header_bytes);
    if (run.context_ok) check_firmware_version(run);
}

}  // namespace n6vp::loader::checks

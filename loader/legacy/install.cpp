// SPDX-License-Identifier: Apache-2.0
#include "loader/legacy/install.h"

#include "loader/legacy/image.h"

namespace n6vp::loader::legacy {

namespace {

/// Keeps the first error and ends the check there; warnings and hints pass.
struct FirstError {
    Diagnosis* why;
    static bool report(void* context, const Diagnosis& finding) {
        if (finding.severity != Severity::Error) return true;
        *static_cast<FirstError*>(context)->why = finding;
        return false;
    }
};

Status install_strict(const MemoryPort& port, const Request& request, Installer& installer,
                      Diagnosis& why) {
    FirstError first{&why};
    Status status = check(port, request, {&first, &FirstError::report});
    if (status == Status::Ok) status = installer.read_words();
    if (status == Status::Ok) status = installer.take_ram();
    if (status != Status::Ok) return status;
    status = installer.image();
    if (status != Status::Ok) installer.release_block();
    return status;
}

/// Steps 1 to 3 of the vendor's order. Nothing here makes an install safe: the guards of Installer
/// do.
Status judge_as_vendor(Installer& installer, const Request& request) {
    format::Flags flags;
    std::uint32_t magic = 0;
    Status status = installer.file_word(format::kOffFlags, flags.raw);
    if (status == Status::Ok) status = installer.file_word(format::kOffMagic, magic);
    if (status != Status::Ok) return status;
    if (magic != format::kMagic) return installer.refuse(Rule::Magic, 0, format::kMagic, magic);
    if (!is_aligned(request.file, 4))
        return installer.refuse(Rule::FileAlignment, 0, 4, to_word(request.file) & 3);
    if (flags.cpu_part() != request.target.cpu_part) {
        return installer.refuse(Rule::LegacyCpuPart, format::kOffFlags, request.target.cpu_part,
                                flags.cpu_part());
    }
    if (flags.fpu() && !request.target.fpu_enabled)
        return installer.refuse(Rule::FirmwareFpuOff, format::kOffFlags, 1, 0);
    status = installer.read_words();
    if (status != Status::Ok) return status;
    if (installer.needed() == 0)
        return installer.refuse(Rule::LegacyNothingNeeded, kNotApplicable, kNotApplicable, 0);
    if (request.mode != kModeXip && request.mode != kModeCopy) {
        Rule rule = Rule::LegacyModeUnknownBits;
        if (request.mode == 0) rule = Rule::LegacyModeNone;
        if (request.mode == (kModeXip | kModeCopy)) rule = Rule::LegacyModeBoth;
        return installer.refuse(rule, kNotApplicable, kModeXip, request.mode);
    }
    if (!request.handle_given)
        return installer.refuse(Rule::LegacyHandleNull, kNotApplicable, kNotApplicable, 0);
    return Status::Ok;
}

Status install_compat(const Request& request, Installer& installer) {
    if (to_word(request.file) == 0)
        return installer.refuse(Rule::LegacyFileNull, kNotApplicable, kNotApplicable, 0);
    Status status = judge_as_vendor(installer, request);
    if (status == Status::Ok) status = installer.take_ram();
    if (status == Status::Ok) status = installer.image();
    return status;
}

}  // namespace

Status install(const MemoryPort& port, const Request& request, Result& result, Diagnosis& why) {
    result = {};
    why = {};
    Installer installer(port, request, result, why);
    installer.enter(Phase::Checks);
    return request.policy == Policy::Compat ? install_compat(request, installer)
                                            : install_strict(port, request, installer, why);
}

bool info_of(const Container& container, Info& info) {
    Context context;
    if (!container.context(context)) return false;
    const Header& header = container.header();
    const auto at = [&container](std::uint32_t link_address) {
        return wrapping_add(container.file(), format::link_offset(link_address));
    };
    info.name = at(context.name);
    info.variant = header.flags.raw;
    info.code_bytes = align4(header.ro_bytes());
    info.weights = header.has_weights() ? at(header.weights_start) : GuestAddr{0};
    info.weights_bytes = context.weights_bytes;
    info.activations_bytes = context.activations_bytes;
    info.ram_xip = header.ram_bytes(false);
    info.ram_copy = header.ram_bytes(true);
    return true;
}

}  // namespace n6vp::loader::legacy

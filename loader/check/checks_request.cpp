// SPDX-License-Identifier: Apache-2.0
#include "loader/checks.h"

namespace n6vp::loader::checks {

namespace {

void check_mode(Run& run) {
    constexpr std::uint32_t kBoth = format::kModeXip | format::kModeCopy;
    constexpr std::uint32_t kKnown = kBoth | format::kModeClear;
    const std::uint32_t mode = run.request->mode;
    run.go_address(kNotApplicable);
    if ((mode & kBoth) == 0) run.fault(at(Rule::ModeNone), kNotApplicable, mode);
    if ((mode & kBoth) == kBoth) run.fault(at(Rule::ModeBoth), kNotApplicable, mode);
    run.require_equal(at(Rule::ModeUnknownBits), mode & kKnown, mode);
}

/// Reports a region that leaves the address space by `base`, one in peripheral space by the rule
/// behind.
void check_region(Run& run, Code base, GuestAddr start, std::uint32_t bytes) {
    run.go_address(to_word(start));
    const std::uint32_t room = 0u - to_word(start);
    if (room != 0 && bytes > room) {
        run.fault(base, room, bytes);
    } else if (is_peripheral({start, bytes})) {
        run.fault(after(base, 1), kNotApplicable, bytes);
    }
}
static_assert(follows(Rule::ExecWraps, 1, Rule::ExecPeripheral));
static_assert(follows(Rule::ExtWraps, 1, Rule::ExtPeripheral));
static_assert(follows(Rule::InstanceWraps, 1, Rule::InstancePeripheral));

void check_exec_ram(Run& run) {
    const InstallRequest& request = *run.request;
    const std::uint32_t start = to_word(request.exec_ram);
    const std::uint32_t bytes = request.exec_ram_bytes;
    if (start == 0) {
        run.fault(at(Rule::ExecNull));
    } else {
        run.require_alignment(at(Rule::ExecAlignment), start);
        check_region(run, at(Rule::ExecWraps), request.exec_ram, bytes);
    }
    if (!run.bounds_ok) return;
    const std::uint32_t needed = run.header().exec_bytes(run.copies());
    if (needed == 0) run.fault(at(Rule::ExecNothingNeeded));
    if (bytes == 0) {
        run.fault(at(Rule::ExecSizeZero), needed, 0);
    } else {
        run.require_least(at(Rule::ExecTooSmall), needed, bytes);
    }
    // Armv8-M default memory map: 0xA0000000 to 0xDFFFFFFF is device memory, never executed.
    if (run.copies() && start >= 0xA0000000u && start < 0xE0000000u) {
        run.fault(at(Rule::ExecNeverExecutes), kNotApplicable, bytes);
    }
}

void check_external_ram(Run& run) {
    const InstallRequest& request = *run.request;
    const std::uint32_t start = to_word(request.ext_ram);
    if (start == 0) return;  // whether one is needed is a matter of the pools
    run.require_alignment(at(Rule::ExtAlignment), start);
    check_region(run, at(Rule::ExtWraps), request.ext_ram, request.ext_ram_bytes);
    if (!run.has_external && run.bounds_ok) run.fault(at(Rule::ExtUnused));
}

void check_params_address(Run& run) {
    const std::uint32_t given = to_word(run.given_params);
    const std::uint32_t embedded = format::link_offset(run.header().params_offset);
    if (given != 0) {
        run.require_alignment(at(Rule::ParamsAlignment), given);
        run.place = format::kOffParamsOffset;
        run.require_equal(at(Rule::ParamsBoth), 0, embedded);
    } else if (embedded == 0) {
        run.go(format::kOffParamsOffset);
        return run.fault(at(Rule::ParamsMissing), kNotApplicable, 0);
    } else {
        run.go_address(run.params_base);
        run.require_multiple(at(Rule::ParamsEmbeddedCacheLine), 32, run.params_base);
    }
    if (run.params_known && run.params_bytes != kUnknownBytes && run.params_base != 0) {
        run.require_most(at(Rule::ParamsWrap), 0u - run.params_base, run.params_bytes);
    }
}

void check_instance(Run& run) {
    const InstallRequest& request = *run.request;
    run.go_address(to_word(request.instance));
    if (to_word(request.callbacks) == 0) run.fault(at(Rule::CallbacksNull));
    if (to_word(request.instance) == 0) return run.fault(at(Rule::InstanceNull));
    run.require_multiple(at(Rule::InstanceAlignment), 4, to_word(request.instance));
    check_region(run, at(Rule::InstanceWraps), request.instance, run.regions[kInstance].bytes);
}

void check_grants(Run& run) {
    for (std::uint32_t i = 0; i < run.request->grant_count; ++i) {
        const AddressRange& grant = run.request->grants[i];
        run.go(kNotApplicable, i, to_word(grant.start));
        const std::uint32_t room = 0u - to_word(grant.start);
        if (room != 0) run.require_most(at(Rule::GrantWraps), room, grant.bytes);
    }
}

/// Reports regions of the install that share bytes.
void check_regions(Run& run) {
    struct Row {
        Code code;
        Region a, b;
    };
    static constexpr Row kRows[] = {
        {at(Rule::ExecOverlapsFile), kExec, kImage},
        {at(Rule::ExecOverlapsExt), kExec, kExt},
        {at(Rule::ExecOverlapsParams), kExec, kParams},
        {at(Rule::ExtOverlapsFile), kExt, kImage},
        {at(Rule::ExtOverlapsParams), kExt, kParams},
        {at(Rule::InstanceOverlapsExec), kInstance, kExec},
        {at(Rule::InstanceOverlapsExt), kInstance, kExt},
        {at(Rule::InstanceOverlapsFile), kInstance, kImage},
        {at(Rule::InstanceOverlapsParams), kInstance, kParams},
        {at(Rule::ParamsOverlapImage), kParams, kImage},
    };
    constexpr std::uint32_t kRowCount = sizeof kRows / sizeof kRows[0];
    // A section inside the file lies where the header says, which is checked there.
    const std::uint32_t rows = to_word(run.given_params) != 0 ? kRowCount : kRowCount - 1;
    run.go_address(kNotApplicable);
    for (std::uint32_t i = 0; i < rows; ++i) {
        run.require_apart(kRows[i].code, run.regions[kRows[i].a], run.regions[kRows[i].b]);
    }
}

std::uint32_t smaller(std::uint32_t a, std::uint32_t b) {
    return a < b ? a : b;
}

}  // namespace

void locate_regions(Run& run) {
    const InstallRequest& request = *run.request;
    const Header& header = run.header();
    // What an install really uses of the given RAM: the rest may serve anything else.
    const std::uint32_t needed =
        run.bounds_ok ? header.exec_bytes(run.copies()) : request.exec_ram_bytes;
    run.regions[kExec] = {request.exec_ram, smaller(request.exec_ram_bytes, needed)};
    run.regions[kExt] = {request.ext_ram, smaller(request.ext_ram_bytes, run.external_bytes)};
    const std::uint32_t copied = run.ro + run.copied;
    const std::uint32_t rel_end = run.rel_end;
    run.regions[kImage] = {request.file,
                           smaller(run.file.bytes(), copied < rel_end ? rel_end : copied)};
    if (run.params_known) {
        // Of a section of unknown length at least the raw data is read by the model.
        const bool sized = run.params_bytes != kUnknownBytes;
        run.regions[kParams] = {static_cast<GuestAddr>(run.params_base),
                                sized ? run.params_bytes : run.context.params_bin_sz};
    }
    if (to_word(request.instance) != 0) {
        run.regions[kInstance] = {request.instance, instance_layout(request.profile).bytes};
    }
}

void check_request(Run& run) {
    check_mode(run);
    check_exec_ram(run);
    check_params_address(run);
    check_external_ram(run);
    check_instance(run);
    check_grants(run);
    check_regions(run);
}

}  // namespace n6vp::loader::checks

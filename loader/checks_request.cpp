// SPDX-License-Identifier: Apache-2.0
#include "loader/checks.h"

namespace n6vp::loader::checks {

namespace {

Place at(GuestAddr address) {
    return {kNotApplicable, kNotApplicable, to_word(address)};
}

void check_instance(Run& run) {
    const InstallRequest& request = *run.request;
    if (to_word(request.callbacks) == 0) run.report.add(Rule::CallbacksNull, {});
    if (to_word(request.instance) == 0) return run.report.add(Rule::InstanceNull, {});
    if (!is_aligned(request.instance, 4)) {
        run.report.add(Rule::InstanceAlignment, at(request.instance), 4,
                       to_word(request.instance) & 3);
    }
    const AddressRange instance = instance_range(request);
    check_overlap(run, Rule::InstanceOverlapsExec, instance, exec_range(run));
    check_overlap(run, Rule::InstanceOverlapsExt, instance, external_range(run));
    check_overlap(run, Rule::InstanceOverlapsFile, instance, image_range(run));
}

void check_mode(Run& run) {
    const std::uint32_t mode = run.request->mode;
    constexpr std::uint32_t kBoth = format::kModeXip | format::kModeCopy;
    if ((mode & kBoth) == 0) run.report.add(Rule::ModeNone, {}, kNotApplicable, mode);
    if ((mode & kBoth) == kBoth) run.report.add(Rule::ModeBoth, {}, kNotApplicable, mode);
    const std::uint32_t unknown = mode & ~(kBoth | format::kModeClear);
    if (unknown != 0) run.report.add(Rule::ModeUnknownBits, {}, mode & ~unknown, mode);
}

void check_grants(Run& run) {
    for (std::uint32_t i = 0; i < run.request->grant_count; ++i) {
        const AddressRange& grant = run.request->grants[i];
        if (!grant.wraps()) continue;
        run.report.add(Rule::GrantWraps, {kNotApplicable, i, to_word(grant.start)},
                       0u - to_word(grant.start), grant.bytes);
    }
}

/// Reports a region that leaves the address space, or lies in peripheral space.
void check_region(Run& run, Rule wraps, Rule peripheral, AddressRange region) {
    if (region.wraps()) {
        run.report.add(wraps, at(region.start), 0u - to_word(region.start), region.bytes);
    } else if (is_peripheral(region)) {
        run.report.add(peripheral, at(region.start), kNotApplicable, region.bytes);
    }
}

void check_exec_ram(Run& run) {
    const InstallRequest& request = *run.request;
    const AddressRange given{request.exec_ram, request.exec_ram_bytes};
    if (run.bounds_ok) {
        const std::uint32_t needed = run.header().exec_bytes(run.copies());
        if (needed == 0) run.report.add(Rule::ExecNothingNeeded, {format::kOffBssEnd});
        if (given.bytes != 0 && given.bytes < needed) {
            run.report.add(Rule::ExecTooSmall, at(given.start), needed, given.bytes);
        }
        if (given.bytes == 0) run.report.add(Rule::ExecSizeZero, at(given.start), needed, 0);
    }
    if (to_word(given.start) == 0) return run.report.add(Rule::ExecNull, {});
    check_alignment(run, Rule::ExecAlignment, given.start);
    check_region(run, Rule::ExecWraps, Rule::ExecPeripheral, given);
    // Armv8-M default memory map: 0xA0000000 to 0xDFFFFFFF is device memory, never executed.
    constexpr AddressRange kNeverExecutes{static_cast<GuestAddr>(0xA0000000u), 0x40000000u};
    if (run.copies() && exec_range(run).overlaps(kNeverExecutes)) {
        run.report.add(Rule::ExecNeverExecutes, at(given.start), kNotApplicable, given.bytes);
    }
    check_overlap(run, Rule::ExecOverlapsFile, exec_range(run), image_range(run));
    check_overlap(run, Rule::ExecOverlapsExt, exec_range(run), external_range(run));
    check_overlap(run, Rule::ExecOverlapsParams, exec_range(run), params_range(run));
}

void check_external_ram(Run& run) {
    const InstallRequest& request = *run.request;
    if (to_word(request.ext_ram) == 0) return;  // whether one is needed is a matter of the pools
    check_alignment(run, Rule::ExtAlignment, request.ext_ram);
    check_region(run, Rule::ExtWraps, Rule::ExtPeripheral,
                 {request.ext_ram, request.ext_ram_bytes});
    if (!run.pools.has_external && run.bounds_ok)
        run.report.add(Rule::ExtUnused, at(request.ext_ram));
    check_overlap(run, Rule::ExtOverlapsFile, external_range(run), image_range(run));
    check_overlap(run, Rule::ExtOverlapsParams, external_range(run), params_range(run));
}

void check_params_address(Run& run) {
    const InstallRequest& request = *run.request;
    const bool given = to_word(request.params) != 0;
    const std::uint32_t embedded = format::link_offset(run.header().params_offset);
    if (!given && embedded == 0)
        return run.report.add(Rule::ParamsMissing, {format::kOffParamsOffset}, kNotApplicable, 0);
    if (given && embedded != 0) {
        run.report.add(Rule::ParamsBoth,
                       {format::kOffParamsOffset, kNotApplicable, to_word(request.params)}, 0,
                       embedded);
    }
    if (given) {
        check_alignment(run, Rule::ParamsAlignment, request.params);
        check_overlap(run, Rule::ParamsOverlapImage, params_range(run), image_range(run));
    } else if (!is_aligned(run.params.base, 32)) {
        run.report.add(Rule::ParamsEmbeddedCacheLine, at(run.params.base), 32,
                       to_word(run.params.base) % 32);
    }
    if (run.params.bytes != kUnknownBytes && params_range(run).wraps()) {
        run.report.add(Rule::ParamsWrap, at(run.params.base), 0u - to_word(run.params.base),
                       run.params.bytes);
    }
}

}  // namespace

void check_request(Run& run) {
    check_mode(run);
    check_exec_ram(run);
    check_params_address(run);
    check_external_ram(run);
    check_instance(run);
    check_grants(run);
}

}  // namespace n6vp::loader::checks

// SPDX-License-Identifier: Apache-2.0
#include "loader/checks.h"

#include <cstring>

namespace n6vp::loader {

namespace checks {

void Reporter::add(const Diagnosis& diagnosis) {
    if (stopped_) return;
    if (diagnosis.severity == Severity::Error) {
        if (errors_ == 0) first_error_ = diagnosis.status;
        ++errors_;
    }
    if (sink_.report != nullptr) stopped_ = !sink_.report(sink_.context, diagnosis);
}

void Reporter::add(Rule rule, Place place, std::uint32_t expected, std::uint32_t found) {
    Diagnosis diagnosis = diagnosis_of(rule);
    diagnosis.file_offset = place.file_offset;
    diagnosis.index = place.index;
    diagnosis.address = static_cast<GuestAddr>(place.address);
    diagnosis.expected = expected;
    diagnosis.found = found;
    add(diagnosis);
}

bool WordReader::word(std::uint32_t offset, std::uint32_t limit, std::uint32_t& value) {
    if (offset < start_ || offset - start_ + 4 > bytes_) {
        std::uint32_t bytes = offset < limit ? limit - offset : 0;
        if (bytes > kChunkBytes) bytes = kChunkBytes;
        if (bytes < 4) bytes = 4;  // a limit that cuts a word is the caller's finding, not ours
        bytes_ = 0;
        if (!file_->read(offset, chunk_, bytes)) return false;
        start_ = offset;
        bytes_ = bytes;
    }
    std::memcpy(&value, chunk_ + (offset - start_), sizeof value);
    return true;
}

void check_alignment(Run& run, Rule base, GuestAddr address) {
    constexpr std::uint32_t kRequired[] = {4, 8, 32};
    for (std::uint32_t i = 0; i < 3; ++i) {
        if (is_aligned(address, kRequired[i])) continue;
        return run.report.add(rule_after(base, i),
                              {kNotApplicable, kNotApplicable, to_word(address)}, kRequired[i],
                              to_word(address) & (kRequired[i] - 1));
    }
}

void check_overlap(Run& run, Rule rule, AddressRange a, AddressRange b, std::uint32_t index) {
    if (!a.overlaps(b)) return;
    const GuestAddr start = a.start > b.start ? a.start : b.start;
    const std::uint64_t end = a.end() < b.end() ? a.end() : b.end();
    run.report.add(rule, {kNotApplicable, index, to_word(start)}, 0,
                   static_cast<std::uint32_t>(end - to_word(start)));
}

bool is_peripheral(AddressRange range) {
    constexpr AddressRange kPeripherals{static_cast<GuestAddr>(0x40000000u), 0x20000000u};
    constexpr AddressRange kSystem{static_cast<GuestAddr>(0xE0000000u), 0x20000000u};
    return range.overlaps(kPeripherals) || range.overlaps(kSystem);
}

AddressRange image_range(const Run& run) {
    std::uint32_t bytes = format::link_offset(run.header().rel_end);
    const std::uint32_t copied = run.header().ro_bytes() + run.header().copied_bytes();
    if (bytes < copied) bytes = copied;
    return {run.file.file(), bytes < run.file.bytes() ? bytes : run.file.bytes()};
}

AddressRange exec_range(const Run& run) {
    const std::uint32_t given = run.request->exec_ram_bytes;
    const std::uint32_t used = run.header().exec_bytes(run.copies());
    return {run.request->exec_ram, run.bounds_ok && used < given ? used : given};
}

AddressRange external_range(const Run& run) {
    if (!run.pools.has_external) return {};
    const std::uint32_t given = run.request->ext_ram_bytes;
    const std::uint32_t used = run.pools.external_bytes;
    return {run.request->ext_ram, used < given ? used : given};
}

AddressRange params_range(const Run& run) {
    if (!run.params.known) return {};
    // Of a section of unknown length at least the raw data is read by the model.
    const bool known = run.params.bytes != kUnknownBytes;
    return {run.params.base, known ? run.params.bytes : run.context.params_bin_sz};
}

AddressRange instance_range(const InstallRequest& request) {
    return {request.instance, instance_layout(request.profile).bytes};
}

bool is_granted(const InstallRequest& request, AddressRange range) {
    std::uint64_t covered = to_word(range.start);
    // Every round advances to the end of a grant, so that there are at most as many rounds as
    // grants.
    for (std::uint32_t round = 0; covered < range.end(); ++round) {
        if (round > request.grant_count) return false;
        const std::uint64_t before = covered;
        for (std::uint32_t i = 0; i < request.grant_count; ++i) {
            const AddressRange& grant = request.grants[i];
            if (to_word(grant.start) <= covered && grant.end() > covered) covered = grant.end();
        }
        if (covered == before) return false;
    }
    return true;
}

}  // namespace checks

namespace {

void run_all(checks::Run& run) {
    checks::check_header(run);
    checks::check_context(run);
    if (run.request != nullptr) checks::check_firmware(run);
    checks::locate_params(run);
    checks::gather_pools(run);
    if (run.request != nullptr) checks::check_request(run);
    checks::check_params(run);
    checks::check_pools(run);
    checks::check_image(run);
}

Status open_or_report(Container& file, checks::Reporter& report) {
    Diagnosis why;
    const Status status = file.open(why);
    if (status != Status::Ok) report.add(why);
    return status;
}

}  // namespace

Status check(const MemoryPort& port, const InstallRequest& request, FindingSink sink) {
    checks::Reporter report(sink);
    Container file(port, request.file, request.file_bytes);
    checks::Run run{.file = file,
                    .report = report,
                    .request = &request,
                    .given_params = request.params,
                    .given_params_bytes = request.params_bytes};
    if (to_word(request.file) == 0) {
        report.add(Rule::FileNull, {});
        return report.first_error();
    }
    checks::check_alignment(run, Rule::FileAlignment, request.file);
    if (request.file_bytes == kUnknownBytes) {
        report.add(Rule::FileLengthUnknown, {});
    } else if (AddressRange{request.file, request.file_bytes}.wraps()) {
        report.add(Rule::FileWraps, {kNotApplicable, kNotApplicable, to_word(request.file)},
                   0u - to_word(request.file), request.file_bytes);
    }
    if (open_or_report(file, report) != Status::Ok) return report.first_error();
    run_all(run);
    return report.first_error();
}

Status check_file(const Container& container, GuestAddr params, std::uint32_t params_bytes,
                  FindingSink sink) {
    checks::Reporter report(sink);
    Container file(container.port(), container.file(), container.bytes());
    checks::Run run{
        .file = file, .report = report, .given_params = params, .given_params_bytes = params_bytes};
    if (open_or_report(file, report) == Status::Ok) run_all(run);
    return report.first_error();
}

}  // namespace n6vp::loader

// SPDX-License-Identifier: Apache-2.0
#include "loader/legacy/checks.h"

namespace n6vp::loader::legacy {

namespace checks {

void Run::go(std::uint32_t file_offset, std::uint32_t index, std::uint32_t address) {
    place_ = file_offset;
    index_ = index;
    address_ = address;
}

void Run::fault(const Diagnosis& diagnosis) {
    if (stopped_) return;
    if (diagnosis.severity == Severity::Error) {
        if (errors_ == 0) first_error_ = diagnosis.status;
        ++errors_;
    }
    if (sink_.report != nullptr) stopped_ = !sink_.report(sink_.context, diagnosis);
}

void Run::fault(Rule rule, std::uint32_t expected, std::uint32_t found) {
    Diagnosis diagnosis = legacy::diagnosis_of(rule);
    diagnosis.file_offset = place_;
    diagnosis.index = index_;
    diagnosis.address = GuestAddr{address_};
    diagnosis.expected = expected;
    diagnosis.found = found;
    fault(diagnosis);
}

void Run::require_least(Rule rule, std::uint32_t at, std::uint32_t least, std::uint32_t value) {
    place_ = at;
    if (value < least) fault(rule, least, value);
}

void Run::require_most(Rule rule, std::uint32_t at, std::uint32_t most, std::uint32_t value) {
    place_ = at;
    if (value > most) fault(rule, most, value);
}

void Run::require_multiple(Rule rule, std::uint32_t at, std::uint32_t of, std::uint32_t value) {
    place_ = at;
    const std::uint32_t odd = value & (of - 1);  // all multiples asked for are powers of two
    if (odd != 0) fault(rule, of, odd);
}

void Run::require_equal(Rule rule, std::uint32_t at, std::uint32_t expected, std::uint32_t value) {
    place_ = at;
    if (value != expected) fault(rule, expected, value);
}

}  // namespace checks

namespace {

void measure(checks::Run& run) {
    const Header& header = run.header();
    run.ro = header.ro_bytes();
    run.copied = header.copied_bytes();
    run.rw = header.rw_bytes();
    run.data_end = format::link_offset(header.data_end);
    run.got_start = format::link_offset(header.got_start);
    run.got_end = format::link_offset(header.got_end);
    run.rel_start = format::link_offset(header.rel_start);
    run.rel_end = format::link_offset(header.rel_end);
    run.context_at = run.ro + format::link_offset(header.context);
}

Status run_all(checks::Run& run, Container& file) {
    Diagnosis why;
    if (file.open(why) != Status::Ok) {
        run.fault(why);
        return run.first_error();
    }
    measure(run);
    checks::check_header(run);
    checks::check_context(run);
    if (run.request != nullptr) checks::check_request(run);
    checks::check_image(run);
    return run.first_error();
}

}  // namespace

Status check(const MemoryPort& port, const Request& request, FindingSink sink) {
    Container file(port, request.file, request.file_bytes);
    checks::Run run(file, sink, &request);
    const std::uint32_t start = to_word(request.file);
    if (start == 0) {
        run.fault(Rule::LegacyFileNull);
        return run.first_error();
    }
    run.go_address(start);
    run.require_multiple(Rule::FileAlignment, kNotApplicable, 4, start);
    if (request.file_bytes == kUnknownBytes) {
        run.fault(Rule::FileLengthUnknown);
    } else {
        run.require_most(Rule::FileWraps, kNotApplicable, 0u - start, request.file_bytes);
    }
    run.go(kNotApplicable);
    return run_all(run, file);
}

Status check_file(const Container& container, FindingSink sink) {
    Container file(container.port(), container.file(), container.bytes());
    checks::Run run(file, sink, nullptr);
    return run_all(run, file);
}

}  // namespace n6vp::loader::legacy

// SPDX-License-Identifier: Apache-2.0
#include "loader/checks.h"

#include "loader/image.h"
#include "memmap/regions.h"

namespace n6vp::loader {

namespace checks {

void Run::fault(const Diagnosis& diagnosis) {
    if (stopped) return;
    if (diagnosis.severity == Severity::Error) {
        if (errors == 0) first_error = diagnosis.status;
        ++errors;
    }
    if (sink.report != nullptr) stopped = !sink.report(sink.context, diagnosis);
}

void Run::fault(Code code, std::uint32_t expected, std::uint32_t found) {
    const auto number = static_cast<std::uint32_t>(code);
    Diagnosis diagnosis = diagnosis_of(static_cast<Rule>(number & ((1u << kFieldShift) - 1)));
    diagnosis.file_offset = place + (number >> kFieldShift << 2);
    diagnosis.index = index;
    diagnosis.address = static_cast<GuestAddr>(address);
    diagnosis.expected = expected;
    diagnosis.found = found;
    fault(diagnosis);
}

void Run::fault(Code code) {
    fault(code, kNotApplicable, kNotApplicable);
}

void Run::go(std::uint32_t file_offset, std::uint32_t at_index, std::uint32_t at_address) {
    place = file_offset;
    index = at_index;
    address = at_address;
}

void Run::require_least(Code code, std::uint32_t least, std::uint32_t value) {
    if (value < least) fault(code, least, value);
}

void Run::require_most(Code code, std::uint32_t most, std::uint32_t value) {
    if (value > most) fault(code, most, value);
}

void Run::require_multiple(Code code, std::uint32_t of, std::uint32_t value) {
    const std::uint32_t odd = value & (of - 1);  // all multiples asked for are powers of two
    if (odd != 0) fault(code, of, odd);
}

void Run::require_equal(Code code, std::uint32_t expected, std::uint32_t value) {
    if (value != expected) fault(code, expected, value);
}

void Run::require_alignment(Code base, std::uint32_t at_address) {
    go_address(at_address);
    std::uint32_t required = 4;
    for (std::uint32_t i = 0; i < 3; ++i) {
        const std::uint32_t odd = at_address & (required - 1);
        if (odd != 0) return fault(after(base, i), required, odd);
        required = required == 4 ? 8 : 32;
    }
}

namespace {

/// Returns the non-secure address of an on-chip memory, others as they are: both views of a memory
/// reach the same bytes.
std::uint32_t location(GuestAddr address) {
    constexpr std::uint32_t kOnChipEnd = 0x40000000u;  // peripherals are refused elsewhere
    const std::uint32_t word = to_word(address);
    return word < kOnChipEnd ? word & ~memmap::kSecureOffset : word;
}

}  // namespace

void Run::require_apart(Code code, const AddressRange& a, const AddressRange& b) {
    const bool ordered = location(a.start) < location(b.start);
    const AddressRange& low = ordered ? a : b;
    const AddressRange& high = ordered ? b : a;
    // The distance cannot wrap; the lower range reaches into the higher one if it is longer than
    // that.
    const std::uint32_t distance = location(high.start) - location(low.start);
    if (high.bytes == 0 || low.bytes <= distance) return;
    const std::uint32_t reach = low.bytes - distance;
    address = to_word(high.start);
    fault(code, 0, reach < high.bytes ? reach : high.bytes);
}

bool WordReader::word(std::uint32_t offset, std::uint32_t& value) {
    if (offset < start_ || offset - start_ + 4 > bytes_) {
        std::uint32_t bytes = offset < limit_ ? limit_ - offset : 0;
        if (bytes > kChunkBytes) bytes = kChunkBytes;
        if (bytes < 4) bytes = 4;  // a limit that cuts a word is the caller's finding, not ours
        bytes_ = 0;
        if (!file_->read(offset, chunk_, bytes)) return false;
        start_ = offset;
        bytes_ = bytes;
    }
    value = format::load_word(chunk_ + (offset - start_));
    return true;
}

bool is_peripheral(const AddressRange& range) {
    // By blocks of 512 MiB: 2 holds the peripherals, 7 the private peripheral bus.
    const std::uint32_t first = to_word(range.start) >> 29;
    const std::uint32_t last = (to_word(range.start) + range.bytes - 1) >> 29;
    return range.bytes != 0 && ((first <= 2 && last >= 2) || last == 7);
}

bool is_granted(const InstallRequest& request, const AddressRange& range) {
    return is_covered(range, nullptr, 0, request.grants, request.grant_count);
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
    run.context_at = run.ro + format::link_offset(header.context());
    run.table_at = run.ro + format::link_offset(header.params_start);
}

Status run_all(checks::Run& run, Container& file) {
    Diagnosis why;
    if (file.open(why) != Status::Ok) {
        run.fault(why);
        return run.first_error;
    }
    measure(run);
    checks::check_header(run);
    checks::check_context(run);
    checks::locate_params(run);
    checks::gather_pools(run);
    if (run.request != nullptr) {
        checks::locate_regions(run);
        checks::check_firmware(run);
        checks::check_request(run);
    }
    checks::check_params(run);
    checks::check_pools(run);
    checks::check_image(run);
    return run.first_error;
}

}  // namespace

Status check(const MemoryPort& port, const InstallRequest& request, FindingSink sink) {
    Container file(port, request.file, request.file_bytes);
    checks::Run run{.file = file,
                    .sink = sink,
                    .request = &request,
                    .given_params = request.params,
                    .given_params_bytes = request.params_bytes};
    const std::uint32_t start = to_word(request.file);
    if (start == 0) {
        run.fault(checks::at(Rule::FileNull));
        return run.first_error;
    }
    run.require_alignment(checks::at(Rule::FileAlignment), start);
    if (request.file_bytes == kUnknownBytes) {
        run.fault(checks::at(Rule::FileLengthUnknown));
    } else {
        run.require_most(checks::at(Rule::FileWraps), 0u - start, request.file_bytes);
    }
    return run_all(run, file);
}

Status check_file(const Container& container, GuestAddr params, std::uint32_t params_bytes,
                  FindingSink sink) {
    Container file(container.port(), container.file(), container.bytes());
    checks::Run run{
        .file = file, .sink = sink, .given_params = params, .given_params_bytes = params_bytes};
    return run_all(run, file);
}

}  // namespace n6vp::loader

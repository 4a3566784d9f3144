// SPDX-License-Identifier: Apache-2.0
#include "loader/checks.h"
#include "loader/crc32.h"
#include "loader/ec_container.h"

namespace n6vp::loader::checks {

namespace {

/// First words of an epoch-controller container (any generation) and of a plain blob.
bool is_blob_magic(std::uint32_t word) {
    using namespace ec;
    return word == kBlobMagic || word == kMagic0020 || word == kMagic0030 || word == kMagic0050;
}

bool crc_of(const MemoryPort& port, std::uint32_t from, std::uint32_t bytes, std::uint32_t& crc) {
    std::uint8_t chunk[256];
    for (crc = 0; bytes != 0;) {
        const std::uint32_t count = bytes < sizeof chunk ? bytes : std::uint32_t{sizeof chunk};
        if (!port.read(port.context, static_cast<GuestAddr>(from), chunk, count)) return false;
        crc = crc32(crc, chunk, count);
        from += count;
        bytes -= count;
    }
    return true;
}

/// Returns where the epoch-controller blobs at the start of the section end by their own lengths,
/// 0 if there are none. Containers and plain blobs stand 8-aligned behind each other; no field of
/// the file states how many.
std::uint32_t length_of_blobs(Run& run, std::uint32_t room) {
    const MemoryPort& port = run.file.port();
    std::uint32_t head[5];  // the longest container header
    // Blob header and what rounding adds: less than that is never behind a blob, and no sum wraps.
    constexpr std::uint32_t kLeast = 16;
    for (std::uint32_t at = 0;;) {
        const std::uint32_t start = run.params_base + at;
        std::uint32_t left = room - at;
        if (left < sizeof head ||
            !port.read(port.context, static_cast<GuestAddr>(start), head, sizeof head) ||
            !is_blob_magic(head[0])) {
            return at;
        }
        run.blobs_first = true;
        std::uint32_t blob = 0;  // its place in a container, which ends with it
        std::uint32_t words = head[1];
        if (head[0] != ec::kBlobMagic) {
            blob = head[0] == ec::kMagic0020 ? head[3] : head[4];
            if (blob > left - sizeof head) return at;
            left -= blob;
            if (!read_word(port, static_cast<GuestAddr>(start + blob + 4), words)) return at;
        }
        if (words > (left - kLeast) / 4) return at;
        at += format::align8(blob + 8 + 4 * words);
    }
}

/// Looks for the raw data whose CRC `rt_ctx` stores: behind the blobs, or, where these cannot be
/// told by their lengths, at the end of the section. Something else may follow the section.
void check_crc(Run& run) {
    const std::uint32_t raw = run.context.params_bin_sz;
    const bool sized = run.params_bytes != kUnknownBytes;
    // Up to the end of the address space if the length is not known.
    const std::uint32_t room = sized ? run.params_bytes : ~run.params_base;
    std::uint32_t start = length_of_blobs(run, room);
    if (start > room - raw) start = room - raw;
    const std::uint32_t last = sized ? room - raw : start;
    std::uint32_t crc = 0;
    for (;;) {
        if (!crc_of(run.file.port(), run.params_base + start, raw, crc)) {
            if (start != 0 && !sized) break;  // a guess from blobs that may be damaged or encrypted
            return run.fault(at(Rule::ParamsUnreadable));
        }
        if (crc == run.context.params_bin_crc32) {
            run.blob_bytes = start;
            run.blobs_first = start != 0;
            return;
        }
        if (start == last) break;
        start = last;
    }
    run.fault(run.blobs_first && !sized ? at(Rule::ParamsCrcUnknown, 4) : at(Rule::ParamsCrc, 4),
              run.context.params_bin_crc32, crc);
}

}  // namespace

void locate_params(Run& run) {
    const std::uint32_t embedded = format::link_offset(run.header().params_offset);
    const std::uint32_t file_bytes = run.file.bytes();
    if (to_word(run.given_params) != 0) {
        run.params_base = to_word(run.given_params);
        run.params_bytes = run.given_params_bytes;
    } else if (embedded != 0 && embedded < file_bytes) {
        run.params_base = to_word(run.file.file()) + embedded;
        if (file_bytes != kUnknownBytes) run.params_bytes = file_bytes - embedded;
    } else {
        return;
    }
    run.params_known = true;
}

void check_params(Run& run) {
    if (!run.params_known || !run.context_ok) return;
    const std::uint32_t raw = run.context.params_bin_sz;
    run.go(run.context_at + loader::context_offset::kParamsBinSize, kNotApplicable,
           run.params_base);
    if (run.params_bytes < raw) return run.fault(at(Rule::ParamsTooShort), raw, run.params_bytes);
    // A section that leaves the address space is reported with the request, or as FileWraps.
    const bool sized = run.params_bytes != kUnknownBytes;
    if (~run.params_base < (sized ? run.params_bytes : raw)) return;
    if (raw == 0) return;
    check_crc(run);
}

}  // namespace n6vp::loader::checks

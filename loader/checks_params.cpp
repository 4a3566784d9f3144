// SPDX-License-Identifier: Apache-2.0
#include "loader/checks.h"
#include "loader/crc32.h"

namespace n6vp::loader::checks {

namespace {

/// First words of an epoch-controller container (any generation) and of a plain blob.
bool is_blob_magic(std::uint32_t word) {
    return word == 0xCA057A7Au || word == 0xECBF0020u || word == 0xECBF0030u || word == 0xECBF0050u;
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

/// Looks for the raw data whose CRC `rt_ctx` stores: at the start of the section, or behind the
/// epoch-controller blobs, whose length no field states. Then it ends where the section ends.
void check_crc(Run& run) {
    const std::uint32_t raw = run.context.params_bin_sz;
    const std::uint32_t stored = run.context.params_bin_crc32;
    const bool sized = run.params_bytes != kUnknownBytes;
    const std::uint32_t rest = sized ? run.params_bytes - raw : 0;
    // A section that starts with a blob is tried from its end first: its beginning cannot match.
    std::uint32_t start = run.blobs_first ? rest : 0;
    std::uint32_t crc = 0;
    for (std::uint32_t round = 0; round < 2; ++round) {
        if (!crc_of(run.file.port(), run.params_base + start, raw, crc)) {
            return run.fault(at(Rule::ParamsUnreadable));
        }
        if (crc == stored) {
            run.blob_bytes = start;
            run.blobs_first = start != 0;
            return;
        }
        if (rest == 0) break;
        start = rest - start;
    }
    run.fault(run.blobs_first && !sized ? at(Rule::ParamsCrcUnknown, 4) : at(Rule::ParamsCrc, 4),
              stored, crc);
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
    std::uint32_t first = 0;
    const auto base = static_cast<GuestAddr>(run.params_base);
    if (run.params_bytes >= 4 && !read_word(run.file.port(), base, first)) {
        return run.fault(at(Rule::ParamsUnreadable));
    }
    run.blobs_first = is_blob_magic(first);
    check_crc(run);
}

}  // namespace n6vp::loader::checks

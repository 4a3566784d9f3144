// SPDX-License-Identifier: Apache-2.0
#include "loader/checks.h"
#include "loader/crc32.h"

namespace n6vp::loader::checks {

namespace {

/// First words of an epoch-controller container (any generation) and of a plain blob.
bool is_blob_magic(std::uint32_t word) {
    return word == 0xCA057A7Au || word == 0xECBF0020u || word == 0xECBF0030u || word == 0xECBF0050u;
}

bool crc_of(const MemoryPort& port, GuestAddr from, std::uint32_t bytes, std::uint32_t& crc) {
    std::uint8_t chunk[256];
    crc = 0;
    for (std::uint32_t done = 0; done < bytes;) {
        const std::uint32_t count =
            bytes - done < sizeof chunk ? bytes - done : std::uint32_t{sizeof chunk};
        if (!port.read(port.context, wrapping_add(from, done), chunk, count)) return false;
        crc = crc32(crc, chunk, count);
        done += count;
    }
    return true;
}

/// Looks for the raw data whose CRC `rt_ctx` stores: at the start of the section, or behind the
/// epoch-controller blobs, whose length no field states. Then it ends where the section ends.
void check_crc(Run& run) {
    const std::uint32_t raw = run.context.params_bin_sz;
    const std::uint32_t stored = run.context.params_bin_crc32;
    Parameters& params = run.params;
    const bool sized = params.bytes != kUnknownBytes;
    const std::uint32_t rest = sized ? params.bytes - raw : 0;
    const Place place{run.context_offset() + loader::context_offset::kParamsBinCrc, kNotApplicable,
                      to_word(params.base)};
    std::uint32_t crc = 0;
    // A section that starts with a blob is tried from its end first: its beginning cannot match.
    for (std::uint32_t round = 0; round < 2; ++round) {
        const bool from_end = (round == 0) == (params.blobs_first && rest != 0);
        if (from_end && rest == 0) continue;
        const std::uint32_t start = from_end ? rest : 0;
        if (!crc_of(run.file.port(), wrapping_add(params.base, start), raw, crc)) {
            return run.report.add(Rule::ParamsUnreadable, place, raw);
        }
        if (crc == stored) {
            params.blob_bytes = start;
            params.blobs_first = start != 0;
            return;
        }
    }
    run.report.add(params.blobs_first && !sized ? Rule::ParamsCrcUnknown : Rule::ParamsCrc, place,
                   stored, crc);
}

}  // namespace

void locate_params(Run& run) {
    Parameters& params = run.params;
    const std::uint32_t embedded = format::link_offset(run.header().params_offset);
    if (to_word(run.given_params) != 0) {
        params = {true, run.given_params, run.given_params_bytes};
    } else if (embedded != 0) {
        const std::uint32_t file_bytes = run.file.bytes();
        const bool inside = file_bytes == kUnknownBytes || embedded < file_bytes;
        if (!inside) return;
        params = {true, wrapping_add(run.file.file(), embedded),
                  file_bytes == kUnknownBytes ? kUnknownBytes : file_bytes - embedded};
    }
}

void check_params(Run& run) {
    Parameters& params = run.params;
    if (!params.known || !run.context_ok) return;
    const std::uint32_t raw = run.context.params_bin_sz;
    const Place place{run.context_offset() + loader::context_offset::kParamsBinSize, kNotApplicable,
                      to_word(params.base)};
    if (params.bytes < raw) return run.report.add(Rule::ParamsTooShort, place, raw, params.bytes);
    if ((AddressRange{params.base, raw}.wraps()))
        return;  // reported with the request, or as FileWraps
    std::uint32_t first = 0;
    if (params.bytes >= 4 && !read_word(run.file.port(), params.base, first)) {
        return run.report.add(Rule::ParamsUnreadable, place, raw);
    }
    params.blobs_first = is_blob_magic(first);
    if (raw != 0) check_crc(run);
}

}  // namespace n6vp::loader::checks

// SPDX-License-Identifier: Apache-2.0
#include "sim/model_file/ec_scan.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace n6vp::sim {

namespace {

namespace ec = loader::ec;
using loader::Diagnosis;
using loader::Status;

constexpr std::uint32_t kOpcodeMask = 0x1F;
constexpr std::uint32_t kOpcodeIrq = 0x0C;
constexpr std::array<std::uint32_t, 7> kOpcodes = {0x00, 0x01, 0x02, 0x03, 0x04, 0x0C, 0x1D};
constexpr std::size_t kMaxFindingsPerHit = 1000;

std::uint32_t word_at(ec::Bytes bytes, std::uint32_t offset) {
    const std::uint8_t* raw = bytes.data + offset;
    return static_cast<std::uint32_t>(raw[0]) | static_cast<std::uint32_t>(raw[1]) << 8 |
           static_cast<std::uint32_t>(raw[2]) << 16 | static_cast<std::uint32_t>(raw[3]) << 24;
}

ec::Bytes tail(ec::Bytes bytes, std::uint32_t offset) {
    return {bytes.data + offset, bytes.size - offset};
}

loader::FindingSink sink_into(std::vector<Diagnosis>& findings) {
    return {&findings, [](void* context, const Diagnosis& finding) {
                auto& list = *static_cast<std::vector<Diagnosis>*>(context);
                list.push_back(finding);
                return list.size() < kMaxFindingsPerHit;
            }};
}

bool is_container_magic(std::uint32_t word) {
    return word == ec::kMagic0020 || word == ec::kMagic0030 || word == ec::kMagic0050;
}

/// Returns the bytes of the container that starts `bytes`, up to the end of its blob; empty if its
/// offsets are no offsets or do not lead to a blob.
ec::Bytes container_extent(ec::Bytes bytes) {
    const std::uint32_t words = word_at(bytes, 0) == ec::kMagic0020 ? 4 : 5;
    if (bytes.size < 4 * words) return {};
    const std::uint32_t blob = word_at(bytes, 4 * (words - 1));
    for (std::uint32_t index = 1; index < words; ++index) {
        const std::uint32_t offset = word_at(bytes, 4 * index);
        if (offset != 0 && offset < 4 * words) return {};
        if (offset > bytes.size || offset > blob) return {};
    }
    if (blob == 0 || blob > bytes.size - std::min(bytes.size, 8u)) return {};
    if (word_at(bytes, blob) != ec::kBlobMagic) return {};
    const std::uint64_t end = blob + 8 + std::uint64_t{4} * word_at(bytes, blob + 4);
    return {bytes.data, static_cast<std::uint32_t>(std::min<std::uint64_t>(end, bytes.size))};
}

/// Returns the bytes of the plain blob that starts `bytes`; empty if its length or first
/// instruction are none.
ec::Bytes blob_extent(ec::Bytes bytes) {
    if (bytes.size < 12) return {};
    const std::uint32_t count = word_at(bytes, 4);
    if (count == 0 || count > (bytes.size - 8) / 4) return {};
    const std::uint32_t opcode = word_at(bytes, 8) & kOpcodeMask;
    if (std::find(kOpcodes.begin(), kOpcodes.end(), opcode) == kOpcodes.end()) return {};
    return {bytes.data, 8 + 4 * count};
}

/// Returns true if a stream with findings is still a stream: it ends as one, or decodes for at
/// least half its length.
bool looks_like_stream(ec::Bytes blob, const std::vector<Diagnosis>& findings) {
    const auto is_error = [](const Diagnosis& finding) {
        return finding.severity == loader::Severity::Error;
    };
    const auto first = std::find_if(findings.begin(), findings.end(), is_error);
    if (first == findings.end()) return true;
    if (word_at(blob, blob.size - 4) == kOpcodeIrq) return true;
    return first->index != loader::kNotApplicable && first->index >= word_at(blob, 4) / 2;
}

/// Fills the hit of a container. Everything wrong with it becomes a finding.
void read_container(ec::Bytes bytes, loader::Generation generation, EcHit& hit) {
    ec::Container container;
    Diagnosis why;
    if (ec::open(bytes, container, why) != Status::Ok) {
        hit.findings.push_back(why);
        return;
    }
    if (ec::require_generation(container, generation, why) != Status::Ok) {
        hit.findings.push_back(why);
    }
    for (std::uint32_t index = 0; index < container.symbol_count; ++index) {
        ec::Symbol symbol;
        if (!ec::symbol(container, index, symbol)) continue;
        hit.symbols.emplace_back(symbol.name);
        hit.relocated_words += symbol.count;
    }
    static_cast<void>(ec::check_container(container, hit.facts, sink_into(hit.findings)));
}

/// Scans one section of one file.
class SectionScanner {
  public:
    SectionScanner(EcScan& scan, loader::Generation generation)
        : scan_(scan), generation_(generation) {}

    /// Scans [begin, end) of `file`, clamped to the file.
    void run(ec::Bytes file, std::uint32_t begin, std::uint64_t end, EcSection section,
             bool in_params_file) {
        const auto stop = static_cast<std::uint32_t>(std::min<std::uint64_t>(end, file.size));
        if (begin >= stop) return;
        const ec::Bytes bytes{file.data, stop};
        for (std::uint32_t at = begin; stop - at >= 8;) {
            const std::uint32_t word = word_at(bytes, at);
            const bool container = is_container_magic(word);
            if (!container && word != ec::kBlobMagic) {
                at += 4;
                if (at >= stop) break;
                continue;
            }
            EcHit hit;
            hit.container = container;
            hit.section = section;
            hit.in_params_file = in_params_file;
            hit.offset = at;
            hit.magic = word;
            at += judge(tail(bytes, at), hit);
            if (at >= stop) break;
        }
    }

  private:
    /// Returns how far to go on: past an accepted hit, or to the next word.
    std::uint32_t judge(ec::Bytes bytes, EcHit& hit) {
        const ec::Bytes extent = hit.container ? container_extent(bytes) : blob_extent(bytes);
        bool accepted = extent.size != 0;
        if (accepted && hit.container) {
            read_container(extent, generation_, hit);
        } else if (accepted) {
            static_cast<void>(ec::check_blob(extent, hit.facts, sink_into(hit.findings)));
            accepted = looks_like_stream(extent, hit.findings);
        }
        if (!accepted) {
            ++scan_.literals;
            return 4;
        }
        hit.bytes = extent.size;
        for (Diagnosis& finding : hit.findings) {
            if (finding.file_offset == loader::kNotApplicable) finding.file_offset = 0;
            finding.file_offset += hit.offset;
        }
        scan_.hits.push_back(std::move(hit));
        return (extent.size + 3) & ~3u;
    }

    EcScan& scan_;
    loader::Generation generation_;
};

}  // namespace

EcScan scan_ec(const loader::Header& header, ec::Bytes file, ec::Bytes params,
               loader::Generation generation) {
    EcScan scan;
    SectionScanner scanner(scan, generation);
    const std::uint32_t ro = header.ro_bytes() & ~3u;
    scanner.run(file, header.header_bytes, ro, EcSection::ReadOnly, false);
    scanner.run(file, std::max(ro, header.header_bytes), std::uint64_t{ro} + header.copied_bytes(),
                EcSection::Data, false);
    const std::uint32_t embedded = loader::format::link_offset(header.params_offset) & ~3u;
    if (embedded != 0) scanner.run(file, embedded, file.size, EcSection::Params, false);
    scanner.run(params, 0, params.size, EcSection::Params, true);
    return scan;
}

}  // namespace n6vp::sim

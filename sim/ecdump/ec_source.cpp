// SPDX-License-Identifier: Apache-2.0
#include "sim/ecdump/ec_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "loader/format.h"
#include "memmap/regions.h"
#include "sim/host/errors.h"
#include "sim/model_file/ec_scan.h"
#include "sim/model_file/model_image.h"
#include "traces/diagnosis/rule_text.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

namespace ec = loader::ec;
using loader::Diagnosis;
using loader::Status;

constexpr std::uint32_t kBlobHeader = 8;
constexpr std::size_t kMaxFindings = 1000;

ec::Bytes bytes_of(const std::vector<std::uint8_t>& bytes) {
    return {bytes.data(), static_cast<std::uint32_t>(bytes.size())};
}

loader::FindingSink sink_into(std::vector<Diagnosis>& findings) {
    return {&findings, [](void* context, const Diagnosis& finding) {
                auto& list = *static_cast<std::vector<Diagnosis>*>(context);
                list.push_back(finding);
                return list.size() < kMaxFindings;
            }};
}

/// Ends with the first finding that left nothing to decode.
[[noreturn]] void refuse(const Diagnosis& why) {
    const traces::DiagnosisFields fields = traces::fields_of(why, nullptr);
    const std::string place =
        fields.file_offset.empty() ? "" : fmt::format(" at offset {}", fields.file_offset);
    const std::string found = fields.found.empty() ? "" : fmt::format(" (found {})", fields.found);
    throw UserError(fmt::format("{}{}: {}{}", fields.rule, place, fields.what, found),
                    fields.remedy);
}

/// Takes the words of the blob at `blob.blob_offset` and decodes them.
void take_words(ec::Bytes file, EcBlob& blob) {
    const std::uint8_t* at = file.data + blob.blob_offset;
    const std::uint32_t count = loader::format::load_word(at + 4);
    blob.words.resize(count);
    for (std::uint32_t index = 0; index < count; ++index) {
        blob.words[index] = loader::format::load_word(at + kBlobHeader + std::size_t{4} * index);
    }
    blob.instructions = decode_stream(blob.words, blob.fault);
}

void take_tables(const ec::Container& container, EcBlob& blob) {
    blob.blob_offset = blob.offset + container.blob_offset;
    for (std::uint32_t index = 0; index < container.symbol_count; ++index) {
        ec::Symbol symbol;
        if (!ec::symbol(container, index, symbol)) continue;
        blob.symbols.emplace_back(symbol.name);
        for (std::uint32_t element = 0; element < symbol.count; ++element) {
            std::uint32_t word = 0;
            if (ec::target(container, symbol.indices_offset, element, word)) {
                blob.relocations.emplace(word, symbol.name);
            }
        }
    }
    for (std::uint32_t index = 0; index < container.patch_count; ++index) {
        ec::Patch patch;
        if (ec::patch(container, index, patch)) blob.patches.emplace_back(patch.name);
    }
}

/// Reads the container or blob at `blob.offset`; refuses what has no instructions.
void read_blob(ec::Bytes file, std::uint32_t bytes, EcBlob& blob) {
    const ec::Bytes own{file.data + blob.offset, bytes};
    Status status = Status::Ok;
    if (blob.container()) {
        ec::Container container;
        Diagnosis why;
        if (ec::open(own, container, why) != Status::Ok) {
            if (why.file_offset != loader::kNotApplicable) why.file_offset += blob.offset;
            refuse(why);
        }
        take_tables(container, blob);
        status = ec::check_container(container, blob.facts, sink_into(blob.findings));
    } else {
        blob.blob_offset = blob.offset;
        status = ec::check_blob(own, blob.facts, sink_into(blob.findings));
    }
    for (Diagnosis& finding : blob.findings) {
        if (finding.file_offset != loader::kNotApplicable) finding.file_offset += blob.offset;
    }
    if (status != Status::Ok && blob.facts.words == 0) refuse(blob.findings.front());
    take_words(file, blob);
}

bool is_container_magic(std::uint32_t word) {
    return word == ec::kMagic0020 || word == ec::kMagic0030 || word == ec::kMagic0050;
}

std::vector<EcPool> pools_of(const report::ModelFacts& facts) {
    std::vector<EcPool> pools;
    for (const report::PoolRow& row : facts.pools) {
        const AddressRange range{GuestAddr{row.pool.dst}, row.pool.bytes};
        const loader::format::PoolType type = row.pool.flags.type();
        const bool placed =
            type == loader::format::PoolType::Copy || type == loader::format::PoolType::Reset;
        if (row.name && placed && !range.wraps()) pools.push_back({*row.name, range});
    }
    return pools;
}

void read_model_blobs(const std::string& path, const std::string& params, EcSource& source) {
    const report::ModelImage image(read_model(path, params));
    const ec::Bytes file = bytes_of(image.files().file);
    const ec::Bytes second = bytes_of(image.files().params);
    source.model = true;
    source.pools = pools_of(report::gather(image));
    const EcScan scan =
        scan_ec(image.header(), file, second, matching_profile(image.container()).generation);
    source.literals = scan.literals;
    for (const EcHit& hit : scan.hits) {
        EcBlob blob;
        blob.magic = hit.magic;
        blob.in_params_file = hit.in_params_file;
        blob.offset = hit.offset;
        read_blob(hit.in_params_file ? second : file, hit.bytes, blob);
        source.blobs.push_back(std::move(blob));
    }
}

}  // namespace

bool EcBlob::has_errors() const {
    return std::any_of(findings.begin(), findings.end(), [](const Diagnosis& finding) {
        return finding.severity == loader::Severity::Error;
    });
}

EcSource read_ec_source(const std::string& file, const std::string& params) {
    EcSource source;
    const std::vector<std::uint8_t> bytes = read_file(file);
    const std::uint32_t magic = bytes.size() < 4 ? 0 : loader::format::load_word(bytes.data());
    if (magic != ec::kBlobMagic && !is_container_magic(magic)) {
        read_model_blobs(file, params, source);
        return source;
    }
    if (!params.empty()) {
        throw UserError("--params goes with a model, and this file is a blob or container",
                        "leave --params out");
    }
    EcBlob blob;
    blob.magic = magic;
    read_blob(bytes_of(bytes), static_cast<std::uint32_t>(bytes.size()), blob);
    source.blobs.push_back(std::move(blob));
    return source;
}

std::string place_text(const EcSource& source, std::uint32_t address) {
    std::string text;
    const memmap::Location location = memmap::find_region(GuestAddr{address});
    if (location && location.region->npu)
        text = fmt::format("{}+0x{:x}", location.region->name, location.offset);
    for (const EcPool& pool : source.pools) {
        if (!pool.range.contains(GuestAddr{address})) continue;
        text += fmt::format("{}pool {}+0x{:x}", text.empty() ? "" : ", ",
                            traces::terminal_text(pool.name), address - to_word(pool.range.start));
    }
    return text;
}

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/pack/container_image.h"

#include <fmt/format.h>

#include <algorithm>

#include "loader/container.h"
#include "loader/crc32.h"
#include "loader/format.h"
#include "loader/install.h"
#include "sim/host/errors.h"
#include "sim/model_file/host_memory.h"
#include "sim/model_file/model_source.h"
#include "sim/pack/byte_words.h"
#include "sim/pack/loader_findings.h"
#include "traces/escape.h"

namespace n6vp::sim::pack {

namespace {

namespace format = loader::format;

// The parameter spaces are 128 MiB long at link time.
constexpr std::size_t kMaxSectionBytes = std::size_t{128} << 20;

[[noreturn]] void fail(const std::string& what, const std::string& remedy) {
    throw UserError(what, remedy);
}

bool has_parameters(const LinkedPool& pool) {
    const format::PoolData data = format::PoolFlags{pool.flags}.data();
    return data == format::PoolData::Param || data == format::PoolData::Mixed;
}

bool used_in_place(const LinkedPool& pool) {
    const format::PoolFlags flags{pool.flags};
    return flags.type() == format::PoolType::Reloc && flags.id() == 0;
}

const LinkedPool* find_pool(const LinkedModel& model, const std::string& name) {
    for (const LinkedPool& pool : model.pools) {
        if (pool.name == name) return &pool;
    }
    return nullptr;
}

void check_request(const LinkedModel& model, const PackRequest& request) {
    if (request.generation && *request.generation != model.generation()) {
        fail(fmt::format("the model is of generation {}, not {}",
                         generation_number(model.generation()),
                         generation_number(*request.generation)),
             "compile with the matching -DN6VP_GENERATION, or drop --generation");
    }
    if (request.ecblob_in_params && model.blobs.empty()) {
        fail("--ecblob-in-params: the model has no epoch-controller container in parameter space",
             "place the containers in section .const_ec_blob (N6VP_BLOB_IN_PARAMETERS)");
    }
    for (const auto& given : request.pools) {
        const LinkedPool* const pool = find_pool(model, given.first);
        const std::string shown = traces::terminal_text(given.first);
        if (pool == nullptr) {
            fail(fmt::format("--pool {}: the model has no pool of that name", shown),
                 "the names stand in the model's pool table (N6VP_POOLS)");
        }
        if (!has_parameters(*pool)) {
            fail(fmt::format("--pool {}: that pool holds no parameters", shown),
                 "only PARAM and MIXED pools take a file");
        }
    }
}

/// Returns the raw content of a pool: the user's file, else the ELF's payload section.
const std::vector<std::uint8_t>& raw_of(const LinkedModel& model, const PackRequest& request,
                                        const LinkedPool& pool) {
    if (const auto given = request.pools.find(pool.name); given != request.pools.end()) {
        return given->second;
    }
    const auto section = model.payloads.find(pool.name);
    const std::string shown = traces::terminal_text(pool.name);
    if (section == model.payloads.end()) {
        fail(fmt::format("pool '{}' has parameters but no content", shown),
             fmt::format("give --pool {}=FILE, or an ELF section .pool.{}", shown, shown));
    }
    return section->second;
}

void check_payloads(const LinkedModel& model) {
    for (const auto& payload : model.payloads) {
        const LinkedPool* const pool = find_pool(model, payload.first);
        if (pool != nullptr && has_parameters(*pool)) continue;
        fail(fmt::format("ELF section .pool.{} belongs to no pool with parameters",
                         traces::terminal_text(payload.first)),
             "name the payload like its pool, and give the pool data type PARAM or MIXED");
    }
}

/// Lays out the parameter section: containers, then the raw data of each pool in table order, each
/// contribution at least as long as the pool and a multiple of 8.
class ParameterSection {
  public:
    ParameterSection(const LinkedModel& model, const PackRequest& request)
        : model_(model), request_(request), bytes_(model.blobs) {
        for (const LinkedPool& pool : model.pools) add(pool);
    }

    [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }
    [[nodiscard]] const std::vector<PackedPool>& pools() const { return pools_; }

  private:
    void add(const LinkedPool& pool) {
        PackedPool packed{pool.name,  word_at(model_.data, pool.table_offset),
                          pool.flags, 0,
                          pool.dst,   pool.bytes};
        if (has_parameters(pool)) {
            packed.foff = static_cast<std::uint32_t>(bytes_.size());
            append(pool);
            if (used_in_place(pool) && !model_.blobs.empty()) start_at_containers(pool, packed);
        }
        pools_.push_back(std::move(packed));
    }

    void append(const LinkedPool& pool) {
        const std::vector<std::uint8_t>& raw = raw_of(model_, request_, pool);
        const std::size_t bytes = std::max<std::size_t>(raw.size(), pool.bytes);
        if (bytes > kMaxSectionBytes || bytes_.size() + bytes > kMaxSectionBytes) {
            fail(fmt::format("the parameters exceed 128 MiB at pool '{}'",
                             traces::terminal_text(pool.name)),
                 "the format cannot address more; make the pools smaller");
        }
        bytes_.insert(bytes_.end(), raw.begin(), raw.end());
        bytes_.resize(bytes_.size() + (bytes - raw.size()), 0);
        pad_to_8(bytes_);
    }

    /// Containers and in-place weights share one link space whose base the loader takes from this
    /// pool, so the pool has to begin where the containers do. (The vendor's generator shifts it
    /// and thereby breaks every reference to a container.)
    void start_at_containers(const LinkedPool& pool, PackedPool& packed) const {
        if (packed.foff != model_.blobs.size()) {
            fail(fmt::format("pool '{}' must come first among the pools with parameters",
                             traces::terminal_text(pool.name)),
                 "with containers in the parameters, list the RELOC.PARAM pool first");
        }
        packed.foff = 0;
        packed.bytes += static_cast<std::uint32_t>(model_.blobs.size());
    }

    const LinkedModel& model_;
    const PackRequest& request_;
    std::vector<std::uint8_t> bytes_;
    std::vector<PackedPool> pools_;
};

/// Appends the relocation table and returns its file offsets in `packed`.
void append_relocations(const LinkedModel& model, PackedContainer& packed) {
    std::vector<std::uint8_t>& file = packed.file;
    pad_to_8(file);
    packed.rel_start = static_cast<std::uint32_t>(file.size());
    packed.rel_end = packed.rel_start + static_cast<std::uint32_t>(model.relocations.size() * 4);
    file.resize(packed.rel_end);
    std::size_t at = packed.rel_start;
    for (const std::uint32_t entry : model.relocations) {
        put_word(file, at, entry);
        at += 4;
    }
    pad_to_8(file);
    put_word(file, format::kOffRelStart, format::kFlashBase + packed.rel_start);
    put_word(file, format::kOffRelEnd, format::kFlashBase + packed.rel_end);
}

void write_tables(LinkedModel& model, const PackedContainer& packed) {
    for (std::size_t index = 0; index < packed.pools.size(); ++index) {
        const std::uint32_t entry = model.pools[index].table_offset;
        put_word(model.data, entry + 8, packed.pools[index].foff);
        put_word(model.data, entry + 16, packed.pools[index].bytes);
    }
    const std::uint32_t context = model.context.data_offset;
    put_word(model.data, context + loader::context_offset::kParamsBinSize, packed.raw_bytes);
    put_word(model.data, context + loader::context_offset::kParamsBinCrc, packed.raw_crc);
}

}  // namespace

PackedContainer build_container(LinkedModel& model, const PackRequest& request) {
    check_request(model, request);
    check_payloads(model);
    const ParameterSection section(model, request);
    PackedContainer packed;
    packed.pools = section.pools();
    packed.section_bytes = static_cast<std::uint32_t>(section.bytes().size());
    packed.raw_bytes = packed.section_bytes - static_cast<std::uint32_t>(model.blobs.size());
    packed.raw_crc =
        loader::crc32(0, section.bytes().data() + model.blobs.size(), packed.raw_bytes);
    if (request.split && section.bytes().empty()) {
        fail("--split: the model has no parameters", "drop --split");
    }
    if (section.bytes().empty()) {
        model.notes.emplace_back(
            "no parameters: loaders refuse such a file (PARAM_ADDR) unless a parameter address is "
            "given");
    }
    write_tables(model, packed);
    packed.file = model.flash;
    packed.file.insert(packed.file.end(), model.data.begin(), model.data.end());
    append_relocations(model, packed);
    if (request.split) {
        packed.parameters = section.bytes();
    } else if (!section.bytes().empty()) {
        packed.params_offset = static_cast<std::uint32_t>(packed.file.size());
        packed.file.insert(packed.file.end(), section.bytes().begin(), section.bytes().end());
    }
    put_word(packed.file, format::kOffParamsOffset, packed.params_offset);
    return packed;
}

std::vector<std::string> check_container(const PackedContainer& packed) {
    // Any place does for a structural check; these leave room for the largest file.
    constexpr GuestAddr kFile{0x60000000}, kParams{0x80000000};
    HostMemory memory;
    const auto file_bytes = static_cast<std::uint32_t>(packed.file.size());
    const auto params_bytes = static_cast<std::uint32_t>(packed.parameters.size());
    memory.map({kFile, file_bytes}, 0, false);
    memory.store(kFile, packed.file);
    if (params_bytes != 0) {
        memory.map({kParams, params_bytes}, 0, false);
        memory.store(kParams, packed.parameters);
    }
    const loader::MemoryPort port = memory.port();
    loader::Container container(port, kFile, file_bytes);
    loader::Diagnosis why;
    if (container.open(why) != loader::Status::Ok) refuse_finished(why, nullptr);
    LoaderFindings findings;
    const GuestAddr params = params_bytes == 0 ? GuestAddr{} : kParams;
    // The status repeats the first finding.
    (void)loader::check_file(container, params, params_bytes, findings.sink());
    return findings.warnings(&container);
}

}  // namespace n6vp::sim::pack

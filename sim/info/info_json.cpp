// SPDX-License-Identifier: Apache-2.0
#include "sim/info/info_json.h"

#include <fmt/format.h>

#include <string>

#include "sim/info/report_text.h"
#include "sim/model_file/placement.h"
#include "sim/model_file/sizes.h"

namespace n6vp::sim::report {

namespace {

namespace format = loader::format;
using loader::Header;

template <typename T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json hex_or_null(const std::optional<std::uint32_t>& value) {
    return value ? Json(hex_word(*value)) : Json(nullptr);
}

Json flags_json(format::Flags flags) {
    return {{"vers_major", flags.major()},
            {"vers_minor", flags.minor()},
            {"secure", flags.secure()},
            {"dbg_info", flags.dbg_info()},
            {"async_mode", flags.async()},
            {"toolchain", toolchain_key(flags.toolchain())},
            {"float-abi", flags.float_abi()},
            {"fpu", flags.fpu()},
            {"cpuid", fmt::format("{:03X}", flags.cpu_part())},
            {"description", flags_line(flags)},
            {"raw", hex_word(flags.raw)},
            {"reserved_bits", hex_word(flags.reserved())}};
}

Json pool_json(const PoolRow& row) {
    return {{"name", or_null(row.name)},
            {"addr", hex_word(row.pool.name)},
            {"flags_raw", hex_word(row.pool.flags.raw)},
            {"flags_desc", pool_flags_text(row.pool.flags)},
            {"foff", row.pool.foff},
            {"dst", hex_word(row.pool.dst)},
            {"size", row.pool.bytes},
            {"meaning", pool_meaning(row.pool.flags)}};
}

Json context_json(const ModelImage& image, const ModelFacts& facts) {
    if (!facts.context) return nullptr;
    const loader::RuntimeContext& context = *facts.context;
    Json json = {{"c_name", or_null(facts.c_name)},
                 {"acts_sz", context.acts_sz},
                 {"params_sz", context.params_sz},
                 {"ext_ram_sz", context.ext_ram_sz},
                 {"rt_version_desc", or_null(facts.version_desc)},
                 {"rt_version", version_text({context.version().major, context.version().minor,
                                              context.version().micro, context.rt_version_extra})},
                 {"rt_version_extra", context.rt_version_extra},
                 {"params_bin_sz", context.params_bin_sz},
                 {"params_bin_crc32", hex_word(context.params_bin_crc32)}};
    json["rt_c_struct_sizes"] = nullptr;
    if (context.has_struct_sizes) {
        json["rt_c_struct_sizes"] = {{"ll_buffer_info", context.rt_c_struct_sizes & 0xFF},
                                     {"epochblock_item", context.rt_c_struct_sizes >> 8 & 0xFF}};
    }
    json["link_address"] = hex_word(image.header().context());
    json["rt_version_raw"] = hex_word(context.rt_version);
    for (const auto& [name, value] : {std::pair{"state", context.state},
                                      {"file_addr", context.file_addr},
                                      {"ram_addr", context.ram_addr},
                                      {"rom_addr", context.rom_addr},
                                      {"cbs", context.cbs},
                                      {"ll_instance", context.ll_instance},
                                      {"itf_network", context.itf_network}}) {
        json[name] = hex_word(value);
    }
    return json;
}

Json image_json(const ModelImage& image, const ModelFacts& facts, const Sizes& sizes) {
    const Header& header = image.header();
    Json json = {
        {"flags", flags_json(header.flags)},
        {"img_size", image.bytes()},
        {"params_offset", header.params_offset},
        {"params_size", facts.split ? or_null(sizes.params_file) : or_null(sizes.params_section)},
        {"xip_size", or_null(sizes.xip)},
        {"copy_size", or_null(sizes.copy)},
        {"ro_size", or_null(sizes.ro)},
        {"rw_size", or_null(sizes.rw)}};
    json["sections"] = {
        {"header", header.header_bytes != 0 ? Json(header.header_bytes) : Json(nullptr)},
        {"data", or_null(sizes.data)},
        {"bss", or_null(sizes.bss)},
        {"got", or_null(sizes.got)},
        {"rel", or_null(sizes.rel)}};
    json["mempool_c_descriptors"] = Json::array();
    for (const PoolRow& row : facts.pools) {
        if (!row.pool.terminates()) json["mempool_c_descriptors"].push_back(pool_json(row));
    }
    json["rt_context"] = context_json(image, facts);
    json["img_params_size"] = or_null(sizes.params);
    json["acts_size"] = or_null(sizes.acts);
    return json;
}

Json counts_json(const SpaceCounts& counts) {
    return {{"ram", counts.ram},       {"flash", counts.flash}, {"param0", counts.param0},
            {"param1", counts.param1}, {"zero", counts.zero},   {"illegal", counts.other}};
}

Json statistics_json(const ModelFacts& facts) {
    const RelocationFacts& rel = facts.relocations;
    return {{"got",
             {{"words", facts.got.words},
              {"outside_file", facts.got.unreadable},
              {"holds", counts_json(facts.got.held)}}},
            {"relocations",
             {{"entries", rel.entries},
              {"outside_file", rel.unreadable},
              {"patches", {{"ram", rel.in_ram}, {"ro", rel.in_ro}, {"illegal", rel.elsewhere}}},
              {"without_content", rel.word_unreadable},
              {"holds", counts_json(rel.held)}}}};
}

Json vector_json(const ModelImage& image, const std::optional<loader::Resolver>& bases) {
    const Header& header = image.header();
    const auto built = built_entry_names(header.header_bytes);
    const auto vendor = vendor_entry_names(header.header_bytes);
    Json list = Json::array();
    for (std::size_t index = 0; index < built.size(); ++index) {
        Json entry = {{"offset", format::kVectorOffset + 4 * index},
                      {"word", hex_word(header.vector[index])},
                      {"built", built[index]},
                      {"vendor_loader_reads", vendor[index]}};
        std::uint32_t address = 0;
        if (bases && bases->resolve(header.vector[index], address))
            entry["installed"] = hex_word(address);
        list.push_back(std::move(entry));
    }
    return list;
}

Json generation_json(const ModelImage& image, const ModelFacts& facts) {
    const GenerationFacts found = find_generation(image, facts);
    return {{"core", found.core},
            {"ll_aton", found.runtime},
            {"detected_by", found.detected},
            {"contradiction", found.conflict.empty() ? Json(nullptr) : Json(found.conflict)}};
}

Json sizes_json(const ModelFacts& facts, const Sizes& sizes) {
    return {{"exec_ram_xip", or_null(sizes.xip)},
            {"exec_ram_copy", or_null(sizes.copy)},
            {"copied_to_ram", or_null(sizes.copied)},
            {"arrays", or_null(sizes.arrays)},
            {"header_and_rel", or_null(sizes.header_and_rel)},
            {"extra_sections", or_null(sizes.extra)},
            {"code_sz", or_null(sizes.code)},
            {"external_ram", or_null(sizes.external_ram)},
            {"params_file", or_null(sizes.params_file)},
            {"params_section", or_null(sizes.params_section)},
            {"blobs", or_null(facts.blob_bytes)}};
}

}  // namespace

Json info_document(const ModelImage& image, const ModelFacts& facts,
                   const std::optional<loader::Resolver>& bases) {
    const Sizes sizes = derive_sizes(image, facts);
    Json document = json_document("info");
    document["file"] = image.files().file_path;
    document["params_file"] =
        image.files().params_path.empty() ? Json(nullptr) : Json(image.files().params_path);
    document["damaged"] = is_damaged(image, facts);
    document["generation"] = generation_json(image, facts);
    document["reloc_binary_image"] = image_json(image, facts, sizes);
    document["sizes"] = sizes_json(facts, sizes);
    document["vector"] = vector_json(image, bases);
    document["statistics"] = statistics_json(facts);
    document["file_map"] = Json::array();
    for (const FilePart& part : facts.parts) {
        document["file_map"].push_back({{"name", part.name},
                                        {"offset", part.start},
                                        {"bytes", part.bytes},
                                        {"note", part.note}});
    }
    if (bases) {
        document["bases"] = {{"ro", hex_word(to_word(bases->ro_base))},
                             {"ram", hex_word(to_word(bases->ram_base))},
                             {"param0", hex_word(to_word(bases->param0))},
                             {"param1", hex_word(to_word(bases->param1))}};
    }
    document["notes"] = facts.notes;
    return document;
}

void add_links(Json& document, const ModelImage& image, const LinkWords& words,
               const std::optional<loader::Resolver>& bases) {
    document["got_words"] = Json::array();
    document["relocation_entries"] = Json::array();
    for_each_link(image, bases, [&](const LinkRow& link) {
        const Place place = words.place(link.target);
        const bool has_word = link.word_offset != loader::kNotApplicable;
        Json row = {{"index", link.index},
                    {"entry_offset", link.entry_offset},
                    {"target", hex_word(link.target)},
                    {"section", place.section},
                    {"section_offset", place.offset},
                    {"what", words.content(link.target)},
                    {"file_offset", has_word ? Json(link.word_offset) : Json(nullptr)},
                    {"value", hex_or_null(link.value)},
                    {"space", link.value ? Json(LinkWords::space(*link.value)) : Json(nullptr)},
                    {"meaning", link.value ? Json(words.meaning(*link.value)) : Json(nullptr)}};
        if (bases) {
            row["installed_target"] = hex_or_null(link.installed_target);
            row["installed_value"] = hex_or_null(link.installed_value);
        }
        document[link.is_got ? "got_words" : "relocation_entries"].push_back(std::move(row));
    });
}

void add_listing(Json& document, const std::vector<ListingLine>& lines) {
    document["disassembly"] = Json::array();
    for (const ListingLine& line : lines) {
        Json row = {{"address", hex_word(line.address)},
                    {"encoding", fmt::format("0x{:0{}x}", line.encoding, line.bytes * 2)},
                    {"text", line.text}};
        if (!line.label.empty()) row["label"] = line.label;
        if (!line.note.empty()) row["note"] = line.note;
        if (line.marked) row["marked"] = true;
        document["disassembly"].push_back(std::move(row));
    }
}

}  // namespace n6vp::sim::report

// SPDX-License-Identifier: Apache-2.0
#include "sim/pack/pack_report.h"

#include <fmt/format.h>

#include <iterator>

#include "loader/format.h"
#include "sim/host/version.h"
#include "sim/model_file/model_source.h"
#include "sim/pack/c_text.h"

namespace n6vp::sim::pack {

namespace {

namespace format = loader::format;

std::uint32_t xip_bytes(const LinkedModel& model) {
    return format::align8(format::link_offset(model.header.bss_end));
}

std::uint32_t copy_bytes(const LinkedModel& model) {
    return xip_bytes(model) + static_cast<std::uint32_t>(model.flash.size());
}

const char* toolchain_name(std::uint32_t id) {
    switch (id) {
        case format::kToolchainGcc:
            return "ARM_GCC";
        case format::kToolchainClang:
            return "ARM_CLANG";
        default:
            return "ST_ARM_CLANG";
    }
}

const char* toolchain_title(std::uint32_t id) {
    switch (id) {
        case format::kToolchainGcc:
            return "Embedded ARM GCC";
        case format::kToolchainClang:
            return "Embedded ARM CLANG";
        default:
            return "Embedded ST ARM CLANG";
    }
}

Json flags_json(format::Flags flags) {
    const auto python = [](bool value) { return value ? "True" : "False"; };
    Json json;
    json["vers_major"] = flags.major();
    json["vers_minor"] = flags.minor();
    json["secure"] = flags.secure();
    json["dbg_info"] = flags.dbg_info();
    json["async_mode"] = flags.async();
    json["toolchain"] = toolchain_name(flags.toolchain());
    json["float-abi"] = flags.float_abi();
    json["fpu"] = flags.fpu();
    json["cpuid"] = fmt::format("{:03X}", flags.cpu_part());
    json["description"] =
        fmt::format("v{}.{} dbg={} async={} sec={} '{}' cpuid={:03X} fpu={} float-abi={}",
                    flags.major(), flags.minor(), python(flags.dbg_info()), python(flags.async()),
                    python(flags.secure()), toolchain_title(flags.toolchain()), flags.cpu_part(),
                    python(flags.fpu()), flags.float_abi());
    return json;
}

Json sections_json(const LinkedModel& model, const PackedContainer& packed) {
    const LinkedHeader& header = model.header;
    Json json;
    json["header"] = header.header_bytes;
    json["data"] = format::link_offset(header.data_end);
    json["bss"] = header.bss_end - header.bss_start;
    json["got"] = header.got_end - header.got_start;
    json["rel"] = packed.rel_end - packed.rel_start;
    return json;
}

Json pools_json(const PackedContainer& packed) {
    Json json = Json::array();
    for (const PackedPool& pool : packed.pools) {
        Json row;
        row["name"] = pool.name;
        row["addr"] = hex_word(pool.address);
        row["flags_raw"] = hex_word(pool.flags);
        row["flags_desc"] = pool_flags_text(pool.flags);
        row["foff"] = pool.foff;
        row["dst"] = hex_word(pool.dst);
        row["size"] = pool.bytes;
        json.push_back(std::move(row));
    }
    return json;
}

Json context_json(const LinkedModel& model, const PackedContainer& packed) {
    const LinkedContext& context = model.context;
    Json json;
    json["c_name"] = context.c_name;
    json["acts_sz"] = context.acts_bytes;
    json["params_sz"] = context.params_bytes;
    json["ext_ram_sz"] = context.ext_ram_bytes;
    json["rt_version_desc"] = context.version_text;
    json["rt_version"] = fmt::format("{}.{}.{}", context.version.major, context.version.minor,
                                     context.version.micro);
    json["rt_version_extra"] = context.version.dev;
    json["params_bin_sz"] = packed.raw_bytes;
    json["params_bin_crc32"] = hex_word(packed.raw_crc);
    if (context.has_struct_sizes) {
        json["rt_c_struct_sizes"] = {{"ll_buffer_info", context.struct_sizes & 0xFF},
                                     {"epochblock_item", context.struct_sizes >> 8 & 0xFF}};
    }
    return json;
}

void append_pool_macros(const PackedContainer& packed, const std::string& prefix,
                        std::string& text) {
    for (std::size_t index = 0; index < packed.pools.size(); ++index) {
        const PackedPool& pool = packed.pools[index];
        const std::string macro = fmt::format("#define {}MPOOL_DESC_{}_", prefix, index);
        fmt::format_to(std::back_inserter(text), "{}NAME \"{}\"\n", macro, c_text(pool.name));
        fmt::format_to(std::back_inserter(text), "{}FLAGS 0x{:08X}u /* {} */\n", macro, pool.flags,
                       pool_flags_text(pool.flags));
        fmt::format_to(std::back_inserter(text), "{}FOFF {}u\n", macro, pool.foff);
        fmt::format_to(std::back_inserter(text), "{}DST 0x{:08X}u\n", macro, pool.dst);
        fmt::format_to(std::back_inserter(text), "{}SIZE {}u\n", macro, pool.bytes);
    }
}

}  // namespace

std::string pool_flags_text(std::uint32_t word) {
    if (word == 0) return "UNUSED";
    const format::PoolFlags flags{word};
    static constexpr const char* kTypes[] = {"UNUSED", "RELOC", "COPY", "RESET"};
    static constexpr const char* kData[] = {"UNDEF", "PARAM", "ACTIV", "MIXED"};
    const auto type = static_cast<std::uint32_t>(flags.type());
    const auto data = static_cast<std::uint32_t>(flags.data());
    std::string text = type < std::size(kTypes) ? kTypes[type] : "UNSUPPORTED";
    text += '.';
    text += data < std::size(kData) ? kData[data] : "UNDEF";
    if (flags.type() == format::PoolType::Reloc) text += fmt::format(".{}", flags.id());
    switch (flags.attributes()) {
        case 1:
            return text + ".READ";
        case 2:
            return text + ".WRITE";
        case 4:
            return text + ".CACHED";
        case 5:
            return text + ".RCACHED";
        case 6:
            return text + ".WCACHED";
        default:
            return text + fmt::format(".0x{:02X}", flags.attributes());
    }
}

Json pack_report(const LinkedModel& model, const PackedContainer& packed,
                 const std::vector<std::string>& notes, const std::vector<WrittenFile>& files,
                 const std::string& created) {
    Json report = json_document("pack");
    report["version"] = "1.0";
    report["created-date"] = created;
    report["versions"] = {{"n6vp", std::string(version())}};
    report["generation"] = generation_number(model.generation());
    Json& image = report["reloc_binary_image"];
    image["flags"] = flags_json(format::Flags{model.header.flags});
    image["img_size"] = packed.file.size();
    image["params_offset"] = packed.params_offset;
    image["params_size"] = packed.section_bytes;
    image["xip_size"] = xip_bytes(model);
    image["copy_size"] = copy_bytes(model);
    image["ro_size"] = model.flash.size();
    image["rw_size"] = format::link_offset(model.header.bss_end);
    image["sections"] = sections_json(model, packed);
    image["mempool_c_descriptors"] = pools_json(packed);
    image["rt_context"] = context_json(model, packed);
    image["img_params_size"] = model.context.params_bytes;
    image["acts_size"] = model.context.acts_bytes;
    report["notes"] = notes;
    report["gen_files"] = Json::array();
    for (const WrittenFile& file : files) {
        report["gen_files"].push_back({{"size", file.bytes}, {"path", file.path}});
    }
    return report;
}

CSources c_sources(const LinkedModel& model, const PackedContainer& packed, const std::string& name,
                   const std::string& header_name) {
    const std::string lower = identifier(name, false);
    const std::string prefix = fmt::format("AI_{}_RELOC_", identifier(name, true));
    std::string header =
        fmt::format("#ifndef {0}H\n#define {0}H\n\n#include <stdint.h>\n\n", prefix);
    const auto number = [&](const char* macro, std::size_t value) {
        fmt::format_to(std::back_inserter(header), "#define {}{} {}u\n", prefix, macro, value);
    };
    fmt::format_to(std::back_inserter(header), "#define {}C_NAME \"{}\"\n", prefix,
                   c_text(model.context.c_name));
    fmt::format_to(std::back_inserter(header), "#define {}RT_DESC \"{}\"\n", prefix,
                   c_text(model.context.version_text));
    number("RAM_SIZE_XIP", xip_bytes(model));
    number("RAM_SIZE_COPY", copy_bytes(model));
    number("IMAGE_SIZE", packed.file.size());
    number("ACTIVATIONS_SIZE", model.context.acts_bytes);
    number("WEIGHTS_SIZE", model.context.params_bytes);
    number("EXT_RAM_SIZE", model.context.ext_ram_bytes);
    append_pool_macros(packed, prefix, header);
    fmt::format_to(std::back_inserter(header),
                   "\n/* Returns the address of the image, which is aligned to 8. */\n"
                   "uintptr_t ai_{}_reloc_img_get(void);\n\n#endif\n",
                   lower);
    std::string source = fmt::format(
        "#include \"{0}\"\n\n#include <stdalign.h>\n\n"
        "static alignas(8) const uint8_t reloc_image[{1}IMAGE_SIZE] = {{\n{2}}};\n\n"
        "uintptr_t ai_{3}_reloc_img_get(void) {{ return (uintptr_t)reloc_image; }}\n",
        header_name, prefix, byte_lines(packed.file), lower);
    return {std::move(header), std::move(source)};
}

}  // namespace n6vp::sim::pack

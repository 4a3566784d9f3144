// SPDX-License-Identifier: Apache-2.0
#include "sim/pack/legacy_pack_report.h"

#include <fmt/format.h>

#include <iterator>

#include "sim/host/version.h"
#include "sim/model_file/legacy_model.h"
#include "sim/pack/c_text.h"
#include "traces/escape.h"

namespace n6vp::sim::pack {

namespace {

namespace format = loader::format;
namespace legacy = loader::legacy;

/// The rows of the vendor's "Runtime memory layout"; `relocatable` is what a model linked into the
/// application does not have.
struct LegacyLayout {
    std::uint32_t text, data, bss, got, rel, weights, flash, flash_more, ram, ram_more;
};

LegacyLayout layout_of(const LegacyLinked& model, const LegacyPacked& packed) {
    const legacy::Header& header = model.header;
    LegacyLayout layout{};
    layout.text = model.text_bytes;
    layout.data = format::link_offset(header.data_end);
    layout.bss = header.bss_bytes();
    layout.got = header.got_bytes();
    layout.rel = packed.rel_end - packed.rel_start;
    layout.weights = packed.weights_end - packed.weights_start;
    layout.flash = layout.text + layout.data + layout.weights;
    layout.flash_more = legacy::kHeaderBytes + layout.got + layout.rel;
    layout.ram = layout.data + layout.bss;
    layout.ram_more = layout.got;
    return layout;
}

double percent(std::uint32_t part, std::uint32_t whole) {
    return whole == 0 ? 0 : 100.0 * part / whole;
}

}  // namespace

Json legacy_pack_report(const LegacyLinked& model, const LegacyPacked& packed,
                        const std::vector<WrittenFile>& files, const std::string& created) {
    const legacy::Header& header = model.header;
    const LegacyLayout layout = layout_of(model, packed);
    Json report = json_document("pack");
    report["version"] = "1.0";
    report["created-date"] = created;
    report["versions"] = {{"n6vp", std::string(version())}};
    report["family"] = "legacy";
    Json& image = report["reloc_binary_image"];
    const format::Flags flags = header.flags;
    image["flags"] = {
        {"vers_major", flags.major()},
        {"vers_minor", flags.minor()},
        {"toolchain", "ARM_GCC"},
        {"float-abi", flags.float_abi()},
        {"fpu", flags.fpu()},
        {"cpuid", fmt::format("{:03X}", flags.cpu_part())},
        {"description", fmt::format("v{}.{} {} fpu={} float-abi={}", flags.major(), flags.minor(),
                                    core_name(flags.cpu_part()), flags.fpu() ? "True" : "False",
                                    flags.float_abi())}};
    image["img_size"] = packed.file.size();
    image["weights_offset"] = packed.weights_start;
    image["weights_size"] = packed.weights_bytes;
    image["xip_size"] = header.ram_bytes(false);
    image["copy_size"] = header.ram_bytes(true);
    image["ro_size"] = header.ro_bytes();
    image["rw_size"] = header.rw_bytes();
    image["sections"] = {{"header", legacy::kHeaderBytes},
                         {"txt", layout.text},
                         {"data", layout.data},
                         {"bss", layout.bss},
                         {"got", layout.got},
                         {"rel", layout.rel},
                         {"weights", layout.weights}};
    image["flash"] = {{"bytes", layout.flash}, {"relocatable", layout.flash_more}};
    image["ram"] = {{"bytes", layout.ram}, {"relocatable", layout.ram_more}};
    image["rt_context"] = {{"c_name", model.name},
                           {"acts_sz", model.context.activations_bytes},
                           {"weights_sz", model.context.weights_bytes},
                           {"crc_callbacks", model.context.has_crc}};
    image["acts_size"] = model.context.activations_bytes;
    report["notes"] = packed.warnings;
    report["gen_files"] = Json::array();
    for (const WrittenFile& file : files)
        report["gen_files"].push_back({{"size", file.bytes}, {"path", file.path}});
    return report;
}

std::string legacy_pack_text(const LegacyLinked& model, const LegacyPacked& packed,
                             const std::vector<WrittenFile>& files) {
    const legacy::Header& header = model.header;
    const LegacyLayout layout = layout_of(model, packed);
    std::string text = fmt::format(
        "{}: older family (AI_RELOC), {}\n"
        "  header {}, code and constants {}, data {}, bss {}, GOT {}, relocations {}, weights "
        "{}{}\n"
        "  flash {} bytes + {} for relocation ({:+.2f} %), RAM {} + {} ({:+.2f} %)\n"
        "  RAM for the image {} bytes in XIP, {} in COPY; activations {}\n",
        traces::terminal_text(model.name), core_name(header.flags.cpu_part()), legacy::kHeaderBytes,
        layout.text, layout.data, layout.bss, layout.got, layout.rel, packed.weights_bytes,
        packed.weights_start == 0 && packed.weights_bytes != 0 ? " (apart)" : "", layout.flash,
        layout.flash_more, percent(layout.flash_more, layout.flash), layout.ram, layout.ram_more,
        percent(layout.ram_more, layout.ram), header.ram_bytes(false), header.ram_bytes(true),
        model.context.activations_bytes);
    for (const std::string& note : packed.warnings) text += fmt::format("  note: {}\n", note);
    for (const WrittenFile& file : files)
        text +=
            fmt::format("  wrote {} ({} bytes)\n", traces::terminal_text(file.path), file.bytes);
    return text;
}

CSources legacy_c_sources(const LegacyLinked& model, const LegacyPacked& packed,
                          const std::string& name, const std::string& header_name) {
    const std::string lower = identifier(name, false);
    const std::string prefix = fmt::format("AI_{}_RELOC_", identifier(name, true));
    const bool apart = !packed.weights.empty();
    std::string header =
        fmt::format("#ifndef {0}H\n#define {0}H\n\n#include \"ai_platform.h\"\n\n", prefix);
    const auto number = [&](const char* macro, std::size_t value) {
        fmt::format_to(std::back_inserter(header), "#define {}{} ({})\n", prefix, macro, value);
    };
    number("RAM_SIZE_XIP", model.header.ram_bytes(false));
    number("RAM_SIZE_COPY", model.header.ram_bytes(true));
    number("IMAGE_SIZE", packed.file.size());
    number("ACTIVATIONS_SIZE", model.context.activations_bytes);
    number("WEIGHTS_SIZE", model.context.weights_bytes);
    fmt::format_to(std::back_inserter(header),
                   "\n/* Both are aligned to 8. */\n"
                   "ai_handle ai_{}_reloc_img_get(void);\n",
                   lower);
    std::string source = fmt::format(
        "#include \"{0}\"\n\n#include <stdalign.h>\n\n"
        "static alignas(8) const ai_u8 reloc_image[{1}IMAGE_SIZE] = {{\n{2}}};\n\n"
        "ai_handle ai_{3}_reloc_img_get(void) {{ return AI_HANDLE_PTR(reloc_image); }}\n",
        header_name, prefix, byte_lines(packed.file), lower);
    if (apart) {
        fmt::format_to(std::back_inserter(header), "ai_handle ai_{}_reloc_weights_get(void);\n",
                       lower);
        source += fmt::format(
            "\nstatic alignas(8) const ai_u8 reloc_weights[{0}WEIGHTS_SIZE] = {{\n{1}}};\n\n"
            "ai_handle ai_{2}_reloc_weights_get(void) {{ return AI_HANDLE_PTR(reloc_weights); }}\n",
            prefix, byte_lines(packed.weights), lower);
    }
    header += "\n#endif\n";
    return {std::move(header), std::move(source)};
}

}  // namespace n6vp::sim::pack

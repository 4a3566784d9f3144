// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <ostream>

#include "sim/cli/verb.h"
#include "sim/host/elf.h"
#include "sim/host/errors.h"
#include "sim/host/json_output.h"
#include "sim/host/output_file.h"
#include "sim/model_file/legacy_model.h"
#include "sim/model_file/model_source.h"
#include "sim/pack/container_image.h"
#include "sim/pack/legacy_pack_report.h"
#include "sim/pack/pack_report.h"
#include "traces/escape.h"

namespace n6vp::sim::cli {

namespace {

namespace fs = std::filesystem;

// Value of --split without a file name.
constexpr const char* kBeside = "auto";

constexpr const char* kPackFooter =
    R"(The ELF must be linked with sim/generate/emit/glue/model.ld and -Wl,--emit-relocs from position-independent
code: GCC with -fpic -mno-pic-data-is-text-relative -msingle-pic-base -mpic-register=r9, or clang with
-fropi -frwpi (such a model installs in COPY mode only). --pool gives the content of a pool; the default is
the ELF section .pool.NAME. A model of the older family (Cortex-M4, M7, M33) is recognised by its header: link
it with legacy_model.ld of the same folder, GCC only. Its weights are the ELF section .weights. Incomplete files are never left behind. The report has the layout of the
vendor's _generate_rel.json, except that the two numbers of rt_c_struct_sizes have names.

Examples:
  n6vp pack model.elf -o network_rel.bin                    one file, parameters inside
  n6vp pack model.elf -o network_rel.bin --pool flash=weights.raw
  n6vp pack model.elf -o network_rel.bin --split            parameters in network_rel_params.bin
  n6vp pack model.elf -o network_rel.bin --generation 3.0   refuse a model of another generation
  n6vp pack a.elf b.elf -o out/                             out/a_rel.bin and out/b_rel.bin
  n6vp pack model.elf -o network_rel.bin --gen-c-file --c-name kws
                                                            also network_rel.c and .h to link into firmware
  n6vp pack dense.elf -o network_rel.bin --core cortex-m33  older family; refuse a model of another core
  n6vp pack dense.elf -o network_rel.bin --split --weights weights.raw
                                                            older family: weights in network_data.bin

Then: n6vp info network_rel.bin, n6vp check network_rel.bin.)";

struct PackOptions {
    std::vector<std::string> elfs, pools;
    std::string output, generation, split, report, c_name, created;
    std::string core, weights;  ///< of the older family
    bool ecblob_in_params = false, gen_c_file = false, json = false;
};

/// Where the files of one container go; an empty path means: not written.
struct Outputs {
    fs::path file, parameters, report, c_source, c_header;
};

std::optional<loader::Generation> parse_generation(const std::string& text) {
    if (text.empty()) return std::nullopt;
    if (text == "2.1") return loader::Generation::Core21;
    if (text == "2.2") return loader::Generation::Core22;
    if (text == "3.0") return loader::Generation::Core30;
    return loader::Generation::Core4x;  // the parser admits no other text
}

std::map<std::string, std::vector<std::uint8_t>> read_pools(const std::vector<std::string>& pools) {
    std::map<std::string, std::vector<std::uint8_t>> contents;
    for (const std::string& pool : pools) {
        const std::size_t equals = pool.find('=');
        const std::string shown = traces::terminal_text(pool);
        if (equals == std::string::npos || equals == 0 || equals + 1 == pool.size()) {
            throw UserError(fmt::format("--pool {}: not of the form NAME=FILE", shown),
                            "for example --pool flash=weights.raw");
        }
        if (!contents.emplace(pool.substr(0, equals), read_file(pool.substr(equals + 1))).second) {
            throw UserError(fmt::format("--pool {}: that pool already has a file", shown),
                            "give each pool one file");
        }
    }
    return contents;
}

fs::path with_suffix(const fs::path& file, const char* suffix) {
    return file.parent_path() / (file.stem().string() + suffix);
}

/// The second file beside `network_rel.bin` is `network_data.bin` in the older family.
fs::path data_file(const fs::path& file) {
    constexpr std::string_view kImage = "_rel";
    std::string stem = file.stem().string();
    if (stem.ends_with(kImage)) stem.resize(stem.size() - kImage.size());
    return file.parent_path() / (stem + "_data.bin");
}

/// Several ELFs, or a folder as output, give every container its own name.
Outputs outputs_for(const PackOptions& options, const fs::path& elf, bool legacy) {
    Outputs outputs;
    outputs.file = options.output;
    const bool many = options.elfs.size() > 1;
    if (many && (!options.report.empty() || (!options.split.empty() && options.split != kBeside))) {
        throw UserError("--report and --split=FILE name one file, but there are several ELF files",
                        "pack them one by one, or use --split without a name");
    }
    if (many || fs::is_directory(outputs.file)) {
        if (!fs::is_directory(outputs.file)) {
            throw UserError(
                fmt::format("'{}' is not a folder", traces::terminal_text(options.output)),
                std::string("for several ELF files, -o names an existing folder") +
                    (options.split == kBeside ? "; a second file is named by --split=FILE" : ""));
        }
        outputs.file /= elf.stem().string() + "_rel.bin";
    }
    if (options.split == kBeside)
        outputs.parameters =
            legacy ? data_file(outputs.file) : with_suffix(outputs.file, "_params.bin");
    else
        outputs.parameters = options.split;
    outputs.report = options.report;
    if (options.gen_c_file) {
        // The vendor's tools name them network_img_rel.c and .h in the older family.
        const fs::path base =
            legacy && outputs.file.stem().string().ends_with("_rel")
                ? fs::path(outputs.file)
                      .replace_filename(std::string(outputs.file.stem().string(), 0,
                                                    outputs.file.stem().string().size() - 4) +
                                        "_img_rel.bin")
                : outputs.file;
        outputs.c_source = with_suffix(base, ".c");
        outputs.c_header = with_suffix(base, ".h");
    }
    return outputs;
}

void check_distinct(const Outputs& outputs, const fs::path& elf) {
    std::vector<fs::path> paths = {elf.lexically_normal()};
    for (const fs::path& path :
         {outputs.file, outputs.parameters, outputs.report, outputs.c_source, outputs.c_header}) {
        if (path.empty()) continue;
        const fs::path normal = path.lexically_normal();
        for (const fs::path& other : paths) {
            if (normal != other) continue;
            throw UserError(fmt::format("'{}' would be written twice, or over its own input",
                                        traces::terminal_text(path.string())),
                            "choose another name");
        }
        paths.push_back(normal);
    }
}

void put_bytes(OutputFile& file, const std::vector<std::uint8_t>& bytes) {
    file.stream().write(reinterpret_cast<const char*>(bytes.data()),
                        static_cast<std::streamsize>(bytes.size()));
}

/// A file to write, its bytes known: all are written beside their places before the first one
/// appears there.
struct Pending {
    fs::path path;
    std::vector<std::uint8_t> bytes;
};

std::vector<std::uint8_t> to_bytes(const std::string& text) {
    return {text.begin(), text.end()};
}

void write_all(const std::vector<Pending>& pending) {
    std::vector<std::unique_ptr<OutputFile>> files;
    for (const Pending& item : pending) {
        files.push_back(std::make_unique<OutputFile>(item.path));
        put_bytes(*files.back(), item.bytes);
    }
    for (const auto& file : files) file->commit();
}

std::string summary(const pack::LinkedModel& model, const pack::PackedContainer& packed,
                    const Json& report, const std::vector<pack::WrittenFile>& files,
                    const std::vector<std::string>& notes) {
    const Json& image = report["reloc_binary_image"];
    std::string text = fmt::format(
        "{}: {}\n  {}\n  RO {} bytes, data {}, GOT {}, bss {}, relocations {}\n"
        "  exec RAM {} bytes in XIP, {} in COPY; external RAM {}; parameters {}\n",
        traces::terminal_text(model.context.c_name),
        traces::terminal_text(model.context.version_text),
        image["flags"]["description"].get<std::string>(), image["ro_size"].get<std::uint64_t>(),
        image["sections"]["data"].get<std::uint64_t>(),
        image["sections"]["got"].get<std::uint64_t>(),
        image["sections"]["bss"].get<std::uint64_t>(), model.relocations.size(),
        image["xip_size"].get<std::uint64_t>(), image["copy_size"].get<std::uint64_t>(),
        model.context.ext_ram_bytes, packed.section_bytes);
    for (const pack::PackedPool& pool : packed.pools) {
        text += fmt::format("  pool {} {} foff {} dst {} size {}\n",
                            traces::terminal_text(pool.name), pack::pool_flags_text(pool.flags),
                            pool.foff, hex_word(pool.dst), pool.bytes);
    }
    for (const std::string& note : notes) text += fmt::format("  note: {}\n", note);
    for (const pack::WrittenFile& file : files) {
        text +=
            fmt::format("  wrote {} ({} bytes)\n", traces::terminal_text(file.path), file.bytes);
    }
    return text;
}

std::vector<Pending> container_files(const PackOptions& options, const Outputs& outputs,
                                     const pack::LinkedModel& model,
                                     const pack::PackedContainer& packed) {
    std::vector<Pending> pending = {{outputs.file, packed.file}};
    if (!outputs.parameters.empty()) pending.push_back({outputs.parameters, packed.parameters});
    if (options.gen_c_file) {
        const std::string name = options.c_name.empty() ? model.context.c_name : options.c_name;
        const pack::CSources sources =
            pack::c_sources(model, packed, name, outputs.c_header.filename().string());
        pending.push_back({outputs.c_header, to_bytes(sources.header)});
        pending.push_back({outputs.c_source, to_bytes(sources.source)});
    }
    return pending;
}

/// Adds the report to the files to write, if asked for, then writes all.
void write_with_report(const Outputs& outputs, const Json& report, std::vector<Pending>& pending) {
    if (!outputs.report.empty()) {
        pending.push_back(
            {outputs.report,
             to_bytes(report.dump(2, ' ', true, Json::error_handler_t::replace) + '\n')});
    }
    write_all(pending);
}

std::vector<pack::WrittenFile> written(const std::vector<Pending>& pending) {
    std::vector<pack::WrittenFile> files;
    files.reserve(pending.size());
    for (const Pending& item : pending) files.push_back({item.path.string(), item.bytes.size()});
    return files;
}

/// Packs one ELF of the older family and returns its report.
Json pack_legacy(const PackOptions& options, const ElfFile& elf, std::string& text) {
    if (!options.pools.empty() || !options.generation.empty() || options.ecblob_in_params) {
        throw UserError(
            "--pool, --generation, --ecblob-in-params: not for a model of the "
            "Cortex-M4, M7 or M33",
            "leave them out; its weights are given with --weights FILE");
    }
    const pack::LegacyLinked model = pack::link_legacy(elf);
    pack::LegacyRequest request;
    if (!options.weights.empty()) request.weights = read_file(options.weights);
    if (!options.core.empty()) request.cpu_part = parse_core(options.core);
    request.split = !options.split.empty();
    const pack::LegacyPacked packed = pack::build_legacy(model, request);
    const Outputs outputs = outputs_for(options, elf.name(), true);
    check_distinct(outputs, elf.name());
    std::vector<Pending> pending = {{outputs.file, packed.file}};
    if (!outputs.parameters.empty()) pending.push_back({outputs.parameters, packed.weights});
    if (options.gen_c_file) {
        const std::string name = options.c_name.empty() ? model.name : options.c_name;
        const pack::CSources sources =
            pack::legacy_c_sources(model, packed, name, outputs.c_header.filename().string());
        pending.push_back({outputs.c_header, to_bytes(sources.header)});
        pending.push_back({outputs.c_source, to_bytes(sources.source)});
    }
    const std::vector<pack::WrittenFile> files = written(pending);
    Json report = pack::legacy_pack_report(model, packed, files, options.created);
    write_with_report(outputs, report, pending);
    text += pack::legacy_pack_text(model, packed, files);
    return report;
}

/// Packs one ELF and returns its report.
Json pack_one(const PackOptions& options, const std::string& elf_path, std::string& text) {
    const ElfFile elf = ElfFile::read(elf_path);
    if (pack::is_legacy_elf(elf)) return pack_legacy(options, elf, text);
    if (!options.core.empty() || !options.weights.empty()) {
        throw UserError("--core, --weights: only for models of the Cortex-M4, M7 and M33",
                        "leave them out; this model is for the STM32N6, see --pool");
    }
    pack::LinkedModel model = pack::link_model(elf);
    const pack::PackRequest request{read_pools(options.pools), parse_generation(options.generation),
                                    !options.split.empty(), options.ecblob_in_params};
    const pack::PackedContainer packed = pack::build_container(model, request);
    std::vector<std::string> notes = model.notes;
    for (std::string& warning : pack::check_container(packed)) notes.push_back(std::move(warning));
    const Outputs outputs = outputs_for(options, elf_path, false);
    check_distinct(outputs, elf_path);
    std::vector<Pending> pending = container_files(options, outputs, model, packed);
    const std::vector<pack::WrittenFile> files = written(pending);
    Json report = pack::pack_report(model, packed, notes, files, options.created);
    write_with_report(outputs, report, pending);
    text += summary(model, packed, report, files, notes);
    return report;
}

/// Refuses ELF files of one name from several folders: the last would replace the others' output.
void require_own_names(const PackOptions& options) {
    std::map<std::string, std::string> taken;
    for (const std::string& elf : options.elfs) {
        const auto [first, fresh] = taken.emplace(fs::path(elf).stem().string(), elf);
        if (fresh) continue;
        throw UserError(
            fmt::format("'{}' and '{}' would both become {}_rel.bin",
                        traces::terminal_text(first->second), traces::terminal_text(elf),
                        traces::terminal_text(first->first)),
            "pack them one by one, each with its own -o");
    }
}

void run_pack(const PackOptions& options, Session& session) {
    if (!options.c_name.empty() && !options.gen_c_file) {
        throw UserError("--c-name without --gen-c-file", "add --gen-c-file");
    }
    require_own_names(options);
    std::string text;
    std::vector<Json> reports;
    reports.reserve(options.elfs.size());
    for (const std::string& elf : options.elfs) reports.push_back(pack_one(options, elf, text));
    if (!options.json) {
        session.out << text;
    } else if (reports.size() == 1) {
        write_json(session.out, reports.front());
    } else {
        Json all = json_document("pack");
        all["containers"] = reports;
        write_json(session.out, all);
    }
}

}  // namespace

void add_pack(CLI::App& app, Session& session) {
    CLI::App* const verb = app.add_subcommand("pack", "build a network_rel.bin from a linked ELF");
    const auto options = std::make_shared<PackOptions>();
    verb->add_option("ELF", options->elfs, "linked model; for several, OUT is a folder")
        ->required();
    verb->add_option("-o,--output", options->output, "container to write, or a folder")
        ->required()
        ->type_name("OUT");
    verb->add_option("--generation", options->generation, "refuse a model of another generation")
        ->check(CLI::IsMember({"2.1", "2.2", "3.0", "4.x"}).description(""))
        ->type_name("2.1|2.2|3.0|4.x");
    verb->add_option("--pool", options->pools, "raw content of a pool with parameters; repeatable")
        ->type_name("NAME=FILE")
        ->allow_extra_args(false);
    verb->add_flag(
        std::string("--split{") + kBeside + "}", options->split,
        "write the parameters to a second file: <OUT>_params.bin, or --split=FILE; older "
        "family: <network>_data.bin");
    verb->add_flag("--ecblob-in-params", options->ecblob_in_params,
                   "refuse a model without epoch-controller containers in its parameter section");
    verb->add_option("--core", options->core, "older family: refuse a model of another core")
        ->type_name("CORE:{cortex-m4,cortex-m7,cortex-m33,cortex-m55}");
    verb->add_option("--weights", options->weights,
                     "older family: raw content of the weights (default: ELF section .weights)")
        ->type_name("FILE");
    verb->add_flag("--gen-c-file", options->gen_c_file, "also write <OUT>.c and <OUT>.h");
    verb->add_option("--c-name", options->c_name, "name inside the C files; default: the model's")
        ->type_name("NAME");
    verb->add_option("--report", options->report,
                     "write the report in the layout of the vendor's _generate_rel.json")
        ->type_name("FILE");
    verb->add_option(
            "--created-date", options->created,
            "text for the report's created-date; default: empty, so that reruns are identical")
        ->type_name("TEXT");
    verb->add_flag("--json", options->json, "print the report instead of the summary");
    verb->footer(kPackFooter);
    verb->callback([options, &session] { run_pack(*options, session); });
}

}  // namespace n6vp::sim::cli

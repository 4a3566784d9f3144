// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "models/core/ir/profile.h"
#include "sim/check/check_legacy.h"
#include "sim/cli/common_options.h"
#include "sim/cli/verb.h"
#include "sim/exec/capstone_disassembler.h"
#include "sim/exec/isa_disassembler.h"
#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "sim/host/json_output.h"
#include "sim/info/detail_report.h"
#include "sim/info/image_report.h"
#include "sim/info/info_json.h"
#include "sim/info/layout_report.h"
#include "sim/info/legacy_report.h"
#include "sim/model_file/model_source.h"
#include "sim/model_file/placement.h"

namespace n6vp::sim::cli {

namespace {

constexpr const char* kInfoFooter = R"(Examples:
  n6vp info network_rel.bin
  n6vp info network_rel.bin --params network_rel_params.bin     a split model
  n6vp info network_rel.bin --relocs --at 0x71000000 --exec 0x34060000:640K --mode copy
  n6vp info network_rel.bin --disasm get_epoch_items
  n6vp info network_rel.bin --disasm 0x60:0x40
  n6vp info network_rel.bin --disasm around REL 17
  n6vp info fsbl-trusted.bin                                    boot header (STM2), also in Intel HEX or S-records

A model of the Cortex-M4, M7 or M33 has its own table: '*' marks bytes for relocation, '**' RAM without activations.
For every model the first lines are the memory-layout report of the vendor's tool. '?' marks a value that a damaged file
does not contain; n6vp check explains the damage. Instructions that the model's core does not have are shown as
.inst. Exit code 2: unreadable, or no model container.)";

struct InfoOptions {
    ModelOptions model;
    bool json = false;
    bool relocs = false;
    CLI::Option* disasm_option = nullptr;
    std::vector<std::string> disasm;
    std::string symbols;
};

bool is_placed(const ModelOptions& model) {
    return !model.at.empty() || !model.params_at.empty() || !model.exec.empty() ||
           !model.ext.empty() || model.mode != "xip";
}

/// Returns the bases of an install if any placement option was typed.
std::optional<loader::Resolver> bases_of(const InfoOptions& options,
                                         const report::ModelImage& image,
                                         const report::ModelFacts& facts) {
    const ModelOptions& model = options.model;
    if (!is_placed(model)) return std::nullopt;
    const InstallPlan plan(model, image.files());
    return report::install_bases(plan.request(), image, facts);
}

report::SymbolTable symbols_of(const InfoOptions& options) {
    return options.symbols.empty() ? report::SymbolTable() : report::read_symbols(options.symbols);
}

std::vector<report::ListingLine> listing_of(const InfoOptions& options,
                                            const report::ListingModel& model,
                                            const traces::Disassembler& disassembler) {
    const std::string what = fmt::format("{}", fmt::join(options.disasm, " "));
    return report::make_listing(report::find_listing(what, model), model, disassembler);
}

/// Returns the instructions of the core with this CPUID part; those of all cores for an unknown
/// one.
models::core::isa::Feature features_of(std::uint32_t cpu_part) {
    for (const models::core::CoreProfile* core : models::core::core_profiles()) {
        if ((core->cpuid >> 4 & 0xFFF) == cpu_part) return core->features;
    }
    return models::core::isa::kEveryFeature;
}

/// A model of the older family.
void run_legacy(const InfoOptions& options, const ModelFiles& files, Session& session) {
    const LegacyModel model(files);
    report::LegacyBases bases;
    if (is_placed(options.model))
        bases = LegacyPlan(options.model, "", files).bases(model.header());
    const report::LegacyWords words(model, symbols_of(options));
    std::optional<std::vector<report::ListingLine>> listing;
    if (options.disasm_option->count() != 0) {
        const auto disassembler =
            make_capstone_disassembler(features_of(model.header().flags.cpu_part()));
        listing = listing_of(options, report::listing_model(words), *disassembler);
    }
    if (options.json) {
        Json document = report::legacy_document(model, bases);
        if (options.relocs) report::add_legacy_links(document, words, bases);
        if (listing) report::add_listing(document, *listing);
        write_json(session.out, document);
        return;
    }
    report::write_legacy(session.out, model, bases);
    if (options.relocs) report::write_legacy_links(session.out, words, bases);
    std::optional<GuestAddr> ro_base;
    if (bases) ro_base = bases->ro_base;
    if (listing) report::write_listing(session.out, *listing, ro_base);
}

/// Returns the content of a file of images, empty for any other file: what is wrong with that, the
/// reader of models says.
std::vector<std::uint8_t> image_content(const std::string& file) {
    constexpr std::uintmax_t kLargest = 256u << 20;
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) return {};
    if (std::filesystem::file_size(file, error) > kLargest || error) return {};
    std::vector<std::uint8_t> content = read_input(file, kLargest, "");
    if (!report::is_image_file(content)) content.clear();
    return content;
}

void run_info(const InfoOptions& options, Session& session) {
    if (const auto content = image_content(options.model.file); !content.empty()) {
        if (options.json) {
            write_json(session.out, report::image_document(options.model.file, content));
        } else {
            report::write_image(session.out, options.model.file, content);
        }
        return;
    }
    ModelFiles files = read_model(options.model.file, options.model.params);
    if (is_legacy_model(files.file)) return run_legacy(options, files, session);
    const report::ModelImage image(std::move(files));
    const report::ModelFacts facts = report::gather(image);
    const std::optional<loader::Resolver> bases = bases_of(options, image, facts);
    const report::LinkWords words(image, facts, symbols_of(options));
    std::optional<std::vector<report::ListingLine>> listing;
    if (options.disasm_option->count() != 0) {
        listing = listing_of(options, report::listing_model(image, words), *make_disassembler());
    }
    if (options.json) {
        Json document = report::info_document(image, facts, bases);
        if (options.relocs) report::add_links(document, image, words, bases);
        if (listing) report::add_listing(document, *listing);
        write_json(session.out, document);
        return;
    }
    std::optional<GuestAddr> ro_base;
    if (bases) ro_base = bases->ro_base;
    report::write_layout(session.out, image, facts);
    report::write_details(session.out, image, facts, words, bases);
    if (options.relocs) report::write_links(session.out, image, words, bases);
    if (listing) report::write_listing(session.out, *listing, ro_base);
}

}  // namespace

void add_info(CLI::App& app, Session& session) {
    auto options = std::make_shared<InfoOptions>();
    CLI::App* verb = app.add_subcommand(
        "info", "show what a model file contains and what it needs, or the parts of an image");
    add_file_options(*verb, options->model);
    verb->add_flag("--json", options->json, "write a JSON document (schema n6vp.info/1)");
    verb->add_flag("--relocs", options->relocs,
                   "list every GOT word and relocation with its meaning");
    options->disasm_option = verb->add_option("--disasm", options->disasm,
                                              "disassemble START:SIZE, START-END, an entry or "
                                              "symbol, around REL n, around GOT n; "
                                              "without a value all code and constants. After FILE")
                                 ->type_name("[WHAT]")
                                 ->expected(0, 3);
    verb->add_option("--symbols", options->symbols, "linked ELF of the model, for names")
        ->type_name("ELF");
    verb->add_option("--at", options->model.at, "address of FILE; shows installed addresses")
        ->type_name("ADDR");
    verb->add_option("--params-at", options->model.params_at, "address of the parameter file")
        ->type_name("ADDR");
    verb->add_option("--exec", options->model.exec, "exec RAM")->type_name("ADDR:SIZE");
    verb->add_option("--ext", options->model.ext, "external RAM")->type_name("ADDR:SIZE");
    verb->add_option("--mode", options->model.mode, "xip or copy (default xip)")
        ->type_name("MODE:{xip,copy}");
    verb->footer(kInfoFooter);
    verb->callback([options, &session] { run_info(*options, session); });
}

}  // namespace n6vp::sim::cli

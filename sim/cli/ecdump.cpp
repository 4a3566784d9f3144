// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <string>

#include "sim/cli/verb.h"
#include "sim/ecdump/ec_report.h"
#include "sim/host/errors.h"
#include "sim/host/numbers.h"
#include "sim/host/output_file.h"
#include "sim/model_file/model_source.h"

namespace n6vp::sim::cli {

namespace {

constexpr const char* kEcdumpFooter =
    R"(FILE is a plain blob (magic 0xCA057A7A), a container (0xECBF0020, 0xECBF0030, 0xECBF0050) or a model
(network_rel.bin) with any number of either. Without --listing: each epoch with the units that run, their
registers by name, the links of the stream switch and the wait conditions. With --listing: the instructions.

The listing of a blob assembles to identical words. One instruction per line; ';;' starts a comment;
REG counts words from the start of the unit:
  label 0x2                              epoch 2 starts
  writefield 0 4 [10] 0x1                UNIT REG [BIT] VALUE; [MSB:LSB] for up to 8 bits
  write 15 0 0x54                        UNIT REG VALUE; UNIT REG [MSB:LSB] VALUE for a part of it
  burstwrite 23 0 0x8000000 0x9000160    UNIT REG VALUES, all into one register
  burstwriteinc 8 2 0x342e0000 0x1ea     UNIT REG VALUES, into one register after the other
  poll 4 0 [1] 0x0 100                   UNIT REG [BIT] EXPECTED, then the constant of the generator
  irq 0x0                                the end
  word 0x12345678                        any word
SYMBOL(OFFSET) in place of a value is a word that the container relocates; it assembles to OFFSET.

Examples:
  n6vp ecdump network_rel.bin
  n6vp ecdump network_rel.bin --blob 1 --listing > epochs.txt
  n6vp ecdump --assemble epochs.txt -o blob.bin
  n6vp ecdump blob.bin --json

Exit code 1: a blob breaks a rule (n6vp check explains it). Exit code 2: unreadable, or a blob that cannot
be decoded completely; the decoded part is shown.)";

struct EcdumpOptions {
    std::string file, params, assemble, output;
    std::size_t blob = 0;  ///< from 1; 0: all
    bool listing = false, json = false;
};

std::string blob_number(const std::string& text) {
    const auto number = parse_digits<std::size_t>(text);
    return number && *number != 0 ? ""
                                  : fmt::format("'{}' is no blob: they are counted from 1", text);
}

void append(std::vector<std::uint8_t>& bytes, std::uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8) {
        bytes.push_back(static_cast<std::uint8_t>(word >> shift));
    }
}

/// Writes a plain blob: header, instructions, a zero word if that makes it a multiple of 8 bytes.
void run_assemble(const EcdumpOptions& options, Session& session) {
    if (options.output.empty()) {
        throw UserError("--assemble without an output file", "name it with -o FILE");
    }
    if (!options.file.empty() || !options.params.empty() || options.json || options.listing ||
        options.blob != 0) {
        throw UserError("--assemble accepts only a listing and -o",
                        "remove the other arguments; n6vp ecdump --help has an example");
    }
    const std::vector<std::uint8_t> text = read_file(options.assemble);
    const EcAssembly assembly = assemble({reinterpret_cast<const char*>(text.data()), text.size()});
    std::vector<std::uint8_t> bytes;
    append(bytes, loader::ec::kBlobMagic);
    append(bytes, static_cast<std::uint32_t>(assembly.words.size()));
    for (const std::uint32_t word : assembly.words) append(bytes, word);
    if (bytes.size() % 8 != 0) append(bytes, 0);
    OutputFile file(options.output);
    file.stream().write(reinterpret_cast<const char*>(bytes.data()),
                        static_cast<std::streamsize>(bytes.size()));
    file.commit();
    session.out << fmt::format("{} instruction words, {} bytes\n", assembly.words.size(),
                               bytes.size());
    if (!assembly.relocations.empty()) {
        session.out << fmt::format(
            "{} relocatable words hold their offsets: no container is made\n",
            assembly.relocations.size());
    }
}

/// Sets the exit code for what is wrong with the blobs shown. A stream without an end is reported
/// last, when what stands before is shown.
void judge(const EcSource& source, const EcView& view, Session& session) {
    for (std::size_t number = 0; number < source.blobs.size(); ++number) {
        if (view.blob && *view.blob != number) continue;
        const EcBlob& blob = source.blobs[number];
        if (blob.fault) {
            throw UserError(fmt::format("blob {}, offset 0x{:x}: {}", number + 1,
                                        blob.offset_of(blob.fault->index), blob.fault->text()),
                            "the blob is damaged or encrypted: generate it again");
        }
        if (blob.has_errors()) session.exit_code = kExitExpectation;
    }
}

void run(const EcdumpOptions& options, Session& session) {
    if (!options.assemble.empty()) return run_assemble(options, session);
    if (options.file.empty()) {
        throw UserError("no FILE given", "n6vp ecdump FILE, or --assemble TEXT -o FILE");
    }
    if (!options.output.empty()) {
        throw UserError("-o goes with --assemble", "redirect standard output to keep a dump");
    }
    const EcSource source = read_ec_source(options.file, options.params);
    if (source.blobs.empty()) {
        throw UserError("the model has no epoch-controller blob that can be read",
                        "models made without the epoch controller have none; encrypted ones cannot "
                        "be decoded");
    }
    if (options.blob > source.blobs.size()) {
        throw UserError(
            fmt::format("--blob {}: the file has {}", options.blob, source.blobs.size()),
            "blobs are counted from 1");
    }
    EcView view;
    if (options.blob != 0) view.blob = options.blob - 1;
    view.listing = options.listing;
    if (options.json) {
        write_json(session.out, ecdump_json(source, view));
    } else if (options.listing) {
        write_listing(session.out, source, view);
    } else {
        write_epochs(session.out, source, view);
    }
    judge(source, view, session);
}

}  // namespace

void add_ecdump(CLI::App& app, Session& session) {
    auto options = std::make_shared<EcdumpOptions>();
    CLI::App* verb = app.add_subcommand(
        "ecdump", "show the epochs that epoch-controller blobs run, or their instructions");
    verb->add_option("FILE", options->file, "blob, container or network_rel.bin");
    verb->add_option("--params", options->params, "parameter file of a split model")
        ->type_name("FILE");
    verb->add_option("--blob", options->blob, "only blob N, counted from 1")
        ->type_name("N")
        ->check(blob_number);
    verb->add_flag("--listing", options->listing,
                   "print the instructions as a listing for --assemble");
    verb->add_option("--assemble", options->assemble, "make a plain blob from a listing")
        ->type_name("TEXT");
    verb->add_option("-o,--output", options->output, "blob to write, with --assemble")
        ->type_name("FILE");
    verb->add_flag("--json", options->json, "write JSON (n6vp.ecdump/1)");
    verb->footer(kEcdumpFooter);
    verb->callback([options, &session] { run(*options, session); });
}

}  // namespace n6vp::sim::cli

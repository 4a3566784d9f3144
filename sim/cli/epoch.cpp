// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "sim/cli/common_options.h"
#include "sim/cli/frame.h"
#include "sim/cli/log_options.h"
#include "sim/cli/verb.h"
#include "sim/epoch/epoch_report.h"
#include "sim/host/output_file.h"
#include "traces/escape.h"

namespace n6vp::sim::cli {

namespace {

constexpr const char* kEpochFooter =
    R"(FILE is TOML. It lists the units of each epoch with their registers, the links between them and the
buffers in memory. No program runs. Names are those of n6vp ecdump.

  title = "add 1 to each of four bytes"
  [[buffer]]
  name = "input"
  at = 0x342e0000                    or memory = "AXISRAM5": the next free place there
  bytes = [1, 2, 3, 4]               or "01 02", fill = 0, ramp = [0, 1], random = 7, file = "x.bin"
  [[buffer]]
  name = "result"
  at = 0x34270000
  size = 4
  expect = { bytes = [2, 3, 4, 5] }  or crc32 = 0x12345678, or file = "x.bin"
  [defaults.STRENG]                  for each engine that an epoch uses
  LIMITEN = 7
  [[epoch]]                          epochs run one after the other
  links = ["STRENG0 -> ARITH0.x", "ARITH0 -> STRENG5"]
  [epoch.STRENG0]
  CTRL = { RAW = 1, SINGLE = 1, SIZE0 = 8 }     a field by its name, or CTRL = 0x80104
  ADDR = "input"                     a buffer, "input+64", "input.end+63", or a number
  FSIZE = 4
  LIMIT = 1
  LIMITADDR = "input.end+63"
  [epoch.ARITH0]
  CTRL = { OBYTES = 1, SAT = 1, ROUND = 1, ORNDMODE = 1 }
  COEFFAC = { A = 1, C = 1 }
  [epoch.STRENG5]
  CTRL = { DIR = 1, RAW = 1, SINGLE = 1, SIZE0 = 8 }
  ADDR = "result"
  FSIZE = 4
  LIMIT = 1
  LIMITADDR = "result.end+63"

A link with contexts: "CONVACC0 [off 1, on 1] -> ARITH3.x". coefficients = [[A, B, C], ...] of an ARITH.
enable = [...] puts units last, in that order; else output engines, units, input engines. wait = [...]
names the output engines that end the epoch (default: all). [parameters] accepts the names of n6vp params.

An [[epoch]] with blob = "program" and no units starts the epoch controller on the program in that buffer
(n6vp ecdump shows and assembles blobs). Each label of the program starts an epoch in the report.

Examples:
  n6vp epoch scenarios/epochs/e03-depthwise-3x3.toml
  n6vp epoch FILE.toml --set clock.npu=800 --json
  n6vp epoch FILE.toml --timing functional --dump out   each buffer as out/NAME.bin, or NAME-ADDRESS.bin

Exit code 1: a buffer differs from its expected content. 3: an epoch did not end. 5: an epoch took more than
epoch_bench.longest cycles.)";

struct EpochOptions {
    std::string file, timing = "approx", dump;
    ParameterOptions parameters;
    bool json = false;
};

void dump(const std::string& folder, EpochBench& bench, const std::vector<BenchBuffer>& buffers) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    std::set<std::string> taken;
    for (const BenchBuffer& buffer : buffers) {
        const std::vector<std::uint8_t> bytes = bench.contents(buffer);
        // Different names may have the same part that is fit for a file.
        std::string name = traces::file_name_part(buffer.name);
        while (!taken.insert(name).second) name += fmt::format("-{:08x}", buffer.address);
        OutputFile file((std::filesystem::path(folder) / (name + ".bin")).string());
        file.stream().write(reinterpret_cast<const char*>(bytes.data()),
                            static_cast<std::streamsize>(bytes.size()));
        file.commit();
    }
}

void judge(const EpochOutcome& outcome, Session& session) {
    for (const BufferDifference& one : outcome.differences) {
        session.err << fmt::format("{}: buffer '{}': {}\n", one.origin,
                                   traces::terminal_text(one.buffer), one.text);
        session.exit_code = kExitExpectation;
    }
    if (!outcome.epochs.empty() && !outcome.epochs.back().ended) {
        const EpochResult& last = outcome.epochs.back();
        session.err << fmt::format(
            "{}: the epoch did not end{}{}\n", traces::terminal_text(last.name),
            last.problems.empty() ? "" : ": ", last.problems.empty() ? "" : last.problems.back());
        session.exit_code = last.endless ? kExitLimit : kExitGuestFault;
    }
}

void run(const EpochOptions& options, Session& session) {
    const EpochFile file = read_epoch_file(options.file);
    PlatformParameters parameters;
    apply_settings(parameters, file.parameters);
    options.parameters.apply_to(parameters);
    PlatformOptions platform;
    platform.timing = options.timing == "functional" ? models::core::Timing::Functional
                                                     : models::core::Timing::Approx;
    EpochBench bench(parameters, platform);
    bench.load(file.buffers);
    EpochOutcome outcome;
    outcome.title = file.title;
    outcome.timing = platform.timing;
    outcome.epochs = bench.run(file);
    outcome.wanted = outcome.epochs.size() + bench.not_run();
    // What an epoch that did not end has left behind says nothing.
    if (outcome.epochs.back().ended) {
        for (const BenchBuffer& buffer : file.buffers) outcome.checked += buffer.expected ? 1 : 0;
        outcome.differences = bench.check(file.buffers);
    }
    if (!options.dump.empty()) {
        keep_going(session, [&] { dump(options.dump, bench, file.buffers); });
    }
    if (options.json) {
        write_json(session.out, epoch_json(outcome));
    } else {
        write_epoch_report(session.out, outcome);
    }
    judge(outcome, session);
}

}  // namespace

void add_epoch(CLI::App& app, Session& session) {
    auto options = std::make_shared<EpochOptions>();
    CLI::App* verb = app.add_subcommand(
        "epoch", "run NPU epochs given as register tables: time, traffic, bottleneck");
    verb->add_option("FILE", options->file, "epochs in TOML")->required();
    verb->add_option("--timing", options->timing, "functional or approx")
        ->type_name("GRADE")
        ->check(CLI::IsMember({"functional", "approx"}));
    add_parameter_options(*verb, options->parameters);
    verb->add_option("--dump", options->dump, "write every buffer to this folder")
        ->type_name("DIR");
    verb->add_flag("--json", options->json, "write JSON (n6vp.epoch/2)");
    add_log_options(*verb, session);
    verb->footer(kEpochFooter);
    verb->callback([options, &session] { run(*options, session); });
}

}  // namespace n6vp::sim::cli

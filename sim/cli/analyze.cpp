// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <ostream>
#include <string>

#include "sim/cli/placement_options.h"
#include "sim/cli/verb.h"
#include "sim/generate/analyze/analysis.h"
#include "sim/generate/operators/import.h"

namespace n6vp::sim::cli {

namespace {

constexpr const char* kAnalyzeFooter =
    R"(The network is lowered as by n6vp generate. A closed form, fitted to published measurements, gives the
time of every epoch: link words, passes of the convolution units, bursts by bank, weights from flash.
It predicts the first inference of n6vp run with the same parameters (--set, --params-file). The clocks
of a run are set by its firmware.
Contention between engines is not included. For the public networks, the predicted inference time is
within 5 % of the run, NPU cycles within 10 %.
  least       lower bound for any mapping: MACs on all multipliers, or weights at the full rate of their
              memory, whichever takes longer
  bound       bottleneck of the epoch: features, outputs, kernels, flash, memory reads or writes
  MAC %       MACs of the layer, relative to the capacity of all four units in that time
  cycles      NPU cycles from the start of the first engine to the end of the last one
  programming time of the epoch controller (npu.fetch_cycles per 8 bytes of blob) or of register
              accesses by the core, and overhead of the runtime; both from simulated runs

Examples:
  n6vp analyze kws.tflite                    weights read in place from flash
  n6vp analyze kws.tflite --weights npuRAM6  weights copied to npuRAM6 at installation
  n6vp analyze kws.tflite --mpool psram.mpool
  n6vp analyze kws.tflite --set nor.lines=4
  n6vp analyze kws.tflite --no-ec --json)";

struct AnalyzeOptions {
    std::string file;
    PlacementOptions placement;
    bool no_controller = false, json = false;
};

void run_analyze(const AnalyzeOptions& options, Session& session) {
    generate::AnalysisOptions choice;
    choice.controller = !options.no_controller;
    choice.lowering = lowering_options(options.placement);
    const generate::Analysis analysis =
        generate::analyse(generate::read_tflite(options.file), choice);
    if (options.json)
        write_json(session.out, generate::analysis_json(analysis));
    else
        session.out << generate::analysis_text(analysis);
}

}  // namespace

void add_analyze(CLI::App& app, Session& session) {
    CLI::App* const verb = app.add_subcommand(
        "analyze", "predict memory and time of a .tflite network without simulation");
    const auto options = std::make_shared<AnalyzeOptions>();
    verb->add_option("FILE", options->file, "network, quantised to int8")->required();
    add_placement_options(*verb, options->placement);
    verb->add_flag("--no-ec", options->no_controller,
                   "program epochs by the core instead of the epoch controller");
    verb->add_flag("--json", options->json, "write JSON (n6vp.analyze/2)");
    verb->footer(kAnalyzeFooter);
    verb->callback([options, &session] { run_analyze(*options, session); });
}

}  // namespace n6vp::sim::cli

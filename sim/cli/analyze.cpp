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
    R"(The network is lowered as n6vp generate does it, and every epoch timed by a closed form of published
measurements: words on the links, passes of the convolution units, bursts by bank, weights from flash.
It is a prediction of the first inference of n6vp run with the same parameters (--set, --params-file; the
clocks of a run are those that its firmware sets).
Conflicts between engines are left out: for the public networks the inference is within 5 % of the run,
the NPU's cycles within 10 %.
  least       products on all multipliers, or the weights at the full rate of their memory: what no plan
              can be faster than
  bound       what the epoch waits for: features, outputs, kernels, flash, memory reads or writes
  MAC %       products of the layer against what all four units could do in that time
  cycles      of the NPU, from the start of an epoch's first engine to the end of its last one
  programming cycles per 8 bytes of blob (npu.fetch_cycles), or those of the core for its register
              accesses; what the runtime does around them (both from simulated runs)

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
        "analyze", "tell what a .tflite network needs and takes, before any simulation");
    const auto options = std::make_shared<AnalyzeOptions>();
    verb->add_option("FILE", options->file, "network, quantised to int8")->required();
    add_placement_options(*verb, options->placement);
    verb->add_flag("--no-ec", options->no_controller,
                   "epochs programmed by the core instead of the epoch controller");
    verb->add_flag("--json", options->json, "write JSON (n6vp.analyze/1)");
    verb->footer(kAnalyzeFooter);
    verb->callback([options, &session] { run_analyze(*options, session); });
}

}  // namespace n6vp::sim::cli

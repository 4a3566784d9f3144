// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/common_options.h"

#include <CLI/CLI.hpp>

#include "sim/platform/parameter_file.h"

namespace n6vp::sim::cli {

void add_file_options(CLI::App& verb, ModelOptions& options) {
    verb.add_option("FILE", options.file, "the network_rel.bin file")->required();
    verb.add_option("--params", options.params, "parameter file of a split model")
        ->type_name("FILE");
}

void add_install_options(CLI::App& verb, ModelOptions& options) {
    verb.add_option("--at", options.at, "address of FILE (default 0x71000000)")->type_name("ADDR");
    verb.add_option("--params-at", options.params_at,
                    "ext_param_addr: address of the parameter file (default 0x71800000 with "
                    "--params, else 0)")
        ->type_name("ADDR");
    verb.add_option("--exec", options.exec, "exec RAM (default 0x34060000:655360)")
        ->type_name("ADDR:SIZE");
    verb.add_option("--ext", options.ext,
                    "external RAM (default 0x90100000:28311552); 0:0 for none")
        ->type_name("ADDR:SIZE");
    verb.add_option("--mode", options.mode,
                    "xip or copy (default xip), or the raw mode number of the C API")
        ->type_name("MODE:{xip,copy}");
    verb.add_flag("--clear", options.clear, "clear activation pools (mode bit CLEAR)");
    verb.add_option("--firmware", options.firmware,
                    "build options of the firmware, comma separated: secure|nonsecure, dbg|nodbg, "
                    "async|polling, debug|ndebug, short-enums|int-enums, fpu|nofpu, cpu=HEX, "
                    "rt=A.B.C[-DEV] (default: matching the file)")
        ->type_name("LIST");
    verb.add_option("--instance", options.instance,
                    "address of the NN instance (default 0x34050000)")
        ->type_name("ADDR");
    verb.add_option("--grant", options.grants,
                    "additional memory for COPY and RESET pools (repeatable; default: NPU RAM "
                    "except firmware, exec RAM and files)")
        ->type_name("ADDR:SIZE")
        ->allow_extra_args(false);
}

void ParameterOptions::apply_to(PlatformParameters& parameters) const {
    if (!file.empty()) apply_settings(parameters, read_parameter_file(file));
    apply_settings(parameters, settings);
}

void add_parameter_options(CLI::App& verb, ParameterOptions& options) {
    verb.add_option("--params-file", options.file,
                    "read parameters from a TOML file with block.name = value")
        ->type_name("FILE");
    verb.add_option("--set", options.settings, "change a parameter (repeatable; n6vp params)")
        ->type_name("BLOCK.NAME=VALUE")
        ->allow_extra_args(false);
}

void add_trace_options(CLI::App& verb, trace::TraceRequest& request) {
    verb.add_option("--trace", request.file,
                    "write a trace; the file extension selects the format: .json Chrome, .pftrace "
                    "Perfetto, .csv one line per epoch, .vcd waveform, .txt instructions")
        ->type_name("FILE");
    verb.add_option(
            "--trace-filter", request.filters,
            "keep only time=FROM-TO, phase=NAME, epoch=N-M or track=KIND (repeatable: any match)")
        ->type_name("KIND=VALUE")
        ->allow_extra_args(false);
    verb.add_option("--trace-limit", request.limit,
                    "largest trace in bytes; the rest is cut off with a warning [64M]")
        ->type_name("SIZE");
    verb.add_flag("--trace-functions", request.functions,
                  "also trace the functions of the core; slows the run");
}

}  // namespace n6vp::sim::cli

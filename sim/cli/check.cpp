// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <ostream>

#include "sim/check/check_legacy.h"
#include "sim/check/check_model.h"
#include "sim/cli/common_options.h"
#include "sim/cli/frame.h"
#include "sim/cli/verb.h"
#include "sim/host/errors.h"
#include "sim/model_file/legacy_model.h"
#include "sim/model_file/model_source.h"

namespace n6vp::sim::cli {

namespace {

/// Findings of one rule that are shown unless the user asks for more.
constexpr std::uint64_t kDefaultLimit = 20;

struct CheckOptions {
    ModelOptions model;
    std::string core;
    std::uint64_t limit = kDefaultLimit;
    bool json = false;
};

void run_legacy(const CheckOptions& options, const ModelFiles& files, Session& session) {
    const LegacyPlan plan(options.model, options.core, files);
    const CheckReport report = check_legacy(files, plan, options.limit);
    if (options.json) {
        write_json(session.out, check_legacy_json(report, files, plan));
    } else {
        session.out << check_legacy_text(report, files, plan);
    }
    session.exit_code = report.passed() ? kExitOk : kExitExpectation;
}

void run(const CheckOptions& options, Session& session) {
    const ModelFiles files = read_model(options.model.file, options.model.params);
    if (is_legacy_model(files.file)) return run_legacy(options, files, session);
    if (!options.core.empty()) {
        throw UserError("--core: only for models of the Cortex-M4, M7 and M33",
                        "leave it out, or use --firmware cpu=HEX");
    }
    const InstallPlan plan(options.model, files);
    const CheckReport report = check_model(files, plan, options.limit);
    if (options.json) {
        write_json(session.out, check_json(report, files, plan));
    } else {
        session.out << check_text(report, files, plan);
    }
    session.exit_code = report.passed() ? kExitOk : kExitExpectation;
}

}  // namespace

void add_check(CLI::App& app, Session& session) {
    auto options = std::make_shared<CheckOptions>();
    CLI::App* verb = app.add_subcommand(
        "check",
        "check whether a model would install; explain each error with place, cause and remedy");
    add_file_options(*verb, options->model);
    add_install_options(*verb, options->model);
    verb->add_option("--core", options->core,
                     "core of a model of the older family (default: that of the file)")
        ->type_name("CORE:{cortex-m4,cortex-m7,cortex-m33,cortex-m55}");
    verb->add_option("--limit", options->limit, "findings shown per rule, 0 for all (default 20)")
        ->type_name("N")
        ->check(whole_number);
    verb->add_flag("--json", options->json, "write JSON (n6vp.check/1)");
    verb->footer(
        "Exit code: 0 no errors, 1 errors found, 2 wrong options or unreadable file,\n"
        "7 the output could not be written.\n"
        "Examples:\n"
        "  n6vp check network_rel.bin                          at the default addresses, XIP\n"
        "  n6vp check network_rel.bin --at 0x70901000 --mode copy --clear\n"
        "  n6vp check network_rel.bin --params network_data.bin --params-at 0x71800000\n"
        "  n6vp check network_rel.bin --firmware nonsecure,rt=1.1.3-262   check against another "
        "firmware\n"
        "  n6vp check network_rel.bin --exec 0x91C00000:4M --ext 0x90100000:27M\n"
        "A model of the older family (Cortex-M4, M7, M33): --at FILE, --exec RAM, --params "
        "weights, "
        "--ext activations.\n"
        "  n6vp check network_rel.bin --core cortex-m33 --params network_data.bin --mode copy");
    verb->callback([options, &session] { run(*options, session); });
}

}  // namespace n6vp::sim::cli

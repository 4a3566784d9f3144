// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "loader/install.h"
#include "sim/check/check_legacy.h"
#include "sim/check/check_model.h"
#include "sim/cli/common_options.h"
#include "sim/cli/frame.h"
#include "sim/cli/log_options.h"
#include "sim/cli/verb.h"
#include "sim/host/errors.h"
#include "sim/install/install_dump.h"
#include "sim/install/install_report.h"
#include "sim/install/install_run.h"
#include "sim/install/legacy_install_report.h"
#include "sim/install/writable_places.h"
#include "sim/model_file/chip_name.h"
#include "sim/model_file/model_source.h"
#include "sim/model_file/pool_image.h"
#include "traces/escape.h"

namespace n6vp::sim::cli {

namespace {

struct InstallOptions {
    ModelOptions model;
    std::string policy = "strict";
    std::string console;
    std::string chip, core;  ///< of the older family
    std::string dump;
    ParameterOptions parameters;
    bool force = false;
    bool json = false;
    bool quiet = false;
};

/// Findings of one rule, as `n6vp check` shows.
constexpr std::uint64_t kMaxPerRule = 20;

void print_written(const InstallOptions& options, const DumpedFiles& dumped, Session& session) {
    session.out << "\nWritten to " << traces::terminal_text(options.dump) << ":";
    for (const std::string& name : dumped.names) session.out << ' ' << name;
    session.out << '\n';
}

void print(const InstallOptions& options, const InstallReport& report, const Json& document,
           const DumpedFiles& dumped, Session& session) {
    if (options.json) {
        write_json(session.out, document);
        return;
    }
    if (options.quiet && report.outcome.ok()) return;
    session.out << install_text(report);
    if (dumped.names.empty()) {
        if (!options.dump.empty() && !report.outcome.ok()) {
            session.out << "\nNothing written to " << traces::terminal_text(options.dump)
                        << ": the model was refused\n";
        }
        return;
    }
    print_written(options, dumped, session);
    for (const std::string& line : dumped.left_out) session.out << "Left out: " << line << '\n';
}

/// Fails with UserError for a place where there is no memory, and, if the loader would accept the
/// model, for one that cannot be written.
void require_places(const loader::MemoryPort& port, const InstallPlan& plan,
                    const loader::Container& container, loader::Policy policy) {
    for (const PlaceFault& fault : place_faults(plan, container)) {
        if (fault.id == "not-writable") {
            // Findings of the loader come first; the vendor's loader has none.
            if (policy == loader::Policy::Compat) continue;
            if (loader::check(port, plan.request(), {}) != loader::Status::Ok) continue;
        }
        throw UserError(fault.text, fault.remedy);
    }
}

/// Adds the findings of `n6vp check` to the report of a model that Strict refuses.
void add_causes(InstallReport& report, const ModelFiles& files) {
    if (report.outcome.ok() || report.policy == loader::Policy::Compat) return;
    const CheckReport found = check_model(files, report.plan, kMaxPerRule);
    if (found.passed()) return;
    report.causes = findings_text(found);
    report.findings = findings_json(found);
}

/// A model of the older family: no platform, no time.
void run_legacy(const InstallOptions& options, const ModelFiles& files, Session& session) {
    if (!options.console.empty())
        throw UserError("--console: not for a model of the Cortex-M4, M7 or M33", "leave it out");
    ModelOptions model_options = options.model;
    std::string core = options.core;
    const memmap::Chip* const chip =
        options.chip.empty() ? nullptr : chip_named(options.chip, "--chip");
    if (chip == nullptr && !options.chip.empty()) {
        throw UserError("--chip: the STM32N6 and a model of the Cortex-M4, M7 or M33",
                        "name a chip with the model's core: n6vp map --chip list");
    }
    if (chip != nullptr) {
        const AddressRange ram = largest_ram(*chip);
        if (core.empty()) core = chip->core;
        if (model_options.exec.empty())
            model_options.exec = fmt::format("0x{:08x}:{}", to_word(ram.start), ram.bytes);
    }
    const LegacyModel model(files);
    const LegacyPlan plan(model_options, core, files);
    if (chip != nullptr) require_memory(*chip, plan);
    const auto policy =
        options.policy == "compat" ? loader::Policy::Compat : loader::Policy::Strict;
    const LegacyOutcome outcome = install_legacy(files, plan, policy);
    LegacyInstallReport report{model, plan, outcome, policy, chip, {}, Json::array()};
    if (!outcome.ok() && policy == loader::Policy::Strict) {
        const CheckReport found = check_legacy(files, plan, kMaxPerRule);
        report.causes = findings_text(found);
        report.findings = findings_json(found);
    }
    const Json document = legacy_install_json(report);
    DumpedFiles dumped;
    if (!options.dump.empty() && (outcome.ok() || policy == loader::Policy::Compat)) {
        keep_going(session, [&] {
            dumped = write_dump(options.dump, document, outcome.events, outcome.ram);
        });
    }
    if (options.json) {
        write_json(session.out, document);
    } else if (!options.quiet || !outcome.ok()) {
        session.out << legacy_install_text(report);
        if (!dumped.names.empty()) print_written(options, dumped, session);
    }
    if (!outcome.ok()) session.exit_code = kExitRefused;
}

void run(const InstallOptions& options, Session& session) {
    if (!options.dump.empty()) require_dump_directory(options.dump, options.force);
    PlatformParameters parameters;
    options.parameters.apply_to(parameters);
    const ModelFiles files = read_model(options.model.file, options.model.params);
    if (is_legacy_model(files.file)) return run_legacy(options, files, session);
    if (!options.chip.empty() || !options.core.empty()) {
        throw UserError("--chip, --core: only for models of the Cortex-M4, M7 and M33",
                        "leave them out: this model is for the STM32N6");
    }
    const InstallPlan plan(options.model, files);
    const auto policy =
        options.policy == "compat" ? loader::Policy::Compat : loader::Policy::Strict;
    const bool console = options.console.empty() ? prints_by_default(plan.request().profile)
                                                 : options.console == "on";

    Platform platform(parameters);
    // First, because measuring leaves the platform as after power-up.
    const std::array<CopyRate, 2> rates = copy_rates(platform);

    // Names and pools come from the file as it was given, not from what the install left of it.
    HostMemory pristine;
    plan.place(pristine, files);
    const loader::MemoryPort port = pristine.port();
    loader::Container container(port, plan.file().start, plan.file().bytes);
    loader::Diagnosis ignored;
    const bool opened = container.open(ignored) == loader::Status::Ok;
    require_places(port, plan, container, policy);
    place_files(platform, plan, files);
    const InstallOutcome outcome = run_install(platform, plan.request(policy), console);

    InstallReport report{
        plan,  container, outcome,      policy, options.model.file, options.model.params,
        rates, {},        Json::array()};
    add_causes(report, files);
    const Json document = install_json(report);
    DumpedFiles dumped;
    if (!options.dump.empty() && (outcome.ok() || policy == loader::Policy::Compat)) {
        const std::vector<PoolImage> pools =
            opened ? pools_of(container, plan.request()) : std::vector<PoolImage>{};
        keep_going(session, [&] {
            dumped = write_dump(options.dump, platform, plan, pools, outcome, document);
        });
    }
    print(options, report, document, dumped, session);
    if (!outcome.ok()) session.exit_code = kExitRefused;
}

constexpr const char* kInstallFooter =
    "The loader runs on the host; memory, caches and buses are simulated. The console rows are "
    "the\n"
    "messages of the vendor's library during an install (on by default for runtimes up to 1.1.1).\n"
    "Examples:\n"
    "  n6vp install network_rel.bin                        XIP from 0x71000000\n"
    "  n6vp install network_rel.bin --mode copy --clear --dump out\n"
    "  n6vp install network_rel.bin --policy compat        same checks as the vendor's loader\n"
    "  n6vp install network_rel.bin --set clock.cpu=600    another parameter (see n6vp params)\n"
    "  n6vp install network_rel.bin --chip stm32u585       a model of the older family: phases and "
    "bytes,\n"
    "                                                      no times";

}  // namespace

void add_install(CLI::App& app, Session& session) {
    auto options = std::make_shared<InstallOptions>();
    CLI::App* verb = app.add_subcommand(
        "install", "install a model into the simulated chip and show the time of each phase");
    add_file_options(*verb, options->model);
    add_install_options(*verb, options->model);
    verb->add_option("--policy", options->policy,
                     "strict: every check before the first write; compat: only the checks of the "
                     "vendor's loader")
        ->check(CLI::IsMember({"strict", "compat"}))
        ->capture_default_str();
    verb->add_option("--chip", options->chip,
                     "older family: check all addresses against the memories of this chip "
                     "(default: no check)")
        ->type_name("CHIP");
    verb->add_option("--core", options->core,
                     "older family: core (default: that of the chip or of the file)")
        ->type_name("CORE:{cortex-m4,cortex-m7,cortex-m33,cortex-m55}");
    verb->add_option("--console", options->console,
                     "on or off: print the model description to the UART first (default: according "
                     "to the runtime version)")
        ->check(CLI::IsMember({"on", "off"}));
    add_parameter_options(*verb, options->parameters);
    verb->add_option("--dump", options->dump,
                     "write memory images and the log of every copy, clear, patch and cache call")
        ->type_name("DIR");
    verb->add_flag("--force", options->force, "allow --dump to replace files");
    verb->add_flag("--json", options->json, "write JSON (n6vp.install/1)");
    verb->add_flag("--quiet", options->quiet, "no text unless the install is refused");
    add_log_options(*verb, session);
    verb->footer(kInstallFooter);
    verb->callback([options, &session] { run(*options, session); });
}

}  // namespace n6vp::sim::cli

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "sim/cli/common_options.h"
#include "sim/cli/verb.h"
#include "sim/host/json_output.h"
#include "sim/platform/platform_parameters.h"

namespace n6vp::sim::cli {

namespace {

struct ParamsOptions {
    ParameterOptions parameters;
    bool json = false;
};

void print_json(const PlatformParameters& parameters, Session& session) {
    Json document = json_document("params");
    document["parameters"] = Json::array();
    PlatformParameters::visit(parameters, [&](const char* block, const models::Parameter& row) {
        document["parameters"].push_back({{"name", fmt::format("{}.{}", block, row.name)},
                                          {"value", row.value},
                                          {"unit", row.unit.text},
                                          {"least", row.unit.range.least},
                                          {"most", row.unit.range.most},
                                          {"confidence", confidence_text(row.confidence)},
                                          {"source", row.source}});
    });
    write_json(session.out, document);
}

void print_text(const PlatformParameters& parameters, Session& session) {
    session.out << fmt::format("{:<30}{:>8} {:<11}{:<11}{}\n", "parameter", "value", "unit",
                               "confidence", "source");
    std::string last;
    PlatformParameters::visit(parameters, [&](const char* block, const models::Parameter& row) {
        if (last != block) session.out << '\n';
        last = block;
        session.out << fmt::format("{:<30}{:>8} {:<11}{:<11}{}\n",
                                   fmt::format("{}.{}", block, row.name), row.value, row.unit.text,
                                   confidence_text(row.confidence), row.source);
    });
}

void run(const ParamsOptions& options, Session& session) {
    PlatformParameters parameters;
    options.parameters.apply_to(parameters);
    if (options.json) {
        print_json(parameters, session);
    } else {
        print_text(parameters, session);
    }
}

}  // namespace

void add_params(CLI::App& app, Session& session) {
    auto options = std::make_shared<ParamsOptions>();
    CLI::App* verb = app.add_subcommand(
        "params", "list every timing parameter with unit, source and confidence");
    add_parameter_options(*verb, options->parameters);
    verb->add_flag("--json", options->json, "write JSON (n6vp.params/1)");
    verb->footer(
        "Examples:\n"
        "  n6vp params                        all parameters with their defaults\n"
        "  n6vp params --set clock.cpu=600    the same with the core at 600 MHz\n"
        "  n6vp params --params-file slow.toml\n"
        "  n6vp install FILE --set clock.cpu=600 --set clock.nic=800");
    verb->callback([options, &session] { run(*options, session); });
}

}  // namespace n6vp::sim::cli

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <string_view>

#include "sim/cli/verb.h"
#include "sim/generate/operators/table.h"
#include "sim/host/json_output.h"

namespace n6vp::sim::cli {

namespace {

constexpr const char* kSupportedOpsFooter =
    R"(Images are [1, height, width, channels]. A network must be fully quantised, including inputs and outputs:
  converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
  converter.inference_input_type = converter.inference_output_type = tf.int8
"accepted": forms that n6vp validate reads and evaluates as a reference.
"generated": forms that n6vp generate and n6vp analyze map to epochs, and the unit that runs them.

Examples:
  n6vp supported-ops                    operators and their forms
  n6vp supported-ops --json             the same for scripts)";

void print_text(Session& session) {
    session.out << fmt::format("{:<26}{:<78}{}\n", "operator", "accepted", "generated");
    for (const generate::OperatorRule& rule : generate::operator_rules()) {
        const std::string_view generated = rule.generated;
        session.out << fmt::format("{:<26}{:<78}{}\n", generate::tflite::builtin_name(rule.code),
                                   rule.forms, generated.empty() ? "-" : generated);
    }
}

void print_json(Session& session) {
    Json document = json_document("supported-ops");
    document["operators"] = Json::array();
    for (const generate::OperatorRule& rule : generate::operator_rules()) {
        document["operators"].push_back(Json{{"name", generate::tflite::builtin_name(rule.code)},
                                             {"code", rule.code},
                                             {"forms", rule.forms},
                                             {"generated", rule.generated}});
    }
    write_json(session.out, document);
}

}  // namespace

void add_supported_ops(CLI::App& app, Session& session) {
    const auto json = std::make_shared<bool>(false);
    CLI::App* const verb =
        app.add_subcommand("supported-ops", "list the supported TFLite operators");
    verb->add_flag("--json", *json, "write JSON (n6vp.supported-ops/1)");
    verb->footer(kSupportedOpsFooter);
    verb->callback([json, &session] { *json ? print_json(session) : print_text(session); });
}

}  // namespace n6vp::sim::cli

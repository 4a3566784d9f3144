// SPDX-License-Identifier: Apache-2.0
#include "sim/inference/model_set_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "sim/exec/exec_run.h"
#include "sim/inference/model_run_report.h"
#include "traces/escape.h"

namespace n6vp::sim::model_run {

namespace {

[[nodiscard]] const char* placement(const ModelSet& run) {
    return run.choice().overlay ? "in turn" : "side by side";
}

void write_member(std::ostream& out, const ModelSet::Member& member, double ms) {
    double install_ms = 0;
    for (const ModelSet::Install& one : member.installs) {
        install_ms += static_cast<double>(one.time) * kMsPerPs;
    }
    if (!member.installs.empty()) install_ms /= static_cast<double>(member.installs.size());
    const std::vector<Inference>& inferences = member.lines.inferences();
    double cycles = 0;
    for (const Inference& one : inferences) cycles += one.cycles;
    if (!inferences.empty()) cycles /= static_cast<double>(inferences.size());
    const std::string crc = inferences.empty()
                                ? "none"
                                : fmt::format("0x{:08x}{}", inferences.back().output_crc,
                                              inferences.size() < 2           ? ""
                                              : identical_outputs(inferences) ? ", all"
                                                                              : ", DIFFER");
    out << fmt::format("{:>5}{:>12}{:>10}{:>14.3f}{:>12}{:>14.3f}{:>14.0f}  {:<15}  {}\n",
                       member.number, ModelSet::exec_bytes(member), member.installs.size(),
                       install_ms, inferences.size(), cycles * ms, cycles, crc,
                       traces::terminal_text(member.files.file_path));
}

[[nodiscard]] Json member_json(const ModelSet::Member& member) {
    const loader::InstallRequest& request = member.plan.request();
    Json document = {{"file", member.files.file_path},
                     {"address", hex_word(to_word(member.plan.file().start))},
                     {"generation", generation_name(request.profile.generation)},
                     {"mode", (request.mode & loader::format::kModeCopy) != 0 ? "copy" : "xip"},
                     {"exec_ram_bytes", ModelSet::exec_bytes(member)}};
    if (const auto& code = member.lines.install_code()) document["install_code"] = *code;
    Json& installs = document["installs"] = Json::array();
    for (const ModelSet::Install& one : member.installs) {
        installs.push_back({{"time_ps", one.time}, {"cycles", one.cycles}});
    }
    Json& inferences = document["inferences"] = Json::array();
    for (const Inference& one : member.lines.inferences()) {
        inferences.push_back({{"cycles", one.cycles}, {"output_crc", hex_word(one.output_crc)}});
    }
    document["identical"] = identical_outputs(member.lines.inferences());
    document["inputs"] = tensors_json(member.inputs.files());
    document["outputs"] = tensors_json(member.outputs.files());
    return document;
}

}  // namespace

void write_model_set(std::ostream& out, const FinishedSet& finished) {
    const ModelSet& run = finished.run;
    out << fmt::format("{} models, {}, {} timing, {:.2f} s of CPU time\n\n", run.members().size(),
                       placement(run), timing_name(finished.plan.options.timing),
                       finished.outcome.host_seconds);
    out << fmt::format("{:>5}{:>12}{:>10}{:>14}{:>12}{:>14}{:>14}  {:<15}  {}\n", "model",
                       "exec RAM B", "installs", "install ms", "inferences", "mean ms",
                       "CPU cycles", "outputs", "file");
    const double ms = ms_per_cycle(finished.phases);
    std::uint64_t sum = 0, largest = 0;
    for (const auto& member : run.members()) {
        write_member(out, *member, ms);
        sum += ModelSet::exec_bytes(*member);
        largest = std::max(largest, ModelSet::exec_bytes(*member));
    }
    out << fmt::format("exec RAM: {} of {} bytes\n", run.choice().overlay ? largest : sum,
                       run.members().front()->plan.request().exec_ram_bytes);
    for (const auto& member : run.members()) {
        out << fmt::format("\nmodel {}\n", member->number);
        write_tensors(out, "input", member->inputs.files(),
                      run.choice().each.inputs.random ? "random" : "zero");
        write_tensors(out, "output", member->outputs.files(), "not kept (-o DIR keeps it)");
    }
}

Json model_set_json(const FinishedSet& finished) {
    Json members = Json::array();
    for (const auto& member : finished.run.members()) members.push_back(member_json(*member));
    return {{"placement", placement(finished.run)},
            {"exec_ram_bytes", finished.run.members().front()->plan.request().exec_ram_bytes},
            {"as_expected", finished.run.as_expected()},
            {"members", std::move(members)}};
}

}  // namespace n6vp::sim::model_run

// SPDX-License-Identifier: Apache-2.0
#include "sim/pack/loader_findings.h"

#include <fmt/format.h>

#include "sim/host/errors.h"
#include "traces/diagnosis/rule_text.h"

namespace n6vp::sim::pack {

void refuse_finished(const loader::Diagnosis& why, const loader::Container* container) {
    const traces::DiagnosisFields fields = traces::fields_of(why, container);
    const auto number = [](const char* label, const std::string& text) {
        return text.empty() ? std::string() : fmt::format(", {} {}", label, text);
    };
    throw UserError(
        fmt::format("the loader would refuse the finished file: {}: {}{}{}{}", fields.rule,
                    fields.what, number("at file offset", fields.file_offset),
                    number("found", fields.found), number("expected", fields.expected)),
        fields.remedy);
}

bool LoaderFindings::take(void* context, const loader::Diagnosis& finding) {
    auto& found = *static_cast<LoaderFindings*>(context);
    const traces::RuleText& text = traces::rule_text(finding.rule);
    if (finding.severity == loader::Severity::Warning)
        found.warnings_.push_back(fmt::format("{}: {}", text.id, text.what));
    const bool first = found.error_.rule == loader::Rule::None;
    if (finding.severity == loader::Severity::Error && first) found.error_ = finding;
    return true;
}

std::vector<std::string> LoaderFindings::warnings(const loader::Container* container) const {
    if (error_.rule != loader::Rule::None) refuse_finished(error_, container);
    return warnings_;
}

}  // namespace n6vp::sim::pack

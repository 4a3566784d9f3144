// SPDX-License-Identifier: Apache-2.0
#include "loader/diagnosis.h"

namespace n6vp::loader {

namespace {

// One byte a rule and a few ranges: a board pays for this table.
constexpr std::uint8_t pack(Severity severity, Status status) {
    return static_cast<std::uint8_t>(static_cast<unsigned>(severity) << 4 |
                                     static_cast<unsigned>(status));
}

constexpr std::uint8_t kFacts[] = {pack(Severity::Error, Status::Ok),
#define N6VP_FACTS(rule, stage, severity, status) pack(Severity::severity, Status::status),
                                   N6VP_CONTAINER_RULES(N6VP_FACTS)
#undef N6VP_FACTS
};
constexpr std::uint32_t kKnown = sizeof kFacts / sizeof kFacts[0];
static_assert(kKnown == static_cast<std::uint32_t>(Rule::EcTooShort));

struct StageStart {
    std::uint16_t rule;
    Stage stage;
};
constexpr StageStart start(Rule rule, Stage stage) {
    return {static_cast<std::uint16_t>(rule), stage};
}
/// Rules of one stage stand together; the last row that does not lie behind a rule tells its stage.
constexpr StageStart kStages[] = {
    start(Rule::None, Stage::File),
    start(Rule::FlagsMajor, Stage::Header),
    start(Rule::FirmwareCpuPart, Stage::Firmware),
    start(Rule::InstanceNull, Stage::Request),
    start(Rule::ParamsTooShort, Stage::Pools),
    start(Rule::GotShort, Stage::Image),
    start(Rule::RelocationSpace, Stage::Relocation),
    start(Rule::VendorOverwrite, Stage::Image),
    start(Rule::HandleNull, Stage::Handle),
    start(Rule::EcTooShort, Stage::EpochBlob),
};

constexpr Stage stage_of(std::uint32_t rule) {
    Stage stage = Stage::File;
    for (const StageStart& row : kStages) {
        if (rule >= row.rule) stage = row.stage;
    }
    return stage;
}

constexpr Stage kListedStages[] = {Stage::File,
#define N6VP_STAGE(rule, stage, severity, status) Stage::stage,
                                   N6VP_CONTAINER_RULES(N6VP_STAGE)
#undef N6VP_STAGE
};

/// Returns true if the ranges say what the list of rules says.
constexpr bool stages_agree() {
    for (std::uint32_t rule = 0; rule < kKnown; ++rule) {
        if (stage_of(rule) != kListedStages[rule]) return false;
    }
    return true;
}
static_assert(stages_agree());

}  // namespace

Diagnosis diagnosis_of(Rule rule) {
    const auto number = static_cast<std::uint32_t>(rule);
    const unsigned facts =
        number < kKnown ? kFacts[number] : pack(Severity::Error, Status::InvalidBinary);
    Diagnosis diagnosis;
    diagnosis.rule = rule;
    diagnosis.severity = static_cast<Severity>(facts >> 4);
    diagnosis.stage = stage_of(number);
    diagnosis.status = static_cast<Status>(facts & 0xF);
    return diagnosis;
}

Status refuse(Diagnosis& why, Rule rule, std::uint32_t file_offset, std::uint32_t expected,
              std::uint32_t found) {
    why = diagnosis_of(rule);
    why.file_offset = file_offset;
    why.expected = expected;
    why.found = found;
    return why.status;
}

}  // namespace n6vp::loader

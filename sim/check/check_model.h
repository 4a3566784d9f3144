// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/install.h"
#include "sim/host/json_output.h"
#include "sim/model_file/ec_scan.h"
#include "sim/model_file/model_source.h"
#include "traces/diagnosis/rule_text.h"

/// Everything `n6vp check` finds out about a model and a place for it.
namespace n6vp::sim {

/// One finding and where it is from.
struct CheckFinding {
    loader::Diagnosis diagnosis;
    traces::DiagnosisFields fields;    ///< its numbers as text
    std::string block;                 ///< as lines for a terminal
    std::string option;                ///< command-line option that would mend it, or empty
    bool in_params_file = false;       ///< its file offset counts in the parameter file
    std::optional<std::uint32_t> hit;  ///< index into EcScan::hits
};

/// Something that no rule covers: a hint for the application, or what a broken file looks like.
struct CheckNote {
    std::string_view id;
    loader::Severity severity;
    std::string text;
};

/// What the vendor's own loader would have done with the same request.
struct VendorVerdict {
    loader::Status status = loader::Status::Ok;
    loader::Diagnosis why;            ///< of a refusal or a stop
    std::uint64_t bytes_written = 0;  ///< before it refused, or in all
    bool npu_cache_used = false;      ///< it called NPU cache maintenance
};

struct CheckReport {
    std::optional<loader::Header> header;              ///< absent if the file is no container
    std::optional<loader::RuntimeContext> context;     ///< absent if it cannot be read
    std::vector<CheckFinding> findings;                ///< at most `limit` of one rule
    std::map<loader::Rule, std::uint64_t> suppressed;  ///< how many more of a rule there were
    std::uint64_t errors = 0, warnings = 0, hints = 0;
    EcScan ec;
    VendorVerdict vendor;
    std::vector<CheckNote> notes;

    [[nodiscard]] bool passed() const { return errors == 0; }
};

/// Judges the files under the plan: every rule of the Strict policy, every epoch-controller blob,
/// and the vendor's loader on a scratch memory. `limit` bounds the findings kept per rule, 0 for
/// all.
[[nodiscard]] CheckReport check_model(const ModelFiles& files, const InstallPlan& plan,
                                      std::uint64_t limit);

/// Returns from where on code, data and relocations of a container read 0xff up to their end, as
/// erased flash does, or none. The last word of a table is never 0xffffffff.
[[nodiscard]] std::optional<std::uint32_t> erased_from(const std::vector<std::uint8_t>& file,
                                                       const loader::Header& header);

/// Returns what the first bytes of something that is no container look like, or empty.
[[nodiscard]] std::string recognise(const std::vector<std::uint8_t>& file);

/// Returns the option of `n6vp check` and `n6vp install` that mends a finding about the request,
/// with the numbers it needs, or an empty text.
[[nodiscard]] std::string mending_option(const loader::Diagnosis& finding, const InstallPlan& plan);

/// Returns one sentence on what the vendor's loader does.
[[nodiscard]] std::string vendor_text(const VendorVerdict& verdict);

/// Returns the findings, first cause first, and the notes that are more than hints.
[[nodiscard]] std::string findings_text(const CheckReport& report);
[[nodiscard]] Json findings_json(const CheckReport& report);

[[nodiscard]] std::string check_text(const CheckReport& report, const ModelFiles& files,
                                     const InstallPlan& plan);
[[nodiscard]] Json check_json(const CheckReport& report, const ModelFiles& files,
                              const InstallPlan& plan);

}  // namespace n6vp::sim

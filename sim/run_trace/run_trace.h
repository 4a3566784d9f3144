// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/host/output_file.h"
#include "sim/run/run_session.h"
#include "sim/run_trace/instruction_listing.h"
#include "sim/run_trace/platform_trace.h"
#include "sim/run_trace/trace_request.h"
#include "traces/epoch_record.h"

namespace n6vp::sim::trace {

/// What is recorded of a run: for its trace, and for its page. Comes after the session and before
/// its `run`.
class RunTrace {
  public:
    /// Opens the trace's file. Records events if the trace or a `page` needs them. Fails with
    /// UserError.
    RunTrace(const std::optional<TracePlan>& plan, bool page, RunSession& session);

    /// After the run: writes the trace. Reports to `err` a filter without matches and a reached
    /// limit.
    void finish(std::ostream& err);

    /// Of the run that is over; none if nothing asked for them.
    [[nodiscard]] const std::vector<traces::EpochRecord>& epochs() const { return epochs_; }
    /// Null if nothing asked for them.
    [[nodiscard]] const PlatformTrace* events() const { return events_.get(); }

  private:
    void write(std::ostream& err);
    [[nodiscard]] traces::TraceChoice choice(std::ostream& err) const;
    /// Remedies of a filter that found nothing: phases and epochs that the run had.
    [[nodiscard]] std::string phases_near(const std::string& name) const;
    [[nodiscard]] std::string epochs_there() const;

    std::optional<TracePlan> plan_;
    RunSession& session_;
    std::optional<OutputFile> file_;
    const EpochLog* log_ = nullptr;
    std::vector<traces::EpochRecord> epochs_;
    std::unique_ptr<PlatformTrace> events_;
    std::unique_ptr<InstructionListing> listing_;
};

}  // namespace n6vp::sim::trace

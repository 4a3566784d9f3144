// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "sim/board/board_line.h"
#include "sim/faults/fault_report.h"
#include "sim/host/json_output.h"
#include "sim/host/temp_folder.h"
#include "sim/model_file/model_source.h"
#include "sim/run/run_config.h"
#include "sim/run/run_session.h"

/// `n6vp board MODEL...`: models and firmware in simulated memory as a board has them.
namespace n6vp::sim::board {

struct BoardChoice {
    std::string elf;  ///< firmware; empty: the project's own
    std::string uart = "tcp:10000";
    std::string timing;
    std::string max_host_time;  ///< with its unit; empty: none
    ModelOptions model;         ///< of each model, but for files and addresses
    bool keep = false, overlay = false;
};

/// A model and its place.
struct PlacedModel {
    const ModelFiles* files = nullptr;
    const InstallPlan* plan = nullptr;
};

class BoardRun {
  public:
    /// Writes the table of models for the flash. `models` must outlive the object. Fails with
    /// UserError if there are too many.
    BoardRun(const BoardChoice& choice, std::vector<PlacedModel> models);

    [[nodiscard]] RunConfig config() const;
    /// Serves clients until the last one has left or the user ends the run. Boot text goes to
    /// `err`, the place of the port to `place`.
    [[nodiscard]] RunOutcome run(const RunPlan& plan, std::ostream& place, std::ostream& err);
    /// Returns true if a client, or the user, ended the run, not the firmware.
    [[nodiscard]] static bool ended_well(const RunOutcome& outcome);
    /// Returns true if the limit of host time ended a board whose firmware had set the port up.
    [[nodiscard]] bool timed_out(const RunOutcome& outcome) const {
        return outcome.verdict == RunVerdict::Limit && !never_listened_ && !never_reads_;
    }
    /// Says why a run did not end well, and where the firmware was.
    void explain(const RunOutcome& outcome, std::ostream& err) const;
    /// Returns the document n6vp.board/1.
    [[nodiscard]] Json json(const RunOutcome& outcome) const;

    [[nodiscard]] const LineCounts& counts() const { return counts_; }

  private:
    BoardChoice choice_;
    std::vector<PlacedModel> models_;
    TempFolder folder_{"board"};
    LineCounts counts_;
    std::string place_;
    bool never_listened_ = false;  ///< firmware that has not set the port up
    bool never_reads_ = false;     ///< firmware that has set it up for its own text only
    std::vector<fault_report::FaultReport> reports_;
};

}  // namespace n6vp::sim::board

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "traces/epoch_record.h"
#include "traces/trace_log.h"

/// The report of a run as a page: one file that needs nothing else and loads nothing. All text may
/// be hostile; it reaches the page as data only. Times are picoseconds since reset.
namespace n6vp::traces {

struct PageFact {
    std::string label, value, note;
};
struct PagePhase {
    std::string name;
    unsigned depth = 0;
    bool ended = true, block = false;  ///< a block of the model: in the timeline only
    TraceTime start = 0, end = 0;
    std::uint64_t cycles = 0, instructions = 0, bytes = 0, waited = 0;
};
/// Slices side by side, of one colour of the style sheet ("--awake").
struct PageLane {
    struct Slice {
        TraceTime from = 0, to = 0;
        std::uint32_t name = 0;  ///< of `names`
    };
    std::string name, color;
    std::vector<std::string> names;
    std::vector<Slice> slices;
};
struct PageCurve {
    std::string name, unit, color;
    std::vector<std::pair<TraceTime, double>> points;  ///< each holds until the next one
};
struct PageUse {
    std::string what;
    std::string kind;  ///< "program", "image", "pool", "exec"
    std::uint64_t offset = 0, bytes = 0;
};
struct PageMemory {
    std::string name, base;
    std::uint64_t bytes = 0, read = 0, written = 0;
    double reading = 0, writing = 0;  ///< shares of the run
    std::vector<PageUse> uses;
};
/// Traffic of one master with one memory.
struct PageFlow {
    std::string master, memory;
    std::uint64_t bursts = 0, read = 0, written = 0;
    TraceTime waited = 0;
    std::string because;  ///< of whom it waited
};
struct ReportPage {
    std::string title, subtitle, footer;
    TraceTime end = 0;
    std::vector<PageFact> facts;
    std::vector<PagePhase> phases;  ///< in the order of their beginnings
    std::vector<EpochRecord> epochs;
    std::vector<PageLane> lanes;
    std::vector<PageCurve> curves;
    std::vector<PageMemory> memories;
    std::vector<PageFlow> flows;
    std::vector<std::string> events;
    std::vector<std::string> assumptions;  ///< that results rest on: above everything else
    std::vector<EpochCause> causes;        ///< that epochs and the timeline are coloured by
};

void write_report_page(std::ostream& out, const ReportPage& page);

/// Contents of page.css and page.js.
[[nodiscard]] const char* page_style();
[[nodiscard]] const char* page_script();

}  // namespace n6vp::traces

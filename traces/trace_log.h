// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// What happened when: the events that every trace format is written from.
///
/// Schema (version `kTraceSchema`; README.md lists the tracks): tracks form a tree; a track has
/// slices, which nest, and marks, or else the values of one counter. Times are picoseconds of
/// simulated time since reset. Names are text of programs and models: each sink escapes them.
namespace n6vp::traces {

inline constexpr unsigned kTraceSchema = 2;

using TraceTime = std::uint64_t;  ///< ps
using TrackId = std::uint32_t;
inline constexpr TrackId kNoTrack = 0xFFFFFFFF;

struct Track {
    enum class Kind : std::uint8_t { Group, Slices, Counter };
    std::string name;
    Kind kind = Kind::Slices;
    TrackId parent = kNoTrack;
    std::string category;  ///< by which a trace is filtered: "npu", "bus"
    /// Of slices in a waveform: 1 is a wire that is 1 during slices, more a number, that of the
    /// innermost slice; 0 leaves the track out.
    unsigned bits = 0;
    std::string unit;  ///< of a counter
};

/// Something else that is to be known of a slice or mark.
struct TraceDetail {
    std::string name;
    std::variant<std::uint64_t, double, std::string> value;
};
using TraceDetails = std::vector<TraceDetail>;

/// From `begin` to `end` on a track.
struct TraceSlice {
    TraceTime begin = 0, end = 0;
    TrackId track = 0;
    std::uint32_t name = 0;     ///< of TraceLog::text
    std::uint32_t details = 0;  ///< of TraceLog::details; 0: none
    std::uint64_t number = 0;   ///< in a waveform
};
/// A mark of a track with slices, or from then on the value of a counter.
struct TracePoint {
    TraceTime at = 0;
    double value = 0;
    TrackId track = 0;
    std::uint32_t name = 0, details = 0;
};

/// Keeps events in the order in which they come, which is not that of their times. What comes after
/// `most` events is counted, but not kept.
class TraceLog {
  public:
    static constexpr std::size_t kMost = 4'000'000;
    static constexpr std::size_t kMaxText = 256;  ///< bytes; longer ones are cut off
    static constexpr std::size_t kNotKept = ~std::size_t{0};

    explicit TraceLog(std::size_t most = kMost);

    TrackId add_track(Track track);
    /// Starts a slice. Returns its number for `end`, kNotKept if it is not kept.
    std::size_t begin(TrackId track, TraceTime at, std::string_view name, TraceDetails details = {},
                      std::uint64_t number = 1);
    /// Ends a slice, not before its beginning. `more` is added to its details.
    void end(std::size_t slice, TraceTime at, TraceDetails more = {});
    void slice(TrackId track, TraceTime from, TraceTime to, std::string_view name,
               TraceDetails details = {}, std::uint64_t number = 1);
    void mark(TrackId track, TraceTime at, std::string_view name, TraceDetails details = {});
    void count(TrackId track, TraceTime at, double value);
    /// Keeps that many events more.
    void allow(std::size_t more) { most_ += more; }
    /// Ends what is open.
    void finish(TraceTime at);

    [[nodiscard]] const std::vector<Track>& tracks() const { return tracks_; }
    [[nodiscard]] const std::vector<TraceSlice>& slices() const { return slices_; }
    [[nodiscard]] const std::vector<TracePoint>& points() const { return points_; }
    [[nodiscard]] const std::string& text(std::uint32_t number) const { return texts_[number]; }
    [[nodiscard]] const TraceDetails& details(std::uint32_t number) const {
        return details_[number];
    }
    [[nodiscard]] std::uint64_t not_kept() const { return not_kept_; }

  private:
    [[nodiscard]] bool full();
    [[nodiscard]] std::uint32_t text_number(std::string_view text);
    [[nodiscard]] std::uint32_t keep(TraceDetails details);

    static constexpr TraceTime kOpen = ~TraceTime{0};
    std::size_t most_;
    std::uint64_t not_kept_ = 0;
    std::vector<Track> tracks_;
    std::vector<TraceSlice> slices_;
    std::vector<TracePoint> points_;
    std::vector<std::string> texts_;
    std::map<std::string, std::uint32_t, std::less<>> text_numbers_;
    std::vector<TraceDetails> details_;
};

/// Part of the time, ends included.
struct TraceWindow {
    TraceTime from = 0, to = ~TraceTime{0};
};

/// What of a log is to be written. Empty lists are no condition; a window that ends before it
/// begins holds nothing.
struct TraceChoice {
    std::vector<TraceWindow> windows;
    std::vector<std::string> categories;
};

/// One step of a trace in the order of time.
struct TraceStep {
    enum class Kind : std::uint8_t { Begin, End, Mark, Value };
    Kind kind = Kind::Begin;
    TrackId track = 0;
    TraceTime at = 0;
    std::uint32_t index = 0;  ///< of the slice or point
};

/// Returns all steps by ascending time. On every track, Begin and End nest: a slice that would
/// outlast the one around it ends with that one. Slices reach into the windows as far as they
/// overlap them; a counter has the value it had where a window begins.
[[nodiscard]] std::vector<TraceStep> ordered(const TraceLog& log, const TraceChoice& choice = {});

}  // namespace n6vp::traces

// SPDX-License-Identifier: Apache-2.0
#include "traces/trace_log.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace n6vp::traces {

namespace {

/// Returns where text may be cut off so that no character of UTF-8 is.
[[nodiscard]] std::size_t cut_at(std::string_view text, std::size_t most) {
    constexpr unsigned char kFollows = 0x80, kMask = 0xC0;
    while (most != 0 && (static_cast<unsigned char>(text[most]) & kMask) == kFollows) --most;
    return most;
}

[[nodiscard]] std::string shortened(std::string_view text) {
    if (text.size() <= TraceLog::kMaxText) return std::string(text);
    return std::string(text.substr(0, cut_at(text, TraceLog::kMaxText))) + "...";
}

void shorten(TraceDetails& details) {
    for (TraceDetail& detail : details) {
        if (auto* const text = std::get_if<std::string>(&detail.value)) *text = shortened(*text);
    }
}

}  // namespace

TraceLog::TraceLog(std::size_t most) : most_(most), details_(1) {}

TrackId TraceLog::add_track(Track track) {
    track.name = shortened(track.name);
    tracks_.push_back(std::move(track));
    return static_cast<TrackId>(tracks_.size() - 1);
}

bool TraceLog::full() {
    if (slices_.size() + points_.size() < most_) return false;
    ++not_kept_;
    return true;
}

std::uint32_t TraceLog::text_number(std::string_view text) {
    const std::string kept = shortened(text);
    const auto known = text_numbers_.find(kept);
    if (known != text_numbers_.end()) return known->second;
    const auto number = static_cast<std::uint32_t>(texts_.size());
    texts_.push_back(kept);
    text_numbers_.emplace(kept, number);
    return number;
}

std::uint32_t TraceLog::keep(TraceDetails details) {
    if (details.empty()) return 0;
    shorten(details);
    details_.push_back(std::move(details));
    return static_cast<std::uint32_t>(details_.size() - 1);
}

std::size_t TraceLog::begin(TrackId track, TraceTime at, std::string_view name,
                            TraceDetails details, std::uint64_t number) {
    if (full()) return kNotKept;
    slices_.push_back({at, kOpen, track, text_number(name), keep(std::move(details)), number});
    return slices_.size() - 1;
}

void TraceLog::end(std::size_t slice, TraceTime at, TraceDetails more) {
    if (slice >= slices_.size()) return;
    TraceSlice& open = slices_[slice];
    open.end = std::max(at, open.begin);
    if (more.empty()) return;
    if (open.details == 0) {
        open.details = keep(std::move(more));
        return;
    }
    shorten(more);
    TraceDetails& known = details_[open.details];
    known.insert(known.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

void TraceLog::slice(TrackId track, TraceTime from, TraceTime to, std::string_view name,
                     TraceDetails details, std::uint64_t number) {
    end(begin(track, from, name, std::move(details), number), to);
}

void TraceLog::mark(TrackId track, TraceTime at, std::string_view name, TraceDetails details) {
    if (full()) return;
    points_.push_back({at, 0, track, text_number(name), keep(std::move(details))});
}

void TraceLog::count(TrackId track, TraceTime at, double value) {
    if (full()) return;
    points_.push_back({at, value, track, 0, 0});
}

void TraceLog::finish(TraceTime at) {
    for (TraceSlice& slice : slices_) {
        if (slice.end == kOpen) slice.end = std::max(at, slice.begin);
    }
}

namespace {

/// Puts a log in order, window by window.
class Order {
  public:
    Order(const TraceLog& log, const TraceChoice& choice) : log_(log), choice_(choice) {
        chosen_.reserve(log.tracks().size());
        for (const Track& track : log.tracks()) {
            const std::vector<std::string>& wanted = choice.categories;
            chosen_.push_back(wanted.empty() || std::find(wanted.begin(), wanted.end(),
                                                          track.category) != wanted.end());
        }
    }

    [[nodiscard]] std::vector<TraceStep> steps() {
        for (const TraceWindow& window : apart(choice_.windows)) add(window);
        std::stable_sort(steps_.begin(), steps_.end(),
                         [](const auto& one, const auto& two) { return one.at < two.at; });
        return std::move(steps_);
    }

  private:
    /// Returns the windows in order, those that touch as one.
    [[nodiscard]] static std::vector<TraceWindow> apart(std::vector<TraceWindow> windows) {
        if (windows.empty()) return {TraceWindow{}};
        std::sort(windows.begin(), windows.end(),
                  [](const auto& one, const auto& two) { return one.from < two.from; });
        std::vector<TraceWindow> result;
        for (const TraceWindow& window : windows) {
            if (window.from > window.to) continue;
            if (result.empty() || window.from > result.back().to) {
                result.push_back(window);
            } else {
                result.back().to = std::max(result.back().to, window.to);
            }
        }
        return result;
    }

    void add(const TraceWindow& window) {
        add_slices(window);
        add_points(window);
    }

    void add_slices(const TraceWindow& window) {
        std::vector<TraceSlice> clipped;
        std::vector<std::uint32_t> indices;
        const std::vector<TraceSlice>& all = log_.slices();
        for (std::size_t i = 0; i < all.size(); ++i) {
            TraceSlice slice = all[i];
            if (!chosen_[slice.track] || slice.begin > window.to || slice.end < window.from) {
                continue;
            }
            slice.begin = std::max(slice.begin, window.from);
            slice.end = std::min(slice.end, window.to);
            indices.push_back(static_cast<std::uint32_t>(clipped.size()));
            slice.details = static_cast<std::uint32_t>(i);  // of this copy: where it is from
            clipped.push_back(slice);
        }
        std::stable_sort(indices.begin(), indices.end(), [&](std::uint32_t a, std::uint32_t b) {
            const TraceSlice &one = clipped[a], &two = clipped[b];
            if (one.track != two.track) return one.track < two.track;
            return one.begin != two.begin ? one.begin < two.begin : one.end > two.end;
        });
        std::vector<TraceSlice> open;
        for (const std::uint32_t i : indices) {
            TraceSlice slice = clipped[i];
            while (!open.empty() &&
                   (open.back().track != slice.track || open.back().end <= slice.begin)) {
                close(open);
            }
            if (!open.empty()) slice.end = std::min(slice.end, open.back().end);
            steps_.push_back({TraceStep::Kind::Begin, slice.track, slice.begin, slice.details});
            open.push_back(slice);
        }
        while (!open.empty()) close(open);
    }

    void close(std::vector<TraceSlice>& open) {
        const TraceSlice& slice = open.back();
        steps_.push_back({TraceStep::Kind::End, slice.track, slice.end, slice.details});
        open.pop_back();
    }

    void add_points(const TraceWindow& window) {
        const std::vector<TracePoint>& all = log_.points();
        // Of each counter, its last value before the window.
        std::vector<std::size_t> last(log_.tracks().size(), all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            const TracePoint& point = all[i];
            if (!chosen_[point.track] || point.at > window.to) continue;
            const bool value = log_.tracks()[point.track].kind == Track::Kind::Counter;
            if (point.at >= window.from) {
                steps_.push_back({value ? TraceStep::Kind::Value : TraceStep::Kind::Mark,
                                  point.track, point.at, static_cast<std::uint32_t>(i)});
            } else if (value) {
                std::size_t& known = last[point.track];
                if (known == all.size() || all[known].at <= point.at) known = i;
            }
        }
        std::vector<TraceStep> first;
        for (TrackId track = 0; track < last.size(); ++track) {
            if (last[track] == all.size()) continue;
            first.push_back({TraceStep::Kind::Value, track, window.from,
                             static_cast<std::uint32_t>(last[track])});
        }
        // Before values of the same time.
        steps_.insert(steps_.begin(), first.begin(), first.end());
    }

    const TraceLog& log_;
    const TraceChoice& choice_;
    std::vector<bool> chosen_;
    std::vector<TraceStep> steps_;
};

}  // namespace

std::vector<TraceStep> ordered(const TraceLog& log, const TraceChoice& choice) {
    return Order(log, choice).steps();
}

}  // namespace n6vp::traces

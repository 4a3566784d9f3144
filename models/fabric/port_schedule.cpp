// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/port_schedule.h"

#include <algorithm>

namespace n6vp::models {

namespace {

constexpr std::uint64_t kFirstRing = 64;  ///< bursts; a power of two
constexpr std::size_t kMaxShifts = 256;   ///< before it is looked for old ones

}  // namespace

std::size_t PortSchedule::lane_for(Picoseconds arrival, std::uint8_t initiator) {
    std::size_t found = kLanes;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
        const Path& path = paths_[i];
        if (path.initiator != initiator || path.newest > arrival) continue;
        if (found == kLanes || path.newest > paths_[found].newest) found = i;
    }
    if (found == kLanes && paths_.size() < kLanes) {
        found = paths_.size();
        if (views_.empty()) views_.resize(kLanes * kLanes);
        Path& path = paths_.emplace_back();
        path.ring = std::make_unique<Burst[]>(kFirstRing);
        path.mask = kFirstRing - 1;
        path.initiator = initiator;
    }
    if (found == kLanes) {
        // More ways out of order than paths: the one that is least ahead.
        const auto least = [initiator](const Path& a, const Path& b) {
            if ((a.initiator == initiator) != (b.initiator == initiator))
                return a.initiator == initiator;
            return a.newest < b.newest;
        };
        found = static_cast<std::size_t>(std::min_element(paths_.begin(), paths_.end(), least) -
                                         paths_.begin());
    }
    lane_of_[initiator] = static_cast<std::uint8_t>(found + 1);
    if (paths_[found].full()) make_room(paths_[found]);
    return found;
}

void PortSchedule::make_room(Path& path) const {
    while (path.first < path.count && path.at(path.first).end + kHorizon < end_) ++path.first;
    if (!path.full()) return;
    const std::uint64_t mask = 2 * path.mask + 1;
    auto larger = std::make_unique<Burst[]>(mask + 1);
    for (std::uint64_t i = path.first; i < path.count; ++i) larger[i & mask] = path.at(i);
    path.ring = std::move(larger);
    path.mask = mask;
}

void PortSchedule::settle(Path& path, Picoseconds arrival) {
    const bool idle = arrival >= path.end + path.owed;
    path.shifts.push_back(
        {idle ? path.end : std::max(path.end, arrival), -static_cast<std::int64_t>(path.owed)});
    path.owed = 0;
}

void PortSchedule::shift(std::size_t number, const Shift& added) {
    Path& path = paths_[number];
    auto& shifts = path.shifts;
    if (shifts.size() >= kMaxShifts) forget(number);
    auto place = shifts.end();
    while (place != shifts.begin() && (place - 1)->at > added.at) --place;
    const bool join = place != shifts.begin() && (place - 1)->at == added.at && (place - 1)->by > 0;
    const auto index = static_cast<std::size_t>(place - shifts.begin()) - (join ? 1 : 0);
    for (std::size_t viewer = 0; viewer < paths_.size(); ++viewer) {
        View& each = view(viewer, number);
        if (each.shifts <= index) continue;
        each.behind += added.by;
        if (!join) ++each.shifts;
    }
    if (join) {
        (place - 1)->by += added.by;
    } else {
        shifts.insert(place, added);
    }
    path.owed += static_cast<Picoseconds>(added.by);
}

void PortSchedule::forget(std::size_t number) {
    Path& path = paths_[number];
    std::size_t old = 0;
    while (old < path.shifts.size() && path.shifts[old].at + kHorizon < end_) ++old;
    if (old < kMaxShifts / 4) return;
    for (std::size_t i = 0; i < old; ++i) path.forgotten += path.shifts[i].by;
    for (std::size_t viewer = 0; viewer < paths_.size(); ++viewer) {
        View& each = view(viewer, number);
        each.shifts -= std::min(each.shifts, old);
    }
    path.shifts.erase(path.shifts.begin(), path.shifts.begin() + static_cast<std::ptrdiff_t>(old));
}

Picoseconds PortSchedule::port_time(const Path& path, Picoseconds time) {
    std::int64_t behind = static_cast<std::int64_t>(path.owed);
    for (std::size_t i = path.shifts.size(); i > 0 && path.shifts[i - 1].at >= time; --i)
        behind -= path.shifts[i - 1].by;
    return time + static_cast<Picoseconds>(std::max<std::int64_t>(behind, 0));
}

Picoseconds PortSchedule::look(View& view, const Path& path, Picoseconds time) {
    const auto now = static_cast<std::int64_t>(time);
    const auto begins = [](const Shift& shift, std::int64_t behind) {
        return static_cast<std::int64_t>(shift.at) + behind;
    };
    if (view.shifts == 0) view.behind = path.forgotten;
    while (view.shifts > 0) {
        const Shift& last = path.shifts[view.shifts - 1];
        if (begins(last, view.behind - last.by) <= now) break;
        view.behind -= last.by;
        --view.shifts;
    }
    while (view.shifts < path.shifts.size()) {
        const Shift& next = path.shifts[view.shifts];
        if (begins(next, view.behind) > now) break;
        view.behind += next.by;
        ++view.shifts;
    }
    std::int64_t local = now - view.behind;
    // Within a shift the path's time stands still.
    if (view.shifts > 0)
        local = std::max(local, static_cast<std::int64_t>(path.shifts[view.shifts - 1].at));
    const auto at = static_cast<Picoseconds>(std::max<std::int64_t>(local, 0));
    view.next = std::max(view.next, path.first);
    while (view.next > path.first && path.at(view.next - 1).end > at) --view.next;
    while (view.next < path.count && path.at(view.next).end <= at) ++view.next;
    return at;
}

Picoseconds PortSchedule::waiting(const Path& path, std::uint64_t next, Picoseconds time) {
    Picoseconds sum = 0;
    for (; next < path.count && path.at(next).arrival <= time; ++next) {
        const Burst& burst = path.at(next);
        if (burst.end > time) sum += std::min<Picoseconds>(burst.duration, burst.end - time);
    }
    return sum;
}

Picoseconds PortSchedule::own_waiting(const Path& path, Picoseconds time) {
    Picoseconds sum = 0;
    for (std::uint64_t next = path.count; next > path.first; --next) {
        const Burst& burst = path.at(next - 1);
        if (burst.end <= time) break;
        if (burst.arrival <= time) sum += std::min<Picoseconds>(burst.duration, burst.end - time);
    }
    return sum;
}

void PortSchedule::push(std::size_t viewer, Picoseconds start, Picoseconds duration) {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
        Path& path = paths_[i];
        if (i == viewer || path.end + path.owed <= start) continue;
        View& seen = view(viewer, i);
        const Picoseconds local = look(seen, path, start);
        if (seen.next == path.count) continue;
        const Picoseconds arrival = path.at(seen.next).arrival;
        const Picoseconds free = arrival > local ? arrival - local : 0;
        if (free >= duration) continue;
        shift(i, {local + free, static_cast<std::int64_t>(duration - free)});
        path.creditor = paths_[viewer].initiator;
        end_ = std::max(end_, path.end + path.owed);
    }
}

PortSchedule::Grant PortSchedule::book_in_turn(Picoseconds arrival, Picoseconds duration,
                                               std::uint8_t initiator) {
    const std::uint8_t number = lane_of_[initiator];
    if (arrival >= end_ && number != 0 && !paths_[number - std::size_t{1}].full()) {
        append(paths_[number - std::size_t{1}], arrival, arrival, duration);
        return {arrival, 0, 0};
    }
    const std::size_t viewer = lane_for(arrival, initiator);
    Path& own = paths_[viewer];
    // All that the port has to do then are bursts of this path, which follow each other.
    const bool alone =
        own.owed == 0 && own.end > arrival && own.newest <= arrival &&
        std::none_of(paths_.begin(), paths_.end(), [&own, arrival](const Path& path) {
            return &path != &own && path.end + path.owed > arrival;
        });
    if (alone) {
        const Picoseconds start = own.end;
        append(own, arrival, start, duration);
        return {start, start - arrival, initiator};
    }
    const Picoseconds owed = arrival < own.end + own.owed ? own.owed : 0;
    const Picoseconds seen_at = owed == 0 ? arrival : port_time(own, arrival);
    Picoseconds longest = owed;
    std::uint8_t holder = own.creditor;
    Picoseconds sum = 0;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
        const Path& path = paths_[i];
        if (path.end + path.owed <= arrival) continue;
        Picoseconds held = 0;
        if (i == viewer) {
            held = own_waiting(path, arrival);
        } else {
            View& seen = view(viewer, i);
            const Picoseconds local = look(seen, path, seen_at);
            held = waiting(path, seen.next, local);
        }
        sum += held;
        if (held > longest) {
            longest = held;
            holder = path.initiator;
        }
    }
    const Picoseconds start = std::max(seen_at + sum, own.end + owed);
    push(viewer, start, duration);
    append(own, std::max(arrival, own.newest), start, duration);
    return {start, start - arrival, start > arrival ? holder : std::uint8_t{0}};
}

PortSchedule::Grant PortSchedule::book_last(Picoseconds arrival, Picoseconds start,
                                            Picoseconds duration, std::uint8_t initiator) {
    Path& own = paths_[lane_for(arrival, initiator)];
    Grant grant{start, start > arrival ? start - arrival : 0, 0};
    if (grant.waited != 0) {
        Picoseconds longest = arrival < own.end + own.owed ? own.owed : 0;
        grant.holder = longest != 0 ? own.creditor : initiator;
        for (const Path& path : paths_) {
            const Picoseconds held = own_waiting(path, arrival);
            if (held <= longest) continue;
            longest = held;
            grant.holder = path.initiator;
        }
    }
    append(own, std::max(arrival, own.newest), start, duration);
    return grant;
}

void PortSchedule::extend(Picoseconds duration, std::uint8_t initiator) {
    const std::size_t viewer = lane_of_[initiator] - std::size_t{1};
    Path& own = paths_[viewer];
    push(viewer, own.end, duration);
    Burst& last = own.at(own.count - 1);
    last.duration += static_cast<std::uint32_t>(duration);
    last.end = own.end += duration;
    end_ = std::max(end_, own.end + own.owed);
}

bool PortSchedule::late(Picoseconds arrival, std::uint8_t initiator) const {
    return std::any_of(paths_.begin(), paths_.end(), [=](const Path& path) {
        return path.initiator != initiator && arrival < path.newest + path.owed;
    });
}

void PortSchedule::clear() {
    paths_.clear();
    views_.clear();
    lane_of_ = {};
    end_ = 0;
}

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/port_schedule.h"

#include <algorithm>

namespace n6vp::models {

namespace {

constexpr std::uint64_t kFirstRing = 64;  ///< bursts; a power of two
constexpr std::size_t kMostShifts = 256;  ///< before it is looked for old ones

}  // namespace

std::size_t PortSchedule::lane_for(Picoseconds arrival, std::uint8_t initiator) {
    std::size_t found = kLanes;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const Lane& lane = lanes_[i];
        if (lane.initiator != initiator || lane.newest > arrival) continue;
        if (found == kLanes || lane.newest > lanes_[found].newest) found = i;
    }
    if (found == kLanes && lanes_.size() < kLanes) {
        found = lanes_.size();
        if (views_.empty()) views_.resize(kLanes * kLanes);
        Lane& lane = lanes_.emplace_back();
        lane.ring = std::make_unique<Burst[]>(kFirstRing);
        lane.mask = kFirstRing - 1;
        lane.initiator = initiator;
    }
    if (found == kLanes) {
        // More ways out of order than lanes: the one that is least ahead.
        const auto least = [initiator](const Lane& a, const Lane& b) {
            if ((a.initiator == initiator) != (b.initiator == initiator))
                return a.initiator == initiator;
            return a.newest < b.newest;
        };
        found = static_cast<std::size_t>(std::min_element(lanes_.begin(), lanes_.end(), least) -
                                         lanes_.begin());
    }
    lane_of_[initiator] = static_cast<std::uint8_t>(found + 1);
    if (lanes_[found].full()) make_room(lanes_[found]);
    return found;
}

void PortSchedule::make_room(Lane& lane) const {
    while (lane.first < lane.count && lane.at(lane.first).end + kHorizon < end_) ++lane.first;
    if (!lane.full()) return;
    const std::uint64_t mask = 2 * lane.mask + 1;
    auto larger = std::make_unique<Burst[]>(mask + 1);
    for (std::uint64_t i = lane.first; i < lane.count; ++i) larger[i & mask] = lane.at(i);
    lane.ring = std::move(larger);
    lane.mask = mask;
}

void PortSchedule::settle(Lane& lane, Picoseconds arrival) {
    const bool idle = arrival >= lane.end + lane.owed;
    lane.shifts.push_back(
        {idle ? lane.end : std::max(lane.end, arrival), -static_cast<std::int64_t>(lane.owed)});
    lane.owed = 0;
}

void PortSchedule::shift(std::size_t number, const Shift& added) {
    Lane& lane = lanes_[number];
    auto& shifts = lane.shifts;
    if (shifts.size() >= kMostShifts) forget(number);
    auto place = shifts.end();
    while (place != shifts.begin() && (place - 1)->at > added.at) --place;
    const bool join = place != shifts.begin() && (place - 1)->at == added.at && (place - 1)->by > 0;
    const auto index = static_cast<std::size_t>(place - shifts.begin()) - (join ? 1 : 0);
    for (std::size_t viewer = 0; viewer < lanes_.size(); ++viewer) {
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
    lane.owed += static_cast<Picoseconds>(added.by);
}

void PortSchedule::forget(std::size_t number) {
    Lane& lane = lanes_[number];
    std::size_t old = 0;
    while (old < lane.shifts.size() && lane.shifts[old].at + kHorizon < end_) ++old;
    if (old < kMostShifts / 4) return;
    for (std::size_t i = 0; i < old; ++i) lane.forgotten += lane.shifts[i].by;
    for (std::size_t viewer = 0; viewer < lanes_.size(); ++viewer) {
        View& each = view(viewer, number);
        each.shifts -= std::min(each.shifts, old);
    }
    lane.shifts.erase(lane.shifts.begin(), lane.shifts.begin() + static_cast<std::ptrdiff_t>(old));
}

Picoseconds PortSchedule::port_time(const Lane& lane, Picoseconds time) {
    std::int64_t behind = static_cast<std::int64_t>(lane.owed);
    for (std::size_t i = lane.shifts.size(); i > 0 && lane.shifts[i - 1].at >= time; --i)
        behind -= lane.shifts[i - 1].by;
    return time + static_cast<Picoseconds>(std::max<std::int64_t>(behind, 0));
}

Picoseconds PortSchedule::look(View& view, const Lane& lane, Picoseconds time) {
    const auto now = static_cast<std::int64_t>(time);
    const auto begins = [](const Shift& shift, std::int64_t behind) {
        return static_cast<std::int64_t>(shift.at) + behind;
    };
    if (view.shifts == 0) view.behind = lane.forgotten;
    while (view.shifts > 0) {
        const Shift& last = lane.shifts[view.shifts - 1];
        if (begins(last, view.behind - last.by) <= now) break;
        view.behind -= last.by;
        --view.shifts;
    }
    while (view.shifts < lane.shifts.size()) {
        const Shift& next = lane.shifts[view.shifts];
        if (begins(next, view.behind) > now) break;
        view.behind += next.by;
        ++view.shifts;
    }
    std::int64_t local = now - view.behind;
    // Within a shift the lane's time stands still.
    if (view.shifts > 0)
        local = std::max(local, static_cast<std::int64_t>(lane.shifts[view.shifts - 1].at));
    const auto at = static_cast<Picoseconds>(std::max<std::int64_t>(local, 0));
    view.next = std::max(view.next, lane.first);
    while (view.next > lane.first && lane.at(view.next - 1).end > at) --view.next;
    while (view.next < lane.count && lane.at(view.next).end <= at) ++view.next;
    return at;
}

Picoseconds PortSchedule::waiting(const Lane& lane, std::uint64_t next, Picoseconds time) {
    Picoseconds sum = 0;
    for (; next < lane.count && lane.at(next).arrival <= time; ++next) {
        const Burst& burst = lane.at(next);
        if (burst.end > time) sum += std::min<Picoseconds>(burst.duration, burst.end - time);
    }
    return sum;
}

Picoseconds PortSchedule::own_waiting(const Lane& lane, Picoseconds time) {
    Picoseconds sum = 0;
    for (std::uint64_t next = lane.count; next > lane.first; --next) {
        const Burst& burst = lane.at(next - 1);
        if (burst.end <= time) break;
        if (burst.arrival <= time) sum += std::min<Picoseconds>(burst.duration, burst.end - time);
    }
    return sum;
}

void PortSchedule::push(std::size_t viewer, Picoseconds start, Picoseconds duration) {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        Lane& lane = lanes_[i];
        if (i == viewer || lane.end + lane.owed <= start) continue;
        View& seen = view(viewer, i);
        const Picoseconds local = look(seen, lane, start);
        if (seen.next == lane.count) continue;
        const Picoseconds arrival = lane.at(seen.next).arrival;
        const Picoseconds free = arrival > local ? arrival - local : 0;
        if (free >= duration) continue;
        shift(i, {local + free, static_cast<std::int64_t>(duration - free)});
        lane.creditor = lanes_[viewer].initiator;
        end_ = std::max(end_, lane.end + lane.owed);
    }
}

PortSchedule::Grant PortSchedule::book_in_turn(Picoseconds arrival, Picoseconds duration,
                                               std::uint8_t initiator) {
    const std::uint8_t number = lane_of_[initiator];
    if (arrival >= end_ && number != 0 && !lanes_[number - std::size_t{1}].full()) {
        append(lanes_[number - std::size_t{1}], arrival, arrival, duration);
        return {arrival, 0, 0};
    }
    const std::size_t viewer = lane_for(arrival, initiator);
    Lane& own = lanes_[viewer];
    // All that the port has to do then are bursts of this lane, which follow each other.
    const bool alone =
        own.owed == 0 && own.end > arrival && own.newest <= arrival &&
        std::none_of(lanes_.begin(), lanes_.end(), [&own, arrival](const Lane& lane) {
            return &lane != &own && lane.end + lane.owed > arrival;
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
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const Lane& lane = lanes_[i];
        if (lane.end + lane.owed <= arrival) continue;
        Picoseconds held = 0;
        if (i == viewer) {
            held = own_waiting(lane, arrival);
        } else {
            View& seen = view(viewer, i);
            const Picoseconds local = look(seen, lane, seen_at);
            held = waiting(lane, seen.next, local);
        }
        sum += held;
        if (held > longest) {
            longest = held;
            holder = lane.initiator;
        }
    }
    const Picoseconds start = std::max(seen_at + sum, own.end + owed);
    push(viewer, start, duration);
    append(own, std::max(arrival, own.newest), start, duration);
    return {start, start - arrival, start > arrival ? holder : std::uint8_t{0}};
}

PortSchedule::Grant PortSchedule::book_last(Picoseconds arrival, Picoseconds start,
                                            Picoseconds duration, std::uint8_t initiator) {
    Lane& own = lanes_[lane_for(arrival, initiator)];
    Grant grant{start, start > arrival ? start - arrival : 0, 0};
    if (grant.waited != 0) {
        Picoseconds longest = arrival < own.end + own.owed ? own.owed : 0;
        grant.holder = longest != 0 ? own.creditor : initiator;
        for (const Lane& lane : lanes_) {
            const Picoseconds held = own_waiting(lane, arrival);
            if (held <= longest) continue;
            longest = held;
            grant.holder = lane.initiator;
        }
    }
    append(own, std::max(arrival, own.newest), start, duration);
    return grant;
}

void PortSchedule::extend(Picoseconds duration, std::uint8_t initiator) {
    const std::size_t viewer = lane_of_[initiator] - std::size_t{1};
    Lane& own = lanes_[viewer];
    push(viewer, own.end, duration);
    Burst& last = own.at(own.count - 1);
    last.duration += static_cast<std::uint32_t>(duration);
    last.end = own.end += duration;
    end_ = std::max(end_, own.end + own.owed);
}

bool PortSchedule::late(Picoseconds arrival, std::uint8_t initiator) const {
    return std::any_of(lanes_.begin(), lanes_.end(), [=](const Lane& lane) {
        return lane.initiator != initiator && arrival < lane.newest + lane.owed;
    });
}

void PortSchedule::clear() {
    lanes_.clear();
    views_.clear();
    lane_of_ = {};
    end_ = 0;
}

}  // namespace n6vp::models

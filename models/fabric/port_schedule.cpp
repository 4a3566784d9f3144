// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/port_schedule.h"

#include <algorithm>

namespace n6vp::models {

std::size_t PortSchedule::first_after(Picoseconds time) const {
    // Most bursts come close to the end.
    constexpr std::size_t kNear = 8;
    for (std::size_t i = count_; i + kNear > count_; --i) {
        if (i == 0 || busy_[i - 1].end() <= time) return i;
    }
    const Interval* const begin = busy_.get();
    return static_cast<std::size_t>(
        std::upper_bound(begin, begin + count_, time,
                         [](Picoseconds at, const Interval& each) { return at < each.end(); }) -
        begin);
}

Picoseconds PortSchedule::search(Picoseconds arrival, Picoseconds duration,
                                 std::size_t& next) const {
    Picoseconds start = std::max(arrival, forgotten_);
    while (next < count_ && busy_[next].start < start + duration)
        start = std::max(start, busy_[next++].end());
    return start;
}

Picoseconds PortSchedule::find(Picoseconds arrival, Picoseconds duration) const {
    std::size_t next = first_after(arrival);
    return search(arrival, duration, next);
}

PortSchedule::Grant PortSchedule::book_in_gap(Picoseconds arrival, Picoseconds duration,
                                              std::uint8_t initiator) {
    if (count_ == capacity_) make_room();
    const std::size_t first = first_after(arrival);
    std::size_t next = first;
    const Picoseconds start = search(arrival, duration, next);
    Grant grant{start, start - arrival, 0};
    if (grant.waited != 0) grant.holder = longest_holder(first, arrival, start);
    if (next == count_) {
        append(interval(start, duration, initiator));
    } else {
        insert(next, interval(start, duration, initiator));
    }
    return grant;
}

PortSchedule::Grant PortSchedule::book_last(Picoseconds arrival, Picoseconds start,
                                            Picoseconds duration, std::uint8_t initiator) {
    Grant grant{start, 0, 0};
    if (start > arrival) {
        grant.waited = start - arrival;
        grant.holder = longest_holder(first_after(arrival), arrival, start);
    }
    if (count_ == capacity_) make_room();
    append(interval(start, duration, initiator));
    return grant;
}

void PortSchedule::insert(std::size_t before, const Interval& added) {
    Interval& behind = busy_[before];
    Interval* const ahead = before > 0 ? &behind - 1 : nullptr;
    if (ahead != nullptr && join(*ahead, added)) {
        ahead->length += added.length;
        if (!join(*ahead, behind)) return;
        ahead->length += behind.length;
        std::copy(&behind + 1, busy_.get() + count_, &behind);
        --count_;
    } else if (join(added, behind)) {
        behind.start = added.start;
        behind.length += added.length;
    } else {
        std::copy_backward(&behind, busy_.get() + count_, busy_.get() + count_ + 1);
        behind = added;
        ++count_;
    }
}

void PortSchedule::make_room() {
    std::size_t old = 0;
    while (old < count_ && busy_[old].end() + kHorizon < end_) forgotten_ = busy_[old++].end();
    count_ -= old;
    if (count_ >= capacity_ / 4 * 3) {
        capacity_ = std::max<std::size_t>(256, 2 * capacity_);
        auto larger = std::make_unique<Interval[]>(capacity_);
        std::copy_n(busy_.get() + old, count_, larger.get());
        busy_ = std::move(larger);
    } else {
        std::copy_n(busy_.get() + old, count_, busy_.get());
    }
}

std::uint8_t PortSchedule::longest_holder(std::size_t first, Picoseconds arrival,
                                          Picoseconds start) {
    std::size_t last = first;
    std::uint8_t holder = 0;
    Picoseconds longest = 0;
    for (; last < count_ && busy_[last].start < start; ++last) {
        const Interval& each = busy_[last];
        Picoseconds& held = held_[each.initiator];
        held += std::min(each.end(), start) - std::max(each.start, arrival);
        if (held > longest) {
            longest = held;
            holder = each.initiator;
        }
    }
    for (std::size_t i = first; i < last; ++i) held_[busy_[i].initiator] = 0;
    return holder;
}

void PortSchedule::clear() {
    count_ = 0;
    forgotten_ = end_ = 0;
}

}  // namespace n6vp::models

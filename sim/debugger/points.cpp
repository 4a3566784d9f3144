// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/points.h"

#include <algorithm>

namespace n6vp::sim::debugger {

namespace {

[[nodiscard]] bool is_breakpoint(PointKind kind) {
    return kind == PointKind::Software || kind == PointKind::Hardware;
}

[[nodiscard]] bool same(const WatchedRange& a, const WatchedRange& b) {
    return a.address == b.address && a.bytes == b.bytes;
}

}  // namespace

bool Points::add(PointKind kind, std::uint32_t address, std::uint32_t bytes) {
    if (is_breakpoint(kind)) {
        if (breakpoints_.size() >= kMost) return false;
        address &= ~1u;
        breakpoints_[{address, kind}] = true;
        machine_.core().add_breakpoint(address);
        return true;
    }
    if (bytes == 0 || address > 0xFFFFFFFF - (bytes - 1) || watchpoints_.size() >= kMost)
        return false;
    const Watch point{kind, {address, bytes, kind != PointKind::Write, kind != PointKind::Read}};
    const auto is_there = [&point](const Watch& each) {
        return each.kind == point.kind && same(each.range, point.range);
    };
    if (std::any_of(watchpoints_.begin(), watchpoints_.end(), is_there)) return true;
    watchpoints_.push_back(point);
    arm();
    return true;
}

void Points::remove(PointKind kind, std::uint32_t address, std::uint32_t bytes) {
    if (is_breakpoint(kind)) {
        address &= ~1u;
        if (breakpoints_.erase({address, kind}) == 0) return;
        const PointKind other =
            kind == PointKind::Software ? PointKind::Hardware : PointKind::Software;
        if (!has_breakpoint(other, address)) machine_.core().remove_breakpoint(address);
        return;
    }
    const std::size_t gone = std::erase_if(watchpoints_, [&](const Watch& each) {
        return each.kind == kind && each.range.address == address && each.range.bytes == bytes;
    });
    if (gone != 0) arm();
}

void Points::clear() {
    for (const auto& [place, present] : breakpoints_)
        machine_.core().remove_breakpoint(place.first);
    breakpoints_.clear();
    if (watchpoints_.empty()) return;
    watchpoints_.clear();
    arm();
}

bool Points::has_breakpoint(PointKind kind, std::uint32_t address) const {
    return breakpoints_.contains({address & ~1u, kind});
}

Points::Hit Points::watchpoint_of(std::uint32_t address, bool write) const {
    // A hit names one byte of the access, the first; the range may begin behind it.
    constexpr std::uint32_t kLongestAccess = 16;
    Hit hit{PointKind::Access, address};
    std::uint32_t nearest = kLongestAccess;
    for (const Watch& each : watchpoints_) {
        const WatchedRange& range = each.range;
        if (write ? !range.on_write : !range.on_read) continue;
        const bool inside = address - range.address < range.bytes;
        if (!inside && range.address < address) continue;
        const std::uint32_t distance = inside ? 0 : range.address - address;
        if (distance >= nearest) continue;
        nearest = distance;
        hit = {each.kind, address + distance};
    }
    return hit;
}

void Points::disarm() {
    machine_.core().clear_watchpoints();
}

void Points::arm() {
    machine_.core().clear_watchpoints();
    std::vector<WatchedRange> ranges;
    for (const Watch& each : watchpoints_) {
        const WatchedRange& range = each.range;
        machine_.core().add_watchpoint(
            {range.address, range.bytes, range.on_read, range.on_write, true});
        ranges.push_back(range);
    }
    machine_.watch_others(ranges);
}

}  // namespace n6vp::sim::debugger

// SPDX-License-Identifier: Apache-2.0
#include "models/soc/stubs/stub_block.h"

#include <algorithm>

#include "models/soc/stubs/stub_tables.h"

namespace n6vp::models {
namespace {

[[nodiscard]] const StubRow* find_row(std::span<const StubRow> rows, std::uint32_t offset) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [offset](const StubRow& r) { return r.offset == offset; });
    return row == rows.end() ? nullptr : &*row;
}

[[nodiscard]] const StubTable* find_table(StubTables tables, std::string_view type) {
    const auto table = std::find_if(tables.begin(), tables.end(),
                                    [type](const StubTable& t) { return type == t.type; });
    return table == tables.end() ? nullptr : &*table;
}

[[nodiscard]] bool is_level(const StubRule& rule) {
    return rule.kind == StubRule::Kind::Follow || rule.kind == StubRule::Kind::Oppose;
}

}  // namespace

const StubTable* stub_of(std::string_view type) {
    for (const StubTables& tables : {kSystemStubs, kMemoryStubs, kLinkStubs, kOtherStubs}) {
        if (const StubTable* table = find_table(tables, type)) return table;
    }
    return nullptr;
}

StubBlock::StubBlock(const StubTable& table, const char* name, const FlagTimes& times)
    : RegisterBlock(name), table_(table), times_(times) {
    StubBlock::reset();
}

void StubBlock::reset() {
    values_.clear();
    pending_.clear();
    const auto set_levels = [this](std::span<const StubRule> rules, std::uint32_t base) {
        for (const StubRule& rule : rules) {
            if (!is_level(rule)) continue;
            const bool one = (held(base + rule.source) & rule.source_bits) != 0;
            change(base + rule.offset, rule.bits, one == (rule.kind == StubRule::Kind::Follow));
        }
    };
    set_levels(table_.rules, 0);
    const StubRepeat& repeat = table_.repeat;
    for (std::uint32_t i = 0; i < repeat.count; ++i) {
        set_levels(repeat.rules, repeat.first + i * repeat.stride);
    }
}

void StubBlock::reset_at(Picoseconds at) {
    start_ = at;
    reset();
}

const StubRow* StubBlock::find(std::uint32_t offset) const {
    if (const StubRow* row = find_row(table_.rows, offset)) return row;
    const StubRepeat& repeat = table_.repeat;
    if (repeat.count == 0 || offset < repeat.first) return nullptr;
    const std::uint32_t behind = offset - repeat.first;
    if (behind / repeat.stride >= repeat.count) return nullptr;
    return find_row(repeat.rows, behind % repeat.stride);
}

std::uint32_t StubBlock::held(std::uint32_t offset) const {
    const auto value = values_.find(offset);
    if (value != values_.end()) return value->second;
    const StubRow* row = find(offset);
    return row != nullptr ? row->reset : 0;
}

Picoseconds StubBlock::after(Picoseconds at, Parameter FlagTimes::*delay) const {
    constexpr double kNsPerUs = 1e3;
    return delay == nullptr ? at : at + ns_to_ps((times_.*delay).value * kNsPerUs);
}

void StubBlock::change(std::uint32_t offset, std::uint32_t bits, bool ones) {
    const std::uint32_t before = held(offset);
    values_[offset] = ones ? before | bits : before & ~bits;
}

void StubBlock::schedule(std::uint32_t offset, std::uint32_t bits, bool ones, Picoseconds at) {
    std::erase_if(pending_,
                  [=](const Pending& each) { return each.offset == offset && each.bits == bits; });
    const auto place = std::find_if(pending_.begin(), pending_.end(),
                                    [at](const Pending& each) { return each.at > at; });
    pending_.insert(place, {at, offset, bits, ones});
}

void StubBlock::settle(Picoseconds at) {
    auto due = pending_.begin();
    for (; due != pending_.end() && due->at <= at; ++due) change(due->offset, due->bits, due->ones);
    pending_.erase(pending_.begin(), due);
}

RegisterBlock::Answer StubBlock::read(std::uint32_t offset, Picoseconds at) {
    settle(at);
    const StubRow* row = find(offset);
    Answer answer;
    answer.modelled = false;
    answer.value = held(offset);
    if (row == nullptr) return answer;
    answer.name = row->name;
    answer.modelled = row->modelled;
    answer.value |= row->ones;
    if (row->count_ps != 0) {
        const Picoseconds passed = at > start_ ? at - start_ : 0;
        answer.value = static_cast<std::uint32_t>(passed / row->count_ps);
    }
    if (row->toggles != 0) values_[offset] = answer.value ^ row->toggles;
    apply_rules(offset, {.kind = StubRule::On::Read}, at);
    return answer;
}

bool StubBlock::reads_freely(std::uint32_t offset) const {
    const StubRow* row = find(offset);
    if (row != nullptr && row->toggles != 0) return false;
    const auto any_acts = [](std::span<const StubRule> rules, std::uint32_t source) {
        return std::any_of(rules.begin(), rules.end(), [source](const StubRule& rule) {
            return rule.on == StubRule::On::Read && rule.source == source;
        });
    };
    if (any_acts(table_.rules, offset)) return false;
    const StubRepeat& repeat = table_.repeat;
    if (repeat.rules.empty() || offset < repeat.first) return true;
    return !any_acts(repeat.rules, (offset - repeat.first) % repeat.stride);
}

RegisterBlock::Answer StubBlock::write(std::uint32_t offset, std::uint32_t value,
                                       std::uint32_t mask, Picoseconds at) {
    settle(at);
    const StubRow* row = find(offset);
    const std::uint32_t before = held(offset);
    Answer answer;
    answer.modelled = false;
    const std::uint32_t written = value & mask;
    if (row == nullptr) {
        values_[offset] = (before & ~mask) | written;
        return answer;
    }
    answer.name = row->name;
    answer.modelled = row->modelled;
    const std::uint32_t plain = mask & row->writable & ~row->write_one_clears &
                                ~row->write_zero_clears & ~row->self_clearing;
    std::uint32_t now = (before & ~plain) | (written & plain);
    now &= ~(written & row->write_one_clears);
    now &= ~(mask & ~written & row->write_zero_clears);
    values_[offset] = now;
    apply_rules(offset,
                {.kind = StubRule::On::Write,
                 .ones = written,
                 .zeros = mask & ~written,
                 .changed = before ^ now},
                at);
    return answer;
}

void StubBlock::apply_rules(std::uint32_t source, const Written& written, Picoseconds at) {
    for (const StubRule& rule : table_.rules) {
        if (rule.source == source) apply(rule, 0, written, at);
    }
    const StubRepeat& repeat = table_.repeat;
    if (repeat.rules.empty() || source < repeat.first) return;
    const std::uint32_t within = (source - repeat.first) % repeat.stride;
    if ((source - repeat.first) / repeat.stride >= repeat.count) return;
    for (const StubRule& rule : repeat.rules) {
        if (rule.source == within) apply(rule, source - within, written, at);
    }
}

void StubBlock::apply(const StubRule& rule, std::uint32_t base, const Written& written,
                      Picoseconds at) {
    using Kind = StubRule::Kind;
    using On = StubRule::On;
    const bool read = written.kind == On::Read;
    const std::uint32_t target = base + rule.offset;
    const Picoseconds due = after(at, rule.delay);
    if (is_level(rule)) {
        if (read) return;
        const bool one = (held(base + rule.source) & rule.source_bits) != 0;
        follow(target, rule.bits, one == (rule.kind == Kind::Follow), due, at);
        return;
    }
    if (read != (rule.on == On::Read)) return;
    if (rule.on == On::One && (written.ones & rule.source_bits) == 0) return;
    if (rule.on == On::Fall && (written.zeros & written.changed & rule.source_bits) == 0) return;
    if (rule.on == On::Change && (written.changed & rule.source_bits) == 0) return;
    if (rule.if_bits != 0 && (held(base + rule.if_offset) & rule.if_bits) == 0) return;
    const std::uint32_t moved = (written.ones & rule.source_bits) >> rule.shift & rule.bits;
    switch (rule.kind) {
        case Kind::SetBy:
            schedule(target, rule.bits, true, due);
            break;
        case Kind::ClearBy:
            change(target, rule.bits, false);
            std::erase_if(pending_, [&](const Pending& each) {
                return each.offset == target && (each.bits & rule.bits) != 0;
            });
            break;
        case Kind::Pulse:
        case Kind::Dip:
            change(target, rule.bits, rule.kind == Kind::Pulse);
            schedule(target, rule.bits, rule.kind == Kind::Dip, due);
            break;
        case Kind::Copy:
            change(target, moved, true);
            break;
        case Kind::Erase:
            change(target, moved, false);
            break;
        case Kind::Follow:
        case Kind::Oppose:
            break;
    }
    settle(at);
}

/// A write that does not change what was asked for does not start the time anew.
void StubBlock::follow(std::uint32_t offset, std::uint32_t bits, bool ones, Picoseconds due,
                       Picoseconds at) {
    const auto same = [=](const Pending& each) {
        return each.offset == offset && each.bits == bits;
    };
    const auto waiting = std::find_if(pending_.begin(), pending_.end(), same);
    if (waiting != pending_.end() && waiting->ones == ones) return;
    std::erase_if(pending_, same);
    if (((held(offset) & bits) != 0) == ones) return;
    schedule(offset, bits, ones, due);
    settle(at);
}

}  // namespace n6vp::models

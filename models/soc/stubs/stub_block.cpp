// SPDX-License-Identifier: Apache-2.0
#include "models/soc/stubs/stub_block.h"

#include <algorithm>

namespace n6vp::models {
namespace {

[[nodiscard]] const StubRow* find_row(std::span<const StubRow> rows, std::uint32_t offset) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [offset](const StubRow& r) { return r.offset == offset; });
    return row == rows.end() ? nullptr : &*row;
}

}  // namespace

StubBlock::StubBlock(const StubTable& table) : StubBlock(table, table.name) {}

StubBlock::StubBlock(const StubTable& table, const char* name)
    : RegisterBlock(name), table_(table) {
    StubBlock::reset();
}

void StubBlock::reset() {
    values_.clear();
    for (const StubRule& rule : table_.rules) {
        if (rule.kind == StubRule::Kind::Follow || rule.kind == StubRule::Kind::Oppose) {
            apply_rules(rule.source, 0);
        }
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

RegisterBlock::Answer StubBlock::read(std::uint32_t offset, Picoseconds at) {
    const StubRow* row = find(offset);
    const auto held = values_.find(offset);
    Answer answer;
    answer.modelled = false;
    answer.value = held != values_.end() ? held->second : row != nullptr ? row->reset : 0;
    if (row == nullptr) return answer;
    answer.name = row->name;
    answer.modelled = row->modelled;
    answer.value |= row->ones;
    if (row->count_ps != 0) {
        const Picoseconds passed = at > start_ ? at - start_ : 0;
        answer.value = static_cast<std::uint32_t>(passed / row->count_ps);
    }
    if (row->toggles != 0) values_[offset] = answer.value ^ row->toggles;
    return answer;
}

RegisterBlock::Answer StubBlock::write(std::uint32_t offset, std::uint32_t value,
                                       std::uint32_t mask, Picoseconds) {
    const StubRow* row = find(offset);
    const auto held = values_.find(offset);
    std::uint32_t now = held != values_.end() ? held->second : row != nullptr ? row->reset : 0;
    Answer answer;
    answer.modelled = false;
    const std::uint32_t written = value & mask;
    if (row == nullptr) {
        values_[offset] = (now & ~mask) | written;
        return answer;
    }
    answer.name = row->name;
    answer.modelled = row->modelled;
    const std::uint32_t plain = mask & row->writable & ~row->write_one_clears &
                                ~row->write_zero_clears & ~row->self_clearing;
    now = (now & ~plain) | (written & plain);
    now &= ~(written & row->write_one_clears);
    now &= ~(mask & ~written & row->write_zero_clears);
    values_[offset] = now;
    apply_rules(offset, written);
    return answer;
}

void StubBlock::apply_rules(std::uint32_t source, std::uint32_t written) {
    const auto value_of = [this](std::uint32_t offset) {
        const auto held = values_.find(offset);
        if (held != values_.end()) return held->second;
        const StubRow* row = find(offset);
        return row != nullptr ? row->reset : 0;
    };
    for (const StubRule& rule : table_.rules) {
        if (rule.source != source) continue;
        const std::uint32_t before = value_of(rule.offset);
        const bool is_one = (value_of(source) & rule.source_bits) != 0;
        const std::uint32_t asked = written & rule.source_bits;
        std::uint32_t& target = values_[rule.offset];
        switch (rule.kind) {
            case StubRule::Kind::Follow:
                target = is_one ? before | rule.bits : before & ~rule.bits;
                break;
            case StubRule::Kind::Oppose:
                target = is_one ? before & ~rule.bits : before | rule.bits;
                break;
            case StubRule::Kind::SetBy:
                target = asked != 0 ? before | rule.bits : before;
                break;
            case StubRule::Kind::ClearBy:
                target = asked != 0 ? before & ~rule.bits : before;
                break;
            case StubRule::Kind::Copy:
                target = before | (asked >> rule.shift & rule.bits);
                break;
            case StubRule::Kind::Erase:
                target = before & ~(asked >> rule.shift & rule.bits);
                break;
        }
    }
}

}  // namespace n6vp::models

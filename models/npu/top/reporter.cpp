// SPDX-License-Identifier: Apache-2.0
#include "models/npu/top/reporter.h"

namespace n6vp::models::npu {

std::string name_of(const memmap::npu::Unit& unit) {
    std::string name = unit.type->name;
    if (unit.type->count > 1) name += std::to_string(unit.index);
    return name;
}

std::string hex_text(std::uint32_t word) {
    std::string text = "0x00000000";
    for (std::size_t i = text.size() - 1; word != 0; --i, word >>= 4) {
        text[i] = "0123456789abcdef"[word & 0xF];
    }
    return text;
}

bool Reporter::verdict(const std::string& unit, const Verdict& verdict) {
    if (verdict.illegal != nullptr) {
        illegal(unit, verdict.illegal);
        return false;
    }
    for (const Limit& limit : verdict.limits) refused(unit, limit);
    if (!verdict.limits.empty()) return false;
    for (const Limit& limit : verdict.assumptions) assumed(unit, limit);
    return true;
}

void Reporter::illegal(const std::string& unit, const char* rule) {
    tell(NpuEvent::Kind::Illegal, unit, std::string("breaks a rule: ") + rule);
}

void Reporter::refused(const std::string& unit, const Limit& limit) {
    NpuEvent event;
    event.kind = NpuEvent::Kind::Refused;
    event.unit = unit;
    event.text = std::string(limit.feature) + " is not computed; not known: " + limit.unknown;
    event.limit = limit;
    tell(std::move(event));
}

void Reporter::assumed(const std::string& unit, const Limit& limit) {
    if (!told_.emplace(limit.unit, limit.feature).second) return;
    NpuEvent event;
    event.kind = NpuEvent::Kind::Assumption;
    event.unit = unit;
    event.text = std::string(limit.feature) + " is used; not certain: " + limit.unknown;
    event.limit = limit;
    tell(std::move(event));
}

void Reporter::tell(NpuEvent event) {
    event.at = now_;
    if (listener_) listener_(event);
}

void Reporter::tell(NpuEvent::Kind kind, const std::string& unit, const std::string& text) {
    NpuEvent event;
    event.kind = kind;
    event.unit = unit;
    event.text = text;
    tell(std::move(event));
}

}  // namespace n6vp::models::npu

// SPDX-License-Identifier: Apache-2.0
#include "sim/registers/register_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/host/table_limit.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

/// Both aliases are one register.
[[nodiscard]] std::uint32_t key(std::uint32_t address) {
    return (address | 0x10000000u) & ~3u;
}

[[nodiscard]] double microseconds(models::Picoseconds time) {
    return static_cast<double>(time) / 1e6;
}

}  // namespace

std::string RegisterReport::name_of(const models::RegisterAccess& access) const {
    const std::uint32_t address = key(access.address);
    if (names_ != nullptr) {
        if (const RegisterNames::Name* name = names_->find(address)) {
            return name->peripheral + "." + name->name;
        }
    }
    if (*access.block == 0) return fmt::format("0x{:08X}", address);
    if (*access.name == 0) return fmt::format("{}+0x{:X}", access.block, access.offset);
    return fmt::format("{}.{}", access.block, access.name);
}

RegisterReport::Line& RegisterReport::line_of(const models::RegisterAccess& access) {
    const std::uint32_t address = key(access.address);
    if (last_ != nullptr && last_->address == address) return *last_;
    const auto found = lines_.find(address);
    if (found != lines_.end()) return *(last_ = &found->second);
    const bool full = lines_.size() == kMaxKept;
    if (full) ++not_kept_;
    Line& line = full ? other_ : *(last_ = &lines_[address]);
    line = {};
    line.address = address;
    line.name = name_of(access);
    line.first = access.at;
    return line;
}

bool RegisterReport::accessed(const models::RegisterAccess& access) {
    Line& line = line_of(access);
    ++(access.write ? line.writes : line.reads);
    (access.write ? line.last_written : line.last_read) = access.value;
    line.modelled = line.modelled && access.modelled;
    line.known = line.known && *access.name != 0;
    if (access.modelled || strict_ == StrictRegisters::Off) return true;
    if (strict_ == StrictRegisters::Unknown && *access.name != 0) return true;
    if (!refused_) refused_ = line;
    return false;
}

std::vector<RegisterReport::Line> RegisterReport::lines() const {
    std::vector<Line> result;
    result.reserve(lines_.size());
    for (const auto& [address, line] : lines_) result.push_back(line);
    return result;
}

std::vector<RegisterReport::Line> RegisterReport::not_modelled() const {
    std::vector<Line> result = lines();
    std::erase_if(result, [](const Line& line) { return line.modelled; });
    return result;
}

std::string RegisterReport::text(const std::vector<Line>& lines) {
    if (lines.empty()) return "";
    std::string result =
        fmt::format("{:<32} {:>10} {:>9} {:>9} {:>10} {:>10} {:>12}  {}\n", "register", "address",
                    "reads", "writes", "last read", "last write", "first at us", "answered by");
    for (const Line& line : shown_rows(lines)) {
        const char* by = line.modelled ? "model" : line.known ? "stub" : "nothing known";
        const auto value = [](std::uint64_t count, std::uint32_t last) {
            return count == 0 ? std::string("-") : fmt::format("0x{:08X}", last);
        };
        result += fmt::format("{:<32} 0x{:08X} {:>9} {:>9} {:>10} {:>10} {:>12.3f}  {}\n",
                              traces::terminal_text(line.name), line.address, line.reads,
                              line.writes, value(line.reads, line.last_read),
                              value(line.writes, line.last_written), microseconds(line.first), by);
    }
    return result + hidden_rows(lines.size());
}

nlohmann::ordered_json RegisterReport::json(const std::vector<Line>& lines) {
    auto result = nlohmann::ordered_json::array();
    for (const Line& line : lines) {
        result.push_back({{"register", line.name},
                          {"address", fmt::format("0x{:08X}", line.address)},
                          {"reads", line.reads},
                          {"writes", line.writes},
                          {"last_read", line.last_read},
                          {"last_written", line.last_written},
                          {"first_us", microseconds(line.first)},
                          {"modelled", line.modelled},
                          {"known", line.known}});
    }
    return result;
}

void RegisterReport::reset() {
    lines_.clear();
    not_kept_ = 0;
    last_ = nullptr;
    refused_.reset();
}

}  // namespace n6vp::sim

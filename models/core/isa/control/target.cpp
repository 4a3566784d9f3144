// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/control/target.h"

#include <string_view>

#include "models/core/isa/control/operands.h"

namespace n6vp::models::core::isa {

namespace {

/// What a row's text prints as its destination, and how far away that is.
struct Destination {
    std::string_view operand;
    std::int32_t (*offset)(const Fields& fields);
};

constexpr Destination kDestinations[] = {
    {"{:to_8}", control::offset_of_conditional_narrow},
    {"{:to_11}", control::offset_of_branch_narrow},
    {"{:to_20}", control::offset_of_conditional_wide},
    {"{:to_24}", control::offset_of_branch_wide},
    {"{:to_loop}", control::offset_of_loop},
    {"{:to_start}", [](const Fields& fields) { return -control::offset_of_loop(fields); }},
    {"{i:to_compare}",
     [](const Fields& fields) { return static_cast<std::int32_t>(fields['i'] * 2); }},
};

std::uint32_t literal_offset(const Row& row, const Fields& fields) {
    const bool words = std::string_view(row.text).find("4}]") != std::string_view::npos;
    const std::uint32_t offset = fields['i'] * (words ? 4 : 1);
    const bool subtracts = row.pattern.has('U') && fields['U'] == 0;
    return subtracts ? 0 - offset : offset;
}

}  // namespace

std::optional<Target> find_target(const Row& row, std::uint32_t encoding, std::uint32_t pc) {
    const Fields fields(row.pattern, encoding);
    const std::string_view title = row.title, text = row.text;
    for (const Destination& destination : kDestinations) {
        if (!text.ends_with(destination.operand)) continue;
        return Target{pc + 4 + static_cast<std::uint32_t>(destination.offset(fields)), true};
    }
    const bool literal = title.starts_with("LDR") && title.find("(literal)") != title.npos;
    if (!literal) return std::nullopt;
    return Target{((pc + 4) & ~3u) + literal_offset(row, fields), false};
}

}  // namespace n6vp::models::core::isa

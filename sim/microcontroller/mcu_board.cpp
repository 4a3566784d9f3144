// SPDX-License-Identifier: Apache-2.0
#include "sim/microcontroller/mcu_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/host/errors.h"
#include "sim/model_file/model_source.h"
#include "traces/escape.h"

namespace n6vp::sim {

McuBoard::McuBoard(const memmap::Chip& chip, const RunConfig::Value& external)
    : chip_(chip), memories_(chip.memories.begin(), chip.memories.end()) {
    if (external.text.empty()) return;
    std::string_view rest = external.text;
    for (bool more = true; more;) {
        const std::size_t comma = rest.find(',');
        more = comma != std::string_view::npos;
        add(parse_range(rest.substr(0, comma), external.origin), external);
        if (more) rest.remove_prefix(comma + 1);
    }
    chip_.memories.first = memories_.data();
    chip_.memories.count = memories_.size();
}

void McuBoard::add(const AddressRange& range, const RunConfig::Value& external) {
    const std::uint32_t start = to_word(range.start);
    const auto refuse = [&](const char* cause, const char* remedy) {
        throw UserError(fmt::format("{}: external = '{}': {}", external.origin,
                                    traces::terminal_text(external.text), cause),
                        remedy);
    };
    constexpr std::uint64_t kMost = 256u << 20;
    if (range.bytes == 0 || range.bytes > kMost) refuse("size", "give 1 byte to 256 MiB");
    const auto last = static_cast<std::uint32_t>(start + (range.bytes - 1));
    if (!is_external(start) || !is_external(last) || last < start) {
        refuse("not an address of external memory",
               "it is at 0x60000000 to 0x9fffffff and at 0xc0000000 to 0xdfffffff");
    }
    const bool overlaps = std::ranges::any_of(memories_, [&](const memmap::ChipMemory& other) {
        return start < std::uint64_t{other.start} + other.bytes && other.start <= last;
    });
    if (overlaps) refuse("overlaps", "name each memory once");
    constexpr std::uint16_t kWidth = 32;
    names_.push_back(fmt::format("external_{:08x}", start));
    memories_.push_back({names_.back().c_str(), memmap::ChipMemoryKind::External, start,
                         static_cast<std::uint32_t>(range.bytes), kWidth, "external"});
}

}  // namespace n6vp::sim

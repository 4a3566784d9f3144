// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string_view>

#include "loader/memory_port.h"

namespace n6vp::traces {

/// One thing an install did to memory or caches, with its simulated time.
struct InstallEvent {
    enum class Kind : std::uint8_t { Copy, Clear, Patch, Cache, Console };
    Kind kind = Kind::Copy;
    loader::Phase phase = loader::Phase::Checks;
    GuestAddr address{};       ///< destination, or start of a maintained range
    GuestAddr from{};          ///< of a copy
    std::uint32_t bytes = 0;   ///< characters for Console
    std::uint32_t before = 0;  ///< of a patch of one word
    std::uint32_t after = 0;   ///< of a patch of one word
    loader::CacheOp op{};      ///< of Cache
    std::uint64_t start_ps = 0, duration_ps = 0;
    bool refused = false;  ///< ended in a bus error
};

[[nodiscard]] std::string_view to_text(loader::Phase phase);      ///< "checks", "ro-copy", …
[[nodiscard]] std::string_view to_text(loader::CacheOp op);       ///< "mcu-clean", …
[[nodiscard]] std::string_view to_text(InstallEvent::Kind kind);  ///< "copy", "patch", …

/// Writes one CSV line per event after a line of column names. Times in nanoseconds.
void write_install_log(std::ostream& out, std::span<const InstallEvent> events);

}  // namespace n6vp::traces

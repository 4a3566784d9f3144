// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace n6vp::sim {

/// How a run came to its end.
enum class RunVerdict : std::uint8_t {
    Exit,         ///< the program said so, by mailbox or semihosting
    Reset,        ///< the program asked for a reset
    Breakpoint,   ///< BKPT without handler
    Lockup,       ///< a fault that no handler can take
    Unmodelled,   ///< strict
    Limit,        ///< of time or instructions
    Asleep,       ///< nothing left to wake the core
    NoProgress,   ///< nothing happened for longer than allowed
    Interrupted,  ///< Ctrl-C
};

/// As reports and scenarios call them.
inline constexpr std::array<std::string_view, 9> kVerdictNames = {
    "exit",  "reset",  "breakpoint",  "lockup",     "unmodelled",
    "limit", "asleep", "no_progress", "interrupted"};

[[nodiscard]] constexpr std::string_view verdict_name(RunVerdict verdict) {
    return kVerdictNames[static_cast<std::size_t>(verdict)];
}

}  // namespace n6vp::sim

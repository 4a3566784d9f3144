// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/debugger/machine.h"

namespace n6vp::sim::debugger {

/// Kinds of breakpoints and watchpoints, as the packets Z and z number them.
enum class PointKind : std::uint8_t { Software, Hardware, Write, Read, Access };

/// The breakpoints and watchpoints of a client, in the core and for other masters. A machine
/// without any runs at full speed: those of the core split or drop decoded blocks.
class Points {
  public:
    static constexpr std::size_t kMost = 4096;  ///< of either sort

    explicit Points(Machine& machine) : machine_(machine) {}
    Points(const Points&) = delete;
    Points& operator=(const Points&) = delete;
    ~Points() { clear(); }

    /// `bytes` is the length of a watched range. Returns false if there are too many, or for a
    /// range that is empty or wraps. What is there already stays there once.
    [[nodiscard]] bool add(PointKind kind, std::uint32_t address, std::uint32_t bytes);
    void remove(PointKind kind, std::uint32_t address, std::uint32_t bytes);
    void clear();

    /// Returns true if there is a breakpoint of that kind.
    [[nodiscard]] bool has_breakpoint(PointKind kind, std::uint32_t address) const;
    struct Hit {
        PointKind kind = PointKind::Access;
        std::uint32_t address = 0;  ///< within the watchpoint's range
    };
    /// Returns the watchpoint that an access at `address` hits.
    [[nodiscard]] Hit watchpoint_of(std::uint32_t address, bool write) const;
    [[nodiscard]] bool any_watchpoint() const { return !watchpoints_.empty(); }
    /// Takes the watchpoints out of the core until `arm`, for the access that one stopped.
    void disarm();
    void arm();

  private:
    struct Watch {
        PointKind kind = PointKind::Write;
        WatchedRange range;
    };

    Machine& machine_;
    std::map<std::pair<std::uint32_t, PointKind>, bool> breakpoints_;
    std::vector<Watch> watchpoints_;
};

}  // namespace n6vp::sim::debugger

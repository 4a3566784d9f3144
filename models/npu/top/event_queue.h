// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "models/duration.h"

namespace n6vp::models::npu {

/// What nodes have computed ahead of time, until it becomes visible. Of one time, the kinds come in
/// their order, then the engines in theirs: in what order the nodes found out does not matter.
class EventQueue {
  public:
    enum class Kind : std::uint8_t { BusError, BeyondLimit, EngineEnds };
    struct Item {
        Picoseconds at = 0;
        Kind kind{};
        unsigned who = 0;       ///< engine, or `kController`
        std::uint64_t run = 0;  ///< of the engine: ignored by a later run
    };
    /// The epoch controller, behind the engines.
    static constexpr unsigned kController = 10;

    void add(const Item& item) { items_.push(item); }
    void clear() { items_ = {}; }
    /// Returns when the first thing becomes visible; kNever if nothing does.
    [[nodiscard]] Picoseconds due() const { return items_.empty() ? kNever : items_.top().at; }
    /// Takes the first thing. Requires that there is one.
    Item take();

  private:
    struct Later {
        bool operator()(const Item& left, const Item& right) const;
    };
    std::priority_queue<Item, std::vector<Item>, Later> items_;
};

}  // namespace n6vp::models::npu

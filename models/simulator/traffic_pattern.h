// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/duration.h"
#include "models/parameter.h"

namespace n6vp::models {

struct TrafficParameters {
    Parameter burst{"burst",
                    64,
                    {"B", {4, 4096, true}},
                    Confidence::Assumed,
                    "eight beats of eight bytes; burst of a pattern overrides"};
    Parameter fifo{"fifo",
                   1024,
                   {"B", {4, 1 << 20, true}},
                   Confidence::Assumed,
                   "buffer between the stream and the bus; no public source names any; fifo of a "
                   "pattern overrides"};
    Parameter outstanding{"outstanding", 4, counts(64, "bursts"), Confidence::Assumed,
                          "bursts under way at a time"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.burst);
        function(self.fifo);
        function(self.outstanding);
    }
};

/// The traffic of a master, in place of the master: a stream of bytes at a constant rate.
///
/// Byte p of the stream comes at `start` + p / `bytes_per_second` and goes to byte p modulo `bytes`
/// of the buffer. Pictures follow each other without blanking, line by line; a buffer of several
/// pictures takes them in turn.
struct TrafficPattern {
    std::string name;  ///< for reports
    std::string text;  ///< the rate as the user wrote it
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;        ///< of the buffer: whole pictures
    std::uint32_t line_bytes = 0;   ///< a burst does not cross from one line to the next; 0: none
    std::uint32_t burst_bytes = 0;  ///< longest burst; 0: parameter
    std::uint32_t fifo_bytes = 0;   ///< two bursts at least; 0: parameter
    double bytes_per_second = 0;
    bool write = false;
    /// What a write stores. None: contents stay as they are, only time and traffic count.
    std::optional<std::uint8_t> fill;
    Picoseconds start = 0, stop = kNever;  ///< since reset
};

}  // namespace n6vp::models

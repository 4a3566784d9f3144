// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <tlm>

#include "models/fabric/transfer.h"
#include "models/picoseconds.h"

namespace n6vp::models {

/// A target, or a bus before targets, that can make a read once more for an initiator that polls:
/// same result as `b_transport`, but only if the answer is the one that is known.
class RepeatableTarget {
  public:
    static constexpr Picoseconds kDeclined = std::numeric_limits<Picoseconds>::max();

    /// When a read is made again.
    struct RepeatTime {
        Picoseconds arrival = 0;      ///< at the port of the target, absolute
        Picoseconds quiet_until = 0;  ///< of the kernel's next event, later than the read's begin
        /// Not 0. Between two reads of one series there are only others of it: no other access, no
        /// process. What a target found out holds.
        std::uint64_t series = 0;
    };
    /// Makes the read `trans`, whose data are those of the last answer, at `offset`. Returns the
    /// last beat, with all that `b_transport` leaves behind. Returns `kDeclined` if the answer
    /// would be another one, if the read has an effect, or if the target cannot tell: then nothing
    /// has happened.
    virtual Picoseconds read_again(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                                   Transfer& transfer, const RepeatTime& when) = 0;

  protected:
    RepeatableTarget() = default;
    ~RepeatableTarget() = default;
    RepeatableTarget(const RepeatableTarget&) = default;
    RepeatableTarget& operator=(const RepeatableTarget&) = default;
};

}  // namespace n6vp::models

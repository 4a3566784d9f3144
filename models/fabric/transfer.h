// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tlm>

#include "models/picoseconds.h"

namespace n6vp::models {

/// An initiator that may be ahead of kernel time.
class RunsAhead {
  public:
    RunsAhead() = default;
    RunsAhead(const RunsAhead&) = delete;
    RunsAhead& operator=(const RunsAhead&) = delete;
    virtual ~RunsAhead() = default;

    /// All that others do up to and at the annotated time happens now; `delay` becomes what is
    /// left of it then. From the initiator's process, which may wait.
    virtual void synchronise(sc_core::sc_time& delay) = 0;
};

/// Travels with every transaction on the fabric: what the initiator says about itself, and what the
/// targets on the way answer beside data and status. The initiator owns it and resets the answer
/// before each use.
class Transfer : public tlm::tlm_extension<Transfer> {
  public:
    // Said by the initiator.
    bool secure = true;
    bool privileged = true;
    bool instruction = false;
    bool exclusive = false;
    bool for_store =
        false;  ///< read of a line that a store goes to: nobody looks at what it brings
    std::uint8_t compartment = 1;  ///< CID
    bool cacheable = false;        ///< NPU streams: to be looked up in the NPU cache
    bool allocate = false;         ///< NPU streams: a miss brings the line into the NPU cache
    bool single_beats = false;     ///< NPU streams: strided, one element per beat
    bool untimed = false;          ///< only the order counts: targets book and charge no time
    Picoseconds asked_at = 0;      ///< of a question about direct memory by who runs ahead; 0: now
    /// Asked by the bus before an access to pages that somebody else works on; null: the access is
    /// made at kernel time, or nobody minds.
    RunsAhead* runs_ahead = nullptr;

    // Said by the bus.
    std::uint8_t initiator = 0;  ///< number of the bus port it came in by

    // Answered by the target and moved to the initiator's port by the bus.
    Picoseconds first_beat = 0;  ///< absolute time at which the first beat can be used
    Picoseconds last_beat = 0;   ///< equals the annotated delay of the transaction
    Picoseconds waited = 0;      ///< for ports that others held
    std::uint8_t holder = 0;     ///< initiator that held the port longest, if `waited` is not 0
    Picoseconds service = 0;     ///< a memory's port was held for this one; 0: it does not tell
    bool refused = false;        ///< a filter answered in the target's place
    Picoseconds effect = 0;      ///< posted writes: when the target has done it, if later than told

    void clear_answer() {
        first_beat = last_beat = effect = service = waited = 0;
        holder = 0;
        refused = false;
    }

    [[nodiscard]] tlm::tlm_extension_base* clone() const override { return new Transfer(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const Transfer&>(other);
    }
};

}  // namespace n6vp::models

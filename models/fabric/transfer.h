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

    /// Synchronises: kernel time advances to the annotated time; `delay` becomes the remainder.
    /// Called from the initiator's process, which may wait.
    virtual void synchronise(sc_core::sc_time& delay) = 0;
};

/// Extension of every transaction on the fabric: attributes of the initiator, and results of the
/// targets besides data and status. The initiator owns it and resets the results before each
/// use.
class Transfer : public tlm::tlm_extension<Transfer> {
  public:
    // Said by the initiator.
    bool secure = true;
    bool privileged = true;
    bool instruction = false;
    bool exclusive = false;
    /// Line fill for a store: its data are not used.
    bool for_store = false;
    std::uint8_t compartment = 1;  ///< CID
    bool cacheable = false;        ///< NPU streams: to be looked up in the NPU cache
    bool allocate = false;         ///< NPU streams: a miss brings the line into the NPU cache
    bool single_beats = false;     ///< NPU streams: strided, one element per beat
    bool untimed = false;          ///< only the order counts: targets book and charge no time
    Picoseconds asked_at = 0;      ///< of a DMI request by an initiator ahead of time; 0: now
    /// Called by the bus before an access to pages in use by another master;
    /// null: no synchronisation needed.
    RunsAhead* runs_ahead = nullptr;

    // Set by the bus.
    std::uint8_t initiator = 0;  ///< number of the bus port of entry

    // Answered by the target and moved to the initiator's port by the bus.
    Picoseconds first_beat = 0;  ///< absolute time at which the first beat can be used
    Picoseconds last_beat = 0;   ///< equals the annotated delay of the transaction
    Picoseconds waited = 0;      ///< stalls for ports held by other masters
    std::uint8_t holder = 0;     ///< initiator that held the port longest, if `waited` is not 0
    Picoseconds service = 0;     ///< occupation of the memory's port; 0: not reported
    bool refused = false;        ///< a filter answered in the target's place
    Picoseconds effect = 0;      ///< posted writes: time of effect, if later than reported

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

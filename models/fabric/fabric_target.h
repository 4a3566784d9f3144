// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tlm>

#include "models/fabric/transfer.h"
#include "models/picoseconds.h"

namespace n6vp::models {

/// A target that the bus calls directly instead of by TLM, if the bound module implements this
/// interface: same result as `b_transport` in half the host time.
class FabricTarget {
  public:
    /// Serves a burst that reaches `offset` at `arrival`. Command, data and byte enables are those
    /// of `trans`, its address does not count; response status and direct memory hint go there.
    /// Unless the response is an error, answers first beat, waiting and for whom in `transfer`, and
    /// returns the last beat, which the caller enters: two words stored one by one and loaded as
    /// one cost the host more than the call.
    virtual Picoseconds serve(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                              Transfer& transfer, Picoseconds arrival) = 0;

  protected:
    FabricTarget() = default;
    ~FabricTarget() = default;
    FabricTarget(const FabricTarget&) = default;
    FabricTarget& operator=(const FabricTarget&) = default;
};

}  // namespace n6vp::models

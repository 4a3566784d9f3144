// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm>

#include "models/picoseconds.h"

namespace n6vp::models {

/// Travels with a read whose initiator can use the first beat before the last one has come
/// (critical word first). The target fills in absolute times at its own port, the fabric moves them
/// to the initiator's. The annotated delay of the transaction equals `last_beat`.
class BurstTiming : public tlm::tlm_extension<BurstTiming> {
  public:
    Picoseconds first_beat = 0;
    Picoseconds last_beat = 0;

    [[nodiscard]] tlm::tlm_extension_base* clone() const override { return new BurstTiming(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const BurstTiming&>(other);
    }
};

}  // namespace n6vp::models

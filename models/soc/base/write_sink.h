// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/soc/base/register_block.h"

namespace n6vp::models {

/// Ignores writes and reads as zero: the channels of a trace unit without a
/// receiver. Not modelled: time stamps, flow control, the trace itself.
class WriteSink : public RegisterBlock {
  public:
    using RegisterBlock::RegisterBlock;

    [[nodiscard]] Answer read(std::uint32_t /*offset*/, Picoseconds /*at*/) override {
        return {.name = "CHANNEL"};
    }
    [[nodiscard]] Answer write(std::uint32_t /*offset*/, std::uint32_t /*value*/,
                               std::uint32_t /*mask*/, Picoseconds /*at*/) override {
        return {.name = "CHANNEL"};
    }
    void reset() override {}
};

}  // namespace n6vp::models

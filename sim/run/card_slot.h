// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "models/chip/io_peripherals.h"
#include "models/soc/sdmmc/sd_card.h"
#include "sim/host/output_file.h"
#include "sim/run/run_config.h"

namespace n6vp::sim {

/// The card slot of the discovery kit: a card with the contents of an image file. The file itself
/// never changes.
class CardSlot {
  public:
    /// The image is kept in memory.
    static constexpr std::uintmax_t kMostBytes = std::uintmax_t{2} << 30;

    /// Reads the image that the plan names, if any. Fails with UserError, naming its origin, if it
    /// cannot be read, or is no image of blocks of 512 bytes, or if there is a file to write
    /// without a card, or one that cannot be created.
    explicit CardSlot(const RunPlan& plan);

    /// Puts the card, if any, into the slot of the chip, which must not outlive it.
    void connect(models::IoPeripherals& io);
    /// Writes the card as the run left it to the file that the plan names, if any. Fails with
    /// UserError.
    void save();

  private:
    std::unique_ptr<models::sdmmc::Card> card_;
    std::optional<OutputFile> output_;
};

}  // namespace n6vp::sim

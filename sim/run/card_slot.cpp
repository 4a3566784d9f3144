// SPDX-License-Identifier: Apache-2.0
#include "sim/run/card_slot.h"

#include <fmt/format.h>

#include <ostream>
#include <utility>
#include <vector>

#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "sim/run/run_files.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

using models::sdmmc::Card;

[[nodiscard]] std::vector<std::uint8_t> read_card(const std::string& file) {
    const std::string shown = traces::terminal_text(file);
    std::vector<std::uint8_t> bytes =
        read_input(file, CardSlot::kMostBytes, "give an image of at most 2 GiB");
    if (bytes.empty() || bytes.size() % Card::kBlock != 0) {
        throw UserError(fmt::format("{} has {} bytes: an image of a card has blocks of 512", shown,
                                    bytes.size()),
                        "a blank card of 64 MiB: truncate -s 64M card.img");
    }
    return bytes;
}

}  // namespace

CardSlot::CardSlot(const RunPlan& plan) {
    if (!plan.sd_out.text.empty() && plan.sd.text.empty()) {
        throw UserError(
            fmt::format("{}: a file for the contents of a card, and no card", plan.sd_out.origin),
            "name the card's image: --sd FILE");
    }
    if (plan.sd.text.empty()) return;
    told_from(plan.sd.origin, [&] {
        card_ = std::make_unique<Card>(read_card(plan.sd.text), plan.parameters.sd_card);
    });
    if (!plan.sd_out.text.empty())
        told_from(plan.sd_out.origin, [&] { output_.emplace(plan.sd_out.text); });
}

void CardSlot::connect(models::IoPeripherals& io) {
    if (!card_) return;
    // Source: board support package of the discovery kit; the switch pulls the pin low.
    constexpr unsigned kDetect = 12;
    io.sdmmc("SDMMC2")->insert(card_.get());
    io.gpio("GPION")->drive(kDetect, false, 0);
}

void CardSlot::save() {
    if (!output_) return;
    for (std::uint64_t i = 0; i < card_->blocks(); ++i) {
        const Card::Block block = card_->block(i);
        output_->stream().write(reinterpret_cast<const char*>(block.data()),
                                static_cast<std::streamsize>(block.size()));
    }
    output_->commit();
    output_.reset();
}

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loader/firmware/mcu/job.h"
#include "memmap/chips/chip.h"
#include "sim/microcontroller/mcu_clocks.h"
#include "sim/model_file/legacy_model.h"
#include "sim/model_file/legacy_plan.h"
#include "sim/model_file/model_source.h"

/// Where a model of the older family, its RAM, weights and activations are on a chip, in each of
/// the ways in which a run installs it.
namespace n6vp::sim {

/// One of them.
struct McuVariant {
    std::string title;  ///< "XIP, flash; RAM in sram1"
    std::uint32_t mode = 0;
    AddressRange file, weights;  ///< weights: empty if they are inside the file
    AddressRange ram;            ///< of the install; from the heap: where its block will be
    AddressRange activations;
    AddressRange spare;  ///< for inputs and outputs outside the activations, and the heap
    bool heap = false;

    /// Returns the bases of an install that succeeds.
    [[nodiscard]] loader::legacy::Resolver bases(const loader::legacy::Header& header) const;
};

/// Returns the plan by which the file is judged before anything is placed: it may have all RAM that
/// the chip has for models.
[[nodiscard]] LegacyPlan plan_of_file(const ModelOptions& options, const ModelFiles& files,
                                      const memmap::Chip& chip);

class McuModelPlan {
  public:
    /// `options.mode` is xip, copy or all; `options.exec` may be "heap". Fails with UserError for
    /// options that cannot be read, and for places that the chip does not have.
    McuModelPlan(const ModelOptions& options, const ModelFiles& files, const memmap::Chip& chip,
                 std::uint32_t hz);

    [[nodiscard]] const LegacyModel& model() const { return model_; }
    [[nodiscard]] const memmap::Chip& chip() const { return chip_; }
    [[nodiscard]] const McuClocks& clocks() const { return clocks_; }
    [[nodiscard]] const std::vector<McuVariant>& variants() const { return variants_; }
    /// Returns the plan of a variant as `n6vp check` judges it.
    [[nodiscard]] LegacyPlan legacy_plan(const McuVariant& variant) const;
    /// Returns what the firmware is told.
    [[nodiscard]] firmware::mcu::Job job(std::uint32_t repeat) const;

  private:
    class Room;
    struct Kind {
        std::uint32_t mode = 0;
        AddressRange code;  ///< RAM for the image, empty: the usual
        AddressRange data;  ///< RAM for all else, empty: the usual
        AddressRange file;  ///< memory for file and weights, empty: the usual
    };

    [[nodiscard]] std::vector<Kind> kinds() const;
    void add(const Kind& kind);
    void place_file(McuVariant& variant, const Kind& kind) const;
    [[nodiscard]] bool fits(AddressRange range, std::uint32_t bytes) const;

    const ModelOptions& options_;
    const memmap::Chip& chip_;
    LegacyModel model_;
    McuClocks clocks_;
    std::uint32_t activations_bytes_ = 0;
    std::vector<McuVariant> variants_;
};

}  // namespace n6vp::sim

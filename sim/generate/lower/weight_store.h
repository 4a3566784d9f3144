// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/generate/lower/npu_epoch.h"

namespace n6vp::sim::generate {

/// The weights of a model in the order of the epochs, and where they are when it runs: where the
/// file is (in place), or in a pool at a fixed address that the loader copies them to.
class WeightStore {
  public:
    explicit WeightStore(Address start) : start_(start) {}

    /// Appends and returns where it will be: a multiple of 8.
    [[nodiscard]] Address add(std::span<const std::uint8_t> bytes) {
        bytes_.resize((bytes_.size() + 7) / 8 * 8);
        const auto offset = static_cast<std::uint32_t>(bytes_.size());
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        return start_.plus(offset);
    }
    [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }
    /// Returns true if the weights are read in place, through the NPU's cache.
    [[nodiscard]] bool in_place() const { return start_.base == Base::Weights; }

  private:
    Address start_;
    std::vector<std::uint8_t> bytes_;
};

}  // namespace n6vp::sim::generate

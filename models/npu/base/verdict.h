// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "models/npu/base/limit.h"

namespace n6vp::models::npu {

/// What is to be said about a configuration before anything is computed with it.
struct Verdict {
    const char* illegal = nullptr;   ///< the first rule that it breaks
    std::vector<Limit> limits;       ///< not computed, because any result would be invented
    std::vector<Limit> assumptions;  ///< computed as the text says; never observed

    [[nodiscard]] bool computable() const { return illegal == nullptr && limits.empty(); }
};

/// Collects what is to be said about one unit.
class VerdictBuilder {
  public:
    explicit VerdictBuilder(const char* unit) : unit_(unit) {}

    /// Keeps the first broken rule.
    void illegal_if(bool condition, const char* rule) {
        if (condition && verdict_.illegal == nullptr) verdict_.illegal = rule;
    }
    void refuse_if(bool condition, const char* feature, const char* unknown) {
        if (condition) verdict_.limits.push_back({unit_, feature, unknown});
    }
    void assume_if(bool condition, const char* feature, const char* unknown) {
        if (condition) verdict_.assumptions.push_back({unit_, feature, unknown});
    }
    [[nodiscard]] Verdict take() { return std::move(verdict_); }

  private:
    const char* unit_;
    Verdict verdict_;
};

}  // namespace n6vp::models::npu

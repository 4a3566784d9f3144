// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "models/chip/mcu/microcontroller.h"
#include "models/fabric/access_filter.h"

/// Internal parts of the chip.
namespace n6vp::models::mcu_chip {

/// Clock gate of a peripheral. Without clock its registers read zero, and writes are lost.
class Microcontroller::Gate : public AccessFilter {
  public:
    explicit Gate(std::function<bool()> open) : open_(std::move(open)) {}
    [[nodiscard]] Verdict judge(const Transfer&, const Access&) override {
        return open_() ? Verdict::Pass : Verdict::Zero;
    }
    [[nodiscard]] bool passes(const Transfer&, const Access&) const override { return open_(); }
    [[nodiscard]] const char* reason() const override { return "its clock is off in RCC"; }

  private:
    std::function<bool()> open_;
};

}  // namespace n6vp::models::mcu_chip

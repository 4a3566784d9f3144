// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "models/chip/mcu/microcontroller.h"
#include "models/fabric/access_filter.h"

/// Internal parts of the chip.
namespace n6vp::models::mcu_chip {

/// Clock gate of a peripheral. Without clock its registers read zero, unless `readable`, and writes
/// are lost.
class Microcontroller::Gate : public AccessFilter {
  public:
    Gate(std::function<bool()> open, bool readable) : open_(std::move(open)), readable_(readable) {}
    [[nodiscard]] Verdict judge(const Transfer& transfer, const Access& access) override {
        return passes(transfer, access) ? Verdict::Pass : Verdict::Zero;
    }
    [[nodiscard]] bool passes(const Transfer&, const Access& access) const override {
        return (readable_ && !access.write) || open_();
    }
    [[nodiscard]] const char* reason() const override { return "its clock is off in RCC"; }

  private:
    std::function<bool()> open_;
    const bool readable_;
};

}  // namespace n6vp::models::mcu_chip

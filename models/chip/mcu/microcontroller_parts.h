// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <utility>

#include "models/chip/mcu/microcontroller.h"
#include "models/fabric/access_filter.h"
#include "models/soc/register_block.h"

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

/// Registers whose writes the chip wants to know of.
class Microcontroller::Watched : public RegisterBlock {
  public:
    Watched(std::unique_ptr<RegisterBlock> of, std::function<void()> on_write)
        : RegisterBlock(of->name()), of_(std::move(of)), on_write_(std::move(on_write)) {}

    /// A clock-enable register: the gates are its whole behaviour.
    void know(std::uint32_t offset) { known_.insert(offset); }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override {
        return completed(of_->read(offset, at), offset);
    }
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override {
        const Answer answer = completed(of_->write(offset, value, mask, at), offset);
        on_write_();
        return answer;
    }
    void reset() override { of_->reset(); }
    void reset_at(Picoseconds at) override { of_->reset_at(at); }

  private:
    [[nodiscard]] Answer completed(Answer answer, std::uint32_t offset) const {
        if (!answer.modelled && known_.contains(offset)) {
            answer.modelled = true;
            answer.name = "clock enable";
        }
        return answer;
    }

    std::unique_ptr<RegisterBlock> of_;
    std::function<void()> on_write_;
    std::set<std::uint32_t> known_;
};

}  // namespace n6vp::models::mcu_chip

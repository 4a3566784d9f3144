// SPDX-License-Identifier: Apache-2.0
#include "models/npu/control/interrupt_controller.h"

#include <array>

#include "memmap/npu/units.h"

namespace n6vp::models::npu {

namespace {

using memmap::npu::kIntctrl;

constexpr Register kInterruptControl = reg(kIntctrl, "CTRL");
constexpr Register kLatches = reg(kIntctrl, "INTREG");
constexpr Register kSet = reg(kIntctrl, "INTSET");
constexpr Register kReset = reg(kIntctrl, "INTCLR");
constexpr std::array<Register, InterruptController::kLines> kOrMasks = {
    reg(kIntctrl, "INTORMSK0"), reg(kIntctrl, "INTORMSK1"), reg(kIntctrl, "INTORMSK2"),
    reg(kIntctrl, "INTORMSK3")};
constexpr std::array<Register, InterruptController::kLines> kAndMasks = {
    reg(kIntctrl, "INTANDMSK0"), reg(kIntctrl, "INTANDMSK1"), reg(kIntctrl, "INTANDMSK2"),
    reg(kIntctrl, "INTANDMSK3")};

}  // namespace

void InterruptController::set_source(unsigned source, bool level) {
    const std::uint32_t bit = std::uint32_t{1} << source;
    sources_ = level ? sources_ | bit : sources_ & ~bit;
    latch();
}

void InterruptController::written(const Register& at, const RegisterFile::WriteOutcome& outcome) {
    const std::uint32_t latches = registers_.word(kLatches);
    if (at.offset == kSet.offset) {
        registers_.set_word(kLatches, latches | outcome.triggered);
    } else if (at.offset == kReset.offset) {
        registers_.set_word(kLatches, latches & ~outcome.triggered);
    }
    latch();
}

void InterruptController::clear() {
    registers_.set_word(kLatches, 0);
    latch();
}

void InterruptController::latch() {
    registers_.set_word(kLatches, registers_.word(kLatches) | sources_);
}

bool InterruptController::line(unsigned line) const {
    if (extract(registers_.word(kInterruptControl), memmap::npu::kEnable) == 0) return false;
    const std::uint32_t latches = registers_.word(kLatches);
    const std::uint32_t heard_by_or = ~registers_.word(kOrMasks[line]);
    const std::uint32_t heard_by_and = ~registers_.word(kAndMasks[line]);
    const bool any = (latches & heard_by_or) != 0;
    const bool all = heard_by_and != 0 && (latches & heard_by_and) == heard_by_and;
    return any || all;
}

std::uint32_t InterruptController::lines() const {
    std::uint32_t lines = 0;
    for (unsigned k = 0; k < kLines; ++k) lines |= (line(k) ? std::uint32_t{1} : 0u) << k;
    return lines;
}

}  // namespace n6vp::models::npu

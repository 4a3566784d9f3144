// SPDX-License-Identifier: Apache-2.0
#include "models/soc/syscfg.h"

namespace n6vp::models {
namespace {

// Offsets and bits: CMSIS device header.
constexpr std::uint32_t kPostedWrites = 0x1C, kPostedErrorAddress = 0x104;
constexpr std::uint32_t kUserCompartment = 0x70, kPrivilegedCompartment = 0x800;
constexpr std::uint32_t kAcknowledge = 1u << 0;
constexpr std::uint32_t kCompartment = 7;  ///< DMACID

}  // namespace

void Syscfg::reset() {
    StubBlock::reset();
    set_posted_error(false);
}

void Syscfg::set_posted_error(bool level) {
    if (level == posted_error_) return;
    posted_error_ = level;
    if (on_posted_error) on_posted_error(level);
}

void Syscfg::note_posted_error(std::uint32_t address) {
    if (posted_error_) return;
    preset(kPostedErrorAddress, address);
    set_posted_error(true);
}

std::uint8_t Syscfg::dma_compartment(bool privileged) const {
    const std::uint32_t value = held(privileged ? kPrivilegedCompartment : kUserCompartment);
    return static_cast<std::uint8_t>(value & kCompartment);
}

RegisterBlock::Answer Syscfg::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                    Picoseconds at) {
    const Answer answer = StubBlock::write(offset, value, mask, at);
    if (offset == kPostedWrites && (value & mask & kAcknowledge) != 0) set_posted_error(false);
    return answer;
}

}  // namespace n6vp::models

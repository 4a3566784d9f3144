// SPDX-License-Identifier: Apache-2.0
#include "models/soc/system/syscfg.h"

#include <algorithm>
#include <utility>

namespace n6vp::models {
namespace {

// Offsets and bits: CMSIS device header.
constexpr std::uint32_t kTcm = 0x08, kResetType = 0x18, kPostedWrites = 0x1C,
                        kPostedErrorAddress = 0x104;
constexpr std::uint32_t kUserCompartment = 0x70, kPrivilegedCompartment = 0x800;
constexpr std::uint32_t kAcknowledge = 1u << 0;
constexpr std::uint32_t kCompartment = 7;         ///< DMACID
constexpr std::uint32_t kPowerOnReset = 1u << 0;  ///< CORE_RESET_TYPE
constexpr std::uint32_t kSizes = 0xFF;            ///< CFGITCMSZ, CFGDTCMSZ
constexpr unsigned kItcmSizes[] = {7, 8, 9}, kDtcmSizes[] = {8, 9};

[[nodiscard]] Syscfg::TcmSizes sizes_of(std::uint32_t held) {
    return {held & 15u, held >> 4 & 15u};
}

[[nodiscard]] bool exist(Syscfg::TcmSizes sizes) {
    return std::ranges::count(kItcmSizes, sizes.itcm) != 0 &&
           std::ranges::count(kDtcmSizes, sizes.dtcm) != 0;
}

}  // namespace

void Syscfg::reset() {
    const std::uint32_t tcm = held(kTcm);
    StubBlock::reset();
    preset(kTcm, tcm);
    set_posted_error(false);
    if (std::exchange(applies_sizes_, false) && exist(sizes_of(tcm))) set_tcm_sizes(sizes_of(tcm));
}

void Syscfg::power_on() {
    StubBlock::reset();
    applies_sizes_ = sizes_written_ = false;
    set_tcm_sizes({});
}

void Syscfg::note_reset_request() {
    applies_sizes_ = (held(kResetType) & kPowerOnReset) != 0;
}

void Syscfg::set_tcm_sizes(TcmSizes sizes) {
    if (sizes == sizes_) return;
    sizes_ = sizes;
    if (on_tcm_sizes) on_tcm_sizes(sizes);
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
    const std::uint32_t sizes = held(kTcm) & kSizes;
    Answer answer = StubBlock::write(offset, value, mask, at);
    if (sizes_written_) preset(kTcm, (held(kTcm) & ~kSizes) | sizes);
    sizes_written_ = sizes_written_ || (held(kTcm) & kSizes) != sizes;
    if (offset == kTcm)
        answer.modelled = (held(kTcm) & ~kSizes) == 0 && exist(sizes_of(held(kTcm)));
    if (offset == kResetType) answer.modelled = (held(kResetType) & ~kPowerOnReset) == 0;
    if (offset == kPostedWrites && (value & mask & kAcknowledge) != 0) set_posted_error(false);
    return answer;
}

}  // namespace n6vp::models

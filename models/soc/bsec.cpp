// SPDX-License-Identifier: Apache-2.0
#include "models/soc/bsec.h"

namespace n6vp::models {
namespace {
constexpr std::uint32_t kOtpCr = 0xC04, kWdr = 0xC08, kOtpSr = 0xE44, kSrLock = 0x880,
                        kValid = 0x8C0, kShadowed = 0x940, kProgram = 1u << 13,
                        kPermanentLock = 1u << 14, kAddress = 0x1FF;
constexpr unsigned kFuseWords = 384, kStateWords = kFuseWords / 32;
}  // namespace

Bsec::Bsec(const BsecParameters& parameters, const FlagTimes& times)
    : StubBlock(*stub_of("BSEC"), "BSEC", times),
      otp124_(static_cast<std::uint32_t>(parameters.otp124.value)) {
    fuses_[124] = otp124_;
    Bsec::reset();
}

void Bsec::restore_fuses() {
    fuses_ = {{124, otp124_}};
    reset();
    if (on_fuse) on_fuse();
}

void Bsec::reset() {
    StubBlock::reset();
    for (const auto& [word, value] : fuses_) preset(4 * word, value);
}

std::uint32_t Bsec::fuse(unsigned word) const {
    const auto found = fuses_.find(word);
    return found == fuses_.end() ? 0 : found->second;
}

RegisterBlock::Answer Bsec::read(std::uint32_t offset, Picoseconds at) {
    Answer answer = StubBlock::read(offset, at);
    // Locks are open, and shadow words hold their fuses.
    const auto one_of = [offset](std::uint32_t first) {
        return offset >= first && offset < first + 4 * kStateWords;
    };
    // Assumed: every word has a shadow, and it is valid. Which ones a chip shadows is not public.
    const bool state = one_of(kValid) || one_of(kShadowed);
    if (state) answer.value = 0xFFFFFFFF;
    answer.modelled =
        offset / 4 < kFuseWords || offset == kOtpCr || offset == kOtpSr || one_of(kSrLock) || state;
    return answer;
}

RegisterBlock::Answer Bsec::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                  Picoseconds at) {
    Answer answer = StubBlock::write(offset, value, mask, at);
    answer.modelled = offset == kWdr || (offset == kOtpCr && (value & mask & kPermanentLock) == 0);
    if (offset != kOtpCr) return answer;
    const unsigned word = value & mask & kAddress;
    if (word >= kFuseWords) return answer;
    if ((value & mask & kProgram) == 0) {  // the shadow is loaded from the fuse again
        preset(4 * word, fuse(word));
        return answer;
    }
    fuses_[word] |= StubBlock::read(kWdr, at).value;
    preset(4 * word, fuses_[word]);
    if (on_fuse) on_fuse();
    return answer;
}

}  // namespace n6vp::models

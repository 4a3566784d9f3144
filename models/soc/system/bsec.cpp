// SPDX-License-Identifier: Apache-2.0
#include "models/soc/system/bsec.h"

namespace n6vp::models {
namespace {

constexpr std::uint32_t kSpLock = 0x800, kSwLock = 0x840, kSrLock = 0x880, kValid = 0x8C0,
                        kShadowed = 0x940, kOtpCr = 0xC04, kWdr = 0xC08, kScratch = 0xE00,
                        kLockR = 0xE10, kOtpSr = 0xE44, kWriteOnce = 0xF40, kHotResets = 0xFE8,
                        kWarmResets = 0xFEC;
constexpr std::uint32_t kProgram = 1u << 13, kPermanentLock = 1u << 14, kAddress = 0x1FF;
constexpr std::uint32_t kProgramFailed = 1u << 16, kPermanentlyLocked = 1u << 20;  ///< OTPSR
constexpr std::uint32_t kGlobalLock = 1u << 0;                                     ///< LOCKR
constexpr unsigned kFuseWords = 384, kStateWords = kFuseWords / 32, kWriteOnceWords = 8;
constexpr unsigned kFirstWritable = 10;  ///< shadow

[[nodiscard]] bool bsec_within(std::uint32_t offset, std::uint32_t first, unsigned words) {
    return offset >= first && offset < first + 4 * words;
}

[[nodiscard]] bool bsec_is_sticky(std::uint32_t offset) {
    return bsec_within(offset, kSpLock, kStateWords) || bsec_within(offset, kSwLock, kStateWords) ||
           bsec_within(offset, kSrLock, kStateWords);
}

[[nodiscard]] bool bsec_is_modelled(std::uint32_t offset) {
    return bsec_within(offset, 0, kFuseWords) || bsec_is_sticky(offset) || offset == kOtpCr ||
           offset == kWdr || offset == kOtpSr || offset == kLockR || offset == kWarmResets ||
           offset == kHotResets || bsec_within(offset, kScratch, 4) ||
           bsec_within(offset, kWriteOnce, kWriteOnceWords);
}

}  // namespace

Bsec::Bsec(const BsecParameters& parameters, const FlagTimes& times)
    : StubBlock(*stub_of("BSEC"), "BSEC", times),
      otp124_(static_cast<std::uint32_t>(parameters.otp124.value)) {
    fuses_[124] = otp124_;
    Bsec::reset();
}

void Bsec::restore_fuses() {
    fuses_ = {{124, otp124_}};
    locked_for_ever_.clear();
    scratch_ = {};
    starts_ = 0;
    reset();
    if (on_fuse) on_fuse();
}

void Bsec::reset() {
    StubBlock::reset();
    for (const auto& [word, value] : fuses_) preset(4 * word, value);
}

void Bsec::note_start() {
    ++starts_;
}

std::uint32_t Bsec::fuse(unsigned word) const {
    const auto found = fuses_.find(word);
    return found == fuses_.end() ? 0 : found->second;
}

bool Bsec::locked(std::uint32_t locks, unsigned word) const {
    return (held(locks + 4 * (word / 32)) >> word % 32 & 1) != 0;
}

RegisterBlock::Answer Bsec::read(std::uint32_t offset, Picoseconds at) {
    Answer answer = StubBlock::read(offset, at);
    // Assumed: every word has a shadow, and it is valid. Which ones a chip shadows is not public.
    const bool state =
        bsec_within(offset, kValid, kStateWords) || bsec_within(offset, kShadowed, kStateWords);
    if (state) answer.value = 0xFFFFFFFF;
    if (bsec_within(offset, kScratch, kScratchWords))
        answer.value = scratch_[(offset - kScratch) / 4];
    if (offset == kWarmResets) answer.value = starts_ == 0 ? 0 : starts_ - 1;
    answer.modelled = state || bsec_is_modelled(offset);
    return answer;
}

bool Bsec::may_write(std::uint32_t offset) const {
    if ((held(kLockR) & kGlobalLock) != 0) return false;
    if (bsec_within(offset, 0, kFuseWords))
        return offset / 4 >= kFirstWritable && !locked(kSwLock, offset / 4);
    if (bsec_within(offset, kWriteOnce, kWriteOnceWords)) return held(offset) == 0;
    return offset != kWarmResets && offset != kHotResets;
}

RegisterBlock::Answer Bsec::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                  Picoseconds at) {
    // Without bits a write changes nothing.
    const std::uint32_t bits = may_write(offset) ? mask : 0;
    // Sticky: what is set stays.
    const std::uint32_t written =
        bsec_is_sticky(offset) || offset == kLockR ? value | held(offset) : value;
    Answer answer = bits != 0 ? StubBlock::write(offset, written, bits, at)
                              : Answer{.name = StubBlock::read(offset, at).name};
    answer.modelled = bsec_is_modelled(offset);
    if (bits == 0) return answer;
    if (bsec_within(offset, kScratch, kScratchWords)) {
        std::uint32_t& word = scratch_[(offset - kScratch) / 4];
        word = (word & ~mask) | (value & mask);
    }
    if (offset == kOtpCr) command(value & mask, at);
    return answer;
}

/// OTPSR is that of the word that was loaded last.
void Bsec::command(std::uint32_t control, Picoseconds at) {
    const unsigned word = control & kAddress;
    if (word >= kFuseWords) return;
    change(kOtpSr, kProgramFailed | kPermanentlyLocked, false);
    if ((control & kProgram) != 0) {
        program(word, control, at);
    } else if (!locked(kSrLock, word)) {
        load(word);
    }
}

void Bsec::program(unsigned word, std::uint32_t control, Picoseconds at) {
    if (locked(kSpLock, word)) return;  // silently
    const bool refused = locked_for_ever_.contains(word);
    if (refused) {
        change(kOtpSr, kProgramFailed, true);
    } else {
        fuses_[word] |= StubBlock::read(kWdr, at).value;
    }
    if ((control & kPermanentLock) != 0) locked_for_ever_.insert(word);
    load(word);
    if (!refused && on_fuse) on_fuse();
}

void Bsec::load(unsigned word) {
    preset(4 * word, fuse(word));
    change(kOtpSr, kPermanentlyLocked, locked_for_ever_.contains(word));
}

}  // namespace n6vp::models

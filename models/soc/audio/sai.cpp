// SPDX-License-Identifier: Apache-2.0
#include "models/soc/audio/sai.h"

#include <algorithm>
#include <utility>

namespace n6vp::models {

namespace {

// Source: CMSIS device header, SAI_TypeDef and SAI_Block_TypeDef.
constexpr std::uint32_t kSaiGcr = 0x00, kSaiFirstBlock = 0x04, kSaiBlockBytes = 0x20,
                        kSaiPdmcr = 0x44, kSaiPdmdly = 0x48;
constexpr std::array<const char*, 19> kSaiNames{
    "GCR",  "ACR1",  "ACR2",   "AFRCR", "ASLOTR", "AIM",    "ASR", "ACLRFR", "ADR",   "BCR1",
    "BCR2", "BFRCR", "BSLOTR", "BIM",   "BSR",    "BCLRFR", "BDR", "PDMCR",  "PDMDLY"};
constexpr std::uint32_t kSaiFlush = sai::sai_bit(3);  // CR2
constexpr std::uint32_t kSaiCleared = 0x77;           ///< by CLRFR: all but FREQ

[[nodiscard]] bool of_block(std::uint32_t offset) {
    return offset >= kSaiFirstBlock && offset < kSaiPdmcr;
}

}  // namespace

Sai::Sai(const sc_core::sc_module_name& name, const char* block, SoundSource& microphone,
         const SaiParameters& parameters)
    : sc_module(name),
      RegisterBlock(block),
      parameters_(parameters),
      blocks_{SaiBlock(parameters_), SaiBlock(parameters_)} {
    for (unsigned i = 0; i < kBlocks; ++i) {
        blocks_[i].line = [&microphone](unsigned slot, Picoseconds at) {
            return microphone.heard(slot, at);
        };
        blocks_[i].on_frame = [this, i](const AudioFrame& frame) {
            if (on_frame) on_frame(i, frame);
        };
    }
    SC_HAS_PROCESS(Sai);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
}

void Sai::set_kernel_hz(double hz, Picoseconds at) {
    if (hz == kernel_hz_) return;
    settle(at);
    kernel_hz_ = hz;
    for (SaiBlock& block : blocks_) block.set_kernel_hz(hz, at);
    update(at);
}

void Sai::settle(Picoseconds at) {
    for (;;) {
        const Picoseconds a = blocks_[0].due(), b = blocks_[1].due();
        const Picoseconds due = std::min(a, b);
        if (due == kNever || due > at) return;
        // The one that gives the clock comes first: it may stop there.
        const unsigned index = a < b || (a == b && !blocks_[0].is_slave()) ? 0 : 1;
        SaiBlock &block = blocks_[index], &other = blocks_[1 - index];
        const bool begins = block.advance();
        if (block.is_slave() || !other.is_slave() || !other.follows_other()) continue;
        if (begins) other.begin_with_other(due, block.frame_cycles());
        if (!block.running()) other.pause();
    }
}

void Sai::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    settle(now);
    update(now);
}

void Sai::update(Picoseconds at) {
    Picoseconds next = kNever;
    for (unsigned i = 0; i < kBlocks; ++i) {
        const SaiBlock& block = blocks_[i];
        const std::uint32_t status = block.status();
        lines_[i].set_interrupt(i, (status & block.get(sai::kIm)) != 0, on_interrupt);
        const bool wants = (block.get(sai::kCr1) & sai::kDmaEnable) != 0;
        lines_[i].set_request(i, wants && (status & sai::kFreq) != 0, at, on_request);
        next = std::min(next, block.due());
    }
    next_.cancel();
    if (next != kNever) next_.notify(delay_until(std::max(next, at)));
}

std::uint32_t Sai::value(const SaiBlock& block, std::uint32_t offset) const {
    switch (offset) {
        case sai::kCr1:
            return (block.get(offset) & ~sai::kEnable) | (block.enabled() ? sai::kEnable : 0);
        case sai::kSr:
            return block.status();
        default:
            return block.get(offset);
    }
}

RegisterBlock::Answer Sai::read(std::uint32_t offset, Picoseconds at) {
    if (offset > kSaiPdmdly) return {.modelled = false};
    settle(at);
    Answer answer{.name = kSaiNames[offset / 4]};
    if (of_block(offset)) {
        SaiBlock& block = blocks_[(offset - kSaiFirstBlock) / kSaiBlockBytes];
        const std::uint32_t inner = (offset - kSaiFirstBlock) % kSaiBlockBytes;
        answer.value = inner == sai::kDr ? block.read_data() : value(block, inner);
    } else {
        answer.value = offset == kSaiGcr ? gcr_ : offset == kSaiPdmcr ? pdmcr_ : pdmdly_;
    }
    // What happened before this access may have changed the lines.
    update(at);
    return answer;
}

bool Sai::reads_freely(std::uint32_t offset) const {
    return !of_block(offset) || (offset - kSaiFirstBlock) % kSaiBlockBytes != sai::kDr;
}

void Sai::write_control(SaiBlock& block, std::uint32_t next, Picoseconds at) {
    block.at(sai::kCr1) = next & ~sai::kEnable;
    const bool enable = (next & sai::kEnable) != 0;
    if (enable && !block.enabled()) {
        if (block.wrong_clock()) return block.raise(sai::kWckcfg);
        block.enable(at);
    } else if (!enable && block.enabled()) {
        block.disable();
    }
}

void Sai::write_block(unsigned index, std::uint32_t offset, std::uint32_t next,
                      std::uint32_t written, Picoseconds at) {
    SaiBlock& block = blocks_[index];
    switch (offset) {
        case sai::kCr1:
            return write_control(block, next, at);
        case sai::kCr2:
            if ((written & kSaiFlush) != 0) block.flush();
            block.at(offset) = next & ~kSaiFlush;
            return;
        case sai::kClrfr:
            return block.clear(written & kSaiCleared);
        case sai::kDr:
            return block.write_data(written);
        case sai::kSr:
            return;  // read-only
        default:
            block.at(offset) = next;
    }
}

bool Sai::modelled(const SaiBlock& block, std::uint32_t offset) const {
    const std::uint32_t held = block.get(offset);
    switch (offset) {
        case sai::kCr1: {
            const bool free = (held >> 2 & 3) == 0;  // PRTCFG
            const bool unheard = (held & sai::kDmaEnable) != 0 && !on_request;
            const bool clocked = !block.is_slave() || !block.enabled() || block.follows_other();
            return free && clocked && !unheard;
        }
        case sai::kCr2:
            return (held >> 14 & 3) == 0;  // COMP
        default:
            return true;
    }
}

RegisterBlock::Answer Sai::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                 Picoseconds at) {
    if (offset > kSaiPdmdly) return {.modelled = false};
    settle(at);
    Answer answer{.name = kSaiNames[offset / 4]};
    const std::uint32_t written = value & mask;
    if (of_block(offset)) {
        const unsigned index = (offset - kSaiFirstBlock) / kSaiBlockBytes;
        const std::uint32_t inner = (offset - kSaiFirstBlock) % kSaiBlockBytes;
        const std::uint32_t held = this->value(blocks_[index], inner);
        write_block(index, inner, (held & ~mask) | written, written, at);
        answer.modelled = modelled(blocks_[index], inner);
    } else {
        std::uint32_t& held = offset == kSaiGcr ? gcr_ : offset == kSaiPdmcr ? pdmcr_ : pdmdly_;
        held = (held & ~mask) | written;
        answer.modelled = held == 0;
    }
    // A slot may begin with this write.
    settle(at);
    update(at);
    return answer;
}

void Sai::reset() {
    gcr_ = pdmcr_ = pdmdly_ = 0;
    for (SaiBlock& block : blocks_) block.reset();
    update(sc_core::sc_time_stamp().value());
}

}  // namespace n6vp::models

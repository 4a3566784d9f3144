// SPDX-License-Identifier: Apache-2.0
#include "models/soc/crypto/cryp.h"

#include <algorithm>
#include <span>
#include <utility>

#include "models/soc/base/data_order.h"
#include "models/soc/crypto/cipher_words.h"

namespace n6vp::models::crypto {

namespace {

enum CrypOffset : std::uint32_t {
    kCrypCr = 0x00,
    kCrypSr = 0x04,
    kCrypDin = 0x08,
    kCrypDout = 0x0C,
    kCrypDmacr = 0x10,
    kCrypImscr = 0x14,
    kCrypRisr = 0x18,
    kCrypMisr = 0x1C,
    kCrypKey = 0x20,
    kCrypVector = 0x40,
    kCrypContext = 0x50,
    kCrypEnd = 0x90,
};
constexpr std::array<const char*, 20> kCrypNames{
    "CR",   "SR",   "DINR", "DOUTR", "DMACR", "IMSCR", "RISR",  "MISR",  "K0LR",  "K0RR",
    "K1LR", "K1RR", "K2LR", "K2RR",  "K3LR",  "K3RR",  "IV0LR", "IV0RR", "IV1LR", "IV1RR"};
constexpr std::uint32_t kCrypDecrypts = 1u << 2, kCrypFlush = 1u << 14, kCrypEnable = 1u << 15,
                        kCrypReset = 1u << 31;
constexpr std::uint32_t kCrypControl = 0x03FB83FC;  ///< without FFLUSH and IPRST
constexpr std::uint32_t kCrypKeySize = 3u << 8;
constexpr std::uint32_t kCrypKeyMode = 3u << 24, kCrypShared = 2u << 24;

}  // namespace

Cryp::Cryp(const sc_core::sc_module_name& name, const char* block, const CrypParameters& parameters)
    : CipherUnit(name, block), parameters_(parameters) {}

void Cryp::reset() {
    control_ = dma_ = mask_ = 0;
    reset_work();
    input_.clear();
    output_.clear();
    update(sc_core::sc_time_stamp().value());
}

// Work ---------------------------------------------------------------------------------------

Cryp::Algorithm Cryp::algorithm() const {
    // 0 to 3 are DES and TDES.
    constexpr std::array<Algorithm, 10> kAlgorithms{
        Algorithm::None, Algorithm::None, Algorithm::None,    Algorithm::None, Algorithm::Ecb,
        Algorithm::Cbc,  Algorithm::Ctr,  Algorithm::Prepare, Algorithm::Gcm,  Algorithm::Ccm};
    const std::uint32_t code = (control_ >> 3 & 7) | (control_ >> 19 & 1) << 3;
    return code < kAlgorithms.size() ? kAlgorithms[code] : Algorithm::None;
}

bool Cryp::has_phases() const {
    return algorithm() == Algorithm::Gcm || algorithm() == Algorithm::Ccm;
}

bool Cryp::enabled() const {
    return (control_ & kCrypEnable) != 0;
}

unsigned Cryp::key_words() const {
    constexpr std::array<unsigned, 4> kWords{4, 6, 8, 8};
    return kWords[control_ >> 8 & 3];
}

/// A key ends with K3RR, whatever its size.
bool Cryp::key_valid() const {
    const std::uint32_t needed = 0xFFu << (8 - key_words()) & 0xFF;
    return has_key_words(needed);
}

const Parameter& Cryp::block_cycles() const {
    switch (key_words()) {
        case 4:
            return parameters_.block_128;
        case 6:
            return parameters_.block_192;
        default:
            return parameters_.block_256;
    }
}

Block Cryp::take_block(bool ordered) {
    Block block{};
    for (unsigned i = 0; i < kBlockWords; ++i) {
        const std::uint32_t word = input_.front();
        input_.pop_front();
        set_word(block, i, ordered ? word : in_message_order(word, control_ >> 6 & 3));
    }
    return block;
}

void Cryp::put_block(const Block& block) {
    for (unsigned i = 0; i < kBlockWords; ++i)
        output_.push_back(in_message_order(word_of(block, i), control_ >> 6 & 3));
}

void Cryp::begin() {
    constexpr std::array<Chain::Mode, 7> kModes{
        Chain::Mode::Ecb, Chain::Mode::Cbc, Chain::Mode::Ctr, Chain::Mode::Ecb,
        Chain::Mode::Gcm, Chain::Mode::Ccm, Chain::Mode::Ecb};
    const std::vector<std::uint8_t> key = bytes_of(std::span(key_).last(key_words()));
    const Block vector = chain_.vector();
    chain_.begin(kModes[static_cast<std::size_t>(algorithm())], (control_ & kCrypDecrypts) != 0,
                 key, vector);
}

/// Takes up the next piece of work, if there is one.
void Cryp::start(Picoseconds at) {
    const Algorithm what = algorithm();
    if (!enabled() || busy() || what == Algorithm::None) return;
    if (!chain_.begun()) begin();
    const bool initialises = has_phases() && phase() == Phase::Init;
    const bool by_itself = what == Algorithm::Prepare || (initialises && what == Algorithm::Gcm);
    const bool gives = !has_phases() || phase() == Phase::Payload || phase() == Phase::Final;
    if (!by_itself && input_.size() < kBlockWords) return;
    if (!by_itself && gives && output_.size() + kBlockWords > kFifoWords) return;
    busy_for(block_cycles(), at);
    ends_enabled_ = !by_itself && !initialises;
    result_.reset();
    if (by_itself) return;
    const bool ordered = has_phases() && (phase() == Phase::Init || phase() == Phase::Final);
    const Block block = take_block(ordered);
    if (initialises) {
        chain_.first(block);
    } else if (!has_phases()) {
        result_ = chain_.process(block);
    } else if (phase() == Phase::Header) {
        chain_.header(block);
    } else if (phase() == Phase::Payload) {
        result_ = chain_.process(block, control_ >> 20 & 0xF);
    } else {
        result_ = chain_.finish(block);
    }
}

void Cryp::finish() {
    busy_until_ = 0;
    if (!ends_enabled_) control_ &= ~kCrypEnable;
    if (result_) put_block(*result_);
    result_.reset();
}

void Cryp::settle(Picoseconds at) {
    while (busy() && busy_until_ <= at) {
        const Picoseconds end = busy_until_;
        finish();
        start(end);
    }
}

// Registers ----------------------------------------------------------------------------------

std::uint32_t Cryp::status() const {
    std::uint32_t flags = 0;
    if (input_.empty()) flags |= 1u << 0;
    if (input_.size() < kFifoWords) flags |= 1u << 1;
    if (!output_.empty()) flags |= 1u << 2;
    if (output_.size() >= kFifoWords) flags |= 1u << 3;
    if (busy()) flags |= 1u << 4;
    if (key_valid()) flags |= 1u << 7;
    return flags;
}

std::uint32_t Cryp::raw_interrupts() const {
    const bool wants = input_.size() < kBlockWords, has = !output_.empty();
    return (wants ? 1u : 0u) | (has ? 2u : 0u);
}

std::uint32_t Cryp::masked_interrupts() const {
    return raw_interrupts() & mask_ & (enabled() ? 3u : 2u);
}

CipherUnit::Levels Cryp::levels() const {
    const bool wants = enabled() && (dma_ & 1) != 0 && input_.size() <= kBlockWords;
    const bool has = (dma_ & 2) != 0 && output_.size() >= kBlockWords;
    return {.interrupt = masked_interrupts() != 0, .input = wants, .output = has};
}

std::uint32_t Cryp::value_of(std::uint32_t offset) {
    switch (offset) {
        case kCrypCr:
            return control_;
        case kCrypSr:
            return status();
        case kCrypDmacr:
            return dma_;
        case kCrypImscr:
            return mask_;
        case kCrypRisr:
            return raw_interrupts();
        case kCrypMisr:
            return masked_interrupts();
        default:
            break;
    }
    const bool vector = offset >= kCrypVector && offset < kCrypContext;
    return vector ? vector_word((offset - kCrypVector) / 4) : 0;
}

RegisterBlock::Answer Cryp::read(std::uint32_t offset, Picoseconds at) {
    settle(at);
    Answer answer;
    if (offset / 4 < kCrypNames.size()) answer.name = kCrypNames[offset / 4];
    if (offset >= kCrypContext && offset < kCrypEnd) answer.name = "CSGCM";
    answer.modelled = offset < kCrypContext;
    if (offset == kCrypDout && !output_.empty()) {
        answer.value = output_.front();
        output_.pop_front();
        start(at);
        update(at);
    } else {
        answer.value = value_of(offset);
    }
    return answer;
}

void Cryp::write_control(std::uint32_t next, Picoseconds at) {
    if ((next & kCrypReset) != 0) return reset();
    const std::uint32_t before = control_;
    control_ = next & kCrypControl;
    if (((before ^ control_) & kCrypKeySize) != 0) key_written_ = 0;
    if ((control_ & kCrypKeyMode) == kCrypShared && shared_key) {
        const std::optional<SharedKey> key = shared_key();
        if (key && key->size() == key_words()) {
            std::copy(key->begin(), key->end(),
                      key_.end() - static_cast<std::ptrdiff_t>(key->size()));
            key_written_ = 0xFF;
        }
    }
    if ((next & kCrypFlush) != 0 && !enabled()) {
        input_.clear();
        output_.clear();
    }
    const bool rises = enabled() && (before & kCrypEnable) == 0;
    if (!enabled() && busy() && !ends_enabled_) busy_until_ = 0;
    if (rises && (!has_phases() || phase() == Phase::Init)) begin();
    start(at);
}

RegisterBlock::Answer Cryp::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                  Picoseconds at) {
    Answer answer = {.modelled = offset < kCrypContext};
    settle(at);
    if (offset / 4 < kCrypNames.size()) answer.name = kCrypNames[offset / 4];
    const std::uint32_t merged = (value_of(offset) & ~mask) | (value & mask);
    if (offset == kCrypCr) {
        write_control(merged, at);
        answer.modelled = !enabled() || algorithm() != Algorithm::None;
    } else if (offset == kCrypDin) {
        if (input_.size() < kFifoWords) input_.push_back(merged);
        start(at);
    } else if (offset == kCrypDmacr) {
        dma_ = merged & 3;
    } else if (offset == kCrypImscr) {
        mask_ = merged & 3;
    } else if (offset >= kCrypKey && offset < kCrypVector) {
        set_key_word((offset - kCrypKey) / 4, merged);
    } else if (offset >= kCrypVector && offset < kCrypContext) {
        set_vector_word((offset - kCrypVector) / 4, merged);
    }
    update(at);
    return answer;
}

}  // namespace n6vp::models::crypto

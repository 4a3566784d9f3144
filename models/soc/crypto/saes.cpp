// SPDX-License-Identifier: Apache-2.0
#include "models/soc/crypto/saes.h"

#include <algorithm>
#include <utility>

#include "models/soc/base/data_order.h"
#include "models/soc/crypto/cipher_words.h"

namespace n6vp::models::crypto {

namespace {

enum SaesOffset : std::uint32_t {
    kSaesCr = 0x00,
    kSaesSr = 0x04,
    kSaesDinr = 0x08,
    kSaesDoutr = 0x0C,
    kSaesKeyLow = 0x10,
    kSaesVector = 0x20,
    kSaesKeyHigh = 0x30,
    kSaesSuspend = 0x40,
    kSaesSuspendEnd = 0x60,
    kSaesIer = 0x300,
    kSaesIsr = 0x304,
    kSaesIcr = 0x308,
};
constexpr std::array<const char*, 16> kSaesNames{
    "CR",   "SR",   "DINR", "DOUTR", "KEYR0", "KEYR1", "KEYR2", "KEYR3",
    "IVR0", "IVR1", "IVR2", "IVR3",  "KEYR4", "KEYR5", "KEYR6", "KEYR7"};
constexpr std::uint32_t kSaesEnable = 1, kSaesKeySize = 1u << 18, kSaesKeyMode = 3u << 24,
                        kSaesShared = 2u << 24, kSaesKeySelect = 7u << 28,
                        kSaesHardwareKey = 1u << 28, kSaesReset = 1u << 31;
constexpr std::uint32_t kSaesControl = 0x7FFD787F;  ///< without IPRST
constexpr std::uint32_t kSaesInputDma = 1u << 11, kSaesOutputDma = 1u << 12;
constexpr std::uint32_t kSaesDone = 1;
constexpr std::uint32_t kSaesInterrupts = 0xF;

/// The derived hardware unique key: any will do, as no program knows it.
constexpr std::uint32_t kUniqueKey = 0x6E367670;

[[nodiscard]] const char* saes_name(std::uint32_t offset) {
    if (offset / 4 < kSaesNames.size()) return kSaesNames[offset / 4];
    if (offset >= kSaesSuspend && offset < kSaesSuspendEnd) return "SUSPR";
    if (offset == kSaesIer) return "IER";
    if (offset == kSaesIsr) return "ISR";
    return offset == kSaesIcr ? "ICR" : "";
}

[[nodiscard]] RegisterBlock::Answer saes_answer(std::uint32_t offset) {
    const char* const name = saes_name(offset);
    const bool suspends = offset >= kSaesSuspend && offset < kSaesSuspendEnd;
    return {.modelled = name[0] != '\0' && !suspends, .name = name};
}

/// Returns the number of the key word at that offset, or 8 if there is none.
[[nodiscard]] std::size_t key_index(std::uint32_t offset) {
    if (offset >= kSaesKeyLow && offset < kSaesVector) return (offset - kSaesKeyLow) / 4;
    if (offset >= kSaesKeyHigh && offset < kSaesSuspend) return 4 + (offset - kSaesKeyHigh) / 4;
    return 8;
}

}  // namespace

Saes::Saes(const sc_core::sc_module_name& name, const char* block, const SaesParameters& parameters)
    : CipherUnit(name, block), parameters_(parameters) {}

void Saes::reset() {
    control_ = enabled_interrupts_ = flags_ = 0;
    reset_work();
    loaded_.clear();
    arriving_.clear();
    shared_.reset();
    input_.clear();
    output_left_ = 0;
    falls_ = quiet_ = false;
    update(sc_core::sc_time_stamp().value());
}

/// IPRST, which leaves the shared key.
void Saes::restart(Picoseconds at) {
    std::optional<SharedKey> shared = std::exchange(shared_, {});
    reset();
    shared_ = std::move(shared);
    control_ = kSaesReset;
    quiet_ = true;
    busy_for(parameters_.start, at);
}

// Work ---------------------------------------------------------------------------------------

bool Saes::has_phases() const {
    const std::uint32_t mode = (control_ >> 5 & 3) | (control_ >> 16 & 1) << 2;
    return mode == 3 || mode == 4;
}

Saes::Operation Saes::operation() const {
    constexpr std::array<Operation, 4> kOperations{Operation::Encrypt, Operation::Derive,
                                                   Operation::Decrypt, Operation::Decrypt};
    return kOperations[control_ >> 3 & 3];
}

unsigned Saes::key_words() const {
    return (control_ & kSaesKeySize) != 0 ? 8 : 4;
}

/// The highest word first; KEYR0 is the lowest.
std::vector<std::uint32_t> Saes::key() const {
    if (!loaded_.empty()) return loaded_;
    std::vector<std::uint32_t> words;
    for (unsigned i = key_words(); i-- > 0;)
        words.push_back((control_ & kSaesKeySelect) == 0 ? key_[i] : kUniqueKey * (2 * i + 1));
    return words;
}

bool Saes::key_valid() const {
    const std::uint32_t needed = key_words() == 8 ? 0xFF : 0xF;
    return !loaded_.empty() || (control_ & kSaesKeySelect) != 0 || has_key_words(needed);
}

void Saes::start(Picoseconds at) {
    busy_for(key_words() == 8 ? parameters_.block_256 : parameters_.block_128, at);
    falls_ = quiet_ = false;
}

void Saes::begin() {
    constexpr std::array<Chain::Mode, 8> kModes{
        Chain::Mode::Ecb, Chain::Mode::Cbc, Chain::Mode::Ctr, Chain::Mode::Gcm,
        Chain::Mode::Ccm, Chain::Mode::Ecb, Chain::Mode::Ecb, Chain::Mode::Ecb};
    const Chain::Mode mode = kModes[(control_ >> 5 & 3) | (control_ >> 16 & 1) << 2];
    Block vector = chain_.vector();
    const Block first = vector;
    if (mode == Chain::Mode::Ccm) {
        // Of the first block (flags, nonce, length) to the first counter block.
        const unsigned count = (first[0] & 7u) + 1;
        vector[0] = first[0] & 7;
        std::fill(vector.end() - count, vector.end(), std::uint8_t{0});
        vector[15] = 1;
    }
    chain_.begin(mode, operation() == Operation::Decrypt, bytes_of(key()), vector);
    if (mode == Chain::Mode::Ccm) chain_.first(first);
}

/// EN has risen.
void Saes::enabled_now(Picoseconds at) {
    const bool initialises = has_phases() && phase() == Phase::Init;
    if (!has_phases() || initialises) begin();
    input_.clear();
    if (!initialises && operation() != Operation::Derive) return;
    start(at);
    falls_ = true;
}

void Saes::keep_key_block(const Block& block) {
    for (unsigned i = 0; i < kBlockWords; ++i) arriving_.push_back(word_of(block, i));
    if (arriving_.size() < key_words()) return;
    if ((control_ & kSaesKeyMode) == kSaesShared) {
        shared_ = std::exchange(arriving_, {});
    } else {
        loaded_ = std::exchange(arriving_, {});
    }
}

Block Saes::work_on(const Block& block) {
    if (!has_phases() || phase() == Phase::Payload)
        return chain_.process(block, control_ >> 20 & 0xF);
    if (phase() != Phase::Final) {
        chain_.header(block);
        return {};
    }
    // CCM finds its counter block 0 itself.
    if ((control_ >> 16 & 1) == 0) return chain_.finish(block);
    Block counter = chain_.start();
    counter[15] = 0;
    return chain_.finish(counter);
}

void Saes::take_word(std::uint32_t word, Picoseconds at) {
    if ((control_ & kSaesEnable) == 0 || busy()) return;
    input_.push_back(word);
    if (input_.size() < kBlockWords) return;
    const bool ordered = has_phases() && phase() == Phase::Final;
    Block block{};
    for (unsigned i = 0; i < kBlockWords; ++i)
        set_word(block, i, ordered ? input_[i] : in_message_order(input_[i], control_ >> 1 & 3));
    input_.clear();
    if (!chain_.begun()) begin();
    const Block result = work_on(block);
    const bool is_key =
        (control_ & kSaesKeyMode) != 0 && operation() == Operation::Decrypt && !has_phases();
    start(at);
    if (is_key) {
        keep_key_block(result);
    } else if (!has_phases() || phase() == Phase::Payload || phase() == Phase::Final) {
        result_ = result;
    }
}

void Saes::settle(Picoseconds at) {
    if (!busy() || busy_until_ > at) return;
    busy_until_ = 0;
    if (!quiet_) flags_ |= kSaesDone;
    if (std::exchange(falls_, false)) control_ &= ~kSaesEnable;
    if (!result_) return;
    for (unsigned i = 0; i < kBlockWords; ++i)
        output_[i] = in_message_order(word_of(*result_, i), control_ >> 1 & 3);
    output_left_ = kBlockWords;
    result_.reset();
}

// Registers ----------------------------------------------------------------------------------

std::uint32_t Saes::status() const {
    std::uint32_t status = flags_ & kSaesDone;
    if (busy()) status |= 1u << 3;
    if (key_valid()) status |= 1u << 7;
    return status;
}

CipherUnit::Levels Saes::levels() const {
    const bool works = (control_ & kSaesEnable) != 0;
    const bool wants = works && (control_ & kSaesInputDma) != 0 && !busy() && output_left_ == 0 &&
                       operation() != Operation::Derive;
    const bool has = works && (control_ & kSaesOutputDma) != 0 && output_left_ != 0;
    const bool interrupt = (flags_ & enabled_interrupts_) != 0;
    return {.interrupt = interrupt, .input = wants, .output = has};
}

std::uint32_t Saes::value_of(std::uint32_t offset) {
    switch (offset) {
        case kSaesCr:
            return control_;
        case kSaesSr:
            return status();
        case kSaesIer:
            return enabled_interrupts_;
        case kSaesIsr:
            return flags_;
        default:
            break;
    }
    const bool vector = offset >= kSaesVector && offset < kSaesKeyHigh;
    return vector ? vector_word(3 - (offset - kSaesVector) / 4) : 0;
}

RegisterBlock::Answer Saes::read(std::uint32_t offset, Picoseconds at) {
    settle(at);
    Answer answer = saes_answer(offset);
    if (offset == kSaesDoutr && output_left_ != 0) {
        answer.value = output_[kBlockWords - output_left_--];
        // With DMA nobody clears the flag.
        if (output_left_ == 0 && (control_ & kSaesOutputDma) != 0) flags_ &= ~kSaesDone;
        update(at);
    } else {
        answer.value = value_of(offset);
    }
    return answer;
}

void Saes::write_control(std::uint32_t next, Picoseconds at) {
    if ((next & kSaesReset) != 0) return restart(at);
    const std::uint32_t before = control_;
    control_ = next & kSaesControl;
    if (((before ^ control_) & (kSaesKeySize | kSaesKeySelect)) != 0) {
        loaded_.clear();
        if (((before ^ control_) & kSaesKeySize) != 0) key_written_ = 0;
    }
    if ((control_ & kSaesEnable) == 0) {
        arriving_.clear();
        if (busy() && !quiet_) busy_until_ = 0;
        result_.reset();
    } else if ((before & kSaesEnable) == 0) {
        enabled_now(at);
    }
}

RegisterBlock::Answer Saes::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                  Picoseconds at) {
    settle(at);
    Answer answer = saes_answer(offset);
    const std::uint32_t merged = (value_of(offset) & ~mask) | (value & mask);
    const std::size_t key_word = key_index(offset);
    if (offset == kSaesCr) {
        write_control(merged, at);
        const std::uint32_t select = control_ & kSaesKeySelect;
        answer.modelled = select == 0 || select == kSaesHardwareKey;
    } else if (offset == kSaesDinr) {
        take_word(value & mask, at);
    } else if (offset == kSaesIer) {
        enabled_interrupts_ = merged & kSaesInterrupts;
    } else if (offset == kSaesIcr) {
        flags_ &= ~(value & mask);
    } else if (key_word < key_.size()) {
        set_key_word(key_word, merged);
        loaded_.clear();
    } else if (offset >= kSaesVector && offset < kSaesKeyHigh) {
        set_vector_word(3 - (offset - kSaesVector) / 4, merged);
    }
    update(at);
    return answer;
}

}  // namespace n6vp::models::crypto

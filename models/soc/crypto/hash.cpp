// SPDX-License-Identifier: Apache-2.0
#include "models/soc/crypto/hash.h"

#include <algorithm>
#include <array>

#include "models/duration.h"
#include "models/soc/base/data_order.h"

namespace n6vp::models {
namespace {

enum HashOffset : std::uint32_t {
    kHashCr = 0x00,
    kHashDin = 0x04,
    kHashStr = 0x08,
    kHashRa = 0x0C,
    kHashImr = 0x20,
    kHashSr = 0x24,
    kHashContext = 0xF8,
    kHashContextEnd = 0x294,
    kHashDigest = 0x310,
    kHashDigestEnd = 0x350,
};
constexpr std::uint32_t kHashInit = 1u << 2, kHashDma = 1u << 3, kHashMode = 1u << 6,
                        kHashMultiple = 1u << 13, kHashLongKey = 1u << 16;
constexpr std::uint32_t kHashCrBits = 0x001F2078, kHashCalculate = 1u << 8;
constexpr std::uint32_t kHashReady = 1, kHashDone = 2, kHashBusy = 8, kHashNotEmpty = 1u << 15;
constexpr unsigned kWordBytes = 4, kWordBits = 32;

[[nodiscard]] std::optional<Sha::Algorithm> algorithm_of(std::uint32_t control) {
    switch (control >> 17 & 0xF) {
        case 0:
            return Sha::Algorithm::Sha1;
        case 2:
            return Sha::Algorithm::Sha224;
        case 3:
            return Sha::Algorithm::Sha256;
        case 12:
            return Sha::Algorithm::Sha384;
        case 13:
            return Sha::Algorithm::Sha512Of224;
        case 14:
            return Sha::Algorithm::Sha512Of256;
        case 15:
            return Sha::Algorithm::Sha512;
        default:
            return std::nullopt;
    }
}

[[nodiscard]] const char* hash_name(std::uint32_t offset) {
    constexpr std::array<const char*, 10> kFirst{"CR",   "DIN",  "STR",  "HRA0", "HRA1",
                                                 "HRA2", "HRA3", "HRA4", "IMR",  "SR"};
    constexpr std::array<const char*, 16> kDigest{"HR0",  "HR1",  "HR2",  "HR3", "HR4",  "HR5",
                                                  "HR6",  "HR7",  "HR8",  "HR9", "HR10", "HR11",
                                                  "HR12", "HR13", "HR14", "HR15"};
    if (offset <= kHashSr) return kFirst[offset / kWordBytes];
    if (offset >= kHashContext && offset < kHashContextEnd) return "CSR";
    const bool digest = offset >= kHashDigest && offset < kHashDigestEnd;
    return digest ? kDigest[(offset - kHashDigest) / kWordBytes] : "";
}

}  // namespace

Hash::Hash(const sc_core::sc_module_name& name, const char* block, const FlagTimes& times)
    : sc_module(name),
      RegisterBlock(block),
      block_time_(std::max<Picoseconds>(1, ns_to_ps(times.hash.value * 1e3))) {
    SC_HAS_PROCESS(Hash);
    SC_METHOD(step);
    sensitive << done_;
    dont_initialize();
}

void Hash::reset() {
    control_ = start_ = enabled_ = 0;
    initialise();
    update(sc_core::sc_time_stamp().value());
}

void Hash::initialise() {
    const std::optional<Sha::Algorithm> algorithm = algorithm_of(control_);
    sha_.reset();
    if (algorithm) sha_.emplace(*algorithm);
    words_.clear();
    phase_ = Phase::Key;
    first_block_ = true;
    digest_asked_ = digest_ready_ = false;
    busy_until_ = 0;
}

void Hash::settle(Picoseconds at) {
    if (busy_until_ == 0 || busy_until_ > at) return;
    busy_until_ = 0;
    if (digest_asked_) digest_ready_ = true;
    digest_asked_ = false;
}

void Hash::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    settle(now);
    update(now);
}

void Hash::work(Picoseconds at) {
    busy_until_ = std::max(at, busy_until_) + block_time_;
}

void Hash::put(std::uint32_t word, Picoseconds at) {
    if (!sha_) return;
    // One word more than a block starts the block: the last one stays for STR.
    const std::size_t block = sha_->block_bytes() / kWordBytes;
    words_.push_back(in_message_order(word, control_ >> 4 & 3));
    const bool key = (control_ & kHashMode) != 0 && phase_ != Phase::Message;
    if (key || words_.size() <= block) return;
    for (std::size_t i = 0; i < block; ++i) {
        for (unsigned byte = kWordBytes; byte-- > 0;)
            sha_->put(static_cast<std::uint8_t>(words_[i] >> 8 * byte));
    }
    words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(block));
    first_block_ = false;
    work(at);
}

std::vector<std::uint8_t> Hash::waiting() const {
    std::vector<std::uint8_t> bytes;
    for (const std::uint32_t word : words_) {
        for (unsigned byte = kWordBytes; byte-- > 0;)
            bytes.push_back(static_cast<std::uint8_t>(word >> 8 * byte));
    }
    const unsigned last = (start_ & 0x1F) / 8;
    if (last != 0 && !bytes.empty()) bytes.resize(bytes.size() - kWordBytes + last);
    return bytes;
}

void Hash::begin_with_key(std::uint8_t pad, Picoseconds at) {
    // That of INIT: ALGO may be another one by now.
    const Sha::Algorithm algorithm = sha_->algorithm();
    std::vector<std::uint8_t> key = waiting();
    sha_.emplace(algorithm);
    const unsigned block = sha_->block_bytes();
    if ((control_ & kHashLongKey) != 0 || key.size() > block) {
        for (const std::uint8_t byte : key) sha_->put(byte);
        for (std::size_t done = 0; done <= key.size(); done += block) work(at);
        sha_->finish(0, 0);
        key = digest();
        sha_.emplace(algorithm);
    }
    key.resize(block);
    for (const std::uint8_t byte : key) sha_->put(byte ^ pad);
    words_.clear();
    work(at);
}

std::vector<std::uint8_t> Hash::digest() const {
    std::vector<std::uint8_t> bytes;
    for (unsigned i = 0; i < sha_->digest_bytes(); ++i)
        bytes.push_back(static_cast<std::uint8_t>(sha_->word(i / 4) >> (24 - i % 4 * 8)));
    return bytes;
}

void Hash::calculate_hmac(Picoseconds at) {
    // Pads of RFC 2104.
    constexpr std::uint8_t kInner = 0x36, kOuter = 0x5C;
    switch (phase_) {
        case Phase::Key:
            begin_with_key(kInner, at);
            phase_ = Phase::Message;
            break;
        case Phase::Message:
            for (const std::uint8_t byte : waiting()) sha_->put(byte);
            sha_->finish(0, 0);
            inner_ = digest();
            words_.clear();
            work(at);
            phase_ = Phase::KeyAgain;
            break;
        case Phase::KeyAgain:
            begin_with_key(kOuter, at);
            for (const std::uint8_t byte : inner_) sha_->put(byte);
            sha_->finish(0, 0);
            digest_asked_ = true;
            work(at);
            phase_ = Phase::Key;
            break;
    }
    first_block_ = true;
}

void Hash::calculate(Picoseconds at) {
    if (!sha_) return;
    if ((control_ & kHashMode) != 0) return calculate_hmac(at);
    unsigned bits = words_.empty() ? 0 : start_ & 0x1F;
    if (bits == 0 && !words_.empty()) bits = kWordBits;
    for (std::size_t i = 0; i < words_.size(); ++i) {
        const unsigned valid = i + 1 == words_.size() ? bits : kWordBits;
        for (unsigned done = 0; done + 8 <= valid; done += 8)
            sha_->put(static_cast<std::uint8_t>(words_[i] >> (kWordBits - 8 - done)));
    }
    std::uint8_t last = 0;
    if (bits % 8 != 0)
        last = static_cast<std::uint8_t>(words_.back() >> (kWordBits - 8 - bits / 8 * 8));
    sha_->finish(last, bits % 8);
    words_.clear();
    first_block_ = true;
    digest_asked_ = true;
    work(at);
}

void Hash::end_of_requests(Picoseconds at) {
    if ((control_ & (kHashDma | kHashMultiple)) != kHashDma) return;
    settle(at);
    calculate(at);
    update(at);
}

std::uint32_t Hash::status() const {
    std::uint32_t flags = busy_until_ != 0 ? kHashBusy : kHashReady;
    if (digest_ready_) flags |= kHashDone;
    if ((control_ & kHashDma) != 0) flags |= 1u << 2;
    if (!words_.empty()) flags |= kHashNotEmpty;
    flags |= (static_cast<std::uint32_t>(words_.size()) & 0x1F) << 9;
    return flags | (first_block_ ? 17u : 16u) << 16;
}

void Hash::update(Picoseconds at) {
    const std::uint32_t flags = status();
    const bool level = (flags & enabled_ & (kHashReady | kHashDone)) != 0;
    if (level != level_) {
        level_ = level;
        if (on_interrupt) on_interrupt(level);
    }
    const bool request = (control_ & kHashDma) != 0 && (flags & kHashReady) != 0;
    if (request != request_) {
        request_ = request;
        if (on_request) on_request(request, at);
    }
    done_.cancel();
    if (busy_until_ != 0) done_.notify(delay_until(busy_until_));
}

RegisterBlock::Answer Hash::read(std::uint32_t offset, Picoseconds at) {
    settle(at);
    Answer answer{.name = hash_name(offset)};
    if (offset == kHashCr) {
        answer.value = control_;
    } else if (offset == kHashStr) {
        answer.value = start_;
    } else if (offset == kHashImr) {
        answer.value = enabled_;
    } else if (offset == kHashSr) {
        answer.value = status();
    } else if (offset >= kHashRa && offset < kHashImr) {
        answer.value = digest_ready_ ? sha_->word((offset - kHashRa) / kWordBytes) : 0;
    } else if (offset >= kHashDigest && offset < kHashDigestEnd) {
        answer.value = digest_ready_ ? sha_->word((offset - kHashDigest) / kWordBytes) : 0;
    } else {
        answer.modelled = offset == kHashDin;
    }
    return answer;
}

void Hash::write_control(std::uint32_t next) {
    control_ = next & kHashCrBits;
    if ((next & kHashInit) != 0) initialise();
}

RegisterBlock::Answer Hash::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                  Picoseconds at) {
    settle(at);
    Answer answer{.name = hash_name(offset)};
    const auto merged = [&](std::uint32_t held) { return (held & ~mask) | (value & mask); };
    switch (offset) {
        case kHashCr:
            write_control(merged(control_));
            answer.modelled = (control_ & kHashMultiple) == 0 && algorithm_of(control_).has_value();
            break;
        case kHashDin:
            put(value & mask, at);
            break;
        case kHashStr:
            start_ = merged(start_) & 0x1F;
            if ((value & mask & kHashCalculate) != 0) calculate(at);
            break;
        case kHashImr:
            enabled_ = merged(enabled_) & (kHashReady | kHashDone);
            break;
        case kHashSr:
            // DINIS and DCIS are cleared by writing zero.
            if ((mask & kHashDone) != 0 && (value & kHashDone) == 0) digest_ready_ = false;
            break;
        default:
            answer.modelled = offset < kHashContext || offset >= kHashContextEnd;
            break;
    }
    update(at);
    return answer;
}

}  // namespace n6vp::models

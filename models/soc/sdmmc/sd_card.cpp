// SPDX-License-Identifier: Apache-2.0
#include "models/soc/sdmmc/sd_card.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/duration.h"

namespace n6vp::models::sdmmc {

namespace {

/// Commands by their index; those after APP_CMD begin with kApp.
enum CardCommand : unsigned {
    kGoIdle = 0,
    kAllSendCid = 2,
    kSendAddress = 3,
    kSwitchFunction = 6,
    kSelect = 7,
    kSendCondition = 8,
    kSendCsd = 9,
    kSendCid = 10,
    kStop = 12,
    kSendStatus = 13,
    kGoInactive = 15,
    kBlockLength = 16,
    kReadOne = 17,
    kReadSeveral = 18,
    kBlockCount = 23,
    kWriteOne = 24,
    kWriteSeveral = 25,
    kEraseFirst = 32,
    kEraseLast = 33,
    kErase = 38,
    kApplication = 55,
    kAppBusWidth = 6,
    kAppStatus = 13,
    kAppWrittenBlocks = 22,
    kAppEraseCount = 23,
    kAppOperatingCondition = 41,
    kAppCardDetect = 42,
    kAppConfiguration = 51,
};

// Card status.
constexpr std::uint32_t kOutOfRange = 1u << 31, kBlockLengthError = 1u << 29,
                        kEraseSequenceError = 1u << 28, kEraseParameter = 1u << 27,
                        kIllegalCommand = 1u << 22, kEraseReset = 1u << 13, kReadyForData = 1u << 8,
                        kAppCommand = 1u << 5;
// Operating conditions: 2.7 to 3.6 V, high capacity, power-up is done.
constexpr std::uint32_t kVoltages = 0x00FF8000, kHighCapacity = 1u << 30, kPowerUp = 1u << 31;
constexpr std::uint8_t kNoIndex = 63;

/// Puts a value where the specification counts bits of 128 down from the first.
void put(Card::Registers& words, unsigned low, std::uint32_t value) {
    words[3 - low / 32] |= value << low % 32;
    if (low % 32 != 0 && low / 32 < 3) words[2 - low / 32] |= value >> (32 - low % 32);
}

/// CRC7 with the end bit, of bits 127 to 8.
void seal(Card::Registers& words) {
    std::uint32_t crc = 0;
    constexpr std::uint32_t kPolynomial = 0x09;
    for (unsigned bit = 127; bit >= 8; --bit) {
        const std::uint32_t in = words[3 - bit / 32] >> bit % 32 & 1;
        const bool carry = ((crc >> 6) ^ in) != 0;
        crc = (crc << 1 ^ (carry ? kPolynomial : 0)) & 0x7F;
    }
    words[3] = (words[3] & ~0xFFu) | crc << 1 | 1;
}

/// A card of no maker: product "N6VP " of January 2024.
[[nodiscard]] Card::Registers cid() {
    Card::Registers words{};
    put(words, 104, 'N' << 8 | '6');
    for (unsigned i = 0; i < 5; ++i) put(words, 96 - 8 * i, static_cast<std::uint8_t>("N6VP "[i]));
    put(words, 56, 0x10);
    put(words, 24, 1);
    put(words, 8, 24 << 4 | 1);
    seal(words);
    return words;
}

}  // namespace

Card::Card(std::vector<std::uint8_t> contents, const SdCardParameters& parameters)
    : contents_(std::move(contents)),
      parameters_(parameters),
      blocks_((contents_.size() + kUnit - 1) / kUnit * (kUnit / kBlock)) {
    if (contents_.empty() || contents_.size() % kBlock != 0 || contents_.size() > kMost)
        throw std::logic_error("no contents of an SD card");
}

void Card::power_on() {
    state_ = after_ = State::Idle;
    errors_ = 0;
    application_ = false;
    address_ = addresses_ = 0;
    ready_at_ = 0;
    lines_ = 1;
    fast_ = false;
    busy_until_ = 0;
    sends_at_ = kNever;
    special_.clear();
    several_ = false;
    count_ = left_ = well_written_ = 0;
    erase_step_ = 0;
}

// Contents -----------------------------------------------------------------------------------

Card::Block Card::block(std::uint64_t number) const {
    Block result{};
    if (const auto found = written_.find(number); found != written_.end()) return found->second;
    const std::uint64_t start = number * kBlock;
    if (start < contents_.size())
        std::copy_n(contents_.begin() + static_cast<std::ptrdiff_t>(start), kBlock, result.begin());
    return result;
}

std::vector<std::uint8_t> Card::send(Picoseconds end) {
    sends_at_ = kNever;
    if (!special_.empty()) {
        state_ = State::Transfer;
        return std::exchange(special_, {});
    }
    const Block bytes = block(next_++);
    const bool last = !several_ || (left_ != 0 && --left_ == 0);
    if (last) {
        state_ = State::Transfer;
    } else if (next_ < blocks_) {
        sends_at_ = end;
    } else {
        errors_ |= kOutOfRange;
    }
    return {bytes.begin(), bytes.end()};
}

bool Card::receive(std::span<const std::uint8_t> bytes, bool whole, Picoseconds at) {
    settle(at);
    if (state_ != State::Receive) return false;
    const bool good = whole && bytes.size() == kBlock && next_ < blocks_;
    if (good) {
        std::copy(bytes.begin(), bytes.end(), written_[next_++].begin());
        ++well_written_;
    } else if (next_ >= blocks_) {
        errors_ |= kOutOfRange;
    }
    const bool last = !several_ || (good && left_ != 0 && --left_ == 0);
    if (last) {
        busy(parameters_.program, at, State::Transfer);
    } else if (good) {
        busy(parameters_.write_busy, at, State::Receive);
    }
    return good;
}

// States -------------------------------------------------------------------------------------

void Card::settle(Picoseconds at) {
    if (busy_until_ == 0 || at < busy_until_) return;
    busy_until_ = 0;
    if (state_ == State::Program) state_ = after_;
    if (state_ == State::Disconnect) state_ = State::StandBy;
}

void Card::busy(const Parameter& time, Picoseconds at, State after) {
    busy_until_ = at + std::max<Picoseconds>(1, ns_to_ps(time.value * 1e3));
    state_ = after == State::Receive ? State::Receive : State::Program;
    after_ = after;
}

Card::Response Card::illegal() {
    errors_ |= kIllegalCommand;
    return {};
}

Card::Response Card::status(unsigned index) {
    std::uint32_t word = std::exchange(errors_, 0) | static_cast<std::uint32_t>(state_) << 9;
    if (busy_until_ == 0) word |= kReadyForData;
    if (application_) word |= kAppCommand;
    return {Response::Kind::Short, static_cast<std::uint8_t>(index), {word}};
}

Card::Response Card::long_response(const Registers& words) const {
    return {Response::Kind::Long, kNoIndex, words};
}

Card::Response Card::command(unsigned index, std::uint32_t argument, Picoseconds at) {
    settle(at);
    if (state_ == State::Inactive) return {};
    const bool erases = index >= kEraseFirst && index <= kErase;
    if (erase_step_ != 0 && !erases && index != kSendStatus && index != kApplication) {
        erase_step_ = 0;
        errors_ |= kEraseReset;
    }
    // A second APP_CMD takes the place of the first.
    if (!application_ || index == kApplication) {
        application_ = false;
        return respond(index, argument, at);
    }
    // APP_CMD stands in the status of the application command itself, too.
    const Response response = application(index, argument, at);
    application_ = false;
    return response;
}

Card::Response Card::respond(unsigned index, std::uint32_t argument, Picoseconds at) {
    const bool known = state_ >= State::StandBy && state_ <= State::Disconnect;
    switch (index) {
        case kGoIdle:
            power_on();
            return {};
        case kSendCondition:
            if (state_ != State::Idle) return illegal();
            // Only 2.7 to 3.6 V; another voltage has no response.
            if ((argument >> 8 & 0xF) != 1) return {};
            return {Response::Kind::Short, kSendCondition, {argument & 0xFFF}};
        case kAllSendCid:
            if (state_ != State::Ready) return illegal();
            state_ = State::Identification;
            return long_response(cid());
        case kSendAddress:
            return publish_address();
        case kSelect:
            return select(argument, at);
        case kSendCsd:
        case kSendCid:
            if (!addressed(argument)) return {};
            if (state_ != State::StandBy) return illegal();
            return long_response(index == kSendCsd ? csd() : cid());
        case kStop:
            return stop(at);
        case kSendStatus:
            if (!addressed(argument)) return {};
            return known ? status(index) : illegal();
        case kGoInactive:
            if (known && addressed(argument)) state_ = State::Inactive;
            return {};
        case kApplication:
            if (state_ != State::Idle && !known) return illegal();
            if (!addressed(argument)) return {};
            application_ = true;
            return status(index);
        default:
            return state_ == State::Transfer ? transfer(index, argument, at) : illegal();
    }
}

Card::Response Card::application(unsigned index, std::uint32_t argument, Picoseconds at) {
    if (index == kAppOperatingCondition) return operating_condition(argument, at);
    const bool in_transfer = state_ == State::Transfer;
    switch (index) {
        case kAppBusWidth:
            if (!in_transfer) return illegal();
            if ((argument & 3) == 0) lines_ = 1;
            if ((argument & 3) == 2) lines_ = 4;
            return status(index);
        case kAppStatus:
            return in_transfer ? give(index, card_status(), at) : illegal();
        case kAppWrittenBlocks: {
            const std::uint32_t count = well_written_;
            return in_transfer ? give(index,
                                      {static_cast<std::uint8_t>(count >> 24),
                                       static_cast<std::uint8_t>(count >> 16),
                                       static_cast<std::uint8_t>(count >> 8),
                                       static_cast<std::uint8_t>(count)},
                                      at)
                               : illegal();
        }
        case kAppEraseCount:
        case kAppCardDetect:
            return in_transfer ? status(index) : illegal();
        case kAppConfiguration:
            // Version 3.0, blocks are zero after an erase, 1 and 4 lines, SET_BLOCK_COUNT.
            return in_transfer ? give(index, {0x02, 0x05, 0x80, 0x02, 0, 0, 0, 0}, at) : illegal();
        default:
            return respond(index, argument, at);
    }
}

Card::Response Card::operating_condition(std::uint32_t argument, Picoseconds at) {
    if (state_ != State::Idle) return illegal();
    const auto answer = [](std::uint32_t word) {
        return Response{Response::Kind::ShortWithoutCrc, kNoIndex, {word}};
    };
    // Without a voltage it is a question only.
    if ((argument & kVoltages) == 0) return answer(kVoltages);
    if (ready_at_ == 0) {
        ready_at_ = at + std::max<Picoseconds>(1, ns_to_ps(parameters_.initialisation.value * 1e3));
    }
    // A host that does not know high capacity never sees it ready.
    if (at < ready_at_ || (argument & kHighCapacity) == 0) return answer(kVoltages);
    state_ = State::Ready;
    return answer(kPowerUp | kHighCapacity | kVoltages);
}

Card::Response Card::publish_address() {
    if (state_ != State::Identification && state_ != State::StandBy) return illegal();
    address_ = ++addresses_ & 0xFFFF;
    if (address_ == 0) address_ = 1;
    const std::uint32_t word = status(kSendAddress).words[0];
    state_ = State::StandBy;
    // Of the status it has bits 23, 22, 19 and 12 to 0.
    const std::uint32_t part = (word >> 8 & 0xC000) | (word >> 6 & 0x2000) | (word & 0x1FFF);
    return {Response::Kind::Short, kSendAddress, {address_ << 16 | part}};
}

Card::Response Card::select(std::uint32_t argument, Picoseconds at) {
    if (addressed(argument) && address_ != 0) {
        if (state_ != State::StandBy && state_ != State::Disconnect) return illegal();
        const Response response = status(kSelect);
        state_ = state_ == State::Disconnect ? State::Program : State::Transfer;
        return response;
    }
    if (state_ == State::Transfer || state_ == State::Data) {
        sends_at_ = kNever;
        state_ = State::StandBy;
    } else if (state_ == State::Program) {
        state_ = at < busy_until_ ? State::Disconnect : State::StandBy;
    }
    return {};
}

Card::Response Card::stop(Picoseconds at) {
    if (state_ == State::Data) {
        const Response response = status(kStop);
        sends_at_ = kNever;
        state_ = State::Transfer;
        return response;
    }
    if (state_ == State::Receive) {
        const Response response = status(kStop);
        busy(parameters_.program, std::max(at, busy_until_), State::Transfer);
        return response;
    }
    return illegal();
}

Card::Response Card::give(unsigned index, std::vector<std::uint8_t> bytes, Picoseconds at) {
    const Response response = status(index);
    special_ = std::move(bytes);
    sends_at_ = at + ns_to_ps(parameters_.read_access.value * 1e3);
    state_ = State::Data;
    return response;
}

Card::Response Card::transfer(unsigned index, std::uint32_t argument, Picoseconds at) {
    const std::uint32_t count = std::exchange(count_, 0);
    switch (index) {
        case kSwitchFunction:
            return give(index, switch_function(argument), at);
        case kBlockLength:
            // Memory is accessed in blocks of 512 all the same.
            if (argument > kBlock) errors_ |= kBlockLengthError;
            return status(index);
        case kBlockCount:
            count_ = argument;
            return status(index);
        case kReadOne:
        case kReadSeveral:
        case kWriteOne:
        case kWriteSeveral:
            break;
        case kEraseFirst:
        case kEraseLast:
        case kErase:
            return erase(index, argument, at);
        default:
            return illegal();
    }
    if (argument >= blocks_) {
        errors_ |= kOutOfRange;
        return status(index);
    }
    const Response response = status(index);
    next_ = argument;
    several_ = index == kReadSeveral || index == kWriteSeveral;
    left_ = several_ ? count : 0;
    if (index == kReadOne || index == kReadSeveral) {
        state_ = State::Data;
        sends_at_ = at + ns_to_ps(parameters_.read_access.value * 1e3);
    } else {
        state_ = State::Receive;
        well_written_ = 0;
    }
    return response;
}

Card::Response Card::erase(unsigned index, std::uint32_t argument, Picoseconds at) {
    const unsigned wanted = index == kEraseFirst ? 0 : index == kEraseLast ? 1 : 2;
    if (wanted != 0 && erase_step_ != wanted) {
        erase_step_ = 0;
        errors_ |= kEraseSequenceError;
        return status(index);
    }
    if (index != kErase && argument >= blocks_) {
        erase_step_ = 0;
        errors_ |= kOutOfRange;
        return status(index);
    }
    if (index == kEraseFirst) erase_first_ = argument;
    if (index == kEraseLast) erase_last_ = argument;
    if (index != kErase) {
        erase_step_ = wanted + 1;
        return status(index);
    }
    erase_step_ = 0;
    if (erase_last_ < erase_first_) {
        errors_ |= kEraseParameter;
        return status(index);
    }
    const Response response = status(index);
    const Block zero{};
    for (std::uint64_t i = erase_first_; i <= erase_last_; ++i) {
        // What is zero needs no record: a whole card may be erased.
        if (block(i) != zero) written_[i] = zero;
    }
    busy(parameters_.erase, at, State::Transfer);
    return response;
}

// Registers ----------------------------------------------------------------------------------

Card::Registers Card::csd() const {
    constexpr std::uint32_t kClasses = 0x535;  // basic, block read and write, erase, app, switch
    Registers words{};
    put(words, 126, 1);
    put(words, 112, 0x0E);
    put(words, 96, fast_ ? 0x5A : 0x32);  // 50 or 25 MHz
    put(words, 84, kClasses);
    put(words, 80, 9);
    put(words, 48, static_cast<std::uint32_t>(blocks_ * kBlock / kUnit - 1));
    put(words, 46, 1);
    put(words, 39, 0x7F);
    put(words, 26, 2);
    put(words, 22, 9);
    seal(words);
    return words;
}

std::vector<std::uint8_t> Card::card_status() const {
    constexpr std::size_t kBytes = 64;
    std::vector<std::uint8_t> bytes(kBytes);
    bytes[0] = lines_ == 4 ? 0x80 : 0;
    bytes[8] = 2;      // speed class 4
    bytes[10] = 0x90;  // allocation unit of 4 MB
    return bytes;
}

/// Function group 1 has the functions 0 (default speed) and 1 (high speed), the others only 0.
std::vector<std::uint8_t> Card::switch_function(std::uint32_t argument) {
    constexpr std::size_t kBytes = 64;
    constexpr unsigned kGroups = 6, kKeep = 0xF;
    std::vector<std::uint8_t> bytes(kBytes);
    bytes[1] = 200;  // mA
    bool possible = true;
    for (unsigned group = 0; group < kGroups; ++group) {
        const unsigned wanted = argument >> 4 * group & 0xF;
        const bool has_it = wanted == kKeep || wanted <= (group == 0 ? 1u : 0u);
        possible = possible && has_it;
        const std::size_t support = 13 - std::size_t{2} * group;
        bytes[support] = group == 0 ? 3 : 1;
        bytes[support - 1] = 0x80;
        const unsigned kept = group == 0 && fast_ ? 1 : 0;
        const unsigned chosen = wanted == kKeep ? kept : has_it ? wanted : kKeep;
        bytes[16 - group / 2] |= static_cast<std::uint8_t>(chosen << 4 * (group % 2));
    }
    constexpr std::uint32_t kSet = 1u << 31;
    if ((argument & kSet) != 0 && possible && (argument & 0xF) != kKeep)
        fast_ = (argument & 0xF) == 1;
    return bytes;
}

}  // namespace n6vp::models::sdmmc

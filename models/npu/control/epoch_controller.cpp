// SPDX-License-Identifier: Apache-2.0
#include "models/npu/control/epoch_controller.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "loader/ec_container.h"
#include "memmap/npu/units.h"

namespace n6vp::models::npu {

namespace {

using loader::ec::Opcode;
using Reason = EpochFaultReason;

constexpr std::uint64_t kHeaderWords = 2;
constexpr std::uint64_t kFetchBytes = 8;

std::uint32_t mask_of(unsigned msb, unsigned lsb) {
    const std::uint64_t below_msb = (std::uint64_t{2} << msb) - 1;
    return static_cast<std::uint32_t>(below_msb & ~((std::uint64_t{1} << lsb) - 1));
}

bool leaves_page(const loader::ec::Instruction& burst) {
    const std::uint32_t last = burst.offset() + 4 * burst.burst();
    return burst.opcode() == Opcode::BurstIncrement && last > memmap::npu::kPageBytes;
}

}  // namespace

const char* text_of(EpochFaultReason reason) {
    switch (reason) {
        case Reason::Magic:
            return "does not begin with the magic word of a blob";
        case Reason::Misaligned:
            return "is not aligned to 8 bytes";
        case Reason::Encrypted:
            return "is encrypted, which is not modelled";
        case Reason::AddressSpace:
            return "exceeds the address space";
        case Reason::Fetch:
            return "lies in memory that answers with an error";
        case Reason::UnknownOpcode:
            return "has an instruction with an unknown opcode";
        case Reason::Truncated:
            return "ends within an instruction";
        case Reason::BitRange:
            return "names a field whose upper bit is below its lower bit";
        case Reason::PageEnd:
            return "has a burst beyond the registers of its unit";
        case Reason::Register:
            return "accesses a register of no unit";
    }
    return "";
}

std::uint32_t irq_bit_of(EpochFaultReason reason) {
    using memmap::npu::field;
    using memmap::npu::kEpochctrl;
    switch (reason) {
        case Reason::Magic:
            return field(kEpochctrl, "IRQ.ERR_START").mask();
        case Reason::UnknownOpcode:
            return field(kEpochctrl, "IRQ.ERR_UNKOP").mask();
        case Reason::AddressSpace:
        case Reason::Fetch:
        case Reason::Register:
            return field(kEpochctrl, "IRQ.ERR_BUSPORT").mask();
        case Reason::Misaligned:
        case Reason::Encrypted:
        case Reason::Truncated:
        case Reason::BitRange:
        case Reason::PageEnd:
            break;
    }
    return field(kEpochctrl, "IRQ.ERR_CONF").mask();
}

EpochController::EpochController(const EpochControllerParameters& parameters,
                                 EpochControllerBus& bus)
    : parameters_(parameters), bus_(bus) {}

void EpochController::start(const EpochStart& how) {
    clear();
    running_ = true;
    single_step_ = how.single_step;
    cycle_ = how.cycle;
    interval_ = static_cast<Picoseconds>(
        std::llround(parameters_.fetch_cycles.value * static_cast<double>(how.cycle)));
    blob_ = how.address;
    time_ = fetch_free_ = how.at;
    if (blob_ % kFetchBytes != 0) {
        fail_at(Reason::Misaligned, 0, 0);
    } else if (how.encrypted) {
        fail_at(Reason::Encrypted, 0, 0);
    }
    find_due();
}

void EpochController::clear() {
    stop();
    next_fetch_ = 0;
    blob_bytes_ = 4 * kHeaderWords;
    fetch_failed_ = irq_raised_ = false;
    position_ = 0;
    label_ = executed_ = 0;
    counters_ = {};
}

void EpochController::stop() {
    ++run_;
    running_ = polling_ = allowed_ = false;
    fetched_.clear();
    used_ = at_hand_.size();
    words_left_ = 0;
    due_ = kNever;
}

void EpochController::allow_one(Picoseconds at) {
    if (!running_ || !single_step_) return;
    if (waits_for_step()) time_ = std::max(time_, at);
    allowed_ = true;
    find_due();
}

void EpochController::look_again(Picoseconds at) {
    if (!polling_) return;
    look_at_ = std::min(look_at_, std::max(at, poll_since_));
    find_due();
}

bool EpochController::waits_for_step() const {
    return single_step_ && !allowed_ && !polling_ && words_left_ == 0 && position_ >= kHeaderWords;
}

Picoseconds EpochController::execution_due() const {
    if (polling_) return look_at_;
    if (waits_for_step()) return kNever;
    if (used_ < at_hand_.size()) return time_;
    return fetched_.empty() ? kNever : std::max(time_ + interval_, fetched_.front().done);
}

Picoseconds EpochController::fetch_due() const {
    if (next_fetch_ >= blob_bytes_ || fetch_failed_) return kNever;
    const double ahead = std::max(1.0, parameters_.prefetch.value);
    return static_cast<double>(fetched_.size()) < ahead ? fetch_free_ : kNever;
}

void EpochController::find_due() {
    due_ = running_ ? std::min(execution_due(), fetch_due()) : kNever;
}

void EpochController::act() {
    if (due() == kNever) return;
    if (fetch_due() < execution_due()) {
        fetch();
    } else if (polling_) {
        look();
    } else if (used_ < at_hand_.size() || take_pair()) {
        take(at_hand_[used_++]);
    }
    find_due();
}

void EpochController::fetch() {
    Pair pair;
    pair.offset = next_fetch_;
    pair.done = fetch_free_;
    const std::uint64_t address = blob_ + next_fetch_;
    if (address > std::numeric_limits<std::uint32_t>::max()) {
        pair.fault = Reason::AddressSpace;
    } else {
        const auto answer = bus_.fetch(static_cast<std::uint32_t>(address), fetch_free_);
        ++counters_.fetches;
        pair.words = answer.words;
        pair.done = answer.done;
        if (!answer.ok) pair.fault = Reason::Fetch;
    }
    fetch_failed_ = pair.fault.has_value();
    fetch_free_ += cycle_;
    if (next_fetch_ == 0) {
        // How much there is to fetch is known when the header has come.
        fetch_free_ = std::max(fetch_free_, pair.done);
        if (!fetch_failed_ && pair.words[0] == loader::ec::kBlobMagic)
            blob_bytes_ = 4 * (kHeaderWords + pair.words[1]);
    }
    next_fetch_ += kFetchBytes;
    fetched_.push_back(pair);
}

/// Returns false if the fetch failed.
bool EpochController::take_pair() {
    const Pair pair = fetched_.front();
    fetched_.pop_front();
    time_ = std::max(time_ + interval_, pair.done);
    fetch_free_ = std::max(fetch_free_, time_);
    if (pair.fault) {
        fail_at(*pair.fault, pair.offset, 0);
        return false;
    }
    at_hand_ = pair.words;
    used_ = 0;
    return true;
}

void EpochController::take(std::uint32_t word) {
    const std::uint64_t position = position_++;
    if (position == 0) {
        if (word != loader::ec::kBlobMagic) fail_at(Reason::Magic, 0, word);
    } else if (position >= kHeaderWords) {
        if (words_left_ == 0) {
            first_offset_ = 4 * position;
            begin(word);
        } else {
            operand(word);
        }
    }
    // A program may have started the controller anew: then it is at the beginning.
    if (running_ && !polling_ && at_end()) end();
}

void EpochController::begin(std::uint32_t word) {
    first_ = {word};
    const Opcode opcode = first_.opcode();
    if (first_.words() == 0) {
        fail(Reason::UnknownOpcode);
    } else if ((opcode == Opcode::Write || opcode == Opcode::Poll) && first_.msb() < first_.lsb()) {
        fail(Reason::BitRange);
    } else if (leaves_page(first_)) {
        fail(Reason::PageEnd);
    } else {
        assume_about(first_);
        words_left_ = first_.words() - 1;
        if (words_left_ == 0) execute_single();
    }
}

void EpochController::operand(std::uint32_t word) {
    --words_left_;
    const std::uint32_t before = first_.words() - 2 - words_left_;  // operands
    if (words_left_ == 0) complete();
    switch (first_.opcode()) {
        case Opcode::Write:
            write_bits(first_.msb(), first_.lsb(), word);
            break;
        case Opcode::Burst:
            write(first_.offset(), word);
            break;
        case Opcode::BurstIncrement:
            write(first_.offset() + 4 * before, word);
            break;
        case Opcode::Poll:
            if (words_left_ != 0) {
                assume_if(word != loader::ec::kPollOperand, "poll, word 1",
                          "what it means, and any value but 100");
            } else {
                assume_if(word != 0, "poll for anything but 0",
                          "whether the expected value is shifted to the field");
                begin_poll(word);
            }
            break;
        case Opcode::WriteField:
        case Opcode::Irq:
        case Opcode::Label:
            break;  // have no operands
    }
}

void EpochController::complete() {
    ++executed_;
    allowed_ = false;
}

void EpochController::execute_single() {
    complete();
    if (first_.opcode() == Opcode::WriteField) {
        const unsigned msb = std::min(31u, first_.lsb() + first_.field_width() - 1);
        write_bits(msb, first_.lsb(), first_.field_value());
    } else if (first_.opcode() == Opcode::Irq) {
        irq_raised_ = true;
        if (on_irq) on_irq(time_);
    } else if (first_.opcode() == Opcode::Label) {
        label_ = first_.number();
        if (on_label) on_label(label_, time_);
    }
}

void EpochController::write(std::uint32_t offset, std::uint32_t value) {
    const std::uint64_t run = run_;
    ++counters_.writes;
    const bool taken = bus_.write_register(first_.ip(), offset, value, time_);
    if (!taken && run == run_) fail(Reason::Register);
}

void EpochController::write_bits(unsigned msb, unsigned lsb, std::uint32_t bits) {
    const std::uint32_t mask = mask_of(msb, lsb);
    std::uint32_t value = (bits << lsb) & mask;
    if (mask != mask_of(31, 0)) {
        const auto old = bus_.read_register(first_.ip(), first_.offset(), time_);
        if (!old.ok) {
            fail(Reason::Register);
            return;
        }
        value |= old.word & ~mask;
    }
    write(first_.offset(), value);
}

void EpochController::begin_poll(std::uint32_t expected) {
    ++counters_.polls;
    const std::uint32_t mask = mask_of(first_.msb(), first_.lsb());
    poll_ = {first_.ip(), first_.offset(), mask, (expected << first_.lsb()) & mask};
    poll_since_ = look_at_ = time_;
    polling_ = true;
    watches_ = false;
}

void EpochController::look() {
    const Picoseconds at = look_at_;
    look_at_ = kNever;
    const auto value = bus_.read_register(poll_.ip, poll_.offset, at);
    if (!value.ok) {
        fail(Reason::Register);
        return;
    }
    if ((value.word & poll_.mask) != poll_.expected) {
        watches_ = value.changes;
        if (watches_) look_at_ = at + cycle_;
        return;
    }
    polling_ = false;
    time_ = std::max(time_, at);
    counters_.polled += time_ - poll_since_;
    if (at_end()) end();
}

void EpochController::end() {
    if (words_left_ != 0) {
        fail(Reason::Truncated);
    } else {
        stop();
    }
}

void EpochController::assume_if(bool condition, const char* feature, const char* unknown) {
    if (condition && on_assumption) on_assumption({"EPOCHCTRL", feature, unknown}, first_offset_);
}

void EpochController::assume_about(const Instruction& first) {
    assume_if(irq_raised_, "instructions after irq", "whether irq ends the program");
    switch (first.opcode()) {
        case Opcode::Write:
            assume_if(mask_of(first.msb(), first.lsb()) != mask_of(31, 0), "write to a part",
                      "whether the rest of the register is kept");
            break;
        case Opcode::WriteField:
            assume_if(first.field_is_wide(), "writefield of more than one bit",
                      "where width and value lie");
            break;
        case Opcode::Burst:
        case Opcode::BurstIncrement:
            assume_if(first.burst() == 0, "burst of no words", "whether it is legal");
            return;
        case Opcode::Irq:
            assume_if(first.number() != 0, "irq with a number", "what the number does");
            break;
        case Opcode::Poll:
        case Opcode::Label:
            break;
    }
    const bool bit_15 = first.opcode() == Opcode::Write || first.opcode() == Opcode::Poll;
    assume_if(bit_15 && first.reserved_bit() != 0, "bit 15 of write and poll", "what it does");
}

void EpochController::fail(EpochFaultReason reason) {
    fail_at(reason, first_offset_, first_.word);
}

void EpochController::fail_at(EpochFaultReason reason, std::uint64_t offset, std::uint32_t word) {
    const EpochFault fault{reason, blob_, offset, word, label_, time_};
    stop();
    if (on_fault) on_fault(fault);
}

}  // namespace n6vp::models::npu

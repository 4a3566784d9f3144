// SPDX-License-Identifier: Apache-2.0
// Registers, commands and time of the SDMMC.
#include "models/soc/sdmmc/sdmmc_controller.h"

#include <algorithm>
#include <utility>

#include "models/soc/sdmmc/sdmmc_registers.h"

namespace n6vp::models::sdmmc {

namespace {

struct SdmmcName {
    std::uint32_t offset;
    const char* name;
};
constexpr SdmmcName kSdmmcNames[] = {
    {kPower, "POWER"},
    {kClkcr, "CLKCR"},
    {kArgr, "ARGR"},
    {kCmdr, "CMDR"},
    {kRespcmdr, "RESPCMDR"},
    {kResp1r, "RESP1R"},
    {kResp1r + 4, "RESP2R"},
    {kResp1r + 8, "RESP3R"},
    {kResp1r + 12, "RESP4R"},
    {kDtimer, "DTIMER"},
    {kDlenr, "DLENR"},
    {kDctrl, "DCTRL"},
    {kDcntr, "DCNTR"},
    {kStar, "STAR"},
    {kIcr, "ICR"},
    {kMaskr, "MASKR"},
    {kAcktimer, "ACKTIMER"},
    {kFifothrr, "FIFOTHRR"},
    {kIdmactrlr, "IDMACTRLR"},
    {kIdmabsizer, "IDMABSIZER"},
    {kIdmabaser, "IDMABASER"},
    {kIdmalar, "IDMALAR"},
    {kIdmabar, "IDMABAR"},
};

[[nodiscard]] bool is_fifo(std::uint32_t offset) {
    return offset >= kFifor && offset < kFiforEnd;
}

[[nodiscard]] const char* sdmmc_name(std::uint32_t offset) {
    if (is_fifo(offset)) return "FIFOR";
    for (const SdmmcName& each : kSdmmcNames) {
        if (each.offset == offset) return each.name;
    }
    return "";
}

}  // namespace

Controller::Controller(const sc_core::sc_module_name& name, const char* block,
                       const SdmmcParameters& parameters)
    : sc_module(name), RegisterBlock(block), port("to"), parameters_(parameters) {
    SC_HAS_PROCESS(Controller);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
}

void Controller::reset() {
    power_ = clock_ = argument_ = command_ = responded_ = 0;
    response_ = {};
    timer_ = length_ = control_ = flags_ = mask_ = acknowledge_ = threshold_ = 0;
    dma_control_ = dma_size_ = dma_base_ = dma_link_ = dma_list_ = 0;
    command_phase_ = CommandPhase::Idle;
    command_due_ = kNever;
    busy_counts_ = false;
    remaining_ = 0;
    fifo_.clear();
    end_data(0);
    update(sc_core::sc_time_stamp().value());
}

// Time ---------------------------------------------------------------------------------------

Picoseconds Controller::clocks(double count) const {
    const std::uint32_t divider = clock_ & 0x3FF;
    const double hz = divider == 0 ? kernel_hz_ : kernel_hz_ / (2.0 * divider);
    return std::max<Picoseconds>(1, cycles_to_ps(count, hz));
}

void Controller::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    settle(now);
    update(now);
}

void Controller::settle(Picoseconds at) {
    for (Picoseconds due = std::min(command_due_, data_due_); due <= at;
         due = std::min(command_due_, data_due_)) {
        if (command_due_ <= data_due_) {
            advance_command();
        } else {
            advance_data();
        }
    }
    if (!busy_counts_ || card_->busy_until() > at) return;
    busy_counts_ = false;
    flags_ |= kBusyd0End;
}

/// Without interrupts and internal DMA nobody notices anything before the next access.
void Controller::update(Picoseconds at) {
    level_.set((status(at) & mask_) != 0, on_interrupt);
    next_.cancel();
    if (mask_ == 0 && !moves_itself()) return;
    Picoseconds due = std::min(command_due_, data_due_);
    if (busy_counts_) due = std::min(due, card_->busy_until());
    if (due != kNever) next_.notify(delay_until(due));
}

// Commands -----------------------------------------------------------------------------------

void Controller::write_command(std::uint32_t value, Picoseconds at) {
    const bool starts = (value & kCpsmEnable) != 0 && command_phase_ == CommandPhase::Idle;
    command_ = value & ~kCpsmEnable;
    if (!starts) return;
    constexpr double kCommandBits = 48;
    command_phase_ = CommandPhase::Send;
    command_due_ = clocked() ? at + clocks(kCommandBits) : kNever;
}

void Controller::advance_command() {
    const Picoseconds at = std::exchange(command_due_, kNever);
    switch (std::exchange(command_phase_, CommandPhase::Idle)) {
        case CommandPhase::Send:
            command_sent(at);
            break;
        case CommandPhase::Respond:
            response_received(at);
            break;
        case CommandPhase::NoResponse:
            flags_ |= kCtimeout;
            break;
        case CommandPhase::Idle:
            break;
    }
}

void Controller::command_sent(Picoseconds at) {
    constexpr double kTimeOut = 64, kShortBits = 48, kLongBits = 136;
    using Kind = Card::Response::Kind;
    card_response_ =
        card_ == nullptr ? Card::Response{} : card_->command(command_ & kCmdIndex, argument_, at);
    if ((command_ & kCmdStop) != 0 && data_phase_ != DataPhase::Idle) end_data(kDabort);
    if (data_phase_ == DataPhase::AwaitBlock) await_block(at);
    if (wait_response(command_) == 0) {
        flags_ |= kCmdSent;
    } else if (card_response_.kind == Kind::None) {
        command_phase_ = CommandPhase::NoResponse;
        command_due_ = at + clocks(kTimeOut);
    } else {
        const double bits = card_response_.kind == Kind::Long ? kLongBits : kShortBits;
        command_phase_ = CommandPhase::Respond;
        command_due_ = at + clocks(parameters_.response_gap.value + bits);
    }
}

void Controller::response_received(Picoseconds at) {
    using Kind = Card::Response::Kind;
    constexpr std::uint32_t kShort = 1, kLong = 3;
    const std::uint32_t awaited = wait_response(command_);
    const Kind kind = card_response_.kind;
    responded_ = card_response_.index;
    response_ = card_response_.words;
    if (kind == Kind::Long) response_[3] &= ~1u;
    const bool wrong_length = (kind == Kind::Long) != (awaited == kLong);
    const bool without_crc = kind == Kind::ShortWithoutCrc && awaited == kShort;
    flags_ |= wrong_length || without_crc ? kCcrcFail : kCmdrEnd;
    busy_counts_ = card_->busy_until() > at;
    if ((command_ & kCmdTrans) != 0) start_data(at);
}

// Registers ----------------------------------------------------------------------------------

std::uint32_t Controller::status(Picoseconds at) const {
    std::uint32_t status = flags_;
    if (command_phase_ != CommandPhase::Idle) status |= kCpsmActive;
    if (card_ != nullptr && card_->busy_until() > at) status |= kBusyd0;
    if (data_phase_ == DataPhase::Idle) return status;
    status |= kDpsmActive;
    const std::size_t held = fifo_.size();
    const bool full = held + kWordBytes > kFifoBytes;
    if (from_card_) {
        if (held >= kFifoBytes / 2) status |= kRxFifoHalfFull;
        if (full) status |= kRxFifoFull;
        if (held == 0) status |= kRxFifoEmpty;
    } else {
        if (held <= kFifoBytes / 2) status |= kTxFifoHalfEmpty;
        if (full) status |= kTxFifoFull;
        if (held == 0) status |= kTxFifoEmpty;
    }
    return status;
}

std::uint32_t Controller::value_of(std::uint32_t offset, Picoseconds at) const {
    switch (offset) {
        case kPower:
            return power_;
        case kClkcr:
            return clock_;
        case kArgr:
            return argument_;
        case kCmdr:
            return command_;
        case kRespcmdr:
            return responded_;
        case kDtimer:
            return timer_;
        case kDlenr:
            return length_;
        case kDctrl:
            return control_;
        case kDcntr:
            return remaining_;
        case kStar:
            return status(at);
        case kMaskr:
            return mask_;
        case kAcktimer:
            return acknowledge_;
        case kFifothrr:
            return threshold_;
        case kIdmactrlr:
            return dma_control_;
        case kIdmabsizer:
            return dma_size_;
        case kIdmabaser:
            return dma_base_;
        case kIdmalar:
            return dma_link_;
        case kIdmabar:
            return dma_list_;
        default:
            return offset >= kResp1r && offset < kDtimer ? response_[(offset - kResp1r) / 4] : 0;
    }
}

bool Controller::write_register(std::uint32_t offset, std::uint32_t value, Picoseconds at) {
    switch (offset) {
        case kPower:
            power_ = value & 0x1F;
            return (value & kVoltageSwitch) == 0;
        case kClkcr:
            clock_ = value & 0x003FD3FF;
            return true;
        case kArgr:
            argument_ = value;
            return true;
        case kCmdr:
            write_command(value & 0x1FFFF, at);
            return (value & kCmdNotModelled) == 0;
        case kDtimer:
            timer_ = value;
            return true;
        case kDlenr:
            length_ = value & 0x01FFFFFF;
            return true;
        case kDctrl:
            write_control(value & 0x2FFF, at);
            return (value & kDctrlNotModelled) == 0;
        case kIcr:
            flags_ &= ~(value & kCleared);
            return true;
        case kMaskr:
            mask_ = value & kMaskable;
            return true;
        case kAcktimer:
            acknowledge_ = value & 0x01FFFFFF;
            return acknowledge_ == 0;
        case kFifothrr:
            threshold_ = value & 0xF;
            return threshold_ == 0;
        case kIdmactrlr:
            dma_control_ = value & 3;
            return true;
        case kIdmabsizer:
            dma_size_ = value & kIdmaSize;
            return true;
        case kIdmabaser:
            dma_base_ = value & ~3u;
            return true;
        case kIdmalar:
            dma_link_ = value & kIdmaLink;
            return true;
        case kIdmabar:
            dma_list_ = value & ~3u;
            return true;
        default:
            return true;  // read-only
    }
}

bool Controller::reads_freely(std::uint32_t offset) const {
    return !is_fifo(offset);
}

RegisterBlock::Answer Controller::read(std::uint32_t offset, Picoseconds at) {
    settle(at);
    Answer answer{.name = sdmmc_name(offset)};
    answer.modelled = answer.name[0] != '\0';
    answer.value = is_fifo(offset) ? take_word(at) : value_of(offset, at);
    update(at);
    return answer;
}

RegisterBlock::Answer Controller::write(std::uint32_t offset, std::uint32_t value,
                                        std::uint32_t mask, Picoseconds at) {
    settle(at);
    Answer answer{.name = sdmmc_name(offset)};
    if (is_fifo(offset)) {
        put_word(value & mask, at);
    } else {
        const std::uint32_t kept = offset == kIcr ? 0 : value_of(offset, at) & ~mask;
        answer.modelled =
            write_register(offset, kept | (value & mask), at) && answer.name[0] != '\0';
    }
    update(at);
    return answer;
}

}  // namespace n6vp::models::sdmmc

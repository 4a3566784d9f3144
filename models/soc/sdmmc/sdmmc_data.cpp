// SPDX-License-Identifier: Apache-2.0
// Data path, FIFO and internal DMA of the SDMMC.
#include <algorithm>
#include <array>
#include <utility>

#include "models/soc/sdmmc/sdmmc_controller.h"
#include "models/soc/sdmmc/sdmmc_registers.h"

namespace n6vp::models::sdmmc {

namespace {

/// Bits around the data of a block: a start bit before, CRC and end bit behind.
constexpr double kStartBit = 1, kCrcBits = 17;
/// From the end of a block to the end of the card's CRC status: two clocks and five bits.
constexpr double kCrcStatus = 7;
constexpr std::uint32_t kBurst = 32;  ///< bytes of a burst of the internal DMA (assumed)
/// Bytes that the FIFO takes from the card at once (assumed): the HAL reads both words of the SCR
/// as soon as RXFIFOE is zero.
constexpr std::size_t kReceived = 8;

}  // namespace

// Lines --------------------------------------------------------------------------------------

unsigned Controller::lines() const {
    constexpr std::array<unsigned, 4> kLines{1, 4, 8, 8};
    return kLines[clock_ >> 14 & 3];
}

/// The card knows single data rate only.
bool Controller::lines_agree() const {
    return card_->lines() == lines() && (clock_ & kDoubleRate) == 0;
}

bool Controller::flow_control() const {
    return (clock_ & kFlowControl) != 0;
}

Picoseconds Controller::data_time(std::size_t bytes) const {
    const double rate = (clock_ & kDoubleRate) != 0 ? 2 : 1;
    return clocks(8.0 * static_cast<double>(bytes) / (lines() * rate));
}

std::size_t Controller::piece() const {
    const std::size_t most = moves_itself() ? kBurst : from_card_ ? kReceived : kWordBytes;
    return std::min(most, block_bytes_ - position_);
}

// Data path ----------------------------------------------------------------------------------

void Controller::write_control(std::uint32_t value, Picoseconds at) {
    control_ = value & ~(kFifoReset | kDataEnable);
    if ((value & kFifoReset) != 0) fifo_.clear();
    if ((value & kDataEnable) != 0) start_data(at);
}

void Controller::start_data(Picoseconds at) {
    fifo_.clear();
    remaining_ = length_;
    from_card_ = (control_ & kFromCard) != 0;
    block_bytes_ = 1u << (control_ >> 4 & 0xF);
    line_stands_ = false;
    position_ = 0;
    control_ |= kDataEnable;
    deadline_ = clocked() ? at + clocks(timer_) : kNever;
    if (remaining_ == 0 || !clocked()) return end_data(remaining_ == 0 ? kDataEnd : 0);
    if (moves_itself()) start_dma(at);
    if (from_card_) return await_block(at);
    data_phase_ = DataPhase::AwaitFifo;
    data_due_ = kNever;
    try_to_send(at);
}

void Controller::end_data(std::uint32_t flags) {
    flags_ |= flags;
    control_ &= ~kDataEnable;
    data_phase_ = DataPhase::Idle;
    data_due_ = kNever;
    line_stands_ = false;
    if (flags != kDataEnd) fifo_.clear();
}

void Controller::advance_data() {
    const Picoseconds at = std::exchange(data_due_, kNever);
    switch (data_phase_) {
        case DataPhase::AwaitBlock:
            if (card_ != nullptr && card_->sends_at() <= at) return begin_block(at);
            return end_data(kDtimeout);
        case DataPhase::Receive:
            return piece_received(at);
        case DataPhase::ReceiveEnd:
            return block_received(at);
        case DataPhase::Drain:
            return end_data(dma_failed_ ? 0 : kDataEnd);
        case DataPhase::Send:
            return send_piece(at);
        case DataPhase::SendEnd:
            return block_sent(at);
        case DataPhase::Busy:
            if (card_->busy_until() > at) return end_data(kDtimeout);
            if (remaining_ == 0) return end_data(kDataEnd);
            data_phase_ = DataPhase::AwaitFifo;
            return try_to_send(at);
        case DataPhase::AwaitFifo:
        case DataPhase::Idle:
            return;
    }
}

// From the card ------------------------------------------------------------------------------

void Controller::await_block(Picoseconds at) {
    data_phase_ = DataPhase::AwaitBlock;
    const Picoseconds begins = card_ == nullptr ? kNever : card_->sends_at();
    data_due_ = std::min(deadline_, begins == kNever ? kNever : std::max(at, begins));
}

void Controller::begin_block(Picoseconds at) {
    const std::size_t bytes = block_bytes_;
    const Picoseconds end = at + data_time(bytes) + clocks(kStartBit + kCrcBits);
    block_ = card_->send(end + clocks(parameters_.block_gap.value));
    block_good_ = block_.size() == bytes && lines_agree();
    block_.resize(bytes);
    position_ = 0;
    data_phase_ = DataPhase::Receive;
    data_due_ = at + clocks(kStartBit) + data_time(piece());
}

void Controller::piece_received(Picoseconds at) {
    const std::size_t bytes = piece();
    if (fifo_.size() + bytes > kFifoBytes) {
        line_stands_ = flow_control();
        if (!line_stands_) end_data(kRxOverrun);
        return;
    }
    const auto from = block_.begin() + static_cast<std::ptrdiff_t>(position_);
    fifo_.insert(fifo_.end(), from, from + static_cast<std::ptrdiff_t>(bytes));
    position_ += bytes;
    move(at);
    if (position_ < block_.size()) {
        data_due_ = at + data_time(piece());
        return;
    }
    data_phase_ = DataPhase::ReceiveEnd;
    data_due_ = at + clocks(kCrcBits);
}

void Controller::block_received(Picoseconds at) {
    if (!block_good_) return end_data(kDcrcFail);
    remaining_ -= std::min(remaining_, block_bytes_);
    deadline_ = at + clocks(timer_);
    if (remaining_ != 0) return await_block(at);
    data_phase_ = DataPhase::Drain;
    move(at);
    if (moves_itself()) {
        data_due_ = std::max(at, dma_free_);
    } else if (fifo_.empty()) {
        end_data(kDataEnd);
    }
}

std::uint32_t Controller::take_word(Picoseconds at) {
    if (!from_card_) return 0;
    std::uint32_t word = 0;
    for (unsigned i = 0; i < kWordBytes && !fifo_.empty(); ++i) {
        word |= static_cast<std::uint32_t>(fifo_.front()) << 8 * i;
        fifo_.pop_front();
    }
    if (data_phase_ == DataPhase::Drain && fifo_.empty()) end_data(kDataEnd);
    if (line_stands_) {
        line_stands_ = false;
        data_due_ = at + data_time(piece());
    }
    return word;
}

// To the card --------------------------------------------------------------------------------

void Controller::put_word(std::uint32_t word, Picoseconds at) {
    // A write to a full FIFO is lost, as is one without a transfer.
    if (data_phase_ == DataPhase::Idle || from_card_ || fifo_.size() + kWordBytes > kFifoBytes)
        return;
    for (unsigned i = 0; i < kWordBytes; ++i)
        fifo_.push_back(static_cast<std::uint8_t>(word >> 8 * i));
    if (line_stands_ && fifo_.size() >= piece()) {
        line_stands_ = false;
        data_due_ = at + data_time(piece());
    }
    try_to_send(at);
}

void Controller::try_to_send(Picoseconds at) {
    if (data_phase_ != DataPhase::AwaitFifo) return;
    move(at);
    if (fifo_.size() < std::min<std::size_t>(block_bytes_, kFifoBytes / 2)) return;
    block_.clear();
    position_ = 0;
    data_phase_ = DataPhase::Send;
    const Picoseconds starts = moves_itself() ? std::max(at, dma_free_) : at;
    data_due_ = starts + clocks(parameters_.block_gap.value + kStartBit) + data_time(piece());
}

void Controller::send_piece(Picoseconds at) {
    const std::size_t bytes = piece();
    if (fifo_.size() < bytes) {
        line_stands_ = flow_control();
        if (!line_stands_) end_data(kTxUnderrun);
        return;
    }
    const auto end = fifo_.begin() + static_cast<std::ptrdiff_t>(bytes);
    block_.insert(block_.end(), fifo_.begin(), end);
    fifo_.erase(fifo_.begin(), end);
    position_ += bytes;
    move(at);
    if (position_ < block_bytes_) {
        data_due_ = at + data_time(piece());
        return;
    }
    data_phase_ = DataPhase::SendEnd;
    data_due_ = at + clocks(kCrcBits + kCrcStatus);
}

void Controller::block_sent(Picoseconds at) {
    if (card_ == nullptr || !card_->receive(block_, lines_agree(), at)) return end_data(kDcrcFail);
    remaining_ -= std::min(remaining_, block_bytes_);
    data_phase_ = DataPhase::Busy;
    data_due_ = std::min(std::max(at, card_->busy_until()), at + clocks(timer_));
}

// Internal DMA -------------------------------------------------------------------------------

void Controller::start_dma(Picoseconds at) {
    dma_failed_ = false;
    dma_free_ = at;
    fetched_ = 0;
    buffer_at_ = dma_base_;
    buffer_left_ = (dma_control_ & kIdmaLinked) != 0 ? dma_size_ : length_;
}

void Controller::dma_fails() {
    dma_failed_ = true;
    flags_ |= kIdmaError;
}

void Controller::move(Picoseconds at) {
    if (!moves_itself() || dma_failed_) return;
    dma_free_ = std::max(dma_free_, at);
    if (from_card_) {
        store();
    } else {
        fetch();
    }
}

void Controller::store() {
    std::array<std::uint8_t, kBurst> bytes{};
    while (fifo_.size() >= kBurst || (data_phase_ == DataPhase::Drain && !fifo_.empty())) {
        const std::uint32_t count = dma_piece(fifo_.size());
        if (count == 0) return dma_fails();
        const auto end = fifo_.begin() + static_cast<std::ptrdiff_t>(count);
        std::copy(fifo_.begin(), end, bytes.begin());
        fifo_.erase(fifo_.begin(), end);
        if (!moved(count, port.write(attributes, buffer_at_, {bytes.data(), count}, dma_free_)))
            return;
    }
}

void Controller::fetch() {
    std::array<std::uint8_t, kBurst> bytes{};
    while (fetched_ < length_ && fifo_.size() + kBurst <= kFifoBytes) {
        const std::uint32_t count = dma_piece(length_ - fetched_);
        if (count == 0) return dma_fails();
        if (!moved(count, port.read(attributes, buffer_at_, {bytes.data(), count}, dma_free_)))
            return;
        fetched_ += count;
        fifo_.insert(fifo_.end(), bytes.begin(), bytes.begin() + count);
    }
}

std::uint32_t Controller::dma_piece(std::size_t most) {
    if (buffer_left_ == 0 && !next_buffer()) return 0;
    return static_cast<std::uint32_t>(std::min<std::size_t>({kBurst, buffer_left_, most}));
}

bool Controller::moved(std::uint32_t bytes, const BurstPort::Outcome& outcome) {
    dma_free_ = outcome.end;
    if (!outcome.ok) {
        dma_fails();
        return false;
    }
    buffer_at_ += bytes;
    buffer_left_ -= bytes;
    if (buffer_left_ == 0 && (dma_control_ & kIdmaLinked) != 0) flags_ |= kIdmaBufferEnd;
    return true;
}

bool Controller::next_buffer() {
    constexpr std::size_t kNodeBytes = 12;
    if ((dma_control_ & kIdmaLinked) == 0 || (dma_link_ & kIdmaUpdateAddress) == 0) return false;
    std::array<std::uint8_t, kNodeBytes> node{};
    const auto outcome =
        port.read(attributes, dma_list_ + (dma_link_ & kIdmaOffset), node, dma_free_);
    dma_free_ = outcome.end;
    if (!outcome.ok) return false;
    const bool sized = (dma_link_ & kIdmaUpdateSize) != 0;
    const auto word = [&node](std::size_t index) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < kWordBytes; ++i)
            value |= static_cast<std::uint32_t>(node[index * kWordBytes + i]) << 8 * i;
        return value;
    };
    dma_link_ = word(0) & kIdmaLink;
    dma_base_ = word(1) & ~3u;
    if (sized) dma_size_ = word(2) & kIdmaSize;
    buffer_at_ = dma_base_;
    buffer_left_ = dma_size_;
    return (dma_link_ & kIdmaReady) != 0 && buffer_left_ != 0;
}

}  // namespace n6vp::models::sdmmc

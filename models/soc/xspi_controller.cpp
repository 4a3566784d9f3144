// SPDX-License-Identifier: Apache-2.0
#include "models/soc/xspi_controller.h"

namespace n6vp::models {
namespace {
constexpr std::uint32_t kCr = 0x000, kDcr2 = 0x00C, kSr = 0x020, kDlr = 0x040, kAr = 0x048,
                        kDr = 0x050, kCcr = 0x100, kIr = 0x110;
constexpr unsigned kModePosition = 28;  ///< FMODE of CR
constexpr std::uint32_t kIndirectWrite = 0, kAutomaticPoll = 2, kMemoryMapped = 3;
constexpr std::uint32_t kEnable = 1, kAbort = 2;                       ///< of CR
constexpr std::uint32_t kTcf = 2, kFtf = 4, kSmf = 8, kXspiBusy = 32;  ///< of SR
constexpr std::uint32_t kDataMode = 7u << 24;                          ///< DMODE of CCR
constexpr std::size_t kMaxBytes = 256;  ///< kept of one command: mode registers are short
}  // namespace

XspiController::XspiController(const char* name, bool mapped, const FlagTimes& times)
    : StubBlock(*stub_of("XSPI"), name, times),
      mapped_after_reset_(mapped),
      mapped_(mapped),
      window_(*this) {}

XspiController::Window::Window(const XspiController& controller)
    : controller_(controller),
      reason_(std::string(controller.name()) + "_CR: EN = 0 or FMODE is not 3 (memory-mapped)") {}

void XspiController::set_mapped(bool mapped) {
    if (mapped == mapped_) return;
    mapped_ = mapped;
    if (on_mapped) on_mapped();
}

void XspiController::reset() {
    StubBlock::reset();
    written_.clear();
    address_ = mode_ = 0;
    position_ = 0;
    bytes_ = 0;
    set_divider(1);
    set_mapped(mapped_after_reset_);
}

void XspiController::set_divider(unsigned divider) {
    if (divider == divider_) return;
    divider_ = divider;
    if (on_divider) on_divider();
}

void XspiController::keep(std::uint8_t byte) {
    if (position_ >= kMaxBytes) return;
    const auto place = written_.find(address_);
    if (place == written_.end() && written_.size() == kMaxAddresses) return;
    std::vector<std::uint8_t>& bytes = place == written_.end() ? written_[address_] : place->second;
    if (bytes.size() <= position_) bytes.resize(position_ + 1);
    bytes[position_++] = byte;
}

/// Software has written the instruction or the address.
void XspiController::begin(Picoseconds at) {
    const bool data = (StubBlock::read(kCcr, at).value & kDataMode) != 0;
    position_ = 0;
    bytes_ = data ? std::uint64_t{StubBlock::read(kDlr, at).value} + 1 : 0;
    // A write waits for its data.
    if (data && mode_ == kIndirectWrite) return;
    finish(mode_ == kAutomaticPoll ? kSmf : kTcf, at);
}

void XspiController::finish(std::uint32_t flags, Picoseconds at) {
    const Picoseconds end = after(at, &FlagTimes::xspi_command);
    change(kSr, kXspiBusy, true);
    schedule(kSr, kXspiBusy, false, end);
    schedule(kSr, flags, true, end);
}

RegisterBlock::Answer XspiController::read(std::uint32_t offset, Picoseconds at) {
    Answer answer = StubBlock::read(offset, at);
    // The FIFO has data, or room for them.
    if (offset == kSr && position_ < bytes_ && mode_ < kAutomaticPoll) answer.value |= kFtf;
    if (offset != kDr) return answer;
    // A read of one byte takes one byte from the FIFO; longer ones are not told apart here.
    const auto place = written_.find(address_);
    const bool known = place != written_.end() && position_ < place->second.size();
    answer.value = known ? place->second[position_] : 0;
    ++position_;
    return answer;
}

RegisterBlock::Answer XspiController::write(std::uint32_t offset, std::uint32_t value,
                                            std::uint32_t mask, Picoseconds at) {
    const Answer answer = StubBlock::write(offset, value, mask, at);
    switch (offset) {
        case kCr:
            mode_ = StubBlock::read(kCr, at).value >> kModePosition & 3u;
            if ((value & mask & kAbort) != 0) {
                bytes_ = 0;
                finish(kTcf, at);
            }
            set_mapped(mode_ == kMemoryMapped && (StubBlock::read(kCr, at).value & kEnable) != 0);
            break;
        case kAr:
            address_ = StubBlock::read(kAr, at).value;
            begin(at);
            break;
        case kDcr2:
            set_divider((StubBlock::read(kDcr2, at).value & 0xFFu) + 1);  // PRESCALER
            break;
        case kIr:
            begin(at);
            break;
        case kDr: {
            if (mode_ != kIndirectWrite) break;
            for (unsigned lane = 0; lane < 4; ++lane) {
                if ((mask >> (8 * lane) & 0xFFu) == 0) continue;
                keep(static_cast<std::uint8_t>(value >> (8 * lane)));
            }
            if (position_ >= bytes_) finish(kTcf, at);
            break;
        }
        default:
            break;
    }
    return answer;
}

}  // namespace n6vp::models

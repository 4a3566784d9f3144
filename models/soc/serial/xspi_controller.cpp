// SPDX-License-Identifier: Apache-2.0
#include "models/soc/serial/xspi_controller.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "models/duration.h"
#include "models/soc/stubs/stub_tables.h"

namespace n6vp::models {
namespace {

// Offsets and bits: public device header, XSPI_TypeDef.
enum XspiOffset : std::uint32_t {
    kXspiCr = 0x000,
    kXspiDcr1 = 0x008,
    kXspiDcr2 = 0x00C,
    kXspiSr = 0x020,
    kXspiFcr = 0x024,
    kXspiDlr = 0x040,
    kXspiAr = 0x048,
    kXspiDr = 0x050,
    kXspiPsmkr = 0x080,
    kXspiPsmar = 0x088,
    kXspiPir = 0x090,
    kXspiCcr = 0x100,
    kXspiTcr = 0x108,
    kXspiIr = 0x110,
    kXspiAbr = 0x120,
};
constexpr std::uint32_t kXspiModelled[] = {kXspiCr,  kXspiDcr2, kXspiSr,    kXspiFcr,   kXspiDlr,
                                           kXspiAr,  kXspiDr,   kXspiPsmkr, kXspiPsmar, kXspiPir,
                                           kXspiCcr, kXspiTcr,  kXspiIr,    kXspiDcr1};

constexpr std::uint32_t kXspiEnable = 1, kXspiAbort = 2, kXspiDmaEnable = 4;  ///< of CR
constexpr std::uint32_t kXspiStopAtMatch = 1u << 22, kXspiMatchAny = 1u << 23;
constexpr unsigned kXspiIndirectWrite = 0, kXspiIndirectRead = 1, kXspiAutomaticPoll = 2,
                   kXspiMemoryMapped = 3;
/// Of SR; TEF, TCF, FTF, SMF and TOF have their interrupt enables 16 positions above, in CR.
constexpr std::uint32_t kXspiTef = 1, kXspiTcf = 2, kXspiFtf = 4, kXspiSmf = 8, kXspiBusy = 32,
                        kXspiInterrupts = 0x1F;
constexpr unsigned kXspiLevel = 8;              ///< position of FLEVEL
constexpr std::uint32_t kXspiClearable = 0x1B;  ///< by FCR

constexpr std::uint32_t xspi_field(std::uint32_t value, unsigned position, unsigned width) {
    return value >> position & ((1u << width) - 1);
}
constexpr unsigned xspi_mode(std::uint32_t cr) {
    return xspi_field(cr, 28, 2);
}
/// Lines by IMODE, ADMODE, ABMODE and DMODE.
constexpr unsigned xspi_lines(std::uint32_t code) {
    return code == 0 || code > 5 ? 0 : 1u << (code - 1);
}

/// A phase of CCR whose fields begin at `position`: mode, double rate, size.
SerialCommand::Phase xspi_phase(std::uint32_t ccr, unsigned position) {
    return {xspi_lines(xspi_field(ccr, position, 3)), xspi_field(ccr, position + 4, 2) + 1,
            xspi_field(ccr, position + 3, 1) != 0};
}

double xspi_clocks(const SerialCommand::Phase& phase) {
    if (phase.lines == 0) return 0;
    return 8.0 * phase.bytes / phase.lines / (phase.double_rate ? 2 : 1);
}

Picoseconds xspi_time(const Parameter& microseconds) {
    constexpr double kPsPerUs = 1e6;
    return static_cast<Picoseconds>(microseconds.value * kPsPerUs);
}

}  // namespace

XspiController::XspiController(const sc_core::sc_module_name& name, const char* block, bool mapped,
                               const FlagTimes& times)
    : sc_module(name),
      RegisterBlock(block),
      abort_ps_(xspi_time(times.xspi_command)),
      mapped_after_reset_(mapped),
      mapped_(mapped),
      window_(*this) {
    SC_HAS_PROCESS(XspiController);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
}

XspiController::Window::Window(const XspiController& controller)
    : controller_(controller),
      reason_(std::string(controller.RegisterBlock::name()) +
              "_CR: EN = 0 or FMODE is not 3 (memory-mapped)") {}

void XspiController::set_mapped(bool mapped) {
    if (mapped == mapped_) return;
    mapped_ = mapped;
    if (on_mapped) on_mapped();
}

void XspiController::set_divider(unsigned divider) {
    if (divider == divider_) return;
    divider_ = divider;
    if (on_divider) on_divider();
}

void XspiController::reset() {
    registers_.clear();
    flags_ = 0;
    stop();
    set_divider(1);
    set_mapped(mapped_after_reset_);
    interrupt_ = dma_request_ = false;
    next_.cancel();
    if (on_interrupt) on_interrupt(false);
    if (on_dma_request) on_dma_request(false);
}

std::uint32_t XspiController::held(std::uint32_t offset) const {
    const auto place = registers_.find(offset);
    return place == registers_.end() ? 0 : place->second;
}

Picoseconds XspiController::clocks(double count) const {
    return static_cast<Picoseconds>(count * clock_ps_);
}

SerialCommand XspiController::command() const {
    const std::uint32_t ccr = held(kXspiCcr);
    SerialCommand result;
    result.instruction_phase = xspi_phase(ccr, 0);
    result.address_phase = xspi_phase(ccr, 8);
    result.data = {xspi_lines(xspi_field(ccr, 24, 3)), 1, xspi_field(ccr, 27, 1) != 0};
    result.instruction = held(kXspiIr);
    result.address = held(kXspiAr);
    result.dummy_clocks = xspi_field(held(kXspiTcr), 0, 5);
    return result;
}

Picoseconds XspiController::header_ps() const {
    const SerialCommand sent = command();
    const SerialCommand::Phase alternate = xspi_phase(held(kXspiCcr), 16);
    return clocks(xspi_clocks(sent.instruction_phase) + xspi_clocks(sent.address_phase) +
                  xspi_clocks(alternate) + sent.dummy_clocks);
}

Picoseconds XspiController::byte_ps() const {
    return clocks(xspi_clocks(command().data));
}

bool XspiController::outside_device() const {
    if (xspi_lines(xspi_field(held(kXspiCcr), 8, 3)) == 0) return false;
    const unsigned size = xspi_field(held(kXspiDcr1), 16, 5);  // 2^(n + 1) bytes
    return (std::uint64_t{held(kXspiAr)} >> (size + 1)) != 0;
}

/// Reads and commands without data start with the last of what they need; writes wait for data.
void XspiController::trigger(bool address, Picoseconds at) {
    const std::uint32_t cr = held(kXspiCr), ccr = held(kXspiCcr);
    if ((cr & kXspiEnable) == 0 || phase_ != Phase::Idle || xspi_mode(cr) == kXspiMemoryMapped)
        return;
    const bool needs_address = xspi_lines(xspi_field(ccr, 8, 3)) != 0;
    if (needs_address && !address) return;
    fifo_.clear();
    given_ = moved_ = 0;
    total_ = std::uint64_t{held(kXspiDlr)} + 1;
    armed_ = xspi_mode(cr) == kXspiIndirectWrite && xspi_lines(xspi_field(ccr, 24, 3)) != 0;
    if (!armed_) start(at);
}

void XspiController::start(Picoseconds at) {
    if (outside_device()) {
        flags_ |= kXspiTef;
        return;
    }
    const unsigned mode = xspi_mode(held(kXspiCr));
    if (mode == kXspiAutomaticPoll) {
        phase_ = Phase::Poll;
        poll_start_ = at;
        next_at_ = at + poll_ps();
        return;
    }
    const Picoseconds end = at + std::max(header_ps(), clocks(1));
    if (device_ != nullptr) device_->begin(command(), at);
    const bool reads =
        mode == kXspiIndirectRead && xspi_lines(xspi_field(held(kXspiCcr), 24, 3)) != 0;
    phase_ = reads ? Phase::Read : Phase::Command;
    next_at_ = reads ? end + byte_ps() : end;
}

void XspiController::start_write(Picoseconds at) {
    if (outside_device()) {
        flags_ |= kXspiTef;
        armed_ = false;
        fifo_.clear();
        return;
    }
    if (device_ != nullptr) device_->begin(command(), at);
    phase_ = Phase::Write;
    next_at_ = at + header_ps() + std::max(byte_ps(), Picoseconds{1});
}

void XspiController::put_data(std::uint32_t value, std::uint32_t mask, Picoseconds at) {
    if (!armed_) return;
    for (unsigned lane = 0; lane < 4 && given_ < total_; ++lane) {
        if ((mask >> (8 * lane) & 0xFFu) == 0) continue;
        fifo_.push_back(static_cast<std::uint8_t>(value >> (8 * lane)));
        ++given_;
    }
    if (given_ == total_) armed_ = false;
    if (phase_ == Phase::Idle) {
        start_write(at);
    } else if (next_at_ == 0) {
        next_at_ = std::max(at, stood_at_) + std::max(byte_ps(), Picoseconds{1});
    }
}

std::uint32_t XspiController::take_data(std::uint32_t mask, Picoseconds& at) {
    std::uint32_t value = 0;
    const std::size_t wanted = static_cast<std::size_t>(std::popcount(mask)) / 8;
    // The bus waits for data that are on their way.
    while (phase_ == Phase::Read && next_at_ != 0 && fifo_.size() < wanted) {
        at = std::max(at, next_at_);
        advance();
    }
    for (unsigned lane = 0; lane < 4; ++lane) {
        if ((mask >> (8 * lane) & 0xFFu) == 0 || fifo_.empty()) continue;
        value |= std::uint32_t{fifo_.front()} << (8 * lane);
        fifo_.pop_front();
    }
    if (phase_ == Phase::Read && next_at_ == 0 && fifo_.size() < kFifoBytes) {
        next_at_ = std::max(at, stood_at_) + std::max(byte_ps(), Picoseconds{1});
    }
    return value;
}

void XspiController::stop() {
    phase_ = Phase::Idle;
    armed_ = false;
    fifo_.clear();
    next_at_ = 0;
    total_ = given_ = moved_ = 0;
}

void XspiController::abort(Picoseconds at) {
    const bool under_way = phase_ == Phase::Read || phase_ == Phase::Write;
    if (under_way && device_ != nullptr) device_->end(at);
    stop();
    phase_ = Phase::Abort;
    next_at_ = at + std::max(abort_ps_, Picoseconds{1});
}

void XspiController::complete(std::uint32_t flag) {
    flags_ |= flag;
    phase_ = Phase::Idle;
    armed_ = false;
    next_at_ = 0;
}

void XspiController::advance_read() {
    if (fifo_.size() >= kFifoBytes) {
        stood_at_ = std::exchange(next_at_, 0);
        return;
    }
    fifo_.push_back(device_ != nullptr ? device_->read(next_at_) : kUndrivenLines);
    if (++moved_ < total_) {
        next_at_ += std::max(byte_ps(), Picoseconds{1});
        return;
    }
    if (device_ != nullptr) device_->end(next_at_);
    complete(kXspiTcf);
}

void XspiController::advance_write() {
    if (fifo_.empty()) {
        stood_at_ = std::exchange(next_at_, 0);
        return;
    }
    if (device_ != nullptr) device_->write(fifo_.front());
    fifo_.pop_front();
    if (++moved_ < total_) {
        next_at_ += std::max(byte_ps(), Picoseconds{1});
        return;
    }
    if (device_ != nullptr) device_->end(next_at_);
    complete(kXspiTcf);
}

/// A poll is over. The next ones that would see the same are left out.
void XspiController::advance_poll() {
    const Picoseconds end = next_at_;
    std::uint32_t data = 0;
    if (device_ != nullptr) device_->begin(command(), poll_start_);
    for (unsigned i = 0; i < std::min<std::uint64_t>(total_, 4); ++i) {
        const std::uint8_t byte = device_ != nullptr ? device_->read(end) : kUndrivenLines;
        data |= std::uint32_t{byte} << (8 * i);
    }
    if (device_ != nullptr) device_->end(end);
    const std::uint32_t cr = held(kXspiCr), mask = held(kXspiPsmkr),
                        differs = (data ^ held(kXspiPsmar)) & mask;
    const bool match = (cr & kXspiMatchAny) != 0 ? differs != mask : differs == 0;
    if (match) flags_ |= kXspiSmf;
    if (match && (cr & kXspiStopAtMatch) != 0) {
        complete(kXspiSmf);
        return;
    }
    next_at_ = 0;
    const Picoseconds change = device_ != nullptr ? device_->next_change(end) : 0;
    poll_start_ += poll_period_ps();
    if (change != 0) poll_again(change - std::min(change, poll_ps()));
}

Picoseconds XspiController::poll_ps() const {
    return std::max(header_ps(), clocks(1)) + byte_ps() * std::min<std::uint64_t>(total_, 4);
}

Picoseconds XspiController::poll_period_ps() const {
    return std::max({poll_ps(), clocks(xspi_field(held(kXspiPir), 0, 16)), Picoseconds{1}});
}

/// The next poll that starts at or after `at`, where none is on its way.
void XspiController::poll_again(Picoseconds at) {
    if (phase_ != Phase::Poll || next_at_ != 0) return;
    const Picoseconds period = poll_period_ps();
    if (at > poll_start_) poll_start_ += (at - poll_start_ + period - 1) / period * period;
    next_at_ = poll_start_ + poll_ps();
}

void XspiController::advance() {
    switch (phase_) {
        case Phase::Read:
            return advance_read();
        case Phase::Write:
            return advance_write();
        case Phase::Poll:
            return advance_poll();
        case Phase::Command:
            if (device_ != nullptr) device_->end(next_at_);
            return complete(kXspiTcf);
        default:
            return complete(kXspiTcf);
    }
}

void XspiController::settle(Picoseconds at) {
    while (next_at_ != 0 && next_at_ <= at) advance();
}

std::uint32_t XspiController::status() const {
    const std::uint32_t cr = held(kXspiCr);
    const std::size_t threshold = xspi_field(cr, 8, 6) + 1;
    const bool write = armed_ || phase_ == Phase::Write;
    // What a read left in the FIFO keeps the controller busy.
    const bool left = !write && !fifo_.empty();
    bool ready = false;
    if (write) {
        ready = armed_ && fifo_.size() + threshold <= kFifoBytes;
    } else {
        ready = fifo_.size() >= threshold || (left && phase_ == Phase::Idle);
    }
    std::uint32_t value = flags_ | static_cast<std::uint32_t>(std::min(fifo_.size(), kFifoBytes))
                                       << kXspiLevel;
    if (ready) value |= kXspiFtf;
    if (phase_ != Phase::Idle || left) value |= kXspiBusy;
    return value;
}

void XspiController::update(Picoseconds at) {
    const std::uint32_t cr = held(kXspiCr), now = status();
    const bool interrupt = (now & cr >> 16 & kXspiInterrupts) != 0;
    if (interrupt != interrupt_) {
        interrupt_ = interrupt;
        if (on_interrupt) on_interrupt(interrupt);
    }
    const bool request = (cr & kXspiDmaEnable) != 0 && (now & kXspiFtf) != 0;
    if (request != dma_request_) {
        dma_request_ = request;
        if (on_dma_request) on_dma_request(request);
    }
    next_.cancel();
    // Without a listener nothing has to happen before the next access.
    const bool watched = (cr >> 16 & kXspiInterrupts) != 0 || (cr & kXspiDmaEnable) != 0;
    if (watched && next_at_ != 0) next_.notify(delay_until(std::max(next_at_, at)));
}

void XspiController::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    settle(now);
    update(now);
}

RegisterBlock::Answer XspiController::read(std::uint32_t offset, Picoseconds at) {
    return read_bytes(offset, 0xFFFFFFFF, at);
}

bool XspiController::reads_freely(std::uint32_t offset) const {
    return offset != kXspiDr;
}

RegisterBlock::Answer XspiController::read_bytes(std::uint32_t offset, std::uint32_t mask,
                                                 Picoseconds at) {
    settle(at);
    Answer answer;
    for (const StubRow& row : stub_of("XSPI")->rows) {
        if (row.offset == offset) answer.name = row.name;
    }
    answer.modelled = std::find(std::begin(kXspiModelled), std::end(kXspiModelled), offset) !=
                      std::end(kXspiModelled);
    if (offset == kXspiSr) {
        answer.value = status();
    } else if (offset == kXspiDr) {
        Picoseconds until = at;
        answer.value = take_data(mask, until);
        if (until != at) answer.until = until;
        update(until);
    } else if (offset != kXspiFcr) {
        answer.value = held(offset);
    }
    return answer;
}

void XspiController::write_control(std::uint32_t value, Picoseconds at) {
    registers_[kXspiCr] = value & ~kXspiAbort;
    if ((value & kXspiAbort) != 0) {
        abort(at);
    } else if ((value & kXspiEnable) == 0) {
        stop();
    }
    set_mapped(xspi_mode(value) == kXspiMemoryMapped && (value & kXspiEnable) != 0);
}

RegisterBlock::Answer XspiController::write(std::uint32_t offset, std::uint32_t value,
                                            std::uint32_t mask, Picoseconds at) {
    settle(at);
    Answer answer;
    for (const StubRow& row : stub_of("XSPI")->rows) {
        if (row.offset == offset) answer.name = row.name;
    }
    answer.modelled = std::find(std::begin(kXspiModelled), std::end(kXspiModelled), offset) !=
                      std::end(kXspiModelled);
    const std::uint32_t next = (held(offset) & ~mask) | (value & mask);
    if (offset == kXspiFcr) {
        flags_ &= ~(value & mask & kXspiClearable);
        if ((flags_ & kXspiSmf) == 0) poll_again(at);
    } else if (offset == kXspiDr) {
        put_data(value, mask, at);
    } else if (offset == kXspiCr) {
        write_control(next, at);
    } else if (offset != kXspiSr) {
        registers_[offset] = next;
    }
    if (offset == kXspiDcr2) set_divider((next & 0xFFu) + 1);  // PRESCALER
    if (offset == kXspiAr) trigger(true, at);
    if (offset == kXspiIr) trigger(false, at);
    update(at);
    return answer;
}

}  // namespace n6vp::models

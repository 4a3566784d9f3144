// SPDX-License-Identifier: Apache-2.0
#include "models/soc/can/fdcan.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "models/duration.h"

namespace n6vp::models::can {

namespace {

// Offsets and bits: device header.
enum CanOffset : std::uint32_t {
    kCanCrel = 0x00,
    kCanEndn = 0x04,
    kCanDbtp = 0x0C,
    kCanTest = 0x10,
    kCanRwd = 0x14,
    kCanCccr = 0x18,
    kCanNbtp = 0x1C,
    kCanTscc = 0x20,
    kCanTscv = 0x24,
    kCanTocc = 0x28,
    kCanTocv = 0x2C,
    kCanEcr = 0x40,
    kCanPsr = 0x44,
    kCanTdcr = 0x48,
    kCanIr = 0x50,
    kCanIe = 0x54,
    kCanIls = 0x58,
    kCanIle = 0x5C,
    kCanGfc = 0x80,
    kCanSidfc = 0x84,
    kCanXidfc = 0x88,
    kCanXidam = 0x90,
    kCanHpms = 0x94,
    kCanNdat1 = 0x98,
    kCanNdat2 = 0x9C,
    kCanRxf0c = 0xA0,
    kCanRxf0s = 0xA4,
    kCanRxf0a = 0xA8,
    kCanRxbc = 0xAC,
    kCanRxf1c = 0xB0,
    kCanRxf1s = 0xB4,
    kCanRxf1a = 0xB8,
    kCanRxesc = 0xBC,
    kCanTxbc = 0xC0,
    kCanTxfqs = 0xC4,
    kCanTxesc = 0xC8,
    kCanTxbrp = 0xCC,
    kCanTxbar = 0xD0,
    kCanTxbcr = 0xD4,
    kCanTxbto = 0xD8,
    kCanTxbcf = 0xDC,
    kCanTxbtie = 0xE0,
    kCanTxbcie = 0xE4,
    kCanTxefc = 0xF0,
    kCanTxefs = 0xF4,
    kCanTxefa = 0xF8,
    kCanTttmc = 0x100,
    kCanTtocf = 0x108,
    kCanTurcf = 0x110,
    kCanTtocn = 0x114,
    kCanTttmk = 0x11C,
    kCanBytes = 0x200,
};

/// What a register is, and the bits that it has.
enum class CanKind : std::uint8_t {
    Constant,   ///< or a status
    Protected,  ///< written with CCE and INIT only
    Open,
    Command,
};
struct CanRegister {
    std::uint32_t offset;
    const char* name;
    CanKind kind;
    std::uint32_t bits, reset;
};
using enum CanKind;
// Reset values: M_CAN user's manual; CREL of the STM32H7.
constexpr CanRegister kCanRegisters[] = {
    {kCanCrel, "CREL", Constant, 0, 0x32141218},
    {kCanEndn, "ENDN", Constant, 0, 0x87654321},
    {kCanDbtp, "DBTP", Protected, 0x009F1FFF, 0x00000A33},
    {kCanTest, "TEST", Command, 0x00000070, 0},
    {kCanRwd, "RWD", Protected, 0x000000FF, 0},
    {kCanCccr, "CCCR", Command, 0, 1},
    {kCanNbtp, "NBTP", Protected, 0xFFFFFF7F, 0x06000A03},
    {kCanTscc, "TSCC", Command, 0x000F0003, 0},
    {kCanTscv, "TSCV", Command, 0, 0},
    {kCanTocc, "TOCC", Protected, 0xFFFF0007, 0xFFFF0000},
    {kCanTocv, "TOCV", Constant, 0, 0x0000FFFF},
    {kCanEcr, "ECR", Constant, 0, 0},
    {kCanPsr, "PSR", Constant, 0, 0},
    {kCanTdcr, "TDCR", Protected, 0x00007F7F, 0},
    {kCanIr, "IR", Command, 0, 0},
    {kCanIe, "IE", Open, 0x3FFFFFFF, 0},
    {kCanIls, "ILS", Open, 0x3FFFFFFF, 0},
    {kCanIle, "ILE", Open, 0x00000003, 0},
    {kCanGfc, "GFC", Protected, 0x0000003F, 0},
    {kCanSidfc, "SIDFC", Protected, 0x00FFFFFC, 0},
    {kCanXidfc, "XIDFC", Protected, 0x007FFFFC, 0},
    {kCanXidam, "XIDAM", Protected, 0x1FFFFFFF, 0x1FFFFFFF},
    {kCanHpms, "HPMS", Constant, 0, 0},
    {kCanNdat1, "NDAT1", Command, 0, 0},
    {kCanNdat2, "NDAT2", Command, 0, 0},
    {kCanRxf0c, "RXF0C", Protected, 0xFF7FFFFC, 0},
    {kCanRxf0s, "RXF0S", Constant, 0, 0},
    {kCanRxf0a, "RXF0A", Command, 0x0000003F, 0},
    {kCanRxbc, "RXBC", Protected, 0x0000FFFC, 0},
    {kCanRxf1c, "RXF1C", Protected, 0xFF7FFFFC, 0},
    {kCanRxf1s, "RXF1S", Constant, 0, 0},
    {kCanRxf1a, "RXF1A", Command, 0x0000003F, 0},
    {kCanRxesc, "RXESC", Protected, 0x00000777, 0},
    {kCanTxbc, "TXBC", Protected, 0x7F3FFFFC, 0},
    {kCanTxfqs, "TXFQS", Constant, 0, 0},
    {kCanTxesc, "TXESC", Protected, 0x00000007, 0},
    {kCanTxbrp, "TXBRP", Constant, 0, 0},
    {kCanTxbar, "TXBAR", Command, 0, 0},
    {kCanTxbcr, "TXBCR", Command, 0, 0},
    {kCanTxbto, "TXBTO", Constant, 0, 0},
    {kCanTxbcf, "TXBCF", Constant, 0, 0},
    {kCanTxbtie, "TXBTIE", Open, 0xFFFFFFFF, 0},
    {kCanTxbcie, "TXBCIE", Open, 0xFFFFFFFF, 0},
    {kCanTxefc, "TXEFC", Protected, 0x3F3FFFFC, 0},
    {kCanTxefs, "TXEFS", Constant, 0, 0},
    {kCanTxefa, "TXEFA", Command, 0x0000001F, 0},
    {kCanTtocf, "TTOCF", Open, 0x07FFFFFB, 0x00010000},
    // LCKC, LCKM and ELT never rise.
    {kCanTurcf, "TURCF", Open, 0x7FFFFFFF, 0},
    {kCanTtocn, "TTOCN", Open, 0xFFFF7FFF, 0},
    {kCanTttmk, "TTTMK", Open, 0x7FFFFFFF, 0},
};

[[nodiscard]] const CanRegister* can_register(std::uint32_t offset) {
    const auto* const found =
        std::find_if(std::begin(kCanRegisters), std::end(kCanRegisters),
                     [offset](const CanRegister& row) { return row.offset == offset; });
    return found == std::end(kCanRegisters) ? nullptr : found;
}

// CCCR.
constexpr std::uint32_t kCanInit = 1, kCanChange = 2, kCanRestricted = 4, kCanStopped = 8,
                        kCanStop = 16, kCanMonitor = 32, kCanTests = 128;
/// Set in the configuration only, but cleared at any time.
constexpr std::uint32_t kCanModes = kCanRestricted | kCanMonitor | kCanTests;
/// DAR, FDOE, BRSE, PXHD, EFBI, TXP, NISO.
constexpr std::uint32_t kCanSettings = 0xF340;
constexpr std::uint32_t kCanCccrNotModelled = 0xE000;                ///< EFBI, TXP, NISO
constexpr std::uint32_t kCanLoopBack = 1u << 4, kCanPins = 3u << 5;  ///< TEST
constexpr unsigned kCanTimeWraps = 16;                               ///< TSW of IR
constexpr std::uint32_t kCanStampWrap = 0x10000;

}  // namespace

Fdcan::Fdcan(const sc_core::sc_module_name& name, const char* block, MessageRam& ram)
    : sc_module(name), RegisterBlock(block), ram_(ram) {
    SC_HAS_PROCESS(Fdcan);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
    Fdcan::reset();
}

void Fdcan::reset() {
    held_ = {};
    for (const CanRegister& row : kCanRegisters) at(row.offset) = row.reset;
    phase_ = Phase::Off;
    due_ = 0;
    transmit_errors_ = error_log_ = 0;
    last_error_ = last_data_error_ = 7;
    seen_ = error_state_ = 0;
    stamp_wraps_ = 0;
    stamp_from_ = 0;
    statistics_ = {};
    clear_messages();
    update();
}

/// What CCE resets, too.
void Fdcan::clear_messages() {
    received_ = {};
    events_ = {};
    for (const std::uint32_t offset : {kCanHpms, kCanTxbrp, kCanTxbto, kCanTxbcf, kCanTxbcr})
        at(offset) = 0;
    fifo_get_ = fifo_put_ = dedicated();
}

bool Fdcan::loops_back() const {
    return (get(kCanCccr) & kCanTests) != 0 && (get(kCanTest) & kCanLoopBack) != 0;
}

bool Fdcan::listens_only() const {
    if (loops_back()) return false;
    return (get(kCanCccr) & (kCanRestricted | kCanMonitor)) != 0;
}

void Fdcan::step() {
    settle(sc_core::sc_time_stamp().value());
    update();
}

void Fdcan::settle(Picoseconds at) {
    while (due_ != 0 && due_ <= at) advance(std::exchange(due_, 0));
    const std::uint64_t wraps = stamp_ticks(at) / kCanStampWrap;
    if (wraps > stamp_wraps_) raise(kCanTimeWraps);
    stamp_wraps_ = wraps;
}

std::uint64_t Fdcan::stamp_ticks(Picoseconds at) const {
    if ((get(kCanTscc) & 3) != 1 || at < stamp_from_) return 0;
    const Picoseconds tick = bits((get(kCanTscc) >> 16 & 0xF) + 1);
    return (at - stamp_from_) / tick;
}

Picoseconds Fdcan::stamp_wrap_at() const {
    if ((get(kCanTscc) & 3) != 1 || (get(kCanIe) >> kCanTimeWraps & 1) == 0) return kNever;
    const Picoseconds tick = bits((get(kCanTscc) >> 16 & 0xF) + 1);
    return stamp_from_ + (stamp_wraps_ + 1) * kCanStampWrap * tick;
}

/// Lines, and an event for what happens next by itself.
void Fdcan::update() {
    const std::uint32_t asked = get(kCanIr) & get(kCanIe);
    const std::uint32_t on_line[2] = {asked & ~get(kCanIls), asked & get(kCanIls)};
    for (unsigned line = 0; line < 2; ++line) {
        const bool level = (get(kCanIle) >> line & 1) != 0 && on_line[line] != 0;
        levels_[line].set(level, [this, line](bool now) {
            if (on_interrupt) on_interrupt(line, now);
        });
    }
    next_.cancel();
    const Picoseconds due = std::min(due_ != 0 ? due_ : kNever, stamp_wrap_at());
    if (due != kNever) next_.notify(delay_until(due));
}

std::uint32_t Fdcan::fifo_status(const Fifo& fifo, const FifoLayout& layout) const {
    const unsigned size = fifo_size(layout);
    const bool full = size != 0 && fifo.fill == size;
    const bool lost = (get(kCanIr) >> (layout.new_flag + 3) & 1) != 0;
    return fifo.fill | fifo.get << 8 | fifo.put << 16 | (full ? 1u << 24 : 0) |
           (lost ? 1u << 25 : 0);
}

std::uint32_t Fdcan::transmit_status() const {
    const unsigned first = dedicated(), size = std::min(queued(), 32u);
    if (size == 0) return 0;
    const std::uint32_t pending = get(kCanTxbrp);
    unsigned waiting = 0;
    for (unsigned i = first; i < std::min(first + size, 32u); ++i) waiting += pending >> i & 1;
    unsigned put = fifo_put_, free = 0, get_index = fifo_get_;
    if (queue_mode()) {
        get_index = 0;
        put = first;
        while (put < first + size - 1 && (pending >> put & 1) != 0) ++put;
    } else {
        free = size - waiting;
    }
    return free | get_index << 8 | put << 16 | (waiting == size ? 1u << 21 : 0);
}

std::uint32_t Fdcan::read_protocol_status() {
    constexpr std::uint32_t kReceiver = 1, kTransmitter = 3;
    std::uint32_t activity = 0;
    if (phase_ == Phase::Idle || phase_ == Phase::Intermission) activity = kReceiver;
    if (phase_ == Phase::Sending || phase_ == Phase::Recovering) activity = kTransmitter;
    const std::uint32_t value =
        last_error_ | activity << 3 | error_state_ | last_data_error_ << 8 | seen_;
    last_error_ = last_data_error_ = 7;
    seen_ = 0;
    return value;
}

bool Fdcan::reads_freely(std::uint32_t offset) const {
    return offset != kCanPsr && offset != kCanEcr;
}

RegisterBlock::Answer Fdcan::read(std::uint32_t offset, Picoseconds at) {
    settle(at);
    update();
    const CanRegister* const row = can_register(offset);
    if (row == nullptr) return {.modelled = false};
    Answer answer{.value = get(offset), .name = row->name};
    switch (offset) {
        case kCanTscv:
            answer.value = time_stamp(at);
            break;
        case kCanEcr:
            answer.value = transmit_errors_ | error_log_ << 16;
            error_log_ = 0;
            break;
        case kCanPsr:
            answer.value = read_protocol_status();
            break;
        case kCanRxf0s:
            answer.value = fifo_status(received_[0], kReceive[0]);
            break;
        case kCanRxf1s:
            answer.value = fifo_status(received_[1], kReceive[1]);
            break;
        case kCanTxefs:
            answer.value = fifo_status(events_, kEvents);
            break;
        case kCanTxfqs:
            answer.value = transmit_status();
            break;
        case kCanTxbar:
            answer.value = 0;
            break;
        default:
            answer.modelled = modelled(offset, answer.value);
            break;
    }
    return answer;
}

/// Returns false where a value switches on what is not modelled.
bool Fdcan::modelled(std::uint32_t offset, std::uint32_t value) const {
    switch (offset) {
        case kCanCccr:
            return (value & kCanCccrNotModelled) == 0;
        case kCanTest:
            return (value & kCanPins) == 0;
        case kCanDbtp:
            return (value >> 23 & 1) == 0;  // TDC
        case kCanRwd:
            return value == 0;
        case kCanTscc:
            return (value & 3) < 2;
        case kCanTocc:
            return (value & 1) == 0;
        case kCanTtocf:
            return (value & 3) == 0;  // OM
        default:
            return offset < kCanTttmc;
    }
}

RegisterBlock::Answer Fdcan::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                   Picoseconds at) {
    settle(at);
    const CanRegister* const row = can_register(offset);
    if (row == nullptr) return {.modelled = false};
    const std::uint32_t written = value & mask, merged = (get(offset) & ~mask) | written;
    const bool configures = (get(kCanCccr) & (kCanInit | kCanChange)) == (kCanInit | kCanChange);
    Answer answer{.name = row->name};
    switch (row->kind) {
        case Constant:
            return answer;
        case Protected:
            if (configures) write_configuration(offset, merged & row->bits);
            break;
        case Open:
            this->at(offset) = merged & row->bits;
            break;
        case Command:
            if (offset == kCanCccr) {
                write_control(merged, at);
            } else if (offset == kCanTest) {
                if ((get(kCanCccr) & kCanTests) != 0) this->at(kCanTest) = merged & row->bits;
            } else {
                answer.modelled = write_other(offset, written, at);
            }
            break;
    }
    if (row->kind != Command || offset == kCanCccr || offset == kCanTest)
        answer.modelled = modelled(offset, offset == kCanCccr ? merged : merged & row->bits);
    update();
    return answer;
}

void Fdcan::write_configuration(std::uint32_t offset, std::uint32_t merged) {
    this->at(offset) = merged;
    if (offset == kCanTxbc) fifo_get_ = fifo_put_ = dedicated();
}

void Fdcan::write_control(std::uint32_t written, Picoseconds at) {
    const std::uint32_t before = get(kCanCccr);
    const bool configures = (before & (kCanInit | kCanChange)) == (kCanInit | kCanChange);
    std::uint32_t next = before;
    const auto take = [&](std::uint32_t bits) { next = (next & ~bits) | (written & bits); };
    take(kCanInit | kCanStop);
    next &= ~(kCanModes & ~written);
    if (configures) take(kCanModes | kCanSettings);
    if ((next & kCanStop) != 0) {
        next |= kCanInit | kCanStopped;
    } else {
        next &= ~kCanStopped;
    }
    if ((before & next & kCanInit) != 0) take(kCanChange);
    if ((next & kCanInit) == 0) next &= ~kCanChange;
    this->at(kCanCccr) = next;
    if ((next & kCanTests) == 0) this->at(kCanTest) = 0;
    if ((~before & next & kCanChange) != 0) clear_messages();
    if ((before & ~next & kCanInit) != 0) enter(Phase::Integrating, at + bits(kIntegrationBits));
    if ((~before & next & kCanInit) != 0) enter(Phase::Off, 0);
}

/// Returns whether it is modelled.
bool Fdcan::write_other(std::uint32_t offset, std::uint32_t written, Picoseconds at) {
    switch (offset) {
        case kCanTscc:
            this->at(kCanTscc) = written & can_register(kCanTscc)->bits;
            stamp_from_ = at;
            stamp_wraps_ = 0;
            return modelled(offset, written);
        case kCanTscv:
            stamp_from_ = at;
            stamp_wraps_ = 0;
            return true;
        case kCanIr:
        case kCanNdat1:
        case kCanNdat2:
            this->at(offset) &= ~written;
            return true;
        case kCanRxf0a:
            acknowledge(received_[0], kReceive[0], written & 0x3F);
            return true;
        case kCanRxf1a:
            acknowledge(received_[1], kReceive[1], written & 0x3F);
            return true;
        case kCanTxefa:
            acknowledge(events_, kEvents, written & 0x1F);
            return true;
        case kCanTxbar:
            request(written, at);
            return loops_back() || written == 0;  // else nobody will acknowledge
        case kCanTxbcr:
            cancel(written);
            return true;
        default:
            return false;
    }
}

/// All up to the element of that index have been read.
void Fdcan::acknowledge(Fifo& fifo, const FifoLayout& layout, unsigned index) {
    const unsigned size = fifo_size(layout);
    if (size == 0 || index >= size) return;
    const unsigned count = (index + size - fifo.get) % size + 1;
    fifo.get = (index + 1) % size;
    fifo.fill -= std::min(fifo.fill, count);
}

}  // namespace n6vp::models::can

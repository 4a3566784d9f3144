// SPDX-License-Identifier: Apache-2.0
#include "models/soc/serial/spi.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "models/duration.h"

namespace n6vp::models {

namespace {

// Offsets and bits: CMSIS device header, SPI_TypeDef.
enum SpiOffset : std::uint32_t {
    kSpiCr1 = 0x00,
    kSpiCr2 = 0x04,
    kSpiCfg1 = 0x08,
    kSpiCfg2 = 0x0C,
    kSpiIer = 0x10,
    kSpiSr = 0x14,
    kSpiIfcr = 0x18,
    kSpiTxdr = 0x20,
    kSpiRxdr = 0x30,
    kSpiCrcPoly = 0x40,
    kSpiTxCrc = 0x44,
    kSpiRxCrc = 0x48,
    kSpiUdrdr = 0x4C,
    kSpiI2sCfgr = 0x50,
};
constexpr std::pair<std::uint32_t, const char*> kSpiNames[] = {
    {kSpiCr1, "CR1"},     {kSpiCr2, "CR2"},         {kSpiCfg1, "CFG1"},   {kSpiCfg2, "CFG2"},
    {kSpiIer, "IER"},     {kSpiSr, "SR"},           {kSpiIfcr, "IFCR"},   {kSpiTxdr, "TXDR"},
    {kSpiRxdr, "RXDR"},   {kSpiCrcPoly, "CRCPOLY"}, {kSpiTxCrc, "TXCRC"}, {kSpiRxCrc, "RXCRC"},
    {kSpiUdrdr, "UDRDR"}, {kSpiI2sCfgr, "I2SCFGR"}};

constexpr std::uint32_t spi_bit(unsigned position) {
    return 1u << position;
}
// CR1.
constexpr std::uint32_t kSpiEnable = spi_bit(0), kSpiHoldsWhenFull = spi_bit(8),
                        kSpiStart = spi_bit(9), kSpiSuspend = spi_bit(10),
                        kSpiHalfSends = spi_bit(11), kSpiInternalSelect = spi_bit(12),
                        kSpiReceiveOnes = spi_bit(14), kSpiTransmitOnes = spi_bit(15);
// CFG1.
constexpr std::uint32_t kSpiReceiveDma = spi_bit(14), kSpiTransmitDma = spi_bit(15),
                        kSpiChecksum = spi_bit(22), kSpiBypass = spi_bit(31);
// CFG2.
constexpr std::uint32_t kSpiMaster = spi_bit(22), kSpiLowFirst = spi_bit(23),
                        kSpiSoftSelect = spi_bit(26), kSpiSelectHigh = spi_bit(28),
                        kSpiSelectOutput = spi_bit(29);
/// RDIOM, and SP other than Motorola.
constexpr std::uint32_t kSpiCfg2NotModelled = spi_bit(13) | 7u << 19;
enum SpiLines : std::uint32_t { kFullDuplex, kSimplexSends, kSimplexReceives, kHalfDuplex };
// SR; the enables of the first ten are at the same places.
constexpr std::uint32_t kSpiRxp = spi_bit(0), kSpiTxp = spi_bit(1), kSpiDxp = spi_bit(2),
                        kSpiEot = spi_bit(3), kSpiTxtf = spi_bit(4), kSpiOvr = spi_bit(6),
                        kSpiCrce = spi_bit(7), kSpiModf = spi_bit(9), kSpiSusp = spi_bit(11),
                        kSpiTxc = spi_bit(12), kSpiWord = spi_bit(15);
constexpr std::uint32_t kSpiCleared = 0xBF8;  ///< by IFCR
constexpr std::uint32_t kSpiEnables = 0x3FF;  ///< of IER

[[nodiscard]] std::uint32_t ones(unsigned bits) {
    return bits >= 32 ? 0xFFFFFFFF : (1u << bits) - 1;
}
[[nodiscard]] std::uint32_t reversed(std::uint32_t value, unsigned bits) {
    std::uint32_t result = 0;
    for (unsigned i = 0; i < bits; ++i) result = result << 1 | (value >> i & 1);
    return result;
}

}  // namespace

Spi::Spi(const sc_core::sc_module_name& name, const char* block, unsigned fifo_bytes,
         const SpiParameters& parameters)
    : sc_module(name), RegisterBlock(block), parameters_(parameters), fifo_bytes_(fifo_bytes) {
    SC_HAS_PROCESS(Spi);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
    reset();
}

void Spi::reset() {
    cr1_ = cr2_ = 0;
    disable();
    cfg1_ = 0x70007;
    cfg2_ = ier_ = udrdr_ = i2scfgr_ = 0;
    polynomial_ = 0x107;
    flags_ = 0;
    remaining_ = unwritten_ = sent_sum_ = received_sum_ = 0;
    statistics_ = {};
    update(sc_core::sc_time_stamp().value());
}

// Devices ------------------------------------------------------------------------------------

std::size_t Spi::attach(std::unique_ptr<SpiDevice> device, ChipSelect by) {
    devices_.push_back({std::move(device), by, false});
    return devices_.size() - 1;
}

void Spi::activate(Attached& attached, bool active) {
    if (std::exchange(attached.active, active) != active) attached.device->select(active);
}

void Spi::select(std::size_t device, bool active, Picoseconds at) {
    settle(at);
    activate(devices_.at(device), active);
    update(at);
}

void Spi::select_all(bool active) {
    for (Attached& each : devices_)
        if (each.by == ChipSelect::OfController) activate(each, active);
}

std::uint32_t Spi::exchange(std::uint32_t frame, unsigned bits) {
    std::uint32_t miso = parameters_.idle_miso.value != 0 ? ones(bits) : 0;
    bool answered = false;
    for (const Attached& each : devices_) {
        if (!each.active) continue;
        const std::uint32_t answer = each.device->exchange(frame, bits) & ones(bits);
        if (!std::exchange(answered, true)) miso = answer;
    }
    ++statistics_.frames;
    return miso;
}

// Settings -----------------------------------------------------------------------------------

void Spi::set_kernel_hz(double hz) {
    kernel_hz_ = hz;
}

Picoseconds Spi::bit_ps() const {
    const unsigned divider = (cfg1_ & kSpiBypass) != 0 ? 1 : 2u << (cfg1_ >> 28 & 7);
    // A stopped kernel clock would hold the bus for ever: it counts as one of 1 MHz.
    constexpr double kSlow = 1e6;
    return std::max<Picoseconds>(1, cycles_to_ps(divider, kernel_hz_ > 0 ? kernel_hz_ : kSlow));
}

bool Spi::enabled() const {
    return (cr1_ & kSpiEnable) != 0;
}

bool Spi::sends() const {
    const std::uint32_t lines = cfg2_ >> 17 & 3;
    if (lines == kHalfDuplex) return (cr1_ & kSpiHalfSends) != 0;
    return lines != kSimplexReceives;
}

bool Spi::receives() const {
    const std::uint32_t lines = cfg2_ >> 17 & 3;
    if (lines == kHalfDuplex) return (cr1_ & kSpiHalfSends) == 0;
    return lines != kSimplexSends;
}

unsigned Spi::frame_bits() const {
    constexpr unsigned kShortest = 4;
    return std::max(kShortest, (cfg1_ & 0x1F) + 1);
}

unsigned Spi::frame_bytes() const {
    return frame_bits() <= 8 ? 1 : frame_bits() <= 16 ? 2 : 4;
}

unsigned Spi::packet() const {
    return (cfg1_ >> 5 & 0xF) + 1;
}

bool Spi::wants_data() const {
    if (!enabled()) return true;
    const std::size_t room = fifo_bytes_ / frame_bytes() - transmit_.size();
    return sends() && room >= packet() && ((cr2_ & 0xFFFF) == 0 || unwritten_ > 0);
}

bool Spi::has_data() const {
    return receive_.size() >= packet();
}

std::uint32_t Spi::checksum(std::uint32_t sum, std::uint32_t frame) const {
    const unsigned size = (cfg1_ >> 16 & 0x1F) + 1;
    for (unsigned i = frame_bits(); i-- > 0;) {
        const bool out = ((sum >> (size - 1) ^ frame >> i) & 1) != 0;
        sum = (sum << 1 ^ (out ? polynomial_ : 0)) & ones(size);
    }
    return sum;
}

// Transfer -----------------------------------------------------------------------------------

void Spi::enable() {
    remaining_ = unwritten_ = cr2_ & 0xFFFF;
    sent_sum_ = (cr1_ & kSpiTransmitOnes) != 0 ? 0xFFFFFFFF : 0;
    received_sum_ = (cr1_ & kSpiReceiveOnes) != 0 ? 0xFFFFFFFF : 0;
    const unsigned size = (cfg1_ >> 16 & 0x1F) + 1;
    sent_sum_ &= ones(size);
    received_sum_ &= ones(size);
    const bool high = (cfg2_ & kSpiSelectHigh) != 0;
    const bool internal = (cr1_ & kSpiInternalSelect) != 0;
    // Another master seems to select this one.
    if ((cfg2_ & kSpiSoftSelect) != 0 && (cfg2_ & kSpiMaster) != 0 && internal == high) {
        flags_ |= kSpiModf;
        cr1_ &= ~(kSpiEnable | kSpiStart);
        cfg2_ &= ~kSpiMaster;
        return;
    }
    if ((cfg2_ & kSpiSelectOutput) == 0) select_all(true);
}

void Spi::disable() {
    cr1_ &= ~(kSpiEnable | kSpiStart | kSpiSuspend);
    transmit_.clear();
    receive_.clear();
    suspends_ = false;
    phase_ = Phase::Idle;
    due_ = ready_at_ = 0;
    select_all(false);
}

void Spi::start(Picoseconds at) {
    cr1_ |= kSpiStart;
    ++statistics_.transfers;
    if ((cr2_ & 0xFFFF) != 0 && remaining_ == 0) remaining_ = unwritten_ = cr2_ & 0xFFFF;
    if ((cfg2_ & kSpiSelectOutput) != 0) select_all(true);
    const double lead = parameters_.start.value + (cfg2_ & 0xF);
    ready_at_ = at + static_cast<Picoseconds>(lead * static_cast<double>(bit_ps()));
    go_on(at);
}

void Spi::enter(Phase phase, unsigned bits, Picoseconds at) {
    phase_ = phase;
    due_ = std::max(at, ready_at_) + bits * bit_ps();
}

void Spi::go_on(Picoseconds at) {
    if (phase_ != Phase::Idle || (cr1_ & kSpiStart) == 0) return;
    const bool full = receives() && receive_.size() >= fifo_bytes_ / frame_bytes();
    if (full && (cr1_ & kSpiHoldsWhenFull) != 0) return;
    shift_ = 0;
    if (sends()) {
        if (transmit_.empty()) return;
        shift_ = transmit_.front();
        transmit_.pop_front();
    }
    enter(Phase::Frame, frame_bits(), at);
}

void Spi::frame_ends(Picoseconds at) {
    phase_ = Phase::Idle;
    const unsigned bits = frame_bits();
    const bool low_first = (cfg2_ & kSpiLowFirst) != 0;
    const std::uint32_t out = shift_ & ones(bits), line = low_first ? reversed(out, bits) : out;
    const std::uint32_t in = exchange(line, bits);
    sent_sum_ = checksum(sent_sum_, line);
    received_sum_ = checksum(received_sum_, in);
    if (receives()) {
        if (receive_.size() < fifo_bytes_ / frame_bytes()) {
            receive_.push_back(low_first ? reversed(in, bits) : in);
        } else {
            flags_ |= kSpiOvr;
            ++statistics_.overruns;
        }
    }
    ready_at_ = at + (cfg2_ >> 4 & 0xF) * bit_ps();
    const bool counted = (cr2_ & 0xFFFF) != 0;
    if (counted && --remaining_ == 0) {
        if ((cfg1_ & kSpiChecksum) == 0) return transfer_ends();
        return enter(Phase::Checksum, (cfg1_ >> 16 & 0x1F) + 1, at);
    }
    if (suspends_) return suspend();
    go_on(at);
}

void Spi::checksum_ends() {
    phase_ = Phase::Idle;
    const unsigned bits = (cfg1_ >> 16 & 0x1F) + 1;
    const std::uint32_t in = exchange(sends() ? sent_sum_ : 0, bits);
    if (receives() && in != received_sum_) flags_ |= kSpiCrce;
    transfer_ends();
}

void Spi::transfer_ends() {
    flags_ |= kSpiEot;
    cr1_ &= ~kSpiStart;
    suspends_ = false;
    if ((cfg2_ & kSpiSelectOutput) != 0) select_all(false);
}

void Spi::suspend() {
    suspends_ = false;
    cr1_ &= ~kSpiStart;
    flags_ |= kSpiSusp;
}

void Spi::settle(Picoseconds at) {
    while (due_ != 0 && due_ <= at) {
        const Picoseconds end = std::exchange(due_, 0);
        if (phase_ == Phase::Checksum) {
            checksum_ends();
        } else {
            frame_ends(end);
        }
    }
}

void Spi::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    settle(now);
    update(now);
}

void Spi::update(Picoseconds at) {
    const std::uint32_t now = status();
    // Without SPE the FIFOs are at rest: TXP asks for nothing.
    std::uint32_t pending = enabled() ? now : now & ~(kSpiTxp | kSpiDxp);
    if ((now & kSpiSusp) != 0) pending |= kSpiEot;
    level_.set((pending & ier_ & kSpiEnables) != 0, on_interrupt);
    transmit_level_.set(enabled() && (cfg1_ & kSpiTransmitDma) != 0 && (now & kSpiTxp) != 0, at,
                        on_transmit_request);
    // What is left of a transfer is less than a packet.
    const bool rest = (flags_ & kSpiEot) != 0 && !receive_.empty();
    receive_level_.set((cfg1_ & kSpiReceiveDma) != 0 && (has_data() || rest), at,
                       on_receive_request);
    next_.cancel();
    if (due_ != 0) next_.notify(delay_until(std::max(due_, at)));
}

// Registers ----------------------------------------------------------------------------------

std::uint32_t Spi::status() const {
    std::uint32_t value = flags_ | remaining_ << 16;
    if (has_data()) value |= kSpiRxp;
    if (wants_data()) value |= kSpiTxp;
    if (has_data() && wants_data()) value |= kSpiDxp;
    const bool counted = (cr2_ & 0xFFFF) != 0 && (cr1_ & kSpiStart) != 0;
    if (phase_ == Phase::Idle && transmit_.empty() && !counted) value |= kSpiTxc;
    const auto frames = static_cast<std::uint32_t>(receive_.size());
    const unsigned bytes = frame_bytes();
    if (frames * bytes >= 4) value |= kSpiWord;
    return value | frames % (4 / bytes) << 13;
}

void Spi::write_control(std::uint32_t next, Picoseconds at) {
    const std::uint32_t before = cr1_;
    cr1_ = (next & ~(kSpiStart | kSpiSuspend)) | (before & kSpiStart);
    if ((flags_ & kSpiModf) != 0) cr1_ &= ~kSpiEnable;
    if (!enabled()) {
        if ((before & kSpiEnable) != 0) disable();
        cr1_ &= ~kSpiStart;
        return;
    }
    if ((before & kSpiEnable) == 0) enable();
    if (enabled() && (next & kSpiStart) != 0 && (before & kSpiStart) == 0) start(at);
    if ((next & kSpiSuspend) == 0 || (cr1_ & kSpiStart) == 0) return;
    suspends_ = true;
    if (phase_ == Phase::Idle) suspend();
}

void Spi::write_data(std::uint32_t value, std::uint32_t mask, Picoseconds at) {
    if (!enabled() || mask == 0) return;
    const unsigned size = frame_bytes(), first = static_cast<unsigned>(std::countr_zero(mask));
    const unsigned width = static_cast<unsigned>(std::popcount(mask)) / 8;
    for (unsigned i = 0; i < std::max(1u, width / size); ++i) {
        if (transmit_.size() >= fifo_bytes_ / size) break;
        transmit_.push_back(value >> (first + 8 * size * i) & ones(frame_bits()));
        if (unwritten_ > 0 && --unwritten_ == 0) flags_ |= kSpiTxtf;
    }
    go_on(at);
}

std::uint32_t Spi::read_data(std::uint32_t mask, Picoseconds at) {
    if (mask == 0) return 0;
    const unsigned size = frame_bytes(), first = static_cast<unsigned>(std::countr_zero(mask));
    const unsigned width = static_cast<unsigned>(std::popcount(mask)) / 8;
    std::uint32_t value = 0;
    for (unsigned i = 0; i < std::max(1u, width / size) && !receive_.empty(); ++i) {
        value |= receive_.front() << (first + 8 * size * i);
        receive_.pop_front();
    }
    go_on(at);
    return value;
}

std::uint32_t* Spi::stored(std::uint32_t offset) {
    switch (offset) {
        case kSpiCr1:
            return &cr1_;
        case kSpiCr2:
            return &cr2_;
        case kSpiCfg1:
            return &cfg1_;
        case kSpiCfg2:
            return &cfg2_;
        case kSpiIer:
            return &ier_;
        case kSpiCrcPoly:
            return &polynomial_;
        case kSpiTxCrc:
            return &sent_sum_;
        case kSpiRxCrc:
            return &received_sum_;
        case kSpiUdrdr:
            return &udrdr_;
        case kSpiI2sCfgr:
            return &i2scfgr_;
        default:
            return nullptr;
    }
}

/// Returns false if what was just written asks for something that is not modelled.
bool Spi::modelled(std::uint32_t offset) const {
    switch (offset) {
        case kSpiCr1:
            return !enabled() || (cfg2_ & kSpiMaster) != 0;
        case kSpiCfg1: {
            const bool transmit = (cfg1_ & kSpiTransmitDma) == 0 || on_transmit_request;
            const bool receive = (cfg1_ & kSpiReceiveDma) == 0 || on_receive_request;
            return transmit && receive;
        }
        case kSpiCfg2:
            return (cfg2_ & kSpiCfg2NotModelled) == 0;
        case kSpiI2sCfgr:
            return (i2scfgr_ & 1) == 0;
        default:
            return true;
    }
}

RegisterBlock::Answer Spi::read(std::uint32_t offset, Picoseconds at) {
    return read_bytes(offset, 0xFFFFFFFF, at);
}

RegisterBlock::Answer Spi::read_bytes(std::uint32_t offset, std::uint32_t mask, Picoseconds at) {
    const auto* const row =
        std::find_if(std::begin(kSpiNames), std::end(kSpiNames),
                     [offset](const auto& each) { return each.first == offset; });
    if (row == std::end(kSpiNames)) return {.modelled = false};
    settle(at);
    Answer answer{.name = row->second};
    if (const std::uint32_t* const value = stored(offset); value != nullptr) {
        answer.value = *value;
    } else if (offset == kSpiSr) {
        answer.value = status();
    } else if (offset == kSpiRxdr) {
        answer.value = read_data(mask, at);
    }
    // What happened before this access may have changed the lines.
    update(at);
    return answer;
}

bool Spi::reads_freely(std::uint32_t offset) const {
    return offset != kSpiRxdr;
}

RegisterBlock::Answer Spi::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                 Picoseconds at) {
    const auto* const row =
        std::find_if(std::begin(kSpiNames), std::end(kSpiNames),
                     [offset](const auto& each) { return each.first == offset; });
    if (row == std::end(kSpiNames)) return {.modelled = false};
    settle(at);
    std::uint32_t* const target = stored(offset);
    const std::uint32_t next = target == nullptr ? 0 : (*target & ~mask) | (value & mask);
    // Settings keep their values while the unit is enabled, but for the DMA enables.
    constexpr std::uint32_t kAlways = kSpiReceiveDma | kSpiTransmitDma;
    switch (offset) {
        case kSpiCr1:
            write_control(next, at);
            break;
        case kSpiCr2:
            if ((cr1_ & kSpiStart) != 0) break;
            cr2_ = next & 0xFFFF;
            if (enabled()) remaining_ = unwritten_ = cr2_;
            break;
        case kSpiCfg1:
            cfg1_ = enabled() ? (cfg1_ & ~kAlways) | (next & kAlways) : next;
            break;
        case kSpiIfcr:
            flags_ &= ~(value & mask & kSpiCleared);
            break;
        case kSpiTxdr:
            write_data(value, mask, at);
            break;
        case kSpiTxCrc:
        case kSpiRxCrc:
            break;  // read-only
        case kSpiCfg2:
            if (!enabled()) cfg2_ = next;
            break;
        default:
            if (target != nullptr) *target = next;
            break;
    }
    Answer answer{.name = row->second};
    answer.modelled = modelled(offset);
    update(at);
    return answer;
}

}  // namespace n6vp::models

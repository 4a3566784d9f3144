// SPDX-License-Identifier: Apache-2.0
#include "models/soc/graphics/dma2d.h"

#include <algorithm>
#include <utility>

namespace n6vp::models {

using graphics::Colour;
using graphics::Dma2dConverter;
using graphics::Dma2dFormat;
using graphics::Dma2dOutput;
using graphics::Dma2dUnits;

namespace {

enum Dma2dOffset : std::uint32_t {
    kDma2dControl = 0x00,
    kDma2dIsr = 0x04,
    kDma2dIfcr = 0x08,
    kDma2dFgAddress = 0x0C,
    kDma2dFgOffset = 0x10,
    kDma2dBgAddress = 0x14,
    kDma2dBgOffset = 0x18,
    kDma2dFgConverter = 0x1C,
    kDma2dFgColour = 0x20,
    kDma2dBgConverter = 0x24,
    kDma2dBgColour = 0x28,
    kDma2dFgTable = 0x2C,
    kDma2dBgTable = 0x30,
    kDma2dOutput = 0x34,
    kDma2dOutColour = 0x38,
    kDma2dOutAddress = 0x3C,
    kDma2dOutOffset = 0x40,
    kDma2dSize = 0x44,
    kDma2dLine = 0x48,
    kDma2dDeadTime = 0x4C,
    kDma2dEnd = 0x50,
    kDma2dFgEntries = 0x400,
    kDma2dBgEntries = 0x800,
    kDma2dEntriesEnd = 0xC00,
};

struct Dma2dRegister {
    const char* name;
    std::uint32_t writable;
};
constexpr std::array<Dma2dRegister, kDma2dEnd / 4> kDma2dRegisters{{{"CR", 0x73F47},
                                                                    {"ISR", 0},
                                                                    {"IFCR", 0},
                                                                    {"FGMAR", 0xFFFFFFFF},
                                                                    {"FGOR", 0xFFFF},
                                                                    {"BGMAR", 0xFFFFFFFF},
                                                                    {"BGOR", 0xFFFF},
                                                                    {"FGPFCCR", 0xFF3FFF3F},
                                                                    {"FGCOLR", 0xFFFFFF},
                                                                    {"BGPFCCR", 0xFF33FF3F},
                                                                    {"BGCOLR", 0xFFFFFF},
                                                                    {"FGCMAR", 0xFFFFFFFF},
                                                                    {"BGCMAR", 0xFFFFFFFF},
                                                                    {"OPFCCR", 0x300107},
                                                                    {"OCOLR", 0xFFFFFFFF},
                                                                    {"OMAR", 0xFFFFFFFF},
                                                                    {"OOR", 0xFFFF},
                                                                    {"NLR", 0x3FFFFFFF},
                                                                    {"LWR", 0xFFFF},
                                                                    {"AMTCR", 0xFF01}}};

// CR.
constexpr std::uint32_t kDma2dStart = 1, kDma2dSuspend = 2, kDma2dAbort = 4,
                        kDma2dByteOffsets = 1u << 6, kDma2dEnables = 0x3F00,
                        kDma2dSettings = 7u << 16 | kDma2dByteOffsets;
// xPFCCR.
constexpr std::uint32_t kDma2dTableStart = 1u << 5, kDma2dTableRgb = 1u << 4;
// ISR and IFCR; the enables are 8 above in CR.
constexpr std::uint32_t kDma2dTransferError = 1, kDma2dComplete = 2, kDma2dWatermark = 4,
                        kDma2dTableAccess = 8, kDma2dTableComplete = 16, kDma2dBadSetting = 32,
                        kDma2dFlags = 0x3F;

enum Mode : std::uint32_t { kCopy, kConvert, kBlend, kFill, kBlendFixedFg, kBlendFixedBg };

[[nodiscard]] bool reads_foreground(std::uint32_t mode) {
    return mode != kFill && mode != kBlendFixedFg;
}
[[nodiscard]] bool reads_background(std::uint32_t mode) {
    return mode == kBlend || mode == kBlendFixedFg;
}
[[nodiscard]] bool blends(std::uint32_t mode) {
    return mode == kBlend || mode == kBlendFixedFg || mode == kBlendFixedBg;
}
/// Pixels of 3 bytes and less than one stand anywhere.
[[nodiscard]] bool aligned(std::uint32_t address, unsigned bits) {
    if (bits == 32) return address % 4 == 0;
    return bits != 16 || address % 2 == 0;
}

}  // namespace

std::uint32_t Dma2d::Plane::place(std::uint32_t line, std::uint32_t column) const {
    return address + static_cast<std::uint32_t>(pitch * line + std::uint64_t{column} * bits / 8);
}

Dma2d::Dma2d(const sc_core::sc_module_name& name, const char* block,
             const Dma2dParameters& parameters)
    : sc_module(name), RegisterBlock(block), port("to"), parameters_(parameters) {
    SC_HAS_PROCESS(Dma2d);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
    reset();
}

void Dma2d::reset() {
    held_ = {};
    foreground_table_ = background_table_ = {};
    work_ = Work::None;
    aborting_ = failed_ = false;
    flags_due_ = 0;
    marks_.clear();
    next_.cancel();
    statistics_ = {};
    update();
}

void Dma2d::set_clock_hz(double hz) {
    hz_ = hz;
}

void Dma2d::clock_changed() {
    if (work_ != Work::None && !rests()) schedule(due_);
}

Picoseconds Dma2d::cycles(double count) const {
    return hz_ > 0 ? cycles_to_ps(count, hz_) : 0;
}

bool Dma2d::rests() const {
    return (get(kDma2dControl) & kDma2dSuspend) != 0 || (clocked && !clocked());
}

// Settings -----------------------------------------------------------------------------------

std::uint32_t Dma2d::mode() const {
    return get(kDma2dControl) >> 16 & 7;
}

std::uint32_t Dma2d::columns() const {
    return get(kDma2dSize) >> 16;
}

std::uint32_t Dma2d::lines() const {
    return get(kDma2dSize) & 0xFFFF;
}

Dma2dConverter Dma2d::converter(bool foreground) const {
    return foreground
               ? Dma2dConverter(get(kDma2dFgConverter), get(kDma2dFgColour), foreground_table_)
               : Dma2dConverter(get(kDma2dBgConverter), get(kDma2dBgColour), background_table_);
}

bool Dma2d::source_misconfigured(bool foreground) const {
    const Dma2dConverter source = converter(foreground);
    const bool units = source.format() == Dma2dFormat::YCbCr;
    constexpr std::uint32_t kNoSubsampling = 3;
    if (!source.valid() || (units && (!foreground || mode() == kCopy))) return true;
    if (units) return (get(kDma2dFgConverter) >> 18 & 3) == kNoSubsampling;
    const std::uint32_t offset = get(foreground ? kDma2dFgOffset : kDma2dBgOffset);
    const bool odd =
        columns() % 2 != 0 || (offset % 2 != 0 && (get(kDma2dControl) & kDma2dByteOffsets) == 0);
    return (source.bits() == 4 && odd) ||
           !aligned(get(foreground ? kDma2dFgAddress : kDma2dBgAddress), source.bits());
}

bool Dma2d::output_misconfigured() const {
    const Dma2dOutput output(get(kDma2dOutput));
    const std::uint32_t offset = get(kDma2dOutOffset);
    const bool in_pixels = (get(kDma2dControl) & kDma2dByteOffsets) == 0;
    const bool odd = columns() % 2 != 0 || (in_pixels && offset % 2 != 0);
    const bool copies = mode() == kCopy;
    const unsigned bits = copies ? converter(true).bits() : 8 * output.bytes();
    if (!copies && !output.valid()) return true;
    return ((output.swaps_bytes() || bits == 4) && odd) || !aligned(get(kDma2dOutAddress), bits);
}

/// Sources: reference manuals of the family, list of configuration errors.
bool Dma2d::misconfigured() const {
    if (mode() > kBlendFixedBg || lines() == 0 || columns() == 0) return true;
    return (reads_foreground(mode()) && source_misconfigured(true)) ||
           (reads_background(mode()) && source_misconfigured(false)) || output_misconfigured();
}

Dma2d::Plane Dma2d::plane(std::uint32_t address, std::uint32_t offset, unsigned bits) const {
    const bool in_bytes = (get(kDma2dControl) & kDma2dByteOffsets) != 0;
    const std::uint64_t gap = in_bytes ? offset : std::uint64_t{offset} * bits / 8;
    return {address, std::uint64_t{columns()} * bits / 8 + gap, bits, {}};
}

void Dma2d::prepare_planes() {
    const Dma2dConverter source = converter(true);
    foreground_ = background_ = {};
    if (reads_foreground(mode()))
        foreground_ = plane(get(kDma2dFgAddress), get(kDma2dFgOffset), source.bits());
    if (reads_background(mode()))
        background_ = plane(get(kDma2dBgAddress), get(kDma2dBgOffset), converter(false).bits());
    const unsigned bits =
        mode() == kCopy ? source.bits() : 8 * Dma2dOutput(get(kDma2dOutput)).bytes();
    output_ = plane(get(kDma2dOutAddress), get(kDma2dOutOffset), bits);
    const unsigned widest = std::max({foreground_.bits, background_.bits, output_.bits});
    // An even count keeps bursts of half-byte pixels on whole bytes.
    const auto bytes = static_cast<std::uint32_t>(parameters_.burst.value);
    piece_ = std::max(2u, bytes * 8 / widest / 2 * 2);
}

// Transfer -----------------------------------------------------------------------------------

void Dma2d::start(Work work, Picoseconds at) {
    if (work_ != Work::None) return;
    const bool pixels = work == Work::Pixels, foreground = work == Work::ForegroundTable;
    const std::uint32_t settings = foreground ? kDma2dFgConverter : kDma2dBgConverter;
    const bool bad = pixels ? misconfigured()
                            : (get(settings) & kDma2dTableRgb) == 0 &&
                                  !aligned(get(foreground ? kDma2dFgTable : kDma2dBgTable), 32);
    if (bad) {
        ++statistics_.errors;
        return raise(kDma2dBadSetting);
    }
    work_ = work;
    line_ = column_ = table_bytes_ = 0;
    computed_ = last_end_ = at;
    written_.clear();
    if (pixels) {
        prepare_planes();
        this->at(kDma2dControl) |= kDma2dStart;
    } else {
        this->at(settings) |= kDma2dTableStart;
    }
    due_ = at + cycles(parameters_.start.value);
    if (!rests()) schedule(due_);
}

void Dma2d::schedule(Picoseconds at) {
    due_ = at;
    const Picoseconds first = marks_.empty() ? at : std::min(at, marks_.front());
    next_.cancel();
    next_.notify(delay_until(std::max<Picoseconds>(first, sc_core::sc_time_stamp().value())));
}

void Dma2d::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    while (!marks_.empty() && marks_.front() <= now) {
        marks_.erase(marks_.begin());
        raise(kDma2dWatermark);
    }
    if (work_ == Work::None) return;
    const bool ends = aborting_ || flags_due_ != 0;
    if (now < due_) return schedule(due_);
    if (ends) return finish(std::exchange(flags_due_, 0));
    if (rests()) {
        // What has left for memory still gets there.
        if (!marks_.empty()) next_.notify(delay_until(marks_.front()));
        return;
    }
    if (work_ == Work::Pixels) {
        step_pixels(now);
    } else {
        step_table(now);
    }
    if (!failed_) return;
    failed_ = false;
    flags_due_ = kDma2dTransferError;
    ++statistics_.errors;
    schedule(last_end_);
}

Picoseconds Dma2d::access(bool write, std::uint32_t address, std::span<std::uint8_t> data,
                          Picoseconds at) {
    const auto largest = static_cast<std::size_t>(parameters_.burst.value);
    const std::uint32_t gap = get(kDma2dDeadTime);
    for (std::size_t done = 0; done < data.size() && !failed_;) {
        if ((gap & 1) != 0) at = std::max(at, last_end_ + cycles(gap >> 8 & 0xFF));
        const auto burst = data.subspan(done, std::min(largest, data.size() - done));
        const auto where = static_cast<std::uint32_t>(address + done);
        const auto outcome = write ? port.write(attributes, where, burst, at)
                                   : port.read(attributes, where, burst, at);
        failed_ = !outcome.ok;
        at = outcome.end;
        last_end_ = std::max(last_end_, at);
        done += burst.size();
    }
    return at;
}

Picoseconds Dma2d::fetch(std::uint32_t count, Picoseconds now) {
    Picoseconds there = now;
    for (Plane* const source : {&foreground_, &background_}) {
        if (source->bits == 0 || failed_) continue;
        source->bytes.resize(std::size_t{count} * source->bits / 8);
        there = std::max(there, access(false, source->place(line_, column_), source->bytes, now));
    }
    const bool units = reads_foreground(mode()) && foreground_.bits == 0;
    return units ? std::max(there, fetch_units(now)) : there;
}

/// The row of units that the line is in, once.
Picoseconds Dma2d::fetch_units(Picoseconds now) {
    const Dma2dUnits unit(get(kDma2dFgConverter) >> 18 & 3);
    if (column_ != 0 || line_ % unit.height() != 0) return now;
    const std::uint32_t width = columns() + get(kDma2dFgOffset);
    units_.resize(std::size_t{(width + unit.width() - 1) / unit.width()} * unit.bytes());
    const auto first =
        static_cast<std::uint32_t>(get(kDma2dFgAddress) + line_ / unit.height() * units_.size());
    return access(false, first, units_, now);
}

Colour Dma2d::foreground_at(std::uint32_t index) const {
    const Dma2dConverter source = converter(true);
    if (mode() == kBlendFixedFg) return source.fixed();
    if (source.format() != Dma2dFormat::YCbCr)
        return source.convert(graphics::pixel_at(foreground_.bytes, index, source.bits()));
    const Dma2dUnits unit(get(kDma2dFgConverter) >> 18 & 3);
    return source.adapt(unit.at(units_, column_ + index, line_));
}

void Dma2d::compute(std::uint32_t count) {
    const Dma2dOutput output(get(kDma2dOutput));
    const Dma2dConverter below = converter(false);
    if (mode() == kCopy) {
        output_.bytes = foreground_.bytes;
    } else {
        output_.bytes.resize(std::size_t{count} * output.bytes());
        for (std::uint32_t i = 0; i < count; ++i) {
            Colour colour =
                mode() == kFill ? output.of_register(get(kDma2dOutColour)) : foreground_at(i);
            if (mode() == kBlendFixedBg) colour = graphics::blended(colour, below.fixed());
            if (reads_background(mode())) {
                colour = graphics::blended(
                    colour, below.convert(graphics::pixel_at(background_.bytes, i, below.bits())));
            }
            output.put(colour, std::span(output_.bytes).subspan(std::size_t{i} * output.bytes()));
        }
    }
    if (!output.swaps_bytes()) return;
    for (std::size_t i = 1; i < output_.bytes.size(); i += 2)
        std::swap(output_.bytes[i - 1], output_.bytes[i]);
}

void Dma2d::step_pixels(Picoseconds now) {
    const std::uint32_t count = std::min(piece_, columns() - column_);
    const Picoseconds there = fetch(count, now);
    if (failed_) return;
    compute(count);
    const bool converts = mode() == kConvert || blends(mode());
    computed_ = std::max(there, computed_) +
                (converts ? cycles(parameters_.pixel.value * count) : Picoseconds{0});
    Picoseconds leaves = computed_;
    if (written_.size() >= static_cast<std::size_t>(parameters_.outstanding.value)) {
        leaves = std::max(leaves, written_.front());
        written_.erase(written_.begin());
    }
    const Picoseconds end = access(true, output_.place(line_, column_), output_.bytes, leaves);
    if (failed_) return;
    written_.push_back(end);
    statistics_.pixels += count;
    column_ += count;
    if (column_ == columns()) {
        column_ = 0;
        if (++line_ == (get(kDma2dLine) & 0xFFFF)) marks_.push_back(end);
    }
    if (line_ < lines()) return schedule(std::max(there, leaves));
    flags_due_ = kDma2dComplete;
    schedule(last_end_);
}

void Dma2d::step_table(Picoseconds now) {
    const bool foreground = work_ == Work::ForegroundTable;
    const std::uint32_t settings = get(foreground ? kDma2dFgConverter : kDma2dBgConverter);
    const std::uint32_t entries = (settings >> 8 & 0xFF) + 1;
    const bool opaque = (settings & kDma2dTableRgb) != 0;
    const std::uint32_t size = opaque ? 3 : 4;
    const auto largest = static_cast<std::uint32_t>(parameters_.burst.value) / size * size;
    std::vector<std::uint8_t> bytes(
        std::min(std::max(largest, size), entries * size - table_bytes_));
    const Picoseconds end =
        access(false, get(foreground ? kDma2dFgTable : kDma2dBgTable) + table_bytes_, bytes, now);
    if (failed_) return;
    auto& table = foreground ? foreground_table_ : background_table_;
    for (std::size_t i = 0; i < bytes.size() / size; ++i) {
        const std::uint32_t word = graphics::pixel_at(bytes, i, 8 * size);
        table[table_bytes_ / size + i] = opaque ? word | 0xFFu << 24 : word;
    }
    table_bytes_ += static_cast<std::uint32_t>(bytes.size());
    if (table_bytes_ == entries * size) flags_due_ = kDma2dTableComplete;
    schedule(end);
}

void Dma2d::finish(std::uint32_t flags) {
    work_ = Work::None;
    aborting_ = false;
    this->at(kDma2dControl) &= ~(kDma2dStart | kDma2dSuspend | kDma2dAbort);
    for (const std::uint32_t settings : {kDma2dFgConverter, kDma2dBgConverter})
        this->at(settings) &= ~kDma2dTableStart;
    if ((flags & kDma2dComplete) != 0) ++statistics_.transfers;
    if ((flags & kDma2dTableComplete) != 0) ++statistics_.tables;
    raise(flags);
}

void Dma2d::raise(std::uint32_t flags) {
    this->at(kDma2dIsr) |= flags;
    update();
}

void Dma2d::update() {
    level_.set((get(kDma2dIsr) & get(kDma2dControl) >> 8 & kDma2dFlags) != 0, on_interrupt);
}

// Registers ----------------------------------------------------------------------------------

void Dma2d::write_control(std::uint32_t next, Picoseconds at) {
    const bool busy = work_ != Work::None;
    const std::uint32_t before = get(kDma2dControl);
    const std::uint32_t kept = before & (kDma2dStart | kDma2dAbort);
    const std::uint32_t settings = (busy ? before : next) & kDma2dSettings;
    // Without a transfer SUSP means nothing, but it stays, as software may set it first.
    this->at(kDma2dControl) = kept | settings | (next & (kDma2dSuspend | kDma2dEnables));
    if (busy && (next & kDma2dAbort) != 0) {
        aborting_ = true;
        flags_due_ = 0;
        this->at(kDma2dControl) |= kDma2dAbort;
        schedule(std::max(last_end_, at));
    } else if (busy) {
        if ((before & kDma2dSuspend) != 0 && !rests()) schedule(std::max(due_, at));
    } else if ((next & kDma2dStart) != 0) {
        start(Work::Pixels, at);
    }
}

void Dma2d::write_converter(std::uint32_t offset, std::uint32_t next, Picoseconds at) {
    this->at(offset) = next & ~kDma2dTableStart;
    if ((next & kDma2dTableStart) == 0) return;
    start(offset == kDma2dFgConverter ? Work::ForegroundTable : Work::BackgroundTable, at);
}

RegisterBlock::Answer Dma2d::access_table(std::uint32_t offset, std::uint32_t*& entry) {
    const bool foreground = offset < kDma2dBgEntries;
    const Work load = foreground ? Work::ForegroundTable : Work::BackgroundTable;
    auto& table = foreground ? foreground_table_ : background_table_;
    entry = nullptr;
    if (work_ == load) {
        raise(kDma2dTableAccess);
    } else {
        entry = &table[offset / 4 % table.size()];
    }
    return {.name = foreground ? "FGCLUT" : "BGCLUT"};
}

RegisterBlock::Answer Dma2d::read(std::uint32_t offset, Picoseconds /*at*/) {
    if (offset < kDma2dEnd) {
        return {.value = offset == kDma2dIfcr ? 0 : get(offset),
                .name = kDma2dRegisters[offset / 4].name};
    }
    if (offset < kDma2dFgEntries || offset >= kDma2dEntriesEnd) return {.modelled = false};
    std::uint32_t* entry = nullptr;
    Answer answer = access_table(offset, entry);
    if (entry != nullptr) answer.value = *entry;
    return answer;
}

RegisterBlock::Answer Dma2d::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                   Picoseconds at) {
    if (offset >= kDma2dFgEntries && offset < kDma2dEntriesEnd) {
        std::uint32_t* entry = nullptr;
        const Answer answer = access_table(offset, entry);
        if (entry != nullptr) *entry = (*entry & ~mask) | (value & mask);
        return answer;
    }
    if (offset >= kDma2dEnd) return {.modelled = false};
    const Dma2dRegister& row = kDma2dRegisters[offset / 4];
    const std::uint32_t bits = mask & row.writable;
    const std::uint32_t next = (get(offset) & ~bits) | (value & bits);
    switch (offset) {
        case kDma2dControl:
            write_control(next, at);
            break;
        case kDma2dIfcr:
            this->at(kDma2dIsr) &= ~(value & mask);
            break;
        case kDma2dFgConverter:
        case kDma2dBgConverter:
            if (work_ == Work::None) write_converter(offset, next, at);
            break;
        default:
            if (work_ == Work::None || offset == kDma2dDeadTime) this->at(offset) = next;
            break;
    }
    update();
    return {.name = row.name};
}

}  // namespace n6vp::models

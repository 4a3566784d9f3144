// SPDX-License-Identifier: Apache-2.0
#include "models/soc/graphics/ltdc.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "models/soc/base/clock_periods.h"

namespace n6vp::models {

using graphics::LayerWords;
using graphics::LtdcLayer;

namespace {

enum LtdcOffset : std::uint32_t {
    kLtdcSync = 0x08,
    kLtdcBackPorch = 0x0C,
    kLtdcActive = 0x10,
    kLtdcTotal = 0x14,
    kLtdcControl = 0x18,
    kLtdcReload = 0x24,
    kLtdcGamma = 0x28,
    kLtdcBackground = 0x2C,
    kLtdcIer = 0x34,
    kLtdcIsr = 0x38,
    kLtdcIcr = 0x3C,
    kLtdcLine = 0x40,
    kLtdcPosition = 0x44,
    kLtdcStatus = 0x48,
    kLtdcOutput = 0x60,
    /// From IER, ISR, ICR and LIPCR to the same of the second set.
    kLtdcToSecond = 0x30,
    kLtdcGlobalEnd = 0x94,
    kLtdcFirstLayer = 0x100,
    kLtdcLayerStride = 0x100,
    kLtdcLayerEnd = 0x80,
    kLtdcEnd = 0x280,
    // Of a layer.
    kLtdcLayerReload = 0x08,
    kLtdcTable = 0x50,
};

struct LtdcName {
    std::uint32_t offset;
    const char* name;
};
constexpr LtdcName kLtdcNames[] = {
    {0x08, "SSCR"},   {0x0C, "BPCR"},  {0x10, "AWCR"},  {0x14, "TWCR"},  {0x18, "GCR"},
    {0x1C, "GC1R"},   {0x20, "GC2R"},  {0x24, "SRCR"},  {0x28, "GCCR"},  {0x2C, "BCCR"},
    {0x34, "IER"},    {0x38, "ISR"},   {0x3C, "ICR"},   {0x40, "LIPCR"}, {0x44, "CPSR"},
    {0x48, "CDSR"},   {0x60, "EDCR"},  {0x64, "IER2"},  {0x68, "ISR2"},  {0x6C, "ICR2"},
    {0x70, "LIPCR2"}, {0x78, "ECRCR"}, {0x7C, "CCRCR"}, {0x90, "FUTR"}};
constexpr LtdcName kLtdcLayerNames[] = {
    {0x00, "LxC0R"},    {0x04, "LxC1R"},    {0x08, "LxRCR"},   {0x0C, "LxCR"},
    {0x10, "LxWHPCR"},  {0x14, "LxWVPCR"},  {0x18, "LxCKCR"},  {0x1C, "LxPFCR"},
    {0x20, "LxCACR"},   {0x24, "LxDCCR"},   {0x28, "LxBFCR"},  {0x2C, "LxBLCR"},
    {0x30, "LxPCR"},    {0x34, "LxCFBAR"},  {0x38, "LxCFBLR"}, {0x3C, "LxCFBLNR"},
    {0x40, "LxAFBA0R"}, {0x44, "LxAFBA1R"}, {0x48, "LxAFBLR"}, {0x4C, "LxAFBLNR"},
    {0x50, "LxCLUTWR"}, {0x6C, "LxCYR0R"},  {0x70, "LxCYR1R"}, {0x74, "LxFPF0R"},
    {0x78, "LxFPF1R"}};

// GCR.
constexpr std::uint32_t kLtdcEnable = 1;
constexpr std::uint32_t kLtdcPolarities = 0xFu << 28;
/// DBW, DGW and DRW are read-only.
constexpr std::uint32_t kLtdcWidths = 0x7770, kLtdcWidthsValue = 0x2220;
/// GAMEN, DEN, CRCEN, SFEN, SFSWTR.
constexpr std::uint32_t kLtdcControlNotModelled = 1u << 1 | 1u << 16 | 1u << 19 | 3u << 24;
// ISR, IER, ICR.
constexpr std::uint32_t kLtdcLineFlag = 1, kLtdcErrorFlag = 1u << 2, kLtdcReloadFlag = 1u << 3,
                        kLtdcUnderrunFlag = 1u << 6;
constexpr std::uint32_t kLtdcErrors = 1u << 1 | kLtdcErrorFlag | kLtdcUnderrunFlag | 1u << 7;
// SRCR and LxRCR.
constexpr std::uint32_t kLtdcNow = 1, kLtdcBlanking = 2, kLtdcMask = 4;

[[nodiscard]] std::uint32_t low(std::uint32_t word) {
    return word & 0xFFFF;
}
[[nodiscard]] std::uint32_t high(std::uint32_t word) {
    return word >> 16;
}

/// Reset values by the public register description.
[[nodiscard]] LayerWords reset_words(unsigned layer) {
    LayerWords words{};
    words[0x00 / 4] = 0xFF50A076;
    words[0x04 / 4] = layer == 0 ? 0x80000007 : 0x80000001;
    words[0x20 / 4] = 0xFF;
    words[0x28 / 4] = layer == 0 ? 0x607 : 0x10607;
    words[0x74 / 4] = 0x11100;
    words[0x78 / 4] = 0x93110;
    return words;
}

}  // namespace

bool Ltdc::Timing::valid() const {
    const bool ordered = h_sync <= left && left < right && right < columns && v_sync <= top &&
                         top < bottom && bottom < lines;
    return ordered && right - left <= kMaxWidth && bottom - top <= kMaxHeight;
}

Picoseconds Ltdc::Timing::line_at(std::uint64_t line) const {
    return periods_to_ps(line * columns, hz);
}

Ltdc::Ltdc(const sc_core::sc_module_name& name, const char* block, const LtdcParameters& parameters)
    : sc_module(name), RegisterBlock(block), port("to"), parameters_(parameters) {
    constexpr double kMega = 1e6;
    hz_ = static_cast<std::uint64_t>(std::llround(parameters_.pixel_clock.value * kMega));
    port.set_untimed(parameters_.bus_traffic.value == 0);
    SC_HAS_PROCESS(Ltdc);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
    Ltdc::reset();
}

void Ltdc::reset() {
    held_ = {};
    at(kLtdcControl) = kLtdcWidthsValue;
    at(0x1C) = 0x6BE4D888;
    at(0x20) = 0xBB30;
    at(0x90) = 0x10;
    for (unsigned i = 0; i < kLayers; ++i) waiting_[i] = active_[i] = reset_words(i);
    tables_ = {};
    reload_due_ = {};
    scanning_ = false;
    next_.cancel();
    shown_ = {};
    statistics_ = {};
    update();
}

void Ltdc::set_pixel_hz(double hz) {
    if (hz >= 1) hz_ = static_cast<std::uint64_t>(std::llround(hz));
}

void Ltdc::clock_changed() {
    start_scan(sc_core::sc_time_stamp().value());
}

// Scan ---------------------------------------------------------------------------------------

Ltdc::Timing Ltdc::timing() const {
    const std::uint32_t sync = get(kLtdcSync), porch = get(kLtdcBackPorch),
                        active = get(kLtdcActive), total = get(kLtdcTotal);
    return {high(sync),  high(porch),    high(active), high(total) + 1, low(sync), low(porch),
            low(active), low(total) + 1, hz_};
}

/// Starts or stops the scan as the enable and the clock say.
void Ltdc::start_scan(Picoseconds at) {
    const bool wanted = (get(kLtdcControl) & kLtdcEnable) != 0 && runs() && timing().valid();
    if (wanted == scanning_) return;
    scanning_ = wanted;
    if (!scanning_) {
        next_.cancel();
        return;
    }
    start_frame(at);
    visit(0, at);
    schedule();
}

void Ltdc::start_frame(Picoseconds at) {
    const Timing next = timing();
    if (!next.valid()) {
        scanning_ = false;
        return;
    }
    frame_start_ = at;
    current_.timing = next;
    current_.lines.resize(next.bottom - next.top);
    for (Line& line : current_.lines) line.read = false;
    statistics_.frame_ps = next.line_at(next.lines);
}

std::uint32_t Ltdc::next_line() const {
    const Timing& frame = current_.timing;
    const auto after = static_cast<std::uint32_t>(line_ + 1);
    std::uint32_t next = frame.lines;
    const auto take = [&](std::uint32_t line) {
        if (line >= after) next = std::min(next, line);
    };
    take(low(get(kLtdcLine)));
    take(low(get(kLtdcLine + kLtdcToSecond)));
    take(frame.bottom + 1);
    for (const LayerWords& words : active_) {
        const LtdcLayer layer(words);
        const LtdcLayer::Window shown = layer.window();
        const std::uint32_t first = std::max({shown.top, frame.top + 1, after});
        if (layer.enabled() && first <= frame.bottom && shown.has_line(first)) take(first);
    }
    return next;
}

void Ltdc::schedule() {
    next_.cancel();
    if (scanning_) next_.notify(delay_until(frame_start_ + current_.timing.line_at(next_line())));
}

void Ltdc::step() {
    const std::uint32_t line = next_line();
    const Picoseconds at = sc_core::sc_time_stamp().value();
    if (line >= current_.timing.lines) {
        if (current_.timing.bottom + 1 == line) end_active_lines();
        start_frame(at);
        if (scanning_) visit(0, at);
    } else {
        visit(line, at);
    }
    schedule();
    update();
}

void Ltdc::visit(std::uint32_t line, Picoseconds at) {
    line_ = line;
    const Timing& frame = current_.timing;
    if (frame.top < line && line <= frame.bottom) fetch(line, at);
    for (const std::uint32_t set : {0u, std::uint32_t{kLtdcToSecond}}) {
        if (line == low(get(kLtdcLine + set))) this->at(kLtdcIsr + set) |= kLtdcLineFlag;
    }
    if (line == frame.bottom + 1) end_active_lines();
}

void Ltdc::fetch(std::uint32_t line, Picoseconds at) {
    Line& into = current_.lines[line - current_.timing.top - 1];
    into.read = true;
    into.words = active_;
    const Picoseconds deadline = frame_start_ + current_.timing.line_at(line + 1);
    std::uint32_t flags = 0;
    for (unsigned i = 0; i < kLayers; ++i) {
        const LtdcLayer layer(active_[i]);
        into.bytes[i].clear();
        if (!layer.enabled()) continue;
        bool ok = true, late = false;
        for (const LtdcLayer::Fetch& wanted : layer.fetch(line)) {
            if (wanted.bytes == 0) continue;
            const std::size_t start = into.bytes[i].size();
            into.bytes[i].resize(start + wanted.bytes);
            const auto done = port.read(attributes[i], wanted.address,
                                        std::span(into.bytes[i]).subspan(start), at);
            statistics_.bytes += wanted.bytes;
            ok = ok && done.ok;
            late = late || done.end > deadline;
        }
        if (!ok) {
            ++statistics_.errors;
            flags |= kLtdcErrorFlag;
        } else if (late) {
            ++statistics_.underruns;
            flags |= kLtdcUnderrunFlag;
        }
    }
    this->at(kLtdcIsr) |= flags;
    this->at(kLtdcIsr + kLtdcToSecond) |= flags;
}

void Ltdc::end_active_lines() {
    current_.words = active_;
    current_.tables = tables_;
    const std::uint32_t back = get(kLtdcBackground);
    current_.background = {255, static_cast<std::uint8_t>(back >> 16),
                           static_cast<std::uint8_t>(back >> 8), static_cast<std::uint8_t>(back)};
    std::swap(current_, shown_);
    current_.timing = shown_.timing;
    ++statistics_.frames;
    bool reloaded = (get(kLtdcReload) & kLtdcBlanking) != 0;
    for (unsigned i = 0; i < kLayers; ++i) {
        if (std::exchange(reload_due_[i], false)) {
            reload(i);
            reloaded = true;
        }
    }
    at(kLtdcReload) &= ~kLtdcBlanking;
    if (!reloaded) return;
    at(kLtdcIsr) |= kLtdcReloadFlag;
    at(kLtdcIsr + kLtdcToSecond) |= kLtdcReloadFlag;
}

void Ltdc::reload(unsigned layer) {
    active_[layer] = waiting_[layer];
    std::uint32_t& control = waiting_[layer][kLtdcLayerReload / 4];
    control &= ~(kLtdcNow | kLtdcBlanking);
    active_[layer][kLtdcLayerReload / 4] = control;
}

Picture Ltdc::picture() const {
    Picture picture;
    if (statistics_.frames == 0) return picture;
    const Timing& frame = shown_.timing;
    picture.width = frame.right - frame.left;
    picture.height = frame.bottom - frame.top;
    picture.rgb.reserve(std::size_t{3} * picture.width * picture.height);
    for (std::uint32_t y = 0; y < picture.height; ++y) {
        const Line& line = shown_.lines[y];
        const auto& words = line.read ? line.words : shown_.words;
        const unsigned first = LtdcLayer(words[0]).order() <= LtdcLayer(words[1]).order() ? 0 : 1;
        for (std::uint32_t x = 0; x < picture.width; ++x) {
            graphics::Colour colour = shown_.background;
            for (const unsigned i : {first, 1 - first}) {
                const LtdcLayer layer(words[i]);
                const std::span<const std::uint8_t> bytes =
                    line.read ? std::span<const std::uint8_t>(line.bytes[i])
                              : std::span<const std::uint8_t>();
                const auto above =
                    layer.at(frame.left + 1 + x, frame.top + 1 + y, bytes, shown_.tables[i]);
                if (above) colour = layer.blend(*above, colour);
            }
            picture.rgb.insert(picture.rgb.end(), {colour.r, colour.g, colour.b});
        }
    }
    return picture;
}

// Registers ----------------------------------------------------------------------------------

/// Line or column of the scan.
std::uint32_t Ltdc::position(Picoseconds at, bool of_line) const {
    if (!scanning_ || at < frame_start_) return 0;
    const Timing& frame = current_.timing;
    const std::uint64_t clocks =
        periods_in(at - frame_start_, frame.hz) % (std::uint64_t{frame.columns} * frame.lines);
    return static_cast<std::uint32_t>(of_line ? clocks / frame.columns : clocks % frame.columns);
}

/// While nothing is scanned: the reset value.
std::uint32_t Ltdc::display_status(Picoseconds at) const {
    if (!scanning_) return 3;
    const Timing& frame = current_.timing;
    const std::uint32_t line = position(at, true), column = position(at, false);
    const bool rows = frame.top < line && line <= frame.bottom;
    const bool columns = frame.left < column && column <= frame.right;
    return (rows ? 1u : 0u) | (columns ? 2u : 0u) | (line <= frame.v_sync ? 4u : 0u) |
           (column <= frame.h_sync ? 8u : 0u);
}

RegisterBlock::Answer Ltdc::read(std::uint32_t offset, Picoseconds at) {
    if (offset >= kLtdcEnd) return {.modelled = false};
    Answer answer{.modelled = false};
    if (offset < kLtdcFirstLayer) {
        for (const LtdcName& each : kLtdcNames) {
            if (each.offset == offset) answer = {.value = get(offset), .name = each.name};
        }
        if (offset == kLtdcPosition) answer.value = position(at, true) | position(at, false) << 16;
        if (offset == kLtdcStatus) answer.value = display_status(at);
        return answer;
    }
    const unsigned layer = (offset - kLtdcFirstLayer) / kLtdcLayerStride;
    const std::uint32_t inner = (offset - kLtdcFirstLayer) % kLtdcLayerStride;
    for (const LtdcName& each : kLtdcLayerNames) {
        if (each.offset != inner) continue;
        const bool active = parameters_.reads_active.value != 0 && inner != kLtdcLayerReload;
        const auto& words = active ? active_[layer] : waiting_[layer];
        answer = {.value = inner == kLtdcTable ? 0 : words[inner / 4], .name = each.name};
    }
    return answer;
}

bool Ltdc::known(std::uint32_t offset) const {
    switch (offset) {
        case kLtdcControl: {
            const bool on = (get(kLtdcControl) & kLtdcEnable) != 0;
            return (get(kLtdcControl) & kLtdcControlNotModelled) == 0 && (!on || timing().valid());
        }
        case kLtdcGamma:
            return false;
        case kLtdcOutput:
            return get(kLtdcOutput) == 0;
        default:
            return true;
    }
}

void Ltdc::write_global(std::uint32_t offset, std::uint32_t next, Picoseconds at) {
    switch (offset) {
        case kLtdcControl:
            this->at(offset) = (next & (kLtdcEnable | kLtdcPolarities | kLtdcControlNotModelled)) |
                               (kLtdcWidthsValue & kLtdcWidths);
            start_scan(at);
            break;
        case kLtdcReload:
            this->at(offset) = next & kLtdcBlanking;
            for (unsigned i = 0; i < kLayers; ++i) {
                const bool masked = parameters_.global_mask.value != 0 &&
                                    (waiting_[i][kLtdcLayerReload / 4] & kLtdcMask) != 0;
                if (masked) continue;
                if ((next & kLtdcNow) != 0) reload(i);
                if ((next & kLtdcBlanking) != 0) reload_due_[i] = true;
            }
            break;
        case kLtdcIcr:
        case kLtdcIcr + kLtdcToSecond:
            this->at(offset - kLtdcIcr + kLtdcIsr) &= ~next;
            break;
        case 0x1C:
        case 0x20:
        case 0x7C:
        case kLtdcIsr:
        case kLtdcIsr + kLtdcToSecond:
        case kLtdcPosition:
        case kLtdcStatus:
        case kLtdcGamma:
            break;  // read-only, or not modelled
        default:
            this->at(offset) = next;
            if (offset >= kLtdcSync && offset <= kLtdcTotal) start_scan(at);
            break;
    }
}

void Ltdc::write_layer(unsigned layer, std::uint32_t offset, std::uint32_t value,
                       std::uint32_t mask) {
    LayerWords& words = waiting_[layer];
    if (offset == kLtdcTable) {
        tables_[layer][value >> 24] = {255, static_cast<std::uint8_t>(value >> 16),
                                       static_cast<std::uint8_t>(value >> 8),
                                       static_cast<std::uint8_t>(value)};
        return;
    }
    if (offset <= 0x04) return;  // what the layer can do: read-only
    std::uint32_t& word = words[offset / 4];
    word = (word & ~mask) | (value & mask);
    if (offset != kLtdcLayerReload) return;
    word &= kLtdcNow | kLtdcBlanking | kLtdcMask;
    if ((word & kLtdcBlanking) != 0) reload_due_[layer] = true;
    if ((word & kLtdcNow) != 0) {
        const bool waits = (word & kLtdcBlanking) != 0;
        reload(layer);
        if (waits) word |= kLtdcBlanking;
    }
}

RegisterBlock::Answer Ltdc::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                  Picoseconds at) {
    Answer answer = read(offset, at);
    answer.value = 0;
    if (answer.name[0] == '\0') return answer;
    if (offset < kLtdcFirstLayer) {
        const bool clears = offset == kLtdcIcr || offset == kLtdcIcr + kLtdcToSecond;
        write_global(offset, clears ? value & mask : (get(offset) & ~mask) | (value & mask), at);
        answer.modelled = known(offset);
    } else {
        const unsigned layer = (offset - kLtdcFirstLayer) / kLtdcLayerStride;
        write_layer(layer, (offset - kLtdcFirstLayer) % kLtdcLayerStride, value, mask);
        answer.modelled = LtdcLayer(waiting_[layer]).modelled();
    }
    if (scanning_) schedule();
    update();
    return answer;
}

void Ltdc::update() {
    std::uint32_t raised = 0;
    for (const std::uint32_t set : {0u, std::uint32_t{kLtdcToSecond}})
        raised |= get(kLtdcIsr + set) & get(kLtdcIer + set);
    level_.set((raised & (kLtdcLineFlag | kLtdcReloadFlag)) != 0, on_interrupt);
    error_level_.set((raised & kLtdcErrors) != 0, on_error_interrupt);
}

}  // namespace n6vp::models

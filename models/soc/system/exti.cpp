// SPDX-License-Identifier: Apache-2.0
#include "models/soc/system/exti.h"

namespace n6vp::models {
namespace {

constexpr unsigned kExtiLines = 32;
constexpr std::uint32_t kExticrFirst = 0x60, kExticrLast = 0x6C;

}  // namespace

const Exti::Layout& Exti::layout_of(memmap::ChipFamily family) {
    // In the order of the families. Direct lines of the L4 and H7 start unmasked.
    static constexpr Layout kLayouts[] = {
        {0x08,
         0x0C,
         0x10,
         0x14,
         0x14,
         0x00,
         0x04,
         2,
         0x20,
         0x20,
         0x20,
         {0xFF820000, 0xFFFFFF87, 0}},
        {0x00, 0x04, 0x08, 0x0C, 0x10, 0x80, 0x84, 1, 0x20, 0x20, 0x10, {0, 0, 0}},
        {0x08, 0x0C, 0x10, 0x14, 0x14, 0x00, 0x04, 1, 0x20, 0x20, 0x20, {0, 0, 0}},
        {0x00, 0x04, 0x08, 0x88, 0x88, 0x80, 0x84, 3, 0x20, 0x10, 0x10, {0xFFC00000, 0, 0}}};
    return kLayouts[static_cast<std::size_t>(family)];
}

namespace {

constexpr Exti::Layout kN6Layout{0x00, 0x04, 0x08, 0x0C, 0x10, 0x80,
                                 0x84, 3,    0x20, 0x20, 0x10, {0, 0, 0}};

}  // namespace

Exti::Exti(const char* name, const Layout& layout) : RegisterBlock(name), layout_(layout) {
    Exti::reset();
}

Exti::Exti(const memmap::Chip& chip, const char* name) : Exti(name, layout_of(chip.family)) {}

Exti::Exti(const char* name) : Exti(name, kN6Layout) {}

unsigned Exti::selected_port(unsigned line) const {
    return held(kExticrFirst + line / 4 * 4) >> (line % 4 * 8) & 0xFF;
}

void Exti::reset() {
    values_.clear();
    for (unsigned bank = 0; bank < layout_.banks; ++bank) {
        values_[layout_.mask + bank * layout_.mask_stride] = layout_.mask_reset[bank];
        update(bank);
    }
    if (on_selection) on_selection();
}

std::uint32_t Exti::held(std::uint32_t offset) const {
    const auto value = values_.find(offset);
    return value == values_.end() ? 0 : value->second;
}

Exti::Place Exti::find(std::uint32_t offset) const {
    for (unsigned bank = 0; bank < layout_.banks; ++bank) {
        const std::uint32_t edges = bank * layout_.stride, masks = bank * layout_.mask_stride;
        const std::uint32_t pendings = bank * layout_.pending_stride;
        if (offset == layout_.rising + edges) return {Role::Plain, bank, "RTSR"};
        if (offset == layout_.falling + edges) return {Role::Plain, bank, "FTSR"};
        if (offset == layout_.software + edges) return {Role::Software, bank, "SWIER"};
        if (offset == layout_.pending_rising + pendings)
            return {Role::PendingRising, bank,
                    layout_.pending_rising == layout_.pending_falling ? "PR" : "RPR"};
        if (offset == layout_.pending_falling + pendings)
            return {Role::PendingFalling, bank, "FPR"};
        if (offset == layout_.mask + masks) return {Role::Mask, bank, "IMR"};
    }
    return {};
}

void Exti::pend(std::uint32_t offset, std::uint32_t bits) {
    values_[offset] = held(offset) | bits;
}

void Exti::clear(std::uint32_t offset, std::uint32_t bits) {
    values_[offset] = held(offset) & ~bits;
}

void Exti::update(unsigned bank) {
    const std::uint32_t pendings = bank * layout_.pending_stride;
    const std::uint32_t pending =
        held(layout_.pending_rising + pendings) | held(layout_.pending_falling + pendings);
    const std::uint32_t now = pending & held(layout_.mask + bank * layout_.mask_stride);
    const std::uint32_t changed = now ^ levels_[bank];
    levels_[bank] = now;
    if (!on_interrupt) return;
    for (unsigned line = 0; line < kExtiLines; ++line) {
        if ((changed >> line & 1) != 0)
            on_interrupt(bank * kExtiLines + line, (now >> line & 1) != 0);
    }
}

void Exti::set_line(unsigned line, bool level) {
    const unsigned bank = line / kExtiLines;
    if (bank >= layout_.banks) return;
    const std::uint32_t bit = 1u << line % kExtiLines;
    if (((inputs_[bank] & bit) != 0) == level) return;
    inputs_[bank] ^= bit;
    const std::uint32_t selected =
        held((level ? layout_.rising : layout_.falling) + bank * layout_.stride);
    const std::uint32_t pendings = bank * layout_.pending_stride;
    pend((level ? layout_.pending_rising : layout_.pending_falling) + pendings, selected & bit);
    update(bank);
}

RegisterBlock::Answer Exti::read(std::uint32_t offset, Picoseconds /*at*/) {
    const Place place = find(offset);
    const bool selection = offset >= kExticrFirst && offset <= kExticrLast;
    if (place.name[0] == '\0' && selection && layout_.mask == 0x80) {
        return {
            .value = held(offset), .modelled = static_cast<bool>(on_selection), .name = "EXTICR"};
    }
    return {.value = held(offset), .modelled = place.name[0] != '\0', .name = place.name};
}

RegisterBlock::Answer Exti::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                  Picoseconds at) {
    const Place place = find(offset);
    const std::uint32_t written = value & mask;
    const std::uint32_t pendings = place.bank * layout_.pending_stride;
    const std::uint32_t software = layout_.software + place.bank * layout_.stride;
    switch (place.role) {
        case Role::Plain:
        case Role::Mask:
            values_[offset] = (held(offset) & ~mask) | written;
            break;
        case Role::Software:
            // A bit that goes from zero to one pends its line; it falls with the pending flag.
            pend(layout_.pending_rising + pendings, written & ~held(offset));
            values_[offset] = held(offset) | written;
            break;
        case Role::PendingRising:
        case Role::PendingFalling:
            clear(offset, written);
            clear(software, written);
            break;
    }
    update(place.bank);
    const bool selection = offset >= kExticrFirst && offset <= kExticrLast;
    if (selection && layout_.mask == 0x80 && on_selection) on_selection();
    return read(offset, at);
}

}  // namespace n6vp::models

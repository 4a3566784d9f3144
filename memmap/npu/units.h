// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/npu/activ.h"
#include "memmap/npu/arith.h"
#include "memmap/npu/busif.h"
#include "memmap/npu/clkctrl.h"
#include "memmap/npu/convacc.h"
#include "memmap/npu/debug_trace.h"
#include "memmap/npu/decun.h"
#include "memmap/npu/epochctrl.h"
#include "memmap/npu/intctrl.h"
#include "memmap/npu/pool.h"
#include "memmap/npu/recbuf.h"
#include "memmap/npu/streng.h"
#include "memmap/npu/strswitch.h"

/// The NPU's register window: 32 pages of 4 KiB, one unit each. The page number is the epoch
/// controller's IP number; it is not the number of the clock gate. Names, positions and reset
/// values are facts of the vendor's register header (`tests/loader/data/npu_registers.csv`).
namespace n6vp::memmap::npu {

inline constexpr std::uint32_t kPages = 32;
inline constexpr std::uint32_t kPageBytes = 0x1000;
inline constexpr std::uint32_t kWindowBytes = kPages * kPageBytes;

/// Every kind of unit, in the order of their pages.
inline constexpr const UnitType* kUnitTypes[] = {
    &kClkctrl, &kIntctrl, &kBusif, &kStrswitch, &kStreng,    &kConvacc,    &kDecun,
    &kActiv,   &kArith,   &kPool,  &kRecbuf,    &kEpochctrl, &kDebugTrace,
};

/// One unit: its kind and which of them.
struct Unit {
    const UnitType* type = nullptr;  ///< nullptr: none
    std::uint32_t index = 0;

    [[nodiscard]] constexpr std::uint32_t page() const { return type->first_page + index; }
    /// Returns its bit in CLKCTRL.BGATES, or kNoGate.
    [[nodiscard]] constexpr std::uint32_t gate() const {
        return type->first_gate == kNoGate ? kNoGate : type->first_gate + index;
    }
};

/// Returns the unit of a page; none from page 32 on.
[[nodiscard]] constexpr Unit unit_at(std::uint32_t page) {
    for (const UnitType* type : kUnitTypes) {
        if (page >= type->first_page && page - type->first_page < type->count) {
            return {type, page - type->first_page};
        }
    }
    return {};
}

/// An element of a register.
struct Place {
    const Register* at = nullptr;  ///< nullptr: none
    std::uint32_t index = 0;
};

/// Returns the register at a byte offset of its unit's page; none between registers.
[[nodiscard]] constexpr Place register_at(const UnitType& type, std::uint32_t offset) {
    for (std::size_t i = 0; i < type.register_count; ++i) {
        const Register& at = type.registers[i];
        if (offset < at.offset || (offset - at.offset) % at.stride != 0) continue;
        const std::uint32_t index = (offset - at.offset) / at.stride;
        if (index < at.count) return {&at, index};
    }
    return {};
}

/// Fields that every unit has at the same place of CTRL, its first register; VERSION is the second.
inline constexpr Field kEnable = field(kStreng, "CTRL.EN");
inline constexpr Field kClear = field(kStreng, "CTRL.CLR");
inline constexpr Field kConfigurationClear = field(kStreng, "CTRL.CONFCLR");

namespace detail {

constexpr bool has_field(const Register& at, const Field& wanted) {
    for (std::size_t i = 0; i < at.field_count; ++i) {
        const Field& one = at.fields[i];
        if (starts(one.name, wanted.name, '\0')) {
            return one.lsb == wanted.lsb && one.width == wanted.width &&
                   one.access == wanted.access;
        }
    }
    return false;
}

constexpr bool frames_agree() {
    for (const UnitType* type : kUnitTypes) {
        const Register& control = type->registers[0];
        const Register& version = type->registers[1];
        if (!starts(control.name, "CTRL", '\0') || control.offset != 0) return false;
        if (!starts(version.name, "VERSION", '\0') || version.offset != 4) return false;
        if (!has_field(control, kEnable) || !has_field(control, kClear) ||
            !has_field(control, kConfigurationClear)) {
            return false;
        }
    }
    return true;
}

static_assert(frames_agree());

constexpr bool pages_are_full() {
    std::uint32_t next = 0;
    for (const UnitType* type : kUnitTypes) {
        if (type->first_page != next) return false;
        next += type->count;
    }
    return next == kPages;
}

static_assert(pages_are_full());

}  // namespace detail

}  // namespace n6vp::memmap::npu

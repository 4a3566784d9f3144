// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// Shape of the NPU's register tables: one table per unit type, the only place that knows names,
/// positions, reset values and access rules. Freestanding.
namespace n6vp::memmap::npu {

/// What software's accesses to a field do.
enum class Access : std::uint8_t {
    Rw,   ///< stores and returns
    Ro,   ///< writes are ignored
    Wo,   ///< stores; reads as zero
    W1c,  ///< a written one clears, a zero does nothing
    W1t,  ///< a written one triggers and is not stored; reads as zero
    Sc,   ///< a written one triggers; the unit clears it when done
};

/// When a write takes no effect although the access rule allows it.
enum class Lock : std::uint8_t { Never, WhileRunning };

struct Field {
    const char* name;
    std::uint8_t lsb, width;
    Access access;
    Lock lock = Lock::Never;
    std::uint8_t fixed = 0;  ///< low bits of the field that writes leave as they are

    [[nodiscard]] constexpr std::uint32_t mask() const {
        return static_cast<std::uint32_t>(((std::uint64_t{1} << width) - 1) << lsb);
    }
};

[[nodiscard]] constexpr std::uint32_t extract(std::uint32_t word, const Field& field) {
    return (word & field.mask()) >> field.lsb;
}

/// Takes the field as two's complement.
[[nodiscard]] constexpr std::int32_t extract_signed(std::uint32_t word, const Field& field) {
    const auto sign = static_cast<std::int64_t>(std::uint64_t{1} << (field.width - 1));
    return static_cast<std::int32_t>((static_cast<std::int64_t>(extract(word, field)) ^ sign) -
                                     sign);
}

/// Returns `word` with the field replaced by the low bits of `value`.
[[nodiscard]] constexpr std::uint32_t insert(std::uint32_t word, const Field& field,
                                             std::uint32_t value) {
    return (word & ~field.mask()) |
           (static_cast<std::uint32_t>(std::uint64_t{value} << field.lsb) & field.mask());
}

/// A register, or an array of equal ones.
struct Register {
    const char* name;
    std::uint16_t offset;  ///< bytes, in the unit's 4 KiB page
    std::uint32_t reset;
    const Field* fields;
    std::uint16_t field_count;
    std::uint16_t count;   ///< elements
    std::uint16_t stride;  ///< bytes between elements

    template <std::size_t kFields>
    constexpr Register(const char* register_name, std::uint16_t first_offset,
                       std::uint32_t reset_value, const Field (&table)[kFields],
                       std::uint16_t elements = 1, std::uint16_t element_stride = 4)
        : name(register_name),
          offset(first_offset),
          reset(reset_value),
          fields(table),
          field_count(kFields),
          count(elements),
          stride(element_stride) {}
};

inline constexpr std::uint8_t kNoGate = 0xFF;

/// A kind of unit.
struct UnitType {
    const char* name;
    std::uint8_t count;  ///< instances, in consecutive pages
    std::uint8_t
        first_page;  ///< of instance 0: offset in the NPU / 4 KiB, the epoch controller's IP
    std::uint8_t first_gate;  ///< bit of instance 0 in CLKCTRL.BGATES, or kNoGate
    const Register* registers;
    std::uint16_t register_count;

    template <std::size_t kRegisters>
    constexpr UnitType(const char* unit_name, std::uint8_t instances, std::uint8_t page,
                       std::uint8_t gate, const Register (&table)[kRegisters])
        : name(unit_name),
          count(instances),
          first_page(page),
          first_gate(gate),
          registers(table),
          register_count(kRegisters) {}
};

namespace detail {

/// Returns true if `path` starts with `name` and goes on with `end`.
constexpr bool starts(const char* path, const char* name, char end) {
    for (; *name != '\0'; ++path, ++name) {
        if (*path != *name) return false;
    }
    return *path == end;
}

constexpr std::size_t length(const char* text) {
    std::size_t n = 0;
    while (text[n] != '\0') ++n;
    return n;
}

/// Never defined: to reach a call of one is an error of compilation whose message has its name.
[[noreturn]] void no_such_register();
[[noreturn]] void no_such_field();

}  // namespace detail

/// Returns the register called `name`. A wrong name does not compile.
[[nodiscard]] consteval Register reg(const UnitType& unit, const char* name) {
    for (std::size_t i = 0; i < unit.register_count; ++i) {
        if (detail::starts(name, unit.registers[i].name, '\0')) return unit.registers[i];
    }
    detail::no_such_register();
}

/// Returns the field of a path such as "CTRL.NOSUM". A wrong path does not compile.
[[nodiscard]] consteval Field field(const UnitType& unit, const char* path) {
    for (std::size_t i = 0; i < unit.register_count; ++i) {
        const Register& candidate = unit.registers[i];
        if (!detail::starts(path, candidate.name, '.')) continue;
        const char* rest = path + detail::length(candidate.name) + 1;
        for (std::size_t k = 0; k < candidate.field_count; ++k) {
            if (detail::starts(rest, candidate.fields[k].name, '\0')) return candidate.fields[k];
        }
    }
    detail::no_such_field();
}

}  // namespace n6vp::memmap::npu

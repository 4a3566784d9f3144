// SPDX-License-Identifier: Apache-2.0
// Results and flags of additions, shifts and selects by their definitions, in wider arithmetic or
// bit by bit.
#include <doctest/doctest.h>

#include <cstdint>

#include "tests/core/integer/machine.h"

using n6vp::test::kEdges;
using n6vp::test::Machine;

namespace {

struct Expected {
    std::uint32_t value = 0, nzcv = 0;
};

/// a + b + carry as exact numbers: C if the unsigned sum, V if the signed one does not fit.
Expected sum(std::uint32_t a, std::uint32_t b, std::uint32_t carry) {
    const std::uint64_t exact = std::uint64_t{a} + b + carry;
    const std::int64_t signed_exact =
        std::int64_t{static_cast<std::int32_t>(a)} + static_cast<std::int32_t>(b) + carry;
    const auto value = static_cast<std::uint32_t>(exact);
    std::uint32_t nzcv = 0;
    if (value >= 0x80000000u) nzcv |= 8;
    if (value == 0) nzcv |= 4;
    if (exact > 0xFFFFFFFFu) nzcv |= 2;
    if (signed_exact > INT32_MAX || signed_exact < INT32_MIN) nzcv |= 1;
    return {value, nzcv};
}

/// One bit at a time; `kind` as in the encoding. Leaves C alone for no steps.
Expected shifted(std::uint32_t value, unsigned kind, unsigned steps, std::uint32_t flags) {
    bool carry = (flags & 2) != 0;
    for (unsigned step = 0; step < steps; ++step) {
        carry = kind == 0 ? value >= 0x80000000u : value % 2 != 0;
        const std::uint32_t top = kind == 2   ? value & 0x80000000u
                                  : kind == 3 ? (carry ? 0x80000000u : 0)
                                              : 0;
        value = kind == 0 ? value * 2 : value / 2 + top;
    }
    return {value, (value >= 0x80000000u ? 8u : 0u) | (value == 0 ? 4u : 0u) | (carry ? 2u : 0u) |
                       (flags & 1)};
}

bool holds(unsigned condition, std::uint32_t nzcv) {
    const bool n = (nzcv & 8) != 0, z = (nzcv & 4) != 0, c = (nzcv & 2) != 0, v = (nzcv & 1) != 0;
    const bool table[] = {z,  !z,      c,       !c,     n,      !n,           v,
                          !v, c && !z, !c || z, n == v, n != v, !z && n == v, z || n != v};
    return table[condition];
}

}  // namespace

TEST_CASE("additions and subtractions set flags as exact sums do") {
    Machine machine;
    for (const std::uint32_t a : kEdges) {
        for (const std::uint32_t b : kEdges) {
            for (std::uint32_t carry = 0; carry < 2; ++carry) {
                const struct {
                    std::uint32_t encoding;
                    Expected expected;
                } cases[] = {
                    {0xEB110002, sum(a, b, 0)},       // adds.w r0, r1, r2
                    {0xEB510002, sum(a, b, carry)},   // adcs.w
                    {0xEB710002, sum(a, ~b, carry)},  // sbcs.w
                    {0xEBB10002, sum(a, ~b, 1)},      // subs.w
                    {0xEBD10002, sum(b, ~a, 1)},      // rsbs
                };
                for (const auto& one : cases) {
                    CAPTURE(one.encoding);
                    machine.set_nzcv(carry * 2);
                    machine.reg(1) = a;
                    machine.reg(2) = b;
                    REQUIRE(machine.run_wide(one.encoding));
                    CHECK(machine.reg(0) == one.expected.value);
                    CHECK(machine.nzcv() == one.expected.nzcv);
                }
            }
        }
    }
}

TEST_CASE("shifts by register look at the low byte of it") {
    Machine machine;
    for (unsigned kind = 0; kind < 4; ++kind) {
        for (const std::uint32_t value : {0x80000001u, 0x12345678u, 0xFFFFFFFFu, 1u}) {
            for (unsigned amount = 0; amount < 256; ++amount) {
                CAPTURE(kind);
                CAPTURE(amount);
                const std::uint32_t flags = amount & 3;
                machine.set_nzcv(flags);
                machine.reg(1) = value;
                machine.reg(2) = 0xABCD00u | amount;
                REQUIRE(machine.run_wide(0xFA11F002 | kind << 21));  // lsls.w r0, r1, r2 ...
                const Expected expected = shifted(value, kind, amount, flags);
                CHECK(machine.reg(0) == expected.value);
                CHECK(machine.nzcv() == expected.nzcv);
            }
        }
    }
}

TEST_CASE("shifts by immediate take zero for 32 or RRX") {
    Machine machine;
    for (const std::uint32_t value : {0x80000001u, 0x7FFFFFFEu}) {
        for (unsigned kind = 0; kind < 4; ++kind) {
            for (unsigned amount = 0; amount < 32; ++amount) {
                CAPTURE(kind);
                CAPTURE(amount);
                machine.set_nzcv(2);
                machine.reg(2) = value;
                // movs.w r0, r2, shifted
                REQUIRE(machine.run_wide(0xEA5F0002 | (amount >> 2) << 12 | (amount & 3) << 6 |
                                         kind << 4));
                Expected expected = shifted(value, kind, amount == 0 && kind != 0 ? 32 : amount, 2);
                if (kind == 3 && amount == 0) {
                    expected.value = 0x80000000u | value >> 1;
                    expected.nzcv = 8 | (value & 1) << 1;
                }
                CHECK(machine.reg(0) == expected.value);
                CHECK(machine.nzcv() == expected.nzcv);
            }
        }
    }
}

TEST_CASE("16-bit operations set no flags in an IT block") {
    Machine machine;
    machine.set_nzcv(0);
    machine.reg(1) = 5;
    REQUIRE(machine.run({0xBF18, 0x1E48}, 2));  // it ne; subne r0, r1, #1
    CHECK(machine.reg(0) == 4);
    CHECK(machine.nzcv() == 0);
    machine.set_nzcv(4);
    REQUIRE(machine.run({0xBF18, 0x1F48}, 2));  // it ne; subne r0, r1, #5: not executed
    CHECK(machine.reg(0) == 4);
    REQUIRE(machine.run({0x1F48}));  // subs r0, r1, #5
    CHECK(machine.reg(0) == 0);
    CHECK(machine.nzcv() == 6);
}

TEST_CASE("conditional selects") {
    Machine machine;
    for (unsigned condition = 0; condition < 14; ++condition) {
        for (std::uint32_t flags = 0; flags < 16; ++flags) {
            CAPTURE(condition);
            CAPTURE(flags);
            const bool yes = holds(condition, flags);
            const std::uint32_t otherwise[] = {7, 8, 0xFFFFFFF8u, 0xFFFFFFF9u};
            for (unsigned kind = 0; kind < 4; ++kind) {
                machine.set_nzcv(flags);
                machine.reg(1) = 1000;
                machine.reg(2) = 7;
                REQUIRE(machine.run_wide(0xEA518002 | kind << 12 | condition << 4));
                CHECK(machine.reg(0) == (yes ? 1000 : otherwise[kind]));
            }
            // zr on either side, and on both.
            REQUIRE(machine.run_wide(0xEA51900F | condition << 4));
            CHECK(machine.reg(0) == (yes ? 1000 : 1));
            REQUIRE(machine.run_wide(0xEA5F8002 | condition << 4));
            CHECK(machine.reg(0) == (yes ? 0 : 7));
            REQUIRE(machine.run_wide(0xEA5FA00F | condition << 4));
            CHECK(machine.reg(0) == (yes ? 0 : 0xFFFFFFFFu));
        }
    }
}

TEST_CASE("the program counter as operand") {
    Machine machine;
    REQUIRE(machine.run({0xBF00, 0xA001}, 2));  // nop; adr r0, #4: from the aligned PC
    CHECK(machine.reg(0) == Machine::kCode + 4 + 4);
    REQUIRE(machine.run({0xBF00, 0x4678}, 2));  // nop; mov r0, pc: unaligned
    CHECK(machine.reg(0) == Machine::kCode + 6);
    machine.reg(0) = 0x10;
    REQUIRE(machine.run({0x4487}));  // add pc, r0
    CHECK(machine.pc() == Machine::kCode + 4 + 0x10);
    machine.reg(3) = Machine::kCode + 0x41;
    REQUIRE(machine.run({0x469F}));  // mov pc, r3: bit 0 does not matter
    CHECK(machine.pc() == Machine::kCode + 0x40);
}

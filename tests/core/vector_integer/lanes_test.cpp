// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "tests/core/integer/machine.h"
#include "tests/core/vector_integer/vectors.h"

// Instructions that work lane by lane, against what the architecture says they compute: an exact
// number, of which the lane keeps the low bits or the nearest it can hold.

namespace {

using namespace n6vp::test;
using Exact = std::int64_t;

/// Exact result from old destination, first and second operand.
using Meaning = std::function<Exact(Exact d, Exact n, Exact m, unsigned bits)>;

enum class Kind : std::uint8_t { Wraps, Saturates };

struct Case {
    const char* name;
    /// With Qd = q0, Qn = q1 and Qm = q2 or Rm = r2, elements of bytes, signed.
    std::uint32_t encoding;
    bool has_unsigned;
    Kind kind;
    Meaning meaning;
    bool scalar = false;
};

Exact power(unsigned exponent) {
    return Exact{1} << exponent;
}

/// Division that rounds down.
Exact floor_div(Exact value, Exact divisor) {
    return value / divisor - (value % divisor < 0 ? 1 : 0);
}

/// n * 2^m, m a signed byte: rounded down, or to the nearest with halves up.
Exact shifted(Exact n, Exact m, bool rounding) {
    const int amount = static_cast<int>((m & 0xFF) ^ 0x80) - 0x80;
    if (amount >= 0)
        return amount > 31 ? (n == 0  ? 0
                              : n > 0 ? power(62)
                                      : -power(62))
                           : n * power(static_cast<unsigned>(amount));
    // Beyond 2^60 every quotient is the same.
    const Exact divisor = power(static_cast<unsigned>(std::min(-amount, 60)));
    return floor_div(n + (rounding ? divisor / 2 : 0), divisor);
}

const std::vector<Case>& cases() {
    using K = Kind;
    static const std::vector<Case> all = {
        {"vadd", 0xEF020844, false, K::Wraps,
         [](Exact, Exact n, Exact m, unsigned) { return n + m; }},
        {"vadd scalar", 0xEE030F42, false, K::Wraps,
         [](Exact, Exact n, Exact m, unsigned) { return n + m; }, true},
        {"vsub", 0xFF020844, false, K::Wraps,
         [](Exact, Exact n, Exact m, unsigned) { return n - m; }},
        {"vsub scalar", 0xEE031F42, false, K::Wraps,
         [](Exact, Exact n, Exact m, unsigned) { return n - m; }, true},
        {"vqadd", 0xEF020054, true, K::Saturates,
         [](Exact, Exact n, Exact m, unsigned) { return n + m; }},
        {"vqadd scalar", 0xEE020F62, true, K::Saturates,
         [](Exact, Exact n, Exact m, unsigned) { return n + m; }, true},
        {"vqsub", 0xEF020254, true, K::Saturates,
         [](Exact, Exact n, Exact m, unsigned) { return n - m; }},
        {"vqsub scalar", 0xEE021F62, true, K::Saturates,
         [](Exact, Exact n, Exact m, unsigned) { return n - m; }, true},
        {"vhadd", 0xEF020044, true, K::Wraps,
         [](Exact, Exact n, Exact m, unsigned) { return floor_div(n + m, 2); }},
        {"vrhadd", 0xEF020144, true, K::Wraps,
         [](Exact, Exact n, Exact m, unsigned) { return floor_div(n + m + 1, 2); }},
        {"vhsub", 0xEF020244, true, K::Wraps,
         [](Exact, Exact n, Exact m, unsigned) { return floor_div(n - m, 2); }},
        {"vabd", 0xEF020744, true, K::Wraps,
         [](Exact, Exact n, Exact m, unsigned) { return std::abs(n - m); }},
        {"vmax", 0xEF020644, true, K::Wraps,
         [](Exact, Exact n, Exact m, unsigned) { return std::max(n, m); }},
        {"vmin", 0xEF020654, true, K::Wraps,
         [](Exact, Exact n, Exact m, unsigned) { return std::min(n, m); }},
        {"vmul", 0xEF020954, false, K::Wraps,
         [](Exact, Exact n, Exact m, unsigned) { return n * m; }},
        {"vmul scalar", 0xEE031E62, false, K::Wraps,
         [](Exact, Exact n, Exact m, unsigned) { return n * m; }, true},
        {"vmla", 0xEE030E42, false, K::Wraps,
         [](Exact d, Exact n, Exact m, unsigned) { return d + n * m; }, true},
        {"vmlas", 0xEE031E42, false, K::Wraps,
         [](Exact d, Exact n, Exact m, unsigned) { return n * d + m; }, true},
        {"vmulh", 0xEE030E05, false, K::Wraps,
         [](Exact, Exact n, Exact m, unsigned bits) { return floor_div(n * m, power(bits)); }},
        {"vrmulh", 0xEE031E05, false, K::Wraps,
         [](Exact, Exact n, Exact m, unsigned bits) {
             return floor_div(n * m + power(bits - 1), power(bits));
         }},
        {"vqdmulh", 0xEF020B44, false, K::Saturates,
         [](Exact, Exact n, Exact m, unsigned bits) { return floor_div(n * m, power(bits - 1)); }},
        {"vqdmulh scalar", 0xEE030E62, false, K::Saturates,
         [](Exact, Exact n, Exact m, unsigned bits) { return floor_div(n * m, power(bits - 1)); },
         true},
        {"vqrdmulh", 0xFF020B44, false, K::Saturates,
         [](Exact, Exact n, Exact m, unsigned bits) {
             return floor_div(n * m + power(bits - 2), power(bits - 1));
         }},
        {"vqrdmulh scalar", 0xFE030E62, false, K::Saturates,
         [](Exact, Exact n, Exact m, unsigned bits) {
             return floor_div(n * m + power(bits - 2), power(bits - 1));
         },
         true},
        {"vqdmlah", 0xEE020E62, false, K::Saturates,
         [](Exact d, Exact n, Exact m, unsigned bits) {
             return floor_div(d * power(bits - 1) + n * m, power(bits - 1));
         },
         true},
        {"vqrdmlash", 0xEE021E42, false, K::Saturates,
         [](Exact d, Exact n, Exact m, unsigned bits) {
             return floor_div(m * power(bits - 1) + n * d + power(bits - 2), power(bits - 1));
         },
         true},
        // Shifts have the operand in Qm and the amounts in Qn.
        {"vshl", 0xEF020444, true, K::Wraps,
         [](Exact, Exact n, Exact m, unsigned) { return shifted(m, n, false); }},
        {"vrshl", 0xEF020544, true, K::Wraps,
         [](Exact, Exact n, Exact m, unsigned) { return shifted(m, n, true); }},
        {"vqshl", 0xEF020454, true, K::Saturates,
         [](Exact, Exact n, Exact m, unsigned) { return shifted(m, n, false); }},
        {"vqrshl", 0xEF020554, true, K::Saturates,
         [](Exact, Exact n, Exact m, unsigned) { return shifted(m, n, true); }},
    };
    return all;
}

/// What an element of `bits` bits can hold of `exact`.
Exact held(Exact exact, Kind kind, unsigned bits, bool is_signed) {
    if (kind == Kind::Wraps) return exact;
    const Exact low = is_signed ? -power(bits - 1) : 0;
    return std::clamp(exact, low, low + power(bits) - 1);
}

void check_lanes(Machine& machine, Random& random, const Case& test, unsigned size,
                 bool is_signed) {
    auto& cpu = machine.cpu();
    fill_vectors(cpu, random);
    const std::uint32_t active = draw_predicate(cpu, random);
    cpu.r[2] = random() % 4 == 0 ? 0x80808080u >> (random() % 2) : random();
    cpu.fpscr = 0;
    const unsigned bytes = 1u << size, bits = 8 * bytes;
    auto expected = cpu.vector;
    bool saturated = false;
    for (unsigned i = 0; i < 16 / bytes; ++i) {
        Exact m = element(cpu, 32, bytes, is_signed, i);
        if (test.scalar) {
            const Exact mask = power(bits) - 1;
            m = cpu.r[2] & mask;
            if (is_signed && m >= power(bits - 1)) m -= power(bits);
        }
        const Exact exact = test.meaning(element(cpu, 0, bytes, is_signed, i),
                                         element(cpu, 16, bytes, is_signed, i), m, bits);
        const Exact value = held(exact, test.kind, bits, is_signed);
        saturated = saturated || (value != exact && (active >> (i * bytes) & 1) != 0);
        for (unsigned byte = 0; byte < bytes; ++byte) {
            const unsigned place = i * bytes + byte;
            if ((active >> place & 1) != 0)
                expected.at(place) = static_cast<std::uint8_t>(value >> (8 * byte));
        }
    }
    const std::uint32_t sign = is_signed ? 0 : 0x10000000;
    REQUIRE(machine.run_wide((test.encoding | sign) + (size << 20)));
    CHECK(cpu.vector == expected);
    CHECK(cpu.fpscr == (test.kind == Kind::Saturates && saturated ? 1u << 27 : 0u));
}

}  // namespace

TEST_CASE("lane by lane, MVE integer instructions compute what they are defined to") {
    Machine machine;
    Random random(1);
    for (const Case& test : cases()) {
        for (unsigned size = 0; size < 3; ++size) {
            CAPTURE(test.name);
            CAPTURE(size);
            for (int round = 0; round < 300; ++round) {
                check_lanes(machine, random, test, size, true);
                if (test.has_unsigned) check_lanes(machine, random, test, size, false);
            }
        }
    }
}

TEST_CASE("narrowing shifts write every second lane") {
    // vqrshrnt.s32 q0, q2, #3 and vqrshrunb.s16 q0, q2, #8
    Machine machine;
    auto& cpu = machine.cpu();
    Random random(2);
    for (int round = 0; round < 1000; ++round) {
        fill_vectors(cpu, random);
        cpu.vpr = 0;
        cpu.fpscr = 0;
        auto expected = cpu.vector;
        bool lost = false;
        for (unsigned i = 0; i < 4; ++i) {
            const Exact exact = floor_div(element(cpu, 32, 4, true, i) + 4, 8);
            const Exact value = held(exact, Kind::Saturates, 16, true);
            lost = lost || value != exact;
            expected.at(4 * i + 2) = static_cast<std::uint8_t>(value);
            expected.at(4 * i + 3) = static_cast<std::uint8_t>(value >> 8);
        }
        REQUIRE(machine.run_wide(0xEE9D1F45));
        CHECK(cpu.vector == expected);
        for (unsigned i = 0; i < 8; ++i) {
            const Exact exact = floor_div(element(cpu, 32, 2, true, i) + 128, 256);
            const Exact value = held(exact, Kind::Saturates, 8, false);
            lost = lost || value != exact;
            expected.at(std::size_t{2} * i) = static_cast<std::uint8_t>(value);
        }
        REQUIRE(machine.run_wide(0xFE880FC4));
        CHECK(cpu.vector == expected);
        CHECK(cpu.fpscr == (lost ? 1u << 27 : 0u));
    }
}

TEST_CASE("reversals move bytes, halfwords and words within their group") {
    struct Reversal {
        std::uint32_t encoding;
        unsigned unit, group;
    };
    Machine machine;
    auto& cpu = machine.cpu();
    Random random(3);
    for (const Reversal reversal :
         {Reversal{0xFFB00144, 1, 2}, Reversal{0xFFB000C4, 1, 4}, Reversal{0xFFB400C4, 2, 4},
          Reversal{0xFFB00044, 1, 8}, Reversal{0xFFB40044, 2, 8}, Reversal{0xFFB80044, 4, 8}}) {
        CAPTURE(reversal.encoding);
        fill_vectors(cpu, random);
        auto expected = cpu.vector;
        for (unsigned byte = 0; byte < 16; ++byte) {
            const unsigned group = byte / reversal.group * reversal.group;
            const unsigned unit = (byte - group) / reversal.unit, rest = byte % reversal.unit;
            const unsigned mirrored = reversal.group / reversal.unit - 1 - unit;
            expected.at(byte) = cpu.vector.at(32 + group + mirrored * reversal.unit + rest);
        }
        REQUIRE(machine.run_wide(reversal.encoding));
        CHECK(cpu.vector == expected);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Rules of vector loads, stores and predication that comparing single instructions with a reference
// cannot see: alignment, faults in the middle, beats done before. Encodings by hand.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <initializer_list>

#include "models/core/ir/predication.h"
#include "tests/core/memory/machine.h"

using n6vp::models::core::Exception;
using n6vp::models::core::Stop;
using n6vp::test::Machine;
namespace cfsr = n6vp::models::core::cfsr;
namespace vpr = n6vp::models::core::vpr;

namespace {

constexpr std::uint32_t kData = Machine::kData, kEnd = Machine::kDataEnd;
using Words = std::array<std::uint32_t, 4>;

struct Vectors : Machine {
    Vectors() {
        state().fp_ready = true;
        for (std::uint32_t i = 0; i < 64; ++i) set_word(kData + 4 * i, 0x1000 + i);
        for (unsigned q = 0; q < 8; ++q) set_vector(q, kOld);
    }
    [[nodiscard]] Words vector(unsigned q) {
        Words words;
        std::memcpy(words.data(), state().vector.data() + q * std::size_t{16}, 16);
        return words;
    }
    void set_vector(unsigned q, const Words& words) {
        std::memcpy(state().vector.data() + q * std::size_t{16}, words.data(), 16);
    }
    static constexpr Words kOld = {0xA0, 0xA1, 0xA2, 0xA3};
};

}  // namespace

TEST_CASE("vector elements must be aligned to their size") {
    Vectors machine;
    SUBCASE("halfwords") {
        machine.set(0, kData + 1);
        const Stop stop = machine.run({0xED90, 0x3E80});  // VLDRH.U16 q1, [r0]
        CHECK(machine.faulted(stop, Exception::UsageFault, cfsr::kUnaligned));
    }
    SUBCASE("words") {
        machine.set(0, kData + 2);
        const Stop stop = machine.run({0xECB0, 0x3F04});  // VLDRW.U32 q1, [r0], #16
        CHECK(machine.faulted(stop, Exception::UsageFault, cfsr::kUnaligned));
        CHECK(machine.reg(0) == kData + 2);
    }
    SUBCASE("a gather") {
        machine.set(0, kData);
        machine.set_vector(2, {0, 4, 10, 12});
        const Stop stop = machine.run({0xFC90, 0x2F44});  // VLDRW.U32 q1, [r0, q2]
        CHECK(machine.faulted(stop, Exception::UsageFault, cfsr::kUnaligned));
    }
    SUBCASE("bytes are always aligned") {
        machine.set(0, kData + 3);
        CHECK(machine.run({0xECB0, 0x3E10}) == Stop::Semihosting);  // VLDRB.U8 q1, [r0], #16
        CHECK(machine.reg(0) == kData + 19);
        CHECK(machine.vector(1) == Words{0x00100100, 0x00100200, 0x00100300, 0x00100400});
        return;
    }
    CHECK(machine.vector(1) == Vectors::kOld);
}

TEST_CASE("a vector load that faults half-way leaves vector and base alone") {
    Vectors machine;
    SUBCASE("consecutive") {
        machine.set(0, kEnd - 8);
        const Stop stop = machine.run({0xECB0, 0x3F04});  // VLDRW.U32 q1, [r0], #16
        CHECK(machine.faulted(stop, Exception::BusFault, cfsr::kPrecisErr));
        CHECK(machine.state().fault.address == kEnd);
        CHECK(machine.reg(0) == kEnd - 8);
        CHECK(machine.vector(1) == Vectors::kOld);
    }
    SUBCASE("addresses from a vector") {
        const Words addresses = {kData, kData + 8, kEnd - 4, kData};
        machine.set_vector(2, addresses);
        const Stop stop = machine.run({0xFDB4, 0x3E01});  // VLDRW.U32 q1, [q2, #4]!
        CHECK(machine.faulted(stop, Exception::BusFault, cfsr::kPrecisErr));
        CHECK(machine.vector(1) == Vectors::kOld);
        CHECK(machine.vector(2) == addresses);
    }
    SUBCASE("structures") {
        machine.set(0, kEnd - 16);
        const Stop stop = machine.run({0xFCB0, 0x1F20});  // VLD21.32 {q0, q1}, [r0]!
        CHECK(machine.faulted(stop, Exception::BusFault, cfsr::kPrecisErr));
        CHECK(machine.reg(0) == kEnd - 16);
        CHECK(machine.vector(0) == Vectors::kOld);
        CHECK(machine.vector(1) == Vectors::kOld);
    }
}

TEST_CASE("lanes that are off are not accessed, and load as zero") {
    Vectors machine;
    machine.set_word(kEnd - 8, 0x11111111);
    machine.set_word(kEnd - 4, 0x22222222);
    machine.set(0, kEnd - 8);
    SUBCASE("by a predicate") {
        machine.set(1, 2);
        // VCTP.32 r1; VPST; VLDRWT.U32 q1, [r0]
        CHECK(machine.run({0xF021, 0xE801, 0xFE71, 0x0F4D, 0xED90, 0x3F00}) == Stop::Semihosting);
        CHECK((machine.state().vpr & vpr::kMasks) == 0);
    }
    SUBCASE("by the tail of a loop") {
        machine.state().ltpsize = 2;
        machine.set(14, 2);
        CHECK(machine.run({0xED90, 0x3F00}) == Stop::Semihosting);  // VLDRW.U32 q1, [r0]
    }
    CHECK(machine.vector(1) == Words{0x11111111, 0x22222222, 0, 0});
}

TEST_CASE("stores leave out lanes that are off") {
    Vectors machine;
    machine.set(0, kEnd - 8);
    machine.set(14, 2);
    machine.state().ltpsize = 2;
    CHECK(machine.run({0xED80, 0x3F00}) == Stop::Semihosting);  // VSTRW.32 q1, [r0]
    CHECK(machine.word(kEnd - 8) == 0xA0);
    CHECK(machine.word(kEnd - 4) == 0xA1);
}

TEST_CASE("the then and else of a block divide the lanes") {
    Vectors machine;
    machine.set(0, kData);
    machine.set_vector(0, {1, 0xFFFFFFFF, 0, 7});
    // VPTE.S32 gt, q0, zr; VLDRWT.U32 q1, [r0]; VLDRWE.U32 q2, [r0]
    CHECK(machine.run({0xFE61, 0x9F6F, 0xED90, 0x3F00, 0xED90, 0x5F00}) == Stop::Semihosting);
    CHECK(machine.vector(1) == Words{0x1000, 0, 0, 0x1003});
    CHECK(machine.vector(2) == Words{0, 0x1001, 0x1002, 0});
}

TEST_CASE("the four stores of VST4 interleave four vectors") {
    Vectors machine;
    for (unsigned q = 0; q < 4; ++q) {
        const std::uint32_t first = q << 4 | q << 12 | q << 20 | q << 28;  // byte i is q:i
        machine.set_vector(
            q, {first + 0x03020100, first + 0x07060504, first + 0x0B0A0908, first + 0x0F0E0D0C});
    }
    machine.set(0, kData + 0x100);
    CHECK(machine.run({0xFC80, 0x1E01, 0xFC80, 0x1E21, 0xFC80, 0x1E41, 0xFCA0, 0x1E61}) ==
          Stop::Semihosting);
    for (std::uint32_t i = 0; i < 16; ++i)
        CHECK(machine.word(kData + 0x100 + 4 * i) == 0x30201000 + i * 0x01010101);
    CHECK(machine.reg(0) == kData + 0x140);
}

TEST_CASE("VLD2 and VLD4 take structures apart, wherever memory is") {
    Vectors machine;
    std::uint32_t base = kData + 0x100;
    SUBCASE("in one page") {}
    SUBCASE("across pages") {
        base = kData + 0x1000 - 16;
    }
    machine.set(0, base);
    SUBCASE("halfwords of four") {
        for (std::uint32_t i = 0; i < 16; ++i)
            machine.set_word(base + 4 * i, (2 * i + 1) << 16 | 2 * i);
        CHECK(machine.run({0xFC90, 0x1E81, 0xFC90, 0x1EA1, 0xFC90, 0x1EC1, 0xFCB0, 0x1EE1}) ==
              Stop::Semihosting);
        for (std::uint32_t q = 0; q < 4; ++q) {
            const std::uint32_t first = (q + 4) << 16 | q, step = 0x00080008;
            CHECK(machine.vector(q) ==
                  Words{first, first + step, first + 2 * step, first + 3 * step});
        }
    }
    SUBCASE("words of two") {
        for (std::uint32_t i = 0; i < 8; ++i) machine.set_word(base + 4 * i, i);
        CHECK(machine.run({0xFC90, 0x1F00, 0xFCB0, 0x1F20}) == Stop::Semihosting);
        CHECK(machine.vector(0) == Words{0, 2, 4, 6});
        CHECK(machine.vector(1) == Words{1, 3, 5, 7});
    }
    SUBCASE("words of two, into the last two vectors") {
        for (std::uint32_t i = 0; i < 8; ++i) machine.set_word(base + 4 * i, i);
        CHECK(machine.run({0xFC90, 0xDF00, 0xFCB0, 0xDF20}) == Stop::Semihosting);
        CHECK(machine.vector(6) == Words{0, 2, 4, 6});
        CHECK(machine.vector(7) == Words{1, 3, 5, 7});
    }
}

TEST_CASE("beats done before an exception are not done again") {
    using n6vp::models::core::kEciA0A1;
    using n6vp::models::core::kEciNone;
    Vectors machine;
    machine.set(0, kData);
    machine.state().eci = kEciA0A1;
    SUBCASE("of a load") {
        CHECK(machine.run({0xED90, 0x3F00}) == Stop::Semihosting);  // VLDRW.U32 q1, [r0]
        CHECK(machine.vector(1) == Words{0xA0, 0xA1, 0x1002, 0x1003});
    }
    SUBCASE("of a load of structures") {
        CHECK(machine.run({0xFC90, 0x1F00}) == Stop::Semihosting);  // VLD20.32 {q0, q1}, [r0]
        CHECK(machine.vector(0) == Words{0xA0, 0xA1, 0xA2, 0x1006});
        CHECK(machine.vector(1) == Words{0xA0, 0xA1, 0xA2, 0x1007});
    }
    SUBCASE("of a move of two lanes") {
        CHECK(machine.run({0xEC01, 0x0F10}) == Stop::Semihosting);  // VMOV r0, r1, q0[3], q0[1]
        CHECK(machine.reg(0) == kData);
        CHECK(machine.reg(1) == 0xA3);
    }
    SUBCASE("of a comparison") {
        machine.state().vpr = 0x00FF;
        // VCMP.S32 gt, q0, zr
        CHECK(machine.run({0xFE21, 0x1F6F}) == Stop::Semihosting);
        CHECK(machine.state().vpr == 0xFFFF);
    }
    CHECK(machine.state().eci == kEciNone);
}

TEST_CASE("doublewords are gathered through the lower word of each lane") {
    Vectors machine;
    machine.set(0, kData);
    machine.set_vector(2, {8, 0xFFFFFFFF, 24, 0x12345678});
    CHECK(machine.run({0xFC90, 0x2FD4}) == Stop::Semihosting);  // VLDRD.U64 q1, [r0, q2]
    CHECK(machine.vector(1) == Words{0x1002, 0x1003, 0x1006, 0x1007});
}

TEST_CASE("a scatter writes its addresses back") {
    Vectors machine;
    machine.set_vector(2, {kData + 0x20, kData, kData + 0x10, kData + 0x30});
    CHECK(machine.run({0xFDA4, 0x3E01}) == Stop::Semihosting);  // VSTRW.32 q1, [q2, #4]!
    CHECK(machine.vector(2) == Words{kData + 0x24, kData + 4, kData + 0x14, kData + 0x34});
    CHECK(machine.word(kData + 0x24) == 0xA0);
    CHECK(machine.word(kData + 4) == 0xA1);
    CHECK(machine.word(kData + 0x34) == 0xA3);
}

TEST_CASE("the text of a pair of lanes names the upper one first, for the second register") {
    Vectors machine;
    CHECK(machine.run({0xEC01, 0x0F10}) == Stop::Semihosting);  // VMOV r0, r1, q0[3], q0[1]
    CHECK(machine.reg(0) == 0xA1);
    CHECK(machine.reg(1) == 0xA3);
}

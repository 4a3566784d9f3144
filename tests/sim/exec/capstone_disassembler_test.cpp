// SPDX-License-Identifier: Apache-2.0
// Texts for the older cores. The expected ones were assembled by GNU as; tests/core/decode compares
// Capstone and the decode table as a whole.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/ir/profile.h"
#include "sim/exec/capstone_disassembler.h"

using n6vp::models::core::CoreProfile;
using n6vp::traces::Instruction;
using Texts = std::vector<std::string>;

namespace {

std::vector<Instruction> decode(const CoreProfile& core, const std::vector<std::uint16_t>& code,
                                std::uint32_t address = 0x20000000) {
    std::vector<std::uint8_t> bytes;
    for (const std::uint16_t half : code) {
        bytes.push_back(static_cast<std::uint8_t>(half));
        bytes.push_back(static_cast<std::uint8_t>(half >> 8));
    }
    return n6vp::sim::make_capstone_disassembler(core.features)->decode(bytes, address);
}

Texts texts(const CoreProfile& core, const std::vector<std::uint16_t>& code,
            std::uint32_t address = 0x20000000) {
    Texts list;
    for (const Instruction& one : decode(core, code, address)) list.push_back(one.text);
    return list;
}

const CoreProfile& m4() {
    return n6vp::models::core::cortex_m4();
}
const CoreProfile& m33() {
    return n6vp::models::core::cortex_m33();
}
const CoreProfile& m7() {
    return n6vp::models::core::cortex_m7();
}

}  // namespace

TEST_CASE("Capstone's numbers are hexadecimal, registers keep their numbers") {
    for (const CoreProfile* core : {&m4(), &m33(), &m7()}) {
        CHECK(texts(*core, {0xF859, 0x0003, 0x6908, 0xB090}) ==
              Texts{"ldr.w r0, [r9, r3]", "ldr r0, [r1, #0x10]", "sub sp, #0x40"});
        CHECK(texts(*core, {0xFB20, 0x1002, 0xEEA0, 0x0A81}) ==
              Texts{"smlad r0, r0, r2, r1", "vfma.f32 s0, s1, s2"});
    }
}

TEST_CASE("an instruction that the core lacks is .inst, whatever Capstone reads") {
    // LDA is Armv8-M's, VADD.F64 the Cortex-M7's, VADD.I8 of vectors none's.
    const std::vector<std::uint16_t> code = {0xE8D1, 0x0FAF, 0xEE31, 0x0B02, 0xEF00, 0x0840};
    CHECK(texts(m4(), code) ==
          Texts{".inst.w 0xe8d10faf", ".inst.w 0xee310b02", ".inst.w 0xef000840"});
    CHECK(texts(m33(), code) == Texts{"lda r0, [r1]", ".inst.w 0xee310b02", ".inst.w 0xef000840"});
    CHECK(texts(m7(), code) ==
          Texts{".inst.w 0xe8d10faf", "vadd.f64 d0, d1, d2", ".inst.w 0xef000840"});
}

TEST_CASE("what Capstone takes for another architecture has its own name") {
    // TT, BXNS and the non-secure stack pointer of the Security Extension.
    CHECK(texts(m33(), {0xE840, 0xF000, 0x4774, 0xF3EF, 0x8088, 0xE97F, 0xE97F}) ==
          Texts{"tt r0, r0", "bxns lr", "mrs r0, msp_ns", "sg"});
    CHECK(texts(m4(), {0xF3EF, 0x8011, 0xF3BF, 0x8F4F}) == Texts{"mrs r0, basepri", "dsb sy"});
}

TEST_CASE("an IT block gives its conditions, also behind a word that is undefined") {
    CHECK(texts(m4(), {0xBF08, 0x3001, 0x3001}) == Texts{"it eq", "addeq r0, #1", "adds r0, #1"});
    CHECK(texts(m4(), {0xBF0C, 0x3001, 0x3002, 0x3003}) ==
          Texts{"ite eq", "addeq r0, #1", "addne r0, #2", "adds r0, #3"});
    const Texts behind = texts(m4(), {0xBF04, 0xBA80, 0x3001, 0x3001});
    CHECK(behind == Texts{"itt eq", ".inst.n 0xba80", "addeq r0, #1", "adds r0, #1"});
}

TEST_CASE("branches and literals have their targets, a cut end is shown as data") {
    const std::vector<Instruction> list = decode(m7(), {0xE7FE, 0xF000, 0xF802, 0x4B01, 0xF859});
    REQUIRE(list.size() == 4);
    CHECK(list[0].text == "b #0x20000000");
    CHECK(list[1].text == "bl #0x2000000a");
    CHECK(list[1].target == 0x2000000A);
    CHECK(list[1].branches);
    CHECK(list[2].text == "ldr r3, [pc, #4]");
    CHECK(list[2].target == 0x2000000C);
    CHECK_FALSE(list[3].named);
    CHECK(list[3].text == ".inst.n 0xf859");
}

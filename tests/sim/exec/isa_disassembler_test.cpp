// SPDX-License-Identifier: Apache-2.0
// What listings add to the decode table: blocks, absolute targets, odd ends. tests/core/decode
// compares the texts themselves with LLVM.
#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "sim/exec/isa_disassembler.h"

using n6vp::traces::Instruction;
using Texts = std::vector<std::string>;

namespace {

struct Code {
    std::uint32_t encoding = 0;
    bool wide = false;
};
constexpr bool kWide = true;

std::vector<Instruction> decode(std::initializer_list<Code> code, std::uint32_t address = 0) {
    std::vector<std::uint8_t> bytes;
    const auto add = [&](std::uint32_t half) {
        bytes.push_back(static_cast<std::uint8_t>(half));
        bytes.push_back(static_cast<std::uint8_t>(half >> 8));
    };
    for (const Code& one : code) {
        if (one.wide) add(one.encoding >> 16);
        add(one.encoding & 0xFFFF);
    }
    return n6vp::sim::make_disassembler()->decode(bytes, address);
}

Texts texts(std::initializer_list<Code> code, std::uint32_t address = 0) {
    Texts list;
    for (const Instruction& one : decode(code, address)) list.push_back(one.text);
    return list;
}

}  // namespace

TEST_CASE("classic instructions have their names, registers their numbers") {
    CHECK(texts({{0x4770}, {0xF8590003, kWide}, {0xE92D4DF0, kWide}, {0xEE300A20, kWide}}) ==
          Texts{"bx lr", "ldr.w r0, [r9, r3]", "push.w {r4, r5, r6, r7, r8, r10, r11, lr}",
                "vadd.f32 s0, s0, s1"});
}

TEST_CASE("Armv8.1-M instructions have names") {
    CHECK(texts({{0xEA50112F, kWide}, {0xF040E001, kWide}, {0xE89F8000, kWide}}) ==
          Texts{"asrl r0, r1, #4", "dls lr, r0", "clrm {apsr}"});
    CHECK(texts({{0xEF000840, kWide}, {0xF3EF8088, kWide}, {0xE840F000, kWide}, {0x4774}}) ==
          Texts{"vadd.i8 q0, q0, q0", "mrs r0, msp_ns", "tt r0, r0", "bxns lr"});
}

TEST_CASE("undefined encodings are .inst") {
    const auto list = decode({{0xBA80}, {0xF7F08000, kWide}, {0x4770}});
    REQUIRE(list.size() == 3);
    CHECK(list[0].text == ".inst.n 0xba80");
    CHECK(list[1].text == ".inst.w 0xf7f08000");
    CHECK_FALSE(list[0].named);
    CHECK_FALSE(list[1].named);
    CHECK(list[2].named);
}

TEST_CASE("IT blocks are followed, undefined encodings count") {
    const auto list =
        decode({{0xBF06}, {0x2001}, {0xF7F08000, kWide}, {0x2002}, {0x2003}}, 0x20000100);
    REQUIRE(list.size() == 5);
    CHECK(list[0].text == "itte eq");
    CHECK(list[1].text == "moveq r0, #1");
    CHECK(list[2].text == ".inst.w 0xf7f08000");
    CHECK(list[3].text == "movne r0, #2");
    CHECK(list[4].text == "movs r0, #3");
    CHECK(list[4].address == 0x2000010A);
    CHECK(texts({{0xBF18}, {0xF8D01004, kWide}, {0x6841}}) ==
          Texts{"it ne", "ldrne.w r1, [r0, #4]", "ldr r1, [r0, #4]"});
}

TEST_CASE("VPT blocks are followed") {
    constexpr Code kAdd = {0xEF000840, kWide};
    const std::string then = "vaddt.i8 q0, q0, q0", otherwise = "vadde.i8 q0, q0, q0";
    const std::string after = "vadd.i8 q0, q0, q0";
    CHECK(texts({{0xFE710F4D, kWide}, kAdd, kAdd}) == Texts{"vpst", then, after});
    CHECK(texts({{0xFE318F4D, kWide}, kAdd, kAdd, kAdd}) == Texts{"vpstt", then, then, after});
    CHECK(texts({{0xFE718F4D, kWide}, kAdd, kAdd, kAdd}) == Texts{"vpste", then, otherwise, after});
    // Mask 1110: then, else, then.
    CHECK(texts({{0xFE71CF4D, kWide}, kAdd, kAdd, kAdd, kAdd}) ==
          Texts{"vpstet", then, otherwise, then, after});
}

TEST_CASE("targets of branches and literal loads are absolute") {
    const auto one = [](std::uint32_t encoding, bool wide, std::uint32_t at) {
        return decode({{encoding, wide}}, at).front();
    };
    const std::uint32_t here = 0x20000200;
    CHECK(one(0xE7FE, false, here).target == here);                  // b .
    CHECK(one(0xD0FE, false, here).target == here);                  // beq .
    CHECK(one(0xB108, false, here).target == here + 6);              // cbz r0, .+6
    CHECK(one(0xF7FFFFFE, kWide, here).target == here);              // bl .
    CHECK(one(0xF43FAFFE, kWide, here).target == here);              // beq.w .
    CHECK(one(0xF7FFBFFE, kWide, here).target == here);              // b.w .
    CHECK(one(0xF00FC803, kWide, here).target == here - 2);          // le lr, .-2
    CHECK(one(0xF01FC005, kWide, here).target == here - 4);          // letp lr, .-4
    CHECK(one(0xF040C005, kWide, here).target == here + 12);         // wls lr, r0, .+12
    CHECK(one(0x4B01, false, 0x2000006C).target == 0x20000074);      // ldr r3, [pc, #4]
    CHECK(one(0xF85F0008, kWide, 0x20000100).target == 0x200000FC);  // ldr.w r0, [pc, #-8]
    CHECK(one(0xE95F0102, kWide, 0x20000102).target == 0x200000FC);  // ldrd r0, r1, [pc, #-8]
    CHECK(one(0xF8BF0003, kWide, 0x20000102).target == 0x20000107);  // ldrh.w r0, [pc, #3]
    CHECK_FALSE(one(0x4B01, false, 0x2000006C).branches);
    CHECK(one(0xE7FE, false, 0).branches);
    CHECK_FALSE(one(0x4770, false, 0).target.has_value());
    CHECK(one(0xD0FE, false, here).text == "beq #0x20000200");
    CHECK(one(0xF01FC005, kWide, here).text == "letp lr, #0x200001fc");
    CHECK(one(0xB108, false, here).text == "cbz r0, #0x20000206");
    CHECK(one(0x4B01, false, here).text == "ldr r3, [pc, #4]");
}

TEST_CASE("odd ends and cut instructions are .inst") {
    const auto disassembler = n6vp::sim::make_disassembler();
    const std::vector<std::uint8_t> code = {0x70, 0x47, 0x59, 0xF8};
    CHECK(disassembler->decode(code, 0).back().text == ".inst.n 0xf859");
    const std::vector<std::uint8_t> odd = {0x70, 0x47, 0x59};
    CHECK(disassembler->decode(odd, 0).back().text == ".byte 0x59");
    CHECK(disassembler->decode({}, 0).empty());
}

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/ecdump/ec_text.h"
#include "sim/host/errors.h"
#include "tests/loader/epoch_controller/ec_assembler.h"

namespace {

using namespace n6vp;
using test::Words;

std::string text_of(const Words& words, const sim::EcRelocations& relocations = {}) {
    std::optional<sim::EcFault> fault;
    std::string text;
    for (const sim::EcInstruction& instruction : sim::decode_stream(words, fault)) {
        text += sim::instruction_text(instruction, relocations) + "\n";
    }
    if (!fault) return text;
    for (std::size_t at = fault->index; at < words.size(); ++at) {
        text += "word " + std::to_string(words[at]) + "\n";
    }
    return text;
}

std::string complaint(const std::string& text) {
    try {
        static_cast<void>(sim::assemble(text));
    } catch (const sim::UserError& error) {
        return error.what();
    }
    return "";
}

std::uint32_t below(std::uint32_t end) {
    return *rc::gen::inRange<std::uint32_t>(0, end);
}

std::uint32_t any_word() {
    return *rc::gen::arbitrary<std::uint32_t>();
}

/// Appends one valid instruction that does not end the stream; bit positions are the format's.
void draw_instruction(Words& words) {
    const std::uint32_t ip = below(32) << 26;
    const std::uint32_t reg = below(1024) << 16;
    switch (below(6)) {
        case 0:
            words.insert(words.end(), {ip | reg | 0x7C00, any_word()});
            break;
        case 1: {
            const std::uint32_t width = below(8) + 1;
            const std::uint32_t value = below(1u << width);
            words.push_back(ip | below(32) << 21 | value << 13 | (width - 1) << 10 |
                            below(33 - width) << 5 | 1);
            break;
        }
        case 2:
        case 3: {
            const std::uint32_t count = below(40);
            words.push_back(ip | reg | count << 5 | (below(2) == 0 ? 2u : 3u));
            for (std::uint32_t k = 0; k < count; ++k) words.push_back(any_word());
            break;
        }
        case 4: {
            const std::uint32_t lsb = below(32);
            const std::uint32_t msb = lsb + below(32 - lsb);
            words.insert(words.end(),
                         {ip | reg | msb << 10 | lsb << 5 | 4, any_word(), any_word()});
            break;
        }
        default:
            words.push_back(below(1u << 27) << 5 | 0x1D);
    }
}

}  // namespace

TEST_CASE("the words of a real epoch's start have the text that the format gives them") {
    const Words words = {0x0000005D, 0x00802141, 0x3C007C00, 0x00000054, 0x5C000042, 0x08000000,
                         0x09000160, 0x20020043, 0x342E0000, 0x000001EA, 0x200C0042, 6,
                         7,          0x10007C00, 2,          0x10000424, 0x64,       0,
                         0x18002001, 0x18007FE4, 0x64,       0,          0x00800021, 0x0000000C};
    const std::string text =
        "label 0x2\n"
        "writefield 0 4 [10] 0x1\n"
        "write 15 0 0x54\n"
        "burstwrite 23 0 0x8000000 0x9000160\n"
        "burstwriteinc 8 2 0x342e0000 0x1ea\n"
        "burstwrite 8 12 0x6 0x7\n"
        "write 4 0 0x2\n"
        "poll 4 0 [1] 0x0 100\n"
        "writefield 6 0 [0] 0x1\n"
        "poll 6 0 [31] 0x0 100\n"
        "writefield 0 4 [1] 0x0\n"
        "irq 0x0\n";
    CHECK(text_of(words) == text);
    CHECK(sim::assemble(text).words == words);
}

TEST_CASE("the generator's own form is read: comments, decimal values, symbols") {
    const sim::EcAssembly assembly = sim::assemble(
        ";; Start Blob '_ec_blob_1'\n"
        "  label 0x1   ;; Start Epoch 1\r\n"
        "\n"
        "write 13 2 _user_io_input_0(0x30007)\n"
        "burstwriteinc 5 13 3 xSPI1(64)\n"
        "irq 0x0");
    CHECK(assembly.words ==
          Words{0x3D, 0x34027C00, 0x30007, 13u << 16 | 5u << 26 | 2u << 5 | 3, 3, 64, 0xC});
    CHECK(assembly.relocations == sim::EcRelocations{{2, "_user_io_input_0"}, {5, "xSPI1"}});
}

TEST_CASE(
    "relocated words carry their symbol, and one that is no word of the text stays a number") {
    const Words words = {0x34027C00, 0x30007, 0xC};
    CHECK(text_of(words, {{1, "xSPI1"}}) == "write 13 2 xSPI1(0x30007)\nirq 0x0\n");
    CHECK(text_of(words, {{1, "x ;; y"}}) == "write 13 2 0x30007\nirq 0x0\n");
    for (const std::string& name :
         std::vector<std::string>{"a", "z", "A", "Z", "0", "9", "_", ".", "$", "-"})
        CHECK(text_of(words, {{1, name}}) == "write 13 2 " + name + "(0x30007)\nirq 0x0\n");
    for (const std::string& name : std::vector<std::string>{"`", "{", "@", "[", "/", ":", "", "("})
        CHECK(text_of(words, {{1, name}}) == "write 13 2 0x30007\nirq 0x0\n");
}

TEST_CASE("parts of registers and wide fields have a form") {
    CHECK(text_of({0x3C000000 | 7 << 10 | 4 << 5, 9}) == "write 15 0 [7:4] 0x9\n");
    CHECK(text_of({0x3C000000 | 5 << 13 | 2 << 10 | 4 << 5 | 1}) == "writefield 15 0 [6:4] 0x5\n");
    CHECK(text_of({0x3C000000 | 1 << 15 | 0x7C00, 9}) == "word 0x3c00fc00\nword 0x9\n");
    // A value wider than its field, and a field past bit 31.
    CHECK(text_of({0x3C000000 | 2 << 13 | 1}) == "word 0x3c004001\n");
    CHECK(text_of({0x3C000000 | 1 << 10 | 31 << 5 | 1}) == "word 0x3c0007e1\n");
}

TEST_CASE("property: the text of valid instructions assembles to the same words") {
    const bool holds = rc::check([] {
        Words words;
        const std::uint32_t count = below(200);
        for (std::uint32_t k = 0; k < count; ++k) draw_instruction(words);
        words.push_back(0xC);
        std::optional<sim::EcFault> fault;
        const auto instructions = sim::decode_stream(words, fault);
        RC_ASSERT(!fault.has_value());
        RC_ASSERT(instructions.size() == count + 1);
        const std::string text = text_of(words);
        RC_ASSERT(text.find("word ") == std::string::npos);
        RC_ASSERT(sim::assemble(text).words == words);
    });
    CHECK(holds);
}

TEST_CASE("property: the text of any words without an early irq assembles to the same words") {
    const bool holds = rc::check([] {
        Words words = *rc::gen::nonEmpty<Words>();
        for (std::uint32_t& word : words) {
            if ((word & 0x1F) == 0xC) word ^= 1;
        }
        RC_ASSERT(sim::assemble(text_of(words)).words == words);
    });
    CHECK(holds);
}

TEST_CASE("a stream that cannot be decoded says where and why") {
    struct Case {
        const char* name;
        Words words;
        std::size_t instructions;
        std::uint32_t index;
        const char* text;
    };
    const Case cases[] = {
        {"unknown opcode", {0x3D, 0x1F}, 1, 1, "word 1 (0x0000001f) has the unknown opcode 0x1f"},
        {"write without value",
         {0x3C007C00},
         0,
         0,
         "opcode 0x00, takes 1 operands, but the blob has 0"},
        {"burst cut short",
         {0x3D, 0x3C000062, 1, 2},
         1,
         1,
         "opcode 0x02, takes 3 operands, but the blob has 2"},
        {"burst to registers cut short", {0x3C000043, 1}, 0, 0, "opcode 0x03, takes 2 operands"},
        {"poll without expected value",
         {0x3C000004, 100},
         0,
         0,
         "opcode 0x04, takes 2 operands, but the blob has 1"},
    };
    for (const Case& one : cases) {
        CAPTURE(one.name);
        std::optional<sim::EcFault> fault;
        CHECK(sim::decode_stream(one.words, fault).size() == one.instructions);
        REQUIRE(fault.has_value());
        CHECK(fault->index == one.index);
        CHECK(fault->text().find(one.text) != std::string::npos);
    }
}

TEST_CASE("what the assembler refuses is named with its line") {
    const std::pair<const char*, const char*> cases[] = {
        {"label 1\nwrte 1 2 3", "line 2: 'wrte' is not an instruction"},
        {"write 64 0 1", "line 1: unit number '64' is above 63"},
        {"write 1 1024 1", "line 1: register number '1024' is above 1023"},
        {"write 1 2", "line 1: value is missing"},
        {"write 1 2 0x1ffffffff", "line 1: '0x1ffffffff' is not a valid value"},
        {"write 1 2 -1", "line 1: '-1' is not a valid value"},
        {"write 1 2 3 4", "line 1: '4' is too much"},
        {"write 1 2 [32] 4", "line 1: bit '32' is above 31"},
        {"write 1 2 x(1", "line 1: 'x(1' is not a valid value"},
        {"poll 1 2 0 100", "line 1: the field, [BIT] or [MSB:LSB], is missing"},
        {"poll 1 2 [3] 0", "line 1: constant behind the value is missing"},
        {"writefield 1 32 [0] 1", "line 1: register number '32' is above 31"},
        {"writefield 1 2 [8:0] 1", "line 1: the field has 1 to 8 bits"},
        {"writefield 1 2 [0:8] 1", "line 1: the field has 1 to 8 bits"},
        {"writefield 1 2 [0] 2", "line 1: value '2' is above 1"},
        {"label 0x8000000", "line 1: number '0x8000000' is above 134217727"},
        {"irq 0\nlabel 1", "line 2: an instruction after irq"},
        {";; nothing", "the text has no instruction"},
        {"", "the text has no instruction"},
    };
    for (const auto& one : cases) {
        CAPTURE(one.first);
        const std::string what = complaint(one.first);
        CHECK_MESSAGE(what.rfind(one.second, 0) == 0, what);
    }
    std::string long_burst = "burstwrite 1 2";
    for (int k = 0; k < 2048; ++k) long_burst += " 0";
    CHECK(complaint(long_burst) == "line 1: a burst has at most 2047 values");
    CHECK(complaint(long_burst.substr(0, long_burst.size() - 2)).empty());
}

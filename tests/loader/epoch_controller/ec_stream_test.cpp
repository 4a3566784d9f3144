// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "loader/ec_check.h"
#include "loader/ec_instruction.h"
#include "tests/loader/epoch_controller/ec_assembler.h"

namespace {

using namespace n6vp::loader;
namespace ec = n6vp::loader::ec;
using namespace n6vp::test;

/// Collects findings; a legal stream has none.
struct Findings {
    std::vector<Diagnosis> list;
    FindingSink sink() {
        return {this, [](void* context, const Diagnosis& finding) {
                    static_cast<Findings*>(context)->list.push_back(finding);
                    return true;
                }};
    }
};

ec::Bytes view(const std::vector<std::uint8_t>& bytes) {
    return {bytes.data(), static_cast<std::uint32_t>(bytes.size())};
}

}  // namespace

TEST_CASE("instruction fields of the worked decode") {
    const ec::Instruction label{0x0000005D};
    CHECK(label.opcode() == ec::Opcode::Label);
    CHECK(label.number() == 2);

    const ec::Instruction gate{0x00802141};  // CLKCTRL.BGATES bit 10 = 1
    CHECK(gate.opcode() == ec::Opcode::WriteField);
    CHECK(gate.ip() == 0);
    CHECK(gate.offset() == 0x10);
    CHECK(gate.lsb() == 10);
    CHECK(gate.field_value() == 1);
    CHECK(gate.field_width() == 1);
    CHECK_FALSE(gate.field_is_wide());
    CHECK(ec::Instruction{0x00800021}.field_value() == 0);

    const ec::Instruction write{0x3C007C00};  // CONVACC0.CTRL
    CHECK(write.opcode() == ec::Opcode::Write);
    CHECK(std::string(ec::unit_name(write.ip())) == "CONVACC0");
    CHECK(write.offset() == 0);
    CHECK(write.msb() == 31);
    CHECK(write.lsb() == 0);
    CHECK(write.words() == 2);

    const ec::Instruction increment{0x3C0200C3};  // CONVACC0 from 0x08, 6 values
    CHECK(increment.opcode() == ec::Opcode::BurstIncrement);
    CHECK(increment.offset() == 0x08);
    CHECK(increment.burst() == 6);
    CHECK(increment.words() == 7);

    const ec::Instruction burst{0x5C000042};  // ARITH0.CTRL, 2 values
    CHECK(burst.opcode() == ec::Opcode::Burst);
    CHECK(std::string(ec::unit_name(burst.ip())) == "ARITH0");
    CHECK(burst.burst() == 2);
    CHECK(ec::Instruction{0x200C0042}.offset() == 0x30);
    CHECK(std::string(ec::unit_name(ec::Instruction{0x20020043}.ip())) == "STRENG3");

    const ec::Instruction poll{0x10007BC4};  // STRSWITCH.CTRL bit 30
    CHECK(poll.opcode() == ec::Opcode::Poll);
    CHECK(std::string(ec::unit_name(poll.ip())) == "STRSWITCH");
    CHECK(poll.msb() == 30);
    CHECK(poll.lsb() == 30);
    CHECK(poll.words() == 3);
    CHECK(ec::Instruction{0x10000424}.lsb() == 1);
    CHECK(ec::Instruction{0x18007FE4}.msb() == 31);
    CHECK(ec::Instruction{0x0000000C}.opcode() == ec::Opcode::Irq);
    for (const std::uint32_t code : {0x05u, 0x0Bu, 0x0Du, 0x1Fu})
        CHECK(ec::Instruction{code}.words() == 0);
}

TEST_CASE("the worked epoch decodes once its clocks are on") {
    // The published excerpt leaves out the gates of ARITH0, STRENG3 and STRENG1 and the end of
    // CONVACC0.
    EcAssembler code;
    code.raw({0x0000005D, 0x00802141});
    code.gate(18, true).gate(3, true).gate(1, true);
    code.raw(
        {0x3C007C00, 0x00000054, 0x3C0200C3, 1, 2, 3, 4, 5, 6, 0x5C000042, 0x08000000, 0x09000160});
    code.raw({0x20020043, 0x342E0000, 0x000001EA, 0x200C0042, 6, 7});
    code.raw({0x10007C00, 2, 0x10000424, 0x64, 0, 0x10007C00, 0x40000000, 0x10007BC4, 0x64, 0});
    code.raw({0x18002001, 0x18007FE4, 0x64, 0, 0x00800021});
    code.gate(3, false).gate(10, false).gate(18, false).irq();
    Findings findings;
    ec::StreamFacts facts;
    const auto bytes = blob_bytes(code.words());
    CHECK(ec::check_blob(view(bytes), facts, findings.sink()) == Status::Ok);
    CHECK(findings.list.empty());
    CHECK(facts.words == code.size());
    CHECK(facts.labels == 1);
    CHECK(facts.first_label == 2);
    CHECK(facts.last_label == 2);
    CHECK(facts.writes == 3);
    CHECK(facts.write_fields == 9);
    CHECK(facts.bursts == 2);
    CHECK(facts.increment_bursts == 2);
    CHECK(facts.polls == 3);
    CHECK(facts.irqs == 1);
}

TEST_CASE("sample containers of every generation pass the deep check") {
    for (const std::uint32_t magic : {kEcMagic0020, kEcMagic0030, kEcMagic0050}) {
        const EcImage image = sample_ec(magic);
        ec::Container container;
        Diagnosis why;
        REQUIRE(ec::open(view(image.bytes), container, why) == Status::Ok);
        Findings findings;
        ec::StreamFacts facts;
        CHECK(ec::check_container(container, facts, findings.sink()) == Status::Ok);
        CHECK(findings.list.empty());
        CHECK(facts.first_label == 1);
        CHECK(facts.last_label == 2);
    }
}

TEST_CASE("a stream of many windows keeps track of its relocated operands") {
    // Bursts of every length make instructions straddle the check's windows at every phase.
    EcAssembler code;
    Words targets;
    code.label(1).gate(0, true).gate(18, true);
    for (std::uint32_t length = 1; length <= 400; ++length) {
        code.burst_inc(23, 0x400, Words(length, 0));
        targets.push_back(code.size() + 1);
        code.write(5, 0x08, length);
        targets.push_back(code.size() + 1);
        code.write(5, 0x38, length);
    }
    code.gate(0, false).gate(18, false).irq();
    REQUIRE(code.size() > 80'000);
    Words shuffled;  // The format does not promise ascending indices.
    for (std::size_t k = 0; k < targets.size(); ++k)
        shuffled.push_back(targets[(k * 257) % targets.size()]);
    const auto check = [&](const Words& indices, Findings& findings) {
        const EcImage image = build_ec(kEcMagic0050, code.words(), {{"pool", indices}});
        ec::Container container;
        Diagnosis why;
        REQUIRE(ec::open(view(image.bytes), container, why) == Status::Ok);
        ec::StreamFacts facts;
        return ec::check_container(container, facts, findings.sink());
    };
    Findings clean;
    CHECK(check(shuffled, clean) == Status::Ok);
    CHECK(clean.list.empty());

    for (const std::size_t damaged : {std::size_t{0}, std::size_t{399}, shuffled.size() - 1}) {
        Words wrong = shuffled;
        wrong[damaged] -= 1;  // now the instruction in front of the operand
        Findings found;
        CHECK(check(wrong, found) == Status::InvalidBinary);
        REQUIRE(found.list.size() == 2);
        CHECK(found.list[0].rule == Rule::EcRelocOnInstruction);
        CHECK(found.list[0].found == wrong[damaged]);
        CHECK(found.list[1].rule == Rule::EcRelocUnpaired);
    }
}

TEST_CASE("the longest tables are judged in bounded time") {
    // 16 MB: two of three words are instructions and operands, one is an index.
    EcAssembler code;
    Words ascending;
    code.label(1).gate(0, true);
    while (code.size() + ascending.size() < 4'000'000) {
        for (const std::uint32_t offset : {0x08u, 0x38u}) {
            ascending.push_back(code.size() + 1);
            code.write(5, offset, 1);
        }
    }
    code.gate(0, false).irq();
    const auto check = [](const EcImage& image, Findings& findings) {
        ec::Container container;
        Diagnosis why;
        REQUIRE(ec::open(view(image.bytes), container, why) == Status::Ok);
        ec::StreamFacts facts;
        return ec::check_container(container, facts, findings.sink());
    };
    const auto check_refused = [&](const EcImage& image, std::uint32_t entry) {
        Findings found;
        CHECK(check(image, found) == Status::InvalidBinary);
        REQUIRE(found.list.size() == 1);
        CHECK(found.list[0].rule == Rule::EcIndicesTooLong);
        CHECK(found.list[0].index == entry);
        CHECK(found.list[0].found == ascending.size());
    };

    EcImage image = build_ec(kEcMagic0050, code.words(), {{"pool", ascending}});
    REQUIRE(image.bytes.size() >= 16'000'000);
    Findings clean;
    CHECK(check(image, clean) == Status::Ok);
    CHECK(clean.list.empty());

    // Every index is looked at: a wrong one at each end is found.
    const std::uint32_t first = image.reloc + image.word(image.symbol(0, 2));
    const auto last = first + 4 * static_cast<std::uint32_t>(ascending.size() - 1);
    for (const std::uint32_t damaged : {first, last}) image.set(damaged, image.word(damaged) - 1);
    Findings wrong;
    CHECK(check(image, wrong) == Status::InvalidBinary);
    REQUIRE(wrong.list.size() == 2);
    CHECK(wrong.list[0].rule == Rule::EcRelocOnInstruction);
    CHECK(wrong.list[0].file_offset == first);
    CHECK(wrong.list[1].rule == Rule::EcRelocOnInstruction);
    CHECK(wrong.list[1].file_offset == last);

    const Words descending(ascending.rbegin(), ascending.rend());
    check_refused(build_ec(kEcMagic0050, code.words(), {{"pool", descending}}), 0);

    // Patch entries may share one array, so their indices can be many more than the file's words.
    std::vector<EcEntry> patches(256, EcEntry{"p", {}});
    patches[0].indices = ascending;
    EcImage shared = build_ec(kEcMagic0050, code.words(), {}, patches);
    for (std::uint32_t entry = 1; entry < 256; ++entry) {
        for (const std::uint32_t field : {3u, 4u})
            shared.set(shared.patch_entry(entry, field), shared.word(shared.patch_entry(0, field)));
    }
    check_refused(shared, static_cast<std::uint32_t>((1u << 26) / ascending.size()));
}

TEST_CASE("findings about the header of a stream say what is there and what is wanted") {
    EcAssembler code;
    code.label(1).gate(0, true).gate(0, false).irq();
    const auto whole = blob_bytes(code.words());
    const auto words = static_cast<std::uint32_t>(code.words().size());
    const auto first = [](const std::vector<std::uint8_t>& bytes) {
        Findings findings;
        ec::StreamFacts facts;
        CHECK(ec::check_blob(view(bytes), facts, findings.sink()) == Status::InvalidBinary);
        REQUIRE(findings.list.size() == 1);
        return findings.list[0];
    };
    const auto with = [&whole](std::size_t at, std::uint32_t word) {
        auto bytes = whole;
        for (std::size_t i = 0; i < 4; ++i)
            bytes[at + i] = static_cast<std::uint8_t>(word >> 8 * i);
        return bytes;
    };
    const auto check = [](const Diagnosis& finding, Rule rule, std::uint32_t at,
                          std::uint32_t expected, std::uint32_t found) {
        CHECK(finding.rule == rule);
        CHECK(finding.file_offset == at);
        CHECK(finding.expected == expected);
        CHECK(finding.found == found);
    };
    const std::uint32_t magic = whole[0] | static_cast<std::uint32_t>(whole[1]) << 8 |
                                static_cast<std::uint32_t>(whole[2]) << 16 |
                                static_cast<std::uint32_t>(whole[3]) << 24;
    check(first({whole.begin(), whole.begin() + 7}), Rule::EcStreamShort, 0, 8, 7);
    check(first(with(0, 0x12345678)), Rule::EcBlobMagic, 0, magic, 0x12345678);
    check(first(with(4, words + 1)), Rule::EcBlobLength, 4, words, words + 1);
    check(first(with(4, 0)), Rule::EcStreamEmpty, 4, 1, 0);
}

TEST_CASE("findings say where") {
    EcAssembler code;
    code.label(1).write(4, 0x00, 1).gate(0, true).write(5, 0xA00, 7).gate(0, false).irq();
    const auto bytes = blob_bytes(code.words());
    Findings findings;
    ec::StreamFacts facts;
    CHECK(ec::check_blob(view(bytes), facts, findings.sink()) == Status::InvalidBinary);
    REQUIRE(findings.list.size() == 1);
    CHECK(findings.list[0].rule == Rule::EcRegister);
    CHECK(findings.list[0].index == 4);
    CHECK(findings.list[0].file_offset == 8 + 4 * 4);
    CHECK(to_word(findings.list[0].address) == 0x5A00);
    CHECK(findings.list[0].found == 0xA00);

    const EcImage image = build_ec(kEcMagic0030, code.words(), {});
    ec::Container container;
    Diagnosis why;
    REQUIRE(ec::open(view(image.bytes), container, why) == Status::Ok);
    Findings inside;
    CHECK(ec::check_container(container, facts, inside.sink()) == Status::InvalidBinary);
    REQUIRE(inside.list.size() == 1);
    CHECK(inside.list[0].file_offset == image.blob + 8 + 4 * 4);
}

TEST_CASE("ciphertext is not decoded") {
    Words ciphertext = sample_program().words;
    for (std::uint32_t& word : ciphertext) word = word * 2654435761u + 12345;
    const auto bytes = blob_bytes(ciphertext);
    Findings plain;
    ec::StreamFacts facts;
    CHECK(ec::check_blob(view(bytes), facts, plain.sink(), ec::Cipher::Plain) ==
          Status::InvalidBinary);
    Findings encrypted;
    CHECK(ec::check_blob(view(bytes), facts, encrypted.sink(), ec::Cipher::Encrypted) ==
          Status::Ok);
    CHECK(encrypted.list.empty());
    CHECK(facts.words == ciphertext.size());
    CHECK(facts.writes + facts.polls + facts.labels == 0);
}

TEST_CASE("an instruction may straddle the border of two windows") {
    for (const bool odd : {false, true}) {
        EcAssembler code;
        code.label(1).gate(0, true);
        if (odd) code.label(1);
        Words targets;
        while (code.size() < 10'000) {
            targets.push_back(code.size() + 1);
            code.write(5, 0x08, 1);
            targets.push_back(code.size() + 1);
            code.write(5, 0x38, 1);
        }
        code.gate(0, false).irq();
        const EcImage image = build_ec(kEcMagic0030, code.words(), {{"pool", targets}});
        ec::Container container;
        Diagnosis why;
        REQUIRE(ec::open(view(image.bytes), container, why) == Status::Ok);
        Findings findings;
        ec::StreamFacts facts;
        CHECK(ec::check_container(container, facts, findings.sink()) == Status::Ok);
        CHECK(findings.list.empty());
    }
}

TEST_CASE("clock gates follow every kind of write") {
    const auto findings_of = [](const EcAssembler& code) {
        const auto bytes = blob_bytes(code.words());
        Findings findings;
        ec::StreamFacts facts;
        (void)ec::check_blob(view(bytes), facts, findings.sink());
        return findings.list.size();
    };
    const auto begin = [] { return EcAssembler().label(1); };
    CHECK(findings_of(begin().write(0, 0x10, 1).write(5, 8, 0).write(0, 0x10, 0).irq()) == 0);
    CHECK(findings_of(begin().burst(0, 0x10, {0, 3}).write(6, 8, 0).burst(0, 0x10, {3, 0}).irq()) ==
          0);
    CHECK(findings_of(
              begin().burst_inc(0, 0x0C, {0, 2}).write(6, 8, 0).burst_inc(0, 0x0C, {2, 0}).irq()) ==
          0);
    // Whole writes close the other gates too.
    CHECK(findings_of(
              begin().gate(0, true).write(0, 0x10, 2).write(5, 8, 0).gate(1, false).irq()) == 1);
    // A partial write of bits 4..3 is unusual, and opens STRENG3 and STRENG4.
    const std::uint32_t partial = 4u << 16 | 4u << 10 | 3u << 5;
    CHECK(findings_of(
              begin().raw({partial, 3}).write(8, 8, 0).write(9, 8, 0).raw({partial, 0}).irq()) ==
          2);
}

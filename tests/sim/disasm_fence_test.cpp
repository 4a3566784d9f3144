// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sim/disasm.h"
#include "tests/sim/process.h"

using n6vp::traces::Instruction;

namespace {

std::vector<std::uint8_t> bytes_of(std::uint32_t encoding, bool wide) {
    std::vector<std::uint8_t> bytes;
    const auto add = [&](std::uint32_t half) {
        bytes.push_back(static_cast<std::uint8_t>(half));
        bytes.push_back(static_cast<std::uint8_t>(half >> 8));
    };
    if (wide) add(encoding >> 16);
    add(encoding & 0xFFFF);
    return bytes;
}

std::string text_of(std::uint32_t encoding, bool wide) {
    static const auto disassembler = n6vp::sim::make_disassembler();
    const std::vector<Instruction> list = disassembler->decode(bytes_of(encoding, wide), 0);
    return list.size() == 1 ? list.front().text : "?";
}

/// Returns 32 reproducible bits.
std::uint32_t bits(std::mt19937& random) {
    return static_cast<std::uint32_t>(random());
}

bool is_inst(const std::string& text) {
    return text.starts_with(".inst");
}

/// One encoding that was given a name.
struct Sample {
    std::uint32_t encoding = 0;
    bool wide = false;
    std::string text;
};

/// Runs LLVM over the samples, each on its own, and returns its text, or "" for what it calls
/// invalid. A `bkpt #171` after every sample keeps the two lists in step.
std::vector<std::string> llvm_texts(const std::vector<Sample>& samples) {
    const n6vp::test::ScratchFolder folder;
    std::string input;
    for (const Sample& sample : samples) {
        input += '[';
        for (const std::uint8_t byte : bytes_of(sample.encoding, sample.wide)) {
            std::array<char, 8> hex{};
            std::snprintf(hex.data(), hex.size(), "0x%02x ", byte);
            input += hex.data();
        }
        input += "]\n[0xab 0xbe]\n";
    }
    const auto outcome = n6vp::test::run_process(
        {N6VP_LLVM_MC, "--disassemble", "-triple=thumbv8.1m.main",
         "-mattr=+mve.fp,+lob,+8msecext,+fp64,+fullfp16,+dsp", folder.write("input.txt", input)});
    REQUIRE(outcome.exit_code == 0);
    std::vector<std::string> texts;
    std::string current;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string::npos || line.compare(first, 5, ".text") == 0) continue;
        line = line.substr(first);
        if (line == "bkpt\t#171") {
            texts.push_back(current);
            current.clear();
        } else {
            current += line;
        }
    }
    return texts;
}

/// Rewrites every whole-number immediate in decimal modulo 2^32, `bias` added; real numbers stay.
std::string plain_numbers(const std::string& text, std::uint32_t bias) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        result += text[at];
        if (text[at++] != '#' || at == text.size()) continue;
        char* end = nullptr;
        const long long value = std::strtoll(text.c_str() + at, &end, 0);
        const auto after = static_cast<std::size_t>(end - text.c_str());
        if (after == at || *end == '.') continue;
        result += std::to_string(static_cast<std::uint32_t>(value) + bias);
        at = after;
    }
    return result;
}

/// Returns the text in lower case, runs of blanks as one, without LLVM's comment.
std::string single_spaced(const std::string& text) {
    std::string result;
    for (const char character : text.substr(0, text.find('@'))) {
        const bool blank = character == ' ' || character == '\t';
        if (blank && (result.empty() || result.back() == ' ')) continue;
        result +=
            blank ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
    }
    while (!result.empty() && result.back() == ' ') result.pop_back();
    return result;
}

bool is_branch(const std::string& mnemonic) {
    if (mnemonic == "bl" || mnemonic == "cbz" || mnemonic == "cbnz") return true;
    std::string stem = mnemonic;
    if (stem.ends_with(".w")) stem.resize(stem.size() - 2);
    if (stem == "b") return true;
    static const std::set<std::string> kConditional = {"beq", "bne", "bhs", "blo", "bmi",
                                                       "bpl", "bvs", "bvc", "bhi", "bls",
                                                       "bge", "blt", "bgt", "ble"};
    return kConditional.contains(stem);
}

/// Brings LLVM's spelling to ours: blanks, comments, number bases, branch targets counted from the
/// instruction instead of from pc, and the three aliases that only one of the two prints.
std::string normalised(const std::string& raw, bool from_llvm) {
    std::string text = single_spaced(raw);
    if (!from_llvm) {
        if (text == "sevl") return "hint #5";
        return text == "udf #0xf9" ? "__brkdiv0" : plain_numbers(text, 0);
    }
    if (text.starts_with("adr.w ")) {  // the same encoding as addw or subw with pc
        const std::size_t comma = text.find(',');
        const bool below = text.compare(comma, 4, ", #-") == 0;
        const std::string amount = text.substr(text.find_first_of("0123456789", comma));
        text = (below ? "subw " : "addw ") + text.substr(6, comma - 6) + ", pc, #" + amount;
    }
    return plain_numbers(text, is_branch(text.substr(0, text.find(' '))) ? 4 : 0);
}

/// Checks that every named encoding means the same to LLVM.
void compare(const std::vector<Sample>& samples, std::size_t seen) {
    if (std::string(N6VP_LLVM_MC).empty()) {
        MESSAGE("skipped: llvm-mc is not installed");
        return;
    }
    const std::vector<std::string> llvm = llvm_texts(samples);
    REQUIRE(llvm.size() == samples.size());
    std::size_t different = 0;
    for (std::size_t index = 0; index < samples.size(); ++index) {
        const std::string ours = normalised(samples[index].text, false);
        const std::string theirs = normalised(llvm[index], true);
        if (ours == theirs) continue;
        ++different;
        if (different <= 20)
            FAIL_CHECK(samples[index].encoding, ": ours '", ours, "', LLVM '", theirs, "'");
    }
    CHECK(different == 0);
    MESSAGE("encodings ", seen, ", named ", samples.size(), ", as .inst ", seen - samples.size(),
            ", different ", different);
}

void add_sample(std::vector<Sample>& samples, std::uint32_t encoding, bool wide) {
    std::string text = text_of(encoding, wide);
    if (!is_inst(text)) samples.push_back({encoding, wide, std::move(text)});
}

}  // namespace

TEST_CASE("every 16-bit encoding means what LLVM says, or is .inst") {
    std::vector<Sample> samples;
    std::size_t seen = 0;
    for (std::uint32_t encoding = 0; encoding < 0xE800; ++encoding) {
        const bool starts_it_block = (encoding & 0xFF00) == 0xBF00 && (encoding & 0xF) != 0;
        // An IT changes how LLVM reads what follows; 0xBEAB is the mark between samples.
        if (starts_it_block || encoding == 0xBEAB) continue;
        ++seen;
        add_sample(samples, encoding, false);
    }
    CHECK(samples.size() > 57000);
    compare(samples, seen);
}

TEST_CASE("a sample of every 32-bit group means what LLVM says, or is .inst") {
    std::vector<Sample> samples;
    std::size_t seen = 0;
    std::mt19937 random(5);
    for (std::uint32_t first = 0xE800; first < 0x10000; ++first) {
        for (int run = 0; run < 32; ++run, ++seen) {
            std::uint32_t second = bits(random) & 0xFFFF;
            if (run % 8 == 0) second &= 0xF0FF;
            if (run % 8 == 1) second |= 0xF000;
            if (run % 8 == 2) second |= 0x0F00;
            if (run % 8 == 3) second &= 0xFF0F;
            add_sample(samples, first << 16 | second, true);
        }
    }
    CHECK(samples.size() > 50000);
    compare(samples, seen);
}

TEST_CASE("a dense sample of coprocessors 10 and 11 means what LLVM says, or is .inst") {
    std::vector<Sample> samples;
    std::size_t seen = 0;
    std::mt19937 random(6);
    for (std::uint32_t first = 0xEC00; first < 0x10000; ++first) {
        if ((first >> 8 & 0xEC) != 0xEC) continue;
        for (int run = 0; run < 96; ++run, ++seen) {
            const std::uint32_t second =
                (bits(random) & 0xF0FF) | ((bits(random) & 1) != 0 ? 0xA00u : 0xB00u);
            add_sample(samples, first << 16 | second, true);
        }
    }
    CHECK(samples.size() > 10000);
    compare(samples, seen);
}

TEST_CASE("random 32-bit encodings mean what LLVM says, or are .inst") {
    std::vector<Sample> samples;
    std::mt19937 random(7);
    constexpr std::size_t kSeen = 300000;
    for (std::size_t index = 0; index < kSeen; ++index) {
        const std::uint32_t first = 0xE800 + bits(random) % 0x1800;
        add_sample(samples, first << 16 | (bits(random) & 0xFFFF), true);
    }
    compare(samples, kSeen);
}

TEST_CASE("Armv8.1-M instructions that Capstone takes for older ones are .inst") {
    const auto wide = [](std::uint32_t encoding) { return is_inst(text_of(encoding, true)); };
    CHECK(wide(0xEA508001));                 // csel r0, r0, r1, eq
    CHECK(wide(0xEA50012F));                 // asrl r0, r1, #4
    CHECK(wide(0xF040E001));                 // dls lr, r0
    CHECK(wide(0xF00FC001));                 // le lr, .
    CHECK(wide(0xF01FC001));                 // letp lr, .
    CHECK(wide(0xE89F8000));                 // clrm {apsr}
    CHECK(wide(0xEC9F0A01));                 // vscclrm
    CHECK(wide(0xED2DEF80));                 // vstr fpcxtns
    CHECK(wide(0xEC901E80));                 // vldrb.u8 q0, [r0]: looks like ldc
    CHECK(wide(0xEF000840));                 // vadd.i8 q0, q0, q0
    CHECK(wide(0xFE310F4D));                 // vpst
    CHECK(wide(0xF3EF800A));                 // mrs r0, msplim
    CHECK(wide(0xF380880A));                 // msr msplim, r0
    CHECK(wide(0xF3EF8088));                 // mrs r0, msp_ns
    CHECK(wide(0xE840F000));                 // tt r0, r0
    CHECK(is_inst(text_of(0x4774, false)));  // bxns lr
    CHECK(is_inst(text_of(0x4784, false)));  // blxns r0
    CHECK(text_of(0x4774, false) == ".inst.n 0x4774");
    CHECK(text_of(0xE89F8000, true) == ".inst.w 0xe89f8000");
}

TEST_CASE("classic instructions keep their names, registers as numbers") {
    CHECK(text_of(0x4770, false) == "bx lr");
    CHECK(text_of(0xF8590003, true) == "ldr.w r0, [r9, r3]");
    CHECK(text_of(0xE92D4DF0, true) == "push.w {r4, r5, r6, r7, r8, r10, r11, lr}");
    CHECK(text_of(0xEE300A20, true) == "vadd.f32 s0, s0, s1");
    CHECK(text_of(0xF3EF8010, true) == "mrs r0, primask");
}

TEST_CASE("IT blocks are followed, also across an instruction behind the fence") {
    const auto disassembler = n6vp::sim::make_disassembler();
    // itte eq; moveq r0, #1; .inst (csel); movne r0, #2; movs r0, #3
    std::vector<std::uint8_t> code;
    for (const auto& [encoding, wide] : {std::pair{0xBF06u, false},
                                         {0x2001u, false},
                                         {0xEA508001u, true},
                                         {0x2002u, false},
                                         {0x2003u, false}}) {
        const auto bytes = bytes_of(encoding, wide);
        code.insert(code.end(), bytes.begin(), bytes.end());
    }
    const auto list = disassembler->decode(code, 0x20000100);
    REQUIRE(list.size() == 5);
    CHECK(list[0].text == "itte eq");
    CHECK(list[1].text == "moveq r0, #1");
    CHECK(list[2].text == ".inst.w 0xea508001");
    CHECK(list[3].text == "movne r0, #2");
    CHECK(list[4].text == "movs r0, #3");
    CHECK(list[4].address == 0x2000010A);
}

TEST_CASE("targets of branches and literal loads are absolute") {
    const auto disassembler = n6vp::sim::make_disassembler();
    const auto target = [&](std::uint32_t encoding, bool wide, std::uint32_t at) {
        return disassembler->decode(bytes_of(encoding, wide), at).front();
    };
    CHECK(target(0xE7FE, false, 0x20000200).target == 0x20000200);     // b .
    CHECK(target(0xD0FE, false, 0x20000200).target == 0x20000200);     // beq .
    CHECK(target(0xB108, false, 0x20000200).target == 0x20000206);     // cbz r0, .+6
    CHECK(target(0xF7FFFFFE, true, 0x20000200).target == 0x20000200);  // bl .
    CHECK(target(0xF43FAFFE, true, 0x20000200).target == 0x20000200);  // beq.w .
    CHECK(target(0x4B01, false, 0x2000006C).target == 0x20000074);     // ldr r3, [pc, #4]
    CHECK(target(0xF85F0008, true, 0x20000100).target == 0x200000FC);  // ldr.w r0, [pc, #-8]
    CHECK_FALSE(target(0x4B01, false, 0x2000006C).branches);
    CHECK(target(0xE7FE, false, 0).branches);
    CHECK_FALSE(target(0x4770, false, 0).target.has_value());
}

TEST_CASE("odd ends and cut instructions are .inst") {
    const auto disassembler = n6vp::sim::make_disassembler();
    const std::vector<std::uint8_t> code = {0x70, 0x47, 0x59, 0xF8};
    CHECK(disassembler->decode(code, 0).back().text == ".inst.n 0xf859");
    const std::vector<std::uint8_t> odd = {0x70, 0x47, 0x59};
    CHECK(disassembler->decode(odd, 0).back().text == ".byte 0x59");
    CHECK(disassembler->decode({}, 0).empty());
}

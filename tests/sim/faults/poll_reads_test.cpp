// SPDX-License-Identifier: Apache-2.0
// Addresses that a loop reads, derived from its code and one sample of the registers.
#include <doctest/doctest.h>

#include <map>

#include "sim/faults/poll_reads.h"

using namespace n6vp::sim::fault_report;

namespace {

using Found = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  ///< line, address

struct Bench {
    std::vector<CodeLine> code;
    std::map<std::uint32_t, std::uint32_t> memory;
    LoopState state;

    Bench(std::uint32_t start, std::vector<std::pair<const char*, std::uint32_t>> lines) {
        for (const auto& [text, bytes] : lines) {
            code.push_back({start, 0, bytes, text, false});
            start += bytes;
        }
    }
    Found reads(std::uint32_t first, std::uint32_t last, std::uint32_t pc) {
        state.first = first;
        state.last = last;
        state.pc = pc;
        const PeekWord peek = [this](std::uint32_t address) -> std::optional<std::uint32_t> {
            const auto word = memory.find(address);
            if (word == memory.end()) return std::nullopt;
            return word->second;
        };
        Found found;
        for (const PollRead& read : poll_reads(code, state, peek)) {
            found.emplace_back(read.line->address, read.address);
        }
        return found;
    }
};

}  // namespace

TEST_CASE("poll reads: a base that the loop overwrites is followed through its constant") {
    Bench bench(0x100, {{"ldr r3, [pc, #12]", 2},
                        {"ldr r3, [r3, #60]", 2},
                        {"ands r3, r2", 2},
                        {"cmp r3, #0", 2},
                        {"beq #0x100", 2}});
    bench.memory[0x110] = 0x56024800;
    bench.state.registers[3] = 0x12345678;
    // Wherever the core was found; right before the load r3 is what it is.
    const Found constant{{0x102, 0x5602483C}};
    CHECK(bench.reads(0x100, 0x108, 0x106) == constant);
    CHECK(bench.reads(0x102, 0x104, 0x104) == constant);
    CHECK(bench.reads(0x100, 0x108, 0x100) == constant);
    const Found now{{0x102, 0x12345678 + 60}};
    CHECK(bench.reads(0x100, 0x108, 0x102) == now);
}

TEST_CASE("poll reads: a load outside the loop is not one of it") {
    Bench bench(0x200, {{"ldr r1, [r4]", 2},
                        {"ldr r0, [r5, #4]", 2},
                        {"lsls r0, r0, #31", 2},
                        {"bpl #0x202", 2},
                        {"ldr r1, [r6]", 2},
                        {"b #0x202", 2}});
    bench.state.registers[5] = 0x52001000;
    CHECK(bench.reads(0x202, 0x206, 0x204) == Found{{0x202, 0x52001004}});
}

TEST_CASE("poll reads: pointers in memory are followed, what is computed otherwise is left out") {
    Bench bench(0x300, {{"ldr r3, [r7, #4]", 2},     // a variable on the stack
                        {"ldr r3, [r3]", 2},         // the instance that it points to
                        {"ldr.w r3, [r3, #28]", 4},  // its register
                        {"ldrb.w r2, [r3, r1]", 4},  // from what the register says
                        {"movw r0, #0x4c00", 4},
                        {"movt r0, #0x5602", 4},
                        {"adds r0, #4", 2},
                        {"ldrh r1, [r0], #2", 2},
                        {"ldr r1, [r0]", 2},
                        {"tst r2, r1", 2},
                        {"bne.n #0x300", 2}});
    bench.state.registers[7] = 0x34010000;
    bench.memory[0x34010004] = 0x34020000;
    bench.memory[0x34020000] = 0x52001000;
    const Found found{
        {0x300, 0x34010004}, {0x302, 0x34020000}, {0x304, 0x5200101C}, {0x316, 0x56024C04}};
    CHECK(bench.reads(0x300, 0x31C, 0x300) == found);
    // A call may change r0 to r3.
    Bench caller(0x400, {{"bl #0x1000", 4},
                         {"ldr r0, [r2]", 2},
                         {"ldr r0, [r4]", 2},
                         {"cbz r0, #0x40e", 2},
                         {"b #0x400", 2}});
    caller.state.registers[4] = 0x40;
    CHECK(caller.reads(0x400, 0x40A, 0x400) == Found{{0x406, 0x40}});
}

TEST_CASE("poll reads: the result of an exclusive store is not taken for an address") {
    Bench bench(
        0x100,
        {{"ldrex r1, [r4]", 4}, {"strex r0, r2, [r4]", 4}, {"ldr r3, [r0]", 2}, {"b #0x100", 2}});
    bench.state.registers[0] = 0x20000000;
    bench.state.registers[4] = 0x20001000;
    const Found exclusive_load_only{{0x100, 0x20001000}};
    CHECK(bench.reads(0x100, 0x10A, 0x100) == exclusive_load_only);
}

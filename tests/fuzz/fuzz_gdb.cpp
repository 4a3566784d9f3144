// SPDX-License-Identifier: Apache-2.0
// Input: what a client of the debugger sends, bytes as they are. In front of a running machine.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sim/debugger/server.h"
#include "tests/fuzz/fuzz_check.h"
#include "tests/sim/debugger/core_machine.h"

namespace {

using namespace n6vp::sim::debugger;
using n6vp::test::CoreMachine;
using n6vp::test::TwoMemories;

/// A loop that counts in r0 and at 0x20000100.
void load_program(CoreMachine& machine) {
    constexpr std::array<std::uint8_t, 24> kProgram = {
        0x00, 0x00, 0x01, 0x20,              // stack
        0x09, 0x00, 0x00, 0x00,              // reset vector
        0x01, 0x49,                          // ldr r1, [pc, #4]
        0x01, 0x30,                          // adds r0, #1
        0x08, 0x60,                          // str r0, [r1]
        0xFC, 0xE7,                          // b to the adds
        0x00, 0x01, 0x00, 0x20, 0, 0, 0, 0,  // address
    };
    static_cast<void>(machine.program(TwoMemories::kFlash, kProgram));
    machine.most_cycles = 2000;
    machine.most_steps = 10'000;
    machine.core().reset();
}

/// One machine for all inputs: the tables of a new core take longer than an input. Every input
/// finds it as a new one is.
CoreMachine& fresh_machine() {
    static CoreMachine machine;
    for (const std::uint32_t start : {TwoMemories::kFlash, TwoMemories::kRam}) {
        std::fill_n(machine.memory().at(start, TwoMemories::kBytes), TwoMemories::kBytes, 0);
        machine.core().invalidate(start, start + (TwoMemories::kBytes - 1));
    }
    // What a reset leaves as it is.
    n6vp::models::core::CpuState& cpu = machine.core().state();
    for (unsigned i = 0; i < 13; ++i) machine.core().set_reg(i, 0);
    for (unsigned i = 0; i < 16; ++i) n6vp::models::core::set_vector_lane<std::uint64_t>(cpu, i, 0);
    load_program(machine);
    return machine;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // Exactly as long as the input, so that the sanitizer sees the first byte too many.
    const std::vector<std::uint8_t> copy(data, data + size);
    CoreMachine& machine = fresh_machine();
    std::string sent;
    Server server(machine, {[&sent](std::string_view bytes) { sent += bytes; }, {}});
    constexpr std::size_t kPiece = 64;
    for (std::size_t at = 0; at < copy.size(); at += kPiece) {
        const std::size_t count = std::min(kPiece, copy.size() - at);
        server.receive(std::span(copy).subspan(at, count));
        server.work();
    }
    // What the server sends can be read: no damaged packet.
    PacketReader reader;
    for (std::size_t at = 0; at < sent.size(); at += kPiece) {
        reader.put(std::string_view(sent).substr(at, kPiece));
        while (const auto item = reader.take())
            N6VP_FUZZ_CHECK(item->kind != Incoming::Kind::Damaged);
    }
    return 0;
}

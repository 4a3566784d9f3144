// SPDX-License-Identifier: Apache-2.0
#include "models/npu/control/epoch_controller.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "tests/loader/epoch_controller/ec_assembler.h"
#include "tests/models/npu/epoch_bench.h"
#include "tests/models/npu/reference/epoch_program.h"

namespace {

using namespace n6vp::models::npu;
using n6vp::models::kNever;
using n6vp::test::EcAssembler;
using n6vp::test::EpochRun;
using n6vp::test::kBlobAt;
using n6vp::test::kCycle;
using n6vp::test::ReferenceEnd;
using n6vp::test::ReferenceProgram;
using n6vp::test::Words;

constexpr std::uint32_t kStatusAddress = 0x05000;  ///< STRENG0.CTRL

/// Address and value of every write, in order.
std::vector<n6vp::test::ReferenceWrite> writes_of(const EpochRun& run) {
    std::vector<n6vp::test::ReferenceWrite> writes;
    writes.reserve(run.bench.writes.size());
    for (const auto& one : run.bench.writes) writes.push_back({one.address, one.value});
    return writes;
}

void check_fault(const EpochRun& run, EpochFaultReason reason, std::uint64_t offset,
                 std::uint32_t word, std::uint32_t irq_bit) {
    CHECK_FALSE(run.controller.running());
    CHECK(run.controller.due() == kNever);
    REQUIRE(run.faults.size() == 1);
    const EpochFault& fault = run.faults.front();
    CHECK(fault.reason == reason);
    CHECK(fault.blob == kBlobAt);
    CHECK(fault.offset == offset);
    CHECK(fault.word == word);
    CHECK(fault.opcode() == (word & 0x1F));
    CHECK(irq_bit_of(fault.reason) == irq_bit);
}

TEST_CASE("epoch controller: the worked decode writes what its table says") {
    EpochRun run;
    run.start({0x0000005D, 0x00802141, 0x3C007C00, 0x00000054, 0x3C0200C3, 1,          2,
               3,          4,          5,          6,          0x5C000042, 0x08000000, 0x09000160,
               0x20020043, 0x342E0000, 0x000001EA, 0x200C0042, 6,          7,          0x10007C00,
               2,          0x10000424, 0x64,       0,          0x18002001, 0x00800021, 0x0000000C});
    // The stream switch clears its bit by itself.
    run.bench.after_write = [&](std::uint32_t address, std::uint32_t, auto) {
        if (address == 0x4000) run.bench.registers[address] = 0;
    };
    run.finish();
    const std::vector<n6vp::test::ReferenceWrite> expected = {
        {0x00010, 1u << 10},   {0x0F000, 0x54},       {0x0F008, 1},          {0x0F00C, 2},
        {0x0F010, 3},          {0x0F014, 4},          {0x0F018, 5},          {0x0F01C, 6},
        {0x17000, 0x08000000}, {0x17000, 0x09000160}, {0x08008, 0x342E0000}, {0x0800C, 0x1EA},
        {0x08030, 6},          {0x08030, 7},          {0x04000, 2},          {0x06000, 1},
        {0x00010, 1u << 10},
    };
    CHECK(writes_of(run) == expected);
    CHECK(run.labels == std::vector<std::uint32_t>{2});
    CHECK(run.controller.label() == 2);
    CHECK(run.controller.executed() == 12);
    CHECK(run.irqs.size() == 1);
    CHECK(run.faults.empty());
    CHECK(run.assumptions.empty());
    CHECK_FALSE(run.controller.running());
    CHECK(run.controller.counters().writes == 17);
    CHECK(run.controller.counters().polls == 1);
    CHECK(run.controller.counters().fetches == 15);
    CHECK(run.bench.fetches.back() == kBlobAt + 14 * 8);
}

TEST_CASE("epoch controller: a field is replaced and the rest of its register kept") {
    EpochRun run;
    run.bench.registers[0x05010] = 0xAAAAAAAA;
    run.bench.registers[0x0507C] = 0xFFFFFFFF;
    run.start({5u << 26 | 4u << 16 | 15u << 10 | 8u << 5, 0x12345,        // write bits 15..8
               5u << 26 | 31u << 21 | 0u << 13 | 0u << 10 | 5u << 5 | 1,  // bit 5 of 0x7C
               5u << 26 | 4u << 21 | 0xA5u << 13 | 7u << 10 | 24u << 5 | 1,
               5u << 26 | 5u << 21 | 0xFFu << 13 | 7u << 10 | 28u << 5 | 1});
    run.finish();
    CHECK(run.bench.registers[0x05010] == 0xA5AA45AA);
    CHECK(run.bench.registers[0x0507C] == 0xFFFFFFDF);
    CHECK(run.bench.registers[0x05014] == 0xF0000000);
    REQUIRE(run.assumptions.size() == 3);
    CHECK(run.assumptions[0].feature == std::string("write to a part"));
    CHECK(run.assumptions[1].feature == std::string("writefield of more than one bit"));
}

TEST_CASE("epoch controller: what no known blob has is reported") {
    EpochRun run;
    run.start({0x14007C00u | 1u << 15, 1, 0x14000002, 0x1400FFE4, 99, 0, 0x00000000C | 1u << 5,
               0x0000003D});
    run.bench.registers[kStatusAddress] = 0;
    run.bench.after_write = [&](std::uint32_t address, std::uint32_t, auto) {
        run.bench.registers[address] = 0;
    };
    run.finish();
    std::vector<std::string> features;
    for (const Limit& one : run.assumptions) {
        CHECK(one.unit == std::string("EPOCHCTRL"));
        features.emplace_back(one.feature);
    }
    CHECK(features == std::vector<std::string>{"bit 15 of write and poll", "burst of no words",
                                               "bit 15 of write and poll", "poll, word 1",
                                               "irq with a number", "instructions after irq"});
    CHECK(run.controller.label() == 1);
    CHECK(run.faults.empty());
}

TEST_CASE("epoch controller: a blob without instructions ends silently") {
    EpochRun run;
    run.start({});
    CHECK(run.controller.running());
    run.finish();
    CHECK_FALSE(run.controller.running());
    CHECK(run.controller.executed() == 0);
    CHECK(run.bench.fetches == std::vector<std::uint32_t>{kBlobAt});
    CHECK(run.irqs.empty());
    CHECK(run.faults.empty());
}

TEST_CASE("epoch controller: bad magic") {
    EpochRun run;
    run.bench.store(kBlobAt, {0x7A7A05CA, 4, 0x3D, 0x3D, 0x3D, 0x0C});
    run.begin();
    run.finish();
    check_fault(run, EpochFaultReason::Magic, 0, 0x7A7A05CA, 1u << 3);
    CHECK(run.bench.fetches.size() == 1);
}

TEST_CASE("epoch controller: every opcode but seven is unknown") {
    for (std::uint32_t opcode = 0; opcode < 32; ++opcode) {
        if (opcode <= 4 || opcode == 0x0C || opcode == 0x1D) continue;
        EpochRun run;
        run.start({0x0000009D, 0x14000120 | opcode, 0x0000000C});
        run.finish();
        CAPTURE(opcode);
        check_fault(run, EpochFaultReason::UnknownOpcode, 12, 0x14000120 | opcode, 1u << 5);
        CHECK(run.faults[0].label == 4);
        CHECK(run.irqs.empty());
    }
}

TEST_CASE("epoch controller: an instruction that the end cuts off") {
    const Words cut[] = {{0x14007C00}, {0x14007FE4, 100}, {0x14000062, 1, 2}, {0x14000063, 1, 2}};
    for (const Words& tail : cut) {
        EpochRun run;
        Words words = {0x3D};
        words.insert(words.end(), tail.begin(), tail.end());
        run.start(words);
        run.finish();
        check_fault(run, EpochFaultReason::Truncated, 12, tail[0], 1u << 2);
    }
}

TEST_CASE("epoch controller: a field whose upper bit is below its lower bit") {
    for (const std::uint32_t word : {0x14000020u, 0x14000024u}) {  // write and poll of 0..1
        EpochRun run;
        run.start({word, 100, 0});
        run.finish();
        check_fault(run, EpochFaultReason::BitRange, 8, word, 1u << 2);
    }
}

TEST_CASE("epoch controller: a burst ends with its unit's page") {
    EpochRun inside;
    inside.start({5u << 26 | 1022u << 16 | 2u << 5 | 3, 1, 2});
    inside.finish();
    CHECK(inside.faults.empty());
    CHECK(inside.bench.registers[0x05FFC] == 2);
    EpochRun beyond;
    const std::uint32_t word = 5u << 26 | 1022u << 16 | 3u << 5 | 3;
    beyond.start({word, 1, 2, 3});
    beyond.finish();
    check_fault(beyond, EpochFaultReason::PageEnd, 8, word, 1u << 2);
    CHECK(beyond.bench.writes.empty());
}

TEST_CASE("epoch controller: there is no unit above 31") {
    const Words programs[] = {{32u << 26 | 0x7C00, 1},    {32u << 26 | 0x0400, 1},
                              {32u << 26 | 0x2001},       {63u << 26 | 0x0042, 1, 2},
                              {63u << 26 | 0x0043, 1, 2}, {32u << 26 | 0x7FE4, 100, 0}};
    for (const Words& program : programs) {
        EpochRun run;
        run.start(program);
        run.finish();
        check_fault(run, EpochFaultReason::Register, 8, program[0], 1u << 1);
    }
}

TEST_CASE("epoch controller: memory that fails names the fetch") {
    EpochRun run;
    run.start(EcAssembler().label(3).label(4).label(5).label(6).irq().words());
    run.bench.bad_address = kBlobAt + 16;
    run.finish();
    check_fault(run, EpochFaultReason::Fetch, 16, 0, 1u << 1);
    CHECK(run.faults[0].label == 4);
    CHECK(run.labels == std::vector<std::uint32_t>{3, 4});
    CHECK(run.bench.fetches.size() == 3);
}

TEST_CASE("epoch controller: misaligned and encrypted blobs do not begin") {
    EpochRun run;
    run.controller.start({kBlobAt + 4, false, false, kCycle, 0});
    run.controller.start({kBlobAt, false, true, kCycle, 0});
    run.finish();
    REQUIRE(run.faults.size() == 2);
    CHECK(run.faults[0].reason == EpochFaultReason::Misaligned);
    CHECK(run.faults[0].blob == kBlobAt + 4);
    CHECK(run.faults[1].reason == EpochFaultReason::Encrypted);
    CHECK(irq_bit_of(run.faults[0].reason) == 1u << 2);
    CHECK(run.bench.fetches.empty());
    CHECK_FALSE(run.controller.running());
}

TEST_CASE("epoch controller: a blob does not go on at address zero") {
    EpochRun run;
    run.bench.store(0xFFFFFFF0, {0xCA057A7A, 0xFFFFFFFF, 0x3D, 0x5D});
    run.controller.start({0xFFFFFFF0, false, false, kCycle, 0});
    run.finish();
    REQUIRE(run.faults.size() == 1);
    CHECK(run.faults[0].reason == EpochFaultReason::AddressSpace);
    CHECK(run.faults[0].offset == 16);
    CHECK(irq_bit_of(run.faults[0].reason) == 1u << 1);
    CHECK(run.labels == std::vector<std::uint32_t>{1, 2});
    CHECK(run.bench.fetches == std::vector<std::uint32_t>{0xFFFFFFF0, 0xFFFFFFF8});
    // To the last byte is fine.
    run.bench.store(0xFFFFFFF0, {0xCA057A7A, 2});
    run.controller.start({0xFFFFFFF0, false, false, kCycle, 0});
    run.finish();
    CHECK(run.faults.size() == 1);
    CHECK(run.controller.label() == 2);
}

TEST_CASE("epoch controller: every reason has a text of its own") {
    std::vector<std::string> texts;
    for (int i = 0; i <= static_cast<int>(EpochFaultReason::Register); ++i) {
        const std::string text = text_of(static_cast<EpochFaultReason>(i));
        CHECK(text.size() > 10);
        for (const std::string& other : texts) CHECK(text != other);
        texts.push_back(text);
    }
}

TEST_CASE("epoch controller: a poll waits until its field has the value") {
    EpochRun run;
    run.bench.registers[kStatusAddress] = 0xC0000001;
    run.start(EcAssembler().poll(5, 0, 31).label(9).irq().words());
    run.finish();
    REQUIRE(run.controller.polling() != nullptr);
    CHECK(run.controller.polling()->ip == 5);
    CHECK(run.controller.polling()->offset == 0);
    CHECK(run.controller.polling()->mask == 0x80000000);
    CHECK(run.controller.polling()->expected == 0);
    CHECK(run.controller.due() == kNever);
    // Looking in vain, then another bit, then the one.
    run.controller.look_again(run.began + 500 * kCycle);
    CHECK(run.controller.due() == run.began + 500 * kCycle);
    run.finish();
    CHECK(run.controller.polling() != nullptr);
    run.bench.registers[kStatusAddress] = 0x80000000;
    run.controller.look_again(run.began + 600 * kCycle);
    run.finish();
    CHECK(run.controller.polling() != nullptr);
    run.bench.registers[kStatusAddress] = 0x40000001;
    run.controller.look_again(run.began + 700 * kCycle);
    run.finish();
    CHECK(run.controller.polling() == nullptr);
    CHECK_FALSE(run.controller.running());
    CHECK(run.labels == std::vector<std::uint32_t>{9});
    // The poll began with its last word, in the third fetch.
    CHECK(run.controller.counters().polled == (700 - 48) * kCycle);
    CHECK(run.irqs == std::vector<n6vp::models::Picoseconds>{run.began + 716 * kCycle});
}

TEST_CASE("epoch controller: a poll as last instruction ends the program when it is satisfied") {
    EpochRun run;
    run.bench.registers[kStatusAddress] = 4;
    run.start({5u << 26 | 3u << 10 | 1u << 5 | 4, 100, 5});
    run.finish();
    CHECK(run.controller.running());
    run.bench.registers[kStatusAddress] = 0xFFFFFFFB;
    run.controller.look_again(run.began + 90 * kCycle);
    run.finish();
    CHECK_FALSE(run.controller.running());
    CHECK(run.faults.empty());
    REQUIRE(run.assumptions.size() == 1);
    CHECK(run.assumptions[0].feature == std::string("poll for anything but 0"));
}

TEST_CASE("epoch controller: single step executes one instruction for each permission") {
    EpochRun run;
    run.bench.registers[kStatusAddress] = 0x80000000;
    run.start(EcAssembler()
                  .label(1)
                  .burst(5, 0x30, {6, 7})
                  .write(5, 8, 0x1234)
                  .poll(5, 0, 31)
                  .label(2)
                  .irq()
                  .words(),
              true);
    run.finish();
    CHECK(run.controller.executed() == 0);
    run.controller.allow_one(run.began + 1000 * kCycle);
    run.finish();
    CHECK(run.labels == std::vector<std::uint32_t>{1});
    run.controller.allow_one(run.began + 2000 * kCycle);
    run.finish();
    CHECK(run.bench.writes.size() == 2);
    CHECK(run.bench.writes[0].at >= run.began + 2000 * kCycle);
    run.controller.allow_one(run.began + 3000 * kCycle);
    run.finish();
    CHECK(run.bench.writes.size() == 3);
    run.controller.allow_one(run.began + 4000 * kCycle);
    run.finish();
    CHECK(run.controller.polling() != nullptr);
    // A permission given while a poll waits is for the next instruction.
    run.controller.allow_one(run.began + 5000 * kCycle);
    run.finish();
    CHECK(run.controller.executed() == 4);
    run.bench.registers[kStatusAddress] = 0;
    run.controller.look_again(run.began + 6000 * kCycle);
    run.finish();
    CHECK(run.labels == std::vector<std::uint32_t>{1, 2});
    CHECK(run.controller.executed() == 5);
    CHECK(run.irqs.empty());
    run.controller.allow_one(run.began + 7000 * kCycle);
    run.finish();
    REQUIRE(run.irqs.size() == 1);
    CHECK(run.irqs[0] >= run.began + 7000 * kCycle);
    CHECK_FALSE(run.controller.running());
    run.controller.allow_one(run.began + 8000 * kCycle);
    CHECK(run.controller.due() == kNever);
}

TEST_CASE("epoch controller: cleared while it runs, it forgets all and starts anew") {
    EpochRun run;
    run.start(EcAssembler().label(1).label(2).label(3).label(4).label(5).irq().words());
    while (run.controller.executed() < 3 && run.controller.running()) run.controller.act();
    run.controller.clear();
    CHECK_FALSE(run.controller.running());
    CHECK(run.controller.due() == kNever);
    CHECK(run.controller.label() == 0);
    CHECK(run.controller.executed() == 0);
    run.controller.act();
    CHECK(run.labels.size() == 3);
    run.start(EcAssembler().label(7).irq().words());
    run.finish();
    CHECK(run.labels == std::vector<std::uint32_t>{1, 2, 3, 7});
    CHECK(run.controller.executed() == 2);
    CHECK(run.irqs.size() == 1);
    CHECK(run.controller.counters().fetches == 2);
    // Once more, and while a poll waits.
    run.bench.registers[kStatusAddress] = 1u << 31;
    run.start(EcAssembler().poll(5, 0, 31).irq().words());
    run.finish();
    CHECK(run.controller.polling() != nullptr);
    run.begin();
    CHECK(run.controller.polling() == nullptr);
    run.bench.registers[kStatusAddress] = 0;
    run.finish();
    CHECK(run.irqs.size() == 2);
}

TEST_CASE("epoch controller: a program may stop and restart the controller") {
    constexpr std::uint32_t kOwnControl = 0x1E000;
    EpochRun run;
    int restarts = 0;
    run.bench.after_write = [&](std::uint32_t address, std::uint32_t value, auto at) {
        if (address != kOwnControl) return;
        if (value == 2) run.controller.clear();
        if (value == 1 && ++restarts < 3) {
            run.controller.start({kBlobAt, false, false, kCycle, at});
        }
    };
    SUBCASE("stopped in the middle of a burst") {
        run.start(EcAssembler().burst(30, 0, {4, 2, 4, 4, 4}).irq().words());
        run.finish();
        CHECK(run.bench.writes.size() == 2);
        CHECK(run.irqs.empty());
        CHECK_FALSE(run.controller.running());
    }
    SUBCASE("stopped by the last instruction") {
        run.start(EcAssembler().write(30, 0, 2).words());
        run.finish();
        CHECK_FALSE(run.controller.running());
        CHECK(run.faults.empty());
    }
    SUBCASE("restarted by a write that fails") {
        run.bench.refused = kOwnControl;
        run.start(EcAssembler().write(30, 0, 1).words());
        while (restarts < 2 && run.controller.running()) run.controller.act();
        CHECK(run.controller.running());
        run.bench.refused = 1;
        run.finish();
        CHECK(restarts == 3);
    }
    SUBCASE("restarted") {
        run.start(EcAssembler().label(1).burst(30, 0, {1, 5}).irq().words());
        run.finish();
        CHECK(restarts == 3);
        CHECK(run.labels == std::vector<std::uint32_t>{1, 1, 1});
        CHECK(run.irqs.size() == 1);
        CHECK(run.controller.executed() == 3);
    }
    CHECK(run.faults.empty());
}

/// A blob of random instructions, legal with high probability, or plain noise.
Words random_blob(std::mt19937& random) {
    const auto any = [&random] { return static_cast<std::uint32_t>(random()); };
    const auto below = [&](std::uint32_t limit) { return any() % limit; };
    Words words = {0xCA057A7A, 0};
    const bool noise = below(8) == 0;
    const std::uint32_t length = 1 + below(120);
    const auto unit = [&] { return below(300) == 0 ? 32 + below(32) : below(32); };
    while (words.size() < 2 + std::size_t{length}) {
        const std::uint32_t ip = unit() << 26;
        const std::uint32_t low = below(32), high = below(40) == 0 ? below(32) : 31;
        const std::uint32_t offset = (below(50) == 0 ? 1000 + below(24) : below(6)) << 16;
        const std::uint32_t burst = below(9);
        switch (noise ? 7 : below(7)) {
            case 0:
                words.insert(words.end(), {ip | offset | high << 10 | low << 5, any()});
                break;
            case 1:
                words.push_back(ip | (any() & 0x03FFFFE0) | 1);
                break;
            case 2:
            case 3:
                words.push_back(ip | offset | burst << 5 | (2 + below(2)));
                for (std::uint32_t i = 0; i < burst; ++i) words.push_back(any());
                break;
            case 4:  // mostly of a register that was never written
                words.insert(words.end(), {ip | (512 + below(8)) << 16 | high << 10 | low << 5 | 4,
                                           100, below(60) == 0 ? any() : 0});
                break;
            case 5:
                words.push_back((any() & ~31u) | 0x1D);
                break;
            case 6:
                words.push_back(below(4) == 0 ? 0x0C : 0x5D);
                break;
            default:
                words.push_back(any());
        }
    }
    words.resize(2 + std::size_t{length});
    words[1] = length;
    if (below(100) == 0) words[0] = any();
    return words;
}

EpochFaultReason reason_of(ReferenceEnd::Kind kind) {
    using Kind = ReferenceEnd::Kind;
    switch (kind) {
        case Kind::Magic:
            return EpochFaultReason::Magic;
        case Kind::Opcode:
            return EpochFaultReason::UnknownOpcode;
        case Kind::Truncated:
            return EpochFaultReason::Truncated;
        case Kind::BitRange:
            return EpochFaultReason::BitRange;
        case Kind::PageEnd:
            return EpochFaultReason::PageEnd;
        default:
            return EpochFaultReason::Register;
    }
}

TEST_CASE("epoch controller: random blobs do what the reference does") {
    std::mt19937 random(20261);
    std::map<ReferenceEnd::Kind, int> ends;
    std::size_t words = 0;
    for (int round = 0; round < 4000; ++round) {
        CAPTURE(round);
        const Words blob = random_blob(random);
        words += blob.size();
        ReferenceProgram reference(blob);
        const ReferenceEnd end = reference.run();
        ++ends[end.kind];
        EpochRun run;
        run.bench.latency = (random() % 100) * kCycle;
        run.bench.store(kBlobAt, blob);
        run.begin();
        run.finish(2 * blob.size() + 100);
        REQUIRE(writes_of(run) == reference.writes);
        REQUIRE(run.controller.label() == reference.label);
        REQUIRE(run.irqs.size() == reference.irqs);
        REQUIRE(run.controller.due() == kNever);
        const bool waiting = end.kind == ReferenceEnd::Kind::Waiting;
        const bool finished = end.kind == ReferenceEnd::Kind::Finished;
        REQUIRE(run.controller.running() == waiting);
        REQUIRE((run.controller.polling() != nullptr) == waiting);
        if (waiting || finished) {
            REQUIRE(run.faults.empty());
            REQUIRE(run.controller.executed() == reference.executed);
        } else {
            REQUIRE(run.faults.size() == 1);
            REQUIRE(run.faults[0].reason == reason_of(end.kind));
            REQUIRE(run.faults[0].offset == 4 * end.word);
            REQUIRE(run.faults[0].word == blob[end.word]);
        }
    }
    CHECK(words > 100'000);
    // Every way to end is among them.
    for (int kind = 0; kind <= static_cast<int>(ReferenceEnd::Kind::NoUnit); ++kind) {
        CAPTURE(kind);
        CHECK(ends[static_cast<ReferenceEnd::Kind>(kind)] >= 10);
    }
}

}  // namespace

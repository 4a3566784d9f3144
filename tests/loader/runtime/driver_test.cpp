// SPDX-License-Identifier: Apache-2.0
// What the runtime writes to the NPU, register by register. Order and values are those of
// npu-architecture.md, sections 6.1 to 6.5, and of the driver's order in npu-stream-engine.md.
#include "loader/runtime/npu_driver.h"

#include <doctest/doctest.h>

#include "loader/runtime/operation.h"
#include "loader/runtime/pad_walk.h"
#include "tests/loader/runtime/network.h"

using namespace n6vp;
using namespace n6vp::test;
using loader::CacheOp;
using loader::Generation;
using runtime::Pattern;
using runtime::Transfer;

namespace npu = runtime::npu;

namespace {

using Written = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr std::uint32_t kClear = 2, kClearConfiguration = 0x40000000, kAll = 0xFFFFFFFF;
/// Units in the window.
constexpr std::uint32_t kIntctrl = 0x1000, kBusif0 = 0x2000, kBusif1 = 0x3000, kSwitch = 0x4000,
                        kReader = 0x7000, kWriter = 0xC000, kController = 0x1E000;
/// BGATES of CLKCTRL.
constexpr std::uint32_t kGates = 0x10;

Pattern raster(std::uint32_t address, std::uint32_t height, std::uint32_t width,
               std::uint32_t depth) {
    Pattern pattern;
    pattern.address = address;
    pattern.linear = false;
    pattern.height = height;
    pattern.width = width;
    pattern.depth = depth;
    return pattern;
}

std::vector<std::uint8_t> ramp(std::size_t count) {
    std::vector<std::uint8_t> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint8_t>(i * 11 + i / 256);
    return values;
}

}  // namespace

TEST_CASE("the NPU is brought up and shut down in the documented order") {
    FakeMachine machine;
    machine.set_reg("CLKCTRL", 0, "CTRL", 1);
    npu::initialise();
    CHECK(machine.written == Written{{0x0, 1 | kClear},
                                     {0x0, 1},
                                     {0x8, kAll},
                                     {0xC, kAll},
                                     {kGates, 0},
                                     {kBusif0, 1},
                                     {kBusif1, 1},
                                     {kIntctrl, 1},
                                     {kIntctrl, kClear},
                                     {kIntctrl, kClearConfiguration},
                                     {kIntctrl + 0x14, 0x3FF},
                                     {kIntctrl + 0x24, kAll},
                                     {kIntctrl, 1}});
    machine.written.clear();
    npu::shut_down();
    CHECK(
        machine.written ==
        Written{
            {kIntctrl, 0}, {kBusif0, 0}, {kBusif1, 0}, {0x8, 0}, {0xC, 0}, {kGates, 0}, {0x0, 0}});
}

TEST_CASE("every kind of unit is asked for its version, but for its upper half") {
    for (const char* unit : {"STRENG", "CONVACC", "POOL", "ARITH", "ACTIV", "DECUN", "EPOCHCTRL",
                             "RECBUF", "CLKCTRL", "INTCTRL", "STRSWITCH", "BUSIF"}) {
        CAPTURE(unit);
        for (const std::uint32_t bit : {0u, 7u, 15u, 16u, 31u}) {
            FakeMachine machine;
            machine.set_reg(unit, 0, "VERSION", machine.reg(unit, 0, "VERSION") ^ 1u << bit);
            CHECK(machine.run(npu::initialise).has_value() == (bit < 16));
        }
    }
}

TEST_CASE("a blob starts with its gate open and ends with it closed") {
    FakeMachine machine;
    machine.set_reg("CLKCTRL", 0, "BGATES", 1);
    npu::start_blob(0x34100000);
    CHECK(machine.written == Written{{kGates, 1u << 25 | 1},
                                     {kController, 0},
                                     {kController + 8, 0x34100000},
                                     {kController, 1}});
    machine.written.clear();
    npu::end_blob();
    CHECK(machine.written ==
          Written{{kController, kClear}, {kController, kClearConfiguration}, {kGates, 1}});
}

TEST_CASE("the wait mask closes the AND path for all but the engines awaited") {
    FakeMachine machine;
    npu::set_wait_mask(0x21);
    npu::set_wait_mask(0);
    CHECK(machine.written == Written{{kIntctrl + 0x24, 0xFFFFFFDE}, {kIntctrl + 0x24, kAll}});
    machine.profile.async = false;
    npu::set_wait_mask(0x21);
    CHECK(machine.written.size() == 2);
}

TEST_CASE("the engines of a transfer are set up in the driver's order, the writer starts first") {
    for (const Generation generation : {Generation::Core30, Generation::Core4x}) {
        FakeMachine machine;
        machine.profile = loader::default_profile(generation);
        Transfer transfer;
        transfer.in = runtime::linear_pattern(0x34100000, 300, 3);
        transfer.in.limit = 0x34100140;
        transfer.out = raster(0x34200000, 3, 4, 5);
        transfer.out.element_bytes = 2;
        transfer.out.line_pitch = 0x12345;
        transfer.out.pixel_pitch = 0x23456;
        transfer.out.frames = 2;
        transfer.out.frames_in_loop = 7;
        transfer.out.frame_pitch = 0x111;
        transfer.out.loop_pitch = 0x222;
        npu::start_transfer(transfer, 2, 7);
        Written expected = {
            {kGates, 1u << 2},
            {kGates, 1u << 2 | 1u << 7},
            // Three lanes of eight bits, RAW, SINGLE.
            {kReader + 0x00, 0x08880104},
            {kReader + 0x08, 0x34100000},
            {kReader + 0x0C, 100},
            {kReader + 0x10, 0},
            {kReader + 0x18, 0},
            {kReader + 0x20, 0},
            {kReader + 0x1C, 0},
            {kReader + 0x30, 0x7},  // ADDRLIMIT, STOPPREFTC, FRAMELIMIT
            {kReader + 0x38, 0x3410013F},
            {kReader + 0x34, 1},
            {kReader + 0x24, 0x24},
            {kReader + 0x14, 0},
            {kReader + 0x48, 0},
            {kReader + 0x28, 0},
            {kReader + 0x44, 0},
            // Two lanes, DIR.
            {kWriter + 0x00, 0x00880008},
            {kWriter + 0x08, 0x34200000},
            {kWriter + 0x0C, 3 << 16 | 4},
            {kWriter + 0x10, 0x34560005},
            {kWriter + 0x18, 0x111},
            {kWriter + 0x20, 0x222},
            {kWriter + 0x1C, 7},
            {kWriter + 0x30, 0x00020004},
            {kWriter + 0x34, 2},
            {kWriter + 0x24, 0x24},
            {kWriter + 0x14, 0x2345},
            {kWriter + 0x48, 0x00010000},
            {kWriter + 0x28, 1u << 19},
            {kWriter + 0x44, 0},
        };
        if (generation == Generation::Core4x)
            expected.insert(expected.end(), {{kSwitch, kClear}, {kSwitch, kClearConfiguration}});
        expected.insert(expected.end(), {{kSwitch, 1},
                                         {kSwitch + 8 + 4 * 7, 2 << 1 | 1},
                                         {kWriter, 0x00880009},
                                         {kReader, 0x08880105}});
        CHECK(machine.written == expected);
        machine.written.clear();
        npu::end_transfer(2, 7);
        CHECK(machine.written == Written{{kSwitch + 8 + 4 * 7, 0},
                                         {kWriter, kClear},
                                         {kWriter, kClearConfiguration},
                                         {kGates, 1u << 2},
                                         {kReader, kClear},
                                         {kReader, kClearConfiguration},
                                         {kGates, 0}});
    }
}

TEST_CASE("one lane is eight bits") {
    FakeMachine machine;
    Transfer transfer;
    transfer.in = transfer.out = runtime::linear_pattern(0x34100000, 300, 1);
    npu::start_transfer(transfer, 0, 9);
    CHECK((machine.reg("STRENG", 0, "CTRL") & 0x7FFFFFFF) == 0x00080105);
    CHECK((machine.reg("STRENG", 9, "CTRL") & 0x7FFFFFFF) == 0x0008010D);
    CHECK(npu::engine_running(9));
    machine.set_reg("STRENG", 9, "CTRL", 0x7FFFFFFF);
    CHECK_FALSE(npu::engine_running(9));
}

TEST_CASE("status words are acknowledged by writing them back, sources are cleared") {
    FakeMachine machine;
    machine.set_reg("STRENG", 9, "IRQ", 0x18);
    machine.set_reg("EPOCHCTRL", 0, "IRQ", 0x21);
    machine.set_reg("EPOCHCTRL", 0, "LABEL", 5);
    machine.set_reg("BUSIF", 1, "ERR", 3);
    machine.set_reg("INTCTRL", 0, "INTREG", 0x10000200);
    CHECK(npu::engine_status(9) == 0x18);
    CHECK(npu::blob_status() == 0x21);
    CHECK(npu::blob_label() == 5);
    CHECK(npu::bus_status(1) == 3);
    CHECK(npu::bus_status(0) == 0);
    CHECK(npu::pending_sources() == 0x10000200);
    CHECK(machine.written.empty());
    CHECK(npu::acknowledge_engine(9) == 0x18);
    CHECK(npu::acknowledge_blob() == 0x21);
    npu::clear_sources(0x200);
    CHECK(machine.written ==
          Written{{0xE03C, 0x18}, {kController + 0xC, 0x21}, {kIntctrl + 0x10, 0x200}});
    CHECK(npu::pending_sources() == 0x10000000);
}

TEST_CASE("an interrupt names the first engine, interface or status that reports an error") {
    struct Case {
        std::uint32_t sources;
        runtime::Failure failure;
        std::uint32_t first, second;
    };
    using runtime::Failure;
    const Case cases[] = {
        {1u << 10, Failure::EngineError, 0, 0x100},
        {1u << 19, Failure::EngineError, 9, 0x109},
        {1u << 12 | 1u << 15, Failure::EngineError, 2, 0x102},
        {1u << 25, Failure::BusError, 0, 0x200},
        {1u << 26 | 1u << 25, Failure::BusError, 0, 0x200},
        {1u << 29, Failure::EpochControllerError, 0x300, 0x301},
        {1u << 30, Failure::EpochControllerError, 0x300, 0x301},
        {1u << 31, Failure::InterruptUnexpected, 1u << 31, 0},
        {1u << 20, Failure::InterruptUnexpected, 1u << 20, 0},
        {1u << 28 | 1u << 24, Failure::InterruptUnexpected, 1u << 28 | 1u << 24, 0},
        {1u << 0, Failure::InterruptUnexpected, 1u << 0, 0},  // of a blob, no engine is awaited
    };
    for (const Case& one : cases) {
        CAPTURE(one.sources);
        FakeMachine machine;
        BlockSpec blob;
        blob.flags = kBlobBlock;
        const Network network(machine, {blob});
        runtime::runtime_init();
        runtime::init_network(network.instance());
        static_cast<void>(runtime::run_epoch_block(network.instance()));
        for (std::uint32_t engine = 0; engine < 10; ++engine)
            machine.set_reg("STRENG", engine, "IRQ", 0x100 + engine);
        machine.set_reg("BUSIF", 0, "ERR", 0x200);
        machine.set_reg("BUSIF", 1, "ERR", 0x201);
        machine.set_reg("EPOCHCTRL", 0, "IRQ", 0x300);
        machine.set_reg("EPOCHCTRL", 0, "LABEL", 0x301);
        machine.set_reg("INTCTRL", 0, "INTREG", one.sources);
        const std::optional<Stop> stop = machine.run(runtime::interrupt);
        REQUIRE(stop.has_value());
        CHECK(stop->failure == one.failure);
        CHECK(stop->first == one.first);
        const bool names_item = one.failure == Failure::InterruptUnexpected;
        CHECK(stop->second == (names_item ? network.item(0) : one.second));
        runtime::de_init_network(network.instance());
    }
}

TEST_CASE("a block of engines is interrupted by them alone, and each awaited one is acknowledged") {
    FakeMachine machine;
    BlockSpec block;
    block.flags = kHwBlock;
    block.wait_mask = 1u << 0 | 1u << 9;
    const Network network(machine, {block});
    runtime::runtime_init();
    runtime::init_network(network.instance());
    CHECK(runtime::run_epoch_block(network.instance()) == runtime::Progress::Wfe);
    for (const std::uint32_t engine : {0u, 4u, 9u}) machine.set_reg("STRENG", engine, "IRQ", 8);
    machine.set_reg("INTCTRL", 0, "INTREG", 1u << 0 | 1u << 4);
    runtime::interrupt();
    CHECK(machine.reg("STRENG", 0, "IRQ") == 0);
    CHECK(machine.reg("STRENG", 4, "IRQ") == 8);
    CHECK(machine.reg("STRENG", 9, "IRQ") == 8);
    CHECK(machine.reg("INTCTRL", 0, "INTREG") == 0);
    CHECK(runtime::run_epoch_block(network.instance()) == runtime::Progress::Wfe);
    machine.set_reg("INTCTRL", 0, "INTREG", 1u << 9);
    runtime::interrupt();
    CHECK(machine.reg("STRENG", 9, "IRQ") == 0);
    CHECK(runtime::run_epoch_block(network.instance()) == runtime::Progress::Done);
    CHECK(machine.system.back() == "unlock");
}

TEST_CASE("what an engine's fields hold") {
    CHECK(raster(0, 0xFFFF, 0xFFFF, 0xFFFF).fits_engine());
    CHECK_FALSE(raster(0, 0x10000, 1, 1).fits_engine());
    CHECK_FALSE(raster(0, 1, 0x10000, 1).fits_engine());
    CHECK_FALSE(raster(0, 1, 1, 0x10000).fits_engine());
    CHECK(runtime::linear_pattern(0, 0x40000, 1).fits_engine());
    CHECK(raster(0, 2, 3, 5).frame_elements() == 30);
    CHECK(runtime::linear_pattern(0, 301, 3).frame_elements() == 100);
}

TEST_CASE("the core does a transfer in the order of the engines and cleans what both sides touch") {
    FakeMachine machine;
    const std::uint32_t from = machine.put(ramp(256)), to = machine.allocate(256);
    Transfer transfer;
    transfer.in = raster(from, 2, 3, 2);
    transfer.in.element_bytes = 2;
    transfer.in.pixel_pitch = 6;
    transfer.in.line_pitch = 20;
    transfer.in.frames = 3;
    transfer.in.frames_in_loop = 2;
    transfer.in.frame_pitch = 50;
    transfer.in.loop_pitch = 130;
    transfer.out = runtime::linear_pattern(to, 24, 2);
    transfer.out.frames = 3;
    transfer.out.frame_pitch = 30;
    runtime::operation::by_core(transfer);
    std::vector<std::uint8_t> expected(256);
    std::uint32_t element = 0;
    for (const std::uint32_t frame : {0u, 50u, 130u})
        for (std::uint32_t y = 0; y < 2; ++y)
            for (std::uint32_t x = 0; x < 3; ++x)
                for (std::uint32_t s = 0; s < 2; ++s, ++element)
                    for (std::uint32_t b = 0; b < 2; ++b)
                        expected[element / 12 * 30 + element % 12 * 2 + b] =
                            runtime::load<std::uint8_t>(from + frame + y * 20 + x * 6 + s * 2 + b);
    CHECK(machine.get<std::uint8_t>(to, 256) == expected);
    REQUIRE(machine.maintained.size() == 2);
    CHECK(machine.maintained[0].op == CacheOp::McuCleanInvalidate);
    CHECK(machine.maintained[0].start == from);
    // From the first byte to the last one: frame 2, line 1, pixel 2, two elements.
    CHECK(machine.maintained[0].bytes == 130 + 20 + 2 * 6 + 4);
    CHECK(machine.maintained[1].op == CacheOp::McuCleanInvalidate);
    CHECK(machine.maintained[1].start == to);
    CHECK(machine.maintained[1].bytes == 2 * 30 + 24);
}

TEST_CASE("frames that go back do not shorten what is cleaned") {
    FakeMachine machine;
    const std::uint32_t from = machine.put(ramp(64)), to = machine.allocate(64);
    Transfer transfer;
    transfer.in = runtime::linear_pattern(from, 4, 1);
    transfer.in.frames = 3;
    transfer.in.frames_in_loop = 2;
    transfer.in.frame_pitch = 40;
    transfer.in.loop_pitch = 8;
    transfer.out = runtime::linear_pattern(to, 12, 1);
    runtime::operation::by_core(transfer);
    CHECK(machine.maintained[0].bytes == 44);
    CHECK(machine.maintained[1].bytes == 12);
    CHECK(machine.get<std::uint8_t>(to + 4, 4) == machine.get<std::uint8_t>(from + 40, 4));
    CHECK(machine.get<std::uint8_t>(to + 8, 4) == machine.get<std::uint8_t>(from + 8, 4));
}

TEST_CASE("the loops of a pad become pixels, lines, frames and frames of frames") {
    // Records of runtime.md 7.8: start, inner bytes, loops, bytes, then step and count from inner
    // to outer.
    using Record = std::vector<std::uint32_t>;
    FakeMachine machine;
    const auto record = [&](std::uint32_t inner, std::uint32_t loops, std::uint32_t bytes) {
        Record words{5, inner, loops, bytes, 12, 3, 100, 4, 1000, 2, 5000, 6};
        // Nothing behind the loops in use counts.
        for (std::size_t i = 4 + 2 * std::size_t{loops}; i < words.size(); ++i) words[i] = 77;
        return machine.put(words);
    };
    const auto pattern = [&](std::uint32_t loops) {
        Transfer transfer;
        CHECK(runtime::pad_walk::loop_transfer(0x1000, 0x9000, 0x20000, record(12, loops, 24),
                                               record(12, 1, 36), transfer));
        CHECK(transfer.in.limit == 0x9000);
        CHECK(transfer.out.limit == 0);
        CHECK(transfer.out.address == 0x20005);
        CHECK(transfer.in.address == 0x1005);
        CHECK(transfer.in.element_bytes == 3);
        return transfer.in;
    };
    const Pattern linear = pattern(0);
    CHECK(linear.linear);
    CHECK(linear.elements == 8);
    for (const std::uint32_t loops : {1u, 2u, 3u, 4u}) {
        CAPTURE(loops);
        const Pattern one = pattern(loops);
        CHECK_FALSE(one.linear);
        CHECK(one.depth == 4);
        CHECK(one.width == 3);
        CHECK(one.pixel_pitch == 12);
        CHECK(one.height == (loops > 1 ? 4 : 1));
        CHECK(one.line_pitch == (loops > 1 ? 100 : 0));
        CHECK(one.frames == (loops > 3 ? 12 : loops > 2 ? 2 : 1));
        CHECK(one.frame_pitch == (loops > 2 ? 1000 : 0));
        CHECK(one.frames_in_loop == (loops > 3 ? 2 : 0));
        CHECK(one.loop_pitch == (loops > 3 ? 5000 : 0));
    }
    // The widest element that divides the inner run of both sides; of a linear one, all of it.
    const struct {
        std::uint32_t reading, writing, element;
    } widths[] = {{12, 6, 3}, {8, 4, 2}, {7, 5, 1}, {9, 8, 1}, {8, 9, 1}, {8, 7, 1}};
    for (const auto& row : widths) {
        CAPTURE(row.reading);
        Transfer transfer;
        CHECK(runtime::pad_walk::loop_transfer(0x1000, 0, 0x20000, record(row.reading, 1, 1),
                                               record(row.writing, 1, 1), transfer));
        CHECK(transfer.in.element_bytes == row.element);
        CHECK(transfer.out.element_bytes == row.element);
        CHECK(runtime::pad_walk::loop_transfer(0x1000, 0, 0x20000, record(1, 0, row.reading),
                                               record(row.writing, 1, 1), transfer));
        CHECK(transfer.in.element_bytes == row.element);
    }
    // Two linear sides are a linear copy, whose first bytes the core moves.
    const std::uint32_t from = machine.put(ramp(128)), to = machine.allocate(128);
    Transfer transfer;
    CHECK(runtime::pad_walk::loop_transfer(from, from + 120, to, record(0, 0, 100),
                                           record(0, 0, 100), transfer));
    CHECK(machine.get<std::uint8_t>(to + 5, 1) == machine.get<std::uint8_t>(from + 5, 1));
    CHECK(machine.get<std::uint8_t>(to + 6, 1) == std::vector<std::uint8_t>{0});
    CHECK(transfer.in.address == from + 6);
    CHECK(transfer.in.limit == from + 120);
    CHECK(transfer.out.address == to + 6);
    CHECK(transfer.out.elements == 33);
}

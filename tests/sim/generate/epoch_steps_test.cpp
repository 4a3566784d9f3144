// SPDX-License-Identifier: Apache-2.0
// An epoch of three units as accesses of the core and as a program of the epoch controller. Pages,
// offsets and reset values are those of tests/loader/data/npu_registers.csv.
#include "sim/generate/lower/epoch_steps.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "sim/generate/lower/memory_plan.h"
#include "sim/generate/lower/streams.h"

using namespace n6vp::sim::generate;
namespace npu = n6vp::memmap::npu;

namespace {

npu::Unit engine(std::uint32_t index) {
    return {&npu::kStreng, index};
}

/// From engine 1 (page 6) through ARITH 1 (page 24) to engine 2 (page 7).
NpuEpoch three_units() {
    NpuEpoch epoch;
    UnitSettings out(engine(2));
    out.set("CTRL.DIR", 1).set_address("ADDR", {user_base(0), 0x40});
    out.set("EVENT.EN_ILLCFG", 1).set("LIMITEN.ADDRLIMIT", 1).set_word("LIMIT", 4);
    const npu::Unit arith{&npu::kArith, 1};
    UnitSettings scale(arith);
    scale.set("COEFFB.B", 5);
    UnitSettings in(engine(1));
    in.set_address("ADDR", {Base::Weights, 0x10}).set_word("FSIZE", 7);
    in.set("EVENT.EN_ILLCFG", 1).set("STOPTAG.TAG", 1).set("LIMITEN.FRAMELIMIT", 1);
    epoch.units = {out, scale, in};
    epoch.link(engine(1), arith);
    epoch.link(arith, engine(2));
    return epoch;
}

using Access = std::tuple<StepKind, std::uint32_t, std::uint32_t, Base>;
std::vector<Access> accesses(const std::vector<Step>& steps) {
    std::vector<Access> list;
    list.reserve(steps.size());
    for (const Step& step : steps) list.emplace_back(step.kind, step.offset, step.value, step.base);
    return list;
}

Access write(std::uint32_t offset, std::uint32_t value, Base base = Base::Absolute) {
    return {StepKind::Write, offset, value, base};
}
Access wait_zero(std::uint32_t offset, std::uint32_t bits) {
    return {StepKind::WaitZero, offset, bits, Base::Absolute};
}

std::uint32_t word_of(const UnitSettings& unit, std::uint32_t offset) {
    const auto found = unit.words().find(offset);
    return found == unit.words().end() ? 0 : found->second.value;
}

}  // namespace

TEST_CASE("epoch steps: what the core writes before an epoch, and after it") {
    const CoreSteps steps = core_steps(three_units());
    constexpr std::uint32_t kClear = 2, kConfigurationClear = 0x40000000;
    const Access gate_2{StepKind::SetBits, 0x10, 1U << 2, Base::Absolute};
    const Access gate_19{StepKind::SetBits, 0x10, 1U << 19, Base::Absolute};
    const Access gate_1{StepKind::SetBits, 0x10, 1U << 1, Base::Absolute};
    CHECK(accesses(steps.start) ==
          std::vector<Access>{
              gate_2, write(0x7000, 8), write(0x7008, 0x40, user_base(0)),
              // An engine that writes signals the end of its frames; the frame limit first.
              write(0x7028, 0x180000), write(0x7030, 2), write(0x7030, 3), write(0x7034, 4),
              gate_19, write(0x18000, 0x08000000), write(0x18020, 5), gate_1, write(0x6000, 0),
              write(0x6008, 0x10, Base::Weights), write(0x600C, 7), write(0x6028, 0x100000),
              write(0x602C, 0x10000), write(0x6030, 6), write(0x6030, 6),
              // The switch: sources 19 and 1 to destinations 2 and 30.
              write(0x4000, kClear), wait_zero(0x4000, kClear), write(0x4000, kConfigurationClear),
              wait_zero(0x4000, kConfigurationClear), write(0x4000, 1), write(0x4010, 0x27),
              write(0x4080, 3), write(0x7000, 9), write(0x18000, 0x08000001), write(0x6000, 1)});
    std::vector<Access> end = {write(0x4010, 0), write(0x4080, 0)};
    struct Unit {
        std::uint32_t page, control, gate;
    };
    for (const Unit& unit :
         std::vector<Unit>{{0x7000, 0, 2}, {0x18000, 0x08000000, 19}, {0x6000, 0, 1}}) {
        end.push_back(write(unit.page, unit.control | kClear));
        end.push_back(wait_zero(unit.page, kClear));
        end.push_back(write(unit.page, unit.control | kConfigurationClear));
        end.push_back(wait_zero(unit.page, kConfigurationClear));
        end.emplace_back(StepKind::ClearBits, 0x10, 1U << unit.gate, Base::Absolute);
    }
    CHECK(accesses(steps.end) == end);
}

TEST_CASE("epoch steps: the same as a program of the epoch controller") {
    const NpuEpoch epoch = three_units();
    const NumberedEpoch numbered{5, &epoch};
    const auto cleared = [](const std::string& page, const std::string& clear,
                            const std::string& configuration, const std::string& gate) {
        return "write " + page + " 0 0x" + clear + "\npoll " + page + " 0 [1] 0 100\nwrite " +
               page + " 0 0x" + configuration + "\npoll " + page +
               " 0 [30] 0 100\nwritefield 0 4 [" + gate + "] 0\n";
    };
    CHECK(controller_program({&numbered, 1}) ==
          "label 5\n"
          "writefield 0 4 [2] 1\nwrite 7 0 0x00000008\nwrite 7 2 _user_0(64)\n"
          "write 7 10 0x00100000\nburstwrite 7 12 0x00000002 0x00000003\nwrite 7 13 0x00000004\n"
          "writefield 0 4 [19] 1\nburstwrite 24 0 0x08000000 0x08000000\nwrite 24 8 0x00000005\n"
          "writefield 0 4 [1] 1\nwrite 6 0 0x00000000\n"
          "burstwriteinc 6 2 _weights(16) 0x00000007\n"
          "burstwriteinc 6 10 0x00100000 0x00010000\nburstwrite 6 12 0x00000006 0x00000006\n"
          "write 4 0 0x00000002\npoll 4 0 [1] 0 100\nwrite 4 0 0x40000000\npoll 4 0 [30] 0 100\n"
          "write 4 0 1\nwrite 4 4 0x00000027\nwrite 4 32 0x00000003\n"
          "writefield 7 0 [0] 1\nwritefield 24 0 [0] 1\nwritefield 6 0 [0] 1\n"
          "poll 7 0 [31] 0 100\n"
          "write 4 4 0\nwrite 4 32 0\n" +
              cleared("7", "00000002", "40000000", "2") +
              cleared("24", "08000002", "48000000", "19") +
              cleared("6", "00000002", "40000000", "1") + "irq 0\n");
    // A convolution unit is enabled by its whole register.
    NpuEpoch convolution;
    UnitSettings unit({&npu::kConvacc, 2});
    unit.set("CTRL.DEEPMODE", 1);
    convolution.units = {unit};
    const NumberedEpoch one{1, &convolution};
    const std::string text = controller_program({&one, 1});
    CHECK(text.find("writefield 17 0 [0] 1") == std::string::npos);
    // DEEPMODE is bit 28.
    CHECK(text.find("\nwrite 17 0 0x10000000\n") != std::string::npos);
    CHECK(text.find("\nwrite 17 0 0x10000001\n") != std::string::npos);
}

TEST_CASE("epoch steps: symbols of bases") {
    CHECK(base_symbol(Base::Absolute) == "");
    CHECK(base_symbol(Base::Weights) == "_weights");
    CHECK(base_symbol(Base::External) == "_external");
    CHECK(base_symbol(user_base(12)) == "_user_12");
    CHECK(base_of_symbol("_weights") == Base::Weights);
    CHECK(base_of_symbol("_external") == Base::External);
    CHECK(base_of_symbol("_user_0") == user_base(0));
    CHECK(base_of_symbol("_user_199") == user_base(199));
    CHECK(base_of_symbol("_user_200") == Base::Absolute);
    CHECK(base_of_symbol("other") == Base::Absolute);
}

TEST_CASE("epoch settings: links, masks and the order of engines") {
    NpuEpoch epoch = three_units();
    CHECK(epoch.output_mask() == 1U << 2);
    // Two frames go nowhere, the third from the same source.
    epoch.link(engine(3), engine(4), 0, 2);
    CHECK(epoch.links.at(4) == (3U << 1 | 2U << 8 | 1U << 16 | 3U << 17 | 1U << 24));
    epoch.link(engine(3), {&npu::kConvacc, 1}, 1);
    CHECK(epoch.links.at(10 + 3 + 1) == (1U | 3U << 1));
    CHECK_THROWS_AS(epoch.link(engine(3), {&npu::kConvacc, 1}, 3), std::logic_error);
    EnginePool pool;
    for (const std::uint32_t index : {0U, 5U, 1U, 6U, 2U, 7U, 3U, 8U, 4U, 9U}) {
        const npu::Unit next = pool.next();
        CHECK(next.type == &npu::kStreng);
        CHECK(next.index == index);
    }
    CHECK_THROWS_AS(static_cast<void>(pool.next()), std::logic_error);
}

TEST_CASE("epoch settings: the largest and smallest numbers of fields") {
    UnitSettings unit(engine(0));
    CHECK(word_of(unit.set("CTRL.SIZE0", 15), 0) == 0xF0000);
    CHECK(word_of(unit.set("CTRL.SIZE0", -8), 0) == 0x80000);
    CHECK_THROWS_AS(unit.set("CTRL.SIZE0", 16), std::logic_error);
    CHECK_THROWS_AS(unit.set("CTRL.SIZE0", -9), std::logic_error);
    CHECK_THROWS_AS(unit.set("CTRL", 1), std::logic_error);
    UnitSettings arith({&npu::kArith, 0});
    arith.set_coefficient(383, -2, 0x12345678);
    CHECK(word_of(arith, 0x400 + 383 * 8) == 0x1234FFFE);
    CHECK(word_of(arith, 0x404 + 383 * 8) == 0x5678);
    CHECK_THROWS_AS(arith.set_coefficient(384, 0, 0), std::logic_error);
    arith.set_coefficient(0, 65535, -1);
    CHECK(word_of(arith, 0x400) == 0xFFFFFFFF);
    CHECK(word_of(arith, 0x404) == 0xFFFF);
    CHECK_THROWS_AS(arith.set_coefficient(1, 65536, 0), std::logic_error);
    CHECK_THROWS_AS(arith.set_coefficient(1, -32769, 0), std::logic_error);
    CHECK(arith.set_coefficient(1, -32768, 0).words().at(0x408).value == 0x8000);
}

TEST_CASE("epoch settings: engines of rows, rasters and weights") {
    const Address at{Base::Absolute, 0x34200003};
    const Extent extent{at, {Base::Absolute, 0x34200000}, 13};
    const UnitSettings row =
        row_engine(engine(0), Direction::Input, extent, {3, 1, false}, {2, 30, 5, 70});
    CHECK(word_of(row, 0x00) == (8U << 16 | 1U << 8));  // eight bits, RAW
    CHECK(word_of(row, 0x08) == 0x34200003);
    CHECK(word_of(row, 0x0C) == 3);
    CHECK(word_of(row, 0x18) == 30);
    CHECK(word_of(row, 0x1C) == 5);
    CHECK(word_of(row, 0x20) == 70);
    CHECK(word_of(row, 0x24) == 0x24);
    CHECK(word_of(row, 0x28) == 1U << 20);
    CHECK(word_of(row, 0x30) == 7);
    CHECK(word_of(row, 0x34) == 2);
    // The end at a multiple of 8, and 64 bytes that may be read ahead.
    CHECK(word_of(row, 0x38) == 0x34200000 + 16 + 64 - 1);
    CHECK(row.words().count(0x48) == 0);
    const UnitSettings words =
        row_engine(engine(0), Direction::Output, {at, at, 16}, {3, 2, false}, {});
    // 16 bits, SINGLE, DIR.
    CHECK(word_of(words, 0) == (0x88U << 16 | 1U << 8 | 1U << 3 | 1U << 2));
    Raster raster;
    raster.width = 0x12;
    raster.height = 0x34;
    raster.size = 5;
    raster.pitch = 0x12345;
    raster.line_pitch = 0x23456;
    raster.element_bytes = 3;
    raster.packed = true;
    const Address outside{Base::External, 0x100};
    const UnitSettings unit = raster_engine(engine(3), Direction::Input,
                                            {outside, {Base::External, 0x80}, 0x200}, raster, {});
    // 24 bits, packed into words.
    CHECK(word_of(unit, 0x00) == (0x888U << 16 | 1U << 9 | 1U << 2));
    CHECK(word_of(unit, 0x0C) == 0x00340012);
    CHECK(word_of(unit, 0x10) == 0x23450005);
    CHECK(word_of(unit, 0x14) == 0x3456);
    CHECK(word_of(unit, 0x30) == (1U << 16 | 7));
    CHECK(word_of(unit, 0x38) == 0x80 + 0x200 + 63);
    CHECK(unit.words().at(0x38).base == Base::External);
    const UnitSettings kept = weight_engine(engine(1), {Base::Weights, 0x30}, 12, 3);
    CHECK(word_of(kept, 0x00) == (0x888U << 16 | 1U << 8 | 1U << 7 | 1U << 2));
    CHECK(word_of(kept, 0x0C) == 4);
    CHECK(word_of(kept, 0x38) == 0x40 + 63);
    CHECK(kept.words().at(0x08).base == Base::Weights);
    // Weights pass through the cache; activations in external RAM stay in it.
    CHECK(word_of(kept, 0x48) == 0x08);
    CHECK(word_of(unit, 0x48) == (2U << 16 | 0x18));
    CHECK(weight_engine(engine(1), {Base::Absolute, 0x34350000}, 12, 1).words().count(0x48) == 0);
}

TEST_CASE("memory: each buffer is as low as those of its time allow, the largest first") {
    const PlacedPool pool{"a", 0x1000, 448};
    const Buffer buffers[] = {{192, 0, 0}, {128, 1, 2}, {128, 0, 1}, {128, 2, 2}, {70, 1, 1}};
    const auto plan = plan_memory(buffers, {&pool, 1});
    REQUIRE(plan.has_value());
    const std::uint32_t expected[] = {0x1000, 0x1000, 0x10C0, 0x1080, 0x1140};
    for (std::size_t i = 0; i < 5; ++i) {
        CAPTURE(i);
        CHECK(plan->places[i].address == expected[i]);
        CHECK(plan->places[i].pool == 0);
    }
    CHECK(plan->used == std::vector<std::uint32_t>{448});
    // A gap of 64 bytes between two takes what is not larger.
    const Buffer small[] = {{192, 0, 0}, {128, 1, 2}, {128, 0, 1}, {128, 2, 2}, {64, 1, 1}};
    const PlacedPool tight{"b", 0, 320};
    const auto between = plan_memory(small, {&tight, 1});
    REQUIRE(between.has_value());
    CHECK(between->places[4].address == 128);
    CHECK(between->used == std::vector<std::uint32_t>{320});
}

TEST_CASE("memory: the buffer without room, and the largest free piece of each pool") {
    const Buffer buffers[] = {{192, 0, 0}, {128, 1, 2}, {128, 0, 1}, {128, 2, 2}, {70, 1, 1}};
    const auto missing = [&](const std::vector<PlacedPool>& pools) {
        MissingRoom room;
        CHECK_FALSE(plan_memory(buffers, pools, &room).has_value());
        return room;
    };
    // 70 bytes take 128. The piece between two buffers, that behind them, and an empty pool.
    const MissingRoom gap = missing({{"a", 0x1000, 320}});
    CHECK(gap.buffer == 4);
    CHECK(gap.bytes == 128);
    CHECK(gap.free == std::vector<std::uint64_t>{64});
    CHECK(missing({{"a", 0x1000, 400}}).free == std::vector<std::uint64_t>{80});
    CHECK(missing({{"a", 0x1000, 447}}).free == std::vector<std::uint64_t>{127});
    CHECK(missing({{"a", 0x1000, 320}, {"b", 0, 100}}).free == std::vector<std::uint64_t>{64, 100});
    const PlacedPool two[] = {{"a", 0x1000, 320}, {"b", 0x8000, 128}};
    const auto plan = plan_memory(buffers, two);
    REQUIRE(plan.has_value());
    CHECK(plan->places[4].pool == 1);
    CHECK(plan->places[4].address == 0x8000);
    CHECK(plan->used == std::vector<std::uint32_t>{320, 128});
    // Another alignment.
    const Buffer odd[] = {{17, 0, 0}, {16, 0, 0}};
    const PlacedPool exact{"c", 0, 48};
    CHECK(plan_memory(odd, {&exact, 1}, nullptr, 16).has_value());
    CHECK_FALSE(plan_memory(odd, {&exact, 1}, nullptr, 32).has_value());
    CHECK(pool_title("") == "(no name)");
    CHECK(pool_title("a\x1b") == "a\\x1b");
}

// SPDX-License-Identifier: Apache-2.0
// What the instructions of a stream add up to, and the words for each. Names, positions and reset
// values are those of tests/loader/data/npu_registers.csv.
#include "sim/ecdump/ec_epochs.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/ecdump/ec_report.h"
#include "tests/loader/epoch_controller/ec_assembler.h"

namespace {

using namespace n6vp;
using test::EcAssembler;
using test::Words;

/// Units by page.
constexpr std::uint32_t kClocks = 0, kSwitch = 4, kEngine0 = 5, kEngine1 = 6, kEngine9 = 14,
                        kConvacc0 = 15, kRecbuf = 29, kEpochController = 30, kTrace = 31;
constexpr std::uint32_t kCtrl = 0, kAddr = 8, kSize = 0x0C, kPos = 0x24, kLimit = 0x38;
constexpr std::uint32_t kClearConfiguration = 1u << 30;

std::vector<sim::EcEpoch> epochs_of(const EcAssembler& code) {
    std::optional<sim::EcFault> fault;
    const auto instructions = sim::decode_stream(code.words(), fault);
    CHECK_FALSE(fault.has_value());
    return sim::find_epochs(instructions);
}

std::string meaning(const EcAssembler& code, const sim::EcSource& source = {},
                    sim::EcRelocations relocations = {}) {
    std::optional<sim::EcFault> fault;
    const auto instructions = sim::decode_stream(code.words(), fault);
    REQUIRE(instructions.size() == 1);
    sim::EcBlob blob;
    blob.relocations = std::move(relocations);
    return sim::meaning_text(source, blob, instructions[0]);
}

/// A write of some bits, the form that EcAssembler does not have.
EcAssembler part(std::uint32_t ip, std::uint32_t offset, std::uint32_t msb, std::uint32_t lsb,
                 std::uint32_t value) {
    EcAssembler code;
    code.raw({ip << 26 | offset / 4 << 16 | msb << 10 | lsb << 5, value});
    return code;
}

EcAssembler wide_field(std::uint32_t ip, std::uint32_t offset, std::uint32_t lsb,
                       std::uint32_t width, std::uint32_t value) {
    EcAssembler code;
    code.raw({ip << 26 | offset / 4 << 21 | value << 13 | (width - 1) << 10 | lsb << 5 | 1});
    return code;
}

std::vector<std::uint32_t> pages_of(const sim::EcRun& run) {
    std::vector<std::uint32_t> pages;
    for (const sim::EcUnit& unit : run.units) pages.push_back(unit.unit.page());
    return pages;
}

using Pages = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("every instruction is said by the names of unit, register and fields") {
    const auto code = [] { return EcAssembler(); };
    const std::pair<EcAssembler, std::string> rows[] = {
        {code().label(7), "epoch 7"},
        {code().irq(), "end"},
        {code().write(kEngine0, kCtrl, 0x15), "STRENG0.CTRL EN=1 SINGLE=1 NOINC=1"},
        {code().write(kEngine0, kCtrl, 0), "STRENG0.CTRL"},
        {code().write(kEngine9, kSize, 0x00030002), "STRENG9.FSIZE WIDTH=2 HEIGHT=3"},
        {code().write(kTrace, 0xFFC, 1), "DEBUG_TRACE offset 0xffc"},
        {code().write(32, 0x10, 1), "unit 32 offset 0x10"},
        {code().write(kSwitch, 8 + 4 * 40, 0x25), "STRSWITCH.DST[40] ARITH0 -> RECBUF.in2"},
        {code().write(kSwitch, 8, 0), "STRSWITCH.DST[0] off"},
        {code().write(kSwitch, kCtrl, 1), "STRSWITCH.CTRL EN=1"},
        // Parts: every field that lies in the bits as a whole, or the number.
        {part(kEngine1, kCtrl, 19, 16, 8), "STRENG1.CTRL SIZE0=8"},
        {part(kEngine1, kCtrl, 20, 16, 0x18), "STRENG1.CTRL SIZE0=8"},
        {part(kEngine1, kCtrl, 23, 16, 0x48), "STRENG1.CTRL SIZE0=8 SIZE1=4"},
        {part(kEngine1, kCtrl, 19, 15, 1), "STRENG1.CTRL SIGNEXT=1 SIZE0=0"},
        {part(kEngine1, kCtrl, 17, 16, 2), "STRENG1.CTRL 0x2"},
        {part(kEngine1, kCtrl, 19, 17, 2), "STRENG1.CTRL 0x2"},
        {part(kEngine1, kCtrl, 16, 19, 3), "STRENG1.CTRL 0x3"},
        {part(32, kCtrl, 1, 0, 3), "unit 32 offset 0x0 0x3"},
        {code().field(kClocks, 0x10, 18, 1), "CLKCTRL.BGATES ARITH_0=1"},
        {code().field(kClocks, 0x10, 18, 0), "CLKCTRL.BGATES ARITH_0=0"},
        {wide_field(kEngine0, kCtrl, 16, 4, 5), "STRENG0.CTRL SIZE0=5"},
        {wide_field(kEngine0, kCtrl, 16, 3, 5), "STRENG0.CTRL 0x5"},
        {code().poll(kSwitch, kCtrl, 1), "wait until STRSWITCH.CTRL CLR=0"},
        {code().poll(kEngine0, kCtrl, 31, 1), "wait until STRENG0.CTRL RUNNING=1"},
    };
    for (const auto& [instruction, text] : rows) CHECK(meaning(instruction) == text);
}

TEST_CASE("a burst names each of a few registers, and counts coefficients") {
    const auto code = [] { return EcAssembler(); };
    CHECK(meaning(code().burst(kSwitch, 8, {0x25, 0})) ==
          "STRSWITCH.DST[0] ARITH0 -> STRENG0; STRSWITCH.DST[0] off");
    CHECK(meaning(code().burst_inc(kSwitch, 8, {0x25, 0})) ==
          "STRSWITCH.DST[0] ARITH0 -> STRENG0; STRSWITCH.DST[1] off");
    CHECK(meaning(code().burst_inc(kSwitch, 8, {0x25, 0, 0})) == "STRSWITCH.DST[0], 3 words");
    CHECK(meaning(code().burst_inc(kSwitch, 8, {0x25})) == "STRSWITCH.DST[0] ARITH0 -> STRENG0");
    CHECK(meaning(code().burst_inc(kEngine0, kSize, {1, 2, 3})) ==
          "STRENG0.FSIZE WIDTH=1; STRENG0.DEPTH SIZE=2; STRENG0.STRD LOFF=3");
    CHECK(meaning(code().burst(40, 0, {1, 2, 3})) ==
          "unit 40 offset 0x0; unit 40 offset 0x0; unit 40 offset 0x0");
    std::string sixteen;
    for (int k = 0; k < 16; ++k) sixteen += k == 0 ? "STRENG0.FSIZE" : "; STRENG0.FSIZE";
    CHECK(meaning(code().burst(kEngine0, kSize, Words(16))) == sixteen);
    CHECK(meaning(code().burst(kEngine0, kSize, Words(17))) == "STRENG0.FSIZE, 17 words");
}

TEST_CASE("addresses of engines are said by symbol, memory and pool") {
    sim::EcSource source;
    source.pools = {{"npuRAM5", {GuestAddr{0x342E0000}, 0x100}},
                    {"stack", {GuestAddr{0x30000000}, 0x10}}};
    const auto address = [&](std::uint32_t offset, std::uint32_t value,
                             sim::EcRelocations relocations = {}) {
        EcAssembler code;
        code.write(kEngine0, offset, value);
        return meaning(code, source, std::move(relocations));
    };
    CHECK(address(kAddr, 0x342E0010) == "STRENG0.ADDR AXISRAM5+0x10, pool npuRAM5+0x10");
    CHECK(address(kAddr, 0x342E00FF) == "STRENG0.ADDR AXISRAM5+0xff, pool npuRAM5+0xff");
    CHECK(address(kAddr, 0x342E0100) == "STRENG0.ADDR AXISRAM5+0x100");
    CHECK(address(kLimit, 0x342E0000) == "STRENG0.LIMITADDR AXISRAM5+0x0, pool npuRAM5+0x0");
    CHECK(address(kLimit, 0x100) == "STRENG0.LIMITADDR no memory of the NPU");
    // The word is the second of the stream.
    CHECK(address(kAddr, 0x40, {{1, "xSPI1"}}) == "STRENG0.ADDR xSPI1+0x40");
    CHECK(address(kAddr, 0x40, {{0, "xSPI1"}}) == "STRENG0.ADDR no memory of the NPU");
    CHECK(sim::place_text(source, 0x3000000F) == "pool stack+0xf");
    CHECK(sim::place_text(source, 0x30000010).empty());
}

TEST_CASE("a link says source, destination and what each context passes") {
    // 27 sources and 41 destinations, in the order of the units: npu_registers.csv, notes of DST.
    const std::pair<std::uint32_t, const char*> sources[] = {
        {0, "STRENG0"}, {9, "STRENG9"}, {10, "CONVACC0"},    {13, "CONVACC3"},    {14, "DECUN0"},
        {15, "DECUN1"}, {16, "ACTIV0"}, {17, "ACTIV1"},      {18, "ARITH0"},      {21, "ARITH3"},
        {22, "POOL0"},  {23, "POOL1"},  {24, "RECBUF.out0"}, {26, "RECBUF.out2"}, {27, "?"}};
    for (const auto& [number, name] : sources)
        CHECK(sim::link_text({1, number << 1 | 1}) == std::string(name) + " -> STRENG1");
    const std::pair<std::uint32_t, const char*> destinations[] = {
        {9, "STRENG9"},     {10, "CONVACC0.features"}, {21, "CONVACC3.accumulator"},
        {22, "DECUN0.in0"}, {25, "DECUN1.in1"},        {26, "ACTIV0"},
        {27, "ACTIV1"},     {28, "ARITH0.x"},          {35, "ARITH3.y"},
        {36, "POOL0"},      {38, "RECBUF.in0"},        {40, "RECBUF.in2"},
        {41, "?"}};
    for (const auto& [number, name] : destinations)
        CHECK(sim::link_text({number, 1}) == std::string("STRENG0 -> ") + name);
    constexpr std::uint32_t kPixels = 1u << 23;
    const std::pair<std::uint32_t, const char*> contexts[] = {
        {1 | 3 << 1 | 2 << 8 | kPixels, "STRENG3 (2 pixels) -> STRENG0"},
        {1 | 3 << 1 | 1 << 8 | kPixels, "STRENG3 (1 pixel) -> STRENG0"},
        {1 | 3 << 1 | 2 << 8, "STRENG3 (2 frames) -> STRENG0"},
        {3 << 1, "nothing of STRENG3 -> STRENG0"},
        {1 | 3 << 1 | 1 << 16 | 4 << 17, "STRENG3 then STRENG4 -> STRENG0"},
        {1 | 3 << 1 | 5 << 17 | 1 << 24, "STRENG3 then nothing of STRENG5 (1 frame) -> STRENG0"},
        {1 | 3 << 1 | 5 << 17, "STRENG3 -> STRENG0"},
    };
    for (const auto& [value, text] : contexts) CHECK(sim::link_text({0, value}) == text);
}

TEST_CASE("epochs go from label to label, and what stands before has none") {
    EcAssembler code;
    code.write(kClocks, 8, 1).label(4).irq();
    const auto epochs = epochs_of(code);
    REQUIRE(epochs.size() == 2);
    CHECK_FALSE(epochs[0].label.has_value());
    CHECK(epochs[0].first_word == 0);
    CHECK(epochs[0].end_word == 2);
    CHECK(epochs[0].instructions == 1);
    CHECK(epochs[1].label == 4u);
    CHECK(epochs[1].first_word == 2);
    CHECK(epochs[1].end_word == 4);
    CHECK(epochs[1].instructions == 2);
}

TEST_CASE("a run has the units enabled, their settings, links in use and the polls for their end") {
    EcAssembler code;
    code.label(1).write(kEngine0, kAddr, 0x1000).write(kEngine0, kCtrl, 1);
    code.write(kEngine1, kCtrl, 9);
    code.write(kSwitch, 8 + 4 * 1, 0x1).write(kSwitch, 8 + 4 * 2, 0x10000);
    code.write(kSwitch, 8 + 4 * 3, 0x6);  // a source, but neither context enabled
    code.write(kSwitch, 0, 1);            // CTRL is no destination
    code.poll(kEngine1, kCtrl, 31).poll(kEngine0, kCtrl, 31);
    code.poll(kSwitch, kCtrl, 1).poll(kEngine0, kCtrl, 31);
    code.field(kEngine1, kCtrl, 0, 0).write(kEngine0, kCtrl, kClearConfiguration);
    code.label(2).irq();
    const auto epochs = epochs_of(code);
    REQUIRE(epochs.size() == 2);
    REQUIRE(epochs[0].runs.size() == 1);
    CHECK(epochs[1].runs.empty());
    const sim::EcRun& run = epochs[0].runs[0];
    CHECK(pages_of(run) == Pages{kEngine0, kEngine1});
    CHECK(run.waited == Pages{kEngine1, kEngine0});
    REQUIRE(run.links.size() == 2);
    CHECK(run.links[0].destination == 1);
    CHECK(run.links[0].value == 0x1);
    CHECK(run.links[1].destination == 2);
    CHECK(run.links[1].value == 0x10000);
    const auto& settings = run.units[0].settings;
    REQUIRE(settings.size() == 2);
    CHECK(settings.at(kCtrl).value == 1);
    CHECK(settings.at(kCtrl).word == 4u);  // label, then two writes of two words
    CHECK(settings.at(kAddr).value == 0x1000);
    CHECK(settings.at(kAddr).word == 2u);
}

TEST_CASE("each wait for newly enabled units is a run of its own") {
    EcAssembler code;
    code.label(1).write(kEngine0, kCtrl, 1).poll(kEngine0, kCtrl, 31);
    code.write(kEngine1, kCtrl, 1).poll(kEngine1, kCtrl, 31).poll(kEngine0, kCtrl, 31);
    code.write(kEngine1, kCtrl, 1);  // enabled already
    code.label(2).irq();
    const auto epochs = epochs_of(code);
    REQUIRE(epochs.size() == 2);
    REQUIRE(epochs[0].runs.size() == 2);
    CHECK(pages_of(epochs[0].runs[0]) == Pages{kEngine0});
    CHECK(epochs[0].runs[0].waited == Pages{kEngine0});
    CHECK(pages_of(epochs[0].runs[1]) == Pages{kEngine0, kEngine1});
    CHECK(epochs[0].runs[1].waited == Pages{kEngine1, kEngine0});
    CHECK(epochs[1].runs.empty());
}

TEST_CASE("only what CTRL enables without clearing runs, and only units that move data") {
    const struct {
        std::uint32_t page, control;
        bool runs;
    } rows[] = {{kEngine0, 1, true},  {kEngine9, 1, true},          {kConvacc0, 1, true},
                {kRecbuf, 1, true},   {kEpochController, 1, false}, {kTrace, 1, false},
                {kSwitch, 1, false},  {kClocks, 1, false},          {kEngine0, 3, false},
                {kEngine0, 2, false}, {kEngine0, 8, false}};
    for (const auto& row : rows) {
        CAPTURE(row.page);
        CAPTURE(row.control);
        EcAssembler code;
        code.label(1).write(row.page, kCtrl, row.control).irq();
        const auto epochs = epochs_of(code);
        REQUIRE(epochs.size() == 1);
        CHECK(epochs[0].runs.size() == (row.runs ? 1 : 0));
        if (row.runs) CHECK(epochs[0].runs[0].waited.empty());
    }
    // A poll for another bit or of another unit is no wait for the end of an engine.
    for (const std::uint32_t ip : {kEngine9, kSwitch, kConvacc0}) {
        for (const std::uint32_t bit : {30u, 31u}) {
            EcAssembler code;
            code.label(1).write(kEngine0, kCtrl, 1).poll(ip, kCtrl, bit).irq();
            const auto epochs = epochs_of(code);
            REQUIRE(epochs[0].runs.size() == 1);
            CHECK(epochs[0].runs[0].waited.size() == (ip == kEngine9 && bit == 31 ? 1 : 0));
        }
    }
    EcAssembler elsewhere;
    elsewhere.label(1).write(kEngine0, kCtrl, 1).poll(kEngine0, kAddr, 31).irq();
    CHECK(epochs_of(elsewhere)[0].runs[0].waited.empty());
}

TEST_CASE("parts of a register change its reset value, a cleared configuration forgets") {
    const auto settings_of = [](const EcAssembler& before) {
        EcAssembler code = before;
        code.write(kEngine0, kCtrl, 1).irq();
        return epochs_of(code).at(0).runs.at(0).units.at(0).settings;
    };
    EcAssembler field;
    field.field(kEngine0, kPos, 8, 1);  // WSWAP; POS resets to 0x00080024
    CHECK(settings_of(field).at(kPos).value == 0x00080124);
    CHECK_FALSE(settings_of(field).at(kPos).word.has_value());
    EcAssembler parts = part(kEngine0, kPos, 15, 12, 0xF5);
    CHECK(settings_of(parts).at(kPos).value == 0x00085024);
    EcAssembler twice = field;
    twice.write(kEngine0, kPos, 7).field(kEngine0, kPos, 31, 1);
    CHECK(settings_of(twice).at(kPos).value == 0x80000007);
    CHECK_FALSE(settings_of(twice).at(kPos).word.has_value());
    const EcAssembler turned = part(kEngine0, kPos, 3, 4, 1);
    CHECK(settings_of(turned).count(kPos) == 0);
    EcAssembler nowhere;
    nowhere.write(kEngine0, 0xFFC, 1).write(40, 0, 1);
    CHECK(settings_of(nowhere).size() == 1);
    EcAssembler burst;
    burst.burst(kEngine0, kSize, {1, 2}).burst_inc(kEngine0, 0x10, {3, 4});
    const auto values = settings_of(burst);
    CHECK(values.at(kSize).value == 2);
    CHECK(values.at(kSize).word == 2u);
    CHECK(values.at(0x10).value == 3);
    CHECK(values.at(0x14).value == 4);
    CHECK(values.at(0x14).word == 5u);
    burst.write(kEngine0, kCtrl, kClearConfiguration);
    CHECK(settings_of(burst).size() == 1);
}

TEST_CASE("elements of an array that follow each other are shown together") {
    constexpr memmap::npu::Register kDestinations =
        memmap::npu::reg(memmap::npu::kStrswitch, "DST");
    sim::EcUnit unit{memmap::npu::unit_at(kSwitch), {}};
    CHECK(sim::written_elements(unit, kDestinations).empty());
    unit.settings[8] = {1, std::nullopt};
    unit.settings[0x0C] = {2, std::nullopt};
    unit.settings[0x14] = {3, std::nullopt};
    unit.settings[8 + 4 * 40] = {4, std::nullopt};
    unit.settings[8 + 4 * 41] = {5, std::nullopt};
    const auto arrays = sim::written_elements(unit, kDestinations);
    REQUIRE(arrays.size() == 3);
    CHECK(arrays[0].first == 0);
    CHECK(arrays[0].values == Words{1, 2});
    CHECK(arrays[1].first == 3);
    CHECK(arrays[1].values == Words{3});
    CHECK(arrays[2].first == 40);
    CHECK(arrays[2].values == Words{4});
}

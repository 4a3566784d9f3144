// SPDX-License-Identifier: Apache-2.0
// Stream engines and the switch as their registers configure them: every field, and documented
// epochs.
#include <doctest/doctest.h>

#include <vector>

#include "memmap/npu/streng.h"
#include "memmap/npu/strswitch.h"
#include "models/npu/stream/address.h"
#include "models/npu/stream/packing.h"
#include "models/npu/stream/stream_registers.h"
#include "tests/models/npu/register_words.h"

using namespace n6vp::models::npu;
using namespace n6vp::memmap::npu;
using n6vp::test::compare_fields;
using n6vp::test::Placed;
using n6vp::test::registers_with;

namespace {

/// The words that all engines of compiled epochs have beside their own.
StreamConfig engine(std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> words) {
    RegisterFile registers = registers_with(kStreng, words);
    registers.write(0x30, 7);
    registers.write(0x24, 0x24);
    registers.write(0x28, 0x00100000);
    registers.write(0x44, 0);
    return decode_stream(registers);
}

void check_plain(const StreamConfig& config) {
    const Verdict verdict = judge(config);
    CHECK(verdict.computable());
    CHECK(verdict.assumptions.empty());
}

}  // namespace

TEST_CASE("fields of stream engines and the switch lie where the register map puts them") {
    compare_fields<StreamConfig>(
        kStreng, decode_stream,
        std::vector<Placed<StreamConfig>>{
            {0, 2, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.single); }},
            {0, 3, 1, false, [](const StreamConfig& c) { return static_cast<long long>(c.dir); }},
            {0, 4, 1, false, [](const StreamConfig& c) { return static_cast<long long>(c.noinc); }},
            {0, 5, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.istart); }},
            {0, 6, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.subsample); }},
            {0, 7, 1, false, [](const StreamConfig& c) { return static_cast<long long>(c.cont); }},
            {0, 8, 1, false, [](const StreamConfig& c) { return static_cast<long long>(c.raw); }},
            {0, 9, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.raw_out); }},
            {0, 10, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.descr); }},
            {0, 11, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.noblk); }},
            {0, 12, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.round); }},
            {0, 13, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.beforce); }},
            {0, 14, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.lsbmode); }},
            {0, 15, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.signext); }},
            {0, 16, 4, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.size0); }},
            {0, 20, 4, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.size1); }},
            {0, 24, 4, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.size2); }},
            {0, 28, 2, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.serdes); }},
            {8, 0, 32, false, [](const StreamConfig& c) { return static_cast<long long>(c.addr); }},
            {0x0C, 0, 32, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.fsize); }},
            {0x0C, 0, 16, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.width()); }},
            {0x0C, 16, 16, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.height()); }},
            {0x10, 0, 16, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.depth_size); }},
            {0x10, 16, 16, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.depth_offset); }},
            {0x14, 0, 16, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.loff); }},
            {0x14, 16, 6, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.fgap); }},
            {0x14, 24, 6, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.bgap); }},
            {0x18, 0, 32, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.foffset); }},
            {0x1C, 0, 32, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.frame_rpt); }},
            {0x20, 0, 32, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.frptoff); }},
            {0x24, 0, 2, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.pos0); }},
            {0x24, 2, 2, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.pos1); }},
            {0x24, 4, 2, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.pos2); }},
            {0x24, 8, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.wswap); }},
            {0x24, 9, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.hswap); }},
            {0x24, 10, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.bswap); }},
            {0x24, 12, 4, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.throttle); }},
            {0x24, 16, 16, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.gapcycles); }},
            {0x28, 23, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.frmtrg_en); }},
            {0x28, 24, 5, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.frmtrg_src); }},
            {0x2C, 0, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.stoptag_en); }},
            {0x30, 0, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.addrlimit); }},
            {0x30, 1, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.stopprefetch); }},
            {0x30, 2, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.framelimit); }},
            {0x30, 3, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.autoclr); }},
            {0x30, 16, 16, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.doff_msb); }},
            {0x34, 0, 32, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.limit); }},
            {0x38, 0, 32, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.limitaddr); }},
            {0x44, 12, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.cipher_en); }},
            {0x48, 16, 16, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.loff_msb); }},
            {0x4C, 0, 1, false,
             [](const StreamConfig& c) { return static_cast<long long>(c.extsync_en); }},
        });
    compare_fields<SwitchConfig>(
        kStrswitch, [](const RegisterFile& registers) { return decode_switch(registers, 29); },
        std::vector<Placed<SwitchConfig>>{
            {8 + 4 * 29, 0, 1, false,
             [](const SwitchConfig& c) { return static_cast<long long>(c.en0); }},
            {8 + 4 * 29, 1, 6, false,
             [](const SwitchConfig& c) { return static_cast<long long>(c.link0); }},
            {8 + 4 * 29, 8, 8, false,
             [](const SwitchConfig& c) { return static_cast<long long>(c.fnr0); }},
            {8 + 4 * 29, 16, 1, false,
             [](const SwitchConfig& c) { return static_cast<long long>(c.en1); }},
            {8 + 4 * 29, 17, 6, false,
             [](const SwitchConfig& c) { return static_cast<long long>(c.link1); }},
            {8 + 4 * 29, 23, 1, false,
             [](const SwitchConfig& c) { return static_cast<long long>(c.ticktype); }},
            {8 + 4 * 29, 24, 8, false,
             [](const SwitchConfig& c) { return static_cast<long long>(c.fnr1); }},
        });
}

TEST_CASE("configurations of streams start with the reset values") {
    CHECK(decode_stream(RegisterFile(kStreng)) == StreamConfig{});
    CHECK(decode_switch(RegisterFile(kStrswitch), 40) == SwitchConfig{});
    CHECK_FALSE(decode_switch(RegisterFile(kStrswitch), 0).used());
}

TEST_CASE("documented words of engines") {
    SUBCASE("a whole tensor") {
        const StreamConfig config = engine({{0x00, 0x00080104},
                                            {0x08, 0x342E0000},
                                            {0x0C, 0x0001B000},
                                            {0x18, 0x0001B000},
                                            {0x34, 1},
                                            {0x38, 0x342FB03F}});
        check_plain(config);
        const Run run = frame_runs(config, 0).first;
        CHECK(run == Run{0x342E0000, 110592});
        CHECK_FALSE(limit_run(config, run).beyond);
        CHECK(limit_run(config, {0x342FB000, 65}).run == Run{0x342FB000, 64});
        CHECK(count_bursts(run).of == std::array<std::uint64_t, 4>{0, 0, 0, 1728});
        CHECK_FALSE(element_format(config).sign_extend);
    }
    SUBCASE("a frame eight times with sign") {
        const StreamConfig config = engine({{0x00, 0x0008C100},
                                            {0x08, 0x34328000},
                                            {0x0C, 0x0001B000},
                                            {0x18, 0x0001B000},
                                            {0x1C, 1},
                                            {0x34, 8},
                                            {0x38, 0x3434303F}});
        check_plain(config);
        CHECK(config.frames() == 8u);
        CHECK(frame_start(config, 7) == 0x34328000);
        CHECK(element_format(config).sign_extend);
    }
    SUBCASE("a store into slices of four channels") {
        const StreamConfig config = engine({{0x00, 0x00080008},
                                            {0x08, 0x342E0000},
                                            {0x0C, 0x00600060},
                                            {0x10, 0x00200004},
                                            {0x14, 0x00000C00},
                                            {0x18, 4},
                                            {0x1C, 8},
                                            {0x20, 294912},
                                            {0x34, 8},
                                            {0x38, 0x3432803F}});
        check_plain(config);
        CHECK(frame_runs(config, 3).at(1, 2) == Run{0x342E0000 + 3148, 4});
        const FrameRuns last = frame_runs(config, 7);
        CHECK_FALSE(limit_run(config, last.at(95, 95)).beyond);
    }
    SUBCASE("coefficients for every row") {
        const StreamConfig config = engine({{0x00, 0x00880100},
                                            {0x08, 0x70616A70},
                                            {0x0C, 288},
                                            {0x1C, 12},
                                            {0x20, 576},
                                            {0x34, 288},
                                            {0x38, 0x7061A0AF},
                                            {0x48, 0x18}});
        check_plain(config);
        CHECK(frame_start(config, 11) == 0x70616A70);
        CHECK(frame_runs(config, 287).first == Run{0x70616A70 + 23 * 576, 576});
    }
    SUBCASE("two channels a word") {
        const StreamConfig config = engine({{0x00, 0x00880200},
                                            {0x08, 0x34100000},
                                            {0x0C, 0x00F000F0},
                                            {0x10, 0x00100002},
                                            {0x14, 0x00000F00},
                                            {0x1C, 1},
                                            {0x20, 4},
                                            {0x34, 4},
                                            {0x38, 0x341E103F}});
        check_plain(config);
        CHECK(config.frame_elements() == 115200);
        CHECK(frame_runs(config, 3).at(239, 239) ==
              Run{0x34100000 + 12 + 3840 * 239 + 16 * 239, 4});
    }
    SUBCASE("kernels one after the other") {
        const StreamConfig config = engine({{0x00, 0x0008C184},
                                            {0x08, 0x7066B950},
                                            {0x0C, 864},
                                            {0x34, 1},
                                            {0x38, 0x7066BCEF},
                                            {0x48, 0x08}});
        check_plain(config);
        CHECK(frame_runs(config, 0).first == Run{0x7066B950, 864});
    }
}

TEST_CASE("an engine in reset is told to have nothing to do") {
    CHECK(judge(decode_stream(RegisterFile(kStreng))).illegal != nullptr);
}

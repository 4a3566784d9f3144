// SPDX-License-Identifier: Apache-2.0
// LTDC: timing of the scan, reload of the shadow registers, pixels of layers. Expected pixels are
// computed here from the definition of each format.
#include <doctest/doctest.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "models/soc/graphics/ltdc.h"

using namespace n6vp::models;

namespace {

constexpr Picoseconds kUs = 1'000'000;
constexpr std::uint32_t kGcr = 0x18, kSrcr = 0x24, kBccr = 0x2C, kIer = 0x34, kIsr = 0x38,
                        kIcr = 0x3C, kLipcr = 0x40, kCpsr = 0x44, kCdsr = 0x48, kIsr2 = 0x68;
constexpr std::uint32_t kLayer1 = 0x100, kLayer2 = 0x200;
constexpr std::uint32_t kRcr = 0x08, kCr = 0x0C, kWhpcr = 0x10, kWvpcr = 0x14, kCkcr = 0x18,
                        kPfcr = 0x1C, kCacr = 0x20, kDccr = 0x24, kBfcr = 0x28, kCfbar = 0x34,
                        kCfblr = 0x38, kCfblnr = 0x3C, kClutwr = 0x50, kFpf0r = 0x74, kFpf1r = 0x78;
constexpr std::uint32_t kLine = 1, kError = 4, kReload = 8, kUnderrun = 1u << 6;

/// Memory that answers after 100 ns and keeps the reads.
struct Cells : sc_core::sc_module {
    struct Seen {
        std::uint32_t address, bytes;
        Picoseconds at;
        bool secure;
        unsigned compartment;
    };
    tlm_utils::simple_target_socket<Cells> from;
    std::map<std::uint32_t, std::uint8_t> bytes;
    std::vector<Seen> seen;
    std::uint32_t refused = 0xFFFFFFFF;
    Picoseconds takes = 100'000;

    explicit Cells(const sc_core::sc_module_name& name) : sc_module(name), from("from") {
        from.register_b_transport(this, &Cells::serve);
    }
    void serve(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        const auto address = static_cast<std::uint32_t>(trans.get_address());
        const auto* const transfer = trans.get_extension<Transfer>();
        REQUIRE(transfer != nullptr);
        REQUIRE(trans.is_read());
        seen.push_back({address, trans.get_data_length(), absolute_ps(delay), transfer->secure,
                        transfer->compartment});
        delay += to_sc_time(takes);
        for (unsigned i = 0; i < trans.get_data_length(); ++i)
            trans.get_data_ptr()[i] = bytes[address + i];
        trans.set_response_status(address == refused ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                     : tlm::TLM_OK_RESPONSE);
    }
};

/// A panel of 4 x 2 pixels at 1 MHz: columns 3 to 6 of 10, lines 2 and 3 of 6; a line takes 10 us.
struct Bench {
    Ltdc ltdc;
    Cells memory;
    std::vector<std::pair<bool, Picoseconds>> levels, errors;

    explicit Bench(const LtdcParameters& parameters = {})
        : ltdc("ltdc", "LTDC", parameters), memory("memory") {
        ltdc.port.to.bind(memory.from);
        ltdc.on_interrupt = [this](bool level) { levels.emplace_back(level, now()); };
        ltdc.on_error_interrupt = [this](bool level) { errors.emplace_back(level, now()); };
        ltdc.set_pixel_hz(1e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        set(0x08, 0 << 16 | 0);
        set(0x0C, 2 << 16 | 1);
        set(0x10, 6 << 16 | 3);
        set(0x14, 9 << 16 | 5);
    }
    static Picoseconds now() { return sc_core::sc_time_stamp().value(); }
    bool set(std::uint32_t offset, std::uint32_t value) {
        return ltdc.write(offset, value, 0xFFFFFFFF, now()).modelled;
    }
    std::uint32_t get(std::uint32_t offset) { return ltdc.read(offset, now()).value; }
    static void pass_us(std::uint64_t us) { sc_core::sc_start(to_sc_time(us * kUs)); }
    void enable() { CHECK(set(kGcr, 1)); }
    /// A layer over the whole panel, as the driver sets it up.
    void layer(std::uint32_t base, std::uint32_t format, std::uint32_t pixel_bytes,
               std::uint32_t address) {
        set(base + kWhpcr, 6u << 16 | 3);
        set(base + kWvpcr, 3u << 16 | 2);
        set(base + kPfcr, format);
        set(base + kCfbar, address);
        set(base + kCfblr, 4 * pixel_bytes << 16 | (4 * pixel_bytes + 7));
        set(base + kCfblnr, 2);
        set(base + kCr, 1);
        set(base + kRcr, 1);
    }
    void put(std::uint32_t address, const std::vector<std::uint8_t>& values) {
        for (const std::uint8_t value : values) memory.bytes[address++] = value;
    }
    using Rgb = std::array<unsigned, 3>;
    Rgb pixel(unsigned x, unsigned y) {
        const Picture shown = ltdc.picture();
        REQUIRE(shown.width == 4);
        REQUIRE(shown.height == 2);
        const std::size_t at = 3 * (std::size_t{4} * y + x);
        return {shown.rgb.at(at), shown.rgb.at(at + 1), shown.rgb.at(at + 2)};
    }
};
using Rgb = Bench::Rgb;

}  // namespace

TEST_CASE("timing: ltdc scans lines, reads each when it begins, and repeats the frame") {
    Bench bench;
    bench.ltdc.attributes[0] = {3, true, true};
    bench.layer(kLayer1, 4, 2, 0x1000);
    CHECK(bench.get(kCdsr) == 3);
    bench.enable();
    bench.pass_us(25);
    CHECK(bench.get(kCpsr) == (5u << 16 | 2));
    CHECK(bench.get(kCdsr) == 3);  // in the active area
    bench.pass_us(40);
    CHECK(bench.get(kCpsr) == (5u << 16 | 0));
    CHECK(bench.get(kCdsr) == (4 | 2));
    bench.pass_us(30);
    REQUIRE(bench.memory.seen.size() == 4);
    for (unsigned i = 0; i < 4; ++i) {
        CAPTURE(i);
        CHECK(bench.memory.seen[i].address == 0x1000 + 8 * (i % 2));
        CHECK(bench.memory.seen[i].bytes == 8);
        CHECK(bench.memory.seen[i].at == (20 + 10 * (i % 2) + 60 * (i / 2)) * kUs);
        CHECK(bench.memory.seen[i].secure);
        CHECK(bench.memory.seen[i].compartment == 3);
    }
    CHECK(bench.ltdc.statistics().frames == 1);
    CHECK(bench.ltdc.statistics().frame_ps == 60 * kUs);
    bench.set(kGcr, 0);
    bench.pass_us(200);
    CHECK(bench.memory.seen.size() == 4);
    CHECK(bench.ltdc.picture().rgb.size() == 24);
}

TEST_CASE("timing: ltdc interrupts at its line, and at a reload with the vertical blanking") {
    Bench bench;
    bench.set(kIer, kLine | kReload);
    bench.set(kLipcr, 3);
    bench.layer(kLayer1, 0, 4, 0x1000);
    bench.enable();
    bench.set(kLayer1 + kCfbar, 0x2000);
    CHECK(bench.get(kLayer1 + kCfbar) == 0x1000);
    bench.set(kSrcr, 2);
    bench.pass_us(35);
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.levels[0] == std::pair(true, 30 * kUs));
    CHECK(bench.get(kIsr) == kLine);
    CHECK(bench.get(kIsr2) == kLine);  // LIPCR2 = 0: its line was at the start of the scan
    bench.set(kIcr, kLine);
    CHECK(bench.get(kSrcr) == 2);
    bench.pass_us(10);
    CHECK(bench.get(kSrcr) == 0);
    CHECK(bench.get(kIsr) == kReload);
    CHECK(bench.get(kLayer1 + kCfbar) == 0x2000);
    CHECK(bench.levels.back() == std::pair(true, 40 * kUs));
    bench.pass_us(60);
    CHECK(bench.memory.seen.back().address == 0x2010);
}

TEST_CASE("ltdc: a layer reloads alone, at once or with the vertical blanking") {
    Bench bench;
    bench.layer(kLayer1, 0, 4, 0x1000);
    bench.enable();
    bench.set(kLayer1 + kCacr, 0x40);
    bench.set(kLayer1 + kRcr, 4 | 1);
    CHECK(bench.get(kLayer1 + kRcr) == 4);
    CHECK(bench.get(kLayer1 + kCacr) == 0x40);
    bench.set(kLayer1 + kCacr, 0x50);
    bench.set(kLayer1 + kRcr, 4 | 2);
    CHECK(bench.get(kLayer1 + kRcr) == (4 | 2));
    CHECK(bench.get(kLayer1 + kCacr) == 0x40);
    bench.pass_us(45);
    CHECK(bench.get(kLayer1 + kRcr) == 4);
    CHECK(bench.get(kLayer1 + kCacr) == 0x50);
    // The driver leaves GRMSK set and reloads by SRCR.
    bench.set(kLayer1 + kCacr, 0x60);
    bench.set(kSrcr, 1);
    CHECK(bench.get(kSrcr) == 0);
    CHECK(bench.get(kLayer1 + kCacr) == 0x60);
}

TEST_CASE("ltdc: pixel formats") {
    struct Case {
        std::uint32_t format, bytes;
        std::vector<std::uint8_t> pixel;
        Rgb expected;
    };
    // 0x9ACD: fields 10011 010110 01101 are 19 of 31, 22 of 63 and 13 of 31.
    const Case cases[] = {
        {0, 4, {0x11, 0x22, 0x33, 0xFF}, {0x33, 0x22, 0x11}},
        {1, 4, {0x11, 0x22, 0x33, 0xFF}, {0x11, 0x22, 0x33}},
        {2, 4, {0xFF, 0x11, 0x22, 0x33}, {0x33, 0x22, 0x11}},
        {3, 4, {0xFF, 0x11, 0x22, 0x33}, {0x11, 0x22, 0x33}},
        {4, 2, {0xCD, 0x9A}, {19 << 3 | 19 >> 2, 22 << 2 | 22 >> 4, 13 << 3 | 13 >> 2}},
        {5, 2, {0xCD, 0x9A}, {13 << 3 | 13 >> 2, 22 << 2 | 22 >> 4, 19 << 3 | 19 >> 2}},
        {6, 3, {0x11, 0x22, 0x33}, {0x33, 0x22, 0x11}},
    };
    Bench bench;
    bench.enable();
    for (const Case& each : cases) {
        CAPTURE(each.format);
        bench.layer(kLayer1, each.format, each.bytes, 0x1000);
        bench.put(0x1000 + 5 * each.bytes, each.pixel);
        bench.pass_us(120);
        CHECK(bench.pixel(1, 1) == each.expected);
    }
}

TEST_CASE("ltdc: flexible formats, and the colour table") {
    Bench bench;
    bench.enable();
    // ARGB4444 as the driver describes it.
    bench.set(kLayer1 + kFpf0r, 4u << 14 | 8u << 9 | 4u << 5 | 12);
    bench.set(kLayer1 + kFpf1r, 2u << 18 | 4u << 14 | 0u << 9 | 4u << 5 | 4);
    bench.layer(kLayer1, 7, 2, 0x1000);
    bench.put(0x1000, {0x3A, 0xFC});
    bench.pass_us(60);
    CHECK(bench.pixel(0, 0) == Rgb{0xCC, 0x33, 0xAA});
    // L8 with its table.
    bench.set(kLayer1 + kFpf0r, 8u << 14);
    bench.set(kLayer1 + kFpf1r, 1u << 18 | 8u << 14 | 8u << 5);
    bench.set(kLayer1 + kClutwr, 0x7Fu << 24 | 0x123456);
    bench.layer(kLayer1, 7, 1, 0x1000);
    bench.put(0x1000, {0x7F, 0x80});
    bench.pass_us(60);
    CHECK(bench.pixel(0, 0) == Rgb{0x7F, 0x7F, 0x7F});
    bench.set(kLayer1 + kCr, 1 | 1u << 4);
    bench.set(kLayer1 + kRcr, 1);
    bench.pass_us(60);
    CHECK(bench.pixel(0, 0) == Rgb{0x12, 0x34, 0x56});
    CHECK(bench.pixel(1, 0) == Rgb{0, 0, 0});
}

TEST_CASE("ltdc: two layers with constant and pixel alpha over the background") {
    Bench bench;
    bench.set(kBccr, 0x204060);
    bench.layer(kLayer1, 6, 3, 0x1000);
    bench.layer(kLayer2, 0, 4, 0x2000);
    bench.put(0x1000, {10, 20, 30});
    bench.put(0x2000, {200, 150, 100, 64});
    bench.set(kLayer1 + kCacr, 128);
    bench.set(kLayer1 + kBfcr, 0x405);
    bench.set(kLayer2 + kCacr, 200);
    bench.set(kLayer2 + kBfcr, 0x10607);
    bench.set(kSrcr, 1);
    bench.enable();
    bench.pass_us(60);
    const auto over = [](double above, double below, double alpha) {
        return above * alpha + below * (1 - alpha);
    };
    const double first = 128 / 255.0, second = 64 / 255.0 * (200 / 255.0);
    const Rgb got = bench.pixel(0, 0);
    const double expected[] = {over(100, over(30, 0x20, first), second),
                               over(150, over(20, 0x40, first), second),
                               over(200, over(10, 0x60, first), second)};
    for (unsigned i = 0; i < 3; ++i) {
        CAPTURE(i);
        CHECK(got[i] == doctest::Approx(expected[i]).epsilon(0).scale(1).epsilon(0.02));
    }
}

TEST_CASE("ltdc: windows, pitch, colour key, default colour") {
    Bench bench;
    bench.set(kBccr, 0x010203);
    bench.layer(kLayer1, 6, 3, 0x1000);
    bench.set(kLayer1 + kWhpcr, 5u << 16 | 4);  // the two middle columns
    bench.set(kLayer1 + kCfblr, 100u << 16 | (6 + 7));
    bench.set(kLayer1 + kCkcr, 0x333333);
    bench.set(kLayer1 + kCr, 1 | 2);
    bench.set(kLayer1 + kRcr, 1);
    bench.put(0x1000, {9, 8, 7, 0x33, 0x33, 0x33});
    bench.put(0x1000 + 100, {1, 1, 1, 2, 2, 2});
    bench.enable();
    bench.pass_us(60);
    CHECK(bench.pixel(0, 0) == Rgb{1, 2, 3});
    CHECK(bench.pixel(1, 0) == Rgb{7, 8, 9});
    CHECK(bench.pixel(2, 0) == Rgb{1, 2, 3});  // the key: transparent
    CHECK(bench.pixel(2, 1) == Rgb{2, 2, 2});
    bench.set(kLayer1 + kDccr, 0xFF0A0B0C);
    bench.set(kLayer1 + kCr, 1 | 1u << 9);
    bench.set(kLayer1 + kRcr, 1);
    bench.pass_us(60);
    CHECK(bench.pixel(0, 0) == Rgb{10, 11, 12});
    CHECK(bench.pixel(1, 0) == Rgb{7, 8, 9});
    // Mirrored: the driver gives the last byte of the line.
    bench.set(kLayer1 + kCfbar, 0x1000 + 5);
    bench.set(kLayer1 + kCr, 1 | 1u << 8);
    bench.set(kLayer1 + kRcr, 1);
    bench.pass_us(60);
    CHECK(bench.pixel(2, 0) == Rgb{7, 8, 9});
}

TEST_CASE("ltdc: transfer errors and underruns are flagged") {
    Bench bench;
    bench.set(kIer, kError | kUnderrun);
    bench.layer(kLayer1, 6, 3, 0x1000);
    bench.memory.refused = 0x100C;
    bench.enable();
    bench.pass_us(35);
    CHECK((bench.get(kIsr) & ~kLine) == kError);
    REQUIRE(bench.errors.size() == 1);
    CHECK(bench.errors[0] == std::pair(true, 30 * kUs));
    CHECK(bench.levels.empty());
    bench.set(kIcr, kError);
    CHECK_FALSE(bench.errors.back().first);
    bench.memory.takes = 11 * kUs;
    bench.memory.refused = 0xFFFFFFFF;
    bench.pass_us(60);
    CHECK((bench.get(kIsr) & ~kLine) == kUnderrun);
}

TEST_CASE("ltdc: hostile register values scan nothing, and do not crash") {
    Bench bench;
    CHECK_FALSE(bench.set(kGcr, 1u << 16 | 0));  // dithering
    bench.set(kGcr, 0);
    bench.set(0x14, 0xFFFFFFFF);
    bench.set(0x10, 0xFFFE'FFFE);
    CHECK_FALSE(bench.set(kGcr, 1));
    bench.set(0x10, 0);
    CHECK_FALSE(bench.set(kGcr, 1));
    bench.set(kGcr, 0);
    bench.set(0x10, 6u << 16 | 3);
    bench.set(0x14, 9u << 16 | 3);  // no lines after the active ones
    for (std::uint32_t offset = 0x10C; offset < 0x180; offset += 4) bench.set(offset, 0xFFFFFFFF);
    bench.set(kLayer1 + kRcr, 1);
    bench.enable();
    bench.pass_us(500);
    CHECK(bench.ltdc.statistics().frames > 5);
    (void)bench.ltdc.picture();
    for (std::uint32_t offset = 0x10C; offset < 0x180; offset += 4) {
        if (offset != 0x130) bench.set(offset, 0x7FFF0000);
    }
    bench.set(kLayer1 + kCr, 1);
    bench.set(kLayer1 + kRcr, 1);
    bench.pass_us(500);
    (void)bench.ltdc.picture();
    bench.ltdc.reset();
    CHECK(bench.ltdc.picture().rgb.empty());
    CHECK(bench.get(kGcr) == 0x2220);
}

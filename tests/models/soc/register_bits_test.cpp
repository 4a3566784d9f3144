// SPDX-License-Identifier: Apache-2.0
// Every register of a peripheral has its name and its reset value, keeps the bits that it has, one
// by one and byte by byte, and loses them by a reset. Source of data/register_bits.csv: CMSIS SVD
// of the chip.
#include <doctest/doctest.h>

#include <cctype>
#include <cstdint>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "models/soc/audio/mdf.h"
#include "models/soc/timers/rtc.h"
#include "models/soc/timers/timer.h"
#include "models/soc/timers/wwdg.h"
#include "tests/models/soc/dma/dma_bench.h"
#include "tests/models/soc/polled_flags_world.h"

using namespace n6vp::models;
using n6vp::test::World;

namespace {

constexpr std::uint32_t kAll = 0xFFFFFFFF;

struct Row {
    std::string block, name;
    std::uint32_t offset = 0, reset = 0, bits = 0;
    bool readable = false, writable = false;
};

std::vector<Row> rows_of(const std::string& block) {
    std::vector<Row> rows;
    std::ifstream file(N6VP_REGISTER_BITS);
    for (std::string line; std::getline(file, line);) {
        std::istringstream cells(line);
        Row row;
        std::string offset, reset, access, bits;
        std::getline(cells, row.block, ',');
        std::getline(cells, offset, ',');
        std::getline(cells, row.name, ',');
        std::getline(cells, reset, ',');
        std::getline(cells, access, ',');
        std::getline(cells, bits, ',');
        if (row.block != block) continue;
        row.offset = static_cast<std::uint32_t>(std::stoul(offset, nullptr, 16));
        row.reset = static_cast<std::uint32_t>(std::stoul(reset, nullptr, 16));
        row.bits = static_cast<std::uint32_t>(std::stoul(bits, nullptr, 16));
        row.readable = access.find('r') != std::string::npos;
        row.writable = access.find('w') != std::string::npos;
        rows.push_back(row);
    }
    return rows;
}

/// A register, '#' for any number, that differs from the rule.
struct Special {
    std::string_view name;
    std::uint32_t lost = 0;      ///< bits that are commands, flags, or not modelled
    std::uint32_t alone = 0;     ///< bits that keep software from changing others
    std::uint32_t constant = 0;  ///< ones whatever is written
    bool fixed = false;          ///< software only reads it
    bool live = false;           ///< changes by itself
};

bool matches(std::string_view pattern, std::string_view name) {
    while (!pattern.empty() && pattern[0] != '#') {
        if (name.empty() || name[0] != pattern[0]) return false;
        pattern.remove_prefix(1);
        name.remove_prefix(1);
    }
    if (pattern.empty()) return name.empty();
    std::size_t digits = 0;
    while (digits < name.size() && std::isdigit(static_cast<unsigned char>(name[digits])) != 0)
        ++digits;
    return digits != 0 && matches(pattern.substr(1), name.substr(digits));
}

/// Without the number of a unit, a layer or a memory, for which x stands in some names.
std::string without_number(std::string text) {
    std::erase_if(text, [](unsigned char each) { return std::isdigit(each) != 0 || each == 'x'; });
    return text;
}

struct Write {
    std::uint32_t offset, value;
};

/// How the registers of a peripheral differ from "every bit that it has is kept".
struct Rules {
    std::vector<Special> specials = {};
    std::vector<Write> before = {};       ///< what makes the registers writable
    std::vector<Write> after = {};        ///< what makes written values hold
    bool others_are_zero = false;         ///< a bit that a register does not have is zero
    bool whole_words = false;             ///< the manual has no narrower accesses
    bool short_names = false;             ///< without the layer, the memory, the number
    Picoseconds at = 0;                   ///< when the registers are writable
    std::function<void()> power_on = {};  ///< where `reset_at` is not the one of the reset values
};

class Bits {
  public:
    Bits(RegisterBlock& block, const Rules& rules) : block_(block), rules_(rules) {}

    void check(const Row& row) {
        CAPTURE(row.block);
        CAPTURE(row.name);
        Special special;
        for (const Special& each : rules_.specials)
            if (matches(each.name, row.name)) special = each;
        fresh();
        check_name(row, block_.read(row.offset, 0).name);
        if (!row.readable || special.live) return;
        CHECK(block_.read(row.offset, 0).value == row.reset);
        for (const Write& write : rules_.before)
            (void)block_.write(write.offset, write.value, kAll, 0);
        if (!row.writable || special.fixed) {
            check_fixed(row);
        } else {
            check_kept(row, special);
        }
        fresh();
        CHECK(block_.read(row.offset, 0).value == row.reset);
    }

  private:
    void check_name(const Row& row, const std::string& given) {
        if (!rules_.short_names) {
            CHECK(given == row.name);
            return;
        }
        CHECK_FALSE(given.empty());
        CHECK(without_number(row.name).find(without_number(given)) != std::string::npos);
    }
    void fresh() {
        if (rules_.power_on) return rules_.power_on();
        block_.reset_at(0);
    }
    std::uint32_t get(const Row& row) { return block_.read(row.offset, rules_.at).value; }
    void set(std::uint32_t offset, std::uint32_t value, std::uint32_t mask) {
        (void)block_.write(offset, value, mask, rules_.at);
    }
    void set(const Row& row, std::uint32_t value, std::uint32_t mask = kAll) {
        set(row.offset, value, mask);
        for (const Write& write : rules_.after)
            if (write.offset != row.offset) set(write.offset, write.value, kAll);
    }
    void check_fixed(const Row& row) {
        const std::uint32_t value = get(row);
        for (const std::uint32_t written : {0u, kAll}) {
            set(row, written);
            CHECK(get(row) == value);
        }
    }
    void check_kept(const Row& row, const Special& special) {
        const std::uint32_t kept = row.bits & ~special.lost & ~special.constant;
        for (std::uint32_t left = kept; left != 0; left &= left - 1) {
            const std::uint32_t bit = left & (0u - left);
            CAPTURE(bit);
            set(row, bit);
            CHECK((get(row) & (kept | special.constant)) == (bit | special.constant));
            set(row, 0);
            CHECK((get(row) & (kept | special.constant)) == special.constant);
        }
        const std::uint32_t together = kept & ~special.alone;
        for (const std::uint32_t lane : {0xFFu, 0xFF00u, 0xFF0000u, 0xFF000000u}) {
            if (rules_.whole_words) break;
            CAPTURE(lane);
            set(row, together, lane);
            CHECK((get(row) & kept) == (together & lane));
            set(row, together);
            set(row, 0, lane);
            CHECK((get(row) & kept) == (together & ~lane));
            set(row, 0);
        }
        if (!rules_.others_are_zero || kept != row.bits) return;
        set(row, kAll);
        CHECK(get(row) == kept);
    }

    RegisterBlock& block_;
    const Rules& rules_;
};

void check_block(RegisterBlock& block, const std::string& name, std::size_t registers,
                 const Rules& rules) {
    const std::vector<Row> rows = rows_of(name);
    CHECK(rows.size() == registers);
    Bits bits(block, rules);
    for (const Row& row : rows) bits.check(row);
}

/// Locks stay until a reset; EN and RESET are commands; the owner of a semaphore is read-only.
/// Security of a transfer is there in secure channels only.
Rules dma_rules() {
    return {.specials = {{"RCFGLOCKR", kAll}, {"C#CR", 3}, {"C#SEMCR", 0xFFFFFFFE}},
            .before = {{0x00, 0xFFFF}},
            .others_are_zero = true};
}

}  // namespace

TEST_CASE("register bits: serial ports") {
    World world;
    // UE protects settings. What TDR was given cannot be read.
    const Rules rules{.specials = {{"CR1", 0, 1}, {"TDR", kAll}}};
    check_block(*world.blocks.at("USART"), "USART1", 12, rules);
    Uart low("lpuart", "LPUART1", Uart::Kind::LowPower);
    check_block(low, "LPUART1", 10, rules);
}

TEST_CASE("register bits: SPI") {
    World world;
    // SPE protects settings; CSTART and CSUSP are commands.
    check_block(*world.blocks.at("SPI"), "SPI1", 14, {.specials = {{"CR1", 3u << 9, 1}}});
}

TEST_CASE("register bits: I2C") {
    World world;
    // START, STOP and NACK are commands of a unit that is on; ISR has flags, and TXE to flush.
    check_block(*world.blocks.at("I2C"), "I2C1", 11,
                {.specials = {{"CR2", 7u << 13}, {"ISR", kAll}}});
}

TEST_CASE("register bits: timers") {
    // Dithering, whose bits are above the lower 16, and UIFCPY, which shows another flag. DIR is
    // the counter's own while it goes both ways.
    constexpr std::uint32_t kBeyond = 0xFFFF0000;
    const Rules wide{.specials = {{"SR", kAll}, {"EGR", kAll}, {"DMAR", kAll}, {"CR1", 1u << 4}}};
    Rules half = wide;
    for (const char* const name : {"CNT", "ARR", "CCR1", "CCR2", "CCR3", "CCR4"})
        half.specials.push_back({name, kBeyond});
    half.specials.push_back({"BDTR", 3u << 26});  // BKDSRM: armed again at once
    for (const char* const name : {"TIM1", "TIM2", "TIM6", "TIM15", "TIM10", "TIM12"}) {
        Timer timer(name, name, timer_layout(name, true));
        timer.on_request = [](unsigned, bool, Picoseconds) {};
        const std::string block = name;
        check_block(timer, block, rows_of(block).size(), block == "TIM2" ? wide : half);
    }
}

TEST_CASE("register bits: low-power timers") {
    World world;
    // SNGSTRT, CNTSTRT, COUNTRST.
    const Rules rules{.specials = {{"CR", 7u << 1}}};
    check_block(*world.blocks.at("LPTIM"), "LPTIM1", 12, rules);
    check_block(*world.blocks.at("LPTIM"), "LPTIM4", 12, rules);
}

TEST_CASE("register bits: RTC") {
    Rtc rtc("rtc", "RTC");
    // SSR counts; of ICSR software sets INIT and clears RSF.
    const Rules rules{.specials = {{.name = "ICSR", .live = true}, {.name = "SSR", .live = true}},
                      .before = {{0x24, 0xCA}, {0x24, 0x53}, {0x0C, 1u << 7}},
                      .at = 1'000'000'000,
                      .power_on = [&rtc] { rtc.power_on(0); }};
    check_block(rtc, "RTC", 25, rules);
}

TEST_CASE("register bits: watchdogs") {
    World world;
    check_block(*world.blocks.at("IWDG"), "IWDG", 7,
                {.specials = {{"ICR", kAll}},
                 .before = {{0x00, 0x5555}},
                 .others_are_zero = true,
                 .whole_words = true});
    Wwdg dog("dog", "WWDG");
    // WDGA and EWI are taken back by a reset only; EWIF is a flag.
    check_block(
        dog, "WWDG", 3,
        {.specials = {{"CR", 1u << 7}, {"CFR", 1u << 9}, {"SR", kAll}}, .whole_words = true});
}

TEST_CASE("register bits: MDF and ADF") {
    // TRGO is a command. The flags of what is active follow the enables.
    constexpr std::uint32_t kActive = 1u << 31;
    const Rules rules{.specials = {{"GCR", 1},
                                   {"CKGCR", kActive},
                                   {"SITF#CR", kActive},
                                   {"BSMX#CR", kActive},
                                   {"DFLT#CR", kActive | 1u << 30},
                                   {"OLD#CR", kActive},
                                   {"DLY#CR", kActive},
                                   {"SCD#CR", kActive},
                                   {"SADCR", kActive},
                                   {"DFLT#ISR", kAll}}};
    SoundSource microphone;
    Mdf filters("mdf1", "MDF1", Mdf::Kind::MultiFunction, microphone);
    check_block(filters, "MDF1", 98, rules);
    Mdf audio("adf1", "ADF1", Mdf::Kind::Audio, microphone);
    Rules of_audio = rules;
    of_audio.short_names = true;
    check_block(audio, "ADF", 15, of_audio);
}

TEST_CASE("register bits: SAI") {
    World world;
    // SAIEN stays one until the frame ends; FFLUSH is a command; DR is a FIFO.
    constexpr std::uint32_t kEnable = 1u << 16, kFlush = 1u << 3;
    check_block(*world.blocks.at("SAI"), "SAI1", 19,
                {.specials = {{"ACR1", kEnable},
                              {"BCR1", kEnable},
                              {"ACR2", kFlush},
                              {"BCR2", kFlush},
                              {"ADR", kAll},
                              {"BDR", kAll}}});
}

TEST_CASE("register bits: DCMIPP") {
    World world;
    // The value in effect is another register's, though the description calls it writable.
    check_block(*world.blocks.at("DCMIPP"), "DCMIPP", 240,
                {.specials = {{.name = "P#CDCCR", .fixed = true}}, .others_are_zero = true});
}

TEST_CASE("register bits: LTDC") {
    World world;
    // GCR has the widths of dithering. IMR is a command, by which a layer's registers hold.
    check_block(*world.blocks.at("LTDC"), "LTDC", 70,
                {.specials = {{.name = "GCR", .lost = 0x5550, .constant = 0x2220},
                              {"SRCR", 1},
                              {"L#RCR", 1},
                              {.name = "L#C1R", .fixed = true}},
                 .after = {{0x108, 1}, {0x208, 1}},
                 .short_names = true});
}

TEST_CASE("register bits: GPDMA") {
    n6vp::test::DmaBench bench;
    check_block(bench.dma, "GPDMA", 173, dma_rules());
}

TEST_CASE("register bits: HPDMA") {
    n6vp::test::DmaBench bench(dma::Controller::Kind::HighPerformance);
    check_block(bench.dma, "HPDMA", 205, dma_rules());
}

TEST_CASE("register bits: ADC") {
    World world;
    // ADEN to JADSTP and ADCAL are commands.
    check_block(*world.blocks.at("ADC"), "ADC1", 38,
                {.specials = {{"ISR", kAll}, {"CR", 0x3F | 1u << 31}}});
}

TEST_CASE("register bits: DMA2D") {
    World world;
    // START and ABORT, and START of the colour tables.
    check_block(*world.blocks.at("DMA2D"), "DMA2D", 20,
                {.specials = {{"CR", 1 | 1u << 2},
                              {"IFCR", kAll},
                              {"FGPFCCR", 1u << 5},
                              {"BGPFCCR", 1u << 5}},
                 .short_names = true});
}

TEST_CASE("register bits: CSI") {
    World world;
    // Start and stop of each virtual channel.
    check_block(*world.blocks.at("CSI"), "CSI", 44, {.specials = {{"CR", 0xCCCC}}});
}

TEST_CASE("register bits: XSPI") {
    World world;
    // ABORT; DR is a FIFO.
    check_block(*world.blocks.at("XSPI"), "XSPI1", 31,
                {.specials = {{"CR", 2}, {"DR", kAll}, {.name = "CALFCR", .live = true}}});
}

TEST_CASE("register bits: SDMMC") {
    World world;
    // CPSMEN, DTEN and FIFORST are commands; BOOTACKEN is not modelled; addresses are of words.
    check_block(*world.blocks.at("SDMMC"), "SDMMC1", 39,
                {.specials = {{"CMDR", 1u << 12},
                              {"DCTRL", 1 | 3u << 12},
                              {"ICR", kAll},
                              {"IDMABASER", 3},
                              {"FIFOR#", kAll}},
                 .short_names = true});
}

TEST_CASE("register bits: RNG and PKA") {
    World world;
    // CONDRST and CONFIGLOCK have rules of their own; SR has flags.
    check_block(*world.blocks.at("RNG"), "RNG", 5, {.specials = {{"CR", 3u << 30}, {"SR", kAll}}});
    check_block(*world.blocks.at("PKA"), "PKA", 3, {.specials = {{"CR", 2}}});  // START
}

TEST_CASE("register bits: RAMCFG") {
    World world;
    // SRAMER is a command. The memories of the NPU are off after reset, SRAMSD. Keys for ECCE.
    constexpr std::uint32_t kErase = 1u << 8;
    Rules rules{.before = {{0x4A4, 0xAE}, {0x4A4, 0x75}}, .short_names = true};
    for (const char* const name :
         {"AXISRAM#CR", "AHBSRAM#CR", "VENCRAMCR", "BKPSRAMCR", "FLEXRAMCR"})
        rules.specials.push_back({name, kErase});
    for (const char* const name : {"AXISRAM3CR", "AXISRAM4CR", "AXISRAM5CR", "AXISRAM6CR"})
        rules.specials.push_back({.name = name, .live = true});
    check_block(*world.blocks.at("RAMCFG"), "RAMCFG", 38, rules);
}

TEST_CASE("register bits: CACHEAXI") {
    World world;
    // EN waits for the invalidation after reset; CACHEINV, resets of monitors, STARTCMD.
    check_block(*world.blocks.at("CACHEAXI"), "CACHEAXI", 15,
                {.specials = {{"CR1", 3 | 0xCCCC0000}, {"CR2", 1}}});
}

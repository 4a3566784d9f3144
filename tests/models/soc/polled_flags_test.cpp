// SPDX-License-Identifier: Apache-2.0
// Loops of public drivers on one flag, in both polarities: none waits for ever without the report
// saying that what it waits for is not modelled.
#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "memmap/peripherals.h"
#include "models/soc/timers/rtc.h"
#include "tests/models/soc/polled_flags_world.h"

using namespace n6vp;
using namespace n6vp::models;
using n6vp::test::World;

namespace {

constexpr std::uint32_t kAll = 0xFFFFFFFF;
constexpr Picoseconds kPoll = 100'000;              ///< between two reads at first
constexpr Picoseconds kPatience = 100'000'000'000;  ///< the shortest time-out of HAL is 2 ms

struct Step {
    std::uint32_t offset, value;
    bool read = false;
};
using Steps = std::vector<Step>;
constexpr Step kReadAt(std::uint32_t offset) {
    return {offset, 0, true};
}

/// When a flag changes, seen from the access that asks for it.
enum class When { Later, AtOnce, Either };

/// A flag, and what makes it one and zero. `Later`: it still has its old value right after.
struct Script {
    const char* peripheral;
    const char* flag;
    std::uint32_t offset, bits;
    Steps raise;
    When raised;
    Steps drop;
    When dropped;
};

constexpr std::uint32_t bit(unsigned position) {
    return 1u << position;
}
constexpr std::uint32_t kChannel3 = 0x50 + 3 * 0x80, kSaiBlock = 0x04;
constexpr std::uint32_t kSet = 0x800, kClear = 0x1000;  ///< aliases of RCC_CR

Script oscillator(const char* flag, unsigned position) {
    const bool hsi = position == 3;  // on after reset
    const Step on{kSet, bit(position)}, off{kClear, bit(position)};
    if (hsi) return {"RCC", flag, 0x004, bit(3), {off, on}, When::Either, {off}, When::Later};
    return {"RCC", flag, 0x004, bit(position), {on}, When::Later, {off}, When::Later};
}

Script falling(const char* peripheral, const char* flag, std::uint32_t offset, unsigned position) {
    const Step command{offset, bit(position)};
    return {peripheral, flag, offset, bit(position), {command}, When::AtOnce, {}, When::Later};
}
/// An endpoint or channel of USB.
Script disabled(const char* flag, std::uint32_t offset) {
    const Step enable{offset, bit(31)}, disable{offset, bit(31) | bit(30)};
    return {"USB", flag, offset, bit(31), {enable}, When::AtOnce, {disable}, When::AtOnce};
}

std::vector<Script> scripts() {
    constexpr auto kLater = When::Later;
    constexpr auto kAtOnce = When::AtOnce;
    const std::uint32_t start = 0x49 << 1 | bit(13) | bit(25);  // SADD, START, AUTOEND
    // A device that is there, with a byte to write or to read.
    const std::uint32_t write = 0x1A << 1 | bit(13) | bit(16), read = write | bit(10);
    const Step pe{0x00, 1};
    // SPI: frames of 32 bits; CR1 with SSI, SPE, CSTART; CSUSP.
    const Step wide{0x08, 0x7001F}, clocked{0x00, bit(12) | bit(9) | 1}, received = kReadAt(0x30);
    const std::uint32_t suspend = bit(12) | bit(10) | bit(9) | 1;
    const Step open{0x00, 0x5555};                     // IWDG
    const Step first{0x24, 0xCA}, second{0x24, 0x53};  // RTC
    const std::uint32_t serial = 1 | bit(3);           // UE, TE
    return {
        {"ADC", "ADEN", 0x08, bit(0), {{0x08, 1}}, kAtOnce, {{0x08, 2}}, kAtOnce},
        {"ADC", "ADSTART", 0x08, bit(2), {{0x08, 1}, {0x08, 5}}, kAtOnce, {}, kLater},
        {"ADC", "ADSTART|JADSTART", 0x08, bit(2), {{0x08, 1}, {0x08, 5}}, kAtOnce, {}, kLater},
        {"ADC", "ADRDY", 0x00, bit(0), {{0x08, 2}, {0x08, 1}}, kLater, {{0x00, 1}}, kAtOnce},
        {"ADC",
         "EOC or EOS",
         0x00,
         bit(2),
         {{0x08, 1}, {0x08, 5}},
         kLater,
         {kReadAt(0x40)},
         kAtOnce},
        {"BSEC", "BUSY", 0xE44, bit(0), {{0xC08, 1}, {0xC04, bit(13) | 7}}, kAtOnce, {}, kLater},
        {"CACHEAXI", "BUSYF", 0x04, bit(0), {{0x00, bit(1)}}, kAtOnce, {}, kLater},
        {"CACHEAXI", "BUSYCMDF", 0x04, bit(3), {{0x100, 3}}, kAtOnce, {}, kLater},
        {"CACHEAXI", "CMDENDF", 0x04, bit(4), {{0x100, 3}}, kLater, {{0x0C, bit(4)}}, kAtOnce},
        {"CSI",
         "VCnSTATEF (n = virtual channel)",
         0x90,
         bit(17),
         {{0x00, bit(2)}},
         kAtOnce,
         {{0x00, bit(3)}},
         kAtOnce},
        {"FDCAN", "CSA", 0x18, bit(3), {{0x18, bit(4)}}, kAtOnce, {{0x18, 1}}, kAtOnce},
        {"FDCAN", "INIT", 0x18, bit(0), {{0x18, 1}}, kAtOnce, {{0x18, 0}}, kAtOnce},
        {"DMA",
         "EN",
         kChannel3 + 0x14,
         bit(0),
         {{kChannel3 + 0x48, 4}, {kChannel3 + 0x14, 1}},  // waits for a request
         kAtOnce,
         {{kChannel3 + 0x14, bit(1) | bit(2)}},
         kAtOnce},
        {"DMA",
         "SUSPF",
         kChannel3 + 0x10,
         bit(13),
         {{kChannel3 + 0x14, 0}, {kChannel3 + 0x14, bit(2)}},
         kLater,
         {{kChannel3 + 0x0C, bit(13)}},
         kAtOnce},
        {"DMA2D", "SUSP", 0x00, bit(1), {{0x00, bit(1)}}, kAtOnce, {{0x00, 0}}, kAtOnce},
        {"HASH", "BUSY", 0x24, bit(3), {{0x08, bit(8)}}, kAtOnce, {}, kLater},
        {"HASH", "DCIS", 0x24, bit(1), {{0x08, bit(8)}}, kLater, {{0x00, bit(2)}}, kAtOnce},
        {"HASH", "DINIS", 0x24, bit(0), {}, kLater, {{0x08, bit(8)}}, kAtOnce},
        {"ICACHE", "EN", 0x00, bit(0), {{0x00, 1}}, kAtOnce, {{0x00, 0}}, kAtOnce},
        {"ICACHE", "BSYENDF", 0x04, bit(1), {{0x00, 2}}, kLater, {{0x0C, 2}}, kAtOnce},
        {"I2C", "BUSY", 0x18, bit(15), {pe, {0x04, start}}, kAtOnce, {}, kLater},
        {"I2C", "NACKF", 0x18, bit(4), {pe, {0x04, start}}, kLater, {{0x1C, bit(4)}}, kAtOnce},
        {"I2C", "STOPF", 0x18, bit(5), {pe, {0x04, start}}, kLater, {{0x1C, bit(5)}}, kAtOnce},
        {"I2C", "TXIS", 0x18, bit(1), {pe, {0x04, write}}, kLater, {{0x28, 1}}, kAtOnce},
        {"I2C",
         "TC",
         0x18,
         bit(6),
         {pe, {0x28, 1}, {0x04, write}},
         kLater,
         {{0x04, bit(14)}},
         kAtOnce},
        {"I2C",
         "TCR",
         0x18,
         bit(7),
         {pe, {0x28, 1}, {0x04, write | bit(24)}},
         kLater,
         {{0x04, bit(16) | bit(14)}},
         kAtOnce},
        {"I2C",
         "RXNE",
         0x18,
         bit(2),
         {pe, {0x04, read | bit(25)}},
         kLater,
         {kReadAt(0x24)},
         kAtOnce},
        {"IWDG", "PVU", 0x0C, bit(0), {open, {0x04, 6}}, kAtOnce, {}, kLater},
        {"IWDG", "RVU", 0x0C, bit(1), {open, {0x08, 0x123}}, kAtOnce, {}, kLater},
        {"IWDG", "WVU", 0x0C, bit(2), {open, {0x10, 0x123}}, kAtOnce, {}, kLater},
        {"IWDG", "EWU", 0x0C, bit(3), {open, {0x14, 0x8000}}, kAtOnce, {}, kLater},
        {"LPTIM", "ARROK", 0x00, bit(4), {{0x18, 9}}, kLater, {{0x04, bit(4)}}, kAtOnce},
        {"LPTIM", "CMP1OK", 0x00, bit(3), {{0x14, 9}}, kLater, {{0x04, bit(3)}}, kAtOnce},
        {"LPTIM", "CMP2OK", 0x00, bit(19), {{0x34, 9}}, kLater, {{0x04, bit(19)}}, kAtOnce},
        {"LPTIM", "REPOK", 0x00, bit(8), {{0x28, 1}}, kLater, {{0x04, bit(8)}}, kAtOnce},
        {"LPTIM", "DIEROK", 0x00, bit(24), {{0x08, 1}}, kLater, {{0x04, bit(24)}}, kAtOnce},
        {"MCE", "MKVALID", 0x04, bit(0), {{0x21C, 0}}, kLater, {}, kLater},
        {"MCE", "FMKVALID", 0x04, bit(2), {{0x23C, 0}}, kLater, {}, kLater},
        {"PWR", "VOSRDY", 0x20, bit(1), {}, kLater, {{0x20, 1}}, kAtOnce},
        {"PWR", "ACTVOSRDY", 0x20, bit(17), {}, kLater, {{0x20, 1}}, kAtOnce},
        {"PWR", "VDDIO4RDY", 0x34, bit(16), {{0x34, bit(0)}}, kLater, {{0x34, 0}}, kLater},
        {"PWR", "VDDIO5RDY", 0x38, bit(16), {{0x38, bit(0)}}, kLater, {{0x38, 0}}, kLater},
        {"PWR", "VDDIO2RDY", 0x3C, bit(16), {{0x3C, bit(0)}}, kLater, {{0x3C, 0}}, kLater},
        {"PWR", "VDDIO3RDY", 0x3C, bit(17), {{0x3C, bit(1)}}, kLater, {{0x3C, 0}}, kLater},
        {"PWR", "USB33RDY", 0x3C, bit(18), {{0x3C, bit(2)}}, kLater, {{0x3C, 0}}, kLater},
        {"PWR", "ARDY", 0x3C, bit(20), {{0x3C, bit(4)}}, kLater, {{0x3C, 0}}, kLater},
        {"RCC", "CPUSWS", 0x20, 3u << 20, {{0x20, 3u << 16}}, kLater, {{0x20, 0}}, kLater},
        {"RCC", "CPUSWS_0", 0x20, bit(20), {{0x20, 1u << 16}}, kLater, {{0x20, 0}}, kLater},
        {"RCC", "CPUSWS_1", 0x20, bit(21), {{0x20, 2u << 16}}, kLater, {{0x20, 0}}, kLater},
        {"RCC", "SYSSWS", 0x20, 3u << 28, {{0x20, 3u << 24}}, kLater, {{0x20, 0}}, kLater},
        {"RCC", "SYSSWS_0", 0x20, bit(28), {{0x20, 1u << 24}}, kLater, {{0x20, 0}}, kLater},
        {"RCC", "SYSSWS_1", 0x20, bit(29), {{0x20, 2u << 24}}, kLater, {{0x20, 0}}, kLater},
        // Written as one, it falls by itself.
        falling("ETH", "GB", 0x200, 0),
        falling("ETH", "SWR", 0x1000, 0),
        falling("USB", "CSRST", 0x10, 0),
        falling("USB", "RXFFLSH", 0x10, 4),
        falling("USB", "TXFFLSH", 0x10, 5),
        disabled("EPENA", 0x900),
        disabled("EPENA", 0xB00),
        disabled("CHENA", 0x500),
        {"USB", "CMOD", 0x14, bit(0), {{0x0C, bit(29)}}, kLater, {{0x0C, bit(30)}}, kLater},
        oscillator("LSIRDY", 0),
        oscillator("LSERDY", 1),
        oscillator("MSIRDY", 2),
        oscillator("HSIRDY", 3),
        oscillator("HSERDY", 4),
        oscillator("PLL1RDY", 8),
        oscillator("PLL2RDY", 9),
        oscillator("PLL3RDY", 10),
        oscillator("PLL4RDY", 11),
        {"RCC", "PLLnRDY", 0x04, 0xF00, {{kSet, 0xF00}}, kLater, {{kClear, 0xF00}}, kLater},
        {"RNG", "CONDRST", 0x00, bit(30), {{0x00, bit(30)}}, kAtOnce, {{0x00, 0}}, kLater},
        {"RNG", "DRDY", 0x04, bit(0), {{0x00, bit(2)}}, kLater, {kReadAt(0x08)}, kAtOnce},
        {"RTC",
         "INITF",
         0x0C,
         bit(6),
         {first, second, {0x0C, bit(7)}},
         kLater,
         {{0x0C, 0}},
         kAtOnce},
        {"RTC", "RECALPF", 0x0C, bit(16), {first, second, {0x28, 1}}, kAtOnce, {}, kLater},
        {"RTC", "SHPF", 0x0C, bit(3), {first, second, {0x2C, 1}}, kAtOnce, {}, kLater},
        {"RTC", "RSF", 0x0C, bit(5), {}, kLater, {first, second, {0x0C, 0}}, kAtOnce},
        {"RTC",
         "WUTWF",
         0x0C,
         bit(2),
         {{0x18, 0}},
         kLater,
         {first, second, {0x18, bit(10)}},
         kLater},
        {"SPI",
         "EOT",
         0x14,
         bit(3),
         {wide, {0x04, 1}, clocked, {0x20, 'n'}},
         kLater,
         {{0x18, bit(3)}},
         kAtOnce},
        {"SPI", "CSTART", 0x00, bit(9), {wide, {0x04, 1}, clocked}, kAtOnce, {{0x20, 1}}, kLater},
        {"SPI", "RXP", 0x14, bit(0), {wide, clocked, {0x20, 'n'}}, kLater, {received}, kAtOnce},
        {"SPI", "RXPLVL", 0x14, bit(13), {clocked, {0x20, 'n'}}, kLater, {received}, kAtOnce},
        {"SPI",
         "TXP",
         0x14,
         bit(1),
         {wide, clocked},
         kLater,
         {{0x20, 1}, {0x20, 2}, {0x20, 3}, {0x20, 4}, {0x20, 5}},
         kAtOnce},
        {"SPI", "SUSP", 0x14, bit(11), {{0x00, suspend}}, kAtOnce, {{0x18, bit(11)}}, kAtOnce},
        {"SPI", "EOTIE", 0x10, bit(3), {{0x10, bit(3)}}, kAtOnce, {{0x10, 0}}, kAtOnce},
        {"SYSCFG", "READY", 0x58, bit(8), {{0x54, bit(8)}}, kLater, {{0x54, 0}}, kLater},
        {"TAMP", "SEEDF", 0x18, bit(14), {{0x14, 1}}, kAtOnce, {}, kLater},
        {"USART", "TEACK", 0x1C, bit(21), {{0x00, serial}}, kAtOnce, {{0x00, 0}}, kAtOnce},
        {"USART", "REACK", 0x1C, bit(22), {{0x00, 1 | bit(2)}}, kAtOnce, {{0x00, 0}}, kAtOnce},
        {"USART",
         "TC",
         0x1C,
         bit(6),
         {},
         kLater,
         {{0x0C, 109}, {0x00, serial}, {0x28, 'n'}},
         kAtOnce},
        {"USART",
         "TXE_TXFNF",
         0x1C,
         bit(7),
         {},
         kLater,
         {{0x0C, 109}, {0x00, serial}, {0x28, 'n'}, {0x28, '6'}},
         kAtOnce},
        {"SAI",
         "SAI_xCR1_SAIEN",
         kSaiBlock,
         bit(16),
         {{kSaiBlock, 4u << 5 | bit(16)}},  // words of 16 bits
         kAtOnce,
         {{kSaiBlock, 4u << 5}},
         kLater},
        {"SAI",
         "SAI_xSR_FLVL",
         kSaiBlock + 0x14,
         bit(16),
         {{kSaiBlock + 0x1C, 'n'}},
         kAtOnce,
         {{kSaiBlock + 0x04, bit(3)}},
         kAtOnce},
        {"XSPI", "BUSY", 0x20, bit(5), {{0x00, 1}, {0x110, 0x9F}}, kAtOnce, {}, kLater},
        {"XSPI",
         "TCF",
         0x20,
         bit(1),
         {{0x00, 1}, {0x110, 0x06}},
         kLater,
         {{0x24, bit(1)}},
         kAtOnce},
        {"XSPI", "TCF", 0x20, bit(1), {{0x00, bit(1)}}, kLater, {{0x24, bit(1)}}, kAtOnce},
        {"XSPI",
         "SMF",
         0x20,
         bit(3),
         {{0x00, 2u << 28 | 1}, {0x110, 5}},
         kLater,
         {{0x24, bit(3)}},
         kAtOnce},
        {"XSPI",
         "FTF",
         0x20,
         bit(2),
         {{0x00, 1u << 28 | 1}, {0x100, 1u << 24}, {0x40, 0}, {0x110, 5}},
         kLater,
         {kReadAt(0x50)},
         kAtOnce},
    };
}

/// A flag that never takes the level: the access says that it is not modelled, or that nothing is
/// asked of it.
struct Absent {
    const char* peripheral;
    const char* flag;
    char level;
    Step named;  ///< the access that the report names
};
const Absent kAbsent[] = {
    {"ADC", "JEOC or JEOS", '1', {0x08, 1 | 8}},  // JADSTART
    {"ADC", "JEOS", '1', {0x08, 1 | 8}},
    {"FMC", "any", '1', kReadAt(0x104)},
    {"I2C", "ADDR", '1', {0x00, 1 | bit(3)}},  // ADDRIE: to be a target
    {"I2C", "DIR", '1', {0x00, 1 | bit(3)}},
    {"USART", "TCBGT", '1', {0x08, bit(5)}},               // SCEN: smartcard mode
    {"LTDC", "CCRC value changes", '1', {0x18, bit(19)}},  // CRCEN
};
/// A flag that never has the other level than its loops wait for.
struct Constant {
    const char* peripheral;
    const char* flag;
    char level;
};
const Constant kConstants[] = {
    {"DCMIPP", "IDLE", '1'}, {"I2C", "DIR", '0'},    {"RAMCFG", "SRAMBUSY", '0'},
    {"RNG", "SECS", '0'},    {"ETH", "OB", '0'},     {"USB", "AHBIDL", '1'},
    {"JPEG", "COF", '0'},    {"TIM", "BKDSRM", '0'}, {"TIM", "BK2DSRM", '0'},
    {"ADC", "ADDIS", '0'},   {"ADC", "ADSTP", '0'},  {"ADC", "JADSTP", '0'},
    {"FDCAN", "LCKC", '0'},  {"FDCAN", "LCKM", '0'}, {"FDCAN", "ELT", '0'},
};

struct Row {
    std::string peripheral, reg, flag, bits, level;
    std::uint32_t offset = 0;
};

std::vector<Row> list() {
    std::ifstream file(N6VP_POLLED_FLAGS);
    std::vector<Row> rows;
    std::string line;
    while (std::getline(file, line)) {
        if (line.starts_with("#") || line.starts_with("peripheral,")) continue;
        std::istringstream words(line);
        Row row;
        std::string offset;
        std::getline(words, row.peripheral, ',');
        std::getline(words, row.reg, ',');
        std::getline(words, offset, ',');
        std::getline(words, row.flag, ',');
        std::getline(words, row.bits, ',');
        std::getline(words, row.level, ',');
        row.offset = static_cast<std::uint32_t>(std::stoul(offset, nullptr, 16));
        rows.push_back(row);
    }
    return rows;
}

/// A program that polls.
struct Program {
    World& world;
    RegisterBlock& block;
    Picoseconds now = 1'000'000;

    std::uint32_t read(std::uint32_t offset) { return block.read(offset, now).value; }
    void take(const Steps& steps) {
        for (const Step& step : steps) {
            if (step.read) {
                (void)block.read(step.offset, now);
            } else {
                (void)block.write(step.offset, step.value, kAll, now);
            }
        }
    }
    bool level(const Script& script) { return (read(script.offset) & script.bits) == script.bits; }
    /// Returns true if the loop ends.
    bool wait(const Script& script, bool one) {
        const Picoseconds start = now;
        while (level(script) != one) {
            if (now - start > kPatience) return false;
            now += kPoll + (now - start) / 16;
        }
        return true;
    }
};

void play(World& world, const Script& script) {
    CAPTURE(std::string(script.peripheral));
    CAPTURE(std::string(script.flag));
    RegisterBlock& block = *world.blocks.at(script.peripheral);
    block.reset_at(0);
    if (auto* const clock = dynamic_cast<Rtc*>(&block)) clock->power_on(0);  // outlives resets
    Program program{world, block};
    const auto change = [&](const Steps& steps, When when, bool one) {
        const bool before = program.level(script);
        program.take(steps);
        if (before != one && when == When::Later) CHECK(program.level(script) != one);
        if (when == When::AtOnce) CHECK(program.level(script) == one);
        CHECK_MESSAGE(program.wait(script, one), "a loop that waits for ", one, " never ends");
    };
    change(script.raise, script.raised, true);
    const bool key = std::string(script.peripheral) == "MCE";  // valid until the next reset
    if (key) {
        block.reset_at(program.now);
        CHECK(program.wait(script, false));
        return;
    }
    change(script.drop, script.dropped, false);
    change(script.raise, script.raised, true);
}

bool is_register(const Row& row, const Script& script) {
    if (row.peripheral == "DMA") return script.offset == kChannel3 + row.offset;
    if (row.peripheral == "SAI") return script.offset == kSaiBlock + row.offset;
    return script.offset == row.offset;
}

}  // namespace

TEST_CASE("a loop that waits for a flag to be clear never ends: USB33RDY is zero, then one") {
    World world;
    Program program{world, *world.blocks.at("PWR")};
    const Script usb{"PWR", "USB33RDY", 0x3C, bit(18), {}, When::Later, {}, When::Later};
    program.take({{0x3C, bit(2)}});
    CHECK(program.wait(usb, false));  // while (USB33RDY);
    CHECK(program.wait(usb, true));   // while (!USB33RDY);
    // Another monitor of the same register does not start its time anew.
    program.take({{0x3C, 0}});
    CHECK(program.wait(usb, false));
    program.take({{0x3C, bit(2)}});
    program.now += 9'000'000;
    program.take({{0x3C, bit(2) | bit(0)}});
    program.now += 2'000'000;
    CHECK(program.level(usb));
}

TEST_CASE(
    "polled flags: every loop of the public drivers ends, or its peripheral is not modelled") {
    World world;
    const std::vector<Script> all = scripts();
    const std::vector<Row> rows = list();
    REQUIRE(rows.size() == 174);
    std::set<const Script*> played;
    std::set<std::string> missing;
    for (const Row& row : rows) {
        CAPTURE(row.peripheral);
        CAPTURE(row.flag);
        CAPTURE(row.level);
        const auto block = world.blocks.find(row.peripheral);
        if (block == world.blocks.end()) {
            missing.insert(row.peripheral);
            continue;
        }
        bool known = false;
        for (const Script& script : all) {
            if (row.peripheral != script.peripheral || row.flag != script.flag) continue;
            if (!is_register(row, script)) continue;
            known = true;
            if (played.insert(&script).second) play(world, script);
        }
        for (const Absent& absent : kAbsent) {
            if (row.peripheral != absent.peripheral || row.flag != absent.flag) continue;
            if (row.level[0] != absent.level) continue;
            known = true;
            const RegisterBlock::Answer answer =
                absent.named.read
                    ? block->second->read(absent.named.offset, 0)
                    : block->second->write(absent.named.offset, absent.named.value, kAll, 0);
            CHECK_FALSE(answer.modelled);
        }
        for (const Constant& constant : kConstants) {
            if (row.peripheral != constant.peripheral || row.flag != constant.flag) continue;
            if (row.level[0] != constant.level) continue;
            known = true;
            const unsigned position = static_cast<unsigned>(std::stoul(row.bits));
            const bool one = constant.level == '1';
            (void)block->second->write(row.offset, one ? 0 : bit(position), kAll, 0);
            CHECK(((block->second->read(row.offset, 0).value & bit(position)) != 0) == one);
        }
        // The next case, camera_test.cpp, dma_test.cpp, dma2d_test.cpp, ltdc_test.cpp,
        // rtc_test.cpp, sdmmc_test.cpp, cipher_units_test.cpp and pka_test.cpp: they need another
        // side, or time.
        const bool elsewhere = row.flag == "RXNE_RXFNE" || row.flag == "TCF or HTF" ||
                               row.flag == "ALRAF" || row.flag == "ALRBF" || row.flag == "WUTF" ||
                               row.flag == "TSF" || row.flag.ends_with("CPTACT") ||
                               row.flag == "VSYNCS" || row.peripheral == "DMA2D" ||
                               row.peripheral == "SDMMC" || row.peripheral == "CRYP" ||
                               row.peripheral == "SAES" || row.peripheral == "PKA";
        CHECK_MESSAGE((known || elsewhere),
                      "add this flag to scripts(), or to kConstants or kAbsent if nothing sets it");
    }
    // An address in no block is counted and named as not modelled.
    for (const std::string& name : missing) {
        CAPTURE(name);
        for (const memmap::Peripheral& row : memmap::kPeripherals)
            CHECK(std::string(row.type) != name);
    }
    // Flags of other sources than the list.
    for (const Script& script : all) {
        if (played.insert(&script).second) play(world, script);
    }
}

TEST_CASE("polled flags: RXNE of a serial port is one after a character, zero after its read") {
    World world;
    const auto isr = [&] {
        return world.uart->read(0x1C, sc_core::sc_time_stamp().value()).value & bit(5);
    };
    (void)world.uart->write(0x0C, 109, kAll, 0);
    (void)world.uart->write(0x00, 1 | bit(2), kAll, 0);
    CHECK(isr() == 0);
    world.uart->receive('x');
    sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_US));
    CHECK(isr() != 0);
    (void)world.uart->read(0x24, sc_core::sc_time_stamp().value());
    CHECK(isr() == 0);
}

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "memmap/interrupts.h"
#include "memmap/npu/units.h"
#include "memmap/peripherals.h"

namespace {

using namespace n6vp;

/// A line of the public table of peripherals.
struct Fact {
    std::uint32_t secure = 0;
    std::string enable, reset, filter, lines;
};

std::map<std::string, Fact> facts() {
    std::ifstream file(N6VP_PERIPHERAL_FACTS);
    std::map<std::string, Fact> all;
    std::string line;
    while (std::getline(file, line)) {
        if (line.starts_with("#") || line.starts_with("name,")) continue;
        std::istringstream words(line);
        std::string name, base;
        Fact fact;
        std::getline(words, name, ',');
        std::getline(words, base, ',');
        std::getline(words, fact.enable, ',');
        std::getline(words, fact.reset, ',');
        std::getline(words, fact.filter, ',');
        std::getline(words, fact.lines, ',');
        fact.secure = static_cast<std::uint32_t>(std::stoul(base, nullptr, 16));
        all[name] = fact;
    }
    return all;
}

/// Returns the clock bit as the table has it: "APB2ENR.SPI1EN@12".
std::string enable_text(const memmap::Peripheral& row) {
    const std::map<memmap::ClockBus, const char*> registers = {
        {memmap::ClockBus::Misc, "MISCENR"},      {memmap::ClockBus::Ahb1, "AHB1ENR"},
        {memmap::ClockBus::Ahb2, "AHB2ENR"},      {memmap::ClockBus::Ahb3, "AHB3ENR"},
        {memmap::ClockBus::Ahb4, "AHB4ENR"},      {memmap::ClockBus::Ahb5, "AHB5ENR"},
        {memmap::ClockBus::Apb1, "APB1ENR1"},     {memmap::ClockBus::Apb1High, "APB1ENR2"},
        {memmap::ClockBus::Apb2, "APB2ENR"},      {memmap::ClockBus::Apb4, "APB4ENR1"},
        {memmap::ClockBus::Apb4High, "APB4ENR2"}, {memmap::ClockBus::Apb5, "APB5ENR"}};
    if (!row.clock.exists()) return "";
    const std::string bit = row.clock.name != nullptr ? row.clock.name : row.name;
    return std::string(registers.at(row.clock.bus)) + "." + bit + "EN@" +
           std::to_string(row.clock.position);
}

/// Returns the lines as numbers, in the order of the row.
std::vector<unsigned> lines_of(const memmap::Peripheral& row) {
    std::vector<unsigned> lines;
    for (const memmap::Interrupt& run : row.interrupts) {
        for (unsigned i = 0; run.name != nullptr && i < run.count; ++i)
            lines.push_back(run.first + i);
    }
    return lines;
}

std::vector<unsigned> lines_of(const std::string& text) {
    std::vector<unsigned> lines;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        lines.push_back(static_cast<unsigned>(std::stoul(word.substr(word.rfind(':') + 1))));
    }
    return lines;
}

std::uint32_t base_of(const std::string& name) {
    for (const memmap::Peripheral& row : memmap::kPeripherals) {
        if (name == row.name) return to_word(row.secure);
    }
    return 0;
}

std::uint16_t line_of(const std::string& name) {
    for (const memmap::Interrupt& row : memmap::kInterrupts) {
        if (name == row.name) return row.first;
    }
    return 0xFFFF;
}

}  // namespace

TEST_CASE("peripherals stand at their documented bases and resolve from both aliases") {
    const std::map<std::string, Fact> all = facts();
    REQUIRE(all.size() > 140);
    for (const memmap::Peripheral& row : memmap::kPeripherals) {
        CAPTURE(std::string(row.name));
        REQUIRE_MESSAGE(all.contains(row.name), "no such peripheral in data/peripherals.csv");
        const std::uint32_t secure = all.at(row.name).secure;
        CHECK(to_word(row.secure) == secure);
        const memmap::PeripheralHit hit = memmap::find_peripheral(GuestAddr{secure + 8});
        REQUIRE(hit);
        CHECK(hit.peripheral == &row);
        CHECK(hit.secure);
        CHECK(hit.offset == 8);
        if (std::strcmp(row.name, "IAC") == 0) continue;
        const memmap::PeripheralHit low = memmap::find_peripheral(GuestAddr{secure - 0x10000000});
        REQUIRE(low);
        CHECK(low.peripheral == &row);
        CHECK_FALSE(low.secure);
    }
    CHECK(memmap::kPeripheralCount >= 63);
    CHECK(memmap::kNpuBytes == memmap::npu::kWindowBytes);
}

TEST_CASE("a missing clock gate, filter or interrupt line of a peripheral is no secret") {
    const std::map<std::string, Fact> all = facts();
    for (const memmap::Peripheral& row : memmap::kPeripherals) {
        CAPTURE(std::string(row.name));
        REQUIRE(all.contains(row.name));
        const Fact& fact = all.at(row.name);
        // Of several gates, such as those of ETH1, the last one is that of the registers.
        CHECK(enable_text(row) == fact.enable.substr(fact.enable.rfind(' ') + 1));
        CHECK(row.clock.resets == !fact.reset.empty());
        CHECK(row.filter.index == (fact.filter.empty() ? -1 : std::stoi(fact.filter)));
        CHECK(lines_of(row) == lines_of(fact.lines));
    }
}

TEST_CASE("RISAF blocks follow their three base formulas") {
    for (std::uint32_t n = 1; n <= 9; ++n) {
        CHECK(base_of("RISAF" + std::to_string(n)) == 0x54026000 + 0x1000 * (n - 1));
    }
    for (std::uint32_t n = 11; n <= 15; ++n) {
        CHECK(base_of("RISAF" + std::to_string(n)) == 0x54030000 + 0x1000 * (n - 11));
    }
    for (std::uint32_t n = 21; n <= 23; ++n) {
        CHECK(base_of("RISAF" + std::to_string(n)) == 0x54035000 + 0x1000 * (n - 21));
    }
    CHECK(base_of("RISAF10") == 0);
}

TEST_CASE("addresses outside the peripheral space are no peripheral") {
    CHECK_FALSE(memmap::find_peripheral(GuestAddr{0x34000000}));
    CHECK_FALSE(memmap::find_peripheral(GuestAddr{0x60000000}));
    CHECK(memmap::find_peripheral(GuestAddr{0x5FFFFFFF}));
    // The illegal-access controller has no non-secure alias: RIFSC is the last known block below.
    const memmap::PeripheralHit hit = memmap::find_peripheral(GuestAddr{0x44025000});
    REQUIRE(hit);
    CHECK(std::string(hit.peripheral->name) == "RIFSC");
}

TEST_CASE("interrupt lines are the documented ones") {
    CHECK(line_of("NPU0") == 53);
    CHECK(line_of("NPU3") == 56);
    CHECK(line_of("CACHEAXI") == 57);
    CHECK(line_of("IAC") == 13);
    CHECK(line_of("RIFSC_TAMPER") == 12);
    CHECK(line_of("CACHE_ECC") == 5);
    CHECK(line_of("TCM_ECC") == 6);
    CHECK(line_of("BKP_ECC") == 7);
    CHECK(line_of("PAHB_ERR") == 52);
    CHECK(line_of("USART1") == 159);
    CHECK(line_of("LPUART1") == 169);
    CHECK(line_of("XSPI1") == 170);
    CHECK(line_of("XSPI3") == 172);
    CHECK(line_of("FMC") == 173);
    CHECK(line_of("MCE4") == 45);
    CHECK(line_of("RNG") == 40);
    CHECK(line_of("TIM2") == 116);
    CHECK(line_of("TIM5") == 119);
    CHECK(memmap::interrupt_line("USART1") == 159);
    CHECK(memmap::interrupt_line("NPU0") == 53);
    CHECK(memmap::interrupt_line("FMC") == 173);
    CHECK(memmap::interrupt_on_line(68) == memmap::interrupt_on_line(83));
    CHECK(std::string(memmap::interrupt_on_line(84)->name) == "GPDMA1");
    CHECK(std::string(memmap::interrupt_on_line(100)->name) == "I2C1_EV");
    CHECK(memmap::interrupt_on_line(190) == nullptr);
    CHECK(memmap::interrupt_on_line(memmap::kNpuDefaultLine) == memmap::interrupt_on_line(53));
}

TEST_CASE("RAM configuration banks are 0x80 apart, in the documented order") {
    const char* const order[] = {"AXISRAM1", "AXISRAM2", "AXISRAM3", "AXISRAM4",
                                 "AXISRAM5", "AXISRAM6", "AHBSRAM1", "AHBSRAM2",
                                 "VENCRAM",  "BKPSRAM",  "FLEXMEM"};
    std::uint32_t index = 0;
    for (const memmap::RamConfigBank& bank : memmap::kRamConfigBanks) {
        REQUIRE(index < sizeof order / sizeof order[0]);
        CHECK(std::string(bank.name) == order[index]);
        CHECK(bank.offset == 0x80 * index);
        ++index;
    }
    CHECK(index == sizeof order / sizeof order[0]);
}

// SPDX-License-Identifier: Apache-2.0
// Every register of a peripheral has its reset value, keeps the bits that it has, one by one and
// byte by byte, and loses them by a reset. Source of data/register_bits.csv: CMSIS SVD of the chip.
#include <doctest/doctest.h>

#include <cctype>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "models/soc/audio/mdf.h"
#include "models/soc/timer.h"
#include "models/soc/wwdg.h"
#include "tests/models/soc/dma_bench.h"
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
    std::uint32_t kept = 0;      ///< of its bits, those that a write alone sets and clears
    std::uint32_t constant = 0;  ///< ones whatever is written
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

struct Write {
    std::uint32_t offset, value;
};

/// How the registers of a peripheral differ from "every bit that it has is kept".
struct Rules {
    std::vector<Write> before;  ///< what makes the registers writable
    std::vector<Special> specials;
    bool others_are_zero = false;  ///< a bit that a register does not have is zero
};

class Bits {
  public:
    Bits(RegisterBlock& block, const Rules& rules) : block_(block), rules_(rules) {}

    void check(const Row& row) {
        CAPTURE(row.block);
        CAPTURE(row.name);
        const Special* special = nullptr;
        for (const Special& each : rules_.specials)
            if (matches(each.name, row.name)) special = &each;
        fresh();
        REQUIRE(block_.read(row.offset, 0).name[0] != '\0');
        if (row.readable) CHECK(get(row) == row.reset);
        if (special == nullptr && !row.readable) return;
        const std::uint32_t constant = special != nullptr ? special->constant : 0;
        const std::uint32_t kept = special != nullptr ? special->kept : row.writable ? row.bits : 0;
        for (const Write& write : rules_.before) set(write.offset, write.value, kAll);
        if (kept == 0) return check_fixed(row, special != nullptr);
        for (std::uint32_t left = kept; left != 0; left &= left - 1) {
            const std::uint32_t bit = left & -left;
            CAPTURE(bit);
            set(row.offset, bit, kAll);
            CHECK((get(row) & kept) == bit);
            CHECK((get(row) & constant) == constant);
            set(row.offset, 0, kAll);
            CHECK((get(row) & kept) == 0);
        }
        for (const std::uint32_t lane : {0xFFu, 0xFF00u, 0xFF0000u, 0xFF000000u}) {
            CAPTURE(lane);
            set(row.offset, kept, lane);
            CHECK((get(row) & kept) == (kept & lane));
            set(row.offset, kept, kAll);
            set(row.offset, 0, lane);
            CHECK((get(row) & kept) == (kept & ~lane));
            set(row.offset, 0, kAll);
        }
        if (rules_.others_are_zero && kept == (row.bits & ~constant)) {
            set(row.offset, kAll, kAll);
            CHECK(get(row) == (kept | constant));
        }
        fresh();
        CHECK(get(row) == row.reset);
    }

  private:
    void fresh() { block_.reset_at(0); }
    std::uint32_t get(const Row& row) { return block_.read(row.offset, 0).value; }
    void set(std::uint32_t offset, std::uint32_t value, std::uint32_t mask) {
        (void)block_.write(offset, value, mask, 0);
    }
    /// A register that software only reads. One that a write commands something has its own test.
    void check_fixed(const Row& row, bool commanded) {
        if (commanded || !row.readable) return;
        const std::uint32_t value = get(row);
        for (const std::uint32_t written : {0u, kAll}) {
            set(row.offset, written, kAll);
            CHECK(get(row) == value);
        }
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

}  // namespace

TEST_CASE("register bits: serial ports") {
    World world;
    check_block(*world.blocks.at("USART"), "USART1", 12, {});
    Uart low("lpuart", "LPUART1", Uart::Kind::LowPower);
    check_block(low, "LPUART1", 10, {});
}

TEST_CASE("register bits: SPI") {
    World world;
    check_block(*world.blocks.at("SPI"), "SPI1", 14, {});
}

TEST_CASE("register bits: I2C") {
    World world;
    check_block(*world.blocks.at("I2C"), "I2C1", 11, {});
}

TEST_CASE("register bits: timers") {
    for (const char* const name : {"TIM1", "TIM2", "TIM6", "TIM15", "TIM10", "TIM12"}) {
        Timer timer(name, name, timer_layout(name, true));
        timer.on_request = [](unsigned, bool, Picoseconds) {};
        check_block(timer, name, rows_of(name).size(), {});
    }
}

TEST_CASE("register bits: low-power timers") {
    World world;
    check_block(*world.blocks.at("LPTIM"), "LPTIM1", 12, {});
    check_block(*world.blocks.at("LPTIM"), "LPTIM4", 12, {});
}

TEST_CASE("register bits: RTC") {
    World world;
    check_block(*world.blocks.at("RTC"), "RTC", 25, {});
}

TEST_CASE("register bits: watchdogs") {
    World world;
    check_block(*world.blocks.at("IWDG"), "IWDG", 7, {});
    Wwdg dog("dog", "WWDG");
    check_block(dog, "WWDG", 3, {});
}

TEST_CASE("register bits: MDF and ADF") {
    SoundSource microphone;
    Mdf filters("mdf1", "MDF1", Mdf::Kind::MultiFunction, microphone);
    check_block(filters, "MDF1", 98, {});
    Mdf audio("adf1", "ADF1", Mdf::Kind::Audio, microphone);
    check_block(audio, "ADF", 15, {});
}

TEST_CASE("register bits: SAI") {
    World world;
    check_block(*world.blocks.at("SAI"), "SAI1", 19, {});
}

TEST_CASE("register bits: DCMIPP") {
    World world;
    check_block(*world.blocks.at("DCMIPP"), "DCMIPP", 240, {});
}

TEST_CASE("register bits: LTDC") {
    World world;
    check_block(*world.blocks.at("LTDC"), "LTDC", 70, {});
}

TEST_CASE("register bits: GPDMA") {
    n6vp::test::DmaBench bench;
    check_block(bench.dma, "GPDMA", 173, {});
}

TEST_CASE("register bits: HPDMA") {
    n6vp::test::DmaBench bench(dma::Controller::Kind::HighPerformance);
    check_block(bench.dma, "HPDMA", 205, {});
}

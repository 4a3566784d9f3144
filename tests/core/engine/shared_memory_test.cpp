// SPDX-License-Identifier: Apache-2.0
// Memory that changes hands or contents while the core waits for the bus.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "models/core/core.h"
#include "tests/core/engine/bare_system.h"

using namespace n6vp::models::core;

namespace {

constexpr std::uint32_t kCode = 0x10000000, kData = 0x20000000, kBytes = 0x2000;

/// Code, and data whose backing can be exchanged. Before a data access is done, `others_run` is.
struct Bus : CoreBus {
    struct Access {
        std::uint32_t address = 0;
        std::size_t bytes = 0;
        bool write = false;
        bool privileged = false;
    };

    BusAnswer read(std::uint32_t address, std::span<std::uint8_t> to, const BusAttributes& with,
                   std::uint64_t /*at*/) override {
        note(address, to.size(), false, with);
        std::memcpy(to.data(), find(address), to.size());
        return {true, false, 7, 0};
    }
    BusAnswer write(std::uint32_t address, std::span<const std::uint8_t> from,
                    const BusAttributes& with, std::uint64_t /*at*/) override {
        note(address, from.size(), true, with);
        std::memcpy(find(address), from.data(), from.size());
        return {true, false, 7, 0};
    }
    DirectMemory direct(std::uint32_t address, const BusAttributes& /*attributes*/) override {
        if (address < kData) return {code.data(), kCode, kCode + (kBytes - 1), true, true};
        if (!granted) return {};
        return {data[bank].data(), kData, kData + (kBytes - 1), true, true};
    }
    void note(std::uint32_t address, std::size_t bytes, bool write, const BusAttributes& with) {
        if (address < kData) return;
        accesses.push_back({address, bytes, write, with.privileged});
        if (others_run) others_run(address);
    }
    std::uint8_t* find(std::uint32_t address) {
        return address < kData ? code.data() + (address - kCode)
                               : data[bank].data() + (address - kData);
    }
    [[nodiscard]] std::uint32_t word(unsigned of_bank, std::uint32_t offset) const {
        std::uint32_t value = 0;
        std::memcpy(&value, data[of_bank].data() + offset, sizeof value);
        return value;
    }
    void set_word(unsigned of_bank, std::uint32_t offset, std::uint32_t value) {
        std::memcpy(data[of_bank].data() + offset, &value, sizeof value);
    }

    std::vector<std::uint8_t> code = std::vector<std::uint8_t>(kBytes);
    std::array<std::vector<std::uint8_t>, 2> data{std::vector<std::uint8_t>(kBytes),
                                                  std::vector<std::uint8_t>(kBytes)};
    unsigned bank = 0;
    bool granted = true;
    std::vector<Access> accesses;
    std::function<void(std::uint32_t address)> others_run;
};

/// All data are of a device, or else Normal and cacheable.
struct DeviceSystem : n6vp::tests::BareSystem {
    explicit DeviceSystem(bool is_device) : device(is_device) {}
    Permission check(const CpuState& cpu, std::uint32_t address, Intent intent, bool privileged,
                     bool secure) override {
        Permission permission = BareSystem::check(cpu, address, intent, privileged, secure);
        if (device && address >= kData) {
            permission.device = true;
            permission.cacheable = permission.write_back = false;
        }
        return permission;
    }
    bool device;
};

struct Bench {
    explicit Bench(Timing timing, bool device = false)
        : core(with(timing), bus, std::make_unique<DeviceSystem>(device)) {
        core.reset();
        core.set_reg(0, kData);
    }
    static CoreConfig with(Timing timing) {
        CoreConfig config;
        config.timing = timing;
        return config;
    }
    /// Runs to the end of `program`.
    void run(const std::vector<std::uint16_t>& program) {
        std::uint8_t* to = bus.code.data();
        const auto put = [&to](std::uint16_t halfword) {
            std::memcpy(to, &halfword, 2);
            to += 2;
        };
        for (const std::uint16_t halfword : program) put(halfword);
        put(0xBEAB);  // semihosting call
        core.invalidate(kCode, kCode + (kBytes - 1));
        core.set_pc(kCode);
        CHECK(core.run(100'000) == Stop::Semihosting);
    }

    Bus bus;
    Core core;
};

constexpr std::uint32_t kOffset = 64;  // another line than the first, same page

/// While the core waits for the line at kOffset, its memory moves to the other bank.
struct Move {
    explicit Move(Bench& bench, bool grants_again) {
        bench.bus.set_word(0, kOffset, 0xAAAAAAAA);
        bench.bus.set_word(1, kOffset, 0xBBBBBBBB);
        bench.bus.set_word(1, kOffset + 4, 0xCCCCCCCC);
        bench.bus.others_run = [&bench, grants_again](std::uint32_t address) {
            if (address != kData + kOffset || bench.bus.bank != 0) return;
            bench.bus.bank = 1;
            bench.bus.granted = grants_again;
            bench.core.invalidate(kData, kData + (kBytes - 1));
        };
        bench.core.set_reg(1, 0x11111111);
        bench.core.set_reg(3, 0x33333333);
    }
};

constexpr std::uint16_t kKnowPage = 0x6802;  // ldr r2,[r0]

}  // namespace

TEST_CASE("a load does not read memory that was taken away while it waited") {
    for (const bool grants_again : {false, true}) {
        for (const std::vector<std::uint16_t>& program :
             {std::vector<std::uint16_t>{kKnowPage, 0x6C01},  // ldr r1,[r0,#64]
              {0x6C01},                                       // page not known
              {kKnowPage, 0xF850, 0x1E40},                    // ldrt r1,[r0,#64]
              {kKnowPage, 0xE9D0, 0x1310},                    // ldrd r1,r3,[r0,#64]
              {kKnowPage, 0x3040, 0xC80A}}) {                 // ldm r0!,{r1,r3}
            Bench bench(Timing::Approx);
            const Move move(bench, grants_again);
            bench.run(program);
            CHECK(bench.bus.bank == 1);
            CHECK(bench.core.reg(1) == 0xBBBBBBBB);
            CHECK((bench.core.reg(3) == 0xCCCCCCCC || bench.core.reg(3) == 0x33333333));
        }
    }
}

TEST_CASE("a store does not write memory that was taken away while it waited") {
    for (const bool grants_again : {false, true}) {
        for (const std::vector<std::uint16_t>& program :
             {std::vector<std::uint16_t>{kKnowPage, 0x6401},  // str r1,[r0,#64]
              {0x6401},                                       // page not known
              {kKnowPage, 0xF840, 0x1E40},                    // strt r1,[r0,#64]
              {kKnowPage, 0xE9C0, 0x1310},                    // strd r1,r3,[r0,#64]
              {kKnowPage, 0x3040, 0xC00A}}) {                 // stm r0!,{r1,r3}
            Bench bench(Timing::Approx);
            const Move move(bench, grants_again);
            bench.run(program);
            CHECK(bench.bus.bank == 1);
            CHECK(bench.bus.word(0, kOffset) == 0xAAAAAAAA);
            CHECK(bench.bus.word(1, kOffset) == 0x11111111);
        }
    }
}

TEST_CASE("a byte stored past the cache does not undo what another master writes beside it") {
    for (const bool device : {false, true}) {
        Bench bench(Timing::Approx, device);
        bench.bus.others_run = [&bench](std::uint32_t /*address*/) {
            bench.bus.data[0][0] = 0x50;
            bench.bus.data[0][2] = 0x52;
            bench.bus.data[0][3] = 0x53;
        };
        bench.core.set_reg(1, 0x77);
        bench.run({0x7041});  // strb r1,[r0,#1]
        CHECK(bench.bus.word(0, 0) == 0x53527750);
        REQUIRE(bench.bus.accesses.size() == 1);
        CHECK(bench.bus.accesses[0].write);
        CHECK(bench.bus.accesses[0].address == kData + 1);
        CHECK(bench.bus.accesses[0].bytes == 1);
    }
}

TEST_CASE("what the program calls a device is accessed over the bus, even with direct memory") {
    for (const Timing timing : {Timing::Functional, Timing::Approx}) {
        Bench bench(timing, true);
        bench.bus.set_word(0, 0, 0x12345678);
        bench.core.set_reg(1, 0x99);
        // ldr r2,[r0]; ldr r2,[r0]; str r1,[r0]; ldrh r3,[r0]
        bench.run({0x6802, 0x6802, 0x6001, 0x8803});
        CHECK(bench.core.reg(2) == 0x12345678);
        CHECK(bench.core.reg(3) == 0x99);
        REQUIRE(bench.bus.accesses.size() == 4);
        const std::array<std::pair<bool, std::size_t>, 4> expected{
            {{false, 4}, {false, 4}, {true, 4}, {false, 2}}};
        for (std::size_t i = 0; i < expected.size(); ++i) {
            CHECK(bench.bus.accesses[i].write == expected[i].first);
            CHECK(bench.bus.accesses[i].bytes == expected[i].second);
        }
    }
}

TEST_CASE("unprivileged loads and stores are unprivileged on the bus") {
    for (const auto& [timing, device, granted] :
         {std::tuple{Timing::Functional, true, false}, std::tuple{Timing::Functional, false, false},
          std::tuple{Timing::Approx, true, true}, std::tuple{Timing::Approx, false, true}}) {
        Bench bench(timing, device);
        bench.bus.granted = granted;
        // ldrt r2,[r0]; strt r1,[r0]; ldr r2,[r0]; str r1,[r0]
        bench.run({0xF850, 0x2E00, 0xF840, 0x1E00, 0x6802, 0x6001});
        REQUIRE(bench.bus.accesses.size() == 4);
        CHECK_FALSE(bench.bus.accesses[0].privileged);
        CHECK_FALSE(bench.bus.accesses[1].privileged);
        CHECK(bench.bus.accesses[2].privileged);
        CHECK(bench.bus.accesses[3].privileged);
        CHECK(bench.core.state().privileged);
    }
}

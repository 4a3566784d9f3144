// SPDX-License-Identifier: Apache-2.0
// MPUs and SAU at random against the rules of the Armv7-M and Armv8-M manuals, typed a second time
// and asked address by address.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/core/system/protection.h"

using namespace n6vp::models::core;

namespace {

constexpr std::uint32_t kControl = 0x94, kNumber = 0x98, kBase = 0x9C, kLimit = 0xA0;
constexpr std::uint32_t kSauControl = 0xD0, kSauNumber = 0xD8, kSauBase = 0xDC, kSauLimit = 0xE0;
constexpr std::uint32_t kArena = 0x20000000, kArenaBytes = 0x4000, kPageBytes = 0x1000;
constexpr std::array<Intent, 3> kIntents{Intent::Read, Intent::Write, Intent::Execute};

class Random {
  public:
    std::uint32_t below(std::uint32_t end) {
        seed_ = seed_ * 1664525 + 1013904223;
        return (seed_ >> 8) % end;
    }

  private:
    std::uint32_t seed_ = 7;
};

struct Memory {
    bool allowed = false, device = false, cacheable = false, write_back = false;
    bool operator==(const Memory&) const = default;
};
Memory memory_of(const Permission& permission) {
    if (!permission.allowed) return {};
    return {true, permission.device, permission.cacheable, permission.write_back};
}

/// Of SRAM in the default memory map: executable, write-back.
constexpr Memory kSram{true, false, true, true};

struct RegionV8 {
    std::uint32_t start = 0, end = 0;
    bool on = false, executes = true, for_all = false, read_only = false,
         privileged_executes = true;
    unsigned attribute = 0;
};

/// Device, non-cacheable, write-through, write-back; of the inner half of MAIR. 0 is not defined.
constexpr std::array<unsigned, 8> kAttributes{0x00, 0x44, 0x4A, 0xFF, 0xBB, 0x47, 0x04, 0x11};
constexpr std::array<Memory, 8> kMemories{{{true, true, false, false},
                                           {true, false, false, false},
                                           {true, false, true, false},
                                           {true, false, true, true},
                                           {true, false, true, false},
                                           {true, false, true, true},
                                           {true, true, false, false},
                                           {true, false, true, false}}};

Memory expected_v8(const std::vector<RegionV8>& regions, std::uint32_t address, Intent intent,
                   bool privileged, bool has_default) {
    std::optional<RegionV8> hit;
    for (const RegionV8& each : regions) {
        if (!each.on || address < each.start || address > each.end) continue;
        if (hit) return {};  // overlapping regions fault
        hit = each;
    }
    if (!hit) return privileged && has_default ? kSram : Memory{};
    if (!privileged && !hit->for_all) return {};
    if (intent == Intent::Write && hit->read_only) return {};
    if (intent == Intent::Execute && !hit->executes) return {};
    if (intent == Intent::Execute && privileged && !hit->privileged_executes) return {};
    return kMemories[hit->attribute];
}

struct RegionOfV7 {
    std::uint64_t start = 0, bytes = 0;
    bool on = false, executes = true;
    unsigned disabled = 0, access = 0, type = 0;
};

/// TEX, C and B of the Armv7-M manual, not shareable; the inner policy.
struct Type {
    unsigned tex, c, b;
    Memory memory;
};
constexpr std::array<Type, 10> kTypes{{{0, 0, 0, {true, true, false, false}},
                                       {0, 0, 1, {true, true, false, false}},
                                       {0, 1, 0, {true, false, true, false}},
                                       {0, 1, 1, {true, false, true, true}},
                                       {1, 0, 0, {true, false, false, false}},
                                       {1, 1, 1, {true, false, true, true}},
                                       {2, 0, 0, {true, true, false, false}},
                                       {5, 0, 0, {true, false, false, false}},
                                       {4, 0, 1, {true, false, true, true}},
                                       {7, 1, 0, {true, false, true, false}}}};

/// Table of AP: what privileged and unprivileged code may do.
struct Rights {
    bool reads, writes, all_read, all_write;
};
constexpr std::array<Rights, 8> kRights{{{false, false, false, false},
                                         {true, true, false, false},
                                         {true, true, true, false},
                                         {true, true, true, true},
                                         {false, false, false, false},
                                         {true, false, false, false},
                                         {true, false, true, false},
                                         {true, false, true, false}}};

Memory expected_v7(const std::vector<RegionOfV7>& regions, std::uint32_t address, Intent intent,
                   bool privileged, bool has_default) {
    std::optional<RegionOfV7> hit;
    for (const RegionOfV7& each : regions) {
        if (!each.on || address < each.start || address >= each.start + each.bytes) continue;
        const std::uint64_t eighth = (address - each.start) * 8 / each.bytes;
        if (each.bytes >= 256 && (each.disabled >> eighth & 1) != 0) continue;
        hit = each;  // the last one decides
    }
    if (!hit) return privileged && has_default ? kSram : Memory{};
    const Rights& rights = kRights[hit->access];
    const bool reads = privileged ? rights.reads : rights.all_read;
    const bool writes = privileged ? rights.writes : rights.all_write;
    if (intent == Intent::Write ? !writes : !reads) return {};
    if (intent == Intent::Execute && !hit->executes) return {};
    return kTypes[hit->type].memory;
}

/// Every answer for an address; a page that is called uniform has the same one everywhere.
template <class Expected>
void compare(const Protection& protection, std::uint32_t address, Expected&& expected) {
    for (const Intent intent : kIntents) {
        for (const bool privileged : {false, true}) {
            CAPTURE(address);
            CAPTURE(intent);
            CAPTURE(privileged);
            const Permission found = protection.check(address, intent, privileged, true, false);
            const Memory wanted = expected(address, intent, privileged);
            REQUIRE(memory_of(found) == wanted);
            if (!found.allowed) {
                REQUIRE(found.fault.exception == Exception::MemManage);
                const bool fetch = intent == Intent::Execute;
                REQUIRE(found.fault.status == (fetch ? cfsr::kIaccViol : cfsr::kDaccViol));
                REQUIRE(found.fault.address == (fetch ? 0 : address));
                REQUIRE(found.fault.address_valid == !fetch);
            }
            if (!found.uniform_page) continue;
            const std::uint32_t page = address & ~(kPageBytes - 1);
            for (std::uint32_t at = page; at < page + kPageBytes; at += 16)
                REQUIRE(expected(at, intent, privileged) == wanted);
        }
    }
}

/// An address near something that begins or ends.
std::uint32_t near(Random& random) {
    const std::uint32_t at = kArena + 32 * random.below(kArenaBytes / 32);
    return random.below(2) == 0 ? at : at + 31;
}

}  // namespace

TEST_CASE("PMSAv8: regions, rights and attributes, random, each address by itself") {
    SystemConfig config;
    Protection protection(config);
    Random random;
    for (unsigned half = 0; half < 2; ++half) {
        std::uint32_t word = 0;
        for (unsigned i = 0; i < 4; ++i) word |= kAttributes[4 * half + i] << (8 * i);
        protection.write_mpu(0xC0 + 4 * half, true, word);
        CHECK(protection.read_mpu(0xC0 + 4 * half, true) == word);
    }
    for (unsigned round = 0; round < 150; ++round) {
        CAPTURE(round);
        const bool has_default = random.below(2) == 0;
        protection.write_mpu(kControl, true, 1 | (has_default ? 4u : 0));
        std::vector<RegionV8> regions;
        for (unsigned i = 0; i < config.core.mpu_regions; ++i) {
            RegionV8 region;
            region.on = i < 4 && random.below(4) != 0;
            region.start = kArena + 32 * random.below(kArenaBytes / 32);
            const std::uint32_t granules = random.below(2) == 0 ? 1 : 1 + random.below(200);
            region.end = region.start + 32 * granules - 1;
            // Whole pages, and one that ends before it begins.
            if (random.below(4) == 0) {
                region.start &= ~(kPageBytes - 1);
                region.end |= kPageBytes - 1;
            }
            if (random.below(10) == 0) region.end = region.start - 1;
            region.executes = random.below(2) == 0;
            region.for_all = random.below(2) == 0;
            region.read_only = random.below(2) == 0;
            region.privileged_executes = random.below(2) == 0;
            region.attribute = random.below(8);
            regions.push_back(region);
            protection.write_mpu(kNumber, true, i);
            protection.write_mpu(kBase, true,
                                 region.start | (region.read_only ? 4u : 0) |
                                     (region.for_all ? 2u : 0) | (region.executes ? 0 : 1u));
            protection.write_mpu(kLimit, true,
                                 (region.end & ~31u) | (region.privileged_executes ? 0 : 0x10u) |
                                     region.attribute << 1 | (region.on ? 1u : 0));
        }
        for (unsigned i = 0; i < 60; ++i) {
            compare(protection, near(random),
                    [&](std::uint32_t address, Intent intent, bool privileged) {
                        return expected_v8(regions, address, intent, privileged, has_default);
                    });
        }
        // The other state's MPU is off; so is this one below priority zero.
        const std::uint32_t address = near(random);
        CHECK(memory_of(protection.check(address, Intent::Write, false, true, true)) == kSram);
        CHECK(memory_of(protection.check_vector(address, true)) == kSram);
    }
}

TEST_CASE("PMSAv7: regions, subregions and rights, random, each address by itself") {
    SystemConfig config;
    config.core = cortex_m4();
    Protection protection(config);
    Random random;
    for (unsigned round = 0; round < 150; ++round) {
        CAPTURE(round);
        const bool has_default = random.below(2) == 0;
        protection.write_mpu(kControl, true, 1 | (has_default ? 4u : 0));
        std::vector<RegionOfV7> regions;
        for (unsigned i = 0; i < 8; ++i) {
            RegionOfV7 region;
            const unsigned log2 = 5 + random.below(10);
            region.bytes = 1u << log2;
            region.start = kArena + region.bytes * random.below(kArenaBytes >> log2);
            region.on = i < 5 && random.below(4) != 0;
            region.executes = random.below(2) == 0;
            region.disabled = random.below(2) == 0 ? 0 : random.below(256);
            region.access = random.below(8);
            region.type = random.below(kTypes.size());
            regions.push_back(region);
            const Type& type = kTypes[region.type];
            protection.write_mpu(kBase, true, static_cast<std::uint32_t>(region.start) | 0x10 | i);
            protection.write_mpu(kLimit, true,
                                 (region.executes ? 0 : 1u << 28) | region.access << 24 |
                                     type.tex << 19 | type.c << 17 | type.b << 16 |
                                     region.disabled << 8 | (log2 - 1) << 1 | (region.on ? 1u : 0));
        }
        for (unsigned i = 0; i < 60; ++i) {
            compare(protection, near(random),
                    [&](std::uint32_t address, Intent intent, bool privileged) {
                        return expected_v7(regions, address, intent, privileged, has_default);
                    });
        }
    }
    // A region of 4 GB is all there is.
    protection.reset();
    protection.write_mpu(kLimit, true, 6u << 24 | 1u << 17 | 31u << 1 | 1);
    protection.write_mpu(kControl, true, 1);
    for (const std::uint32_t address : {0u, 0x20000000u, 0x7FFFFFFFu, 0xDFFFFFFFu}) {
        CHECK(protection.check(address, Intent::Read, false, true, false).allowed);
        CHECK_FALSE(protection.check(address, Intent::Write, true, true, false).allowed);
    }
}

TEST_CASE("PMSAv7: RBAR chooses its region by VALID, and keeps the address without it") {
    SystemConfig config;
    config.core = cortex_m4();
    Protection protection(config);
    CHECK(protection.read_mpu(0x90, true) == 8u << 8);
    protection.write_mpu(kNumber, true, 7);
    CHECK(protection.read_mpu(kNumber, true) == 7);
    protection.write_mpu(kNumber, true, 8);
    CHECK(protection.read_mpu(kNumber, true) == 7);
    protection.write_mpu(kBase, true, 0x20000103);  // no VALID: the number does not count
    CHECK(protection.read_mpu(kBase, true) == (0x20000100 | 7));
    protection.write_mpu(kBase, true, 0x20000200 | 1u << 4 | 3);
    CHECK(protection.read_mpu(kNumber, true) == 3);
    CHECK(protection.read_mpu(kBase, true) == (0x20000200 | 3));
    protection.write_mpu(kBase, true, 0x20000300 | 1u << 4 | 8);  // there is none
    CHECK(protection.read_mpu(kNumber, true) == 3);
    CHECK(protection.read_mpu(kBase, true) == (0x20000200 | 3));
    protection.write_mpu(kLimit, true, 0xFFFFFFFF);
    CHECK(protection.read_mpu(kLimit, true) == 0x173FFF3F);
    CHECK(protection.read_mpu(0xC0, true) == 0);
}

TEST_CASE("MPU: HFNMIENA and ENABLE decide whether a negative priority passes it") {
    SystemConfig config;
    Protection protection(config);
    for (std::uint32_t control = 0; control < 8; ++control) {
        CAPTURE(control);
        protection.write_mpu(kControl, true, control | 0xFFFFFFF8);
        CHECK(protection.read_mpu(kControl, true) == control);
        CHECK(protection.bypassable(true) == ((control & 3) == 1));
        CHECK_FALSE(protection.bypassable(false));
    }
}

TEST_CASE("default memory map: device, cache policy and execution, eighth by eighth") {
    SystemConfig config;
    const Protection protection(config);
    // Write-through code, write-back SRAM, peripherals, twice external RAM, twice devices.
    constexpr std::array<Memory, 7> kMap{{{true, false, true, false},
                                          kSram,
                                          {true, true, false, false},
                                          kSram,
                                          {true, false, true, false},
                                          {true, true, false, false},
                                          {true, true, false, false}}};
    for (std::uint32_t eighth = 0; eighth < 7; ++eighth) {
        for (const std::uint32_t offset : {0u, 0x1FFFFFFFu}) {
            CAPTURE(eighth);
            const std::uint32_t address = eighth << 29 | offset;
            const Memory& map = kMap[eighth];
            for (const Intent intent : {Intent::Read, Intent::Write})
                CHECK(memory_of(protection.check(address, intent, false, true, false)) == map);
            CHECK(protection.check(address, Intent::Execute, true, true, false).allowed ==
                  !map.device);
        }
    }
    // The private bus is not executed, and only for privileged code; behind it is the vendor's.
    for (const std::uint32_t address : {0xE0000000u, 0xE000ED00u, 0xE00FFFFFu}) {
        CAPTURE(address);
        CHECK(protection.check(address, Intent::Read, true, true, false).allowed);
        CHECK_FALSE(protection.check(address, Intent::Execute, true, true, false).allowed);
        const Permission denied = protection.check(address, Intent::Write, false, true, false);
        CHECK_FALSE(denied.allowed);
        CHECK(denied.fault.exception == Exception::BusFault);
        CHECK(denied.fault.address == address);
    }
    CHECK(protection.check(0xE0100000, Intent::Read, false, true, false).allowed);
    CHECK(protection.check(0xDFFFFFFF, Intent::Read, false, true, false).allowed);
}

TEST_CASE("SAU: random regions, both states, data and code") {
    SystemConfig config;
    Protection protection(config);
    Random random;
    struct Region {
        std::uint32_t start = 0, end = 0;
        bool on = false, callable = false;
    };
    enum class State { Secure, Callable, Open };
    for (unsigned round = 0; round < 150; ++round) {
        CAPTURE(round);
        const std::uint32_t control = random.below(8) == 0 ? random.below(3) : 1;
        protection.write_sau(kSauControl, control);
        std::vector<Region> regions;
        for (unsigned i = 0; i < 8; ++i) {
            Region region;
            region.start = kArena + 32 * random.below(kArenaBytes / 32);
            region.end = region.start + 32 * (1 + random.below(200)) - 1;
            region.on = random.below(2) == 0;
            region.callable = random.below(3) == 0;
            regions.push_back(region);
            protection.write_sau(kSauNumber, i);
            protection.write_sau(kSauBase, region.start | 31);
            protection.write_sau(
                kSauLimit, (region.end & ~31u) | (region.callable ? 2u : 0) | (region.on ? 1u : 0));
        }
        const auto state_of = [&](std::uint32_t address) {
            if ((control & 1) == 0) return control == 2 ? State::Open : State::Secure;
            State found = State::Secure;
            unsigned hits = 0;
            for (const Region& each : regions) {
                if (!each.on || address < each.start || address > each.end) continue;
                found = each.callable ? State::Callable : State::Open;
                ++hits;
            }
            return hits == 1 ? found : State::Secure;
        };
        for (unsigned i = 0; i < 60; ++i) {
            const std::uint32_t address = near(random);
            CAPTURE(address);
            const State state = state_of(address);
            const auto check = [&](Intent intent, bool secure) {
                return protection.check(address, intent, true, secure, false);
            };
            for (const Intent intent : {Intent::Read, Intent::Write}) {
                REQUIRE(check(intent, true).allowed);
                REQUIRE(check(intent, true).secure == (state != State::Open));
                const Permission open = check(intent, false);
                REQUIRE(open.allowed == (state == State::Open));
                if (open.allowed) REQUIRE_FALSE(open.secure);
                if (!open.allowed) REQUIRE(open.fault.status == sfsr::kAuViol);
            }
            const Permission fetched = check(Intent::Execute, true);
            REQUIRE(fetched.allowed == (state != State::Open));
            if (!fetched.allowed) REQUIRE(fetched.fault.status == sfsr::kInvTran);
            const Permission entered = check(Intent::Execute, false);
            REQUIRE(entered.allowed == (state != State::Secure));
            REQUIRE(entered.gateway_only == (state == State::Callable));
            if (!entered.allowed) REQUIRE(entered.fault.status == sfsr::kInvEp);
            if (!entered.uniform_page) continue;
            const std::uint32_t page = address & ~(kPageBytes - 1);
            for (std::uint32_t at = page; at < page + kPageBytes; at += 32)
                REQUIRE(state_of(at) == state);
        }
    }
    // There is no ninth region to choose.
    protection.write_sau(kSauNumber, 5);
    for (const std::uint32_t number : {8u, 9u, 0xFFu}) {
        protection.write_sau(kSauNumber, number);
        CHECK(protection.read_sau(kSauNumber) == 5);
    }
    CHECK(protection.read_sau(0xD4) == 8);
    CHECK(protection.read_sau(0xE4) == 0);
}

TEST_CASE("SAU: parts of the private bus take the state of the access, up to their last byte") {
    SystemConfig config;
    const Protection protection(config);
    struct Row {
        std::uint32_t start, end;
    };
    // Exemptions of the Armv8-M manual that this core's debug components lie in.
    for (const Row& row :
         {Row{0xE0000000, 0xE0003FFF}, Row{0xE0005000, 0xE0005FFF}, Row{0xE000E000, 0xE000EFFF},
          Row{0xE002E000, 0xE002EFFF}, Row{0xE0040000, 0xE0041FFF}, Row{0xE00FF000, 0xE00FFFFF}}) {
        CAPTURE(row.start);
        for (const std::uint32_t inside : {row.start, row.end})
            CHECK(protection.check(inside, Intent::Read, true, false, false).allowed);
        for (const std::uint32_t outside : {row.start - 1, row.end + 1})
            CHECK_FALSE(protection.check(outside, Intent::Read, true, false, false).allowed);
    }
}

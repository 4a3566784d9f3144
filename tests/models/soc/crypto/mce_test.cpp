// SPDX-License-Identifier: Apache-2.0
// Noekeon, and the memory cipher engine as its driver uses it. Ciphertexts: OpenSSL's AES and an
// independent Noekeon, by the layout that mce.h states.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/soc/crypto/mce.h"

using namespace n6vp::models;
using namespace n6vp::models::crypto;

namespace {

constexpr std::uint32_t kCr = 0x00, kSr = 0x04, kRegion = 0x40, kMaster = 0x200, kFast = 0x220,
                        kContext1 = 0x240, kContext2 = 0x270;
constexpr std::uint32_t kAes128 = 1u << 4, kNoekeon = 2u << 4, kAes256 = 3u << 4;
constexpr std::uint32_t kStream = 1u << 14, kBlockCipher = 2u << 14, kFastBlock = 3u << 14;
constexpr std::uint32_t kWord = 0xFFFFFFFF;
using Bytes = MemoryCipher::Block;
constexpr Bytes kPlain{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
constexpr std::uint32_t kKey[] = {0x71234567, 0x89ABCDEF, 0x71234567, 0x89ABCDEF,
                                  0xEDCBA987, 0x6543210F, 0xEDCBA987, 0x6543210F};

/// By the function of the HAL.
constexpr std::uint32_t kKeyCrc = 0x71;

struct Bench {
    Mce mce{"MCE1", 0x90000000};
    Picoseconds now = 1'000'000;
    unsigned changes = 0;

    Bench() {
        mce.on_change = [this] { ++changes; };
    }
    bool set(std::uint32_t offset, std::uint32_t value) {
        return mce.write(offset, value, kWord, now).modelled;
    }
    std::uint32_t get(std::uint32_t offset) { return mce.read(offset, now).value; }
    void context(std::uint32_t at, unsigned mode, const std::uint32_t* key) {
        set(at + 4, 0xA5A5A5A5);
        set(at + 8, 0xC3C3C3C3);
        for (unsigned i = 0; i < 4; ++i) set(at + 12 + 4 * i, key[i]);
        set(at, 0xFEDCu << 16 | mode << 4);
        set(at, (get(at) & 0xFFFF00FF) | 1);
    }
    /// The first page, switched on last.
    bool region(std::uint32_t control) {
        set(kRegion, control);
        set(kRegion + 4, 0x90000000);
        set(kRegion + 8, 0x90000FFF);
        return set(kRegion, control | 1);
    }
    void master(std::uint32_t at) {
        for (std::uint32_t i = 0; i < 8; ++i) set(at + 4 * i, 0x11111111 * (i + 1));
    }
    void check_round_trip(std::uint32_t offset) {
        const Bytes held = mce.to_memory(offset, kPlain);
        CHECK(held != kPlain);
        CHECK(mce.to_bus(offset, held) == kPlain);
    }
};

std::string text(const Bytes& bytes) {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string result;
    for (const std::uint8_t byte : bytes) {
        result += kDigits[byte >> 4];
        result += kDigits[byte & 15];
    }
    return result;
}

}  // namespace

TEST_CASE("noekeon: the published vectors of direct key mode") {
    using Words = Noekeon::Words;
    constexpr std::uint32_t kOnes = 0xFFFFFFFF;
    const Words zero{}, ones{kOnes, kOnes, kOnes, kOnes};
    const Words first{0xB1656851, 0x699E29FA, 0x24B70148, 0x503D2DFC};
    const Words second{0x2A78421B, 0x87C7D092, 0x4F26113F, 0x1D1349B2};
    const Words third{0xE2F687E0, 0x7B75660F, 0xFC372233, 0xBC47532C};
    CHECK(Noekeon(zero).encrypt(zero) == first);
    CHECK(Noekeon(ones).encrypt(ones) == second);
    CHECK(Noekeon(first).encrypt(second) == third);
    CHECK(Noekeon(zero).decrypt(first) == zero);
    CHECK(Noekeon(ones).decrypt(second) == ones);
    CHECK(Noekeon(first).decrypt(third) == second);
}

TEST_CASE("mce: a stream of AES-128 by key, nonce, version and address") {
    Bench bench;
    bench.set(kCr, kAes128);
    bench.context(kContext1, 1, kKey);
    CHECK_FALSE(bench.mce.active());
    CHECK_FALSE(bench.region(kStream | 1u << 9));  // the report names the substitute
    CHECK(bench.mce.active());
    CHECK(text(bench.mce.to_memory(0x10, kPlain)) == "bd25b3cbd19f80510d9cb934137412b4");
    bench.check_round_trip(0x10);
    bench.check_round_trip(0xFF0);
    CHECK(bench.mce.covers(0, 1));
    CHECK(bench.mce.covers(0xFFF, 1));
    CHECK_FALSE(bench.mce.covers(0x1000, 16));
    CHECK(bench.mce.to_memory(0x1000, kPlain) == kPlain);
    CHECK(bench.mce.to_memory(0x20, kPlain) != bench.mce.to_memory(0x10, kPlain));
    CHECK(bench.changes != 0);
}

TEST_CASE("mce: blocks of AES-256 by the keys of both contexts") {
    Bench bench;
    bench.set(kCr, kAes256);
    for (unsigned i = 0; i < 4; ++i) bench.set(kContext1 + 12 + 4 * i, kKey[4 + i]);
    bench.context(kContext2, 2, kKey);
    (void)bench.region(kBlockCipher | 2u << 9);
    CHECK(text(bench.mce.to_memory(0x20, kPlain)) == "832da297e0b951079a78411159811bca");
    bench.check_round_trip(0x20);
}

TEST_CASE("mce: blocks of Noekeon by the master keys, which are valid after a time") {
    Bench bench;
    bench.set(kCr, kNoekeon);
    bench.master(kMaster);
    CHECK(bench.get(kSr) == 0);
    bench.now += 1'000'000;
    CHECK(bench.get(kSr) == 1);
    (void)bench.region(kBlockCipher);
    CHECK(text(bench.mce.to_memory(0x30, kPlain)) == "8b278c60c3deab21453aa50a5333ca8f");
    bench.check_round_trip(0x30);
    bench.set(kMaster, 0);  // as the HAL makes it invalid
    CHECK(bench.get(kSr) == 0);
    CHECK_FALSE(bench.mce.active());
    bench.master(kFast);
    bench.now += 1'000'000;
    CHECK(bench.get(kSr) == 4);
    (void)bench.region(kFastBlock);
    bench.check_round_trip(0x30);
}

TEST_CASE("mce: without an enabled context of its mode a region shows what memory holds") {
    Bench bench;
    bench.set(kCr, kAes128);
    bench.context(kContext1, 1, kKey);
    (void)bench.region(kStream | 1u << 9);
    bench.set(kContext1, bench.get(kContext1) & ~1u);
    CHECK_FALSE(bench.mce.active());
    CHECK(bench.mce.to_bus(0, kPlain) == kPlain);
    bench.set(kContext1, bench.get(kContext1) | 1);
    CHECK(bench.mce.active());
    CHECK(bench.region(kBlockCipher | 1u << 9));  // a mode that the context forbids
    CHECK_FALSE(bench.mce.active());
    (void)bench.region(kStream | 1u << 9);
    CHECK(bench.mce.active());
    bench.set(kRegion, kStream | 1u << 9);
    CHECK_FALSE(bench.mce.active());  // switched off
}

TEST_CASE("mce: registers, the CRC of a key, locks and names") {
    Bench bench;
    for (unsigned i = 0; i < 4; ++i) bench.set(kContext2 + 12 + 4 * i, kKey[i]);
    CHECK((bench.get(kContext2) >> 8 & 0xFF) == kKeyCrc);
    CHECK(bench.get(kContext2 + 12) == 0);  // written only
    bench.set(kContext2 + 4, 5);
    CHECK(bench.get(kContext2 + 4) == 5);
    bench.set(kRegion + 0x14, 0x90001234);
    bench.set(kRegion + 0x18, 0x90002345);
    CHECK(bench.get(kRegion + 0x14) == 0x90001000);
    CHECK(bench.get(kRegion + 0x18) == 0x90002FFF);
    bench.set(kContext2, 4);  // the key is locked
    bench.set(kContext2 + 12, 0);
    CHECK((bench.get(kContext2) >> 8 & 0xFF) == kKeyCrc);
    bench.set(kContext2, 2);
    bench.set(kContext2 + 4, 6);
    CHECK(bench.get(kContext2 + 4) == 5);
    CHECK(bench.get(kContext2) == (kKeyCrc << 8 | 6u));
    bench.set(kCr, 2);  // master keys
    bench.master(kMaster);
    bench.now += 2'000'000;
    CHECK(bench.get(kSr) == 0);
    bench.set(kCr, 1);
    bench.set(kRegion + 0x14, 0);
    CHECK(bench.get(kRegion + 0x14) == 0x90001000);
    CHECK(bench.get(kCr) == 3);
    CHECK(std::string(bench.mce.read(kRegion + 0x10, 0).name) == "REGCR2");
    CHECK_FALSE(bench.mce.read(0x100, 0).modelled);
    bench.mce.reset();
    CHECK(bench.get(kCr) == 0);
    CHECK(bench.get(kRegion + 0x14) == 0);
}

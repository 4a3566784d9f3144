// SPDX-License-Identifier: Apache-2.0
// CRYP and SAES as a driver works with them. Examples: FIPS 197, NIST SP 800-38A, 38C, 38D.
#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/soc/crypto/cryp.h"
#include "models/soc/crypto/saes.h"

using namespace n6vp::models;
using Words = std::vector<std::uint32_t>;

namespace {

constexpr std::uint32_t kAll = 0xFFFFFFFF;
constexpr Picoseconds kCycle = 10'000;
const Words kKey128{0x2b7e1516, 0x28aed2a6, 0xabf71588, 0x09cf4f3c};
const Words kKey256{0x603deb10, 0x15ca71be, 0x2b73aef0, 0x857d7781,
                    0x1f352c07, 0x3b6108d7, 0x2d9810a3, 0x0914dff4};
const Words kPlain{0x6bc1bee2, 0x2e409f96, 0xe93d7e11, 0x7393172a};

template <class Unit>
struct Bench {
    Unit unit;
    bool line = false, wants = false, has = false;

    Bench() : unit("unit", "UNIT") {
        unit.on_interrupt = [this](bool level) { line = level; };
        unit.on_input_request = [this](bool level, Picoseconds) { wants = level; };
        unit.on_output_request = [this](bool level, Picoseconds) { has = level; };
        unit.set_clock_hz(100e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        unit.reset();
    }
    static Picoseconds now() { return sc_core::sc_time_stamp().value(); }
    static void pass(Picoseconds time) { sc_core::sc_start(to_sc_time(time)); }
    bool set(std::uint32_t offset, std::uint32_t value) {
        return unit.write(offset, value, kAll, now()).modelled;
    }
    std::uint32_t get(std::uint32_t offset) { return unit.read(offset, now()).value; }
    void put(const Words& words) {
        for (const std::uint32_t word : words) set(0x08, word);
    }
    Words take() {
        Words words;
        for (unsigned i = 0; i < 4; ++i) words.push_back(get(0x0C));
        return words;
    }
};

struct CrypBench : Bench<crypto::Cryp> {
    static constexpr std::uint32_t kOn = 1u << 15, kBusy = 1u << 4, kOut = 1u << 2;
    void set_key(const Words& key) {
        for (unsigned i = 0; i < key.size(); ++i)
            set(0x20 + 4 * (8 - static_cast<std::uint32_t>(key.size()) + i), key[i]);
    }
    void set_vector(const Words& vector) {
        for (unsigned i = 0; i < 4; ++i) set(0x40 + 4 * i, vector[i]);
    }
    Words through(const Words& words) {
        put(words);
        pass(18 * kCycle);
        CHECK((get(0x04) & kOut) != 0);
        return take();
    }
};

struct SaesBench : Bench<crypto::Saes> {
    static constexpr std::uint32_t kDone = 1, kBusy = 1u << 3, kValid = 1u << 7;
    static constexpr std::uint32_t kWrapping = 1u << 18 | 1u << 28;  ///< 256 bits, hardware key
    void set_key(const Words& key) {
        for (unsigned i = 0; i < key.size(); ++i) {
            const auto number = static_cast<std::uint32_t>(key.size()) - 1 - i;
            set(number < 4 ? 0x10 + 4 * number : 0x30 + 4 * (number - 4), key[i]);
        }
    }
    void set_vector(const Words& vector) {
        for (unsigned i = 0; i < 4; ++i) set(0x2C - 4 * i, vector[i]);
    }
    void wait() {
        for (unsigned i = 0; i < 1000 && (get(0x04) & kDone) == 0; ++i) pass(kCycle);
        CHECK((get(0x04) & kDone) != 0);
        set(0x308, 1);
    }
    Words through(const Words& words) {
        put(words);
        wait();
        return take();
    }
};

/// Wraps the key of 256 bits with the hardware key, and unwraps it. Returns what DOUTR gives then.
std::uint32_t unwrapped(SaesBench& bench, std::uint32_t mode) {
    const std::uint32_t base = SaesBench::kWrapping | mode << 24;
    bench.set(0x00, base);
    CHECK((bench.get(0x04) & SaesBench::kValid) != 0);
    bench.set(0x00, base | 1);
    const Words first = bench.through({kKey256.begin(), kKey256.begin() + 4});
    const Words second = bench.through({kKey256.begin() + 4, kKey256.end()});
    CHECK(first != Words(kKey256.begin(), kKey256.begin() + 4));
    for (const std::uint32_t operation : {1u, 2u}) {
        bench.set(0x00, base | operation << 3);
        bench.set(0x00, base | operation << 3 | 1);
        if (operation == 1) bench.wait();
    }
    bench.put(first);
    bench.wait();
    bench.put(second);
    bench.wait();
    return bench.get(0x0C);
}

}  // namespace

TEST_CASE("CRYP: a block of ECB takes its cycles, BUSY, FIFO flags and interrupts follow") {
    CrypBench bench;
    CHECK(bench.get(0x04) == 3);
    bench.set(0x00, 4u << 3);
    bench.set_key(kKey128);
    CHECK((bench.get(0x04) & 1u << 7) != 0);
    bench.set(0x14, 2);
    CHECK(bench.set(0x00, 4u << 3 | CrypBench::kOn));
    bench.put(kPlain);
    CHECK((bench.get(0x04) & 0x1F) == (CrypBench::kBusy | 3));
    CrypBench::pass(14 * kCycle - 1);
    CHECK((bench.get(0x04) & CrypBench::kBusy) != 0);
    CHECK_FALSE(bench.line);
    CrypBench::pass(2);
    CHECK(bench.line);
    CHECK((bench.get(0x04) & 0x1F) == 7);
    CHECK(bench.take() == Words{0x3ad77bb4, 0x0d7a3660, 0xa89ecaf3, 0x2466ef97});
    CHECK_FALSE(bench.line);
}

TEST_CASE("CRYP: CBC both ways, with bytes in reverse order") {
    CrypBench bench;
    const Words cipher{0xacab4976, 0x46b21981, 0x9b8ee9ce, 0x7d19e912};
    const Words plain{0xe2bec16b, 0x969f402e, 0x117e3de9, 0x2a179373};
    bench.set(0x00, 5u << 3 | 2u << 6);
    bench.set_key(kKey128);
    bench.set_vector({0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f});
    bench.set(0x00, 5u << 3 | 2u << 6 | CrypBench::kOn);
    CHECK(bench.through(plain) == cipher);
    CHECK(bench.get(0x40) == 0x7649abac);
    // Key preparation ends by itself.
    bench.set(0x00, 7u << 3 | 1u << 2);
    bench.set(0x00, 7u << 3 | 1u << 2 | CrypBench::kOn);
    CHECK((bench.get(0x04) & CrypBench::kBusy) != 0);
    CrypBench::pass(14 * kCycle);
    CHECK((bench.get(0x00) & CrypBench::kOn) == 0);
    bench.set(0x00, 5u << 3 | 2u << 6 | 1u << 2);
    bench.set_vector({0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f});
    bench.set(0x00, 5u << 3 | 2u << 6 | 1u << 2 | CrypBench::kOn);
    CHECK(bench.through(cipher) == plain);
}

TEST_CASE("CRYP: CCM by its four phases") {
    CrypBench bench;
    const std::uint32_t ccm = 1u << 19 | 1u << 3;
    bench.set(0x00, ccm);
    bench.set_key({0x40414243, 0x44454647, 0x48494a4b, 0x4c4d4e4f});
    bench.set_vector({0x07101112, 0x13141516, 0, 1});
    bench.set(0x00, ccm | CrypBench::kOn);
    bench.put({0x4f101112, 0x13141516, 0, 4});
    CrypBench::pass(14 * kCycle);
    CHECK((bench.get(0x00) & CrypBench::kOn) == 0);
    bench.set(0x00, ccm | 1u << 16 | CrypBench::kOn);
    bench.put({0x00080001, 0x02030405, 0x06070000, 0});
    CrypBench::pass(14 * kCycle);
    CHECK((bench.get(0x04) & (CrypBench::kOut | CrypBench::kBusy)) == 0);
    bench.set(0x00, ccm | 2u << 16);
    bench.set(0x00, ccm | 2u << 16 | CrypBench::kOn);
    // SP 800-38C has four bytes; an encryption takes the zeros behind them as they are.
    CHECK(bench.through({0x20212223, 0, 0, 0})[0] == 0x7162015b);
    bench.set(0x00, ccm | 3u << 16 | CrypBench::kOn);
    CHECK(bench.through({0x07101112, 0x13141516, 0, 0})[0] == 0x4dac255d);
}

TEST_CASE("CRYP: DMA requests, flush and what is not modelled") {
    CrypBench bench;
    bench.set(0x10, 3);
    CHECK_FALSE(bench.wants);
    bench.set_key(kKey128);
    bench.set(0x00, 4u << 3 | CrypBench::kOn);
    CHECK(bench.wants);
    bench.put(kPlain);
    CHECK_FALSE(bench.has);
    CrypBench::pass(15 * kCycle);
    CHECK(bench.has);
    bench.put(kPlain);
    CrypBench::pass(15 * kCycle);
    bench.put(kPlain);
    bench.put(kPlain);
    CHECK_FALSE(bench.wants);  // both FIFOs are full
    bench.set(0x00, 4u << 3);
    bench.set(0x00, 4u << 3 | 1u << 14);
    CHECK(bench.get(0x04) == (3 | 1u << 7));
    CHECK_FALSE(bench.set(0x00, 0u << 3 | CrypBench::kOn));  // TDES
    CHECK_FALSE(bench.set(0x50, 1));
}

TEST_CASE("CRYP: registers have their names, and those that keep a context are not modelled") {
    // Device header, CRYP_TypeDef.
    constexpr const char* kNames[] = {"CR",   "SR",   "DINR",  "DOUTR", "DMACR", "IMSCR", "RISR",
                                      "MISR", "K0LR", "K0RR",  "K1LR",  "K1RR",  "K2LR",  "K2RR",
                                      "K3LR", "K3RR", "IV0LR", "IV0RR", "IV1LR", "IV1RR"};
    CrypBench bench;
    for (std::uint32_t i = 0; i < 20; ++i) {
        CAPTURE(i);
        const RegisterBlock::Answer read = bench.unit.read(4 * i, 0);
        CHECK(std::string(read.name) == kNames[i]);
        CHECK(read.modelled);
        const RegisterBlock::Answer written = bench.unit.write(4 * i, 0, kAll, 0);
        CHECK(std::string(written.name) == kNames[i]);
        CHECK(written.modelled);
    }
    for (const std::uint32_t offset : {0x50u, 0x54u, 0x8Cu}) {
        CAPTURE(offset);
        CHECK_FALSE(bench.unit.read(offset, 0).modelled);
        CHECK(std::string(bench.unit.read(offset, 0).name) == "CSGCM");
        CHECK_FALSE(bench.unit.write(offset, 1, kAll, 0).modelled);
    }
    CHECK(std::string(bench.unit.read(0x90, 0).name).empty());
    // Keys are not read, vectors are; both bytewise.
    bench.set(0x3C, 0x12345678);
    CHECK(bench.get(0x3C) == 0);
    bench.set(0x4C, 0x12345678);
    (void)bench.unit.write(0x4C, 0xFFFFFFFF, 0x00FF0000, 0);
    CHECK(bench.get(0x4C) == 0x12FF5678);
    for (const std::uint32_t offset : {0x10u, 0x14u}) {
        bench.set(offset, kAll);
        CHECK(bench.get(offset) == 3);
    }
    bench.set(0x00, 1u << 31);  // IPRST
    CHECK(bench.get(0x10) == 0);
    CHECK(bench.get(0x14) == 0);
}

TEST_CASE("CRYP: flags of its FIFOs of eight words, and their interrupts") {
    CrypBench bench;
    bench.set_key(kKey128);
    bench.set(0x14, 3);
    constexpr std::uint32_t kKeyValid = 1u << 7;
    for (unsigned held = 0; held <= 8; ++held) {
        CAPTURE(held);
        const std::uint32_t empty = held == 0 ? 1 : 0, room = held < 8 ? 2 : 0;
        CHECK(bench.get(0x04) == (kKeyValid | empty | room));
        CHECK(bench.get(0x18) == (held < 4 ? 1 : 0));
        CHECK(bench.get(0x1C) == 0);  // off: it wants nothing
        CHECK_FALSE(bench.line);
        bench.set(0x08, kPlain[held % 4]);
    }
    CHECK(bench.get(0x04) == kKeyValid);  // the ninth one is lost
    bench.set(0x00, 4u << 3 | CrypBench::kOn);
    CHECK(bench.get(0x04) == (kKeyValid | CrypBench::kBusy | 2));
    CHECK(bench.get(0x1C) == 0);
    CrypBench::pass(14 * kCycle + 1);
    CHECK(bench.get(0x04) == (kKeyValid | CrypBench::kBusy | CrypBench::kOut | 3));
    CHECK(bench.get(0x1C) == 3);
    CHECK(bench.line);
    bench.set(0x14, 1);
    CHECK(bench.get(0x18) == 3);
    CHECK(bench.get(0x1C) == 1);
    bench.set(0x14, 2);
    CHECK(bench.get(0x1C) == 2);
    CrypBench::pass(14 * kCycle);
    CHECK(bench.get(0x04) == (kKeyValid | CrypBench::kOut | 8 | 3));
    const Words cipher{0x3ad77bb4, 0x0d7a3660, 0xa89ecaf3, 0x2466ef97};
    CHECK(bench.take() == cipher);
    CHECK(bench.get(0x04) == (kKeyValid | CrypBench::kOut | 3));
    CHECK(bench.take() == cipher);
    CHECK(bench.get(0x04) == (kKeyValid | 3));
    CHECK(bench.get(0x0C) == 0);
    CHECK_FALSE(bench.line);
}

TEST_CASE("CRYP: a key of each size takes its registers and cycles") {
    // FIPS 197 key expansion keys; SP 800-38A F.1 and F.5.3.
    const Words key192{0x8e73b0f7, 0xda0e6452, 0xc810f32b, 0x809079e5, 0x62f8ead2, 0x522c6b7b};
    struct Row {
        Words key;
        std::uint32_t size, mode;
        Picoseconds cycles;
        Words cipher;
    };
    const Row rows[] = {
        {kKey128, 0, 4, 14, {0x3ad77bb4, 0x0d7a3660, 0xa89ecaf3, 0x2466ef97}},
        {key192, 1, 4, 16, {0xbd334f1d, 0x6e45f25f, 0xf712a214, 0x571fa5cc}},
        {kKey256, 2, 4, 18, {0xf3eed1bd, 0xb5d2a03c, 0x064b5a7e, 0x3db181f8}},
        {key192, 1, 6, 16, {0x1abc9324, 0x17521ca2, 0x4f2b0459, 0xfe7e6e0b}},
    };
    CrypBench bench;
    for (const Row& row : rows) {
        CAPTURE(row.size);
        CAPTURE(row.mode);
        const std::uint32_t control = row.mode << 3 | row.size << 8;
        bench.set(0x00, 3u << 8);  // the next size is another one
        bench.set(0x00, control);
        for (std::uint32_t i = 0; i < row.key.size(); ++i) {
            CHECK((bench.get(0x04) & 1u << 7) == 0);
            bench.set(0x40 - 4 * static_cast<std::uint32_t>(row.key.size()) + 4 * i, row.key[i]);
        }
        CHECK((bench.get(0x04) & 1u << 7) != 0);
        bench.set_vector({0xf0f1f2f3, 0xf4f5f6f7, 0xf8f9fafb, 0xfcfdfeff});
        bench.set(0x00, control | CrypBench::kOn);
        bench.put(kPlain);
        CrypBench::pass(row.cycles * kCycle - 1);
        CHECK((bench.get(0x04) & (CrypBench::kBusy | CrypBench::kOut)) == CrypBench::kBusy);
        CrypBench::pass(1);
        CHECK((bench.get(0x04) & (CrypBench::kBusy | CrypBench::kOut)) == CrypBench::kOut);
        CHECK(bench.take() == row.cipher);
    }
}

TEST_CASE("CRYP: DMA asks for words while four or less wait, and gives from four on") {
    CrypBench bench;
    bench.set_key(kKey128);
    bench.set(0x10, 3);
    bench.set(0x00, 4u << 3);
    CHECK_FALSE(bench.wants);
    for (unsigned held = 1; held <= 8; ++held) bench.set(0x08, 0);
    bench.set(0x00, 4u << 3 | CrypBench::kOn);
    CHECK(bench.wants);  // a block has begun
    bench.set(0x08, 0);
    CHECK_FALSE(bench.wants);  // five words wait
    CrypBench::pass(14 * kCycle + 1);
    CHECK(bench.has);
    for (unsigned left = 4; left > 0; --left) {
        CAPTURE(left);
        CHECK(bench.has == (left == 4));
        (void)bench.get(0x0C);
    }
    bench.set(0x10, 0);
    CHECK_FALSE(bench.wants);
    CrypBench::pass(14 * kCycle + 1);
    CHECK_FALSE(bench.has);
    bench.set(0x10, 2);
    CHECK_FALSE(bench.wants);
    CHECK(bench.has);
}

TEST_CASE("SAES: a block of ECB with 256 bits, CCF, KEYVALID, the interrupt") {
    SaesBench bench;
    const std::uint32_t large = 1u << 18;
    bench.set(0x00, 1u << 31);
    CHECK((bench.get(0x04) & SaesBench::kBusy) != 0);
    bench.set(0x00, 0);
    SaesBench::pass(500 * kCycle + 1);
    CHECK((bench.get(0x04) & (SaesBench::kBusy | SaesBench::kDone)) == 0);
    bench.set(0x00, large);
    CHECK((bench.get(0x04) & SaesBench::kValid) == 0);
    bench.set_key(kKey256);
    CHECK((bench.get(0x04) & SaesBench::kValid) != 0);
    bench.set(0x300, 1);
    bench.set(0x00, large | 1);
    bench.put(kPlain);
    SaesBench::pass(680 * kCycle - 1);
    CHECK_FALSE(bench.line);
    SaesBench::pass(2);
    CHECK(bench.line);
    CHECK(bench.take() == Words{0xf3eed1bd, 0xb5d2a03c, 0x064b5a7e, 0x3db181f8});
    bench.set(0x308, 1);
    CHECK_FALSE(bench.line);
    // Back: key derivation first, whose end clears EN.
    bench.set(0x00, large | 1u << 3);
    bench.set(0x00, large | 1u << 3 | 1);
    bench.wait();
    CHECK((bench.get(0x00) & 1) == 0);
    bench.set(0x00, large | 2u << 3);
    bench.set(0x00, large | 2u << 3 | 1);
    CHECK(bench.through({0xf3eed1bd, 0xb5d2a03c, 0x064b5a7e, 0x3db181f8}) == kPlain);
}

TEST_CASE("SAES: GCM by its four phases") {
    SaesBench bench;
    const std::uint32_t gcm = 3u << 5;
    bench.set(0x00, gcm);
    bench.set_key({0xfeffe992, 0x8665731c, 0x6d6a8f94, 0x67308308});
    bench.set_vector({0xcafebabe, 0xfacedbad, 0xdecaf888, 2});
    bench.set(0x00, gcm | 1);
    bench.wait();
    CHECK((bench.get(0x00) & 1) == 0);
    bench.set(0x00, gcm | 1u << 13 | 1);
    bench.put({0xfeedface, 0xdeadbeef, 0xfeedface, 0xdeadbeef});
    bench.wait();
    bench.put({0xabaddad2, 0, 0, 0});
    bench.wait();
    bench.set(0x00, gcm | 2u << 13 | 1);
    CHECK(bench.through({0xd9313225, 0xf88406e5, 0xa55909c5, 0xaff5269a}) ==
          Words{0x42831ec2, 0x21777424, 0x4b7221b7, 0x84d0d49c});
    bench.through({0x86a7a953, 0x1534f7da, 0x2e4c303d, 0x8a318a72});
    bench.through({0x1c3c0c95, 0x95680953, 0x2fcf0e24, 0x49a6b525});
    bench.set(0x00, gcm | 2u << 13 | 4u << 20 | 1);
    const Words last = bench.through({0xb16aedf5, 0xaa0de657, 0xba637b39, 0});
    CHECK(Words(last.begin(), last.begin() + 3) == Words{0x1ba30b39, 0x6a0aac97, 0x3d58e091});
    bench.set(0x00, gcm | 3u << 13 | 1);
    CHECK(bench.through({0, 160, 0, 480}) == Words{0x5bc94fbc, 0x3221a5db, 0x94fae95a, 0xe7121a47});
}

TEST_CASE("SAES: CCM derives its counters from the first block") {
    SaesBench bench;
    const std::uint32_t ccm = 1u << 16;
    bench.set(0x00, ccm);
    bench.set_key({0x40414243, 0x44454647, 0x48494a4b, 0x4c4d4e4f});
    bench.set_vector({0x4f101112, 0x13141516, 0, 4});
    bench.set(0x00, ccm | 1);
    bench.wait();
    bench.set(0x00, ccm | 1u << 13 | 1);
    bench.put({0x00080001, 0x02030405, 0x06070000, 0});
    bench.wait();
    bench.set(0x00, ccm | 2u << 13 | 1);
    CHECK(bench.through({0x20212223, 0, 0, 0})[0] == 0x7162015b);
    bench.set(0x00, ccm | 3u << 13 | 1);
    CHECK(bench.through({0, 0, 0, 0})[0] == 0x4dac255d);
}

TEST_CASE("SAES: a wrapped key comes to the key registers") {
    SaesBench bench;
    CHECK(unwrapped(bench, 1) == 0);
    CHECK_FALSE(bench.unit.shared_key().has_value());
    bench.set(0x00, SaesBench::kWrapping | 1u << 24);
    bench.set(0x00, SaesBench::kWrapping | 1u << 24 | 1);
    CHECK(bench.through(kPlain) == Words{0xf3eed1bd, 0xb5d2a03c, 0x064b5a7e, 0x3db181f8});
    CHECK_FALSE(bench.set(0x00, 2u << 28));  // the boot hardware key
}

TEST_CASE("SAES: an unwrapped key serves until KEYSEL or KEYSIZE change") {
    SaesBench bench;
    for (const std::uint32_t changed : {1u << 28, 1u << 18}) {
        CAPTURE(changed);
        (void)unwrapped(bench, 1);
        bench.set(0x00, SaesBench::kWrapping ^ changed);
        bench.set(0x00, SaesBench::kWrapping);
        bench.set(0x00, SaesBench::kWrapping | 1);
        const Words hardware = bench.through(kPlain);
        CHECK(hardware != Words{0xf3eed1bd, 0xb5d2a03c, 0x064b5a7e, 0x3db181f8});
        bench.set(0x00, 0);
        CHECK((bench.get(0x04) & SaesBench::kValid) == 0);
    }
}

TEST_CASE("SAES: a shared key comes to CRYP") {
    SaesBench bench;
    CHECK(unwrapped(bench, 2) == 0);
    REQUIRE(bench.unit.shared_key().has_value());
    CHECK(*bench.unit.shared_key() == kKey256);
}

TEST_CASE("CRYP: a key shared by SAES is valid when its size fits") {
    CrypBench bench;
    bench.unit.shared_key = [] { return std::optional<crypto::SharedKey>(kKey256); };
    bench.set(0x00, 4u << 3 | 2u << 24);
    CHECK((bench.get(0x04) & 1u << 7) == 0);
    bench.set(0x00, 4u << 3 | 2u << 8 | 2u << 24);
    CHECK((bench.get(0x04) & 1u << 7) != 0);
    bench.set(0x00, 4u << 3 | 2u << 8);
    bench.set(0x00, 4u << 3 | 2u << 8 | CrypBench::kOn);
    CHECK(bench.through(kPlain) == Words{0xf3eed1bd, 0xb5d2a03c, 0x064b5a7e, 0x3db181f8});
}

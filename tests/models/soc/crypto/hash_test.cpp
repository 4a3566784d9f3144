// SPDX-License-Identifier: Apache-2.0
// Hash processor: published examples of FIPS 180 and RFC 3174, flags, time, DMA request.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "models/duration.h"
#include "models/soc/crypto/hash.h"
#include "models/soc/crypto/sha.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::test::kWord;

namespace {

constexpr const char* kTwoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";

std::string hex(std::uint32_t word) {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string text;
    for (unsigned i = 8; i-- > 0;) text += kDigits[word >> 4 * i & 0xF];
    return text;
}

struct HashBench {
    Hash hash{"hash", "HASH"};
    bool line = false, request = false;

    HashBench() {
        hash.on_interrupt = [this](bool level) { line = level; };
        hash.on_request = [this](bool level, Picoseconds) { request = level; };
        hash.reset();
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    static Picoseconds now() { return sc_core::sc_time_stamp().value(); }
    static void pass_us(double us) { sc_core::sc_start(sc_core::sc_time(us, sc_core::SC_US)); }
    bool set(std::uint32_t offset, std::uint32_t value) {
        return hash.write(offset, value, kWord, now()).modelled;
    }
    std::uint32_t get(std::uint32_t offset) { return hash.read(offset, now()).value; }
    /// Bytes as little-endian words, swapped by DATATYPE = 2, and DCAL.
    void feed(std::string_view message) {
        for (std::size_t at = 0; at < message.size(); at += 4) {
            std::uint32_t word = 0;
            const std::string_view piece = message.substr(at, 4);
            std::memcpy(&word, piece.data(), piece.size());
            set(0x04, word);
        }
        set(0x08, static_cast<std::uint32_t>(message.size() % 4 * 8));
        set(0x08, static_cast<std::uint32_t>(message.size() % 4 * 8) | 1u << 8);
    }
    std::string digest(unsigned algorithm, std::string_view message, unsigned words) {
        CHECK(set(0x00, algorithm << 17 | 2u << 4 | 1u << 2));
        feed(message);
        pass_us(200);
        CHECK((get(0x24) & 0xB) == 3);
        std::string text;
        for (unsigned i = 0; i < words; ++i) text += hex(get(0x310 + 4 * i));
        return text;
    }
};

}  // namespace

TEST_CASE("HASH: published examples of one block and of two") {
    HashBench bench;
    CHECK(bench.digest(0, "abc", 5) == "a9993e364706816aba3e25717850c26c9cd0d89d");
    CHECK(bench.digest(0, kTwoBlocks, 5) == "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    CHECK(bench.digest(2, "abc", 7) == "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7");
    CHECK(bench.digest(3, "abc", 8) ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(bench.digest(3, kTwoBlocks, 8) ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(bench.digest(12, "abc", 12) ==
          "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163"
          "1a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7");
    CHECK(bench.digest(13, "abc", 7) == "4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa");
    CHECK(bench.digest(14, "abc", 8) ==
          "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23");
    CHECK(bench.digest(15, "abc", 16) ==
          "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
          "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
}

TEST_CASE("HASH: HMAC examples of RFC 2202 and RFC 4231") {
    HashBench bench;
    const auto hmac = [&bench](unsigned algorithm, std::string_view key, std::string_view message,
                               unsigned words) {
        const std::uint32_t longer = key.size() > 64 ? 1u << 16 : 0;
        CHECK(bench.set(0x00, algorithm << 17 | longer | 1u << 6 | 2u << 4 | 1u << 2));
        for (const std::string_view part : {key, message, key}) {
            CHECK((bench.get(0x24) & 2) == 0);
            bench.feed(part);
            CHECK((bench.get(0x24) & 8) != 0);
            HashBench::pass_us(200);
        }
        CHECK((bench.get(0x24) & 0xB) == 3);
        std::string text;
        for (unsigned i = 0; i < words; ++i) text += hex(bench.get(0x310 + 4 * i));
        return text;
    };
    constexpr const char* kKey = "Jefe";
    constexpr const char* kMessage = "what do ya want for nothing?";
    CHECK(hmac(0, kKey, kMessage, 5) == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
    CHECK(hmac(3, kKey, kMessage, 8) ==
          "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    CHECK(hmac(12, kKey, kMessage, 12) ==
          "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47"
          "e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649");
    const std::string key(131, '\xAA');
    constexpr const char* kLonger = "Test Using Larger Than Block-Size Key - Hash Key First";
    CHECK(hmac(3, key, kLonger, 8) ==
          "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    CHECK(hmac(12, key, kLonger, 12) ==
          "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f"
          "3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952");
    // A message alone, afterwards.
    CHECK(bench.digest(0, "abc", 5) == "a9993e364706816aba3e25717850c26c9cd0d89d");
}

TEST_CASE("HASH: an empty message, and a million times a") {
    HashBench bench;
    CHECK(bench.digest(3, "", 8) ==
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    Sha sha(Sha::Algorithm::Sha256);
    for (unsigned i = 0; i < 1'000'000; ++i) sha.put('a');
    sha.finish(0, 0);
    CHECK(hex(sha.word(0)) + hex(sha.word(7)) == "cdc76e5cc7112cd0");
}

TEST_CASE("HASH: messages that end within a byte") {
    // Published example of five bits: SHA-1 of 98, of which the highest five bits count.
    Sha sha(Sha::Algorithm::Sha1);
    sha.finish(0x98, 5);
    CHECK(hex(sha.word(0)) == "29826b00");
    CHECK(hex(sha.word(4)) == "31ac75ba");
}

TEST_CASE("HASH: BUSY, DINIS, DCIS and the interrupt take the time of a block") {
    HashBench bench;
    CHECK(bench.get(0x24) == 0x110001);
    bench.set(0x00, 3u << 17 | 1u << 2);
    bench.set(0x20, 2);
    for (unsigned i = 0; i < 16; ++i) bench.set(0x04, i);
    CHECK((bench.get(0x24) & 0xB) == 1);
    bench.set(0x04, 16);
    CHECK((bench.get(0x24) & 0xB) == 8);
    HashBench::pass_us(1);
    CHECK((bench.get(0x24) & 0xB) == 1);
    bench.set(0x08, 1u << 8);
    CHECK((bench.get(0x24) & 0xB) == 8);
    CHECK_FALSE(bench.line);
    HashBench::pass_us(1.1);
    CHECK((bench.get(0x24) & 0xB) == 3);
    CHECK(bench.line);
    bench.set(0x00, 3u << 17 | 1u << 2);
    CHECK_FALSE(bench.line);
    CHECK(bench.get(0x310) == 0);
}

TEST_CASE("HASH: the DMA request, and what is not modelled") {
    HashBench bench;
    CHECK_FALSE(bench.request);
    CHECK(bench.set(0x00, 1u << 3 | 1u << 2));
    CHECK(bench.request);
    for (unsigned i = 0; i < 17; ++i) bench.set(0x04, 0);
    CHECK_FALSE(bench.request);
    HashBench::pass_us(1.1);
    CHECK(bench.request);
    CHECK_FALSE(bench.set(0x00, 1u << 13));  // MDMAT
    CHECK_FALSE(bench.set(0x00, 1u << 17));  // no such algorithm
    CHECK_FALSE(bench.set(0xF8, 1));
    bench.set(0x04, 1);
    bench.set(0x08, 1u << 8);
    CHECK(bench.get(0x310) == 0);
}

TEST_CASE("HASH: an HMAC keeps the algorithm of its INIT") {
    HashBench bench;
    constexpr std::uint32_t kHmac = 1u << 6 | 2u << 4;
    CHECK(bench.set(0x00, 3u << 17 | kHmac | 1u << 2));
    CHECK_FALSE(bench.set(0x00, 1u << 17 | kHmac));  // no such algorithm
    constexpr const char* kKey = "Jefe";
    for (const char* const part : {kKey, "what do ya want for nothing?", kKey}) {
        bench.feed(part);
        HashBench::pass_us(200);
    }
    // RFC 4231, 4.3.
    CHECK(hex(bench.get(0x310)) + hex(bench.get(0x310 + 28)) == "5bdcc14664ec3843");
}

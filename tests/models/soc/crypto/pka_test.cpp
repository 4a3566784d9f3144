// SPDX-License-Identifier: Apache-2.0
// PKA: arithmetic against 64-bit integers, RSA of textbook numbers, the curve P-256 with published
// points (SEC 2, and the ECDSA example of RFC 6979).
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/soc/crypto/natural.h"
#include "models/soc/crypto/pka.h"

using namespace n6vp::models;
using crypto::Natural;
using Words = std::vector<std::uint32_t>;

namespace {

/// The lowest word first.
Words number(std::string_view hex) {
    Words words;
    for (std::size_t end = hex.size(); end > 0;) {
        const std::size_t start = end >= 8 ? end - 8 : 0;
        words.push_back(static_cast<std::uint32_t>(
            std::stoul(std::string(hex.substr(start, end - start)), nullptr, 16)));
        end = start;
    }
    return words;
}

constexpr const char* kPrime = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";
constexpr const char* kOrder = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
constexpr const char* kB = "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b";
constexpr const char* kGx = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296";
constexpr const char* kGy = "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";
// RFC 6979, A.2.5: the key, SHA-256 of "sample", its k, r and s.
constexpr const char* kKey = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721";
constexpr const char* kKeyX = "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6";
constexpr const char* kKeyY = "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299";
constexpr const char* kHash = "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf";
constexpr const char* kK = "a6e3c57dd01abe90086538398355dd4c3b17aa873382b0f24d6129493d8aad60";
constexpr const char* kR = "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716";
constexpr const char* kS = "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8";

struct Bench {
    crypto::Pka pka{"pka", "PKA"};
    bool line = false;

    Bench() {
        pka.on_interrupt = [this](bool level) { line = level; };
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        pka.reset();
        set(0x0, 1);
        CHECK((get(0x4) & 1) == 0);
        pass_us(101);
        CHECK((get(0x4) & 1) == 1);
    }
    static Picoseconds now() { return sc_core::sc_time_stamp().value(); }
    static void pass_us(double us) { sc_core::sc_start(sc_core::sc_time(us, sc_core::SC_US)); }
    bool set(std::uint32_t offset, std::uint32_t value) {
        return pka.write(offset, value, 0xFFFFFFFF, now()).modelled;
    }
    std::uint32_t get(std::uint32_t offset) { return pka.read(offset, now()).value; }
    void put(std::uint32_t offset, const Words& words) {
        for (const std::uint32_t word : words) {
            set(offset, word);
            offset += 4;
        }
    }
    Words take(std::uint32_t offset, std::size_t words) {
        Words taken;
        for (std::uint32_t i = 0; i < words; ++i) taken.push_back(get(offset + 4 * i));
        return taken;
    }
    /// Returns the flags of the end.
    std::uint32_t run(std::uint32_t mode) {
        set(0x0, mode << 8 | 1);
        set(0x0, mode << 8 | 3);
        CHECK((get(0x4) & 1u << 16) != 0);
        pass_us(10'001);
        const std::uint32_t status = get(0x4);
        set(0x8, 0x003A0000);
        return status & ~1u;
    }
    void put_curve(std::uint32_t sign, std::uint32_t a) {
        set(sign, 1);
        put(a, {3, 0, 0, 0, 0, 0, 0, 0});
    }
};
constexpr std::uint32_t kEnd = 1u << 17, kError = 1u << 21;

}  // namespace

TEST_CASE("PKA numbers: division undoes multiplication and addition") {
    std::uint64_t seed = 88172645463325252u;
    const auto random = [&seed] {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        // Words of ones and zeros try the estimate of a digit.
        const std::uint64_t kind = seed >> 61;
        return kind == 0 ? 0xFFFFFFFFu : kind == 1 ? 0u : static_cast<std::uint32_t>(seed);
    };
    for (unsigned round = 0; round < 2000; ++round) {
        Words a, b, c;
        for (unsigned i = 0; i < 1 + round % 7; ++i) a.push_back(random());
        for (unsigned i = 0; i < 1 + round % 5; ++i) b.push_back(random());
        b.push_back(random() | 1);
        for (std::size_t i = 0; i + 1 < b.size(); ++i) c.push_back(random());
        const Natural divisor(b), quotient(a), rest(c);
        const auto [found, left] = (quotient * divisor + rest).divide(divisor);
        REQUIRE(found == quotient);
        REQUIRE(left == rest);
    }
    const Natural big(number("123456789abcdef0"));
    CHECK((big - Natural(1)).word(0) == 0x9abcdeef);
    CHECK((big % Natural(1000)).word(0) == 0x123456789abcdef0u % 1000);
    CHECK(crypto::power(Natural(3), Natural(200), Natural(13)) == Natural(9));  // 3^3 is 1
    CHECK_FALSE(crypto::inverse(Natural(6), Natural(9)).has_value());
}

TEST_CASE("PKA: arithmetic of two words") {
    Bench bench;
    const std::uint64_t a = 0xfedcba9876543210u, b = 0x0123456789abcdefu, m = 0xfffffffffffffff1u;
    const auto words = [](std::uint64_t value) {
        return Words{static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
    };
    bench.set(0x400, 64);
    bench.set(0x408, 64);
    bench.put(0xA50, words(a));
    bench.put(0xC68, words(b));
    bench.put(0x1088, words(m));
    CHECK(bench.run(0x09) == kEnd);
    CHECK(bench.take(0xE78, 2) == words(a + b));
    CHECK(bench.run(0x0A) == kEnd);
    CHECK(bench.take(0xE78, 2) == words(a - b));
    CHECK(bench.run(0x0C) == kEnd);
    CHECK(bench.get(0xE78) == 0x7AF8);
    CHECK(bench.run(0x0D) == kEnd);
    CHECK(bench.take(0xE78, 2) == words(a % b));
    CHECK(bench.run(0x0F) == kEnd);
    CHECK(bench.take(0xE78, 2) == words(a - b));
    CHECK(bench.run(0x0B) == kEnd);
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    CHECK(bench.take(0xE78, 2) == words(static_cast<std::uint64_t>(product)));
    CHECK(bench.take(0xE80, 2) == words(static_cast<std::uint64_t>(product >> 64)));
    // Montgomery: the product with R^2 is the number times R.
    CHECK(bench.run(0x01) == kEnd);
    bench.put(0xC68, bench.take(0x620, 2));
    CHECK(bench.run(0x10) == kEnd);
    const Wide r = static_cast<Wide>(1) << 64;
    CHECK(bench.take(0xE78, 2) == words(static_cast<std::uint64_t>(r % m * a % m)));
    // No inverse of an even number modulo an even one.
    bench.put(0xC68, words(64));
    CHECK(bench.run(0x08) == (kEnd | kError));
    CHECK_FALSE(bench.set(0x0, 0x23u << 8 | 3));
}

TEST_CASE("PKA: RSA of textbook numbers, plain and by CRT, with the interrupt") {
    Bench bench;
    // n = 61 * 53, e = 17, d = 413; 65^17 mod 3233 = 2790.
    bench.set(0x400, 32);
    bench.set(0x408, 32);
    bench.set(0xC68, 65);
    bench.set(0xE78, 17);
    bench.set(0x1088, 3233);
    CHECK(bench.run(0x00) == kEnd);
    CHECK(bench.get(0x838) == 2790);
    bench.set(0x408, 64);
    bench.put(0x730, {53});  // d mod 60
    bench.put(0xE78, {49});  // d mod 52
    bench.put(0x948, {38});  // 53^-1 mod 61
    bench.put(0xB60, {61});
    bench.put(0x1088, {53});
    bench.put(0x12A0, {2790, 0});
    bench.set(0x0, 0x07u << 8 | 1u << 17 | 1);
    bench.set(0x0, 0x07u << 8 | 1u << 17 | 3);
    CHECK(bench.get(0x838) == 0);  // the RAM is the unit's own
    CHECK_FALSE(bench.line);
    Bench::pass_us(10'001);
    CHECK(bench.line);
    CHECK(bench.get(0x838) == 65);
    bench.set(0x8, kEnd);
    CHECK_FALSE(bench.line);
}

TEST_CASE("PKA: a point of P-256 is multiplied and checked") {
    Bench bench;
    bench.set(0x400, 256);
    bench.set(0x408, 256);
    bench.put_curve(0x410, 0x418);
    bench.put(0x520, number(kB));
    bench.put(0x1088, number(kPrime));
    bench.put(0x12A0, number(kKey));
    bench.put(0x578, number(kGx));
    bench.put(0x470, number(kGy));
    CHECK(bench.run(0x20) == kEnd);
    CHECK(bench.get(0x680) == 0xD60D);
    CHECK(bench.take(0x578, 8) == number(kKeyX));
    CHECK(bench.take(0x5D0, 8) == number(kKeyY));
    bench.put(0x470, number(kPrime));
    CHECK(bench.run(0x28) == kEnd);
    CHECK(bench.get(0x680) == 0xD60D);
    bench.set(0x5D0, 1);
    CHECK(bench.run(0x28) == kEnd);
    CHECK(bench.get(0x680) == 0xA3B7);
}

TEST_CASE("PKA: ECDSA signs and verifies the example of RFC 6979") {
    Bench bench;
    bench.set(0x400, 256);
    bench.set(0x408, 256);
    bench.put_curve(0x410, 0x418);
    bench.put(0x520, number(kB));
    bench.put(0x1088, number(kPrime));
    bench.put(0x12A0, number(kK));
    bench.put(0x578, number(kGx));
    bench.put(0x470, number(kGy));
    bench.put(0xFE8, number(kHash));
    bench.put(0xF28, number(kKey));
    bench.put(0xF88, number(kOrder));
    CHECK(bench.run(0x24) == kEnd);
    CHECK(bench.get(0xFE0) == 0xD60D);
    CHECK(bench.take(0x730, 8) == number(kR));
    CHECK(bench.take(0x788, 8) == number(kS));
    bench.set(0x408, 256);
    bench.set(0x4C8, 256);
    bench.put_curve(0x468, 0x470);
    bench.put(0x4D0, number(kPrime));
    bench.put(0x678, number(kGx));
    bench.put(0x6D0, number(kGy));
    bench.put(0x12F8, number(kKeyX));
    bench.put(0x1350, number(kKeyY));
    bench.put(0x10E0, number(kR));
    bench.put(0xC68, number(kS));
    bench.put(0x13A8, number(kHash));
    bench.put(0x1088, number(kOrder));
    CHECK(bench.run(0x26) == kEnd);
    CHECK(bench.get(0x5D0) == 0xD60D);
    bench.set(0x13A8, 0);
    CHECK(bench.run(0x26) == kEnd);
    CHECK(bench.get(0x5D0) != 0xD60D);
}

TEST_CASE("PKA: numbers of a curve have 640 bits at most") {
    Bench bench;
    bench.set(0x400, 256);
    bench.set(0x408, 640);
    bench.put_curve(0x410, 0x418);
    bench.put(0x520, number(kB));
    bench.put(0x1088, number(kPrime));
    bench.put(0x12A0, {1});
    bench.put(0x578, number(kGx));
    bench.put(0x470, number(kGy));
    CHECK(bench.run(0x20) == kEnd);
    CHECK(bench.take(0x578, 8) == number(kGx));
    bench.put(0xF88, number(kOrder));
    bench.put(0x4D0, number(kPrime));
    for (const std::uint32_t length : {0x400u, 0x408u, 0x4C8u}) {
        CAPTURE(length);
        bench.set(0x400, 256);
        bench.set(0x408, 256);
        bench.set(0x4C8, 256);
        bench.set(length, 641);
        if (length != 0x4C8) CHECK(bench.run(0x20) == (kEnd | kError));
        if (length != 0x4C8) CHECK(bench.run(0x24) == (kEnd | kError));
        if (length != 0x400) CHECK(bench.run(0x26) == (kEnd | kError));
    }
}

TEST_CASE("PKA: times of zero are no time, but an end all the same") {
    PkaParameters parameters;
    PkaParameters::visit(parameters, [](Parameter& each) { each.value = 0; });
    crypto::Pka pka("pka", "PKA", parameters);
    const auto set = [&pka](std::uint32_t offset, std::uint32_t value) {
        CHECK(pka.write(offset, value, 0xFFFFFFFF, 0).modelled);
    };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    CHECK(pka.read(0x4, 0).value == 0);
    set(0x0, 1);  // EN, at time zero
    CHECK((pka.read(0x4, 0).value & 1) == 0);
    Bench::pass_us(1);
    CHECK(pka.read(0x4, Bench::now()).value == 1);
}

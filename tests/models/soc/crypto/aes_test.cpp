// SPDX-License-Identifier: Apache-2.0
// AES and its modes: examples of FIPS 197, NIST SP 800-38A, 38C and 38D (the GCM test case 4).
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/soc/crypto/aes.h"

using namespace n6vp::models::crypto;

namespace {

std::vector<std::uint8_t> bytes(std::string_view hex) {
    std::vector<std::uint8_t> result;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        result.push_back(
            static_cast<std::uint8_t>(std::stoul(std::string(hex.substr(i, 2)), nullptr, 16)));
    return result;
}
/// Padded with zeros.
Block block(std::string_view hex) {
    Block result{};
    const std::vector<std::uint8_t> from = bytes(hex);
    for (std::size_t i = 0; i < from.size(); ++i) result[i] = from[i];
    return result;
}

constexpr const char* kKey128 = "2b7e151628aed2a6abf7158809cf4f3c";
constexpr const char* kOne = "6bc1bee22e409f96e93d7e117393172a";
constexpr const char* kTwo = "ae2d8a571e03ac9c9eb76fac45af8e51";

}  // namespace

TEST_CASE("AES: one block with each size of key, both ways") {
    const Block plain = block("00112233445566778899aabbccddeeff");
    const std::string key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    const std::pair<std::size_t, const char*> examples[] = {
        {16, "69c4e0d86a7b0430d8cdb78070b4c55a"},
        {24, "dda97ca4864cdfe06eaf70a0ec0d7191"},
        {32, "8ea2b7ca516745bfeafc49904b496089"}};
    for (const auto& [size, cipher] : examples) {
        const Aes aes(bytes(key.substr(0, 2 * size)));
        CHECK(aes.encrypt(plain) == block(cipher));
        CHECK(aes.decrypt(block(cipher)) == plain);
    }
}

TEST_CASE("AES: CBC and CTR chain blocks, and their vector goes on") {
    Chain chain;
    const Block start = block("000102030405060708090a0b0c0d0e0f");
    chain.begin(Chain::Mode::Cbc, false, bytes(kKey128), start);
    CHECK(chain.process(block(kOne)) == block("7649abac8119b246cee98e9b12e9197d"));
    CHECK(chain.process(block(kTwo)) == block("5086cb9b507219ee95db113a917678b2"));
    CHECK(chain.vector() == block("5086cb9b507219ee95db113a917678b2"));
    chain.begin(Chain::Mode::Cbc, true, bytes(kKey128), start);
    CHECK(chain.process(block("7649abac8119b246cee98e9b12e9197d")) == block(kOne));
    CHECK(chain.process(block("5086cb9b507219ee95db113a917678b2")) == block(kTwo));
    const Block counter = block("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    chain.begin(Chain::Mode::Ctr, false, bytes(kKey128), counter);
    CHECK(chain.process(block(kOne)) == block("874d6191b620e3261bef6864990db6ce"));
    CHECK(chain.process(block(kTwo)) == block("9806f66b7970fdff8617187bb9fffdff"));
    CHECK(chain.vector() == block("f0f1f2f3f4f5f6f7f8f9fafbfcfdff01"));
}

TEST_CASE("AES: GCM with associated data and a message that ends within a block") {
    const char* const message[] = {"d9313225f88406e5a55909c5aff5269a",
                                   "86a7a9531534f7da2e4c303d8a318a72",
                                   "1c3c0c95956809532fcf0e2449a6b525", "b16aedf5aa0de657ba637b39"};
    const char* const secret[] = {"42831ec2217774244b7221b784d0d49c",
                                  "e3aa212f2c02a4e035c17e2329aca12e",
                                  "21d514b25466931c7d8f6a5aac84aa05", "1ba30b396a0aac973d58e091"};
    for (const bool decrypts : {false, true}) {
        Chain chain;
        chain.begin(Chain::Mode::Gcm, decrypts, bytes("feffe9928665731c6d6a8f9467308308"),
                    block("cafebabefacedbaddecaf88800000002"));
        chain.header(block("feedfacedeadbeeffeedfacedeadbeef"));
        chain.header(block("abaddad2"));
        for (unsigned i = 0; i < 4; ++i) {
            Block result = chain.process(block(decrypts ? secret[i] : message[i]), i == 3 ? 4 : 0);
            if (i == 3) std::fill(result.begin() + 12, result.end(), std::uint8_t{0});
            CHECK(result == block(decrypts ? message[i] : secret[i]));
        }
        // 160 bits and 480 bits.
        CHECK(chain.finish(block("00000000000000a000000000000001e0")) ==
              block("5bc94fbc3221a5db94fae95ae7121a47"));
    }
}

TEST_CASE("AES: CCM authenticates what is not encrypted") {
    for (const bool decrypts : {false, true}) {
        Chain chain;
        chain.begin(Chain::Mode::Ccm, decrypts, bytes("404142434445464748494a4b4c4d4e4f"),
                    block("07101112131415160000000000000001"));
        chain.first(block("4f101112131415160000000000000004"));
        chain.header(block("00080001020304050607"));
        Block result = chain.process(block(decrypts ? "7162015b" : "20212223"), 12);
        std::fill(result.begin() + 4, result.end(), std::uint8_t{0});
        CHECK(result == block(decrypts ? "20212223" : "7162015b"));
        const Block tag = chain.finish(block("0710111213141516"));
        CHECK(std::vector<std::uint8_t>(tag.begin(), tag.begin() + 4) == bytes("4dac255d"));
    }
}

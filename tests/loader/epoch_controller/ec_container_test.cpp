// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string_view>

#include "loader/ec_check.h"
#include "tests/loader/epoch_controller/ec_assembler.h"

namespace {

using namespace n6vp::loader;
namespace ec = n6vp::loader::ec;
using namespace n6vp::test;

ec::Bytes view(const std::vector<std::uint8_t>& bytes) {
    return {bytes.data(), static_cast<std::uint32_t>(bytes.size())};
}

ec::Container opened(const EcImage& image) {
    ec::Container container;
    Diagnosis why;
    REQUIRE(ec::open(view(image.bytes), container, why) == Status::Ok);
    return container;
}

/// A blob in RAM, aligned as the controller wants it.
struct Ram {
    alignas(8) std::uint32_t words[512] = {};
    std::uint32_t previous[2] = {};

    explicit Ram(const ec::Container& container) {
        Diagnosis why;
        REQUIRE(ec::copy_blob(container, words, 512, why) == Status::Ok);
    }
    [[nodiscard]] Words first(std::size_t count) const { return {words, words + count}; }
};

constexpr std::uint32_t kMagics[] = {kEcMagic0020, kEcMagic0030, kEcMagic0050};

}  // namespace

TEST_CASE("the one-symbol table of the format description") {
    // 1, 24, 2, 16, i0, i1, "_user_io_input_0", padding: 0x30 bytes, written here word by word.
    const std::uint32_t words[] = {
        0xECBF0030, 0x18,       0,          0,          0x48,  0,  // header
        1,          24,         2,          16,         1,     2,  // table, indices
        0x6573755F, 0x6F695F72, 0x706E695F, 0x305F7475, 0,     0,  // string
        0xCA057A7A, 4,          0x0000003D, 0x100,      0x1FF, 0x0000000C};
    std::vector<std::uint8_t> bytes(sizeof words);
    std::memcpy(bytes.data(), words, sizeof words);
    ec::Container container;
    Diagnosis why;
    REQUIRE(ec::open(view(bytes), container, why) == Status::Ok);
    CHECK(container.symbol_count == 1);
    CHECK(container.patch_count == 0);
    CHECK(container.blob_offset - container.reloc_offset == 0x30);
    CHECK(container.blob_words == 6);
    ec::Symbol symbol;
    REQUIRE(ec::symbol(container, 0, symbol));
    CHECK(std::string_view(symbol.name) == "_user_io_input_0");
    CHECK(symbol.count == 2);
    CHECK_FALSE(ec::symbol(container, 1, symbol));
    std::uint32_t index = 0;
    REQUIRE(ec::target(container, symbol.indices_offset, 0, index));
    CHECK(index == 1);
    REQUIRE(ec::target(container, symbol.indices_offset, 1, index));
    CHECK(index == 2);
    CHECK_FALSE(ec::target(container, symbol.indices_offset, 0x3FFFFFFF, index));

    alignas(8) std::uint32_t ram[6] = {};
    std::uint32_t previous = 0;
    REQUIRE(ec::copy_blob(container, ram, 6, why) == Status::Ok);
    REQUIRE(ec::relocate_by_name(container, ram, "_user_io_input_0", 0x34200000, previous, why) ==
            Status::Ok);
    const std::uint32_t expected[] = {0xCA057A7A, 4,          0x0000003D,
                                      0x34200100, 0x342001FF, 0x0000000C};
    CHECK(std::memcmp(ram, expected, sizeof ram) == 0);
    CHECK(previous == 0x34200000);
}

TEST_CASE("containers of every generation open, with and without debug section") {
    for (const std::uint32_t magic : kMagics) {
        for (const std::uint32_t debug_bytes : {0u, 8u, 100u}) {
            const EcImage image = sample_ec(magic, debug_bytes);
            const ec::Container container = opened(image);
            CHECK(container.magic == magic);
            CHECK(container.reloc_offset == image.reloc);
            CHECK(container.patch_offset == image.patch);
            CHECK(container.debug_offset == image.debug);
            CHECK(container.blob_offset == image.blob);
            CHECK(container.symbol_count == 2);
            CHECK(container.patch_count == (magic == kEcMagic0020   ? 0
                                            : magic == kEcMagic0030 ? 2
                                                                    : 4));
            CHECK(container.blob_words == image.blob_words().size());
        }
    }
}

TEST_CASE("a container opens at any host alignment and with foreign bytes behind it") {
    const EcImage image = sample_ec(kEcMagic0050);
    for (std::size_t shift = 0; shift < 8; ++shift) {
        std::vector<std::uint8_t> moved(shift, 0xEE);
        moved.insert(moved.end(), image.bytes.begin(), image.bytes.end());
        moved.insert(moved.end(), 1000, 0xEE);
        ec::Container container;
        Diagnosis why;
        const auto size = static_cast<std::uint32_t>(moved.size() - shift);
        CHECK(ec::open({moved.data() + shift, size}, container, why) == Status::Ok);
        CHECK(Ram(container).first(container.blob_words) == image.blob_words());
    }
}

TEST_CASE("containers without tables are legal") {
    for (const std::uint32_t magic : kMagics) {
        const EcImage image = build_ec(magic, sample_program().words, {});
        const ec::Container container = opened(image);
        CHECK(container.symbol_count == 0);
        ec::Patch patch;
        CHECK_FALSE(ec::patch(container, 0, patch));
    }
}

TEST_CASE("relocation adds the difference to the words of one symbol and to no other") {
    const EcProgram program = sample_program();
    for (const std::uint32_t magic : kMagics) {
        const EcImage image = sample_ec(magic);
        const ec::Container container = opened(image);
        Ram ram(container);
        Diagnosis why;
        const std::uint32_t bases[] = {0x90000000, 0x90000000, 0x34100040,
                                       0,          0xFFFFFFFF, 0x12345678};
        for (const std::uint32_t base : bases) {
            CHECK(ec::relocate(container, ram.words, 0, base, ram.previous[0], why) == Status::Ok);
            CHECK(ram.previous[0] == base);
            Words expected = image.blob_words();
            for (const std::uint32_t index : program.addresses[0]) expected[2 + index] += base;
            CHECK(ram.first(container.blob_words) == expected);
        }
        CHECK(ec::relocate(container, ram.words, 1, 0x34200000, ram.previous[1], why) ==
              Status::Ok);
        Words expected = image.blob_words();
        for (const std::uint32_t index : program.addresses[0]) expected[2 + index] += 0x12345678;
        for (const std::uint32_t index : program.addresses[1]) expected[2 + index] += 0x34200000;
        CHECK(ram.first(container.blob_words) == expected);
    }
}

TEST_CASE("a copied blob starts again only with previous base 0") {
    const EcImage image = sample_ec(kEcMagic0050);
    const ec::Container container = opened(image);
    Ram ram(container);
    Diagnosis why;
    REQUIRE(ec::relocate(container, ram.words, 0, 0x1000, ram.previous[0], why) == Status::Ok);
    REQUIRE(ec::copy_blob(container, ram.words, 512, why) == Status::Ok);
    REQUIRE(ec::relocate(container, ram.words, 0, 0x1000, ram.previous[0], why) == Status::Ok);
    CHECK(ram.first(container.blob_words) ==
          image.blob_words());  // Forgotten reset: stays an offset.
    ram.previous[0] = 0;
    REQUIRE(ec::relocate(container, ram.words, 0, 0x1000, ram.previous[0], why) == Status::Ok);
    const std::uint32_t index = sample_program().addresses[0][0];
    CHECK(ram.words[2 + index] == image.blob_words()[2 + index] + 0x1000);
}

TEST_CASE("patches of 0030 replace masked bits") {
    const EcProgram program = sample_program();
    const EcImage image = sample_ec(kEcMagic0030);
    const ec::Container container = opened(image);
    Ram ram(container);
    Diagnosis why;
    REQUIRE(ec::apply_patch(container, ram.words, 0, 0x1234567890ABCDEFu, why) == Status::Ok);
    REQUIRE(ec::apply_patch_by_name(container, ram.words, "SE_00_MSB", 0xFFFFFFFF, why) ==
            Status::Ok);
    Words expected = image.blob_words();
    expected[2 + program.encryption[0]] = 0x90ABCDEF;
    expected[2 + program.encryption[1]] = (0x1000u & ~0xE7FFu) | 0xE7FFu;
    CHECK(ram.first(container.blob_words) == expected);
    REQUIRE(ec::apply_patch(container, ram.words, 1, 0x0005, why) == Status::Ok);
    expected[2 + program.encryption[1]] = 0x1005;
    CHECK(ram.first(container.blob_words) == expected);
}

TEST_CASE("patches of 0050 shift both ways and apply to every entry of a name") {
    const EcProgram program = sample_program();
    const EcImage image = sample_ec(kEcMagic0050);
    const ec::Container container = opened(image);
    Ram ram(container);
    Diagnosis why;
    // Identifier of 43 bits: low word into ENCR_LSB, 11 bits into ENCR_MSB, whose EN bit 12 stays.
    REQUIRE(ec::apply_patch_by_name(container, ram.words, "SE_ENCRYPTION_ID",
                                    0x0000'05A5'DEAD'BEEFu, why) == Status::Ok);
    REQUIRE(ec::apply_patch_by_name(container, ram.words, "SE_ROUNDS", 1, why) == Status::Ok);
    REQUIRE(ec::apply_patch_by_name(container, ram.words, "SE_KEY_SEL", 2, why) == Status::Ok);
    Words expected = image.blob_words();
    expected[2 + program.encryption[0]] = 0xDEADBEEF;
    expected[2 + program.encryption[1]] = 0x5A5 | 1u << 12 | 1u << 13 | 2u << 14;
    CHECK(ram.first(container.blob_words) == expected);
}

TEST_CASE("patch shifts at both ends of their range") {
    const EcProgram program = sample_program();
    const std::uint32_t word = program.encryption[0];
    const auto patched = [&](std::int32_t shift, std::uint32_t mask, std::uint64_t value) {
        const EcImage image =
            build_ec(kEcMagic0050, program.words, {}, {{"p", {word}, shift, mask}});
        const ec::Container container = opened(image);
        Ram ram(container);
        Diagnosis why;
        REQUIRE(ec::apply_patch(container, ram.words, 0, value, why) == Status::Ok);
        return ram.words[2 + word];
    };
    CHECK(program.words[word] == 0);
    CHECK(patched(63, 0xFFFFFFFF, 0x8000000000000000u) == 1);
    CHECK(patched(63, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFFu) == 0);
    CHECK(patched(31, 0xFFFFFFFF, 0x123456789u << 31) == 0x23456789);
    CHECK(patched(-31, 0xFFFFFFFF, 3) == 0x80000000);
    CHECK(patched(-31, 1, 1) == 0x80000000);
    CHECK(patched(-1, 0xFF, 0xFFF) == 0x1FE);
    CHECK(patched(0, 0, 0xFFFFFFFF) == 0);
}

TEST_CASE("several patch entries may write fields of the same words") {
    const EcProgram program = sample_program();
    Words all(program.words.size());
    for (std::uint32_t index = 0; index < all.size(); ++index) all[index] = index;
    const EcImage image = build_ec(kEcMagic0050, program.words, {},
                                   {{"low", all, 0, 0xFFFF}, {"high", all, 0, 0xFFFF0000}});
    const ec::Container container = opened(image);
    Ram ram(container);
    Diagnosis why;
    REQUIRE(ec::apply_patch(container, ram.words, 0, 0x11112222, why) == Status::Ok);
    REQUIRE(ec::apply_patch(container, ram.words, 1, 0x33334444, why) == Status::Ok);
    for (std::uint32_t index = 0; index < all.size(); ++index) {
        CHECK(ram.words[2 + index] == 0x33332222);
    }
}

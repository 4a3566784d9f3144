// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/blob_origin.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "tests/loader/epoch_controller/ec_assembler.h"

using namespace n6vp;
using sim::fault_report::BlobOrigin;
using sim::fault_report::BlobPlace;

namespace {

constexpr std::uint32_t kContainer = 0x1200, kCopy = 0x34200000;

/// A blob of ten words, of which symbols relocate five; installed in RAM with these values.
struct Bench {
    sim::Platform& platform;
    test::EcImage image =
        test::build_ec(test::kEcMagic0050, {1, 0x100, 2, 0x200, 3, 0x300, 4, 0x400, 5, 0x500},
                       {{"far", {1}}, {"near", {3, 5}}, {"above", {7, 9}}});
    BlobPlace place;
    test::Words words = image.blob_words();

    explicit Bench(sim::Platform& chip) : platform(chip) {
        loader::Diagnosis why;
        place.offset = kContainer;
        REQUIRE(
            loader::ec::open({image.bytes.data(), static_cast<std::uint32_t>(image.bytes.size())},
                             place.container, why) == loader::Status::Ok);
    }
    void install(const std::vector<std::uint32_t>& values, std::uint32_t at = kCopy) {
        for (std::size_t i = 0; i < values.size(); ++i) words[2 + 1 + 2 * i] = values[i];
        std::vector<std::uint8_t> bytes(4 * words.size());
        std::memcpy(bytes.data(), words.data(), bytes.size());
        REQUIRE(platform.store(GuestAddr{at}, bytes));
    }
    std::optional<BlobOrigin> find(std::uint32_t address, std::uint32_t reach) {
        return sim::fault_report::find_blob_origin(platform, {place}, address, reach);
    }
};

}  // namespace

TEST_CASE("blob origin: the relocated word nearest below the address, whatever stands first") {
    sim::Platform chip{sim::PlatformParameters{}};
    const std::vector<std::uint32_t> values = {0x90000000, 0x90000030, 0x90000020, 0x90000041,
                                               0x90000050};
    for (const bool turned : {false, true}) {
        CAPTURE(turned);
        Bench bench(chip);
        bench.install(turned ? std::vector<std::uint32_t>(values.rbegin(), values.rend()) : values);
        const auto origin = bench.find(0x90000040, 0x100);
        REQUIRE(origin.has_value());
        const std::uint32_t word = turned ? 7 : 3;
        CHECK(origin->symbol == (turned ? "above" : "near"));
        CHECK(origin->word == word);
        CHECK(origin->now == 0x90000030);
        CHECK(origin->distance == 0x10);
        CHECK(origin->container == kContainer);
        // Magic and length stand before the first instruction.
        CHECK(origin->file_offset == kContainer + bench.image.blob + 4 * (word + 2));
        CHECK(origin->file_value == (turned ? 0x400 : 0x200));
        CHECK((origin->installed_at & ~0x10000000u) == (kCopy & ~0x10000000u) + 4 * (word + 2));
    }
}

TEST_CASE("blob origin: the word itself is near, one beyond the reach or above is not") {
    sim::Platform chip{sim::PlatformParameters{}};
    Bench bench(chip);
    bench.install({0x90000000, 0x90001000, 0x90002000, 0x90003000, 0x90004000});
    const auto word = [&](std::uint32_t address, std::uint32_t reach) {
        const auto origin = bench.find(address, reach);
        return origin ? static_cast<int>(origin->word) : -1;
    };
    CHECK(word(0x90002000, 0) == 5);
    CHECK(word(0x90002001, 0) == -1);
    CHECK(word(0x90002100, 0x100) == 5);
    CHECK(word(0x90002101, 0x100) == -1);
    CHECK(word(0x8FFFFFFF, 0x100) == -1);
    CHECK(word(0x90004010, 0x100) == 9);
}

TEST_CASE("blob origin: of two words as near the first, of a blob that is another none") {
    sim::Platform chip{sim::PlatformParameters{}};
    const std::vector<std::uint32_t> values = {0x90000000, 0x90001000, 0x90001000, 0x90003000,
                                               0x90004000};
    const auto found = [&](Bench& bench, std::uint32_t at = kCopy) {
        REQUIRE(chip.store(GuestAddr{kCopy}, std::vector<std::uint8_t>(256)));
        bench.install(values, at);
        return bench.find(0x90001004, 0x100);
    };
    Bench bench(chip);
    REQUIRE(found(bench).has_value());
    CHECK(found(bench)->word == 3);
    Bench length(chip), first(chip);
    length.words[1] = 9;
    CHECK_FALSE(found(length).has_value());
    first.words[2] = 7;
    CHECK_FALSE(found(first).has_value());
    // Blobs begin at multiples of 8, and are fetched from RAM.
    CHECK_FALSE(found(bench, kCopy + 4).has_value());
    CHECK(found(bench, kCopy + 8).has_value());
    CHECK_FALSE(found(bench, 0x71000000).has_value());
}

// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/installed_model.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>

#include "tests/support/image_builder.h"

using namespace n6vp;

namespace {

constexpr std::uint32_t kFile = 0x71000000;

/// What an install leaves in the context at a RAM base; without another address in place.
void leave_context(sim::Platform& platform, const test::Image& image, std::uint32_t ram,
                   std::uint32_t state, std::uint32_t rom = kFile) {
    const std::uint32_t words[] = {state, kFile, ram, rom};
    std::array<std::uint8_t, sizeof words> bytes{};
    std::memcpy(bytes.data(), words, sizeof words);
    REQUIRE(platform.store(GuestAddr{ram + image.context - image.ro_bytes}, bytes));
}

}  // namespace

TEST_CASE("installed model: what an earlier install left behind is no instance") {
    constexpr std::uint32_t kEarlier = 0x34060000, kNow = 0x34064000;
    const test::Image image = test::build_image(test::sample_spec(test::ImageGeneration::Core22));
    sim::Platform platform{sim::PlatformParameters{}};
    REQUIRE(platform.store(GuestAddr{kFile}, image.file));
    const sim::fault_report::ModelPlace place{kFile, static_cast<std::uint32_t>(image.file.size()),
                                              "model"};
    leave_context(platform, image, kEarlier, 0);
    CHECK(sim::fault_report::InstalledModel::find(platform, place, {}) == nullptr);
    leave_context(platform, image, kNow, 3);  // INITIALIZED and XIP
    const auto model = sim::fault_report::InstalledModel::find(platform, place, {});
    REQUIRE(model != nullptr);
    CHECK(to_word(model->bases().ram_base) == kNow);
}

TEST_CASE("installed model: the code of an instance is where there is memory") {
    constexpr std::uint32_t kRam = 0x34064000, kNowhere = 0xC0000000, kCopy = 0x34070000;
    const test::Image image = test::build_image(test::sample_spec(test::ImageGeneration::Core22));
    sim::Platform platform{sim::PlatformParameters{}};
    REQUIRE(platform.store(GuestAddr{kFile}, image.file));
    const sim::fault_report::ModelPlace place{kFile, static_cast<std::uint32_t>(image.file.size()),
                                              "model"};
    const auto find = [&] { return sim::fault_report::InstalledModel::find(platform, place, {}); };
    leave_context(platform, image, kRam, 1, kNowhere);
    CHECK(find() == nullptr);
    leave_context(platform, image, kRam, 1, kCopy);
    const auto copied = find();
    REQUIRE(copied != nullptr);
    CHECK(to_word(copied->bases().ram_base) == kRam);
    CHECK(to_word(copied->bases().ro_base) == kCopy);
    leave_context(platform, image, kRam, 3);
    const auto in_place = find();
    REQUIRE(in_place != nullptr);
    CHECK(to_word(in_place->bases().ro_base) == kFile);
    // A RAM base that does not lead to the context is a chance match.
    leave_context(platform, image, kRam, 3);
    const std::uint32_t context = kRam + image.context - image.ro_bytes;
    const std::array<std::uint8_t, 4> other = {0x04, 0x40, 0x06, 0x34};
    REQUIRE(platform.store(GuestAddr{context + 8}, other));
    CHECK(find() == nullptr);
}

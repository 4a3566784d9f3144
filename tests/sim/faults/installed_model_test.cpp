// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/installed_model.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>

#include "tests/support/image_builder.h"

using namespace n6vp;

namespace {

constexpr std::uint32_t kFile = 0x71000000;

/// What an install in place leaves in the context at a RAM base.
void leave_context(sim::Platform& platform, const test::Image& image, std::uint32_t ram,
                   std::uint32_t state) {
    const std::uint32_t words[] = {state, kFile, ram, kFile};
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

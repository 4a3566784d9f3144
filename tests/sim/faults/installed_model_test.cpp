// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/installed_model.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <cstring>

#include "sim/install/install_run.h"
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
    constexpr std::uint32_t kRam = 0x34064000, kNowhere = 0xC0000000, kElsewhere = 0x34070000;
    const test::Image image = test::build_image(test::sample_spec(test::ImageGeneration::Core22));
    sim::Platform platform{sim::PlatformParameters{}};
    REQUIRE(platform.store(GuestAddr{kFile}, image.file));
    const sim::fault_report::ModelPlace place{kFile, static_cast<std::uint32_t>(image.file.size()),
                                              "model"};
    const auto find = [&] { return sim::fault_report::InstalledModel::find(platform, place, {}); };
    leave_context(platform, image, kRam, 1, kNowhere);
    CHECK(find() == nullptr);
    leave_context(platform, image, kRam, 1, kElsewhere);
    const auto copied = find();
    REQUIRE(copied != nullptr);
    CHECK(to_word(copied->bases().ram_base) == kRam);
    CHECK(to_word(copied->bases().ro_base) == kElsewhere);
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

TEST_CASE("installed model: addresses have functions, parts, pools and the words they came from") {
    // Installed by the loader itself; where things are is known from the builder of the file.
    constexpr std::uint32_t kExec = 0x34064000, kExternal = 0x90100000;
    constexpr AddressRange kGrants[] = {{GuestAddr{0x34200000}, 0x100000}};
    const test::Image image = test::build_image(test::sample_spec(test::ImageGeneration::Core22));
    sim::Platform platform{sim::PlatformParameters{}};
    REQUIRE(platform.store(GuestAddr{kFile}, image.file));
    loader::InstallRequest request;
    request.file = GuestAddr{kFile};
    request.file_bytes = static_cast<std::uint32_t>(image.file.size());
    request.exec_ram = GuestAddr{kExec};
    request.exec_ram_bytes = 0x1000;
    request.ext_ram = GuestAddr{kExternal};
    request.ext_ram_bytes = 64;
    request.mode = loader::format::kModeXip;
    request.instance = GuestAddr{0x34050000};
    request.callbacks = GuestAddr{0x34000401};
    request.grants = kGrants;
    request.grant_count = 1;
    request.profile = loader::default_profile(loader::Generation::Core22);
    REQUIRE(sim::run_install(platform, request, false).ok());
    const sim::fault_report::ModelPlace place{kFile, request.file_bytes, "model"};
    const sim::report::SymbolTable symbols = {{0x20000060, "first"}, {0x20000068, "second"}};
    const auto model = sim::fault_report::InstalledModel::find(platform, place, symbols);
    REQUIRE(model != nullptr);
    const std::uint32_t ro = image.ro_bytes;
    CHECK(model->name() == "model");
    CHECK(to_word(model->bases().ro_base) == kFile);
    CHECK(to_word(model->bases().param0) == kFile + image.params_at);
    CHECK(to_word(model->bases().param1) == kExternal);
    CHECK(to_word(model->read_only().start) == kFile);
    CHECK(model->read_only().bytes == ro);
    CHECK(to_word(model->ram().start) == kExec);
    CHECK(model->ram().bytes == image.bss_end);
    CHECK(model->exec_bytes() == image.exec_bytes(false));
    CHECK(model->external_bytes() == 0x1C);

    CHECK(model->function(kFile + 0x5F).empty() == false);
    CHECK(model->function(kFile + 0x5E) == "model+0x5e");  // before the first
    CHECK(model->function(kFile + 0x60) == "first+0x0 (model+0x60)");
    CHECK(model->function(kFile + 0x67) == "first+0x6 (model+0x66)");  // bit 0 is the Thumb bit
    CHECK(model->function(kFile + 0x68) == "second+0x0 (model+0x68)");
    CHECK_FALSE(model->function(kFile + ro - 1).empty());
    CHECK(model->function(kFile + ro).empty());
    CHECK(model->function(kFile - 2).empty());
    CHECK(model->function_start(kFile + 0x67) == kFile + 0x60);
    CHECK(model->function_start(kFile + ro - 2) == kFile + 0x68);
    CHECK_FALSE(model->function_start(kFile + ro).has_value());
    CHECK_FALSE(model->function_start(kFile + 0x5E).has_value());
    CHECK_FALSE(model->function_start(kFile - 2).has_value());

    CHECK(model->part(kExec).ends_with(" of the model"));
    CHECK(model->part(kExec + image.bss_end - 1).ends_with(" of the model"));
    CHECK(model->part(kExec + image.bss_end).empty());
    CHECK(model->part(kFile + ro - 1).ends_with(" of the model"));
    CHECK(model->part(kFile + ro).empty());
    CHECK(model->part(kExec + image.got - ro + 8).starts_with("GOT+0x8"));

    const std::uint32_t params = kFile + image.params_at;
    char weights[64], external[64];
    std::snprintf(weights, sizeof weights, "pool 0 (weights), 0x%08x to 0x%08x", params,
                  params + 0x127);
    std::snprintf(external, sizeof external, "pool 1 (external), 0x%08x to 0x%08x", kExternal,
                  kExternal + 0x1B);
    CHECK(model->pool(params) == weights);
    CHECK(model->pool(params + 0x127) == weights);
    CHECK(model->pool(params + 0x128).empty());
    CHECK(model->pool(params - 1).empty());
    CHECK(model->pool(kExternal + 0x1B) == external);
    CHECK(model->pool(kExternal + 0x1C).empty());
    CHECK(model->pool(0x34200093) == "pool 2 (copy_ro), 0x34200000 to 0x34200093");
    CHECK(model->pool(0x34200094).empty());
    CHECK(model->pool(0x342E006B).starts_with("pool 4 (reset), "));

    // GOT word 3 is 0x90000008, the third word of .data 0x80000010.
    const auto got = model->origin(kExternal + 8, 0);
    REQUIRE(got.has_value());
    CHECK(got->row.is_got);
    CHECK(got->row.index == 3);
    CHECK(got->now == kExternal + 8);
    CHECK(got->distance == 0);
    CHECK(got->row.installed_target == kExec + image.got_word(3) - ro);
    CHECK(got->row.installed_value == kExternal + 8);
    CHECK(got->meaning.starts_with("PARAM_1+0x8"));
    const auto data = model->origin(params + 0x14, 0x10);
    REQUIRE(data.has_value());
    CHECK_FALSE(data->row.is_got);
    CHECK(data->row.index == 2);
    CHECK(data->distance == 4);
    CHECK(model->origin(params + 0x14, 4).has_value());
    CHECK_FALSE(model->origin(params + 0x14, 3).has_value());
    CHECK_FALSE(model->origin(0x10, 0xFF).has_value());
    // A pointer to code has bit 0 set: GOT word 1.
    const auto code = model->origin(kFile + 0x60, 0);
    REQUIRE(code.has_value());
    CHECK(code->row.index == 1);
    CHECK(code->now == kFile + 0x61);
}

TEST_CASE("installed model: without symbols functions are entries, and those that words lead to") {
    constexpr std::uint32_t kRam = 0x34064000;
    const test::Image image = test::build_image(test::sample_spec(test::ImageGeneration::Core22));
    sim::Platform platform{sim::PlatformParameters{}};
    REQUIRE(platform.store(GuestAddr{kFile}, image.file));
    const sim::fault_report::ModelPlace place{kFile, static_cast<std::uint32_t>(image.file.size()),
                                              "model"};
    leave_context(platform, image, kRam, 3);
    const auto model = sim::fault_report::InstalledModel::find(platform, place, {});
    REQUIRE(model != nullptr);
    // All entries of the sample are at its first instruction; the first of them gives the name.
    CHECK(model->function(kFile + 0x62) == "entry ec_network_init+0x2 (model+0x62)");
    CHECK(model->function_start(kFile + 0x63) == kFile + 0x60);
    CHECK(model->function(kFile + 0x5E) == "model+0x5e");
}

// SPDX-License-Identifier: Apache-2.0
// Install and initialise times against those that the vendor article publishes, for a model as
// large as the article's (tests/support/article_model.h), by executing the loader on the core: with
// the log of the first releases on the UART, and without.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <sstream>
#include <string>

#include "sim/console/mailbox_service.h"
#include "sim/console/phase_recorder.h"
#include "tests/platform/scene.h"
#include "tests/support/article_model.h"

using namespace n6vp;
using test::article_model;
using test::ArticleBuild;
using test::Image;
using test::Scene;

namespace {

constexpr std::uint32_t kFile = 0x71000000, kBlob = 0x72000000;
constexpr std::uint32_t kXip = 1, kCopy = 2;
constexpr double kTolerance = 0.15;

std::vector<std::uint8_t> blob_container() {
    const std::vector<std::uint32_t> words = test::article_blobs();
    std::vector<std::uint8_t> bytes(words.size() * sizeof words[0]);
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

/// A run of target/install.c with its phases and what came out of the UART.
struct Install {
    sim::Platform* platform = nullptr;
    sim::PhaseRecorder phases{{}, [this](models::Picoseconds) {
                                  sim::PhaseCounters counters;
                                  if (platform != nullptr)
                                      counters.cycles = platform->core().core().cycles();
                                  return counters;
                              }};
    sim::RunMailbox mailbox{{}, phases};
    Scene scene{"install", {}, &mailbox};
    std::string text;  ///< that came out of the UART
    Scene::Result result;

    void run(const Image& image, std::uint32_t mode, bool print, bool blob) {
        platform = &scene.platform();
        platform->soc().usart1().on_character = [this](std::uint8_t character,
                                                       models::Picoseconds) {
            text += static_cast<char>(character);
        };
        const std::vector<std::uint8_t> container = blob_container();
        REQUIRE(platform->load(GuestAddr{kFile}, image.file));
        if (blob) REQUIRE(platform->load(GuestAddr{kBlob}, container));
        phases.restart(0);
        const auto blob_bytes = static_cast<std::uint32_t>(container.size());
        result = scene.run({0, mode, print ? 1u : 0u, blob ? blob_bytes : 0});
        phases.finish(platform->time());
        REQUIRE(result.finished);
        INFO(text);
        REQUIRE(result.results.size() == 1);
        REQUIRE(result.results[0] == 0);
        CHECK(result.faults.empty());
        CHECK(result.events() == 0);
    }
    [[nodiscard]] double ms(const std::string& phase) const {
        for (const sim::Phase& each : phases.phases())
            if (each.name == phase) return static_cast<double>(each.duration()) / 1e9;
        FAIL("no phase ", phase);
        return 0;
    }
};

void compare(const std::string& what, double executed, double published) {
    MESSAGE(what << ": executed " << executed << " ms, published " << published << " ms");
    CHECK(std::abs(executed / published - 1) <= kTolerance);
}

/// With the log as published; the phase report must show where the time goes.
void with_log(const Image& image, std::uint32_t mode, double published, double published_init) {
    Install install;
    const bool blob = published_init > test::kArticleInitMs;
    install.run(image, mode, true, blob);
    compare("install", install.ms("install"), published);
    if (blob)
        compare("initialise", test::kArticleInitMs + install.ms("initialise"), published_init);
    // 8N1 at 100 MHz / 109.
    const double line = static_cast<double>(install.text.size()) * 10 * 109 / 100e6 * 1e3;
    std::ostringstream table;
    sim::write_phases(table, install.phases);
    MESSAGE(install.text.size() << " characters, " << line << " ms on the line\n" << table.str());
    CHECK(install.text.size() > 500);
    CHECK(install.ms("printing") >= line * 0.99);
    CHECK(install.ms("printing") > install.ms("copy and relocate"));
}

}  // namespace

TEST_CASE("executed install, with log: no blobs, XIP") {
    with_log(article_model(ArticleBuild::NoBlobs), kXip, 10.8, 0);
}
TEST_CASE("executed install, with log: no blobs, COPY") {
    with_log(article_model(ArticleBuild::NoBlobs), kCopy, 11.2, 0);
}
TEST_CASE("executed install, with log: blobs, XIP") {
    with_log(article_model(ArticleBuild::BlobsApart), kXip, 10.9, 0.93);
}
TEST_CASE("executed install, with log: blobs, COPY") {
    with_log(article_model(ArticleBuild::BlobsApart), kCopy, 11.7, 0.73);
}
TEST_CASE("executed install, with log: all internal, XIP") {
    with_log(article_model(ArticleBuild::AllInternal), kXip, 18.1, 0);
}

TEST_CASE("executed install, without log: only copying is left") {
    Install install;
    install.run(article_model(ArticleBuild::NoBlobs), kCopy, false, false);
    MESSAGE("install without log: " << install.ms("install") << " ms");
    CHECK(install.text.size() == 0);
    // 141,016 bytes at 280 to 470 MB/s are 0.30 to 0.50 ms; the rest is relocating and maintenance.
    CHECK(install.ms("install") > 0.30);
    CHECK(install.ms("install") < 1.0);
}

namespace {

/// MB/s of newlib's memcpy, the loader's copy and a word loop, caches on (ICACHE, DCACHE and LOB,
/// no forced write-through), source and target not in the caches before.
std::vector<double> rates(std::uint32_t from, std::uint32_t to, std::uint32_t bytes) {
    Scene scene("install");
    const std::vector<std::uint8_t> data = test::pattern(bytes, 7);
    REQUIRE(scene.platform().load(GuestAddr{from}, data));
    const Scene::Result result = scene.run({1, from, to, bytes});
    REQUIRE(result.finished);
    REQUIRE(result.results.size() == 3);
    std::vector<double> rates;
    for (const std::uint32_t cycles : result.results) rates.push_back(bytes * 800.0 / cycles);
    MESSAGE(bytes << " bytes: memcpy " << rates[0] << ", loader " << rates[1] << ", word loop "
                  << rates[2] << " MB/s");
    return rates;
}

}  // namespace

// Ranges fitted to silicon: platform timing, copy rates.
TEST_CASE("executed copy: NOR to AXISRAM at 280 to 470 MB/s") {
    for (const double rate : rates(0x71000000, 0x34100000, 256 * 1024)) {
        CHECK(rate >= 280);
        CHECK(rate <= 470);
    }
}
TEST_CASE("executed copy: AXISRAM1 to AXISRAM1 at 420 to 630 MB/s") {
    for (const double rate : rates(0x34064000, 0x340A4000, 256 * 1024)) {
        CHECK(rate >= 420);
        CHECK(rate <= 630);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Install and initialise times against those that the vendor article publishes for a yolov5n 224
// build on the discovery kit with overdrive, by executing the loader on the core: with the log of
// the first releases on the UART, and without. Sizes are inputs, as in the article: RO image
// without controller blobs 169,488 - 28,472 bytes, with them about 280 KB of which 260 KB are the
// blob; the all-internal build copies pools of 458,752, 458,752 and 1,048,572 bytes. Inferred: blob
// size and number of patched words.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <sstream>
#include <string>

#include "sim/mailbox_service.h"
#include "sim/phase_report.h"
#include "tests/platform/scene.h"
#include "tests/support/image_builder.h"

using namespace n6vp;
using test::Image;
using test::ImageSpec;
using test::ImageWord;
using test::Scene;

namespace {

constexpr std::uint32_t kFile = 0x71000000, kBlob = 0x72000000;
constexpr std::uint32_t kPlainRo = 169'488 - 28'472, kBlobRo = 280'000, kRw = 28'472;
constexpr std::uint32_t kBlobWords = 260'000 / 4, kPatchedWords = 2'000;
constexpr std::uint32_t kXip = 1, kCopy = 2;
constexpr double kTolerance = 0.15;
constexpr double kInitMs = 0.03;  ///< published without blobs: all but the blob work

/// An epoch-controller container of generation 0020: header, one symbol, blob.
std::vector<std::uint8_t> blob_container() {
    const std::uint32_t table_bytes = 16 + 4 * kPatchedWords + 8;
    std::vector<std::uint32_t> words = {0xECBF0020, 16, 16 + table_bytes, 16 + table_bytes};
    words.insert(words.end(), {1, 16 + 4 * kPatchedWords, kPatchedWords, 16});
    // Start and limit address of one stream engine's burst stand close together.
    for (std::uint32_t i = 0; i < kPatchedWords; ++i) words.push_back(40 * (i / 2) + 12 * (i % 2));
    words.insert(words.end(), {0x49505378, 0x00000031});  // "xSPI1"
    words.insert(words.end(), {0xCA057A7A, kBlobWords - 2});
    words.resize(words.size() + kBlobWords - 2, 0x12345678);
    std::vector<std::uint8_t> bytes(words.size() * 4);
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

/// As large as the article's model: 213 relocations, 63 GOT words.
ImageSpec model(std::uint32_t ro_bytes) {
    ImageSpec spec = test::minimal_spec(test::ImageGeneration::Core21);
    spec.c_name = "yolov5n_224";
    for (std::uint32_t i = 0; i < 213; ++i)
        spec.data.push_back({ImageWord::Kind::Code, 1 + 4 * (i % 4), true});
    for (std::uint32_t i = 0; i < 60; ++i) spec.got.push_back({ImageWord::Kind::Plain, 0x40000000});
    const Image base = test::build_image(spec);
    spec.code_bytes += ro_bytes - base.ro_bytes;
    spec.bss_bytes += kRw - base.bss_end;
    return spec;
}

Image with_parameters(ImageSpec spec) {
    spec.pools.push_back({"xSPI2", 0x01010500, 64, 0, test::pattern(64, 1), {}});
    spec.pools.push_back({"npuRAM5", 0x03020200, 448 * 1024, 0x342E0000, {}, {}});
    return test::build_image(spec);
}

Image all_internal() {
    ImageSpec spec = model(kPlainRo);
    const auto copied = [&spec](const char* name, std::uint32_t bytes, std::uint32_t dst) {
        spec.pools.push_back({name, 0x02010100, bytes, dst, test::pattern(bytes, dst), {}});
    };
    copied("npuRAM3", 458'752, 0x34200000);
    copied("npuRAM4", 458'752, 0x34270000);
    copied("cpuRAM2", 1'048'572, 0x34100000);
    spec.pools.push_back({"npuRAM5", 0x03020200, 448 * 1024, 0x342E0000, {}, {}});
    return test::build_image(spec);
}

/// A run of target/install.c with its phases and what came out of the UART.
struct Install {
    sim::Platform* platform = nullptr;
    sim::PhaseReport phases{{}, [this] {
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
        platform->soc().usart1.on_character = [this](std::uint8_t character, models::Picoseconds) {
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
    const bool blob = published_init > kInitMs;
    install.run(image, mode, true, blob);
    compare("install", install.ms("install"), published);
    if (blob) compare("initialise", kInitMs + install.ms("initialise"), published_init);
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
    with_log(with_parameters(model(kPlainRo)), kXip, 10.8, 0);
}
TEST_CASE("executed install, with log: no blobs, COPY") {
    with_log(with_parameters(model(kPlainRo)), kCopy, 11.2, 0);
}
TEST_CASE("executed install, with log: blobs, XIP") {
    with_log(with_parameters(model(kBlobRo)), kXip, 10.9, 0.93);
}
TEST_CASE("executed install, with log: blobs, COPY") {
    with_log(with_parameters(model(kBlobRo)), kCopy, 11.7, 0.73);
}
TEST_CASE("executed install, with log: all internal, XIP") {
    with_log(all_internal(), kXip, 18.1, 0);
}

TEST_CASE("executed install, without log: only copying is left") {
    Install install;
    install.run(with_parameters(model(kPlainRo)), kCopy, false, false);
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

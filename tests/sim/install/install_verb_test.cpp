// SPDX-License-Identifier: Apache-2.0
// `n6vp install` and `n6vp params`, run as programs.
#include <doctest/doctest.h>

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "sim/model_file/model_source.h"
#include "tests/support/image_builder.h"
#include "tests/support/toolbox.h"

using namespace n6vp;
using n6vp::test::Image;
using n6vp::test::ImageGeneration;
using n6vp::test::Toolbox;
using n6vp::test::ToolResult;
using Json = nlohmann::json;

namespace {

constexpr std::uint8_t kSramFill = 0xA5, kPsramFill = 0x5A;

struct Workdir : Toolbox {
    explicit Workdir(
        const Image& image = test::build_image(test::sample_spec(ImageGeneration::Core22)))
        : Toolbox(N6VP_BINARY) {
        save("model.bin", image.file);
        if (!image.params.empty()) save("params.bin", image.params);
    }
};

/// Installs the same on host memory whose bytes start as the platform's do.
struct HostInstall {
    HostInstall(const Image& image, const sim::ModelOptions& options) {
        const sim::ModelFiles files{"", options.params, image.file, image.params};
        const sim::InstallPlan plan(options, files);
        plan.place(memory, files);
        for (const AddressRange& range : memory.mappings()) {
            if (!memory.accessible(range, true)) continue;
            const bool psram = to_word(range.start) >= 0x90000000u;
            std::ranges::fill(memory.bytes(range), psram ? kPsramFill : kSramFill);
        }
        loader::InstallResult result;
        loader::Diagnosis why;
        status = loader::install(memory.port(), plan.request(loader::Policy::Strict), result, why);
        exec = plan.exec_ram();
        ext = plan.ext_ram();
        instance = plan.instance();
    }
    [[nodiscard]] std::vector<std::uint8_t> bytes(AddressRange range) const {
        std::vector<std::uint8_t> all(range.bytes);
        for (std::uint32_t i = 0; i < range.bytes; ++i) {
            all[i] = memory.bytes({wrapping_add(range.start, i), 1})[0];
        }
        return all;
    }
    sim::HostMemory memory;
    loader::Status status{};
    AddressRange exec, ext, instance;
};

[[nodiscard]] double phase(const Json& document, const std::string& name) {
    for (const Json& row : document["phases"]) {
        if (row["name"] == name) return row["time_us"];
    }
    FAIL("no phase ", name);
    return 0;
}

}  // namespace

TEST_CASE("install: text shows phases, grade, result and copy rates") {
    const Workdir room;
    const ToolResult result = room.run("install model.bin --clear");
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    for (const char* part :
         {"checks", "pools", "RO copy", "data/bss", "GOT", "REL", "cache maintenance", "console",
          "total without console", "estimated, host-run loader", "RO base 0x71000000",
          "NOR to AXISRAM", "fitted to published times: 350", "fitted to published times: 480"}) {
        CHECK_MESSAGE(result.out.find(part) != std::string::npos, part);
    }
}

TEST_CASE("install: the time of the checks says what it leaves out") {
    const Workdir room;
    CHECK(room.run("install model.bin").out.find("not timed: ") != std::string::npos);
    CHECK(Json::parse(room.run("install model.bin --json").out).contains("not_timed"));
    // The vendor's loader computes no CRC.
    const ToolResult vendor = room.run("install model.bin --policy compat");
    CHECK(vendor.exit_code == 0);
    CHECK(vendor.out.find("not timed: ") == std::string::npos);
}

TEST_CASE("install: JSON is valid, carries its schema and adds up") {
    const Workdir room;
    const ToolResult result = room.run("install model.bin --mode copy --json");
    REQUIRE(result.exit_code == 0);
    const Json document = Json::parse(result.out);
    CHECK(document["schema"] == "n6vp.install/1");
    CHECK(document["installed"] == true);
    CHECK(document["status"] == "ok");
    CHECK(document["grade"] == "estimated, host-run loader");
    CHECK(document["result"]["state"] == 1);
    CHECK_FALSE(document.contains("diagnosis"));
    double sum = 0;
    for (const Json& row : document["phases"]) sum += row["time_us"].get<double>();
    CHECK(sum == doctest::Approx(document["total_us"].get<double>()));
    CHECK(phase(document, "RO copy") > 0);
    CHECK(phase(document, "console") > 5000);
    CHECK(document["copy_rates"].size() == 2);
    for (const Json& row : document["phases"]) {
        const bool rated = row["name"] != "cache maintenance" && row["name"] != "console" &&
                           row["time_us"].get<double>() > 0;
        CHECK(row["bandwidth_mb_s"].is_number() == rated);
    }
}

TEST_CASE("install: memory on the platform equals memory on the host, byte for byte") {
    for (const ImageGeneration generation : test::kAllGenerations) {
        for (const char* mode : {"xip", "copy"}) {
            for (const bool clear : {false, true}) {
                CAPTURE(static_cast<int>(generation));
                CAPTURE(mode);
                CAPTURE(clear);
                const Image image = test::build_image(test::mixed_spec(generation));
                const Workdir room(image);
                const ToolResult result = room.run(
                    std::string("install model.bin --quiet --dump out --ext 0x90100000:4096 "
                                "--mode ") +
                    mode + (clear ? " --clear" : ""));
                REQUIRE(result.exit_code == 0);
                CHECK(result.out.empty());
                sim::ModelOptions options;
                options.mode = mode;
                options.clear = clear;
                options.ext = "0x90100000:4096";
                const HostInstall host(image, options);
                REQUIRE(host.status == loader::Status::Ok);
                CHECK(room.bytes("out/exec_ram.bin") == host.bytes(host.exec));
                CHECK(room.bytes("out/instance.bin") == host.bytes(host.instance));
                const std::vector<std::uint8_t> external = room.bytes("out/ext_ram.bin");
                REQUIRE(external.size() >= 8);
                const auto bytes = static_cast<std::uint32_t>(external.size());
                CHECK(external == host.bytes({host.ext.start, bytes}));
                CHECK(room.bytes("out/pool2_copy_ro.bin") ==
                      host.bytes({GuestAddr{0x34200000}, 0x98}));
                CHECK(room.bytes("out/pool3_copy_rw.bin") ==
                      host.bytes({GuestAddr{0x34270000}, 0xC8}));
                CHECK(room.bytes("out/pool4_reset.bin") ==
                      host.bytes({GuestAddr{0x342E0000}, 0x70}));
            }
        }
    }
}

TEST_CASE("install: a dump that a full disk refuses took the result with it") {
    const Workdir room;
    for (const bool json : {false, true}) {
        CAPTURE(json);
        std::vector<std::string> words{N6VP_BINARY, "install", (room.path() / "model.bin").string(),
                                       "--dump", (room.path() / "out").string()};
        if (json) words.emplace_back("--json");
        // exec RAM has more than 16 KiB.
        const test::Outcome outcome = test::run_after("ulimit -f 16", words);
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 7);
        CHECK(outcome.err.find("exec_ram.bin': File too large") != std::string::npos);
        CHECK(outcome.out.find(json ? "\"phases\"" : "cache maintenance") != std::string::npos);
        CHECK(outcome.out.find("refused") == std::string::npos);
        CHECK_FALSE(std::filesystem::exists(room.path() / "out" / "exec_ram.bin"));
        std::filesystem::remove_all(room.path() / "out");
    }
}

TEST_CASE("install: a split model with its parameter file") {
    test::ImageSpec spec = test::sample_spec(ImageGeneration::Core30);
    spec.split = true;
    const Image image = test::build_image(spec);
    const Workdir room(image);
    const ToolResult result =
        room.run("install model.bin --params params.bin --quiet --dump out --ext 0x90100000:4096");
    REQUIRE(result.exit_code == 0);
    sim::ModelOptions options;
    options.params = "params.bin";
    options.ext = "0x90100000:4096";
    const HostInstall host(image, options);
    REQUIRE(host.status == loader::Status::Ok);
    CHECK(room.bytes("out/exec_ram.bin") == host.bytes(host.exec));
    CHECK(room.run("install model.bin").exit_code == 6);  // without it, refused
}

TEST_CASE("install: the log lists every copy, clear, patch and cache call in order of time") {
    const Workdir room;
    REQUIRE(room.run("install model.bin --mode copy --clear --quiet --dump out").exit_code == 0);
    std::istringstream log(room.text("out/install.csv"));
    std::string line;
    std::getline(log, line);
    CHECK(line == "start_ns,duration_ns,phase,what,address,from,bytes,before,after,result");
    std::multiset<std::string> kinds;
    double last = -1;
    while (std::getline(log, line)) {
        std::istringstream cells(line);
        std::string start, duration, where, what;
        std::getline(cells, start, ',');
        std::getline(cells, duration, ',');
        std::getline(cells, where, ',');
        std::getline(cells, what, ',');
        CHECK(std::stod(start) >= last);
        last = std::stod(start);
        kinds.insert(what);
        CHECK(line.substr(line.rfind(',') + 1) == "ok");
    }
    CHECK(kinds.count("copy") >= 4);   // two pools, RO, data
    CHECK(kinds.count("clear") >= 3);  // external pool, RESET pool, .bss
    CHECK(kinds.count("patch") > 10);
    CHECK(kinds.count("mcu-clean-invalidate") >= 5);
    CHECK(kinds.count("mcu-instruction-invalidate") == 1);
    CHECK(kinds.count("console") > 10);
}

TEST_CASE("install: a refused model exits 6, says why and dumps nothing") {
    const Workdir room;
    const ToolResult result = room.run("install model.bin --exec 0x34060000:64 --dump out");
    CHECK(result.exit_code == 6);
    CHECK(result.out.find("error: ") != std::string::npos);
    CHECK(result.out.find("remedy:") != std::string::npos);
    CHECK(result.out.find("AI_RELOC_RT_ERR_MEMORY (-2)") != std::string::npos);
    CHECK(result.out.find("Nothing written to out") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(room.path() / "out"));
    const ToolResult json = room.run("install model.bin --exec 0x34060000:64 --json");
    CHECK(json.exit_code == 6);
    const Json document = Json::parse(json.out);
    CHECK(document["installed"] == false);
    CHECK(document["diagnosis"]["remedy"].get<std::string>().size() > 5);
    CHECK_FALSE(document.contains("result"));
}

TEST_CASE("install: showed damaged parameters, and not that two were given") {
    const Workdir room;
    const ToolResult result = room.run("install model.bin --params-at 0x71800000");
    CHECK(result.exit_code == 6);
    const std::size_t cause = result.out.find("warning: params-both");
    const std::size_t effect = result.out.find("error: params-");
    REQUIRE(cause != std::string::npos);
    REQUIRE(effect != std::string::npos);
    CHECK(cause < effect);
    CHECK(result.out.find("option: leave out --params") != std::string::npos);
}

TEST_CASE("install: showed another header length, and not that the release is another") {
    const Workdir room;
    const ToolResult result = room.run("install model.bin --firmware rt=1.1.3-8");
    CHECK(result.exit_code == 6);
    const std::size_t cause = result.out.find("error: firmware-version");
    const std::size_t effect = result.out.find("error: firmware-header-length");
    REQUIRE(effect != std::string::npos);
    CHECK(cause < effect);
    const Json document =
        Json::parse(room.run("install model.bin --firmware rt=1.1.3-8 --json").out);
    CHECK(document["findings"][0]["rule"] == "firmware-version");
}

TEST_CASE("install: the dump of a damaged pool took gigabytes") {
    Image image = test::build_image(test::sample_spec(ImageGeneration::Core22));
    // Not cleared without CLEAR: the vendor's loader installs it.
    image.set(image.pool(4) + 16, 0xFFFFFFF0);
    const Workdir room(image);
    const ToolResult result = room.run("install model.bin --policy compat --dump out");
    CHECK(result.exit_code == 0);
    CHECK(result.out.find("Left out: pool4_reset.bin: 4294967280 bytes at 0x") !=
          std::string::npos);
    CHECK(std::filesystem::exists(room.path() / "out/exec_ram.bin"));
    CHECK_FALSE(std::filesystem::exists(room.path() / "out/pool4_reset.bin"));
    // The largest child of this process so far, in KiB.
    rusage children{};
    REQUIRE(getrusage(RUSAGE_CHILDREN, &children) == 0);
    CHECK(children.ru_maxrss < 2 * 1024 * 1024);
}

TEST_CASE("install: what is no model at all is refused, not crashed on") {
    const Workdir room;
    room.save("empty.bin", {});
    room.save("short.bin", {0x4E, 0x42});
    room.save("noise.bin", test::pattern(4096, 9));
    for (const char* name : {"empty.bin", "short.bin", "noise.bin"}) {
        for (const char* policy : {"strict", "compat"}) {
            const ToolResult result =
                room.run(std::string("install ") + name + " --json --policy " + policy);
            CHECK(result.exit_code == 6);
            CHECK(Json::parse(result.out)["installed"] == false);
        }
    }
}

TEST_CASE("install: mistakes of the user exit 2 with cause and remedy") {
    const Workdir room;
    std::filesystem::create_directory(room.path() / "full");
    room.save("full/file", {1});
    for (const char* arguments :
         {"install", "install missing.bin", "install model.bin --dump full",
          "install model.bin --dump model.bin", "install model.bin --exec 0x20000000:4096",
          "install model.bin --at 0x60000000", "install model.bin --at 0x77ffffff",
          "install model.bin --exec 0x72000000:640K", "install model.bin --ext 0x74000000:27M",
          "install model.bin --instance 0x72000000", "install model.bin --instance 0x50000000",
          "install model.bin --ext 0x90000000:64M", "install model.bin --set nonsense=1",
          "install model.bin --set clock.cpu=fast", "install model.bin --set clock.cpu=0",
          "install model.bin --set npu_cache.line_bytes=24", "install model.bin --policy lax",
          "install model.bin --console maybe", "install model.bin --set psram.release_clocks=4"}) {
        CAPTURE(arguments);
        const ToolResult result = room.run(arguments);
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        CHECK(std::ranges::count(result.err, '\n') >= 2);
    }
    CHECK(room.text("full/file") == "\x01");
    std::filesystem::create_directories(room.path() / "taken/install.csv");
    const ToolResult taken = room.run("install model.bin --quiet --dump taken --force");
    CHECK(taken.exit_code == 7);
    CHECK(taken.err.find("a folder or device has that name") != std::string::npos);
    CHECK(taken.err.find("free space") == std::string::npos);
    CHECK(room.run("install model.bin --quiet --dump full --force").exit_code == 0);
    CHECK(room.text("full/file") == "\x01");
    CHECK(std::filesystem::exists(room.path() / "full/exec_ram.bin"));
}

TEST_CASE("install: a hostile pool name stays inside the dump directory") {
    test::ImageSpec spec = test::sample_spec(ImageGeneration::Core22);
    for (test::PoolSpec& pool : spec.pools) {
        if (pool.name == "copy_ro") pool.name = "../../escape\x1b[31m";
    }
    const Workdir room(test::build_image(spec));
    const ToolResult result = room.run("install model.bin --dump out/deep --policy compat");
    CHECK(result.exit_code == 0);
    CHECK(result.out.find('\x1b') == std::string::npos);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(room.path())) {
        const std::string name = entry.path().filename().string();
        if (name.find("escape") == std::string::npos) continue;
        ++files;
        CHECK(entry.path().parent_path() == room.path() / "out/deep");
    }
    CHECK(files == 1);
}

TEST_CASE("install: the console follows the runtime version and the option") {
    const Workdir old;
    const Workdir recent(test::build_image(test::sample_spec(ImageGeneration::Core30)));
    const auto console = [](const Workdir& room, const char* options) {
        const ToolResult result = room.run(std::string("install model.bin --json ") + options);
        return Json::parse(result.out)["console"]["characters"].get<int>();
    };
    CHECK(console(old, "") > 500);
    CHECK(console(old, "--console off") == 0);
    CHECK(console(recent, "") == 0);
    CHECK(console(recent, "--console on") > 500);
}

TEST_CASE("install: the same command prints the same bytes") {
    const Workdir room;
    const std::string command = "install model.bin --mode copy --json";
    const std::string first = room.run(command).out;
    CHECK_FALSE(first.empty());
    CHECK(room.run(command).out == first);
}

TEST_CASE("install: a parameter changes the time, a slower core makes it longer") {
    const Workdir room;
    const auto total = [&](const char* options) {
        const ToolResult result =
            room.run(std::string("install model.bin --console off --json ") + options);
        return Json::parse(result.out)["total_us"].get<double>();
    };
    const double normal = total("");
    CHECK(total("--set clock.cpu=600") > normal * 1.05);
    CHECK(total("--set clock.cpu=800") == normal);
}

TEST_CASE("params: every row has a name of its own, a confidence and a source") {
    const Workdir room;
    const ToolResult result = room.run("params --json");
    REQUIRE(result.exit_code == 0);
    const Json document = Json::parse(result.out);
    CHECK(document["schema"] == "n6vp.params/1");
    std::set<std::string> names;
    const std::set<std::string> confidences = {"measured", "documented", "assumed"};
    for (const Json& row : document["parameters"]) {
        CHECK(names.insert(row["name"].get<std::string>()).second);
        CHECK(confidences.count(row["confidence"].get<std::string>()) == 1);
        CHECK(row["source"].get<std::string>().size() > 5);
        CHECK(row["value"].is_number());
        CHECK(row["unit"].is_string());
    }
    CHECK(names.size() > 50);
    // The text shows the same rows.
    const std::string text = room.run("params").out;
    for (const std::string& name : names) CHECK(text.find(name) != std::string::npos);
}

TEST_CASE("params: a value set by option is shown as such") {
    const Workdir room;
    const Json document = Json::parse(room.run("params --json --set nor.lines=4").out);
    bool seen = false;
    for (const Json& row : document["parameters"]) {
        if (row["name"] != "nor.lines") continue;
        seen = true;
        CHECK(row["value"] == 4);
        CHECK(row["source"] == "set by option");
    }
    CHECK(seen);
    CHECK(room.run("params --set nor.lines=4.5").exit_code == 2);
}

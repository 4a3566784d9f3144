// SPDX-License-Identifier: Apache-2.0
// Every sample model through the whole platform: installed by the loader on the host with its timed
// memory port (`n6vp install`), and by the firmware that the simulated core executes (`n6vp run`).
// Both must leave what the oracle says, byte for byte.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/host/elf.h"
#include "sim/install/install_run.h"
#include "sim/platform/platform.h"
#include "tests/firmware/chip_program.h"
#include "tests/firmware/matrix.h"
#include "tests/support/bench.h"

using namespace n6vp;
using namespace n6vp::test;

namespace {

constexpr models::Picoseconds kLongest = 50'000'000'000;  // 50 ms; a sample takes about 1
using Bytes = std::vector<std::uint8_t>;

/// What an install may write and must leave alone, with the bytes before it.
struct Region {
    std::string name;
    std::uint32_t start = 0;
    Bytes before;
};

/// One model at one place in one mode: the request is the same for both installs.
struct Case {
    std::string name;
    const MatrixFile& file;
    loader::InstallRequest request;
};

/// The chip with the firmware in its RAM. Its caches hold bytes of their own, so that what a loader
/// does not clean is not in memory.
class Chip {
  public:
    Chip() : platform_({}, options()), program_(sim::ElfFile::read(N6VP_CHIP_FIRMWARE)) {
        platform_.hooks.semihosting = [this](models::core::Core& core) {
            exited_ = core.reg(0) == 0x20;  // SYS_EXIT_EXTENDED
            if (exited_) platform_.stop();
            core.set_reg(0, 0);
            return true;
        };
        for (const auto& segment : sim::ExecProgram::read(N6VP_CHIP_FIRMWARE).segments) {
            REQUIRE(platform_.load(GuestAddr{segment.address}, segment.content));
        }
    }

    [[nodiscard]] std::uint64_t compared() const { return compared_; }
    [[nodiscard]] GuestAddr symbol(const char* name) const {
        const auto* const found = program_.find_symbol(name);
        REQUIRE_MESSAGE(found != nullptr, name);
        return GuestAddr{found->value};
    }

    /// Returns what differs after each of the two installs, one line each.
    std::vector<std::string> differences(const Case& one) {
        const OracleImage expected =
            expected_image(one.file.file, one.file.params, oracle_request_for(one.request));
        std::vector<std::string> lines;
        std::vector<Region> regions = prepare(one);
        const sim::InstallOutcome host = sim::run_install(platform_, one.request, false);
        if (!host.ok()) lines.push_back(one.name + ": refused on the host");
        compare(one.name + ", host", regions, expected, lines);

        const chip::Job job = job_of(one);
        REQUIRE(platform_.load(chip::kJobAddress, record_bytes(job)));
        regions = prepare(one);
        exited_ = false;
        (void)platform_.advance({.time = kLongest});
        if (!exited_) lines.push_back(one.name + ": the firmware came to no end");
        chip::Result result;
        REQUIRE(
            platform_.core_view().fetch(to_word(chip::kResultAddress),
                                        {reinterpret_cast<std::uint8_t*>(&result), sizeof result}));
        if (result.state != chip::kDone || result.code != 0) {
            lines.push_back(fmt::format("{}: state {}, code {} on the core", one.name, result.state,
                                        result.code));
        }
        compare(one.name + ", core", regions, expected, lines);
        return lines;
    }

  private:
    static sim::PlatformOptions options() {
        sim::PlatformOptions options;
        // Ready: banks keep the pattern that is put there before the firmware switches them on.
        options.boot = sim::BootState::Ready;
        options.coherence = models::core::Coherence::Real;
        return options;
    }

    static chip::Job job_of(const Case& one) {
        constexpr std::uint32_t kNumbers[] = {21, 22, 30, 40};
        const loader::RuntimeProfile& profile = one.file.profile;
        const loader::InstallRequest& request = one.request;
        chip::Job job;
        job.kind = chip::kInstall;
        job.flags = chip::kNoImageCrc;
        chip::Model& model = job.models[0];
        model.file = to_word(request.file);
        model.mode = request.mode;
        job.exec_ram = to_word(request.exec_ram);
        job.exec_ram_bytes = request.exec_ram_bytes;
        job.ext_ram = to_word(request.ext_ram);
        job.ext_ram_bytes = request.ext_ram_bytes;
        model.params = to_word(request.params);
        model.generation = kNumbers[static_cast<std::size_t>(profile.generation)];
        model.build = (profile.secure ? chip::kSecure : 0u) |
                      (profile.dbg_info ? chip::kDebugInfo : 0u) |
                      (profile.async ? chip::kAsync : 0u);
        return job;
    }

    /// Power on, with the model's files in place and a pattern wherever the install may write.
    std::vector<Region> prepare(const Case& one) {
        const loader::InstallRequest& request = one.request;
        REQUIRE(platform_.load(request.file, one.file.file));
        if (!one.file.params.empty()) REQUIRE(platform_.load(request.params, one.file.params));
        platform_.reset();
        std::vector<Region> regions;
        const auto add = [&](const char* name, AddressRange range, bool fill) {
            if (range.bytes == 0) return;
            // The firmware's stack ends where the usual exec RAM begins.
            const bool at_stack = range.start == memmap::board::kExecRam.start;
            const std::uint32_t start = to_word(range.start) - (at_stack ? 0 : kMargin);
            Region region{name, start, Bytes(range.end() + kMargin - start, kFill)};
            INFO(one.name, ", ", name, " at ", start);
            if (fill) REQUIRE(platform_.store(GuestAddr{start}, region.before));
            REQUIRE(platform_.fetch(GuestAddr{start}, region.before));
            regions.push_back(std::move(region));
        };
        add("exec RAM", {request.exec_ram, request.exec_ram_bytes}, true);
        add("external RAM", {request.ext_ram, request.ext_ram_bytes}, true);
        for (const AddressRange& pool : one.file.pools) add("pool", pool, true);
        add("model file", {request.file, request.file_bytes}, false);
        if (!one.file.params.empty()) {
            add("parameter file", {request.params, request.params_bytes}, false);
        }
        // Pools may lie within each other's margins.
        for (Region& region : regions) {
            REQUIRE(platform_.fetch(GuestAddr{region.start}, region.before));
        }
        return regions;
    }

    void compare(const std::string& who, const std::vector<Region>& regions,
                 const OracleImage& expected, std::vector<std::string>& lines) {
        for (const Region& region : regions) {
            Bytes wanted = region.before;
            expected.apply(region.start, wanted);
            Bytes memory(wanted.size());
            REQUIRE(platform_.fetch(GuestAddr{region.start}, memory));
            report(who + ", " + region.name, region.start, wanted, memory, lines);
            compared_ += wanted.size();
        }
        // The application's own: what the core sees counts.
        const OracleWrite& last = expected.writes.back();
        Bytes instance(last.bytes.size());
        REQUIRE(platform_.core_view().fetch(last.address, instance));
        report(who + ", instance", last.address, last.bytes, instance, lines);
    }

    static void report(const std::string& what, std::uint32_t start, const Bytes& wanted,
                       const Bytes& found, std::vector<std::string>& lines) {
        const auto [left, right] = std::mismatch(wanted.begin(), wanted.end(), found.begin());
        if (left == wanted.end()) return;
        lines.push_back(fmt::format("{}: 0x{:08x} holds {:02x} instead of {:02x}", what,
                                    start + static_cast<std::uint32_t>(left - wanted.begin()),
                                    *right, *left));
    }

    sim::Platform platform_;
    sim::ElfFile program_;
    bool exited_ = false;
    std::uint64_t compared_ = 0;
};

loader::InstallRequest request_for(const MatrixFile& file, const Placement& place, bool copy,
                                   const Chip& chip) {
    loader::InstallRequest request;
    request.file = GuestAddr{place.file};
    request.file_bytes = static_cast<std::uint32_t>(file.file.size());
    if (!file.params.empty()) {
        request.params = GuestAddr{place.params};
        request.params_bytes = static_cast<std::uint32_t>(file.params.size());
    }
    request.exec_ram = GuestAddr{place.exec_ram};
    request.exec_ram_bytes = copy ? file.exec_copy : file.exec_xip;
    if (file.ext_ram != 0) request.ext_ram = GuestAddr{place.ext_ram};
    request.ext_ram_bytes = file.ext_ram;
    request.mode = copy ? loader::format::kModeCopy : loader::format::kModeXip;
    request.instance = chip.symbol("n6vp_instances");
    request.callbacks = chip.symbol("n6vp_callbacks");
    request.grants = file.pools.data();
    request.grant_count = static_cast<std::uint32_t>(file.pools.size());
    request.profile = file.profile;
    return request;
}

void check(const Placement& place) {
    Chip chip;
    std::size_t installs = 0, expected = 0;
    for (const MatrixFile& file : sample_files(N6VP_SAMPLE_MANIFEST, "n6")) {
        expected += file.copy_only ? 1 : 2;
        for (const bool copy : {true, false}) {
            if (!copy && file.copy_only) continue;
            const Case one{fmt::format("{} {}", file.name, copy ? "COPY" : "XIP"), file,
                           request_for(file, place, copy, chip)};
            for (const std::string& line : chip.differences(one)) FAIL_CHECK(line);
            ++installs;
        }
    }
    CHECK(installs == expected);
    CHECK(installs >= 80);
    MESSAGE(installs << " installs by host and core, " << chip.compared() << " bytes compared");
}

}  // namespace

TEST_CASE("sample models on the platform: host == core == oracle, file in flash") {
    check(n6_placements()[0]);
}
TEST_CASE("sample models on the platform: host == core == oracle, exec RAM in PSRAM") {
    check(n6_placements()[1]);
}
TEST_CASE("sample models on the platform: host == core == oracle, non-secure aliases") {
    check(n6_placements()[2]);
}

// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "sim/model_file/host_memory.h"
#include "tests/firmware/qemu.h"
#include "tests/support/bench.h"

namespace n6vp::test {

namespace {

constexpr const char* kDumpFile = "dump.bin";
constexpr const char* kJobFile = "jobs.txt";

void store(const std::filesystem::path& path, const void* bytes, std::size_t count) {
    std::ofstream out(path, std::ios::binary);
    out.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
    if (!out) throw std::runtime_error("cannot write " + path.string());
}

std::vector<std::uint8_t> load(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    const std::string bytes = text.str();
    return {bytes.begin(), bytes.end()};
}

/// Widens ranges by the margin and merges those that then touch.
std::vector<AddressRange> with_margins(std::vector<AddressRange> ranges) {
    std::erase_if(ranges, [](const AddressRange& range) { return range.bytes == 0; });
    std::sort(ranges.begin(), ranges.end(),
              [](const AddressRange& a, const AddressRange& b) { return a.start < b.start; });
    std::vector<AddressRange> merged;
    for (const AddressRange& range : ranges) {
        const AddressRange wide{GuestAddr{to_word(range.start) - kMargin},
                                range.bytes + 2 * kMargin};
        if (!merged.empty() && to_word(wide.start) <= merged.back().end()) {
            const std::uint64_t end = std::max(merged.back().end(), wide.end());
            merged.back().bytes = static_cast<std::uint32_t>(end - to_word(merged.back().start));
        } else {
            merged.push_back(wide);
        }
    }
    return merged;
}

loader::InstallRequest request_for(const MatrixFile& file, const AddressSet& set,
                                   loader::Policy policy, std::uint32_t mode) {
    loader::InstallRequest request;
    request.file = GuestAddr{set.file};
    request.file_bytes = static_cast<std::uint32_t>(file.file.size());
    request.exec_ram = GuestAddr{set.exec_ram};
    request.exec_ram_bytes =
        (mode & loader::format::kModeCopy) != 0 ? file.exec_copy : file.exec_xip;
    if (file.ext_ram != 0) request.ext_ram = GuestAddr{set.ext_ram};
    request.ext_ram_bytes = file.ext_ram;
    if (!file.params.empty()) {
        request.params = GuestAddr{set.params};
        request.params_bytes = static_cast<std::uint32_t>(file.params.size());
    }
    request.mode = mode;
    request.instance = GuestAddr{set.instance};
    request.callbacks = GuestAddr{set.callbacks};
    request.grants = file.pools.data();
    request.grant_count = static_cast<std::uint32_t>(file.pools.size());
    request.policy = policy;
    request.profile = file.profile;
    return request;
}

std::vector<AddressRange> ranges_of(const MatrixFile& file, const loader::InstallRequest& request) {
    std::vector<AddressRange> ranges = file.pools;
    ranges.push_back({request.file, request.file_bytes});
    ranges.push_back({request.exec_ram, request.exec_ram_bytes});
    ranges.push_back({request.ext_ram, request.ext_ram_bytes});
    ranges.push_back({request.instance, loader::instance_layout(request.profile).bytes});
    if (!file.params.empty()) ranges.push_back({request.params, request.params_bytes});
    return with_margins(std::move(ranges));
}

const char* generation_name(loader::Generation generation) {
    switch (generation) {
        case loader::Generation::Core21:
            return "2.1";
        case loader::Generation::Core22:
            return "2.2";
        case loader::Generation::Core30:
            return "3.0";
        case loader::Generation::Core4x:
            return "4.x";
    }
    return "";
}

std::string install_job(const loader::InstallRequest& request) {
    const loader::RuntimeProfile& profile = request.profile;
    std::string job = fmt::format(
        "install generation={} policy={} file={} file_bytes={} exec={} exec_bytes={} ext={} "
        "ext_bytes={} params={} "
        "params_bytes={} mode={} instance={} callbacks={} secure={:d} dbg={:d} async={:d} "
        "ndebug={:d} dev={} "
        "buffer_info_bytes={} epoch_item_bytes={}",
        generation_name(profile.generation),
        request.policy == loader::Policy::Compat ? "compat" : "strict", to_word(request.file),
        request.file_bytes, to_word(request.exec_ram), request.exec_ram_bytes,
        to_word(request.ext_ram), request.ext_ram_bytes, to_word(request.params),
        request.params_bytes, request.mode, to_word(request.instance), to_word(request.callbacks),
        profile.secure, profile.dbg_info, profile.async, profile.ndebug, profile.version.dev,
        profile.buffer_info_bytes, profile.epoch_item_bytes);
    for (std::uint32_t i = 0; i < request.grant_count; ++i) {
        job +=
            fmt::format(" grant={}:{}", to_word(request.grants[i].start), request.grants[i].bytes);
    }
    return job + "\n";
}

/// The line that the firmware must print for this outcome of the host.
std::string install_line(loader::Status status, const loader::InstallResult& result) {
    if (status != loader::Status::Ok)
        return fmt::format("install status={} ", static_cast<int>(status));
    return fmt::format(
        "install status=0 ro=0x{:08x} ram=0x{:08x} param0=0x{:08x} param1=0x{:08x} "
        "context=0x{:08x} state={} pools={} "
        "got={} relocations={}",
        to_word(result.ro_base), to_word(result.ram_base), to_word(result.param0),
        to_word(result.param1), to_word(result.context), result.state, result.pools,
        result.got_words, result.relocations);
}

std::string difference(const std::string& what, AddressRange range,
                       const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
    const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (left == a.end() && right == b.end()) return {};
    const auto offset = static_cast<std::uint32_t>(left - a.begin());
    if (left == a.end() || right == b.end()) return fmt::format("{}: lengths differ", what);
    return fmt::format("{}: 0x{:08x} holds {:02x} instead of {:02x}", what,
                       to_word(range.start) + offset, *right, *left);
}

}  // namespace

Matrix::Matrix(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
}

void Matrix::add(const MatrixFile& file, const AddressSet& set, loader::Policy policy) {
    using namespace loader::format;
    for (const std::uint32_t clear : {0u, kModeClear}) {
        add_mode(file, set, policy, kModeCopy | clear);
        if (!file.copy_only) add_mode(file, set, policy, kModeXip | clear);
    }
}

void Matrix::add_mode(const MatrixFile& file, const AddressSet& set, loader::Policy policy,
                      std::uint32_t mode) {
    const loader::InstallRequest request = request_for(file, set, policy, mode);
    const OracleImage expected =
        expected_image(file.file, file.params, oracle_request_for(request));
    sim::HostMemory memory;
    Case entry;
    entry.name = fmt::format("{} mode {} at {}", file.name, mode, set.name);
    for (const AddressRange& range : ranges_of(file, request)) {
        memory.map(range, kFill);
        entry.regions.push_back({range, {}, {}});
    }
    memory.store(request.file, file.file);
    if (!file.params.empty()) memory.store(request.params, file.params);
    for (Region& region : entry.regions) {
        const auto before = memory.bytes(region.range);
        region.oracle.assign(before.begin(), before.end());
        expected.apply(to_word(region.range.start), region.oracle);
    }
    entry.status = loader::install(memory.port(), request, entry.result, entry.why);
    for (Region& region : entry.regions) {
        const auto after = memory.bytes(region.range);
        region.host.assign(after.begin(), after.end());
    }
    add_jobs(entry, file, request);
    cases_.push_back(std::move(entry));
}

void Matrix::add_jobs(const Case& entry, const MatrixFile& file,
                      const loader::InstallRequest& request) {
    for (const Region& region : entry.regions) {
        jobs_ +=
            fmt::format("fill {} {} {}\n", to_word(region.range.start), region.range.bytes, kFill);
    }
    jobs_ += fmt::format("load {} {}\n", stored(file.file), to_word(request.file));
    if (!file.params.empty())
        jobs_ += fmt::format("load {} {}\n", stored(file.params), to_word(request.params));
    jobs_ += install_job(request);
    for (const Region& region : entry.regions) {
        jobs_ += fmt::format("dump {} {} {}\n", kDumpFile, to_word(region.range.start),
                             region.range.bytes);
    }
}

std::string Matrix::stored(const std::vector<std::uint8_t>& bytes) {
    const auto found = std::find(stored_.begin(), stored_.end(), bytes);
    std::string name = fmt::format("file{}.bin", found - stored_.begin());
    if (found == stored_.end()) {
        store(folder_ / name, bytes.data(), bytes.size());
        stored_.push_back(bytes);
    }
    return name;
}

std::vector<std::string> Matrix::host_differences() const {
    std::vector<std::string> differences;
    for (const Case& entry : cases_) {
        if (entry.status != loader::Status::Ok) {
            differences.push_back(fmt::format("{}: refused on the host by rule {}", entry.name,
                                              static_cast<int>(entry.why.rule)));
        }
        for (const Region& region : entry.regions) {
            const std::string oracle = difference(entry.name + ", host against oracle",
                                                  region.range, region.oracle, region.host);
            if (!oracle.empty()) differences.push_back(oracle);
        }
    }
    return differences;
}

std::vector<std::string> Matrix::run() {
    store(folder_ / kJobFile, jobs_.data(), jobs_.size());
    const QemuRun qemu = run_qemu(folder_, kJobFile);
    if (qemu.exit_code != 0)
        return {fmt::format("QEMU ended with {}: {}", qemu.exit_code, qemu.text)};
    std::vector<std::string> differences = host_differences();
    std::vector<std::string> lines;
    std::istringstream text(qemu.text);
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with("install ")) lines.push_back(line);
    }
    if (lines.size() != cases_.size())
        return {fmt::format("{} installs instead of {}", lines.size(), cases_.size())};
    const std::vector<std::uint8_t> dump = load(folder_ / kDumpFile);
    std::size_t at = 0;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
        const Case& entry = cases_[i];
        if (!lines[i].starts_with(install_line(entry.status, entry.result))) {
            differences.push_back(fmt::format("{}: '{}' on the core", entry.name, lines[i]));
        }
        for (const Region& region : entry.regions) {
            const std::size_t end = std::min(dump.size(), at + region.range.bytes);
            const std::vector<std::uint8_t> core(
                dump.begin() + static_cast<std::ptrdiff_t>(std::min(at, end)),
                dump.begin() + static_cast<std::ptrdiff_t>(end));
            at += region.range.bytes;
            const std::string machine =
                difference(entry.name + ", core against host", region.range, region.host, core);
            if (!machine.empty()) differences.push_back(machine);
        }
    }
    if (at != dump.size()) differences.push_back("the dump has another length than expected");
    return differences;
}

}  // namespace n6vp::test

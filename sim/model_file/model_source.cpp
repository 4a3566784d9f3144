// SPDX-License-Identifier: Apache-2.0
#include "sim/model_file/model_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "memmap/board.h"
#include "memmap/regions.h"
#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "sim/model_file/foreign_file.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

// Where the tools put what an application would own. Assumed: any word-aligned place inside the
// firmware's data will do, the installer only stores and writes through these addresses.
constexpr GuestAddr kInstance{0x34050000};
constexpr GuestAddr kCallbacks{0x34051000};

/// Returns what is left of `ranges` without `hole`.
std::vector<AddressRange> without(const std::vector<AddressRange>& ranges, AddressRange hole) {
    std::vector<AddressRange> left;
    for (const AddressRange& range : ranges) {
        if (!range.overlaps(hole)) {
            left.push_back(range);
            continue;
        }
        if (to_word(hole.start) > to_word(range.start)) {
            left.push_back({range.start, to_word(hole.start) - to_word(range.start)});
        }
        if (hole.end() < range.end()) {
            left.push_back({GuestAddr{static_cast<std::uint32_t>(hole.end())},
                            static_cast<std::uint32_t>(range.end() - hole.end())});
        }
    }
    return left;
}

/// As `without`, and also without the other alias of an on-chip hole: both reach the same bytes.
std::vector<AddressRange> without_both_aliases(std::vector<AddressRange> ranges,
                                               AddressRange hole) {
    ranges = without(ranges, hole);
    const memmap::Location location = memmap::find_region(hole.start);
    if (!location || location.alias == memmap::Alias::Only) return ranges;
    hole.start = GuestAddr{to_word(hole.start) ^ memmap::kSecureOffset};
    return without(ranges, hole);
}

/// Returns the range of `bytes` bytes at `start`. Fails if it runs past the address space.
AddressRange placed(GuestAddr start, std::size_t bytes, std::string_view option) {
    const AddressRange range{start, static_cast<std::uint32_t>(bytes)};
    if (range.wraps()) {
        throw UserError(fmt::format("{} 0x{:08x}: {} bytes do not fit below 0xffffffff", option,
                                    to_word(start), bytes),
                        "choose a lower address, such as 0x71000000 in the external flash");
    }
    return range;
}

}  // namespace

std::vector<std::uint8_t> read_file(const std::string& path) {
    return read_input(path, kMaxModelBytes, "give the network_rel.bin file itself");
}

ModelFiles read_model(const std::string& file_path, const std::string& params_path) {
    ModelFiles files;
    files.file_path = file_path;
    files.params_path = params_path;
    files.file = read_file(file_path);
    require_not_foreign(file_path, files.file, "not a model");
    if (!params_path.empty()) {
        files.params = read_file(params_path);
        if (files.params.empty()) {
            throw UserError(
                fmt::format("{}: the parameter file is empty", traces::terminal_text(params_path)),
                "give the parameter file that was generated with this model");
        }
    }
    return files;
}

InstallPlan::InstallPlan(const ModelOptions& options, const ModelFiles& files) {
    namespace board = memmap::board;
    request_.file =
        options.at.empty() ? board::kModel.start : GuestAddr{parse_number(options.at, "--at")};
    file_ = placed(request_.file, files.file.size(), "--at");
    request_.file_bytes = file_.bytes;

    if (!options.params_at.empty()) {
        request_.params = GuestAddr{parse_number(options.params_at, "--params-at")};
    } else if (!files.params_path.empty()) {
        request_.params = board::kParams.start;
    }
    if (!files.params_path.empty()) {
        params_ = placed(request_.params, files.params.size(), "--params-at");
        request_.params_bytes = params_.bytes;
    }

    const AddressRange exec =
        options.exec.empty() ? board::kExecRam : parse_range(options.exec, "--exec");
    request_.exec_ram = exec.start;
    request_.exec_ram_bytes = exec.bytes;
    choose_external_ram(options);

    request_.mode = parse_mode(options.mode, options.clear);
    request_.instance = options.instance.empty()
                            ? kInstance
                            : GuestAddr{parse_number(options.instance, "--instance")};
    request_.callbacks = kCallbacks;

    HostMemory memory;
    if (file_.bytes != 0) {
        memory.map(file_, 0, false);
        memory.store(file_.start, files.file);
    }
    const loader::MemoryPort port = memory.port();
    loader::Container container(port, file_.start, file_.bytes);
    loader::Diagnosis why;
    const bool opened = container.open(why) == loader::Status::Ok;
    request_.profile =
        opened ? matching_profile(container) : loader::default_profile(loader::Generation::Core30);
    firmware_matched_ = opened && options.firmware.empty();
    request_.profile = parse_firmware(options.firmware, request_.profile);
    collect_grants(options);
}

void InstallPlan::choose_external_ram(const ModelOptions& options) {
    AddressRange ext = memmap::board::kExternalRam;
    external_ram_given_ = !options.ext.empty();
    if (external_ram_given_) {
        ext = parse_range(options.ext, "--ext");
    } else if (ext.overlaps(file_) || ext.overlaps(params_) || ext.overlaps(exec_ram())) {
        ext = {};  // The user put something else there: no default, and the loader says if one is
                   // needed.
    }
    request_.ext_ram = ext.start;
    request_.ext_ram_bytes = ext.bytes;
}

void InstallPlan::collect_grants(const ModelOptions& options) {
    for (const AddressRange& range : memmap::npu_ram_regions()) grants_.push_back(range);
    for (const AddressRange& hole : {memmap::board::kFirmware, exec_ram(), file_, params_}) {
        grants_ = without_both_aliases(std::move(grants_), hole);
    }
    // What a smaller exec RAM leaves of the usual one is the application's.
    if (exec_ram().overlaps(memmap::board::kExecRam)) {
        grants_ = without_both_aliases(std::move(grants_), memmap::board::kExecRam);
    }
    for (const std::string& text : options.grants) {
        grants_.push_back(parse_range(text, "--grant"));
    }
    request_.grants = grants_.data();
    request_.grant_count = static_cast<std::uint32_t>(grants_.size());
}

loader::InstallRequest InstallPlan::request(loader::Policy policy) const {
    loader::InstallRequest request = request_;
    request.policy = policy;
    return request;
}

AddressRange InstallPlan::instance() const {
    if (to_word(request_.instance) == 0) return {};
    const std::uint32_t bytes = loader::instance_layout(request_.profile).bytes;
    const AddressRange range{request_.instance, bytes};
    return range.wraps() ? AddressRange{} : range;
}

void InstallPlan::place(HostMemory& memory, const ModelFiles& files) const {
    const auto map_rest = [&memory](AddressRange range, bool writable) {
        std::vector<AddressRange> pieces;
        if (range.bytes != 0) pieces.push_back(range);
        for (const AddressRange& taken : memory.mappings()) pieces = without(pieces, taken);
        for (const AddressRange& piece : pieces) memory.map(piece, 0, writable);
    };
    if (to_word(request_.exec_ram) != 0) map_rest(exec_ram(), true);
    if (to_word(request_.ext_ram) != 0) map_rest(ext_ram(), true);
    map_rest(instance(), true);
    for (const AddressRange& grant : grants_) map_rest(grant, true);
    map_rest(file_, false);
    map_rest(params_, false);
    if (file_.bytes != 0) memory.store(file_.start, files.file);
    if (params_.bytes != 0) memory.store(params_.start, files.params);
}

}  // namespace n6vp::sim

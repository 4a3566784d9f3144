// SPDX-License-Identifier: Apache-2.0
#include "sim/model_file/legacy_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "sim/host/errors.h"
#include "sim/model_file/legacy_model.h"

namespace n6vp::sim {

namespace {

namespace legacy = loader::legacy;

constexpr std::uint32_t kDefaultFile = 0x08040000, kDefaultWeights = 0x08100000;

void refuse_option(bool typed, std::string_view option) {
    if (!typed) return;
    throw UserError(fmt::format("{}: not for a model of the Cortex-M4, M7 or M33", option),
                    "such a model takes --at, --mode, --exec, --params, --params-at, --ext and "
                    "--core");
}

}  // namespace

LegacyPlan::LegacyPlan(const ModelOptions& options, const std::string& core,
                       const ModelFiles& files) {
    refuse_option(options.clear, "--clear");
    refuse_option(!options.firmware.empty(), "--firmware");
    refuse_option(!options.instance.empty(), "--instance");
    refuse_option(!options.grants.empty(), "--grant");
    const LegacyModel model(files);
    request_.file = GuestAddr{options.at.empty() ? kDefaultFile : parse_number(options.at, "--at")};
    request_.file_bytes = static_cast<std::uint32_t>(files.file.size());
    const AddressRange ram =
        options.exec.empty() ? kDefaultRam : parse_range(options.exec, "--exec");
    request_.ram = ram.start;
    request_.ram_bytes = ram.bytes;
    request_.mode = parse_mode(options.mode, false);
    if (!files.params_path.empty() || !options.params_at.empty()) {
        request_.weights =
            GuestAddr{options.params_at.empty() ? kDefaultWeights
                                                : parse_number(options.params_at, "--params-at")};
        if (!files.params_path.empty())
            request_.weights_bytes = static_cast<std::uint32_t>(files.params.size());
    }
    if (!options.ext.empty()) {
        const AddressRange activations = parse_range(options.ext, "--ext");
        request_.activations = activations.start;
        request_.activations_bytes = activations.bytes;
    }
    core_matched_ = core.empty();
    request_.target.cpu_part = core_matched_ ? model.header().flags.cpu_part() : parse_core(core);
    if (file().wraps()) {
        throw UserError("--at: the file does not fit below the end of the address space",
                        "choose a lower address");
    }
}

legacy::Request LegacyPlan::request(loader::Policy policy) const {
    legacy::Request request = request_;
    request.policy = policy;
    return request;
}

legacy::Resolver LegacyPlan::bases(const legacy::Header& header) const {
    if (request_.mode != legacy::kModeCopy) return {request_.file, request_.ram};
    return {request_.ram, wrapping_add(request_.ram, legacy::align4(header.ro_bytes()))};
}

void LegacyPlan::place(HostMemory& memory, const ModelFiles& files) const {
    std::vector<AddressRange> ranges = {file(), {request_.ram, request_.ram_bytes}};
    std::erase_if(ranges, [](AddressRange range) { return range.bytes == 0 || range.wraps(); });
    std::sort(ranges.begin(), ranges.end(), [](AddressRange left, AddressRange right) {
        return to_word(left.start) < to_word(right.start);
    });
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        AddressRange& before = ranges[i - 1];
        if (!before.overlaps(ranges[i])) continue;
        const std::uint64_t end = std::max(before.end(), ranges[i].end());
        before.bytes = static_cast<std::uint32_t>(end - to_word(before.start));
        ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(i--));
    }
    for (const AddressRange range : ranges) memory.map(range);
    memory.store(request_.file, files.file);
}

}  // namespace n6vp::sim

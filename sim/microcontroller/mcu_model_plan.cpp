// SPDX-License-Identifier: Apache-2.0
#include "sim/microcontroller/mcu_model_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/host/errors.h"
#include "sim/host/exit_codes.h"
#include "sim/microcontroller/mcu_places.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

namespace legacy = loader::legacy;
using legacy::align4;

constexpr std::uint32_t kAlignment = 32;  // a line of the cache

[[nodiscard]] std::uint32_t rounded(std::uint32_t value) {
    return (value + kAlignment - 1) & ~(kAlignment - 1);
}

[[nodiscard]] std::uint32_t needed(const legacy::Header& header, std::uint32_t mode) {
    return header.ram_bytes(mode == legacy::kModeCopy);
}

[[nodiscard]] AddressRange range_of_kind(const memmap::Chip& chip, memmap::ChipMemoryKind kind) {
    for (const memmap::ChipMemory& memory : chip.memories) {
        if (memory.kind == kind) return {GuestAddr{memory.start}, memory.bytes};
    }
    return {};
}

[[nodiscard]] std::vector<AddressRange> external_memories(const memmap::Chip& chip) {
    std::vector<AddressRange> result;
    for (const memmap::ChipMemory& memory : chip.memories) {
        if (memory.kind == memmap::ChipMemoryKind::External)
            result.push_back({GuestAddr{memory.start}, memory.bytes});
    }
    return result;
}

[[nodiscard]] std::string memory_title(const memmap::Chip& chip, AddressRange range) {
    const memmap::ChipMemory* const memory = memmap::memory_at(chip, to_word(range.start));
    return memory == nullptr ? "no memory" : memory->name;
}

[[nodiscard]] std::string title_of(const McuVariant& variant, const memmap::Chip& chip) {
    const bool copies = variant.mode == legacy::kModeCopy;
    std::string title = copies ? fmt::format("COPY into {}", memory_title(chip, variant.ram))
                               : fmt::format("XIP in {}", memory_title(chip, variant.file));
    const std::string data = memory_title(chip, variant.activations);
    if (!copies || data != memory_title(chip, variant.ram)) title += ", data in " + data;
    return variant.heap ? title + ", from the heap" : title;
}

}  // namespace

LegacyPlan plan_of_file(const ModelOptions& options, const ModelFiles& files,
                        const memmap::Chip& chip) {
    ModelOptions judged;
    judged.file = options.file;
    judged.params = options.params;
    judged.mode = options.mode == "copy" ? "copy" : "xip";
    judged.at = fmt::format("0x{:08x}", to_word(model_flash(chip).start));
    judged.exec = fmt::format("0x{:08x}:{}", to_word(model_ram(chip).start), model_ram(chip).bytes);
    return LegacyPlan(judged, chip.core, files);
}

/// Memory that is given away piece by piece.
class McuModelPlan::Room {
  public:
    explicit Room(AddressRange all) { free_.push_back(all); }

    /// The range is somebody's.
    void remove(AddressRange range) {
        std::vector<AddressRange> left;
        for (const AddressRange each : free_) {
            if (!each.overlaps(range)) {
                left.push_back(each);
                continue;
            }
            add(left, to_word(each.start), to_word(range.start));
            add(left, range.end(), each.end());
        }
        free_ = std::move(left);
    }
    /// Returns a range of that size; fails with UserError if there is none.
    [[nodiscard]] AddressRange take(std::uint32_t bytes, std::string_view what,
                                    const char* option) {
        for (const AddressRange each : free_) {
            const std::uint32_t start = rounded(to_word(each.start));
            if (std::uint64_t{start} + bytes > each.end()) continue;
            const AddressRange taken{GuestAddr{start}, bytes};
            remove({each.start, start - to_word(each.start) + rounded(bytes)});
            return taken;
        }
        throw UserError(fmt::format("no room for {}: {} bytes, the largest free part has {}", what,
                                    bytes, largest().bytes),
                        fmt::format("name other memory with {}", option));
    }
    [[nodiscard]] AddressRange largest() const {
        AddressRange most{};
        for (const AddressRange each : free_) {
            if (each.bytes > most.bytes) most = each;
        }
        return most;
    }

  private:
    static void add(std::vector<AddressRange>& to, std::uint64_t start, std::uint64_t end) {
        if (start < end)
            to.push_back({GuestAddr{static_cast<std::uint32_t>(start)},
                          static_cast<std::uint32_t>(end - start)});
    }

    std::vector<AddressRange> free_;
};

legacy::Resolver McuVariant::bases(const legacy::Header& header) const {
    if (mode != legacy::kModeCopy) return {file.start, ram.start};
    return {ram.start, wrapping_add(ram.start, align4(header.ro_bytes()))};
}

McuModelPlan::McuModelPlan(const ModelOptions& options, const ModelFiles& files,
                           const memmap::Chip& chip, std::uint32_t hz)
    : options_(options), chip_(chip), model_(files), clocks_(plan_clocks(chip, hz)) {
    const auto context = model_.context();
    if (context) activations_bytes_ = context->activations_bytes;
    if (context && context->weights_bytes != 0 && !model_.header().has_weights() &&
        files.params_path.empty()) {
        throw UserError(fmt::format("{}: its weights are missing, {} bytes in a file of their own",
                                    traces::terminal_text(files.file_path), context->weights_bytes),
                        "name it with --params network_data.bin", kExitRefused);
    }
    for (const Kind& kind : kinds()) add(kind);
}

bool McuModelPlan::fits(AddressRange range, std::uint32_t bytes) const {
    return range.bytes >= rounded(bytes);
}

std::vector<McuModelPlan::Kind> McuModelPlan::kinds() const {
    const std::string& mode = options_.mode;
    if (mode == "xip") return {{legacy::kModeXip, {}, {}, {}}};
    if (mode == "copy") return {{legacy::kModeCopy, {}, {}, {}}};
    if (mode != "all") {
        throw UserError(fmt::format("--mode '{}'", traces::terminal_text(mode)),
                        "a model of the older family takes xip, copy or all");
    }
    if (!options_.exec.empty() || !options_.ext.empty() || !options_.at.empty()) {
        throw UserError("--mode all with --exec, --ext or --at",
                        "it chooses the places: leave them out, or run one mode at a time");
    }
    std::vector<Kind> result{{legacy::kModeXip, {}, {}, {}}};
    const ModelFiles& files = model_.files();
    const auto stored = static_cast<std::uint32_t>(files.file.size() + files.params.size());
    for (const AddressRange memory : external_memories(chip_)) {
        if (fits(memory, stored + kAlignment)) result.push_back({legacy::kModeXip, {}, {}, memory});
    }
    result.push_back({legacy::kModeCopy, {}, {}, {}});
    constexpr std::size_t kInTcm = 2;
    if (result.size() + kInTcm > firmware::mcu::kMaxVariants) {
        throw UserError("--mode all with more external memories than one run can show",
                        fmt::format("give --external at most {} memories",
                                    firmware::mcu::kMaxVariants - kInTcm - 2));
    }
    const AddressRange itcm = range_of_kind(chip_, memmap::ChipMemoryKind::Itcm);
    AddressRange dtcm = range_of_kind(chip_, memmap::ChipMemoryKind::Dtcm);
    if (itcm.bytes == 0 || dtcm.bytes == 0) return result;
    // The firmware has the first part; address 0 is no place for an image.
    namespace fw = firmware::mcu;
    dtcm = {wrapping_add(dtcm.start, fw::kRamBytes), dtcm.bytes - fw::kRamBytes};
    const AddressRange code{wrapping_add(itcm.start, kAlignment), itcm.bytes - kAlignment};
    const std::uint32_t xip = needed(model_.header(), legacy::kModeXip),
                        copy = needed(model_.header(), legacy::kModeCopy);
    if (fits(dtcm, rounded(xip) + activations_bytes_))
        result.push_back({legacy::kModeXip, dtcm, dtcm, {}});
    if (fits(code, copy) && fits(dtcm, activations_bytes_))
        result.push_back({legacy::kModeCopy, code, dtcm, {}});
    return result;
}

void McuModelPlan::place_file(McuVariant& variant, const Kind& kind) const {
    const ModelFiles& files = model_.files();
    Room room(kind.file.bytes != 0 ? kind.file : model_flash(chip_));
    const auto bytes = static_cast<std::uint32_t>(files.file.size());
    if (options_.at.empty()) {
        variant.file = room.take(bytes, "the model", "--at");
    } else {
        variant.file = {GuestAddr{parse_number(options_.at, "--at")}, bytes};
        room.remove(variant.file);
    }
    require_place(chip_, variant.file, "the model", "--at", false);
    if (files.params_path.empty()) return;
    const auto params = static_cast<std::uint32_t>(files.params.size());
    variant.weights =
        options_.params_at.empty()
            ? room.take(params, "the weights", "--params-at")
            : AddressRange{GuestAddr{parse_number(options_.params_at, "--params-at")}, params};
    require_place(chip_, variant.weights, "the weights", "--params-at", false);
    if (!variant.weights.overlaps(variant.file)) return;
    throw UserError("the weights overlap the model", "choose another place with --params-at");
}

void McuModelPlan::add(const Kind& kind) {
    McuVariant variant;
    variant.mode = kind.mode;
    place_file(variant, kind);
    Room usual(kind.data.bytes != 0 ? kind.data : model_ram(chip_));
    Room code(kind.code.bytes != 0 ? kind.code : AddressRange{});
    const bool own_code =
        kind.code.bytes != 0 && to_word(kind.code.start) != to_word(kind.data.start);
    // A model or weights in RAM, an image at an address of the user's.
    usual.remove(variant.file);
    usual.remove(variant.weights);
    const std::uint32_t bytes = needed(model_.header(), kind.mode);
    variant.heap = options_.exec == "heap";
    if (!variant.heap && !options_.exec.empty()) {
        variant.ram = parse_range(options_.exec, "--exec");
        require_place(chip_, variant.ram, "the RAM for the model", "--exec", true);
        usual.remove(variant.ram);
    } else if (!variant.heap) {
        variant.ram = (own_code ? code : usual).take(bytes, "the model in RAM", "--exec");
    }
    if (options_.ext.empty()) {
        variant.activations = usual.take(activations_bytes_, "the activations", "--ext");
    } else {
        variant.activations = parse_range(options_.ext, "--ext");
        require_place(chip_, variant.activations, "the activations", "--ext", true);
        usual.remove(variant.activations);
    }
    variant.spare = usual.largest();
    // The loader's block is the first one, and may be up to four bytes behind its start.
    if (variant.heap) variant.ram = {GuestAddr{rounded(to_word(variant.spare.start))}, bytes + 4};
    variant.title = title_of(variant, chip_);
    variants_.push_back(std::move(variant));
}

LegacyPlan McuModelPlan::legacy_plan(const McuVariant& variant) const {
    ModelOptions options;
    options.file = options_.file;
    options.params = options_.params;
    options.mode = variant.mode == legacy::kModeCopy ? "copy" : "xip";
    const auto range = [](AddressRange each) {
        return fmt::format("0x{:08x}:{}", to_word(each.start), each.bytes);
    };
    options.at = fmt::format("0x{:08x}", to_word(variant.file.start));
    options.exec = range(variant.ram);
    options.ext = range(variant.activations);
    if (variant.weights.bytes != 0)
        options.params_at = fmt::format("0x{:08x}", to_word(variant.weights.start));
    return LegacyPlan(options, chip_.core, model_.files());
}

firmware::mcu::Job McuModelPlan::job(std::uint32_t repeat) const {
    firmware::mcu::Job job;
    job.step_count = static_cast<std::uint32_t>(clocks_.steps.size());
    std::copy(clocks_.steps.begin(), clocks_.steps.end(), std::begin(job.steps));
    job.core_caches = std::string_view(chip_.core) == "cortex-m7" ? 1 : 0;
    job.repeat = repeat;
    job.variant_count = static_cast<std::uint32_t>(variants_.size());
    for (std::size_t i = 0; i < variants_.size(); ++i) {
        const McuVariant& from = variants_[i];
        firmware::mcu::Variant& to = job.variants[i];
        to.file = to_word(from.file.start);
        to.file_bytes = from.file.bytes;
        to.mode = from.mode;
        if (!from.heap) {
            to.ram = to_word(from.ram.start);
            to.ram_bytes = from.ram.bytes;
        }
        to.weights = to_word(from.weights.start);
        to.activations = to_word(from.activations.start);
        to.activations_bytes = from.activations.bytes;
        to.spare = to_word(from.spare.start);
        to.spare_bytes = from.spare.bytes;
    }
    return job;
}

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/model_file/legacy_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "sim/host/errors.h"
#include "traces/diagnosis/rule_text.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

namespace legacy = loader::legacy;
using loader::format::link_offset;

struct Core {
    std::uint32_t part;
    std::string_view option, name;
};
constexpr std::array kCores = {Core{legacy::kCortexM4, "cortex-m4", "Cortex-M4"},
                               Core{legacy::kCortexM7, "cortex-m7", "Cortex-M7"},
                               Core{legacy::kCortexM33, "cortex-m33", "Cortex-M33"},
                               Core{legacy::kCortexM55, "cortex-m55", "Cortex-M55"}};

constexpr std::array<std::string_view, legacy::kEntryCount> kEntryNames = {
    "create",           "init",
    "init_v2",          "run",
    "report",           "error",
    "destroy",          "forward",
    "plt_obs_register", "plt_obs_unregister",
    "plt_obs_node_info"};

bool read_file_bytes(const std::vector<std::uint8_t>& file, GuestAddr from, void* to,
                     std::uint32_t bytes) {
    const std::size_t at = to_word(from);
    if (at > file.size() || bytes > file.size() - at) return false;
    std::memcpy(to, file.data() + at, bytes);
    return true;
}

void count(LegacyCounts& counts, std::optional<std::uint32_t> value) {
    ++counts.words;
    if (!value) {
        ++counts.unreadable;
    } else if (*value == 0) {
        ++counts.zero;
    } else if (legacy::in_ram(*value)) {
        ++counts.ram;
    } else if (legacy::in_flash(*value)) {
        ++counts.flash;
    } else {
        ++counts.other;
    }
}

}  // namespace

bool is_legacy_model(const std::vector<std::uint8_t>& file) {
    loader::MemoryPort port;
    port.context = const_cast<std::vector<std::uint8_t>*>(&file);  // handed back as const only
    port.read = [](void* context, GuestAddr from, void* to, std::uint32_t bytes) {
        return read_file_bytes(*static_cast<const std::vector<std::uint8_t>*>(context), from, to,
                               bytes);
    };
    loader::Container container(port, GuestAddr{0}, static_cast<std::uint32_t>(file.size()));
    loader::Diagnosis why;
    static_cast<void>(container.open(why));
    if (why.rule == loader::Rule::LegacyFormat) return true;
    // A damaged data_start alone does not make it a model of the STM32N6: version and context word
    // are still those of this family.
    const auto word = [&container](std::uint32_t at) {
        std::uint32_t value = 0;
        return container.word(at, value) ? value : 0;
    };
    return word(loader::format::kOffMagic) == loader::format::kMagic &&
           loader::format::Flags{word(loader::format::kOffFlags)}.major() <= 2 &&
           legacy::in_ram(word(legacy::kContextOffset)) &&
           !loader::format::in_space(word(loader::format::kShortContextOffset),
                                     loader::format::Space::Ram);
}

std::string core_name(std::uint32_t cpu_part) {
    for (const Core& core : kCores) {
        if (core.part == cpu_part) return std::string(core.name);
    }
    return fmt::format("core {:03X}", cpu_part);
}

std::uint32_t parse_core(std::string_view text) {
    for (const Core& core : kCores) {
        if (core.option == text) return core.part;
    }
    throw UserError(fmt::format("--core: unknown core '{}'", traces::terminal_text(text)),
                    "use cortex-m4, cortex-m7, cortex-m33 or cortex-m55");
}

std::string_view legacy_entry_name(std::uint32_t index) {
    return index < kEntryNames.size() ? kEntryNames[index] : "?";
}

std::string_view legacy_section(const legacy::Container& container, std::uint32_t file_offset) {
    const legacy::Header& header = container.header();
    const std::uint32_t ro = header.ro_bytes();
    const auto within = [&](std::uint64_t start, std::uint64_t end) {
        return file_offset >= start && file_offset < end;
    };
    if (file_offset >= container.bytes()) return "outside";
    if (file_offset < legacy::kVectorOffset) return "header";
    if (file_offset < legacy::kHeaderBytes) return "vector";
    if (file_offset < ro) return "code";
    if (within(link_offset(header.rel_start), link_offset(header.rel_end)))
        return "relocation table";
    if (header.has_weights() &&
        within(link_offset(header.weights_start), link_offset(header.weights_end))) {
        return "weights";
    }
    const std::uint64_t context = std::uint64_t{ro} + link_offset(header.context);
    const std::uint64_t data_end = std::uint64_t{ro} + link_offset(header.data_end);
    if (within(context, std::min(context + legacy::kLongContextBytes, data_end))) return "rt_ctx";
    if (within(std::uint64_t{ro} + link_offset(header.got_start),
               std::uint64_t{ro} + link_offset(header.got_end))) {
        return "GOT";
    }
    return file_offset < data_end ? "data" : "padding";
}

LegacyModel::LegacyModel(ModelFiles files)
    : files_(std::move(files)),
      container_(port_, GuestAddr{0}, static_cast<std::uint32_t>(files_.file.size())) {
    port_.context = this;
    port_.read = read;
    loader::Diagnosis why;
    if (container_.open(why) != loader::Status::Ok) {
        const traces::RuleText& text = traces::rule_text(why.rule);
        throw UserError(fmt::format("{}: {}", traces::terminal_text(files_.file_path), text.what),
                        std::string(text.remedy));
    }
}

bool LegacyModel::read(void* context, GuestAddr from, void* to, std::uint32_t bytes) {
    return read_file_bytes(static_cast<const LegacyModel*>(context)->files_.file, from, to, bytes);
}

std::optional<legacy::Context> LegacyModel::context() const {
    legacy::Context context;
    if (!legacy::in_ram(header().context) || !container_.context(context)) return std::nullopt;
    return context;
}

std::optional<std::string> LegacyModel::text(std::uint32_t link_address) const {
    std::array<char, loader::format::kMaxNameBytes + 1> text{};
    if (!container_.name(link_address, text.data(), static_cast<std::uint32_t>(text.size())))
        return std::nullopt;
    return std::string(text.data());
}

std::vector<LegacyLink> legacy_links(const LegacyModel& model) {
    std::vector<LegacyLink> links;
    const legacy::Container& container = model.container();
    const legacy::Header& header = container.header();
    std::uint32_t word = 0;
    // More than the spaces hold comes of damaged bounds.
    constexpr std::uint32_t kMaxGot = legacy::kRamLimit / 4, kMaxEntries = legacy::kFlashLimit / 4;
    for (std::uint32_t i = 0; i < kMaxGot && container.got(i, word); ++i) {
        const std::uint32_t inside = link_offset(header.got_start) + 4 * i;
        links.push_back({true, i, header.ro_bytes() + inside, legacy::kRamBase + inside, word});
    }
    for (std::uint32_t i = 0; i < kMaxEntries && container.relocation(i, word); ++i) {
        LegacyLink link{false, i, link_offset(header.rel_start) + 4 * i, word, std::nullopt};
        const std::uint32_t at = container.offset_of(word);
        std::uint32_t value = 0;
        if (legacy::in_ram(word) && at != loader::kNotApplicable && container.word(at, value))
            link.value = value;
        links.push_back(link);
    }
    return links;
}

LegacyCounts LegacyModel::got() const {
    LegacyCounts counts;
    for (const LegacyLink& link : legacy_links(*this)) {
        if (link.is_got) count(counts, link.value);
    }
    return counts;
}

LegacyCounts LegacyModel::relocations() const {
    LegacyCounts counts;
    for (const LegacyLink& link : legacy_links(*this)) {
        if (!link.is_got) count(counts, link.value);
    }
    return counts;
}

std::uint32_t LegacyModel::constants_start() const {
    std::uint32_t lowest = header().ro_bytes();
    const auto consider = [&lowest](std::uint32_t value) {
        if (legacy::in_flash(value) && value % 2 == 0 && link_offset(value) >= legacy::kHeaderBytes)
            lowest = std::min(lowest, link_offset(value));
    };
    for (const LegacyLink& link : legacy_links(*this)) consider(link.value.value_or(0));
    if (const auto found = context()) consider(found->name);
    return lowest;
}

}  // namespace n6vp::sim

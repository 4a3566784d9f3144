// SPDX-License-Identifier: Apache-2.0
#include "sim/model_file/model_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "sim/host/errors.h"
#include "sim/model_file/file_parts.h"
#include "traces/diagnosis/rule_text.h"
#include "traces/escape.h"

namespace n6vp::sim::report {

namespace {

using loader::Container;
using loader::Header;
using loader::Rule;
namespace format = loader::format;

[[noreturn]] void refuse(const ModelFiles& files, const loader::Diagnosis& why) {
    const std::string path = traces::terminal_text(files.file_path);
    switch (why.rule) {
        case Rule::LegacyFormat:
            throw UserError(
                fmt::format(
                    "{}: a relocatable model in the legacy format (ai_rel_network, for Cortex-M4, "
                    "M7 and M33), not one for the STM32N6",
                    path),
                "n6vp info, check and install read it; for the other verbs build the model for "
                "series "
                "stm32n6npu");
        case Rule::FileTooShort:
            throw UserError(fmt::format("{}: {} bytes are too few for a model header (96 bytes)",
                                        path, files.file.size()),
                            "give the network_rel.bin file itself, complete");
        case Rule::Magic:
            throw UserError(
                fmt::format(
                    "{}: not a model container: it starts with 0x{:08x} instead of \"NBIN\"", path,
                    why.found),
                "give the network_rel.bin file, not its parameter file or a C array");
        default:
            throw UserError(fmt::format("{}: {}", path, traces::rule_text(why.rule).what),
                            std::string(traces::rule_text(why.rule).remedy));
    }
}

std::optional<std::string> name_at(const Container& container, std::uint32_t link_address) {
    std::array<char, format::kMaxNameBytes + 1> text{};
    if (!container.name(link_address, text.data(), static_cast<std::uint32_t>(text.size()))) {
        return std::nullopt;
    }
    return std::string(text.data());
}

void gather_context(const Container& container, ModelFacts& facts) {
    loader::RuntimeContext context;
    if (!container.context(context)) return;
    facts.context = context;
    facts.c_name = name_at(container, context.c_name);
    facts.version_desc = name_at(container, context.rt_version_desc);
}

void gather_pools(const Container& container, ModelFacts& facts) {
    for (std::uint32_t index = 0; index < kMaxPoolRows; ++index) {
        PoolRow row;
        row.index = index;
        if (!container.pool(index, row.pool)) return;
        if (row.pool.name != 0) row.name = name_at(container, row.pool.name);
        facts.pools.push_back(row);
        if (row.pool.terminates()) {
            facts.pools_terminated = true;
            return;
        }
    }
}

GotFacts gather_got(const Container& container) {
    GotFacts facts;
    const Header& header = container.header();
    if (header.got_end < header.got_start) return facts;
    facts.words = header.got_bytes() / 4;
    for (std::uint32_t index = 0; index < facts.words; ++index) {
        std::uint32_t value = 0;
        if (!container.got(index, value)) {
            facts.unreadable = facts.words - index;
            break;
        }
        facts.held.add(value);
    }
    return facts;
}

RelocationFacts gather_relocations(const Container& container) {
    RelocationFacts facts;
    const Header& header = container.header();
    if (header.rel_end < header.rel_start) return facts;
    facts.entries = header.rel_bytes() / 4;
    for (std::uint32_t index = 0; index < facts.entries; ++index) {
        std::uint32_t target = 0;
        if (!container.relocation(index, target)) {
            facts.unreadable = facts.entries - index;
            break;
        }
        const bool in_ram = format::in_space(target, format::Space::Ram);
        const bool in_ro = format::in_space(target, format::Space::Flash);
        ++(in_ram ? facts.in_ram : in_ro ? facts.in_ro : facts.elsewhere);
        std::uint32_t value = 0;
        const std::uint32_t at = container.offset_of(target);
        if (at == loader::kNotApplicable || !container.word(at, value)) {
            ++facts.word_unreadable;
        } else {
            facts.held.add(value);
        }
    }
    return facts;
}

/// Returns how many bytes of parameters are at hand if they are fewer than rt_ctx says; none if
/// they suffice, or are in a file that was not given.
std::optional<std::size_t> short_parameters(const ModelImage& image, const ModelFacts& facts) {
    if (!image.opened() || !facts.context) return std::nullopt;
    const std::uint32_t offset = image.header().params_offset;
    std::size_t bytes = image.files().params.size();
    if (bytes == 0) {
        if (offset == 0) return std::nullopt;
        const std::size_t start = format::link_offset(offset);
        bytes = image.bytes() > start ? image.bytes() - start : 0;
    }
    if (bytes >= facts.context->params_bin_sz) return std::nullopt;
    return bytes;
}

void add_notes(const ModelImage& image, ModelFacts& facts) {
    const Header& header = image.header();
    auto& notes = facts.notes;
    if (header.header_bytes == format::kLongHeaderBytes) {
        notes.emplace_back(
            "runtime 1.1.3: model and vendor loader disagree on vector words 0x58..0x60; both "
            "readings are listed");
    }
    if (facts.relocations.in_ro != 0) {
        notes.push_back(
            fmt::format("{} relocations patch read-only words: COPY only, XIP refuses the model",
                        facts.relocations.in_ro));
    }
    if (facts.layout_sound && header.copied_bytes() > format::link_offset(header.got_end)) {
        const std::uint32_t gap = header.copied_bytes() - format::link_offset(header.got_end);
        const std::uint32_t padding = format::link_offset(header.rel_start) - header.ro_bytes() -
                                      format::link_offset(header.got_end);
        notes.push_back(
            fmt::format("{} bytes between GOT and .bss are copied from the file as they are: {} of "
                        "padding, {} of the relocation table",
                        gap, std::min(gap, padding), gap - std::min(gap, padding)));
    }
    if (facts.split)
        notes.emplace_back("parameters are in a file of their own: installing needs --params");
    if (const auto bytes = short_parameters(image, facts)) {
        notes.push_back(
            fmt::format("parameters end after {} of {} bytes: the file was cut, or is not of this "
                        "build",
                        *bytes, facts.context->params_bin_sz));
    }
    if (is_damaged(image, facts)) {
        notes.emplace_back(
            "the file is damaged: what cannot be derived is shown as '?'. 'n6vp check' names "
            "every fault");
    }
}

}  // namespace

ModelImage::ModelImage(ModelFiles files)
    : files_(std::move(files)),
      port_{.context = this, .read = &ModelImage::read},
      container_(port_, GuestAddr{0}, static_cast<std::uint32_t>(files_.file.size())) {
    loader::Diagnosis why;
    opened_ = container_.open(why) == loader::Status::Ok;
    const bool readable = why.rule == Rule::HeaderLength || why.rule == Rule::ErasedFlash;
    if (!opened_ && !readable) refuse(files_, why);
}

bool ModelImage::read(void* context, GuestAddr from, void* to, std::uint32_t bytes) {
    const std::vector<std::uint8_t>& file = static_cast<const ModelImage*>(context)->files_.file;
    const std::size_t start = to_word(from);
    if (start > file.size() || bytes > file.size() - start) return false;
    std::memcpy(to, file.data() + start, bytes);
    return true;
}

void SpaceCounts::add(std::uint32_t link_address) {
    switch (format::space_nibble(link_address)) {
        case 0x4:
            ++ram;
            break;
        case 0x2:
            ++flash;
            break;
        case 0x8:
            ++param0;
            break;
        case 0x9:
            ++param1;
            break;
        default:
            ++(link_address == 0 ? zero : other);
            break;
    }
}

bool is_damaged(const ModelImage& image, const ModelFacts& facts) {
    const RelocationFacts& relocations = facts.relocations;
    return !image.opened() || !facts.layout_sound || !facts.context || !facts.pools_terminated ||
           facts.got.unreadable != 0 || facts.got.held.other != 0 || relocations.unreadable != 0 ||
           relocations.held.other != 0 || relocations.elsewhere != 0 ||
           relocations.word_unreadable != 0 || short_parameters(image, facts).has_value();
}

ModelFacts gather(const ModelImage& image) {
    const Container& container = image.container();
    ModelFacts facts;
    gather_context(container, facts);
    gather_pools(container, facts);
    facts.got = gather_got(container);
    facts.relocations = gather_relocations(container);
    facts.split =
        image.header().params_offset == 0 && facts.context && facts.context->params_bin_sz != 0;
    gather_parts(image, facts);
    add_notes(image, facts);
    return facts;
}

}  // namespace n6vp::sim::report

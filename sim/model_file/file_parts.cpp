// SPDX-License-Identifier: Apache-2.0
#include "sim/model_file/file_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace n6vp::sim::report {

namespace {

using loader::Header;
namespace format = loader::format;

/// A mark in the file at which something starts.
struct Mark {
    std::uint64_t at = 0;
    const char* name = "";
    std::string note;
};

/// Returns true if the header words cut the file into parts that follow each other.
bool is_sound(const Header& header, std::uint64_t file_bytes) {
    using format::link_offset;
    const bool words = header.header_bytes != 0 && header.data_start <= header.data_end &&
                       header.data_end <= header.got_start && header.got_start <= header.got_end &&
                       header.bss_start <= header.bss_end && header.rel_start <= header.rel_end;
    if (!words) return false;
    const std::uint64_t ro = header.ro_bytes();
    const std::uint64_t got_end = ro + link_offset(header.got_end);
    const std::uint64_t rel_end = link_offset(header.rel_end);
    const bool order = header.header_bytes <= ro &&
                       link_offset(header.got_end) <= header.copied_bytes() &&
                       got_end <= link_offset(header.rel_start) && rel_end <= file_bytes &&
                       ro + header.copied_bytes() <= file_bytes;
    const bool params = header.params_offset == 0 ||
                        (header.params_offset >= rel_end && header.params_offset <= file_bytes);
    return order && params;
}

/// Returns the marks inside .data: rt_ctx and the pool table, when they lie in it.
std::vector<Mark> data_marks(const Header& header, const ModelFacts& facts) {
    const std::uint64_t ro = header.ro_bytes();
    const std::uint64_t data_end = format::link_offset(header.data_end);
    std::vector<Mark> marks;
    const auto add = [&](std::uint64_t at, std::uint64_t bytes, const char* name,
                         std::string note) {
        if (at + bytes > data_end) return;
        marks.push_back({ro + at, name, std::move(note)});
        marks.push_back({ro + at + bytes, ".data", ""});
    };
    if (facts.context) {
        add(format::link_offset(header.context()),
            loader::context_offset::bytes(facts.context->has_struct_sizes), "rt_ctx", "");
    }
    if (facts.pools_terminated) {
        add(format::link_offset(header.params_start), facts.pools.size() * format::kPoolBytes,
            "pool table", fmt::format("{} descriptors, terminator included", facts.pools.size()));
    }
    return marks;
}

/// Appends the parameter section: epoch-controller blobs, if any, then raw parameters.
void add_parameters(const ModelImage& image, ModelFacts& facts, std::vector<Mark>& marks) {
    const std::uint64_t start = image.header().params_offset;
    if (start == 0) return;
    const std::uint64_t section = image.bytes() - start;
    const bool has_blobs = facts.context && facts.context->params_bin_sz < section;
    if (has_blobs) {
        facts.blob_bytes = static_cast<std::uint32_t>(section - facts.context->params_bin_sz);
        marks.push_back(
            {start, "blobs", "epoch-controller blobs: parameter section less params_bin_sz"});
        marks.push_back({start + *facts.blob_bytes, "parameters", ""});
    } else {
        facts.blob_bytes = 0;
        marks.push_back({start, "parameters", ""});
    }
}

std::vector<Mark> all_marks(const ModelImage& image, ModelFacts& facts) {
    using format::link_offset;
    const Header& header = image.header();
    const std::uint64_t ro = header.ro_bytes();
    std::vector<Mark> marks = {{0, "header", ""},
                               {format::kVectorOffset, "vector", ""},
                               {header.header_bytes, "code and constants", ""},
                               {ro, ".data", ""}};
    for (Mark& mark : data_marks(header, facts)) marks.push_back(std::move(mark));
    marks.push_back(
        {ro + link_offset(header.data_end), "init and fini arrays", "never run by the loader"});
    marks.push_back({ro + link_offset(header.got_start), "GOT",
                     fmt::format("{} words", header.got_bytes() / 4)});
    marks.push_back({ro + link_offset(header.got_end), "padding", ""});
    marks.push_back({link_offset(header.rel_start), "relocation table",
                     fmt::format("{} entries", header.rel_bytes() / 4)});
    marks.push_back({link_offset(header.rel_end), "padding", ""});
    const std::uint64_t padded =
        std::min<std::uint64_t>(image.bytes(), format::align8(link_offset(header.rel_end)));
    if (header.params_offset != padded)
        marks.push_back({padded, "unclaimed", "no header word points here"});
    add_parameters(image, facts, marks);
    std::stable_sort(marks.begin(), marks.end(),
                     [](const Mark& left, const Mark& right) { return left.at < right.at; });
    return marks;
}

}  // namespace

void gather_parts(const ModelImage& image, ModelFacts& facts) {
    facts.layout_sound = is_sound(image.header(), image.bytes());
    if (!facts.layout_sound) return;
    const std::vector<Mark> marks = all_marks(image, facts);
    for (std::size_t index = 0; index < marks.size(); ++index) {
        const std::uint64_t end = index + 1 < marks.size() ? marks[index + 1].at : image.bytes();
        if (end <= marks[index].at) continue;
        facts.parts.push_back(
            {marks[index].name, marks[index].at, end - marks[index].at, marks[index].note});
    }
}

}  // namespace n6vp::sim::report

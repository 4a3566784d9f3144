// SPDX-License-Identifier: Apache-2.0
#include "sim/info/layout_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sim/info/report_text.h"
#include "sim/model_file/sizes.h"
#include "traces/escape.h"

namespace n6vp::sim::report {

namespace {

namespace format = loader::format;
using loader::Header;

std::string number(const std::optional<std::uint64_t>& value) {
    return value ? grouped(*value) : "?";
}

/// The form of the vendor's report: label in 20 columns, number in 10.
void line(std::ostream& out, std::string_view label, const std::string& value,
          std::string_view rest = {}) {
    const std::string text =
        fmt::format("{:<20} = {:<10}{}{}", label, value, rest.empty() ? "" : " ", rest);
    out << text.substr(0, text.find_last_not_of(' ') + 1) << '\n';
}

std::string percent(const std::optional<std::uint64_t>& part, std::uint64_t whole) {
    if (!part || whole == 0) return "?";
    return fmt::format("{:.1f}%", static_cast<double>(*part) * 100.0 / static_cast<double>(whole));
}

void write_sizes(std::ostream& out, const ModelImage& image, const ModelFacts& facts) {
    const Header& header = image.header();
    const Sizes sizes = derive_sizes(image, facts);
    line(out, "XIP size", number(sizes.xip),
         fmt::format("data({})+got({})+bss({}) sections", number(sizes.data), number(sizes.got),
                     number(sizes.bss)));
    line(out, "COPY size", number(sizes.copy),
         fmt::format("+ro({}) sections", grouped(header.ro_bytes())));
    line(out, "extra sections", number(sizes.extra),
         fmt::format("got:{}({}) header+rel:{}({})", number(sizes.got),
                     percent(sizes.got, header.rw_bytes()), number(sizes.header_and_rel),
                     percent(sizes.header_and_rel, header.ro_bytes())));
    line(out, "params size", number(sizes.params),
         facts.split ? "not included in the binary file" : "");
    line(out, "acts size", number(sizes.acts));
    line(out, "binary file size", grouped(image.bytes()));
    line(out, "params file size", number(sizes.params_file));
}

using Cells = std::array<std::string, 5>;

Cells cells_of(const PoolRow& row) {
    const bool has_name = row.pool.name != 0;
    const std::string name = !has_name  ? "<undefined>"
                             : row.name ? traces::terminal_text(*row.name)
                                        : "?";
    return {fmt::format("{} (0x{:08x})", name, row.pool.name),
            fmt::format("0x{:08x} {}", row.pool.flags.raw, pool_flags_text(row.pool.flags)),
            std::to_string(row.pool.foff), fmt::format("0x{:08x}", row.pool.dst),
            std::to_string(row.pool.bytes)};
}

void write_pools(std::ostream& out, const ModelImage& image, const ModelFacts& facts) {
    std::vector<Cells> rows = {{"name (addr)", "flags", "foff", "dst", "size"}};
    for (const PoolRow& row : facts.pools) rows.push_back(cells_of(row));
    std::array<std::size_t, 5> widths{};
    for (const Cells& cells : rows) {
        for (std::size_t column = 0; column < cells.size(); ++column) {
            widths[column] = std::max(widths[column], cells[column].size());
        }
    }
    for (std::size_t index = 0; index < rows.size(); ++index) {
        std::string text;
        for (std::size_t column = 0; column < widths.size(); ++column) {
            text += fmt::format("{:<{}}  ", rows[index][column], widths[column]);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out << text << '\n';
        if (index == 0) out << std::string(text.size(), '-') << '\n';
    }
    out << fmt::format("Table: mempool c-descriptors (off={:08x}, {} entries, from RAM)\n",
                       image.header().params_start,
                       facts.pools_terminated ? std::to_string(facts.pools.size()) : "?");
}

std::string quoted(const std::optional<std::string>& text) {
    return text ? '"' + traces::terminal_text(*text) + '"' : "?";
}

void write_context(std::ostream& out, const ModelFacts& facts) {
    const auto field = [&](std::uint32_t loader::RuntimeContext::*member) {
        return facts.context ? grouped((*facts.context).*member) : std::string("?");
    };
    out << fmt::format("rt_ctx: c_name={}, acts_sz={}, params_sz={}, ext_ram_sz={}\n",
                       quoted(facts.c_name), field(&loader::RuntimeContext::acts_sz),
                       field(&loader::RuntimeContext::params_sz),
                       field(&loader::RuntimeContext::ext_ram_sz));
    out << fmt::format("rt_ctx: rt_version_desc={}\n", quoted(facts.version_desc));
}

}  // namespace

void write_layout(std::ostream& out, const ModelImage& image, const ModelFacts& facts) {
    out << "Runtime Loadable Model - Memory Layout (series=\"stm32n6npu\")\n"
        << std::string(80, '-') << '\n'
        << flags_line(image.header().flags) << '\n';
    write_sizes(out, image, facts);
    write_pools(out, image, facts);
    write_context(out, facts);
    for (const std::string& note : facts.notes) out << "note: " << note << '\n';
}

}  // namespace n6vp::sim::report

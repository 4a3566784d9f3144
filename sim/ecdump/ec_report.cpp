// SPDX-License-Identifier: Apache-2.0
#include "sim/ecdump/ec_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

#include "traces/diagnosis/rule_text.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

namespace npu = memmap::npu;

std::string unit_names(const std::vector<EcUnit>& units) {
    std::string text;
    for (const EcUnit& unit : units) text += (text.empty() ? "" : " ") + unit_text(unit.unit);
    return text;
}

/// Returns the names of several texts of the file, escaped.
std::string escaped_list(const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts) {
        list += (list.empty() ? "" : ", ") + traces::terminal_text(text);
    }
    return list;
}

/// Returns the lines about a blob as a whole, each without a mark at its start.
std::vector<std::string> head_lines(const EcSource& source, std::size_t number) {
    const EcBlob& blob = source.blobs[number];
    std::vector<std::string> lines;
    lines.push_back(fmt::format(
        "blob {} of {}: {} at 0x{:x}{}, {} words, {} instructions", number + 1, source.blobs.size(),
        blob.container() ? fmt::format("container 0x{:08X}", blob.magic) : "plain blob",
        blob.offset, blob.in_params_file ? " of the parameter file" : "", blob.words.size(),
        blob.instructions.size()));
    if (!blob.symbols.empty()) {
        lines.push_back(fmt::format("relocated by {}: {} words", escaped_list(blob.symbols),
                                    blob.relocations.size()));
    }
    if (!blob.patches.empty()) lines.push_back("patched by " + escaped_list(blob.patches));
    for (const loader::Diagnosis& finding : blob.findings) {
        const traces::DiagnosisFields fields = traces::fields_of(finding, nullptr);
        lines.push_back(fmt::format("{}: {} at offset {}, word {}: {} (expected {}, found {})",
                                    fields.severity, fields.rule, fields.file_offset, fields.index,
                                    fields.what, fields.expected.empty() ? "-" : fields.expected,
                                    fields.found.empty() ? "-" : fields.found));
    }
    return lines;
}

/// Writes an array on one line: its elements are coefficients.
void write_array(std::ostream& out, const npu::Register& at, const EcArray& array) {
    constexpr std::size_t kShown = 4;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < array.values.size() && i < kShown; ++i) {
        texts.push_back(fmt::format("0x{:08x}", array.values[i]));
    }
    out << fmt::format("    {:<14} {} from [{}]: {}{}\n", at.name, array.values.size(), array.first,
                       fmt::join(texts, " "), array.values.size() > kShown ? " ..." : "");
}

/// Returns true for the frame size of a stream engine in raw mode: a number of elements, not width
/// and height.
bool is_raw(const EcUnit& unit, const npu::Register& at) {
    constexpr npu::Field kRaw = npu::field(npu::kStreng, "CTRL.RAW");
    constexpr npu::Register kSize = npu::reg(npu::kStreng, "FSIZE");
    if (unit.unit.type != &npu::kStreng || at.offset != kSize.offset) return false;
    const auto control = unit.settings.find(0);
    return control != unit.settings.end() && npu::extract(control->second.value, kRaw) != 0;
}

void write_unit(std::ostream& out, const EcSource& source, const EcBlob& blob, const EcUnit& unit) {
    out << "  " << unit_text(unit.unit) << '\n';
    const npu::UnitType& type = *unit.unit.type;
    for (std::size_t i = 0; i < type.register_count; ++i) {
        const npu::Register& at = type.registers[i];
        if (at.count > 1) {
            for (const EcArray& array : written_elements(unit, at)) write_array(out, at, array);
            continue;
        }
        const auto setting = unit.settings.find(at.offset);
        if (setting == unit.settings.end()) continue;
        const std::uint32_t value = setting->second.value;
        const std::string address = address_text(source, blob, unit.unit, at, setting->second);
        const std::string meaning = !address.empty()   ? address
                                    : is_raw(unit, at) ? fmt::format("{} elements", value)
                                                       : fields_text(at, value);
        out << fmt::format("    {:<14} 0x{:08x}{}{}\n", at.name, value, meaning.empty() ? "" : "  ",
                           meaning);
    }
}

void write_run(std::ostream& out, const EcSource& source, const EcBlob& blob, const EcRun& run) {
    std::string waited;
    for (const std::uint32_t page : run.waited) waited += ' ' + unit_text(npu::unit_at(page));
    out << "  enabled " << unit_names(run.units);
    out << (waited.empty() ? "; no wait condition\n" : "; done when stopped:" + waited + '\n');
    for (const EcLink& link : run.links) out << "  link    " << link_text(link) << '\n';
    for (const EcUnit& unit : run.units) write_unit(out, source, blob, unit);
}

std::string epoch_line(const EcEpoch& epoch) {
    return fmt::format("{}: words {} to {}, {} instructions{}",
                       epoch.label ? fmt::format("epoch {}", *epoch.label) : "before any label",
                       epoch.first_word, epoch.end_word - 1, epoch.instructions,
                       epoch.runs.empty() ? ", no unit runs" : "");
}

/// Calls `show` with the number of each blob that the view names.
template <typename Show>
void for_each_blob(const EcSource& source, const EcView& view, Show show) {
    for (std::size_t number = 0; number < source.blobs.size(); ++number) {
        if (!view.blob || *view.blob == number) show(number);
    }
}

/// Puts the comment behind the first line of an instruction.
void write_line(std::ostream& out, const std::string& text, const std::string& comment) {
    const std::size_t end = text.find('\n');
    out << fmt::format("{:<40} ;; {}\n", text.substr(0, end), comment);
    if (end != std::string::npos) out << text.substr(end + 1) << '\n';
}

}  // namespace

void write_epochs(std::ostream& out, const EcSource& source, const EcView& view) {
    for_each_blob(source, view, [&](std::size_t number) {
        const EcBlob& blob = source.blobs[number];
        for (const std::string& line : head_lines(source, number)) out << line << '\n';
        for (const EcEpoch& epoch : find_epochs(blob.instructions)) {
            out << '\n' << epoch_line(epoch) << '\n';
            for (const EcRun& run : epoch.runs) write_run(out, source, blob, run);
        }
        out << '\n';
    });
}

void write_listing(std::ostream& out, const EcSource& source, const EcView& view) {
    for_each_blob(source, view, [&](std::size_t number) {
        const EcBlob& blob = source.blobs[number];
        for (const std::string& line : head_lines(source, number)) out << ";; " << line << '\n';
        out << ";; behind each instruction: its word, counted from the first one, and its file "
               "offset\n";
        for (const EcInstruction& instruction : blob.instructions) {
            write_line(
                out, instruction_text(instruction, blob.relocations),
                fmt::format("{} @0x{:x} {}", instruction.index, blob.offset_of(instruction.index),
                            meaning_text(source, blob, instruction)));
        }
        if (!blob.fault) return;
        out << ";; " << blob.fault->text() << '\n';
        for (std::size_t at = blob.fault->index; at < blob.words.size(); ++at) {
            out << fmt::format("word 0x{:08x}\n", blob.words[at]);
        }
    });
}

}  // namespace n6vp::sim

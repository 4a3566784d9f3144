// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string_view>
#include <utility>

#include "sim/exec/isa_disassembler.h"
#include "sim/faults/fault_words.h"
#include "traces/escape.h"

namespace n6vp::sim::fault_report {

namespace {

/// An address that is so far above a relocated word is not from there, assumed.
constexpr std::uint32_t kReach = 0x10000;
constexpr unsigned kLinkRegister = 14;

[[nodiscard]] std::string register_name(unsigned number) {
    constexpr const char* kSpecial[] = {"sp", "lr", "pc"};
    constexpr unsigned kFirst = 13;
    return number < kFirst ? fmt::format("r{}", number) : kSpecial[number - kFirst];
}

/// Returns the number of the register that stands at the start of `text`, 16 for none.
[[nodiscard]] unsigned register_at(std::string_view text) {
    for (unsigned number = 16; number-- > 0;) {
        if (text.starts_with(register_name(number))) return number;
    }
    return 16;
}

/// Returns the registers that make the address of an instruction: those in its brackets, or what a
/// branch goes to.
[[nodiscard]] std::vector<unsigned> address_registers(const std::string& text) {
    std::vector<unsigned> list;
    const auto add = [&list](std::string_view operand) {
        const unsigned number = register_at(operand);
        if (number < 16) list.push_back(number);
    };
    const std::size_t bracket = text.find('[');
    if (bracket != std::string::npos) {
        const std::string_view inside = std::string_view(text).substr(bracket + 1);
        add(inside);
        const std::size_t comma = inside.find(", ");
        if (comma < inside.find(']')) add(inside.substr(comma + 2));
        return list;
    }
    // LDM r3!, {…}; BLX r3
    const std::size_t blank = text.find(' ');
    if (blank != std::string::npos) add(std::string_view(text).substr(blank + 1));
    return list;
}

[[nodiscard]] const CodeLine* marked(const std::vector<CodeLine>& code) {
    for (const CodeLine& line : code) {
        if (line.marked) return &line;
    }
    return nullptr;
}

[[nodiscard]] OriginText describe(const Origin& origin, std::string holder) {
    const report::LinkRow& row = origin.row;
    OriginText text;
    text.holder = std::move(holder);
    text.kind = row.is_got ? OriginText::Kind::Got : OriginText::Kind::Relocation;
    text.index = row.index;
    text.file_offset = row.word_offset;
    text.installed_at = row.installed_target.value_or(0);
    text.installed_value = origin.now;
    text.file_value = row.value;
    text.distance = origin.distance;
    text.text = fmt::format("{} {}", row.is_got ? "GOT word" : "relocation", row.index);
    if (!row.is_got) text.text += fmt::format(" (entry at file offset 0x{:x})", row.entry_offset);
    if (row.value) {
        text.text += fmt::format(", file offset 0x{:x}: 0x{:08x}, {}", row.word_offset, *row.value,
                                 origin.meaning);
    }
    text.text += fmt::format("; at 0x{:08x} it holds 0x{:08x}", text.installed_at, origin.now);
    if (row.installed_value && *row.installed_value != origin.now) {
        text.text +=
            fmt::format(", where the install put 0x{:08x}: overwritten", *row.installed_value);
    }
    if (origin.distance != 0) text.text += fmt::format(", 0x{:x} below", origin.distance);
    return text;
}

[[nodiscard]] OriginText describe(const BlobOrigin& origin, std::string holder) {
    OriginText text;
    text.holder = std::move(holder);
    text.kind = OriginText::Kind::Blob;
    text.index = origin.word;
    text.file_offset = origin.file_offset;
    text.file_value = origin.file_value;
    text.installed_at = origin.installed_at;
    text.installed_value = origin.now;
    text.distance = origin.distance;
    text.text = fmt::format(
        "word {} of the blob in the container at file offset 0x{:x}, relocated by symbol {}; file "
        "offset 0x{:x}: 0x{:08x}; at 0x{:08x} it holds 0x{:08x}",
        origin.word, origin.container, traces::terminal_text(origin.symbol), origin.file_offset,
        origin.file_value, origin.installed_at, origin.now);
    if (origin.distance != 0) text.text += fmt::format(", 0x{:x} below", origin.distance);
    return text;
}

/// Finds the word of a model that a wrong address is from: a register of the instruction may hold
/// it as it is, else the address is above one.
[[nodiscard]] std::optional<OriginText> find_origin(const FaultMoment& moment,
                                                    const std::vector<CodeLine>& code,
                                                    const Names& names) {
    const CodeLine* const line = marked(code);
    const bool fetch = moment.access && moment.access->fetch;
    for (const auto& model : names.models) {
        if (moment.exact && line != nullptr && !fetch) {
            for (const unsigned number : address_registers(line->text)) {
                const std::uint32_t value = moment.registers[number];
                if (const auto origin = model->origin(value, 0)) {
                    return describe(*origin,
                                    fmt::format("{} is 0x{:08x}", register_name(number), value));
                }
            }
        }
        if (!moment.access && !(moment.exact && line == nullptr)) continue;
        const std::uint32_t address = moment.access ? moment.access->address : moment.pc;
        if (moment.kind == Kind::NpuBusError) {
            if (const auto origin = model->blob_origin(address, kReach)) {
                return describe(*origin, fmt::format("0x{:08x}", address));
            }
        }
        if (const auto origin = model->origin(address, kReach)) {
            return describe(*origin, fmt::format("0x{:08x}", address));
        }
    }
    return std::nullopt;
}

[[nodiscard]] std::string access_text(const Access& access) {
    std::string text = access.fetch ? "instruction fetch" : access.write ? "write" : "access";
    if (!access.fetch && !access.write && access.refusal) text = "read";
    if (access.bytes != 0 && !access.fetch) {
        text += fmt::format(" of {} byte{}", access.bytes, access.bytes == 1 ? "" : "s");
    }
    return text + fmt::format(" at 0x{:08x}", access.address);
}

/// The core knows what it did from the instruction, where the bus saw nothing.
void complete_access(Access& access, const CodeLine* line) {
    if (access.refusal || access.fetch || line == nullptr) return;
    const std::string_view text = line->text;
    access.write = text.starts_with("ST") || text.starts_with("VST") || text.starts_with("PUSH") ||
                   text.starts_with("st") || text.starts_with("vst") || text.starts_with("push");
}

void describe_place(FaultReport& report, const FaultMoment& moment, const Names& names) {
    if (!report.access) return;
    const std::uint32_t address = report.access->address;
    report.region = region_text(address);
    for (const auto& model : names.models) {
        const std::string part = model->part(address);
        if (!part.empty()) report.region += (report.region.empty() ? "" : ", ") + part;
        if (report.pool.empty()) report.pool = model->pool(address);
    }
    if (report.pool.empty() && !names.models.empty() && report.access->refusal) {
        report.pool = "none of the model's";
    }
    if (report.region.empty() && moment.access->refusal != models::AccessFault::Kind::Unmapped) {
        report.region = "no memory";
    }
}

}  // namespace

std::string Names::function(std::uint32_t address) const {
    for (const auto& model : models) {
        std::string text = model->function(address);
        if (!text.empty()) return text;
    }
    return program == nullptr ? "" : traces::terminal_text(program->describe(address));
}

std::optional<std::uint32_t> Names::function_start(std::uint32_t address) const {
    for (const auto& model : models) {
        if (const auto start = model->function_start(address)) return start;
    }
    return std::nullopt;
}

std::vector<CodeLine> code_around(const FaultMoment& moment, const Names& names, std::size_t before,
                                  std::size_t behind) {
    if (moment.code.empty()) return {};
    const std::uint32_t pc = moment.pc & ~1u;
    std::uint32_t first = moment.code_start;
    if (const auto start = names.function_start(pc)) first = std::max(first, *start);
    const auto disassembler = make_disassembler();
    // Without a start the first halfword may be the end of an instruction: the way back that meets
    // the one at hand is taken, the longest first.
    for (; first <= pc; first += 2) {
        const auto listing =
            disassembler->decode(std::span(moment.code).subspan(first - moment.code_start), first);
        const auto here = std::find_if(listing.begin(), listing.end(),
                                       [pc](const auto& one) { return one.address == pc; });
        if (here == listing.end()) continue;
        const auto index = static_cast<std::size_t>(here - listing.begin());
        const std::size_t start = index - std::min(index, before);
        const std::size_t end = std::min(index + behind + 1, listing.size());
        std::vector<CodeLine> lines;
        lines.reserve(end - start);
        for (std::size_t i = start; i < end; ++i) {
            const traces::Instruction& one = listing[i];
            lines.push_back({one.address, one.encoding, one.bytes, one.text, i == index});
        }
        return lines;
    }
    return {};
}

FaultReport explain(const FaultMoment& moment, const Names& names) {
    FaultReport report;
    report.kind = moment.kind;
    report.who = traces::terminal_text(moment.who);
    report.at = moment.at;
    report.count = moment.count;
    report.label = moment.label;
    report.phase = moment.phase;
    report.access = moment.access;
    if (moment.of_core) {
        report.pc = moment.pc;
        report.function = names.function(moment.pc);
        report.registers = moment.registers;
        report.state = fmt::format("{}, {}", exception_text(moment.ipsr),
                                   moment.secure ? "secure" : "non-secure");
        report.code = code_around(moment, names);
    }
    const bool at_caller = moment.exact && (report.code.empty() || report.function.empty());
    if (at_caller) {
        const std::uint32_t from = moment.registers[kLinkRegister] & ~1u;
        report.called_from = fmt::format("lr 0x{:08x} {}", from, names.function(from));
    }
    if (report.access) complete_access(*report.access, marked(report.code));
    describe_place(report, moment, names);
    report.status = status_text(moment.kind, moment.exact ? moment.status : 0);
    report.rule = traces::terminal_text(rule_text(moment));
    report.origin = find_origin(moment, report.code, names);
    report.remedy = traces::terminal_text(remedy_text(moment));
    report.cause = fmt::format("{}: {}", kind_text(moment.kind), report.who);
    if (report.access) report.cause += ": " + access_text(*report.access);
    if (!report.region.empty()) report.cause += fmt::format(" ({})", report.region);
    if (!report.rule.empty()) report.cause += ": " + report.rule;
    return report;
}

FaultReport explain_chain(const std::vector<FaultMoment>& chain, const Names& names) {
    FaultReport report = explain(chain.front(), names);
    for (std::size_t i = 1; i < chain.size(); ++i) {
        const FaultMoment& next = chain[i];
        report.nested.push_back(fmt::format("{} at pc 0x{:08x} {}{}", kind_text(next.kind), next.pc,
                                            names.function(next.pc),
                                            next.locked_up ? ": lockup of the core" : ""));
    }
    if (chain.front().locked_up) report.nested.emplace_back("no handler could take it: lockup");
    return report;
}

}  // namespace n6vp::sim::fault_report

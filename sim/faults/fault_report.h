// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/faults/fault_log.h"
#include "sim/faults/installed_model.h"
#include "sim/host/elf.h"
#include "sim/host/json_output.h"

namespace n6vp::sim::fault_report {

/// An instruction beside a fault.
struct CodeLine {
    std::uint32_t address = 0, encoding = 0, bytes = 2;
    std::string text;
    bool marked = false;  ///< it is the one
};

/// Where a wrong address came from, in words and numbers.
struct OriginText {
    std::string holder;  ///< "r3 is 0x81000000", "the address"
    std::string text;    ///< "GOT word 3, file offset 0x5b4: 0x80000000, PARAM_0+0x0; …"
    enum class Kind : std::uint8_t { Got, Relocation, Blob };
    Kind kind{};
    std::uint32_t index = 0, file_offset = 0, installed_at = 0, installed_value = 0;
    std::optional<std::uint32_t> file_value;
    std::uint32_t distance = 0;
};

/// One fault, explained. Texts are escaped: they may go to a terminal as they are.
struct FaultReport {
    Kind kind{};
    bool ended_run = false;
    std::string cause;  ///< one line: what, by whom, where
    std::string who;
    std::optional<std::uint32_t> pc;
    std::string function;  ///< of `pc`: symbol, or "model+0x1234"
    std::string called_from;
    std::string state;  ///< "thread, secure", "handler of BusFault"
    std::vector<CodeLine> code;
    std::optional<Access> access;
    std::string region;  ///< of the access
    std::string rule;    ///< that was broken
    std::string status;  ///< bits of CFSR or SFSR, by name
    std::optional<OriginText> origin;
    std::string pool, phase;
    std::uint32_t label = 0;
    std::vector<std::string> waiting;  ///< of NoProgress and NpuDeadlock: for what
    std::vector<std::string> nested;   ///< what the fault's handlers ran into
    std::optional<std::array<std::uint32_t, 16>> registers;
    std::string remedy;
    models::Picoseconds at = 0;
    std::uint64_t count = 1;
};

/// What makes numbers readable. Everything may be missing.
struct Names {
    const ElfFile* program = nullptr;
    std::vector<std::unique_ptr<InstalledModel>> models;

    /// Returns symbol, or place in a model, of code; "" if nothing is known of it.
    [[nodiscard]] std::string function(std::uint32_t address) const;
    [[nodiscard]] std::optional<std::uint32_t> function_start(std::uint32_t address) const;
};

[[nodiscard]] FaultReport explain(const FaultMoment& moment, const Names& names);
/// Returns the report of a chain: its first fault, and what its handlers ran into.
[[nodiscard]] FaultReport explain_chain(const std::vector<FaultMoment>& chain, const Names& names);

/// Returns the instructions around `pc` in `code`, at most `before` and `behind` of them.
[[nodiscard]] std::vector<CodeLine> code_around(const FaultMoment& moment, const Names& names,
                                                std::size_t before = 5, std::size_t behind = 3);

/// Writes a block of lines, the first one like "n6vp: bus fault: …", the others indented.
void write_report(std::ostream& out, const FaultReport& report);
[[nodiscard]] Json report_json(const FaultReport& report);

}  // namespace n6vp::sim::fault_report

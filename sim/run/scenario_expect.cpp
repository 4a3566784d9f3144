// SPDX-License-Identifier: Apache-2.0
#include "sim/run/scenario_expect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "sim/host/nearest.h"
#include "sim/host/numbers.h"
#include "sim/model_file/model_source.h"
#include "sim/platform/platform.h"
#include "sim/run/run_config.h"
#include "sim/run/run_outputs.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

using Text = RunExpectations::Text;

class DemandReader {
  public:
    DemandReader(const ScenarioNodes& nodes, const std::vector<std::string>& initiators)
        : nodes_(nodes), initiators_(initiators) {}

    RunExpectations read(const toml::table& table) {
        for (const auto& [key, node] : table) {
            const auto row = std::find_if(kKeys.begin(), kKeys.end(),
                                          [name = key.str()](auto& k) { return k.name == name; });
            if (row == kKeys.end()) nodes_.unknown_key(node, key.str(), "[expect]", names());
            (this->*row->read)(node);
        }
        require_sense(table);
        return std::move(expected_);
    }

  private:
    struct Key {
        std::string_view name;
        void (DemandReader::*read)(const toml::node&);
    };
    static const std::array<Key, 18> kKeys;

    [[nodiscard]] static std::vector<std::string> names() {
        std::vector<std::string> list;
        list.reserve(kKeys.size());
        for (const Key& key : kKeys) list.emplace_back(key.name);
        return list;
    }
    /// Fails unless `word` is one of `known`.
    template <typename List>
    void require_one_of(const toml::node& node, const std::string& word, const List& known) const {
        std::vector<std::string> words;
        words.reserve(std::size(known));
        for (const auto& one : known) words.emplace_back(one);
        if (std::find(words.begin(), words.end(), word) != words.end()) return;
        const std::string_view near = nearest(word, words);
        std::string list;
        for (const std::string& one : words) list += (list.empty() ? "" : ", ") + one;
        nodes_.fail(node, fmt::format("'{}' is unknown", traces::terminal_text(word)),
                    near.empty() ? "possible: " + list : fmt::format("did you mean {}?", near));
    }

    void end(const toml::node& node) {
        const std::string word = nodes_.text(node);
        // An interrupted run is not judged.
        const std::vector<std::string_view> known(kVerdictNames.begin(), kVerdictNames.end() - 1);
        require_one_of(node, word, known);
        const auto found = std::find(known.begin(), known.end(), word);
        expected_.end = {static_cast<RunVerdict>(found - known.begin()), nodes_.origin(node)};
    }
    void exit_code(const toml::node& node) {
        expected_.exit_code = {
            static_cast<std::uint32_t>(nodes_.number(node, "exit_code", 0xFFFFFFFF)),
            nodes_.origin(node)};
    }

    /// A text, or a list of texts.
    void texts(const toml::node& node, std::vector<Text>& to) const {
        if (const toml::array* const list = node.as_array()) {
            for (const toml::node& one : *list) text(one, to);
        } else {
            text(node, to);
        }
    }
    void text(const toml::node& node, std::vector<Text>& to) const {
        const auto* const value = node.as_string();
        if (value == nullptr || value->get().empty()) {
            nodes_.fail(node, "expected a text that is not empty",
                        "write it in quotes; several as [\"one\", \"two\"]");
        }
        to.push_back({value->get(), nodes_.origin(node)});
    }
    void console(const toml::node& node) { texts(node, expected_.console); }
    void console_without(const toml::node& node) { texts(node, expected_.console_without); }
    void events(const toml::node& node) { texts(node, expected_.events); }
    void events_without(const toml::node& node) { texts(node, expected_.events_without); }
    void set_up_bits(const toml::node& node) { texts(node, expected_.set_up_bits); }

    void coherence(const toml::node& node) {
        expected_.coherence = {nodes_.number(node, "coherence", INT64_MAX), nodes_.origin(node)};
    }
    void coherence_parties(const toml::node& node) {
        const toml::array* const list = node.as_array();
        const bool of_lists = list != nullptr && !list->empty() && list->get(0)->is_array();
        if (!of_lists) return parties(node);
        for (const toml::node& one : *list) parties(one);
    }
    void parties(const toml::node& node) {
        std::vector<Text> names;
        texts(node, names);
        if (names.empty()) nodes_.fail(node, "no parties", "name one or two of them");
        std::vector<std::string> list;
        list.reserve(names.size());
        for (Text& name : names) list.push_back(std::move(name.value));
        expected_.coherence_parties.push_back({std::move(list), nodes_.origin(node)});
    }
    void set_up_steps(const toml::node& node) {
        const toml::array* const list = node.as_array();
        if (list == nullptr) {
            nodes_.fail(node, "set_up_steps is not a list",
                        "write [3, 4], or [] for a complete set-up");
        }
        std::vector<std::uint64_t> steps;
        for (const toml::node& one : *list) {
            constexpr std::uint64_t kSteps = 12;
            steps.push_back(nodes_.number(one, "set_up_steps", kSteps));
        }
        std::sort(steps.begin(), steps.end());
        expected_.set_up_steps = {std::move(steps), nodes_.origin(node)};
    }

    [[nodiscard]] RunExpectations::Stated<models::Picoseconds> duration(
        const toml::node& node) const {
        const std::string word = nodes_.text(node);
        const auto time = parse_duration(word);
        if (!time) {
            nodes_.fail(node, fmt::format("'{}' is not a time", traces::terminal_text(word)),
                        "give a number with a unit, such as 10ms, 1us or 2s");
        }
        return {*time, nodes_.origin(node)};
    }
    void min_time(const toml::node& node) { expected_.min_time = duration(node); }
    void max_time(const toml::node& node) { expected_.max_time = duration(node); }

    void memories(const toml::node& node) {
        for (const toml::table* table : nodes_.tables(node, "expect.memory")) memory(*table);
    }
    void memory(const toml::table& table) {
        RunExpectations::Memory demand;
        bool placed = false, filled = false, twice = false;
        for (const auto& [key, node] : table) {
            const std::string_view name = key.str();
            if (name == "at") {
                placed = true;
                demand.at = address(node);
            } else if (name == "hex" || name == "file") {
                twice = filled;
                filled = true;
                if (name == "file") demand.file = nodes_.path(node);
                demand.bytes = name == "hex" ? hex_bytes(node) : file_bytes(node, demand.file);
            } else {
                nodes_.unknown_key(node, name, "[[expect.memory]]", {"at", "hex", "file"});
            }
        }
        if (!placed || !filled || twice) {
            nodes_.fail(table, "[[expect.memory]] needs at, and either hex or file",
                        "give the address and the expected content");
        }
        if (std::uint64_t{to_word(demand.at)} + demand.bytes.size() > std::uint64_t{1} << 32) {
            nodes_.fail(table, "the expected content exceeds the address space", "correct `at`");
        }
        expected_.memory.push_back({std::move(demand), nodes_.origin(table)});
    }
    [[nodiscard]] GuestAddr address(const toml::node& node) const {
        if (node.is_integer()) {
            return GuestAddr{static_cast<std::uint32_t>(nodes_.number(node, "at", 0xFFFFFFFF))};
        }
        return GuestAddr{parse_number(nodes_.text(node), nodes_.origin(node).c_str())};
    }
    /// Two digits a byte, in the order of the addresses; blanks may stand between bytes.
    [[nodiscard]] std::vector<std::uint8_t> hex_bytes(const toml::node& node) const {
        const std::string text = node.is_string() ? node.as_string()->get() : "";
        std::vector<std::uint8_t> bytes;
        std::size_t i = 0;
        while (i < text.size()) {
            if (text[i] == ' ' || text[i] == '\n') {
                ++i;
                continue;
            }
            const std::string_view digits = std::string_view(text).substr(i, 2);
            const auto byte = parse_digits<std::uint8_t>(digits, 16);
            if (!byte || digits.size() != 2) {
                bytes.clear();
                break;
            }
            bytes.push_back(*byte);
            i += 2;
        }
        if (bytes.empty()) {
            nodes_.fail(node, "hex is not a list of bytes",
                        "write two digits for each byte, as in \"de ad be ef\"");
        }
        return bytes;
    }
    [[nodiscard]] std::vector<std::uint8_t> file_bytes(const toml::node& node,
                                                       const std::string& file) const {
        std::vector<std::uint8_t> bytes;
        try {
            constexpr std::uintmax_t kMost = 256u << 20;
            bytes = read_input(file, kMost, "compare a smaller range");
        } catch (const UserError& error) {
            nodes_.fail(node, error.what(), error.remedy());
        }
        if (bytes.empty()) nodes_.fail(node, "the file is empty", "give a file with content");
        return bytes;
    }

    void counters(const toml::node& node) {
        for (const toml::table* table : nodes_.tables(node, "expect.counter")) counter(*table);
    }
    void counter(const toml::table& table) {
        RunExpectations::Counter demand;
        bool bounded = false;
        for (const auto& [key, node] : table) {
            const std::string_view name = key.str();
            const auto bound = [&, &at = node](auto&... values) {
                bounded = true;
                ((values = nodes_.number(at, "bound", INT64_MAX)), ...);
            };
            if (name == "name") {
                demand.name = nodes_.text(node);
                require_one_of(node, demand.name, kCounterNames);
            } else if (name == "phase") {
                demand.phase = nodes_.text(node);
            } else if (name == "from") {
                demand.from = nodes_.text(node);
                require_one_of(node, demand.from, initiators_);
            } else if (name == "with") {
                demand.to = nodes_.text(node);
                require_one_of(node, demand.to, Platform::target_names());
            } else if (name == "min") {
                bound(demand.least);
            } else if (name == "max") {
                bound(demand.most);
            } else if (name == "equals") {
                bound(demand.least, demand.most);
            } else {
                nodes_.unknown_key(node, name, "[[expect.counter]]",
                                   {"name", "phase", "from", "with", "min", "max", "equals"});
            }
        }
        if (demand.name.empty() || !bounded) {
            nodes_.fail(table, "[[expect.counter]] needs name, and min, max or equals",
                        "give the counter and its limit");
        }
        require_counter(table, demand);
        expected_.counters.push_back({std::move(demand), nodes_.origin(table)});
    }
    void require_counter(const toml::table& table, const RunExpectations::Counter& demand) const {
        if (is_cache_counter(demand.name) && !demand.phase.empty()) {
            nodes_.fail(table, "caches are counted over the whole run", "leave `phase` out");
        }
        if (!is_traffic_counter(demand.name) && !(demand.from.empty() && demand.to.empty())) {
            nodes_.fail(table, demand.name + " has no `from` and no `with`",
                        "bytes_read, bytes_written and waited_ps have");
        }
        if (demand.least > demand.most)
            nodes_.fail(table, "min is above max", "correct one of them");
    }
    void outputs(const toml::node& node) {
        for (const toml::table* table : nodes_.tables(node, "expect.output")) output(*table);
    }
    void output(const toml::table& table) {
        RunExpectations::Output demand;
        for (const auto& [key, node] : table) {
            const std::string_view name = key.str();
            if (name == "name") {
                demand.name = output_name(node);
            } else if (name == "file") {
                demand.file = nodes_.path(node);
                demand.bytes = file_bytes(node, demand.file);
            } else if (name == "type") {
                demand.type = nodes_.text(node);
                require_one_of(node, demand.type, kElementTypes);
            } else if (name == "tolerance") {
                demand.tolerance = tolerance(node);
            } else {
                nodes_.unknown_key(node, name, "[[expect.output]]",
                                   {"name", "file", "type", "tolerance"});
            }
        }
        if (demand.name.empty() || demand.file.empty()) {
            nodes_.fail(table, "[[expect.output]] needs name and file",
                        "give the output file and the reference file");
        }
        if (demand.tolerance != 0 && demand.type == "bytes") {
            nodes_.fail(table, "a tolerance needs an element type",
                        "give the element type, as in type = \"int8\"");
        }
        if (demand.bytes.size() % element_bytes(demand.type) != 0) {
            nodes_.fail(table, "the file size is not a multiple of the element size",
                        "correct type or file");
        }
        expected_.outputs.push_back({std::move(demand), nodes_.origin(table)});
    }
    /// A file below the folder granted, and nowhere else.
    [[nodiscard]] std::string output_name(const toml::node& node) const {
        std::string name = nodes_.text(node);
        const bool plain =
            !name.empty() && name.find('/') == std::string::npos && name != "." && name != "..";
        if (!plain) {
            nodes_.fail(node, "the output must be in the folder `files` of [run]",
                        "name it without a path");
        }
        return name;
    }
    [[nodiscard]] double tolerance(const toml::node& node) const {
        const std::optional<double> value = node.value<double>();
        if (!value || !(*value >= 0) || std::isinf(*value)) {
            nodes_.fail(node, "tolerance is not a number of 0 or more", "write tolerance = 1");
        }
        return *value;
    }
    void times(const toml::node& node) {
        for (const auto& [key, one] : nodes_.table(node, "expect.time")) {
            const auto most = duration(one);
            expected_.times.push_back({{std::string(key.str()), most.value}, most.origin});
        }
    }
    void uses(const toml::node& node) {
        std::vector<std::string> known{"exec_ram", "external_ram"};
        for (const memmap::Region& region : memmap::kRegions) {
            if (region.fitted_bytes != 0) known.emplace_back(region.name);
        }
        for (const auto& [key, one] : nodes_.table(node, "expect.use")) {
            const std::string name(key.str());
            require_one_of(one, name, known);
            const std::uint32_t most = parse_number(nodes_.text(one), nodes_.origin(one).c_str());
            expected_.uses.push_back({{name, most}, nodes_.origin(one)});
        }
    }
    void no_warnings(const toml::node& node) {
        const std::optional<bool> wanted = node.value_exact<bool>();
        if (!wanted || !*wanted) {
            nodes_.fail(node, "no_warnings is either true or left out", "write no_warnings = true");
        }
        expected_.no_warnings = nodes_.origin(node);
    }

    void require_sense(const toml::table& table) const {
        if (!expected_.any()) {
            nodes_.fail(table, "[expect] is empty", "see `n6vp run --help`");
        }
        const RunVerdict end = expected_.end ? expected_.end->value : RunVerdict::Exit;
        if (expected_.exit_code && end != RunVerdict::Exit) {
            nodes_.fail(*table.get("exit_code"), "a run that does not end by exit has no exit code",
                        "leave exit_code or end out");
        }
        const auto &least = expected_.min_time, &most = expected_.max_time;
        if (least && most && least->value > most->value) {
            nodes_.fail(*table.get("min_time"), "min_time is above max_time",
                        "correct one of them");
        }
    }

    const ScenarioNodes& nodes_;
    const std::vector<std::string>& initiators_;
    RunExpectations expected_;
};

const std::array<DemandReader::Key, 18> DemandReader::kKeys = {{
    {"end", &DemandReader::end},
    {"exit_code", &DemandReader::exit_code},
    {"console", &DemandReader::console},
    {"console_without", &DemandReader::console_without},
    {"events", &DemandReader::events},
    {"events_without", &DemandReader::events_without},
    {"coherence", &DemandReader::coherence},
    {"coherence_parties", &DemandReader::coherence_parties},
    {"set_up_steps", &DemandReader::set_up_steps},
    {"set_up_bits", &DemandReader::set_up_bits},
    {"min_time", &DemandReader::min_time},
    {"max_time", &DemandReader::max_time},
    {"memory", &DemandReader::memories},
    {"counter", &DemandReader::counters},
    {"output", &DemandReader::outputs},
    {"time", &DemandReader::times},
    {"use", &DemandReader::uses},
    {"no_warnings", &DemandReader::no_warnings},
}};

}  // namespace

RunExpectations read_expectations(const ScenarioNodes& nodes, const toml::table& table,
                                  const std::vector<std::string>& initiators) {
    return DemandReader(nodes, initiators).read(table);
}

}  // namespace n6vp::sim

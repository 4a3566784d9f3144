// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_expect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>

#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "sim/run/run_outputs.h"
#include "sim/run/run_session.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

using Text = RunExpectations::Text;

[[nodiscard]] std::string in_quotes(std::string_view text) {
    return fmt::format("'{}'", traces::terminal_text(text));
}

[[nodiscard]] bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

[[nodiscard]] std::string time_text(models::Picoseconds time) {
    return fmt::format("{:.3f} us", static_cast<double>(time) * 1e-6);
}

[[nodiscard]] std::string text_of(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// All that the report says about one event, one part a line.
[[nodiscard]] std::string event_text(const Json& event) {
    return fmt::format("{}\n{}\n{}\n{}", text_of(event, "kind"), text_of(event, "cause"),
                       text_of(event, "remedy"), text_of(event, "symbol"));
}

class Judge {
  public:
    Judge(const RunExpectations& expected, RunSession& session, const RunOutcome& outcome,
          const Json& document)
        : expected_(expected), session_(session), outcome_(outcome), document_(document) {}

    std::vector<Judgement> run() {
        end();
        console();
        events();
        coherence();
        set_up();
        time();
        for (const auto& demand : expected_.memory) memory(demand);
        for (const auto& demand : expected_.counters) counter(demand);
        for (const auto& demand : expected_.outputs) output(demand);
        for (const auto& demand : expected_.times) phase_time(demand);
        for (const auto& demand : expected_.uses) memory_use(demand);
        warnings();
        return std::move(judgements_);
    }

  private:
    void add(const std::string& origin, std::string key, bool holds, std::string expected,
             std::string found) {
        judgements_.push_back(
            {origin, std::move(key), std::move(expected), std::move(found), holds});
    }

    void end() {
        const std::string name(verdict_name(outcome_.verdict));
        if (const auto& end = expected_.end) {
            const RunVerdict wanted = end->value;
            add(end->origin, "end", outcome_.verdict == wanted, std::string(verdict_name(wanted)),
                name);
        }
        if (const auto& code = expected_.exit_code) {
            const bool exited = outcome_.verdict == RunVerdict::Exit;
            add(code->origin, "exit_code", exited && outcome_.exit_code == code->value,
                fmt::format("{}", code->value),
                exited ? fmt::format("{}", outcome_.exit_code)
                       : fmt::format("no exit code: the run ended by {}", name));
        }
    }

    void console() {
        const ConsoleWatch& watch = session_.watch();
        const std::string last = watch.last_line().empty()
                                     ? "nothing on the console"
                                     : "end of the console text: " + in_quotes(watch.last_line());
        std::size_t index = 0;  // as RunSession numbers them
        for (const Text& text : expected_.console) {
            const bool found = watch.found(index++);
            add(text.origin, "console", found, in_quotes(text.value),
                found ? in_quotes(text.value) : last);
        }
        for (const Text& text : expected_.console_without) {
            const bool found = watch.found(index++);
            add(text.origin, "console_without", !found, "no " + in_quotes(text.value),
                found ? in_quotes(text.value) : "none");
        }
    }

    void events() {
        std::vector<std::string> texts;
        for (const Json& event : document_["events"]) texts.push_back(event_text(event));
        const auto with = [&texts](const std::string& part) {
            return std::find_if(texts.begin(), texts.end(),
                                [&part](const std::string& text) { return has(text, part); });
        };
        for (const Text& text : expected_.events) {
            const bool found = with(text.value) != texts.end();
            add(text.origin, "events", found, in_quotes(text.value),
                found           ? in_quotes(text.value)
                : texts.empty() ? "no events"
                : texts.size() == 1
                    ? "one event: " + in_quotes(text_of(document_["events"][0], "cause"))
                    : fmt::format("{} others; the first: {}", texts.size(),
                                  in_quotes(text_of(document_["events"][0], "cause"))));
        }
        for (const Text& text : expected_.events_without) {
            const auto event = with(text.value);
            const bool none = event == texts.end();
            const auto index = static_cast<std::size_t>(event - texts.begin());
            add(text.origin, "events_without", none, "no " + in_quotes(text.value),
                none ? "none" : in_quotes(text_of(document_["events"][index], "cause")));
        }
    }

    void coherence() {
        if (const auto& demand = expected_.coherence) {
            const std::uint64_t at_core = session_.events().core_coherence().total();
            const std::uint64_t at_npu = session_.events().npu_cache_events();
            add(demand->origin, "coherence", at_core + at_npu == demand->value,
                fmt::format("{} events", demand->value),
                fmt::format("{}: {} at the core's caches, {} at the NPU cache", at_core + at_npu,
                            at_core, at_npu));
        }
        if (expected_.coherence_parties.empty()) return;
        std::vector<std::string> texts;
        for (const Json& event : document_["coherence"]["first"]) {
            const Json& parties = event["parties"];
            texts.push_back(fmt::format("{}: {} after {}", text_of(event, "kind"),
                                        parties[0].get<std::string>(),
                                        parties[1].get<std::string>()));
        }
        for (const Json& event : document_["events"]) {
            if (text_of(event, "kind") == "npu_cache") texts.push_back(text_of(event, "cause"));
        }
        for (const auto& demand : expected_.coherence_parties) {
            const bool found = std::any_of(texts.begin(), texts.end(), [&](const auto& text) {
                return std::all_of(demand.value.begin(), demand.value.end(),
                                   [&text](const std::string& party) { return has(text, party); });
            });
            const std::string parties =
                traces::terminal_text(fmt::format("{}", fmt::join(demand.value, " and ")));
            add(demand.origin, "coherence_parties", found, "an event of " + parties,
                found           ? parties
                : texts.empty() ? "no events"
                                : fmt::format("{} others; the first: {}", texts.size(),
                                              traces::terminal_text(texts.front())));
        }
    }

    void set_up() {
        if (expected_.first_about_set_up() == nullptr) return;
        std::vector<std::uint64_t> steps;
        std::string bits;
        for (const Json& gap : document_["set_up_gaps"]) {
            const auto step = gap["step"].get<std::uint64_t>();
            if (steps.empty() || steps.back() != step) steps.push_back(step);
            bits += (bits.empty() ? "" : ", ") + text_of(gap, "bit");
        }
        if (const auto& demand = expected_.set_up_steps) {
            const auto text = [](const std::vector<std::uint64_t>& list) {
                return list.empty() ? std::string("none missing")
                                    : fmt::format("{}", fmt::join(list, ", "));
            };
            add(demand->origin, "set_up_steps", steps == demand->value, text(demand->value),
                text(steps));
        }
        for (const Text& bit : expected_.set_up_bits) {
            add(bit.origin, "set_up_bits", has(bits, bit.value), in_quotes(bit.value),
                bits.empty() ? "none missing" : bits);
        }
    }

    void time() {
        if (const auto& least = expected_.min_time) {
            add(least->origin, "min_time", outcome_.time >= least->value,
                "at least " + time_text(least->value), time_text(outcome_.time));
        }
        if (const auto& most = expected_.max_time) {
            add(most->origin, "max_time", outcome_.time <= most->value,
                "at most " + time_text(most->value), time_text(outcome_.time));
        }
    }

    void memory(const RunExpectations::Stated<RunExpectations::Memory>& demand) {
        const std::vector<std::uint8_t>& wanted = demand.value.bytes;
        std::vector<std::uint8_t> bytes(wanted.size());
        const std::uint32_t start = to_word(demand.value.at);
        std::string expected = fmt::format("{} bytes at 0x{:08x}", wanted.size(), start);
        if (!session_.platform().core_view().fetch(start, bytes)) {
            add(demand.origin, "memory", false, expected,
                "no memory, or too little, at this address");
            return;
        }
        std::size_t wrong = 0, first = 0;
        for (std::size_t i = wanted.size(); i-- > 0;) {
            if (bytes[i] == wanted[i]) continue;
            ++wrong;
            first = i;
        }
        if (wrong != 0) {
            expected = fmt::format("0x{:02x} at 0x{:08x}", wanted[first], start + first);
        }
        add(demand.origin, "memory", wrong == 0, expected,
            wrong == 0 ? "the same"
                       : fmt::format("0x{:02x}; {} of {} bytes differ", bytes[first], wrong,
                                     wanted.size()));
    }

    void counter(const RunExpectations::Stated<RunExpectations::Counter>& demand) {
        const RunExpectations::Counter& wanted = demand.value;
        const std::string bounds = wanted.least == wanted.most ? fmt::format("{}", wanted.least)
                                   : wanted.most == ~std::uint64_t{0}
                                       ? fmt::format("at least {}", wanted.least)
                                       : fmt::format("{} to {}", wanted.least, wanted.most);
        const std::string what =
            wanted.name +
            (wanted.phase.empty() ? "" : " of phase " + traces::terminal_text(wanted.phase)) +
            (wanted.from.empty() ? "" : " of " + wanted.from) +
            (wanted.to.empty() ? "" : " with " + wanted.to);
        const std::optional<std::uint64_t> found =
            is_cache_counter(wanted.name) ? cache_counter(wanted.name) : phase_counter(wanted);
        add(demand.origin, "counter " + what,
            found && *found >= wanted.least && *found <= wanted.most, bounds,
            found                           ? fmt::format("{}", *found)
            : is_cache_counter(wanted.name) ? "not counted with this timing grade"
                                            : "no phase of that name");
    }
    void output(const RunExpectations::Stated<RunExpectations::Output>& demand) {
        constexpr std::uintmax_t kMost = std::uintmax_t{1} << 30;
        const RunExpectations::Output& wanted = demand.value;
        const std::string key = "output " + traces::terminal_text(wanted.name);
        const std::string expected =
            fmt::format("{} bytes {} {}", wanted.bytes.size(),
                        wanted.tolerance == 0 ? "of" : "near", traces::terminal_text(wanted.file));
        std::vector<std::uint8_t> found;
        try {
            found = read_input(session_.plan().files.text + "/" + wanted.name, kMost, "");
        } catch (const UserError& error) {
            return add(demand.origin, key, false, expected, error.what());
        }
        const OutputDifference difference =
            compare_outputs(wanted.bytes, found, wanted.type, wanted.tolerance);
        add(demand.origin, key, difference.same_size && difference.beyond == 0, expected,
            difference.same_size ? difference_text(difference, wanted.tolerance)
                                 : fmt::format("{} bytes", found.size()));
    }

    void phase_time(const RunExpectations::Stated<RunExpectations::Budget>& demand) {
        std::optional<models::Picoseconds> longest;
        for (const Phase& phase : session_.phases().phases()) {
            if (phase.depth == 0 || phase.name != demand.value.name) continue;
            longest = std::max(longest.value_or(0), phase.duration());
        }
        add(demand.origin, "time of " + traces::terminal_text(demand.value.name),
            longest && *longest <= demand.value.most, "at most " + time_text(demand.value.most),
            longest ? time_text(*longest) : "no phase of that name");
    }

    void memory_use(const RunExpectations::Stated<RunExpectations::Budget>& demand) {
        const auto found = document_["memory"].find(demand.value.name);
        const bool known = found != document_["memory"].end();
        const std::uint64_t bytes = known ? found->get<std::uint64_t>() : 0;
        add(demand.origin, "use of " + demand.value.name, known && bytes <= demand.value.most,
            fmt::format("at most {} bytes", demand.value.most),
            known ? fmt::format("{} bytes", bytes) : "no model was installed");
    }

    /// What a report would show beside results and times.
    void warnings() {
        if (!expected_.no_warnings) return;
        const std::size_t events = document_["events"].size();
        const std::uint64_t coherence = session_.events().core_coherence().total();
        const std::size_t registers = document_["registers_not_modelled"].size() +
                                      document_["core_registers_not_modelled"].size();
        const std::size_t faults = document_["faults"].size();
        const std::string first =
            events == 0 ? ""
                        : "; the first: " + in_quotes(text_of(document_["events"][0], "cause"));
        add(*expected_.no_warnings, "warnings", events + coherence + registers + faults == 0,
            "none",
            fmt::format("{} events, {} of missing cache maintenance, {} registers not modelled, {} "
                        "faults{}",
                        events, coherence, registers, faults, first));
    }

    [[nodiscard]] std::optional<std::uint64_t> cache_counter(const std::string& name) const {
        const std::size_t dot = name.find('.');
        const Json& caches = document_["caches"];
        const auto cache = caches.find(name.substr(0, dot));
        if (cache == caches.end()) return std::nullopt;
        return cache->at(name.substr(dot + 1)).get<std::uint64_t>();
    }
    [[nodiscard]] std::optional<std::uint64_t> phase_counter(
        const RunExpectations::Counter& wanted) const {
        std::optional<std::uint64_t> sum;
        bool first = true;  // the whole run
        for (const Json& phase : document_["phases"]) {
            const bool named = text_of(phase, "name") == wanted.phase ||
                               fmt::format("{}", phase["id"].get<std::uint64_t>()) == wanted.phase;
            if (wanted.phase.empty() ? first : !first && named) {
                sum = sum.value_or(0) + counter_of(phase, wanted);
            }
            first = false;
        }
        return sum;
    }
    [[nodiscard]] static std::uint64_t counter_of(const Json& phase,
                                                  const RunExpectations::Counter& wanted) {
        if (wanted.name == "time_ps") {
            return phase["end_ps"].get<std::uint64_t>() - phase["start_ps"].get<std::uint64_t>();
        }
        if (!is_traffic_counter(wanted.name)) return phase[wanted.name].get<std::uint64_t>();
        std::uint64_t sum = 0;
        for (const Json& flow : phase["traffic"]) {
            const bool asked = (wanted.from.empty() || wanted.from == text_of(flow, "initiator")) &&
                               (wanted.to.empty() || wanted.to == text_of(flow, "target"));
            if (asked) sum += flow[wanted.name].get<std::uint64_t>();
        }
        return sum;
    }

    const RunExpectations& expected_;
    RunSession& session_;
    const RunOutcome& outcome_;
    const Json& document_;
    std::vector<Judgement> judgements_;
};

}  // namespace

std::vector<std::string> RunExpectations::console_texts() const {
    std::vector<std::string> texts;
    for (const Text& text : console) texts.push_back(text.value);
    for (const Text& text : console_without) texts.push_back(text.value);
    return texts;
}

bool RunExpectations::any() const {
    return about_end() || !console.empty() || !console_without.empty() || !events.empty() ||
           !events_without.empty() || coherence || !coherence_parties.empty() ||
           first_about_set_up() != nullptr || min_time || max_time || !memory.empty() ||
           !counters.empty() || !outputs.empty() || !times.empty() || !uses.empty() || no_warnings;
}

const std::string* RunExpectations::first_about_set_up() const {
    if (set_up_steps) return &set_up_steps->origin;
    return set_up_bits.empty() ? nullptr : &set_up_bits.front().origin;
}

bool is_cache_counter(std::string_view name) {
    return name.find('.') != std::string_view::npos;
}

bool is_traffic_counter(std::string_view name) {
    return name == "bytes_read" || name == "bytes_written" || name == "waited_ps";
}

std::vector<Judgement> judge(const RunExpectations& expected, RunSession& session,
                             const RunOutcome& outcome, const Json& document) {
    return Judge(expected, session, outcome, document).run();
}

bool all_hold(const std::vector<Judgement>& judgements) {
    return std::all_of(judgements.begin(), judgements.end(),
                       [](const Judgement& one) { return one.holds; });
}

void write_summary(std::ostream& out, const std::vector<Judgement>& judgements) {
    if (judgements.empty()) return;
    const auto held = std::count_if(judgements.begin(), judgements.end(),
                                    [](const Judgement& one) { return one.holds; });
    out << fmt::format("\nexpectations: {} of {} hold\n", held, judgements.size());
}

void write_failures(std::ostream& out, const std::vector<Judgement>& judgements) {
    for (const Judgement& one : judgements) {
        if (one.holds) continue;
        out << fmt::format("n6vp: {}: {}: expected {}, found {}\n", one.origin, one.key,
                           one.expected, one.found);
    }
}

Json judgements_json(const std::vector<Judgement>& judgements) {
    Json list = Json::array();
    for (const Judgement& one : judgements) {
        list.push_back({{"origin", one.origin},
                        {"key", one.key},
                        {"expected", one.expected},
                        {"found", one.found},
                        {"holds", one.holds}});
    }
    return list;
}

}  // namespace n6vp::sim

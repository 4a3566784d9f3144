// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/poll_reads.h"

#include <algorithm>
#include <string_view>

#include "sim/host/numbers.h"

namespace n6vp::sim::fault_report {

namespace {

constexpr unsigned kStackPointer = 13, kLinkRegister = 14, kProgramCounter = 15;

/// An instruction as the disassembler writes it: "ldrb.w r3, [r4, #1]".
struct Words {
    std::string_view name;                ///< without width and what is behind it: "ldrb"
    std::vector<std::string_view> words;  ///< registers, numbers, brackets, braces, '!'
};

[[nodiscard]] Words split(std::string_view text) {
    Words result;
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    result.name = text.substr(0, std::min(end, text.find('.')));
    std::size_t at = end;
    while (at < text.size()) {
        if (std::string_view(" \t,").find(text[at]) != std::string_view::npos) {
            ++at;
        } else if (std::string_view("[]{}!").find(text[at]) != std::string_view::npos) {
            result.words.push_back(text.substr(at++, 1));
        } else {
            const std::size_t stop = std::min(text.find_first_of(" \t,[]{}!", at), text.size());
            result.words.push_back(text.substr(at, stop - at));
            at = stop;
        }
    }
    return result;
}

[[nodiscard]] std::optional<unsigned> register_of(std::string_view word) {
    if (word == "sp") return kStackPointer;
    if (word == "lr") return kLinkRegister;
    if (word == "pc") return kProgramCounter;
    if (word.size() < 2 || word.size() > 3 || word[0] != 'r') return std::nullopt;
    const auto number = parse_digits<unsigned>(word.substr(1));
    return number && *number <= kProgramCounter ? number : std::nullopt;
}

[[nodiscard]] std::optional<std::uint32_t> number_of(std::string_view word) {
    if (word.size() < 2 || word[0] != '#') return std::nullopt;
    word.remove_prefix(1);
    const bool negative = word.starts_with('-');
    if (negative) word.remove_prefix(1);
    const auto number = parse_integer<std::uint32_t>(word);
    return number && negative ? 0 - *number : number;
}

[[nodiscard]] bool is_one_of(std::string_view name, std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

[[nodiscard]] bool is_branch(std::string_view name) {
    if (name == "le" || name == "letp") return true;
    return name.starts_with("b") && name.size() <= 3 &&
           !is_one_of(name, {"bl", "blx", "bfc", "bfi", "bic", "bx"});
}

/// Registers as far as they are known.
class Follower {
  public:
    Follower(const LoopState& state, const PeekWord& peek) : peek_(peek) {
        for (unsigned i = 0; i < kProgramCounter; ++i) known_[i] = state.registers[i];
    }

    /// Returns the address that the instruction reads, if it reads and the address is known.
    std::optional<std::uint32_t> follow(const CodeLine& line) {
        const Words words = split(line.text);
        if (words.name.starts_with("ldm") || words.name == "pop") {
            for (const std::string_view word : words.words) forget(word);
            return std::nullopt;
        }
        if (words.name.starts_with("ldr")) return load(words, line.address);
        if (words.name.starts_with("st")) {
            forget_base(words);
            const bool exclusive =
                words.name.starts_with("strex") || words.name.starts_with("stlex");
            // Its first register gets whether the store took place.
            if (exclusive && !words.words.empty()) forget(words.words[0]);
            return std::nullopt;
        }
        if (words.name == "bl" || words.name == "blx") {
            // What a function may change, as calls are made on Arm.
            for (const unsigned i : {0u, 1u, 2u, 3u, 12u, kLinkRegister}) known_[i].reset();
            return std::nullopt;
        }
        constexpr std::string_view kWithoutResult[] = {"cmp", "cmn",  "tst",   "teq", "nop", "it",
                                                       "dsb", "dmb",  "isb",   "wfe", "wfi", "sev",
                                                       "cbz", "cbnz", "yield", "cps"};
        const auto matches = [&](std::string_view one) { return words.name.starts_with(one); };
        const bool without =
            is_branch(words.name) ||
            std::any_of(std::begin(kWithoutResult), std::end(kWithoutResult), matches);
        if (!without) compute(words);
        return std::nullopt;
    }

  private:
    using Value = std::optional<std::uint32_t>;

    void forget(std::string_view word) {
        if (const auto number = register_of(word)) known_[*number].reset();
    }
    [[nodiscard]] Value value(std::string_view word) const {
        const auto number = register_of(word);
        return number ? known_[*number] : number_of(word);
    }
    /// Forgets a base that the access moves: "[r0, #4]!" and "[r0], #4".
    void forget_base(const Words& words) {
        const auto open = std::find(words.words.begin(), words.words.end(), "[");
        const auto close = std::find(open, words.words.end(), "]");
        if (open == words.words.end() || close == words.words.end()) return;
        if (close + 1 != words.words.end()) forget(*(open + 1));
    }

    [[nodiscard]] Value load(const Words& words, std::uint32_t at) {
        const auto open = std::find(words.words.begin(), words.words.end(), "[");
        const auto close = std::find(open, words.words.end(), "]");
        Value address;
        if (open != words.words.end() && close - open >= 2) {
            constexpr std::uint32_t kAhead = 4;  ///< by which the program counter reads ahead
            const bool literal = *(open + 1) == "pc";
            address = literal ? Value((at + kAhead) & ~3u) : value(*(open + 1));
            // An index that is shifted is three words.
            const Value offset = close - open == 2   ? Value(0)
                                 : close - open == 3 ? value(*(open + 2))
                                                     : std::nullopt;
            address = address && offset ? Value(*address + *offset) : std::nullopt;
        }
        for (auto word = words.words.begin(); word != open; ++word) forget(*word);
        forget_base(words);
        const auto target = words.words.empty() ? std::nullopt : register_of(words.words[0]);
        if (address && target && words.name == "ldr") known_[*target] = peek_(*address);
        return address;
    }

    void compute(const Words& words) {
        if (words.words.empty()) return;
        const auto target = register_of(words.words[0]);
        if (!target) return;
        const std::size_t count = words.words.size();
        const Value last = value(words.words.back());
        const Value first = count == 3 ? value(words.words[1]) : known_[*target];
        Value result;
        if (is_one_of(words.name, {"mov", "movs", "movw"}) && count == 2) {
            result = last;
        } else if (words.name == "movt" && first && last) {
            result = (*first & 0xFFFF) | *last << 16;
        } else if (is_one_of(words.name, {"add", "adds", "addw"}) && count <= 3 && first && last) {
            result = *first + *last;
        } else if (is_one_of(words.name, {"sub", "subs", "subw"}) && count <= 3 && first && last) {
            result = *first - *last;
        }
        // A long result has two registers.
        if (words.name.find("ull") != std::string_view::npos ||
            words.name.find("lal") != std::string_view::npos) {
            forget(words.words[std::min<std::size_t>(1, count - 1)]);
        }
        known_[*target] = result;
    }

    const PeekWord& peek_;
    std::array<Value, 16> known_{};
};

/// Returns first and last address of the loop's code: up to the branch back, if the code shows it.
[[nodiscard]] std::pair<std::uint32_t, std::uint32_t> body_of(const std::vector<CodeLine>& code,
                                                              const LoopState& state) {
    for (const CodeLine& line : code) {
        if (line.address < state.last) continue;
        const Words words = split(line.text);
        if (!is_branch(words.name) || words.words.empty()) continue;
        const auto target = number_of(words.words.back());
        if (target && *target <= state.first) return {*target, line.address};
    }
    return {state.first, state.last};
}

}  // namespace

std::vector<PollRead> poll_reads(const std::vector<CodeLine>& code, const LoopState& state,
                                 const PeekWord& peek) {
    const auto [first, last] = body_of(code, state);
    std::vector<const CodeLine*> turn;
    for (const bool before : {false, true}) {
        for (const CodeLine& line : code) {
            const bool inside = line.address >= first && line.address <= last;
            if (inside && (line.address < state.pc) == before) turn.push_back(&line);
        }
    }
    Follower follower(state, peek);
    std::vector<PollRead> reads;
    for (const CodeLine* line : turn) {
        const auto address = follower.follow(*line);
        // Constants of the code are nothing to wait for.
        if (address && line->text.find("[pc") == std::string::npos)
            reads.push_back({line, *address});
    }
    return reads;
}

}  // namespace n6vp::sim::fault_report

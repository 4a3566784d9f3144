// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/ecdump/ec_text.h"
#include "sim/host/errors.h"
#include "sim/host/numbers.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

namespace ec = loader::ec;
using ec::Opcode;

constexpr std::string_view kBlanks = " \t\r";

/// Bits of a register.
struct Bits {
    std::uint32_t msb = 31, lsb = 0;
};

/// Takes a text apart line by line. Every complaint names the line.
class Assembler {
  public:
    explicit Assembler(std::string_view text) : text_(text) {}

    EcAssembly run() {
        while (!text_.empty()) {
            ++line_number_;
            const std::size_t end = std::min(text_.find('\n'), text_.size());
            line_ = text_.substr(0, end);
            text_.remove_prefix(std::min(end + 1, text_.size()));
            line_ = line_.substr(0, line_.find(";;"));
            const std::string_view mnemonic = next_word();
            if (!mnemonic.empty()) instruction(mnemonic);
        }
        if (result_.words.empty()) {
            throw UserError("the text has no instruction", "see n6vp ecdump --help for its form");
        }
        return std::move(result_);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw UserError(fmt::format("line {}: {}", line_number_, what),
                        "n6vp ecdump --help shows the form of every instruction");
    }

    static std::string shown(std::string_view word) {
        return "'" + traces::terminal_text(word.substr(0, 80)) + "'";
    }

    std::string_view next_word() {
        const std::size_t start = line_.find_first_not_of(kBlanks);
        if (start == std::string_view::npos) return {};
        line_.remove_prefix(start);
        const std::size_t end = std::min(line_.find_first_of(kBlanks), line_.size());
        const std::string_view word = line_.substr(0, end);
        line_.remove_prefix(end);
        return word;
    }

    [[nodiscard]] std::uint32_t parse(std::string_view word, const char* what,
                                      std::uint32_t highest) const {
        if (word.empty()) fail(fmt::format("{} is missing", what));
        const auto value = parse_integer<std::uint32_t>(word);
        if (!value) fail(fmt::format("{} is not a valid {}", shown(word), what));
        if (*value > highest) {
            fail(fmt::format("{} {} is above {}", what, shown(word), highest));
        }
        return *value;
    }

    std::uint32_t number(const char* what, std::uint32_t highest) {
        return parse(next_word(), what, highest);
    }

    /// Appends a value or SYMBOL(OFFSET).
    void operand(std::string_view word) {
        const std::size_t open = word.find('(');
        std::string_view digits = word;
        if (open != std::string_view::npos && open != 0 && word.ends_with(')')) {
            result_.relocations[size()] = std::string(word.substr(0, open));
            digits = word.substr(open + 1, word.size() - open - 2);
        }
        result_.words.push_back(parse(digits, "value", 0xFFFFFFFF));
    }

    /// Takes [BIT] or [MSB:LSB] if the next word is one.
    bool field(Bits& bits) {
        const std::string_view before = line_;
        std::string_view word = next_word();
        if (!word.starts_with('[') || !word.ends_with(']')) {
            line_ = before;
            return false;
        }
        word = word.substr(1, word.size() - 2);
        const std::size_t colon = word.find(':');
        bits.msb = parse(word.substr(0, colon), "bit", 31);
        bits.lsb =
            colon == std::string_view::npos ? bits.msb : parse(word.substr(colon + 1), "bit", 31);
        return true;
    }

    void require_field(Bits& bits) {
        if (!field(bits)) fail("the field, [BIT] or [MSB:LSB], is missing");
    }

    void write() {
        const std::uint32_t ip = number("unit number", 63);
        const std::uint32_t reg = number("register number", 1023);
        Bits bits;
        field(bits);
        result_.words.push_back(ec::encode::access(Opcode::Write, ip, 4 * reg, bits.msb, bits.lsb));
        operand(next_word());
    }

    void poll() {
        const std::uint32_t ip = number("unit number", 63);
        const std::uint32_t reg = number("register number", 1023);
        Bits bits;
        require_field(bits);
        const std::uint32_t expected = number("expected value", 0xFFFFFFFF);
        const std::uint32_t constant = number("constant behind the value", 0xFFFFFFFF);
        result_.words.insert(result_.words.end(),
                             {ec::encode::access(Opcode::Poll, ip, 4 * reg, bits.msb, bits.lsb),
                              constant, expected});
    }

    void write_field() {
        const std::uint32_t ip = number("unit number", 63);
        const std::uint32_t reg = number("register number", 31);
        Bits bits;
        require_field(bits);
        if (bits.msb < bits.lsb || bits.msb - bits.lsb > 7) fail("the field has 1 to 8 bits");
        const std::uint32_t width = bits.msb - bits.lsb + 1;
        const std::uint32_t value = number("value", (1u << width) - 1);
        result_.words.push_back(ec::encode::write_field(ip, 4 * reg, bits.lsb, width, value));
    }

    void burst(Opcode opcode) {
        const std::uint32_t ip = number("unit number", 63);
        const std::uint32_t reg = number("register number", 1023);
        const std::size_t head = result_.words.size();
        result_.words.push_back(0);
        for (std::string_view word = next_word(); !word.empty(); word = next_word()) operand(word);
        const std::size_t count = result_.words.size() - head - 1;
        if (count > ec::Instruction::kMaxBurst) {
            fail(fmt::format("a burst has at most {} values", ec::Instruction::kMaxBurst));
        }
        result_.words[head] =
            ec::encode::burst(opcode, ip, 4 * reg, static_cast<std::uint32_t>(count));
    }

    void instruction(std::string_view mnemonic) {
        if (ended_) fail("an instruction after irq: the file holds more than one blob");
        if (mnemonic == "write") {
            write();
        } else if (mnemonic == "writefield") {
            write_field();
        } else if (mnemonic == "poll") {
            poll();
        } else if (mnemonic == "burstwrite") {
            burst(Opcode::Burst);
        } else if (mnemonic == "burstwriteinc") {
            burst(Opcode::BurstIncrement);
        } else if (mnemonic == "label" || mnemonic == "irq") {
            ended_ = mnemonic == "irq";
            result_.words.push_back(ec::encode::numbered(ended_ ? Opcode::Irq : Opcode::Label,
                                                         number("number", kMost)));
        } else if (mnemonic == "word") {
            operand(next_word());
        } else {
            fail(fmt::format("{} is not an instruction", shown(mnemonic)));
        }
        const std::string_view rest = next_word();
        if (!rest.empty()) fail(fmt::format("{} is too much", shown(rest)));
    }

    [[nodiscard]] std::uint32_t size() const {
        return static_cast<std::uint32_t>(result_.words.size());
    }

    static constexpr std::uint32_t kMost = 0x07FFFFFF;  ///< of 27 bits

    std::string_view text_, line_;
    std::size_t line_number_ = 0;
    bool ended_ = false;
    EcAssembly result_;
};

}  // namespace

EcAssembly assemble(std::string_view text) {
    return Assembler(text).run();
}

}  // namespace n6vp::sim

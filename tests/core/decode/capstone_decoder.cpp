// SPDX-License-Identifier: Apache-2.0
// Capstone 4's disassembler. It knows Armv7-M and Armv8-A's T32; what Armv8.1-M made of the space
// of coprocessors it prints as something else, so it is asked for the classic base only.
#include <capstone/capstone.h>

#include <array>
#include <cctype>
#include <stdexcept>

#include "tests/core/decode/capstone_excuses.h"
#include "tests/core/decode/oracle.h"

namespace n6vp::test {

namespace {

/// Returns the text with decimal numbers, as LLVM 14 prints them.
std::string in_decimal(const std::string& text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const bool hex = text.compare(at, 2, "0x") == 0;
        if (!hex) {
            result += text[at++];
            continue;
        }
        std::size_t digits = 0;
        std::uint64_t value = std::stoull(text.substr(at + 2), &digits, 16);
        // No offset is that long: it is an immediate of 32 bits.
        constexpr std::uint64_t kLongest = 0x10000;
        if (result.ends_with('-') && value > kLongest) {
            result.pop_back();
            value = (std::uint64_t{1} << 32) - value;
        }
        result += std::to_string(value);
        at += 2 + digits;
    }
    return result;
}

/// Returns "#0x1" for "#1"; names stay.
std::string options_in_hex(const std::string& text) {
    if (text.empty() || text[0] != '#') return text;
    constexpr const char* kDigits = "0123456789abcdef";
    return std::string("#0x") + kDigits[std::stoul(text.substr(1), nullptr, 0) & 15];
}

/// Counts the destination, the last operand, from the PC.
void make_relative(std::string& text, std::uint32_t address) {
    const std::size_t number = text.rfind('#');
    if (number == std::string::npos) return;
    constexpr std::uint32_t kPcAhead = 4;
    const auto to = static_cast<std::uint32_t>(std::stoll(text.substr(number + 1)));
    text.resize(number + 1);
    text += std::to_string(static_cast<std::int32_t>(to - address - kPcAhead));
}

class CapstoneDecoder : public DecodeOracle {
  public:
    CapstoneDecoder() {
        const auto mode = static_cast<cs_mode>(CS_MODE_THUMB | CS_MODE_MCLASS | CS_MODE_V8);
        const bool open = cs_open(CS_ARCH_ARM, mode, &handle_) == CS_ERR_OK &&
                          cs_option(handle_, CS_OPT_DETAIL, CS_OPT_ON) == CS_ERR_OK &&
                          // r9 to r12 by their numbers
                          cs_option(handle_, CS_OPT_SYNTAX, CS_OPT_SYNTAX_NOREGNAME) == CS_ERR_OK;
        if (!open) throw std::runtime_error("Capstone does not open");
    }
    ~CapstoneDecoder() override { cs_close(&handle_); }
    CapstoneDecoder(const CapstoneDecoder&) = delete;
    CapstoneDecoder& operator=(const CapstoneDecoder&) = delete;

    [[nodiscard]] Result decode(std::uint32_t encoding, unsigned bytes) override {
        Code code;
        code.add(encoding, bytes);
        return last_of(code, 1);
    }
    [[nodiscard]] Result decode_under(std::uint32_t block, unsigned block_bytes,
                                      std::uint32_t encoding, unsigned bytes) override {
        Code code;
        code.add(block, block_bytes);
        code.add(encoding, bytes);
        return last_of(code, 2);
    }
    [[nodiscard]] bool judges(const models::core::isa::Row* row, unsigned bytes) const override {
        return capstone_judges(row, bytes);
    }
    [[nodiscard]] std::span<const Excuse> excuses() const override { return kCapstoneExcuses; }
    [[nodiscard]] const char* name() const override { return "Capstone"; }

  private:
    struct Code {
        std::array<std::uint8_t, 8> memory{};
        std::size_t size = 0;
        unsigned last_bytes = 0;

        void add(std::uint32_t encoding, unsigned bytes) {
            last_bytes = bytes;
            for (unsigned half = bytes / 2; half-- != 0;) {
                const std::uint32_t value = encoding >> (16 * half);
                memory[size++] = static_cast<std::uint8_t>(value);
                memory[size++] = static_cast<std::uint8_t>(value >> 8);
            }
        }
    };

    Result last_of(const Code& code, std::size_t count) {
        cs_insn* list = nullptr;
        const std::size_t found =
            cs_disasm(handle_, code.memory.data(), code.size, 0, count, &list);
        Result result;
        if (found == count && list[count - 1].size == code.last_bytes) {
            const cs_insn& last = list[count - 1];
            result.verdict = Verdict::Defined;
            result.bytes = last.size;
            result.text = last.mnemonic;
            const bool is_barrier = result.text.starts_with("dmb") ||
                                    result.text.starts_with("dsb") ||
                                    result.text.starts_with("isb");
            // LLVM prints options of barriers as hexadecimal numbers.
            if (is_barrier) {
                result.text += ' ' + options_in_hex(last.op_str);
            } else if (last.op_str[0] != '\0') {
                result.text += ' ' + in_decimal(last.op_str);
            }
            if (cs_insn_group(handle_, &last, CS_GRP_BRANCH_RELATIVE))
                make_relative(result.text, static_cast<std::uint32_t>(last.address));
        }
        if (list != nullptr) cs_free(list, found);
        return result;
    }

    csh handle_ = 0;
};

}  // namespace

std::unique_ptr<DecodeOracle> make_decode_oracle(std::string_view /*core*/) {
    return std::make_unique<CapstoneDecoder>();
}

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/capstone_disassembler.h"

#include <capstone/capstone.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sim/exec/isa_disassembler.h"

namespace n6vp::sim {

namespace {

using traces::Instruction;

/// Owns a handle of Capstone. It follows IT blocks from one instruction to the next.
class Capstone {
  public:
    Capstone() {
        const auto mode = static_cast<cs_mode>(CS_MODE_THUMB | CS_MODE_MCLASS | CS_MODE_V8);
        const bool open = cs_open(CS_ARCH_ARM, mode, &handle_) == CS_ERR_OK &&
                          // r9 to r12 by their numbers
                          cs_option(handle_, CS_OPT_SYNTAX, CS_OPT_SYNTAX_NOREGNAME) == CS_ERR_OK;
        if (open) instruction_ = cs_malloc(handle_);
        if (instruction_ == nullptr) {
            if (handle_ != 0) cs_close(&handle_);
            throw std::runtime_error("Capstone has no disassembler for Arm");
        }
    }
    ~Capstone() {
        cs_free(instruction_, 1);
        cs_close(&handle_);
    }
    Capstone(const Capstone&) = delete;
    Capstone& operator=(const Capstone&) = delete;

    /// Returns the text of the instruction that `code` starts with; empty if Capstone does not know
    /// it or takes it for one of another length than `bytes`.
    [[nodiscard]] std::string text(std::span<const std::uint8_t> code, std::uint32_t address,
                                   unsigned bytes) const {
        const std::uint8_t* data = code.data();
        std::size_t size = code.size();
        std::uint64_t at = address;
        if (!cs_disasm_iter(handle_, &data, &size, &at, instruction_)) return {};
        if (instruction_->size != bytes) return {};
        std::string result = instruction_->mnemonic;
        if (instruction_->op_str[0] != '\0') (result += ' ') += instruction_->op_str;
        return result;
    }

  private:
    csh handle_ = 0;
    cs_insn* instruction_ = nullptr;
};

std::string_view mnemonic(std::string_view text) {
    return text.substr(0, text.find(' '));
}

/// Their operands are other registers and options in the A profile, whose names Capstone prints.
bool has_operands_of_the_profile(std::string_view mnemonic) {
    constexpr std::string_view kNames[] = {"mrs", "msr", "dsb", "dmb"};
    return std::any_of(std::begin(kNames), std::end(kNames),
                       [mnemonic](std::string_view name) { return mnemonic.starts_with(name); });
}

class CapstoneDisassembler : public traces::Disassembler {
  public:
    explicit CapstoneDisassembler(models::core::isa::Feature features)
        : table_(make_disassembler(features)) {}

    [[nodiscard]] std::vector<Instruction> decode(std::span<const std::uint8_t> code,
                                                  std::uint32_t address) const override {
        std::vector<Instruction> list = table_->decode(code, address);
        const Capstone capstone;
        for (Instruction& one : list) {
            // Undefined words are passed on, too: they count in an IT block.
            std::string text =
                capstone.text(code.subspan(one.address - address), one.address, one.bytes);
            // Another mnemonic is an encoding that Capstone reads as another architecture's.
            const bool agrees = one.named && mnemonic(text) == mnemonic(one.text);
            if (agrees && !has_operands_of_the_profile(mnemonic(text))) one.text = std::move(text);
        }
        return list;
    }

  private:
    std::unique_ptr<traces::Disassembler> table_;
};

}  // namespace

std::unique_ptr<traces::Disassembler> make_capstone_disassembler(
    models::core::isa::Feature features) {
    return std::make_unique<CapstoneDisassembler>(features);
}

}  // namespace n6vp::sim

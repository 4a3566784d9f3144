// SPDX-License-Identifier: Apache-2.0
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/core/decode/llvm_excuses.h"
#include "tests/core/decode/oracle.h"

extern "C" {
void LLVMInitializeARMTargetInfo();
void LLVMInitializeARMTargetMC();
void LLVMInitializeARMDisassembler();
}

namespace n6vp::test {

namespace {

/// What LLVM calls a core. The Cortex-M55 is spelt out: its name leaves options of it open.
struct Target {
    std::string_view core;
    const char* triple;
    const char* cpu;
    const char* features;
};
constexpr Target kTargets[] = {
    {"cortex-m55", "thumbv8.1m.main-none-eabi", "",
     "+mve.fp,+lob,+8msecext,+fp64,+fullfp16,+dsp,+ras"},
    {"cortex-m33", "thumbv8m.main-none-eabi", "cortex-m33", ""},
    {"cortex-m7", "thumbv7em-none-eabi", "cortex-m7", ""},
    {"cortex-m4", "thumbv7em-none-eabi", "cortex-m4", ""},
};

/// Block instructions leave state in the decoder that an instruction of any kind uses up.
constexpr unsigned kMaxBlock = 4;
constexpr std::uint32_t kNop = 0xBF00;

/// LLVM's disassembler for the instruction set of a core.
class LlvmDecoder : public DecodeOracle {
  public:
    explicit LlvmDecoder(const Target& target);
    [[nodiscard]] Result decode(std::uint32_t encoding, unsigned bytes) override;
    [[nodiscard]] Result decode_under(std::uint32_t block, unsigned block_bytes,
                                      std::uint32_t encoding, unsigned bytes) override;
    [[nodiscard]] bool judges(const models::core::isa::Row*, unsigned) const override {
        return true;
    }
    [[nodiscard]] std::span<const Excuse> excuses() const override { return excuses_; }
    [[nodiscard]] const char* name() const override { return "LLVM"; }

  private:
    struct Parts;
    Result decode_next(std::uint32_t encoding, unsigned bytes);
    void leave_blocks();

    std::unique_ptr<Parts> parts_;
    std::span<const Excuse> excuses_;
};

struct LlvmDecoder::Parts {
    const llvm::Target* target = nullptr;
    std::unique_ptr<llvm::MCRegisterInfo> registers;
    std::unique_ptr<llvm::MCAsmInfo> assembly;
    std::unique_ptr<llvm::MCInstrInfo> instructions;
    std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
    std::unique_ptr<llvm::MCContext> context;
    std::unique_ptr<llvm::MCDisassembler> disassembler;
    std::unique_ptr<llvm::MCInstPrinter> printer;
};

LlvmDecoder::LlvmDecoder(const Target& target)
    : parts_(std::make_unique<Parts>()),
      excuses_(target.core == "cortex-m55" ? std::span<const Excuse>(kLlvmExcuses)
                                           : std::span<const Excuse>(kOlderLlvmExcuses)) {
    const char* const triple_name = target.triple;
    LLVMInitializeARMTargetInfo();
    LLVMInitializeARMTargetMC();
    LLVMInitializeARMDisassembler();
    Parts& p = *parts_;
    std::string error;
    p.target = llvm::TargetRegistry::lookupTarget(triple_name, error);
    if (p.target == nullptr) throw std::runtime_error(error);
    const llvm::Triple triple(triple_name);
    p.registers.reset(p.target->createMCRegInfo(triple_name));
    p.assembly.reset(p.target->createMCAsmInfo(*p.registers, triple_name, llvm::MCTargetOptions()));
    p.instructions.reset(p.target->createMCInstrInfo());
    p.subtarget.reset(p.target->createMCSubtargetInfo(triple_name, target.cpu, target.features));
    p.context = std::make_unique<llvm::MCContext>(triple, p.assembly.get(), p.registers.get(),
                                                  p.subtarget.get());
    p.disassembler.reset(p.target->createMCDisassembler(*p.subtarget, *p.context));
    p.printer.reset(
        p.target->createMCInstPrinter(triple, 0, *p.assembly, *p.instructions, *p.registers));
}

DecodeOracle::Result LlvmDecoder::decode_next(std::uint32_t encoding, unsigned bytes) {
    const std::uint32_t first = bytes == 4 ? encoding >> 16 : encoding;
    const std::array<std::uint8_t, 4> memory = {
        static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(first >> 8),
        static_cast<std::uint8_t>(encoding), static_cast<std::uint8_t>(encoding >> 8)};
    llvm::MCInst instruction;
    std::uint64_t size = 0;
    const auto status = parts_->disassembler->getInstruction(
        instruction, size, llvm::ArrayRef<std::uint8_t>(memory.data(), bytes), 0, llvm::nulls());
    Result result;
    if (status == llvm::MCDisassembler::Fail) return result;
    result.verdict =
        status == llvm::MCDisassembler::Success ? Verdict::Defined : Verdict::Unpredictable;
    result.bytes = static_cast<unsigned>(size);
    llvm::raw_string_ostream out(result.text);
    parts_->printer->printInst(&instruction, 0, "", *parts_->subtarget, out);
    out.flush();
    result.text.erase(0, result.text.find_first_not_of('\t'));
    for (char& c : result.text) {
        if (c == '\t') c = ' ';
    }
    while (result.text.ends_with(' ')) result.text.pop_back();
    return result;
}

void LlvmDecoder::leave_blocks() {
    for (unsigned i = 0; i < kMaxBlock; ++i) (void)decode_next(kNop, 2);
}

DecodeOracle::Result LlvmDecoder::decode(std::uint32_t encoding, unsigned bytes) {
    Result result = decode_next(encoding, bytes);
    const bool opens_it = result.text.starts_with("it");
    const bool opens_vpt = result.text.starts_with("vpt") || result.text.starts_with("vpst");
    if (opens_it || opens_vpt) leave_blocks();
    return result;
}

DecodeOracle::Result LlvmDecoder::decode_under(std::uint32_t block, unsigned block_bytes,
                                               std::uint32_t encoding, unsigned bytes) {
    (void)decode_next(block, block_bytes);
    Result result = decode_next(encoding, bytes);
    leave_blocks();
    return result;
}

}  // namespace

std::unique_ptr<DecodeOracle> make_decode_oracle(std::string_view core) {
    for (const Target& target : kTargets) {
        if (target.core == core) return std::make_unique<LlvmDecoder>(target);
    }
    throw std::runtime_error("LLVM is not asked about " + std::string(core));
}

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace n6vp::test {

/// LLVM's disassembler for the Cortex-M55's instruction set, one instruction at a time.
class LlvmDecoder {
  public:
    enum class Verdict {
        Defined,
        Unpredictable,  ///< decodes, with a warning: either answer will do
        Undefined,
    };
    struct Result {
        Verdict verdict = Verdict::Undefined;
        unsigned bytes = 0;
        std::string text;  ///< mnemonic, one blank, operands
    };

    LlvmDecoder();
    LlvmDecoder(const LlvmDecoder&) = delete;
    LlvmDecoder& operator=(const LlvmDecoder&) = delete;
    ~LlvmDecoder();

    /// Decodes one instruction of 2 or 4 bytes that stands in no IT or VPT block.
    [[nodiscard]] Result decode(std::uint32_t encoding, unsigned bytes);
    /// The same under the IT or VPT instruction `block`.
    [[nodiscard]] Result decode_under(std::uint32_t block, unsigned block_bytes,
                                      std::uint32_t encoding, unsigned bytes);

  private:
    struct Parts;
    Result decode_next(std::uint32_t encoding, unsigned bytes);
    void leave_blocks();

    std::unique_ptr<Parts> parts_;
};

}  // namespace n6vp::test

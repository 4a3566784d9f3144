// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "models/core/isa/row.h"

namespace n6vp::test {

/// Encodings on which our table and an oracle's differ for a reason.
struct Excuse {
    std::string_view theirs;  ///< how the oracle's text starts; "undefined" if it has none
    bool (*applies)(std::uint32_t encoding);
    const char* reason;
    std::string_view contains = {};  ///< what the oracle's text must also hold
    std::string_view title = {};     ///< how our row starts
};

/// Another decoder of T32, one instruction at a time.
class DecodeOracle {
  public:
    enum class Verdict {
        Defined,
        Unpredictable,  ///< decodes, with a warning: either answer will do
        Undefined,
    };
    struct Result {
        Verdict verdict = Verdict::Undefined;
        unsigned bytes = 0;
        std::string text;  ///< mnemonic, one blank, operands, in the spelling of LLVM 14
    };

    DecodeOracle() = default;
    DecodeOracle(const DecodeOracle&) = delete;
    DecodeOracle& operator=(const DecodeOracle&) = delete;
    virtual ~DecodeOracle() = default;

    /// Decodes one instruction of 2 or 4 bytes that stands in no IT or VPT block.
    [[nodiscard]] virtual Result decode(std::uint32_t encoding, unsigned bytes) = 0;
    /// The same under the IT or VPT instruction `block`.
    [[nodiscard]] virtual Result decode_under(std::uint32_t block, unsigned block_bytes,
                                              std::uint32_t encoding, unsigned bytes) = 0;
    /// Returns false for encodings that the oracle does not know well enough to be asked. `row` is
    /// ours, null if we have none.
    [[nodiscard]] virtual bool judges(const models::core::isa::Row* row, unsigned bytes) const = 0;
    [[nodiscard]] virtual std::span<const Excuse> excuses() const = 0;
    [[nodiscard]] virtual const char* name() const = 0;
};

/// Each oracle's source defines it for its own program. `core` is a name of core_profiles(); an
/// oracle that does not tell cores apart takes them all for a Cortex-M55.
[[nodiscard]] std::unique_ptr<DecodeOracle> make_decode_oracle(
    std::string_view core = "cortex-m55");

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace n6vp::sim {

/// Bytes without a gap, and the address of the first.
struct HexPart {
    std::uint32_t address = 0;
    std::vector<std::uint8_t> content;
};

/// A text file whose lines are records of bytes: what Intel HEX and S-records have in common.
class RecordFile {
  public:
    /// Both must outlive it. `name` is for messages.
    RecordFile(std::string_view text, const std::string& name);

    /// Returns the next line that is not blank, without blanks around it; none at the end.
    [[nodiscard]] std::optional<std::string_view> next();
    /// Returns the bytes of pairs of hexadecimal digits. Fails with UserError for anything else.
    [[nodiscard]] std::vector<std::uint8_t> bytes_of(std::string_view digits) const;
    /// Keeps the data of the current line. Fails with UserError beyond 4 GiB.
    void add(std::uint64_t address, std::vector<std::uint8_t> data);
    /// Returns what was kept, by ascending address. Fails with UserError for bytes given twice or
    /// none.
    [[nodiscard]] std::vector<HexPart> joined();
    /// Fails with UserError, naming file and line.
    [[noreturn]] void fail(const std::string& what) const;

  private:
    struct Piece {
        std::uint64_t address = 0;
        std::size_t line = 0;
        std::vector<std::uint8_t> data;
    };

    std::string_view rest_;
    std::string name_;
    std::size_t line_ = 0;
    std::vector<Piece> pieces_;
};

/// Returns the first line of the text that is not blank, without blanks around it.
[[nodiscard]] std::string_view first_line(std::span<const std::uint8_t> text);

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace n6vp::sim {

/// Names of peripheral registers by address, from a CMSIS-SVD file that the user has.
class RegisterNames {
  public:
    struct Name {
        std::string peripheral;
        std::string name;
    };

    /// Largest file that is read (published ones have up to 10 MB), most registers it may name,
    /// and deepest nesting of clusters.
    static constexpr std::size_t kMaxBytes = std::size_t{64} * 1024 * 1024;
    static constexpr std::size_t kMaxRegisters = 1'000'000;
    static constexpr unsigned kMaxNesting = 8;

    RegisterNames() = default;
    /// Reads the text of an SVD file. Fails with UserError, naming the line, for broken XML, a
    /// missing or malformed element, a number out of range or too many registers. `shown_name` is
    /// for messages.
    [[nodiscard]] static RegisterNames parse(std::string_view text, std::string_view shown_name);
    [[nodiscard]] static RegisterNames read(const std::string& path);

    /// Returns the name of the register that holds the byte at `address`, in this alias or, if the
    /// file does not know it, in the other; nullptr if neither has one.
    [[nodiscard]] const Name* find(std::uint32_t address) const;
    [[nodiscard]] std::size_t size() const { return names_.size(); }

    /// Keeps the first name given to an address.
    void add(std::uint32_t address, std::uint32_t bytes, Name name);

  private:
    struct Entry {
        std::uint32_t bytes = 0;
        Name name;
    };
    [[nodiscard]] const Name* find_here(std::uint32_t address) const;

    std::map<std::uint32_t, Entry> names_;
};

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace n6vp::models {

/// The registers of a device on a serial bus: 1, 2 or 4 bytes each, the most significant one first.
/// A transfer goes through them byte by byte and wraps at the end.
class RegisterFile {
  public:
    /// Returns the highest number of a register.
    [[nodiscard]] std::uint32_t last() const { return (1u << number_bits_) - 1; }
    /// What a register holds, without the bus. A number beyond the last one wraps.
    void set(std::uint32_t number, std::uint32_t value) {
        const std::size_t first = place(number);
        for (unsigned i = 0; i < value_bytes_; ++i) {
            const unsigned shift = 8 * (value_bytes_ - 1 - i);
            bytes_[first + i] = static_cast<std::uint8_t>(value >> shift);
        }
    }
    [[nodiscard]] std::uint32_t get(std::uint32_t number) const {
        const std::size_t first = place(number);
        std::uint32_t value = 0;
        for (unsigned i = 0; i < value_bytes_; ++i) value = value << 8 | bytes_[first + i];
        return value;
    }

  protected:
    /// All registers are zero. Their number has `register_bytes` on the bus, of which
    /// `direction_bits` say something else. Fails with std::logic_error unless there are 1 or 2
    /// bytes of a number and 1, 2 or 4 of a value.
    RegisterFile(unsigned register_bytes, unsigned value_bytes, unsigned direction_bits)
        : number_bits_(8 * register_bytes - direction_bits), value_bytes_(value_bytes) {
        if (register_bytes < 1 || register_bytes > 2 ||
            (value_bytes != 1 && value_bytes != 2 && value_bytes != 4))
            throw std::logic_error("no such layout of a device with registers");
        bytes_.resize((std::size_t{last()} + 1) * value_bytes);
    }
    RegisterFile(const RegisterFile&) = delete;
    RegisterFile& operator=(const RegisterFile&) = delete;
    ~RegisterFile() = default;

    /// All registers are zero again.
    void clear() { bytes_.assign(bytes_.size(), 0); }
    /// Returns where a register begins.
    [[nodiscard]] std::size_t place(std::uint32_t number) const {
        return static_cast<std::size_t>(number) * value_bytes_ % bytes_.size();
    }
    [[nodiscard]] std::size_t behind(std::size_t at) const { return (at + 1) % bytes_.size(); }
    [[nodiscard]] std::uint8_t& byte_at(std::size_t at) { return bytes_[at]; }

  private:
    const unsigned number_bits_, value_bytes_;
    std::vector<std::uint8_t> bytes_;  ///< of all registers
};

}  // namespace n6vp::models

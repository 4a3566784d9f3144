// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

/// Reading a flatbuffer from a stranger. Every offset, vtable and length is checked against the
/// buffer when it is followed; nothing is followed that was not asked for, so that loops and depth
/// need no limit of their own. All functions fail with UserError, naming the byte.
namespace n6vp::sim::generate {

/// A little-endian number in a flatbuffer.
template <class T>
concept FlatScalar = std::is_arithmetic_v<T>;

class FlatBuffer {
  public:
    explicit FlatBuffer(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    [[nodiscard]] std::size_t size() const { return bytes_.size(); }

    /// Returns `count` bytes from `at`; `what` names them in the error.
    [[nodiscard]] std::span<const std::uint8_t> bytes(std::size_t at, std::size_t count,
                                                      const char* what) const;
    template <FlatScalar T>
    [[nodiscard]] T number(std::size_t at, const char* what) const {
        T value = 0;
        std::memcpy(&value, bytes(at, sizeof value, what).data(), sizeof value);
        return value;
    }
    /// Returns where the offset at `at` leads.
    [[nodiscard]] std::size_t follow(std::size_t at, const char* what) const;

  private:
    std::span<const std::uint8_t> bytes_;
};

/// A vector of numbers.
template <FlatScalar T>
class FlatNumbers {
  public:
    FlatNumbers() = default;
    explicit FlatNumbers(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    [[nodiscard]] std::size_t size() const { return bytes_.size() / sizeof(T); }
    [[nodiscard]] bool empty() const { return bytes_.empty(); }
    /// Returns element `index`, which is below size().
    [[nodiscard]] T operator[](std::size_t index) const {
        T value = 0;
        std::memcpy(&value, bytes_.data() + index * sizeof(T), sizeof value);
        return value;
    }
    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_; }

  private:
    std::span<const std::uint8_t> bytes_;
};

class FlatTables;

/// A table: fields by their number in the schema, each with a default if it is not there.
class FlatTable {
  public:
    /// Reads the vtable of the table at `at`.
    FlatTable(const FlatBuffer& buffer, std::size_t at);
    /// Returns the root of a buffer whose file identifier is `identifier`.
    [[nodiscard]] static FlatTable root(const FlatBuffer& buffer, std::string_view identifier);

    [[nodiscard]] bool has(unsigned field) const { return place(field, 0) != 0; }
    template <FlatScalar T>
    [[nodiscard]] T number(unsigned field, T otherwise) const {
        const std::size_t at = place(field, sizeof(T));
        return at == 0 ? otherwise : buffer_->number<T>(at, "a field");
    }
    [[nodiscard]] std::string_view text(unsigned field) const;
    [[nodiscard]] std::optional<FlatTable> table(unsigned field) const;
    [[nodiscard]] FlatTables tables(unsigned field) const;
    template <FlatScalar T>
    [[nodiscard]] FlatNumbers<T> numbers(unsigned field) const {
        return FlatNumbers<T>(vector(field, sizeof(T)));
    }

  private:
    /// Returns where a field of `bytes` bytes stands, or 0.
    [[nodiscard]] std::size_t place(unsigned field, std::size_t bytes) const;
    /// Returns the elements of a vector field; none if it is not there.
    [[nodiscard]] std::span<const std::uint8_t> vector(unsigned field,
                                                       std::size_t element_bytes) const;

    const FlatBuffer* buffer_;
    std::size_t at_;
    std::size_t vtable_ = 0;
    std::uint16_t vtable_bytes_ = 0, table_bytes_ = 0;
};

/// A vector of tables.
class FlatTables {
  public:
    FlatTables(const FlatBuffer& buffer, std::size_t first, std::size_t count)
        : buffer_(&buffer), first_(first), count_(count) {}

    [[nodiscard]] std::size_t size() const { return count_; }
    /// Returns table `index`, which is below size().
    [[nodiscard]] FlatTable operator[](std::size_t index) const;

  private:
    const FlatBuffer* buffer_;
    std::size_t first_, count_;
};

}  // namespace n6vp::sim::generate

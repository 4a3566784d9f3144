// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/tflite/flatbuffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sim/host/errors.h"

namespace n6vp::sim::generate {

namespace {

constexpr std::size_t kOffsetBytes = 4;
// A vtable starts with its own size and that of the table.
constexpr std::size_t kVtableHead = 4;
constexpr std::size_t kIdentifierBytes = 4;

[[noreturn]] void damaged(const char* what, std::size_t at) {
    throw UserError(
        fmt::format("damaged or truncated: {} at byte {} leads out of the file", what, at),
        "fetch or export the file again");
}

}  // namespace

std::span<const std::uint8_t> FlatBuffer::bytes(std::size_t at, std::size_t count,
                                                const char* what) const {
    if (at > bytes_.size() || count > bytes_.size() - at) damaged(what, at);
    return bytes_.subspan(at, count);
}

std::size_t FlatBuffer::follow(std::size_t at, const char* what) const {
    return at + number<std::uint32_t>(at, what);
}

FlatTable::FlatTable(const FlatBuffer& buffer, std::size_t at) : buffer_(&buffer), at_(at) {
    const std::int64_t back = buffer.number<std::int32_t>(at, "a table");
    const std::int64_t vtable = static_cast<std::int64_t>(at) - back;
    if (vtable < 0) damaged("the vtable of a table", at);
    vtable_ = static_cast<std::size_t>(vtable);
    vtable_bytes_ = buffer.number<std::uint16_t>(vtable_, "a vtable");
    table_bytes_ = buffer.number<std::uint16_t>(vtable_ + 2, "a vtable");
    if (vtable_bytes_ < kVtableHead) damaged("a vtable", vtable_);
    static_cast<void>(buffer.bytes(vtable_, vtable_bytes_, "a vtable"));
    static_cast<void>(buffer.bytes(at, table_bytes_, "a table"));
}

FlatTable FlatTable::root(const FlatBuffer& buffer, std::string_view identifier) {
    const auto found = buffer.size() < kOffsetBytes + kIdentifierBytes
                           ? std::span<const std::uint8_t>{}
                           : buffer.bytes(kOffsetBytes, kIdentifierBytes, "the file identifier");
    if (!std::equal(found.begin(), found.end(), identifier.begin(), identifier.end())) {
        throw UserError(fmt::format("no TFLite file: \"{}\" is not at byte 4", identifier),
                        "give a .tflite file as the TensorFlow Lite converter writes it");
    }
    return {buffer, buffer.follow(0, "the root table")};
}

std::size_t FlatTable::place(unsigned field, std::size_t bytes) const {
    const std::size_t entry = kVtableHead + std::size_t{2} * field;
    if (entry + 2 > vtable_bytes_) return 0;
    const std::size_t offset = buffer_->number<std::uint16_t>(vtable_ + entry, "a vtable");
    if (offset == 0) return 0;
    if (offset + bytes > table_bytes_) damaged("a field", at_ + offset);
    return at_ + offset;
}

std::string_view FlatTable::text(unsigned field) const {
    const std::span<const std::uint8_t> letters = vector(field, 1);
    return {reinterpret_cast<const char*>(letters.data()), letters.size()};
}

std::optional<FlatTable> FlatTable::table(unsigned field) const {
    const std::size_t at = place(field, kOffsetBytes);
    if (at == 0) return std::nullopt;
    return FlatTable(*buffer_, buffer_->follow(at, "a table"));
}

FlatTables FlatTable::tables(unsigned field) const {
    const std::span<const std::uint8_t> offsets = vector(field, kOffsetBytes);
    if (offsets.empty()) return {*buffer_, 0, 0};
    const std::size_t first =
        buffer_->follow(place(field, kOffsetBytes), "a vector") + kOffsetBytes;
    return {*buffer_, first, offsets.size() / kOffsetBytes};
}

std::span<const std::uint8_t> FlatTable::vector(unsigned field, std::size_t element_bytes) const {
    const std::size_t at = place(field, kOffsetBytes);
    if (at == 0) return {};
    const std::size_t vector = buffer_->follow(at, "a vector");
    const std::size_t count = buffer_->number<std::uint32_t>(vector, "a vector");
    // Below 2^35: no overflow.
    return buffer_->bytes(vector + kOffsetBytes, count * element_bytes, "a vector");
}

FlatTable FlatTables::operator[](std::size_t index) const {
    return {*buffer_, buffer_->follow(first_ + index * kOffsetBytes, "an element of a vector")};
}

}  // namespace n6vp::sim::generate

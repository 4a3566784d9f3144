// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "loader/format.h"
#include "sim/check/check_model.h"

namespace n6vp::sim {

namespace {

std::uint32_t word_at(const std::vector<std::uint8_t>& file, std::size_t offset) {
    return static_cast<std::uint32_t>(file[offset]) |
           static_cast<std::uint32_t>(file[offset + 1]) << 8 |
           static_cast<std::uint32_t>(file[offset + 2]) << 16 |
           static_cast<std::uint32_t>(file[offset + 3]) << 24;
}

/// Other things that end up where a model should be, by their first bytes.
struct Signature {
    std::string_view bytes;
    std::string_view text;
};
constexpr std::array kSignatures = {
    Signature{"\x7f"
              "ELF",
              "an ELF file: the container is made from it (n6vp pack)"},
    Signature{"NIBN",
              "a container with the bytes of each word reversed: it was written as big-endian"},
    Signature{
        "MREL",
        "the header block of the vendor's load-and-run scripts: the model is at the address in "
        "its fourth word"},
    Signature{":10", "Intel HEX text: convert it to binary (objcopy -I ihex -O binary)"},
    Signature{":02", "Intel HEX text: convert it to binary (objcopy -I ihex -O binary)"},
    Signature{"S0", "Motorola S-record text: convert it to binary (objcopy -I srec -O binary)"},
    Signature{"PK\x03\x04", "a ZIP archive: unpack it first"},
    Signature{"\x1f\x8b", "a gzip file: unpack it first"},
    Signature{"#include",
              "C source: it is to be compiled into the application, give the binary file"},
    Signature{"/*", "C source: it is to be compiled into the application, give the binary file"},
    Signature{"//", "C source: it is to be compiled into the application, give the binary file"},
};

bool all_equal(const std::vector<std::uint8_t>& file, std::uint8_t value) {
    const std::size_t count = std::min<std::size_t>(file.size(), 256);
    return std::all_of(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(count),
                       [value](std::uint8_t byte) { return byte == value; });
}

/// Returns the offset of a container's magic in the first 64 KiB, at any alignment; 0 if none.
std::size_t displaced_magic(const std::vector<std::uint8_t>& file) {
    const std::size_t end = std::min<std::size_t>(file.size(), 65536);
    for (std::size_t offset = 1; offset + 4 <= end; ++offset) {
        if (word_at(file, offset) == loader::format::kMagic) return offset;
    }
    return 0;
}

}  // namespace

std::optional<std::uint32_t> erased_from(const std::vector<std::uint8_t>& file,
                                         const loader::Header& header) {
    const std::uint32_t image_end = std::max(header.ro_bytes() + header.copied_bytes(),
                                             loader::format::link_offset(header.rel_end));
    const std::size_t end = std::min<std::size_t>(image_end, file.size());
    std::size_t from = end;
    while (from != 0 && file[from - 1] == 0xFF) --from;
    if (end - from < sizeof(std::uint32_t)) return std::nullopt;
    return static_cast<std::uint32_t>(from);
}

std::string recognise(const std::vector<std::uint8_t>& file) {
    if (file.empty()) return "the file is empty";
    if (file.size() >= 4 && word_at(file, 0) == loader::format::kMagic) return {};
    const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
    for (const Signature& signature : kSignatures) {
        if (bytes.starts_with(signature.bytes)) {
            return fmt::format("the file looks like {}", signature.text);
        }
    }
    if (all_equal(file, 0xFF)) {
        return "the first bytes are all 0xff, as in erased flash: not programmed, or not in "
               "memory-mapped mode when read";
    }
    if (all_equal(file, 0x00)) {
        return "the first bytes are all 0, as read from memory that is powered down or blocked by "
               "its filter";
    }
    const std::size_t offset = displaced_magic(file);
    if (offset != 0) {
        return fmt::format(
            "the magic word of a container is {} bytes in: the model follows other data, and its "
            "address is {} higher{}",
            offset, offset,
            offset % 4 == 0 ? "" : " (not a multiple of 4: it cannot be used in place)");
    }
    return "unknown magic word: was the parameter file given instead of the model?";
}

}  // namespace n6vp::sim

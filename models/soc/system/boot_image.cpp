// SPDX-License-Identifier: Apache-2.0
#include "models/soc/system/boot_image.h"

#include <utility>

#include "memmap/regions.h"

namespace n6vp::models {

namespace {

constexpr std::uint32_t kBootMagic = 0x324D5453;  // "STM2"
constexpr std::uint32_t kHeader21 = 0x00020100, kHeader23 = 0x00020300;
constexpr std::uint32_t kLastStack = 0x34200000;

/// Fields behind the signature, relative to the checksum.
enum : std::uint32_t {
    kVersionField = 0x04,
    kLength = 0x08,
    kEntry = 0x0C,
    kLoadAddress = 0x14,
    kExtensionFlags = 0x20,
    kExtensionBytes = 0x24,
    kType = 0x28,
    kExtension = 0x3C,
};
constexpr std::uint32_t kSignature = 4;  ///< up to the checksum
/// Of the versions: the checksum's place, and where the header ends.
struct HeaderLayout {
    std::uint32_t version, checksum, end;
};
constexpr HeaderLayout kHeaderLayouts[] = {{kHeader23, 0x64, 0x240}, {kHeader21, 0x44, 0x200}};

[[nodiscard]] std::uint32_t header_word(std::span<const std::uint8_t> bytes, std::size_t at) {
    if (at + 4 > bytes.size()) return 0;
    return std::uint32_t{bytes[at]} | std::uint32_t{bytes[at + 1]} << 8 |
           std::uint32_t{bytes[at + 2]} << 16 | std::uint32_t{bytes[at + 3]} << 24;
}

[[nodiscard]] std::string hex_text(std::uint32_t value) {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string text = "0x";
    for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[value >> shift & 0xF];
    return text;
}

[[nodiscard]] BootHeaderResult refused(std::string text) {
    return {std::nullopt, std::move(text)};
}

[[nodiscard]] const HeaderLayout* header_layout(std::span<const std::uint8_t> image) {
    for (const HeaderLayout& layout : kHeaderLayouts) {
        if (header_word(image, layout.checksum + kVersionField) == layout.version) return &layout;
    }
    return nullptr;
}

[[nodiscard]] BootHeader header_fields(std::span<const std::uint8_t> image,
                                       const HeaderLayout& layout) {
    const auto field = [&](std::uint32_t offset) {
        return header_word(image, layout.checksum + offset);
    };
    BootHeader header;
    header.version = layout.version;
    header.bytes = layout.end;
    header.length = field(kLength);
    header.entry = field(kEntry);
    header.load_address = field(kLoadAddress);
    header.extension_flags = field(kExtensionFlags);
    header.extension_bytes = field(kExtensionBytes);
    header.type = field(kType);
    header.checksum = field(0);
    for (std::size_t at = kSignature; at < layout.checksum && at < image.size(); ++at) {
        header.has_signature |= image[at] != 0;
    }
    return header;
}

[[nodiscard]] bool in_ram(std::uint32_t address) {
    const memmap::Location place = memmap::find_region(GuestAddr{address});
    return place && place.offset < place.region->fitted_bytes &&
           place.region->kind != memmap::RegionKind::Nor;
}

}  // namespace

bool is_boot_image(std::span<const std::uint8_t> image) {
    return header_word(image, 0) == kBootMagic;
}

BootHeaderResult read_boot_header(std::span<const std::uint8_t> image) {
    const HeaderLayout* const layout = header_layout(image);
    if (layout == nullptr) {
        return refused("the boot header is neither version 2.1 (word at 0x48: " +
                       hex_text(header_word(image, 0x48)) +
                       ") nor 2.3 (word at 0x68: " + hex_text(header_word(image, 0x68)) + ")");
    }
    if (image.size() < layout->end) {
        return refused("the boot header is cut off: " + std::to_string(image.size()) + " of " +
                       std::to_string(layout->end) + " bytes");
    }
    BootHeader header = header_fields(image, *layout);
    const std::uint32_t extension = layout->end - layout->checksum - kExtension;
    if (header.extension_bytes != extension) {
        return refused("the boot header's extension has " + hex_text(header.extension_bytes) +
                       " bytes, not " + hex_text(extension));
    }
    if (header.length == 0 || header.length > image.size() - layout->end) {
        return refused("the boot header says that " + std::to_string(header.length) +
                       " bytes follow it, there are " + std::to_string(image.size() - layout->end));
    }
    if (header.type != BootHeader::kFirstStage && header.type != BootHeader::kApplication) {
        return refused("the boot header's image type is " + hex_text(header.type) +
                       ", neither 0x10 (first stage) nor 0 (application)");
    }
    if ((header.entry & 1) == 0) {
        return refused("the boot header's entry " + hex_text(header.entry) +
                       " is no address of Thumb code");
    }
    for (const std::uint8_t byte : image.subspan(header.bytes, header.length)) {
        header.actual_checksum += byte;
    }
    return {header, ""};
}

BootStart boot_start(const BootHeader& header, std::span<const std::uint8_t> image) {
    const std::uint32_t stack = header_word(image, kBootCode);
    const bool usable = stack % 4 == 0 && stack >= 4 && in_ram(stack - 4);
    return {usable ? stack : kLastStack, header.entry};
}

}  // namespace n6vp::models

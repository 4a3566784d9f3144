// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace n6vp::models {

/// The flash from whose start the boot ROM reads an image.
inline constexpr std::uint32_t kBootFlash = 0x70000000;
/// Where the boot ROM copies an image to, header included.
inline constexpr std::uint32_t kBootRam = 0x34180000;
/// Largest image that it boots from flash, header included.
inline constexpr std::uint32_t kMaxBootBytes = 512 * 1024;
/// Images are aligned so that their code, mostly a vector table, begins here behind the header's
/// start.
inline constexpr std::uint32_t kBootCode = 0x400;

/// The header that signing puts before an image ("STM2", versions 2.1 and 2.3), little-endian.
struct BootHeader {
    static constexpr std::uint32_t kFirstStage = 0x10, kApplication = 0;

    std::uint32_t version = 0;  ///< 0x00020100 or 0x00020300
    std::uint32_t bytes = 0;    ///< of the header, extension included: 0x200 or 0x240
    std::uint32_t length = 0;   ///< bytes behind the header, alignment included
    std::uint32_t entry = 0;    ///< Thumb bit set
    std::uint32_t load_address = 0;
    std::uint32_t extension_flags = 0, extension_bytes = 0;
    std::uint32_t type = 0;             ///< kFirstStage or kApplication
    std::uint32_t checksum = 0;         ///< sum of all bytes behind the header, as it says
    std::uint32_t actual_checksum = 0;  ///< as they are; an open part starts the image all the same
    bool has_signature = false;         ///< an open part does not verify it

    [[nodiscard]] std::uint32_t image_bytes() const { return bytes + length; }
};

/// Returns true if the bytes begin with the magic of a boot header.
[[nodiscard]] bool is_boot_image(std::span<const std::uint8_t> image);

/// A header, or what is wrong with it.
struct BootHeaderResult {
    std::optional<BootHeader> header;
    std::string error;
};

/// Reads the header of an image that `is_boot_image`; more bytes may stand behind it. Checked are
/// version, extension, length (all of the image is there), type and entry.
[[nodiscard]] BootHeaderResult read_boot_header(std::span<const std::uint8_t> image);

/// What the boot ROM gives the core: the header's entry, and as stack the first word of the code if
/// it lies in RAM, else the end of AXISRAM2 (assumed: no public source says what the ROM leaves).
struct BootStart {
    std::uint32_t stack = 0, entry = 0;
};
[[nodiscard]] BootStart boot_start(const BootHeader& header, std::span<const std::uint8_t> image);

}  // namespace n6vp::models

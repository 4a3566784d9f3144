// SPDX-License-Identifier: Apache-2.0
#include "sim/run/image_file.h"

#include <fmt/format.h>

#include <span>
#include <string_view>
#include <utility>

#include "models/soc/system/boot_image.h"
#include "sim/exec/exec_program.h"
#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "sim/host/intel_hex.h"
#include "sim/host/s_records.h"
#include "sim/info/image_report.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

[[nodiscard]] bool is_elf(std::span<const std::uint8_t> content) {
    constexpr std::string_view kMagic =
        "\x7F"
        "ELF";
    const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
    return text.starts_with(kMagic);
}

[[nodiscard]] std::vector<HexPart> parts_of_elf(const std::string& file) {
    std::vector<HexPart> parts;
    for (ElfSegment& segment : ExecProgram::read(file).segments) {
        parts.push_back({segment.address, std::move(segment.content)});
    }
    return parts;
}

void require_format(const RunPlan::Image& image, std::span<const std::uint8_t> content) {
    const std::string shown = traces::terminal_text(image.file);
    if (image.format == ImageFormat::Hex && !is_intel_hex(content)) {
        throw UserError(shown + " is not an Intel HEX file",
                        "load a file of another format with --image");
    }
    if (image.format == ImageFormat::SRecords && !is_s_records(content)) {
        throw UserError(shown + " is not a file of S-records",
                        "load a file of another format with --image");
    }
}

/// The bytes of a file that has addresses itself.
[[nodiscard]] std::vector<HexPart> addressed_parts(const RunPlan::Image& image,
                                                   std::vector<std::uint8_t> content) {
    if (image.format == ImageFormat::Elf || is_elf(content)) return parts_of_elf(image.file);
    if (is_intel_hex(content)) return parse_intel_hex(content, image.file);
    if (is_s_records(content)) return parse_s_records(content, image.file);
    const std::string shown = traces::terminal_text(image.file);
    if (!models::is_boot_image(content)) {
        throw UserError(shown +
                            " is not an Intel HEX file, S-records, ELF or an image with boot "
                            "header, and raw bytes need an address",
                        "write --image ADDR=FILE, or `at` in [[image]]");
    }
    if (!image.boot_at) {
        throw UserError(shown + " is an image with boot header, which the STM32N6 boots",
                        "leave --chip out, or give the address: --image ADDR=FILE");
    }
    const models::BootHeader header = report::boot_header_of(image.file, content);
    if (header.type != models::BootHeader::kFirstStage) {
        throw UserError(
            fmt::format("{} is an application (image type 0), which the boot ROM does not load",
                        shown),
            "give its address, in flash for instance --image 0x70100000=FILE");
    }
    return {{to_word(*image.boot_at), std::move(content)}};
}

[[nodiscard]] std::vector<HexPart> parts_of(const RunPlan::Image& image,
                                            std::vector<std::uint8_t> content) {
    require_format(image, content);
    if (!image.at) return addressed_parts(image, std::move(content));
    const std::string shown = traces::terminal_text(image.file);
    const bool hex = is_intel_hex(content);
    if (hex || is_s_records(content)) {
        throw UserError(fmt::format("{} is {}: its records have addresses", shown,
                                    hex ? "an Intel HEX file" : "a file of S-records"),
                        "leave the address out: --image FILE, or no `at` in [[image]]");
    }
    const std::uint32_t at = to_word(*image.at);
    if (at + std::uint64_t{content.size()} > std::uint64_t{1} << 32) {
        throw UserError(fmt::format("{} at 0x{:08x}, {} bytes, exceeds the address space", shown,
                                    at, content.size()),
                        "choose a lower address, such as 0x71000000 in the external flash");
    }
    return {{at, std::move(content)}};
}

}  // namespace

std::vector<HexPart> read_image(const RunPlan::Image& image) {
    constexpr std::uintmax_t kLargest = 256u << 20;
    constexpr const char* kSizes = "an image has 1 byte to 256 MiB";
    try {
        const std::string shown = traces::terminal_text(image.file);
        if (image.format == ImageFormat::Elf) return parts_of_elf(image.file);
        std::vector<std::uint8_t> content = read_input(image.file, kLargest, kSizes);
        if (content.empty()) throw UserError(shown + " is empty", kSizes);
        if (image.bytes && *image.bytes != content.size()) {
            throw UserError(
                fmt::format("{} has {} bytes, not {}", shown, content.size(), *image.bytes),
                "check the file, or correct `bytes`");
        }
        return parts_of(image, std::move(content));
    } catch (const UserError& error) {
        throw UserError(fmt::format("{}: {}", image.origin, error.what()), error.remedy(),
                        error.exit_code());
    }
}

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/info/image_report.h"

#include <fmt/format.h>

#include <optional>
#include <ostream>
#include <vector>

#include "sim/host/errors.h"
#include "sim/host/intel_hex.h"
#include "sim/host/s_records.h"
#include "traces/escape.h"

namespace n6vp::sim::report {

namespace {

using models::BootHeader;

struct ImagePart {
    std::optional<std::uint32_t> address;  ///< none: the file has none
    std::size_t bytes = 0;
    std::optional<BootHeader> header;
};

[[nodiscard]] std::string boot_version(const BootHeader& header) {
    return fmt::format("{}.{}", header.version >> 16, header.version >> 8 & 0xFF);
}

[[nodiscard]] const char* boot_type(const BootHeader& header) {
    return header.type == BootHeader::kFirstStage ? "first-stage boot loader" : "application";
}

[[nodiscard]] std::vector<ImagePart> image_parts(const std::string& file,
                                                 std::span<const std::uint8_t> content) {
    std::vector<ImagePart> parts;
    const auto add = [&](std::optional<std::uint32_t> at, std::span<const std::uint8_t> bytes) {
        parts.push_back({at, bytes.size(), std::nullopt});
        if (models::is_boot_image(bytes)) parts.back().header = boot_header_of(file, bytes);
    };
    if (models::is_boot_image(content)) {
        add(std::nullopt, content);
        return parts;
    }
    const std::vector<HexPart> pieces =
        is_intel_hex(content) ? parse_intel_hex(content, file) : parse_s_records(content, file);
    for (const HexPart& piece : pieces) add(piece.address, piece.content);
    return parts;
}

[[nodiscard]] const char* format_of(std::span<const std::uint8_t> content) {
    if (models::is_boot_image(content)) return "raw";
    return is_intel_hex(content) ? "Intel HEX" : "S-records";
}

}  // namespace

BootHeader boot_header_of(const std::string& file, std::span<const std::uint8_t> content) {
    models::BootHeaderResult result = models::read_boot_header(content);
    if (result.header) return *result.header;
    throw UserError(fmt::format("{}: {}", traces::terminal_text(file), result.error),
                    "the file is damaged or cut off: sign or copy it again");
}

std::string boot_header_text(const BootHeader& header, const std::string& indent) {
    std::string text;
    const auto line = [&](const char* name, const std::string& value) {
        text += fmt::format("{}{:<13} {}\n", indent, name, value);
    };
    line("boot header", fmt::format("version {}, {} bytes", boot_version(header), header.bytes));
    line("image type", fmt::format("0x{:02x}, {}", header.type, boot_type(header)));
    line("length", fmt::format("{} bytes behind the header", header.length));
    line("entry", hex_word(header.entry));
    line("load address",
         header.load_address == 0xFFFFFFFF ? "none" : hex_word(header.load_address));
    const bool same = header.checksum == header.actual_checksum;
    line("checksum",
         same ? hex_word(header.checksum)
              : fmt::format("{}, computed {}: an open part starts it all the same",
                            hex_word(header.checksum), hex_word(header.actual_checksum)));
    line("signature", header.has_signature ? "present, not verified" : "none");
    line("extension", fmt::format("flags {}, {} bytes", hex_word(header.extension_flags),
                                  header.extension_bytes));
    return text;
}

Json boot_header_json(const BootHeader& header) {
    return {{"version", boot_version(header)},
            {"bytes", header.bytes},
            {"type", header.type},
            {"length", header.length},
            {"entry", hex_word(header.entry)},
            {"load_address", hex_word(header.load_address)},
            {"checksum", hex_word(header.checksum)},
            {"computed_checksum", hex_word(header.actual_checksum)},
            {"signed", header.has_signature},
            {"extension_flags", hex_word(header.extension_flags)},
            {"extension_bytes", header.extension_bytes}};
}

bool is_image_file(std::span<const std::uint8_t> content) {
    return models::is_boot_image(content) || is_intel_hex(content) || is_s_records(content);
}

void write_image(std::ostream& out, const std::string& file,
                 std::span<const std::uint8_t> content) {
    const std::vector<ImagePart> parts = image_parts(file, content);
    out << fmt::format("{}: {}, {} part{}\n", traces::terminal_text(file), format_of(content),
                       parts.size(), parts.size() == 1 ? "" : "s");
    for (const ImagePart& part : parts) {
        out << fmt::format("  {}{} bytes\n",
                           part.address ? hex_word(*part.address) + ": " : std::string(),
                           part.bytes);
        if (part.header) out << boot_header_text(*part.header, "    ");
    }
}

Json image_document(const std::string& file, std::span<const std::uint8_t> content) {
    Json document = json_document("info");
    document["kind"] = "image";
    document["file"] = file;
    document["format"] = format_of(content);
    Json& list = document["parts"] = Json::array();
    for (const ImagePart& part : image_parts(file, content)) {
        Json row = {{"bytes", part.bytes}};
        row["address"] = part.address ? Json(hex_word(*part.address)) : Json(nullptr);
        if (part.header) row["boot_header"] = boot_header_json(*part.header);
        list.push_back(std::move(row));
    }
    return document;
}

}  // namespace n6vp::sim::report

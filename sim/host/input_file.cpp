// SPDX-License-Identifier: Apache-2.0
#include "sim/host/input_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sim/host/errors.h"
#include "traces/escape.h"

namespace n6vp::sim {

std::vector<std::uint8_t> read_input(const std::string& path, std::uintmax_t most,
                                     const std::string& remedy_if_larger) {
    const std::string shown = traces::terminal_text(path);
    const auto fail = [&shown](const std::string& why, const std::string& remedy) {
        throw UserError(fmt::format("cannot read {}: {}", shown, why), remedy);
    };
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) {
        const bool absent = status.type() == std::filesystem::file_type::not_found;
        fail(absent ? "no such file" : error.message(), "check the name");
    }
    if (!std::filesystem::is_regular_file(status)) {
        fail("not a regular file", "give the file itself, not a folder or a device");
    }
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    if (error) fail(error.message(), "check read permission");
    if (bytes > most) {
        throw UserError(fmt::format("{} has {} bytes, more than {}", shown, bytes, most),
                        remedy_if_larger);
    }
    std::ifstream stream(path, std::ios::binary);
    if (!stream) fail(std::strerror(errno), "check read permission");
    std::vector<std::uint8_t> content(static_cast<std::size_t>(bytes));
    stream.read(reinterpret_cast<char*>(content.data()), static_cast<std::streamsize>(bytes));
    if (!stream) fail("unexpected end of file", "check whether another program writes it");
    return content;
}

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/host/temp_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "sim/host/errors.h"
#include "traces/escape.h"

namespace n6vp::sim {

TempFolder::TempFolder(std::string_view purpose) {
    const char* const wished = std::getenv("TMPDIR");
    const std::string base = wished != nullptr && *wished != '\0' ? wished : "/tmp";
    std::string name =
        (std::filesystem::path(base) / fmt::format("n6vp-{}-XXXXXX", purpose)).string();
    const SignalsHeld held;  // no signal between the folder and its registration
    if (mkdtemp(name.data()) == nullptr) {
        throw UserError(fmt::format("no temporary folder can be made in '{}': {}",
                                    traces::terminal_text(base), std::strerror(errno)),
                        "set TMPDIR to a folder where you may write");
    }
    path_ = name;
    removed_ = std::make_unique<RemovedBySignal>(name);
}

TempFolder::~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string TempFolder::file(std::string_view name) const {
    return (path_ / name).string();
}

void TempFolder::write(std::string_view name, std::string_view content) const {
    std::ofstream out(path_ / name, std::ios::binary);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    if (out.flush()) return;
    throw UserError(fmt::format("cannot write '{}': {}", traces::terminal_text(file(name)),
                                std::strerror(errno)),
                    "look for free space there, or set TMPDIR to another folder");
}

std::string TempFolder::read(std::string_view name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace n6vp::sim

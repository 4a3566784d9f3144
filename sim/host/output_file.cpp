// SPDX-License-Identifier: Apache-2.0
#include "sim/host/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

#include "sim/host/errors.h"
#include "sim/host/exit_codes.h"
#include "sim/host/system_error.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

/// A folder could not be replaced by the file, and a device must not be.
std::filesystem::path replaceable(std::filesystem::path path) {
    std::error_code ignored;
    const std::filesystem::file_status there = std::filesystem::status(path, ignored);
    if (!std::filesystem::exists(there) || std::filesystem::is_regular_file(there)) return path;
    throw UserError(fmt::format("cannot write '{}': a folder or device has that name",
                                traces::terminal_text(path.string())),
                    "name a file of your own");
}

/// Two runs at once, on one machine or on several that share the folder, get different names.
std::string partial_name(const std::filesystem::path& path) {
    constexpr std::size_t kMaxStem = 200;  // file systems allow 255 bytes
    static thread_local std::random_device random;
    const std::string name = fmt::format(
        "{}.{}-{:08x}.partial", path.filename().string().substr(0, kMaxStem), getpid(), random());
    return (path.parent_path() / name).string();
}

[[noreturn]] void refuse(const std::filesystem::path& path, int error) {
    throw UserError(fmt::format("cannot write '{}': {}", traces::terminal_text(path.string()),
                                std::strerror(error)),
                    remedy_for(error), kExitOutput);
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path) : path_(replaceable(std::move(path))) {
    create();
    buffer_ = std::make_unique<DescriptorBuffer>(descriptor_);
    stream_ = std::make_unique<std::ostream>(buffer_.get());
}

void OutputFile::create() {
    constexpr mode_t kMode = 0666;  // less the user's mask
    do {
        partial_ = partial_name(path_);
        pending_ = std::make_unique<RemovedBySignal>(partial_);
        descriptor_ = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ >= 0) return;
    const int error = errno;
    throw UserError(fmt::format("cannot create '{}': {}", traces::terminal_text(path_.string()),
                                std::strerror(error)),
                    remedy_for(error));
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (pending_) ::unlink(partial_.c_str());
}

void OutputFile::commit() {
    stream_->flush();
    if (buffer_->error() != 0) refuse(path_, buffer_->error());
    // A disk over the network refuses as late as this.
    if (::close(std::exchange(descriptor_, -1)) != 0) refuse(path_, errno);
    if (::rename(partial_.c_str(), path_.c_str()) != 0) refuse(path_, errno);
    pending_.reset();
}

}  // namespace n6vp::sim

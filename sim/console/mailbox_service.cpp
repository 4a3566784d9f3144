// SPDX-License-Identifier: Apache-2.0
#include "sim/console/mailbox_service.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace n6vp::sim {

RunMailbox::RunMailbox(Setup setup, PhaseRecorder& phases)
    : setup_(std::move(setup)), phases_(phases), folder_(setup_.folder, setup_.budget) {}

RunMailbox::~RunMailbox() {
    for (const auto& [handle, file] : files_) ::close(file);
}

void RunMailbox::reset() {
    for (const auto& [handle, file] : files_) ::close(file);
    files_.clear();
    next_handle_ = 1;
    exit_code_.reset();
}

RunMailbox::Error RunMailbox::begin_phase(std::uint32_t id, std::string_view name,
                                          models::Picoseconds at) {
    return phases_.begin(id, name, at);
}

RunMailbox::Error RunMailbox::end_phase(std::uint32_t id, models::Picoseconds at) {
    return phases_.end(id, at);
}

void RunMailbox::put(std::span<const std::uint8_t> text) {
    if (setup_.on_text) setup_.on_text(text);
}

void RunMailbox::exit(std::uint32_t code, models::Picoseconds at) {
    if (exit_code_) return;  // the core may run on for a moment
    exit_code_ = code;
    if (setup_.on_exit) setup_.on_exit(code, at);
}

std::uint64_t RunMailbox::cycles(models::Picoseconds at) {
    return setup_.cycles ? setup_.cycles(at) : 0;
}

int RunMailbox::descriptor(std::uint32_t handle) const {
    const auto place = files_.find(handle);
    return place == files_.end() ? -1 : place->second;
}

RunMailbox::Outcome RunMailbox::open(std::string_view name, OpenMode mode) {
    if (files_.size() >= memmap::mailbox::kMaxFiles) return {Error::TooMany, 0};
    int flags = O_RDONLY;
    if (mode == OpenMode::Write) flags = O_WRONLY | O_CREAT | O_TRUNC;
    if (mode == OpenMode::Append) flags = O_WRONLY | O_CREAT | O_APPEND;
    const int file = folder_.open(name, flags);
    if (file < 0) return {errno == ENOENT || errno == ENOTDIR ? Error::NoFile : Error::Failed, 0};
    const std::uint32_t handle = next_handle_++;
    files_[handle] = file;
    return {Error::None, handle};
}

RunMailbox::Error RunMailbox::close(std::uint32_t handle) {
    const int file = descriptor(handle);
    if (file < 0) return Error::BadHandle;
    files_.erase(handle);
    return ::close(file) == 0 ? Error::None : Error::Failed;
}

RunMailbox::Outcome RunMailbox::read(std::uint32_t handle, std::span<std::uint8_t> bytes) {
    const int file = descriptor(handle);
    if (file < 0) return {Error::BadHandle, 0};
    std::uint32_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::read(file, bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return {Error::Failed, done};
        if (count == 0) break;
        done += static_cast<std::uint32_t>(count);
    }
    return {Error::None, done};
}

RunMailbox::Outcome RunMailbox::write(std::uint32_t handle, std::span<const std::uint8_t> bytes) {
    const int file = descriptor(handle);
    if (file < 0) return {Error::BadHandle, 0};
    const auto done = static_cast<std::uint32_t>(folder_.write(file, bytes));
    return {done == bytes.size() ? Error::None : Error::Failed, done};
}

RunMailbox::Error RunMailbox::seek(std::uint32_t handle, std::uint32_t position) {
    const int file = descriptor(handle);
    if (file < 0) return Error::BadHandle;
    return ::lseek(file, static_cast<off_t>(position), SEEK_SET) < 0 ? Error::Failed : Error::None;
}

RunMailbox::Outcome RunMailbox::size(std::uint32_t handle) {
    const int file = descriptor(handle);
    struct stat status {};
    if (file < 0) return {Error::BadHandle, 0};
    if (::fstat(file, &status) != 0 || status.st_size > 0x7FFFFFFF) return {Error::Failed, 0};
    return {Error::None, static_cast<std::uint32_t>(status.st_size)};
}

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/host/granted_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "sim/host/errors.h"
#include "sim/host/system_error.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

/// Returns false for a name that would do something to the terminal of who lists the folder.
[[nodiscard]] bool is_printable(std::string_view name) {
    std::string text(name);
    std::erase(text, '\\');  // terminal_text doubles it
    return traces::terminal_text(text) == text;
}

}  // namespace

bool FileBudget::take(std::uint64_t count, std::uint64_t most, std::uint64_t& taken) {
    if (count <= most - taken) {
        taken += count;
        return true;
    }
    if (!std::exchange(refused_, true) && on_refusal) {
        on_refusal("n6vp: the program exceeds the limits of the --files folder, " +
                   std::to_string(most_bytes_) + " bytes and " + std::to_string(most_files_) +
                   " new files: refused from here on\n"
                   "      check the program for an endless write loop\n");
    }
    return false;
}

void FileBudget::report_shortage(int error) {
    const bool handles = is_handle_shortage(error);
    if (!handles && !is_disk_shortage(error)) return;
    if (std::exchange(refused_, true) || !on_refusal) return;
    on_refusal(std::string(handles ? "n6vp: the host opens no further file for the program: "
                                   : "n6vp: the host writes no more for the program: ") +
               std::strerror(error) + "\n      " + remedy_for(error) + '\n');
}

bool FileBudget::take_bytes(std::uint64_t bytes) {
    return take(bytes, most_bytes_, bytes_);
}

bool FileBudget::take_file() {
    return take(1, most_files_, files_);
}

GrantedFolder::GrantedFolder(const std::filesystem::path& folder,
                             std::shared_ptr<FileBudget> budget)
    : budget_(std::move(budget)) {
    if (folder.empty()) return;
    folder_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_ >= 0) return;
    const int error = errno;
    throw UserError("--files " + traces::terminal_text(folder.string()) +
                        " is not a folder that can be opened: " + std::strerror(error),
                    is_handle_shortage(error)
                        ? remedy_for(error)
                        : "create it, or leave --files out: the program then gets no files");
}

GrantedFolder::~GrantedFolder() {
    if (folder_ >= 0) ::close(folder_);
}

int GrantedFolder::parent_of(std::string_view name, std::string& last) const {
    if (folder_ < 0 || name.empty() || name.front() == '/' || !is_printable(name)) {
        errno = EACCES;
        return -1;
    }
    int at = dup(folder_);
    while (at >= 0) {
        const std::size_t slash = name.find('/');
        const std::string part(name.substr(0, slash));
        if (part == ".." || part.find('\0') != std::string::npos) {
            ::close(at);
            errno = EACCES;
            return -1;
        }
        if (slash == std::string_view::npos) {
            last = part;
            return at;
        }
        name.remove_prefix(slash + 1);
        if (part.empty() || part == ".") continue;
        const int next = openat(at, part.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        const int error = errno;
        ::close(at);
        errno = error;
        at = next;
    }
    return -1;
}

int GrantedFolder::open_or_make(int at, const char* name, int flags) const {
    const int found = openat(at, name, flags & ~O_CREAT);
    if (found >= 0 || errno != ENOENT || (flags & O_CREAT) == 0) return found;
    if (!budget_->take_file()) {
        errno = EDQUOT;
        return -1;
    }
    return openat(at, name, flags, 0644);
}

int GrantedFolder::open(std::string_view name, int flags) const {
    const int descriptor = open_file(name, flags);
    if (descriptor >= 0 || !budget_) return descriptor;
    const int error = errno;
    budget_->report_shortage(error);
    errno = error;
    return descriptor;
}

int GrantedFolder::open_file(std::string_view name, int flags) const {
    std::string last;
    const int at = parent_of(name, last);
    if (at < 0) return -1;
    // Not blocking: a pipe found there must not hang the run. Only files are served.
    const int descriptor =
        open_or_make(at, last.c_str(), flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    int error = errno;
    ::close(at);
    struct stat status {};
    if (descriptor >= 0 && (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))) {
        ::close(descriptor);
        error = EACCES;
        errno = error;
        return -1;
    }
    errno = error;
    return descriptor;
}

std::size_t GrantedFolder::write(int descriptor, std::span<const std::uint8_t> bytes) const {
    if (bytes.empty()) return 0;
    struct stat status {};
    if (fstat(descriptor, &status) != 0) return 0;
    const int flags = fcntl(descriptor, F_GETFL);
    const off_t start = (flags & O_APPEND) != 0 ? status.st_size : lseek(descriptor, 0, SEEK_CUR);
    if (start < 0 || flags < 0) return 0;
    const std::uint64_t gap =
        start > status.st_size ? static_cast<std::uint64_t>(start - status.st_size) : 0;
    if ((flags & O_ACCMODE) != O_RDONLY && !budget_->take_bytes(gap + bytes.size())) {
        errno = EDQUOT;
        return 0;
    }
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::write(descriptor, bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        done += static_cast<std::size_t>(count);
    }
    if (done < bytes.size()) {
        const int error = errno;
        budget_->report_shortage(error);
        errno = error;
    }
    return done;
}

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/granted_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "sim/errors.h"
#include "traces/escape.h"

namespace n6vp::sim {

GrantedFolder::GrantedFolder(const std::filesystem::path& folder) {
    if (folder.empty()) return;
    folder_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_ < 0)
        throw UserError("--files " + traces::terminal_text(folder.string()) +
                            " is not a folder that can be opened",
                        "create it, or leave --files out: the program then gets no files");
}

GrantedFolder::~GrantedFolder() {
    if (folder_ >= 0) ::close(folder_);
}

int GrantedFolder::parent_of(std::string_view name, std::string& last) const {
    if (folder_ < 0 || name.empty() || name.front() == '/') {
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

int GrantedFolder::open(std::string_view name, int flags) const {
    std::string last;
    const int at = parent_of(name, last);
    if (at < 0) return -1;
    // Not blocking: a pipe found there must not hang the run. Only files are served.
    const int descriptor =
        openat(at, last.c_str(), flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644);
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

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>

namespace n6vp::sim {

/// Returns what a user can do about an errno of files and processes.
[[nodiscard]] inline const char* remedy_for(int error) {
    switch (error) {
        case EMFILE:
        case ENFILE:
            return "raise the limit of open files (ulimit -n)";
        case ENOSPC:
        case EDQUOT:
            return "check the free space of the disk";
        case EFBIG:
            return "allow larger files: ulimit -f unlimited";
        case EROFS:
        case EACCES:
        case EPERM:
            return "choose a place where you may write";
        case ENOENT:
        case ENOTDIR:
            return "choose a folder that exists, or create it first";
        case EAGAIN:
        case ENOMEM:
            return "allow more processes, or free some memory";
        default:
            return "check the disk and the write permission";
    }
}

/// True if the process has as many files open as it may: no fault of a guest or of a compiler.
[[nodiscard]] inline bool is_handle_shortage(int error) {
    return error == EMFILE || error == ENFILE;
}

/// True if the disk, or a limit of the process, takes no more bytes.
[[nodiscard]] inline bool is_disk_shortage(int error) {
    return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

}  // namespace n6vp::sim

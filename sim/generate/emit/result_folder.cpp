// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/emit/result_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "sim/host/errors.h"
#include "sim/host/exit_codes.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace fs = std::filesystem;

namespace {

std::string shown(const fs::path& path) {
    return traces::terminal_text(path.string());
}

[[noreturn]] void cannot_write(const fs::path& path, const std::string& reason) {
    throw UserError(fmt::format("cannot write '{}': {}", shown(path), reason),
                    "check the free space, the write permission, and what has that name",
                    kExitOutput);
}

/// Writes a file with everything in it, or says why not.
void write_file(const fs::path& path, std::string_view content) {
    constexpr mode_t kMode = 0666;
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    if (file < 0) cannot_write(path, std::strerror(errno));
    int error = 0;
    while (!content.empty() && error == 0) {
        const ssize_t count = ::write(file, content.data(), content.size());
        if (count < 0 && errno != EINTR) error = errno;
        if (count > 0) content.remove_prefix(static_cast<std::size_t>(count));
    }
    if (::close(file) != 0 && error == 0) error = errno;
    if (error != 0) cannot_write(path, std::strerror(error));
}

constexpr const char *kNew = "new", *kOld = "old";

/// Waits until no other process has it.
class FolderLock {
  public:
    explicit FolderLock(const fs::path& folder)
        : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
        if (descriptor_ < 0) cannot_write(folder, std::strerror(errno));
        while (flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
        }
    }
    ~FolderLock() { ::close(descriptor_); }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    int descriptor_;
};

}  // namespace

/// What has been done to one name.
struct ResultFolder::Move {
    std::string name;
    bool kept = false;    ///< the older file is in the work folder
    bool placed = false;  ///< the new one is in its place
};

void require_folder(const fs::path& folder) {
    std::error_code error;
    fs::path at = fs::absolute(folder, error);
    while (!fs::exists(at, error) && at.has_relative_path()) at = at.parent_path();
    if (fs::is_directory(at, error)) return;
    throw UserError(fmt::format("-o: {} is not a folder", shown(folder)),
                    "name a writable folder that exists or can be created");
}

ResultFolder::ResultFolder(fs::path folder) : folder_(std::move(folder)) {
    std::error_code error;
    if (!folder_.has_filename()) folder_ = folder_.parent_path();  // "out/"
    const fs::path beside = folder_.has_parent_path() ? folder_.parent_path() : fs::path(".");
    // On the file system of the result, or nothing could be moved.
    const bool there = fs::is_directory(folder_, error);
    if (!there) fs::create_directories(beside, error);
    std::string pattern = ((there ? folder_ : beside) / ".n6vp-XXXXXX").string();
    const SignalsHeld held;  // no signal between the folder and its registration
    if (mkdtemp(pattern.data()) == nullptr) cannot_write(folder_, std::strerror(errno));
    work_ = pattern;
    removed_by_signal_ = std::make_unique<RemovedBySignal>(pattern);
    for (const char* part : {kNew, kOld}) fs::create_directory(work_ / part, error);
}

ResultFolder::~ResultFolder() {
    std::error_code ignored;
    if (!work_.empty()) fs::remove_all(work_, ignored);
}

void ResultFolder::write(std::string_view name, std::string_view content) {
    write_file(work_ / kNew / name, content);
    names_.emplace_back(name);
}

void ResultFolder::take_place(const std::string& name, bool fresh, std::vector<Move>& moved) const {
    const fs::path place = folder_ / name;
    const fs::file_status there = fs::symlink_status(place);
    moved.push_back({name});
    std::error_code error;
    if (fs::exists(there)) {
        if (fs::is_directory(there)) cannot_write(place, "a folder has that name");
        fs::rename(place, work_ / kOld / name, error);
        if (error) cannot_write(place, error.message());
        moved.back().kept = true;
    }
    if (!fresh) return;
    fs::rename(work_ / kNew / name, place, error);
    if (error) cannot_write(place, error.message());
    moved.back().placed = true;
}

void ResultFolder::commit(const std::vector<std::string>& stale) {
    std::error_code error;
    const bool made = fs::create_directory(folder_, error);
    const FolderLock lock(folder_);  // a signal ends the wait for it
    const SignalsHeld held;
    std::vector<Move> moved;
    try {
        for (const std::string& name : names_) take_place(name, true, moved);
        for (const std::string& name : stale) {
            if (std::find(names_.begin(), names_.end(), name) == names_.end()) {
                take_place(name, false, moved);
            }
        }
    } catch (const UserError& failure) {
        const bool all_back = take_back(moved);
        if (made) fs::remove(folder_, error);
        if (all_back) throw;
        const fs::path older = work_ / kOld;
        work_.clear();  // the only place of the older files
        removed_by_signal_.reset();
        throw UserError(
            failure.what(),
            fmt::format("the older files could not be put back: they are in '{}'", shown(older)),
            kExitOutput);
    }
}

bool ResultFolder::take_back(const std::vector<Move>& moved) const {
    bool all = true;
    for (auto one = moved.rbegin(); one != moved.rend(); ++one) {
        std::error_code error;
        if (one->placed) fs::remove(folder_ / one->name, error);
        if (!one->kept) continue;
        fs::rename(work_ / kOld / one->name, folder_ / one->name, error);
        if (error) all = false;
    }
    return all;
}

}  // namespace n6vp::sim::generate

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace n6vp::sim {

/// What a simulated program may take of the host's disk, by whatever way: one in a loop must not
/// fill it.
class FileBudget {
  public:
    static constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;  ///< 1 GiB
    static constexpr std::uint64_t kMaxFiles = 4096;                    ///< made in one run

    explicit FileBudget(std::uint64_t bytes = kMaxBytes, std::uint64_t files = kMaxFiles)
        : most_bytes_(bytes), most_files_(files) {}

    /// Called once, at the first refusal, with one line of cause and one of remedy.
    std::function<void(const std::string&)> on_refusal;

    /// Both take what they return true for; nothing is given back.
    [[nodiscard]] bool take_bytes(std::uint64_t bytes);
    [[nodiscard]] bool take_file();
    /// Reports once if `error` says that the host, not the program, has too many files open or no
    /// room on the disk.
    void report_shortage(int error);

  private:
    [[nodiscard]] bool take(std::uint64_t count, std::uint64_t most, std::uint64_t& taken);

    std::uint64_t most_bytes_, most_files_;
    std::uint64_t bytes_ = 0, files_ = 0;
    bool refused_ = false;
};

/// The only folder whose files a simulated program may reach. Names are taken apart by hand,
/// component by component, and no link is followed: nothing outside can be named.
class GrantedFolder {
  public:
    /// An empty path grants nothing. `budget` is shared by all ways into the folder. Fails with
    /// UserError if it is no folder.
    GrantedFolder(const std::filesystem::path& folder, std::shared_ptr<FileBudget> budget);
    ~GrantedFolder();
    GrantedFolder(const GrantedFolder&) = delete;
    GrantedFolder& operator=(const GrantedFolder&) = delete;

    [[nodiscard]] explicit operator bool() const { return folder_ >= 0; }

    /// Returns a descriptor of the folder that `name` is in, to be closed, and its last component.
    /// Returns -1 and sets errno if the name leads nowhere or outside.
    [[nodiscard]] int parent_of(std::string_view name, std::string& last) const;
    /// Opens a regular file. Returns -1 and sets errno if that fails; EDQUOT if it would be one
    /// file too many.
    [[nodiscard]] int open(std::string_view name, int flags) const;
    /// Writes at the file's position. Returns the number of bytes written; if they are fewer than
    /// asked, errno says why, EDQUOT for those that are too many. Bytes that the file gets between
    /// its old end and the position count as well.
    [[nodiscard]] std::size_t write(int descriptor, std::span<const std::uint8_t> bytes) const;

  private:
    [[nodiscard]] int open_file(std::string_view name, int flags) const;
    [[nodiscard]] int open_or_make(int at, const char* name, int flags) const;

    int folder_ = -1;
    std::shared_ptr<FileBudget> budget_;
};

}  // namespace n6vp::sim

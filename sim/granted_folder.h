// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace n6vp::sim {

/// The only folder whose files a simulated program may reach. Names are taken apart by hand,
/// component by component, and no link is followed: nothing outside can be named.
class GrantedFolder {
  public:
    /// An empty path grants nothing. Fails with UserError if it is no folder.
    explicit GrantedFolder(const std::filesystem::path& folder);
    ~GrantedFolder();
    GrantedFolder(const GrantedFolder&) = delete;
    GrantedFolder& operator=(const GrantedFolder&) = delete;

    [[nodiscard]] explicit operator bool() const { return folder_ >= 0; }

    /// Returns a descriptor of the folder that `name` is in, to be closed, and its last component.
    /// Returns -1 and sets errno if the name leads nowhere or outside.
    [[nodiscard]] int parent_of(std::string_view name, std::string& last) const;
    /// Opens a regular file. Returns -1 and sets errno if that fails.
    [[nodiscard]] int open(std::string_view name, int flags) const;

  private:
    int folder_ = -1;
};

}  // namespace n6vp::sim

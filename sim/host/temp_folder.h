// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "sim/host/signals.h"

namespace n6vp::sim {

/// A folder for temporary files, in TMPDIR or /tmp, accessible to its owner only. It is removed
/// with its content by the destructor or by a signal that ends the process.
class TempFolder {
  public:
    /// `purpose` is a part of its name. Fails with UserError if it cannot be made.
    explicit TempFolder(std::string_view purpose);
    ~TempFolder();
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::string file(std::string_view name) const;
    /// Fails with UserError if the disk refuses.
    void write(std::string_view name, std::string_view content) const;
    /// Returns what is in a file of the folder, "" if there is none.
    [[nodiscard]] std::string read(std::string_view name) const;

  private:
    std::filesystem::path path_;
    std::unique_ptr<RemovedBySignal> removed_;
};

}  // namespace n6vp::sim

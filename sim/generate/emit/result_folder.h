// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/host/signals.h"

namespace n6vp::sim::generate {

/// One file of a result.
struct ResultFile {
    std::string name, content;
};

/// Fails with UserError, before any work, if the folder cannot exist since a file has its name or
/// that of one above it.
void require_folder(const std::filesystem::path& folder);

/// A folder that gets several files as one result: all of them appear, or none. They are written
/// into a folder of their own, which goes by an error and by a signal, and then moved to their
/// places; no other process moves files there meanwhile. Of two results at a time the later one
/// stays, whole. Only a process that is killed while it moves leaves a mixture.
class ResultFolder {
  public:
    /// Fails with UserError if nothing can be written there.
    explicit ResultFolder(std::filesystem::path folder);
    /// Removes what was not committed.
    ~ResultFolder();
    ResultFolder(const ResultFolder&) = delete;
    ResultFolder& operator=(const ResultFolder&) = delete;

    /// Fails with UserError if the disk refuses.
    void write(std::string_view name, std::string_view content);
    /// Moves all that was written to its place. Of an older result, files of the names `stale` go
    /// with it. Fails with UserError, everything as before, if a place cannot be taken;
    /// if that is not possible either, the error names the folder of the older files.
    void commit(const std::vector<std::string>& stale);

  private:
    struct Move;
    void take_place(const std::string& name, bool fresh, std::vector<Move>& moved) const;
    /// Undoes the moves. Returns false if an older file is still in the work folder.
    [[nodiscard]] bool take_back(const std::vector<Move>& moved) const;

    std::filesystem::path folder_, work_;
    std::unique_ptr<RemovedBySignal> removed_by_signal_;
    std::vector<std::string> names_;
};

}  // namespace n6vp::sim::generate

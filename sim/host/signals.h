// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>

namespace n6vp::sim {

/// Makes Ctrl-C (SIGINT), SIGTERM and a closed terminal (SIGHUP) remove every unfinished
/// OutputFile, say so in one line and end the process with exit code 130; makes writing to a closed
/// pipe an ordinary error. To be called once, before any work.
void catch_signals();

/// A file that appears under its name only when it is complete. It is written beside its place as
/// `<name>.partial`; `commit` moves it there. Without `commit`, and on Ctrl-C, the partial file is
/// removed and an older file of that name stays as it was. At most 32 are open at a time.
class OutputFile {
  public:
    /// Fails with UserError (exit code 2) if the file cannot be created, or if the name is that of
    /// a folder or a device.
    explicit OutputFile(std::filesystem::path path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    [[nodiscard]] std::ostream& stream() { return stream_; }
    /// Writes everything out and gives the file its name. Fails with UserError if the disk refuses.
    void commit();

  private:
    std::filesystem::path path_;
    std::string partial_;
    std::ofstream stream_;
    int slot_;
    bool open_ = true;
};

}  // namespace n6vp::sim

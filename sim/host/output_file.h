// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>

#include "sim/host/output_stream.h"
#include "sim/host/signals.h"

namespace n6vp::sim {

/// A file that appears under its name only when it is complete. It is written beside its place
/// under a name of its own, `<name>.<process>-<random>.partial`; `commit` moves it there. Without
/// `commit`, and on a signal, the partial file is removed and an older file of that name stays.
class OutputFile {
  public:
    /// Fails with UserError (exit code 2) if the file cannot be created, or if the name is that of
    /// a folder or a device.
    explicit OutputFile(std::filesystem::path path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    [[nodiscard]] std::ostream& stream() { return *stream_; }
    /// Writes everything out and gives the file its name. Fails with UserError (exit code 7) if the
    /// disk refuses.
    void commit();

  private:
    void create();

    std::filesystem::path path_;
    std::string partial_;
    std::unique_ptr<RemovedBySignal> pending_;
    int descriptor_ = -1;
    std::unique_ptr<DescriptorBuffer> buffer_;
    std::unique_ptr<std::ostream> stream_;
};

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memmap/guest_addr.h"
#include "sim/platform/platform.h"

/// Memory as it is when an epoch ends, before a later one uses it for something else.
namespace n6vp::sim::model_run {

/// What to keep, and when.
struct SnapshotPoint {
    std::uint32_t epoch = 0;
    AddressRange range;
};
/// Reads "EPOCH:ADDR:BYTES". Fails with UserError.
[[nodiscard]] SnapshotPoint parse_snapshot(const std::string& text);

/// Returns the name of the file that a snapshot becomes: "epoch-4-342e0000.bin".
[[nodiscard]] std::string snapshot_name(const SnapshotPoint& point);

/// Keeps the bytes of one inference, the first.
class Snapshots {
  public:
    explicit Snapshots(const std::vector<SnapshotPoint>& points);

    /// Epochs are reported in their order.
    void epoch_ended(std::uint32_t number, Platform& platform);
    /// Writes what was kept. Fails with UserError if an epoch never ended or if there is no memory
    /// at an address, when all others are written, or for a file that cannot be written.
    void write(const std::string& folder) const;

  private:
    struct Snapshot {
        SnapshotPoint point;
        /// Empty: no memory there. None before its epoch ended.
        std::optional<std::vector<std::uint8_t>> bytes;
    };
    void require(const Snapshot& snapshot) const;

    std::vector<Snapshot> snapshots_;
    std::uint32_t last_epoch_ = 0;
};

}  // namespace n6vp::sim::model_run

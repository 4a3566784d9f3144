// SPDX-License-Identifier: Apache-2.0
#include "sim/inference/snapshots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "sim/host/errors.h"
#include "sim/host/numbers.h"
#include "sim/host/output_file.h"
#include "traces/escape.h"

namespace n6vp::sim::model_run {

namespace {

constexpr std::uint32_t kMaxBytes = 64u << 20;

}  // namespace

SnapshotPoint parse_snapshot(const std::string& text) {
    std::array<std::uint32_t, 3> numbers{};
    std::string_view rest = text;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::size_t end = i + 1 < numbers.size() ? rest.find(':') : rest.size();
        const auto number =
            parse_integer<std::uint32_t>(rest.substr(0, std::min(end, rest.size())));
        numbers.at(i) = number.value_or(0);
        if (end == std::string_view::npos || !number) {
            throw UserError(fmt::format("--snapshot '{}'", traces::terminal_text(text)),
                            "write EPOCH:ADDR:BYTES, for instance 3:0x342e0000:4096");
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const AddressRange range{GuestAddr{numbers[1]}, numbers[2]};
    if (range.bytes == 0 || range.bytes > kMaxBytes) {
        throw UserError(
            fmt::format("--snapshot '{}': {} bytes", traces::terminal_text(text), range.bytes),
            "a snapshot has 1 byte to 64 MiB");
    }
    return {numbers[0], range};
}

std::string snapshot_name(const SnapshotPoint& point) {
    return fmt::format("epoch-{}-{:08x}.bin", point.epoch, to_word(point.range.start));
}

Snapshots::Snapshots(const std::vector<SnapshotPoint>& points) {
    snapshots_.reserve(points.size());
    for (const SnapshotPoint& point : points) snapshots_.push_back({point, {}});
}

void Snapshots::epoch_ended(std::uint32_t number, Platform& platform) {
    last_epoch_ = number;
    for (Snapshot& one : snapshots_) {
        if (one.point.epoch != number || one.bytes) continue;
        one.bytes.emplace(one.point.range.bytes);
        if (!platform.fetch(one.point.range.start, *one.bytes)) one.bytes->clear();
    }
}

void Snapshots::write(const std::string& folder) const {
    for (const Snapshot& one : snapshots_) {
        if (!one.bytes || one.bytes->empty()) continue;
        OutputFile file(std::filesystem::path(folder) / snapshot_name(one.point));
        file.stream().write(reinterpret_cast<const char*>(one.bytes->data()),
                            static_cast<std::streamsize>(one.bytes->size()));
        file.commit();
    }
    for (const Snapshot& one : snapshots_) require(one);
}

void Snapshots::require(const Snapshot& snapshot) const {
    const SnapshotPoint& point = snapshot.point;
    if (!snapshot.bytes) {
        throw UserError(fmt::format("--snapshot: the model has no epoch {}", point.epoch),
                        fmt::format("the last epoch of this model is {}", last_epoch_));
    }
    if (!snapshot.bytes->empty()) return;
    throw UserError(fmt::format("--snapshot: {} bytes at 0x{:08x} are not all in memory",
                                point.range.bytes, to_word(point.range.start)),
                    "n6vp map shows the memories");
}

}  // namespace n6vp::sim::model_run

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "memmap/board.h"
#include "memmap/regions.h"
#include "sim/model_file/mpool.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

using Kind = MpoolRemark::Kind;

std::string bounds(AddressRange range) {
    return fmt::format("0x{:08x}..0x{:08x}", to_word(range.start), range.end() - 1);
}

std::string nearest_text(GuestAddr address) {
    const memmap::Neighbour near = memmap::nearest_region(address);
    return fmt::format("nearest is {}, {} bytes {}", near.region->name, near.distance,
                       near.above ? "above" : "below");
}

/// Collects the remarks on one file.
class Judge {
  public:
    explicit Judge(const MpoolFile& file) : file_(file) {}

    std::vector<MpoolRemark> run() {
        for (index_ = 0; index_ < file_.pools.size(); ++index_) {
            const Mpool& pool = file_.pools[index_];
            if (!pool.used()) continue;
            judge_place(pool);
            judge_neighbours(pool);
            judge_kind(pool);
        }
        return std::move(remarks_);
    }

  private:
    void add(Kind kind, bool warning, std::string text) {
        remarks_.push_back({kind, warning, index_, std::move(text)});
    }

    void judge_place(const Mpool& pool) {
        const memmap::Location start = memmap::find_region(pool.range.start);
        if (!start) {
            add(Kind::OutsideMap, true,
                fmt::format("no memory at {}; {}", bounds(pool.range),
                            nearest_text(pool.range.start)));
            return;
        }
        const RegionCover covered = cover(pool.range);
        if (covered.uncovered != 0) {
            add(Kind::PastRegion, true,
                fmt::format(
                    "{} of {} bytes lie in no memory: {} starts in {} and runs past its end",
                    covered.uncovered, pool.range.bytes, bounds(pool.range), start.region->name));
        } else if (covered.pieces.size() > 1) {
            std::string banks;
            for (const RegionCover::Piece& piece : covered.pieces) {
                banks += fmt::format("{}{} ({} bytes)", banks.empty() ? "" : ", ", piece.region,
                                     piece.range.bytes);
            }
            add(Kind::StraddlesBanks, false,
                fmt::format("spans several banks with separate ports: {}", banks));
        }
        judge_region(pool, start);
    }

    void judge_region(const Mpool& pool, const memmap::Location& start) {
        const memmap::Region& region = *start.region;
        const std::uint64_t last = std::uint64_t{start.offset} + pool.range.bytes;
        if (region.fitted_bytes < region.bytes && last > region.fitted_bytes) {
            add(Kind::PastFitted, true,
                fmt::format("needs {} bytes of the {} window, the discovery kit has {}", last,
                            region.name, region.fitted_bytes));
        }
        if (!region.npu) {
            add(Kind::NotNpuMemory, true, fmt::format("the NPU does not reach {}", region.name));
        }
        if (region.kind == memmap::RegionKind::Nor && pool.properties.writable()) {
            add(Kind::WritesReadOnly, true,
                fmt::format("ACC_WRITE in {}, which is read-only while memory mapped",
                            region.name));
        }
        if (pool.properties.npu_cacheable() && !region.npu_cacheable) {
            add(Kind::CacheableOnChip, true,
                fmt::format("CACHEABLE_ON in {}: the NPU cache serves external memory only",
                            region.name));
        }
        if (region.kind == memmap::RegionKind::NpuCacheRam) {
            add(Kind::NpuCacheStorage, false,
                "lies in the storage of the NPU cache, which is RAM only while the cache is off");
        }
        const std::uint32_t width = region.width_bits / 8;
        if (width != 0 && pool.properties.byte_width != 0 && pool.properties.byte_width != width) {
            add(Kind::WidthDiffers, false,
                fmt::format("byteWidth {} but the port of {} is {} bytes wide",
                            pool.properties.byte_width, region.name, width));
        }
    }

    void judge_neighbours(const Mpool& pool) {
        for (std::size_t other = 0; other < index_; ++other) {
            const Mpool& earlier = file_.pools[other];
            if (!earlier.range.overlaps(pool.range)) continue;
            add(Kind::OverlapsPool, true,
                fmt::format("{} overlaps pool '{}' at {}", bounds(pool.range),
                            traces::terminal_text(earlier.name), bounds(earlier.range)));
        }
        if (pool.relative()) return;  // The application decides where those go.
        if (pool.range.overlaps(memmap::board::kFirmware)) {
            add(Kind::OverlapsFirmware, true,
                fmt::format("overlaps the validation firmware at {}",
                            bounds(memmap::board::kFirmware)));
        }
        if (pool.range.overlaps(memmap::board::kExecRam)) {
            add(Kind::OverlapsFirmware, true,
                fmt::format("overlaps the default exec RAM at {}",
                            bounds(memmap::board::kExecRam)));
        }
    }

    void judge_kind(const Mpool& pool) {
        const bool external = to_word(pool.range.start) >= to_word(memmap::kExternalBase);
        if (pool.relative() && !external) {
            add(Kind::RelativeOnChip, true,
                "USEMODE_RELATIVE below 0x60000000: the generator of relocatable models refuses "
                "it");
        }
        if (!pool.relative() && external) {
            add(Kind::AbsoluteExternal, false,
                "absolute from 0x60000000 up: fine for static models, refused for relocatable ones "
                "that use it");
        }
        if (!pool.relative()) return;
        const auto same_kind = [&pool](const Mpool& other) {
            return other.used() && other.relative() &&
                   other.properties.writable() == pool.properties.writable();
        };
        const auto begin = file_.pools.begin();
        if (std::any_of(begin, begin + static_cast<std::ptrdiff_t>(index_), same_kind)) {
            add(Kind::TooManyRelative, true,
                fmt::format("a second {} relative pool: relocatable models have one at most",
                            pool.properties.writable() ? "read-write" : "read-only"));
        }
    }

    const MpoolFile& file_;
    std::size_t index_ = 0;
    std::vector<MpoolRemark> remarks_;
};

}  // namespace

RegionCover cover(AddressRange range) {
    RegionCover covered;
    covered.uncovered = range.bytes;
    const auto add = [&](const char* name, AddressRange region) {
        if (!region.overlaps(range)) return;
        const std::uint32_t start = std::max(to_word(region.start), to_word(range.start));
        const std::uint64_t end = std::min(region.end(), range.end());
        const auto bytes = static_cast<std::uint32_t>(end - start);
        covered.pieces.push_back({name, {GuestAddr{start}, bytes}});
        covered.uncovered -= bytes;
    };
    for (const memmap::Region& region : memmap::kRegions) {
        add(region.name, region.non_secure_range());
        if (region.has_two_aliases()) add(region.name, region.secure_range());
    }
    std::sort(covered.pieces.begin(), covered.pieces.end(),
              [](const RegionCover::Piece& left, const RegionCover::Piece& right) {
                  return to_word(left.range.start) < to_word(right.range.start);
              });
    return covered;
}

std::vector<MpoolRemark> judge_mpool(const MpoolFile& file) {
    return Judge(file).run();
}

std::string_view remark_name(MpoolRemark::Kind kind) {
    switch (kind) {
        case Kind::OutsideMap:
            return "outside-map";
        case Kind::PastRegion:
            return "past-region";
        case Kind::PastFitted:
            return "past-fitted";
        case Kind::StraddlesBanks:
            return "straddles-banks";
        case Kind::OverlapsPool:
            return "overlaps-pool";
        case Kind::OverlapsFirmware:
            return "overlaps-firmware";
        case Kind::NotNpuMemory:
            return "not-npu-memory";
        case Kind::WritesReadOnly:
            return "writes-read-only";
        case Kind::CacheableOnChip:
            return "cacheable-on-chip";
        case Kind::RelativeOnChip:
            return "relative-on-chip";
        case Kind::AbsoluteExternal:
            return "absolute-external";
        case Kind::TooManyRelative:
            return "too-many-relative";
        case Kind::WidthDiffers:
            return "width-differs";
        case Kind::NpuCacheStorage:
            return "npu-cache-storage";
    }
    return "unknown";
}

}  // namespace n6vp::sim

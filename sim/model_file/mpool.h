// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "memmap/guest_addr.h"

/// Memory-pool files (`.mpool`) of the vendor's compiler: which memories it may use and what it
/// believes about them. The files are JSON; the keys below are those of published files. Not
/// modelled: what the compiler does with throughput, latency and power (they are carried as
/// written).
namespace n6vp::sim {

/// "prop" of a pool or of the cache, as written. Text is empty and numbers are 0 where a key is
/// absent.
struct MpoolProperties {
    std::string rights;      ///< ACC_READ or ACC_WRITE (which includes reading)
    std::string throughput;  ///< LOW, MID or HIGH
    std::string latency;     ///< LOW, MID or HIGH
    std::string cacheable;   ///< CACHEABLE_ON, or empty
    std::uint32_t byte_width = 0;
    double freq_ratio = 0;  ///< NPU cycles per beat
    double read_power = 0, write_power = 0;
    bool constants_preferred = false;

    [[nodiscard]] bool writable() const { return rights == "ACC_WRITE"; }
    [[nodiscard]] bool npu_cacheable() const { return cacheable == "CACHEABLE_ON"; }
};

struct MpoolCache {
    std::uint32_t lines = 0, line_bytes = 0, ways = 0;
    bool bypass = false;
    MpoolProperties properties;
};

struct Mpool {
    std::string file_name;  ///< "fname"
    std::string name;
    std::string format;     ///< "fformat"
    std::string mode;       ///< USEMODE_RELATIVE for pools that move with the model, else empty
    AddressRange range;     ///< offset and size in bytes
    std::string json_path;  ///< where the entry stands, for messages
    MpoolProperties properties;

    [[nodiscard]] bool used() const { return range.bytes != 0; }
    [[nodiscard]] bool relative() const { return mode == "USEMODE_RELATIVE"; }
};

/// One compiler parameter of the file, value multiplied out to bytes where it has a magnitude.
struct MpoolParameter {
    std::string name;
    std::uint64_t value = 0;
};

struct MpoolFile {
    std::vector<MpoolParameter> parameters;
    std::vector<MpoolCache> caches;
    std::string file_prefix;  ///< "mem_file_prefix"
    std::vector<Mpool> pools;
    /// JSON paths of keys this reader does not know, and of known keys with a word it does not
    /// know.
    std::vector<std::string> unknown;
};

/// Largest file that is read; published ones have 4 KB.
inline constexpr std::size_t kMaxMpoolBytes = std::size_t{1024} * 1024;

/// Reads `text`. Fails with UserError, naming the line or the JSON path, for broken JSON, a key
/// given twice, a missing key, a value of the wrong type or out of range. `shown_name` is for
/// messages.
[[nodiscard]] MpoolFile parse_mpool(std::string_view text, std::string_view shown_name);
[[nodiscard]] MpoolFile read_mpool(const std::string& path);

/// One remark about a pool against the address map or another pool.
struct MpoolRemark {
    enum class Kind : std::uint8_t {
        OutsideMap,        ///< no memory at its address
        PastRegion,        ///< starts in memory, runs into nothing
        PastFitted,        ///< inside a window, past what the discovery kit has there
        StraddlesBanks,    ///< lies in several adjacent banks: legal, but each has its own port
        OverlapsPool,      ///< shares bytes with another used pool
        OverlapsFirmware,  ///< shares bytes with firmware or exec RAM of the default layout
        NotNpuMemory,      ///< the NPU does not reach it
        WritesReadOnly,    ///< writable pool in NOR
        CacheableOnChip,   ///< NPU-cacheable pool in on-chip RAM
        RelativeOnChip,    ///< relative pool below 0x60000000: the generator refuses it
        AbsoluteExternal,  ///< absolute pool from 0x60000000: not for relocatable models
        TooManyRelative,   ///< more than one read-only or read-write relative pool
        WidthDiffers,      ///< byteWidth is not the width of the port
        NpuCacheStorage,   ///< lies in the NPU cache's own RAM
    };
    Kind kind;
    bool warning;      ///< else a hint
    std::size_t pool;  ///< index into MpoolFile::pools
    std::string text;
};

/// Returns every remark, pools in file order. Unused pools (size 0) are not judged.
[[nodiscard]] std::vector<MpoolRemark> judge_mpool(const MpoolFile& file);

/// Returns the stable name of a remark kind, such as "outside-map".
[[nodiscard]] std::string_view remark_name(MpoolRemark::Kind kind);

/// Returns the regions that a range touches, by ascending address, and how many of its bytes lie in
/// none.
struct RegionCover {
    struct Piece {
        std::string region;
        AddressRange range;
    };
    std::vector<Piece> pieces;
    std::uint64_t uncovered = 0;
};
[[nodiscard]] RegionCover cover(AddressRange range);

}  // namespace n6vp::sim

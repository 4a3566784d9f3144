// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loader/install.h"

/// Shared by the parts of `check`; not for users of the loader. Everything here is built for size:
/// a board carries the checks, and they have more than a hundred and fifty call sites.
namespace n6vp::loader::checks {

/// A rule, and how many bytes behind the run's place the word concerned lies, in one halfword.
enum class Code : std::uint16_t {};

inline constexpr std::uint32_t kFieldShift = 9;
static_assert(static_cast<std::uint32_t>(Rule::kCount) <= 1u << kFieldShift);

[[nodiscard]] constexpr Code at(Rule rule, std::uint32_t field = 0) {
    return static_cast<Code>(static_cast<std::uint32_t>(rule) | field / 4 << kFieldShift);
}

/// Returns the code of the rule `distance` places behind: families of rules stand in the same order
/// everywhere.
[[nodiscard]] constexpr Code after(Code code, std::uint32_t distance) {
    return static_cast<Code>(static_cast<std::uint32_t>(code) + distance);
}
[[nodiscard]] constexpr bool follows(Rule base, std::uint32_t distance, Rule rule) {
    return static_cast<std::uint32_t>(base) + distance == static_cast<std::uint32_t>(rule);
}

/// Reads words of the file in chunks: a word at a time through a port would be most of the time of
/// a check.
class WordReader {
  public:
    /// Looks ahead, but never to the file offset `limit` or beyond.
    WordReader(const Container& file, std::uint32_t limit) : file_(&file), limit_(limit) {}
    [[nodiscard]] bool word(std::uint32_t offset, std::uint32_t& value);

  private:
    static constexpr std::uint32_t kChunkBytes = 256;
    const Container* file_;
    std::uint32_t limit_, start_ = 0, bytes_ = 0;
    std::uint8_t chunk_[kChunkBytes];
};

/// What an install touches.
enum Region : std::uint8_t { kExec, kExt, kImage, kParams, kInstance, kRegionCount };

/// One run of all checks: what is judged, what was found out on the way, and where findings go.
struct Run {
    const Container& file;
    FindingSink sink;
    const InstallRequest* request = nullptr;  ///< null when only the file is judged
    GuestAddr given_params{};                 ///< 0 = use the file's own section
    std::uint32_t given_params_bytes = kUnknownBytes;

    Status first_error = Status::Ok;
    std::uint32_t errors = 0;
    bool stopped = false;  ///< the receiver wants no more

    /// Header words as offsets: those of RO and relocations into the file, the others from the RAM
    /// base.
    std::uint32_t ro = 0, data_end = 0, got_start = 0, got_end = 0, copied = 0, rw = 0;
    std::uint32_t rel_start = 0, rel_end = 0;
    std::uint32_t context_at = 0, table_at = 0;  ///< file offsets of rt_ctx and pool table

    bool bounds_ok = false;       ///< the bounds of RO, data, GOT and bss make sense
    bool relocations_ok = false;  ///< those and the bounds of the relocation table
    bool context_ok = false;
    RuntimeContext context{};

    bool params_known = false;  ///< an address was given or the file has a parameter section
    bool blobs_first = false;   ///< the section starts with epoch-controller blobs
    std::uint32_t params_base = 0;
    std::uint32_t params_bytes = kUnknownBytes;
    std::uint32_t blob_bytes = 0;  ///< their length, 0 if unknown

    bool has_external = false;  ///< there is a RELOC pool with id 1
    std::uint32_t pool_count = 0;
    std::uint32_t external_size = 0;   ///< its size as stated
    std::uint32_t external_bytes = 0;  ///< rounded up to 8
    std::uint32_t param_foff = 0;      ///< foff of the last RELOC.PARAM pool with id 0

    /// Sizes of the pools added up, modulo 2^32; rounded: each of them up to 8.
    std::uint32_t pools_size = 0, pools_rounded = 0;
    std::uint32_t constants_rounded = 0;  ///< of PARAM and MIXED pools
    bool has_activations = false;         ///< there is a pool for them

    AddressRange regions[kRegionCount] = {};  ///< empty if unused or, without a request, unknown

    /// Where the next findings are; all of it may be unknown.
    std::uint32_t place = kNotApplicable, index = kNotApplicable, address = kNotApplicable;

    [[nodiscard]] const Header& header() const { return file.header(); }
    [[nodiscard]] bool copies() const { return (request->mode & format::kModeCopy) != 0; }
    /// Sets the place of the next findings.
    void go(std::uint32_t file_offset, std::uint32_t at_index = kNotApplicable,
            std::uint32_t at_address = kNotApplicable);
    void go_address(std::uint32_t at_address) { go(kNotApplicable, kNotApplicable, at_address); }

    void fault(Code code, std::uint32_t expected, std::uint32_t found);
    void fault(Code code);
    void fault(const Diagnosis& diagnosis);
    /// Report the rule if the value is below or above a bound, or not a multiple.
    void require_least(Code code, std::uint32_t least, std::uint32_t value);
    void require_most(Code code, std::uint32_t most, std::uint32_t value);
    void require_multiple(Code code, std::uint32_t of, std::uint32_t value);
    void require_equal(Code code, std::uint32_t expected, std::uint32_t value);
    /// Reports the rule if the two ranges share a byte, at the first of them; the secure and the
    /// non-secure address of on-chip memory are one place.
    void require_apart(Code code, const AddressRange& a, const AddressRange& b);
    /// Judges an address by the rules …Alignment (4), …Alignment8 and …CacheLine (32) that start at
    /// `base`.
    void require_alignment(Code base, std::uint32_t address);
    /// Judges a string at a FLASH link address; `base` is the first of the six rules …Space,
    /// …Outside, …Unterminated, …TooLong, …Empty, …Unprintable.
    void require_text(Code base, std::uint32_t link_address);
};

void check_header(Run& run);
void check_context(Run& run);
void check_firmware(Run& run);
void locate_params(Run& run);
void gather_pools(Run& run);
void locate_regions(Run& run);
void check_request(Run& run);
void check_params(Run& run);
void check_pools(Run& run);
void check_image(Run& run);

/// Returns true if any byte belongs to a peripheral, a system register or the private peripheral
/// bus (RM0486 memory map: 0x40000000–0x5FFFFFFF and from 0xE0000000). The range must not wrap.
[[nodiscard]] bool is_peripheral(const AddressRange& range);

/// Returns true if the grants of the request together hold every byte. The range must not wrap.
[[nodiscard]] bool is_granted(const InstallRequest& request, const AddressRange& range);

}  // namespace n6vp::loader::checks

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loader/install.h"

/// Shared by the parts of `check` and by the installer; not for users of the loader.
namespace n6vp::loader::checks {

/// Returns the rule `distance` places behind `base`: families of rules stand in the same order
/// everywhere.
[[nodiscard]] constexpr Rule rule_after(Rule base, std::uint32_t distance) {
    return static_cast<Rule>(static_cast<std::uint32_t>(base) + distance);
}

/// Where a finding is; all of it may be unknown.
struct Place {
    std::uint32_t file_offset = kNotApplicable;
    std::uint32_t index = kNotApplicable;
    std::uint32_t address = kNotApplicable;
};

/// Passes findings on, remembers the first error and whether the receiver wants no more.
class Reporter {
  public:
    explicit Reporter(FindingSink sink) : sink_(sink) {}
    void add(Rule rule, Place place, std::uint32_t expected = kNotApplicable,
             std::uint32_t found = kNotApplicable);
    void add(const Diagnosis& diagnosis);
    [[nodiscard]] bool stopped() const { return stopped_; }
    [[nodiscard]] std::uint32_t errors() const { return errors_; }
    [[nodiscard]] Status first_error() const { return first_error_; }

  private:
    FindingSink sink_;
    Status first_error_ = Status::Ok;
    std::uint32_t errors_ = 0;
    bool stopped_ = false;
};

/// Reads words of the file in chunks: a word at a time through a port would be most of the time of
/// a check.
class WordReader {
  public:
    explicit WordReader(const Container& file) : file_(&file) {}
    /// Reads the word at `offset`; looks ahead, but never to `limit` or beyond.
    [[nodiscard]] bool word(std::uint32_t offset, std::uint32_t limit, std::uint32_t& value);

  private:
    static constexpr std::uint32_t kChunkBytes = 256;
    const Container* file_;
    std::uint32_t start_ = 0, bytes_ = 0;
    std::uint8_t chunk_[kChunkBytes];
};

/// Parameters as they will be found at install.
struct Parameters {
    bool known = false;  ///< an address was given or the file has a parameter section
    GuestAddr base{};
    std::uint32_t bytes = kUnknownBytes;
    bool blobs_first = false;      ///< the section starts with epoch-controller blobs
    std::uint32_t blob_bytes = 0;  ///< their length, 0 if it cannot be told
};

/// What the pool table says, gathered before it is judged.
struct PoolFacts {
    std::uint32_t count = 0;
    bool has_external = false;         ///< a RELOC pool with id 1
    std::uint32_t external_size = 0;   ///< its size as stated
    std::uint32_t external_bytes = 0;  ///< rounded up to 8
    std::uint32_t param_foff = 0;      ///< foff of the last RELOC.PARAM pool with id 0
};

/// One run of all checks.
struct Run {
    const Container& file;
    Reporter& report;
    const InstallRequest* request = nullptr;  ///< null when only the file is judged
    GuestAddr given_params{};                 ///< 0 = use the file's own section
    std::uint32_t given_params_bytes = kUnknownBytes;
    bool bounds_ok = false;       ///< the bounds of RO, data, GOT and bss make sense
    bool relocations_ok = false;  ///< those and the bounds of the relocation table
    bool context_ok = false;
    RuntimeContext context{};
    Parameters params{};
    PoolFacts pools{};

    [[nodiscard]] const Header& header() const { return file.header(); }
    [[nodiscard]] bool copies() const { return (request->mode & format::kModeCopy) != 0; }
    /// Returns the file offset of rt_ctx.
    [[nodiscard]] std::uint32_t context_offset() const {
        return header().ro_bytes() + format::link_offset(header().context());
    }
};

void check_header(Run& run);
void check_context(Run& run);
void check_firmware(Run& run);
void check_firmware_version(Run& run);
void locate_params(Run& run);
void gather_pools(Run& run);
void check_request(Run& run);
void check_params(Run& run);
void check_pools(Run& run);
void check_image(Run& run);

/// Judges a string at a FLASH link address; `base` is the first of the six rules …Space, …Outside,
/// …Unterminated, …TooLong, …Empty, …Unprintable.
void check_text(Run& run, Rule base, std::uint32_t link_address, Place place);
/// Judges an address by the rules …Alignment (4), …Alignment8 and …CacheLine (32) that start at
/// `base`.
void check_alignment(Run& run, Rule base, GuestAddr address);
/// Reports `rule` if the ranges share a byte.
void check_overlap(Run& run, Rule rule, AddressRange a, AddressRange b,
                   std::uint32_t index = kNotApplicable);

/// Returns true for addresses of peripherals, system registers and the private peripheral bus
/// (RM0486 memory map: 0x40000000–0x5FFFFFFF and from 0xE0000000).
[[nodiscard]] bool is_peripheral(AddressRange range);

/// Returns the bytes of the parts 1 to 8 of the file (header to relocation table).
[[nodiscard]] AddressRange image_range(const Run& run);
[[nodiscard]] AddressRange exec_range(const Run& run);
[[nodiscard]] AddressRange external_range(const Run& run);
[[nodiscard]] AddressRange params_range(const Run& run);
[[nodiscard]] AddressRange instance_range(const InstallRequest& request);

/// Returns true if the grants of the request together hold every byte.
[[nodiscard]] bool is_granted(const InstallRequest& request, AddressRange range);

}  // namespace n6vp::loader::checks

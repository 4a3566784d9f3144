// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/install.h"

/// The part of an install that writes. Internal to the loader: `install` is the way in.
namespace n6vp::loader {

/// The header words that an install acts on, as offsets and lengths.
struct ImageWords {
    std::uint32_t ro_bytes = 0, copied_bytes = 0, rw_bytes = 0;
    std::uint32_t bss_bytes = 0;  ///< modulo 2^32, as the chip subtracts
    std::uint32_t got_start = 0, got_end = 0;
    std::uint32_t rel_start = 0, rel_end = 0;
    std::uint32_t pool_table = 0;  ///< file offset
    std::uint32_t params_offset = 0;
    std::uint32_t context = 0;  ///< offset of rt_ctx from the RAM base
};

/// Returns what the vendor's loader objects to in a descriptor, or None. `base` is the parameter
/// base.
[[nodiscard]] Rule vendor_pool_fault(const Pool& pool, GuestAddr base,
                                     const InstallRequest& request);

/// Returns true if the regions of both lists together hold every byte. The range must not wrap.
[[nodiscard]] bool is_covered(const AddressRange& range, const AddressRange* first,
                              std::uint32_t first_count, const AddressRange* second,
                              std::uint32_t second_count);

/// Serves the pools, then builds the image. Every write is confined to exec RAM, external RAM, the
/// instance and the grants; every read of the file or the parameters to their known length. A
/// violation stops before the access: as WouldOverwrite / WouldFault in Compat, as BusError in
/// Strict, where the checks have excluded it.
class Installer {
  public:
    Installer(const MemoryPort& port, const InstallRequest& request,
              std::uint32_t context_word_offset, InstallResult& result, Diagnosis& why);

    /// Reads the header words from the file, as it is now.
    [[nodiscard]] Status read_words();
    [[nodiscard]] const ImageWords& words() const { return words_; }

    /// Serves the memory pools and sets param0 and param1.
    [[nodiscard]] Status pools();
    /// Reads the header again, as a pool may have overwritten it, and constructs the instance.
    [[nodiscard]] Status image();

    [[nodiscard]] Status file_word(std::uint32_t file_offset, std::uint32_t& value);
    /// Stores the diagnosis of `rule` and returns its status.
    Status refuse(Rule rule, std::uint32_t file_offset, std::uint32_t expected,
                  std::uint32_t found);
    void enter(Phase phase) const;
    void maintain(CacheOp op, GuestAddr start, std::uint32_t bytes) const;

  private:
    enum class Source : std::uint8_t { File, Params };

    [[nodiscard]] bool compat() const { return request_.policy == Policy::Compat; }
    [[nodiscard]] bool copies_ro() const { return (request_.mode & format::kModeCopy) != 0; }
    [[nodiscard]] bool clears() const { return (request_.mode & format::kModeClear) != 0; }
    /// From 1.1.3 on, the NPU cache is maintained range by range, before each transfer.
    [[nodiscard]] bool maintains_npu_ranges() const {
        return request_.profile.generation >= Generation::Core30;
    }

    [[nodiscard]] bool writable(GuestAddr to, std::uint32_t bytes) const;
    [[nodiscard]] bool readable(Source source, GuestAddr from, std::uint32_t bytes) const;
    Status refuse_write(GuestAddr to, std::uint32_t bytes);
    Status refuse_read(GuestAddr from, std::uint32_t bytes);

    Status read_file(std::uint32_t file_offset, void* to, std::uint32_t bytes);
    Status copy(GuestAddr to, Source source, GuestAddr from, std::uint32_t bytes);
    Status clear(GuestAddr to, std::uint32_t bytes);
    Status store(GuestAddr to, std::uint32_t value);
    Status patch(GuestAddr at, Rule first_value_rule, std::uint32_t file_offset,
                 std::uint32_t index);

    Status next_pool(std::uint32_t index, Pool& pool);
    Status serve(const Pool& pool, GuestAddr base);
    Status fill(GuestAddr to, const Pool& pool, GuestAddr base, bool from_params);

    Status copy_read_only();
    Status fill_data();
    Status resolve_got();
    Status resolve_relocations();
    Status relocate(std::uint32_t entry, std::uint32_t index);
    Status finish();
    Status link_instance(GuestAddr context);

    static constexpr std::uint32_t kOwnRegions = 3;

    const MemoryPort& port_;
    const InstallRequest& request_;
    AddressRange
        own_[kOwnRegions];  ///< exec RAM, external RAM, instance: writable beside the grants
    std::uint32_t context_word_offset_;
    InstallResult& result_;
    Diagnosis& why_;
    ImageWords words_;
    Resolver bases_;
    std::uint32_t stop_index_ = kNotApplicable;   ///< pool, GOT word or entry being served
    std::uint32_t stop_offset_ = kNotApplicable;  ///< its place in the file
    bool any_cacheable_ = false;
};

}  // namespace n6vp::loader

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loader/legacy/install.h"

/// The part of an install that writes. Internal to the loader: `install` is the way in.
namespace n6vp::loader::legacy {

/// Builds the image in RAM. Every write is confined to the RAM of the request (or the heap block);
/// every read to the known length of the file. A violation stops before the access: as
/// WouldOverwrite / WouldFault in Compat, as BusError in Strict, where the checks have excluded it.
class Installer {
  public:
    Installer(const MemoryPort& port, const Request& request, Result& result, Diagnosis& why)
        : port_(port), request_(request), result_(result), why_(why) {}

    /// Reads the header words from the file without judging them.
    [[nodiscard]] Status read_words();
    /// Takes the RAM of the request, or a block of the heap. Fails if neither is large enough.
    [[nodiscard]] Status take_ram();
    [[nodiscard]] Status image();

    [[nodiscard]] Status file_word(std::uint32_t file_offset, std::uint32_t& value);
    [[nodiscard]] std::uint32_t needed() const;
    /// Stores the diagnosis of `rule` as an error and returns its status.
    Status refuse(Rule rule, std::uint32_t file_offset, std::uint32_t expected,
                  std::uint32_t found);
    void enter(Phase phase) const;
    void release_block() const;

  private:
    [[nodiscard]] bool compat() const { return request_.policy == Policy::Compat; }
    [[nodiscard]] bool copies_ro() const { return request_.mode == kModeCopy; }
    void maintain(CacheOp op, GuestAddr start, std::uint32_t bytes) const;
    [[nodiscard]] bool writable(GuestAddr to, std::uint32_t bytes) const;
    [[nodiscard]] bool readable(GuestAddr from, std::uint32_t bytes) const;
    Status refuse_write(GuestAddr to, std::uint32_t bytes);
    Status refuse_read(GuestAddr from, std::uint32_t bytes);

    Status copy(GuestAddr to, std::uint32_t file_offset, std::uint32_t bytes);
    Status store(GuestAddr to, std::uint32_t value);
    Status patch(GuestAddr at, Rule null_rule, Rule space_rule);

    Status copy_read_only();
    /// Compat: takes the header words from the copy of RO where that is shorter than the header, as
    /// the vendor's loader always does. What RAM holds there changes them from step to step.
    Status follow_copy();
    Status fill_data();
    Status resolve_got();
    Status resolve_relocations();
    Status finish();

    const MemoryPort& port_;
    const Request& request_;
    Result& result_;
    Diagnosis& why_;
    Header words_;
    AddressRange ram_;  ///< all that may be written
    Resolver bases_;
    bool follows_copy_ = false;
    std::uint32_t stop_index_ = kNotApplicable;   ///< GOT word or entry being served
    std::uint32_t stop_offset_ = kNotApplicable;  ///< its place in the file
};

}  // namespace n6vp::loader::legacy

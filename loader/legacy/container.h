// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/container.h"
#include "loader/legacy/diagnosis.h"
#include "loader/legacy/format.h"
#include "loader/memory_port.h"

namespace n6vp::loader::legacy {

/// The words of the header, exactly as stored.
struct Header {
    std::uint32_t magic = 0;
    format::Flags flags;
    std::uint32_t data_start = 0, data_end = 0, data_data = 0;
    std::uint32_t bss_start = 0, bss_end = 0;
    std::uint32_t got_start = 0, got_end = 0;
    std::uint32_t rel_start = 0, rel_end = 0;
    std::uint32_t weights_start = 0, weights_end = 0;
    std::uint32_t vector[kEntryCount] = {};
    std::uint32_t context = 0;  ///< link address of `rt_ctx`

    [[nodiscard]] constexpr std::uint32_t ro_bytes() const {
        return format::link_offset(data_data);
    }
    /// Returns the number of bytes that an install copies to RAM: data, arrays and GOT.
    [[nodiscard]] constexpr std::uint32_t copied_bytes() const {
        return format::link_offset(bss_start);
    }
    [[nodiscard]] constexpr std::uint32_t rw_bytes() const { return format::link_offset(bss_end); }
    [[nodiscard]] constexpr std::uint32_t data_bytes() const { return data_end - data_start; }
    [[nodiscard]] constexpr std::uint32_t got_bytes() const { return got_end - got_start; }
    [[nodiscard]] constexpr std::uint32_t bss_bytes() const { return bss_end - bss_start; }
    [[nodiscard]] constexpr std::uint32_t rel_bytes() const { return rel_end - rel_start; }
    [[nodiscard]] constexpr bool has_weights() const {
        return weights_start != 0 && weights_start != weights_end;
    }
    [[nodiscard]] constexpr std::uint32_t weights_bytes() const {
        return has_weights() ? weights_end - weights_start : 0;
    }
    /// Returns the bytes between `rt_ctx` and the end of the data section, where it is last.
    [[nodiscard]] constexpr std::uint32_t context_room() const {
        return format::link_offset(data_end) - format::link_offset(context);
    }
    /// Returns the RAM an install needs: align4(RW), plus align4(RO) in COPY mode.
    [[nodiscard]] constexpr std::uint32_t ram_bytes(bool with_ro) const {
        return align4(rw_bytes()) + (with_ro ? align4(ro_bytes()) : 0u);
    }
};

/// Decodes the kHeaderBytes / 4 words of a header.
[[nodiscard]] Header header_of(const std::uint32_t* words);

/// `rt_ctx` as stored.
struct Context {
    std::uint32_t state = 0, network = 0, ram_address = 0, rom_address = 0, heap_block = 0;
    std::uint32_t name = 0;  ///< FLASH link address of the model's name
    std::uint32_t activations_bytes = 0, weights_bytes = 0;
    std::uint32_t observer[context_offset::kObserverWords] = {};
    std::uint32_t acquire_crc = 0, release_crc = 0;  ///< 0 in the generation that lacks them
    bool has_crc = false;                            ///< 60 bytes instead of 52
};

/// A `network_rel.bin` of the older family somewhere in memory. Holds no bytes of its own: every
/// accessor reads through the port, checks the file length first, and returns false (leaving its
/// output alone) for a range outside the file or a bus error.
class Container {
  public:
    /// Views `bytes` bytes at `file`. Nothing is read yet.
    Container(const MemoryPort& port, GuestAddr file, std::uint32_t bytes)
        : port_(&port), file_(file), bytes_(bytes) {}

    /// Reads and decodes the header. Fails with LegacyFileTooShort, FileUnreadable, Magic,
    /// LegacyErasedFlash or LegacyOtherFormat. The other words are not judged here (`check` does).
    [[nodiscard]] Status open(Diagnosis& why);

    [[nodiscard]] const Header& header() const { return header_; }
    [[nodiscard]] GuestAddr file() const { return file_; }
    [[nodiscard]] std::uint32_t bytes() const { return bytes_; }
    [[nodiscard]] const MemoryPort& port() const { return *port_; }

    [[nodiscard]] bool word(std::uint32_t file_offset, std::uint32_t& value) const;
    [[nodiscard]] bool read(std::uint32_t file_offset, void* to, std::uint32_t count) const;

    /// Reads `rt_ctx` from the file's data section; 60 bytes if so many are left in it, else 52.
    [[nodiscard]] bool context(Context& context) const;
    /// Reads GOT word `index` as stored in the file.
    [[nodiscard]] bool got(std::uint32_t index, std::uint32_t& link_address) const;
    /// Reads relocation entry `index`: the link address of the word to patch.
    [[nodiscard]] bool relocation(std::uint32_t index, std::uint32_t& link_address) const;
    /// Copies the NUL-terminated string at a FLASH link address; fails if it is not in RO, or
    /// longer than min(capacity - 1, kMaxNameBytes). `text` is terminated on success.
    [[nodiscard]] bool name(std::uint32_t link_address, char* text, std::uint32_t capacity) const;
    /// Returns the file offset that holds the initial content of a link address, or kNotApplicable.
    [[nodiscard]] std::uint32_t offset_of(std::uint32_t link_address) const;

  private:
    const MemoryPort* port_;
    GuestAddr file_;
    std::uint32_t bytes_;
    Header header_;
};

/// Returns true unless the magic is wrong or data_start and flags are both those of the STM32N6.
[[nodiscard]] bool is_legacy(const Header& header);

}  // namespace n6vp::loader::legacy

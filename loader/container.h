// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/diagnosis.h"
#include "loader/format.h"
#include "loader/memory_port.h"
#include "loader/profile.h"

namespace n6vp::loader {

/// Length of a file that the caller does not know (the vendor's C API has no length argument).
inline constexpr std::uint32_t kUnknownBytes = 0xFFFFFFFFu;

/// The fixed words of the header, exactly as stored.
struct Header {
    std::uint32_t magic = 0;
    format::Flags flags;
    std::uint32_t data_start = 0, data_end = 0, data_data = 0;
    std::uint32_t bss_start = 0, bss_end = 0;
    std::uint32_t got_start = 0, got_end = 0;
    std::uint32_t rel_start = 0, rel_end = 0;
    std::uint32_t params_start = 0, params_offset = 0;
    std::uint32_t vector[13] =
        {};  ///< 10 function words (96-byte header) or 12, then the context word
    std::uint32_t header_bytes =
        0;  ///< 96 or 104, found structurally; 0 if neither context word is in space 4

    [[nodiscard]] constexpr std::uint32_t ro_bytes() const {
        return format::link_offset(data_data);
    }
    [[nodiscard]] constexpr std::uint32_t copied_bytes() const {
        return format::link_offset(bss_start);
    }
    [[nodiscard]] constexpr std::uint32_t rw_bytes() const { return format::link_offset(bss_end); }
    [[nodiscard]] constexpr std::uint32_t data_bytes() const { return data_end - data_start; }
    [[nodiscard]] constexpr std::uint32_t got_bytes() const { return got_end - got_start; }
    [[nodiscard]] constexpr std::uint32_t bss_bytes() const { return bss_end - bss_start; }
    [[nodiscard]] constexpr std::uint32_t rel_bytes() const { return rel_end - rel_start; }
    /// Returns the number of function words in the vector: 10, 12, or 0 for an unknown header.
    [[nodiscard]] constexpr std::uint32_t entry_count() const {
        return header_bytes == 0 ? 0 : (header_bytes - format::kVectorOffset) / 4 - 1;
    }
    /// Returns the link address of `rt_ctx`, or 0 for an unknown header.
    [[nodiscard]] constexpr std::uint32_t context() const {
        return header_bytes == 0 ? 0 : vector[entry_count()];
    }
    /// Returns the exec RAM an install needs: align8(RW), plus align8(RO) when `with_ro` (COPY).
    [[nodiscard]] constexpr std::uint32_t exec_bytes(bool with_ro) const {
        return format::align8(rw_bytes()) + (with_ro ? format::align8(ro_bytes()) : 0u);
    }
};

/// `rt_ctx` as stored in the file; fields that a generation lacks are 0.
struct RuntimeContext {
    std::uint32_t state = 0, file_addr = 0, ram_addr = 0, rom_addr = 0, cbs = 0;
    std::uint32_t c_name = 0, acts_sz = 0, params_sz = 0, ext_ram_sz = 0, rt_version_desc = 0;
    std::uint32_t rt_version = 0, rt_version_extra = 0, params_bin_sz = 0, params_bin_crc32 = 0;
    std::uint32_t rt_c_struct_sizes = 0, ll_instance = 0, itf_network = 0;
    bool has_struct_sizes = false;  ///< false for 1.1.0, whose rt_ctx has 16 words

    [[nodiscard]] constexpr RuntimeVersion version() const {
        return {static_cast<std::uint8_t>(rt_version >> 24),
                static_cast<std::uint8_t>(rt_version >> 16),
                static_cast<std::uint8_t>(rt_version >> 8), rt_version_extra};
    }
};

/// Byte offsets inside `rt_ctx`; the last two differ between 1.1.0 (16 words) and later (17 words).
namespace context_offset {
inline constexpr std::uint32_t kState = 0x00, kFileAddr = 0x04, kRamAddr = 0x08, kRomAddr = 0x0C;
inline constexpr std::uint32_t kCallbacks = 0x10, kCName = 0x14, kActsSize = 0x18,
                               kParamsSize = 0x1C;
inline constexpr std::uint32_t kExtRamSize = 0x20, kVersionDesc = 0x24, kVersion = 0x28,
                               kVersionExtra = 0x2C;
inline constexpr std::uint32_t kParamsBinSize = 0x30, kParamsBinCrc = 0x34, kStructSizes = 0x38;
[[nodiscard]] constexpr std::uint32_t instance(bool has_struct_sizes) {
    return has_struct_sizes ? 0x3Cu : 0x38u;
}
[[nodiscard]] constexpr std::uint32_t network(bool has_struct_sizes) {
    return has_struct_sizes ? 0x40u : 0x3Cu;
}
[[nodiscard]] constexpr std::uint32_t bytes(bool has_struct_sizes) {
    return has_struct_sizes ? 68u : 64u;
}
}  // namespace context_offset

/// One memory-pool descriptor, as stored.
struct Pool {
    std::uint32_t name = 0;  ///< link address of the string
    format::PoolFlags flags;
    std::uint32_t foff = 0, dst = 0, bytes = 0;
    [[nodiscard]] constexpr bool terminates() const { return flags.raw == 0 || name == 0; }
};

/// A `network_rel.bin` somewhere in memory. Holds no bytes of its own: every accessor reads through
/// the port, checks the file length first, and returns false (leaving its output alone) for a range
/// outside the file or a bus error.
class Container {
  public:
    /// Views `bytes` bytes at `file`. Nothing is read yet.
    Container(const MemoryPort& port, GuestAddr file, std::uint32_t bytes)
        : port_(&port), file_(file), bytes_(bytes) {}

    /// Reads and decodes the header. Fails with FileTooShort, Magic, LegacyFormat, HeaderLength,
    /// ErasedFlash or FileUnreadable. The other header words are not judged here (`check` does).
    [[nodiscard]] Status open(Diagnosis& why);

    [[nodiscard]] const Header& header() const { return header_; }
    [[nodiscard]] GuestAddr file() const { return file_; }
    [[nodiscard]] std::uint32_t bytes() const { return bytes_; }
    [[nodiscard]] const MemoryPort& port() const { return *port_; }

    [[nodiscard]] bool word(std::uint32_t file_offset, std::uint32_t& value) const;
    [[nodiscard]] bool read(std::uint32_t file_offset, void* to, std::uint32_t count) const;

    /// Reads `rt_ctx` from the file's data section, in the layout that its own rt_version implies.
    [[nodiscard]] bool context(RuntimeContext& context) const;
    /// Reads pool descriptor `index`, terminator included; does not look at earlier ones.
    [[nodiscard]] bool pool(std::uint32_t index, Pool& pool) const;
    /// Returns the number of active descriptors before the terminator, at most `limit`.
    [[nodiscard]] std::uint32_t pool_count(std::uint32_t limit) const;
    /// Reads GOT word `index` as stored in the file.
    [[nodiscard]] bool got(std::uint32_t index, std::uint32_t& link_address) const;
    /// Reads relocation entry `index`: the link address of the word to patch.
    [[nodiscard]] bool relocation(std::uint32_t index, std::uint32_t& link_address) const;
    /// Copies the NUL-terminated string at FLASH link address `link_address`; fails if it is not in
    /// RO, or longer than min(capacity - 1, kMaxNameBytes). `text` is always terminated on success.
    [[nodiscard]] bool name(std::uint32_t link_address, char* text, std::uint32_t capacity) const;

    /// Returns the file offset that holds the initial content of a RAM or FLASH link address, or
    /// kNotApplicable (bss, other spaces, outside).
    [[nodiscard]] std::uint32_t offset_of(std::uint32_t link_address) const;

  private:
    const MemoryPort* port_;
    GuestAddr file_;
    std::uint32_t bytes_;
    Header header_;
};

}  // namespace n6vp::loader

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Builds small, complete, legal containers of the older family (`AI_RELOC`), and predicts their
/// installed memory. Written from the format's facts alone: it includes nothing of the loader. Not
/// built here: real code.
namespace n6vp::test {

/// A word of .data or of the GOT.
struct LegacyWord {
    enum class Kind : std::uint8_t {
        Plain,  ///< the value as it is, link addresses included
        Code,   ///< FLASH link address: header length + value
        Name,   ///< link address of the model's name, plus value
        Bss,    ///< link address of .bss, plus value
    };
    Kind kind = Kind::Plain;
    std::uint32_t value = 0;
    bool relocated = false;  ///< gets a relocation entry (GOT words never need one)
};

struct LegacySpec {
    std::uint32_t flags = 0x20085D21;  ///< v2.0, GCC, hard float, FPU, Cortex-M33
    bool has_crc = true;               ///< rt_ctx of 60 bytes instead of 52
    std::string name = "network";
    std::uint32_t code_bytes = 64;  ///< filled with `bx lr`
    std::vector<LegacyWord> data;   ///< before rt_ctx
    std::vector<LegacyWord> got;    ///< three reserved zero words are appended unless empty
    std::uint32_t bss_bytes = 24;
    std::uint32_t bss_alignment = 4;
    std::uint32_t activations_bytes = 736;
    std::uint32_t weights_bytes = 0;
    std::vector<std::uint8_t> weights;  ///< appended to the file
};

struct LegacyImage {
    std::vector<std::uint8_t> file;
    std::uint32_t name = 0;                        ///< file offset of the text
    std::uint32_t ro_bytes = 0;                    ///< RO size, and so the file offset of .data
    std::uint32_t context = 0, context_bytes = 0;  ///< file offset of rt_ctx
    std::uint32_t data_end = 0, got_start = 0, got_end = 0, bss_start = 0, bss_end = 0;  ///< in RAM
    std::uint32_t rel = 0, rel_count = 0, rel_end = 0;  ///< file offsets
    std::uint32_t weights = 0;                          ///< file offset, 0 if none

    [[nodiscard]] std::uint32_t word(std::uint32_t file_offset) const;
    void set(std::uint32_t file_offset, std::uint32_t value);
    void add(std::uint32_t file_offset, std::uint32_t difference) {
        set(file_offset, word(file_offset) + difference);
    }
    [[nodiscard]] std::uint32_t got_word(std::uint32_t index) const {
        return ro_bytes + got_start + 4 * index;
    }
    [[nodiscard]] std::uint32_t relocation(std::uint32_t index) const { return rel + 4 * index; }
    [[nodiscard]] std::uint32_t ram_bytes(bool copy) const;
};

[[nodiscard]] LegacyImage build_legacy(const LegacySpec& spec);

/// Returns a description with values in both spaces, a GOT, .bss and two relocated words beside the
/// name.
[[nodiscard]] LegacySpec legacy_sample(bool has_crc = true);

/// What the oracle must know of a request.
struct LegacyPlace {
    std::uint32_t file = 0, ram = 0;
    bool copy = false;
    std::uint32_t heap_block = 0;
};

/// Returns what lies at the start of RAM after an install, up to the end of .bss, from the header
/// words of the file.
[[nodiscard]] std::vector<std::uint8_t> legacy_installed(const std::vector<std::uint8_t>& file,
                                                         const LegacyPlace& place);

/// Returns the address of rt_ctx after an install: the handle.
[[nodiscard]] std::uint32_t legacy_handle(const std::vector<std::uint8_t>& file,
                                          const LegacyPlace& place);

}  // namespace n6vp::test

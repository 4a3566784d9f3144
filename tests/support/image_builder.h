// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Builds small, complete, legal containers for tests, from a description. Written from the
/// format's facts alone: it includes nothing of the loader, so that a shared mistake would have to
/// be made twice. Not built here: real code, epoch-controller streams (pass their bytes as
/// `blobs`).
namespace n6vp::test {

/// ST Edge AI Core 2.1, 2.2, 3.0, 4.x.
enum class ImageGeneration : std::uint8_t { Core21, Core22, Core30, Core4x };
inline constexpr ImageGeneration kAllGenerations[] = {
    ImageGeneration::Core21, ImageGeneration::Core22, ImageGeneration::Core30,
    ImageGeneration::Core4x};

/// A word of the file. `Code` and `Text` are FLASH link addresses that only the layout knows.
struct ImageWord {
    enum class Kind : std::uint8_t {
        Plain,  ///< the value as it is, link addresses included
        Code,   ///< 0x20000000 + header length + value
        Text,   ///< link address of c_name, plus value
        Bss,    ///< link address of .bss, plus value
    };
    Kind kind = Kind::Plain;
    std::uint32_t value = 0;
    bool relocated = false;  ///< gets an entry in the relocation table (GOT words never need one)
};

/// One memory-pool descriptor and its raw parameter file.
struct PoolSpec {
    std::string name;
    std::uint32_t flags = 0;
    std::uint32_t size = 0;  ///< used bytes, as the descriptor states them
    std::uint32_t dst = 0;
    std::vector<std::uint8_t> payload;  ///< raw file; goes into the parameter section if not empty
    /// Replaces the generator's own value: the raw position, plus the blob block for COPY pools.
    std::optional<std::uint32_t> foff;
};

struct ImageSpec {
    ImageGeneration generation = ImageGeneration::Core22;
    std::uint32_t flags = 0x80785D22;
    std::uint32_t rt_version = 0x01010100;
    std::uint32_t rt_version_extra = 14;
    std::string c_name = "sample";
    std::string version_text = "atonn-v1.1.1-14 (RELOC.GCC)";
    std::uint32_t code_bytes = 16;    ///< filled with `bx lr`
    std::uint32_t ro_alignment = 8;   ///< RO size is rounded to it; real files have 8
    std::vector<ImageWord> ro_words;  ///< after the code; relocated ones need a clang toolchain
    std::vector<ImageWord> data;      ///< start of .data
    std::vector<ImageWord> got;       ///< three reserved zero words are appended unless empty
    std::uint32_t bss_bytes = 24;
    std::uint32_t bss_alignment = 8;  ///< above 4, the gap before .bss comes from the file
    std::vector<PoolSpec> pools;
    bool split = false;                  ///< parameters in a file of their own
    std::vector<std::uint8_t> blobs;     ///< block before the raw parameters, padded to 8
    std::vector<std::uint32_t> entries;  ///< function words; default: all at the first instruction
    std::optional<std::uint32_t> acts_sz, params_sz, ext_ram_sz, struct_sizes;
};

/// A built container with the file offset of each part.
struct Image {
    std::vector<std::uint8_t> file;
    std::vector<std::uint8_t> params;  ///< the parameter file of a split image, else empty

    std::uint32_t header_bytes = 0;                 ///< 96 or 104
    std::uint32_t vector = 0x34, vector_words = 0;  ///< function words, without the context word
    std::uint32_t code = 0, ro_words = 0, c_name = 0, version_text = 0;
    std::vector<std::uint32_t> pool_names;
    std::uint32_t ro_bytes = 0;  ///< RO size, and so the file offset of .data
    std::uint32_t interface = 0, context = 0, context_bytes = 0;
    std::uint32_t pool_table = 0, pool_count = 0;        ///< count without the terminator
    std::uint32_t data_end = 0, got = 0, got_words = 0;  ///< reserved words included
    std::uint32_t bss_start = 0, bss_end = 0;  ///< offsets from the RAM base, not file offsets
    std::uint32_t rel = 0, rel_count = 0;
    std::uint32_t params_at = 0;  ///< file offset of the parameter section; 0 if split or none
    std::uint32_t blob_bytes = 0, raw_bytes = 0;

    [[nodiscard]] std::uint32_t word(std::uint32_t file_offset) const;
    void set(std::uint32_t file_offset, std::uint32_t value);
    [[nodiscard]] std::uint32_t pool(std::uint32_t index) const { return pool_table + 20 * index; }
    [[nodiscard]] std::uint32_t got_word(std::uint32_t index) const { return got + 4 * index; }
    [[nodiscard]] std::uint32_t relocation(std::uint32_t index) const { return rel + 4 * index; }
    /// Returns the file offset of a RAM link address in the initialised part.
    [[nodiscard]] std::uint32_t ram(std::uint32_t link_address) const {
        return ro_bytes + (link_address & 0x0FFFFFFF);
    }
    /// Returns the exec RAM an install needs.
    [[nodiscard]] std::uint32_t exec_bytes(bool copy) const;
    /// Recomputes rt_ctx.params_bin_crc32 after a change of the raw parameters.
    void update_crc();
};

/// Builds the container. Throws std::invalid_argument for a description that has no layout.
[[nodiscard]] Image build_image(const ImageSpec& spec);

/// Returns a description with the flags, versions and struct sizes of a generation and nothing
/// else: no pools, no parameters.
[[nodiscard]] ImageSpec minimal_spec(ImageGeneration generation);

/// Returns a description that uses everything a GCC model may use: values in all four spaces, GOT,
/// aligned .bss with a gap, RELOC.PARAM, RELOC.ACTIV, two COPY pools and a RESET pool at the given
/// destinations (512 bytes each at most).
[[nodiscard]] ImageSpec sample_spec(ImageGeneration generation, std::uint32_t copy_dst = 0x34200000,
                                    std::uint32_t mixed_dst = 0x34270000,
                                    std::uint32_t reset_dst = 0x342E0000);

/// As sample_spec, with the external pool MIXED: parameters are copied into external RAM.
[[nodiscard]] ImageSpec mixed_spec(ImageGeneration generation, std::uint32_t copy_dst = 0x34200000,
                                   std::uint32_t mixed_dst = 0x34270000,
                                   std::uint32_t reset_dst = 0x342E0000);

/// Returns a description built by clang: no GOT, relocations in RO, not secure. Not for Core21,
/// which knows only GCC.
[[nodiscard]] ImageSpec clang_spec(ImageGeneration generation);

/// Returns `count` reproducible bytes that differ for every seed.
[[nodiscard]] std::vector<std::uint8_t> pattern(std::uint32_t count, std::uint32_t seed);

/// Returns the CRC-32 of zlib.
[[nodiscard]] std::uint32_t crc32(const std::uint8_t* bytes, std::size_t count);

}  // namespace n6vp::test

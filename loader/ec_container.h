// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/diagnosis.h"
#include "loader/profile.h"

/// Epoch-controller containers: tables plus one instruction blob that must be relocated before the
/// NPU may fetch it. Works on direct pointers because on the chip it runs inside the model; lengths
/// are always given and checked. In every diagnosis `file_offset` counts from the container start
/// and `index` is the symbol or patch entry.
namespace n6vp::loader::ec {

inline constexpr std::uint32_t kMagic0020 = 0xECBF0020u;  ///< 1.0, 1.1.0
inline constexpr std::uint32_t kMagic0030 = 0xECBF0030u;  ///< 1.1.1
inline constexpr std::uint32_t kMagic0050 = 0xECBF0050u;  ///< 1.1.3 and later
inline constexpr std::uint32_t kBlobMagic = 0xCA057A7Au;

/// Most symbols or patch entries of one container. The format gives no limit; 256 is ours. It
/// bounds the time that a hostile table can cost.
inline constexpr std::uint32_t kMaxEntries = 256;

/// Read-only bytes with a length.
struct Bytes {
    const std::uint8_t* data = nullptr;
    std::uint32_t size = 0;
};

/// A validated container.
struct Container {
    Bytes bytes;  ///< the whole container
    std::uint32_t magic = 0;
    std::uint32_t reloc_offset = 0;  ///< 0 = absent
    std::uint32_t patch_offset = 0;  ///< 0 = absent
    std::uint32_t debug_offset = 0;  ///< 0 = absent
    std::uint32_t blob_offset = 0;
    std::uint32_t blob_words = 0;  ///< N + 2
    std::uint32_t symbol_count = 0;
    std::uint32_t patch_count = 0;
};

/// One symbol of the relocation table.
struct Symbol {
    const char* name = nullptr;        ///< inside the container, terminated
    std::uint32_t count = 0;           ///< words to relocate
    std::uint32_t indices_offset = 0;  ///< container offset of the index array
};

/// One entry of the patch table.
struct Patch {
    const char* name = nullptr;
    std::int32_t shift = 0;  ///< 0 in 0030
    std::uint32_t mask = 0;
    std::uint32_t count = 0;
    std::uint32_t indices_offset = 0;
};

/// Opens a container with every weakness of the vendor's ecloader closed (section offsets,
/// alignment, order, strings, indices, duplicate names). Fails with a diagnosis whose file_offset
/// counts from the container start. Bytes behind the blob are not judged: a container inside a
/// model has no length of its own.
[[nodiscard]] Status open(Bytes bytes, Container& container, Diagnosis& why);

/// Returns the container magic that the ecloader of a generation accepts; each accepts exactly one.
[[nodiscard]] constexpr std::uint32_t magic_of(Generation generation) {
    switch (generation) {
        case Generation::Core21:
            return kMagic0020;
        case Generation::Core22:
            return kMagic0030;
        case Generation::Core30:
        case Generation::Core4x:
            break;
    }
    return kMagic0050;
}

/// Fails with EcGeneration unless the container has the magic that `firmware` accepts.
[[nodiscard]] Status require_generation(const Container& container, Generation firmware,
                                        Diagnosis& why);

/// Reads entry `index` of the relocation or patch table. Fails if there is none.
[[nodiscard]] bool symbol(const Container& container, std::uint32_t index, Symbol& symbol);
[[nodiscard]] bool patch(const Container& container, std::uint32_t index, Patch& patch);

/// Reads element `element` of an index array: a word number counted from the first instruction.
/// Fails outside the container.
[[nodiscard]] bool target(const Container& container, std::uint32_t indices_offset,
                          std::uint32_t element, std::uint32_t& word_index);

/// Copies the N + 2 words of the blob. `blob` must be 8-aligned and hold at least
/// `container.blob_words` words.
[[nodiscard]] Status copy_blob(const Container& container, std::uint32_t* blob,
                               std::uint32_t capacity_words, Diagnosis& why);

/// Adds base - previous to every word that symbol `index` names, then sets previous = base.
/// Applying the same base twice changes nothing. Fails, changing nothing, if the symbol does not
/// exist, an index lies outside the blob, or `blob` does not hold a copy of this container's blob.
/// `blob` must have `container.blob_words` words.
[[nodiscard]] Status relocate(const Container& container, std::uint32_t* blob, std::uint32_t index,
                              std::uint32_t base, std::uint32_t& previous, Diagnosis& why);
[[nodiscard]] Status relocate_by_name(const Container& container, std::uint32_t* blob,
                                      const char* name, std::uint32_t base, std::uint32_t& previous,
                                      Diagnosis& why);

/// Writes `value` into the fields that patch entry `index` names. Shifts that would be undefined
/// are refused.
[[nodiscard]] Status apply_patch(const Container& container, std::uint32_t* blob,
                                 std::uint32_t index, std::uint64_t value, Diagnosis& why);

/// Writes `value` through every patch entry of that name. Fails, changing nothing, if there is
/// none.
[[nodiscard]] Status apply_patch_by_name(const Container& container, std::uint32_t* blob,
                                         const char* name, std::uint64_t value, Diagnosis& why);

}  // namespace n6vp::loader::ec

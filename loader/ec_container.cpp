// SPDX-License-Identifier: Apache-2.0
#include "loader/ec_container.h"

#include <cstring>

#include "loader/format.h"

namespace n6vp::loader::ec {
namespace {

constexpr std::uint32_t kShortHeader = 16;  ///< 0020: no patch table
constexpr std::uint32_t kLongHeader = 20;   ///< 0030, 0050
constexpr std::uint32_t kBlobHeaderWords = 2;
constexpr std::int32_t kMinShift = -31;  ///< beyond it `mask << -shift` is undefined
constexpr std::int32_t kMaxShift = 63;   ///< beyond it `value >> shift` is undefined

/// Where a fault was found; starts as "nothing applies".
struct Place {
    std::uint32_t offset = kNotApplicable;
    std::uint32_t index = kNotApplicable;
};

Status fail(Diagnosis& why, Rule rule, Place place, std::uint32_t expected = kNotApplicable,
            std::uint32_t found = kNotApplicable) {
    // These rules, neighbours in the enum, say what the caller got wrong and not the container.
    const bool misused = rule >= Rule::EcDestinationMissing && rule <= Rule::EcPatchNotFound;
    why = Diagnosis{};
    why.rule = rule;
    why.stage = Stage::EpochBlob;
    why.status = misused ? Status::Argument : Status::InvalidBinary;
    why.file_offset = place.offset;
    why.index = place.index;
    why.expected = expected;
    why.found = found;
    return why.status;
}

/// Returns the word at `offset`; the caller has checked that it lies inside.
std::uint32_t load(Bytes bytes, std::uint32_t offset) {
    return format::load_word(bytes.data + offset);
}

bool holds(Bytes bytes, std::uint32_t offset, std::uint32_t count) {
    return bytes.data != nullptr && offset <= bytes.size && count <= bytes.size - offset;
}

bool same_text(const char* left, const char* right) {
    while (*left != '\0' && *left == *right) {
        ++left;
        ++right;
    }
    return *left == *right;
}

/// One of the two tables: what differs is the entry size and where count and array stand in it.
struct Table {
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;  ///< up to the next section
    std::uint32_t entry_bytes = 0;
    std::uint32_t count_at = 0;  ///< byte offset in an entry; the array offset follows it
    bool patches = false;

    [[nodiscard]] std::uint32_t entry(std::uint32_t index) const {
        return offset + 4 + index * entry_bytes;
    }
};

Table symbol_table(const Container& container) {
    std::uint32_t end = container.blob_offset;
    if (container.debug_offset != 0) end = container.debug_offset;
    if (container.patch_offset != 0) end = container.patch_offset;
    return {container.reloc_offset, end - container.reloc_offset, 12, 4, false};
}

Table patch_table(const Container& container) {
    const std::uint32_t end =
        container.debug_offset != 0 ? container.debug_offset : container.blob_offset;
    const bool long_entry = container.magic == kMagic0050;
    return {container.patch_offset, end - container.patch_offset, long_entry ? 20u : 16u,
            long_entry ? 12u : 8u, true};
}

/// Rules of the two tables stand in the same order, so one check serves both.
Rule rule_for(const Table& table, Rule symbol_rule) {
    constexpr auto kDistance = static_cast<std::uint16_t>(Rule::EcPatchTable) -
                               static_cast<std::uint16_t>(Rule::EcSymbolTable);
    static_assert(static_cast<int>(Rule::EcPatchTargetCount) -
                      static_cast<int>(Rule::EcSymbolTargetCount) ==
                  kDistance);
    if (!table.patches) return symbol_rule;
    return static_cast<Rule>(static_cast<std::uint16_t>(symbol_rule) + kDistance);
}

Status check_offset(Bytes bytes, std::uint32_t field, std::uint32_t header_bytes,
                    std::uint32_t offset, Rule outside, Rule misaligned, std::uint32_t alignment,
                    Diagnosis& why) {
    if (offset < header_bytes) return fail(why, outside, {field}, header_bytes, offset);
    if (offset >= bytes.size) return fail(why, outside, {field}, bytes.size, offset);
    if (offset % alignment != 0) return fail(why, misaligned, {field}, alignment, offset);
    return Status::Ok;
}

/// Checks position, alignment and order of the sections, whose offsets are already in `container`.
Status check_sections(const Container& container, Diagnosis& why) {
    const bool has_patch_word = container.magic != kMagic0020;
    const std::uint32_t header_bytes = has_patch_word ? kLongHeader : kShortHeader;
    const std::uint32_t debug_field = has_patch_word ? 12 : 8;
    if (container.blob_offset == 0) return fail(why, Rule::EcBlobMissing, {debug_field + 4});
    const struct Section {
        std::uint32_t offset, field;
        Rule outside, misaligned;
        std::uint32_t alignment;
    } sections[] = {
        {container.reloc_offset, 4, Rule::EcRelocOffset, Rule::EcRelocAlignment, 4},
        {container.patch_offset, 8, Rule::EcPatchOffset, Rule::EcPatchAlignment, 4},
        {container.debug_offset, debug_field, Rule::EcDebugOffset, Rule::EcDebugAlignment, 4},
        {container.blob_offset, debug_field + 4, Rule::EcBlobOffset, Rule::EcBlobAlignment, 8},
    };
    for (const Section& section : sections) {
        if (section.offset == 0) continue;
        const Status status =
            check_offset(container.bytes, section.field, header_bytes, section.offset,
                         section.outside, section.misaligned, section.alignment, why);
        if (status != Status::Ok) return status;
    }
    std::uint32_t previous = 0;
    for (const Section& section : sections) {
        if (section.offset == 0) continue;
        // An empty debug section shares the blob's offset in every 0020 file.
        const bool empty_debug = section.alignment == 8 && section.offset == container.debug_offset;
        if (section.offset <= previous && !empty_debug) {
            return fail(why, Rule::EcSectionOrder, {section.field}, previous, section.offset);
        }
        previous = section.offset;
    }
    return Status::Ok;
}

Status check_blob_header(Container& container, Diagnosis& why) {
    const std::uint32_t offset = container.blob_offset;
    const std::uint32_t room = container.bytes.size - offset;
    if (room < 4 * kBlobHeaderWords) {
        return fail(why, Rule::EcBlobLength, {offset}, 4 * kBlobHeaderWords, room);
    }
    const std::uint32_t magic = load(container.bytes, offset);
    if (magic != kBlobMagic) return fail(why, Rule::EcBlobMagic, {offset}, kBlobMagic, magic);
    const std::uint32_t words = load(container.bytes, offset + 4);
    const std::uint32_t room_words = room / 4 - kBlobHeaderWords;
    if (words > room_words) return fail(why, Rule::EcBlobLength, {offset + 4}, room_words, words);
    container.blob_words = words + kBlobHeaderWords;
    return Status::Ok;
}

Status check_name(Bytes bytes, const Table& table, std::uint32_t strings, std::uint32_t index,
                  Diagnosis& why) {
    const Place place{table.entry(index), index};
    const std::uint32_t name = load(bytes, place.offset);
    if (name < strings || name >= table.bytes) {
        return fail(why, rule_for(table, Rule::EcSymbolName), place,
                    name < strings ? strings : table.bytes, name);
    }
    const std::uint32_t room = table.bytes - name;
    const std::uint32_t limit = room < format::kMaxNameBytes + 1 ? room : format::kMaxNameBytes + 1;
    const std::uint8_t* text = bytes.data + table.offset + name;
    std::uint32_t length = 0;
    while (length < limit && text[length] != 0) ++length;
    if (length == limit)
        return fail(why, rule_for(table, Rule::EcSymbolNameEnd), place, limit, name);
    if (length == 0)
        return fail(why, rule_for(table, Rule::EcSymbolNameEmpty), place, kNotApplicable, name);
    return Status::Ok;
}

/// Checks the index array of one entry. `total` counts indices whose sum may not exceed N: then
/// some word would be relocated twice.
Status check_targets(const Container& container, const Table& table, std::uint32_t strings,
                     std::uint32_t index, std::uint32_t& total, Diagnosis& why) {
    const std::uint32_t at = table.entry(index) + table.count_at;
    const std::uint32_t count = load(container.bytes, at);
    const std::uint32_t array = load(container.bytes, at + 4);
    if (array % 4 != 0) {
        return fail(why, rule_for(table, Rule::EcSymbolIndicesAlignment), {at + 4, index}, 4,
                    array);
    }
    const Rule outside = rule_for(table, Rule::EcSymbolIndices);
    if (array < strings || array > table.bytes) {
        return fail(why, outside, {at + 4, index}, array < strings ? strings : table.bytes, array);
    }
    if (count > (table.bytes - array) / 4) {
        return fail(why, outside, {at, index}, (table.bytes - array) / 4, count);
    }
    const std::uint32_t words = container.blob_words - kBlobHeaderWords;
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t offset = table.offset + array + 4 * k;
        const std::uint32_t target_word = load(container.bytes, offset);
        if (target_word >= words) {
            return fail(why, rule_for(table, Rule::EcSymbolTarget), {offset, index}, words,
                        target_word);
        }
    }
    if (count > words - total) {
        return fail(why, rule_for(table, Rule::EcSymbolTargetCount), {at, index}, words - total,
                    count);
    }
    total += count;
    return Status::Ok;
}

/// Checks that no earlier entry has the same name. Must run after all names are known to be
/// terminated.
Status check_unique(Bytes bytes, const Table& table, std::uint32_t index, Diagnosis& why) {
    const char* strings = reinterpret_cast<const char*>(bytes.data + table.offset);
    const char* name = strings + load(bytes, table.entry(index));
    for (std::uint32_t earlier = 0; earlier < index; ++earlier) {
        if (same_text(strings + load(bytes, table.entry(earlier)), name)) {
            return fail(why, rule_for(table, Rule::EcSymbolDuplicate), {table.entry(index), index},
                        kNotApplicable, earlier);
        }
    }
    return Status::Ok;
}

Status check_shift(const Container& container, std::uint32_t at, std::uint32_t index,
                   Diagnosis& why) {
    const auto shift = static_cast<std::int32_t>(load(container.bytes, at));
    if (shift >= kMinShift && shift <= kMaxShift) return Status::Ok;
    return fail(why, Rule::EcPatchShift, {at, index},
                static_cast<std::uint32_t>(shift < 0 ? kMinShift : kMaxShift),
                static_cast<std::uint32_t>(shift));
}

Status check_table(const Container& container, const Table& table, std::uint32_t& entries,
                   Diagnosis& why) {
    const std::uint32_t count = load(container.bytes, table.offset);
    const std::uint32_t room = (table.bytes - 4) / table.entry_bytes;
    if (count > room)
        return fail(why, rule_for(table, Rule::EcSymbolTable), {table.offset}, room, count);
    if (count > kMaxEntries) {
        return fail(why, rule_for(table, Rule::EcSymbolLimit), {table.offset}, kMaxEntries, count);
    }
    const bool has_shift = table.patches && container.magic == kMagic0050;
    // 0050 names the two halves of one value alike, on purpose.
    const bool unique_names = !has_shift;
    const std::uint32_t strings = 4 + count * table.entry_bytes;
    std::uint32_t total = 0;
    for (std::uint32_t index = 0; index < count; ++index) {
        Status status = check_name(container.bytes, table, strings, index, why);
        if (status == Status::Ok && unique_names)
            status = check_unique(container.bytes, table, index, why);
        if (status == Status::Ok && has_shift)
            status = check_shift(container, table.entry(index) + 4, index, why);
        // Several patch entries write fields of one word; only within one entry is a repetition a
        // fault.
        if (table.patches) total = 0;
        if (status == Status::Ok)
            status = check_targets(container, table, strings, index, total, why);
        if (status != Status::Ok) return status;
    }
    entries = count;
    return Status::Ok;
}

Status check_destination(const Container& container, const std::uint32_t* blob,
                         std::uint32_t capacity_words, Diagnosis& why) {
    if (blob == nullptr) {
        return fail(why, Rule::EcDestinationMissing, {});
    }
    const auto low_bits = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(blob) % 8);
    if (low_bits != 0) {
        return fail(why, Rule::EcDestinationAlignment, {}, 8, low_bits);
    }
    if (capacity_words < container.blob_words) {
        return fail(why, Rule::EcDestinationSize, {}, container.blob_words, capacity_words);
    }
    return Status::Ok;
}

/// Checks that `blob` holds a copy of this container's blob, which no relocation or patch changes
/// in words 0 and 1.
Status check_copy(const Container& container, const std::uint32_t* blob, Diagnosis& why) {
    const Status status = check_destination(container, blob, container.blob_words, why);
    if (status != Status::Ok) return status;
    const std::uint32_t words = container.blob_words - kBlobHeaderWords;
    if (blob[0] != kBlobMagic) {
        return fail(why, Rule::EcDestinationContent, {}, kBlobMagic, blob[0]);
    }
    if (blob[1] != words) {
        return fail(why, Rule::EcDestinationContent, {}, words, blob[1]);
    }
    return Status::Ok;
}

/// Checks once more that every index of an array is below N: the container's bytes may have changed
/// since open().
Status check_indices(const Container& container, std::uint32_t indices_offset, std::uint32_t count,
                     Rule rule, std::uint32_t index, Diagnosis& why) {
    const std::uint32_t words = container.blob_words - kBlobHeaderWords;
    for (std::uint32_t k = 0; k < count; ++k) {
        std::uint32_t word_index = kNotApplicable;
        if (!target(container, indices_offset, k, word_index) || word_index >= words) {
            return fail(why, rule, {indices_offset + 4 * k, index}, words, word_index);
        }
    }
    return Status::Ok;
}

void patch_words(const Container& container, std::uint32_t* blob, const Patch& entry,
                 std::uint64_t value) {
    std::uint32_t mask = entry.mask;
    if (entry.shift >= 0) {
        value >>= entry.shift;
    } else {
        value <<= -entry.shift;
        mask <<= -entry.shift;
    }
    const std::uint32_t bits = static_cast<std::uint32_t>(value) & mask;
    for (std::uint32_t k = 0; k < entry.count; ++k) {
        std::uint32_t word_index = 0;
        if (!target(container, entry.indices_offset, k, word_index)) return;
        std::uint32_t& word = blob[word_index + kBlobHeaderWords];
        word = (word & ~mask) | bits;
    }
}

Status check_patch(const Container& container, const Patch& entry, std::uint32_t index,
                   Diagnosis& why) {
    if (entry.shift < kMinShift || entry.shift > kMaxShift) {
        return fail(why, Rule::EcPatchShift, {kNotApplicable, index},
                    static_cast<std::uint32_t>(kMaxShift), static_cast<std::uint32_t>(entry.shift));
    }
    return check_indices(container, entry.indices_offset, entry.count, Rule::EcPatchTarget, index,
                         why);
}

}  // namespace

Status open(Bytes bytes, Container& container, Diagnosis& why) {
    if (!holds(bytes, 0, 4)) return fail(why, Rule::EcTooShort, {0}, kShortHeader, bytes.size);
    Container opened;
    opened.bytes = bytes;
    opened.magic = load(bytes, 0);
    if (opened.magic == kBlobMagic)
        return fail(why, Rule::EcPlainBlob, {0}, kMagic0050, kBlobMagic);
    if (opened.magic != kMagic0020 && opened.magic != kMagic0030 && opened.magic != kMagic0050) {
        return fail(why, Rule::EcMagic, {0}, kMagic0050, opened.magic);
    }
    const bool has_patch_word = opened.magic != kMagic0020;
    const std::uint32_t header_bytes = has_patch_word ? kLongHeader : kShortHeader;
    if (bytes.size < header_bytes)
        return fail(why, Rule::EcTooShort, {0}, header_bytes, bytes.size);
    opened.reloc_offset = load(bytes, 4);
    if (has_patch_word) opened.patch_offset = load(bytes, 8);
    opened.debug_offset = load(bytes, has_patch_word ? 12 : 8);
    opened.blob_offset = load(bytes, has_patch_word ? 16 : 12);

    Status status = check_sections(opened, why);
    if (status == Status::Ok) status = check_blob_header(opened, why);
    if (status == Status::Ok && opened.reloc_offset != 0) {
        status = check_table(opened, symbol_table(opened), opened.symbol_count, why);
    }
    if (status == Status::Ok && opened.patch_offset != 0) {
        status = check_table(opened, patch_table(opened), opened.patch_count, why);
    }
    if (status == Status::Ok) container = opened;
    return status;
}

Status require_generation(const Container& container, Generation firmware, Diagnosis& why) {
    const std::uint32_t accepted = magic_of(firmware);
    if (container.magic == accepted) return Status::Ok;
    return fail(why, Rule::EcGeneration, {0}, accepted, container.magic);
}

bool symbol(const Container& container, std::uint32_t index, Symbol& symbol) {
    if (index >= container.symbol_count) return false;
    const Table table = symbol_table(container);
    const std::uint32_t at = table.entry(index);
    symbol.name = reinterpret_cast<const char*>(container.bytes.data + table.offset +
                                                load(container.bytes, at));
    symbol.count = load(container.bytes, at + 4);
    symbol.indices_offset = table.offset + load(container.bytes, at + 8);
    return true;
}

bool patch(const Container& container, std::uint32_t index, Patch& patch) {
    if (index >= container.patch_count) return false;
    const Table table = patch_table(container);
    const std::uint32_t at = table.entry(index);
    const bool has_shift = container.magic == kMagic0050;
    patch.name = reinterpret_cast<const char*>(container.bytes.data + table.offset +
                                               load(container.bytes, at));
    patch.shift = has_shift ? static_cast<std::int32_t>(load(container.bytes, at + 4)) : 0;
    patch.mask = load(container.bytes, at + (has_shift ? 8 : 4));
    patch.count = load(container.bytes, at + table.count_at);
    patch.indices_offset = table.offset + load(container.bytes, at + table.count_at + 4);
    return true;
}

bool target(const Container& container, std::uint32_t indices_offset, std::uint32_t element,
            std::uint32_t& word_index) {
    if (!holds(container.bytes, indices_offset, 4)) return false;
    if (element > (container.bytes.size - indices_offset - 4) / 4) return false;
    word_index = load(container.bytes, indices_offset + 4 * element);
    return true;
}

Status copy_blob(const Container& container, std::uint32_t* blob, std::uint32_t capacity_words,
                 Diagnosis& why) {
    const Status status = check_destination(container, blob, capacity_words, why);
    if (status != Status::Ok) return status;
    std::memcpy(blob, container.bytes.data + container.blob_offset,
                std::size_t{4} * container.blob_words);
    return Status::Ok;
}

Status relocate(const Container& container, std::uint32_t* blob, std::uint32_t index,
                std::uint32_t base, std::uint32_t& previous, Diagnosis& why) {
    Symbol entry;
    if (!symbol(container, index, entry)) {
        return fail(why, Rule::EcSymbolUnknown, {kNotApplicable, index}, container.symbol_count,
                    index);
    }
    Status status = check_copy(container, blob, why);
    if (status == Status::Ok) {
        status = check_indices(container, entry.indices_offset, entry.count, Rule::EcSymbolTarget,
                               index, why);
    }
    if (status != Status::Ok) return status;
    const std::uint32_t difference = base - previous;
    if (difference != 0) {
        for (std::uint32_t k = 0; k < entry.count; ++k) {
            blob[load(container.bytes, entry.indices_offset + 4 * k) + kBlobHeaderWords] +=
                difference;
        }
    }
    previous = base;
    return Status::Ok;
}

Status relocate_by_name(const Container& container, std::uint32_t* blob, const char* name,
                        std::uint32_t base, std::uint32_t& previous, Diagnosis& why) {
    for (std::uint32_t index = 0; index < container.symbol_count; ++index) {
        Symbol entry;
        if (symbol(container, index, entry) && same_text(entry.name, name)) {
            return relocate(container, blob, index, base, previous, why);
        }
    }
    return fail(why, Rule::EcSymbolNotFound, {});
}

Status apply_patch(const Container& container, std::uint32_t* blob, std::uint32_t index,
                   std::uint64_t value, Diagnosis& why) {
    Patch entry;
    if (!patch(container, index, entry)) {
        return fail(why, Rule::EcPatchUnknown, {kNotApplicable, index}, container.patch_count,
                    index);
    }
    Status status = check_copy(container, blob, why);
    if (status == Status::Ok) status = check_patch(container, entry, index, why);
    if (status == Status::Ok) patch_words(container, blob, entry, value);
    return status;
}

Status apply_patch_by_name(const Container& container, std::uint32_t* blob, const char* name,
                           std::uint64_t value, Diagnosis& why) {
    std::uint32_t named = 0;
    Status status = check_copy(container, blob, why);
    Patch entry;
    for (std::uint32_t index = 0; status == Status::Ok && patch(container, index, entry); ++index) {
        if (!same_text(entry.name, name)) continue;
        ++named;
        status = check_patch(container, entry, index, why);
    }
    if (status != Status::Ok) return status;
    if (named == 0) {
        return fail(why, Rule::EcPatchNotFound, {});
    }
    for (std::uint32_t index = 0; patch(container, index, entry); ++index) {
        if (same_text(entry.name, name)) patch_words(container, blob, entry, value);
    }
    return Status::Ok;
}

}  // namespace n6vp::loader::ec

// SPDX-License-Identifier: Apache-2.0
#include "loader/ec_container.h"

#include <cstring>
#include <initializer_list>

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

/// Returns the rule `distance` places behind `rule`. Rules of like parts stand in the same order.
Rule after(Rule rule, std::uint32_t distance) {
    return static_cast<Rule>(static_cast<std::uint32_t>(rule) + distance);
}
constexpr std::uint32_t distance_of(Rule from, Rule to) {
    return static_cast<std::uint32_t>(to) - static_cast<std::uint32_t>(from);
}
static_assert(distance_of(Rule::EcRelocOffset, Rule::EcDebugOffset) == 4 &&
              distance_of(Rule::EcRelocAlignment, Rule::EcDebugAlignment) == 4);

/// Reads the section offsets and checks their position, alignment and order.
Status read_sections(Container& container, Diagnosis& why) {
    enum Section : std::uint32_t { kReloc, kPatch, kDebug, kBlob, kSections };
    const Bytes bytes = container.bytes;
    const bool has_patch_word = container.magic != kMagic0020;
    const std::uint32_t header_bytes = has_patch_word ? kLongHeader : kShortHeader;
    if (bytes.size < header_bytes) {
        return fail(why, Rule::EcTooShort, {0}, header_bytes, bytes.size);
    }
    std::uint32_t offsets[kSections] = {};
    std::uint32_t field = 0;
    std::uint32_t previous = 0;
    for (std::uint32_t section = kReloc; section < kSections; ++section) {
        if (section == kPatch && !has_patch_word) continue;
        field += 4;
        const std::uint32_t offset = load(bytes, field);
        offsets[section] = offset;
        if (offset == 0) {
            if (section == kBlob) return fail(why, Rule::EcBlobMissing, {field});
            continue;
        }
        const bool before = offset < header_bytes;
        if (before || offset >= bytes.size) {
            const Rule outside =
                section == kBlob ? Rule::EcBlobOffset : after(Rule::EcRelocOffset, 2 * section);
            return fail(why, outside, {field}, before ? header_bytes : bytes.size, offset);
        }
        const std::uint32_t alignment = section == kBlob ? 8 : 4;
        if (offset % alignment != 0) {
            const Rule misaligned = section == kBlob ? Rule::EcBlobAlignment
                                                     : after(Rule::EcRelocAlignment, 2 * section);
            return fail(why, misaligned, {field}, alignment, offset);
        }
        // An empty debug section shares the blob's offset in every 0020 file.
        const bool empty_debug = section == kBlob && offset == offsets[kDebug];
        if (offset <= previous && !empty_debug) {
            return fail(why, Rule::EcSectionOrder, {field}, previous, offset);
        }
        previous = offset;
    }
    container.reloc_offset = offsets[kReloc];
    container.patch_offset = offsets[kPatch];
    container.debug_offset = offsets[kDebug];
    container.blob_offset = offsets[kBlob];
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

/// Judges one of the two tables, entry by entry.
class TableCheck {
  public:
    TableCheck(const Container& container, const Table& table, Diagnosis& why)
        : container_(container), table_(table), why_(why) {}

    Status run(std::uint32_t& entries) {
        const std::uint32_t count = word(0);
        const std::uint32_t room = (table_.bytes - 4) / table_.entry_bytes;
        if (count > room) return refuse(Rule::EcSymbolTable, 0, room, count);
        if (count > kMaxEntries) return refuse(Rule::EcSymbolLimit, 0, kMaxEntries, count);
        strings_ = 4 + count * table_.entry_bytes;
        for (index_ = 0; index_ < count; ++index_) {
            const Status status = entry();
            if (status != Status::Ok) return status;
        }
        entries = count;
        return Status::Ok;
    }

  private:
    /// `at` counts from the table start, as everything in the table does.
    Status refuse(Rule symbol_rule, std::uint32_t at, std::uint32_t expected, std::uint32_t found) {
        constexpr std::uint32_t kDistance = distance_of(Rule::EcSymbolTable, Rule::EcPatchTable);
        static_assert(distance_of(Rule::EcSymbolTargetCount, Rule::EcPatchTargetCount) ==
                      kDistance);
        const Rule rule = after(symbol_rule, table_.patches ? kDistance : 0);
        return fail(why_, rule, {table_.offset + at, at == 0 ? kNotApplicable : index_}, expected,
                    found);
    }

    [[nodiscard]] std::uint32_t word(std::uint32_t at) const {
        return load(container_.bytes, table_.offset + at);
    }
    [[nodiscard]] std::uint32_t at_entry(std::uint32_t index) const {
        return 4 + index * table_.entry_bytes;
    }
    [[nodiscard]] const char* text(std::uint32_t at) const {
        return reinterpret_cast<const char*>(container_.bytes.data + table_.offset + at);
    }

    Status entry() {
        const bool has_shift = table_.patches && container_.magic == kMagic0050;
        Status status = name();
        // 0050 names the two halves of one value alike, on purpose.
        if (status == Status::Ok) status = has_shift ? shift() : unique();
        // Several patch entries may write one word; within an entry a repetition is a fault.
        if (table_.patches) total_ = 0;
        return status == Status::Ok ? targets() : status;
    }

    Status name() {
        const std::uint32_t at = at_entry(index_);
        const std::uint32_t name = word(at);
        if (name < strings_) return refuse(Rule::EcSymbolName, at, strings_, name);
        if (name >= table_.bytes) return refuse(Rule::EcSymbolName, at, table_.bytes, name);
        const std::uint32_t room = table_.bytes - name;
        const std::uint32_t limit =
            room < format::kMaxNameBytes + 1 ? room : format::kMaxNameBytes + 1;
        std::uint32_t length = 0;
        while (length < limit && text(name)[length] != 0) ++length;
        if (length == limit) return refuse(Rule::EcSymbolNameEnd, at, limit, name);
        if (length == 0) return refuse(Rule::EcSymbolNameEmpty, at, kNotApplicable, name);
        return Status::Ok;
    }

    /// Compares with the earlier names, which are known to be terminated.
    Status unique() {
        const std::uint32_t at = at_entry(index_);
        const char* const name = text(word(at));
        for (std::uint32_t earlier = 0; earlier < index_; ++earlier) {
            if (same_text(text(word(at_entry(earlier))), name)) {
                return refuse(Rule::EcSymbolDuplicate, at, kNotApplicable, earlier);
            }
        }
        return Status::Ok;
    }

    Status shift() {
        const std::uint32_t at = at_entry(index_) + 4;
        const auto shift = static_cast<std::int32_t>(word(at));
        if (shift >= kMinShift && shift <= kMaxShift) return Status::Ok;
        const auto limit = static_cast<std::uint32_t>(shift < 0 ? kMinShift : kMaxShift);
        return fail(why_, Rule::EcPatchShift, {table_.offset + at, index_}, limit, word(at));
    }

    /// Checks the index array. The indices of all symbols together may not be more than the words:
    /// then some word would be relocated twice.
    Status targets() {
        const std::uint32_t at = at_entry(index_) + table_.count_at;
        const std::uint32_t count = word(at);
        const std::uint32_t array = word(at + 4);
        if (array % 4 != 0) return refuse(Rule::EcSymbolIndicesAlignment, at + 4, 4, array);
        if (array < strings_) return refuse(Rule::EcSymbolIndices, at + 4, strings_, array);
        if (array > table_.bytes) {
            return refuse(Rule::EcSymbolIndices, at + 4, table_.bytes, array);
        }
        const std::uint32_t room = (table_.bytes - array) / 4;
        if (count > room) return refuse(Rule::EcSymbolIndices, at, room, count);
        const std::uint32_t words = container_.blob_words - kBlobHeaderWords;
        for (std::uint32_t k = 0; k < count; ++k) {
            const std::uint32_t index = word(array + 4 * k);
            if (index >= words) return refuse(Rule::EcSymbolTarget, array + 4 * k, words, index);
        }
        const std::uint32_t left = words - total_;
        if (count > left) return refuse(Rule::EcSymbolTargetCount, at, left, count);
        total_ += count;
        return Status::Ok;
    }

    const Container& container_;
    const Table& table_;
    Diagnosis& why_;
    std::uint32_t strings_ = 0;  ///< where entries end: nothing they name may lie before
    std::uint32_t index_ = 0;
    std::uint32_t total_ = 0;
};

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

/// Patches through every entry of that name, or through entry `index` if `name` is null: first all
/// of them are checked, then all are written.
Status patch_matching(const Container& container, std::uint32_t* blob, const char* name,
                      std::uint32_t index, std::uint64_t value, bool& found, Diagnosis& why) {
    Status status = check_copy(container, blob, why);
    for (const bool write : {false, true}) {
        Patch entry;
        for (std::uint32_t k = 0; status == Status::Ok && patch(container, k, entry); ++k) {
            if (name != nullptr ? !same_text(entry.name, name) : k != index) continue;
            found = true;
            if (write) {
                patch_words(container, blob, entry, value);
            } else {
                status = check_patch(container, entry, k, why);
            }
        }
    }
    return status;
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
    Status status = read_sections(opened, why);
    if (status == Status::Ok) status = check_blob_header(opened, why);
    if (status == Status::Ok && opened.reloc_offset != 0) {
        status = TableCheck(opened, symbol_table(opened), why).run(opened.symbol_count);
    }
    if (status == Status::Ok && opened.patch_offset != 0) {
        status = TableCheck(opened, patch_table(opened), why).run(opened.patch_count);
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
    bool found = false;
    const Status status = patch_matching(container, blob, nullptr, index, value, found, why);
    if (status != Status::Ok || found) return status;
    return fail(why, Rule::EcPatchUnknown, {kNotApplicable, index}, container.patch_count, index);
}

Status apply_patch_by_name(const Container& container, std::uint32_t* blob, const char* name,
                           std::uint64_t value, Diagnosis& why) {
    bool found = false;
    const Status status = patch_matching(container, blob, name, 0, value, found, why);
    if (status != Status::Ok || found) return status;
    return fail(why, Rule::EcPatchNotFound, {});
}

}  // namespace n6vp::loader::ec

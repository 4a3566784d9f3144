// SPDX-License-Identifier: Apache-2.0
#include "tests/core/diff/generator.h"

#include "tests/core/diff/branches.h"
#include "tests/core/diff/roles.h"
#ifdef N6VP_WITH_LLVM
#include "tests/core/decode/oracle.h"
#endif

namespace n6vp::test::diff {

using models::core::isa::Family;
using models::core::isa::Row;

namespace {

std::uint64_t hash_text(std::string_view text) {
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    return hash;
}

/// Keeps three of four offsets small, so that bases near an end of RAM make addresses there.
void shrink_offset(const Row& row, Draw& draw, std::uint32_t& encoding) {
    if (!row.pattern.has('i') || draw.below(4) == 0) return;
    std::uint32_t shrunk = encoding;
    for (const auto& field : row.pattern.fields) {
        if (field.letter != 'i') continue;
        std::uint32_t high = field.mask;
        for (unsigned kept = 0; kept < 3; ++kept) high &= high - 1;
        shrunk &= ~high;
    }
    if (decodes_to(row, shrunk)) encoding = shrunk;
}

/// Lets an entry's bases go anywhere. Returns false if it has none that may.
bool make_wild(Entry& entry) {
    constexpr unsigned kStackPointer = 13;
    entry.flags |= kWild;
    return (entry.base_registers >> kStackPointer & 1) == 0 &&
           (entry.base_registers != 0 || entry.vector_role == VectorRole::Addresses);
}

/// ADD pc, Rm may land in the middle of an instruction, which may lead anywhere. mps2-an386 and
/// mps2-an500 read zeros where nothing is and run through them; on the other boards that faults.
bool leads_anywhere(std::uint32_t encoding) {
    return places.slots == kAn386.slots && (encoding & ~0x78u) == 0x4487;
}

void add_row(const Family& family, const Row& row, const Selection& selection, Job& job) {
    // A row's vectors do not depend on which other rows are there.
    Draw draw(selection.seed * 0x100000001u ^ hash_text(row.title));
    unsigned found = 0;
    for (unsigned tries = 0; found < selection.encodings && tries < selection.encodings * 50;
         ++tries) {
        Entry entry;
        entry.seed = draw.next();
        entry.vectors = static_cast<std::uint16_t>(selection.vectors);
        std::uint32_t encoding = selection.encoding;
        if (encoding == 0 && !draw_encoding(row, draw, encoding)) break;
        if (selection.encoding == 0) aim_branch(row, draw, encoding);
        if (selection.encoding == 0 && selection.wild) shrink_offset(row, draw, encoding);
        // A row without fields is what it is.
        const bool free = selection.encoding == 0 && row.pattern.field_count != 0;
        if (free && !is_predictable_under(0, encoding, row.pattern.bytes)) continue;
        if (leads_anywhere(encoding)) continue;
        if (!assign_roles(family.name, row, encoding, draw, entry)) continue;
        if (selection.wild && !make_wild(entry)) continue;
        if (entry.halfwords == 0) append(entry, encoding, row.pattern.bytes);
        job.entries.push_back(entry);
        job.rows.push_back(&row);
        job.kinds.emplace_back(row.title);
        ++found;
    }
    if (found == 0 && !selection.wild) job.empty.emplace_back(row.title);
}

}  // namespace

#ifdef N6VP_WITH_LLVM
bool is_predictable_under(std::uint32_t block, std::uint32_t encoding, unsigned bytes) {
    static const std::unique_ptr<DecodeOracle> llvm = make_decode_oracle();
    const auto result = block == 0
                            ? llvm->decode(encoding, bytes)
                            : llvm->decode_under(block, block > 0xFFFF ? 4 : 2, encoding, bytes);
    return block == 0 ? result.verdict != DecodeOracle::Verdict::Unpredictable
                      : result.verdict == DecodeOracle::Verdict::Defined;
}
#else
bool is_predictable_under(std::uint32_t /*block*/, std::uint32_t /*encoding*/, unsigned /*bytes*/) {
    return true;
}
#endif

void Job::append(Job&& other) {
    entries.insert(entries.end(), other.entries.begin(), other.entries.end());
    rows.insert(rows.end(), other.rows.begin(), other.rows.end());
    kinds.insert(kinds.end(), other.kinds.begin(), other.kinds.end());
}

void append(Entry& entry, std::uint32_t encoding, unsigned bytes) {
    if (bytes == 4) entry.code[entry.halfwords++] = static_cast<std::uint16_t>(encoding >> 16);
    entry.code[entry.halfwords++] = static_cast<std::uint16_t>(encoding);
}

Job single_instructions(const Selection& selection) {
    Job job;
    for (const Family& family : models::core::isa::families()) {
        if (!selection.family.empty() && selection.family != family.name) continue;
        for (const Row& row : family.rows) {
            if (std::string_view(row.title).find(selection.row) == std::string_view::npos) continue;
            if (exclusion(row) != nullptr || !is_drawn(row)) continue;
            if (selection.encoding != 0 && !decodes_to(row, selection.encoding)) continue;
            add_row(family, row, selection, job);
        }
    }
    return job;
}

}  // namespace n6vp::test::diff

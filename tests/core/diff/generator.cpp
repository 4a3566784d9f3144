// SPDX-License-Identifier: Apache-2.0
#include "tests/core/diff/generator.h"

#include "tests/core/diff/roles.h"

namespace n6vp::test::diff {

using models::core::isa::Family;
using models::core::isa::Row;

namespace {

std::uint64_t hash_text(std::string_view text) {
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    return hash;
}

bool decodes_to(const Row& row, std::uint32_t encoding) {
    const Row* found = row.pattern.bytes == 4 ? models::core::isa::find_row_32(encoding)
                                              : models::core::isa::find_row_16(encoding);
    return found == &row;
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
        if (encoding == 0 && !draw_encoding(row, draw, encoding)) return;
        if (!assign_roles(family.name, row, encoding, entry)) continue;
        append(entry, encoding, row.pattern.bytes);
        job.entries.push_back(entry);
        job.rows.push_back(&row);
        ++found;
    }
}

}  // namespace

bool draw_encoding(const Row& row, Draw& draw, std::uint32_t& encoding) {
    const auto& pattern = row.pattern;
    const std::uint32_t fixed = pattern.mask | pattern.should_be_one | pattern.should_be_zero;
    for (unsigned tries = 0; tries < 2000; ++tries) {
        std::uint32_t random = draw.next();
        // Fields of all zeroes or ones are where the special cases are.
        const std::uint32_t special = draw.next();
        for (unsigned i = 0; i < pattern.field_count && (special & 7) == 0; ++i) {
            if ((special >> (8 + i) & 1) == 0) continue;
            random &= ~pattern.fields[i].mask;
            if ((special >> 20 & 1) != 0) random |= pattern.fields[i].mask;
        }
        encoding = (random & ~fixed) | pattern.value | pattern.should_be_one;
        if (pattern.bytes == 2) encoding &= 0xFFFF;
        if (decodes_to(row, encoding)) return true;
    }
    return false;
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
            if (exclusion(row) != nullptr) continue;
            if (selection.encoding != 0 && !decodes_to(row, selection.encoding)) continue;
            add_row(family, row, selection, job);
        }
    }
    return job;
}

}  // namespace n6vp::test::diff

// SPDX-License-Identifier: Apache-2.0
#include "tests/core/decode/draw.h"

namespace n6vp::test {

using models::core::isa::Row;

bool decodes_to(const Row& row, std::uint32_t encoding) {
    if (row.pattern.bytes == 2 && encoding > 0xFFFF) return false;
    const Row* found = row.pattern.bytes == 4 ? models::core::isa::find_row_32(encoding)
                                              : models::core::isa::find_row_16(encoding);
    return found == &row;
}

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

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/core/isa/families.h"
#include "models/core/isa/row.h"

namespace n6vp::models::core::isa {

namespace {

/// Rows that may match, most specific first.
using Candidates = std::vector<const Row*>;

bool more_specific(const Row* a, const Row* b) {
    return std::popcount(a->pattern.mask) > std::popcount(b->pattern.mask);
}

const Row* first_match(const Candidates& candidates, std::uint32_t encoding) {
    for (const Row* row : candidates) {
        if ((encoding & row->pattern.mask) != row->pattern.value) continue;
        if (row->matches != nullptr && !row->matches(Fields(row->pattern, encoding))) continue;
        return row;
    }
    return nullptr;
}

/// Every 16-bit encoding decoded in advance.
class Table16 {
  public:
    Table16() : rows_(0x10000) {
        Candidates candidates;
        for (const Family& family : families()) {
            for (const Row& row : family.rows) {
                if (row.pattern.bytes == 2) candidates.push_back(&row);
            }
        }
        std::ranges::stable_sort(candidates, more_specific);
        for (std::uint32_t encoding = 0; !is_wide(encoding); ++encoding)
            rows_[encoding] = first_match(candidates, encoding);
    }
    [[nodiscard]] const Row* find(std::uint32_t encoding) const { return rows_[encoding & 0xFFFF]; }

  private:
    std::vector<const Row*> rows_;
};

/// Buckets by the bits that tell most: 12:4 of the first halfword, 15:12 of the second.
class Table32 {
  public:
    Table32() {
        for (const Family& family : families()) {
            for (const Row& row : family.rows) {
                if (row.pattern.bytes == 4) enter(row);
            }
        }
        for (Candidates& bucket : buckets_) std::ranges::stable_sort(bucket, more_specific);
    }
    [[nodiscard]] const Row* find(std::uint32_t encoding) const {
        return first_match(buckets_[key(encoding)], encoding);
    }

  private:
    static std::size_t key(std::uint32_t encoding) {
        return (encoding >> 20 & 0x1FF) << 4 | (encoding >> 12 & 0xF);
    }
    void enter(const Row& row) {
        const std::size_t mask = key(row.pattern.mask), value = key(row.pattern.value);
        for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
            if ((bucket & mask) == value) buckets_[bucket].push_back(&row);
        }
    }
    std::array<Candidates, 0x2000> buckets_;
};

}  // namespace

std::span<const Family> families() {
    static const std::array all = {
        integer_family(), memory_family(),         control_family(),      coprocessor_family(),
        float_family(),   vector_integer_family(), vector_float_family(), vector_memory_family(),
    };
    return all;
}

const Row* find_row_16(std::uint32_t encoding) {
    static const Table16 table;
    return table.find(encoding);
}

const Row* find_row_32(std::uint32_t encoding) {
    static const Table32 table;
    return table.find(encoding);
}

}  // namespace n6vp::models::core::isa

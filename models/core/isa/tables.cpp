// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
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
    explicit Table16(Feature features) : rows_(0x10000) {
        Candidates candidates;
        for (const Family& family : families()) {
            for (const Row& row : family.rows) {
                if (row.pattern.bytes == 2 && includes(features, row.needs))
                    candidates.push_back(&row);
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
    explicit Table32(Feature features) {
        for (const Family& family : families()) {
            for (const Row& row : family.rows) {
                if (row.pattern.bytes == 4 && includes(features, row.needs)) enter(row);
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

class Tables final : public InstructionSet {
  public:
    explicit Tables(Feature features) : narrow_(features), wide_(features) {}
    [[nodiscard]] const Row* find_16(std::uint32_t encoding) const override {
        return narrow_.find(encoding);
    }
    [[nodiscard]] const Row* find_32(std::uint32_t encoding) const override {
        return wide_.find(encoding);
    }

  private:
    Table16 narrow_;
    Table32 wide_;
};

}  // namespace

const InstructionSet& InstructionSet::of(Feature features) {
    static std::mutex mutex;
    static std::map<Feature, std::unique_ptr<const InstructionSet>> sets;
    const std::lock_guard guard(mutex);
    std::unique_ptr<const InstructionSet>& set = sets[features];
    if (set == nullptr) set = std::make_unique<Tables>(features);
    return *set;
}

void append_rows(std::vector<Row>& all, std::span<const Row> rows, Feature feature) {
    for (const Row& row : rows) all.push_back(needing(feature, row));
}

std::span<const Family> families() {
    static const std::array all = {
        integer_family(), memory_family(),         control_family(),      coprocessor_family(),
        float_family(),   vector_integer_family(), vector_float_family(), vector_memory_family(),
    };
    return all;
}

const Row* find_row_16(std::uint32_t encoding) {
    static const InstructionSet& set = InstructionSet::of(kEveryFeature);
    return set.find_16(encoding);
}

const Row* find_row_32(std::uint32_t encoding) {
    static const InstructionSet& set = InstructionSet::of(kEveryFeature);
    return set.find_32(encoding);
}

}  // namespace n6vp::models::core::isa

// SPDX-License-Identifier: Apache-2.0
#include "models/npu/units/decun.h"

#include <algorithm>

namespace n6vp::models::npu {

namespace {

constexpr std::uint32_t kEntryWords = 4;  // a longer vector takes two entries

std::uint32_t entries_per_vector(const DecunConfig& config) {
    return config.cws + 1u > kEntryWords ? 2 : 1;
}

Word code_word(const DecunMemory::Entry& entry, std::uint32_t index, bool one_byte) {
    if (one_byte) return low_bytes(static_cast<Word>(entry.low >> 8 * index), 1, false);
    const std::uint32_t half = index < 2 ? entry.low : entry.high;
    return low_bytes(static_cast<Word>(half >> 16 * (index % 2)), 2, false);
}

}  // namespace

Verdict judge(const DecunConfig& config) {
    VerdictBuilder builder("DECUN");
    builder.illegal_if(config.osam > config.cws + 1, "OSAM is more than the words of a vector");
    builder.assume_if(true, "CTRL.EN", "all of it; no network that uses it is public");
    builder.assume_if(config.osam == 0, "BFORMAT.OSAM",
                      "a last vector of no words; it is a full one here");
    builder.refuse_if(!config.dualin, "CTRL.DUALIN",
                      "the format of a codebook on the second input");
    builder.refuse_if(config.rawline, "DFORMAT.RAWLINE", "its effect");
    builder.refuse_if(config.bn > 1, "FFORMAT.BN", "how a frame is divided into batches");
    builder.refuse_if((config.cvs + 1u) * entries_per_vector(config) > kDecunPageEntries,
                      "BFORMAT.CVS", "a codebook larger than a page");
    return builder.take();
}

Decun::Decun(const DecunConfig& config, const DecunMemory& memory)
    : vectors_(config.cvs + 1u),
      words_(config.cws + 1u),
      last_words_(config.osam == 0 ? config.cws + 1u : config.osam) {
    const std::size_t page = std::size_t{config.pageaddr % kDecunPages} * kDecunPageEntries;
    codebook_.reserve(std::size_t{vectors_} * words_);
    for (std::uint32_t vector = 0; vector < vectors_; ++vector) {
        for (std::uint32_t word = 0; word < words_; ++word) {
            const std::size_t entry =
                page + std::size_t{vector} * entries_per_vector(config) + word / kEntryWords;
            codebook_.push_back(code_word(memory.entries[entry], word % kEntryWords, config.cv8));
        }
    }
}

bool Decun::compute(std::span<const Word> indices, std::span<Word> out) const {
    bool all_known = true;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const auto index = static_cast<std::uint32_t>(low_bytes(indices[i], 1, true));
        const std::uint32_t words = i + 1 == indices.size() ? last_words_ : words_;
        Word* to = &out[i * words_];
        if (index < vectors_) {
            std::copy_n(&codebook_[std::size_t{index} * words_], words, to);
        } else {
            std::fill_n(to, words, 0);
            all_known = false;
        }
    }
    return all_known;
}

}  // namespace n6vp::models::npu

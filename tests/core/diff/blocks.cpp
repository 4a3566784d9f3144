// SPDX-License-Identifier: Apache-2.0
#include "tests/core/diff/blocks.h"

#include <array>
#include <optional>
#include <vector>

#include "models/core/isa/row.h"
#include "tests/core/diff/branches.h"
#include "tests/core/diff/exclusions.h"
#include "tests/core/diff/roles.h"

namespace n6vp::test::diff {

namespace isa = models::core::isa;

namespace {

constexpr std::uint32_t kVpst = 0xFE710F4D, kItAlways = 0xBF88;

bool begins_with_any(std::string_view title, std::span<const std::string_view> starts) {
    for (const std::string_view start : starts) {
        if (title.starts_with(start)) return true;
    }
    return false;
}

bool has_token(std::string_view text, std::string_view token) {
    for (std::size_t at = text.find(token); at != std::string_view::npos;
         at = text.find(token, at + 1)) {
        const auto is_word = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        };
        const bool starts = at == 0 || !is_word(text[at - 1]);
        const std::size_t end = at + token.size();
        if (starts && (end == text.size() || !is_word(text[end]))) return true;
    }
    return false;
}

bool may_resume(std::string_view title) {
    for (const Exclusion& row : kNotResumed) {
        if (title.starts_with(row.title)) return false;
    }
    return true;
}

/// Rows to draw from, by what they may stand in.
struct Pool {
    std::vector<const isa::Row*> general;         ///< integer and scalar float, registers only
    std::vector<const isa::Row*> vector;          ///< vector, registers only
    std::vector<const isa::Row*> resumable;       ///< of those, what QEMU resumes right
    std::vector<const isa::Row*> memory;          ///< scalar loads and stores, base in n
    std::vector<const isa::Row*> vector_memory;   ///< vector loads and stores, base in n
    std::vector<const isa::Row*> vector_compare;  ///< VPT

    Pool();
};

Pool::Pool() {
    constexpr std::array<std::string_view, 13> kNotInBlocks = {"VMSR",
                                                               "VLDR (System",
                                                               "VSTR (System",
                                                               "VSCCLRM",
                                                               "VLLDM",
                                                               "VLSTM",
                                                               "CLRM",
                                                               "VMRS",
                                                               "VPST",
                                                               "VMOV (",
                                                               "VCTP",
                                                               "SQRSHRL (register, 48)",
                                                               "UQRSHLL (register, 48)"};
    for (const isa::Family& family : isa::families()) {
        const std::string_view name = family.name;
        for (const isa::Row& row : family.rows) {
            const std::string_view title = row.title;
            if (exclusion(row) != nullptr || !is_drawn(row)) continue;
            if (title.starts_with("VPT")) vector_compare.push_back(&row);
            if (begins_with_any(title, kNotInBlocks) || title.starts_with("VPT")) continue;
            const bool accesses =
                title.starts_with("VLD") || title.starts_with("VST") || title.starts_with("VP");
            if (name == "integer" || (name == "float" && !accesses)) general.push_back(&row);
            if (row.unit == isa::Unit::Vector && (!accesses || title.starts_with("VPSEL")) &&
                name != "control") {
                vector.push_back(&row);
                if (may_resume(title)) resumable.push_back(&row);
            }
            const bool single = title.starts_with("LDR") || title.starts_with("STR");
            if (name == "memory" && single && row.pattern.has('n') && row.pattern.bytes == 4 &&
                !row.pattern.has('m') && title.find("EX") == std::string_view::npos)
                memory.push_back(&row);
            if (name == "vector_memory" && accesses && row.pattern.has('n') &&
                title.find("(vector)") == std::string_view::npos)
                vector_memory.push_back(&row);
        }
    }
}

const Pool& pool() {
    static const Pool the_pool;
    return the_pool;
}

/// Puts one sequence together.
class Composer {
  public:
    Composer(Draw& draw, Entry& entry) : draw_(draw), entry_(entry) {}

    void add(std::uint32_t encoding) { append(entry_, encoding, encoding > 0xFFFF ? 4 : 2); }

    [[nodiscard]] bool fits(unsigned halfwords) const {
        return entry_.halfwords + halfwords + 2 <= kMaxCode;
    }

    /// Returns an encoding of a row out of `rows` that uses neither sp, lr nor pc.
    [[nodiscard]] std::optional<std::uint32_t> draw_from(const std::vector<const isa::Row*>& rows,
                                                         std::uint32_t block) {
        for (unsigned tries = 0; tries < 200 && !rows.empty(); ++tries) {
            const isa::Row& row = *rows[draw_.below(static_cast<std::uint32_t>(rows.size()))];
            std::uint32_t encoding = 0;
            if (!draw_encoding(row, draw_, encoding)) continue;
            const std::string text = isa::print(row, encoding);
            if (has_token(text, "sp") || has_token(text, "lr") || has_token(text, "pc")) continue;
            if (is_predictable_under(block, encoding, row.pattern.bytes)) return encoding;
        }
        return std::nullopt;
    }

    void general(std::uint32_t block = 0) {
        if (const auto encoding = draw_from(pool().general, block)) add(*encoding);
    }
    void vector(std::uint32_t block = 0) {
        if (const auto encoding = draw_from(pool().vector, block)) add(*encoding);
    }

    /// A load or store whose base is set just before it: ten halfwords at most.
    void access(const std::vector<const isa::Row*>& rows) {
        for (unsigned tries = 0; tries < 200 && !rows.empty(); ++tries) {
            const isa::Row& row = *rows[draw_.below(static_cast<std::uint32_t>(rows.size()))];
            std::uint32_t encoding = 0;
            if (!draw_encoding(row, draw_, encoding)) continue;
            const isa::Fields fields(row.pattern, encoding);
            const std::string text = isa::print(row, encoding);
            if (has_token(text, "sp") || has_token(text, "lr") || has_token(text, "pc")) continue;
            Entry roles;
            if (!is_predictable_under(0, encoding, 4) ||
                !assign_roles(row.unit == isa::Unit::Vector ? "vector_memory" : "memory", row,
                              encoding, draw_, roles))
                continue;
            const std::uint32_t offset = 2048 + (draw_.below(128) << 2);
            move_immediate(fields['n'], places.window() + offset);
            add(encoding);
            entry_.base_registers |= 1u << 13;  // the window counts
            return;
        }
    }

    /// MOVW and MOVT.
    void move_immediate(std::uint32_t reg, std::uint32_t value) {
        const auto half = [&](std::uint32_t opcode, std::uint32_t bits) {
            add(opcode | (bits >> 12 & 15) << 16 | (bits >> 11 & 1) << 26 | (bits >> 8 & 7) << 12 |
                reg << 8 | (bits & 0xFF));
        };
        half(0xF2400000, value & 0xFFFF);
        half(0xF2C00000, value >> 16);
    }

    [[nodiscard]] unsigned halfwords() const { return entry_.halfwords; }
    Draw& draw() { return draw_; }
    Entry& entry() { return entry_; }

  private:
    Draw& draw_;
    Entry& entry_;
};

void straight(Composer& composer) {
    const unsigned count = 4 + composer.draw().below(5);
    for (unsigned i = 0; i < count && composer.fits(10); ++i) {
        switch (composer.draw().below(6)) {
            case 0:
                composer.vector();
                break;
            case 1:
                composer.access(pool().memory);
                break;
            case 2:
                composer.access(pool().vector_memory);
                break;
            default:
                composer.general();
        }
    }
}

void if_then(Composer& composer) {
    const unsigned count = 1 + composer.draw().below(4);
    const std::uint32_t condition = composer.draw().below(14);
    // Mask: an E or T per further instruction, then a one.
    std::uint32_t mask = 0;
    for (unsigned i = 1; i < count; ++i)
        mask |= ((condition & 1) ^ composer.draw().below(2)) << (4 - i);
    mask |= 1u << (4 - count);
    composer.add(0xBF00 | condition << 4 | mask);
    for (unsigned i = 0; i < count; ++i) {
        const unsigned before = composer.halfwords();
        composer.general(kItAlways);
        if (composer.halfwords() == before) composer.add(0xBF00);
    }
    composer.general();
}

void vector_if_then(Composer& composer) {
    const unsigned count = 1 + composer.draw().below(4);
    std::uint32_t mask = 1u << (4 - count);
    for (unsigned i = 1; i < count; ++i) mask |= composer.draw().below(2) << (4 - i);
    // Bits 22 and 15:13 of VPST and VPT are the mask.
    const std::uint32_t mask_bits = (mask >> 3) << 22 | (mask & 7) << 13;
    std::uint32_t opener = (kVpst & ~0x0040E000u) | mask_bits;
    if (composer.draw().below(2) != 0 && !pool().vector_compare.empty()) {
        if (const auto vpt = composer.draw_from(pool().vector_compare, 0))
            opener = (*vpt & ~0x0040E000u) | mask_bits;
    }
    composer.add(opener);
    for (unsigned i = 0; i < count; ++i) {
        const unsigned before = composer.halfwords();
        composer.vector(kVpst);
        if (composer.halfwords() == before) composer.add(0xEF000150);  // vand q0, q0, q0
    }
}

std::uint32_t back_to(unsigned target, unsigned at) {
    return loop_displacement(2 * (at - target) + 4);
}

void loop(Composer& composer) {
    const std::uint32_t counter = composer.draw().below(13);
    composer.entry().small_registers = static_cast<std::uint16_t>(1u << counter);
    composer.entry().small_bits = 3;
    const bool check_first = composer.draw().below(2) != 0;
    const unsigned start = composer.halfwords();
    composer.add(0xF040E001 | counter << 16);  // dls; zero would go round four milliards of times
    if (check_first) composer.entry().code[start + 1] = 0xC001;
    if (!check_first) {
        // orr lr, lr, #1
        composer.add(0xF04E0E01);
    }
    const unsigned body = composer.halfwords();
    const unsigned count = 1 + composer.draw().below(4);
    for (unsigned i = 0; i < count && composer.fits(12); ++i) {
        if (composer.draw().below(3) == 0) {
            composer.access(pool().memory);
        } else {
            composer.general();
        }
    }
    const unsigned end = composer.halfwords();
    composer.add(0xF00FC001 | back_to(body, end));
    if (check_first) {
        const std::uint32_t forward = loop_displacement(2 * (end + 2 - start) - 4);
        composer.entry().code[start + 1] |= static_cast<std::uint16_t>(forward);
    }
}

void tail_loop(Composer& composer) {
    const std::uint32_t counter = composer.draw().below(13);
    composer.entry().small_registers = static_cast<std::uint16_t>(1u << counter);
    composer.entry().small_bits = 5;
    const std::uint32_t size = composer.draw().below(4);
    const bool check_first = composer.draw().below(2) != 0;
    const unsigned start = composer.halfwords();
    composer.add((check_first ? 0xF000C001 : 0xF000E001) | size << 20 | counter << 16);
    const unsigned body = composer.halfwords();
    const unsigned count = 1 + composer.draw().below(4);
    for (unsigned i = 0; i < count && composer.fits(14); ++i) {
        switch (composer.draw().below(4)) {
            case 0:
                composer.access(pool().vector_memory);
                break;
            case 1:
                vector_if_then(composer);
                break;
            default:
                composer.vector();
        }
    }
    const unsigned end = composer.halfwords();
    composer.add(0xF01FC001 | back_to(body, end));
    if (check_first) {
        const std::uint32_t forward = loop_displacement(2 * (end + 2 - start) - 4);
        composer.entry().code[start + 1] |= static_cast<std::uint16_t>(forward);
    }
}

void resumed(Composer& composer) {
    constexpr std::uint8_t kBeats[] = {1, 2, 4, 5};
    composer.entry().flags |= kEnterByReturn | kVprMasks;
    composer.entry().epsr = kBeats[composer.draw().below(4)];
    const unsigned before = composer.halfwords();
    while (composer.halfwords() < before + 4) {
        if (const auto encoding = composer.draw_from(pool().resumable, 0)) composer.add(*encoding);
    }
}

void exclusive(Composer& composer) {
    // r8 is the base, r9 the value stored, r10 the outcome, r11 what was loaded.
    composer.entry().base_registers = 1u << 8;
    composer.entry().align_log2 = 2;
    struct Pair {
        std::uint32_t load, store;
    };
    constexpr Pair kPairs[] = {
        {0xE858BF00, 0xE8489A00},  // words
        {0xE8D8BF4F, 0xE8C89F4A},  // bytes
        {0xE8D8BF5F, 0xE8C89F5A},  // halfwords
        {0xE8D8BFEF, 0xE8C89FEA},  // acquire, release: word
        {0xE8D8BFCF, 0xE8C89FCA},  // bytes
        {0xE8D8BFDF, 0xE8C89FDA},  // halfwords
    };
    const bool acquires = includes(drawn_features, isa::Feature::V8);
    const Pair& pair = kPairs[composer.draw().below(acquires ? 6 : 3)];
    composer.add(pair.load);
    if (composer.draw().below(4) == 0) composer.add(0xF3BF8F2F);  // clrex
    if (composer.draw().below(4) == 0) composer.add(0xF8C89004);  // str r9, [r8, #4]
    composer.add(pair.store);
    if (composer.draw().below(3) == 0) composer.add(pair.store);
}

void special(Composer& composer) {
    // What the runner restores or does not need.
    constexpr std::uint8_t kRegisters[] = {0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 16, 17, 18, 19};
    const auto pick = [&] { return kRegisters[composer.draw().below(sizeof kRegisters)]; };
    for (unsigned i = 0; i < 3; ++i) {
        switch (composer.draw().below(3)) {
            case 0: {
                std::uint32_t number = pick();
                if (number == 9 || number == 11) number = 16;  // the stack in use and its limit
                // masks 0b10, 0b01 and 0b11 are of APSR only
                const std::uint32_t mask = number < 4 ? 1 + composer.draw().below(3) : 2;
                composer.add(0xF3808000 | composer.draw().below(13) << 16 | mask << 10 | number);
                break;
            }
            case 1:
                composer.add(0xB660 | composer.draw().below(2) << 4 |
                             (1 + composer.draw().below(3)));
                break;
            default:
                composer.add(0xF3EF8000 | composer.draw().below(13) << 8 | pick());
        }
    }
    composer.add(0xF3EF8000 | composer.draw().below(13) << 8 | pick());
}

void compose(BlockKind kind, Composer& composer) {
    switch (kind) {
        case BlockKind::Straight:
            return straight(composer);
        case BlockKind::IfThen:
            return if_then(composer);
        case BlockKind::VectorIfThen:
            return vector_if_then(composer);
        case BlockKind::Loop:
            return loop(composer);
        case BlockKind::TailLoop:
            return tail_loop(composer);
        case BlockKind::Resumed:
            return resumed(composer);
        case BlockKind::Exclusive:
            return exclusive(composer);
        case BlockKind::Special:
            return special(composer);
    }
}

}  // namespace

std::string_view name_of(BlockKind kind) {
    constexpr std::array<std::string_view, std::size(kBlockKinds)> kNames = {
        "straight", "it", "vpt", "loop", "tail_loop", "resumed", "exclusive", "special"};
    return kNames[static_cast<std::size_t>(kind)];
}

Job blocks(BlockKind kind, const Selection& selection) {
    Job job;
    Draw draw(selection.seed * 0x100000001u + static_cast<unsigned>(kind));
    for (unsigned i = 0; i < selection.encodings; ++i) {
        Entry entry;
        entry.seed = draw.next();
        entry.vectors = static_cast<std::uint16_t>(selection.vectors);
        Composer composer(draw, entry);
        compose(kind, composer);
        job.entries.push_back(entry);
        job.rows.push_back(nullptr);
        job.kinds.emplace_back(name_of(kind));
    }
    return job;
}

}  // namespace n6vp::test::diff

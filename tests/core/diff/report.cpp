// SPDX-License-Identifier: Apache-2.0
#include "tests/core/diff/report.h"

#include <cstdio>

#include "models/core/isa/row.h"
#include "tests/core/diff/vector_state.h"

namespace n6vp::test::diff {

namespace isa = models::core::isa;

namespace {

template <class... Arguments>
std::string format(const char* form, Arguments... arguments) {
    char text[256];
    std::snprintf(text, sizeof text, form, arguments...);
    return text;
}

struct Word {
    std::string name;
    std::size_t index;
};

std::string name_of(std::size_t word) {
    static const char* const names[] = {"sp",      "lr",        "pc",    "apsr", "fpscr",
                                        "vpr",     "exception", "cfsr",  "hfsr", "sfsr",
                                        "address", "epsr",      "window"};
    if (word < 13) return format("r%zu", word);
    if (word < 26) return names[word - 13];
    if (word >= 32) return format("q%zu[%zu]", (word - 32) / 4, word % 4);
    return "?";
}

const std::uint32_t* words(const Record& record) {
    return reinterpret_cast<const std::uint32_t*>(&record);
}

bool counts(std::size_t word) {
    return word < 26 || word >= 32;
}

std::string state_text(const State& state) {
    std::string text = "  before:";
    for (unsigned i = 0; i < 13; ++i) text += format(" r%u=%08x", i, state.r[i]);
    text += format("\n          sp=%08x lr=%08x apsr=%08x fpscr=%08x vpr=%08x splim=%08x", state.sp,
                   state.lr, state.apsr, state.fpscr, state.vpr, state.sp_limit);
    for (unsigned q = 0; q < 8; ++q) {
        const std::uint32_t* const lane = state.vector + std::size_t{4} * q;
        text += format("%sq%u=%08x:%08x:%08x:%08x", q % 4 == 0 ? "\n          " : " ", q, lane[3],
                       lane[2], lane[1], lane[0]);
    }
    return text + '\n';
}

State state_before(const Entry& entry, std::uint32_t slot, unsigned vector) {
    Random random(entry.seed);
    static std::uint32_t window[kWindowWords];
    make_window(random, entry, slot, window);
    State state;
    for (unsigned i = 0; i <= vector; ++i) make_state(random, entry, slot, state);
    return state;
}

}  // namespace

std::string code_text(const Entry& entry) {
    std::string text;
    for (unsigned at = 0; at < entry.halfwords;) {
        const bool wide = isa::is_wide(entry.code[at]);
        const std::uint32_t encoding =
            wide ? static_cast<std::uint32_t>(entry.code[at]) << 16 | entry.code[at + 1]
                 : entry.code[at];
        const isa::Row* row = wide ? isa::find_row_32(encoding) : isa::find_row_16(encoding);
        text += format("  %02x: %0*x  ", 2 * (kCodeStart + at), wide ? 8 : 4, encoding);
        text +=
            row != nullptr ? isa::print(*row, encoding) + "  [" + row->title + "]" : "undefined";
        text += '\n';
        at += wide ? 2 : 1;
    }
    return text;
}

std::string vector_text(const Entry& entry, std::uint32_t slot, unsigned vector, const Record& ours,
                        const Record& theirs) {
    const State before = state_before(entry, slot, vector);
    const auto* old = reinterpret_cast<const std::uint32_t*>(&before);
    std::string text = format("  vector %u, slot %08x\n", vector, slot) + state_text(before);
    for (std::size_t word = 0; word < 64; ++word) {
        const std::uint32_t our = words(ours)[word], their = words(theirs)[word];
        const bool register_word = word < 15 || (word > 15 && word < 19) || word >= 32;
        if (our == their && our == (register_word ? old[word] : 0)) continue;
        text += format("  %-9s ours %08x  QEMU %08x%s\n", name_of(word).c_str(), our, their,
                       our == their || !counts(word) ? "" : "  <--");
    }
    return text;
}

std::string explain(const Entry& entry, std::uint32_t slot, const Record* ours,
                    const Record* theirs) {
    for (unsigned vector = 0; vector < entry.vectors; ++vector) {
        std::string text;
        for (std::size_t word = 0; word < 64; ++word) {
            const std::uint32_t our = words(ours[vector])[word],
                                their = words(theirs[vector])[word];
            if (our == their || !counts(word)) continue;
            text += format("  %-9s ours %08x  QEMU %08x\n", name_of(word).c_str(), our, their);
        }
        if (text.empty()) continue;
        const State state = state_before(entry, slot, vector);
        return code_text(entry) +
               format("  vector %u of %u, slot %08x\n", vector, entry.vectors, slot) +
               state_text(state) + text;
    }
    return {};
}

}  // namespace n6vp::test::diff

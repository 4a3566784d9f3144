// SPDX-License-Identifier: Apache-2.0
#include "tests/loader/check/malformed_cases.h"

namespace n6vp::test {
namespace {

using loader::Rule;

#define N6VP_GOT(rule, value)                                                                  \
    {                                                                                          \
        "GOT word " #value, Rule::rule, nullptr, [](Image& i) { i.set(i.got_word(1), value); } \
    }
#define N6VP_VALUE(rule, value)                                            \
    {                                                                      \
        "relocated word " #value, Rule::rule, nullptr,                     \
            [](Image& i) { i.set(i.ram(i.word(i.relocation(1))), value); } \
    }
#define N6VP_ENTRY(rule, value)                             \
    {                                                       \
        "relocation entry " #value, Rule::rule, nullptr,    \
            [](Image& i) { i.set(i.relocation(0), value); } \
    }

void no_external_pool(ImageSpec& spec) {
    spec.pools.erase(spec.pools.begin() + kExternal);
}

/// Makes room for an entry that names an RO word.
void clang(ImageSpec& spec) {
    spec = clang_spec(ImageGeneration::Core22);
}

void many_entries(ImageSpec& spec) {
    spec.data.assign(160000, {ImageWord::Kind::Plain, 0x40000000, true});
}

const MalformedCase kImageCases[] = {
    // GOT words.
    N6VP_GOT(GotZero, 0),
    {"last GOT word before the reserved ones is zero", Rule::GotZero, nullptr,
     [](Image& i) { i.set(i.got_word(i.got_words - 4), 0); }},
    N6VP_GOT(GotValueNull, 1),
    N6VP_GOT(GotValueNull, 0x0FFFFFFF),
    N6VP_GOT(GotValueSpace, 0x10000000),
    N6VP_GOT(GotValueSpace, 0x34060000),
    N6VP_GOT(GotValueSpace, 0x70000000),
    N6VP_GOT(GotValueParam2, 0xA0000000),
    N6VP_GOT(GotValueTrash, 0xF0000010),
    N6VP_GOT(GotValueRamRange, 0x4FFFFFFC),
    {"GOT word one past the end of RAM, plus 1", Rule::GotValueRamRange, nullptr,
     [](Image& i) { i.set(i.got_word(1), i.word(kBssEnd) + 1); }},
    N6VP_GOT(GotValueFlashRange, 0x2FFFFFFF),
    {"GOT word one past the end of RO, plus 1", Rule::GotValueFlashRange, nullptr,
     [](Image& i) { i.set(i.got_word(1), i.word(kDataData) + 1); }},
    N6VP_GOT(GotValueParam0Range, 0x8FFFFFFF),
    {"GOT word one past the end of the parameters, plus 1", Rule::GotValueParam0Range, nullptr,
     [](Image& i) { i.set(i.got_word(1), 0x80000001 + i.raw_bytes); }},
    N6VP_GOT(GotValueParam1Range, 0x90000021),
    {"GOT word into external RAM without pool", Rule::GotValueParam1NoPool, no_external_pool},
    {"last reserved GOT word without space", Rule::GotValueSpace, nullptr,
     [](Image& i) { i.set(i.got_word(i.got_words - 1), 0xC0000000); }},
    // Words named by entries.
    N6VP_VALUE(RelocationValueNull, 4),
    N6VP_VALUE(RelocationValueSpace, 0x70000000),
    N6VP_VALUE(RelocationValueSpace, 0xE0000000),
    N6VP_VALUE(RelocationValueParam2, 0xA0000040),
    N6VP_VALUE(RelocationValueTrash, 0xFFFFFFFF),
    N6VP_VALUE(RelocationValueRamRange, 0x41000000),
    N6VP_VALUE(RelocationValueFlashRange, 0x21000000),
    N6VP_VALUE(RelocationValueParam0Range, 0x81000000),
    N6VP_VALUE(RelocationValueParam1Range, 0x90000028),
    {"relocated word into external RAM without pool", Rule::RelocationValueParam1NoPool,
     [](ImageSpec& s) {
         no_external_pool(s);
         s.got.clear();
     }},
    {"relocated RO word without space", Rule::RelocationValueSpace, clang,
     [](Image& i) { i.set(i.ro_words, 0xB0000000); }},
    // Entries.
    N6VP_ENTRY(RelocationSpace, 0),
    N6VP_ENTRY(RelocationSpace, 0x80000000),
    N6VP_ENTRY(RelocationSpace, 0x70000004),
    N6VP_ENTRY(RelocationSpace, 0x34060000),
    N6VP_ENTRY(RelocationAlignment, 0x40000002),
    N6VP_ENTRY(RelocationAlignment, 0x40000001),
    N6VP_ENTRY(RelocationOutsideRam, 0x4FFFFFFC),
    {"entry for the last word behind RAM", Rule::RelocationOutsideRam, nullptr,
     [](Image& i) { i.set(i.relocation(15), i.word(kBssEnd)); }},
    {"entry for the first word of .bss", Rule::RelocationInBss, nullptr,
     [](Image& i) { i.set(i.relocation(15), i.word(kBssStart)); }},
    {"entry for the gap before .bss", Rule::RelocationInGap, nullptr,
     [](Image& i) { i.set(i.relocation(15), i.word(kGotEnd)); }},
    {"entry for a GOT word", Rule::RelocationInGot, nullptr,
     [](Image& i) { i.set(i.relocation(15), i.word(kGotStart) + 4); }},
    {"two equal entries side by side", Rule::RelocationTwice, nullptr,
     [](Image& i) { i.set(i.relocation(1), i.word(i.relocation(0))); }},
    {"two equal entries far apart", Rule::RelocationTwice, nullptr,
     [](Image& i) { i.set(i.relocation(15), i.word(i.relocation(0))); }},
    {"two equal entries for RO", Rule::RelocationTwice, clang,
     [](Image& i) { i.set(i.relocation(1), i.word(i.relocation(0))); }},
    {"unordered table of 160000 entries", Rule::RelocationUnsorted, many_entries,
     [](Image& i) {
         const std::uint32_t first = i.word(i.relocation(0));
         i.set(i.relocation(0), i.word(i.relocation(1)));
         i.set(i.relocation(1), first);
     }},
    {"entry for rt_ctx.acts_sz", Rule::RelocationContextNumber, nullptr,
     [](Image& i) { i.set(i.relocation(8), ram_offset(i, i.context + 0x18)); }},
    {"entry for rt_ctx.rt_version", Rule::RelocationContextNumber, nullptr,
     [](Image& i) { i.set(i.relocation(9), ram_offset(i, i.context + 0x28)); }},
    {"entry behind RO", Rule::RelocationOutsideRo, clang,
     [](Image& i) { i.set(i.relocation(3), i.word(kDataData)); }},
    {"entry for the magic", Rule::RelocationInHeader, clang,
     [](Image& i) { i.set(i.relocation(0), 0x20000000); }},
    {"entry for a vector word", Rule::RelocationInHeader, clang,
     [](Image& i) { i.set(i.relocation(0), 0x20000034); }},
    {"RO entries in XIP", Rule::RelocationNeedsCopy, clang, nullptr, nullptr, 5},
    {"RO entries on 2.1 firmware", Rule::RelocationRoGeneration, nullptr,
     [](Image& i) {
         i.set(i.code, 0x20000000 + i.code);
         i.set(i.relocation(0), 0x20000000 + i.code);
     },
     nullptr, 6, ImageGeneration::Core21},
};

}  // namespace

std::span<const MalformedCase> image_cases() {
    return kImageCases;
}

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/loader/check/malformed_cases.h"

namespace n6vp::test {
namespace {

using loader::Rule;

/// Damages one header word; what the word must be follows from the rule's name.
#define N6VP_WORD(rule, word, value)                                                   \
    {                                                                                  \
#word " = " #value, Rule::rule, nullptr, [](Image & i) { i.set(word, value); } \
    }

const MalformedCase kHeaderCases[] = {
    // Is it a container at all?
    N6VP_WORD(Magic, 0, 0x4E49424D),
    N6VP_WORD(Magic, 0, 0xFFFFFFFF),
    {"bytes swapped", Rule::Magic, nullptr, [](Image& i) { i.set(0, 0x4E42494E); }},
    {"file of 95 bytes", Rule::FileTooShort, nullptr, [](Image& i) { i.file.resize(95); }},
    {"file of 4 bytes", Rule::FileTooShort, nullptr, [](Image& i) { i.file.resize(4); }},
    {"legacy file", Rule::LegacyFormat, nullptr,
     [](Image& i) {
         i.set(kFlagsWord, 0x20085D22);
         i.set(kDataStart, 0x80000000);
     }},
    {"legacy file with odd version", Rule::LegacyFormat, nullptr,
     [](Image& i) {
         i.set(kDataStart, 0x80000000);
         i.set(0x60, 0x80000100);
     }},
    {"no context word", Rule::HeaderLength, nullptr,
     [](Image& i) {
         i.set(0x5C, 0x200000C4);
         i.set(0x64, 0x200000C4);
     }},
    {"long header without context word", Rule::HeaderLength, nullptr,
     [](Image& i) { i.set(0x64, 0); }, nullptr, 6, ImageGeneration::Core30},
    {"flash erased from the vector on", Rule::ErasedFlash, nullptr,
     [](Image& i) { std::fill(i.file.begin() + kFirstEntry, i.file.end(), std::uint8_t{0xFF}); }},
    {"flash erased behind the header", Rule::ErasedFlash, nullptr,
     [](Image& i) { std::fill(i.file.begin() + i.code, i.file.end(), std::uint8_t{0xFF}); }},
    {"flash erased behind a long header", Rule::ErasedFlash, nullptr,
     [](Image& i) { std::fill(i.file.begin() + i.code, i.file.end(), std::uint8_t{0xFF}); },
     nullptr, 6, ImageGeneration::Core30},
    {"short header says 1.1.3", Rule::HeaderLengthVersion, nullptr,
     [](Image& i) { i.set(i.context + kContextVersion, 0x01010300); }},
    {"long header says 1.1.1", Rule::HeaderLengthVersion, nullptr,
     [](Image& i) { i.set(i.context + kContextVersion, 0x01010100); }, nullptr, 6,
     ImageGeneration::Core30},
    // Flags.
    N6VP_WORD(FlagsMajor, kFlagsWord, 0x20785D22),
    N6VP_WORD(FlagsMajor, kFlagsWord, 0x90785D22),
    N6VP_WORD(FlagsMinor, kFlagsWord, 0x81785D22),
    N6VP_WORD(FlagsFloatAbi, kFlagsWord, 0x80781D22),
    {"flags without FPU", Rule::FlagsFpu, nullptr, [](Image& i) { i.set(kFlagsWord, 0x80784D22); }},
    N6VP_WORD(FlagsFloatAbi, kFlagsWord, 0x80783D22),
    N6VP_WORD(FlagsFloatAbi, kFlagsWord, 0x80787D22),
    // Spaces of the bounds.
    N6VP_WORD(DataStart, kDataStart, 0x40000008),
    N6VP_WORD(DataStart, kDataStart, 0x20000000),
    {"data_data in RAM", Rule::DataLoadSpace, nullptr,
     [](Image& i) { i.set(kDataData, 0x40000000 + i.ro_bytes); }},
    {"data_end in FLASH", Rule::DataEndSpace, nullptr,
     [](Image& i) { add_to(i, kDataEnd, 0xE0000000); }},
    {"bss_start in PARAM_0", Rule::BssStartSpace, nullptr,
     [](Image& i) { add_to(i, kBssStart, 0x40000000); }},
    {"bss_end absolute", Rule::BssEndSpace, nullptr,
     [](Image& i) { add_to(i, kBssEnd, 0xF4000000); }},
    {"got_start null space", Rule::GotStartSpace, nullptr,
     [](Image& i) { add_to(i, kGotStart, 0xC0000000); }},
    {"got_end in PARAM_1", Rule::GotEndSpace, nullptr,
     [](Image& i) { add_to(i, kGotEnd, 0x50000000); }},
    {"rel_start is a plain offset", Rule::RelStartSpace, nullptr,
     [](Image& i) { add_to(i, kRelStart, 0xE0000000); }},
    {"rel_end in RAM", Rule::RelEndSpace, nullptr,
     [](Image& i) { add_to(i, kRelEnd, 0x20000000); }},
    {"pool table in FLASH", Rule::PoolTableSpace, nullptr,
     [](Image& i) { add_to(i, kParamsStart, 0xE0000000); }},
    {"params_offset as a link address", Rule::ParamsOffsetSpace, nullptr,
     [](Image& i) { add_to(i, kParamsOffset, 0x80000000); }},
    // Order and size.
    {"RO size 2 too large", Rule::RoAlignment, nullptr, [](Image& i) { add_to(i, kDataData, 2); }},
    {"RO ends in the header", Rule::RoTooSmall, nullptr,
     [](Image& i) { i.set(kDataData, 0x20000058); }},
    {"RO of 0", Rule::RoTooSmall, nullptr, [](Image& i) { i.set(kDataData, 0x20000000); }},
    {"RO of 16 MiB + 8", Rule::RoLimit, nullptr, [](Image& i) { i.set(kDataData, 0x21000008); }},
    {"data_end before got, data_start behind", Rule::DataEndOrder, nullptr,
     [](Image& i) {
         i.set(kDataStart, 0x40000010);
         i.set(kDataEnd, 0x40000008);
     },
     nullptr, 6, ImageGeneration::Core22, Rule::DataStart},
    {"got_start in data", Rule::GotStartOrder, nullptr,
     [](Image& i) { add_to(i, kGotStart, 0u - 4u); }},
    {"got_end before got_start", Rule::GotEndOrder, nullptr,
     [](Image& i) { i.set(kGotEnd, i.word(kGotStart) - 4); }},
    {"bss_start in the GOT", Rule::BssStartOrder, nullptr,
     [](Image& i) { i.set(kBssStart, i.word(kGotEnd) - 4); }},
    {"bss_end before bss_start", Rule::BssEndOrder, nullptr,
     [](Image& i) { i.set(kBssEnd, i.word(kBssStart) - 8); }},
    {"bss_end wraps when rounded", Rule::BssEndLimit, nullptr,
     [](Image& i) { i.set(kBssEnd, 0x4FFFFFFF); }},
    {"RAM of 16 MiB + 8", Rule::BssEndLimit, nullptr, [](Image& i) { i.set(kBssEnd, 0x41000008); }},
    {"GOT at 2 mod 4", Rule::GotAlignment, nullptr,
     [](Image& i) {
         add_to(i, kGotStart, 2);
         add_to(i, kGotEnd, 2);
     }},
    {"GOT of 33 bytes", Rule::GotEntrySize, nullptr, [](Image& i) { add_to(i, kGotEnd, 1); }},
    {"rel_end before rel_start", Rule::RelOrder, nullptr,
     [](Image& i) { i.set(kRelEnd, i.word(kRelStart) - 4); }},
    {"relocations at 2 mod 4", Rule::RelAlignment, nullptr,
     [](Image& i) {
         add_to(i, kRelStart, 2);
         add_to(i, kRelEnd, 2);
     }},
    {"relocations of 4n + 3 bytes", Rule::RelEntrySize, nullptr,
     [](Image& i) { add_to(i, kRelEnd, 0u - 1u); }},
    {"relocations start in the GOT", Rule::RelInsideImage, nullptr,
     [](Image& i) { i.set(kRelStart, 0x20000000 + i.got_word(1)); }},
    {"relocations start in the code", Rule::RelInsideImage, nullptr,
     [](Image& i) { i.set(kRelStart, 0x20000000 + i.code); }},
    // End of the file.
    {"file cut in the code", Rule::RoBeyondFile, nullptr,
     [](Image& i) { i.file.resize(i.code + 8); }},
    {"file cut in the data", Rule::DataBeyondFile, nullptr,
     [](Image& i) { i.file.resize(i.context); }},
    {"file cut in the GOT", Rule::DataBeyondFile, nullptr,
     [](Image& i) { i.file.resize(i.got_word(2)); }},
    {"file cut in the gap before .bss", Rule::GapBeyondFile, nullptr,
     [](Image& i) { i.file.resize(i.ro_bytes + i.bss_start - 4); }},
    {"file cut in the relocations", Rule::RelBeyondFile, [](ImageSpec& s) { s.bss_alignment = 4; },
     [](Image& i) { i.file.resize(i.relocation(3)); }},
    {"file cut before its parameters", Rule::ParamsOffsetBeyondFile, nullptr,
     [](Image& i) { i.file.resize(i.params_at); }},
    {"params_offset of 256 MiB - 8", Rule::ParamsOffsetBeyondFile, nullptr,
     [](Image& i) { i.set(kParamsOffset, 0x0FFFFFF8); }},
    {"params_offset at 4 mod 8", Rule::ParamsOffsetAlignment, nullptr,
     [](Image& i) { add_to(i, kParamsOffset, 4); }},
    {"params_offset at 2 mod 4", Rule::ParamsOffsetAlignment, nullptr,
     [](Image& i) { add_to(i, kParamsOffset, 2); }},
    {"params_offset in the code", Rule::ParamsOffsetInsideImage, nullptr,
     [](Image& i) { i.set(kParamsOffset, i.code & ~7u); }},
    {"params_offset in the relocations", Rule::ParamsOffsetInsideImage, nullptr,
     [](Image& i) { i.set(kParamsOffset, i.rel); }},
    // Vector.
    {"first entry in RAM", Rule::VectorSpace, nullptr,
     [](Image& i) { add_to(i, kFirstEntry, 0x20000000); }},
    {"entry is 0", Rule::VectorSpace, nullptr, [](Image& i) { i.set(kFirstEntry + 8, 0); }},
    {"entry is an absolute address", Rule::VectorSpace, nullptr,
     [](Image& i) { i.set(kFirstEntry + 12, 0x70000061); }},
    {"entry without Thumb bit", Rule::VectorThumb, nullptr,
     [](Image& i) { add_to(i, kFirstEntry + 16, 0u - 1u); }},
    {"entry in the header", Rule::VectorInHeader, nullptr,
     [](Image& i) { i.set(kFirstEntry + 20, 0x20000041); }},
    {"entry behind the code", Rule::VectorOutside, nullptr,
     [](Image& i) { i.set(kFirstEntry + 24, 0x20000001 + i.ro_bytes); }},
    {"last entry of the long vector far away", Rule::VectorOutside, nullptr,
     [](Image& i) { i.set(0x60, 0x2FFFFFFF); }, nullptr, 6, ImageGeneration::Core4x},
    {"RO of 8n + 4", Rule::RoAlignment8, nullptr,
     [](Image& i) {
         // Data move up by 4 when RO shrinks: a word of fill becomes the first data word.
         i.file.erase(i.file.begin() + i.ro_bytes - 4, i.file.begin() + i.ro_bytes);
         add_to(i, kDataData, 0u - 4u);
         add_to(i, kRelStart, 0u - 4u);
         add_to(i, kRelEnd, 0u - 4u);
         i.file.insert(i.file.begin() + i.params_at - 4, 4, 0);
         // Where things are now.
         i.ro_bytes -= 4;
         i.context -= 4;
     }},
};

}  // namespace

std::span<const MalformedCase> header_cases() {
    return kHeaderCases;
}

}  // namespace n6vp::test

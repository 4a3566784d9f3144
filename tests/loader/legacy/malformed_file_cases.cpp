// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/loader/legacy/malformed_cases.h"

namespace n6vp::test {
namespace {

using loader::Rule;

/// Header words.
enum : std::uint32_t {
    kFlags = 0x04,
    kDataStart = 0x08,
    kDataEnd = 0x0C,
    kDataData = 0x10,
    kBssStart = 0x14,
    kBssEnd = 0x18,
    kGotStart = 0x1C,
    kGotEnd = 0x20,
    kRelStart = 0x24,
    kRelEnd = 0x28,
    kWeightsStart = 0x2C,
    kWeightsEnd = 0x30,
    kVector = 0x34,
    kContextWord = 0x60,
};

void add_weights(LegacySpec& spec) {
    spec.weights.assign(40, 7);
    spec.weights_bytes = 40;
}

const LegacyCase kFileCases[] = {
    {"empty behind the magic", Rule::LegacyFileTooShort, [](LegacyImage& i) { i.file.resize(4); }},
    {"99 bytes", Rule::LegacyFileTooShort, [](LegacyImage& i) { i.file.resize(99); }},
    {"magic off by one", Rule::Magic, [](LegacyImage& i) { i.set(0, 0x4E49424D); }},
    {"magic reversed", Rule::Magic, [](LegacyImage& i) { i.set(0, 0x4E42494E); }},
    {"erased flash", Rule::Magic,
     [](LegacyImage& i) { std::fill(i.file.begin(), i.file.end(), std::uint8_t{0xFF}); }},
    {"only magic and flags programmed", Rule::LegacyErasedFlash,
     [](LegacyImage& i) { std::fill(i.file.begin() + 8, i.file.end(), std::uint8_t{0xFF}); }},
    {"a model of the STM32N6", Rule::LegacyOtherFormat,
     [](LegacyImage& i) {
         i.set(kFlags, 0x80785D22);
         i.set(kDataStart, 0x40000000);
     }},
    {"version 1.0", Rule::LegacyFlagsOld, [](LegacyImage& i) { i.set(kFlags, 0x10085D21); }},
    {"version 3.0", Rule::LegacyFlagsMajor, [](LegacyImage& i) { i.set(kFlags, 0x30085D21); }},
    {"version 8.0 with legacy spaces", Rule::LegacyFlagsMajor,
     [](LegacyImage& i) { i.set(kFlags, 0x80085D21); }},
    {"version 2.1", Rule::LegacyFlagsMinor, [](LegacyImage& i) { i.set(kFlags, 0x21085D21); }},
    {"soft float", Rule::LegacyFlagsFloatAbi, [](LegacyImage& i) { i.set(kFlags, 0x20081D21); }},
    {"softfp", Rule::LegacyFlagsFloatAbi, [](LegacyImage& i) { i.set(kFlags, 0x20083D21); }},
    {"float ABI 3", Rule::LegacyFlagsFloatAbi, [](LegacyImage& i) { i.set(kFlags, 0x20087D21); }},
    {"no FPU", Rule::LegacyFlagsFpu, [](LegacyImage& i) { i.set(kFlags, 0x20084D21); }},
    {"data_start 4 up", Rule::LegacyDataStart, [](LegacyImage& i) { i.add(kDataStart, 4); }},
    {"data_start of the STM32N6", Rule::LegacyDataStart,
     [](LegacyImage& i) { i.set(kDataStart, 0x40000000); }},
    {"data_end in FLASH", Rule::LegacyDataEndSpace,
     [](LegacyImage& i) { i.add(kDataEnd, 0xA0000000); }},
    {"data_data in RAM", Rule::DataLoadSpace, [](LegacyImage& i) { i.add(kDataData, 0x60000000); }},
    {"bss_start in space 4", Rule::BssStartSpace,
     [](LegacyImage& i) { i.add(kBssStart, 0xC0000000); }},
    {"bss_end without space", Rule::BssEndSpace,
     [](LegacyImage& i) { i.add(kBssEnd, 0x80000000); }},
    {"got_start in FLASH", Rule::GotStartSpace,
     [](LegacyImage& i) { i.add(kGotStart, 0xA0000000); }},
    {"got_end in space 9", Rule::GotEndSpace, [](LegacyImage& i) { i.add(kGotEnd, 0x10000000); }},
    {"rel_start a plain offset", Rule::RelStartSpace,
     [](LegacyImage& i) { i.add(kRelStart, 0xE0000000); }},
    {"rel_end in RAM", Rule::RelEndSpace, [](LegacyImage& i) { i.add(kRelEnd, 0x60000000); }},
    {"RO of 4n + 2", Rule::LegacyRoAlignment, [](LegacyImage& i) { i.add(kDataData, 2); }},
    {"RO ends in the header", Rule::RoTooSmall,
     [](LegacyImage& i) { i.set(kDataData, 0x20000060); }},
    {"RO of 0", Rule::RoTooSmall, [](LegacyImage& i) { i.set(kDataData, 0x20000000); }},
    {"RO of 4 MiB + 4", Rule::LegacyRoLimit, [](LegacyImage& i) { i.set(kDataData, 0x20400004); }},
    {"RAM of 128 KiB + 4", Rule::LegacyRamLimit,
     [](LegacyImage& i) { i.set(kBssEnd, 0x80020004); }},
    {"RAM of 256 MiB", Rule::LegacyRamLimit, [](LegacyImage& i) { i.set(kBssEnd, 0x8FFFFFFC); }},
    {"got_start in data", Rule::GotStartOrder, [](LegacyImage& i) { i.add(kGotStart, 0u - 8u); }},
    {"got_end before got_start", Rule::GotEndOrder,
     [](LegacyImage& i) { i.set(kGotEnd, i.word(kGotStart) - 4); }},
    {"bss_start in the GOT", Rule::BssStartOrder,
     [](LegacyImage& i) { i.set(kBssStart, i.word(kGotEnd) - 4); }},
    {"bss_end before bss_start", Rule::BssEndOrder,
     [](LegacyImage& i) { i.set(kBssEnd, i.word(kBssStart) - 4); }},
    {"GOT at 4n + 2", Rule::GotAlignment,
     [](LegacyImage& i) {
         i.add(kGotStart, 2);
         i.add(kGotEnd, 0u - 2u);
     }},
    {"GOT of 4n + 3 bytes", Rule::GotEntrySize, [](LegacyImage& i) { i.add(kGotEnd, 0u - 1u); }},
    {"rel_end before rel_start", Rule::RelOrder,
     [](LegacyImage& i) { i.set(kRelEnd, i.word(kRelStart) - 4); }},
    {"relocations at 4n + 1", Rule::RelAlignment,
     [](LegacyImage& i) {
         i.add(kRelStart, 1);
         i.add(kRelEnd, 0u - 3u);
     }},
    {"relocations of 4n + 2 bytes", Rule::RelEntrySize,
     [](LegacyImage& i) { i.add(kRelEnd, 0u - 2u); }},
    {"relocations start in the GOT", Rule::RelInsideImage,
     [](LegacyImage& i) { i.add(kRelStart, 0u - 4u); }},
    {"cut in the code", Rule::RoBeyondFile, [](LegacyImage& i) { i.file.resize(120); }},
    {"cut in rt_ctx", Rule::DataBeyondFile, [](LegacyImage& i) { i.file.resize(i.context + 8); }},
    {"cut in the GOT", Rule::DataBeyondFile, [](LegacyImage& i) { i.file.resize(i.got_word(2)); }},
    {"cut before a far .bss", Rule::GapBeyondFile, nullptr, nullptr,
     [](LegacySpec& s) { s.bss_alignment = 1024; }},
    {"cut in the relocations", Rule::RelBeyondFile,
     [](LegacyImage& i) { i.file.resize(i.rel_end - 1); }},
    {"relocations past FLASH space, length not known", Rule::LegacyRelLimit,
     [](LegacyImage& i) { i.set(kRelEnd, 0x20400004); },
     [](LegacyBench& b) { b.request.file_bytes = loader::kUnknownBytes; }},
    {"weights in RAM space", Rule::LegacyWeightsSpace,
     [](LegacyImage& i) { i.add(kWeightsStart, 0x60000000); }, nullptr, add_weights},
    {"end of weights in space 9", Rule::LegacyWeightsSpace,
     [](LegacyImage& i) { i.add(kWeightsEnd, 0x70000000); }, nullptr, add_weights},
    {"weights_end before weights_start", Rule::LegacyWeightsOrder,
     [](LegacyImage& i) { i.set(kWeightsEnd, i.word(kWeightsStart) - 4); }, nullptr, add_weights},
    {"weights at 4n + 2", Rule::LegacyWeightsAlignment,
     [](LegacyImage& i) { i.add(kWeightsStart, 2); }, nullptr, add_weights},
    {"weights start in the relocations", Rule::LegacyWeightsInsideImage,
     [](LegacyImage& i) { i.add(kWeightsStart, 0u - 4u); }, nullptr, add_weights},
    {"weights in the code of a model without relocations", Rule::LegacyWeightsInsideImage,
     [](LegacyImage& i) {
         i.set(kRelStart, 0x20000000);
         i.set(kRelEnd, 0x20000000);
         i.set(kWeightsStart, 0x20000064);
         i.set(kWeightsEnd, 0x20000064 + 40);
     },
     nullptr, add_weights},
    {"cut in the weights", Rule::LegacyWeightsBeyondFile,
     [](LegacyImage& i) { i.file.resize(i.file.size() - 1); }, nullptr, add_weights},
    {"fewer weights than stated", Rule::LegacyWeightsTooShort,
     [](LegacyImage& i) { i.add(i.context + 0x1C, 1); }, nullptr, add_weights},
    {"create in RAM", Rule::VectorSpace, [](LegacyImage& i) { i.add(kVector, 0x60000000); }},
    {"init is 0", Rule::VectorSpace, [](LegacyImage& i) { i.set(kVector + 4, 0); }},
    {"run without Thumb bit", Rule::LegacyVectorThumb,
     [](LegacyImage& i) { i.add(kVector + 12, 0u - 1u); }},
    {"report in the header", Rule::VectorInHeader,
     [](LegacyImage& i) { i.set(kVector + 16, 0x20000061); }},
    {"node_info behind RO", Rule::VectorOutside,
     [](LegacyImage& i) { i.set(kVector + 40, 0x20000001 + i.ro_bytes); }},
    {"context word in FLASH", Rule::LegacyContextSpace,
     [](LegacyImage& i) { i.add(kContextWord, 0xA0000000); }},
    {"context word of the STM32N6", Rule::LegacyContextSpace,
     [](LegacyImage& i) { i.add(kContextWord, 0xC0000000); }},
    {"rt_ctx at 4n + 2", Rule::ContextAlignment,
     [](LegacyImage& i) { i.add(kContextWord, 0u - 2u); }},
    {"rt_ctx of 48 bytes", Rule::ContextOutsideData,
     [](LegacyImage& i) { i.add(kContextWord, 12); }},
    {"rt_ctx far away", Rule::ContextOutsideData,
     [](LegacyImage& i) { i.set(kContextWord, 0x8FFFFFFC); }},
    {"name in RAM", Rule::ContextNameSpace,
     [](LegacyImage& i) { i.add(i.context + 0x14, 0x60000000); }},
    {"name behind RO", Rule::ContextNameOutside,
     [](LegacyImage& i) { i.set(i.context + 0x14, 0x20000000 + i.ro_bytes); }},
    {"name without end", Rule::ContextNameUnterminated,
     [](LegacyImage& i) {
         std::fill(i.file.begin() + i.name, i.file.begin() + i.ro_bytes, std::uint8_t{'x'});
     }},
    {"name of 256 characters", Rule::ContextNameTooLong, nullptr, nullptr,
     [](LegacySpec& s) { s.name.assign(256, 'n'); }},
};

const LegacyCase kImageCases[] = {
    {"GOT word is a small number", Rule::GotValueNull,
     [](LegacyImage& i) { i.set(i.got_word(0), 8); }},
    {"GOT word in space 4", Rule::GotValueSpace,
     [](LegacyImage& i) { i.set(i.got_word(1), 0x40000000); }},
    {"GOT word in space 9", Rule::GotValueSpace,
     [](LegacyImage& i) { i.set(i.got_word(1), 0x90000000); }},
    {"GOT word behind .bss", Rule::GotValueRamRange,
     [](LegacyImage& i) { i.set(i.got_word(0), 0x80000004 + i.bss_end); }},
    {"GOT word behind RO", Rule::GotValueFlashRange,
     [](LegacyImage& i) { i.set(i.got_word(1), 0x20000004 + i.ro_bytes); }},
    {"entry in FLASH", Rule::LegacyRelocationInFlash,
     [](LegacyImage& i) { i.set(i.relocation(0), 0x20000064); }},
    {"entry in space 4", Rule::LegacyRelocationSpace,
     [](LegacyImage& i) { i.set(i.relocation(0), 0x40000004); }},
    {"entry is 0", Rule::LegacyRelocationSpace, [](LegacyImage& i) { i.set(i.relocation(0), 0); }},
    {"entry at 4n + 2", Rule::RelocationAlignment,
     [](LegacyImage& i) { i.add(i.relocation(0), 2); }},
    {"entry behind .bss", Rule::RelocationOutsideRam,
     [](LegacyImage& i) { i.set(i.relocation(4), 0x80000000 + i.bss_end); }},
    {"entry 256 MiB away", Rule::RelocationOutsideRam,
     [](LegacyImage& i) { i.set(i.relocation(4), 0x8FFFFFFC); }},
    {"entry in .bss", Rule::RelocationInBss,
     [](LegacyImage& i) { i.set(i.relocation(4), 0x80000000 + i.bss_start); }},
    {"entry in the gap", Rule::RelocationInGap,
     [](LegacyImage& i) {
         i.file.resize(i.ro_bytes + i.bss_start);
         i.set(i.relocation(4), 0x80000000 + i.got_end);
     },
     nullptr, [](LegacySpec& s) { s.bss_alignment = 256; }},
    {"entry in the GOT", Rule::RelocationInGot,
     [](LegacyImage& i) { i.set(i.relocation(4), 0x80000000 + i.got_start); }},
    {"entry twice", Rule::RelocationTwice,
     [](LegacyImage& i) { i.set(i.relocation(1), i.word(i.relocation(0))); }},
    {"entry twice, far apart", Rule::RelocationTwice,
     [](LegacyImage& i) { i.set(i.relocation(4), i.word(i.relocation(0))); }},
    {"entry names act_size", Rule::RelocationContextNumber,
     [](LegacyImage& i) { i.add(i.relocation(4), 4); }},
    {"relocated word is a small number", Rule::RelocationValueNull,
     [](LegacyImage& i) { i.set(i.ro_bytes + 4, 5); }},
    {"relocated word in space 4", Rule::RelocationValueSpace,
     [](LegacyImage& i) { i.set(i.ro_bytes + 4, 0x40000004); }},
    {"relocated word behind .bss", Rule::RelocationValueRamRange,
     [](LegacyImage& i) { i.set(i.ro_bytes + 8, 0x80000001 + i.bss_end); }},
    {"relocated word behind RO", Rule::RelocationValueFlashRange,
     [](LegacyImage& i) { i.set(i.ro_bytes + 4, 0x20000001 + i.ro_bytes); }},
};

}  // namespace

std::span<const LegacyCase> legacy_file_cases() {
    return kFileCases;
}
std::span<const LegacyCase> legacy_image_cases() {
    return kImageCases;
}

}  // namespace n6vp::test

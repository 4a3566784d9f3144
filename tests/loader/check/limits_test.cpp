// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/loader/check/malformed_cases.h"
#include "tests/loader/findings.h"

/// Both sides of every limit: the last value that a rule lets pass, and the first that it reports.
namespace n6vp::test {
namespace {

using loader::Diagnosis;
using loader::Rule;

constexpr std::uint32_t kExec = 0x34060000, kInstance = 0x34100100, kInstanceBytes = 0x34;
constexpr std::uint32_t kCopyDst = 0x34200000, kResetDst = 0x342E0000;
/// Of the two pools that are copied, and of the one that is cleared, rounded up to 8.
constexpr std::uint32_t kCopyRoBytes = 0x98, kResetBytes = 0x70;

std::vector<Diagnosis> findings_of(Bench& bench) {
    std::vector<Diagnosis> findings;
    (void)loader::check(bench.memory.port(), bench.request,
                        {&findings, [](void* context, const Diagnosis& finding) {
                             static_cast<std::vector<Diagnosis>*>(context)->push_back(finding);
                             return true;
                         }});
    return findings;
}

/// One limit of a file.
struct FileLimit {
    const char* name;
    Rule rule;
    void (*inside)(Image&);
    void (*outside)(Image&);
    void (*describe)(ImageSpec&) = nullptr;
    ImageGeneration generation = ImageGeneration::Core22;
};

std::vector<Diagnosis> findings_of(const FileLimit& limit, void (*damage)(Image&)) {
    ImageSpec spec = sample_spec(limit.generation);
    if (limit.describe != nullptr) limit.describe(spec);
    Image image = build_image(spec);
    const std::vector<std::uint8_t> whole = image.file;
    damage(image);
    // Memory goes on behind a file that is cut.
    const auto length = static_cast<std::uint32_t>(image.file.size());
    if (length < whole.size())
        image.file.insert(image.file.end(), whole.begin() + length, whole.end());
    Bench bench(image, n6_placements().front(), 6);
    bench.request.file_bytes = length;
    return findings_of(bench);
}

void gap_free(ImageSpec& spec) {
    spec.bss_alignment = 4;
}
void clang(ImageSpec& spec) {
    spec = clang_spec(ImageGeneration::Core22);
}
std::uint32_t offset_of(const Image& image, std::uint32_t header_word) {
    return image.word(header_word) & 0x0FFFFFFF;
}
void add_reset_pools(ImageSpec& spec, unsigned total) {
    while (spec.pools.size() < total) {
        const auto number = static_cast<std::uint32_t>(spec.pools.size());
        spec.pools.push_back(
            {"r" + std::to_string(number), 0x03020200, 8, kResetDst + 0x100 + 8 * number, {}, {}});
    }
}
template <std::uint32_t kWord, std::uint32_t kValue>
void word_is(Image& image) {
    image.set(kWord, kValue);
}
template <std::uint32_t kField, std::uint32_t kValue>
void context_is(Image& image) {
    image.set(image.context + kField, kValue);
}
template <std::uint32_t kPool, std::uint32_t kField, std::uint32_t kValue>
void pool_is(Image& image) {
    set_pool(image, kPool, kField, kValue);
}
/// Moves rt_ctx to `kBytes` before the end of the data.
template <std::uint32_t kBytes, std::uint32_t kVersion>
void context_before_end(Image& image) {
    image.set(0x5C, image.word(kDataEnd) - kBytes);
    image.set(image.data_end - kBytes + kContextVersion, kVersion);
}
/// Shortens the file to the end of a part, and by `kLess`.
template <std::uint32_t kLess>
void cut_at_data_end(Image& image) {
    image.file.resize(image.ro_bytes + offset_of(image, kGotEnd) - kLess);
}

const FileLimit kFileLimits[] = {
    {"96 bytes are a header", Rule::FileTooShort, [](Image& i) { i.file.resize(96); },
     [](Image& i) { i.file.resize(95); }},
    {"RO of 16 MiB", Rule::RoLimit, word_is<kDataData, 0x21000000>, word_is<kDataData, 0x21000008>},
    {"RAM of 16 MiB", Rule::BssEndLimit, word_is<kBssEnd, 0x41000000>,
     word_is<kBssEnd, 0x41000001>},
    {"RO is the header alone", Rule::RoTooSmall, word_is<kDataData, 0x20000060>,
     word_is<kDataData, 0x2000005F>},
    {"no data", Rule::DataEndOrder, word_is<kDataEnd, 0x40000000>,
     [](Image& i) {
         i.set(kDataStart, 0x40000004);
         i.set(kDataEnd, 0x40000003);
     }},
    {"GOT behind the data", Rule::GotStartOrder,
     [](Image& i) { i.set(kGotStart, i.word(kDataEnd)); },
     [](Image& i) { i.set(kGotStart, i.word(kDataEnd) - 1); }},
    {"no GOT", Rule::GotEndOrder, [](Image& i) { i.set(kGotEnd, i.word(kGotStart)); },
     [](Image& i) { i.set(kGotEnd, i.word(kGotStart) - 1); }},
    {".bss behind the GOT", Rule::BssStartOrder,
     [](Image& i) { i.set(kBssStart, i.word(kGotEnd)); },
     [](Image& i) { i.set(kBssStart, i.word(kGotEnd) - 1); }},
    {"no .bss", Rule::BssEndOrder, [](Image& i) { i.set(kBssEnd, i.word(kBssStart)); },
     [](Image& i) { i.set(kBssEnd, i.word(kBssStart) - 1); }},
    {"file ends with RO", Rule::RoBeyondFile, [](Image& i) { i.file.resize(i.ro_bytes); },
     [](Image& i) { i.file.resize(i.ro_bytes - 1); }},
    {"file ends with the GOT", Rule::DataBeyondFile, cut_at_data_end<0>, cut_at_data_end<1>},
    {"file ends with the gap", Rule::GapBeyondFile,
     [](Image& i) { i.file.resize(i.ro_bytes + i.bss_start); },
     [](Image& i) { i.file.resize(i.ro_bytes + i.bss_start - 1); }},
    {"file ends with the relocations", Rule::RelBeyondFile,
     [](Image& i) { i.file.resize(i.relocation(i.rel_count)); },
     [](Image& i) { i.file.resize(i.relocation(i.rel_count) - 1); }},
    {"relocations of no length may be anywhere", Rule::RelInsideImage,
     [](Image& i) {
         i.set(kRelStart, 0x20000000 + i.code);
         i.set(kRelEnd, 0x20000000 + i.code);
     },
     [](Image& i) {
         i.set(kRelStart, 0x20000000 + i.code);
         i.set(kRelEnd, 0x20000000 + i.code + 4);
     }},
    {"relocations behind the GOT", Rule::RelInsideImage,
     [](Image& i) { i.set(kRelStart, 0x20000000 + i.ro_bytes + offset_of(i, kGotEnd)); },
     [](Image& i) { i.set(kRelStart, 0x20000000 + i.ro_bytes + offset_of(i, kGotEnd) - 4); }},
    {"parameters behind the relocations", Rule::ParamsOffsetInsideImage,
     [](Image& i) { i.set(kParamsOffset, offset_of(i, kRelEnd)); },
     [](Image& i) { i.set(kParamsOffset, offset_of(i, kRelEnd) - 1); }},
    {"parameters at the last byte", Rule::ParamsOffsetBeyondFile,
     [](Image& i) { i.set(kParamsOffset, static_cast<std::uint32_t>(i.file.size()) - 1); },
     [](Image& i) { i.set(kParamsOffset, static_cast<std::uint32_t>(i.file.size())); }},
    {"padding behind the relocations", Rule::FileTrailingBytes,
     [](Image& i) { i.file.resize((offset_of(i, kRelEnd) + 7) & ~7u); },
     [](Image& i) { i.file.resize(((offset_of(i, kRelEnd) + 7) & ~7u) + 1); }, split},
    {".bss not beyond the relocations", Rule::BssGapHoldsRelocations,
     [](Image& i) { i.set(kBssStart, 0x40000000 + offset_of(i, kRelStart) - i.ro_bytes); },
     [](Image& i) {
         i.set(kBssStart, 0x40000004 + offset_of(i, kRelStart) - i.ro_bytes);
         i.set(kBssEnd, i.word(kBssStart) + 24);
     },
     gap_free},
    {"toolchain 8", Rule::FlagsToolchain, word_is<kFlagsWord, 0x80785D22>,
     word_is<kFlagsWord, 0x80775D22>},
    {"toolchain 10", Rule::FlagsToolchain, word_is<kFlagsWord, 0x807A5D22>,
     word_is<kFlagsWord, 0x807B5D22>},
    {"entry behind the header", Rule::VectorInHeader, word_is<kFirstEntry, 0x20000061>,
     word_is<kFirstEntry, 0x2000005F>},
    {"entry at the last instruction of RO", Rule::VectorOutside,
     [](Image& i) { i.set(kFirstEntry, 0x20000000 + i.ro_bytes - 1); },
     [](Image& i) { i.set(kFirstEntry, 0x20000000 + i.ro_bytes + 1); }},
    {"the last of ten entries", Rule::VectorSpace, word_is<kFirstEntry + 40, 0x40000001>,
     word_is<kFirstEntry + 36, 0x40000001>},
    {"rt_ctx of 64 bytes at the end of the data", Rule::ContextOutsideData,
     context_before_end<64, 0x01010000>, context_before_end<60, 0x01010000>, nullptr,
     ImageGeneration::Core21},
    {"rt_ctx of 68 bytes at the end of the data", Rule::ContextOutsideData,
     context_before_end<68, 0x01010100>, context_before_end<64, 0x01010100>},
    {"release 1.1.0", Rule::ContextVersion, context_is<kContextVersion, 0x01010000>,
     context_is<kContextVersion, 0x0100FF00>},
    {"release 1.1.3", Rule::ContextVersion, context_is<kContextVersion, 0x010103FF>,
     context_is<kContextVersion, 0x01010400>},
    {"short header of 1.1.2", Rule::HeaderLengthVersion, context_is<kContextVersion, 0x01010200>,
     context_is<kContextVersion, 0x01010300>},
    {"long header of 1.1.2", Rule::HeaderLengthVersion, context_is<kContextVersion, 0x01010200>,
     context_is<kContextVersion, 0x01010100>, nullptr, ImageGeneration::Core30},
    {"build 31", Rule::ContextDev, context_is<kContextDev, 31>, context_is<kContextDev, 30>},
    {"build 14", Rule::ContextDev, context_is<kContextDev, 14>, context_is<kContextDev, 15>},
    {"build 5", Rule::ContextDev, context_is<kContextDev, 5>, context_is<kContextDev, 4>},
    {"build 8", Rule::ContextDev, context_is<kContextDev, 8>, context_is<kContextDev, 9>},
    {"build 262", Rule::ContextDev, context_is<kContextDev, 262>, context_is<kContextDev, 263>},
    {"buffers of 56 bytes", Rule::ContextStructSizes, context_is<kContextSizes, 0x3038>,
     context_is<kContextSizes, 0x3039>},
    {"buffers of 64 bytes", Rule::ContextStructSizes, context_is<kContextSizes, 0x3040>,
     context_is<kContextSizes, 0x3041>},
    {"epoch items of 20 bytes", Rule::ContextStructSizes, context_is<kContextSizes, 0x1438>,
     context_is<kContextSizes, 0x1338>},
    {"epoch items of 48 bytes", Rule::ContextStructDbg, context_is<kContextSizes, 0x3038>,
     context_is<kContextSizes, 0x1438>},
    {"epoch items of unknown length are reported once", Rule::ContextStructDbg,
     context_is<kContextSizes, 0x1338>, context_is<kContextSizes, 0x1438>},
    {"upper half of the sizes", Rule::ContextStructReserved, context_is<kContextSizes, 0x3038>,
     context_is<kContextSizes, 0x80003038>},
    {"interface of 44 bytes at the end of RAM", Rule::ContextNetworkOutside,
     [](Image& i) { i.set(i.context + kContextNetwork, i.word(kBssEnd) - 44); },
     [](Image& i) { i.set(i.context + kContextNetwork, i.word(kBssEnd) - 43); }},
    {"interface of 52 bytes at the end of RAM", Rule::ContextNetworkOutside,
     [](Image& i) { i.set(i.context + kContextNetwork, i.word(kBssEnd) - 52); },
     [](Image& i) { i.set(i.context + kContextNetwork, i.word(kBssEnd) - 51); }, nullptr,
     ImageGeneration::Core30},
    {"table with room for its end alone", Rule::PoolTableOutside,
     [](Image& i) { i.set(kParamsStart, i.word(kDataEnd) - 20); },
     [](Image& i) { i.set(kParamsStart, i.word(kDataEnd) - 19); }},
    {"pool data of kind 3", Rule::PoolDataUnknown, pool_is<kCopyRo, kPoolFlags, 0x02030100>,
     pool_is<kCopyRo, kPoolFlags, 0x02040100>},
    {"pool data of kind 1", Rule::PoolDataUnknown, pool_is<kCopyRo, kPoolFlags, 0x02010100>,
     pool_is<kCopyRo, kPoolFlags, 0x02000100>},
    {"all pool attributes", Rule::PoolAttributesUnknown, pool_is<kReset, kPoolFlags, 0x03020700>,
     pool_is<kReset, kPoolFlags, 0x03020800>},
    {"largest size that can be rounded", Rule::PoolSizeWraps,
     pool_is<kReset, kPoolSize, 0xFFFFFFF8>, pool_is<kReset, kPoolSize, 0xFFFFFFF9>},
    {"pool of one byte", Rule::PoolSizeZero, pool_is<kReset, kPoolSize, 1>,
     pool_is<kReset, kPoolSize, 0>},
    {"source up to the end of the section", Rule::PoolSourceOutside,
     [](Image& i) {
         const auto end = static_cast<std::uint32_t>(i.file.size()) - i.params_at;
         set_pool(i, kCopyRo, kPoolFoff, end - 0x94);
     },
     [](Image& i) {
         const auto end = static_cast<std::uint32_t>(i.file.size()) - i.params_at;
         set_pool(i, kCopyRo, kPoolFoff, end - 0x93);
     }},
    {"rounded source up to the end of the section", Rule::PoolSourceRounding,
     [](Image& i) {
         const auto end = static_cast<std::uint32_t>(i.file.size()) - i.params_at;
         set_pool(i, kCopyRo, kPoolFoff, end - 0x98);
     },
     [](Image& i) {
         const auto end = static_cast<std::uint32_t>(i.file.size()) - i.params_at;
         set_pool(i, kCopyRo, kPoolFoff, end - 0x97);
     }},
    {"destination up to the end of the address space", Rule::PoolDestinationWraps,
     pool_is<kReset, kPoolDst, 0u - kResetBytes>, pool_is<kReset, kPoolDst, 8u - kResetBytes>},
    {"destination up to peripheral space", Rule::PoolDestinationPeripheral,
     pool_is<kReset, kPoolDst, 0x40000000 - kResetBytes>,
     pool_is<kReset, kPoolDst, 0x40000008 - kResetBytes>},
    {"destination behind peripheral space", Rule::PoolDestinationPeripheral,
     pool_is<kReset, kPoolDst, 0x60000000>, pool_is<kReset, kPoolDst, 0x5FFFFFF8>},
    {"destination up to the system space", Rule::PoolDestinationPeripheral,
     pool_is<kReset, kPoolDst, 0xE0000000 - kResetBytes>,
     pool_is<kReset, kPoolDst, 0xE0000008 - kResetBytes>},
    {"destination below external memory", Rule::PoolDestinationExternal,
     pool_is<kReset, kPoolDst, 0x34000000>, pool_is<kReset, kPoolDst, 0x60000000>},
    {"granted to the last byte of the rounding", Rule::PoolDestinationRoundingNotGranted,
     pool_is<kReset, kPoolDst, kResetDst + 512 - kResetBytes>,
     pool_is<kReset, kPoolDst, kResetDst + 516 - kResetBytes>},
    {"destination behind another pool", Rule::PoolOverlapsPool,
     pool_is<kReset, kPoolDst, kCopyDst + kCopyRoBytes>,
     pool_is<kReset, kPoolDst, kCopyDst + kCopyRoBytes - 8>},
    {"destination before another pool", Rule::PoolOverlapsPool,
     pool_is<kReset, kPoolDst, kCopyDst - kResetBytes>,
     pool_is<kReset, kPoolDst, kCopyDst - kResetBytes + 8>},
    {"destination before exec RAM", Rule::PoolOverlapsExec,
     pool_is<kReset, kPoolDst, kExec - kResetBytes>,
     pool_is<kReset, kPoolDst, kExec - kResetBytes + 8>},
    {"destination behind exec RAM", Rule::PoolOverlapsExec,
     [](Image& i) { set_pool(i, kReset, kPoolDst, kExec + i.exec_bytes(true)); },
     [](Image& i) { set_pool(i, kReset, kPoolDst, kExec + i.exec_bytes(true) - 8); }},
    {"destination before the instance", Rule::PoolOverlapsInstance,
     pool_is<kReset, kPoolDst, kInstance - kResetBytes>,
     pool_is<kReset, kPoolDst, kInstance - kResetBytes + 8>},
    {"destination behind the instance", Rule::PoolOverlapsInstance,
     pool_is<kReset, kPoolDst, kInstance + kInstanceBytes + 4>,
     pool_is<kReset, kPoolDst, kInstance + kInstanceBytes - 4>},
    {"nine pools", Rule::PoolTableTen, [](Image& i) { set_pool(i, 9, kPoolFlags, 0); },
     [](Image&) {}, [](ImageSpec& s) { add_reset_pools(s, 10); }},
    {"GOT of three words", Rule::GotShort, [](Image& i) { i.set(kGotStart, i.word(kGotEnd) - 12); },
     [](Image& i) { i.set(kGotStart, i.word(kGotEnd) - 8); }},
    {"the third word from the end is reserved", Rule::GotReserved,
     [](Image& i) { i.set(i.got_word(i.got_words - 4), 0x40000000); },
     [](Image& i) { i.set(i.got_word(i.got_words - 3), 0x40000000); }},
    {"pointer to .bss", Rule::GotValueRamInsideGot,
     [](Image& i) { i.set(i.got_word(0), i.word(kBssStart)); },
     [](Image& i) { i.set(i.got_word(0), i.word(kBssStart) - 1); }},
    {"pointer to the end of the data", Rule::GotValueRamInsideGot,
     [](Image& i) { i.set(i.got_word(0), i.word(kDataEnd)); },
     [](Image& i) { i.set(i.got_word(0), i.word(kDataEnd) + 1); }},
    {"entry for the word before the GOT", Rule::RelocationInGot,
     [](Image& i) { i.set(i.relocation(15), i.word(kGotStart) - 4); },
     [](Image& i) { i.set(i.relocation(15), i.word(kGotStart)); }},
    {"entry for the last word of the GOT", Rule::RelocationInGap,
     [](Image& i) { i.set(i.relocation(15), i.word(kGotEnd) - 4); },
     [](Image& i) { i.set(i.relocation(15), i.word(kGotEnd)); }},
    {"entry for the last word of the gap", Rule::RelocationInBss,
     [](Image& i) { i.set(i.relocation(15), i.word(kBssStart) - 4); },
     [](Image& i) { i.set(i.relocation(15), i.word(kBssStart)); }},
    {"entry for the last word of RAM", Rule::RelocationOutsideRam,
     [](Image& i) { i.set(i.relocation(15), i.word(kBssEnd) - 4); },
     [](Image& i) { i.set(i.relocation(15), i.word(kBssEnd)); }},
    {"entry for the first word behind the header", Rule::RelocationInHeader,
     [](Image& i) { i.set(i.relocation(0), 0x20000060); },
     [](Image& i) { i.set(i.relocation(0), 0x2000005C); }, clang},
    {"entry for the last word of RO", Rule::RelocationOutsideRo,
     [](Image& i) { i.set(i.relocation(4), i.word(kDataData) - 4); },
     [](Image& i) { i.set(i.relocation(4), i.word(kDataData)); }, clang},
    {"names of 255 characters", Rule::ContextNameTooLong, [](Image&) {},
     [](Image& i) { i.file[i.c_name + 255] = 'x'; },
     [](ImageSpec& s) {
         s.c_name.assign(255, 'n');
         s.version_text.assign(300, 'v');
     }},
    {"a name that ends 256 bytes before RO does", Rule::ContextNameUnterminated,
     [](Image& i) {
         std::fill(i.file.begin() + i.ro_bytes - 256, i.file.begin() + i.ro_bytes, 'x');
         i.set(i.context + kContextName, 0x20000000 + i.ro_bytes - 256);
     },
     [](Image& i) {
         std::fill(i.file.begin() + i.ro_bytes - 256, i.file.begin() + i.ro_bytes, 'x');
         i.set(i.context + kContextName, 0x20000000 + i.ro_bytes - 255);
     },
     [](ImageSpec& s) { s.code_bytes = 512; }},
    {"a blank is printable", Rule::ContextNameUnprintable, [](Image& i) { i.file[i.c_name] = ' '; },
     [](Image& i) { i.file[i.c_name] = 0x1F; }},
    {"a tilde is printable", Rule::ContextNameUnprintable, [](Image& i) { i.file[i.c_name] = '~'; },
     [](Image& i) { i.file[i.c_name] = 0x7F; }},
};

/// One limit of a request.
struct RequestLimit {
    const char* name;
    Rule rule;
    void (*inside)(Bench&);
    void (*outside)(Bench&);
    void (*describe)(ImageSpec&) = nullptr;
};

GuestAddr before(GuestAddr address, std::uint32_t bytes) {
    return plus(address, 0u - bytes);
}
std::uint32_t image_bytes(Bench& bench) {
    std::uint32_t rel_end = 0;
    REQUIRE(loader::read_word(bench.memory.port(), plus(bench.request.file, kRelEnd), rel_end));
    return rel_end & 0x0FFFFFFF;
}

const RequestLimit kRequestLimits[] = {
    {"exec RAM of what is needed", Rule::ExecTooSmall, [](Bench&) {},
     [](Bench& b) { --b.request.exec_ram_bytes; }},
    {"external RAM of what is needed", Rule::PoolExternalTooSmall,
     [](Bench& b) { b.request.ext_ram_bytes = 32; },
     [](Bench& b) { b.request.ext_ram_bytes = 31; }},
    {"external RAM above the limit", Rule::PoolExternalAtLimit,
     [](Bench& b) { b.request.ext_ram = GuestAddr{0x60000020}; },
     [](Bench& b) { b.request.ext_ram = GuestAddr{0x60000000}; }},
    {"external RAM at the limit", Rule::PoolExternalOnChip,
     [](Bench& b) { b.request.ext_ram = GuestAddr{0x60000000}; },
     [](Bench& b) { b.request.ext_ram = GuestAddr{0x5FFFFFE0}; }},
    {"code below device memory", Rule::ExecNeverExecutes,
     [](Bench& b) { b.request.exec_ram = GuestAddr{0x9FFFFFE0}; },
     [](Bench& b) { b.request.exec_ram = GuestAddr{0xA0000000}; }},
    {"code above device memory", Rule::ExecNeverExecutes,
     [](Bench& b) { b.request.exec_ram = GuestAddr{0xE0000000}; },
     [](Bench& b) { b.request.exec_ram = GuestAddr{0xDFFFFFE0}; }},
    {"exec RAM up to peripherals", Rule::ExecPeripheral,
     [](Bench& b) { b.request.exec_ram = GuestAddr{0x40000000 - b.request.exec_ram_bytes}; },
     [](Bench& b) { b.request.exec_ram = GuestAddr{0x40000008 - b.request.exec_ram_bytes}; }},
    {"an instance before exec RAM", Rule::InstanceOverlapsExec,
     [](Bench& b) { b.request.instance = before(b.request.exec_ram, kInstanceBytes); },
     [](Bench& b) { b.request.instance = before(b.request.exec_ram, kInstanceBytes - 4); }},
    {"an instance before external RAM", Rule::InstanceOverlapsExt,
     [](Bench& b) { b.request.instance = before(b.request.ext_ram, kInstanceBytes); },
     [](Bench& b) { b.request.instance = before(b.request.ext_ram, kInstanceBytes - 4); }},
    {"an instance behind what is used of external RAM", Rule::InstanceOverlapsExt,
     [](Bench& b) { b.request.instance = plus(b.request.ext_ram, 32); },
     [](Bench& b) { b.request.instance = plus(b.request.ext_ram, 28); }},
    {"an instance before the file", Rule::InstanceOverlapsFile,
     [](Bench& b) { b.request.instance = before(b.request.file, kInstanceBytes); },
     [](Bench& b) { b.request.instance = before(b.request.file, kInstanceBytes - 4); }},
    {"an instance behind the relocations", Rule::InstanceOverlapsFile,
     [](Bench& b) { b.request.instance = plus(b.request.file, image_bytes(b)); },
     [](Bench& b) { b.request.instance = plus(b.request.file, image_bytes(b) - 4); }},
    {"an instance before the parameters", Rule::InstanceOverlapsParams,
     [](Bench& b) { b.request.instance = before(b.request.params, kInstanceBytes); },
     [](Bench& b) { b.request.instance = before(b.request.params, kInstanceBytes - 4); }, split},
    {"an instance behind the parameters", Rule::InstanceOverlapsParams,
     [](Bench& b) { b.request.instance = plus(b.request.params, b.request.params_bytes); },
     [](Bench& b) { b.request.instance = plus(b.request.params, b.request.params_bytes - 4); },
     split},
    {"exec RAM before the file", Rule::ExecOverlapsFile,
     [](Bench& b) { b.request.exec_ram = before(b.request.file, b.request.exec_ram_bytes); },
     [](Bench& b) { b.request.exec_ram = before(b.request.file, b.request.exec_ram_bytes - 8); }},
    {"exec RAM before external RAM", Rule::ExecOverlapsExt,
     [](Bench& b) { b.request.exec_ram = before(b.request.ext_ram, b.request.exec_ram_bytes); },
     [](Bench& b) {
         b.request.exec_ram = before(b.request.ext_ram, b.request.exec_ram_bytes - 8);
     }},
    {"exec RAM before the parameters", Rule::ExecOverlapsParams,
     [](Bench& b) { b.request.exec_ram = before(b.request.params, b.request.exec_ram_bytes); },
     [](Bench& b) { b.request.exec_ram = before(b.request.params, b.request.exec_ram_bytes - 8); },
     split},
    {"external RAM before the file", Rule::ExtOverlapsFile,
     [](Bench& b) { b.request.ext_ram = before(b.request.file, 32); },
     [](Bench& b) { b.request.ext_ram = before(b.request.file, 24); }},
    {"external RAM before the parameters", Rule::ExtOverlapsParams,
     [](Bench& b) { b.request.ext_ram = before(b.request.params, 32); },
     [](Bench& b) { b.request.ext_ram = before(b.request.params, 24); }, split},
    {"parameters behind the relocations", Rule::ParamsOverlapImage,
     [](Bench& b) { b.request.params = plus(b.request.file, (image_bytes(b) + 7) & ~7u); },
     [](Bench& b) { b.request.params = plus(b.request.file, (image_bytes(b) - 1) & ~7u); }, split},
    {"parameters of what is needed", Rule::ParamsTooShort, [](Bench&) {},
     [](Bench& b) { --b.request.params_bytes; }, split},
    {"parameters up to the end of the address space", Rule::ParamsWrap,
     [](Bench& b) { b.request.params = GuestAddr{0u - b.request.params_bytes}; },
     [](Bench& b) { b.request.params = GuestAddr{8u - b.request.params_bytes}; }, split},
    {"cached parameters above the limit", Rule::PoolParamAtLimit,
     [](Bench& b) { b.request.params = GuestAddr{0x60000020}; },
     [](Bench& b) { b.request.params = GuestAddr{0x60000000}; }, split},
    {"modes in use", Rule::ModeUnknownBits, [](Bench& b) { b.request.mode = 6; },
     [](Bench& b) { b.request.mode = 8 + 6; }},
};

TEST_CASE("limits of a file: the last legal value has no finding, the next one has") {
    check_both_sides(kFileLimits, [](const FileLimit& limit, auto damage) {
        return findings_of(limit, damage);
    });
}

TEST_CASE("limits of a request: the last legal value has no finding, the next one has") {
    for (const RequestLimit& limit : kRequestLimits) {
        CAPTURE(limit.name);
        ImageSpec spec = sample_spec(ImageGeneration::Core22);
        if (limit.describe != nullptr) limit.describe(spec);
        const Image image = build_image(spec);
        for (const bool legal : {true, false}) {
            Bench bench(image, n6_placements().front(), 6);
            (legal ? limit.inside : limit.outside)(bench);
            const std::vector<Diagnosis> findings = findings_of(bench);
            CHECK_MESSAGE(has(findings, limit.rule) != legal, names_of(findings));
        }
    }
}

TEST_CASE("a legal file has the hints that follow from its layout, and nothing else") {
    for (const ImageGeneration generation : kAllGenerations) {
        for (const std::uint32_t mode : {1u, 2u, 5u, 6u}) {
            const Image image = build_image(sample_spec(generation));
            Bench bench(image, n6_placements().front(), mode);
            std::vector<Rule> expected;
            if (image.ro_bytes + image.bss_start > image.rel)
                expected.push_back(Rule::BssGapHoldsRelocations);
            if ((to_word(bench.request.file) + image.params_at) % 32 != 0)
                expected.push_back(Rule::ParamsEmbeddedCacheLine);
            expected.push_back(Rule::RelocationValueZero);
            const std::vector<Diagnosis> findings = findings_of(bench);
            REQUIRE_MESSAGE(findings.size() == expected.size(), names_of(findings));
            for (std::size_t i = 0; i < expected.size(); ++i)
                CHECK(findings[i].rule == expected[i]);
            // Word 4 of .data is null, by the fifth entry.
            CHECK(findings.back().file_offset == image.ro_bytes + 16);
            CHECK(findings.back().index == 4);
            CHECK(to_word(findings.back().address) == 0x40000010);
        }
    }
}

}  // namespace
}  // namespace n6vp::test

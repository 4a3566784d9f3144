// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/loader/check/malformed_cases.h"

namespace n6vp::test {
namespace {

using loader::Rule;

#define N6VP_CONTEXT(rule, field, value)                                                           \
    {                                                                                              \
        "rt_ctx." #field, Rule::rule, nullptr, [](Image& i) { i.set(i.context + (field), value); } \
    }

const MalformedCase kToleratedCases[] = {
    {"file at 8 mod 32", Rule::FileCacheLine, nullptr, nullptr,
     [](Bench& b) {
         const std::uint32_t bytes = b.request.file_bytes;
         const GuestAddr moved{0x74000008};
         b.memory.map({moved, bytes}, 0, false);
         b.memory.store(moved, b.memory.bytes({b.request.file, bytes}));
         b.request.file = moved;
     }},
    {"bytes behind a split file", Rule::FileTrailingBytes, split,
     [](Image& i) { i.file.resize(i.file.size() + 16); }},
    {"length unknown", Rule::FileLengthUnknown, nullptr, nullptr,
     [](Bench& b) { b.request.file_bytes = loader::kUnknownBytes; }},
    {"flags bit 15", Rule::FlagsReserved, nullptr, [](Image& i) { i.set(kFlagsWord, 0x8078DD22); }},
    {"flags bit 23", Rule::FlagsReserved, nullptr, [](Image& i) { i.set(kFlagsWord, 0x80F85D22); }},
    {"toolchain 7", Rule::FlagsToolchain, nullptr, [](Image& i) { i.set(kFlagsWord, 0x80775D22); }},
    {"toolchain 11", Rule::FlagsToolchain, nullptr,
     [](Image& i) { i.set(kFlagsWord, 0x807B5D22); }},
    {".bss at 2 mod 4", Rule::BssAlignment,
     [](ImageSpec& s) {
         s.bss_alignment = 8;
         for (ImageWord& word : s.data) word.relocated = word.kind != ImageWord::Kind::Bss;
     },
     [](Image& i) { add_to(i, kBssStart, 2); }},
    {"constructor array", Rule::InitArrayIgnored, nullptr,
     [](Image& i) {
         // The first GOT word becomes an array word.
         add_to(i, kGotStart, 4);
     }},
    {"gap from the relocation table", Rule::BssGapHoldsRelocations,
     [](ImageSpec& s) { s.bss_alignment = 64; }},
    N6VP_CONTEXT(ContextState, 0x00, 3),
    N6VP_CONTEXT(ContextFileAddress, 0x04, 0x71000000),
    N6VP_CONTEXT(ContextRamAddress, 0x08, 0x34060000),
    N6VP_CONTEXT(ContextRomAddress, 0x0C, 0x71000000),
    N6VP_CONTEXT(ContextCallbacks, 0x10, 0x34181000),
    N6VP_CONTEXT(ContextInstance, kContextInstance, 0x34100100),
    N6VP_CONTEXT(ContextVersionLowByte, kContextVersion, 0x01010107),
    N6VP_CONTEXT(ContextDev, kContextDev, 13),
    {"another build of 3.0", Rule::FirmwareDev, nullptr, nullptr,
     [](Bench& b) { b.request.profile.version.dev = 5; }, 6, ImageGeneration::Core30},
    N6VP_CONTEXT(ContextStructReserved, kContextSizes, 0x00013038),
    N6VP_CONTEXT(ContextExtRamSize, kContextExtRam, 64),
    {"unknown structure sizes", Rule::ContextStructSizes, nullptr,
     [](Image& i) { i.set(i.context + kContextSizes, 0x2020); },
     [](Bench& b) {
         b.request.profile.buffer_info_bytes = 0x20;
         b.request.profile.epoch_item_bytes = 0x20;
     }},
    {"short epoch items with debug information", Rule::ContextStructDbg, nullptr,
     [](Image& i) { i.set(i.context + kContextSizes, 0x1438); },
     [](Bench& b) { b.request.profile.epoch_item_bytes = 20; }},
    {"version 1.2.0", Rule::ContextVersion, nullptr,
     [](Image& i) { i.set(i.context + kContextVersion, 0x01020000); },
     [](Bench& b) {
         b.request.profile.version = {1, 2, 0, 14};
         b.request.profile.generation = loader::Generation::Core4x;
     },
     6, ImageGeneration::Core30},
    {"empty c_name", Rule::ContextNameEmpty, [](ImageSpec& s) { s.c_name = ""; }},
    {"c_name with escape", Rule::ContextNameUnprintable,
     [](ImageSpec& s) { s.c_name = "a\033[2J"; }},
    {"empty version text", Rule::VersionTextEmpty, [](ImageSpec& s) { s.version_text = ""; }},
    {"version text in Latin 1", Rule::VersionTextUnprintable,
     [](ImageSpec& s) { s.version_text = "\xE9t\xE9"; }},
    {"c_name without relocation", Rule::ContextNameNotRelocated, nullptr,
     [](Image& i) { i.set(i.relocation(8), ram_offset(i, i.context + 4)); }},
    {"version text without relocation", Rule::VersionTextNotRelocated, nullptr,
     [](Image& i) { i.set(i.relocation(9), ram_offset(i, i.context + 8)); }},
    {"non-secure model, secure firmware", Rule::FirmwareSecure,
     [](ImageSpec& s) { s.flags = 0x80685D22; }, nullptr,
     [](Bench& b) { b.request.profile.secure = true; }},
    {"no callback table", Rule::CallbacksNull, nullptr, nullptr,
     [](Bench& b) { b.request.callbacks = GuestAddr{0}; }},
    {"mode bit 3", Rule::ModeUnknownBits, nullptr, nullptr, nullptr, 14},
    {"exec RAM at 8 mod 32", Rule::ExecCacheLine, nullptr, nullptr,
     [](Bench& b) { b.request.exec_ram = plus(b.request.exec_ram, 8); }},
    {"exec RAM where code must not run", Rule::ExecNeverExecutes, nullptr, nullptr,
     [](Bench& b) {
         b.request.exec_ram = GuestAddr{0xC0000000};
         b.memory.map({b.request.exec_ram, 0x1000});
     }},
    {"external RAM at 8 mod 32", Rule::ExtCacheLine, nullptr, nullptr,
     [](Bench& b) { b.request.ext_ram = plus(b.request.ext_ram, 8); }},
    {"external RAM for nothing", Rule::ExtUnused,
     [](ImageSpec& s) {
         s.pools.erase(s.pools.begin() + kExternal);
         s.got.clear();
         s.data.clear();
     }},
    {"external RAM at the limit", Rule::PoolExternalAtLimit, nullptr, nullptr,
     [](Bench& b) {
         b.request.ext_ram = GuestAddr{0x60000000};
         b.memory.map({b.request.ext_ram, 0x1000});
     }},
    {"parameters at 8 mod 32", Rule::ParamsCacheLine, split, nullptr,
     [](Bench& b) {
         const GuestAddr moved{0x74000008};
         b.memory.map({moved, b.request.params_bytes}, 0, false);
         b.memory.store(moved, b.memory.bytes({b.request.params, b.request.params_bytes}));
         b.request.params = moved;
     }},
    {"parameters at the limit", Rule::PoolParamAtLimit, split, nullptr,
     [](Bench& b) {
         const GuestAddr moved{0x60000000};
         b.memory.map({moved, b.request.params_bytes}, 0, false);
         b.memory.store(moved, b.memory.bytes({b.request.params, b.request.params_bytes}));
         b.request.params = moved;
     }},
    {"uncached parameters on chip", Rule::PoolParamOnChipUncached, split,
     [](Image& i) { set_pool(i, kWeights, kPoolFlags, 0x01010100); },
     [](Bench& b) {
         const GuestAddr moved{0x34300000};
         b.memory.map({moved, b.request.params_bytes}, 0, false);
         b.memory.store(moved, b.memory.bytes({b.request.params, b.request.params_bytes}));
         b.request.params = moved;
     }},
    {"embedded parameters at 8 mod 32", Rule::ParamsEmbeddedCacheLine,
     [](ImageSpec& s) { s.c_name = "four more"; }},
    {"parameters inside and outside", Rule::ParamsBoth, nullptr, nullptr,
     [](Bench& b) {
         const GuestAddr moved{0x74000000};
         const std::uint32_t bytes = b.request.file_bytes;
         b.memory.map({moved, bytes}, 0, false);
         b.memory.store(moved, b.memory.bytes({b.request.file, bytes}));
         std::uint32_t offset = 0;
         REQUIRE(loader::read_word(b.memory.port(), plus(moved, kParamsOffset), offset));
         b.request.params = plus(moved, offset);
         b.request.params_bytes = bytes - offset;
     }},
    {"blobs, length unknown", Rule::ParamsCrcUnknown,
     // A length that no section holds.
     [](ImageSpec& s) { s.blobs = {0x7A, 0x7A, 0x05, 0xCA, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0}; },
     nullptr, [](Bench& b) { b.request.file_bytes = loader::kUnknownBytes; }},
    {"blobs that reach beyond memory, length unknown", Rule::ParamsCrcUnknown,
     [](ImageSpec& s) { s.blobs = {0x7A, 0x7A, 0x05, 0xCA, 0, 0, 0, 0x10, 0, 0, 0, 0}; }, nullptr,
     [](Bench& b) { b.request.file_bytes = loader::kUnknownBytes; }},
    {"empty pool table", Rule::PoolTableEmpty,
     [](ImageSpec& s) {
         s.pools.clear();
         s.got.clear();
         s.data.clear();
     },
     nullptr,
     [](Bench& b) {
         b.request.params = GuestAddr{0x74000000};
         b.memory.map({b.request.params, 64}, 0, false);
         b.request.params_bytes = 64;
     }},
    {"empty pool name", Rule::PoolNameEmpty, [](ImageSpec& s) { s.pools[kReset].name = ""; }},
    {"pool name with tabulator", Rule::PoolNameUnprintable,
     [](ImageSpec& s) { s.pools[kReset].name = "a\tb"; }},
    {"pool name without relocation", Rule::PoolNameNotRelocated, nullptr,
     [](Image& i) { i.set(i.relocation(15), i.word(i.relocation(14)) + 40); }},
    {"attribute bit 3", Rule::PoolAttributesUnknown, nullptr,
     [](Image& i) { set_pool(i, kReset, kPoolFlags, 0x03020A00); }},
    {"RESET pool with id", Rule::PoolIdIgnored, nullptr,
     [](Image& i) { set_pool(i, kReset, kPoolFlags, 0x03020203); }},
    {"COPY pool of activations", Rule::PoolCopyActivation, nullptr,
     [](Image& i) { set_pool(i, kCopyRw, kPoolFlags, 0x02020200); }},
    {"RESET pool of parameters", Rule::PoolResetParam,
     [](ImageSpec& spec) { spec.pools[kReset].flags = 0x03010200; }},
    {"sizes in rt_ctx that are rounded up to 8", Rule::ContextExtRamSize,
     [](ImageSpec& spec) {
         spec.ext_ram_sz = 0x20;             // of 0x1C
         spec.acts_sz = 0x20 + 0xC8 + 0x70;  // of 0x1C, 0xC8 and 0x6C
         spec.params_sz = 0x128 + 0x98;      // of 0x128 and 0x94
     }},
    {"pool source at 4 mod 8", Rule::PoolSourceAlignment, nullptr,
     [](Image& i) { add_to(i, i.pool(kCopyRo) + kPoolFoff, 4); }},
    {"parameter pool with offset", Rule::PoolParamShift, nullptr,
     [](Image& i) { set_pool(i, kWeights, kPoolFoff, 8); }},
    {"relocatable pool with destination", Rule::PoolDestinationIgnored, nullptr,
     [](Image& i) { set_pool(i, kWeights, kPoolDst, 0x70000000); }},
    {"destination at 4 mod 8", Rule::PoolDestinationAlignment, nullptr,
     [](Image& i) { add_to(i, i.pool(kReset) + kPoolDst, 4); }},
    {"RESET pool at the start of external memory", Rule::PoolDestinationExternal, nullptr,
     [](Image& i) { set_pool(i, kReset, kPoolDst, 0x60000000); }, nullptr, 2},
    {"RESET pool in external memory", Rule::PoolDestinationExternal, nullptr,
     [](Image& i) { set_pool(i, kReset, kPoolDst, 0x91000000); }, nullptr, 2},
    {"GOT of two words", Rule::GotShort, [](ImageSpec& s) { s.bss_alignment = 4; },
     [](Image& i) { i.set(kGotStart, i.word(kGotEnd) - 8); }},
    {"reserved GOT word in use", Rule::GotReserved, nullptr,
     [](Image& i) { i.set(i.got_word(6), 0x40000000); }},
    {"clang model with GOT", Rule::GotClang, nullptr,
     [](Image& i) { i.set(kFlagsWord, 0x80795D22); }},
    {"ST clang model with GOT", Rule::GotClang, nullptr,
     [](Image& i) { i.set(kFlagsWord, 0x807A5D22); }},
    {"GOT word into the GOT", Rule::GotValueRamInsideGot, nullptr,
     [](Image& i) { i.set(i.got_word(1), i.word(kGotStart) + 4); }},
    {"relocated word into the GOT", Rule::RelocationValueRamInsideGot, nullptr,
     [](Image& i) { i.set(i.ram(i.word(i.relocation(1))), i.word(kGotStart) + 8); }},
    {"relocated zero", Rule::RelocationValueZero},
    {"unordered table", Rule::RelocationOrder, nullptr,
     [](Image& i) {
         const std::uint32_t first = i.word(i.relocation(0));
         i.set(i.relocation(0), i.word(i.relocation(6)));
         i.set(i.relocation(6), first);
     }},
    {"entry for rt_ctx.state", Rule::RelocationContextRuntime, nullptr,
     [](Image& i) { i.set(i.relocation(8), ram_offset(i, i.context)); }},
    {"entry for a pool's destination", Rule::RelocationPoolNumber, nullptr,
     [](Image& i) {
         set_pool(i, kWeights, kPoolDst, 0x40000000);
         i.set(i.relocation(11), ram_offset(i, i.pool(kWeights) + kPoolDst));
     }},
    {"GCC model with RO relocation", Rule::RelocationRoGcc,
     [](ImageSpec& s) {
         s = clang_spec(ImageGeneration::Core22);
         s.flags = 0x80685D22;
     }},
};

}  // namespace

std::span<const MalformedCase> tolerated_cases() {
    return kToleratedCases;
}

}  // namespace n6vp::test

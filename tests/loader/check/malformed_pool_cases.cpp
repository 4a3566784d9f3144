// SPDX-License-Identifier: Apache-2.0
#include "tests/loader/check/malformed_cases.h"

namespace n6vp::test {
namespace {

using loader::Rule;

/// Changes one field of one pool.
#define N6VP_POOL(rule, pool, field, value)                    \
    {                                                          \
#pool "." #field " = " #value, Rule::rule, nullptr,    \
            [](Image & i) { set_pool(i, pool, field, value); } \
    }

void add_reset_pools(ImageSpec& spec, unsigned total) {
    while (spec.pools.size() < total) {
        const auto number = static_cast<std::uint32_t>(spec.pools.size());
        spec.pools.push_back(
            {"r" + std::to_string(number), 0x03020200, 8, 0x342E0100 + 8 * number, {}, {}});
    }
}

void blobs(ImageSpec& spec) {
    spec.blobs = pattern(0x58, 9);
}

constexpr std::uint32_t kCopyDst = 0x34200000, kMixedDst = 0x34270000, kResetDst = 0x342E0000;

void mixed(ImageSpec& spec) {
    spec = mixed_spec(ImageGeneration::Core22, kCopyDst, kMixedDst, kResetDst);
}

const MalformedCase kPoolCases[] = {
    // Table.
    {"table behind the data", Rule::PoolTableOutside, nullptr,
     [](Image& i) { i.set(kParamsStart, i.word(kDataEnd)); }},
    {"table 256 MiB away", Rule::PoolTableOutside, nullptr,
     [](Image& i) { i.set(kParamsStart, 0x4FFFFFFC); }},
    {"table at 2 mod 4", Rule::PoolTableAlignment, nullptr,
     [](Image& i) { add_to(i, kParamsStart, 2); }},
    {"table without terminator", Rule::PoolTableUnterminated, nullptr,
     [](Image& i) { add_to(i, kDataEnd, 0u - 20u); }},
    {"table of ten pools", Rule::PoolTableTen, [](ImageSpec& s) { add_reset_pools(s, 10); }},
    {"table of eleven pools", Rule::PoolTableTen, [](ImageSpec& s) { add_reset_pools(s, 11); }},
    {"terminator with flags", Rule::PoolTerminatorPartial, nullptr,
     [](Image& i) { set_pool(i, 5, kPoolFlags, 0x03020200); }},
    {"terminator with name", Rule::PoolTerminatorPartial, nullptr,
     [](Image& i) { set_pool(i, 5, kPoolName, 0x20000060); }},
    // Names.
    N6VP_POOL(PoolNameSpace, kCopyRo, kPoolName, 0x40000000),
    N6VP_POOL(PoolNameSpace, kReset, kPoolName, 0x70000100),
    N6VP_POOL(PoolNameOutside, kWeights, kPoolName, 0x20100000),
    {"pool name without end", Rule::PoolNameUnterminated, nullptr,
     [](Image& i) {
         for (std::uint32_t at = i.pool_names[4]; at < i.ro_bytes; ++at) i.file[at] = 'x';
     }},
    {"pool name of 256 characters", Rule::PoolNameTooLong,
     [](ImageSpec& s) { s.pools[kReset].name = std::string(256, 'p'); }},
    // Flags.
    N6VP_POOL(PoolTypeUnused, kReset, kPoolFlags, 0x00020200),
    N6VP_POOL(PoolTypeUnknown, kReset, kPoolFlags, 0x04020200),
    N6VP_POOL(PoolTypeUnknown, kCopyRo, kPoolFlags, 0xFE010100),
    N6VP_POOL(PoolTypeUnsupported, kReset, kPoolFlags, 0xFF020200),
    N6VP_POOL(PoolDataUnknown, kReset, kPoolFlags, 0x03000200),
    N6VP_POOL(PoolDataUnknown, kCopyRo, kPoolFlags, 0x02040100),
    N6VP_POOL(PoolIdUnknown, kWeights, kPoolFlags, 0x01010502),
    N6VP_POOL(PoolIdUnknown, kExternal, kPoolFlags, 0x010206FF),
    N6VP_POOL(PoolParamMixed, kWeights, kPoolFlags, 0x01030500),
    N6VP_POOL(PoolParamWrite, kWeights, kPoolFlags, 0x01010600),
    N6VP_POOL(PoolParamActivation, kWeights, kPoolFlags, 0x01020500),
    N6VP_POOL(PoolExternalParam, kExternal, kPoolFlags, 0x01010501),
    N6VP_POOL(PoolParamTwice, kReset, kPoolFlags, 0x01010100),
    N6VP_POOL(PoolExternalTwice, kReset, kPoolFlags, 0x01020201),
    // Size and source.
    {"pool of size 0", Rule::PoolSizeZero, nullptr,
     [](Image& i) { set_pool(i, kReset, kPoolSize, 0); }},
    // What the packer added up, pool by pool.
    {"MIXED pool 32 bytes too small", Rule::ContextActsSize, nullptr,
     [](Image& i) { set_pool(i, kCopyRw, kPoolSize, 0xC8 - 32); }},
    {"RESET pool 32 bytes too small", Rule::ContextActsSize, nullptr,
     [](Image& i) { set_pool(i, kReset, kPoolSize, 0x6C - 32); }},
    {"RESET pool 32 bytes too large", Rule::ContextActsSize, nullptr,
     [](Image& i) { set_pool(i, kReset, kPoolSize, 0x6C + 32); }},
    {"parameter pool 32 bytes too small", Rule::ContextParamsSize,
     [](ImageSpec& s) { s.pools.erase(s.pools.begin() + kCopyRw); },
     [](Image& i) { set_pool(i, kWeights, kPoolSize, 0x128 - 32); }},
    {"more activations than .bss holds, and no pool for them", Rule::ContextActsSize,
     [](ImageSpec& s) {
         s.pools.erase(s.pools.begin() + kCopyRw, s.pools.end());
         s.pools.erase(s.pools.begin() + kExternal);
         s.got.clear();
         s.data.clear();
         s.bss_bytes = 24;
         s.acts_sz = 24 + 8;  // 4 more than rounding grants
     }},
    {"activations that make the sum of both wrap", Rule::ContextActsSize,
     [](ImageSpec& s) {
         s.pools.erase(s.pools.begin() + kExternal, s.pools.end());
         s.got.clear();
         s.data.clear();
         s.params_sz = 0x128;
         s.acts_sz = 0xFFFFFFFE;
     },
     [](Image& i) { set_pool(i, kWeights, kPoolSize, 0x125); }},
    {"parameters that no pool holds", Rule::ContextParamsSize,
     [](ImageSpec& s) { s.params_sz = 0x128 + 0x98 + 0xC8 + 1; }},
    N6VP_POOL(PoolSizeWraps, kReset, kPoolSize, 0xFFFFFFFF),
    N6VP_POOL(PoolSizeWraps, kCopyRo, kPoolSize, 0xFFFFFFF9),
    N6VP_POOL(PoolSourceOutside, kCopyRw, kPoolFoff, 0x10000),
    N6VP_POOL(PoolSourceOutside, kWeights, kPoolSize, 0x1000),
    N6VP_POOL(PoolSourceWraps, kCopyRo, kPoolFoff, 0xFFFFFF00),
    {"last byte of a source behind the address space", Rule::PoolSourceWraps, nullptr,
     [](Image& i) {
         const std::uint32_t section = 0x71000000 + i.params_at;  // the file is at 0x71000000
         set_pool(i, kCopyRo, kPoolFoff, 0u - section - 0x90);    // 0x94 bytes, rounded up
     }},
    {"rounded size behind the parameters", Rule::PoolSourceRounding, nullptr,
     [](Image& i) {
         // The last pool with parameters, its section cut by the padding.
         add_to(i, i.context + kContextRawBytes, 0u - 4u);
         i.file.resize(i.file.size() - 4);
         i.raw_bytes -= 4;
         set_pool(i, kCopyRw, kPoolSize, 0xC4);
         i.update_crc();
     }},
    {"parameter pool behind blobs", Rule::PoolParamShiftsBlobs,
     [](ImageSpec& s) {
         blobs(s);
         s.pools[kWeights].foff = 8;
     }},
    {"external pool made of blobs", Rule::PoolMixedReadsBlobs,
     [](ImageSpec& s) {
         mixed(s);
         blobs(s);
         s.pools[kExternal].foff = 0;
     }},
    {"COPY pool made of blobs", Rule::PoolCopyReadsBlobs,
     [](ImageSpec& s) {
         blobs(s);
         s.pools[kCopyRo].foff = 0x50;
     }},
    {"COPY pool made of blobs, known by their magic", Rule::PoolCopyReadsBlobs,
     [](ImageSpec& s) {
         s.blobs = {0x7A, 0x7A, 0x05, 0xCA, 0x01, 0, 0, 0, 0, 0, 0, 0};
         s.pools[kCopyRw].foff = 0;
     }},
    // Destination.
    N6VP_POOL(PoolDestinationNull, kCopyRo, kPoolDst, 0),
    N6VP_POOL(PoolDestinationNull, kReset, kPoolDst, 0),
    N6VP_POOL(PoolDestinationWraps, kCopyRo, kPoolDst, 0xFFFFFFC0),
    N6VP_POOL(PoolDestinationPeripheral, kCopyRo, kPoolDst, 0x580E0000),
    N6VP_POOL(PoolDestinationPeripheral, kReset, kPoolDst, 0xE000ED00),
    N6VP_POOL(PoolDestinationPeripheral, kReset, kPoolDst, 0x3FFFFFF8),
    N6VP_POOL(PoolDestinationNotGranted, kCopyRo, kPoolDst, 0x34180000),
    N6VP_POOL(PoolDestinationNotGranted, kCopyRw, kPoolDst, kMixedDst + 0x1C0),
    N6VP_POOL(PoolDestinationNotGranted, kReset, kPoolDst, kResetDst - 8),
    {"no grants at all", Rule::PoolDestinationNotGranted, nullptr, nullptr,
     [](Bench& b) { b.request.grant_count = 0; }},
    {"grant ends with the unrounded size", Rule::PoolDestinationRoundingNotGranted, nullptr,
     [](Image& i) { set_pool(i, kReset, kPoolDst, kResetDst + 512 - 0x6C); }},
    {"RESET pool in exec RAM", Rule::PoolOverlapsExec, nullptr,
     [](Image& i) { set_pool(i, kReset, kPoolDst, 0x34060010); }},
    {"RESET pool in exec RAM without CLEAR", Rule::PoolOverlapsExec, nullptr,
     [](Image& i) { set_pool(i, kReset, kPoolDst, 0x34060010); }, nullptr, 2},
    {"RESET pool in exec RAM by its non-secure address", Rule::PoolOverlapsExec, nullptr,
     [](Image& i) { set_pool(i, kReset, kPoolDst, 0x24060010); }},
    {"COPY pool in external RAM", Rule::PoolOverlapsExt, nullptr,
     [](Image& i) { set_pool(i, kCopyRo, kPoolDst, 0x90100000); }},
    {"COPY pool over the file", Rule::PoolOverlapsFile, nullptr,
     [](Image& i) { set_pool(i, kCopyRo, kPoolDst, 0x71000010); }},
    {"RESET pool over the relocation table", Rule::PoolOverlapsFile, nullptr,
     [](Image& i) { set_pool(i, kReset, kPoolDst, 0x71000000 + i.rel); }},
    {"COPY pool over the parameters", Rule::PoolOverlapsParams, nullptr,
     [](Image& i) { set_pool(i, kCopyRo, kPoolDst, 0x71000000 + i.params_at + 0x40); }},
    {"RESET pool over the instance", Rule::PoolOverlapsInstance, nullptr,
     [](Image& i) { set_pool(i, kReset, kPoolDst, 0x34100110); }},
    N6VP_POOL(PoolOverlapsPool, kCopyRw, kPoolDst, kCopyDst + 0x90),
    N6VP_POOL(PoolOverlapsPool, kReset, kPoolDst, kMixedDst),
};

}  // namespace

std::span<const MalformedCase> pool_cases() {
    return kPoolCases;
}

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include "tests/loader/legacy/malformed_cases.h"

namespace n6vp::test {
namespace {

using loader::Rule;

void give_weights(LegacyBench& bench, std::uint32_t at, std::uint32_t bytes) {
    bench.request.weights = GuestAddr{at};
    bench.request.weights_bytes = bytes;
}

void give_activations(LegacyBench& bench, std::uint32_t at, std::uint32_t bytes) {
    bench.request.activations = GuestAddr{at};
    bench.request.activations_bytes = bytes;
}

void need_weights(LegacySpec& spec) {
    spec.weights_bytes = 40;
}

std::uint32_t file_of(const LegacyBench& bench) {
    return to_word(bench.request.file);
}
std::uint32_t ram_of(const LegacyBench& bench) {
    return to_word(bench.request.ram);
}

void no_heap(LegacyBench& bench) {
    bench.request.ram = GuestAddr{0};
    bench.request.ram_bytes = 0;
}

const LegacyCase kRequestCases[] = {
    {"no file", Rule::LegacyFileNull, nullptr,
     [](LegacyBench& b) { b.request.file = GuestAddr{0}; }},
    {"file at an unmapped address", Rule::FileUnreadable, nullptr,
     [](LegacyBench& b) { b.request.file = GuestAddr{0x50000000}; }},
    {"file wraps", Rule::FileWraps, nullptr,
     [](LegacyBench& b) { b.request.file_bytes = 0xFFFFFFF0; }},
    {"a Cortex-M4", Rule::LegacyCpuPart, nullptr,
     [](LegacyBench& b) { b.request.target.cpu_part = 0xC24; }},
    {"a Cortex-M7", Rule::LegacyCpuPart, nullptr,
     [](LegacyBench& b) { b.request.target.cpu_part = 0xC27; }},
    {"a Cortex-M55", Rule::LegacyCpuPart, nullptr,
     [](LegacyBench& b) { b.request.target.cpu_part = 0xD22; }},
    {"FPU off", Rule::FirmwareFpuOff, nullptr,
     [](LegacyBench& b) { b.request.target.fpu_enabled = false; }},
    {"callbacks for a context of 52 bytes", Rule::LegacyCrcNoRoom, nullptr,
     [](LegacyBench& b) { b.request.acquire_crc = GuestAddr{0x08000101}; },
     [](LegacySpec& s) { s = legacy_sample(false); }},
    {"release callback alone", Rule::LegacyCrcNoRoom, nullptr,
     [](LegacyBench& b) { b.request.release_crc = GuestAddr{0x08000101}; },
     [](LegacySpec& s) { s = legacy_sample(false); }},
    {"callbacks where the length of the context is a guess", Rule::LegacyCrcNoRoom,
     [](LegacyImage& i) { i.add(0x0C, 4); },
     [](LegacyBench& b) { b.request.acquire_crc = GuestAddr{0x08000101}; }},
    {"no place for the handle", Rule::LegacyHandleNull, nullptr,
     [](LegacyBench& b) { b.request.handle_given = false; }},
    {"mode 0", Rule::LegacyModeNone, nullptr, [](LegacyBench& b) { b.request.mode = 0; }},
    {"mode 3", Rule::LegacyModeBoth, nullptr, [](LegacyBench& b) { b.request.mode = 3; }},
    {"mode 4", Rule::LegacyModeUnknownBits, nullptr, [](LegacyBench& b) { b.request.mode = 4; }},
    {"XIP and CLEAR", Rule::LegacyModeUnknownBits, nullptr,
     [](LegacyBench& b) { b.request.mode = 5; }},
    {"RAM at 4n + 1", Rule::LegacyRamAlignment, nullptr,
     [](LegacyBench& b) { b.request.ram = GuestAddr{ram_of(b) + 1}; }},
    {"RAM at 4n + 2", Rule::LegacyRamAlignment, nullptr,
     [](LegacyBench& b) { b.request.ram = GuestAddr{ram_of(b) + 2}; }},
    {"RAM one byte short for XIP", Rule::LegacyRamTooSmall, nullptr,
     [](LegacyBench& b) { --b.request.ram_bytes; }},
    {"RAM one byte short for COPY", Rule::LegacyRamTooSmall, nullptr,
     [](LegacyBench& b) { --b.request.ram_bytes; }, nullptr, 2},
    {"RAM of XIP for COPY", Rule::LegacyRamTooSmall, nullptr,
     [](LegacyBench& b) { b.request.mode = 2; }},
    {"RAM without a size", Rule::LegacyRamHalfGiven, nullptr,
     [](LegacyBench& b) { b.request.ram_bytes = 0; }},
    {"RAM without an address", Rule::LegacyRamHalfGiven, nullptr,
     [](LegacyBench& b) { b.request.ram = GuestAddr{0}; }},
    {"no RAM and no heap", Rule::LegacyHeapMissing, nullptr, no_heap},
    {"RAM wraps", Rule::LegacyRamWraps, nullptr,
     [](LegacyBench& b) { b.request.ram = GuestAddr{0xFFFFFFFC}; }},
    {"RAM in APB space", Rule::LegacyRamPeripheral, nullptr,
     [](LegacyBench& b) { b.request.ram = GuestAddr{0x40013800}; }},
    {"RAM at the private peripheral bus", Rule::LegacyRamPeripheral, nullptr,
     [](LegacyBench& b) { b.request.ram = GuestAddr{0xE000E000}; }},
    {"RAM reaches into peripherals", Rule::LegacyRamPeripheral, nullptr,
     [](LegacyBench& b) { b.request.ram = GuestAddr{0x3FFFFFFC}; }},
    {"RAM over the file", Rule::LegacyRamOverlapsFile, nullptr,
     [](LegacyBench& b) { b.request.ram = GuestAddr{file_of(b) + 8}; }},
    {"RAM over the last byte of the file", Rule::LegacyRamOverlapsFile, nullptr,
     [](LegacyBench& b) {
         b.request.ram = GuestAddr{(file_of(b) + b.request.file_bytes - 1) & ~3u};
     }},
    {"RAM over the weights", Rule::LegacyRamOverlapsWeights, nullptr,
     [](LegacyBench& b) { give_weights(b, ram_of(b) + 4, 40); }, need_weights},
    {"RAM over the activations", Rule::LegacyRamOverlapsActivations, nullptr,
     [](LegacyBench& b) { give_activations(b, ram_of(b) - 732, 736); }},
    {"given weights at 4n + 2", Rule::LegacyWeightsGivenAlignment, nullptr,
     [](LegacyBench& b) { give_weights(b, 0x08060002, 40); }, need_weights},
    {"weights one byte short", Rule::LegacyWeightsGivenTooShort, nullptr,
     [](LegacyBench& b) { give_weights(b, 0x08060000, 39); }, need_weights},
    {"weights wrap", Rule::LegacyWeightsGivenWrap, nullptr,
     [](LegacyBench& b) { give_weights(b, 0xFFFFFFF0, 40); }, need_weights},
    {"activations at 4n + 1", Rule::LegacyActivationsAlignment, nullptr,
     [](LegacyBench& b) { give_activations(b, 0x20010001, 736); }},
    {"activations one byte short", Rule::LegacyActivationsTooSmall, nullptr,
     [](LegacyBench& b) { give_activations(b, 0x20010000, 735); }},
    {"activations wrap", Rule::LegacyActivationsWrap, nullptr,
     [](LegacyBench& b) { give_activations(b, 0xFFFFFF00, 736); }},
    {"activations end one word behind the address space", Rule::LegacyActivationsWrap, nullptr,
     [](LegacyBench& b) { give_activations(b, 0u - 732u, 736); }},
    {"weights end one word behind the address space", Rule::LegacyWeightsGivenWrap, nullptr,
     [](LegacyBench& b) { give_weights(b, 0u - 36u, 40); }, need_weights},
    {"RAM ends one byte behind the address space", Rule::LegacyRamWraps, nullptr,
     [](LegacyBench& b) {
         b.request.ram = GuestAddr{0u - (b.request.ram_bytes & ~3u)};
         b.request.ram_bytes = (b.request.ram_bytes & ~3u) + 1;
     }},
    {"RAM ends with the address space", Rule::LegacyRamPeripheral, nullptr,
     [](LegacyBench& b) {
         b.request.ram_bytes = (b.request.ram_bytes + 3) & ~3u;
         b.request.ram = GuestAddr{0u - b.request.ram_bytes};
     }},
    {"activations over the file", Rule::LegacyActivationsOverlapFile, nullptr,
     [](LegacyBench& b) { give_activations(b, file_of(b) - 4, 736); }},
    {"activations over the weights", Rule::LegacyActivationsOverlapWeights, nullptr,
     [](LegacyBench& b) {
         give_weights(b, 0x20010020, 40);
         give_activations(b, 0x20010000, 736);
     },
     need_weights},
    {"neither data nor .bss", Rule::LegacyNothingNeeded,
     [](LegacyImage& i) {
         for (const std::uint32_t at : {0x0Cu, 0x14u, 0x18u, 0x1Cu, 0x20u}) i.set(at, 0x80000000);
     }},
};

const LegacyCase kToleratedCases[] = {
    {"bytes behind the relocations", Rule::LegacyTrailingBytes,
     [](LegacyImage& i) { i.file.resize(i.file.size() + 4); }},
    {"reserved flag", Rule::LegacyFlagsReserved, [](LegacyImage& i) { i.set(4, 0x20485D21); }},
    {"flag 15", Rule::LegacyFlagsReserved, [](LegacyImage& i) { i.set(4, 0x2008DD21); }},
    {"clang", Rule::LegacyFlagsToolchain, [](LegacyImage& i) { i.set(4, 0x20095D21); }},
    {"soft float", Rule::LegacyFlagsFloatAbi, [](LegacyImage& i) { i.set(4, 0x20081D21); }},
    {"softfp", Rule::LegacyFlagsFloatAbi, [](LegacyImage& i) { i.set(4, 0x20083D21); }},
    {"float ABI 3", Rule::LegacyFlagsFloatAbi, [](LegacyImage& i) { i.set(4, 0x20087D21); }},
    {"no FPU", Rule::LegacyFlagsFpu, [](LegacyImage& i) { i.set(4, 0x20084D21); }},
    {"a Cortex-M3's model", Rule::LegacyFlagsCore, [](LegacyImage& i) { i.set(4, 0x20085C23); },
     [](LegacyBench& b) { b.request.target.cpu_part = 0xC23; }},
    {"constructors", Rule::LegacyInitArrayIgnored, [](LegacyImage& i) { i.add(0x0C, 0u - 4u); },
     nullptr, [](LegacySpec& s) { s = legacy_sample(true); }},
    {"rt_ctx of 56 bytes", Rule::LegacyContextGeneration,
     [](LegacyImage& i) { i.add(0x0C, 0u - 4u); }},
    {"more weights than stated", Rule::LegacyWeightsTooLong,
     [](LegacyImage& i) { i.set(i.context + 0x1C, 8); }, nullptr, add_weights},
    {"state set", Rule::ContextState, [](LegacyImage& i) { i.set(i.context, 1); }},
    {"network set", Rule::LegacyContextNetwork,
     [](LegacyImage& i) { i.set(i.context + 4, 0x20001234); }},
    {"RAM address set", Rule::ContextRamAddress,
     [](LegacyImage& i) { i.set(i.context + 8, 0x20001000); }},
    {"ROM address set", Rule::ContextRomAddress,
     [](LegacyImage& i) { i.set(i.context + 12, 0x08020000); }},
    {"heap block set", Rule::LegacyContextHeapBlock,
     [](LegacyImage& i) { i.set(i.context + 16, 0x20001000); }},
    {"observer set", Rule::LegacyContextObserver,
     [](LegacyImage& i) { i.set(i.context + 0x20, 0x08000101); }},
    {"last word of the observer set", Rule::LegacyContextObserver,
     [](LegacyImage& i) { i.set(i.context + 0x30, 1); }},
    {"CRC callback set", Rule::LegacyContextCrc,
     [](LegacyImage& i) { i.set(i.context + 0x38, 0x08000101); }},
    {"name empty", Rule::ContextNameEmpty, nullptr, nullptr, [](LegacySpec& s) { s.name.clear(); }},
    {"name with a control character", Rule::ContextNameUnprintable, nullptr, nullptr,
     [](LegacySpec& s) { s.name = "net\nwork"; }},
    {"name not relocated", Rule::ContextNameNotRelocated,
     [](LegacyImage& i) { i.set(0x28, i.word(0x28) - 4); }},
    {"firmware without callbacks", Rule::LegacyCrcAlwaysOn, nullptr,
     [](LegacyBench& b) { b.request.target.knows_crc = false; }},
    {"weights apart", Rule::LegacyWeightsApart, nullptr, nullptr, need_weights},
    {"weights twice", Rule::LegacyWeightsBoth, nullptr,
     [](LegacyBench& b) { give_weights(b, 0x08060000, 40); }, add_weights},
    {"GOT word 0", Rule::LegacyGotZero, [](LegacyImage& i) { i.set(i.got_word(1), 0); }},
    {"GOT of two words", Rule::GotShort, [](LegacyImage& i) { i.set(0x20, i.word(0x1C) + 8); }},
    {"reserved GOT word set", Rule::GotReserved,
     [](LegacyImage& i) { i.set(i.got_word(6), 0x80000000); }},
    {"GOT word into the GOT", Rule::GotValueRamInsideGot,
     [](LegacyImage& i) { i.set(i.got_word(0), 0x80000004 + i.got_start); }},
    {"relocated word into the GOT", Rule::RelocationValueRamInsideGot,
     [](LegacyImage& i) { i.set(i.ro_bytes + 8, 0x80000004 + i.got_start); }},
    {"relocated word is 0", Rule::RelocationValueZero,
     [](LegacyImage& i) { i.set(i.ro_bytes + 4, 0); }},
    {"entries swapped", Rule::RelocationOrder,
     [](LegacyImage& i) {
         const std::uint32_t first = i.word(i.relocation(0));
         i.set(i.relocation(0), i.word(i.relocation(1)));
         i.set(i.relocation(1), first);
     }},
    {"entry names the state", Rule::RelocationContextRuntime,
     [](LegacyImage& i) { i.set(i.relocation(3), 0x80000000 + i.context - i.ro_bytes); }},
    {"length not known", Rule::FileLengthUnknown, nullptr,
     [](LegacyBench& b) { b.request.file_bytes = loader::kUnknownBytes; }},
    {"gap filled from the relocations", Rule::BssGapHoldsRelocations, nullptr, nullptr,
     [](LegacySpec& s) {
         s.bss_alignment = 8;
         s.data.push_back({});
         s.data.push_back({});
     }},
    {"COPY to external device memory", Rule::LegacyRamNeverExecutes, nullptr,
     [](LegacyBench& b) {
         b.memory.map({GuestAddr{0xC0000000}, b.request.ram_bytes}, 0);
         b.request.ram = GuestAddr{0xC0000000};
     },
     nullptr, 2},
    {".bss at 4n + 2", Rule::BssAlignment, [](LegacyImage& i) { i.add(0x14, 2); }},
};

}  // namespace

std::span<const LegacyCase> legacy_request_cases() {
    return kRequestCases;
}
std::span<const LegacyCase> legacy_tolerated_cases() {
    return kToleratedCases;
}

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include "tests/loader/check/malformed_cases.h"

namespace n6vp::test {
namespace {

using loader::Generation;
using loader::Rule;

/// Fills RO from `at` on with letters, so that no text in it ends.
void fill_with_letters(Image& image, std::uint32_t at) {
    for (std::uint32_t i = at; i < image.ro_bytes; ++i) image.file[i] = 'x';
}

const MalformedCase kContextCases[] = {
    {"rt_ctx at 2 mod 4", Rule::ContextAlignment, nullptr, [](Image& i) { add_to(i, 0x5C, 2); }},
    {"rt_ctx behind the data", Rule::ContextOutsideData, nullptr,
     [](Image& i) { i.set(0x5C, i.word(kDataEnd)); }},
    {"rt_ctx ends behind the data", Rule::ContextOutsideData, nullptr,
     [](Image& i) { i.set(0x5C, i.word(kDataEnd) - 60); }},
    {"rt_ctx 256 MiB away", Rule::ContextOutsideData, nullptr,
     [](Image& i) { i.set(0x5C, 0x4FFFFFFC); }},
    {"c_name in RAM space", Rule::ContextNameSpace, nullptr,
     [](Image& i) { i.set(i.context + kContextName, 0x40000000); }},
    {"c_name is 0", Rule::ContextNameSpace, nullptr,
     [](Image& i) { i.set(i.context + kContextName, 0); }},
    {"c_name behind RO", Rule::ContextNameOutside, nullptr,
     [](Image& i) { i.set(i.context + kContextName, 0x20000000 + i.ro_bytes); }},
    {"c_name without end", Rule::ContextNameUnterminated, nullptr,
     [](Image& i) { fill_with_letters(i, i.c_name); }},
    {"c_name of 256 characters", Rule::ContextNameTooLong,
     [](ImageSpec& s) { s.c_name = std::string(256, 'n'); }},
    {"version text in PARAM_0 space", Rule::VersionTextSpace, nullptr,
     [](Image& i) { i.set(i.context + kContextVersionText, 0x80000000); }},
    {"version text behind RO", Rule::VersionTextOutside, nullptr,
     [](Image& i) { i.set(i.context + kContextVersionText, 0x2FFFFFFF); }},
    {"version text without end", Rule::VersionTextUnterminated, nullptr,
     [](Image& i) { fill_with_letters(i, i.version_text); }},
    {"version text of 300 characters", Rule::VersionTextTooLong,
     [](ImageSpec& s) { s.version_text = std::string(300, 'v'); }},
    {"itf_network in FLASH", Rule::ContextNetworkSpace, nullptr,
     [](Image& i) { add_to(i, i.context + kContextNetwork, 0xE0000000); }},
    {"itf_network is 0", Rule::ContextNetworkSpace, nullptr,
     [](Image& i) { i.set(i.context + kContextNetwork, 0); }},
    {"itf_network behind RAM", Rule::ContextNetworkOutside, nullptr,
     [](Image& i) { i.set(i.context + kContextNetwork, i.word(kBssEnd) - 8); }},
    {"no relocation of itf_network", Rule::NetworkNotRelocated, nullptr,
     [](Image& i) { i.set(i.relocation(10), i.word(i.relocation(7)) + 8); }},
    // Model against firmware.
    {"model for another core", Rule::FirmwareCpuPart, nullptr,
     [](Image& i) { i.set(kFlagsWord, 0x80785C24); }},
    {"firmware on another core", Rule::FirmwareCpuPart, nullptr, nullptr,
     [](Bench& b) { b.request.profile.cpu_part = 0xD21; }},
    {"FPU off", Rule::FirmwareFpuOff, nullptr, nullptr,
     [](Bench& b) { b.request.profile.fpu_enabled = false; }},
    {"secure model, non-secure firmware", Rule::FirmwareNonSecure, nullptr, nullptr,
     [](Bench& b) { b.request.profile.secure = false; }},
    {"non-secure model, secure 2.1 firmware", Rule::FirmwareSecureOnly,
     [](ImageSpec& s) { s.flags = 0x80685D22; }, nullptr,
     [](Bench& b) { b.request.profile.secure = true; }, 6, ImageGeneration::Core21},
    {"model with debug information, firmware without", Rule::FirmwareNoDbgInfo, nullptr, nullptr,
     [](Bench& b) { b.request.profile.dbg_info = false; }},
    {"model without debug information, firmware with", Rule::FirmwareDbgInfo,
     [](ImageSpec& s) { s.flags = 0x80585D22; }, nullptr,
     [](Bench& b) { b.request.profile.dbg_info = true; }},
    {"asynchronous model, polling firmware", Rule::FirmwarePolling, nullptr, nullptr,
     [](Bench& b) { b.request.profile.async = false; }},
    {"polling model, asynchronous firmware", Rule::FirmwareAsync,
     [](ImageSpec& s) { s.flags = 0x80385D22; }, nullptr,
     [](Bench& b) { b.request.profile.async = true; }},
    {"firmware of another version", Rule::FirmwareVersion, nullptr, nullptr,
     [](Bench& b) { b.request.profile.version.micro = 2; }},
    {"2.2 model, 3.0 firmware", Rule::FirmwareHeaderLength, nullptr, nullptr,
     [](Bench& b) { b.request.profile = loader::default_profile(Generation::Core30); }},
    {"3.0 model, 2.1 firmware", Rule::FirmwareHeaderLength, nullptr, nullptr,
     [](Bench& b) { b.request.profile = loader::default_profile(Generation::Core21); }, 6,
     ImageGeneration::Core30},
    {"3.0 model, 4.x firmware", Rule::FirmwareGeneration, nullptr, nullptr,
     [](Bench& b) { b.request.profile = loader::default_profile(Generation::Core4x); }, 6,
     ImageGeneration::Core30},
    {"4.x model, 3.0 firmware", Rule::FirmwareGeneration, nullptr, nullptr,
     [](Bench& b) { b.request.profile = loader::default_profile(Generation::Core30); }, 6,
     ImageGeneration::Core4x},
    {"clang model, 2.1 firmware", Rule::FirmwareToolchain,
     [](ImageSpec& s) { s.flags = 0x80795D22; }, nullptr, nullptr, 6, ImageGeneration::Core21},
    {"buffer structure of 64 bytes", Rule::FirmwareBufferInfoSize,
     [](ImageSpec& s) { s.struct_sizes = 0x3040; }},
    {"epoch item of 20 bytes", Rule::FirmwareEpochItemSize,
     [](ImageSpec& s) { s.struct_sizes = 0x1438; }},
};

}  // namespace

std::span<const MalformedCase> context_cases() {
    return kContextCases;
}

}  // namespace n6vp::test

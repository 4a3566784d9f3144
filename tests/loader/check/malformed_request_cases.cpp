// SPDX-License-Identifier: Apache-2.0
#include "tests/loader/check/malformed_cases.h"

namespace n6vp::test {
namespace {

using loader::Rule;

const MalformedCase kRequestCases[] = {
    // The file's address.
    {"file address 0", Rule::FileNull, nullptr, nullptr,
     [](Bench& b) { b.request.file = GuestAddr{0}; }},
    {"file at 2 mod 4", Rule::FileAlignment, nullptr, nullptr,
     [](Bench& b) { b.request.file = plus(b.request.file, 2); }},
    {"file at 4 mod 8", Rule::FileAlignment8, nullptr, nullptr,
     [](Bench& b) { b.request.file = plus(b.request.file, 4); }},
    {"file where nothing is", Rule::FileUnreadable, nullptr, nullptr,
     [](Bench& b) { b.request.file = GuestAddr{0x76000000}; }},
    {"file length wraps", Rule::FileWraps, nullptr, nullptr,
     [](Bench& b) { b.request.file_bytes = 0x90000000; }},
    {"flash ends before the file does", Rule::SectionUnreadable, nullptr, nullptr,
     [](Bench& b) {
         const GuestAddr moved{0x74000000};
         b.memory.map({moved, 0x68}, 0, false);
         b.memory.store(moved, b.memory.bytes({b.request.file, 0x68}));
         b.request.file = moved;
     }},
    // Instance.
    {"no instance", Rule::InstanceNull, nullptr, nullptr,
     [](Bench& b) { b.request.instance = GuestAddr{0}; }},
    {"instance at 2 mod 4", Rule::InstanceAlignment, nullptr, nullptr,
     [](Bench& b) { b.request.instance = plus(b.request.instance, 2); }},
    {"instance in exec RAM", Rule::InstanceOverlapsExec, nullptr, nullptr,
     [](Bench& b) { b.request.instance = plus(b.request.exec_ram, 16); }},
    {"instance ends in exec RAM", Rule::InstanceOverlapsExec, nullptr, nullptr,
     [](Bench& b) { b.request.instance = plus(b.request.exec_ram, 0u - 0x30u); }},
    {"instance in external RAM", Rule::InstanceOverlapsExt, nullptr, nullptr,
     [](Bench& b) { b.request.instance = b.request.ext_ram; }},
    {"instance in the file", Rule::InstanceOverlapsFile, nullptr, nullptr,
     [](Bench& b) { b.request.instance = plus(b.request.file, 0x60); }},
    {"instance in the parameter file", Rule::InstanceOverlapsParams, split, nullptr,
     [](Bench& b) { b.request.instance = plus(b.request.params, 0x20); }},
    {"instance in the parameters of the file", Rule::InstanceOverlapsParams, nullptr, nullptr,
     [](Bench& b) {
         b.request.instance = plus(b.request.file, (b.request.file_bytes - 0x40) & ~3u);
     }},
    {"instance wraps", Rule::InstanceWraps, nullptr, nullptr,
     [](Bench& b) { b.request.instance = GuestAddr{0xFFFFFFF0}; }},
    {"instance in the NPU's registers", Rule::InstancePeripheral, nullptr, nullptr,
     [](Bench& b) { b.request.instance = GuestAddr{0x580E0000}; }},
    {"granted region wraps", Rule::GrantWraps, nullptr, nullptr,
     [](Bench& b) {
         static constexpr AddressRange kGrants[] = {{GuestAddr{0x34200000}, 0x10000000},
                                                    {GuestAddr{0xFFFFFFF0}, 0x20}};
         b.request.grants = kGrants;
         b.request.grant_count = 2;
     }},
    // Mode.
    {"mode 0", Rule::ModeNone, nullptr, nullptr, nullptr, 0},
    {"CLEAR alone", Rule::ModeNone, nullptr, nullptr, nullptr, 4},
    {"XIP and COPY", Rule::ModeBoth, nullptr, nullptr, nullptr, 3},
    {"XIP, COPY and CLEAR", Rule::ModeBoth, nullptr, nullptr, nullptr, 7},
    // Exec RAM.
    {"exec RAM at 0", Rule::ExecNull, nullptr, nullptr,
     [](Bench& b) { b.request.exec_ram = GuestAddr{0}; }},
    {"exec RAM of 0 bytes", Rule::ExecSizeZero, nullptr, nullptr,
     [](Bench& b) { b.request.exec_ram_bytes = 0; }},
    {"exec RAM one byte short in COPY", Rule::ExecTooSmall, nullptr, nullptr,
     [](Bench& b) { --b.request.exec_ram_bytes; }},
    {"exec RAM one byte short in XIP", Rule::ExecTooSmall, nullptr, nullptr,
     [](Bench& b) { --b.request.exec_ram_bytes; }, 1},
    {"XIP and COPY with the size of XIP", Rule::ExecTooSmall, nullptr, nullptr,
     [](Bench& b) { b.request.exec_ram_bytes = 400; }, 3, ImageGeneration::Core22, Rule::ModeBoth},
    {"model without RAM", Rule::ExecNothingNeeded, nullptr,
     [](Image& i) {
         for (const std::uint32_t word : {kDataEnd, kBssStart, kBssEnd, kGotStart, kGotEnd}) {
             i.set(word, 0x40000000);
         }
     },
     nullptr, 1, ImageGeneration::Core22, Rule::ContextOutsideData},
    {"exec RAM at 2 mod 4", Rule::ExecAlignment, nullptr, nullptr,
     [](Bench& b) { b.request.exec_ram = plus(b.request.exec_ram, 2); }},
    {"exec RAM at 4 mod 8", Rule::ExecAlignment8, nullptr, nullptr,
     [](Bench& b) { b.request.exec_ram = plus(b.request.exec_ram, 4); }},
    {"exec RAM wraps", Rule::ExecWraps, nullptr, nullptr,
     [](Bench& b) { b.request.exec_ram = GuestAddr{0xFFFFFFE0}; }},
    {"exec RAM in the NPU's registers", Rule::ExecPeripheral, nullptr, nullptr,
     [](Bench& b) { b.request.exec_ram = GuestAddr{0x580E0000}; }},
    {"exec RAM in the system space", Rule::ExecPeripheral, nullptr, nullptr,
     [](Bench& b) { b.request.exec_ram = GuestAddr{0xE000E000}; }},
    {"exec RAM in the file", Rule::ExecOverlapsFile, nullptr, nullptr,
     [](Bench& b) { b.request.exec_ram = plus(b.request.file, 0x40); }},
    {"exec RAM in external RAM", Rule::ExecOverlapsExt, nullptr, nullptr,
     [](Bench& b) { b.request.exec_ram = b.request.ext_ram; }},
    {"exec RAM in the parameters", Rule::ExecOverlapsParams, split, nullptr,
     [](Bench& b) { b.request.exec_ram = plus(b.request.params, 0x20); }},
    // External RAM.
    {"external RAM at 2 mod 4", Rule::ExtAlignment, nullptr, nullptr,
     [](Bench& b) { b.request.ext_ram = plus(b.request.ext_ram, 2); }},
    {"external RAM at 4 mod 8", Rule::ExtAlignment8, nullptr, nullptr,
     [](Bench& b) { b.request.ext_ram = plus(b.request.ext_ram, 4); }},
    {"external RAM wraps", Rule::ExtWraps, nullptr, nullptr,
     [](Bench& b) { b.request.ext_ram = GuestAddr{0xFFFFFFE0}; }},
    {"external RAM in USB registers", Rule::ExtPeripheral, nullptr, nullptr,
     [](Bench& b) { b.request.ext_ram = GuestAddr{0x58040000}; }},
    {"external RAM in the file", Rule::ExtOverlapsFile, nullptr, nullptr,
     [](Bench& b) { b.request.ext_ram = plus(b.request.file, 0x40); }},
    {"external RAM in the parameters", Rule::ExtOverlapsParams, split, nullptr,
     [](Bench& b) { b.request.ext_ram = b.request.params; }},
    {"external RAM in parameters of unknown length", Rule::ExtOverlapsParams, split, nullptr,
     [](Bench& b) {
         b.request.ext_ram = plus(b.request.params, 0x20);
         b.request.params_bytes = loader::kUnknownBytes;
     }},
    {"no external RAM", Rule::PoolExternalMissing, nullptr, nullptr,
     [](Bench& b) { b.request.ext_ram = GuestAddr{0}; }},
    {"external RAM one byte short", Rule::PoolExternalTooSmall, nullptr, nullptr,
     [](Bench& b) { b.request.ext_ram_bytes = 31; }},
    {"external RAM short by the rounding", Rule::PoolExternalTooSmall, nullptr, nullptr,
     [](Bench& b) { b.request.ext_ram_bytes = 28; }},
    {"cached external pool on chip", Rule::PoolExternalOnChip, nullptr, nullptr,
     [](Bench& b) { b.request.ext_ram = GuestAddr{0x34380000}; }},
    {"cached external pool just below the limit", Rule::PoolExternalOnChip, nullptr, nullptr,
     [](Bench& b) { b.request.ext_ram = GuestAddr{0x5FFFFFF8}; }, 6, ImageGeneration::Core22,
     Rule::ExtPeripheral},
    // Parameters.
    {"split file without parameters", Rule::ParamsMissing, split, nullptr,
     [](Bench& b) { b.request.params = GuestAddr{0}; }},
    {"parameters at 2 mod 4", Rule::ParamsAlignment, split, nullptr,
     [](Bench& b) { b.request.params = plus(b.request.params, 2); }},
    {"parameters at 4 mod 8", Rule::ParamsAlignment8, split, nullptr,
     [](Bench& b) { b.request.params = plus(b.request.params, 4); }},
    {"parameters wrap", Rule::ParamsWrap, split, nullptr,
     [](Bench& b) {
         b.request.params = GuestAddr{0xFFFFFFE0};
         b.request.params_bytes = 0x1000;
     }},
    {"parameters are the file", Rule::ParamsOverlapImage, split, nullptr,
     [](Bench& b) { b.request.params = b.request.file; }},
    {"parameter file cut", Rule::ParamsTooShort, split, nullptr,
     [](Bench& b) { b.request.params_bytes -= 8; }},
    {"empty parameter file", Rule::ParamsTooShort, split, nullptr,
     [](Bench& b) { b.request.params_bytes = 0; }},
    {"parameters where nothing is", Rule::ParamsUnreadable, split, nullptr,
     [](Bench& b) { b.request.params = GuestAddr{0x77000000}; }},
    {"parameters of another build", Rule::ParamsCrc, split,
     [](Image& i) { i.params[100] = static_cast<std::uint8_t>(i.params[100] ^ 1); }},
    {"embedded parameters damaged", Rule::ParamsCrc, nullptr,
     [](Image& i) { i.file.back() = static_cast<std::uint8_t>(i.file.back() ^ 0x80); }},
    {"stored CRC damaged", Rule::ParamsCrc, nullptr,
     [](Image& i) { add_to(i, i.context + kContextCrc, 1); }},
    {"embedded parameters cut", Rule::ParamsTooShort, nullptr,
     [](Image& i) { i.file.resize(i.file.size() - 8); }},
    {"stored size beyond the section", Rule::ParamsTooShort, nullptr,
     [](Image& i) { i.set(i.context + kContextRawBytes, 0x7FFFFFF8); }},
    {"parameters on chip, pool cached", Rule::PoolParamOnChip, split, nullptr,
     [](Bench& b) {
         const GuestAddr on_chip{0x34300000};
         b.memory.map({on_chip, b.request.params_bytes}, 0, false);
         b.memory.store(on_chip, b.memory.bytes({b.request.params, b.request.params_bytes}));
         b.request.params = on_chip;
     }},
};

}  // namespace

std::span<const MalformedCase> request_cases() {
    return kRequestCases;
}

}  // namespace n6vp::test

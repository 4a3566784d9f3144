// SPDX-License-Identifier: Apache-2.0
#include "sim/info/report_text.h"

#include <fmt/format.h>

#include <array>
#include <ostream>

namespace n6vp::sim::report {

namespace {

using loader::format::PoolData;
using loader::format::PoolFlags;
using loader::format::PoolType;

std::string type_text(PoolFlags flags) {
    switch (flags.type()) {
        case PoolType::Unused:
            return "UNUSED";
        case PoolType::Reloc:
            return "RELOC";
        case PoolType::Copy:
            return "COPY";
        case PoolType::Reset:
            return "RESET";
        case PoolType::Unsupported:
            return "UNSUPPORTED";
    }
    return fmt::format("TYPE{}", flags.raw >> 24);
}

std::string data_text(PoolFlags flags) {
    switch (flags.data()) {
        case PoolData::Undefined:
            return "UNDEF";
        case PoolData::Param:
            return "PARAM";
        case PoolData::Activation:
            return "ACTIV";
        case PoolData::Mixed:
            return "MIXED";
    }
    return fmt::format("DTYPE{}", flags.raw >> 16 & 0xFF);
}

std::string attribute_text(std::uint32_t attributes) {
    switch (attributes) {
        case 1:
            return "READ";
        case 2:
            return "WRITE";
        case 4:
            return "CACHED";
        case 5:
            return "RCACHED";
        case 6:
            return "WCACHED";
        default:
            return fmt::format("ATTR{}", attributes);
    }
}

std::string reloc_meaning(PoolFlags flags) {
    const bool cached = (flags.attributes() & loader::format::kPoolCacheable) != 0;
    const char* const cache = cached ? ", through the NPU cache" : "";
    if (flags.id() == 0 && flags.data() == PoolData::Param) {
        return fmt::format("weights used in place: PARAM_0 = parameters + foff{}", cache);
    }
    if (flags.id() == 1 && flags.data() == PoolData::Activation) {
        return fmt::format("external RAM, cleared only with CLEAR{}", cache);
    }
    if (flags.id() == 1 && flags.data() == PoolData::Mixed) {
        return fmt::format("external RAM, parameters are copied into it{}", cache);
    }
    return flags.id() <= 1 ? "no effect: not a combination the generator makes"
                           : "refused: id is neither 0 nor 1";
}

std::string_view python_bool(bool value) {
    return value ? "True" : "False";
}

}  // namespace

std::string pool_flags_text(PoolFlags flags) {
    if (flags.raw == 0) return "UNUSED";
    const std::string id = flags.type() == PoolType::Reloc ? fmt::format(".{}", flags.id()) : "";
    return fmt::format("{}.{}{}.{}", type_text(flags), data_text(flags), id,
                       attribute_text(flags.attributes()));
}

std::string pool_meaning(PoolFlags flags) {
    switch (flags.type()) {
        case PoolType::Reloc:
            return reloc_meaning(flags);
        case PoolType::Copy:
            return "copied to dst at every install";
        case PoolType::Reset:
            return "cleared at dst, only with CLEAR";
        default:
            return flags.raw == 0 ? "end of the table" : "ignored by the loader";
    }
}

std::string toolchain_text(std::uint32_t toolchain) {
    switch (toolchain) {
        case loader::format::kToolchainGcc:
            return "Embedded ARM GCC";
        case loader::format::kToolchainClang:
            return "Embedded ARM CLANG";
        case loader::format::kToolchainStClang:
            return "Embedded ST ARM CLANG";
        default:
            return fmt::format("toolchain 0x{:x}", toolchain);
    }
}

std::string toolchain_key(std::uint32_t toolchain) {
    switch (toolchain) {
        case loader::format::kToolchainGcc:
            return "ARM_GCC";
        case loader::format::kToolchainClang:
            return "ARM_CLANG";
        case loader::format::kToolchainStClang:
            return "ST_ARM_CLANG";
        default:
            return fmt::format("0x{:x}", toolchain);
    }
}

std::string flags_line(loader::format::Flags flags) {
    return fmt::format("v{}.{} dbg={} async={} sec={} '{}' cpuid={:X} fpu={} float-abi={}",
                       flags.major(), flags.minor(), python_bool(flags.dbg_info()),
                       python_bool(flags.async()), python_bool(flags.secure()),
                       toolchain_text(flags.toolchain()), flags.cpu_part(),
                       python_bool(flags.fpu()), flags.float_abi());
}

std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
    return text;
}

void heading(std::ostream& out, std::string_view text) {
    out << '\n' << text << '\n';
}

void detail(std::ostream& out, std::string_view label, std::string_view value,
            std::string_view note) {
    std::string text = fmt::format("  {:<22} {:<12} {}", label, value, note);
    text.erase(text.find_last_not_of(' ') + 1);
    out << text << '\n';
}

}  // namespace n6vp::sim::report

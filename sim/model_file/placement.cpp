// SPDX-License-Identifier: Apache-2.0
#include "sim/model_file/placement.h"

#include <fmt/format.h>

#include <algorithm>

namespace n6vp::sim::report {

namespace format = loader::format;
using loader::Header;

loader::Resolver install_bases(const loader::InstallRequest& request, const ModelImage& image,
                               const ModelFacts& facts) {
    const Header& header = image.header();
    loader::Resolver bases;
    const bool copies = (request.mode & format::kModeCopy) != 0;
    bases.ro_base = copies ? request.exec_ram : request.file;
    bases.ram_base = copies ? wrapping_add(request.exec_ram, header.ro_bytes()) : request.exec_ram;
    const bool own_params = to_word(request.params) != 0;
    const GuestAddr params =
        own_params ? request.params
                   : wrapping_add(request.file, format::link_offset(header.params_offset));
    bases.param0 = params;
    const std::size_t visited = std::min<std::size_t>(facts.pools.size(), format::kMaxPoolsVisited);
    for (std::size_t index = 0; index < visited; ++index) {
        const loader::Pool& pool = facts.pools[index].pool;
        const bool moves = !pool.terminates() && pool.flags.type() == format::PoolType::Reloc &&
                           pool.flags.id() == 0 && pool.flags.data() == format::PoolData::Param;
        if (moves) bases.param0 = wrapping_add(params, pool.foff);
    }
    bases.param1 = request.ext_ram;
    return bases;
}

GenerationFacts find_generation(const ModelImage& image, const ModelFacts& facts) {
    const std::uint32_t header_bytes = image.header().header_bytes;
    const bool is_long = header_bytes == format::kLongHeaderBytes;
    GenerationFacts found{"?", "?", "", ""};
    if (header_bytes == 0) {
        found.detected = "not found: neither word 0x5c nor word 0x64 is an rt_ctx address in RAM";
        return found;
    }
    const std::string structure = fmt::format("header of {} bytes (the rt_ctx word is at 0x{:02x})",
                                              header_bytes, header_bytes - 4);
    if (!facts.context) {
        found.core = is_long ? "ST Edge AI Core 3.0 or later" : "ST Edge AI Core 2.1 or 2.2";
        found.detected = structure + "; rt_ctx itself is not in the file";
        return found;
    }
    const loader::RuntimeVersion version = facts.context->version();
    found.core = generation_name(loader::generation_of(version));
    found.runtime = version_text(version);
    found.detected = structure + " and rt_ctx.rt_version with its dev number";
    constexpr std::uint32_t kFirstLong = 0x01010300;  // 1.1.3
    constexpr std::uint32_t kLastShort = 0x010101FF;  // 1.1.1; nothing is published about 1.1.2
    const bool wants_long = version.word() >= kFirstLong;
    const bool conflict = is_long ? version.word() <= kLastShort : wants_long;
    if (conflict) {
        found.conflict = fmt::format(
            "runtime {} has a header of {} bytes, the file has {}", found.runtime,
            wants_long ? format::kLongHeaderBytes : format::kShortHeaderBytes, header_bytes);
    }
    return found;
}

}  // namespace n6vp::sim::report

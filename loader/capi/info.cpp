// SPDX-License-Identifier: Apache-2.0
#include "loader/capi/environment.h"
#include "loader/container.h"

namespace n6vp::loader::capi {

namespace {

/// The words get_info needs, found as the policy finds them.
struct FileWords {
    std::uint32_t flags = 0, ro_bytes = 0, rw_bytes = 0, params_offset = 0;
    RuntimeContext context;
};

bool is_magic(const Environment& environment, std::uint32_t file) {
    std::uint32_t magic = 0;
    return file != 0 && (file & 3) == 0 && environment.word(file, magic) && magic == format::kMagic;
}

/// Strict: only what is really a container of this family.
bool read_checked(const Environment& environment, std::uint32_t file, FileWords& words) {
    Container container(environment.port(), GuestAddr{file}, kUnknownBytes);
    Diagnosis why;
    if (container.open(why) != Status::Ok || !container.context(words.context)) return false;
    const Header& header = container.header();
    words.flags = header.flags.raw;
    words.ro_bytes = header.ro_bytes();
    words.rw_bytes = header.rw_bytes();
    words.params_offset = header.params_offset;
    return true;
}

/// Compat: whatever the words say, with the header length of this firmware's generation.
bool read_blindly(const Environment& environment, std::uint32_t file, FileWords& words) {
    namespace at = context_offset;
    const bool is_long = environment.profile().generation >= Generation::Core30;
    const std::uint32_t context_at =
        is_long ? format::kLongContextOffset : format::kShortContextOffset;
    std::uint32_t data = 0;
    std::uint32_t bss_end = 0;
    std::uint32_t link = 0;
    if (!environment.word(file + format::kOffFlags, words.flags) ||
        !environment.word(file + format::kOffDataData, data) ||
        !environment.word(file + format::kOffBssEnd, bss_end) ||
        !environment.word(file + format::kOffParamsOffset, words.params_offset) ||
        !environment.word(file + context_at, link)) {
        return false;
    }
    words.ro_bytes = format::link_offset(data);
    words.rw_bytes = format::link_offset(bss_end);
    const std::uint32_t context = file + words.ro_bytes + format::link_offset(link);
    RuntimeContext& rt = words.context;
    return environment.word(context + at::kCName, rt.c_name) &&
           environment.word(context + at::kActsSize, rt.acts_sz) &&
           environment.word(context + at::kParamsSize, rt.params_sz) &&
           environment.word(context + at::kExtRamSize, rt.ext_ram_sz) &&
           environment.word(context + at::kVersionDesc, rt.rt_version_desc) &&
           environment.word(context + at::kVersion, rt.rt_version) &&
           environment.word(context + at::kVersionExtra, rt.rt_version_extra);
}

void fill(const FileWords& words, std::uint32_t file, ll_aton_reloc_info& info) {
    const RuntimeContext& context = words.context;
    const std::uint32_t ro = format::align8(words.ro_bytes);
    const std::uint32_t rw = format::align8(words.rw_bytes);
    info.c_name = typed_pointer<const char>(file + format::link_offset(context.c_name));
    info.variant = words.flags;
    info.code_sz = ro;
    info.params_off = words.params_offset;
    info.params_sz = context.params_sz;
    info.acts_sz = context.acts_sz;
    info.ext_ram_sz = format::align8(context.ext_ram_sz);
    info.rt_ram_xip = rw;
    info.rt_ram_copy = rw + ro;
    info.rt_version_desc =
        typed_pointer<const char>(file + format::link_offset(context.rt_version_desc));
    info.rt_version = context.rt_version;
    info.rt_version_extra = context.rt_version_extra;
}

/// Returns the address of the pool table, or 0.
std::uint32_t pool_table(const Environment& environment, std::uint32_t file) {
    std::uint32_t data = 0;
    std::uint32_t table = 0;
    if (!environment.word(file + format::kOffDataData, data) ||
        !environment.word(file + format::kOffParamsStart, table) ||
        !format::in_space(table, format::Space::Ram)) {
        return 0;
    }
    return file + format::link_offset(data) + format::link_offset(table);
}

/// Returns true if descriptors 0 to `index` are all active.
bool pool_exists(const Environment& environment, std::uint32_t table, std::uint32_t index) {
    if (index >= format::kMaxPoolsVisited) return false;
    for (std::uint32_t i = 0; i <= index; ++i) {
        std::uint32_t name = 0;
        std::uint32_t flags = 0;
        const std::uint32_t at = table + i * format::kPoolBytes;
        if (!environment.word(at, name) || !environment.word(at + 4, flags)) return false;
        if (name == 0 || flags == 0) return false;
    }
    return true;
}

bool is_container(const Environment& environment, std::uint32_t file) {
    Container container(environment.port(), GuestAddr{file}, kUnknownBytes);
    Diagnosis why;
    return container.open(why) == Status::Ok;
}

}  // namespace

}  // namespace n6vp::loader::capi

int ll_aton_reloc_get_info(const uintptr_t file_ptr, ll_aton_reloc_info* rt) {
    using namespace n6vp::loader::capi;
    const Environment environment;
    FileWords words;
    if (rt == nullptr || !is_magic(environment, file_ptr)) return AI_RELOC_RT_ERR_INVALID_BIN;
    const bool readable = kCompat ? read_blindly(environment, file_ptr, words)
                                  : read_checked(environment, file_ptr, words);
    if (!readable) return AI_RELOC_RT_ERR_INVALID_BIN;
    fill(words, file_ptr, *rt);
    return AI_RELOC_RT_ERR_NONE;
}

ll_aton_reloc_mem_pool_desc* ll_aton_reloc_get_mem_pool_desc(const uintptr_t file_ptr, int index) {
    using namespace n6vp::loader;
    using namespace n6vp::loader::capi;
    const Environment environment;
    std::uint32_t magic = 0;
    if (index < 0 || file_ptr == 0 || (!kCompat && (file_ptr & 3) != 0)) return nullptr;
    if (!environment.word(file_ptr, magic) || magic != format::kMagic) return nullptr;
    if (!kCompat && !is_container(environment, file_ptr)) return nullptr;
    const std::uint32_t table = pool_table(environment, file_ptr);
    const auto place = static_cast<std::uint32_t>(index);
    if (table == 0 || !pool_exists(environment, table, place)) return nullptr;
    return typed_pointer<ll_aton_reloc_mem_pool_desc>(table + place * format::kPoolBytes);
}

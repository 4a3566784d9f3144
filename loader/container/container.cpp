// SPDX-License-Identifier: Apache-2.0
#include "loader/container.h"

#include <cstring>

namespace n6vp::loader {

namespace {

/// The legacy format keeps its context word here, in RAM space 8.
constexpr std::uint32_t kLegacyContextOffset = 0x60;
constexpr std::uint32_t kLegacyDataStart = 0x80000000u;
/// First version whose rt_ctx has 17 words is anything above 1.1.0.
constexpr std::uint32_t kLastShortContextVersion = 0x010100FFu;
constexpr std::uint32_t kWordBytes = 4;

void decode_header(const std::uint32_t* words, Header& header) {
    header.magic = words[format::kOffMagic / 4];
    header.flags.raw = words[format::kOffFlags / 4];
    header.data_start = words[format::kOffDataStart / 4];
    header.data_end = words[format::kOffDataEnd / 4];
    header.data_data = words[format::kOffDataData / 4];
    header.bss_start = words[format::kOffBssStart / 4];
    header.bss_end = words[format::kOffBssEnd / 4];
    header.got_start = words[format::kOffGotStart / 4];
    header.got_end = words[format::kOffGotEnd / 4];
    header.rel_start = words[format::kOffRelStart / 4];
    header.rel_end = words[format::kOffRelEnd / 4];
    header.params_start = words[format::kOffParamsStart / 4];
    header.params_offset = words[format::kOffParamsOffset / 4];
    std::memcpy(header.vector, words + format::kVectorOffset / 4, sizeof header.vector);
}

/// Returns 96 or 104 by which of the two possible context words lies in RAM space, 0 if neither
/// does. The short header is tried first: what follows it is code, which may look like anything
/// (0x47704770 is two `bx lr`).
std::uint32_t structural_header_bytes(const Header& header) {
    if (format::in_space(header.vector[10], format::Space::Ram)) return format::kShortHeaderBytes;
    return format::in_space(header.vector[12], format::Space::Ram) ? format::kLongHeaderBytes : 0;
}

/// The legacy family shares the magic. Its RAM space is 8 and its flags say 2.0 or 1.0; a single
/// odd word is a broken N6 file rather than a legacy one.
bool looks_legacy(const Header& header) {
    if (header.data_start != kLegacyDataStart) return false;
    const std::uint32_t context = header.vector[(kLegacyContextOffset - format::kVectorOffset) / 4];
    return header.flags.major() <= 2 || format::in_space(context, format::Space::Param0);
}

void decode_context(const std::uint32_t* words, RuntimeContext& context) {
    namespace at = context_offset;
    context.state = words[at::kState / 4];
    context.file_addr = words[at::kFileAddr / 4];
    context.ram_addr = words[at::kRamAddr / 4];
    context.rom_addr = words[at::kRomAddr / 4];
    context.cbs = words[at::kCallbacks / 4];
    context.c_name = words[at::kCName / 4];
    context.acts_sz = words[at::kActsSize / 4];
    context.params_sz = words[at::kParamsSize / 4];
    context.ext_ram_sz = words[at::kExtRamSize / 4];
    context.rt_version_desc = words[at::kVersionDesc / 4];
    context.rt_version = words[at::kVersion / 4];
    context.rt_version_extra = words[at::kVersionExtra / 4];
    context.params_bin_sz = words[at::kParamsBinSize / 4];
    context.params_bin_crc32 = words[at::kParamsBinCrc / 4];
    context.rt_c_struct_sizes = context.has_struct_sizes ? words[at::kStructSizes / 4] : 0;
    context.ll_instance = words[at::instance(context.has_struct_sizes) / 4];
    context.itf_network = words[at::network(context.has_struct_sizes) / 4];
}

}  // namespace

Status Container::open(Diagnosis& why) {
    header_ = Header{};
    std::uint32_t words[format::kLongHeaderBytes / 4] = {};
    if (bytes_ < format::kShortHeaderBytes) {
        return refuse(why, Rule::FileTooShort, bytes_, format::kShortHeaderBytes, bytes_);
    }
    if (!read(0, words, format::kShortHeaderBytes)) {
        return refuse(why, Rule::FileUnreadable, 0, kNotApplicable, kNotApplicable);
    }
    // The last two words exist only in the long header: a short file may end before them. They stay
    // 0 then, which is no RAM link address.
    if (!read(format::kShortHeaderBytes, words + format::kShortHeaderBytes / 4,
              format::kLongHeaderBytes - format::kShortHeaderBytes)) {
        words[format::kLongContextOffset / 4] = 0;
    }
    decode_header(words, header_);
    if (header_.magic != format::kMagic) {
        return refuse(why, Rule::Magic, 0, format::kMagic, header_.magic);
    }
    if (looks_legacy(header_)) {
        return refuse(why, Rule::LegacyFormat, format::kOffDataStart, format::kRamBase,
                      header_.data_start);
    }
    header_.header_bytes = structural_header_bytes(header_);
    if (header_.header_bytes == 0) {
        const bool erased = (header_.vector[10] & header_.vector[12]) == format::kErasedWord;
        return refuse(why, erased ? Rule::ErasedFlash : Rule::HeaderLength,
                      format::kShortContextOffset, kNotApplicable, header_.vector[10]);
    }
    return Status::Ok;
}

bool Container::read(std::uint32_t file_offset, void* to, std::uint32_t count) const {
    if (count == 0) return file_offset <= bytes_;
    // Both subtractions count what is left, so that no sum can wrap. An unknown length is the
    // largest one.
    if (file_offset > bytes_ || count > bytes_ - file_offset) return false;
    const std::uint32_t room =
        ~to_word(file_);  // one less than the bytes up to the end of the address space
    if (file_offset > room || count - 1 > room - file_offset) return false;
    return port_->read(port_->context, wrapping_add(file_, file_offset), to, count);
}

bool Container::word(std::uint32_t file_offset, std::uint32_t& value) const {
    std::uint32_t raw = 0;
    if (!read(file_offset, &raw, sizeof raw)) return false;
    value = raw;
    return true;
}

bool Container::context(RuntimeContext& context) const {
    if (header_.header_bytes == 0) return false;
    // Both offsets are below 2^28: the sum cannot wrap.
    const std::uint32_t at = header_.ro_bytes() + format::link_offset(header_.context());
    std::uint32_t words[context_offset::bytes(true) / 4];
    if (!read(at, words, context_offset::bytes(false))) return false;
    const bool sizes = words[context_offset::kVersion / 4] > kLastShortContextVersion;
    if (sizes && !read(at, words, context_offset::bytes(true))) return false;
    context.has_struct_sizes = sizes;
    decode_context(words, context);
    return true;
}

bool Container::pool(std::uint32_t index, Pool& pool) const {
    const std::uint64_t at = std::uint64_t{index} * format::kPoolBytes + header_.ro_bytes() +
                             format::link_offset(header_.params_start);
    std::uint32_t words[format::kPoolBytes / 4];
    if (at > kUnknownBytes || !read(static_cast<std::uint32_t>(at), words, sizeof words))
        return false;
    pool.name = words[0];
    pool.flags.raw = words[1];
    pool.foff = words[2];
    pool.dst = words[3];
    pool.bytes = words[4];
    return true;
}

std::uint32_t Container::pool_count(std::uint32_t limit) const {
    std::uint32_t count = 0;
    Pool entry;
    while (count < limit && pool(count, entry) && !entry.terminates()) ++count;
    return count;
}

bool Container::got(std::uint32_t index, std::uint32_t& link_address) const {
    // Index and offsets are below 2^30 and 2^28: the sum cannot wrap.
    return header_.got_end >= header_.got_start && index < header_.got_bytes() / kWordBytes &&
           word(header_.ro_bytes() + format::link_offset(header_.got_start) + index * kWordBytes,
                link_address);
}

bool Container::relocation(std::uint32_t index, std::uint32_t& link_address) const {
    return header_.rel_end >= header_.rel_start && index < header_.rel_bytes() / kWordBytes &&
           word(format::link_offset(header_.rel_start) + index * kWordBytes, link_address);
}

bool Container::name(std::uint32_t link_address, char* text, std::uint32_t capacity) const {
    const std::uint32_t at = format::link_offset(link_address);
    if (!format::in_space(link_address, format::Space::Flash) || at >= header_.ro_bytes())
        return false;
    std::uint32_t room = header_.ro_bytes() - at;
    if (room > capacity) room = capacity;
    if (room > format::kMaxNameBytes + 1) room = format::kMaxNameBytes + 1;
    constexpr std::uint32_t kChunk = 32;  // most names end in the first one
    for (std::uint32_t done = 0; done < room;) {
        const std::uint32_t count = room - done < kChunk ? room - done : kChunk;
        if (!read(at + done, text + done, count)) return false;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (text[done + i] == '\0') return true;
        }
        done += count;
    }
    return false;
}

std::uint32_t Container::offset_of(std::uint32_t link_address) const {
    const std::uint32_t offset = format::link_offset(link_address);
    std::uint32_t at = kNotApplicable;
    if (format::in_space(link_address, format::Space::Flash) && offset < header_.ro_bytes())
        at = offset;
    if (format::in_space(link_address, format::Space::Ram) && offset < header_.copied_bytes()) {
        at = header_.ro_bytes() + offset;
    }
    return bytes_ != kUnknownBytes && at >= bytes_ ? kNotApplicable : at;
}

}  // namespace n6vp::loader

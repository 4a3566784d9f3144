// SPDX-License-Identifier: Apache-2.0
#include "loader/container.h"

#include <cstring>

namespace n6vp::loader {

namespace {

constexpr std::uint32_t kVectorWords = 13;
/// The legacy format keeps its context word here, in RAM space 8.
constexpr std::uint32_t kLegacyContextOffset = 0x60;
constexpr std::uint32_t kLegacyDataStart = 0x80000000u;
/// First version whose rt_ctx has 17 words is anything above 1.1.0.
constexpr std::uint32_t kLastShortContextVersion = 0x010100FFu;
constexpr std::uint32_t kWordBytes = 4;

std::uint32_t load_word(const std::uint8_t* raw) {
    return static_cast<std::uint32_t>(raw[0]) | static_cast<std::uint32_t>(raw[1]) << 8 |
           static_cast<std::uint32_t>(raw[2]) << 16 | static_cast<std::uint32_t>(raw[3]) << 24;
}

void decode_fixed_words(const std::uint8_t* raw, Header& header) {
    header.magic = load_word(raw + format::kOffMagic);
    header.flags.raw = load_word(raw + format::kOffFlags);
    header.data_start = load_word(raw + format::kOffDataStart);
    header.data_end = load_word(raw + format::kOffDataEnd);
    header.data_data = load_word(raw + format::kOffDataData);
    header.bss_start = load_word(raw + format::kOffBssStart);
    header.bss_end = load_word(raw + format::kOffBssEnd);
    header.got_start = load_word(raw + format::kOffGotStart);
    header.got_end = load_word(raw + format::kOffGotEnd);
    header.rel_start = load_word(raw + format::kOffRelStart);
    header.rel_end = load_word(raw + format::kOffRelEnd);
    header.params_start = load_word(raw + format::kOffParamsStart);
    header.params_offset = load_word(raw + format::kOffParamsOffset);
}

/// Returns 96 or 104 by which of the two possible context words lies in RAM space, 0 if neither
/// does. The short header is tried first: what follows it is code, which may look like anything
/// (0x47704770 is two `bx lr`).
std::uint32_t structural_header_bytes(const Header& header, std::uint32_t read_bytes) {
    if (format::in_space(header.vector[10], format::Space::Ram)) return format::kShortHeaderBytes;
    const bool long_header = read_bytes >= format::kLongHeaderBytes &&
                             format::in_space(header.vector[12], format::Space::Ram);
    return long_header ? format::kLongHeaderBytes : 0;
}

/// The legacy family shares the magic. Its RAM space is 8 and its flags say 2.0 or 1.0; a single
/// odd word is a broken N6 file rather than a legacy one.
bool looks_legacy(const Header& header) {
    if (header.data_start != kLegacyDataStart) return false;
    const std::uint32_t context = header.vector[(kLegacyContextOffset - format::kVectorOffset) / 4];
    return header.flags.major() <= 2 || format::in_space(context, format::Space::Param0);
}

Status refuse(Diagnosis& why, Rule rule, std::uint32_t offset, GuestAddr address,
              std::uint32_t expected, std::uint32_t found) {
    why = diagnosis_of(rule);
    why.file_offset = offset;
    why.address = address;
    why.expected = expected;
    why.found = found;
    return why.status;
}

void decode_context(const std::uint8_t* raw, RuntimeContext& context) {
    namespace at = context_offset;
    context.state = load_word(raw + at::kState);
    context.file_addr = load_word(raw + at::kFileAddr);
    context.ram_addr = load_word(raw + at::kRamAddr);
    context.rom_addr = load_word(raw + at::kRomAddr);
    context.cbs = load_word(raw + at::kCallbacks);
    context.c_name = load_word(raw + at::kCName);
    context.acts_sz = load_word(raw + at::kActsSize);
    context.params_sz = load_word(raw + at::kParamsSize);
    context.ext_ram_sz = load_word(raw + at::kExtRamSize);
    context.rt_version_desc = load_word(raw + at::kVersionDesc);
    context.rt_version = load_word(raw + at::kVersion);
    context.rt_version_extra = load_word(raw + at::kVersionExtra);
    context.params_bin_sz = load_word(raw + at::kParamsBinSize);
    context.params_bin_crc32 = load_word(raw + at::kParamsBinCrc);
    context.rt_c_struct_sizes = context.has_struct_sizes ? load_word(raw + at::kStructSizes) : 0;
    context.ll_instance = load_word(raw + at::instance(context.has_struct_sizes));
    context.itf_network = load_word(raw + at::network(context.has_struct_sizes));
}

}  // namespace

Status Container::open(Diagnosis& why) {
    header_ = Header{};
    std::uint8_t raw[format::kLongHeaderBytes] = {};
    if (bytes_ < format::kShortHeaderBytes) {
        return refuse(why, Rule::FileTooShort, bytes_, file_, format::kShortHeaderBytes, bytes_);
    }
    if (!read(0, raw, format::kShortHeaderBytes)) {
        return refuse(why, Rule::FileUnreadable, 0, file_, kNotApplicable, kNotApplicable);
    }
    // The last two words exist only in the long header: a short file may end before them.
    const bool has_tail = read(format::kShortHeaderBytes, raw + format::kShortHeaderBytes,
                               format::kLongHeaderBytes - format::kShortHeaderBytes);
    decode_fixed_words(raw, header_);
    for (std::uint32_t i = 0; i < kVectorWords; ++i) {
        header_.vector[i] = load_word(raw + format::kVectorOffset + i * kWordBytes);
    }
    if (header_.magic != format::kMagic) {
        return refuse(why, Rule::Magic, 0, file_, format::kMagic, header_.magic);
    }
    if (looks_legacy(header_)) {
        return refuse(why, Rule::LegacyFormat, format::kOffDataStart, file_, 0x40000000u,
                      header_.data_start);
    }
    header_.header_bytes = structural_header_bytes(
        header_, has_tail ? format::kLongHeaderBytes : format::kShortHeaderBytes);
    if (header_.header_bytes == 0) {
        return refuse(why, Rule::HeaderLength, format::kShortContextOffset, file_, kNotApplicable,
                      header_.vector[10]);
    }
    return Status::Ok;
}

bool Container::read(std::uint32_t file_offset, void* to, std::uint32_t count) const {
    const std::uint64_t end = std::uint64_t{file_offset} + count;
    if (bytes_ != kUnknownBytes && end > bytes_) return false;
    if (to_word(file_) + end > (std::uint64_t{1} << 32)) return false;
    return count == 0 || port_->read(port_->context, wrapping_add(file_, file_offset), to, count);
}

bool Container::word(std::uint32_t file_offset, std::uint32_t& value) const {
    std::uint8_t raw[kWordBytes];
    if (!read(file_offset, raw, sizeof raw)) return false;
    value = load_word(raw);
    return true;
}

bool Container::context(RuntimeContext& context) const {
    if (header_.header_bytes == 0) return false;
    // Both offsets are below 2^28: the sum cannot wrap.
    const std::uint32_t at = header_.ro_bytes() + format::link_offset(header_.context());
    std::uint8_t raw[context_offset::bytes(true)] = {};
    if (!read(at, raw, context_offset::bytes(false))) return false;
    RuntimeContext found;
    found.has_struct_sizes = load_word(raw + context_offset::kVersion) > kLastShortContextVersion;
    if (found.has_struct_sizes && !read(at, raw, context_offset::bytes(true))) return false;
    decode_context(raw, found);
    context = found;
    return true;
}

bool Container::pool(std::uint32_t index, Pool& pool) const {
    const std::uint64_t at = std::uint64_t{header_.ro_bytes()} +
                             format::link_offset(header_.params_start) +
                             std::uint64_t{index} * format::kPoolBytes;
    std::uint8_t raw[format::kPoolBytes];
    if (at > kUnknownBytes || !read(static_cast<std::uint32_t>(at), raw, sizeof raw)) return false;
    pool.name = load_word(raw);
    pool.flags.raw = load_word(raw + 4);
    pool.foff = load_word(raw + 8);
    pool.dst = load_word(raw + 12);
    pool.bytes = load_word(raw + 16);
    return true;
}

std::uint32_t Container::pool_count(std::uint32_t limit) const {
    std::uint32_t count = 0;
    Pool entry;
    while (count < limit && pool(count, entry) && !entry.terminates()) ++count;
    return count;
}

bool Container::got(std::uint32_t index, std::uint32_t& link_address) const {
    if (header_.got_end < header_.got_start || index >= header_.got_bytes() / kWordBytes)
        return false;
    const std::uint64_t at = std::uint64_t{header_.ro_bytes()} +
                             format::link_offset(header_.got_start) +
                             std::uint64_t{index} * kWordBytes;
    return at <= kUnknownBytes && word(static_cast<std::uint32_t>(at), link_address);
}

bool Container::relocation(std::uint32_t index, std::uint32_t& link_address) const {
    if (header_.rel_end < header_.rel_start || index >= header_.rel_bytes() / kWordBytes)
        return false;
    const std::uint64_t at =
        std::uint64_t{format::link_offset(header_.rel_start)} + std::uint64_t{index} * kWordBytes;
    return at <= kUnknownBytes && word(static_cast<std::uint32_t>(at), link_address);
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

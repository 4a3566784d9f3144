// SPDX-License-Identifier: Apache-2.0
#include "loader/legacy/container.h"

namespace n6vp::loader::legacy {

namespace {

constexpr std::uint32_t kN6Major = 8;

void decode_context(const std::uint32_t* words, Context& context) {
    namespace at = context_offset;
    context.state = words[at::kState / 4];
    context.network = words[at::kNetwork / 4];
    context.ram_address = words[at::kRamAddress / 4];
    context.rom_address = words[at::kRomAddress / 4];
    context.heap_block = words[at::kHeapBlock / 4];
    context.name = words[at::kName / 4];
    context.activations_bytes = words[at::kActivationsSize / 4];
    context.weights_bytes = words[at::kWeightsSize / 4];
    for (std::uint32_t i = 0; i < at::kObserverWords; ++i)
        context.observer[i] = words[at::kObserver / 4 + i];
    context.acquire_crc = context.has_crc ? words[at::kAcquireCrc / 4] : 0;
    context.release_crc = context.has_crc ? words[at::kReleaseCrc / 4] : 0;
}

}  // namespace

Header header_of(const std::uint32_t* words) {
    Header header;
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
    header.weights_start = words[kOffWeightsStart / 4];
    header.weights_end = words[kOffWeightsEnd / 4];
    for (std::uint32_t i = 0; i < kEntryCount; ++i) header.vector[i] = words[kVectorOffset / 4 + i];
    header.context = words[kContextOffset / 4];
    return header;
}

bool is_legacy(const Header& header) {
    // A file of the STM32N6 differs in both words; one that differs in one is damaged.
    return header.magic == format::kMagic &&
           !(header.data_start == format::kRamBase && header.flags.major() == kN6Major);
}

Status Container::open(Diagnosis& why) {
    header_ = Header{};
    std::uint32_t words[kHeaderBytes / 4] = {};
    if (bytes_ < kHeaderBytes)
        return legacy::refuse(why, Rule::LegacyFileTooShort, bytes_, kHeaderBytes, bytes_);
    if (!read(0, words, sizeof words))
        return legacy::refuse(why, Rule::FileUnreadable, 0, kNotApplicable, kNotApplicable);
    header_ = header_of(words);
    if (header_.magic != format::kMagic)
        return legacy::refuse(why, Rule::Magic, 0, format::kMagic, header_.magic);
    if ((header_.data_start & header_.data_data & header_.context) == format::kErasedWord) {
        return legacy::refuse(why, Rule::LegacyErasedFlash, format::kOffDataStart, kNotApplicable,
                              header_.data_start);
    }
    if (!is_legacy(header_)) {
        return legacy::refuse(why, Rule::LegacyOtherFormat, format::kOffDataStart, kRamBase,
                              header_.data_start);
    }
    return Status::Ok;
}

bool Container::read(std::uint32_t file_offset, void* to, std::uint32_t count) const {
    if (count == 0) return file_offset <= bytes_;
    // Both subtractions count what is left, so that no sum can wrap.
    if (file_offset > bytes_ || count > bytes_ - file_offset) return false;
    const std::uint32_t room = ~to_word(file_);
    if (file_offset > room || count - 1 > room - file_offset) return false;
    return port_->read(port_->context, wrapping_add(file_, file_offset), to, count);
}

bool Container::word(std::uint32_t file_offset, std::uint32_t& value) const {
    std::uint32_t raw = 0;
    if (!read(file_offset, &raw, sizeof raw)) return false;
    value = raw;
    return true;
}

bool Container::context(Context& context) const {
    // Both offsets are below 2^28: the sum cannot wrap.
    const std::uint32_t at = header_.ro_bytes() + format::link_offset(header_.context);
    std::uint32_t words[kLongContextBytes / 4] = {};
    const bool is_long = header_.context_room() >= kLongContextBytes;
    if (!read(at, words, is_long ? kLongContextBytes : kShortContextBytes)) return false;
    context.has_crc = is_long;
    decode_context(words, context);
    return true;
}

bool Container::got(std::uint32_t index, std::uint32_t& link_address) const {
    return header_.got_end >= header_.got_start && index < header_.got_bytes() / 4 &&
           word(header_.ro_bytes() + format::link_offset(header_.got_start) + 4 * index,
                link_address);
}

bool Container::relocation(std::uint32_t index, std::uint32_t& link_address) const {
    return header_.rel_end >= header_.rel_start && index < header_.rel_bytes() / 4 &&
           word(format::link_offset(header_.rel_start) + 4 * index, link_address);
}

bool Container::name(std::uint32_t link_address, char* text, std::uint32_t capacity) const {
    const std::uint32_t at = format::link_offset(link_address);
    if (!in_flash(link_address) || at >= header_.ro_bytes()) return false;
    std::uint32_t room = header_.ro_bytes() - at;
    if (room > capacity) room = capacity;
    if (room > format::kMaxNameBytes + 1) room = format::kMaxNameBytes + 1;
    for (std::uint32_t i = 0; i < room; ++i) {
        if (!read(at + i, text + i, 1)) return false;
        if (text[i] == '\0') return true;
    }
    return false;
}

std::uint32_t Container::offset_of(std::uint32_t link_address) const {
    const std::uint32_t offset = format::link_offset(link_address);
    std::uint32_t at = kNotApplicable;
    if (in_flash(link_address) && offset < header_.ro_bytes()) at = offset;
    if (in_ram(link_address) && offset < header_.copied_bytes()) at = header_.ro_bytes() + offset;
    return bytes_ != kUnknownBytes && at >= bytes_ ? kNotApplicable : at;
}

}  // namespace n6vp::loader::legacy

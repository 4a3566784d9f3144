// SPDX-License-Identifier: Apache-2.0
#include "loader/legacy/image.h"

namespace n6vp::loader::legacy {

namespace {

using format::link_offset;

}  // namespace

void Installer::enter(Phase phase) const {
    if (port_.enter != nullptr) port_.enter(port_.context, phase);
}

void Installer::maintain(CacheOp op, GuestAddr start, std::uint32_t bytes) const {
    if (port_.maintain != nullptr) port_.maintain(port_.context, op, start, bytes);
}

void Installer::release_block() const {
    if (to_word(result_.heap_block) != 0 && request_.heap.release != nullptr)
        request_.heap.release(request_.heap.context, result_.heap_block);
}

Status Installer::refuse(Rule rule, std::uint32_t file_offset, std::uint32_t expected,
                         std::uint32_t found) {
    const Status status = legacy::refuse(why_, rule, file_offset, expected, found);
    why_.severity = Severity::Error;  // The vendor refuses even what Strict only hints at.
    why_.index = stop_index_;
    return status;
}

Status Installer::refuse_write(GuestAddr to, std::uint32_t bytes) {
    const Rule rule = compat() ? Rule::VendorOverwrite : Rule::InstallWriteFailed;
    const Status status = refuse(rule, stop_offset_, kNotApplicable, bytes);
    why_.address = to;
    return status;
}

Status Installer::refuse_read(GuestAddr from, std::uint32_t bytes) {
    const Rule rule = compat() ? Rule::VendorReadsOutside : Rule::InstallReadFailed;
    const Status status = refuse(rule, stop_offset_, kNotApplicable, bytes);
    why_.address = from;
    return status;
}

bool Installer::writable(GuestAddr to, std::uint32_t bytes) const {
    if (bytes != 0 && to_word(to) + (bytes - 1) < to_word(to)) return false;
    const std::uint32_t inside = to_word(to) - to_word(ram_.start);
    return to_word(to) >= to_word(ram_.start) && inside <= ram_.bytes &&
           bytes <= ram_.bytes - inside;
}

bool Installer::readable(GuestAddr from, std::uint32_t bytes) const {
    const std::uint32_t at = to_word(from);
    if (bytes != 0 && at + (bytes - 1) < at) return false;
    if (request_.file_bytes == kUnknownBytes) return true;
    const std::uint32_t inside = at - to_word(request_.file);
    return at >= to_word(request_.file) && inside <= request_.file_bytes &&
           bytes <= request_.file_bytes - inside;
}

Status Installer::file_word(std::uint32_t file_offset, std::uint32_t& value) {
    const GuestAddr from = wrapping_add(request_.file, file_offset);
    stop_offset_ = file_offset;
    if (!readable(from, sizeof value) || !read_word(port_, from, value))
        return refuse_read(from, sizeof value);
    return Status::Ok;
}

Status Installer::read_words() {
    std::uint32_t words[kHeaderBytes / 4] = {};
    for (std::uint32_t i = 0; i < kHeaderBytes / 4; ++i) {
        const Status status = file_word(4 * i, words[i]);
        if (status != Status::Ok) return status;
    }
    words_ = header_of(words);
    return Status::Ok;
}

std::uint32_t Installer::needed() const {
    // The vendor's: in any mode without the bit of XIP it is the size for COPY.
    return words_.ram_bytes((request_.mode & kModeXip) == 0);
}

Status Installer::take_ram() {
    const std::uint32_t need = needed();
    const bool given = to_word(request_.ram) != 0 && request_.ram_bytes != 0;
    if (given && !is_aligned(request_.ram, 4))
        return refuse(Rule::LegacyRamAlignment, kNotApplicable, 4, to_word(request_.ram) & 3);
    if (given) {
        if (need > request_.ram_bytes)
            return refuse(Rule::LegacyRamTooSmall, kNotApplicable, need, request_.ram_bytes);
        ram_ = {request_.ram, request_.ram_bytes};
        bases_.ram_base = request_.ram;
        return Status::Ok;
    }
    if (request_.heap.allocate == nullptr)
        return refuse(Rule::LegacyHeapMissing, kNotApplicable, need + kHeapSlack, 0);
    const std::uint32_t bytes = need + kHeapSlack;
    result_.heap_block = request_.heap.allocate(request_.heap.context, bytes);
    if (to_word(result_.heap_block) == 0)
        return refuse(Rule::LegacyHeapFull, kNotApplicable, bytes, 0);
    ram_ = {result_.heap_block, bytes};
    bases_.ram_base = GuestAddr{align4(to_word(result_.heap_block))};
    return Status::Ok;
}

Status Installer::copy(GuestAddr to, std::uint32_t file_offset, std::uint32_t bytes) {
    const GuestAddr from = wrapping_add(request_.file, file_offset);
    stop_offset_ = file_offset;
    if (bytes == 0) return Status::Ok;
    if (!readable(from, bytes)) return refuse_read(from, bytes);
    if (!writable(to, bytes) || !port_.copy(port_.context, to, from, bytes))
        return refuse_write(to, bytes);
    return Status::Ok;
}

Status Installer::store(GuestAddr to, std::uint32_t value) {
    if (!writable(to, sizeof value) || !write_word(port_, to, value))
        return refuse_write(to, sizeof value);
    return Status::Ok;
}

Status Installer::patch(GuestAddr at, Rule null_rule, Rule space_rule) {
    std::uint32_t value = 0;
    std::uint32_t resolved = 0;
    // The vendor patches wherever an entry points: what cannot be written is not read either.
    if (!writable(at, sizeof value)) return refuse_write(at, sizeof value);
    if (!read_word(port_, at, value)) return refuse_read(at, sizeof value);
    if (bases_.resolve(value, resolved)) return store(at, resolved);
    const bool small = format::space_nibble(value) == 0;
    return refuse(small ? null_rule : space_rule, stop_offset_, kNotApplicable, value);
}

Status Installer::copy_read_only() {
    bases_.ro_base = request_.file;
    if (!copies_ro()) return Status::Ok;
    enter(Phase::ReadOnlyCopy);
    const std::uint32_t ro = align4(words_.ro_bytes());
    const Status status = copy(bases_.ram_base, 0, ro);
    if (status != Status::Ok) return status;
    if (compat() && request_.target.cpu_part == kCortexM7)
        maintain(CacheOp::McuClean, GuestAddr{0}, 0);
    bases_.ro_base = bases_.ram_base;
    bases_.ram_base = wrapping_add(bases_.ram_base, ro);
    follows_copy_ = compat() && ro < kHeaderBytes;
    return follow_copy();
}

Status Installer::follow_copy() {
    if (!follows_copy_) return Status::Ok;
    std::uint32_t words[kHeaderBytes / 4] = {};
    if (!writable(bases_.ro_base, sizeof words) ||
        !port_.read(port_.context, bases_.ro_base, words, sizeof words)) {
        return refuse_read(bases_.ro_base, sizeof words);
    }
    words_ = header_of(words);
    return Status::Ok;
}

Status Installer::fill_data() {
    enter(Phase::DataBss);
    const std::uint32_t copied = words_.rw_bytes() - words_.bss_bytes();
    const Status status = copy(bases_.ram_base, words_.ro_bytes(), copied);
    if (status != Status::Ok) return status;
    stop_offset_ = kNotApplicable;
    const GuestAddr bss = wrapping_add(bases_.ram_base, copied);
    const std::uint32_t bytes = words_.bss_bytes();
    if (bytes == 0) return Status::Ok;
    if (!writable(bss, bytes) || !port_.clear(port_.context, bss, bytes))
        return refuse_write(bss, bytes);
    return Status::Ok;
}

Status Installer::resolve_got() {
    enter(Phase::Got);
    const Status followed = follow_copy();
    if (followed != Status::Ok) return followed;
    const std::uint32_t end = link_offset(words_.got_end);
    for (std::uint32_t at = link_offset(words_.got_start); at < end; at += 4) {
        stop_index_ = result_.got_words;
        stop_offset_ = words_.ro_bytes() + at;
        const Status status =
            patch(wrapping_add(bases_.ram_base, at), Rule::GotValueNull, Rule::GotValueSpace);
        if (status != Status::Ok) return status;
        ++result_.got_words;
    }
    stop_index_ = kNotApplicable;
    return Status::Ok;
}

Status Installer::resolve_relocations() {
    enter(Phase::Relocation);
    const Status followed = follow_copy();
    if (followed != Status::Ok) return followed;
    const std::uint32_t end = link_offset(words_.rel_end);
    for (std::uint32_t at = link_offset(words_.rel_start); at < end; at += 4) {
        stop_index_ = result_.relocations;
        std::uint32_t entry = 0;
        Status status = file_word(at, entry);
        if (status != Status::Ok) return status;
        // Whatever its space, an entry patches RAM.
        status = patch(wrapping_add(bases_.ram_base, link_offset(entry)), Rule::RelocationValueNull,
                       Rule::RelocationValueSpace);
        if (status != Status::Ok) return status;
        ++result_.relocations;
    }
    stop_index_ = kNotApplicable;
    return Status::Ok;
}

Status Installer::finish() {
    enter(Phase::Finish);
    namespace at = context_offset;
    const Status followed = follow_copy();
    if (followed != Status::Ok) return followed;
    stop_offset_ = kNotApplicable;
    const GuestAddr context = wrapping_add(bases_.ram_base, link_offset(words_.context));
    const std::uint32_t state = kStateInitialized | (copies_ro() ? 0 : kStateXip);
    const struct {
        std::uint32_t offset, value;
    } rows[] = {{at::kRomAddress, to_word(bases_.ro_base)},
                {at::kRamAddress, to_word(bases_.ram_base)},
                {at::kHeapBlock, to_word(result_.heap_block)},
                {at::kState, state}};
    for (const auto& row : rows) {
        const Status status = store(wrapping_add(context, row.offset), row.value);
        if (status != Status::Ok) return status;
    }
    if (!compat()) {
        // Not ram_.start: a heap block may begin before the image.
        const GuestAddr first = copies_ro() ? bases_.ro_base : bases_.ram_base;
        maintain(CacheOp::McuCleanInvalidate, first, needed());
        if (copies_ro())
            maintain(CacheOp::McuInstructionInvalidate, bases_.ro_base, words_.ro_bytes());
    }
    result_.ro_base = bases_.ro_base;
    result_.ram_base = bases_.ram_base;
    result_.context = context;
    result_.state = state;
    return Status::Ok;
}

Status Installer::image() {
    Status status = copy_read_only();
    if (status == Status::Ok) status = fill_data();
    if (status == Status::Ok) status = resolve_got();
    if (status == Status::Ok) status = resolve_relocations();
    if (status == Status::Ok) status = finish();
    return status;
}

}  // namespace n6vp::loader::legacy

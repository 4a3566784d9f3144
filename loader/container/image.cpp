// SPDX-License-Identifier: Apache-2.0
#include "loader/image.h"

namespace n6vp::loader {

namespace {

/// Value rules come in one order for GOT words and relocated words: Null, Space, Param2, Trash.
Rule value_rule(Rule first, std::uint32_t value) {
    std::uint32_t step = 1;
    if (format::in_space(value, format::Space::Null)) step = 0;
    if (format::in_space(value, format::Space::Param2)) step = 2;
    if (format::in_space(value, format::Space::Trash)) step = 3;
    return static_cast<Rule>(static_cast<std::uint32_t>(first) + step);
}

static_assert(static_cast<int>(Rule::GotValueTrash) - static_cast<int>(Rule::GotValueNull) == 3);
static_assert(static_cast<int>(Rule::RelocationValueTrash) -
                  static_cast<int>(Rule::RelocationValueNull) ==
              3);

}  // namespace

void Installer::enter(Phase phase) const {
    if (port_.enter != nullptr) port_.enter(port_.context, phase);
}

void Installer::maintain(CacheOp op, GuestAddr start, std::uint32_t bytes) const {
    if (port_.maintain != nullptr) port_.maintain(port_.context, op, start, bytes);
}

Status Installer::refuse(Rule rule, std::uint32_t file_offset, std::uint32_t expected,
                         std::uint32_t found) {
    const Status status = loader::refuse(why_, rule, file_offset, expected, found);
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

Installer::Installer(const MemoryPort& port, const InstallRequest& request,
                     std::uint32_t context_word_offset, InstallResult& result, Diagnosis& why)
    : port_(port),
      request_(request),
      own_{{request.exec_ram, request.exec_ram_bytes},
           // A size without an address is no region: low memory is not given away.
           {request.ext_ram, to_word(request.ext_ram) != 0 ? request.ext_ram_bytes : 0},
           {request.instance, instance_layout(request.profile).bytes}},
      context_word_offset_(context_word_offset),
      result_(result),
      why_(why) {}

bool is_covered(const AddressRange& range, const AddressRange* first, std::uint32_t first_count,
                const AddressRange* second, std::uint32_t second_count) {
    std::uint32_t at = to_word(range.start);
    std::uint32_t left = range.bytes;
    // Regions may touch: walk from one to the next until the end is reached or nothing continues.
    while (left != 0) {
        std::uint32_t step = 0;
        for (std::uint32_t i = 0; i < first_count + second_count; ++i) {
            const AddressRange& region = i < first_count ? first[i] : second[i - first_count];
            const std::uint32_t inside = at - to_word(region.start);
            const bool holds = at >= to_word(region.start) && inside < region.bytes;
            if (holds && region.bytes - inside > step) step = region.bytes - inside;
        }
        if (step == 0) return false;
        if (step > left) step = left;
        at += step;
        left -= step;
    }
    return true;
}

bool Installer::writable(GuestAddr to, std::uint32_t bytes) const {
    if (bytes != 0 && to_word(to) + (bytes - 1) < to_word(to)) return false;
    return is_covered({to, bytes}, own_, kOwnRegions, request_.grants, request_.grant_count);
}

bool Installer::readable(Source source, GuestAddr from, std::uint32_t bytes) const {
    const std::uint32_t at = to_word(from);
    if (bytes != 0 && at + (bytes - 1) < at) return false;
    const bool given = source == Source::Params && to_word(request_.params) != 0;
    const std::uint32_t start = to_word(given ? request_.params : request_.file);
    const std::uint32_t known = given ? request_.params_bytes : request_.file_bytes;
    if (known == kUnknownBytes) return true;
    const std::uint32_t inside = at - start;
    return at >= start && inside <= known && bytes <= known - inside;
}

Status Installer::read_file(std::uint32_t file_offset, void* to, std::uint32_t bytes) {
    const GuestAddr from = wrapping_add(request_.file, file_offset);
    stop_offset_ = file_offset;
    if (!readable(Source::File, from, bytes) || !port_.read(port_.context, from, to, bytes)) {
        return refuse_read(from, bytes);
    }
    return Status::Ok;
}

Status Installer::file_word(std::uint32_t file_offset, std::uint32_t& value) {
    std::uint8_t raw[4] = {};
    const Status status = read_file(file_offset, raw, sizeof raw);
    if (status == Status::Ok) value = format::load_word(raw);
    return status;
}

Status Installer::read_words() {
    std::uint8_t raw[format::kVectorOffset] = {};
    Status status = read_file(0, raw, sizeof raw);
    if (status != Status::Ok) return status;
    std::uint32_t context = 0;
    status = file_word(context_word_offset_, context);
    if (status != Status::Ok) return status;
    const auto offset = [&raw](std::uint32_t at) {
        return format::link_offset(format::load_word(raw + at));
    };
    words_.ro_bytes = offset(format::kOffDataData);
    words_.copied_bytes = offset(format::kOffBssStart);
    words_.rw_bytes = offset(format::kOffBssEnd);
    words_.bss_bytes =
        format::load_word(raw + format::kOffBssEnd) - format::load_word(raw + format::kOffBssStart);
    words_.got_start = offset(format::kOffGotStart);
    words_.got_end = offset(format::kOffGotEnd);
    words_.rel_start = offset(format::kOffRelStart);
    words_.rel_end = offset(format::kOffRelEnd);
    words_.pool_table = words_.ro_bytes + offset(format::kOffParamsStart);
    words_.params_offset = format::load_word(raw + format::kOffParamsOffset);
    words_.context = format::link_offset(context);
    return Status::Ok;
}

Status Installer::copy(GuestAddr to, Source source, GuestAddr from, std::uint32_t bytes) {
    if (bytes == 0) return Status::Ok;
    if (!writable(to, bytes)) return refuse_write(to, bytes);
    if (!readable(source, from, bytes)) return refuse_read(from, bytes);
    if (port_.copy(port_.context, to, from, bytes)) return Status::Ok;
    // The port does not say which side failed: the source did if its first or last byte is dead.
    std::uint8_t probe = 0;
    const bool alive = port_.read(port_.context, from, &probe, 1) &&
                       port_.read(port_.context, wrapping_add(from, bytes - 1), &probe, 1);
    return alive ? refuse_write(to, bytes) : refuse_read(from, bytes);
}

Status Installer::clear(GuestAddr to, std::uint32_t bytes) {
    if (bytes == 0) return Status::Ok;
    const bool done = writable(to, bytes) && port_.clear(port_.context, to, bytes);
    return done ? Status::Ok : refuse_write(to, bytes);
}

Status Installer::store(GuestAddr to, std::uint32_t value) {
    const bool done = writable(to, 4) && write_word(port_, to, value);
    return done ? Status::Ok : refuse_write(to, 4);
}

Status Installer::patch(GuestAddr at, Rule first_value_rule, std::uint32_t file_offset,
                        std::uint32_t index) {
    stop_index_ = index;
    stop_offset_ = file_offset;
    std::uint32_t value = 0;
    if (!read_word(port_, at, value)) return refuse_read(at, 4);
    std::uint32_t resolved = 0;
    if (!bases_.resolve(value, resolved)) {
        const Status status =
            refuse(value_rule(first_value_rule, value), file_offset, kNotApplicable, value);
        why_.address = at;
        return status;
    }
    return store(at, resolved);
}

Status Installer::image() {
    stop_index_ = kNotApplicable;
    Status status = read_words();
    if (status != Status::Ok) return status;
    stop_offset_ = kNotApplicable;
    bases_.ro_base = copies_ro() ? request_.exec_ram : request_.file;
    bases_.ram_base =
        copies_ro() ? wrapping_add(request_.exec_ram, words_.ro_bytes) : request_.exec_ram;
    status = copies_ro() ? copy_read_only() : Status::Ok;
    if (status == Status::Ok) status = fill_data();
    if (status == Status::Ok) status = resolve_got();
    if (status == Status::Ok) status = resolve_relocations();
    return status == Status::Ok ? finish() : status;
}

Status Installer::copy_read_only() {
    enter(Phase::ReadOnlyCopy);
    const std::uint32_t bytes = words_.ro_bytes;
    // 1.1.0 rounds the length; the place of the data behind it is not rounded (assumed).
    const bool rounds = compat() && request_.profile.generation == Generation::Core21;
    if (maintains_npu_ranges()) maintain(CacheOp::NpuCleanInvalidate, request_.exec_ram, bytes);
    const Status status = copy(request_.exec_ram, Source::File, request_.file,
                               rounds ? format::align8(bytes) : bytes);
    if (status != Status::Ok) return status;
    if (compat()) maintain(CacheOp::McuCleanInvalidate, request_.exec_ram, bytes);
    return Status::Ok;
}

Status Installer::fill_data() {
    enter(Phase::DataBss);
    const GuestAddr bss = wrapping_add(bases_.ram_base, words_.copied_bytes);
    if (maintains_npu_ranges()) {
        maintain(CacheOp::NpuCleanInvalidate, bases_.ram_base, words_.copied_bytes);
        maintain(CacheOp::NpuCleanInvalidate, bss, words_.bss_bytes);
    }
    const GuestAddr from = wrapping_add(request_.file, words_.ro_bytes);
    const Status status = copy(bases_.ram_base, Source::File, from, words_.copied_bytes);
    return status == Status::Ok ? clear(bss, words_.bss_bytes) : status;
}

Status Installer::resolve_got() {
    enter(Phase::Got);
    const std::uint32_t end = to_word(wrapping_add(bases_.ram_base, words_.got_end));
    std::uint32_t at = to_word(wrapping_add(bases_.ram_base, words_.got_start));
    for (std::uint32_t index = 0; at < end; at += 4, ++index) {
        const std::uint32_t file_offset = words_.ro_bytes + words_.got_start + 4 * index;
        const Status status = patch(GuestAddr{at}, Rule::GotValueNull, file_offset, index);
        if (status != Status::Ok) return status;
        ++result_.got_words;
        if (at > 0xFFFFFFFBu) break;  // The next word would be at 0 again.
    }
    return Status::Ok;
}

Status Installer::resolve_relocations() {
    enter(Phase::Relocation);
    // Word by word in Compat: there a patch may hit the table itself.
    constexpr std::uint32_t kChunkBytes = 128;
    const std::uint32_t chunk = compat() ? 4 : kChunkBytes;
    std::uint8_t raw[kChunkBytes] = {};
    std::uint32_t index = 0;
    for (std::uint32_t at = words_.rel_start; at < words_.rel_end;) {
        const std::uint32_t left = (words_.rel_end - at + 3) & ~3u;
        const std::uint32_t bytes = left < chunk ? left : chunk;
        stop_index_ = index;
        Status status = read_file(at, raw, bytes);
        for (std::uint32_t i = 0; i < bytes && status == Status::Ok; i += 4, ++index) {
            stop_offset_ = at + i;
            status = relocate(format::load_word(raw + i), index);
        }
        if (status != Status::Ok) return status;
        at += bytes;
    }
    return Status::Ok;
}

Status Installer::relocate(std::uint32_t entry, std::uint32_t index) {
    const std::uint32_t offset = format::link_offset(entry);
    const bool in_ro = format::in_space(entry, format::Space::Flash);
    // 1.1.0 knows no RO relocation: it treats the entry like any other (assumed).
    const bool knows_ro = request_.profile.generation != Generation::Core21;
    stop_index_ = index;
    if (in_ro && knows_ro && !copies_ro()) {
        return refuse(Rule::RelocationNeedsCopy, stop_offset_, kNotApplicable, entry);
    }
    const GuestAddr base = in_ro && knows_ro ? bases_.ro_base : bases_.ram_base;
    const Status status =
        patch(wrapping_add(base, offset), Rule::RelocationValueNull, stop_offset_, index);
    if (status == Status::Ok) ++result_.relocations;
    return status;
}

Status Installer::finish() {
    if (compat()) maintain(CacheOp::McuCleanInvalidate, bases_.ram_base, words_.rw_bytes);
    enter(Phase::Finish);
    stop_index_ = kNotApplicable;
    stop_offset_ = kNotApplicable;
    const GuestAddr context = wrapping_add(bases_.ram_base, words_.context);
    const bool struct_sizes = request_.profile.generation != Generation::Core21;
    result_.state = format::kStateInitialized | (copies_ro() ? 0u : format::kStateXip);
    const struct {
        std::uint32_t offset, value;
    } fields[] = {
        {context_offset::kRomAddr, to_word(bases_.ro_base)},
        {context_offset::kRamAddr, to_word(bases_.ram_base)},
        {context_offset::kFileAddr, to_word(request_.file)},
        {context_offset::kState, result_.state},
        {context_offset::instance(struct_sizes), to_word(request_.instance)},
    };
    for (const auto& field : fields) {
        const Status status = store(wrapping_add(context, field.offset), field.value);
        if (status != Status::Ok) return status;
    }
    const Status status = link_instance(context);
    if (status != Status::Ok) return status;
    if (!compat()) {
        if (copies_ro()) maintain(CacheOp::McuCleanInvalidate, bases_.ro_base, words_.ro_bytes);
        maintain(CacheOp::McuCleanInvalidate, bases_.ram_base, words_.rw_bytes);
    }
    result_.ro_base = bases_.ro_base;
    result_.ram_base = bases_.ram_base;
    result_.context = context;
    return Status::Ok;
}

Status Installer::link_instance(GuestAddr context) {
    const bool struct_sizes = request_.profile.generation != Generation::Core21;
    const InstanceLayout layout = instance_layout(request_.profile);
    const GuestAddr field = wrapping_add(context, context_offset::network(struct_sizes));
    constexpr std::uint32_t kExecState = 4;  // behind `network`
    std::uint32_t network = 0;
    if (!read_word(port_, field, network)) return refuse_read(field, 4);
    Status status = store(request_.instance, network);
    if (status == Status::Ok) {
        status = clear(wrapping_add(request_.instance, kExecState), layout.bytes - kExecState);
    }
    if (status == Status::Ok) {
        status = store(wrapping_add(request_.instance, layout.inst_reloc), to_word(context));
    }
    if (status == Status::Ok) {
        status =
            store(wrapping_add(context, context_offset::kCallbacks), to_word(request_.callbacks));
    }
    return status;
}

}  // namespace n6vp::loader

// SPDX-License-Identifier: Apache-2.0
#include "sim/model_file/host_memory.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

#include "sim/model_file/member_port.h"

namespace n6vp::sim {

void HostMemory::map(AddressRange range, std::uint8_t fill, bool writable) {
    if (range.bytes == 0 || range.wraps()) throw std::invalid_argument("empty or wrapping mapping");
    const auto next = std::find_if(mappings_.begin(), mappings_.end(), [&](const Mapping& other) {
        return to_word(other.range.start) >= to_word(range.start);
    });
    const bool hits_next = next != mappings_.end() && next->range.overlaps(range);
    const bool hits_previous = next != mappings_.begin() && std::prev(next)->range.overlaps(range);
    if (hits_next || hits_previous) throw std::invalid_argument("overlapping mapping");
    // calloc leaves untouched pages to the host's zero page; a large sparse map then costs nothing.
    auto* storage = static_cast<std::uint8_t*>(std::calloc(range.bytes, 1));
    if (storage == nullptr) throw std::bad_alloc();
    if (fill != 0) std::memset(storage, fill, range.bytes);
    Mapping mapping{range, writable, {}};
    mapping.storage.reset(storage);
    mappings_.insert(next, std::move(mapping));
    last_ = 0;
}

const HostMemory::Mapping* HostMemory::find(std::uint32_t address) const {
    const GuestAddr wanted{address};
    if (last_ < mappings_.size() && mappings_[last_].range.contains(wanted))
        return &mappings_[last_];
    const auto after = std::upper_bound(mappings_.begin(), mappings_.end(), address,
                                        [](std::uint32_t value, const Mapping& mapping) {
                                            return value < to_word(mapping.range.start);
                                        });
    if (after == mappings_.begin()) return nullptr;
    const auto candidate = std::prev(after);
    if (!candidate->range.contains(wanted)) return nullptr;
    last_ = static_cast<std::size_t>(candidate - mappings_.begin());
    return &*candidate;
}

std::uint8_t* HostMemory::piece(std::uint32_t address, std::uint32_t& bytes) const {
    const Mapping* mapping = find(address);
    if (mapping == nullptr) throw std::out_of_range("address is not mapped");
    const std::uint32_t inside = address - to_word(mapping->range.start);
    bytes = std::min(bytes, mapping->range.bytes - inside);
    return mapping->storage.get() + inside;
}

bool HostMemory::accessible(AddressRange range, bool for_write) const {
    if (range.bytes == 0) return true;
    if (range.wraps()) return false;
    for (std::uint64_t at = to_word(range.start); at < range.end();) {
        const Mapping* mapping = find(static_cast<std::uint32_t>(at));
        if (mapping == nullptr || (for_write && !mapping->writable)) return false;
        at = mapping->range.end();
    }
    return true;
}

std::span<std::uint8_t> HostMemory::bytes(AddressRange range) {
    std::uint32_t available = range.bytes;
    std::uint8_t* first = piece(to_word(range.start), available);
    if (available != range.bytes) throw std::out_of_range("range leaves its mapping");
    return {first, range.bytes};
}

std::span<const std::uint8_t> HostMemory::bytes(AddressRange range) const {
    std::uint32_t available = range.bytes;
    const std::uint8_t* first = piece(to_word(range.start), available);
    if (available != range.bytes) throw std::out_of_range("range leaves its mapping");
    return {first, range.bytes};
}

void HostMemory::store(GuestAddr to, std::span<const std::uint8_t> data) {
    const AddressRange range{to, static_cast<std::uint32_t>(data.size())};
    if (!accessible(range, false)) throw std::out_of_range("range is not mapped");
    for (std::uint32_t done = 0; done < range.bytes;) {
        std::uint32_t count = range.bytes - done;
        std::uint8_t* target = piece(to_word(to) + done, count);
        std::memcpy(target, data.data() + done, count);
        done += count;
    }
}

bool HostMemory::read(GuestAddr from, void* to, std::uint32_t bytes) const {
    if (!accessible({from, bytes}, false)) return false;
    auto* target = static_cast<std::uint8_t*>(to);
    for (std::uint32_t done = 0; done < bytes;) {
        std::uint32_t count = bytes - done;
        const std::uint8_t* source = piece(to_word(from) + done, count);
        std::memcpy(target + done, source, count);
        done += count;
    }
    return true;
}

bool HostMemory::write(GuestAddr to, const void* from, std::uint32_t bytes) {
    const bool ok = accessible({to, bytes}, true);
    MemoryEvent event{
        .kind = MemoryEvent::Kind::Write, .address = to, .bytes = bytes, .refused = !ok};
    const auto* source = static_cast<const std::uint8_t*>(from);
    for (std::uint32_t i = 0; i < std::min(bytes, 4u); ++i)
        event.value |= std::uint32_t{source[i]} << (8 * i);
    log(event);
    if (ok) store(to, {source, bytes});
    return ok;
}

bool HostMemory::copy(GuestAddr to, GuestAddr from, std::uint32_t bytes) {
    const bool ok = accessible({to, bytes}, true) && accessible({from, bytes}, false);
    log({.kind = MemoryEvent::Kind::Copy,
         .address = to,
         .from = from,
         .bytes = bytes,
         .refused = !ok});
    if (!ok) return false;
    // Bytes move in ascending order: a destination above an overlapping source repeats the first
    // `distance` bytes.
    const std::uint32_t distance = to_word(to) - to_word(from);
    const bool repeats = distance != 0 && distance < bytes;
    for (std::uint32_t done = 0; done < bytes;) {
        std::uint32_t count = bytes - done;
        const std::uint32_t source_at = repeats ? done % distance : done;
        if (repeats) count = std::min(count, distance + done - source_at);
        const std::uint8_t* source = piece(to_word(from) + source_at, count);
        std::uint8_t* target = piece(to_word(to) + done, count);
        std::memmove(target, source, count);
        done += count;
    }
    return true;
}

bool HostMemory::clear(GuestAddr to, std::uint32_t bytes) {
    const bool ok = accessible({to, bytes}, true);
    log({.kind = MemoryEvent::Kind::Clear, .address = to, .bytes = bytes, .refused = !ok});
    for (std::uint32_t done = 0; ok && done < bytes;) {
        std::uint32_t count = bytes - done;
        std::uint8_t* target = piece(to_word(to) + done, count);
        std::memset(target, 0, count);
        done += count;
    }
    return ok;
}

void HostMemory::log(MemoryEvent event) {
    if (!recording_) return;
    if (event.kind != MemoryEvent::Kind::Phase) event.phase = phase_;
    events_.push_back(event);
}

void HostMemory::maintain(loader::CacheOp op, GuestAddr start, std::uint32_t bytes) {
    log({.kind = MemoryEvent::Kind::Maintain, .address = start, .bytes = bytes, .op = op});
}

void HostMemory::enter(loader::Phase phase) {
    phase_ = phase;
    log({.kind = MemoryEvent::Kind::Phase, .phase = phase});
}

loader::MemoryPort HostMemory::port() {
    return MemberPort::on(*this);
}

std::uint64_t HostMemory::bytes_written() const {
    std::uint64_t total = 0;
    for (const MemoryEvent& event : events_) {
        const bool stores = event.kind == MemoryEvent::Kind::Write ||
                            event.kind == MemoryEvent::Kind::Copy ||
                            event.kind == MemoryEvent::Kind::Clear;
        if (stores && !event.refused) total += event.bytes;
    }
    return total;
}

std::vector<AddressRange> HostMemory::mappings() const {
    std::vector<AddressRange> ranges;
    for (const Mapping& mapping : mappings_) ranges.push_back(mapping.range);
    return ranges;
}

}  // namespace n6vp::sim

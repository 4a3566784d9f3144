// SPDX-License-Identifier: Apache-2.0
#include "models/core/timing/timed_data_cache.h"

#include <algorithm>
#include <span>
#include <utility>

namespace n6vp::models::core {

namespace {

constexpr std::uint32_t kLine = DataCache::kLineBytes;

std::uint32_t byte_mask(std::uint32_t address, unsigned bytes) {
    const std::uint32_t ones = bytes >= 32 ? ~0u : (1u << bytes) - 1;
    return ones << address % kLine;
}

/// Bytes of the line at `line` that lie in [start, end].
std::uint32_t overlap_mask(std::uint32_t line, std::uint32_t start, std::uint32_t end) {
    const std::uint32_t first = std::max(line, start), last = std::min(line + (kLine - 1), end);
    return first > last ? 0 : byte_mask(first, last - first + 1);
}

}  // namespace

bool TimedDataCache::copy_memory(std::uint32_t line, Bytes& to) {
    return bus_.look(line, to);
}

std::uint32_t TimedDataCache::compare(const Bytes& one, const Bytes& two, std::uint32_t bytes,
                                      CoherenceEvent event) {
    event.bytes = 0;
    std::uint32_t different = 0;
    for (std::uint32_t i = kLine; i-- > 0;) {
        if ((bytes >> i & 1) == 0 || one[i] == two[i]) continue;
        ++event.bytes;
        event.address = (event.address & ~(kLine - 1)) + i;
        different |= 1u << i;
    }
    if (different == 0) {
        ++found_.benign;
        return 0;
    }
    ++found_.events;
    report_(event);
    return different;
}

void TimedDataCache::make_dirty(CacheTags::Line& line) {
    if (!line.dirty && !holds_data_) {
        copy_memory(line.address, content(line).memory);
        // What the core stores now is newer than what it cleaned.
        if (OpenClean* open = open_clean(line.address)) open->content.differs = 0;
    }
    line.dirty = true;
}

void TimedDataCache::notice_access(CacheTags::Line& line, const CacheAccess& access) {
    Content& kept = content(line);
    const std::uint32_t touched = byte_mask(access.address, access.bytes);
    if (access.write) {
        kept.differs &= ~touched;  // the core's own bytes are the same on both sides
        return;
    }
    Bytes memory{};
    if (holds_data_ || kept.differs == 0 || !copy_memory(line.address, memory)) return;
    const std::uint32_t pc = access.op != nullptr ? access.op->pc : 0;
    if ((kept.differs & touched) == 0) {
        ++found_.benign;
        return;
    }
    compare(kept.held, memory, kept.differs & touched,
            {CoherenceEvent::Kind::CoreReadStale, line.address, 0, pc, kept.other});
}

void TimedDataCache::notice_write_back(CacheTags::Line& line) {
    Content& kept = content(line);
    Bytes memory{};
    if (holds_data_ || kept.differs == 0 || !copy_memory(line.address, memory)) return;
    compare(kept.held, memory, kept.differs,
            {CoherenceEvent::Kind::OtherWriteLost, line.address, 0, 0, kept.other});
}

void TimedDataCache::notice_loss(CacheTags::Line& line) {
    Content& kept = content(line);
    Bytes memory{};
    if (holds_data_ || !line.dirty || !copy_memory(line.address, memory)) return;
    compare(kept.memory, memory, ~kept.differs,
            {CoherenceEvent::Kind::CoreWriteLost, line.address, 0, 0, ""});
}

void TimedDataCache::keep_before_write(Content& content, const Bytes& memory, std::uint32_t written,
                                       const char* other) {
    for (std::uint32_t i = 0; i < kLine; ++i) {
        if ((written & ~content.differs) >> i & 1) content.held[i] = memory[i];
    }
    content.differs |= written;
    content.other = other;
}

void TimedDataCache::other_writes(std::uint32_t start, std::uint32_t end, const char* other) {
    if (holds_data_ || (open_.empty() && !tags_.may_hold(start, end))) return;
    for (std::uint64_t at = tags_.line_of(start); at <= end; at += kLine) {
        const auto address = static_cast<std::uint32_t>(at);
        CacheTags::Line* line = tags_.find(address);
        OpenClean* open = open_clean(address);
        Bytes memory{};
        if ((line == nullptr && open == nullptr) || !copy_memory(address, memory)) continue;
        const std::uint32_t written = overlap_mask(address, start, end);
        if (open != nullptr) {
            keep_before_write(open->content, memory, written, other);
            open->awaited &= ~written;
        }
        if (line == nullptr) continue;
        keep_before_write(content(*line), memory, written, other);
        expel(address);
    }
}

void TimedDataCache::other_reads(std::uint32_t start, std::uint32_t end, const char* other) {
    if (holds_data_ || (open_.empty() && !tags_.may_hold(start, end))) return;
    for (std::uint64_t at = tags_.line_of(start); at <= end; at += kLine) {
        const auto address = static_cast<std::uint32_t>(at);
        CacheTags::Line* line = tags_.find(address);
        if (line != nullptr && !line->dirty) line = nullptr;
        const OpenClean* open = open_clean(address);
        Bytes memory{};
        if ((line == nullptr && open == nullptr) || !copy_memory(address, memory)) continue;
        std::uint32_t bytes = overlap_mask(address, start, end);
        if (line != nullptr) {
            const Content& kept = content(*line);
            bytes &= ~compare(kept.memory, memory, bytes & ~kept.differs,
                              {CoherenceEvent::Kind::OtherReadStale, address, 0, 0, other});
        }
        if (open == nullptr || (bytes & open->awaited) == 0) continue;
        compare(open->content.memory, memory, bytes & open->awaited,
                {CoherenceEvent::Kind::UnfinishedClean, address, 0, open->pc, other});
    }
}

bool TimedDataCache::hides(std::uint32_t address, std::uint32_t& first, std::uint32_t& count) {
    const CacheTags::Line* line = tags_.find(address);
    if (line != nullptr && !line->dirty) line = nullptr;
    const OpenClean* open = open_clean(tags_.line_of(address));
    Bytes memory{};
    count = 0;
    if ((line == nullptr && open == nullptr) || !copy_memory(tags_.line_of(address), memory))
        return false;
    Bytes without_cache = memory, with_cache = memory;
    if (holds_data_) {
        with_cache = line != nullptr ? content(*line).held : open->content.held;
    } else {
        if (line != nullptr) without_cache = content(*line).memory;
        for (std::uint32_t i = 0; open != nullptr && i < kLine; ++i) {
            if (open->awaited >> i & 1) without_cache[i] = open->content.memory[i];
        }
    }
    for (std::uint32_t i = kLine; i-- > 0;) {
        if (without_cache[i] == with_cache[i]) continue;
        ++count;
        first = tags_.line_of(address) + i;
    }
    return count != 0;
}

template <class Action>
void TimedDataCache::for_held(std::uint32_t start, std::size_t count, Action&& action) {
    if (!holds_data_) return;
    // Lines are newer than cleans of them.
    for (auto& [line, open] : open_) {
        for (std::uint32_t i = 0; i < kLine; ++i) {
            const std::uint32_t position = line + i - start;
            if (position < count) action(open.content.held[i], position);
        }
    }
    for (std::size_t done = 0; done < count;) {
        const auto at = static_cast<std::uint32_t>(start + done);
        const std::size_t piece = std::min<std::size_t>(kLine - at % kLine, count - done);
        if (const CacheTags::Line* line = tags_.find(at)) {
            for (std::size_t i = 0; i < piece; ++i)
                action(content(*line).held[at % kLine + i], done + i);
        }
        done += piece;
    }
}

void TimedDataCache::look(std::uint32_t start, std::span<std::uint8_t> bytes) {
    for_held(start, bytes.size(),
             [bytes](std::uint8_t held, std::size_t position) { bytes[position] = held; });
}

void TimedDataCache::replace(std::uint32_t start, std::span<const std::uint8_t> bytes) {
    for_held(start, bytes.size(),
             [bytes](std::uint8_t& held, std::size_t position) { held = bytes[position]; });
}

TimedDataCache::OpenClean* TimedDataCache::open_clean(std::uint32_t line) {
    const auto found = open_.find(line);
    return found == open_.end() ? nullptr : &found->second;
}

TimedDataCache::Open TimedDataCache::oldest_clean() {
    return std::ranges::min_element(open_, {},
                                    [](const auto& clean) { return clean.second.order; });
}

void TimedDataCache::note_open_cleans() {
    cleans_open_ = !open_.empty();
    clean_due_ = cleans_open_ && holds_data_ ? oldest_clean()->second.due : kNever;
}

void TimedDataCache::open_ideal(CpuState& cpu, const CacheTags::Line& line) {
    write_back(cpu, line, cpu.secure);
    const Content& kept = content(line);
    Bytes memory{};
    if (!copy_memory(line.address, memory)) return;
    std::uint32_t stored = 0;
    for (std::uint32_t i = 0; i < kLine; ++i) {
        if (kept.memory[i] != memory[i]) stored |= 1u << i;
    }
    stored &= ~kept.differs;
    if (stored == 0) return;
    OpenClean* open = open_clean(line.address);
    if (open == nullptr) {
        // A program without any barrier: what it cleaned first is long complete.
        if (open_.size() >= tags_.slots()) complete(oldest_clean());
        open = &open_[line.address];
        open->order = cleans_++;
    }
    for (std::uint32_t i = 0; i < kLine; ++i) {
        if ((stored & ~open->awaited) >> i & 1) open->content.memory[i] = kept.memory[i];
    }
    open->awaited |= stored;
    open->pc = cpu.pc;
    note_open_cleans();
}

void TimedDataCache::open_real(CpuState& cpu, const CacheTags::Line& line) {
    pass_cleans(line.address, kLine);  // write-backs of one line keep their order
    free_buffer();
    const auto buffer = std::ranges::min_element(write_back_free_);
    wait_until(cpu, *buffer);
    ++counters_.write_backs;
    OpenClean& open = open_[line.address];
    open.order = cleans_++;
    open.content = content(line);
    open.pc = cpu.pc;
    open.with = {Port::Data, cpu.secure, cpu.privileged, false, false};
    open.start = now(cpu) + whole(parameters_.miss_request);
    open.due = now(cpu) + whole(parameters_.clean_delay);
    open.buffer = static_cast<std::size_t>(buffer - write_back_free_.begin());
    *buffer = kNever;
    note_open_cleans();
}

void TimedDataCache::free_buffer() {
    if (open_.size() >= write_back_free_.size()) complete(oldest_clean());
}

void TimedDataCache::complete(Open clean) {
    // Taken out first: a process that runs during the access must not find it again.
    const auto [line, done] = *clean;
    open_.erase(clean);
    note_open_cleans();
    if (holds_data_) {
        if (about_to_write_back) about_to_write_back(line, line + (kLine - 1));
        const BusAnswer answer = bus_.write(line, done.content.held, done.with, done.start);
        write_back_free_[done.buffer] = done.start + answer.cycles;
        return;
    }
    Bytes memory{};
    if (done.content.differs == 0 || !copy_memory(line, memory)) return;
    compare(done.content.held, memory, done.content.differs,
            {CoherenceEvent::Kind::OtherWriteLost, line, 0, 0, done.content.other});
}

void TimedDataCache::complete_all() {
    // Ideal: the order says nothing.
    while (!open_.empty()) complete(holds_data_ ? oldest_clean() : open_.begin());
}

void TimedDataCache::complete_due(std::uint64_t cycle) {
    while (clean_due_ != kNever && clean_due_ <= cycle) complete(oldest_clean());
}

void TimedDataCache::complete_lines(std::uint32_t address, unsigned bytes) {
    if (!holds_data_) return;  // the core sees memory, which has them
    const std::uint32_t last = tags_.line_of(address + (bytes - 1));
    for (std::uint32_t line = tags_.line_of(address);; line += kLine) {
        if (const auto open = open_.find(line); open != open_.end()) complete(open);
        if (line == last) return;
    }
}

}  // namespace n6vp::models::core

// SPDX-License-Identifier: Apache-2.0
#include "models/cache/coherence_watch.h"

#include <bit>

namespace n6vp::models {

namespace {

/// Returns those of `bytes` in which the two differ.
ByteMask differing(const LineBytes& a, const LineBytes& b, ByteMask bytes) {
    ByteMask found = 0;
    for (ByteMask left = bytes; left != 0; left &= left - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(left));
        if (a[i] != b[i]) found |= ByteMask{1} << i;
    }
    return found;
}

/// Returns the writer of the first of `bytes` whose write was seen.
std::uint8_t writer_of(const CacheLine& line, ByteMask bytes) {
    const ByteMask seen = bytes & line.foreign;
    if (seen == 0) return NpuCacheEvent::kNobody;
    return line.foreign_writer[static_cast<unsigned>(std::countr_zero(seen))];
}

}  // namespace

void CoherenceWatch::judge(NpuCacheEvent event, const CacheLine& line, ByteMask wrong,
                           bool touched) {
    if (wrong == 0) {
        counters_.benign += touched ? 1 : 0;
        return;
    }
    ++counters_.events;
    if (!on_event) return;
    event.address = line.base + static_cast<std::uint32_t>(std::countr_zero(wrong));
    event.bytes = static_cast<std::uint32_t>(std::popcount(wrong));
    on_event(event);
}

void CoherenceWatch::others_write(CacheLine& line, ByteMask bytes, std::uint8_t writer) {
    line.foreign |= bytes;
    line.told_read &= ~bytes;
    line.ahead &= ~bytes;
    line.told_memory &= ~bytes;
    for (ByteMask left = bytes; left != 0; left &= left - 1) {
        line.foreign_writer[static_cast<unsigned>(std::countr_zero(left))] = writer;
    }
}

void CoherenceWatch::others_read(CacheLine& line, ByteMask bytes, const LineBytes& memory,
                                 std::uint8_t actor) {
    if (line.ahead == 0) return;
    const ByteMask candidates = line.ahead & ~line.told_memory;
    const ByteMask wrong = differing(line.behind, memory, candidates & bytes);
    judge({NpuCacheEvent::Kind::OtherReadStale, 0, 0, line.writer, actor}, line, wrong,
          candidates != 0);
    line.told_memory |= wrong;
}

void CoherenceWatch::npu_read(CacheLine& line, ByteMask bytes, const LineBytes& memory,
                              std::uint8_t actor) {
    const ByteMask wrong = differing(line.data, memory, bytes & ~line.told_read);
    judge({NpuCacheEvent::Kind::NpuReadStale, 0, 0, writer_of(line, wrong), actor}, line, wrong,
          (line.foreign & ~line.told_read) != 0);
    line.told_read |= wrong;
}

void CoherenceWatch::npu_write(CacheLine& line, ByteMask bytes, const LineBytes& memory,
                               bool through) {
    line.foreign &= ~bytes;
    line.told_read &= ~bytes;
    line.told_memory &= ~bytes;
    if (through) {
        line.ahead &= ~bytes;
        return;
    }
    for (ByteMask left = bytes & ~line.ahead; left != 0; left &= left - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(left));
        line.behind[i] = memory[i];
    }
    line.ahead |= bytes;
}

void CoherenceWatch::write_back(CacheLine& line, const LineBytes& memory, std::uint8_t actor) {
    const ByteMask wrong = differing(line.data, memory, line.foreign);
    judge({NpuCacheEvent::Kind::OtherWriteLost, 0, 0, writer_of(line, wrong), actor}, line, wrong,
          line.foreign != 0);
    // The loss has been told; from here on those bytes count as equal to memory.
    for (ByteMask left = wrong; left != 0; left &= left - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(left));
        line.data[i] = memory[i];
    }
    line.foreign = line.told_read = line.ahead = line.told_memory = 0;
}

void CoherenceWatch::drop(const CacheLine& line, const LineBytes& memory) {
    const ByteMask wrong = differing(line.behind, memory, line.ahead);
    judge({NpuCacheEvent::Kind::NpuWriteLost, 0, 0, line.writer, NpuCacheEvent::kNobody}, line,
          wrong, line.ahead != 0);
}

}  // namespace n6vp::models

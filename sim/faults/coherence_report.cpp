// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/coherence_report.h"

#include <fmt/format.h>

#include <ostream>

namespace n6vp::sim {

using models::NpuCacheEvent;
using models::core::CoherenceEvent;

namespace {

[[nodiscard]] std::string party(const Platform& platform, std::uint8_t port, const char* nobody) {
    return port == NpuCacheEvent::kNobody ? nobody : platform.initiator_name(port);
}

}  // namespace

NpuCacheText npu_cache_text(const NpuCacheEvent& event, const Platform& platform) {
    const std::string writer = party(platform, event.writer, "a write that bypassed the bus");
    const std::string actor = party(platform, event.actor, "an NPU cache maintenance command");
    const std::string where = fmt::format("{} byte{} at 0x{:08x}", event.bytes,
                                          event.bytes == 1 ? "" : "s", event.address);
    switch (event.kind) {
        case NpuCacheEvent::Kind::NpuReadStale:
            return {fmt::format("{} read {} from the NPU cache after {} had changed it in memory",
                                actor, where, writer),
                    "invalidate the NPU cache after a change of the memory"};
        case NpuCacheEvent::Kind::OtherReadStale:
            return {
                fmt::format("{} read {} from memory, but {} had written it only to the NPU cache",
                            actor, where, writer),
                "clean the range in the NPU cache before another master reads it"};
        case NpuCacheEvent::Kind::NpuWriteLost:
            return {fmt::format("{} invalidated {} in the NPU cache, dirty data written by {}",
                                actor, where, writer),
                    "clean the range before invalidating it"};
        default:
            return {
                fmt::format("an NPU cache line evicted by {} overwrote {}, written to memory by {}",
                            actor, where, writer),
                "clean and invalidate the range in the NPU cache before another master writes it"};
    }
}

const char* coherence_remedy(CoherenceEvent::Kind kind) {
    using Kind = CoherenceEvent::Kind;
    switch (kind) {
        case Kind::CoreReadStale:
            return "invalidate the range in the D-cache before the core reads data of another "
                   "master";
        case Kind::OtherReadStale:
            return "clean the range in the D-cache before another master reads it";
        case Kind::CoreWriteLost:
            return "clean before invalidating, and keep other data out of the buffer's lines";
        case Kind::OtherWriteLost:
            return "clean and invalidate the range in the D-cache before another master writes it";
        case Kind::StaleCode:
            return "invalidate the I-cache after writing code";
        case Kind::UnfinishedClean:
            return "insert a DSB between the D-cache clean and the start of the other master";
        default:
            return "after writing code, clean the D-cache, then invalidate the I-cache";
    }
}

void write_coherence(std::ostream& out, const CoherenceLog& log) {
    for (const CoherenceEvent& event : log.first()) {
        const CoherenceText text = coherence_text(event);
        out << fmt::format("  {}, {} byte{} at 0x{:08x}, pc 0x{:08x}: {} after {}\n    {}\n",
                           text.text, event.bytes, event.bytes == 1 ? "" : "s", event.address,
                           event.pc, text.first, text.second, coherence_remedy(event.kind));
    }
    if (log.total() > log.first().size()) {
        out << fmt::format("  and {} more\n", log.total() - log.first().size());
    }
}

Json coherence_json(const CoherenceLog& log) {
    Json counts = Json::object();
    for (const CoherenceEvent::Kind kind : CoherenceLog::kKinds) {
        counts[coherence_text(kind).key] = log.count(kind);
    }
    Json first = Json::array();
    for (const CoherenceEvent& event : log.first()) {
        const CoherenceText text = coherence_text(event);
        first.push_back({{"kind", text.key},
                         {"address", hex_word(event.address)},
                         {"bytes", event.bytes},
                         {"pc", hex_word(event.pc)},
                         {"parties", {text.first, text.second}},
                         {"remedy", coherence_remedy(event.kind)}});
    }
    return {{"events", log.total()}, {"by_kind", std::move(counts)}, {"first", std::move(first)}};
}

}  // namespace n6vp::sim

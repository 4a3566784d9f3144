// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "models/duration.h"
#include "models/npu/dataflow/path_time.h"
#include "models/npu/stream/address.h"
#include "models/npu/stream/packing.h"
#include "models/npu/stream/stream_config.h"
#include "models/parameter.h"

namespace n6vp::models::npu {

inline constexpr std::size_t kMaxBurstBytes = std::size_t{kMaxBurst} * kBeatBytes;

/// One burst of an engine as the fabric sees it: whole beats, of which the engine may use a part.
struct EngineBurst {
    unsigned engine = 0;
    std::uint32_t address = 0;  ///< of the first byte that is used
    std::uint32_t beats = 1;    ///< of 8 bytes that the burst takes
    bool cacheable = false;     ///< to be looked up in the NPU cache
    bool allocate = false;      ///< a miss brings the line in
};

struct BurstAnswer {
    bool ok = true;
    Picoseconds first = 0, last = 0;         ///< absolute: first and last beat at the engine
    Picoseconds waited = 0;                  ///< of that, for what other engines and masters held
    StallCause memory = StallCause::Port;    ///< what the rest is due to
    Picoseconds service = 0;                 ///< of `last`, what the bank took for it; 0: not known
    StallCause held = StallCause::Conflict;  ///< what `waited` is due to

    /// Returns first and last beat of a burst that was asked for at `asked`. `before` is when the
    /// engine's burst before it was there: behind its own bursts in a queue, an engine is held up
    /// by others only from there on.
    [[nodiscard]] WordTimes pace(const PathTime& asked, const PathTime& before) const {
        return {path_to(first, asked, before), path_to(last, asked, before)};
    }
    /// Returns the last beat alone.
    [[nodiscard]] PathTime end(const PathTime& asked, const PathTime& before) const {
        return path_to(last, asked, before);
    }

  private:
    [[nodiscard]] PathTime path_to(Picoseconds time, const PathTime& asked,
                                   const PathTime& before) const {
        const bool queued = waited != 0 && service != 0 && before.at > asked.at;
        const Picoseconds own = queued ? service : 0;
        PathTime moment = queued && before.at <= time ? before : asked;
        const Picoseconds whole = time - moment.at;
        const Picoseconds others = std::min(waited, whole - std::min(own, whole));
        moment.pass(others, held);
        moment.pass(whole - others, memory);
        return moment;
    }
};

/// The way of the stream engines to memory.
class EngineBus {
  public:
    virtual ~EngineBus() = default;
    /// `at` is not in the past of other bursts. Data move in the call; `first` and `last` of the
    /// answer are not before `at`.
    virtual BurstAnswer read(const EngineBurst& burst, std::span<std::uint8_t> to,
                             Picoseconds at) = 0;
    virtual BurstAnswer write(const EngineBurst& burst, std::span<const std::uint8_t> from,
                              Picoseconds at) = 0;
};

struct EngineParameters {
    Parameter fifo_words{"fifo_words", 64, counts(4096, "words"), Confidence::Documented,
                         "driver header: data FIFO depth of a stream engine"};
    Parameter frame_cycles{
        "frame_cycles", 35, "NPU cycles", Confidence::Measured,
        "fitted: restart of an input engine per frame; output counters 1, 6, 7, 8 "
        "of the kws pair; 21 to 40 seen"};
    Parameter outstanding{
        "outstanding", 24, counts(4096, "bursts"), Confidence::Assumed,
        "reads of one engine on their way, beside the NPU cache: input counters of the kws pair "
        "bear 12 to 32; 8 slows measured strided copies, 40 starves other readers than measured"};
    Parameter cached_outstanding{"cached_outstanding", 1, counts(4096, "bursts"),
                                 Confidence::Assumed, "the same through the NPU cache"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.fifo_words);
        function(self.frame_cycles);
        function(self.outstanding);
        function(self.cached_outstanding);
    }
};

/// Returns the words of which an engine has hold: those of its FIFO and of a burst under way.
[[nodiscard]] inline std::size_t fifo_places(const EngineParameters& parameters,
                                             ElementFormat format) {
    return static_cast<std::size_t>(parameters.fifo_words.value) + kMaxBurstBytes / format.bytes;
}

/// What an engine needs to know of its surroundings.
struct EngineSetup {
    unsigned engine = 0;
    StreamConfig config;
    bool cacheable = false, allocate = false;
    Picoseconds cycle = 1000;  ///< of the NPU's clock
    Picoseconds start = 0;     ///< when it was enabled
};

/// What an engine did in an epoch.
struct EngineCounters {
    std::uint64_t words = 0;
    std::uint64_t bytes = 0;                ///< moved to or from memory
    std::array<std::uint64_t, 4> bursts{};  ///< of 1, 2, 4 and 8 beats
    Picoseconds started = 0, finished = 0;  ///< absolute: enabled, last frame done (0: it is not)
    /// Input: its words waited for those who listen. Output: words waited for room in its FIFO.
    Picoseconds stalled = 0;
    TimeByCause spent{};  ///< on the critical path to `finished`, from the first enabling on it
    std::uint64_t bus_errors = 0;
    bool beyond_limit = false;  ///< stopped at its address limit: `kBeyondLimit`
};

}  // namespace n6vp::models::npu

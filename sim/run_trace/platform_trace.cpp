// SPDX-License-Identifier: Apache-2.0
#include "sim/run_trace/platform_trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "memmap/interrupts.h"
#include "sim/platform/object_names.h"

namespace n6vp::sim::trace {

namespace {

using models::Picoseconds;
using traces::kNoTrack;
using traces::TraceDetails;
using traces::TraceLog;
using traces::TraceTime;
using traces::Track;
using traces::TrackId;

constexpr unsigned kNumberBits = 32;

[[nodiscard]] const char* kind_name(models::npu::NpuEvent::Kind kind) {
    constexpr const char* kNames[] = {"epoch fault", "illegal",     "refused",
                                      "assumption",  "bus error",   "beyond limit",
                                      "deadlock",    "gated write", "no register"};
    return kNames[static_cast<std::size_t>(kind)];
}

[[nodiscard]] const char* kind_name(models::NpuCacheEvent::Kind kind) {
    constexpr const char* kNames[] = {"NPU reads stale bytes", "stale bytes read behind the cache",
                                      "NPU's bytes lost", "bytes lost to a write-back"};
    return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace

std::string exception_name(unsigned number) {
    constexpr const char* kNames[] = {
        "thread",       "reset",       "NMI",    "HardFault", "MemManage", "BusFault",
        "UsageFault",   "SecureFault", "8",      "9",         "10",        "SVCall",
        "DebugMonitor", "13",          "PendSV", "SysTick"};
    constexpr unsigned kFirstLine = 16;
    if (number < kFirstLine) return kNames[number];
    const auto line = static_cast<std::uint16_t>(number - kFirstLine);
    const memmap::Interrupt* const known = memmap::interrupt_on_line(line);
    if (known == nullptr) return fmt::format("IRQ {}", line);
    if (known->count == 1) return known->name;
    return fmt::format("{} channel {}", known->name, line - known->first);
}

PlatformTrace::PlatformTrace(Platform& platform, const Choice& choice)
    : platform_(platform),
      symbols_(choice.symbols),
      activity_(std::make_unique<BusActivity>(platform)) {
    open_engines_.fill(TraceLog::kNotKept);
    open_lines_.fill(TraceLog::kNotKept);
    add_tracks();
    counted_.resize(log_.tracks().size());
    listen_to_core();
    listen_to_npu();
    listen_for_events();
    platform.bus().record(*activity_);
    if (!choice.functions) return;
    platform.core().core().set_trace(
        [this](const models::core::CpuState&, std::uint32_t pc, std::uint32_t) { executes(pc); });
}

TraceTime PlatformTrace::core_time() const {
    return platform_.time_of(platform_.core().own_time());
}

TraceTime PlatformTrace::kernel_time() {
    return sc_core::sc_time_stamp().value();
}

void PlatformTrace::add_tracks() {
    const auto group = [this](const char* name, const char* category) {
        return log_.add_track({name, Track::Kind::Group, kNoTrack, category, 0, {}});
    };
    const auto slices = [this](TrackId parent, std::string name, unsigned bits,
                               const char* category) {
        return log_.add_track({std::move(name), Track::Kind::Slices, parent, category, bits, {}});
    };
    const auto counter = [this](TrackId parent, std::string name, const char* unit,
                                const char* category) {
        return log_.add_track({std::move(name), Track::Kind::Counter, parent, category, 0, unit});
    };
    const TrackId program = group("Program", "phase");
    phase_ = slices(program, "phase", kNumberBits, "phase");
    const TrackId core = group("Core", "core");
    function_ = slices(core, "function", kNumberBits, "function");
    exception_ = slices(core, "exception", kNumberBits, "interrupt");
    sleep_ = slices(core, "asleep", 1, "core");
    const TrackId npu = group("NPU", "npu");
    epoch_ = slices(npu, "epoch", kNumberBits, "npu");
    for (unsigned i = 0; i < kEngines; ++i) {
        engines_[i] = slices(npu, fmt::format("STRENG{}", i), 1, "engine");
    }
    const TrackId interrupts = group("Interrupt lines", "interrupt");
    for (unsigned i = 0; i < kLines; ++i) {
        lines_[i] = slices(interrupts, fmt::format("NPU{}", i), 1, "interrupt");
    }
    cache_line_ = slices(interrupts, "CACHEAXI", 1, "interrupt");
    const TrackId bus = group("Bus ports", "bus");
    for (unsigned i = 0; i < platform_.initiators(); ++i) {
        ports_.push_back(counter(bus, platform_.initiator_name(i), "MB/s", "bus"));
    }
    const TrackId memories = group("Memory ports", "memory");
    for (const Platform::Memory& memory : platform_.memories()) {
        const auto share = [&](const char* what) {
            return counter(memories, fmt::format("{} {}", memory.region->name, what), "%",
                           "memory");
        };
        memories_.push_back({share("reading"), share("writing")});
    }
    const TrackId cache = group("NPU cache", "cache");
    hits_ = counter(cache, "read hits", "1/us", "cache");
    misses_ = counter(cache, "read misses", "1/us", "cache");
    cache_events_ = slices(cache, "missing maintenance", 0, "cache");
    const TrackId events = group("Events", "event");
    events_ = slices(events, "faults", 0, "event");
}

void PlatformTrace::add_pins(const std::vector<std::string>& names) {
    if (names.empty()) return;
    const TrackId group = log_.add_track({"Pins", Track::Kind::Group, kNoTrack, "pin", 0, {}});
    for (const std::string& name : names)
        pins_.push_back({log_.add_track({name, Track::Kind::Slices, group, "pin", 1, {}})});
    counted_.resize(log_.tracks().size());
}

void PlatformTrace::pin(std::size_t index, bool level, Picoseconds at) {
    PinTrack& pin = pins_[index];
    if (level) {
        pin.open = log_.begin(pin.track, platform_.time_of(at), "high");
    } else {
        log_.end(pin.open, platform_.time_of(at));
        pin.open = TraceLog::kNotKept;
    }
}

void PlatformTrace::listen_to_core() {
    platform_.events().exception.listen(
        kTracePlace, [this](unsigned number, bool begins) { exception(number, begins); });
    platform_.core().on_sleep.listen(kTracePlace, [this](bool asleep) {
        if (asleep) {
            open_sleep_ = log_.begin(sleep_, core_time(), "asleep");
        } else {
            log_.end(open_sleep_, platform_.time_of(kernel_time()));
        }
    });
}

void PlatformTrace::exception(unsigned number, bool begins) {
    if (begins) {
        open_exceptions_.emplace_back(number,
                                      log_.begin(exception_, core_time(), exception_name(number),
                                                 {{"number", std::uint64_t{number}}}, number));
        return;
    }
    const auto found = std::find_if(open_exceptions_.rbegin(), open_exceptions_.rend(),
                                    [number](const auto& one) { return one.first == number; });
    if (found == open_exceptions_.rend()) return;
    log_.end(found->second, core_time());
    open_exceptions_.erase(std::next(found).base());
}

void PlatformTrace::line(TrackId track, std::size_t& open, const std::string& name, bool level) {
    const TraceTime at = platform_.time_of(kernel_time());
    if (level) {
        open = log_.begin(track, at, name);
    } else {
        log_.end(open, at);
        open = TraceLog::kNotKept;
    }
}

void PlatformTrace::listen_to_npu() {
    models::NpuModule& npu = platform_.npu();
    npu.on_engine.listen(kTracePlace,
                         [this](unsigned number, const models::npu::StreamConfig& stream,
                                const models::npu::EngineCounters* counters,
                                Picoseconds at) { engine(number, stream, counters, at); });
    npu.on_interrupt.listen(kTracePlace, [this](unsigned number, bool level) {
        if (number < kLines) {
            line(lines_[number], open_lines_[number], fmt::format("NPU{}", number), level);
        }
    });
    platform_.npu_cache().on_interrupt.listen(kTracePlace, [this](bool level) {
        line(cache_line_, open_cache_line_, "CACHEAXI", level);
    });
}

void PlatformTrace::engine(unsigned number, const models::npu::StreamConfig& stream,
                           const models::npu::EngineCounters* counters, Picoseconds at) {
    if (number >= kEngines) return;
    activity_->look(at);
    const TraceTime time = platform_.time_of(at);
    if (counters == nullptr) {
        const memmap::Location location = memmap::find_region(GuestAddr{stream.addr});
        open_engines_[number] =
            log_.begin(engines_[number], time, stream.dir ? "write" : "read",
                       {{"object", npu_object(fmt::format("STRENG{}", number))},
                        {"address", fmt::format("0x{:08x}", stream.addr)},
                        {"memory", std::string(location ? location.region->name : "nowhere")}});
        return;
    }
    const Picoseconds stalled = counters->stalled;
    log_.end(open_engines_[number], time,
             {{"bytes", counters->bytes},
              {"words", counters->words},
              {"stalled ns", static_cast<double>(stalled) * 1e-3}});
    open_engines_[number] = TraceLog::kNotKept;
}

void PlatformTrace::listen_for_events() {
    models::ChipEvents& events = platform_.events();
    events.access_fault.listen(kTracePlace, [this](const models::AccessFault& fault) {
        log_.mark(events_, platform_.time_of(fault.at),
                  fault.answered_zero ? "access answered zero" : "access fault",
                  {{"address", fmt::format("0x{:08x}", fault.address)},
                   {"by", std::string(platform_.initiator_name(fault.initiator))},
                   {"object", port_object(fault.initiator)},
                   {"reason", std::string(fault.reason)}});
    });
    events.buffer_in_use.listen(kTracePlace, [this](const models::BufferInUse& use) {
        log_.mark(events_, platform_.time_of(use.at), "buffer in use",
                  {{"address", fmt::format("0x{:08x}", use.address)},
                   {"by", std::string(platform_.initiator_name(use.initiator))},
                   {"object", port_object(use.initiator)},
                   {"user", std::string(use.claim)}});
    });
    platform_.npu().on_event.listen(kTracePlace, [this](const models::npu::NpuEvent& event) {
        log_.mark(
            events_, platform_.time_of(event.at),
            fmt::format("{}: {}", event.unit.empty() ? "NPU" : event.unit, kind_name(event.kind)),
            {{"object", npu_object(event.unit)}, {"text", event.text}});
    });
    events.npu_cache_coherence.listen(kTracePlace, [this](const models::NpuCacheEvent& event) {
        log_.mark(cache_events_, core_time(), kind_name(event.kind),
                  {{"address", fmt::format("0x{:08x}", event.address)},
                   {"bytes", std::uint64_t{event.bytes}}});
    });
    events.core_coherence.listen(kTracePlace, [this](const models::core::CoherenceEvent& event) {
        log_.mark(cache_events_, core_time(), "core's cache: stale bytes",
                  {{"address", fmt::format("0x{:08x}", event.address)}});
    });
}

const std::string& PlatformTrace::function_at(std::uint32_t pc) {
    const auto [place, is_new] = functions_.try_emplace(pc);
    if (!is_new) return place->second;
    std::string name = symbols_ != nullptr ? symbols_->describe(pc) : std::string();
    name = name.substr(0, name.find('+'));
    if (name.empty()) {
        const memmap::Location location = memmap::find_region(GuestAddr{pc});
        name = location ? fmt::format("code in {}", location.region->name) : "code";
    }
    place->second = std::move(name);
    return place->second;
}

/// Functions follow each other on their track; who called whom is not found out.
void PlatformTrace::executes(std::uint32_t pc) {
    if (pc >= function_first_ && pc <= function_last_) return;
    const std::string& name = function_at(pc);
    if (name == function_name_) {
        function_first_ = std::min(function_first_, pc);
        function_last_ = std::max(function_last_, pc);
        return;
    }
    const TraceTime at = core_time();
    log_.end(open_function_, at);
    open_function_ = log_.begin(function_, at, name, {{"pc", fmt::format("0x{:08x}", pc)}}, pc);
    function_name_ = name;
    function_first_ = function_last_ = pc;
}

void PlatformTrace::add_phases(const std::vector<Phase>& phases) {
    for (const Phase& phase : phases) {
        const std::string name =
            phase.name.empty() ? fmt::format("phase {}", phase.id) : phase.name;
        TraceDetails details{{"cycles", phase.counted.cycles},
                             {"instructions", phase.counted.instructions}};
        log_.slice(phase_, platform_.time_of(phase.start), platform_.time_of(phase.end), name,
                   std::move(details), phase.id);
    }
}

namespace {

/// What every report says of an epoch.
[[nodiscard]] TraceDetails epoch_details(std::size_t index, const traces::EpochRecord& epoch) {
    TraceDetails details{{"index", std::uint64_t{index}},
                         {"NPU cycles", epoch.npu_cycles},
                         {"engines", epoch.engines},
                         {"MAC", epoch.macs},
                         {"MAC use", epoch.utilisation},
                         {"bytes read", epoch.bytes_read},
                         {"bytes written", epoch.bytes_written},
                         {"controller bytes", epoch.controller_bytes},
                         {"cache hits", epoch.cache_hits},
                         {"cache misses", epoch.cache_misses},
                         {"waited cycles", epoch.waited_cycles},
                         {"bursts waited ns", static_cast<double>(epoch.bursts_waited) * 1e-3}};
    if (!epoch.bound.empty()) {
        details.push_back({"bound by", epoch.bound.front().cause});
        details.push_back({"share", epoch.bound.front().share});
    }
    return details;
}

}  // namespace

void PlatformTrace::add_epochs(const std::vector<traces::EpochRecord>& epochs) {
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        const traces::EpochRecord& epoch = epochs[i];
        TraceDetails details = epoch_details(i, epoch);
        const auto number = static_cast<std::uint64_t>(
            epoch.number < 0 ? static_cast<std::int64_t>(i) : epoch.number);
        log_.slice(epoch_, epoch.start, epoch.end,
                   epoch.number < 0 ? fmt::format("#{}", i) : fmt::format("epoch {}", number),
                   std::move(details), number);
    }
}

/// A value that stays is written once.
void PlatformTrace::count(TrackId track, Picoseconds at, double value) {
    double& last = counted_[track];
    if (last == value) return;
    last = value;
    log_.count(track, platform_.time_of(at), value);
}

void PlatformTrace::add_activity() {
    activity_->finish(kernel_time());
    const auto interval = static_cast<double>(activity_->interval());
    std::optional<std::uint64_t> last;
    const auto fall_silent = [&](std::uint64_t number) {
        const Picoseconds at = number * activity_->interval();
        for (TrackId track = 0; track < counted_.size(); ++track) count(track, at, 0);
    };
    for (const auto& [number, values] : activity_->intervals()) {
        if (last && number != *last + 1) fall_silent(*last + 1);
        last = number;
        const Picoseconds at = number * activity_->interval();
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            // Bytes per picosecond are millions of MB/s.
            count(ports_[i], at, static_cast<double>(values.bytes[i]) * 1e6 / interval);
        }
        for (std::size_t i = 0; i < memories_.size(); ++i) {
            const BusActivity::Served& served = values.served[i];
            count(memories_[i].reading, at, static_cast<double>(served.reading) * 100 / interval);
            count(memories_[i].writing, at, static_cast<double>(served.writing) * 100 / interval);
        }
        count(hits_, at, static_cast<double>(values.cache_hits) * 1e6 / interval);
        count(misses_, at, static_cast<double>(values.cache_misses) * 1e6 / interval);
    }
    if (last) fall_silent(*last + 1);
}

void PlatformTrace::finish(const std::vector<Phase>& phases,
                           const std::vector<traces::EpochRecord>& epochs) {
    log_.finish(platform_.time_of(kernel_time()));
    // What comes now is the frame of all that was kept.
    log_.allow(phases.size() + epochs.size() + BusActivity::kMaxIntervals * counted_.size());
    add_phases(phases);
    add_epochs(epochs);
    add_activity();
}

}  // namespace n6vp::sim::trace

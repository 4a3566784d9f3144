// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/epoch_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <string_view>
#include <utility>

#include "sim/epoch/epoch_bound.h"

namespace n6vp::sim::trace {

namespace {

using models::Picoseconds;
using traces::EpochRecord;
using Monitor = models::CacheAxi::Monitor;

[[nodiscard]] std::string engines_text(const std::set<unsigned>& readers,
                                       const std::set<unsigned>& writers) {
    std::string text;
    for (const unsigned engine : readers) text += fmt::format("{} ", engine);
    text += '>';
    for (const unsigned engine : writers) text += fmt::format(" {}", engine);
    return text;
}

/// Returns the number in "block 3 epoch 5", -1 for a phase that names none, or several.
[[nodiscard]] std::int64_t epoch_in(std::string_view phase) {
    constexpr std::string_view kWord = "epoch ";
    const std::size_t at = phase.find(kWord);
    if (at == std::string_view::npos) return -1;
    const std::string_view digits = phase.substr(at + kWord.size());
    std::uint32_t number = 0;
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc{} && stop == digits.data() + digits.size() ? number : -1;
}

}  // namespace

EpochLog::EpochLog(Platform& platform) : platform_(platform) {
    models::NpuModule& npu = platform.npu();
    npu.on_engine = [this, before = npu.on_engine](
                        unsigned engine, const models::npu::StreamConfig& stream,
                        const models::npu::EngineCounters* counters, Picoseconds at) {
        if (before) before(engine, stream, counters, at);
        if (counters == nullptr) {
            begin(engine, stream, at);
        } else {
            end(engine, *counters, at);
        }
    };
    npu.on_label = [this, before = npu.on_label](std::uint32_t number, Picoseconds at) {
        if (before) before(number, at);
        label(number, at);
    };
    npu.on_interrupt = [this, before = npu.on_interrupt](unsigned line, bool level) {
        if (before) before(line, level);
        if (level && blob_has_ended()) close(std::nullopt);
    };
    npu.on_convolution = [this, before = npu.on_convolution](
                             unsigned unit, const models::npu::ConvolutionNode::Counters& done,
                             Picoseconds at) {
        if (before) before(unit, done, at);
        multiplied(unit, done.products);
    };
}

EpochSnapshot EpochLog::snapshot() {
    EpochSnapshot now;
    now.targets.resize(platform_.targets());
    for (const Initiator master : {Initiator::Npu0, Initiator::Npu1, Initiator::EpochController}) {
        for (unsigned target = 0; target < now.targets.size(); ++target) {
            const models::Flow& flow = platform_.bus().flow(number(master), target);
            now.targets[target].read += flow.bytes_read;
            now.targets[target].written += flow.bytes_written;
            now.targets[target].waited += flow.waited;
        }
    }
    const models::CacheAxi::Statistics& cache = platform_.npu_cache().statistics();
    now.hits = cache.of(Monitor::ReadHit);
    now.misses = cache.of(Monitor::ReadMiss);
    return now;
}

void EpochLog::open(std::int64_t number, bool by_controller, Picoseconds at) {
    open_.emplace();
    open_->record.number = number;
    open_->record.by_controller = by_controller;
    open_->record.start = open_->record.end = at;
    open_->before = snapshot();
}

void EpochLog::label(std::uint32_t label, Picoseconds at) {
    if (open_) close(at);
    open(label, true, at);
}

/// A blob that has ended leaves its last epoch open.
bool EpochLog::blob_has_ended() const {
    return open_ && open_->record.by_controller && open_->worked &&
           !platform_.npu().npu().program_running();
}

void EpochLog::begin(unsigned engine, const models::npu::StreamConfig& stream, Picoseconds at) {
    if (blob_has_ended()) close(std::nullopt);
    if (!open_) open(-1, false, at);
    (stream.dir ? open_->writers : open_->readers).insert(engine);
    open_->active.insert(engine);
    open_->worked = true;
}

void EpochLog::end(unsigned engine, const models::npu::EngineCounters& counters, Picoseconds at) {
    if (!open_ || open_->active.erase(engine) == 0) return;
    OpenEpoch& epoch = *open_;
    epoch.record.end = std::max(epoch.record.end, at);
    if (epoch.writers.contains(engine) && counters.finished != 0) {
        epoch.output_ended = true;
        if (counters.finished >= epoch.last_output) {
            epoch.last_output = counters.finished;
            epoch.spent = counters.spent;
        }
    }
    if (!epoch.active.empty()) return;
    measure(epoch);
    if (!epoch.record.by_controller && epoch.output_ended) close(std::nullopt);
}

/// A unit is often switched off behind the end of its epoch.
void EpochLog::multiplied(unsigned unit, std::uint64_t products) {
    if (products == 0) return;
    const std::uint64_t bit = std::uint64_t{1} << unit % 64;
    if (open_) {
        open_->record.macs += products;
        open_->units |= bit;
    } else if (!epochs_.empty() && not_kept_ == 0) {
        epochs_.back().macs += products;
        last_units_ |= bit;
    }
    if (open_ || epochs_.empty() || not_kept_ != 0) return;
    EpochRecord& last = epochs_.back();
    const double slots = platform_.parameters().npu.convolution.mac_slots.value *
                         std::popcount(last_units_) * last.cycles;
    last.utilisation = slots > 0 ? static_cast<double>(last.macs) / slots : 0;
}

/// What has flowed since the epoch began, replacing what was known.
void EpochLog::measure(OpenEpoch& epoch) {
    const EpochSnapshot now = snapshot();
    EpochRecord& record = epoch.record;
    record.traffic.clear();
    record.waited = 0;
    for (unsigned target = 0; target < now.targets.size(); ++target) {
        const EpochSum &sum = now.targets[target], &before = epoch.before.targets[target];
        if (sum.read == before.read && sum.written == before.written) continue;
        record.traffic.push_back({platform_.target_name(target), sum.read - before.read,
                                  sum.written - before.written, sum.waited - before.waited});
        record.waited += sum.waited - before.waited;
    }
    record.cache_hits = now.hits - epoch.before.hits;
    record.cache_misses = now.misses - epoch.before.misses;
}

/// The critical path of the engine that ended last; the rest is configuration.
void EpochLog::explain(OpenEpoch& epoch, EpochRecord& record) const {
    const double cycle = 1e12 / platform_.clocks().hz(memmap::ClockDomain::Npu);
    const auto total = static_cast<double>(record.end - record.start);
    record.cycles = total / cycle;
    if (total <= 0 || !epoch.output_ended) return;
    double rest = 1;
    for (std::size_t i = 0; i < models::npu::kCauses; ++i) {
        const double share = static_cast<double>(epoch.spent[i]) / total;
        rest -= share;
        if (share > 0) record.bound.push_back({kCauseNames[i], share});
    }
    record.bound.push_back({kConfigurationCause, std::max(0.0, rest)});
    std::stable_sort(record.bound.begin(), record.bound.end(),
                     [](const auto& one, const auto& two) { return one.share > two.share; });
    const double slots = platform_.parameters().npu.convolution.mac_slots.value *
                         std::popcount(epoch.units) * record.cycles;
    if (slots > 0) record.utilisation = static_cast<double>(record.macs) / slots;
}

void EpochLog::close(std::optional<Picoseconds> at) {
    if (!open_) return;
    OpenEpoch epoch = std::move(*open_);
    open_.reset();
    if (!epoch.worked) return;
    if (epochs_.size() >= kMost) {
        ++not_kept_;
        return;
    }
    if (at || !epoch.active.empty()) {
        measure(epoch);
        epoch.record.end = std::max(epoch.record.end, at.value_or(0));
    }
    EpochRecord record = std::move(epoch.record);
    record.ended = epoch.output_ended && epoch.active.empty();
    record.engines = engines_text(epoch.readers, epoch.writers);
    explain(epoch, record);
    last_units_ = epoch.units;
    epochs_.push_back(std::move(record));
}

void EpochLog::finish(const std::vector<Phase>& phases) {
    const bool stuck = open_ && !open_->active.empty();
    close(stuck ? std::optional(sc_core::sc_time_stamp().value()) : std::nullopt);
    // Both are in the order of their beginnings.
    std::vector<const Phase*> around;
    auto next = phases.begin();
    for (EpochRecord& epoch : epochs_) {
        for (; next != phases.end() && next->start <= epoch.start; ++next) {
            around.push_back(&*next);
            // What has ended before will hold no later epoch.
            std::erase_if(around, [&](const Phase* one) { return one->end <= next->start; });
        }
        std::erase_if(around, [&](const Phase* one) { return one->end <= epoch.start; });
        if (!around.empty()) epoch.phase = around.back()->name;
        if (epoch.number < 0) epoch.number = epoch_in(epoch.phase);
        epoch.start = platform_.time_of(epoch.start);
        epoch.end = platform_.time_of(epoch.end);
    }
}

}  // namespace n6vp::sim::trace

// SPDX-License-Identifier: Apache-2.0
#include "sim/epoch/epoch_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/epoch/epoch_program.h"
#include "sim/host/errors.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

using models::Picoseconds;
using models::npu::NpuEvent;

/// How far the kernel goes before the bench looks again.
constexpr Picoseconds kStep = 100'000'000;
constexpr Picoseconds kCacheReset = 2'000'000;
constexpr std::uint32_t kCacheEnable = 1;  ///< CACHEAXI CR1.EN

[[nodiscard]] bool stops_epoch(NpuEvent::Kind kind) {
    return kind == NpuEvent::Kind::Deadlock || kind == NpuEvent::Kind::EpochFault;
}

}  // namespace

EpochBench::EpochBench(const PlatformParameters& parameters, const PlatformOptions& options)
    : platform_(parameters, options),
      events_(platform_, nullptr),
      log_(platform_),
      cycle_(models::cycles_to_ps(1, 1e6 * parameters.clock.npu.value)) {
    events_.listen();
    listen();
    platform_.elaborate();
    start();
}

void EpochBench::listen() {
    models::NpuModule& npu = platform_.npu();
    npu.on_engine.listen(
        kDriverPlace, [this](unsigned engine, const models::npu::StreamConfig& stream,
                             const models::npu::EngineCounters* counters, Picoseconds at) {
            const auto known = std::find_if(result_.engines.begin(), result_.engines.end(),
                                            [&](const auto& one) { return one.engine == engine; });
            EngineResult& row =
                known == result_.engines.end() ? result_.engines.emplace_back() : *known;
            row.engine = engine;
            row.output = stream.dir;
            if (counters == nullptr) return;
            row.counters = *counters;
            row.ended = counters->finished != 0;
            if (row.ended) {
                row.active = static_cast<double>(counters->finished - counters->started) /
                             static_cast<double>(cycle_);
            }
            now_ = std::max(now_, at);
            if (!waits()) sc_core::sc_pause();
        });
    npu.on_convolution.listen(
        kDriverPlace,
        [this](unsigned unit, const models::npu::ConvolutionNode::Counters& done, Picoseconds) {
            result_.convolutions.push_back({unit, done.frames, done.products, 0});
        });
    npu.on_event.listen(kDriverPlace, [this](const NpuEvent& event) {
        if (!stops_epoch(event.kind)) return;
        stuck_ = true;
        now_ = std::max(now_, event.at);
        sc_core::sc_pause();
    });
    listen_to_program();
}

void EpochBench::listen_to_program() {
    models::NpuModule& npu = platform_.npu();
    npu.on_label.listen(kDriverPlace, [this](std::uint32_t label, Picoseconds at) {
        if (!programmed_) return;
        const std::string name = fmt::format("{} label {}", name_, label);
        if (result_.engines.empty()) {
            result_.name = name;
            return;
        }
        result_.ended = true;
        set_cycles(at);
        close();
        open(name);
        since_ = at;
        result_.start = platform_.time_of(at);
    });
    npu.on_interrupt.listen(kDriverPlace, [this](unsigned line, bool level) {
        if (line != 0 || !level || !programmed_) return;
        program_ended_ = true;
        program_end_ = sc_core::sc_time_stamp().value();
        now_ = std::max(now_, program_end_);
        sc_core::sc_pause();
    });
}

void EpochBench::start() {
    // The cache takes no commands while it clears its tags after reset.
    platform_.let_pass(kCacheReset);
    now_ = sc_core::sc_time_stamp().value();
    (void)platform_.npu_cache().registers().write(0, kCacheEnable, ~0u, now_);
    for (const WindowWrite& one : start_writes()) write(one.offset, one.value);
    platform_.let_pass(cycle_);
    now_ += cycle_;
}

void EpochBench::write(std::uint32_t offset, std::uint32_t value) {
    (void)platform_.npu().registers().write(offset, value, ~0u, now_);
}

bool EpochBench::waits() const {
    if (programmed_) return !program_ended_;
    return std::any_of(waited_.begin(), waited_.end(), [this](unsigned engine) {
        return std::none_of(
            result_.engines.begin(), result_.engines.end(),
            [engine](const EngineResult& row) { return row.engine == engine && row.ended; });
    });
}

void EpochBench::load(const std::vector<BenchBuffer>& buffers) {
    for (const BenchBuffer& buffer : buffers) {
        if (buffer.content.empty()) continue;
        if (platform_.store(GuestAddr{buffer.address}, buffer.content)) continue;
        throw UserError(fmt::format("{}: writing buffer '{}' to memory failed", buffer.origin,
                                    traces::terminal_text(buffer.name)),
                        "n6vp map lists the memories");
    }
}

std::vector<EpochResult> EpochBench::run(const EpochFile& file) {
    not_run_ = file.epochs.size();
    for (const BenchEpoch& epoch : file.epochs) {
        run(epoch);
        --not_run_;
        if (!results_.back().ended) break;
    }
    return std::move(results_);
}

void EpochBench::run(const BenchEpoch& epoch) {
    const EpochProgram program = make_program(epoch);
    name_ = epoch.name;
    waited_ = epoch.waited;
    programmed_ = epoch.blob.has_value();
    stuck_ = program_ended_ = false;
    open(epoch.name);
    const bool timed = platform_.options().timing != models::core::Timing::Functional;
    result_.start_cycles = timed ? platform_.parameters().epoch_bench.host_start.value : 0;
    now_ += static_cast<Picoseconds>(result_.start_cycles * static_cast<double>(cycle_));
    for (const WindowWrite& one : program.configure) write(one.offset, one.value);
    for (const WindowWrite& one : program.enable) write(one.offset, one.value);
    since_ = now_;
    result_.start = platform_.time_of(since_);
    await_end();
    const Picoseconds last = now_;
    waited_.clear();
    programmed_ = false;
    for (const WindowWrite& one : program.clear) write(one.offset, one.value);
    const Picoseconds kernel = sc_core::sc_time_stamp().value();
    // The writes are done before the next ones come.
    now_ = std::max(now_, kernel) + cycle_;
    while (sc_core::sc_time_stamp().value() < now_) {
        platform_.let_pass(now_ - sc_core::sc_time_stamp().value());
    }
    if (epoch.blob && result_.ended) {
        set_cycles(std::max(last, program_end_));
    } else if (!epoch.blob) {
        for (const EngineResult& row : result_.engines) {
            const bool waited = std::find(epoch.waited.begin(), epoch.waited.end(), row.engine) !=
                                epoch.waited.end();
            if (waited && row.ended) set_cycles(row.counters.finished);
        }
    }
    log_.finish();
    close();
}

void EpochBench::set_cycles(Picoseconds end) {
    // Of a program without interrupt the last engine's end is known, not its own: a last label
    // without work begins behind that.
    if (end <= since_) return;
    result_.cycles =
        std::max(result_.cycles, static_cast<double>(end - since_) / static_cast<double>(cycle_));
}

void EpochBench::await_end() {
    const Picoseconds start = since_;
    // An engine that refused to begin leaves nothing behind that could end.
    const auto idle = [this, start] {
        return sc_core::sc_time_stamp().value() > start &&
               platform_.npu().npu().due() == models::kNever;
    };
    const double longest = platform_.parameters().epoch_bench.longest.value;
    const auto endless = [this, start, longest] {
        const Picoseconds kernel = sc_core::sc_time_stamp().value();
        return kernel > start &&
               static_cast<double>(kernel - start) > longest * static_cast<double>(cycle_);
    };
    while (waits() && !stuck_ && !idle() && !result_.endless) {
        platform_.let_pass(kStep);
        result_.endless = waits() && endless();
    }
    // A program may end without its interrupt.
    if (programmed_ && idle() && !stuck_) program_ended_ = true;
    result_.ended = !waits();
}

void EpochBench::open(const std::string& name) {
    result_ = {};
    result_.name = name;
    events_before_ = events_.events().size();
}

void EpochBench::close() {
    set_summary();
    std::sort(result_.engines.begin(), result_.engines.end(),
              [](const auto& one, const auto& two) { return one.engine < two.engine; });
    std::sort(result_.convolutions.begin(), result_.convolutions.end(),
              [](const auto& one, const auto& two) { return one.unit < two.unit; });
    const double slots = platform_.parameters().npu.convolution.mac_slots.value;
    for (ConvolutionResult& unit : result_.convolutions) {
        if (result_.summary.npu_cycles > 0) {
            unit.utilisation =
                static_cast<double>(unit.products) / (slots * result_.summary.npu_cycles);
        }
    }
    for (std::size_t i = events_before_; i < events_.events().size(); ++i) {
        result_.problems.push_back(events_.events()[i].cause);
    }
    if (result_.endless) {
        result_.problems.push_back(
            fmt::format("still running after {:.0f} cycles (epoch_bench.longest)",
                        platform_.parameters().epoch_bench.longest.value));
    } else if (!result_.ended && !stuck_) {
        result_.problems.emplace_back("all units are idle: an awaited engine has not started");
    }
    results_.push_back(std::move(result_));
    result_ = {};
}

void EpochBench::set_summary() {
    const std::vector<LoggedEpoch>& epochs = log_.epochs();
    for (; summarised_ < epochs.size(); ++summarised_) {
        if (!epochs[summarised_].worked()) continue;
        result_.summary.add(summarise(epochs[summarised_], platform_.parameters()));
    }
}

std::vector<std::uint8_t> EpochBench::contents(const BenchBuffer& buffer) {
    std::vector<std::uint8_t> bytes(buffer.bytes);
    if (!platform_.fetch(GuestAddr{buffer.address}, bytes)) bytes.clear();
    return bytes;
}

std::vector<BufferDifference> EpochBench::check(const std::vector<BenchBuffer>& buffers) {
    std::vector<BufferDifference> differences;
    for (const BenchBuffer& buffer : buffers) {
        if (!buffer.expected) continue;
        const BufferExpectation& expected = *buffer.expected;
        std::vector<std::uint8_t> bytes = contents(buffer);
        bytes.resize(std::min<std::size_t>(bytes.size(), expected.count));
        if (expected.crc32) {
            const std::uint32_t found = crc32(bytes);
            if (found == *expected.crc32) continue;
            differences.push_back(
                {buffer.name, expected.origin,
                 fmt::format("CRC-32 of {} bytes is 0x{:08x}, 0x{:08x} was expected", bytes.size(),
                             found, *expected.crc32)});
            continue;
        }
        const auto [found, wanted] =
            std::mismatch(bytes.begin(), bytes.end(), expected.bytes.begin(), expected.bytes.end());
        if (found == bytes.end() && wanted == expected.bytes.end()) continue;
        const auto offset = static_cast<std::size_t>(found - bytes.begin());
        std::size_t count = 0;
        for (std::size_t i = offset; i < bytes.size(); ++i) {
            count += bytes[i] != expected.bytes[i] ? 1 : 0;
        }
        differences.push_back(
            {buffer.name, expected.origin,
             fmt::format("byte {} at 0x{:08x} is 0x{:02x}, 0x{:02x} was expected; {} of {} differ",
                         offset, buffer.address + offset, *found, *wanted, count, bytes.size())});
    }
    return differences;
}

}  // namespace n6vp::sim

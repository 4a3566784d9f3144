// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "sim/host/log.h"
#include "sim/platform/platform.h"
#include "sim/platform/platform_digest.h"

namespace n6vp::sim {

namespace {

using models::Picoseconds;
using models::core::Stop;

/// Longest stretch without a look at the limits.
constexpr Picoseconds kSlice = 1'000'000'000;  // 1 ms

[[nodiscard]] Picoseconds now() {
    return sc_core::sc_time_stamp().value();
}

}  // namespace

Picoseconds Platform::time() const {
    return now() - reset_time_;
}

RunEnd Platform::advance(const RunLimits& limits, const std::function<bool()>& poll) {
    elaborate();
    released_ = true;
    core().release_reset();
    if (core().stopped() == Stop::Requested) core().resume();
    const Picoseconds start = now();
    log(LogComponent::Platform, LogLevel::Debug, "the core runs from 0x{:08x} on",
        core().core().pc());
    while (true) {
        Picoseconds slice = kSlice;
        if (limits.time != 0) slice = std::min(slice, limits.time - (now() - start));
        if (limits.instructions != 0) {
            const std::uint64_t done = core().core().instructions();
            if (done >= limits.instructions && now() != start) return RunEnd::Instructions;
            // Not more than two instructions go into a cycle.
            const double least = static_cast<double>(limits.instructions - done) / 2;
            const auto safe = static_cast<Picoseconds>(least * 1e12 / core().clock_hz());
            slice = std::min(slice, std::max(safe, options_.quantum));
        }
        if (slice == 0) return RunEnd::Time;
        sc_core::sc_start(models::to_sc_time(slice), sc_core::SC_RUN_TO_TIME);
        if (core().stopped() != Stop::Budget) return RunEnd::Stopped;
        if (!sc_core::sc_pending_activity()) return RunEnd::Asleep;
        if (poll && !poll()) return RunEnd::Polled;
    }
}

void Platform::let_pass(Picoseconds duration) {
    elaborate();
    let_core_stand();
    if (duration != 0) sc_core::sc_start(models::to_sc_time(duration), sc_core::SC_RUN_TO_TIME);
}

void Platform::let_core_stand() {
    if (!released_ || !elaborated_) return;
    // Inside one of its accesses the core would go on with memory that is no more.
    while (core().stopped() == Stop::Budget) {
        core().stop();
        sc_core::sc_start(models::to_sc_time(options_.quantum), sc_core::SC_RUN_TO_TIME);
    }
}

void Platform::reset(models::core::Reset kind) {
    elaborate();
    const bool power_on = kind == models::core::Reset::PowerOn;
    if (power_on) {
        let_core_stand();
        // The next run must not find the NPU ahead.
        npu().registers().reset();
        if (npu().lead() != 0) sc_core::sc_start(models::to_sc_time(npu().lead()));
        chip_.reset_memories();
        data_path_.reset();
    }
    chip_.reset_units();
    if (power_on) {
        for (const Image& image : images_) (void)store(image.to, image.bytes);
        core().core().invalidate(0, 0xFFFFFFFF);
        digest_->reset(now());
        reset_time_ = now();
        chip_.restart_traffic();
    }
    log(LogComponent::Platform, LogLevel::Info, "{} reset", power_on ? "power-on" : "warm");
    if (released_) core().reset(kind);
}

void Platform::restart(models::core::Reset kind) {
    core().stop_at_reset();
    reset(kind);
    // The core's process does its part.
    while (core().stops_at_reset())
        sc_core::sc_start(models::to_sc_time(options_.quantum), sc_core::SC_RUN_TO_TIME);
}

std::uint64_t Platform::trace_hash() {
    Digest digest(nullptr);
    digest.add(std::array<std::uint64_t, 2>{digest_->value(), digest_->transactions()});
    models::core::Core& core = this->core().core();
    std::array<std::uint64_t, 18> state{core.cycles(), core.instructions()};
    for (unsigned i = 0; i < 16; ++i) state[2 + i] = core.reg(i);
    digest.add(state);
    for (unsigned initiator = 0; initiator < initiators(); ++initiator) {
        for (unsigned target = 0; target < targets(); ++target) {
            const models::Flow& flow = bus().flow(initiator, target);
            // A port that carries nothing leaves no mark, so that hashes outlive new ports.
            const bool late = initiator > number(Initiator::Host);
            if (late && flow.reads + flow.writes == 0) continue;
            digest.add(std::array<std::uint64_t, 5>{flow.reads, flow.writes, flow.bytes_read,
                                                    flow.bytes_written, flow.waited});
            std::vector<models::Picoseconds> waited_for = flow.waited_for;
            while (waited_for.size() > number(Initiator::Host) + 1 && waited_for.back() == 0)
                waited_for.pop_back();
            digest.add(waited_for);
        }
    }
    constexpr std::uint32_t kPage = models::BackingStore::kPageBytes;
    std::array<std::uint64_t, kPage / 8 + 1> page{};
    for (unsigned i = 0; i < memories().size(); ++i) {
        const models::BackingStore& contents = memories()[i].model->contents();
        for (std::uint32_t at = 0; at < contents.bytes(); at += kPage) {
            if (!contents.known(at)) continue;
            const std::uint32_t count = std::min(kPage, contents.bytes() - at);
            page[0] = std::uint64_t{i} << 32 | at;
            contents.read(at, reinterpret_cast<std::uint8_t*>(&page[1]), count);
            digest.add(std::span(page).first(1 + count / 8));
        }
    }
    return digest.value();
}

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#include "models/soc/crypto/rng.h"

#include <algorithm>

#include "models/duration.h"

namespace n6vp::models {
namespace {

enum RngOffset : std::uint32_t {
    kRngCr = 0x00,
    kRngSr = 0x04,
    kRngDr = 0x08,
    kRngNscr = 0x0C,
    kRngHtcr = 0x10,
};
constexpr std::uint32_t kRngEnable = 1u << 2, kRngInterrupt = 1u << 3, kRngCondition = 1u << 30,
                        kDataReady = 1;

}  // namespace

Rng::Rng(const sc_core::sc_module_name& name, const char* block, const RngParameters& parameters)
    : Rng(name, block, parameters, Traits{}) {}

Rng::Rng(const sc_core::sc_module_name& name, const char* block, const RngParameters& parameters,
         const Traits& traits)
    : sc_module(name), RegisterBlock(block), parameters_(parameters), traits_(traits) {
    SC_HAS_PROCESS(Rng);
    SC_METHOD(step);
    sensitive << ready_event_;
    dont_initialize();
    Rng::reset();
}

void Rng::reset() {
    control_ = traits_.control;
    noise_ = traits_.noise;
    health_ = traits_.health;
    state_ = static_cast<std::uint64_t>(parameters_.seed.value);
    ready_at_ = conditioned_at_ = 0;
    update(sc_core::sc_time_stamp().value());
}

std::uint32_t Rng::next() {
    // SplitMix64, public domain.
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    return static_cast<std::uint32_t>((mixed ^ mixed >> 31) >> 32);
}

bool Rng::ready(Picoseconds at) const {
    const bool runs = (control_ & (kRngEnable | kRngCondition)) == kRngEnable;
    return runs && at >= ready_at_;
}

void Rng::step() {
    update(sc_core::sc_time_stamp().value());
}

/// The interrupt line, now and when the next word is ready.
void Rng::update(Picoseconds at) {
    ready_event_.cancel();
    if (!on_interrupt) return;
    const bool asks = (control_ & kRngInterrupt) != 0;
    const bool level = asks && ready(at);
    if (level != level_) {
        level_ = level;
        on_interrupt(level);
    }
    if (asks && !level && (control_ & kRngEnable) != 0 && at < ready_at_)
        ready_event_.notify(delay_until(ready_at_));
}

void Rng::begin(Picoseconds at) {
    constexpr double kNsPerUs = 1e3;
    ready_at_ = at + ns_to_ps(parameters_.word.value * kNsPerUs);
}

RegisterBlock::Answer Rng::read(std::uint32_t offset, Picoseconds at) {
    switch (offset) {
        case kRngCr:
            return {.value = control_ | (at < conditioned_at_ ? kRngCondition : 0), .name = "CR"};
        case kRngSr:
            return {.value = ready(at) ? kDataReady : 0, .name = "SR"};
        case kRngDr: {
            Answer answer{.name = "DR"};
            if (!ready(at)) return answer;
            answer.value = next();
            begin(at);
            update(at);
            return answer;
        }
        case kRngNscr:
            return {.value = noise_, .modelled = false, .name = "NSCR"};
        case kRngHtcr:
            return {.value = health_, .modelled = false, .name = "HTCR"};
        default:
            return {.modelled = false};
    }
}

void Rng::write_control(std::uint32_t next, Picoseconds at) {
    const std::uint32_t before = control_;
    control_ = next;
    Picoseconds from = at;
    const bool conditioned = (before & ~next & kRngCondition) != 0;
    if (conditioned) from = conditioned_at_ = at + traits_.conditioning;
    if (conditioned || (~before & next & kRngEnable) != 0) begin(std::max(from, conditioned_at_));
    update(at);
}

bool Rng::reads_freely(std::uint32_t offset) const {
    return offset != kRngDr;
}

RegisterBlock::Answer Rng::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                 Picoseconds at) {
    const auto merged = [&](std::uint32_t held) { return (held & ~mask) | (value & mask); };
    switch (offset) {
        case kRngCr:
            write_control(merged(control_), at);
            return {.modelled = (control_ & kRngInterrupt) == 0 || on_interrupt, .name = "CR"};
        case kRngSr:
            return {.name = "SR"};  // error flags, which never rise
        case kRngDr:
            return {.name = "DR"};
        case kRngNscr:
            noise_ = merged(noise_);
            return {.modelled = false, .name = "NSCR"};
        case kRngHtcr:
            health_ = merged(health_);
            return {.modelled = false, .name = "HTCR"};
        default:
            return {.modelled = false};
    }
}

}  // namespace n6vp::models

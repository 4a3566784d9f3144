// SPDX-License-Identifier: Apache-2.0
#include "tests/models/traffic/traffic_generator.h"

#include <algorithm>

namespace n6vp::test {

using models::Picoseconds;

TrafficGenerator::TrafficGenerator(const sc_core::sc_module_name& name, Picoseconds quantum)
    : BusMaster(name), quantum_(quantum) {
    SC_HAS_PROCESS(TrafficGenerator);
    SC_THREAD(run);
}

void TrafficGenerator::begin(const TrafficPlan& plan) {
    plan_ = plan;
    result_ = {};
    if (plan.keep_records) result_.records.reserve(plan.bursts);
    state_ = plan.seed;
    position_ = 0;
    busy_ = true;
    begun_.notify(sc_core::SC_ZERO_TIME);
}

std::uint64_t TrafficGenerator::draw() {
    // SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every host.
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

std::uint32_t TrafficGenerator::next_address() {
    const bool strided = plan_.pattern == TrafficPlan::Pattern::Strided;
    const std::uint32_t bytes = strided ? plan_.element_bytes : plan_.beats * kBeatBytes;
    if (plan_.pattern == TrafficPlan::Pattern::Random)
        return plan_.base + static_cast<std::uint32_t>(draw() % (plan_.span / bytes)) * bytes;
    const std::uint32_t step = strided ? plan_.stride : bytes;
    if (position_ + bytes > plan_.span) {
        // The next round of a strided walk takes the elements beside those of the last.
        const std::uint32_t beside = position_ % step + bytes;
        position_ = strided && beside + bytes <= step ? beside : 0;
    }
    const std::uint32_t address = plan_.base + position_;
    position_ += step;
    return address;
}

void TrafficGenerator::keep(const BurstRecord& record, bool ok) {
    ++result_.bursts;
    if (!ok) ++result_.failed;
    result_.bytes += record.bytes;
    result_.first_sum += record.first - record.issued;
    result_.last_sum += record.last - record.issued;
    result_.longest = std::max(result_.longest, record.last - record.issued);
    result_.waited += record.waited;
    result_.longest_wait = std::max(result_.longest_wait, record.waited);
    if (record.waited != 0 && record.holder < result_.waited_for.size())
        result_.waited_for[record.holder] += record.waited;
    if (plan_.keep_records) result_.records.push_back(record);
}

bool TrafficGenerator::alone_until(Picoseconds issue) {
    const Picoseconds ahead = issue - sc_core::sc_time_stamp().value();
    if (ahead > kLookAhead) return false;
    return ahead < sc_core::sc_time_to_pending_activity(sc_core::sc_get_curr_simcontext()).value();
}

void TrafficGenerator::play() {
    std::array<std::uint8_t, kBurstBytes> data{};
    const bool strided = plan_.pattern == TrafficPlan::Pattern::Strided;
    const std::uint32_t bytes = strided ? plan_.element_bytes : plan_.beats * kBeatBytes;
    const Picoseconds beats_ps = plan_.port_beat * (strided ? 1 : plan_.beats);
    done_.assign(std::max(plan_.outstanding, 1u), 0);
    Picoseconds way_free[2] = {0, 0};  // the port's data, of reads and of writes
    Picoseconds pace = std::max<Picoseconds>(plan_.start, sc_core::sc_time_stamp().value());
    says.single_beats = strided;
    for (std::uint64_t i = 0; i < plan_.bursts; ++i) {
        const std::size_t slot = i % done_.size();
        const Picoseconds issue = std::max(pace, done_[slot]);
        const Picoseconds now = sc_core::sc_time_stamp().value();
        if (issue > now + quantum_ && !alone_until(issue)) wait(models::to_sc_time(issue - now));
        const bool write = plan_.mix == TrafficPlan::Mix::Writes ||
                           (plan_.mix == TrafficPlan::Mix::Alternating && i % 2 != 0);
        const std::uint32_t address = next_address();
        const Answer answer = transact(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                       address, data.data(), bytes, issue);
        keep(
            {issue, answer.first, answer.last, answer.waited, address, bytes, answer.holder, write},
            answer.ok() && !answer.refused);
        Picoseconds& way = way_free[write ? 1 : 0];
        way = std::max(answer.last, std::max(way, issue) + beats_ps);
        done_[slot] = way + plan_.turnaround;
        if (i == 0) result_.begin = issue;
        result_.end = std::max(result_.end, way);
        // An open loop keeps its pace whatever the answers; a closed one starts from the issue.
        pace = plan_.gap != 0 ? pace + std::max<Picoseconds>(plan_.issue, draw() % (2 * plan_.gap))
                              : issue + plan_.issue;
    }
    // The last data have come before others may believe that this master is idle.
    const Picoseconds now = sc_core::sc_time_stamp().value();
    if (result_.end > now) wait(models::to_sc_time(result_.end - now));
}

void TrafficGenerator::run() {
    while (true) {
        if (!busy_) wait(begun_);
        play();
        busy_ = false;
    }
}

}  // namespace n6vp::test

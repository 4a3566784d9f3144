// SPDX-License-Identifier: Apache-2.0
#include "models/simulator/traffic_generator.h"

#include <algorithm>
#include <cmath>

namespace n6vp::models {

namespace {

constexpr std::uint32_t kBorder = 4096;  ///< which a burst of AXI does not cross

}  // namespace

TrafficGenerator::TrafficGenerator(const sc_core::sc_module_name& name,
                                   const TrafficPattern& pattern,
                                   const TrafficParameters& parameters)
    : sc_module(name),
      port("port"),
      pattern_(pattern),
      ends_(static_cast<std::size_t>(parameters.outstanding.value)) {
    if (pattern_.burst_bytes == 0)
        pattern_.burst_bytes = static_cast<std::uint32_t>(parameters.burst.value);
    if (pattern_.fifo_bytes == 0)
        pattern_.fifo_bytes = static_cast<std::uint32_t>(parameters.fifo.value);
    // While one burst leaves the buffer, the next one comes.
    pattern_.fifo_bytes = std::max(pattern_.fifo_bytes, 2 * pattern_.burst_bytes);
    data_.resize(pattern_.burst_bytes, pattern_.fill.value_or(0));
    if (!pattern_.fill) {
        // What the bus takes for an access without data.
        transfer_.for_store = true;
        payload_.set_byte_enable_ptr(&enables_);
        payload_.set_byte_enable_length(1);
    }
    payload_.set_command(pattern_.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload_.set_data_ptr(data_.data());
    payload_.set_extension(&transfer_);
    SC_HAS_PROCESS(TrafficGenerator);
    SC_METHOD(step);
    sensitive << event_;
    dont_initialize();
}

TrafficGenerator::~TrafficGenerator() {
    payload_.clear_extension(&transfer_);
}

void TrafficGenerator::start_of_simulation() {
    restart(sc_core::sc_time_stamp().value());
}

void TrafficGenerator::restart(Picoseconds at) {
    origin_ = at;
    std::fill(ends_.begin(), ends_.end(), 0);
    made_ = 0;
    leaving_.clear();
    took_ = 0;
    statistics_ = {};
    event_.cancel();
    turn_to(0);
    schedule();
}

Picoseconds TrafficGenerator::time_of(std::uint64_t position) const {
    constexpr double kPerSecond = 1e12;
    const double after = static_cast<double>(position) * kPerSecond / pattern_.bytes_per_second;
    return origin_ + pattern_.start + static_cast<Picoseconds>(std::llround(after));
}

void TrafficGenerator::turn_to(std::uint64_t position) {
    const auto within = static_cast<std::uint32_t>(position % pattern_.bytes);
    next_.position = position;
    next_.address = pattern_.address + within;
    const std::uint32_t line = pattern_.line_bytes == 0 ? pattern_.bytes : pattern_.line_bytes;
    next_.bytes = std::min({pattern_.burst_bytes, line - within % line, pattern_.bytes - within,
                            kBorder - next_.address % kBorder});
    next_.due = time_of(pattern_.write ? position + next_.bytes : position);
    next_.deadline = time_of(position + pattern_.fifo_bytes);
}

void TrafficGenerator::schedule() {
    const Picoseconds stop = pattern_.stop == kNever ? kNever : origin_ + pattern_.stop;
    while (next_.due < stop) {
        const Picoseconds issue = std::max(next_.due, ends_[made_ % ends_.size()]);
        if (fits(issue)) {
            event_.notify(delay_until(issue));
            return;
        }
        miss();
        turn_to(next_.position + next_.bytes);
    }
}

bool TrafficGenerator::fits(Picoseconds issue) {
    if (!pattern_.write) return issue == next_.due || issue + took_ <= next_.deadline;
    std::erase_if(leaving_, [this](const Leaving& each) { return each.end <= next_.due; });
    std::uint64_t held = next_.bytes;
    for (const Leaving& each : leaving_) held += each.bytes;
    return held <= pattern_.fifo_bytes;
}

void TrafficGenerator::miss() {
    statistics_.demanded_bytes += next_.bytes;
    ++statistics_.missed_bursts;
    statistics_.missed_bytes += next_.bytes;
}

void TrafficGenerator::step() {
    perform(sc_core::sc_time_stamp().value());
    turn_to(next_.position + next_.bytes);
    schedule();
}

void TrafficGenerator::perform(Picoseconds at) {
    const MasterAttributes as = attributes();
    transfer_.clear_answer();
    transfer_.secure = as.secure;
    transfer_.privileged = as.privileged;
    transfer_.compartment = as.compartment;
    payload_.set_address(next_.address);
    payload_.set_data_length(next_.bytes);
    payload_.set_streaming_width(next_.bytes);
    payload_.set_dmi_allowed(false);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay;
    port->b_transport(payload_, delay);
    const Picoseconds end = at + delay.value();
    ends_[made_++ % ends_.size()] = end;
    took_ = end - at;
    if (pattern_.write) leaving_.push_back({end, next_.bytes});
    statistics_.waited += transfer_.waited;
    const bool answered = payload_.is_response_ok() && !transfer_.refused;
    if (!answered) ++statistics_.refused;
    if (!answered || (!pattern_.write && end > next_.deadline)) {
        miss();
    } else {
        statistics_.demanded_bytes += next_.bytes;
    }
    if (!answered) return;
    ++statistics_.bursts;
    statistics_.bytes += next_.bytes;
    statistics_.longest = std::max(statistics_.longest, end - next_.due);
}

}  // namespace n6vp::models

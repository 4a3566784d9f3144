// SPDX-License-Identifier: Apache-2.0
#include "models/memory/flash_memory.h"

#include <algorithm>

namespace n6vp::models {

namespace {

[[nodiscard]] unsigned whole(const Parameter& parameter) {
    return static_cast<unsigned>(std::max(0.0, parameter.value));
}

}  // namespace

void FlashMemory::Lines::shape(unsigned lines, unsigned ways) {
    ways_ = ways == 0 ? std::max(1u, lines) : std::min(std::max(1u, lines), ways);
    tags_.assign(std::size_t{lines / ways_} * ways_, kNone);
}

void FlashMemory::Lines::clear() {
    std::fill(tags_.begin(), tags_.end(), kNone);
}

bool FlashMemory::Lines::look_up(std::uint32_t line) {
    const std::size_t sets = tags_.size() / ways_;
    const auto begin = tags_.begin() + static_cast<std::ptrdiff_t>(line % sets * ways_);
    const auto end = begin + static_cast<std::ptrdiff_t>(ways_);
    auto place = std::find(begin, end, line);
    const bool hit = place != end;
    if (!hit) place = end - 1;
    std::rotate(begin, place, place + 1);
    *begin = line;
    return hit;
}

FlashMemory::FlashMemory(const sc_core::sc_module_name& name, std::uint32_t bytes, double clock_hz,
                         const FlashParameters& parameters)
    : TimedMemory(name, bytes, static_cast<std::uint8_t>(parameters.power_up_byte.value), false),
      parameters_(parameters),
      hz_(clock_hz),
      array_bytes_(std::max(1u, whole(parameters.array_bytes))),
      line_bytes_(std::max(array_bytes_, whole(parameters.line_bytes))) {
    set({});
}

void FlashMemory::set_clock_hz(double hz) {
    hz_ = hz;
}

void FlashMemory::set(const Setting& setting) {
    const auto lines = [](bool on, const Parameter& count) { return on ? whole(count) : 0u; };
    const unsigned ways = setting.ways != 0 ? setting.ways : whole(parameters_.ways);
    if (setting.instruction_lines != setting_.instruction_lines || setting.ways != setting_.ways ||
        (setting.instruction_lines && instructions_.empty()))
        instructions_.shape(lines(setting.instruction_lines, parameters_.instruction_lines), ways);
    if (setting.data_lines != setting_.data_lines || (setting.data_lines && data_.empty()))
        data_.shape(lines(setting.data_lines, parameters_.data_lines), ways);
    setting_ = setting;
}

void FlashMemory::forget() {
    instructions_.clear();
    data_.clear();
    last_word_ = 0xFFFFFFFF;
    counters_ = {};
}

double FlashMemory::array_cycles(std::uint32_t word) {
    if (word == last_word_) return 0;
    const bool next = word == last_word_ + 1;
    last_word_ = word;
    ++counters_.array_reads;
    const double read = setting_.wait_states + parameters_.miss_cycles.value;
    if (!next || !setting_.prefetch) return read;
    // The read began when the word before came.
    const double hidden = parameters_.pace_cycles.value * array_bytes_ / 8;
    return std::max(0.0, setting_.wait_states + 1 - hidden);
}

double FlashMemory::line_cycles(std::uint32_t first, std::uint32_t last, bool instruction) {
    const bool in_one = parameters_.data_in_one.value != 0;
    Lines& lines = instruction || in_one ? instructions_ : data_;
    ++(instruction ? counters_.fetches : counters_.reads);
    const bool buffered = !lines.empty();
    if (buffered && lines.look_up(first / line_bytes_)) return 0;
    ++(instruction ? counters_.fetch_misses : counters_.read_misses);
    double cycles = 0;
    for (std::uint32_t word = first / array_bytes_; word <= last / array_bytes_; ++word)
        cycles += array_cycles(word);
    const std::uint32_t further_beats = last / 8 - first / 8;
    return cycles + further_beats * parameters_.beat_cycles.value;
}

Picoseconds FlashMemory::schedule(Transfer& transfer, const Burst& burst, Picoseconds arrival) {
    double cycles = 0;
    const std::uint32_t end = burst.offset + burst.bytes;
    for (std::uint32_t at = burst.offset; at < end;) {
        const std::uint32_t next = std::min(end, (at / line_bytes_ + 1) * line_bytes_);
        cycles += line_cycles(at, next - 1, transfer.instruction);
        at = next;
    }
    const Picoseconds taken = cycles == 0 ? 0 : cycles_to_ps(cycles, hz_);
    transfer.first_beat = arrival + taken;
    transfer.waited = 0;
    transfer.service = taken;
    return arrival + taken;
}

Picoseconds FlashMemory::serve(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                               Transfer& transfer, Picoseconds arrival) {
    return serve_as(*this, trans, offset, transfer, arrival);
}

}  // namespace n6vp::models

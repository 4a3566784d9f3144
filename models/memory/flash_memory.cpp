// SPDX-License-Identifier: Apache-2.0
#include "models/memory/flash_memory.h"

#include <algorithm>

namespace n6vp::models {

namespace {

constexpr std::uint32_t kBeatBytes = 8;

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
    if (*begin == line) return true;
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
      array_bytes_(std::max(kBeatBytes, whole(parameters.array_bytes))),
      line_bytes_(std::max(array_bytes_, whole(parameters.line_bytes))) {
    forget_words();
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
    const unsigned array_bytes =
        setting.array_bytes != 0 ? setting.array_bytes : whole(parameters_.array_bytes);
    if (std::max(kBeatBytes, array_bytes) != array_bytes_) {
        array_bytes_ = std::max(kBeatBytes, array_bytes);
        line_bytes_ = std::max(array_bytes_, whole(parameters_.line_bytes));
        forget_words();
    }
    setting_ = setting;
}

void FlashMemory::forget_words() {
    constexpr std::uint32_t kNone = 0xFFFFFFF0;  // nor is the next one a word of this memory
    last_word_[0] = last_word_[1] = kNone;
}

void FlashMemory::forget() {
    instructions_.clear();
    data_.clear();
    forget_words();
    counters_ = {};
}

double FlashMemory::array_cycles(std::uint32_t word, bool instruction, bool leads) {
    std::uint32_t& last = last_word_[instruction ? 1 : 0];
    if (word == last) return 0;
    const bool next = word == last + 1;
    last = word;
    ++counters_.array_reads;
    const double behind = setting_.wait_states + 1.0;
    if (instruction && next && setting_.prefetch) {
        // The read began when the word before came.
        const double hidden = parameters_.pace_cycles.value * array_bytes_ / kBeatBytes;
        return std::max(0.0, behind - hidden);
    }
    return leads ? setting_.wait_states + parameters_.miss_cycles.value : behind;
}

FlashMemory::Cost FlashMemory::line_cost(std::uint32_t first, std::uint32_t last,
                                         bool instruction) {
    const bool in_one = parameters_.data_in_one.value != 0;
    Lines& lines = instruction || in_one ? instructions_ : data_;
    ++(instruction ? counters_.fetches : counters_.reads);
    if (!lines.empty()) {
        const std::uint32_t line = first / line_bytes_;
        if (lines.look_up(line)) return {};
        first = line * line_bytes_;
        last = first + (line_bytes_ - 1);
    }
    ++(instruction ? counters_.fetch_misses : counters_.read_misses);
    const std::uint32_t leader = first / array_bytes_, end = last / array_bytes_;
    Cost cost;
    for (std::uint32_t word = leader; word <= end; ++word) {
        cost.total += array_cycles(word, instruction, word == leader);
        if (word == leader) cost.first = cost.total;
    }
    const std::uint32_t begin = std::max(first, end * array_bytes_);
    const std::uint32_t beats = last / kBeatBytes - begin / kBeatBytes;
    cost.total += beats * parameters_.beat_cycles.value;
    return cost;
}

Picoseconds FlashMemory::schedule(Transfer& transfer, const Burst& burst, Picoseconds arrival) {
    Cost cost;
    const std::uint32_t end = burst.offset + burst.bytes;
    for (std::uint32_t at = burst.offset; at < end;) {
        const std::uint32_t next = std::min(end, (at / line_bytes_ + 1) * line_bytes_);
        const Cost line = line_cost(at, next - 1, transfer.instruction);
        if (at == burst.offset) cost.first = line.first;
        cost.total += line.total;
        at = next;
    }
    const auto taken = [this](double cycles) {
        return cycles == 0 ? Picoseconds{0} : cycles_to_ps(cycles, hz_);
    };
    transfer.first_beat = arrival + taken(cost.first);
    transfer.waited = 0;
    transfer.service = taken(cost.total);
    return arrival + transfer.service;
}

Picoseconds FlashMemory::serve(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                               Transfer& transfer, Picoseconds arrival) {
    return serve_as(*this, trans, offset, transfer, arrival);
}

Picoseconds FlashMemory::read_again(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                                    Transfer& transfer, const RepeatTime& when) {
    return serve_again_as(*this, trans, offset, transfer, when);
}

}  // namespace n6vp::models

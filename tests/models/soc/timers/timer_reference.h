// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace n6vp::test {

/// A timer that counts clock by clock, from the reference manuals' description of its registers.
/// Everything happens at whole clocks. Neither down-counting (but for encoders) nor break, dead
/// time or filters.
class TimerReference {
  public:
    TimerReference(unsigned bits, bool advanced)
        : top_(bits == 32 ? 0xFFFFFFFF : 0xFFFF), advanced_(advanced) {
        reset();
    }

    /// What changed, with the clock at which it did.
    std::vector<std::pair<bool, std::uint64_t>> line;
    std::vector<std::pair<std::uint16_t, std::uint64_t>> outputs;  ///< driven, and high above
    std::array<std::vector<std::pair<bool, std::uint64_t>>, 5> requests;  ///< update, channels
    std::vector<std::pair<bool, std::uint64_t>> triggers;
    std::uint8_t listened = 0;  ///< outputs
    bool trigger_listened = false;

    std::uint32_t cr1 = 0, cr2 = 0, smcr = 0, dier = 0, sr = 0, ccer = 0, psc = 0, arr = 0, rcr = 0,
                  bdtr = 0, count = 0;
    std::array<std::uint32_t, 2> ccmr{};
    std::array<std::uint32_t, 4> ccr{};

    void reset() {
        cr1 = cr2 = smcr = dier = sr = ccer = psc = rcr = bdtr = count = 0;
        ccmr = {};
        ccr = ccr_now_ = {};
        arr = arr_now_ = top_;
        psc_now_ = clocks_ = repetitions_ = 0;
        level_ = {};
        wanted_ = {};
        events_ = {};
    }
    void clock() {
        ++now_;
        if (on() && !clocked_outside() && !gate_closed()) step(true);
        tell();
    }
    void write_cr1(std::uint32_t value) {
        const std::uint32_t direction = clocked_outside() ? cr1 & kDir : 0;
        cr1 = value | direction;
        if (!has(value, 7)) arr_now_ = arr;
        tell();
    }
    void write_arr(std::uint32_t value) {
        arr = value;
        if (!has(cr1, 7)) arr_now_ = arr;
        tell();
    }
    void write_ccr(unsigned channel, std::uint32_t value) {
        if (is_input(channel)) return;
        ccr[channel] = value;
        take_compare(channel);
        tell();
    }
    void write_ccmr(unsigned half, std::uint32_t value) {
        for (unsigned i = 2 * half; i < 2 * half + 2; ++i) level_[i] = reference(i);
        ccmr[half] = value;
        for (unsigned i = 2 * half; i < 2 * half + 2; ++i) take_compare(i);
        tell();
    }
    void write_ccer(std::uint32_t value) {
        ccer = value;
        for (unsigned i = 0; i < 4; ++i) {
            if (!has(ccer, 4 * i)) events_[i] = 0;
        }
        tell();
    }
    /// UG, or CC1G to CC4G.
    void generate(std::uint32_t events) {
        for (unsigned i = 0; i < 4; ++i) {
            if (!has(events, i + 1)) continue;
            if (is_input(i)) {
                keep_count(i);
            } else {
                sr |= 2u << i;
                ask_for_channel(i);
            }
        }
        if (has(events, 6)) sr |= kTif;
        if (has(events, 0)) update_generation();
        tell();
    }
    void clear(std::uint32_t kept) {
        sr &= kept;
        tell();
    }
    std::uint32_t read_ccr(unsigned channel) {
        if (is_input(channel)) sr &= ~(2u << channel);
        tell();
        return ccr[channel];
    }
    void taken(unsigned source) {
        wanted_[source] = false;
        tell();
    }
    /// The other registers have no effect but by their values.
    void tell() {
        for (unsigned i = 0; i < 5; ++i) {
            if (!has(dier, 8 + i)) wanted_[i] = false;
            if (wanted_[i] != told_request_[i]) requests[i].emplace_back(wanted_[i], now_);
        }
        told_request_ = wanted_;
        const bool interrupt = (sr & dier & 0x5F) != 0;
        if (interrupt != told_line_) line.emplace_back(interrupt, now_);
        told_line_ = interrupt;
        const std::uint16_t mask = static_cast<std::uint16_t>(listened << 8 | listened);
        const auto pins = static_cast<std::uint16_t>(all_outputs() & mask);
        if (pins != told_outputs_) outputs.emplace_back(pins, now_);
        told_outputs_ = pins;
        const bool trigger = master() == 1 && has(cr1, 0) && !gate_closed();
        if (trigger != told_trigger_ && trigger_listened) triggers.emplace_back(trigger, now_);
        told_trigger_ = trigger;
    }
    [[nodiscard]] std::uint16_t all_outputs() const {
        unsigned driven = 0, high = 0;
        const auto put = [&](unsigned pin, bool level) {
            driven |= 1u << pin;
            high |= (level ? 1u : 0u) << pin;
        };
        const bool main = !advanced_ || has(bdtr, 15);
        for (unsigned i = 0; i < 4 && main; ++i) {
            if (is_input(i)) continue;
            const bool first = has(ccer, 4 * i), second = advanced_ && has(ccer, 4 * i + 2);
            const bool turned = has(ccer, 4 * i + 1), second_turned = has(ccer, 4 * i + 3);
            const bool ref = reference(i), held = advanced_ && has(bdtr, 11);
            // Table "output control bits for complementary channels".
            if (first) put(2 * i, ref != turned);
            if (second) put(2 * i + 1, (first ? !ref : ref) != second_turned);
            if (held && first && !second) put(2 * i + 1, second_turned);
            if (held && second && !first) put(2 * i, turned);
        }
        return static_cast<std::uint16_t>(high << 8 | driven);
    }
    /// The level at the pin of an input.
    void pin(unsigned channel, bool high) {
        const std::array<bool, 4> before = pins_;
        if (before[channel] == high) return;
        pins_[channel] = high;
        for (unsigned i = 0; i < 4; ++i) {
            if (!is_input(i) || !has(ccer, 4 * i)) continue;
            const unsigned number = selection(i) == 1 ? i : i ^ 1;
            if (!is_edge(i, input(before, number), input(pins_, number))) continue;
            if (++events_[i] < 1u << (mode_byte(i) >> 2 & 3)) continue;
            events_[i] = 0;
            keep_count(i);
        }
        act(before);
        tell();
    }

  private:
    static constexpr std::uint32_t kTif = 1u << 6, kDir = 1u << 4;
    static bool has(std::uint32_t word, unsigned bit) { return (word >> bit & 1) != 0; }

    [[nodiscard]] unsigned mode_byte(unsigned i) const { return ccmr[i / 2] >> (i % 2 * 8) & 0xFF; }
    [[nodiscard]] unsigned selection(unsigned i) const { return mode_byte(i) & 3; }
    [[nodiscard]] bool is_input(unsigned i) const { return selection(i) != 0; }
    [[nodiscard]] unsigned slave() const { return (smcr & 7) | (smcr >> 16 & 1) << 3; }
    [[nodiscard]] unsigned source() const { return smcr >> 4 & 7; }
    [[nodiscard]] unsigned master() const { return cr2 >> 4 & 7; }
    [[nodiscard]] bool clocked_outside() const {
        return slave() == 7 || (slave() >= 1 && slave() <= 3);
    }
    [[nodiscard]] bool on() const { return has(cr1, 0) && arr_now_ != 0; }

    void take_compare(unsigned i) {
        if ((mode_byte(i) & 8) == 0) ccr_now_[i] = ccr[i];
    }
    /// PWM mode 1: up to the compare value, with it on the way down.
    [[nodiscard]] bool pulses(unsigned i) const {
        return has(cr1, 4) ? count <= ccr_now_[i] : count < ccr_now_[i];
    }
    [[nodiscard]] bool reference(unsigned i) const {
        switch (mode_byte(i) >> 4 & 7) {
            case 4:
                return false;
            case 5:
                return true;
            case 6:
                return pulses(i);
            case 7:
                return !pulses(i);
            default:
                return level_[i];
        }
    }
    void step(bool up) {
        if (++clocks_ <= psc_now_) return;
        clocks_ = 0;
        if (up && count == arr_now_) {
            count = 0;
            period_ends();
        } else if (up) {
            count = count == top_ ? 0 : count + 1;
        } else if (count == 0) {
            period_ends();
            count = arr_now_;
        } else {
            --count;
        }
        for (unsigned i = 0; i < 4; ++i) {
            if (is_input(i) || count != ccr_now_[i]) continue;
            const unsigned mode = mode_byte(i) >> 4 & 7;
            if (mode == 1) level_[i] = true;
            if (mode == 2) level_[i] = false;
            if (mode == 3) level_[i] = !level_[i];
            sr |= 2u << i;
            ask_for_channel(i);
        }
    }
    void period_ends() {
        // CCxIF of a value beyond ARR: where the period ends.
        for (unsigned i = 0; i < 4; ++i) {
            if (is_input(i) || ccr_now_[i] <= arr_now_) continue;
            sr |= 2u << i;
            ask_for_channel(i);
        }
        if (repetitions_ != 0) {
            --repetitions_;
            return;
        }
        if (!has(cr1, 1)) {
            sr |= 1;
            load();
            ask_for_update();
            if (master() == 2) pulse();
        }
        if (has(cr1, 3)) cr1 &= ~1u;
    }
    void load() {
        psc_now_ = psc;
        arr_now_ = arr;
        ccr_now_ = ccr;
        repetitions_ = advanced_ ? rcr : 0;
    }
    void update_generation() {
        const bool updates = !has(cr1, 1);
        if (updates) load();
        count = has(cr1, 4) ? arr_now_ : 0;  // UG: ARR where DIR says down
        clocks_ = 0;
        if (master() == 0) pulse();
        if (!updates) return;
        if (master() == 2) pulse();
        if (has(cr1, 2)) return;
        sr |= 1;
        ask_for_update();
    }
    void pulse() {
        if (!trigger_listened) return;
        triggers.emplace_back(true, now_);
        triggers.emplace_back(false, now_);
    }
    void ask_for_update() {
        wanted_[0] = wanted_[0] || has(dier, 8);
        for (unsigned i = 1; has(cr2, 3) && i < 5; ++i) wanted_[i] = wanted_[i] || has(dier, 8 + i);
    }
    void ask_for_channel(unsigned i) {
        if (!has(cr2, 3)) wanted_[i + 1] = wanted_[i + 1] || has(dier, 9 + i);
    }
    void keep_count(unsigned i) {
        ccr[i] = ccr_now_[i] = count;
        if ((sr & 2u << i) != 0) sr |= 0x200u << i;
        sr |= 2u << i;
        ask_for_channel(i);
    }

    [[nodiscard]] bool input(const std::array<bool, 4>& pins, unsigned number) const {
        if (number == 0 && has(cr2, 7)) return (pins[0] != pins[1]) != pins[2];
        return pins[number];
    }
    [[nodiscard]] bool is_edge(unsigned i, bool before, bool after) const {
        if (before == after) return false;
        const bool turned = has(ccer, 4 * i + 1), both = turned && has(ccer, 4 * i + 3);
        return both || after != turned;
    }
    /// TI1FP1 or TI2FP2 as a level.
    [[nodiscard]] bool level_of(const std::array<bool, 4>& pins, unsigned i) const {
        return input(pins, i) != has(ccer, 4 * i + 1);
    }
    [[nodiscard]] bool gate_closed() const {
        return slave() == 5 && !level_of(pins_, source() - 5);
    }
    void act(const std::array<bool, 4>& before) {
        const unsigned mode = slave();
        if (mode >= 1 && mode <= 3) return turn(mode, before);
        if (mode == 0) return;
        const unsigned i = source() == 6 ? 1 : 0;
        bool acts = input(before, i) != input(pins_, i);  // TI1F_ED, or a gate
        if (source() != 4 && mode != 5) acts = is_edge(i, input(before, i), input(pins_, i));
        if (!acts) return;
        sr |= kTif;
        if (mode == 4 || mode == 8) update_generation();
        if (mode == 6 || mode == 8) cr1 |= 1;
        if (mode == 7 && on()) {
            cr1 &= ~kDir;
            step(true);
        }
    }
    /// The two inputs are a Gray code of the position, TI1 first.
    void turn(unsigned mode, const std::array<bool, 4>& before) {
        const auto place = [this](const std::array<bool, 4>& pins) {
            const bool a = level_of(pins, 0), b = level_of(pins, 1);
            return a ? (b ? 2u : 1u) : (b ? 3u : 0u);
        };
        const bool first_moves = level_of(before, 0) != level_of(pins_, 0);
        const bool second_moves = level_of(before, 1) != level_of(pins_, 1);
        if ((!first_moves || mode == 2) && (!second_moves || mode == 1)) return;
        if (!on()) return;
        const bool up = ((place(pins_) - place(before)) & 3) == 1;
        cr1 = (cr1 & ~kDir) | (up ? 0 : kDir);
        step(up);
    }

    const std::uint32_t top_;
    const bool advanced_;
    std::uint64_t now_ = 0;
    std::uint32_t psc_now_ = 0, arr_now_ = 0, clocks_ = 0, repetitions_ = 0;
    std::array<std::uint32_t, 4> ccr_now_{};
    std::array<bool, 4> level_{}, pins_{};
    std::array<unsigned, 4> events_{};
    std::array<bool, 5> wanted_{}, told_request_{};
    bool told_line_ = false, told_trigger_ = false;
    std::uint16_t told_outputs_ = 0;
};

}  // namespace n6vp::test

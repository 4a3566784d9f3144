// SPDX-License-Identifier: Apache-2.0
// Random programs: registers, times of interrupts, outputs, requests and triggers against a second
// timer that counts clock by clock.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/soc/timers/timer.h"
#include "tests/models/soc/timers/timer_reference.h"

using namespace n6vp::models;
using n6vp::test::TimerReference;

namespace {

constexpr std::uint32_t kCr1 = 0x00, kCr2 = 0x04, kSmcr = 0x08, kDier = 0x0C, kSr = 0x10,
                        kEgr = 0x14, kCcmr1 = 0x18, kCcer = 0x20, kCnt = 0x24, kPsc = 0x28,
                        kArr = 0x2C, kRcr = 0x30, kCcr1 = 0x34, kBdtr = 0x44;
constexpr Picoseconds kClock = 100'000;  ///< of 10 MHz

/// What a round is about.
enum class About { Outputs, Channels, Clock, Encoder };

template <class Value>
using Changes = std::vector<std::pair<Value, std::uint64_t>>;

/// Of several changes at one time only the last one counts, and only if it is one.
template <class Value>
Changes<Value> settled(const Changes<Value>& told, Value& state) {
    Changes<Value> result;
    for (std::size_t i = 0; i < told.size(); ++i) {
        const bool last = i + 1 == told.size() || told[i + 1].second != told[i].second;
        if (last && told[i].first != state) result.push_back(told[i]);
        if (last) state = told[i].first;
    }
    return result;
}

class Duel {
  public:
    Duel(unsigned bits, bool advanced)
        : advanced_(advanced),
          timer_("tim", advanced ? "TIM1" : "TIM2", {bits, 4, advanced}),
          reference_(bits, advanced) {
        timer_.on_interrupt = [this](bool level) { line_.emplace_back(level, clock_of(time())); };
        timer_.on_outputs = [this](const Timer::Outputs& outputs, Picoseconds at) {
            outputs_.emplace_back(word_of(outputs), clock_of(at));
        };
        timer_.on_request = [this](unsigned source, bool level, Picoseconds at) {
            requests_[source].emplace_back(level, clock_of(at));
        };
        timer_.on_trigger = [this](bool level, Picoseconds at) {
            triggers_.emplace_back(level, clock_of(at));
        };
        timer_.set_kernel_hz(10e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }

    void play(About about, unsigned steps) {
        begin(about);
        for (unsigned i = 0; i < steps; ++i) {
            CAPTURE(i);
            act();
            pass(below(150) == 0 ? 70'000 : below(16) == 0 ? 1 + below(400) : below(12));
            compare();
        }
        compare_changes();
    }

  private:
    static Picoseconds time() { return sc_core::sc_time_stamp().value(); }
    static std::uint64_t clock_of(Picoseconds at) {
        CHECK(at % kClock == 0);
        return at / kClock;
    }
    static std::uint16_t word_of(const Timer::Outputs& outputs) {
        return static_cast<std::uint16_t>(outputs.high << 8 | outputs.driven);
    }
    std::uint32_t below(std::uint32_t end) {
        seed_ = seed_ * 1664525 + 1013904223;
        return (seed_ >> 8) % end;
    }
    bool one_of(std::uint32_t number) { return below(number) == 0; }
    void set(std::uint32_t offset, std::uint32_t value) {
        CHECK(timer_.write(offset, value, 0xFFFFFFFF, time()).modelled);
    }

    void begin(About about) {
        about_ = about;
        timer_.reset();
        reference_.reset();
        reference_.tell();
        reference_.listened = static_cast<std::uint8_t>(one_of(2) ? 0 : below(256));
        timer_.listen_to_outputs(reference_.listened, time());
        reference_.tell();
        reference_.trigger_listened = one_of(2);
        timer_.listen_to_trigger(reference_.trigger_listened, time());
        for (unsigned i = 0; i < 4; ++i) is_input_[i] = about != About::Outputs && one_of(2);
        std::uint32_t slave = 0;
        if (about == About::Channels) {
            constexpr std::array<std::uint32_t, 6> kModes{0, 0, 4, 5, 6, 1u << 16};
            slave = kModes[below(kModes.size())];
            slave |= (slave == 5 || one_of(2) ? 5 + below(2) : 4u) << 4;
        } else if (about == About::Clock) {
            slave = 7 | (4 + below(3)) << 4;
        } else if (about == About::Encoder) {
            slave = 1 + below(3);
        }
        set(kSmcr, reference_.smcr = slave);
        reference_.tell();
        write_arr(1 + below(20));
        for (unsigned half = 0; half < 2; ++half) write_modes(half);
        write_enables();
        if (advanced_) write_break();
        write_control(1);
    }

    // One register of both timers.
    void write_control(std::uint32_t on) {
        std::uint32_t value = on | below(4) << 2 | below(2) << 7 | below(2) << 11;
        if ((value & 8) == 0 && one_of(4)) value |= 2;  // UDIS, but not with OPM
        set(kCr1, value);
        reference_.write_cr1(value);
    }
    void write_arr(std::uint32_t value) {
        set(kArr, value);
        reference_.write_arr(value);
    }
    void write_modes(unsigned half) {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < 2; ++i) {
            const bool input = is_input_[2 * half + i];
            const std::uint32_t byte =
                input ? (1 + below(2)) | below(4) << 2 : below(8) << 4 | below(2) << 3;
            value |= byte << (8 * i);
        }
        set(kCcmr1 + 4 * half, value);
        reference_.write_ccmr(half, value);
    }
    void write_enables() {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < 4; ++i) {
            constexpr std::array<std::uint32_t, 6> kInput{0, 1, 1, 3, 0xB, 2};
            const std::uint32_t bits =
                is_input_[i] ? kInput[below(kInput.size())] : below(advanced_ ? 16 : 4);
            value |= bits << (4 * i);
        }
        set(kCcer, value);
        reference_.write_ccer(value);
    }
    void write_break() {
        set(kBdtr, reference_.bdtr = (one_of(6) ? 0u : 1u << 15) | below(2) << 11);
        reference_.tell();
    }
    void write_compare() {
        const unsigned channel = below(4);
        const std::uint32_t value = below(24);
        static_cast<void>(timer_.write(kCcr1 + 4 * channel, value, 0xFFFFFFFF, time()));
        reference_.write_ccr(channel, value);
    }
    void generate() {
        std::uint32_t events = one_of(2) ? 1 : below(16) << 1;
        if (one_of(4)) events |= 1u << 6;
        set(kEgr, events);
        reference_.generate(events);
    }
    void move_pin() {
        const unsigned channel = below(about_ == About::Channels ? 4 : 2);
        high_[channel] = !high_[channel];
        timer_.input(channel, high_[channel], time());
        reference_.pin(channel, high_[channel]);
    }
    void take_request() {
        const unsigned source = below(5);
        timer_.request_taken(source, time());
        reference_.taken(source);
    }

    void act() {
        if (about_ != About::Outputs && !one_of(3)) return move_pin();
        switch (below(16)) {
            case 0:
                return write_control(one_of(4) ? 0 : 1);
            case 1:
                return write_arr(one_of(10) ? 0 : 1 + below(20));
            case 2:
                set(kPsc, reference_.psc = below(4));
                break;
            case 3:
                if (advanced_) set(kRcr, reference_.rcr = below(4));
                break;
            case 4:
            case 5:
                return write_compare();
            case 6:
                set(kDier, reference_.dier = one_of(3) ? 0 : below(0x2000) & 0x1F5F);
                break;
            case 7: {
                const std::uint32_t kept = below(0x2000);
                set(kSr, kept);
                return reference_.clear(kept);
            }
            case 8:
            case 9:
                return generate();
            case 10:
                set(kCnt, reference_.count = below(8));
                break;
            case 11:
                return write_modes(below(2));
            case 12:
                return write_enables();
            case 13:
                if (advanced_) return write_break();
                break;
            case 14: {
                const std::uint32_t joined = about_ == About::Encoder ? 0 : below(2) << 7;
                set(kCr2, reference_.cr2 = below(2) << 3 | below(3) << 4 | joined);
                break;
            }
            default:
                return take_request();
        }
        reference_.tell();
    }
    void pass(std::uint64_t clocks) {
        for (std::uint64_t i = 0; i < clocks; ++i) reference_.clock();
        if (clocks != 0) sc_core::sc_start(sc_core::sc_time::from_value(clocks * kClock));
    }
    void compare() {
        const auto get = [this](std::uint32_t offset) { return timer_.read(offset, time()).value; };
        REQUIRE(get(kCr1) == reference_.cr1);
        REQUIRE(get(kSr) == reference_.sr);
        const bool copies = (reference_.cr1 & 1u << 11) != 0;
        const std::uint32_t flag = (reference_.sr & 1) << 31;
        REQUIRE(get(kCnt) == (copies ? (reference_.count & 0x7FFFFFFF) | flag : reference_.count));
        REQUIRE(word_of(timer_.outputs(time())) == reference_.all_outputs());
        if (!one_of(4)) return;
        for (unsigned i = 0; i < 4; ++i) REQUIRE(get(kCcr1 + 4 * i) == reference_.read_ccr(i));
    }
    template <class Value>
    static void compare(Changes<Value>& told, Changes<Value>& expected, Value& state) {
        Value before = state;
        REQUIRE(settled(told, before) == settled(expected, state));
        told.clear();
        expected.clear();
    }
    void compare_changes() {
        set(kPsc, reference_.psc);  // what happens at this very time is told
        compare(line_, reference_.line, level_);
        compare(outputs_, reference_.outputs, pins_);
        for (unsigned i = 0; i < 5; ++i) compare(requests_[i], reference_.requests[i], asking_[i]);
        REQUIRE(triggers_ == reference_.triggers);
        triggers_.clear();
        reference_.triggers.clear();
    }

    const bool advanced_;
    Timer timer_;
    TimerReference reference_;
    std::uint32_t seed_ = 1;
    About about_ = About::Outputs;
    std::array<bool, 4> is_input_{}, high_{};
    Changes<bool> line_, triggers_;
    Changes<std::uint16_t> outputs_;
    std::array<Changes<bool>, 5> requests_;
    bool level_ = false;
    std::uint16_t pins_ = 0;
    std::array<bool, 5> asking_{};
};

void play(unsigned bits, bool advanced, About about) {
    Duel duel(bits, advanced);
    for (unsigned round = 0; round < 120; ++round) {
        CAPTURE(round);
        duel.play(about, 60);
    }
}

}  // namespace

TEST_CASE("timer: random programs of outputs, 32 bits") {
    play(32, false, About::Outputs);
}

TEST_CASE("timer: random programs of outputs with repetition and complementary outputs") {
    play(16, true, About::Outputs);
}

TEST_CASE("timer: random programs of captures and slave modes, 32 bits") {
    play(32, false, About::Channels);
}

TEST_CASE("timer: random programs of captures and slave modes of an advanced timer") {
    play(16, true, About::Channels);
}

TEST_CASE("timer: random edges of an external clock") {
    play(16, true, About::Clock);
}

TEST_CASE("timer: random turns of an encoder") {
    play(32, false, About::Encoder);
}

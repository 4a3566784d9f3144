// SPDX-License-Identifier: Apache-2.0
// Random programs that wait for flags, with and without skipping the rounds of their loops: same
// trace hash with every transaction, same cycles, instructions, time and cache counters.
#include <random>

#include "tests/sim/platform/platform_bench.h"

using namespace n6vp;
using namespace n6vp::test;
using models::core::Coherence;
using models::core::Timing;

namespace {

constexpr std::uint32_t kTim2 = 0x50000000, kUart = 0x52001000, kRcc = 0x56028000;
constexpr std::uint32_t kTightFlag = 0x30000100, kFarFlag = 0x34100000, kTightStack = 0x30010000;
constexpr unsigned kTim2Line = 116, kVectorWords = 256;
/// Behind the vectors: handlers, a function, the program.
constexpr std::uint32_t kCode = kFlexmem + 0x400;

/// Registers of the programs; r5 and r6 are for the fillers, r7 counts.
enum Reg : unsigned { kValue = 0, kTick = 1, kSince = 2, kMask = 3, kFlag = 4, kSpare = 5 };
enum Condition : unsigned { kEqual = 0, kNotEqual = 1, kBelow = 3 };

class PollingProgram {
  public:
    explicit PollingProgram(unsigned seed) : random_(seed) {}

    [[nodiscard]] std::vector<std::uint8_t> image() {
        flag_ = maybe(50) ? kTightFlag : kFarFlag;
        tick_ = maybe(50) ? kTightFlag + 0x40 : kFarFlag + 0x40;
        const std::uint32_t timer_handler = here();
        // Clears UIF, turns the flag, returns when both have taken effect.
        code_.set(0, kTim2).set(1, 0).raw({0x6101}).set(0, flag_).load(1, 0);
        code_.raw({0x2201, 0x4051}).store(1, 0).barrier().ret();
        const std::uint32_t tick_handler = here();
        code_.set(0, tick_).load(1, 0).add(1, 1).store(1, 0).ret();
        function_ = here();
        code_.raw({0xB530, 0xB082});  // push {r4, r5, lr}; sub sp, #8
        code_.set(kSpare, tick_).load(kValue, kSpare);
        code_.raw({0x9001, 0x9801, 0xB002, 0xBD30});  // str, ldr r0, [sp, #4]; add sp; pop
        const std::uint32_t entry = here();
        set_up();
        const std::size_t begin = code_.code().size();
        const unsigned loops = number(1, 3);
        for (unsigned i = 0; i < loops; ++i) wait();
        code_.add(7, 1);
        branch_to(begin);
        std::vector<std::uint32_t> vectors(kVectorWords, tick_handler | 1);
        vectors[0] = maybe(50) ? kTightStack : kStack;
        vectors[1] = entry | 1;
        vectors[16 + kTim2Line] = timer_handler | 1;
        std::vector<std::uint8_t> result;
        for (const std::uint32_t word : vectors) {
            for (unsigned i = 0; i < 4; ++i)
                result.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
        }
        std::vector<std::uint8_t> bytes = code_.bytes();
        for (const auto& [branch, distance] : ahead_)
            bytes[2 * branch] = static_cast<std::uint8_t>(distance);
        result.insert(result.end(), bytes.begin(), bytes.end());
        return result;
    }

  private:
    [[nodiscard]] unsigned number(unsigned least, unsigned most) {
        return std::uniform_int_distribution<unsigned>(least, most)(random_);
    }
    [[nodiscard]] bool maybe(unsigned percent) { return number(1, 100) <= percent; }
    [[nodiscard]] std::uint32_t here() const {
        return kCode + 2 * static_cast<std::uint32_t>(code_.code().size());
    }
    [[nodiscard]] unsigned back_to(std::size_t position) const {
        return static_cast<unsigned>(static_cast<int>(position) -
                                     static_cast<int>(code_.code().size()) - 2);
    }
    void branch_to(std::size_t position) { code_.raw({0xE000 | (back_to(position) & 0x7FF)}); }
    void branch_if(Condition condition, std::size_t position) {
        code_.raw({0xD000u | condition << 8 | (back_to(position) & 0xFF)});
    }

    void set_up() {
        code_.write(flag_, number(0, 1)).write(tick_, 0);
        if (maybe(75)) code_.caches();
        if (maybe(40)) uncached();
        code_.write(kRcc + 0xA64, 1);  // clock of TIM2
        code_.write(kTim2 + 0x28, number(0, 3)).write(kTim2 + 0x2C, number(1000, 20000));
        code_.write(kTim2 + 0x14, 1).write(kTim2 + 0x10, 0);
        timer_interrupts_ = maybe(60);
        if (timer_interrupts_) {
            code_.write(kTim2 + 0x0C, 1);
            code_.write(0xE000E100 + kTim2Line / 32 * 4, 1u << kTim2Line % 32);
        }
        code_.write(kTim2, 1);
        if (maybe(60)) code_.write(0xE000E014, number(3000, 30000)).write(0xE000E010, 7);
        code_.write(kUart + 0x0C, number(100, 400)).write(kUart, 9);  // UE, TE
        code_.set(7, 0);
    }
    /// The page of kFarFlag is Normal memory that is not cached.
    void uncached() {
        code_.write(0xE000EDC0, 0x44).write(0xE000ED98, 0);
        code_.write(0xE000ED9C, kFarFlag | 3).write(0xE000EDA0, (kFarFlag + 0xFE0) | 1);
        code_.write(0xE000ED94, 5).barrier();
    }

    /// Instructions that leave the same behind each time, but for some that count.
    void fill() {
        const unsigned count = number(0, 3);
        for (unsigned i = 0; i < count; ++i) {
            switch (number(0, 7)) {
                case 0:
                    code_.raw({0xBF00});  // nop
                    break;
                case 1:
                    code_.raw({0x2500 | number(0, 255)});  // movs r5, #
                    break;
                case 2:
                    code_.raw({0x1CEE});  // adds r6, r5, #3
                    break;
                case 3:
                    code_.raw({0xB460, 0xBC60});  // push {r5, r6}; pop {r5, r6}
                    break;
                case 4:
                    code_.raw({0x2D07, 0xBF08, 0x462E});  // cmp r5, #7; it eq; moveq r6, r5
                    break;
                case 5:
                    code_.raw({0xB420, 0x9E00, 0xB001});  // push {r5}; ldr r6, [sp]; add sp, #4
                    break;
                case 6:
                    code_.raw({0xFB05, 0xF605});  // mul r6, r5, r5
                    break;
                default:
                    if (maybe(15)) code_.add(7, 1);
                    break;
            }
        }
    }
    /// Reads the word that kFlag points to, or a part of it.
    void read() { code_.raw({maybe(70) ? 0x6820u : maybe(50) ? 0x8820u : 0x7820u}); }

    void wait() {
        switch (number(0, 5)) {
            case 0:
                wait_for_timer();
                break;
            case 1:
                wait_for_word();
                break;
            case 2:
                wait_for_tick();
                break;
            case 3:
                wait_with_limit();
                break;
            case 4:
                wait_for_transmission();
                break;
            default:
                wait_for_count();
                break;
        }
    }
    void wait_for_timer() {
        code_.set(kFlag, kTim2 + 0x10).set(kMask, 1);
        const std::size_t loop = code_.code().size();
        fill();
        read();
        fill();
        code_.raw({0x4218});  // tst r0, r3
        branch_if(timer_interrupts_ && maybe(80) ? kNotEqual : kEqual, loop);
        code_.set(kValue, 0).store(kValue, kFlag);
    }
    void wait_for_word() {
        code_.set(kFlag, flag_).set(kMask, 1);
        const Condition again = maybe(50) ? kEqual : kNotEqual;
        const std::size_t loop = code_.code().size();
        fill();
        read();
        fill();
        code_.raw({0x4218});
        branch_if(again, loop);
    }
    void wait_for_tick() {
        const bool calls = maybe(50);
        code_.set(kTick, tick_).load(kSince, kTick);
        const std::size_t loop = code_.code().size();
        fill();
        if (calls) {
            code_.call(function_);
        } else {
            code_.load(kValue, kTick);
        }
        code_.raw({0x1A80, 0x2800 | number(1, 3)});  // subs r0, r0, r2; cmp r0, #
        branch_if(kBelow, loop);
    }
    /// As drivers do: a flag that does not come, and a limit by the tick.
    void wait_with_limit() {
        code_.set(kTick, tick_).load(kSince, kTick).set(kFlag, kUart + 0x1C);
        code_.set(kMask, 1u << 5);  // RXNE: nothing comes
        const std::size_t loop = code_.code().size();
        read();
        code_.raw({0x4218});
        const std::size_t out = code_.code().size();
        code_.raw({0xD100});  // bne to the end
        fill();
        code_.call(function_);
        code_.set(kMask, 1u << 5).raw({0x1A80, 0x2802});
        branch_if(kBelow, loop);
        ahead_.emplace_back(out, code_.code().size() - out - 2);
    }
    void wait_for_transmission() {
        code_.write(kUart + 0x28, number(0, 255));
        code_.set(kFlag, kUart + 0x1C).set(kMask, 1u << number(6, 7));  // TC, TXFNF
        const std::size_t loop = code_.code().size();
        fill();
        code_.load(kValue, kFlag).raw({0x4218});
        branch_if(kEqual, loop);
    }
    /// Another value each time: CNT.
    void wait_for_count() {
        code_.set(kFlag, kTim2 + 0x24).set(kMask, 1u << number(2, 6));
        const std::size_t loop = code_.code().size();
        code_.load(kValue, kFlag).raw({0x4218});
        branch_if(maybe(50) ? kEqual : kNotEqual, loop);
    }

    std::mt19937 random_;
    Thumb code_;
    std::uint32_t flag_ = 0, tick_ = 0, function_ = 0;
    bool timer_interrupts_ = false;
    std::vector<std::pair<std::size_t, std::size_t>> ahead_;  ///< branches, and how far they lead
};

/// All that a run shows.
struct Shown {
    std::uint64_t hash = 0, cycles = 0, instructions = 0, lookups = 0, fills = 0, waits = 0,
                  uncached = 0, fetch_waits = 0, fetched_uncached = 0;
    models::Picoseconds time = 0;
    bool operator==(const Shown&) const = default;
};

Shown run(Chip& chip, models::Picoseconds time, bool skips) {
    chip.platform.reset();
    models::core::Core& core = chip.platform.core().core();
    core.set_skips_polling(skips);
    static_cast<void>(chip.platform.advance({time, 0}));
    Shown shown;
    shown.hash = chip.platform.trace_hash();
    shown.cycles = core.cycles();
    shown.instructions = core.instructions();
    shown.time = chip.platform.time();
    if (const models::core::CoreCaches* caches = core.caches()) {
        const auto& data = caches->data.counters();
        shown.lookups = data.lookups;
        shown.fills = data.fills;
        shown.waits = data.wait_cycles;
        shown.uncached = data.uncached_reads;
        shown.fetch_waits = caches->instructions.counters().wait_cycles;
        shown.fetched_uncached = caches->instructions.counters().uncached;
    }
    return shown;
}

void compare(const sim::PlatformOptions& options, const sim::PlatformParameters& parameters,
             unsigned first_seed, unsigned cases, unsigned least_skipping) {
    Chip chip(options, parameters);
    chip.platform.hash_transactions();
    unsigned skipping = 0;
    for (unsigned seed = first_seed; seed < first_seed + cases; ++seed) {
        CAPTURE(seed);
        REQUIRE(chip.platform.load(GuestAddr{kFlexmem}, PollingProgram(seed).image()));
        constexpr models::Picoseconds kMicrosecond = 1'000'000;
        const models::Picoseconds time = (100 + seed % 7 * 23) * kMicrosecond + seed;
        const Shown executed = run(chip, time, false);
        const std::uint64_t before = chip.platform.core().core().skipped_rounds();
        const Shown skipped = run(chip, time, true);
        CHECK(executed == skipped);
        if (chip.platform.core().core().skipped_rounds() != before) ++skipping;
    }
    CHECK(skipping >= least_skipping);
}

}  // namespace

TEST_CASE("polling: skipped rounds leave what executed ones leave") {
    compare({}, {}, 1, 240, 150);
}

TEST_CASE("polling: the same where cycles are no whole picoseconds") {
    sim::PlatformParameters parameters;
    parameters.clock.cpu.value = 601;
    parameters.clock.noc.value = 377;
    parameters.clock.ahb.value = 93;
    compare({}, parameters, 1001, 60, 30);
}

TEST_CASE("polling: the same with real caches") {
    sim::PlatformOptions options;
    options.coherence = Coherence::Real;
    compare(options, {}, 2001, 60, 5);
}

TEST_CASE("polling: the same without time") {
    sim::PlatformOptions options;
    options.timing = Timing::Functional;
    compare(options, {}, 3001, 30, 5);
}

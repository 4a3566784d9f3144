// SPDX-License-Identifier: Apache-2.0
// Long and saturating shifts against arithmetic one step at a time. QEMU 7.2 cannot judge the
// 48-bit forms: it takes their operand for 48 bits wide.
#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "tests/core/integer/machine.h"

using n6vp::test::Machine;

namespace {

template <class T>
struct Result {
    T value = 0;
    bool saturated = false;
};

/// Doubles `value` until it leaves [least, most].
template <class T>
Result<T> doubled(T value, int times, T least, T most) {
    for (int i = 0; i < times; ++i) {
        if (value > most / 2) return {most, true};
        if (value < least / 2) return {least, true};
        value = static_cast<T>(value * 2);
    }
    if (value > most) return {most, true};
    if (value < least) return {least, true};
    return {value, false};
}

/// Halves downwards; the last bit that fell out rounds up.
template <class T>
T halved(T value, int times) {
    T last = 0;
    for (int i = 0; i < times; ++i) {
        last = value & 1;
        value = static_cast<T>((value - last) / 2);
    }
    return static_cast<T>(value + last);
}

/// Shifts left, or right with rounding, and saturates.
template <class T>
Result<T> shifted(T value, int left, T least, T most) {
    if (left >= 0) return doubled(value, left, least, most);
    return doubled(halved(value, -left), 0, least, most);
}

std::vector<std::uint64_t> operands() {
    std::vector<std::uint64_t> list = {0,
                                       1,
                                       0xFFFFFFFFFFFFFFFF,
                                       0x8000000000000000,
                                       0x7FFFFFFFFFFFFFFF,
                                       0x0000FFFFFFFFFFFF,
                                       0x0001000000000000,
                                       0x00007FFFFFFFFFFF,
                                       0x0000800000000000,
                                       0xFFFF800000000000,
                                       0xFFFF7FFFFFFFFFFF};
    std::mt19937_64 random(48);
    for (unsigned bits = 0; bits < 64; bits += 3) {
        list.push_back(random() >> bits);
        list.push_back(~(random() >> bits));
    }
    return list;
}

class Pair {
  public:
    /// Executes on r1:r0, with the amount in r2.
    void run(std::uint32_t encoding, std::uint64_t value, int amount) {
        machine_.cpu().q = 0;
        machine_.reg(0) = static_cast<std::uint32_t>(value);
        machine_.reg(1) = static_cast<std::uint32_t>(value >> 32);
        machine_.reg(2) = 0xFFFF00u | (static_cast<std::uint32_t>(amount) & 0xFF);
        REQUIRE(machine_.run_wide(encoding));
    }
    std::uint64_t value() { return std::uint64_t{machine_.reg(1)} << 32 | machine_.reg(0); }
    std::uint32_t word() { return machine_.reg(0); }
    bool saturated() { return machine_.cpu().q != 0; }

  private:
    Machine machine_;
};

constexpr std::uint64_t kMost48 = 0xFFFFFFFFFFFF;
constexpr std::int64_t kMaxSigned48 = 0x7FFFFFFFFFFF;

}  // namespace

TEST_CASE("saturating rounding shifts of pairs by register") {
    Pair pair;
    for (const std::uint64_t value : operands()) {
        const auto as_signed = static_cast<std::int64_t>(value);
        for (int amount = -128; amount < 128; ++amount) {
            CAPTURE(value);
            CAPTURE(amount);
            for (const bool narrow : {false, true}) {
                const std::uint32_t size = narrow ? 0x80 : 0;
                pair.run(0xEA51210D | size, value, amount);  // uqrshll r0, r1, #64 or 48, r2
                const auto left =
                    shifted<std::uint64_t>(value, amount, 0, narrow ? kMost48 : UINT64_MAX);
                CHECK(pair.value() == left.value);
                CHECK(pair.saturated() == left.saturated);
                pair.run(0xEA51212D | size, value, amount);  // sqrshrl
                const auto right = shifted<std::int64_t>(as_signed, -amount,
                                                         narrow ? -kMaxSigned48 - 1 : INT64_MIN,
                                                         narrow ? kMaxSigned48 : INT64_MAX);
                CHECK(pair.value() == static_cast<std::uint64_t>(right.value));
                CHECK(pair.saturated() == right.saturated);
            }
        }
    }
}

TEST_CASE("shifts of pairs by register") {
    Pair pair;
    for (const std::uint64_t value : operands()) {
        for (int amount = -128; amount < 128; ++amount) {
            CAPTURE(value);
            CAPTURE(amount);
            std::uint64_t left = value;
            for (int i = 0; i < amount; ++i) left *= 2;
            for (int i = 0; i < -amount; ++i) left /= 2;
            pair.run(0xEA50210D, value, amount);  // lsll r0, r1, r2
            CHECK(pair.value() == left);
            std::uint64_t right = value;
            for (int i = 0; i < amount; ++i) right = right / 2 | (right & 0x8000000000000000);
            for (int i = 0; i < -amount; ++i) right *= 2;
            pair.run(0xEA50212D, value, amount);  // asrl
            CHECK(pair.value() == right);
            CHECK_FALSE(pair.saturated());
        }
    }
}

TEST_CASE("shifts of pairs and words by immediate") {
    Pair pair;
    for (const std::uint64_t value : operands()) {
        const auto as_signed = static_cast<std::int64_t>(value);
        const auto low = static_cast<std::uint32_t>(value);
        const auto low_signed = static_cast<std::int32_t>(low);
        for (int amount = 1; amount <= 32; ++amount) {
            CAPTURE(value);
            CAPTURE(amount);
            const auto field = static_cast<std::uint32_t>(amount & 31);
            const std::uint32_t imm = (field >> 2) << 12 | (field & 3) << 6;
            const auto run = [&](std::uint32_t encoding) { pair.run(encoding | imm, value, 0); };
            std::uint64_t left = value, right = value, right_signed = value;
            for (int i = 0; i < amount; ++i) {
                left *= 2;
                right /= 2;
                right_signed = right_signed / 2 | (right_signed & 0x8000000000000000);
            }
            run(0xEA50010F);  // lsll
            CHECK(pair.value() == left);
            run(0xEA50011F);  // lsrl
            CHECK(pair.value() == right);
            run(0xEA50012F);  // asrl
            CHECK(pair.value() == right_signed);
            CHECK_FALSE(pair.saturated());

            run(0xEA51010F);  // uqshll
            const auto unsigned_left = doubled<std::uint64_t>(value, amount, 0, UINT64_MAX);
            CHECK(pair.value() == unsigned_left.value);
            CHECK(pair.saturated() == unsigned_left.saturated);
            run(0xEA51013F);  // sqshll
            const auto signed_left = doubled<std::int64_t>(as_signed, amount, INT64_MIN, INT64_MAX);
            CHECK(pair.value() == static_cast<std::uint64_t>(signed_left.value));
            CHECK(pair.saturated() == signed_left.saturated);
            run(0xEA51011F);  // urshrl
            CHECK(pair.value() == halved(value, amount));
            run(0xEA51012F);  // srshrl
            CHECK(pair.value() == static_cast<std::uint64_t>(halved(as_signed, amount)));

            run(0xEA500F0F);  // uqshl r0
            const auto word = doubled<std::uint64_t>(low, amount, 0, UINT32_MAX);
            CHECK(pair.word() == static_cast<std::uint32_t>(word.value));
            CHECK(pair.saturated() == word.saturated);
            run(0xEA500F3F);  // sqshl
            const auto signed_word =
                doubled<std::int64_t>(low_signed, amount, INT32_MIN, INT32_MAX);
            CHECK(pair.word() == static_cast<std::uint32_t>(signed_word.value));
            CHECK(pair.saturated() == signed_word.saturated);
            run(0xEA500F1F);  // urshr
            CHECK(pair.word() == static_cast<std::uint32_t>(halved<std::uint64_t>(low, amount)));
            run(0xEA500F2F);  // srshr
            CHECK(pair.word() ==
                  static_cast<std::uint32_t>(halved<std::int64_t>(low_signed, amount)));
            CHECK_FALSE(pair.saturated());
        }
    }
}

TEST_CASE("saturating rounding shifts of words by register") {
    Pair pair;
    for (const std::uint64_t value : operands()) {
        const auto low = static_cast<std::uint32_t>(value);
        for (int amount = -128; amount < 128; ++amount) {
            CAPTURE(low);
            CAPTURE(amount);
            pair.run(0xEA502F0D, value, amount);  // uqrshl r0, r2
            const auto left = shifted<std::uint64_t>(low, amount, 0, UINT32_MAX);
            CHECK(pair.word() == static_cast<std::uint32_t>(left.value));
            CHECK(pair.saturated() == left.saturated);
            pair.run(0xEA502F2D, value, amount);  // sqrshr r0, r2
            const auto right = shifted<std::int64_t>(static_cast<std::int32_t>(low), -amount,
                                                     INT32_MIN, INT32_MAX);
            CHECK(pair.word() == static_cast<std::uint32_t>(right.value));
            CHECK(pair.saturated() == right.saturated);
        }
    }
}

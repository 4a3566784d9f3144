// SPDX-License-Identifier: Apache-2.0
// The quick way against the slow one: what it knows must be the same bits, and inexact the only
// exception.
#include <doctest/doctest.h>

#include <cstdint>
#include <type_traits>

#include "models/core/float/host_float.h"
#include "models/core/float/soft_float.h"
#include "tests/core/float/patterns.h"

namespace fp = n6vp::models::core::fp;
using n6vp::tests::Patterns;

namespace {

constexpr int kRounds = 400000;
constexpr std::uint32_t kFlush = 1u << 24;

struct Count {
    unsigned known = 0, exact = 0;
};

template <class Operation, class T, class... Operands>
void check(std::uint32_t fpscr, Count& count, T first, Operands... operands) {
    if (!fp::none_flushed(fpscr, first, operands...)) return;
    const fp::Quick<T> quick = Operation::quick(first, operands...);
    if (!quick.known) return;
    fp::Environment environment = fp::Environment::of_fpscr(fpscr);
    const T slow = Operation::soft(first, operands..., environment);
    const bool inexact = (environment.flags & fp::raised::kInexact) != 0;
    const bool exact = Operation::exact(first, operands..., quick.bits);
    ++count.known;
    count.exact += exact ? 1 : 0;
    CAPTURE(first);
    REQUIRE(quick.bits == slow);
    REQUIRE((environment.flags & ~fp::raised::kInexact) == 0);
    // Double precision may leave open whether a result is exact, never claim it wrongly.
    if (exact) REQUIRE(!inexact);
    if (std::is_same_v<T, std::uint32_t> && !exact) REQUIRE(inexact);
}

template <class T>
void check_all(std::uint64_t seed) {
    Patterns<T> patterns(seed);
    Count add, subtract, multiply, divide, root, fused;
    for (int i = 0; i < kRounds; ++i) {
        const std::uint32_t fpscr = i % 2 != 0 ? kFlush : 0;
        const T a = patterns.next(), b = patterns.next(), c = patterns.next();
        check<fp::Add>(fpscr, add, a, b);
        check<fp::Subtract>(fpscr, subtract, a, b);
        check<fp::Multiply>(fpscr, multiply, a, b);
        check<fp::Divide>(fpscr, divide, a, b);
        check<fp::SquareRoot>(fpscr, root, a);
        check<fp::MultiplyAdd>(fpscr, fused, c, a, b);
    }
    // The quick way is no way at all unless most ordinary operands take it.
    for (const Count& count : {add, subtract, multiply, divide, fused})
        CHECK(count.known > kRounds / 4);
    CHECK(root.known > kRounds / 8);
    CHECK(add.exact > 1000);
}

}  // namespace

TEST_CASE("quick single precision equals the slow one") {
    check_all<std::uint32_t>(11);
}

TEST_CASE("quick double precision equals the slow one") {
    check_all<std::uint64_t>(12);
}

TEST_CASE("a fused sum between two singles is left to the slow way") {
    // 1 + 2^-24 (1 + 2^-23)(1 - 2^-23): just below the middle of 1 and 1 + 2^-23.
    const std::uint32_t one = 0x3F800000, a = 0x33800001, b = 0x3F7FFFFE;
    fp::Environment environment;
    CHECK(fp::multiply_add(one, a, b, environment) == one);
    const auto quick = fp::MultiplyAdd::quick(one, a, b);
    CHECK(!quick.known);
}

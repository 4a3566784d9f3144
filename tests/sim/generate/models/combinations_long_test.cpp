// SPDX-License-Identifier: Apache-2.0
// The larger networks in all combinations: ctest -C long -L long.
#include <doctest/doctest.h>

#include "tests/sim/generate/models/combinations.h"

using namespace n6vp::test;

TEST_CASE("picture classes in all 24 combinations") {
    check_network(kPictures, kInPlace, all_ways());
}
TEST_CASE("picture classes with copied weights in all 24 combinations") {
    check_network(kPictures, kCopied, all_ways());
}
TEST_CASE("persons in pictures in all 24 combinations") {
    check_network(kPersons, kInPlace, all_ways());
}
TEST_CASE("persons in pictures with copied weights in all 24 combinations") {
    check_network(kPersons, kCopied, all_ways());
}

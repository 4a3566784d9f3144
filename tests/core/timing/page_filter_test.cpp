// SPDX-License-Identifier: Apache-2.0
#include "models/core/ir/page_filter.h"

#include <doctest/doctest.h>

#include "models/core/timing/cache_tags.h"

using n6vp::models::CacheTags;
using n6vp::models::PageFilter;

TEST_CASE("pages: what was added is found in its page and in ranges that reach it") {
    PageFilter pages;
    CHECK(pages.empty());
    CHECK_FALSE(pages.may_have(0, 0xFFFFFFFFu));
    pages.add(0x34001234u);
    CHECK_FALSE(pages.empty());
    CHECK(pages.may_have(0x34001FFFu, 0x34001FFFu));
    CHECK(pages.may_have(0x34000FFFu, 0x34001000u));
    CHECK_FALSE(pages.may_have(0x34000000u, 0x34000FFFu));
    CHECK_FALSE(pages.may_have(0x34002000u, 0x34003000u));
}

TEST_CASE("pages: both ends of the address space") {
    PageFilter pages;
    pages.add(0xFFFFFFFFu);
    CHECK(pages.may_have(0xFFFFF000u, 0xFFFFFFFFu));
    CHECK_FALSE(pages.may_have(0, 0xFFFu));
    pages.add(0);
    CHECK(pages.may_have(0, 3));
}

TEST_CASE("pages: a large range may have what is anywhere") {
    PageFilter pages;
    pages.add(0x34001000u);
    CHECK(pages.may_have(0, 0xFFFFFFFFu));
    pages.clear();
    CHECK_FALSE(pages.may_have(0, 0xFFFFFFFFu));
    CHECK_FALSE(pages.may_have(0x34001000u, 0x34001000u));
}

TEST_CASE("tags: pages of lines are known until all are invalidated, and again after that") {
    CacheTags tags(32 * 1024, 4, 32);
    CHECK_FALSE(tags.may_hold(0x34000000u, 0x34000FFFu));
    for (int round = 0; round < 2; ++round) {
        (void)tags.allocate(0x34000FE0u);
        CHECK(tags.may_hold(0x34000000u, 0x34000003u));
        CHECK_FALSE(tags.may_hold(0x34001000u, 0x34001FFFu));
        tags.invalidate_all();
        CHECK_FALSE(tags.may_hold(0x34000000u, 0x34000FFFu));
        CHECK(tags.find(0x34000FE0u) == nullptr);
    }
}

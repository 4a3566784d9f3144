// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <vector>

#include "tests/loader/check/malformed_cases.h"

/// Findings say where and what: offset, index, address, expected and found of one rule of every
/// kind.
namespace n6vp::test {
namespace {

using loader::Diagnosis;
using loader::kNotApplicable;
using loader::Rule;

Diagnosis finding_of(Bench& bench, Rule rule) {
    struct Search {
        Rule rule;
        Diagnosis found;
    } search{rule, {}};
    (void)loader::check(bench.memory.port(), bench.request,
                        {&search, [](void* context, const Diagnosis& finding) {
                             auto& wanted = *static_cast<Search*>(context);
                             if (finding.rule != wanted.rule) return true;
                             wanted.found = finding;
                             return false;
                         }});
    CHECK(search.found.rule == rule);
    return search.found;
}

struct Fixture {
    Image image = build_image(sample_spec(ImageGeneration::Core22));
    [[nodiscard]] Bench bench() const { return {image, n6_placements().front(), 6}; }
};

TEST_CASE_FIXTURE(Fixture, "numbers: a header word") {
    image.set(kBssEnd, 0x41000008);
    Bench broken = bench();
    const Diagnosis finding = finding_of(broken, Rule::BssEndLimit);
    CHECK(finding.file_offset == 0x18);
    CHECK(finding.expected == 0x01000000);
    CHECK(finding.found == 0x01000008);
    CHECK(finding.stage == loader::Stage::Header);
}

TEST_CASE_FIXTURE(Fixture,
                  "numbers: a region that leaves the address space has the room up to it") {
    struct Row {
        Rule rule;
        void (*arrange)(Bench&);
        std::uint32_t start, room;
    };
    constexpr Row kRows[] = {
        {Rule::ExecWraps, [](Bench& b) { b.request.exec_ram = GuestAddr{0xFFFFFFE0}; }, 0xFFFFFFE0,
         0x20},
        {Rule::ExtWraps, [](Bench& b) { b.request.ext_ram = GuestAddr{0xFFFFFFC0}; }, 0xFFFFFFC0,
         0x40},
        {Rule::InstanceWraps, [](Bench& b) { b.request.instance = GuestAddr{0xFFFFFFF0}; },
         0xFFFFFFF0, 0x10},
    };
    for (const Row& row : kRows) {
        CAPTURE(row.start);
        Bench broken = bench();
        row.arrange(broken);
        const Diagnosis finding = finding_of(broken, row.rule);
        CHECK(to_word(finding.address) == row.start);
        CHECK(finding.expected == row.room);
        CHECK(finding.found > row.room);
    }
}

TEST_CASE_FIXTURE(Fixture, "numbers: a granted region may end with the address space, not behind") {
    Bench broken = bench();
    AddressRange grants[] = {{GuestAddr{0x34200000}, 0x10000000}, {GuestAddr{0xFFFFFFF0}, 0x11}};
    broken.request.grants = grants;
    broken.request.grant_count = 2;
    const Diagnosis finding = finding_of(broken, Rule::GrantWraps);
    CHECK(finding.index == 1);
    CHECK(to_word(finding.address) == 0xFFFFFFF0);
    CHECK(finding.expected == 0x10);
    CHECK(finding.found == 0x11);
    bool wraps = false;
    const auto look = [&] {
        wraps = false;
        (void)loader::check(broken.memory.port(), broken.request,
                            {&wraps, [](void* context, const Diagnosis& each) {
                                 if (each.rule == Rule::GrantWraps)
                                     *static_cast<bool*>(context) = true;
                                 return true;
                             }});
    };
    look();
    CHECK(wraps);
    grants[1].bytes = 0x10;
    look();
    CHECK_FALSE(wraps);
    grants[1] = {GuestAddr{0}, 0xFFFFFFFF};
    look();
    CHECK_FALSE(wraps);
}

TEST_CASE_FIXTURE(Fixture, "numbers: a vector entry") {
    image.set(kFirstEntry + 12, 0x40000001);
    Bench broken = bench();
    const Diagnosis finding = finding_of(broken, Rule::VectorSpace);
    CHECK(finding.file_offset == 0x40);
    CHECK(finding.index == 3);
    CHECK(finding.expected == 0x20000001);
    CHECK(finding.found == 0x40000001);
}

TEST_CASE_FIXTURE(Fixture, "numbers: a field of rt_ctx") {
    image.set(image.context + kContextNetwork, 0);
    Bench broken = bench();
    const Diagnosis finding = finding_of(broken, Rule::ContextNetworkSpace);
    CHECK(finding.file_offset == image.context + 0x40);
    CHECK(finding.found == 0);
}

TEST_CASE_FIXTURE(Fixture, "numbers: a pool") {
    set_pool(image, kCopyRw, kPoolDst, 0x34270000 + 0x1C0);
    Bench broken = bench();
    const Diagnosis finding = finding_of(broken, Rule::PoolDestinationNotGranted);
    CHECK(finding.file_offset == image.pool(kCopyRw) + kPoolDst);
    CHECK(finding.index == kCopyRw);
    CHECK(to_word(finding.address) == 0x342701C0);
    CHECK(finding.found == 0xC8);
}

TEST_CASE_FIXTURE(Fixture, "numbers: an overlap") {
    set_pool(image, kReset, kPoolDst, 0x34060010);
    Bench broken = bench();
    const Diagnosis finding = finding_of(broken, Rule::PoolOverlapsExec);
    CHECK(finding.index == kReset);
    CHECK(to_word(finding.address) == 0x34060010);
    CHECK(finding.expected == 0);
    CHECK(finding.found == 0x70);
}

TEST_CASE_FIXTURE(Fixture, "numbers: a GOT word") {
    image.set(image.got_word(2), 0x80001000);
    Bench broken = bench();
    const Diagnosis finding = finding_of(broken, Rule::GotValueParam0Range);
    CHECK(finding.file_offset == image.got_word(2));
    CHECK(finding.index == 2);
    CHECK(finding.expected == image.raw_bytes);
    CHECK(finding.found == 0x80001000);
}

TEST_CASE_FIXTURE(Fixture, "numbers: a relocation entry and the word it names") {
    image.set(image.relocation(3), 0x90000000);
    image.set(image.ro_bytes + 4, 0x2FFFFFF0);
    Bench broken = bench();
    Diagnosis finding = finding_of(broken, Rule::RelocationSpace);
    CHECK(finding.file_offset == image.relocation(3));
    CHECK(finding.index == 3);
    CHECK(finding.found == 0x90000000);
    finding = finding_of(broken, Rule::RelocationValueFlashRange);
    CHECK(finding.file_offset == image.ro_bytes + 4);
    CHECK(finding.index == 1);
    CHECK(to_word(finding.address) == 0x40000004);
    CHECK(finding.expected == image.ro_bytes);
    CHECK(finding.found == 0x2FFFFFF0);
}

TEST_CASE_FIXTURE(Fixture, "numbers: flash that ends where the relocation table begins") {
    Bench broken = bench();
    const GuestAddr moved{0x74000000};
    broken.memory.map({moved, image.rel}, 0, false);
    broken.memory.store(moved, broken.memory.bytes({broken.request.file, image.rel}));
    broken.request.file = moved;
    const Diagnosis finding = finding_of(broken, Rule::SectionUnreadable);
    CHECK(finding.file_offset == image.relocation(0));
    CHECK(finding.index == 0);
    CHECK(finding.status == loader::Status::InvalidBinary);
}

TEST_CASE_FIXTURE(Fixture, "numbers: exec RAM") {
    Bench broken = bench();
    const std::uint32_t needed = broken.request.exec_ram_bytes;
    broken.request.exec_ram_bytes = 8;
    const Diagnosis finding = finding_of(broken, Rule::ExecTooSmall);
    CHECK(to_word(finding.address) == 0x34060000);
    CHECK(finding.file_offset == kNotApplicable);
    CHECK(finding.expected == needed);
    CHECK(finding.found == 8);
    CHECK(finding.status == loader::Status::Memory);
}

}  // namespace
}  // namespace n6vp::test

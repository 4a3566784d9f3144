// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/loader/legacy/legacy_chip.h"

namespace n6vp::test {
namespace {

using legacy::Call;
using loader::Policy;
using loader::Rule;

TEST_CASE("create gets the place of the network, r9 the RAM base") {
    for (const Policy policy : {Policy::Strict, Policy::Compat}) {
        Chip chip(policy);
        CHECK(chip.create() == 0);
        REQUIRE(chip.calls.size() == 1);
        CHECK(chip.last_entry() == 0);
        CHECK((to_word(chip.calls[0].target) & 1) == 1);
        CHECK(to_word(chip.calls[0].static_base) == to_word(chip.load.ram));
        CHECK(chip.calls[0].arguments[0] == chip.context() + 4);
        CHECK(chip.calls[0].arguments[1] == 0);
        CHECK(chip.context() == to_word(chip.load.ram) + chip.image.context - chip.image.ro_bytes);
    }
}

TEST_CASE("documented errors of load_and_create and get_info") {
    for (const Policy policy : {Policy::Strict, Policy::Compat}) {
        Chip chip(policy);
        const bool strict = policy == Policy::Strict;
        CHECK(legacy::load_and_create(chip.machine, chip.load, nullptr) == 0x1710);
        legacy::LoadRequest none = chip.load;
        none.file = GuestAddr{0};
        CHECK(legacy::load_and_create(chip.machine, none, &chip.handle) == 0x1710);
        legacy::LoadRequest small = chip.load;
        --small.ram_bytes;
        CHECK(legacy::load_and_create(chip.machine, small, &chip.handle) ==
              (strict ? 0x1031 : 0x1033));
        CHECK(chip.refusals.back() == Rule::LegacyRamTooSmall);
        legacy::LoadRequest mode = chip.load;
        mode.mode = 4;
        CHECK(legacy::load_and_create(chip.machine, mode, &chip.handle) ==
              (strict ? 0x1014 : 0x1033));
        chip.machine.target.cpu_part = 0xC24;
        CHECK(chip.create() == 0x1033);
        CHECK(chip.calls.empty());
        legacy::Info info;
        CHECK(legacy::get_info(chip.machine, GuestAddr{0}, info) == 0x1710);
        CHECK(legacy::get_info(chip.machine, GuestAddr{to_word(chip.load.file) + 2}, info) ==
              0x1710);
        CHECK(legacy::get_info(chip.machine, GuestAddr{kArrays}, info) == 0x1710);
        CHECK(legacy::get_info(chip.machine, chip.load.file, info) == 0);
        CHECK(info.weights_bytes == 40);
        CHECK(to_word(info.weights) == 0);
    }
}

TEST_CASE("get_info follows no pointer out of the model, the vendor's does") {
    const struct {
        std::uint32_t at, value;
        Rule rule;
    } rows[] = {
        {0x10, 0x20400004, Rule::LegacyRoLimit},      {0x0C, 0x80020004, Rule::LegacyRamLimit},
        {0x60, 0x20000018, Rule::LegacyContextSpace}, {0x60, 0x80000060, Rule::ContextOutsideData},
        {0, 0x2FFFFFFC, Rule::ContextNameOutside},    {0, 0x80000000, Rule::ContextNameOutside}};
    for (const auto& row : rows) {
        for (const Policy policy : {Policy::Strict, Policy::Compat}) {
            Chip chip(policy);
            const std::uint32_t at = row.at != 0 ? row.at : chip.image.context + 0x14;
            chip.image.set(at, row.value);
            chip.bench.memory.store(chip.load.file, chip.image.file);
            legacy::Info info;
            CAPTURE(row.value);
            const std::uint32_t error = legacy::get_info(chip.machine, chip.load.file, info);
            if (policy == Policy::Compat) {
                CHECK(chip.refusals.empty());
                continue;
            }
            CHECK(error == 0x1710);
            REQUIRE(chip.refusals.size() == 1);
            CHECK(chip.refusals[0] == row.rule);
        }
    }
}

TEST_CASE("a create that fails gives the block back and leaves no handle") {
    for (const Policy policy : {Policy::Strict, Policy::Compat}) {
        Chip chip(policy);
        chip.block = to_word(chip.load.ram);
        chip.load.ram = GuestAddr{0};
        chip.load.ram_bytes = 0;
        chip.answer = 0x1001;
        CHECK(chip.create() == 0x1001);
        const bool strict = policy == Policy::Strict;
        CHECK(chip.released == (strict ? chip.block : 0));
        CHECK((chip.context() == 0) == strict);
    }
}

TEST_CASE("callbacks for the CRC unit are entered before create") {
    Chip chip;
    chip.load.registers_crc = true;
    chip.load.acquire_crc = GuestAddr{0x08000101};
    chip.load.release_crc = GuestAddr{0x08000201};
    CHECK(chip.create() == 0);
    CHECK(chip.word(chip.context() + 0x34) == 0x08000101);
    CHECK(chip.word(chip.context() + 0x38) == 0x08000201);
    CHECK(legacy::register_crc_callbacks(chip.machine, chip.handle, GuestAddr{0x08000301},
                                         GuestAddr{0}));
    CHECK(chip.word(chip.context() + 0x34) == 0x08000301);
    CHECK(chip.word(chip.context() + 0x38) == 0);
    CHECK_FALSE(legacy::register_crc_callbacks(chip.machine, GuestAddr{0}, GuestAddr{0x08000301},
                                               GuestAddr{0}));
}

TEST_CASE("a context of 52 bytes has no room for callbacks, the vendor's loader takes the next") {
    Chip strict(Policy::Strict, false);
    REQUIRE(strict.create() == 0);
    const std::uint32_t behind = strict.word(strict.context() + 0x34);
    CHECK_FALSE(legacy::register_crc_callbacks(strict.machine, strict.handle, GuestAddr{0x08000301},
                                               GuestAddr{0}));
    CHECK(strict.refusals.back() == Rule::LegacyCrcNoRoom);
    CHECK(strict.word(strict.context() + 0x34) == behind);
    strict.load.registers_crc = true;
    CHECK(strict.create() == 0);  // none to enter
    strict.load.acquire_crc = GuestAddr{0x08000301};
    CHECK(strict.create() == 0x1033);
    Chip compat(Policy::Compat, false);
    REQUIRE(compat.create() == 0);
    CHECK(legacy::register_crc_callbacks(compat.machine, compat.handle, GuestAddr{0x08000301},
                                         GuestAddr{0}));
    CHECK(compat.word(compat.context() + 0x34) == 0x08000301);
}

TEST_CASE("each function calls its entry with the network and its arguments") {
    for (const Policy policy : {Policy::Strict, Policy::Compat}) {
        Chip chip(policy);
        REQUIRE(chip.create() == 0);
        chip.set(chip.context() + 4, 0x20001230);  // as the model's create does
        chip.set(kArrays, 0x08060000);
        chip.set(kArrays + 16, 0x20010000);
        chip.answer = 1;
        const auto expect = [&](std::uint32_t entry, std::uint32_t b, std::uint32_t c) {
            CHECK(chip.last_entry() == entry);
            CHECK(chip.calls.back().arguments[0] == 0x20001230);
            CHECK(chip.calls.back().arguments[1] == b);
            CHECK(chip.calls.back().arguments[2] == c);
            CHECK(to_word(chip.calls.back().static_base) == to_word(chip.load.ram));
        };
        CHECK(legacy::init(chip.machine, chip.handle, GuestAddr{kArrays}, GuestAddr{kArrays + 16}));
        expect(2, kArrays, kArrays + 16);
        CHECK(legacy::run(chip.machine, chip.handle, GuestAddr{0x100}, GuestAddr{0x200}) == 1);
        expect(3, 0x100, 0x200);
        CHECK(legacy::get_report(chip.machine, chip.handle, GuestAddr{0x300}));
        expect(4, 0x300, 0);
        CHECK(legacy::get_error(chip.machine, chip.handle) == 1);
        expect(5, 0, 0);
        CHECK(legacy::observer_register(chip.machine, chip.handle, GuestAddr{0x08000401}, 7, 6));
        expect(8, chip.context() + 0x20, 0);
        CHECK(chip.word(chip.context() + 0x20) == 0x08000401);
        CHECK(chip.word(chip.context() + 0x24) == 7);
        CHECK(chip.word(chip.context() + 0x28) == 6);
        CHECK(legacy::observer_unregister(chip.machine, chip.handle));
        expect(9, chip.context() + 0x20, 0);
        CHECK(legacy::observer_node_info(chip.machine, chip.handle, GuestAddr{0x400}));
        expect(10, 0x400, 0);
        // Only the lowest byte of r0 is an ai_bool; the vendor's loader looks at all of it.
        chip.answer = 0x100;
        CHECK(legacy::get_report(chip.machine, chip.handle, GuestAddr{0x300}) ==
              (chip.machine.policy == Policy::Compat));
    }
}

TEST_CASE("init without weights or activations is refused before the model sees it") {
    Chip chip;
    REQUIRE(chip.create() == 0);
    chip.answer = 1;
    const GuestAddr weights{kArrays};
    const GuestAddr activations{kArrays + 16};
    const std::size_t before = chip.calls.size();
    const auto refused = [&](GuestAddr w, GuestAddr a, Rule rule) {
        CHECK_FALSE(legacy::init(chip.machine, chip.handle, w, a));
        CHECK(chip.refusals.back() == rule);
    };
    chip.set(kArrays, 0x08060000);
    refused(weights, GuestAddr{0}, Rule::LegacyActivationsMissing);
    refused(weights, activations, Rule::LegacyActivationsMissing);
    chip.set(kArrays + 16, 0x20010002);
    refused(weights, activations, Rule::LegacyActivationsAlignment);
    chip.set(kArrays + 16, 0x20010000);
    refused(GuestAddr{0}, activations, Rule::LegacyWeightsMissing);
    chip.set(kArrays, 0);
    refused(weights, activations, Rule::LegacyWeightsMissing);
    chip.set(kArrays, 0x08060001);
    refused(weights, activations, Rule::LegacyWeightsGivenAlignment);
    CHECK(chip.calls.size() == before);
    Chip compat(Policy::Compat);
    REQUIRE(compat.create() == 0);
    compat.answer = 1;
    CHECK(legacy::init(compat.machine, compat.handle, GuestAddr{0}, GuestAddr{0}));
}

TEST_CASE("L1: destroy") {
    Chip strict;
    strict.block = to_word(strict.load.ram);
    strict.load.ram = GuestAddr{0};
    strict.load.ram_bytes = 0;
    REQUIRE(strict.create() == 0);
    strict.answer = 0x20001230;  // still in use
    CHECK(to_word(legacy::destroy(strict.machine, strict.handle)) == 0x20001230);
    CHECK(strict.refusals.back() == Rule::LegacyNotDestroyed);
    CHECK(strict.released == 0);
    strict.answer = 0;
    CHECK(to_word(legacy::destroy(strict.machine, strict.handle)) == 0);
    CHECK(strict.last_entry() == 6);
    CHECK(strict.released == strict.block);
    // The handle is stale now, and is given back as it is.
    const std::size_t calls = strict.calls.size();
    CHECK(legacy::destroy(strict.machine, strict.handle) == strict.handle);
    CHECK(strict.refusals.back() == Rule::LegacyHandleStale);
    CHECK(to_word(legacy::destroy(strict.machine, GuestAddr{0})) == 0);
    CHECK(strict.calls.size() == calls);

    Chip compat(Policy::Compat);
    REQUIRE(compat.create() == 0);
    CHECK(to_word(legacy::destroy(compat.machine, compat.handle)) == 0);
    CHECK(compat.calls.size() == 1);  // create
    CHECK(compat.refusals.empty());
    CHECK(to_word(legacy::destroy(compat.machine, GuestAddr{0})) == 0);
    CHECK(compat.refusals.back() == Rule::VendorReadsOutside);
}

TEST_CASE("L1, compat: an instance whose state is not INITIALIZED is destroyed") {
    Chip chip(Policy::Compat);
    chip.block = to_word(chip.load.ram);
    chip.load.ram = GuestAddr{0};
    REQUIRE(chip.create() == 0);
    chip.set(chip.context(), 2);
    chip.answer = 0x77;
    CHECK(to_word(legacy::destroy(chip.machine, chip.handle)) == 0x77);
    CHECK(chip.last_entry() == 6);
    CHECK(chip.word(chip.context()) == 1);
    CHECK(chip.word(chip.context() + 4) == 0x77);
    CHECK(chip.released == chip.block);
    // Without the magic there is no model to call.
    const std::size_t calls = chip.calls.size();
    chip.set(chip.context() + 12, kArrays);
    CHECK(to_word(legacy::destroy(chip.machine, chip.handle)) == 0);
    CHECK(chip.refusals.back() == Rule::VendorReadsOutside);
    CHECK(chip.calls.size() == calls);
}

TEST_CASE("a handle that is none gives the documented values, and its own reason") {
    const struct {
        void (*damage)(Chip&);
        Rule rule;
        bool strict_only;
    } rows[] = {
        {[](Chip& c) { c.handle = GuestAddr{0}; }, Rule::HandleNull, false},
        {[](Chip& c) { c.handle = GuestAddr{c.context() + 2}; }, Rule::LegacyHandleAlignment, true},
        {[](Chip& c) { c.handle = GuestAddr{0x50000000}; }, Rule::HandleUnreadable, false},
        {[](Chip& c) { c.set(c.context() + 0x0C, 0); }, Rule::HandleRoNull, false},
        {[](Chip& c) { c.set(c.context() + 0x0C, kArrays); }, Rule::HandleMagic, false},
        {[](Chip& c) { c.set(c.context(), 2); }, Rule::HandleState, false},
        {[](Chip& c) { c.set(c.context() + 8, 0x20002000); }, Rule::LegacyHandleForeign, true},
    };
    for (const auto& row : rows) {
        for (const Policy policy : {Policy::Strict, Policy::Compat}) {
            if (row.strict_only && policy == Policy::Compat) continue;
            Chip chip(policy);
            REQUIRE(chip.create() == 0);
            chip.answer = 1;
            row.damage(chip);
            const std::size_t calls = chip.calls.size();
            CHECK(legacy::run(chip.machine, chip.handle, GuestAddr{0x100}, GuestAddr{0x200}) == 0);
            CHECK(chip.refusals.back() == row.rule);
            CHECK(legacy::get_error(chip.machine, chip.handle) == 0x1010);
            CHECK_FALSE(legacy::get_report(chip.machine, chip.handle, GuestAddr{0x300}));
            CHECK_FALSE(legacy::init(chip.machine, chip.handle, GuestAddr{0}, GuestAddr{0}));
            CHECK_FALSE(legacy::observer_register(chip.machine, chip.handle, GuestAddr{1}, 0, 0));
            CHECK(chip.calls.size() == calls);
        }
    }
}

TEST_CASE("an entry that was overwritten after the install is not called") {
    LegacyBench bench(build_legacy(legacy_sample()), legacy_addresses().front(), 2);
    std::uint32_t calls = 0;
    legacy::Machine machine;
    machine.port = bench.memory.port();
    machine.context = &calls;
    machine.call = [](void* context, const Call&) {
        ++*static_cast<std::uint32_t*>(context);
        return 0u;
    };
    legacy::LoadRequest load;
    load.file = bench.request.file;
    load.ram = bench.request.ram;
    load.ram_bytes = bench.request.ram_bytes;
    load.mode = 2;
    GuestAddr handle{0};
    REQUIRE(legacy::load_and_create(machine, load, &handle) == 0);
    for (const std::uint32_t word : {0u, 0x20000064u, 0x80000065u, 0x20000011u, 0x20FFFFFFu}) {
        REQUIRE(loader::write_word(machine.port, GuestAddr{to_word(load.ram) + 0x40}, word));
        CHECK(legacy::run(machine, handle, GuestAddr{4}, GuestAddr{8}) == 0);
        CHECK(calls == 1);
    }
}

}  // namespace
}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "loader/ec_check.h"
#include "tests/loader/epoch_controller/ec_assembler.h"

namespace {

using namespace n6vp::loader;
namespace ec = n6vp::loader::ec;
using namespace n6vp::test;

/// A random legal program: engines configured in any number of ways, every ADDR and LIMITADDR
/// operand recorded.
struct RandomProgram {
    Words words;
    Words addresses, limits;
};

RandomProgram random_program() {
    RandomProgram program;
    EcAssembler code;
    std::uint32_t label = *rc::gen::inRange<std::uint32_t>(0, 100);
    code.label(label);
    const auto epochs = *rc::gen::inRange(1, 6);
    for (int epoch = 0; epoch < epochs; ++epoch) {
        const auto engine = *rc::gen::inRange<std::uint32_t>(0, 10);
        const std::uint32_t ip = 5 + engine;
        code.gate(engine, true);
        const auto filler = *rc::gen::inRange<std::size_t>(1, 10);
        code.burst_inc(ip, 0x14,
                       *rc::gen::container<Words>(std::min<std::size_t>(filler, 6),
                                                  rc::gen::arbitrary<std::uint32_t>()));
        if (*rc::gen::arbitrary<bool>()) {
            program.addresses.push_back(code.size() + 1);
            code.write(ip, 0x08, *rc::gen::arbitrary<std::uint32_t>());
        } else {
            program.addresses.push_back(code.size() + 1);
            code.burst_inc(ip, 0x08, {*rc::gen::arbitrary<std::uint32_t>(), 1, 2});
        }
        program.limits.push_back(code.size() + 2);
        code.burst_inc(ip, 0x34, {3, *rc::gen::arbitrary<std::uint32_t>()});
        code.poll(ip, 0, 31).gate(engine, false);
        label += *rc::gen::inRange<std::uint32_t>(0, 3);
        code.label(label);
    }
    code.irq();
    program.words = code.words();
    return program;
}

/// Deals the operands to one to four symbols, pairs kept together.
std::vector<EcEntry> random_symbols(const RandomProgram& program) {
    const auto count = *rc::gen::inRange<std::size_t>(1, 5);
    std::vector<EcEntry> symbols;
    for (std::size_t index = 0; index < count; ++index)
        symbols.push_back({"pool" + std::to_string(index), {}});
    for (std::size_t pair = 0; pair < program.addresses.size(); ++pair) {
        Words& indices = symbols[*rc::gen::inRange<std::size_t>(0, count)].indices;
        indices.push_back(program.addresses[pair]);
        indices.push_back(program.limits[pair]);
    }
    return symbols;
}

std::uint32_t random_magic() {
    return *rc::gen::element(kEcMagic0020, kEcMagic0030, kEcMagic0050);
}

ec::Container opened(const EcImage& image) {
    ec::Container container;
    Diagnosis why;
    RC_ASSERT(ec::open({image.bytes.data(), static_cast<std::uint32_t>(image.bytes.size())},
                       container, why) == Status::Ok);
    return container;
}

/// Words with the 8-byte alignment that the controller demands.
struct Ram {
    std::vector<std::uint64_t> storage;
    explicit Ram(const ec::Container& container) : storage((container.blob_words + 1) / 2) {
        Diagnosis why;
        RC_ASSERT(ec::copy_blob(container, data(), container.blob_words, why) == Status::Ok);
    }
    std::uint32_t* data() { return reinterpret_cast<std::uint32_t*>(storage.data()); }
};

}  // namespace

TEST_CASE("property: moving from one base to another equals a fresh relocation") {
    const bool holds = rc::check([] {
        const RandomProgram program = random_program();
        const EcImage image = build_ec(random_magic(), program.words, random_symbols(program));
        const ec::Container container = opened(image);
        Diagnosis why;
        ec::StreamFacts facts;
        RC_ASSERT(ec::check_container(container, facts, FindingSink{}) == Status::Ok);

        Ram moved(container);
        Ram fresh(container);
        for (std::uint32_t symbol = 0; symbol < container.symbol_count; ++symbol) {
            const auto bases = *rc::gen::nonEmpty<std::vector<std::uint32_t>>();
            std::uint32_t previous = 0;
            for (const std::uint32_t base : bases) {
                RC_ASSERT(ec::relocate(container, moved.data(), symbol, base, previous, why) ==
                          Status::Ok);
            }
            std::uint32_t from_zero = 0;
            RC_ASSERT(ec::relocate(container, fresh.data(), symbol, bases.back(), from_zero, why) ==
                      Status::Ok);
            RC_ASSERT(previous == from_zero);
        }
        RC_ASSERT(moved.storage == fresh.storage);
    });
    CHECK(holds);
}

TEST_CASE("property: relocation equals the formula of the format") {
    const bool holds = rc::check([] {
        const RandomProgram program = random_program();
        const std::vector<EcEntry> symbols = random_symbols(program);
        const EcImage image = build_ec(random_magic(), program.words, symbols);
        const ec::Container container = opened(image);
        Ram ram(container);
        Words expected = image.blob_words();
        Diagnosis why;
        for (const EcEntry& symbol : symbols) {
            const auto base = *rc::gen::arbitrary<std::uint32_t>();
            auto previous = *rc::gen::arbitrary<std::uint32_t>();
            for (const std::uint32_t index : symbol.indices) expected[2 + index] += base - previous;
            RC_ASSERT(ec::relocate_by_name(container, ram.data(), symbol.name.c_str(), base,
                                           previous, why) == Status::Ok);
        }
        RC_ASSERT(Words(ram.data(), ram.data() + container.blob_words) == expected);
    });
    CHECK(holds);
}

TEST_CASE("property: patching equals the formula of the format") {
    const bool holds = rc::check([] {
        const RandomProgram program = random_program();
        const auto count = *rc::gen::inRange<std::size_t>(1, program.words.size());
        Words indices(program.words.size());
        std::iota(indices.begin(), indices.end(), 0u);
        indices.resize(count);
        const bool long_form = *rc::gen::arbitrary<bool>();
        const std::int32_t shift = long_form ? *rc::gen::inRange(-31, 64) : 0;
        const auto mask = *rc::gen::arbitrary<std::uint32_t>();
        const auto value = *rc::gen::arbitrary<std::uint64_t>();
        const EcImage image = build_ec(long_form ? kEcMagic0050 : kEcMagic0030, program.words, {},
                                       {{"SE", indices, shift, mask}});
        const ec::Container container = opened(image);
        Ram ram(container);
        Diagnosis why;
        RC_ASSERT(ec::apply_patch(container, ram.data(), 0, value, why) == Status::Ok);
        const std::uint64_t wide_mask = shift < 0 ? std::uint64_t{mask} << -shift : mask;
        const auto m = static_cast<std::uint32_t>(wide_mask);
        const auto v = static_cast<std::uint32_t>(shift < 0 ? value << -shift : value >> shift);
        Words expected = image.blob_words();
        for (const std::uint32_t index : indices)
            expected[2 + index] = (expected[2 + index] & ~m) | (v & m);
        RC_ASSERT(Words(ram.data(), ram.data() + container.blob_words) == expected);
    });
    CHECK(holds);
}

TEST_CASE("property: no change of a container makes a call write outside the blob") {
    const bool holds = rc::check([] {
        EcImage image = sample_ec(random_magic());
        const auto changes = *rc::gen::inRange(1, 8);
        for (int change = 0; change < changes; ++change) {
            const auto at = *rc::gen::inRange<std::size_t>(0, image.bytes.size());
            image.bytes[at] = *rc::gen::arbitrary<std::uint8_t>();
        }
        ec::Container container;
        Diagnosis why;
        ec::StreamFacts facts;
        const auto size = static_cast<std::uint32_t>(image.bytes.size());
        if (ec::open({image.bytes.data(), size}, container, why) != Status::Ok) {
            RC_ASSERT(why.rule >= Rule::EcTooShort && why.rule <= Rule::EcPatchShift);
            return;
        }
        (void)ec::check_container(container, facts, FindingSink{});
        constexpr std::uint64_t kGuard = 0x5AFE5AFE5AFE5AFE;
        std::vector<std::uint64_t> ram((container.blob_words + 1) / 2 + 64, kGuard);
        auto* blob = reinterpret_cast<std::uint32_t*>(ram.data() + 32);
        RC_ASSERT(ec::copy_blob(container, blob, container.blob_words, why) == Status::Ok);
        for (std::uint32_t index = 0; index < container.symbol_count; ++index) {
            std::uint32_t previous = 0;
            RC_ASSERT(ec::relocate(container, blob, index, 0x34000000, previous, why) ==
                      Status::Ok);
        }
        for (std::uint32_t index = 0; index < container.patch_count; ++index) {
            RC_ASSERT(ec::apply_patch(container, blob, index, ~std::uint64_t{0}, why) ==
                      Status::Ok);
        }
        RC_ASSERT(std::all_of(ram.begin(), ram.begin() + 32,
                              [](std::uint64_t word) { return word == kGuard; }));
        const auto used = static_cast<std::ptrdiff_t>((container.blob_words + 1) / 2);
        RC_ASSERT(std::all_of(ram.begin() + 32 + used, ram.end(),
                              [](std::uint64_t word) { return word == kGuard; }));
    });
    CHECK(holds);
}

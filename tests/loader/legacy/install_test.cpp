// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/loader/legacy/legacy_bench.h"

namespace n6vp::test {
namespace {

using loader::CacheOp;
using loader::Policy;
using loader::Rule;
using loader::Status;

/// RAM as it must be: the installed image between untouched margins.
std::vector<std::uint8_t> expected_ram(const LegacyImage& image, const LegacyPlace& place) {
    std::vector<std::uint8_t> all(kLegacyMargin, kLegacyFill);
    const std::vector<std::uint8_t> inside = legacy_installed(image.file, place);
    all.insert(all.end(), inside.begin(), inside.end());
    all.resize(kLegacyMargin + image.ram_bytes(place.copy), kLegacyFill);
    all.insert(all.end(), kLegacyMargin, kLegacyFill);
    return all;
}

LegacySpec for_core(std::uint32_t core, bool has_crc) {
    LegacySpec spec = legacy_sample(has_crc);
    spec.flags = (spec.flags & ~0xFFFu) | core;
    return spec;
}

TEST_CASE("an install gives the predicted memory in every mode, place, generation and policy") {
    for (const LegacyAddresses& place : legacy_addresses()) {
        for (const std::uint32_t mode : {1u, 2u}) {
            for (const bool has_crc : {false, true}) {
                for (const Policy policy : {Policy::Strict, Policy::Compat}) {
                    const LegacyImage image = build_legacy(for_core(place.core, has_crc));
                    LegacyBench bench(image, place, mode, policy);
                    CAPTURE(place.name);
                    CAPTURE(mode);
                    CHECK(bench.run() == Status::Ok);
                    const LegacyPlace where{place.file, place.ram, mode == 2, 0};
                    CHECK(bench.ram_with_margins() == expected_ram(image, where));
                    CHECK(to_word(bench.result.context) == legacy_handle(image.file, where));
                    CHECK(bench.result.state == (mode == 2 ? 1 : 3));
                    CHECK(bench.result.got_words == 7);
                    CHECK(bench.result.relocations == 5);
                    CHECK(bench.wrote_inside());
                }
            }
        }
    }
}

TEST_CASE("a legal file has no finding but hints") {
    for (const LegacyAddresses& place : legacy_addresses()) {
        LegacyBench bench(build_legacy(for_core(place.core, true)), place, 1);
        for (const loader::Diagnosis& finding : bench.findings())
            CHECK(finding.severity == loader::Severity::Hint);
    }
}

TEST_CASE("a gap before .bss and a name of odd length are installed as predicted") {
    for (const std::uint32_t mode : {1u, 2u}) {
        LegacySpec spec = legacy_sample();
        spec.bss_alignment = 64;
        spec.bss_bytes = 21;
        spec.name = "nine_char";
        const LegacyImage image = build_legacy(spec);
        const LegacyAddresses& place = legacy_addresses().front();
        // The gap comes from the file: from the relocation table, if that is long enough.
        LegacyImage longer = image;
        if (longer.file.size() < image.ro_bytes + image.bss_start)
            longer.file.resize(image.ro_bytes + image.bss_start);
        LegacyBench enough(longer, place, mode);
        CHECK(enough.run() == Status::Ok);
        CHECK(enough.ram_with_margins() ==
              expected_ram(longer, {place.file, place.ram, mode == 2, 0}));
    }
}

TEST_CASE("two instances of one file live side by side") {
    const LegacyImage image = build_legacy(legacy_sample());
    const LegacyAddresses& place = legacy_addresses().front();
    LegacyBench bench(image, place, 1);
    CHECK(bench.run() == Status::Ok);
    const std::uint32_t second = place.ram + 0x1000;
    bench.memory.map({GuestAddr{second}, bench.request.ram_bytes}, kLegacyFill);
    bench.request.ram = GuestAddr{second};
    CHECK(bench.run() == Status::Ok);
    CHECK(bench.ram_with_margins() == expected_ram(image, {place.file, place.ram, false, 0}));
    const auto bytes = bench.memory.bytes({GuestAddr{second}, bench.request.ram_bytes});
    CHECK(std::vector<std::uint8_t>(bytes.begin(), bytes.end()) ==
          legacy_installed(image.file, {place.file, second, false, 0}));
}

/// A heap with one block at a chosen address.
struct OneBlock {
    std::uint32_t address = 0, asked = 0, released = 0;
    loader::legacy::Heap heap() {
        return {this,
                [](void* context, std::uint32_t bytes) {
                    auto* self = static_cast<OneBlock*>(context);
                    self->asked = bytes;
                    return GuestAddr{self->address};
                },
                [](void* context, GuestAddr block) {
                    static_cast<OneBlock*>(context)->released = to_word(block);
                }};
    }
};

TEST_CASE("without RAM the heap is asked for four bytes more, and the block is aligned") {
    for (const Policy policy : {Policy::Strict, Policy::Compat}) {
        for (const std::uint32_t odd : {0u, 1u, 2u, 3u}) {
            const LegacyImage image = build_legacy(legacy_sample());
            const LegacyAddresses& place = legacy_addresses().front();
            LegacyBench bench(image, place, 2, policy);
            OneBlock block{place.ram - odd, 0, 0};
            bench.request.heap = block.heap();
            bench.request.ram = GuestAddr{0};
            bench.request.ram_bytes = 0;
            CHECK(bench.run() == Status::Ok);
            CHECK(block.asked == image.ram_bytes(true) + 4);
            CHECK(to_word(bench.result.heap_block) == block.address);
            CHECK(bench.ram_with_margins() ==
                  expected_ram(image, {place.file, place.ram, true, block.address}));
            CHECK(block.released == 0);
            if (policy == Policy::Compat) continue;
            // Up to the last byte of the image, although the block begins before it.
            REQUIRE(!bench.cache_calls().empty());
            CHECK(to_word(bench.cache_calls()[0].address) == place.ram);
            CHECK(bench.cache_calls()[0].bytes == image.ram_bytes(true));
        }
    }
}

TEST_CASE("a heap without a block is a refusal of its own") {
    LegacyBench bench(build_legacy(legacy_sample()), legacy_addresses().front(), 1);
    OneBlock block;
    bench.request.heap = block.heap();
    bench.request.ram = GuestAddr{0};
    bench.request.ram_bytes = 0;
    CHECK(bench.run() == Status::Memory);
    CHECK(bench.why.rule == Rule::LegacyHeapFull);
    CHECK(bench.memory.bytes_written() == 0);
}

TEST_CASE("the heap block is released if the bus refuses a write, and kept as the vendor's is") {
    const LegacyImage image = build_legacy(legacy_sample());
    for (const Policy policy : {Policy::Strict, Policy::Compat}) {
        LegacyBench bench(image, legacy_addresses().front(), 1, policy);
        OneBlock block{0x60000000, 0, 0};  // nothing is mapped there
        bench.request.heap = block.heap();
        bench.request.ram = GuestAddr{0};
        bench.request.ram_bytes = 0;
        CHECK(bench.run() ==
              (policy == Policy::Strict ? Status::BusError : Status::WouldOverwrite));
        CHECK(block.released == (policy == Policy::Strict ? 0x60000000 : 0));
    }
}

TEST_CASE("caches: Strict cleans what it wrote, the vendor's loader only the Cortex-M7's copy") {
    const LegacyAddresses& place = legacy_addresses()[1];
    for (const std::uint32_t core : {0xC24u, 0xC27u, 0xD21u}) {
        const LegacyImage image = build_legacy(for_core(core, true));
        for (const std::uint32_t mode : {1u, 2u}) {
            LegacyBench strict(image, place, mode);
            REQUIRE(strict.run() == Status::Ok);
            const auto calls = strict.cache_calls();
            REQUIRE(calls.size() == mode);
            CHECK(calls[0].op == CacheOp::McuCleanInvalidate);
            CHECK(to_word(calls[0].address) == place.ram);
            CHECK(calls[0].bytes == image.ram_bytes(mode == 2));
            CHECK(strict.memory.events().back().kind == sim::MemoryEvent::Kind::Maintain);
            if (mode == 2) CHECK(calls[1].op == CacheOp::McuInstructionInvalidate);
            LegacyBench compat(image, place, mode, Policy::Compat);
            REQUIRE(compat.run() == Status::Ok);
            const bool cleans = core == 0xC27 && mode == 2;
            REQUIRE(compat.cache_calls().size() == (cleans ? 1 : 0));
            if (cleans) CHECK(compat.cache_calls()[0].op == CacheOp::McuClean);
        }
    }
}

TEST_CASE("get_info's numbers are those of header and context") {
    LegacySpec spec = legacy_sample();
    spec.weights.assign(40, 7);
    spec.weights_bytes = 40;
    const LegacyImage image = build_legacy(spec);
    const LegacyAddresses& place = legacy_addresses().front();
    LegacyBench bench(image, place, 1);
    const loader::MemoryPort port = bench.memory.port();
    loader::legacy::Container container(port, bench.request.file, bench.request.file_bytes);
    REQUIRE(container.open(bench.why) == Status::Ok);
    loader::legacy::Info info;
    REQUIRE(info_of(container, info));
    CHECK(to_word(info.name) == place.file + image.name);
    CHECK(info.variant == 0x20085D21);
    CHECK(info.code_bytes == image.ro_bytes);
    CHECK(to_word(info.weights) == place.file + image.weights);
    CHECK(info.weights_bytes == 40);
    CHECK(info.activations_bytes == 736);
    CHECK(info.ram_xip == image.ram_bytes(false));
    CHECK(info.ram_copy == image.ram_bytes(true));
    char text[16];
    CHECK(container.name(container.header().data_data, text, sizeof text) == false);
    CHECK(container.name(0x20000000 + image.name, text, sizeof text));
    CHECK(std::string(text) == "network");
    CHECK(container.name(0x20000000 + image.name, text, 8));
    CHECK_FALSE(container.name(0x20000000 + image.name, text, 7));
}

}  // namespace
}  // namespace n6vp::test

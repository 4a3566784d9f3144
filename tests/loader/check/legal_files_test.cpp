// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/support/bench.h"

/// Files and requests that are unusual and legal: a loader that refuses one of them is useless to
/// its owner, however safe. Memory is compared with the oracle after each install.
namespace n6vp::test {
namespace {

using loader::Rule;
using loader::Severity;
using loader::Status;
using Kind = ImageWord::Kind;
using Bytes = std::vector<std::uint8_t>;

void append_word(Bytes& bytes, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

/// A plain blob: magic, count, that many instruction words; padded to 8.
void append_blob(Bytes& bytes, std::uint32_t words) {
    append_word(bytes, 0xCA057A7A);
    append_word(bytes, words);
    for (std::uint32_t i = 0; i < words; ++i) append_word(bytes, i << 5 | 0x1D);
    bytes.resize((bytes.size() + 7) / 8 * 8);
}

/// A container of the given magic around a blob, with no tables.
void append_container(Bytes& bytes, std::uint32_t magic, std::uint32_t words) {
    const std::uint32_t header_words = magic == 0xECBF0020 ? 4 : 6;
    append_word(bytes, magic);
    if (header_words == 6) append_word(bytes, 0);
    append_word(bytes, 0);
    append_word(bytes, 0);
    append_word(bytes, 4 * header_words);
    if (header_words == 6) append_word(bytes, 0);
    append_blob(bytes, words);
}

/// Three blobs as the packer puts them before the parameters, of the generation's container kind.
Bytes blob_block(ImageGeneration generation) {
    std::uint32_t magic = 0xECBF0050;
    if (generation == ImageGeneration::Core21) magic = 0xECBF0020;
    if (generation == ImageGeneration::Core22) magic = 0xECBF0030;
    Bytes block;
    append_container(block, magic, 7);
    append_blob(block, 12);
    append_container(block, magic, 4);
    return block;
}

std::vector<Rule> errors_of(Bench& bench) {
    std::vector<Rule> errors;
    (void)loader::check(bench.memory.port(), bench.request,
                        {&errors, [](void* context, const loader::Diagnosis& finding) {
                             if (finding.severity == Severity::Error)
                                 static_cast<std::vector<Rule>*>(context)->push_back(finding.rule);
                             return true;
                         }});
    return errors;
}

std::vector<Rule> findings_of(Bench& bench) {
    std::vector<Rule> rules;
    (void)loader::check(bench.memory.port(), bench.request,
                        {&rules, [](void* context, const loader::Diagnosis& finding) {
                             static_cast<std::vector<Rule>*>(context)->push_back(finding.rule);
                             return true;
                         }});
    return rules;
}

/// Installs and compares. `image` is what the oracle sees, the bench may hold more.
void check_installs(Bench& bench, const Image& image) {
    const std::vector<Rule> errors = errors_of(bench);
    const int first = errors.empty() ? 0 : static_cast<int>(errors.front());
    CAPTURE(first);
    CHECK(errors.empty());
    REQUIRE(bench.run() == Status::Ok);
    const OracleImage expected = expected_image(image.file, image.params, bench.oracle_request());
    CHECK(bench.difference(expected) == "");
}

ImageSpec spec_for(ImageGeneration generation, const Placement& place) {
    return sample_spec(generation, place.copy_dst, place.mixed_dst, place.reset_dst);
}

TEST_CASE("a file with blobs before its parameters installs although other bytes follow it") {
    for (const ImageGeneration generation : kAllGenerations) {
        for (const Placement& place : n6_placements()) {
            ImageSpec spec = spec_for(generation, place);
            spec.blobs = blob_block(generation);
            Image image = build_image(spec);
            image.file.resize(image.file.size() + 4096, 0xFF);  // to the end of a flash sector
            Bench bench(image, place, 6);
            check_installs(bench, image);
        }
    }
}

TEST_CASE("a split model with blobs installs from a parameter file with padding") {
    for (const ImageGeneration generation : kAllGenerations) {
        const Placement& place = n6_placements().front();
        ImageSpec spec = spec_for(generation, place);
        spec.blobs = blob_block(generation);
        spec.split = true;
        Image image = build_image(spec);
        image.params.resize(image.params.size() + 40);
        Bench bench(image, place, 5);
        check_installs(bench, image);
    }
}

TEST_CASE("damaged parameters behind blobs are found without the length of the file") {
    for (const bool damaged : {false, true}) {
        const Placement& place = n6_placements().front();
        ImageSpec spec = spec_for(ImageGeneration::Core30, place);
        spec.blobs = blob_block(ImageGeneration::Core30);
        Image image = build_image(spec);
        const Image whole = image;
        if (damaged) image.file.back() = static_cast<std::uint8_t>(image.file.back() ^ 1);
        Bench bench(image, place, 6);
        bench.request.file_bytes = loader::kUnknownBytes;
        const std::vector<Rule> rules = findings_of(bench);
        CHECK(std::count(rules.begin(), rules.end(), Rule::ParamsCrcUnknown) == (damaged ? 1 : 0));
        if (!damaged) check_installs(bench, whole);
    }
}

TEST_CASE("a GCC model with a large read-only part installs although its table is unordered") {
    const Placement& place = n6_placements().front();
    ImageSpec spec = minimal_spec(ImageGeneration::Core22);
    spec.code_bytes = 8u << 20;
    spec.data.assign(20000, {Kind::Plain, 0x40000000, true});
    spec.pools.push_back({"weights", 0x01010500, 64, 0, pattern(64, 7), {}});
    Image image = build_image(spec);
    const std::uint32_t first = image.word(image.relocation(0));
    image.set(image.relocation(0), image.word(image.relocation(19999)));
    image.set(image.relocation(19999), first);
    Placement moved = place;
    moved.params = 0x72000000;
    Bench bench(image, moved, 1);
    check_installs(bench, image);
}

TEST_CASE("pointers one past the end of every space are legal") {
    const Placement& place = n6_placements().front();
    ImageSpec spec = spec_for(ImageGeneration::Core22, place);
    const Image plain = build_image(spec);
    const std::uint32_t ends[] = {0x40000000 + plain.bss_end, 0x20000000 + plain.ro_bytes,
                                  0x80000000 + plain.raw_bytes, 0x90000020};
    Image image = plain;
    for (std::uint32_t i = 0; i < 4; ++i) {
        image.set(image.got_word(i), ends[i]);
        image.set(image.ram(image.word(image.relocation(i))), ends[i]);
    }
    Bench bench(image, place, 6);
    check_installs(bench, image);
}

TEST_CASE("a pointer to the end of .data is legal, although the GOT is there") {
    const Placement& place = n6_placements().front();
    const Image plain = build_image(spec_for(ImageGeneration::Core22, place));
    const std::uint32_t end = 0x40000000 + plain.data_end - plain.ro_bytes;
    Image image = plain;
    image.set(image.got_word(0), end);
    image.set(image.ram(image.word(image.relocation(0))), end);
    Bench bench(image, place, 6);
    const std::vector<Rule> rules = findings_of(bench);
    CHECK(std::count(rules.begin(), rules.end(), Rule::GotValueRamInsideGot) == 0);
    CHECK(std::count(rules.begin(), rules.end(), Rule::RelocationValueRamInsideGot) == 0);
    check_installs(bench, image);
}

TEST_CASE("a model without parameters installs with any address in their place") {
    for (const ImageGeneration generation : kAllGenerations) {
        const Placement& place = n6_placements().front();
        const Image image = build_image(minimal_spec(generation));
        for (const std::uint32_t params : {place.file, 0x71900000u, 0x00000008u}) {
            Bench bench(image, place, 6);
            bench.request.params = GuestAddr{params};
            check_installs(bench, image);
        }
    }
}

TEST_CASE("a model in on-chip memory without cacheable pools installs") {
    Placement place = n6_placements().front();
    place.file = 0x34380000;
    ImageSpec spec = minimal_spec(ImageGeneration::Core30);
    spec.pools.push_back({"weights", 0x01010100, 64, 0, pattern(64, 7), {}});
    const Image image = build_image(spec);
    Bench bench(image, place, 1);
    check_installs(bench, image);
}

TEST_CASE("parameters stored before those of the flash pool shift its base") {
    for (const ImageGeneration generation : kAllGenerations) {
        const Placement& place = n6_placements().front();
        ImageSpec spec = minimal_spec(generation);
        spec.pools.push_back({"psram", 0x01030601, 0x54, 0, pattern(0x40, 4), {}});
        spec.pools.push_back({"flash", 0x01010500, 0x80, 0, pattern(0x80, 5), {}});
        spec.data = {{Kind::Plain, 0x80000010, true}, {Kind::Plain, 0x80000080, true}};
        const Image image = build_image(spec);
        Bench bench(image, place, 6);
        check_installs(bench, image);
    }
}

TEST_CASE("exec RAM behind what an install needs may serve anything else") {
    const Placement& place = n6_placements().front();
    const Image image = build_image(spec_for(ImageGeneration::Core22, place));
    Bench bench(image, place, 6);
    const std::uint32_t needed = image.exec_bytes(true);
    bench.request.exec_ram_bytes = needed + 0x1000;
    bench.request.instance = wrapping_add(bench.request.exec_ram, needed);
    CHECK(errors_of(bench).empty());
    bench.request.instance = wrapping_add(bench.request.exec_ram, needed - 4);
    CHECK(errors_of(bench) == std::vector<Rule>{Rule::InstanceOverlapsExec});
}

}  // namespace
}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/support/bench.h"
#include "traces/diagnosis/rule_text.h"

namespace n6vp::traces {
namespace {

using test::Image;

struct Expectation {
    std::uint32_t offset;
    std::string_view section;
};

void check_sections(test::ImageGeneration generation) {
    test::ImageSpec spec = test::sample_spec(generation);
    spec.bss_alignment = 64;
    const Image image = test::build_image(spec);
    test::Bench bench(image, test::n6_placements().front(), 6);
    const loader::MemoryPort port = bench.memory.port();
    loader::Container container(port, bench.request.file, bench.request.file_bytes);
    loader::Diagnosis why;
    REQUIRE(container.open(why) == loader::Status::Ok);
    const auto size = static_cast<std::uint32_t>(image.file.size());
    const std::uint32_t got_end = image.got_word(image.got_words);
    const Expectation expectations[] = {
        {0, "header"},
        {image.vector - 1, "header"},
        {image.vector, "vector"},
        {image.header_bytes - 1, "vector"},
        {image.code, "code"},
        {image.ro_bytes - 1, "code"},
        {image.ro_bytes, "data"},
        {image.context - 1, "data"},
        {image.context, "rt_ctx"},
        {image.context + image.context_bytes - 1, "rt_ctx"},
        {image.pool_table, "pool table"},
        {image.data_end - 1, "pool table"},
        {image.got, "GOT"},
        {got_end - 1, "GOT"},
        {image.rel, "relocation table"},
        {image.relocation(image.rel_count) - 1, "relocation table"},
        {image.params_at, "parameters"},
        {size - 1, "parameters"},
        {size, "outside"},
        {0x7FFFFFFF, "outside"},
    };
    for (const Expectation& expected : expectations) {
        CAPTURE(expected.offset);
        CHECK(section_at(container, expected.offset) == expected.section);
    }
}

TEST_CASE("every byte of a file belongs to a section") {
    for (const test::ImageGeneration generation : test::kAllGenerations) check_sections(generation);
}

TEST_CASE("a file whose header is broken has no sections behind it") {
    Image image = test::build_image(test::sample_spec(test::ImageGeneration::Core22));
    image.set(0x5C, 0);
    image.set(0x64, 0);
    test::Bench bench(image, test::n6_placements().front(), 6);
    const loader::MemoryPort port = bench.memory.port();
    loader::Container container(port, bench.request.file, bench.request.file_bytes);
    loader::Diagnosis why;
    REQUIRE(container.open(why) == loader::Status::InvalidBinary);
    CHECK(why.rule == loader::Rule::HeaderLength);
    CHECK(section_at(container, 0x10) == "header");
    CHECK(section_at(container, 0x200) == "outside");
    const DiagnosisFields fields = fields_of(why, &container);
    CHECK(fields.rule == "header-length");
    CHECK(fields.section == "header");
    CHECK(fields.file_offset == "0x0000005C");
}

}  // namespace
}  // namespace n6vp::traces

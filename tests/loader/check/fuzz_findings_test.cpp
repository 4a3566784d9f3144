// SPDX-License-Identifier: Apache-2.0
// What fuzzing found, one case per symptom.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "loader/install.h"
#include "sim/model_file/host_memory.h"
#include "tests/support/image_builder.h"

using namespace n6vp;
using namespace n6vp::loader;

TEST_CASE("a parameter section shorter than a word is not read past its end") {
    constexpr GuestAddr kFile{0x71000000};
    for (std::uint32_t raw = 1; raw < 4; ++raw) {
        test::ImageSpec spec = test::minimal_spec(test::ImageGeneration::Core30);
        spec.pools.push_back({"weights", 0x01010500, 8, 0, test::pattern(8, 9), {}});
        test::Image image = test::build_image(spec);
        image.file.resize(image.params_at + raw);
        image.set(image.context + 0x30, raw);
        image.set(image.context + 0x34, test::crc32(image.file.data() + image.params_at, raw));

        const auto bytes = static_cast<std::uint32_t>(image.file.size());
        sim::HostMemory memory;  // mapped to the byte: reading further is a bus error
        memory.map({kFile, bytes}, 0, false);
        memory.store(kFile, image.file);
        const MemoryPort port = memory.port();
        Container container(port, kFile, bytes);
        Diagnosis why;
        REQUIRE(container.open(why) == Status::Ok);
        std::vector<Rule> rules;
        const FindingSink sink{
            &rules, [](void* context, const Diagnosis& finding) {
                static_cast<std::vector<Rule>*>(context)->push_back(finding.rule);
                return true;
            }};
        (void)check_file(container, GuestAddr{0}, kUnknownBytes, sink);
        CAPTURE(raw);
        CHECK(std::count(rules.begin(), rules.end(), Rule::ParamsUnreadable) == 0);
        CHECK(std::count(rules.begin(), rules.end(), Rule::ParamsCrc) == 0);
    }
}

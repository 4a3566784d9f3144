// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <set>
#include <utility>

#include "loader/ec_check.h"
#include "tests/loader/epoch_controller/ec_cases.h"

namespace {

using namespace n6vp::loader;
namespace ec = n6vp::loader::ec;
using n6vp::test::ec_container_cases;
using n6vp::test::ec_stream_cases;
using n6vp::test::ec_target_cases;

ec::Bytes view(const std::vector<std::uint8_t>& bytes) {
    return {bytes.data(), static_cast<std::uint32_t>(bytes.size())};
}

struct Findings {
    std::vector<Diagnosis> list;
    std::size_t limit = SIZE_MAX;

    FindingSink sink() {
        return {this, [](void* context, const Diagnosis& finding) {
                    auto* self = static_cast<Findings*>(context);
                    self->list.push_back(finding);
                    return self->list.size() < self->limit;
                }};
    }
    [[nodiscard]] Rule first(Severity severity) const {
        for (const Diagnosis& finding : list) {
            if (finding.severity == severity) return finding.rule;
        }
        return Rule::None;
    }
};

bool is_ec(Rule rule) {
    return rule >= Rule::EcTooShort && rule <= Rule::EcNotEncrypted;
}

}  // namespace

TEST_CASE("every damaged container is refused with its own rule") {
    const auto cases = ec_container_cases();
    CHECK(cases.size() >= 100);
    for (const auto& item : cases) {
        CAPTURE(item.name);
        ec::Container container;
        Diagnosis why;
        CHECK(ec::open(view(item.bytes), container, why) == Status::InvalidBinary);
        CHECK(why.rule == item.rule);
        CHECK(why.stage == Stage::EpochBlob);
        CHECK(why.status == Status::InvalidBinary);
        CHECK(why.file_offset <= item.bytes.size());
        CHECK_MESSAGE(container.bytes.data == nullptr, "a refused container must not be opened");
    }
}

TEST_CASE("every bad stream is reported with its own rule") {
    for (const auto& item : ec_stream_cases()) {
        CAPTURE(item.name);
        Findings findings;
        ec::StreamFacts facts;
        const Status status = ec::check_blob(view(item.bytes), facts, findings.sink(), item.cipher);
        CHECK(findings.first(item.severity) == item.rule);
        CHECK((status == Status::Ok) == (findings.first(Severity::Error) == Rule::None));
    }
}

TEST_CASE("every misdirected table is reported with its own rule") {
    for (const auto& item : ec_target_cases()) {
        CAPTURE(item.name);
        ec::Container container;
        Diagnosis why;
        REQUIRE(ec::open(view(item.bytes), container, why) == Status::Ok);
        Findings findings;
        ec::StreamFacts facts;
        const Status status = ec::check_container(container, facts, findings.sink(), item.cipher);
        CHECK(findings.first(item.severity) == item.rule);
        CHECK((status == Status::Ok) == (findings.first(Severity::Error) == Rule::None));
    }
}

TEST_CASE("cutting a container anywhere is refused or leaves a whole blob") {
    for (const std::uint32_t magic :
         {n6vp::test::kEcMagic0020, n6vp::test::kEcMagic0030, n6vp::test::kEcMagic0050}) {
        const auto image = n6vp::test::sample_ec(magic);
        const std::size_t needed = image.blob + 8 + std::size_t{4} * image.word(image.blob + 4);
        for (std::size_t size = 0; size <= image.bytes.size(); ++size) {
            const std::vector<std::uint8_t> cut(
                image.bytes.begin(), image.bytes.begin() + static_cast<std::ptrdiff_t>(size));
            ec::Container container;
            Diagnosis why;
            CAPTURE(size);
            CHECK((ec::open(view(cut), container, why) == Status::Ok) == (size >= needed));
        }
    }
}

TEST_CASE("misuse of an open container has rules of its own") {
    const auto image = n6vp::test::sample_ec(n6vp::test::kEcMagic0050);
    ec::Container container;
    Diagnosis why;
    REQUIRE(ec::open(view(image.bytes), container, why) == Status::Ok);
    alignas(8) std::uint32_t ram[256] = {};
    std::uint32_t previous = 5;
    const auto expect = [&](Status status, Rule rule) {
        CHECK(status == Status::Argument);
        CHECK(why.rule == rule);
        CHECK(previous == 5);
    };
    REQUIRE(container.blob_words < 256);
    expect(ec::copy_blob(container, nullptr, 256, why), Rule::EcDestinationMissing);
    expect(ec::copy_blob(container, ram + 1, 255, why), Rule::EcDestinationAlignment);
    expect(ec::copy_blob(container, ram, container.blob_words - 1, why), Rule::EcDestinationSize);
    expect(ec::relocate(container, nullptr, 0, 1, previous, why), Rule::EcDestinationMissing);
    expect(ec::relocate(container, ram, 0, 1, previous, why), Rule::EcDestinationContent);
    expect(ec::apply_patch(container, ram, 0, 1, why), Rule::EcDestinationContent);
    for (const std::uint32_t word : ram) CHECK(word == 0);

    REQUIRE(ec::copy_blob(container, ram, 256, why) == Status::Ok);
    expect(ec::relocate(container, ram, container.symbol_count, 1, previous, why),
           Rule::EcSymbolUnknown);
    expect(ec::relocate(container, ram, 0xFFFFFFFF, 1, previous, why), Rule::EcSymbolUnknown);
    expect(ec::relocate_by_name(container, ram, "xSPI", 1, previous, why), Rule::EcSymbolNotFound);
    expect(ec::relocate_by_name(container, ram, "xSPI11", 1, previous, why),
           Rule::EcSymbolNotFound);
    expect(ec::apply_patch(container, ram, container.patch_count, 1, why), Rule::EcPatchUnknown);
    expect(ec::apply_patch_by_name(container, ram, "SE_", 1, why), Rule::EcPatchNotFound);
    CHECK(std::memcmp(ram, image.bytes.data() + container.blob_offset,
                      std::size_t{4} * container.blob_words) == 0);
    // The same base is no excuse for skipping the checks.
    expect(ec::relocate(container, ram, container.symbol_count, 5, previous, why),
           Rule::EcSymbolUnknown);
    ram[1] += 1;
    expect(ec::relocate(container, ram, 0, 5, previous, why), Rule::EcDestinationContent);
}

TEST_CASE("each generation accepts the container of its own release") {
    const std::pair<Generation, std::uint32_t> accepted[] = {
        {Generation::Core21, n6vp::test::kEcMagic0020},
        {Generation::Core22, n6vp::test::kEcMagic0030},
        {Generation::Core30, n6vp::test::kEcMagic0050},
        {Generation::Core4x, n6vp::test::kEcMagic0050}};
    for (const std::uint32_t magic :
         {n6vp::test::kEcMagic0020, n6vp::test::kEcMagic0030, n6vp::test::kEcMagic0050}) {
        const auto image = n6vp::test::sample_ec(magic);
        ec::Container container;
        Diagnosis why;
        REQUIRE(ec::open(view(image.bytes), container, why) == Status::Ok);
        for (const auto& [generation, own] : accepted) {
            const Status status = ec::require_generation(container, generation, why);
            CHECK((status == Status::Ok) == (own == magic));
            if (own == magic) continue;
            CHECK(why.rule == Rule::EcGeneration);
            CHECK(why.expected == own);
            CHECK(why.found == magic);
        }
    }
}

TEST_CASE("a container that changes after it was opened is refused without a write") {
    auto image = n6vp::test::sample_ec(n6vp::test::kEcMagic0050);
    ec::Container container;
    Diagnosis why;
    REQUIRE(ec::open(view(image.bytes), container, why) == Status::Ok);
    alignas(8) std::uint32_t ram[256] = {};
    REQUIRE(ec::copy_blob(container, ram, 256, why) == Status::Ok);
    const std::vector<std::uint32_t> before(std::begin(ram), std::end(ram));
    std::uint32_t previous = 0;
    const std::uint32_t last_index = image.reloc + image.word(image.symbol(0, 2)) + 4;
    image.set(last_index, container.blob_words - 2);
    CHECK(ec::relocate(container, ram, 0, 0x100, previous, why) == Status::InvalidBinary);
    CHECK(why.rule == Rule::EcSymbolTarget);
    CHECK(why.file_offset == last_index);
    image.set(image.patch_entry(0, 1), 64);
    CHECK(ec::apply_patch(container, ram, 0, 1, why) == Status::InvalidBinary);
    CHECK(why.rule == Rule::EcPatchShift);
    CHECK(previous == 0);
    CHECK(before == std::vector<std::uint32_t>(std::begin(ram), std::end(ram)));
}

TEST_CASE("the check stops when its sink has enough") {
    n6vp::test::EcAssembler code;
    code.label(1);
    for (int count = 0; count < 1000; ++count) code.write(4, 0xAC, 1);
    code.irq();
    Findings findings;
    findings.limit = 3;
    ec::StreamFacts facts;
    const auto bytes = n6vp::test::blob_bytes(code.words());
    CHECK(ec::check_blob(view(bytes), facts, findings.sink()) == Status::InvalidBinary);
    CHECK(findings.list.size() == 3);
    CHECK(ec::check_blob(view(bytes), facts, FindingSink{}) == Status::InvalidBinary);
    CHECK(facts.writes == 1000);
}

TEST_CASE("the cases cover every rule of containers and streams") {
    // Rules about calls, whose cases are the two tests above.
    std::set<Rule> seen{
        Rule::EcGeneration,      Rule::EcDestinationMissing, Rule::EcDestinationAlignment,
        Rule::EcDestinationSize, Rule::EcDestinationContent, Rule::EcSymbolUnknown,
        Rule::EcSymbolNotFound,  Rule::EcPatchUnknown,       Rule::EcPatchNotFound};
    for (const auto& item : ec_container_cases()) seen.insert(item.rule);
    for (const auto& item : ec_stream_cases()) seen.insert(item.rule);
    for (const auto& item : ec_target_cases()) seen.insert(item.rule);
    for (auto number = static_cast<unsigned>(Rule::EcTooShort);
         number <= static_cast<unsigned>(Rule::EcNotEncrypted); ++number) {
        const auto rule = static_cast<Rule>(number);
        CAPTURE(number - static_cast<unsigned>(Rule::EcTooShort));
        CHECK(is_ec(rule));
        CHECK(seen.count(rule) == 1);
    }
}

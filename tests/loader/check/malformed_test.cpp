// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/loader/check/malformed_cases.h"
#include "tests/loader/damaged_word.h"
#include "traces/diagnosis/rule_text.h"

namespace n6vp::test {
namespace {

using loader::Diagnosis;
using loader::Rule;
using loader::Severity;
using loader::Status;

std::vector<Diagnosis> findings_of(Bench& bench, Status& status) {
    std::vector<Diagnosis> findings;
    status = loader::check(bench.memory.port(), bench.request,
                           {&findings, [](void* context, const Diagnosis& finding) {
                                static_cast<std::vector<Diagnosis>*>(context)->push_back(finding);
                                return true;
                            }});
    return findings;
}

std::string list(const std::vector<Diagnosis>& findings) {
    std::string text;
    for (const Diagnosis& finding : findings) {
        text += std::string(traces::rule_text(finding.rule).id) + " ";
    }
    return text;
}

const Diagnosis* find(const std::vector<Diagnosis>& findings, Rule rule) {
    const auto found = std::find_if(findings.begin(), findings.end(),
                                    [&](const Diagnosis& finding) { return finding.rule == rule; });
    return found == findings.end() ? nullptr : &*found;
}

bool is_write(const sim::MemoryEvent& event) {
    using Kind = sim::MemoryEvent::Kind;
    return event.kind == Kind::Write || event.kind == Kind::Copy || event.kind == Kind::Clear;
}

/// Returns true if the range lies in what the caller of an install gave away.
bool given(const loader::InstallRequest& request, AddressRange range) {
    std::vector<AddressRange> regions = {
        {request.exec_ram, request.exec_ram_bytes},
        {request.ext_ram, request.ext_ram_bytes},
        {request.instance, loader::instance_layout(request.profile).bytes}};
    regions.insert(regions.end(), request.grants, request.grants + request.grant_count);
    return std::any_of(regions.begin(), regions.end(),
                       [&](const AddressRange& region) { return region.contains(range); });
}

/// The same damaged file under both policies. Memory goes on after the end of a file that the case
/// cuts: only the stated length keeps the loader from reading it.
struct Prepared {
    explicit Prepared(const MalformedCase& one)
        : image(make(one, length)),
          strict(image, place(), one.mode),
          compat(image, place(), one.mode, loader::Policy::Compat) {
        for (Bench* bench : {&strict, &compat}) {
            bench->request.file_bytes = length;
            if (one.arrange != nullptr) one.arrange(*bench);
        }
    }
    static const Placement& place() { return n6_placements().front(); }
    static Image make(const MalformedCase& one, std::uint32_t& length) {
        ImageSpec spec =
            sample_spec(one.generation, place().copy_dst, place().mixed_dst, place().reset_dst);
        if (one.describe != nullptr) one.describe(spec);
        Image image = build_image(spec);
        const std::vector<std::uint8_t> whole = image.file;
        if (one.damage != nullptr) one.damage(image);
        length = static_cast<std::uint32_t>(image.file.size());
        if (length < whole.size())
            image.file.insert(image.file.end(), whole.begin() + length, whole.end());
        return image;
    }
    std::uint32_t length = 0;
    Image image;
    Bench strict, compat;
};

void check_compat_stays_inside(Bench& bench) {
    (void)bench.run();
    for (const sim::MemoryEvent& event : bench.memory.events()) {
        if (!is_write(event) || event.bytes == 0) continue;
        CAPTURE(to_word(event.address));
        CAPTURE(event.bytes);
        CHECK(given(bench.request, {event.address, event.bytes}));
    }
}

void check_refused(std::span<const MalformedCase> cases) {
    for (const MalformedCase& one : cases) {
        const std::string name = one.name;
        CAPTURE(name);
        Prepared prepared(one);
        Status status = Status::Ok;
        const std::vector<Diagnosis> findings = findings_of(prepared.strict, status);
        const std::string all = list(findings);
        CAPTURE(all);
        const std::string wanted(traces::rule_text(one.rule).id);
        CAPTURE(wanted);
        CHECK(status != Status::Ok);
        const Diagnosis* finding = find(findings, one.rule);
        REQUIRE(finding != nullptr);
        CHECK(finding->severity == Severity::Error);
        const Status installed = prepared.strict.run();
        CHECK(installed == status);
        CHECK(prepared.strict.why.rule == (one.first == Rule::None ? one.rule : one.first));
        CHECK(prepared.strict.why.status == installed);
        CHECK(prepared.strict.memory.bytes_written() == 0);
        CHECK(prepared.strict.cache_calls().empty());
        check_compat_stays_inside(prepared.compat);
    }
}

TEST_CASE("strict: broken headers are refused before a byte is written") {
    check_refused(header_cases());
}

TEST_CASE("strict: broken contexts and foreign firmware are refused before a byte is written") {
    check_refused(context_cases());
}

TEST_CASE("strict: impossible requests are refused before a byte is written") {
    check_refused(request_cases());
}

TEST_CASE("strict: broken pools are refused before a byte is written") {
    check_refused(pool_cases());
}

TEST_CASE("strict: broken GOT words and relocations are refused before a byte is written") {
    check_refused(image_cases());
}

TEST_CASE("strict: what the chip survives is reported and installed") {
    for (const MalformedCase& one : tolerated_cases()) {
        const std::string name = one.name;
        CAPTURE(name);
        Prepared prepared(one);
        Status status = Status::Ok;
        const std::vector<Diagnosis> findings = findings_of(prepared.strict, status);
        const std::string all = list(findings);
        CAPTURE(all);
        const std::string wanted(traces::rule_text(one.rule).id);
        CAPTURE(wanted);
        CHECK(status == Status::Ok);
        const Diagnosis* finding = find(findings, one.rule);
        REQUIRE(finding != nullptr);
        CHECK(finding->severity != Severity::Error);
        CHECK(prepared.strict.run() == Status::Ok);
        check_compat_stays_inside(prepared.compat);
    }
}

/// Where a finding stands that is not about the word alone that the case damages.
std::uint32_t place_of(Rule rule, const Image& image, const Diagnosis& finding,
                       const DamagedWord& word) {
    const std::uint32_t pool = finding.index < image.pool_count + 1 ? image.pool(finding.index) : 0;
    switch (rule) {
        case Rule::HeaderLength:
            return 0x5C;  // the first of the two places of the context word
        case Rule::ContextNameNotRelocated:
            return image.context + kContextName;
        case Rule::VersionTextNotRelocated:
            return image.context + kContextVersionText;
        case Rule::NetworkNotRelocated:
            return image.context + kContextNetwork;
        case Rule::ContextActsSize:
            return image.context + 0x18;
        case Rule::ContextParamsSize:
            return image.context + 0x1C;
        case Rule::PoolNameNotRelocated:
        case Rule::PoolTableUnterminated:
        case Rule::PoolTerminatorPartial:
            return pool;
        case Rule::PoolSourceOutside:
            return pool + kPoolFoff;
        case Rule::InitArrayIgnored:
            return kDataEnd;
        case Rule::GotShort:
        case Rule::GotClang:
            return kGotEnd;
        default:
            return word.offset;
    }
}

/// Returns the number of the table's entry that a word belongs to.
std::uint32_t index_of(const Image& image, std::uint32_t offset) {
    const auto inside = [offset](std::uint32_t start, std::uint32_t bytes) {
        return offset >= start && offset < start + bytes;
    };
    if (inside(image.vector, 4 * image.vector_words)) return (offset - image.vector) / 4;
    if (inside(image.pool_table, 20 * (image.pool_count + 1)))
        return (offset - image.pool_table) / 20;
    if (inside(image.got, 4 * image.got_words)) return (offset - image.got) / 4;
    if (inside(image.rel, 4 * image.rel_count)) return (offset - image.rel) / 4;
    return loader::kNotApplicable;
}

TEST_CASE("a finding leads to the word that was damaged, its number and its content") {
    std::size_t judged = 0;
    for (const auto& cases :
         {header_cases(), context_cases(), pool_cases(), image_cases(), tolerated_cases()}) {
        for (const MalformedCase& one : cases) {
            if (one.damage == nullptr) continue;
            const std::string name = one.name;
            CAPTURE(name);
            const Placement& place = Prepared::place();
            ImageSpec spec =
                sample_spec(one.generation, place.copy_dst, place.mixed_dst, place.reset_dst);
            if (one.describe != nullptr) one.describe(spec);
            const Image whole = build_image(spec);
            Prepared prepared(one);
            const auto word = damaged_word(whole, prepared.image);
            if (!word || !prepared.image.params.empty()) continue;
            Status status = Status::Ok;
            const std::vector<Diagnosis> findings = findings_of(prepared.strict, status);
            const Diagnosis* finding = find(findings, one.rule);
            REQUIRE(finding != nullptr);
            ++judged;
            const std::uint32_t offset = place_of(one.rule, whole, *finding, *word);
            CHECK(finding->file_offset == offset);
            if (offset != word->offset) continue;
            const std::uint32_t index = index_of(whole, offset);
            if (index != loader::kNotApplicable) CHECK(finding->index == index);
            check_numbers(*finding, *word, traces::rule_text(one.rule).id);
        }
    }
    CHECK(judged >= 180);
}

TEST_CASE("the table is large and covers every rule that a check can report") {
    std::set<Rule> covered;
    std::set<std::string_view> names;
    std::size_t refused = 0;
    for (const auto& cases : {header_cases(), context_cases(), request_cases(), pool_cases(),
                              image_cases(), tolerated_cases()}) {
        for (const MalformedCase& one : cases) {
            covered.insert(one.rule);
            const std::string name = one.name;
            CAPTURE(name);
            CHECK(names.insert(one.name).second);
        }
        refused += cases.size();
    }
    CHECK(refused - tolerated_cases().size() >= 150);
    // The last group is found while installing or at a later call, not by a check.
    for (auto number = static_cast<std::uint16_t>(Rule::FileNull);
         number < static_cast<std::uint16_t>(Rule::VendorOverwrite); ++number) {
        const std::string id(traces::rule_text(static_cast<Rule>(number)).id);
        CAPTURE(id);
        CHECK(covered.contains(static_cast<Rule>(number)));
    }
}

TEST_CASE("untouched files have no error in any generation, mode and place") {
    for (const ImageGeneration generation : kAllGenerations) {
        for (const Placement& place : n6_placements()) {
            for (const std::uint32_t mode : {1u, 2u, 5u, 6u}) {
                const Image image = build_image(
                    sample_spec(generation, place.copy_dst, place.mixed_dst, place.reset_dst));
                Bench bench(image, place, mode);
                Status status = Status::Ok;
                const std::vector<Diagnosis> findings = findings_of(bench, status);
                CAPTURE(list(findings));
                CHECK(status == Status::Ok);
                CHECK(std::none_of(findings.begin(), findings.end(), [](const Diagnosis& finding) {
                    return finding.severity == Severity::Error;
                }));
            }
        }
    }
}

TEST_CASE("a receiver that has enough ends the check") {
    const Image image = build_image(sample_spec(ImageGeneration::Core22));
    Bench bench(image, n6_placements().front(), 6);
    bench.request.mode = 3;
    bench.request.exec_ram_bytes = 0;
    int calls = 0;
    const Status status = loader::check(bench.memory.port(), bench.request,
                                        {&calls, [](void* context, const Diagnosis& finding) {
                                             ++*static_cast<int*>(context);
                                             return finding.severity != Severity::Error;
                                         }});
    CHECK(status == Status::Argument);
    const int with_stop = calls;
    CHECK(with_stop >= 1);
    Status all = Status::Ok;
    CHECK(findings_of(bench, all).size() > static_cast<std::size_t>(with_stop));
    CHECK(all == Status::Argument);
}

}  // namespace
}  // namespace n6vp::test

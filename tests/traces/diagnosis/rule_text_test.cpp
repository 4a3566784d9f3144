// SPDX-License-Identifier: Apache-2.0
#include "traces/diagnosis/rule_text.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "tests/support/bench.h"

namespace n6vp::traces {
namespace {

using loader::Diagnosis;
using loader::Rule;

template <typename Visit>
void for_each_rule(Visit visit) {
    for (std::uint16_t number = 1; number < static_cast<std::uint16_t>(Rule::kCount); ++number) {
        visit(static_cast<Rule>(number), rule_text(static_cast<Rule>(number)));
    }
}

bool is_kebab(std::string_view id) {
    if (id.empty() || id.front() == '-' || id.back() == '-') return false;
    for (const char c : id) {
        const bool allowed = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
        if (!allowed) return false;
    }
    return id.find("--") == std::string_view::npos;
}

bool is_sentence(std::string_view text) {
    if (text.size() < 8 || text.back() != '.') return false;
    return text.find('\n') == std::string_view::npos && text.find("  ") == std::string_view::npos;
}

TEST_CASE("every rule has its own row") {
    for_each_rule([](Rule rule, const RuleText& text) {
        CAPTURE(static_cast<int>(rule));
        CHECK(text.rule == rule);
    });
    CHECK(rule_text(Rule::None).rule == Rule::None);
    CHECK(rule_text(static_cast<Rule>(0xFFFF)).rule == Rule::None);
}

TEST_CASE("every text is a sentence") {
    for_each_rule([](Rule, const RuleText& text) {
        CAPTURE(text.id);
        CHECK(is_kebab(text.id));
        CHECK(is_sentence(text.what));
        CHECK(is_sentence(text.why));
        CHECK(is_sentence(text.remedy));
        CHECK(is_sentence(text.vendor));
    });
}

TEST_CASE("no two faults share an id or a message") {
    std::map<std::string_view, std::string_view> ids;
    std::map<std::string_view, std::string_view> messages;
    for_each_rule([&](Rule, const RuleText& text) {
        CAPTURE(text.id);
        CHECK(ids.emplace(text.id, text.id).second);
        const auto result = messages.emplace(text.what, text.id);
        const std::string_view owner = result.first->second;
        CAPTURE(owner);
        CHECK(result.second);
        CHECK(rule_of(text.id) == text.rule);
    });
    CHECK(rule_of("no-such-rule") == Rule::None);
}

TEST_CASE("every weakness that a rule closes is listed in the README of the loader") {
    std::ifstream file(N6VP_LOADER_README);
    const std::string readme((std::istreambuf_iterator<char>(file)), {});
    REQUIRE(!readme.empty());
    for_each_rule([&](Rule, const RuleText& text) {
        if (text.closes.empty()) return;
        CAPTURE(text.id);
        CAPTURE(text.closes);
        CHECK(readme.find("\n| " + std::string(text.closes) + " | ") != std::string::npos);
    });
}

TEST_CASE("vendor codes are named by number") {
    CHECK(vendor_code_text(loader::Status::Ok) == "AI_RELOC_RT_ERR_NONE (0)");
    CHECK(vendor_code_text(loader::Status::InvalidBinary) == "AI_RELOC_RT_ERR_INVALID_BIN (-1)");
    CHECK(vendor_code_text(loader::Status::Memory) == "AI_RELOC_RT_ERR_MEMORY (-2)");
    CHECK(vendor_code_text(loader::Status::Argument) == "AI_RELOC_RT_ERR_ARG (-4)");
    CHECK(vendor_code_text(loader::Status::InvalidHandle) == "AI_RELOC_RT_ERR_INVALID_HDL (-5)");
    CHECK(vendor_code_text(loader::Status::ParameterAddress) == "AI_RELOC_RT_ERR_PARAM_ADDR (-7)");
    CHECK(vendor_code_text(loader::Status::ParameterTable) == "AI_RELOC_RT_ERR_PARAM_DESC (-8)");
}

TEST_CASE("a description holds every number that applies and none that does not") {
    Diagnosis diagnosis = loader::diagnosis_of(Rule::RelocationSpace);
    diagnosis.file_offset = 0x1234;
    diagnosis.index = 17;
    diagnosis.found = 0x80000010;
    const std::string text = describe(diagnosis, nullptr);
    CHECK(text.starts_with("error: relocation-space: "));
    CHECK(text.find("relocation 17, file offset 0x00001234") != std::string::npos);
    CHECK(text.find("found:  0x80000010") != std::string::npos);
    CHECK(text.find("wanted:") == std::string::npos);
    CHECK(text.find("address 0x") == std::string::npos);
    CHECK(text.back() == '\n');

    diagnosis = loader::diagnosis_of(Rule::ExecTooSmall);
    diagnosis.expected = 440;
    diagnosis.found = 439;
    const DiagnosisFields fields = fields_of(diagnosis, nullptr);
    CHECK(fields.expected == "440 bytes (0x1B8)");
    CHECK(fields.found == "439 bytes (0x1B7)");
    CHECK(fields.file_offset.empty());
    CHECK(fields.index.empty());
    CHECK(fields.vendor_code == "AI_RELOC_RT_ERR_MEMORY (-2)");
}

TEST_CASE("severities, stages and results have names") {
    using loader::Severity;
    using loader::Stage;
    using loader::Status;
    const std::pair<Severity, const char*> severities[] = {
        {Severity::Error, "error"}, {Severity::Warning, "warning"}, {Severity::Hint, "hint"}};
    for (const auto& [severity, name] : severities) CHECK(to_text(severity) == name);
    const std::pair<Stage, const char*> stages[] = {{Stage::File, "file"},
                                                    {Stage::Header, "header"},
                                                    {Stage::Firmware, "firmware"},
                                                    {Stage::Request, "request"},
                                                    {Stage::Pools, "pools"},
                                                    {Stage::Image, "image"},
                                                    {Stage::Relocation, "relocation"},
                                                    {Stage::EpochBlob, "epoch-blob"},
                                                    {Stage::Handle, "handle"}};
    for (const auto& [stage, name] : stages) CHECK(to_text(stage) == name);
    const std::pair<Status, const char*> results[] = {
        {Status::Ok, "ok"},
        {Status::InvalidBinary, "invalid-binary"},
        {Status::Memory, "memory"},
        {Status::NotSupported, "not-supported"},
        {Status::Argument, "argument"},
        {Status::InvalidHandle, "invalid-handle"},
        {Status::ParameterAddress, "parameter-address"},
        {Status::ParameterTable, "parameter-table"},
        {Status::WouldOverwrite, "would-overwrite"},
        {Status::WouldFault, "would-fault"},
        {Status::BusError, "bus-error"}};
    for (const auto& [result, name] : results) CHECK(to_text(result) == name);
    // What only a check stops at has no code of its own.
    for (const Status result :
         {Status::NotSupported, Status::WouldOverwrite, Status::WouldFault, Status::BusError})
        CHECK(vendor_code_text(result) == "AI_RELOC_RT_ERR_INVALID_BIN (-1)");
}

TEST_CASE("every offset of a file has the name of its part") {
    // Where the parts are is known from the builder of the file.
    using test::Image;
    using test::ImageGeneration;
    for (const ImageGeneration generation : {ImageGeneration::Core21, ImageGeneration::Core30}) {
        const Image image = test::build_image(test::sample_spec(generation));
        test::Bench bench(image, test::n6_placements().front(), 6);
        const loader::MemoryPort port = bench.memory.port();
        loader::Container container(port, bench.request.file, bench.request.file_bytes);
        CHECK(section_at(container, 0x33) == "header");
        CHECK(section_at(container, loader::format::kLongHeaderBytes) == "outside");
        Diagnosis why;
        REQUIRE(container.open(why) == loader::Status::Ok);
        const std::uint32_t got_end = image.got_word(image.got_words);
        const std::uint32_t rel_end = image.relocation(image.rel_count);
        const std::pair<std::uint32_t, const char*> borders[] = {
            {0, "header"},
            {0x34, "vector"},
            {image.header_bytes, "code"},
            {image.ro_bytes, "data"},
            {image.context, "rt_ctx"},
            {image.pool_table, "pool table"},
            {image.got, "GOT"},
            {image.rel, "relocation table"},
            {image.params_at, "parameters"},
            {static_cast<std::uint32_t>(image.file.size()), "outside"}};
        for (std::size_t i = 0; i < std::size(borders); ++i) {
            CAPTURE(borders[i].first);
            CHECK(section_at(container, borders[i].first) == borders[i].second);
            // A part begins where the one before ends.
            const bool follows =
                borders[i].first != image.rel && borders[i].first != image.params_at;
            if (i != 0 && follows)
                CHECK(section_at(container, borders[i].first - 1) == borders[i - 1].second);
        }
        if (got_end != image.rel) CHECK(section_at(container, got_end) == "gap");
        CHECK(section_at(container, image.rel - 1) == (got_end == image.rel ? "GOT" : "gap"));
        CHECK(section_at(container, got_end - 1) == "GOT");
        CHECK(section_at(container, rel_end - 1) == "relocation table");
        CHECK(section_at(container, image.context + image.context_bytes - 1) == "rt_ctx");
        if (rel_end != image.params_at) CHECK(section_at(container, rel_end) == "padding");
    }
}

TEST_CASE("a description says in one line where: number, offset, part and address") {
    const test::Image image = test::build_image(test::sample_spec(test::ImageGeneration::Core22));
    test::Image erased = image;
    erased.set(image.pool(1) + 4, 0xFFFFFFFF);
    test::Bench bench(erased, test::n6_placements().front(), 6);
    const loader::MemoryPort port = bench.memory.port();
    loader::Container container(port, bench.request.file, bench.request.file_bytes);
    Diagnosis why;
    REQUIRE(container.open(why) == loader::Status::Ok);
    Diagnosis diagnosis = loader::diagnosis_of(Rule::PoolTypeUnknown);
    diagnosis.file_offset = image.pool(1) + 4;
    diagnosis.index = 1;
    diagnosis.address = GuestAddr{0x34200000};
    diagnosis.found = loader::kNotApplicable;
    char where[96];
    std::snprintf(where, sizeof where,
                  "  where:  pool 1, file offset 0x%08X (pool table), address 0x34200000\n",
                  diagnosis.file_offset);
    const std::string text = describe(diagnosis, &container);
    CHECK(text.find(where) != std::string::npos);
    // The number that says that none applies is what erased flash holds.
    CHECK(text.find("  found:  0xFFFFFFFF\n") != std::string::npos);
    diagnosis.file_offset = image.pool(2) + 4;
    CHECK(describe(diagnosis, &container).find("  found:") == std::string::npos);
    diagnosis.file_offset = loader::kNotApplicable;
    diagnosis.index = loader::kNotApplicable;
    CHECK(describe(diagnosis, &container).find("  where:  address 0x34200000\n") !=
          std::string::npos);
    CHECK(fields_of(diagnosis, &container).section.empty());
}

TEST_CASE("a description names what its number counts") {
    struct Row {
        const char* rule;
        const char* where;
    };
    // The rule by its id, whose first word is the table that the number counts in.
    constexpr Row kRows[] = {
        {"grant-wraps", "grant 3"},
        {"got-short", "GOT word 3"},
    };
    const auto where = [](Rule rule) {
        Diagnosis diagnosis = loader::diagnosis_of(rule);
        diagnosis.index = 3;
        const std::string text = describe(diagnosis, nullptr);
        const std::string key = "  where:  ";
        const std::size_t at = text.find(key);
        REQUIRE(at != std::string::npos);
        return text.substr(at + key.size(), text.find('\n', at) - at - key.size());
    };
    for (const Row& row : kRows) {
        CAPTURE(row.rule);
        REQUIRE(rule_of(row.rule) != Rule::None);
        CHECK(where(rule_of(row.rule)) == row.where);
    }
    // Every other rule: by the first word of its id, with or without "legacy-".
    for_each_rule([&](Rule rule, const RuleText& text) {
        CAPTURE(text.id);
        std::string word(text.id);
        const bool legacy = word.starts_with("legacy-");
        if (legacy) word = word.substr(7);
        std::string noun = "index";
        if (word.starts_with("vector")) noun = "vector entry";
        if (word.starts_with("got")) noun = "GOT word";
        if (word.starts_with("relocation")) noun = "relocation";
        if (word.starts_with("pool") && !legacy) noun = "pool";
        if (word.starts_with("grant") && !legacy) noun = "grant";
        CHECK(where(rule) == noun + " 3");
    });
}

}  // namespace
}  // namespace n6vp::traces

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "loader/legacy/diagnosis.h"
#include "tests/loader/damaged_word.h"
#include "tests/loader/legacy/malformed_cases.h"
#include "traces/diagnosis/rule_text.h"

namespace n6vp::test {
namespace {

using loader::Diagnosis;
using loader::kUnknownBytes;
using loader::Policy;
using loader::Rule;
using loader::Severity;
using loader::Status;

std::string list(const std::vector<Diagnosis>& findings) {
    std::string text;
    for (const Diagnosis& finding : findings)
        text += std::string(traces::rule_text(finding.rule).id) + " ";
    return text;
}

const Diagnosis* find(const std::vector<Diagnosis>& findings, Rule rule) {
    const auto found = std::find_if(findings.begin(), findings.end(),
                                    [&](const Diagnosis& finding) { return finding.rule == rule; });
    return found == findings.end() ? nullptr : &*found;
}

/// The same damaged file under both policies. Memory goes on after the end of a file that the case
/// cuts: only the stated length keeps the loader from reading it.
struct Prepared {
    explicit Prepared(const LegacyCase& one)
        : image(make(one, length)),
          strict(image, legacy_addresses().front(), one.mode),
          compat(image, legacy_addresses().front(), one.mode, Policy::Compat) {
        for (LegacyBench* bench : {&strict, &compat}) {
            bench->request.file_bytes = length;
            bench->request.target.cpu_part = 0xD21;
            if (one.arrange != nullptr) one.arrange(*bench);
        }
    }
    static LegacyImage make(const LegacyCase& one, std::uint32_t& length) {
        LegacySpec spec = legacy_sample();
        if (one.describe != nullptr) one.describe(spec);
        LegacyImage image = build_legacy(spec);
        const std::vector<std::uint8_t> whole = image.file;
        if (one.damage != nullptr) one.damage(image);
        length = static_cast<std::uint32_t>(image.file.size());
        if (length < whole.size())
            image.file.insert(image.file.end(), whole.begin() + length, whole.end());
        return image;
    }
    std::uint32_t length = 0;
    LegacyImage image;
    LegacyBench strict, compat;
};

void check_refused(std::span<const LegacyCase> cases) {
    for (const LegacyCase& one : cases) {
        const std::string name = one.name;
        CAPTURE(name);
        Prepared prepared(one);
        const std::vector<Diagnosis> findings = prepared.strict.findings();
        const std::string all = list(findings);
        CAPTURE(all);
        const std::string wanted(traces::rule_text(one.rule).id);
        CAPTURE(wanted);
        const Diagnosis* finding = find(findings, one.rule);
        REQUIRE(finding != nullptr);
        CHECK(finding->severity == Severity::Error);
        CHECK(prepared.strict.run() == prepared.strict.why.status);
        CHECK(prepared.strict.why.status != Status::Ok);
        CHECK(prepared.strict.why.severity == Severity::Error);
        CHECK(prepared.strict.memory.bytes_written() == 0);
        CHECK(prepared.strict.cache_calls().empty());
        static_cast<void>(prepared.compat.run());
        CHECK(prepared.compat.wrote_inside());
    }
}

TEST_CASE("legacy, strict: broken headers, vectors and contexts are refused, nothing written") {
    check_refused(legacy_file_cases());
}

TEST_CASE("legacy, strict: broken GOT words and relocations are refused, nothing written") {
    check_refused(legacy_image_cases());
}

TEST_CASE("legacy, strict: impossible requests are refused, nothing written") {
    check_refused(legacy_request_cases());
}

TEST_CASE("legacy, strict: what the chip survives is reported and installed") {
    for (const LegacyCase& one : legacy_tolerated_cases()) {
        const std::string name = one.name;
        CAPTURE(name);
        Prepared prepared(one);
        const std::vector<Diagnosis> findings = prepared.strict.findings();
        const std::string all = list(findings);
        CAPTURE(all);
        const Diagnosis* finding = find(findings, one.rule);
        REQUIRE(finding != nullptr);
        CHECK(finding->severity != Severity::Error);
        CHECK(prepared.strict.run() == Status::Ok);
        static_cast<void>(prepared.compat.run());
        CHECK(prepared.compat.wrote_inside());
    }
}

/// Where a finding stands that is not about the word alone that the case damages.
std::uint32_t legacy_place_of(Rule rule, const LegacyImage& image, const DamagedWord& word) {
    switch (rule) {
        case Rule::LegacyWeightsTooShort:
        case Rule::LegacyWeightsTooLong:
            return 0x30;  // weights_end
        case Rule::LegacyContextGeneration:
            return 0x60;  // the context word
        case Rule::ContextNameNotRelocated:
            return image.context + 0x14;
        default:
            return word.offset;
    }
}

TEST_CASE("legacy: a finding leads to the word that was damaged, its number and its content") {
    std::size_t judged = 0;
    for (const auto& cases :
         {legacy_file_cases(), legacy_image_cases(), legacy_tolerated_cases()}) {
        for (const LegacyCase& one : cases) {
            if (one.damage == nullptr) continue;
            const std::string name = one.name;
            CAPTURE(name);
            LegacySpec spec = legacy_sample();
            if (one.describe != nullptr) one.describe(spec);
            const LegacyImage whole = build_legacy(spec);
            Prepared prepared(one);
            const auto word = damaged_word(whole, prepared.image);
            if (!word) continue;
            const std::vector<Diagnosis> findings = prepared.strict.findings();
            const Diagnosis* finding = find(findings, one.rule);
            REQUIRE(finding != nullptr);
            ++judged;
            const std::uint32_t offset = legacy_place_of(one.rule, whole, *word);
            CHECK(finding->file_offset == offset);
            if (offset != word->offset) continue;
            const auto entry = [offset](std::uint32_t start, std::uint32_t end) {
                return offset >= start && offset < end ? (offset - start) / 4
                                                       : loader::kNotApplicable;
            };
            for (const std::uint32_t index :
                 {entry(0x34, 0x60), entry(whole.got_word(0), whole.ro_bytes + whole.got_end),
                  entry(whole.rel, whole.rel_end)}) {
                if (index != loader::kNotApplicable) CHECK(finding->index == index);
            }
            check_numbers(*finding, *word, traces::rule_text(one.rule).id);
        }
    }
    CHECK(judged >= 140);
}

TEST_CASE("legacy: the first error is the cause, whatever follows from it") {
    // One damage, one first error: a user mends what is reported first.
    for (const auto& cases : {legacy_file_cases(), legacy_image_cases()}) {
        for (const LegacyCase& one : cases) {
            const std::string name = one.name;
            CAPTURE(name);
            Prepared prepared(one);
            static_cast<void>(prepared.strict.run());
            const std::string found(traces::rule_text(prepared.strict.why.rule).id);
            CAPTURE(found);
            CHECK(prepared.strict.why.rule == one.rule);
        }
    }
}

TEST_CASE("legacy: weights in a file of unknown length are not overwritten by RAM or activations") {
    LegacySpec spec = legacy_sample();
    spec.weights.assign(40, 7);
    spec.weights_bytes = 40;
    const LegacyImage image = build_legacy(spec);
    REQUIRE(image.weights != 0);
    for (const bool ram : {true, false}) {
        CAPTURE(ram);
        LegacyBench bench(image, legacy_addresses().front(), 1);
        bench.request.file_bytes = kUnknownBytes;
        const GuestAddr weights{to_word(bench.request.file) + image.weights};
        if (ram) {
            bench.request.ram = weights;
        } else {
            bench.request.activations = weights;
        }
        CHECK(bench.run() != Status::Ok);
        CHECK(bench.why.rule ==
              (ram ? Rule::LegacyRamOverlapsFile : Rule::LegacyActivationsOverlapFile));
        CHECK(bench.memory.bytes_written() == 0);
    }
}

TEST_CASE("legacy: the table is large and covers every rule that a check can report") {
    std::set<Rule> covered;
    std::set<std::string> names;
    std::size_t refused = 0;
    for (const auto& cases : {legacy_file_cases(), legacy_image_cases(), legacy_request_cases(),
                              legacy_tolerated_cases()}) {
        for (const LegacyCase& one : cases) {
            covered.insert(one.rule);
            const std::string name = one.name;
            CAPTURE(name);
            CHECK(names.insert(name).second);
        }
        refused += cases.size();
    }
    CHECK(refused - legacy_tolerated_cases().size() >= 150);
    // LegacyRamFromHeap and LegacyHeapFull need a heap: install_test.cpp. The last group is found
    // at a call.
    for (auto number = static_cast<std::uint16_t>(Rule::LegacyFileNull);
         number < static_cast<std::uint16_t>(Rule::LegacyHandleAlignment); ++number) {
        const Rule rule = static_cast<Rule>(number);
        if (rule == Rule::LegacyRamFromHeap || rule == Rule::LegacyHeapFull) continue;
        const std::string id(traces::rule_text(rule).id);
        CAPTURE(id);
        CHECK(covered.contains(rule));
    }
}

TEST_CASE("legacy: what is no rule of this format has the diagnosis of the other") {
    for (const Rule rule : {Rule::FileNull, Rule::FirmwareFpuOff, Rule::kCount}) {
        CAPTURE(static_cast<unsigned>(rule));
        const Diagnosis wanted = loader::diagnosis_of(rule);
        const Diagnosis found = loader::legacy::diagnosis_of(rule);
        CHECK(found.rule == rule);
        CHECK(found.stage == wanted.stage);
        CHECK(found.severity == wanted.severity);
        CHECK(found.status == wanted.status);
    }
}

TEST_CASE("legacy, compat: verdicts of the vendor's order") {
    const struct {
        const char* name;
        void (*arrange)(LegacyBench&);
        Status status;
        Rule rule;
    } rows[] = {
        {"no file", [](LegacyBench& b) { b.request.file = GuestAddr{0}; }, Status::InvalidBinary,
         Rule::LegacyFileNull},
        {"core before mode",
         [](LegacyBench& b) {
             b.request.target.cpu_part = 0xC24;
             b.request.mode = 0;
         },
         Status::InvalidBinary, Rule::LegacyCpuPart},
        {"FPU", [](LegacyBench& b) { b.request.target.fpu_enabled = false; }, Status::InvalidBinary,
         Rule::FirmwareFpuOff},
        {"mode before RAM",
         [](LegacyBench& b) {
             b.request.mode = 3;
             b.request.ram_bytes = 1;
         },
         Status::Argument, Rule::LegacyModeBoth},
        {"mode 0", [](LegacyBench& b) { b.request.mode = 0; }, Status::Argument,
         Rule::LegacyModeNone},
        {"mode 5", [](LegacyBench& b) { b.request.mode = 5; }, Status::Argument,
         Rule::LegacyModeUnknownBits},
        {"no handle", [](LegacyBench& b) { b.request.handle_given = false; }, Status::Argument,
         Rule::LegacyHandleNull},
        {"alignment before size",
         [](LegacyBench& b) {
             b.request.ram = GuestAddr{to_word(b.request.ram) + 1};
             b.request.ram_bytes = 1;
         },
         Status::Memory, Rule::LegacyRamAlignment},
        {"size", [](LegacyBench& b) { --b.request.ram_bytes; }, Status::Memory,
         Rule::LegacyRamTooSmall},
    };
    for (const auto& row : rows) {
        const std::string name = row.name;
        CAPTURE(name);
        LegacyBench bench(build_legacy(legacy_sample()), legacy_addresses().front(), 1,
                          Policy::Compat);
        row.arrange(bench);
        CHECK(bench.run() == row.status);
        CHECK(bench.why.rule == row.rule);
        CHECK(bench.memory.bytes_written() == 0);
    }
}

TEST_CASE("legacy, compat: an entry of any space patches RAM, a bad value ends after writes") {
    LegacyImage image = build_legacy(legacy_sample());
    const LegacyImage sound = image;
    image.set(image.relocation(0), 0x20000004);
    LegacyBench bench(image, legacy_addresses().front(), 1, Policy::Compat);
    LegacyBench wanted(sound, legacy_addresses().front(), 1, Policy::Compat);
    CHECK(bench.run() == Status::Ok);
    CHECK(wanted.run() == Status::Ok);
    CHECK(bench.ram_with_margins() == wanted.ram_with_margins());

    image = sound;
    image.set(image.got_word(2), 0x70000000);
    LegacyBench broken(image, legacy_addresses().front(), 1, Policy::Compat);
    CHECK(broken.run() == Status::InvalidBinary);
    CHECK(broken.why.rule == Rule::GotValueSpace);
    CHECK(broken.why.index == 2);
    CHECK(broken.why.found == 0x70000000);
    CHECK(broken.memory.bytes_written() != 0);
}

TEST_CASE("legacy, compat: without the bit of XIP a mode asks for the size of COPY") {
    LegacyImage image = build_legacy(legacy_sample());
    for (const std::uint32_t at : {0x0Cu, 0x14u, 0x18u, 0x1Cu, 0x20u}) image.set(at, 0x80000000);
    for (const auto& [mode, rule] : {std::pair{1u, Rule::LegacyNothingNeeded},
                                     {3u, Rule::LegacyNothingNeeded},
                                     {5u, Rule::LegacyNothingNeeded},
                                     {0u, Rule::LegacyModeNone},
                                     {4u, Rule::LegacyModeUnknownBits}}) {
        LegacyBench bench(image, legacy_addresses().front(), 1, Policy::Compat);
        bench.request.mode = mode;
        static_cast<void>(bench.run());
        CHECK(bench.why.rule == rule);
    }
}

TEST_CASE("legacy, compat: a version is not looked at") {
    for (const std::uint32_t flags : {0x10085D21u, 0x80085D21u, 0x2F085D21u}) {
        LegacyImage image = build_legacy(legacy_sample());
        image.set(4, flags);
        LegacyBench bench(image, legacy_addresses().front(), 1, Policy::Compat);
        CHECK(bench.run() == Status::Ok);
    }
}

TEST_CASE("legacy, compat: where the vendor's loader would leave RAM or file it stops") {
    LegacyImage image = build_legacy(legacy_sample());
    image.set(image.relocation(4), 0x80000000 + image.bss_end);
    LegacyBench outside(image, legacy_addresses().front(), 1, Policy::Compat);
    CHECK(outside.run() == Status::WouldOverwrite);
    CHECK(to_word(outside.why.address) == legacy_addresses().front().ram + image.bss_end);

    image = build_legacy(legacy_sample());
    image.set(0x28, 0x20000000 + image.rel_end + 8);
    LegacyBench behind(image, legacy_addresses().front(), 1, Policy::Compat);
    CHECK(behind.run() == Status::WouldFault);
    CHECK(to_word(behind.why.address) == legacy_addresses().front().file + image.rel_end);
}

TEST_CASE("legacy, compat: COPY goes on with the header of the copy, however short that is") {
    // The vendor's loader, run on QEMU, faults here: RAM was filled, and the fill is its header.
    LegacyImage image = build_legacy(legacy_sample());
    image.set(0x10, 0x20000000);
    LegacyBench bench(image, legacy_addresses().front(), 2, Policy::Compat);
    CHECK(bench.run() == Status::WouldFault);
    CHECK(bench.wrote_inside());
    // XIP reads the header of the file.
    LegacyBench in_place(image, legacy_addresses().front(), 1, Policy::Compat);
    static_cast<void>(in_place.run());
    CHECK(in_place.why.rule != Rule::VendorReadsOutside);
}

TEST_CASE("legacy, compat: a negative .bss does not clear past the end of the address space") {
    LegacyImage image = build_legacy(legacy_sample());
    image.set(0x18, image.word(0x14) - 4);
    LegacyBench bench(image, legacy_addresses().front(), 1, Policy::Compat);
    bench.request.ram_bytes = 0xFFFFFFFF;
    CHECK(bench.run() == Status::WouldOverwrite);
    for (const sim::MemoryEvent& event : bench.memory.events())
        CHECK(event.kind != sim::MemoryEvent::Kind::Clear);
}

}  // namespace
}  // namespace n6vp::test

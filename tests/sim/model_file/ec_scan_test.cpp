// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "sim/check/check_model.h"
#include "sim/model_file/ec_scan.h"
#include "tests/loader/epoch_controller/ec_assembler.h"
#include "tests/support/image_builder.h"

namespace {

using namespace n6vp;
using loader::Rule;

/// Appends bytes as words to RO, 8-aligned, and returns their file offset.
std::uint32_t embed(test::ImageSpec& spec, const std::vector<std::uint8_t>& bytes) {
    const std::uint32_t header = spec.generation <= test::ImageGeneration::Core22 ? 96 : 104;
    while ((header + spec.code_bytes + 4 * spec.ro_words.size()) % 8 != 0) {
        spec.ro_words.push_back({test::ImageWord::Kind::Plain, 0, false});
    }
    const auto offset =
        static_cast<std::uint32_t>(header + spec.code_bytes + 4 * spec.ro_words.size());
    for (std::size_t at = 0; at < bytes.size(); at += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(4, bytes.size() - at));
        spec.ro_words.push_back({test::ImageWord::Kind::Plain, word, false});
    }
    return offset;
}

test::EcImage container(std::uint32_t magic, const char* symbol = "_user_io_input_0") {
    const test::EcProgram program = test::sample_program();
    return test::build_ec(magic, program.words, {{symbol, program.addresses[0]}});
}

sim::CheckReport check(const test::Image& image) {
    sim::ModelFiles files;
    files.file_path = "model.bin";
    files.file = image.file;
    files.params = image.params;
    if (!files.params.empty()) files.params_path = "params.bin";
    const sim::InstallPlan plan({}, files);
    return sim::check_model(files, plan, 0);
}

bool reports(const sim::CheckReport& report, Rule rule, std::uint32_t file_offset) {
    return std::any_of(report.findings.begin(), report.findings.end(),
                       [=](const sim::CheckFinding& finding) {
                           return finding.diagnosis.rule == rule && finding.hit.has_value() &&
                                  finding.diagnosis.file_offset == file_offset;
                       });
}

bool any_ec_error(const sim::CheckReport& report) {
    return std::any_of(
        report.findings.begin(), report.findings.end(), [](const sim::CheckFinding& finding) {
            return finding.hit.has_value() && finding.diagnosis.severity == loader::Severity::Error;
        });
}

}  // namespace

TEST_CASE("containers and plain blobs in RO are found and decoded") {
    test::ImageSpec spec = test::minimal_spec(test::ImageGeneration::Core22);
    const std::uint32_t first = embed(spec, container(test::kEcMagic0030).bytes);
    const std::uint32_t second = embed(spec, test::blob_bytes(test::sample_program().words));
    const sim::CheckReport report = check(build_image(spec));
    REQUIRE(report.ec.hits.size() == 2);
    CHECK(report.ec.literals == 0);
    CHECK(report.ec.hits[0].container);
    CHECK(report.ec.hits[0].offset == first);
    CHECK(report.ec.hits[0].symbols == std::vector<std::string>{"_user_io_input_0"});
    CHECK(report.ec.hits[0].relocated_words == 2);
    CHECK(report.ec.hits[0].facts.words == test::sample_program().words.size());
    CHECK_FALSE(report.ec.hits[1].container);
    CHECK(report.ec.hits[1].offset == second);
    CHECK_FALSE(any_ec_error(report));
}

TEST_CASE("blobs in the parameters are found, in the file and in a file of their own") {
    for (const bool split : {false, true}) {
        CAPTURE(split);
        test::ImageSpec spec = test::sample_spec(test::ImageGeneration::Core22);
        spec.blobs = container(test::kEcMagic0030).bytes;
        spec.split = split;
        const test::Image image = build_image(spec);
        const sim::CheckReport report = check(image);
        REQUIRE(report.ec.hits.size() == 1);
        CHECK(report.ec.hits[0].section == sim::EcSection::Params);
        CHECK(report.ec.hits[0].in_params_file == split);
        CHECK(report.ec.hits[0].offset == (split ? 0 : image.params_at));
    }
}

TEST_CASE("magic words that are literals in code are not judged") {
    test::ImageSpec spec = test::minimal_spec(test::ImageGeneration::Core22);
    using Kind = test::ImageWord::Kind;
    for (const std::uint32_t word :
         {0xECBF0030u, 0x4770B510u, 0x00000004u, 0x20000061u, 0x00000010u, 0xCA057A7Au, 0x47704770u,
          0xECBF0020u, 0u, 0u, 0u, 0xCA057A7Au, 2u, 0x0000001Fu, 0x0000001Fu}) {
        spec.ro_words.push_back({Kind::Plain, word, false});
    }
    const sim::CheckReport report = check(build_image(spec));
    CHECK(report.ec.hits.empty());
    CHECK(report.ec.literals == 4);
    CHECK_FALSE(any_ec_error(report));
}

TEST_CASE("a damaged instruction in a container is reported with its offset in the file") {
    test::ImageSpec spec = test::minimal_spec(test::ImageGeneration::Core22);
    test::EcImage image = container(test::kEcMagic0030);
    const std::uint32_t last =
        4 * (1 + image.word(image.blob + 4));  // `irq`, counted from the blob
    image.set(image.blob + last, 0x0000001F);
    const std::uint32_t at = embed(spec, image.bytes);
    const sim::CheckReport report = check(build_image(spec));
    REQUIRE(report.ec.hits.size() == 1);
    CHECK(any_ec_error(report));
    CHECK(reports(report, Rule::EcOpcode, at + image.blob + last));
    CHECK_FALSE(report.passed());
}

TEST_CASE("a damaged table of a container is an error, not a literal") {
    test::ImageSpec spec = test::minimal_spec(test::ImageGeneration::Core22);
    test::EcImage image = container(test::kEcMagic0030);
    image.set(image.symbol(0, 0), 0x00FFFFFF);
    embed(spec, image.bytes);
    const sim::CheckReport report = check(build_image(spec));
    REQUIRE(report.ec.hits.size() == 1);
    CHECK(any_ec_error(report));
}

TEST_CASE("a container of another generation than the model's is refused") {
    test::ImageSpec spec = test::minimal_spec(test::ImageGeneration::Core22);
    const std::uint32_t at = embed(spec, container(test::kEcMagic0050).bytes);
    const sim::CheckReport report = check(build_image(spec));
    CHECK(reports(report, Rule::EcGeneration, at));
}

TEST_CASE("a relocation symbol that is neither pool nor user buffer is named") {
    test::ImageSpec spec = test::sample_spec(test::ImageGeneration::Core22);
    embed(spec, container(test::kEcMagic0030, "external").bytes);   // a pool of this model
    embed(spec, container(test::kEcMagic0030, "elsewhere").bytes);  // none
    const sim::CheckReport report = check(build_image(spec));
    std::vector<std::string> texts;
    for (const sim::CheckNote& note : report.notes) {
        if (note.id == "ec-symbol-foreign") texts.push_back(note.text);
    }
    REQUIRE(texts.size() == 1);
    CHECK(texts[0].find("'elsewhere'") != std::string::npos);
}

TEST_CASE("containers that fill a section to its last byte are read without going past it") {
    for (std::uint32_t cut = 0; cut < 96; ++cut) {
        CAPTURE(cut);
        const std::vector<std::uint8_t> bytes = container(test::kEcMagic0030).bytes;
        REQUIRE(bytes.size() > cut);
        // The exact heap size lets the address sanitizer see any byte too many.
        const std::vector<std::uint8_t> file(bytes.begin(), bytes.end() - cut);
        loader::Header header;
        header.header_bytes = 96;
        const sim::EcScan scan =
            sim::scan_ec(header, {}, {file.data(), static_cast<std::uint32_t>(file.size())},
                         loader::Generation::Core22);
        CHECK(scan.hits.size() + scan.literals >= 1);
    }
}

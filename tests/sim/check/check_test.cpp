// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/image_builder.h"
#include "tests/support/process.h"

namespace {

using namespace n6vp::test;
using nlohmann::json;

Outcome check(std::vector<std::string> words) {
    words.insert(words.begin(), {N6VP_TOOL, "check"});
    return run_process(words);
}

json parsed(const Outcome& outcome) {
    json document = json::parse(outcome.out, nullptr, false);
    REQUIRE(document.is_object());
    CHECK(document.value("schema", "") == "n6vp.check/1");
    return document;
}

bool is_word(const json& value) {
    if (!value.is_string()) return false;
    const std::string text = value.get<std::string>();
    return text.size() == 10 && text.rfind("0x", 0) == 0;
}

void check_finding_types(const json& finding) {
    static const std::set<std::string> kSeverities = {"error", "warning", "hint"};
    for (const char* key : {"rule", "stage", "status", "section", "expected", "found", "what",
                            "why", "remedy", "option", "vendor", "closes", "file"}) {
        CAPTURE(key);
        REQUIRE(finding.contains(key));
        CHECK(finding[key].is_string());
    }
    CHECK(kSeverities.count(finding["severity"].get<std::string>()) == 1);
    CHECK(finding["vendor_code"].is_number_integer());
    for (const char* key : {"file_offset", "address"}) {
        CHECK((finding[key].is_null() || is_word(finding[key])));
    }
    CHECK((finding["index"].is_null() || finding["index"].is_number_unsigned()));
    CHECK_FALSE(finding["what"].get<std::string>().empty());
    CHECK_FALSE(finding["remedy"].get<std::string>().empty());
}

}  // namespace

TEST_CASE("a sound model of every generation passes in both modes") {
    const ScratchFolder folder;
    for (const ImageGeneration generation : kAllGenerations) {
        const Image image = build_image(sample_spec(generation));
        const std::string file = folder.write("model.bin", image.file);
        for (const char* mode : {"xip", "copy"}) {
            for (const bool clear : {false, true}) {
                CAPTURE(mode);
                std::vector<std::string> words = {file, "--mode", mode};
                if (clear) words.emplace_back("--clear");
                const Outcome outcome = check(words);
                CHECK(outcome.exit_code == 0);
                CHECK(outcome.err.empty());
                CHECK(outcome.out.find("0 errors") != std::string::npos);
                CHECK(outcome.out.find("0 is success") != std::string::npos);
            }
        }
    }
}

TEST_CASE("an end of 0xff is taken for erased flash from a word on") {
    const ScratchFolder folder;
    const char* const hint = "only the beginning of the file was programmed";
    const Image sample = build_image(sample_spec(ImageGeneration::Core22));
    const std::uint32_t last = sample.relocation(sample.rel_count - 1);  // the image ends behind it
    Image word = sample, less = sample;
    word.set(last, 0xFFFFFFFF);
    less.set(last, 0xFFFFFF00);
    const Outcome found = check({folder.write("word.bin", word.file)});
    CHECK(found.exit_code == 1);
    CHECK(found.out.find(hint) != std::string::npos);
    const Outcome none = check({folder.write("less.bin", less.file)});
    CHECK(none.exit_code == 1);
    CHECK(none.out.find(hint) == std::string::npos);
}

TEST_CASE("the JSON document has every key with its type") {
    const ScratchFolder folder;
    Image image = build_image(sample_spec(ImageGeneration::Core22));
    image.set(image.got_word(0), 0x70000000);
    image.set(0x04, 0x80785C24);
    const std::string file = folder.write("model.bin", image.file);
    const Outcome outcome = check({file, "--json", "--exec", "0x34060000:64"});
    CHECK(outcome.exit_code == 1);
    const json document = parsed(outcome);
    CHECK(document["file"]["path"] == file);
    CHECK(document["file"]["bytes"] == image.file.size());
    CHECK(document["file"]["address"] == "0x71000000");
    CHECK(document["params"].is_null());
    CHECK(document["mode"]["name"] == "XIP");
    CHECK(document["mode"]["value"] == 1);
    CHECK(document["exec_ram"]["needed"] == image.exec_bytes(false));
    CHECK(document["exec_ram"]["bytes"] == 64);
    CHECK(is_word(document["ext_ram"]["address"]));
    CHECK(document["grants"].is_array());
    CHECK_FALSE(document["grants"].empty());
    CHECK(document["firmware"]["from_file"] == true);
    CHECK(document["firmware"]["ll_aton"] == "1.1.1-14");
    REQUIRE(document["findings"].is_array());
    CHECK(document["findings"].size() >= 3);
    std::uint64_t errors = 0;
    for (const json& finding : document["findings"]) {
        check_finding_types(finding);
        errors += finding["severity"] == "error" ? 1 : 0;
    }
    CHECK(document["summary"]["errors"] == errors);
    CHECK(document["summary"]["verdict"] == "refused");
    CHECK(document["epoch_controller"]["hits"].is_array());
    CHECK(document["vendor"]["generation"] == "ST Edge AI Core 2.2");
    CHECK(document["vendor"]["code"] == -1);
    CHECK(document["notes"].is_array());
}

TEST_CASE("external RAM that the user never gave is no finding when the model needs none") {
    const ScratchFolder folder;
    const Image image = build_image(minimal_spec(ImageGeneration::Core22));
    const std::string file = folder.write("model.bin", image.file);
    CHECK(check({file}).out.find("ext-unused") == std::string::npos);
    CHECK(check({file, "--ext", "0x90100000:27M"}).out.find("hint: ext-unused") !=
          std::string::npos);
}

TEST_CASE("all faults are reported at once, errors first, each naming its word") {
    const ScratchFolder folder;
    Image image = build_image(sample_spec(ImageGeneration::Core30));
    image.set(image.got_word(1), 0x70000000);
    image.set(image.relocation(0), 0x50000000);
    image.set(image.pool(0) + 4, 0x01010509);
    image.set(image.context, 7);
    const Outcome outcome = check({folder.write("model.bin", image.file), "--json", "--mode", "3"});
    CHECK(outcome.exit_code == 1);
    const json document = parsed(outcome);
    std::set<std::string> offsets;
    bool errors_ended = false;
    for (const json& finding : document["findings"]) {
        const bool error = finding["severity"] == "error";
        CHECK_FALSE((error && errors_ended));
        errors_ended = errors_ended || !error;
        if (finding["file_offset"].is_string()) offsets.insert(finding["file_offset"]);
    }
    const auto word = [](std::uint32_t offset) {
        char text[16];
        std::snprintf(text, sizeof text, "0x%08x", offset);
        return std::string(text);
    };
    CHECK(offsets.count(word(image.got_word(1))) == 1);
    CHECK(offsets.count(word(image.relocation(0))) == 1);
    CHECK(offsets.count(word(image.pool(0) + 4)) == 1);
    CHECK(offsets.count(word(image.context)) == 1);
    CHECK(document["summary"]["errors"].get<int>() >= 4);
}

TEST_CASE("findings of one rule are limited, and the rest counted") {
    const ScratchFolder folder;
    ImageSpec spec = sample_spec(ImageGeneration::Core22);
    for (int i = 0; i < 300; ++i) spec.got.push_back({ImageWord::Kind::Plain, 0x70000000, false});
    const std::string file = folder.write("model.bin", build_image(spec).file);
    const json few = parsed(check({file, "--json"}));
    CHECK(few["findings"].size() < 60);
    CHECK(few["suppressed"].size() == 1);
    CHECK(few["suppressed"].front() == 280);
    CHECK(few["summary"]["errors"].get<int>() == 300);
    const json all = parsed(check({file, "--json", "--limit", "0"}));
    CHECK(all["findings"].size() >= 300);
    CHECK(all["suppressed"].empty());
    CHECK(check({file}).out.find("280 more of these") != std::string::npos);
}

TEST_CASE("every truncation of a model ends in a verdict, never in a crash") {
    const ScratchFolder folder;
    const Image image = build_image(sample_spec(ImageGeneration::Core22));
    for (std::size_t bytes = 0; bytes < image.file.size(); bytes += bytes < 112 ? 1 : 37) {
        CAPTURE(bytes);
        const std::vector<std::uint8_t> cut(
            image.file.begin(), image.file.begin() + static_cast<std::ptrdiff_t>(bytes));
        const Outcome outcome = check({folder.write("cut.bin", cut), "--json"});
        CHECK(outcome.exit_code == 1);
        CHECK(parsed(outcome)["summary"]["errors"].get<int>() >= 1);
    }
}

TEST_CASE("wrong options and unreadable files end with 2, one cause and one remedy") {
    const ScratchFolder folder;
    const std::string file =
        folder.write("model.bin", build_image(sample_spec(ImageGeneration::Core22)).file);
    const std::vector<std::vector<std::string>> cases = {
        {},
        {folder.file("absent.bin")},
        {folder.file("")},
        {file, "--params", folder.file("absent.bin")},
        {file, "--at", "here"},
        {file, "--at", "0xFFFFFFF0"},
        {file, "--exec", "0x34060000"},
        {file, "--exec", "0xFFFFFF00:4K"},
        {file, "--mode", "both"},
        {file, "--firmware", "insecure"},
        {file, "--firmware", "rt=1.1"},
        {file, "--grant", "0x1:zz"},
        {file, "--limit", "-1"},
        {file, "--limit", "99999999999999999999"},
        {file, "--instance", "x"},
        {file, "--unknown"},
        {file, file},
    };
    for (const std::vector<std::string>& words : cases) {
        CAPTURE(words.empty() ? std::string("no file") : words.back());
        const Outcome outcome = check(words);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 2);
        CHECK(outcome.err.rfind("n6vp: ", 0) == 0);
    }
}

TEST_CASE("hostile names in file and path reach neither terminal nor JSON raw") {
    const ScratchFolder folder;
    ImageSpec spec = sample_spec(ImageGeneration::Core22);
    spec.pools[1].name = "\x1b[31mred\n";
    spec.c_name = "\xff\xfe\x1b]0;title\x07";
    const std::string file = folder.write("mo\x1b[1mdel.bin", build_image(spec).file);
    for (const bool as_json : {false, true}) {
        std::vector<std::string> words = {file};
        if (as_json) words.emplace_back("--json");
        const Outcome outcome = check(words);
        CHECK(outcome.exit_code == 0);
        CHECK(outcome.out.find("1b[1mdel.bin") != std::string::npos);
        CHECK(outcome.out.find('\x1b') == std::string::npos);
        CHECK(outcome.out.find('\x07') == std::string::npos);
        if (as_json) CHECK(parsed(outcome)["file"]["path"].is_string());
    }
}

TEST_CASE("the same input gives the same bytes") {
    const ScratchFolder folder;
    const std::string file =
        folder.write("model.bin", build_image(clang_spec(ImageGeneration::Core30)).file);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{file, "--json"}, std::vector<std::string>{file}}) {
        const std::string first = check(words).out;
        CHECK_FALSE(first.empty());
        CHECK(check(words).out == first);
    }
}

TEST_CASE("a file of 4 MB is judged completely") {
    const ScratchFolder folder;
    ImageSpec spec = minimal_spec(ImageGeneration::Core22);
    const std::uint32_t bytes = 4 * 1024 * 1024;
    spec.pools = {{"weights", 0x01010500, bytes, 0, pattern(bytes, 5), {}}};
    Image image = build_image(spec);
    const Outcome good = check({folder.write("model.bin", image.file), "--json"});
    CHECK(good.exit_code == 0);
    image.file[image.params_at + bytes / 2] ^= 1;
    const Outcome bad = check({folder.write("model.bin", image.file), "--json"});
    CHECK(bad.exit_code == 1);
    CHECK(bad.out.find("params-crc") != std::string::npos);
}

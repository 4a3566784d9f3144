// SPDX-License-Identifier: Apache-2.0
// Runs one file of scenarios/check: builds the described model, applies the described damage, runs
// `n6vp check` on it and compares. The folder's README says what a scenario may contain.
#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/image_builder.h"
#include "tests/support/process.h"

namespace {

using namespace n6vp::test;
using nlohmann::json;

[[noreturn]] void bad_scenario(const std::string& what) {
    throw std::runtime_error("scenario: " + what);
}

ImageGeneration generation_of(const std::string& text) {
    if (text == "2.1") return ImageGeneration::Core21;
    if (text == "2.2") return ImageGeneration::Core22;
    if (text == "3.0") return ImageGeneration::Core30;
    if (text == "4.x") return ImageGeneration::Core4x;
    bad_scenario("unknown generation " + text);
}

ImageSpec spec_of(const toml::table& model) {
    const ImageGeneration generation =
        generation_of(model["generation"].value_or<std::string>("2.2"));
    const std::string base = model["base"].value_or<std::string>("sample");
    ImageSpec spec;
    if (base == "sample") {
        spec = sample_spec(generation);
    } else if (base == "mixed") {
        spec = mixed_spec(generation);
    } else if (base == "clang") {
        spec = clang_spec(generation);
    } else if (base == "minimal") {
        spec = minimal_spec(generation);
    } else {
        bad_scenario("unknown base " + base);
    }
    spec.split = model["split"].value_or(false);
    if (model["blobs"].value_or<std::string>("") == "plain") {
        // A label, then the end: the smallest stream there is.
        for (const std::uint32_t word : {0xCA057A7Au, 2u, 0x1Du, 0x0Cu}) {
            for (unsigned shift = 0; shift < 32; shift += 8) {
                spec.blobs.push_back(static_cast<std::uint8_t>(word >> shift));
            }
        }
    }
    if (const auto flags = model["flags"].value<std::uint32_t>()) spec.flags = *flags;
    if (const auto sizes = model["struct_sizes"].value<std::uint32_t>()) spec.struct_sizes = *sizes;
    if (const auto extra = model["extra_reset_pools"].value<std::uint32_t>()) {
        for (std::uint32_t index = 0; index < *extra; ++index) {
            spec.pools.push_back(
                {fmt::format("more{}", index), 0x03020200, 16, 0x34350000 + 64 * index, {}, {}});
        }
    }
    return spec;
}

/// Returns the file offset that a place such as "header", "rt_ctx", "pool 2" or "got 1" starts at.
std::uint32_t place_of(const Image& image, const std::string& text) {
    const std::size_t blank = text.find(' ');
    const std::string kind = text.substr(0, blank);
    const std::uint32_t index =
        blank == std::string::npos ? 0 : static_cast<std::uint32_t>(std::stoul(text.substr(blank)));
    if (kind == "header") return 0;
    if (kind == "rt_ctx") return image.context;
    if (kind == "pool") return image.pool(index);
    if (kind == "got") return image.got_word(index);
    if (kind == "relocation") return image.relocation(index);
    if (kind == "params") return image.params_at;
    bad_scenario("unknown place " + text);
}

void apply_patches(const toml::table& scenario, Image& image) {
    const toml::array* patches = scenario["patch"].as_array();
    if (patches == nullptr) return;
    for (const toml::node& node : *patches) {
        const toml::table& patch = *node.as_table();
        auto value = patch["value"].value<std::uint32_t>();
        const auto add = patch["add"].value<std::uint32_t>();
        const std::string at = patch["at"].value_or<std::string>("");
        const auto plus = patch["plus"].value_or<std::uint32_t>(0);
        if (add) value = image.word(place_of(image, at) + plus) + *add;
        if (!value || at.empty()) bad_scenario("a patch needs `at`, and `value` or `add`");
        if (at == "params file") {
            if (plus >= image.params.size()) bad_scenario("patch outside the parameter file");
            image.params[plus] = static_cast<std::uint8_t>(*value);
        } else {
            image.set(place_of(image, at) + plus, *value);
        }
    }
}

/// Replaces the whole model by something that is none, as `file` says.
void replace_file(const std::string& what, Image& image) {
    std::vector<std::uint8_t>& file = image.file;
    if (what.empty()) return;
    if (what == "erased flash") {
        std::fill(file.begin(), file.end(), std::uint8_t{0xFF});
    } else if (what.starts_with("erased from ")) {
        const std::size_t from = std::stoul(what.substr(12), nullptr, 0);
        std::fill(file.begin() + static_cast<std::ptrdiff_t>(from), file.end(), std::uint8_t{0xFF});
    } else if (what == "parameters") {
        file = image.params;
    } else if (what == "C array") {
        const std::string text =
            "/* model */\nconst unsigned char model[] = { 0x4e, 0x42, 0x49, 0x4e };\n";
        file.assign(text.begin(), text.end());
    } else if (what == "behind an odd header") {
        file.insert(file.begin(), 21, std::uint8_t{0x55});
    } else {
        bad_scenario("unknown file " + what);
    }
}

/// Collects what differs from the expectation.
class Verdict {
  public:
    void require(bool holds, const std::string& what) {
        if (holds) return;
        std::cout << "FAILED: " << what << '\n';
        failed_ = true;
    }
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    bool failed_ = false;
};

std::vector<std::string> texts(const toml::table& table, const char* key) {
    std::vector<std::string> values;
    if (const toml::array* array = table[key].as_array()) {
        for (const toml::node& node : *array) values.push_back(node.value_or<std::string>(""));
    }
    return values;
}

void compare_rules(const toml::table& expect, const json& report, Verdict& verdict) {
    std::set<std::string> met;
    std::set<std::string> errors;
    const auto first = expect["first"].value<std::string>();
    if (first) {
        const json& findings = report["findings"];
        verdict.require(!findings.empty() && findings[0]["rule"] == *first,
                        "the first finding is " + *first);
    }
    for (const json& finding : report["findings"]) {
        met.insert(finding["rule"].get<std::string>());
        if (finding["severity"] == "error") errors.insert(finding["rule"].get<std::string>());
    }
    std::set<std::string> wanted;
    for (const std::string& rule : texts(expect, "rules")) {
        wanted.insert(rule);
        verdict.require(met.count(rule) == 1, "rule " + rule + " is reported");
    }
    for (const std::string& rule : errors) {
        // What follows from the first cause need not be told apart.
        if (expect["consequences"].value_or(false)) break;
        verdict.require(wanted.count(rule) == 1, "no error other than expected, but " + rule);
    }
    std::set<std::string> notes;
    for (const json& entry : report["notes"]) notes.insert(entry["id"].get<std::string>());
    for (const std::string& id : texts(expect, "notes")) {
        verdict.require(notes.count(id) == 1, "note " + id + " is given");
    }
}

void compare(const toml::table& expect, const Outcome& as_json, const Outcome& as_text,
             Verdict& verdict) {
    const auto exit_code = expect["exit"].value<int>();
    if (!exit_code) bad_scenario("expect.exit is missing");
    verdict.require(as_json.exit_code == *exit_code,
                    fmt::format("exit code {}, is {}", *exit_code, as_json.exit_code));
    verdict.require(as_text.exit_code == as_json.exit_code,
                    "same exit code with and without --json");
    const json report = json::parse(as_json.out, nullptr, false);
    verdict.require(report.is_object() && report.value("schema", "") == "n6vp.check/1",
                    "output is a n6vp.check/1 document");
    if (!report.is_object()) return;
    compare_rules(expect, report, verdict);
    if (const auto code = expect["vendor_code"].value<int>()) {
        verdict.require(
            report["vendor"]["code"] == *code,
            fmt::format("vendor code {}, is {}", *code, report["vendor"]["code"].dump()));
    }
    if (const auto status = expect["vendor_status"].value<std::string>()) {
        verdict.require(report["vendor"]["status"] == *status,
                        "vendor status " + *status + ", is " + report["vendor"]["status"].dump());
    }
    for (const std::string& text : texts(expect, "mentions")) {
        verdict.require(as_text.out.find(text) != std::string::npos,
                        "the text mentions '" + text + "'");
    }
    verdict.require(as_text.out.find('\x1b') == std::string::npos, "no escape sequences in a pipe");
}

int run(const std::string& tool, const std::string& path) {
    const toml::table scenario = toml::parse_file(path);
    const toml::table* model = scenario["model"].as_table();
    const toml::table* expect = scenario["expect"].as_table();
    if (model == nullptr || expect == nullptr) bad_scenario("[model] and [expect] are needed");
    if (!scenario["symptom"].is_string()) bad_scenario("`symptom` is missing");
    Image image = build_image(spec_of(*model));
    apply_patches(scenario, image);
    replace_file((*model)["file"].value_or<std::string>(""), image);

    const ScratchFolder folder;
    std::vector<std::string> words = {tool, "check", folder.write("model.bin", image.file)};
    if ((*model)["give_params"].value_or(false)) {
        // Without a file of its own, a copy of the embedded section.
        if (image.params.empty())
            image.params.assign(image.file.begin() + image.params_at, image.file.end());
        words.insert(words.end(), {"--params", folder.write("params.bin", image.params)});
    }
    for (const std::string& option : texts(scenario, "options")) words.push_back(option);
    const Outcome as_text = run_process(words);
    words.emplace_back("--json");
    const Outcome as_json = run_process(words);

    Verdict verdict;
    compare(*expect, as_json, as_text, verdict);
    if (verdict.failed()) std::cout << as_text.out << as_text.err << as_json.err;
    return verdict.failed() ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: n6vp_check_scenario N6VP SCENARIO.toml\n";
        return 2;
    }
    try {
        return run(argv[1], argv[2]);
    } catch (const std::exception& error) {
        std::cout << "FAILED: " << error.what() << '\n';
        return 2;
    }
}

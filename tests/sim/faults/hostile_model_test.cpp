// SPDX-License-Identifier: Apache-2.0
// `n6vp run MODEL` with a model whose names mean no good: it runs, and no output of the run does
// what they say.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/sim/faults/hostile_text.h"
#include "tests/support/image_builder.h"
#include "tests/support/process.h"
#include "tests/traces/format/protobuf_reader.h"

using namespace n6vp::test;
using Json = nlohmann::json;

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

/// The sample with inputs, outputs and a pool of its own, under other names of the same lengths.
Bytes renamed_model() {
    const std::string text = read_text(N6VP_SAMPLES "/user_io/3.0/network_rel.bin");
    Bytes model(text.begin(), text.end());
    const auto rename = [&model](const std::string& from, const std::string& to) {
        const auto at = std::search(model.begin(), model.end(), from.begin(), from.end());
        if (from.size() != to.size() || at == model.end()) throw std::runtime_error(from);
        std::copy(to.begin(), to.end(), at);
    };
    rename("user_io", "\x1b]0;x\x07\x7f");
    rename("Input_0", "../../x");
    rename("Input_1", "\x1b[2J\r\n<");
    rename("Output_0", "<script>");
    rename("flash", "=1+\xff\n");
    return model;
}

/// Names of 64 KiB each; the model computes nothing.
Bytes long_model() {
    ImageSpec spec = sample_spec(ImageGeneration::Core30);
    spec.c_name.assign(65536, 'A');
    spec.c_name.replace(100, 8, "<script>");
    for (PoolSpec& pool : spec.pools) pool.name.assign(65536, 'B');
    return build_image(spec).file;
}

struct Workdir {
    ScratchFolder folder;
    std::string model;
    explicit Workdir(const Bytes& bytes) : model(folder.write("model.bin", bytes)) {}

    [[nodiscard]] Outcome run(const std::vector<std::string>& options) const {
        std::vector<std::string> words{N6VP_BINARY, "run", model, "--max-time", "50ms"};
        words.insert(words.end(), options.begin(), options.end());
        return run_process(words);
    }
    [[nodiscard]] std::string text(const std::string& name) const {
        return read_text(folder.file(name));
    }
    /// Returns the paths of what is in the room, without the model.
    [[nodiscard]] std::set<std::string> left() const {
        std::set<std::string> names;
        for (const auto& one : fs::recursive_directory_iterator(folder.file(""))) {
            names.insert(fs::relative(one.path(), folder.file("")).string());
        }
        names.erase("model.bin");
        return names;
    }
};

void check_bounded(const std::string& text) {
    CHECK(text.find(std::string(4096, 'A')) == std::string::npos);
    CHECK(text.find(std::string(4096, 'B')) == std::string::npos);
}

}  // namespace

TEST_CASE("hostile model: reports, outputs and the page") {
    const Workdir room(renamed_model());
    const Outcome text = room.run({"-o", room.folder.file("out"), "--input", "random"});
    INFO(text.err);
    REQUIRE(text.exit_code == 0);
    CHECK(is_plain_text(text.out));
    CHECK(is_plain_text(text.err));
    // Files have numbers, not the model's names.
    CHECK(room.left() == std::set<std::string>{"out", "out/output_0.npy"});
    CHECK(is_plain_text(room.text("out/output_0.npy").substr(10, 118)));

    const Outcome json = room.run({"--json"});
    REQUIRE(json.exit_code == 0);
    CHECK(is_plain_text(json.out));
    const Json model = Json::parse(json.out)["model"];
    CHECK(model["outputs"][0]["name"] == "<script>");
    CHECK(model["inputs"][0]["name"] == "../../x");

    REQUIRE(room.run({"--quiet", "--report", room.folder.file("p.html")}).exit_code == 0);
    const Json data = data_of_page(room.text("p.html"));
    CHECK_FALSE(data["phases"].empty());

    const Outcome csv = room.run({"--csv"});
    CHECK(csv.exit_code == 0);
    CHECK(has_no_formula(csv.out));
    CHECK(is_plain_text(csv.out, "\r"));
}

TEST_CASE("hostile model: traces of every format, and the state that is dumped") {
    const Workdir room(renamed_model());
    for (const std::string& name : kTraces) {
        CAPTURE(name);
        const Outcome outcome =
            room.run({"--quiet", "--trace", room.folder.file(name), "--trace-limit", "1M"});
        CHECK(outcome.exit_code == 0);
        const std::string text = room.text(name);
        REQUIRE_FALSE(text.empty());
        if (name == "t.pftrace") continue;
        CHECK(is_plain_text(text, name == "t.csv" ? "\r" : ""));
    }
    CHECK_FALSE(Json::parse(room.text("t.json"))["traceEvents"].empty());
    CHECK(has_no_formula(room.text("t.csv")));
    const std::string bytes = room.text("t.pftrace");
    const PerfettoReader trace(bytes);
    CHECK(trace.complaints.empty());
    REQUIRE_FALSE(trace.events.empty());
    for (const auto& event : trace.events) CHECK(is_plain_text(event.name));

    REQUIRE(room.run({"--quiet", "--dump", room.folder.file("state")}).exit_code == 0);
    CHECK(is_plain_text(room.text("state/state.json")));
    for (const std::string& name : room.left()) {
        CAPTURE(name);
        CHECK(is_plain_text(name));
        CHECK(std::count(name.begin(), name.end(), '/') <= 1);
    }
}

TEST_CASE("hostile model: JUnit XML of a scenario") {
    const Workdir room(renamed_model());
    const std::string scenario =
        room.folder.write("s.toml", std::string("[model]\nfile = \"model.bin\"\n"));
    const Outcome outcome =
        run_process({N6VP_BINARY, "run", scenario, "--junit", room.folder.file("junit.xml")});
    CHECK(outcome.exit_code == 0);
    CHECK(is_plain_text(outcome.out));
    const std::string xml = room.text("junit.xml");
    CHECK(is_plain_text(xml));
    CHECK(count_of(xml, "<testcase") == 1);
    CHECK(count_of(xml, "<script") == 0);
}

TEST_CASE("hostile model: names of 64 KiB are cut, whatever is written") {
    const Workdir room(long_model());
    for (const char* policy : {"strict", "compat"}) {
        for (const std::vector<std::string>& options :
             {std::vector<std::string>{"--json"},
              {"--csv"},
              {"--report", room.folder.file("p.html")},
              {"--arguments", "log", "--uart", "stdout"},
              {"--quiet", "--trace", room.folder.file("t.json")},
              {"--quiet", "--trace", room.folder.file("t.csv")}}) {
            CAPTURE(policy);
            CAPTURE(options.back());
            std::vector<std::string> words = options;
            words.insert(words.end(), {"--policy", policy});
            const Outcome outcome = room.run(words);
            CHECK(outcome.exit_code != 70);
            CHECK(outcome.exit_code < 128);
            CHECK(is_plain_text(outcome.out, kConsole));
            CHECK(is_plain_text(outcome.err));
            check_bounded(outcome.out);
            check_bounded(outcome.err);
        }
    }
    for (const char* const file : {"p.html", "t.json", "t.csv"}) {
        CAPTURE(file);
        const std::string text = room.text(file);
        CHECK_FALSE(text.empty());
        check_bounded(text);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Models that are wrong in one word, installed and run on the simulated chip: what the report of
// `n6vp run` says of the word, and what becomes of names that mean no good.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/image_builder.h"
#include "tests/support/process.h"

using namespace n6vp::test;
using Json = nlohmann::json;

namespace {

using Bytes = std::vector<std::uint8_t>;

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}
std::string sample(const std::string& name, const std::string& file) {
    return std::string(N6VP_SAMPLES "/") + name + "/3.0/" + file;
}
Bytes read_model(const std::string& name) {
    const std::string text = read_text(sample(name, "network_rel.bin"));
    if (text.empty()) throw std::runtime_error("no sample " + name);
    return {text.begin(), text.end()};
}

std::uint32_t word(const Bytes& file, std::uint32_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, file.data() + at, 4);
    return value;
}
void set_word(Bytes& file, std::uint32_t at, std::uint32_t value) {
    std::memcpy(file.data() + at, &value, 4);
}
/// Link addresses of the header, by their documented offsets.
std::uint32_t offset_at(const Bytes& file, std::uint32_t at) {
    return word(file, at) & 0x0FFFFFFF;
}
constexpr std::uint32_t kDataData = 0x10, kGotStart = 0x1C, kGotEnd = 0x20, kRelStart = 0x24,
                        kRelEnd = 0x28, kParamSpace = 8, kWrong = 0x8FFFFF00;

/// A GOT word for parameters, as a file offset and its number.
struct GotWord {
    std::uint32_t at = 0, index = 0;
};
GotWord parameter_word(const Bytes& file) {
    const std::uint32_t ro = offset_at(file, kDataData);
    for (std::uint32_t at = offset_at(file, kGotStart); at < offset_at(file, kGotEnd); at += 4) {
        if (word(file, ro + at) >> 28 == kParamSpace)
            return {ro + at, (at - offset_at(file, kGotStart)) / 4};
    }
    throw std::runtime_error("no GOT word for parameters");
}

struct Workdir {
    ScratchFolder folder;
    Outcome infer(const Bytes& model, const std::string& words,
                  std::vector<std::string> options = {}) const {
        const std::string file = folder.write("model.bin", model);
        std::vector<std::string> all{N6VP_BINARY,   "run",
                                     "--elf",       N6VP_CHIP_FIRMWARE_COMPAT,
                                     "--boot",      "reset",
                                     "--max-time",  "50ms",
                                     "--image",     "0x71000000=" + file,
                                     "--arguments", "infer generation=30 " + words,
                                     "--report",    folder.file("r.json")};
        all.insert(all.end(), options.begin(), options.end());
        return run_process(all);
    }
    [[nodiscard]] Json first_fault() const {
        const Json report = Json::parse(read_text(folder.file("r.json")));
        return report["faults"].empty() ? Json::object() : report["faults"][0];
    }
};

}  // namespace

TEST_CASE("model: a wrong GOT word is named, with its place in the file") {
    Bytes model = read_model("user_io");
    const GotWord got = parameter_word(model);
    set_word(model, got.at, kWrong);
    for (const char* mode : {"mode=1", "mode=2"}) {
        CAPTURE(mode);
        const Workdir room;
        const Outcome outcome = room.infer(model, mode);
        CHECK(outcome.exit_code == 3);
        const Json fault = room.first_fault();
        REQUIRE(fault["kind"] == "bus_fault");
        CHECK(fault["ended_run"] == true);
        const Json& origin = fault["origin"];
        REQUIRE(origin.is_object());
        CHECK(origin["kind"] == "got");
        CHECK(origin["index"] == got.index);
        CHECK(origin["file_offset"] == got.at);
        CHECK(origin["file_value"] == "0x8fffff00");
        CHECK(origin["distance"] == 0);
        CHECK(has(fault["function"], "model+0x"));
        CHECK(has(fault["phase"], "inference, block 0 epoch 1"));
        CHECK(fault["access"]["kind"] == "read");
        CHECK(has(outcome.err, "GOT word"));
        CHECK(has(outcome.err, "PARAM_0+0xfffff00"));
    }
}

TEST_CASE("model: an engine's wrong address is traced to the word of the blob") {
    // The words that the pool's symbol relocates are the address of an engine and its limit: an
    // offset of 496 MiB leads out of all memory.
    Bytes model = read_model("ec_reloc");
    constexpr std::uint32_t kMagic = 0xECBF0050, kFar = 0x1F000000;
    std::uint32_t container = 0;
    for (std::uint32_t at = 104; at + 64 < model.size() && container == 0; at += 4) {
        // The literal in the code has no small offsets behind it.
        if (word(model, at) == kMagic && word(model, at + 4) < 64) container = at;
    }
    REQUIRE(container != 0);
    const std::uint32_t table = container + word(model, container + 4);
    const std::uint32_t blob = container + word(model, container + 16);
    REQUIRE(word(model, table) == 2);
    // Symbol 0: name, number of words, indices; offsets count from the table.
    const std::uint32_t indices = table + word(model, table + 12);
    const std::uint32_t index = word(model, indices);
    const std::uint32_t wrong = blob + 8 + 4 * index,
                        limit = blob + 8 + 4 * word(model, indices + 4);
    set_word(model, wrong, kFar);
    set_word(model, limit, kFar + word(model, limit));
    const Workdir room;
    const Outcome outcome = room.infer(model, "mode=2");
    CHECK(outcome.exit_code == 3);
    const Json fault = room.first_fault();
    INFO(fault.dump(1));
    REQUIRE(fault["kind"] == "npu_bus_error");
    REQUIRE(fault["origin"].is_object());
    CHECK(fault["origin"]["kind"] == "blob");
    CHECK(fault["origin"]["index"] == index);
    CHECK(fault["origin"]["file_offset"] == wrong);
    CHECK(fault["origin"]["file_value"] == "0x1f000000");
    CHECK(has(fault["origin"]["text"], "symbol xram"));
}

TEST_CASE("model: symbols name the function, wherever the model is") {
    Bytes model = read_model("user_io");
    set_word(model, parameter_word(model).at, kWrong);
    for (const char* mode : {"mode=1", "mode=2"}) {
        const Workdir room;
        static_cast<void>(
            room.infer(model, mode, {"--symbols", sample("user_io", "model.elf"), "--quiet"}));
        CHECK(room.first_fault()["function"].get<std::string>().rfind("correlate+0x", 0) == 0);
    }
}

TEST_CASE("model: a wrong relocated word is named by its entry") {
    // The entry for the epoch function, the only one to Thumb code that is an epoch's: its word is
    // moved to where there is no memory.
    Bytes model = read_model("user_io");
    const std::uint32_t ro = offset_at(model, kDataData);
    const std::uint32_t first = offset_at(model, kRelStart);
    std::uint32_t entry = 0;
    for (std::uint32_t at = first; at < offset_at(model, kRelEnd); at += 4) {
        const std::uint32_t patched = ro + offset_at(model, at);
        if (entry == 0 && word(model, patched) >> 28 == 2 && (word(model, patched) & 1) != 0) {
            set_word(model, patched, 0x2FFFFFF1);
            entry = at;
        }
    }
    REQUIRE(entry != 0);
    const Workdir room;
    const Outcome outcome = room.infer(model, "mode=1");
    CHECK(outcome.exit_code == 3);
    const Json fault = room.first_fault();
    INFO(fault.dump(1));
    REQUIRE(fault["origin"].is_object());
    CHECK(fault["origin"]["kind"] == "relocation");
    CHECK(fault["origin"]["index"] == (entry - first) / 4);
    CHECK(fault["access"]["kind"] == "fetch");
    CHECK_FALSE(fault["called_from"].get<std::string>().empty());
}

TEST_CASE("model: what was installed is in the state that is dumped") {
    Bytes model = read_model("user_io");
    set_word(model, parameter_word(model).at, kWrong);
    const Workdir room;
    const std::string folder = room.folder.file("state");
    static_cast<void>(room.infer(model, "mode=2", {"--dump", folder, "--quiet"}));
    const Json state = Json::parse(read_text(folder + "/state.json"));
    REQUIRE(state["models"].size() == 1);
    CHECK(state["models"][0]["read_only"] == "0x34060000");
    // RO, rounded up to 8, is before the RAM part.
    CHECK(state["models"][0]["ram"] == "0x34060390");
    bool exec_ram = false;
    for (const Json& piece : state["memory"]) {
        const auto at = static_cast<std::uint32_t>(
            std::stoul(piece["address"].get<std::string>(), nullptr, 16));
        if (at > 0x34060000 || 0x34060000 - at >= piece["bytes"].get<std::uint32_t>()) continue;
        const std::string content = read_text(folder + "/" + piece["file"].get<std::string>());
        exec_ram = content.substr(0x34060000 - at, 4) == "NBIN" ||
                   content.substr(0x34060000 - at, 4) == "BNIN" ||
                   word(Bytes(content.begin(), content.end()), 0x34060000 - at) == word(model, 0);
    }
    CHECK(exec_ram);
}

TEST_CASE("model: names that mean no good reach no terminal, no document and no other folder") {
    Bytes model = read_model("user_io");
    const auto rename = [&model](const std::string& from, const std::string& to) {
        REQUIRE(from.size() == to.size());
        const auto at = std::search(model.begin(), model.end(), from.begin(), from.end());
        REQUIRE(at != model.end());
        std::copy(to.begin(), to.end(), at);
    };
    rename("user_io", "\x1b]0;x\x07\x7f");
    rename("Input_0", "../../x");
    rename("Input_1", "\x1b[2J\r\n<");
    rename("Output_0", "<script>");
    rename("flash", "\x9b\xff\xfe\n\\");
    const Workdir room;
    const std::string granted = room.folder.file("granted");
    REQUIRE(::mkdir(granted.c_str(), 0700) == 0);
    const Bytes input(320, 1);
    for (const char* name : {"/input_0.bin", "/input_1.bin"}) {
        std::ofstream stream(granted + name, std::ios::binary);
        stream.write(reinterpret_cast<const char*>(input.data()), 320);
    }
    const Outcome outcome =
        room.infer(model, "mode=2 log tensors files", {"--files", granted, "--uart", "stdout"});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(has(outcome.out, "<script>"));  // harmless there, and so the names did come out
    const std::string report = read_text(room.folder.file("r.json"));
    REQUIRE(Json::parse(report).is_object());
    for (const std::string* text : {&outcome.out, &outcome.err, &report}) {
        for (const char raw : {'\x1b', '\x07', '\x7f', '\x9b', '\xff'}) {
            CHECK(text->find(raw) == std::string::npos);
        }
    }
    // model.bin, r.json, granted; in that the inputs and, if it came so far, the output.
    std::vector<std::string> left;
    for (const auto& one : std::filesystem::recursive_directory_iterator(room.folder.file(""))) {
        left.push_back(one.path().filename().string());
    }
    for (const std::string& name : left) {
        const bool known = name == "model.bin" || name == "r.json" || name == "granted" ||
                           name == "input_0.bin" || name == "input_1.bin" || name == "output_0.bin";
        CAPTURE(name);
        CHECK(known);
    }
}

TEST_CASE("model: names of 64 KiB are bounded in every output") {
    ImageSpec spec = sample_spec(ImageGeneration::Core30);
    spec.c_name.assign(65536, 'A');
    spec.c_name.replace(100, 8, "<script>");
    spec.pools[0].name.assign(65536, 'B');
    const Bytes model = build_image(spec).file;
    const Workdir room;
    const std::string file = room.folder.write("long.bin", model);
    for (const char* verb : {"info", "check"}) {
        const Outcome outcome = run_process({N6VP_BINARY, verb, file});
        CHECK(outcome.exit_code != 70);
        CHECK(outcome.exit_code < 128);
        CHECK_FALSE(outcome.out.empty());
        CHECK(outcome.out.find(std::string(4096, 'A')) == std::string::npos);
    }
    const Outcome outcome = room.infer(model, "mode=2 log", {"--uart", "stdout"});
    CHECK(outcome.exit_code != 70);
    CHECK(outcome.exit_code < 128);
    const std::string report = read_text(room.folder.file("r.json"));
    REQUIRE_FALSE(report.empty());
    for (const std::string* text : {&outcome.out, &outcome.err, &report}) {
        CHECK(text->find(std::string(4096, 'A')) == std::string::npos);
        CHECK(text->find(std::string(4096, 'B')) == std::string::npos);
    }
}

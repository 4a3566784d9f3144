// SPDX-License-Identifier: Apache-2.0
// `n6vp run MODEL` as users run it, with the sample that has inputs and outputs of its user.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/host/elf.h"
#include "tests/support/process.h"

using namespace n6vp::test;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kInputBytes = 320, kOutputBytes = 40;
const std::string kModel = N6VP_SAMPLES "/user_io/3.0/network_rel.bin";

std::vector<std::uint8_t> ramp(unsigned step) {
    std::vector<std::uint8_t> bytes(kInputBytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * step);
    return bytes;
}

std::vector<std::uint8_t> npy(const std::string& type, const std::string& shape,
                              const std::vector<std::uint8_t>& numbers) {
    std::string head =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    head.resize(117, ' ');
    const std::string text = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + head + '\n';
    std::vector<std::uint8_t> file;
    file.reserve(text.size() + numbers.size());
    for (const char c : text) file.push_back(static_cast<std::uint8_t>(c));
    file.insert(file.end(), numbers.begin(), numbers.end());
    return file;
}

/// What the model computes (scenarios/models/user_io), whose weights are a known sequence.
std::vector<std::uint8_t> expected(const std::vector<std::uint8_t>& left,
                                   const std::vector<std::uint8_t>& right) {
    std::vector<std::int8_t> weights;
    std::uint32_t word = 0x10;
    for (unsigned i = 0; i < kInputBytes / 4; ++i) {
        word = word * 1664525u + 1013904223u;
        for (unsigned byte = 0; byte < 4; ++byte) {
            weights.push_back(static_cast<std::int8_t>(word >> (8 * byte)));
        }
    }
    std::vector<std::uint8_t> out;
    for (std::size_t row = 0; row < kOutputBytes; ++row) {
        int sum = 0;
        for (std::size_t i = row * 8; i < row * 8 + 8; ++i) {
            sum += (static_cast<std::int8_t>(left[i]) - static_cast<std::int8_t>(right[i])) *
                   weights[i];
        }
        out.push_back(static_cast<std::uint8_t>(sum >> 8));
    }
    return out;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

struct Workdir {
    ScratchFolder folder;
    Outcome run(const std::vector<std::string>& options, const std::string& model = kModel) const {
        std::vector<std::string> words{N6VP_BINARY, "run", model};
        words.insert(words.end(), options.begin(), options.end());
        return run_process(words);
    }
};

}  // namespace

TEST_CASE("run a model: outputs that a full disk refuses took the report with them") {
    // Output 0 has 1,021 bytes, and 1,149 as a file of -o; no file may have more than 1,024.
    const std::string model = N6VP_SAMPLES "/pools/3.0/network_rel.bin";
    const Workdir room;
    const Outcome outcome = run_piped_after(
        "ulimit -f 1", {N6VP_BINARY, "run", model, "--json", "-o", room.folder.file("out")});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 7);
    CHECK(has(outcome.err, "/out/output_0.npy': File too large\n      allow larger files"));
    const Json report = Json::parse(outcome.out);
    CHECK(report["end"] == "exit");
    CHECK(report["model"]["inferences"].size() == 1);
    CHECK(std::filesystem::is_empty(room.folder.file("out")));
}

TEST_CASE("run a model: what the host refuses the program is told as the host's") {
    const Workdir room;
    // No byte for what the program writes.
    const Outcome full = run_piped_after(
        "ulimit -f 0", {N6VP_BINARY, "run", N6VP_SAMPLES "/pools/3.0/network_rel.bin", "--quiet"});
    CAPTURE(full.err);
    CHECK(full.exit_code != 0);
    CHECK(
        full.err.starts_with("n6vp: the host writes no more for the program: File too large\n"
                             "      allow larger files"));
    // A file of the run itself that finds no place: nothing was done.
    const Outcome nothing = run_piped_after("ulimit -f 0", {N6VP_BINARY, "run", kModel, "--quiet"});
    CAPTURE(nothing.err);
    CHECK(nothing.exit_code == 2);
    CHECK(has(nothing.err,
              "/input_0.bin': File too large\n      look for free space there, or "
              "set TMPDIR to another folder\n"));
    // One file handle after the other is missing.
    bool refused = false, ran = false;
    for (unsigned handles = 4; !ran && handles < 40; ++handles) {
        CAPTURE(handles);
        const Outcome few = run_after("ulimit -n " + std::to_string(handles),
                                      {N6VP_BINARY, "run", kModel, "--quiet"});
        CAPTURE(few.err);
        ran = few.exit_code == 0;
        if (ran || has(few.err, "loading shared libraries")) continue;
        refused = true;
        // UBSan looks at objects through a pipe of its own, for which no handles were left.
        if (has(few.err, "<memory cannot be printed>")) continue;
        const std::string first_lines = few.err.substr(0, few.err.find("(ulimit -n)"));
        CHECK(std::count(first_lines.begin(), first_lines.end(), '\n') == 1);
        CHECK(has(first_lines, "Too many open files"));
    }
    CHECK(ran);
    CHECK(refused);
}

TEST_CASE("run a model: inputs from files, outputs as computed, in both modes") {
    const Workdir room;
    const std::vector<std::uint8_t> left = ramp(3), right = ramp(7);
    const std::string array = room.folder.write("left.npy", npy("|i1", "40, 8", left));
    const std::string raw = room.folder.write("right.raw", right);
    for (const char* mode : {"xip", "copy"}) {
        CAPTURE(mode);
        const std::string out = room.folder.file(mode);
        const Outcome outcome = room.run(
            {"-i", array, "-i", raw, "-o", out, "--repeat", "2", "--mode", mode, "--json"});
        CHECK(outcome.err == "");
        REQUIRE(outcome.exit_code == 0);
        const std::string file = read_text(out + "/output_0.npy");
        REQUIRE(file.size() == 128 + kOutputBytes);
        CHECK(has(file, "'descr': '|i1'"));
        CHECK(has(file, "'shape': (1, 1, 40, 1)"));
        CHECK(std::vector<std::uint8_t>(file.begin() + 128, file.end()) == expected(left, right));
        const Json model = Json::parse(outcome.out)["model"];
        CHECK(model["mode"] == mode);
        CHECK(model["generation"] == "ST Edge AI Core 3.0");
        CHECK(model["identical"] == true);
        CHECK(model["inferences"].size() == 2);
        REQUIRE(model["nodes"].size() == 1);
        CHECK(model["nodes"][0]["type"] == "SW");
        CHECK(model["inputs"][1]["name"] == "Input_1");
        CHECK(model["outputs"][0]["scale"] == 0.0078125);
    }
}

TEST_CASE("run a model: the report of phases, nodes and tensors") {
    const Workdir room;
    const Outcome outcome = room.run({"--repeat", "3", "--input", "random", "--seed", "5"});
    REQUIRE(outcome.exit_code == 0);
    for (const char* part : {"install", "network init", "Inference time per node", "epoch 1\n",
                             "all outputs identical", "inferences a second",
                             "input 0 Input_0: 320 bytes, 1x1x40x8 of i1", "random\n",
                             "output 0 Output_0: 40 bytes", "not kept"}) {
        CAPTURE(part);
        CHECK(has(outcome.out, part));
    }
    CHECK(has(outcome.out, "inference, mean of 3 "));
    const Outcome many = room.run({"--repeat", "12"});
    CHECK(has(many.out, "inference 10: "));
    CHECK_FALSE(has(many.out, "inference 11: "));
    CHECK(has(many.out, "all 12 of them: "));
    const auto outputs_of = [&room](const std::vector<std::string>& options) {
        std::vector<std::string> words = options;
        words.emplace_back("--json");
        return Json::parse(room.run(words).out)["model"]["inferences"][0]["output_crc"];
    };
    const Json five = outputs_of({"--input", "random", "--seed", "5"});
    CHECK(five == outputs_of({"--input", "random", "--seed", "5"}));
    CHECK(five != outputs_of({"--input", "random", "--seed", "6"}));
}

TEST_CASE("run a model: parts of the install, memory, epochs of a blob") {
    const Workdir room;
    const std::string blob = N6VP_SAMPLES "/ec_reloc/3.0/network_rel.bin";
    const Json document = Json::parse(room.run({"--json"}, blob).out);
    const Json& model = document["model"];
    std::vector<std::string> parts;
    std::uint64_t cycles = 0, install = 0;
    for (const Json& part : model["install"]) {
        parts.push_back(part["name"]);
        if (part["name"] != "cache maintenance") cycles += part["cycles"].get<std::uint64_t>();
    }
    CHECK(parts == std::vector<std::string>{"checks", "pools", "data and bss", "GOT", "relocation",
                                            "finish", "cache maintenance"});
    for (const Json& phase : document["phases"]) {
        if (phase["name"] == "install") install = phase["cycles"];
    }
    CHECK(cycles <= install);
    CHECK(cycles > install * 9 / 10);
    // As `n6vp info` has it of the file.
    REQUIRE(model["memory"].size() == 3);
    CHECK(model["memory"][0]["used"] == 864);
    CHECK(model["memory"][1]["used"] == 192);
    // Its one blob has one label, an input and an output engine that copy 192 bytes.
    REQUIRE(model["epochs"].size() == 1);
    const Json& epoch = model["epochs"][0];
    CHECK(epoch["epoch"] == 1);
    CHECK(epoch["type"] == "EC");
    CHECK(epoch["engines"] == 2);
    std::uint64_t read = 0, written = 0;
    for (const Json& place : epoch["traffic"]) {
        read += place["bytes_read"].get<std::uint64_t>();
        written += place["bytes_written"].get<std::uint64_t>();
    }
    CHECK(read == 192);
    CHECK(written == 192);
    double whole = 0, all = 0;
    for (const Json& part : epoch["bound"]) whole += part["share"].get<double>();
    for (const Json& part : model["bound"]) all += part["share"].get<double>();
    CHECK(whole > 0.999);
    CHECK(whole < 1.001);
    CHECK(all > 0.999);
    CHECK(all < 1.001);
    CHECK(has(room.run({}, blob).out, "Epochs of the first inference"));
}

TEST_CASE("run a model: outputs are compared with what they must be") {
    const Workdir room;
    const std::vector<std::uint8_t> left = ramp(3), right = ramp(7);
    std::vector<std::uint8_t> wanted = expected(left, right);
    const std::vector<std::string> inputs = {"-i", room.folder.write("left", left), "-i",
                                             room.folder.write("right", right)};
    const auto run = [&](const std::string& file, const std::string& tolerance) {
        std::vector<std::string> words = inputs;
        words.insert(words.end(), {"--expect", file, "--tolerance", tolerance, "--json"});
        return room.run(words);
    };
    const std::string equal = room.folder.write("equal.npy", npy("|i1", "40, 1", wanted));
    const Outcome good = run(equal, "0");
    CHECK(good.exit_code == 0);
    CHECK(Json::parse(good.out)["model"]["as_expected"] == true);
    // The last number by 2, the one before by 1, neither past the end of its type.
    const auto changed = [](std::uint8_t byte, int by) {
        const auto value = static_cast<std::int8_t>(byte);
        return static_cast<std::uint8_t>(value > 0 ? value - by : value + by);
    };
    wanted[39] = changed(wanted[39], 2);
    wanted[38] = changed(wanted[38], 1);
    const std::string off = room.folder.write("off.raw", wanted);
    const Outcome bad = run(off, "1");
    CHECK(bad.exit_code == 1);
    CHECK(has(bad.err, "number 39 is"));
    CHECK(has(bad.err, "1 of 40 exceed the tolerance, by up to 2"));
    const Json compared = Json::parse(bad.out)["model"]["outputs"][0]["expected"];
    CHECK(compared["unequal"] == 2);
    CHECK(compared["too_far"] == 1);
    CHECK(compared["first_too_far"] == 39);
    CHECK(run(off, "2").exit_code == 0);
    const std::string other = room.folder.write("other.npy", npy("<i2", "20, 1", wanted));
    const Outcome refused = run(other, "0");
    CHECK(refused.exit_code == 2);
    CHECK(has(refused.err, "does not fit output 0 (Output_0: 1x1x40x1 of i1): its type is i2"));
    std::vector<std::string> twice = inputs;
    twice.insert(twice.end(), {"--expect", equal, "--expect", equal});
    CHECK(has(room.run(twice).err, "2 files for 1 outputs"));
}

TEST_CASE("run a model: random inputs keep their range") {
    const Workdir room;
    const auto run = [&room](const std::string& range) {
        return room.run({"--input", "random", "--seed", "3", "--range", range, "--json"});
    };
    const Json same = Json::parse(run("stored:5:5").out)["model"];
    const std::string fives = room.folder.write("fives", std::vector<std::uint8_t>(kInputBytes, 5));
    const Json given = Json::parse(room.run({"-i", fives, "-i", fives, "--json"}).out)["model"];
    CHECK(same["inputs"][0]["crc"] == given["inputs"][0]["crc"]);
    CHECK(same["inputs"][1]["crc"] == given["inputs"][1]["crc"]);
    CHECK(run("stored:-128:127").exit_code == 0);
    CHECK(has(run("stored:-129:0").err, "its type holds -128 to 127"));
    CHECK(has(run("2:1").err, "write LOW:HIGH"));
    CHECK(has(room.run({"--range", "0:1"}).err, "add --input random"));
}

TEST_CASE("run a model: clocks are those of the set-up that was asked for") {
    const Workdir room;
    const std::string blob = N6VP_SAMPLES "/ec_reloc/3.0/network_rel.bin";
    struct Row {
        const char* name;
        double core_mhz;
    };
    for (const Row row : {Row{"overdrive", 800}, Row{"nominal", 600}, Row{"400", 400}}) {
        CAPTURE(row.name);
        const Json document = Json::parse(room.run({"--clocks", row.name, "--json"}, blob).out);
        for (const Json& phase : document["phases"]) {
            if (phase["name"] != "inference") continue;
            const double ps = phase["end_ps"].get<double>() - phase["start_ps"].get<double>();
            const double mhz = phase["cycles"].get<double>() * 1e6 / ps;
            CHECK(mhz == doctest::Approx(row.core_mhz).epsilon(0.01));
        }
        REQUIRE(document["model"]["inferences"].size() == 1);
    }
}

TEST_CASE("run a model: a limit of the host's time ends the run") {
    const Workdir room;
    const Outcome outcome = room.run({"--max-host-time", "1us"});
    CHECK(outcome.exit_code == 5);
    CHECK(has(outcome.err, "limit reached"));
}

/// Returns a file of the sample whose inference does not end.
std::string endless_model(const Workdir& room) {
    const n6vp::sim::ElfFile elf = n6vp::sim::ElfFile::read(N6VP_SAMPLES "/user_io/3.0/model.elf");
    const n6vp::sim::ElfSymbol* const function = elf.find_symbol("correlate");
    REQUIRE(function != nullptr);
    constexpr std::uint32_t kFlash = 0x20000000;  // where the file's first byte is linked
    const std::uint32_t place = (function->value & ~1u) - kFlash;
    std::string content = read_text(kModel);
    content.replace(place, 2, "\xfe\xe7");  // B to itself
    return room.folder.write("endless.bin", content);
}

TEST_CASE("run a model: a run that ended in its inference reported CRC 0 of its output") {
    const Workdir room;
    const std::string model = endless_model(room);
    const std::string want = room.folder.write("want", std::vector<std::uint8_t>(kOutputBytes));
    const std::string page = room.folder.file("run.json");
    const Outcome outcome = room.run(
        {"--max-quiet", "5ms", "--expect", want, "-o", room.folder.file("out"), "--report", page},
        model);
    CAPTURE(outcome.out);
    CHECK(outcome.exit_code == 3);
    const std::size_t line = outcome.out.find("output 0 ");
    REQUIRE(line != std::string::npos);
    CHECK(has(outcome.out.substr(line), ", not computed\n"));
    CHECK_FALSE(has(outcome.out.substr(line), "CRC"));
    CHECK_FALSE(has(outcome.out.substr(line), "-o DIR"));
    const Json report = Json::parse(read_text(page))["model"];
    CHECK(report["outputs"][0]["crc"].is_null());
    CHECK(report["as_expected"] == false);
}

TEST_CASE("run a model: a loop without an end in its code ends the run, and is told") {
    const Workdir room;
    const std::string model = endless_model(room);
    const Outcome outcome = room.run({"--max-quiet", "5ms", "--json"}, model);
    CHECK(outcome.exit_code == 3);
    const Json document = Json::parse(outcome.out);
    CHECK(document["end"] == "no_progress");
    const Json& fault = document["faults"][0];
    CHECK(fault["kind"] == "no_progress");
    CHECK(has(fault["function"], "(model+0x"));
    CHECK(has(fault["phase"], "inference"));
    // The block that did not end is told as far as it came.
    CHECK(document["model"]["epochs"].size() == 1);
}

TEST_CASE("run a model: inputs that do not fit are refused with the reason") {
    const Workdir room;
    const std::vector<std::uint8_t> bytes = ramp(1);
    const auto error = [&](const std::vector<std::uint8_t>& file) {
        const Outcome outcome = room.run({"-i", room.folder.write("in", file)});
        CHECK(outcome.exit_code == 2);
        return outcome.err;
    };
    CHECK(has(error(npy("|u1", "1, 1, 40, 8", bytes)), "its type is u1"));
    CHECK(has(error(npy("|i1", "8, 40", bytes)), "its shape is 8x40"));
    CHECK(has(error(npy("|i1", "1, 1, 40, 9", bytes)), "320 bytes of numbers do not make"));
    CHECK(has(error({1, 2, 3}), "it has 3 bytes, not 320"));
    const std::string good = room.folder.write("good", bytes);
    const Outcome many = room.run({"-i", good, "-i", good, "-i", good});
    CHECK(many.exit_code == 2);
    CHECK(has(many.err, "3 files for 2 inputs"));
}

TEST_CASE("run a model: what check refuses is refused before the run") {
    const Workdir room;
    std::string content = read_text(kModel);
    content.resize(content.size() / 2);
    const std::string broken = room.folder.write("broken.bin", content);
    const Outcome outcome = room.run({"-o", room.folder.file("out")}, broken);
    CHECK(outcome.exit_code == 6);
    CHECK(outcome.out == run_process({N6VP_BINARY, "check", broken}).out);
}

TEST_CASE("run a model: its options and those of firmware do not mix") {
    const Workdir room;
    CHECK(has(room.run({"--boot", "ready"}).err, "--boot and a model"));
    const std::string scenario = room.folder.write("s.toml", std::string("[run]\n"));
    const Outcome outcome = room.run({"--repeat", "2"}, scenario);
    CHECK(outcome.exit_code == 2);
    CHECK(has(outcome.err, "--repeat needs a model"));
}

TEST_CASE("run a model: a tool without its firmware says where it looked") {
    const Workdir room;
    const std::string tool = room.folder.file("n6vp");
    std::filesystem::copy_file(N6VP_BINARY, tool);
    const Outcome outcome = run_process({tool, "run", kModel});
    CHECK(outcome.exit_code == 2);
    CHECK(has(outcome.err, "/arm/loader/firmware/n6vp_firmware_chip.elf"));
    CHECK(has(outcome.err, "share/n6vp/firmware/n6vp_firmware_chip.elf"));
}

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tests/loader/epoch_controller/ec_assembler.h"
#include "tests/support/image_builder.h"
#include "tests/support/toolbox.h"

namespace {

using namespace n6vp::test;
using nlohmann::json;

Toolbox room() {
    return Toolbox(N6VP_BINARY);
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Runs the tool and leaves what it printed in listing.txt.
std::string listed(const Toolbox& tool, const std::string& words) {
    const ToolResult result = tool.run(words);
    CHECK(result.exit_code == 0);
    tool.save("listing.txt", {result.out.begin(), result.out.end()});
    return result.out;
}

std::vector<std::uint8_t> padded(std::vector<std::uint8_t> bytes) {
    bytes.resize((bytes.size() + 7) / 8 * 8);
    return bytes;
}

/// Requantisation of an image, as a compiled pose network does it in its second epoch: register
/// words, order of enables and links of a published example.
Words requantisation() {
    EcAssembler code;
    code.label(2).gate(18, true).gate(3, true).gate(9, true);
    code.burst(23, 0x00, {0x08000000, 0x15000060});
    code.write(23, 0x08, 0x00070000).burst_inc(23, 0x1C, {0x00004000, 0x0000FFE0});
    code.write(23, 0x34, 0x10412042).burst_inc(23, 0x400, {1, 2, 3, 4, 5, 6});
    for (const std::uint32_t engine : {3u, 9u}) {
        const bool output = engine == 9;
        code.write(5 + engine, 0x00, output ? 0x0008010C : 0x00080104);
        code.burst_inc(5 + engine, 0x08, {output ? 0x34328000u : 0x342E0000u, 0x0001B000});
        code.write(5 + engine, 0x18, 0x0001B000).burst(5 + engine, 0x30, {6, 7});
        code.burst_inc(5 + engine, 0x34, {1, output ? 0x3434303Fu : 0x342FB03Fu});
    }
    code.write(4, 0x00, 2).poll(4, 0x00, 1).write(4, 0x00, 0x40000000).poll(4, 0x00, 30);
    code.write(4, 0x00, 1).write(4, 0x08 + 4 * 9, 0x25).write(4, 0x08 + 4 * 28, 0x07);
    code.field(14, 0, 0, 1).field(23, 0, 0, 1).field(8, 0, 0, 1).poll(14, 0, 31);
    code.write(4, 0x08 + 4 * 9, 0).write(4, 0x08 + 4 * 28, 0);
    for (const std::uint32_t ip : {23u, 8u, 14u}) {
        const std::uint32_t idle = ip == 23 ? 0x08000000 : 0;
        code.write(ip, 0, idle | 2).poll(ip, 0, 1).write(ip, 0, idle | 0x40000000).poll(ip, 0, 30);
    }
    code.gate(18, false).gate(3, false).gate(9, false).label(3).irq();
    return code.words();
}

/// A model with a container and two plain blobs among its constants.
std::vector<std::uint8_t> model(const Words& last = sample_program().words) {
    ImageSpec spec = minimal_spec(ImageGeneration::Core22);
    const auto embed = [&spec](const std::vector<std::uint8_t>& bytes) {
        while ((96 + spec.code_bytes + 4 * spec.ro_words.size()) % 8 != 0) {
            spec.ro_words.push_back({ImageWord::Kind::Plain, 0, false});
        }
        for (std::size_t at = 0; at < bytes.size(); at += 4) {
            std::uint32_t word = 0;
            std::memcpy(&word, bytes.data() + at, 4);
            spec.ro_words.push_back({ImageWord::Kind::Plain, word, false});
        }
    };
    const EcProgram program = sample_program();
    embed(build_ec(kEcMagic0030, program.words, {{"xSPI1", program.addresses[1]}}).bytes);
    embed(blob_bytes(requantisation()));
    embed(blob_bytes(last));
    return build_image(spec).file;
}

}  // namespace

TEST_CASE("an epoch shows its units, fields and links by name") {
    const Toolbox tool = room();
    tool.save("blob.bin", padded(blob_bytes(requantisation())));
    const ToolResult result = tool.run("ecdump blob.bin");
    CHECK(result.err == "");
    CHECK(result.exit_code == 0);
    for (const char* part :
         {"blob 1 of 1: plain blob at 0x0", "epoch 2: words 0 to ", "epoch 3: words ",
          "no unit runs", "enabled STRENG9 ARITH0 STRENG3; done when stopped: STRENG9\n",
          "link    ARITH0 -> STRENG9\n", "link    STRENG3 -> ARITH0.x\n",
          "CTRL           0x15000061  EN=1 ROUND=1 SAT=1 ORNDMODE=1 OBYTES=1 COMBINEBC=1\n",
          "SHIFT          0x00070000  RES=14\n", "COEFFAC        0x00004000  A=16384\n",
          "FBYTESX=2 FSHIFTX=16 FOBYTESX=2 FBYTESY=1 FSHIFTY=16 FOBYTESY=1\n",
          "COEFF_AB       3 from [0]: 0x00000001 0x00000003 0x00000005\n",
          "COEFF_C        3 from [0]: 0x00000002 0x00000004 0x00000006\n",
          "LIMITEN        0x00000007  ADDRLIMIT=1 STOPPREFTC=1 FRAMELIMIT=1\n",
          "ADDR           0x342e0000  AXISRAM5+0x0\n",
          "FSIZE          0x0001b000  110592 elements\n"}) {
        CHECK_MESSAGE(contains(result.out, part), part);
    }
}

TEST_CASE("a link with two contexts says what passes how long, a wrong address what it is") {
    EcAssembler code;
    code.label(1).gate(0, true).write(4, 0x08, 0x01030100 | 16 << 17 | 16 << 1);
    code.write(5, 0x08, 0x00000100);  // in the ITCM, which the NPU does not reach
    code.write(4, 0x0C, 0x01830201).field(5, 0, 0, 1).poll(5, 0, 31).gate(0, false).irq();
    const Toolbox tool = room();
    tool.save("blob.bin", padded(blob_bytes(code.words())));
    const std::string text = tool.run("ecdump blob.bin").out;
    CHECK(contains(text, "nothing of ACTIV0 (1 frame) then ACTIV1 (1 frame) -> STRENG0\n"));
    CHECK(contains(text, "ADDR           0x00000100  no memory of the NPU\n"));
    CHECK(contains(text, "STRENG0 (2 pixels) then STRENG1 (1 pixel) -> STRENG1\n"));
}

TEST_CASE("a listing assembles to the blob it came from") {
    const Toolbox tool = room();
    const std::vector<std::uint8_t> blob = padded(blob_bytes(requantisation()));
    tool.save("blob.bin", blob);
    const std::string listing = listed(tool, "ecdump blob.bin --listing");
    const ToolResult result = tool.run("ecdump --assemble listing.txt -o again.bin");
    CHECK(result.err == "");
    CHECK(result.exit_code == 0);
    CHECK(tool.bytes("again.bin") == blob);
    CHECK(contains(listing, "poll 14 0 [31] 0x0 100 "));
    CHECK(contains(listing, " wait until STRENG9.CTRL RUNNING=0\n"));
    CHECK(contains(listing, " STRSWITCH.CTRL EN=1\n"));  // by its fields, not as a link
    CHECK(contains(listing, " STRSWITCH.DST[28] off\n"));
    CHECK(contains(listing, "label 0x2                                ;; 0 @0x8 epoch 2\n"));
}

TEST_CASE("containers of every generation show their symbols and assemble to their blob") {
    for (const std::uint32_t magic : {kEcMagic0020, kEcMagic0030, kEcMagic0050}) {
        CAPTURE(magic);
        const Toolbox tool = room();
        const EcImage image = sample_ec(magic);
        tool.save("container.bin", image.bytes);
        const std::string listing = listed(tool, "ecdump container.bin --listing");
        CHECK(contains(listing, "relocated by xSPI1, _user_io_input_0: 4 words"));
        CHECK(contains(listing, "burstwriteinc 5 2 xSPI1(0x1000) 0x1ea"));
        CHECK(contains(listing, "burstwriteinc 6 13 0x40 _user_io_input_0(0x23ff)"));
        CHECK(contains(listing, "patched by") == (magic != kEcMagic0020));
        const ToolResult result = tool.run("ecdump --assemble listing.txt -o blob.bin");
        CHECK(contains(result.out, "4 relocatable words"));
        CHECK(tool.bytes("blob.bin") == padded(blob_bytes(sample_program().words)));
        const std::string epochs = tool.run("ecdump container.bin").out;
        CHECK(contains(epochs, "ADDR           0x00001000  xSPI1+0x1000\n"));
        CHECK(contains(epochs, "link    ACTIV0 -> STRENG0\n"));
        CHECK(contains(epochs, "enabled STRENG1 STRENG0; done when stopped: STRENG1\n"));
    }
}

TEST_CASE("every blob of a model is shown, or one of them") {
    const Toolbox tool = room();
    tool.save("model.bin", model());
    const ToolResult all = tool.run("ecdump model.bin");
    CHECK(all.err == "");
    CHECK(all.exit_code == 0);
    CHECK(contains(all.out, "blob 1 of 3: container 0xECBF0030 at 0x"));
    CHECK(contains(all.out, "blob 2 of 3: plain blob at 0x"));
    CHECK(contains(all.out, "blob 3 of 3: plain blob at 0x"));
    const std::string one = tool.run("ecdump model.bin --blob 2").out;
    CHECK(contains(one, "blob 2 of 3"));
    CHECK_FALSE(contains(one, "blob 1 of 3"));
    CHECK(contains(listed(tool, "ecdump model.bin --blob 2 --listing"), ";; blob 2 of 3"));
    CHECK(tool.run("ecdump --assemble listing.txt -o two.bin").exit_code == 0);
    CHECK(tool.bytes("two.bin") == padded(blob_bytes(requantisation())));
    const ToolResult missing = tool.run("ecdump model.bin --blob 4");
    CHECK(missing.exit_code == 2);
    CHECK(contains(missing.err, "--blob 4: the file has 3"));
    CHECK(contains(listed(tool, "ecdump model.bin --listing"), ";; blob 3 of 3"));
    const ToolResult many = tool.run("ecdump --assemble listing.txt -o all.bin");
    CHECK(many.exit_code == 2);
    CHECK(contains(many.err, "more than one blob"));
}

TEST_CASE("the exit code judges the blobs that are shown") {
    EcAssembler closed;
    closed.label(1).write(15, 0x00, 0x54).irq();  // clock gate of CONVACC0 closed
    const Toolbox tool = room();
    tool.save("model.bin", model(closed.words()));
    for (const char* form : {"", " --listing", " --json"}) {
        CAPTURE(form);
        const auto code = [&](const std::string& blob) {
            return tool.run("ecdump model.bin" + blob + form).exit_code;
        };
        CHECK(code("") == 1);
        CHECK(code(" --blob 1") == 0);
        CHECK(code(" --blob 2") == 0);
        CHECK(code(" --blob 3") == 1);
    }
    const json shown = json::parse(tool.run("ecdump model.bin --json --blob 3").out);
    REQUIRE(shown["blobs"].size() == 1);
    CHECK(shown["blobs"][0]["words"] == closed.size());
    REQUIRE(shown["blobs"][0]["findings"].size() == 1);
    const json& finding = shown["blobs"][0]["findings"][0];
    CHECK(finding["rule"] == "ec-clock-gate");
    CHECK(finding["severity"] == "error");
}

TEST_CASE("a blob of the parameter file counts its offset from there") {
    ImageSpec spec = sample_spec(ImageGeneration::Core22);
    spec.split = true;
    spec.pools[0].payload = blob_bytes(sample_program().words);
    spec.pools[0].size = static_cast<std::uint32_t>(spec.pools[0].payload.size());
    const Image image = build_image(spec);
    const Toolbox tool = room();
    tool.save("model.bin", image.file);
    tool.save("params.bin", image.params);
    const ToolResult result = tool.run("ecdump model.bin --params params.bin");
    CHECK(result.exit_code == 0);
    CHECK(contains(result.out, "blob 1 of 1: plain blob at 0x0 of the parameter file, "));
    const json blob =
        json::parse(tool.run("ecdump model.bin --params params.bin --json").out)["blobs"][0];
    CHECK(blob["in_params_file"] == true);
    CHECK(blob["offset"] == "0x00000000");
}

TEST_CASE("the JSON document of a container has its symbols, patches and counts") {
    const EcImage image = sample_ec(kEcMagic0030);
    const Toolbox tool = room();
    tool.save("container.bin", image.bytes);
    const json document = json::parse(tool.run("ecdump container.bin --json").out);
    CHECK(document["undecoded_magics"] == 0);
    const json& blob = document["blobs"][0];
    CHECK(blob["kind"] == "container");
    CHECK(blob["magic"] == "0xecbf0030");
    CHECK(blob["in_params_file"] == false);
    CHECK(blob["offset"] == "0x00000000");
    char at[11];
    std::snprintf(at, sizeof at, "0x%08x", image.blob);
    CHECK(blob["blob_offset"] == at);
    CHECK(blob["symbols"] == json({"xSPI1", "_user_io_input_0"}));
    CHECK(blob["relocated_words"] == 4);
    CHECK(blob["patches"] == json({"SE_00_LSB", "SE_00_MSB"}));
    // Counted in sample_program().
    CHECK(blob["instructions"] == json({{"write", 7},
                                        {"writefield", 6},
                                        {"burstwrite", 2},
                                        {"burstwriteinc", 5},
                                        {"poll", 3},
                                        {"label", 2},
                                        {"irq", 1}}));
    REQUIRE(blob["epochs"].size() == 2);
    const json& first = blob["epochs"][0];
    const json& second = blob["epochs"][1];
    CHECK(first["label"] == 1);
    CHECK(first["first_word"] == 0);
    CHECK(first["instructions"] == 24);
    CHECK(second["label"] == 2);
    CHECK(second["instructions"] == 2);
    CHECK(second["words"] == 2);
    CHECK(second["first_word"] == first["words"]);
    CHECK(first["words"] == sample_program().words.size() - 2);
    // A relocated address has its symbol.
    const json& engine = first["runs"][0]["units"][1];
    CHECK(engine["unit"] == "STRENG0");
    bool found = false;
    for (const json& setting : engine["registers"]) {
        if (setting["register"] != "ADDR") continue;
        found = true;
        CHECK(setting["place"] == "xSPI1+0x1000");
    }
    CHECK(found);
}

TEST_CASE("epochs without label, units or wait condition say so, arrays show four values") {
    EcAssembler code;
    code.gate(0, true).gate(18, true).label(1).write(5, 0x0C, 0x00030002);
    code.burst_inc(23, 0x400, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}).field(5, 0, 0, 1);
    code.field(5, 0, 1, 1).field(5, 0, 1, 0).field(23, 0, 0, 1).label(2).irq();
    const Toolbox tool = room();
    tool.save("blob.bin", padded(blob_bytes(code.words())));
    const std::string text = tool.run("ecdump blob.bin").out;
    CHECK(contains(text, "before any label: words 0 to 1, 2 instructions, no unit runs\n"));
    CHECK(contains(text, "epoch 1: words 2 to 19, 7 instructions\n"));
    CHECK(contains(text, "  enabled STRENG0 ARITH0; no wait condition\n"));
    CHECK(contains(text, "FSIZE          0x00030002  WIDTH=2 HEIGHT=3\n"));
    CHECK(contains(text,
                   "COEFF_AB       5 from [0]: 0x00000001 0x00000003 0x00000005 0x00000007 ...\n"));
    CHECK(contains(text, "epoch 2: words 20 to 21, 2 instructions, no unit runs\n"));
}

TEST_CASE("the JSON document has epochs, registers, links and, if wanted, the listing") {
    const Toolbox tool = room();
    tool.save("blob.bin", padded(blob_bytes(requantisation())));
    const json document = json::parse(tool.run("ecdump blob.bin --json").out);
    CHECK(document["schema"] == "n6vp.ecdump/1");
    const json& blob = document["blobs"][0];
    CHECK(blob["kind"] == "blob");
    CHECK(blob["words"] == requantisation().size());
    CHECK(blob["instructions"]["label"] == 2);
    CHECK(blob["instructions"]["burstwrite"] == 3);
    CHECK(blob["findings"].empty());
    CHECK(blob["fault"].is_null());
    CHECK_FALSE(blob.contains("listing"));
    REQUIRE(blob["epochs"].size() == 2);
    CHECK(blob["epochs"][1]["runs"].empty());
    const json& run = blob["epochs"][0]["runs"][0];
    CHECK(run["enabled"] == json({"STRENG9", "ARITH0", "STRENG3"}));
    CHECK(run["waited"] == json({"STRENG9"}));
    CHECK(run["links"][0] ==
          json({{"destination", 9}, {"value", "0x00000025"}, {"text", "ARITH0 -> STRENG9"}}));
    const json& control = run["units"][1]["registers"][0];
    CHECK(control["register"] == "CTRL");
    CHECK(control["value"] == "0x15000061");
    CHECK(control["fields"]["EN"] == 1);
    CHECK(control["fields"]["OBYTES"] == 1);
    CHECK(control["fields"]["DUALIN"] == 0);
    CHECK(run["units"][1]["arrays"][0]["values"].size() == 3);
    const json listed = json::parse(tool.run("ecdump blob.bin --json --listing").out);
    CHECK(listed["blobs"][0]["listing"][1]["text"] == "writefield 0 4 [18] 0x1");
    CHECK(listed["blobs"][0]["listing"][1]["meaning"] == "CLKCTRL.BGATES ARITH_0=1");
}

TEST_CASE("a broken rule is shown and ends with exit code 1") {
    EcAssembler code;
    code.label(1).write(15, 0x00, 0x54).irq();  // clock gate of CONVACC0 closed
    const Toolbox tool = room();
    tool.save("blob.bin", padded(blob_bytes(code.words())));
    const ToolResult result = tool.run("ecdump blob.bin");
    CHECK(result.exit_code == 1);
    CHECK(contains(result.out, "error: ec-clock-gate at offset "));
    CHECK(contains(tool.run("ecdump blob.bin --listing").out, ";; error: ec-clock-gate"));
}

TEST_CASE("a blob that cannot be decoded ends with exit code 2, offset and opcode") {
    struct Case {
        const char* name;
        std::vector<std::uint8_t> bytes;
        const char* message;
    };
    const auto blob = [](const Words& words) { return padded(blob_bytes(words)); };
    std::vector<std::uint8_t> long_count = blob({0x3D, 0xC});
    long_count[4] = 200;
    std::vector<std::uint8_t> empty = blob({0x3D, 0xC});
    empty[4] = 0;
    EcImage lost = sample_ec(kEcMagic0030);
    lost.set(lost.blob_field, 0x10000);
    EcImage no_magic = sample_ec(kEcMagic0050);
    no_magic.set(no_magic.blob, 0);
    const Case cases[] = {
        {"unknown opcode", blob({0x3D, 0x3F}),
         "blob 1, offset 0xc: word 1 (0x0000003f) has the unknown opcode 0x1f"},
        {"burst cut short", blob({0x3D, 0x3C000062, 1}),
         "blob 1, offset 0xc: word 1 (0x3c000062), opcode 0x02, takes 3 operands, but the blob has "
         "1 more words"},
        {"write without value", blob({0x3D, 0x3C007C00}), "opcode 0x00, takes 1 operands"},
        {"poll cut short", blob({0x3D, 0x3C000004, 100}), "opcode 0x04, takes 2 operands"},
        {"length past the end", long_count, "ec-blob-length at offset 0x00000004"},
        {"no instruction", empty, "ec-stream-empty at offset 0x00000004"},
        {"magic alone", {0x7A, 0x7A, 0x05, 0xCA}, "ec-stream-short at offset 0x00000000"},
        {"container without its blob", lost.bytes, "ec-"},
        {"container with another thing as blob", no_magic.bytes, "ec-blob-magic"},
    };
    for (const Case& one : cases) {
        CAPTURE(one.name);
        const Toolbox tool = room();
        tool.save("blob.bin", one.bytes);
        const ToolResult result = tool.run("ecdump blob.bin --listing");
        CHECK(result.exit_code == 2);
        CHECK_MESSAGE(contains(result.err, one.message), result.err);
    }
}

TEST_CASE("what stands before the fault is listed, and the rest as words") {
    const Toolbox tool = room();
    tool.save("blob.bin", padded(blob_bytes({0x3D, 0x3F, 0x12345678})));
    const std::string text = tool.run("ecdump blob.bin --listing").out;
    CHECK(contains(text, "label 0x1 "));
    CHECK(contains(text,
                   ";; word 1 (0x0000003f) has the unknown opcode 0x1f\n"
                   "word 0x0000003f\nword 0x12345678\n"));
}

TEST_CASE("options that do not fit each other are refused") {
    const Toolbox tool = room();
    tool.save("blob.bin", padded(blob_bytes({0x3D, 0xC})));
    tool.save("text.txt", {'i', 'r', 'q', ' ', '0', '\n'});
    for (const char* words :
         {"ecdump", "ecdump --assemble text.txt", "ecdump blob.bin --assemble text.txt -o x",
          "ecdump --assemble text.txt -o x --json", "ecdump blob.bin -o x",
          "ecdump blob.bin --params blob.bin", "ecdump blob.bin --blob 0", "ecdump text.txt",
          "ecdump missing.bin"}) {
        CAPTURE(words);
        const ToolResult result = tool.run(words);
        CHECK(result.exit_code == 2);
        CHECK(result.out == "");
        CHECK(result.err.rfind("n6vp: ", 0) == 0);
    }
    CHECK_FALSE(std::filesystem::exists(tool.path() / "x"));
}

TEST_CASE("symbols of a file reach neither terminal nor listing raw") {
    const EcProgram program = sample_program();
    const EcImage image =
        build_ec(kEcMagic0050, program.words, {{"a\x1b[31m;; b", program.addresses[0]}});
    const Toolbox tool = room();
    tool.save("container.bin", image.bytes);
    for (const char* words : {"ecdump container.bin", "ecdump container.bin --listing",
                              "ecdump container.bin --json"}) {
        CAPTURE(words);
        const ToolResult result = tool.run(words);
        CHECK(result.exit_code == 0);
        CHECK(contains(result.out, "1b[31m;; b"));
        CHECK_FALSE(contains(result.out, "\x1b"));
    }
}

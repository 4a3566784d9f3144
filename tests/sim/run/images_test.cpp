// SPDX-License-Identifier: Apache-2.0
// `n6vp run` with images alone or together: Intel HEX, S-records, raw bytes, several ELF files,
// images with boot header; where they start, and what is wrong with damaged ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/records.h"
#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kStack = 0x34060000, kBootRam = 0x34180000;

Outcome run(const std::vector<std::string>& options) {
    std::vector<std::string> words{N6VP_BINARY, "run"};
    words.insert(words.end(), options.begin(), options.end());
    return run_process(words);
}

/// Of a program with its vector table at `base`.
Bytes program_at(std::uint32_t base, std::uint32_t code = 0) {
    return exiting(code).image(base, kStack);
}

std::string s_file(std::uint32_t address, const Bytes& content) {
    std::string text = s_record(0, 2, 0, {'a'});
    unsigned count = 0;
    for (std::size_t at = 0; at < content.size(); at += 32, ++count) {
        const auto first = content.begin() + static_cast<std::ptrdiff_t>(at);
        const auto bytes =
            static_cast<std::ptrdiff_t>(std::min<std::size_t>(32, content.size() - at));
        text +=
            s_record(3, 4, address + static_cast<std::uint32_t>(at), Bytes(first, first + bytes));
    }
    return text + s_record(5, 2, count, {}) + s_record(7, 4, address, {});
}

void check_refused(const Outcome& outcome, const std::string& cause) {
    CHECK(outcome.exit_code == 2);
    CHECK_MESSAGE(has(outcome.err, cause), outcome.err);
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 2);
    CHECK(outcome.out.empty());
}

/// A first stage whose code, with a table, exits with 0.
Bytes first_stage(bool newer = true) {
    const Bytes code = program_at(kBootRam + 0x400);
    return boot_image(code, (kBootRam + 0x400 + Thumb::kVectors) | 1, 0x10, newer);
}

}  // namespace

TEST_CASE("images: a program in Intel HEX, S-records or raw bytes runs without an ELF file") {
    const Workdir room;
    const Bytes bytes = program_at(0x34000000);
    const std::string hex = room.folder.write("a.hex", hex_file(0x34000000, bytes));
    const std::string srec = room.folder.write("a.srec", s_file(0x34000000, bytes));
    const std::string raw = room.folder.write("a.bin", bytes);
    CHECK(run({"--hex", hex}).exit_code == 0);
    CHECK(run({"--image", hex}).exit_code == 0);
    CHECK(run({"--srec", srec}).exit_code == 0);
    CHECK(run({"--image", srec}).exit_code == 0);
    CHECK(run({"--bin", raw + "@0x34000000"}).exit_code == 0);
    CHECK(run({"--image", "0x34000000=" + raw}).exit_code == 0);
    CHECK(run({"--image", room.folder.write("a.elf", elf(exiting(0)))}).exit_code == 0);
    // In a scenario.
    const std::string scenario =
        room.folder.write("s.toml", std::string("[[image]]\nfile = \"a.srec\"\n"));
    CHECK(run({scenario}).exit_code == 0);
}

TEST_CASE("images: a file with an equals sign in its name was taken for an address") {
    const Workdir room;
    const std::string hex =
        room.folder.write("a=b.hex", hex_file(0x34000000, program_at(0x34000000)));
    CHECK(run({"--image", hex}).exit_code == 0);
    const Outcome absent = run({"--image", room.folder.file("c=b.hex")});
    CHECK(absent.exit_code == 2);
    CHECK(has(absent.err, "is not a 32-bit number"));
}

TEST_CASE("images: the table may stand 0x400 into an image, and the first such image starts") {
    const Workdir room;
    Bytes late(0x400, 0xFF);
    const Bytes program = program_at(0x34000400);
    late.insert(late.end(), program.begin(), program.end());
    const std::string first = room.folder.write("a.bin", late);
    const std::string second = room.folder.write("b.bin", program_at(0x34100000, 9));
    CHECK(run({"--bin", first + "@0x34000000"}).exit_code == 0);
    // A table at a start comes before one at 0x400; else the order of the options counts.
    CHECK(run({"--bin", first + "@0x34000000", "--bin", second + "@0x34100000"}).exit_code == 1);
    const std::string third = room.folder.write("c.bin", program_at(0x34080000));
    CHECK(run({"--bin", third + "@0x34080000", "--bin", second + "@0x34100000"}).exit_code == 0);
    CHECK(run({"--bin", second + "@0x34100000", "--bin", third + "@0x34080000", "--vectors",
               "0x34080000"})
              .exit_code == 0);
}

TEST_CASE("images: a table whose first code is not loaded is none, and the message says so") {
    const Workdir room;
    Bytes copied(0x400, 0xFF);
    const Bytes program = program_at(0x34000400);
    copied.insert(copied.end(), program.begin(), program.end());
    const std::string file = room.folder.write("a.bin", copied);
    const Outcome outcome = run({"--bin", file + "@0x70100000"});
    check_refused(outcome, "starts at 0x34000441, where nothing is loaded");
    CHECK(has(outcome.err, "--boot flash"));
    const std::string data = room.folder.write("b.bin", Bytes(100, 0x11));
    check_refused(run({"--bin", data + "@0x70100000"}), "no vector table at the start of any");
}

TEST_CASE("images: of several ELF files the first is the program, all are loaded") {
    const Workdir room;
    // Jumps to the word that the second file has at its start.
    const Thumb jump = Thumb().set(1, 0x34000004).load(0, 1).raw({0x4700});
    const std::string second = room.folder.write("b.elf", elf(exiting(0)));
    const Bytes first = jump.image(0x34100000, kStack);
    const std::string raw = room.folder.write("a.bin", first);
    CHECK(
        run({"--elf", second, "--bin", raw + "@0x34100000", "--vectors", "0x34100000"}).exit_code ==
        0);
    const Outcome twice = run({"--elf", second, "--elf", second});
    check_refused(twice, "overlaps");
    static_cast<void>(room.folder.write("p.elf", elf(exiting(0))));
    const std::string list =
        room.folder.write("s.toml", std::string("[run]\nelf = [\"p.elf\", \"b.elf\"]\n"));
    check_refused(run({list}), "overlaps");
    const std::string one = room.folder.write("o.toml", std::string("[run]\nelf = [\"p.elf\"]\n"));
    CHECK(run({one}).exit_code == 0);
}

TEST_CASE("images: damaged S-records: one line with the place, one remedy, nothing is loaded") {
    const Workdir room;
    const std::string data = s_record(3, 4, 0x34100000, {1, 2, 3, 4});
    const std::string end = s_record(7, 4, 0, {});
    std::string wrong_sum = data;
    wrong_sum[13] = '9';
    struct Case {
        std::string text;
        const char* cause;
    };
    const Case cases[] = {
        {wrong_sum + end, "b.srec:1: checksum 0x"},
        {data, "the file ends without an end record"},
        {data + data.substr(0, 13) + "\n" + end, "b.srec:2: the record is cut off"},
        {data + data.substr(0, 16) + "\n" + end, "b.srec:2: the record has 7 bytes"},
        {data + s_record(2, 3, 0, {}).substr(0, 4) + "\n" + end, "b.srec:2: the record has 1"},
        {data + s_record(1, 2, 0x10, {1}) + s_record(1, 2, 0x10, {1}) + end,
         "b.srec:3: bytes at 0x00000010 were given in line 2 already"},
        {data + end + data, "b.srec:3: a record after the end record"},
        {data + s_record(5, 2, 3, {}) + end, "b.srec:2: 1 records of data, the file says 3"},
        {data + "S4030000FC\n" + end, "b.srec:2: record type S4 is not defined"},
        {data + "hello\n" + end, "b.srec:2: no S-record"},
        {s_record(0, 2, 0, {'x'}) + end, "the file has no data"},
        {s_record(3, 4, 0xFFFFFFFE, {1, 2, 3, 4}) + end, "b.srec:1: the record exceeds"},
    };
    for (const Case& one : cases) {
        CAPTURE(one.text);
        const std::string file = room.folder.write("b.srec", one.text);
        check_refused(run({"--image", file, "--report", room.folder.file("r.json")}), one.cause);
        CHECK_FALSE(std::filesystem::exists(room.folder.file("r.json")));
    }
}

TEST_CASE("images: an option for one format refuses another, an address is for raw bytes") {
    const Workdir room;
    const Bytes bytes = program_at(0x34000000);
    const std::string hex = room.folder.write("a.hex", hex_file(0x34000000, bytes));
    const std::string srec = room.folder.write("a.srec", s_file(0x34000000, bytes));
    check_refused(run({"--hex", srec}), "a.srec is not an Intel HEX file");
    check_refused(run({"--srec", hex}), "a.hex is not a file of S-records");
    check_refused(run({"--bin", srec + "@0x34000000"}), "is a file of S-records: its records have");
    check_refused(run({"--bin", hex + "@0x34000000"}), "is an Intel HEX file: its records have");
    check_refused(run({"--image", hex, "--image", srec}), "overlaps");
    const std::string nowhere = room.folder.write("n.hex", hex_file(0x36000000, bytes));
    check_refused(run({"--image", hex, "--image", nowhere}), "no memory, or too little");
    check_refused(run({}), "no program to run");
}

TEST_CASE("images: a first stage with boot header goes where the boot ROM puts it") {
    const Workdir room;
    for (const bool newer : {true, false}) {
        CAPTURE(newer);
        const std::string file = room.folder.write("fsbl.bin", first_stage(newer));
        const Outcome outcome = run({"--image", file});
        CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
        CHECK(has(outcome.out, "boot image"));
        CHECK(has(outcome.out, "at 0x34180000"));
        CHECK(has(outcome.out, newer ? "version 2.3, 576 bytes" : "version 2.1, 512 bytes"));
        CHECK(has(outcome.out, "0x34180441"));
    }
}

TEST_CASE("images: the entry of a boot header counts, whatever stands at the code's start") {
    const Workdir room;
    // Code, no table: the first word would be a bad stack, the second a bad entry.
    const std::string file =
        room.folder.write("f.bin", boot_image(exiting(0).bytes(), kBootRam + 0x401));
    const Outcome outcome = run({"--image", file});
    CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
}

TEST_CASE("images: a damaged boot header: one clear error each") {
    const Workdir room;
    const auto with = [&](std::size_t at, std::uint32_t value) {
        Bytes image = first_stage();
        put_word(image, at, value);
        return room.folder.write("f.bin", image);
    };
    check_refused(run({"--image", with(0x68, 0x00020400)}), "neither version 2.1");
    check_refused(run({"--image", with(0x6C, 0x10000)}), "says that 65536 bytes follow it");
    check_refused(run({"--image", with(0x6C, 0)}), "says that 0 bytes follow it");
    check_refused(run({"--image", with(0x8C, 0x77)}), "image type is 0x00000077");
    check_refused(run({"--image", with(0x88, 0x20)}), "extension has 0x00000020 bytes");
    check_refused(run({"--image", with(0x70, 0x34180440)}), "is no address of Thumb code");
    const Bytes whole = first_stage();
    const std::string cut = room.folder.write("c.bin", Bytes(whole.begin(), whole.begin() + 0x100));
    check_refused(run({"--image", cut}), "the boot header is cut off: 256 of 576 bytes");
    const std::string application = room.folder.write("a.bin", boot_image({1, 2}, 0x34000401, 0));
    check_refused(run({"--image", application}), "which the boot ROM does not load");
    // An open part starts an image with a wrong checksum: reported, not refused.
    const Outcome sum = run({"--image", with(0x64, 1)});
    CHECK(sum.exit_code == 0);
    CHECK(has(sum.out, "0x00000001, computed 0x"));
}

TEST_CASE("boot from flash: the boot ROM copies the image and starts it at the header's entry") {
    const Workdir room;
    const Bytes image = first_stage();
    const std::string raw = room.folder.write("f.bin", image);
    const std::string hex = room.folder.write("f.hex", hex_file(0x70000000, image));
    const auto boot = [&](std::vector<std::string> options) {
        options.insert(options.end(), {"--boot", "flash"});
        return run(options);
    };
    CHECK(boot({"--image", raw}).exit_code == 0);
    CHECK(boot({"--bin", raw + "@0x70000000"}).exit_code == 0);
    const Outcome outcome = boot({"--hex", hex});
    CHECK_MESSAGE(outcome.exit_code == 0, outcome.err);
    CHECK(has(outcome.out, "at 0x70000000"));
    // Without a table: the entry is the header's.
    const std::string code =
        room.folder.write("c.bin", boot_image(exiting(0).bytes(), kBootRam + 0x401));
    CHECK(boot({"--image", code}).exit_code == 0);
    const std::string scenario = room.folder.write(
        "s.toml", std::string("[run]\nboot = \"flash\"\n[[image]]\nfile = \"f.hex\"\n"));
    CHECK(run({scenario}).exit_code == 0);
}

TEST_CASE("boot from flash: memories that the first stage did not switch on are off") {
    const Workdir room;
    // AXISRAM3, which is off out of reset.
    const Bytes code = Thumb().set(1, 0x34200000).load(0, 1).end().bytes();
    const std::string file = room.folder.write("f.bin", boot_image(code, kBootRam + 0x401));
    CHECK(run({"--boot", "flash", "--image", file}).exit_code == 3);
}

TEST_CASE("boot from flash: what the boot ROM would not start is refused before the run") {
    const Workdir room;
    const auto boot = [](std::vector<std::string> options) {
        options.insert(options.end(), {"--boot", "flash"});
        return run(options);
    };
    const std::string plain = room.folder.write("p.bin", program_at(0x70000000));
    check_refused(boot({"--bin", plain + "@0x70000000"}), "has no boot header");
    check_refused(boot({"--bin", plain + "@0x70100000"}), "nothing to boot");
    Bytes damaged = first_stage();
    put_word(damaged, 0x6C, 0x10000);
    check_refused(boot({"--image", room.folder.write("d.bin", damaged)}), "the boot header says");
    const std::string large =
        room.folder.write("l.bin", boot_image(Bytes(0x80000, 0), kBootRam + 0x401));
    check_refused(boot({"--image", large}), "the boot ROM takes 524288 at most");
    const std::string good = room.folder.write("g.bin", first_stage());
    check_refused(boot({"--image", good, "--vectors", "0x34180400"}), "leave it out");
    const Outcome missing = run({"--bin", good + "@0x70000000"});
    check_refused(missing, "is an image that the boot ROM copies from flash");
    CHECK(has(missing.err, "--boot flash"));
}

TEST_CASE("boot from flash: a first stage copies the application behind it and starts it") {
    const Workdir room;
    constexpr std::uint32_t kApplication = 0x34000400, kWords = 64;
    Thumb loader;
    loader.set(4, 0x70100400).set(5, kApplication).set(6, kWords);
    const std::size_t loop = loader.code().size();
    // LDR r0, [r4]; STR r0, [r5].
    loader.load(0, 4).store(0, 5).add(4, 4).add(5, 4).subtract(6, 1).repeat(loop);
    loader.barrier().set(3, (kApplication + Thumb::kVectors) | 1).raw({0x4718});
    const std::string first =
        room.folder.write("f.bin", boot_image(loader.bytes(), kBootRam + 0x401));
    const Bytes code = program_at(kApplication, 7);
    const std::string second = room.folder.write(
        "a.hex", hex_file(0x70100000, boot_image(code, (kApplication + Thumb::kVectors) | 1, 0)));
    const Outcome outcome = run({"--boot", "flash", "--image", first, "--hex", second});
    CHECK(outcome.exit_code == 1);
    CHECK(has(outcome.err, "exit code 7"));
    CHECK(has(outcome.out, "0x00, application"));
    // Without the boot ROM nothing is where it runs.
    check_refused(run({"--hex", second}), "where nothing is loaded");
}

TEST_CASE("info: boot headers of raw images, Intel HEX and S-records") {
    const Workdir room;
    const Bytes image = first_stage();
    const auto info = [](const std::vector<std::string>& options) {
        std::vector<std::string> words{N6VP_BINARY, "info"};
        words.insert(words.end(), options.begin(), options.end());
        return run_process(words);
    };
    const std::string raw = room.folder.write("f.bin", image);
    const std::string hex = room.folder.write("f.hex", hex_file(0x70000000, image));
    const std::string srec = room.folder.write("f.srec", s_file(0x70000000, image));
    for (const std::string& file : {raw, hex, srec}) {
        CAPTURE(file);
        const Outcome shown = info({file});
        CHECK(shown.exit_code == 0);
        CHECK(has(shown.out, "entry         0x34180441"));
        CHECK(has(shown.out, "image type    0x10, first-stage boot loader"));
        const Json document = Json::parse(info({file, "--json"}).out);
        CHECK(document["schema"] == "n6vp.info/1");
        REQUIRE(document["parts"].size() == 1);
        CHECK(document["parts"][0]["bytes"] == image.size());
        CHECK(document["parts"][0]["boot_header"]["length"] == image.size() - 0x240);
        CHECK(document["parts"][0]["address"].is_null() == (file == raw));
    }
    Bytes bad = image;
    put_word(bad, 0x6C, 0x10000);
    check_refused(info({room.folder.write("b.bin", bad)}), "b.bin: the boot header says");
}

TEST_CASE("info: every field of a boot header, as text and as JSON") {
    const Workdir room;
    // 0x400 bytes with header 2.1, of which the last 0x200 and 4 of code count; a signature.
    Bytes image = boot_image({1, 2, 3, 4}, kBootRam + 0x401, 0, false);
    put_word(image, 0x44, 0x0000000B);
    put_word(image, 0x58, 0x34180000);
    put_word(image, 0x64, 0x80000001);
    image[0x43] = 1;
    const std::string file = room.folder.write("f.bin", image);
    const Outcome text = run_process({N6VP_BINARY, "info", file});
    CHECK(text.exit_code == 0);
    for (const char* const line :
         {"f.bin: raw, 1 part\n", "  1028 bytes\n", "boot header   version 2.1, 512 bytes\n",
          "image type    0x00, application\n", "length        516 bytes behind the header\n",
          "entry         0x34180401\n", "load address  0x34180000\n",
          "checksum      0x0000000b, computed 0x0000000a: an open part starts it all the same\n",
          "signature     present, not verified\n", "extension     flags 0x80000001, 384 bytes\n"})
        CHECK_MESSAGE(has(text.out, line), text.out);
    const Outcome json = run_process({N6VP_BINARY, "info", file, "--json"});
    const Json document = Json::parse(json.out);
    CHECK(document["kind"] == "image");
    CHECK(document["format"] == "raw");
    const Json expected = {{"version", "2.1"},
                           {"bytes", 512},
                           {"type", 0},
                           {"length", 516},
                           {"entry", "0x34180401"},
                           {"load_address", "0x34180000"},
                           {"checksum", "0x0000000b"},
                           {"computed_checksum", "0x0000000a"},
                           {"signed", true},
                           {"extension_flags", "0x80000001"},
                           {"extension_bytes", 384}};
    CHECK(document["parts"][0]["boot_header"] == expected);
    // The newer header without signature and load address, its sum right.
    const std::string plain = room.folder.write("p.bin", first_stage());
    const Outcome shown = run_process({N6VP_BINARY, "info", plain});
    CHECK(has(shown.out, "boot header   version 2.3, 576 bytes\n"));
    CHECK(has(shown.out, "load address  none\n"));
    CHECK(has(shown.out, "signature     none\n"));
    CHECK(has(shown.out, "extension     flags 0x80000000, 416 bytes\n"));
    CHECK_FALSE(has(shown.out, "computed"));
    const Outcome other = run_process({N6VP_BINARY, "info", plain, "--json"});
    CHECK(Json::parse(other.out)["parts"][0]["boot_header"]["signed"] == false);
}

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "memmap/regions.h"
#include "sim/host/errors.h"
#include "sim/model_file/model_source.h"
#include "tests/support/image_builder.h"
#include "tests/support/process.h"

namespace {

using namespace n6vp;

template <typename Function>
bool refuses(Function function) {
    try {
        function();
    } catch (const sim::UserError& error) {
        CHECK(error.exit_code() == 2);
        CHECK_FALSE(error.remedy().empty());
        return true;
    }
    return false;
}

sim::ModelFiles files_of(const test::Image& image) {
    sim::ModelFiles files;
    files.file_path = "model.bin";
    files.file = image.file;
    files.params = image.params;
    if (!image.params.empty()) files.params_path = "params.bin";
    return files;
}

bool granted(const sim::InstallPlan& plan, std::uint32_t address) {
    for (const AddressRange& range : plan.grants()) {
        if (range.contains(GuestAddr{address})) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("numbers are decimal, hexadecimal or multiples of 1024") {
    const auto number = [](const char* text) { return sim::parse_number(text, "--x"); };
    CHECK(number("0") == 0);
    CHECK(number("655360") == 655360);
    CHECK(number("0x34060000") == 0x34060000);
    CHECK(number("0XFFFFFFFF") == 0xFFFFFFFF);
    CHECK(number("4294967295") == 0xFFFFFFFF);
    CHECK(number("640K") == 655360);
    CHECK(number("27M") == 28311552);
    CHECK(number("640KiB") == 655360);
    CHECK(number("2kB") == 2048);
    CHECK(number("3G") == 0xC0000000);
    for (const char* text :
         {"", "x", "0x", "12z", "-1", "+1", " 1", "1 ", "4294967296", "0x100000000", "4G", "4096M",
          "99999999999999999999999999", "1Ki", "1KK", "0x1g2", "1.5"}) {
        CAPTURE(text);
        CHECK(refuses([&] { static_cast<void>(number(text)); }));
    }
}

TEST_CASE("ranges need an address and a size, and end below 4 GiB") {
    const AddressRange range = sim::parse_range("0x34060000:640K", "--exec");
    CHECK(to_word(range.start) == 0x34060000);
    CHECK(range.bytes == 655360);
    CHECK(sim::parse_range("0xFFFFFFF0:16", "--exec").end() == 0x100000000);
    for (const char* text : {"", ":", "0x1", "0x1:", ":5", "1:2:3", "0xFFFFFFF0:17", "0x1-0x2"}) {
        CAPTURE(text);
        CHECK(refuses([&] { static_cast<void>(sim::parse_range(text, "--exec")); }));
    }
}

TEST_CASE("runtime versions are complete and take the published dev number of their generation") {
    const auto version = [](const char* text) { return sim::parse_runtime_version(text, "rt"); };
    CHECK(version("1.1.3-262").dev == 262);
    CHECK(version("1.1.3-262").word() == 0x01010300);
    CHECK(version("1.1.3").dev == 8);
    CHECK(version("1.1.1").dev == 14);
    CHECK(version("1.1.0").dev == 31);
    for (const char* text : {"", "1", "1.1", "1.1.", "1.1.3-", "1.1.3-x", "1.1.3-8-9", "256.1.1",
                             "1.1.3 ", "1..3", "1.1.3.8", "1.1.3-99999999999"}) {
        CAPTURE(text);
        CHECK(refuses([&] { static_cast<void>(version(text)); }));
    }
}

TEST_CASE("modes are words or the raw number of the C API") {
    CHECK(sim::parse_mode("xip", false) == 1);
    CHECK(sim::parse_mode("xip", true) == 5);
    CHECK(sim::parse_mode("copy", true) == 6);
    CHECK(sim::parse_mode("3", false) == 3);
    CHECK(sim::parse_mode("0", true) == 4);
    for (const char* text : {"", "XIP", "both", "-1", "0x1", "1K"}) {
        CAPTURE(text);
        CHECK(refuses([&] { static_cast<void>(sim::parse_mode(text, false)); }));
    }
}

TEST_CASE("firmware words change exactly their own property") {
    const loader::RuntimeProfile base = loader::default_profile(loader::Generation::Core22);
    const loader::RuntimeProfile changed = sim::parse_firmware(
        "nonsecure,nodbg,polling,ndebug,int-enums,nofpu,cpu=0xD21,rt=1.1.3-262", base);
    CHECK_FALSE(changed.secure);
    CHECK_FALSE(changed.dbg_info);
    CHECK_FALSE(changed.async);
    CHECK(changed.ndebug);
    CHECK(changed.buffer_info_bytes == 64);
    CHECK(changed.epoch_item_bytes == 20);
    CHECK_FALSE(changed.fpu_enabled);
    CHECK(changed.cpu_part == 0xD21);
    CHECK(changed.generation == loader::Generation::Core4x);
    CHECK(changed.version.dev == 262);
    const loader::RuntimeProfile same = sim::parse_firmware("", base);
    CHECK(same.version.word() == base.version.word());
    CHECK(same.epoch_item_bytes == 48);
    for (const char* text :
         {",", "secure,", ",secure", "secure,secure", "secure,nonsecure", "Secure",
          "cpu=", "cpu=1000", "cpu=xyz", "rt=", "rt=1.1", "secure nonsecure"}) {
        CAPTURE(text);
        CHECK(refuses([&] { static_cast<void>(sim::parse_firmware(text, base)); }));
    }
}

TEST_CASE("a file that is no model is not said to have chosen the firmware") {
    sim::ModelFiles noise;
    noise.file = {0x4E, 0x42, 0x49};
    CHECK_FALSE(sim::InstallPlan({}, noise).firmware_matched());
    CHECK_FALSE(sim::InstallPlan({}, {}).firmware_matched());
}

TEST_CASE("without --firmware the profile is the one that fits the file") {
    const loader::Generation generations[] = {
        loader::Generation::Core21, loader::Generation::Core22, loader::Generation::Core30,
        loader::Generation::Core4x};
    int index = 0;
    for (const test::ImageGeneration generation : test::kAllGenerations) {
        const test::Image image = build_image(sample_spec(generation));
        const sim::InstallPlan plan({}, files_of(image));
        CHECK(plan.firmware_matched());
        CHECK(plan.request().profile.generation == generations[index++]);
        CHECK(plan.request().profile.secure);
        CHECK(plan.request().profile.async);
    }
    test::ImageSpec spec = sample_spec(test::ImageGeneration::Core30);
    spec.flags = 0x80085D22;  // not secure, no debug information, polling
    const sim::InstallPlan plan({}, files_of(build_image(spec)));
    CHECK_FALSE(plan.request().profile.secure);
    CHECK_FALSE(plan.request().profile.dbg_info);
    CHECK(plan.request().profile.epoch_item_bytes == 20);
    CHECK_FALSE(plan.request().profile.async);
}

TEST_CASE("a file with an impossible version gets the firmware of its header length") {
    test::Image image = build_image(sample_spec(test::ImageGeneration::Core30));
    image.set(image.context + 0x28, 0x77665500);
    const sim::InstallPlan plan({}, files_of(image));
    CHECK(plan.request().profile.version.word() == 0x01010300);
    sim::ModelFiles rubbish;
    rubbish.file = {1, 2, 3};
    CHECK(sim::InstallPlan({}, rubbish).request().profile.version.word() == 0x01010300);
}

TEST_CASE("defaults are the documented ones") {
    const sim::ModelFiles files = files_of(build_image(sample_spec(test::ImageGeneration::Core22)));
    const sim::InstallPlan plan({}, files);
    CHECK(to_word(plan.request().file) == 0x71000000);
    CHECK(plan.request().file_bytes == files.file.size());
    CHECK(to_word(plan.request().params) == 0);
    CHECK(to_word(plan.request().exec_ram) == 0x34060000);
    CHECK(plan.request().exec_ram_bytes == 655360);
    CHECK(to_word(plan.request().ext_ram) == 0x90100000);
    CHECK(plan.request().ext_ram_bytes == 28311552);
    CHECK(plan.request().mode == 1);
    CHECK(plan.request().policy == loader::Policy::Strict);
    CHECK(plan.request(loader::Policy::Compat).policy == loader::Policy::Compat);

    test::ImageSpec spec = sample_spec(test::ImageGeneration::Core22);
    spec.split = true;
    const sim::InstallPlan split({}, files_of(build_image(spec)));
    CHECK(to_word(split.request().params) == 0x71800000);
    CHECK(split.request().params_bytes == split.params().bytes);
}

TEST_CASE("grants cover the RAM of the NPU in both aliases but not firmware, exec RAM and files") {
    const sim::ModelFiles files = files_of(build_image(sample_spec(test::ImageGeneration::Core22)));
    const sim::InstallPlan plan({}, files);
    for (const std::uint32_t address :
         {0x34100000u, 0x24100000u, 0x341FFFFFu, 0x34200000u, 0x343BFFFFu, 0x343C0000u, 0x3441FFFFu,
          0x90000000u, 0x91FFFFFFu}) {
        CAPTURE(address);
        CHECK(granted(plan, address));
    }
    for (const std::uint32_t address :
         {0x34000000u, 0x24000000u, 0x3405FFFFu, 0x34060000u, 0x24060000u, 0x340FFFFFu, 0x34420000u,
          0x92000000u, 0x71000000u, 0x30000000u}) {
        CAPTURE(address);
        CHECK_FALSE(granted(plan, address));
    }
    sim::ModelOptions moved;
    moved.at = "0x34200000";
    moved.exec = "0x91C00000:4M";
    moved.grants = {"0x20000000:4K", "0x64000000:8"};
    const sim::InstallPlan other(moved, files);
    CHECK_FALSE(granted(other, 0x34200000));
    CHECK_FALSE(granted(other, 0x24200000));
    CHECK(granted(other, 0x34200000 + static_cast<std::uint32_t>(files.file.size())));
    CHECK_FALSE(granted(other, 0x91C00000));
    CHECK(granted(other, 0x34060000));
    CHECK(granted(other, 0x20000FFF));
    CHECK(granted(other, 0x64000007));
}

TEST_CASE("placing overlapping ranges keeps every byte mapped and the files in place") {
    const sim::ModelFiles files = files_of(build_image(sample_spec(test::ImageGeneration::Core22)));
    sim::ModelOptions options;
    options.at = "0x34060100";  // inside exec RAM
    options.ext = "0x34060000:1M";
    options.instance = "0x34060004";
    options.grants = {"0x34000000:1M", "0x34050000:128K", "0:1"};
    const sim::InstallPlan plan(options, files);
    sim::HostMemory memory;
    plan.place(memory, files);
    CHECK(memory.accessible(plan.exec_ram(), true));
    CHECK(memory.accessible(plan.ext_ram(), true));
    std::vector<std::uint8_t> back(files.file.size());
    const loader::MemoryPort port = memory.port();
    REQUIRE(port.read(port.context, GuestAddr{0x34060100}, back.data(),
                      static_cast<std::uint32_t>(back.size())));
    CHECK(back == files.file);
}

TEST_CASE("the files are read-only in flash") {
    const sim::ModelFiles files = files_of(build_image(sample_spec(test::ImageGeneration::Core22)));
    const sim::InstallPlan plan({}, files);
    sim::HostMemory memory;
    plan.place(memory, files);
    CHECK(memory.accessible(plan.file(), false));
    CHECK_FALSE(memory.accessible(plan.file(), true));
}

TEST_CASE("a default external RAM gives way to a file that the user put there") {
    const sim::ModelFiles files = files_of(build_image(sample_spec(test::ImageGeneration::Core22)));
    sim::ModelOptions options;
    options.at = "0x90100000";
    CHECK(sim::InstallPlan(options, files).request().ext_ram_bytes == 0);
    options.ext = "0x90100000:1M";  // asked for: the loader is to judge it
    CHECK(sim::InstallPlan(options, files).request().ext_ram_bytes == 1048576);
}

TEST_CASE("files that cannot be read are refused by name") {
    const test::ScratchFolder folder;
    const std::string empty = folder.write("empty.bin", std::string());
    CHECK(sim::read_file(empty).empty());
    CHECK(refuses([&] { static_cast<void>(sim::read_file(folder.file("absent"))); }));
    CHECK(refuses([&] { static_cast<void>(sim::read_file(folder.file(""))); }));
    CHECK(refuses([&] { static_cast<void>(sim::read_file("/dev/null")); }));
    CHECK(refuses([&] { static_cast<void>(sim::read_model(empty, empty)); }));
    const std::string huge = folder.write("huge.bin", std::string());
    std::filesystem::resize_file(huge, sim::kMaxModelBytes + 1);  // sparse
    CHECK(refuses([&] { static_cast<void>(sim::read_file(huge)); }));
    sim::ModelOptions options;
    options.at = "0xFFFFFFF0";
    const sim::ModelFiles files = files_of(build_image(sample_spec(test::ImageGeneration::Core22)));
    CHECK(refuses([&] { const sim::InstallPlan plan(options, files); }));
}

TEST_CASE("what cannot be read is refused with its option, the text and the remedy") {
    const auto told = [](const auto& work) -> std::string {
        try {
            work();
        } catch (const sim::UserError& error) {
            return std::string(error.what()) + " | " + error.remedy();
        }
        return "taken";
    };
    const auto number = [&](const char* text) {
        return told([&] { static_cast<void>(sim::parse_number(text, "--x")); });
    };
    const std::string digits =
        " is not a 32-bit number | write decimal or 0x-hexadecimal digits, with K or M for "
        "multiples of 1024";
    for (const char* const text : {"4194304K", "4096M", "4G", "0x100000000", "1T", "1kiB ", "1Kib"})
        CHECK(number(text) == "--x: '" + std::string(text) + "'" + digits);
    for (const char* const text : {"4194303K", "4095M", "3G", "0x3FFFFFK", "1g", "1MB", "1GiB"})
        CHECK(number(text) == "taken");
    CHECK(sim::parse_number("0x10K", "--x") == 16384);
    CHECK(sim::parse_number("1GiB", "--x") == 1u << 30);
    CHECK(sim::parse_number("1mB", "--x") == 1u << 20);
    const auto range = [&](const char* text) {
        return told([&] { static_cast<void>(sim::parse_range(text, "--exec")); });
    };
    CHECK(range("5") == "--exec: '5' has no size | write ADDR:SIZE, such as 0x34060000:640K");
    CHECK(range("0xFFFFFFFF:2") ==
          "--exec: '0xFFFFFFFF:2' runs past 0xffffffff | the address space has 32 bits");
    CHECK(range("0xFFFFFFFF:1") == "taken");
    CHECK(range("x:1") == "--exec: 'x'" + digits);
    CHECK(range("1:x") == "--exec: 'x'" + digits);
    const auto version = [&](const char* text) {
        return told([&] { static_cast<void>(sim::parse_runtime_version(text, "--rt")); });
    };
    for (const char* const text : {"1.1", "1.1.256", "1.256.1", "256.1.1", "1.1.1-", "a"}) {
        CHECK(version(text) ==
              "--rt: '" + std::string(text) +
                  "' is not a version | write major.minor.micro or major.minor.micro-dev, such as "
                  "1.1.3-8");
    }
    CHECK(version("255.255.255-4294967295") == "taken");
    const auto mode = [&](const char* text) {
        return told([&] { static_cast<void>(sim::parse_mode(text, false)); });
    };
    CHECK(mode("ram") ==
          "--mode: 'ram' is not a mode | use xip or copy; a number stands for the raw mode bits of "
          "the C API");
    const auto firmware = [&](const char* text) {
        const loader::RuntimeProfile base = loader::default_profile(loader::Generation::Core22);
        return told([&] { static_cast<void>(sim::parse_firmware(text, base)); });
    };
    for (const char* const text : {"cpu=1000", "cpu=", "cpu=0x", "cpu=-1", "FPU", "rt"}) {
        CHECK(firmware(text) ==
              "--firmware: unknown property '" + std::string(text) +
                  "' | use secure|nonsecure, dbg|nodbg, async|polling, debug|ndebug, "
                  "short-enums|int-enums, fpu|nofpu, cpu=D22 or rt=1.1.3-8");
    }
    CHECK(firmware("cpu=FFF,rt=1.1.0") == "taken");
    for (const char* const pair :
         {"secure,nonsecure", "dbg,nodbg", "async,polling", "debug,ndebug", "short-enums,int-enums",
          "fpu,nofpu", "cpu=D21,cpu=D22", "rt=1.1.0,rt=1.1.1"}) {
        const std::string both = pair;
        CHECK(firmware(pair) == "--firmware: '" + both.substr(both.find(',') + 1) +
                                    "' repeats or contradicts an earlier word | give each property "
                                    "once");
    }
    CHECK(firmware("secure,dbg,async,debug,short-enums,fpu,cpu=D22,rt=1.1.1") == "taken");
}

TEST_CASE("a profile in words has each of its properties") {
    loader::RuntimeProfile profile = loader::default_profile(loader::Generation::Core22);
    profile =
        sim::parse_firmware("secure,dbg,async,debug,short-enums,fpu,cpu=D22,rt=1.1.1-14", profile);
    CHECK(
        sim::profile_text(profile) ==
        "ll_aton 1.1.1-14 (ST Edge AI Core 2.2), secure, dbg, async, debug, short-enums, CPU part "
        "0xd22, FPU enabled");
    profile = sim::parse_firmware(
        "nonsecure,nodbg,polling,ndebug,int-enums,nofpu,cpu=21,rt=1.1.3-262", profile);
    CHECK(sim::profile_text(profile) ==
          "ll_aton 1.1.3-262 (ST Edge AI Core 4.x), nonsecure, nodbg, polling, ndebug, int-enums, "
          "CPU part 0x021, FPU off");
    CHECK(sim::generation_number(loader::Generation::Core21) == "2.1");
    CHECK(sim::generation_number(loader::Generation::Core22) == "2.2");
    CHECK(sim::generation_number(loader::Generation::Core30) == "3.0");
    CHECK(sim::generation_number(loader::Generation::Core4x) == "4.x");
    CHECK(sim::generation_name(loader::Generation::Core30) == "ST Edge AI Core 3.0");
}

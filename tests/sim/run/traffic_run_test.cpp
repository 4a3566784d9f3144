// SPDX-License-Identifier: Apache-2.0
// Generated traffic of other masters beside a program and beside a model: settings, what the report
// says, and that results stay what they are.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/workdir.h"

using namespace n6vp::test;

namespace {

const std::string kRun = "[run]\nelf = \"program.elf\"\nmax_time = \"10ms\"\nmax_quiet = \"0s\"\n";
/// A picture of 614,400 bytes, 30 times per second.
const std::string kCamera =
    "[[master]]\nname = \"dcmipp\"\npattern = \"640x480x2@30\"\naccess = \"write\"\n"
    "address = 0x34200000\n";

const Json& row_named(const Json& list, const std::string& key, const std::string& name) {
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const Json& row) { return row[key] == name; });
    REQUIRE(found != list.end());
    return *found;
}

Json report_of(const Workdir& room, const std::string& text,
               std::vector<std::string> options = {}) {
    options.insert(options.end(), {"--report", room.folder.file("r.json")});
    const Outcome outcome = room.scenario(text, options, endless());
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 5);
    return room.report();
}

}  // namespace

TEST_CASE("traffic: a camera writes what its pattern says") {
    const Workdir room;
    const Json report = report_of(room, kRun + kCamera);
    const Json& master = row_named(report["masters"], "name", "traffic dcmipp");
    // 640 x 480 x 2 x 30 bytes in a second, of which 10 ms pass; less than two bursts are under
    // way.
    constexpr double kBytes = 640.0 * 480 * 2 * 30 * 0.010;
    CHECK(master["bytes"].get<double>() <= kBytes);
    CHECK(master["bytes"].get<double>() > kBytes - 128);
    CHECK(master["demanded_bytes"] == master["bytes"]);
    CHECK(master["overruns"] == 0);
    CHECK(master["refused"] == 0);
    const Json& flow = row_named(report["traffic"], "initiator", "traffic dcmipp");
    CHECK(flow["target"] == "AXISRAM3");
    CHECK(flow["bytes_written"] == master["bytes"]);
    CHECK(flow["bursts"] == master["bursts"]);
    // Nobody stored anything.
    CHECK(report["memory"]["AXISRAM3"] == 0);
}

TEST_CASE("traffic: an option says the same as a table, and its hash is the same again") {
    const Workdir room;
    const std::string option = "dcmipp:640x480x2@30:write@0x34200000";
    const Json table = report_of(room, kRun + kCamera);
    const Json typed = report_of(room, kRun, {"--master", option});
    CHECK(table["hash"] == typed["hash"]);
    CHECK(table["masters"] == typed["masters"]);
    CHECK(report_of(room, kRun)["hash"] != table["hash"]);
    // The command line takes the place of a table of the same name.
    const Json changed =
        report_of(room, kRun + kCamera, {"--master", option + ",start=5ms,burst=32"});
    CHECK(changed["masters"].size() == 1);
    CHECK(changed["masters"][0]["burst_bytes"] == 32);
    CHECK(changed["masters"][0]["bytes"].get<double>() < 0.51 * 184'320);
}

TEST_CASE("traffic: what memory cannot give is an underrun, and the text says so") {
    const Workdir room;
    // The port of this RAM carries 8 bytes in a cycle of 400 MHz.
    const Outcome outcome =
        room.scenario(kRun, {"--master", "ltdc:6.4GB/s:read@0x34100000,stop=1ms"}, endless());
    CHECK(has(outcome.out, "traffic ltdc: read of 6.4GB/s"));
    CHECK(has(outcome.out, "underruns: "));
    CHECK(has(outcome.out, "assumed: the rights of a trusted master"));
    const Json report =
        report_of(room, kRun, {"--master", "ltdc:6.4GB/s:read@0x34100000,stop=1ms"});
    const Json& master = report["masters"][0];
    CHECK(master["demanded_bytes"].get<double>() > 0.99 * 6.4e6);
    // What it takes in 1 ms, and a FIFO that is on its way at the end.
    CHECK(master["bytes"].get<double>() <= 3.2e6 + 1024);
    CHECK(master["bytes"].get<double>() > 0.9 * 3.2e6);
    CHECK(master["underruns"] > 0);
}

TEST_CASE("traffic: rights by RIFSC, which a program has not given yet") {
    const Workdir room;
    const std::string option = "dcmipp:1MB/s:write@0x34100000,stop=1ms";
    const std::string reset = kRun + "boot = \"reset\"\n";
    const Json denied = report_of(room, reset, {"--master", option + ",rights=configured"});
    CHECK(denied["masters"][0]["rights"] == "configured");
    CHECK(denied["masters"][0]["bytes"] == 0);
    CHECK(denied["masters"][0]["refused"] > 0);
}

TEST_CASE("traffic: a byte to fill reaches memory") {
    const Workdir room;
    const std::string table = kCamera + "fill = 0xC3\n";
    const std::string expect =
        "[expect]\nend = \"limit\"\n[[expect.memory]]\nat = 0x34200000\nhex = \"c3 c3 c3 c3\"\n";
    CHECK(room.scenario(kRun + table + expect, {}, endless()).exit_code == 0);
    CHECK(room.scenario(kRun + kCamera + expect, {}, endless()).exit_code == 1);
}

TEST_CASE("traffic: the core's data cache is stale where a master fills, and nowhere else") {
    Thumb program;
    program.caches().set(4, 0x34200000).load(5, 4).set(0, 100'000);
    const std::size_t again = program.code().size();
    program.subtract(0, 1).repeat(again);
    program.load(5, 4).write(kExit, 0).raw({0xE7FE});
    const std::string master = "dcmipp:1MB/s:write@0x34200000,start=20us,stop=90us";
    for (const bool fills : {false, true}) {
        CAPTURE(fills);
        const Workdir room;
        const Outcome outcome = room.run(program, {"--master", master + (fills ? ",fill=0xC3" : ""),
                                                   "--report", room.folder.file("r.json")});
        CAPTURE(outcome.err);
        const Json report = room.report();
        CHECK(report["masters"][0]["bytes"] >= 64);
        const Json& coherence = report["coherence"];
        CHECK(coherence["by_kind"]["core_read_stale"] == (fills ? 1 : 0));
        REQUIRE(coherence["first"].size() == (fills ? 1 : 0));
        if (!fills) continue;
        CHECK(coherence["first"][0]["address"] == "0x34200000");
        CHECK(coherence["first"][0]["parties"][1] == "traffic dcmipp");
    }
}

TEST_CASE("traffic: expectations name a master") {
    const Workdir room;
    const std::string counter =
        "[expect]\nend = \"limit\"\n[[expect.counter]]\nname = \"bytes_written\"\n"
        "from = \"traffic dcmipp\"\nmin = 184000\nmax = 184320\n";
    CHECK(room.scenario(kRun + kCamera + counter, {}, endless()).exit_code == 0);
    const Outcome none = room.scenario(kRun + counter, {}, endless());
    CHECK(none.exit_code == 2);
}

TEST_CASE("traffic: mistakes name place, key and remedy") {
    const Workdir room;
    struct Row {
        const char *table, *cause;
    };
    for (const Row& row : {
             Row{"", "master without name"},
             Row{"name = \"a b\"\n", "name = 'a b'"},
             Row{"name = \"a\"\npattern = \"640x480@30\"\n", "pattern = '640x480@30'"},
             Row{"name = \"a\"\npattern = \"641x480x1.5@30\"\n", "give WIDTHxHEIGHTxBYTES@RATE"},
             Row{"name = \"a\"\npattern = \"100MB\"\n", "pattern = '100MB'"},
             Row{"name = \"a\"\npattern = \"17GB/s\"\n", "pattern = '17GB/s'"},
             Row{"name = \"a\"\npatern = \"1MB/s\"\n", "did you mean pattern?"},
             Row{"name = \"a\"\naccess = \"copy\"\n", "give write or read"},
             Row{"name = \"a\"\naddress = 0x34200004\n", "a multiple of 8"},
             Row{"name = \"a\"\naddress = 0x10000000\n", "masters beside the core reach"},
             Row{"name = \"a\"\naddress = 0x70000000\n", "the flash is not written"},
             Row{"name = \"a\"\nsize = 100\n", "size = '100'"},
             Row{"name = \"a\"\nburst = 12\n", "burst = '12'"},
             Row{"name = \"a\"\nburst = 512\nfifo = 512\n", "two bursts at least"},
             Row{"name = \"a\"\nstart = \"2ms\"\nstop = \"1ms\"\n", "give a time after start"},
             Row{"name = \"a\"\nstart = \"1ms\"\nstop = \"1ms\"\n", "give a time after start"},
             Row{"name = \"a\"\nstop = \"0s\"\n", "give a time after start"},
             Row{"name = \"a\"\naccess = \"read\"\nfill = 1\n", "only a writer stores"},
             Row{"name = \"a\"\nrights = \"configured\"\n", "RIFSC holds no attributes"},
         }) {
        CAPTURE(row.table);
        std::string table = "[[master]]\n" + std::string(row.table);
        if (*row.table != '\0') {
            for (const char* const line :
                 {"pattern = \"1MB/s\"\n", "access = \"write\"\n", "address = 0x34200000\n"}) {
                const std::string key(line, std::string(line).find(' '));
                if (!has(table, key + " =") && !has(table, "patern")) table += line;
            }
        }
        const Outcome outcome = room.scenario(kRun + table, {}, endless());
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(has(outcome.err, row.cause));
        CHECK(has(outcome.err, "s.toml:"));
    }
    for (const char* const option :
         {"dcmipp", "dcmipp:1MB/s:write", "dcmipp:1MB/s:write@0x34200000,colour=1",
          "dcmipp:1MB/s:write@0x34200000,burst"}) {
        const Outcome outcome = room.scenario(kRun, {"--master", option}, endless());
        CHECK(outcome.exit_code == 2);
        CHECK(has(outcome.err, "--master"));
    }
    const Outcome twice = room.scenario(kRun + kCamera + kCamera, {}, endless());
    CHECK(twice.exit_code == 2);
    CHECK(has(twice.err, "has a table already"));
}

TEST_CASE("traffic: the first and the last number of a range are taken, those beside are not") {
    const Workdir room;
    struct Row {
        const char* settings;
        bool taken;
    };
    for (const Row& row : {
             Row{"start=1ms,stop=1000000001ps", true},
             Row{"start=1ms,stop=1000000000ps", false},
             Row{"stop=1ps", true},
             Row{"burst=8", true},
             Row{"burst=0", false},
             Row{"burst=4096,fifo=8192", true},
             Row{"burst=4104,fifo=16384", false},
             Row{"burst=512,fifo=1024", true},
             Row{"burst=512,fifo=1016", false},
             Row{"burst=8,fifo=16", true},
             Row{"burst=8,fifo=8", false},
             Row{"fifo=1048576", true},
             Row{"fifo=1048584", false},
             Row{"fill=0", true},
             Row{"fill=255", true},
             Row{"fill=256", false},
             Row{"size=8", true},
             Row{"size=0", false},
             Row{"size=1835008", true},  // four banks of 448 KiB, the last that there are
             Row{"size=268435464", false},
         }) {
        CAPTURE(row.settings);
        const Outcome outcome =
            room.scenario(kRun,
                          {"--master", std::string("dcmipp:1MB/s:write@0x34200000,") + row.settings,
                           "--max-time", "10us"},
                          endless());
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == (row.taken ? 5 : 2));
    }
}

#ifdef N6VP_NETWORK
TEST_CASE("traffic: an inference beside a camera and a display is later, with the same outputs") {
    const Workdir room;
    const std::string folder = room.folder.file("model");
    REQUIRE(run_process({N6VP_BINARY, "generate", N6VP_NETWORK, "-o", folder}).exit_code == 0);
    const auto run = [&](std::vector<std::string> options) {
        std::vector<std::string> words{
            N6VP_BINARY, "run",      folder + "/network_rel.bin", "--input",
            "random",    "--report", room.folder.file("r.json")};
        words.insert(words.end(), options.begin(), options.end());
        const Outcome outcome = run_process(words);
        CAPTURE(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        return room.report();
    };
    const auto inference = [](const Json& report) {
        const Json& phase = row_named(report["phases"], "name", "inference");
        return phase["end_ps"].get<double>() - phase["start_ps"].get<double>();
    };
    const Json alone = run({});
    const std::vector<std::string> load{"--master", "dcmipp:1GB/s:write@0x342E0000", "--master",
                                        "ltdc:1GB/s:read@0x342E0000"};
    const Json beside = run(load);
    REQUIRE(!alone["model"]["outputs"].empty());
    for (std::size_t i = 0; i < alone["model"]["outputs"].size(); ++i)
        CHECK(alone["model"]["outputs"][i]["crc"] == beside["model"]["outputs"][i]["crc"]);
    CHECK(inference(beside) > inference(alone));
    CHECK(run(load)["hash"] == beside["hash"]);
    // Whoever waited says for whom.
    bool named = false;
    for (const Json& flow : beside["traffic"]) {
        if (flow["initiator"] != "NPU port 0") continue;
        for (const auto& [holder, waited] : flow["waited_for_ps"].items())
            named = named || (holder.starts_with("traffic ") && waited > 0);
    }
    CHECK(named);
}
#endif

// SPDX-License-Identifier: Apache-2.0
// What [expect] of a scenario becomes: every key with its first and last value, and one beyond.
#include <doctest/doctest.h>
#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/host/errors.h"
#include "sim/run/scenario_expect.h"
#include "tests/support/process.h"

using namespace n6vp;
using namespace n6vp::sim;

namespace {

const std::vector<std::string> kPorts = {"core data", "NPU port 0", "traffic ltdc"};

RunExpectations demands(const std::string& text, const std::string& file = "s.toml") {
    const toml::table document = toml::parse(text);
    return read_expectations(ScenarioNodes(file), document, kPorts);
}

std::string not_demanded(const std::string& text, const std::string& file = "s.toml") {
    try {
        static_cast<void>(demands(text, file));
    } catch (const UserError& error) {
        CHECK(error.exit_code() == 2);
        return std::string(error.what()) + " | " + error.remedy();
    }
    return "taken";
}

std::vector<std::string> values_of(const std::vector<RunExpectations::Text>& texts) {
    std::vector<std::string> list;
    list.reserve(texts.size());
    for (const RunExpectations::Text& text : texts) list.push_back(text.value);
    return list;
}

}  // namespace

TEST_CASE("[expect]: ends have the names of reports, all but the interrupted one") {
    const std::pair<const char*, RunVerdict> rows[] = {{"exit", RunVerdict::Exit},
                                                       {"reset", RunVerdict::Reset},
                                                       {"breakpoint", RunVerdict::Breakpoint},
                                                       {"lockup", RunVerdict::Lockup},
                                                       {"unmodelled", RunVerdict::Unmodelled},
                                                       {"limit", RunVerdict::Limit},
                                                       {"asleep", RunVerdict::Asleep},
                                                       {"no_progress", RunVerdict::NoProgress}};
    for (const auto& row : rows) {
        const RunExpectations found = demands("\nend = '" + std::string(row.first) + "'\n");
        REQUIRE(found.end);
        CHECK(found.end->value == row.second);
        CHECK(found.end->origin == "s.toml:2");
        CHECK(found.about_end());
        CHECK_FALSE(found.exit_code);
    }
    CHECK(not_demanded("end = 'zz'\n") ==
          "s.toml:1: 'zz' is unknown | possible: exit, reset, breakpoint, lockup, unmodelled, "
          "limit, asleep, no_progress");
    CHECK(not_demanded("end = 'lock-up'\n") ==
          "s.toml:1: 'lock-up' is unknown | did you mean lockup?");
}

TEST_CASE("[expect]: numbers and times at their limits") {
    CHECK(demands("exit_code = 0\n").exit_code->value == 0);
    CHECK(demands("exit_code = 4294967295\n").exit_code->value == 4294967295);
    CHECK(demands("exit_code = 7\nend = 'exit'\n").about_end());
    CHECK(
        not_demanded("exit_code = 7\nend = 'limit'\n") ==
        "s.toml:1: a run that does not end by exit has no exit code | leave exit_code or end out");
    CHECK(demands("coherence = 0\n").coherence->value == 0);
    CHECK(demands("coherence = 9223372036854775807\n").coherence->value == 9223372036854775807);
    CHECK(not_demanded("coherence = -1\n") ==
          "s.toml:1: coherence is not a valid number | give a whole number from 0 to "
          "9223372036854775807");
    const RunExpectations times = demands("max_time = '1.5ms'\nmin_time = '1ps'\n");
    CHECK(times.min_time->value == 1);
    CHECK(times.max_time->value == 1'500'000'000);
    CHECK(times.min_time->origin == "s.toml:2");
    CHECK_FALSE(times.about_end());
    CHECK(demands("max_time = '1ms'\nmin_time = '1ms'\n").min_time->value == 1'000'000'000);
    CHECK(not_demanded("max_time = '1ms'\nmin_time = '1000001ns'\n") ==
          "s.toml:2: min_time is above max_time | correct one of them");
    CHECK(not_demanded("max_time = '1h'\n") ==
          "s.toml:1: '1h' is not a time | give a number with a unit, such as 10ms, 1us or 2s");
    CHECK(not_demanded("") == "s.toml:1: [expect] is empty | see `n6vp run --help`");
}

TEST_CASE("[expect]: a text or several, each in its own list and with its own place") {
    const RunExpectations found = demands(
        "console = 'a'\nconsole_without = ['b',\n'c']\nevents = 'd'\nevents_without = ['e']\n"
        "set_up_bits = ['f', 'g']\n");
    CHECK(values_of(found.console) == std::vector<std::string>{"a"});
    CHECK(values_of(found.console_without) == std::vector<std::string>{"b", "c"});
    CHECK(values_of(found.events) == std::vector<std::string>{"d"});
    CHECK(values_of(found.events_without) == std::vector<std::string>{"e"});
    CHECK(values_of(found.set_up_bits) == std::vector<std::string>{"f", "g"});
    CHECK(found.console_without[0].origin == "s.toml:2");
    CHECK(found.console_without[1].origin == "s.toml:3");
    CHECK(found.console_texts() == std::vector<std::string>{"a", "b", "c"});
    for (const char* const key :
         {"console", "console_without", "events", "events_without", "set_up_bits"}) {
        for (const char* const value : {"''", "1", "true", "['x', '']", "['x', 1]"}) {
            CHECK(not_demanded(std::string(key) + " = " + value + "\n") ==
                  "s.toml:1: expected a text that is not empty | write it in quotes; several as "
                  "[\"one\", \"two\"]");
        }
    }
}

TEST_CASE("[expect]: parties of coherence, one pair or several") {
    const auto parties = [](const std::string& value) {
        const RunExpectations found = demands("coherence_parties = " + value + "\n");
        std::vector<std::vector<std::string>> list;
        list.reserve(found.coherence_parties.size());
        for (const auto& one : found.coherence_parties) list.push_back(one.value);
        return list;
    };
    using Lists = std::vector<std::vector<std::string>>;
    CHECK(parties("'core'") == Lists{{"core"}});
    CHECK(parties("['core', 'NPU']") == Lists{{"core", "NPU"}});
    CHECK(parties("[['core', 'NPU'], ['core']]") == Lists{{"core", "NPU"}, {"core"}});
    CHECK(not_demanded("coherence_parties = []\n") ==
          "s.toml:1: no parties | name one or two of them");
    CHECK(not_demanded("coherence_parties = [['a'], []]\n") ==
          "s.toml:1: no parties | name one or two of them");
}

TEST_CASE("[expect]: steps of the set-up are sorted, 12 is the last") {
    using Steps = std::vector<std::uint64_t>;
    CHECK(demands("set_up_steps = [12, 3, 0]\n").set_up_steps->value == Steps{0, 3, 12});
    CHECK(demands("set_up_steps = []\n").set_up_steps->value == Steps{});
    CHECK(not_demanded("set_up_steps = [13]\n") ==
          "s.toml:1: set_up_steps is not a valid number | give a whole number from 0 to 12");
    CHECK(not_demanded("set_up_steps = 3\n") ==
          "s.toml:1: set_up_steps is not a list | write [3, 4], or [] for a complete set-up");
    // Only a run from the reset state has steps.
    const RunExpectations steps = demands("set_up_steps = []\n");
    REQUIRE(steps.first_about_set_up() != nullptr);
    CHECK(*steps.first_about_set_up() == "s.toml:1");
    const RunExpectations bits = demands("\nset_up_bits = 'x'\n");
    REQUIRE(bits.first_about_set_up() != nullptr);
    CHECK(*bits.first_about_set_up() == "s.toml:2");
    CHECK(demands("console = 'x'\n").first_about_set_up() == nullptr);
}

TEST_CASE("[expect]: memory by bytes or by a file, up to the last byte of the address space") {
    const RunExpectations found = demands(
        "[[memory]]\nat = 0xFFFFFFFC\nhex = \"de AD be\\n ef\"\n[[memory]]\nat = '0x34000000'\nhex "
        "= "
        "'00'\n");
    REQUIRE(found.memory.size() == 2);
    CHECK(to_word(found.memory[0].value.at) == 0xFFFFFFFC);
    CHECK(found.memory[0].value.bytes == std::vector<std::uint8_t>{0xDE, 0xAD, 0xBE, 0xEF});
    CHECK(found.memory[0].value.file.empty());
    CHECK(found.memory[0].origin == "s.toml:1");
    CHECK(to_word(found.memory[1].value.at) == 0x34000000);
    const std::string needs =
        ": [[expect.memory]] needs at, and either hex or file | give the address and the expected "
        "content";
    CHECK(not_demanded("[[memory]]\nhex = '00'\n") == "s.toml:1" + needs);
    CHECK(not_demanded("[[memory]]\nat = 0\n") == "s.toml:1" + needs);
    CHECK(not_demanded("[[memory]]\nat = 0xFFFFFFFC\nhex = '0011223344'\n") ==
          "s.toml:1: the expected content exceeds the address space | correct `at`");
    for (const char* const hex : {"", " ", "0", "0 0", "00 1", "0x", "gg", "00,11"}) {
        CAPTURE(hex);
        CHECK(not_demanded("[[memory]]\nat = 0\nhex = '" + std::string(hex) + "'\n") ==
              "s.toml:3: hex is not a list of bytes | write two digits for each byte, as in "
              "\"de ad be ef\"");
    }
    CHECK(not_demanded("[[memory]]\nat = 0\nzzz = ''\n") ==
          "s.toml:3: unknown key 'zzz' in [[expect.memory]] | possible: at, hex, file");
    const n6vp::test::ScratchFolder folder;
    static_cast<void>(folder.write("empty.bin", std::vector<std::uint8_t>{}));
    static_cast<void>(folder.write("two.bin", std::vector<std::uint8_t>{7, 8}));
    const std::string scenario = folder.file("s.toml");
    const RunExpectations by_file = demands("[[memory]]\nat = 1\nfile = 'two.bin'\n", scenario);
    CHECK(by_file.memory.at(0).value.bytes == std::vector<std::uint8_t>{7, 8});
    CHECK(by_file.memory.at(0).value.file == folder.file("two.bin"));
    CHECK(not_demanded("[[memory]]\nat = 1\nfile = 'empty.bin'\n", scenario) ==
          scenario + ":3: the file is empty | give a file with content");
    CHECK(not_demanded("[[memory]]\nat = 1\nfile = 'two.bin'\nhex = '00'\n", scenario) ==
          scenario + ":1" + needs);
}

TEST_CASE("[expect]: bounds of counters, and what goes with which of them") {
    const auto counter = [](const std::string& keys) {
        return demands("[[counter]]\n" + keys).counters.at(0).value;
    };
    const std::uint64_t no_limit = ~std::uint64_t{0};
    CHECK(counter("name = 'cycles'\nmin = 0\n").least == 0);
    CHECK(counter("name = 'cycles'\nmin = 3\n").most == no_limit);
    CHECK(counter("name = 'cycles'\nmax = 3\n").least == 0);
    CHECK(counter("name = 'cycles'\nmax = 3\n").most == 3);
    CHECK(counter("name = 'cycles'\nequals = 3\n").least == 3);
    CHECK(counter("name = 'cycles'\nequals = 3\n").most == 3);
    CHECK(counter("name = 'cycles'\nmin = 3\nmax = 3\n").least == 3);
    const RunExpectations::Counter whole = counter(
        "name = 'waited_ps'\nphase = 'x'\nfrom = 'traffic ltdc'\nwith = 'AXISRAM2'\n"
        "max = 9223372036854775807\n");
    CHECK(whole.name == "waited_ps");
    CHECK(whole.phase == "x");
    CHECK(whole.from == "traffic ltdc");
    CHECK(whole.to == "AXISRAM2");
    CHECK(whole.most == 9223372036854775807);
    CHECK(counter("name = 'icache.fills'\nmin = 1\n").phase.empty());
    const std::string needs =
        ": [[expect.counter]] needs name, and min, max or equals | give the "
        "counter and its limit";
    const std::pair<std::string, std::string> rows[] = {
        {"name = 'cycles'\n", "1" + needs},
        {"min = 1\n", "1" + needs},
        {"name = 'cycles'\nmin = 4\nmax = 3\n", "1: min is above max | correct one of them"},
        {"name = 'cycles'\nmin = -1\n",
         "3: bound is not a valid number | give a whole number from 0 to 9223372036854775807"},
        {"name = 'bytes_read'\nmin = 1\nfrom = 'zz'\n",
         "4: 'zz' is unknown | possible: core data, NPU port 0, traffic ltdc"},
        {"name = 'bytes_read'\nmin = 1\nwith = 'AXISRAM9'\n",
         "4: 'AXISRAM9' is unknown | did you mean AXISRAM1?"},
        {"name = 'cycles'\nmin = 1\nzzz = 1\n",
         "4: unknown key 'zzz' in [[expect.counter]] | possible: name, phase, from, with, min, "
         "max, "
         "equals"},
        {"name = 'instructions'\nmin = 1\nfrom = 'core data'\n",
         "1: instructions has no `from` and no `with` | bytes_read, bytes_written and waited_ps "
         "have"},
        {"name = 'time_ps'\nmin = 1\nwith = 'AXISRAM2'\n",
         "1: time_ps has no `from` and no `with` | bytes_read, bytes_written and waited_ps have"},
        {"name = 'dcache.fills'\nmin = 1\nphase = 'x'\n",
         "1: caches are counted over the whole run | leave `phase` out"},
        {"name = 'npu_cache.waited_ps'\nmin = 1\nfrom = 'core data'\n",
         "1: npu_cache.waited_ps has no `from` and no `with` | bytes_read, bytes_written and "
         "waited_ps have"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.first);
        CHECK(not_demanded("[[counter]]\n" + row.first) == "s.toml:" + row.second);
    }
    for (const std::string_view name : kCounterNames) {
        const bool traffic = name == "bytes_read" || name == "bytes_written" || name == "waited_ps";
        CHECK(is_traffic_counter(name) == traffic);
        CHECK(is_cache_counter(name) == (name.find('.') != std::string_view::npos));
    }
}

TEST_CASE("[expect]: output files, their types, tolerance and whole elements") {
    const n6vp::test::ScratchFolder folder;
    for (const std::size_t bytes : {0u, 1u, 2u, 3u, 4u, 6u, 8u, 12u})
        static_cast<void>(folder.write(std::to_string(bytes), std::vector<std::uint8_t>(bytes, 1)));
    const std::string scenario = folder.file("s.toml");
    const auto refused = [&](const std::string& keys) {
        const std::string text = not_demanded("[[output]]\n" + keys, scenario);
        return text == "taken" ? text : text.substr(scenario.size() + 1);
    };
    const std::string whole =
        "1: the file size is not a multiple of the element size | correct type or file";
    struct Row {
        const char* type;
        std::size_t bytes;
    };
    for (const Row& row :
         {Row{"bytes", 1}, Row{"int8", 1}, Row{"uint8", 1}, Row{"int16", 2}, Row{"uint16", 2},
          Row{"int32", 4}, Row{"uint32", 4}, Row{"float32", 4}}) {
        for (const std::size_t bytes : {1u, 2u, 3u, 4u, 6u, 8u, 12u}) {
            CAPTURE(row.type);
            CAPTURE(bytes);
            const std::string text = refused("name = 'o'\ntype = '" + std::string(row.type) +
                                             "'\nfile = '" + std::to_string(bytes) + "'\n");
            CHECK(text == (bytes % row.bytes == 0 ? "taken" : whole));
        }
    }
    const RunExpectations found =
        demands("[[output]]\nname = 'o'\nfile = '4'\ntype = 'int16'\ntolerance = 0.5\n", scenario);
    const RunExpectations::Output& output = found.outputs.at(0).value;
    CHECK(output.name == "o");
    CHECK(output.file == folder.file("4"));
    CHECK(output.bytes.size() == 4);
    CHECK(output.type == "int16");
    CHECK(output.tolerance == 0.5);
    CHECK(demands("[[output]]\nname = 'o'\nfile = '3'\n", scenario).outputs[0].value.type ==
          "bytes");
    const std::string needs =
        "1: [[expect.output]] needs name and file | give the output file and the reference file";
    const std::string place =
        "2: the output must be in the folder `files` of [run] | name it without a path";
    const std::string number = "2: tolerance is not a number of 0 or more | write tolerance = 1";
    CHECK(refused("name = 'o'\n") == needs);
    CHECK(refused("file = '1'\n") == needs);
    CHECK(refused("file = '0'\nname = 'o'\n") == "2: the file is empty | give a file with content");
    for (const char* const name : {"", ".", "..", "a/b", "/a", "../a"})
        CHECK(refused("name = '" + std::string(name) + "'\nfile = '1'\n") == place);
    CHECK(refused("name = '...'\nfile = '1'\n") == "taken");
    for (const char* const value : {"-0.5", "inf", "nan", "'1'"})
        CHECK(refused("tolerance = " + std::string(value) + "\nname = 'o'\nfile = '1'\n") ==
              number);
    CHECK(refused("tolerance = 1\nname = 'o'\nfile = '1'\n") ==
          "1: a tolerance needs an element type | give the element type, as in type = \"int8\"");
    CHECK(refused("tolerance = 0\nname = 'o'\nfile = '1'\n") == "taken");
    CHECK(refused("tolerance = 1\nname = 'o'\nfile = '1'\ntype = 'int8'\n") == "taken");
    CHECK(refused("name = 'o'\nfile = '1'\nzzz = 1\n") ==
          "4: unknown key 'zzz' in [[expect.output]] | possible: name, file, type, tolerance");
}

TEST_CASE("[expect]: times of phases, use of memory, and no warnings") {
    const RunExpectations times = demands("[time]\nx = '2us'\ny = '1s'\n");
    REQUIRE(times.times.size() == 2);
    CHECK(times.times[0].value.name == "x");
    CHECK(times.times[0].value.most == 2'000'000);
    CHECK(times.times[0].origin == "s.toml:2");
    CHECK(times.times[1].value.most == 1'000'000'000'000);
    const RunExpectations uses = demands("[use]\nexec_ram = '64K'\nAXISRAM2 = 4096\n");
    REQUIRE(uses.uses.size() == 2);
    CHECK(uses.uses[0].value.name == "AXISRAM2");
    CHECK(uses.uses[0].value.most == 4096);
    CHECK(uses.uses[1].value.name == "exec_ram");
    CHECK(uses.uses[1].value.most == 65536);
    CHECK(uses.uses[1].origin == "s.toml:2");
    CHECK(demands("[use]\nexternal_ram = '1M'\n").uses[0].value.most == 1 << 20);
    CHECK(not_demanded("[use]\nAXISRAM9 = 1\n") ==
          "s.toml:2: 'AXISRAM9' is unknown | did you mean AXISRAM1?");
    CHECK(demands("no_warnings = true\n").no_warnings == std::optional<std::string>("s.toml:1"));
    for (const char* const value : {"false", "1", "'true'"}) {
        CHECK(not_demanded("no_warnings = " + std::string(value) + "\n") ==
              "s.toml:1: no_warnings is either true or left out | write no_warnings = true");
    }
}

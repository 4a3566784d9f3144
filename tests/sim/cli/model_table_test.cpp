// SPDX-License-Identifier: Apache-2.0
// [model] of a scenario: every key, what the command line overrides, and what is refused.
#include "sim/cli/model_table.h"

#include <doctest/doctest.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/host/errors.h"
#include "tests/support/process.h"

using namespace n6vp::sim;
using n6vp::sim::cli::ModelRunOptions;
using n6vp::test::ScratchFolder;

namespace {

/// A scenario in a folder of its own, read with the options of a command line.
struct Table {
    ScratchFolder folder;
    ModelRunOptions options;
    std::string file;

    explicit Table(const std::string& keys, std::vector<std::string> typed = {},
                   const std::string& head = "[model]\n") {
        CLI::App app;
        cli::add_model_run_options(app, options);
        std::reverse(typed.begin(), typed.end());
        app.parse(typed);
        file = cli::read_model_table(folder.write("s.toml", head + keys), options);
    }
    [[nodiscard]] std::string beside(const std::string& name) const { return folder.file(name); }
};

std::string refused_table(const std::string& keys) {
    const ScratchFolder folder;
    const std::string path = folder.write("s.toml", "[model]\n" + keys);
    ModelRunOptions options;
    try {
        static_cast<void>(cli::read_model_table(path, options));
    } catch (const UserError& error) {
        CHECK(error.exit_code() == 2);
        const std::string cause = error.what();
        REQUIRE(cause.starts_with(path + ":"));
        return cause.substr(path.size() + 1) + " | " + error.remedy();
    }
    return "taken";
}

}  // namespace

TEST_CASE("[model]: every key reaches the option of its name, files beside the scenario") {
    const Table table(
        "file = 'm.bin'\nparams = 'p.bin'\nat = 0x71000000\nparams_at = '0x71800000'\n"
        "ext_ram = '0x90100000:1M'\nmode = 'copy'\nclear = true\npolicy = 'compat'\n"
        "in = ['a.npy', '/b.npy']\ninput = 'random'\nseed = 4294967295\nrange = '-1:1'\n"
        "out = 'results'\nexpect = 'o.npy'\ntolerance = 0.5\nrepeat = 1000\n");
    CHECK(table.file == table.beside("m.bin"));
    const model_run::ModelChoice& choice = table.options.choice;
    CHECK(choice.model.params == table.beside("p.bin"));
    CHECK(choice.model.at == std::to_string(0x71000000));
    CHECK(choice.model.params_at == "0x71800000");
    CHECK(choice.model.ext == "0x90100000:1M");
    CHECK(choice.model.mode == "copy");
    CHECK(choice.model.clear);
    CHECK(table.options.policy == "compat");
    CHECK(choice.inputs.files == std::vector<std::string>{table.beside("a.npy"), "/b.npy"});
    CHECK(table.options.input == "random");
    CHECK(choice.inputs.seed == 4294967295);
    CHECK(table.options.range == "-1:1");
    CHECK(choice.outputs == table.beside("results"));
    CHECK(choice.expect.files == std::vector<std::string>{table.beside("o.npy")});
    CHECK(choice.expect.tolerance == 0.5);
    CHECK(choice.repeat == 1000);
}

TEST_CASE("[model]: without keys the defaults stay, without a table there is no model") {
    const Table least("file = '/m.bin'\n");
    CHECK(least.file == "/m.bin");
    CHECK(least.options.choice.model.mode == "xip");
    CHECK_FALSE(least.options.choice.model.clear);
    CHECK(least.options.policy == "strict");
    CHECK(least.options.input == "zero");
    CHECK(least.options.choice.repeat == 1);
    CHECK(least.options.choice.inputs.seed == 0);
    CHECK(least.options.choice.expect.tolerance == 0);
    CHECK(Table("", {}, "[run]\n").file.empty());
    CHECK_FALSE(Table("file = 'm'\nclear = false\n").options.choice.model.clear);
}

TEST_CASE("[model]: what was typed counts more") {
    const Table table(
        "file = 'm.bin'\nparams = 'p.bin'\nat = 1\nparams_at = 2\next_ram = '3:4'\nmode = 'xip'\n"
        "clear = false\npolicy = 'strict'\nin = 'a.npy'\ninput = 'zero'\nseed = 5\nrange = '0:1'\n"
        "out = 'o'\nexpect = 'o.npy'\ntolerance = 6\nrepeat = 7\n",
        {"--params", "P",           "--at",   "16",       "--params-at", "17",
         "--ext",    "18:19",       "--mode", "copy",     "--clear",     "--policy",
         "compat",   "--in",        "A",      "--input",  "random",      "--seed",
         "20",       "--range",     "21:22",  "--out",    "O",           "--expect",
         "E",        "--tolerance", "23",     "--repeat", "24"});
    const model_run::ModelChoice& choice = table.options.choice;
    CHECK(table.file == table.beside("m.bin"));
    CHECK(choice.model.params == "P");
    CHECK(choice.model.at == "16");
    CHECK(choice.model.params_at == "17");
    CHECK(choice.model.ext == "18:19");
    CHECK(choice.model.mode == "copy");
    CHECK(choice.model.clear);
    CHECK(table.options.policy == "compat");
    CHECK(choice.inputs.files == std::vector<std::string>{"A"});
    CHECK(table.options.input == "random");
    CHECK(choice.inputs.seed == 20);
    CHECK(table.options.range == "21:22");
    CHECK(choice.outputs == "O");
    CHECK(choice.expect.files == std::vector<std::string>{"E"});
    CHECK(choice.expect.tolerance == 23);
    CHECK(choice.repeat == 24);
}

TEST_CASE("[model]: what is refused, with place and remedy") {
    const std::pair<std::string, std::string> rows[] = {
        {"mode = 'xip'\n", "1: [model] without a file | name it: file = \"network_rel.bin\""},
        {"file = ''\n", "1: [model] without a file | name it: file = \"network_rel.bin\""},
        {"file = 'm'\nrepeat = 0\n",
         "3: repeat is not a valid number | give a whole number from 1 to 1000"},
        {"file = 'm'\nrepeat = 1001\n",
         "3: repeat is not a valid number | give a whole number from 1 to 1000"},
        {"file = 'm'\nseed = 4294967296\n",
         "3: seed is not a valid number | give a whole number from 0 to 4294967295"},
        {"file = 'm'\nseed = -1\n",
         "3: seed is not a valid number | give a whole number from 0 to 4294967295"},
        {"file = 'm'\npolicy = 'lax'\n", "3: no such policy | write strict or compat"},
        {"file = 'm'\ninput = 'ones'\n", "3: no such inputs | write zero or random"},
        {"file = 'm'\nclear = 1\n", "3: neither true nor false | write clear = true"},
        {"file = 'm'\nclear = 'true'\n", "3: neither true nor false | write clear = true"},
        {"file = 'm'\ntolerance = -0.1\n",
         "3: tolerance is not a number of 0 or more | write tolerance = 1"},
        {"file = 'm'\ntolerance = inf\n",
         "3: tolerance is not a number of 0 or more | write tolerance = 1"},
        {"file = 'm'\ntolerance = nan\n",
         "3: tolerance is not a number of 0 or more | write tolerance = 1"},
        {"file = 'm'\nin = [[1]]\n",
         "3: expected the name of a file | write a text in quotes: \"name\""},
        {"file = 'm'\nclocks = 'nominal'\n",
         "3: unknown key 'clocks' in [model] | possible: file, params, at, params_at, ext_ram, "
         "mode, "
         "clear, policy, in, input, seed, range, out, expect, tolerance, repeat"},
        {"file = 'm'\nmodes = 'xip'\n", "3: unknown key 'modes' in [model] | did you mean mode?"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.first);
        CHECK(refused_table(row.first) == row.second);
    }
    CHECK(refused_table("file = 'm'\ntolerance = 0\nrepeat = 1\nseed = 0\n") == "taken");
    CHECK(refused_table("file = 'm'\npolicy = 'strict'\ninput = 'zero'\n") == "taken");
}

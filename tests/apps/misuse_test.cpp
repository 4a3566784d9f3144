// SPDX-License-Identifier: Apache-2.0
// Misuse of the embedded client API: the application goes on, the API returns an error, the console
// names the rule.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/apps/expected_outputs.h"

using namespace n6vp::test;

namespace {

/// Lines after "case <name>", up to the next case.
std::vector<std::string> lines_of_case(const AppRun& run, const std::string& name) {
    std::vector<std::string> lines;
    bool inside = false;
    for (const std::string& line : run.lines) {
        const bool begins = line.rfind("case ", 0) == 0;
        if (begins) inside = line == "case " + name;
        if (inside && !begins) lines.push_back(line);
    }
    return lines;
}

/// Requires on each chip a finding that begins with `rule`, and the line `result`.
void check_misuse(const std::string& name, const std::string& rule, const std::string& result) {
    for (const AppChip& chip : kAppChips) {
        const AppRun run = run_app(chip, "misuse");
        CAPTURE(chip.chip);
        CAPTURE(run.err);
        CHECK(run.exit_code == 0);
        CHECK(run.has_line("case end"));
        const std::vector<std::string> lines = lines_of_case(run, name);
        CHECK(std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
            return line.rfind("finding: " + rule, 0) == 0;
        }));
        CHECK(std::find(lines.begin(), lines.end(), result) != lines.end());
    }
}

TEST_CASE("misuse, static: the CRC unit has no clock at create") {
    check_misuse("static clock of CRC unit off", "CrcUnitOff:", "error CREATE_FAILED LOCK");
}
TEST_CASE("misuse, relocatable: the CRC unit has no clock at create") {
    check_misuse("relocatable clock of CRC unit off", "loader LegacyCrcUnitOff ",
                 "error CREATE_FAILED LOCK");
}
TEST_CASE("misuse, static: activations at an odd half-word") {
    check_misuse("static alignment", "AddressMisaligned:", "error INIT_FAILED NETWORK_ACTIVATIONS");
}
TEST_CASE("misuse, relocatable: activations at an odd half-word") {
    check_misuse("relocatable alignment", "loader LegacyActivationsAlignment ", "initialised 0");
}
TEST_CASE("misuse, static: no activations") {
    check_misuse("static activations NULL",
                 "AddressMissing:", "error INIT_FAILED NETWORK_ACTIVATIONS");
}
TEST_CASE("misuse, relocatable: no activations") {
    check_misuse("relocatable activations NULL", "loader LegacyActivationsMissing ",
                 "initialised 0");
}
TEST_CASE("misuse, static: run without init") {
    check_misuse("static missing init", "MissingInit:", "error INVALID_STATE MISSED_INIT");
}
TEST_CASE("misuse, relocatable: run without init") {
    check_misuse("relocatable missing init", "loader LegacyMissingInit ",
                 "error INVALID_STATE MISSED_INIT");
}
TEST_CASE("misuse, static: an observer runs a network with the same activations") {
    check_misuse("static shared by observer", "ActivationsInUse:", "error INVALID_STATE IN_USE");
}
TEST_CASE("misuse, static: an interrupt runs a network with the same activations") {
    check_misuse("static shared by interrupt", "ActivationsInUse:", "error INVALID_STATE IN_USE");
}
TEST_CASE("misuse, relocatable: an interrupt runs a network with the same activations") {
    check_misuse("relocatable shared by interrupt", "loader LegacyActivationsInUse ",
                 "error INVALID_STATE IN_USE");
}
TEST_CASE("misuse, static: the network runs already") {
    check_misuse("static runs already", "RunsAlready:", "error INVALID_STATE IN_USE");
}
TEST_CASE("misuse, relocatable: the network runs already") {
    check_misuse("relocatable runs already", "loader LegacyRunsAlready ",
                 "error INVALID_STATE IN_USE");
}
TEST_CASE("misuse, static: an input without data") {
    check_misuse("static data NULL", "DataMissing:", "error INVALID_INPUT INVALID_PTR");
}
TEST_CASE("misuse, static: an output without data") {
    check_misuse("static output NULL", "DataMissing:", "error INVALID_OUTPUT INVALID_PTR");
}
TEST_CASE("misuse, relocatable: an input without data") {
    check_misuse("relocatable data NULL", "loader LegacyNotRun ",
                 "error INVALID_INPUT INVALID_PTR");
}
TEST_CASE("misuse, static: a batch of 0") {
    check_misuse("static batch 0", "BatchZero:", "error INVALID_INPUT INVALID_BATCH");
}
TEST_CASE("misuse, relocatable: a batch of 0") {
    check_misuse("relocatable batch 0", "loader LegacyNotRun ",
                 "error INVALID_INPUT INVALID_BATCH");
}
TEST_CASE("misuse, static: an input of another format") {
    check_misuse("static format", "OtherFormat:", "error INVALID_INPUT INVALID_FORMAT");
}
TEST_CASE("misuse, static: an input of another size") {
    check_misuse("static size", "OtherSize:", "error INVALID_INPUT INVALID_SIZE");
}
TEST_CASE("misuse, static: no inputs") {
    check_misuse("static no buffers", "NoBuffers:", "error INVALID_INPUT INVALID_PTR");
}
TEST_CASE("misuse, static: a handle that was destroyed") {
    check_misuse("static stale handle", "StaleHandle:", "error INVALID_HANDLE NETWORK");
}
TEST_CASE("misuse, relocatable: a handle that was destroyed") {
    check_misuse("relocatable stale handle", "loader LegacyHandleStale ",
                 "error INVALID_HANDLE NETWORK");
}
TEST_CASE("misuse, static: an observer of a network that was destroyed") {
    check_misuse("static stale observer", "StaleHandle:", "registered 0");
}
TEST_CASE("misuse, static: the handle of another network") {
    check_misuse("static handle of another", "StaleHandle:", "error INVALID_HANDLE NETWORK");
}
TEST_CASE("misuse, static: created twice") {
    check_misuse("static created twice", "CreatedTwice:", "error CREATE_FAILED IN_USE");
}

TEST_CASE("misuse: a run that was disturbed ends well") {
    for (const AppChip& chip : kAppChips) {
        const AppRun run = run_app(chip, "misuse");
        for (const char* const name :
             {"static shared by observer", "static shared by interrupt", "static runs already",
              "relocatable shared by interrupt", "relocatable runs already"}) {
            CAPTURE(name);
            const std::vector<std::string> lines = lines_of_case(run, name);
            REQUIRE(lines.size() >= 2);
            CHECK(lines[lines.size() - 2] == "batches 1");
            CHECK(lines.back() == "error NONE NONE");
        }
    }
}

}  // namespace

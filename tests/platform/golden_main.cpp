// SPDX-License-Identifier: Apache-2.0
// Compares trace hashes with those of a file, which every build must reproduce: golden FILE. With a
// second argument, "bless", writes the file anew.
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/platform/probe.h"

namespace {

struct Row {
    std::string run;
    std::uint64_t hash = 0, cycles = 0;
};

/// Lines "program timing quantum job...: hash cycles"; others are comments.
std::vector<Row> read(const char* path) {
    std::vector<Row> rows;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(':');
        if (line.empty() || line[0] == '#' || colon == std::string::npos) continue;
        Row row{line.substr(0, colon)};
        std::istringstream(line.substr(colon + 1)) >> row.hash >> row.cycles;
        rows.push_back(row);
    }
    return rows;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 2) return 2;
    const bool bless = count > 2 && std::string(arguments[2]) == "bless";
    std::vector<Row> rows = read(arguments[1]);
    if (rows.empty()) return 2;
    int differing = 0;
    for (Row& row : rows) {
        const n6vp::test::ProbeRun run = n6vp::test::probe(row.run);
        const bool same = run.hash == row.hash && run.cycles == row.cycles;
        if (!same && !bless) {
            std::cout << row.run << ": expected " << row.hash << " after " << row.cycles
                      << " cycles, got " << run.hash << " after " << run.cycles << '\n';
            ++differing;
        }
        row.hash = run.hash;
        row.cycles = run.cycles;
    }
    if (!bless) return differing == 0 ? 0 : 1;
    std::ofstream file(arguments[1]);
    file << "# Trace hash and cycles of runs, the same on every host, compiler and build type.\n"
            "# Anew after a change of timing: n6vp_platform_golden FILE bless\n";
    for (const Row& row : rows) file << row.run << ": " << row.hash << ' ' << row.cycles << '\n';
    return file.good() ? 0 : 2;
}

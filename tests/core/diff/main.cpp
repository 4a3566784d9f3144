// SPDX-License-Identifier: Apache-2.0
// Compares the core with QEMU's boards, instruction by instruction. See README.md.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "models/core/ir/profile.h"
#include "tests/core/diff/blocks.h"
#include "tests/core/diff/core_side.h"
#include "tests/core/diff/generator.h"
#include "tests/core/diff/qemu_side.h"
#include "tests/core/diff/report.h"
#include "tests/core/diff/roles.h"
#include "tests/core/diff/wild.h"

namespace {

using namespace n6vp::test::diff;

/// A core and the board of QEMU's that has it.
struct Machine {
    std::string_view core;
    const char* board;
    Places places;
    const char* runner;
};
constexpr Machine kMachines[] = {
    {"cortex-m55", "mps3-an547", kAn547, "runner.elf"},
    {"cortex-m33", "mps2-an505", kAn505, "runner_m33.elf"},
    {"cortex-m7", "mps2-an500", kAn386, "runner_m7.elf"},
    {"cortex-m4", "mps2-an386", kAn386, "runner_m4.elf"},
};

struct Options {
    const Machine* machine = kMachines;
    Selection selection;
    std::string block;                ///< kind of sequences instead of rows; "all" of them
    std::vector<std::uint32_t> code;  ///< this sequence instead of rows
    bool dump = false;                ///< print what every vector leaves
    unsigned reports = 10;            ///< mismatches explained, one per row
    std::string folder = "/tmp", qemu = N6VP_QEMU;
    bool list = false;
    bool wild = false;  ///< loads and stores with bases anywhere
};

constexpr const char* kUsage =
    "usage: n6vp_core_diff [--family NAME] [--row PART-OF-TITLE] [--encoding HEX]\n"
    "  --core NAME    cortex-m55 (default), cortex-m33, cortex-m7, cortex-m4\n"
    "  --encodings N  random encodings per row (64)   --vectors N  states per encoding (32)\n"
    "  --seed N       --reports N  rows whose first mismatch is explained (10)\n"
    "  --code HEX,HEX,..  this sequence instead of rows; 16-bit instructions have 4 digits or "
    "less\n"
    "  --block KIND   random sequences: straight it vpt loop tail_loop resumed exclusive special "
    "all\n"
    "  --wild         loads and stores with bases near the ends of RAM and where nothing is; "
    "cortex-m55\n"
    "  --dump         print what every vector leaves on both sides\n"
    "  --list         list rows, with the reason where QEMU cannot judge\n"
    "  --folder DIR   for job files   --qemu FILE\n";

std::vector<std::uint32_t> parse_code(const std::string& text) {
    std::vector<std::uint32_t> code;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');)
        code.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
    return code;
}

Job code_job(const Options& options) {
    Entry entry;
    entry.seed = options.selection.seed;
    entry.vectors = static_cast<std::uint16_t>(options.selection.vectors);
    for (const std::uint32_t encoding : options.code)
        append(entry, encoding, encoding > 0xFFFF ? 4 : 2);
    return {{entry}, {nullptr}, {"code"}, {}};
}

Job block_job(const Options& options) {
    Job job;
    for (const BlockKind kind : kBlockKinds) {
        if (!exists_on(kind, drawn_features)) continue;
        if (options.block == "all" || options.block == name_of(kind))
            job.append(blocks(kind, options.selection));
    }
    return job;
}

Options parse(int argc, char** argv) {
    Options options;
    const std::map<std::string, std::function<void(const std::string&)>> values = {
        {"--core",
         [&](const std::string& v) {
             const auto* const found = std::ranges::find(kMachines, v, &Machine::core);
             if (found == std::end(kMachines)) throw std::runtime_error("no core " + v);
             options.machine = found;
         }},
        {"--family", [&](const std::string& v) { options.selection.family = v; }},
        {"--row", [&](const std::string& v) { options.selection.row = v; }},
        {"--encoding",
         [&](const std::string& v) {
             options.selection.encoding = static_cast<std::uint32_t>(std::stoul(v, nullptr, 16));
             options.selection.encodings = 1;
         }},
        {"--block", [&](const std::string& v) { options.block = v; }},
        {"--code", [&](const std::string& v) { options.code = parse_code(v); }},
        {"--encodings",
         [&](const std::string& v) {
             options.selection.encodings = static_cast<unsigned>(std::stoul(v));
         }},
        {"--vectors",
         [&](const std::string& v) {
             options.selection.vectors = static_cast<unsigned>(std::stoul(v));
         }},
        {"--seed",
         [&](const std::string& v) {
             options.selection.seed = static_cast<std::uint32_t>(std::stoul(v));
         }},
        {"--reports",
         [&](const std::string& v) { options.reports = static_cast<unsigned>(std::stoul(v)); }},
        {"--folder", [&](const std::string& v) { options.folder = v; }},
        {"--qemu", [&](const std::string& v) { options.qemu = v; }},
    };
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto value = values.find(word);
        if (value != values.end() && i + 1 < argc) {
            value->second(argv[++i]);
        } else if (word == "--dump") {
            options.dump = true;
        } else if (word == "--wild") {
            options.wild = true;
        } else if (word == "--list") {
            options.list = true;
        } else {
            std::cerr << kUsage;
            std::exit(2);
        }
    }
    return options;
}

void list_rows(const Selection& selection) {
    for (const auto& family : n6vp::models::core::isa::families()) {
        if (!selection.family.empty() && selection.family != family.name) continue;
        for (const auto& row : family.rows) {
            const char* reason = exclusion(row);
            std::cout << family.name << ": " << row.title << (reason != nullptr ? " -- " : "")
                      << (reason != nullptr ? reason : "") << '\n';
        }
    }
}

/// Sets up addresses and rows for the core to be compared.
void choose(const Machine& machine) {
    places = machine.places;
    drawn_features = n6vp::models::core::find_core_profile(machine.core)->features;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Runs one entry alone on both sides and explains what differs.
void explain_alone(const Entry& entry, Side& ours, Side& theirs) {
    const Answer our = ours.run({entry}, JobMode::Records);
    const Answer their = theirs.run({entry}, JobMode::Records);
    const std::string text = explain(entry, places.slots, our.records.data(), their.records.data());
    std::cout << (text.empty() ? code_text(entry) + "  differs only in its batch\n" : text) << '\n';
}

void dump(const Job& job, Side& ours, Side& theirs) {
    for (const Entry& entry : job.entries) {
        const Answer our = ours.run({entry}, JobMode::Records);
        const Answer their = theirs.run({entry}, JobMode::Records);
        std::cout << code_text(entry);
        for (unsigned vector = 0; vector < entry.vectors; ++vector)
            std::cout << vector_text(entry, places.slots, vector, our.records[vector],
                                     their.records[vector]);
    }
}

int compare_wild(const Options& options) {
    const Job job = wild_accesses(options.selection);
    CoreSide ours(*n6vp::models::core::find_core_profile(options.machine->core));
    QemuSide theirs(options.qemu, options.machine->board,
                    std::string(N6VP_DIFF_RUNNERS) + '/' + options.machine->runner, options.folder,
                    QemuClock::Host);
    if (options.dump) {
        dump(job, ours, theirs);
        return 0;
    }
    return !job.entries.empty() && compare_wild(job, options.reports, ours, theirs) == 0 ? 0 : 1;
}

int compare(const Options& options, const Job& job) {
    CoreSide ours(*n6vp::models::core::find_core_profile(options.machine->core));
    QemuSide theirs(options.qemu, options.machine->board,
                    std::string(N6VP_DIFF_RUNNERS) + '/' + options.machine->runner, options.folder);
    if (options.dump) {
        dump(job, ours, theirs);
        return 0;
    }
    std::size_t mismatches = 0, vectors = 0;
    std::map<std::string, unsigned> by_row;
    double our_seconds = 0, their_seconds = 0;
    constexpr std::size_t kPiece = 4096;  // keeps every run of QEMU short
    for (std::size_t first = 0; first < job.entries.size(); first += kPiece) {
        const std::size_t count = std::min(kPiece, job.entries.size() - first);
        const std::vector<Entry> piece(
            job.entries.begin() + static_cast<std::ptrdiff_t>(first),
            job.entries.begin() + static_cast<std::ptrdiff_t>(first + count));
        auto start = std::chrono::steady_clock::now();
        const Answer their = theirs.run(piece, JobMode::Hash);
        their_seconds += seconds_since(start);
        start = std::chrono::steady_clock::now();
        const Answer our = ours.run(piece, JobMode::Hash);
        our_seconds += seconds_since(start);
        for (std::size_t i = 0; i < count; ++i) {
            vectors += piece[i].vectors;
            if (our.hashes[i] == their.hashes[i]) continue;
            ++mismatches;
            const std::string& kind = job.kinds[first + i];
            const unsigned seen = by_row[kind]++;
            if ((seen == 0 && by_row.size() <= options.reports) ||
                (!options.block.empty() && seen < options.reports)) {
                std::cout << "MISMATCH " << kind << '\n';
                explain_alone(piece[i], ours, theirs);
            }
        }
    }
    for (const auto& [title, count] : by_row)
        std::cout << "differs: " << title << ": " << count << " encodings\n";
    for (const std::string& title : job.empty) std::cout << "not executed: " << title << '\n';
    std::cout << job.entries.size() << " encodings, " << vectors << " vectors, " << mismatches
              << " encodings differ in " << by_row.size() << " rows; QEMU " << their_seconds
              << " s, core " << our_seconds << " s\n";
    return mismatches == 0 && job.empty.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    constexpr int kSkipped = 77;
    if (std::string_view(N6VP_QEMU).empty() || std::string_view(N6VP_DIFF_RUNNERS).empty()) {
        std::cout << "skipped: qemu-system-arm or arm-none-eabi-g++ is not installed\n";
        return kSkipped;
    }
    try {
        const Options options = parse(argc, argv);
        if (options.wild && options.machine != kMachines) {
            // kRamEnds and kHoles are those of mps3-an547.
            std::cerr << "n6vp_core_diff: --wild and " << options.machine->core
                      << ": it knows the memories of the cortex-m55's board only\n";
            return 2;
        }
        choose(*options.machine);
        if (options.list) {
            list_rows(options.selection);
            return 0;
        }
        if (options.wild) return compare_wild(options);
        if (!options.block.empty()) return compare(options, block_job(options));
        return compare(options, options.code.empty() ? single_instructions(options.selection)
                                                     : code_job(options));
    } catch (const std::exception& error) {
        std::cerr << "n6vp_core_diff: " << error.what() << '\n';
        return 70;
    }
}

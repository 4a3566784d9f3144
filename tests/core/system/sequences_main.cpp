// SPDX-License-Identifier: Apache-2.0
// Runs random exception sequences of target/sequences.c on a board of QEMU's and on the core: the
// records of each must be equal.
//
//   n6vp_core_sequences QEMU PROGRAM FIRST COUNT CORE
//
// Prints where the first few differing sequences part. Exit code 77 where QEMU or the program is
// absent.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/exec/exec_run.h"
#include "sim/host/errors.h"
#include "tests/core/system/qemu_program.h"

namespace {

using Lines = std::vector<std::string>;

/// Starting QEMU takes as long as some hundred sequences.
constexpr std::uint32_t kBatch = 1000;
constexpr std::uint64_t kMaxInstructions = 1'000'000;  // of a sequence
constexpr std::size_t kShown = 5, kContext = 40;

Lines lines_of(const std::string& text) {
    Lines lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// A core, and QEMU's board that has it.
struct Board {
    const char* core;
    const char* machine;
    n6vp::sim::ExecBoard board;
};
constexpr Board kBoards[] = {
    {"cortex-m4", "mps2-an386", n6vp::sim::ExecBoard::An386},
    {"cortex-m7", "mps2-an500", n6vp::sim::ExecBoard::An386},
    {"cortex-m33", "mps2-an505", n6vp::sim::ExecBoard::An505},
    {"cortex-m55", "mps3-an547", n6vp::sim::ExecBoard::An547},
};

class Machines {
  public:
    Machines(std::string qemu, std::string program, const Board& board)
        : qemu_(std::move(qemu)), program_(std::move(program)), board_(board) {}

    [[nodiscard]] Lines run_qemu(std::uint32_t first, std::uint32_t count, bool dump) const {
        std::string text;
        if (!n6vp::tests::run_on_qemu(qemu_, program_, arguments(first, count, dump), text,
                                      board_.machine))
            text += "(QEMU failed)\n";
        return lines_of(text);
    }

    [[nodiscard]] Lines run_core(std::uint32_t first, std::uint32_t count, bool dump) const {
        std::ostringstream out;
        n6vp::sim::ExecSetup setup;
        setup.board = board_.board;
        setup.core = n6vp::models::core::find_core_profile(board_.core);
        setup.timing = n6vp::models::core::Timing::Functional;
        setup.most_instructions = kMaxInstructions * count;
        setup.command_line = arguments(first, count, dump);
        setup.out = &out;
        setup.err = &out;
        const auto outcome = n6vp::sim::run_program(n6vp::sim::ExecProgram::read(program_), setup);
        if (outcome.end != n6vp::sim::ExecEnd::Exit || outcome.exit_code != 0)
            out << "(the core stopped at " << std::hex << outcome.pc << ", end " << std::dec
                << static_cast<int>(outcome.end) << ")\n";
        return lines_of(out.str());
    }

  private:
    static std::string arguments(std::uint32_t first, std::uint32_t count, bool dump) {
        return "sequences " + std::to_string(first) + ' ' + std::to_string(count) +
               (dump ? " 1" : " 0");
    }

    std::string qemu_, program_;
    const Board& board_;
};

std::string line_at(const Lines& lines, std::size_t index) {
    return index < lines.size() ? lines[index] : "(nothing)";
}

/// Shows the records of one sequence up to the first that differs.
void show_sequence(const Machines& machines, std::uint32_t seed) {
    const Lines theirs = machines.run_qemu(seed, 1, true), ours = machines.run_core(seed, 1, true);
    std::size_t at = 0;
    while (at < std::max(theirs.size(), ours.size()) && line_at(theirs, at) == line_at(ours, at))
        ++at;
    std::cerr << "sequence " << seed << ", record " << at << '\n';
    for (std::size_t i = at - std::min(at, kContext); i < at; ++i)
        std::cerr << "       " << line_at(ours, i) << '\n';
    for (std::size_t i = at; i < at + 3; ++i)
        std::cerr << "  QEMU " << line_at(theirs, i) << "\n  core " << line_at(ours, i) << '\n';
}

/// Returns how many sequences differ; `to_show` is how many may still be shown.
std::size_t compare(const Machines& machines, std::uint32_t first, std::uint32_t count,
                    std::size_t& to_show) {
    const Lines theirs = machines.run_qemu(first, count, false),
                ours = machines.run_core(first, count, false);
    std::size_t different = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (i < theirs.size() && i < ours.size() && theirs[i] == ours[i]) continue;
        ++different;
        if (to_show == 0) continue;
        --to_show;
        show_sequence(machines, first + i);
        if (i >= theirs.size() || i >= ours.size()) break;
    }
    for (const Lines* lines : {&theirs, &ours}) {
        if (lines->size() == count + 1 && lines->back() == "done") continue;
        std::cerr << "the sequences from " << first
                  << " did not come to their end: " << (lines->empty() ? "" : lines->back())
                  << '\n';
        ++different;
    }
    return different;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 6) return 2;
    const auto* const board = std::ranges::find(kBoards, std::string_view(argv[5]), &Board::core);
    if (board == std::end(kBoards)) return 2;
    if (!std::filesystem::exists(argv[1]) || !std::filesystem::exists(argv[2])) {
        std::cout << "skipped: qemu-system-arm or arm-none-eabi-gcc is not installed\n";
        return 77;
    }
    const auto first = static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10));
    const auto count = static_cast<std::uint32_t>(std::strtoul(argv[4], nullptr, 10));
    try {
        const Machines machines(argv[1], argv[2], *board);
        std::size_t different = 0, to_show = kShown;
        for (std::uint32_t done = 0; done < count; done += kBatch)
            different += compare(machines, first + done, std::min(kBatch, count - done), to_show);
        std::cout << count << " sequences, " << different << " different\n";
        return different == 0 ? 0 : 1;
    } catch (const n6vp::sim::UserError& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}

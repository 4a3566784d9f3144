// SPDX-License-Identifier: Apache-2.0
// Runs a program of target/ on QEMU's mps3-an547 and on the core: both must print the same.
//
//   n6vp_core_system_compare QEMU PROGRAM OWN_LINES TIMING
//
// Lines that start with "! " are the program's word for what QEMU does not do; there must be
// OWN_LINES of them on the core and none on QEMU. Exit code 77 where QEMU or the program is absent.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "sim/exec/exec_run.h"
#include "sim/host/errors.h"
#include "tests/core/system/qemu_program.h"

namespace {

constexpr std::uint64_t kMaxInstructions = 50'000'000;

bool run_core(const std::string& program, const std::string& timing, std::string& text) {
    using n6vp::models::core::Timing;
    std::ostringstream out;
    n6vp::sim::ExecSetup setup;
    setup.board = n6vp::sim::ExecBoard::An547;
    setup.timing = timing == "functional" ? Timing::Functional : Timing::Approx;
    setup.most_instructions = kMaxInstructions;
    setup.out = &out;
    setup.err = &out;
    const auto outcome = n6vp::sim::run_program(n6vp::sim::ExecProgram::read(program), setup);
    text = out.str();
    if (outcome.end == n6vp::sim::ExecEnd::Exit && outcome.exit_code == 0) return true;
    std::cerr << "the core stopped at " << std::hex << outcome.pc << ", end "
              << static_cast<int>(outcome.end) << '\n';
    return false;
}

std::vector<std::string> lines_of(const std::string& text, std::size_t& own) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("! ")) {
            ++own;
        } else {
            lines.push_back(line);
        }
    }
    return lines;
}

int compare(const std::string& qemu_text, const std::string& core_text, std::size_t own_expected) {
    std::size_t qemu_own = 0, own = 0, different = 0;
    const auto theirs = lines_of(qemu_text, qemu_own), ours = lines_of(core_text, own);
    for (std::size_t i = 0; i < std::max(theirs.size(), ours.size()); ++i) {
        const std::string a = i < theirs.size() ? theirs[i] : "(nothing)";
        const std::string b = i < ours.size() ? ours[i] : "(nothing)";
        if (a == b) continue;
        if (++different <= 10) std::cerr << i + 1 << "\n  QEMU " << a << "\n  core " << b << '\n';
    }
    const bool ended =
        !theirs.empty() && theirs.back() == "done" && !ours.empty() && ours.back() == "done";
    if (!ended) std::cerr << "the program did not come to its end\n";
    if (qemu_own != 0 || own != own_expected)
        std::cerr << "lines that QEMU should not have: " << own << " on the core, " << qemu_own
                  << " on QEMU\n";
    std::cout << ours.size() << " lines, " << different << " different\n";
    return different == 0 && ended && qemu_own == 0 && own == own_expected ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    const std::string qemu = argv[1], program = argv[2];
    if (!std::filesystem::exists(qemu) || !std::filesystem::exists(program)) {
        std::cout << "skipped: qemu-system-arm or arm-none-eabi-gcc is not installed\n";
        return 77;
    }
    try {
        std::string theirs, ours;
        const bool qemu_ended = n6vp::tests::run_on_qemu(qemu, program, {}, theirs);
        if (!qemu_ended) std::cerr << "QEMU failed\n";
        const bool core_ended = run_core(program, argv[4], ours);
        const int result = compare(theirs, ours, std::strtoul(argv[3], nullptr, 10));
        return qemu_ended && core_ended ? result : 1;
    } catch (const n6vp::sim::UserError& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}

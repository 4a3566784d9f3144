// SPDX-License-Identifier: Apache-2.0
// Runs a bare-metal program on QEMU's mps3-an547 and on our core and compares what it prints.
#include <sys/wait.h>

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

#include "models/core/core.h"
#include "tests/core/programs/elf_image.h"

namespace {

using n6vp::models::core::Core;
using n6vp::models::core::CoreConfig;
using n6vp::models::core::Stop;

constexpr std::uint32_t kCode = 0x10000000, kData = 0x30000000, kBytes = 0x80000;
constexpr std::uint64_t kMaxCycles = 2'000'000'000;

struct Run {
    std::string text;
    int exit_code = -1;
    std::uint64_t instructions = 0;
};

/// Answers one semihosting call. Returns false if it was the last.
bool answer(Core& core, n6vp::test::FlatBus& bus, Run& run) {
    const std::uint32_t operation = core.reg(0), block = core.reg(1);
    if (operation == 0x03) {
        const std::uint8_t* text = bus.find(block, 1);
        if (text != nullptr) run.text += static_cast<char>(*text);
    } else if (operation == 0x20) {
        const std::uint8_t* words = bus.find(block, 8);
        if (words != nullptr) run.exit_code = words[4];
        return false;
    } else {
        run.text += "unexpected semihosting call";
        return false;
    }
    core.skip_breakpoint();
    return true;
}

Run run_on_core(const std::string& path, n6vp::models::core::Timing timing) {
    n6vp::test::FlatBus bus;
    bus.add(kCode, kBytes);
    bus.add(kData, kBytes);
    n6vp::test::load_elf(path, bus);
    CoreConfig config;
    config.timing = timing;
    config.system.vector_table = kCode;
    config.system.priority_bits = 8;
    Core core(config, bus);
    core.reset();
    Run run;
    while (core.cycles() < kMaxCycles) {
        const Stop stop = core.run(10'000'000);
        if (stop == Stop::Budget) continue;
        if (stop != Stop::Semihosting) {
            run.text += "stopped for reason " + std::to_string(static_cast<unsigned>(stop)) +
                        " at " + std::to_string(core.pc());
            break;
        }
        if (!answer(core, bus, run)) break;
    }
    run.instructions = core.instructions();
    return run;
}

Run run_on_qemu(const std::string& path) {
    const std::string command = std::string("timeout 120 '") + N6VP_QEMU +
                                "' -M mps3-an547 -nographic -monitor none -serial none"
                                " -semihosting-config enable=on,target=native -kernel '" +
                                path + "' </dev/null 2>&1";
    Run run;
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return run;
    char piece[4096];
    for (std::size_t count = 0; (count = std::fread(piece, 1, sizeof piece, pipe)) != 0;)
        run.text.append(piece, count);
    const int status = pclose(pipe);
    run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return run;
}

bool same(const Run& ours, const Run& theirs, const char* grade) {
    std::istringstream our(ours.text), their(theirs.text);
    std::string our_line, their_line;
    for (unsigned line = 1;; ++line) {
        const bool more = static_cast<bool>(std::getline(our, our_line));
        const bool theirs_more = static_cast<bool>(std::getline(their, their_line));
        if (!more && !theirs_more) break;
        if (more == theirs_more && our_line == their_line) continue;
        std::cout << grade << ": line " << line << " differs\n  core " << our_line << "\n  QEMU "
                  << their_line << '\n';
        return false;
    }
    if (ours.exit_code != 0 || theirs.exit_code != 0) {
        std::cout << grade << ": exit codes " << ours.exit_code << " and " << theirs.exit_code
                  << '\n';
        return false;
    }
    std::cout << grade << ": " << theirs.text.size() << " characters agree, " << ours.instructions
              << " instructions\n";
    return !theirs.text.empty();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: n6vp_core_program ELF\n";
        return 2;
    }
    constexpr int kSkipped = 77;
    if (std::string_view(N6VP_QEMU).empty()) {
        std::cout << "skipped: qemu-system-arm is not installed\n";
        return kSkipped;
    }
    try {
        using n6vp::models::core::Timing;
        const Run theirs = run_on_qemu(argv[1]);
        const bool functional =
            same(run_on_core(argv[1], Timing::Functional), theirs, "functional");
        const bool approx = same(run_on_core(argv[1], Timing::Approx), theirs, "approx");
        return functional && approx ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "n6vp_core_program: " << error.what() << '\n';
        return 70;
    }
}

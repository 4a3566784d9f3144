// SPDX-License-Identifier: Apache-2.0
#include "tests/core/system/qemu_program.h"

#include <sys/wait.h>

#include <cstdio>
#include <sstream>

namespace n6vp::tests {

namespace {

constexpr std::size_t kMaxOutput = 8u << 20;

}  // namespace

bool run_on_qemu(const std::string& qemu, const std::string& program, const std::string& arguments,
                 std::string& text, const std::string& machine) {
    std::string options = "enable=on,target=native";
    std::istringstream words(arguments);
    for (std::string word; words >> word;) options += ",arg=" + word;
    const std::string command = "timeout 60 '" + qemu + "' -M " + machine +
                                " -nographic -monitor none -serial none"
                                " -semihosting-config " +
                                options + " -kernel '" + program + "' </dev/null 2>&1";
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return false;
    char block[4096];
    while (text.size() < kMaxOutput) {
        const std::size_t count = std::fread(block, 1, sizeof block, pipe);
        if (count == 0) break;
        text.append(block, count);
    }
    const int status = pclose(pipe);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace n6vp::tests

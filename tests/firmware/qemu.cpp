// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/qemu.h"

#include <sys/wait.h>

#include <cstdio>

namespace n6vp::test {

namespace {

std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char character : text) {
        if (character == '\'') {
            result += "'\\''";
        } else {
            result += character;
        }
    }
    return result + "'";
}

}  // namespace

QemuRun run_qemu(const std::filesystem::path& folder, const std::string& jobs) {
    const std::string command =
        "cd " + quoted(folder.string()) + " && timeout 120 " + quoted(N6VP_QEMU) +
        " -M mps3-an547 -nographic -monitor none -serial none"
        " -semihosting-config enable=on,target=native,arg=firmware,arg=" +
        jobs + " -kernel " + quoted(N6VP_QEMU_FIRMWARE) + " </dev/null 2>&1";
    QemuRun run;
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return run;
    char block[4096];
    for (std::size_t count = 0; (count = std::fread(block, 1, sizeof block, pipe)) != 0;) {
        run.text.append(block, count);
    }
    const int status = pclose(pipe);
    run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return run;
}

}  // namespace n6vp::test

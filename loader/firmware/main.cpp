// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/jobs.h"
#include "loader/firmware/semihosting.h"

/// Takes the path of a job file as the second word of the semihosting command line.
extern "C" int n6vp_firmware_main() {
    using namespace n6vp::firmware;
    char line[512];
    if (!semihosting::command_line(line, sizeof line)) {
        semihosting::print("error: no command line\n");
        return 1;
    }
    const char* path = line;
    while (*path != '\0' && *path != ' ') ++path;
    while (*path == ' ') ++path;
    if (*path == '\0') {
        semihosting::print(
            "error: name a job file: -semihosting-config "
            "enable=on,target=native,arg=firmware,arg=FILE\n");
        return 1;
    }
    return static_cast<int>(run_jobs(path));
}

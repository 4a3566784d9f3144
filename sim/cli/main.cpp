// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include "sim/cli/frame.h"
#include "sim/host/output_stream.h"
#include "sim/host/signals.h"

int main(int argc, char** argv) {
    using namespace n6vp::sim;
    catch_signals();
    DescriptorBuffer buffer(STDOUT_FILENO);
    std::ostream out(&buffer);
    cli::Session session{out, std::cerr};
    const int exit_code = cli::run(argc, argv, session);
    out.flush();
    if (buffer.error() != 0 && buffer.error() != EPIPE) {
        std::cerr << "n6vp: cannot write the output: " << std::strerror(buffer.error())
                  << "\n      check the target of standard output\n";
        return exit_code == kExitOk ? kExitOutput : exit_code;
    }
    return exit_code;
}

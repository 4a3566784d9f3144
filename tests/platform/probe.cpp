// SPDX-License-Identifier: Apache-2.0
#include "tests/platform/probe.h"

#include <cstdio>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace n6vp::test {

namespace {

[[nodiscard]] std::string output_of(const std::string& command) {
    struct Close {
        void operator()(std::FILE* pipe) const { pclose(pipe); }
    };
    const std::unique_ptr<std::FILE, Close> pipe(popen(command.c_str(), "r"));
    if (!pipe) throw std::runtime_error("cannot run " + command);
    std::string text;
    char part[4096];
    while (std::fgets(part, sizeof part, pipe.get()) != nullptr) text += part;
    return text;
}

void read_values(std::istringstream& line, std::vector<std::uint32_t>& to) {
    for (std::uint32_t value = 0; line >> value;) to.push_back(value);
}

}  // namespace

ProbeRun probe(const std::string& arguments) {
    ProbeRun run;
    std::istringstream text(output_of(std::string(N6VP_PLATFORM_PROBE) + " " + arguments));
    for (std::string row; std::getline(text, row);) {
        std::istringstream line(row);
        std::string key;
        line >> key;
        if (key == "finished") line >> run.finished;
        if (key == "time") line >> run.time;
        if (key == "cycles") line >> run.cycles;
        if (key == "instructions") line >> run.instructions;
        if (key == "hash") line >> run.hash;
        if (key == "in_use") line >> run.in_use;
        if (key == "events") line >> run.events;
        if (key == "results") read_values(line, run.results);
        if (key == "reads") read_values(line, run.reads);
        if (key == "host_seconds") line >> run.host_seconds;
    }
    return run;
}

}  // namespace n6vp::test

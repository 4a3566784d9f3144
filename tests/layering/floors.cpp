// SPDX-License-Identifier: Apache-2.0
#include "tests/layering/floors.h"

namespace n6vp::tests {

// What is not on a list below (sources in the root of a folder) may use all rooms of that folder
// that do not use it: room_cycles counts the root as a room.
const std::map<std::string, Floors> kHouses = {
    {"", {{"memmap"}, {"loader"}, {"traces"}, {"models"}, {"sim"}, {"tests", "scenarios"}}},
    {"loader",
     {{"container", "check", "install", "epoch_controller"},
      {"legacy"},
      {"capi"},
      {"runtime", "validation"},
      {"firmware"}}},
    {"loader/firmware", {{"base"}, {"ports"}, {"chip"}, {"mcu", "validation"}}},
    {"traces", {{"diagnosis"}, {"format", "page"}}},
    {"models", {{"fabric"}, {"memory", "soc"}, {"core", "npu", "simulator"}, {"cache"}, {"chip"}}},
    {"models/core", {{"ir"}, {"float"}, {"isa"}, {"system"}, {"timing"}, {"engine"}}},
    {"models/npu",
     {{"base", "registers"}, {"units", "control"}, {"stream"}, {"dataflow"}, {"top"}, {"module"}}},
    {"models/soc",
     {{"base"},
      {"rif", "stubs"},
      {"analog", "can", "crypto", "dma", "graphics", "sdmmc", "serial", "system", "timers"},
      {"audio", "camera", "mcu"}}},
    {"sim",
     {{"host"},
      {"platform", "model_file", "console", "registers"},
      {"exec", "install", "map", "info", "ecdump", "pack"},
      {"check", "faults"},
      {"run", "epoch"},
      {"inference", "run_trace"},
      {"microcontroller", "board"},
      {"debugger"},
      {"generate"},
      {"cli"}}},
    {"sim/generate",
     {{"tflite"},
      {"evaluate"},
      {"lower"},
      {"operators"},
      {"emit"},
      {"analyze", "cores", "validate"}}},
};

int floor_of(const Floors& floors, std::string_view room) {
    for (std::size_t floor = 0; floor < floors.size(); ++floor) {
        for (const std::string_view each : floors[floor]) {
            if (each == room) return static_cast<int>(floor);
        }
    }
    return -1;
}

namespace {

/// Returns the first folder name of a path, or "" for a file without a folder.
std::string_view first_folder(std::string_view path) {
    const std::size_t slash = path.find('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

/// Returns true if `from` may use `to`; both are paths below `house`.
bool allowed(const std::string& house, std::string_view from, std::string_view to) {
    const auto found = kHouses.find(house);
    if (found == kHouses.end()) return true;
    const std::string_view user = first_folder(from);
    const std::string_view used = first_folder(to);
    if (user == used && !user.empty()) {
        const std::string inner =
            house.empty() ? std::string(user) : house + "/" + std::string(user);
        return allowed(inner, from.substr(user.size() + 1), to.substr(used.size() + 1));
    }
    const int user_floor = floor_of(found->second, user);
    const int used_floor = floor_of(found->second, used);
    return user_floor < 0 || used_floor < 0 || used_floor < user_floor;
}

}  // namespace

std::string violation(const Edge& edge) {
    if (allowed("", edge.file, edge.target)) return {};
    return edge.file + ":" + std::to_string(edge.line) + " reaches up to " + edge.target;
}

}  // namespace n6vp::tests

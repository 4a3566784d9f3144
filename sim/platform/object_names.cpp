// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/object_names.h"

#include <array>

#include "sim/platform/platform_options.h"

namespace n6vp::sim {

namespace {

// By the number of the port; platform_log_test.cpp looks all of them up in the kernel.
constexpr std::array<std::string_view, kInitiators> kPorts = {"chip.core.instruction_port",
                                                              "chip.core.m_axi",
                                                              "chip.core.tcm",
                                                              "chip.npu.to_0",
                                                              "chip.npu.to_1",
                                                              "chip.npu.to_2",
                                                              "chip.host",
                                                              "chip.gpdma1.to_0",
                                                              "chip.gpdma1.to_1",
                                                              "chip.hpdma1.to_0",
                                                              "chip.hpdma1.to_1",
                                                              "chip.ltdc.to",
                                                              "chip.dma2d.to",
                                                              "chip.dcmipp.to",
                                                              "chip.sdmmc1.to",
                                                              "chip.sdmmc2.to"};

[[nodiscard]] std::string below(std::string name, std::string_view part) {
    if (part.empty()) return name;
    name += '.';
    for (const char c : part) name += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return name;
}

}  // namespace

std::string port_object(unsigned initiator) {
    if (initiator < kPorts.size()) return std::string(kPorts[initiator]);
    const unsigned generated = initiator - kInitiators;
    if (generated >= models::kMaxTrafficMasters) return "unknown";
    return std::string(kChipName) + ".traffic_" + std::to_string(generated) + ".port";
}

std::string chip_object(std::string_view part) {
    return below(kChipName, part);
}

std::string npu_object(std::string_view unit) {
    return below(std::string(kChipName) + ".npu", unit);
}

}  // namespace n6vp::sim

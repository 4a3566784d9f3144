// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/lower/cost.h"

#include <algorithm>

#include "sim/platform/platform_parameters.h"

namespace n6vp::sim::generate {

CostParameters costs_of(const PlatformParameters& parameters) {
    const double npu = parameters.clock.npu.value;  // MHz
    const double nic = npu / parameters.clock.nic.value;
    const double flash = npu / parameters.clock.xspi2.value;
    constexpr double kEdges = 2, kBits = 8, kNanosecond = 1e-3;  // double rate; cycles at 1 MHz
    // Over the device's own rate: 2.515 cycles a byte measured, 2.5 by lines and clock.
    constexpr double kFlashOverhead = 2.515 / 2.5;
    const auto& nor = parameters.nor;
    const auto& bank = parameters.nic_ram;
    const auto& cache = parameters.npu_cache;
    CostParameters cost;
    cost.frame_restart = parameters.npu.engines.frame_cycles.value;
    cost.cache_access = cache.lookup_cycles.value * nic;
    cost.cache_beat = cache.beat_cycles.value * nic;
    cost.cache_miss = cache.miss_cycles.value * nic;
    cost.cache_line = cache.line_bytes.value;
    cost.flash_byte = std::max(flash * kFlashOverhead * kBits / (kEdges * nor.lines.value),
                               cost.cache_miss / cost.cache_line);
    cost.flash_first = flash * (nor.command_clocks.value + nor.address_clocks.value +
                                nor.read_dummy_clocks.value) +
                       npu * kNanosecond * parameters.fabric.npu_xspi_control.value;
    cost.ram_first = parameters.fabric.npu_nic_ram.value;
    cost.read_beat = bank.single_read_cycles.value * nic;
    cost.write_beat = bank.single_write_cycles.value * nic;
    cost.long_beat = bank.beat_cycles.value * nic;
    cost.controller_fetch = parameters.npu.epoch_controller.fetch_cycles.value;
    cost.multipliers = parameters.npu.convolution.mac_slots.value;
    cost.npu_hz = npu * 1e6;
    cost.per_core_cycle = npu / parameters.clock.cpu.value;
    return cost;
}

const CostParameters& default_costs() {
    static const CostParameters costs = costs_of(PlatformParameters{});
    return costs;
}

double convolution_cycles(const ConvolutionWork& work, const CostParameters& cost) {
    const double load =
        std::max(real(work.set_words), work.flash ? real(work.set_bytes) * cost.flash_byte : 0.0);
    const double first = load + (work.flash ? cost.flash_first : cost.ram_first);
    const double fill = real(work.lines_ahead) * real(work.line_words);
    const double frame =
        std::max(real(work.in_words), fill + real(work.out_words)) + cost.frame_restart;
    return first + (real(work.frames) - 1) * std::max(frame, load) + frame;
}

double bank_cycles(const BankWork& work, const CostParameters& cost) {
    return std::max(
        real(work.single_reads) * cost.read_beat + real(work.long_reads) * cost.long_beat,
        real(work.single_writes) * cost.write_beat + real(work.long_writes) * cost.long_beat);
}

Beats beats_of(std::uint64_t runs, std::uint64_t bytes) {
    if (bytes <= 8) return {runs, 0};
    return {0, runs * ((bytes + 7) / 8)};
}

}  // namespace n6vp::sim::generate

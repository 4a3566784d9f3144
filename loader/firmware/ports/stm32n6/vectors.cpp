// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/vectors.h"

#include "memmap/interrupts.h"

extern "C" {
// Every program of this port defines these.
void n6vp_tick_interrupt();
void n6vp_npu_interrupt();
void n6vp_iac_interrupt();
}

namespace n6vp::firmware {

namespace {

constexpr std::uint32_t kSysTick = 14;  ///< in `system`: exception 15
constexpr std::uint32_t kIacLine = 13;

struct VectorTable {
    std::uint32_t* stack = &n6vp_stack_top;
    Handler system[kSystemExceptions] = {};
    Handler lines[memmap::kNvicModelledLines] = {};
};

constexpr VectorTable make_table() {
    VectorTable table;
    table.system[0] = n6vp_reset;
    for (std::uint32_t i = 1; i < kSystemExceptions; ++i) table.system[i] = n6vp_fault;
    table.system[kSysTick] = n6vp_tick_interrupt;
    for (Handler& line : table.lines) line = n6vp_fault;
    table.lines[kIacLine] = n6vp_iac_interrupt;
    table.lines[memmap::kNpuDefaultLine] = n6vp_npu_interrupt;
    return table;
}

N6VP_SECTION(".vectors")
constinit const VectorTable vectors = make_table();

}  // namespace

}  // namespace n6vp::firmware

// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/capi/ll_aton_runtime.h"
#include "loader/runtime/machine.h"
#include "memmap/interrupts.h"

/// The operating system under the runtime, by the functions of ll_aton_osal.h.
namespace n6vp::runtime::machine {

void open_system() {
    n6vp_osal_init();
    n6vp_osal_install_irq(memmap::kNpuDefaultLine, LL_ATON_RT_IrqHandler);
}

void close_system() {
    n6vp_osal_remove_irq(memmap::kNpuDefaultLine);
    n6vp_osal_deinit();
}

void signal_event() {
    n6vp_osal_signal();
}

void lock_npu() {
    n6vp_osal_lock_npu();
}

void unlock_npu() {
    n6vp_osal_unlock_npu();
}

}  // namespace n6vp::runtime::machine

void n6vp_set_irq_priority(uint32_t number, uint32_t priority) {
    // Interrupt priority registers of the NVIC, Armv8.1-M Architecture Reference Manual.
    constexpr std::uint32_t kPriorities = 0xE000E400;
    n6vp::runtime::store<std::uint8_t>(kPriorities + number, static_cast<std::uint8_t>(priority));
}

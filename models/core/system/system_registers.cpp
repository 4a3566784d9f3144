// SPDX-License-Identifier: Apache-2.0
#include "models/core/system/system_registers.h"

#include "models/core/system/register_bits.h"

namespace n6vp::models::core {

namespace {

constexpr std::uint32_t kSoftwareTriggered = 0xE000EF00;
constexpr std::uint32_t kMscrReset = 0x3001;  // ECC on, both caches powered

}  // namespace

SystemRegisters::SystemRegisters(const SystemConfig& config)
    : config_(config),
      exceptions_(config_),  // NOLINT(bugprone-throw-keyword-missing): is no C++ exception
      protection_(config_),
      counters_(config_.core),
      timers_{SysTick(config.systick_divider), SysTick(config.systick_divider)} {}

void SystemRegisters::attach(SystemMemory& memory, CacheMaintenance* maintenance,
                             EventSource* events) {
    memory_ = &memory;
    maintenance_ = maintenance;
    counters_.attach(events);
}

bool SystemRegisters::reset(CpuState& cpu) {
    exceptions_.reset();
    protection_.reset();
    counters_.reset();
    for (SysTick& timer : timers_) timer.reset();
    unmodelled_.clear();
    locked_up_ = fault_to_secure_ = reset_secure_only_ = false;
    deferred_ltpsize_ = 4;
    vector_table_ = {config_.vector_table_ns, config_.vector_table};
    if (!config_.secure) vector_table_[kNonSecure] = config_.vector_table;
    sleep_control_ = memory_and_usage_status_ = memory_fault_address_ = fp_access_ = fp_area_ =
        cache_select_ = {};
    configuration_[kSecure] = configuration_[kNonSecure] =
        config_.core.ccr_fixed | config_.core.ccr_reset;
    fp_control_ = {fpccr::kAutomatic, config_.core.fpccr_reset | fpccr::kOwnerSecure};
    fp_defaults_[kSecure] = fp_defaults_[kNonSecure] = kNoTailPredication & config_.core.fpscr_bits;
    cpu.fpscr_bits = config_.core.fpscr_bits;
    tcm_and_cache_control_ = {config_.itcm_control, config_.dtcm_control};
    bus_status_ = bus_fault_address_ = hard_fault_status_ = debug_fault_status_ =
        auxiliary_fault_status_ = secure_status_ = secure_fault_address_ = 0;
    non_secure_access_ = coprocessor_power_ = debug_control_ = auxiliary_control_ = 0;
    memory_control_ = kMscrReset;
    prefetch_control_ = peripheral_port_control_ = 0;
    itcm_control_ = config_.itcm_control;
    dtcm_control_ = config_.dtcm_control;
    trace_enable_ = trace_control_ = trace_privilege_ = 0;

    cpu.secure = config_.secure || !has_security();
    cpu.ipsr = 0;
    cpu.r[14] = 0xFFFFFFFF;
    std::uint32_t sp = 0, pc = 0;
    const std::uint32_t table = vector_table_[bank(cpu)];
    const Permission permission = protection_.check_vector(table, cpu.secure);
    const bool read = memory_->read32(cpu, table, permission, true, sp) &&
                      memory_->read32(cpu, table + 4, permission, true, pc);
    if (!read) locked_up_ = true;
    cpu.r[13] = sp & ~3u;
    cpu.pc = pc & ~1u;
    cpu.thumb = (pc & 1) != 0;
    memory_->protection_changed(cpu);
    update_context(cpu);
    update_caches(cpu);
    return read;
}

Permission SystemRegisters::check(const CpuState& cpu, std::uint32_t address, Intent intent,
                                  bool privileged, bool secure) {
    const bool bypass =
        protection_.bypassable(secure) && exceptions_.negative_priority(cpu, secure);
    const bool open_to_all = intent == Intent::Write && (address & ~3u) == kSoftwareTriggered &&
                             (configuration_[bank(secure)] & ccr::kUserSetPending) != 0;
    return protection_.check(address, intent, privileged || open_to_all, secure, bypass);
}

unsigned SystemRegisters::context(const CpuState& cpu) const {
    const bool bypass =
        protection_.bypassable(cpu.secure) && exceptions_.negative_priority(cpu, cpu.secure);
    return (cpu.secure ? 1u : 0u) | (cpu.privileged ? 2u : 0u) | (bypass ? 4u : 0u);
}

bool SystemRegisters::traps_unaligned(const CpuState& cpu) const {
    return (configuration_[bank(cpu)] & ccr::kUnalignedTrap) != 0;
}

bool SystemRegisters::traps_divide_by_zero(const CpuState& cpu) const {
    return (configuration_[bank(cpu)] & ccr::kDivideTrap) != 0;
}

bool SystemRegisters::ignores_bus_faults(const CpuState& cpu) const {
    const Security index = exceptions_.faults_non_secure ? kNonSecure : kSecure;
    return (configuration_[index] & ccr::kIgnoreBusFaults) != 0 &&
           exceptions_.execution_priority(cpu) < 0;
}

}  // namespace n6vp::models::core

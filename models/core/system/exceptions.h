// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/ir/state.h"
#include "models/core/system/system_config.h"

namespace n6vp::models::core {

/// State and priorities of all exceptions: what the NVIC knows, without registers and stacking.
///
/// Every exception has a slot. Slots below `count()` are the exceptions by number, those that exist
/// per security state as their Secure instance; the slots behind are the Non-secure instances.
class Exceptions {
  public:
    using Slot = unsigned;
    static constexpr unsigned kInternal = 16;  ///< numbers below are the core's own
    static constexpr int kNothingActive = 256;
    static constexpr int kHardFaultPriority = -1, kSecureHardFaultPriority = -3;

    explicit Exceptions(const SystemConfig& config);
    void reset();

    /// Numbers that exist: 16 and the interrupts.
    [[nodiscard]] unsigned count() const { return count_; }
    [[nodiscard]] static bool banked(unsigned number);
    /// Returns the slot of an exception as code of that security state names it.
    [[nodiscard]] Slot slot(unsigned number, bool secure) const;
    [[nodiscard]] Slot slot(Exception exception, bool secure) const {
        return slot(static_cast<unsigned>(exception), secure);
    }
    [[nodiscard]] unsigned number(Slot slot) const { return slot < count_ ? slot : slot - count_; }
    [[nodiscard]] bool targets_secure(Slot slot) const;

    [[nodiscard]] bool enabled(Slot slot) const;
    [[nodiscard]] bool pending(Slot slot) const { return states_[slot].pending; }
    [[nodiscard]] bool active(Slot slot) const { return states_[slot].active; }
    /// The configured priority, as a register shows it.
    [[nodiscard]] std::uint8_t priority(Slot slot) const { return states_[slot].priority; }
    [[nodiscard]] bool level(Slot slot) const { return states_[slot].level; }

    void set_enabled(Slot slot, bool on) { states_[slot].enabled = on; }
    void set_pending(Slot slot, bool on);
    void set_active(Slot slot, bool on);
    void set_priority(Slot slot, std::uint32_t value);
    /// Interrupt line: pends when it rises, active or not; a line still high at deactivation pends
    /// again. Returns true if the interrupt became pending.
    bool set_level(Slot slot, bool high);
    void set_targets_non_secure(Slot slot, bool on) { states_[slot].non_secure = on; }
    /// The exception starts: from pending to active.
    void acknowledge(Slot slot);
    /// The exception is over.
    void deactivate(Slot slot);

    /// Returns the priority after grouping and PRIS; lower is more urgent.
    [[nodiscard]] int group_priority(Slot slot) const;
    /// Returns the priority of the active exceptions alone.
    [[nodiscard]] int active_priority() const;
    /// Returns the priority that something must beat to preempt. `ignore_primask` is the view of
    /// WFI.
    [[nodiscard]] int execution_priority(const CpuState& cpu, bool ignore_primask = false) const;
    /// Returns true if an exception of negative priority or FAULTMASK of that state is in force.
    [[nodiscard]] bool negative_priority(const CpuState& cpu, bool secure) const;
    /// Returns true if anything enabled is pending, with its slot.
    [[nodiscard]] bool most_urgent(Slot& slot) const;
    /// Returns true if something pending preempts.
    [[nodiscard]] bool preempts(const CpuState& cpu, bool ignore_primask = false) const;
    [[nodiscard]] const std::vector<Slot>& active_slots() const { return active_; }

    std::array<std::uint8_t, 2> priority_group{};  ///< AIRCR.PRIGROUP by Security
    bool prioritise_secure = false;                ///< AIRCR.PRIS
    bool faults_non_secure = false;                ///< AIRCR.BFHFNMINS

  private:
    struct State {
        bool enabled = false, pending = false, active = false, level = false, non_secure = false;
        std::uint8_t priority = 0;
    };

    [[nodiscard]] int raw_priority(Slot slot) const;
    [[nodiscard]] int subpriority(Slot slot) const;
    [[nodiscard]] int non_secure_level(int level) const {
        return prioritise_secure ? 0x80 + (level >> 1) : level;
    }
    [[nodiscard]] int grouped(int priority, bool secure) const;

    unsigned count_;
    std::uint8_t priority_mask_;
    std::vector<State> states_;
    std::vector<Slot> pending_, active_;  ///< slots whose state says so, in no order
};

}  // namespace n6vp::models::core

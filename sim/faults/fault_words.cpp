// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault_words.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <utility>

#include "memmap/interrupts.h"
#include "memmap/peripherals.h"
#include "memmap/regions.h"
#include "models/soc/system/set_up.h"
#include "sim/faults/run_events.h"

namespace n6vp::sim::fault_report {

namespace {

namespace cfsr = models::core::cfsr;
namespace sfsr = models::core::sfsr;
using models::core::CoreFault;

struct Bit {
    std::uint32_t mask;
    const char* name;
    const char* rule;
};

constexpr Bit kConfigurable[] = {
    {cfsr::kIaccViol, "IACCVIOL", "memory attributes or the MPU forbid execution"},
    {cfsr::kDaccViol, "DACCVIOL", "memory attributes or the MPU forbid the access"},
    {cfsr::kMunStkErr, "MUNSTKERR", "MPU violation while unstacking registers"},
    {cfsr::kMStkErr, "MSTKERR", "MPU violation while stacking registers"},
    {cfsr::kMLspErr, "MLSPERR", "MPU violation while stacking floating-point registers"},
    {cfsr::kIbusErr, "IBUSERR", "bus error on an instruction fetch"},
    {cfsr::kPrecisErr, "PRECISERR", "the bus answered with an error"},
    {cfsr::kImprecisErr, "IMPRECISERR", "the bus answered an earlier write with an error"},
    {cfsr::kUnStkErr, "UNSTKERR", "bus error while unstacking registers"},
    {cfsr::kStkErr, "STKERR", "bus error while stacking registers"},
    {cfsr::kLspErr, "LSPERR", "bus error while stacking floating-point registers"},
    {cfsr::kUndefInstr, "UNDEFINSTR", "undefined instruction"},
    {cfsr::kInvState, "INVSTATE", "branch to an even address: the core executes Thumb code only"},
    {cfsr::kInvPc, "INVPC", "invalid EXC_RETURN value for the current state"},
    {cfsr::kNoCp, "NOCP", "the floating-point and vector unit is disabled (CPACR)"},
    {cfsr::kStkOf, "STKOF", "the stack pointer is below its limit"},
    {cfsr::kUnaligned, "UNALIGNED", "unaligned access"},
    {cfsr::kDivByZero, "DIVBYZERO", "division by zero, trapped by CCR.DIV_0_TRP"},
};
constexpr Bit kSecure[] = {
    {sfsr::kInvEp, "INVEP", "non-secure code entered secure memory without an SG instruction"},
    {sfsr::kInvIs, "INVIS", "the integrity signature on the secure stack is wrong"},
    {sfsr::kInvEr, "INVER", "the exception return does not match its security state"},
    {sfsr::kAuViol, "AUVIOL", "non-secure code accessed secure memory"},
    {sfsr::kInvTran, "INVTRAN", "a branch left the secure state without BXNS or BLXNS"},
    {sfsr::kLsPerr, "LSPERR",
     "secure floating-point registers would be stored to non-secure memory"},
    {sfsr::kLsErr, "LSERR", "inconsistent state of lazy stacking"},
};

[[nodiscard]] std::span<const Bit> bits_of(Kind kind) {
    if (kind == Kind::SecureFault) return kSecure;
    return kConfigurable;
}

[[nodiscard]] std::string usage_remedy(std::uint32_t status) {
    if ((status & cfsr::kNoCp) != 0) return "enable CP10 and CP11 in CPACR first";
    if ((status & cfsr::kInvState) != 0)
        return "pointers to code need bit 0 set; was the address overwritten, or never relocated?";
    if ((status & cfsr::kStkOf) != 0) return "enlarge the stack, or remove the recursion";
    if ((status & cfsr::kUnaligned) != 0)
        return "align the data, or clear CCR.UNALIGN_TRP where it is normal memory";
    if ((status & cfsr::kUndefInstr) != 0)
        return "check that this code is intact and built for this core";
    return "check the surrounding code";
}

}  // namespace

const char* kind_text(Kind kind) {
    constexpr std::array<const char*, kKindNames.size()> kTexts = {
        "memory management fault",
        "bus fault",
        "usage fault",
        "secure fault",
        "hard fault",
        "bus error of the NPU",
        "deadlock of the NPU",
        "epoch controller stopped",
        "stream engine stopped at its limit",
        "stale bytes",
        "buffer in use",
        "access denied",
        "no progress",
        "limit reached"};
    return kTexts[static_cast<std::size_t>(kind)];
}

std::string status_text(Kind kind, std::uint32_t status) {
    std::string text;
    for (const Bit& bit : bits_of(kind)) {
        if ((status & bit.mask) != 0) text += (text.empty() ? "" : " ") + std::string(bit.name);
    }
    return text;
}

const char* refusal_text(models::AccessFault::Kind kind) {
    using Refusal = models::AccessFault::Kind;
    switch (kind) {
        case Refusal::Unmapped:
            return "there is no memory at this address";
        case Refusal::Unreachable:
            return "this master has no path to this address";
        case Refusal::CrossesWindow:
            return "the burst crosses the end of its memory";
        case Refusal::ReadOnly:
            return "this memory is read-only";
        case Refusal::Refused:
            return "refused";
        default:
            return "not supported";
    }
}

std::string rule_text(const FaultMoment& moment) {
    std::string text;
    const auto add = [&text](const std::string& part) {
        if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
    };
    if (moment.of_core && moment.exact) {
        for (const Bit& bit : bits_of(moment.kind)) {
            if ((moment.status & bit.mask) != 0) add(bit.rule);
        }
        if (moment.where == CoreFault::Where::Vector) add("the vector table cannot be read");
        if (moment.where == CoreFault::Where::Breakpoint)
            add("BKPT without a debugger, and no DebugMonitor enabled");
    }
    if (moment.access && moment.access->refusal) {
        add(refusal_text(*moment.access->refusal));
        add(moment.access->reason);
    }
    if (moment.kind == Kind::DeniedAccess) add("answered with zero");
    add(moment.text);
    return text;
}

std::string remedy_text(const FaultMoment& moment) {
    if (!moment.remedy.empty()) return moment.remedy;
    if (moment.access) {
        const models::SetUpStep step = models::set_up_step(moment.access->reason);
        if (step != models::SetUpStep::None) {
            return fmt::format("set-up step {}: {}", static_cast<unsigned>(step),
                               models::set_up_text(step));
        }
        if (moment.access->refusal == models::AccessFault::Kind::Unmapped) {
            return nearest_memory(moment.access->address);
        }
    }
    switch (moment.kind) {
        case Kind::MemFault:
            return "check MPU regions and execute-never memory; `n6vp map` shows the memories";
        case Kind::UsageFault:
            return usage_remedy(moment.status);
        case Kind::SecureFault:
            return "check the SAU regions and the memory alias of the pointer";
        case Kind::HardFault:
            return moment.where == CoreFault::Where::Vector
                       ? "VTOR has to point to a table in readable memory"
                       : "remove the breakpoint; only BKPT 0xAB (semihosting) is supported";
        case Kind::NpuDeadlock:
            return "enable the units linked to the waiting units, or correct the expected frame "
                   "sizes";
        case Kind::NpuProgram:
            return "check relocation and D-cache clean of the blob; `n6vp ecdump` shows it";
        case Kind::NpuLimit:
            return "raise LIMITADDR of the engine, or reduce its address range";
        default:
            return "`n6vp map` shows the memories and the masters that reach them";
    }
}

std::string exception_text(std::uint32_t number) {
    constexpr std::array<const char*, 16> kNames = {
        "thread",      "Reset",  "NMI", "HardFault", "MemManage", "BusFault",     "UsageFault",
        "SecureFault", "",       "",    "",          "SVCall",    "DebugMonitor", "",
        "PendSV",      "SysTick"};
    if (number < kNames.size()) {
        return number == 0 ? kNames[0] : fmt::format("handler of {}", kNames[number]);
    }
    const auto line = static_cast<std::uint16_t>(number - kNames.size());
    const memmap::Interrupt* const source = memmap::interrupt_on_line(line);
    return fmt::format("handler of interrupt {}{}", line,
                       source == nullptr ? "" : fmt::format(" ({})", source->name));
}

std::string region_text(std::uint32_t address) {
    const memmap::Location location = memmap::find_region(GuestAddr{address});
    if (location) return fmt::format("{}+0x{:x}", location.region->name, location.offset);
    const memmap::PeripheralHit hit = memmap::find_peripheral(GuestAddr{address});
    if (hit && hit.offset < hit.peripheral->bytes)
        return fmt::format("{}+0x{:x}", hit.peripheral->name, hit.offset);
    return hit ? "no known peripheral" : "";
}

}  // namespace n6vp::sim::fault_report

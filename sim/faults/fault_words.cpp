// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/fault_words.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <utility>

#include "memmap/interrupts.h"
#include "memmap/peripherals.h"
#include "memmap/regions.h"
#include "models/soc/set_up.h"
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
    {cfsr::kIaccViol, "IACCVIOL", "memory attributes or the MPU forbid to execute there"},
    {cfsr::kDaccViol, "DACCVIOL", "memory attributes or the MPU forbid the access"},
    {cfsr::kMunStkErr, "MUNSTKERR", "the MPU forbids to unstack registers"},
    {cfsr::kMStkErr, "MSTKERR", "the MPU forbids to stack registers"},
    {cfsr::kMLspErr, "MLSPERR", "the MPU forbids to stack floating-point registers"},
    {cfsr::kIbusErr, "IBUSERR", "code could not be fetched"},
    {cfsr::kPrecisErr, "PRECISERR", "the bus answered with an error"},
    {cfsr::kImprecisErr, "IMPRECISERR", "the bus answered an earlier write with an error"},
    {cfsr::kUnStkErr, "UNSTKERR", "registers could not be unstacked"},
    {cfsr::kStkErr, "STKERR", "registers could not be stacked"},
    {cfsr::kLspErr, "LSPERR", "floating-point registers could not be stacked"},
    {cfsr::kUndefInstr, "UNDEFINSTR", "this is no instruction of the core"},
    {cfsr::kInvState, "INVSTATE", "a branch to an even address: the core has Thumb code only"},
    {cfsr::kInvPc, "INVPC", "the value that returns from an exception does not fit the state"},
    {cfsr::kNoCp, "NOCP", "the floating-point and vector unit is switched off (CPACR)"},
    {cfsr::kStkOf, "STKOF", "the stack pointer is below its limit"},
    {cfsr::kUnaligned, "UNALIGNED", "the access has to be aligned"},
    {cfsr::kDivByZero, "DIVBYZERO", "a division by zero is to trap (CCR.DIV_0_TRP)"},
};
constexpr Bit kSecure[] = {
    {sfsr::kInvEp, "INVEP", "non-secure code came into secure memory beside a gate (SG)"},
    {sfsr::kInvIs, "INVIS", "the integrity signature on the secure stack is wrong"},
    {sfsr::kInvEr, "INVER", "the return from the exception does not fit its security state"},
    {sfsr::kAuViol, "AUVIOL", "non-secure code accessed secure memory"},
    {sfsr::kInvTran, "INVTRAN", "a branch left the secure state without BXNS or BLXNS"},
    {sfsr::kLsPerr, "LSPERR", "secure floating-point registers would go to non-secure memory"},
    {sfsr::kLsErr, "LSERR", "the state of lazy stacking does not fit"},
};

[[nodiscard]] std::span<const Bit> bits_of(Kind kind) {
    if (kind == Kind::SecureFault) return kSecure;
    return kConfigurable;
}

[[nodiscard]] std::string usage_remedy(std::uint32_t status) {
    if ((status & cfsr::kNoCp) != 0) return "enable CP10 and CP11 in CPACR before such code runs";
    if ((status & cfsr::kInvState) != 0)
        return "pointers to code need bit 0 set; was the address overwritten, or never relocated?";
    if ((status & cfsr::kStkOf) != 0) return "give the program more stack, or find the recursion";
    if ((status & cfsr::kUnaligned) != 0)
        return "align the data, or clear CCR.UNALIGN_TRP where it is normal memory";
    if ((status & cfsr::kUndefInstr) != 0)
        return "is this code? see that nothing overwrites it, and that it is built for a "
               "Cortex-M55";
    return "see the code around it";
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
            return "this master has no way there";
        case Refusal::CrossesWindow:
            return "the burst leaves the memory that it starts in";
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
            return "see MPU regions and execute-never memory; `n6vp map` shows the memories";
        case Kind::UsageFault:
            return usage_remedy(moment.status);
        case Kind::SecureFault:
            return "see the SAU regions, and which alias of the memory the pointer has";
        case Kind::HardFault:
            return moment.where == CoreFault::Where::Vector
                       ? "VTOR has to point to a table in readable memory"
                       : "BKPT 0xAB is semihosting; take other breakpoints out of the program";
        case Kind::NpuDeadlock:
            return "enable what the waiting units are linked to, or mend the words that they "
                   "expect";
        case Kind::NpuProgram:
            return "`n6vp ecdump` shows the blob; was it relocated, cleaned from the D-cache?";
        case Kind::NpuLimit:
            return "the engine's LIMITADDR is below what its configuration reads or writes";
        default:
            return "`n6vp map` shows the memories and who reaches them";
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
    if (hit) return fmt::format("{}+0x{:x}", hit.peripheral->name, hit.offset);
    return "";
}

}  // namespace n6vp::sim::fault_report

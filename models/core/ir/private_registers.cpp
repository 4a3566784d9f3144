// SPDX-License-Identifier: Apache-2.0
#include "models/core/ir/private_registers.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace n6vp::models::core {

namespace {

/// Registers that stand one after the other.
struct Run {
    std::uint32_t address = 0;
    std::uint32_t words = 0;
    bool modelled = false;
    std::string_view unit;  ///< empty: CMSIS has none, the names are those of the Arm ARM
    /// One name per word, '.' where there is no register; a single one for more words is an array.
    std::string_view names;
};

/// Names and places: CMSIS, core_cm55.h, and of the Cortex-M7 core_cm7.h; flash patch and RAS: Arm
/// ARM. Ascending.
constexpr std::array kRuns{
    Run{0xE0000000, 32, true, "ITM", "PORT"},
    Run{0xE0000E00, 1, true, "ITM", "TER"},
    Run{0xE0000E40, 1, true, "ITM", "TPR"},
    Run{0xE0000E80, 1, true, "ITM", "TCR"},
    Run{0xE0000EF0, 5, false, "ITM", "ITREAD . ITWRITE . ITCTRL"},
    Run{0xE0000FBC, 5, false, "ITM", "DEVARCH . . . DEVTYPE"},
    Run{0xE0001000, 2, true, "DWT", "CTRL CYCCNT"},
    Run{0xE0001008, 1, false, "DWT", "CPICNT"},
    Run{0xE000100C, 1, true, "DWT", "EXCCNT"},
    Run{0xE0001010, 4, false, "DWT", "SLEEPCNT LSUCNT FOLDCNT PCSR"},
    Run{0xE0001020, 31, false, "DWT",
        "COMP0 . FUNCTION0 . COMP1 . FUNCTION1 VMASK1 COMP2 . FUNCTION2 . COMP3 . FUNCTION3 VMASK3 "
        "COMP4 . FUNCTION4 . COMP5 . FUNCTION5 . COMP6 . FUNCTION6 . COMP7 . FUNCTION7"},
    Run{0xE0001FB0, 2, true, "DWT", "LAR LSR"},
    Run{0xE0001FBC, 1, true, "DWT", "DEVARCH"},
    Run{0xE0001FCC, 1, false, "DWT", "DEVTYPE"},
    Run{0xE0002000, 10, false, "",
        "FP_CTRL FP_REMAP FP_COMP0 FP_COMP1 FP_COMP2 FP_COMP3 FP_COMP4 FP_COMP5 FP_COMP6 FP_COMP7"},
    Run{0xE0003000, 8, true, "PMU", "EVCNTR"},
    Run{0xE000307C, 1, true, "PMU", "CCNTR"},
    Run{0xE0003400, 8, true, "PMU", "EVTYPER"},
    Run{0xE000347C, 1, false, "PMU", "CCFILTR"},
    Run{0xE0003C00, 1, true, "PMU", "CNTENSET"},
    Run{0xE0003C20, 1, true, "PMU", "CNTENCLR"},
    Run{0xE0003C40, 1, false, "PMU", "INTENSET"},
    Run{0xE0003C60, 1, false, "PMU", "INTENCLR"},
    Run{0xE0003C80, 1, true, "PMU", "OVSCLR"},
    Run{0xE0003CA0, 1, true, "PMU", "SWINC"},
    Run{0xE0003CC0, 1, true, "PMU", "OVSSET"},
    Run{0xE0003E00, 2, true, "PMU", "TYPE CTRL"},
    Run{0xE0003FB8, 1, false, "PMU", "AUTHSTATUS"},
    Run{0xE0003FBC, 1, true, "PMU", "DEVARCH"},
    Run{0xE0003FCC, 1, false, "PMU", "DEVTYPE"},
    Run{0xE0005000, 8, false, "", "ERRFR0 . ERRCTRL0 . ERRSTATUS0 . ERRADDR0 ERRADDR20"},
    Run{0xE0005E00, 1, false, "", "ERRGSR0"},
    Run{0xE0005FC8, 1, false, "", "ERRDEVID"},
    Run{0xE000E004, 1, true, "ICB", "ICTR"},
    Run{0xE000E008, 1, false, "ICB", "ACTLR"},
    Run{0xE000E00C, 1, true, "ICB", "CPPWR"},
    Run{0xE000E010, 4, true, "SysTick", "CTRL LOAD VAL CALIB"},
    Run{0xE000E100, 16, true, "NVIC", "ISER"},
    Run{0xE000E180, 16, true, "NVIC", "ICER"},
    Run{0xE000E200, 16, true, "NVIC", "ISPR"},
    Run{0xE000E280, 16, true, "NVIC", "ICPR"},
    Run{0xE000E300, 16, true, "NVIC", "IABR"},
    Run{0xE000E380, 16, true, "NVIC", "ITNS"},
    Run{0xE000E400, 124, true, "NVIC", "IPR"},
    Run{0xE000ED00, 36, true, "SCB",
        "CPUID ICSR VTOR AIRCR SCR CCR SHPR[0] SHPR[4] SHPR[8] SHCSR CFSR HFSR DFSR MMFAR BFAR "
        "AFSR ID_PFR[0] ID_PFR[1] ID_DFR ID_AFR ID_MMFR[0] ID_MMFR[1] ID_MMFR[2] ID_MMFR[3] "
        "ID_ISAR[0] ID_ISAR[1] ID_ISAR[2] ID_ISAR[3] ID_ISAR[4] ID_ISAR[5] CLIDR CTR CCSIDR CSSELR "
        "CPACR NSACR"},
    Run{0xE000ED90, 11, true, "MPU",
        "TYPE CTRL RNR RBAR RLAR RBAR_A1 RLAR_A1 RBAR_A2 RLAR_A2 RBAR_A3 RLAR_A3"},
    Run{0xE000EDC0, 2, true, "MPU", "MAIR0 MAIR1"},
    Run{0xE000EDD0, 7, true, "SAU", "CTRL TYPE RNR RBAR RLAR SFSR SFAR"},
    Run{0xE000EDF0, 1, true, "DCB", "DHCSR"},
    Run{0xE000EDF4, 2, false, "DCB", "DCRSR DCRDR"},
    Run{0xE000EDFC, 1, true, "DCB", "DEMCR"},
    Run{0xE000EE00, 2, false, "DCB", "DSCEMCR DAUTHCTRL"},
    Run{0xE000EE08, 1, true, "DCB", "DSCSR"},
    Run{0xE000EF00, 1, true, "NVIC", "STIR"},
    Run{0xE000EF04, 1, false, "SCB", "RFSR"},
    Run{0xE000EF34, 3, true, "FPU", "FPCCR FPCAR FPDSCR"},
    Run{0xE000EF40, 3, true, "FPU", "MVFR0 MVFR1 MVFR2"},
    Run{0xE000EF50, 1, true, "SCB", "ICIALLU"},
    Run{0xE000EF58, 9, true, "SCB",
        "ICIMVAU DCIMVAC DCISW DCCMVAU DCCMVAC DCCSW DCCIMVAC DCCISW BPIALL"},
    Run{0xE000EF90, 3, false, "SCB", "ITCMCR DTCMCR AHBPCR"},
    Run{0xE000EF9C, 1, true, "SCB", "CACR"},
    Run{0xE000EFA0, 3, false, "SCB", "AHBSCR . ABFSR"},
    Run{0xE000EFB8, 1, true, "DIB", "DAUTHSTATUS"},
    Run{0xE000EFBC, 5, false, "DIB", "DDEVARCH . . . DDEVTYPE"},
    Run{0xE001E000, 1, true, "MEMSYSCTL", "MSCR"},
    Run{0xE001E004, 1, false, "MEMSYSCTL", "PFCR"},
    Run{0xE001E010, 3, true, "MEMSYSCTL", "ITCMCR DTCMCR PAHBCR"},
    Run{0xE001E100, 11, false, "ERRBNK", "IEBR0 IEBR1 . . DEBR0 DEBR1 . . TEBR0 . TEBR1"},
    Run{0xE001E300, 2, false, "PWRMODCTL", "CPDLPSTATE DPDLPSTATE"},
    Run{0xE001E400, 1, false, "EWIC_ISA", "EVENTSPR"},
    Run{0xE001E480, 1, false, "EWIC_ISA", "EVENTMASKA"},
    Run{0xE001E484, 15, false, "EWIC_ISA", "EVENTMASKn"},
    Run{0xE001E500, 2, false, "MEMSYSCTL", "ITGU_CTRL ITGU_CFG"},
    Run{0xE001E510, 16, false, "MEMSYSCTL", "ITGU_LUT"},
    Run{0xE001E600, 2, false, "MEMSYSCTL", "DTGU_CTRL DTGU_CFG"},
    Run{0xE001E610, 16, false, "MEMSYSCTL", "DTGU_LUT"},
    Run{0xE001E700, 2, false, "PRCCFGINF", "CFGINFOSEL CFGINFORD"},
    Run{0xE001E800, 8, false, "STL",
        "STLNVICPENDOR STLNVICACTVOR . . STLIDMPUSR STLIMPUOR STLD0MPUOR STLD1MPUOR"},
    Run{0xE0040000, 5, false, "TPIU", "SSPSR CSPSR . . ACPR"},
    Run{0xE00400F0, 1, false, "TPIU", "SPPR"},
    Run{0xE0040300, 3, false, "TPIU", "FFSR FFCR PSCR"},
    Run{0xE0040EE8, 7, false, "TPIU", "TRIGGER ITFTTD0 ITATBCTR2 . ITATBCTR0 ITFTTD1 ITCTRL"},
    Run{0xE0040FA0, 2, false, "TPIU", "CLAIMSET CLAIMCLR"},
    Run{0xE0040FC8, 2, false, "TPIU", "DEVID DEVTYPE"},
    Run{0xE0047000, 4, false, "EWIC", "EWIC_CR EWIC_ASCR EWIC_CLRMASK EWIC_NUMID"},
    Run{0xE0047200, 1, false, "EWIC", "EWIC_MASKA"},
    Run{0xE0047204, 15, false, "EWIC", "EWIC_MASKn"},
    Run{0xE0047400, 1, false, "EWIC", "EWIC_PENDA"},
    Run{0xE0047404, 15, false, "EWIC", "EWIC_PENDn"},
    Run{0xE0047600, 1, false, "EWIC", "EWIC_PSR"},
};

static_assert(std::ranges::is_sorted(kRuns, {}, &Run::address));

constexpr std::uint32_t kBlockMask = 0xFFFFF000, kControlSpace = 0xE000E000,
                        kControlSpaceNonSecure = 0xE002E000;

bool is_non_secure_alias(std::uint32_t address) {
    return (address & kBlockMask) == kControlSpaceNonSecure;
}

/// Returns the run that `address` lies in, or null.
const Run* find_run(std::uint32_t address) {
    if (is_non_secure_alias(address)) address = kControlSpace | (address & ~kBlockMask);
    const auto after = std::ranges::upper_bound(kRuns, address, {}, &Run::address);
    if (after == kRuns.begin()) return nullptr;
    const Run& run = *(after - 1);
    return (address - run.address) / 4 < run.words ? &run : nullptr;
}

/// Returns the name of word `index` of the run, or "." if it has none.
std::string name_in_run(const Run& run, std::uint32_t index) {
    const bool array = run.words > 1 && run.names.find(' ') == std::string_view::npos;
    if (array) return std::string(run.names) + '[' + std::to_string(index) + ']';
    std::string_view rest = run.names;
    for (; index > 0; --index) rest.remove_prefix(rest.find(' ') + 1);
    return std::string(rest.substr(0, rest.find(' ')));
}

/// Blocks of 4 KiB in which something is modelled, by number after the start of the bus.
constexpr std::array<std::uint32_t, 5> kBlocks{0x00, 0x01, 0x03, 0x0E, 0x1E};
using Words = std::array<std::uint64_t, 0x1000 / 4 / 64>;

/// One bit per word of each block, as every access asks.
constexpr std::array<Words, kBlocks.size()> kModelled = [] {
    std::array<Words, kBlocks.size()> result{};
    for (const Run& run : kRuns) {
        const std::uint32_t number = run.address >> 12 & 0xFF;
        for (std::size_t block = 0; run.modelled && block < kBlocks.size(); ++block) {
            if (kBlocks[block] != number) continue;
            for (std::uint32_t i = 0; i < run.words; ++i) {
                const std::uint32_t word = (run.address & 0xFFF) / 4 + i;
                result[block][word / 64] |= std::uint64_t{1} << word % 64;
            }
        }
    }
    return result;
}();

}  // namespace

bool is_modelled_register(std::uint32_t address) {
    if (is_non_secure_alias(address)) address = kControlSpace | (address & ~kBlockMask);
    if (address >> 20 != 0xE00) return false;
    const auto block = std::ranges::find(kBlocks, address >> 12 & 0xFF);
    if (block == kBlocks.end()) return false;
    const std::uint32_t word = (address & ~kBlockMask) / 4;
    const Words& words = kModelled[static_cast<std::size_t>(block - kBlocks.begin())];
    return (words[word / 64] >> word % 64 & 1) != 0;
}

std::string private_register_name(std::uint32_t address) {
    const Run* const run = find_run(address);
    if (run == nullptr) return {};
    std::string name = name_in_run(*run, (address & 0xFFF) / 4 - (run->address & 0xFFF) / 4);
    if (name == ".") return {};
    if (run->unit.empty()) return name;
    return std::string(run->unit) + (is_non_secure_alias(address) ? "_NS->" : "->") + name;
}

}  // namespace n6vp::models::core

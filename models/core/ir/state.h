// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace n6vp::models::core {

class DataCache;
class InstructionCache;
class MemorySystem;
class System;

/// Why generated code returned to the engine.
enum class Exit : std::uint8_t {
    None,    ///< still running
    Budget,  ///< the granted cycles are used up, or something asked for attention
    Lookup,  ///< the next block is not known to the branch; `CpuState::pc` says where it is
    Fault,   ///< the current instruction did not complete; `CpuState::fault` says why
    Call,    ///< SVC completed; `pc` is its return address
    Return,  ///< a branch to EXC_RETURN or FNC_RETURN; `pc` holds it
    BranchNonSecure,  ///< BXNS with bit 0 clear; `pc` is the target
    CallNonSecure,    ///< BLXNS with bit 0 clear; `pc` is the target
    Wait,             ///< WFI or WFE went to sleep
    Breakpoint,       ///< BKPT without handler, or a breakpoint of `Core`
    Semihosting,      ///< BKPT 0xAB; `pc` is still its address
};

/// Exception numbers of Armv8-M below the first interrupt.
enum class Exception : std::uint8_t {
    None = 0,
    Reset = 1,
    NonMaskable = 2,
    HardFault = 3,
    MemManage = 4,
    BusFault = 5,
    UsageFault = 6,
    SecureFault = 7,
    SvCall = 11,
    DebugMonitor = 12,
    PendSv = 14,
    SysTick = 15,
};
inline constexpr unsigned kFirstInterrupt = 16;

/// A synchronous fault of the instruction at `CpuState::pc`.
struct PendingFault {
    Exception exception = Exception::None;
    /// Bits to set: in CFSR for MemManage, BusFault and UsageFault, in SFSR for SecureFault.
    std::uint32_t status = 0;
    std::uint32_t address = 0;  ///< for MMFAR, BFAR or SFAR
    bool address_valid = false;
};

/// CFSR bits.
namespace cfsr {
inline constexpr std::uint32_t kIaccViol = 1u << 0, kDaccViol = 1u << 1, kMunStkErr = 1u << 3,
                               kMStkErr = 1u << 4, kMLspErr = 1u << 5, kMmarValid = 1u << 7;
inline constexpr std::uint32_t kIbusErr = 1u << 8, kPrecisErr = 1u << 9, kImprecisErr = 1u << 10,
                               kUnStkErr = 1u << 11, kStkErr = 1u << 12, kLspErr = 1u << 13,
                               kBfarValid = 1u << 15;
inline constexpr std::uint32_t kUndefInstr = 1u << 16, kInvState = 1u << 17, kInvPc = 1u << 18,
                               kNoCp = 1u << 19, kStkOf = 1u << 20, kUnaligned = 1u << 24,
                               kDivByZero = 1u << 25;
}  // namespace cfsr

/// SFSR bits.
namespace sfsr {
inline constexpr std::uint32_t kInvEp = 1u << 0, kInvIs = 1u << 1, kInvEr = 1u << 2,
                               kAuViol = 1u << 3, kInvTran = 1u << 4, kLsPerr = 1u << 5,
                               kSfarValid = 1u << 6, kLsErr = 1u << 7;
}  // namespace sfsr

/// FPSCR bits. NZCV of the floating-point unit live in `CpuState::fpscr` like all others; LTPSIZE
/// does not, see `CpuState::ltpsize`.
namespace fpscr {
inline constexpr std::uint32_t kIoc = 1u << 0, kDzc = 1u << 1, kOfc = 1u << 2, kUfc = 1u << 3,
                               kIxc = 1u << 4, kIdc = 1u << 7, kLtpsize = 7u << 16,
                               kFz16 = 1u << 19, kRMode = 3u << 22, kFz = 1u << 24, kDn = 1u << 25,
                               kAhp = 1u << 26, kQc = 1u << 27, kV = 1u << 28, kC = 1u << 29,
                               kZ = 1u << 30, kN = 1u << 31;
}  // namespace fpscr

/// VPR: P0 in bits 15:0, MASK01 in 19:16, MASK23 in 23:20.
namespace vpr {
inline constexpr std::uint32_t kP0 = 0xFFFF, kMask01 = 0xFu << 16, kMask23 = 0xFu << 20,
                               kMasks = kMask01 | kMask23;
}  // namespace vpr

/// Index of a stack pointer in `CpuState::stack_pointers` and of its limit in `stack_limits`.
enum StackPointer : std::uint8_t { kMspNs, kPspNs, kMspS, kPspS };

/// Registers banked between the security states are arrays indexed by this.
enum Security : std::uint8_t { kNonSecure, kSecure };

/// Everything that instructions read and write. Hot members first.
///
/// General registers: r[13] is the stack pointer in use (its bank entry is stale meanwhile), r[15]
/// holds an address only where a block asked for it with `Builder::expose_pc`.
struct alignas(64) CpuState {
    std::array<std::uint32_t, 16> r{};

    std::uint32_t n = 0;         ///< N is bit 31
    std::uint32_t z = 1;         ///< Z is set if this is zero
    std::uint32_t c = 0;         ///< 0 or 1
    std::uint32_t v = 0;         ///< V is bit 31
    std::uint32_t q = 0;         ///< 0 or 1: APSR.Q
    std::uint32_t ge = 0;        ///< four bits: APSR.GE
    std::uint32_t sp_limit = 0;  ///< of the stack pointer in use

    /// Cycles left in this slice; negative when overdrawn. Cycles since reset are
    /// `cycle_base - budget`.
    std::int64_t budget = 0;
    std::uint64_t instructions = 0;       ///< completed, up to the last finished block
    std::uint8_t** read_pages = nullptr;  ///< by address >> 12: host address of the page, or null
    std::uint8_t** write_pages = nullptr;
    DataCache* data_cache = nullptr;                ///< null without cache timing
    InstructionCache* instruction_cache = nullptr;  ///< null without cache timing
    const struct JumpCache* jump_cache = nullptr;   ///< of indirect branches
    MemorySystem* memory = nullptr;
    System* system = nullptr;

    // Vector and floating-point unit.
    alignas(16) std::array<std::uint8_t, 128> vector{};  ///< S0-S31, D0-D15, Q0-Q7 overlaid
    std::uint32_t fpscr = 0;                             ///< without LTPSIZE
    std::uint32_t ltpsize = 4;                           ///< 4 = no tail predication
    /// What FPSCR has; without LTPSIZE, `ltpsize` stays 4.
    std::uint32_t fpscr_bits = 0xFFCF009F;
    std::uint32_t vpr = 0;
    std::uint8_t eci = 0;   ///< beats done of the next instruction: ECI bits 3:0 of EPSR, 0 = none
    bool fp_ready = false;  ///< the FP context is active and allowed: no check is needed

    Exit exit = Exit::None;
    bool secure = true;
    bool privileged = true;
    bool thumb = true;            ///< EPSR.T: clear makes the next instruction fault (INVSTATE)
    std::uint32_t pc = 0;         ///< valid when not running
    std::uint32_t resume_pc = 1;  ///< a breakpoint here is passed once; odd = none
    std::uint8_t itstate = 0;     ///< of the instruction at `pc`, valid when not running
    PendingFault fault;
    std::uint64_t cycle_base = 0;
    /// Of the cycles granted, those that are kept back so that the engine sees the end of the next
    /// block.
    std::int64_t held_back = 0;
    /// Cycles that depend on data, and the branch predictor; null: the core or grade has none.
    const struct DynamicTiming* dynamic = nullptr;
    class BranchPredictor* predictor = nullptr;
    /// In which the next block is entered, see IssueModel. Valid when not running.
    std::uint8_t issue_state = 0;
    /// Bits of a quotient that take a cycle; 0: division takes no more than its issue.
    std::uint8_t divide_bits_per_cycle = 0;
    /// Result of a slow load and operand of a slow store: locals stay free of addresses, so that
    /// the compiler can turn a handler's last call into a jump.
    alignas(16) std::array<std::uint8_t, 16> transfer{};

    // Special registers.
    std::uint32_t ipsr = 0;
    std::array<std::uint32_t, 4> stack_pointers{};  ///< by StackPointer
    std::array<std::uint32_t, 4> stack_limits{};
    std::array<std::uint8_t, 2> primask{}, faultmask{}, basepri{};
    std::array<std::uint8_t, 2> control{};  ///< nPRIV (bit 0), SPSEL (bit 1), by Security
    bool fpca = false, sfpa = false;        ///< CONTROL.FPCA, CONTROL.SFPA
    bool event = false;                     ///< event register of WFE
    bool exclusive = false;                 ///< local monitor holds `exclusive_address`
    std::uint32_t exclusive_address = 0;
};

/// Returns lane `index` of the vector registers seen as elements of T: S, D, or any lane of a Q
/// register q at `q * 16 / sizeof(T) + lane`.
template <class T>
[[nodiscard]] inline T vector_lane(const CpuState& cpu, unsigned index) {
    T value;
    std::memcpy(&value, cpu.vector.data() + index * sizeof(T), sizeof(T));
    return value;
}

template <class T>
inline void set_vector_lane(CpuState& cpu, unsigned index, T value) {
    std::memcpy(cpu.vector.data() + index * sizeof(T), &value, sizeof(T));
}

inline void set_nz(CpuState& cpu, std::uint32_t result) {
    cpu.n = result;
    cpu.z = result;
}

/// Returns APSR: N, Z, C, V, Q and GE in their places.
[[nodiscard]] inline std::uint32_t apsr(const CpuState& cpu) {
    return (cpu.n & 0x80000000u) | (cpu.z == 0 ? 1u << 30 : 0u) | cpu.c << 29 |
           (cpu.v >> 31) << 28 | cpu.q << 27 | cpu.ge << 16;
}

inline void set_apsr_nzcvq(CpuState& cpu, std::uint32_t value) {
    cpu.n = value;
    cpu.z = (value >> 30 & 1) ^ 1;
    cpu.c = value >> 29 & 1;
    cpu.v = value << 3;
    cpu.q = value >> 27 & 1;
}

/// Returns FPSCR with LTPSIZE in its place.
[[nodiscard]] inline std::uint32_t whole_fpscr(const CpuState& cpu) {
    return (cpu.fpscr | cpu.ltpsize << 16) & cpu.fpscr_bits;
}

/// Writes what FPSCR has of `value`.
inline void set_whole_fpscr(CpuState& cpu, std::uint32_t value) {
    if ((cpu.fpscr_bits & fpscr::kLtpsize) != 0) cpu.ltpsize = (value & fpscr::kLtpsize) >> 16;
    cpu.fpscr = value & cpu.fpscr_bits & ~fpscr::kLtpsize;
}

/// Returns true if condition `code` (0 to 14) holds.
[[nodiscard]] inline bool condition_holds(const CpuState& cpu, unsigned code) {
    bool holds = true;
    switch (code >> 1) {
        case 0:
            holds = cpu.z == 0;
            break;
        case 1:
            holds = cpu.c != 0;
            break;
        case 2:
            holds = cpu.n >> 31 != 0;
            break;
        case 3:
            holds = cpu.v >> 31 != 0;
            break;
        case 4:
            holds = cpu.c != 0 && cpu.z != 0;
            break;
        case 5:
            holds = (cpu.n ^ cpu.v) >> 31 == 0;
            break;
        case 6:
            holds = (cpu.n ^ cpu.v) >> 31 == 0 && cpu.z != 0;
            break;
        default:
            return true;
    }
    return holds != ((code & 1) != 0);
}

}  // namespace n6vp::models::core

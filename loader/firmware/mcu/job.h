// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// What the firmware for models of the older family shares with whoever starts it: a job, which the
/// host stores in RAM before the core starts, and events, by which the firmware calls the host.
/// Both are words only and the same on either side.
///
/// An event is BKPT 0xAB with `kEventOperation` in r0 (semihosting leaves 0x100 to 0x1FF to
/// applications) and the address of its words in r1; the first of them is the `Event`. The host
/// answers in r0. No simulated time passes but that of the instructions around it.
namespace n6vp::firmware::mcu {

/// RAM that every chip of the older families has. The stack is at its start: one that grows too far
/// leaves the RAM and faults.
inline constexpr std::uint32_t kRamStart = 0x20000000, kStackBytes = 0x4000, kRamBytes = 0x6000;
inline constexpr std::uint32_t kJobAddress = kRamStart + kStackBytes, kJobBytes = 0x800;
/// Flash that vectors, code and constants take at most.
inline constexpr std::uint32_t kFlashStart = 0x08000000, kFlashBytes = 0x10000;
inline constexpr std::uint32_t kJobMagic = 0x4A4C364E;  ///< "N6LJ"

/// One register access of the set-up of the chip: of clocks, wait states, caches of the chip.
struct Step {
    std::uint32_t address = 0;
    std::uint32_t mask = 0;   ///< bits that change, or are looked at
    std::uint32_t value = 0;  ///< of those bits
    std::uint32_t waits = 0;  ///< 1: until they have the value; 0: sets them
};
inline constexpr std::uint32_t kMaxSteps = 32;

/// One way to install the model.
struct Variant {
    std::uint32_t file = 0, file_bytes = 0;
    std::uint32_t mode = 0;                ///< AI_RELOC_RT_LOAD_MODE_*
    std::uint32_t ram = 0, ram_bytes = 0;  ///< both 0: from the heap
    std::uint32_t weights = 0;             ///< 0: those inside the file
    std::uint32_t activations = 0, activations_bytes = 0;
    /// For inputs and outputs that are not in the activations, and for the heap behind them.
    std::uint32_t spare = 0, spare_bytes = 0;
};
inline constexpr std::uint32_t kMaxVariants = 8;

struct Job {
    std::uint32_t magic = kJobMagic;
    std::uint32_t step_count = 0;
    Step steps[kMaxSteps];
    std::uint32_t core_caches = 0;  ///< 1: enable the caches of the core
    std::uint32_t repeat = 1;       ///< inferences without observer
    std::uint32_t variant_count = 0;
    Variant variants[kMaxVariants];
};
static_assert(sizeof(Job) <= kJobBytes);

inline constexpr std::uint32_t kEventOperation = 0x100;

/// Words behind the number of the event. Cycles are those of the core.
enum class Event : std::uint32_t {
    VariantBegins,  ///< its number
    /// Rule, offset in the file, address, expected, found: why the loader refused.
    Refused,
    /// Static base of the model, just before `create`: what the loader wrote is complete.
    Installed,
    /// `ai_error`, handle, cycles of all, of `create`, and of each loader::Phase.
    Loaded,
    /// 0 or 1, cycles, `ai_error`.
    Initialised,
    /// Address of the `ai_network_report`, its size, of the inputs, their number, of the outputs,
    /// their number. The host enters the inputs; answers 0 to go on.
    Described,
    InferenceBegins,  ///< 1: with observer
    /// 1: with observer, batches or error, cycles, `ai_error`.
    InferenceEnds,
    /// c_idx, type, id, cycles since the node before, of the node.
    Node,
    /// Result of `destroy`, cycles, bytes of heap used at most.
    Destroyed,
    Failed,  ///< number of the `Failure`
};
inline constexpr std::uint32_t kEventWords = 12;

enum class Failure : std::uint32_t { NoReport, TooManyTensors, NoRoom, NoObserver };

/// Most inputs, outputs, and buffers of weights or activations that the firmware has a place for.
inline constexpr std::uint32_t kMaxTensors = 16;

/// Exit codes.
inline constexpr std::uint32_t kExitDone = 0, kExitBadJob = 2, kExitFault = 3;

}  // namespace n6vp::firmware::mcu

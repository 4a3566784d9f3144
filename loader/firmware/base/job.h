// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "memmap/board.h"
#include "memmap/guest_addr.h"

/// Job and result of the firmware of the simulated chip: two records at fixed addresses (symbols
/// `n6vp_job` and `n6vp_result`), accessed by the host that starts the program. They contain words
/// only and are the same on the chip and on the host, which may include this header.
namespace n6vp::firmware::chip {

inline constexpr GuestAddr kJobAddress{0x34000400};
inline constexpr GuestAddr kResultAddress{0x34000800};
inline constexpr std::uint32_t kRecordBytes = 0x400;
inline constexpr std::uint32_t kJobMagic = 0x424A364E;     ///< "N6JB"
inline constexpr std::uint32_t kResultMagic = 0x5352364E;  ///< "N6RS"

enum JobKind : std::uint32_t {
    kSetUpOnly,
    kInstall,  ///< get_info, log if wanted, install: the C API of the loader
    kCopy,     ///< times copies of memory
    kProbe,    ///< touches what the set-up steps open
    kInfer,    ///< as Install, then the runtime: init, inputs, inferences, outputs
};

/// Bits of `Job::flags`.
enum JobFlag : std::uint32_t {
    kUseMailbox = 1u << 0,    ///< phases, text and exit code by the mailbox; else by semihosting
    kUseArguments = 1u << 1,  ///< `key=value` words of the mailbox's arguments change the job
    kUseConsole = 1u << 2,    ///< switches USART1 on
    kLog = 1u << 3,         ///< Install: ll_aton_reloc_log_info on the console, as vendor builds do
    kNoImageCrc = 1u << 4,  ///< Install: leaves `Result::image_crc` out
    kProvoke = 1u << 5,     ///< Probe: reads the NPU's non-secure alias, an illegal access
    kWaitForNpu = 1u << 6,  ///< Probe: sleeps until NVIC line 53 came or SysTick ended it
    kKeepClocks = 1u << 7,  ///< set-up step 2 leaves the frequencies alone
    kNoNpuCache = 1u << 8,  ///< Install: leaves the NPU cache alone; a bare core has none
    kRaiseNpu = 1u << 9,    ///< Probe, kWaitForNpu: pends NVIC line 53 itself, in the NPU's place
    kFiles = 1u << 10,      ///< Infer: input_<i>.bin and output_<i>.bin of the folder granted
    kTable = 1u << 11,      ///< Infer: a line of text for every epoch block of the first inference
    kNoBlocks = 1u << 12,   ///< Infer: no phase for every epoch block
    kTensors = 1u << 13,    ///< Infer: a line for every input and output, and for every inference
    kMarks = 1u << 14,      ///< phases for the parts of the install, and for every block of the
                            ///< first inference, which have no name of their own
    kValues = 1u << 15,     ///< Infer: a line with CRC and first values of every output
    kOverlay = 1u << 16,    ///< Infer, several models: each is installed anew into all of the exec
                            ///< RAM before it runs; else each has a part of it for itself
};

/// Numbers of the set-up steps in `Job::omitted`, bit 1 << number. As models::SetUpStep.
enum Step : std::uint32_t {
    kStepCacheRam = 1,
    kStepClocks,
    kStepRamClocks,
    kStepRamPower,
    kStepNpuClocks,
    kStepSleepClocks,
    kStepRifMaster,
    kStepRifSlave,
    kStepRisaf,
    kStepIac,
    kStepFastPins,
    kStepVectors,
};
/// Steps that need a register outside the core: a bare core (`n6vp exec`) has none of them.
inline constexpr std::uint32_t kPeripheralSteps = 0x0FFC;

/// How the model's firmware was built: bits of `Job::build`.
enum Build : std::uint32_t { kSecure = 1, kDebugInfo = 2, kAsync = 4, kNdebug = 8 };

inline constexpr std::uint32_t kClockSetUps = 3;

struct Copy {
    std::uint32_t to = 0, from = 0, bytes = 0;
};
inline constexpr std::uint32_t kMaxCopies = 16;

/// A model that the job is about, by the address of its file.
struct Model {
    std::uint32_t file = to_word(memmap::board::kModel.start);
    std::uint32_t params = 0;
    std::uint32_t mode = 2;  ///< AI_RELOC_RT_LOAD_MODE_*: COPY
    /// 21, 22, 30 or 40; 0: what the file says, of it and of `build`.
    std::uint32_t generation = 30;
    std::uint32_t build = kSecure | kDebugInfo | kAsync;
};
inline constexpr std::uint32_t kMaxModels = 4;

struct Job {
    std::uint32_t magic = kJobMagic;
    std::uint32_t kind = kInstall;
    std::uint32_t flags = kUseMailbox | kUseArguments;
    std::uint32_t omitted = 0;  ///< set-up steps to leave out
    std::uint32_t uart_divider = 109;

    // Install. Addresses of the board layout; Infer divides exec RAM and external RAM among several
    // models.
    Model models[kMaxModels];
    std::uint32_t model_count = 1;
    std::uint32_t exec_ram = to_word(memmap::board::kExecRam.start);
    std::uint32_t exec_ram_bytes = memmap::board::kExecRam.bytes;
    std::uint32_t ext_ram = to_word(memmap::board::kExternalRam.start);
    std::uint32_t ext_ram_bytes = memmap::board::kExternalRam.bytes;

    std::uint32_t clocks = 0;  ///< set-up step 2: 0 overdrive, 1 nominal, 2 all at 400 MHz

    // Infer.
    std::uint32_t repeat = 1;  ///< inferences of each model
    std::uint32_t fill = 0;    ///< byte that inputs are made of, without kFiles
    /// For buffers that a model wants from its user: the part of the PSRAM that the board keeps
    /// free.
    std::uint32_t user_ram = 0x90000000;
    std::uint32_t user_ram_bytes = 0x100000;

    // Probe.
    std::uint32_t wait_cycles = 800'000;  ///< of SysTick, at most 2^24

    // Copy. None given: the sizes and memories of `kUsualCopies`.
    std::uint32_t copy_count = 0;
    Copy copies[kMaxCopies];
};
static_assert(sizeof(Job) <= kRecordBytes);

/// NOR flash to AXISRAM2, and within AXISRAM1, which is too small for more than 256 KiB twice.
inline constexpr std::uint32_t kUsualFlash = 0x71000000, kUsualRam2 = 0x34100000,
                               kUsualFrom1 = 0x34064000, kUsualTo1 = 0x340B0000;
inline constexpr Copy kUsualCopies[] = {
    {kUsualRam2, kUsualFlash, 64 * 1024},   {kUsualRam2, kUsualFlash, 128 * 1024},
    {kUsualRam2, kUsualFlash, 256 * 1024},  {kUsualRam2, kUsualFlash, 512 * 1024},
    {kUsualRam2, kUsualFlash, 1024 * 1024}, {kUsualTo1, kUsualFrom1, 64 * 1024},
    {kUsualTo1, kUsualFrom1, 128 * 1024},   {kUsualTo1, kUsualFrom1, 256 * 1024},
};

enum ResultState : std::uint32_t { kRunning = 1, kDone, kFaulted };

/// Core cycles (DWT CYCCNT) of one copy with each routine. Before each of them the caches hold
/// nothing of either range; what the copy leaves in the D-cache is not part of it.
struct CopyCycles {
    std::uint32_t memcpy = 0;     ///< newlib's
    std::uint32_t loader = 0;     ///< MemoryPort::copy, which is newlib's memmove
    std::uint32_t word_loop = 0;  ///< a plain loop of words compiled for size
};

struct Result {
    std::uint32_t magic = 0;  ///< kResultMagic from the start of main on
    std::uint32_t state = 0;
    /// Of the C API, or kInferenceFailed; 0 for other jobs that went well.
    std::int32_t code = 0;

    // Core cycles.
    std::uint32_t set_up_cycles = 0, info_cycles = 0, log_cycles = 0, install_cycles = 0;

    std::uint32_t log_characters = 0;  ///< on the console, `kLog`
    std::uint32_t image_bytes = 0;     ///< exec RAM that the model takes in this mode
    std::uint32_t image_crc = 0;       ///< CRC-32 of those bytes after the install
    std::uint32_t info_code_bytes = 0, info_params_bytes = 0;

    std::uint32_t npu_interrupts = 0, iac_interrupts = 0;
    std::uint32_t iac_flags[5] = {};  ///< IAC_ISRx, collected

    /// Probe: the word read back from AXISRAM3, 4, 5, 6 and the NPU cache's RAM after `kProbeWord`
    /// was written there, and from VENCRAM.
    std::uint32_t memory_words[6] = {};
    std::uint32_t cache_control = 0;  ///< CACHEAXI_CR1 after enabling it; EN is bit 0
    std::uint32_t npu_word = 0;       ///< first register of the NPU
    std::uint32_t psram_word = 0;     ///< read back from external RAM
    std::uint32_t provoked_word = 0;
    std::uint32_t timed_out = 0;  ///< 1: the NPU's line did not come

    struct Fault {
        std::uint32_t exception = 0, pc = 0, lr = 0, cfsr = 0, bfar = 0;
    } fault;

    std::uint32_t copy_count = 0;
    CopyCycles copies[kMaxCopies];

    // Infer. Core cycles of the phases; CRC-32 over all outputs of the last inference.
    std::uint32_t runtime_init_cycles = 0, network_init_cycles = 0, first_cycles = 0,
                  last_cycles = 0;
    std::uint32_t inferences = 0, blocks = 0, output_crc = 0, user_bytes = 0;
};
inline constexpr std::int32_t kInferenceFailed = 1;
static_assert(sizeof(Result) <= kRecordBytes);

inline constexpr std::uint32_t kProbeWord = 0x6E36C0DE;

}  // namespace n6vp::firmware::chip

// SPDX-License-Identifier: Apache-2.0
// The longer layout of epoch items: what it adds is looked at only where the file has it.
#define LL_ATON_EB_DBG_INFO
#include <cstring>

#include "loader/capi/ll_aton_reloc_network.h"
#include "loader/firmware/base/host.h"
#include "loader/firmware/chip/cycles.h"
#include "loader/firmware/chip/jobs.h"
#include "loader/firmware/chip/models.h"
#include "loader/firmware/chip/tensors.h"
#include "loader/firmware/core.h"
#include "loader/firmware/ports/stm32n6/caches.h"
#include "loader/firmware/text.h"
#include "loader/runtime/capi/ll_aton_runtime.h"
#include "memmap/mailbox.h"

/// Runs models as an application does: install, init, inputs, inferences, outputs.

namespace n6vp::firmware::chip {

namespace {

using loader::CacheOp;

/// What one epoch block took, in core cycles: vendor reports call it pre, core and post.
struct BlockCycles {
    std::int32_t epoch, last_epoch;
    std::uint32_t flags, before, core, after;
};
constexpr std::uint32_t kMaxBlocks = 1024;

/// The first `Recording::count` of them are written.
N6VP_SECTION(".noinit.blocks")
BlockCycles recorded_blocks[kMaxBlocks];

struct Recording {
    std::uint32_t count;
    std::uint32_t pre_start, post_start, pre_end;
    bool on;
};
constinit Recording recording{};

/// CRC of the outputs of each model's last inference.
constinit std::uint32_t output_crcs[kMaxModels] = {};

bool has_debug_information() {
    return (model().build & kDebugInfo) != 0;
}

/// How the blocks of the inference that is under way are shown to the mailbox.
bool blocks_are_named() {
    return host::hears_phases() && !wanted(kNoBlocks) && !wanted(kMarks);
}
bool blocks_are_marked() {
    return host::hears_phases() && wanted(kMarks) && recording.on;
}

PhaseId phase_of(const EpochBlock_ItemTypeDef& item) {
    constexpr std::uint32_t kInternal = 0x80;
    return (item.flags & kInternal) != 0 ? kPhaseInsertedBlock : kPhaseBlock;
}

/// A phase costs a few cycles, a name of its own, the epochs that the block covers, a thousand.
void begin_block_phase(const EpochBlock_ItemTypeDef& item) {
    if (blocks_are_marked()) host::begin_phase(phase_of(item), "block");
    if (!blocks_are_named()) return;
    alignas(32) static char name[memmap::mailbox::kMaxPhaseName + 1];
    Text text;
    text.put("block ").decimal(recording.count);
    if (has_debug_information()) {
        text.put(item.epoch_num < 0 ? " inserted " : " epoch ");
        const std::int32_t epoch = item.epoch_num;
        text.decimal(static_cast<std::uint32_t>(epoch < 0 ? -epoch : epoch));
        if (item.last_epoch_num > item.epoch_num)
            text.put("-").decimal(static_cast<std::uint32_t>(item.last_epoch_num));
    }
    std::strncpy(name, text.text(), sizeof name - 1);
    const auto address = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(name));
    caches::maintain(CacheOp::McuClean, GuestAddr{address}, sizeof name);
    host::begin_phase(phase_of(item), name);
}

void end_block(const EpochBlock_ItemTypeDef& item, std::uint32_t now) {
    if (blocks_are_named() || blocks_are_marked()) host::end_phase(phase_of(item));
    result().blocks = result().blocks + 1;
    if (!recording.on || recording.count == kMaxBlocks) return;
    BlockCycles& block = recorded_blocks[recording.count++];
    block.epoch = has_debug_information() ? item.epoch_num : 0;
    block.last_epoch = has_debug_information() ? item.last_epoch_num : 0;
    block.flags = item.flags;
    block.before = recording.post_start - recording.pre_start;
    block.core = recording.pre_end - recording.post_start;
    block.after = now - recording.pre_end;
}

void on_block(LL_ATON_RT_Callbacktype_t type, const NN_Instance_TypeDef*,
              const EpochBlock_ItemTypeDef* item) {
    const std::uint32_t now = cycles();
    switch (type) {
        case LL_ATON_RT_Callbacktype_PRE_START:
            begin_block_phase(*item);
            recording.pre_start = cycles();
            break;
        case LL_ATON_RT_Callbacktype_POST_START:
            recording.post_start = now;
            break;
        case LL_ATON_RT_Callbacktype_PRE_END:
            recording.pre_end = now;
            break;
        case LL_ATON_RT_Callbacktype_POST_END:
            end_block(*item, now);
            break;
        default:
            break;
    }
}

void run_once() {
    std::uint32_t& taken = result().inferences == 0 ? result().first_cycles : result().last_cycles;
    const Phase phase(kPhaseInference, "inference", taken);
    for (;;) {
        const LL_ATON_RT_RetValues_t progress = LL_ATON_RT_RunEpochBlock(instance());
        if (progress == LL_ATON_RT_DONE) return;
        if (progress == LL_ATON_RT_WFE) LL_ATON_OSAL_WFE();
    }
}

const char* kind_of(std::uint32_t flags) {
    constexpr std::uint32_t kBlob = 0x04, kPureHw = 0x10, kPureSw = 0x20, kHybrid = 0x40;
    if ((flags & kBlob) != 0) return "EC";
    if ((flags & kPureHw) != 0) return "HW";
    if ((flags & kPureSw) != 0) return "SW";
    return (flags & kHybrid) != 0 ? "hybrid" : "internal";
}

void report_blocks() {
    for (std::uint32_t i = 0; i < recording.count; ++i) {
        const BlockCycles& block = recorded_blocks[i];
        Text line;
        line.put("block ").decimal(i).put(" epoch=");
        line.signed_decimal(block.epoch).put("..");
        line.signed_decimal(block.last_epoch).put(" kind=").put(kind_of(block.flags));
        line.put(" pre=").decimal(block.before).put(" core=").decimal(block.core);
        line.put(" post=").decimal(block.after).put("\n");
        say(line.text());
    }
}

void report_inference() {
    Text line;
    line.put("inference runs=").decimal(result().inferences);
    line.put(" blocks=").decimal(result().blocks);
    line.put(" output_crc=").hex(result().output_crc);
    line.put(" runtime_init_cycles=").decimal(result().runtime_init_cycles);
    line.put(" network_init_cycles=").decimal(result().network_init_cycles);
    line.put(" first_cycles=").decimal(result().first_cycles);
    line.put(" last_cycles=").decimal(result().last_cycles);
    line.put(" interrupts=").decimal(result().npu_interrupts).put("\n");
    say(line.text());
}

bool fail(const char* what) {
    result().code = kInferenceFailed;
    Text line;
    line.put("error: ").put(what).put("\n");
    say(line.text());
    return false;
}

void start_runtime() {
    const Phase phase(kPhaseRuntimeInit, "runtime init", result().runtime_init_cycles);
    handle_npu_interrupts_by(LL_ATON_RT_IrqHandler);
    LL_ATON_RT_RuntimeInit();
}

bool initialise() {
    LL_ATON_RT_SetNetworkCallback(instance(), on_block);
    {
        const Phase phase(kPhaseNetworkInit, "network init", result().network_init_cycles);
        LL_ATON_RT_Init_Network(instance());
    }
    constexpr const char* kNoBuffer =
        "the model does not get a buffer of its user; user= and user_bytes= name other memory, a "
        "smaller external RAM leaves more of the PSRAM";
    return give_buffers() || fail(kNoBuffer);
}

/// What the model has to run, for whoever shows how far it is.
void report_plan() {
    constexpr std::uint32_t kShortItemBytes = 20, kLastBlock = 0x08, kMaxItems = 4096;
    const std::uint32_t bytes =
        has_debug_information() ? sizeof(EpochBlock_ItemTypeDef) : kShortItemBytes;
    const EpochBlock_ItemTypeDef* item = instance()->exec_state.first_epoch_block;
    std::uint32_t blocks = 0;
    std::int32_t last_epoch = 0;
    while (item != nullptr && blocks < kMaxItems) {
        ++blocks;
        if (has_debug_information() && item->last_epoch_num > last_epoch)
            last_epoch = item->last_epoch_num;
        if ((item->flags & kLastBlock) != 0) break;
        const auto address = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(item));
        item = reinterpret_cast<const EpochBlock_ItemTypeDef*>(
            static_cast<std::uintptr_t>(address + bytes));
    }
    Text line;
    line.put("plan blocks=").decimal(blocks).put(" last_epoch=");
    say(line.signed_decimal(last_epoch).put("\n").text());
}

void report_run(std::uint32_t number, std::uint32_t cycles_taken) {
    Text line;
    line.put("run ").decimal(number).put(" cycles=").decimal(cycles_taken);
    line.put(" output_crc=").hex(result().output_crc).put("\n");
    say(line.text());
}

/// The runtime keeps what it read of the firmware's build until it is told a callback.
void switch_to(std::uint32_t index) {
    select_model(index);
    LL_ATON_RT_SetNetworkCallback(instance(), on_block);
}

/// The model's first inference is the one with number 0.
bool infer(std::uint32_t number) {
    if (!fill_inputs()) return fail("an input file is missing or too short");
    recording.on = number == 0;
    if (recording.on) recording.count = 0;
    const bool first_of_all = result().inferences == 0;
    run_once();
    result().inferences = result().inferences + 1;
    if (!read_outputs(result().output_crc)) return fail("an output file cannot be written");
    if (wanted(kTensors))
        report_run(number, first_of_all ? result().first_cycles : result().last_cycles);
    if (wanted(kValues)) report_values();
    std::uint32_t& before = output_crcs[model_index()];
    if (number != 0 && result().output_crc != before) return fail("two runs disagree");
    before = result().output_crc;
    // The next model's blocks take the place of these.
    if (number == 0 && several_models() && wanted(kTable)) report_blocks();
    return true;
}

void report_model() {
    if (!wanted(kTensors)) return;
    report_plan();
    report_tensors();
}

bool install(std::uint32_t index) {
    select_model(index);
    run_install();
    return result().code == 0;
}

/// Everything is installed once, each model in memory of its own.
bool run_side_by_side() {
    for (std::uint32_t i = 0; i < job().model_count; ++i) {
        if (!install(i)) return false;
    }
    start_runtime();
    for (std::uint32_t i = 0; i < job().model_count; ++i) {
        if (several_models()) select_model(i);
        if (!initialise()) return false;
        report_model();
    }
    for (std::uint32_t round = 0; round < job().repeat; ++round) {
        for (std::uint32_t i = 0; i < job().model_count; ++i) {
            if (several_models()) switch_to(i);
            if (round != 0) LL_ATON_RT_Reset_Network(instance());
            if (!infer(round)) return false;
        }
    }
    for (std::uint32_t i = 0; i < job().model_count; ++i) {
        if (several_models()) switch_to(i);
        LL_ATON_RT_DeInit_Network(instance());
    }
    return true;
}

/// Before each inference the model is installed anew, over the one before it.
bool run_in_turn() {
    for (std::uint32_t round = 0; round < job().repeat; ++round) {
        for (std::uint32_t i = 0; i < job().model_count; ++i) {
            free_memory();
            if (!install(i)) return false;
            if (round == 0 && i == 0) start_runtime();
            if (!initialise()) return false;
            if (round == 0) report_model();
            if (!infer(round)) return false;
            LL_ATON_RT_DeInit_Network(instance());
        }
    }
    return true;
}

}  // namespace

void run_inferences() {
    if (!wanted(kNoNpuCache)) caches::enable_npu();
    free_memory();
    if (!(several_models() && wanted(kOverlay) ? run_in_turn() : run_side_by_side())) return;
    LL_ATON_RT_RuntimeDeInit();
    report_inference();
    if (wanted(kTable) && !several_models()) report_blocks();
}

}  // namespace n6vp::firmware::chip

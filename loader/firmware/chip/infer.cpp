// SPDX-License-Identifier: Apache-2.0
// The longer layout of epoch items: what it adds is looked at only where the file has it.
#define LL_ATON_EB_DBG_INFO
#include <cstring>

#include "loader/capi/ll_aton_reloc_network.h"
#include "loader/crc32.h"
#include "loader/firmware/chip/cycles.h"
#include "loader/firmware/chip/jobs.h"
#include "loader/firmware/chip/state.h"
#include "loader/firmware/core.h"
#include "loader/firmware/ports/stm32n6_sim/caches.h"
#include "loader/firmware/ports/stm32n6_sim/mailbox.h"
#include "loader/firmware/text.h"
#include "loader/runtime/capi/ll_aton_runtime.h"

/// Runs an installed model as an application does: init, inputs, inferences, outputs.
extern "C" {
extern std::uint8_t n6vp_instance[];
}

namespace n6vp::firmware::chip {

namespace {

using loader::CacheOp;

/// What one epoch block took, in core cycles: vendor reports call it pre, core and post.
struct BlockCycles {
    std::int32_t epoch, last_epoch;
    std::uint32_t flags, before, core, after;
};
constexpr std::uint32_t kMostBlocks = 1024;

/// The first `Recording::count` of them are written.
N6VP_SECTION(".noinit.blocks")
BlockCycles recorded_blocks[kMostBlocks];

struct Recording {
    std::uint32_t count;
    std::uint32_t pre_start, post_start, pre_end;
    bool on;
};
constinit Recording recording{};

NN_Instance_TypeDef* instance() {
    return reinterpret_cast<NN_Instance_TypeDef*>(n6vp_instance);
}

std::uint32_t start_of(const LL_Buffer_InfoTypeDef& tensor) {
    return static_cast<std::uint32_t>(
        reinterpret_cast<std::uintptr_t>(LL_Buffer_addr_start(&tensor)));
}

void maintain(CacheOp op, const LL_Buffer_InfoTypeDef& tensor) {
    const bool npu = op >= CacheOp::NpuClean;
    // Only external memory goes through the NPU's cache.
    constexpr std::uint32_t kExternal = 0x60000000;
    if (npu && (wanted(kNoNpuCache) || start_of(tensor) < kExternal)) return;
    caches::maintain(op, GuestAddr{start_of(tensor)}, LL_Buffer_len(&tensor));
}

bool has_debug_information() {
    return (job().build & kDebugInfo) != 0;
}

/// How the blocks of the inference that is under way are shown to the mailbox.
bool blocks_are_named() {
    return wanted(kUseMailbox) && !wanted(kNoBlocks) && !wanted(kMarks);
}
bool blocks_are_marked() {
    return wanted(kUseMailbox) && wanted(kMarks) && recording.on;
}

/// A phase costs a few cycles, a name of its own, the epochs that the block covers, a thousand.
void begin_block_phase(const EpochBlock_ItemTypeDef& item) {
    if (blocks_are_marked()) mailbox::begin_phase(kPhaseBlock, "block");
    if (!blocks_are_named()) return;
    alignas(32) static char name[memmap::mailbox::kLongestPhaseName + 1];
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
    mailbox::begin_phase(kPhaseBlock, name);
}

void end_block(const EpochBlock_ItemTypeDef& item, std::uint32_t now) {
    if (blocks_are_named() || blocks_are_marked()) mailbox::end_phase(kPhaseBlock);
    result().blocks = result().blocks + 1;
    if (!recording.on || recording.count == kMostBlocks) return;
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

/// "input_3.bin"; the number has one digit or two.
const char* file_name(const char* kind, std::uint32_t number, Text& text) {
    return text.put(kind).put("_").decimal(number).put(".bin").text();
}

/// Memory for buffers that the model wants from its user, one behind the other.
std::uint32_t take_user_memory(std::uint32_t bytes) {
    constexpr std::uint32_t kAlignment = 64;
    const std::uint32_t at =
        (job().user_ram + result().user_bytes + kAlignment - 1) & ~(kAlignment - 1);
    result().user_bytes = at + bytes - job().user_ram;
    return at;
}

using Setter = LL_ATON_User_IO_Result_t (*)(const NN_Instance_TypeDef*, std::uint32_t, void*,
                                            std::uint32_t);

/// Gives the model memory for every buffer that it has not of its own. Numbers are those of the
/// list; the setter refuses those that the model does not want.
bool give_buffers(const LL_Buffer_InfoTypeDef* tensors, Setter set) {
    for (std::uint32_t i = 0; tensors != nullptr && tensors[i].name != nullptr; ++i) {
        if (tensors[i].is_user_allocated == 0) continue;
        // The stream engines may read ahead up to the limit.
        const std::uint32_t reach = tensors[i].offset_limit > tensors[i].offset_end
                                        ? tensors[i].offset_limit
                                        : tensors[i].offset_end;
        const std::uint32_t at = take_user_memory(reach);
        void* const memory = reinterpret_cast<void*>(static_cast<std::uintptr_t>(at));
        if (result().user_bytes > job().user_ram_bytes) return false;
        if (set(instance(), i, memory, reach) != LL_ATON_User_IO_NOERROR) return false;
    }
    return true;
}

/// Returns true if there was a file with the contents of a tensor, or enough of one.
bool read_file(const LL_Buffer_InfoTypeDef& tensor, std::uint32_t number) {
    Text name;
    const std::uint32_t handle =
        mailbox::open(file_name("input", number, name), mailbox::OpenMode::Read);
    if (handle == mailbox::kNoHandle) return false;
    const std::uint32_t bytes = LL_Buffer_len(&tensor);
    const bool whole = mailbox::read(handle, LL_Buffer_addr_start(&tensor), bytes) == bytes;
    mailbox::close(handle);
    return whole;
}

bool fill_inputs() {
    std::uint32_t all = 0;
    const Phase phase(kPhaseInputs, "inputs", all);
    const LL_Buffer_InfoTypeDef* const tensors = LL_ATON_Input_Buffers_Info(instance());
    for (std::uint32_t i = 0; tensors != nullptr && tensors[i].name != nullptr; ++i) {
        if (tensors[i].is_param != 0) continue;
        maintain(CacheOp::NpuCleanInvalidate, tensors[i]);
        if (wanted(kFiles)) {
            if (!read_file(tensors[i], i)) return false;
            continue;
        }
        std::memset(LL_Buffer_addr_start(&tensors[i]), static_cast<int>(job().fill),
                    LL_Buffer_len(&tensors[i]));
        maintain(CacheOp::McuClean, tensors[i]);
    }
    return true;
}

bool write_file(const LL_Buffer_InfoTypeDef& tensor, std::uint32_t number) {
    Text name;
    const std::uint32_t handle =
        mailbox::open(file_name("output", number, name), mailbox::OpenMode::Write);
    if (handle == mailbox::kNoHandle) return false;
    const bool written =
        mailbox::write(handle, LL_Buffer_addr_start(&tensor), LL_Buffer_len(&tensor));
    mailbox::close(handle);
    return written;
}

bool read_outputs() {
    std::uint32_t all = 0;
    const Phase phase(kPhaseOutputs, "outputs", all);
    const LL_Buffer_InfoTypeDef* const tensors = LL_ATON_Output_Buffers_Info(instance());
    std::uint32_t crc = 0;
    for (std::uint32_t i = 0; tensors != nullptr && tensors[i].name != nullptr; ++i) {
        if (tensors[i].is_param != 0) continue;
        maintain(CacheOp::NpuClean, tensors[i]);
        maintain(CacheOp::McuInvalidate, tensors[i]);
        crc = loader::crc32(crc, LL_Buffer_addr_start(&tensors[i]), LL_Buffer_len(&tensors[i]));
        if (wanted(kFiles) && !write_file(tensors[i], i)) return false;
    }
    result().output_crc = crc;
    return true;
}

Text& put_signed(Text& text, std::int32_t value) {
    if (value < 0) text.put("-");
    return text.decimal(static_cast<std::uint32_t>(value < 0 ? -value : value));
}

/// What a model calls something: whatever its bytes, one word that ends soon.
void put_word(Text& text, const char* name) {
    constexpr std::uint32_t kLongest = 64;
    char one[2] = {};
    for (std::uint32_t i = 0; i < kLongest && name[i] != '\0'; ++i) {
        one[0] = name[i] > ' ' && name[i] <= '~' ? name[i] : '?';
        text.put(one);
    }
}

void put_shape(Text& text, const std::uint32_t* shape, std::uint32_t dimensions) {
    constexpr std::uint32_t kMost = 8;
    if (shape == nullptr || dimensions > kMost) dimensions = 0;
    for (std::uint32_t i = 0; i < dimensions; ++i) text.put(i == 0 ? "" : "x").decimal(shape[i]);
}

/// A line for whoever prepares inputs and reads outputs. The numbers are the model's own: what a
/// type's number means depends on its generation.
void report_tensor(const char* kind, std::uint32_t number, const LL_Buffer_InfoTypeDef& tensor) {
    std::uint32_t scale = 0;
    if (tensor.scale != nullptr) std::memcpy(&scale, tensor.scale, sizeof scale);
    const std::int32_t zero = tensor.offset != nullptr ? *tensor.offset : 0;
    Text line;
    line.put("tensor ").put(kind).put(" ").decimal(number);
    line.put(" bytes=").decimal(LL_Buffer_len(&tensor));
    line.put(" type=").decimal(tensor.type).put(" bits=").decimal(tensor.nbits);
    line.put(" unsigned=").decimal(tensor.Qunsigned);
    put_shape(line.put(" shape="), tensor.mem_shape, tensor.mem_ndims);
    line.put(" quantised=").decimal(tensor.scale != nullptr ? 1 : 0).put(" scale=").hex(scale);
    put_word(put_signed(line.put(" zero="), zero).put(" name="), tensor.name);
    say(line.put("\n").text());
}

/// Returns how many there were.
std::uint32_t report_tensors(const char* kind, const LL_Buffer_InfoTypeDef* tensors) {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; tensors != nullptr && tensors[i].name != nullptr; ++i) {
        if (tensors[i].is_param != 0) continue;
        report_tensor(kind, i, tensors[i]);
        ++count;
    }
    return count;
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
        put_signed(line, block.epoch).put("..");
        put_signed(line, block.last_epoch).put(" kind=").put(kind_of(block.flags));
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

bool initialise() {
    {
        const Phase phase(kPhaseRuntimeInit, "runtime init", result().runtime_init_cycles);
        handle_npu_interrupts_by(LL_ATON_RT_IrqHandler);
        LL_ATON_RT_RuntimeInit();
    }
    LL_ATON_RT_SetNetworkCallback(instance(), on_block);
    {
        const Phase phase(kPhaseNetworkInit, "network init", result().network_init_cycles);
        LL_ATON_RT_Init_Network(instance());
    }
    const bool given =
        give_buffers(LL_ATON_Input_Buffers_Info(instance()), LL_ATON_Set_User_Input_Buffer) &&
        give_buffers(LL_ATON_Output_Buffers_Info(instance()), LL_ATON_Set_User_Output_Buffer);
    return given || fail("the model refuses a user buffer, or they do not fit");
}

/// What the model has to run, for whoever shows how far it is.
void report_plan() {
    constexpr std::uint32_t kShortItemBytes = 20, kLastBlock = 0x08, kMostItems = 4096;
    const std::uint32_t bytes =
        has_debug_information() ? sizeof(EpochBlock_ItemTypeDef) : kShortItemBytes;
    const EpochBlock_ItemTypeDef* item = instance()->exec_state.first_epoch_block;
    std::uint32_t blocks = 0;
    std::int32_t last_epoch = 0;
    while (item != nullptr && blocks < kMostItems) {
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
    say(put_signed(line, last_epoch).put("\n").text());
}

void report_tensors() {
    const std::uint32_t inputs = report_tensors("input", LL_ATON_Input_Buffers_Info(instance()));
    const std::uint32_t outputs = report_tensors("output", LL_ATON_Output_Buffers_Info(instance()));
    Text line;
    line.put("tensors inputs=").decimal(inputs).put(" outputs=").decimal(outputs).put("\n");
    say(line.text());
}

void report_run(std::uint32_t number, std::uint32_t cycles_taken) {
    Text line;
    line.put("run ").decimal(number).put(" cycles=").decimal(cycles_taken);
    line.put(" output_crc=").hex(result().output_crc).put("\n");
    say(line.text());
}

bool infer_all() {
    if (wanted(kTensors)) {
        report_plan();
        report_tensors();
    }
    for (std::uint32_t i = 0; i < job().repeat; ++i) {
        if (i != 0) LL_ATON_RT_Reset_Network(instance());
        if (!fill_inputs()) return fail("an input file is missing or too short");
        recording.on = i == 0;
        run_once();
        result().inferences = i + 1;
        const std::uint32_t before = result().output_crc;
        if (!read_outputs()) return fail("an output file cannot be written");
        if (wanted(kTensors)) report_run(i, i == 0 ? result().first_cycles : result().last_cycles);
        if (i != 0 && result().output_crc != before) return fail("two runs disagree");
    }
    return true;
}

}  // namespace

void run_inferences() {
    if (!wanted(kNoNpuCache)) caches::enable_npu();
    run_install();
    if (result().code != 0) return;
    if (!initialise() || !infer_all()) return;
    LL_ATON_RT_DeInit_Network(instance());
    LL_ATON_RT_RuntimeDeInit();
    report_inference();
    if (wanted(kTable)) report_blocks();
}

}  // namespace n6vp::firmware::chip

void n6vp_rt_say(const char* line) {
    n6vp::firmware::chip::say(line);
}

/// The run ends as by a fault of the program.
void n6vp_rt_stopped(const char* name, const char* text, uint32_t first, uint32_t second) {
    using namespace n6vp::firmware;
    Text line;
    line.put("runtime stopped: ").put(name).put(": ").put(text);
    line.put(" ").hex(first).put(" ").hex(second).put("\n");
    chip::say(line.text());
    chip::give_up();
}

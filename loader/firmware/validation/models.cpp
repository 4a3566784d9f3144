// SPDX-License-Identifier: Apache-2.0
// The longer layout of epoch items: what it adds is looked at only where the file has it.
#define LL_ATON_EB_DBG_INFO
#include "loader/firmware/chip/models.h"
#include "loader/capi/ll_aton_reloc_network.h"
#include "loader/firmware/base/state.h"
#include "loader/firmware/chip/cycles.h"
#include "loader/firmware/chip/jobs.h"
#include "loader/firmware/chip/tensors.h"
#include "loader/firmware/core.h"
#include "loader/firmware/ports/stm32n6/caches.h"
#include "loader/firmware/text.h"
#include "loader/firmware/validation/counters.h"
#include "loader/firmware/validation/state.h"
#include "loader/runtime/capi/ll_aton_runtime.h"
#include "loader/validation/tensor_format.h"
#include "memmap/validation_flash.h"

namespace n6vp::firmware::validation {

namespace {

using chip::instance;
using chip::job;
using loader::CacheOp;
using n6vp::validation::Cycles;
using n6vp::validation::Model;
using n6vp::validation::Node;
using n6vp::validation::NpuCounters;
using n6vp::validation::Observer;
using n6vp::validation::System;
using n6vp::validation::Tensor;
using n6vp::validation::TensorKind;
namespace flash = memmap::validation_flash;

/// What is known of each model once it was installed.
struct Installed {
    ll_aton_reloc_info info;
    std::uint32_t install_cycles, init_cycles;
    bool ran;  ///< since it was initialised
};
constinit Installed installed[chip::kMaxModels] = {};
constinit std::uint32_t model_count = 0;
constexpr std::uint32_t kNoModel = 0xFFFFFFFF;
/// Of models that share memory: which one is there.
constinit std::uint32_t present = kNoModel;

/// The inference that is under way.
struct Measured {
    const Observer* observer;
    Cycles cycles;
    std::uint32_t mark, index, pre_start, post_start, pre_end;
    NpuCounters counters;  ///< of the current node
};
constinit Measured measured{};

bool share_memory() {
    return chip::several_models() && chip::wanted(chip::kOverlay);
}

bool has_debug_information() {
    return (chip::model().build & chip::kDebugInfo) != 0;
}

Node node_of(const EpochBlock_ItemTypeDef& item) {
    Node node;
    node.index = measured.index;
    node.flags = item.flags;
    if (has_debug_information()) {
        node.epoch = item.epoch_num;
        node.last_epoch = item.last_epoch_num;
    } else {
        node.epoch = node.last_epoch = static_cast<std::int32_t>(measured.index);
    }
    node.kind = n6vp::validation::kHardware;
    if ((item.flags & EpochBlock_Flags_internal) != 0) {
        node.kind = n6vp::validation::kInserted;
    } else if ((item.flags & EpochBlock_Flags_blob) != 0) {
        node.kind = n6vp::validation::kEpochController;
    } else if ((item.flags & EpochBlock_Flags_pure_sw) != 0) {
        node.kind = n6vp::validation::kSoftware;
    } else if ((item.flags & EpochBlock_Flags_hybrid) != 0) {
        node.kind = n6vp::validation::kHybrid;
    }
    return node;
}

void begin_block(const EpochBlock_ItemTypeDef& item) {
    measured.counters = {};
    if (measured.observer != nullptr) {
        measured.observer->begin(measured.observer->context, node_of(item));
        measured.counters.what = measured.observer->counters;
    }
    if (has_debug_information()) {
        measured.counters.input_engines = item.in_streng_mask;
        measured.counters.output_engines = item.out_streng_mask;
    }
    start_counters(measured.counters);
    measured.mark = measured.pre_start = chip::cycles();
}

void end_block(const EpochBlock_ItemTypeDef& item, std::uint32_t now) {
    stop_counters(measured.counters);
    Node node = node_of(item);
    if (measured.counters.what != 0) node.counters = &measured.counters;
    measured.cycles.npu += measured.counters.core;
    node.before = measured.post_start - measured.pre_start;
    node.core = measured.pre_end - measured.post_start;
    node.after = now - measured.pre_end;
    measured.cycles.before += node.before;
    measured.cycles.core += node.core;
    measured.cycles.after += node.after;
    measured.cycles.all += now - measured.mark;
    if (measured.observer != nullptr) measured.observer->end(measured.observer->context, node);
    ++measured.index;
    measured.mark = chip::cycles();
}

void on_block(LL_ATON_RT_Callbacktype_t type, const NN_Instance_TypeDef*,
              const EpochBlock_ItemTypeDef* item) {
    const std::uint32_t now = chip::cycles();
    switch (type) {
        case LL_ATON_RT_Callbacktype_PRE_START:
            measured.cycles.all += now - measured.mark;
            begin_block(*item);
            break;
        case LL_ATON_RT_Callbacktype_POST_START:
            measured.post_start = now;
            note_node_started(measured.counters);
            break;
        case LL_ATON_RT_Callbacktype_PRE_END:
            measured.pre_end = now;
            note_node_done(measured.counters);
            break;
        case LL_ATON_RT_Callbacktype_POST_END:
            end_block(*item, now);
            break;
        default:
            break;
    }
}

/// Installs the selected model and makes it ready to run.
bool install(std::uint32_t index) {
    Installed& state = installed[index];
    chip::select_model(index);
    chip::run_install();
    if (chip::result().code != 0) return false;
    state.install_cycles = chip::result().install_cycles;
    LL_ATON_RT_SetNetworkCallback(instance(), on_block);
    const std::uint32_t start = chip::cycles();
    LL_ATON_RT_Init_Network(instance());
    state.init_cycles = chip::cycles() - start;
    state.ran = false;
    if (!chip::give_buffers()) {
        LL_ATON_RT_DeInit_Network(instance());
        return false;
    }
    present = index;
    return true;
}

std::uint32_t count_blocks() {
    constexpr std::uint32_t kShortItemBytes = 20, kMaxItems = 4096;
    const std::uint32_t bytes =
        has_debug_information() ? sizeof(EpochBlock_ItemTypeDef) : kShortItemBytes;
    const EpochBlock_ItemTypeDef* item = instance()->exec_state.first_epoch_block;
    std::uint32_t blocks = 0;
    while (item != nullptr && blocks < kMaxItems) {
        if ((item->flags & EpochBlock_Flags_last_eb) != 0) break;  // ends the list, never starts
        ++blocks;
        item = reinterpret_cast<const EpochBlock_ItemTypeDef*>(
            reinterpret_cast<std::uintptr_t>(item) + bytes);
    }
    return blocks;
}

const LL_Buffer_InfoTypeDef* list_of(TensorKind kind) {
    switch (kind) {
        case TensorKind::Input:
            return LL_ATON_Input_Buffers_Info(instance());
        case TensorKind::Output:
            return LL_ATON_Output_Buffers_Info(instance());
        default:
            return LL_ATON_Internal_Buffers_Info(instance());
    }
}

/// Returns an entry of the list, of those that are no parameters; null: there is none.
const LL_Buffer_InfoTypeDef* buffer_of(TensorKind kind, std::uint32_t index) {
    const LL_Buffer_InfoTypeDef* buffer = list_of(kind);
    for (; buffer != nullptr && buffer->name != nullptr; ++buffer) {
        if (buffer->is_param == 0 && index-- == 0) return buffer;
    }
    return nullptr;
}

std::uint32_t count_of(TensorKind kind) {
    std::uint32_t count = 0;
    while (buffer_of(kind, count) != nullptr) ++count;
    return count;
}

std::uint32_t format_of(const LL_Buffer_InfoTypeDef& buffer) {
    n6vp::validation::Element element;
    element.type = buffer.type;
    element.before_2_2 = chip::model().generation == 21;
    element.bits = buffer.nbits;
    element.is_unsigned = buffer.Qunsigned != 0;
    element.is_quantised = buffer.scale != nullptr;
    element.fraction = buffer.Qn;
    return n6vp::validation::format_word(element);
}

bool describe_tensor(void*, TensorKind kind, std::uint32_t index, Tensor& tensor) {
    const LL_Buffer_InfoTypeDef* const buffer = buffer_of(kind, index);
    if (buffer == nullptr) return false;
    tensor = {};
    tensor.name = buffer->name;
    tensor.format = format_of(*buffer);
    tensor.shape = buffer->mem_shape;
    tensor.dimensions = buffer->mem_shape != nullptr ? buffer->mem_ndims : 0;
    tensor.elements = 1;
    for (std::uint32_t i = 0; i < tensor.dimensions; ++i) tensor.elements *= tensor.shape[i];
    if (buffer->scale != nullptr) tensor.scale = *buffer->scale;
    if (buffer->offset != nullptr) tensor.zero_point = *buffer->offset;
    tensor.data = LL_Buffer_addr_start(buffer);
    tensor.address = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(tensor.data));
    tensor.flags = kind != TensorKind::Internal && buffer->is_user_allocated == 0 ? 0x400 : 0;
    tensor.epoch = buffer->epoch;
    tensor.bytes = LL_Buffer_len(buffer);
    tensor.element_bytes = (buffer->nbits + 7u) / 8;
    return tensor.element_bytes != 0;
}

void maintain(CacheOp op, const Tensor& tensor) {
    // Only external memory goes through the NPU's cache.
    constexpr std::uint32_t kExternal = 0x60000000;
    if (op >= CacheOp::NpuClean && tensor.address < kExternal) return;
    caches::maintain(op, GuestAddr{tensor.address}, tensor.bytes);
}

bool run(void*, const Observer* observer, Cycles& cycles) {
    Installed& state = installed[chip::model_index()];
    if (state.ran) LL_ATON_RT_Reset_Network(instance());
    state.ran = true;
    measured = {};
    measured.observer = observer;
    measured.mark = chip::cycles();
    for (;;) {
        const LL_ATON_RT_RetValues_t progress = LL_ATON_RT_RunEpochBlock(instance());
        if (progress == LL_ATON_RT_DONE) break;
        if (progress == LL_ATON_RT_WFE) LL_ATON_OSAL_WFE();
    }
    measured.cycles.all += chip::cycles() - measured.mark;
    cycles = measured.cycles;
    Tensor tensor;
    for (std::uint32_t i = 0; describe_tensor(nullptr, TensorKind::Output, i, tensor); ++i) {
        maintain(CacheOp::NpuClean, tensor);
        maintain(CacheOp::McuInvalidate, tensor);
    }
    return true;
}

float milliseconds(std::uint32_t cycles) {
    return static_cast<float>(cycles) / (static_cast<float>(kCoreHz) / 1000.0F);
}

/// Makes the model the runtime's, which keeps what it read of the build until it is told a
/// callback.
bool make_current(std::uint32_t index) {
    if (share_memory() && present != index) {
        if (present != kNoModel) LL_ATON_RT_DeInit_Network(instance());
        present = kNoModel;
        chip::free_memory();
        return install(index);
    }
    chip::select_model(index);
    LL_ATON_RT_SetNetworkCallback(instance(), on_block);
    return true;
}

/// "TEXT 00000000": clients part the last word, which names a build, from the text.
const char* runtime_text(const char* text) {
    static Text line;
    line = Text();
    constexpr std::uint32_t kMost = 40;
    char one[2] = {};
    for (std::uint32_t i = 0; text != nullptr && i < kMost && text[i] != '\0'; ++i) {
        one[0] = text[i];
        line.put(one);
    }
    return line.put(" n6vp 00000000").text();
}

const char* name_of_model(void*, std::uint32_t index) {
    return index < model_count ? installed[index].info.c_name : nullptr;
}

bool select(void*, std::uint32_t index, Model& model) {
    // Runtime, interface of relocatable models, GCC; the number of MACs is not known.
    constexpr std::uint32_t kRuntime = 0x04010404;
    if (index >= model_count || !make_current(index)) return false;
    const Installed& state = installed[index];
    model = {};
    model.name = state.info.c_name;
    model.runtime = kRuntime;
    model.runtime_version = AI_RELOC_RT_VERSION_MAJOR << 24 | AI_RELOC_RT_VERSION_MINOR << 16;
    model.tool_version = state.info.rt_version;
    model.nodes = count_blocks();
    model.activation_bytes = state.info.acts_sz;
    model.parameter_bytes = state.info.params_sz;
    model.runtime_text = runtime_text(state.info.rt_version_desc);
    model.install_ms = milliseconds(state.install_cycles);
    model.init_ms = milliseconds(state.init_cycles);
    model.inputs = count_of(TensorKind::Input);
    model.outputs = count_of(TensorKind::Output);
    return true;
}

System system(void*) {
    System system;
    system.device_id = 0x486;
    system.core_hz = kCoreHz;
    system.bus_hz = kBusHz;
    system.npu_hz = kNpuHz;
    system.nic_hz = kNicHz;
    system.cache = 0x05010C00;  // series, FPU, both caches of the core
    system.npu_cache = true;
    system.runtime = 0x00010004;
    return system;
}

/// Where the parameters of a file are that has none inside.
std::uint32_t params_of(const ll_aton_reloc_info& info, std::uint32_t file, std::uint32_t given) {
    if (info.params_off != 0) return 0;
    return info.params_sz == 0 && given == 0 ? file : given;
}

}  // namespace

bool find_models() {
    const bool has_table = read_register(flash::kTable) == flash::kMagic;
    const std::uint32_t count = has_table ? read_register(flash::kTable + 4) : 1;
    const std::uint32_t flags = has_table ? read_register(flash::kTable + 8) : 0;
    std::uint32_t found = 0;
    for (; found < count && found < chip::kMaxModels; ++found) {
        const std::uint32_t entry = flash::kTable + flash::kEntries + flash::kEntryBytes * found;
        const std::uint32_t file = has_table ? read_register(entry) : flash::kModel;
        const std::uint32_t params = has_table ? read_register(entry + 4) : flash::kParameters;
        ll_aton_reloc_info& info = installed[found].info;
        if (ll_aton_reloc_get_info(file, &info) != 0) break;
        chip::Model& model = job().models[found];
        model.file = file;
        model.params = params_of(info, file, params);
        model.mode =
            (flags & flash::kXip) != 0 ? AI_RELOC_RT_LOAD_MODE_XIP : AI_RELOC_RT_LOAD_MODE_COPY;
        if ((flags & flash::kClear) != 0) model.mode |= AI_RELOC_RT_LOAD_MODE_CLEAR;
        model.generation = 0;
    }
    job().model_count = found;
    if ((flags & flash::kSideBySide) == 0) job().flags |= chip::kOverlay;
    if ((flags & flash::kExternalExec) != 0) {
        job().exec_ram = flash::kExternalExecRam;
        job().exec_ram_bytes = flash::kExternalExecBytes;
    }
    return found != 0;
}

bool install_models() {
    chip::handle_npu_interrupts_by(LL_ATON_RT_IrqHandler);
    LL_ATON_RT_RuntimeInit();
    chip::free_memory();
    const std::uint32_t count = share_memory() ? 1 : job().model_count;
    while (model_count < count && install(model_count)) ++model_count;
    if (share_memory() && model_count == 1) model_count = job().model_count;
    return model_count != 0;
}

n6vp::validation::Device device() {
    n6vp::validation::Device device;
    device.system = system;
    device.name = name_of_model;
    device.select = select;
    device.tensor = describe_tensor;
    device.prepare_input = [](void*, const Tensor& tensor) {
        maintain(CacheOp::NpuCleanInvalidate, tensor);
    };
    device.finish_input = [](void*, const Tensor& tensor) { maintain(CacheOp::McuClean, tensor); };
    device.run = run;
    return device;
}

}  // namespace n6vp::firmware::validation

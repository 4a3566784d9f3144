// SPDX-License-Identifier: Apache-2.0
#include "loader/capi/ll_aton_reloc_network.h"
#include "loader/runtime/capi/cortex_m.h"
#include "loader/runtime/capi/ll_aton_runtime.h"
#include "loader/runtime/instance.h"
#include "loader/runtime/runtime.h"

/// The documented names, by addresses, of what runtime.h has.

namespace {

using namespace n6vp::runtime;

static_assert(static_cast<int>(Progress::NoWfe) == LL_ATON_RT_NO_WFE);
static_assert(static_cast<int>(Progress::Wfe) == LL_ATON_RT_WFE);
static_assert(static_cast<int>(Progress::Done) == LL_ATON_RT_DONE);
static_assert(static_cast<int>(Moment::PreStart) == LL_ATON_RT_Callbacktype_PRE_START);
static_assert(static_cast<int>(Moment::PostEnd) == LL_ATON_RT_Callbacktype_POST_END);
static_assert(static_cast<int>(Moment::NetworkInit) == LL_ATON_RT_Callbacktype_NN_Init);
static_assert(static_cast<int>(Moment::NetworkDeInit) == LL_ATON_RT_Callbacktype_NN_DeInit);
static_assert(static_cast<int>(Moment::RuntimeInit) == LL_ATON_RT_Callbacktype_RT_Init);
static_assert(static_cast<int>(Moment::RuntimeDeInit) == LL_ATON_RT_Callbacktype_RT_Deinit);
constexpr bool same_flag(EpochBlock_Flags_t documented, ItemFlag ours) {
    return static_cast<std::uint32_t>(documented) == static_cast<std::uint32_t>(ours);
}
static_assert(same_flag(EpochBlock_Flags_epoch_start, kEpochStart));
static_assert(same_flag(EpochBlock_Flags_epoch_end, kEpochEnd));
static_assert(same_flag(EpochBlock_Flags_blob, kBlob));
static_assert(same_flag(EpochBlock_Flags_last_eb, kLastBlock));
static_assert(same_flag(EpochBlock_Flags_pure_hw, kPureHw));
static_assert(same_flag(EpochBlock_Flags_pure_sw, kPureSw));
static_assert(same_flag(EpochBlock_Flags_hybrid, kHybrid));
static_assert(same_flag(EpochBlock_Flags_internal, kInternal));
static_assert(same_flag(EpochBlock_Flags_blob_encrypted, kBlobEncrypted));

template <typename Function>
std::uint32_t address_of_function(Function* function) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(function));
}

/// Buffers may be asked for and set before anything is initialised.
std::uint32_t handle_of(const NN_Instance_TypeDef* instance) {
    cortex_m::read_profile();
    require(instance != nullptr, Failure::NullInstance);
    return Instance(address_of(instance)).handle();
}

/// Returns a function of a network that is linked into the firmware.
std::uint32_t function_at(const NN_Instance_TypeDef* instance, std::uint32_t offset) {
    const std::uint32_t network = Instance(address_of(instance)).network();
    const std::uint32_t function = network == 0 ? 0 : load<std::uint32_t>(network + offset);
    require(function != 0, Failure::UserBuffersUnknown, address_of(instance), offset);
    return function;
}

LL_ATON_User_IO_Result_t set_linked(const NN_Instance_TypeDef* instance, std::uint32_t offset,
                                    std::uint32_t num, void* buffer, std::uint32_t size) {
    const std::uint32_t result =
        machine::call(function_at(instance, offset), num, address_of(buffer), size, 0);
    return static_cast<LL_ATON_User_IO_Result_t>(result & 0xFF);
}

template <typename T>
T* get_linked(const NN_Instance_TypeDef* instance, std::uint32_t offset, std::uint32_t num = 0) {
    const std::uint32_t result = machine::call(function_at(instance, offset), num, 0, 0, 0);
    return reinterpret_cast<T*>(static_cast<std::uintptr_t>(result));
}

}  // namespace

void LL_ATON_RT_RuntimeInit() {
    cortex_m::read_profile();
    runtime_init();
}

void LL_ATON_RT_RuntimeDeInit() {
    runtime_de_init();
}

void LL_ATON_RT_IrqHandler() {
    interrupt();
}

void LL_ATON_RT_SetRuntimeCallback(TraceRuntime_FuncPtr_t rt_callback) {
    set_runtime_callback(address_of_function(rt_callback));
}

void LL_ATON_RT_SetNetworkCallback(NN_Instance_TypeDef* nn_instance,
                                   TraceEpochBlock_FuncPtr_t epoch_block_callback) {
    cortex_m::read_profile();
    set_network_callback(address_of(nn_instance), address_of_function(epoch_block_callback));
}

void LL_ATON_RT_SetEpochCallback(TraceEpochBlock_FuncPtr_t epoch_block_callback,
                                 NN_Instance_TypeDef* nn_instance) {
    LL_ATON_RT_SetNetworkCallback(nn_instance, epoch_block_callback);
}

void LL_ATON_RT_Init_Network(NN_Instance_TypeDef* nn_instance) {
    cortex_m::read_profile();
    init_network(address_of(nn_instance));
}

void LL_ATON_RT_DeInit_Network(NN_Instance_TypeDef* nn_instance) {
    de_init_network(address_of(nn_instance));
}

void LL_ATON_RT_Reset_Network(NN_Instance_TypeDef* nn_instance) {
    reset_network(address_of(nn_instance));
}

LL_ATON_RT_RetValues_t LL_ATON_RT_RunEpochBlock(NN_Instance_TypeDef* nn_instance) {
    return static_cast<LL_ATON_RT_RetValues_t>(run_epoch_block(address_of(nn_instance)));
}

void LL_ATON_RT_Main(NN_Instance_TypeDef* network_instance) {
    LL_ATON_RT_RuntimeInit();
    LL_ATON_RT_Init_Network(network_instance);
    for (;;) {
        const LL_ATON_RT_RetValues_t result = LL_ATON_RT_RunEpochBlock(network_instance);
        if (result == LL_ATON_RT_DONE) break;
        if (result == LL_ATON_RT_WFE) LL_ATON_OSAL_WFE();
    }
    LL_ATON_RT_DeInit_Network(network_instance);
    LL_ATON_RT_RuntimeDeInit();
}

LL_ATON_User_IO_Result_t LL_ATON_Set_User_Input_Buffer(const NN_Instance_TypeDef* nn_instance,
                                                       uint32_t num, void* buffer, uint32_t size) {
    const std::uint32_t handle = handle_of(nn_instance);
    if (handle != 0) return ai_rel_network_set_input(handle, num, buffer, size);
    return set_linked(nn_instance, interface_offset::kInputSetter, num, buffer, size);
}

void* LL_ATON_Get_User_Input_Buffer(const NN_Instance_TypeDef* nn_instance, uint32_t num) {
    const std::uint32_t handle = handle_of(nn_instance);
    if (handle != 0) return ai_rel_network_get_input(handle, num);
    return get_linked<void>(nn_instance, interface_offset::kInputGetter, num);
}

LL_ATON_User_IO_Result_t LL_ATON_Set_User_Output_Buffer(const NN_Instance_TypeDef* nn_instance,
                                                        uint32_t num, void* buffer, uint32_t size) {
    const std::uint32_t handle = handle_of(nn_instance);
    if (handle != 0) return ai_rel_network_set_output(handle, num, buffer, size);
    return set_linked(nn_instance, interface_offset::kOutputSetter, num, buffer, size);
}

void* LL_ATON_Get_User_Output_Buffer(const NN_Instance_TypeDef* nn_instance, uint32_t num) {
    const std::uint32_t handle = handle_of(nn_instance);
    if (handle != 0) return ai_rel_network_get_output(handle, num);
    return get_linked<void>(nn_instance, interface_offset::kOutputGetter, num);
}

const LL_Buffer_InfoTypeDef* LL_ATON_Input_Buffers_Info(const NN_Instance_TypeDef* nn_instance) {
    const std::uint32_t handle = handle_of(nn_instance);
    if (handle != 0) return ai_rel_network_get_input_buffers_info(handle);
    return get_linked<const LL_Buffer_InfoTypeDef>(nn_instance, interface_offset::kInputBuffers);
}

const LL_Buffer_InfoTypeDef* LL_ATON_Output_Buffers_Info(const NN_Instance_TypeDef* nn_instance) {
    const std::uint32_t handle = handle_of(nn_instance);
    if (handle != 0) return ai_rel_network_get_output_buffers_info(handle);
    return get_linked<const LL_Buffer_InfoTypeDef>(nn_instance, interface_offset::kOutputBuffers);
}

const LL_Buffer_InfoTypeDef* LL_ATON_Internal_Buffers_Info(const NN_Instance_TypeDef* nn_instance) {
    const std::uint32_t handle = handle_of(nn_instance);
    if (handle != 0) return ai_rel_network_get_internal_buffers_info(handle);
    const std::uint32_t offset = interface_offset::internal_buffers(machine::profile().generation);
    return get_linked<const LL_Buffer_InfoTypeDef>(nn_instance, offset);
}

// SPDX-License-Identifier: Apache-2.0
#include "loader/capi/extensions.h"
#include "loader/capi/handle.h"
#include "loader/container.h"

namespace n6vp::loader::capi {

namespace {

/// Offsets inside LL_Buffer_InfoTypeDef, the same with short and with int-size enums.
constexpr std::uint32_t kBufferName = 0x00;
constexpr std::uint32_t kBufferFlags = 0x14;  ///< is_user_allocated, is_param, epoch
constexpr std::uint32_t kIsParamMask = 0x0000FF00;

template <typename T>
T* call_for_pointer(const Handle& handle, Entry entry, Arguments arguments = {}) {
    std::uint32_t result = 0;
    return handle.call(entry, arguments, result) ? typed_pointer<T>(result) : nullptr;
}

bool call_for_bool(std::uint32_t inst, Entry entry) {
    const Environment environment;
    std::uint32_t result = 0;
    return Handle(environment, inst).call(entry, {}, result) && (result & 0xFF) != 0;
}

template <typename T>
T* call_with_handle(std::uint32_t inst, Entry entry, Arguments arguments = {}) {
    const Environment environment;
    return call_for_pointer<T>(Handle(environment, inst), entry, arguments);
}

template <typename T>
T* call_with_instance(const NN_Instance_TypeDef* instance, Entry entry, Arguments arguments = {}) {
    const Environment environment;
    return call_for_pointer<T>(Handle(environment, instance), entry, arguments);
}

LL_ATON_User_IO_Result_t set_buffer(const Handle& handle, Entry entry, std::uint32_t num,
                                    void* buffer, std::uint32_t size) {
    std::uint32_t result = 0;
    if (!handle.call(entry, {num, to_word(address_of(buffer)), size}, result))
        return LL_ATON_User_IO_WRONG_INDEX;
    return static_cast<LL_ATON_User_IO_Result_t>(result & 0xFF);
}

/// Walks a tensor list to entry `num`. Only Strict looks at the terminator.
const LL_Buffer_InfoTypeDef* buffer_at(const NN_Instance_TypeDef* instance, Entry entry,
                                       std::int32_t num) {
    const Environment environment;
    const Handle handle(environment, instance);
    std::uint32_t at = 0;
    if (!handle.call(entry, {}, at) || at == 0) return nullptr;
    if (num < 0) return typed_pointer<const LL_Buffer_InfoTypeDef>(at);
    for (std::int32_t i = 0;; ++i) {
        std::uint32_t name = 0;
        std::uint32_t flags = 0;
        if (!environment.word(at + kBufferName, name) ||
            !environment.word(at + kBufferFlags, flags))
            return nullptr;
        if ((flags & kIsParamMask) != 0 || (!kCompat && name == 0)) return nullptr;
        if (i == num) return typed_pointer<const LL_Buffer_InfoTypeDef>(at);
        at += environment.profile().buffer_info_bytes;
    }
}

/// Returns true if every word of the table is null or a Thumb address.
bool is_callback_table(const Environment& environment, const void* table) {
    const bool is_largest = environment.profile().generation == Generation::Core30;
    const std::uint32_t bytes =
        is_largest ? sizeof(ll_aton_reloc_callback_1_1_3_8) : sizeof(ll_aton_reloc_callback_1_1_1);
    const std::uint32_t start = to_word(address_of(table));
    if ((start & 3) != 0) return false;
    for (std::uint32_t at = start; at != start + bytes; at += 4) {
        std::uint32_t word = 0;
        if (!environment.word(at, word) || (word != 0 && (word & 1) == 0)) return false;
    }
    return true;
}

}  // namespace

}  // namespace n6vp::loader::capi

using n6vp::loader::capi::Entry;

int ll_aton_reloc_is_valid(const NN_Instance_TypeDef* nn_instance) {
    using namespace n6vp::loader::capi;
    if (nn_instance == nullptr) return AI_RELOC_RT_ERR_INVALID_HDL;
    const Environment environment;
    const Handle handle(environment, nn_instance);
    return handle.good() ? 1 : handle.state();
}

int ll_aton_reloc_get_file_ptr(const NN_Instance_TypeDef* nn_instance, uintptr_t* file_ptr) {
    using namespace n6vp::loader::capi;
    if (nn_instance == nullptr || file_ptr == nullptr) return AI_RELOC_RT_ERR_INVALID_HDL;
    const Environment environment;
    const Handle handle(environment, nn_instance);
    if (handle.good()) *file_ptr = handle.file();
    return handle.state();
}

int ll_aton_reloc_set_callbacks(const NN_Instance_TypeDef* nn_instance,
                                const struct ll_aton_reloc_callback* cbs) {
    using namespace n6vp::loader;
    using namespace n6vp::loader::capi;
    const Environment environment;
    if (nn_instance == nullptr || cbs == nullptr || handle_of(environment, nn_instance) == 0) {
        return AI_RELOC_RT_ERR_INVALID_BIN;
    }
    const Handle handle(environment, nn_instance);
    if (!handle.good()) return kCompat ? AI_RELOC_RT_ERR_NONE : AI_RELOC_RT_ERR_INVALID_HDL;
    if (!kCompat && !is_callback_table(environment, cbs)) return AI_RELOC_RT_ERR_INVALID_BIN;
    const n6vp::GuestAddr at{handle.context() + context_offset::kCallbacks};
    if (!write_word(environment.port(), at, n6vp::to_word(address_of(cbs))))
        return AI_RELOC_RT_ERR_INVALID_BIN;
    return AI_RELOC_RT_ERR_NONE;
}

const LL_Buffer_InfoTypeDef* ll_aton_reloc_get_input_buffers_info(
    const NN_Instance_TypeDef* nn_instance, int32_t num) {
    return n6vp::loader::capi::buffer_at(nn_instance, Entry::InputBuffers, num);
}

const LL_Buffer_InfoTypeDef* ll_aton_reloc_get_output_buffers_info(
    const NN_Instance_TypeDef* nn_instance, int32_t num) {
    return n6vp::loader::capi::buffer_at(nn_instance, Entry::OutputBuffers, num);
}

const LL_Buffer_InfoTypeDef* ll_aton_reloc_get_internal_buffers_info(
    const NN_Instance_TypeDef* nn_instance) {
    return n6vp::loader::capi::call_with_instance<const LL_Buffer_InfoTypeDef>(
        nn_instance, Entry::InternalBuffers);
}

const EpochBlock_ItemTypeDef* ll_aton_reloc_get_epoch_items(
    const NN_Instance_TypeDef* nn_instance) {
    return n6vp::loader::capi::call_with_instance<const EpochBlock_ItemTypeDef>(nn_instance,
                                                                                Entry::EpochItems);
}

LL_ATON_User_IO_Result_t ll_aton_reloc_set_input(const NN_Instance_TypeDef* nn_instance,
                                                 uint32_t num, void* buffer, uint32_t size) {
    using namespace n6vp::loader::capi;
    const Environment environment;
    return set_buffer(Handle(environment, nn_instance), Entry::InputSetter, num, buffer, size);
}

LL_ATON_User_IO_Result_t ll_aton_reloc_set_output(const NN_Instance_TypeDef* nn_instance,
                                                  uint32_t num, void* buffer, uint32_t size) {
    using namespace n6vp::loader::capi;
    const Environment environment;
    return set_buffer(Handle(environment, nn_instance), Entry::OutputSetter, num, buffer, size);
}

void* ll_aton_reloc_get_input(const NN_Instance_TypeDef* nn_instance, uint32_t num) {
    return n6vp::loader::capi::call_with_instance<void>(nn_instance, Entry::InputGetter,
                                                        {num, 0, 0});
}

void* ll_aton_reloc_get_output(const NN_Instance_TypeDef* nn_instance, uint32_t num) {
    return n6vp::loader::capi::call_with_instance<void>(nn_instance, Entry::OutputGetter,
                                                        {num, 0, 0});
}

bool ai_rel_network_ec_network_init(uint32_t inst) {
    return n6vp::loader::capi::call_for_bool(inst, Entry::EcNetworkInit);
}

bool ai_rel_network_ec_inference_init(uint32_t inst) {
    return n6vp::loader::capi::call_for_bool(inst, Entry::EcInferenceInit);
}

const EpochBlock_ItemTypeDef* ai_rel_network_get_epoch_items(uint32_t inst) {
    return n6vp::loader::capi::call_with_handle<const EpochBlock_ItemTypeDef>(inst,
                                                                              Entry::EpochItems);
}

LL_ATON_User_IO_Result_t ai_rel_network_set_input(uint32_t inst, uint32_t num, void* buffer,
                                                  uint32_t size) {
    using namespace n6vp::loader::capi;
    const Environment environment;
    return set_buffer(Handle(environment, inst), Entry::InputSetter, num, buffer, size);
}

LL_ATON_User_IO_Result_t ai_rel_network_set_output(uint32_t inst, uint32_t num, void* buffer,
                                                   uint32_t size) {
    using namespace n6vp::loader::capi;
    const Environment environment;
    return set_buffer(Handle(environment, inst), Entry::OutputSetter, num, buffer, size);
}

void* ai_rel_network_get_input(uint32_t inst, uint32_t num) {
    return n6vp::loader::capi::call_with_handle<void>(inst, Entry::InputGetter, {num, 0, 0});
}

void* ai_rel_network_get_output(uint32_t inst, uint32_t num) {
    return n6vp::loader::capi::call_with_handle<void>(inst, Entry::OutputGetter, {num, 0, 0});
}

const LL_Buffer_InfoTypeDef* ai_rel_network_get_input_buffers_info(uint32_t inst) {
    return n6vp::loader::capi::call_with_handle<const LL_Buffer_InfoTypeDef>(inst,
                                                                             Entry::InputBuffers);
}

const LL_Buffer_InfoTypeDef* ai_rel_network_get_output_buffers_info(uint32_t inst) {
    return n6vp::loader::capi::call_with_handle<const LL_Buffer_InfoTypeDef>(inst,
                                                                             Entry::OutputBuffers);
}

const LL_Buffer_InfoTypeDef* ai_rel_network_get_internal_buffers_info(uint32_t inst) {
    return n6vp::loader::capi::call_with_handle<const LL_Buffer_InfoTypeDef>(
        inst, Entry::InternalBuffers);
}

const LL_Streng_EncryptionTypedef* ai_rel_network_blob_encryption_info(uint32_t inst) {
    return n6vp::loader::capi::call_with_handle<const LL_Streng_EncryptionTypedef>(
        inst, Entry::BlobEncryption);
}

const LL_Streng_EncryptionTypedef* ai_rel_network_weight_encryption_info(uint32_t inst) {
    return n6vp::loader::capi::call_with_handle<const LL_Streng_EncryptionTypedef>(
        inst, Entry::WeightEncryption);
}

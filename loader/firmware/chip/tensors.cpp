// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/chip/tensors.h"

#include <cstring>

#include "loader/crc32.h"
#include "loader/firmware/base/host.h"
#include "loader/firmware/chip/cycles.h"
#include "loader/firmware/chip/models.h"
#include "loader/firmware/ports/stm32n6/caches.h"
#include "loader/firmware/text.h"
#include "loader/runtime/capi/ll_aton_runtime.h"

namespace n6vp::firmware::chip {

namespace {

using loader::CacheOp;

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

/// Calls `perform` for every tensor of a list that is no parameter, until it returns false.
template <typename Perform>
bool for_each(const LL_Buffer_InfoTypeDef* tensors, Perform perform) {
    for (std::uint32_t i = 0; tensors != nullptr && tensors[i].name != nullptr; ++i) {
        if (tensors[i].is_param == 0 && !perform(tensors[i], i)) return false;
    }
    return true;
}

/// "input_3.bin", of the second of several models "2/input_3.bin".
const char* file_name(const char* kind, std::uint32_t number, Text& text) {
    if (several_models()) text.decimal(model_index() + 1).put("/");
    return text.put(kind).put("_").decimal(number).put(".bin").text();
}

using Setter = LL_ATON_User_IO_Result_t (*)(const NN_Instance_TypeDef*, std::uint32_t, void*,
                                            std::uint32_t);

/// Numbers are those of the list; the setter refuses those that the model does not want.
bool give(const LL_Buffer_InfoTypeDef* tensors, Setter set) {
    for (std::uint32_t i = 0; tensors != nullptr && tensors[i].name != nullptr; ++i) {
        if (tensors[i].is_user_allocated == 0) continue;
        // The stream engines may read ahead up to the limit.
        const std::uint32_t reach = tensors[i].offset_limit > tensors[i].offset_end
                                        ? tensors[i].offset_limit
                                        : tensors[i].offset_end;
        std::uint32_t at = 0;
        if (!take_user_memory(reach, at)) return false;
        void* const memory = reinterpret_cast<void*>(static_cast<std::uintptr_t>(at));
        if (set(instance(), i, memory, reach) != LL_ATON_User_IO_NOERROR) return false;
    }
    return true;
}

bool fill(const LL_Buffer_InfoTypeDef& tensor, std::uint32_t number) {
    maintain(CacheOp::NpuCleanInvalidate, tensor);
    if (wanted(kFiles)) {
        Text name;
        return host::read_file(file_name("input", number, name), LL_Buffer_addr_start(&tensor),
                               LL_Buffer_len(&tensor));
    }
    std::memset(LL_Buffer_addr_start(&tensor), static_cast<int>(job().fill),
                LL_Buffer_len(&tensor));
    maintain(CacheOp::McuClean, tensor);
    return true;
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
    put_word(line.put(" zero=").signed_decimal(zero).put(" name="), tensor.name);
    say(line.put("\n").text());
}

/// Returns how many there were.
std::uint32_t report_all(const char* kind, const LL_Buffer_InfoTypeDef* tensors) {
    std::uint32_t count = 0;
    for_each(tensors, [&](const LL_Buffer_InfoTypeDef& tensor, std::uint32_t number) {
        report_tensor(kind, number, tensor);
        ++count;
        return true;
    });
    return count;
}

/// Numbers of 8 bits as such, all else as bytes.
void report_output(const LL_Buffer_InfoTypeDef& tensor, std::uint32_t number) {
    constexpr std::uint32_t kMost = 64;
    const auto* const bytes = static_cast<const std::uint8_t*>(LL_Buffer_addr_start(&tensor));
    const std::uint32_t count = LL_Buffer_len(&tensor);
    const bool is_signed = tensor.nbits == 8 && tensor.Qunsigned == 0;
    Text line;
    line.put("output ").decimal(number).put(" bytes=").decimal(count);
    line.put(" crc=").hex(loader::crc32(0, bytes, count)).put(" values=");
    for (std::uint32_t i = 0; i < count && i < kMost; ++i) {
        line.put(i == 0 ? "" : ",");
        line.signed_decimal(is_signed ? static_cast<std::int8_t>(bytes[i]) : bytes[i]);
    }
    say(line.put(count > kMost ? ",...\n" : "\n").text());
}

}  // namespace

bool give_buffers() {
    return give(LL_ATON_Input_Buffers_Info(instance()), LL_ATON_Set_User_Input_Buffer) &&
           give(LL_ATON_Output_Buffers_Info(instance()), LL_ATON_Set_User_Output_Buffer);
}

bool fill_inputs() {
    std::uint32_t all = 0;
    const Phase phase(kPhaseInputs, "inputs", all);
    return for_each(LL_ATON_Input_Buffers_Info(instance()), fill);
}

bool read_outputs(std::uint32_t& crc) {
    std::uint32_t all = 0;
    const Phase phase(kPhaseOutputs, "outputs", all);
    crc = 0;
    return for_each(LL_ATON_Output_Buffers_Info(instance()),
                    [&crc](const LL_Buffer_InfoTypeDef& tensor, std::uint32_t number) {
                        maintain(CacheOp::NpuClean, tensor);
                        maintain(CacheOp::McuInvalidate, tensor);
                        const void* const start = LL_Buffer_addr_start(&tensor);
                        crc = loader::crc32(crc, start, LL_Buffer_len(&tensor));
                        if (!wanted(kFiles)) return true;
                        Text name;
                        return host::write_file(file_name("output", number, name), start,
                                                LL_Buffer_len(&tensor));
                    });
}

void report_tensors() {
    const std::uint32_t inputs = report_all("input", LL_ATON_Input_Buffers_Info(instance()));
    const std::uint32_t outputs = report_all("output", LL_ATON_Output_Buffers_Info(instance()));
    Text line;
    line.put("tensors inputs=").decimal(inputs).put(" outputs=").decimal(outputs).put("\n");
    say(line.text());
}

void report_values() {
    for_each(LL_ATON_Output_Buffers_Info(instance()),
             [](const LL_Buffer_InfoTypeDef& tensor, std::uint32_t number) {
                 report_output(tensor, number);
                 return true;
             });
}

}  // namespace n6vp::firmware::chip

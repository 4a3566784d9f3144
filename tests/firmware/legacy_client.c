/* SPDX-License-Identifier: Apache-2.0 */
/* An application as the documentation of the client API describes it, compiled as C and as C++ for
 * each core: names, layouts and numbers are those of the documentation. */
#include <stddef.h>

#include "ai_platform.h"
#include "ai_reloc_network.h"

#ifdef __cplusplus
#define REQUIRE(fact) static_assert(fact, #fact)
#else
#define REQUIRE(fact) _Static_assert(fact, #fact)
#endif

REQUIRE(sizeof(ai_error) == 4 && sizeof(ai_bool) == 1 && sizeof(ai_macc) == 8);
REQUIRE(sizeof(ai_buffer_shape) == 8 && offsetof(ai_buffer_shape, data) == 4);
REQUIRE(sizeof(ai_intq_info) == 8 && offsetof(ai_intq_info, zeropoint) == 4);
REQUIRE(sizeof(ai_intq_info_list) == 8 && offsetof(ai_intq_info_list, info) == 4);
REQUIRE(sizeof(ai_buffer_meta_info) == 8 && offsetof(ai_buffer_meta_info, intq_info) == 4);
REQUIRE(sizeof(ai_buffer) == 28 && offsetof(ai_buffer, data) == 4);
REQUIRE(offsetof(ai_buffer, meta_info) == 8 && offsetof(ai_buffer, flags) == 12);
REQUIRE(offsetof(ai_buffer, size) == 16 && offsetof(ai_buffer, shape) == 20);
REQUIRE(sizeof(ai_buffer_array) == 8 && offsetof(ai_buffer_array, buffer) == 4);
REQUIRE(sizeof(ai_network_params) == 56 && sizeof(ai_network_buffers) == 20);
REQUIRE(offsetof(ai_network_params, map_weights) == 4);
REQUIRE(offsetof(ai_network_params, map_activations) == 12);
REQUIRE(sizeof(ai_network_report) == 136 && offsetof(ai_network_report, n_macc) == 0x30);
REQUIRE(offsetof(ai_network_report, n_inputs) == 0x38);
REQUIRE(offsetof(ai_network_report, inputs) == 0x3C);
REQUIRE(offsetof(ai_network_report, map_signature) == 0x44);
REQUIRE(offsetof(ai_network_report, map_activations) == 0x50);
REQUIRE(offsetof(ai_network_report, n_nodes) == 0x7C);
REQUIRE(sizeof(ai_observer_node) == 16 && sizeof(ai_observer_exec_ctx) == 20);
REQUIRE(sizeof(ai_rel_network_info) == 32 && offsetof(ai_rel_network_info, rt_ram_copy) == 28);
REQUIRE(AI_MAGIC_SIGNATURE == 0xA1FACADE);
REQUIRE(AI_BUFFER_FORMAT_FLOAT == 0x00821040 && AI_BUFFER_FORMAT_S8 == 0x00840440);
REQUIRE(AI_BUFFER_FORMAT_U8 == 0x00040440 && AI_BUFFER_FORMAT_S16 == 0x00840840);
REQUIRE(AI_SHAPE_CHANNEL == 1 && AI_SHAPE_WIDTH == 2 && AI_SHAPE_HEIGHT == 3);
REQUIRE(AI_ERROR_INVALID_HANDLE == 0x10 && AI_ERROR_CODE_NETWORK == 0x10);

AI_ALIGNED(32) static ai_u8 activations[2][736];
AI_ALIGNED(32) static ai_u8 ram[4096];

/* Several activation buffers, weights of the file, and two buffers for inputs in turn. */
ai_i32 run_twice(const void* file, ai_buffer* inputs, ai_buffer* outputs, ai_handle other);
ai_i32 run_twice(const void* file, ai_buffer* inputs, ai_buffer* outputs, ai_handle other) {
    ai_rel_network_info info;
    ai_handle network = AI_HANDLE_NULL;
    ai_handle weights[1];
    const ai_handle buffers[2] = {AI_HANDLE_PTR(activations[0]), AI_HANDLE_PTR(activations[1])};
    ai_error error = ai_rel_network_rt_get_info(file, &info);
    if (error.type != AI_ERROR_NONE || info.rt_ram_xip > sizeof ram) return 0;
    error = ai_rel_network_load_and_create(file, AI_HANDLE_PTR(ram), sizeof ram,
                                           AI_RELOC_RT_LOAD_MODE_XIP, &network);
    if (error.type != AI_ERROR_NONE) return 0;
    weights[0] = info.weights;
    if (!ai_rel_network_init(network, weights, buffers)) {
        error = ai_rel_network_get_error(network);
        return -(ai_i32)error.code;
    }
    if (ai_rel_network_run(network, inputs, outputs) != 1) return 0;
    inputs[0].data = other;
    return ai_rel_network_run(network, inputs, outputs);
}

/* What an application asks of a buffer. */
ai_float first_value(const ai_buffer* buffer);
ai_float first_value(const ai_buffer* buffer) {
    const ai_buffer_meta_info* const meta = AI_BUFFER_META_INFO(buffer);
    const ai_float scale = AI_BUFFER_META_INFO_INTQ_GET_SCALE(meta, 0);
    const ai_i32 zero = AI_BUFFER_META_INFO_INTQ_GET_ZEROPOINT(meta, 0);
    if (AI_BUFFER_FMT_GET_TYPE(AI_BUFFER_FORMAT(buffer)) == AI_BUFFER_FMT_TYPE_FLOAT)
        return AI_BUFFER_DATA(buffer, ai_float)[0];
    if (AI_BUFFER_FMT_GET_BITS(AI_BUFFER_FORMAT(buffer)) != 8) return 0;
    return scale * (ai_float)(AI_BUFFER_DATA(buffer, ai_i8)[0] - zero);
}
ai_size bytes_of(const ai_buffer* buffer);
ai_size bytes_of(const ai_buffer* buffer) {
    return AI_BUFFER_BYTE_SIZE(AI_BUFFER_SIZE(buffer), AI_BUFFER_FORMAT(buffer)) *
           (AI_BUFFER_SHAPE_ELEM(buffer, AI_SHAPE_BATCH) != 0);
}

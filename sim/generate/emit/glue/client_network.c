// SPDX-License-Identifier: Apache-2.0
#define N6VP_LEGACY_FUNCTIONS_ONLY
#include "client_network.h"

/// What an application links once for all of its static networks, together with legacy_network.c.

void legacy_network_tell(const struct legacy_network* self, ai_u32 type, ai_u32 code,
                         const char* cause) {
    ai_error error = {0, 0};
    error.type = type & 0xFF;
    error.code = code & 0xFFFFFF;
    n6vp_client_refused(self != NULL ? self->model->name : "", error, cause);
}

#if defined(__GNUC__)
__attribute__((weak))
#endif
void n6vp_client_refused(const char* network, ai_error error, const char* cause) {
    (void)network;
    (void)error;
    (void)cause;
}

/// Copies a table's addresses into buffers and returns them as the map view has them.
static ai_buffer_array defaults(ai_buffer* buffers, ai_u16 count, const ai_handle* table) {
    ai_buffer_array array = {0, 0, NULL};
    ai_u32 i = 0;
    for (; i < count; ++i) buffers[i].data = table[1 + i];
    array.size = count;
    array.buffer = buffers;
    return array;
}

ai_bool client_network_data_params(struct legacy_network* self, ai_network_params* params) {
    const struct legacy_model* const model = self->model;
    if (params == NULL) return false;
    params->map_signature = AI_MAGIC_SIGNATURE;
    params->map_weights = defaults(model->weights, model->n_weights, self->weights_table);
    params->map_activations =
        defaults(model->activations, model->n_activations, self->activations_table);
    return true;
}

ai_error client_network_create_and_init(struct legacy_network* self, ai_handle* handle,
                                        const ai_handle* activations, const ai_handle* weights) {
    ai_network_params params;
    ai_u32 i = 0;
    ai_error error = legacy_network_create(self, handle, NULL);
    if (error.type != AI_ERROR_NONE) return error;
    (void)client_network_data_params(self, &params);
    for (; activations != NULL && i < params.map_activations.size; ++i)
        params.map_activations.buffer[i].data = activations[i];
    for (i = 0; weights != NULL && i < params.map_weights.size; ++i)
        params.map_weights.buffer[i].data = weights[i];
    if (!legacy_network_init(self, *handle, &params)) error = legacy_network_error(self, *handle);
    return error;
}

/// Applications written for older tools ask before they create: a handle of NULL is accepted.
ai_buffer* client_network_buffers(const struct legacy_network* self, ai_handle handle,
                                  ai_buffer* buffers, ai_u16 count, ai_u16* n_buffer) {
    const ai_bool known = handle == AI_HANDLE_NULL || legacy_network_is_valid(self, handle);
    if (n_buffer != NULL) *n_buffer = known ? count : 0;
    if (known) return buffers;
    legacy_network_tell(
        self, AI_ERROR_INVALID_HANDLE, AI_ERROR_CODE_NETWORK,
        "StaleHandle: the handle is of another network, or of one that was destroyed");
    return NULL;
}

/// Handles of this interface are of any network of the application.
static struct legacy_network* network_of(ai_handle handle) {
    struct legacy_network* const network = legacy_network_find(handle);
    if (network == NULL) {
        legacy_network_tell(NULL, AI_ERROR_INVALID_HANDLE, AI_ERROR_CODE_NETWORK,
                            "StaleHandle: the handle is of no network that exists");
    }
    return network;
}

ai_bool ai_platform_observer_register(ai_handle network, ai_observer_node_cb cb, ai_handle cookie,
                                      ai_u32 flags) {
    struct legacy_network* const self = network_of(network);
    if (self == NULL) return false;
    self->own_observer.on_node = cb;
    self->own_observer.cookie = cookie;
    self->own_observer.flags = flags;
    self->own_observer.cur = NULL;
    return legacy_network_observe(self, network, &self->own_observer);
}

ai_bool ai_platform_observer_register_s(ai_handle network, ai_observer_exec_ctx* ctx) {
    struct legacy_network* const self = network_of(network);
    return self != NULL && legacy_network_observe(self, network, ctx);
}

ai_bool ai_platform_observer_unregister(ai_handle network, ai_observer_node_cb cb,
                                        ai_handle cookie) {
    struct legacy_network* const self = network_of(network);
    if (self == NULL) return false;
    if (self->observer != &self->own_observer || self->own_observer.on_node != cb ||
        self->own_observer.cookie != cookie) {
        legacy_network_fail(self, AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_PTR,
                            "OtherCallback: another callback is registered");
        return false;
    }
    return legacy_network_ignore(self, network, &self->own_observer);
}

ai_bool ai_platform_observer_unregister_s(ai_handle network, ai_observer_exec_ctx* ctx) {
    struct legacy_network* const self = network_of(network);
    return self != NULL && legacy_network_ignore(self, network, ctx);
}

ai_bool ai_platform_observer_node_info(ai_handle network, ai_observer_node* node_info) {
    struct legacy_network* const self = network_of(network);
    return self != NULL && legacy_network_node_info(self, network, node_info);
}

struct name {
    ai_u32 value;
    const char* text;
};

static const char* text_of(const struct name* names, size_t count, ai_u32 value) {
    size_t i = 0;
    for (; i < count; ++i) {
        if (names[i].value == value) return names[i].text;
    }
    return "?";
}

const char* n6vp_client_type_name(ai_u32 type) {
    static const struct name names[] = {
        {AI_ERROR_NONE, "NONE"},
        {AI_ERROR_TOOL_PLATFORM_API_MISMATCH, "TOOL_PLATFORM_API_MISMATCH"},
        {AI_ERROR_TYPES_MISMATCH, "TYPES_MISMATCH"},
        {AI_ERROR_INVALID_HANDLE, "INVALID_HANDLE"},
        {AI_ERROR_INVALID_STATE, "INVALID_STATE"},
        {AI_ERROR_INVALID_INPUT, "INVALID_INPUT"},
        {AI_ERROR_INVALID_OUTPUT, "INVALID_OUTPUT"},
        {AI_ERROR_INVALID_PARAM, "INVALID_PARAM"},
        {AI_ERROR_INVALID_SIGNATURE, "INVALID_SIGNATURE"},
        {AI_ERROR_INVALID_SIZE, "INVALID_SIZE"},
        {AI_ERROR_INVALID_VALUE, "INVALID_VALUE"},
        {AI_ERROR_INIT_FAILED, "INIT_FAILED"},
        {AI_ERROR_ALLOCATION_FAILED, "ALLOCATION_FAILED"},
        {AI_ERROR_DEALLOCATION_FAILED, "DEALLOCATION_FAILED"},
        {AI_ERROR_CREATE_FAILED, "CREATE_FAILED"}};
    return text_of(names, sizeof names / sizeof names[0], type);
}

const char* n6vp_client_code_name(ai_u32 code) {
    static const struct name names[] = {{AI_ERROR_CODE_NONE, "NONE"},
                                        {AI_ERROR_CODE_NETWORK, "NETWORK"},
                                        {AI_ERROR_CODE_NETWORK_PARAMS, "NETWORK_PARAMS"},
                                        {AI_ERROR_CODE_NETWORK_WEIGHTS, "NETWORK_WEIGHTS"},
                                        {AI_ERROR_CODE_NETWORK_ACTIVATIONS, "NETWORK_ACTIVATIONS"},
                                        {AI_ERROR_CODE_LAYER, "LAYER"},
                                        {AI_ERROR_CODE_TENSOR, "TENSOR"},
                                        {AI_ERROR_CODE_ARRAY, "ARRAY"},
                                        {AI_ERROR_CODE_INVALID_PTR, "INVALID_PTR"},
                                        {AI_ERROR_CODE_INVALID_SIZE, "INVALID_SIZE"},
                                        {AI_ERROR_CODE_INVALID_FORMAT, "INVALID_FORMAT"},
                                        {AI_ERROR_CODE_OUT_OF_RANGE, "OUT_OF_RANGE"},
                                        {AI_ERROR_CODE_INVALID_BATCH, "INVALID_BATCH"},
                                        {AI_ERROR_CODE_MISSED_INIT, "MISSED_INIT"},
                                        {AI_ERROR_CODE_IN_USE, "IN_USE"},
                                        {AI_ERROR_CODE_LOCK, "LOCK"}};
    return text_of(names, sizeof names / sizeof names[0], code);
}

// SPDX-License-Identifier: Apache-2.0
#include "legacy_model.h"

#include <stddef.h>

/// The functions of the vector, the same for every model. A handle of the network is the address of
/// `network`; each instance has its own, in its own RAM.

static struct {
    ai_u32 state;
    ai_error error;
    ai_observer_exec_ctx* observer;
} network;

enum { kCreated = 1, kInitialised = 2 };

// Compilers call these where a model copies or clears structures; there is no library.
void* memcpy(void* to, const void* from, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) ((ai_u8*)to)[i] = ((const ai_u8*)from)[i];
    return to;
}
void* memset(void* to, int value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) ((ai_u8*)to)[i] = (ai_u8)value;
    return to;
}

const void* legacy_input_now[kLegacyMaxTensors];
void* legacy_output_now[kLegacyMaxTensors];

/// The first error stays until it is read.
static void fail(ai_u32 type, ai_u32 code) {
    if (network.error.type != AI_ERROR_NONE) return;
    network.error.type = type;
    network.error.code = code;
}

static ai_bool is_valid(ai_handle handle) {
    return handle == (ai_handle)&network && (network.state & kCreated) != 0;
}

ai_error legacy_create(ai_handle* handle, const ai_buffer* config) {
    const ai_error none = {AI_ERROR_NONE, AI_ERROR_CODE_NONE};
    const ai_error in_use = {AI_ERROR_CREATE_FAILED, AI_ERROR_CODE_IN_USE};
    (void)config;
    if ((network.state & kCreated) != 0) return in_use;
    network.state = kCreated;
    network.error = none;
    network.observer = NULL;
    *handle = &network;
    return none;
}

/// Returns false if an address is missing or not a multiple of 4.
static ai_bool take(const ai_buffer_array* from, ai_buffer* to, ai_u16 count, ai_u32 code) {
    if (count != 0 && (from->buffer == NULL || from->size < count)) {
        fail(AI_ERROR_INVALID_PARAM, code);
        return false;
    }
    for (ai_u32 i = 0; i < count; ++i) {
        const ai_handle address = from->buffer[i].data;
        if (address == NULL || ((uintptr_t)address & 3) != 0) {
            fail(AI_ERROR_INVALID_PARAM, code);
            return false;
        }
        to[i].data = address;
    }
    return true;
}

static void place(ai_buffer* tensors, const struct legacy_place* places, ai_u16 count) {
    for (ai_u32 i = 0; i < count; ++i) {
        tensors[i].data = places == NULL || places[i].activation < 0
                              ? NULL
                              : legacy_activation((unsigned)places[i].activation, places[i].offset);
    }
}

ai_bool legacy_init(ai_handle handle, const ai_network_params* params) {
    const struct legacy_model* const model = &model_description;
    if (!is_valid(handle)) return false;
    network.state &= ~(ai_u32)kInitialised;
    if (params == NULL) {
        fail(AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_NETWORK_PARAMS);
        return false;
    }
    ai_buffer_array weights = params->map_weights, activations = params->map_activations;
    ai_buffer one_weight = params->params, one_activation = params->activations;
    if (params->map_signature != AI_MAGIC_SIGNATURE) {
        weights = (ai_buffer_array){0, 1, &one_weight};
        activations = (ai_buffer_array){0, 1, &one_activation};
    }
    if (!take(&weights, model->weights, model->n_weights, AI_ERROR_CODE_NETWORK_WEIGHTS) ||
        !take(&activations, model->activations, model->n_activations,
              AI_ERROR_CODE_NETWORK_ACTIVATIONS))
        return false;
    place(model->inputs, model->input_places, model->n_inputs);
    place(model->outputs, model->output_places, model->n_outputs);
    network.state |= kInitialised;
    return true;
}

ai_bool legacy_init_v2(ai_handle handle, const ai_handle* weights, const ai_handle* activations) {
    const struct legacy_model* const model = &model_description;
    ai_network_params params = {.map_signature = AI_MAGIC_SIGNATURE,
                                .map_weights = {0, model->n_weights, model->weights},
                                .map_activations = {0, model->n_activations, model->activations}};
    if (!is_valid(handle)) return false;
    if ((model->n_weights != 0 && weights == NULL) ||
        (model->n_activations != 0 && activations == NULL)) {
        fail(AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_NETWORK_PARAMS);
        return false;
    }
    for (ai_u32 i = 0; i < model->n_weights; ++i) model->weights[i].data = weights[i];
    for (ai_u32 i = 0; i < model->n_activations; ++i) model->activations[i].data = activations[i];
    return legacy_init(handle, &params);
}

static ai_u32 bytes_of(const ai_buffer* tensor) {
    return AI_BUFFER_BYTE_SIZE(AI_BUFFER_SIZE(tensor), tensor->format);
}

/// Judges the caller's buffers against the model's own; returns their batches, or 0.
static ai_u32 batches_of(const ai_buffer* given, const ai_buffer* own, ai_u16 count, ai_u32 type) {
    ai_u32 batches = 0;
    for (ai_u32 i = 0; i < count; ++i) {
        const ai_u32 batch = AI_BUFFER_SHAPE_ELEM(&given[i], AI_SHAPE_BATCH);
        if (given[i].data == NULL) {
            fail(type, AI_ERROR_CODE_INVALID_PTR);
            return 0;
        }
        if (!AI_BUFFER_FMT_SAME(given[i].format, own[i].format)) {
            fail(type, AI_ERROR_CODE_INVALID_FORMAT);
            return 0;
        }
        if (given[i].size != own[i].size) {
            fail(type, AI_ERROR_CODE_INVALID_SIZE);
            return 0;
        }
        if (batch == 0 || (i != 0 && batch != batches)) {
            fail(type, AI_ERROR_CODE_INVALID_BATCH);
            return 0;
        }
        batches = batch;
    }
    return batches;
}

static void notify(ai_u32 event, ai_u32 index) {
    const struct legacy_model* const model = &model_description;
    ai_observer_exec_ctx* const observer = network.observer;
    if (observer == NULL || observer->on_node == NULL || (observer->flags & event) == 0) return;
    const ai_observer_node node = {
        .c_idx = (ai_u16)index, .type = model->nodes[index].type, .id = model->nodes[index].id};
    ai_u32 flags = event;
    if (index == 0) flags |= AI_OBSERVER_FIRST_EVT;
    if (index + 1 == model->n_nodes) flags |= AI_OBSERVER_LAST_EVT;
    observer->c_idx = (ai_u16)index;
    observer->on_node(observer->cookie, flags, &node);
}

static void run_nodes(void) {
    const struct legacy_model* const model = &model_description;
    for (ai_u32 i = 0; i < model->n_nodes; ++i) {
        notify(AI_OBSERVER_PRE_EVT, i);
        model->nodes[i].run();
        notify(AI_OBSERVER_POST_EVT, i);
    }
}

ai_i32 legacy_run(ai_handle handle, const ai_buffer* input, ai_buffer* output) {
    const struct legacy_model* const model = &model_description;
    if (!is_valid(handle)) return 0;
    if ((network.state & kInitialised) == 0) {
        fail(AI_ERROR_INVALID_STATE, AI_ERROR_CODE_MISSED_INIT);
        return 0;
    }
    if (input == NULL || output == NULL) {
        fail(input == NULL ? AI_ERROR_INVALID_INPUT : AI_ERROR_INVALID_OUTPUT,
             AI_ERROR_CODE_INVALID_PTR);
        return 0;
    }
    const ai_u32 batches =
        batches_of(input, model->inputs, model->n_inputs, AI_ERROR_INVALID_INPUT);
    if (batches == 0) return 0;
    const ai_u32 room =
        batches_of(output, model->outputs, model->n_outputs, AI_ERROR_INVALID_OUTPUT);
    if (room != batches) {
        fail(AI_ERROR_INVALID_OUTPUT, AI_ERROR_CODE_INVALID_BATCH);
        return 0;
    }
    for (ai_u32 batch = 0; batch < batches; ++batch) {
        for (ai_u32 i = 0; i < model->n_inputs; ++i)
            legacy_input_now[i] = (const ai_u8*)input[i].data + batch * bytes_of(&input[i]);
        for (ai_u32 i = 0; i < model->n_outputs; ++i)
            legacy_output_now[i] = (ai_u8*)output[i].data + batch * bytes_of(&output[i]);
        run_nodes();
    }
    return (ai_i32)batches;
}

ai_i32 legacy_forward(ai_handle handle, const ai_buffer* input) {
    return legacy_run(handle, input, model_description.outputs);
}

ai_bool legacy_report(ai_handle handle, ai_network_report* report) {
    const struct legacy_model* const model = &model_description;
    if (!is_valid(handle) || report == NULL) return false;
    *report = (ai_network_report){.model_name = model->name,
                                  .model_signature = model->signature,
                                  .model_datetime = "",
                                  .compile_datetime = "",
                                  .runtime_revision = "",
                                  .runtime_version = {1, 0, 0, 0},
                                  .tool_revision = "",
                                  .tool_api_version = {1, 5, 0, 0},
                                  .api_version = {1, 2, 0, 0},
                                  .n_macc = model->macc,
                                  .n_inputs = model->n_inputs,
                                  .n_outputs = model->n_outputs,
                                  .inputs = model->inputs,
                                  .outputs = model->outputs,
                                  .map_signature = AI_MAGIC_SIGNATURE,
                                  .map_weights = {0, model->n_weights, model->weights},
                                  .map_activations = {0, model->n_activations, model->activations},
                                  .n_nodes = model->n_nodes};
    return true;
}

ai_error legacy_error(ai_handle handle) {
    const ai_error invalid = {AI_ERROR_INVALID_HANDLE, AI_ERROR_CODE_NETWORK};
    const ai_error none = {AI_ERROR_NONE, AI_ERROR_CODE_NONE};
    if (!is_valid(handle)) return invalid;
    const ai_error first = network.error;
    network.error = none;
    return first;
}

ai_handle legacy_destroy(ai_handle handle) {
    if (!is_valid(handle)) return handle;
    network.state = 0;
    network.observer = NULL;
    return NULL;
}

ai_bool legacy_observer_register(ai_handle handle, ai_observer_exec_ctx* context) {
    const struct legacy_model* const model = &model_description;
    if (!is_valid(handle) || context == NULL || context->on_node == NULL) return false;
    context->c_idx = 0;
    context->n_nodes = (ai_u16)model->n_nodes;
    context->flags |= AI_OBSERVER_REGISTERED;
    network.observer = context;
    for (ai_u32 i = 0; i < model->n_nodes; ++i) notify(AI_OBSERVER_INIT_EVT, i);
    return true;
}

ai_bool legacy_observer_unregister(ai_handle handle, ai_observer_exec_ctx* context) {
    if (!is_valid(handle) || context == NULL || network.observer != context) return false;
    context->flags &= ~AI_OBSERVER_REGISTERED;
    network.observer = NULL;
    return true;
}

ai_bool legacy_observer_node_info(ai_handle handle, ai_observer_node* node) {
    const struct legacy_model* const model = &model_description;
    if (!is_valid(handle) || node == NULL || node->c_idx >= model->n_nodes) return false;
    node->type = model->nodes[node->c_idx].type;
    node->id = model->nodes[node->c_idx].id;
    node->inner_tensors = NULL;
    node->tensors = NULL;
    return true;
}

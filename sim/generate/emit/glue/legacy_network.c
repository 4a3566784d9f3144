// SPDX-License-Identifier: Apache-2.0
#define N6VP_LEGACY_FUNCTIONS_ONLY
#include "legacy_network.h"

#include "legacy_crc.h"

/// The functions of a network, the same for every network and both forms.

/// Relocatable networks have nobody to tell.
#if defined(N6VP_LEGACY_CORE)
#define BECAUSE(text) NULL
#else
#define BECAUSE(text) (text)
#endif

enum { kCreated = 1, kInitialised = 2, kRunning = 4 };

static const ai_error kNoError = {AI_ERROR_NONE, AI_ERROR_CODE_NONE};

/// Those that are created: of this application, or of this instance if relocatable.
static struct legacy_network* existing;

ai_bool legacy_network_is_valid(const struct legacy_network* self, ai_handle handle) {
    return handle == (const void*)self && (self->state & kCreated) != 0;
}

struct legacy_network* legacy_network_find(ai_handle handle) {
    struct legacy_network* network = existing;
    while (network != NULL && handle != (void*)network) network = network->next;
    return network;
}

void legacy_network_fail(struct legacy_network* self, ai_u32 type, ai_u32 code, const char* cause) {
    if (self->error.type == AI_ERROR_NONE) {
        self->error.type = type & 0xFF;
        self->error.code = code & 0xFFFFFF;
    }
    legacy_network_tell(self, type, code, cause);
}

/// Tells if not. There is no network to keep the error.
static ai_bool accepts(struct legacy_network* self, ai_handle handle) {
    if (legacy_network_is_valid(self, handle)) return true;
    legacy_network_tell(
        self, AI_ERROR_INVALID_HANDLE, AI_ERROR_CODE_NETWORK,
        BECAUSE("StaleHandle: the handle is of another network, or of one that was destroyed"));
    return false;
}

ai_error legacy_network_create(struct legacy_network* self, ai_handle* handle,
                               const ai_buffer* config) {
    const ai_error no_pointer = {AI_ERROR_INVALID_HANDLE, AI_ERROR_CODE_INVALID_PTR};
    const ai_error in_use = {AI_ERROR_CREATE_FAILED, AI_ERROR_CODE_IN_USE};
    const ai_error locked = {AI_ERROR_CREATE_FAILED, AI_ERROR_CODE_LOCK};
    (void)config;
    if (handle == NULL) return no_pointer;
    if ((self->state & kCreated) != 0) {
        legacy_network_tell(self, in_use.type, in_use.code,
                            BECAUSE("CreatedTwice: the network exists already; destroy it first"));
        return in_use;
    }
    *handle = AI_HANDLE_NULL;
    if (!legacy_crc_passes(self->crc)) {
        legacy_network_tell(
            self, locked.type, locked.code,
            BECAUSE("CrcUnitOff: the CRC unit does not answer; enable its clock before create"));
        return locked;
    }
    self->error = kNoError;
    self->state = kCreated;
    self->observer = NULL;
    self->next = existing;
    existing = self;
    *handle = self;
    return kNoError;
}

/// Enters addresses; fails if one is missing or not a multiple of 4.
static ai_bool take(struct legacy_network* self, const ai_buffer_array* from, ai_buffer* to,
                    ai_u16 count, ai_u32 code) {
    ai_u32 i = 0;
    if (count != 0 && (from->buffer == NULL || from->size < count)) {
        legacy_network_fail(self, AI_ERROR_INIT_FAILED, code,
                            BECAUSE("BuffersMissing: init was given fewer buffers than needed"));
        return false;
    }
    for (; i < count; ++i) {
        const ai_handle address = from->buffer[i].data;
        if (address == NULL || ((uintptr_t)address & 3) != 0) {
            legacy_network_fail(
                self, AI_ERROR_INIT_FAILED, code,
                address == NULL
                    ? BECAUSE("AddressMissing: init was given a buffer without address")
                    : BECAUSE(
                          "AddressMisaligned: init was given an address that is no multiple of 4"));
            return false;
        }
        to[i].data = address;
    }
    return true;
}

static void place(const struct legacy_model* model, ai_buffer* tensors,
                  const struct legacy_place* places, ai_u16 count) {
    ai_u32 i = 0;
    for (; i < count; ++i) {
        tensors[i].data = NULL;
        if (places != NULL && places[i].activation >= 0) {
            tensors[i].data =
                (ai_u8*)model->activations[places[i].activation].data + places[i].offset;
        }
    }
}

/// An array of addresses as buffers: `to` has the sizes.
static ai_buffer_array from_addresses(ai_buffer* to, ai_u16 count, const ai_handle* addresses) {
    ai_buffer_array array = {0, count, to};
    ai_u32 i = 0;
    for (; i < count; ++i) to[i].data = addresses[i];
    return array;
}

/// The form of one weight and one activation buffer. Instead of an address it may have a table.
static ai_buffer_array from_one(ai_buffer* one, ai_buffer* to, ai_u16 count,
                                const ai_handle* table) {
    ai_buffer_array array = {0, 1, one};
    if (table != NULL && one->data == (const void*)table)
        return from_addresses(to, count, table + 1);
    return array;
}

ai_bool legacy_network_init(struct legacy_network* self, ai_handle handle,
                            const ai_network_params* params) {
    const struct legacy_model* const model = self->model;
    ai_buffer_array weights, activations;
    ai_buffer one_weight, one_activation;
    if (!accepts(self, handle)) return false;
    if ((self->state & kRunning) != 0) {
        legacy_network_fail(self, AI_ERROR_INVALID_STATE, AI_ERROR_CODE_IN_USE,
                            BECAUSE("InitWhileRunning: the network is running"));
        return false;
    }
    self->state &= ~(ai_u32)kInitialised;
    if (params == NULL) {
        legacy_network_fail(self, AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_NETWORK_PARAMS,
                            BECAUSE("ParametersMissing: init was given none"));
        return false;
    }
    if (params->map_signature == AI_MAGIC_SIGNATURE) {
        weights = params->map_weights;
        activations = params->map_activations;
    } else {
        one_weight = params->params;
        one_activation = params->activations;
        weights = from_one(&one_weight, model->weights, model->n_weights, self->weights_table);
        activations = from_one(&one_activation, model->activations, model->n_activations,
                               self->activations_table);
    }
    if (!take(self, &weights, model->weights, model->n_weights, AI_ERROR_CODE_NETWORK_WEIGHTS) ||
        !take(self, &activations, model->activations, model->n_activations,
              AI_ERROR_CODE_NETWORK_ACTIVATIONS))
        return false;
    place(model, model->inputs, model->input_places, model->n_inputs);
    place(model, model->outputs, model->output_places, model->n_outputs);
    self->state |= kInitialised;
    return true;
}

ai_bool legacy_network_init_v2(struct legacy_network* self, ai_handle handle,
                               const ai_handle* weights, const ai_handle* activations) {
    const struct legacy_model* const model = self->model;
    ai_network_params params;
    if (!accepts(self, handle)) return false;
    if ((model->n_weights != 0 && weights == NULL) ||
        (model->n_activations != 0 && activations == NULL)) {
        legacy_network_fail(self, AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_NETWORK_PARAMS,
                            BECAUSE("AddressesMissing: init was given no array of addresses"));
        return false;
    }
    params.map_signature = AI_MAGIC_SIGNATURE;
    params.map_weights = from_addresses(model->weights, model->n_weights, weights);
    params.map_activations = from_addresses(model->activations, model->n_activations, activations);
    return legacy_network_init(self, handle, &params);
}

static ai_u32 bytes_of(const ai_buffer* tensor) {
    return AI_BUFFER_BYTE_SIZE(AI_BUFFER_SIZE(tensor), tensor->format);
}

/// Returns the code of what is wrong with a buffer of the caller, compared with the network's own.
static ai_u32 fault_of(const ai_buffer* given, const ai_buffer* own, const char** cause) {
    const ai_u32 bytes = AI_BUFFER_FMT_GET_BITS(own->format) / 8;
    *cause = BECAUSE("DataMissing: run was given a buffer without data");
    if (given->data == NULL) return AI_ERROR_CODE_INVALID_PTR;
    *cause = BECAUSE("DataMisaligned: run was given data that are not aligned to their elements");
    if (bytes != 0 && (uintptr_t)given->data % bytes != 0) return AI_ERROR_CODE_INVALID_PTR;
    *cause = BECAUSE("OtherFormat: run was given a buffer of another format than the network's");
    if (!AI_BUFFER_FMT_SAME(given->format, own->format)) return AI_ERROR_CODE_INVALID_FORMAT;
    *cause = BECAUSE("OtherSize: run was given a buffer of another size than the network's");
    if (given->size != own->size) return AI_ERROR_CODE_INVALID_SIZE;
    *cause = BECAUSE("BatchZero: run was given a batch of 0");
    if (AI_BUFFER_SHAPE_ELEM(given, AI_SHAPE_BATCH) == 0) return AI_ERROR_CODE_INVALID_BATCH;
    return AI_ERROR_CODE_NONE;
}

/// Judges the caller's buffers against the network's own; returns their batches, or 0.
static ai_u32 batches_of(struct legacy_network* self, const ai_buffer* given, const ai_buffer* own,
                         ai_u16 count, ai_u32 type) {
    ai_u32 batches = 0, i = 0;
    for (; i < count; ++i) {
        const char* cause = NULL;
        const ai_u32 batch = AI_BUFFER_SHAPE_ELEM(&given[i], AI_SHAPE_BATCH);
        ai_u32 code = fault_of(&given[i], &own[i], &cause);
        if (code == AI_ERROR_CODE_NONE && i != 0 && batch != batches) {
            code = AI_ERROR_CODE_INVALID_BATCH;
            cause = BECAUSE("BatchesDiffer: run was given buffers of different batches");
        }
        if (code != AI_ERROR_CODE_NONE) {
            legacy_network_fail(self, type, code, cause);
            return 0;
        }
        batches = batch;
    }
    return batches;
}

static void notify(struct legacy_network* self, ai_u32 event, ai_u32 index) {
    const struct legacy_model* const model = self->model;
    ai_observer_exec_ctx* const observer = self->observer;
    ai_observer_node node = {0, 0, 0, 0, NULL, NULL};
    ai_u32 flags = event;
    if (observer == NULL || observer->on_node == NULL || (observer->flags & event) == 0) return;
    node.c_idx = (ai_u16)index;
    node.type = model->nodes[index].type;
    node.id = model->nodes[index].id;
    if (index == 0) flags |= AI_OBSERVER_FIRST_EVT;
    if (index + 1 == model->n_nodes) flags |= AI_OBSERVER_LAST_EVT;
    observer->c_idx = (ai_u16)index;
    observer->on_node(observer->cookie, flags, &node);
}

static void run_nodes(struct legacy_network* self) {
    ai_u32 i = 0;
    for (; i < self->model->n_nodes; ++i) {
        notify(self, AI_OBSERVER_PRE_EVT, i);
        self->model->nodes[i].run();
        notify(self, AI_OBSERVER_POST_EVT, i);
    }
}

static ai_bool overlap(const ai_buffer* one, const ai_buffer* other) {
    const uintptr_t a = (uintptr_t)one->data, b = (uintptr_t)other->data;
    return a < b + other->size && b < a + one->size;
}

static ai_bool share_activations(const struct legacy_model* one, const struct legacy_model* other) {
    ai_u32 i = 0, j = 0;
    for (; i < one->n_activations; ++i) {
        for (j = 0; j < other->n_activations; ++j) {
            if (overlap(&one->activations[i], &other->activations[j])) return true;
        }
    }
    return false;
}

/// An interrupt handler or an observer may run a network while another, or the same, is running.
static ai_bool disturbs_none(struct legacy_network* self) {
    const struct legacy_network* other = existing;
    for (; other != NULL; other = other->next) {
        if ((other->state & kRunning) == 0) continue;
        if (other == self || share_activations(self->model, other->model)) {
            legacy_network_fail(self, AI_ERROR_INVALID_STATE, AI_ERROR_CODE_IN_USE,
                                other == self
                                    ? BECAUSE("RunsAlready: the network is running")
                                    : BECAUSE("ActivationsInUse: the activations are those of a "
                                              "network that is running"));
            return false;
        }
    }
    return true;
}

static ai_bool can_run(struct legacy_network* self, ai_handle handle, const ai_buffer* input,
                       const ai_buffer* output) {
    if (!accepts(self, handle)) return false;
    if ((self->state & kInitialised) == 0) {
        legacy_network_fail(self, AI_ERROR_INVALID_STATE, AI_ERROR_CODE_MISSED_INIT,
                            BECAUSE("MissingInit: run needs an init that succeeded"));
        return false;
    }
    if (input == NULL || output == NULL) {
        legacy_network_fail(self, input == NULL ? AI_ERROR_INVALID_INPUT : AI_ERROR_INVALID_OUTPUT,
                            AI_ERROR_CODE_INVALID_PTR, BECAUSE("NoBuffers: run was given none"));
        return false;
    }
    return disturbs_none(self);
}

ai_i32 legacy_network_run(struct legacy_network* self, ai_handle handle, const ai_buffer* input,
                          ai_buffer* output) {
    const struct legacy_model* const model = self->model;
    ai_u32 batches = 0, batch = 0, i = 0;
    if (!can_run(self, handle, input, output)) return 0;
    batches = batches_of(self, input, model->inputs, model->n_inputs, AI_ERROR_INVALID_INPUT);
    if (batches == 0) return 0;
    i = batches_of(self, output, model->outputs, model->n_outputs, AI_ERROR_INVALID_OUTPUT);
    if (i != batches) {
        if (i != 0) {
            legacy_network_fail(self, AI_ERROR_INVALID_OUTPUT, AI_ERROR_CODE_INVALID_BATCH,
                                BECAUSE("BatchesDiffer: outputs of another batch than the inputs"));
        }
        return 0;
    }
    self->state |= kRunning;
    for (; batch < batches; ++batch) {
        for (i = 0; i < model->n_inputs; ++i)
            self->input_now[i] = (const ai_u8*)input[i].data + batch * bytes_of(&input[i]);
        for (i = 0; i < model->n_outputs; ++i)
            self->output_now[i] = (ai_u8*)output[i].data + batch * bytes_of(&output[i]);
        run_nodes(self);
    }
    self->state &= ~(ai_u32)kRunning;
    return (ai_i32)batches;
}

#if defined(N6VP_LEGACY_SHORT_REPORT)
/// The report of tools 7.2: operations in 32 bits, and no padding before or after.
struct short_report {
    const char* names[5];
    ai_platform_version runtime_version;
    const char* tool_revision;
    ai_platform_version versions[4];
    ai_u32 n_macc;
    ai_u16 n_inputs, n_outputs;
    ai_buffer *inputs, *outputs;
    ai_network_params params;
    ai_u32 n_nodes;
    ai_signature signature;
};
_Static_assert(sizeof(struct short_report) == 124, "report of tools 7.2");

static void fill_report(const struct legacy_model* model, ai_network_report* report) {
    struct short_report* const to = (struct short_report*)(void*)report;
    *to = (struct short_report){.names = {model->name, model->signature, "", "", ""},
                                .runtime_version = {1, 0, 0, 0},
                                .tool_revision = "",
                                .versions = {{0}, {1, 5, 0, 0}, {1, 2, 0, 0}, {0}},
                                .n_macc = (ai_u32)model->macc,
                                .n_inputs = model->n_inputs,
                                .n_outputs = model->n_outputs,
                                .inputs = model->inputs,
                                .outputs = model->outputs,
                                .n_nodes = model->n_nodes};
    to->params.map_signature = AI_MAGIC_SIGNATURE;
    to->params.map_weights = (ai_buffer_array){0, model->n_weights, model->weights};
    to->params.map_activations = (ai_buffer_array){0, model->n_activations, model->activations};
}
#else
static void fill_report(const struct legacy_model* model, ai_network_report* report) {
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
}
#endif

ai_bool legacy_network_report(struct legacy_network* self, ai_handle handle,
                              ai_network_report* report) {
    if (!accepts(self, handle) || report == NULL) return false;
    fill_report(self->model, report);
    return true;
}

ai_error legacy_network_error(struct legacy_network* self, ai_handle handle) {
    const ai_error invalid = {AI_ERROR_INVALID_HANDLE, AI_ERROR_CODE_NETWORK};
    const ai_error first = self->error;
    if (!legacy_network_is_valid(self, handle)) return invalid;
    self->error = kNoError;
    return first;
}

ai_handle legacy_network_destroy(struct legacy_network* self, ai_handle handle) {
    struct legacy_network** link = &existing;
    if (!accepts(self, handle)) return handle;
    if ((self->state & kRunning) != 0) {
        legacy_network_fail(self, AI_ERROR_INVALID_STATE, AI_ERROR_CODE_IN_USE,
                            BECAUSE("DestroyWhileRunning: the network is running"));
        return handle;
    }
    while (*link != NULL && *link != self) link = &(*link)->next;
    if (*link != NULL) *link = self->next;
    self->state = 0;
    self->observer = NULL;
    return AI_HANDLE_NULL;
}

ai_bool legacy_network_observe(struct legacy_network* self, ai_handle handle,
                               ai_observer_exec_ctx* context) {
    ai_u32 i = 0;
    if (!accepts(self, handle)) return false;
    if (context == NULL || context->on_node == NULL) {
        legacy_network_fail(self, AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_PTR,
                            BECAUSE("CallbackMissing: there is no callback to register"));
        return false;
    }
    context->c_idx = 0;
    context->n_nodes = (ai_u16)self->model->n_nodes;
    context->flags |= AI_OBSERVER_REGISTERED;
    self->observer = context;
    for (; i < self->model->n_nodes; ++i) notify(self, AI_OBSERVER_INIT_EVT, i);
    return true;
}

ai_bool legacy_network_ignore(struct legacy_network* self, ai_handle handle,
                              ai_observer_exec_ctx* context) {
    if (!accepts(self, handle) || context == NULL || self->observer != context) return false;
    context->flags &= ~AI_OBSERVER_REGISTERED;
    self->observer = NULL;
    return true;
}

ai_bool legacy_network_node_info(struct legacy_network* self, ai_handle handle,
                                 ai_observer_node* node) {
    if (!accepts(self, handle) || node == NULL) return false;
    if (node->c_idx >= self->model->n_nodes) {
        legacy_network_fail(self, AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_OUT_OF_RANGE,
                            BECAUSE("NodeUnknown: there is no such node"));
        return false;
    }
    node->type = self->model->nodes[node->c_idx].type;
    node->id = self->model->nodes[node->c_idx].id;
    node->inner_tensors = NULL;
    node->tensors = NULL;
    return true;
}

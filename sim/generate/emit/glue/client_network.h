// SPDX-License-Identifier: Apache-2.0
#ifndef N6VP_CLIENT_NETWORK_H
#define N6VP_CLIENT_NETWORK_H

/// The static form: a network linked into an application, with the documented functions
/// `ai_<name>_…`. Before the include, `#define N6VP_CLIENT_NAME <name>`; the rest of the file is
/// that of a relocatable network. See README.md of this folder.

#include "legacy_network.h"

/// What stands before and after the addresses of a table.
#define LEGACY_MARKER AI_HANDLE_PTR(AI_MAGIC_SIGNATURE)

/// More functions of a network, of this form only.
ai_error client_network_create_and_init(struct legacy_network* self, ai_handle* handle,
                                        const ai_handle* activations, const ai_handle* weights);
ai_bool client_network_data_params(struct legacy_network* self, ai_network_params* params);
ai_buffer* client_network_buffers(const struct legacy_network* self, ai_handle handle,
                                  ai_buffer* buffers, ai_u16 count, ai_u16* n_buffer);

/// Receives what a function of the API refused: network, error, and the cause as "<Rule>: <text>"
/// with names of rules that stay the same. Define it in the application to replace the weak
/// default, which does nothing.
void n6vp_client_refused(const char* network, ai_error error, const char* cause);
/// Returns the documented name of an error's type or code without AI_ERROR_…, "?" for no such.
const char* n6vp_client_type_name(ai_u32 type);
const char* n6vp_client_code_name(ai_u32 code);

#if !defined(N6VP_LEGACY_FUNCTIONS_ONLY)

#if !defined(N6VP_CLIENT_NAME)
#error "say what the network is called: #define N6VP_CLIENT_NAME network"
#endif

/// Embedded weights are constants of the application; the file's own label marks their start.
#define N6VP_LEGACY_WEIGHTS_SECTION                       \
    ".pushsection .rodata.n6vp_weights,\"a\",%progbits\n" \
    ".balign 8\n"                                         \
    ".ifndef n6vp_weights\n"                              \
    "n6vp_weights:\n"                                     \
    ".endif\n"
extern const ai_u8 n6vp_weights[];

#define N6VP_CLIENT_JOIN_(a, b, c) a##b##c
#define N6VP_CLIENT_JOIN(a, b, c) N6VP_CLIENT_JOIN_(a, b, c)
#define N6VP_CLIENT_FUNCTION(function) N6VP_CLIENT_JOIN(ai_, N6VP_CLIENT_NAME, function)
#define N6VP_CLIENT_TABLE(table) N6VP_CLIENT_JOIN(g_, N6VP_CLIENT_NAME, table)

/// Address of embedded weights.
#define LEGACY_EMBEDDED(offset) ((ai_handle)(n6vp_weights + (offset)))
/// Addresses that `create_and_init` takes where it is given none, in the order of the buffers; NULL
/// for one that the application brings. A network has both tables.
#define N6VP_LEGACY_WEIGHT_TABLE(...) \
    ai_handle N6VP_CLIENT_TABLE(_weights_table)[] = {LEGACY_MARKER, __VA_ARGS__, LEGACY_MARKER}
#define N6VP_LEGACY_ACTIVATION_TABLE(...) \
    ai_handle N6VP_CLIENT_TABLE(_activations_table)[] = {LEGACY_MARKER, __VA_ARGS__, LEGACY_MARKER}
#define N6VP_LEGACY_NO_WEIGHTS \
    ai_handle N6VP_CLIENT_TABLE(_weights_table)[] = {LEGACY_MARKER, LEGACY_MARKER}
#define N6VP_LEGACY_NO_ACTIVATIONS \
    ai_handle N6VP_CLIENT_TABLE(_activations_table)[] = {LEGACY_MARKER, LEGACY_MARKER}

/// Ends the file; further arguments are members of legacy_model. The sums of bytes are those that
/// <name>_data.h names; a relocatable network carries them, this form does not.
#define N6VP_LEGACY_MODEL(model_name, activation_bytes, weight_bytes, ...)                         \
    static const struct legacy_model legacy_description = {.name = model_name, __VA_ARGS__};       \
    static struct legacy_network legacy_this = {                                                   \
        .model = &legacy_description,                                                              \
        .weights_table = N6VP_CLIENT_TABLE(_weights_table),                                        \
        .activations_table = N6VP_CLIENT_TABLE(_activations_table)};                               \
    ai_error N6VP_CLIENT_FUNCTION(_create)(ai_handle * network, const ai_buffer* network_config) { \
        return legacy_network_create(&legacy_this, network, network_config);                       \
    }                                                                                              \
    ai_bool N6VP_CLIENT_FUNCTION(_init)(ai_handle network, const ai_network_params* params) {      \
        return legacy_network_init(&legacy_this, network, params);                                 \
    }                                                                                              \
    ai_error N6VP_CLIENT_FUNCTION(_create_and_init)(                                               \
        ai_handle * network, const ai_handle activations_at[], const ai_handle weights_at[]) {     \
        return client_network_create_and_init(&legacy_this, network, activations_at, weights_at);  \
    }                                                                                              \
    ai_bool N6VP_CLIENT_FUNCTION(_get_report)(ai_handle network, ai_network_report * report) {     \
        return legacy_network_report(&legacy_this, network, report);                               \
    }                                                                                              \
    ai_bool N6VP_CLIENT_FUNCTION(_get_info)(ai_handle network, ai_network_report * report) {       \
        return legacy_network_report(&legacy_this, network, report);                               \
    }                                                                                              \
    ai_bool N6VP_CLIENT_FUNCTION(_data_params_get)(ai_network_params * params) {                   \
        return client_network_data_params(&legacy_this, params);                                   \
    }                                                                                              \
    ai_handle N6VP_CLIENT_FUNCTION(_data_weights_get)(void) {                                      \
        return AI_HANDLE_PTR(N6VP_CLIENT_TABLE(_weights_table));                                   \
    }                                                                                              \
    ai_buffer* N6VP_CLIENT_FUNCTION(_inputs_get)(ai_handle network, ai_u16 * n_buffer) {           \
        return client_network_buffers(&legacy_this, network, legacy_description.inputs,            \
                                      legacy_description.n_inputs, n_buffer);                      \
    }                                                                                              \
    ai_buffer* N6VP_CLIENT_FUNCTION(_outputs_get)(ai_handle network, ai_u16 * n_buffer) {          \
        return client_network_buffers(&legacy_this, network, legacy_description.outputs,           \
                                      legacy_description.n_outputs, n_buffer);                     \
    }                                                                                              \
    ai_i32 N6VP_CLIENT_FUNCTION(_run)(ai_handle network, const ai_buffer* input,                   \
                                      ai_buffer* output) {                                         \
        return legacy_network_run(&legacy_this, network, input, output);                           \
    }                                                                                              \
    ai_i32 N6VP_CLIENT_FUNCTION(_forward)(ai_handle network, const ai_buffer* input) {             \
        return legacy_network_run(&legacy_this, network, input, legacy_description.outputs);       \
    }                                                                                              \
    ai_error N6VP_CLIENT_FUNCTION(_get_error)(ai_handle network) {                                 \
        return legacy_network_error(&legacy_this, network);                                        \
    }                                                                                              \
    ai_handle N6VP_CLIENT_FUNCTION(_destroy)(ai_handle network) {                                  \
        return legacy_network_destroy(&legacy_this, network);                                      \
    }                                                                                              \
    struct legacy_network

#endif  // N6VP_LEGACY_FUNCTIONS_ONLY

#endif

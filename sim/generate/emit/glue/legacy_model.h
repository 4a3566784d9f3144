// SPDX-License-Identifier: Apache-2.0
#ifndef N6VP_LEGACY_MODEL_H
#define N6VP_LEGACY_MODEL_H

/// What a position-independent C file needs to become a relocatable model of the older family
/// (`AI_RELOC`: Cortex-M4, M7, M33). A model describes itself once with N6VP_LEGACY_MODEL; link it
/// with legacy_network.c and legacy_model.c. Build with -DN6VP_LEGACY_CORE=4, 7 or 33.
///
/// With -DN6VP_CLIENT_NAME=<name> instead, the same file is a static network (client_network.h).

#if defined(N6VP_CLIENT_NAME)
#include "client_network.h"
#else

#if !defined(N6VP_LEGACY_CORE)
#error "say which core: -DN6VP_LEGACY_CORE=4, 7, 33 or 55"
#elif N6VP_LEGACY_CORE == 4
#define N6VP_LEGACY_PART 0xC24u
#elif N6VP_LEGACY_CORE == 7
#define N6VP_LEGACY_PART 0xC27u
#elif N6VP_LEGACY_CORE == 33
#define N6VP_LEGACY_PART 0xD21u
#elif N6VP_LEGACY_CORE == 55
#define N6VP_LEGACY_PART 0xD22u
#else
#error "N6VP_LEGACY_CORE is none of 4, 7, 33, 55"
#endif
#if !defined(__ARM_PCS_VFP) || !defined(__ARM_FP)
#error "such a model is built with -mfloat-abi=hard and an FPU"
#endif

/// Version 2.0, GCC, hard float with FPU, core.
#define N6VP_LEGACY_FLAGS (2u << 28 | 8u << 16 | 2u << 13 | 1u << 12 | N6VP_LEGACY_PART)

/// Content of the weights is never linked: `n6vp pack` finds the section by its name.
#define N6VP_LEGACY_WEIGHTS_SECTION ".pushsection .weights,\"\",%progbits\n"

#include "legacy_network.h"

/// Addresses of weights and activations are for the static form (client_network.h).
#define N6VP_LEGACY_WEIGHT_TABLE(...) _Static_assert(1, "none")
#define N6VP_LEGACY_ACTIVATION_TABLE(...) _Static_assert(1, "none")
#define N6VP_LEGACY_NO_WEIGHTS _Static_assert(1, "none")
#define N6VP_LEGACY_NO_ACTIVATIONS _Static_assert(1, "none")

// --- Tables of the container ---------------------------------------------------------------------

struct legacy_context {
    ai_u32 state;
    ai_handle network;
    ai_u32 ram_address, rom_address;
    void* heap_block;
    const char* name;
    ai_u32 activations_bytes, weights_bytes;
    ai_observer_exec_ctx observer;
#if !defined(N6VP_LEGACY_SHORT_CONTEXT)
    struct legacy_crc_callbacks crc;
#endif
};
#if defined(N6VP_LEGACY_SHORT_CONTEXT)
_Static_assert(sizeof(struct legacy_context) == 52, "rt_ctx of tools before and after 7.2");
#else
_Static_assert(sizeof(struct legacy_context) == 60, "rt_ctx of tools 7.2");
#endif
extern struct legacy_context _network_rt_ctx;

/// The order of the vector.
struct legacy_entries {
    ai_error (*create)(ai_handle* network, const ai_buffer* config);
    ai_bool (*init)(ai_handle network, const ai_network_params* params);
    ai_bool (*init_v2)(ai_handle network, const ai_handle* weights, const ai_handle* activations);
    ai_i32 (*run)(ai_handle network, const ai_buffer* input, ai_buffer* output);
    ai_bool (*report)(ai_handle network, ai_network_report* report);
    ai_error (*error)(ai_handle network);
    ai_handle (*destroy)(ai_handle network);
    ai_i32 (*forward)(ai_handle network, const ai_buffer* input);
    ai_bool (*observer_register)(ai_handle network, ai_observer_exec_ctx* context);
    ai_bool (*observer_unregister)(ai_handle network, ai_observer_exec_ctx* context);
    ai_bool (*observer_node_info)(ai_handle network, ai_observer_node* node);
    struct legacy_context* context;
};

#define N6VP_LEGACY_SECTION(name) __attribute__((section(name), used))
#if defined(N6VP_LEGACY_SHORT_CONTEXT)
#define N6VP_LEGACY_CRC_CALLBACKS NULL
#else
#define N6VP_LEGACY_CRC_CALLBACKS (&_network_rt_ctx.crc)
#endif

/// Header word, functions, vector and rt_ctx, to be used once; further arguments are members of
/// legacy_model.
#define N6VP_LEGACY_MODEL(model_name, activation_bytes, weight_bytes, ...)                   \
    N6VP_LEGACY_SECTION(".network_flags") const ai_u32 _network_flags = N6VP_LEGACY_FLAGS;   \
    N6VP_LEGACY_SECTION(".network_rt_ctx")                                                   \
    struct legacy_context _network_rt_ctx = {.name = model_name,                             \
                                             .activations_bytes = (activation_bytes),        \
                                             .weights_bytes = (weight_bytes)};               \
    static const struct legacy_model legacy_description = {.name = model_name, __VA_ARGS__}; \
    static struct legacy_network legacy_this = {.model = &legacy_description,                \
                                                .crc = N6VP_LEGACY_CRC_CALLBACKS};           \
    static ai_error legacy_create(ai_handle* network, const ai_buffer* config) {             \
        return legacy_network_create(&legacy_this, network, config);                         \
    }                                                                                        \
    static ai_bool legacy_init(ai_handle network, const ai_network_params* params) {         \
        return legacy_network_init(&legacy_this, network, params);                           \
    }                                                                                        \
    static ai_bool legacy_init_v2(ai_handle network, const ai_handle* weights,               \
                                  const ai_handle* activations) {                            \
        return legacy_network_init_v2(&legacy_this, network, weights, activations);          \
    }                                                                                        \
    static ai_i32 legacy_run(ai_handle network, const ai_buffer* input, ai_buffer* output) { \
        return legacy_network_run(&legacy_this, network, input, output);                     \
    }                                                                                        \
    static ai_bool legacy_report(ai_handle network, ai_network_report* report) {             \
        return legacy_network_report(&legacy_this, network, report);                         \
    }                                                                                        \
    static ai_error legacy_error(ai_handle network) {                                        \
        return legacy_network_error(&legacy_this, network);                                  \
    }                                                                                        \
    static ai_handle legacy_destroy(ai_handle network) {                                     \
        return legacy_network_destroy(&legacy_this, network);                                \
    }                                                                                        \
    static ai_i32 legacy_forward(ai_handle network, const ai_buffer* input) {                \
        return legacy_network_run(&legacy_this, network, input, legacy_description.outputs); \
    }                                                                                        \
    static ai_bool legacy_observe(ai_handle network, ai_observer_exec_ctx* context) {        \
        return legacy_network_observe(&legacy_this, network, context);                       \
    }                                                                                        \
    static ai_bool legacy_ignore(ai_handle network, ai_observer_exec_ctx* context) {         \
        return legacy_network_ignore(&legacy_this, network, context);                        \
    }                                                                                        \
    static ai_bool legacy_node_info(ai_handle network, ai_observer_node* node) {             \
        return legacy_network_node_info(&legacy_this, network, node);                        \
    }                                                                                        \
    N6VP_LEGACY_SECTION(".network_entries")                                                  \
    const struct legacy_entries _network_entries = {                                         \
        legacy_create,  legacy_init,   legacy_init_v2,   legacy_run,                         \
        legacy_report,  legacy_error,  legacy_destroy,   legacy_forward,                     \
        legacy_observe, legacy_ignore, legacy_node_info, &_network_rt_ctx}

#endif  // N6VP_CLIENT_NAME

#endif

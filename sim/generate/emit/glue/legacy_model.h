// SPDX-License-Identifier: Apache-2.0
#ifndef N6VP_LEGACY_MODEL_H
#define N6VP_LEGACY_MODEL_H

/// What a position-independent C file needs to become a relocatable model of the older family
/// (`AI_RELOC`: Cortex-M4, M7, M33). A model describes itself once with N6VP_LEGACY_MODEL;
/// legacy_model.c has the functions of the vector. Build with -DN6VP_LEGACY_CORE=4, 7 or 33.

#include "ai_platform.h"

#if !defined(N6VP_LEGACY_CORE)
#error "say which core: -DN6VP_LEGACY_CORE=4, 7 or 33"
#elif N6VP_LEGACY_CORE == 4
#define N6VP_LEGACY_PART 0xC24u
#elif N6VP_LEGACY_CORE == 7
#define N6VP_LEGACY_PART 0xC27u
#elif N6VP_LEGACY_CORE == 33
#define N6VP_LEGACY_PART 0xD21u
#else
#error "N6VP_LEGACY_CORE is none of 4, 7, 33"
#endif
#if !defined(__ARM_PCS_VFP) || !defined(__ARM_FP)
#error "such a model is built with -mfloat-abi=hard and an FPU"
#endif

/// Version 2.0, GCC, hard float with FPU, core.
#define N6VP_LEGACY_FLAGS (2u << 28 | 8u << 16 | 2u << 13 | 1u << 12 | N6VP_LEGACY_PART)

// --- What a model says of itself -----------------------------------------------------------------

/// One layer, which an observer sees as one node. `type` and `id` are the model's own numbers.
struct legacy_node {
    void (*run)(void);
    ai_u16 type, id;
};

/// Where an input or output lies in the activations; kLegacyUser: the caller brings it.
struct legacy_place {
    ai_i16 activation;
    ai_u32 offset;
};
enum { kLegacyUser = -1 };

struct legacy_model {
    const char *name, *signature;
    ai_macc macc;
    ai_buffer *inputs, *outputs;
    const struct legacy_place *input_places, *output_places;
    ai_buffer *weights, *activations;  ///< sizes in bytes; addresses are entered by init
    const struct legacy_node* nodes;
    ai_u16 n_inputs, n_outputs, n_weights, n_activations;
    ai_u32 n_nodes;
};
extern const struct legacy_model model_description;

enum { kLegacyMaxTensors = 8 };
/// Addresses of the batch that runs.
extern const void* legacy_input_now[kLegacyMaxTensors];
extern void* legacy_output_now[kLegacyMaxTensors];

// --- For node functions --------------------------------------------------------------------------

static inline void* legacy_activation(unsigned buffer, unsigned offset) {
    return (ai_u8*)model_description.activations[buffer].data + offset;
}
static inline const void* legacy_weight(unsigned buffer, unsigned offset) {
    return (const ai_u8*)model_description.weights[buffer].data + offset;
}
static inline const void* legacy_input(unsigned index) {
    return legacy_input_now[index];
}
static inline void* legacy_output(unsigned index) {
    return legacy_output_now[index];
}

// --- Buffers -------------------------------------------------------------------------------------

/// Dimensions of a channel-last tensor, in the order of AI_SHAPE_….
#define LEGACY_SHAPE(batch, channel, width, height) \
    { (batch), (channel), (width), (height) }
#define LEGACY_BUFFER(form, elements, shape_array, meta)                                      \
    {                                                                                         \
        .format = (ai_buffer_format)((form) | AI_BUFFER_FMT_FLAG_IS_IO), .meta_info = (meta), \
        .size = (elements), .shape = {                                                        \
            .size = 4,                                                                        \
            .data = (shape_array)                                                             \
        }                                                                                     \
    }
/// A weight or activation buffer.
#define LEGACY_BYTES(bytes, shape_array)                           \
    {                                                              \
        .format = AI_BUFFER_FORMAT_U8, .size = (bytes), .shape = { \
            .size = 4,                                             \
            .data = (shape_array)                                  \
        }                                                          \
    }
/// Declares `meta`: value = scale_value * (stored - zero), stored as a signed byte.
#define LEGACY_QUANTISED_S8(meta, scale_value, zero)                                          \
    static ai_float meta##_scale[] = {scale_value};                                           \
    static ai_i8 meta##_zero[] = {zero};                                                      \
    static ai_intq_info meta##_info = {meta##_scale, meta##_zero};                            \
    static ai_intq_info_list meta##_list = {                                                  \
        AI_BUFFER_META_FLAG_SCALE_FLOAT | AI_BUFFER_META_FLAG_ZEROPOINT_S8, 1, &meta##_info}; \
    static ai_buffer_meta_info meta = {AI_BUFFER_META_HAS_INTQ_INFO, &meta##_list}

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
    ai_u32 (*acquire_crc)(void);
    void (*release_crc)(ai_u32 id);
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
ai_error legacy_create(ai_handle* network, const ai_buffer* config);
ai_bool legacy_init(ai_handle network, const ai_network_params* params);
ai_bool legacy_init_v2(ai_handle network, const ai_handle* weights, const ai_handle* activations);
ai_i32 legacy_run(ai_handle network, const ai_buffer* input, ai_buffer* output);
ai_bool legacy_report(ai_handle network, ai_network_report* report);
ai_error legacy_error(ai_handle network);
ai_handle legacy_destroy(ai_handle network);
ai_i32 legacy_forward(ai_handle network, const ai_buffer* input);
ai_bool legacy_observer_register(ai_handle network, ai_observer_exec_ctx* context);
ai_bool legacy_observer_unregister(ai_handle network, ai_observer_exec_ctx* context);
ai_bool legacy_observer_node_info(ai_handle network, ai_observer_node* node);

#define N6VP_LEGACY_SECTION(name) __attribute__((section(name), used))

/// Content of the weights, which are never linked: `n6vp pack` finds the section by its name. A
/// second use continues it, from a multiple of 8.
#define N6VP_LEGACY_WEIGHTS_FILE(file)           \
    __asm__(                                     \
        ".pushsection .weights,\"\",%progbits\n" \
        ".balign 8\n"                            \
        ".incbin \"" file                        \
        "\"\n"                                   \
        ".popsection\n")
/// The same with words of a linear congruential sequence (the constants of Numerical Recipes), each
/// ANDed with `mask`, then ORed with `bits`.
#define N6VP_LEGACY_TEXT_(x) #x
#define N6VP_LEGACY_TEXT(x) N6VP_LEGACY_TEXT_(x)
#define N6VP_LEGACY_WEIGHTS(words, seed, mask, bits) \
    __asm__(".pushsection .weights,\"\",%progbits\n"                                           \
            ".balign 8\n"                                                                       \
            ".set n6vp_weight, " N6VP_LEGACY_TEXT(seed) "\n"                                    \
            ".rept " N6VP_LEGACY_TEXT(words) "\n"                                               \
            ".set n6vp_weight, (n6vp_weight * 1664525 + 1013904223) & 0xFFFFFFFF\n"             \
            ".word n6vp_weight & " N6VP_LEGACY_TEXT(mask) " | " N6VP_LEGACY_TEXT(bits) "\n"     \
            ".endr\n"                                                                           \
            ".popsection\n")

/// Header word, vector and rt_ctx, to be used once; further arguments are members of legacy_model.
#define N6VP_LEGACY_MODEL(model_name, activation_bytes, weight_bytes, ...)                 \
    N6VP_LEGACY_SECTION(".network_flags") const ai_u32 _network_flags = N6VP_LEGACY_FLAGS; \
    N6VP_LEGACY_SECTION(".network_rt_ctx")                                                 \
    struct legacy_context _network_rt_ctx = {.name = model_name,                           \
                                             .activations_bytes = (activation_bytes),      \
                                             .weights_bytes = (weight_bytes)};             \
    const struct legacy_model model_description = {.name = model_name, __VA_ARGS__};       \
    N6VP_LEGACY_SECTION(".network_entries")                                                \
    const struct legacy_entries _network_entries = {legacy_create,                         \
                                                    legacy_init,                           \
                                                    legacy_init_v2,                        \
                                                    legacy_run,                            \
                                                    legacy_report,                         \
                                                    legacy_error,                          \
                                                    legacy_destroy,                        \
                                                    legacy_forward,                        \
                                                    legacy_observer_register,              \
                                                    legacy_observer_unregister,            \
                                                    legacy_observer_node_info,             \
                                                    &_network_rt_ctx}

#endif

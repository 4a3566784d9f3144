// SPDX-License-Identifier: Apache-2.0
#ifndef N6VP_LEGACY_NETWORK_H
#define N6VP_LEGACY_NETWORK_H

#include <stddef.h>

#include "ai_platform.h"

/// A network of the older family (Cortex-M4, M7, M33), described once for both of its forms:
/// relocatable (legacy_model.h) and linked into an application (client_network.h). A source file
/// includes one of these, not this header. It has nodes, tables and N6VP_LEGACY_MODEL; everything
/// that belongs to one network is in that file, so several can be linked together.

// --- What a network says of itself ---------------------------------------------------------------

/// One layer, which an observer sees as one node. `type` and `id` are the network's own numbers.
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

enum { kLegacyMaxTensors = 8 };

/// Callbacks of an application that switch the CRC unit on and off; either may be NULL.
struct legacy_crc_callbacks {
    ai_u32 (*acquire)(void);
    void (*release)(ai_u32 id);
};

/// A network at work. Its address is the handle.
struct legacy_network {
    const struct legacy_model* model;
    /// Addresses that `create_and_init` takes where it is given none: a marker, one for each
    /// buffer, a marker. NULL in relocatable networks.
    ai_handle *weights_table, *activations_table;
    const struct legacy_crc_callbacks* crc;  ///< NULL: none
    struct legacy_network* next;             ///< of those that exist in this application
    ai_u32 state;
    ai_error error;
    ai_observer_exec_ctx* observer;
    ai_observer_exec_ctx own_observer;  ///< of `ai_platform_observer_register`
    /// Addresses of the batch that runs.
    const void* input_now[kLegacyMaxTensors];
    void* output_now[kLegacyMaxTensors];
};

// --- Functions of a network, for both forms ------------------------------------------------------

/// They have the documented results. A handle that is not `self`'s, or was destroyed, is refused.
/// Errors, type and code: create IN_USE; init INIT_FAILED with NETWORK_WEIGHTS or
/// NETWORK_ACTIVATIONS for an address that is missing or no multiple of 4; run INVALID_STATE with
/// MISSED_INIT, or with IN_USE if this network or one with common activations is running.
ai_error legacy_network_create(struct legacy_network* self, ai_handle* handle,
                               const ai_buffer* config);
ai_bool legacy_network_init(struct legacy_network* self, ai_handle handle,
                            const ai_network_params* params);
ai_bool legacy_network_init_v2(struct legacy_network* self, ai_handle handle,
                               const ai_handle* weights, const ai_handle* activations);
ai_i32 legacy_network_run(struct legacy_network* self, ai_handle handle, const ai_buffer* input,
                          ai_buffer* output);
ai_bool legacy_network_report(struct legacy_network* self, ai_handle handle,
                              ai_network_report* report);
ai_error legacy_network_error(struct legacy_network* self, ai_handle handle);
ai_handle legacy_network_destroy(struct legacy_network* self, ai_handle handle);
ai_bool legacy_network_observe(struct legacy_network* self, ai_handle handle,
                               ai_observer_exec_ctx* context);
ai_bool legacy_network_ignore(struct legacy_network* self, ai_handle handle,
                              ai_observer_exec_ctx* context);
ai_bool legacy_network_node_info(struct legacy_network* self, ai_handle handle,
                                 ai_observer_node* node);
/// Keeps the first error until it is read, and tells.
void legacy_network_fail(struct legacy_network* self, ai_u32 type, ai_u32 code, const char* cause);
/// What the form does with a refusal: the static one has a receiver, the relocatable one nothing.
void legacy_network_tell(const struct legacy_network* self, ai_u32 type, ai_u32 code,
                         const char* cause);
ai_bool legacy_network_is_valid(const struct legacy_network* self, ai_handle handle);
/// Returns the network of that handle among those that exist, or NULL.
struct legacy_network* legacy_network_find(ai_handle handle);

#if !defined(N6VP_LEGACY_FUNCTIONS_ONLY)

// --- For node functions --------------------------------------------------------------------------

/// Defined by N6VP_LEGACY_MODEL at the end of the file.
static const struct legacy_model legacy_description;
static struct legacy_network legacy_this;

static inline void* legacy_activation(unsigned buffer, unsigned offset) {
    return (ai_u8*)legacy_description.activations[buffer].data + offset;
}
static inline const void* legacy_weight(unsigned buffer, unsigned offset) {
    return (const ai_u8*)legacy_description.weights[buffer].data + offset;
}
static inline const void* legacy_input(unsigned index) {
    return legacy_this.input_now[index];
}
static inline void* legacy_output(unsigned index) {
    return legacy_this.output_now[index];
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

// --- Weights within the file ---------------------------------------------------------------------

/// Content of the weights. N6VP_LEGACY_WEIGHTS_SECTION, of the form, says where they go. A second
/// use continues them, from a multiple of 8.
#define N6VP_LEGACY_WEIGHTS_FILE(file)                               \
    __asm__(N6VP_LEGACY_WEIGHTS_SECTION ".balign 8\n.incbin \"" file \
                                        "\"\n"                       \
                                        ".popsection\n")
/// The same with words of a linear congruential sequence (the constants of Numerical Recipes), each
/// ANDed with `mask`, then ORed with `bits`.
#define N6VP_LEGACY_TEXT_(x) #x
#define N6VP_LEGACY_TEXT(x) N6VP_LEGACY_TEXT_(x)
#define N6VP_LEGACY_WEIGHTS(words, seed, mask, bits) \
    __asm__(N6VP_LEGACY_WEIGHTS_SECTION                                                        \
            ".balign 8\n"                                                                       \
            ".set n6vp_weight, " N6VP_LEGACY_TEXT(seed) "\n"                                    \
            ".rept " N6VP_LEGACY_TEXT(words) "\n"                                               \
            ".set n6vp_weight, (n6vp_weight * 1664525 + 1013904223) & 0xFFFFFFFF\n"             \
            ".word n6vp_weight & " N6VP_LEGACY_TEXT(mask) " | " N6VP_LEGACY_TEXT(bits) "\n"     \
            ".endr\n"                                                                           \
            ".popsection\n")

#endif  // N6VP_LEGACY_FUNCTIONS_ONLY

#endif

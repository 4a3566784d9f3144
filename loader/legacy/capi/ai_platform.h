/* SPDX-License-Identifier: Apache-2.0 */
#ifndef N6VP_AI_PLATFORM_H
#define N6VP_AI_PLATFORM_H

#include <stdbool.h>
#include <stdint.h>

/* Types of the embedded client API that relocatable models use, with the names and the 32-bit
 * layouts of the documentation. */

/* NOLINTBEGIN(modernize-use-using,modernize-use-nullptr): C includes it */
#ifdef __cplusplus
extern "C" {
#endif

#define AI_PLATFORM_API_MAJOR 1
#define AI_PLATFORM_API_MINOR 2
#define AI_PLATFORM_API_MICRO 0
#define AI_TOOLS_API_VERSION_MAJOR 1
#define AI_TOOLS_API_VERSION_MINOR 5
#define AI_TOOLS_API_VERSION_MICRO 0

/* What generated headers of networks put around their declarations. */
#ifdef __cplusplus
#define AI_API_DECLARE_BEGIN extern "C" {
#define AI_API_DECLARE_END }
#else
#define AI_API_DECLARE_BEGIN
#define AI_API_DECLARE_END
#endif
#define AI_DEPRECATED
#define AI_API_ENTRY
#define AI_UNUSED(value) (void)(value)
#define AI_ALIGNED(bytes) __attribute__((aligned(bytes)))
#define AI_HANDLE_PTR(pointer) ((ai_handle)(pointer))
#define AI_HANDLE_FUNC_PTR(function) ((ai_handle_func)(function))
#define AI_HANDLE_NULL AI_HANDLE_PTR(0)
/* C99 and C++ know unnamed members of structures as an extension only. */
#define N6VP_UNNAMED __extension__

typedef void* ai_handle;
typedef const void* ai_handle_const;
typedef void (*ai_handle_func)(ai_handle);
typedef bool ai_bool;
typedef int8_t ai_i8;
typedef uint8_t ai_u8;
typedef int16_t ai_i16;
typedef uint16_t ai_u16;
typedef int32_t ai_i32;
typedef int32_t ai_int;
typedef uint32_t ai_u32;
typedef float ai_float;
typedef uint32_t ai_size;
typedef uint64_t ai_macc;
typedef uint32_t ai_signature;
typedef uint32_t ai_flags;
typedef int32_t ai_buffer_format;
typedef uint32_t ai_shape_dimension;

typedef struct {
    ai_u32 type : 8;
    ai_u32 code : 24;
} ai_error;

typedef enum {
    AI_ERROR_NONE = 0x00,
    AI_ERROR_TOOL_PLATFORM_API_MISMATCH = 0x01,
    AI_ERROR_TYPES_MISMATCH = 0x02,
    AI_ERROR_INVALID_HANDLE = 0x10,
    AI_ERROR_INVALID_STATE = 0x11,
    AI_ERROR_INVALID_INPUT = 0x12,
    AI_ERROR_INVALID_OUTPUT = 0x13,
    AI_ERROR_INVALID_PARAM = 0x14,
    AI_ERROR_INVALID_SIGNATURE = 0x15,
    AI_ERROR_INVALID_SIZE = 0x16,
    AI_ERROR_INVALID_VALUE = 0x17,
    AI_ERROR_INIT_FAILED = 0x30,
    AI_ERROR_ALLOCATION_FAILED = 0x31,
    AI_ERROR_DEALLOCATION_FAILED = 0x32,
    AI_ERROR_CREATE_FAILED = 0x33
} ai_error_type;

typedef enum {
    AI_ERROR_CODE_NONE = 0x00,
    AI_ERROR_CODE_NETWORK = 0x10,
    AI_ERROR_CODE_NETWORK_PARAMS = 0x11,
    AI_ERROR_CODE_NETWORK_WEIGHTS = 0x12,
    AI_ERROR_CODE_NETWORK_ACTIVATIONS = 0x13,
    AI_ERROR_CODE_LAYER = 0x14,
    AI_ERROR_CODE_TENSOR = 0x15,
    AI_ERROR_CODE_ARRAY = 0x16,
    AI_ERROR_CODE_INVALID_PTR = 0x17,
    AI_ERROR_CODE_INVALID_SIZE = 0x18,
    AI_ERROR_CODE_INVALID_FORMAT = 0x19,
    AI_ERROR_CODE_OUT_OF_RANGE = 0x20,
    AI_ERROR_CODE_INVALID_BATCH = 0x21,
    AI_ERROR_CODE_MISSED_INIT = 0x30,
    AI_ERROR_CODE_IN_USE = 0x40,
    AI_ERROR_CODE_LOCK = 0x41
} ai_error_code;

typedef struct {
    ai_u8 major, minor, micro, reserved;
} ai_platform_version;

typedef struct {
    ai_u32 type : 8;
    ai_u32 size : 24;
    ai_shape_dimension* data;
} ai_buffer_shape;

typedef struct {
    ai_float* scale;
    void* zeropoint; /* type by the flags of the list */
} ai_intq_info;

typedef struct {
    ai_u16 flags;
    ai_u16 size;
    ai_intq_info* info;
} ai_intq_info_list;

typedef struct {
    ai_flags flags;
    ai_intq_info_list* intq_info;
} ai_buffer_meta_info;

typedef struct {
    ai_buffer_format format;
    ai_handle data;
    ai_buffer_meta_info* meta_info;
    ai_flags flags;
    ai_size size;
    ai_buffer_shape shape;
} ai_buffer;

typedef struct {
    ai_u16 flags;
    ai_u16 size;
    ai_buffer* buffer;
} ai_buffer_array;

/* In map_signature: the map view is valid, else that of one weight and one activation buffer. */
#define AI_MAGIC_SIGNATURE 0xA1FACADEu
#define AI_MAGIC_MARKER 0xA1FACADEu /* around the addresses of a table of <name>_data.h */

typedef struct {
    ai_signature map_signature;
    ai_buffer_array map_weights;
    ai_buffer_array map_activations;
} ai_network_buffers;

N6VP_UNNAMED typedef union {
    N6VP_UNNAMED struct {
        ai_buffer params;
        ai_buffer activations;
    };
    N6VP_UNNAMED struct {
        ai_signature map_signature;
        ai_buffer_array map_weights;
        ai_buffer_array map_activations;
    };
} ai_network_params;

/* The view of one weight and one activation buffer: AI_<NAME>_DATA_WEIGHTS(address) and
 * AI_<NAME>_DATA_ACTIVATIONS(address) of <name>_data.h, or other initialisers of an ai_buffer. */
#define AI_NETWORK_PARAMS_INIT(params_, activations_) \
    {                                                 \
        { params_, activations_ }                     \
    }

typedef struct {
    const char* model_name;
    const char* model_signature;
    const char* model_datetime;
    const char* compile_datetime;
    const char* runtime_revision;
    ai_platform_version runtime_version;
    const char* tool_revision;
    ai_platform_version tool_version;
    ai_platform_version tool_api_version;
    ai_platform_version api_version;
    ai_platform_version interface_api_version;
    ai_macc n_macc;
    ai_u16 n_inputs;
    ai_u16 n_outputs;
    ai_buffer* inputs;
    ai_buffer* outputs;
    N6VP_UNNAMED union {
        N6VP_UNNAMED struct {
            ai_buffer params;
            ai_buffer activations;
        };
        N6VP_UNNAMED struct {
            ai_signature map_signature;
            ai_buffer_array map_weights;
            ai_buffer_array map_activations;
        };
    };
    ai_u32 n_nodes;
    ai_signature signature;
} ai_network_report;

typedef struct {
    ai_u16 c_idx;
    ai_u16 type;
    ai_u16 id;
    ai_u16 unused;
    const void* inner_tensors;
    const void* tensors;
} ai_observer_node;

typedef ai_u32 (*ai_observer_node_cb)(const ai_handle cookie, const ai_u32 flags,
                                      const ai_observer_node* node);

typedef struct {
    ai_observer_node_cb on_node;
    ai_handle cookie;
    ai_u32 flags;
    ai_u16 c_idx;
    ai_u16 n_nodes;
    ai_observer_node* cur;
} ai_observer_exec_ctx;

#define AI_OBSERVER_INIT_EVT (1u << 0)
#define AI_OBSERVER_PRE_EVT (1u << 1)
#define AI_OBSERVER_POST_EVT (1u << 2)
#define AI_OBSERVER_FIRST_EVT (1u << 8)
#define AI_OBSERVER_LAST_EVT (1u << 9)
#define AI_OBSERVER_REGISTERED (1u << 24)
#define AI_OBSERVER_MASK_EVT 0xFFu
#define AI_OBSERVER_NONE_EVT 0u

/* Observers of a network linked into the application. The callback is called before and after each
 * node that runs, and once for each node at registration, as `flags` say. A network has one
 * observer; the forms with `_s` take the caller's context, which stays his until he unregisters it.
 * node_info fills the node of that c_idx. Fails for a handle of no network. */
ai_bool ai_platform_observer_register(ai_handle network, ai_observer_node_cb cb, ai_handle cookie,
                                      ai_u32 flags);
ai_bool ai_platform_observer_register_s(ai_handle network, ai_observer_exec_ctx* ctx);
ai_bool ai_platform_observer_unregister(ai_handle network, ai_observer_node_cb cb,
                                        ai_handle cookie);
ai_bool ai_platform_observer_unregister_s(ai_handle network, ai_observer_exec_ctx* ctx);
ai_bool ai_platform_observer_node_info(ai_handle network, ai_observer_node* node_info);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-use-using,modernize-use-nullptr) */

#include "ai_buffer_format.h"

#endif

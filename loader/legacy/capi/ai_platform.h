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

#define AI_API_ENTRY
#define AI_ALIGNED(bytes) __attribute__((aligned(bytes)))
#define AI_HANDLE_PTR(pointer) ((ai_handle)(pointer))
#define AI_HANDLE_NULL AI_HANDLE_PTR(0)

typedef void* ai_handle;
typedef const void* ai_handle_const;
typedef bool ai_bool;
typedef int8_t ai_i8;
typedef uint8_t ai_u8;
typedef int16_t ai_i16;
typedef uint16_t ai_u16;
typedef int32_t ai_i32;
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

typedef struct {
    ai_signature map_signature;
    ai_buffer_array map_weights;
    ai_buffer_array map_activations;
} ai_network_buffers;

typedef struct {
    union {
        struct {
            ai_buffer params;
            ai_buffer activations;
        };
        struct {
            ai_signature map_signature;
            ai_buffer_array map_weights;
            ai_buffer_array map_activations;
        };
    };
} ai_network_params;

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
    union {
        struct {
            ai_buffer params;
            ai_buffer activations;
        };
        struct {
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

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-use-using,modernize-use-nullptr) */

#include "ai_buffer_format.h"

#endif

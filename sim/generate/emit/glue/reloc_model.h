// SPDX-License-Identifier: Apache-2.0
#ifndef N6VP_RELOC_MODEL_H
#define N6VP_RELOC_MODEL_H

/// What a position-independent C file needs to become a runtime loadable model: the structures that
/// cross the boundary between model and firmware, and the tables of the container. Layouts as
/// published in the vendor article and headers; names are ours. Build with -DN6VP_GENERATION=21,
/// 22, 30 or 40 for ST Edge AI Core 2.1, 2.2, 3.0 and 4.x. README.md beside this file is the
/// manual.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N6VP_GENERATION
#error "say which runtime generation: -DN6VP_GENERATION=21, 22, 30 or 40"
#endif

#if N6VP_GENERATION == 21
#define N6VP_RT_MICRO 0
#define N6VP_RT_DEV 31
#define N6VP_RT_TEXT "atonn-v1.1.0-31"
#elif N6VP_GENERATION == 22
#define N6VP_RT_MICRO 1
#define N6VP_RT_DEV 14
#define N6VP_RT_TEXT "atonn-v1.1.1-14"
#elif N6VP_GENERATION == 30
#define N6VP_RT_MICRO 3
#define N6VP_RT_DEV 8
#define N6VP_RT_TEXT "atonn-v1.1.3-8"
#elif N6VP_GENERATION == 40
#define N6VP_RT_MICRO 3
#define N6VP_RT_DEV 262
#define N6VP_RT_TEXT "atonn-v1.1.3-262"
#else
#error "N6VP_GENERATION is none of 21, 22, 30, 40"
#endif

/// 1 if the header has 104 bytes and the vector 12 functions (1.1.3 and later).
#define N6VP_LONG_HEADER (N6VP_GENERATION >= 30)
/// 1 if rt_ctx has the word rt_c_struct_sizes (1.1.1 and later).
#define N6VP_HAS_STRUCT_SIZES (N6VP_GENERATION >= 22)

#ifdef __clang__
#define N6VP_TOOLCHAIN 9u
#define N6VP_RT_SUFFIX " (RELOC.LLVM)"
#else
#define N6VP_TOOLCHAIN 8u
#define N6VP_RT_SUFFIX " (RELOC.GCC)"
#endif

#if defined(__ARM_FEATURE_CMSE) && __ARM_FEATURE_CMSE == 3
#define N6VP_SECURE 1u
#else
#define N6VP_SECURE 0u
#endif
#ifdef N6VP_NO_DBG_INFO
#define N6VP_DBG_INFO 0u
#else
#define N6VP_DBG_INFO 1u
#endif
#ifndef N6VP_ASYNC
#define N6VP_ASYNC 1u
#endif
#if !defined(__ARM_PCS_VFP) || !defined(__ARM_FP)
#error "a runtime loadable model is built with -mfloat-abi=hard and an FPU"
#endif

/// Version 8.0, then ASYNC, DBG_INFO and SECURE, toolchain, hard float with FPU, Cortex-M55.
#define N6VP_FLAGS                                                           \
    (8u << 28 | N6VP_ASYNC << 22 | N6VP_DBG_INFO << 21 | N6VP_SECURE << 20 | \
     N6VP_TOOLCHAIN << 16 | 2u << 13 | 1u << 12 | 0xD22u)

// --- Structures returned by the model ------------------------------------------------------------

/// LL_Buffer_InfoTypeDef with 1-byte enums; a list ends with an entry whose name is NULL.
struct buffer_info {
    const char* name;
    void* addr_base;  ///< user-allocated: address of the variable that holds the user's pointer
    uint32_t offset_start, offset_end, offset_limit;
    uint8_t is_user_allocated, is_param;
    uint16_t epoch;
    uint32_t batch;
    const uint32_t* mem_shape;
    uint16_t mem_ndims;
    uint8_t chpos, type;
    int8_t qm, qn;
    uint8_t qunsigned, ndims, nbits, per_channel;
    const uint32_t* shape;
    const float* scale;
    const int16_t* offset;
};
_Static_assert(sizeof(struct buffer_info) == 56, "LL_Buffer_InfoTypeDef has 56 bytes");
_Static_assert(offsetof(struct buffer_info, mem_shape) == 0x1C, "published offset");
_Static_assert(offsetof(struct buffer_info, shape) == 0x2C, "published offset");

/// DataType numbers moved between 1.1.0 and 1.1.1.
enum {
    kTypeUint8 = N6VP_GENERATION == 21 ? 2 : 6,
    kTypeInt8 = N6VP_GENERATION == 21 ? 3 : 7,
    kTypeInt32 = N6VP_GENERATION == 21 ? 6 : 10,
};
enum { kChannelUndefined, kChannelFirst, kChannelLast, kChannelMixed };

struct epoch_item;
#if N6VP_GENERATION >= 40
typedef void epoch_function(const struct epoch_item* item, const void* instance);
#define N6VP_EPOCH_FUNCTION(name) void name(const struct epoch_item* item, const void* instance)
#define N6VP_EPOCH_UNUSED() ((void)item, (void)instance)
#else
typedef void epoch_function(const void* item);
#define N6VP_EPOCH_FUNCTION(name) void name(const void* item)
#define N6VP_EPOCH_UNUSED() ((void)item)
#endif

struct epoch_item {
    epoch_function* start;
    epoch_function* end;
    uintptr_t blob;      ///< address of word 0 of an epoch-controller blob, or 0
    uint32_t wait_mask;  ///< blob: number of the epoch-controller unit
    uint16_t flags;
#if !defined(N6VP_NO_DBG_INFO)
    int16_t epoch, last_epoch;
    uint32_t in_engines, out_engines;
    uint64_t estimated_npu_cycles, estimated_cycles;
#endif
};
_Static_assert(sizeof(struct epoch_item) == (N6VP_DBG_INFO ? 48 : 20), "published size");
#if defined(N6VP_NO_DBG_INFO)
#define N6VP_EPOCH_NUMBERS(first, last)
#else
#define N6VP_EPOCH_NUMBERS(first, last) .epoch = (first), .last_epoch = (last),
#endif
enum { kEpochBlob = 0x17, kEpochHardware = 0x13, kEpochSoftware = 0x23, kEpochLast = 0x08 };

/// LL_Streng_EncryptionTypedef, known to the vector from 1.1.3 on.
struct encryption_info {
    uint32_t enable;
    uint64_t id;
    uint32_t rounds, key_select, increment;
};
_Static_assert(sizeof(struct encryption_info) == 32, "published size");

enum user_io_result { kUserIoOk, kUserIoWrongAlign, kUserIoWrongSize, kUserIoWrongIndex };

// --- Tables of the container ---------------------------------------------------------------------

/// The firmware's services that these models use; the first seven words never moved.
struct callbacks {
    void (*assert_failed)(const char* file, int line, const char* function, const char* text);
    void (*library_error)(int code, int line, const char* function);
    void (*mcu_clean)(uintptr_t start, uint32_t bytes);
    void (*mcu_invalidate)(uintptr_t start, uint32_t bytes);
    void (*mcu_clean_invalidate)(uintptr_t start, uint32_t bytes);
    void (*npu_clean)(uintptr_t start, uint32_t bytes);
    void (*npu_clean_invalidate)(uintptr_t start, uint32_t bytes);
};

/// NN_Interface_TypeDef: only the name is set, functions are reached through the vector.
struct network_interface {
    const char* name;
    void* unused[N6VP_LONG_HEADER ? 12 : 10];
};

struct runtime_context {
    uint32_t state;
    uintptr_t file_addr, ram_addr, rom_addr;
    const struct callbacks* callbacks;
    const char* c_name;
    uint32_t acts_bytes, params_bytes, ext_ram_bytes;
    const char* version_text;
    uint32_t version, version_dev;
    uint32_t raw_params_bytes, raw_params_crc;  ///< filled in by `n6vp pack`
#if N6VP_HAS_STRUCT_SIZES
    uint32_t struct_sizes;
#endif
    void* instance;
    const struct network_interface* network;
};
_Static_assert(sizeof(struct runtime_context) == (N6VP_HAS_STRUCT_SIZES ? 68 : 64), "rt_ctx");

struct pool_descriptor {
    const char* name;
    uint32_t flags;
    uint32_t foff;  ///< filled in by `n6vp pack`
    uintptr_t dst;
    uint32_t bytes;
};
_Static_assert(sizeof(struct pool_descriptor) == 20, "published size");

enum {
    kPoolRelocParam = 0x01010500,  ///< RELOC.PARAM.0.RCACHED: weights used in place
    kPoolRelocActiv = 0x01020601,  ///< RELOC.ACTIV.1.WCACHED: external RAM
    kPoolRelocMixed = 0x01030601,  ///< RELOC.MIXED.1.WCACHED: external RAM with parameters
    kPoolCopyParam = 0x02010100,   ///< COPY.PARAM.READ
    kPoolCopyMixed = 0x02030200,   ///< COPY.MIXED.WRITE
    kPoolResetActiv = 0x03020200,  ///< RESET.ACTIV.WRITE
};

/// The order in which the model side of every generation is built.
struct network_entries {
    bool (*ec_network_init)(void);
    bool (*ec_inference_init)(void);
    enum user_io_result (*input_setter)(uint32_t index, void* buffer, uint32_t bytes);
    void* (*input_getter)(uint32_t index);
    enum user_io_result (*output_setter)(uint32_t index, void* buffer, uint32_t bytes);
    void* (*output_getter)(uint32_t index);
    const struct epoch_item* (*get_epoch_items)(void);
    const struct buffer_info* (*get_output_buffers)(void);
    const struct buffer_info* (*get_input_buffers)(void);
    const struct buffer_info* (*get_internal_buffers)(void);
#if N6VP_LONG_HEADER
    const struct encryption_info* (*weight_encryption)(void);
    const struct encryption_info* (*blob_encryption)(void);
#endif
    const struct runtime_context* context;
};

// The vector's functions. reloc_model.c has a weak version of each; a model overrides what it
// needs.
bool model_ec_network_init(void);
bool model_ec_inference_init(void);
enum user_io_result model_set_input(uint32_t index, void* buffer, uint32_t bytes);
void* model_get_input(uint32_t index);
enum user_io_result model_set_output(uint32_t index, void* buffer, uint32_t bytes);
void* model_get_output(uint32_t index);
const struct epoch_item* model_epoch_items(void);
const struct buffer_info* model_outputs(void);
const struct buffer_info* model_inputs(void);
const struct buffer_info* model_internals(void);
const struct encryption_info* model_weight_encryption(void);
const struct encryption_info* model_blob_encryption(void);

extern struct runtime_context _network_rt_ctx;

// Callers of the firmware's cache services; nothing happens without a callback table.
void model_mcu_clean(const void* start, uint32_t bytes);
void model_npu_clean_invalidate(const void* start, uint32_t bytes);

#define N6VP_SECTION(name) __attribute__((section(name), used))

/// Variables in parameter space (weights used in place) and in relocatable external RAM. Both have
/// addresses only. Under clang they may be named in static initialisers alone: code reaches data
/// through r9, which points at neither.
#define N6VP_IN_PARAMETERS __attribute__((section(".pool_0")))
#define N6VP_IN_EXTERNAL_RAM __attribute__((section(".pool_1")))
/// An epoch-controller container that travels in the parameter section.
#define N6VP_BLOB_IN_PARAMETERS __attribute__((section(".const_ec_blob"), aligned(8), used))

/// Payload of the pool `pool` (a string): `words` words of a linear congruential sequence (the
/// constants of Numerical Recipes), in an ELF section that is never loaded and that `n6vp pack`
/// finds by name.
#define N6VP_TEXT_(x) #x
#define N6VP_TEXT(x) N6VP_TEXT_(x)
#define N6VP_POOL_PAYLOAD(pool, words, seed) \
    __asm__(".pushsection \".pool." pool "\",\"\",%progbits\n"                           \
            ".set n6vp_payload, " N6VP_TEXT(seed) "\n"                                   \
            ".rept " N6VP_TEXT(words) "\n"                                               \
            ".set n6vp_payload, (n6vp_payload * 1664525 + 1013904223) & 0xFFFFFFFF\n"    \
            ".word n6vp_payload\n"                                                       \
            ".endr\n"                                                                    \
            ".popsection\n")

/// The pool table; the terminator is added. N6VP_POOLS({0}) makes an empty table.
#define N6VP_POOLS(...)          \
    N6VP_SECTION(".params_desc") \
    struct pool_descriptor _params_desc[] = {__VA_ARGS__, {0, 0, 0, 0, 0}}

/// Header words, vector, rt_ctx: to be used once per model. `acts`, `params` and `ext` are the
/// used bytes of read/write areas, constant areas and the external RAM pool.
#define N6VP_RELOC_MODEL(model_name, acts, params, ext)                                            \
    N6VP_SECTION(".network_flags") const uint32_t _network_flags = N6VP_FLAGS;                     \
    struct network_interface model_interface = {.name = model_name};                               \
    N6VP_SECTION(".network_rt_ctx")                                                                \
    struct runtime_context _network_rt_ctx = {.c_name = model_name,                                \
                                              .acts_bytes = (acts),                                \
                                              .params_bytes = (params),                            \
                                              .ext_ram_bytes = (ext),                              \
                                              .version_text = N6VP_RT_TEXT N6VP_RT_SUFFIX,         \
                                              .version = 1u << 24 | 1u << 16 | N6VP_RT_MICRO << 8, \
                                              .version_dev = N6VP_RT_DEV,                          \
                                              N6VP_STRUCT_SIZES.network = &model_interface};       \
    N6VP_SECTION(".network_entries")                                                               \
    const struct network_entries _network_entries = {model_ec_network_init,                        \
                                                     model_ec_inference_init,                      \
                                                     model_set_input,                              \
                                                     model_get_input,                              \
                                                     model_set_output,                             \
                                                     model_get_output,                             \
                                                     model_epoch_items,                            \
                                                     model_outputs,                                \
                                                     model_inputs,                                 \
                                                     model_internals,                              \
                                                     N6VP_ENCRYPTION_ENTRIES & _network_rt_ctx}

#if N6VP_HAS_STRUCT_SIZES
#define N6VP_STRUCT_SIZES \
    .struct_sizes = sizeof(struct buffer_info) | sizeof(struct epoch_item) << 8,
#else
#define N6VP_STRUCT_SIZES
#endif
#if N6VP_LONG_HEADER
#define N6VP_ENCRYPTION_ENTRIES model_weight_encryption, model_blob_encryption,
#else
#define N6VP_ENCRYPTION_ENTRIES
#endif

/// Where COPY and RESET pools go: npuRAM of the chip, or RAM of QEMU's mps3-an547, which has none
/// at 0x34xxxxxx.
#ifdef N6VP_TARGET_QEMU
#define N6VP_ON_CHIP(offset) (0x65000000u + (offset))
#else
#define N6VP_ON_CHIP(offset) (0x34200000u + (offset))
#endif

#endif  // N6VP_RELOC_MODEL_H

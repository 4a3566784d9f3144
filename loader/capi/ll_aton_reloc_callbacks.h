/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LL_ATON_RELOC_CALLBACKS_H
#define LL_ATON_RELOC_CALLBACKS_H

#include "ll_aton_NN_interface.h"

/* The table through which a model calls its firmware. Its order is part of the binary interface and
 * differs between releases that carry the same version number: 1.1.3-8 and 1.1.3-262. `const` on
 * tensor arguments is assumed. */

#ifdef __cplusplus
extern "C" {
#endif

/* Other names of the same record. */
typedef LL_Buffer_InfoTypeDef LL_LIB_TensorShape_TypeDef;
typedef LL_Buffer_InfoTypeDef LL_LIB_TensorInfo_TypeDef;

typedef void (*ll_aton_reloc_assert_fn)(const char* filename, int line, const char* function,
                                        const char* expression);
typedef void (*ll_aton_reloc_lib_error_fn)(int err_code, int line, const char* function);
typedef void (*ll_aton_reloc_cache_fn)(uintptr_t virtual_addr, uint32_t size);

#define N6VP_RELOC_COMMON_CALLBACKS                                  \
    ll_aton_reloc_assert_fn assert_func;                             \
    ll_aton_reloc_lib_error_fn ll_lib_error;                         \
    ll_aton_reloc_cache_fn ll_aton_cache_mcu_clean_range;            \
    ll_aton_reloc_cache_fn ll_aton_cache_mcu_invalidate_range;       \
    ll_aton_reloc_cache_fn ll_aton_cache_mcu_clean_invalidate_range; \
    ll_aton_reloc_cache_fn ll_aton_cache_npu_clean_range;            \
    ll_aton_reloc_cache_fn ll_aton_cache_npu_clean_invalidate_range

/* Operators up to 1.1.3-8. */
#define N6VP_RELOC_OPERATORS                                                                    \
    int (*ll_aton_lib_concat)(const LL_Buffer_InfoTypeDef* inputs, unsigned ninputs,            \
                              const LL_Buffer_InfoTypeDef* output, unsigned axis, int dma_in,   \
                              int dma_out);                                                     \
    int (*ll_aton_lib_cast)(const LL_Buffer_InfoTypeDef* input,                                 \
                            const LL_Buffer_InfoTypeDef* output, int dma_in, int dma_out);      \
    int (*ll_aton_lib_softmax)(const LL_Buffer_InfoTypeDef* input,                              \
                               const LL_Buffer_InfoTypeDef* output, unsigned axis, int legacy); \
    int (*ll_aton_lib_dma_imagetorow)(const LL_Buffer_InfoTypeDef* inputs, unsigned ninputs,    \
                                      const LL_Buffer_InfoTypeDef* output, unsigned bh,         \
                                      unsigned bw, unsigned sh, unsigned sw, int dma_in,        \
                                      int dma_out);                                             \
    int (*ll_aton_lib_dma_spacetodepth)(const LL_Buffer_InfoTypeDef* inputs, unsigned ninputs,  \
                                        const LL_Buffer_InfoTypeDef* output, unsigned bh,       \
                                        unsigned bw, int dma_in, int dma_out);                  \
    int (*ll_aton_lib_dma_rowtoimage)(const LL_Buffer_InfoTypeDef* inputs, unsigned ninputs,    \
                                      const LL_Buffer_InfoTypeDef* output, unsigned bh,         \
                                      unsigned bw, unsigned sh, unsigned sw, int dma_in,        \
                                      int dma_out);                                             \
    int (*ll_aton_lib_dma_depthtospace)(const LL_Buffer_InfoTypeDef* inputs, unsigned ninputs,  \
                                        const LL_Buffer_InfoTypeDef* output, unsigned bh,       \
                                        unsigned bw, int dma_in, int dma_out);                  \
    int (*ll_aton_lib_dma_outputs_flat_copy)(const LL_Buffer_InfoTypeDef* input,                \
                                             const LL_Buffer_InfoTypeDef* outputs,              \
                                             unsigned noutputs, int dma_in, int dma_out);       \
    int (*ll_aton_lib_dma_outputs_slice_splitlike)(                                             \
        const LL_Buffer_InfoTypeDef* input, const LL_Buffer_InfoTypeDef* output, int32_t total, \
        int32_t width, int32_t rows, int32_t pitch, int8_t bits, int dma_in, int dma_out);      \
    int (*ll_aton_lib_dma_outputs_channel_split_aton)(                                          \
        const LL_Buffer_InfoTypeDef* input, const LL_Buffer_InfoTypeDef* outputs,               \
        unsigned noutputs, unsigned leading, int dma_in, int dma_out);                          \
    int (*ll_aton_lib_dma_outputs_channel_split_batched)(                                       \
        const LL_Buffer_InfoTypeDef* input, const LL_Buffer_InfoTypeDef* outputs,               \
        unsigned noutputs, int dma_in, int dma_out)

#define N6VP_RELOC_TRANSPOSE                                              \
    int (*ll_aton_lib_dma_transpose)(                                     \
        const LL_Buffer_InfoTypeDef* input, const uint32_t* in_offsets,   \
        const LL_Buffer_InfoTypeDef* output, const uint32_t* out_offsets, \
        const uint8_t* target_pos, const uint8_t* perm, int dma_in, int dma_out)

/* ll_aton 1.1.0 and 1.1.1. */
struct ll_aton_reloc_callback_1_1_1 {
    N6VP_RELOC_COMMON_CALLBACKS;
    N6VP_RELOC_OPERATORS;
    int (*ll_aton_lib_dma_pad_memset)(void* out, int32_t value, size_t bytes, void* params);
    int (*ll_aton_lib_dma_pad_filling)(void* params);
    N6VP_RELOC_TRANSPOSE;
};

/* ll_aton 1.1.3-5 to 1.1.3-8. */
struct ll_aton_reloc_callback_1_1_3_8 {
    N6VP_RELOC_COMMON_CALLBACKS;
    N6VP_RELOC_OPERATORS;
    int (*ll_aton_lib_dma_pad_memset)(void* out, int32_t value, size_t bytes, void* params,
                                      bool deep_copy);
    int (*ll_aton_lib_dma_pad_filling)(void* params);
    N6VP_RELOC_TRANSPOSE;
    int (*ll_aton_lib_async_memcpy)(void* in_start, void* in_end, void* in_limit, void* out_start,
                                    int dma_in, int dma_out);
    int (*ll_aton_lib_dma_pad_4loop_filling)(void* params);
};

/* ll_aton 1.1.3-262: another order, and a last argument naming the instance. */
struct ll_aton_reloc_callback_1_1_3_262 {
    N6VP_RELOC_COMMON_CALLBACKS;
    int (*ll_aton_lib_concat)(const LL_Buffer_InfoTypeDef* inputs, unsigned ninputs,
                              const LL_Buffer_InfoTypeDef* output, unsigned axis, int dma_in,
                              int dma_out, const NN_Instance_TypeDef* instance);
    int (*ll_aton_lib_cast)(const LL_Buffer_InfoTypeDef* input, const LL_Buffer_InfoTypeDef* output,
                            int dma_in, int dma_out, const NN_Instance_TypeDef* instance);
    int (*ll_aton_lib_dma_transpose)(const LL_Buffer_InfoTypeDef* input, const uint32_t* in_offsets,
                                     const LL_Buffer_InfoTypeDef* output,
                                     const uint32_t* out_offsets, const uint8_t* target_pos,
                                     const uint8_t* perm, int dma_in, int dma_out,
                                     const NN_Instance_TypeDef* instance);
    int (*ll_aton_lib_softmax)(const LL_Buffer_InfoTypeDef* input,
                               const LL_Buffer_InfoTypeDef* output, unsigned axis, int legacy);
    int (*ll_aton_lib_dma_imagetorow)(const LL_Buffer_InfoTypeDef* inputs, unsigned ninputs,
                                      const LL_Buffer_InfoTypeDef* output, unsigned bh, unsigned bw,
                                      unsigned sh, unsigned sw, int dma_in, int dma_out,
                                      const NN_Instance_TypeDef* instance);
    int (*ll_aton_lib_dma_spacetodepth)(const LL_Buffer_InfoTypeDef* inputs, unsigned ninputs,
                                        const LL_Buffer_InfoTypeDef* output, unsigned bh,
                                        unsigned bw, int dma_in, int dma_out,
                                        const NN_Instance_TypeDef* instance);
    int (*ll_aton_lib_dma_rowtoimage)(const LL_Buffer_InfoTypeDef* inputs, unsigned ninputs,
                                      const LL_Buffer_InfoTypeDef* output, unsigned bh, unsigned bw,
                                      unsigned sh, unsigned sw, int dma_in, int dma_out,
                                      const NN_Instance_TypeDef* instance);
    int (*ll_aton_lib_dma_depthtospace)(const LL_Buffer_InfoTypeDef* inputs, unsigned ninputs,
                                        const LL_Buffer_InfoTypeDef* output, unsigned bh,
                                        unsigned bw, int dma_in, int dma_out,
                                        const NN_Instance_TypeDef* instance);
    int (*ll_aton_lib_dma_outputs_slice_splitlike)(const LL_Buffer_InfoTypeDef* input,
                                                   const LL_Buffer_InfoTypeDef* output,
                                                   uint32_t total, uint32_t width, uint32_t rows,
                                                   uint32_t pitch, uint8_t bits, int dma_in,
                                                   int dma_out,
                                                   const NN_Instance_TypeDef* instance);
    /* The integer arguments of the two pads are documented; the pointer types are assumed. */
    int (*ll_aton_lib_pad_std)(void* in, void* out, void* in_limit, void* out_limit,
                               const uint32_t* min_shape, uint8_t mode, uint8_t element_bytes,
                               uint32_t out_elements, int32_t value, uint32_t consecutive_axis,
                               uint32_t consecutive_elements, const int32_t* in_start,
                               const int32_t* in_end, const int32_t* out_start,
                               const int32_t* out_end, const uint32_t* out_shape,
                               const uint32_t* out_offsets, size_t rank, int dma_in, int dma_out,
                               const NN_Instance_TypeDef* instance);
    int (*ll_aton_lib_pad_4loop)(void* in, void* in_end, void* in_limit, void* out, void* out_end,
                                 void* out_limit, int32_t value, uint8_t element_bytes,
                                 uint32_t* negative, uint32_t* positive, int dma_in, int dma_out,
                                 const NN_Instance_TypeDef* instance);
    int (*ll_aton_lib_dma_outputs_flat_copy)(const LL_Buffer_InfoTypeDef* input,
                                             const LL_Buffer_InfoTypeDef* outputs,
                                             unsigned noutputs, int dma_in, int dma_out,
                                             const NN_Instance_TypeDef* instance);
    int (*ll_aton_lib_dma_outputs_channel_split_aton)(const LL_Buffer_InfoTypeDef* input,
                                                      const LL_Buffer_InfoTypeDef* outputs,
                                                      unsigned noutputs, unsigned leading,
                                                      int dma_in, int dma_out,
                                                      const NN_Instance_TypeDef* instance);
    int (*ll_aton_lib_dma_outputs_channel_split_batched)(const LL_Buffer_InfoTypeDef* input,
                                                         const LL_Buffer_InfoTypeDef* outputs,
                                                         unsigned noutputs, int dma_in, int dma_out,
                                                         const NN_Instance_TypeDef* instance);
};

#define N6VP_COMMON_AT(type)                                       \
    N6VP_AT(type, assert_func, 0x00);                              \
    N6VP_AT(type, ll_lib_error, 0x04);                             \
    N6VP_AT(type, ll_aton_cache_mcu_clean_range, 0x08);            \
    N6VP_AT(type, ll_aton_cache_mcu_invalidate_range, 0x0C);       \
    N6VP_AT(type, ll_aton_cache_mcu_clean_invalidate_range, 0x10); \
    N6VP_AT(type, ll_aton_cache_npu_clean_range, 0x14);            \
    N6VP_AT(type, ll_aton_cache_npu_clean_invalidate_range, 0x18); \
    N6VP_AT(type, ll_aton_lib_concat, 0x1C);                       \
    N6VP_AT(type, ll_aton_lib_cast, 0x20)
#define N6VP_OLD_ORDER_AT(type)                                         \
    N6VP_COMMON_AT(type);                                               \
    N6VP_AT(type, ll_aton_lib_softmax, 0x24);                           \
    N6VP_AT(type, ll_aton_lib_dma_imagetorow, 0x28);                    \
    N6VP_AT(type, ll_aton_lib_dma_spacetodepth, 0x2C);                  \
    N6VP_AT(type, ll_aton_lib_dma_rowtoimage, 0x30);                    \
    N6VP_AT(type, ll_aton_lib_dma_depthtospace, 0x34);                  \
    N6VP_AT(type, ll_aton_lib_dma_outputs_flat_copy, 0x38);             \
    N6VP_AT(type, ll_aton_lib_dma_outputs_slice_splitlike, 0x3C);       \
    N6VP_AT(type, ll_aton_lib_dma_outputs_channel_split_aton, 0x40);    \
    N6VP_AT(type, ll_aton_lib_dma_outputs_channel_split_batched, 0x44); \
    N6VP_AT(type, ll_aton_lib_dma_pad_memset, 0x48);                    \
    N6VP_AT(type, ll_aton_lib_dma_pad_filling, 0x4C);                   \
    N6VP_AT(type, ll_aton_lib_dma_transpose, 0x50)

N6VP_OLD_ORDER_AT(struct ll_aton_reloc_callback_1_1_1);
N6VP_BYTES(struct ll_aton_reloc_callback_1_1_1, 84);
N6VP_OLD_ORDER_AT(struct ll_aton_reloc_callback_1_1_3_8);
N6VP_AT(struct ll_aton_reloc_callback_1_1_3_8, ll_aton_lib_async_memcpy, 0x54);
N6VP_AT(struct ll_aton_reloc_callback_1_1_3_8, ll_aton_lib_dma_pad_4loop_filling, 0x58);
N6VP_BYTES(struct ll_aton_reloc_callback_1_1_3_8, 92);
N6VP_COMMON_AT(struct ll_aton_reloc_callback_1_1_3_262);
N6VP_AT(struct ll_aton_reloc_callback_1_1_3_262, ll_aton_lib_dma_transpose, 0x24);
N6VP_AT(struct ll_aton_reloc_callback_1_1_3_262, ll_aton_lib_softmax, 0x28);
N6VP_AT(struct ll_aton_reloc_callback_1_1_3_262, ll_aton_lib_dma_imagetorow, 0x2C);
N6VP_AT(struct ll_aton_reloc_callback_1_1_3_262, ll_aton_lib_dma_spacetodepth, 0x30);
N6VP_AT(struct ll_aton_reloc_callback_1_1_3_262, ll_aton_lib_dma_rowtoimage, 0x34);
N6VP_AT(struct ll_aton_reloc_callback_1_1_3_262, ll_aton_lib_dma_depthtospace, 0x38);
N6VP_AT(struct ll_aton_reloc_callback_1_1_3_262, ll_aton_lib_dma_outputs_slice_splitlike, 0x3C);
N6VP_AT(struct ll_aton_reloc_callback_1_1_3_262, ll_aton_lib_pad_std, 0x40);
N6VP_AT(struct ll_aton_reloc_callback_1_1_3_262, ll_aton_lib_pad_4loop, 0x44);
N6VP_AT(struct ll_aton_reloc_callback_1_1_3_262, ll_aton_lib_dma_outputs_flat_copy, 0x48);
N6VP_AT(struct ll_aton_reloc_callback_1_1_3_262, ll_aton_lib_dma_outputs_channel_split_aton, 0x4C);
N6VP_AT(struct ll_aton_reloc_callback_1_1_3_262, ll_aton_lib_dma_outputs_channel_split_batched,
        0x50);
N6VP_BYTES(struct ll_aton_reloc_callback_1_1_3_262, 84);

#if N6VP_LL_ATON_GENERATION <= 22
#define ll_aton_reloc_callback ll_aton_reloc_callback_1_1_1
#elif N6VP_LL_ATON_GENERATION == 30
#define ll_aton_reloc_callback ll_aton_reloc_callback_1_1_3_8
#else
#define ll_aton_reloc_callback ll_aton_reloc_callback_1_1_3_262
#endif

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The services of the callback table by the names that networks linked into the firmware call.
 * Their arguments differ between releases, so that this file is compiled with the network, with
 * its options. */
#include "ll_aton_reloc_callbacks.h"
#include "ll_aton_runtime.h"

#if N6VP_LL_ATON_GENERATION >= 40
#define N6VP_LAST_PARAMETER , const NN_Instance_TypeDef* nn_instance
#define N6VP_LAST_ARGUMENT , nn_instance
#else
#define N6VP_LAST_PARAMETER
#define N6VP_LAST_ARGUMENT
#endif
/* Defines LL_ATON_LIB_<name> for the entry `entry` of the table. */
#define N6VP_SERVICE(name, entry, parameters, arguments)      \
    int LL_ATON_LIB_##name parameters;                        \
    int LL_ATON_LIB_##name parameters {                       \
        const struct ll_aton_reloc_callback* const services = \
            n6vp_rt_callbacks(N6VP_LL_ATON_GENERATION);       \
        return services->entry arguments;                     \
    }

/* The vendor's software operators report what they refuse here, and then return
 * LL_ATON_INVALID_PARAM. A debug build says it and stops; with NDEBUG this returns. */
void __ll_lib_error(int err_code, int line, const char* func);
void __ll_lib_error(int err_code, int line, const char* func) {
    const struct ll_aton_reloc_callback* const services =
        n6vp_rt_callbacks(N6VP_LL_ATON_GENERATION);
    services->ll_lib_error(err_code, line, func);
}

typedef const LL_Buffer_InfoTypeDef* N6vpTensors;

N6VP_SERVICE(Concat, ll_aton_lib_concat,
             (N6vpTensors inputs, unsigned ninputs, N6vpTensors output, unsigned axis, int dma_in,
              int dma_out N6VP_LAST_PARAMETER),
             (inputs, ninputs, output, axis, dma_in, dma_out N6VP_LAST_ARGUMENT))
N6VP_SERVICE(Cast, ll_aton_lib_cast,
             (N6vpTensors input, N6vpTensors output, int dma_in, int dma_out N6VP_LAST_PARAMETER),
             (input, output, dma_in, dma_out N6VP_LAST_ARGUMENT))
N6VP_SERVICE(Softmax, ll_aton_lib_softmax,
             (N6vpTensors input, N6vpTensors output, unsigned axis, int legacy),
             (input, output, axis, legacy))
N6VP_SERVICE(DMA_ImageToRow, ll_aton_lib_dma_imagetorow,
             (N6vpTensors inputs, unsigned ninputs, N6vpTensors output, unsigned bh, unsigned bw,
              unsigned sh, unsigned sw, int dma_in, int dma_out N6VP_LAST_PARAMETER),
             (inputs, ninputs, output, bh, bw, sh, sw, dma_in, dma_out N6VP_LAST_ARGUMENT))
N6VP_SERVICE(DMA_RowToImage, ll_aton_lib_dma_rowtoimage,
             (N6vpTensors inputs, unsigned ninputs, N6vpTensors output, unsigned bh, unsigned bw,
              unsigned sh, unsigned sw, int dma_in, int dma_out N6VP_LAST_PARAMETER),
             (inputs, ninputs, output, bh, bw, sh, sw, dma_in, dma_out N6VP_LAST_ARGUMENT))
N6VP_SERVICE(DMA_SpaceToDepth, ll_aton_lib_dma_spacetodepth,
             (N6vpTensors inputs, unsigned ninputs, N6vpTensors output, unsigned bh, unsigned bw,
              int dma_in, int dma_out N6VP_LAST_PARAMETER),
             (inputs, ninputs, output, bh, bw, dma_in, dma_out N6VP_LAST_ARGUMENT))
N6VP_SERVICE(DMA_DepthToSpace, ll_aton_lib_dma_depthtospace,
             (N6vpTensors inputs, unsigned ninputs, N6vpTensors output, unsigned bh, unsigned bw,
              int dma_in, int dma_out N6VP_LAST_PARAMETER),
             (inputs, ninputs, output, bh, bw, dma_in, dma_out N6VP_LAST_ARGUMENT))
N6VP_SERVICE(DMA_Outputs_Flat_Copy, ll_aton_lib_dma_outputs_flat_copy,
             (N6vpTensors input, N6vpTensors outputs, unsigned noutputs, int dma_in,
              int dma_out N6VP_LAST_PARAMETER),
             (input, outputs, noutputs, dma_in, dma_out N6VP_LAST_ARGUMENT))
N6VP_SERVICE(DMA_Outputs_Channel_Split_Aton, ll_aton_lib_dma_outputs_channel_split_aton,
             (N6vpTensors input, N6vpTensors outputs, unsigned noutputs, unsigned leading,
              int dma_in, int dma_out N6VP_LAST_PARAMETER),
             (input, outputs, noutputs, leading, dma_in, dma_out N6VP_LAST_ARGUMENT))
N6VP_SERVICE(DMA_Outputs_Channel_Split_Batched, ll_aton_lib_dma_outputs_channel_split_batched,
             (N6vpTensors input, N6vpTensors outputs, unsigned noutputs, int dma_in,
              int dma_out N6VP_LAST_PARAMETER),
             (input, outputs, noutputs, dma_in, dma_out N6VP_LAST_ARGUMENT))
N6VP_SERVICE(DMA_Transpose, ll_aton_lib_dma_transpose,
             (N6vpTensors input, const uint32_t* in_offsets, N6vpTensors output,
              const uint32_t* out_offsets, const uint8_t* target_pos, const uint8_t* perm,
              int dma_in, int dma_out N6VP_LAST_PARAMETER),
             (input, in_offsets, output, out_offsets, target_pos, perm, dma_in,
              dma_out N6VP_LAST_ARGUMENT))
#if N6VP_LL_ATON_GENERATION >= 40
N6VP_SERVICE(DMA_Outputs_Slice_SplitLike, ll_aton_lib_dma_outputs_slice_splitlike,
             (N6vpTensors input, N6vpTensors output, uint32_t total, uint32_t width, uint32_t rows,
              uint32_t pitch, uint8_t bits, int dma_in, int dma_out N6VP_LAST_PARAMETER),
             (input, output, total, width, rows, pitch, bits, dma_in, dma_out N6VP_LAST_ARGUMENT))
#else
N6VP_SERVICE(DMA_Outputs_Slice_SplitLike, ll_aton_lib_dma_outputs_slice_splitlike,
             (N6vpTensors input, N6vpTensors output, int32_t total, int32_t width, int32_t rows,
              int32_t pitch, int8_t bits, int dma_in, int dma_out),
             (input, output, total, width, rows, pitch, bits, dma_in, dma_out))
N6VP_SERVICE(DMA_Pad_Filling, ll_aton_lib_dma_pad_filling, (void* params), (params))
#if N6VP_LL_ATON_GENERATION == 30
N6VP_SERVICE(DMA_Pad_Memset, ll_aton_lib_dma_pad_memset,
             (void* out, int32_t value, size_t bytes, void* params, bool deep_copy),
             (out, value, bytes, params, deep_copy))
N6VP_SERVICE(DMA_Pad_4Loop_Filling, ll_aton_lib_dma_pad_4loop_filling, (void* params), (params))
N6VP_SERVICE(Async_Memcpy, ll_aton_lib_async_memcpy,
             (void* in_start, void* in_end, void* in_limit, void* out_start, int dma_in,
              int dma_out),
             (in_start, in_end, in_limit, out_start, dma_in, dma_out))
#else
N6VP_SERVICE(DMA_Pad_Memset, ll_aton_lib_dma_pad_memset,
             (void* out, int32_t value, size_t bytes, void* params), (out, value, bytes, params))
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A network as a compiler writes it, for being linked into the firmware: the functions, records and
 * names are those that its C files use. `sums` adds 1 to every input byte (software), turns the
 * halves around by the concat of the runtime's library (hybrid), and hands out the result. */
#include "ll_aton_reloc_callbacks.h"
#include "ll_aton_rt_user_api.h"

#define BYTES 128 /* halves that engines move: below 40 bytes the core does */

int LL_ATON_LIB_Concat(const LL_LIB_TensorInfo_TypeDef* inputs, unsigned ninputs,
                       const LL_LIB_TensorInfo_TypeDef* output, unsigned axis, int dma_in,
#if N6VP_LL_ATON_GENERATION >= 40
                       int dma_out, const NN_Instance_TypeDef* nn_instance);
#else
                       int dma_out);
#endif

uint32_t n6vp_sums_inferences(void);
LL_ATON_DECLARE_NAMED_NN_PROTOS(sums);

static unsigned char* input_of_user;
static void* spare_output; /* kept, and nothing more */
static unsigned char halves[BYTES] __attribute__((aligned(64)));
static unsigned char output[BYTES] __attribute__((aligned(64)));
static unsigned inferences;

static const uint32_t shape_whole[] = {1, 1, 1, BYTES};
static const uint32_t shape_half[] = {1, 1, 1, BYTES / 2};
static const float scale[] = {0.5F};
static const int16_t zero[] = {-3};

#define TENSOR(text, base, at, bytes, dimensions, of_user)                                 \
    {                                                                                      \
        .name = text, .addr_base = {(unsigned char*)(base)}, .offset_start = at,           \
        .offset_end = (at) + (bytes), .offset_limit = (at) + (bytes) + 64,                 \
        .is_user_allocated = of_user, .batch = 1, .mem_shape = dimensions, .mem_ndims = 4, \
        .chpos = CHPos_First, .Qm = 7, .type = DataType_INT8, .nbits = 8, .ndims = 4,      \
        .shape = dimensions, .scale = scale, .offset = zero                                \
    }

static const LL_Buffer_InfoTypeDef inputs_info[] = {
    TENSOR("in", &input_of_user, 0, BYTES, shape_whole, 1), {.name = NULL}};
static const LL_Buffer_InfoTypeDef outputs_info[] = {
    TENSOR("out", output, 0, BYTES, shape_whole, 0), {.name = NULL}};
static const LL_Buffer_InfoTypeDef parts_info[] = {
    TENSOR("second", halves, BYTES / 2, BYTES / 2, shape_half, 0),
    TENSOR("first", halves, 0, BYTES / 2, shape_half, 0),
    {.name = NULL}};

#if N6VP_LL_ATON_GENERATION >= 40
#define BLOCK_FUNCTION(name)                                         \
    static void name(const LL_ATON_RT_EpochBlockItem_t* epoch_block, \
                     const NN_Instance_TypeDef* nn_instance)
#else
#define BLOCK_FUNCTION(name) static void name(const void* epoch_block)
#endif

BLOCK_FUNCTION(end_epoch_1) {
    (void)epoch_block;
#if N6VP_LL_ATON_GENERATION >= 40
    (void)nn_instance;
#endif
    for (unsigned i = 0; i < BYTES; ++i) halves[i] = (unsigned char)(input_of_user[i] + 1);
    LL_ATON_Cache_MCU_Clean_Invalidate_Range((uintptr_t)halves, sizeof halves);
}

BLOCK_FUNCTION(end_epoch_2) {
    (void)epoch_block;
#if N6VP_LL_ATON_GENERATION >= 40
    (void)LL_ATON_LIB_Concat(parts_info, 2, outputs_info, 1, 0, 1, nn_instance);
#else
    (void)LL_ATON_LIB_Concat(parts_info, 2, outputs_info, 1, 0, 1);
#endif
}

bool LL_ATON_EC_Network_Init_sums(void) {
    inferences = 0;
    return true;
}

bool LL_ATON_EC_Inference_Init_sums(void) {
    ++inferences;
    return true;
}

LL_ATON_User_IO_Result_t LL_ATON_Set_User_Input_Buffer_sums(uint32_t num, void* buffer,
                                                            uint32_t size) {
    if (num != 0) return LL_ATON_User_IO_WRONG_INDEX;
    if ((uintptr_t)buffer % 32 != 0) return LL_ATON_User_IO_WRONG_ALIGN;
    if (size < BYTES) return LL_ATON_User_IO_WRONG_SIZE;
    input_of_user = buffer;
    return LL_ATON_User_IO_NOERROR;
}

void* LL_ATON_Get_User_Input_Buffer_sums(uint32_t num) {
    return num == 0 ? input_of_user : NULL;
}

LL_ATON_User_IO_Result_t LL_ATON_Set_User_Output_Buffer_sums(uint32_t num, void* buffer,
                                                             uint32_t size) {
    if (num != 1) return LL_ATON_User_IO_WRONG_INDEX;
    if (size < BYTES) return LL_ATON_User_IO_WRONG_SIZE;
    spare_output = buffer;
    return LL_ATON_User_IO_NOERROR;
}

void* LL_ATON_Get_User_Output_Buffer_sums(uint32_t num) {
    return num == 1 ? spare_output : NULL;
}

const EpochBlock_ItemTypeDef* LL_ATON_EpochBlockItems_sums(void) {
    static const EpochBlock_ItemTypeDef items[] = {
        {.end_epoch_block = end_epoch_1,
         .flags =
             EpochBlock_Flags_epoch_start | EpochBlock_Flags_epoch_end | EpochBlock_Flags_pure_sw},
        {.end_epoch_block = end_epoch_2,
         .flags =
             EpochBlock_Flags_epoch_start | EpochBlock_Flags_epoch_end | EpochBlock_Flags_hybrid},
        {.flags = EpochBlock_Flags_last_eb}};
    return items;
}

const LL_Buffer_InfoTypeDef* LL_ATON_Output_Buffers_Info_sums(void) {
    return outputs_info;
}

const LL_Buffer_InfoTypeDef* LL_ATON_Input_Buffers_Info_sums(void) {
    return inputs_info;
}

#if N6VP_LL_ATON_GENERATION >= 30
const LL_Streng_EncryptionTypedef* LL_ATON_BlobEncryption_Info_sums(void) {
    return NULL;
}

const LL_Streng_EncryptionTypedef* LL_ATON_WeightEncryption_Info_sums(void) {
    return NULL;
}
#endif

const LL_Buffer_InfoTypeDef* LL_ATON_Internal_Buffers_Info_sums(void) {
    return parts_info;
}

uint32_t n6vp_sums_inferences(void) {
    return inferences;
}

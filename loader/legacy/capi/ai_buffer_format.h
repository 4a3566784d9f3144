/* SPDX-License-Identifier: Apache-2.0 */
#ifndef N6VP_AI_BUFFER_FORMAT_H
#define N6VP_AI_BUFFER_FORMAT_H

#include <stddef.h>

#include "ai_platform.h"

/* Formats, shapes and quantisation of buffers: the documented names over functions of our own.
 * Included by ai_platform.h. */

/* NOLINTBEGIN(modernize-use-using,modernize-use-nullptr): C includes it */
#ifdef __cplusplus
extern "C" {
#endif

/* Fields of the format word: sign 23, type 20..17, bits 13..7, fractional bits + 64 in 6..0. */
#define AI_BUFFER_FMT_TYPE_NONE 0x0
#define AI_BUFFER_FMT_TYPE_FLOAT 0x1
#define AI_BUFFER_FMT_TYPE_Q 0x2
#define AI_BUFFER_FMT_TYPE_BOOL 0x3
#define AI_BUFFER_FMT_FLAG_CONST (1u << 30)
#define AI_BUFFER_FMT_FLAG_STATIC (1u << 29)
#define AI_BUFFER_FMT_FLAG_PERSISTENT (1u << 29)
#define AI_BUFFER_FMT_FLAG_IS_IO (1u << 27)

#define AI_BUFFER_FORMAT_NONE 0x00000040
#define AI_BUFFER_FORMAT_FLOAT 0x00821040
#define AI_BUFFER_FORMAT_U1 0x000400C0
#define AI_BUFFER_FORMAT_S1 0x008400C0
#define AI_BUFFER_FORMAT_U8 0x00040440
#define AI_BUFFER_FORMAT_U16 0x00040840
#define AI_BUFFER_FORMAT_S8 0x00840440
#define AI_BUFFER_FORMAT_S16 0x00840840
#define AI_BUFFER_FORMAT_S32 0x00841040
#define AI_BUFFER_FORMAT_Q7 0x00840447
#define AI_BUFFER_FORMAT_Q15 0x0084084F
#define AI_BUFFER_FORMAT_UQ7 0x00040447
#define AI_BUFFER_FORMAT_BOOL 0x00060440

static inline ai_u32 n6vp_format_field(ai_buffer_format format, unsigned low, ai_u32 mask) {
    return (ai_u32)format >> low & mask;
}
#define AI_BUFFER_FMT_GET(format) ((ai_buffer_format)n6vp_format_field((format), 0, 0x01FFFFFFu))
#define AI_BUFFER_FMT_GET_FLOAT(format) n6vp_format_field((format), 24, 1)
#define AI_BUFFER_FMT_GET_SIGN(format) n6vp_format_field((format), 23, 1)
#define AI_BUFFER_FMT_GET_TYPE(format) n6vp_format_field((format), 17, 0xF)
#define AI_BUFFER_FMT_GET_BITS(format) n6vp_format_field((format), 7, 0x7F)
#define AI_BUFFER_FMT_GET_FBITS(format) ((ai_i32)n6vp_format_field((format), 0, 0x7F) - 64)
/* A format of its fields: type, sign, all bits, fractional bits. */
#define AI_BUFFER_FMT_SET(type, sign, float_bit, bits, fbits)                        \
    ((ai_buffer_format)(((ai_u32)(float_bit)&1u) << 24 | ((ai_u32)(sign)&1u) << 23 | \
                        ((ai_u32)(type)&0xFu) << 17 | ((ai_u32)(bits)&0x7Fu) << 7 |  \
                        ((ai_u32)((fbits) + 64) & 0x7Fu)))
#define AI_BUFFER_FMT_SAME(one, other) (AI_BUFFER_FMT_GET(one) == AI_BUFFER_FMT_GET(other))
#define AI_BUFFER_FORMAT(buffer) AI_BUFFER_FMT_GET((buffer)->format)

/* Positions in a shape. A missing one reads 0. */
#define AI_SHAPE_BATCH 0
#define AI_SHAPE_CHANNEL 1
#define AI_SHAPE_WIDTH 2
#define AI_SHAPE_HEIGHT 3
#define AI_SHAPE_DEPTH 4
#define AI_SHAPE_EXTENSION 5

static inline ai_u32 n6vp_shape_element(const ai_buffer* buffer, ai_u32 position) {
    return buffer != NULL && position < buffer->shape.size ? buffer->shape.data[position] : 0;
}
#define AI_BUFFER_SHAPE_SIZE(buffer) ((buffer) != NULL ? (buffer)->shape.size : 0u)
#define AI_BUFFER_SHAPE_ELEM(buffer, position) n6vp_shape_element((buffer), (position))
#define AI_BUFFER_N_BATCHES(buffer) ((buffer)->shape.data[AI_SHAPE_BATCH])
#define AI_BUFFER_CHANNELS(buffer) ((buffer)->shape.data[AI_SHAPE_CHANNEL])
#define AI_BUFFER_WIDTH(buffer) ((buffer)->shape.data[AI_SHAPE_WIDTH])
#define AI_BUFFER_HEIGHT(buffer) ((buffer)->shape.data[AI_SHAPE_HEIGHT])
#define AI_BUFFER_DATA(buffer, type) ((type*)(buffer)->data)

/* Returns elements: as stored, or without what pads binary tensors to words. */
static inline ai_size ai_buffer_get_size(const ai_buffer* buffer, ai_bool with_padding) {
    ai_size elements = 1;
    ai_u32 i = 0;
    if (buffer == NULL) return 0;
    if (with_padding) return buffer->size;
    for (; i < buffer->shape.size; ++i) elements *= buffer->shape.data[i];
    return elements;
}
/* Returns the bytes of that many elements. */
static inline ai_size ai_buffer_get_byte_size(ai_size elements, ai_buffer_format format) {
    return (elements * AI_BUFFER_FMT_GET_BITS(format) + 7u) / 8u;
}
#define AI_BUFFER_SIZE(buffer) ai_buffer_get_size((buffer), true)
#define AI_BUFFER_SIZE_UNPAD(buffer) ai_buffer_get_size((buffer), false)
#define AI_BUFFER_BYTE_SIZE(elements, format) ai_buffer_get_byte_size((elements), (format))

/* Quantisation of inputs and outputs: value = scale * (stored - zero point), position 0. */
#define AI_BUFFER_META_HAS_INTQ_INFO (1u << 0)
#define AI_BUFFER_META_FLAG_SCALE_FLOAT (1u << 0)
#define AI_BUFFER_META_FLAG_ZEROPOINT_U8 (1u << 1)
#define AI_BUFFER_META_FLAG_ZEROPOINT_S8 (1u << 2)
#define AI_BUFFER_META_FLAG_ZEROPOINT_U16 (1u << 3)
#define AI_BUFFER_META_FLAG_ZEROPOINT_S16 (1u << 4)

static inline ai_intq_info_list* n6vp_intq(const ai_buffer_meta_info* meta) {
    return meta != NULL && (meta->flags & AI_BUFFER_META_HAS_INTQ_INFO) != 0 ? meta->intq_info
                                                                             : NULL;
}
static inline ai_bool n6vp_intq_has(const ai_buffer_meta_info* meta, ai_u32 position) {
    const ai_intq_info_list* const list = n6vp_intq(meta);
    return list != NULL && list->info != NULL && position < list->size;
}
static inline ai_float n6vp_intq_scale(const ai_buffer_meta_info* meta, ai_u32 position) {
    return n6vp_intq_has(meta, position) ? n6vp_intq(meta)->info->scale[position] : 0.0f;
}
static inline ai_i32 n6vp_intq_zero_point(const ai_buffer_meta_info* meta, ai_u32 position) {
    const ai_intq_info_list* list = NULL;
    if (!n6vp_intq_has(meta, position)) return 0;
    list = n6vp_intq(meta);
    if (list->flags & AI_BUFFER_META_FLAG_ZEROPOINT_U8)
        return ((const ai_u8*)list->info->zeropoint)[position];
    if (list->flags & AI_BUFFER_META_FLAG_ZEROPOINT_U16)
        return ((const ai_u16*)list->info->zeropoint)[position];
    if (list->flags & AI_BUFFER_META_FLAG_ZEROPOINT_S16)
        return ((const ai_i16*)list->info->zeropoint)[position];
    return ((const ai_i8*)list->info->zeropoint)[position];
}
#define AI_BUFFER_META_INFO(buffer) ((buffer)->meta_info)
#define AI_BUFFER_META_INFO_INTQ(meta) n6vp_intq(meta)
#define AI_BUFFER_META_INFO_INTQ_GET_SIZE(meta) \
    (n6vp_intq(meta) != NULL ? n6vp_intq(meta)->size : 0u)
#define AI_BUFFER_META_INFO_INTQ_GET_SCALE(meta, position) n6vp_intq_scale((meta), (position))
#define AI_BUFFER_META_INFO_INTQ_GET_ZEROPOINT(meta, position) \
    n6vp_intq_zero_point((meta), (position))

/* Enters the address of a weight or activation buffer. Fails if there is no such buffer. */
static inline ai_bool ai_buffer_array_item_set_address(ai_buffer_array* array, ai_u32 position,
                                                       ai_handle address) {
    if (array == NULL || array->buffer == NULL || position >= array->size) return false;
    array->buffer[position].data = address;
    return true;
}
#define AI_BUFFER_ARRAY_ITEM_SET_ADDRESS(array, position, address) \
    ai_buffer_array_item_set_address((array), (position), (address))

/* Buffers and arrays of them as initialisers; `shape_` is an array of `shape_size` dimensions. */
#define AI_BUFFER_INIT(flags_, format_, shape_size, shape_, size_, meta_, data_)         \
    {                                                                                    \
        (ai_buffer_format)(format_), AI_HANDLE_PTR(data_), (meta_), (flags_), (size_), { \
            0, (shape_size), (shape_)                                                    \
        }                                                                                \
    }
#define AI_BUFFER_ARRAY_OBJ_INIT(flags_, size_, buffers_) \
    { (flags_), (size_), (buffers_) }

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-use-using,modernize-use-nullptr) */

#endif

// SPDX-License-Identifier: Apache-2.0
// The headers of the client API: what the documentation says of format words, shapes and
// quantisation. tests/firmware/legacy_client.c has the layouts, which are of 32-bit machines.
#include <doctest/doctest.h>

#include <cstddef>
#include <initializer_list>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"  // anonymous structures, as the documentation has them
#endif
#include "loader/legacy/capi/ai_platform.h"
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace {

TEST_CASE("client API: fields of the predefined formats") {
    const struct {
        ai_buffer_format format;
        unsigned type, sign, bits;
        int fraction;
    } rows[] = {{AI_BUFFER_FORMAT_NONE, 0, 0, 0, 0},  {AI_BUFFER_FORMAT_FLOAT, 1, 1, 32, 0},
                {AI_BUFFER_FORMAT_U1, 2, 0, 1, 0},    {AI_BUFFER_FORMAT_S1, 2, 1, 1, 0},
                {AI_BUFFER_FORMAT_U8, 2, 0, 8, 0},    {AI_BUFFER_FORMAT_S8, 2, 1, 8, 0},
                {AI_BUFFER_FORMAT_U16, 2, 0, 16, 0},  {AI_BUFFER_FORMAT_S16, 2, 1, 16, 0},
                {AI_BUFFER_FORMAT_S32, 2, 1, 32, 0},  {AI_BUFFER_FORMAT_Q7, 2, 1, 8, 7},
                {AI_BUFFER_FORMAT_Q15, 2, 1, 16, 15}, {AI_BUFFER_FORMAT_UQ7, 2, 0, 8, 7},
                {AI_BUFFER_FORMAT_BOOL, 3, 0, 8, 0}};
    for (const auto& row : rows) {
        CAPTURE(row.format);
        // Flags of constants and of inputs do not change what a format is.
        const auto marked =
            static_cast<ai_buffer_format>(static_cast<unsigned>(row.format) |
                                          AI_BUFFER_FMT_FLAG_CONST | AI_BUFFER_FMT_FLAG_IS_IO);
        for (const ai_buffer_format format : {row.format, marked}) {
            CHECK(AI_BUFFER_FMT_GET_TYPE(format) == row.type);
            CHECK(AI_BUFFER_FMT_GET_SIGN(format) == row.sign);
            CHECK(AI_BUFFER_FMT_GET_BITS(format) == row.bits);
            CHECK(AI_BUFFER_FMT_GET_FBITS(format) == row.fraction);
            CHECK(AI_BUFFER_FMT_GET_FLOAT(format) == 0);
            CHECK(AI_BUFFER_FMT_SAME(format, row.format));
        }
        CHECK(AI_BUFFER_BYTE_SIZE(96, row.format) == 12 * row.bits);
    }
}

TEST_CASE("client API: shapes, sizes and quantisation of a buffer") {
    ai_shape_dimension shape[4] = {1, 33, 2, 3};
    ai_float scale[1] = {0.25f};
    ai_i8 zero_s8[1] = {-128};
    ai_u8 zero_u8[1] = {200};
    ai_intq_info info{scale, zero_s8};
    ai_intq_info_list list{AI_BUFFER_META_FLAG_SCALE_FLOAT | AI_BUFFER_META_FLAG_ZEROPOINT_S8, 1,
                           &info};
    ai_buffer_meta_info meta{AI_BUFFER_META_HAS_INTQ_INFO, &list};
    ai_buffer buffer{AI_BUFFER_FORMAT_S1, nullptr, &meta, 0, 64 * 6, {0, 4, shape}};
    buffer.shape.size = 4;
    CHECK(AI_BUFFER_SHAPE_ELEM(&buffer, AI_SHAPE_CHANNEL) == 33);
    CHECK(AI_BUFFER_SHAPE_ELEM(&buffer, AI_SHAPE_HEIGHT) == 3);
    CHECK(AI_BUFFER_SHAPE_ELEM(&buffer, AI_SHAPE_DEPTH) == 0);
    CHECK(AI_BUFFER_SHAPE_SIZE(&buffer) == 4);
    CHECK(AI_BUFFER_SIZE(&buffer) == 384);        // 33 channels fill two words
    CHECK(AI_BUFFER_SIZE_UNPAD(&buffer) == 198);  // 1 x 33 x 2 x 3
    CHECK(AI_BUFFER_BYTE_SIZE(AI_BUFFER_SIZE(&buffer), AI_BUFFER_FORMAT(&buffer)) == 48);
    CHECK(AI_BUFFER_META_INFO_INTQ_GET_SCALE(&meta, 0) == 0.25f);
    CHECK(AI_BUFFER_META_INFO_INTQ_GET_ZEROPOINT(&meta, 0) == -128);
    CHECK(AI_BUFFER_META_INFO_INTQ_GET_SCALE(&meta, 1) == 0.0f);
    list.flags = AI_BUFFER_META_FLAG_SCALE_FLOAT | AI_BUFFER_META_FLAG_ZEROPOINT_U8;
    info.zeropoint = zero_u8;
    CHECK(AI_BUFFER_META_INFO_INTQ_GET_ZEROPOINT(&meta, 0) == 200);
    meta.flags = 0;
    CHECK(AI_BUFFER_META_INFO_INTQ(&meta) == nullptr);
    CHECK(AI_BUFFER_META_INFO_INTQ_GET_ZEROPOINT(&meta, 0) == 0);
}

TEST_CASE("client API: addresses go to buffers that exist") {
    ai_buffer buffers[2] = {};
    ai_buffer_array array{0, 2, buffers};
    int weights = 0;
    CHECK(AI_BUFFER_ARRAY_ITEM_SET_ADDRESS(&array, 1, &weights));
    CHECK(buffers[1].data == &weights);
    CHECK(buffers[0].data == AI_HANDLE_NULL);
    CHECK_FALSE(AI_BUFFER_ARRAY_ITEM_SET_ADDRESS(&array, 2, &weights));
    array.buffer = nullptr;
    CHECK_FALSE(AI_BUFFER_ARRAY_ITEM_SET_ADDRESS(&array, 0, &weights));
}

}  // namespace

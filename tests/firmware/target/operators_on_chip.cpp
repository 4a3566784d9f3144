// SPDX-License-Identifier: Apache-2.0
#define LL_ATON_EB_DBG_INFO
#include <cstring>

#include "loader/capi/n6vp_reloc_platform.h"
#include "loader/firmware/base/state.h"
#include "loader/firmware/chip/jobs.h"
#include "loader/firmware/ports/stm32n6/caches.h"
#include "loader/firmware/text.h"
#include "loader/runtime/capi/ll_aton_runtime.h"

/// Every service of the callback tables on the simulated chip: a network of hybrid epochs, linked
/// into the firmware, calls them in the order and with the arguments of each release; what comes
/// out is compared with index formulas. Stands in the place of the install job of the firmware for
/// the simulated chip, whose set-up, console and exit it uses.

using namespace n6vp::firmware;

namespace {

constexpr std::uint32_t kBytes = 512;
alignas(64) std::uint8_t input[kBytes], output[kBytes], scratch[64];
alignas(64) std::uint8_t expected[kBytes];

n6vp_reloc_platform_t platform;
NN_Instance_TypeDef network;
const void* table;
std::uint32_t generation, passed, failures;
int returned;

// Tensor records: the first is the input, outputs follow.
std::uint32_t shapes[4][4];
LL_Buffer_InfoTypeDef tensors[4];

template <typename T>
const T& as() {
    return *static_cast<const T*>(table);
}
using Old = ll_aton_reloc_callback_1_1_1;
using Middle = ll_aton_reloc_callback_1_1_3_8;
using New = ll_aton_reloc_callback_1_1_3_262;

constexpr int kReader = 1, kWriter = 6;

struct Shape {
    std::uint32_t d[4];
};

void describe(std::uint32_t i, std::uint8_t* at, Shape shape) {
    std::memcpy(shapes[i], shape.d, sizeof shapes[i]);
    LL_Buffer_InfoTypeDef& tensor = tensors[i];
    tensor = {};
    tensor.name = "tensor";
    tensor.addr_base.p = at;
    tensor.offset_end = shape.d[0] * shape.d[1] * shape.d[2] * shape.d[3];
    tensor.batch = shape.d[3];
    tensor.type = generation == 21 ? static_cast<Buffer_DataType_TypeDef>(3) : DataType_INT8;
    tensor.Qm = 7;
    tensor.ndims = 4;
    tensor.nbits = 8;
    tensor.shape = shapes[i];
}

// One function for each service: prepares tensors and expectation, and calls.

int concat() {
    describe(0, input, {{1, 2, 4, 10}});
    describe(1, input + 80, {{1, 2, 4, 10}});
    describe(2, output, {{2, 2, 4, 10}});
    std::memcpy(expected, input, 160);
    if (generation == 40)
        return as<New>().ll_aton_lib_concat(&tensors[0], 2, &tensors[2], 0, kReader, kWriter,
                                            &network);
    return as<Old>().ll_aton_lib_concat(&tensors[0], 2, &tensors[2], 0, kReader, kWriter);
}

int cast() {
    describe(0, input, {{1, 1, 1, 200}});
    describe(1, output, {{1, 1, 1, 200}});
    std::memcpy(expected, input, 200);
    if (generation == 40)
        return as<New>().ll_aton_lib_cast(&tensors[0], &tensors[1], kReader, kWriter, &network);
    return as<Old>().ll_aton_lib_cast(&tensors[0], &tensors[1], kReader, kWriter);
}

int softmax() {
    describe(0, scratch, {{1, 1, 1, 2}});
    describe(1, output, {{1, 1, 1, 2}});
    describe(2, scratch + 32, {{1, 1, 1, 8}});
    for (std::uint32_t i = 0; i < 2; ++i) {
        tensors[i].type = DataType_FLOAT;
        tensors[i].nbits = 32;
        tensors[i].offset_end = 8;
    }
    const float equal[] = {3.0F, 3.0F}, half[] = {0.5F, 0.5F};
    std::memcpy(scratch, equal, sizeof equal);
    std::memcpy(expected, half, sizeof half);
    const int result = generation == 40
                           ? as<New>().ll_aton_lib_softmax(&tensors[0], &tensors[1], 3, 0)
                           : as<Old>().ll_aton_lib_softmax(&tensors[0], &tensors[1], 3, 0);
    caches::maintain(
        n6vp::loader::CacheOp::McuClean,
        n6vp::GuestAddr{static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(output))}, 8);
    return result;
}

/// Image 6 x 8 x 3 in blocks of 2 x 2; `overlap`: with a stride of 1.
void expect_rows(std::uint32_t stride) {
    std::uint8_t* to = expected;
    for (std::uint32_t y = 0; y + 2 <= 6; y += stride)
        for (std::uint32_t x = 0; x + 2 <= 8; x += stride)
            for (std::uint32_t k = 0; k < 12; ++k)
                *to++ = input[((y + k / 6) * 8 + x + k % 6 / 3) * 3 + k % 3];
}

int image_to_row() {
    describe(0, input, {{1, 6, 8, 3}});
    describe(1, output, {{1, 5, 7, 12}});
    expect_rows(1);
    if (generation == 40)
        return as<New>().ll_aton_lib_dma_imagetorow(&tensors[0], 1, &tensors[1], 2, 2, 1, 1,
                                                    kReader, kWriter, &network);
    return as<Old>().ll_aton_lib_dma_imagetorow(&tensors[0], 1, &tensors[1], 2, 2, 1, 1, kReader,
                                                kWriter);
}

int space_to_depth() {
    describe(0, input, {{1, 6, 8, 3}});
    describe(1, output, {{1, 3, 4, 12}});
    expect_rows(2);
    if (generation == 40)
        return as<New>().ll_aton_lib_dma_spacetodepth(&tensors[0], 1, &tensors[1], 2, 2, kReader,
                                                      kWriter, &network);
    return as<Old>().ll_aton_lib_dma_spacetodepth(&tensors[0], 1, &tensors[1], 2, 2, kReader,
                                                  kWriter);
}

void expect_image() {
    for (std::uint32_t i = 0; i < 144; ++i) {
        const std::uint32_t row = i / 12, k = i % 12;
        const std::uint32_t y = row / 4 * 2 + k / 6, x = row % 4 * 2 + k % 6 / 3;
        expected[(y * 8 + x) * 3 + k % 3] = input[i];
    }
}

int row_to_image() {
    describe(0, input, {{1, 3, 4, 12}});
    describe(1, output, {{1, 6, 8, 3}});
    expect_image();
    if (generation == 40)
        return as<New>().ll_aton_lib_dma_rowtoimage(&tensors[0], 1, &tensors[1], 2, 2, 2, 2,
                                                    kReader, kWriter, &network);
    return as<Old>().ll_aton_lib_dma_rowtoimage(&tensors[0], 1, &tensors[1], 2, 2, 2, 2, kReader,
                                                kWriter);
}

int depth_to_space() {
    describe(0, input, {{1, 3, 4, 12}});
    describe(1, output, {{1, 6, 8, 3}});
    expect_image();
    if (generation == 40)
        return as<New>().ll_aton_lib_dma_depthtospace(&tensors[0], 1, &tensors[1], 2, 2, kReader,
                                                      kWriter, &network);
    return as<Old>().ll_aton_lib_dma_depthtospace(&tensors[0], 1, &tensors[1], 2, 2, kReader,
                                                  kWriter);
}

int flat_copy() {
    describe(0, input, {{1, 1, 1, 120}});
    describe(1, output, {{1, 1, 1, 50}});
    describe(2, output + 50, {{1, 1, 1, 70}});
    std::memcpy(expected, input, 120);
    if (generation == 40)
        return as<New>().ll_aton_lib_dma_outputs_flat_copy(&tensors[0], &tensors[1], 2, kReader,
                                                           kWriter, &network);
    if (generation == 30)
        return as<Middle>().ll_aton_lib_dma_outputs_flat_copy(&tensors[0], &tensors[1], 2, kReader,
                                                              kWriter);
    return as<Old>().ll_aton_lib_dma_outputs_flat_copy(&tensors[0], &tensors[1], 2, kReader,
                                                       kWriter);
}

int slice() {
    describe(0, input, {{1, 1, 1, 200}});
    describe(1, output, {{1, 1, 1, 120}});
    for (std::uint32_t i = 0; i < 120; ++i) expected[i] = input[i / 12 * 20 + i % 12];
    if (generation == 40)
        return as<New>().ll_aton_lib_dma_outputs_slice_splitlike(
            &tensors[0], &tensors[1], 120, 12, 10, 20, 8, kReader, kWriter, &network);
    if (generation == 30)
        return as<Middle>().ll_aton_lib_dma_outputs_slice_splitlike(
            &tensors[0], &tensors[1], 120, 12, 10, 20, 8, kReader, kWriter);
    return as<Old>().ll_aton_lib_dma_outputs_slice_splitlike(&tensors[0], &tensors[1], 120, 12, 10,
                                                             20, 8, kReader, kWriter);
}

// Split tensors are N, C, H, W; memory is H, W, C. Six channels become four and two.
void describe_split() {
    describe(0, input, {{1, 6, 4, 5}});
    describe(1, output, {{1, 4, 4, 5}});
    describe(2, output + 80, {{1, 2, 4, 5}});
}

int channel_split() {
    describe_split();
    for (std::uint32_t p = 0; p < 20; ++p) {
        std::memcpy(expected + p * 4, input + p * 6, 4);
        std::memcpy(expected + 80 + p * 2, input + p * 6 + 4, 2);
    }
    if (generation == 40)
        return as<New>().ll_aton_lib_dma_outputs_channel_split_aton(&tensors[0], &tensors[1], 2, 1,
                                                                    kReader, kWriter, &network);
    if (generation == 30)
        return as<Middle>().ll_aton_lib_dma_outputs_channel_split_aton(&tensors[0], &tensors[1], 2,
                                                                       1, kReader, kWriter);
    return as<Old>().ll_aton_lib_dma_outputs_channel_split_aton(&tensors[0], &tensors[1], 2, 1,
                                                                kReader, kWriter);
}

int channel_split_batched() {
    describe_split();
    tensors[0].batch = 0;
    tensors[1].batch = 2;
    tensors[2].batch = 1;
    for (std::uint32_t p = 0; p < 20; ++p) {
        for (std::uint32_t c = 0; c < 4; ++c)
            expected[c / 2 * 40 + p * 2 + c % 2] = input[p * 6 + c];
        for (std::uint32_t c = 0; c < 2; ++c) expected[80 + c * 20 + p] = input[p * 6 + 4 + c];
    }
    if (generation == 40)
        return as<New>().ll_aton_lib_dma_outputs_channel_split_batched(&tensors[0], &tensors[1], 2,
                                                                       kReader, kWriter, &network);
    if (generation == 30)
        return as<Middle>().ll_aton_lib_dma_outputs_channel_split_batched(&tensors[0], &tensors[1],
                                                                          2, kReader, kWriter);
    return as<Old>().ll_aton_lib_dma_outputs_channel_split_batched(&tensors[0], &tensors[1], 2,
                                                                   kReader, kWriter);
}

int transpose() {
    describe(0, input, {{2, 3, 4, 5}});
    describe(1, output, {{5, 2, 3, 4}});
    static const std::uint32_t in_offsets[] = {60, 20, 5, 1}, out_offsets[] = {24, 12, 4, 1};
    static const std::uint8_t target[] = {1, 2, 3, 0}, perm[] = {3, 0, 1, 2};
    for (std::uint32_t i = 0; i < 120; ++i) expected[i % 5 * 24 + i / 5] = input[i];
    if (generation == 40)
        return as<New>().ll_aton_lib_dma_transpose(&tensors[0], in_offsets, &tensors[1],
                                                   out_offsets, target, perm, kReader, kWriter,
                                                   &network);
    if (generation == 30)
        return as<Middle>().ll_aton_lib_dma_transpose(&tensors[0], in_offsets, &tensors[1],
                                                      out_offsets, target, perm, kReader, kWriter);
    return as<Old>().ll_aton_lib_dma_transpose(&tensors[0], in_offsets, &tensors[1], out_offsets,
                                               target, perm, kReader, kWriter);
}

// A pad of 5 x 60 bytes: one line before, one behind, three bytes left, two right.
constexpr std::uint32_t kRows = 5, kRow = 60, kWide = 65;
std::uint32_t min_shape[] = {kRows, kRow}, out_shape[] = {kRows + 2, kWide};
std::int32_t no_offsets[] = {0, 0}, out_start[] = {kWide, 3}, out_end[] = {kWide, 2};
std::uint32_t out_offsets[] = {kWide, 1}, indexes[2];
/// Start, inner bytes, loops, all bytes, then step and count of each loop.
std::uint32_t reading[12] = {0, kRow, 1, kRows* kRow, kRow, kRows};
std::uint32_t writing[12] = {kWide + 3, kRow, 1, kRows* kRow, kWide, kRows};
constexpr std::uint8_t kBorder = 0x5A;

void expect_pad(bool with_border) {
    if (with_border) std::memset(expected, kBorder, (kRows + 2) * kWide);
    for (std::uint32_t y = 0; y < kRows; ++y)
        std::memcpy(expected + (y + 1) * kWide + 3, input + y * kRow, kRow);
}

std::uint32_t record[48];
std::uint32_t word_of(const void* pointer) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

/// Goes on after the set, as a model's function does.
void fill_from_model(std::uint8_t* params) {
    const std::uint32_t callback = generation == 30 ? 148 : 44;
    std::memset(params + callback, 0, 4);
    returned |= as<Old>().ll_aton_lib_dma_pad_filling(nullptr);
}

void fill_loops_from_model(std::uint8_t* params) {
    std::memset(params + 148, 0, 4);
    returned |= as<Middle>().ll_aton_lib_dma_pad_4loop_filling(nullptr);
}

void put(std::uint32_t old_offset, std::uint32_t new_offset, std::uint32_t value) {
    record[(generation == 30 ? new_offset : old_offset) / 4] = value;
}

void fill_record(std::uint32_t callback) {
    std::memset(record, 0, sizeof record);
    put(0, 0, word_of(input));
    put(4, 12, word_of(output));
    put(16, 24, 1);
    put(20, 28, kRow);
    put(24, 32, 1);
    put(32, 40, word_of(output));
    put(36, 44, 2);
    put(40, 48, word_of(output) + (kRows + 2) * kWide);
    put(44, 148, callback);
    put(48, 152, kReader);
    put(52, 156, kWriter);
    const void* const arrays[] = {min_shape, no_offsets, no_offsets,  out_start,
                                  out_end,   out_shape,  out_offsets, indexes};
    for (std::uint32_t i = 0; i < 8; ++i) put(56 + 4 * i, 160 + 4 * i, word_of(arrays[i]));
}

int pad() {
    expect_pad(true);
    if (generation == 40)
        return as<New>().ll_aton_lib_pad_std(input, output, nullptr, nullptr, min_shape, 0, 1,
                                             (kRows + 2) * kWide, kBorder, 1, kRow, no_offsets,
                                             no_offsets, out_start, out_end, out_shape, out_offsets,
                                             2, kReader, kWriter, &network);
    fill_record(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(fill_from_model)));
    // The stub of models passes the value twice.
    if (generation == 30)
        return as<Middle>().ll_aton_lib_dma_pad_memset(output, kBorder, kBorder, record, true);
    return as<Old>().ll_aton_lib_dma_pad_memset(output, kBorder, kBorder, record);
}

int pad_loops() {
    expect_pad(generation >= 30);
    if (generation == 40)
        return as<New>().ll_aton_lib_pad_4loop(input, input + kRows * kRow, nullptr, output,
                                               output + (kRows + 2) * kWide, nullptr, kBorder, 1,
                                               reading, writing, kReader, kWriter, &network);
    if (generation < 30) {
        // Without a set before it: the inside alone.
        fill_record(0);
        return as<Old>().ll_aton_lib_dma_pad_filling(record);
    }
    fill_record(
        static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(fill_loops_from_model)));
    put(0, 16, word_of(output) + (kRows + 2) * kWide);
    std::memcpy(record + 13, reading, sizeof reading);
    std::memcpy(record + 25, writing, sizeof writing);
    record[0] = word_of(input);
    return as<Middle>().ll_aton_lib_dma_pad_memset(output, kBorder, kBorder, record, false);
}

int async_memcpy() {
    std::memcpy(expected, input, 301);
    return as<Middle>().ll_aton_lib_async_memcpy(input, input + 301, nullptr, output, kReader,
                                                 kWriter);
}

struct Service {
    const char* name;
    int (*call)();
};
constexpr Service kServices[] = {
    {"concat", concat},
    {"cast", cast},
    {"softmax", softmax},
    {"imagetorow", image_to_row},
    {"spacetodepth", space_to_depth},
    {"rowtoimage", row_to_image},
    {"depthtospace", depth_to_space},
    {"flat_copy", flat_copy},
    {"slice_splitlike", slice},
    {"channel_split_aton", channel_split},
    {"channel_split_batched", channel_split_batched},
    {"transpose", transpose},
    {"pad", pad},
    {"pad loops", pad_loops},
    {"async_memcpy", async_memcpy},
};
const Service* current;

void call_service(const void*) {
    returned = current->call();
}

constexpr EpochBlock_ItemTypeDef kItems[] = {
    {nullptr, call_service, 0, 0, 0x43, 1, 1, 0, 0, 0, 0},
    {nullptr, nullptr, 0, 0, 0x08, 0, 0, 0, 0, 0, 0},
};
bool ready() {
    return true;
}
const EpochBlock_ItemTypeDef* items() {
    return kItems;
}
NN_Interface_TypeDef interface;

void maintain_cache(n6vp_reloc_cache_op op, std::uintptr_t start, std::uint32_t bytes) {
    caches::maintain(static_cast<n6vp::loader::CacheOp>(op),
                     n6vp::GuestAddr{static_cast<std::uint32_t>(start)}, bytes);
}

void run_service() {
    std::memset(output, 0, sizeof output);
    std::memset(expected, 0, sizeof expected);
    maintain_cache(N6VP_RELOC_MCU_CLEAN_INVALIDATE, word_of(output), sizeof output);
    maintain_cache(N6VP_RELOC_MCU_CLEAN, word_of(input), sizeof input);
    LL_ATON_RT_Reset_Network(&network);
    for (;;) {
        const LL_ATON_RT_RetValues_t progress = LL_ATON_RT_RunEpochBlock(&network);
        if (progress == LL_ATON_RT_DONE) break;
        if (progress == LL_ATON_RT_WFE) LL_ATON_OSAL_WFE();
    }
    maintain_cache(N6VP_RELOC_MCU_INVALIDATE, word_of(output), sizeof output);
    const bool good = returned == 0 && std::memcmp(output, expected, sizeof output) == 0;
    ++(good ? passed : failures);
    Text line;
    line.put(good ? "PASS " : "FAIL ").decimal(generation).put(" ").put(current->name).put("\n");
    chip::say(line.text());
}

void run_generation(std::uint32_t number, std::uint8_t micro, std::uint32_t dev) {
    generation = number;
    platform.profile.version_micro = micro;
    platform.profile.version_dev = dev;
    table = n6vp_rt_callbacks(number);
    std::memset(&network, 0, sizeof network);
    network.network = &interface;
    LL_ATON_RT_RuntimeInit();
    LL_ATON_RT_Init_Network(&network);
    for (const Service& service : kServices) {
        if (service.call == async_memcpy && generation != 30) continue;  // nobody else has it
        current = &service;
        run_service();
    }
    LL_ATON_RT_DeInit_Network(&network);
    LL_ATON_RT_RuntimeDeInit();
}

}  // namespace

void chip::describe_platform() {}

void chip::run_install() {
    for (std::uint32_t i = 0; i < kBytes; ++i) input[i] = static_cast<std::uint8_t>(i * 7 + 1);
    platform.profile = N6VP_RELOC_PROFILE_INIT;
    platform.profile.secure = 1;
    platform.maintain = maintain_cache;
    interface.ec_network_init = ready;
    interface.ec_inference_init = ready;
    interface.epoch_block_items = items;
    handle_npu_interrupts_by(LL_ATON_RT_IrqHandler);
    run_generation(21, 0, 31);
    run_generation(22, 1, 14);
    run_generation(30, 3, 8);
    run_generation(40, 3, 262);
    Text line;
    line.put("total ").decimal(passed).put(" passed, ").decimal(failures).put(" failed\n");
    say(line.text());
    result().code = static_cast<std::int32_t>(failures);
}

const n6vp_reloc_platform_t* n6vp_reloc_platform() {
    return &platform;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Installs network_rel.bin in place and copied, gives it input_0.bin, input_1.bin, ..., and writes
 * all outputs to xip.bin and copy.bin. */
#include "ai_reloc_network.h"
#include "core_board.h"

/* Of the linker script: room for the file, and for the image with its activations. */
extern uint8_t file_start[], file_end[], room_start[], room_end[];

static void fail(const char* what, ai_error error) {
    board_print(what);
    board_leave(" failed\n", 16 + error.type);
}

static void run_in(uint32_t mode, const char* name) {
    ai_rel_network_info info;
    for (uint8_t* at = (uint8_t*)&info; at < (uint8_t*)(&info + 1); ++at) *at = 0xA5;
    ai_handle network = 0;
    ai_error error = ai_rel_network_rt_get_info(file_start, &info);
    if (error.type != AI_ERROR_NONE) fail("info", error);
    // Every word of it is written.
    for (const uint32_t* at = (const uint32_t*)&info; at < (const uint32_t*)(&info + 1); ++at) {
        if (*at == 0xA5A5A5A5) board_leave("a word of the info is missing\n", 6);
    }
    const uint32_t image = mode == AI_RELOC_RT_LOAD_MODE_XIP ? info.rt_ram_xip : info.rt_ram_copy;
    uint8_t* const activations = room_start + ((image + 31) & ~31u);
    if (activations + info.acts_sz > room_end) board_leave("no room\n", 3);
    for (uint8_t* at = room_start; at < room_end; ++at) *at = 0xA5;
    error = ai_rel_network_load_and_create(file_start, room_start, image, mode, &network);
    if (error.type != AI_ERROR_NONE) fail("create", error);
    const ai_handle weights[1] = {info.weights}, buffers[1] = {activations};
    if (!ai_rel_network_init(network, weights, buffers))
        fail("init", ai_rel_network_get_error(network));
    ai_network_report report;
    if (!ai_rel_network_get_report(network, &report)) board_leave("no report\n", 4);
    for (uint32_t i = 0; i < report.n_inputs; ++i) {
        char input[] = "input_0.bin";
        input[6] = (char)('0' + i);
        if (board_read(input, report.inputs[i].data, report.inputs[i].size) < 0)
            board_leave(input, 1);
    }
    if (ai_rel_network_run(network, report.inputs, report.outputs) != 1)
        fail("run", ai_rel_network_get_error(network));
    // Nothing behind the activations is written.
    for (uint8_t* at = activations + info.acts_sz; at < room_end; ++at) {
        if (*at != 0xA5) board_leave("memory behind the activations changed\n", 5);
    }
    const int file = board_create(name);
    for (uint32_t i = 0; i < report.n_outputs; ++i)
        board_write(file, report.outputs[i].data, report.outputs[i].size);
    board_close(file);
}

void program(void) {
    if (board_read("network_rel.bin", file_start, (uint32_t)(file_end - file_start)) < 0)
        board_leave("no network_rel.bin\n", 1);
    run_in(AI_RELOC_RT_LOAD_MODE_XIP, "xip.bin");
    run_in(AI_RELOC_RT_LOAD_MODE_COPY, "copy.bin");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Two input buffers: while the network works on one, an interrupt fills the other. */
#include "board.h"
#include "conv.h"
#include "conv_data.h"
#include "findings.h"
#include "inputs.h"

enum { kFrames = 4 };

AI_ALIGNED(32) static ai_u8 activations[AI_CONV_DATA_ACTIVATIONS_SIZE];
AI_ALIGNED(4) static ai_i8 in[2][AI_CONV_IN_1_SIZE_BYTES];
AI_ALIGNED(4) static ai_i8 out[AI_CONV_OUT_1_SIZE_BYTES];
static volatile unsigned captured; /* frames */

/* The next frame arrives. */
static void on_frame(void) {
    ai_i8* const to = in[captured % 2];
    for (unsigned i = 0; i < AI_CONV_IN_1_SIZE; ++i) to[i] = sample_byte(i, captured);
    ++captured;
}

/* In the middle of a run. */
static ai_u32 on_node(const ai_handle cookie, const ai_u32 flags, const ai_observer_node* node) {
    (void)cookie;
    (void)flags;
    if (node->c_idx == 0) board_interrupt(on_frame);
    return 0;
}

int main(void) {
    ai_handle network = AI_HANDLE_NULL;
    const ai_handle addresses[] = {activations};
    board_crc_clock(true);
    const ai_error error = ai_conv_create_and_init(&network, addresses, NULL);
    if (error.type != AI_ERROR_NONE) {
        print_error("create_and_init", error);
        return 1;
    }
    if (!ai_platform_observer_register(network, on_node, AI_HANDLE_NULL, AI_OBSERVER_PRE_EVT))
        return 2;
    ai_buffer* const input = ai_conv_inputs_get(network, NULL);
    ai_buffer* const output = ai_conv_outputs_get(network, NULL);
    output[0].data = AI_HANDLE_PTR(out);
    board_interrupt(on_frame);
    for (unsigned frame = 0; frame < kFrames; ++frame) {
        input[0].data = AI_HANDLE_PTR(in[frame % 2]);
        if (ai_conv_run(network, input, output) != 1) return 3;
        board_print_words("frame", out, 1);
    }
    board_print_number("captured", (int)captured);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Calls into the model: r9, arguments, results, tensor lists, the 1.1.3 vector. */
#include <string.h>

#include "cases.h"

static void init_cases(uint32_t mode, const char* const names[5]) {
    install_fresh(mode);
    const uint32_t inst = instance.exec_state.inst_reloc;
    const uint32_t base = ram_base(mode);
    CASE(names[0], ai_rel_network_ec_network_init(inst) && word_at(base + AT_INIT_CALLS) == 1);
    CASE(names[1], word_at(base + AT_INIT_BASE) == base);
    CASE(names[2], !ai_rel_network_ec_inference_init(inst));
    CASE(names[3], n6vp_r9_after(ai_rel_network_ec_network_init, inst) == 0x12345678u);
    CASE(names[4], word_at(base + AT_INIT_CALLS) == 2);
}

static void input_cases(uint32_t mode) {
    install_fresh(mode);
    const uint32_t base = ram_base(mode);
    const LL_Buffer_InfoTypeDef* input = ll_aton_reloc_get_input_buffers_info(&instance, 0);
    CASE("inputs: the first",
         (uintptr_t)input == base + AT_INPUTS && strcmp(input->name, "input_0") == 0);
    CASE("inputs: fields", input != NULL && input->offset_end == 16 &&
                               input->is_user_allocated == 1 && input->nbits == 8 &&
                               input->chpos == CHPos_First && input->Qm == 7);
    CASE("inputs: a negative number gives the first",
         ll_aton_reloc_get_input_buffers_info(&instance, -5) == input);
    const LL_Buffer_InfoTypeDef* end = ll_aton_reloc_get_input_buffers_info(&instance, 1);
    const LL_Buffer_InfoTypeDef* beyond = ll_aton_reloc_get_input_buffers_info(&instance, 2);
#if COMPAT
    CASE("inputs: the terminator is returned",
         (uintptr_t)end == base + AT_INPUTS + 56 && end->name == NULL);
    CASE("inputs: behind it follows an internal buffer", (uintptr_t)beyond == base + AT_INTERNALS);
#else
    CASE("inputs: the list ends", end == NULL);
    CASE("inputs: nothing behind the end", beyond == NULL);
#endif
    CASE("inputs: no instance", ll_aton_reloc_get_input_buffers_info(NULL, 0) == NULL);
    CASE("inputs: by handle",
         ai_rel_network_get_input_buffers_info(instance.exec_state.inst_reloc) == input);
}

static void output_cases(uint32_t mode) {
    install_fresh(mode);
    const uint32_t base = ram_base(mode);
    const LL_Buffer_InfoTypeDef* output = ll_aton_reloc_get_output_buffers_info(&instance, 0);
    CASE("outputs: the first",
         (uintptr_t)output == base + AT_OUTPUTS && strcmp(output->name, "output_0") == 0);
    CASE("outputs: stops at a parameter",
         ll_aton_reloc_get_output_buffers_info(&instance, 1) == NULL);
    CASE("outputs: by handle",
         ai_rel_network_get_output_buffers_info(instance.exec_state.inst_reloc) == output);
    CASE("outputs: no instance", ll_aton_reloc_get_output_buffers_info(NULL, 0) == NULL);
}

static void vector_cases(uint32_t mode) {
    install_fresh(mode);
    const uint32_t inst = instance.exec_state.inst_reloc;
    const uint32_t base = ram_base(mode);
    const uint32_t internal =
        (uint32_t)(uintptr_t)ll_aton_reloc_get_internal_buffers_info(&instance);
    const uint32_t weights = (uint32_t)(uintptr_t)ai_rel_network_weight_encryption_info(inst);
    const uint32_t blobs = (uint32_t)(uintptr_t)ai_rel_network_blob_encryption_info(inst);
#if N6VP_LL_ATON_GENERATION < 30
    CASE("internal buffers", internal == base + AT_INTERNALS);
    CASE("no encryption entries before 1.1.3", weights == 0 && blobs == 0);
#elif COMPAT
    CASE("internal buffers call the blob encryption entry", internal == base + AT_BLOB_ENCRYPTION);
    CASE("weight encryption calls the internal buffers entry with r9 = 0", weights == AT_INTERNALS);
    CASE("blob encryption calls the weight encryption entry with r9 = 0",
         blobs == AT_WEIGHT_ENCRYPTION);
#else
    CASE("internal buffers", internal == base + AT_INTERNALS);
    CASE("weight encryption",
         weights == base + AT_WEIGHT_ENCRYPTION &&
             ai_rel_network_weight_encryption_info(inst)->encryption_id == 0x11);
    CASE("blob encryption", blobs == base + AT_BLOB_ENCRYPTION &&
                                ai_rel_network_blob_encryption_info(inst)->encryption_id == 0x22);
#endif
    CASE("internal buffers by handle",
         (uintptr_t)ai_rel_network_get_internal_buffers_info(inst) == internal);
}

static void epoch_cases(uint32_t mode) {
    install_fresh(mode);
    const uint32_t inst = instance.exec_state.inst_reloc;
    const uint32_t base = ram_base(mode);
    const EpochBlock_ItemTypeDef* items = ll_aton_reloc_get_epoch_items(&instance);
    CASE("epoch items",
         (uintptr_t)items == base + AT_ITEMS && items->flags == 0x23 && items[1].flags == 0x08);
    CASE("epoch items: by handle", ai_rel_network_get_epoch_items(inst) == items);
    CASE("epoch items: no instance", ll_aton_reloc_get_epoch_items(NULL) == NULL);
#if N6VP_LL_ATON_GENERATION >= 40
    ai_rel_call_start_end_function(inst, (uintptr_t)items->start_epoch_block, items, &instance);
    CASE("epoch function: the instance in r1",
         word_at(base + AT_EPOCH_INSTANCE) == (uintptr_t)&instance);
#else
    ai_rel_call_start_end_function(inst, (uintptr_t)items->start_epoch_block, items);
#endif
    CASE("epoch function: the item in r0", word_at(base + AT_EPOCH_ITEM) == (uintptr_t)items);
    CASE("epoch function: r9", word_at(base + AT_EPOCH_BASE) == base);
}

static void user_buffer_cases(uint32_t mode) {
    uint8_t* const buffer = (uint8_t*)BUFFER_AT;
    install_fresh(mode);
    const uint32_t inst = instance.exec_state.inst_reloc;
    CASE("get_input: nothing set", ll_aton_reloc_get_input(&instance, 0) == NULL);
    CASE("set_input: accepted",
         ll_aton_reloc_set_input(&instance, 0, buffer, 16) == LL_ATON_User_IO_NOERROR);
    CASE("get_input: what was set", ll_aton_reloc_get_input(&instance, 0) == buffer);
    CASE("get_input: by handle", ai_rel_network_get_input(inst, 0) == buffer);
    CASE("set_input: misaligned",
         ll_aton_reloc_set_input(&instance, 0, buffer + 8, 16) == LL_ATON_User_IO_WRONG_ALIGN);
    CASE("set_input: too small",
         ll_aton_reloc_set_input(&instance, 0, buffer + 32, 15) == LL_ATON_User_IO_WRONG_SIZE);
    CASE("set_input: an error keeps the former pointer",
         ll_aton_reloc_get_input(&instance, 0) == buffer);
    CASE("set_input: unknown index",
         ll_aton_reloc_set_input(&instance, 1, buffer, 16) == LL_ATON_User_IO_WRONG_INDEX);
    CASE("get_input: unknown index", ll_aton_reloc_get_input(&instance, 1) == NULL);
    CASE("set_input: by handle",
         ai_rel_network_set_input(inst, 0, buffer + 64, 16) == LL_ATON_User_IO_NOERROR &&
             ll_aton_reloc_get_input(&instance, 0) == buffer + 64);
    CASE("set_output: not user-allocated",
         ll_aton_reloc_set_output(&instance, 0, buffer, 16) == LL_ATON_User_IO_WRONG_INDEX);
    CASE("set_output: by handle",
         ai_rel_network_set_output(inst, 0, buffer, 16) == LL_ATON_User_IO_WRONG_INDEX);
    CASE("get_output: not user-allocated", ll_aton_reloc_get_output(&instance, 0) == NULL);
    CASE("get_output: by handle", ai_rel_network_get_output(inst, 0) == NULL);
    CASE("set_input: no instance",
         ll_aton_reloc_set_input(NULL, 0, buffer, 16) == LL_ATON_User_IO_WRONG_INDEX);
    CASE("get_input: no instance", ll_aton_reloc_get_input(NULL, 0) == NULL);
}

void model_cases(void) {
    static const char* const xip[5] = {"XIP: ec_network_init is true", "XIP: r9 is the RAM base",
                                       "XIP: ec_inference_init is false",
                                       "XIP: the caller's r9 survives",
                                       "XIP: each call arrives once"};
    static const char* const copy[5] = {"COPY: ec_network_init is true", "COPY: r9 is the RAM base",
                                        "COPY: ec_inference_init is false",
                                        "COPY: the caller's r9 survives",
                                        "COPY: each call arrives once"};
    init_cases(AI_RELOC_RT_LOAD_MODE_XIP, xip);
    init_cases(AI_RELOC_RT_LOAD_MODE_COPY, copy);
    input_cases(AI_RELOC_RT_LOAD_MODE_XIP);
    output_cases(AI_RELOC_RT_LOAD_MODE_COPY);
    vector_cases(AI_RELOC_RT_LOAD_MODE_XIP);
    epoch_cases(AI_RELOC_RT_LOAD_MODE_COPY);
    user_buffer_cases(AI_RELOC_RT_LOAD_MODE_XIP);
}

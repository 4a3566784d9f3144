/* SPDX-License-Identifier: Apache-2.0 */
#ifndef N6VP_AI_RELOC_NETWORK_H
#define N6VP_AI_RELOC_NETWORK_H

#include "ai_platform.h"

/* The documented functions for relocatable models of the Cortex-M4, M7 and M33. */

#define AI_RELOC_RT_LOAD_MODE_XIP (1u << 0)  /* code runs where the file is */
#define AI_RELOC_RT_LOAD_MODE_COPY (1u << 1) /* code runs in RAM */

/* Of the flags word, `variant` of ai_rel_network_info. */
#define AI_RELOC_RT_GET_CPUID(flags) ((ai_u32)(flags)&0xFFFu) /* part number in CPUID */
#define AI_RELOC_RT_FPU_USED(flags) ((ai_u32)(flags) >> 12 & 1u)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char* c_name;
    ai_u32 variant;    /* flags word of the file */
    ai_u32 code_sz;    /* of the RO part, in bytes */
    ai_handle weights; /* inside the file, or NULL */
    ai_u32 weights_sz;
    ai_u32 acts_sz;
    ai_u32 rt_ram_xip;
    ai_u32 rt_ram_copy;
} ai_rel_network_info;

typedef ai_u32 (*ai_rel_acquire_crc)(void);
typedef void (*ai_rel_release_crc)(ai_u32 id);

ai_error ai_rel_network_rt_get_info(const void* obj, ai_rel_network_info* rt);
ai_error ai_rel_network_load_and_create(const void* obj, ai_handle ram_addr, ai_size ram_size,
                                        ai_u32 mode, ai_handle* hdl);
ai_error ai_rel_network_load_and_create_ext(const void* obj, ai_handle ram_addr, ai_size ram_size,
                                            ai_u32 mode, ai_rel_acquire_crc acquire_crc_cb,
                                            ai_rel_release_crc release_crc_cb, ai_handle* hdl);
ai_bool ai_rel_register_crc_callbacks(ai_handle hdl, ai_rel_acquire_crc acquire_crc_cb,
                                      ai_rel_release_crc release_crc_cb);
ai_bool ai_rel_network_init(ai_handle hdl, const ai_handle* weights, const ai_handle* act);
/* The report has this header's layout also for models of tools 7.2, which write a shorter one. */
ai_bool ai_rel_network_get_report(ai_handle hdl, ai_network_report* report);
ai_error ai_rel_network_get_error(ai_handle hdl);
ai_i32 ai_rel_network_run(ai_handle hdl, const ai_buffer* input, ai_buffer* output);
ai_handle ai_rel_network_destroy(ai_handle hdl);

ai_bool ai_rel_platform_observer_register(ai_handle hdl, ai_observer_node_cb cb, ai_handle cookie,
                                          ai_u32 flags);
ai_bool ai_rel_platform_observer_unregister(ai_handle hdl, ai_observer_node_cb cb,
                                            ai_handle cookie);
ai_bool ai_rel_platform_observer_node_info(ai_handle hdl, ai_observer_node* node);

/* What the loader needs from a board. Define `n6vp_rel_platform` in the application to replace the
 * library's weak default, which has no heap, no cache maintenance and reports no refusals. */
typedef struct {
    void* (*allocate)(ai_size bytes);                     /* AI_RELOC_MALLOC; NULL: no heap */
    void (*release)(void* block);                         /* AI_RELOC_FREE */
    void (*clean_data_cache)(void* start, ai_size bytes); /* size 0: all of it; may be NULL */
    void (*invalidate_instruction_cache)(void);           /* may be NULL */
    /* Receives the cause of a refusal: number of the rule, offset in the file, address, numbers
     * expected and found; 0xFFFFFFFF where none applies. May be NULL. */
    void (*refused)(ai_u32 rule, ai_u32 offset, ai_u32 address, ai_u32 expected, ai_u32 found);
    /* Handles of the networks that are running: an array of the application's, zeros at first, for
     * as many as can interrupt each other. With it, a network is not run while it, or one that
     * shares activations with it, is running; get_error is then INVALID_STATE, IN_USE. May be NULL.
     */
    ai_handle* running;
    ai_u32 running_places;
} n6vp_rel_platform_t;

const n6vp_rel_platform_t* n6vp_rel_platform(void);

/* Returns the name of a rule that `refused` was given, "?" for no such. */
const char* n6vp_rel_rule_name(ai_u32 rule);

#ifdef __cplusplus
}
#endif

#endif

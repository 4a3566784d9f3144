// SPDX-License-Identifier: Apache-2.0
#ifndef N6VP_EC_PROGRAM_H
#define N6VP_EC_PROGRAM_H

#include "reloc_model.h"

/// An epoch-controller container written out word by word as a structure, so that the compiler
/// counts the indices of the words to relocate. The program is one epoch: stream engine 0 reads
/// kStreamBytes bytes of the user's input, stream engine 1 writes them to a memory pool.

enum { kStreamBytes = 192, kClkctrl = 0, kStrswitch = 4, kStreng0 = 5, kStreng1 = 6 };

// Instruction encodings. `reg` is a byte offset inside the unit's page.
#define EC_LABEL(n) ((uint32_t)(n) << 5 | 0x1D)
#define EC_IRQ 0x0C
#define EC_WRITE(ip, reg) ((uint32_t)(ip) << 26 | (uint32_t)(reg) / 4 << 16 | 31 << 10)
#define EC_FIELD(ip, reg, bit, value) \
    ((uint32_t)(ip) << 26 | (uint32_t)(reg) / 4 << 21 | (value) << 13 | (bit) << 5 | 1)
#define EC_BURST_SAME(ip, reg, count) \
    ((uint32_t)(ip) << 26 | (uint32_t)(reg) / 4 << 16 | (count) << 5 | 2)
#define EC_BURST(ip, reg, count) \
    ((uint32_t)(ip) << 26 | (uint32_t)(reg) / 4 << 16 | (count) << 5 | 3)
#define EC_WAIT_ZERO(ip, reg, bit) \
    { (uint32_t)(ip) << 26 | (uint32_t)(reg) / 4 << 16 | (bit) << 10 | (bit) << 5 | 4, 100, 0 }

struct ec_write {
    uint32_t instruction, value;
};
struct ec_wait {
    uint32_t instruction, interval, expected;
};

/// Clock on, then the engine's registers; the enable bit follows later.
struct ec_engine {
    uint32_t clock_on;
    uint32_t address_burst, address, elements;
    uint32_t limit_enable, limit_enable_first, limit_enable_last;
    uint32_t limit_burst, frames, limit_address;
    struct ec_write control;
};
struct ec_clear {
    struct ec_write clear;
    struct ec_wait cleared;
    struct ec_write clear_configuration;
    struct ec_wait configuration_cleared;
};
struct ec_program {
    uint32_t label;
    struct ec_engine input, output;
    struct ec_clear switch_clear;
    struct ec_write switch_on, link;
    uint32_t output_enable, input_enable;
    struct ec_wait output_stopped;
    struct ec_write unlink;
    struct ec_clear input_clear;
    uint32_t input_clock_off;
    struct ec_clear output_clear;
    uint32_t output_clock_off;
    uint32_t interrupt;
};
#define EC_PROGRAM_WORDS (sizeof(struct ec_program) / 4)
#define EC_INDEX(member) (offsetof(struct ec_program, member) / 4)

struct ec_blob {
    uint32_t magic, words;
    struct ec_program program;
    uint32_t pad[EC_PROGRAM_WORDS & 1];  // blobs are multiples of 8 bytes
};

/// Relocation table with two symbols, each relocating ADDR and LIMITADDR of one engine.
struct ec_symbol {
    uint32_t name, count, indices;
};
struct ec_reloc_table {
    uint32_t count;
    struct ec_symbol symbols[2];
    uint32_t indices[2][2];
    char pool_name[8];
    char input_name[20];  // 17 used, then padding to 8
};
_Static_assert(sizeof(struct ec_reloc_table) % 8 == 0, "the blob behind the table is 8-aligned");

#if N6VP_GENERATION == 21
#define EC_MAGIC 0xECBF0020u
struct ec_container_header {
    uint32_t magic, reloc, debug, blob;
};
#else
#define EC_MAGIC (N6VP_GENERATION == 22 ? 0xECBF0030u : 0xECBF0050u)
struct ec_container_header {
    uint32_t magic, reloc, patch, debug, blob, zero;
};
#endif

struct ec_container {
    struct ec_container_header header;
    struct ec_reloc_table table;
    struct ec_blob blob;
};

#if N6VP_GENERATION == 21
#define EC_HEADER                                                                            \
    {                                                                                        \
        EC_MAGIC, offsetof(struct ec_container, table), offsetof(struct ec_container, blob), \
            offsetof(struct ec_container, blob)                                              \
    }
#else
#define EC_HEADER \
    { EC_MAGIC, offsetof(struct ec_container, table), 0, 0, offsetof(struct ec_container, blob), 0 }
#endif

#define EC_CLEAR(ip)                                                                 \
    {                                                                                \
        {EC_WRITE(ip, 0), 2}, EC_WAIT_ZERO(ip, 0, 1), {EC_WRITE(ip, 0), 0x40000000}, \
            EC_WAIT_ZERO(ip, 0, 30)                                                  \
    }
/// Addresses are offsets from the symbol's base until they are relocated. RAW mode, one frame of
/// bytes; `direction` is bit 3 of CTRL: 0 from memory, 1 to memory.
#define EC_ENGINE(ip, direction)                                                             \
    {                                                                                        \
        EC_FIELD(kClkctrl, 0x10, (ip)-kStreng0, 1u), EC_BURST(ip, 0x08, 2), 0, kStreamBytes, \
            EC_BURST_SAME(ip, 0x30, 2), 6, 7, EC_BURST(ip, 0x34, 2), 1, kStreamBytes - 1, {  \
            EC_WRITE(ip, 0), 8u << 16 | 1u << 8 | 1u << 2 | (direction) << 3                 \
        }                                                                                    \
    }

#define EC_CONTAINER(pool)                                                            \
    {                                                                                 \
        EC_HEADER,                                                                    \
            {2,                                                                       \
             {{offsetof(struct ec_reloc_table, pool_name), 2,                         \
               offsetof(struct ec_reloc_table, indices[0])},                          \
              {offsetof(struct ec_reloc_table, input_name), 2,                        \
               offsetof(struct ec_reloc_table, indices[1])}},                         \
             {{EC_INDEX(output.address), EC_INDEX(output.limit_address)},             \
              {EC_INDEX(input.address), EC_INDEX(input.limit_address)}},              \
             pool,                                                                    \
             "_user_io_input_0"},                                                     \
        {                                                                             \
            0xCA057A7A, EC_PROGRAM_WORDS,                                             \
                {EC_LABEL(1),                                                         \
                 EC_ENGINE(kStreng0, 0u),                                             \
                 EC_ENGINE(kStreng1, 1u),                                             \
                 EC_CLEAR(kStrswitch),                                                \
                 {EC_WRITE(kStrswitch, 0), 1},                                        \
                 {EC_WRITE(kStrswitch, 0x0C), 1}, /* DST[1]: STRENG1 takes STRENG0 */ \
                 EC_FIELD(kStreng1, 0, 0, 1u),                                        \
                 EC_FIELD(kStreng0, 0, 0, 1u),                                        \
                 EC_WAIT_ZERO(kStreng1, 0, 31),                                       \
                 {EC_WRITE(kStrswitch, 0x0C), 0},                                     \
                 EC_CLEAR(kStreng0),                                                  \
                 EC_FIELD(kClkctrl, 0x10, 0, 0u),                                     \
                 EC_CLEAR(kStreng1),                                                  \
                 EC_FIELD(kClkctrl, 0x10, 1, 0u),                                     \
                 EC_IRQ},                                                             \
            {                                                                         \
                0                                                                     \
            }                                                                         \
        }                                                                             \
    }

// ec_support.cpp: the project's own container code, callable from C. All return false for a
// container or table that is not right.
bool ec_load(const void* container, uint32_t bytes, void* blob, uint32_t blob_words);
bool ec_relocate(const void* container, uint32_t bytes, void* blob, const char* symbol,
                 const void* base, uint32_t* previous);

#endif  // N6VP_EC_PROGRAM_H

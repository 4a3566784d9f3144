// SPDX-License-Identifier: Apache-2.0
#ifndef N6VP_USER_INPUT_H
#define N6VP_USER_INPUT_H

#include "reloc_model.h"

/// One buffer that the user allocates. The variable lives in .bss, so an install forgets it.
struct user_buffer {
    void* address;
};

/// Checks and stores a user's buffer in the documented order: index, alignment to 32, size. On
/// error the former buffer stays. NULL is aligned and passes.
static inline enum user_io_result user_buffer_set(struct user_buffer* buffers, uint32_t count,
                                                  uint32_t needed, uint32_t index, void* address,
                                                  uint32_t bytes) {
    if (index >= count) return kUserIoWrongIndex;
    if ((uintptr_t)address % 32 != 0) return kUserIoWrongAlign;
    if (bytes < needed) return kUserIoWrongSize;
    buffers[index].address = address;
    return kUserIoOk;
}

#endif  // N6VP_USER_INPUT_H

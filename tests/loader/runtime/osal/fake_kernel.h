/* SPDX-License-Identifier: Apache-2.0 */
/* What the systems below the runtime have in common, without threads: whoever would have to wait is
 * noted. Each system's folder gives it that system's names, after its public documentation. */
#ifndef N6VP_TESTS_FAKE_KERNEL_H
#define N6VP_TESTS_FAKE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTNEXTLINE(modernize-use-using): C sources include this, too */
typedef struct {
    bool alive;
    bool mutex; /* only who took it gives it, never an interrupt */
    unsigned count, most;
} fake_object;

void fake_create(fake_object* object, bool mutex, unsigned count, unsigned most);
void fake_delete(fake_object* object);
void fake_take(fake_object* object);
/* Beyond the most it stays as it is. */
void fake_give(fake_object* object, bool from_interrupt);
void fake_connect(unsigned line, unsigned priority, void (*serve)(const void*),
                  const void* context);
void fake_yield(bool wanted);

#ifdef __cplusplus
}
#endif

#endif

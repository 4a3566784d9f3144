// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "loader/runtime/capi/ll_aton_osal.h"
#include "tests/loader/runtime/osal/fake_kernel.h"

/// The services of an operating system, by one of the ports; this file is compiled for each.

namespace {

struct Kernel {
    std::vector<std::string> faults;
    unsigned alive = 0, blocked = 0, yields = 0;
    unsigned line = 0, priority = 0;
    void (*serve)(const void*) = nullptr;
    const void* context = nullptr;
};
Kernel kernel;

void require_alive(const fake_object* object, const char* what) {
    if (!object->alive) kernel.faults.emplace_back(what);
}

unsigned served = 0;

/// The system's life in one case.
struct System {
    System() {
        kernel = {};
        n6vp_osal_init();
    }
    ~System() { n6vp_osal_deinit(); }
    System(const System&) = delete;
    System& operator=(const System&) = delete;
};

}  // namespace

void fake_create(fake_object* object, bool mutex, unsigned count, unsigned most) {
    if (object->alive && N6VP_TEST_DELETES) kernel.faults.emplace_back("created twice");
    *object = {true, mutex, count, most};
    ++kernel.alive;
}

void fake_delete(fake_object* object) {
    require_alive(object, "deleted without being created");
    object->alive = false;
    --kernel.alive;
}

void fake_take(fake_object* object) {
    require_alive(object, "taken without being created");
    if (object->count == 0) {
        ++kernel.blocked;
    } else {
        --object->count;
    }
}

void fake_give(fake_object* object, bool from_interrupt) {
    require_alive(object, "given without being created");
    if (object->mutex && from_interrupt) kernel.faults.emplace_back("an interrupt gives a mutex");
    if (object->mutex && object->count == object->most)
        kernel.faults.emplace_back("a mutex that nobody took is given");
    if (object->count < object->most) ++object->count;
}

void fake_connect(unsigned line, unsigned priority, void (*serve)(const void*),
                  const void* context) {
    kernel.line = line;
    kernel.priority = priority;
    kernel.serve = serve;
    kernel.context = context;
}

void fake_yield(bool wanted) {
    if (wanted) ++kernel.yields;
}

void n6vp_set_irq_priority(uint32_t number, uint32_t priority) {
    kernel.line = number;
    kernel.priority = priority;
}

TEST_CASE("osal: events before a wait count as one") {
    const System system;
    n6vp_osal_signal();
    n6vp_osal_signal();
    n6vp_osal_wait();
    CHECK(kernel.blocked == 0);
    n6vp_osal_wait();
    CHECK(kernel.blocked == 1);
    CHECK(kernel.yields == (N6VP_TEST_YIELDS ? 2 : 0));
    CHECK(kernel.faults.empty());
}

TEST_CASE("osal: one thread has the NPU, and may maintain caches meanwhile") {
    const System system;
    n6vp_osal_lock_npu();
    n6vp_osal_lock_caches();
    n6vp_osal_unlock_caches();
    CHECK(kernel.blocked == 0);
    n6vp_osal_lock_npu();
    CHECK(kernel.blocked == 1);
    n6vp_osal_unlock_npu();
    n6vp_osal_lock_npu();
    CHECK(kernel.blocked == 1);
    CHECK(kernel.faults.empty());
}

TEST_CASE("osal: caches are maintained before the initialisation and after the end") {
    kernel = {};
    n6vp_osal_lock_caches();
    n6vp_osal_unlock_caches();
    n6vp_osal_init();
    CHECK(kernel.alive == 3);
    n6vp_osal_deinit();
    n6vp_osal_lock_caches();
    n6vp_osal_unlock_caches();
    CHECK(kernel.faults.empty());
    CHECK(kernel.alive == (N6VP_TEST_DELETES ? 0 : 3));
}

TEST_CASE("osal: the handler of the NPU's line") {
    const System system;
    n6vp_osal_install_irq(36, [] { ++served; });
    CHECK(kernel.line == (N6VP_TEST_SETS_LINE ? 36 : 0));
    CHECK(kernel.priority == N6VP_TEST_PRIORITY);
    if (kernel.serve != nullptr) {
        kernel.serve(kernel.context);
        CHECK(served == 1);
        n6vp_osal_remove_irq(36);
        kernel.serve(kernel.context);
        CHECK(served == 1);
    }
}

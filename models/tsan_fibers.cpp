// SPDX-License-Identifier: Apache-2.0
#include <sanitizer/tsan_interface.h>

#include <cstddef>
#include <map>

/// SystemC 2.3.4 announces each change from one coroutine's stack to another's to
/// AddressSanitizer, by the lowest address of the next stack (null: the main program's).
/// ThreadSanitizer follows such changes only if each coroutine is a fiber of its own. In builds
/// with it, this stands where AddressSanitizer's runtime would be.
///
/// Limit: a fiber lives until the process ends, as SystemC does not announce the end of a stack. A
/// later coroutine on the same stack continues its fiber.
extern "C" void __sanitizer_start_switch_fiber(void** /*fake_stack*/, const void* bottom,
                                               std::size_t /*bytes*/) {
    static std::map<const void*, void*> fibers = {{nullptr, __tsan_get_current_fiber()}};
    void*& fiber = fibers[bottom];
    if (fiber == nullptr) fiber = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(fiber, 0);
}

extern "C" void __sanitizer_finish_switch_fiber(void* /*fake_stack*/, const void** bottom,
                                                std::size_t* bytes) {
    if (bottom != nullptr) *bottom = nullptr;
    if (bytes != nullptr) *bytes = 0;
}

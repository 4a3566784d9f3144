// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <pthread.h>

#include <cstddef>

namespace {

struct Stack {
    void* bottom = nullptr;
    std::size_t bytes = 0;
};

/// Of the thread that calls. Reads the memory map of the process: far too slow for each change.
Stack own_stack() {
    Stack stack;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &stack.bottom, &stack.bytes);
        pthread_attr_destroy(&attributes);
    }
    return stack;
}

}  // namespace

/// SystemC 2.3.4 tells AddressSanitizer when it changes from one coroutine's stack to another's,
/// but does not know where the main program's lies and says 0 bytes at 0. Every exception that is
/// thrown after the simulation has run would then be reported as a stack overflow. In builds with
/// the sanitizer this stands between the two and puts in the main thread's stack.
extern "C" void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom,
                                               std::size_t bytes) {
    using Function = void (*)(void**, const void*, std::size_t);
    static const auto real =
        reinterpret_cast<Function>(dlsym(RTLD_NEXT, "__sanitizer_start_switch_fiber"));
    if (bottom == nullptr) {
        static thread_local const Stack main_stack = own_stack();
        bottom = main_stack.bottom;
        bytes = main_stack.bytes;
    }
    real(fake_stack, bottom, bytes);
}

// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "loader/direct_port.h"
#include "loader/firmware/base/state.h"
#include "loader/firmware/chip/cycles.h"
#include "loader/firmware/chip/jobs.h"
#include "loader/firmware/core.h"
#include "loader/firmware/ports/stm32n6/caches.h"
#include "loader/firmware/text.h"

/// Times how fast the core moves memory: what an install mostly does.
namespace n6vp::firmware::chip {

namespace {

using Routine = void (*)(const Copy& copy);

void* pointer(std::uint32_t address) {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}

void copy_newlib(const Copy& copy) {
    std::memcpy(pointer(copy.to), pointer(copy.from), copy.bytes);
}

void copy_loader(const Copy& copy) {
    const loader::DirectMemory memory;
    const loader::MemoryPort port = loader::direct_port(memory);
    static_cast<void>(
        port.copy(port.context, GuestAddr{copy.to}, GuestAddr{copy.from}, copy.bytes));
}

/// As the code of a relocatable module: a loop of words, which must not become a call of memcpy.
void copy_words(const Copy& copy) {
    auto* to = static_cast<std::uint32_t*>(pointer(copy.to));
    const auto* from = static_cast<const std::uint32_t*>(pointer(copy.from));
    for (std::uint32_t left = copy.bytes / 4; left != 0; --left) {
        *to++ = *from++;
        keep_loop();
    }
}

std::uint32_t time(const Copy& copy, Routine routine) {
    caches::maintain(loader::CacheOp::McuCleanInvalidate, GuestAddr{copy.to}, copy.bytes);
    caches::maintain(loader::CacheOp::McuCleanInvalidate, GuestAddr{copy.from}, copy.bytes);
    const std::uint32_t start = cycles();
    routine(copy);
    barrier();
    return cycles() - start;
}

void report_copy(const Copy& copy, const CopyCycles& found) {
    Text line;
    line.put("copy to=").hex(copy.to).put(" from=").hex(copy.from);
    line.put(" bytes=").decimal(copy.bytes).put(" memcpy=").decimal(found.memcpy);
    line.put(" loader=").decimal(found.loader).put(" words=").decimal(found.word_loop).put("\n");
    say(line.text());
}

}  // namespace

void run_copies() {
    const bool usual = job().copy_count == 0;
    const Copy* const copies = usual ? kUsualCopies : job().copies;
    const std::uint32_t wanted_count =
        usual ? sizeof kUsualCopies / sizeof kUsualCopies[0] : job().copy_count;
    const std::uint32_t count = wanted_count < kMaxCopies ? wanted_count : kMaxCopies;
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint32_t all = 0;
        CopyCycles& found = result().copies[i];
        {
            const Phase phase(kPhaseCopy, "copy", all);
            found.memcpy = time(copies[i], copy_newlib);
            found.loader = time(copies[i], copy_loader);
            found.word_loop = time(copies[i], copy_words);
        }
        report_copy(copies[i], found);
    }
    result().copy_count = count;
}

}  // namespace n6vp::firmware::chip

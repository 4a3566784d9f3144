// SPDX-License-Identifier: Apache-2.0
// Installs the model at 0x71000000 as the vendor's validation firmware does, with its log on the
// UART or without, or copies memory.
#include <cstdint>
#include <cstring>

#include "ll_aton_reloc_network.h"
#include "loader/direct_port.h"
#include "loader/firmware/core.h"
#include "loader/firmware/ports/stm32n6/caches.h"
#include "loader/firmware/ports/stm32n6/console.h"
#include "loader/firmware/ports/stm32n6_sim/mailbox.h"
#include "n6vp_reloc_platform.h"
#include "target/calls.h"

namespace {

namespace fw = n6vp::firmware;
using n6vp::GuestAddr;

constexpr std::uint32_t kFile = 0x71000000, kBlobInFlash = 0x72000000, kBlobInRam = 0x34064000;
constexpr std::uint32_t kExec = 0x34060000, kExecBytes = 655360, kArray = 0x340B0000;
constexpr std::uint32_t kCounter = 0xE0001004;

NN_Instance_TypeDef instance;
bool printing = false;

std::uint32_t host(std::uint32_t call, std::uint32_t argument) {
    return fw::semihosting_call(call, argument);
}

void text(const char* characters, std::uint32_t count) {
    if (!printing) return;
    for (std::uint32_t i = 0; i < count; ++i) fw::console::put(characters[i]);
}

void maintain(n6vp_reloc_cache_op op, std::uintptr_t start, std::uint32_t bytes) {
    fw::caches::maintain(static_cast<n6vp::loader::CacheOp>(op),
                         GuestAddr{static_cast<std::uint32_t>(start)}, bytes);
}

/// AXISRAM2 to 6: where pools may go.
constexpr n6vp_reloc_range kGrants[] = {{0x34100000, 0x2C0000}};
constexpr std::uint32_t kCallbacks[32] = {};

/// What the model's own initialisation does: copies the blob into its array, then adds the base of
/// a pool to each word that the table names.
void initialise_blob(std::uint32_t container) {
    const auto* const words = reinterpret_cast<const std::uint32_t*>(container);
    auto* const array = reinterpret_cast<std::uint32_t*>(kArray);
    const std::uint32_t* const blob = words + words[3] / 4;
    std::memcpy(array, blob, 4 * (blob[1] + 2));
    const std::uint32_t* const table = words + words[1] / 4;
    const std::uint32_t patches = table[2];
    const std::uint32_t* const places = table + table[3] / 4;
    for (std::uint32_t i = 0; i < patches; ++i) array[places[i] + 2] += 0x90100000;
}

int install() {
    ll_aton_reloc_config config = {};
    config.exec_ram_addr = kExec;
    config.exec_ram_size = kExecBytes;
    config.mode = host(HOST_JOB, 1);
    printing = host(HOST_JOB, 2) != 0;
    fw::mailbox::begin_phase(1, "install");
    if (printing) {
        fw::mailbox::begin_phase(2, "printing");
        ll_aton_reloc_log_info(kFile);
        fw::mailbox::end_phase(2);
    }
    fw::mailbox::begin_phase(3, "copy and relocate");
    const int code = ll_aton_reloc_install(kFile, &config, &instance);
    fw::mailbox::end_phase(3);
    fw::mailbox::end_phase(1);
    host(HOST_RESULT, static_cast<std::uint32_t>(code));
    if (host(HOST_JOB, 3) == 0) return 0;
    // Installed with COPY the blob lies in RAM.
    const bool in_ram = (config.mode & AI_RELOC_RT_LOAD_MODE_COPY) != 0;
    if (in_ram) {
        std::memcpy(reinterpret_cast<void*>(kBlobInRam),
                    reinterpret_cast<const void*>(kBlobInFlash), host(HOST_JOB, 3));
        fw::caches::maintain(n6vp::loader::CacheOp::McuCleanInvalidate, GuestAddr{kBlobInRam},
                             host(HOST_JOB, 3));
    }
    fw::mailbox::begin_phase(4, "initialise");
    initialise_blob(in_ram ? kBlobInRam : kBlobInFlash);
    fw::mailbox::end_phase(4);
    return 0;
}

__attribute__((noinline)) void word_loop(std::uint32_t to, std::uint32_t from,
                                         std::uint32_t bytes) {
    auto* target = reinterpret_cast<volatile std::uint32_t*>(to);
    const auto* source = reinterpret_cast<const volatile std::uint32_t*>(from);
    for (std::uint32_t i = 0; i < bytes / 4; ++i) target[i] = source[i];
}

/// Cycles for newlib's memcpy, the loader's copy and a word loop, in this order.
int copy() {
    const std::uint32_t from = host(HOST_JOB, 1), to = host(HOST_JOB, 2), bytes = host(HOST_JOB, 3);
    n6vp::loader::DirectMemory memory;
    const n6vp::loader::MemoryPort port = n6vp::loader::direct_port(memory);
    for (std::uint32_t i = 0; i < 3; ++i) {
        fw::caches::maintain(n6vp::loader::CacheOp::McuCleanInvalidate, GuestAddr{from}, bytes);
        fw::caches::maintain(n6vp::loader::CacheOp::McuCleanInvalidate, GuestAddr{to}, bytes);
        const std::uint32_t begin = fw::read_register(kCounter);
        if (i == 0) std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
        if (i == 1) (void)port.copy(port.context, GuestAddr{to}, GuestAddr{from}, bytes);
        if (i == 2) word_loop(to, from, bytes);
        host(HOST_RESULT, fw::read_register(kCounter) - begin);
    }
    return 0;
}

}  // namespace

extern "C" const n6vp_reloc_platform_t* n6vp_reloc_platform(void) {
    static const n6vp_reloc_platform_t board = {N6VP_RELOC_PROFILE_INIT,
                                                kCallbacks,
                                                text,
                                                maintain,
                                                kGrants,
                                                1,
                                                nullptr,
                                                0,
                                                {nullptr, 0},
                                                nullptr,
                                                nullptr};
    return &board;
}

extern "C" int main() {
    fw::write_register(0xE000EDFC, fw::read_register(0xE000EDFC) | 1u << 24);
    fw::write_register(0xE0001000, 1);
    fw::caches::enable();
    fw::console::initialise();
    return host(HOST_JOB, 0) == 0 ? install() : copy();
}

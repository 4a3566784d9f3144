// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/base/state.h"
#include "loader/firmware/chip/cycles.h"
#include "loader/firmware/chip/jobs.h"
#include "loader/firmware/chip/registers.h"
#include "loader/firmware/core.h"
#include "loader/firmware/ports/stm32n6/caches.h"
#include "loader/firmware/text.h"
#include "memmap/interrupts.h"
#include "memmap/regions.h"

/// Touches everything that a step of the set-up opens, so that a step left out shows.
namespace n6vp::firmware::chip {

namespace {

constexpr std::uint32_t start_of(const char* region) {
    return to_word(memmap::region_named(region)->secure);
}
constexpr std::uint32_t kMemories[] = {start_of("AXISRAM3"),    start_of("AXISRAM4"),
                                       start_of("AXISRAM5"),    start_of("AXISRAM6"),
                                       start_of("CACHEAXIRAM"), start_of("VENCRAM")};
constexpr std::uint32_t kEnable = 1u << 0, kBusy = 1u << 0;

// SysTick and security attribution unit, Armv8-M Architecture Reference Manual.
constexpr std::uint32_t kTickControl = 0xE000E010, kTickReload = 0xE000E014,
                        kTickValue = 0xE000E018, kTickOn = 7, kMaxTick = 0xFFFFFF;
constexpr std::uint32_t kSauControl = 0xE000EDD0, kSauNumber = 0xE000EDD8, kSauBase = 0xE000EDDC,
                        kSauLimit = 0xE000EDE0, kSauOn = 1, kSauRegionOn = 1;

/// Writes through to memory and reads back from there.
std::uint32_t write_and_read(std::uint32_t address) {
    write_register(address, kProbeWord);
    caches::maintain(loader::CacheOp::McuCleanInvalidate, GuestAddr{address}, 4);
    return read_register(address);
}

void probe_memories() {
    std::uint32_t i = 0;
    for (const std::uint32_t start : kMemories) result().memory_words[i++] = write_and_read(start);
    result().psram_word = write_and_read(job().ext_ram);
}

/// As the runtime does: until the cache takes the enable bit. A cache without clock never does.
void probe_npu_cache() {
    constexpr std::uint32_t kAttempts = 1000;
    for (std::uint32_t i = 0; i < kAttempts; ++i) {
        if ((read_register(kCacheAxi + 0x4) & kBusy) == 0) write_register(kCacheAxi, kEnable);
        result().cache_control = read_register(kCacheAxi);
        if ((result().cache_control & kEnable) != 0) return;
    }
}

/// The line that `kWaitForNpu` waits for is raised by something outside the core, or by us.
void wait_for_npu() {
    write_register(kTickReload, job().wait_cycles & kMaxTick);
    write_register(kTickValue, 0);
    write_register(kTickControl, kTickOn);
    constexpr std::uint32_t kLine = memmap::kNpuDefaultLine;
    if (wanted(kRaiseNpu)) write_register(kNvicPend + kLine / 32 * 4, 1u << kLine % 32);
    volatile const Result& found = result();
    while (found.npu_interrupts == 0 && found.timed_out == 0) wait_for_event();
    write_register(kTickControl, 0);
}

/// Reads the NPU's registers as non-secure software does. Secure software needs a region of the SAU
/// for that: what is in none counts as secure.
void provoke() {
    write_register(kSauNumber, 0);
    write_register(kSauBase, kNpuNonSecure);
    write_register(kSauLimit, kNpuNonSecure | kSauRegionOn);
    write_register(kSauControl, kSauOn);
    barrier();
    result().provoked_word = read_register(kNpuNonSecure);
    barrier();
    write_register(kSauControl, 0);
    barrier();
}

void report_probe() {
    Text line;
    line.put("probe memories=");
    for (const std::uint32_t word : result().memory_words) line.hex(word).put(",");
    line.put(" psram=").hex(result().psram_word);
    line.put(" cache_cr1=").hex(result().cache_control);
    line.put(" npu=").hex(result().npu_word);
    line.put(" timed_out=").decimal(result().timed_out);
    line.put(" npu_interrupts=").decimal(result().npu_interrupts);
    line.put(" iac_interrupts=").decimal(result().iac_interrupts).put("\n");
    say(line.text());
}

}  // namespace

void run_probe() {
    std::uint32_t all = 0;
    const Phase phase(kPhaseProbe, "probe", all);
    probe_memories();
    probe_npu_cache();
    result().npu_word = read_register(kNpu);
    if (wanted(kProvoke)) provoke();
    if (wanted(kWaitForNpu)) wait_for_npu();
    report_probe();
}

}  // namespace n6vp::firmware::chip

extern "C" void n6vp_tick_interrupt() {
    n6vp::firmware::chip::result().timed_out = 1;
}

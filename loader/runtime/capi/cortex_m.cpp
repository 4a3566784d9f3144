// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/capi/cortex_m.h"

#include "loader/capi/environment.h"
#include "loader/capi/extensions.h"
#include "loader/digits.h"
#include "loader/runtime/capi/ll_aton_runtime.h"
#include "loader/runtime/machine.h"
#include "memmap/interrupts.h"

namespace n6vp::runtime {

namespace {

// Nested vectored interrupt controller, Armv8.1-M Architecture Reference Manual.
constexpr std::uint32_t kEnableLine = 0xE000E100, kDisableLine = 0xE000E180;
constexpr std::uint32_t kLine = memmap::kNpuDefaultLine;
constexpr std::uint32_t kNpuLines = 4;

constinit loader::RuntimeProfile profile_in_use{};

/// `which` is the set or the clear register of line 0.
void switch_line(std::uint32_t which, std::uint32_t line) {
    machine::write_register(which + line / 32 * 4, 1u << line % 32);
}

/// One line in a fixed buffer.
class Line {
  public:
    Line& put(const char* text) {
        while (*text != '\0') put_character(*text++);
        return *this;
    }
    Line& decimal(std::uint32_t value) {
        loader::put_decimal(value, [this](char digit) { put_character(digit); });
        return *this;
    }
    [[nodiscard]] const char* text() const { return text_; }

  private:
    void put_character(char character) {
        if (count_ + 1 < sizeof text_) text_[count_++] = character;
    }
    char text_[256] = {};
    std::uint32_t count_ = 0;
};

}  // namespace

namespace cortex_m {

void read_profile() {
    const loader::capi::Environment environment;
    profile_in_use = environment.profile();
}

void say(const char* const* pieces) {
    Line line;
    for (; *pieces != nullptr; ++pieces) line.put(*pieces);
    n6vp_rt_say(line.text());
}

}  // namespace cortex_m

namespace machine {

const loader::RuntimeProfile& profile() {
    return profile_in_use;
}

std::uint32_t read_register(std::uint32_t address) {
    return load_shared(address);
}

void write_register(std::uint32_t address, std::uint32_t value) {
    store_shared(address, value);
}

void barrier() {
    __asm volatile("dsb 0xF\n\tisb 0xF" ::: "memory");
}

void enable_line() {
    barrier();
    switch_line(kEnableLine, kLine);
}

void disable_line() {
    switch_line(kDisableLine, kLine);
    barrier();
}

void disable_lines() {
    for (std::uint32_t i = 0; i < kNpuLines; ++i) switch_line(kDisableLine, kLine + i);
    barrier();
}

void maintain(loader::CacheOp op, std::uint32_t start, std::uint32_t bytes) {
    const n6vp_reloc_platform_t& platform = *n6vp_reloc_platform();
    if (platform.maintain != nullptr && bytes != 0) {
        if constexpr (kHasSystem) n6vp_osal_lock_caches();
        platform.maintain(static_cast<n6vp_reloc_cache_op>(op), start, bytes);
        if constexpr (kHasSystem) n6vp_osal_unlock_caches();
    }
}

std::uint32_t call(std::uint32_t function, std::uint32_t argument0, std::uint32_t argument1,
                   std::uint32_t argument2, std::uint32_t static_base) {
    return n6vp_call_model(argument0, argument1, argument2, function, static_base);
}

bool network_init(std::uint32_t handle) {
    return ai_rel_network_ec_network_init(handle);
}

bool inference_init(std::uint32_t handle) {
    return ai_rel_network_ec_inference_init(handle);
}

std::uint32_t epoch_items(std::uint32_t handle) {
    return address_of(ai_rel_network_get_epoch_items(handle));
}

void library_error(LibraryError error, int line, const char* function) {
    if (profile().ndebug) return;
    Line text;
    text.put(function).put(" line ").decimal(static_cast<std::uint32_t>(line));
    text.put(" LL_LIB Error: ").put(text_of(error)).put("\n");
    n6vp_rt_say(text.text());
    stop(Failure::LibraryError, static_cast<std::uint32_t>(error),
         static_cast<std::uint32_t>(line));
}

void stop(Failure failure, std::uint32_t first, std::uint32_t second) {
    n6vp_rt_stopped(name_of(failure), text_of(failure), first, second);
    for (;;) barrier();
}

}  // namespace machine

}  // namespace n6vp::runtime

N6VP_WEAK void n6vp_rt_stopped(const char*, const char*, uint32_t, uint32_t) {}

N6VP_WEAK void n6vp_rt_say(const char* line) {
    const n6vp_reloc_platform_t& platform = *n6vp_reloc_platform();
    if (platform.text == nullptr) return;
    std::uint32_t count = 0;
    while (line[count] != '\0') ++count;
    platform.text(line, count);
}

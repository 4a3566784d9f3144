// SPDX-License-Identifier: Apache-2.0
#include "loader/capi/n6vp_reloc_platform.h"
#include "loader/crc32.h"
#include "loader/firmware/base/host.h"
#include "loader/firmware/base/state.h"
#include "loader/firmware/chip/cycles.h"
#include "loader/firmware/chip/jobs.h"
#include "loader/firmware/chip/models.h"
#include "loader/firmware/core.h"
#include "loader/firmware/ports/stm32n6/caches.h"
#include "loader/firmware/ports/stm32n6/console.h"
#include "loader/firmware/text.h"
#include "loader/format.h"
#include "loader/profile.h"
#include "loader/runtime/capi/ll_aton_runtime.h"
#include "memmap/regions.h"

/// Installs a model through the documented C interface, as an application does.
// A plain name, for whoever looks at the program from outside.
extern "C" {
extern const struct ll_aton_reloc_callback_1_1_3_262 n6vp_callbacks;
}

namespace n6vp::firmware::chip {

namespace {

n6vp_reloc_platform_t platform;

/// Model text goes where the vendor's goes: to the console, character by character.
void put_text(const char* characters, std::uint32_t count) {
    if (!wanted(kUseConsole)) return;
    for (std::uint32_t i = 0; i < count; ++i) console::put(characters[i]);
    result().log_characters += count;
}

void maintain(n6vp_reloc_cache_op op, std::uintptr_t start, std::uint32_t bytes) {
    const bool npu = op >= N6VP_RELOC_NPU_CLEAN;
    if (npu && wanted(kNoNpuCache)) return;
    if (wanted(kMarks)) host::begin_phase(kPhaseCaches, "cache maintenance");
    caches::maintain(static_cast<loader::CacheOp>(op), GuestAddr{static_cast<std::uint32_t>(start)},
                     bytes);
    if (wanted(kMarks)) host::end_phase(kPhaseCaches);
}

/// Part of the install that is marked as under way, kNoPart: none.
constexpr std::uint32_t kNoPart = 0xFFFFFFFF;
constinit std::uint32_t open_part = kNoPart;

void end_part() {
    if (open_part != kNoPart) host::end_phase(kPhaseInstallPart + open_part);
    open_part = kNoPart;
}

void begin_part(std::uint32_t number) {
    constexpr const char* kNames[] = {"checks", "pools",      "read-only copy", "data and bss",
                                      "GOT",    "relocation", "finish"};
    if (!wanted(kMarks) || number >= sizeof kNames / sizeof kNames[0]) return;
    end_part();
    host::begin_phase(kPhaseInstallPart + number, kNames[number]);
    open_part = number;
}

constexpr n6vp_reloc_range range_of(const char* first, const char* last) {
    const memmap::Region* const from = memmap::region_named(first);
    const memmap::Region* const to = memmap::region_named(last);
    const std::uint32_t start = to_word(from->secure);
    return {start, to_word(to->secure) + to->fitted_bytes - start};
}

/// Where COPY and RESET pools may be: the on-chip memories behind the exec RAM, and external RAM.
constexpr n6vp_reloc_range kGrants[] = {range_of("AXISRAM2", "AXISRAM6"),
                                        range_of("XSPI1", "XSPI1")};
static_assert(kGrants[0].start == 0x34100000 && kGrants[0].bytes == 0x2C0000);

loader::Generation generation() {
    switch (model().generation) {
        case 21:
            return loader::Generation::Core21;
        case 22:
            return loader::Generation::Core22;
        case 40:
            return loader::Generation::Core4x;
        default:
            return loader::Generation::Core30;
    }
}

std::uint32_t number_of(loader::Generation generation) {
    switch (generation) {
        case loader::Generation::Core21:
            return 21;
        case loader::Generation::Core22:
            return 22;
        case loader::Generation::Core4x:
            return 40;
        default:
            return 30;
    }
}

/// Whoever starts the program has put the file there, or not.
void report_missing_file() {
    const memmap::Location place = memmap::find_region(GuestAddr{model().file});
    if (!place || place.offset >= place.region->fitted_bytes || model().file % 4 != 0) return;
    const std::uint32_t found = read_register(model().file);
    if (found == loader::format::kMagic) return;
    Text line;
    line.put("error: no model at ").hex(model().file).put(": the word there is ").hex(found);
    say(line.put(", not ").hex(loader::format::kMagic).put("\n").text());
}

/// Becomes the firmware that the file was built for.
void follow_file(const ll_aton_reloc_info& info) {
    loader::RuntimeVersion version;
    version.major = static_cast<std::uint8_t>(info.rt_version >> 24);
    version.minor = static_cast<std::uint8_t>(info.rt_version >> 16);
    version.micro = static_cast<std::uint8_t>(info.rt_version >> 8);
    version.dev = info.rt_version_extra;
    model().generation = number_of(loader::generation_of(version));
    constexpr std::uint32_t kFromFile = kSecure | kDebugInfo | kAsync;
    model().build =
        (model().build & ~kFromFile) | (AI_RELOC_RT_GET_EXTRA(info.variant) & kFromFile);
    describe_platform();
}

void report_install(const ll_aton_reloc_info& info) {
    Text line;
    line.put("install code=").put(result().code < 0 ? "-" : "");
    line.decimal(static_cast<std::uint32_t>(result().code < 0 ? -result().code : result().code));
    line.put(" image_bytes=").decimal(result().image_bytes);
    line.put(" image_crc=").hex(result().image_crc);
    line.put(" code_bytes=").decimal(info.code_sz).put(" params_bytes=").decimal(info.params_sz);
    line.put(" log_characters=").decimal(result().log_characters);
    line.put(" info_cycles=").decimal(result().info_cycles);
    line.put(" log_cycles=").decimal(result().log_cycles);
    line.put(" install_cycles=").decimal(result().install_cycles).put("\n");
    say(line.text());
}

}  // namespace

void describe_platform() {
    const loader::RuntimeProfile profile = loader::default_profile(generation());
    const bool debug_info = (model().build & kDebugInfo) != 0;
    n6vp_reloc_profile& to = platform.profile;
    to.version_major = profile.version.major;
    to.version_minor = profile.version.minor;
    to.version_micro = profile.version.micro;
    to.version_dev = profile.version.dev;
    to.secure = (model().build & kSecure) != 0;
    to.dbg_info = debug_info;
    to.async_mode = (model().build & kAsync) != 0;
    to.ndebug = (model().build & kNdebug) != 0;
    to.buffer_info_bytes = profile.buffer_info_bytes;
    to.epoch_item_bytes = debug_info ? 48 : 20;
    platform.callbacks = &n6vp_callbacks;
    if (job().kind == kInfer) platform.callbacks = n6vp_rt_callbacks(model().generation);
    platform.text = put_text;
    platform.maintain = maintain;
    platform.part = begin_part;
    platform.grants = kGrants;
    platform.grant_count = sizeof kGrants / sizeof kGrants[0];
}

void run_install() {
    describe_platform();
    // Nothing of the model before.
    result().image_bytes = 0;
    result().image_crc = 0;
    result().install_cycles = 0;
    ll_aton_reloc_info info = {};
    {
        const Phase phase(kPhaseInfo, "get_info", result().info_cycles);
        result().code = ll_aton_reloc_get_info(model().file, &info);
    }
    if (result().code != 0) report_missing_file();
    if (result().code == 0 && model().generation == 0) follow_file(info);
    if (result().code == 0 && wanted(kLog)) {
        const Phase phase(kPhaseLog, "log", result().log_cycles);
        ll_aton_reloc_log_info(model().file);
    }
    const bool copies = (model().mode & AI_RELOC_RT_LOAD_MODE_COPY) != 0;
    const std::uint32_t image_bytes = copies ? info.rt_ram_copy : info.rt_ram_xip;
    Place place = {};
    if (result().code == 0 && !take_place(image_bytes, info.ext_ram_sz, place))
        result().code = AI_RELOC_RT_ERR_MEMORY;
    if (result().code == 0) {
        const ll_aton_reloc_config config = {place.exec,      place.exec_bytes, place.ext,
                                             place.ext_bytes, model().params,   model().mode};
        const Phase phase(kPhaseInstall, "install", result().install_cycles);
        result().code = ll_aton_reloc_install(model().file, &config, instance());
        end_part();
    }
    result().info_code_bytes = info.code_sz;
    result().info_params_bytes = info.params_sz;
    if (result().code == 0) {
        result().image_bytes = image_bytes;
        if (!wanted(kNoImageCrc)) {
            result().image_crc = loader::crc32(
                0, reinterpret_cast<const void*>(static_cast<std::uintptr_t>(place.exec)),
                result().image_bytes);
        }
    }
    report_install(info);
}

}  // namespace n6vp::firmware::chip

/// Models that are only installed call nothing.
constinit const struct ll_aton_reloc_callback_1_1_3_262 n6vp_callbacks = {};

const n6vp_reloc_platform_t* n6vp_reloc_platform(void) {
    return &n6vp::firmware::chip::platform;
}

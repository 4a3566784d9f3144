// SPDX-License-Identifier: Apache-2.0
// How much of FLEXMEM the TCMs take.
#include "models/chip/stm32n6_parts.h"

namespace n6vp::models {

namespace {

constexpr std::uint32_t kKib = 1024;

/// Of CFGITCMSZ and CFGDTCMSZ.
[[nodiscard]] std::uint32_t bytes_of(unsigned size) {
    return 512 * (1u << size);
}

/// What the TCMs take from FLEXMEM: their check bits, too. Source: HAL, 64 KB more of ITCM take 80;
/// FLEXMEM_Configurations, this and 128 KB more of DTCM take 240. Inferred: all of ITCM in the same
/// ratio, which makes the 400 KB of FLEXMEM together.
[[nodiscard]] std::uint32_t taken_bytes(Syscfg::TcmSizes sizes) {
    const std::uint32_t itcm = sizes.itcm == 8 ? 80 * kKib : sizes.itcm == 9 ? 240 * kKib : 0;
    return itcm + (sizes.dtcm == 9 ? 160 * kKib : 0);
}

}  // namespace

void Stm32n6::resize_tcm(std::string_view region, std::uint32_t bytes) {
    const auto target = static_cast<unsigned>(target_of(region));
    const memmap::Region& place = *memories_[target].region;
    bus_->resize(target, place.non_secure, bytes);
    bus_->resize(target, place.secure, bytes);
}

/// Contents of what changes its owner are not defined: here each keeps its own.
void Stm32n6::connect_tcm_sizes() {
    constexpr std::string_view kShared = "FLEXMEM";
    const auto shared = static_cast<unsigned>(target_of(kShared));
    taken_by_tcms_ = std::make_unique<TakenByTcms>();
    add_filter(shared, taken_by_tcms_.get());
    soc_->syscfg.on_tcm_sizes = [this, shared](Syscfg::TcmSizes sizes) {
        resize_tcm("ITCM", bytes_of(sizes.itcm));
        resize_tcm("DTCM", bytes_of(sizes.dtcm));
        taken_by_tcms_->bytes = taken_bytes(sizes);
        bus_->filter_changed(shared);
        core_->core().system().set_tcm_sizes(sizes.itcm, sizes.dtcm);
    };
}

}  // namespace n6vp::models

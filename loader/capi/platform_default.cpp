// SPDX-License-Identifier: Apache-2.0
#include "loader/capi/extensions.h"
#include "loader/capi/n6vp_reloc_platform.h"

// The documented API has no place for what a board must supply, so an application replaces this
// function; without one the options of this file describe the firmware and nothing is granted.
N6VP_WEAK const n6vp_reloc_platform_t* n6vp_reloc_platform() {
    static constexpr n6vp_reloc_platform_t kDefault = {N6VP_RELOC_PROFILE_INIT,
                                                       nullptr,
                                                       nullptr,
                                                       nullptr,
                                                       nullptr,
                                                       0,
                                                       nullptr,
                                                       0,
                                                       {nullptr, 0},
                                                       nullptr,
                                                       nullptr};
    return &kDefault;
}

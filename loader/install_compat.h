// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loader/install.h"

namespace n6vp::loader {

/// `install` under Policy::Compat. Internal to the loader.
[[nodiscard]] Status install_compat(const MemoryPort& port, const InstallRequest& request,
                                    InstallResult& result, Diagnosis& why);

}  // namespace n6vp::loader

// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/families.h"

namespace n6vp::models::core::isa {

Family control_family() { return {"control", {}, {}}; }

}  // namespace n6vp::models::core::isa

// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/families.h"

namespace n6vp::models::core::isa {

Family memory_family() { return {"memory", {}, {}}; }

}  // namespace n6vp::models::core::isa

// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/families.h"

namespace n6vp::models::core::isa {

Family float_family() { return {"float", {}, {}}; }

}  // namespace n6vp::models::core::isa

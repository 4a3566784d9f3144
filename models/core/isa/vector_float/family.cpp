// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/families.h"

namespace n6vp::models::core::isa {

Family vector_float_family() { return {"vector_float", {}, {}}; }

}  // namespace n6vp::models::core::isa

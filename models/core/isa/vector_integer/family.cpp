// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/families.h"

namespace n6vp::models::core::isa {

Family vector_integer_family() { return {"vector_integer", {}, {}}; }

}  // namespace n6vp::models::core::isa

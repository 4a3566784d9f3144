// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/families.h"

namespace n6vp::models::core::isa {

Family vector_memory_family() { return {"vector_memory", {}, {}}; }

}  // namespace n6vp::models::core::isa

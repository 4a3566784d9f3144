// SPDX-License-Identifier: Apache-2.0
// The last argument exists from 4.x on. Earlier callers leave r3 as it is, and what arrives in the
// model's r1 is then never looked at, so that one definition with four arguments serves both
// prototypes.
#undef N6VP_LL_ATON_GENERATION
#define N6VP_LL_ATON_GENERATION 40
#include "loader/capi/environment.h"
#include "loader/capi/extensions.h"
#include "loader/container.h"

void ai_rel_call_start_end_function(uint32_t inst, uintptr_t fct, const void* epoch_block,
                                    const NN_Instance_TypeDef* nn_instance) {
    using namespace n6vp::loader;
    // Read directly: this runs for every epoch, and documented callers have checked the handle at
    // init.
    const std::uint32_t ram_base =
        *capi::typed_pointer<const std::uint32_t>(inst + context_offset::kRamAddr);
    n6vp_call_model(n6vp::to_word(capi::address_of(epoch_block)),
                    n6vp::to_word(capi::address_of(nn_instance)), 0,
                    static_cast<std::uint32_t>(fct), ram_base);
}

// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/vectors.h"

namespace n6vp::firmware {

namespace {

struct VectorTable {
    std::uint32_t* stack;
    Handler handlers[kSystemExceptions];
};

constexpr Handler kFault = n6vp_fault;

/// No interrupt is ever enabled here.
N6VP_SECTION(".vectors")
const VectorTable vectors = {&n6vp_stack_top,
                             {n6vp_reset, kFault, kFault, kFault, kFault, kFault, kFault, kFault,
                              kFault, kFault, kFault, kFault, kFault, kFault, kFault}};

}  // namespace

}  // namespace n6vp::firmware

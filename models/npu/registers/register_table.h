// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/npu/register_table.h"

/// The tables lie in `memmap/npu` (one header per kind of unit, `units.h` for all, `links.h` for
/// the stream switch), because the loader's check of epoch blobs needs them too.
namespace n6vp::models::npu {

using memmap::npu::Access;
using memmap::npu::extract;
using memmap::npu::extract_signed;
using memmap::npu::Field;
using memmap::npu::field;
using memmap::npu::insert;
using memmap::npu::Lock;
using memmap::npu::reg;
using memmap::npu::Register;
using memmap::npu::UnitType;

}  // namespace n6vp::models::npu

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/npu/registers/register_file.h"
#include "models/npu/units/activ.h"
#include "models/npu/units/arith.h"
#include "models/npu/units/decun.h"
#include "models/npu/units/pool.h"

namespace n6vp::models::npu {

/// Return what the registers of a unit configure. The coefficients of an ARITH and the pages of a
/// DECUN are memories behind a window that other registers move; they belong to the unit.
[[nodiscard]] ArithConfig decode_arith(const RegisterFile& registers);
[[nodiscard]] ActivConfig decode_activ(const RegisterFile& registers);
[[nodiscard]] ActivTables decode_activ_tables(const RegisterFile& registers);
[[nodiscard]] PoolConfig decode_pool(const RegisterFile& registers);
[[nodiscard]] DecunConfig decode_decun(const RegisterFile& registers);

}  // namespace n6vp::models::npu

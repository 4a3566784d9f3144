// SPDX-License-Identifier: Apache-2.0
#include "models/npu/units/vector_registers.h"

#include "memmap/npu/activ.h"
#include "memmap/npu/arith.h"
#include "memmap/npu/decun.h"
#include "memmap/npu/pool.h"
#include "models/npu/registers/field_value.h"

namespace n6vp::models::npu {
namespace {

template <FieldPath kPath>
FieldValue arith(const RegisterFile& r) {
    return field_value<memmap::npu::kArith, kPath>(r);
}
template <FieldPath kPath>
FieldValue arith_signed(const RegisterFile& r) {
    return signed_field_value<memmap::npu::kArith, kPath>(r);
}
template <FieldPath kPath>
FieldValue activ(const RegisterFile& r, std::uint32_t index = 0) {
    return field_value<memmap::npu::kActiv, kPath>(r, index);
}
template <FieldPath kPath>
FieldValue activ_signed(const RegisterFile& r, std::uint32_t index = 0) {
    return signed_field_value<memmap::npu::kActiv, kPath>(r, index);
}
template <FieldPath kPath>
FieldValue pool(const RegisterFile& r) {
    return field_value<memmap::npu::kPool, kPath>(r);
}
template <FieldPath kPath>
FieldValue decun(const RegisterFile& r) {
    return field_value<memmap::npu::kDecun, kPath>(r);
}

}  // namespace

ArithConfig decode_arith(const RegisterFile& r) {
    ArithConfig c;
    c.op = static_cast<ArithOp>(std::uint8_t{arith<"CTRL.OP">(r)});
    c.logicalop = arith<"CTRL.LOGICALOP">(r);
    c.dualin = arith<"CTRL.DUALIN">(r);
    c.coeffa = arith<"CTRL.COEFFA">(r);
    c.coeffb = arith<"CTRL.COEFFB">(r);
    c.coeffc = arith<"CTRL.COEFFC">(r);
    c.combinebc = arith<"CTRL.COMBINEBC">(r);
    c.clipout = arith<"CTRL.CLIPOUT">(r);
    c.output = {arith<"CTRL.ROUND">(r), arith<"CTRL.SAT">(r), arith<"CTRL.ORNDMODE">(r),
                arith<"CTRL.OBYTES">(r)};
    c.ax = arith<"SHIFT.AX">(r);
    c.by = arith<"SHIFT.BY">(r);
    c.cshift = arith<"SHIFT.C">(r);
    c.res = arith<"SHIFT.RES">(r);
    c.a = arith_signed<"COEFFAC.A">(r);
    c.b = arith_signed<"COEFFB.B">(r);
    c.c = arith_signed<"COEFFAC.C">(r);
    c.clipmin = arith_signed<"CLIPRANGE.CLIPMIN">(r);
    c.clipmax = arith_signed<"CLIPRANGE.CLIPMAX">(r);
    c.x = {arith<"INSHIFTER.FBYTESX">(r), arith<"INSHIFTER.FSHIFTX">(r),
           arith<"INSHIFTER.FOBYTESX">(r)};
    c.y = {arith<"INSHIFTER.FBYTESY">(r), arith<"INSHIFTER.FSHIFTY">(r),
           arith<"INSHIFTER.FOBYTESY">(r)};
    c.coeffaddr = arith<"COEFFADDR.ADDR">(r);
    c.incval = arith<"INCCNT.INCVAL">(r);
    c.incoffset = arith_signed<"INCOFFSET.VAL">(r);
    c.resets = {CoefficientReset{arith<"CTRL.CNT1">(r), arith<"RSTCNT1.RSTCNT">(r),
                                 arith_signed<"ADDROFFSET.OFFSET1">(r)},
                CoefficientReset{arith<"CTRL.CNT2">(r), arith<"RSTCNT2.RSTCNT">(r),
                                 arith_signed<"ADDROFFSET.OFFSET2">(r)},
                CoefficientReset{arith<"CTRL.CNT3">(r), arith<"RSTCNT3.RSTCNT">(r),
                                 arith_signed<"ADDROFFSET.OFFSET3">(r)}};
    return c;
}

ActivConfig decode_activ(const RegisterFile& r) {
    ActivConfig c;
    c.type = static_cast<ActivType>(std::uint8_t{activ<"CTRL.TYPE">(r)});
    c.input = {activ<"CTRL.FBYTES">(r), activ<"CTRL.FSHIFT">(r), activ<"CTRL.FOBYTES">(r)};
    c.output = {activ<"CTRL.ROUND">(r), activ<"CTRL.SAT">(r), activ<"CTRL.ORNDMODE">(r),
                activ<"CTRL.OBYTES">(r)};
    c.param = activ_signed<"ACTIVPARAM.PARAM">(r);
    c.param2 = activ_signed<"ACTIVPARAM2.PARAM2">(r);
    c.func = activ<"ACTIVPARAM.FUNC">(r);
    c.outshift = activ<"FUNC.OUTSHIFT">(r);
    c.cshift = activ<"FUNC.CSHIFT">(r);
    c.bshift = activ<"FUNC.BSHIFT">(r);
    c.signedop = activ<"FUNC.SIGNEDOP">(r);
    c.bwidth = activ<"FUNC.BWIDTH">(r);
    c.fsub = activ<"FSUB.FSUB">(r);
    return c;
}

ActivTables decode_activ_tables(const RegisterFile& r) {
    ActivTables tables;
    for (std::uint32_t i = 0; i < tables.rom0.size(); ++i) {
        tables.rom0[i] = activ<"ROM0.ENTRY">(r, i);
    }
    for (std::uint32_t i = 0; i < tables.rom1.size(); ++i) {
        tables.rom1[i] = {activ_signed<"ROM1_AB.A">(r, i), activ_signed<"ROM1_AB.B">(r, i),
                          activ_signed<"ROM1_C.C">(r, i)};
    }
    return tables;
}

PoolConfig decode_pool(const RegisterFile& r) {
    PoolConfig c;
    c.type = static_cast<PoolType>(std::uint8_t{pool<"CTRL.TYPE">(r)});
    c.input = {pool<"CTRL.FBYTES">(r), pool<"CTRL.FSHIFT">(r), pool<"RNDCTRL.FOBYTES">(r)};
    c.output = {pool<"CTRL.ROUND">(r), pool<"CTRL.SAT">(r), pool<"RNDCTRL.ORNDMODE">(r),
                pool<"RNDCTRL.OBYTES">(r)};
    c.outshift = pool<"CTRL.OUTSHIFT">(r);
    c.dualline = pool<"CTRL.DUALLINE">(r);
    c.cropen = pool<"CTRL.CROPEN">(r);
    c.winx = pool<"PDIMS.WINX">(r);
    c.winy = pool<"PDIMS.WINY">(r);
    c.strdx = pool<"PDIMS.STRDX">(r);
    c.strdy = pool<"PDIMS.STRDY">(r);
    c.tpad = pool<"PDIMS.TPAD">(r);
    c.bpad = pool<"PDIMS.BPAD">(r);
    c.lpad = pool<"PDIMS.LPAD">(r);
    c.rpad = pool<"PDIMS.RPAD">(r);
    c.bsize = pool<"PDIMS.BSIZE">(r);
    c.feat_x = pool<"FDIMS.FEATX">(r);
    c.feat_y = pool<"FDIMS.FEATY">(r);
    c.out_x = pool<"OUTDIMS.FEATX">(r);
    c.out_y = pool<"OUTDIMS.FEATY">(r);
    c.mulval = pool<"MULVAL.MULVAL">(r);
    c.lcrop = pool<"XCROP.LCROP">(r);
    c.rcrop = pool<"XCROP.RCROP">(r);
    c.tcrop = pool<"YCROP.TCROP">(r);
    c.bcrop = pool<"YCROP.BCROP">(r);
    return c;
}

DecunConfig decode_decun(const RegisterFile& r) {
    DecunConfig c;
    c.dualin = decun<"CTRL.DUALIN">(r);
    c.ow = decun<"CTRL.OW">(r);
    c.pageaddr = decun<"CTRL.PAGEADDR">(r);
    c.cvs = decun<"BFORMAT.CVS">(r);
    c.cws = decun<"BFORMAT.CWS">(r);
    c.osam = decun<"BFORMAT.OSAM">(r);
    c.cv8 = decun<"DFORMAT.CV8">(r);
    c.rawline = decun<"DFORMAT.RAWLINE">(r);
    c.bn = decun<"FFORMAT.BN">(r);
    return c;
}

}  // namespace n6vp::models::npu

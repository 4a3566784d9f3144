// SPDX-License-Identifier: Apache-2.0
#include "models/npu/stream/stream_registers.h"

#include "memmap/npu/streng.h"
#include "memmap/npu/strswitch.h"
#include "models/npu/registers/field_value.h"

namespace n6vp::models::npu {
namespace {

template <FieldPath kPath>
FieldValue streng(const RegisterFile& r) {
    return field_value<memmap::npu::kStreng, kPath>(r);
}

void decode_control(const RegisterFile& r, StreamConfig& c) {
    c.single = streng<"CTRL.SINGLE">(r);
    c.dir = streng<"CTRL.DIR">(r);
    c.noinc = streng<"CTRL.NOINC">(r);
    c.istart = streng<"CTRL.ISTART">(r);
    c.subsample = streng<"CTRL.SUBSAMPLE">(r);
    c.cont = streng<"CTRL.CONT">(r);
    c.raw = streng<"CTRL.RAW">(r);
    c.raw_out = streng<"CTRL.RAW_OUT">(r);
    c.descr = streng<"CTRL.DESCR">(r);
    c.noblk = streng<"CTRL.NOBLK">(r);
    c.round = streng<"CTRL.ROUND">(r);
    c.beforce = streng<"CTRL.BEFORCE">(r);
    c.lsbmode = streng<"CTRL.LSBMODE">(r);
    c.signext = streng<"CTRL.SIGNEXT">(r);
    c.size0 = streng<"CTRL.SIZE0">(r);
    c.size1 = streng<"CTRL.SIZE1">(r);
    c.size2 = streng<"CTRL.SIZE2">(r);
    c.serdes = streng<"CTRL.SERDES">(r);
}

void decode_addresses(const RegisterFile& r, StreamConfig& c) {
    c.addr = streng<"ADDR.REG">(r);
    c.fsize =
        std::uint32_t{streng<"FSIZE.HEIGHT">(r)} << 16 | std::uint32_t{streng<"FSIZE.WIDTH">(r)};
    c.depth_size = streng<"DEPTH.SIZE">(r);
    c.depth_offset = streng<"DEPTH.OFFSET">(r);
    c.doff_msb = streng<"LIMITEN.DOFF_MSB">(r);
    c.loff = streng<"STRD.LOFF">(r);
    c.loff_msb = streng<"CID_CACHE.LOFF_MSB">(r);
    c.fgap = streng<"STRD.FGAP">(r);
    c.bgap = streng<"STRD.BGAP">(r);
    c.foffset = streng<"FOFFSET.REG">(r);
    c.frame_rpt = streng<"FRAME_RPT.REG">(r);
    c.frptoff = streng<"FRPTOFF.REG">(r);
    c.pos0 = streng<"POS.POS0">(r);
    c.pos1 = streng<"POS.POS1">(r);
    c.pos2 = streng<"POS.POS2">(r);
    c.wswap = streng<"POS.WSWAP">(r);
    c.hswap = streng<"POS.HSWAP">(r);
    c.bswap = streng<"POS.BSWAP">(r);
    c.throttle = streng<"POS.THROTTLE">(r);
    c.gapcycles = streng<"POS.GAPCYCLES">(r);
}

void decode_progress(const RegisterFile& r, StreamConfig& c) {
    c.addrlimit = streng<"LIMITEN.ADDRLIMIT">(r);
    c.stopprefetch = streng<"LIMITEN.STOPPREFTC">(r);
    c.framelimit = streng<"LIMITEN.FRAMELIMIT">(r);
    c.autoclr = streng<"LIMITEN.AUTOCLR">(r);
    c.limit = streng<"LIMIT.CNT">(r);
    c.limitaddr = streng<"LIMITADDR.REG">(r);
    c.frmtrg_en = streng<"EVENT.FRMTRG_EN">(r);
    c.frmtrg_src = streng<"EVENT.FRMTRG_SRC">(r);
    c.stoptag_en = streng<"STOPTAG.EN">(r);
    c.cipher_en = streng<"ENCR_MSB.EN">(r);
    c.extsync_en = streng<"EXTSYNC.EN">(r);
}

template <FieldPath kPath>
FieldValue destination_field(const RegisterFile& r, std::uint32_t destination) {
    return field_value<memmap::npu::kStrswitch, kPath>(r, destination);
}

}  // namespace

StreamConfig decode_stream(const RegisterFile& registers) {
    StreamConfig config;
    decode_control(registers, config);
    decode_addresses(registers, config);
    decode_progress(registers, config);
    return config;
}

SwitchConfig decode_switch(const RegisterFile& r, std::uint32_t destination) {
    return {destination_field<"DST.EN0">(r, destination),
            destination_field<"DST.LINK0">(r, destination),
            destination_field<"DST.FNR0">(r, destination),
            destination_field<"DST.EN1">(r, destination),
            destination_field<"DST.LINK1">(r, destination),
            destination_field<"DST.FNR1">(r, destination),
            destination_field<"DST.TICKTYPE">(r, destination)};
}

}  // namespace n6vp::models::npu

// SPDX-License-Identifier: Apache-2.0
#include "models/npu/units/convolution_registers.h"

#include "memmap/npu/convacc.h"

namespace n6vp::models::npu {
namespace {

using memmap::npu::kConvacc;

bool is_set(std::uint32_t word, const Field& field) {
    return extract(word, field) != 0;
}

ConvolutionConfig::Ctrl decode_ctrl(std::uint32_t word) {
    return {.nosum = is_set(word, field(kConvacc, "CTRL.NOSUM")),
            .kt1 = is_set(word, field(kConvacc, "CTRL.KT1")),
            .no1sum = is_set(word, field(kConvacc, "CTRL.NO1SUM")),
            .simd = extract(word, field(kConvacc, "CTRL.SIMD")),
            .afiltmode = extract(word, field(kConvacc, "CTRL.AFILTMODE")),
            .gen1sum = is_set(word, field(kConvacc, "CTRL.GEN1SUM")),
            .fc = is_set(word, field(kConvacc, "CTRL.FC")),
            .funsigned = is_set(word, field(kConvacc, "CTRL.FUNSIGNED")),
            .kunsigned = is_set(word, field(kConvacc, "CTRL.KUNSIGNED")),
            .kseten = extract(word, field(kConvacc, "CTRL.KSETEN")),
            .fstat = is_set(word, field(kConvacc, "CTRL.FSTAT")),
            .fstatclear = is_set(word, field(kConvacc, "CTRL.FSTATCLEAR")),
            .deepmode = is_set(word, field(kConvacc, "CTRL.DEEPMODE")),
            .dss2mode = is_set(word, field(kConvacc, "CTRL.DSS2MODE"))};
}

ConvolutionConfig::Kformat decode_kformat(std::uint32_t word) {
    return {.width = extract(word, field(kConvacc, "KFORMAT.WIDTH")),
            .height = extract(word, field(kConvacc, "KFORMAT.HEIGHT")),
            .btcdepth = extract(word, field(kConvacc, "KFORMAT.BTCDEPTH")),
            .nr = extract(word, field(kConvacc, "KFORMAT.NR"))};
}

ConvolutionConfig::Sample decode_sample(std::uint32_t word) {
    return {.lpad = extract(word, field(kConvacc, "SAMPLE.LPAD")),
            .rpad = extract(word, field(kConvacc, "SAMPLE.RPAD")),
            .tpad = extract(word, field(kConvacc, "SAMPLE.TPAD")),
            .bpad = extract(word, field(kConvacc, "SAMPLE.BPAD")),
            .hstrd = extract(word, field(kConvacc, "SAMPLE.HSTRD")),
            .vstrd = extract(word, field(kConvacc, "SAMPLE.VSTRD")),
            .fstatcnt = extract(word, field(kConvacc, "SAMPLE.FSTATCNT"))};
}

ConvolutionConfig::Dformat decode_dformat(std::uint32_t word) {
    return {.inshift = extract(word, field(kConvacc, "DFORMAT.INSHIFT")),
            .outshift = extract(word, field(kConvacc, "DFORMAT.OUTSHIFT")),
            .orndmode = extract(word, field(kConvacc, "DFORMAT.ORNDMODE")),
            .round = is_set(word, field(kConvacc, "DFORMAT.ROUND")),
            .sat = is_set(word, field(kConvacc, "DFORMAT.SAT")),
            .raw = is_set(word, field(kConvacc, "DFORMAT.RAW")),
            .obytes = extract(word, field(kConvacc, "DFORMAT.OBYTES")),
            .fbytes = extract(word, field(kConvacc, "DFORMAT.FBYTES")),
            .fshift = extract(word, field(kConvacc, "DFORMAT.FSHIFT")),
            .fsat = is_set(word, field(kConvacc, "DFORMAT.FSAT"))};
}

ConvolutionConfig::Fformat decode_fformat(std::uint32_t word) {
    return {.width = extract(word, field(kConvacc, "FFORMAT.WIDTH")),
            .height = extract(word, field(kConvacc, "FFORMAT.HEIGHT"))};
}

ConvolutionConfig::Fhcrop decode_fhcrop(std::uint32_t word) {
    return {.left = extract(word, field(kConvacc, "FHCROP.LEFT")),
            .right = extract(word, field(kConvacc, "FHCROP.RIGHT"))};
}

ConvolutionConfig::Fvcrop decode_fvcrop(std::uint32_t word) {
    return {.top = extract(word, field(kConvacc, "FVCROP.TOP")),
            .bottom = extract(word, field(kConvacc, "FVCROP.BOTTOM"))};
}

ConvolutionConfig::Filter decode_filter(std::uint32_t word) {
    return {.tot = extract(word, field(kConvacc, "KFILT.TOT")),
            .first = extract(word, field(kConvacc, "KFILT.FIRST")),
            .last = extract(word, field(kConvacc, "KFILT.LAST"))};
}

ConvolutionConfig::Zframe decode_zframe(std::uint32_t word) {
    return {.left = extract(word, field(kConvacc, "ZFRAME.LEFT")),
            .right = extract(word, field(kConvacc, "ZFRAME.RIGHT")),
            .top = extract(word, field(kConvacc, "ZFRAME.TOP")),
            .bottom = extract(word, field(kConvacc, "ZFRAME.BOTTOM"))};
}

ConvolutionConfig::Iter decode_iter(std::uint32_t word) {
    return {.period = extract(word, field(kConvacc, "ITER.PERIOD")),
            .number = extract(word, field(kConvacc, "ITER.NUMBER")),
            .offset = extract(word, field(kConvacc, "ITER.OFFSET"))};
}

}  // namespace

ConvolutionConfig decode_convolution(const RegisterFile& registers) {
    const auto word = [&](const Register& at) { return registers.word(at); };
    return {
        .ctrl = decode_ctrl(word(reg(kConvacc, "CTRL"))),
        .kformat = decode_kformat(word(reg(kConvacc, "KFORMAT"))),
        .sample = decode_sample(word(reg(kConvacc, "SAMPLE"))),
        .dformat = decode_dformat(word(reg(kConvacc, "DFORMAT"))),
        .fformat = decode_fformat(word(reg(kConvacc, "FFORMAT"))),
        .fhcrop = decode_fhcrop(word(reg(kConvacc, "FHCROP"))),
        .fvcrop = decode_fvcrop(word(reg(kConvacc, "FVCROP"))),
        .kfilt = decode_filter(word(reg(kConvacc, "KFILT"))),
        .afilt = decode_filter(word(reg(kConvacc, "AFILT"))),
        .zframe = decode_zframe(word(reg(kConvacc, "ZFRAME"))),
        .iter = decode_iter(word(reg(kConvacc, "ITER"))),
        .fsub = extract_signed(word(reg(kConvacc, "FSUB")), field(kConvacc, "FSUB.FSUB")),
        .zfbias = extract_signed(word(reg(kConvacc, "ZFBIAS")), field(kConvacc, "ZFBIAS.ZFBIAS")),
    };
}

}  // namespace n6vp::models::npu

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/npu/register_table.h"

namespace n6vp::memmap::npu {
namespace convacc {

using enum Access;

inline constexpr Field kCtrl[] = {
    {"EN", 0, 1, Rw},           {"CLR", 1, 1, Sc},         {"NOSUM", 2, 1, Rw},
    {"KT1", 3, 1, Rw},          {"NO1SUM", 4, 1, Rw},      {"SIMD", 5, 2, Rw},
    {"AFILTMODE", 8, 2, Rw},    {"GEN1SUM", 10, 1, Rw},    {"FC", 11, 1, Rw},
    {"FC_TSIZE", 12, 4, Rw},    {"FC_VSIZE", 16, 4, Rw},   {"FUNSIGNED", 20, 1, Rw},
    {"KUNSIGNED", 21, 1, Rw},   {"KSETEN", 22, 2, Rw},     {"FSTAT", 24, 1, Rw},
    {"FSTATLOADED", 25, 1, Ro}, {"FSTATCLEAR", 26, 1, Rw}, {"FSTATOVERF", 27, 1, Rw},
    {"DEEPMODE", 28, 1, Rw},    {"DSS2MODE", 29, 1, Rw},   {"CONFCLR", 30, 1, Sc},
    {"ILL", 31, 1, Ro},
};
inline constexpr Field kVersion[] = {
    {"TYPE", 0, 8, Ro},
    {"MINOR", 8, 4, Ro},
    {"MAJOR", 12, 4, Ro},
    {"NRCLUSTER", 16, 4, Ro},
};
inline constexpr Field kKformat[] = {
    {"WIDTH", 0, 8, Rw},
    {"HEIGHT", 8, 8, Rw},
    {"BTCDEPTH", 16, 8, Rw},
    {"NR", 24, 8, Rw},
};
inline constexpr Field kSample[] = {
    {"LPAD", 0, 2, Rw},  {"RPAD", 2, 2, Rw},   {"TPAD", 4, 2, Rw},       {"BPAD", 6, 2, Rw},
    {"HSTRD", 8, 3, Rw}, {"VSTRD", 12, 3, Rw}, {"FSTATCNT", 16, 16, Rw},
};
inline constexpr Field kDformat[] = {
    {"INSHIFT", 0, 6, Rw}, {"FRNDMODE", 6, 2, Rw}, {"OUTSHIFT", 8, 6, Rw}, {"ORNDMODE", 14, 2, Rw},
    {"ROUND", 16, 1, Rw},  {"SAT", 17, 1, Rw},     {"RAW", 18, 1, Rw},     {"OBYTES", 20, 2, Rw},
    {"FBYTES", 22, 2, Rw}, {"FSHIFT", 24, 6, Rw},  {"FROUND", 30, 1, Rw},  {"FSAT", 31, 1, Rw},
};
inline constexpr Field kFformat[] = {
    {"WIDTH", 0, 16, Rw},
    {"HEIGHT", 16, 16, Rw},
};
inline constexpr Field kFhcrop[] = {
    {"LEFT", 0, 16, Rw},
    {"RIGHT", 16, 16, Rw},
};
inline constexpr Field kFvcrop[] = {
    {"TOP", 0, 16, Rw},
    {"BOTTOM", 16, 16, Rw},
};
inline constexpr Field kFilter[] = {
    {"TOT", 0, 8, Rw},
    {"FIRST", 8, 8, Rw},
    {"LAST", 16, 8, Rw},
    {"IDX", 24, 8, Ro},
};
inline constexpr Field kZframe[] = {
    {"LEFT", 0, 8, Rw},
    {"RIGHT", 8, 8, Rw},
    {"TOP", 16, 8, Rw},
    {"BOTTOM", 24, 8, Rw},
};
inline constexpr Field kIter[] = {
    {"PERIOD", 0, 16, Rw},
    {"NUMBER", 16, 4, Rw},
    {"OFFSET", 20, 2, Rw},
    {"IDX", 24, 4, Ro},
};
inline constexpr Field kFsub[] = {
    {"FSUB", 0, 24, Rw},
};
inline constexpr Field kZfbias[] = {
    {"ZFBIAS", 0, 16, Rw},
};

inline constexpr Register kRegisters[] = {
    {"CTRL", 0x000, 0x00000000, kCtrl},       {"VERSION", 0x004, 0x00065117, kVersion},
    {"KFORMAT", 0x008, 0x01010303, kKformat}, {"SAMPLE", 0x00C, 0x00001100, kSample},
    {"DFORMAT", 0x010, 0x10B00808, kDformat}, {"FFORMAT", 0x014, 0xFFFFFFFF, kFformat},
    {"FHCROP", 0x018, 0xFFFF0000, kFhcrop},   {"FVCROP", 0x01C, 0xFFFF0000, kFvcrop},
    {"KFILT", 0x020, 0x00000001, kFilter},    {"AFILT", 0x024, 0x00000001, kFilter},
    {"ZFRAME", 0x028, 0x00000000, kZframe},   {"ITER", 0x02C, 0x00000000, kIter},
    {"FSUB", 0x030, 0x00000000, kFsub},       {"ZFBIAS", 0x034, 0x00000000, kZfbias},
};

}  // namespace convacc

/// Convolution accelerator.
inline constexpr UnitType kConvacc{"CONVACC", 4, 15, 10, convacc::kRegisters};

}  // namespace n6vp::memmap::npu

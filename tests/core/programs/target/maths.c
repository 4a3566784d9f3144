// SPDX-License-Identifier: Apache-2.0
// newlib's mathematics, double and single, and its formatting, over sweeps of arguments.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

static uint32_t sum_double(uint32_t sum, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return mix(mix(sum, (uint32_t)bits), (uint32_t)(bits >> 32));
}

static uint32_t sum_float(uint32_t sum, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return mix(sum, bits);
}

typedef double (*Double)(double);
typedef float (*Float)(float);

static const struct {
    const char* name;
    Double exact;
    Float quick;
} kFunctions[] = {
    {"sin", sin, sinf},       {"cos", cos, cosf},          {"tan", tan, tanf},
    {"asin", asin, asinf},    {"acos", acos, acosf},       {"atan", atan, atanf},
    {"sinh", sinh, sinhf},    {"cosh", cosh, coshf},       {"tanh", tanh, tanhf},
    {"exp", exp, expf},       {"exp2", exp2, exp2f},       {"expm1", expm1, expm1f},
    {"log", log, logf},       {"log10", log10, log10f},    {"log1p", log1p, log1pf},
    {"sqrt", sqrt, sqrtf},    {"cbrt", cbrt, cbrtf},       {"floor", floor, floorf},
    {"ceil", ceil, ceilf},    {"rint", rint, rintf},       {"round", round, roundf},
    {"erf", erf, erff},       {"tgamma", tgamma, tgammaf}, {"lgamma", lgamma, lgammaf},
    {"trunc", trunc, truncf}, {"fabs", fabs, fabsf},
};

int program(void) {
    for (unsigned f = 0; f < sizeof kFunctions / sizeof kFunctions[0]; ++f) {
        uint32_t sum = 0, quick = 0;
        for (int i = -120; i <= 120; ++i) {
            const double x = i * 0.0637 + (i & 7) * 1e-5;
            sum = sum_double(sum, kFunctions[f].exact(x));
            quick = sum_float(quick, kFunctions[f].quick((float)x));
        }
        printf("%-7s %08lx %08lx\n", kFunctions[f].name, (unsigned long)sum, (unsigned long)quick);
    }
    uint32_t sum = 0;
    for (int i = 1; i < 80; ++i) {
        for (int j = -20; j < 20; ++j) {
            sum = sum_double(sum, pow(i * 0.17, j * 0.31));
            sum = sum_double(sum, atan2(i - 40, j));
            sum = sum_double(sum, fmod(i * 3.7, j + 0.5));
            sum = sum_double(sum, hypot(i, j));
            sum = sum_float(sum, powf((float)i * 0.17f, (float)j * 0.31f));
            sum = sum_double(sum, fma(i, j, 0.1) + ldexp(i, j));
        }
    }
    printf("two arguments %08lx\n", (unsigned long)sum);
    printf("%.17g %.6e %a %g\n", 1.0 / 3, 6.02214076e23, 0.1, strtod("-1.25e-7", NULL));
    printf("%d %u %lld %llx %s %c %%\n", -5, 5u, -123456789012LL, 0xFEDCBA9876543210ULL, "text",
           'x');
    return 0;
}

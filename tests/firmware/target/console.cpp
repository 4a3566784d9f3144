// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/semihosting.h"

extern "C" void n6vp_print(const char* text) {
    n6vp::firmware::semihosting::print(text);
}

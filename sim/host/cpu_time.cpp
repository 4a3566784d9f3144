// SPDX-License-Identifier: Apache-2.0
#include "sim/host/cpu_time.h"

#include <ctime>

namespace n6vp::sim {

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace n6vp::sim

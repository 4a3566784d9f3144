// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <systemc>

namespace n6vp::models {

/// Reports an error of SystemC unless one picosecond is what its time counts in: all models do.
inline void require_picoseconds() {
    const sc_core::sc_time unit = sc_core::sc_get_time_resolution();
    if (unit == sc_core::sc_time(1, sc_core::SC_PS)) return;
    SC_REPORT_ERROR("n6vp/time_resolution",
                    ("SystemC counts time in steps of " + unit.to_string() +
                     ", the models in steps of 1 ps: leave out sc_set_time_resolution")
                        .c_str());
}

}  // namespace n6vp::models

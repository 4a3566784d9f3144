// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "models/core/isa/families.h"
#include "models/core/isa/integer/integer.h"

namespace n6vp::models::core::isa {

Family integer_family() {
    static const std::vector<Row> rows = [] {
        std::vector<Row> all;
        append_rows(all, integer::narrow_rows());
        append_rows(all, integer::wide_alu_rows());
        append_rows(all, integer::bit_rows());
        append_rows(all, integer::select_rows(), Feature::V81);
        append_rows(all, integer::long_shift_rows(), Feature::Vector);
        append_rows(all, integer::parallel_rows(), Feature::Dsp);
        append_rows(all, integer::multiply_rows());
        return all;
    }();
    return {"integer", rows, integer::integer_directives()};
}

}  // namespace n6vp::models::core::isa

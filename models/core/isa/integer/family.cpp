// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "models/core/isa/families.h"
#include "models/core/isa/integer/integer.h"

namespace n6vp::models::core::isa {

Family integer_family() {
    static const std::vector<Row> rows = [] {
        std::vector<Row> all;
        for (const std::span<const Row> part :
             {integer::narrow_rows(), integer::wide_alu_rows(), integer::bit_rows(),
              integer::select_rows(), integer::long_shift_rows(), integer::parallel_rows(),
              integer::multiply_rows()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return {"integer", rows, integer::integer_directives()};
}

}  // namespace n6vp::models::core::isa

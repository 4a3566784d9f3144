// SPDX-License-Identifier: Apache-2.0
#include "models/soc/mcu/set_up_tables.h"

namespace n6vp::models::mcu {
namespace {

[[nodiscard]] std::span<const StubTable> tables_of(const memmap::Chip& chip) {
    const std::string_view name = chip.name;
    switch (chip.family) {
        case memmap::ChipFamily::L4:
            return name == "stm32l4r5" ? kL4r5Tables : kL475Tables;
        case memmap::ChipFamily::U5:
            return kU5Tables;
        case memmap::ChipFamily::F7:
            return kF7Tables;
        case memmap::ChipFamily::H7:
            return name == "stm32h743" ? kH743Tables : kH7a3Tables;
    }
    return {};
}

}  // namespace

const StubTable* set_up_table(const memmap::Chip& chip, std::string_view peripheral) {
    for (const StubTable& table : tables_of(chip)) {
        if (peripheral == table.type) return &table;
    }
    return polled_table(chip, peripheral);
}

}  // namespace n6vp::models::mcu

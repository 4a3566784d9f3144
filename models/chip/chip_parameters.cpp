// SPDX-License-Identifier: Apache-2.0
#include "models/chip/chip_parameters.h"

namespace n6vp::models {

SramParameters ahb_ram_parameters() {
    SramParameters parameters;
    parameters.beat_bytes = {"beat_bytes", 4, counts(64, "B"), Confidence::Documented,
                             "device header: 32-bit port"};
    return parameters;
}

}  // namespace n6vp::models
